/* A deal of an EGN file as moves: finds cards for what the file does not know. */
#pragma once

#include "engine/game.h"
#include "formats/egn_file.h"

enum { EGN_LINES_SIZE = 4096 };

/* Writes the deal and its moves as lines of a record and plays them on `state`, which awaits the
 * deal. False with the place of the contradiction when no cards fit. */
bool egn_fill(const struct game *game, const struct egn_file *file, int index,
              struct game_state *state, struct text *lines, struct egn_error *error);
