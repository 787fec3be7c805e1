/* Worlds as saves, and saves as what new worlds are made of: the same on a server and on a device.
 */
#pragma once

#include "formats/save.h"
#include "world/world.h"

/* May this person save the world as it is now? */
bool save_world_may(const struct world *world, struct span id, struct refusal *why);

/* Whoever has the seed knows the cards to come. So where other people sit, the save gets
 * `other_seed` instead of the world's. Where nobody else does, it has the world's own, and a server
 * has to note that in the world first (`save`): somebody else may sit down later. */
bool save_world_tells_deals(const struct world *world);
void save_of_world(const struct world *world, int64_t now_ms,
                   const uint8_t other_seed[CHANCE_SEED_SIZE], struct save *out);

/* What a save says, as a new world is told it: the maker takes the first seat that was a person's,
 * bots keep their levels, the action log is as it was. Points into itself. */
struct save_birth {
    struct span words[SEATS_MAX + 2];
    size_t word_count;
    struct world_save save;
    struct world_tail log[SAVE_ACTIONS_MAX];
    char settings[2048], word[SEATS_MAX + 1][32];
    char position[WORLD_LINE_SIZE];
};

/* `save` must live as long as `out`. Refused with BAD_SAVE if it does not fit into a
 * world's log. */
bool save_begin_birth(const struct save *save, struct save_birth *out, struct refusal *why);
