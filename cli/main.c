/* `oyster`: the program. Each subcommand has a file of its own beside this one. */
#include "cli/cli.h"

#include "engine/ensure.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(struct cli_arguments *arguments);
    const char *usage;
    const char *help;
} commands[] = {
    {"serve", cli_serve,
     "serve [--listen ADDRESS:PORT] [--store sqlite:PATH|memory] [--config FILE]",
     "serve worlds over HTTP and WebSockets; oyster serve --help lists every setting"},
    {"play", cli_play, "play GAME [--preset P] [--set KEY=VALUE] [--players N] [--bots LEVELS]",
     "play in the terminal against bots; also --seat N, --seed N, --name NAME, --log FILE, "
     "--debug"},
    {"sim", cli_sim, "sim GAME [--players N] [--bots LEVELS] [--games N] [--seed N] [--json]",
     "let bots play many games and print who wins; also --preset, --set"},
    {"match", cli_match, "match GAME --a LEVEL --b LEVEL [--games N] [--seed N] [--sprt E0,E1]",
     "let two levels play every deal twice, with the sides changed, and print which one is "
     "stronger and how certain that is; also --players, --preset, --set, --worlds N, "
     "--threads, --json"},
    {"replay", cli_replay, "replay FILE [--json] [--show] [--events]",
     "print a recorded game (.oyster, .egn or a save) move by move; --show draws the table each "
     "time"},
    {"export", cli_export, "export --egn|--save|--oyster FILE",
     "write a recorded game of euchre as EGN (Euchre Game Notation), one of Hand & Foot as a saved "
     "game (also --seed N, --time T), or either as an .oyster record; --finished STORE FILE brings "
     "finished games from Redis into an SQLite file"},
    {"bench", cli_bench, "bench playouts [GAME...] [--seconds N] [--json]",
     "measure random games through the public interface"},
    {"games", cli_games, "games [GAME [--moves]] [--json]",
     "list the games, or one with all its house rules or moves"},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

_Noreturn void ensure_failed(const char *what, const char *file, int line) {
    fprintf(stderr, "oyster: a bug: '%s' does not hold at %s:%d. Please report it.\n", what, file,
            line);
    abort();
}

static int help(void) {
    puts("Oyster, a card table that anyone can run.\n\nUsage:");
    for (int i = 0; i < COMMANDS; i++)
        printf("  oyster %s\n      %s\n", commands[i].usage, commands[i].help);
    puts("  oyster --help | --version\n\n"
         "LEVELS is easy, medium, hard or expert, or one for each seat with commas between them.");
    return 0;
}

/* Output that could not be written is a failure, whatever the command returned. */
static int finish(int code) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    cli_complain("cannot write the output: %s", strerror(errno));
    return EXIT_WRONG_MOVE;
}

int main(int count, char **words) {
    struct cli_arguments arguments = {.count = count, .words = words, .at = 1};
    const char *name;
    if (count == 1 || cli_switch(&arguments, "--help") || cli_switch(&arguments, "-h") ||
        cli_switch(&arguments, "help"))
        return help();
    if (cli_switch(&arguments, "--version")) {
        puts("oyster " OYSTER_VERSION);
        return 0;
    }
    if (!cli_word(&arguments, &name))
        return cli_unexpected(&arguments);
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(name, commands[i].name) != 0)
            continue;
        if (commands[i].run != cli_serve && cli_switch(&arguments, "--help")) {
            printf("oyster %s\n  %s\n", commands[i].usage, commands[i].help);
            return 0;
        }
        return finish(commands[i].run(&arguments));
    }
    return cli_complain("there is no command '%s'; see oyster --help", name);
}
