/* check_store FILE: reads an SQLite store as a restart would and checks what people were promised.
 * The promises come on standard input, one per line:
 *
 *     seen CODE VERSION                  somebody was shown that version
 *     done CODE PLAYER ACTION VERSION    acknowledged as that entry; 0: as a duplicate
 *     lost CODE PLAYER ACTION            never answered: there or not
 *     none CODE PLAYER ACTION            refused
 *     games PLAYER COUNT WON             so many finished games are the player's
 *
 * Every world named is loaded and folded; versions must have no gaps, and each actionId must stand
 * in the log as often as promised. Prints `CODE VERSION STATUS` for each, or what is wrong. */
#include "store/store.h"
#include "world/world.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORLDS_MAX = 65536, CODE_SIZE = 16 };

struct checked {
    char code[CODE_SIZE];
    struct world world;
    uint64_t *actions; /* of each entry; 0: none */
    size_t count, room;
    bool more;
};

static struct checked *worlds[WORLDS_MAX];
static int world_count, faults;

static void complain(const char *line, const char *what) {
    printf("wrong: %s: %s\n", line, what);
    faults++;
}

/* The actionId's hash stands behind the time: `1731658004711~9f2c40d1e8aa0b17 @bob ...`. */
static uint64_t action_of(struct span line) {
    const char *space = memchr(line.data, ' ', line.length);
    const char *tilde = space ? memchr(line.data, '~', (size_t)(space - line.data)) : NULL;
    return tilde ? strtoull(tilde + 1, NULL, 16) : 0;
}

static void take_page(void *arg, const struct store_reply *reply) {
    struct checked *checked = arg;
    struct refusal why;
    checked->more = reply->outcome == STORE_OK && reply->more;
    if (reply->outcome != STORE_OK)
        complain(checked->code, reply->outcome == STORE_MISSING ? "missing" : reply->why.text);
    for (size_t i = 0; reply->outcome == STORE_OK && i < reply->count; i++) {
        if (reply->entries[i].version != (int64_t)checked->count + 1)
            complain(checked->code, "a gap between versions");
        if (!world_fold(&checked->world, reply->entries[i].text, &why))
            complain(checked->code, why.text);
        if (checked->count == checked->room) {
            checked->room = checked->room ? 2 * checked->room : 1024;
            checked->actions = realloc(checked->actions, checked->room * sizeof *checked->actions);
            if (!checked->actions)
                exit(1);
        }
        checked->actions[checked->count++] = action_of(reply->entries[i].text);
    }
    if (!checked->more && checked->world.version != reply->version)
        complain(checked->code, "the store counts other entries than the world");
}

static struct checked *world_of(struct store *store, const char *code) {
    for (int i = 0; i < world_count; i++)
        if (strcmp(worlds[i]->code, code) == 0)
            return worlds[i];
    struct checked *checked = world_count < WORLDS_MAX ? calloc(1, sizeof *checked) : NULL;
    if (!checked) {
        fprintf(stderr, "check_store: too many worlds\n");
        exit(1);
    }
    worlds[world_count++] = checked;
    snprintf(checked->code, sizeof checked->code, "%s", code);
    world_empty(&checked->world, &world_times_usual);
    do {
        if (!store_load(store, span_of(checked->code), (int64_t)checked->count, take_page, checked,
                        NULL))
            exit(1);
        store_commit(store);
    } while (checked->more);
    return checked;
}

static void check_action(const struct checked *checked, const char *line, const char *promise,
                         uint64_t action, long long version) {
    int found = 0;
    for (size_t i = 0; i < checked->count; i++)
        found += checked->actions[i] == action;
    if (found > 1)
        complain(line, "applied twice");
    if (strcmp(promise, "none") == 0 && found > 0)
        complain(line, "refused, but it is there");
    if (strcmp(promise, "done") == 0 && found == 0)
        complain(line, "acknowledged, but it is not there");
    if (version > 0 && found > 0 &&
        (version > (long long)checked->count || checked->actions[version - 1] != action))
        complain(line, "not at the version it was acknowledged with");
}

struct games {
    long long played, won;
};

static void take_records(void *arg, const struct store_reply *reply) {
    struct games *games = arg;
    for (size_t i = 0; reply->outcome == STORE_OK && i < reply->count; i++) {
        games->played += reply->records[i].played;
        games->won += reply->records[i].won;
    }
}

static void check_games(struct store *store, const char *line, const char *player,
                        const struct games *wanted) {
    struct games found = {0};
    if (!store_player_records(store, span_of(player), 1, take_records, &found, NULL))
        exit(1);
    store_commit(store);
    if (found.played != wanted->played || found.won != wanted->won)
        complain(line, "other games are counted");
}

static void check_line(struct store *store, const char *line) {
    char promise[8], code[CODE_SIZE], player[64], action[80];
    struct games games;
    long long version = 0;
    if (sscanf(line, "seen %15s %lld", code, &version) == 2) {
        if ((long long)world_of(store, code)->count < version)
            complain(line, "that version is not there");
    } else if (sscanf(line, "games %63s %lld %lld", player, &games.played, &games.won) == 3) {
        check_games(store, line, player, &games);
    } else if (sscanf(line, "%7s %15s %63s %79s %lld", promise, code, player, action, &version) >=
               4) {
        check_action(world_of(store, code), line, promise,
                     world_action_hash(span_of(player), span_of(action)), version);
    } else {
        complain(line, "not understood");
    }
}

int main(int argc, char **argv) {
    static const char *const status[] = {"waiting", "playing", "game_over", "closed"};
    struct refusal why;
    char line[256];
    struct store *store =
        argc == 2 ? store_open(&(struct store_config){.where = argv[1]}, &why) : NULL;
    if (!store) {
        fprintf(stderr, "check_store: %s\n", argc == 2 ? why.text : "which file?");
        return 1;
    }
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        check_line(store, line);
    }
    for (int i = 0; i < world_count; i++) {
        printf("%s %lld %s\n", worlds[i]->code, (long long)worlds[i]->world.version,
               status[worlds[i]->world.status]);
        free(worlds[i]->actions);
        free(worlds[i]);
    }
    store_close(store);
    return faults > 0;
}
