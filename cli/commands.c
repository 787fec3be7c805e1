/* The table of commands. Help, the manual page and the shells' completions are read off it
 * (generate.c), and what a command takes must stand here (cli_flag). */
#include "cli/cli.h"

#define GAME_OPTIONS                                                                               \
    {"--players", "N", "how many play; otherwise as many as usual"},                               \
        {"--preset", "PRESET", "a rule book of the game's, as oyster games GAME lists them"}, {    \
        "--set", "KEY=VALUE", "a house rule; may be said several times"                            \
    }
#define SEED_OPTION                                                                                \
    { "--seed", "N", "a number from which all chance follows: the same one, the same cards" }
#define JSON_OPTION                                                                                \
    { "--json", NULL, "print JSON" }
#define END_OF_OPTIONS                                                                             \
    { NULL, NULL, NULL }

static const struct cli_option serve[] = {
    {"--config", "FILE", "a file of lines `key = value`; flags overrule it"},
    {"--check-config", NULL, "only say whether the settings are right"},
    {"--settings", NULL, "print all settings as a table for the documentation"},
    {"--help", NULL, "print all settings"},
    END_OF_OPTIONS,
};

static const struct cli_option play[] = {
    GAME_OPTIONS,
    {"--bots", "LEVELS", "easy, medium, hard or expert, or one for each seat with commas"},
    {"--seat", "N", "your own seat, from 0"},
    SEED_OPTION,
    {"--name", "NAME", "what you are called"},
    {"--log", "FILE", "where the game is recorded, for oyster replay"},
    {"--debug", NULL, "tell everything that happens, as it is recorded"},
    END_OF_OPTIONS,
};

static const struct cli_option sim[] = {
    GAME_OPTIONS,
    {"--bots", "LEVELS", "easy, medium, hard or expert, or one for each seat with commas"},
    {"--games", "N", "how many, 1000 unless said"},
    SEED_OPTION,
    {"--times", NULL, "also how long a decision takes, on average and at most in 99 %"},
    JSON_OPTION,
    END_OF_OPTIONS,
};

static const struct cli_option match[] = {
    {"--a", "LEVEL", "the one level"},
    {"--b", "LEVEL", "the other one"},
    GAME_OPTIONS,
    {"--games", "N", "how many, 1000 unless said"},
    SEED_OPTION,
    {"--sprt", "ELO0,ELO1", "stop as soon as one of these differences is certain enough"},
    {"--worlds", "N",
     "how many worlds a decision looks at, up to 4096; in some games fewer, as is told then"},
    {"--threads", "N", "how many games at a time, one for each core unless said"},
    JSON_OPTION,
    END_OF_OPTIONS,
};

static const struct cli_option replay[] = {
    JSON_OPTION,
    {"--show", NULL, "draw the table after each move"},
    {"--events", NULL, "print what everybody is told"},
    {"--words", NULL, "say what happens, as those who watch read it"},
    END_OF_OPTIONS,
};

static const struct cli_option export[] = {
    {"--egn", NULL, "write a game of euchre as EGN (Euchre Game Notation)"},
    {"--save", NULL, "write a game of Hand & Foot as a saved game"},
    {"--oyster", NULL, "write a record of Oyster's own"},
    SEED_OPTION,
    {"--time", "TIME", "when a saved game was saved"},
    {"--finished", "STORE", "bring finished games from that store on Redis into an SQLite file"},
    END_OF_OPTIONS,
};

static const struct cli_option bench[] = {
    {"--seconds", "N", "how long each measurement takes, 1 unless said"},
    JSON_OPTION,
    END_OF_OPTIONS,
};

static const struct cli_option games[] = {
    {"--moves", NULL, "all moves of the game, as records have them"},
    {"--rules", NULL, "its rule books side by side"},
    JSON_OPTION,
    END_OF_OPTIONS,
};

static const struct cli_option stats[] = {JSON_OPTION, END_OF_OPTIONS};
static const struct cli_option none[] = {END_OF_OPTIONS};
static const struct cli_option generate[] = {END_OF_OPTIONS};

const struct cli_command cli_commands[] = {
    {"serve", cli_serve, "", "Serve worlds over HTTP and WebSockets.", serve},
    {"play", cli_play, "GAME", "Play in the terminal against bots.", play},
    {"sim", cli_sim, "GAME", "Let bots play many games and print who wins.", sim},
    {"match", cli_match, "GAME",
     "Let two levels play every deal twice, with the sides changed, and print which one is "
     "stronger and how certain that is.",
     match},
    {"replay", cli_replay, "FILE",
     "Print a recorded game (.oyster, .egn or a saved game) move by move.", replay},
    {"export", cli_export, "FILE", "Write a recorded game in another format.", export},
    {"bench", cli_bench, "playouts [GAME...]",
     "Measure how fast random games are played through the public interface.", bench},
    {"games", cli_games, "[GAME]", "List the games, or one with all its house rules.", games},
    {"backup", cli_backup, "STORE FILE",
     "Copy a store into a new file, also while servers use it, and fold every log of the copy.",
     none},
    {"restore", cli_restore, "FILE STORE", "Make a new store from such a file.", none},
    {"move", cli_move, "FROM TO",
     "Copy all of a store into another one, as between SQLite and Redis. If it is interrupted, the "
     "same command goes on.",
     none},
    {"check", cli_check, "STORE", "Read all of a store and say what is wrong.", none},
    {"stats", cli_stats, "STORE", "Count worlds, people, games and bytes of a store.", stats},
    {"generate", cli_generate, "man|conf-man|conf|bash|zsh|fish",
     "Print the manual page of the program or of its settings, a file with every setting, or "
     "completions for a shell; for those who make packages.",
     generate},
};

const size_t cli_command_count = sizeof cli_commands / sizeof cli_commands[0];
