/* What store.h promises, asked of every implementation: each test runs once per row of `stores`.
 * Where a store lasts, the tests also close it and look again. */
#include "tests/store_support.h"

#include <stdlib.h>

static struct answer answer, other;

/* ---- Every store there is ---- */

static int in_memory(void **state) {
    struct shelf *shelf = calloc(1, sizeof *shelf);
    shelf_make(shelf);
    shelf->config.where = "memory";
    shelf_open(shelf);
    *state = shelf;
    return 0;
}

static int in_sqlite(void **state) {
    struct shelf *shelf = calloc(1, sizeof *shelf);
    shelf_make(shelf);
    shelf_open(shelf);
    *state = shelf;
    return 0;
}

static struct redis_server server;

static int in_redis(void **state) {
    return shelf_on_redis(state, &server);
}

static struct redis_cluster cluster;

static int in_cluster(void **state) {
    return shelf_on_cluster(state, &cluster);
}

static bool lasts(const struct shelf *shelf) {
    return strcmp(shelf->config.where, "memory") != 0;
}

static void restart(struct shelf *shelf) {
    if (!lasts(shelf))
        return;
    shelf_close(shelf);
    shelf_open(shelf);
}

/* ---- Logs ---- */

static void log_grows_by_appending(void **state) {
    struct shelf *shelf = *state;
    struct span lines[] = {span_of("two \\n \"quoted\""), span_of("drei \xc3\xa4")};
    struct store_append more = append_line("K7M2QX", 1, lines);
    assert_int_equal(shelf_append(shelf, "K7M2QX", 0, "one", &answer), STORE_OK);
    assert_int_equal(answer.reply.version, 1);
    more.count = 2;
    assert_true(store_append(shelf->store, &more, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_int_equal(answer.reply.version, 3);
    restart(shelf);
    assert_string_equal(shelf_load(shelf, "K7M2QX", &answer),
                        "1 one|2 two \\n \"quoted\"|3 drei \xc3\xa4");
    assert_int_equal(answer.reply.version, 3);
    assert_false(answer.reply.more);
    assert_int_equal(answer.world.version, 3);
    assert_int_equal(answer.world.created_ms, 1000);
}

static void of_two_writers_one_succeeds(void **state) {
    struct shelf *shelf = *state;
    shelf_append(shelf, "AAAAAA", 0, "one", &answer);
    struct span mine = span_of("mine"), theirs = span_of("theirs");
    struct store_append first = append_line("AAAAAA", 1, &mine);
    struct store_append second = append_line("AAAAAA", 1, &theirs);
    assert_true(store_append(shelf->store, &first, answer_take, &answer, NULL));
    assert_true(store_append(shelf->store, &second, answer_take, &other, NULL));
    store_commit(shelf->store);
    assert_int_equal(answer.reply.outcome, STORE_OK);
    assert_int_equal(other.reply.outcome, STORE_CONFLICT);
    assert_int_equal(other.reply.version, 2);
    assert_string_equal(shelf_load(shelf, "AAAAAA", &answer), "1 one|2 mine");
}

static void conflict_tells_the_version(void **state) {
    struct shelf *shelf = *state;
    assert_int_equal(shelf_append(shelf, "AAAAAA", 5, "x", &answer), STORE_CONFLICT);
    assert_int_equal(answer.reply.version, 0);
    assert_int_equal(shelf_append(shelf, "AAAAAA", 0, "one", &answer), STORE_OK);
    assert_int_equal(shelf_append(shelf, "AAAAAA", 0, "again", &answer), STORE_CONFLICT);
    assert_int_equal(answer.reply.version, 1);
    assert_int_equal(shelf_append(shelf, "AAAAAA", 2, "early", &answer), STORE_CONFLICT);
    assert_string_equal(shelf_load(shelf, "AAAAAA", &answer), "1 one");
    assert_int_equal(store_figures(shelf->store).conflicts, 3);
}

static void entries_of_a_batch_follow_each_other(void **state) {
    struct shelf *shelf = *state;
    struct span line = span_of("line");
    for (int64_t version = 0; version < 5; version++) {
        struct store_append append = append_line("AAAAAA", version, &line);
        assert_true(store_append(shelf->store, &append, answer_take, &answer, NULL));
    }
    answer.calls = 0;
    store_commit(shelf->store);
    assert_int_equal(answer.calls, 5);
    assert_int_equal(answer.reply.version, 5);
    assert_int_equal(store_figures(shelf->store).batches, 1);
}

static void nothing_happens_before_the_commit(void **state) {
    struct shelf *shelf = *state;
    struct span line = span_of("line");
    struct store_append append = append_line("AAAAAA", 0, &line);
    answer.calls = 0;
    assert_true(store_append(shelf->store, &append, answer_take, &answer, NULL));
    assert_int_equal(answer.calls, 0);
    shelf_close(shelf);
    assert_int_equal(answer.calls, 1);
    assert_int_equal(answer.reply.outcome, STORE_FAILED);
    assert_string_equal(answer.reply.why.code, "UNAVAILABLE");
    shelf_open(shelf);
    shelf_load(shelf, "AAAAAA", &answer);
    assert_int_equal(answer.reply.outcome, STORE_MISSING);
}

static void reads_see_the_writes_of_their_batch(void **state) {
    struct shelf *shelf = *state;
    struct span line = span_of("line");
    struct store_append append = append_line("AAAAAA", 0, &line);
    assert_true(store_load(shelf->store, span_of("AAAAAA"), 0, answer_take, &answer, NULL));
    assert_true(store_append(shelf->store, &append, answer_take, &other, NULL));
    store_commit(shelf->store);
    assert_string_equal(answer.text, "1 line");
}

static void load_goes_on_after_a_version(void **state) {
    struct shelf *shelf = *state;
    static char long_line[STORE_ENTRY_MAX];
    memset(long_line, 'x', sizeof long_line);
    struct span lines[STORE_ENTRIES_MAX];
    for (int i = 0; i < STORE_ENTRIES_MAX; i++)
        lines[i] = (struct span){long_line, sizeof long_line};
    struct store_append append = append_line("AAAAAA", 0, lines);
    append.count = STORE_ENTRIES_MAX;
    assert_true(store_append(shelf->store, &append, answer_take, &answer, NULL));
    store_commit(shelf->store);
    int64_t after = 0;
    for (int page = 0; page < 2; page++) {
        assert_true(store_load(shelf->store, append.code, after, answer_take, &answer, NULL));
        store_commit(shelf->store);
        assert_int_equal(answer.reply.count, STORE_LOAD_BYTES / STORE_ENTRY_MAX);
        assert_int_equal(answer.reply.more, page == 0);
        after += (int64_t)answer.reply.count;
    }
    assert_int_equal(after, STORE_ENTRIES_MAX);
    assert_true(store_load(shelf->store, append.code, after, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_int_equal(answer.reply.count, 0);
    assert_int_equal(answer.reply.outcome, STORE_OK);
}

static void load_gives_at_most_so_many_entries(void **state) {
    struct shelf *shelf = *state;
    struct span lines[STORE_ENTRIES_MAX];
    for (int i = 0; i < STORE_ENTRIES_MAX; i++)
        lines[i] = span_of("x");
    int64_t version = 0;
    for (; version <= STORE_LOAD_MAX; version += STORE_ENTRIES_MAX) {
        struct store_append append = append_line("AAAAAA", version, lines);
        append.count = STORE_ENTRIES_MAX;
        assert_true(store_append(shelf->store, &append, answer_take, &answer, NULL));
    }
    store_commit(shelf->store);
    shelf_load(shelf, "AAAAAA", &answer);
    assert_int_equal(answer.reply.count, STORE_LOAD_MAX);
    assert_int_equal(answer.reply.version, version);
    assert_true(answer.reply.more);
}

/* ---- Due worlds and lists ---- */

static void make_world(struct shelf *shelf, const char *code, int64_t due_ms, const char *game,
                       enum store_status status, bool is_public, const char *member) {
    struct span line = span_of("one"), members[] = {span_of("ann"), span_of(member)};
    struct store_summary summary = {.game = span_of(game),
                                    .owner = span_of("ann"),
                                    .status = status,
                                    .is_public = is_public,
                                    .text = span_of(code),
                                    .members = members,
                                    .member_count = 2};
    struct store_append append = append_line(code, 0, &line);
    append.due_ms = due_ms;
    append.summary = &summary;
    assert_true(store_append(shelf->store, &append, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_int_equal(answer.reply.outcome, STORE_OK);
}

static void due_worlds_come_in_order(void **state) {
    struct shelf *shelf = *state;
    make_world(shelf, "LATE", 5000, "a", STORE_PLAYING, false, "bob");
    make_world(shelf, "NEVER", STORE_NEVER, "a", STORE_PLAYING, false, "bob");
    make_world(shelf, "SOON", 2000, "a", STORE_PLAYING, false, "bob");
    make_world(shelf, "ALSO", 2000, "a", STORE_PLAYING, false, "bob");
    restart(shelf);
    assert_string_equal(shelf_due(shelf, 1999, &answer), "");
    assert_string_equal(shelf_due(shelf, 2000, &answer), "SOON ALSO");
    assert_int_equal(answer.world.due_ms, 2000);
    assert_string_equal(shelf_due(shelf, STORE_NEVER, &answer), "SOON ALSO LATE");
    assert_true(store_due(shelf->store, STORE_NEVER - 1, 1, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_string_equal(answer.text, "SOON");
    assert_true(answer.reply.more);
}

/* Worlds that are due at the same moment are on one page or the next, never on both or none. */
static void due_worlds_come_in_pages(void **state) {
    struct shelf *shelf = *state;
    static const char *const codes[] = {"A", "B", "C", "D"};
    static const char *const pages[] = {"D", "A", "B", "C", ""};
    int64_t after_ms = INT64_MIN, after_place = 0;
    for (int i = 0; i < 4; i++)
        make_world(shelf, codes[i], i == 3 ? 1000 : 2000, "a", STORE_PLAYING, false, "bob");
    restart(shelf);
    for (int i = 0; i < 5; i++) {
        assert_true(store_due_after(shelf->store, after_ms, after_place, 3000, 1, answer_take,
                                    &answer, NULL));
        store_commit(shelf->store);
        assert_string_equal(answer.text, pages[i]);
        assert_int_equal(answer.reply.more, i < 3);
        after_ms = answer.world.due_ms;
        after_place = answer.world.place;
    }
}

/* PL-34: the due time changes with the entry, or not at all. */
static void due_time_is_that_of_the_last_append(void **state) {
    struct shelf *shelf = *state;
    struct span line = span_of("two");
    make_world(shelf, "AAAAAA", 2000, "a", STORE_PLAYING, false, "bob");
    struct store_append append = append_line("AAAAAA", 1, &line);
    append.due_ms = 7000;
    assert_true(store_append(shelf->store, &append, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_string_equal(shelf_due(shelf, 6999, &answer), "");
    assert_string_equal(shelf_due(shelf, 7000, &answer), "AAAAAA");
    append.due_ms = 0; /* too late: a conflict */
    assert_true(store_append(shelf->store, &append, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_string_equal(shelf_due(shelf, 6999, &answer), "");
}

static const char *list_public(struct shelf *shelf, const char *game, int64_t before, size_t max) {
    assert_true(
        store_list_public(shelf->store, span_of(game), before, max, answer_take, &answer, NULL));
    store_commit(shelf->store);
    return answer.text;
}

static void public_waiting_worlds_are_listed(void **state) {
    struct shelf *shelf = *state;
    make_world(shelf, "W1", 1, "euchre", STORE_WAITING, true, "bob");
    make_world(shelf, "PRIVATE", 1, "euchre", STORE_WAITING, false, "bob");
    make_world(shelf, "W2", 1, "kate", STORE_WAITING, true, "bob");
    make_world(shelf, "PLAYS", 1, "euchre", STORE_PLAYING, true, "bob");
    make_world(shelf, "W3", 1, "euchre", STORE_WAITING, true, "bob");
    restart(shelf);
    assert_string_equal(list_public(shelf, "", 0, 10), "W3 W2 W1");
    assert_false(answer.reply.more);
    assert_string_equal(list_public(shelf, "euchre", 0, 10), "W3 W1");
    assert_string_equal(list_public(shelf, "none", 0, 10), "");
    assert_string_equal(list_public(shelf, "", 0, 2), "W3 W2");
    assert_true(answer.reply.more);
}

static void last_place(void *arg, const struct store_reply *reply) {
    *(int64_t *)arg = reply->worlds[reply->count - 1].place;
}

static void lists_are_paged(void **state) {
    struct shelf *shelf = *state;
    int64_t place = 0;
    for (char code[] = "W1"; code[1] <= '5'; code[1]++)
        make_world(shelf, code, 1, "euchre", STORE_WAITING, true, "bob");
    store_list_public(shelf->store, span_of(""), 0, 2, last_place, &place, NULL);
    store_commit(shelf->store);
    make_world(shelf, "NEW", 1, "euchre", STORE_WAITING, true, "bob"); /* moves no page */
    assert_string_equal(list_public(shelf, "", place, 2), "W3 W2");
    store_list_public(shelf->store, span_of(""), place, 2, last_place, &place, NULL);
    store_commit(shelf->store);
    assert_string_equal(list_public(shelf, "", place, 2), "W1");
    assert_false(answer.reply.more);
}

static const char *list_of(struct shelf *shelf, const char *player) {
    assert_true(
        store_list_of_player(shelf->store, span_of(player), 0, 10, answer_take, &answer, NULL));
    store_commit(shelf->store);
    return answer.text;
}

static void summary_decides_about_the_lists(void **state) {
    struct shelf *shelf = *state;
    struct span line = span_of("two"), member = span_of("cy");
    make_world(shelf, "W1", 1, "euchre", STORE_WAITING, true, "bob");
    make_world(shelf, "W2", 1, "euchre", STORE_WAITING, true, "cy");
    assert_string_equal(list_of(shelf, "ann"), "W2 W1");
    assert_string_equal(list_of(shelf, "bob"), "W1");
    struct store_summary summary = {.game = span_of("euchre"),
                                    .owner = span_of("cy"),
                                    .status = STORE_PLAYING,
                                    .is_public = true,
                                    .text = span_of("{\"players\":1}"),
                                    .members = &member,
                                    .member_count = 1};
    struct store_append append = append_line("W1", 1, &line);
    append.summary = &summary;
    assert_true(store_append(shelf->store, &append, answer_take, &answer, NULL));
    store_commit(shelf->store);
    restart(shelf);
    assert_string_equal(list_public(shelf, "", 0, 10), "W2");
    assert_string_equal(list_of(shelf, "ann"), "W2");
    assert_string_equal(list_of(shelf, "bob"), "");
    assert_string_equal(list_of(shelf, "cy"), "W2 W1");
    append = append_line("W1", 2, &line); /* without a summary: as it was */
    assert_true(store_append(shelf->store, &append, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_string_equal(list_of(shelf, "cy"), "W2 W1");
}

static void check_world(void *arg, const struct store_reply *reply) {
    const struct store_world *world = reply->worlds;
    assert_true(span_is(world->code, "W1"));
    assert_true(span_is(world->game, "euchre"));
    assert_true(span_is(world->owner, "ann"));
    assert_true(span_is(world->summary, "W1"));
    assert_int_equal(world->status, STORE_WAITING);
    assert_true(world->is_public);
    assert_false(world->is_archived);
    assert_int_equal(world->changed_ms, 1000);
    assert_int_equal(world->due_ms, 77);
    ++*(int *)arg;
}

static void world_is_given_as_it_was_made(void **state) {
    struct shelf *shelf = *state;
    int checks = 0;
    make_world(shelf, "W1", 77, "euchre", STORE_WAITING, true, "bob");
    restart(shelf);
    store_load(shelf->store, span_of("W1"), 0, check_world, &checks, NULL);
    store_list_public(shelf->store, span_of(""), 0, 1, check_world, &checks, NULL);
    store_list_of_player(shelf->store, span_of("bob"), 0, 1, check_world, &checks, NULL);
    store_due(shelf->store, 77, 1, check_world, &checks, NULL);
    store_commit(shelf->store);
    assert_int_equal(checks, 4);
}

/* ---- Archives ---- */

static const char *archive(struct shelf *shelf, int64_t over_before, int64_t idle_before,
                           size_t max) {
    struct store_ages ages = {over_before, idle_before, .now_ms = 9000, .max = max};
    assert_true(store_archive(shelf->store, &ages, answer_take, &answer, NULL));
    store_commit(shelf->store);
    return answer.text;
}

/* PL-47 */
static void old_worlds_are_archived(void **state) {
    struct shelf *shelf = *state;
    make_world(shelf, "OVER", 5, "a", STORE_OVER, true, "bob");
    make_world(shelf, "CLOSED", 5, "a", STORE_CLOSED, true, "bob");
    make_world(shelf, "IDLE", 5, "a", STORE_WAITING, true, "bob");
    assert_string_equal(archive(shelf, 1000, 1000, 10), "");
    if (shelf->config.where == cluster.where) { /* one of each shard */
        assert_string_equal(archive(shelf, 1001, 1000, 1), "OVER CLOSED");
    } else {
        assert_string_equal(archive(shelf, 1001, 1000, 1), "OVER");
        assert_true(answer.reply.more);
        assert_string_equal(archive(shelf, 1001, 1000, 10), "CLOSED");
    }
    assert_string_equal(shelf_due(shelf, 10, &answer), "IDLE");
    assert_string_equal(archive(shelf, 0, 1001, 10), "IDLE");
    assert_string_equal(archive(shelf, 5000, 5000, 10), "");
    restart(shelf);
    assert_string_equal(shelf_due(shelf, 10, &answer), "");
    assert_string_equal(list_public(shelf, "", 0, 10), "");
    assert_string_equal(list_of(shelf, "bob"), "");
}

static void archived_logs_are_kept(void **state) {
    struct shelf *shelf = *state;
    static const char *const lines[] = {"one", "a \"b\" \\n \\\\", "c\t\x01",
                                        "end \xf0\x9f\x83\x8f"};
    for (int i = 0; i < 4; i++)
        shelf_append(shelf, "AAAAAA", i, lines[i], &answer);
    assert_string_equal(archive(shelf, 0, 5000, 10), "AAAAAA");
    restart(shelf);
    assert_string_equal(shelf_load(shelf, "AAAAAA", &answer),
                        "1 one|2 a \"b\" \\n \\\\|3 c\t\x01|4 end \xf0\x9f\x83\x8f");
    assert_true(answer.world.is_archived);
    assert_int_equal(answer.world.due_ms, STORE_NEVER);
    assert_int_equal(answer.reply.version, 4);
    store_load(shelf->store, span_of("AAAAAA"), 3, answer_take, &answer, NULL);
    store_commit(shelf->store);
    assert_string_equal(answer.text, "4 end \xf0\x9f\x83\x8f");
    assert_false(answer.reply.more);
}

static const char *finished_worlds(struct shelf *shelf) {
    assert_true(store_finished(shelf->store, 10, answer_take, &answer, NULL));
    store_commit(shelf->store);
    return answer.text;
}

static enum store_outcome exported(struct shelf *shelf, const char *code, int64_t version) {
    assert_true(store_exported(shelf->store, span_of(code), version, answer_take, &answer, NULL));
    store_commit(shelf->store);
    return answer.reply.outcome;
}

static void finished_worlds_wait_to_be_exported(void **state) {
    struct shelf *shelf = *state;
    struct refusal why;
    make_world(shelf, "OVER", 5, "a", STORE_OVER, true, "bob");
    make_world(shelf, "OPEN", 5, "a", STORE_PLAYING, true, "bob");
    if (!store_is_shared(shelf->store)) {
        assert_false(store_finished(shelf->store, 10, answer_take, &answer, &why));
        assert_string_equal(why.code, "BAD_REQUEST");
        return;
    }
    assert_string_equal(finished_worlds(shelf), "OVER");
    assert_int_equal(exported(shelf, "OVER", 7), STORE_CONFLICT);
    assert_string_equal(finished_worlds(shelf), "OVER");
    assert_int_equal(exported(shelf, "OVER", 1), STORE_OK);
    assert_string_equal(finished_worlds(shelf), "");
    assert_string_equal(archive(shelf, 0, 5000, 10), "OPEN"); /* nobody came: that is an end, too */
    assert_string_equal(finished_worlds(shelf), "OPEN");
}

static void archived_code_is_not_used_again(void **state) {
    struct shelf *shelf = *state;
    shelf_append(shelf, "AAAAAA", 0, "one", &answer);
    archive(shelf, 0, 5000, 10);
    assert_int_equal(shelf_append(shelf, "AAAAAA", 0, "new", &answer), STORE_CONFLICT);
    assert_int_equal(answer.reply.version, 1);
}

static void appending_opens_an_archived_world_again(void **state) {
    struct shelf *shelf = *state;
    make_world(shelf, "AAAAAA", 5, "a", STORE_WAITING, true, "bob");
    shelf_append(shelf, "AAAAAA", 1, "two", &answer);
    archive(shelf, 0, 5000, 10);
    assert_int_equal(shelf_append(shelf, "AAAAAA", 1, "no", &answer), STORE_CONFLICT);
    assert_int_equal(shelf_append(shelf, "AAAAAA", 2, "three", &answer), STORE_OK);
    restart(shelf);
    assert_string_equal(shelf_load(shelf, "AAAAAA", &answer), "1 one|2 two|3 three");
    assert_false(answer.world.is_archived);
    assert_string_equal(list_public(shelf, "", 0, 10), "AAAAAA");
    assert_string_equal(list_of(shelf, "bob"), "AAAAAA");
    assert_string_equal(archive(shelf, 0, 5000, 10), "AAAAAA");
    assert_string_equal(shelf_load(shelf, "AAAAAA", &answer), "1 one|2 two|3 three");
}

/* ---- People ---- */

static const uint8_t token_a[STORE_TOKEN_SIZE] = {1, 0, 2}, token_b[STORE_TOKEN_SIZE] = {1, 0, 3},
                     token_c[STORE_TOKEN_SIZE] = {1, 0, 4}, token_d[STORE_TOKEN_SIZE] = {1, 0, 5};

static enum store_outcome add_player(struct shelf *shelf, const char *id, const char *name,
                                     const uint8_t *token) {
    struct store_player player = {span_of(id), span_of(name), token, 10, 20, {0}};
    assert_true(store_player_add(shelf->store, &player, answer_take, &answer, NULL));
    store_commit(shelf->store);
    return answer.reply.outcome;
}

static const char *by_token(struct shelf *shelf, const uint8_t *token) {
    assert_true(store_player_by_token(shelf->store, token, answer_take, &answer, NULL));
    store_commit(shelf->store);
    return answer.text;
}

static void player_is_found_by_token_and_id(void **state) {
    struct shelf *shelf = *state;
    assert_int_equal(add_player(shelf, "p1", "Ann", token_a), STORE_OK);
    assert_int_equal(add_player(shelf, "p2", "J\xc3\xb6n", token_b), STORE_OK);
    restart(shelf);
    assert_string_equal(by_token(shelf, token_a), "p1 Ann 20");
    assert_string_equal(by_token(shelf, token_b), "p2 J\xc3\xb6n 20");
    assert_true(store_player_by_id(shelf->store, span_of("p1"), answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_string_equal(answer.text, "p1 Ann 20");
    by_token(shelf, (const uint8_t[STORE_TOKEN_SIZE]){1});
    assert_int_equal(answer.reply.outcome, STORE_MISSING);
}

static void ids_and_tokens_are_unique(void **state) {
    struct shelf *shelf = *state;
    assert_int_equal(add_player(shelf, "p1", "Ann", token_a), STORE_OK);
    assert_int_equal(add_player(shelf, "p1", "Eve", token_b), STORE_CONFLICT);
    assert_int_equal(add_player(shelf, "p2", "Eve", token_a), STORE_CONFLICT);
    assert_string_equal(by_token(shelf, token_a), "p1 Ann 20");
}

static void player_is_renamed_and_seen(void **state) {
    struct shelf *shelf = *state;
    add_player(shelf, "p1", "Ann", token_a);
    store_player_seen(shelf->store, span_of("p1"), span_of("Anna"), NULL, 30, answer_take, &answer,
                      NULL);
    store_commit(shelf->store);
    assert_string_equal(by_token(shelf, token_a), "p1 Anna 30");
    store_player_seen(shelf->store, span_of("p1"), span_of(""), NULL, 40, answer_take, &answer,
                      NULL);
    store_player_seen(shelf->store, span_of("p9"), span_of(""), NULL, 40, answer_take, &other,
                      NULL);
    store_commit(shelf->store);
    assert_int_equal(other.reply.outcome, STORE_MISSING);
    restart(shelf);
    assert_string_equal(by_token(shelf, token_a), "p1 Anna 40");
}

static enum store_outcome change_devices(struct shelf *shelf, const char *id, enum store_drop drop,
                                         const uint8_t *named, const uint8_t *added,
                                         int64_t until_ms) {
    char buffer[2 * STORE_DEVICE_LINE_MAX];
    struct text text;
    struct store_device device = {
        .created_ms = 50, .seen_ms = 60, .until_ms = until_ms, .name = span_of("Phone")};
    text_begin(&text, buffer, sizeof buffer);
    if (added) {
        memcpy(device.token_hash, added, STORE_TOKEN_SIZE);
        store_device_put(&text, &device);
    }
    struct store_devices change = {span_of(id), drop, named, {buffer, text.length}};
    assert_true(store_player_devices(shelf->store, &change, answer_take, &answer, NULL));
    store_commit(shelf->store);
    return answer.reply.outcome;
}

static void note_devices(void *arg, const struct store_reply *reply) {
    char(*out)[512] = arg;
    struct store_device device;
    size_t used = 0;
    **out = '\0';
    assert_int_equal(reply->outcome, STORE_OK);
    for (struct span rest = reply->players[0].devices; store_device_next(&rest, &device);)
        used += (size_t)snprintf(*out + used, sizeof *out - used, "%d %d %d %d %.*s;",
                                 device.token_hash[2], (int)device.created_ms, (int)device.seen_ms,
                                 (int)device.until_ms, (int)device.name.length, device.name.data);
}

/* The third byte of each token, when the device came and was seen, until when it holds, its name;
 * the tokens of these tests are in this order in every store. */
static const char *devices_of(struct shelf *shelf, const char *id) {
    static char out[512];
    assert_true(store_player_by_id(shelf->store, span_of(id), note_devices, &out, NULL));
    store_commit(shelf->store);
    return out;
}

static void player_gets_another_token(void **state) {
    struct shelf *shelf = *state;
    add_player(shelf, "p1", "Ann", token_a);
    assert_true(store_try(shelf->store, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_int_equal(change_devices(shelf, "p1", STORE_DROP_ALL, NULL, token_b, 0), STORE_OK);
    assert_int_equal(change_devices(shelf, "p9", STORE_DROP_ALL, NULL, token_a, 0), STORE_MISSING);
    restart(shelf);
    assert_string_equal(by_token(shelf, token_b), "p1 Ann 20");
    by_token(shelf, token_a);
    assert_int_equal(answer.reply.outcome, STORE_MISSING);
}

/* One person, several tokens; each of them opens the same. */
static void player_has_several_devices(void **state) {
    struct shelf *shelf = *state;
    add_player(shelf, "p1", "Ann", token_a);
    add_player(shelf, "p2", "Bob", token_d);
    assert_int_equal(change_devices(shelf, "p1", STORE_DROP_NONE, NULL, token_b, 0), STORE_OK);
    assert_int_equal(change_devices(shelf, "p1", STORE_DROP_NONE, NULL, token_d, 0),
                     STORE_CONFLICT);
    restart(shelf);
    assert_string_equal(by_token(shelf, token_a), "p1 Ann 20");
    assert_string_equal(by_token(shelf, token_b), "p1 Ann 20");
    assert_string_equal(devices_of(shelf, "p1"), "2 10 20 0 ;3 50 60 0 Phone;");
    store_player_seen(shelf->store, span_of("p1"), span_of(""), token_b, 70, answer_take, &answer,
                      NULL);
    store_commit(shelf->store);
    assert_string_equal(devices_of(shelf, "p1"), "2 10 20 0 ;3 50 70 0 Phone;");
    assert_string_equal(devices_of(shelf, "p2"), "5 10 20 0 ;");
}

static void devices_go_one_by_one_or_all_others(void **state) {
    struct shelf *shelf = *state;
    add_player(shelf, "p1", "Ann", token_a);
    add_player(shelf, "p2", "Bob", token_d);
    change_devices(shelf, "p1", STORE_DROP_NONE, NULL, token_b, 0);
    change_devices(shelf, "p1", STORE_DROP_NONE, NULL, token_c, 0);
    assert_int_equal(change_devices(shelf, "p1", STORE_DROP_ONE, token_a, NULL, 0), STORE_OK);
    by_token(shelf, token_a);
    assert_int_equal(answer.reply.outcome, STORE_MISSING);
    assert_int_equal(change_devices(shelf, "p1", STORE_DROP_ONE, token_a, NULL, 0), STORE_MISSING);
    assert_int_equal(change_devices(shelf, "p1", STORE_DROP_ONE, token_d, NULL, 0), STORE_MISSING);
    assert_int_equal(change_devices(shelf, "p1", STORE_DROP_OTHERS, token_a, NULL, 0),
                     STORE_MISSING);
    assert_string_equal(devices_of(shelf, "p1"), "3 50 60 0 Phone;4 50 60 0 Phone;");
    assert_int_equal(change_devices(shelf, "p1", STORE_DROP_OTHERS, token_c, NULL, 0), STORE_OK);
    restart(shelf);
    assert_string_equal(devices_of(shelf, "p1"), "4 50 60 0 Phone;");
    for (enum store_drop drop = STORE_DROP_NONE; drop <= STORE_DROP_ALL; drop++) /* logged out */
        assert_int_equal(change_devices(shelf, "p1", drop, token_a, token_b, 0), STORE_MISSING);
    assert_string_equal(devices_of(shelf, "p1"), "4 50 60 0 Phone;");
    assert_int_equal(change_devices(shelf, "p1", STORE_DROP_LINKS, token_c, token_b, 900),
                     STORE_OK);
    assert_int_equal(change_devices(shelf, "p1", STORE_DROP_ALL, token_c, token_a, 0), STORE_OK);
    assert_string_equal(devices_of(shelf, "p1"), "2 50 60 0 Phone;");
    assert_int_equal(change_devices(shelf, "p1", STORE_DROP_ALL, NULL, NULL, 0), STORE_OK);
    assert_string_equal(devices_of(shelf, "p1"), "");
    by_token(shelf, token_c);
    assert_int_equal(answer.reply.outcome, STORE_MISSING);
    assert_string_equal(by_token(shelf, token_d), "p2 Bob 20");
}

/* A device that is logged out may have made a link, to come back by. */
static void links_go_with_a_device(void **state) {
    struct shelf *shelf = *state;
    add_player(shelf, "p1", "Ann", token_a);
    change_devices(shelf, "p1", STORE_DROP_NONE, NULL, token_b, 0);
    change_devices(shelf, "p1", STORE_DROP_LINKS, token_b, token_c, 900);
    assert_int_equal(change_devices(shelf, "p1", STORE_DROP_ONE, token_b, NULL, 0), STORE_OK);
    assert_string_equal(devices_of(shelf, "p1"), "2 10 20 0 ;");
    by_token(shelf, token_c);
    assert_int_equal(answer.reply.outcome, STORE_MISSING);
}

/* A link is exchanged for a device once: whoever comes second finds it gone. */
static void link_is_exchanged_once(void **state) {
    struct shelf *shelf = *state;
    add_player(shelf, "p1", "Ann", token_a);
    change_devices(shelf, "p1", STORE_DROP_LINKS, NULL, token_b, 900);
    assert_string_equal(devices_of(shelf, "p1"), "2 10 20 0 ;3 50 60 900 Phone;");
    change_devices(shelf, "p1", STORE_DROP_LINKS, NULL, token_c, 901);
    assert_string_equal(devices_of(shelf, "p1"), "2 10 20 0 ;4 50 60 901 Phone;");
    assert_int_equal(change_devices(shelf, "p1", STORE_DROP_ONE, token_c, token_d, 0), STORE_OK);
    assert_int_equal(change_devices(shelf, "p1", STORE_DROP_ONE, token_c, token_b, 0),
                     STORE_MISSING);
    assert_string_equal(devices_of(shelf, "p1"), "2 10 20 0 ;5 50 60 0 Phone;");
}

static void malformed_devices_are_refused(void **state) {
    struct shelf *shelf = *state;
    struct refusal why;
    struct store_devices change = {.player = span_of("p1"), .add = span_of("1234 1 2 0 Phone\n")};
    assert_false(store_player_devices(shelf->store, &change, answer_take, &answer, &why));
    assert_string_equal(why.code, "BAD_REQUEST");
}

/* ---- Records ---- */

static void finish(struct shelf *shelf, const char *code, int64_t version, int32_t number,
                   bool over, int32_t score) {
    struct span line = span_of("end");
    struct store_seat seats[] = {
        {span_of("Ann"), span_of("p1"), span_of(""), 0, score, score > 5, {12, score}},
        {span_of("Cy"), span_of("p3"), span_of(""), 1, 5, score <= 5, {11}},
        {span_of("Bot"), span_of(""), span_of("hard"), 1, 5, score <= 5, {100, 100}},
    };
    struct span figures[] = {span_of("moves"), span_of("long steps")};
    struct store_stat stat = {span_of("moves"), 123};
    struct store_match match = {.number = number,
                                .over = over,
                                .started_ms = 500,
                                .settings = span_of("{}"),
                                .state = span_of("{}"),
                                .seats = seats,
                                .seat_count = 3,
                                .figures = figures,
                                .figure_count = 2,
                                .stats = &stat,
                                .stat_count = 1};
    struct store_append append = append_line(code, version, &line);
    append.match = &match;
    assert_true(store_append(shelf->store, &append, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_int_equal(answer.reply.outcome, STORE_OK);
}

static const char *last_games(struct shelf *shelf, const char *id, size_t games) {
    assert_true(store_player_records(shelf->store, span_of(id), games, answer_take, &answer, NULL));
    store_commit(shelf->store);
    return answer.text;
}

static const char *records_of(struct shelf *shelf, const char *id) {
    return last_games(shelf, id, 0);
}

/* PL-45 */
static void finished_games_count(void **state) {
    struct shelf *shelf = *state;
    make_world(shelf, "W1", 1, "euchre", STORE_PLAYING, true, "bob");
    make_world(shelf, "W2", 1, "4-kate", STORE_PLAYING, true, "bob");
    assert_string_equal(records_of(shelf, "p1"), "");
    finish(shelf, "W1", 1, 1, false, 3); /* a round, not yet the game */
    assert_string_equal(records_of(shelf, "p1"), "");
    finish(shelf, "W1", 2, 1, true, 10);
    finish(shelf, "W1", 3, 2, true, 4);
    finish(shelf, "W2", 1, 1, true, -7);
    restart(shelf);
    assert_string_equal(records_of(shelf, "p1"), "4-kate 1 0 -7 -7 long steps=-7 moves=12|"
                                                 "euchre 2 1 14 10 long steps=14 moves=24");
    archive(shelf, 5000, 5000, 10);
    assert_string_equal(records_of(shelf, "p1"), "4-kate 1 0 -7 -7 long steps=-7 moves=12|"
                                                 "euchre 2 1 14 10 long steps=14 moves=24");
    assert_string_equal(records_of(shelf, "p3"), "4-kate 1 1 5 5 long steps=0 moves=11|"
                                                 "euchre 2 1 10 5 long steps=0 moves=22");
    assert_string_equal(records_of(shelf, "p2"), "");
}

static void last_finished_games_are_listed(void **state) {
    struct shelf *shelf = *state;
    make_world(shelf, "W1", 1, "euchre", STORE_PLAYING, true, "bob");
    make_world(shelf, "W2", 1, "4-kate", STORE_PLAYING, true, "bob");
    finish(shelf, "W1", 1, 1, true, 10);
    finish(shelf, "W1", 2, 2, true, 4);
    finish(shelf, "W1", 3, 3, false, 9); /* goes on */
    finish(shelf, "W2", 1, 1, true, 6);
    restart(shelf);
    assert_string_equal(strchr(last_games(shelf, "p1", 10), ';'),
                        "; 4-kate won 6@1000 {\"moves\":12,\"long steps\":6}, "
                        "euchre lost 4@1000 {\"moves\":12,\"long steps\":4}, "
                        "euchre won 10@1000 {\"moves\":12,\"long steps\":10}");
    assert_string_equal(strchr(last_games(shelf, "p1", 1), ';'),
                        "; 4-kate won 6@1000 {\"moves\":12,\"long steps\":6}");
    assert_string_equal(last_games(shelf, "p2", 10), "");
}

/* Who else played in the last game, as text. */
static void take_others(void *arg, const struct store_reply *reply) {
    char *out = arg;
    assert_int_equal(reply->outcome, STORE_OK);
    assert_true(reply->finished_count > 0);
    struct span others = reply->finished[0].others;
    snprintf(out, 512, "%.*s", (int)others.length, others.data);
}

static const char *others_of(struct shelf *shelf, const char *id) {
    static char others[512];
    assert_true(store_player_records(shelf->store, span_of(id), 1, take_others, others, NULL));
    store_commit(shelf->store);
    return others;
}

static void who_else_played_is_known(void **state) {
    struct shelf *shelf = *state;
    make_world(shelf, "W1", 1, "euchre", STORE_PLAYING, true, "bob");
    finish(shelf, "W1", 1, 1, true, 10);
    restart(shelf);
    assert_string_equal(others_of(shelf, "p1"),
                        "[{\"playerId\":\"p3\",\"name\":\"Cy\",\"partner\":false,\"bot\":null},"
                        "{\"playerId\":null,\"name\":\"Bot\",\"partner\":false,\"bot\":\"hard\"}]");
    assert_string_equal(others_of(shelf, "p3"),
                        "[{\"playerId\":\"p1\",\"name\":\"Ann\",\"partner\":false,\"bot\":null},"
                        "{\"playerId\":null,\"name\":\"Bot\",\"partner\":true,\"bot\":\"hard\"}]");
}

static void results_are_forgotten_when_their_person_says_so(void **state) {
    struct shelf *shelf = *state;
    make_world(shelf, "W1", 1, "euchre", STORE_PLAYING, true, "bob");
    finish(shelf, "W1", 1, 1, true, 10);
    finish(shelf, "W1", 2, 2, true, 4);
    assert_true(store_player_forget(shelf->store, span_of("p1"), answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_int_equal(answer.reply.outcome, STORE_OK);
    restart(shelf);
    assert_string_equal(last_games(shelf, "p1", 10), "");
    assert_string_equal(records_of(shelf, "p3"), "euchre 2 1 10 5 long steps=0 moves=22");
    assert_non_null(strstr(others_of(shelf, "p3"), "Ann")); /* they did play together */
    finish(shelf, "W1", 3, 3, true, 6);
    assert_string_equal(records_of(shelf, "p1"), "euchre 1 1 6 6 long steps=6 moves=12");
}

static void game_of_a_conflict_does_not_count(void **state) {
    struct shelf *shelf = *state;
    struct span line = span_of("end");
    struct store_seat seat = {.name = span_of("Ann"), .player = span_of("p1"), .won = true};
    struct store_match match = {.number = 1, .over = true, .seats = &seat, .seat_count = 1};
    struct store_append append = append_line("W1", 7, &line);
    make_world(shelf, "W1", 1, "euchre", STORE_PLAYING, true, "bob");
    append.match = &match;
    assert_true(store_append(shelf->store, &append, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_int_equal(answer.reply.outcome, STORE_CONFLICT);
    assert_string_equal(records_of(shelf, "p1"), "");
}

/* ---- The whole store ---- */

struct found {
    struct store_walk at;
    bool more;
    size_t count, problems;
    char text[4096];
    char forgotten[64]; /* of the last world that has some */
};

static void note_page(void *arg, const struct store_reply *reply) {
    struct found *found = arg;
    size_t used = strlen(found->text);
    assert_int_equal(reply->outcome, STORE_OK);
    found->at = reply->walk;
    found->more = reply->more;
    found->count += reply->count;
    found->problems += reply->problem_count;
    for (size_t i = 0; i < reply->count && used < sizeof found->text - 200; i++) {
        const struct store_world *world = reply->worlds ? &reply->worlds[i] : NULL;
        const struct store_player *player = reply->players ? &reply->players[i] : NULL;
        if (world)
            used += (size_t)snprintf(found->text + used, 200, "%.*s %d %d games %d %.*s|",
                                     (int)world->code.length, world->code.data, (int)world->version,
                                     (int)world->archived_ms, (int)world->games,
                                     (int)world->members.length, world->members.data);
        if (world && world->forgotten.length > 0)
            snprintf(found->forgotten, sizeof found->forgotten, "%.*s",
                     (int)world->forgotten.length, world->forgotten.data);
        if (!world)
            used += (size_t)snprintf(found->text + used, 200, "%.*s %.2s|", (int)player->id.length,
                                     player->id.data, player->devices.data);
    }
}

/* All pages; in the order of the text, since stores have their own. */
static struct found *walk(struct shelf *shelf, bool people) {
    static struct found found;
    found = (struct found){.more = true};
    while (found.more) {
        assert_true((people ? store_walk_players : store_walk_worlds)(shelf->store, found.at, true,
                                                                      note_page, &found, NULL));
        store_commit(shelf->store);
    }
    return &found;
}

static void all_worlds_are_walked_through(void **state) {
    struct shelf *shelf = *state;
    make_world(shelf, "W1", 1, "euchre", STORE_PLAYING, true, "bob");
    make_world(shelf, "W2", 1, "4-kate", STORE_WAITING, true, "ann");
    finish(shelf, "W1", 1, 1, true, 10);
    assert_true(store_put_away(shelf->store, span_of("W2"), 777, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_int_equal(answer.reply.outcome, STORE_OK);
    assert_true(store_put_away(shelf->store, span_of("W3"), 777, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_int_equal(answer.reply.outcome, STORE_MISSING);
    restart(shelf);
    struct found *found = walk(shelf, false);
    assert_int_equal(found->count, 2);
    assert_non_null(strstr(found->text, "W1 2 0 games 1 "));
    assert_non_null(strstr(found->text, "bob\n"));
    assert_non_null(strstr(found->text, "W2 1 777 games 0 ann\n"));
    assert_int_equal(found->problems, 0);
    assert_true(store_list_public(shelf->store, span_of(""), 0, 10, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_string_equal(answer.text, ""); /* what is put away is listed no longer */
    for (int i = 0; i < 2 * STORE_WALK_MAX; i++) {
        char code[8];
        snprintf(code, sizeof code, "X%d", i);
        shelf_append(shelf, code, 0, "one", &answer);
    }
    assert_int_equal(walk(shelf, false)->count, 2 + 2 * STORE_WALK_MAX);
}

static void all_people_are_walked_through(void **state) {
    struct shelf *shelf = *state;
    uint8_t token[STORE_TOKEN_SIZE] = {0};
    for (int i = 0; i < STORE_WALK_MAX + 7; i++) {
        char id[8];
        snprintf(id, sizeof id, "p%d", i);
        token[0] = (uint8_t)i;
        token[1] = (uint8_t)(i >> 8);
        struct store_player player = {.id = span_of(id),
                                      .name = span_of("N"),
                                      .token_hash = token,
                                      .created_ms = 1,
                                      .seen_ms = 2};
        assert_true(store_player_add(shelf->store, &player, answer_take, &answer, NULL));
    }
    store_commit(shelf->store);
    restart(shelf);
    struct found *found = walk(shelf, true);
    assert_int_equal(found->count, STORE_WALK_MAX + 7);
    assert_int_equal(found->problems, 0);
    assert_non_null(strstr(found->text, "p17 11|"));
}

static const char *earlier_of(struct shelf *shelf, const char *id) {
    assert_true(store_player_earlier(shelf->store, span_of(id), answer_take, &answer, NULL));
    store_commit(shelf->store);
    return answer.text;
}

/* Games whose worlds are gone stay in people's records, and come from another store. */
static void earlier_games_are_set(void **state) {
    struct shelf *shelf = *state;
    struct store_stat figures[] = {{span_of("moves"), 100}};
    struct store_record earlier[] = {
        {span_of("euchre"), 3, 2, 21, 11, figures, 1},
        {span_of("up-n-down"), 1, 0, -4, -4, NULL, 0},
    };
    make_world(shelf, "W1", 1, "euchre", STORE_PLAYING, true, "bob");
    finish(shelf, "W1", 1, 1, true, 10);
    assert_string_equal(earlier_of(shelf, "p1"), "");
    for (int i = 0; i < 2; i++) { /* the second time changes nothing */
        assert_true(
            store_set_earlier(shelf->store, span_of("p1"), earlier, 2, answer_take, &answer, NULL));
        store_commit(shelf->store);
        assert_int_equal(answer.reply.outcome, STORE_OK);
    }
    restart(shelf);
    assert_non_null(strstr(records_of(shelf, "p1"), "euchre 4 3 31 11 long steps=10 moves=112"));
    assert_non_null(strstr(answer.text, "up-n-down 1 0 -4 -4"));
    finish(shelf, "W1", 2, 2, true, 4);
    assert_non_null(strstr(records_of(shelf, "p1"), "euchre 5 3 35 11 long steps=14 moves=124"));
    assert_non_null(strstr(earlier_of(shelf, "p1"), "euchre 3 2 21 11"));
    assert_non_null(strstr(answer.text, "moves=100"));
    assert_null(strstr(answer.text, "long steps=1"));
    assert_string_equal(earlier_of(shelf, "p3"), "");
}

/* One seat of one game no longer counts; who else played keeps theirs, and the walk says which. */
static void a_seat_is_forgotten(void **state) {
    struct shelf *shelf = *state;
    make_world(shelf, "W1", 1, "euchre", STORE_PLAYING, true, "bob");
    finish(shelf, "W1", 1, 1, true, 10);
    finish(shelf, "W1", 2, 2, true, 4);
    struct found *found = walk(shelf, false);
    assert_string_equal(found->forgotten, "");
    for (int i = 0; i < 2; i++) {
        assert_true(
            store_seat_forget(shelf->store, span_of("W1"), 1, 0, answer_take, &answer, NULL));
        store_commit(shelf->store);
        assert_int_equal(answer.reply.outcome, i == 0 ? STORE_OK : STORE_MISSING);
    }
    restart(shelf);
    assert_non_null(strstr(records_of(shelf, "p1"), "euchre 1 0 4 4 "));
    assert_string_equal(earlier_of(shelf, "p1"), "");
    assert_non_null(strstr(records_of(shelf, "p3"), "euchre 2 "));
    found = walk(shelf, false);
    assert_string_equal(found->forgotten, "1 0\n");
    assert_int_equal(found->problems, 0);
    assert_true(store_seat_forget(shelf->store, span_of("W2"), 1, 0, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_int_equal(answer.reply.outcome, STORE_MISSING);
    assert_true(store_player_forget(shelf->store, span_of("p3"), answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_non_null(strstr(walk(shelf, false)->forgotten, "2 1\n"));
}

/* ---- Limits ---- */

static void refused(bool taken, const struct refusal *why, const char *code, const char *text) {
    assert_false(taken);
    assert_string_equal(why->code, code);
    assert_string_equal(why->text, text);
}

static void too_large_is_refused_at_once(void **state) {
    struct shelf *shelf = *state;
    static char bytes[STORE_STATE_MAX + 1];
    struct refusal why;
    memset(bytes, 'x', sizeof bytes);
    struct span line = {bytes, STORE_ENTRY_MAX + 1}, fits = span_of("x");
    struct span many[STORE_ENTRIES_MAX + 1];
    for (int i = 0; i <= STORE_ENTRIES_MAX; i++)
        many[i] = fits;
    answer.calls = 0;
    struct store_append append = append_line("AAAAAA", 0, &line);
    refused(store_append(shelf->store, &append, answer_take, &answer, &why), &why, "TOO_LARGE",
            "The entry has more than 8192 bytes");
    append = append_line("0123456789abcdef", 0, &fits);
    refused(store_append(shelf->store, &append, answer_take, &answer, &why), &why, "TOO_LARGE",
            "The world's code has more than 15 bytes");
    append = append_line("AAAAAA", 0, many);
    append.count = STORE_ENTRIES_MAX + 1;
    refused(store_append(shelf->store, &append, answer_take, &answer, &why), &why, "TOO_LARGE",
            "Entries at once: at most 64");
    struct store_match match = {.number = 1, .state = {bytes, sizeof bytes}};
    append = append_line("AAAAAA", 0, &fits);
    append.match = &match;
    refused(store_append(shelf->store, &append, answer_take, &answer, &why), &why, "TOO_LARGE",
            "The state has more than 131072 bytes");
    refused(store_due(shelf->store, 1, STORE_LIST_MAX + 1, answer_take, &answer, &why), &why,
            "TOO_LARGE", "Worlds at once: at most 1000");
    struct store_player player = {span_of("p"), {bytes, STORE_NAME_MAX + 1}, token_a, 0, 0, {0}};
    refused(store_player_add(shelf->store, &player, answer_take, &answer, &why), &why, "TOO_LARGE",
            "The name has more than 96 bytes");
    store_commit(shelf->store);
    assert_int_equal(answer.calls, 0);
}

static void largest_fits(void **state) {
    struct shelf *shelf = *state;
    static char bytes[STORE_STATE_MAX];
    memset(bytes, 'x', sizeof bytes);
    struct span line = {bytes, STORE_ENTRY_MAX};
    struct store_match match = {.number = 1, .state = {bytes, sizeof bytes}};
    struct store_append append = append_line("0123456789abcde", 0, &line);
    append.match = &match;
    assert_true(store_append(shelf->store, &append, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_int_equal(answer.reply.outcome, STORE_OK);
    shelf_load(shelf, "0123456789abcde", &answer);
    assert_int_equal(strlen(answer.text), 2 + STORE_ENTRY_MAX);
}

static void malformed_is_refused(void **state) {
    struct shelf *shelf = *state;
    struct refusal why;
    static const struct {
        struct span line;
        const char *text;
    } lines[] = {{{"a\nb", 3}, "The entry holds a line end"},
                 {{"a\r", 2}, "The entry holds a line end"},
                 {{"a\0b", 3}, "The entry holds a zero byte"},
                 {{"", 0}, "The entry is missing"}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct store_append append = append_line("AAAAAA", 0, &lines[i].line);
        refused(store_append(shelf->store, &append, answer_take, &answer, &why), &why,
                "BAD_REQUEST", lines[i].text);
    }
    struct span line = span_of("x");
    struct store_append append = append_line("AAAAAA", 0, &line);
    append.summary = NULL;
    refused(store_append(shelf->store, &append, answer_take, &answer, &why), &why, "BAD_REQUEST",
            "The summary of a new world is missing");
    append = append_line("", 0, &line);
    refused(store_append(shelf->store, &append, answer_take, &answer, &why), &why, "BAD_REQUEST",
            "The world's code is missing");
    refused(store_load(shelf->store, span_of("A"), -1, answer_take, &answer, &why), &why,
            "BAD_REQUEST", "The version is negative");
}

static void full_queue_is_refused(void **state) {
    struct shelf *shelf = *state;
    struct refusal why;
    int taken = 0;
    answer.calls = 0;
    while (store_due(shelf->store, 1, 1, answer_take, &answer, &why))
        taken++;
    assert_int_equal(taken, STORE_QUEUE_MAX);
    assert_string_equal(why.code, "UNAVAILABLE");
    store_commit(shelf->store);
    assert_int_equal(answer.calls, STORE_QUEUE_MAX);
    assert_true(store_due(shelf->store, 1, 1, answer_take, &answer, &why));
}

/* ---- The order of answers ---- */

struct order {
    char text[16];
    size_t count;
};

struct told {
    struct order *order;
    char name;
};

static void note_turn(void *arg, const struct store_reply *reply) {
    struct told *told = arg;
    assert_int_equal(reply->outcome, STORE_OK);
    told->order->text[told->order->count++] = told->name;
}

static void answer_to_a_write_waits_for_no_read(void **state) {
    struct shelf *shelf = *state;
    struct order order = {0};
    struct told first = {&order, 'r'}, second = {&order, 'w'}, third = {&order, 'w'};
    struct span line = span_of("line");
    struct store_append append = append_line("AAAAAA", 0, &line);
    assert_true(store_load(shelf->store, append.code, 0, note_turn, &first, NULL));
    assert_true(store_append(shelf->store, &append, note_turn, &second, NULL));
    append.expected_version = 1;
    assert_true(store_append(shelf->store, &append, note_turn, &third, NULL));
    store_commit(shelf->store);
    assert_string_equal(order.text, "wwr");
}

/* ---- Deferred work ---- */

enum { JOBS_MAX = 4 };

struct jobs {
    struct {
        void (*work)(void *data);
        void (*done)(void *data);
        void *data;
    } list[JOBS_MAX];
    int count;
};

static void keep_job(void *arg, void (*work)(void *), void (*done)(void *), void *data) {
    struct jobs *jobs = arg;
    assert_true(jobs->count < JOBS_MAX);
    jobs->list[jobs->count].work = work;
    jobs->list[jobs->count].done = done;
    jobs->list[jobs->count++].data = data;
}

static void do_job(struct jobs *jobs, int number) {
    jobs->list[number].work(jobs->list[number].data);
    jobs->list[number].done(jobs->list[number].data);
}

/* Only work on a file is deferred. */
static bool defer_to(struct shelf *shelf, struct jobs *jobs) {
    if (shelf->config.where != shelf->file)
        return false;
    shelf_close(shelf);
    shelf->config.defer = keep_job;
    shelf->config.arg = jobs;
    shelf_open(shelf);
    answer.calls = other.calls = 0;
    return true;
}

static void deferred_batches_follow_each_other(void **state) {
    struct shelf *shelf = *state;
    struct jobs jobs = {0};
    if (!defer_to(shelf, &jobs))
        return;
    struct span line = span_of("line");
    struct store_append append = append_line("AAAAAA", 0, &line);
    store_append(shelf->store, &append, answer_take, &answer, NULL);
    store_commit(shelf->store);
    assert_true(store_busy(shelf->store));
    store_load(shelf->store, append.code, 0, answer_take, &other, NULL);
    store_commit(shelf->store); /* waits for the first */
    assert_int_equal(jobs.count, 1);
    jobs.list[0].work(jobs.list[0].data);
    assert_int_equal(answer.calls, 0);
    jobs.list[0].done(jobs.list[0].data);
    assert_int_equal(answer.calls, 1);
    assert_int_equal(other.calls, 0);
    assert_int_equal(jobs.count, 2);
    do_job(&jobs, 1);
    assert_string_equal(other.text, "1 line");
    assert_false(store_busy(shelf->store));
    store_commit(shelf->store); /* nothing to do */
    assert_int_equal(jobs.count, 2);
}

static void reads_follow_all_writes_before_them(void **state) {
    struct shelf *shelf = *state;
    struct jobs jobs = {0};
    if (!defer_to(shelf, &jobs))
        return;
    struct span line = span_of("line");
    struct store_append append = append_line("AAAAAA", 0, &line);
    store_append(shelf->store, &append, answer_take, &answer, NULL);
    store_commit(shelf->store);
    append.expected_version = 1;
    store_append(shelf->store, &append, answer_take, &answer, NULL);
    store_load(shelf->store, append.code, 0, answer_take, &other, NULL);
    store_commit(shelf->store);
    do_job(&jobs, 0);
    assert_int_equal(jobs.count, 2); /* the second append; the load waits for it */
    do_job(&jobs, 1);
    assert_int_equal(answer.calls, 2);
    do_job(&jobs, 2);
    assert_string_equal(other.text, "1 line|2 line");
}

static void long_read_holds_up_no_write(void **state) {
    struct shelf *shelf = *state;
    struct jobs jobs = {0};
    if (!defer_to(shelf, &jobs))
        return;
    struct span line = span_of("line");
    struct store_append append = append_line("AAAAAA", 0, &line);
    store_player_records(shelf->store, span_of("p1"), 10, answer_take, &other, NULL);
    store_commit(shelf->store);
    assert_int_equal(jobs.count, 1); /* the read is under way */
    store_append(shelf->store, &append, answer_take, &answer, NULL);
    store_commit(shelf->store);
    assert_int_equal(jobs.count, 2);
    do_job(&jobs, 1);
    assert_int_equal(answer.calls, 1);
    assert_int_equal(answer.reply.outcome, STORE_OK);
    assert_int_equal(other.calls, 0);
    do_job(&jobs, 0);
    assert_int_equal(other.calls, 1);
}

/* ---- Erasing ---- */

static const char *visited(struct shelf *shelf, const char *id) {
    assert_true(store_list_visited(shelf->store, span_of(id), 0, 10, answer_take, &answer, NULL));
    store_commit(shelf->store);
    return answer.text;
}

static enum store_outcome erase(struct shelf *shelf, const char *id) {
    assert_true(store_player_erase(shelf->store, span_of(id), answer_take, &answer, NULL));
    store_commit(shelf->store);
    return answer.reply.outcome;
}

/* Takes the person out of a log of so many entries, whose entry `changes` becomes another one. */
static enum store_outcome take_out(struct shelf *shelf, const char *code, int64_t version,
                                   int64_t changes, const char *line, const char *id) {
    struct store_entry entry = {changes, span_of(line)};
    struct store_rewrite rewrite = {.code = span_of(code),
                                    .version = version,
                                    .entries = &entry,
                                    .count = 1,
                                    .owner = span_of("ann"),
                                    .summary = span_of("new"),
                                    .player = span_of(id),
                                    .name = span_of("Somebody")};
    assert_true(store_rewrite(shelf->store, &rewrite, answer_take, &answer, NULL));
    store_commit(shelf->store);
    return answer.reply.outcome;
}

/* ---- Notes ---- */

static enum store_outcome put_note(struct shelf *shelf, const char *owner, const char *name,
                                   const char *text, bool fresh) {
    struct store_note_put put = {.owner = span_of(owner),
                                 .note = {.name = span_of(name), .text = span_of(text)},
                                 .fresh = fresh};
    assert_true(store_note_put(shelf->store, &put, answer_take, &answer, NULL));
    store_commit(shelf->store);
    return answer.reply.outcome;
}

static const char *notes_of(struct shelf *shelf, const char *owner) {
    assert_true(store_notes(shelf->store, span_of(owner), answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_int_equal(answer.reply.outcome, STORE_OK);
    return answer.text;
}

static void notes_belong_to_people_and_to_the_server(void **state) {
    struct shelf *shelf = *state;
    add_player(shelf, "p1", "Ann", token_a);
    assert_int_equal(put_note(shelf, "p9", "a", "x", false), STORE_MISSING);
    assert_int_equal(put_note(shelf, "", "key", "K", true), STORE_OK);
    assert_int_equal(put_note(shelf, "", "key", "L", true), STORE_CONFLICT);
    assert_int_equal(put_note(shelf, "p1", "b", "two \"2\"", false), STORE_OK);
    assert_int_equal(put_note(shelf, "p1", "a", "one", false), STORE_OK);
    assert_int_equal(put_note(shelf, "p1", "a", "one more", false), STORE_OK);
    restart(shelf);
    assert_string_equal(notes_of(shelf, "p1"), "a=one more|b=two \"2\"");
    assert_string_equal(notes_of(shelf, ""), "key=K");
    assert_string_equal(notes_of(shelf, "p9"), "");
    assert_int_equal(put_note(shelf, "p1", "a", "", false), STORE_OK);
    assert_int_equal(put_note(shelf, "p1", "a", "", false), STORE_OK);
    assert_string_equal(notes_of(shelf, "p1"), "b=two \"2\"");
    assert_int_equal(erase(shelf, "p1"), STORE_OK);
    assert_string_equal(notes_of(shelf, "p1"), "");
    assert_string_equal(notes_of(shelf, ""), "key=K");
}

static void nobody_has_too_many_notes(void **state) {
    struct shelf *shelf = *state;
    char name[8], text[STORE_NOTE_MAX + 2];
    struct refusal why;
    add_player(shelf, "p1", "Ann", token_a);
    for (int i = 0; i < STORE_NOTES_MAX; i++) {
        snprintf(name, sizeof name, "n%d", i);
        assert_int_equal(put_note(shelf, "p1", name, "x", i % 2 == 0), STORE_OK);
    }
    assert_int_equal(put_note(shelf, "p1", "more", "x", false), STORE_CONFLICT);
    assert_int_equal(put_note(shelf, "p1", "more", "x", true), STORE_CONFLICT);
    assert_int_equal(put_note(shelf, "p1", "n0", "y", false), STORE_OK);
    assert_int_equal(put_note(shelf, "p1", "n1", "", false), STORE_OK);
    assert_int_equal(put_note(shelf, "p1", "more", "x", false), STORE_OK);
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    struct store_note_put large = {.owner = span_of("p1"),
                                   .note = {.name = span_of("n0"), .text = span_of(text)}};
    assert_false(store_note_put(shelf->store, &large, answer_take, &answer, &why));
}

static void erased_people_are_gone(void **state) {
    struct shelf *shelf = *state;
    add_player(shelf, "p1", "Annabel", token_a);
    change_devices(shelf, "p1", STORE_DROP_NONE, NULL, token_b, 0);
    change_devices(shelf, "p1", STORE_DROP_NONE, NULL, token_c, 9000);
    make_world(shelf, "OLD", 1, "euchre", STORE_CLOSED, false, "p1");
    shelf_append(shelf, "OLD", 1, "p1 Annabel", &answer);
    archive(shelf, 5000, 0, 10);
    make_world(shelf, "NEW", 1, "euchre", STORE_PLAYING, false, "p1");
    shelf_append(shelf, "NEW", 1, "p1 Annabel", &answer);
    shelf_append(shelf, "NEW", 2, "three", &answer);
    finish(shelf, "NEW", 3, 1, true, 10);
    restart(shelf);
    assert_string_equal(visited(shelf, "p1"), "NEW OLD");
    assert_int_equal(erase(shelf, "p1"), STORE_CONFLICT);
    assert_int_equal(take_out(shelf, "NEW", 3, 2, "px Somebody", "p1"), STORE_CONFLICT);
    assert_int_equal(take_out(shelf, "NONE", 4, 2, "px Somebody", "p1"), STORE_MISSING);
    assert_int_equal(take_out(shelf, "NEW", 4, 2, "px Somebody", "p1"), STORE_OK);
    assert_int_equal(erase(shelf, "p1"), STORE_CONFLICT);
    assert_int_equal(take_out(shelf, "OLD", 2, 2, "py Somebody", "p1"), STORE_OK);
    assert_string_equal(visited(shelf, "p1"), "");
    assert_int_equal(erase(shelf, "p1"), STORE_OK);
    assert_int_equal(erase(shelf, "p1"), STORE_OK);
    restart(shelf);
    for (size_t i = 0; i < 3; i++) {
        by_token(shelf, (const uint8_t *[]){token_a, token_b, token_c}[i]);
        assert_int_equal(answer.reply.outcome, STORE_MISSING);
    }
    assert_string_equal(records_of(shelf, "p1"), "");
    assert_string_equal(records_of(shelf, "p3"), "euchre 1 0 5 5 long steps=0 moves=11");
    assert_null(strstr(others_of(shelf, "p3"), "Ann"));
    assert_null(strstr(others_of(shelf, "p3"), "p1"));
    assert_non_null(strstr(others_of(shelf, "p3"), "Somebody"));
    assert_string_equal(shelf_load(shelf, "NEW", &answer), "1 one|2 px Somebody|3 three|4 end");
    assert_string_equal(shelf_load(shelf, "OLD", &answer), "1 one|2 py Somebody");
    finish(shelf, "NEW", 4, 2, true, 1); /* it goes on */
    assert_string_equal(records_of(shelf, "p3"), "euchre 2 1 10 5 long steps=0 moves=22");
}

/* What stands in a file, as far as it is there. */
static bool file_has(const char *path, const char *text) {
    FILE *file = fopen(path, "rb");
    size_t length = strlen(text), size = 0, room = 1 << 26;
    char *bytes = malloc(room);
    if (file)
        size = fread(bytes, 1, room, file);
    bool found = false;
    for (size_t i = 0; !found && i + length <= size; i++)
        found = memcmp(bytes + i, text, length) == 0;
    if (file)
        fclose(file);
    free(bytes);
    return found;
}

static bool store_has(const struct shelf *shelf, const char *text) {
    char log[96];
    snprintf(log, sizeof log, "%s-wal", shelf->file);
    return file_has(shelf->file, text) || file_has(log, text);
}

/* Lines of many lengths in worlds that are archived, opened again and forgotten: so the name has
 * stood in pages that were split, moved and freed. */
static void nothing_of_the_erased_is_left_in_the_file(void **state) {
    enum { WORLDS = 60, LINES = 12 };
    struct shelf *shelf = *state;
    char code[8], line[1200];
    if (!lasts(shelf) || strstr(shelf->config.where, "://"))
        return;
    add_player(shelf, "p1", "Annabel-Lee", token_a);
    for (int i = 0; i < WORLDS; i++) {
        snprintf(code, sizeof code, "W%d", i);
        make_world(shelf, code, 1, "euchre", STORE_CLOSED, false, "p1");
        for (int at = 1; at < LINES; at++) {
            int length = snprintf(line, sizeof line, "@p1 join Annabel-Lee ");
            for (int more = (i * 7919 + at * 104729) % 1000; more > 0; more--)
                line[length++] = 'x';
            line[length] = '\0';
            shelf_append(shelf, code, at, line, &answer);
        }
        if (i % 3 == 0)
            archive(shelf, 5000, 0, 10);
        if (i % 6 == 0) {
            snprintf(code, sizeof code, "W%d", i / 2);
            shelf_load(shelf, code, &answer);
            shelf_append(shelf, code, answer.reply.version, "@p1 name Annabel-Lee", &answer);
        }
    }
    assert_true(store_has(shelf, "Annabel"));
    for (int i = 0; i < WORLDS; i++) {
        struct store_entry entries[LINES + 20];
        snprintf(code, sizeof code, "W%d", i);
        shelf_load(shelf, code, &answer);
        struct store_rewrite rewrite = {.code = span_of(code),
                                        .version = answer.reply.version,
                                        .entries = entries,
                                        .count = (size_t)answer.reply.version - 1,
                                        .owner = span_of("ann"),
                                        .summary = span_of("new"),
                                        .player = span_of("p1"),
                                        .name = span_of("Somebody")};
        for (size_t at = 0; at < rewrite.count; at++)
            entries[at] = (struct store_entry){(int64_t)at + 2, span_of("@px join Somebody")};
        assert_true(store_rewrite(shelf->store, &rewrite, answer_take, &answer, NULL));
        store_commit(shelf->store);
        assert_int_equal(answer.reply.outcome, STORE_OK);
    }
    assert_int_equal(erase(shelf, "p1"), STORE_OK);
    assert_false(store_has(shelf, "Annabel"));
    shelf_append(shelf, "W0", (shelf_load(shelf, "W0", &answer), answer.reply.version), "on",
                 &answer);
    assert_int_equal(answer.reply.outcome, STORE_OK);
    restart(shelf);
    assert_false(store_has(shelf, "Annabel"));
    assert_false(store_has(shelf, "@p1"));
}

/* ---- Many worlds ---- */

enum { MANY = 10000 };

static void ten_thousand_worlds_are_found_again(void **state) {
    struct shelf *shelf = *state;
    struct span line = span_of("1731658000123 @ann create whos-deal");
    char code[8];
    for (int i = 0; i < MANY; i++) {
        snprintf(code, sizeof code, "W%05d", i);
        struct store_append append = append_line(code, 0, &line);
        append.due_ms = 1000000 - i;
        assert_true(store_append(shelf->store, &append, NULL, NULL, NULL));
        if (i % 500 == 499)
            store_commit(shelf->store);
    }
    restart(shelf);
    assert_string_equal(shelf_due(shelf, 1000000 - MANY + 2, &answer), "W09999 W09998");
    assert_true(store_due(shelf->store, STORE_NEVER, 1000, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_int_equal(answer.reply.count, 1000);
    assert_true(answer.reply.more);
    for (int i = 0; i < MANY; i += 1111) {
        snprintf(code, sizeof code, "W%05d", i);
        assert_string_equal(shelf_load(shelf, code, &answer),
                            "1 1731658000123 @ann create whos-deal");
        assert_int_equal(answer.world.due_ms, 1000000 - i);
    }
}

#define TEST(name)                                                                                 \
    { #name, name, NULL, NULL, NULL }

static const struct CMUnitTest tests[] = {
    TEST(log_grows_by_appending),
    TEST(of_two_writers_one_succeeds),
    TEST(conflict_tells_the_version),
    TEST(entries_of_a_batch_follow_each_other),
    TEST(nothing_happens_before_the_commit),
    TEST(reads_see_the_writes_of_their_batch),
    TEST(load_goes_on_after_a_version),
    TEST(load_gives_at_most_so_many_entries),
    TEST(due_worlds_come_in_order),
    TEST(due_worlds_come_in_pages),
    TEST(due_time_is_that_of_the_last_append),
    TEST(public_waiting_worlds_are_listed),
    TEST(lists_are_paged),
    TEST(summary_decides_about_the_lists),
    TEST(world_is_given_as_it_was_made),
    TEST(old_worlds_are_archived),
    TEST(archived_logs_are_kept),
    TEST(finished_worlds_wait_to_be_exported),
    TEST(archived_code_is_not_used_again),
    TEST(appending_opens_an_archived_world_again),
    TEST(player_is_found_by_token_and_id),
    TEST(ids_and_tokens_are_unique),
    TEST(player_is_renamed_and_seen),
    TEST(player_gets_another_token),
    TEST(player_has_several_devices),
    TEST(devices_go_one_by_one_or_all_others),
    TEST(links_go_with_a_device),
    TEST(link_is_exchanged_once),
    TEST(malformed_devices_are_refused),
    TEST(finished_games_count),
    TEST(last_finished_games_are_listed),
    TEST(who_else_played_is_known),
    TEST(results_are_forgotten_when_their_person_says_so),
    TEST(game_of_a_conflict_does_not_count),
    TEST(all_worlds_are_walked_through),
    TEST(all_people_are_walked_through),
    TEST(earlier_games_are_set),
    TEST(a_seat_is_forgotten),
    TEST(too_large_is_refused_at_once),
    TEST(largest_fits),
    TEST(malformed_is_refused),
    TEST(full_queue_is_refused),
    TEST(answer_to_a_write_waits_for_no_read),
    TEST(deferred_batches_follow_each_other),
    TEST(reads_follow_all_writes_before_them),
    TEST(long_read_holds_up_no_write),
    TEST(notes_belong_to_people_and_to_the_server),
    TEST(nobody_has_too_many_notes),
    TEST(erased_people_are_gone),
    TEST(nothing_of_the_erased_is_left_in_the_file),
    TEST(ten_thousand_worlds_are_found_again),
};

enum { TESTS = sizeof tests / sizeof *tests, STORES = 4 };

int main(void) {
    static const struct {
        const char *name;
        CMFixtureFunction set_up;
    } stores[STORES] = {
        {"memory", in_memory}, {"sqlite", in_sqlite}, {"redis", in_redis}, {"cluster", in_cluster}};
    static struct CMUnitTest all[STORES * TESTS];
    static char names[STORES * TESTS][80];
    for (int i = 0; i < STORES * TESTS; i++) {
        snprintf(names[i], sizeof names[i], "%s: %s", stores[i / TESTS].name,
                 tests[i % TESTS].name);
        all[i] = tests[i % TESTS];
        all[i].name = names[i];
        all[i].setup_func = stores[i / TESTS].set_up;
        all[i].teardown_func = shelf_put_away;
    }
    redis_server_start(&server);
    redis_cluster_start(&cluster);
    int failed = cmocka_run_group_tests_name("store", all, NULL, NULL);
    redis_server_remove(&server);
    redis_cluster_remove(&cluster);
    return failed;
}
