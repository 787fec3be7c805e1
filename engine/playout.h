/* Random games through the public interface: for benchmarks, and for bots that search by them. */
#ifndef ENGINE_PLAYOUT_H
#define ENGINE_PLAYOUT_H

#include "engine/game.h"

enum { PLAYOUT_MOVES_MAX = 100000 };

/* Plays on from `state` to the end with random legal moves of the awaited seats and random deals;
 * returns how many moves that took, deals included. */
uint32_t playout_finish(const struct game *game, struct game_state *state, struct chance *chance);

/* Makes a random deal, or a random legal move of the lowest awaited seat. */
void playout_step(const struct game *game, struct game_state *state, struct chance *chance);

#endif
