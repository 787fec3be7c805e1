/* Worlds that other servers see to as well: what those append and say is handed on to the replicas
 * (`on_heard` in replica.c is what it leads to), and worlds that nobody has in memory are
 * claimed. */
#include "server/ops/log.h"
#include "server/rooms/internal.h"
#include "store/reserve.h"

enum { LEASE_MS = 2000 };

void rooms_heard(struct rooms *rooms, const struct store_heard *heard) {
    struct room *room = rooms_look_up(rooms, heard->code);
    if (!room)
        return;
    room_hold(room);
    for (size_t i = 0; i < heard->count; i++)
        room_step(room, &(struct replica_event){.kind = REPLICA_HEARD,
                                                .version = heard->version + (int64_t)i,
                                                .chain = i == 0 ? heard->chain : 0,
                                                .line = heard->entries[i]});
    room_release(room);
}

void rooms_refresh(struct rooms *rooms, struct span code, rooms_found *found, void *arg) {
    struct room *room = world_is_code(code) ? rooms_look_up(rooms, code) : NULL;
    if (!rooms->shared || !room || room->replica.state != REPLICA_READY) {
        rooms_find(rooms, code, found, arg); /* reads it as it is */
        return;
    }
    struct seeker *seeker = reserve_malloc(sizeof *seeker);
    *seeker = (struct seeker){.found = found, .arg = arg, .next = room->refreshers};
    room->refreshers = seeker;
    room_step(room, &(struct replica_event){.kind = REPLICA_REFRESH});
}

void rooms_said(struct rooms *rooms, struct span code, struct span node, struct span text) {
    struct room *room = rooms_look_up(rooms, code);
    if (room && !rooms->closing)
        room_step(room, &(struct replica_event){.kind = REPLICA_SAID, .node = node, .text = text});
}

void rooms_rewritten(struct rooms *rooms, struct span code) {
    rooms_said(rooms, code, span_of(""), span_of(replica_rewritten));
    store_say(rooms->config.store, code, span_of(replica_rewritten), NULL);
}

void rooms_watching(struct rooms *rooms, struct span code) {
    struct room *room = rooms_look_up(rooms, code);
    if (room && !rooms->closing)
        room_step(room, &(struct replica_event){.kind = REPLICA_WATCHING});
}

const struct remote_presence *rooms_others(const struct rooms *rooms, const char *code) {
    const struct room *room = rooms_look_up(rooms, span_of(code));
    return room ? &room->replica.others : NULL;
}

/* Whoever runs this server should learn of it even if nobody plays. */
static void note_store(struct rooms *rooms, const struct store_reply *reply) {
    bool lost = reply->outcome == STORE_FAILED || reply->outcome == STORE_UNKNOWN;
    if (rooms->closing)
        return;
    if (lost && !rooms->store_lost)
        log_line(LOG_ERROR, "store_lost", "why", reply->why.text, NULL);
    else if (!lost && rooms->store_lost)
        log_line(LOG_WARN, "store_back", NULL);
    rooms->store_lost = lost;
}

static void on_claimed(void *arg, const struct store_reply *reply) {
    struct rooms *rooms = arg;
    rooms->claiming = false;
    note_store(rooms, reply);
    if (rooms->wakes == 0)
        rooms_on_due(arg, reply);
}

void rooms_claim_late(struct rooms *rooms) {
    int64_t now = rooms_now(rooms);
    if (!rooms->claiming && rooms->wakes == 0 && rooms->figures.loaded < ROOMS_LOADED_MAX)
        rooms->claiming = store_claim(rooms->config.store, now - REPLICA_LATE_MS, now, LEASE_MS,
                                      ROOMS_DUE_PAGE, on_claimed, rooms, NULL);
}
