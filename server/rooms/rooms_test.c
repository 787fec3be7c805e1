/* A game on a disk that fails at every single call, one call after the other: whoever was refused
 * tries again, and in the end everything was done exactly once, in memory and on the disk. */
#include "server/net/secrets.h"
#include "server/rooms/rooms.h"

#include "server/net/status.h"
#include "server/ops/log.h"
#include "tests/failing_disk.h"
#include "tests/redis_proxy.h"
#include "tests/store_support.h"
#include "tests/support.h"
#include <sys/wait.h>
#include <unistd.h>

BEFORE_EACH(start) {
    log_open(LOG_ERROR, false);
    return secrets_init() ? 0 : 1;
}

enum { STEPS = 10, TRIES_MAX = 50, TURNS_MAX = 1000 };

struct step {
    const char *who, *words;
};

static const struct step script[STEPS] = {
    {"bob", "join Bob"}, {"ann", "set speed=fast"}, {"ann", "start"},    {"ann", "drop 4"},
    {"bob", "drop 4"},   {"ann", "drop 3"},         {"bob", "say Hmm."}, {"bob", "drop 3"},
    {"ann", "drop 2"},   {"bob", "drop 1"},
};

static struct answer answer;

struct house {
    struct shelf shelf;
    uv_loop_t loop;
    struct hub *hub;
    struct rooms *rooms;
    char code[WORLD_CODE_LENGTH + 1];
    int64_t version; /* the last one acknowledged */
    int refused;
};

static void nobody_left(void *arg, const char *code, const char *player) {
}

static void open_house(struct house *house) {
    shelf_open(&house->shelf);
    uv_loop_init(&house->loop);
    house->hub = hub_open();
    struct rooms_config config = {.loop = &house->loop,
                                  .store = house->shelf.store,
                                  .hub = house->hub,
                                  .times = world_times_usual,
                                  .bot_threads = 1,
                                  .archive_after_ms = 1000000,
                                  .archive_idle_ms = 1000000,
                                  .left = nobody_left};
    house->rooms = rooms_open(&config);
}

static void close_house(struct house *house) {
    rooms_stop(house->rooms);
    uv_run(&house->loop, UV_RUN_DEFAULT);
    shelf_close(&house->shelf);
    rooms_free(house->rooms);
    assert_int_equal(uv_loop_close(&house->loop), 0);
    hub_free(house->hub);
}

/* ---- One request and its answer ---- */

struct asked {
    struct house *house;
    const struct step *step;
    uint64_t action;
    struct room *room;
    int answers;
    enum replica_code code; /* if it could be judged at all */
    struct refusal why;     /* without a code: it was done */
};

static void on_done(void *arg, const struct room_failure *failure) {
    struct asked *asked = arg;
    asked->answers++;
    if (failure) {
        asked->code = failure->code;
        asked->why = failure->why;
    }
}

static void on_room(void *arg, struct room *room, const struct room_failure *failure) {
    struct asked *asked = arg;
    asked->room = room;
    if (!room || !asked->step) {
        on_done(asked, failure);
        return;
    }
    struct world_action action = {.id = span_of(asked->step->who),
                                  .words = span_of(asked->step->words),
                                  .action = asked->action};
    if (room_act(room, &action, on_done, asked, &asked->why) == WORLD_REFUSED)
        asked->answers++;
}

/* True if it was done; if not, the store must be the reason. */
static bool was_done(struct asked *asked) {
    struct house *house = asked->house;
    for (int i = 0; asked->answers == 0 && i < TURNS_MAX; i++) {
        store_commit(house->shelf.store);
        uv_run(&house->loop, UV_RUN_NOWAIT);
    }
    assert_int_equal(asked->answers, 1);
    if (!asked->why.code)
        return true;
    assert_int_equal(refusal_status(&asked->why), 503);
    assert_string_equal(asked->why.code, "UNAVAILABLE");
    house->refused++;
    return false;
}

/* What is in memory is what was acknowledged, if it can be read. */
static void check_memory(struct house *house) {
    struct asked asked = {.house = house};
    rooms_find(house->rooms, span_of(house->code), on_room, &asked);
    if (was_done(&asked))
        assert_int_equal(room_world(asked.room)->version, house->version);
}

static void create_as(struct house *house, const struct rooms_wish *wish) {
    for (int i = 0; i < TRIES_MAX; i++) {
        struct asked asked = {.house = house};
        assert_true(rooms_create(house->rooms, wish, on_room, &asked, NULL));
        if (!was_done(&asked))
            continue;
        memcpy(house->code, room_world(asked.room)->code, sizeof house->code);
        house->version = room_world(asked.room)->version;
        return;
    }
    fail_msg("no world");
}

static void create(struct house *house) {
    create_as(house, &(struct rooms_wish){
                         .game = span_of("4-kate"), .id = span_of("ann"), .name = span_of("Ann")});
}

/* Bob joined first of all, so lists must say so from then on. */
static void check_lists(struct house *house) {
    struct failing_disk disk = failing_disk;
    failing_disk = (struct failing_disk){0};
    assert_true(store_list_of_player(house->shelf.store, span_of("bob"), 0, 10, answer_take,
                                     &answer, NULL));
    store_commit(house->shelf.store);
    assert_string_equal(answer.text, house->code);
    failing_disk = disk;
}

static uint64_t action_of(int step) {
    char id[16];
    snprintf(id, sizeof id, "a%d", step);
    return world_action_hash(span_of(script[step].who), span_of(id));
}

static void act(struct house *house, int step) {
    for (int i = 0; i < TRIES_MAX; i++) {
        struct asked asked = {.house = house, .step = &script[step], .action = action_of(step)};
        rooms_find(house->rooms, span_of(house->code), on_room, &asked);
        bool done = was_done(&asked);
        house->version += done;
        check_memory(house);
        if (done) {
            check_lists(house);
            return;
        }
    }
    fail_msg("%s %s", script[step].who, script[step].words);
}

/* ---- What is left ---- */

static struct world folded;

static void check_disk(struct house *house) {
    char mark[24];
    failing_disk = (struct failing_disk){0};
    shelf_open(&house->shelf);
    shelf_load(&house->shelf, house->code, &answer);
    assert_int_equal(answer.reply.version, STEPS + 1);
    assert_int_equal(answer.reply.count, STEPS + 1);
    world_empty(&folded, &world_times_usual);
    struct span rest = span_of(answer.text);
    for (int i = 0; i <= STEPS; i++) {
        const char *bar = memchr(rest.data, '|', rest.length);
        const char *space = memchr(rest.data, ' ', rest.length);
        struct span line = {space + 1, (size_t)((bar ? bar : rest.data + rest.length) - space) - 1};
        assert_true(world_fold(&folded, line, NULL));
        rest.length -= (size_t)(line.data + line.length - rest.data) + (bar != NULL);
        rest.data = line.data + line.length + 1;
        if (i > 0) {
            snprintf(mark, sizeof mark, "~%016llx ", (unsigned long long)action_of(i - 1));
            assert_non_null(strstr(line.data, mark));
        }
    }
    check_lists(house);
    shelf_close(&house->shelf);
}

static int refusals;

/* False once the disk was not asked often enough to fail. */
static bool game_with(enum disk_fault fault, int after, int repeats) {
    static struct house house;
    house = (struct house){0};
    failing_disk = (struct failing_disk){0};
    shelf_make(&house.shelf);
    house.shelf.config.vfs = failing_disk_name();
    open_house(&house);
    failing_disk = (struct failing_disk){.calls = DISK_WRITE | DISK_TRUNCATE | DISK_OPEN |
                                                  DISK_READ | DISK_DELETE,
                                         .fault = fault,
                                         .after = after,
                                         .repeats = repeats};
    create(&house);
    for (int i = 0; i < STEPS; i++)
        act(&house, i);
    bool failed = failing_disk.failed > 0;
    refusals += house.refused;
    failing_disk = (struct failing_disk){0};
    close_house(&house);
    check_disk(&house);
    shelf_remove(&house.shelf);
    return failed;
}

static void every_call_fails_once(enum disk_fault fault) {
    int after = 0;
    refusals = 0;
    while (game_with(fault, after, 1))
        after++;
    assert_true(after > 2 * STEPS && refusals > STEPS);
}

UNIT_TEST(full_disk) {
    every_call_fails_once(DISK_FULL);
}

UNIT_TEST(broken_disk) {
    every_call_fails_once(DISK_BROKEN);
}

UNIT_TEST(torn_writes) {
    every_call_fails_once(DISK_TORN);
}

UNIT_TEST(lying_disk) {
    every_call_fails_once(DISK_LYING);
}

/* It stays full for a while, over several tries. */
UNIT_TEST(disk_full_for_a_while) {
    for (int after = 0; game_with(DISK_FULL, after, 9);)
        after++;
}

/* The clock of the machine is set, forward and back. */
UNIT_TEST(clock_jumps) {
    int64_t ahead = 0;
    assert_int_equal(rooms_clock(&ahead, 1700000000000, 5000), 1700000000000);
    assert_int_equal(rooms_clock(&ahead, 1700000000250, 5250), 1700000000250);
    assert_int_equal(rooms_clock(&ahead, 1700003600250, 5250), 1700003600250); /* an hour forward */
    assert_int_equal(rooms_clock(&ahead, 1700000000300, 5300), 1700003600300); /* and back */
    assert_int_equal(rooms_clock(&ahead, 1699999000300, 6300), 1700003601300); /* and further */
    assert_int_equal(rooms_clock(&ahead, 1700003600302, 6300), 1700003601300);
    assert_int_equal(rooms_clock(&ahead, 1700003601301, 6300), 1700003601301);
}

/* A machine whose clock was an hour ahead has been set right and started again. */
UNIT_TEST(entries_of_the_future) {
    static struct house house;
    house = (struct house){0};
    shelf_make(&house.shelf);
    open_house(&house);
    create(&house);
    close_house(&house);
    open_house(&house);
    char line[64];
    int64_t ahead_ms = rooms_now(house.rooms) + 3600000;
    snprintf(line, sizeof line, "%lld @ann say Hello", (long long)ahead_ms);
    assert_int_equal(shelf_append(&house.shelf, house.code, 1, line, &answer), STORE_OK);
    house.version = 2;
    check_memory(&house);
    assert_true(rooms_now(house.rooms) >= ahead_ms);
    close_house(&house);
    shelf_remove(&house.shelf);
}

/* Nothing is changed that the store would not take, so nothing has to be read again. */
UNIT_TEST(a_full_store_is_not_asked_for_more) {
    static struct house house;
    struct refusal why;
    house = (struct house){0};
    shelf_make(&house.shelf);
    open_house(&house);
    create(&house);
    struct asked asked = {.house = &house, .step = &script[0], .action = action_of(0)};
    while (store_due(house.shelf.store, 1, 1, answer_take, &answer, &why))
        ;
    uint64_t loads = rooms_figures(house.rooms).loads;
    for (int i = 0; i < 3; i++) {
        asked.answers = 0;
        rooms_find(house.rooms, span_of(house.code), on_room, &asked);
        assert_int_equal(asked.answers, 1);
        assert_int_equal(refusal_status(&asked.why), 503);
        assert_string_equal(asked.why.code, "UNAVAILABLE");
        assert_int_equal(room_world(asked.room)->version, 1);
    }
    store_commit(house.shelf.store);
    asked = (struct asked){.house = &house, .step = &script[0], .action = action_of(0)};
    rooms_find(house.rooms, span_of(house.code), on_room, &asked);
    assert_true(was_done(&asked));
    assert_int_equal(room_world(asked.room)->version, 2);
    assert_int_equal(rooms_figures(house.rooms).loads, loads);
    assert_int_equal(rooms_figures(house.rooms).failures, 0);
    close_house(&house);
    shelf_remove(&house.shelf);
}

/* However many worlds there are, a turn of the loop looks at a few of them. */
UNIT_TEST(worlds_are_looked_at_by_turns) {
    enum { WORLDS = 50, BEATS_MS = 900 };
    static struct house house;
    house = (struct house){0};
    shelf_make(&house.shelf);
    open_house(&house);
    for (int i = 0; i < WORLDS; i++)
        create(&house);
    uint64_t most = 0, end_ns = uv_hrtime() + BEATS_MS * UINT64_C(1000000);
    while (uv_hrtime() < end_ns) {
        uint64_t before = rooms_figures(house.rooms).visits;
        uv_run(&house.loop, UV_RUN_NOWAIT);
        store_commit(house.shelf.store);
        uint64_t visits = rooms_figures(house.rooms).visits - before;
        most = visits > most ? visits : most;
        usleep(1000);
    }
    assert_in_range(most, 1, WORLDS / 10);
    close_house(&house);
    shelf_remove(&house.shelf);
}

/* ---- What takes long ---- */

static int turn_of_the_loop(struct house *house) {
    store_commit(house->shelf.store);
    uv_run(&house->loop, UV_RUN_NOWAIT);
    return 1;
}

/* Logs that are asked for at the same moment are not folded in one go. */
UNIT_TEST(long_logs_are_folded_by_turns) {
    enum { WORLDS = 6, APPENDS = 32, TURNS = 100000 };
    static struct house house;
    static char codes[WORLDS][WORLD_CODE_LENGTH + 1];
    struct asked asked[WORLDS];
    struct span lines[STORE_ENTRIES_MAX];
    struct store_append append = {
        .entries = lines, .count = STORE_ENTRIES_MAX, .due_ms = STORE_NEVER};
    house = (struct house){0};
    shelf_make(&house.shelf);
    open_house(&house);
    char line[2][64];
    for (int i = 0; i < WORLDS; i++) {
        create(&house);
        /* No entry is older than its world, however long all this takes. */
        for (int j = 0; j < 2; j++)
            snprintf(line[j], sizeof line[j], "%lld @ann speed %s",
                     (long long)rooms_now(house.rooms) + 1000, j ? "fast" : "relaxed");
        for (int j = 0; j < STORE_ENTRIES_MAX; j++)
            lines[j] = span_of(line[j % 2]);
        memcpy(codes[i], house.code, sizeof codes[i]);
        append.code = span_of(codes[i]);
        for (int k = 0; k < APPENDS; k++) {
            append.expected_version = 1 + k * STORE_ENTRIES_MAX;
            assert_true(store_append(house.shelf.store, &append, answer_take, &answer, NULL));
            store_commit(house.shelf.store);
            assert_int_equal(answer.reply.outcome, STORE_OK);
        }
    }
    close_house(&house);
    open_house(&house);
    int turns = 0, most = 0;
    for (int i = 0; i < WORLDS; i++) {
        asked[i] = (struct asked){.house = &house};
        rooms_find(house.rooms, span_of(codes[i]), on_room, &asked[i]);
    }
    for (bool all = false; !all && turns < TURNS;) {
        int before = 0, after = 0;
        for (int i = 0; i < WORLDS; i++)
            before += asked[i].answers;
        turns += turn_of_the_loop(&house);
        for (int i = 0; i < WORLDS; i++)
            after += asked[i].answers;
        most = after - before > most ? after - before : most;
        all = after == WORLDS;
    }
    assert_in_range(most, 1, WORLDS - 1);
    for (int i = 0; i < WORLDS; i++) {
        assert_non_null(asked[i].room);
        assert_int_equal(room_world(asked[i].room)->version, 1 + APPENDS * STORE_ENTRIES_MAX);
    }
    close_house(&house);
    shelf_remove(&house.shelf);
}

/* Somebody who is in many worlds is not renamed in all of them in one go. */
UNIT_TEST(a_name_is_written_by_turns) {
    enum { WORLDS = 40 };
    static struct house house;
    house = (struct house){0};
    shelf_make(&house.shelf);
    open_house(&house);
    for (int i = 0; i < WORLDS; i++)
        create(&house);
    uint64_t first = rooms_figures(house.rooms).actions, most = 0;
    rooms_rename(house.rooms, "ann", "Anna");
    for (int i = 0; i < TURNS_MAX && rooms_figures(house.rooms).actions < first + WORLDS; i++) {
        uint64_t before = rooms_figures(house.rooms).actions;
        turn_of_the_loop(&house);
        uint64_t renamed = rooms_figures(house.rooms).actions - before;
        most = renamed > most ? renamed : most;
    }
    assert_int_equal(rooms_figures(house.rooms).actions, first + WORLDS);
    assert_in_range(most, 1, WORLDS / 8);
    close_house(&house);
    shelf_remove(&house.shelf);
}

/* ---- Bots ---- */

static void act_once(struct house *house, const struct step *step) {
    struct asked asked = {.house = house, .step = step};
    rooms_find(house->rooms, span_of(house->code), on_room, &asked);
    assert_true(was_done(&asked));
}

/* A table where three experts play their first turns without a pause before a person's. */
static void let_experts_play(struct house *house) {
    static const struct step steps[] = {{"ann", "move 0 3"}, {"ann", "start"}};
    struct span words[] = {span_of("set speed=instant"), span_of("bot 1 expert"),
                           span_of("bot 2 expert"), span_of("bot 3 expert")};
    create_as(house, &(struct rooms_wish){.game = span_of("hand-and-foot"),
                                          .id = span_of("ann"),
                                          .name = span_of("Ann"),
                                          .words = words,
                                          .word_count = 4});
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        act_once(house, &steps[i]);
}

/* However many tables keep the bots' threads busy, the bot of another one is among the next. As
 * long as all of them are new it is not: then the others have had the threads no longer than it. */
UNIT_TEST(bots_at_work_leave_others_their_turn) {
    enum { TABLES = 48, NEW = 2 };
    static const char *const moves[] = {"drop 1", "drop 2", "drop 4", "drop 5"};
    static struct house house;
    struct span words[] = {span_of("set speed=instant"), span_of("bot 1 easy")};
    house = (struct house){0};
    shelf_make(&house.shelf);
    open_house(&house);
    for (int i = 0; i < TABLES; i++)
        let_experts_play(&house);
    create_as(&house, &(struct rooms_wish){.game = span_of("4-kate"),
                                           .id = span_of("cid"),
                                           .name = span_of("Cid"),
                                           .words = words,
                                           .word_count = 2});
    act_once(&house, &(struct step){"cid", "start"});
    uint64_t others = 0;
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        struct asked asked = {.house = &house};
        rooms_find(house.rooms, span_of(house.code), on_room, &asked);
        assert_true(was_done(&asked));
        int64_t version = room_world(asked.room)->version;
        act_once(&house, &(struct step){"cid", moves[i]});
        uint64_t before = rooms_figures(house.rooms).bot_moves;
        while (room_world(asked.room)->version < version + 2) {
            store_commit(house.shelf.store);
            uv_run(&house.loop, UV_RUN_ONCE);
            assert_in_range(rooms_figures(house.rooms).bot_moves - before, 0, 100 * TABLES);
        }
        if (i >= NEW)
            others += rooms_figures(house.rooms).bot_moves - before - 1;
    }
    assert_in_range(others, 0, TABLES); /* one after the other it would be twice as many */
    close_house(&house);
    shelf_remove(&house.shelf);
}

/* ---- Others ---- */

/* Once Redis has the two lines and nobody knows it: the first was somebody else's after all. */
static void change_first_line(const struct redis_proxy *proxy, struct redis_server *server,
                              const char *code) {
    char command[128];
    while (access(proxy->cut, F_OK) == 0)
        usleep(1000);
    snprintf(command, sizeof command, "LSET oyster:{%s}:log 2 theirs", code);
    redis_server_tell(server, command);
    unlink(proxy->shut);
}

static void view_was_kept(void *arg, const struct room_failure *failure) {
    *(int *)arg = failure ? refusal_status(&failure->why) : 200;
}

/* A line may be found in its place although the one before it is another's: two servers may think
 * of the same at the same moment. Who saw both is not told that all of it is kept. */
UNIT_TEST(what_follows_another_line_is_not_known) {
    static struct house house;
    static const struct step first = {"bob", "say One"}, second = {"ann", "say Two"};
    struct redis_server server;
    struct redis_proxy proxy;
    int status = 0;
    house = (struct house){0};
    redis_server_start(&server);
    shelf_make(&house.shelf);
    redis_proxy_start(&proxy, &server, house.shelf.folder);
    house.shelf.config.where = proxy.where;
    open_house(&house);
    create(&house);
    act(&house, 0);
    struct asked one = {.house = &house, .step = &first, .action = 1};
    struct asked two = {.house = &house, .step = &second, .action = 2};
    rooms_find(house.rooms, span_of(house.code), on_room, &one);
    rooms_find(house.rooms, span_of(house.code), on_room, &two);
    room_when_durable(two.room, view_was_kept, &status);
    redis_proxy_put(proxy.shut);
    redis_proxy_put(proxy.cut);
    int other = fork();
    if (other == 0) {
        change_first_line(&proxy, &server, house.code);
        _exit(0);
    }
    store_commit(house.shelf.store);
    assert_int_equal(refusal_status(&one.why), 503);
    assert_int_equal(one.code, REPLICA_BEHIND);
    assert_int_equal(two.code, REPLICA_UNSURE);
    assert_int_equal(refusal_status(&two.why), 503);
    assert_string_equal(two.why.text, "The store does not answer; please try again");
    assert_int_equal(status, 503);
    waitpid(other, NULL, 0);
    close_house(&house);
    redis_proxy_end(&proxy);
    shelf_remove(&house.shelf);
    redis_server_remove(&server);
}
