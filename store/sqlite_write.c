/* The requests that write. Each first finds out whether it can succeed. From its first write on
 * only the disk can stop it, and then the whole transaction is rolled back. */
#include "store/sqlite.h"

#include "store/figures.h"
#include <string.h>

/* ---- Append ---- */

struct place {
    int64_t world; /* 0: there is none */
    int64_t version;
    int64_t last; /* its last entry; 0: there is none among the entries */
    bool is_open;
};

static bool find_world(struct sqlite *sqlite, struct span code, struct place *out,
                       struct refusal *why) {
    sqlite3_stmt *statement = sqlite_use(sqlite, FIND_WORLD);
    sqlite_put_text(statement, 1, code);
    *out = (struct place){0};
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

static bool add_world(struct sqlite *sqlite, const struct store_append *append, struct place *place,
                      struct refusal *why) {
    const struct store_summary *summary = append->summary;
    sqlite3_stmt *statement = sqlite_use(sqlite, ADD_WORLD);
    sqlite_put_text(statement, 1, append->code);
    sqlite_put_text(statement, 2, summary->game);
    sqlite_put_text(statement, 3, summary->owner);
    sqlite_put_number(statement, 4, summary->status);
    sqlite_put_number(statement, 5, summary->is_public);
    sqlite_put_text(statement, 6, summary->text);
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
    sqlite_put_text(statement, 2, summary->game);
    sqlite_put_text(statement, 3, summary->owner);
    sqlite_put_number(statement, 4, summary->status);
    sqlite_put_number(statement, 5, summary->is_public);
    sqlite_put_text(statement, 6, summary->text);
    return sqlite_run(sqlite, statement, why);
}

/* Runs a statement whose only parameter is a world or a match. */
static bool run_for(struct sqlite *sqlite, enum statement which, int64_t id, struct refusal *why) {
    sqlite3_stmt *statement = sqlite_use(sqlite, which);
    sqlite_put_number(statement, 1, id);
    return sqlite_run(sqlite, statement, why);
}

static bool set_members(struct sqlite *sqlite, int64_t world, const struct store_summary *summary,
                        struct refusal *why) {
    if (!run_for(sqlite, CLEAR_MEMBERS, world, why))
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
                     const struct place *place, struct refusal *why) {
    sqlite3_stmt *statement = sqlite_use(sqlite, place->is_open ? SET_HEAD : ADD_HEAD);
    sqlite_put_number(statement, 1, place->world);
    sqlite_put_number(statement, 2, append->expected_version + (int64_t)append->count);
    sqlite_put_number(statement, 3, append->now_ms);
    sqlite_put_due(statement, 4, append->due_ms);
    sqlite_put_number(statement, 5, place->last);
    return sqlite_run(sqlite, statement, why);
}

static bool add_entry(struct sqlite *sqlite, struct place *place, int64_t version, struct span text,
                      struct refusal *why) {
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
                        struct place *place, struct refusal *why) {
    for (size_t i = 0; i < append->count; i++)
        if (!add_entry(sqlite, place, append->expected_version + (int64_t)i + 1, append->entries[i],
                       why))
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
    if (!put_match(sqlite, append, world, &id, why) || !run_for(sqlite, CLEAR_SEATS, id, why) ||
        !run_for(sqlite, CLEAR_STATS, id, why))
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
static bool unpack(struct sqlite *sqlite, sqlite3_stmt *row, struct place *place,
                   struct refusal *why) {
    struct span log = {sqlite3_column_blob(row, 0), 0}, line;
    log.length = (size_t)sqlite3_column_bytes(row, 0);
    for (int64_t version = 1; sqlite_line(&log, &line); version++)
        if (!add_entry(sqlite, place, version, line, why))
            return false;
    return true;
}

/* Brings an archived log back; its row in `heads` comes with the append. */
static bool reopen(struct sqlite *sqlite, struct place *place, struct refusal *why) {
    sqlite3_stmt *row = sqlite_use(sqlite, READ_ARCHIVE);
    sqlite_put_number(row, 1, place->world);
    if (sqlite_step(sqlite, row, why) != SQLITE_ROW)
        return false;
    bool unpacked = unpack(sqlite, row, place, why);
    sqlite3_reset(row);
    return unpacked && run_for(sqlite, REOPEN_ARCHIVE, place->world, why) &&
           run_for(sqlite, REOPEN_WORLD, place->world, why);
}

static bool archive_one(struct sqlite *sqlite, int64_t world, int64_t now_ms, struct refusal *why) {
    if (!run_for(sqlite, ARCHIVE_LOG, world, why) ||
        !run_for(sqlite, ARCHIVE_ENTRIES, world, why) || !run_for(sqlite, ARCHIVE_HEAD, world, why))
        return false;
    sqlite3_stmt *statement = sqlite_use(sqlite, ARCHIVE_WORLD);
    sqlite_put_number(statement, 1, world);
    sqlite_put_number(statement, 2, now_ms);
    return sqlite_run(sqlite, statement, why);
}

bool sqlite_put_away(struct sqlite *sqlite, struct request *request, struct refusal *why) {
    struct place place;
    if (!find_world(sqlite, request->key, &place, why))
        return false;
    if (place.world == 0)
        request->reply.outcome = STORE_MISSING;
    return !place.is_open || archive_one(sqlite, place.world, request->number, why);
}

/* ---- What is old ---- */

enum { FORGET_MAX = 64 }; /* worlds and people at a time, so that nobody waits long for it */

static bool forget_world(struct sqlite *sqlite, int64_t world, struct refusal *why) {
    static const enum statement steps[] = {FORGET_RESULTS, FORGET_SEATS,  FORGET_STATS,
                                           FORGET_MATCHES, CLEAR_MEMBERS, CLEAR_VISITS,
                                           REOPEN_ARCHIVE, FORGET_WORLD};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        if (!run_for(sqlite, steps[i], world, why))
            return false;
    return true;
}

static bool forget_worlds(struct sqlite *sqlite, int64_t before_ms, struct refusal *why) {
    int64_t worlds[FORGET_MAX];
    size_t count = 0;
    int code;
    sqlite3_stmt *row = sqlite_use(sqlite, LIST_OLD);
    sqlite_put_number(row, 1, before_ms);
    sqlite_put_number(row, 2, FORGET_MAX);
    while ((code = sqlite_step(sqlite, row, why)) == SQLITE_ROW)
        worlds[count++] = sqlite3_column_int64(row, 0);
    for (size_t i = 0; code == SQLITE_DONE && i < count; i++)
        if (!forget_world(sqlite, worlds[i], why))
            return false;
    return code == SQLITE_DONE;
}

/* Runs statements whose only parameter is a person. */
static bool run_for_person(struct sqlite *sqlite, const enum statement *steps, size_t count,
                           struct span id, struct refusal *why) {
    for (size_t i = 0; i < count; i++) {
        sqlite3_stmt *statement = sqlite_use(sqlite, steps[i]);
        sqlite_put_text(statement, 1, id);
        if (!sqlite_run(sqlite, statement, why))
            return false;
    }
    return true;
}

static bool forget_person(struct sqlite *sqlite, struct span id, struct refusal *why) {
    static const enum statement steps[] = {FORGET_TOTALS, FORGET_FIGURES, FORGET_VISITS,
                                           FORGET_NOTES,  DROP_DEVICES,   FORGET_PLAYER};
    return run_for_person(sqlite, steps, sizeof steps / sizeof steps[0], id, why);
}

/* Whoever is in a world is known for as long as the world is. */
static bool forget_people(struct sqlite *sqlite, int64_t before_ms, struct arena *arena,
                          struct refusal *why) {
    struct span ids[FORGET_MAX];
    size_t count = 0;
    int code;
    sqlite3_stmt *row = sqlite_use(sqlite, LIST_UNSEEN);
    sqlite_put_number(row, 1, before_ms);
    sqlite_put_number(row, 2, FORGET_MAX);
    while ((code = sqlite_step(sqlite, row, why)) == SQLITE_ROW)
        ids[count++] = sqlite_text(row, 0, arena);
    for (size_t i = 0; code == SQLITE_DONE && i < count; i++)
        if (!forget_person(sqlite, ids[i], why))
            return false;
    return code == SQLITE_DONE;
}

static bool forget(struct sqlite *sqlite, int64_t now_ms, struct arena *arena,
                   struct refusal *why) {
    int64_t worlds_ms = sqlite->keep_worlds_ms, people_ms = sqlite->keep_people_ms;
    return (worlds_ms == 0 || forget_worlds(sqlite, now_ms - worlds_ms, why)) &&
           (people_ms == 0 || forget_people(sqlite, now_ms - people_ms, arena, why));
}

bool sqlite_archive(struct sqlite *sqlite, struct request *request, struct arena *arena,
                    struct refusal *why) {
    sqlite3_stmt *statement = sqlite_use(sqlite, LIST_AGED);
    sqlite_put_number(statement, 1, request->ages.over_before_ms);
    sqlite_put_number(statement, 2, request->ages.idle_before_ms);
    sqlite_put_number(statement, 3, (int64_t)request->ages.max + 1);
    if (!sqlite_worlds(sqlite, statement, request->ages.max, &request->reply, arena, why))
        return false;
    struct store_world *worlds = (struct store_world *)request->reply.worlds;
    for (size_t i = 0; i < request->reply.count; i++) {
        if (!archive_one(sqlite, worlds[i].place, request->ages.now_ms, why))
            return false;
        worlds[i].is_archived = true;
        worlds[i].due_ms = STORE_NEVER;
    }
    return forget(sqlite, request->ages.now_ms, arena, why);
}

/* Makes the world's row what the append wants it to be: new, open again, or just up to date. */
static bool put_world(struct sqlite *sqlite, const struct store_append *append, struct place *place,
                      struct refusal *why) {
    if (place->world == 0)
        return add_world(sqlite, append, place, why);
    return (place->is_open || reopen(sqlite, place, why)) &&
           (!append->summary || set_world(sqlite, place->world, append->summary, why));
}

bool sqlite_append(struct sqlite *sqlite, struct request *request, struct arena *arena,
                   struct refusal *why) {
    const struct store_append *append = &request->append;
    struct place place;
    if (!find_world(sqlite, append->code, &place, why))
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
    if (!run_for_person(sqlite, steps, sizeof steps / sizeof steps[0], request->key, why))
        return false;
    for (size_t i = 0; i < request->record_count; i++)
        if (!add_total(sqlite, request->key, &request->records[i], why))
            return false;
    return true;
}

/* ---- Erasing ---- */

static bool count_visits(struct sqlite *sqlite, struct span id, int64_t *out, struct refusal *why) {
    sqlite3_stmt *row = sqlite_use(sqlite, COUNT_VISITS);
    sqlite_put_text(row, 1, id);
    if (sqlite_step(sqlite, row, why) != SQLITE_ROW)
        return false;
    *out = sqlite3_column_int64(row, 0);
    sqlite3_reset(row);
    return true;
}

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

bool sqlite_player_erase(struct sqlite *sqlite, struct request *request, struct refusal *why) {
    int64_t visits;
    if (!count_visits(sqlite, request->key, &visits, why))
        return false;
    if (visits > 0) {
        request->reply.outcome = STORE_CONFLICT;
        return true;
    }
    sqlite->scrubs = true;
    return forget_person(sqlite, request->key, why);
}

/* Goes from the last entry to the first, because each entry has the id of the one before it. */
static bool rewrite_entries(struct sqlite *sqlite, const struct store_rewrite *rewrite, int64_t id,
                            struct refusal *why) {
    size_t left = rewrite->count;
    for (int64_t version = rewrite->version; left > 0; version--) {
        const struct store_entry *entry = &rewrite->entries[left - 1];
        sqlite3_stmt *row = sqlite_use(sqlite, LOAD_ENTRY);
        sqlite_put_number(row, 1, id);
        if (sqlite_step(sqlite, row, why) != SQLITE_ROW)
            return refuse_unavailable(why, "The world's log is damaged");
        int64_t previous = sqlite3_column_int64(row, 2);
        sqlite3_reset(row);
        if (version == entry->version) {
            sqlite3_stmt *statement = sqlite_use(sqlite, SET_ENTRY);
            sqlite_put_number(statement, 1, id);
            sqlite_put_text(statement, 2, entry->text);
            if (!sqlite_run(sqlite, statement, why))
                return false;
            left--;
        }
        id = previous;
    }
    return true;
}

static bool rewrite_archive(struct sqlite *sqlite, const struct store_rewrite *rewrite,
                            int64_t world, struct arena *arena, struct refusal *why) {
    sqlite3_stmt *statement = sqlite_use(sqlite, READ_ARCHIVE);
    sqlite_put_number(statement, 1, world);
    if (sqlite_step(sqlite, statement, why) != SQLITE_ROW)
        return false;
    struct span log = sqlite_text(statement, 0, arena), line;
    sqlite3_reset(statement);
    size_t size = log.length + 1, at = 0, length = 0;
    for (size_t i = 0; i < rewrite->count; i++)
        size += rewrite->entries[i].text.length;
    char *whole = arena_take(arena, size);
    for (int64_t version = 1; sqlite_line(&log, &line); version++) {
        if (at < rewrite->count && rewrite->entries[at].version == version)
            line = rewrite->entries[at++].text;
        if (version > 1)
            whole[length++] = '\n';
        memcpy(whole + length, line.data, line.length);
        length += line.length;
    }
    statement = sqlite_use(sqlite, SET_ARCHIVE);
    sqlite_put_number(statement, 1, world);
    sqlite_put_text(statement, 2, (struct span){whole, length});
    return sqlite_run(sqlite, statement, why);
}

static bool rewrite_summary(struct sqlite *sqlite, const struct store_rewrite *rewrite,
                            int64_t world, struct refusal *why) {
    if (!rewrite->summary.data)
        return true;
    sqlite3_stmt *statement = sqlite_use(sqlite, SET_SUMMARY);
    sqlite_put_number(statement, 1, world);
    sqlite_put_text(statement, 2, rewrite->owner);
    sqlite_put_text(statement, 3, rewrite->summary);
    return sqlite_run(sqlite, statement, why);
}

static bool erase_from(struct sqlite *sqlite, const struct store_rewrite *rewrite, int64_t world,
                       struct refusal *why) {
    static const enum statement steps[] = {ERASE_MEMBER, ERASE_VISIT, ERASE_SEATS};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        sqlite3_stmt *statement = sqlite_use(sqlite, steps[i]);
        sqlite_put_number(statement, 1, world);
        sqlite_put_text(statement, 2, rewrite->player);
        if (steps[i] == ERASE_SEATS)
            sqlite_put_text(statement, 3, rewrite->name);
        if (!sqlite_run(sqlite, statement, why))
            return false;
    }
    return true;
}

bool sqlite_rewrite(struct sqlite *sqlite, struct request *request, struct arena *arena,
                    struct refusal *why) {
    const struct store_rewrite *rewrite = &request->rewrite;
    struct place place;
    if (!find_world(sqlite, rewrite->code, &place, why))
        return false;
    if (place.world == 0 || place.version != rewrite->version) {
        request->reply.outcome = place.world == 0 ? STORE_MISSING : STORE_CONFLICT;
        return true;
    }
    bool written = place.is_open ? rewrite_entries(sqlite, rewrite, place.last, why)
                                 : rewrite_archive(sqlite, rewrite, place.world, arena, why);
    return written && rewrite_summary(sqlite, rewrite, place.world, why) &&
           erase_from(sqlite, rewrite, place.world, why);
}
