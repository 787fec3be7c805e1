/* Somebody whose turn it is and who is not connected: after a while, once for a turn, `absent` of
 * the configuration is called, which may know how to reach them. */
#include "server/rooms/internal.h"
#include <string.h>

enum { FIRST_MS = 5000 /* a page that is loaded again is back before that */ };

/* Since when they have been away at their turn; false if they are not. */
static bool is_absent(const struct world *world, int seat, int64_t *since_ms) {
    const struct world_seat *place = &world->seat[seat];
    const struct world_member *member = world_find_member(world, span_of(place->id));
    if (place->kind != WORLD_SEAT_PERSON || place->away || (world->awaited >> seat & 1) == 0 ||
        !member || member->connected)
        return false;
    *since_ms = place->acted_ms > member->seen_ms ? place->acted_ms : member->seen_ms;
    return true;
}

void room_look_for_absent(struct room *room) {
    const struct rooms_config *config = &room->rooms->config;
    const struct world *world = room_world(room);
    int64_t now = rooms_now(room->rooms), since;
    if (!config->absent || !room->replica.mine || room->replica.state != REPLICA_READY ||
        world->status != WORLD_PLAYING)
        return;
    for (int seat = 0; seat < world->seat_count; seat++) {
        struct absence *absence = &room->absences[seat];
        if (!is_absent(world, seat, &since))
            continue;
        if (absence->turn_ms != world->seat[seat].acted_ms)
            *absence = (struct absence){world->seat[seat].acted_ms, since + FIRST_MS};
        if (now < absence->look_ms)
            continue;
        absence->look_ms = INT64_MAX;
        config->absent(config->arg, world, seat, now - since);
    }
}

bool room_awaits_absent(const struct room *room, int64_t now_ms) {
    for (int seat = 0; seat < SEATS_MAX; seat++)
        if (room->absences[seat].look_ms > now_ms && room->absences[seat].look_ms != INT64_MAX)
            return true;
    return false;
}

void rooms_look_again(struct rooms *rooms, const char *code, const char *player, int64_t away_ms) {
    struct room *room = rooms_look_up(rooms, span_of(code));
    const struct world *world = rooms_peek(rooms, span_of(code));
    int64_t since;
    for (int seat = 0; world && seat < world->seat_count; seat++)
        if (strcmp(world->seat[seat].id, player) == 0 && is_absent(world, seat, &since))
            room->absences[seat].look_ms = since + away_ms;
}
