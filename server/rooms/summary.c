/* See summary.h. */
#include "server/rooms/summary.h"

#include "engine/ensure.h"
#include "engine/hash.h"

/* Beside the house rules there are the host's name, in which a backslash becomes two, and little
 * else. */
enum { SUMMARY_SIZE = WORLD_RULES_LISTED + 2 * RECORD_NAME_MAX + 512 };
_Static_assert((int)SUMMARY_SIZE <= (int)STORE_SUMMARY_MAX, "every world can be listed");

uint64_t summary_of(const struct world *world, struct room_summary *out) {
    uint64_t hash = HASH_START;
    struct json json = json_in(out->text, sizeof out->text);
    world_summary(world, NULL, &json);
    ensure(json_complete(&json));
    for (int i = 0; i < world->member_count; i++) {
        out->members[i] = span_of(world->member[i].id);
        hash = hash_bytes(hash, world->member[i].id, sizeof world->member[i].id);
    }
    out->summary = (struct store_summary){.game = span_of(world->game->id),
                                          .owner = span_of(world->owner),
                                          .status = (enum store_status)world->status,
                                          .is_public = world_is_public(world),
                                          .text = {json.text.data, json.text.length},
                                          .members = out->members,
                                          .member_count = (size_t)world->member_count};
    hash = hash_bytes(hash, &out->summary.is_public, sizeof out->summary.is_public);
    return hash_bytes(hash, out->text, json.text.length);
}
