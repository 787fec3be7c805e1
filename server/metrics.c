/* See metrics.h; the format is Prometheus' text format 0.0.4. */
#include "server/metrics.h"
#include "server/api/reads.h"
#include "server/channels/pusher.h"
#include "server/rooms/rooms.h"
#include "server/webpush/webpush.h"
#include "store/store.h"

#include "engine/ensure.h"
#include "server/app.h"
#include "store/reserve.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static const uint64_t bounds_us[METRICS_BUCKETS] = {500,   1000,  2500,   5000,   10000,
                                                    25000, 50000, 100000, 500000, 1000000};

/* Accepts only types that a client could know, so that people cannot make the list grow. */
static bool is_type(struct span type) {
    for (size_t i = 0; i < type.length; i++) {
        char c = type.data[i];
        if (!((c >= 'a' && c <= 'z') || c == '-'))
            return false;
    }
    return type.length > 0 && type.length < sizeof((struct metrics_action *)0)->type;
}

/* A type enters the list with its first success; until then it is counted among the others. */
static struct metrics_action *find(struct metrics *metrics, struct span type, bool may_add) {
    for (int i = 0; i < metrics->action_count; i++)
        if (span_is(type, metrics->actions[i].type))
            return &metrics->actions[i];
    if (metrics->action_count == 0)
        memcpy(metrics->actions[metrics->action_count++].type, "other", sizeof "other");
    if (!may_add || metrics->action_count == METRICS_TYPES_MAX)
        return &metrics->actions[0];
    struct metrics_action *action = &metrics->actions[metrics->action_count++];
    memcpy(action->type, type.data, type.length);
    return action;
}

void metrics_action(struct metrics *metrics, struct span type, enum metrics_result result) {
    find(metrics, type, is_type(type) && result == METRICS_DONE)->counts[result]++;
}

void metrics_time(struct histogram *histogram, uint64_t ns) {
    int bucket = 0;
    while (bucket < METRICS_BUCKETS && ns > bounds_us[bucket] * 1000)
        bucket++;
    histogram->counts[bucket]++;
    histogram->ns += ns;
}

void metrics_answer(struct metrics *metrics, const char *route, int status, uint64_t ns) {
    int at = 0;
    while (at < metrics->route_count && metrics->routes[at].name != route)
        at++;
    if (at == metrics->route_count) {
        ensure(at < METRICS_ROUTES_MAX);
        metrics->routes[metrics->route_count++].name = route;
    }
    metrics_time(&metrics->routes[at].seconds, ns);
    metrics->answers[status / 100 % 6]++;
}

/* ---- Writing ---- */

__attribute__((format(printf, 2, 3))) static void put(struct text *out, const char *format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    ensure(length >= 0 && (size_t)length < sizeof line);
    text_string(out, line);
}

static void put_head(struct text *out, const char *name, const char *kind, const char *help) {
    put(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind);
}

/* What only grows is called so. */
static const char *kind_of(const char *name) {
    return strstr(name, "_total") ? "counter" : "gauge";
}

static void put_number(struct text *out, const char *name, const char *help, uint64_t value) {
    put_head(out, name, kind_of(name), help);
    put(out, "%s %" PRIu64 "\n", name, value);
}

/* Nanoseconds as seconds. */
#define SECONDS        "%" PRIu64 ".%09" PRIu64
#define AS_SECONDS(ns) (ns) / 1000000000, (ns) % 1000000000

static void put_timed(struct text *out, const char *name, const char *help, uint64_t ns) {
    put_head(out, name, kind_of(name), help);
    put(out, "%s " SECONDS "\n", name, AS_SECONDS(ns));
}

static void put_actions(const struct metrics *metrics, struct text *out) {
    static const char *const results[METRICS_RESULTS] = {"done", "refused", "duplicate"};
    put_head(out, "oyster_actions_total", "counter", "Actions by type and result.");
    for (int i = 0; i < metrics->action_count; i++)
        for (int j = 0; j < METRICS_RESULTS; j++)
            put(out, "oyster_actions_total{type=\"%s\",result=\"%s\"} %" PRIu64 "\n",
                metrics->actions[i].type, results[j], metrics->actions[i].counts[j]);
}

/* `labels` may be empty. */
static void put_histogram(struct text *out, const char *name, const char *labels,
                          const struct histogram *histogram) {
    const char *comma = *labels ? "," : "", *open = *labels ? "{" : "", *close = *labels ? "}" : "";
    uint64_t count = 0;
    for (int i = 0; i <= METRICS_BUCKETS; i++) {
        char bound[32] = "+Inf";
        if (i < METRICS_BUCKETS)
            snprintf(bound, sizeof bound, SECONDS, AS_SECONDS(bounds_us[i] * 1000));
        count += histogram->counts[i];
        put(out, "%s_bucket{%s%sle=\"%s\"} %" PRIu64 "\n", name, labels, comma, bound, count);
    }
    put(out, "%s_sum%s%s%s " SECONDS "\n", name, open, labels, close, AS_SECONDS(histogram->ns));
    put(out, "%s_count%s%s%s %" PRIu64 "\n", name, open, labels, close, count);
}

static void put_times(const struct metrics *metrics, struct text *out) {
    put_head(out, "oyster_action_seconds", "histogram", "From the request to the durable answer.");
    put_histogram(out, "oyster_action_seconds", "", &metrics->latency);
    put_head(out, "oyster_loop_turn_seconds", "histogram",
             "Turns of the event loop, without its rest: how long others had to wait.");
    put_histogram(out, "oyster_loop_turn_seconds", "", &metrics->turns);
    put_head(out, "oyster_http_seconds", "histogram", "From the whole request to its answer.");
    for (int i = 0; i < metrics->route_count; i++) {
        char labels[128];
        int length = snprintf(labels, sizeof labels, "route=\"%s\"", metrics->routes[i].name);
        ensure(length > 0 && (size_t)length < sizeof labels);
        put_histogram(out, "oyster_http_seconds", labels, &metrics->routes[i].seconds);
    }
}

static void put_answers(const struct metrics *metrics, struct text *out) {
    put_head(out, "oyster_http_answers_total", "counter", "Answers by class of status.");
    for (int i = 1; i < 6; i++)
        put(out, "oyster_http_answers_total{class=\"%dxx\"} %" PRIu64 "\n", i, metrics->answers[i]);
}

void metrics_write(const struct app *app, struct text *out) {
    struct net_figures net = net_figures(app->net);
    struct rooms_figures rooms = rooms_figures(app->rooms);
    struct pusher_figures pusher = pusher_figures(app->pusher);
    struct reads_figures reads = reads_figures(app->reads);
    struct store_figures store = store_figures(app->store);
    struct rusage usage;
    size_t memory = 0;
    getrusage(RUSAGE_SELF, &usage);
    uv_resident_set_memory(&memory);
    put_number(out, "oyster_connections", "Open connections.", (uint64_t)net.peers);
    put_number(out, "oyster_connections_refused_total", "Beyond a limit.", net.refused);
    put_number(out, "oyster_connections_slow_total", "Closed because they did not read.", net.slow);
    put_number(out, "oyster_sockets", "Open WebSockets.", (uint64_t)pusher.sockets);
    put_number(out, "oyster_received_bytes_total", "Received.", net.bytes_in);
    put_number(out, "oyster_sent_bytes_total", "Sent.", net.bytes_out);
    put_number(out, "oyster_sent_together_total",
               "Calls of the kernel that sent to several sockets (io_uring).", net.batches);
    put_answers(&app->metrics, out);
    put_number(out, "oyster_worlds_loaded", "Worlds in memory.", (uint64_t)rooms.loaded);
    put_number(out, "oyster_entries_waiting", "Entries that wait for the store.",
               (uint64_t)rooms.waiting_entries);
    put_actions(&app->metrics, out);
    put_times(&app->metrics, out);
    put_number(out, "oyster_reads_waiting", "Costly reads that wait or are under way.",
               (uint64_t)reads.waiting);
    put_number(out, "oyster_reads_running_most",
               "Costly reads that were under way at the same time, at the most.",
               (uint64_t)reads.running_most);
    put_number(out, "oyster_reads_made_total", "Records, pasts and saves that were made.",
               reads.made);
    put_number(out, "oyster_reads_kept_total", "Answers with one that had been made before.",
               reads.from_kept);
    put_number(out, "oyster_bot_moves_total", "Moves by bots.", rooms.bot_moves);
    put_timed(out, "oyster_bot_seconds_total", "Bots' thinking time.", rooms.bot_ns);
    put_number(out, "oyster_store_commits_total", "Batches written.", store.batches);
    put_number(out, "oyster_store_requests_total", "Requests in all batches.", store.requests);
    put_number(out, "oyster_worlds_went_back_total",
               "Worlds whose store had lost what it had confirmed.", rooms.went_back);
    put_number(out, "oyster_store_failures_total", "Requests that failed.", store.failures);
    put_timed(out, "oyster_store_seconds_total", "Time spent on batches.", store.work_ns);
    if (app->webpush) {
        struct webpush_figures webpush = webpush_figures(app->webpush);
        put_number(out, "oyster_push_sent_total", "Calls that push services took.", webpush.sent);
        put_number(out, "oyster_push_failed_total", "Calls that they did not take.",
                   webpush.failed + webpush.dropped);
        put_number(out, "oyster_push_gone_total", "Subscriptions that had ended.", webpush.gone);
    }
    put_number(out, "oyster_memory_short_total",
               "Times that memory was missing and the reserve was used.", reserve_uses());
    put_number(out, "process_resident_memory_bytes", "Memory.", memory);
    put_timed(out, "process_cpu_seconds_total", "CPU time.",
              (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000 +
                  (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000);
}
