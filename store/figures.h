/* A seat's figures, and who else played, as text: in the one form in which all stores give them. */
#pragma once

#include "engine/json.h"
#include "store/arena.h"
#include "store/store.h"

/* Adds one figure to the object that is being written. */
void figures_put(struct json *json, struct span name, int64_t value);

/* A JSON object of numbers by name, in the arena. */
struct span figures_json(const struct span *names, size_t count, const int32_t *values,
                         struct arena *arena);

/* Who played beside the one at `seat`: an array of {playerId, name, partner, bot}, where a bot has
 * no playerId, and its level in `bot`, which is null for people. */
struct span others_json(const struct store_seat *seats, size_t count, size_t seat,
                        struct arena *arena);
