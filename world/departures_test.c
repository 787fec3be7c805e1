/* Leaving, being lost, coming back, and what happens when nobody is there. */
#include "tests/world_room.h"

static struct room room;

static bool awaits(int seat) {
    return (room.world.awaited >> seat & 1) != 0;
}

/* ---- Departures ---- */

static void leaving_mid_trick(void **state) { /* WD-123, PL-41 */
    room_open_four(&room, ROOM_WHOS_DEAL);
    room_do(&room, "bob order\nann discard 9D\nbob play AS\ncy leave");
    assert_string_equal(room_seats(&room), "ann bob cy* dee");
    room_told(&room, "seat-changed",
              "{\"seatIndex\":2,\"playerId\":\"cy\",\"name\":\"cy\",\"bot\":\"medium\","
              "\"character\":null,\"team\":\"a\",\"connected\":false,\"open\":true,\"away\":true,"
              "\"free\":true,\"won\":0}");
    assert_in_range(room.world.bot_action_ms - room.now_ms, 1500, 3000);
    assert_int_equal(room_pass(&room, 3000), 1);
    assert_string_equal(room_last(&room), "2 play JS"); /* its only spade: the hand is inherited */
    while (room.world.awaited != AWAITS_NATURE) {
        if (awaits(0) || awaits(1) || awaits(3))
            room_move(&room, awaits(0) ? "ann" : awaits(1) ? "bob" : "dee");
        else
            assert_true(room_step(&room, room.now_ms + 5000));
    }
    room_folds(&room);
}

static void the_dealer_leaves_before_discarding(void **state) { /* WD-124 */
    room_open_four(&room, ROOM_WHOS_DEAL);
    room_do(&room, "bob order\nann leave");
    assert_string_equal(room.world.owner, "bob");
    room_told(&room, "seat-changed", NULL);
    room_told(&room, "world-updated", NULL);
    assert_int_equal(room_pass(&room, 3000), 1);
    assert_memory_equal(room_last(&room), "0 discard ", 10);
    assert_string_equal(room_shows(&room, "bob", "view.turn"), "[1]");
}

static void leaving_while_trump_is_called(void **state) { /* WD-C24 */
    room_open_four(&room, ROOM_WHOS_DEAL);
    room_do(&room, "bob leave");
    assert_true(awaits(1));
    assert_in_range(room.world.bot_action_ms - room.now_ms, 1500, 3000);
    assert_int_equal(room_pass(&room, 3000), 1);
    assert_string_equal(room_last(&room), "1 pass");
    assert_string_equal(room_shows(&room, "ann", "view.turn"), "[2]");
    room_folds(&room);
}

static void leaving_when_others_think_changes_no_due_time(void **state) {
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    room_do(&room, "ann start order 0 2 3 1"); /* a bot begins */
    room_pass(&room, 0);
    int64_t due_ms = room.world.bot_action_ms;
    room_pass(&room, 1000);
    room_do(&room, "bob leave\nbob join Bob");
    assert_int_equal(room.world.bot_action_ms, due_ms);
    room_pass(&room, 0); /* he is back */
    assert_string_equal(room_seats(&room), "ann bot-2 bot-3 bob");
    assert_int_equal(room.world.bot_action_ms, due_ms);
}

static void coming_and_going_does_not_stretch_a_pause(void **state) {
    room_open_four(&room, ROOM_WHOS_DEAL);
    room_do(&room, "bob order\nann discard 9D");
    while (room.world.awaited != AWAITS_NATURE)
        room_move(&room, awaits(0) ? "ann" : awaits(1) ? "bob" : awaits(2) ? "cy" : "dee");
    int64_t due_ms = room.world.phase_ends_ms;
    assert_int_equal(due_ms, room.now_ms + 5000);
    room_pass(&room, 4000);
    room_do(&room, "cy leave\ncy join Cy");
    room_pass(&room, 0);
    assert_int_equal(room.world.phase_ends_ms, due_ms);
    assert_int_equal(room.world.bot_action_ms, 0);
    room_pass(&room, 1000);
    assert_int_equal(room.world.deals, 2);
}

static void a_bot_waits_for_what_is_shown_when_it_takes_over(void **state) {
    room_open_four(&room, ROOM_WHOS_DEAL);
    room_do(&room, "bob order\nann discard 9D\nbob play AS\ncy play JS\ndee play 10S\nann play 9S");
    assert_string_equal(room_shows(&room, "ann", "view.turn"), "[2]"); /* cy's right bower won */
    assert_int_equal(room.world.bot_action_ms, 0);
    assert_int_equal(room.world.phase_ends_ms, room.now_ms + 2000);
    room_do(&room, "cy leave");
    assert_in_range(room.world.bot_action_ms - room.now_ms, 3500, 5000);
    room_do(&room, "cy join Cy");
    room_pass(&room, 0);
    assert_int_equal(room.world.bot_action_ms, 0);
    assert_int_equal(room_pass(&room, 9000), 0);
}

static void a_lost_connection_becomes_a_departure(void **state) { /* PL-43 */
    room_open_four(&room, ROOM_WHOS_DEAL);
    room_pass(&room, 30000); /* nothing was heard of him, but he was connected */
    room_connect(&room, "bob", false);
    assert_int_equal(world_due(&room.world), room.now_ms + 60000);
    assert_int_equal(room_pass(&room, 59999), 0);
    assert_string_equal(room_seats(&room), "ann bob cy dee");
    room_pass(&room, 1);
    assert_string_equal(room_last(&room), "- away 1");
    room_told(&room, "world-updated", NULL);
    assert_string_equal(room_seats(&room), "ann bob* cy dee");
    room_told(&room, "seat-changed", NULL);
    assert_non_null(world_find_member(&room.world, span_of("bob")));
    room_refuses(&room, "bob pass", "BOT_PLAYS", "A bot plays your seat at the moment");
    assert_int_equal(room_pass(&room, 3000), 1);
    assert_true(room.world.awaited == 1 << 2 || room.world.awaited == 1 << 0);
    room_folds(&room);
}

static void being_heard_of_is_being_there(void **state) {
    room_open_four(&room, ROOM_WHOS_DEAL);
    room_connect(&room, "bob", false);
    room_pass(&room, 50000);
    world_heard_of(&room.world, room.now_ms, span_of("bob"));
    room_pass(&room, 59999);
    assert_string_equal(room_seats(&room), "ann bob cy dee");
    room_do(&room, "bob pass"); /* an action is heard too */
    room_pass(&room, 59999);
    assert_string_equal(room_seats(&room), "ann bob cy dee");
    room_pass(&room, 1);
    assert_string_equal(room_seats(&room), "ann bob* cy dee");
    world_heard_of(&room.world, room.now_ms - 1,
                   span_of("bob")); /* an older report changes nothing */
    world_heard_of(&room.world, room.now_ms, span_of("zoe"));
    world_connected(&room.world, room.now_ms, span_of("zoe"), true);
}

/* An entry that another server made tells that its author was heard of there. */
static void who_acts_at_another_server_is_there(void **state) {
    room_open(&room, "4-kate");
    room_join(&room, "bob");
    room_do(&room, "ann set speed=fast\nann start");
    room_connect(&room, "ann", false);
    room_connect(&room, "bob", false);
    room_pass(&room, 40000);
    room_fold(&room, "0 drop 1");
    room_fold(&room, "@bob say Hello");
    room_pass(&room, 59000);
    assert_false(room.world.seat[0].away);
    assert_false(room.world.seat[1].away);
    room_pass(&room, 1000);
    assert_true(room.world.seat[0].away && room.world.seat[1].away);
    room_fold(&room, "- back 0");
    room_pass(&room, 59000);
    assert_false(room.world.seat[0].away);
}

static void the_owner_lost_hands_the_world_on(void **state) { /* PL-21 */
    room_open_four(&room, ROOM_WHOS_DEAL);
    room_connect(&room, "ann", false);
    room_pass(&room, 60000);
    assert_string_equal(room.world.owner, "bob");
    room_connect(&room, "ann", true);
    room_pass(&room, 0);
    assert_string_equal(room_seats(&room), "ann bob cy dee");
    assert_string_equal(room.world.owner, "bob");
}

static void the_last_one_away_stays_owner(void **state) {
    room_open(&room, "whos-deal");
    room_do(&room, "eve watch Eve\nann start");
    room_connect(&room, "ann", false);
    room_connect(&room, "eve", true);
    room_pass(&room, 60000);
    assert_string_equal(room_seats(&room), "ann* bot-1 bot-2 bot-3");
    assert_string_equal(room.world.owner, "ann");
}

static void who_sits_inherits_before_who_watches(void **state) { /* PL-21 */
    room_open(&room, "whos-deal");
    room_do(&room, "eve watch Eve");
    room_join(&room, "bob");
    room_connect(&room, "bob", false);
    room_do(&room, "ann start");
    room_pass(&room, 60000);
    room_do(&room, "ann leave");
    assert_string_equal(room.world.owner, "bob"); /* although a bot plays for him */
}

static void coming_back_by_connecting(void **state) { /* PL-42 */
    room_open_four(&room, ROOM_WHOS_DEAL);
    room_connect(&room, "cy", false);
    room_pass(&room, 60000);
    assert_string_equal(room_seats(&room), "ann bob cy* dee");
    room_connect(&room, "cy", true);
    assert_int_equal(world_due(&room.world), room.world.changed_ms);
    assert_int_equal(room_pass(&room, 0), 1);
    assert_string_equal(room_last(&room), "- back 2");
    room_told(&room, "seat-changed", NULL);
    room_told(&room, "world-updated", NULL);
    assert_string_equal(room_seats(&room), "ann bob cy dee");
    room_folds(&room);
}

static void coming_back_without_a_connection(void **state) {
    room_open_four(&room, ROOM_WHOS_DEAL);
    room_connect(&room, "cy", false);
    room_pass(&room, 60000);
    room_pass(&room, 5000);
    world_heard_of(&room.world, room.now_ms, span_of("cy"));
    assert_int_equal(room_pass(&room, 0), 1);
    assert_string_equal(room_seats(&room), "ann bob cy dee");
    room_pass(&room, 60000);
    assert_string_equal(room_seats(&room), "ann bob cy* dee");
}

static void coming_back_at_a_turn_boundary(void **state) { /* PL-43 */
    room_open(&room, "hand-and-foot");
    room_join(&room, "bob");
    room_do(&room, "ann start");
    room_pass(&room, 0);
    while (!awaits(1))
        room_move(&room, "ann");
    room_do(&room, "bob leave");
    assert_true(
        room_step(&room, INT64_MAX - 1)); /* the bot drew, so it is in the middle of a turn */
    assert_true(awaits(1) && room.world.seat[1].bot_moved);
    room_do(&room, "bob join Bob");
    room_told(&room, "world-updated", NULL);
    assert_int_equal(room_act(&room, "bob join Bob"), WORLD_NOTHING);
    assert_true(room.world.seat[1].away && room.world.seat[1].returning);
    room_refuses(&room, "bob discard 4S", "BOT_PLAYS", NULL);
    room_do(&room, "bob leave\nbob join Bobby"); /* joining again does not help */
    while (awaits(1)) {
        assert_true(room.world.seat[1].away);
        assert_true(room_step(&room, INT64_MAX - 1));
    }
    assert_string_equal(room_seats(&room), "ann bob* bot-2 bot-3");
    assert_int_equal(world_due(&room.world), room.world.changed_ms);
    assert_true(room_step(&room, room.now_ms));
    assert_string_equal(room_last(&room), "- back 1");
    assert_string_equal(room_seats(&room), "ann bob bot-2 bot-3");
    assert_string_equal(room.world.seat[1].name, "Bobby");
    assert_string_equal(world_find_member(&room.world, span_of("bob"))->name, "Bobby");
    assert_false(room.world.seat[1].bot_moved);
    room_folds(&room);
}

static void who_leaves_again_does_not_come_back(void **state) {
    room_open(&room, "hand-and-foot");
    room_do(&room, "eve watch Eve\nann start");
    room_connect(&room, "eve", true);
    room_pass(&room, 0);
    room_do(&room, "ann leave");
    assert_true(room_step(&room, INT64_MAX - 1)); /* the bot drew */
    room_do(&room, "ann join Ann\nann leave");
    while (awaits(0))
        assert_true(room_step(&room, INT64_MAX - 1));
    room_pass(&room, 0);
    assert_string_equal(room_seats(&room), "ann* bot-1 bot-2 bot-3");
}

static void before_the_bot_moved_the_seat_is_given_back_at_once(void **state) {
    room_open_four(&room, ROOM_WHOS_DEAL);
    room_do(&room, "bob leave\nbob join Bob");
    room_pass(&room, 0);
    assert_string_equal(room_seats(&room), "ann bob cy dee");
    room_do(&room, "bob pass");
}

static void alone_at_the_table_nobody_minds(void **state) {
    room_open(&room, "up-n-down");
    room_do(&room, "ann start speed=instant");
    room_pass(&room, 0);
    room_connect(&room, "ann", false);
    room_do(&room, "eve watch Eve");
    room_connect(&room, "eve", true);
    assert_true(room_step(&room, room.now_ms + 60000)); /* away */
    assert_true(room_step(&room, room.now_ms + 60000));
    assert_true(room.world.seat[0].bot_moved);
    room_connect(&room, "ann", true);
    assert_true(room_step(&room, room.now_ms));
    assert_string_equal(room_last(&room), "- back 0");
}

static void watching_ones_own_seat_is_coming_back(void **state) {
    room_open_four(&room, ROOM_WHOS_DEAL);
    room_do(&room, "cy leave\ncy watch Cy");
    room_pass(&room, 0);
    assert_string_equal(room_seats(&room), "ann bob cy dee");
    assert_false(world_find_member(&room.world, span_of("cy"))->watching);
}

static void handing_over_an_idle_seat(void **state) { /* PL-C12 */
    room_open_four(&room, ROOM_WHOS_DEAL);
    room_pass(&room, 59999);
    room_refuses(&room, "ann hand-over 1", "NOT_IDLE", "That seat is not idle");
    room_pass(&room, 1);
    room_refuses(&room, "cy hand-over 1", "NOT_OWNER", "Not the owner");
    room_refuses(&room, "ann hand-over 2", "NOT_IDLE", NULL); /* not awaited */
    room_refuses(&room, "ann hand-over 4", "INVALID_SEAT", NULL);
    room_refuses(&room, "ann hand-over", "BAD_REQUEST", "Which seat?");
    room_refuses(&room, "ann hand-over 1 2", "BAD_REQUEST", NULL);
    room_do(&room, "ann hand-over 1");
    room_told(&room, "seat-changed", NULL);
    room_told(&room, "world-updated", NULL);
    assert_string_equal(room_seats(&room), "ann bob* cy dee");
    room_refuses(&room, "ann hand-over 1", "INVALID_SEAT", "A bot already plays that seat");
    assert_int_equal(room_pass(&room, 3000), 1); /* he is connected, yet the bot plays on */
    assert_string_equal(room_seats(&room), "ann bob* cy dee");
    room_do(&room, "bob join Bob");
    room_pass(&room, 0);
    assert_string_equal(room_seats(&room), "ann bob cy dee");
    assert_false(room.world.seat[1].handed_over);
    room_folds(&room);
}

static void nobody_is_idle_before_the_own_turn(void **state) { /* PL-C12 */
    room_open_four(&room, ROOM_WHOS_DEAL);
    room_pass(&room, 50000);
    room_do(&room, "bob pass");
    room_pass(&room, 59999);
    room_refuses(&room, "ann hand-over 2", "NOT_IDLE", NULL);
    room_do(&room, "cy pass\ndee pass");
    room_pass(&room, 59999);
    room_refuses(&room, "ann hand-over 0", "NOT_IDLE", NULL);
    room_pass(&room, 1);
    room_do(&room, "ann hand-over 0");
}

static void each_move_starts_the_idle_time_anew(void **state) {
    room_open(&room, "hand-and-foot");
    room_join(&room, "bob");
    room_do(&room, "ann start order 1 0 2 3 4 5 6 7");
    room_pass(&room, 0);
    room_pass(&room, 50000);
    room_do(&room, "bob draw");
    room_pass(&room, 50000);
    room_refuses(&room, "ann hand-over 0", "NOT_IDLE", NULL);
    room_pass(&room, 10000);
    room_do(&room, "ann hand-over 0");
}

static void an_old_log_keeps_what_other_times_allowed(void **state) {
    static struct world folded;
    struct world_times times = world_times_usual;
    room_open_four(&room, ROOM_WHOS_DEAL);
    room_pass(&room, 60000);
    room_do(&room, "ann hand-over 1");
    times.idle_ms = 600000; /* the host has chosen a longer time since then */
    world_empty(&folded, &times);
    for (const char *at = room.log; *at;) {
        size_t length = strcspn(at, "\n");
        assert_true(world_fold(&folded, (struct span){at, length}, &room.why));
        at += length + 1;
    }
    assert_true(folded.seat[1].away);
}

/* ---- Nobody there ---- */

static void bots_pause_while_nobody_looks(void **state) {
    room_open(&room, "whos-deal");
    room_do(&room, "ann start");
    room_pass(&room, 0);
    room_connect(&room, "ann", false);
    int64_t version = room.world.version;
    room_pass(&room, 60000); /* bots play on while she may still come back */
    assert_true(room.world.version > version);
    assert_string_equal(room_last(&room), "- away 0");
    assert_int_equal(room_pass(&room, 3600000), 0);
    room_connect(&room, "ann", true);
    assert_true(room_pass(&room, 0) > 0); /* what was due happens now */
    assert_string_equal(room_seats(&room), "ann bot-1 bot-2 bot-3");
    assert_true(room_pass(&room, 60000) > 0 || awaits(0));
    room_folds(&room);
}

static void a_world_that_everybody_left_closes(void **state) { /* PL-21 */
    room_open_four(&room, ROOM_WHOS_DEAL);
    room_do(&room, "bob leave\ncy leave\neve leave\ndee leave\nann leave");
    assert_int_equal(world_due(&room.world), room.now_ms + 60000);
    assert_int_equal(room_pass(&room, 59999), 0);
    room_pass(&room, 1);
    assert_string_equal(room_last(&room), "- close");
    room_told(&room, "world-updated", NULL);
    assert_int_equal(room.world.status, WORLD_CLOSED);
    assert_int_equal(world_due(&room.world), INT64_MAX);
    room_refuses(&room, "ann join Ann", "ROOM_NOT_FOUND", "There is no such world");
    assert_int_equal(world_tick(&room.world, INT64_MAX, &room.news), WORLD_NOTHING);
    room_folds(&room);
    assert_false(world_fold(&room.world, span_of("9000000 @ann join Ann"), &room.why));
    assert_string_equal(room.why.code, "WRONG_PHASE");
}

static void who_comes_back_in_time_keeps_it_open(void **state) {
    room_open(&room, "whos-deal");
    room_do(&room, "ann start");
    room_pass(&room, 0);
    room_do(&room, "ann leave");
    assert_int_equal(room_pass(&room, 59999), 0);
    room_do(&room, "ann join Ann");
    room_pass(&room, 30000);
    assert_int_equal(room.world.status, WORLD_PLAYING);
    room_connect(&room, "ann", true);
    room_pass(&room, 60000);
    assert_string_equal(room_seats(&room), "ann bot-1 bot-2 bot-3");
    assert_string_equal(room.world.owner, "ann");
    assert_int_equal(room.world.status, WORLD_PLAYING);
}

static void an_abandoned_world_closes_after_a_day(void **state) { /* PL-47 */
    room_open_four(&room, ROOM_WHOS_DEAL);
    for (int i = 0; i < room.world.member_count; i++)
        room_connect(&room, room.world.member[i].id, false);
    int64_t last_ms = room.now_ms;
    room_pass(&room, 3600000);
    world_heard_of(&room.world, room.now_ms, span_of("dee"));
    room_pass(&room, 86400000 - 1);
    assert_int_equal(room.world.status, WORLD_PLAYING);
    room_settle(&room);
    assert_int_equal(room.world.status, WORLD_CLOSED);
    assert_true(room.now_ms >= last_ms + 86400000 + 3600000);
    assert_true(room.now_ms <= last_ms + 86400000 + 2 * 3600000);
}

static void lost_in_the_lobby(void **state) {
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    room_do(&room, "eve watch Eve");
    room_connect(&room, "bob", false);
    room_connect(&room, "eve", true);
    room_connect(&room, "eve", false);
    assert_int_equal(room_pass(&room, 599999), 0);
    room_pass(&room, 1);
    assert_string_equal(room_seats(&room), "ann bot-1 bot-2 bot-3");
    assert_int_equal(room.world.member_count, 1);
    assert_non_null(strstr(room.log, "- gone bob\n"));
    assert_non_null(strstr(room.log, "- gone eve\n"));
    room_folds(&room);
    room_do(&room, "bob join Bob\neve watch Eve\nann start"); /* not removed, only lost */
    room_connect(&room, "bob", true);
    room_pass(&room, 599999);
    assert_non_null(world_find_member(&room.world, span_of("eve")));
    room_pass(&room, 1);
    assert_null(world_find_member(&room.world, span_of("eve")));
}

static void a_restart_gives_everybody_the_usual_time(void **state) { /* PL-34 */
    static struct world folded;
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    room_do(&room, "ann start order 1 0 2 3");
    room_pass(&room, 0);
    room_connect(&room, "bob", false);
    room_pass(&room, 61000);
    assert_string_equal(room_seats(&room), "bob* ann bot-2 bot-3");
    world_empty(&folded, &world_times_usual);
    for (const char *at = room.log; *at;) {
        size_t length = strcspn(at, "\n");
        assert_true(world_fold(&folded, (struct span){at, length}, &room.why));
        at += length + 1;
    }
    memcpy(&room.world, &folded, sizeof folded);
    room.now_ms += 3600000;
    room.world.member[0].connected = true;
    world_resume(&room.world, room.now_ms);
    assert_false(room.world.member[0].connected);
    int64_t version = room.world.version;
    room_pass(&room, 59999);
    assert_false(room.world.seat[1].away);
    assert_true(room.world.seat[0].away); /* who was gone before is still gone */
    assert_true(room.world.version > version || awaits(1));
    room_pass(&room, 1);
    assert_true(room.world.seat[1].away);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaving_mid_trick),
        cmocka_unit_test(the_dealer_leaves_before_discarding),
        cmocka_unit_test(leaving_while_trump_is_called),
        cmocka_unit_test(leaving_when_others_think_changes_no_due_time),
        cmocka_unit_test(coming_and_going_does_not_stretch_a_pause),
        cmocka_unit_test(a_bot_waits_for_what_is_shown_when_it_takes_over),
        cmocka_unit_test(a_lost_connection_becomes_a_departure),
        cmocka_unit_test(being_heard_of_is_being_there),
        cmocka_unit_test(who_acts_at_another_server_is_there),
        cmocka_unit_test(the_owner_lost_hands_the_world_on),
        cmocka_unit_test(the_last_one_away_stays_owner),
        cmocka_unit_test(who_sits_inherits_before_who_watches),
        cmocka_unit_test(coming_back_by_connecting),
        cmocka_unit_test(coming_back_without_a_connection),
        cmocka_unit_test(coming_back_at_a_turn_boundary),
        cmocka_unit_test(who_leaves_again_does_not_come_back),
        cmocka_unit_test(before_the_bot_moved_the_seat_is_given_back_at_once),
        cmocka_unit_test(alone_at_the_table_nobody_minds),
        cmocka_unit_test(watching_ones_own_seat_is_coming_back),
        cmocka_unit_test(handing_over_an_idle_seat),
        cmocka_unit_test(nobody_is_idle_before_the_own_turn),
        cmocka_unit_test(each_move_starts_the_idle_time_anew),
        cmocka_unit_test(an_old_log_keeps_what_other_times_allowed),
        cmocka_unit_test(bots_pause_while_nobody_looks),
        cmocka_unit_test(a_world_that_everybody_left_closes),
        cmocka_unit_test(who_comes_back_in_time_keeps_it_open),
        cmocka_unit_test(an_abandoned_world_closes_after_a_day),
        cmocka_unit_test(lost_in_the_lobby),
        cmocka_unit_test(a_restart_gives_everybody_the_usual_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
