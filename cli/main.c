/* `oyster`: the program. Each subcommand has a file of its own beside this one. */
#include "cli/cli.h"

#include "engine/ensure.h"
#include "version.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __clang__
#define OYSTER_COMPILER "clang " __clang_version__
#else
#define OYSTER_COMPILER "gcc " __VERSION__
#endif

_Noreturn void ensure_failed(const char *what, const char *file, int line) {
    fprintf(stderr, "oyster: a bug: '%s' does not hold at %s:%d. Please report it.\n", what, file,
            line);
    abort();
}

static void print_command(const struct cli_command *command) {
    printf("  oyster %s%s%s%s\n      %s\n", command->name, command->words[0] ? " " : "",
           command->words, command->options->name ? " [OPTION...]" : "", command->help);
}

static int help(void) {
    puts("Oyster, a card table that anyone can run.\n\nUsage:");
    for (size_t i = 0; i < cli_command_count; i++)
        print_command(&cli_commands[i]);
    puts("  oyster --help | --version\n\noyster COMMAND --help lists the options of one.");
    return 0;
}

static int help_with(const struct cli_command *command) {
    puts("Usage:");
    print_command(command);
    for (const struct cli_option *option = command->options; option->name; option++)
        printf("  %s%s%s\n      %s\n", option->name, option->value ? " " : "",
               option->value ? option->value : "", option->help);
    return 0;
}

/* Output that could not be written is a failure, whatever the command returned. */
static int finish(int code) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    cli_complain("cannot write the output: %s", strerror(errno));
    return EXIT_WRONG_MOVE;
}

/* Anywhere: also where a game was named before. */
static bool asks_for_help(const struct cli_arguments *arguments) {
    for (int i = arguments->at; i < arguments->count; i++)
        if (strcmp(arguments->words[i], "--help") == 0)
            return true;
    return false;
}

int main(int count, char **words) {
    struct cli_arguments arguments = {.count = count, .words = words, .at = 1};
    const char *name;
    if (count == 1 || cli_switch(&arguments, "--help") || cli_switch(&arguments, "-h") ||
        cli_switch(&arguments, "help"))
        return help();
    if (cli_switch(&arguments, "--version")) {
        puts("oyster " OYSTER_VERSION " (" OYSTER_COMMIT ", " OYSTER_COMPILER ")");
        return 0;
    }
    if (!cli_word(&arguments, &name))
        return cli_unexpected(&arguments);
    for (size_t i = 0; i < cli_command_count; i++) {
        if (strcmp(name, cli_commands[i].name) != 0)
            continue;
        if (cli_commands[i].run != cli_serve && asks_for_help(&arguments))
            return help_with(&cli_commands[i]);
        arguments.command = &cli_commands[i];
        return finish(cli_commands[i].run(&arguments));
    }
    return cli_complain("there is no command '%s'; see oyster --help", name);
}
