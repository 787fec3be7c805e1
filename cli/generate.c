/* `oyster generate`: what packages need beside the program, made from the tables of commands and of
 * settings so that it cannot lag behind them. */
#include "cli/cli.h"

#include "games/registry.h"
#include "server/ops/config.h"
#include <stdio.h>
#include <string.h>

/* ---- Manual pages (man(7)) ---- */

/* A minus must not become a hyphen, and a line must not begin like a request. */
static void put_roff(const char *text) {
    for (const char *at = text; *at; at++) {
        if ((at == text || at[-1] == '\n') && (*at == '.' || *at == '\''))
            fputs("\\&", stdout);
        if (*at == '\\')
            fputs("\\e", stdout);
        else if (*at == '-')
            fputs("\\-", stdout);
        else
            putchar(*at);
    }
}

static void put_option(const struct cli_option *option) {
    fputs(".TP\n.B ", stdout);
    put_roff(option->name);
    if (option->value)
        printf(" \\fI%s\\fR", option->value);
    putchar('\n');
    put_roff(option->help);
    fputs(".\n", stdout);
}

static void put_command(const struct cli_command *command) {
    printf(".SS oyster %s", command->name);
    if (command->words[0]) {
        putchar(' ');
        put_roff(command->words);
    }
    fputs("\n", stdout);
    put_roff(command->help);
    fputs("\n", stdout);
    if (command->run == cli_serve)
        fputs("Every setting of\n.BR oyster.conf (5)\nis also an option: \\-\\-listen, "
              "\\-\\-store and so on.\n",
              stdout);
    for (const struct cli_option *option = command->options; option->name; option++)
        put_option(option);
}

static void print_man(void) {
    puts(".TH OYSTER 1 \"\" \"oyster " OYSTER_VERSION "\" \"Games\"\n"
         ".SH NAME\noyster \\- a card table that anyone can run\n"
         ".SH SYNOPSIS\n.B oyster\n.I command\n[\\fIargument\\fR ...]\n.br\n"
         ".B oyster \\-\\-help\n|\n.B \\-\\-version\n"
         ".SH DESCRIPTION\nOne program that serves worlds in which people and bots play cards in "
         "a browser, plays in\nthe terminal, replays and converts recorded games, and measures "
         "its bots. The games:");
    for (size_t i = 0; i < registry_count; i++) {
        printf(".TP\n.B ");
        put_roff(registry_games[i]->id);
        putchar('\n');
        put_roff(registry_games[i]->name);
        printf(": ");
        put_roff(registry_games[i]->summary);
        puts(".");
    }
    puts(".SH COMMANDS");
    for (size_t i = 0; i < cli_command_count; i++)
        put_command(&cli_commands[i]);
    puts(".SH EXIT STATUS\n.TP\n.B 0\nSuccess.\n.TP\n.B 1\nA record holds a wrong move, a server "
         "could not start, or the output could not be written.\n"
         ".TP\n.B 2\nThe input is not what was expected.\n"
         ".SH EXAMPLES\n.nf\noyster serve \\-\\-listen '*:8080'\noyster play whos\\-deal "
         "\\-\\-bots medium,expert,medium,medium\n.fi\n.SH SEE ALSO\n.BR oyster.conf (5)");
}

static void print_conf_man(void) {
    struct config_setting setting;
    puts(".TH OYSTER.CONF 5 \"\" \"oyster " OYSTER_VERSION "\" \"Games\"\n"
         ".SH NAME\noyster.conf \\- settings of\n.BR \"oyster serve\"\n"
         ".SH DESCRIPTION\nThe file that\n.B oyster serve \\-\\-config\nreads: a line\n"
         ".I key\n=\n.I value\nfor each setting. A number sign begins a comment at the start of "
         "a line or after a blank.\nOptions of the command line overrule the file.\n"
         ".B oyster serve \\-\\-check\\-config\nsays whether a file is right.\n.SH SETTINGS");
    for (size_t i = 0; config_setting(i, &setting); i++) {
        printf(".TP\n.B ");
        put_roff(setting.key);
        printf(" = \\fR");
        put_roff(setting.form);
        putchar('\n');
        put_roff(setting.help);
        printf(".\nDefault: ");
        put_roff(*setting.standard ? setting.standard : "empty");
        puts(".");
    }
    puts(".SH SEE ALSO\n.BR oyster (1)");
}

/* ---- The settings as a file ---- */

/* Words of a comment, at most 78 columns wide. */
static void put_comment(const char *text) {
    size_t column = 1;
    putchar('#');
    for (const char *word = text; *word;) {
        size_t length = strcspn(word, " ");
        if (column > 1 && column + 1 + length > 78) {
            fputs("\n#", stdout);
            column = 1;
        }
        printf(" %.*s", (int)length, word);
        column += 1 + length;
        word += length;
        word += strspn(word, " ");
    }
    putchar('\n');
}

static void print_conf(void) {
    struct config_setting setting;
    puts(
        "# Settings of oyster serve. What is commented out shows the default; see oyster.conf(5).");
    for (size_t i = 0; config_setting(i, &setting); i++) {
        putchar('\n');
        put_comment(setting.help);
        put_comment(setting.form);
        printf("#%s =%s%s\n", setting.key, *setting.standard ? " " : "", setting.standard);
    }
}

/* ---- Completions ---- */

static void put_games(const char *between) {
    for (size_t i = 0; i < registry_count; i++)
        printf("%s%s", i > 0 ? between : "", registry_games[i]->id);
}

static void put_levels(const char *between) {
    for (int i = 0; i < BOT_LEVELS; i++)
        printf("%s%s", i > 0 ? between : "", bot_level_name((enum bot_level)i));
}

static bool takes_file(const char *value) {
    return value && strcmp(value, "FILE") == 0;
}

static bool takes_level(const char *value) {
    return value && strncmp(value, "LEVEL", strlen("LEVEL")) == 0;
}

static bool takes_game(const struct cli_command *command) {
    return strstr(command->words, "GAME") != NULL;
}

static void put_bash_command(const struct cli_command *command) {
    struct config_setting setting;
    printf("  %s)\n    words='", command->name);
    for (const struct cli_option *option = command->options; option->name; option++)
        printf("%s ", option->name);
    for (size_t i = 0; command->run == cli_serve && config_setting(i, &setting); i++)
        printf("--%s ", setting.key);
    if (takes_game(command))
        put_games(" ");
    if (command->run == cli_generate)
        for (const char *at = command->words; *at; at++)
            putchar(*at == '|' ? ' ' : *at);
    if (command->run == cli_bench)
        printf(" playouts");
    puts("' ;;");
}

static void print_bash(void) {
    struct config_setting setting;
    puts("# Completions of oyster for bash.\n_oyster() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=''\n"
         "  COMPREPLY=()\n  case $before in");
    printf("  --bots | --a | --b)\n    COMPREPLY=($(compgen -W '");
    put_levels(" ");
    puts("' -- \"$word\"))\n    return ;;\n  --config | --log)\n"
         "    COMPREPLY=($(compgen -f -- \"$word\"))\n    return ;;");
    for (size_t i = 0; config_setting(i, &setting); i++) {
        if (!setting.choices)
            continue;
        printf("  --%s)\n    COMPREPLY=($(compgen -W '", setting.key);
        for (int j = 0; setting.choices[j]; j++)
            printf("%s ", setting.choices[j]);
        puts("' -- \"$word\"))\n    return ;;");
    }
    puts("  esac\n  if [ \"$COMP_CWORD\" = 1 ]; then");
    printf("    COMPREPLY=($(compgen -W '");
    for (size_t i = 0; i < cli_command_count; i++)
        printf("%s ", cli_commands[i].name);
    puts("--help --version' -- \"$word\"))\n    return\n  fi\n  case ${COMP_WORDS[1]} in");
    for (size_t i = 0; i < cli_command_count; i++)
        put_bash_command(&cli_commands[i]);
    puts("  esac\n  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "  case ${COMP_WORDS[1]} in\n  replay | export) COMPREPLY+=($(compgen -f -- \"$word\")) "
         ";;\n"
         "  esac\n}\ncomplete -F _oyster oyster");
}

/* A help text between single quotes; zsh also needs its brackets and colons escaped. */
static void put_quoted(const char *text, const char *escaped) {
    for (const char *at = text; *at; at++) {
        if (*at == '\'')
            fputs("'\\''", stdout);
        else if (strchr(escaped, *at))
            printf("\\%c", *at);
        else
            putchar(*at);
    }
}

static void put_zsh_option(const char *name, const char *value, const char *help) {
    printf(" \\\n      '%s[", name);
    put_quoted(help, "[]:");
    putchar(']');
    if (takes_file(value))
        printf(":file:_files");
    else if (takes_level(value)) {
        printf(":level:(");
        put_levels(" ");
        putchar(')');
    } else if (value) {
        printf(":%s: ", value);
    }
    putchar('\'');
}

static void put_zsh_command(const struct cli_command *command) {
    struct config_setting setting;
    char flag[64];
    printf("    %s)\n      _arguments", command->name);
    for (const struct cli_option *option = command->options; option->name; option++)
        put_zsh_option(option->name, option->value, option->help);
    for (size_t i = 0; command->run == cli_serve && config_setting(i, &setting); i++) {
        snprintf(flag, sizeof flag, "--%s", setting.key);
        put_zsh_option(flag, "value", setting.help);
    }
    if (takes_game(command)) {
        printf(" \\\n      '*:game:(");
        put_games(" ");
        printf(")'");
    } else if (strcmp(command->words, "FILE") == 0) {
        printf(" \\\n      '*:file:_files'");
    }
    puts(" ;;");
}

static void print_zsh(void) {
    puts("#compdef oyster\n_oyster() {\n  local -a commands=(");
    for (size_t i = 0; i < cli_command_count; i++) {
        printf("    '%s:", cli_commands[i].name);
        put_quoted(cli_commands[i].help, ":");
        puts("'");
    }
    puts("  )\n  if ((CURRENT == 2)); then\n    _describe command commands\n    return\n  fi\n"
         "  local command=$words[2]\n  shift words\n  ((CURRENT--))\n  case $command in");
    for (size_t i = 0; i < cli_command_count; i++)
        put_zsh_command(&cli_commands[i]);
    puts("  esac\n}\n_oyster \"$@\"");
}

static void put_fish_option(const char *command, const char *name, const char *value,
                            const char *help) {
    printf("complete -c oyster -n '__fish_seen_subcommand_from %s' -l %s", command, name);
    if (takes_file(value))
        printf(" -r -F");
    else if (takes_level(value)) {
        printf(" -x -a '");
        put_levels(" ");
        putchar('\'');
    } else if (value) {
        printf(" -x");
    }
    printf(" -d '");
    put_quoted(help, "\\");
    puts("'");
}

static void put_fish_command(const struct cli_command *command) {
    struct config_setting setting;
    printf("complete -c oyster -n __fish_use_subcommand -f -a %s -d '", command->name);
    put_quoted(command->help, "\\");
    puts("'");
    for (const struct cli_option *option = command->options; option->name; option++)
        put_fish_option(command->name, option->name + strlen("--"), option->value, option->help);
    for (size_t i = 0; command->run == cli_serve && config_setting(i, &setting); i++)
        put_fish_option(command->name, setting.key, "VALUE", setting.help);
    if (!takes_game(command))
        return;
    printf("complete -c oyster -n '__fish_seen_subcommand_from %s' -f -a '", command->name);
    put_games(" ");
    puts("'");
}

static void print_fish(void) {
    puts("# Completions of oyster for fish.");
    for (size_t i = 0; i < cli_command_count; i++)
        put_fish_command(&cli_commands[i]);
}

int cli_generate(struct cli_arguments *arguments) {
    static const struct {
        const char *name;
        void (*print)(void);
    } kinds[] = {{"man", print_man},   {"conf-man", print_conf_man}, {"conf", print_conf},
                 {"bash", print_bash}, {"zsh", print_zsh},           {"fish", print_fish}};
    const char *name;
    if (!cli_word(arguments, &name))
        return cli_complain("what? Try: oyster generate man");
    if (arguments->at < arguments->count)
        return cli_unexpected(arguments);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(name, kinds[i].name) != 0)
            continue;
        kinds[i].print();
        return 0;
    }
    return cli_complain("'%s' cannot be generated; try: oyster generate man", name);
}
