/* Figures for Prometheus. Counting is cheap and done on the loop's thread. */
#ifndef SERVER_METRICS_H
#define SERVER_METRICS_H

#include "engine/text.h"

enum { METRICS_TYPES_MAX = 48, METRICS_BUCKETS = 10 };

struct metrics_action {
    char type[24];
    uint64_t done, refused, duplicate;
};

struct metrics {
    uint64_t answers[6]; /* by hundreds of the status */
    int action_count;
    struct metrics_action actions[METRICS_TYPES_MAX];
    uint64_t latency[METRICS_BUCKETS + 1]; /* of accepted actions, until they were durable */
    uint64_t latency_ns;
    int64_t started_ms;
};

enum metrics_result { METRICS_DONE, METRICS_REFUSED, METRICS_DUPLICATE };

/* Types that nobody knows are counted as `other`. */
void metrics_action(struct metrics *metrics, struct span type, enum metrics_result result);
void metrics_latency(struct metrics *metrics, uint64_t ns);

struct app;
void metrics_write(const struct app *app, struct text *out);

#endif
