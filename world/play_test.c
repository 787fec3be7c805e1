/* The game in the world: whole games with bots, due times, departures and returns, play again. */
#include "tests/world_room.h"

static struct room room;

static struct pace pace_now(void) {
    return game_pace(room.world.game, &room.world.state);
}

static bool awaits(int seat) {
    return (room.world.awaited >> seat & 1) != 0;
}

/* ---- Whole games ---- */

static void plays_out(const char *game, const char *setup, uint64_t seed) {
    struct result result;
    room_open_seeded(&room, game, seed);
    room_do(&room, setup);
    room_do(&room, "ann start");
    while (room.world.status == WORLD_PLAYING && room.world.version < 20000) {
        if (awaits(0) && !room.world.seat[0].away)
            room_move(&room, "ann");
        else if (!room_look_no_longer(&room))
            assert_true(room_step(&room, room.now_ms + 9000));
        if (room.world.version ==
            200) { /* always the first listed move would make a poor player, so a bot takes over */
            room_do(&room, "eve watch Eve\nann leave");
            room_connect(&room, "eve", true);
        }
    }
    assert_int_equal(room.world.status, WORLD_OVER);
    game_result(room.world.game, &room.world.state, &result);
    assert_true(result.over);
    assert_string_equal(room_shows(&room, "ann", "status"), "game_over");
    room_told(&room, "world-updated", NULL);
    assert_int_equal(room.world.bot_action_ms, 0);
    assert_int_equal(room.world.phase_ends_ms, 0);
    room_folds(&room);
}

static void whole_games_of_all_five(void **state) { /* PL-7, WD-125 */
    plays_out("whos-deal", "ann set targetScore=5", 3);
    plays_out("4-kate", "ann bot 1 hard", 4);
    plays_out("up-n-down", "ann bot 1 easy\nann bot 5 hard", 5);
    plays_out("terrible-people", "ann set targetScore=3", 6);
    plays_out("hand-and-foot", "ann set targetScore=2000", 7);
    plays_out("hand-and-foot", "ann preset partners", 8);
    plays_out("hand-and-foot", "ann preset closers", 9);
}

/* ---- Figures ---- */

enum { FIRST, SECOND, THIRD, FOURTH };

static int64_t all_seats(int figure) {
    int64_t sum = 0;
    for (int seat = 0; seat < room.world.seat_count; seat++)
        sum += room.world.figures[seat][figure];
    return sum;
}

/* Every round is counted once, and another game begins at zero. */
static void figures_count_every_round_once(void **state) { /* WD-145 */
    struct result result;
    plays_out("whos-deal", "ann set targetScore=5 stickTheDealer=no", 3);
    const int32_t *table = room.world.table_figures;
    int32_t played = table[FIRST] - table[SECOND]; /* deals that were not passed out */
    for (int seat = 0; seat < 4; seat++)
        assert_int_equal(room.world.figures[seat][FIRST], played);
    assert_int_equal(all_seats(SECOND), played); /* calls */
    plays_out("terrible-people", "ann set targetScore=3", 6);
    game_result(room.world.game, &room.world.state, &result);
    for (int seat = 0; seat < 4; seat++)
        assert_int_equal(room.world.figures[seat][SECOND], result.score[seat]);
    assert_int_equal(all_seats(THIRD), table[FIRST]); /* one judge a round */
    plays_out("hand-and-foot", "ann set targetScore=4000", 7);
    assert_int_equal(room.world.figures[0][FIRST], table[FIRST]);
    assert_true(table[FIRST] > 1 && table[SECOND] > 10 * table[FIRST] && all_seats(SECOND) > 0 &&
                all_seats(THIRD) > 0);
    assert_int_equal(all_seats(FOURTH), table[THIRD]); /* rounds that somebody ended */
    room_do(&room, "eve again");
    assert_int_equal(all_seats(FIRST), 0);
    assert_int_equal(table[FIRST], 0);
    room_folds(&room);
}

/* ---- Due times ---- */

static void bots_hesitate_as_the_game_says(void **state) { /* WD-76, PL-31 */
    int64_t least_ms = 9999, most_ms = 0;
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    room_do(&room, "ann start");
    for (int i = 0; i < 400 && room.world.status == WORLD_PLAYING; i++) {
        struct pace pace = pace_now();
        bool bot = awaits(2) || awaits(3);
        if (bot && pace.show_ms == 0) {
            int64_t delay_ms = room.world.bot_action_ms - room.world.changed_ms;
            assert_in_range(delay_ms, 1500, 3000);
            least_ms = delay_ms < least_ms ? delay_ms : least_ms;
            most_ms = delay_ms > most_ms ? delay_ms : most_ms;
        } else if (bot && pace.show_ms == 2000) { /* a trick is looked at first */
            assert_int_equal(room.world.phase_ends_ms, room.world.changed_ms + 2000);
            assert_in_range(room.world.bot_action_ms - room.world.phase_ends_ms, 1500, 3000);
        } else if (room.world.awaited == AWAITS_NATURE && room.world.deals > 0) {
            assert_int_equal(room.world.phase_ends_ms, room.world.changed_ms + 5000);
            assert_int_equal(room.world.bot_action_ms, 0);
        }
        if (awaits(0) || awaits(1))
            room_move(&room, awaits(0) ? "ann" : "bob");
        else
            assert_true(room_step(&room, INT64_MAX - 1));
    }
    assert_true(least_ms < 1700 && most_ms > 2800);
    assert_true(room.world.deals > 2);
}

static void hand_and_foot_bots_keep_their_own_pace(void **state) { /* HF-88, PL-C6 */
    uint32_t seen = 0;
    room_open(&room, "hand-and-foot");
    room_do(&room, "ann start");
    for (int i = 0; i < 400 && seen != 7; i++) {
        if (awaits(0)) {
            room_move(&room, "ann");
            continue;
        }
        int64_t delay_ms = room.world.bot_action_ms - room.world.changed_ms;
        seen |= delay_ms == 500 ? 1 : delay_ms == 800 ? 2 : delay_ms == 600 ? 4 : 0;
        assert_true(room_step(&room, INT64_MAX - 1));
    }
    assert_int_equal(seen, 7);
}

static int64_t bot_delay_at(const char *speed) {
    char line[64];
    room_open(&room, "4-kate");
    snprintf(line, sizeof line, "ann start speed=%s order 1 0", speed);
    room_do(&room, line);
    return room.world.bot_action_ms - room.now_ms;
}

static void bots_among_themselves_do_not_hurry(void **state) {
    bot_delay_at("instant");
    room_do(&room, "eve watch Eve\nann leave");
    assert_int_equal(room_pass(&room, 0), 1); /* the move that was due */
    assert_in_range(room.world.bot_action_ms - room.now_ms, 1500, 3000);
}

static void speed_scales_all_delays(void **state) {
    int64_t normal_ms = bot_delay_at("normal");
    assert_in_range(normal_ms, 1500, 3000);
    assert_int_equal(bot_delay_at("relaxed"), normal_ms * 150 / 100);
    assert_int_equal(bot_delay_at("watch-along"), normal_ms * 3);
    assert_int_equal(bot_delay_at("fast"), normal_ms * 40 / 100);
    assert_int_equal(bot_delay_at("instant"), 0);
}

static void ticking_twice_does_nothing(void **state) { /* PL-32, PL-33 */
    static struct world before;
    static struct world_task task, late;
    room_open(&room, "4-kate");
    room_do(&room, "ann start order 1 0");
    int64_t due_ms = world_due(&room.world);
    assert_int_equal(due_ms, room.world.bot_action_ms);
    assert_false(world_think(&room.world, due_ms - 1, &task));
    memset(&task, 0xff, sizeof task); /* garbage, which must not matter */
    assert_true(world_think(&room.world, due_ms, &task));
    assert_int_equal(task.awaited, 0);
    assert_int_equal(task.bots, 0); /* nobody has asides in 4 Kate */
    struct chance chance;           /* a bot draws from the world's seeds, not from the server's */
    uint8_t seed[CHANCE_SEED_SIZE];
    chance_deal_seed(room.world.bot_seed, 2 * (uint64_t)room.world.version + 1, seed);
    chance_start(&chance, seed);
    assert_memory_equal(task.chance.key, chance.key, sizeof chance.key);
    assert_int_equal(task.chance.used, chance.used);
    assert_true(world_think(&room.world, due_ms, &late));
    world_task_run(&task);
    world_task_run(&late);
    assert_int_equal(world_thought(&room.world, due_ms, &task, &room.news), WORLD_DONE);
    memcpy(&before, &room.world, sizeof before);
    assert_int_equal(world_thought(&room.world, due_ms, &task, &room.news), WORLD_NOTHING);
    assert_int_equal(world_thought(&room.world, due_ms, &late, &room.news), WORLD_NOTHING);
    assert_int_equal(room.news.line_length, 0);
    assert_int_equal(world_tick(&room.world, due_ms, &room.news), WORLD_NOTHING);
    assert_false(world_think(&room.world, due_ms, &task));
    assert_memory_equal(&before, &room.world, sizeof before);
    assert_int_equal(room.world.version, 3);
}

static void a_deal_happens_once_and_when_it_is_due(void **state) { /* PL-33 */
    room_open(&room, "whos-deal");
    room_do(&room, "ann start");
    assert_int_equal(world_due(&room.world), room.now_ms);
    assert_int_equal(world_tick(&room.world, room.now_ms - 1, &room.news), WORLD_NOTHING);
    assert_int_equal(world_tick(&room.world, room.now_ms, &room.news), WORLD_DONE);
    assert_int_equal(world_tick(&room.world, room.now_ms, &room.news), WORLD_NOTHING);
    assert_int_equal(room.world.deals, 1);
    assert_int_equal(room.world.round_version, room.world.version);
}

static void each_deal_has_its_own_seed(void **state) { /* PL-35 */
    uint8_t seed[CHANCE_SEED_SIZE];
    char line[WORLD_LINE_SIZE];
    struct text text;
    room_open(&room, "whos-deal");
    room_do(&room, "ann start speed=instant");
    for (int deal = 0; deal < 3; deal++) {
        while (room.world.deals == deal)
            room_go_on(&room);
        chance_deal_seed(room.world.deal_seed, (uint64_t)deal, seed);
        text_begin(&text, line, sizeof line);
        text_string(&text, "- deal ");
        text_hex(&text, seed, sizeof seed);
        assert_string_equal(room_last(&room), line);
    }
}

/* Plays until a round's result is shown. */
static void play_a_round(void) {
    while (!world_round_has_ended(&room.world) || room.world.deals == 0)
        room_go_on(&room);
    assert_int_equal(room.world.status, WORLD_PLAYING);
}

static void a_result_stays_until_all_went_on(void **state) { /* PL-C13 */
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    room_do(&room, "eve watch Eve\nann start");
    assert_int_equal(room_act(&room, "ann next"), WORLD_NOTHING); /* the deal is due already */
    assert_true(room_step(&room, room.now_ms));
    room_refuses(&room, "ann next", "WRONG_PHASE", NULL);
    play_a_round();
    int64_t end_ms = room.now_ms + 5000;
    assert_int_equal(room_pass(&room, 1000), 0);
    room_refuses(&room, "eve next", "NOT_A_PLAYER", NULL);
    room_refuses(&room, "zoe next", "NOT_A_MEMBER", NULL);
    room_refuses(&room, "bob next round", "BAD_REQUEST", NULL);
    assert_string_equal(room_shows(&room, "eve", "view.looking"), "[0,1]");
    assert_string_equal(room_shows(&room, "bob", "view.legal"),
                        "[{\"type\":\"next-round\",\"payload\":{},\"move\":\"next\"}]");
    room_do(&room, "bob next");
    assert_int_equal(room_act(&room, "bob next"), WORLD_NOTHING);
    assert_string_equal(room_shows(&room, "eve", "view.looking"), "[0]");
    assert_string_equal(room_shows(&room, "bob", "view.legal"), "[]");
    assert_int_equal(room.world.phase_ends_ms, end_ms); /* Ann is still looking */
    assert_int_equal(world_due(&room.world), end_ms);
    room_do(&room, "ann next");
    assert_int_equal(world_due(&room.world), room.now_ms);
    assert_true(room_step(&room, room.now_ms));
    assert_int_equal(room.world.deals, 2);
    assert_string_equal(room_shows(&room, "ann", "view.looking"), "[]");
    room_folds(&room);
}

static void a_result_stays_its_time_at_every_speed(void **state) { /* PL-C13, WD-58 */
    static const char *const games[] = {"whos-deal", "hand-and-foot", "terrible-people"};
    static const char *const speeds[] = {"watch-along", "relaxed", "normal", "fast", "instant"};
    char line[64];
    for (int game = 0; game < 3; game++) {
        for (int speed = 0; speed < 5; speed++) {
            room_open(&room, games[game]);
            room_join(&room, "bob");
            snprintf(line, sizeof line, "ann start speed=%s", speeds[speed]);
            room_do(&room, line);
            play_a_round();
            int64_t deals = room.world.deals;
            assert_int_equal(room.world.phase_ends_ms, room.now_ms + 5000);
            assert_int_equal(room_pass(&room, 4999), 0);
            assert_int_equal(world_due(&room.world), room.now_ms + 1);
            assert_true(room_step(&room, room.now_ms + 1)); /* though nobody went on */
            assert_int_equal(room.world.deals, deals + 1);
        }
    }
}

static void alone_with_bots_a_result_stays_until_it_is_dismissed(void **state) { /* PL-C13 */
    room_open(&room, "whos-deal");
    room_do(&room, "eve watch Eve\nann start speed=instant");
    room_connect(&room, "eve", true);
    play_a_round();
    assert_string_equal(room_shows(&room, "ann", "view.phaseEndsAt"), "null");
    assert_int_equal(room_pass(&room, 3600000), 0);
    room_do(&room, "ann next");
    assert_true(room_step(&room, room.now_ms));
    assert_int_equal(room.world.deals, 2);
    room_folds(&room);
}

/* Whoever joins while one person looks gets the usual time. Whoever stays alone with bots gets as
 * long as they like. */
static void people_come_and_go_while_a_result_is_shown(void **state) { /* PL-C13 */
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    room_do(&room, "ann start\nbob leave");
    play_a_round();
    assert_int_equal(room_pass(&room, 60000), 0);
    room_join(&room, "bob");
    assert_true(room_step(&room, room.now_ms)); /* back at the seat */
    assert_int_equal(world_due(&room.world), room.now_ms + 5000);
    room_do(&room, "bob next");
    assert_int_equal(world_due(&room.world), room.now_ms + 5000);
    room_do(&room, "bob leave");
    assert_int_equal(room_pass(&room, 60000), 0);
    room_join(&room, "bob");
    assert_true(room_step(&room, room.now_ms));
    assert_string_equal(room_shows(&room, "ann", "view.looking"), "[0,1]");
    room_do(&room, "bob next\nann leave"); /* all who are left went on */
    assert_true(room_step(&room, room.now_ms));
    assert_int_equal(room.world.deals, 2);
    room_folds(&room);
}

static void a_hand_thrown_in_has_no_result(void **state) { /* PL-C13 */
    room_open(&room, "whos-deal");
    room_do(&room, "ann start farmersHand=yes");
    room_fold(&room, "- deal QS KS AH AD KH / JS JH QH JD KD / 9S 9H 10D 10H 10C / QC JC KC AS AC "
                     "/ QD 9D 9C 10S");
    room_fold(&room, "1 pass");
    room_fold(&room, "2 redeal");
    assert_true(world_round_has_ended(&room.world));
    assert_string_equal(room_shows(&room, "ann", "view.looking"), "[]");
    assert_int_equal(world_due(&room.world), room.now_ms);
}

/* Nobody plays and somebody watches, so the clock decides. */
static void bots_alone_go_on_after_the_time(void **state) { /* PL-C13 */
    room_open(&room, "whos-deal");
    room_do(&room, "eve watch Eve\nann start speed=instant");
    room_connect(&room, "eve", true);
    play_a_round();
    room_do(&room, "ann leave");
    assert_int_equal(world_due(&room.world), room.now_ms + 5000);
    play_a_round();
    room_folds(&room);
}

/* ---- Moves ---- */

static void moves_are_the_games_business(void **state) { /* PL-22, WD-110 - WD-114 */
    room_open_four(&room, ROOM_WHOS_DEAL);
    room_refuses(&room, "cy pass", "NOT_YOUR_TURN", "Not your turn");
    room_refuses(&room, "bob discard 9C", "WRONG_PHASE", NULL);
    room_refuses(&room, "bob dance", "BAD_REQUEST", NULL);
    room_do(&room, "bob order");
    assert_string_equal(room_last(&room), "1 order");
    assert_null(
        room_event(&room, "world-updated")); /* only the game changed, not the world around it */
    room_refuses(&room, "bob discard 9C", "NOT_DEALER", "Not the dealer");
    room_do(&room, "ann discard 9D");
    room_refuses(&room, "bob play 9S", "INVALID_CARD", "Card not in hand");
    room_do(&room, "bob play AS");
    room_refuses(&room, "cy play 9H", "MUST_FOLLOW_SUIT", "Must follow suit: spades were led");
    room_folds(&room);
}

static void again_is_no_move_of_a_running_game(void **state) {
    room_open_four(&room, ROOM_WHOS_DEAL);
    room_refuses(&room, "ann again", "WRONG_PHASE", NULL);
    struct refusal why;
    assert_false(world_fold(&room.world, span_of("2000000 0 again"), &why));
    assert_false(world_fold(&room.world, span_of("2000000 4 pass"), &why));
    assert_string_equal(why.text, "There is no such seat");
}

/* ---- The end, and again ---- */

static void finish_four_kate(void) {
    room_open(&room, "4-kate");
    room_join(&room, "bob");
    room_do(&room, "eve watch Eve\nann start");
    room_connect(&room, "eve", true);
    room_do(&room, "ann drop 1\nbob drop 2\nann drop 1\nbob drop 2\nann drop 1\nbob drop 2\n"
                   "ann drop 1");
}

static void play_again(void **state) { /* PL-19, WD-60, WD-108 */
    finish_four_kate();
    assert_int_equal(room.world.status, WORLD_OVER);
    room_told(&room, "world-updated", NULL);
    assert_int_equal(world_due(&room.world), INT64_MAX);
    room_refuses(&room, "bob again", "NOT_OWNER", "Not the owner");
    room_refuses(&room, "ann drop 1", "WRONG_PHASE", NULL);
    room_refuses(&room, "ann again now", "BAD_REQUEST", "Nothing follows the word again");
    room_refuses(&room, "cy join Cy", "ALREADY_STARTED", NULL);
    room_refuses(&room, "ann start", "WRONG_PHASE", NULL);
    room_do(&room, "ann again");
    assert_int_equal(room.world.status, WORLD_PLAYING);
    assert_string_equal(room_seats(&room), "ann bob");
    assert_int_equal(room.world.game_version, room.world.version);
    assert_int_equal(room.world.start_version, 4);
    room_told(&room, "world-updated", NULL);
    room_refuses(&room, "ann again", "WRONG_PHASE", NULL);
    room_folds(&room);
}

static void again_deals_fresh_cards_from_seat_0(void **state) { /* WD-60 */
    uint8_t seed[CHANCE_SEED_SIZE], next[CHANCE_SEED_SIZE];
    char line[WORLD_LINE_SIZE];
    struct text text;
    room_open(&room, "whos-deal");
    room_do(&room, "ann start targetScore=5 speed=instant");
    memcpy(seed, room.world.deal_seed, sizeof seed);
    while (room.world.status == WORLD_PLAYING)
        room_go_on(&room);
    assert_true(room.world.deals > 1);
    room_do(&room, "ann again");
    assert_int_equal(room.world.deals, 0);
    assert_int_equal(room_pass(&room, 0) > 0, true);
    assert_string_equal(room_shows(&room, "ann", "view.dealerSeatIndex"), "0");
    assert_string_equal(room_shows(&room, "ann", "view.teams.a.score"), "0");
    assert_string_equal(room_shows(&room, "ann", "settings.targetScore"), "5");
    chance_deal_seed(seed, 1 << 30, next);
    assert_memory_equal(room.world.deal_seed, next, sizeof next);
    chance_deal_seed(next, 0, seed);
    text_begin(&text, line, sizeof line);
    text_string(&text, " - deal ");
    text_hex(&text, seed, sizeof seed);
    assert_non_null(strstr(room.log, line));
    room_folds(&room);
}

static void leaving_after_the_end(void **state) { /* PL-20 */
    finish_four_kate();
    room_do(&room, "ann leave");
    assert_string_equal(room_seats(&room), "ann* bob");
    assert_string_equal(room.world.owner, "bob");
    assert_int_equal(room.world.bot_action_ms, 0);
    room_do(&room, "bob again\nbob drop 1"); /* the bot plays for her */
    assert_in_range(room.world.bot_action_ms - room.now_ms, 1500, 3000);
    room_folds(&room);
}

/* ---- Asides ---- */

/* Bots sit in these seats, ann in seat 1. */
static void bots_speak(const char *setup, uint32_t bots) {
    uint32_t speakers = 0;
    room_open(&room, "up-n-down");
    room_do(&room, setup);
    room_do(&room, "ann start order 1 0 2 3 4 5 6 7");
    assert_int_equal(room.world.bot_action_ms, 0); /* first of all the cards are dealt */
    room_pass(&room, 0);
    for (int i = 0; i < 300 && room.world.status == WORLD_PLAYING && speakers != bots; i++) {
        if (!room_step(&room, room.now_ms + 10000))
            room_move(&room, "ann");
        else if (strstr(room_last(&room), "prefer"))
            speakers |= 1u << (room_last(&room)[0] - '0');
    }
    assert_int_equal(speakers, bots);
    while (room.world.awaited != 2 || room_step(&room, room.now_ms + 10000))
        if (room.world.awaited != 2)
            assert_true(room_step(&room, room.now_ms + 10000));
    assert_int_equal(room.world.quiet_version, room.world.version);
    assert_string_equal(room_shows(&room, "ann", "view.botActionAt"), "null");
    assert_int_equal(room_pass(&room, 600000), 0);
    room_folds(&room);
}

static void bots_speak_aside_and_then_are_quiet(void **state) {
    bots_speak("ann bot 1 hard\nann bot 2 hard", 1 << 0 | 1 << 2);
    bots_speak("ann bot 1 hard", 1 << 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_games_of_all_five),
        cmocka_unit_test(figures_count_every_round_once),
        cmocka_unit_test(bots_hesitate_as_the_game_says),
        cmocka_unit_test(hand_and_foot_bots_keep_their_own_pace),
        cmocka_unit_test(speed_scales_all_delays),
        cmocka_unit_test(bots_among_themselves_do_not_hurry),
        cmocka_unit_test(ticking_twice_does_nothing),
        cmocka_unit_test(a_deal_happens_once_and_when_it_is_due),
        cmocka_unit_test(each_deal_has_its_own_seed),
        cmocka_unit_test(a_result_stays_until_all_went_on),
        cmocka_unit_test(a_result_stays_its_time_at_every_speed),
        cmocka_unit_test(alone_with_bots_a_result_stays_until_it_is_dismissed),
        cmocka_unit_test(people_come_and_go_while_a_result_is_shown),
        cmocka_unit_test(a_hand_thrown_in_has_no_result),
        cmocka_unit_test(bots_alone_go_on_after_the_time),
        cmocka_unit_test(moves_are_the_games_business),
        cmocka_unit_test(again_is_no_move_of_a_running_game),
        cmocka_unit_test(play_again),
        cmocka_unit_test(again_deals_fresh_cards_from_seat_0),
        cmocka_unit_test(leaving_after_the_end),
        cmocka_unit_test(bots_speak_aside_and_then_are_quiet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
