/* What the files of the SQLite backend share: the connection, its statements, and the words in
 * which requests are written. sqlite.c opens files and owns transactions, sqlite_write.c and
 * sqlite_read.c carry out requests, sqlite_steps.c those that touch whole logs, sqlite_whole.c
 * those about all that there is, schema.c has the tables. */
#pragma once

#include "store/backend.h"
#include <sqlite3.h>
#include <stdatomic.h>

enum statement {
    BEGIN_READ,
    BEGIN_WRITE,
    COMMIT,
    ROLLBACK,
    MARK_FAILURE,
    UNMARK_FAILURE,
    FIND_WORLD,
    ADD_WORLD,
    ADD_HEAD,
    SET_HEAD,
    ADD_ENTRY,
    SET_WORLD,
    CLEAR_MEMBERS,
    ADD_MEMBER,
    ADD_VISIT,
    CLEAR_VISITS,
    SET_LAST,
    SET_ARCHIVE,
    SET_SUMMARY,
    ERASE_MEMBER,
    ERASE_VISIT,
    ERASE_SEATS,
    COUNT_VISITS,
    FORGET_VISITS,
    PUT_MATCH,
    CLEAR_SEATS,
    ADD_SEAT,
    READ_SEAT,
    DROP_SEAT,
    CLEAR_STATS,
    ADD_STAT,
    LIST_AGED,
    ARCHIVE_LOG,
    LEAVE_ENTRIES,
    ARCHIVE_HEAD,
    ARCHIVE_WORLD,
    FIND_LEFTOVER,
    ADD_LEFTOVER,
    SET_LEFTOVER,
    DROP_LEFTOVER,
    DROP_ENTRY,
    LIST_OLD,
    FORGET_RESULTS,
    FORGET_SEATS,
    FORGET_STATS,
    FORGET_MATCHES,
    FORGET_WORLD,
    LIST_UNSEEN,
    FORGET_TOTALS,
    FORGET_FIGURES,
    FORGET_OWN_RESULTS,
    FORGET_PLAYER,
    FORGET_NOTES,
    PUT_NOTE,
    PUT_FRESH_NOTE,
    DROP_NOTE,
    LIST_NOTES,
    READ_ARCHIVE,
    REOPEN_ARCHIVE,
    REOPEN_WORLD,
    LOAD_WORLD,
    LOAD_LAST,
    LOAD_ENTRY,
    LIST_DUE,
    LIST_PUBLIC,
    LIST_PUBLIC_GAME,
    LIST_OF_PLAYER,
    LIST_VISITED,
    ADD_PLAYER,
    SET_PLAYER,
    HAS_DEVICE,
    ADD_DEVICE,
    SEE_DEVICE,
    DROP_DEVICE,
    DROP_OTHERS,
    DROP_LINKS,
    DROP_DEVICES,
    PLAYER_BY_TOKEN,
    PLAYER_BY_ID,
    RECORDS,
    RECORD_FIGURES,
    LIST_FINISHED,
    WALK_WORLDS,
    WALK_PLAYERS,
    FILE_SIZE,
    PROBLEMS,
    INTEGRITY,
    EARLIER,
    EARLIER_FIGURES,
    COUNT_TOTALS,
    COUNT_FIGURES,
    ADD_TOTAL,
    ADD_TOTAL_FIGURE,
    STATEMENTS
};

/* A connection to the file. There are two, so that what is read does not hold up what is written;
 * each is used by one thread at a time. */
struct sqlite {
    sqlite3 *database;
    sqlite3_stmt *statements[STATEMENTS];
    int busy_ms;        /* how long to wait for another process that writes */
    int wal_frames;     /* frames in the WAL after the last commit */
    bool writes;        /* the open transaction writes */
    bool frozen;        /* its first transaction stays open, so that all reads see the same state */
    bool scrubs;        /* erased data may still be in the WAL, which has to be truncated */
    int64_t scrub_ms;   /* when to try again to truncate it */
    bool stages;        /* a log is being written beside the one that a world has ... */
    int64_t staged;     /* ... and it is this leftover until it is complete; 0: none yet */
    atomic_bool failed; /* an fsync failed, and `fatal` returned */
    atomic_bool *dead;  /* `failed` of the connection that writes */
    struct sqlite *reader;                  /* of the connection that writes: the one that reads */
    int64_t keep_worlds_ms, keep_people_ms; /* 0: for ever */
    void (*fatal)(void *arg, const char *text);
    void *arg;
};

/* A statement, ready to be given its parameters. It is reset by the last of its steps. */
sqlite3_stmt *sqlite_use(struct sqlite *sqlite, enum statement which);
void sqlite_put_number(sqlite3_stmt *statement, int parameter, int64_t number);
void sqlite_put_text(sqlite3_stmt *statement, int parameter, struct span text);
void sqlite_put_bytes(sqlite3_stmt *statement, int parameter, const void *data, size_t size);
void sqlite_put_due(sqlite3_stmt *statement, int parameter, int64_t due_ms);

/* SQLITE_ROW, SQLITE_DONE, or an error, which is in `why` then. */
int sqlite_step(struct sqlite *sqlite, sqlite3_stmt *statement, struct refusal *why);

/* The only step of a statement that gives no rows. */
bool sqlite_run(struct sqlite *sqlite, sqlite3_stmt *statement, struct refusal *why);

/* Puts the error into `why`. A failed fsync ends the process here. */
bool sqlite_refuse(struct sqlite *sqlite, struct refusal *why);

/* A column, copied into the arena. */
struct span sqlite_text(sqlite3_stmt *statement, int column, struct arena *arena);
int64_t sqlite_due(sqlite3_stmt *statement, int column);

struct sqlite_place {
    int64_t world; /* 0: there is none */
    int64_t version;
    int64_t last; /* its last entry; 0: there is none among the entries */
    bool is_open;
};

bool sqlite_find_world(struct sqlite *sqlite, struct span code, struct sqlite_place *out,
                       struct refusal *why);
/* Adds an entry behind the last one, which it becomes. */
bool sqlite_add_entry(struct sqlite *sqlite, struct sqlite_place *place, int64_t version,
                      struct span text, struct refusal *why);

/* Runs a statement whose only parameter is a number: a world, a match or an entry. */
bool sqlite_run_for(struct sqlite *sqlite, enum statement which, int64_t id, struct refusal *why);
/* Runs statements whose only parameter is a person. */
bool sqlite_run_for_person(struct sqlite *sqlite, const enum statement *steps, size_t count,
                           struct span id, struct refusal *why);

/* Takes the next line of an archived log. */
bool sqlite_line(struct span *log, struct span *line);

/* Nobody writes a log beside another any more. What there is of it is a leftover like any other. */
void sqlite_unstage(struct sqlite *sqlite);

/* Requests that write, and that read. */
bool sqlite_append(struct sqlite *sqlite, struct request *request, struct arena *arena,
                   struct refusal *why);
bool sqlite_archive(struct sqlite *sqlite, struct request *request, struct arena *arena,
                    struct refusal *why);
bool sqlite_player_add(struct sqlite *sqlite, struct request *request, struct arena *arena,
                       struct refusal *why);
bool sqlite_player_devices(struct sqlite *sqlite, struct request *request, struct arena *arena,
                           struct refusal *why);
bool sqlite_player_forget(struct sqlite *sqlite, struct request *request, struct refusal *why);
bool sqlite_player_erase(struct sqlite *sqlite, struct request *request, struct refusal *why);
bool sqlite_rewrite(struct sqlite *sqlite, struct request *request, struct arena *arena,
                    struct refusal *why);
bool sqlite_note_put(struct sqlite *sqlite, struct request *request, struct refusal *why);
bool sqlite_player_seen(struct sqlite *sqlite, struct request *request, struct refusal *why);
bool sqlite_put_away(struct sqlite *sqlite, struct request *request, struct refusal *why);
bool sqlite_seat_forget(struct sqlite *sqlite, struct request *request, struct arena *arena,
                        struct refusal *why);
bool sqlite_set_earlier(struct sqlite *sqlite, struct request *request, struct refusal *why);
bool sqlite_read(struct sqlite *sqlite, struct request *request, struct arena *arena,
                 struct refusal *why);

/* All rows of a prepared list, at most `max` of them. */
bool sqlite_worlds(struct sqlite *sqlite, sqlite3_stmt *statement, size_t max,
                   struct store_reply *reply, struct arena *arena, struct refusal *why);

/* The columns of WORLD_COLUMNS and LOAD_WORLD, and of a person. */
void sqlite_world(sqlite3_stmt *row, struct store_world *out, struct arena *arena);
void sqlite_player(sqlite3_stmt *row, struct store_player *out, struct arena *arena);

/* A person's records by two statements, of the totals and of their figures. */
bool sqlite_records(struct sqlite *sqlite, enum statement totals, enum statement figures,
                    struct request *request, struct arena *arena, struct refusal *why);

/* ---- sqlite_whole.c ---- */

bool sqlite_walk_worlds(struct sqlite *sqlite, struct request *request, struct arena *arena,
                        struct refusal *why);
bool sqlite_walk_players(struct sqlite *sqlite, struct request *request, struct arena *arena,
                         struct refusal *why);

/* ---- schema.c ---- */

extern const char *const sqlite_statements[STATEMENTS];

/* Migrations, forward only: the statements of number N, null-terminated, lead from version N to
 * N + 1 of the schema (PRAGMA user_version). A released one is never changed. */
extern const char *const *const sqlite_migrations[];
extern const int sqlite_schema_version;
