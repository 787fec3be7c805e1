/* Taking a bot's seat while a game runs, asking for another game, going back to the lobby, and the
 * score of games. */
#include "tests/world_room.h"

static struct room room;

/* ---- Sitting down at a game that runs ---- */

UNIT_TEST(a_late_friend_takes_a_bots_seat_at_once) {
    room_open(&room, "whos-deal");
    room_do(&room, "ann start\nbob watch Bob");
    assert_string_equal(room_shows(&room, "bob", "seats.0.free"), "false");
    assert_string_equal(room_shows(&room, "bob", "seats.2.free"), "true");
    room_refuses(&room, "zoe sit 2", "NOT_A_MEMBER", NULL);
    room_refuses(&room, "ann sit 2", "SEAT_TAKEN", "You have a seat");
    room_refuses(&room, "bob sit 0", "SEAT_TAKEN", "That seat is taken");
    room_refuses(&room, "bob sit 4", "INVALID_SEAT", NULL);
    room_refuses(&room, "bob sit 2 3", "BAD_REQUEST", NULL);
    room_do(&room, "bob sit 2");
    assert_string_equal(room_last(&room), "@bob sit 2");
    assert_string_equal(room_seats(&room), "ann bot-1 bob bot-3");
    assert_string_equal(room_shows(&room, "bob", "you.seatIndex"), "2");
    assert_string_equal(room_shows(&room, "ann", "spectators"), "[]");
    room_told(&room, "news",
              "{\"what\":\"sits\",\"playerId\":\"bob\",\"name\":\"Bob\",\"seatIndex\":2,"
              "\"time\":1000000}");
    room_told(&room, "seat-changed", NULL);
    room_folds(&room);
}

UNIT_TEST(without_a_number_any_bots_seat_will_do) {
    room_open(&room, "whos-deal");
    room_do(&room,
            "ann start\nbob watch Bob\nbob sit\ncy watch Cy\ncy sit\ndee watch Dee\ndee sit");
    assert_string_equal(room_seats(&room), "ann bob cy dee");
    room_do(&room, "eve watch Eve");
    room_refuses(&room, "eve sit", "ROOM_FULL", "All seats are taken");
    room_refuses(&room, "eve sit 1", "SEAT_TAKEN", "That seat is taken");
    room_connect(&room, "bob", false);
    room_connect(&room, "cy", true);
    room_connect(&room, "dee", true);
    room_pass(&room, 60000); /* he may come back, and a bot plays for him */
    assert_string_equal(room_seats(&room), "ann bob* cy dee");
    room_refuses(&room, "eve sit 1", "SEAT_TAKEN", "That seat is taken");
    room_folds(&room);
}

UNIT_TEST(PL_12_who_left_comes_back_to_the_seat_until_somebody_takes_it) {
    room_open(&room, "whos-deal");
    room_join(&room, "bob cy");
    room_do(&room, "eve watch Eve\nzoe watch Zoe\nann start\nbob leave");
    assert_string_equal(room_shows(&room, "eve", "seats.1.free"), "true");
    assert_string_equal(room_shows(&room, "eve", "seats.1.away"), "true");
    room_do(&room, "bob join Bob");
    assert_string_equal(room_shows(&room, "eve", "seats.1.free"), "false");
    room_do(&room, "bob leave\neve sit"); /* a bot's seat comes first */
    assert_string_equal(room_seats(&room), "ann bob* cy eve");
    room_do(&room, "zoe sit");
    assert_string_equal(room_last(&room), "@zoe sit");
    assert_string_equal(room_seats(&room), "ann zoe cy eve");
    assert_string_equal(room_shows(&room, "zoe", "seats.1.away"), "false");
    room_refuses(&room, "bob join Bob", "ALREADY_STARTED", NULL);
    room_folds(&room);
}

UNIT_TEST(nobody_takes_the_seat_of_who_left_where_the_owner_wants_nobody_to) {
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    room_do(&room, "ann set seating=never\neve watch Eve\nann start\nbob leave");
    assert_string_equal(room_shows(&room, "eve", "seats.1.free"), "false");
    room_refuses(&room, "eve sit 1", "NO_SEATING", NULL);
}

/* Lets a bot begin its turn: in Hand & Foot it draws, melds and discards one after the other. */
static void let_the_bot_begin(void) {
    room_open(&room, "hand-and-foot");
    room_do(&room, "ann bot 2 closed\nann bot 3 closed\nann start\nbob watch Bob");
    room_connect(&room, "bob", true);
    while (!room.world.seat[1].bot_moved || (room.world.awaited >> 1 & 1) == 0)
        room_go_on(&room);
}

UNIT_TEST(nobody_sits_down_in_the_middle_of_a_bots_turn) {
    let_the_bot_begin();
    room_do(&room, "bob sit 1");
    assert_string_equal(room_seats(&room), "ann bot-1");
    assert_string_equal(room_shows(&room, "ann", "spectators.0.wants"), "1");
    room_told(&room, "news", NULL);
    assert_int_equal(room_act(&room, "bob sit 1"), WORLD_NOTHING);
    while (room.world.seat[1].kind == WORLD_SEAT_BOT)
        room_step(&room, room.now_ms + 60000);
    assert_string_equal(room_last(&room), "- take bob 1");
    assert_string_equal(room_seats(&room), "ann bob");
    assert_true((room.world.awaited >> 1 & 1) == 0);
    room_folds(&room);
}

UNIT_TEST(who_waits_for_a_seat_may_go_on_watching) {
    let_the_bot_begin();
    room_do(&room, "bob sit 1\nbob watch Bob");
    assert_string_equal(room_shows(&room, "ann", "spectators.0.wants"), "null");
    assert_int_equal(room_act(&room, "bob watch Bob"), WORLD_NOTHING);
    while (room.world.awaited != 1)
        room_step(&room, room.now_ms + 60000);
    assert_string_equal(room_seats(&room), "ann bot-1");
    room_folds(&room);
}

UNIT_TEST(the_owner_may_want_people_to_wait_for_the_next_deal) {
    room_open(&room, "whos-deal");
    room_do(&room, "ann start seating=next-deal speed=instant\nbob watch Bob");
    room_go_on(&room); /* the first deal */
    room_do(&room, "bob sit 2");
    assert_string_equal(room_shows(&room, "ann", "spectators.0.wants"), "2");
    while (room.world.deals == 1)
        room_go_on(&room);
    assert_string_equal(room_seats(&room), "ann bot-1 bot-2 bot-3");
    assert_true(room_step(&room, room.now_ms));
    assert_string_equal(room_last(&room), "- take bob 2");
    assert_string_equal(room_seats(&room), "ann bot-1 bob bot-3");
    room_folds(&room);
}

UNIT_TEST(the_owner_may_want_nobody_to_come_in_between) {
    room_open(&room, "whos-deal");
    room_do(&room, "ann set seating=never\neve watch Eve\neve sit 3"); /* it still waits */
    assert_string_equal(room_seats(&room), "ann bot-1 bot-2 eve");
    room_do(&room, "ann start\nbob watch Bob");
    assert_string_equal(room_shows(&room, "bob", "seats.1.free"), "false");
    room_refuses(&room, "bob sit 1", "NO_SEATING", "Nobody takes a bot's seat in this world");
    room_folds(&room);
}

/* ---- After a game ---- */

static void finish(const char *then) {
    room_open(&room, "4-kate");
    room_do(&room, "bob watch Bob\nann start");
    room_connect(&room, "bob", true);
    for (int i = 0; i < 3; i++) {
        room_do(&room, "ann drop 1");
        room_fold(&room, "1 drop 2");
    }
    room_do(&room, "ann drop 1");
    assert_int_equal(room.world.status, WORLD_OVER);
    room_do(&room, then);
}

UNIT_TEST(the_next_game_is_with_those_who_watched_and_want_it) {
    finish("bob sit 1");
    assert_string_equal(room_seats(&room), "ann bot-1"); /* who played is who is shown */
    room_told(&room, "news", NULL);
    room_do(&room, "ann again");
    assert_true(room_step(&room, room.now_ms));
    assert_string_equal(room_last(&room), "- take bob 1");
    assert_string_equal(room_seats(&room), "ann bob");
    room_do(&room, "bob drop 1\nann drop 1"); /* who lost begins */
    room_folds(&room);
}

UNIT_TEST(the_seat_of_who_left_can_be_had_in_the_next_game) {
    room_open(&room, "4-kate");
    room_join(&room, "bob");
    room_do(&room, "cy watch Cy\nann start");
    for (int i = 0; i < 3; i++)
        room_do(&room, "ann drop 1\nbob drop 2");
    room_do(&room, "ann drop 1\nbob leave\ncy sit 1\nann again");
    assert_true(room_step(&room, room.now_ms));
    assert_string_equal(room_last(&room), "- take cy 1");
    assert_string_equal(room_seats(&room), "ann cy");
    room_do(&room, "cy drop 3");
    room_folds(&room);
}

UNIT_TEST(who_waits_for_a_seat_and_goes_away_gets_none) {
    let_the_bot_begin();
    room_do(&room, "cy watch Cy\nbob sit 1\ncy sit");
    room_connect(&room, "bob", false);
    room_connect(&room, "cy", true);
    room_now_is(&room, room.now_ms + 60000);
    while (room.world.seat[1].kind == WORLD_SEAT_BOT)
        room_step(&room, room.now_ms + 60000);
    assert_string_equal(room_seats(&room), "ann cy");
    room_folds(&room);
}

UNIT_TEST(anybody_can_ask_for_a_rematch) {
    finish("bob rematch");
    room_told(&room, "news", NULL);
    assert_string_equal(room_shows(&room, "ann", "rematch"), "[\"bob\"]");
    assert_int_equal(room_act(&room, "bob rematch"), WORLD_NOTHING);
    room_refuses(&room, "zoe rematch", "NOT_A_MEMBER", NULL);
    room_do(&room, "ann again");
    assert_string_equal(room_shows(&room, "ann", "rematch"), "[]");
    room_refuses(&room, "bob rematch", "WRONG_PHASE", NULL);
    room_folds(&room);
}

UNIT_TEST(back_in_the_lobby_everything_can_be_changed) {
    finish("bob sit");
    char code[sizeof room.world.code];
    memcpy(code, room.world.code, sizeof code);
    room_refuses(&room, "bob lobby", "NOT_OWNER", NULL);
    room_refuses(&room, "ann lobby now", "BAD_REQUEST", NULL);
    room_do(&room, "ann lobby");
    assert_string_equal(room_shows(&room, "ann", "status"), "waiting");
    assert_string_equal(room_shows(&room, "ann", "view"), "null");
    assert_true(room_step(&room, room.now_ms)); /* his wish comes true here, too */
    assert_string_equal(room_seats(&room), "ann bob");
    assert_string_equal(room.world.code, code);
    room_do(&room, "cy watch Cy\nann move 0 1\nann start\nbob drop 3");
    assert_int_equal(room.world.games, 2);
    assert_string_equal(room_seats(&room), "bob ann");
    room_folds(&room);
}

UNIT_TEST(who_left_does_not_come_along) {
    room_open(&room, "hand-and-foot");
    room_join(&room, "bob cy");
    room_do(&room, "ann set targetScore=500 speed=instant\nann bot 3 closed\nann start\ncy leave");
    while (room.world.status == WORLD_PLAYING)
        room_go_on(&room);
    assert_string_equal(room_seats(&room), "ann bob cy*");
    room_do(&room, "ann lobby");
    assert_string_equal(room_seats(&room), "ann bob bot-2 x x x x x");
    room_do(&room, "ann preset partners\nann bot 3 medium\nann start");
    assert_string_equal(room_seats(&room), "ann bob bot-2 bot-3");
    room_folds(&room);
}

UNIT_TEST(a_world_counts_its_games) {
    finish("ann again");
    assert_string_equal(room_shows(&room, "ann", "played"), "1");
    assert_string_equal(room_shows(&room, "ann", "seats.0.won"), "1");
    assert_string_equal(room_shows(&room, "ann", "seats.1.won"), "0");
    room_do(&room, "bob sit"); /* he plays on for the side of the bot */
    room_do(&room, "bob drop 2\nann drop 1\nbob drop 2\nann drop 1\nbob drop 2\nann drop 3\n"
                   "bob drop 2");
    assert_int_equal(room.world.status, WORLD_OVER);
    assert_string_equal(room_shows(&room, "ann", "played"), "2");
    assert_string_equal(room_shows(&room, "ann", "seats.1.won"), "1");
    room_do(&room, "ann lobby\nann move 0 1"); /* everybody keeps their own */
    assert_string_equal(room_shows(&room, "ann", "seats.0.name"), "Bob");
    assert_string_equal(room_shows(&room, "ann", "seats.0.won"), "1");
    assert_string_equal(room_shows(&room, "ann", "played"), "2");
    room_folds(&room);
}

/* A record is of one game and those after it by the same rules. */
UNIT_TEST(a_record_begins_after_the_last_lobby) {
    finish("ann lobby");
    const char *record = room_export(&room);
    assert_non_null(strstr(record, "0 drop 1\n"));
    room_do(&room, "ann bot 1 hard\nann start\nann drop 5");
    record = room_export(&room);
    assert_null(strstr(record, "0 drop 1\n"));
    assert_non_null(strstr(record, "seats Ann Bot*hard\n0 drop 5\n"));
}
