/* High Card, to be copied with the game: what its rules say, and what its views hide. The laws are
 * tested for every game by themselves. */
#include "games/template/template.h"
#include "tests/support.h"

static void the_highest_card_that_is_shown_wins(void **state) {
    struct table table;
    table_start(&table, &template_game, "", 3);
    table_deal(&table, "9S / KH / AD");
    table_play(&table, "0 show\n1 show\n2 fold");
    assert_true(table_shows(&table, SPECTATOR, "\"result\":{\"winners\":[1],\"scores\":[9,13,0]}"));
    assert_string_equal(table_legal(&table, 0), "again");
    table_play(&table, "2 again");
    assert_int_equal(game_to_act(&template_game, &table.state), AWAITS_NATURE);
}

static void everybody_decides_in_turn(void **state) {
    struct table table;
    table_start(&table, &template_game, "folding=no", 2);
    table_refuses(&table, "0 show", "WRONG_PHASE", NULL);
    table_deal(&table, "");
    table_refuses(&table, "1 show", "NOT_YOUR_TURN", NULL);
    table_refuses(&table, "0 fold", "NO_FOLDING", "Cards must be shown at this table");
    assert_string_equal(table_legal(&table, 0), "show");
    assert_string_equal(table_legal(&table, 1), "");
}

static void a_card_is_hidden_until_it_is_shown(void **state) {
    struct table table;
    table_start(&table, &template_game, "", 2);
    table_deal(&table, "9S / KH");
    assert_true(table_shows(&table, 0, "9S"));
    assert_false(table_shows(&table, 1, "9S") || table_shows(&table, SPECTATOR, "9S"));
    table_play(&table, "0 show");
    table_told(&table, "card-shown", "{\"seatIndex\":0,\"card\":\"9S\"}");
    assert_true(table_shows(&table, 1, "9S"));
    assert_false(table_shows(&table, 0, "KH"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_highest_card_that_is_shown_wins),
        cmocka_unit_test(everybody_decides_in_turn),
        cmocka_unit_test(a_card_is_hidden_until_it_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
