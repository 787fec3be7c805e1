/* The solver against the rules: whatever it says must be what plain minimax finds by playing every
 * line of every position to its end through the game's own `legal` and `apply`, without any of the
 * solver's ideas. Positions come from random play with lone hands and lone defenders; the seeds are
 * fixed, so nothing here can flake. */
#include "bots/whos_deal_solver.h"
#include "tests/support.h"

/* Shared by all tests on purpose: what one leaves in the table must not harm the next. */
static struct whos_deal_solver reused;

static struct whos_deal_solver fresh;

/* ---- The reference ---- */

static int minimax(const struct whos_deal *state, int team) {
    if (state->phase != WHOS_DEAL_PLAYING)
        return state->tricks[team];
    struct move moves[16];
    size_t count = whos_deal_game.legal(state, state->turn, moves, 16);
    bool ours = whos_deal_team(state->turn) == team;
    int best = ours ? 0 : WHOS_DEAL_TRICKS;
    for (size_t i = 0; i < count; i++) {
        struct whos_deal next = *state;
        verb_apply(&whos_deal_game, &next, state->turn, &moves[i], NULL);
        int tricks = minimax(&next, team);
        if (ours ? tricks > best : tricks < best)
            best = tricks;
    }
    return best;
}

/* ---- Random positions ---- */

static void make_random_move(struct whos_deal *state, struct chance *chance) {
    struct move moves[16];
    size_t count = whos_deal_game.legal(state, state->turn, moves, 16);
    struct move *move = &moves[chance_below(chance, (uint32_t)count)];
    verb_apply(&whos_deal_game, state, state->turn, move, NULL);
}

/* A new deal, called at random and often alone, then played to that trick and some cards on. */
static void random_position(uint64_t number, int tricks_left, struct whos_deal *out) {
    struct table t;
    struct chance chance;
    table_start(&t, &whos_deal_game, number % 2 == 0 ? "defendAlone=yes" : "", WHOS_DEAL_SEATS);
    chance_start_number(&chance, number, 1);
    ((struct whos_deal *)t.state.bytes)->dealer = (uint8_t)chance_below(&chance, 4);
    assert_true(game_deal_chance(t.game, &t.state, &chance, NULL, NULL));
    memcpy(out, t.state.bytes, sizeof *out);
    while (out->phase != WHOS_DEAL_PLAYING)
        make_random_move(out, &chance);
    while (out->tricks_played < WHOS_DEAL_TRICKS - tricks_left)
        make_random_move(out, &chance);
    for (uint32_t cards = chance_below(&chance, out->trick_size); cards > 0; cards--)
        make_random_move(out, &chance);
}

/* ---- One position ---- */

/* The number for both teams, and yes or no for any number. */
static void solves(const struct whos_deal *state) {
    struct whos_deal_position position;
    whos_deal_position_from(state, &position);
    assert_int_equal(whos_deal_position_turn(&position), state->turn);
    int tricks_of_first = minimax(state, 0);
    for (int team = 0; team < 2; team++) {
        int tricks = team == 0 ? tricks_of_first : WHOS_DEAL_TRICKS - tricks_of_first;
        assert_int_equal(whos_deal_solver_tricks(&reused, &position, team), tricks);
        for (int number = -1; number <= WHOS_DEAL_TRICKS + 1; number++)
            assert_int_equal(whos_deal_solver_at_least(&reused, &position, team, number),
                             tricks >= number);
    }
}

/* Every legal card is worth what minimax finds after it, and no other card has a value. */
static void solves_cards(const struct whos_deal *state) {
    struct whos_deal_position position;
    int8_t expected[WHOS_DEAL_CARDS], cards[WHOS_DEAL_CARDS];
    struct move moves[16];
    whos_deal_position_from(state, &position);
    memset(expected, WHOS_DEAL_SOLVER_ILLEGAL, sizeof expected);
    size_t count = whos_deal_game.legal(state, state->turn, moves, 16);
    for (size_t i = 0; i < count; i++) {
        struct whos_deal next = *state;
        verb_apply(&whos_deal_game, &next, state->turn, &moves[i], NULL);
        expected[moves[i].args[0]] = (int8_t)minimax(&next, whos_deal_team(state->turn));
    }
    whos_deal_solver_cards(&reused, &position, cards);
    assert_memory_equal(cards, expected, sizeof cards);
}

static void agrees_with_minimax(int tricks_left, uint64_t first, int count) {
    for (int i = 0; i < count; i++) {
        struct whos_deal state;
        random_position(first + (uint64_t)i, tricks_left, &state);
        solves(&state);
        solves_cards(&state);
    }
}

/* ---- Tests ---- */

static void the_last_trick(void **state) {
    agrees_with_minimax(1, 100000, 5000);
}

static void two_tricks_left(void **state) {
    agrees_with_minimax(2, 200000, 10000);
}

static void three_tricks_left(void **state) {
    agrees_with_minimax(3, 300000, 15000);
}

static void four_tricks_left(void **state) {
    agrees_with_minimax(4, 400000, 1500);
}

static void five_tricks_left(void **state) {
    agrees_with_minimax(5, 500000, 60);
}

/* The positions above are of all kinds. */
static void random_positions_are_of_all_kinds(void **state) {
    int trump[4] = {0}, lead[4] = {0}, seats[5] = {0}, on_table[4] = {0}, sitting_out[16] = {0};
    for (uint64_t i = 0; i < 1000; i++) {
        struct whos_deal hand;
        random_position(300000 + i, 3, &hand);
        trump[hand.trump]++;
        lead[hand.lead]++;
        seats[hand.trick_size]++;
        on_table[hand.trick_count]++;
        sitting_out[hand.sitting_out]++;
    }
    for (int i = 0; i < 4; i++)
        assert_true(trump[i] > 100 && lead[i] > 100 && on_table[i] > 50 &&
                    sitting_out[1 << i] > 20);
    for (int i = 2; i <= 4; i++)
        assert_true(seats[i] > 100);
    assert_true(sitting_out[3] > 20 && sitting_out[6] > 20);
    assert_true(sitting_out[9] > 20 && sitting_out[12] > 20);
}

/* A table that has seen many deals gives the same answers as an empty one, on whole hands and in
 * the middle of them. */
static void a_reused_solver_is_as_good_as_a_fresh_one(void **state) {
    for (uint64_t i = 0; i < 3000; i++) {
        struct whos_deal hand;
        struct whos_deal_position position;
        int8_t once[WHOS_DEAL_CARDS], again[WHOS_DEAL_CARDS];
        random_position(600000 + i, 5 - (int)(i & 1), &hand);
        whos_deal_position_from(&hand, &position);
        whos_deal_solver_start(&fresh);
        whos_deal_solver_cards(&fresh, &position, once);
        whos_deal_solver_cards(&reused, &position, again);
        assert_memory_equal(once, again, sizeof once);
    }
}

/* What a team takes, the other one does not; the best card is worth what the position is. */
static void the_answers_fit_together(void **state) {
    for (uint64_t i = 0; i < 3000; i++) {
        struct whos_deal hand;
        struct whos_deal_position position;
        int8_t cards[WHOS_DEAL_CARDS];
        int best = 0;
        random_position(700000 + i, 5, &hand);
        whos_deal_position_from(&hand, &position);
        int team = whos_deal_team(hand.turn);
        int tricks = whos_deal_solver_tricks(&reused, &position, team);
        assert_int_equal(whos_deal_solver_tricks(&reused, &position, team ^ 1), 5 - tricks);
        whos_deal_solver_cards(&reused, &position, cards);
        for (int card = 0; card < WHOS_DEAL_CARDS; card++)
            best = cards[card] > best ? cards[card] : best;
        assert_int_equal(best, tricks);
    }
}

static uint32_t cards_of(int a, int b) {
    return (uint32_t)1 << a | (uint32_t)1 << b;
}

enum { NINE, TEN, JACK, QUEEN, KING, ACE };

/* Hearts (suit 1) are trump. The left bower, the jack of diamonds, takes a heart lead above the
 * ace of hearts, and a diamond lead is not for it to follow. */
static void the_left_bower_is_the_second_trump(void **state) {
    int hearts = 6, diamonds = 12, clubs = 18;
    struct whos_deal_position position = {
        .hand = {cards_of(hearts + ACE, diamonds + NINE), cards_of(diamonds + JACK, clubs + NINE),
                 cards_of(diamonds + ACE, clubs + QUEEN), cards_of(diamonds + TEN, clubs + KING)},
        .trump = 1,
        .tricks = {2, 1},
    };
    int8_t cards[WHOS_DEAL_CARDS];
    whos_deal_solver_cards(&reused, &position, cards);
    assert_int_equal(cards[hearts + ACE], 2);
    assert_int_equal(cards[diamonds + NINE], 3);
    assert_int_equal(cards[diamonds + JACK], WHOS_DEAL_SOLVER_ILLEGAL);
    assert_int_equal(whos_deal_solver_tricks(&reused, &position, 1), 2);
}

/* After the last trick there is nothing left to solve. */
static void a_hand_that_is_over_has_its_tricks(void **state) {
    struct whos_deal_position position = {.trump = 3, .lead = 2, .tricks = {4, 1}};
    int8_t cards[WHOS_DEAL_CARDS];
    assert_int_equal(whos_deal_solver_tricks(&reused, &position, 0), 4);
    assert_true(whos_deal_solver_at_least(&reused, &position, 0, 4));
    assert_false(whos_deal_solver_at_least(&reused, &position, 0, 5));
    assert_true(whos_deal_solver_at_least(&reused, &position, 1, 1));
    assert_false(whos_deal_solver_at_least(&reused, &position, 1, 2));
    whos_deal_solver_cards(&reused, &position, cards);
    for (int card = 0; card < WHOS_DEAL_CARDS; card++)
        assert_int_equal(cards[card], WHOS_DEAL_SOLVER_ILLEGAL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_positions_are_of_all_kinds),
        cmocka_unit_test(the_left_bower_is_the_second_trump),
        cmocka_unit_test(a_hand_that_is_over_has_its_tricks),
        cmocka_unit_test(the_last_trick),
        cmocka_unit_test(two_tricks_left),
        cmocka_unit_test(three_tricks_left),
        cmocka_unit_test(four_tricks_left),
        cmocka_unit_test(five_tricks_left),
        cmocka_unit_test(a_reused_solver_is_as_good_as_a_fresh_one),
        cmocka_unit_test(the_answers_fit_together),
    };
    whos_deal_solver_start(&reused);
    return cmocka_run_group_tests_name("whos_deal_solver", tests, NULL, NULL);
}
