/* Random games through the public interface: for benchmarks, and for bots that search by them. */
#ifndef ENGINE_PLAYOUT_H
#define ENGINE_PLAYOUT_H

#include "engine/game.h"

enum { PLAYOUT_MOVES_MAX = 1000000, PLAYOUT_DEALS_MAX = 40 };

struct playout {
    uint64_t moves; /* deals included */
    uint64_t deals;
};

/* Plays on from `state` with random legal moves of the awaited seats and random deals, to the end
 * or until another deal would be one too many: random players may never reach a target. Adds to the
 * counts how many. */
void playout_finish(const struct game *game, struct game_state *state, struct chance *chance,
                    uint32_t deals_max, struct playout *counts);

#endif
