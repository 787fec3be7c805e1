/* What the store is told of games that ended, and of which it is told nothing. */
#include "server/rooms/results.h"
#include "tests/support.h"
#include "tests/world_room.h"

#include <string.h>

static struct room room;

static void play_to_the_end(void) {
    room_open(&room, "4-kate");
    room_do(&room, "ann start");
    while (room.world.status == WORLD_PLAYING)
        room_go_on(&room);
}

static bool is_told(void) {
    struct results results;
    const struct store_match *match = results_of(&room.world, 0, &results);
    results_free(&results);
    return match != NULL;
}

static void HF_C48_a_loaded_game_counts_for_nobody(void **state) {
    play_to_the_end();
    assert_true(is_told());
    memcpy(room.world.loader, "ann", sizeof "ann");
    assert_false(is_told());
    room_do(&room, "ann again"); /* with fresh cards */
    while (room.world.status == WORLD_PLAYING)
        room_go_on(&room);
    assert_true(is_told());
}

static void HF_C48_a_saved_game_counts_while_its_player_is_alone(void **state) {
    play_to_the_end();
    room.world.saved = true;
    assert_true(is_told());
    room.world.seat[1].kind = WORLD_SEAT_PERSON;
    assert_false(is_told());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(HF_C48_a_loaded_game_counts_for_nobody),
        cmocka_unit_test(HF_C48_a_saved_game_counts_while_its_player_is_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
