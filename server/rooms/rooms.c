/* Worlds in memory; see rooms.h. A room is a replica and those who wait for it. Whatever happens is
 * an event for the replica (room_step), and each effect that it wants has a case in carry_out. */
#include "server/channels/channel_names.h"
#include "server/rooms/internal.h"
#include "server/rooms/results.h"

#include "engine/ensure.h"
#include "server/channels/broadcast.h"
#include "server/ops/log.h"
#include "server/rooms/detail_log.h"
#include "store/reserve.h"
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum {
    TICKS_MAX = 16,         /* things that happen by themselves in one go */
    SWEEP_MS = 5000,        /* how often the store is asked for what is due */
    BEAT_MS = 200,          /* how often some of the rooms are looked at ... */
    VISIT_MS = 5000,        /* ... and each of them; */
    VISIT_SHARED_MS = 1000, /* the same where other servers are to be kept in touch with */
    LINGER_MS = 60000       /* how long a world stays that nobody needs */
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
    return &room->replica.world;
}

/* ---- Failures ---- */

/* `reason` is the one that the replica gives, if it gives one. */
static struct room_failure failure_of(enum replica_code code, const char *reason) {
    static const struct {
        const char *code, *text;
    } kinds[] = {[REPLICA_BEHIND] = {"UNAVAILABLE", "Too much happens at once; nothing was done"},
                 [REPLICA_TAKEN] = {"CONFLICT", "The store does not answer; nothing was done"},
                 [REPLICA_UNDONE] = {"UNAVAILABLE", "The store does not answer; nothing was done"},
                 [REPLICA_UNSURE] = {"UNAVAILABLE", "The store does not answer; please try again"},
                 [REPLICA_MISSING] = {"ROOM_NOT_FOUND", "There is no such world"},
                 [REPLICA_UNREAD] = {"UNAVAILABLE", NULL},
                 [REPLICA_OTHER_RULES] = {"OTHER_RULES", NULL},
                 [REPLICA_UNREADABLE] = {"BROKEN", "This world's log cannot be read"}};
    struct room_failure failure = {.code = code};
    refuse(&failure.why, kinds[code].code, "%s", kinds[code].text ? kinds[code].text : reason);
    return failure;
}

/* ---- Rooms ---- */

struct room *rooms_add(struct rooms *rooms, struct span code) {
    struct room *room = calloc(1, sizeof *room);
    ensure(code.length == WORLD_CODE_LENGTH);
    if (!room)
        return NULL;
    room->rooms = rooms;
    room->heap_at = -1;
    room->due_ms = INT64_MAX;
    room->entries_end = &room->entries;
    memcpy(room->code, code.data, code.length);
    channel_of_world(room->code, room->channel);
    replica_begin(&room->replica, &rooms->config.times, rooms->shared,
                  (uint32_t)hash_bytes(rooms->spread, code.data, code.length));
    room->replica.used_ms = rooms_now(rooms);
    store_watch(rooms->config.store, code);
    HASH_ADD_STR(rooms->all, code, room);
    DL_APPEND2(rooms->ring, room, ring_prev, ring_next);
    rooms->figures.loaded++;
    return room;
}

/* Those whose log could not be read, or whose tail: the next beat tries again. */
static void leave_restless(struct room *room) {
    if (!room->restless)
        return;
    DL_DELETE2(room->rooms->restless, room, restless_prev, restless_next);
    room->rooms->restless_count--;
    room->restless = false;
}

static void join_restless(struct room *room) {
    const struct replica *replica = &room->replica;
    if (room->restless ||
        (replica->state != REPLICA_STRANDED && replica->tail != REPLICA_TAIL_MISSED))
        return;
    DL_APPEND2(room->rooms->restless, room, restless_prev, restless_next);
    room->rooms->restless_count++;
    room->restless = true;
}

static void forget_room(struct room *room) {
    struct rooms *rooms = room->rooms;
    ensure(!room->entries && !replica_is_busy(&room->replica));
    room->replica.state = REPLICA_GONE;
    store_unwatch(rooms->config.store, span_of(room->code));
    room_leave_queue(room);
    leave_restless(room);
    room_never_due(room);
    DL_DELETE2(rooms->ring, room, ring_prev, ring_next);
    HASH_DEL(rooms->all, room);
    rooms->figures.loaded--;
}

static void free_room(struct room *room) {
    ensure(!room->seekers && !room->refreshers);
    replica_end(&room->replica);
    free(room);
}

void room_drop(struct room *room) {
    ensure(room->holders == 0);
    forget_room(room);
    free_room(room);
}

void room_hold(struct room *room) {
    room->holders++;
}

void room_release(struct room *room) {
    if (--room->holders == 0 && room->replica.state == REPLICA_GONE)
        free_room(room);
}

static struct channel *channel_of(const struct room *room) {
    return hub_find(room->rooms->config.hub, room->channel);
}

/* ---- What replicas want ---- */

/* Answering one may make the room useless for the next one, who then waits again. */
static void answer_all(struct seeker *seeker, struct room *room, const struct room_failure *why) {
    while (seeker) {
        struct seeker *next = seeker->next;
        if (why)
            seeker->found(seeker->arg, NULL, why);
        else
            rooms_find(room->rooms, span_of(room->code), seeker->found, seeker->arg);
        free(seeker);
        seeker = next;
    }
}

/* Who comes to wait meanwhile waits for something else. */
static void answer_seekers(struct room *room, const struct replica_effect *effect) {
    struct seeker *seekers = NULL, *refreshers = room->refreshers;
    struct room_failure failure;
    bool failed = effect->code != REPLICA_DONE;
    if (failed)
        failure = failure_of(effect->code, effect->text.data);
    room->refreshers = NULL;
    if (effect->kind != REPLICA_REFRESHED) {
        seekers = room->seekers;
        room->seekers = NULL;
    }
    answer_all(seekers, room, failed ? &failure : NULL);
    answer_all(refreshers, room, failed ? &failure : NULL);
}

static void on_page(void *arg, const struct store_reply *reply) {
    room_fold(arg, reply);
}

static void load(struct room *room, int64_t after_version) {
    struct store_reply failed = {.outcome = STORE_FAILED};
    if (!store_load(room->rooms->config.store, span_of(room->code), after_version, on_page, room,
                    &failed.why))
        on_page(room, &failed);
}

static void on_appended(void *arg, const struct store_reply *reply) {
    struct entry *entry = arg;
    struct room *room = entry->room;
    ensure(room->entries == entry);
    room->entries = entry->next;
    if (!room->entries)
        room->entries_end = &room->entries;
    room->rooms->figures.waiting_entries--;
    room_step(room, &(struct replica_event){.kind = REPLICA_APPENDED,
                                            .outcome = reply->outcome,
                                            .version = reply->version,
                                            .text = span_of(reply->why.text),
                                            .entry = &entry->replica,
                                            .asker = entry});
}

/* Keeps the answer, because the events make room for those of the next change at once. */
static void keep_answer(struct rooms *rooms, const struct events *events) {
    rooms->answer = text_in(rooms->answer_data, sizeof rooms->answer_data);
    for (size_t i = 0; i < events->count; i++)
        if (events->item[i].answers)
            text_span(&rooms->answer, events->item[i].data);
    ensure(!rooms->answer.cut);
}

static bool ask_to_append(struct entry *entry, const struct replica_effect *effect,
                          const struct replica_effects *made, struct refusal *why) {
    struct room *room = entry->room;
    const struct world *world = room_world(room);
    struct store_append ask = {.code = span_of(room->code),
                               .expected_version = effect->number,
                               .entries = effect->lines,
                               .count = effect->line_count,
                               .now_ms = world->changed_ms,
                               .due_ms = effect->due_ms,
                               .chain = effect->chain,
                               .summary = effect->entry.lists ? &made->listed.summary : NULL,
                               .match = results_of(world, effect->number, &room->rooms->results)};
    return store_append(room->rooms->config.store, &ask, on_appended, entry, why);
}

void room_refused(struct room *room, struct span id, const struct refusal *why) {
    detail_log_refusal(&room->rooms->details, rooms_now(room->rooms), room_world(room), id, why);
}

static void append(struct room *room, const struct replica_effect *effect,
                   const struct replica_effects *made) {
    struct rooms *rooms = room->rooms;
    struct asker *asker = effect->asker;
    struct entry *entry = reserve_calloc(1, sizeof *entry);
    entry->room = room;
    entry->replica = effect->entry;
    entry->done = asker ? asker->done : NULL;
    entry->arg = asker ? asker->arg : NULL;
    if (!effect->entry.birth) {
        keep_answer(rooms, &made->events);
        detail_log_change(&rooms->details, rooms_now(rooms), room_world(room), &made->events);
        entry->pushes = broadcast_make(rooms->config.hub, room_world(room), &made->events);
    }
    if (ask_to_append(entry, effect, made, asker ? asker->why : NULL)) {
        *room->entries_end = entry;
        room->entries_end = &entry->next;
        rooms->figures.waiting_entries++;
        return;
    }
    broadcast_forget(entry->pushes);
    free(entry);
    if (asker)
        asker->untaken = true;
    room_step(room, &(struct replica_event){.kind = REPLICA_UNTAKEN});
}

static void send_pushes(struct room *room, struct entry *entry,
                        const struct replica_effects *made) {
    if (!entry) {
        broadcast_send(broadcast_make(room->rooms->config.hub, room_world(room), &made->events));
        return;
    }
    broadcast_send(entry->pushes);
    entry->pushes = NULL;
}

static void answer_asker(struct entry *entry, enum replica_code code) {
    struct room_failure failure;
    if (code != REPLICA_DONE)
        failure = failure_of(code, NULL);
    broadcast_forget(entry->pushes);
    if (entry->done)
        entry->done(entry->arg, code == REPLICA_DONE ? NULL : &failure);
    free(entry);
}

/* A store that takes nothing refuses whatever people do, so that is told once a minute. What is
 * merely too late is of no interest to most. */
static void tell_unwritten(struct room *room, const struct replica_effect *effect,
                           struct log_silence *silence, const char *event) {
    char count[24];
    int64_t times = 1;
    bool late = effect->code == REPLICA_BEHIND;
    if (late || log_is_due(silence, rooms_now(room->rooms), &times))
        log_line(late ? LOG_DEBUG : LOG_WARN, event, "world", room->code, "count",
                 log_number(count, times), "why", effect->text.data ? effect->text.data : "", NULL);
}

static void take_note(struct room *room, const struct replica_effect *effect) {
    struct rooms *rooms = room->rooms;
    struct rooms_figures *figures = &rooms->figures;
    const char *text = effect->text.data;
    char number[24], now[24];
    log_number(number, effect->number);
    switch (effect->note) {
    case REPLICA_NOTE_LOADED:
        figures->loads++;
        return;
    case REPLICA_NOTE_UNWRITTEN:
        figures->failures += effect->code != REPLICA_BEHIND;
        if (effect->there)
            tell_unwritten(room, effect, &rooms->not_written, "not_written");
        return;
    case REPLICA_NOTE_REREAD:
        tell_unwritten(room, effect, &rooms->reread, "world_reread");
        return;
    case REPLICA_NOTE_WENT_BACK: /* an older log, another one, or none */
        figures->went_back++;
        log_line(LOG_WARN, "went_back", "world", room->code, "from", number, "to",
                 log_number(now, room_world(room)->version), NULL);
        return;
    case REPLICA_NOTE_BROKEN:
        log_line(LOG_ERROR, "log_broken", "world", room->code, "version", number, "why", text,
                 NULL);
        return;
    }
}

static void carry_out(struct room *room, const struct replica_effect *effect,
                      const struct replica_effects *made) {
    struct rooms *rooms = room->rooms;
    const struct rooms_config *config = &rooms->config;
    switch (effect->kind) {
    case REPLICA_LOAD:
        load(room, effect->number);
        return;
    case REPLICA_APPEND:
        append(room, effect, made);
        return;
    case REPLICA_PUSH:
        send_pushes(room, effect->asker, made);
        return;
    case REPLICA_ANSWER:
        answer_asker(effect->asker, effect->code);
        return;
    case REPLICA_FORGET:
        forget_room(room); /* who asks again gets a new one */
        answer_seekers(room, effect);
        return;
    case REPLICA_FOUND:
    case REPLICA_REFRESHED:
        answer_seekers(room, effect);
        return;
    case REPLICA_EXPEL:
        config->left(config->arg, room->code, effect->id.data);
        return;
    case REPLICA_ELSEWHERE:
        config->elsewhere(config->arg, room->code, effect->id.data, effect->text.data,
                          effect->there);
        return;
    case REPLICA_SAY:
        if (!rooms->closing)
            store_say(config->store, span_of(room->code), effect->text, NULL);
        return;
    case REPLICA_THINK:
        room_let_think(room);
        return;
    case REPLICA_WAKE: /* what was carried out before may have led to another time */
        room_set_due(room, room->replica.due_ms);
        return;
    case REPLICA_CLOCK:
        rooms->clock_ms += effect->number;
        return;
    case REPLICA_NOTE:
        take_note(room, effect);
        return;
    case REPLICA_MORE:
        return;
    }
}

static struct effects *take_effects(struct rooms *rooms) {
    struct effects *effects = rooms->effects;
    if (!effects)
        return reserve_calloc(1, sizeof *effects);
    rooms->effects = effects->next;
    return effects;
}

static void step_once(struct room *room, const struct replica_event *event) {
    struct rooms *rooms = room->rooms;
    struct effects *effects = take_effects(rooms);
    struct replica_around around = {.now_ms = rooms_now(rooms),
                                    .store_full = store_is_full(rooms->config.store),
                                    .memory_short = !reserve_is_whole()};
    const struct channel *channel = channel_of(room);
    if (channel)
        around.here_count = channel_users(channel, &around.here);
    replica_step(&room->replica, &around, event, &effects->list);
    for (const struct replica_effect *each = effects->list.first; each; each = each->next) {
        room->more = room->more || each->kind == REPLICA_MORE;
        carry_out(room, each, &effects->list);
    }
    effects->next = rooms->effects;
    rooms->effects = effects;
    if (rooms->shared && room->replica.state != REPLICA_GONE)
        join_restless(room);
}

void room_step(struct room *room, const struct replica_event *event) {
    static const struct replica_event tick = {.kind = REPLICA_TICK};
    bool outermost = !room->stepping; /* others are part of what a step wants */
    room_hold(room);
    room->stepping = true;
    step_once(room, event);
    for (int i = 0; outermost && room->more && i < TICKS_MAX && !room->rooms->closing; i++) {
        room->more = false;
        step_once(room, &tick);
    }
    if (outermost)
        room->stepping = room->more = false;
    room_release(room);
}

void room_tick(struct room *room) {
    if (!room->rooms->closing)
        room_step(room, &(struct replica_event){.kind = REPLICA_TICK});
}

/* ---- Finding ---- */

struct room *rooms_look_up(const struct rooms *rooms, struct span code) {
    struct room *room;
    HASH_FIND(hh, rooms->all, code.data, (unsigned)code.length, room);
    return room;
}

const struct world *rooms_peek(const struct rooms *rooms, struct span code) {
    const struct room *room = rooms_look_up(rooms, code);
    bool ready = room && room->replica.state == REPLICA_READY;
    return ready && room_world(room)->status != WORLD_CLOSED ? room_world(room) : NULL;
}

void rooms_find(struct rooms *rooms, struct span code, rooms_found *found, void *arg) {
    struct room *room = world_is_code(code) ? rooms_look_up(rooms, code) : NULL;
    bool ready = room && room->replica.state == REPLICA_READY;
    if (ready)
        room->replica.used_ms = rooms_now(rooms);
    if (!world_is_code(code) || (ready && room_world(room)->status == WORLD_CLOSED)) {
        struct room_failure missing = failure_of(REPLICA_MISSING, NULL);
        found(arg, NULL, &missing);
        return;
    }
    if (ready) {
        found(arg, room, NULL);
        return;
    }
    bool fresh = !room;
    if (fresh)
        room = rooms_add(rooms, code);
    if (!room) {
        struct room_failure failure = {.code = REPLICA_UNREAD};
        refuse_no_memory(&failure.why);
        found(arg, NULL, &failure);
        return;
    }
    struct seeker *seeker = reserve_malloc(sizeof *seeker);
    *seeker = (struct seeker){.found = found, .arg = arg, .next = room->seekers};
    room->seekers = seeker;
    if (fresh)
        room_step(room, &(struct replica_event){.kind = REPLICA_OPEN});
}

/* ---- Acting ---- */

struct span room_answer(const struct room *room) {
    const struct text *answer = &room->rooms->answer;
    return (struct span){answer->data, answer->length};
}

enum world_answer room_act(struct room *room, const struct world_action *action, rooms_done *done,
                           void *arg, struct refusal *why) {
    struct asker asker = {.done = done, .arg = arg, .why = why};
    enum world_answer answer = WORLD_REFUSED;
    room_step(room, &(struct replica_event){.kind = REPLICA_ACTED,
                                            .action = action,
                                            .asker = &asker,
                                            .answer = &answer,
                                            .why = why});
    room->rooms->figures.actions += answer == WORLD_DONE;
    return asker.untaken ? WORLD_REFUSED : answer;
}

/* Two callbacks in place of one: whoever wants to hear when the last waiting entry is durable is
 * called after whoever appended it. */
struct two_callbacks {
    rooms_done *first, *second;
    void *first_arg, *second_arg;
};

static void call_both(void *arg, const struct room_failure *why) {
    struct two_callbacks both = *(struct two_callbacks *)arg;
    free(arg);
    if (both.first)
        both.first(both.first_arg, why);
    both.second(both.second_arg, why);
}

uint64_t room_chain(const struct room *room) {
    return room->replica.chain;
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
    struct two_callbacks *both = reserve_malloc(sizeof *both);
    *both = (struct two_callbacks){
        .first = last->done, .first_arg = last->arg, .second = done, .second_arg = arg};
    last->done = call_both;
    last->arg = both;
}

/* ---- Worlds that nobody has in memory ---- */

static void wake_more(struct rooms *rooms);

/* Loading a world is enough, because it then advances by itself. */
static void wake_up(void *arg, struct room *room, const struct room_failure *failure) {
    struct rooms *rooms = arg;
    if (room && rooms->shared)
        room_step(room, &(struct replica_event){.kind = REPLICA_CLAIMED});
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

/* Looks through everything that is due, a page at a time. A world that is in memory may be listed
 * long after its time, because memory knows better, and must not hide the others. */
static void wake_due(struct rooms *rooms) {
    if (rooms->waking || rooms->shared)
        return;
    rooms->more_to_wake = true;
    rooms->woken_ms = INT64_MIN;
    rooms->woken_place = 0;
    wake_more(rooms);
}

/* ---- Letting go ---- */

static bool is_needed(const struct room *room, int64_t now) {
    const struct replica *replica = &room->replica;
    return replica->state != REPLICA_READY || replica_is_busy(replica) || room->queued ||
           room->holders > 0 || room->seekers || room->refreshers ||
           room_awaits_absent(room, now) || now - replica->used_ms < LINGER_MS ||
           (replica->mine && room->due_ms != INT64_MAX && room->due_ms < now + 2 * SWEEP_MS) ||
           channel_of(room) != NULL;
}

static void on_archived(void *arg, const struct store_reply *reply) {
    char count[24];
    if (reply->outcome == STORE_OK && reply->count > 0)
        log_line(LOG_INFO, "archived", "worlds", log_number(count, (int64_t)reply->count), NULL);
}

/* Other servers are to be heard, and who is not needed is let go. */
static void visit(struct room *room) {
    struct rooms *rooms = room->rooms;
    rooms->figures.visits++;
    room_hold(room);
    if (rooms->shared)
        room_step(room, &(struct replica_event){.kind = REPLICA_BEAT});
    bool gone = room->replica.state == REPLICA_GONE;
    if (!gone)
        room_look_for_absent(room);
    room_release(room);
    if (!gone && !is_needed(room, rooms_now(rooms)))
        room_drop(room);
}

/* Looks at those who cannot wait, and at as many others that all have their turn in time. */
static void on_beat(uv_timer_t *timer) {
    struct rooms *rooms = timer->data;
    unsigned visit_ms = rooms->shared ? VISIT_SHARED_MS : VISIT_MS;
    unsigned restless = rooms->restless_count;
    unsigned count = HASH_COUNT(rooms->all) * BEAT_MS / visit_ms + 1;
    for (unsigned i = 0; i < restless && rooms->restless; i++) {
        struct room *room = rooms->restless;
        leave_restless(room);
        visit(room);
    }
    for (unsigned i = 0; i < count && rooms->ring; i++) {
        struct room *room = rooms->ring;
        DL_DELETE2(rooms->ring, room, ring_prev, ring_next);
        DL_APPEND2(rooms->ring, room, ring_prev, ring_next);
        visit(room);
    }
    if (rooms->shared)
        rooms_claim_late(rooms);
}

static void on_sweep(uv_timer_t *timer) {
    struct rooms *rooms = timer->data;
    int64_t now = rooms_now(rooms);
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
    uv_timer_start(&rooms->beat, on_beat, BEAT_MS, BEAT_MS);
    rooms_open_turns(rooms);
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
    rooms_stop_turns(rooms);
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
        replica_end(&room->replica);
        free(room);
    }
    while (rooms->effects) {
        struct effects *effects = rooms->effects;
        rooms->effects = effects->next;
        replica_effects_free(&effects->list);
        free(effects);
    }
    free(rooms->spare);
    free(rooms->heap);
    free(rooms);
}
