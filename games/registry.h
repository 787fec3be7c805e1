/* The games, in the order in which people are shown them. */
#pragma once

#include "engine/game.h"

extern const struct game *const registry_games[];
extern const size_t registry_count;

/* Null if there is no game of that id. */
const struct game *registry_find(struct span id);
