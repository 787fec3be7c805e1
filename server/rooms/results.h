/* What the store is told of a game: who sat where, how it stands, what was counted. */
#pragma once

#include "store/store.h"
#include "world/world.h"

struct results {
    struct store_match match;
    struct store_seat seats[STORE_SEATS_MAX];
    struct store_stat stats[GAME_FIGURES_MAX];
    struct span figures[GAME_FIGURES_MAX];
    char settings[8192];
    char state[STORE_STATE_MAX];
};

/* Of a game or a round that has ended since that version; null if none has. */
const struct store_match *results_of(const struct world *world, int64_t after_version,
                                     struct results *out);
