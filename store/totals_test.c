/* Running totals: whatever is played, written once more, forgotten and erased, all stores tell the
 * same of everybody, and telling it costs as much for many games as for few. */
#include "store/backend.h"
#include "tests/store_support.h"

#include <stddef.h>
#include <stdlib.h>

enum { STORES = 3, WORLDS = 5, PEOPLE = 4, GAMES = 4, SEATS = 3, STEPS = 400, SHOWN = 5 };

static const char *const codes[WORLDS] = {"W0", "W1", "W2", "W3", "W4"};
static const char *const ids[PEOPLE] = {"p0", "p1", "p2", "p3"};

static struct redis_server server;
static struct answer answer, expected;

/* The same history in all stores. */
struct history {
    struct shelf *shelves[STORES];
    int64_t version[WORLDS];
    int64_t now_ms;
    uint64_t random;
};

static int random_below(struct history *history, int limit) {
    history->random = history->random * 6364136223846793005u + 1442695040888963407u;
    return (int)((history->random >> 33) % (uint64_t)limit);
}

/* ---- What is told ---- */

static const char *records_of(struct shelf *shelf, const char *id, struct answer *out) {
    assert_true(store_player_records(shelf->store, span_of(id), SHOWN, answer_take, out, NULL));
    store_commit(shelf->store);
    assert_int_equal(out->reply.outcome, STORE_OK);
    return out->text;
}

static void all_tell_the_same(struct history *history) {
    for (int who = 0; who < PEOPLE; who++) {
        const char *first = records_of(history->shelves[0], ids[who], &expected);
        for (int i = 1; i < STORES; i++)
            if (strcmp(records_of(history->shelves[i], ids[who], &answer), first) != 0)
                fail_msg("%d, %s, store %d: %s, not %s", (int)history->now_ms, ids[who], i,
                         answer.text, first);
    }
}

/* ---- What can happen ---- */

static void appended(struct history *history, int world, const struct store_match *match) {
    struct span line = span_of("line"), members[PEOPLE];
    for (int i = 0; i < PEOPLE; i++)
        members[i] = span_of(ids[i]);
    struct store_summary summary = {.game = span_of(world % 2 ? "euchre" : "4-kate"),
                                    .owner = span_of(ids[0]),
                                    .status = STORE_PLAYING,
                                    .text = span_of("{}"),
                                    .members = members,
                                    .member_count = PEOPLE};
    struct store_append append = append_line(codes[world], history->version[world]++, &line);
    append.now_ms = ++history->now_ms;
    append.summary = &summary;
    append.match = match;
    for (int i = 0; i < STORES; i++) {
        assert_true(store_append(history->shelves[i]->store, &append, answer_take, &answer, NULL));
        store_commit(history->shelves[i]->store);
        assert_int_equal(answer.reply.outcome, STORE_OK);
    }
}

/* A game of a few people and bots ends, or a round of it, perhaps of one that had ended before. */
static void a_game_is_written(struct history *history) {
    struct store_seat seats[SEATS];
    struct span figures[] = {span_of("moves"), span_of("long steps")};
    for (int i = 0; i < SEATS; i++) {
        int who = random_below(history, PEOPLE + 1);
        seats[i] = (struct store_seat){.name = span_of(who < PEOPLE ? "Somebody" : "Bot"),
                                       .player = span_of(who < PEOPLE ? ids[who] : ""),
                                       .level = span_of(who < PEOPLE ? "" : "hard"),
                                       .side = i % 2,
                                       .score = random_below(history, 100) - 20,
                                       .won = random_below(history, 2) == 0,
                                       .figures = {random_below(history, 50), i}};
    }
    struct store_match match = {.number = 1 + random_below(history, GAMES),
                                .over = random_below(history, 4) > 0,
                                .settings = span_of("{}"),
                                .state = span_of("{}"),
                                .seats = seats,
                                .seat_count = SEATS,
                                .figures = figures,
                                .figure_count = 2};
    appended(history, random_below(history, WORLDS), &match);
}

static void results_are_forgotten(struct history *history) {
    struct span id = span_of(ids[random_below(history, PEOPLE)]);
    for (int i = 0; i < STORES; i++) {
        struct store *store = history->shelves[i]->store;
        assert_true(store_player_forget(store, id, answer_take, &answer, NULL));
        store_commit(store);
        assert_int_equal(answer.reply.outcome, STORE_OK);
    }
}

static void a_seat_is_forgotten(struct history *history) {
    struct span code = span_of(codes[random_below(history, WORLDS)]);
    int32_t number = 1 + random_below(history, GAMES);
    size_t seat = (size_t)random_below(history, SEATS);
    enum store_outcome outcome = STORE_FAILED;
    for (int i = 0; i < STORES; i++) {
        struct store *store = history->shelves[i]->store;
        assert_true(store_seat_forget(store, code, number, seat, answer_take, &answer, NULL));
        store_commit(store);
        if (i > 0)
            assert_int_equal(answer.reply.outcome, outcome);
        outcome = answer.reply.outcome;
    }
}

/* Of a kind of its own: SQLite finds the best score anew among the games that are there. */
static void earlier_games_come(struct history *history) {
    struct span id = span_of(ids[random_below(history, PEOPLE)]);
    struct store_stat figure = {span_of("moves"), random_below(history, 9)};
    struct store_record earlier = {span_of("up-n-down"), 3, 2, -1, -1, &figure, 1};
    for (int i = 0; i < STORES; i++) {
        struct store *store = history->shelves[i]->store;
        assert_true(store_set_earlier(store, id, &earlier, 1, answer_take, &answer, NULL));
        store_commit(store);
        assert_int_equal(answer.reply.outcome, STORE_OK);
    }
}

static void worlds_are_archived(struct history *history) {
    struct store_ages ages = {history->now_ms + 1, history->now_ms + 1, history->now_ms, WORLDS};
    for (int i = 0; i < STORES; i++) {
        assert_true(store_archive(history->shelves[i]->store, &ages, answer_take, &answer, NULL));
        store_commit(history->shelves[i]->store);
    }
}

static void take_out(struct history *history, struct store *store, struct span id) {
    for (int world = 0; world < WORLDS; world++) {
        struct store_rewrite rewrite = {.code = span_of(codes[world]),
                                        .version = history->version[world],
                                        .player = id,
                                        .name = span_of("Nobody")};
        assert_true(store_rewrite(store, &rewrite, answer_take, &answer, NULL));
        store_commit(store);
        assert_int_equal(answer.reply.outcome, STORE_OK);
    }
}

static void somebody_is_erased(struct history *history) {
    struct span id = span_of(ids[random_below(history, PEOPLE)]);
    for (int i = 0; i < STORES; i++)
        take_out(history, history->shelves[i]->store, id);
    all_tell_the_same(history);
    for (int i = 0; i < STORES; i++) {
        struct store *store = history->shelves[i]->store;
        assert_true(store_player_erase(store, id, answer_take, &answer, NULL));
        store_commit(store);
        assert_int_equal(answer.reply.outcome, STORE_OK);
    }
}

static void (*const events[])(struct history *history) = {
    a_game_is_written,   a_game_is_written,     a_game_is_written,   a_game_is_written,
    a_game_is_written,   a_game_is_written,     a_game_is_written,   a_game_is_written,
    a_game_is_written,   a_game_is_written,     a_seat_is_forgotten, a_seat_is_forgotten,
    a_seat_is_forgotten, results_are_forgotten, earlier_games_come,  worlds_are_archived,
    somebody_is_erased};

/* ---- The tests ---- */

static void all_stores_tell_the_same(void **state) {
    struct history *history = *state;
    size_t most = 0;
    for (int i = 0; i < WORLDS; i++)
        appended(history, i, NULL);
    for (int step = 0; step < STEPS; step++) {
        events[random_below(history, (int)(sizeof events / sizeof *events))](history);
        all_tell_the_same(history);
        if (expected.reply.finished_count > most)
            most = expected.reply.finished_count;
    }
    assert_int_equal(most, SHOWN);
}

/* How much memory a request took, with its answer. */
static void take_size(void *arg, const struct store_reply *reply) {
    const struct request *request =
        (const void *)((const char *)reply - offsetof(struct request, reply));
    assert_int_equal(reply->outcome, STORE_OK);
    assert_int_equal(reply->finished_count, SHOWN);
    *(size_t *)arg = request->arena.used;
}

static size_t size_of_answer(struct shelf *shelf) {
    size_t size = 0;
    assert_true(store_player_records(shelf->store, span_of(ids[0]), SHOWN, take_size, &size, NULL));
    store_commit(shelf->store);
    return size;
}

static void many_games_cost_no_more_than_few(void **state) {
    struct history *history = *state;
    struct store_seat seat = {.name = span_of("Ann"), .player = span_of(ids[0])};
    struct store_match match = {.over = true, .seats = &seat, .seat_count = 1};
    size_t few[STORES];
    appended(history, 0, NULL);
    for (match.number = 1; match.number <= 10 * SHOWN; match.number++) {
        appended(history, 0, &match);
        if (match.number == SHOWN)
            for (int i = 0; i < STORES; i++)
                few[i] = size_of_answer(history->shelves[i]);
    }
    for (int i = 0; i < STORES; i++)
        assert_int_equal(size_of_answer(history->shelves[i]), few[i]);
}

/* ---- Three stores ---- */

static int begin(void **state) {
    struct history *history = calloc(1, sizeof *history);
    history->now_ms = 1000;
    history->random = 7;
    for (int i = 0; i < STORES - 1; i++) {
        struct shelf *shelf = history->shelves[i] = calloc(1, sizeof *shelf);
        shelf_make(shelf);
        if (i == 0)
            shelf->config.where = "memory";
        shelf_open(shelf);
    }
    *state = history;
    return shelf_on_redis((void **)&history->shelves[STORES - 1], &server);
}

static int end(void **state) {
    struct history *history = *state;
    for (int i = 0; i < STORES; i++)
        shelf_put_away((void **)&history->shelves[i]);
    free(history);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_stores_tell_the_same, begin, end),
        cmocka_unit_test_setup_teardown(many_games_cost_no_more_than_few, begin, end),
    };
    redis_server_start(&server);
    int failed = cmocka_run_group_tests_name("totals", tests, NULL, NULL);
    redis_server_remove(&server);
    return failed;
}
