/* A table that a game wrote as text, made to fit a window: who plays how stands at each seat, rows
 * that are too wide go on below, and a table with too many rows says less of what the others laid.
 * Nothing here knows a game; it goes by how all of them write: a seat's row begins with two columns
 * and its name, and what belongs to the seats above it, such as melds, is set in by six. */
#pragma once

#include "engine/game.h"

enum { PICTURE_SIZE = 1 << 15 };

struct picture {
    int columns;
    bool signs; /* what is not ASCII can be shown */
    int seats;
    int own_seat;
    const char *name[SEATS_MAX];
    const char *level[SEATS_MAX]; /* "🦀 hard"; null: a person */
    uint8_t side_of[SEATS_MAX];
};

int picture_rows(const char *text);

/* How many columns the text takes; a pictograph takes two. */
int picture_width(struct span text);

/* Breaks rows that are wider than the window at a blank. Where a row goes on it is set in further
 * than where it began. */
void picture_wrap(const struct picture *picture, const char *text, struct text *out);

/* The table with levels at the seats, and nothing left out. */
void picture_whole(const struct picture *picture, const char *table, struct text *out);

/* The same in a form of few rows: whole if it has no more than `rows`; else melds stand beside each
 * other; where that is not enough those of other sides get a row for each side, as counts, then
 * none. Of that at most `rows_max`, whatever it takes. False if anything is left out. */
bool picture_fit(const struct picture *picture, const char *table, int rows, int rows_max,
                 struct text *out);
