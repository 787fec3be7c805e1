/* Worlds in memory; see rooms.h. Due times stand in a heap, bots think on libuv's threads.
 *
 * In a store that is shared others write to a world, too. What they append is heard and folded, and
 * people are told of it as of one's own; when something was missed, the tail of the log is read. An
 * append that came too late is a conflict: the world is read again and whoever acted is asked to
 * try again. Who appended last sees to what is due next; the others wait a moment longer, so that
 * they come in only if that one is gone. Worlds that nobody has in memory are claimed. */
#include "server/rooms.h"

#include "engine/ensure.h"
#include "server/log.h"
#include "server/push.h"
#include "server/wire.h"
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>
#include <utlist.h>

enum {
    TICKS_MAX = 16,     /* things that happen by themselves in one go */
    UNWRITTEN_MAX = 48, /* entries of a world that may wait for the store before bots pause */
    SWEEP_MS = 5000,    /* how often the store is asked for what is due, and memory is swept */
    LINGER_MS = 60000,  /* how long a world stays that nobody needs */
    RETRY_MS = 1000,    /* after a failure of the store, until bots and clocks try again */
    DUE_PAGE = 64,
    LOADED_MAX = 100000, /* worlds, before the due ones have to wait */
    LATE_MS = 400,       /* how long another server may be late before this one steps in */
    LATE_SPREAD_MS = 300,
    LEASE_MS = 2000,
    BEAT_MS = 200,   /* how often a shared store is asked for late worlds */
    HERE_MS = 4000,  /* how often others are told who is here ... */
    GONE_MS = 10000, /* ... and after how much silence they believe it no more */
    CODE_TRIES = 8
};

enum room_phase { ROOM_LOADING, ROOM_READY };

/* Somebody who waits for the room to be loaded. */
struct seeker {
    rooms_found *found;
    void *arg;
    struct seeker *next;
};

struct room {
    struct rooms *rooms;
    enum room_phase phase;
    struct world world;
    int unwritten; /* entries that the store has not confirmed */
    int holders;   /* calls that still point here */
    bool thinking;
    bool queued;              /* its bot waits until another has thought */
    struct room *next, *prev; /* in that queue */
    bool doomed;              /* an entry failed: to be read again when the last answer has come */
    bool beaten;              /* ... because somebody else was faster */
    bool mine;                /* sees to what is due; always, where nobody else does */
    bool behind;              /* others appended what is not folded yet */
    bool catching_up;         /* and it is being read */
    bool stranded;            /* could not be read; people here wait for it */
    int64_t kept;             /* the version up to which all is durable and told */
    uint64_t chain;           /* of the log as it is in memory */
    int64_t announced_ms;     /* when others were told who is here */
    struct others others;     /* who is at other servers */
    int heard_count;          /* people who were heard of here since then, without a socket */
    char heard[WORLD_MEMBERS_MAX][WORLD_ID_MAX + 1];
    struct seeker *refreshers; /* wait until the tail is read */
    int heap_at;               /* -1: not in the heap */
    int64_t due_ms;
    int64_t used_ms;
    int64_t pause_ms; /* nothing happens by itself before */
    uint64_t summary_hash;
    struct seeker *seekers;
    struct entry *entries, **entries_end; /* that wait, in order */
    char code[WORLD_CODE_LENGTH + 1];
    UT_hash_handle hh;
};

/* An entry on its way into the store, and whom to tell. */
struct entry {
    struct room *room;
    struct push *pushes;
    rooms_done *done;
    void *arg;
    bool outlines; /* who is a member may have changed */
    bool is_birth;
    struct entry *next;
};

struct rooms {
    struct rooms_config config;
    struct room *all;
    struct room **heap;
    int heap_count, heap_room;
    uv_timer_t timer, sweeper, beat;
    bool shared;
    bool claiming;
    uint32_t spread; /* this server's own */
    bool closing;
    bool waking; /* worlds of the store that are due are being fetched, page by page */
    int wakes;   /* that are being loaded */
    int64_t woken_ms, woken_place; /* the last of this page */
    bool more_to_wake;
    int thinking;
    struct room *queue; /* of bots that wait for a thread, the longest waiting first */
    int64_t clock_ms;   /* how far the time given out is ahead of the machine's steady clock */
    struct rooms_figures figures;
    struct task *spare; /* one, so that most bots need no memory */
    struct events events;
    char event_data[1 << 18];
    struct world_news news;
};

int64_t rooms_clock(int64_t *ahead_ms, int64_t wall_ms, int64_t steady_ms) {
    if (wall_ms - steady_ms > *ahead_ms)
        *ahead_ms = wall_ms - steady_ms;
    return steady_ms + *ahead_ms;
}

int64_t rooms_now(const struct rooms *rooms) {
    uv_timeval64_t now;
    struct rooms *clock = (struct rooms *)rooms;
    uv_gettimeofday(&now);
    return rooms_clock(&clock->clock_ms, now.tv_sec * 1000 + now.tv_usec / 1000,
                       (int64_t)(uv_hrtime() / 1000000));
}

const struct world *room_world(const struct room *room) {
    return &room->world;
}

void room_channel(const char *code, char out[ROOM_CHANNEL_SIZE]) {
    struct text text;
    text_begin(&text, out, ROOM_CHANNEL_SIZE);
    text_string(&text, "presence-room-");
    text_string(&text, code);
}

/* ---- The heap of due times ---- */

static void heap_put(struct rooms *rooms, int at, struct room *room) {
    rooms->heap[at] = room;
    room->heap_at = at;
}

static void heap_up(struct rooms *rooms, int at) {
    struct room *room = rooms->heap[at];
    while (at > 0 && rooms->heap[(at - 1) / 2]->due_ms > room->due_ms) {
        heap_put(rooms, at, rooms->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    heap_put(rooms, at, room);
}

static void heap_down(struct rooms *rooms, int at) {
    struct room *room = rooms->heap[at];
    for (int child; (child = 2 * at + 1) < rooms->heap_count; at = child) {
        if (child + 1 < rooms->heap_count &&
            rooms->heap[child + 1]->due_ms < rooms->heap[child]->due_ms)
            child++;
        if (rooms->heap[child]->due_ms >= room->due_ms)
            break;
        heap_put(rooms, at, rooms->heap[child]);
    }
    heap_put(rooms, at, room);
}

static void heap_remove(struct room *room) {
    struct rooms *rooms = room->rooms;
    int at = room->heap_at;
    if (at < 0)
        return;
    struct room *last = rooms->heap[--rooms->heap_count];
    room->heap_at = -1;
    if (last == room)
        return;
    heap_put(rooms, at, last);
    heap_up(rooms, at);
    heap_down(rooms, last->heap_at);
}

static void heap_add(struct room *room) {
    struct rooms *rooms = room->rooms;
    if (rooms->heap_count == rooms->heap_room) {
        rooms->heap_room = rooms->heap_room ? 2 * rooms->heap_room : 64;
        rooms->heap = realloc(rooms->heap, (size_t)rooms->heap_room * sizeof *rooms->heap);
        ensure(rooms->heap);
    }
    rooms->heap[rooms->heap_count++] = room;
    heap_up(rooms, rooms->heap_count - 1);
}

static void on_timer(uv_timer_t *timer);

static void set_timer(struct rooms *rooms) {
    if (rooms->closing)
        return;
    if (rooms->heap_count == 0) {
        uv_timer_stop(&rooms->timer);
        return;
    }
    int64_t wait = rooms->heap[0]->due_ms - rooms_now(rooms);
    /* Not at once: the loop would go on with timers only. */
    uv_timer_start(&rooms->timer, on_timer, wait > 1 ? (uint64_t)wait : 1, 0);
}

/* When this server is to see to what is due: whoever wrote last comes first. */
static int64_t own_due(const struct room *room) {
    int64_t due = world_due(&room->world);
    if (room->mine || due == INT64_MAX)
        return due;
    uint32_t spread = room->rooms->spread;
    for (const char *c = room->code; *c; c++)
        spread = spread * 31 + (uint8_t)*c;
    return due + LATE_MS + spread % LATE_SPREAD_MS;
}

/* A bot that thinks, or a store that is behind, will come back by itself. */
static void set_due(struct room *room) {
    bool waits = room->phase != ROOM_READY || room->thinking || room->queued || room->doomed ||
                 room->unwritten >= UNWRITTEN_MAX;
    int64_t due = waits ? INT64_MAX : own_due(room);
    if (due < room->pause_ms)
        due = room->pause_ms;
    if (due == room->due_ms && (due == INT64_MAX) == (room->heap_at < 0))
        return;
    heap_remove(room);
    room->due_ms = due;
    if (due != INT64_MAX)
        heap_add(room);
    set_timer(room->rooms);
}

/* ---- Finding and loading ---- */

static struct room *add_room(struct rooms *rooms, struct span code) {
    struct room *room = calloc(1, sizeof *room);
    ensure(room && code.length == WORLD_CODE_LENGTH);
    room->rooms = rooms;
    room->heap_at = -1;
    room->due_ms = INT64_MAX;
    room->used_ms = rooms_now(rooms);
    room->entries_end = &room->entries;
    room->mine = !rooms->shared;
    room->chain = STORE_CHAIN_START;
    memcpy(room->code, code.data, code.length);
    store_watch(rooms->config.store, code);
    HASH_ADD_STR(rooms->all, code, room);
    rooms->figures.loaded++;
    return room;
}

static void leave_queue(struct room *room) {
    if (room->queued)
        DL_DELETE(room->rooms->queue, room);
    room->queued = false;
}

static void forget_room(struct room *room) {
    struct rooms *rooms = room->rooms;
    ensure(room->holders == 0 && room->unwritten == 0 && !room->thinking && !room->catching_up);
    store_unwatch(rooms->config.store, span_of(room->code));
    others_free(&room->others);
    leave_queue(room);
    heap_remove(room);
    HASH_DEL(rooms->all, room);
    rooms->figures.loaded--;
}

static void drop_room(struct room *room) {
    ensure(!room->seekers && !room->refreshers);
    forget_room(room);
    free(room);
}

static void answer_all(struct seeker **list, struct room *room, const struct refusal *why) {
    struct seeker *seeker = *list;
    *list = NULL;
    while (seeker) {
        struct seeker *next = seeker->next;
        seeker->found(seeker->arg, why ? NULL : room, why);
        free(seeker);
        seeker = next;
    }
}

static void answer_seekers(struct room *room, const struct refusal *why) {
    answer_all(&room->seekers, room, why);
    answer_all(&room->refreshers, room, why);
}

static void advance(struct room *room);
static void load(struct room *room);
static void catch_up(struct room *room);
static bool hear_line(struct room *room, struct span line, struct refusal *why);
static void restore_presence(struct room *room);
static void settle(struct room *room);
static void expel_strangers(struct room *room);

/* Between the two a room stays, whatever callbacks do; after the second it may be gone. */
static void hold(struct room *room) {
    room->holders++;
}

static void release(struct room *room) {
    room->holders--;
    settle(room);
}

static void refuse_unknown(struct refusal *why) {
    refuse(why, 404, "ROOM_NOT_FOUND", "There is no such world");
}

static bool has_listeners(const struct room *room) {
    char channel[ROOM_CHANNEL_SIZE];
    room_channel(room->code, channel);
    return hub_find(room->rooms->config.hub, channel) != NULL;
}

static void end_loading(struct room *room, const struct refusal *failure) {
    struct refusal why;
    struct rooms *rooms = room->rooms;
    if (failure || room->world.status == WORLD_CLOSED) {
        if (failure)
            why = *failure;
        else
            refuse_unknown(&why);
        if (why.status == 503 && rooms->shared && has_listeners(room)) {
            room->stranded = true;
            answer_seekers(room, &why);
            return;
        }
        forget_room(room); /* who asks again gets a new one */
        answer_seekers(room, &why);
        free(room);
        return;
    }
    room->phase = ROOM_READY;
    rooms->figures.loads++;
    if (room->world.changed_ms > rooms_now(rooms)) /* the machine's clock was ahead, then set */
        rooms->clock_ms += room->world.changed_ms - rooms_now(rooms);
    room->kept = room->world.version;
    world_resume(&room->world, rooms_now(rooms));
    restore_presence(room);
    expel_strangers(room);
    hold(room);
    answer_seekers(room, NULL);
    catch_up(room);
    advance(room);
    release(room);
}

/* What nobody here was told of yet they are told now. */
static bool fold_line(struct room *room, const struct store_entry *entry, struct refusal *why) {
    if (room->kept > 0 && entry->version > room->kept)
        return hear_line(room, entry->text, why);
    room->chain = store_chain(room->chain, entry->text);
    return world_fold(&room->world, entry->text, why);
}

static bool fold_page(struct room *room, const struct store_reply *reply, struct refusal *why) {
    for (size_t i = 0; i < reply->count; i++) {
        if (!fold_line(room, &reply->entries[i], why)) {
            char version[24];
            log_line(LOG_ERROR, "log_broken", "world", room->code, "version",
                     log_number(version, reply->entries[i].version), "why", why->text, NULL);
            refuse(why, 500, "BROKEN", "This world's log cannot be read");
            return false;
        }
    }
    return true;
}

static void on_loaded(void *arg, const struct store_reply *reply) {
    struct room *room = arg;
    struct refusal why = reply->why;
    if (reply->outcome == STORE_MISSING)
        refuse_unknown(&why);
    if (reply->outcome != STORE_OK || !fold_page(room, reply, &why)) {
        end_loading(room, &why);
        return;
    }
    if (!reply->more)
        end_loading(room, NULL);
    else if (!store_load(room->rooms->config.store, span_of(room->code), room->world.version,
                         on_loaded, room, &why))
        end_loading(room, &why);
}

static void load(struct room *room) {
    struct refusal why;
    room->phase = ROOM_LOADING;
    room->behind = false;
    room->chain = STORE_CHAIN_START;
    room->summary_hash = 0; /* who knows what the store's lists say */
    world_empty(&room->world, &room->rooms->config.times);
    if (!store_load(room->rooms->config.store, span_of(room->code), 0, on_loaded, room, &why))
        end_loading(room, &why);
}

static bool is_code(struct span code) {
    for (size_t i = 0; i < code.length; i++)
        if (!((code.data[i] >= 'A' && code.data[i] <= 'Z') ||
              (code.data[i] >= '2' && code.data[i] <= '9')))
            return false;
    return code.length == WORLD_CODE_LENGTH;
}

static struct room *look_up(const struct rooms *rooms, struct span code) {
    struct room *room;
    HASH_FIND(hh, rooms->all, code.data, (unsigned)code.length, room);
    return room;
}

void rooms_find(struct rooms *rooms, struct span code, rooms_found *found, void *arg) {
    struct refusal why;
    refuse_unknown(&why);
    if (!is_code(code)) {
        found(arg, NULL, &why);
        return;
    }
    struct room *room = look_up(rooms, code);
    if (room && room->phase == ROOM_READY && !room->doomed) {
        bool closed = room->world.status == WORLD_CLOSED;
        room->used_ms = rooms_now(rooms);
        found(arg, closed ? NULL : room, closed ? &why : NULL);
        return;
    }
    bool fresh = !room;
    if (fresh)
        room = add_room(rooms, code);
    struct seeker *seeker = malloc(sizeof *seeker);
    ensure(seeker);
    *seeker = (struct seeker){.found = found, .arg = arg, .next = room->seekers};
    room->seekers = seeker;
    if (fresh)
        load(room);
}

/* ---- Writing ---- */

/* An entry failed: once nobody is busy with the world any more, it is read again. */
static void settle(struct room *room) {
    if (!room->doomed || room->unwritten > 0 || room->thinking || room->holders > 0 ||
        room->catching_up)
        return;
    room->doomed = false;
    if (!room->beaten)
        room->pause_ms = rooms_now(room->rooms) + RETRY_MS;
    log_line(room->beaten ? LOG_DEBUG : LOG_WARN, "world_reread", "world", room->code, NULL);
    room->beaten = false;
    load(room);
}

static void doom(struct room *room, bool beaten, const char *why) {
    if (!room->doomed)
        log_line(beaten ? LOG_DEBUG : LOG_WARN, "not_written", "world", room->code, "why", why,
                 NULL);
    room->rooms->figures.failures += !beaten;
    room->beaten = room->doomed ? room->beaten && beaten : beaten;
    room->doomed = true;
}

/* Who is no longer a member hears nothing more. */
static void expel_strangers(struct room *room) {
    const struct rooms_config *config = &room->rooms->config;
    const struct hub_user *users;
    char name[ROOM_CHANNEL_SIZE], strangers[WORLD_MEMBERS_MAX][HUB_USER_MAX + 1];
    int count = 0;
    room_channel(room->code, name);
    const struct channel *channel = hub_find(config->hub, name);
    int listeners = channel ? channel_users(channel, &users) : 0;
    for (int i = 0; i < listeners && count < WORLD_MEMBERS_MAX; i++)
        if (!world_find_member(&room->world, span_of(users[i].id)))
            memcpy(strangers[count++], users[i].id, sizeof users[i].id);
    for (int i = 0; i < count; i++)
        config->left(config->arg, room->code, strangers[i]);
}

static void on_appended(void *arg, const struct store_reply *reply) {
    struct entry *entry = arg;
    struct room *room = entry->room;
    struct rooms *rooms = room->rooms;
    struct refusal why = {0};
    bool ok = reply->outcome == STORE_OK;
    ensure(room->entries == entry);
    room->entries = entry->next;
    if (!room->entries)
        room->entries_end = &room->entries;
    room->unwritten--;
    rooms->figures.waiting_entries--;
    hold(room);
    if (ok && room->doomed) { /* what came before it is not known: all is told after the reading */
        push_forget(entry->pushes);
    } else if (ok) {
        room->pause_ms = 0;
        room->mine = true;
        room->kept = reply->version;
        push_send(entry->pushes);
        if (entry->outlines && room->phase == ROOM_READY)
            expel_strangers(room);
    } else {
        bool taken = reply->outcome == STORE_CONFLICT;
        push_forget(entry->pushes);
        doom(room, taken && rooms->shared && !entry->is_birth,
             taken ? "the store has another version" : reply->why.text);
        room->mine = !rooms->shared;
        refuse(&why, 503,
               !taken            ? "UNAVAILABLE"
               : entry->is_birth ? "CONFLICT"
               : rooms->shared   ? ROOM_BEHIND
                                 : "UNAVAILABLE",
               reply->outcome == STORE_UNKNOWN ? "The store does not answer; please try again"
                                               : "The store does not answer; nothing was done");
    }
    if (entry->done)
        entry->done(entry->arg, ok ? NULL : &why);
    free(entry);
    catch_up(room);
    set_due(room);
    release(room);
}

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    const uint8_t *at = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * 0x100000001b3;
    return hash;
}

/* What lists know of a world; they are told only if it changed. */
struct outline {
    struct store_summary summary;
    struct span members[WORLD_MEMBERS_MAX];
    char text[1024];
};

static uint64_t outline_of(const struct world *world, struct outline *out) {
    struct json json;
    uint64_t hash = 0xcbf29ce484222325;
    json_begin(&json, out->text, sizeof out->text);
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

/* Asks the store to keep the entry; false if it does not even take the request. */
static bool append(struct room *room, const struct span *lines, size_t count, struct entry *entry,
                   struct refusal *why) {
    struct rooms *rooms = room->rooms;
    struct outline outline;
    struct match match;
    uint64_t hash = outline_of(&room->world, &outline);
    struct store_append ask = {.code = span_of(room->code),
                               .expected_version = room->world.version - (int64_t)count,
                               .entries = lines,
                               .count = count,
                               .now_ms = room->world.changed_ms,
                               .due_ms = world_due(&room->world),
                               .chain = room->chain,
                               .summary = hash != room->summary_hash ? &outline.summary : NULL,
                               .match = push_match(&room->world, &match)};
    bool taken = store_append(rooms->config.store, &ask, on_appended, entry, why);
    push_match_free(&match);
    if (!taken)
        return false;
    for (size_t i = 0; i < count; i++)
        room->chain = store_chain(room->chain, lines[i]);
    entry->outlines = hash != room->summary_hash;
    room->summary_hash = hash;
    *room->entries_end = entry;
    room->entries_end = &entry->next;
    room->unwritten++;
    rooms->figures.waiting_entries++;
    return true;
}

static struct entry *new_entry(struct room *room, rooms_done *done, void *arg) {
    struct entry *entry = calloc(1, sizeof *entry);
    ensure(entry);
    entry->room = room;
    entry->done = done;
    entry->arg = arg;
    return entry;
}

/* The world has changed in memory: keep the entry, and what is to be told about it. */
static bool record(struct room *room, rooms_done *done, void *arg, struct refusal *why) {
    struct rooms *rooms = room->rooms;
    struct span line = {rooms->news.line, rooms->news.line_length};
    struct entry *entry = new_entry(room, done, arg);
    entry->pushes = push_make(rooms->config.hub, &room->world, &rooms->events);
    if (append(room, &line, 1, entry, why))
        return true;
    push_forget(entry->pushes);
    free(entry);
    doom(room, false, "the store is too far behind");
    settle(room);
    return false;
}

static void hear(struct rooms *rooms) {
    events_begin(&rooms->events, rooms->event_data, sizeof rooms->event_data);
    rooms->news.events = &rooms->events;
}

enum world_answer room_act(struct room *room, const struct world_action *action, rooms_done *done,
                           void *arg, struct refusal *why) {
    struct rooms *rooms = room->rooms;
    if (room->doomed || room->phase != ROOM_READY) {
        refuse(why, 503, "UNAVAILABLE", "The store does not answer; nothing was done");
        return WORLD_REFUSED;
    }
    if (store_is_full(rooms->config.store)) { /* before anything is changed */
        refuse(why, 503, "UNAVAILABLE", "The store is too far behind; nothing was done");
        return WORLD_REFUSED;
    }
    hear(rooms);
    room->used_ms = rooms_now(rooms);
    enum world_answer answer = world_act(&room->world, room->used_ms, action, &rooms->news, why);
    if (answer != WORLD_DONE)
        return answer;
    rooms->figures.actions++;
    if (!record(room, done, arg, why))
        return WORLD_REFUSED;
    advance(room);
    return WORLD_DONE;
}

void rooms_rename(struct rooms *rooms, const char *id, const char *name) {
    struct room *room, *next;
    char words[WORLD_LINE_SIZE / 8];
    struct text text;
    text_begin(&text, words, sizeof words);
    text_string(&text, "name ");
    text_string(&text, name);
    ensure(!text.cut);
    struct world_action action = {.id = span_of(id), .words = {words, text.length}};
    HASH_ITER(hh, rooms->all, room, next) {
        if (room->phase == ROOM_READY && world_find_member(&room->world, action.id))
            room_act(room, &action, NULL, NULL, NULL);
    }
}

/* After the last entry that waits: its own `done` is kept, and this one follows it. */
struct chain {
    rooms_done *first, *second;
    void *first_arg, *second_arg;
};

static void run_chain(void *arg, const struct refusal *why) {
    struct chain chain = *(struct chain *)arg;
    free(arg);
    if (chain.first)
        chain.first(chain.first_arg, why);
    chain.second(chain.second_arg, why);
}

bool room_is_durable(const struct room *room) {
    return !room->entries;
}

void room_when_durable(struct room *room, rooms_done *done, void *arg) {
    if (!room->entries) {
        done(arg, NULL);
        return;
    }
    struct entry *last = room->entries;
    while (last->next)
        last = last->next;
    struct chain *chain = malloc(sizeof *chain);
    ensure(chain);
    *chain = (struct chain){
        .first = last->done, .first_arg = last->arg, .second = done, .second_arg = arg};
    last->done = run_chain;
    last->arg = chain;
}

/* ---- What happens by itself ---- */

struct task {
    uv_work_t work;
    struct room *room;
    uint64_t ns;
    struct world_task task;
};

static void think(uv_work_t *work) {
    struct task *task = (struct task *)work;
    uint64_t begin = uv_hrtime();
    world_task_run(&task->task);
    task->ns = uv_hrtime() - begin;
}

static void keep_spare(struct rooms *rooms, struct task *task) {
    if (rooms->spare)
        free(task);
    else
        rooms->spare = task;
}

/* While the store takes no more, nothing happens by itself: what it refused would have to be undone
 * by reading the world again, which asks even more of it. */
static bool must_wait(struct room *room) {
    if (!store_is_full(room->rooms->config.store))
        return false;
    room->pause_ms = rooms_now(room->rooms) + RETRY_MS;
    set_due(room);
    return true;
}

static void end_thinking(struct task *task) {
    struct room *room = task->room;
    struct rooms *rooms = room->rooms;
    room->thinking = false;
    rooms->thinking--;
    rooms->figures.bot_ns += task->ns;
    if (room->doomed || room->phase != ROOM_READY) {
        keep_spare(rooms, task);
        settle(room);
        return;
    }
    if (must_wait(room)) { /* it will think again */
        keep_spare(rooms, task);
        return;
    }
    hear(rooms);
    enum world_answer answer =
        world_thought(&room->world, rooms_now(rooms), &task->task, &rooms->news);
    keep_spare(rooms, task);
    if (answer == WORLD_DONE) {
        rooms->figures.bot_moves++;
        if (!record(room, NULL, NULL, NULL))
            return;
    }
    advance(room);
}

/* Those who wait come before the one that has just moved. */
static void thought(uv_work_t *work, int status) {
    struct task *task = (struct task *)work;
    struct rooms *rooms = task->room->rooms;
    (void)status;
    end_thinking(task);
    while (rooms->queue && rooms->thinking < rooms->config.bot_threads && !rooms->closing) {
        struct room *next = rooms->queue;
        leave_queue(next);
        advance(next);
    }
}

static bool begin_thinking(struct room *room) {
    struct rooms *rooms = room->rooms;
    if (room->unwritten >= UNWRITTEN_MAX)
        return false;
    if (rooms->thinking >= rooms->config.bot_threads) {
        if (!room->queued && world_due(&room->world) <= rooms_now(rooms)) {
            room->queued = true;
            DL_APPEND(rooms->queue, room);
        }
        return false;
    }
    struct task *task = rooms->spare ? rooms->spare : malloc(sizeof *task);
    ensure(task);
    rooms->spare = NULL;
    if (!world_think(&room->world, rooms_now(rooms), &task->task)) {
        keep_spare(rooms, task);
        return false;
    }
    task->room = room;
    room->thinking = true;
    rooms->thinking++;
    ensure(uv_queue_work(rooms->config.loop, &task->work, think, thought) == 0);
    return true;
}

/* Everything of this world that is due, and when to look again. */
static void advance(struct room *room) {
    struct rooms *rooms = room->rooms;
    if (room->phase != ROOM_READY || room->doomed || rooms->closing)
        return;
    if (rooms_now(rooms) < room->pause_ms || (!room->mine && rooms_now(rooms) < own_due(room))) {
        set_due(room);
        return;
    }
    for (int i = 0; i < TICKS_MAX && room->unwritten < UNWRITTEN_MAX; i++) {
        if (must_wait(room))
            return;
        hear(rooms);
        if (world_tick(&room->world, rooms_now(rooms), &rooms->news) != WORLD_DONE)
            break;
        if (!record(room, NULL, NULL, NULL))
            return;
    }
    if (!room->thinking)
        begin_thinking(room);
    set_due(room);
}

static void on_timer(uv_timer_t *timer) {
    struct rooms *rooms = timer->data;
    int64_t now = rooms_now(rooms);
    for (int i = 0; i < 256 && rooms->heap_count > 0 && rooms->heap[0]->due_ms <= now; i++) {
        struct room *room = rooms->heap[0];
        bool was_thinking = room->thinking;
        hold(room);
        advance(room);
        if (room->heap_at == 0 && room->due_ms <= now && room->thinking == was_thinking) {
            /* Nothing came of it: look again in a moment. */
            heap_remove(room);
            room->due_ms = now + 2;
            heap_add(room);
        }
        release(room);
    }
    set_timer(rooms);
}

/* ---- Worlds that nobody has in memory ---- */

static void wake_more(struct rooms *rooms);

/* Loading a world is enough: it advances by itself. */
static void wake_up(void *arg, struct room *room, const struct refusal *why) {
    struct rooms *rooms = arg;
    (void)why;
    if (room && rooms->shared) { /* it was claimed */
        room->mine = true;
        advance(room);
    }
    if (--rooms->wakes == 0)
        wake_more(rooms);
}

static void on_due(void *arg, const struct store_reply *reply) {
    struct rooms *rooms = arg;
    bool good = reply->outcome == STORE_OK && reply->count > 0 && !rooms->closing;
    rooms->more_to_wake = good && reply->more;
    rooms->wakes = 1; /* this one */
    for (size_t i = 0; good && i < reply->count; i++) {
        rooms->woken_ms = reply->worlds[i].due_ms;
        rooms->woken_place = reply->worlds[i].place;
        if (rooms->shared || !look_up(rooms, reply->worlds[i].code)) {
            rooms->wakes++;
            rooms_find(rooms, reply->worlds[i].code, wake_up, rooms);
        }
    }
    wake_up(rooms, NULL, NULL);
}

static void wake_more(struct rooms *rooms) {
    if (rooms->shared) {
        rooms->waking = false;
        return;
    }
    rooms->waking = rooms->more_to_wake && rooms->figures.loaded < LOADED_MAX &&
                    store_due_after(rooms->config.store, rooms->woken_ms, rooms->woken_place,
                                    rooms_now(rooms) + SWEEP_MS, DUE_PAGE, on_due, rooms, NULL);
}

/* Looks through all that is due, a page at a time: a world may stand there long after its time, if
 * it is in memory and knows better, and must not hide the others. */
static void wake_due(struct rooms *rooms) {
    if (rooms->waking || rooms->shared)
        return;
    rooms->more_to_wake = true;
    rooms->woken_ms = INT64_MIN;
    rooms->woken_place = 0;
    wake_more(rooms);
}

static bool is_needed(const struct room *room, int64_t now) {
    return room->phase != ROOM_READY || room->doomed || room->thinking || room->queued ||
           room->unwritten > 0 || room->holders > 0 || room->seekers || room->refreshers ||
           room->catching_up || now - room->used_ms < LINGER_MS ||
           (room->mine && room->due_ms != INT64_MAX && room->due_ms < now + 2 * SWEEP_MS) ||
           has_listeners(room);
}

static void on_archived(void *arg, const struct store_reply *reply) {
    char count[24];
    (void)arg;
    if (reply->outcome == STORE_OK && reply->count > 0)
        log_line(LOG_INFO, "archived", "worlds", log_number(count, (int64_t)reply->count), NULL);
}

static void on_sweep(uv_timer_t *timer) {
    struct rooms *rooms = timer->data;
    int64_t now = rooms_now(rooms);
    struct room *room, *next;
    HASH_ITER(hh, rooms->all, room, next) {
        if (!is_needed(room, now))
            drop_room(room);
    }
    struct store_ages ages = {.over_before_ms = now - rooms->config.archive_after_ms,
                              .idle_before_ms = now - rooms->config.archive_idle_ms,
                              .now_ms = now,
                              .max = DUE_PAGE};
    store_archive(rooms->config.store, &ages, on_archived, rooms, NULL);
    wake_due(rooms);
}

/* ---- New worlds ---- */

struct birth {
    struct room *room;
    rooms_found *found;
    void *arg;
};

static void on_born(void *arg, const struct refusal *why) {
    struct birth birth = *(struct birth *)arg;
    free(arg);
    birth.found(birth.arg, why ? NULL : birth.room, why);
    if (!why)
        advance(birth.room);
}

enum { BIRTH_LINES = 16 };

struct lines {
    struct span line[BIRTH_LINES];
    size_t count, used;
    char text[BIRTH_LINES * 512 + WORLD_LINE_SIZE];
};

static bool keep_line(struct lines *lines, const struct world_news *news, struct refusal *why) {
    if (lines->count == BIRTH_LINES || lines->used + news->line_length > sizeof lines->text)
        return refuse(why, 400, "BAD_REQUEST", "That is too much for a new world");
    memcpy(lines->text + lines->used, news->line, news->line_length);
    lines->line[lines->count++] = (struct span){lines->text + lines->used, news->line_length};
    lines->used += news->line_length;
    return true;
}

static bool fill_world(struct rooms *rooms, struct room *room, const struct rooms_wish *wish,
                       struct lines *lines, struct refusal *why) {
    uint8_t deal_seed[CHANCE_SEED_SIZE], bot_seed[CHANCE_SEED_SIZE];
    struct world_birth birth = {.code = span_of(room->code),
                                .game = wish->game,
                                .id = wish->id,
                                .name = wish->name,
                                .deal_seed = deal_seed,
                                .bot_seed = bot_seed};
    int64_t now = rooms_now(rooms);
    randombytes_buf(deal_seed, sizeof deal_seed);
    randombytes_buf(bot_seed, sizeof bot_seed);
    rooms->news.events = NULL;
    if (!world_create(&room->world, now, &rooms->config.times, &birth, &rooms->news, why) ||
        !keep_line(lines, &rooms->news, why))
        return false;
    for (size_t i = 0; i < wish->word_count; i++) {
        struct world_action action = {.id = wish->id, .words = wish->words[i]};
        enum world_answer answer = world_act(&room->world, now, &action, &rooms->news, why);
        if (answer == WORLD_REFUSED ||
            (answer == WORLD_DONE && !keep_line(lines, &rooms->news, why)))
            return false;
    }
    return !wish->save || (world_load(&room->world, now, wish->save, &rooms->news, why) &&
                           keep_line(lines, &rooms->news, why));
}

bool rooms_create(struct rooms *rooms, const struct rooms_wish *wish, rooms_found *found, void *arg,
                  struct refusal *why) {
    char code[WIRE_CODE_SIZE];
    struct lines *lines = calloc(1, sizeof *lines);
    struct birth *birth = malloc(sizeof *birth);
    ensure(lines && birth);
    int tries = 0;
    do
        wire_make_code(code);
    while (look_up(rooms, span_of(code)) && ++tries < CODE_TRIES);
    struct room *room = tries < CODE_TRIES ? add_room(rooms, span_of(code)) : NULL;
    struct entry *entry = room ? new_entry(room, on_born, birth) : NULL;
    if (entry)
        entry->is_birth = true;
    *birth = (struct birth){.room = room, .found = found, .arg = arg};
    bool good = room && fill_world(rooms, room, wish, lines, why);
    if (good)
        room->phase = ROOM_READY;
    good = good && append(room, lines->line, lines->count, entry, why);
    free(lines);
    if (good)
        return true;
    free(entry);
    free(birth);
    if (room)
        drop_room(room);
    else
        refuse(why, 503, "UNAVAILABLE", "No code is free");
    return false;
}

/* ---- Other servers ---- */

/* One line that another server appended; people here are told. */
static bool hear_line(struct room *room, struct span line, struct refusal *why) {
    struct rooms *rooms = room->rooms;
    hear(rooms);
    if (!world_hear(&room->world, line, &rooms->events, why))
        return false;
    room->chain = store_chain(room->chain, line);
    room->kept = room->world.version;
    push_send(push_make(rooms->config.hub, &room->world, &rooms->events));
    return true;
}

/* After lines of others: they see to what is due next. */
static void take_note(struct room *room) {
    struct outline outline;
    room->summary_hash = outline_of(&room->world, &outline);
    room->mine = false;
    expel_strangers(room);
}

static void on_tail(void *arg, const struct store_reply *reply) {
    struct room *room = arg;
    struct refusal why = reply->why;
    bool failed = reply->outcome != STORE_OK;
    room->catching_up = false;
    hold(room);
    if (room->doomed) { /* all is read again in a moment */
    } else if (failed) {
        room->behind = true; /* the next beat tries again */
        answer_all(&room->refreshers, room, &why);
    } else if (reply->count > 0 && (room->unwritten > 0 || room->world.version != room->kept ||
                                    reply->entries[0].version != room->world.version + 1)) {
        room->behind = true; /* what waits will be a conflict, or is already among these */
    } else if (reply->version < room->kept || !fold_page(room, reply, &why)) {
        doom(room, true, "the store has another log");
    } else {
        if (reply->count > 0)
            take_note(room);
        room->behind = room->behind || reply->more;
    }
    if (!room->behind && !room->doomed)
        answer_all(&room->refreshers, room, NULL);
    if (!failed)
        catch_up(room);
    advance(room);
    release(room);
}

/* Reads what others have appended, once nothing of one's own is on its way. */
static void catch_up(struct room *room) {
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
    struct room *room = look_up(rooms, heard->code);
    if (!room || heard->version + (int64_t)heard->count <= room->kept)
        return;
    room->behind = true;
    if (room->phase != ROOM_READY || room->doomed)
        return;
    hold(room);
    if (room->unwritten == 0 && !room->catching_up && heard->version == room->world.version) {
        bool good = true;
        for (size_t i = 0; good && i < heard->count; i++)
            good = hear_line(room, heard->entries[i], &why);
        room->behind = false;
        if (good)
            take_note(room);
        else
            doom(room, true, why.text);
        advance(room);
    }
    catch_up(room);
    release(room);
}

void rooms_refresh(struct rooms *rooms, struct span code, rooms_found *found, void *arg) {
    struct room *room = is_code(code) ? look_up(rooms, code) : NULL;
    if (!rooms->shared || !room || room->phase != ROOM_READY || room->doomed) {
        rooms_find(rooms, code, found, arg); /* reads it as it is */
        return;
    }
    struct seeker *seeker = malloc(sizeof *seeker);
    ensure(seeker);
    *seeker = (struct seeker){.found = found, .arg = arg, .next = room->refreshers};
    room->refreshers = seeker;
    room->behind = true;
    catch_up(room);
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

static void restore_presence(struct room *room) {
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
    struct room *room = look_up(rooms, code);
    if (!room || rooms->closing)
        return;
    if (cut_start(&text, here_start))
        others_take(&room->others, node, text, rooms_now(rooms), on_other, room);
    else if (cut_start(&text, heard_start) && room->phase == ROOM_READY)
        take_heard(room, text);
    else if (span_is(text, who_is_there))
        say_who_is_here(room);
    advance(room);
}

void rooms_watching(struct rooms *rooms, struct span code) {
    struct room *room = look_up(rooms, code);
    if (!room || rooms->closing)
        return;
    room->behind = true;
    store_say(rooms->config.store, code, span_of(who_is_there), NULL);
    say_who_is_here(room);
    catch_up(room);
}

const struct others *rooms_others(const struct rooms *rooms, const char *code) {
    const struct room *room = look_up(rooms, span_of(code));
    return room ? &room->others : NULL;
}

/* Tells others what they should hear again, and forgets what they did not say again. */
static void keep_in_touch(struct room *room, int64_t now) {
    char name[ROOM_CHANNEL_SIZE];
    others_expire(&room->others, now - GONE_MS, on_other, room);
    if (now - room->announced_ms < HERE_MS)
        return;
    room_channel(room->code, name);
    if (hub_find(room->rooms->config.hub, name))
        say_who_is_here(room);
    if (room->heard_count > 0)
        say_who_was_heard(room);
    room->announced_ms = now;
}

static void on_claimed(void *arg, const struct store_reply *reply) {
    struct rooms *rooms = arg;
    rooms->claiming = false;
    if (rooms->wakes == 0)
        on_due(arg, reply);
}

/* A store that is shared: worlds that nobody sees to, and what others should know. */
static void on_beat(uv_timer_t *timer) {
    struct rooms *rooms = timer->data;
    int64_t now = rooms_now(rooms);
    struct room *room, *next;
    HASH_ITER(hh, rooms->all, room, next) {
        if (room->stranded) {
            room->stranded = false;
            load(room);
            continue;
        }
        hold(room);
        keep_in_touch(room, now);
        catch_up(room);
        release(room);
    }
    if (!rooms->claiming && rooms->wakes == 0 && rooms->figures.loaded < LOADED_MAX)
        rooms->claiming = store_claim(rooms->config.store, now - LATE_MS, now, LEASE_MS, DUE_PAGE,
                                      on_claimed, rooms, NULL);
}

/* ---- Presence ---- */

/* While a world is read nobody knows; who is no member is sent away afterwards. */
bool rooms_may_hear(const struct rooms *rooms, const char *code, struct span id) {
    const struct room *room = look_up(rooms, span_of(code));
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
    set_due(room);
}

void rooms_presence(struct rooms *rooms, const char *code, struct span id, bool connected) {
    struct room *room = look_up(rooms, span_of(code));
    if (!room || room->phase != ROOM_READY || rooms->closing)
        return;
    char person[HUB_USER_MAX + 1] = "";
    ensure(id.length <= HUB_USER_MAX);
    memcpy(person, id.data, id.length);
    room->used_ms = rooms_now(rooms);
    world_connected(&room->world, room->used_ms, id,
                    connected || others_have(&room->others, person));
    say_who_is_here(room);
    advance(room);
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
    struct room *room = look_up(rooms, span_of(code));
    if (!room || room->phase != ROOM_READY || room->doomed)
        return;
    struct greeting *greeting = calloc(1, sizeof *greeting);
    ensure(greeting && strlen(player) <= HUB_USER_MAX);
    greeting->room = room;
    greeting->peer = peer;
    memcpy(greeting->player, player, strlen(player));
    peer_hold(peer);
    room_when_durable(room, on_durable_greeting, greeting);
}

/* ---- Beginning and end ---- */

struct rooms *rooms_open(const struct rooms_config *config) {
    struct rooms *rooms = calloc(1, sizeof *rooms);
    ensure(rooms);
    rooms->config = *config;
    uv_timer_init(config->loop, &rooms->timer);
    uv_timer_init(config->loop, &rooms->sweeper);
    uv_timer_init(config->loop, &rooms->beat);
    rooms->timer.data = rooms->sweeper.data = rooms->beat.data = rooms;
    rooms->shared = store_is_shared(config->store);
    rooms->spread = randombytes_random();
    uv_timer_start(&rooms->sweeper, on_sweep, SWEEP_MS, SWEEP_MS);
    if (rooms->shared)
        uv_timer_start(&rooms->beat, on_beat, BEAT_MS, BEAT_MS);
    wake_due(rooms);
    return rooms;
}

bool rooms_idle(const struct rooms *rooms) {
    return rooms->thinking == 0 && rooms->figures.waiting_entries == 0;
}

struct rooms_figures rooms_figures(const struct rooms *rooms) {
    struct rooms_figures figures = rooms->figures;
    figures.thinking = rooms->thinking;
    return figures;
}

void rooms_stop(struct rooms *rooms) {
    if (rooms->closing)
        return;
    rooms->closing = true;
    uv_timer_stop(&rooms->timer);
    uv_close((uv_handle_t *)&rooms->timer, NULL);
    uv_close((uv_handle_t *)&rooms->sweeper, NULL);
    uv_close((uv_handle_t *)&rooms->beat, NULL);
}

void rooms_free(struct rooms *rooms) {
    struct room *room, *next;
    HASH_ITER(hh, rooms->all, room, next) {
        HASH_DEL(rooms->all, room);
        others_free(&room->others);
        free(room);
    }
    free(rooms->spare);
    free(rooms->heap);
    free(rooms);
}
