/* The SQLite backend: opening, migrations, transactions and what becomes of failures.
 *
 * A commit counts once the file's log (WAL) is synced: synchronous=FULL. A write that fails, on a
 * full disk for instance, costs its transaction and nothing else. A sync that fails is the end:
 * the kernel may have dropped the pages and will not say so twice, so only a restart that reads
 * the file can tell what was kept. Checkpoints, which move the log into the file, are ours to
 * start, because those that SQLite starts by itself keep their failures to themselves. */
#include "store/sqlite.h"

#include "engine/ensure.h"
#include "store/reserve.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    APPLICATION_ID = 0x4f797374, /* "Oyst", so that another program's file is not taken for ours */
    CHECKPOINT_FRAMES = 2000,    /* 8 MB of log */
    BUSY_MS = 1000,
    SCRUB_BUSY_MS = 50,    /* how long to wait for those who read before the log is cut ... */
    SCRUB_AGAIN_MS = 1000, /* ... and until the next try */
    /* Files of a version before this one may have deleted things in their free pages: they are
     * written anew, once. */
    FIRST_SECURE = 5
};

/* ---- Failures ---- */

static void end_process(void *arg, const char *text) {
    fprintf(stderr, "%s\n", text);
    _Exit(EXIT_FAILURE);
}

static bool is_sync_failure(int code) {
    return code == SQLITE_IOERR_FSYNC || code == SQLITE_IOERR_DIR_FSYNC;
}

static const char dead_text[] =
    "The disk failed to confirm what was written (fsync), so nobody knows what is on it. Ending; "
    "check the disk, then start again: what was acknowledged before is there.";

static void check_sync(struct sqlite *sqlite, int code) {
    if (!is_sync_failure(code) || atomic_exchange(sqlite->dead, true))
        return;
    sqlite->fatal(sqlite->arg, dead_text);
}

bool sqlite_refuse(struct sqlite *sqlite, struct refusal *why) {
    int code = sqlite3_extended_errcode(sqlite->database);
    refuse(why, "UNAVAILABLE", "The store failed: %s (%d)", sqlite3_errmsg(sqlite->database), code);
    check_sync(sqlite, code);
    return false;
}

/* ---- Statements ---- */

sqlite3_stmt *sqlite_use(struct sqlite *sqlite, enum statement which) {
    return sqlite->statements[which];
}

void sqlite_put_number(sqlite3_stmt *statement, int parameter, int64_t number) {
    ensure(sqlite3_bind_int64(statement, parameter, number) == SQLITE_OK);
}

/* The parameter points to memory of the batch, which outlives the statement's steps. */
void sqlite_put_text(sqlite3_stmt *statement, int parameter, struct span text) {
    const char *data = text.length > 0 ? text.data : "";
    ensure(sqlite3_bind_text64(statement, parameter, data, text.length, SQLITE_STATIC,
                               SQLITE_UTF8) == SQLITE_OK);
}

void sqlite_put_bytes(sqlite3_stmt *statement, int parameter, const void *data, size_t size) {
    ensure(sqlite3_bind_blob64(statement, parameter, data, size, SQLITE_STATIC) == SQLITE_OK);
}

void sqlite_put_due(sqlite3_stmt *statement, int parameter, int64_t due_ms) {
    if (due_ms == STORE_NEVER)
        ensure(sqlite3_bind_null(statement, parameter) == SQLITE_OK);
    else
        sqlite_put_number(statement, parameter, due_ms);
}

int sqlite_step(struct sqlite *sqlite, sqlite3_stmt *statement, struct refusal *why) {
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        return code;
    if (code != SQLITE_DONE)
        sqlite_refuse(sqlite, why);
    sqlite3_reset(statement);
    return code;
}

bool sqlite_run(struct sqlite *sqlite, sqlite3_stmt *statement, struct refusal *why) {
    int code = sqlite_step(sqlite, statement, why);
    ensure(code != SQLITE_ROW);
    return code == SQLITE_DONE;
}

struct span sqlite_text(sqlite3_stmt *statement, int column, struct arena *arena) {
    const void *data = sqlite3_column_blob(statement, column);
    size_t length = (size_t)sqlite3_column_bytes(statement, column);
    return arena_span(arena, (struct span){data, data ? length : 0});
}

int64_t sqlite_due(sqlite3_stmt *statement, int column) {
    return sqlite3_column_type(statement, column) == SQLITE_NULL
               ? STORE_NEVER
               : sqlite3_column_int64(statement, column);
}

/* ---- Transactions ---- */

/* Whoever does something in steps is in every transaction that writes, and fails with it. */
void sqlite_unstage(struct sqlite *sqlite) {
    sqlite->stages = false;
    sqlite->staged = 0;
}

static void roll_back(struct sqlite *sqlite) {
    for (int i = 0; i < STATEMENTS; i++)
        sqlite3_reset(sqlite->statements[i]);
    if (!sqlite3_get_autocommit(sqlite->database)) /* SQLite may have done it already */
        sqlite_run(sqlite, sqlite_use(sqlite, ROLLBACK), NULL);
}

static bool begin(void *self, bool writes, struct refusal *why) {
    struct sqlite *sqlite = self;
    if (*sqlite->dead)
        return refuse_unavailable(why, dead_text);
    if (!sqlite->frozen && !sqlite3_get_autocommit(
                               sqlite->database)) /* even that may have failed for want of memory */
        roll_back(sqlite);
    sqlite->writes = writes;
    if (sqlite->frozen && !sqlite3_get_autocommit(sqlite->database))
        return true;
    bool begun = sqlite_run(sqlite, sqlite_use(sqlite, writes ? BEGIN_WRITE : BEGIN_READ), why);
    if (!begun)
        sqlite_unstage(sqlite);
    return begun;
}

/* A write that reported a failure may have reached the disk all the same, and with it the mark of a
 * commit. A later commit overwrites it, so this makes one before anybody is told of the failure. */
static void mark_failure(struct sqlite *sqlite) {
    struct refusal why;
    if (!sqlite_run(sqlite, sqlite_use(sqlite, BEGIN_WRITE), &why))
        return;
    if (!sqlite_run(sqlite, sqlite_use(sqlite, MARK_FAILURE), &why) ||
        !sqlite_run(sqlite, sqlite_use(sqlite, COMMIT), &why))
        roll_back(sqlite);
}

static void undo(void *self) {
    struct sqlite *sqlite = self;
    roll_back(sqlite);
    sqlite_unstage(sqlite);
    if (sqlite->writes && !*sqlite->dead)
        mark_failure(sqlite);
}

/* A checkpoint that fails for lack of space loses nothing: the log goes on. */
static void checkpoint(struct sqlite *sqlite) {
    if (sqlite->wal_frames < CHECKPOINT_FRAMES)
        return;
    sqlite->wal_frames = 0;
    int code =
        sqlite3_wal_checkpoint_v2(sqlite->database, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    if (code != SQLITE_OK)
        check_sync(sqlite, sqlite3_extended_errcode(sqlite->database));
}

/* What somebody wanted to be gone still stands in the log, until all of it is in the file and it is
 * cut. Whoever reads at the moment prevents that; then the next commit tries again. */
static void scrub(struct sqlite *sqlite) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if ((int64_t)now.tv_sec * 1000 < sqlite->scrub_ms)
        return;
    sqlite->scrub_ms = (int64_t)now.tv_sec * 1000 + SCRUB_AGAIN_MS;
    sqlite3_busy_timeout(sqlite->database, SCRUB_BUSY_MS);
    int code =
        sqlite3_wal_checkpoint_v2(sqlite->database, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    sqlite3_busy_timeout(sqlite->database, sqlite->busy_ms);
    sqlite->scrubs = code != SQLITE_OK;
    if (code != SQLITE_OK)
        check_sync(sqlite, sqlite3_extended_errcode(sqlite->database));
    else
        sqlite->scrub_ms = sqlite->wal_frames = 0;
}

static bool commit(void *self, struct refusal *why) {
    struct sqlite *sqlite = self;
    if (sqlite->frozen)
        return true;
    if (!sqlite_run(sqlite, sqlite_use(sqlite, COMMIT), why))
        return false;
    if (sqlite->writes && sqlite->scrubs)
        scrub(sqlite);
    else if (sqlite->writes)
        checkpoint(sqlite);
    return true;
}

static int count_frames(void *self, sqlite3 *database, const char *name, int frames) {
    ((struct sqlite *)self)->wal_frames = frames;
    return SQLITE_OK;
}

static bool run(void *self, struct request *request, struct refusal *why) {
    struct arena *arena = &request->arena;
    switch (request->kind) {
    case REQUEST_APPEND:
        return sqlite_append(self, request, arena, why);
    case REQUEST_ARCHIVE:
        return sqlite_archive(self, request, arena, why);
    case REQUEST_PLAYER_ADD:
        return sqlite_player_add(self, request, &request->arena, why);
    case REQUEST_TRY:
        /* The mark is set and taken back, because SQLite writes no page that did not change. */
        return sqlite_run(self, sqlite_use(self, MARK_FAILURE), why) &&
               sqlite_run(self, sqlite_use(self, UNMARK_FAILURE), why);
    case REQUEST_PLAYER_DEVICES:
        return sqlite_player_devices(self, request, &request->arena, why);
    case REQUEST_PLAYER_ERASE:
        return sqlite_player_erase(self, request, why);
    case REQUEST_PLAYER_FORGET:
        return sqlite_player_forget(self, request, why);
    case REQUEST_REWRITE:
        return sqlite_rewrite(self, request, arena, why);
    case REQUEST_PLAYER_SEEN:
        return sqlite_player_seen(self, request, why);
    case REQUEST_PUT_AWAY:
        return sqlite_put_away(self, request, why);
    case REQUEST_NOTE_PUT:
        return sqlite_note_put(self, request, why);
    case REQUEST_SEAT_FORGET:
        return sqlite_seat_forget(self, request, arena, why);
    case REQUEST_SET_EARLIER:
        return sqlite_set_earlier(self, request, why);
    default:
        return sqlite_read(self, request, arena, why);
    }
}

/* ---- Opening ---- */

static bool refuse_file(struct sqlite *sqlite, const char *where, struct refusal *why) {
    const char *text = sqlite->database ? sqlite3_errmsg(sqlite->database) : "out of memory";
    return refuse(why, "STORE_UNUSABLE", "%s cannot be opened: %s", where, text);
}

/* The file holds what nobody at a table may see, so nobody else may read it: SQLite gives its
 * other files the same rights. Only if it is new: closing a file that another connection of this
 * process has open would drop that one's locks. */
static bool make_file(const char *where, struct refusal *why) {
    int file = open(where, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0)
        return close(file) == 0;
    if (errno == EEXIST)
        return true;
    return refuse(why, "STORE_UNUSABLE", "%s cannot be opened: %s", where, strerror(errno));
}

/* The number that a pragma gives, or -1. */
static int pragma(struct sqlite *sqlite, const char *text) {
    sqlite3_stmt *statement;
    int number = -1;
    if (sqlite3_prepare_v2(sqlite->database, text, -1, &statement, NULL) != SQLITE_OK)
        return -1;
    if (sqlite3_step(statement) == SQLITE_ROW)
        number = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    return number;
}

static bool execute(struct sqlite *sqlite, const char *text) {
    return sqlite3_exec(sqlite->database, text, NULL, NULL, NULL) == SQLITE_OK;
}

static bool migrate_from(struct sqlite *sqlite, int version) {
    for (; version < sqlite_schema_version; version++)
        for (const char *const *sql = sqlite_migrations[version]; *sql; sql++)
            if (!execute(sqlite, *sql))
                return false;
    char marks[96];
    snprintf(marks, sizeof marks, "PRAGMA user_version = %d; PRAGMA application_id = %d", version,
             APPLICATION_ID);
    return execute(sqlite, marks);
}

/* Is the file ours, or empty, and of a version that we know? */
static bool check_version(struct sqlite *sqlite, const char *where, int version,
                          struct refusal *why) {
    int application = pragma(sqlite, "PRAGMA application_id");
    int tables = pragma(sqlite, "SELECT count(*) FROM sqlite_schema");
    if (version < 0 || application < 0 || tables < 0)
        return refuse_file(sqlite, where, why);
    if (application != APPLICATION_ID && (tables > 0 || version > 0 || application != 0))
        return refuse(why, "STORE_UNUSABLE", "%s is not a store of Oyster's", where);
    if (version > sqlite_schema_version)
        return refuse(why, "STORE_NEWER",
                      "%s was written by a newer Oyster (version %d, this one knows %d)", where,
                      version, sqlite_schema_version);
    return true;
}

/* Migrates under the write lock, so that of two programs that start at once one waits for the
 * other. */
static bool migrate(struct sqlite *sqlite, const char *where, struct refusal *why) {
    int before = pragma(sqlite, "PRAGMA user_version");
    if (before > 0 && before < FIRST_SECURE && !execute(sqlite, "VACUUM"))
        return refuse_file(sqlite, where, why);
    if (!execute(sqlite, "BEGIN IMMEDIATE"))
        return refuse_file(sqlite, where, why);
    int version = pragma(sqlite, "PRAGMA user_version");
    if (!check_version(sqlite, where, version, why))
        return false;
    if (version == sqlite_schema_version)
        return execute(sqlite, "ROLLBACK") || refuse_file(sqlite, where, why);
    return (migrate_from(sqlite, version) && execute(sqlite, "COMMIT")) ||
           refuse_file(sqlite, where, why);
}

static bool set_up_reader(struct sqlite *sqlite, const char *where, struct refusal *why) {
    return execute(sqlite, "PRAGMA query_only = ON; PRAGMA temp_store = MEMORY;"
                           "PRAGMA cache_size = -16384") ||
           refuse_file(sqlite, where, why);
}

static bool set_up(struct sqlite *sqlite, const char *where, struct refusal *why) {
    if (!sqlite->reader)
        return set_up_reader(sqlite, where, why);
    int version = pragma(sqlite, "PRAGMA user_version");
    if (!check_version(sqlite, where, version, why))
        return false;
    if (!execute(sqlite, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                         "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768;"
                         "PRAGMA journal_size_limit = 67108864; PRAGMA secure_delete = ON"))
        return refuse_file(sqlite, where, why);
    sqlite3_wal_autocheckpoint(sqlite->database, 0);
    sqlite3_wal_hook(sqlite->database, count_frames, sqlite);
    return version == sqlite_schema_version || migrate(sqlite, where, why);
}

static bool prepare(struct sqlite *sqlite, const char *where, struct refusal *why) {
    for (int i = 0; i < STATEMENTS; i++)
        if (sqlite3_prepare_v3(sqlite->database, sqlite_statements[i], -1,
                               SQLITE_PREPARE_PERSISTENT, &sqlite->statements[i],
                               NULL) != SQLITE_OK)
            return refuse_file(sqlite, where, why);
    return true;
}

/* Closes the reading connection first: the last one that closes the file moves the WAL into it. */
static void close_file(void *self) {
    struct sqlite *sqlite = self;
    if (sqlite->reader)
        close_file(sqlite->reader);
    for (int i = 0; i < STATEMENTS; i++)
        sqlite3_finalize(sqlite->statements[i]);
    sqlite3_close(sqlite->database);
    free(sqlite);
}

static const struct backend sqlite_backend = {
    .begin = begin, .run = run, .commit = commit, .undo = undo, .close = close_file};

static struct sqlite *make(const struct store_config *config) {
    struct sqlite *sqlite = reserve_calloc(1, sizeof *sqlite);
    sqlite->fatal = config->fatal ? config->fatal : end_process;
    sqlite->arg = config->arg;
    sqlite->keep_worlds_ms = config->keep_worlds_ms;
    sqlite->keep_people_ms = config->keep_people_ms;
    sqlite->dead = &sqlite->failed;
    return sqlite;
}

static bool open_file(struct sqlite *sqlite, const struct store_config *config,
                      struct refusal *why) {
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    if (sqlite3_open_v2(config->where, &sqlite->database, flags, config->vfs) != SQLITE_OK)
        return refuse_file(sqlite, config->where, why);
    sqlite->busy_ms = config->busy_ms > 0 ? config->busy_ms : BUSY_MS;
    sqlite3_busy_timeout(sqlite->database, sqlite->busy_ms);
    return set_up(sqlite, config->where, why) && prepare(sqlite, config->where, why);
}

bool sqlite_open(const struct store_config *config, struct backing *out, struct refusal *why) {
    struct sqlite *writer = make(config), *reader = make(config);
    writer->reader = reader;
    reader->dead = writer->dead;
    reader->frozen = config->frozen;
    *out = (struct backing){.backend = &sqlite_backend, .self = writer, .reader = reader};
    bool open = make_file(config->where, why) && open_file(writer, config, why) &&
                open_file(reader, config, why);
    if (!open)
        close_file(writer);
    return open;
}

/* ---- Copying ---- */

/* What VACUUM INTO has written may still be on its way to the disk. */
static bool sync_file(const char *path, struct refusal *why) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool good = file >= 0 && fsync(file) == 0;
    if (!good)
        refuse(why, "STORE_UNUSABLE", "%s cannot be written: %s", path, strerror(errno));
    if (file >= 0)
        close(file);
    return good;
}

static bool copy_into(struct sqlite *sqlite, const char *to, struct refusal *why) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(sqlite->database, "VACUUM INTO ?1", -1, &statement, NULL) != SQLITE_OK)
        return refuse_file(sqlite, to, why);
    sqlite_put_text(statement, 1, span_of(to));
    bool good = sqlite3_step(statement) == SQLITE_DONE;
    if (!good)
        refuse(why, "STORE_UNUSABLE", "%s cannot be written: %s", to,
               sqlite3_errmsg(sqlite->database));
    sqlite3_finalize(statement);
    return good && sync_file(to, why);
}

bool store_copy_file(const char *from, const char *to, struct refusal *why) {
    struct sqlite sqlite = {.fatal = end_process, .dead = &sqlite.failed};
    int version = -1;
    int file = open(to, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600); /* nobody else may read it */
    if (file < 0)
        return refuse(why, "STORE_UNUSABLE", "%s cannot be made: %s", to, strerror(errno));
    close(file);
    bool open = sqlite3_open_v2(from, &sqlite.database, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK;
    if (open) {
        sqlite3_busy_timeout(sqlite.database, BUSY_MS);
        version = pragma(&sqlite, "PRAGMA user_version");
    }
    bool good = open ? check_version(&sqlite, from, version, why) && copy_into(&sqlite, to, why)
                     : refuse_file(&sqlite, from, why);
    sqlite3_close(sqlite.database);
    if (!good)
        unlink(to);
    return good;
}
