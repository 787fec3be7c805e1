/* A person's totals by kind of game, in memory: what a game counts for is added once, when it ends.
 * SQLite keeps them by triggers (schema.c), Redis by lua/parts/totals.lua. */
#pragma once

#include "store/arena.h"
#include "store/store.h"

struct totals {
    struct store_record *items; /* each has room for STORE_FIGURES_MAX figures */
    size_t count, room;
};

/* Null: none of that game. */
struct store_record *totals_find(const struct totals *totals, struct span game);

/* Adds to the record of that game, which is made in the arena if there is none. All numbers are
 * sums but for the best score, of which the higher one stays. */
void totals_add(struct totals *totals, const struct store_record *more, struct arena *arena);

/* The last record takes its place. */
void totals_drop(struct totals *totals, struct store_record *record);

/* By game, and the figures of each by name. */
void totals_sort(struct totals *totals);
