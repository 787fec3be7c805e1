/* What is left when something breaks: a disk that fails at every single call, memory that is
 * missing at every single one, a process that is killed at any moment, two processes on one file,
 * files that are not ours.
 *
 * What was acknowledged must be there, what was refused must not, and when the disk is back the
 * store must work again. Only a failed fsync is the end: then the process must stop. */
#include "tests/failing_disk.h"
#include "tests/sanitized.h"
#include "tests/store_support.h"

#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORLDS = 3, STEPS = 3, INDEXES_MAX = 2000 };

static struct answer answer;

/* ---- A history: what was asked for, and what became of it ---- */

struct history {
    int64_t version[WORLDS]; /* acknowledged */
    int refused;
    int fatal;
};

static const char *code_of(int world) {
    static const char *const codes[WORLDS] = {"AAAAAA", "BBBBBB", "CCCCCC"};
    return codes[world];
}

struct asked {
    struct history *history;
    int world;
    int64_t version; /* after it */
    bool conflict;
};

static void told(void *arg, const struct store_reply *reply) {
    struct asked *asked = arg;
    if (reply->outcome == STORE_OK)
        asked->history->version[asked->world] = asked->version;
    else
        asked->history->refused++;
    asked->conflict = reply->outcome == STORE_CONFLICT;
    if (reply->outcome == STORE_FAILED)
        assert_string_equal(reply->why.code, "UNAVAILABLE");
}

/* One batch: each world gets two entries, the second one long enough for pages of its own, and the
 * last world a match. */
static void append_to_all(struct store *store, struct history *history) {
    static char long_line[6000];
    struct asked asked[WORLDS];
    memset(long_line, 'x', sizeof long_line);
    for (int i = 0; i < WORLDS; i++) {
        char line[32];
        snprintf(line, sizeof line, "entry %d", (int)history->version[i] + 1);
        struct span lines[] = {span_of(line), {long_line, sizeof long_line}};
        struct store_seat seat = {
            .name = span_of("Ann"), .player = span_of("p1"), .score = 1, .won = true};
        struct store_match match = {.number = 1 + (int32_t)history->version[i],
                                    .over = true,
                                    .seats = &seat,
                                    .seat_count = 1};
        struct store_append append = append_line(code_of(i), history->version[i], lines);
        append.count = 2;
        append.due_ms = 100 + history->version[i];
        append.match = i == WORLDS - 1 ? &match : NULL;
        asked[i] = (struct asked){history, i, history->version[i] + 2, false};
        assert_true(store_append(store, &append, told, &asked[i], NULL));
    }
    store_commit(store);
    for (int i = 0; i < WORLDS; i++)
        assert_false(asked[i].conflict);
}

/* Expects exactly what was acknowledged, with its due time and its records. */
static void check_history(struct shelf *shelf, const struct history *history) {
    for (int i = 0; i < WORLDS; i++) {
        shelf_load(shelf, code_of(i), &answer);
        assert_int_equal(answer.reply.version, history->version[i]);
        assert_int_equal(answer.reply.count, history->version[i]);
        if (history->version[i] > 0)
            assert_int_equal(answer.world.due_ms, 98 + history->version[i]);
    }
    assert_true(store_player_records(shelf->store, span_of("p1"), 0, answer_take, &answer, NULL));
    store_commit(shelf->store);
    char expected[64] = "";
    int games = (int)history->version[WORLDS - 1] / 2;
    if (games > 0)
        snprintf(expected, sizeof expected, "whos-deal %d %d %d 1", games, games, games);
    assert_string_equal(answer.text, expected);
}

/* ---- The disk fails ---- */

static void count_fatal(void *arg, const char *text) {
    assert_non_null(strstr(text, "fsync"));
    ((struct history *)arg)->fatal++;
}

static void copy_file(const char *from, const char *to) {
    char buffer[65536];
    ssize_t size;
    int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (in < 0) {
        close(out);
        unlink(to);
        return;
    }
    while ((size = read(in, buffer, sizeof buffer)) > 0)
        assert_int_equal(write(out, buffer, (size_t)size), size);
    close(in);
    close(out);
}

/* Expects of a restart, on a disk that works, what must be there if the process ended now. */
static void check_restart(const struct shelf *shelf, const struct history *history) {
    struct shelf copy = *shelf;
    struct failing_disk disk = failing_disk;
    char wal[96], copied_wal[112];
    snprintf(copy.file, sizeof copy.file, "%.60s/copy", shelf->folder);
    snprintf(wal, sizeof wal, "%s-wal", shelf->file);
    snprintf(copied_wal, sizeof copied_wal, "%s-wal", copy.file);
    copy_file(shelf->file, copy.file);
    copy_file(wal, copied_wal);
    failing_disk = (struct failing_disk){0};
    copy.config.where = copy.file;
    shelf_open(&copy);
    check_history(&copy, history);
    shelf_close(&copy);
    failing_disk = disk;
}

static void start(struct shelf *shelf, struct history *history) {
    failing_disk = (struct failing_disk){0};
    *history = (struct history){0};
    shelf_make(shelf);
    shelf->config.vfs = failing_disk_name();
    shelf->config.fatal = count_fatal;
    shelf->config.arg = history;
    shelf_open(shelf);
    append_to_all(shelf->store, history);
    assert_int_equal(history->refused, 0);
}

static void finish(struct shelf *shelf) {
    failing_disk = (struct failing_disk){0};
    shelf_close(shelf);
    shelf_remove(shelf);
}

/* Lets the disk fail at call number `after`; returns whether there was such a call. */
static bool survives(unsigned calls, enum disk_fault fault, int after, int repeats) {
    struct shelf shelf;
    struct history history;
    start(&shelf, &history);
    failing_disk = (struct failing_disk){calls, fault, after, repeats, 0, 0};
    for (int step = 0; step < STEPS; step++) {
        int refused = history.refused;
        append_to_all(shelf.store, &history);
        assert_true(history.refused == refused || history.refused == refused + WORLDS);
        if (history.refused > refused && repeats > 0)
            check_restart(&shelf, &history);
    }
    bool happened = failing_disk.failed > 0;
    failing_disk = (struct failing_disk){0};
    assert_int_equal(history.fatal, 0);
    check_history(&shelf, &history);
    int refused = history.refused;
    append_to_all(shelf.store, &history);
    assert_int_equal(history.refused, refused); /* the disk is back */
    shelf_close(&shelf);
    shelf_open(&shelf);
    check_history(&shelf, &history);
    finish(&shelf);
    return happened;
}

static void survives_everywhere(unsigned calls, enum disk_fault fault, int repeats) {
    int after = 0;
    while (after < INDEXES_MAX && survives(calls, fault, after, repeats))
        after += SANITIZED ? 3 : 1;
    assert_in_range(after, 1, INDEXES_MAX - 1);
}

static void full_disk_refuses_and_recovers(void **state) {
    survives_everywhere(DISK_WRITE, DISK_FULL, 1);
    survives_everywhere(DISK_WRITE, DISK_FULL, -1);
}

static void broken_writes_refuse_and_recover(void **state) {
    survives_everywhere(DISK_WRITE, DISK_BROKEN, 1);
    survives_everywhere(DISK_WRITE, DISK_BROKEN, 3);
    survives_everywhere(DISK_WRITE, DISK_BROKEN, -1);
}

static void torn_writes_refuse_and_recover(void **state) {
    survives_everywhere(DISK_WRITE, DISK_TORN, 1);
}

/* The write that carries the mark of the commit reports a failure although it succeeded. */
static void lying_writes_refuse_and_recover(void **state) {
    survives_everywhere(DISK_WRITE, DISK_LYING, 1);
}

static void full_disk_does_not_stop_reading(void **state) {
    struct shelf shelf;
    struct history history;
    start(&shelf, &history);
    failing_disk = (struct failing_disk){DISK_WRITE, DISK_FULL, 0, -1, 0, 0};
    struct span line = span_of("x");
    struct store_append append = append_line("DDDDDD", 0, &line);
    static struct answer written;
    assert_true(store_append(shelf.store, &append, answer_take, &written, NULL));
    check_history(&shelf, &history);
    assert_int_equal(written.reply.outcome, STORE_FAILED);
    assert_string_equal(written.reply.why.code, "UNAVAILABLE");
    assert_string_equal(written.reply.why.text, "The store failed: database or disk is full (13)");
    finish(&shelf);
}

/* A log that cannot be read now can be read later. */
static void broken_reads_refuse_and_recover(void **state) {
    bool happened = true;
    for (int after = 0; happened; after++) {
        struct shelf shelf;
        struct history history;
        start(&shelf, &history);
        shelf_close(&shelf);
        shelf_open(&shelf); /* a new connection, so that nothing is cached */
        failing_disk = (struct failing_disk){DISK_READ, DISK_BROKEN, after, 1, 0, 0};
        shelf_load(&shelf, "AAAAAA", &answer);
        happened = failing_disk.failed > 0;
        assert_int_equal(answer.reply.outcome, happened ? STORE_FAILED : STORE_OK);
        failing_disk.calls = 0;
        check_history(&shelf, &history);
        append_to_all(shelf.store, &history);
        assert_int_equal(history.refused, 0);
        assert_true(happened || after > 2);
        finish(&shelf);
    }
}

/* ---- Memory is missing ---- */

/* SQLite's own memory functions. Failures of memory are counted as those of the disk are. */
static sqlite3_mem_methods usual_memory;
static struct failing_disk hunger;

static bool is_missing(void) {
    if (!hunger.calls || hunger.seen++ < hunger.after)
        return false;
    if (hunger.repeats >= 0 && hunger.failed >= hunger.repeats)
        return false;
    hunger.failed++;
    return true;
}

static void *hungry_malloc(int size) {
    return is_missing() ? NULL : usual_memory.xMalloc(size);
}

static void *hungry_realloc(void *memory, int size) {
    return is_missing() ? NULL : usual_memory.xRealloc(memory, size);
}

static void watch_memory(void) {
    sqlite3_mem_methods hungry;
    assert_int_equal(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &usual_memory), SQLITE_OK);
    hungry = usual_memory;
    hungry.xMalloc = hungry_malloc;
    hungry.xRealloc = hungry_realloc;
    assert_int_equal(sqlite3_config(SQLITE_CONFIG_MALLOC, &hungry), SQLITE_OK);
}

/* Opens the file anew, so that SQLite has to ask for all its memory. Returns whether any was
 * refused. */
static bool survives_hunger(struct shelf *shelf, struct history *history, int after, int repeats) {
    int refused = history->refused;
    shelf_close(shelf);
    shelf_open(shelf);
    hunger = (struct failing_disk){.calls = 1, .after = after, .repeats = repeats};
    append_to_all(shelf->store, history);
    assert_true(history->refused == refused || history->refused == refused + WORLDS);
    shelf_load(shelf, "AAAAAA", &answer);
    assert_true(answer.reply.outcome == STORE_FAILED ||
                answer.reply.version == history->version[0]);
    bool happened = hunger.failed > 0;
    hunger = (struct failing_disk){0};
    assert_int_equal(history->fatal, 0);
    check_history(shelf, history);
    check_restart(shelf, history);
    return happened;
}

/* Lets memory be missing once, or from some moment on for a while. Returns how many such moments
 * there were. */
static int memory_is_missing_everywhere(int repeats) {
    struct shelf shelf;
    struct history history;
    int after = 0;
    start(&shelf, &history);
    while (after < INDEXES_MAX && survives_hunger(&shelf, &history, after, repeats)) {
        after++;
        int refused = history.refused;
        if (after % 8 == 0) /* now and then only, because the logs must fit into a page */
            append_to_all(shelf.store, &history);
        assert_int_equal(history.refused, refused);
        if (history.version[0] < 16)
            continue;
        finish(&shelf);
        start(&shelf, &history);
    }
    assert_in_range(after, 20, INDEXES_MAX - 1);
    finish(&shelf);
    return after;
}

static void missing_memory_refuses_and_recovers(void **state) {
    int once = memory_is_missing_everywhere(1);
    print_message("# memory was missing %d times\n", once + memory_is_missing_everywhere(-1));
}

/* The entries are enough for several checkpoints, of which any write may fail. */
static void checkpoints_may_fail(void **state) {
    struct shelf shelf;
    struct history history;
    start(&shelf, &history);
    for (int i = 0; i < 600; i++) {
        failing_disk =
            (struct failing_disk){DISK_WRITE | DISK_TRUNCATE, DISK_FULL, i % 97, 1, 0, 0};
        append_to_all(shelf.store, &history);
    }
    failing_disk = (struct failing_disk){0};
    assert_true(history.refused > 0 && history.version[0] > 100);
    for (int i = 0; i < WORLDS; i++) /* every entry, since they are 3 KB each on average */
        for (int64_t after = 0; after < history.version[i]; after += (int64_t)answer.reply.count) {
            store_load(shelf.store, span_of(code_of(i)), after, answer_take, &answer, NULL);
            store_commit(shelf.store);
            assert_int_equal(answer.reply.version, history.version[i]);
            assert_true(answer.reply.count > 0);
        }
    finish(&shelf);
}

/* Opening fails with a reason, leaves nothing open, and works once the disk does. */
static void opening_may_fail(void **state) {
    static const unsigned calls[] = {DISK_WRITE, DISK_SYNC, DISK_OPEN, DISK_READ};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        bool happened = true;
        for (int after = 0; happened; after++) {
            struct shelf shelf;
            struct refusal why = {0};
            shelf_make(&shelf);
            shelf.config.vfs = failing_disk_name();
            failing_disk = (struct failing_disk){calls[i], DISK_BROKEN, after, -1, 0, 0};
            shelf.store = store_open(&shelf.config, &why);
            happened = failing_disk.failed > 0;
            failing_disk = (struct failing_disk){0};
            assert_true(shelf.store || strcmp(why.code, "STORE_UNUSABLE") == 0);
            if (!shelf.store)
                shelf_open(&shelf);
            assert_int_equal(shelf_append(&shelf, "AAAAAA", 0, "one", &answer), STORE_OK);
            shelf_close(&shelf);
            shelf_remove(&shelf);
        }
    }
}

static void failed_sync_is_the_end(void **state) {
    for (int after = 0; after < STEPS; after++) {
        struct shelf shelf;
        struct history history;
        start(&shelf, &history);
        failing_disk = (struct failing_disk){DISK_SYNC, DISK_BROKEN, after, 1, 0, 0};
        for (int step = 0; step < STEPS && !history.fatal; step++)
            append_to_all(shelf.store, &history);
        assert_int_equal(history.fatal, 1);
        assert_int_equal(history.refused, WORLDS);
        append_to_all(shelf.store,
                      &history); /* the disk works again, but what it holds is not known */
        assert_int_equal(history.refused, 2 * WORLDS);
        shelf_load(&shelf, "AAAAAA", &answer);
        assert_int_equal(answer.reply.outcome, STORE_FAILED);
        assert_int_equal(history.fatal, 1);
        finish(&shelf);
    }
}

/* No request waits for the sync of a checkpoint; its failure must be noticed all the same. */
static void failed_sync_of_a_checkpoint_is_the_end(void **state) {
    struct shelf shelf;
    struct history history;
    start(&shelf, &history);
    int batch = 0;
    for (; batch < 1000 && !history.fatal; batch++) { /* the first sync is the commit's */
        failing_disk = (struct failing_disk){DISK_SYNC, DISK_BROKEN, 1, 1, 0, 0};
        append_to_all(shelf.store, &history);
    }
    assert_in_range(batch, 2, 999);
    assert_int_equal(history.refused, 0);
    finish(&shelf);
}

/* Without a callback the process ends and says why. */
static void failed_sync_ends_the_process(void **state) {
    struct shelf shelf;
    int pipe_ends[2], status;
    char said[512] = "";
    shelf_make(&shelf);
    shelf.config.vfs = failing_disk_name();
    failing_disk = (struct failing_disk){0};
    assert_int_equal(pipe(pipe_ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(pipe_ends[1], STDERR_FILENO);
        shelf_open(&shelf);
        failing_disk = (struct failing_disk){DISK_SYNC, DISK_BROKEN, 0, 1, 0, 0};
        shelf_append(&shelf, "AAAAAA", 0, "one", &answer);
        _exit(0);
    }
    close(pipe_ends[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(read(pipe_ends[0], said, sizeof said - 1) > 0);
    close(pipe_ends[0]);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), EXIT_FAILURE);
    assert_non_null(strstr(said, "fsync"));
    shelf_remove(&shelf);
}

/* ---- The process is killed ---- */

static void report(void *arg, const struct store_reply *reply) {
    if (reply->outcome != STORE_OK)
        _exit(2);
    if (write(*(int *)arg, &reply->version, sizeof reply->version) < 0)
        _exit(3);
}

/* Appends for ever, and says so after each acknowledgement. */
static _Noreturn void write_for_ever(struct shelf *shelf, int64_t version, int out) {
    static const struct span lines[] = {{"first of three", 14}, {"second", 6}, {"third", 5}};
    shelf_open(shelf);
    for (;; version += 3) {
        struct store_append append = append_line("AAAAAA", version, lines);
        append.count = 3;
        append.due_ms = version + 3;
        if (!store_append(shelf->store, &append, report, &out, NULL))
            _exit(4);
        store_commit(shelf->store);
    }
}

static int64_t kill_after_a_while(struct shelf *shelf, int64_t version, int64_t pause_ns) {
    int pipe_ends[2], status;
    int64_t told_version;
    assert_int_equal(pipe(pipe_ends), 0);
    pid_t child = fork();
    if (child == 0)
        write_for_ever(shelf, version, pipe_ends[1]);
    close(pipe_ends[1]);
    if (read(pipe_ends[0], &told_version, sizeof told_version) == sizeof told_version)
        version = told_version; /* from here on it is at work */
    nanosleep(&(struct timespec){.tv_nsec = pause_ns}, NULL);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    while (read(pipe_ends[0], &told_version, sizeof told_version) == sizeof told_version)
        version = told_version;
    close(pipe_ends[0]);
    return version;
}

static void killed_process_loses_nothing(void **state) {
    struct shelf shelf;
    int64_t version = 0;
    srand(7);
    failing_disk = (struct failing_disk){0};
    shelf_make(&shelf);
    shelf.config.vfs = failing_disk_name();
    for (int i = 0; i < 20; i++) {
        int64_t acknowledged = kill_after_a_while(&shelf, version, (rand() % 30000) * 1000);
        assert_true(acknowledged > version);
        shelf_open(&shelf);
        shelf_load(&shelf, "AAAAAA", &answer);
        version = answer.reply.version;
        /* The last append may have been written without having been acknowledged, but whole. */
        assert_true(version == acknowledged || version == acknowledged + 3);
        assert_int_equal(answer.world.due_ms, version);
        int64_t found = (int64_t)answer.reply.count;
        while (answer.reply.more) {
            store_load(shelf.store, span_of("AAAAAA"), found, answer_take, &answer, NULL);
            store_commit(shelf.store);
            found += (int64_t)answer.reply.count;
        }
        assert_int_equal(found, version);
        shelf_close(&shelf);
    }
    shelf_remove(&shelf);
}

/* ---- Two on one file ---- */

static void two_stores_share_a_file(void **state) {
    struct shelf one, two;
    shelf_make(&one);
    shelf_open(&one);
    two = one;
    shelf_open(&two);
    assert_int_equal(shelf_append(&one, "AAAAAA", 0, "one", &answer), STORE_OK);
    assert_int_equal(shelf_append(&two, "AAAAAA", 0, "other", &answer), STORE_CONFLICT);
    assert_int_equal(shelf_append(&two, "AAAAAA", 1, "two", &answer), STORE_OK);
    assert_int_equal(shelf_append(&one, "AAAAAA", 1, "again", &answer), STORE_CONFLICT);
    assert_int_equal(answer.reply.version, 2);
    assert_string_equal(shelf_load(&one, "AAAAAA", &answer), "1 one|2 two");
    shelf_close(&two);
    assert_int_equal(shelf_append(&one, "AAAAAA", 2, "three", &answer), STORE_OK);
    shelf_close(&one);
    shelf_remove(&one);
}

/* Goes for `rounds` own entries in a log that somebody else writes to as well. */
static _Noreturn void compete(struct shelf *shelf, int rounds) {
    int64_t version = 1;
    shelf_open(shelf);
    for (int won = 0; won < rounds;) {
        enum store_outcome outcome = shelf_append(shelf, "AAAAAA", version, "mine", &answer);
        if (outcome == STORE_FAILED)
            _exit(2);
        won += outcome == STORE_OK;
        version = answer.reply.version;
    }
    shelf_close(shelf);
    _exit(0);
}

static void processes_compete_for_a_world(void **state) {
    enum { RIVALS = 2, ROUNDS = 300 };
    struct shelf shelf;
    pid_t rivals[RIVALS];
    int status;
    failing_disk = (struct failing_disk){0};
    shelf_make(&shelf);
    shelf.config.vfs = failing_disk_name();
    shelf.config.busy_ms = 20000;
    shelf_open(&shelf);
    assert_int_equal(shelf_append(&shelf, "AAAAAA", 0, "one", &answer), STORE_OK);
    shelf_close(&shelf);
    for (int i = 0; i < RIVALS; i++)
        if ((rivals[i] = fork()) == 0)
            compete(&shelf, ROUNDS);
    for (int i = 0; i < RIVALS; i++) {
        assert_int_equal(waitpid(rivals[i], &status, 0), rivals[i]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    shelf_open(&shelf);
    shelf_load(&shelf, "AAAAAA", &answer);
    assert_int_equal(answer.reply.count, 1 + RIVALS * ROUNDS);
    shelf_close(&shelf);
    shelf_remove(&shelf);
}

static void locked_file_is_waited_for_then_refused(void **state) {
    struct shelf shelf;
    sqlite3 *other;
    shelf_make(&shelf);
    shelf.config.busy_ms = 50;
    shelf_open(&shelf);
    assert_int_equal(shelf_append(&shelf, "AAAAAA", 0, "one", &answer), STORE_OK);
    assert_int_equal(sqlite3_open(shelf.file, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(shelf_append(&shelf, "AAAAAA", 1, "two", &answer), STORE_FAILED);
    assert_string_equal(answer.reply.why.text, "The store failed: database is locked (5)");
    assert_string_equal(shelf_load(&shelf, "AAAAAA", &answer), "1 one");
    assert_int_equal(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(shelf_append(&shelf, "AAAAAA", 1, "two", &answer), STORE_OK);
    sqlite3_close(other);
    shelf_close(&shelf);
    shelf_remove(&shelf);
}

/* ---- Files that are not as they should be ---- */

static void refuses_to_open(struct shelf *shelf, const char *code, const char *text) {
    struct refusal why;
    assert_null(store_open(&shelf->config, &why));
    assert_string_equal(why.code, code);
    if (!strstr(why.text, text))
        fail_msg("%s", why.text);
}

static void run_sql(const char *file, const char *sql) {
    sqlite3 *database;
    assert_int_equal(sqlite3_open(file, &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
}

/* A batch that fails for a reason other than the disk leaves nothing, too. */
static void failed_batch_leaves_nothing(void **state) {
    struct shelf shelf;
    static struct answer good;
    struct span line = span_of("good");
    shelf_make(&shelf);
    shelf_open(&shelf);
    run_sql(shelf.file, "CREATE TRIGGER no BEFORE INSERT ON entries WHEN new.text = 'bad'"
                        " BEGIN SELECT raise(FAIL, 'no'); END");
    struct store_append append = append_line("AAAAAA", 0, &line);
    assert_true(store_append(shelf.store, &append, answer_take, &good, NULL));
    assert_int_equal(shelf_append(&shelf, "BBBBBB", 0, "bad", &answer), STORE_FAILED);
    assert_int_equal(good.reply.outcome, STORE_FAILED);
    shelf_load(&shelf, "AAAAAA", &answer);
    assert_int_equal(answer.reply.outcome, STORE_MISSING);
    assert_int_equal(shelf_append(&shelf, "AAAAAA", 0, "good", &answer), STORE_OK);
    shelf_close(&shelf);
    shelf_remove(&shelf);
}

static void newer_file_is_refused(void **state) {
    struct shelf shelf;
    shelf_make(&shelf);
    shelf_open(&shelf);
    shelf_close(&shelf);
    run_sql(shelf.file, "PRAGMA user_version = 99");
    refuses_to_open(&shelf, "STORE_NEWER",
                    "was written by a newer Oyster (version 99, this one knows 8)");
    run_sql(shelf.file, "PRAGMA user_version = 8");
    shelf_open(&shelf);
    shelf_close(&shelf);
    shelf_remove(&shelf);
}

static void foreign_files_are_refused(void **state) {
    struct shelf shelf;
    shelf_make(&shelf);
    run_sql(shelf.file, "CREATE TABLE worlds (id); PRAGMA user_version = 1");
    refuses_to_open(&shelf, "STORE_UNUSABLE", "is not a store of Oyster's");
    int file = open(shelf.file, O_WRONLY | O_TRUNC);
    assert_true(write(file, "Dear diary, this is no database at all.", 39) == 39);
    close(file);
    refuses_to_open(&shelf, "STORE_UNUSABLE", "file is not a database");
    shelf.config.where = "/no/such/folder/store";
    refuses_to_open(&shelf, "STORE_UNUSABLE", "No such file or directory");
    shelf_remove(&shelf);
}

static void damaged_log_is_noticed(void **state) {
    struct shelf shelf;
    static struct answer sound;
    shelf_make(&shelf);
    shelf_open(&shelf);
    for (int i = 0; i < 3; i++)
        shelf_append(&shelf, "AAAAAA", i, "line", &answer);
    shelf_append(&shelf, "BBBBBB", 0, "line", &answer);
    run_sql(shelf.file, "DELETE FROM entries WHERE world = 1 AND version = 2");
    store_load(shelf.store, span_of("BBBBBB"), 0, answer_take, &sound, NULL);
    shelf_load(&shelf, "AAAAAA", &answer);
    assert_int_equal(answer.reply.outcome, STORE_FAILED);
    assert_string_equal(answer.reply.why.text, "The world's log is damaged");
    assert_string_equal(sound.text, "1 line"); /* the others do not suffer */
    shelf_close(&shelf);
    shelf_remove(&shelf);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_disk_refuses_and_recovers),
        cmocka_unit_test(broken_writes_refuse_and_recover),
        cmocka_unit_test(torn_writes_refuse_and_recover),
        cmocka_unit_test(lying_writes_refuse_and_recover),
        cmocka_unit_test(full_disk_does_not_stop_reading),
        cmocka_unit_test(broken_reads_refuse_and_recover),
        cmocka_unit_test(missing_memory_refuses_and_recovers),
        cmocka_unit_test(checkpoints_may_fail),
        cmocka_unit_test(opening_may_fail),
        cmocka_unit_test(failed_sync_is_the_end),
        cmocka_unit_test(failed_sync_of_a_checkpoint_is_the_end),
        cmocka_unit_test(failed_sync_ends_the_process),
        cmocka_unit_test(killed_process_loses_nothing),
        cmocka_unit_test(two_stores_share_a_file),
        cmocka_unit_test(processes_compete_for_a_world),
        cmocka_unit_test(locked_file_is_waited_for_then_refused),
        cmocka_unit_test(failed_batch_leaves_nothing),
        cmocka_unit_test(newer_file_is_refused),
        cmocka_unit_test(foreign_files_are_refused),
        cmocka_unit_test(damaged_log_is_noticed),
    };
    watch_memory();
    return cmocka_run_group_tests_name("crash", tests, NULL, NULL);
}
