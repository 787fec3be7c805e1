/* What touches whole logs in an SQLite file is done in steps: others write in between, nobody sees
 * a log of which a part is done, and whoever is stopped between two steps leaves nothing that is
 * not tidied up later. */
#include "store/sqlite.h"
#include "tests/store_support.h"

#include <stdlib.h>
#include <unistd.h>

enum { LINES = 1700 }; /* several steps */

static struct answer answer, other;

/* ---- Steps one by one ---- */

struct job {
    void (*work)(void *data);
    void (*done)(void *data);
    void *data;
};

static void keep_job(void *arg, void (*work)(void *), void (*done)(void *), void *data) {
    struct job *job = arg;
    assert_null(job->work);
    *job = (struct job){work, done, data};
}

static bool step(struct job *job) {
    struct job now = *job;
    if (!now.work)
        return false;
    *job = (struct job){0};
    now.work(now.data);
    now.done(now.data);
    return true;
}

static int steps(struct job *job) {
    int count = 0;
    while (step(job))
        count++;
    return count;
}

/* ---- A long log ---- */

static void add_lines(struct shelf *shelf, const char *code, int64_t version, int count) {
    char text[STORE_ENTRIES_MAX][32];
    struct span lines[STORE_ENTRIES_MAX], member = span_of("p1");
    struct store_summary summary = {.game = span_of("euchre"),
                                    .owner = span_of("p1"),
                                    .text = span_of("{}"),
                                    .members = &member,
                                    .member_count = 1};
    for (int done = 0; done < count;) {
        struct store_append append = append_line(code, version + done, lines);
        append.summary = &summary;
        for (append.count = 0; append.count < STORE_ENTRIES_MAX && done < count; done++) {
            char *line = text[append.count];
            snprintf(line, sizeof text[0], "%d Annabel", done);
            lines[append.count++] = span_of(line);
        }
        assert_true(store_append(shelf->store, &append, answer_take, &answer, NULL));
        store_commit(shelf->store);
        assert_int_equal(answer.reply.outcome, STORE_OK);
    }
}

/* Counts lines with a name. */
struct seen {
    int64_t version;
    int count, old, new;
    bool more;
};

static void take_page(void *arg, const struct store_reply *reply) {
    struct seen *seen = arg;
    assert_int_equal(reply->outcome, STORE_OK);
    for (size_t i = 0; i < reply->count; i++) {
        char line[64];
        snprintf(line, sizeof line, "%.*s", (int)reply->entries[i].text.length,
                 reply->entries[i].text.data);
        seen->old += strstr(line, "Annabel") != NULL;
        seen->new += strstr(line, "Somebody") != NULL;
        seen->count++;
        assert_int_equal(reply->entries[i].version, seen->count);
    }
    seen->version = reply->version;
    seen->more = reply->more;
}

static struct seen look_at(struct shelf *shelf, const char *code) {
    struct seen seen = {.more = true};
    while (seen.more) {
        assert_true(store_load(shelf->store, span_of(code), seen.count, take_page, &seen, NULL));
        store_commit(shelf->store);
    }
    assert_int_equal(seen.count, seen.version);
    return seen;
}

static bool ask_rewrite(struct shelf *shelf, const char *code, int64_t version,
                        struct answer *out) {
    static struct store_entry entries[LINES];
    struct store_rewrite rewrite = {.code = span_of(code),
                                    .version = version,
                                    .entries = entries,
                                    .owner = span_of("px"),
                                    .summary = span_of("{}"),
                                    .player = span_of("p1"),
                                    .name = span_of("Somebody")};
    for (int64_t i = 0; i < version; i += 2) /* the others stay as they are */
        entries[rewrite.count++] = (struct store_entry){i + 1, span_of("Somebody")};
    out->calls = 0;
    return store_rewrite(shelf->store, &rewrite, answer_take, out, NULL);
}

/* ---- What is in the file ---- */

static int64_t ask(const char *file, const char *sql) {
    sqlite3 *database;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open_v2(file, &database, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    int64_t number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return number;
}

static void take_problems(void *arg, const struct store_reply *reply) {
    assert_int_equal(reply->outcome, STORE_OK);
    if (reply->problem_count > 0)
        fail_msg("%.*s", (int)reply->problems[0].length, reply->problems[0].data);
}

static void is_in_order(struct shelf *shelf) {
    assert_true(
        store_walk_worlds(shelf->store, (struct store_walk){0}, true, take_problems, NULL, NULL));
    store_commit(shelf->store);
}

static void archive(struct shelf *shelf, int64_t before_ms, struct answer *out) {
    struct store_ages ages = {before_ms, before_ms, .now_ms = 5000, .max = 10};
    out->calls = 0;
    assert_true(store_archive(shelf->store, &ages, answer_take, out, NULL));
    store_commit(shelf->store);
}

/* The file as it would be found if the power failed now: everything there is whole, and tidied up
 * with the next archiving. */
static struct seen stop_here(const struct shelf *shelf, const char *code, bool *leftovers) {
    struct shelf stopped;
    shelf_make(&stopped);
    assert_true(store_copy_file(shelf->file, stopped.file, NULL));
    *leftovers = ask(stopped.file, "SELECT count(*) FROM leftovers") > 0;
    shelf_open(&stopped);
    is_in_order(&stopped);
    struct seen seen = look_at(&stopped, code);
    archive(&stopped, 0, &other);
    assert_int_equal(other.reply.outcome, STORE_OK);
    is_in_order(&stopped);
    assert_int_equal(look_at(&stopped, code).old, seen.old);
    assert_int_equal(ask(stopped.file, "SELECT count(*) FROM leftovers"), 0);
    assert_int_equal(ask(stopped.file, "SELECT count(*) FROM entries"),
                     ask(stopped.file, "SELECT coalesce(sum(version), 0) FROM heads"));
    shelf_close(&stopped);
    shelf_remove(&stopped);
    return seen;
}

/* Does what was asked for step by step, and is stopped after each of them. */
static void stop_everywhere(struct shelf *shelf, struct job *job, const char *code, int old) {
    int with_leftovers = 0;
    bool leftovers;
    store_commit(shelf->store);
    while (step(job)) {
        struct seen seen = stop_here(shelf, code, &leftovers);
        with_leftovers += leftovers;
        assert_int_equal(seen.count, LINES);
        assert_true(seen.old == LINES || (seen.old == old && seen.new == LINES - old));
    }
    assert_in_range(with_leftovers, 2, LINES);
}

/* ---- The tests ---- */

static void rewriting_can_be_stopped_anywhere(void **state) {
    struct shelf *shelf = *state;
    struct job *job = shelf->config.arg;
    assert_true(ask_rewrite(shelf, "LONG", LINES, &other));
    stop_everywhere(shelf, job, "LONG", LINES / 2);
    assert_int_equal(ask(shelf->file, "SELECT count(*) FROM logs WHERE text = 'Somebody'"),
                     LINES / 2);
    assert_int_equal(ask(shelf->file, "SELECT count(*) FROM logs"), LINES);
}

static void archiving_can_be_stopped_anywhere(void **state) {
    struct shelf *shelf = *state;
    struct store_ages ages = {2000, 2000, .now_ms = 5000, .max = 10};
    assert_true(store_archive(shelf->store, &ages, answer_take, &answer, NULL));
    stop_everywhere(shelf, shelf->config.arg, "LONG", LINES);
    assert_string_equal(answer.text, "LONG");
    assert_int_equal(ask(shelf->file, "SELECT count(*) FROM entries"), 0);
}

static void others_write_in_between(void **state) {
    struct shelf *shelf = *state;
    struct job *job = shelf->config.arg;
    struct span line = span_of("line");
    assert_true(ask_rewrite(shelf, "LONG", LINES, &other));
    store_commit(shelf->store);
    int count = 0;
    for (; other.calls == 0; count++) {
        struct store_append append = append_line("OTHERS", count, &line);
        answer.calls = 0;
        assert_true(store_append(shelf->store, &append, answer_take, &answer, NULL));
        store_commit(shelf->store); /* waits for the step that is under way */
        assert_true(step(job));
        assert_true(step(job) || other.calls > 0);
        assert_int_equal(answer.calls, 1);
        assert_int_equal(answer.reply.outcome, STORE_OK);
    }
    assert_in_range(count, 2, LINES);
    assert_int_equal(other.reply.outcome, STORE_OK);
}

/* Whoever plays on in the world is not held up: the log is another one then. */
static void rewriting_gives_way_to_the_world(void **state) {
    struct shelf *shelf = *state;
    struct job *job = shelf->config.arg;
    struct span line = span_of("line");
    struct store_append append = append_line("LONG", LINES, &line);
    assert_true(ask_rewrite(shelf, "LONG", LINES, &other));
    store_commit(shelf->store);
    for (int i = 0; i < 5; i++)
        assert_true(step(job));
    assert_int_equal(ask(shelf->file, "SELECT count(*) FROM leftovers"), 1);
    assert_true(store_append(shelf->store, &append, answer_take, &answer, NULL));
    store_commit(shelf->store);
    steps(job);
    assert_int_equal(answer.reply.outcome, STORE_OK);
    assert_int_equal(other.reply.outcome, STORE_CONFLICT);
    assert_true(ask_rewrite(shelf, "LONG", LINES, &other)); /* it is known at once */
    store_commit(shelf->store);
    assert_int_equal(steps(job), 1);
    assert_int_equal(other.reply.outcome, STORE_CONFLICT);
    bool leftovers;
    assert_int_equal(stop_here(shelf, "LONG", &leftovers).count, LINES + 1);
    assert_true(leftovers);
}

static void rewriting_gives_way_to_archiving(void **state) {
    struct shelf *shelf = *state;
    struct job *job = shelf->config.arg;
    bool leftovers;
    assert_true(ask_rewrite(shelf, "LONG", LINES, &other));
    store_commit(shelf->store);
    for (int i = 0; i < 5; i++)
        assert_true(step(job));
    archive(shelf, 2000, &answer);
    steps(job);
    assert_string_equal(answer.text, "LONG");
    assert_int_equal(other.reply.outcome, STORE_CONFLICT);
    assert_int_equal(stop_here(shelf, "LONG", &leftovers).old, LINES);
    assert_false(leftovers);
    assert_true(ask_rewrite(shelf, "LONG", LINES, &other));
    store_commit(shelf->store);
    steps(job);
    assert_int_equal(other.reply.outcome, STORE_OK);
    assert_int_equal(stop_here(shelf, "LONG", &leftovers).new, LINES / 2);
}

/* Two at a time do not disturb each other, nor does whoever tidies up. */
static void rewriting_goes_on_beside_others(void **state) {
    struct shelf *shelf = *state;
    struct job *job = shelf->config.arg;
    struct answer *swept = calloc(1, sizeof *swept);
    assert_true(ask_rewrite(shelf, "LONG", LINES, &other));
    assert_true(ask_rewrite(shelf, "SECOND", LINES, &answer));
    store_commit(shelf->store);
    for (int i = 0; i < 5; i++)
        assert_true(step(job));
    assert_int_equal(ask(shelf->file, "SELECT count(*) FROM leftovers"), 1);
    archive(shelf, 0, swept);
    steps(job);
    assert_int_equal(swept->calls, 1);
    assert_int_equal(other.reply.outcome, STORE_OK);
    assert_int_equal(answer.reply.outcome, STORE_OK);
    bool leftovers;
    assert_int_equal(stop_here(shelf, "LONG", &leftovers).new, LINES / 2);
    assert_int_equal(stop_here(shelf, "SECOND", &leftovers).new, LINES / 2);
    free(swept);
}

/* Nothing of somebody is left in the file when it is said that they are gone. */
static void erasing_waits_for_the_leftovers(void **state) {
    struct shelf *shelf = *state;
    struct job *job = shelf->config.arg;
    assert_true(ask_rewrite(shelf, "LONG", LINES, &other));
    store_commit(shelf->store);
    steps(job);
    assert_int_equal(ask(shelf->file, "SELECT count(*) FROM leftovers"), 1);
    answer.calls = 0;
    assert_true(store_player_erase(shelf->store, span_of("p1"), answer_take, &answer, NULL));
    store_commit(shelf->store);
    while (answer.calls == 0) {
        assert_true(ask(shelf->file, "SELECT count(*) FROM leftovers") > 0 || job->work);
        assert_true(step(job));
    }
    assert_int_equal(answer.reply.outcome, STORE_OK);
    assert_int_equal(ask(shelf->file, "SELECT count(*) FROM leftovers"), 0);
    assert_int_equal(ask(shelf->file, "SELECT count(*) FROM entries"), LINES);
}

/* ---- Beginning and end ---- */

/* A shelf with a long log, or two, on which work is deferred. */
static int begin_with(void **state, bool second) {
    struct shelf *shelf = calloc(1, sizeof *shelf);
    shelf_make(shelf);
    shelf_open(shelf);
    add_lines(shelf, "LONG", 0, LINES);
    if (second)
        add_lines(shelf, "SECOND", 0, LINES);
    shelf_close(shelf);
    shelf->config.defer = keep_job;
    shelf->config.arg = calloc(1, sizeof(struct job));
    shelf_open(shelf);
    *state = shelf;
    return 0;
}

static int begin(void **state) {
    return begin_with(state, false);
}

static int begin_two(void **state) {
    return begin_with(state, true);
}

static int end(void **state) {
    free(((struct shelf *)*state)->config.arg);
    return shelf_put_away(state);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(rewriting_can_be_stopped_anywhere),
        TEST(archiving_can_be_stopped_anywhere),
        TEST(others_write_in_between),
        TEST(rewriting_gives_way_to_the_world),
        TEST(rewriting_gives_way_to_archiving),
        cmocka_unit_test_setup_teardown(rewriting_goes_on_beside_others, begin_two, end),
        TEST(erasing_waits_for_the_leftovers),
    };
    return cmocka_run_group_tests_name("steps", tests, NULL, NULL);
}
