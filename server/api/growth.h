/* What people may have written, so that the store does not grow without bound: bytes by person and
 * by address in a minute, entries and bytes of a world, worlds in which one is at a time. */
#pragma once

#include "server/api/request.h"

enum {
    GROWTH_ENTRY = 100,   /* bytes that an entry costs beside its words */
    GROWTH_SESSION = 512, /* what a person costs ... */
    GROWTH_WORLD = 4096,  /* ... a world ... */
    GROWTH_GAME = 16384,  /* ... and a game: what bots write of it while nobody plays comes at no
                             more  than normal speed */
    GROWTH_ADDRESS_FACTOR = 4,
    GROWTH_STIRS = 120 /* entries beside moves, of all guests of an address in a world, a minute */
};

/* May the person, and whoever shares the address, have so many bytes written? Then they count.
 * Without a session only the address counts. */
bool growth_charge(struct request *request, int64_t bytes, struct refusal *why);

/* May these words be written into the world? Then they count. The last tenth of a world is for
 * moves and for orders of its owner, and the last of it for orders, so that guests cannot take a
 * table away from its owner by using it up. Everybody may leave at any time, but that counts, too.
 */
bool growth_may_act(struct request *request, struct span words, struct refusal *why);

/* Goes on with `next` unless the person is in too many worlds to come into this one as well. */
bool growth_count_then(struct request *request, request_step *next, struct refusal *why);
bool growth_has_too_many(const struct request *request, const struct store_reply *worlds,
                         struct refusal *why);
