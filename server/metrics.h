/* Figures for Prometheus. Counting is cheap and done on the loop's thread. */
#pragma once

#include "engine/text.h"

enum { METRICS_TYPES_MAX = 48, METRICS_ROUTES_MAX = 48, METRICS_BUCKETS = 10 };

/* How long things took, counted in steps of time; the last step has no upper end. */
struct histogram {
    uint64_t counts[METRICS_BUCKETS + 1];
    uint64_t ns;
};

enum metrics_result { METRICS_DONE, METRICS_REFUSED, METRICS_DUPLICATE, METRICS_RESULTS };

struct metrics_action {
    char type[24];
    uint64_t counts[METRICS_RESULTS];
};

struct metrics_route {
    const char *name; /* a constant string, known by its address */
    struct histogram seconds;
};

struct metrics {
    uint64_t answers[6]; /* by hundreds of the status */
    int route_count;
    struct metrics_route routes[METRICS_ROUTES_MAX];
    struct histogram turns; /* of the event loop, without its rest */
    int action_count;
    struct metrics_action actions[METRICS_TYPES_MAX];
    struct histogram latency; /* of accepted actions, until they were durable */
};

/* Types that nobody knows are counted as `other`. */
void metrics_action(struct metrics *metrics, struct span type, enum metrics_result result);
void metrics_time(struct histogram *histogram, uint64_t ns);
/* The name of a route is a constant string. */
void metrics_answer(struct metrics *metrics, const char *route, int status, uint64_t ns);

struct app;
void metrics_write(const struct app *app, struct text *out);
