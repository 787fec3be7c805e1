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
    return results_of(&room.world, 0, &results) != NULL;
}

UNIT_TEST(HF_C48_a_loaded_game_counts_for_nobody) {
    play_to_the_end();
    assert_true(is_told());
    memcpy(room.world.loader, "ann", sizeof "ann");
    assert_false(is_told());
    room_do(&room, "ann again"); /* with fresh cards */
    while (room.world.status == WORLD_PLAYING)
        room_go_on(&room);
    assert_true(is_told());
}

UNIT_TEST(HF_C48_a_saved_game_counts_while_its_player_is_alone) {
    play_to_the_end();
    room.world.saved = true;
    assert_true(is_told());
    room.world.seat[1].kind = WORLD_SEAT_PERSON;
    assert_false(is_told());
}
