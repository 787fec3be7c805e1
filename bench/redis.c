/* How fast the Redis store is: `redis_bench UNIX_SOCKET [seconds per figure]`, one unless told; the
 * server behind the socket must be empty and is emptied.
 *
 * Beside it, in turns within the same run and with as many requests in flight, stands the least
 * that such a store can ask of Redis: a script that compares a version, appends a line, sets a due
 * time and publishes. */
#include "store/store.h"
#include <hiredis/hiredis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WORLDS = 1000, ROUNDS = 10 };

static const char line[] = "1731658004711~9f2c40d1e8aa0b17 2 meld KH KS 2C / QH QD QS";
static const char bare_script[] =
    "if redis.call('LLEN', KEYS[1]) ~= tonumber(ARGV[1]) then return 0 end\n"
    "redis.call('RPUSH', KEYS[1], ARGV[2])\n"
    "redis.call('ZADD', KEYS[2], ARGV[3], KEYS[1])\n"
    "redis.call('PUBLISH', KEYS[1], ARGV[2])\n"
    "return 1\n";

struct bench {
    struct store *store;
    redisContext *bare;
    char hash[41];
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
    static const struct store_summary summary = {.game = {"hand-and-foot", 13},
                                                 .owner = {"ann", 3},
                                                 .text = {"{}", 2},
                                                 .status = STORE_PLAYING};
    char code[8];
    for (int i = 0; i < group; i++) {
        size_t world = bench->next++ % WORLDS;
        struct span text = {line, sizeof line - 1};
        snprintf(code, sizeof code, "W%05d", (int)world);
        struct store_append append = {.code = span_of(code),
                                      .expected_version = bench->version[world]++,
                                      .entries = &text,
                                      .count = 1,
                                      .now_ms = 1731658004711 + (int64_t)bench->next,
                                      .due_ms = 1731658005711 + (int64_t)bench->next,
                                      .summary = bench->version[world] == 1 ? &summary : NULL};
        if (!store_append(bench->store, &append, count, &bench->answered, NULL))
            fail("not taken");
    }
    store_commit(bench->store);
}

static void bare_group(struct bench *bench, int group) {
    for (int i = 0; i < group; i++) {
        size_t world = bench->bare_next++ % WORLDS;
        redisAppendCommand(bench->bare, "EVALSHA %s 2 bare:%d bare:due %lld %s %lld", bench->hash,
                           (int)world, (long long)bench->bare_version[world]++, line,
                           1731658005711 + (long long)bench->bare_next);
    }
    for (int i = 0; i < group; i++) {
        redisReply *reply;
        if (redisGetReply(bench->bare, (void **)&reply) != REDIS_OK || reply->integer != 1)
            fail("the bare script");
        freeReplyObject(reply);
    }
}

static double rate(struct bench *bench, void (*run)(struct bench *, int), int group,
                   double seconds) {
    uint64_t rows = 0;
    double begin = now_s(), end = begin;
    for (; end - begin < seconds; end = now_s(), rows += (uint64_t)group)
        run(bench, group);
    return (double)rows / (end - begin);
}

int main(int argc, char **argv) {
    static struct bench bench;
    static const int groups[] = {1, 16, 64, 256};
    double seconds = argc > 2 ? atof(argv[2]) : 1;
    char where[256];
    struct refusal why;
    if (argc < 2)
        fail("which socket?");
    bench.bare = redisConnectUnix(argv[1]);
    if (bench.bare->err != 0)
        fail(bench.bare->errstr);
    freeReplyObject(redisCommand(bench.bare, "FLUSHALL"));
    redisReply *reply = redisCommand(bench.bare, "SCRIPT LOAD %s", bare_script);
    snprintf(bench.hash, sizeof bench.hash, "%s", reply->str);
    freeReplyObject(reply);
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
    freeReplyObject(redisCommand(bench.bare, "FLUSHALL"));
    store_close(bench.store);
    redisFree(bench.bare);
    return 0;
}
