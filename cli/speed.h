/* How long decisions of bots take, in processor time. */
#pragma once

#include <stdint.h>

enum { CLI_SPEED_BINS = 512 };

/* Each bin of the histogram is 4 % wider than the one before; the first ends at 1 us. Starts as
 * zeros. */
struct cli_speed {
    uint64_t decisions;
    double seconds;
    uint64_t bins[CLI_SPEED_BINS];
};

/* Processor time of this thread so far. */
double cli_thread_seconds(void);

void cli_speed_add(struct cli_speed *speed, double seconds);
void cli_speed_join(struct cli_speed *speed, const struct cli_speed *other);

/* 0 if there was no decision. */
double cli_speed_mean_ms(const struct cli_speed *speed);
/* The end of the bin that 99 % of the decisions do not leave. */
double cli_speed_p99_ms(const struct cli_speed *speed);
