/* How fast the SQLite store is: `store_bench [seconds per figure]`, one unless told.
 *
 * Figures of disks mean nothing by themselves, so each stands beside the least that durability can
 * cost: the same lines written to a plain file with one fsync per group, in turns within the same
 * run. Groups are what one turn of the event loop collects. Then a file with 10,000 open worlds is
 * opened, as after a restart, until the due ones are known. Last, a long log is rewritten and then
 * archived: how long can somebody else's write have to wait for it? */
#include "bench/append.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WORLDS = 1000, MANY_WORLDS = 10000, ROUNDS = 10 };
enum { LONG_WORLDS = 10, LONG_ENTRIES = 18000 }; /* nearly as many as a world may have */

struct bench {
    char folder[64], file[96], plain[96];
    struct store *store;
    int64_t version[MANY_WORLDS];
    int next; /* world */
    uint64_t answered;
};

static const char line[] = "1731658004711~9f2c40d1e8aa0b17 2 meld KH KS 2C / QH QD QS";

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void fail(const char *what) {
    fprintf(stderr, "store_bench: %s\n", what);
    exit(1);
}

static void count(void *arg, const struct store_reply *reply) {
    if (reply->outcome != STORE_OK)
        fail(reply->why.text);
    ++*(uint64_t *)arg;
}

static void open_store(struct bench *bench) {
    struct refusal why;
    bench->store = store_open(&(struct store_config){.where = bench->file}, &why);
    if (!bench->store)
        fail(why.text);
}

/* Appends an entry to each of the next `group` worlds in turn. */
static void append_group(struct bench *bench, int group, int worlds) {
    for (int i = 0; i < group; i++) {
        int world = bench->next++ % worlds;
        struct span text = {line, sizeof line - 1};
        if (!append_next(bench->store, world * 7919 % 100000, &bench->version[world], bench->next,
                         text, count, &bench->answered))
            fail("not taken");
    }
    store_commit(bench->store);
}

/* Rows per second, measured for a share of a second. */
static double store_rate(struct bench *bench, int group, double seconds) {
    uint64_t before = bench->answered;
    double begin = now_s(), end = begin;
    for (; end - begin < seconds; end = now_s())
        append_group(bench, group, WORLDS);
    return (double)(bench->answered - before) / (end - begin);
}

static double plain_rate(int file, int group, double seconds) {
    char lines[128 * sizeof line];
    uint64_t rows = 0;
    for (int i = 0; i < group; i++) {
        memcpy(lines + (size_t)i * sizeof line, line, sizeof line - 1);
        lines[(size_t)(i + 1) * sizeof line - 1] = '\n';
    }
    double begin = now_s(), end = begin;
    for (; end - begin < seconds; end = now_s(), rows += (uint64_t)group)
        if (write(file, lines, (size_t)group * sizeof line) < 0 || fsync(file) != 0)
            fail("the plain file cannot be written");
    return (double)rows / (end - begin);
}

static void compare(struct bench *bench, int group, double seconds) {
    int file = open(bench->plain, O_CREAT | O_WRONLY | O_APPEND, 0600);
    double store = 0, plain = 0;
    for (int i = 0; i < ROUNDS; i++) {
        store += store_rate(bench, group, seconds / ROUNDS) / ROUNDS;
        plain += plain_rate(file, group, seconds / ROUNDS) / ROUNDS;
    }
    close(file);
    printf("groups of %3d: %9.0f entries/s, %.2f of a plain file with fsync (%.0f)\n", group, store,
           store / plain, plain);
}

static void reopen(struct bench *bench) {
    for (int i = 0; i < MANY_WORLDS; i += 500)
        append_group(bench, 500, MANY_WORLDS);
    store_close(bench->store);
    double begin = now_s();
    open_store(bench);
    store_due(bench->store, STORE_NEVER - 1, STORE_LIST_MAX, count, &bench->answered, NULL);
    store_commit(bench->store);
    printf("opening %d worlds until the first 1000 due ones are known: %.1f ms\n", MANY_WORLDS,
           1000 * (now_s() - begin));
}

static void load_all(struct bench *bench) {
    char code[8];
    double begin = now_s();
    for (int i = 0; i < WORLDS; i++) {
        snprintf(code, sizeof code, "W%05d", i * 7919 % 100000);
        store_load(bench->store, span_of(code), 0, count, &bench->answered, NULL);
        store_commit(bench->store);
    }
    printf("loading a world's log of %d entries: %.0f us\n", (int)bench->version[0],
           1e6 * (now_s() - begin) / WORLDS);
}

struct transactions {
    int count;
    double longest_s;
    void (*done)(void *data);
    void *data;
};

static void time_work(void *arg, void (*work)(void *), void (*done)(void *), void *data) {
    struct transactions *transactions = arg;
    double begin = now_s();
    work(data);
    double took_s = now_s() - begin;
    transactions->count++;
    if (took_s > transactions->longest_s)
        transactions->longest_s = took_s;
    transactions->done = done;
    transactions->data = data;
}

static void show_longest(struct bench *bench, struct transactions *transactions, const char *what) {
    *transactions = (struct transactions){0};
    store_commit(bench->store);
    while (transactions->done) {
        void (*done)(void *data) = transactions->done;
        transactions->done = NULL;
        done(transactions->data);
    }
    printf("a log of %d entries is %s: %d transactions, the longest %.1f ms\n", LONG_ENTRIES, what,
           transactions->count, 1000 * transactions->longest_s);
}

static void long_logs(struct bench *bench) {
    static struct store_entry entries[LONG_ENTRIES];
    struct transactions transactions;
    struct refusal why;
    for (int i = 0; i < LONG_WORLDS * LONG_ENTRIES; i += 500)
        append_group(bench, 500, LONG_WORLDS);
    store_close(bench->store);
    bench->store = store_open(
        &(struct store_config){.where = bench->file, .defer = time_work, .arg = &transactions},
        &why);
    if (!bench->store)
        fail(why.text);
    for (int i = 0; i < LONG_ENTRIES; i++)
        entries[i] = (struct store_entry){i + 1, {line, sizeof line - 1}};
    struct store_rewrite rewrite = {.code = span_of("W00000"),
                                    .version = LONG_ENTRIES,
                                    .entries = entries,
                                    .count = LONG_ENTRIES,
                                    .player = span_of("ann"),
                                    .name = span_of("Somebody")};
    store_rewrite(bench->store, &rewrite, count, &bench->answered, NULL);
    show_longest(bench, &transactions, "rewritten");
    struct store_ages ages = {.idle_before_ms = INT64_MAX, .now_ms = 1, .max = 1};
    store_archive(bench->store, &ages, count, &bench->answered, NULL);
    show_longest(bench, &transactions, "archived");
}

static void begin_anew(struct bench *bench) {
    memset(bench->version, 0, sizeof bench->version);
    bench->next = 0;
    store_close(bench->store);
    unlink(bench->file);
    open_store(bench);
}

int main(int argc, char **argv) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    static struct bench bench = {.folder = "store-bench-XXXXXX"};
    double seconds = argc > 1 ? atof(argv[1]) : 1;
    if (!mkdtemp(bench.folder))
        fail("no folder can be made here");
    snprintf(bench.file, sizeof bench.file, "%s/store", bench.folder);
    snprintf(bench.plain, sizeof bench.plain, "%s/plain", bench.folder);
    open_store(&bench);
    append_group(&bench, WORLDS, WORLDS);
    static const int groups[] = {1, 16, 128};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        compare(&bench, groups[i], seconds);
    load_all(&bench);
    begin_anew(&bench);
    reopen(&bench);
    begin_anew(&bench);
    long_logs(&bench);
    store_close(bench.store);
    unlink(bench.file);
    unlink(bench.plain);
    rmdir(bench.folder);
    return 0;
}
