/* Hand & Foot, preset partners (after "Hand And Foot", a game for teams).
 *
 * Most tests set up the position they need: the functions of test_support.h move cards between the
 * stock and the place where they are wanted, so that every card still exists once (the engine
 * checks that after each move). Whole deals and whole rounds by play alone are among the golden
 * records. */
#include "games/hand_and_foot/plan.h"
#include "games/hand_and_foot/test_support.h"

#define PRESET   "preset=partners"
#define KEEP_ONE "Keep a card for the discard"
#define NO_BOOKS                                                                                   \
    "Need 2 Clean Books (have 0): 7+ cards with NO wilds; "                                        \
    "Need 2 Dirty Books (have 0): 7+ cards WITH wilds"

/* ---- Table and cards ---- */

/* TF-2, TF-C1 */
TABLE_TEST(TF_2_TF_C1_four_or_six_players_in_two_teams) {
    const struct game *game = &hand_and_foot_game;
    table_refuses_start(game, PRESET, 2, "INVALID_SETTING", "Teams need at least 4 players, not 2");
    table_refuses_start(game, PRESET, 5, "INVALID_SETTING",
                        "Teams need an even number of players, not 5");
    table_refuses_start(game, PRESET, 8, "INVALID_SETTING", "At most 6 players are allowed, not 8");
    begin(table, PRESET, 6);
    assert_int_equal(edit(table)->stock_count, 7 * 54 - 6 * 22 - 1);
    assert_int_equal(edit(table)->sides, 2);
    for (int seat = 0; seat < 6; seat++)
        assert_int_equal(hand_foot_side(edit(table), seat), seat % 2);
    assert_int_equal(game->players_default, 4);
}

/* TF-2, TF-9, TF-C1, TF-C13 */
TABLE_TEST(TF_9_two_hands_of_eleven_and_a_card_turned_up) {
    begin_with(table, PRESET, 4,
               &(struct wanted){.hand = {"KH KS"}, .foot = {"AH AS"}, .stock = "QD 9H 9S"});
    for (int seat = 0; seat < 4; seat++) {
        assert_int_equal(edit(table)->hand_count[seat], 11);
        assert_int_equal(edit(table)->foot_count[seat], 11);
    }
    assert_int_equal(edit(table)->stock_count, 181);
    pile_is(table, "QD");
    turn_of(table, 0);
    shown_to(table, 0, "\"handCount\":11,\"hand\":[");
    hidden_from(table, 0, "\"foot\":[");
    hidden_from(table, 0, "\"AH\"");
    shown_to(table, 0, "\"KH\"");
    hidden_from(table, 2, "\"KH\"");
    table_play(table, "0 draw");
    shown_to(table, 0, "\"newlyDrawn\":[\"9S\",\"9H\"]");
    hidden_from(table, 2, "\"9H\"");
}

/* HF-C46 */
TABLE_TEST(HF_C46_a_deal_with_wrong_cards_or_at_the_wrong_time_is_refused) {
    char line[DEAL_TEXT_SIZE];
    table_start(table, &hand_and_foot_game, PRESET, 4);
    snprintf(line, sizeof line, "%s", deal_text(table, &(struct wanted){0}));
    refused(table, "- deal KH KS + QH / 4S", "INVALID_DEAL");
    line[strlen(line) - 3] = '\0';
    refused(table, line, "INVALID_DEAL");
    snprintf(line, sizeof line, "%s", deal_text(table, &(struct wanted){0}));
    memcpy(line + strlen(line) - 2, "4S", 2);
    refused(table, line, "INVALID_DEAL");
    refused(table, "0 draw", "WRONG_PHASE");
    snprintf(line, sizeof line, "%s", deal_text(table, &(struct wanted){0}));
    table_play(table, line);
    refused(table, line, "WRONG_PHASE");
}

/* TF-3, TF-4, TF-5, TF-6, TF-7, TF-8, TF-C12 */
TABLE_TEST(TF_3_to_TF_8_cards_have_these_values) {
    static const int points[] = {20, 0, 5, 5, 5, 5, 5, 10, 10, 10, 10, 10, 50};
    begin_settled(table, PRESET);
    for (int card = 0; card < CARD_JOKER; card++) {
        bool red = card / 13 == CARD_HEARTS || card / 13 == CARD_DIAMONDS;
        int penalty = card % 13 == 1 && red ? 500 : points[card % 13];
        assert_int_equal(hand_foot_penalty(edit(table)->rules, card), penalty);
        if (card % 13 != 1)
            assert_int_equal(hand_foot_points(edit(table)->rules, card), points[card % 13]);
    }
    assert_int_equal(hand_foot_points(edit(table)->rules, CARD_JOKER), 50);
    assert_int_equal(hand_foot_penalty(edit(table)->rules, CARD_JOKER), 50);
}

/* TF-7, TF-8 */
TABLE_TEST(TF_7_TF_8_no_three_goes_into_a_book) {
    begin_settled(table, PRESET);
    set_book(table, 0, "KS KH KD");
    melding(table, 0, "3S 3C 3S 3H 3D 3H 2S 9S");
    refused_with(table, "0 meld 3S 3C 3S", "THREES", "3s cannot be melded");
    refused(table, "0 meld 3H 3D 3H", "THREES");
    refused(table, "0 meld 3S 3C 2S", "THREES");
    refused(table, "0 add 1 3S", "THREES");
    refused(table, "0 add 1 3H", "THREES");
    legal_lacks(table, 0, "meld 3");
}

/* ---- Turn ---- */

/* TF-10 */
TABLE_TEST(TF_10_a_turn_starts_with_two_cards_from_the_stock) {
    begin_settled(table, PRESET);
    set_next(table, "9S 9H 9D");
    refused(table, "0 discard 4S", "WRONG_PHASE");
    refused(table, "0 meld 4S 4H 4D", "WRONG_PHASE");
    refused(table, "0 done", "WRONG_PHASE");
    refused(table, "1 draw", "NOT_YOUR_TURN");
    int stock = edit(table)->stock_count;
    table_play(table, "0 draw");
    hand_is(table, 0, "4S 4H 4D 9S 9H");
    assert_int_equal(edit(table)->stock_count, stock - 2);
    char told[80];
    snprintf(told, sizeof told, "{\"seatIndex\":0,\"count\":2,\"deckSize\":%d}", stock - 2);
    table_told(table, "cards-drawn", told);
    refused(table, "0 draw", "WRONG_PHASE");
    refused(table, "0 take 4S 4H", "WRONG_PHASE");
}

/* TF-10: only the cards of the last draw are new */
TABLE_TEST(TF_10_what_was_drawn_is_marked_until_the_next_draw) {
    begin_settled(table, PRESET);
    table_play(table, "0 draw\n0 discard 4S");
    turn_to(table, 0);
    set_next(table, "10S 10H");
    table_play(table, "0 draw");
    shown_to(table, 0, "\"newlyDrawn\":[\"10S\",\"10H\"]");
}

/* TF-11, TF-12, TF-C2, HF-C37 */
TABLE_TEST(TF_11_TF_12_two_naturals_take_seven_cards_of_the_pile) {
    begin_settled(table, PRESET);
    set_book(table, 0, "QS QH QD");
    set_hand(table, 0, "KH KS 9S");
    set_pile(table, "6S 6H 6D 7S 7H 7D 8S 8H KC");
    legal_has(table, 0, "take KS KH");
    table_play(table, "0 take KH KS");
    book_is(table, 0, 2, "KH KS KC");
    hand_is(table, 0, "9S 8H 8S 7D 7H 7S 6D");
    pile_is(table, "6S 6H");
    table_told(table, "pile-taken",
               "{\"seatIndex\":0,\"topCard\":\"KC\",\"count\":7,\"pileSize\":2}");
    table_told(table, "cards-melded",
               "{\"seatIndex\":0,\"team\":0,\"bookId\":2,\"cards\":[\"KH\",\"KS\",\"KC\"],"
               "\"firstMeld\":false}");
    refused(table, "0 draw", "WRONG_PHASE");
    refused(table, "0 take KH KS", "WRONG_PHASE");
    shown_to(table, 0, "\"newlyDrawn\":[\"6D\",\"7S\",\"7H\",\"7D\",\"8S\",\"8H\"]");
}

/* TF-11, TF-C2 */
TABLE_TEST(TF_C2_a_smaller_pile_is_taken_whole) {
    begin_settled(table, PRESET);
    set_book(table, 0, "QS QH QD");
    set_hand(table, 0, "KH KS 9S");
    set_pile(table, "6S KC");
    table_play(table, "0 take KH KS");
    hand_is(table, 0, "9S 6S");
    pile_is(table, "");
}

/* TF-11, HF-C37 */
TABLE_TEST(TF_11_anything_but_two_matching_naturals_is_refused) {
    begin_settled(table, PRESET);
    set_book(table, 0, "KS KH KD");
    set_hand(table, 0, "KH KS KD 2C 9S 9H JK");
    set_pile(table, "6S KC");
    refused(table, "0 take KH 2C", "NEED_MATCH");
    refused(table, "0 take KH JK", "NEED_MATCH");
    refused(table, "0 take KH", "NEED_MATCH");
    refused(table, "0 take", "NEED_MATCH");
    refused(table, "0 take KH KS KD", "NEED_MATCH");
    refused(table, "0 take 9S 9H", "NEED_MATCH");
    refused(table, "0 take KH KS / 9S 9H 2C", "NEED_MATCH");
    refused(table, "0 take add 1", "NEED_MATCH");
    refused(table, "0 take add 1 KH KS", "NEED_MATCH");
    refused(table, "0 take KH KC", "INVALID_CARD");
    refused(table, "0 take KH KH", "INVALID_CARD");
    set_pile(table, "");
    refused(table, "0 take KH KS", "PILE_EMPTY");
}

/* TF-C4 */
TABLE_TEST(TF_C4_a_three_or_a_wild_on_top_cannot_be_taken) {
    begin_settled(table, PRESET);
    set_book(table, 0, "KS KH KD");
    set_hand(table, 0, "3S 3C 3H 3D 2S 2H JK JK 9S 9D");
    set_pile(table, "6S 3C");
    refused(table, "0 take 3S 3C", "PILE_THREE");
    set_pile(table, "6S 3H");
    refused(table, "0 take 3H 3D", "PILE_THREE");
    set_pile(table, "6S 2D");
    refused(table, "0 take 2S 2H", "PILE_FROZEN");
    set_pile(table, "6S JK");
    refused(table, "0 take JK JK", "PILE_FROZEN");
    shown_to(table, 0, "\"discardPileFrozen\":false");
    set_pile(table, "2D 9H");
    table_play(table, "0 take 9S 9D");
}

/* TF-12, TF-C3, TF-20, TF-21 */
TABLE_TEST(TF_C3_the_taken_card_always_makes_a_new_book) {
    begin_settled(table, PRESET);
    set_book(table, 0, "KS KH KD");
    set_hand(table, 0, "KH KS 9S 9H");
    set_pile(table, "KC");
    table_play(table, "0 take KH KS");
    books_are(table, 0, 2);
    book_is(table, 0, 1, "KS KH KD");
    book_is(table, 0, 2, "KH KS KC");
}

/* TF-C3 */
TABLE_TEST(TF_C3_a_team_may_have_several_books_of_a_rank) {
    begin_settled(table, PRESET);
    melding(table, 0, "KS KH KD KS KH KD KC KC 2S 9S 9H 9D");
    table_play(table, "0 meld KS KH KD / KC KC 2S");
    books_are(table, 0, 2);
    table_play(table, "0 meld KS KH KD");
    books_are(table, 0, 3);
    book_is(table, 0, 1, "KS KH KD");
    book_is(table, 0, 2, "KC KC 2S");
    book_is(table, 0, 3, "KS KH KD");
}

/* TF-13, TF-24 */
TABLE_TEST(TF_13_the_pile_is_closed_before_the_team_has_melded) {
    begin_settled(table, PRESET);
    set_book(table, 1, "QS QH QD");
    set_hand(table, 0, "AH AS 9S 9H");
    set_pile(table, "AC");
    refused_with(table, "0 take AH AS", "NOT_PLAYED_DOWN", "Play down before you take the pile");
    melding(table, 2, "KS KH KD 2S 9S 9H");
    table_play(table, "2 meld KS KH KD 2S");
    turn_to(table, 0);
    table_play(table, "0 take AH AS");
}

/* TF-14 */
TABLE_TEST(TF_14_a_discard_on_top_of_the_pile_ends_the_turn) {
    begin_settled(table, PRESET);
    melding(table, 0, "9S 8H 7D");
    refused(table, "0 discard KS", "INVALID_CARD");
    refused(table, "0 discard 9S 8H", "INVALID_CARD");
    refused(table, "0 discard", "INVALID_CARD");
    table_play(table, "0 discard 8H");
    pile_is(table, "6S 8H");
    hand_is(table, 0, "9S 7D");
    table_told(table, "card-discarded",
               "{\"seatIndex\":0,\"card\":\"8H\",\"pileSize\":2,\"frozen\":false}");
    table_told(table, "turn-started", "{\"seatIndex\":1}");
    for (int seat = 1; seat <= 3; seat++) {
        turn_of(table, seat);
        char lines[64];
        snprintf(lines, sizeof lines, "%d draw\n%d done\n%d discard 4S", seat, seat, seat);
        table_play(table, lines);
    }
    turn_of(table, 0);
}

/* TF-14 */
TABLE_TEST(TF_14_after_done_only_the_discard_is_left) {
    begin_settled(table, PRESET);
    set_book(table, 0, "QS QH QD");
    melding(table, 0, "9S 9H 9D 7D QC");
    table_play(table, "0 done");
    refused(table, "0 meld 9S 9H 9D", "WRONG_PHASE");
    refused(table, "0 add 1 QC", "WRONG_PHASE");
    refused(table, "0 done", "WRONG_PHASE");
    table_play(table, "0 discard 7D");
}

/* TF-9, TF-15, TF-C11 */
TABLE_TEST(TF_15_a_play_that_uses_up_the_hand_goes_on_with_the_foot) {
    begin_settled(table, PRESET);
    set_book(table, 0, "QS QH QD");
    melding(table, 0, "KS KH KD");
    set_foot(table, 0, "9S 9H 9D 8S");
    table_play(table, "0 meld KS KH KD");
    assert_non_null(table_event(table, "foot-picked-up", 0));
    hand_is(table, 0, "9S 9H 9D 8S");
    assert_int_equal(edit(table)->foot_count[0], 0);
    shown(table, "\"hasPickedUpFoot\":true");
    turn_of(table, 0);
    table_play(table, "0 meld 9S 9H 9D");
}

/* TF-9, TF-15, TF-C11 */
TABLE_TEST(TF_15_a_discard_that_uses_up_the_hand_brings_the_foot) {
    begin_settled(table, PRESET);
    melding(table, 0, "8S");
    set_foot(table, 0, "9S 9H 9D 8S");
    table_play(table, "0 discard 8S");
    assert_non_null(table_event(table, "foot-picked-up", 0));
    hand_is(table, 0, "9S 9H 9D 8S");
    turn_of(table, 1);
    assert_true(edit(table)->in_foot[0]);
    assert_false(edit(table)->in_foot[2]);
}

/* HF-C41 */
TABLE_TEST(HF_C41_a_take_that_empties_the_hand_fills_it_from_the_pile_first) {
    begin_settled(table, PRESET);
    set_book(table, 0, "QS QH QD");
    set_hand(table, 0, "KS KH");
    set_pile(table, "7S KD");
    table_play(table, "0 take KS KH");
    hand_is(table, 0, "7S");
    assert_false(edit(table)->in_foot[0]);
    begin_settled(table, PRESET);
    set_book(table, 0, "QS QH QD");
    set_hand(table, 0, "KS KH");
    set_pile(table, "KD");
    table_play(table, "0 take KS KH");
    hand_is(table, 0, "5S 5H 5D");
    assert_true(edit(table)->in_foot[0]);
}

/* ---- Books ---- */

/* TF-16, TF-C5 */
TABLE_TEST(TF_16_TF_C5_a_book_has_three_cards_of_a_rank) {
    begin_settled(table, PRESET);
    set_book(table, 0, "QS QH QD");
    melding(table, 0, "KS KH KD 9S 9H 9D 2S 2H JK JK");
    refused(table, "0 meld", "NO_CARDS");
    refused(table, "0 meld KS KH", "MELD_TOO_SMALL");
    refused(table, "0 meld KS KH 9S", "MIXED_RANKS");
    refused(table, "0 meld KS KH KD / 9S 9H", "MELD_TOO_SMALL");
    refused(table, "0 meld 2S 2H JK", "NEED_NATURALS");
    refused(table, "0 meld KS 2S 2H", "NEED_NATURALS");
    refused(table, "0 meld KS KH KC", "INVALID_CARD");
    refused(table, "0 add 1 KS", "WRONG_RANK");
    refused(table, "0 add 1", "NO_CARDS");
    table_play(table, "0 meld KS KH KD");
}

/* TF-17 */
TABLE_TEST(TF_17_naturals_are_the_strict_majority) {
    begin_settled(table, PRESET);
    set_book(table, 0, "QS QH QD");
    melding(table, 0, "KS KH KD KC 9S 9H 8S 8H 8D 2S 2H 2D JK JK 7S");
    refused_with(table, "0 meld 9S 9H 2S 2H", "TOO_MANY_WILDS",
                 "Too many wild cards (2 wilds, 2 naturals). Wilds must be fewer than naturals.");
    refused(table, "0 meld 8S 8H 8D 2S 2H 2D", "TOO_MANY_WILDS");
    table_play(table, "0 meld 9S 9H 2S");
    table_play(table, "0 meld KS KH KD KC 2H 2D JK");
    book_is(table, 0, 3, "KS KH KD KC 2H 2D JK");
}

/* TF-17 */
TABLE_TEST(TF_17_the_majority_holds_for_additions_too) {
    begin_settled(table, PRESET);
    set_book(table, 0, "KS KH 2S");
    melding(table, 0, "2H JK KD KC 9S");
    refused(table, "0 add 1 2H", "TOO_MANY_WILDS");
    refused(table, "0 add 1 KD 2H JK", "TOO_MANY_WILDS");
    table_play(table, "0 add 1 KD 2H");
    refused(table, "0 add 1 JK", "TOO_MANY_WILDS");
    table_play(table, "0 add 1 KC JK");
    book_is(table, 0, 1, "KS KH 2S KD 2H KC JK");
}

/* TF-18, TF-19, HF-C36 */
TABLE_TEST(TF_18_TF_19_seven_cards_complete_a_clean_or_a_dirty_book) {
    begin_settled(table, PRESET);
    set_book(table, 0, "KS KH KD KC KS KH");
    set_book(table, 0, "QS QH QD QC QS 2S");
    melding(table, 0, "KD QH 9S 9H");
    shown_to(table, 0, "\"status\":\"Incomplete Meld\",\"points\":60,\"bonus\":0");
    shown_to(table, 0, "\"status\":\"Incomplete Meld\",\"points\":70,\"bonus\":0");
    table_play(table, "0 add 1 KD");
    table_told(table, "book-completed", "{\"seatIndex\":0,\"bookId\":1,\"status\":\"Clean Book\"}");
    table_play(table, "0 add 2 QH");
    table_told(table, "book-completed", "{\"seatIndex\":0,\"bookId\":2,\"status\":\"Dirty Book\"}");
    shown_to(table, 1, "\"status\":\"Clean Book\",\"points\":70,\"bonus\":500");
    shown_to(table, 1, "\"status\":\"Dirty Book\",\"points\":80,\"bonus\":300");
    shown_to(table, 1, "\"cleanBooks\":1,\"dirtyBooks\":1");
    refused(table, "0 close 1", "NO_CLOSING");
}

/* TF-20, TF-C6, TF-C7 */
TABLE_TEST(TF_20_TF_C7_a_complete_clean_book_takes_naturals_only) {
    begin_settled(table, PRESET);
    set_book(table, 0, CLEAN_KINGS);
    melding(table, 0, "KC KS 2S JK 9S");
    refused_with(table, "0 add 1 2S", "BOOK_FULL", "A complete clean book takes no wilds");
    refused(table, "0 add 1 KC JK", "BOOK_FULL");
    legal_lacks(table, 0, "add 1 2S");
    legal_has(table, 0, "add 1 KS KC");
    legal_has(table, 0, "add 1 KS KC; add 1 KS");
    table_play(table, "0 add 1 KC KS");
    assert_null(table_event(table, "book-completed", 0));
    book_is(table, 0, 1, CLEAN_KINGS " KC KS");
    shown_to(table, 0, "\"status\":\"Clean Book\",\"points\":90,\"bonus\":500");
}

/* TF-C6, TF-19 */
TABLE_TEST(TF_C6_a_clean_book_may_be_laid_with_eight_cards) {
    begin_settled(table, PRESET);
    melding(table, 0, CLEAN_KINGS " KC 9S");
    table_play(table, "0 meld " CLEAN_KINGS " KC");
    assert_non_null(table_event(table, "book-completed", 0));
}

/* TF-C7 */
TABLE_TEST(TF_C7_a_wild_makes_an_incomplete_clean_book_dirty) {
    begin_settled(table, PRESET);
    set_book(table, 0, "KS KH KD KC KS KH");
    melding(table, 0, "2S 9S 9H");
    table_play(table, "0 add 1 2S");
    shown_to(table, 0, "\"status\":\"Dirty Book\"");
}

/* TF-21 */
TABLE_TEST(TF_21_nothing_goes_on_a_complete_dirty_book) {
    begin_settled(table, PRESET);
    set_book(table, 0, DIRTY_JACKS);
    melding(table, 0, "JH JD 2D JK 9S");
    refused_with(table, "0 add 1 JH", "BOOK_FULL", "Nothing goes on a complete dirty book");
    refused(table, "0 add 1 2D", "BOOK_FULL");
    legal_lacks(table, 0, "add 1");
}

/* TF-C6 */
TABLE_TEST(TF_C6_a_dirty_book_stops_at_seven) {
    begin_settled(table, PRESET);
    set_book(table, 0, "QS QH QD QC QS 2S");
    set_book(table, 0, "10S 10H 10D 10C 10S 10H");
    melding(table, 0, "QH QD 10D 2H 2D JS JH JD JC JS JH JD 9S");
    refused(table, "0 add 1 QH QD", "BOOK_FULL");
    refused(table, "0 add 2 10D 2H", "BOOK_FULL");
    refused_with(table, "0 meld JS JH JD JC JS JH JD 2D", "BOOK_FULL",
                 "A dirty book has exactly 7 cards, not 8");
    table_play(table, "0 add 1 QH\n0 meld JS JH JD JC JS JH 2D");
}

/* TF-1, HF-C36 */
TABLE_TEST(TF_1_books_belong_to_the_team_and_are_numbered_within_it) {
    begin_settled(table, PRESET);
    set_book(table, 0, "KS KH KD");
    set_book(table, 1, "QS QH QD");
    set_book(table, 0, "JS JH JD");
    melding(table, 2, "JC JS QC 9S");
    table_play(table, "2 add 2 JC");
    book_is(table, 0, 2, "JS JH JD JC");
    refused_with(table, "2 add 3 JS", "INVALID_BOOK", "There is no own book 3");
    refused(table, "2 add 0 JS", "INVALID_BOOK");
    refused(table, "2 add 1 QC", "WRONG_RANK");
    melding(table, 3, "QC 9S 9H");
    refused(table, "3 add 2 QC", "INVALID_BOOK");
    table_play(table, "3 add 1 QC");
    book_is(table, 1, 1, "QS QH QD QC");
}

/* ---- The first meld ---- */

/* TF-22, TF-C14 */
TABLE_TEST(TF_22_TF_C14_the_first_meld_is_one_submission) {
    begin_settled(table, PRESET);
    melding(table, 0, "KS KH KD QS QH QD 9S");
    refused_with(table, "0 meld KS KH KD", "MIN_POINTS", "Need 50 points to play down (have 30)");
    refused(table, "0 meld QS QH QD", "MIN_POINTS");
    refused(table, "0 add 1 KS", "INVALID_BOOK");
    table_play(table, "0 meld KS KH KD / QS QH QD");
    table_told(table, "cards-melded",
               "{\"seatIndex\":0,\"team\":0,\"bookId\":1,\"cards\":[\"KS\",\"KH\",\"KD\"],"
               "\"firstMeld\":true}");
    book_is(table, 0, 2, "QS QH QD");
}

/* TF-22, TF-7: what is offered as a first meld leaves threes out */
TABLE_TEST(TF_22_a_first_meld_is_offered_beside_three_black_threes) {
    begin_settled(table, PRESET);
    melding(table, 0, "AS AH AD 3S 3S 3C 9S");
    legal_has(table, 0, "meld AS AH AD");
    melding(table, 0, "KS KH JK 3S 3C 9S");
    legal_has(table, 0, "meld KS KH JK");
}

static void limit_is(int round, const char *exact, const char *less, int limit) {
    struct table table;
    char line[128], text[80];
    begin_settled(&table, PRESET);
    edit(&table)->round = (uint8_t)round;
    melding(&table, 0, "9S 9H 9D 9C JK 2S KS KH KD AS AH AD 8S 8H 8D 4S 4H 4D 7S");
    snprintf(line, sizeof line, "0 meld %s", less);
    snprintf(text, sizeof text, "Need %d points to play down (have %d)", limit, limit - 5);
    refused_with(&table, line, "MIN_POINTS", text);
    snprintf(text, sizeof text, "\"minimum\":%d,", limit);
    shown(&table, text);
    snprintf(line, sizeof line, "0 meld %s", exact);
    table_play(&table, line);
}

/* TF-23 */
UNIT_TEST(TF_23_the_limits_are_50_90_120_150_and_equality_suffices) {
    limit_is(1, "9S 9H 9D 2S", "KS KH KD / 8S 8H 8D", 50);
    limit_is(2, "9S 9H 9D 9C JK", "9S 9H JK / 8S 8H 8D", 90);
    limit_is(3, "9S 9H 9D 9C JK / KS KH KD", "9S 9H JK / KS KH KD / 8S 8H 8D", 120);
    limit_is(4, "AS AH AD", "9S 9H 9D 9C JK / KS KH 2S / 8S 8H 8D", 150);
}

/* TF-24, TF-22 */
TABLE_TEST(TF_24_one_meld_opens_the_whole_team_and_only_it) {
    begin_settled(table, PRESET);
    melding(table, 0, "9S 9H 9D 2S 8C");
    table_play(table, "0 meld 9S 9H 9D 2S");
    melding(table, 1, "8S 8H 8D 7S");
    refused(table, "1 meld 8S 8H 8D", "MIN_POINTS");
    melding(table, 2, "7H 7C 7D 7S 9C");
    table_play(table, "2 meld 7H 7C 7D\n2 add 1 9C");
    shown(table, "\"hasPlayedDown\":true");
    shown(table, "\"hasPlayedDown\":false");
}

/* ---- Going out ---- */

/* TF-25, TF-26 */
TABLE_TEST(TF_25_TF_26_the_last_discard_with_two_and_two_ends_the_round) {
    begin_settled(table, PRESET);
    set_two_and_two(table, 0);
    melding_foot(table, 0, "9S");
    table_play(table, "0 discard 9S");
    assert_int_equal(edit(table)->phase, HAND_FOOT_ROUND_END);
    assert_int_equal(edit(table)->out, 0);
    shown(table, "\"reason\":\"Went out\",\"wentOut\":0");
    assert_non_null(table_event(table, "round-over", 0));
    assert_null(table_event(table, "turn-started", 0));
    refused(table, "1 draw", "WRONG_PHASE");
}

/* TF-26, TF-27 */
TABLE_TEST(TF_26_two_clean_and_two_dirty_books_of_the_team_are_needed) {
    begin_settled(table, PRESET);
    melding_foot(table, 0, "9S");
    refused_with(table, "0 discard 9S", "CANNOT_GO_OUT", NO_BOOKS);
    set_two_and_two(table, 1);
    refused_with(table, "0 discard 9S", "CANNOT_GO_OUT", NO_BOOKS);
    set_book(table, 0, "AS AH AD AC AS AH AD");
    set_book(table, 0, "8S 8H 8D 8C 8S 8H 8D");
    set_book(table, 0, "7S 7H 7D 7C 7S 7H JK");
    set_book(table, 0, "6S 6H 6D 6C 6H JK");
    refused_with(table, "0 discard 9S", "CANNOT_GO_OUT",
                 "Need 2 Dirty Books (have 1): 7+ cards WITH wilds");
    edit(table)->books[6].naturals[CARD_CLUBS]++;
    take_from_stock(edit(table), card_of(7, CARD_CLUBS));
    plan_put(&edit(table)->books[7], card_of(6, CARD_DIAMONDS), 1);
    take_from_stock(edit(table), card_of(6, CARD_DIAMONDS));
    table_play(table, "0 discard 9S");
}

/* TF-26 */
TABLE_TEST(TF_26_one_clean_book_is_not_enough) {
    begin_settled(table, PRESET);
    set_book(table, 0, CLEAN_KINGS);
    set_book(table, 0, "QS QH QD QC QS QH");
    set_book(table, 0, DIRTY_JACKS);
    set_book(table, 0, DIRTY_TENS);
    melding_foot(table, 2, "9S 9H QC");
    shown(table, "\"missingToGoOut\":\"Need 2 Clean Books (have 1): 7+ cards with NO wilds\"");
    shown(table, "WITH wilds; Must pick up and empty foot first\"");
    set_in_foot(table, 2, "9S");
    refused_with(table, "2 discard 9S", "CANNOT_GO_OUT",
                 "Need 2 Clean Books (have 1): 7+ cards with NO wilds");
    set_in_foot(table, 2, "9S QC");
    table_play(table, "2 add 2 QC\n2 discard 9S");
    assert_int_equal(edit(table)->out, 2);
}

/* TF-26 */
TABLE_TEST(TF_26_in_the_hand_the_last_discard_needs_no_books) {
    begin_settled(table, PRESET);
    melding(table, 0, "9S");
    table_play(table, "0 discard 9S");
    turn_of(table, 1);
}

/* TF-C9 */
TABLE_TEST(TF_C9_the_last_card_cannot_be_played) {
    begin_settled(table, PRESET);
    set_two_and_two(table, 0);
    set_book(table, 0, "9S 9H 9D");
    melding_foot(table, 0, "9C 9S 8S 8H 8D");
    table_play(table, "0 meld 8S 8H 8D");
    refused_with(table, "0 add 5 9C 9S", "KEEP_A_CARD", KEEP_ONE);
    table_play(table, "0 add 5 9C");
    refused_with(table, "0 add 5 9S", "KEEP_A_CARD", KEEP_ONE);
    assert_string_equal(table_legal(table, 0), "discard 9S; undo; done");
    table_play(table, "0 discard 9S");
    assert_int_equal(edit(table)->out, 0);
}

/* TF-27, TF-C15 */
TABLE_TEST(TF_27_TF_C15_a_blocked_discard_is_freed_by_undo) {
    begin_settled(table, PRESET);
    set_book(table, 0, "KS KH KD");
    melding_foot(table, 0, "KC 9S");
    table_play(table, "0 add 1 KC");
    refused_with(table, "0 discard 9S", "CANNOT_GO_OUT", NO_BOOKS "; undo a play of this turn");
    refused(table, "0 add 1 9S", "WRONG_RANK");
    assert_string_equal(table_legal(table, 0), "undo; done");
    shown_to(table, 0, "\"canUndo\":true");
    table_play(table, "0 undo");
    hand_is(table, 0, "KC 9S");
    table_play(table, "0 discard 9S");
    turn_of(table, 1);
    hand_is(table, 0, "KC");
}

/* TF-C10 */
TABLE_TEST(TF_C10_a_take_from_the_foot_leaves_two_cards) {
    begin_settled(table, PRESET);
    set_book(table, 0, "QS QH QD");
    set_in_foot(table, 0, "KS KH 9S");
    set_pile(table, "KD");
    refused(table, "0 take KS KH", "CANNOT_GO_OUT");
    set_pile(table, "8S KD");
    table_play(table, "0 take KS KH");
    hand_is(table, 0, "9S 8S");
}

/* TF-C10 */
TABLE_TEST(TF_C10_with_the_books_one_card_is_enough) {
    begin_settled(table, PRESET);
    set_two_and_two(table, 0);
    set_in_foot(table, 0, "AS AH");
    set_pile(table, "AD");
    refused_with(table, "0 take AS AH", "KEEP_A_CARD", KEEP_ONE);
    set_pile(table, "9S AD");
    table_play(table, "0 take AS AH");
    refused(table, "0 undo", "NOTHING_TO_UNDO");
    table_play(table, "0 discard 9S");
    assert_int_equal(edit(table)->out, 0);
}

/* ---- Undo ---- */

/* TF-C8 */
TABLE_TEST(TF_C8_plays_are_undone_one_by_one_newest_first) {
    begin_settled(table, PRESET);
    set_book(table, 0, "KS KH KD");
    melding(table, 0, "KC 2S 9S 9H 9D 8S");
    table_play(table, "0 add 1 KC\n0 add 1 2S\n0 meld 9S 9H 9D\n0 undo");
    table_told(table, "play-undone", "{\"seatIndex\":0,\"count\":3}");
    books_are(table, 0, 1);
    book_is(table, 0, 1, "KS KH KD KC 2S");
    hand_is(table, 0, "9S 9H 9D 8S");
    table_play(table, "0 undo");
    book_is(table, 0, 1, "KS KH KD KC");
    table_play(table, "0 undo");
    hand_is(table, 0, "KC 2S 9S 9H 9D 8S");
    refused_with(table, "0 undo", "NOTHING_TO_UNDO", "There is nothing to undo");
    assert_true(edit(table)->melded[0]);
}

/* TF-C8, TF-C15 */
TABLE_TEST(TF_C8_the_draw_is_a_barrier_and_the_discard_the_end) {
    begin_settled(table, PRESET);
    set_book(table, 0, "KS KH KD");
    refused(table, "0 undo", "NOTHING_TO_UNDO");
    set_hand(table, 0, "KC 9S 9H");
    table_play(table, "0 draw");
    refused(table, "0 undo", "NOTHING_TO_UNDO");
    shown_to(table, 0, "\"canUndo\":false");
    table_play(table, "0 add 1 KC");
    refused(table, "1 undo", "NOT_YOUR_TURN");
    table_play(table, "0 discard 9S");
    refused(table, "1 undo", "NOTHING_TO_UNDO");
    refused(table, "0 undo", "NOT_YOUR_TURN");
}

/* TF-C8 */
TABLE_TEST(TF_C8_a_take_with_its_book_is_a_barrier) {
    begin_settled(table, PRESET);
    set_book(table, 0, "QS QH QD");
    set_hand(table, 0, "KS KH QC 9S");
    set_pile(table, "8S KD");
    table_play(table, "0 take KS KH");
    refused(table, "0 undo", "NOTHING_TO_UNDO");
    table_play(table, "0 add 1 QC\n0 undo");
    book_is(table, 0, 2, "KS KH KD");
    refused(table, "0 undo", "NOTHING_TO_UNDO");
}

/* TF-C8 */
TABLE_TEST(TF_C8_the_foot_is_a_barrier) {
    begin_settled(table, PRESET);
    set_book(table, 0, "QS QH QD");
    melding(table, 0, "QC QS");
    set_foot(table, 0, "QH 9S 9H 9D");
    table_play(table, "0 add 1 QC\n0 add 1 QS");
    refused(table, "0 undo", "NOTHING_TO_UNDO");
    table_play(table, "0 add 1 QH\n0 undo");
    refused(table, "0 undo", "NOTHING_TO_UNDO");
    hand_is(table, 0, "QH 9S 9H 9D");
}

/* TF-C8, HF-C44, HF-C36 */
TABLE_TEST(TF_C8_HF_C44_the_first_meld_is_undone_as_a_whole) {
    begin_settled(table, PRESET);
    set_book(table, 1, "JS JH JD");
    melding(table, 0, "KS KH KD QS QH QD AS AH AD 9S");
    table_play(table, "0 meld KS KH KD / QS QH QD\n0 undo");
    table_told(table, "play-undone", "{\"seatIndex\":0,\"count\":6}");
    books_are(table, 0, 0);
    assert_false(edit(table)->melded[0]);
    assert_true(edit(table)->melded[1]);
    hand_is(table, 0, "KS KH KD QS QH QD AS AH AD 9S");
    refused(table, "0 meld KS KH KD", "MIN_POINTS");
    table_play(table, "0 meld AS AH AD");
    book_is(table, 0, 1, "AS AH AD");
    assert_true(edit(table)->melded[0]);
}

/* TF-C8, HF-C36 */
TABLE_TEST(HF_C36_an_undone_book_frees_its_number) {
    begin_settled(table, PRESET);
    set_book(table, 0, "JS JH JD");
    melding(table, 0, "KS KH KD QS QH QD 9S");
    table_play(table, "0 meld KS KH KD\n0 undo");
    refused(table, "0 add 2 KS", "INVALID_BOOK");
    table_play(table, "0 meld QS QH QD");
    book_is(table, 0, 2, "QS QH QD");
}

/* TF-C8, TF-19 */
TABLE_TEST(TF_C8_undo_makes_a_book_incomplete_again) {
    begin_settled(table, PRESET);
    set_book(table, 0, "KS KH KD KC KS KH");
    melding(table, 0, "KD 2S 9S");
    table_play(table, "0 add 1 KD");
    shown_to(table, 0, "\"closed\":true");
    table_play(table, "0 undo");
    shown_to(table, 0, "\"closed\":false");
    shown_to(table, 0, "\"status\":\"Incomplete Meld\"");
    table_play(table, "0 add 1 2S");
}

/* TF-C15, TF-27 */
TABLE_TEST(TF_C15_undo_after_done_returns_to_melding) {
    begin_settled(table, PRESET);
    set_book(table, 0, "KS KH KD");
    melding(table, 0, "KC 9S 8S");
    table_play(table, "0 add 1 KC\n0 done\n0 undo\n0 add 1 KC\n0 discard 9S");
}

static const char *const seventeen_fours[] = {"4S", "4S", "4S", "4S", "4H", "4H", "4H", "4H", "4H",
                                              "4D", "4D", "4D", "4D", "4D", "4C", "4C", "4S"};

/* Sixteen fours are added one by one; the hand keeps the cards and a last four. */
static void add_sixteen_fours(struct table *table, const char *cards) {
    set_book(table, 0, "4C 4C 4C");
    melding(table, 0, cards);
    for (int i = 0; i < 17; i++) {
        uint8_t card = card_named(seventeen_fours[i]);
        take_from_stock(edit(table), card);
        edit(table)->hand[0][card]++;
        edit(table)->hand_count[0]++;
    }
    for (int i = 0; i < 16; i++) {
        char line[32];
        snprintf(line, sizeof line, "0 add 1 %s", seventeen_fours[i]);
        table_play(table, line);
    }
}

static void set_sevens(struct table *table) {
    for (int seat = 0; seat < 4; seat++)
        set_hand(table, seat, "7S 7H");
}

/* TF-27, TF-C8: however many plays a turn has, a legal discard is reachable. */
TABLE_TEST(TF_C8_many_plays_in_a_turn_leave_no_dead_end) {
    begin_settled(table, PRESET);
    set_sevens(table);
    set_in_foot(table, 0, "");
    add_sixteen_fours(table, "9S");
    struct move last = {.verb = HAND_FOOT_ADD, .count = 2, .args = {1, 2}}; /* 4S */
    if (game_check(table->game, &table->state, 0, &last, NULL))
        table_play(table, "0 add 1 4S\n0 undo");
    hand_is(table, 0, "9S 4S");
    table_play(table, "0 discard 9S");
}

/* TF-C8: only the draw, a take and the foot are barriers. */
TABLE_TEST(TF_C8_the_newest_of_many_plays_can_be_undone) {
    begin_settled(table, PRESET);
    set_sevens(table);
    add_sixteen_fours(table, "9S 9H");
    table_play(table, "0 add 1 4S\n0 undo");
    hand_is(table, 0, "9S 9H 4S");
}

/* ---- Scores, rounds and the end ---- */

/* TF-28, TF-29, TF-3 to TF-8, TF-C12, TF-C13 */
TABLE_TEST(TF_28_TF_29_books_and_bonuses_less_all_that_partners_hold) {
    begin_settled(table, PRESET);
    set_two_and_two(table, 0);
    set_book(table, 1, "9S 9H 9D");
    set_hand(table, 2, "AS 2D JK 8S 9C 3S 3H");
    set_foot(table, 2, "KC 4C 3C 3D");
    melding_foot(table, 0, "9S");
    table_play(table, "0 discard 9S");
    int partner = 50 + 20 + 50 + 5 + 10 + 0 + 500 + 10 + 5 + 0 + 500;
    scores_are(table, 310 + 1600 - partner, 30 - 60);
    shown(table, "\"meldPoints\":310,\"bookBonuses\":1600,\"handCards\":7,\"handPenalty\":635,"
                 "\"footCards\":4,\"footPenalty\":515,\"redThreeBonus\":0,\"goingOutBonus\":0,"
                 "\"roundScore\":760,\"totalScore\":760}");
    shown(table, "\"roundHistory\":[{\"round\":1,\"score\":760,\"wentOut\":true}]");
    shown(table, "\"roundHistory\":[{\"round\":1,\"score\":-30,\"wentOut\":false}]");
}

/* Seat 0's team, or the other one, goes out: 1910 against -60. */
static void finish_round(struct table *table, int seat) {
    settle(table);
    set_two_and_two(table, seat % 2);
    set_hand(table, (seat + 2) % 4, "3S");
    set_foot(table, (seat + 2) % 4, "3S 3C");
    melding_foot(table, seat, "9S");
    char line[32];
    snprintf(line, sizeof line, "%d discard 9S", seat);
    table_play(table, line);
}

/* TF-1, TF-25, TF-30, HF-C39, HF-C40, TF-C13 */
TABLE_TEST(TF_25_TF_30_HF_C40_four_rounds_with_rotating_starters) {
    table_start(table, &hand_and_foot_game, PRESET, 4);
    for (int round = 1; round <= 4; round++) {
        assert_int_equal(game_to_act(table->game, &table->state), AWAITS_NATURE);
        deal_again(table);
        assert_int_equal(edit(table)->round, round);
        turn_of(table, round - 1);
        assert_false(edit(table)->melded[0] || edit(table)->melded[1]);
        assert_false(edit(table)->in_foot[0] || edit(table)->in_foot[1]);
        books_are(table, 0, 0);
        winners_are(table, 0);
        finish_round(table, round == 2 ? 1 : 0);
    }
    assert_int_equal(game_to_act(table->game, &table->state), 0);
    scores_are(table, 3 * 1910 - 60, 1910 - 3 * 60);
    winners_are(table, 5);
    table_told(table, "game-over", "{\"totals\":[5670,1730],\"tie\":false,\"winners\":[0,2]}");
    refused(table, "- deal 4S", "WRONG_PHASE");
}

/* TF-C13, TF-30 */
TABLE_TEST(TF_C13_a_tie_is_won_by_both_teams) {
    table_start(table, &hand_and_foot_game, PRESET, 4);
    for (int round = 1; round <= 4; round++) {
        deal_again(table);
        finish_round(table, round % 2);
    }
    scores_are(table, 2 * 1910 - 120, 2 * 1910 - 120);
    winners_are(table, 15);
}

/* TF-30 */
TABLE_TEST(TF_30_the_other_team_wins_with_more_and_all_starts_again) {
    table_start(table, &hand_and_foot_game, PRESET, 4);
    for (int round = 1; round <= 4; round++) {
        deal_again(table);
        finish_round(table, 3);
    }
    winners_are(table, 10);
    table_play(table, "2 again");
    scores_are(table, 0, 0);
    deal_again(table);
    assert_int_equal(edit(table)->round, 1);
    turn_of(table, 0);
}

/* TF-C13, HF-C38 */
TABLE_TEST(TF_C13_HF_C38_an_empty_deck_is_made_of_the_discards) {
    begin_settled(table, PRESET);
    set_pile(table, "6S 7S 8S 9S");
    set_next(table, "KS");
    set_stock(table, 1);
    table_play(table, "0 draw");
    assert_int_equal(game_to_act(table->game, &table->state), AWAITS_SHUFFLE);
    refused(table, "0 draw", "WRONG_PHASE");
    refused(table, "- shuffle 8S 6S 9S", "INVALID_DEAL");
    table_play(table, "- shuffle 8S 6S 7S");
    table_told(table, "discards-reshuffled", "{\"deckSize\":4}");
    hand_is(table, 0, "4S 4H 4D KS 8S");
    pile_is(table, "9S");
    assert_int_equal(edit(table)->stock_count, 2);
    table_play(table, "0 discard 4S\n1 draw");
    hand_is(table, 1, "4S 4H 4D 6S 7S");
}

/* TF-C13, HF-C38 */
TABLE_TEST(TF_C13_without_cards_the_round_ends_and_nobody_went_out) {
    begin_settled(table, PRESET);
    set_pile(table, "6S");
    set_stock(table, 1);
    table_play(table, "0 draw");
    assert_int_equal(edit(table)->phase, HAND_FOOT_ROUND_END);
    shown(table, "\"reason\":\"Insufficient cards in deck\",\"wentOut\":null");
}

/* TF-C13: a stalemate of threes ends the round as in classic. */
TABLE_TEST(TF_C13_only_threes_with_an_empty_deck_end_the_round) {
    begin_settled(table, PRESET);
    set_pile(table, "3S 3S 3S 3C 3C 3C 3H 3H 3D 3D");
    for (int seat = 1; seat < 4; seat++)
        set_hand(table, seat, "3H 3D 9S");
    set_hand(table, 0, "3S 3S 9S");
    set_stock(table, 9);
    edit(table)->stalemate = 3;
    edit(table)->turn_phase = HAND_FOOT_TURN_MELD;
    table_play(table, "0 discard 3S");
    assert_non_null(table_event(table, "stalemate-warning", 0));
    edit(table)->stalemate = 7;
    edit(table)->turn_phase = HAND_FOOT_TURN_MELD;
    table_play(table, "1 discard 3H");
    shown(table, "\"reason\":\"3s stalemate detected\",\"wentOut\":null");
}

/* ---- askPartner ---- */

#define ASKING PRESET " askPartner=yes"

/* TF-26 with askPartner */
TABLE_TEST(TF_26_askPartner_the_partner_agrees) {
    begin_settled(table, ASKING);
    set_two_and_two(table, 0);
    refused(table, "0 ask", "WRONG_PHASE");
    melding_foot(table, 0, "9S");
    refused_with(table, "0 discard 9S", "ASK_PARTNER", "Ask your partner before going out");
    refused(table, "2 answer yes", "WRONG_PHASE");
    table_play(table, "0 ask");
    table_told(table, "partner-asked", "{\"seatIndex\":0}");
    shown_to(table, 2, "\"partnerAsked\":true");
    turn_of(table, 2);
    assert_string_equal(table_legal(table, 2), "answer yes; answer no");
    refused(table, "0 discard 9S", "NOT_YOUR_TURN");
    refused(table, "1 answer yes", "NOT_YOUR_TURN");
    refused(table, "2 draw", "WRONG_PHASE");
    refused(table, "2 answer perhaps", "BAD_REQUEST");
    table_play(table, "2 answer yes");
    table_told(table, "partner-answered", "{\"seatIndex\":2,\"yes\":true}");
    turn_of(table, 0);
    refused(table, "0 ask", "WRONG_PHASE");
    table_play(table, "0 discard 9S");
    assert_int_equal(edit(table)->out, 0);
}

/* TF-26, TF-27 with askPartner */
TABLE_TEST(TF_27_askPartner_a_no_leaves_a_way_by_undo) {
    begin_settled(table, ASKING);
    set_two_and_two(table, 0);
    melding_foot(table, 0, "KC 9S");
    table_play(table, "0 add 1 KC\n0 ask\n2 answer no");
    refused(table, "0 discard 9S", "ASK_PARTNER");
    refused(table, "0 ask", "WRONG_PHASE");
    table_play(table, "0 undo\n0 discard 9S");
    turn_of(table, 1);
    set_in_foot(table, 0, "9S");
    melding(table, 0, "9S");
    edit(table)->asking = HAND_FOOT_NOT_ASKED;
    table_play(table, "0 ask\n2 answer yes");
}

/* TF-C10 with askPartner */
TABLE_TEST(TF_C10_askPartner_a_take_without_leave_keeps_two_cards) {
    begin_settled(table, ASKING);
    set_two_and_two(table, 0);
    set_in_foot(table, 0, "AS AH 9S");
    set_pile(table, "AD");
    refused(table, "0 take AS AH", "ASK_PARTNER");
    set_pile(table, "8S AD");
    table_play(table, "0 take AS AH");
}

/* TF-26 with askPartner */
TABLE_TEST(TF_26_askPartner_needs_books_foot_and_the_option) {
    begin_settled(table, ASKING);
    melding_foot(table, 0, "9S 8S");
    refused_with(table, "0 ask", "CANNOT_GO_OUT", NO_BOOKS);
    set_two_and_two(table, 0);
    melding(table, 2, "9S 8S");
    refused_with(table, "2 ask", "CANNOT_GO_OUT", "Must pick up and empty foot first");
    begin_settled(table, PRESET);
    melding_foot(table, 0, "9S 8S");
    refused(table, "0 ask", "NO_ASKING");
    legal_lacks(table, 0, "ask");
    table_refuses_start(&hand_and_foot_game, "askPartner=yes", 4, "INVALID_SETTING",
                        "askPartner needs teams");
}

/* ---- Views, events, and moves of other rule books ---- */

/* TF-9: what a seat may know */
TABLE_TEST(TF_9_hands_feet_and_stock_are_hidden_until_the_round_ends) {
    struct game_state seen;
    begin_settled(table, PRESET);
    set_pile(table, "KS 6S");
    game_observe(table->game, &table->state, 0, &seen);
    const struct hand_and_foot *known = (const void *)seen.bytes;
    kinds_are(known->hand[0], "4S 4H 4D");
    for (int seat = 0; seat < 4; seat++)
        kinds_are(known->foot[seat], "");
    kinds_are(known->hand[2], "");
    assert_false(table_shows(table, 0, "\"KS\""));
    for (int i = 0; i < known->stock_count; i++)
        assert_int_equal(known->stock[i], 0);
    set_stock(table, 0);
    set_pile(table, "6S");
    set_stock(table, 0);
    table_play(table, "0 draw");
    shown(table, "\"foot\":[\"5S\",\"5H\",\"5D\"]");
}

/* TF-14, TF-C13: moves that this rule book does not have */
TABLE_TEST(TF_C13_moves_of_other_rule_books_are_refused) {
    begin_settled(table, PRESET);
    refused(table, "0 pile 2", "NO_CHOICE");
    melding(table, 0, "3H 9S");
    refused(table, "0 lay 3H", "NO_LAYING");
    refused(table, "0 fold", "BAD_REQUEST");
    refused(table, "0 draw 2", "BAD_REQUEST");
    struct move odd = {.verb = HAND_FOOT_UNDO, .count = 1};
    assert_false(game_check(table->game, &table->state, 0, &odd, NULL));
}

/* TF-18: in a terminal */
TABLE_TEST(TF_18_a_terminal_shows_books_as_clean_and_dirty) {
    static const char *const names[] = {"Ann", "Bob", "Cy", "Dee"};
    char buffer[4096];
    struct text text;
    begin_settled(table, PRESET);
    set_two_and_two(table, 0);
    text_begin(&text, buffer, sizeof buffer);
    game_show(table->game, &table->state, 0, names, &text);
    assert_non_null(strstr(buffer, "1) KS KS KH KH KD KD KC  [Clean Book]"));
    assert_non_null(strstr(buffer, "3) JS JS JH JD JC 2S 2H  [Dirty Book]"));
    assert_non_null(strstr(buffer, "> Ann          hand 3, foot 3: 4S 4H 4D\n"));
    assert_non_null(strstr(buffer, "  Cy           hand 3, foot 3\n"));
}
