/* What the store's lists know of a world. */
#ifndef SERVER_OUTLINE_H
#define SERVER_OUTLINE_H

#include "store/store.h"
#include "world/world.h"

struct outline {
    struct store_summary summary;
    struct span members[WORLD_MEMBERS_MAX];
    char text[1024];
};

/* Returns a hash of the outline, by which the caller knows whether it changed. The outline points
 * into the world. */
uint64_t outline_of(const struct world *world, struct outline *out);

#endif
