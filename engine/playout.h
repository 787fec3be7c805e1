/* Random games through the public interface: for benchmarks, and for bots that search by them. */
#ifndef ENGINE_PLAYOUT_H
#define ENGINE_PLAYOUT_H

#include "engine/game.h"

enum { PLAYOUT_MOVES_MAX = 100000 };

struct playout {
    uint64_t moves; /* deals included */
    uint64_t deals;
};

/* Plays on from `state` to the end with random legal moves of the awaited seats and random deals;
 * adds to the counts how many. */
void playout_finish(const struct game *game, struct game_state *state, struct chance *chance,
                    struct playout *counts);

#endif
