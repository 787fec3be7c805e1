/* What only a store in a Redis Cluster has to do: shards that move, servers that die, and others
 * that take their place. Everything else that it promises is tested by store_test.c. */
#include "store/redis.h"
#include "tests/store_support.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

enum { WORLDS = 64, STEP = 9, OUT_SIZE = 256, COMMAND_SIZE = 1024 };

static struct answer answer;
static struct redis_cluster cluster;
static char code[WORLDS][8];

static void append_to_all(struct shelf *shelf, int64_t expected, const char *text, int64_t due_ms) {
    struct span line = span_of(text);
    answer.calls = 0;
    for (int i = 0; i < WORLDS; i++) {
        struct store_append append = append_line(code[i], expected, &line);
        append.due_ms = due_ms;
        assert_true(store_append(shelf->store, &append, answer_take, &answer, NULL));
    }
    store_commit(shelf->store);
    assert_int_equal(answer.calls, WORLDS);
    assert_int_equal(store_figures(shelf->store).failures, 0);
}

static int set_up(void **state) {
    int result = shelf_on_cluster(state, &cluster);
    for (int i = 0; i < WORLDS; i++)
        snprintf(code[i], sizeof code[i], "W%03d", i);
    append_to_all(*state, 0, "one", STORE_NEVER);
    return result;
}

/* The server that has this world, and its key. */
static int server_of(const char *world, char key[OUT_SIZE]) {
    char command[COMMAND_SIZE];
    snprintf(command, sizeof command, "KEYS oyster:*:{%s}", world);
    for (int i = 0; i < CLUSTER_SERVERS; i++)
        if (redis_server_ask(&cluster.servers[i], command, key, OUT_SIZE) > 0)
            return i;
    fail_msg("no %s", world);
    return -1;
}

static void tell(int server, const char *format, int slot, const char *word) {
    char command[COMMAND_SIZE];
    snprintf(command, sizeof command, format, slot, word);
    redis_server_tell(&cluster.servers[server], command);
}

static void shards_lie_at_all_servers(void **state) {
    const struct redis_sender sender = {.shards = REDIS_SHARDS};
    int worlds[CLUSTER_SERVERS] = {0};
    char key[OUT_SIZE];
    for (int i = 0; i < REDIS_SHARDS; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(redis_prefix(&sender, i), redis_prefix(&sender, j));
    for (int i = 0; i < WORLDS; i++)
        worlds[server_of(code[i], key)]++;
    for (int i = 0; i < CLUSTER_SERVERS; i++)
        assert_in_range(worlds[i], WORLDS / 6, WORLDS / 2);
}

struct slot_move {
    int from, to, slot;
    char from_id[OUT_SIZE], to_id[OUT_SIZE];
};

static void begin_move(struct slot_move *move, const char *world) {
    char key[OUT_SIZE], command[COMMAND_SIZE], out[OUT_SIZE];
    move->from = server_of(world, key);
    move->to = (move->from + 1) % CLUSTER_SERVERS;
    snprintf(command, sizeof command, "CLUSTER KEYSLOT %s", key);
    move->slot = (int)redis_server_ask(&cluster.servers[0], command, out, sizeof out);
    redis_server_ask(&cluster.servers[move->from], "CLUSTER MYID", move->from_id, OUT_SIZE);
    redis_server_ask(&cluster.servers[move->to], "CLUSTER MYID", move->to_id, OUT_SIZE);
    tell(move->to, "CLUSTER SETSLOT %d IMPORTING %s", move->slot, move->from_id);
    tell(move->from, "CLUSTER SETSLOT %d MIGRATING %s", move->slot, move->to_id);
}

static void move_key(const struct slot_move *move, const char *key) {
    char command[COMMAND_SIZE];
    snprintf(command, sizeof command, "MIGRATE 127.0.0.1 %d %s 0 5000",
             cluster.servers[move->to].port, key);
    redis_server_tell(&cluster.servers[move->from], command);
}

static void end_move(const struct slot_move *move) {
    char command[COMMAND_SIZE], key[OUT_SIZE];
    snprintf(command, sizeof command, "CLUSTER GETKEYSINSLOT %d 1", move->slot);
    while (redis_server_ask(&cluster.servers[move->from], command, key, sizeof key) > 0)
        move_key(move, key);
    tell(move->to, "CLUSTER SETSLOT %d NODE %s", move->slot, move->to_id);
    tell(move->from, "CLUSTER SETSLOT %d NODE %s", move->slot, move->to_id);
}

static void moved_shard_is_followed(void **state) {
    struct slot_move move;
    begin_move(&move, code[0]);
    end_move(&move);
    append_to_all(*state, 1, "two", STORE_NEVER);
    for (int i = 0; i < WORLDS; i++)
        assert_string_equal(shelf_load(*state, code[i], &answer), "1 one|2 two");
}

/* While a shard moves, some of its keys are at one server and some at the other. What can be read
 * is read, and nothing is written by halves. */
static void shard_on_the_move_is_never_torn(void **state) {
    struct slot_move move;
    char key[OUT_SIZE], log[OUT_SIZE + 8];
    begin_move(&move, code[0]);
    server_of(code[0], key);
    snprintf(log, sizeof log, "%s:log", key);
    move_key(&move, key);
    assert_int_equal(shelf_append(*state, code[0], 1, "torn", &answer), STORE_FAILED);
    assert_string_equal(answer.reply.why.code, "UNAVAILABLE");
    move_key(&move, log);
    assert_string_equal(shelf_load(*state, code[0], &answer), "1 one");
    assert_int_not_equal(shelf_append(*state, code[0], 1, "torn", &answer), STORE_OK);
    end_move(&move);
    assert_int_equal(shelf_append(*state, code[0], 1, "two", &answer), STORE_OK);
    assert_string_equal(shelf_load(*state, code[0], &answer), "1 one|2 two");
}

/* A world of the same shard as the first, and what all keys of that shard begin with. */
static int find_neighbour(char prefix[OUT_SIZE]) {
    char key[OUT_SIZE];
    server_of(code[0], prefix);
    prefix[strlen(prefix) - strlen(code[0]) - 2] = '\0'; /* {CODE} */
    for (int i = 1; i < WORLDS; i++) {
        server_of(code[i], key);
        if (strncmp(key, prefix, strlen(prefix)) == 0)
            return i;
    }
    fail_msg("%s is alone in its shard", code[0]);
    return -1;
}

/* Appends an entry with people and a game, so that the world has all its keys. */
static enum store_outcome append_status(struct shelf *shelf, const char *world, int64_t expected,
                                        enum store_status status) {
    struct span line = span_of("status"), ann = span_of("p-ann");
    struct store_append append = append_line(world, expected, &line);
    struct store_summary summary = {.game = span_of("4-kate"),
                                    .owner = span_of("p-ann"),
                                    .status = status,
                                    .text = span_of("{}"),
                                    .members = &ann,
                                    .member_count = 1};
    struct store_seat seat = {.name = span_of("Ann"), .player = ann};
    struct store_match match = {.number = 1,
                                .settings = span_of("{}"),
                                .state = span_of("{}"),
                                .seats = &seat,
                                .seat_count = 1};
    append.due_ms = 5000;
    append.summary = &summary;
    append.match = &match;
    assert_true(store_append(shelf->store, &append, answer_take, &answer, NULL));
    store_commit(shelf->store);
    return answer.reply.outcome;
}

static int64_t listed(int server, const char *prefix, const char *list) {
    char command[COMMAND_SIZE], out[OUT_SIZE];
    snprintf(command, sizeof command, "ZCARD %s%s", prefix, list);
    return redis_server_ask(&cluster.servers[server], command, out, sizeof out);
}

/* The same for keys that a script only comes upon while it runs: a list that seems to be empty may
 * have moved. */
static void lists_on_the_move_are_never_torn(void **state) {
    struct shelf *shelf = *state;
    struct slot_move move;
    char prefix[OUT_SIZE];
    int other = find_neighbour(prefix);
    assert_int_equal(append_status(shelf, code[0], 1, STORE_PLAYING), STORE_OK);
    assert_int_equal(append_status(shelf, code[other], 1, STORE_OVER), STORE_OK);
    assert_true(store_finished(shelf->store, 1, answer_take, &answer, NULL)); /* exports begin */
    store_commit(shelf->store);
    begin_move(&move, code[0]);
    int64_t open = listed(move.from, prefix, "open");
    assert_int_not_equal(append_status(shelf, code[0], 2, STORE_OVER), STORE_OK);
    struct store_ages all = {
        .over_before_ms = 1 << 20, .idle_before_ms = 1 << 20, .now_ms = 1 << 20, .max = WORLDS};
    assert_true(store_archive(shelf->store, &all, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_int_equal(listed(move.from, prefix, "open"), open);
    assert_int_equal(listed(move.from, prefix, "over"), 1);
    end_move(&move);
    assert_string_equal(shelf_load(shelf, code[0], &answer), "1 one|2 status");
    assert_int_equal(append_status(shelf, code[0], 2, STORE_OVER), STORE_OK);
    assert_int_equal(listed(move.to, prefix, "open"), open - 1);
    assert_int_equal(listed(move.to, prefix, "over"), 2);
}

static void dead_server_costs_its_own_worlds_only(void **state) {
    struct shelf *shelf = *state;
    char key[OUT_SIZE];
    int home[WORLDS], claimed = 0;
    for (int i = 0; i < WORLDS; i++)
        home[i] = server_of(code[i], key);
    append_to_all(shelf, 1, "two", 5000);
    redis_server_signal(&cluster.servers[1], SIGKILL);
    for (int i = 0; i < WORLDS; i += STEP) {
        enum store_outcome outcome = shelf_append(shelf, code[i], 2, "three", &answer);
        assert_true(home[i] == 1 ? outcome == STORE_FAILED || outcome == STORE_UNKNOWN
                                 : outcome == STORE_OK);
    }
    assert_true(store_claim(shelf->store, 5000, 5500, 2000, 1000, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_int_equal(answer.reply.outcome, STORE_OK); /* of the others */
    for (int i = 0; i < WORLDS; i++)
        claimed += i % STEP != 0 && home[i] != 1;
    assert_int_equal(answer.reply.count, claimed);
    redis_server_resume(&cluster.servers[1]);
    redis_cluster_await(&cluster);
    usleep(1100000); /* as long as a dead one is left alone */
    for (int i = 0; i < WORLDS; i += STEP)
        if (home[i] == 1)
            assert_int_equal(shelf_append(shelf, code[i], 2, "three", &answer), STORE_OK);
    for (int i = 0; i < WORLDS; i += STEP)
        assert_string_equal(shelf_load(shelf, code[i], &answer), "1 one|2 two|3 three");
}

/* ---- The order of answers ---- */

/* A world at that server, or at another one. */
static const char *world_at(int server, bool there) {
    char key[OUT_SIZE];
    for (int i = 0; i < WORLDS; i++)
        if ((server_of(code[i], key) == server) == there)
            return code[i];
    fail_msg("all worlds are at one server");
    return NULL;
}

struct order {
    char text[32];
    size_t count;
};

struct told {
    struct order *order;
    char name;
    struct store_reply reply;
};

static void note_turn(void *arg, const struct store_reply *reply) {
    struct told *told = arg;
    told->reply = *reply;
    told->order->text[told->order->count++] = told->name;
}

static void ask_to_append(struct shelf *shelf, const char *world, struct told *told) {
    struct span line = span_of("two");
    struct store_append append = append_line(world, 1, &line);
    assert_true(store_append(shelf->store, &append, note_turn, told, NULL));
}

/* Whoever asks a server that is away is answered after all who ask others, or for lists. */
static void answers_of_others_come_first(struct shelf *shelf, int signal) {
    const char *theirs = world_at(1, true), *ours = world_at(1, false);
    struct order order = {0};
    struct told away = {&order, 'x', {0}}, here = {&order, 'a', {0}}, list = {&order, 'l', {0}};
    struct told due = {&order, 'd', {0}}, claim = {&order, 'c', {0}};
    shelf_load(shelf, ours, &answer); /* all are connected to */
    shelf_load(shelf, theirs, &answer);
    redis_server_signal(&cluster.servers[1], signal);
    ask_to_append(shelf, theirs, &away);
    ask_to_append(shelf, ours, &here);
    assert_true(store_claim(shelf->store, 1, 1, 2000, 9, note_turn, &claim, NULL));
    assert_true(store_list_public(shelf->store, span_of(""), 0, 999, note_turn, &list, NULL));
    assert_true(store_due(shelf->store, 1, 9, note_turn, &due, NULL)); /* /readyz asks so */
    store_commit(shelf->store);
    redis_server_signal(&cluster.servers[1], SIGCONT);
    assert_int_equal(order.count, 5);
    assert_int_equal(order.text[0], 'a');
    assert_int_equal(order.text[4], 'x');
    assert_int_equal(here.reply.outcome, STORE_OK);
    assert_int_equal(away.reply.outcome, STORE_UNKNOWN);
    assert_int_equal(claim.reply.outcome, STORE_OK);
    assert_int_equal(due.reply.outcome, STORE_OK);
    assert_int_equal(list.reply.outcome, STORE_OK);
    assert_in_range(list.reply.count, WORLDS / 2, WORLDS - WORLDS / 6);
    assert_true(list.reply.partial);
}

static void stopped_server_is_waited_for_by_its_own_only(void **state) {
    answers_of_others_come_first(*state, SIGSTOP);
}

static void dead_server_is_waited_for_by_its_own_only(void **state) {
    answers_of_others_come_first(*state, SIGKILL);
    redis_server_resume(&cluster.servers[1]);
    redis_cluster_await(&cluster);
}

static void await(uv_loop_t *loop, const struct order *order, size_t count) {
    while (order->count < count)
        uv_run(loop, UV_RUN_ONCE);
}

/* The same for one who does not wait for one batch before the next, as a server does. */
static void batches_do_not_wait_for_each_other(void **state) {
    struct shelf *shelf = *state;
    const char *theirs = world_at(1, true), *ours = world_at(1, false);
    struct order order = {0};
    struct told away = {&order, 'x', {0}}, here = {&order, 'a', {0}}, list = {&order, 'l', {0}};
    struct span line = span_of("more");
    uv_loop_t loop;
    uv_loop_init(&loop);
    shelf_close(shelf);
    shelf->config.loop = &loop;
    shelf_open(shelf);
    for (int i = 0; i < 2; i++) { /* all are connected to */
        store_load(shelf->store, span_of(i == 0 ? ours : theirs), 0, note_turn, &list, NULL);
        store_commit(shelf->store);
    }
    assert_int_equal(order.count, 0); /* answers come from the loop */
    await(&loop, &order, 2);
    redis_server_signal(&cluster.servers[1], SIGSTOP);
    ask_to_append(shelf, theirs, &away);
    store_commit(shelf->store);
    for (int i = 0; i < 10; i++) {
        struct store_append append = append_line(ours, i + 1, &line);
        assert_true(store_append(shelf->store, &append, note_turn, &here, NULL));
        store_commit(shelf->store);
        await(&loop, &order, (size_t)i + 3);
    }
    await(&loop, &order, 13);
    assert_string_equal(order.text, "llaaaaaaaaaax");
    assert_int_equal(away.reply.outcome, STORE_UNKNOWN);
    /* It is left alone now: whoever asks for it is told so, and lists do not wait for it. */
    ask_to_append(shelf, theirs, &away);
    store_list_public(shelf->store, span_of(""), 0, 999, note_turn, &list, NULL);
    store_commit(shelf->store);
    await(&loop, &order, 15);
    assert_int_equal(away.reply.outcome, STORE_FAILED);
    assert_true(list.reply.outcome == STORE_OK && list.reply.partial);
    redis_server_signal(&cluster.servers[1], SIGCONT);
    store_deafen(shelf->store);
    uv_run(&loop, UV_RUN_DEFAULT);
    shelf_close(shelf);
    assert_int_equal(uv_loop_close(&loop), 0);
    shelf->config.loop = NULL;
    redis_cluster_await(&cluster);
}

/* The server of the configuration dies, a replica takes its place. */
static void replica_that_takes_over_is_found(void **state) {
    struct redis_server replica;
    char id[OUT_SIZE], command[COMMAND_SIZE];
    redis_cluster_add(&cluster, &replica);
    redis_server_ask(&cluster.servers[0], "CLUSTER MYID", id, sizeof id);
    redis_server_await(&replica, "CLUSTER NODES", id);
    snprintf(command, sizeof command, "CLUSTER REPLICATE %s", id);
    redis_server_tell(&replica, command);
    redis_server_await(&replica, "INFO replication", "master_link_status:up");
    for (int i = 0; i < CLUSTER_SERVERS;
         i++) /* the others must know the replica before they believe it */
        redis_server_await(&cluster.servers[i], "CLUSTER NODES", "slave");
    append_to_all(*state, 1, "two", STORE_NEVER);
    redis_server_replicate(&cluster.servers[0]);
    redis_server_signal(&cluster.servers[0], SIGKILL);
    redis_server_tell(&replica, "CLUSTER FAILOVER TAKEOVER"); /* without the vote of the others */
    redis_server_await(&replica, "INFO replication", "role:master");
    for (int i = 0; i < WORLDS; i++) {
        int tries = 0;
        while (shelf_append(*state, code[i], 2, "three", &answer) != STORE_OK && tries++ < 400)
            usleep(50000);
        assert_string_equal(shelf_load(*state, code[i], &answer), "1 one|2 two|3 three");
    }
    redis_server_remove(&replica);
    redis_server_resume(&cluster.servers[0]);
}

/* The first shard alone has the version; the others must not go on without it. */
static void newer_store_is_refused_at_all_servers(void **state) {
    struct shelf *shelf = *state;
    struct refusal why;
    char out[OUT_SIZE];
    int first = 0;
    while (redis_server_ask(&cluster.servers[first], "KEYS oyster:{ma}:schema", out, OUT_SIZE) == 0)
        first++;
    const char *ours = world_at(first, false);
    assert_int_equal(shelf_append(shelf, ours, 1, "two", &answer), STORE_OK);
    redis_server_tell(&cluster.servers[first], "SET oyster:{ma}:schema 3");
    assert_null(store_open(&shelf->config, &why));
    assert_string_equal(why.code, "STORE_NEWER");
    redis_server_tell(&cluster.servers[first], "SCRIPT FLUSH"); /* it is connected to anew */
    shelf_load(shelf, world_at(first, true), &answer);
    assert_int_equal(answer.reply.outcome, STORE_FAILED);
    assert_int_equal(shelf_append(shelf, ours, 2, "three", &answer), STORE_FAILED);
    assert_non_null(strstr(answer.reply.why.text, "newer Oyster"));
    redis_server_tell(&cluster.servers[first], "SET oyster:{ma}:schema 2");
    usleep(1100000); /* a server that refused is left alone so long */
    assert_int_equal(shelf_append(shelf, ours, 2, "three", &answer), STORE_OK);
}

static void other_database_is_refused(void **state) {
    char where[96];
    struct refusal why;
    snprintf(where, sizeof where, "redis://127.0.0.1:%d/1", cluster.servers[1].port);
    assert_null(store_open(&(struct store_config){.where = where}, &why));
    assert_non_null(strstr(why.text, "Redis"));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, shelf_put_away)
    const struct CMUnitTest tests[] = {
        TEST(shards_lie_at_all_servers),
        TEST(moved_shard_is_followed),
        TEST(shard_on_the_move_is_never_torn),
        TEST(lists_on_the_move_are_never_torn),
        TEST(dead_server_costs_its_own_worlds_only),
        TEST(stopped_server_is_waited_for_by_its_own_only),
        TEST(dead_server_is_waited_for_by_its_own_only),
        TEST(batches_do_not_wait_for_each_other),
        TEST(newer_store_is_refused_at_all_servers),
        TEST(other_database_is_refused),
        TEST(replica_that_takes_over_is_found), /* comes last, because it leaves one server too few
                                                 */
    };
    signal(SIGPIPE, SIG_IGN);
    redis_cluster_start(&cluster);
    int failed = cmocka_run_group_tests_name("cluster", tests, NULL, NULL);
    redis_cluster_remove(&cluster);
    return failed;
}
