/* Worlds that other servers see to as well.
 *
 * What others append is heard and folded, and people are told of it as of one's own; when something
 * was missed, the tail of the log is read. Who is there through other servers is gossip: each tells
 * the others whom it has, see others.h. Worlds that nobody has in memory are claimed. */
#include "engine/ensure.h"
#include "server/log.h"
#include "server/push.h"
#include "server/room.h"
#include "store/reserve.h"
#include <stdlib.h>
#include <string.h>

enum {
    LEASE_MS = 2000,
    BEAT_MS = 200,  /* how often a shared store is asked for late worlds */
    HERE_MS = 4000, /* how often others are told who is here ... */
    GONE_MS = 10000 /* ... and after how much silence they believe it no more */
};

/* ---- Other servers ---- */

/* The same version by other lines. What is on its way would make a difference, too. */
static bool is_another_log(const struct room *room, const struct store_reply *reply) {
    return room->unwritten == 0 && room->world.version == reply->version && reply->chain != 0 &&
           reply->chain != room->chain;
}

static void on_tail(void *arg, const struct store_reply *reply) {
    struct room *room = arg;
    struct refusal why = reply->why;
    bool failed = reply->outcome != STORE_OK && reply->outcome != STORE_MISSING;
    room->catching_up = false;
    room_hold(room);
    if (room->doomed) { /* all is read again in a moment */
    } else if (failed) {
        room->behind = true; /* the next beat tries again */
        room_answer_all(&room->refreshers, room, &why);
    } else if (reply->count > 0 && (room->unwritten > 0 || room->world.version != room->kept ||
                                    reply->entries[0].version != room->world.version + 1)) {
        room->behind = true; /* what waits will be a conflict, or is already among these */
    } else if (reply->version < room->kept || !room_fold_page(room, reply, &why) ||
               is_another_log(room, reply)) {
        room_doom(room, true, "the store has another log");
    } else {
        if (reply->count > 0)
            room_take_note(room);
        room->behind = room->behind || reply->more;
    }
    if (!room->behind && !room->doomed)
        room_answer_all(&room->refreshers, room, NULL);
    if (!failed)
        room_catch_up(room);
    room_advance(room);
    room_release(room);
}

void room_catch_up(struct room *room) {
    if (!room->behind || room->catching_up || room->phase != ROOM_READY || room->doomed ||
        room->unwritten > 0)
        return;
    room->behind = false;
    room->catching_up = store_load(room->rooms->config.store, span_of(room->code),
                                   room->world.version, on_tail, room, NULL);
    room->behind = !room->catching_up;
}

void rooms_heard(struct rooms *rooms, const struct store_heard *heard) {
    struct refusal why;
    struct room *room = rooms_look_up(rooms, heard->code);
    if (!room || heard->version + (int64_t)heard->count <= room->kept)
        return;
    room->behind = true;
    if (room->phase != ROOM_READY || room->doomed)
        return;
    room_hold(room);
    if (room->unwritten == 0 && !room->catching_up && heard->version == room->world.version) {
        bool good = heard->chain == 0 || heard->chain == room->chain ||
                    refuse(&why, "UNAVAILABLE", "the store has another log");
        for (size_t i = 0; good && i < heard->count; i++)
            good = room_hear_line(room, heard->entries[i], &why);
        room->behind = false;
        if (good)
            room_take_note(room);
        else
            room_doom(room, true, why.text);
        room_advance(room);
    }
    room_catch_up(room);
    room_release(room);
}

void rooms_refresh(struct rooms *rooms, struct span code, rooms_found *found, void *arg) {
    struct room *room = rooms_is_code(code) ? rooms_look_up(rooms, code) : NULL;
    if (!rooms->shared || !room || room->phase != ROOM_READY || room->doomed) {
        rooms_find(rooms, code, found, arg); /* reads it as it is */
        return;
    }
    struct seeker *seeker = reserve_malloc(sizeof *seeker);
    *seeker = (struct seeker){.found = found, .arg = arg, .next = room->refreshers};
    room->refreshers = seeker;
    room->behind = true;
    room_catch_up(room);
}

/* ---- Who is at other servers ---- */

static const char here_start[] = "here\n", heard_start[] = "heard\n", who_is_there[] = "who";
enum { SAY_SIZE = 32768 };

/* The whole list of those who listen here. */
static void say_who_is_here(struct room *room) {
    struct rooms *rooms = room->rooms;
    const struct hub_user *users;
    char name[ROOM_CHANNEL_SIZE], buffer[SAY_SIZE];
    struct text text;
    if (!rooms->shared || rooms->closing)
        return;
    room_channel(room->code, name);
    const struct channel *channel = hub_find(rooms->config.hub, name);
    int count = channel ? channel_users(channel, &users) : 0;
    text_begin(&text, buffer, sizeof buffer);
    text_string(&text, here_start);
    for (int i = 0; i < count; i++) {
        text_string(&text, users[i].id);
        text_char(&text, ' ');
        text_string(&text, users[i].info);
        text_char(&text, '\n');
    }
    room->announced_ms = rooms_now(rooms);
    if (!text.cut)
        store_say(rooms->config.store, span_of(room->code), (struct span){buffer, text.length},
                  NULL);
}

static void say_who_was_heard(struct room *room) {
    char buffer[WORLD_MEMBERS_MAX * (WORLD_ID_MAX + 1) + 16];
    struct text text;
    text_begin(&text, buffer, sizeof buffer);
    text_string(&text, heard_start);
    for (int i = 0; i < room->heard_count; i++) {
        text_string(&text, room->heard[i]);
        text_char(&text, '\n');
    }
    room->heard_count = 0;
    store_say(room->rooms->config.store, span_of(room->code), (struct span){buffer, text.length},
              NULL);
}

/* Does somebody with this id listen here? */
static bool is_here(const struct room *room, const char *id) {
    const struct hub_user *users;
    char name[ROOM_CHANNEL_SIZE];
    room_channel(room->code, name);
    const struct channel *channel = hub_find(room->rooms->config.hub, name);
    int count = channel ? channel_users(channel, &users) : 0;
    for (int i = 0; i < count; i++)
        if (strcmp(users[i].id, id) == 0)
            return true;
    return false;
}

static void on_other(void *arg, const char *id, const char *info, bool there) {
    struct room *room = arg;
    const struct rooms_config *config = &room->rooms->config;
    if (is_here(room, id))
        return;
    if (room->phase == ROOM_READY)
        world_connected(&room->world, rooms_now(room->rooms), span_of(id), there);
    config->elsewhere(config->arg, room->code, id, info, there);
}

void room_restore_presence(struct room *room) {
    struct rooms *rooms = room->rooms;
    int64_t now = rooms_now(rooms);
    push_restore_presence(rooms->config.hub, &room->world, now);
    for (int i = 0; i < room->others.count; i++)
        world_connected(&room->world, now, span_of(room->others.items[i].id), true);
}

static void take_heard(struct room *room, struct span list) {
    while (list.length > 0) {
        const char *end = memchr(list.data, '\n', list.length);
        size_t length = end ? (size_t)(end - list.data) : list.length;
        world_heard_of(&room->world, rooms_now(room->rooms), (struct span){list.data, length});
        size_t used = length + (end ? 1 : 0);
        list = (struct span){list.data + used, list.length - used};
    }
}

static bool cut_start(struct span *text, const char *start) {
    size_t length = strlen(start);
    if (text->length < length || memcmp(text->data, start, length) != 0)
        return false;
    *text = (struct span){text->data + length, text->length - length};
    return true;
}

void rooms_said(struct rooms *rooms, struct span code, struct span node, struct span text) {
    struct room *room = rooms_look_up(rooms, code);
    if (!room || rooms->closing)
        return;
    if (cut_start(&text, here_start))
        others_take(&room->others, node, text, rooms_now(rooms), on_other, room);
    else if (cut_start(&text, heard_start) && room->phase == ROOM_READY)
        take_heard(room, text);
    else if (span_is(text, who_is_there))
        say_who_is_here(room);
    room_advance(room);
}

void rooms_watching(struct rooms *rooms, struct span code) {
    struct room *room = rooms_look_up(rooms, code);
    if (!room || rooms->closing)
        return;
    room->behind = true;
    store_say(rooms->config.store, code, span_of(who_is_there), NULL);
    say_who_is_here(room);
    room_catch_up(room);
}

const struct others *rooms_others(const struct rooms *rooms, const char *code) {
    const struct room *room = rooms_look_up(rooms, span_of(code));
    return room ? &room->others : NULL;
}

/* Tells others what they should hear again, and forgets what they did not say again. */
static void keep_in_touch(struct room *room, int64_t now) {
    char name[ROOM_CHANNEL_SIZE];
    others_expire(&room->others, now - GONE_MS, on_other, room);
    if (now - room->announced_ms < HERE_MS)
        return;
    room_channel(room->code, name);
    bool heard = hub_find(room->rooms->config.hub, name) != NULL;
    if (heard)
        say_who_is_here(room);
    if (heard || now - room->used_ms < 2 * HERE_MS)
        room->behind = true; /* does the store have more, or less, than people here know? */
    if (room->heard_count > 0)
        say_who_was_heard(room);
    room->announced_ms = now;
}

/* Whoever runs this server should hear of it, though nobody plays. */
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

static void on_beat(uv_timer_t *timer) {
    struct rooms *rooms = timer->data;
    int64_t now = rooms_now(rooms);
    struct room *room, *next;
    HASH_ITER(hh, rooms->all, room, next) {
        if (room->stranded) {
            room->stranded = false;
            room_load(room);
            continue;
        }
        room_hold(room);
        keep_in_touch(room, now);
        room_catch_up(room);
        room_release(room);
    }
    if (!rooms->claiming && rooms->wakes == 0 && rooms->figures.loaded < ROOMS_LOADED_MAX)
        rooms->claiming = store_claim(rooms->config.store, now - ROOMS_LATE_MS, now, LEASE_MS,
                                      ROOMS_DUE_PAGE, on_claimed, rooms, NULL);
}

void rooms_begin_beats(struct rooms *rooms) {
    uv_timer_start(&rooms->beat, on_beat, BEAT_MS, BEAT_MS);
}

/* ---- Presence ---- */

/* While a world is read nobody knows; who is no member is sent away afterwards. */
bool rooms_may_hear(const struct rooms *rooms, const char *code, struct span id) {
    const struct room *room = rooms_look_up(rooms, span_of(code));
    return room && (room->phase == ROOM_LOADING || world_find_member(&room->world, id));
}

/* Others must know, too, lest they think the person gone. */
static void remember_heard(struct room *room, struct span id) {
    if (!room->rooms->shared || !world_find_member(&room->world, id))
        return;
    for (int i = 0; i < room->heard_count; i++)
        if (span_is(id, room->heard[i]))
            return;
    if (room->heard_count < WORLD_MEMBERS_MAX && id.length <= WORLD_ID_MAX) {
        char *kept = room->heard[room->heard_count++];
        memcpy(kept, id.data, id.length);
        kept[id.length] = '\0';
    }
}

void room_heard_of(struct room *room, struct span id) {
    world_heard_of(&room->world, rooms_now(room->rooms), id);
    remember_heard(room, id);
    room_set_due(room);
}

void rooms_presence(struct rooms *rooms, const char *code, struct span id, bool connected) {
    struct room *room = rooms_look_up(rooms, span_of(code));
    if (!room || room->phase != ROOM_READY || rooms->closing)
        return;
    char person[HUB_USER_MAX + 1] = "";
    ensure(id.length <= HUB_USER_MAX);
    memcpy(person, id.data, id.length);
    room->used_ms = rooms_now(rooms);
    world_connected(&room->world, room->used_ms, id,
                    connected || others_have(&room->others, person));
    say_who_is_here(room);
    room_advance(room);
}

/* Somebody who came while an entry was on its way into the store; what is told of it was made
 * before. */
struct greeting {
    struct room *room;
    struct peer *peer;
    char player[HUB_USER_MAX + 1];
};

/* Of entries that came later the socket is told as everybody is. */
static void on_durable_greeting(void *arg, const struct refusal *why) {
    struct greeting *greeting = arg;
    struct room *room = greeting->room;
    const struct hub *hub = room->rooms->config.hub;
    char channel[ROOM_CHANNEL_SIZE];
    room_channel(room->code, channel);
    if (!why && !room->entries && hub_hears(hub_find(hub, channel), greeting->peer))
        push_greeting(hub, &room->world, greeting->player, greeting->peer);
    peer_release(greeting->peer);
    free(greeting);
}

void rooms_greet(struct rooms *rooms, const char *code, const char *player, struct peer *peer) {
    struct room *room = rooms_look_up(rooms, span_of(code));
    if (!room || room->phase != ROOM_READY || room->doomed)
        return;
    struct greeting *greeting = reserve_calloc(1, sizeof *greeting);
    ensure(strlen(player) <= HUB_USER_MAX);
    greeting->room = room;
    greeting->peer = peer;
    memcpy(greeting->player, player, strlen(player));
    peer_hold(peer);
    room_when_durable(room, on_durable_greeting, greeting);
}
