/* fill_store FILE COUNT: a store with that many open worlds, most of them at the beginning of a
 * game in which a bot has been due for a while. For tests and benchmarks of a restart. */
#include "server/rooms/summary.h"
#include "store/store.h"
#include "world/world.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LINES_MAX = 16, GROUP = 100 };

struct lines {
    struct span line[LINES_MAX];
    size_t count, used;
    char text[LINES_MAX * 1024];
};

static void die(const char *what) {
    fprintf(stderr, "fill_store: %s\n", what);
    exit(1);
}

static void keep(struct lines *lines, const struct world_news *news) {
    if (lines->count == LINES_MAX || lines->used + news->line_length > sizeof lines->text)
        die("too many lines");
    memcpy(lines->text + lines->used, news->line, news->line_length);
    lines->line[lines->count++] = (struct span){lines->text + lines->used, news->line_length};
    lines->used += news->line_length;
}

static void act(struct world *world, int64_t now_ms, const char *words, struct lines *lines) {
    static struct world_news news;
    struct refusal why;
    struct world_action action = {.id = span_of("ann"), .words = span_of(words)};
    if (world_act(world, now_ms, &action, &news, &why) != WORLD_DONE)
        die(why.text);
    keep(lines, &news);
}

/* A game is started and dealt; Ann sits with three bots, so that mostly one of them is next. */
static void make_world(struct world *world, const char *code, int64_t now_ms, int number,
                       struct lines *lines) {
    static struct world_news news;
    struct refusal why;
    uint8_t seed[CHANCE_SEED_SIZE] = {0};
    memcpy(seed, &number, sizeof number);
    struct world_birth birth = {.code = span_of(code),
                                .game = span_of("whos-deal"),
                                .id = span_of("ann"),
                                .name = span_of("Ann"),
                                .deal_seed = seed,
                                .bot_seed = seed};
    lines->count = lines->used = 0;
    if (!world_create(world, now_ms, &world_times_usual, &birth, &news, &why))
        die(why.text);
    keep(lines, &news);
    act(world, now_ms, "start", lines);
    while (world->phase_ends_ms > 0) {
        if (world_tick(world, world->phase_ends_ms, &news) != WORLD_DONE)
            die("no deal");
        keep(lines, &news);
    }
}

static void on_appended(void *arg, const struct store_reply *reply) {
    if (reply->outcome != STORE_OK)
        die(reply->why.text);
}

static void add(struct store *store, const struct world *world, const struct lines *lines) {
    struct refusal why;
    static struct room_summary listed;
    summary_of(world, &listed);
    struct store_append append = {.code = span_of(world->code),
                                  .entries = lines->line,
                                  .count = lines->count,
                                  .now_ms = world->changed_ms,
                                  .due_ms = world_due(world),
                                  .summary = &listed.summary};
    if (!store_append(store, &append, on_appended, NULL, &why))
        die(why.text);
}

int main(int argc, char **argv) {
    static struct world world;
    static struct lines lines;
    struct refusal why;
    if (argc != 3)
        die("FILE COUNT");
    struct store *store = store_open(&(struct store_config){.where = argv[1]}, &why);
    if (!store)
        die(why.text);
    int64_t now_ms = (int64_t)time(NULL) * 1000 - 30000;
    struct store_player ann = {.id = span_of("ann"),
                               .name = span_of("Ann"),
                               .token_hash = (const uint8_t[STORE_TOKEN_SIZE]){1},
                               .created_ms = now_ms,
                               .seen_ms = now_ms};
    if (!store_player_add(store, &ann, NULL, NULL, &why))
        die(why.text);
    for (int i = 0, count = atoi(argv[2]); i < count; i++) {
        char code[WORLD_CODE_LENGTH + 1] = "AAAAAA";
        for (int at = WORLD_CODE_LENGTH - 1, rest = i; rest > 0; at--, rest /= 20)
            code[at] = world_code_letters[rest % 20];
        make_world(&world, code, now_ms, i, &lines);
        add(store, &world, &lines);
        if (i % GROUP == GROUP - 1)
            store_commit(store);
    }
    store_commit(store);
    store_close(store);
    return 0;
}
