/* Worlds in memory; see rooms.h. Bots think on libuv's threads.
 *
 * In a store that is shared others write to a world, too. What they append is heard and folded, and
 * people are told of it as of one's own; when something was missed, the tail of the log is read. An
 * append that came too late is a conflict: the world is read again and whoever acted is asked to
 * try again. Who appended last sees to what is due next; the others wait a moment longer, so that
 * they come in only if that one is gone. Worlds that nobody has in memory are claimed. */
#include "server/room.h"

#include "engine/ensure.h"
#include "server/details.h"
#include "server/log.h"
#include "server/outline.h"
#include "server/push.h"
#include "server/status.h"
#include "store/reserve.h"
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum {
    TICKS_MAX = 16,    /* things that happen by themselves in one go */
    SWEEP_MS = 5000,   /* how often the store is asked for what is due, and memory is swept */
    LINGER_MS = 60000, /* how long a world stays that nobody needs */
    RETRY_MS = 1000    /* after a failure of the store, until bots and clocks try again */
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

/* ---- Finding and loading ---- */

struct room *rooms_add(struct rooms *rooms, struct span code) {
    struct room *room = calloc(1, sizeof *room);
    ensure(code.length == WORLD_CODE_LENGTH);
    if (!room)
        return NULL;
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
    room_never_due(room);
    HASH_DEL(rooms->all, room);
    rooms->figures.loaded--;
}

void room_drop(struct room *room) {
    ensure(!room->seekers && !room->refreshers);
    forget_room(room);
    free(room);
}

void room_answer_all(struct seeker **list, struct room *room, const struct refusal *why) {
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
    room_answer_all(&room->seekers, room, why);
    room_answer_all(&room->refreshers, room, why);
}

static void settle(struct room *room);
static void expel_strangers(struct room *room);

void room_hold(struct room *room) {
    room->holders++;
}

void room_release(struct room *room) {
    room->holders--;
    settle(room);
}

static void refuse_unknown(struct refusal *why) {
    refuse(why, "ROOM_NOT_FOUND", "There is no such world");
}

static bool has_listeners(const struct room *room) {
    char channel[ROOM_CHANNEL_SIZE];
    room_channel(room->code, channel);
    return hub_find(room->rooms->config.hub, channel) != NULL;
}

static void hear(struct rooms *rooms);

/* A store elsewhere came back with an older log, with another one, or with none. */
static void log_went_back(struct room *room, int64_t from) {
    char before[24], now[24];
    log_line(LOG_WARN, "went_back", "world", room->code, "from", log_number(before, from), "to",
             log_number(now, room->world.version), NULL);
    room->rooms->figures.went_back++;
}

/* People know things that never were: they are shown the world as it is. */
static void say_how_it_is(struct room *room) {
    struct rooms *rooms = room->rooms;
    log_went_back(room, room->went_back_from);
    room->went_back_from = 0;
    hear(rooms);
    world_present(&room->world, &rooms->events);
    push_send(push_make(rooms->config.hub, &room->world, &rooms->events));
}

/* The clock of whoever wrote this was ahead, or the machine's own was, and then set: what is due by
 * that time would have to wait for the difference. */
static void keep_up(struct room *room) {
    int64_t now = rooms_now(room->rooms);
    if (room->world.changed_ms > now)
        room->rooms->clock_ms += room->world.changed_ms - now;
}

static void end_loading(struct room *room, const struct refusal *failure) {
    struct refusal why;
    struct rooms *rooms = room->rooms;
    if (failure || room->world.status == WORLD_CLOSED) {
        if (failure)
            why = *failure;
        else
            refuse_unknown(&why);
        if (refusal_status(&why) == 503 && rooms->shared && has_listeners(room)) {
            room->stranded = true;
            answer_seekers(room, &why);
            return;
        }
        if (refusal_status(&why) == 404 && room->kept > 0 && failure)
            log_went_back(room, room->kept);
        forget_room(room); /* who asks again gets a new one */
        answer_seekers(room, &why);
        free(room);
        return;
    }
    room->phase = ROOM_READY;
    rooms->figures.loads++;
    keep_up(room);
    if (room->kept > room->world.version)
        room->went_back_from = room->kept;
    room->kept = room->world.version;
    room->kept_chain = room->chain;
    world_resume(&room->world, rooms_now(rooms));
    room_restore_presence(room);
    expel_strangers(room);
    room_hold(room);
    if (room->went_back_from > 0)
        say_how_it_is(room);
    answer_seekers(room, NULL);
    room_catch_up(room);
    room_advance(room);
    room_release(room);
}

static void hear(struct rooms *rooms) {
    events_begin(&rooms->events, rooms->event_data, sizeof rooms->event_data);
    rooms->news.events = &rooms->events;
}

bool room_hear_line(struct room *room, struct span line, struct refusal *why) {
    struct rooms *rooms = room->rooms;
    hear(rooms);
    if (!world_hear(&room->world, line, &rooms->events, why))
        return false;
    keep_up(room);
    room->chain = store_chain(room->chain, line);
    room->kept = room->world.version;
    room->kept_chain = room->chain;
    push_send(push_make(rooms->config.hub, &room->world, &rooms->events));
    return true;
}

/* What nobody here was told of yet they are told now. */
static bool fold_line(struct room *room, const struct store_entry *entry, struct refusal *why) {
    if (room->kept > 0 && entry->version > room->kept)
        return room_hear_line(room, entry->text, why);
    room->chain = store_chain(room->chain, entry->text);
    if (entry->version == room->kept && room->chain != room->kept_chain) {
        room->went_back_from = room->kept;
        room->kept = 0; /* all that follows is new to people */
    }
    return world_fold(&room->world, entry->text, why);
}

static bool refuse_broken(const struct room *room, int64_t version, struct refusal *why) {
    char number[24];
    if (strcmp(why->code, "OTHER_RULES") == 0) /* of another version of the program: it is whole */
        return false;
    log_line(LOG_ERROR, "log_broken", "world", room->code, "version", log_number(number, version),
             "why", why->text, NULL);
    return refuse(why, "BROKEN", "This world's log cannot be read");
}

bool room_fold_page(struct room *room, const struct store_reply *reply, struct refusal *why) {
    for (size_t i = 0; i < reply->count; i++)
        if (!fold_line(room, &reply->entries[i], why))
            return refuse_broken(room, reply->entries[i].version, why);
    if (reply->count > 0 || !reply->more)
        return true;
    refuse(why, "BROKEN", "the store has lost this entry"); /* asking again will not help */
    return refuse_broken(room, room->world.version + 1, why);
}

static void on_loaded(void *arg, const struct store_reply *reply) {
    struct room *room = arg;
    struct refusal why = reply->why;
    if (reply->outcome == STORE_MISSING)
        refuse_unknown(&why);
    if (reply->outcome != STORE_OK || !room_fold_page(room, reply, &why)) {
        end_loading(room, &why);
        return;
    }
    if (!reply->more)
        end_loading(room, NULL);
    else if (!store_load(room->rooms->config.store, span_of(room->code), room->world.version,
                         on_loaded, room, &why))
        end_loading(room, &why);
}

void room_load(struct room *room) {
    struct refusal why;
    room->phase = ROOM_LOADING;
    room->behind = false;
    room->chain = STORE_CHAIN_START;
    room->summary_hash = 0; /* who knows what the store's lists say */
    world_empty(&room->world, &room->rooms->config.times);
    if (!store_load(room->rooms->config.store, span_of(room->code), 0, on_loaded, room, &why))
        end_loading(room, &why);
}

bool rooms_is_code(struct span code) {
    for (size_t i = 0; i < code.length; i++)
        if (!((code.data[i] >= 'A' && code.data[i] <= 'Z') ||
              (code.data[i] >= '2' && code.data[i] <= '9')))
            return false;
    return code.length == WORLD_CODE_LENGTH;
}

struct room *rooms_look_up(const struct rooms *rooms, struct span code) {
    struct room *room;
    HASH_FIND(hh, rooms->all, code.data, (unsigned)code.length, room);
    return room;
}

void rooms_find(struct rooms *rooms, struct span code, rooms_found *found, void *arg) {
    struct refusal why;
    refuse_unknown(&why);
    if (!rooms_is_code(code)) {
        found(arg, NULL, &why);
        return;
    }
    struct room *room = rooms_look_up(rooms, code);
    if (room && room->phase == ROOM_READY && !room->doomed) {
        bool closed = room->world.status == WORLD_CLOSED;
        room->used_ms = rooms_now(rooms);
        found(arg, closed ? NULL : room, closed ? &why : NULL);
        return;
    }
    bool fresh = !room;
    if (fresh)
        room = rooms_add(rooms, code);
    if (!room) {
        refuse_no_memory(&why);
        found(arg, NULL, &why);
        return;
    }
    struct seeker *seeker = reserve_malloc(sizeof *seeker);
    *seeker = (struct seeker){.found = found, .arg = arg, .next = room->seekers};
    room->seekers = seeker;
    if (fresh)
        room_load(room);
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
    room_load(room);
}

void room_doom(struct room *room, bool beaten, const char *why) {
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
    bool written = reply->outcome == STORE_OK;
    bool ok = written && !room->doomed; /* else what it follows is not known, nor what it led to */
    ensure(room->entries == entry);
    room->entries = entry->next;
    if (!room->entries)
        room->entries_end = &room->entries;
    room->unwritten--;
    rooms->figures.waiting_entries--;
    room_hold(room);
    if (ok) {
        room->pause_ms = 0;
        room->mine = true;
        room->kept = reply->version;
        room->kept_chain = entry->chain;
        push_send(entry->pushes);
        if (entry->outlines && room->phase == ROOM_READY)
            expel_strangers(room);
    } else {
        bool taken = reply->outcome == STORE_CONFLICT;
        bool open = written || reply->outcome == STORE_UNKNOWN;
        push_forget(entry->pushes);
        if (!written)
            room_doom(room, taken && rooms->shared && !entry->is_birth,
                      taken ? "the store has another version" : reply->why.text);
        room->mine = !rooms->shared;
        refuse(&why,
               !taken            ? "UNAVAILABLE"
               : entry->is_birth ? "CONFLICT"
               : rooms->shared   ? ROOM_BEHIND
                                 : "UNAVAILABLE",
               open ? "The store does not answer; please try again"
                    : "The store does not answer; nothing was done");
    }
    if (entry->done)
        entry->done(entry->arg, ok ? NULL : &why);
    free(entry);
    room_catch_up(room);
    room_set_due(room);
    room_release(room);
}

void room_take_note(struct room *room) {
    struct outline outline;
    room->summary_hash = outline_of(&room->world, &outline);
    room->mine = false;
    expel_strangers(room);
}

bool room_append(struct room *room, const struct span *lines, size_t count, struct entry *entry,
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
    entry->chain = room->chain;
    entry->outlines = hash != room->summary_hash;
    room->summary_hash = hash;
    *room->entries_end = entry;
    room->entries_end = &entry->next;
    room->unwritten++;
    rooms->figures.waiting_entries++;
    return true;
}

struct entry *room_new_entry(struct room *room, rooms_done *done, void *arg) {
    struct entry *entry = reserve_calloc(1, sizeof *entry);
    entry->room = room;
    entry->done = done;
    entry->arg = arg;
    return entry;
}

/* The world has changed in memory: keep the entry, and what is to be told about it. */
static bool record(struct room *room, rooms_done *done, void *arg, struct refusal *why) {
    struct rooms *rooms = room->rooms;
    struct span line = {rooms->news.line, rooms->news.line_length};
    struct entry *entry = room_new_entry(room, done, arg);
    entry->pushes = push_make(rooms->config.hub, &room->world, &rooms->events);
    details_of_change(&room->world, &rooms->events);
    if (room_append(room, &line, 1, entry, why))
        return true;
    push_forget(entry->pushes);
    free(entry);
    room_doom(room, false, "the store is too far behind");
    settle(room);
    return false;
}

/* The events make room for those of the next change at once. */
static void keep_answer(struct rooms *rooms) {
    text_begin(&rooms->answer, rooms->answer_data, sizeof rooms->answer_data);
    for (size_t i = 0; i < rooms->events.count; i++)
        if (rooms->events.item[i].answers)
            text_span(&rooms->answer, rooms->events.item[i].data);
    ensure(!rooms->answer.cut);
}

struct span room_answer(const struct room *room) {
    const struct text *answer = &room->rooms->answer;
    return (struct span){answer->data, answer->length};
}

enum world_answer room_act(struct room *room, const struct world_action *action, rooms_done *done,
                           void *arg, struct refusal *why) {
    struct rooms *rooms = room->rooms;
    if (room->doomed || room->phase != ROOM_READY) {
        refuse(why, "UNAVAILABLE", "The store does not answer; nothing was done");
        return WORLD_REFUSED;
    }
    if (store_is_full(rooms->config.store)) { /* before anything is changed */
        refuse(why, "UNAVAILABLE", "The store is too far behind; nothing was done");
        return WORLD_REFUSED;
    }
    hear(rooms);
    room->used_ms = rooms_now(rooms);
    enum world_answer answer = world_act(&room->world, room->used_ms, action, &rooms->news, why);
    if (answer != WORLD_DONE)
        return answer;
    rooms->figures.actions++;
    keep_answer(rooms);
    if (!record(room, done, arg, why))
        return WORLD_REFUSED;
    room_advance(room);
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
    struct chain *chain = reserve_malloc(sizeof *chain);
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
 * by reading the world again, which asks even more of it. Nor while memory is short. */
static bool must_wait(struct room *room) {
    if (!store_is_full(room->rooms->config.store) && reserve_is_whole())
        return false;
    room->pause_ms = rooms_now(room->rooms) + RETRY_MS;
    room_set_due(room);
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
    room_advance(room);
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
        room_advance(next);
    }
}

static bool begin_thinking(struct room *room) {
    struct rooms *rooms = room->rooms;
    if (room->unwritten >= ROOM_UNWRITTEN_MAX)
        return false;
    if (rooms->thinking >= rooms->config.bot_threads) {
        if (!room->queued && world_due(&room->world) <= rooms_now(rooms)) {
            room->queued = true;
            DL_APPEND(rooms->queue, room);
        }
        return false;
    }
    struct task *task = rooms->spare ? rooms->spare : reserve_malloc(sizeof *task);
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

void room_advance(struct room *room) {
    struct rooms *rooms = room->rooms;
    if (room->phase != ROOM_READY || room->doomed || rooms->closing)
        return;
    if (rooms_now(rooms) < room->pause_ms ||
        (!room->mine && rooms_now(rooms) < room_own_due(room))) {
        room_set_due(room);
        return;
    }
    for (int i = 0; i < TICKS_MAX && room->unwritten < ROOM_UNWRITTEN_MAX; i++) {
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
    room_set_due(room);
}

/* ---- Worlds that nobody has in memory ---- */

static void wake_more(struct rooms *rooms);

/* Loading a world is enough: it advances by itself. */
static void wake_up(void *arg, struct room *room, const struct refusal *why) {
    struct rooms *rooms = arg;
    (void)why;
    if (room && rooms->shared) { /* it was claimed */
        room->mine = true;
        room_advance(room);
    }
    if (--rooms->wakes == 0)
        wake_more(rooms);
}

void rooms_on_due(void *arg, const struct store_reply *reply) {
    struct rooms *rooms = arg;
    bool good = reply->outcome == STORE_OK && reply->count > 0 && !rooms->closing;
    rooms->more_to_wake = good && reply->more;
    rooms->wakes = 1; /* this one */
    for (size_t i = 0; good && i < reply->count; i++) {
        rooms->woken_ms = reply->worlds[i].due_ms;
        rooms->woken_place = reply->worlds[i].place;
        if (rooms->shared || !rooms_look_up(rooms, reply->worlds[i].code)) {
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
    rooms->waking =
        rooms->more_to_wake && rooms->figures.loaded < ROOMS_LOADED_MAX &&
        store_due_after(rooms->config.store, rooms->woken_ms, rooms->woken_place,
                        rooms_now(rooms) + SWEEP_MS, ROOMS_DUE_PAGE, rooms_on_due, rooms, NULL);
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
            room_drop(room);
    }
    struct store_ages ages = {.over_before_ms = now - rooms->config.archive_after_ms,
                              .idle_before_ms = now - rooms->config.archive_idle_ms,
                              .now_ms = now,
                              .max = ROOMS_DUE_PAGE};
    store_archive(rooms->config.store, &ages, on_archived, rooms, NULL);
    wake_due(rooms);
}

/* ---- Beginning and end ---- */

struct rooms *rooms_open(const struct rooms_config *config) {
    struct rooms *rooms = reserve_calloc(1, sizeof *rooms);
    rooms->config = *config;
    uv_timer_init(config->loop, &rooms->timer);
    uv_timer_init(config->loop, &rooms->sweeper);
    uv_timer_init(config->loop, &rooms->beat);
    rooms->timer.data = rooms->sweeper.data = rooms->beat.data = rooms;
    rooms->shared = store_is_shared(config->store);
    rooms->spread = randombytes_random();
    uv_timer_start(&rooms->sweeper, on_sweep, SWEEP_MS, SWEEP_MS);
    if (rooms->shared)
        rooms_begin_beats(rooms);
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
