/* The front of the store: takes requests, collects them in a batch, has the backend carry it out
 * and delivers the answers. Two batches take turns: one is filled while the other is under way, so
 * that the working thread and the loop never touch the same memory. Limits are in limits.c. */
#include "store/store.h"

#include "engine/ensure.h"
#include "store/backend.h"
#include "store/limits.h"
#include "store/reserve.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct batch {
    struct arena arena;
    struct request *first, **end;
    size_t count;
};

struct store {
    struct backing backing;
    struct store_config config;
    struct batch batches[2];
    struct batch *filling, *under_way;
    bool busy;  /* under_way is being worked on or delivered */
    bool again; /* store_commit was called meanwhile */
    bool closing;
    bool shared;
    uint64_t work_ns; /* of the batch under way */
    struct store_figures figures;
};

bool refuse_unavailable(struct refusal *why, const char *text) {
    return refuse(why, "UNAVAILABLE", "%s", text);
}

/* ---- Opening and closing ---- */

static void batch_empty(struct batch *batch) {
    arena_reset(&batch->arena);
    batch->first = NULL;
    batch->end = &batch->first;
    batch->count = 0;
}

struct store *store_open(const struct store_config *config, struct refusal *why) {
    struct backing backing;
    if (config->confirm != STORE_WRITTEN && !redis_is_address(config->where)) {
        refuse(why, "STORE_UNUSABLE", "Only a store on Redis can be asked to confirm");
        return NULL;
    }
    if (span_is(span_of(config->where), "memory"))
        memory_open(&backing);
    else if (redis_is_address(config->where) ? !redis_open(config, &backing, why)
                                             : !sqlite_open(config, &backing, why))
        return NULL;
    struct store *store = reserve_calloc(1, sizeof *store);
    store->backing = backing;
    store->shared = redis_is_address(config->where);
    store->config = *config;
    store->filling = &store->batches[0];
    store->under_way = &store->batches[1];
    batch_empty(store->filling);
    batch_empty(store->under_way);
    return store;
}

void store_show(const char *where, char *out, size_t size) {
    static const char redis[] = "redis://";
    const char *at = strncmp(where, redis, sizeof redis - 1) == 0 ? strrchr(where, '@') : NULL;
    struct text text;
    text_begin(&text, out, size);
    text_string(&text, at ? redis : "");
    text_string(&text, at ? at + 1 : where);
}

static void fail_one(struct request *request, const struct refusal *why) {
    request->reply = (struct store_reply){.outcome = STORE_FAILED, .why = *why};
}

static void deliver(struct store *store, struct batch *batch) {
    for (struct request *request = batch->first; request; request = request->next) {
        store->figures.requests++;
        store->figures.conflicts += request->reply.outcome == STORE_CONFLICT;
        store->figures.failures += request->reply.outcome >= STORE_FAILED;
        if (request->callback)
            request->callback(request->arg, &request->reply);
    }
    batch_empty(batch);
}

void store_close(struct store *store) {
    ensure(!store->busy);
    struct refusal why;
    refuse_unavailable(&why, "The store is being closed");
    store->closing = true;
    for (struct request *request = store->filling->first; request; request = request->next)
        fail_one(request, &why);
    deliver(store, store->filling);
    store->backing.backend->close(store->backing.self);
    arena_free(&store->batches[0].arena);
    arena_free(&store->batches[1].arena);
    free(store);
}

bool store_is_shared(const struct store *store) {
    return store->shared;
}

bool store_busy(const struct store *store) {
    return store->busy;
}

bool store_waits(const struct store *store) {
    return !store->busy && store->filling->count > 0;
}

struct store_figures store_figures(const struct store *store) {
    return store->figures;
}

/* ---- A batch ---- */

static bool batch_has(const struct batch *batch, bool writes) {
    for (const struct request *request = batch->first; request; request = request->next)
        if (request_writes(request->kind) == writes)
            return true;
    return false;
}

static bool run_each(struct store *store, struct batch *batch, bool writes, struct refusal *why) {
    const struct backing *backing = &store->backing;
    for (struct request *request = batch->first; request; request = request->next)
        if (request_writes(request->kind) == writes &&
            !backing->backend->run(backing->self, request, &batch->arena, why))
            return false;
    return backing->backend->commit(backing->self, why);
}

/* One transaction with all requests of the batch that write, or all that read. */
static void run_half(struct store *store, struct batch *batch, bool writes) {
    const struct backing *backing = &store->backing;
    struct refusal why;
    if (!batch_has(batch, writes))
        return;
    bool begun = backing->backend->begin(backing->self, writes, &why);
    if (begun && run_each(store, batch, writes, &why))
        return;
    if (begun)
        backing->backend->undo(backing->self);
    for (struct request *request = batch->first; request; request = request->next)
        if (request_writes(request->kind) == writes)
            fail_one(request, &why);
}

static uint64_t clock_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void work(void *data) {
    struct store *store = data;
    uint64_t begin_ns = clock_ns();
    run_half(store, store->under_way, true);
    run_half(store, store->under_way, false);
    store->work_ns = clock_ns() - begin_ns;
}

static void start(struct store *store);

static void done(void *data) {
    struct store *store = data;
    store->figures.batches++;
    store->figures.work_ns += store->work_ns;
    deliver(store, store->under_way);
    store->busy = false;
    if (store->again) {
        store->again = false;
        start(store);
    }
}

static void start(struct store *store) {
    if (store->filling->count == 0)
        return;
    struct batch *batch = store->filling;
    store->filling = store->under_way;
    store->under_way = batch;
    store->busy = true;
    if (store->config.defer) {
        store->config.defer(store->config.arg, work, done, store);
    } else {
        work(store);
        done(store);
    }
}

void store_commit(struct store *store) {
    if (store->busy)
        store->again = true;
    else
        start(store);
}

/* ---- Requests ---- */

bool store_is_full(const struct store *store) {
    return store->filling->count >= STORE_QUEUE_MAX ||
           store->filling->arena.used >= STORE_QUEUE_BYTES;
}

/* A new request in the batch that is being filled; null if there is no room. */
static struct request *ask(struct store *store, enum request_kind kind, store_callback *callback,
                           void *arg, struct refusal *why) {
    struct batch *batch = store->filling;
    if (store->closing || store_is_full(store)) {
        refuse_unavailable(why, store->closing ? "The store is being closed"
                                               : "Too much waits for the store already");
        return NULL;
    }
    struct request *request = arena_take(&batch->arena, sizeof *request);
    request->kind = kind;
    request->callback = callback;
    request->arg = arg;
    *batch->end = request;
    batch->end = &request->next;
    batch->count++;
    return request;
}

static const void *copy_bytes(struct arena *arena, const void *data, size_t size) {
    return size == 0 ? NULL : memcpy(arena_take(arena, size), data, size);
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
    struct arena *arena = &store->filling->arena;
    request->append = *append;
    request->append.code = arena_span(arena, append->code);
    request->append.entries = copy_spans(arena, append->entries, append->count);
    request->append.summary = copy_summary(arena, append->summary);
    request->append.match = copy_match(arena, append->match);
    return true;
}

/* Takes a request that needs no more than these members. */
static bool ask_for(struct store *store, struct request asked, struct refusal *why) {
    struct request *request = ask(store, asked.kind, asked.callback, asked.arg, why);
    if (!request)
        return false;
    request->key = arena_span(&store->filling->arena, asked.key);
    request->name = arena_span(&store->filling->arena, asked.name);
    request->number = asked.number;
    request->after_ms = asked.after_ms;
    request->after_place = asked.after_place;
    request->claim_ms = asked.claim_ms;
    request->lease_ms = asked.lease_ms;
    request->max = asked.max;
    return true;
}

bool store_load(struct store *store, struct span code, int64_t after_version,
                store_callback *callback, void *arg, struct refusal *why) {
    return limits_code(code, why) && limits_number(after_version, "The version", why) &&
           ask_for(store,
                   (struct request){.kind = REQUEST_LOAD,
                                    .callback = callback,
                                    .arg = arg,
                                    .key = code,
                                    .number = after_version},
                   why);
}

bool store_due(struct store *store, int64_t until_ms, size_t max, store_callback *callback,
               void *arg, struct refusal *why) {
    return store_due_after(store, INT64_MIN, 0, until_ms, max, callback, arg, why);
}

bool store_due_after(struct store *store, int64_t after_ms, int64_t after_place, int64_t until_ms,
                     size_t max, store_callback *callback, void *arg, struct refusal *why) {
    return limits_page(max, why) && ask_for(store,
                                            (struct request){.kind = REQUEST_DUE,
                                                             .callback = callback,
                                                             .arg = arg,
                                                             .number = until_ms,
                                                             .after_ms = after_ms,
                                                             .after_place = after_place,
                                                             .max = max},
                                            why);
}

bool store_claim(struct store *store, int64_t until_ms, int64_t now_ms, int64_t lease_ms,
                 size_t max, store_callback *callback, void *arg, struct refusal *why) {
    return limits_page(max, why) &&
           ask_for(store,
                   (struct request){.kind = store->shared ? REQUEST_CLAIM : REQUEST_DUE,
                                    .callback = callback,
                                    .arg = arg,
                                    .number = until_ms,
                                    .after_ms = INT64_MIN,
                                    .claim_ms = now_ms,
                                    .lease_ms = lease_ms,
                                    .max = max},
                   why);
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

bool store_archive(struct store *store, const struct store_ages *ages, store_callback *callback,
                   void *arg, struct refusal *why) {
    struct request *request = NULL;
    if (limits_page(ages->max, why))
        request = ask(store, REQUEST_ARCHIVE, callback, arg, why);
    if (request)
        request->ages = *ages;
    return request != NULL;
}

bool store_player_add(struct store *store, const struct store_player *player,
                      store_callback *callback, void *arg, struct refusal *why) {
    if (!limits_player(player, why))
        return false;
    struct request *request = ask(store, REQUEST_PLAYER_ADD, callback, arg, why);
    if (!request)
        return false;
    struct arena *arena = &store->filling->arena;
    request->player = *player;
    request->player.id = arena_span(arena, player->id);
    request->player.name = arena_span(arena, player->name);
    request->player.token_hash = copy_bytes(arena, player->token_hash, STORE_TOKEN_SIZE);
    return true;
}

bool store_player_by_token(struct store *store, const uint8_t token_hash[STORE_TOKEN_SIZE],
                           store_callback *callback, void *arg, struct refusal *why) {
    struct span bytes = {(const char *)token_hash, STORE_TOKEN_SIZE};
    return ask_for(
        store,
        (struct request){
            .kind = REQUEST_PLAYER_BY_TOKEN, .callback = callback, .arg = arg, .key = bytes},
        why);
}

bool store_player_by_id(struct store *store, struct span id, store_callback *callback, void *arg,
                        struct refusal *why) {
    return limits_id(id, why) &&
           ask_for(store,
                   (struct request){
                       .kind = REQUEST_PLAYER_BY_ID, .callback = callback, .arg = arg, .key = id},
                   why);
}

bool store_player_seen(struct store *store, struct span id, struct span name, int64_t seen_ms,
                       store_callback *callback, void *arg, struct refusal *why) {
    return limits_id(id, why) && limits_text(name, 0, STORE_NAME_MAX, "The name", why) &&
           limits_number(seen_ms, "The time", why) &&
           ask_for(store,
                   (struct request){.kind = REQUEST_PLAYER_SEEN,
                                    .callback = callback,
                                    .arg = arg,
                                    .key = id,
                                    .name = name,
                                    .number = seen_ms},
                   why);
}

bool store_player_records(struct store *store, struct span id, size_t games_max,
                          store_callback *callback, void *arg, struct refusal *why) {
    return limits_id(id, why) &&
           ask_for(store,
                   (struct request){.kind = REQUEST_PLAYER_RECORDS,
                                    .callback = callback,
                                    .arg = arg,
                                    .key = id,
                                    .max = games_max < STORE_LIST_MAX ? games_max : STORE_LIST_MAX},
                   why);
}

/* ---- Stores that are shared ---- */

void store_listen(struct store *store, void *loop, const struct store_listener *listener) {
    if (store->shared)
        store->backing.backend->listen(store->backing.self, loop, listener);
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
           ask_for(store,
                   (struct request){
                       .kind = REQUEST_FINISHED, .callback = callback, .arg = arg, .max = max},
                   why);
}

bool store_exported(struct store *store, struct span code, int64_t version,
                    store_callback *callback, void *arg, struct refusal *why) {
    return is_exported(store, why) && ask_for(store,
                                              (struct request){.kind = REQUEST_EXPORTED,
                                                               .callback = callback,
                                                               .arg = arg,
                                                               .key = code,
                                                               .number = version},
                                              why);
}

const char *store_secret(const struct store *store) {
    return store->shared ? store->backing.backend->secret(store->backing.self) : NULL;
}
