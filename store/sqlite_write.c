/* The requests that write. Each first finds out whether it can succeed. From its first write on
 * only the disk can stop it, and then the whole transaction is rolled back. */
#include "store/sqlite.h"

#include "store/figures.h"
#include <string.h>

/* ---- Append ---- */

bool sqlite_find_world(struct sqlite *sqlite, struct span code, struct sqlite_place *out,
                       struct refusal *why) {
    sqlite3_stmt *statement = sqlite_use(sqlite, FIND_WORLD);
    sqlite_put_text(statement, 1, code);
    *out = (struct sqlite_place){0};
    int step = sqlite_step(sqlite, statement, why);
    if (step != SQLITE_ROW)
        return step == SQLITE_DONE;
    out->world = sqlite3_column_int64(statement, 0);
    out->is_open = sqlite3_column_type(statement, 1) != SQLITE_NULL;
    out->version = sqlite3_column_int64(statement, out->is_open ? 1 : 2);
    out->last = sqlite3_column_int64(statement, 3);
    sqlite3_reset(statement);
    return true;
}

// Parameters 2 to 6 of ADD_WORLD and of SET_WORLD.
static void put_summary(sqlite3_stmt *statement, const struct store_summary *summary) {
    sqlite_put_text(statement, 2, summary->game);
    sqlite_put_text(statement, 3, summary->owner);
    sqlite_put_number(statement, 4, summary->status);
    sqlite_put_number(statement, 5, summary->is_public);
    sqlite_put_text(statement, 6, summary->text);
}

static bool add_world(struct sqlite *sqlite, const struct store_append *append,
                      struct sqlite_place *place, struct refusal *why) {
    sqlite3_stmt *statement = sqlite_use(sqlite, ADD_WORLD);
    sqlite_put_text(statement, 1, append->code);
    put_summary(statement, append->summary);
    sqlite_put_number(statement, 7, append->now_ms);
    if (!sqlite_run(sqlite, statement, why))
        return false;
    place->world = sqlite3_last_insert_rowid(sqlite->database);
    return true;
}

static bool set_world(struct sqlite *sqlite, int64_t world, const struct store_summary *summary,
                      struct refusal *why) {
    sqlite3_stmt *statement = sqlite_use(sqlite, SET_WORLD);
    sqlite_put_number(statement, 1, world);
    put_summary(statement, summary);
    return sqlite_run(sqlite, statement, why);
}

bool sqlite_run_for(struct sqlite *sqlite, enum statement which, int64_t id, struct refusal *why) {
    sqlite3_stmt *statement = sqlite_use(sqlite, which);
    sqlite_put_number(statement, 1, id);
    return sqlite_run(sqlite, statement, why);
}

bool sqlite_run_for_person(struct sqlite *sqlite, const enum statement *steps, size_t count,
                           struct span id, struct refusal *why) {
    for (size_t i = 0; i < count; i++) {
        sqlite3_stmt *statement = sqlite_use(sqlite, steps[i]);
        sqlite_put_text(statement, 1, id);
        if (!sqlite_run(sqlite, statement, why))
            return false;
    }
    return true;
}

static bool set_members(struct sqlite *sqlite, int64_t world, const struct store_summary *summary,
                        struct refusal *why) {
    if (!sqlite_run_for(sqlite, CLEAR_MEMBERS, world, why))
        return false;
    for (size_t i = 0; i < summary->member_count; i++) {
        sqlite3_stmt *statement = sqlite_use(sqlite, ADD_MEMBER);
        sqlite_put_number(statement, 1, world);
        sqlite_put_text(statement, 2, summary->members[i]);
        if (!sqlite_run(sqlite, statement, why))
            return false;
        statement = sqlite_use(sqlite, ADD_VISIT);
        sqlite_put_number(statement, 1, world);
        sqlite_put_text(statement, 2, summary->members[i]);
        if (!sqlite_run(sqlite, statement, why))
            return false;
    }
    return true;
}

static bool put_head(struct sqlite *sqlite, const struct store_append *append,
                     const struct sqlite_place *place, struct refusal *why) {
    sqlite3_stmt *statement = sqlite_use(sqlite, place->is_open ? SET_HEAD : ADD_HEAD);
    sqlite_put_number(statement, 1, place->world);
    sqlite_put_number(statement, 2, append->expected_version + (int64_t)append->count);
    sqlite_put_number(statement, 3, append->now_ms);
    sqlite_put_due(statement, 4, append->due_ms);
    sqlite_put_number(statement, 5, place->last);
    return sqlite_run(sqlite, statement, why);
}

bool sqlite_add_entry(struct sqlite *sqlite, struct sqlite_place *place, int64_t version,
                      struct span text, struct refusal *why) {
    sqlite3_stmt *statement = sqlite_use(sqlite, ADD_ENTRY);
    sqlite_put_number(statement, 1, place->world);
    sqlite_put_number(statement, 2, version);
    sqlite_put_text(statement, 3, text);
    sqlite_put_number(statement, 4, place->last);
    if (!sqlite_run(sqlite, statement, why))
        return false;
    place->last = sqlite3_last_insert_rowid(sqlite->database);
    return true;
}

static bool add_entries(struct sqlite *sqlite, const struct store_append *append,
                        struct sqlite_place *place, struct refusal *why) {
    for (size_t i = 0; i < append->count; i++)
        if (!sqlite_add_entry(sqlite, place, append->expected_version + (int64_t)i + 1,
                              append->entries[i], why))
            return false;
    return true;
}

/* ---- Matches ---- */

static bool put_match(struct sqlite *sqlite, const struct store_append *append, int64_t world,
                      int64_t *id, struct refusal *why) {
    const struct store_match *match = append->match;
    sqlite3_stmt *statement = sqlite_use(sqlite, PUT_MATCH);
    sqlite_put_number(statement, 1, world);
    sqlite_put_number(statement, 2, match->number);
    sqlite_put_number(statement, 3, append->expected_version + (int64_t)append->count);
    sqlite_put_number(statement, 4, match->started_ms);
    sqlite_put_due(statement, 5, match->over ? append->now_ms : STORE_NEVER);
    sqlite_put_text(statement, 6, match->settings);
    sqlite_put_text(statement, 7, match->state);
    if (sqlite_step(sqlite, statement, why) != SQLITE_ROW)
        return false;
    *id = sqlite3_column_int64(statement, 0);
    return sqlite_run(sqlite, statement, why);
}

struct seat_row {
    int64_t match, seat, side, score, won, ended_ms;
    struct span name, player, level, figures;
};

static bool add_seat_row(struct sqlite *sqlite, const struct seat_row *row, struct refusal *why) {
    sqlite3_stmt *statement = sqlite_use(sqlite, ADD_SEAT);
    sqlite_put_number(statement, 1, row->match);
    sqlite_put_number(statement, 2, row->seat);
    sqlite_put_text(statement, 3, row->name);
    sqlite_put_text(statement, 4, row->player);
    sqlite_put_text(statement, 5, row->level);
    sqlite_put_number(statement, 6, row->side);
    sqlite_put_number(statement, 7, row->score);
    sqlite_put_number(statement, 8, row->won);
    sqlite_put_text(statement, 9, row->figures);
    sqlite_put_due(statement, 10, row->ended_ms);
    return sqlite_run(sqlite, statement, why);
}

static bool add_seat(struct sqlite *sqlite, int64_t id, const struct store_append *append,
                     size_t number, struct arena *arena, struct refusal *why) {
    const struct store_match *match = append->match;
    const struct store_seat *seat = &match->seats[number];
    const struct seat_row row = {
        .match = id,
        .seat = (int64_t)number,
        .side = seat->side,
        .score = seat->score,
        .won = seat->won,
        .ended_ms = match->over ? append->now_ms : STORE_NEVER,
        .name = seat->name,
        .player = seat->player,
        .level = seat->level,
        .figures = figures_json(match->figures, match->figure_count, seat->figures, arena)};
    return add_seat_row(sqlite, &row, why);
}

static bool add_stat(struct sqlite *sqlite, int64_t match, const struct store_stat *stat,
                     struct refusal *why) {
    sqlite3_stmt *statement = sqlite_use(sqlite, ADD_STAT);
    sqlite_put_number(statement, 1, match);
    sqlite_put_text(statement, 2, stat->name);
    sqlite_put_number(statement, 3, stat->value);
    return sqlite_run(sqlite, statement, why);
}

static bool set_match(struct sqlite *sqlite, const struct store_append *append, int64_t world,
                      struct arena *arena, struct refusal *why) {
    const struct store_match *match = append->match;
    int64_t id;
    if (!put_match(sqlite, append, world, &id, why) ||
        !sqlite_run_for(sqlite, CLEAR_SEATS, id, why) ||
        !sqlite_run_for(sqlite, CLEAR_STATS, id, why))
        return false;
    for (size_t i = 0; i < match->seat_count; i++)
        if (!add_seat(sqlite, id, append, i, arena, why))
            return false;
    for (size_t i = 0; i < match->stat_count; i++)
        if (!add_stat(sqlite, id, &match->stats[i], why))
            return false;
    return true;
}

/* ---- Archives ---- */

/* Writes the lines of an archived log as entries again. The statement keeps its row while others
 * write. */
static bool unpack(struct sqlite *sqlite, sqlite3_stmt *row, struct sqlite_place *place,
                   struct refusal *why) {
    struct span log = {sqlite3_column_blob(row, 0), 0}, line;
    log.length = (size_t)sqlite3_column_bytes(row, 0);
    for (int64_t version = 1; sqlite_line(&log, &line); version++)
        if (!sqlite_add_entry(sqlite, place, version, line, why))
            return false;
    return true;
}

/* Brings an archived log back; its row in `heads` comes with the append. */
static bool reopen(struct sqlite *sqlite, struct sqlite_place *place, struct refusal *why) {
    sqlite3_stmt *row = sqlite_use(sqlite, READ_ARCHIVE);
    sqlite_put_number(row, 1, place->world);
    if (sqlite_step(sqlite, row, why) != SQLITE_ROW)
        return false;
    bool unpacked = unpack(sqlite, row, place, why);
    sqlite3_reset(row);
    return unpacked && sqlite_run_for(sqlite, REOPEN_ARCHIVE, place->world, why) &&
           sqlite_run_for(sqlite, REOPEN_WORLD, place->world, why);
}

/* Makes the world's row what the append wants it to be: new, open again, or just up to date. */
static bool put_world(struct sqlite *sqlite, const struct store_append *append,
                      struct sqlite_place *place, struct refusal *why) {
    if (place->world == 0)
        return add_world(sqlite, append, place, why);
    return (place->is_open || reopen(sqlite, place, why)) &&
           (!append->summary || set_world(sqlite, place->world, append->summary, why));
}

bool sqlite_append(struct sqlite *sqlite, struct request *request, struct arena *arena,
                   struct refusal *why) {
    const struct store_append *append = &request->append;
    struct sqlite_place place;
    if (!sqlite_find_world(sqlite, append->code, &place, why))
        return false;
    request->reply.version = place.version;
    if (place.version != append->expected_version) {
        request->reply.outcome = STORE_CONFLICT;
        return true;
    }
    request->reply.version += (int64_t)append->count;
    return put_world(sqlite, append, &place, why) && add_entries(sqlite, append, &place, why) &&
           put_head(sqlite, append, &place, why) &&
           (!append->summary || set_members(sqlite, place.world, append->summary, why)) &&
           (!append->match || set_match(sqlite, append, place.world, arena, why));
}

/* ---- People ---- */

/* Who has the token? Empty: nobody. */
static bool holder_of(struct sqlite *sqlite, const uint8_t token_hash[STORE_TOKEN_SIZE],
                      struct span *out, struct arena *arena, struct refusal *why) {
    sqlite3_stmt *row = sqlite_use(sqlite, HAS_DEVICE);
    sqlite_put_bytes(row, 1, token_hash, STORE_TOKEN_SIZE);
    int code = sqlite_step(sqlite, row, why);
    *out = (struct span){"", 0};
    if (code == SQLITE_ROW) {
        *out = sqlite_text(row, 0, arena);
        sqlite3_reset(row);
    }
    return code == SQLITE_ROW || code == SQLITE_DONE;
}

static bool is_holder(struct span holder, struct span player) {
    return holder.length == player.length && memcmp(holder.data, player.data, player.length) == 0;
}

/* May these tokens become this person's? Otherwise it is a conflict. */
static bool look_for_taken(struct sqlite *sqlite, struct request *request, struct span player,
                           struct span devices, struct arena *arena, struct refusal *why) {
    struct store_device device;
    struct span holder;
    while (store_device_next(&devices, &device)) {
        if (!holder_of(sqlite, device.token_hash, &holder, arena, why))
            return false;
        if (holder.length > 0 && !is_holder(holder, player))
            request->reply.outcome = STORE_CONFLICT;
    }
    return true;
}

static bool add_devices(struct sqlite *sqlite, struct span player, struct span devices,
                        struct refusal *why) {
    struct store_device device;
    while (store_device_next(&devices, &device)) {
        sqlite3_stmt *statement = sqlite_use(sqlite, ADD_DEVICE);
        sqlite_put_bytes(statement, 1, device.token_hash, STORE_TOKEN_SIZE);
        sqlite_put_text(statement, 2, player);
        sqlite_put_text(statement, 3, device.name);
        sqlite_put_number(statement, 4, device.created_ms);
        sqlite_put_number(statement, 5, device.seen_ms);
        sqlite_put_number(statement, 6, device.until_ms);
        if (!sqlite_run(sqlite, statement, why))
            return false;
    }
    return true;
}

bool sqlite_player_add(struct sqlite *sqlite, struct request *request, struct arena *arena,
                       struct refusal *why) {
    const struct store_player *player = &request->player;
    if (!look_for_taken(sqlite, request, player->id, player->devices, arena, why))
        return false;
    if (request->reply.outcome == STORE_CONFLICT)
        return true;
    sqlite3_stmt *statement = sqlite_use(sqlite, ADD_PLAYER);
    sqlite_put_text(statement, 1, player->id);
    sqlite_put_text(statement, 2, player->name);
    sqlite_put_number(statement, 3, player->created_ms);
    sqlite_put_number(statement, 4, player->seen_ms);
    if (!sqlite_run(sqlite, statement, why))
        return false;
    if (sqlite3_changes(sqlite->database) > 0)
        return add_devices(sqlite, player->id, player->devices, why);
    request->reply.outcome = STORE_CONFLICT;
    return true;
}

static bool drop_devices(struct sqlite *sqlite, const struct store_devices *change,
                         struct refusal *why) {
    static const enum statement statements[] = {[STORE_DROP_ONE] = DROP_DEVICE,
                                                [STORE_DROP_OTHERS] = DROP_OTHERS,
                                                [STORE_DROP_LINKS] = DROP_LINKS,
                                                [STORE_DROP_ALL] = DROP_DEVICES};
    if (change->drop == STORE_DROP_NONE)
        return true;
    sqlite3_stmt *statement = sqlite_use(sqlite, statements[change->drop]);
    sqlite_put_text(statement, 1, change->player);
    if (change->drop == STORE_DROP_ONE || change->drop == STORE_DROP_OTHERS)
        sqlite_put_bytes(statement, 2, change->token_hash, STORE_TOKEN_SIZE);
    return sqlite_run(sqlite, statement, why);
}

/* Is there such a person, and is the token that is named theirs? */
static bool look_for_person(struct sqlite *sqlite, struct request *request, struct arena *arena,
                            struct refusal *why) {
    const struct store_devices *change = &request->devices;
    sqlite3_stmt *row = sqlite_use(sqlite, PLAYER_BY_ID);
    sqlite_put_text(row, 1, change->player);
    int code = sqlite_step(sqlite, row, why);
    struct span holder = {"", 0};
    if (code == SQLITE_ROW)
        sqlite3_reset(row);
    else if (code == SQLITE_DONE)
        request->reply.outcome = STORE_MISSING;
    else
        return false;
    if (!change->token_hash)
        return true;
    if (!holder_of(sqlite, change->token_hash, &holder, arena, why))
        return false;
    if (!is_holder(holder, change->player))
        request->reply.outcome = STORE_MISSING;
    return true;
}

bool sqlite_player_devices(struct sqlite *sqlite, struct request *request, struct arena *arena,
                           struct refusal *why) {
    const struct store_devices *change = &request->devices;
    if (!look_for_person(sqlite, request, arena, why))
        return false;
    if (request->reply.outcome == STORE_OK &&
        !look_for_taken(sqlite, request, change->player, change->add, arena, why))
        return false;
    return request->reply.outcome != STORE_OK ||
           (drop_devices(sqlite, change, why) &&
            add_devices(sqlite, change->player, change->add, why));
}

bool sqlite_player_seen(struct sqlite *sqlite, struct request *request, struct refusal *why) {
    sqlite3_stmt *statement = sqlite_use(sqlite, SET_PLAYER);
    sqlite_put_text(statement, 1, request->key);
    sqlite_put_text(statement, 2, request->name);
    sqlite_put_number(statement, 3, request->number);
    if (!sqlite_run(sqlite, statement, why))
        return false;
    if (sqlite3_changes(sqlite->database) == 0)
        request->reply.outcome = STORE_MISSING;
    if (!request->devices.token_hash)
        return true;
    statement = sqlite_use(sqlite, SEE_DEVICE);
    sqlite_put_bytes(statement, 1, request->devices.token_hash, STORE_TOKEN_SIZE);
    sqlite_put_number(statement, 2, request->number);
    return sqlite_run(sqlite, statement, why);
}

/* ---- Notes ---- */

static bool knows(struct sqlite *sqlite, struct span id, bool *out, struct refusal *why) {
    *out = id.length == 0;
    if (*out)
        return true;
    sqlite3_stmt *row = sqlite_use(sqlite, PLAYER_BY_ID);
    sqlite_put_text(row, 1, id);
    int code = sqlite_step(sqlite, row, why);
    *out = code == SQLITE_ROW;
    sqlite3_reset(row);
    return code == SQLITE_ROW || code == SQLITE_DONE;
}

bool sqlite_note_put(struct sqlite *sqlite, struct request *request, struct refusal *why) {
    bool gone = request->note.text.length == 0, known;
    enum statement which = gone ? DROP_NOTE : request->fresh ? PUT_FRESH_NOTE : PUT_NOTE;
    sqlite3_stmt *statement = sqlite_use(sqlite, which);
    sqlite_put_text(statement, 1, request->key);
    sqlite_put_text(statement, 2, request->note.name);
    if (!gone) {
        sqlite_put_text(statement, 3, request->note.text);
        sqlite_put_number(statement, 4, STORE_NOTES_MAX);
    }
    if (!sqlite_run(sqlite, statement, why))
        return false;
    if (sqlite3_changes(sqlite->database) > 0)
        return true;
    if (!knows(sqlite, request->key, &known, why))
        return false;
    if (!known || !gone)
        request->reply.outcome = known ? STORE_CONFLICT : STORE_MISSING;
    return true;
}

/* ---- Records of games whose worlds are gone ---- */

static bool add_total(struct sqlite *sqlite, struct span player, const struct store_record *record,
                      struct refusal *why) {
    sqlite3_stmt *statement = sqlite_use(sqlite, ADD_TOTAL);
    sqlite_put_text(statement, 1, player);
    sqlite_put_text(statement, 2, record->game);
    sqlite_put_number(statement, 3, record->played);
    sqlite_put_number(statement, 4, record->won);
    sqlite_put_number(statement, 5, record->points);
    sqlite_put_number(statement, 6, record->best);
    if (!sqlite_run(sqlite, statement, why))
        return false;
    for (size_t i = 0; i < record->figure_count; i++) {
        statement = sqlite_use(sqlite, ADD_TOTAL_FIGURE);
        sqlite_put_text(statement, 1, player);
        sqlite_put_text(statement, 2, record->game);
        sqlite_put_text(statement, 3, record->figures[i].name);
        sqlite_put_number(statement, 4, record->figures[i].value);
        if (!sqlite_run(sqlite, statement, why))
            return false;
    }
    return true;
}

/* The totals are made anew from the games that there are; then the others are added. */
bool sqlite_set_earlier(struct sqlite *sqlite, struct request *request, struct refusal *why) {
    static const enum statement steps[] = {FORGET_TOTALS, FORGET_FIGURES, COUNT_TOTALS,
                                           COUNT_FIGURES};
    if (!sqlite_run_for_person(sqlite, steps, sizeof steps / sizeof steps[0], request->key, why))
        return false;
    for (size_t i = 0; i < request->record_count; i++)
        if (!add_total(sqlite, request->key, &request->records[i], why))
            return false;
    return true;
}

/* ---- Erasing ---- */

/* Seats that have not ended count for nobody. */
bool sqlite_player_forget(struct sqlite *sqlite, struct request *request, struct refusal *why) {
    static const enum statement steps[] = {FORGET_OWN_RESULTS, FORGET_TOTALS, FORGET_FIGURES};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        sqlite3_stmt *statement = sqlite_use(sqlite, steps[i]);
        sqlite_put_text(statement, 1, request->key);
        if (!sqlite_run(sqlite, statement, why))
            return false;
    }
    return true;
}

/* Deletes the seat's row and inserts it again as not ended: the trigger of the deletion takes it
 * off the totals, and a row that has not ended is not added to them. */
bool sqlite_seat_forget(struct sqlite *sqlite, struct request *request, struct arena *arena,
                        struct refusal *why) {
    sqlite3_stmt *row = sqlite_use(sqlite, READ_SEAT);
    sqlite_put_text(row, 1, request->key);
    sqlite_put_number(row, 2, request->number);
    sqlite_put_number(row, 3, (int64_t)request->max);
    int code = sqlite_step(sqlite, row, why);
    if (code != SQLITE_ROW) {
        request->reply.outcome = STORE_MISSING;
        return code == SQLITE_DONE;
    }
    const struct seat_row forgotten = {.match = sqlite3_column_int64(row, 0),
                                       .seat = (int64_t)request->max,
                                       .name = sqlite_text(row, 1, arena),
                                       .player = sqlite_text(row, 2, arena),
                                       .level = sqlite_text(row, 3, arena),
                                       .side = sqlite3_column_int64(row, 4),
                                       .score = sqlite3_column_int64(row, 5),
                                       .won = sqlite3_column_int64(row, 6),
                                       .figures = sqlite_text(row, 7, arena),
                                       .ended_ms = STORE_NEVER};
    sqlite3_reset(row);
    sqlite3_stmt *statement = sqlite_use(sqlite, DROP_SEAT);
    sqlite_put_number(statement, 1, forgotten.match);
    sqlite_put_number(statement, 2, forgotten.seat);
    return sqlite_run(sqlite, statement, why) && add_seat_row(sqlite, &forgotten, why);
}
