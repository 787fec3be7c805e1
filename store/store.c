/* The front of the store: takes requests, has the backend carry them out and delivers the answers.
 * Each request has its own memory, which goes with its answer, so that none keeps another's.
 *
 * A backend that works does so in two lanes, each with at most one group of requests under way: one
 * for writes, one for reads. Reads follow all writes that were asked for before them, or together
 * with them; writes wait for no reads. Limits are in limits.c. */
#include "store/store.h"

#include "engine/ensure.h"
#include "store/backend.h"
#include "store/limits.h"
#include "store/reserve.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct queue {
    struct request *first, **end;
};

struct lane {
    struct store *store;
    bool writes;
    bool busy;              /* `under_way` is being worked on or delivered */
    struct queue under_way; /* belongs to the working thread until that is done */
    struct queue waiting;
    uint64_t work_ns; /* time spent on the group under way */
};

/* How many answered requests are kept for reuse, and how large their memory may be. */
enum { SPARES = 256, SPARE_BYTES = 960 };

struct store {
    struct backing backing;
    struct store_config config;
    struct queue asked; /* since the last commit */
    struct lane writes, reads;
    struct queue after;  /* reads that follow the writes under way */
    struct queue behind; /* reads that follow those that wait */
    size_t count, size;  /* number and bytes of all requests that are not answered */
    size_t taken;        /* how many of these a backend that answers has taken */
    uint64_t taken_ns;   /* since when `taken` is not 0 */
    bool closing;
    bool shared;
    struct store_figures figures;
    struct arena spare[SPARES];
    int spares;
};

bool refuse_unavailable(struct refusal *why, const char *text) {
    return refuse(why, "UNAVAILABLE", "%s", text);
}

/* ---- Opening and closing ---- */

static void queue_empty(struct queue *queue) {
    *queue = (struct queue){NULL, &queue->first};
}

static void queue_add(struct queue *queue, struct request *request) {
    request->next = NULL;
    *queue->end = request;
    queue->end = &request->next;
}

/* All of the one come after all of the other. */
static void queue_move(struct queue *from, struct queue *to) {
    if (!from->first)
        return;
    *to->end = from->first;
    to->end = from->end;
    queue_empty(from);
}

static struct request *queue_take(struct queue *queue) {
    struct request *request = queue->first;
    if (request && !(queue->first = request->next))
        queue->end = &queue->first;
    return request;
}

struct store *store_open(const struct store_config *config, struct refusal *why) {
    if (config->confirm != STORE_WRITTEN && !redis_is_address(config->where)) {
        refuse(why, "STORE_UNUSABLE", "Only a store on Redis can be asked to confirm");
        return NULL;
    }
    struct store *store = reserve_calloc(1, sizeof *store);
    store->config = *config;
    store->shared = redis_is_address(config->where);
    bool open = true;
    if (span_is(span_of(config->where), "memory")) {
        memory_open(&store->backing);
        store->config.defer = NULL; /* there is nothing to wait for */
    } else if (store->shared) {
        open = redis_open(config, store, &store->backing, why);
    } else {
        open = sqlite_open(config, &store->backing, why);
    }
    if (!open) {
        free(store);
        return NULL;
    }
    store->writes = (struct lane){.store = store, .writes = true};
    store->reads = (struct lane){.store = store};
    struct queue *const queues[] = {&store->asked,          &store->after,
                                    &store->behind,         &store->writes.under_way,
                                    &store->writes.waiting, &store->reads.under_way,
                                    &store->reads.waiting};
    for (size_t i = 0; i < sizeof queues / sizeof *queues; i++)
        queue_empty(queues[i]);
    return store;
}

void store_show(const char *where, char *out, size_t size) {
    const char *slashes =
        strncmp(where, "redis", strlen("redis")) == 0 ? strstr(where, "://") : NULL;
    const char *at = slashes ? strrchr(slashes, '@') : NULL;
    struct text text;
    text_begin(&text, out, size);
    text_span(&text, (struct span){where, at ? (size_t)(slashes - where) + 3 : 0});
    text_string(&text, at ? at + 1 : where);
}

static void fail_one(struct request *request, const struct refusal *why) {
    request->reply = (struct store_reply){.outcome = STORE_FAILED, .why = *why};
    request->again = false;
}

static void deliver_one(struct store *store, struct request *request) {
    store->figures.requests++;
    store->figures.conflicts += request->reply.outcome == STORE_CONFLICT;
    store->figures.failures += request->reply.outcome >= STORE_FAILED;
    store->count--;
    store->size -= request->size;
    if (request->callback)
        request->callback(request->arg, &request->reply);
    struct arena arena = request->arena;
    if (arena.used <= SPARE_BYTES && store->spares < SPARES) {
        arena_reset(&arena);
        store->spare[store->spares++] = arena;
    } else {
        arena_free(&arena);
    }
}

static void deliver(struct store *store, struct queue *queue) {
    for (struct request *request; (request = queue_take(queue));)
        deliver_one(store, request);
}

void store_close(struct store *store) {
    ensure(!store_busy(store));
    struct refusal why;
    refuse_unavailable(&why, "The store is being closed");
    store->closing = true;
    for (struct request *request = store->asked.first; request; request = request->next)
        fail_one(request, &why);
    deliver(store, &store->asked);
    store->backing.backend->close(store->backing.self);
    while (store->spares > 0)
        arena_free(&store->spare[--store->spares]);
    free(store);
}

bool store_is_shared(const struct store *store) {
    return store->shared;
}

bool store_busy(const struct store *store) {
    return store->writes.busy || store->reads.busy || store->taken > 0;
}

bool store_waits(const struct store *store) {
    return store->asked.first != NULL;
}

struct store_figures store_figures(const struct store *store) {
    return store->figures;
}

/* ---- A backend that works ---- */

static void *worker_of(const struct lane *lane) {
    const struct backing *backing = &lane->store->backing;
    return lane->writes || !backing->reader ? backing->self : backing->reader;
}

static bool run_each(const struct lane *lane, void *worker, struct refusal *why) {
    const struct backend *backend = lane->store->backing.backend;
    for (struct request *request = lane->under_way.first; request; request = request->next) {
        request->again = false;
        if (!backend->run(worker, request, why))
            return false;
    }
    return backend->commit(worker, why);
}

/* One transaction with all requests of the group. */
static void run_group(struct lane *lane) {
    const struct backend *backend = lane->store->backing.backend;
    void *worker = worker_of(lane);
    struct refusal why;
    bool begun = backend->begin(worker, lane->writes, &why);
    if (begun && run_each(lane, worker, &why))
        return;
    if (begun)
        backend->undo(worker);
    for (struct request *request = lane->under_way.first; request; request = request->next)
        fail_one(request, &why);
}

static uint64_t clock_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void work(void *data) {
    struct lane *lane = data;
    uint64_t begin_ns = clock_ns();
    run_group(lane);
    lane->work_ns = clock_ns() - begin_ns;
}

/* What is not done yet goes on with the next group, behind those that waited meanwhile. */
static void finish(struct lane *lane) {
    struct store *store = lane->store;
    store->figures.work_ns += lane->work_ns;
    for (struct request *request; (request = queue_take(&lane->under_way));)
        if (request->again)
            queue_add(&lane->waiting, request);
        else
            deliver_one(store, request);
    lane->busy = false;
    if (lane->writes)
        queue_move(&store->after, &store->reads.waiting);
}

static void done(void *data);

static void start(struct lane *lane) {
    struct store *store = lane->store;
    while (!lane->busy && lane->waiting.first) {
        lane->busy = true;
        queue_move(&lane->waiting, &lane->under_way);
        if (lane->writes)
            queue_move(&store->behind, &store->after);
        if (store->config.defer) {
            store->config.defer(store->config.arg, work, done, lane);
        } else {
            work(lane);
            finish(lane);
        }
    }
}

static void done(void *data) {
    struct lane *lane = data;
    finish(lane);
    start(&lane->store->writes);
    start(&lane->store->reads);
}

/* The queue in which a new read waits for the writes that were asked for before it. */
static struct queue *place_of_reads(struct store *store) {
    if (store->writes.waiting.first)
        return &store->behind;
    return store->writes.busy ? &store->after : &store->reads.waiting;
}

/* ---- A backend that answers ---- */

void store_answer(struct store *store, struct request *request) {
    if (--store->taken == 0)
        store->figures.work_ns += clock_ns() - store->taken_ns;
    deliver_one(store, request);
}

static void give(struct store *store, struct queue *queue) {
    for (struct request *request; (request = queue_take(queue));) {
        if (store->taken++ == 0)
            store->taken_ns = clock_ns();
        store->backing.backend->take(store->backing.self, request);
    }
}

/* ---- A batch ---- */

void store_commit(struct store *store) {
    struct queue reads;
    if (!store->asked.first)
        return;
    store->figures.batches++;
    queue_empty(&reads);
    for (struct request *request; (request = queue_take(&store->asked));)
        queue_add(request_writes(request->kind) ? &store->writes.waiting : &reads, request);
    if (store->shared) {
        give(store, &store->writes.waiting);
        give(store, &reads);
        store->backing.backend->send(store->backing.self);
        return;
    }
    queue_move(&reads, place_of_reads(store));
    start(&store->writes);
    start(&store->reads);
}

/* ---- Requests ---- */

bool store_is_full(const struct store *store) {
    return store->count >= STORE_QUEUE_MAX || store->size >= STORE_QUEUE_BYTES;
}

/* A new request, or null if there is no place. It is asked for by ask_now, once it is complete. */
static struct request *ask(struct store *store, enum request_kind kind, store_callback *callback,
                           void *arg, struct refusal *why) {
    if (store->closing || store_is_full(store)) {
        refuse_unavailable(why, store->closing ? "The store is being closed"
                                               : "Too much waits for the store already");
        return NULL;
    }
    struct arena arena = {0};
    if (store->spares > 0)
        arena = store->spare[--store->spares];
    struct request *request = arena_take(&arena, sizeof *request);
    request->arena = arena;
    request->kind = kind;
    request->callback = callback;
    request->arg = arg;
    return request;
}

static bool ask_now(struct store *store, struct request *request) {
    request->size = request->arena.used;
    store->count++;
    store->size += request->size;
    queue_add(&store->asked, request);
    return true;
}

static const void *copy_bytes(struct arena *arena, const void *data, size_t size) {
    return size == 0 || !data ? NULL : memcpy(arena_take(arena, size), data, size);
}

static const struct span *copy_spans(struct arena *arena, const struct span *spans, size_t count) {
    struct span *copy = arena_take(arena, count * sizeof *copy);
    for (size_t i = 0; i < count; i++)
        copy[i] = arena_span(arena, spans[i]);
    return copy;
}

static const struct store_summary *copy_summary(struct arena *arena,
                                                const struct store_summary *summary) {
    if (!summary)
        return NULL;
    struct store_summary *copy = arena_take(arena, sizeof *copy);
    *copy = *summary;
    copy->game = arena_span(arena, summary->game);
    copy->owner = arena_span(arena, summary->owner);
    copy->text = arena_span(arena, summary->text);
    copy->members = copy_spans(arena, summary->members, summary->member_count);
    return copy;
}

static const struct store_match *copy_match(struct arena *arena, const struct store_match *match) {
    if (!match)
        return NULL;
    struct store_match *copy = arena_take(arena, sizeof *copy);
    struct store_seat *seats = arena_take(arena, match->seat_count * sizeof *seats);
    struct store_stat *stats = arena_take(arena, match->stat_count * sizeof *stats);
    *copy = *match;
    copy->settings = arena_span(arena, match->settings);
    copy->state = arena_span(arena, match->state);
    copy->figures = copy_spans(arena, match->figures, match->figure_count);
    for (size_t i = 0; i < match->seat_count; i++) {
        seats[i] = match->seats[i];
        seats[i].name = arena_span(arena, match->seats[i].name);
        seats[i].player = arena_span(arena, match->seats[i].player);
        seats[i].level = arena_span(arena, match->seats[i].level);
    }
    for (size_t i = 0; i < match->stat_count; i++)
        stats[i] =
            (struct store_stat){arena_span(arena, match->stats[i].name), match->stats[i].value};
    copy->seats = seats;
    copy->stats = stats;
    return copy;
}

bool store_append(struct store *store, const struct store_append *append, store_callback *callback,
                  void *arg, struct refusal *why) {
    if (!limits_append(append, why))
        return false;
    struct request *request = ask(store, REQUEST_APPEND, callback, arg, why);
    if (!request)
        return false;
    struct arena *arena = &request->arena;
    request->append = *append;
    request->append.code = arena_span(arena, append->code);
    request->append.entries = copy_spans(arena, append->entries, append->count);
    request->append.summary = copy_summary(arena, append->summary);
    request->append.match = copy_match(arena, append->match);
    return ask_now(store, request);
}

bool store_rewrite(struct store *store, const struct store_rewrite *rewrite,
                   store_callback *callback, void *arg, struct refusal *why) {
    if (!limits_rewrite(rewrite, why))
        return false;
    struct request *request = ask(store, REQUEST_REWRITE, callback, arg, why);
    if (!request)
        return false;
    struct arena *arena = &request->arena;
    struct store_entry *entries = arena_take(arena, rewrite->count * sizeof *entries + 1);
    for (size_t i = 0; i < rewrite->count; i++)
        entries[i] = (struct store_entry){rewrite->entries[i].version,
                                          arena_span(arena, rewrite->entries[i].text)};
    request->rewrite = *rewrite;
    request->rewrite.code = arena_span(arena, rewrite->code);
    request->rewrite.entries = entries;
    request->rewrite.owner = arena_span(arena, rewrite->owner);
    if (rewrite->summary.data)
        request->rewrite.summary = arena_span(arena, rewrite->summary);
    request->rewrite.player = arena_span(arena, rewrite->player);
    request->rewrite.name = arena_span(arena, rewrite->name);
    return ask_now(store, request);
}

/* Takes a request that needs no more than these members. */
static bool ask_for(struct store *store, struct request asked, struct refusal *why) {
    struct request *request = ask(store, asked.kind, asked.callback, asked.arg, why);
    if (!request)
        return false;
    request->key = arena_span(&request->arena, asked.key);
    request->name = arena_span(&request->arena, asked.name);
    request->number = asked.number;
    request->after_ms = asked.after_ms;
    request->after_place = asked.after_place;
    request->claim_ms = asked.claim_ms;
    request->lease_ms = asked.lease_ms;
    request->max = asked.max;
    request->walk = asked.walk;
    request->look = asked.look;
    return ask_now(store, request);
}

/* The same for a function of store.h, with the callback, its argument and the reason of that. */
#define ASK(...)                                                                                   \
    ask_for(store, (struct request){.callback = callback, .arg = arg, __VA_ARGS__}, why)

bool store_load(struct store *store, struct span code, int64_t after_version,
                store_callback *callback, void *arg, struct refusal *why) {
    return limits_code(code, why) && limits_number(after_version, "The version", why) &&
           ASK(.kind = REQUEST_LOAD, .key = code, .number = after_version);
}

bool store_due(struct store *store, int64_t until_ms, size_t max, store_callback *callback,
               void *arg, struct refusal *why) {
    return store_due_after(store, INT64_MIN, 0, until_ms, max, callback, arg, why);
}

bool store_try(struct store *store, store_callback *callback, void *arg, struct refusal *why) {
    if (store->shared)
        return store_due(store, 0, 1, callback, arg, why);
    return ASK(.kind = REQUEST_TRY);
}

bool store_due_after(struct store *store, int64_t after_ms, int64_t after_place, int64_t until_ms,
                     size_t max, store_callback *callback, void *arg, struct refusal *why) {
    return limits_page(max, why) &&
           ASK(.kind = REQUEST_DUE, .number = until_ms, .after_ms = after_ms,
               .after_place = after_place, .max = max);
}

bool store_claim(struct store *store, int64_t until_ms, int64_t now_ms, int64_t lease_ms,
                 size_t max, store_callback *callback, void *arg, struct refusal *why) {
    return limits_page(max, why) &&
           ASK(.kind = store->shared ? REQUEST_CLAIM : REQUEST_DUE, .number = until_ms,
               .after_ms = INT64_MIN, .claim_ms = now_ms, .lease_ms = lease_ms, .max = max);
}

static bool ask_list(struct store *store, struct request asked, struct refusal *why) {
    if (!limits_page(asked.max, why) || !limits_number(asked.number, "The place", why))
        return false;
    if (asked.number == 0)
        asked.number = INT64_MAX;
    return ask_for(store, asked, why);
}

bool store_list_public(struct store *store, struct span game, int64_t before, size_t max,
                       store_callback *callback, void *arg, struct refusal *why) {
    return limits_text(game, 0, STORE_WORD_MAX, "The game's id", why) &&
           ask_list(store,
                    (struct request){.kind = REQUEST_LIST_PUBLIC,
                                     .callback = callback,
                                     .arg = arg,
                                     .key = game,
                                     .number = before,
                                     .max = max},
                    why);
}

bool store_list_of_player(struct store *store, struct span player, int64_t before, size_t max,
                          store_callback *callback, void *arg, struct refusal *why) {
    return limits_id(player, why) && ask_list(store,
                                              (struct request){.kind = REQUEST_LIST_OF_PLAYER,
                                                               .callback = callback,
                                                               .arg = arg,
                                                               .key = player,
                                                               .number = before,
                                                               .max = max},
                                              why);
}

bool store_list_visited(struct store *store, struct span player, int64_t before, size_t max,
                        store_callback *callback, void *arg, struct refusal *why) {
    return limits_id(player, why) && ask_list(store,
                                              (struct request){.kind = REQUEST_LIST_VISITED,
                                                               .callback = callback,
                                                               .arg = arg,
                                                               .key = player,
                                                               .number = before,
                                                               .max = max},
                                              why);
}

bool store_archive(struct store *store, const struct store_ages *ages, store_callback *callback,
                   void *arg, struct refusal *why) {
    struct request *request = NULL;
    if (limits_page(ages->max, why))
        request = ask(store, REQUEST_ARCHIVE, callback, arg, why);
    if (!request)
        return false;
    request->ages = *ages;
    return ask_now(store, request);
}

/* Backends know lines of devices only. */
static struct span all_devices(struct arena *arena, const struct store_player *player) {
    struct store_device first = {.created_ms = player->created_ms, .seen_ms = player->seen_ms};
    size_t size = player->devices.length + STORE_DEVICE_LINE_MAX + 1;
    struct text text;
    text_begin(&text, arena_take(arena, size), size);
    if (player->token_hash) {
        memcpy(first.token_hash, player->token_hash, STORE_TOKEN_SIZE);
        store_device_put(&text, &first);
    }
    text_span(&text, player->devices);
    return (struct span){text.data, text.length};
}

bool store_player_add(struct store *store, const struct store_player *player,
                      store_callback *callback, void *arg, struct refusal *why) {
    if (!limits_player(player, why))
        return false;
    struct request *request = ask(store, REQUEST_PLAYER_ADD, callback, arg, why);
    if (!request)
        return false;
    struct arena *arena = &request->arena;
    request->player = *player;
    request->player.id = arena_span(arena, player->id);
    request->player.name = arena_span(arena, player->name);
    request->player.devices = all_devices(arena, player);
    return ask_now(store, request);
}

bool store_player_by_token(struct store *store, const uint8_t token_hash[STORE_TOKEN_SIZE],
                           store_callback *callback, void *arg, struct refusal *why) {
    struct span bytes = {(const char *)token_hash, STORE_TOKEN_SIZE};
    return ASK(.kind = REQUEST_PLAYER_BY_TOKEN, .key = bytes);
}

bool store_player_by_id(struct store *store, struct span id, store_callback *callback, void *arg,
                        struct refusal *why) {
    return limits_id(id, why) && ASK(.kind = REQUEST_PLAYER_BY_ID, .key = id);
}

bool store_player_seen(struct store *store, struct span id, struct span name,
                       const uint8_t *token_hash, int64_t seen_ms, store_callback *callback,
                       void *arg, struct refusal *why) {
    if (!limits_id(id, why) || !limits_text(name, 0, STORE_NAME_MAX, "The name", why) ||
        !limits_number(seen_ms, "The time", why))
        return false;
    struct request *request = ask(store, REQUEST_PLAYER_SEEN, callback, arg, why);
    if (!request)
        return false;
    struct arena *arena = &request->arena;
    request->key = arena_span(arena, id);
    request->name = arena_span(arena, name);
    request->number = seen_ms;
    request->devices.token_hash = copy_bytes(arena, token_hash, STORE_TOKEN_SIZE);
    return ask_now(store, request);
}

bool store_player_devices(struct store *store, const struct store_devices *devices,
                          store_callback *callback, void *arg, struct refusal *why) {
    ensure(devices->token_hash ||
           (devices->drop != STORE_DROP_ONE && devices->drop != STORE_DROP_OTHERS));
    if (!limits_id(devices->player, why) || !limits_devices(devices->add, why))
        return false;
    struct request *request = ask(store, REQUEST_PLAYER_DEVICES, callback, arg, why);
    if (!request)
        return false;
    struct arena *arena = &request->arena;
    request->devices = *devices;
    request->key = request->devices.player = arena_span(arena, devices->player);
    request->devices.add = arena_span(arena, devices->add);
    request->devices.token_hash = copy_bytes(arena, devices->token_hash, STORE_TOKEN_SIZE);
    return ask_now(store, request);
}

bool store_player_erase(struct store *store, struct span id, store_callback *callback, void *arg,
                        struct refusal *why) {
    return limits_id(id, why) && ASK(.kind = REQUEST_PLAYER_ERASE, .key = id);
}

bool store_player_forget(struct store *store, struct span id, store_callback *callback, void *arg,
                         struct refusal *why) {
    return limits_id(id, why) && ASK(.kind = REQUEST_PLAYER_FORGET, .key = id);
}

bool store_player_records(struct store *store, struct span id, size_t games_max,
                          store_callback *callback, void *arg, struct refusal *why) {
    return limits_id(id, why) &&
           ASK(.kind = REQUEST_PLAYER_RECORDS, .key = id,
               .max = games_max < STORE_LIST_MAX ? games_max : STORE_LIST_MAX);
}

/* ---- Notes ---- */

static int by_name(const void *left, const void *right) {
    const struct span a = ((const struct store_note *)left)->name;
    const struct span b = ((const struct store_note *)right)->name;
    int order = memcmp(a.data, b.data, a.length < b.length ? a.length : b.length);
    return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

void store_sort_notes(struct store_note *notes, size_t count) {
    if (count > 1)
        qsort(notes, count, sizeof *notes, by_name);
}

bool store_note_put(struct store *store, const struct store_note_put *put, store_callback *callback,
                    void *arg, struct refusal *why) {
    if ((put->owner.length > 0 && !limits_id(put->owner, why)) || !limits_note(&put->note, why))
        return false;
    struct request *request = ask(store, REQUEST_NOTE_PUT, callback, arg, why);
    if (!request)
        return false;
    request->key = arena_span(&request->arena, put->owner);
    request->note.name = arena_span(&request->arena, put->note.name);
    request->note.text = arena_span(&request->arena, put->note.text);
    request->fresh = put->fresh;
    return ask_now(store, request);
}

bool store_notes(struct store *store, struct span owner, store_callback *callback, void *arg,
                 struct refusal *why) {
    return (owner.length == 0 || limits_id(owner, why)) && ASK(.kind = REQUEST_NOTES, .key = owner);
}

/* ---- The whole store ---- */

bool store_walk_worlds(struct store *store, struct store_walk from, bool look,
                       store_callback *callback, void *arg, struct refusal *why) {
    return ASK(.kind = REQUEST_WALK_WORLDS, .walk = from, .look = look, .max = STORE_WALK_MAX);
}

bool store_walk_players(struct store *store, struct store_walk from, bool look,
                        store_callback *callback, void *arg, struct refusal *why) {
    return ASK(.kind = REQUEST_WALK_PLAYERS, .walk = from, .look = look, .max = STORE_WALK_MAX);
}

bool store_put_away(struct store *store, struct span code, int64_t archived_ms,
                    store_callback *callback, void *arg, struct refusal *why) {
    return limits_code(code, why) && limits_number(archived_ms, "The time", why) &&
           ASK(.kind = REQUEST_PUT_AWAY, .key = code, .number = archived_ms);
}

bool store_seat_forget(struct store *store, struct span code, int32_t number, size_t seat,
                       store_callback *callback, void *arg, struct refusal *why) {
    return limits_code(code, why) &&
           ASK(.kind = REQUEST_SEAT_FORGET, .key = code, .number = number, .max = seat);
}

bool store_player_earlier(struct store *store, struct span id, store_callback *callback, void *arg,
                          struct refusal *why) {
    return limits_id(id, why) && ASK(.kind = REQUEST_PLAYER_EARLIER, .key = id);
}

static const struct store_record *copy_records(struct arena *arena,
                                               const struct store_record *records, size_t count) {
    struct store_record *copy = arena_take(arena, count * sizeof *copy);
    for (size_t i = 0; i < count; i++) {
        struct store_stat *figures = arena_take(arena, records[i].figure_count * sizeof *figures);
        copy[i] = records[i];
        copy[i].game = arena_span(arena, records[i].game);
        copy[i].figures = figures;
        for (size_t f = 0; f < records[i].figure_count; f++)
            figures[f] = (struct store_stat){arena_span(arena, records[i].figures[f].name),
                                             records[i].figures[f].value};
    }
    return copy;
}

bool store_set_earlier(struct store *store, struct span id, const struct store_record *records,
                       size_t count, store_callback *callback, void *arg, struct refusal *why) {
    if (!limits_id(id, why) || !limits_records(records, count, why))
        return false;
    struct request *request = ask(store, REQUEST_SET_EARLIER, callback, arg, why);
    if (!request)
        return false;
    request->key = arena_span(&request->arena, id);
    request->records = copy_records(&request->arena, records, count);
    request->record_count = count;
    return ask_now(store, request);
}

/* ---- Stores that are shared ---- */

void store_listen(struct store *store, const struct store_listener *listener) {
    if (store->shared)
        store->backing.backend->listen(store->backing.self, listener);
}

void store_deafen(struct store *store) {
    if (store->shared)
        store->backing.backend->deafen(store->backing.self);
}

void store_watch(struct store *store, struct span code) {
    if (store->shared)
        store->backing.backend->watch(store->backing.self, code, true);
}

void store_unwatch(struct store *store, struct span code) {
    if (store->shared)
        store->backing.backend->watch(store->backing.self, code, false);
}

bool store_say(struct store *store, struct span code, struct span text, struct refusal *why) {
    return !store->shared ||
           ask_for(store, (struct request){.kind = REQUEST_SAY, .key = code, .name = text}, why);
}

static bool is_exported(const struct store *store, struct refusal *why) {
    return store->shared || refuse(why, "BAD_REQUEST", "Only a store on Redis is exported");
}

bool store_finished(struct store *store, size_t max, store_callback *callback, void *arg,
                    struct refusal *why) {
    return is_exported(store, why) && limits_page(max, why) &&
           ASK(.kind = REQUEST_FINISHED, .max = max);
}

bool store_exported(struct store *store, struct span code, int64_t version,
                    store_callback *callback, void *arg, struct refusal *why) {
    return is_exported(store, why) && ASK(.kind = REQUEST_EXPORTED, .key = code, .number = version);
}

const char *store_secret(const struct store *store) {
    return store->shared ? store->backing.backend->secret(store->backing.self) : NULL;
}
