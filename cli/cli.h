/* What the subcommands of `oyster` share: arguments, setup, complaints. */
#pragma once

#include "bots/bot.h"
#include "engine/game.h"
#include <stdio.h>

/* Exit codes: 0 for success, 1 if a record holds a wrong move or a store something wrong, 2 for bad
 * input. */
enum { EXIT_WRONG_MOVE = 1, EXIT_BAD_INPUT = 2 };

/* Prints one line on standard error; returns EXIT_BAD_INPUT. */
int cli_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Walks over a command's arguments: flags with values, switches, and plain words. */
#include <stdio.h>

struct cli_arguments {
    const struct cli_command *command; /* null: none was named yet */
    int count;
    char **words;
    int at;
};

/* ---- The table of commands (commands.c) ---- */

struct cli_option {
    const char *name;
    const char *value; /* what it is followed by, such as FILE; null: nothing */
    const char *help;
};

struct cli_command {
    const char *name;
    int (*run)(struct cli_arguments *arguments);
    const char *words; /* what it takes beside options */
    const char *help;
    const struct cli_option *options; /* the last one has no name */
};

extern const struct cli_command cli_commands[];
extern const size_t cli_command_count;

/* Takes the next argument if it is the flag (`--seed 5` or `--seed=5`). A flag without its value is
 * a complaint and ends the program. What a command takes stands in the table, or it is a bug. */
bool cli_flag(struct cli_arguments *arguments, const char *name, const char **value);
bool cli_switch(struct cli_arguments *arguments, const char *name);

/* Takes the next argument if it is no flag. */
bool cli_word(struct cli_arguments *arguments, const char **word);

/* Complains about an argument that is left over, by its name. */
int cli_unexpected(const struct cli_arguments *arguments);

/* Reads a whole number within bounds; otherwise complains and ends the program. */
uint64_t cli_number(const char *flag, const char *value, uint64_t min, uint64_t max);

/* A game with its options and seats, as `--preset`, `--set` and `--players` give them. */
struct cli_table {
    const struct game *game;
    struct options options;
    int seats; /* 0: the game's default */
};

/* Takes the next argument if it is one of a table's. The game must be known by then. */
bool cli_table_flag(struct cli_arguments *arguments, struct cli_table *table);

/* Finds the game by its id, or complains and ends the program. */
void cli_table_game(const char *id, struct cli_table *table);

/* The same with the next argument as the id, which must be there. */
void cli_table_game_word(struct cli_arguments *arguments, struct cli_table *table);

/* Starts the game, or complains and ends the program. */
void cli_table_start(struct cli_table *table, struct game_state *state);

/* Reads "hard" or "hard,medium,easy,easy" as a level for each seat, or complains. */
void cli_bot_levels(const char *list, int seats, enum bot_level levels[SEATS_MAX]);

/* Lets bots that are not awaited say what they have to say before somebody moves. */
void cli_bots_speak(const struct game *game, struct game_state *state, int seats, uint32_t awaited,
                    const enum bot_level levels[SEATS_MAX], struct chance *chance);

/* Wilson's 95 % interval of a rate over so many games, which also holds near 0 and 1. */
void cli_interval(double rate, double games, double out[2]);

/* All of a file, or of standard input for "-"; the data is the caller's to free. What cannot be
 * read or is too large is a complaint and ends the program. */
struct span cli_read_file(const char *path);

/* Seconds of processor time used so far. */
double cli_cpu_seconds(void);

/* "seat 2", "team a" or "everybody", by what the sides of the game are. */
void cli_side_name(const struct result *result, int seats, int side, struct text *text);

/* Prints a line for each event that the viewer may see. */
void cli_tell_events(const struct events *events, int viewer);

/* Prints the message of an event, which is not empty, as an action log has it: "[Ann] discarded
 * 3H". */
void cli_tell_message(FILE *out, const struct event *event, const char *const *names,
                      const char *indent);

/* The subcommands. */
int cli_backup(struct cli_arguments *arguments);
int cli_bench(struct cli_arguments *arguments);
int cli_check(struct cli_arguments *arguments);
int cli_generate(struct cli_arguments *arguments);
int cli_export(struct cli_arguments *arguments);
int cli_games(struct cli_arguments *arguments);
int cli_match(struct cli_arguments *arguments);
int cli_move(struct cli_arguments *arguments);
int cli_play(struct cli_arguments *arguments);
int cli_replay(struct cli_arguments *arguments);
int cli_restore(struct cli_arguments *arguments);
int cli_serve(struct cli_arguments *arguments);
int cli_sim(struct cli_arguments *arguments);
int cli_stats(struct cli_arguments *arguments);
