/* The requests that only read. Replies are copied into the batch's arena, since a statement's
 * columns do not outlive its next step. */
#include "store/sqlite.h"

#include <string.h>

/* ---- Worlds ---- */

/* The columns of WORLD_COLUMNS and LOAD_WORLD. */
static void read_world(sqlite3_stmt *row, struct store_world *out, struct arena *arena) {
    *out = (struct store_world){
        .place = sqlite3_column_int64(row, 0),
        .code = sqlite_text(row, 1, arena),
        .game = sqlite_text(row, 2, arena),
        .owner = sqlite_text(row, 3, arena),
        .summary = sqlite_text(row, 4, arena),
        .status = (enum store_status)sqlite3_column_int(row, 5),
        .is_public = sqlite3_column_int(row, 6) != 0,
        .is_archived = sqlite3_column_int(row, 7) != 0,
        .created_ms = sqlite3_column_int64(row, 8),
        .version = sqlite3_column_int64(row, 9),
        .changed_ms = sqlite3_column_int64(row, 10),
        .due_ms = sqlite_due(row, 11),
    };
}

bool sqlite_worlds(struct sqlite *sqlite, sqlite3_stmt *statement, size_t max,
                   struct store_reply *reply, struct arena *arena, struct refusal *why) {
    struct store_world *worlds = arena_take(arena, max * sizeof *worlds);
    int code;
    while ((code = sqlite_step(sqlite, statement, why)) == SQLITE_ROW)
        if (reply->count == max)
            reply->more = true;
        else
            read_world(statement, &worlds[reply->count++], arena);
    reply->worlds = worlds;
    return code == SQLITE_DONE;
}

/* `max` rows and one more, to know whether there is one. */
static bool list(struct sqlite *sqlite, enum statement which, struct request *request,
                 struct arena *arena, struct refusal *why) {
    sqlite3_stmt *statement = sqlite_use(sqlite, which);
    sqlite_put_number(statement, 1, request->number);
    sqlite_put_number(statement, 2, (int64_t)request->max + 1);
    if (which == LIST_PUBLIC_GAME || which == LIST_OF_PLAYER)
        sqlite_put_text(statement, 3, request->key);
    return sqlite_worlds(sqlite, statement, request->max, &request->reply, arena, why);
}

/* ---- Logs ---- */

/* Collects entries until a reply is full. */
struct pile {
    struct store_entry *entries;
    size_t count, bytes;
};

static bool pile_full(const struct pile *pile) {
    return pile->count == STORE_LOAD_MAX || pile->bytes >= STORE_LOAD_BYTES;
}

static void pile_add(struct pile *pile, int64_t version, struct span text) {
    pile->entries[pile->count++] = (struct store_entry){version, text};
    pile->bytes += text.length;
}

static bool load_entries(struct sqlite *sqlite, int64_t world, int64_t after, struct pile *pile,
                         struct arena *arena, struct refusal *why) {
    sqlite3_stmt *statement = sqlite_use(sqlite, LOAD_ENTRIES);
    sqlite_put_number(statement, 1, world);
    sqlite_put_number(statement, 2, after);
    sqlite_put_number(statement, 3, STORE_LOAD_MAX);
    int code = SQLITE_ROW;
    while (!pile_full(pile) && (code = sqlite_step(sqlite, statement, why)) == SQLITE_ROW)
        pile_add(pile, sqlite3_column_int64(statement, 0), sqlite_text(statement, 1, arena));
    sqlite3_reset(statement);
    return code == SQLITE_ROW || code == SQLITE_DONE;
}

static bool load_archive(struct sqlite *sqlite, int64_t world, int64_t after, struct pile *pile,
                         struct arena *arena, struct refusal *why) {
    sqlite3_stmt *statement = sqlite_use(sqlite, READ_ARCHIVE);
    sqlite_put_number(statement, 1, world);
    if (sqlite_step(sqlite, statement, why) != SQLITE_ROW)
        return false;
    const char *at = (const char *)sqlite3_column_text(statement, 0);
    const char *end = at + sqlite3_column_bytes(statement, 0);
    for (int64_t version = 1; at <= end && !pile_full(pile); version++) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        if (!line_end)
            line_end = end;
        if (version > after)
            pile_add(pile, version, arena_span(arena, (struct span){at, (size_t)(line_end - at)}));
        at = line_end + 1;
    }
    sqlite3_reset(statement);
    return true;
}

static bool load(struct sqlite *sqlite, struct request *request, struct arena *arena,
                 struct refusal *why) {
    sqlite3_stmt *statement = sqlite_use(sqlite, LOAD_WORLD);
    sqlite_put_text(statement, 1, request->key);
    struct store_reply *reply = &request->reply;
    if (!sqlite_worlds(sqlite, statement, 1, reply, arena, why))
        return false;
    if (reply->count == 0) {
        *reply = (struct store_reply){.outcome = STORE_MISSING};
        return true;
    }
    const struct store_world *world = reply->worlds;
    struct pile pile = {arena_take(arena, STORE_LOAD_MAX * sizeof *pile.entries), 0, 0};
    if (!(world->is_archived ? load_archive : load_entries)(sqlite, world->place, request->number,
                                                            &pile, arena, why))
        return false;
    reply->version = world->version;
    reply->entries = pile.entries;
    reply->count = pile.count;
    reply->more = request->number + (int64_t)pile.count < world->version;
    return true;
}

/* ---- People ---- */

static bool find_player(struct sqlite *sqlite, sqlite3_stmt *statement, struct store_reply *reply,
                        struct arena *arena, struct refusal *why) {
    int code = sqlite_step(sqlite, statement, why);
    if (code != SQLITE_ROW) {
        reply->outcome = STORE_MISSING;
        return code == SQLITE_DONE;
    }
    struct store_player *player = arena_take(arena, sizeof *player);
    player->id = sqlite_text(statement, 0, arena);
    player->name = sqlite_text(statement, 1, arena);
    player->token_hash = (const uint8_t *)sqlite_text(statement, 2, arena).data;
    player->created_ms = sqlite3_column_int64(statement, 3);
    player->seen_ms = sqlite3_column_int64(statement, 4);
    sqlite3_reset(statement);
    reply->players = player;
    reply->count = 1;
    return true;
}

static bool find_by_token(struct sqlite *sqlite, struct request *request, struct arena *arena,
                          struct refusal *why) {
    sqlite3_stmt *statement = sqlite_use(sqlite, PLAYER_BY_TOKEN);
    sqlite_put_bytes(statement, 1, request->key.data, request->key.length);
    return find_player(sqlite, statement, &request->reply, arena, why);
}

static bool find_by_id(struct sqlite *sqlite, struct request *request, struct arena *arena,
                       struct refusal *why) {
    sqlite3_stmt *statement = sqlite_use(sqlite, PLAYER_BY_ID);
    sqlite_put_text(statement, 1, request->key);
    return find_player(sqlite, statement, &request->reply, arena, why);
}

/* One more than there is room for: a person plays few kinds of games. */
enum { RECORDS_MAX = 64 };

static bool find_records(struct sqlite *sqlite, struct request *request, struct arena *arena,
                         struct refusal *why) {
    struct store_record *records = arena_take(arena, RECORDS_MAX * sizeof *records);
    sqlite3_stmt *row = sqlite_use(sqlite, RECORDS);
    sqlite_put_text(row, 1, request->key);
    size_t count = 0;
    int code = SQLITE_ROW;
    while (count < RECORDS_MAX && (code = sqlite_step(sqlite, row, why)) == SQLITE_ROW)
        records[count++] = (struct store_record){.game = sqlite_text(row, 0, arena),
                                                 .played = sqlite3_column_int64(row, 1),
                                                 .won = sqlite3_column_int64(row, 2),
                                                 .points = sqlite3_column_int64(row, 3),
                                                 .best = sqlite3_column_int64(row, 4)};
    sqlite3_reset(row);
    request->reply.records = records;
    request->reply.count = count;
    return code == SQLITE_ROW || code == SQLITE_DONE;
}

bool sqlite_read(struct sqlite *sqlite, struct request *request, struct arena *arena,
                 struct refusal *why) {
    switch (request->kind) {
    case REQUEST_LOAD:
        return load(sqlite, request, arena, why);
    case REQUEST_DUE:
        return list(sqlite, LIST_DUE, request, arena, why);
    case REQUEST_LIST_PUBLIC:
        return list(sqlite, request->key.length > 0 ? LIST_PUBLIC_GAME : LIST_PUBLIC, request,
                    arena, why);
    case REQUEST_LIST_OF_PLAYER:
        return list(sqlite, LIST_OF_PLAYER, request, arena, why);
    case REQUEST_PLAYER_BY_TOKEN:
        return find_by_token(sqlite, request, arena, why);
    case REQUEST_PLAYER_BY_ID:
        return find_by_id(sqlite, request, arena, why);
    default:
        return find_records(sqlite, request, arena, why);
    }
}
