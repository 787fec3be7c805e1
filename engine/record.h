/* The `.oyster` format: a game as a text file. A header, then one line per move; a `#` after a
 * blank or at the start of a line begins a comment.
 *
 *     oyster 1
 *     game up-n-down
 *     options handSize=6
 *     seats Ann Bob*hard "Cy Two"
 *     position ...              (where a game that was not recorded from its start begins)
 *     - deal 4f0c...            (NATURE)
 *     0 play 12 1
 *
 * The reader hands out pieces of the caller's text and says exactly where something is wrong. */
#pragma once

#include "engine/game.h"

enum { RECORD_NAME_MAX = 96 /* bytes */ };

struct record_seat {
    struct span name;
    bool bot;
    struct span level; /* of a bot; may be empty */
};

struct record_header {
    struct span game;
    struct span options; /* may be empty */
    struct span seats_line;
    struct span position; /* no data: the game begins at its start */
    int seats;
    struct record_seat seat[SEATS_MAX];
};

struct record_entry {
    int seat; /* or NATURE */
    struct span text;
};

struct record_reader {
    const char *begin, *end, *at;
    const char *line; /* where the line last read begins */
};

/* Where and why a file is refused; both count from 1. */
struct record_error {
    int line, column;
    struct refusal why;
};

/* Can a seat be called so: UTF-8, not empty, not too long, no quotes, no control characters and
 * none that turn the direction of writing? */
bool record_name_fits(struct span name);

void record_open(struct record_reader *reader, struct span file);
bool record_read_header(struct record_reader *reader, struct record_header *out,
                        struct record_error *error);

enum record_step { RECORD_ENTRY, RECORD_END, RECORD_BROKEN };
enum record_step record_next(struct record_reader *reader, struct record_entry *out,
                             struct record_error *error);

/* The game as a header describes it, before the first move. Everything that folds a record begins
 * so; which game it is has been found out by the header's id. */
bool record_start(const struct record_reader *reader, const struct record_header *header,
                  const struct game *game, struct options *options, struct game_state *state,
                  struct record_error *error);

/* Completes an error with the place of the word that `why` points at, or of the line last read. */
void record_locate(const struct record_reader *reader, struct record_error *error);

void record_write_header(const struct game *game, const struct options *options,
                         const struct record_seat *seats, int count, struct text *text);
/* The header's last line, for a game that begins in this state. */
void record_write_position(const struct game *game, const struct game_state *state,
                           struct text *text);
void record_write_entry(int seat, struct span move, struct text *text);
