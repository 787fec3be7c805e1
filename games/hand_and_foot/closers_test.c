/* Hand & Foot, preset closers (after "Hand and Foot Tests"): the rules of play. Models, routes and
 * the export are tested elsewhere.
 *
 * Most tests set up the position they need: the functions of test_support.h move cards between the
 * stock and the place where they are wanted, so that every card still exists once (the engine
 * checks that after each move). Whole deals and whole rounds by play alone are among the golden
 * records. */
#include "games/hand_and_foot/test_support.h"

#define PRESET "preset=closers"
#define NO_BOOKS                                                                                   \
    "Need 2 Natural Books (have 0): 7+ cards with NO wilds; "                                      \
    "Need 2 Unnatural Books (have 0): 7+ cards WITH wilds"

static void set_closed(struct table *table, int side, const char *cards) {
    set_book(table, side, cards);
    edit(table)->books[edit(table)->book_count - 1].closed = true;
}

static bool is_closed(struct table *table, int side, int number) {
    return edit(table)->books[hand_foot_find_book(edit(table), side, number)].closed;
}

/* ---- Setup ---- */

/* HT-13, HT-14, HT-C3 */
TABLE_TEST(HT_13_HT_14_HT_C3_four_six_or_eight_players) {
    const struct game *game = &hand_and_foot_game;
    table_refuses_start(game, PRESET, 2, "INVALID_SETTING", "Teams need at least 4 players, not 2");
    table_refuses_start(game, PRESET, 3, "INVALID_SETTING", "Teams need at least 4 players, not 3");
    table_refuses_start(game, PRESET, 5, "INVALID_SETTING",
                        "Teams need an even number of players, not 5");
    table_refuses_start(game, PRESET, 7, "INVALID_SETTING",
                        "Teams need an even number of players, not 7");
    for (int seats = 4; seats <= 8; seats += 2) {
        table_start(table, game, PRESET, seats);
        assert_int_equal(edit(table)->sides, 2);
        for (int seat = 0; seat < seats; seat++)
            assert_int_equal(hand_foot_side(edit(table), seat), seat % 2);
    }
}

static void stock_after_deal(const char *options, int seats, int stock) {
    struct table table;
    begin(&table, options, seats);
    assert_int_equal(edit(&table)->stock_count, stock);
    assert_int_equal(edit(&table)->pile_count, 0);
    for (int seat = 0; seat < seats; seat++) {
        assert_int_equal(edit(&table)->hand_count[seat], 14);
        assert_int_equal(edit(&table)->foot_count[seat], 14);
    }
}

/* HT-15, HT-16, HT-17, HT-18, HT-C1, HT-C2 */
UNIT_TEST(HT_16_to_HT_18_fourteen_cards_twice_and_the_rest_is_stock) {
    stock_after_deal(PRESET, 4, 158);
    stock_after_deal(PRESET, 6, 210);
    stock_after_deal(PRESET, 8, 262);
    stock_after_deal(PRESET " jokersPerDeck=0", 4, 148);
    stock_after_deal(PRESET " jokersPerDeck=0", 6, 196);
    stock_after_deal(PRESET " jokersPerDeck=0", 8, 244);
    stock_after_deal(PRESET " decks=6", 4, 6 * 54 - 4 * 28);
    stock_after_deal(PRESET " decks=5", 4, 158);
}

/* HT-15 */
UNIT_TEST(HT_15_fewer_decks_than_players_and_one_are_refused) {
    table_refuses_start(&hand_and_foot_game, PRESET " decks=4", 4, "INVALID_SETTING",
                        "4 players need at least 5 decks, not 4");
    table_refuses_start(&hand_and_foot_game, PRESET " decks=6", 6, "INVALID_SETTING",
                        "6 players need at least 7 decks, not 6");
}

static void deal_two_piles(struct table *table) {
    begin_with(table, PRESET, 4,
               &(struct wanted){
                   .hand = {"KH KS", "QH QS", "8D"}, .foot = {"AH AS", "JH JS"}, .stock = "9H 9S"});
}

/* HT-19, HT-31, HT-C18, HF-C45 */
TABLE_TEST(HT_19_HT_C18_the_chosen_pile_is_the_hand) {
    struct game_state seen;
    deal_two_piles(table);
    game_observe(table->game, &table->state, 0, &seen);
    kinds_are(((const struct hand_and_foot *)(const void *)seen.bytes)->hand[0], "");
    hidden_from(table, 0, "\"hand\":[");
    shown_to(table, 0, "\"handCount\":14,\"footCount\":14");
    assert_null(table_event(table, "hand-updated", 0));
    assert_string_equal(table_legal(table, 0), "draw; pile 1; pile 2");
    refused(table, "0 pile 3", "INVALID_PILE");
    refused(table, "0 pile", "INVALID_PILE");
    refused(table, "1 pile 2", "NOT_YOUR_TURN");
    table_play(table, "0 pile 2");
    table_told(table, "pile-chosen", "{\"seatIndex\":0,\"pile\":2}");
    assert_int_equal(table_event(table, "hand-updated", 0)->audience, 1);
    shown_to(table, 0, "\"AH\"");
    hidden_from(table, 0, "\"KH\"");
    hidden_from(table, 2, "\"AH\"");
    refused(table, "0 pile 1", "WRONG_PHASE");
    table_play(table, "0 draw\n0 discard AH");
    assert_int_equal(edit(table)->foot[0][card_of(CARD_KING, CARD_HEARTS)], 1);
}

/* HT-19, HT-C18, HF-C45 */
TABLE_TEST(HT_C18_no_choice_means_the_first_pile) {
    deal_two_piles(table);
    table_play(table, "0 draw");
    shown_to(table, 0, "\"KH\"");
    hidden_from(table, 0, "\"AH\"");
    refused(table, "0 pile 2", "WRONG_PHASE");
    table_play(table, "0 discard KH\n1 pile 1");
    shown_to(table, 1, "\"QH\"");
    table_play(table, "1 draw\n1 discard QH\n2 draw\n2 discard 8D\n3 draw");
    refused(table, "3 pile 1", "WRONG_PHASE");
}

/* HT-C18, HF-C45: a take is a pick-up as well */
TABLE_TEST(HT_C18_a_take_settles_the_choice) {
    begin_settled(table, PRESET);
    set_book(table, 0, "KS KH KD");
    set_pile(table, "9S KC");
    edit(table)->chose_pile[0] = false;
    table_play(table, "0 take add 1");
    assert_true(edit(table)->chose_pile[0]);
    hand_is(table, 0, "4S 4H 4D 9S");
}

/* HT-31: before a pile is chosen no refusal tells what is in it. */
TABLE_TEST(HT_31_a_pile_cannot_be_felt_for_cards) {
    static const char *const lines[] = {"0 take KH KS", "0 take 9D 9D", "0 take add 1 KH",
                                        "0 take add 1 9D"};
    deal_two_piles(table);
    set_book(table, 0, "KS KH KD");
    set_pile(table, "9S KC");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        table_refuses(table, lines[i], "WRONG_PHASE", "Choose your hand first: pile 1 or pile 2");
    table_play(table, "0 pile 1");
    refused(table, "0 take 9D 9D", "INVALID_CARD");
    table_play(table, "0 take add 1 KH");
}

/* HF-C46 */
TABLE_TEST(HF_C46_wrong_deals_are_refused) {
    char line[DEAL_TEXT_SIZE];
    table_start(table, &hand_and_foot_game, PRESET, 4);
    snprintf(line, sizeof line, "%s", deal_text(table, &(struct wanted){0}));
    line[strlen(line) - 3] = '\0';
    refused(table, line, "INVALID_DEAL");
    refused(table, "- deal KH + KS", "INVALID_DEAL");
    deal_again(table);
    refused(table, line, "WRONG_PHASE");
}

/* ---- Turn ---- */

/* HT-21, HT-22 */
TABLE_TEST(HT_21_HT_22_the_player_must_pick_up_one_card_first) {
    begin_settled(table, PRESET);
    set_book(table, 0, CLEAN_KINGS);
    set_next(table, "9S 9H");
    refused(table, "0 meld 4S 4H 4D", "WRONG_PHASE");
    refused(table, "0 add 1 4S", "WRONG_PHASE");
    refused(table, "0 close 1", "WRONG_PHASE");
    refused(table, "0 discard 4S", "WRONG_PHASE");
    refused(table, "0 take 4S 4H", "PILE_EMPTY");
    table_play(table, "0 draw");
    hand_is(table, 0, "4S 4H 4D 9S");
    refused(table, "0 draw", "WRONG_PHASE");
}

/* HT-C6 */
TABLE_TEST(HT_C6_one_discard_ends_the_turn) {
    begin_settled(table, PRESET);
    melding(table, 0, "9S 8S");
    table_play(table, "0 discard 9S");
    pile_is(table, "9S");
    turn_of(table, 1);
    refused(table, "0 discard 8S", "NOT_YOUR_TURN");
}

/* HT-23, HT-28, HT-29, HT-30, HF-C37 */
TABLE_TEST(HT_23_HT_29_five_cards_with_the_top_played_at_once) {
    begin_settled(table, PRESET);
    set_book(table, 0, "KS KH KD");
    set_hand(table, 0, "9S 9H");
    set_pile(table, "6S 6H 7S 3H 8S 8H KC");
    hidden_from(table, 0, "\"8H\"");
    table_play(table, "0 take add 1");
    book_is(table, 0, 1, "KS KH KD KC");
    hand_is(table, 0, "9S 9H 8H 8S 3H 7S");
    pile_is(table, "6S 6H");
    table_told(table, "pile-taken",
               "{\"seatIndex\":0,\"topCard\":\"KC\",\"count\":5,\"pileSize\":2}");
    assert_int_equal(table_event(table, "hand-updated", 0)->audience, 1);
    refused(table, "0 draw", "WRONG_PHASE");
    refused(table, "0 take add 1", "WRONG_PHASE");
    shown_to(table, 1, "\"discardPile\":{\"size\":2,\"top\":\"6H\"}");
}

/* HT-24 */
TABLE_TEST(HT_24_a_smaller_pile_is_taken_whole) {
    begin_settled(table, PRESET);
    set_book(table, 0, "KS KH KD");
    set_hand(table, 0, "9S 9H");
    set_pile(table, "6H 7S KC");
    table_play(table, "0 take add 1");
    hand_is(table, 0, "9S 9H 7S 6H");
    pile_is(table, "");
}

/* HT-29, HT-C8, HT-C11, HF-C37 */
TABLE_TEST(HF_C37_the_top_card_may_be_played_in_every_form) {
    begin_settled(table, PRESET);
    set_book(table, 0, "KS KH KD");
    set_hand(table, 0, "KS 2S 9S 9H 2C QS QH QD 8S");
    set_pile(table, "6H KC");
    table_play(table, "0 take add 1 KS 2S");
    book_is(table, 0, 1, "KS KH KD KC KS 2S");
    turn_to(table, 0);
    set_pile(table, "9D");
    table_play(table, "0 take 9S 2C / QS QH QD");
    book_is(table, 0, 2, "9S 2C 9D");
    book_is(table, 0, 3, "QS QH QD");
    hand_is(table, 0, "9H 8S 6H");
}

/* HT-29, HT-C8, HT-C21, HF-C43 */
TABLE_TEST(HT_29_HT_C8_a_take_that_does_not_play_the_top_is_refused) {
    begin_settled(table, PRESET);
    set_book(table, 0, "KS KH KD");
    set_book(table, 1, "9S 9H 9D");
    set_hand(table, 0, "QS QH QD 9S 2S 2H 2D KS KH 8S 8H");
    set_pile(table, "6H 9C");
    refused(table, "0 take", "MELD_TOO_SMALL");
    refused(table, "0 take 9S", "MELD_TOO_SMALL");
    refused(table, "0 take QS QH QD", "MIXED_RANKS");
    refused(table, "0 take 2S 2H", "NEED_NATURALS");
    refused(table, "0 take 9S 2S 2H 2D", "TOO_MANY_WILDS");
    refused(table, "0 take add 1", "WRONG_RANK");
    refused(table, "0 take add 2", "INVALID_BOOK");
    refused(table, "0 take 9H 9S", "INVALID_CARD");
    refused(table, "0 take 9S 2S / QS QH", "MELD_TOO_SMALL");
    set_pile(table, "6H KC");
    refused_with(table, "0 take KS KH", "BOOK_OPEN", "Add to the open book of rank K");
    table_play(table, "0 take add 1");
}

/* HT-27, HT-28 */
TABLE_TEST(HT_27_a_red_three_on_top_locks_the_pile) {
    begin_settled(table, PRESET);
    set_book(table, 0, "3S 3C 3S");
    set_hand(table, 0, "3C 3C 2S 9S");
    set_pile(table, "KS 3H");
    refused(table, "0 take add 1", "PILE_THREE");
    refused(table, "0 take 3C 3C", "PILE_THREE");
    legal_lacks(table, 0, "take");
    set_pile(table, "KS 3D");
    refused(table, "0 take add 1", "PILE_THREE");
}

/* HT-C10, HT-41 */
TABLE_TEST(HT_C10_a_black_three_or_a_wild_on_top_may_be_taken) {
    begin_settled(table, PRESET);
    set_book(table, 0, "KS KH KD");
    set_hand(table, 0, "3C 3C 9S 9H 8S");
    set_pile(table, "6H 3S");
    table_play(table, "0 take 3C 3C");
    book_is(table, 0, 2, "3C 3C 3S");
    turn_to(table, 0);
    set_pile(table, "2S");
    legal_has(table, 0, "take 9S 9H");
    legal_has(table, 0, "take add 1");
    table_play(table, "0 take 9S 9H");
    book_is(table, 0, 3, "9S 9H 2S");
    turn_to(table, 0);
    set_pile(table, "JK");
    table_play(table, "0 take add 1");
    book_is(table, 0, 1, "KS KH KD JK");
    shown_to(table, 0, "\"discardPileFrozen\":false");
}

/* HT-C9, HF-C43, HF-C37 */
TABLE_TEST(HT_C9_HF_C43_a_first_meld_by_take_must_exceed_the_minimum_itself) {
    begin_settled(table, PRESET);
    set_hand(table, 0, "KS KH QS QH QD 8S 8H 8D 7S");
    set_pile(table, "AS AH KC");
    refused_with(table, "0 take KS KH", "MIN_POINTS",
                 "Need more than 50 points to play down (have 30)");
    refused(table, "0 take KS KH / 8S 8H 8D", "MIN_POINTS");
    assert_false(edit(table)->melded[0]);
    table_play(table, "0 take KS KH / QS QH QD");
    table_told(table, "cards-melded",
               "{\"seatIndex\":0,\"team\":0,\"bookId\":1,\"cards\":[\"KS\",\"KH\",\"KC\"],"
               "\"firstMeld\":true}");
    assert_true(edit(table)->melded[0]);
    hand_is(table, 0, "8S 8H 8D 7S AH AS");
}

/* HT-C9: the minimum is exceeded, not reached, by a take too */
TABLE_TEST(HT_C9_fifty_points_with_the_top_are_not_enough) {
    begin_settled(table, PRESET);
    set_hand(table, 0, "KS KH 2S 8S 8H 8D 7S");
    set_pile(table, "AS KC");
    refused(table, "0 take KS KH 2S", "MIN_POINTS");
    table_play(table, "0 take KS KH 2S / 8S 8H 8D");
}

/* HF-C41 */
TABLE_TEST(HF_C41_a_take_that_empties_the_hand) {
    begin_settled(table, PRESET);
    set_book(table, 0, "QS QH QD");
    set_hand(table, 0, "KS KH");
    set_pile(table, "7S KD");
    table_play(table, "0 take KS KH");
    hand_is(table, 0, "7S");
    assert_false(edit(table)->in_foot[0]);
    turn_to(table, 0);
    set_pile(table, "KC");
    set_hand(table, 0, "KS");
    table_play(table, "0 take add 2 KS");
    hand_is(table, 0, "5S 5H 5D");
    assert_true(edit(table)->in_foot[0]);
}

/* HT-25, HF-C36 */
TABLE_TEST(HT_25_cards_go_on_books_of_the_own_team_only) {
    begin_settled(table, PRESET);
    set_book(table, 1, "KS KH KD");
    set_book(table, 0, "QS QH QD");
    melding(table, 2, "KC QC 9S");
    refused(table, "2 add 1 KC", "WRONG_RANK");
    refused(table, "2 add 2 KC", "INVALID_BOOK");
    table_play(table, "2 add 1 QC");
    book_is(table, 0, 1, "QS QH QD QC");
    book_is(table, 1, 1, "KS KH KD");
}

/* HT-30, HT-31 */
TABLE_TEST(HT_30_HT_31_nobody_sees_the_pile_below_its_top_or_a_foot) {
    struct game_state seen;
    begin_settled(table, PRESET);
    set_pile(table, "KS KH 6S");
    melding(table, 0, "9S 9H");
    game_observe(table->game, &table->state, 0, &seen);
    const struct hand_and_foot *known = (const void *)seen.bytes;
    kinds_are(known->hand[0], "9S 9H");
    for (int seat = 0; seat < 4; seat++)
        kinds_are(known->foot[seat], "");
    kinds_are(known->hand[1], "");
    kinds_are(known->hand[2], "");
    /* Everybody saw what lies in the pile and may remember it; shown is only its top. */
    assert_int_equal(known->pile[0], card_of(CARD_KING, CARD_SPADES));
    hidden_from(table, 0, "\"KS\"");
    hidden_from(table, 0, "\"KH\"");
    for (int i = 0; i < known->stock_count; i++)
        assert_int_equal(known->stock[i], 0);
    hidden_from(table, 0, "\"foot\":[");
}

/* HT-32 */
TABLE_TEST(HT_32_sorting_is_the_players_choice) {
    begin_settled(table, PRESET);
    assert_int_equal(edit(table)->rules[RULE_SORTING], SORTING_CHOICE);
}

/* ---- Books ---- */

/* HT-26, HT-33, HT-37, HT-38, HT-44 */
TABLE_TEST(HT_33_HT_37_HT_38_a_new_book_has_three_cards_of_a_rank) {
    begin_settled(table, PRESET);
    set_book(table, 0, "QS QH QD");
    melding(table, 0, "KS KH KD 9S 9H 9D 2S 2H 2D JK JK 8S");
    refused(table, "0 meld KS KH", "MELD_TOO_SMALL");
    refused(table, "0 meld KS KH 9S", "MIXED_RANKS");
    refused(table, "0 meld 2S 2H 2D", "NEED_NATURALS");
    refused(table, "0 meld JK JK 2D", "NEED_NATURALS");
    refused(table, "0 meld KS JK", "MELD_TOO_SMALL");
    refused(table, "0 meld KS 2S JK", "NEED_NATURALS");
    refused(table, "0 add 1 KS", "WRONG_RANK");
    table_play(table, "0 meld KS KH 2S");
    book_is(table, 0, 2, "KS KH 2S");
}

/* HT-36 */
TABLE_TEST(HT_36_wilds_never_outnumber_rank_cards) {
    begin_settled(table, PRESET);
    set_book(table, 0, "QS QH 2S");
    melding(table, 0, "KS KH 2H 2D JK 9S 9H 2C QC");
    refused_with(table, "0 meld KS KH 2H 2D JK", "TOO_MANY_WILDS",
                 "Too many wild cards (3 wilds, 2 naturals). Wilds cannot exceed naturals.");
    table_play(table, "0 meld KS KH 2H 2D");
    refused(table, "0 add 2 JK", "TOO_MANY_WILDS");
    table_play(table, "0 add 1 JK");
    refused(table, "0 add 1 2C", "TOO_MANY_WILDS");
    table_play(table, "0 add 1 QC 2C");
}

/* HT-39, HT-40, HT-41, HT-C16 */
TABLE_TEST(HT_39_to_HT_41_HT_C16_books_of_black_threes) {
    begin_settled(table, PRESET);
    set_book(table, 0, "QS QH QD");
    melding(table, 0, "3S 3C 3S 3C 2S 3H 3D 3H 3D JK 9S");
    refused_with(table, "0 meld 3H 3D 3H", "THREES", "Red 3s cannot be melded");
    refused(table, "0 meld 3H 3D 2S", "THREES");
    refused(table, "0 meld 3S 3C 3H", "THREES");
    refused(table, "0 add 1 3S", "WRONG_RANK");
    table_play(table, "0 meld 3S 3C 2S");
    refused(table, "0 add 2 3H", "THREES");
    refused(table, "0 add 2 3S 3D", "THREES");
    table_play(table, "0 add 2 3S 3C JK");
    book_is(table, 0, 2, "3S 3C 2S 3S 3C JK");
    assert_int_equal(hand_foot_book_points(edit(table)->rules, &edit(table)->books[1]), 90);
}

/* HT-41, HT-C16 */
TABLE_TEST(HT_41_three_black_threes_are_a_natural_book) {
    begin_settled(table, PRESET);
    set_book(table, 0, "QS QH QD");
    melding(table, 0, "3S 3C 3S 9S 9H");
    legal_has(table, 0, "meld 3S 3S 3C");
    table_play(table, "0 meld 3S 3C 3S");
    shown_to(table, 1, "\"rank\":\"3\",\"cards\":[\"3S\",\"3S.2\",\"3C\"]");
}

/* HT-39, HT-40: nor are red threes offered */
TABLE_TEST(HT_40_red_threes_are_never_offered) {
    begin_settled(table, PRESET);
    set_book(table, 0, "3S 3C 3S");
    edit(table)->books[0].closed = true;
    melding(table, 0, "3H 3D 3H 2S 9S");
    legal_lacks(table, 0, "meld");
    legal_lacks(table, 0, "add 1 3");
    legal_has(table, 0, "discard 3H");
}

/* HT-34, HT-35, HT-C23, HT-12 */
TABLE_TEST(HT_34_HT_C23_seven_cards_can_be_closed) {
    begin_settled(table, PRESET);
    set_book(table, 1, CLEAN_QUEENS);
    set_book(table, 0, "KS KH KD KC KS KH");
    set_book(table, 0, DIRTY_JACKS);
    melding(table, 2, "KD 9S 9H");
    refused_with(table, "2 close 1", "BOOK_TOO_SMALL",
                 "A book needs 7 cards to be closed, it has 6");
    refused(table, "2 close 3", "INVALID_BOOK");
    refused(table, "2 close 0", "INVALID_BOOK");
    table_play(table, "2 add 1 KD");
    table_told(table, "book-completed",
               "{\"seatIndex\":2,\"bookId\":1,\"status\":\"Natural Book\"}");
    assert_false(is_closed(table, 0, 1));
    legal_has(table, 2, "close 1");
    table_play(table, "2 close 1");
    table_told(table, "book-closed", "{\"seatIndex\":2,\"bookId\":1,\"status\":\"Natural Book\"}");
    assert_true(is_closed(table, 0, 1));
    refused(table, "2 close 1", "BOOK_CLOSED");
    table_play(table, "2 done\n2 close 2");
    table_told(table, "book-closed",
               "{\"seatIndex\":2,\"bookId\":2,\"status\":\"Unnatural Book\"}");
    assert_false(is_closed(table, 1, 1));
    refused(table, "1 close 1", "NOT_YOUR_TURN");
}

/* HT-42, HT-C13 */
TABLE_TEST(HT_42_HT_C13_a_closed_natural_book_takes_rank_cards_only) {
    begin_settled(table, PRESET);
    set_closed(table, 0, CLEAN_KINGS);
    melding(table, 0, "KC 2S JK 9S 9H");
    refused(table, "0 add 1 2S", "BOOK_FULL");
    refused(table, "0 add 1 KC JK", "BOOK_FULL");
    table_play(table, "0 add 1 KC");
    book_is(table, 0, 1, CLEAN_KINGS " KC");
    assert_true(is_closed(table, 0, 1));
}

/* HT-10: the words natural and unnatural, not clean and dirty, are shown to players. */
TABLE_TEST(HT_10_a_closed_natural_book_is_called_so_in_refusals) {
    begin_settled(table, PRESET);
    set_closed(table, 0, CLEAN_KINGS);
    melding(table, 0, "KC 2S 9S 9H");
    refused(table, "0 add 1 2S", "BOOK_FULL");
    assert_null(strstr(table->why.text, "clean"));
}

/* HT-42, HT-C13, HT-36 */
TABLE_TEST(HT_42_HT_C13_a_closed_unnatural_book_takes_both_within_the_limit) {
    begin_settled(table, PRESET);
    set_closed(table, 0, "JS JH JD JC 2S 2H 2D");
    melding(table, 0, "JS 2C JK 9S 9H");
    table_play(table, "0 add 1 2C");
    refused(table, "0 add 1 JK", "TOO_MANY_WILDS");
    table_play(table, "0 add 1 JS");
    assert_true(is_closed(table, 0, 1));
    table_play(table, "0 add 1 JK");
}

/* HT-43, HT-C13 */
TABLE_TEST(HT_43_HT_C13_an_open_natural_book_may_become_unnatural) {
    begin_settled(table, PRESET);
    set_book(table, 0, CLEAN_KINGS);
    melding(table, 0, "2S 9S 9H");
    shown_to(table, 1,
             "\"unnatural\":false,\"status\":\"Natural Book\",\"points\":70,"
             "\"bonus\":100");
    table_play(table, "0 add 1 2S");
    shown_to(table, 1,
             "\"unnatural\":true,\"status\":\"Unnatural Book\",\"points\":90,"
             "\"bonus\":50");
    table_play(table, "0 close 1");
    shown_to(table, 1, "\"closed\":true,\"unnatural\":true");
}

/* HT-C21, HF-C43 */
TABLE_TEST(HT_C21_a_second_book_of_a_rank_only_after_closing) {
    begin_settled(table, PRESET);
    set_book(table, 0, CLEAN_KINGS);
    set_book(table, 1, "9S 9H 9D");
    melding(table, 0, "KC KS KH 9S 9H 9D QS QH QD QC QS QH 8S");
    refused(table, "0 meld KC KS KH", "BOOK_OPEN");
    refused(table, "0 meld QS QH QD / QC QS QH", "BOOK_OPEN");
    books_are(table, 0, 1);
    legal_lacks(table, 0, "meld K");
    legal_has(table, 0, "meld 9S 9H 9D");
    table_play(table, "0 close 1\n0 meld KC KS KH");
    book_is(table, 0, 2, "KC KS KH");
    table_play(table, "0 meld 9S 9H 9D");
    legal_has(table, 0, "meld QS QS QH QH QD QC");
    melding(table, 2, "KD KC KS 9C");
    refused(table, "2 meld KD KC KS", "BOOK_OPEN");
}

/* HT-45, HT-46, HT-47, HT-C17 */
TABLE_TEST(HT_45_to_HT_47_HT_C17_the_top_card_tells_the_kind) {
    begin_settled(table, PRESET);
    set_closed(table, 0, "KS KC KS KC KS KC KD");
    shown_to(table, 1, "\"topCard\":\"KD\",\"turned\":false");
    set_closed(table, 0, "QH QD QH QD QC 2S 2H");
    shown_to(table, 1, "\"topCard\":\"QC\",\"turned\":false");
    set_closed(table, 0, "3S 3C 3S 3C 3S 3C 3S");
    shown_to(table, 1, "\"topCard\":\"3S\",\"turned\":true");
    set_closed(table, 0, "JS JC JS JC JS JC JS");
    shown_to(table, 1, "\"topCard\":\"JS\",\"turned\":true");
    set_closed(table, 0, "10H 10D 10H 10D 10H 2S 2H");
    shown_to(table, 1, "\"topCard\":\"10H\",\"turned\":false");
    begin_settled(table, PRESET);
    set_book(table, 0, "3S 3C 3S 3C 3S 3C 3S");
    shown_to(table, 1, "\"turned\":false");
    hidden_from(table, 1, "\"turned\":true");
}

/* HT-46, HT-C16: an unnatural book of black threes is not turned */
TABLE_TEST(HT_46_a_closed_unnatural_book_of_threes_is_not_turned) {
    begin_settled(table, PRESET);
    set_closed(table, 0, "3S 3C 3S 3C 3S 3C 2S");
    shown_to(table, 1, "\"topCard\":\"3S\",\"turned\":false");
}

/* ---- First meld ---- */

static void limit_is(int round, int limit, const char *exact, const char *more) {
    struct table table;
    char line[128], text[80];
    begin_settled(&table, PRESET);
    edit(&table)->round = (uint8_t)round;
    melding(&table, 0, "KS KH KD KC JK 2S 9S 9H 9D 8S 8H 8D 7S 7H");
    snprintf(line, sizeof line, "0 meld %s", exact);
    snprintf(text, sizeof text, "Need more than %d points to play down (have %d)", limit, limit);
    refused_with(&table, line, "MIN_POINTS", text);
    snprintf(line, sizeof line, "0 meld %s", more);
    table_play(&table, line);
    int points = 0;
    for (int i = 0; i < edit(&table)->book_count; i++)
        points += hand_foot_book_points(edit(&table)->rules, &edit(&table)->books[i]);
    assert_int_equal(points, limit + 5);
}

/* HT-48, HT-49, HT-50, HT-C4 */
UNIT_TEST(HT_48_to_HT_50_HT_C4_the_minimum_must_be_exceeded) {
    limit_is(1, 50, "KS KH KD 2S", "KS KH KD KC / 8S 8H 8D");
    limit_is(2, 90, "KS KH KD KC JK", "KS KH KD JK / 8S 8H 8D");
    limit_is(3, 120, "KS KH KD KC JK / 9S 9H 9D", "KS KH KD JK / 9S 9H 9D / 8S 8H 8D");
}

/* HT-51 */
TABLE_TEST(HT_51_once_melded_any_member_melds_without_a_minimum) {
    begin_settled(table, PRESET);
    melding(table, 0, "AS AH AD 8C");
    table_play(table, "0 meld AS AH AD");
    melding(table, 1, "8S 8H 8D 7S");
    refused(table, "1 meld 8S 8H 8D", "MIN_POINTS");
    melding(table, 2, "7H 7C 7D 7S");
    table_play(table, "2 meld 7H 7C 7D");
}

/* ---- Going out ---- */

/* HT-52, HT-53, HT-54, HT-55, HT-C7, HT-C12 */
TABLE_TEST(HT_55_HT_C7_going_out_by_playing_the_last_card) {
    begin_settled(table, PRESET);
    set_two_and_two(table, 0);
    set_book(table, 1, "AS AH AD AC AS AH AD");
    melding_foot(table, 0, "KC");
    table_play(table, "0 add 1 KC");
    assert_int_equal(edit(table)->phase, HAND_FOOT_ROUND_END);
    assert_int_equal(edit(table)->out, 0);
    for (int number = 1; number <= 4; number++)
        assert_true(is_closed(table, 0, number));
    assert_true(is_closed(table, 1, 1));
    assert_null(table_event(table, "turn-started", 0));
    shown(table, "\"reason\":\"Went out\",\"wentOut\":0");
}

/* HT-55, HT-C7 */
TABLE_TEST(HT_C7_going_out_by_discarding_the_last_card) {
    begin_settled(table, PRESET);
    set_two_and_two(table, 1);
    melding_foot(table, 3, "9S");
    table_play(table, "3 discard 9S");
    assert_int_equal(edit(table)->out, 3);
    assert_true(is_closed(table, 1, 4));
}

/* HT-55, HT-C12 */
TABLE_TEST(HT_C12_the_last_play_may_complete_the_books) {
    begin_settled(table, PRESET);
    set_book(table, 0, CLEAN_KINGS);
    set_book(table, 0, "QS QH QD QC QS QH");
    set_closed(table, 0, DIRTY_JACKS);
    set_closed(table, 0, DIRTY_TENS);
    melding_foot(table, 0, "QD");
    table_play(table, "0 add 2 QD");
    assert_int_equal(edit(table)->out, 0);
}

/* HT-C12: the last play may also spoil them */
TABLE_TEST(HT_C12_a_last_wild_that_spoils_a_natural_book_is_refused) {
    begin_settled(table, PRESET);
    set_two_and_two(table, 0);
    melding_foot(table, 0, "2D");
    refused_with(table, "0 add 1 2D", "CANNOT_GO_OUT",
                 "Need 2 Natural Books (have 1): 7+ cards with NO wilds");
    table_play(table, "0 add 3 2D");
    assert_int_equal(edit(table)->out, 0);
}

/* HT-55: a take can play the last card too */
TABLE_TEST(HT_55_going_out_by_taking_the_pile) {
    begin_settled(table, PRESET);
    set_two_and_two(table, 0);
    set_in_foot(table, 0, "KS");
    set_pile(table, "KC");
    table_play(table, "0 take add 1 KS");
    assert_int_equal(edit(table)->out, 0);
}

/* HT-52 */
TABLE_TEST(HT_52_one_natural_book_is_not_enough) {
    begin_settled(table, PRESET);
    set_closed(table, 0, CLEAN_KINGS);
    set_book(table, 0, "QS QH QD QC QS QH");
    set_closed(table, 0, DIRTY_JACKS);
    set_closed(table, 0, DIRTY_TENS);
    melding_foot(table, 0, "KC");
    refused_with(table, "0 add 1 KC", "CANNOT_GO_OUT",
                 "Need 2 Natural Books (have 1): 7+ cards with NO wilds");
    refused(table, "0 discard KC", "CANNOT_GO_OUT");
}

/* HT-53 */
TABLE_TEST(HT_53_one_unnatural_book_is_not_enough) {
    begin_settled(table, PRESET);
    set_two_and_two(table, 1);
    set_closed(table, 0, "AS AH AD AC AS AH AD");
    set_closed(table, 0, "9S 9H 9D 9C 9S 9H 9D");
    set_closed(table, 0, "8S 8H 8D 8C 8S 8H 2D");
    melding_foot(table, 0, "AC");
    refused_with(table, "0 add 1 AC", "CANNOT_GO_OUT",
                 "Need 2 Unnatural Books (have 1): 7+ cards WITH wilds");
    refused(table, "0 discard AC", "CANNOT_GO_OUT");
    set_book(table, 0, "7S 7H 7D 7C 7S 7H JK");
    table_play(table, "0 discard AC");
}

/* HT-54, HT-55 */
TABLE_TEST(HT_54_the_foot_must_be_used_up_as_well) {
    begin_settled(table, PRESET);
    set_two_and_two(table, 0);
    melding(table, 0, "KC");
    table_play(table, "0 add 1 KC");
    hand_is(table, 0, "5S 5H 5D");
    assert_non_null(table_event(table, "foot-picked-up", 0));
    turn_of(table, 0);
    table_play(table, "0 discard 5S");
    turn_of(table, 1);
}

/* HT-C22 */
TABLE_TEST(HT_C22_without_the_books_two_cards_are_kept) {
    begin_settled(table, PRESET);
    set_book(table, 0, "KS KH KD");
    melding_foot(table, 0, "KC KS 9S");
    refused(table, "0 add 1 KC KS", "CANNOT_GO_OUT");
    table_play(table, "0 add 1 KC");
    refused_with(table, "0 add 1 KS", "CANNOT_GO_OUT", NO_BOOKS);
    refused(table, "0 undo", "UNDO_DISABLED");
    table_play(table, "0 discard 9S");
    hand_is(table, 0, "KS");
    set_in_foot(table, 0, "KS");
    turn_to(table, 0);
    set_pile(table, "KC");
    refused(table, "0 take add 1", "CANNOT_GO_OUT");
    set_pile(table, "8S KC");
    table_play(table, "0 take add 1");
}

/* HT-C22: with the books one card may be kept */
TABLE_TEST(HT_C22_with_the_books_one_card_may_be_left) {
    begin_settled(table, PRESET);
    set_two_and_two(table, 0);
    melding_foot(table, 0, "KC 9S");
    table_play(table, "0 add 1 KC\n0 discard 9S");
    assert_int_equal(edit(table)->out, 0);
}

/* HT-C22, HF-C38 */
TABLE_TEST(HT_C22_HF_C38_an_empty_stock) {
    begin_settled(table, PRESET);
    set_pile(table, "6S 7S");
    set_stock(table, 0);
    table_play(table, "0 draw");
    refused(table, "0 draw", "WRONG_PHASE");
    table_play(table, "- shuffle 6S");
    hand_is(table, 0, "4S 4H 4D 6S");
    pile_is(table, "7S");
    table_play(table, "0 discard 4S\n1 draw\n- shuffle 7S\n1 discard 7S");
    set_pile(table, "7S");
    set_stock(table, 0);
    table_play(table, "2 draw");
    assert_int_equal(edit(table)->out, HAND_FOOT_NOBODY);
    shown(table, "\"reason\":\"Insufficient cards in deck\"");
    shown(table, "\"goingOutBonus\":0");
}

/* HT-C12 */
TABLE_TEST(HT_C12_books_are_closed_at_the_end_of_every_round) {
    begin_settled(table, PRESET);
    set_book(table, 0, CLEAN_KINGS);
    set_book(table, 1, DIRTY_JACKS);
    set_book(table, 1, "QS QH QD QC QS QH");
    set_stock(table, 0);
    table_play(table, "0 draw");
    assert_true(is_closed(table, 0, 1));
    assert_true(is_closed(table, 1, 1));
    assert_false(is_closed(table, 1, 2));
    shown(table, "\"meldPoints\":70,\"bookBonuses\":100");
    shown(table, "\"meldPoints\":150,\"bookBonuses\":50");
}

/* ---- Points ---- */

/* HT-62, HT-63, HT-64, HT-65, HT-66, HT-C14 */
TABLE_TEST(HT_62_to_HT_66_cards_have_these_values) {
    static const int points[] = {20, 5, 5, 5, 5, 5, 5, 10, 10, 10, 10, 10, 20};
    begin_settled(table, PRESET);
    for (int card = 0; card < CARD_JOKER; card++) {
        bool red = card / 13 == CARD_HEARTS || card / 13 == CARD_DIAMONDS;
        int penalty = card % 13 == 1 && red ? 50 : points[card % 13];
        assert_int_equal(hand_foot_penalty(edit(table)->rules, card), penalty);
        if (card % 13 != 1 || !red)
            assert_int_equal(hand_foot_points(edit(table)->rules, card), points[card % 13]);
    }
    assert_int_equal(hand_foot_points(edit(table)->rules, CARD_JOKER), 50);
    assert_int_equal(hand_foot_penalty(edit(table)->rules, CARD_JOKER), 50);
}

/* HT-56, HT-58, HT-59, HT-60, HT-61, HT-66, HT-67, HT-C14, HT-C15 */
TABLE_TEST(HT_58_to_HT_67_a_round_is_scored) {
    begin_settled(table, PRESET);
    set_two_and_two(table, 0);
    set_book(table, 0, "3S 3C JK");
    set_book(table, 1, "9S 9H 2D");
    set_hand(table, 2, "AS 2D JK 8S 9C 3S 3H");
    set_foot(table, 2, "KC 4C 3C 3D");
    melding_foot(table, 0, "9S");
    table_play(table, "0 discard 9S");
    int hand = 20 + 20 + 50 + 5 + 10 + 5 + 50, foot = 10 + 5 + 5 + 50;
    scores_are(table, 310 + 60 + 300 + 150 - hand - foot, 40 - 60);
    shown(table, "\"meldPoints\":370,\"bookBonuses\":300,\"handCards\":7,\"handPenalty\":160,"
                 "\"footCards\":4,\"footPenalty\":70,\"redThreeBonus\":0,\"goingOutBonus\":150,"
                 "\"roundScore\":590,\"totalScore\":590}");
    shown(table, "\"roundHistory\":[{\"round\":1,\"score\":590,\"wentOut\":true}]");
    shown(table, "\"goingOutBonus\":0,\"roundScore\":-20,");
}

/* A member of the team goes out: 760 less the partner's 30, against -60. */
static void finish_round(struct table *table, int seat) {
    settle(table);
    set_two_and_two(table, seat % 2);
    melding_foot(table, seat, "9S");
    char line[32];
    snprintf(line, sizeof line, "%d discard 9S", seat);
    table_play(table, line);
}

/* HT-20, HT-56, HT-57, HT-C5, HF-C39, HF-C40 */
TABLE_TEST(HT_20_HT_57_HT_C5_three_rounds_in_order) {
    table_start(table, &hand_and_foot_game, PRESET, 4);
    for (int round = 1; round <= 3; round++) {
        refused(table, "0 draw", "WRONG_PHASE");
        assert_int_equal(game_to_act(table->game, &table->state), AWAITS_NATURE);
        deal_again(table);
        assert_int_equal(edit(table)->round, round);
        turn_of(table, round - 1);
        legal_has(table, round - 1, "pile 2");
        assert_int_equal(edit(table)->stock_count, 158);
        winners_are(table, 0);
        finish_round(table, round == 2 ? 1 : 2);
    }
    assert_int_equal(game_to_act(table->game, &table->state), 0);
    scores_are(table, 2 * 730 - 60, 730 - 120);
    winners_are(table, 5);
    table_told(table, "game-over", "{\"totals\":[1400,610],\"tie\":false,\"winners\":[0,2]}");
    shown(table, "\"roundHistory\":[{\"round\":1,\"score\":730,\"wentOut\":true},"
                 "{\"round\":2,\"score\":-60,\"wentOut\":false},"
                 "{\"round\":3,\"score\":730,\"wentOut\":true}]");
}

/* HT-C5 */
TABLE_TEST(HT_C5_a_tie_is_shared) {
    table_start(table, &hand_and_foot_game, PRESET, 4);
    for (int round = 1; round <= 3; round++) {
        deal_again(table);
        if (round == 3)
            edit(table)->total[1] = edit(table)->total[0] + 730 + 60;
        finish_round(table, 0);
    }
    scores_are(table, 3 * 730, 3 * 730);
    winners_are(table, 15);
    told_within(table, "game-over", "\"tie\":true,\"winners\":[0,1,2,3]");
    shown(table, "\"winners\":[0,1,2,3]");
}

/* ---- askPartner ---- */

#define ASKING PRESET " askPartner=yes"

/* HT-55 with askPartner */
TABLE_TEST(HT_55_askPartner_leave_before_the_last_play) {
    begin_settled(table, ASKING);
    set_two_and_two(table, 1);
    melding_foot(table, 1, "KC 9S");
    refused_with(table, "1 add 1 KC", "ASK_PARTNER", "Ask your partner before going out");
    table_play(table, "1 ask");
    turn_of(table, 3);
    refused(table, "1 add 1 KC", "NOT_YOUR_TURN");
    refused(table, "3 draw", "WRONG_PHASE");
    table_play(table, "3 answer yes\n1 add 1 KC\n1 discard 9S");
    assert_int_equal(edit(table)->out, 1);
}

/* HT-C22 with askPartner: no dead end */
TABLE_TEST(HT_C22_askPartner_a_no_keeps_two_cards) {
    begin_settled(table, ASKING);
    set_two_and_two(table, 1);
    melding_foot(table, 1, "KC 9S");
    table_play(table, "1 ask\n3 answer no");
    refused(table, "1 add 1 KC", "ASK_PARTNER");
    refused(table, "1 ask", "WRONG_PHASE");
    table_play(table, "1 discard 9S");
    turn_of(table, 2);
    hand_is(table, 1, "KC");
    turn_to(table, 1);
    set_pile(table, "KS");
    refused(table, "1 take add 1", "ASK_PARTNER");
    set_next(table, "8S");
    table_play(table, "1 draw\n1 ask\n3 answer yes\n1 add 1 KC\n1 discard 8S");
    assert_int_equal(edit(table)->out, 1);
}

/* ---- In a terminal ---- */

/* HT-10, HT-43 */
TABLE_TEST(HT_10_a_terminal_shows_natural_and_unnatural_books) {
    static const char *const names[] = {"Ann", "Bob", "Cy", "Dee"};
    char buffer[4096];
    struct text text;
    begin_settled(table, PRESET);
    set_closed(table, 0, CLEAN_KINGS);
    set_book(table, 0, DIRTY_JACKS);
    text_begin(&text, buffer, sizeof buffer);
    game_show(table->game, &table->state, 0, names, &text);
    assert_non_null(strstr(buffer, "[Natural Book, closed]"));
    assert_non_null(strstr(buffer, "[Unnatural Book, open]"));
    assert_null(strstr(buffer, "> Ann          hand 3, foot 3\n"));
    edit(table)->chose_pile[0] = false;
    text_begin(&text, buffer, sizeof buffer);
    game_show(table->game, &table->state, 0, names, &text);
    assert_non_null(strstr(buffer, "> Ann          hand 3, foot 3\n")); /* not chosen yet */
    shown(table, "\"closed\":true,\"unnatural\":false,\"status\":\"Natural Book\"");
    shown(table, "\"closed\":false,\"unnatural\":true,\"status\":\"Unnatural Book\"");
}
