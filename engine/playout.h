/* Random games, for benchmarks and for bots that search by them, in two ways. The checked one is
 * the one that people's moves take. The fast one, for search, applies moves that `legal` listed
 * without asking the rules again, and asks for the invariants at the end of a round only. */
#pragma once

#include "engine/game.h"

enum { PLAYOUT_MOVES_MAX = 1000000, PLAYOUT_DEALS_MAX = 40 };

struct playout {
    uint64_t moves; /* deals included */
    uint64_t deals;
    uint64_t rounds; /* that ended */
};

enum playout_way { PLAYOUT_CHECKED, PLAYOUT_FAST };

/* Plays on from `state` with random legal moves of the awaited seats and random deals, until the
 * game is over or there have been `deals_max` deals: random players may never reach a target. Adds
 * what happened to the counts. */
void playout_finish(const struct game *game, struct game_state *state, enum playout_way way,
                    struct chance *chance, uint32_t deals_max, struct playout *counts);
