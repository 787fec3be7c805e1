/* A person goes for good: out of every world in which they ever were, one after the other, and then
 * out of the store. docs/decisions/0014-erasing.md says what stays and why.
 *
 * Nothing is answered before all of it is done. What failed half-way is done again when the person
 * asks again: worlds from which they are gone already are not listed any more. */
#include "server/api/reads.h"
#include "server/net/secrets.h"
#include "server/ops/log.h"
#include "server/rooms/summary.h"

#include "engine/ensure.h"
#include "store/reserve.h"
#include <stdlib.h>
#include <string.h>

enum {
    ERASE_UNITS = 20,
    TRIES_MAX = 100, /* for one world, whose log may go on between reading and writing */
    ID_TAIL = 12     /* random letters of the id that is there instead */
};

struct erasure {
    bool forgotten; /* the store knows the person no longer */
    int tries;
    char code[STORE_CODE_MAX + 1];
    char other_id[WORLD_ID_MAX + 1];
    /* The log of the world, line by line, and what comes of it. */
    struct text log;
    int64_t version;
    uint64_t chain, chain_before, chain_after;
    char *lines; /* those that change */
    struct store_entry *entries;
    size_t count;
    bool folds;       /* the log, as it was; the new one always does then */
    bool is_mistaken; /* or not, which is our own mistake */
    struct room_summary summary;
    char owner[WORLD_ID_MAX + 1];
};

static void free_log(struct erasure *erasure) {
    free(erasure->log.data);
    free(erasure->lines);
    free(erasure->entries);
    erasure->log = (struct text){0};
    erasure->lines = NULL;
    erasure->entries = NULL;
    erasure->count = 0;
    erasure->version = 0;
}

void erasure_free(struct request *request) {
    if (!request->erasure)
        return;
    sessions_bar(request->app->sessions, request->session.id, false);
    free_log(request->erasure);
    free(request->erasure);
}

static bool fail(struct refusal *why) {
    log_line(LOG_WARN, "erasing_failed", "why", why->text, NULL);
    return refuse(why, "UNAVAILABLE", "Not everything could be erased; please try again");
}

static void end(struct request *request, const struct refusal *reason) {
    struct refusal why = *reason;
    fail(&why);
    request_refuse(request, &why);
}

/* Takes the step once more, but not without end. */
static void try_again(struct request *request, request_step *step) {
    struct refusal why;
    refuse(&why, "UNAVAILABLE", "A world goes on too fast");
    if (++request->erasure->tries < TRIES_MAX)
        request_take(request, step);
    else
        end(request, &why);
}

/* ---- One world: its new log ---- */

static request_step next_world, load_page;

/* Calls `each` for every line of a log. */
static bool for_lines(struct span log, bool (*each)(void *arg, struct span line), void *arg) {
    while (log.length > 0)
        if (!each(arg, span_take_until(&log, '\n')))
            return false;
    return true;
}

static bool fold(void *world, struct span line) {
    return world_fold(world, line, NULL);
}

struct rewriting {
    struct world_erasure erasure;
    struct erasure *out;
    struct text changed; /* the lines that change, one after the other */
    struct text whole;   /* all of them as they are from now on */
    int64_t version;
};

static bool look(void *arg, struct span line) {
    struct rewriting *rewriting = arg;
    world_erase_look(&rewriting->erasure, line);
    return true;
}

static bool rewrite(void *arg, struct span line) {
    struct rewriting *rewriting = arg;
    struct erasure *out = rewriting->out;
    struct text *changed = &rewriting->changed;
    size_t start = changed->length;
    rewriting->version++;
    out->chain_before = store_chain(out->chain_before, line);
    if (world_erase_line(&rewriting->erasure, line, changed)) {
        line = (struct span){changed->data + start, changed->length - start};
        out->entries[out->count++] = (struct store_entry){rewriting->version, line};
    }
    out->chain_after = store_chain(out->chain_after, line);
    text_span(&rewriting->whole, line);
    text_char(&rewriting->whole, '\n');
    return true;
}

/* Any line may get longer by a name or two and the id, wherever that stands. */
static size_t size_after(const struct erasure *erasure) {
    return 4 * erasure->log.length + (size_t)erasure->version * 64 + 64;
}

static bool folds(struct span log, struct world *world) {
    world_empty(world, &world_times_usual);
    return for_lines(log, fold, world);
}

/* On another thread. */
static void rewrite_log(struct request *request) {
    struct erasure *erasure = request->erasure;
    struct span log = {erasure->log.data, erasure->log.length};
    struct rewriting *rewriting = reserve_calloc(1, sizeof *rewriting);
    struct world *world = reserve_calloc(1, sizeof *world);
    size_t size = size_after(erasure);
    erasure->chain_before = erasure->chain_after = STORE_CHAIN_START;
    erasure->entries = reserve_calloc((size_t)erasure->version + 1, sizeof *erasure->entries);
    rewriting->out = erasure;
    rewriting->erasure.id = span_of(request->session.id);
    rewriting->erasure.other_id = span_of(erasure->other_id);
    text_begin(&rewriting->changed, erasure->lines = reserve_malloc(size), size);
    text_begin(&rewriting->whole, reserve_malloc(size), size);
    for_lines(log, look, rewriting);
    for_lines(log, rewrite, rewriting);
    erasure->folds = folds((struct span){rewriting->whole.data, rewriting->whole.length}, world);
    if (erasure->folds) {
        summary_of(world, &erasure->summary);
        memcpy(erasure->owner, world->owner, sizeof erasure->owner);
    }
    erasure->is_mistaken = !erasure->folds && folds(log, world);
    free(rewriting->whole.data);
    free(rewriting);
    free(world);
}

/* ---- One world: reading and writing ---- */

static void on_rewritten(void *arg, const struct store_reply *reply) {
    struct request *request = arg;
    if (reply->outcome == STORE_OK || reply->outcome == STORE_MISSING) {
        rooms_rewritten(request->app->rooms, span_of(request->erasure->code));
        reads_again(request, next_world); /* others come in between */
    } else if (reply->outcome != STORE_CONFLICT) {
        end(request, &reply->why);
    } else {
        free_log(request->erasure);
        try_again(request, load_page);
    }
}

static bool write_log(struct request *request, struct refusal *why) {
    struct erasure *erasure = request->erasure;
    if (erasure->is_mistaken) {
        log_line(LOG_ERROR, "erasing_breaks_log", "world", erasure->code, NULL);
        refuse(why, "INTERNAL", "A log would be broken");
        return fail(why);
    }
    if (erasure->chain != 0 && erasure->chain != erasure->chain_before) { /* it changed meanwhile */
        on_rewritten(request, &(struct store_reply){.outcome = STORE_CONFLICT});
        return true;
    }
    struct store_rewrite rewrite = {.code = span_of(erasure->code),
                                    .version = erasure->version,
                                    .chain = erasure->chain,
                                    .chain_after = erasure->chain == 0 ? 0 : erasure->chain_after,
                                    .entries = erasure->entries,
                                    .count = erasure->count,
                                    .owner = span_of(erasure->folds ? erasure->owner : ""),
                                    .summary = erasure->folds ? erasure->summary.summary.text
                                                              : span_of("{}"),
                                    .player = span_of(request->session.id),
                                    .name = span_of(WORLD_ERASED_NAME)};
    return store_rewrite(request->app->store, &rewrite, on_rewritten, request, why) || fail(why);
}

static void add_lines(struct erasure *erasure, const struct store_reply *reply) {
    struct text *log = &erasure->log;
    size_t more = 1;
    for (size_t i = 0; i < reply->count; i++)
        more += reply->entries[i].text.length + 1;
    log->size = log->length + more;
    log->data = reserve_realloc(log->data, log->size);
    for (size_t i = 0; i < reply->count; i++) {
        text_span(log, reply->entries[i].text);
        text_char(log, '\n');
    }
    ensure(!log->cut);
    erasure->version += (int64_t)reply->count;
    erasure->chain = reply->chain;
}

static void on_page(void *arg, const struct store_reply *reply) {
    struct request *request = arg;
    if (reply->outcome == STORE_OK)
        add_lines(request->erasure, reply);
    if (reply->outcome == STORE_MISSING)
        request_take(request, next_world);
    else if (reply->outcome != STORE_OK)
        end(request, &reply->why);
    else if (reply->more && reply->count > 0)
        request_take(request, load_page);
    else
        reads_work(request, rewrite_log, write_log);
}

static bool load_page(struct request *request, struct refusal *why) {
    return store_load(request->app->store, span_of(request->erasure->code),
                      request->erasure->version, on_page, request, why) ||
           fail(why);
}

/* ---- One world: leaving it ---- */

static request_step find_room;

static void on_left(void *arg, const struct room_failure *failure) {
    if (!failure)
        request_take(arg, load_page);
    else if (failure->code != REPLICA_BEHIND)
        end(arg, &failure->why);
    else
        try_again(arg, find_room);
}

/* A world that is neither in memory nor readable has nobody connected, so its log is rewritten
 * without `quit`. */
static void on_room(void *arg, struct room *room, const struct room_failure *failure) {
    struct request *request = arg;
    struct world_action action = {.id = span_of(request->session.id), .words = span_of("quit")};
    struct refusal why;
    if (!room && failure->code == REPLICA_UNREAD)
        end(request, &failure->why);
    else if (!room)
        request_take(request, load_page);
    else if (!world_find_member(room_world(room), action.id) &&
             !world_owns_seat(room_world(room), action.id))
        room_when_durable(room, on_left, request);
    else if (room_act(room, &action, on_left, request, &why) == WORLD_REFUSED)
        end(request, &why);
}

static bool find_room(struct request *request, struct refusal *why) {
    rooms_refresh(request->app->rooms, span_of(request->erasure->code), on_room, request);
    return true;
}

/* ---- All of them ---- */

static void on_forgotten(void *arg, const struct store_reply *reply) {
    struct request *request = arg;
    request->erasure->forgotten = reply->outcome == STORE_OK;
    if (reply->outcome == STORE_OK) {
        server_send_away(request->app, request->session.id, SEND_AWAY_ALL, "");
        sessions_forget(request->app->sessions, span_of(request->session.id));
        request_take(request, next_world); /* one that was on its way */
    } else if (reply->outcome == STORE_CONFLICT) {
        try_again(request, next_world);
    } else {
        end(request, &reply->why);
    }
}

static bool forget(struct request *request, struct refusal *why) {
    return store_player_erase(request->app->store, span_of(request->session.id), on_forgotten,
                              request, why) ||
           fail(why);
}

static void begin_world(struct request *request, const struct store_world *world) {
    struct erasure *erasure = request->erasure;
    free_log(erasure);
    ensure(world->code.length < sizeof erasure->code);
    memcpy(erasure->code, world->code.data, world->code.length);
    erasure->code[world->code.length] = '\0';
    memcpy(erasure->other_id, WORLD_ERASED_ID, sizeof WORLD_ERASED_ID);
    secrets_make_id_tail(erasure->other_id + sizeof WORLD_ERASED_ID - 1, ID_TAIL);
    request_take(request, world->is_archived ? load_page : find_room);
}

static void on_listed(void *arg, const struct store_reply *reply) {
    struct request *request = arg;
    if (reply->outcome != STORE_OK) {
        end(request, &reply->why);
    } else if (reply->count > 0) {
        begin_world(request, &reply->worlds[0]);
    } else if (request->erasure->forgotten) {
        log_line(LOG_INFO, "erased", NULL);
        request_answer_logged_out(request);
    } else {
        request_take(request, forget);
    }
}

static bool next_world(struct request *request, struct refusal *why) {
    return store_list_visited(request->app->store, span_of(request->session.id), 0, 1, on_listed,
                              request, why) ||
           fail(why);
}

static bool begin(struct request *request, struct refusal *why) {
    sessions_bar(request->app->sessions, request->session.id, true);
    request->erasure = reserve_calloc(1, sizeof *request->erasure);
    server_send_away(request->app, request->session.id, SEND_AWAY_ALL, "");
    return next_world(request, why);
}

bool route_post_erase(struct request *request, struct refusal *why) {
    return (json_is_true(json_object_get(request->body, "erase")) ||
            refuse(why, "BAD_REQUEST", "Say \"erase\": true, since this cannot be undone")) &&
           reads_wait_aside(request, ERASE_UNITS, begin, why);
}
