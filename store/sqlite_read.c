/* The requests that only read. Replies are copied into the batch's arena, since a statement's
 * columns do not outlive its next step. */
#include "store/sqlite.h"

#include <string.h>

/* ---- Worlds ---- */

void sqlite_world(sqlite3_stmt *row, struct store_world *out, struct arena *arena) {
    *out = (struct store_world){
        .place = sqlite3_column_int64(row, 0),
        .code = sqlite_text(row, 1, arena),
        .game = sqlite_text(row, 2, arena),
        .owner = sqlite_text(row, 3, arena),
        .summary = sqlite_text(row, 4, arena),
        .status = (enum store_status)sqlite3_column_int(row, 5),
        .is_public = sqlite3_column_int(row, 6) != 0,
        .is_archived = sqlite3_column_type(row, 7) != SQLITE_NULL,
        .archived_ms = sqlite3_column_int64(row, 7),
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
            sqlite_world(statement, &worlds[reply->count++], arena);
    reply->worlds = worlds;
    return code == SQLITE_DONE;
}

/* Reads `max` rows and one more, to know whether there is one. */
static bool list(struct sqlite *sqlite, enum statement which, struct request *request,
                 struct arena *arena, struct refusal *why) {
    sqlite3_stmt *statement = sqlite_use(sqlite, which);
    sqlite_put_number(statement, 1, request->number);
    sqlite_put_number(statement, 2, (int64_t)request->max + 1);
    if (which == LIST_PUBLIC_GAME || which == LIST_OF_PLAYER || which == LIST_VISITED)
        sqlite_put_text(statement, 3, request->key);
    if (which == LIST_DUE) {
        sqlite_put_number(statement, 3, request->after_ms);
        sqlite_put_number(statement, 4, request->after_place);
    }
    return sqlite_worlds(sqlite, statement, request->max, &request->reply, arena, why);
}

/* ---- Logs ---- */

/* The first entries after a version, as many as a reply holds. */
struct page {
    struct store_entry *entries;
    int64_t after, count;
    bool damaged; /* an entry is not where it should be */
};

static void page_put(struct page *page, int64_t version, struct span text) {
    page->entries[version - page->after - 1] = (struct store_entry){version, text};
}

/* How many of them a reply takes: long ones leave no room for those after them. */
static size_t page_fitting(const struct page *page) {
    size_t count = 0, bytes = 0;
    for (; (int64_t)count < page->count && bytes < STORE_LOAD_BYTES; count++)
        bytes += page->entries[count].text.length;
    return count;
}

bool sqlite_line(struct span *log, struct span *line) {
    if (!log->data)
        return false;
    const char *end = memchr(log->data, '\n', log->length);
    if (!end) {
        *line = *log;
        *log = (struct span){NULL, 0};
        return true;
    }
    *line = (struct span){log->data, (size_t)(end - log->data)};
    *log = (struct span){end + 1, log->length - line->length - 1};
    return true;
}

static bool find_last(struct sqlite *sqlite, int64_t world, int64_t *out, struct refusal *why) {
    sqlite3_stmt *statement = sqlite_use(sqlite, LOAD_LAST);
    sqlite_put_number(statement, 1, world);
    if (sqlite_step(sqlite, statement, why) != SQLITE_ROW)
        return false;
    *out = sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
    return true;
}

/* Loads one entry on the way back from the last to the first; `id` becomes that of the one before
 * it. */
static bool load_entry(struct sqlite *sqlite, const struct store_world *world, int64_t version,
                       int64_t *id, struct page *page, struct arena *arena, struct refusal *why) {
    sqlite3_stmt *row = sqlite_use(sqlite, LOAD_ENTRY);
    sqlite_put_number(row, 1, *id);
    int step = sqlite_step(sqlite, row, why);
    page->damaged = step != SQLITE_ROW || sqlite3_column_int64(row, 0) != world->place ||
                    sqlite3_column_int64(row, 1) != version;
    if (step != SQLITE_ROW)
        return step == SQLITE_DONE;
    if (!page->damaged && version <= page->after + page->count)
        page_put(page, version, sqlite_text(row, 3, arena));
    *id = sqlite3_column_int64(row, 2);
    sqlite3_reset(row);
    return true;
}

static bool load_entries(struct sqlite *sqlite, const struct store_world *world, struct page *page,
                         struct arena *arena, struct refusal *why) {
    int64_t id, version = world->version;
    if (!find_last(sqlite, world->place, &id, why))
        return false;
    for (; version > page->after && !page->damaged; version--)
        if (!load_entry(sqlite, world, version, &id, page, arena, why))
            return false;
    return true;
}

static bool load_archive(struct sqlite *sqlite, const struct store_world *world, struct page *page,
                         struct arena *arena, struct refusal *why) {
    sqlite3_stmt *statement = sqlite_use(sqlite, READ_ARCHIVE);
    sqlite_put_number(statement, 1, world->place);
    if (sqlite_step(sqlite, statement, why) != SQLITE_ROW)
        return false;
    struct span log = sqlite_text(statement, 0, arena), line;
    sqlite3_reset(statement);
    int64_t version = 0;
    while (version < page->after + page->count && sqlite_line(&log, &line))
        if (++version > page->after)
            page_put(page, version, line);
    page->damaged = version < page->after + page->count;
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
    struct page page = {.after = request->number, .count = world->version - request->number};
    if (page.count > STORE_LOAD_MAX)
        page.count = STORE_LOAD_MAX;
    if (page.count < 0)
        page = (struct page){.after = world->version};
    page.entries = arena_take(arena, (size_t)page.count * sizeof *page.entries);
    if (!(world->is_archived ? load_archive : load_entries)(sqlite, world, &page, arena, why))
        return false;
    if (page.damaged) {
        *reply = (struct store_reply){.outcome = STORE_FAILED};
        refuse_unavailable(&reply->why, "The world's log is damaged");
        return true; /* only this request fails; the transaction goes on */
    }
    reply->version = world->version;
    reply->entries = page.entries;
    reply->count = page_fitting(&page);
    reply->more = page.after + (int64_t)reply->count < world->version;
    return true;
}

/* ---- People ---- */

void sqlite_player(sqlite3_stmt *row, struct store_player *out, struct arena *arena) {
    *out = (struct store_player){
        .id = sqlite_text(row, 0, arena),
        .name = sqlite_text(row, 1, arena),
        .devices = sqlite_text(row, 2, arena),
        .created_ms = sqlite3_column_int64(row, 3),
        .seen_ms = sqlite3_column_int64(row, 4),
    };
}

static bool find_player(struct sqlite *sqlite, sqlite3_stmt *statement, struct store_reply *reply,
                        struct arena *arena, struct refusal *why) {
    int code = sqlite_step(sqlite, statement, why);
    if (code != SQLITE_ROW) {
        reply->outcome = STORE_MISSING;
        return code == SQLITE_DONE;
    }
    struct store_player *player = arena_take(arena, sizeof *player);
    sqlite_player(statement, player, arena);
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

/* ---- Records ---- */

static bool find_records(struct sqlite *sqlite, enum statement which, struct request *request,
                         struct store_record *records, struct arena *arena, struct refusal *why) {
    sqlite3_stmt *row = sqlite_use(sqlite, which);
    sqlite_put_text(row, 1, request->key);
    size_t count = 0;
    int code = SQLITE_ROW;
    while (count < STORE_RECORDS_MAX && (code = sqlite_step(sqlite, row, why)) == SQLITE_ROW)
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

static bool same_text(struct span a, struct span b) {
    return a.length == b.length && memcmp(a.data, b.data, a.length) == 0;
}

static void add_figure(struct store_record *record, struct store_stat figure, struct arena *arena) {
    struct store_stat *figures = (struct store_stat *)record->figures;
    if (!figures)
        record->figures = figures = arena_take(arena, STORE_FIGURES_MAX * sizeof *figures);
    if (record->figure_count < STORE_FIGURES_MAX)
        figures[record->figure_count++] = figure;
}

/* Both the records and these rows stand in the order of the games. */
static bool find_figures(struct sqlite *sqlite, enum statement which, struct request *request,
                         struct store_record *records, struct arena *arena, struct refusal *why) {
    sqlite3_stmt *row = sqlite_use(sqlite, which);
    sqlite_put_text(row, 1, request->key);
    size_t at = 0;
    int code;
    while ((code = sqlite_step(sqlite, row, why)) == SQLITE_ROW) {
        struct span game = sqlite_text(row, 0, arena);
        while (at < request->reply.count && !same_text(records[at].game, game))
            at++;
        if (at == request->reply.count)
            break;
        struct store_stat figure = {sqlite_text(row, 1, arena), sqlite3_column_int64(row, 2)};
        add_figure(&records[at], figure, arena);
    }
    sqlite3_reset(row);
    return code == SQLITE_ROW || code == SQLITE_DONE;
}

static bool find_finished(struct sqlite *sqlite, struct request *request, struct arena *arena,
                          struct refusal *why) {
    struct store_finished *finished = arena_take(arena, (request->max + 1) * sizeof *finished);
    sqlite3_stmt *row = sqlite_use(sqlite, LIST_FINISHED);
    sqlite_put_text(row, 1, request->key);
    sqlite_put_number(row, 2, (int64_t)request->max);
    size_t count = 0;
    int code;
    while ((code = sqlite_step(sqlite, row, why)) == SQLITE_ROW)
        finished[count++] = (struct store_finished){.game = sqlite_text(row, 0, arena),
                                                    .ended_ms = sqlite3_column_int64(row, 1),
                                                    .score = sqlite3_column_int(row, 2),
                                                    .won = sqlite3_column_int(row, 3) != 0,
                                                    .figures = sqlite_text(row, 4, arena),
                                                    .others = sqlite_text(row, 5, arena)};
    sqlite3_reset(row);
    request->reply.finished = finished;
    request->reply.finished_count = count;
    return code == SQLITE_DONE;
}

bool sqlite_records(struct sqlite *sqlite, enum statement totals, enum statement figures,
                    struct request *request, struct arena *arena, struct refusal *why) {
    struct store_record *records = arena_take(arena, STORE_RECORDS_MAX * sizeof *records);
    return find_records(sqlite, totals, request, records, arena, why) &&
           find_figures(sqlite, figures, request, records, arena, why);
}

static bool find_notes(struct sqlite *sqlite, struct request *request, struct arena *arena,
                       struct refusal *why) {
    struct store_note *notes = arena_take(arena, STORE_NOTES_MAX * sizeof *notes);
    sqlite3_stmt *row = sqlite_use(sqlite, LIST_NOTES);
    sqlite_put_text(row, 1, request->key);
    sqlite_put_number(row, 2, STORE_NOTES_MAX);
    size_t count = 0;
    int code;
    while ((code = sqlite_step(sqlite, row, why)) == SQLITE_ROW)
        notes[count++] = (struct store_note){.name = sqlite_text(row, 0, arena),
                                             .text = sqlite_text(row, 1, arena)};
    sqlite3_reset(row);
    request->reply.notes = notes;
    request->reply.count = count;
    return code == SQLITE_DONE;
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
    case REQUEST_LIST_VISITED:
        return list(sqlite, LIST_VISITED, request, arena, why);
    case REQUEST_PLAYER_BY_TOKEN:
        return find_by_token(sqlite, request, arena, why);
    case REQUEST_PLAYER_BY_ID:
        return find_by_id(sqlite, request, arena, why);
    case REQUEST_WALK_WORLDS:
        return sqlite_walk_worlds(sqlite, request, arena, why);
    case REQUEST_WALK_PLAYERS:
        return sqlite_walk_players(sqlite, request, arena, why);
    case REQUEST_NOTES:
        return find_notes(sqlite, request, arena, why);
    case REQUEST_PLAYER_EARLIER:
        return sqlite_records(sqlite, EARLIER, EARLIER_FIGURES, request, arena, why);
    default:
        return sqlite_records(sqlite, RECORDS, RECORD_FIGURES, request, arena, why) &&
               find_finished(sqlite, request, arena, why);
    }
}
