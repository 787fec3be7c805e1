/* What only a store on a server elsewhere has to do: servers that die, refuse or answer too late,
 * connections that break, and several programs that share it. */
#include "tests/redis_proxy.h"
#include "tests/store_support.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

static struct answer answer, other;
static struct redis_server server;

static int set_up(void **state) {
    return shelf_on_redis(state, &server);
}

/* ---- Several writers ---- */

static void second_append_never_succeeds_by_chance(void **state) {
    struct shelf *shelf = *state;
    struct span first = span_of("first"), theirs = span_of("theirs"), mine = span_of("mine");
    struct span also = span_of("also mine");
    uint64_t chain = store_chain(STORE_CHAIN_START, first);
    struct store_append append = append_line("AAAAAA", 0, &first);
    append.chain = STORE_CHAIN_START;
    store_append(shelf->store, &append, answer_take, &answer, NULL);
    append = append_line("AAAAAA", 1, &theirs);
    append.chain = chain;
    store_append(shelf->store, &append, answer_take, &answer, NULL);
    append = append_line("AAAAAA", 1, &mine);
    append.chain = chain;
    store_append(shelf->store, &append, answer_take, &answer, NULL);
    append = append_line("AAAAAA", 2, &also); /* the version is there, but after another line */
    append.chain = store_chain(chain, mine);
    store_append(shelf->store, &append, answer_take, &other, NULL);
    store_commit(shelf->store);
    assert_int_equal(answer.reply.outcome, STORE_CONFLICT);
    assert_int_equal(other.reply.outcome, STORE_CONFLICT);
    assert_string_equal(shelf_load(shelf, "AAAAAA", &answer), "1 first|2 theirs");
    append.chain = store_chain(chain, theirs);
    store_append(shelf->store, &append, answer_take, &other, NULL);
    store_commit(shelf->store);
    assert_int_equal(other.reply.outcome, STORE_OK);
}

static const char *claim(struct store *store, int64_t until, int64_t now) {
    assert_true(store_claim(store, until, now, 2000, 10, answer_take, &answer, NULL));
    store_commit(store);
    return answer.text;
}

static void due_world_is_claimed_once(void **state) {
    struct shelf *shelf = *state;
    struct refusal why;
    struct store *second = store_open(&shelf->config, &why);
    struct span line = span_of("one");
    struct store_append append = append_line("AAAAAA", 0, &line);
    append.due_ms = 5000;
    store_append(shelf->store, &append, answer_take, &answer, NULL);
    store_commit(shelf->store);
    assert_string_equal(claim(second, 4999, 4999), "");
    assert_string_equal(claim(second, 5000, 5500), "AAAAAA");
    assert_string_equal(claim(shelf->store, 5500, 5500), "");
    assert_string_equal(claim(shelf->store, 7499, 7499), "");
    assert_string_equal(claim(shelf->store, 7500, 7500), "AAAAAA"); /* the lease is over */
    append = append_line("AAAAAA", 1, &line);
    append.due_ms = 8000;
    store_append(second, &append, answer_take, &answer, NULL);
    store_commit(second);
    assert_string_equal(claim(shelf->store, 8000, 8000), "AAAAAA"); /* an append ends it */
    store_close(second);
}

/* ---- Servers in trouble ---- */

static void killed_server_costs_nothing(void **state) {
    struct shelf *shelf = *state;
    shelf_append(shelf, "AAAAAA", 0, "one", &answer);
    redis_server_signal(&server, SIGKILL);
    enum store_outcome outcome = shelf_append(shelf, "AAAAAA", 1, "two", &answer);
    assert_true(outcome == STORE_UNKNOWN || outcome == STORE_FAILED);
    assert_string_equal(answer.reply.why.code, "UNAVAILABLE");
    shelf_load(shelf, "AAAAAA", &answer);
    assert_int_equal(answer.reply.outcome, STORE_FAILED);
    redis_server_resume(&server);
    usleep(100000);
    assert_string_equal(shelf_load(shelf, "AAAAAA", &answer), "1 one");
    assert_int_equal(shelf_append(shelf, "AAAAAA", 1, "two", &answer), STORE_OK);
}

struct turns {
    char text[8];
    size_t count;
    enum store_outcome outcomes[8];
};

static void note_first(void *arg, const struct store_reply *reply) {
    struct turns *turns = arg;
    turns->outcomes[turns->count] = reply->outcome;
    turns->text[turns->count++] = '1';
}

static void note_second(void *arg, const struct store_reply *reply) {
    struct turns *turns = arg;
    turns->outcomes[turns->count] = reply->outcome;
    turns->text[turns->count++] = '2';
}

/* The first may have been done, so it is asked about for a while. The second surely was not, but
 * whoever wrote both must not hear of it first. */
static void appends_to_a_world_are_answered_in_order(void **state) {
    struct shelf *shelf = *state;
    struct turns turns = {0};
    struct span line = span_of("line");
    uv_loop_t loop;
    uv_loop_init(&loop);
    shelf_close(shelf);
    shelf->config.loop = &loop;
    shelf_open(shelf);
    for (int64_t version = 0; version < 3; version++) {
        struct store_append append = append_line("AAAAAA", version, &line);
        store_append(shelf->store, &append, version < 2 ? note_first : note_second, &turns, NULL);
        store_commit(shelf->store);
        while (version == 0 && turns.count == 0)
            uv_run(&loop, UV_RUN_ONCE);
        if (version == 0)
            redis_server_signal(&server, SIGKILL);
        else
            for (int i = 0; i < 20; i++, usleep(10000)) /* the connection breaks */
                uv_run(&loop, UV_RUN_NOWAIT);
    }
    while (turns.count < 3)
        uv_run(&loop, UV_RUN_ONCE);
    assert_string_equal(turns.text, "112");
    assert_int_equal(turns.outcomes[1], STORE_UNKNOWN);
    assert_int_equal(turns.outcomes[2], STORE_FAILED);
    store_deafen(shelf->store);
    uv_run(&loop, UV_RUN_DEFAULT);
    shelf_close(shelf);
    assert_int_equal(uv_loop_close(&loop), 0);
    shelf->config.loop = NULL;
    redis_server_resume(&server);
    shelf_open(shelf);
}

/* The server loses its scripts and keeps its data. */
static void restart_between_batches_goes_unnoticed(void **state) {
    struct shelf *shelf = *state;
    shelf_append(shelf, "AAAAAA", 0, "one", &answer);
    redis_server_signal(&server, SIGKILL);
    redis_server_resume(&server);
    assert_int_equal(shelf_append(shelf, "AAAAAA", 1, "two", &answer), STORE_OK);
    redis_server_tell(&server, "SCRIPT FLUSH");
    assert_int_equal(shelf_append(shelf, "AAAAAA", 2, "three", &answer), STORE_OK);
    assert_string_equal(shelf_load(shelf, "AAAAAA", &answer), "1 one|2 two|3 three");
}

static void replica_is_refused(void **state) {
    struct shelf *shelf = *state;
    shelf_append(shelf, "AAAAAA", 0, "one", &answer);
    redis_server_tell(&server, "REPLICAOF 127.0.0.1 1");
    assert_int_equal(shelf_append(shelf, "AAAAAA", 1, "two", &answer), STORE_FAILED);
    assert_non_null(strstr(answer.reply.why.text, "READONLY"));
    redis_server_tell(&server, "REPLICAOF NO ONE");
    assert_int_equal(shelf_append(shelf, "AAAAAA", 1, "two", &answer), STORE_OK);
}

static void full_memory_is_refused(void **state) {
    struct shelf *shelf = *state;
    shelf_append(shelf, "AAAAAA", 0, "one", &answer);
    redis_server_tell(&server, "CONFIG SET maxmemory 1");
    assert_int_equal(shelf_append(shelf, "AAAAAA", 1, "two", &answer), STORE_FAILED);
    assert_string_equal(shelf_load(shelf, "AAAAAA", &answer), "1 one");
    redis_server_tell(&server, "CONFIG SET maxmemory 0");
    assert_int_equal(shelf_append(shelf, "AAAAAA", 1, "two", &answer), STORE_OK);
}

static void server_that_throws_away_is_refused(void **state) {
    struct shelf *shelf = *state;
    struct refusal why;
    shelf_close(shelf);
    redis_server_tell(&server, "CONFIG SET maxmemory-policy allkeys-lru");
    shelf_open(shelf); /* its memory has no bound: nothing will be thrown away */
    shelf_close(shelf);
    redis_server_tell(&server, "CONFIG SET maxmemory 100mb");
    assert_null(store_open(&shelf->config, &why));
    assert_non_null(strstr(why.text, "set maxmemory-policy to noeviction"));
    redis_server_tell(&server, "CONFIG SET maxmemory-policy volatile-lru"); /* of archived worlds */
    shelf_open(shelf);
    redis_server_tell(&server, "CONFIG SET maxmemory 0");
    redis_server_tell(&server, "CONFIG SET maxmemory-policy noeviction");
}

/* ---- Replicas ---- */

/* A server and its replica, and a name that leads to the one or the other. */
struct pair {
    struct redis_server first, second;
    char name[96], where[112];
};

static void lead_to(struct pair *pair, const struct redis_server *to) {
    unlink(pair->name);
    assert_int_equal(symlink(to->where + strlen("unix://"), pair->name), 0);
}

static void start_pair(struct pair *pair, struct shelf *shelf, enum store_confirm confirm) {
    redis_server_start_with_port(&pair->first);
    redis_server_start_replica(&pair->second, &pair->first);
    snprintf(pair->name, sizeof pair->name, "%s/leads", shelf->folder);
    snprintf(pair->where, sizeof pair->where, "unix://%s", pair->name);
    lead_to(pair, &pair->first);
    shelf_close(shelf);
    shelf->config.where = pair->where;
    shelf->config.confirm = confirm;
    shelf_open(shelf);
}

static void take_over(struct pair *pair) {
    redis_server_signal(&pair->first, SIGKILL);
    redis_server_signal(&pair->second, SIGCONT);
    lead_to(pair, &pair->second);
}

static void end_pair(struct pair *pair, struct shelf *shelf) {
    shelf_close(shelf);
    redis_server_remove(&pair->second);
    redis_server_resume(&pair->first);
    redis_server_remove(&pair->first);
    shelf->config = (struct store_config){.where = server.where};
    shelf_open(shelf);
}

static void what_a_replica_confirmed_survives_its_master(void **state) {
    struct shelf *shelf = *state;
    struct pair pair;
    start_pair(&pair, shelf, STORE_REPLICATED);
    assert_int_equal(shelf_append(shelf, "AAAAAA", 0, "one", &answer), STORE_OK);
    redis_server_signal(&pair.second, SIGSTOP);
    assert_int_equal(shelf_append(shelf, "AAAAAA", 1, "alone", &answer), STORE_UNKNOWN);
    assert_string_equal(answer.reply.why.code, "UNAVAILABLE");
    shelf_load(shelf, "AAAAAA", &answer); /* nor is the log shown that only one has */
    assert_int_equal(answer.reply.outcome, STORE_FAILED);
    redis_server_signal(&pair.second, SIGCONT);
    assert_string_equal(shelf_load(shelf, "AAAAAA", &answer), "1 one|2 alone");
    assert_int_equal(shelf_append(shelf, "AAAAAA", 2, "three", &answer), STORE_OK);
    take_over(&pair);
    /* The dead one was asked first, and might have passed it on before it died. */
    assert_int_equal(shelf_append(shelf, "AAAAAA", 3, "early", &answer), STORE_UNKNOWN);
    assert_non_null(strstr(answer.reply.why.text, "READONLY"));
    assert_int_equal(shelf_append(shelf, "AAAAAA", 3, "early", &answer), STORE_FAILED);
    redis_server_tell(&pair.second, "REPLICAOF NO ONE");
    shelf_close(shelf);
    shelf->config.confirm = STORE_WRITTEN; /* there is no replica any more */
    shelf_open(shelf);
    assert_string_equal(shelf_load(shelf, "AAAAAA", &answer), "1 one|2 alone|3 three");
    assert_int_equal(shelf_append(shelf, "AAAAAA", 3, "four", &answer), STORE_OK);
    end_pair(&pair, shelf);
}

/* Without WAIT the last moves may be lost; then nobody was told that they are safe. */
static void what_no_replica_has_may_be_lost(void **state) {
    struct shelf *shelf = *state;
    struct pair pair;
    start_pair(&pair, shelf, STORE_WRITTEN);
    assert_int_equal(shelf_append(shelf, "AAAAAA", 0, "one", &answer), STORE_OK);
    redis_server_replicate(&pair.first);
    redis_server_tell(&pair.second, "REPLICAOF 127.0.0.1 1"); /* it hears nothing more */
    assert_int_equal(shelf_append(shelf, "AAAAAA", 1, "lost", &answer), STORE_OK);
    take_over(&pair);
    redis_server_tell(&pair.second, "REPLICAOF NO ONE");
    assert_int_equal(shelf_append(shelf, "AAAAAA", 2, "three", &answer), STORE_CONFLICT);
    assert_int_equal(answer.reply.version, 1);
    assert_string_equal(shelf_load(shelf, "AAAAAA", &answer), "1 one");
    end_pair(&pair, shelf);
}

static void old_server_cannot_confirm_for_its_disk(void **state) {
    struct shelf *shelf = *state;
    struct refusal why;
    char info[8192];
    int major = 0, minor = 0;
    redis_server_ask(&server, "INFO server", info, sizeof info);
    assert_int_equal(sscanf(strstr(info, "redis_version:"), "redis_version:%d.%d", &major, &minor),
                     2);
    bool knows = major > 7 || (major == 7 && minor >= 2);
    struct store_config config = {.where = server.where, .confirm = STORE_ON_DISK};
    shelf_close(shelf);
    shelf->config.confirm = STORE_ON_DISK;
    if (knows) {
        shelf_open(shelf);
        assert_int_equal(shelf_append(shelf, "AAAAAA", 0, "one", &answer), STORE_OK);
        return;
    }
    assert_null(store_open(&config, &why));
    assert_string_equal(why.text, "store-confirm disk needs WAITAOF, which Redis has from 7.2 on");
    config.where = "memory";
    assert_null(store_open(&config, &why));
    assert_string_equal(why.text, "Only a store on Redis can be asked to confirm");
}

/* ---- Connections that break ---- */

/* From now on the store connects through a proxy. */
static void start_proxy(struct redis_proxy *proxy, struct shelf *shelf,
                        enum store_confirm confirm) {
    redis_proxy_start(proxy, &server, shelf->folder);
    shelf_close(shelf);
    shelf->config.where = proxy->where;
    shelf->config.confirm = confirm;
    shelf_open(shelf);
}

static void end_proxy(struct redis_proxy *proxy, struct shelf *shelf) {
    shelf_close(shelf);
    redis_proxy_end(proxy);
    shelf->config = (struct store_config){.where = server.where};
    shelf_open(shelf);
}

static void lost_answer_is_found_out(void **state) {
    struct shelf *shelf = *state;
    struct redis_proxy proxy;
    start_proxy(&proxy, shelf, STORE_WRITTEN);
    shelf_append(shelf, "AAAAAA", 0, "one", &answer);
    for (int i = 1; i <= 10; i++) {
        redis_proxy_put(proxy.cut);
        assert_int_equal(shelf_append(shelf, "AAAAAA", i, "more", &answer), STORE_OK);
        assert_int_equal(answer.reply.version, i + 1);
        assert_int_equal(access(proxy.cut, F_OK), -1);
    }
    shelf_load(shelf, "AAAAAA", &answer);
    assert_int_equal(answer.reply.version, 11);
    /* Somebody else's line in that place is a conflict all the same. */
    redis_proxy_put(proxy.cut);
    assert_int_equal(shelf_append(shelf, "AAAAAA", 10, "theirs", &answer), STORE_CONFLICT);
    end_proxy(&proxy, shelf);
}

static void what_no_disk_confirmed_is_not_said_to_be_there(void **state) {
    struct shelf *shelf = *state;
    struct redis_proxy proxy;
    start_proxy(&proxy, shelf, STORE_ON_DISK);
    assert_int_equal(shelf_append(shelf, "AAAAAA", 0, "one", &answer), STORE_OK);
    redis_proxy_put(proxy.slow);
    assert_int_equal(shelf_append(shelf, "AAAAAA", 1, "two", &answer), STORE_UNKNOWN);
    assert_string_equal(answer.reply.why.code, "UNAVAILABLE");
    shelf_load(shelf, "AAAAAA", &answer); /* an answer may rest on what was read */
    assert_int_equal(answer.reply.outcome, STORE_FAILED);
    unlink(proxy.slow);
    assert_string_equal(shelf_load(shelf, "AAAAAA", &answer), "1 one|2 two");
    assert_int_equal(shelf_append(shelf, "AAAAAA", 2, "three", &answer), STORE_OK);
    end_proxy(&proxy, shelf);
}

/* ---- What should not be ---- */

/* Entries are missing because a server evicts, or because a host deleted them by hand. */
static void gap_in_a_log_is_never_written_over(void **state) {
    struct shelf *shelf = *state;
    shelf_append(shelf, "AAAAAA", 0, "one", &answer);
    shelf_append(shelf, "AAAAAA", 1, "two", &answer);
    redis_server_tell(&server, "LPOP oyster:{AAAAAA}:log");
    assert_int_equal(shelf_append(shelf, "AAAAAA", 2, "three", &answer), STORE_UNKNOWN);
    assert_non_null(strstr(answer.reply.why.text, "gap"));
    assert_int_equal(redis_server_ask(&server, "LLEN oyster:{AAAAAA}:log", (char[8]){0}, 8), 1);
}

static void nonsense_among_due_worlds_hides_none(void **state) {
    struct shelf *shelf = *state;
    struct span line = span_of("one");
    static const char *const codes[] = {"AAAAAA", "BBBBBB", "CCCCCC"};
    for (int i = 0; i < 3; i++) {
        struct store_append append = append_line(codes[i], 0, &line);
        append.due_ms = 5000 + i;
        store_append(shelf->store, &append, answer_take, &answer, NULL);
    }
    store_commit(shelf->store);
    redis_server_tell(&server, "DEL oyster:{AAAAAA}");
    redis_server_tell(&server, "EVAL redis.call('HSET','oyster:{BBBBBB}','due','') 0");
    assert_string_equal(claim(shelf->store, 6000, 6000), "BBBBBB CCCCCC");
    assert_int_equal(redis_server_ask(&server, "ZCARD oyster:due", (char[8]){0}, 8), 2);
}

/* While somebody exports, archived worlds are kept for the export; they must not be kept for ever
 * when nobody asks any more. */
static void world_that_nobody_exports_any_more_is_forgotten(void **state) {
    struct shelf *shelf = *state;
    const int64_t day_ms = 86400000;
    struct store_ages ages = {
        .over_before_ms = 10 * day_ms, .idle_before_ms = 10 * day_ms, .max = 10};
    shelf_close(shelf);
    shelf->config.keep_worlds_ms = 30 * day_ms;
    shelf_open(shelf);
    shelf_append(shelf, "AAAAAA", 0, "one", &answer);
    assert_true(store_finished(shelf->store, 10, answer_take, &answer, NULL));
    ages.now_ms = 10 * day_ms;
    assert_true(store_archive(shelf->store, &ages, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_string_equal(answer.text, "AAAAAA");
    assert_int_equal(redis_server_ask(&server, "PTTL oyster:{AAAAAA}:log", (char[8]){0}, 8), -1);
    redis_server_tell(&server, "DEL oyster:exports");
    ages.now_ms = 39 * day_ms;
    assert_true(store_archive(shelf->store, &ages, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_string_equal(shelf_load(shelf, "AAAAAA", &answer), "1 one");
    ages.now_ms = 40 * day_ms;
    assert_true(store_archive(shelf->store, &ages, answer_take, &answer, NULL));
    store_commit(shelf->store);
    shelf_load(shelf, "AAAAAA", &answer);
    assert_int_equal(answer.reply.outcome, STORE_MISSING);
    assert_int_equal(redis_server_ask(&server, "KEYS oyster:{AAAAAA}*", (char[64]){0}, 64), 0);
}

/* What is archived goes by itself, and so do people who are not seen. */
static void old_worlds_and_people_go(void **state) {
    struct shelf *shelf = *state;
    char out[64];
    uint8_t token[STORE_TOKEN_SIZE] = {7};
    struct store_player player = {.id = span_of("p1"),
                                  .name = span_of("Pat"),
                                  .token_hash = token,
                                  .created_ms = 1,
                                  .seen_ms = 1};
    struct store_ages ages = {
        .over_before_ms = 1000000, .idle_before_ms = 1000000, .now_ms = 1000000, .max = 10};
    shelf_close(shelf);
    shelf->config.keep_worlds_ms = 60000;
    shelf->config.keep_people_ms = 90000;
    shelf_open(shelf);
    shelf_append(shelf, "AAAAAA", 0, "one", &answer);
    assert_true(store_player_add(shelf->store, &player, answer_take, &answer, NULL));
    assert_true(store_archive(shelf->store, &ages, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_in_range(redis_server_ask(&server, "PTTL oyster:{AAAAAA}:log", out, sizeof out), 1,
                    60000);
    assert_in_range(redis_server_ask(&server, "PTTL oyster:player:p1", out, sizeof out), 1, 90000);
    redis_server_tell(&server, "PEXPIRE oyster:player:p1 5000");
    assert_true(store_player_seen(shelf->store, span_of("p1"), span_of(""), NULL, 2, answer_take,
                                  &answer, NULL));
    store_commit(shelf->store);
    assert_in_range(redis_server_ask(&server, "PTTL oyster:player:p1", out, sizeof out), 5001,
                    90000);
}

static void emptied_server_is_told_the_secret_again(void **state) {
    struct shelf *shelf = *state;
    struct refusal why;
    shelf_append(shelf, "AAAAAA", 0, "one", &answer);
    redis_server_empty(&server);
    redis_server_signal(&server, SIGKILL);
    redis_server_resume(&server);
    assert_int_equal(shelf_append(shelf, "AAAAAA", 1, "two", &answer), STORE_CONFLICT);
    struct store *second = store_open(&shelf->config, &why);
    assert_string_equal(store_secret(second), store_secret(shelf->store));
    store_close(second);
}

static void newer_store_is_refused(void **state) {
    static const char text[] =
        "The store on Redis was written by a newer Oyster (version 3, this one knows 2)";
    struct shelf *shelf = *state;
    struct refusal why;
    char version[8];
    shelf_append(shelf, "AAAAAA", 0, "one", &answer);
    redis_server_ask(&server, "GET oyster:schema", version, sizeof version);
    assert_string_equal(version, "2");
    redis_server_tell(&server, "SET oyster:schema 3");
    assert_null(store_open(&shelf->config, &why));
    assert_string_equal(why.code, "STORE_NEWER");
    assert_string_equal(why.text, text);
    /* Nor does one that is open go on once it has to connect anew. */
    redis_server_tell(&server, "SCRIPT FLUSH");
    assert_int_equal(shelf_append(shelf, "AAAAAA", 1, "two", &answer), STORE_FAILED);
    assert_non_null(strstr(answer.reply.why.text, text));
    redis_server_tell(&server, "SET oyster:schema 2");
    usleep(100000);
    assert_int_equal(shelf_append(shelf, "AAAAAA", 1, "two", &answer), STORE_OK);
}

/* Before there were versions nothing was marked. */
static void unmarked_store_is_of_the_first_version(void **state) {
    struct shelf *shelf = *state;
    char version[8];
    shelf_append(shelf, "AAAAAA", 0, "one", &answer);
    shelf_close(shelf);
    redis_server_tell(&server, "DEL oyster:schema");
    shelf_open(shelf);
    assert_string_equal(shelf_load(shelf, "AAAAAA", &answer), "1 one");
    redis_server_ask(&server, "GET oyster:schema", version, sizeof version);
    assert_string_equal(version, "2");
}

static void who_may_not_speak_to_others_may_not_begin(void **state) {
    struct shelf *shelf = *state;
    struct refusal why;
    redis_server_tell(&server, "ACL SETUSER default resetchannels");
    struct store *deaf = store_open(&shelf->config, &why);
    redis_server_tell(&server, "ACL SETUSER default allchannels");
    assert_null(deaf);
    assert_non_null(strstr(why.text, "NOPERM"));
}

/* Before figures were counted by seat, a result had lines with those of the whole table, the
 * number first. It still counts as a game. (A command is split at its blanks; \\032 is a blank
 * for Lua.) */
static void older_results_count_without_figures(void **state) {
    struct shelf *shelf = *state;
    redis_server_tell(&server, "EVAL redis.call('HSET','oyster:player:p1:results','W1\\0321\\0320',"
                               "'10\\0321\\0321000\\0320000000000000001\\0321\\032euchre\\n"
                               "3\\032lone\\032sweeps\\n12\\032deals\\n') 0");
    assert_true(store_player_records(shelf->store, span_of("p1"), 1, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_string_equal(answer.text, "euchre 1 1 10 10; euchre won 10@1000 {}");
}

/* Version 1 had one token for a person, and no totals. */
static void older_people_and_results_are_taken_over(void **state) {
    struct shelf *shelf = *state;
    uint8_t token[STORE_TOKEN_SIZE] = {0xaa}, added[STORE_TOKEN_SIZE] = {0xbb};
    char old[STORE_TOKEN_HEX_SIZE], command[512], out[64];
    char line[STORE_DEVICE_LINE_MAX + 1];
    struct store_device device = {.created_ms = 5, .seen_ms = 6, .name = span_of("Phone")};
    struct text text;
    store_device_hex(token, old);
    shelf_close(shelf);
    redis_server_tell(&server, "SET oyster:schema 1");
    snprintf(command, sizeof command,
             "HSET oyster:player:p1 id p1 name Ann token %s created 3 seen 4", old);
    redis_server_tell(&server, command);
    snprintf(command, sizeof command, "SET oyster:token:%s p1", old);
    redis_server_tell(&server, command);
    for (int i = 1; i <= 3; i++) {
        snprintf(command, sizeof command,
                 "EVAL redis.call('HSET','oyster:player:p1:results','W%d\\0321\\0320','%d\\0321"
                 "\\032100%d\\032000000000000000%d\\0321\\032euchre\\n{\"a\":2}') 0",
                 i, 10 * i, i, i);
        redis_server_tell(&server, command);
    }
    shelf_open(shelf);
    redis_server_ask(&server, "GET oyster:schema", out, sizeof out);
    assert_string_equal(out, "2");
    assert_true(store_player_by_token(shelf->store, token, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_string_equal(answer.text, "p1 Ann 4");
    assert_true(store_player_records(shelf->store, span_of("p1"), 2, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_string_equal(answer.text, "euchre 3 3 60 30 a=6; euchre won 30@1003 {\"a\":2},"
                                     " euchre won 20@1002 {\"a\":2}");
    memcpy(device.token_hash, added, sizeof added);
    text_begin(&text, line, sizeof line);
    store_device_put(&text, &device);
    struct store_devices change = {.player = span_of("p1"), .add = {line, text.length}};
    assert_true(store_player_devices(shelf->store, &change, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_int_equal(redis_server_ask(&server, "HLEN oyster:player:p1:devices", out, 64), 2);
    assert_int_equal(redis_server_ask(&server, "HEXISTS oyster:player:p1 token", out, 64), 0);
    snprintf(command, sizeof command, "HGET oyster:player:p1:devices %s", old);
    redis_server_ask(&server, command, out, sizeof out);
    assert_string_equal(out, "3 4 0 ");
}

/* What a person has played is read as it was counted, whatever the results say. */
static void statistics_are_running_totals(void **state) {
    struct shelf *shelf = *state;
    redis_server_tell(&server, "EVAL redis.call('HSET','oyster:player:p1:totals','euchre','7\\0324"
                               "\\03250\\0329\\n{}')redis.call('HSET','oyster:player:p1:results',"
                               "'W1','nonsense') 0");
    assert_true(store_player_records(shelf->store, span_of("p1"), 2, answer_take, &answer, NULL));
    store_commit(shelf->store);
    assert_string_equal(answer.text, "euchre 7 4 50 9");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, shelf_put_away)
    const struct CMUnitTest tests[] = {
        TEST(second_append_never_succeeds_by_chance),
        TEST(due_world_is_claimed_once),
        TEST(killed_server_costs_nothing),
        TEST(appends_to_a_world_are_answered_in_order),
        TEST(restart_between_batches_goes_unnoticed),
        TEST(replica_is_refused),
        TEST(full_memory_is_refused),
        TEST(server_that_throws_away_is_refused),
        TEST(what_a_replica_confirmed_survives_its_master),
        TEST(what_no_replica_has_may_be_lost),
        TEST(old_server_cannot_confirm_for_its_disk),
        TEST(lost_answer_is_found_out),
        TEST(what_no_disk_confirmed_is_not_said_to_be_there),
        TEST(gap_in_a_log_is_never_written_over),
        TEST(nonsense_among_due_worlds_hides_none),
        TEST(world_that_nobody_exports_any_more_is_forgotten),
        TEST(old_worlds_and_people_go),
        TEST(emptied_server_is_told_the_secret_again),
        TEST(newer_store_is_refused),
        TEST(unmarked_store_is_of_the_first_version),
        TEST(who_may_not_speak_to_others_may_not_begin),
        TEST(older_results_count_without_figures),
        TEST(older_people_and_results_are_taken_over),
        TEST(statistics_are_running_totals),
    };
    signal(SIGPIPE, SIG_IGN);
    redis_server_start(&server);
    int failed = cmocka_run_group_tests_name("redis", tests, NULL, NULL);
    redis_server_remove(&server);
    return failed;
}
