/* See reads.h. Those who wait and those whose turn it is are one list, in the order of asking. */
#include "server/api/reads.h"

#include "engine/ensure.h"
#include "store/reserve.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

struct kept {
    char *key;
    struct span text;
    struct kept *prev, *next;
};

struct reads {
    struct app *app;
    struct request *requests;
    int count, aside_count; /* of requests in the list: reads, and those aside */
    int at_once, running;   /* how many may have their turn, and do; without requests aside */
    bool aside;             /* a request aside has its turn, or `rest` runs after one */
    uv_timer_t rest;        /* until the next request aside may have its turn */
    uint64_t aside_ms;      /* when the turn of the last one began */
    bool going, stopped;
    struct kept *kept; /* the one that was used last comes first */
    size_t kept_count, kept_bytes;
    int running_most;
    uint64_t made, from_kept;
};

struct work {
    uv_work_t work;
    struct request *request;
    void (*run)(struct request *request);
    request_step *done;
};

struct reads *reads_open(struct app *app, int at_once) {
    struct reads *reads = reserve_calloc(1, sizeof *reads);
    reads->app = app;
    reads->at_once = at_once;
    uv_timer_init(&app->loop, &reads->rest);
    reads->rest.data = reads;
    return reads;
}

/* ---- Turns ---- */

bool reads_charge(struct request *request, int64_t units, struct refusal *why) {
    struct app *app = request->app;
    int64_t now = rooms_now(app->rooms);
    return ((!*request->session.id || rates_take_many(&app->read_units, request_person_key(request),
                                                      units, now, &request->retry_s)) &&
            request_take_of_address(request, app->read_units_of_address, units, 0)) ||
           refuse(why, "RATE_LIMITED", "You have read a lot; please wait a moment");
}

void reads_owe(struct request *request, int64_t units) {
    struct app *app = request->app;
    int64_t now = rooms_now(app->rooms);
    if (*request->session.id)
        rates_charge(&app->read_units, request_person_key(request), (uint32_t)units, now);
    request_charge_address(request, app->read_units_of_address, (uint32_t)units);
}

/* Where it counts: who waits to be erased does not keep others from reading. */
static int *counter_of(struct reads *reads, const struct request *request) {
    return request->aside ? &reads->aside_count : &reads->count;
}

/* How many of a person's requests are in the list. */
static int count_of(const struct reads *reads, const char *player) {
    const struct request *each;
    int count = 0;
    DL_FOREACH(reads->requests, each) {
        count += strcmp(each->session.id, player) == 0;
    }
    return count;
}

/* Is it the turn of another request of this person, or are they being erased? */
static bool is_busy(const struct reads *reads, const struct request *request) {
    const struct request *each;
    DL_FOREACH(reads->requests, each) {
        if (each != request && (each->reading || each->erasure) &&
            strcmp(each->session.id, request->session.id) == 0)
            return true;
    }
    return false;
}

static bool refuse_to_read(struct request *request, struct refusal *why) {
    return refuse(why, "UNAVAILABLE", "The server is about to stop");
}

static bool may_wait(struct request *request, struct refusal *why) {
    struct reads *reads = request->app->reads;
    if (reads->stopped)
        return refuse_to_read(request, why);
    if (*counter_of(reads, request) >= READS_WAITING_IN_ALL)
        return refuse(why, "UNAVAILABLE", "Too many people read at the moment; please try again");
    return count_of(reads, request->session.id) < READS_WAITING_MAX ||
           refuse(why, "RATE_LIMITED", "Please wait until what you asked for has been answered");
}

bool reads_wait(struct request *request, int64_t units, request_step *step, struct refusal *why) {
    struct reads *reads = request->app->reads;
    if (!may_wait(request, why) || !reads_charge(request, units, why))
        return false;
    request->reads = true;
    request->turn = step;
    ++*counter_of(reads, request);
    DL_APPEND(reads->requests, request);
    reads_go(reads);
    return true;
}

/* The first who waits and has nothing else under way, if another read may begin. */
static struct request *next_turn(const struct reads *reads) {
    struct request *each;
    DL_FOREACH(reads->requests, each) {
        bool full = each->aside ? reads->aside : reads->running >= reads->at_once;
        if (!full && !each->reading && !is_busy(reads, each))
            return each;
    }
    return NULL;
}

static void begin_turn(struct request *request) {
    struct reads *reads = request->app->reads;
    request->reading = true;
    if (request->aside) {
        reads->aside = true;
        reads->aside_ms = uv_hrtime() / 1000000;
    } else {
        reads->running++;
        if (reads->running > reads->running_most)
            reads->running_most = reads->running;
    }
}

static void on_rested(uv_timer_t *timer) {
    struct reads *reads = timer->data;
    reads->aside = false;
    reads_go(reads);
}

static void end_turn(struct request *request) {
    enum { RESTS = 3 }; /* times as long */
    struct reads *reads = request->app->reads;
    request->reading = false;
    if (!request->aside)
        reads->running--;
    else if (!reads->stopped)
        uv_timer_start(&reads->rest, on_rested, RESTS * (uv_hrtime() / 1000000 - reads->aside_ms),
                       0);
}

/* A step may end its request at once, which leads here again; then the loop that runs goes on. */
void reads_go(struct reads *reads) {
    struct request *request;
    if (reads->going)
        return;
    reads->going = true;
    while ((request = next_turn(reads))) {
        begin_turn(request);
        bool waited_for = !request->peer->closing || request->erasure;
        request_take(request, waited_for ? request->turn : refuse_to_read);
    }
    reads->going = false;
}

void reads_leave(struct request *request) {
    struct reads *reads = request->app->reads;
    if (request->reading)
        end_turn(request);
    DL_DELETE(reads->requests, request);
    --*counter_of(reads, request);
    request->reads = false;
}

bool reads_wait_aside(struct request *request, int64_t units, request_step *step,
                      struct refusal *why) {
    request->aside = true;
    return reads_wait(request, units, step, why);
}

void reads_again(struct request *request, request_step *step) {
    struct reads *reads = request->app->reads;
    end_turn(request);
    request->turn = step;
    DL_DELETE(reads->requests, request);
    DL_APPEND(reads->requests, request);
    if (reads->stopped)
        request_take(request, refuse_to_read);
    else
        reads_go(reads);
}

struct reads_figures reads_figures(const struct reads *reads) {
    return (struct reads_figures){.waiting = reads->count + reads->aside_count,
                                  .running_most = reads->running_most,
                                  .made = reads->made,
                                  .from_kept = reads->from_kept};
}

bool reads_idle(const struct reads *reads) {
    return !reads->requests;
}

void reads_stop(struct reads *reads) {
    struct request *each, *next;
    reads->stopped = reads->going = true;
    uv_close((uv_handle_t *)&reads->rest, NULL);
    DL_FOREACH_SAFE(reads->requests, each, next) {
        if (!each->reading)
            request_take(each, refuse_to_read);
    }
}

/* ---- Work ---- */

static void on_work(uv_work_t *uv) {
    struct work *work = (struct work *)uv;
    work->run(work->request);
}

static void on_worked(uv_work_t *uv, int status) {
    struct work work = *(struct work *)uv;
    (void)status;
    free(uv);
    request_take(work.request, work.done);
}

bool reads_work(struct request *request, void (*run)(struct request *request), request_step *done) {
    struct work *work = reserve_malloc(sizeof *work);
    ensure(request->reading);
    *work = (struct work){.request = request, .run = run, .done = done};
    ensure(uv_queue_work(&request->app->loop, &work->work, on_work, on_worked) == 0);
    return true;
}

/* ---- Texts that stay ---- */

enum { KEY_SIZE = 128 };

static void write_key(const struct reads_key *key, char out[KEY_SIZE]) {
    int length =
        snprintf(out, KEY_SIZE, "%s %s %s %" PRIx64, key->code, key->kind, key->id, key->chain);
    ensure(length > 0 && length < KEY_SIZE);
}

static void forget(struct reads *reads, struct kept *kept) {
    DL_DELETE(reads->kept, kept);
    reads->kept_count--;
    reads->kept_bytes -= kept->text.length;
    free((char *)kept->text.data);
    free(kept->key);
    free(kept);
}

struct span reads_kept(struct reads *reads, const struct reads_key *key) {
    char words[KEY_SIZE];
    struct kept *each;
    write_key(key, words);
    DL_FOREACH(reads->kept, each) {
        if (strcmp(each->key, words) != 0)
            continue;
        DL_DELETE(reads->kept, each);
        DL_PREPEND(reads->kept, each);
        reads->from_kept++;
        return each->text;
    }
    return (struct span){0};
}

/* The last one always stays, until it is answered at least. */
struct span reads_keep(struct reads *reads, const struct reads_key *key, struct span text) {
    char words[KEY_SIZE];
    struct kept *kept = reserve_calloc(1, sizeof *kept);
    write_key(key, words);
    kept->key = reserve_text(words, strlen(words));
    kept->text = text;
    DL_PREPEND(reads->kept, kept);
    reads->made++;
    reads->kept_count++;
    reads->kept_bytes += text.length;
    while (reads->kept->next &&
           (reads->kept_count > READS_KEPT_MAX || reads->kept_bytes > READS_KEPT_BYTES))
        forget(reads, reads->kept->prev);
    return text;
}

void reads_free(struct reads *reads) {
    while (reads->kept)
        forget(reads, reads->kept);
    free(reads);
}
