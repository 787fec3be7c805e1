#include "cli/speed.h"

#include <math.h>
#include <time.h>

static const double bin_growth = 1.04;

double cli_thread_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void cli_speed_add(struct cli_speed *speed, double seconds) {
    double bin = seconds > 1e-6 ? log(seconds * 1e6) / log(bin_growth) : 0;
    speed->decisions++;
    speed->seconds += seconds;
    speed->bins[bin < CLI_SPEED_BINS - 1 ? (int)bin : CLI_SPEED_BINS - 1]++;
}

void cli_speed_join(struct cli_speed *speed, const struct cli_speed *other) {
    speed->decisions += other->decisions;
    speed->seconds += other->seconds;
    for (int bin = 0; bin < CLI_SPEED_BINS; bin++)
        speed->bins[bin] += other->bins[bin];
}

double cli_speed_mean_ms(const struct cli_speed *speed) {
    return speed->decisions > 0 ? speed->seconds * 1e3 / (double)speed->decisions : 0;
}

double cli_speed_p99_ms(const struct cli_speed *speed) {
    uint64_t below = 0;
    int bin = 0;
    while (bin < CLI_SPEED_BINS - 1 && (below += speed->bins[bin]) * 100 < speed->decisions * 99)
        bin++;
    return speed->decisions > 0 ? pow(bin_growth, bin + 1) / 1e3 : 0;
}
