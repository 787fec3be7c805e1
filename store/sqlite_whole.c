/* The requests about all that a file holds: walks through its worlds and people, and what is wrong
 * with it. Copies of files are in sqlite.c. */
#include "store/sqlite.h"

enum { PROBLEMS_MAX = 100 };

/* The first number that a statement gives. */
static bool read_number(struct sqlite *sqlite, enum statement which, int64_t *out,
                        struct refusal *why) {
    sqlite3_stmt *row = sqlite_use(sqlite, which);
    int code = sqlite_step(sqlite, row, why);
    if (code == SQLITE_ROW)
        *out = sqlite3_column_int64(row, 0);
    sqlite3_reset(row);
    return code == SQLITE_ROW || code == SQLITE_DONE;
}

/* Adds a sentence for each row. */
static bool read_problems(struct sqlite *sqlite, enum statement which, struct span *problems,
                          struct store_reply *reply, struct arena *arena, struct refusal *why) {
    sqlite3_stmt *row = sqlite_use(sqlite, which);
    sqlite_put_number(row, 1, PROBLEMS_MAX);
    int code;
    while ((code = sqlite_step(sqlite, row, why)) == SQLITE_ROW)
        problems[reply->problem_count++] = sqlite_text(row, 0, arena);
    return code == SQLITE_DONE;
}

static bool look(struct sqlite *sqlite, struct store_reply *reply, struct arena *arena,
                 struct refusal *why) {
    struct span *problems = arena_take(arena, 2 * PROBLEMS_MAX * sizeof *problems);
    reply->problems = problems;
    return read_problems(sqlite, INTEGRITY, problems, reply, arena, why) &&
           read_problems(sqlite, PROBLEMS, problems, reply, arena, why);
}

static sqlite3_stmt *begin_page(struct sqlite *sqlite, enum statement which,
                                const struct request *request) {
    sqlite3_stmt *row = sqlite_use(sqlite, which);
    sqlite_put_number(row, 1, request->walk.after);
    sqlite_put_number(row, 2, (int64_t)request->max);
    return row;
}

bool sqlite_walk_worlds(struct sqlite *sqlite, struct request *request, struct arena *arena,
                        struct refusal *why) {
    struct store_reply *reply = &request->reply;
    bool first = request->walk.after == 0;
    if (first && (!read_number(sqlite, FILE_SIZE, &reply->bytes, why) ||
                  (request->look && !look(sqlite, reply, arena, why))))
        return false;
    struct store_world *worlds = arena_take(arena, request->max * sizeof *worlds);
    sqlite3_stmt *row = begin_page(sqlite, WALK_WORLDS, request);
    int code;
    while ((code = sqlite_step(sqlite, row, why)) == SQLITE_ROW) {
        struct store_world *world = &worlds[reply->count++];
        sqlite_world(row, world, arena);
        world->games = sqlite3_column_int64(row, 12);
        world->members = sqlite_text(row, 13, arena);
        world->forgotten = sqlite_text(row, 14, arena);
        reply->walk.after = world->place;
    }
    reply->more = reply->count == request->max;
    reply->worlds = worlds;
    return code == SQLITE_DONE;
}

bool sqlite_walk_players(struct sqlite *sqlite, struct request *request, struct arena *arena,
                         struct refusal *why) {
    struct store_reply *reply = &request->reply;
    struct store_player *players = arena_take(arena, request->max * sizeof *players);
    sqlite3_stmt *row = begin_page(sqlite, WALK_PLAYERS, request);
    int code;
    while ((code = sqlite_step(sqlite, row, why)) == SQLITE_ROW) {
        sqlite_player(row, &players[reply->count++], arena);
        reply->walk.after = sqlite3_column_int64(row, 5);
    }
    reply->more = reply->count == request->max;
    reply->players = players;
    return code == SQLITE_DONE;
}
