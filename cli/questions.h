/* Answers to what somebody at a terminal asks, in the words of the page: see play.c. Each writes
 * one line. */
#pragma once

#include "engine/game.h"
#include <stdio.h>

void questions_tell_hand(const struct game *game, const struct game_state *state, int seat,
                         FILE *out);
void questions_tell_score(const struct game *game, const struct game_state *state,
                          const char *const *names, FILE *out);
