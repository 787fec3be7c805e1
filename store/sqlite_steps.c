/* The requests that touch whole logs: worlds are archived, rewritten and forgotten. A log may be
 * long, and there is one writer, so they are done in steps, each a transaction with the writes of
 * others; docs/decisions/0022-steps.md. */
#include "store/sqlite.h"

#include <string.h>

enum {
    STEP_ENTRIES = 500,  /* that one transaction copies or deletes ... */
    STEP_PACKED = 20000, /* ... of archived logs, which are one row each */
    FORGET_MAX = 64      /* worlds and people with one request */
};

/* ---- Leftovers ---- */

static bool run_with(struct sqlite *sqlite, enum statement which, int64_t one, int64_t other,
                     struct refusal *why) {
    sqlite3_stmt *statement = sqlite_use(sqlite, which);
    sqlite_put_number(statement, 1, one);
    sqlite_put_number(statement, 2, other);
    return sqlite_run(sqlite, statement, why);
}

/* A leftover has another last entry from now on. */
static bool set_leftover(struct sqlite *sqlite, int64_t last, int64_t now, struct refusal *why) {
    return run_with(sqlite, SET_LEFTOVER, last, now, why) &&
           (sqlite3_changes(sqlite->database) == 1 ||
            refuse_unavailable(why, "Another program writes to the store"));
}

/* The entry before this one; 0: this is the first, or not there. */
static bool find_previous(struct sqlite *sqlite, int64_t id, int64_t *out, struct refusal *why) {
    sqlite3_stmt *row = sqlite_use(sqlite, LOAD_ENTRY);
    sqlite_put_number(row, 1, id);
    int code = sqlite_step(sqlite, row, why);
    *out = code == SQLITE_ROW ? sqlite3_column_int64(row, 2) : 0;
    sqlite3_reset(row);
    return code == SQLITE_ROW || code == SQLITE_DONE;
}

static bool find_leftover(struct sqlite *sqlite, int64_t *out, struct refusal *why) {
    sqlite3_stmt *row = sqlite_use(sqlite, FIND_LEFTOVER);
    sqlite_put_number(row, 1, sqlite->staged);
    int code = sqlite_step(sqlite, row, why);
    *out = code == SQLITE_ROW ? sqlite3_column_int64(row, 0) : 0;
    sqlite3_reset(row);
    return code == SQLITE_ROW || code == SQLITE_DONE;
}

/* Deletes a part of a log that nobody needs any more. While there are some, the request is to be
 * run again. */
static bool sweep(struct sqlite *sqlite, struct request *request, struct refusal *why) {
    int64_t last, id;
    if (!find_leftover(sqlite, &last, why))
        return false;
    if (last == 0)
        return true;
    request->again = true;
    id = last;
    for (int i = 0; i < STEP_ENTRIES && id != 0; i++) {
        int64_t previous;
        if (!find_previous(sqlite, id, &previous, why) ||
            !sqlite_run_for(sqlite, DROP_ENTRY, id, why))
            return false;
        id = previous;
    }
    return id == 0 ? sqlite_run_for(sqlite, DROP_LEFTOVER, last, why)
                   : set_leftover(sqlite, last, id, why);
}

/* ---- Archives ---- */

static bool archive_one(struct sqlite *sqlite, int64_t world, int64_t now_ms, struct refusal *why) {
    if (!sqlite_run_for(sqlite, ARCHIVE_LOG, world, why) ||
        !sqlite_run_for(sqlite, LEAVE_ENTRIES, world, why) ||
        !sqlite_run_for(sqlite, ARCHIVE_HEAD, world, why))
        return false;
    sqlite3_stmt *statement = sqlite_use(sqlite, ARCHIVE_WORLD);
    sqlite_put_number(statement, 1, world);
    sqlite_put_number(statement, 2, now_ms);
    return sqlite_run(sqlite, statement, why);
}

bool sqlite_put_away(struct sqlite *sqlite, struct request *request, struct refusal *why) {
    struct sqlite_place place;
    if (!sqlite_find_world(sqlite, request->key, &place, why))
        return false;
    if (place.world == 0)
        request->reply.outcome = STORE_MISSING;
    return (!place.is_open || archive_one(sqlite, place.world, request->number, why)) &&
           sweep(sqlite, request, why);
}

/* ---- What is old ---- */

static bool forget_world(struct sqlite *sqlite, int64_t world, struct refusal *why) {
    static const enum statement steps[] = {FORGET_RESULTS, FORGET_SEATS,  FORGET_STATS,
                                           FORGET_MATCHES, CLEAR_MEMBERS, CLEAR_VISITS,
                                           REOPEN_ARCHIVE, FORGET_WORLD};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        if (!sqlite_run_for(sqlite, steps[i], world, why))
            return false;
    return true;
}

/* What a request to archive has done so far. */
struct archiving {
    struct store_world *worlds;
    bool archived;    /* all that were old enough when it began */
    size_t forgotten; /* worlds */
};

static bool forget_worlds(struct sqlite *sqlite, struct request *request, struct refusal *why) {
    struct archiving *archiving = request->progress;
    int64_t worlds[FORGET_MAX], entries = 0;
    size_t count = 0;
    int code;
    sqlite3_stmt *row = sqlite_use(sqlite, LIST_OLD);
    sqlite_put_number(row, 1, request->ages.now_ms - sqlite->keep_worlds_ms);
    sqlite_put_number(row, 2, (int64_t)(FORGET_MAX - archiving->forgotten));
    while ((code = sqlite_step(sqlite, row, why)) == SQLITE_ROW && entries < STEP_PACKED) {
        worlds[count++] = sqlite3_column_int64(row, 0);
        entries += sqlite3_column_int64(row, 1);
    }
    request->again = code == SQLITE_ROW;
    sqlite3_reset(row);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return false;
    archiving->forgotten += count;
    for (size_t i = 0; i < count; i++)
        if (!forget_world(sqlite, worlds[i], why))
            return false;
    return true;
}

static bool forget_person(struct sqlite *sqlite, struct span id, struct refusal *why) {
    static const enum statement steps[] = {FORGET_TOTALS, FORGET_FIGURES, FORGET_VISITS,
                                           FORGET_NOTES,  DROP_DEVICES,   FORGET_PLAYER};
    return sqlite_run_for_person(sqlite, steps, sizeof steps / sizeof steps[0], id, why);
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

/* Archives worlds until they have so many entries together. */
static bool archive_some(struct sqlite *sqlite, struct request *request, struct arena *arena,
                         struct refusal *why) {
    struct archiving *archiving = request->progress;
    struct store_reply *reply = &request->reply, found = {0};
    size_t max = request->ages.max - reply->count, at = 0;
    sqlite3_stmt *statement = sqlite_use(sqlite, LIST_AGED);
    sqlite_put_number(statement, 1, request->ages.over_before_ms);
    sqlite_put_number(statement, 2, request->ages.idle_before_ms);
    sqlite_put_number(statement, 3, (int64_t)max + 1);
    if (!sqlite_worlds(sqlite, statement, max, &found, arena, why))
        return false;
    for (int64_t entries = 0; at < found.count && entries < STEP_ENTRIES; at++) {
        struct store_world world = found.worlds[at];
        if (!archive_one(sqlite, world.place, request->ages.now_ms, why))
            return false;
        entries += world.version;
        world.is_archived = true;
        world.due_ms = STORE_NEVER;
        archiving->worlds[reply->count++] = world;
    }
    reply->more = found.more;
    archiving->archived = at == found.count;
    request->again = !archiving->archived;
    return true;
}

/* Each time one of these things, and the next one once there is nothing left of it. */
bool sqlite_archive(struct sqlite *sqlite, struct request *request, struct arena *arena,
                    struct refusal *why) {
    struct archiving *archiving = request->progress;
    if (!archiving) {
        archiving = request->progress = arena_take(arena, sizeof *archiving);
        request->reply.worlds = archiving->worlds =
            arena_take(arena, request->ages.max * sizeof *archiving->worlds);
    }
    if (!archiving->archived && !archive_some(sqlite, request, arena, why))
        return false;
    if (!request->again && !sweep(sqlite, request, why))
        return false;
    if (!request->again && sqlite->keep_worlds_ms > 0 && !forget_worlds(sqlite, request, why))
        return false;
    return request->again || sqlite->keep_people_ms == 0 ||
           forget_people(sqlite, request->ages.now_ms - sqlite->keep_people_ms, arena, why);
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

/* The old logs of worlds that the person was in go first. */
bool sqlite_player_erase(struct sqlite *sqlite, struct request *request, struct refusal *why) {
    int64_t visits;
    if (!count_visits(sqlite, request->key, &visits, why))
        return false;
    if (visits > 0) {
        request->reply.outcome = STORE_CONFLICT;
        return true;
    }
    if (!sweep(sqlite, request, why))
        return false;
    if (request->again)
        return true;
    sqlite->scrubs = true;
    return forget_person(sqlite, request->key, why);
}

/* The log of an open world is written anew beside the old one, a part at a time, as a leftover
 * until it is complete and takes the other's place. */
struct staging {
    struct sqlite_place place; /* of the world; `last` is that of the new log */
    int64_t old_last;
    int64_t *ids;          /* of the old entries */
    int64_t to_find, next; /* how many ids are not known yet, and the last one of these */
    int64_t copied;
    size_t changed;
};

static struct staging *begin_staging(struct sqlite *sqlite, struct request *request,
                                     const struct sqlite_place *place, struct arena *arena) {
    struct staging *staging = arena_take(arena, sizeof *staging);
    *staging = (struct staging){.place = *place,
                                .old_last = place->last,
                                .ids = arena_take(arena, (size_t)place->version * sizeof(int64_t)),
                                .to_find = place->version,
                                .next = place->last};
    staging->place.last = 0;
    sqlite->stages = true;
    return request->progress = staging;
}

static bool copy_entry(struct sqlite *sqlite, const struct store_rewrite *rewrite,
                       struct staging *staging, struct refusal *why) {
    int64_t version = staging->copied + 1;
    const struct store_entry *change = &rewrite->entries[staging->changed];
    sqlite3_stmt *row = sqlite_use(sqlite, LOAD_ENTRY);
    sqlite_put_number(row, 1, staging->ids[staging->copied]);
    if (sqlite_step(sqlite, row, why) != SQLITE_ROW)
        return refuse_unavailable(why, "The world's log is damaged");
    struct span text = {sqlite3_column_blob(row, 3), (size_t)sqlite3_column_bytes(row, 3)};
    if (staging->changed < rewrite->count && change->version == version) {
        text = change->text;
        staging->changed++;
    }
    bool added = sqlite_add_entry(sqlite, &staging->place, version, text, why);
    sqlite3_reset(row);
    staging->copied = version;
    return added;
}

/* Entries know the one before them, so they are found from the last to the first, and then copied
 * from the first to the last. */
static bool stage(struct sqlite *sqlite, const struct store_rewrite *rewrite,
                  struct staging *staging, struct refusal *why) {
    int left = STEP_ENTRIES;
    int64_t staged = staging->place.last;
    for (; left > 0 && staging->to_find > 0; left--) {
        staging->ids[--staging->to_find] = staging->next;
        if (!find_previous(sqlite, staging->next, &staging->next, why))
            return false;
    }
    for (; left > 0 && staging->copied < rewrite->version; left--)
        if (!copy_entry(sqlite, rewrite, staging, why))
            return false;
    sqlite->staged = staging->place.last;
    if (staged == 0)
        return staging->copied == 0 || sqlite_run_for(sqlite, ADD_LEFTOVER, sqlite->staged, why);
    return set_leftover(sqlite, staged, sqlite->staged, why);
}

static bool rewrite_entries(struct sqlite *sqlite, struct request *request,
                            const struct sqlite_place *place, struct arena *arena,
                            struct refusal *why) {
    const struct store_rewrite *rewrite = &request->rewrite;
    struct staging *staging = request->progress;
    if (!staging)
        staging = begin_staging(sqlite, request, place, arena);
    if (!stage(sqlite, rewrite, staging, why))
        return false;
    request->again = staging->copied < rewrite->version;
    if (request->again)
        return true;
    sqlite_unstage(sqlite);
    return set_leftover(sqlite, staging->place.last, staging->old_last, why) &&
           run_with(sqlite, SET_LAST, place->world, staging->place.last, why);
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

/* Is the log the one that was read, and the one of which a part was copied? */
static bool is_same_log(const struct request *request, const struct sqlite_place *place) {
    const struct staging *staging = request->progress;
    return place->version == request->rewrite.version &&
           (!staging || (place->is_open && place->last == staging->old_last));
}

bool sqlite_rewrite(struct sqlite *sqlite, struct request *request, struct arena *arena,
                    struct refusal *why) {
    const struct store_rewrite *rewrite = &request->rewrite;
    struct sqlite_place place;
    if (!sqlite_find_world(sqlite, rewrite->code, &place, why))
        return false;
    if (place.world == 0 || !is_same_log(request, &place)) {
        request->reply.outcome = place.world == 0 ? STORE_MISSING : STORE_CONFLICT;
        if (request->progress)
            sqlite_unstage(sqlite);
        return true;
    }
    request->again = !request->progress && sqlite->stages; /* one after the other */
    if (request->again)
        return true;
    bool written = rewrite->count == 0 ||
                   (place.is_open ? rewrite_entries(sqlite, request, &place, arena, why)
                                  : rewrite_archive(sqlite, rewrite, place.world, arena, why));
    return written && (request->again || (rewrite_summary(sqlite, rewrite, place.world, why) &&
                                          erase_from(sqlite, rewrite, place.world, why)));
}
