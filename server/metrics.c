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
    struct metrics_action *action = find(metrics, type, is_type(type) && result == METRICS_DONE);
    if (result == METRICS_DONE)
        action->done++;
    else if (result == METRICS_REFUSED)
        action->refused++;
    else
        action->duplicate++;
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

static void put_head(struct text *out, const char *name, const char *kind, const char *help) {
    text_string(out, "# HELP ");
    text_string(out, name);
    text_char(out, ' ');
    text_string(out, help);
    text_string(out, "\n# TYPE ");
    text_string(out, name);
    text_char(out, ' ');
    text_string(out, kind);
    text_char(out, '\n');
}

static void put_number(struct text *out, const char *name, const char *kind, const char *help,
                       uint64_t value) {
    put_head(out, name, kind, help);
    text_string(out, name);
    text_char(out, ' ');
    text_number(out, (int64_t)value);
    text_char(out, '\n');
}

static void put_seconds(struct text *out, uint64_t ns) {
    char digits[10];
    uint64_t rest = ns % 1000000000;
    text_number(out, (int64_t)(ns / 1000000000));
    for (int i = 8; i >= 0; i--, rest /= 10)
        digits[i] = (char)('0' + rest % 10);
    digits[9] = '\0';
    text_char(out, '.');
    text_string(out, digits);
}

static void put_actions(const struct metrics *metrics, struct text *out) {
    static const char *const results[] = {"done", "refused", "duplicate"};
    put_head(out, "oyster_actions_total", "counter", "Actions by type and result.");
    for (int i = 0; i < metrics->action_count; i++) {
        const struct metrics_action *action = &metrics->actions[i];
        uint64_t values[] = {action->done, action->refused, action->duplicate};
        for (int j = 0; j < 3; j++) {
            text_string(out, "oyster_actions_total{type=\"");
            text_string(out, action->type);
            text_string(out, "\",result=\"");
            text_string(out, results[j]);
            text_string(out, "\"} ");
            text_number(out, (int64_t)values[j]);
            text_char(out, '\n');
        }
    }
}

/* One line; `labels` may be empty, `bound` null. */
static void put_label(struct text *out, const char *name, const char *end, const char *labels,
                      const char *bound) {
    text_string(out, name);
    text_string(out, end);
    if (*labels || bound)
        text_char(out, '{');
    text_string(out, labels);
    if (bound) {
        text_string(out, *labels ? ",le=\"" : "le=\"");
        text_string(out, bound);
        text_char(out, '"');
    }
    text_string(out, *labels || bound ? "} " : " ");
}

static void put_histogram(struct text *out, const char *name, const char *labels,
                          const struct histogram *histogram) {
    uint64_t count = 0;
    for (int i = 0; i <= METRICS_BUCKETS; i++) {
        char digits[32] = "+Inf";
        struct text bound;
        if (i < METRICS_BUCKETS) {
            text_begin(&bound, digits, sizeof digits);
            put_seconds(&bound, bounds_us[i] * 1000);
        }
        count += histogram->counts[i];
        put_label(out, name, "_bucket", labels, digits);
        text_number(out, (int64_t)count);
        text_char(out, '\n');
    }
    put_label(out, name, "_sum", labels, NULL);
    put_seconds(out, histogram->ns);
    text_char(out, '\n');
    put_label(out, name, "_count", labels, NULL);
    text_number(out, (int64_t)count);
    text_char(out, '\n');
}

static void put_times(const struct metrics *metrics, struct text *out) {
    put_head(out, "oyster_action_seconds", "histogram", "From the request to the durable answer.");
    put_histogram(out, "oyster_action_seconds", "", &metrics->latency);
    put_head(out, "oyster_loop_turn_seconds", "histogram",
             "Turns of the event loop, without its rest: how long others had to wait.");
    put_histogram(out, "oyster_loop_turn_seconds", "", &metrics->turns);
    put_head(out, "oyster_http_seconds", "histogram", "From the whole request to its answer.");
    for (int i = 0; i < metrics->route_count; i++) {
        const struct metrics_route *route = &metrics->routes[i];
        char labels[128];
        struct text text;
        text_begin(&text, labels, sizeof labels);
        text_string(&text, "route=\"");
        text_string(&text, route->name);
        text_char(&text, '"');
        ensure(!text.cut);
        put_histogram(out, "oyster_http_seconds", labels, &route->seconds);
    }
}

static void put_answers(const struct metrics *metrics, struct text *out) {
    put_head(out, "oyster_http_answers_total", "counter", "Answers by class of status.");
    for (int i = 1; i < 6; i++) {
        text_string(out, "oyster_http_answers_total{class=\"");
        text_number(out, i);
        text_string(out, "xx\"} ");
        text_number(out, (int64_t)metrics->answers[i]);
        text_char(out, '\n');
    }
}

static void put_timed(struct text *out, const char *name, const char *help, uint64_t ns) {
    put_head(out, name, "counter", help);
    text_string(out, name);
    text_char(out, ' ');
    put_seconds(out, ns);
    text_char(out, '\n');
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
    put_number(out, "oyster_connections", "gauge", "Open connections.", (uint64_t)net.peers);
    put_number(out, "oyster_connections_refused_total", "counter", "Beyond a limit.", net.refused);
    put_number(out, "oyster_connections_slow_total", "counter", "Closed because they did not read.",
               net.slow);
    put_number(out, "oyster_sockets", "gauge", "Open WebSockets.", (uint64_t)pusher.sockets);
    put_number(out, "oyster_received_bytes_total", "counter", "Received.", net.bytes_in);
    put_number(out, "oyster_sent_bytes_total", "counter", "Sent.", net.bytes_out);
    put_number(out, "oyster_sent_together_total", "counter",
               "Calls of the kernel that sent to several sockets (io_uring).", net.batches);
    put_answers(&app->metrics, out);
    put_number(out, "oyster_worlds_loaded", "gauge", "Worlds in memory.", (uint64_t)rooms.loaded);
    put_number(out, "oyster_entries_waiting", "gauge", "Entries that wait for the store.",
               (uint64_t)rooms.waiting_entries);
    put_actions(&app->metrics, out);
    put_times(&app->metrics, out);
    put_number(out, "oyster_reads_waiting", "gauge", "Costly reads that wait or are under way.",
               (uint64_t)reads.waiting);
    put_number(out, "oyster_reads_running_most", "gauge",
               "Costly reads that were under way at the same time, at the most.",
               (uint64_t)reads.running_most);
    put_number(out, "oyster_reads_made_total", "counter",
               "Records, pasts and saves that were made.", reads.made);
    put_number(out, "oyster_reads_kept_total", "counter",
               "Answers with one that had been made before.", reads.from_kept);
    put_number(out, "oyster_bot_moves_total", "counter", "Moves by bots.", rooms.bot_moves);
    put_timed(out, "oyster_bot_seconds_total", "Bots' thinking time.", rooms.bot_ns);
    put_number(out, "oyster_store_commits_total", "counter", "Batches written.", store.batches);
    put_number(out, "oyster_store_requests_total", "counter", "Requests in all batches.",
               store.requests);
    put_number(out, "oyster_worlds_went_back_total", "counter",
               "Worlds whose store had lost what it had confirmed.", rooms.went_back);
    put_number(out, "oyster_store_failures_total", "counter", "Requests that failed.",
               store.failures);
    put_timed(out, "oyster_store_seconds_total", "Time spent on batches.", store.work_ns);
    if (app->webpush) {
        struct webpush_figures webpush = webpush_figures(app->webpush);
        put_number(out, "oyster_push_sent_total", "counter", "Calls that push services took.",
                   webpush.sent);
        put_number(out, "oyster_push_failed_total", "counter", "Calls that they did not take.",
                   webpush.failed + webpush.dropped);
        put_number(out, "oyster_push_gone_total", "counter", "Subscriptions that had ended.",
                   webpush.gone);
    }
    put_number(out, "oyster_memory_short_total", "counter",
               "Times that memory was missing and the reserve was used.", reserve_uses());
    put_number(out, "process_resident_memory_bytes", "gauge", "Memory.", memory);
    put_timed(out, "process_cpu_seconds_total", "CPU time.",
              (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000 +
                  (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000);
}
