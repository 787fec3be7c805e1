/* Compares worlds by everything that comes from the log. */
#pragma once

#include "world/world.h"
#include <string.h>

static inline void world_forget_presence(struct world *world) {
    world->quiet_version = 0;
    for (int i = 0; i < WORLD_MEMBERS_MAX; i++) {
        world->member[i].connected = false;
        world->member[i].seen_ms = 0;
    }
}

static inline bool worlds_equal(const struct world *a, const struct world *b) {
    static struct world one, two;
    memcpy(&one, a, sizeof one);
    memcpy(&two, b, sizeof two);
    world_forget_presence(&one);
    world_forget_presence(&two);
    return memcmp(&one, &two, sizeof one) == 0;
}
