/* Who comes and goes at this server, and what somebody who comes is shown first. */
#include "engine/ensure.h"
#include "server/channels/broadcast.h"
#include "server/rooms/internal.h"
#include "store/reserve.h"
#include <stdlib.h>
#include <string.h>

bool rooms_may_hear(const struct rooms *rooms, const char *code, struct span id) {
    const struct room *room = rooms_look_up(rooms, span_of(code));
    return room && replica_may_hear(&room->replica, id);
}

void room_heard_of(struct room *room, struct span id) {
    room_step(room, &(struct replica_event){.kind = REPLICA_HEARD_OF, .id = id});
}

void rooms_presence(struct rooms *rooms, const char *code, struct span id, bool connected) {
    struct room *room = rooms_look_up(rooms, span_of(code));
    if (room && !rooms->closing)
        room_step(room,
                  &(struct replica_event){.kind = REPLICA_PRESENCE, .id = id, .there = connected});
}

/* Somebody who came while an entry was on its way; what is told of that was made before. */
struct greeting {
    struct room *room;
    struct peer *peer;
    char player[HUB_USER_MAX + 1];
};

/* Entries that came later are told to the socket as to everybody. */
static void on_durable_greeting(void *arg, const struct room_failure *why) {
    struct greeting *greeting = arg;
    struct room *room = greeting->room;
    struct hub *hub = room->rooms->config.hub;
    if (!why && !room->entries && hub_hears(hub_find(hub, room->channel), greeting->peer))
        broadcast_greeting(hub, room_world(room), greeting->player, greeting->peer);
    peer_release(greeting->peer);
    free(greeting);
}

void rooms_greet(struct rooms *rooms, const char *code, const char *player, struct peer *peer) {
    struct room *room = rooms_look_up(rooms, span_of(code));
    if (!room || room->replica.state != REPLICA_READY)
        return;
    struct greeting *greeting = reserve_calloc(1, sizeof *greeting);
    ensure(strlen(player) <= HUB_USER_MAX);
    greeting->room = room;
    greeting->peer = peer;
    memcpy(greeting->player, player, strlen(player));
    peer_hold(peer);
    room_when_durable(room, on_durable_greeting, greeting);
}
