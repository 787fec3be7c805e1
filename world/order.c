/* How people get along in a world: its owner removes and mutes them and passes it on, and they
 * talk. The owner's other means, such as slow chat, are settings (manners.c). */
#include "world/change.h"

#include "engine/ensure.h"
#include <string.h>

/* ---- Lists of ids ---- */

static void take_id(char list[][WORLD_ID_MAX + 1], uint8_t *count, int at) {
    size_t after = (size_t)(--*count - at);
    memmove(list[at], list[at + 1], after * sizeof list[0]);
    memset(list[*count], 0, sizeof list[0]);
}

/* If the list is full, the oldest id is forgotten. */
static void put_id(char list[][WORLD_ID_MAX + 1], int max, uint8_t *count, struct span id) {
    if (*count == max)
        take_id(list, count, 0);
    ensure(id.length < sizeof list[0]);
    memcpy(list[(*count)++], id.data, id.length);
}

/* ---- Order ---- */

/* Reads somebody else who is here or has a seat. */
static bool read_other(struct change *change, struct span *out) {
    struct world *world = change->world;
    if (!change_id(change, out) || !change_ends(change))
        return false;
    return ((member_of(world, *out) || seat_of(world, *out) >= 0) &&
            !span_is(*out, world->owner)) ||
           refuse(change->why, "INVALID_PLAYER", "There is no such other person here");
}

/* Removes somebody who sits or watches. Once the game has started a bot has the seat for good. */
enum world_answer order_remove(struct change *change) {
    struct world *world = change->world;
    struct span id;
    if (!read_other(change, &id))
        return WORLD_REFUSED;
    put_id(world->banned, WORLD_BANNED_MAX, &world->banned_count, id);
    lobby_depart_for_good(change, "removed", id);
    return WORLD_DONE;
}

static int find_muted(const struct world *world, struct span id) {
    for (int i = 0; i < world->muted_count; i++)
        if (span_is(id, world->muted[i]))
            return i;
    return -1;
}

enum world_answer order_mute(struct change *change) {
    struct world *world = change->world;
    struct span id;
    if (!read_other(change, &id))
        return WORLD_REFUSED;
    if (find_muted(world, id) >= 0)
        return WORLD_NOTHING;
    put_id(world->muted, WORLD_MUTED_MAX, &world->muted_count, id);
    tell_world(change);
    return WORLD_DONE;
}

enum world_answer order_unmute(struct change *change) {
    struct world *world = change->world;
    struct span id;
    if (!change_id(change, &id) || !change_ends(change))
        return WORLD_REFUSED;
    int at = find_muted(world, id);
    if (at < 0)
        return WORLD_NOTHING;
    take_id(world->muted, &world->muted_count, at);
    tell_world(change);
    return WORLD_DONE;
}

enum world_answer order_make_owner(struct change *change) {
    struct world *world = change->world;
    struct span id;
    if (!read_other(change, &id))
        return WORLD_REFUSED;
    const struct world_member *member = member_of(world, id);
    if (!member)
        return change_answer(refuse(change->why, "INVALID_PLAYER", "That person is not here"));
    memcpy(world->owner, member->id, sizeof world->owner);
    tell_world(change);
    return WORLD_DONE;
}

/* ---- Talk ---- */

static size_t characters(struct span text) {
    size_t count = 0;
    for (size_t i = 0; i < text.length; i++)
        count += ((unsigned char)text.data[i] & 0xc0) != 0x80;
    return count;
}

static bool may_talk(struct change *change) {
    const struct world *world = change->world;
    struct world_member *member = member_of(change->world, change->entry->id);
    int64_t now = change->entry->time_ms;
    bool owner = span_is(change->entry->id, world->owner);
    if (!owner && find_muted(world, change->entry->id) >= 0)
        return refuse(change->why, "MUTED", "The owner of this table has muted you");
    int slow_ms = owner ? 0 : world_slow_chat_ms(world);
    int64_t left_ms = member->talk_ms + (slow_ms > 0 ? slow_ms : WORLD_TALK_MS) - now;
    bool much = left_ms > 0 && member->talk >= (slow_ms > 0 ? 1 : WORLD_TALK_BURST);
    if (much && !change->folding) /* logs from before forgot who left */
        return refuse(change->why, "RATE_LIMITED", "Please wait %d s before you say more",
                      (int)((left_ms + 999) / 1000));
    if (left_ms <= 0) {
        member->talk_ms = now;
        member->talk = 0;
    }
    if (member->talk < UINT8_MAX)
        member->talk++;
    return true;
}

enum world_answer talk_say(struct change *change) {
    struct span words = change_rest(change);
    if (words.length == 0 || characters(words) > WORLD_SAY_MAX)
        return change_answer(
            refuse(change->why, "BAD_REQUEST", "A message has 1 to %d characters", WORLD_SAY_MAX));
    if (!may_talk(change))
        return WORLD_REFUSED;
    tell_talk(change, "chat", "text", words);
    return WORLD_DONE;
}

enum world_answer talk_emote(struct change *change) {
    struct span word = {0};
    int known = 0;
    scan_word(&change->rest, &word);
    while (world_emotes[known] && !span_is(word, world_emotes[known]))
        known++;
    if (!world_emotes[known])
        return change_answer(
            refuse_word(change->why, word, "BAD_REQUEST", "There is no emote '%s'"));
    if (!change_ends(change) || !may_talk(change))
        return WORLD_REFUSED;
    tell_talk(change, "emote", "id", word);
    return WORLD_DONE;
}
