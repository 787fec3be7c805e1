/* For tests/api: a machine whose clock is wrong. Loaded before a program (LD_PRELOAD), it adds
 * SKEW_MS milliseconds to the time of day; clocks that only measure are left alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static long skew_ms(void) {
    const char *text = getenv("SKEW_MS");
    return text ? strtol(text, NULL, 10) : 0;
}

static void add(struct timespec *time) {
    long ns = time->tv_nsec + skew_ms() % 1000 * 1000000;
    long carry = ns >= 1000000000 ? 1 : ns < 0 ? -1 : 0;
    time->tv_sec += skew_ms() / 1000 + carry;
    time->tv_nsec = ns - carry * 1000000000;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, time);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        add(time);
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *time = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return 0;
}
