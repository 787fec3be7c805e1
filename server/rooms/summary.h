/* What the store's lists know of a world. */
#pragma once

#include "store/store.h"
#include "world/world.h"

struct room_summary {
    struct store_summary summary;
    struct span members[WORLD_MEMBERS_MAX];
    char text[STORE_SUMMARY_MAX];
};

/* Returns a hash of the summary, by which the caller knows whether it changed. The summary points
 * into the world. */
uint64_t summary_of(const struct world *world, struct room_summary *out);
