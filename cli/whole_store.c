/* See whole_store.h. */
#include "cli/whole_store.h"

#include "engine/ensure.h"
#include "store/reserve.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- Opening ---- */

const char *whole_store_where(const char *words) {
    return string_begins(words, "sqlite:") ? words + strlen("sqlite:") : words;
}

bool whole_store_is_file(const char *words) {
    return string_begins(words, "sqlite:") ||
           (!strstr(words, "://") && strcmp(words, "memory") != 0);
}

struct store *whole_store_open(const char *words, bool is_new, struct refusal *why) {
    const char *where = whole_store_where(words);
    if (strcmp(where, "memory") == 0) {
        refuse(why, "STORE_UNUSABLE", "A store in memory is nobody else's to read");
        return NULL;
    }
    if (!is_new && whole_store_is_file(words) && access(where, F_OK) != 0) {
        refuse(why, "STORE_UNUSABLE", "%s cannot be opened: %s", where, strerror(errno));
        return NULL;
    }
    return store_open(
        &(struct store_config){.where = where, .node = "tools", .frozen = !is_new, .busy_ms = 5000},
        why);
}

/* ---- Worlds ---- */

struct walk {
    struct whole_store *whole;
    struct store_walk at;
    bool more;
};

static void *grow(void *items, size_t count, size_t *room, size_t size) {
    if (count < *room)
        return items;
    *room = *room ? 2 * *room : 1024;
    items = realloc(items, *room * size);
    ensure(items);
    return items;
}

static void copy_text(char *out, size_t size, struct span text) {
    struct text writer;
    text_begin(&writer, out, size);
    text_span(&writer, text);
}

char *whole_store_lines(struct span text) {
    char *copy = calloc(1, text.length + 1);
    ensure(copy);
    copy_text(copy, text.length + 1, text);
    return copy;
}

static void free_world(struct whole_world *world) {
    free(world->members);
    free(world->forgotten);
}

static void add_world(struct whole_store *whole, const struct store_world *world) {
    whole->worlds =
        grow(whole->worlds, whole->world_count, &whole->world_room, sizeof *whole->worlds);
    struct whole_world *kept = &whole->worlds[whole->world_count++];
    *kept = (struct whole_world){.status = world->status,
                                 .place = world->place,
                                 .version = world->version,
                                 .archived_ms = world->archived_ms,
                                 .games = world->games,
                                 .is_archived = world->is_archived,
                                 .members = whole_store_lines(world->members),
                                 .forgotten = whole_store_lines(world->forgotten)};
    copy_text(kept->code, sizeof kept->code, world->code);
    copy_text(kept->game, sizeof kept->game, world->game);
}

static void take_page(struct walk *walk, const struct store_reply *reply) {
    struct whole_store *whole = walk->whole;
    walk->more = reply->outcome == STORE_OK && reply->more;
    walk->at = reply->walk;
    if (reply->outcome != STORE_OK) {
        whole->failed = true;
        whole->why = reply->why;
    }
    whole->bytes += reply->bytes;
    for (size_t i = 0; i < reply->problem_count && whole->problem; i++)
        whole->problem(whole->arg, reply->problems[i]);
}

static void on_worlds(void *arg, const struct store_reply *reply) {
    struct walk *walk = arg;
    take_page(walk, reply);
    for (size_t i = 0; i < reply->count; i++)
        add_world(walk->whole, &reply->worlds[i]);
}

static int by_place(const void *left, const void *right) {
    const struct whole_world *a = left, *b = right;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return strcmp(a->code, b->code);
}

/* A walk may come by the same world twice. */
static void drop_doubles(struct whole_store *whole) {
    size_t kept = 0;
    for (size_t i = 0; i < whole->world_count; i++)
        if (kept > 0 && strcmp(whole->worlds[kept - 1].code, whole->worlds[i].code) == 0)
            free_world(&whole->worlds[i]);
        else
            whole->worlds[kept++] = whole->worlds[i];
    whole->world_count = kept;
}

bool whole_store_read_worlds(struct store *store, struct whole_store *whole) {
    struct walk walk = {.whole = whole, .more = true};
    while (walk.more && !whole->failed) {
        whole->failed = !store_walk_worlds(store, walk.at, whole->problem != NULL, on_worlds, &walk,
                                           &whole->why);
        store_commit(store);
    }
    if (whole->world_count > 0)
        qsort(whole->worlds, whole->world_count, sizeof *whole->worlds, by_place);
    drop_doubles(whole);
    return !whole->failed;
}

static int by_code(const void *left, const void *right) {
    return strcmp((*(struct whole_world *const *)left)->code,
                  (*(struct whole_world *const *)right)->code);
}

static void make_index(struct whole_store *whole) {
    whole->by_code = calloc(whole->world_count + 1, sizeof *whole->by_code);
    ensure(whole->by_code);
    for (size_t i = 0; i < whole->world_count; i++)
        whole->by_code[i] = &whole->worlds[i];
    qsort(whole->by_code, whole->world_count, sizeof *whole->by_code, by_code);
}

const struct whole_world *whole_store_world(struct whole_store *whole, const char *code) {
    struct whole_world key = {0}, *wanted = &key;
    if (!whole->by_code)
        make_index(whole);
    copy_text(key.code, sizeof key.code, span_of(code));
    struct whole_world *const *found =
        bsearch(&wanted, whole->by_code, whole->world_count, sizeof wanted, by_code);
    return found ? *found : NULL;
}

/* ---- People ---- */

static void on_people(void *arg, const struct store_reply *reply) {
    struct walk *walk = arg;
    struct whole_store *whole = walk->whole;
    take_page(walk, reply);
    for (size_t i = 0; i < reply->count; i++) {
        const struct store_player *player = &reply->players[i];
        whole->people =
            grow(whole->people, whole->person_count, &whole->person_room, sizeof *whole->people);
        struct whole_person *kept = &whole->people[whole->person_count++];
        kept->created_ms = player->created_ms;
        kept->seen_ms = player->seen_ms;
        copy_text(kept->id, sizeof kept->id, player->id);
        copy_text(kept->name, sizeof kept->name, player->name);
        kept->devices = reserve_text(player->devices.data, player->devices.length);
    }
}

static int by_id(const void *left, const void *right) {
    return strcmp(((const struct whole_person *)left)->id,
                  ((const struct whole_person *)right)->id);
}

bool whole_store_read_people(struct store *store, struct whole_store *whole) {
    struct walk walk = {.whole = whole, .more = true};
    while (walk.more && !whole->failed) {
        whole->failed = !store_walk_players(store, walk.at, whole->problem != NULL, on_people,
                                            &walk, &whole->why);
        store_commit(store);
    }
    size_t kept = 0;
    if (whole->person_count > 0)
        qsort(whole->people, whole->person_count, sizeof *whole->people, by_id);
    for (size_t i = 0; i < whole->person_count; i++)
        if (kept == 0 || by_id(&whole->people[kept - 1], &whole->people[i]) != 0)
            whole->people[kept++] = whole->people[i];
        else
            free(whole->people[i].devices);
    whole->person_count = kept;
    return !whole->failed;
}

bool whole_store_knows(const struct whole_store *whole, const char *id) {
    struct whole_person key = {0};
    copy_text(key.id, sizeof key.id, span_of(id));
    return whole->person_count > 0 &&
           bsearch(&key, whole->people, whole->person_count, sizeof key, by_id) != NULL;
}

void whole_store_free(struct whole_store *whole) {
    for (size_t i = 0; i < whole->world_count; i++)
        free_world(&whole->worlds[i]);
    for (size_t i = 0; i < whole->person_count; i++)
        free(whole->people[i].devices);
    free(whole->worlds);
    free(whole->people);
    free(whole->by_code);
    *whole = (struct whole_store){0};
}

/* ---- Progress ---- */

void progress_tell(struct progress *progress, size_t done) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (progress->told_s == 0)
        progress->told_s = now.tv_sec;
    if (now.tv_sec - progress->told_s < 1)
        return;
    progress->told_s = now.tv_sec;
    fprintf(stderr, "%zu of %zu %s\n", done, progress->all, progress->what);
}
