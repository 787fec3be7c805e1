/* How fast the Redis store is: `redis_bench UNIX_SOCKET [seconds per figure]`, one unless told; the
 * server behind the socket must be empty and is emptied. Beside it, in turns within the same run
 * and with as many requests in flight, stands the bare script (bare.h).
 *
 * `redis_bench UNIX_SOCKET SECONDS bare GROUP`: the bare script alone, so many at a time, beside
 * whatever else the server has. Prints appends a second. */
#include "bench/append.h"
#include "bench/bare.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WORLDS = BARE_WORLDS, ROUNDS = 10 };

struct bench {
    struct store *store;
    struct bare bare;
    int64_t version[WORLDS], bare_version[WORLDS];
    uint64_t next, bare_next, answered;
};

static void fail(const char *what) {
    fprintf(stderr, "redis_bench: %s\n", what);
    exit(1);
}

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void count(void *arg, const struct store_reply *reply) {
    if (reply->outcome != STORE_OK)
        fail(reply->why.text);
    ++*(uint64_t *)arg;
}

static void append_group(struct bench *bench, int group) {
    struct span line = {bare_line, sizeof bare_line - 1};
    for (int i = 0; i < group; i++) {
        int world = (int)(bench->next++ % WORLDS);
        if (!append_next(bench->store, world, &bench->version[world], (int64_t)bench->next, line,
                         count, &bench->answered))
            fail("not taken");
    }
    store_commit(bench->store);
}

static void bare_group(struct bench *bench, int group) {
    for (int i = 0; i < group; i++) {
        size_t world = bench->bare_next++ % WORLDS;
        bare_append(&bench->bare, (int)world, bench->bare_version[world]++,
                    1731658005711 + (long long)bench->bare_next);
    }
    for (int i = 0; i < group; i++)
        if (!bare_answer(&bench->bare))
            fail("the bare script");
}

static double rate(struct bench *bench, void (*run)(struct bench *, int), int group,
                   double seconds) {
    uint64_t rows = 0;
    double begin = now_s(), end = begin;
    for (; end - begin < seconds; end = now_s(), rows += (uint64_t)group)
        run(bench, group);
    return (double)rows / (end - begin);
}

static void forget(struct bench *bench) {
    for (int i = 0; i < WORLDS; i++)
        freeReplyObject(redisCommand(bench->bare.context, "DEL bare:%d", i));
    freeReplyObject(redisCommand(bench->bare.context, "DEL bare:due"));
}

static int bare_alone(struct bench *bench, double seconds, int group) {
    forget(bench);
    printf("%.0f\n", rate(bench, bare_group, group, seconds));
    forget(bench);
    redisFree(bench->bare.context);
    return 0;
}

int main(int argc, char **argv) {
    static struct bench bench;
    static const int groups[] = {1, 16, 64, 256};
    double seconds = argc > 2 ? atof(argv[2]) : 1;
    char where[256];
    struct refusal why;
    if (argc < 2)
        fail("which socket?");
    if (!bare_open(&bench.bare, argv[1]))
        fail("no Redis there");
    if (argc > 4)
        return bare_alone(&bench, seconds, atoi(argv[4]));
    freeReplyObject(redisCommand(bench.bare.context, "FLUSHALL"));
    snprintf(where, sizeof where, "unix://%s", argv[1]);
    bench.store = store_open(&(struct store_config){.where = where}, &why);
    if (!bench.store)
        fail(why.text);
    append_group(&bench, WORLDS);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        double store = 0, bare = 0;
        for (int round = 0; round < ROUNDS; round++) {
            store += rate(&bench, append_group, groups[i], seconds / ROUNDS) / ROUNDS;
            bare += rate(&bench, bare_group, groups[i], seconds / ROUNDS) / ROUNDS;
        }
        printf("groups of %3d: %8.0f entries/s, %.2f of the bare script (%.0f)\n", groups[i], store,
               store / bare, bare);
    }
    freeReplyObject(redisCommand(bench.bare.context, "FLUSHALL"));
    store_close(bench.store);
    redisFree(bench.bare.context);
    return 0;
}
