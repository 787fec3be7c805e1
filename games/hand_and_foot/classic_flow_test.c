/* Hand & Foot, preset classic: the deal, turns, the pile, the foot, going out, the ends of rounds
 * and games, and the house rules about them. Books are tested in classic_books_test.c, options and
 * views in classic_test.c. */
#include "games/hand_and_foot/test_support.h"

static int held(struct table *table, int seat, const char *card) {
    return edit(table)->hand[seat][card_named(card)];
}

/* ---- Setup ---- */

/* HF-4, HF-5, HF-18, HF-19, HF-C34, HF-C35: decks, cards and what is left after the deal. */
TABLE_TEST(HF_4_HF_5_HF_18_HF_19_cards_by_players) {
    static const int stock[] = {123, 157, 191, 225, 259};
    static const int total[] = {168, 224, 280, 336, 392};
    for (int seats = 2; seats <= 6; seats++) {
        begin(table, "", seats);
        const struct hand_and_foot *state = edit(table);
        assert_int_equal(state->rules[RULE_DECKS], seats + 1);
        assert_int_equal(state->rules[RULE_JOKERS], 4);
        assert_int_equal(state->stock_count, stock[seats - 2]);
        assert_int_equal(state->pile_count, 1);
        assert_int_equal(stock[seats - 2] + 1 + 22 * seats, total[seats - 2]);
        for (int seat = 0; seat < seats; seat++) {
            assert_int_equal(state->hand_count[seat], 11);
            assert_int_equal(state->foot_count[seat], 11);
        }
    }
}

/* HF-2, HF-3: two to six, four by default, each for themselves. */
TABLE_TEST(HF_2_HF_3_players) {
    table_refuses_start(&hand_and_foot_game, "", 1, "INVALID_SETTING",
                        "Hand & Foot needs 2 to 8 players, not 1");
    table_refuses_start(&hand_and_foot_game, "", 7, "INVALID_SETTING",
                        "At most 6 players are allowed, not 7");
    assert_int_equal(hand_and_foot_game.players_default, 4);
    table_start(table, &hand_and_foot_game, "", 6);
    assert_int_equal(edit(table)->sides, 6);
    for (int seat = 0; seat < 6; seat++)
        assert_int_equal(hand_foot_side(edit(table), seat), seat);
}

/* HF-17: the same seed, the same deal; another seed, another one. */
UNIT_TEST(HF_17_the_seed_decides) {
    struct table one, two, other;
    struct table *tables[] = {&one, &two, &other};
    for (int i = 0; i < 3; i++) {
        uint8_t seed[CHANCE_SEED_SIZE] = {[0] = i == 2};
        table_start(tables[i], &hand_and_foot_game, "", 4);
        assert_true(game_deal_seed(tables[i]->game, &tables[i]->state, seed, NULL, NULL));
    }
    assert_memory_equal(one.state.bytes, two.state.bytes, hand_and_foot_game.state_size);
    assert_memory_not_equal(one.state.bytes, other.state.bytes, hand_and_foot_game.state_size);
}

/* HF-21, HF-90, HF-93: before the deal, and how round 1 starts. */
TABLE_TEST(HF_21_HF_90_the_start) {
    table_start(table, &hand_and_foot_game, "", 2);
    shown(table, "\"phase\":\"setup\",\"winner\":null,\"round\":0,");
    table_refuses(table, "0 draw", WRONG_PHASE);
    begin(table, "", 2);
    shown(table, "\"phase\":\"playing\",\"winner\":null,\"round\":1,\"currentPlayerIndex\":0,"
                 "\"turnPhase\":\"draw\",");
    shown(table, "\"discardPileFrozen\":false,\"minimum\":60,");
    for (int seat = 0; seat < 2; seat++) {
        char json[256];
        snprintf(json, sizeof json,
                 "{\"id\":\"p%d\",\"seatIndex\":%d,\"team\":%d,\"score\":0,\"handCount\":11,"
                 "\"footCount\":11,\"hasPlayedDown\":false,\"hasPickedUpFoot\":false,",
                 seat, seat, seat);
        shown(table, json);
        snprintf(json, sizeof json, "{\"id\":%d,\"points\":0,\"melds\":[],", seat);
        shown(table, json);
    }
    assert_int_equal(game_to_act(&hand_and_foot_game, &table->state), 1);
}

/* HF-20, HF-59: a wild that is turned first freezes the pile. HF-C39: a deal is a line. */
TABLE_TEST(HF_20_HF_59_a_wild_may_be_turned) {
    static const char *const turned[] = {"JK", "2S", "3H", "KD"};
    for (int i = 0; i < 4; i++) {
        char line[4096];
        struct text text;
        struct deal deal = {0};
        begin(table, "", 2);
        set_next(table, "9S");
        table_start(table, &hand_and_foot_game, "", 2);
        hand_and_foot_game.deck(table->state.bytes, &deal);
        uint8_t card = card_named(turned[i]);
        for (int j = 0; j < deal.count; j++) {
            if (deal.cards[j] == card) {
                deal.cards[j] = deal.cards[44];
                deal.cards[44] = card;
                break;
            }
        }
        text_begin(&text, line, sizeof line);
        text_string(&text, "- ");
        game_print_deal(&hand_and_foot_game, &table->state, deal.cards, &text);
        table_play(table, line);
        assert_int_equal(hand_foot_frozen(edit(table)), i < 2);
        shown(table, i < 2 ? "\"discardPileFrozen\":true" : "\"discardPileFrozen\":false");
        char json[64];
        snprintf(json, sizeof json, "\"discardPile\":{\"size\":1,\"top\":\"%s\"}", turned[i]);
        shown(table, json);
        told_within(table, "round-started", i < 2 ? "\"frozen\":true" : "\"frozen\":false");
    }
}

/* HF-C46: wrong cards, wrong counts, the wrong time. */
TABLE_TEST(HF_C46_deals_that_are_refused) {
    table_start(table, &hand_and_foot_game, "", 2);
    table_refuses(table, "- deal", "INVALID_DEAL", "Part 1 of the deal has 0 cards, it needs 11");
    table_refuses(table, "- deal KH KS", "INVALID_DEAL", NULL);
    table_refuses(table, "- deal 1H", "INVALID_DEAL", "Unknown card '1H'");
    table_refuses(table, "- deal KH KH KH KH", "INVALID_DEAL", "No KH is left in the deck");
    table_refuses(table, "- shuffle 4S", WRONG_PHASE);
    begin(table, "", 2);
    table_refuses(table, "- deal 4S", WRONG_PHASE);
}

/* HF-C46: hand, foot and stock are written in that order, with + before each foot. */
TABLE_TEST(HF_C46_an_explicit_deal_gives_exactly_these_cards) {
    struct deal deal = {0};
    char line[4096] = "- ";
    struct text text;
    table_start(table, &hand_and_foot_game, "", 2);
    hand_and_foot_game.deck(table->state.bytes, &deal);
    assert_int_equal(deal.count, 168);
    text_begin(&text, line + 2, sizeof line - 2);
    game_print_deal(&hand_and_foot_game, &table->state, deal.cards, &text);
    assert_memory_equal(line, "- deal 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS + KS AS 2H", 51);
    table_play(table, line);
    for (int i = 0; i < 11; i++) {
        assert_int_equal(edit(table)->hand[0][deal.cards[i]], 1);
        assert_int_equal(edit(table)->foot[0][deal.cards[11 + i]], 1);
        assert_int_equal(edit(table)->hand[1][deal.cards[22 + i]], 1);
        assert_int_equal(edit(table)->foot[1][deal.cards[33 + i]], 1);
    }
    assert_int_equal(edit(table)->pile[0], deal.cards[44]);
    assert_int_equal(edit(table)->stock[122], deal.cards[45]);
}

/* ---- Drawing ---- */

/* HF-22, HF-23, HF-24, HF-C21: draw, meld, discard, in that order; two cards from the deck. HF-156:
 * all that a turn consists of, in its order. */
TABLE_TEST(HF_22_to_HF_24_the_phases_of_a_turn) {
    before_pile(table, "", "KH KS KD KC KC 3S", "9S KH");
    set_next(table, "8S 9H 10D");
    table_refuses(table, "0 meld KH KS KD", WRONG_PHASE);
    table_refuses(table, "0 discard 3S", WRONG_PHASE);
    table_refuses(table, "0 done", WRONG_PHASE);
    table_refuses(table, "1 draw", NOT_YOUR_TURN);
    table_play(table, "0 draw");
    table_told(table, "cards-drawn", "{\"seatIndex\":0,\"count\":2,\"deckSize\":125}");
    shown(table, "\"turnPhase\":\"meld\"");
    assert_int_equal(held(table, 0, "8S"), 1);
    assert_int_equal(held(table, 0, "9H"), 1);
    assert_int_equal(held(table, 0, "10D"), 0);
    table_refuses(table, "0 draw", WRONG_PHASE);
    table_refuses(table, "0 take KC KS", WRONG_PHASE);
    table_play(table, "0 meld KH KS KD\n0 done");
    shown(table, "\"turnPhase\":\"discard\"");
    table_refuses(table, "0 add 1 KC", WRONG_PHASE);
    table_refuses(table, "0 done", WRONG_PHASE);
    table_play(table, "0 discard 3S");
    shown(table, "\"currentPlayerIndex\":1,\"turnPhase\":\"draw\"");
    table_refuses(table, "0 draw", NOT_YOUR_TURN);
}

/* HF-C21: a discard straight from the meld phase, or after done; never before the draw. */
TABLE_TEST(HF_C21_done_is_optional) {
    begin(table, "", 3);
    table_refuses(table, "0 discard 4S", WRONG_PHASE);
    table_play(table, "0 draw\n0 discard 4S");
    table_refuses(table, "1 done", WRONG_PHASE);
    table_refuses(table, "1 discard 5D", WRONG_PHASE);
    table_play(table, "1 draw\n1 done\n1 discard 5D");
    table_refuses(table, "2 discard 7S", WRONG_PHASE);
    table_play(table, "2 draw\n2 discard 7S");
    shown(table, "\"currentPlayerIndex\":0,\"turnPhase\":\"draw\"");
}

/* HF-25, HF-C18, HF-C31: new cards are marked until their owner draws again. */
TABLE_TEST(HF_25_HF_C18_HF_C31_new_cards_are_marked) {
    begin(table, "", 2);
    set_next(table, "9H KD 10S 10H JS JH");
    shown_to(table, 0, "\"newlyDrawn\":[]");
    table_play(table, "0 draw");
    shown_to(table, 0, "\"newlyDrawn\":[\"9H\",\"KD\"]");
    table_play(table, "0 discard 4S\n1 draw");
    shown_to(table, 0, "\"newlyDrawn\":[\"9H\",\"KD\"]");
    shown_to(table, 1, "\"newlyDrawn\":[\"10S\",\"10H\"]");
    table_play(table, "1 discard 6S\n0 draw");
    shown_to(table, 0, "\"newlyDrawn\":[\"JS\",\"JH\"]");
}

/* HF-C31: a take ends the marks of the last draw, and marks what it brought. */
TABLE_TEST(HF_C31_a_take_marks_its_own_cards) {
    before_pile(table, "", "KH KS 3S 8C", "10S");
    set_hand(table, 1, "KD 8D");
    set_next(table, "9S 9H");
    table_play(table, "0 draw\n0 discard 8C\n1 draw\n1 discard KD\n0 take KH KS");
    shown_to(table, 0, "\"newlyDrawn\":[\"8C\",\"10S\"]");
}

/* HF-25, HF-C18: a mark belongs to a card, and goes with it. */
TABLE_TEST(HF_C18_a_card_that_left_the_hand_is_not_marked) {
    begin(table, "", 2);
    set_next(table, "9H KD");
    table_play(table, "0 draw\n0 discard 9H");
    shown_to(table, 0, "\"newlyDrawn\":[\"KD\"]");
}

/* HF-26, HF-101, HF-152, HF-C38: all but the top is shuffled under the stock, then it is drawn. */
TABLE_TEST(HF_101_HF_152_HF_C38_the_pile_is_reshuffled) {
    begin(table, "", 2);
    set_pile(table, "8S 9S 10S JS");
    set_next(table, "AH");
    set_stock(table, 1);
    table_play(table, "0 draw");
    assert_int_equal(game_to_act(&hand_and_foot_game, &table->state), AWAITS_SHUFFLE);
    assert_int_equal(edit(table)->hand_count[0], 11);
    shown(table, "\"phase\":\"playing\"");
    table_refuses(table, "0 draw", WRONG_PHASE);
    table_refuses(table, "- deal 8S", WRONG_PHASE);
    table_refuses(table, "- shuffle JS 8S 9S", "INVALID_DEAL", NULL);
    table_refuses(table, "- shuffle 8S 9S", "INVALID_DEAL", NULL);
    table_play(table, "- shuffle 10S 8S 9S");
    table_told(table, "discards-reshuffled", "{\"deckSize\":4}");
    table_told(table, "cards-drawn", "{\"seatIndex\":0,\"count\":2,\"deckSize\":2}");
    shown_to(table, 0, "\"newlyDrawn\":[\"10S\",\"AH\"]"); /* what was left comes first */
    shown(table, "\"discardPile\":{\"size\":1,\"top\":\"JS\"}");
    shown(table, "\"turnPhase\":\"meld\"");
    table_play(table, "0 discard AH\n1 draw"); /* two are enough: no shuffle */
    shown_to(table, 1, "\"newlyDrawn\":[\"8S\",\"9S\"]");
}

/* HF-101: two cards in the pile are enough if they make up for what is missing. */
TABLE_TEST(HF_101_one_loose_card_may_be_enough) {
    begin(table, "", 2);
    set_pile(table, "8S JS");
    set_stock(table, 1);
    table_play(table, "0 draw\n- shuffle 8S");
    assert_int_equal(edit(table)->stock_count, 0);
    assert_int_equal(edit(table)->hand_count[0], 13);
}

/* HF-102, HF-103, HF-152, HF-C1, HF-C2, HF-C19: nothing moves, all are scored, nobody went out. */
TABLE_TEST(HF_102_HF_103_HF_C19_no_cards_end_the_round) {
    begin(table, "", 2);
    set_pile(table, "JS");
    set_book(table, 0, CLEAN_KINGS);
    set_book(table, 0, DIRTY_QUEENS);
    set_in_foot(table, 0, "9S");
    edit(table)->in_foot[0] = true;
    set_stock(table, 1);
    struct hand_foot_score expected[2];
    for (int side = 0; side < 2; side++)
        hand_foot_score_side(edit(table), side, &expected[side]);
    assert_int_equal(expected[0].total, 570 + 380 - 10);
    table_play(table, "0 draw");
    shown(table, "\"phase\":\"roundEnd\",\"winner\":null,\"round\":1,");
    shown(table, "\"reason\":\"Insufficient cards in deck\",\"wentOut\":null,");
    told_within(table, "round-over",
                "{\"round\":1,\"reason\":\"Insufficient cards in deck\",\"message\":\"Emergency "
                "round end: Insufficient cards in deck\",\"wentOut\":null,\"scores\":[");
    assert_int_equal(edit(table)->hand_count[0], 1);
    assert_int_equal(edit(table)->stock_count, 1);
    for (int side = 0; side < 2; side++)
        assert_int_equal(edit(table)->total[side], expected[side].total); /* once, no bonus */
    shown(table, "\"roundHistory\":[{\"round\":1,\"score\":940,\"wentOut\":false}]");
}

/* HF-C20: while the pile can be taken there is no emergency; only a draw that fails is one. */
TABLE_TEST(HF_C20_an_empty_deck_leaves_the_pile) {
    before_pile(table, "", "KH KS 3S 9H", "KD");
    set_stock(table, 0);
    table_play(table, "0 take KH KS\n0 discard 9H");
    shown(table, "\"phase\":\"playing\"");
    table_play(table, "1 draw");
    shown(table, "\"phase\":\"roundEnd\"");
}

/* ---- The pile ---- */

/* HF-27 to HF-32, HF-60, HF-143 to HF-146, HF-C10: what keeps the pile locked. */
TABLE_TEST(HF_27_to_HF_31_HF_143_to_HF_146_the_pile_is_locked) {
    before_pile(table, "", "KH KS QH QS 2S 3S 3C 9H", "9S KD");
    edit(table)->melded[0] = false;
    table_refuses(table, "0 take KH KS", "NOT_PLAYED_DOWN",
                  "Play down before you take the pile"); /* HF-27, HF-143, HF-C10 */
    edit(table)->melded[0] = true;
    set_pile(table, ""); /* HF-28 */
    table_refuses(table, "0 take KH KS", "PILE_EMPTY", "The discard pile is empty");
    shown(table, "\"discardPile\":{\"size\":0,\"top\":null}");
    set_pile(table, "KD 2H"); /* HF-29, HF-60, HF-144 */
    table_refuses(table, "0 take KH KS", "PILE_FROZEN", "A wild card is on top of the pile");
    set_pile(table, "KD JK");
    table_refuses(table, "0 take KH KS", "PILE_FROZEN", "A wild card is on top of the pile");
    set_pile(table, "KD 3D"); /* HF-30, HF-145 */
    table_refuses(table, "0 take 3S 3C", "PILE_THREE", "A 3 is on top of the pile");
    set_pile(table, "KD 3S");
    table_refuses(table, "0 take 3S 3C", "PILE_THREE", "A 3 is on top of the pile");
    set_pile(table, "KD 9S"); /* HF-31, HF-146 */
    static const char *const wrong[] = {"0 take 9H",      "0 take 9H 2S",  "0 take KH KS",
                                        "0 take KH 9H",   "0 take",        "0 take 9H 9H 9H",
                                        "0 take 9H / 9H", "0 take 9H 9H /"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        table_refuses(table, wrong[i], "NEED_MATCH",
                      "Name two natural cards from hand that match the top card");
    table_refuses(table, "0 take 9H 9H", "INVALID_CARD", "Card not in hand");
    table_refuses(table, "0 take add 1 9H", "NEED_MATCH",
                  "Name the cards from hand that match the top card"); /* HF-C37 */
}

/* HF-32 to HF-36, HF-147, HF-C37: three cards as a meld, five more to the hand, none drawn. */
TABLE_TEST(HF_32_to_HF_36_HF_147_the_pile_is_taken) {
    before_pile(table, "", "KH KS KC 3S", "JS 2H 8S 9S 10S AS QS KD");
    int stock = edit(table)->stock_count;
    table_play(table, "0 take KS KH");
    assert_int_equal(edit(table)->stock_count, stock); /* HF-34, HF-161 */
    assert_int_equal(edit(table)->book_count, 1);
    assert_int_equal(hand_foot_book_naturals(&edit(table)->books[0]), 3);
    assert_int_equal(edit(table)->books[0].rank, CARD_KING);
    assert_int_equal(edit(table)->hand_count[0], 2 + 5);
    assert_int_equal(edit(table)->pile_count, 2);
    shown(table, "\"discardPile\":{\"size\":2,\"top\":\"2H\"}");
    shown(table, "\"discardPileFrozen\":true"); /* HF-C9: a wild is on top again */
    shown(table, "\"turnPhase\":\"meld\"");
    table_told(table, "pile-taken",
               "{\"seatIndex\":0,\"topCard\":\"KD\",\"count\":6,\"pileSize\":2}");
    table_told(table, "cards-melded",
               "{\"seatIndex\":0,\"team\":0,\"bookId\":1,\"cards\":[\"KS\",\"KH\",\"KD\"],"
               "\"firstMeld\":false}");
    shown_to(table, 0, "\"hand\":[\"3S\",\"8S\",\"9S\",\"10S\",\"QS\",\"KC\",\"AS\"]");
    shown_to(table, 0, "\"newlyDrawn\":[\"8S\",\"9S\",\"10S\",\"QS\",\"AS\"]"); /* HF-36 */
    assert_true(edit(table)->melded[0]);                                        /* HF-35 */
}

/* HF-32, HF-C22: the three go on the player's meld of that rank, a full one included. */
TABLE_TEST(HF_32_a_taken_card_joins_the_meld_of_its_rank) {
    before_pile(table, "", "KC KC 3S", "9S KD");
    set_book(table, 1, "KS KS KS");
    set_book(table, 0, "QH QS QD");
    set_book(table, 0, "KH KH KH 2S");
    table_play(table, "0 take KC KC");
    assert_int_equal(edit(table)->book_count, 3);
    assert_int_equal(hand_foot_book_naturals(&edit(table)->books[2]), 6);
    assert_int_equal(hand_foot_book_naturals(&edit(table)->books[0]), 3);
    table_told(table, "book-completed", "{\"seatIndex\":0,\"bookId\":2,\"status\":\"Dirty Book\"}");
}

/* HF-33, HF-34, HF-148, HF-C11: a short pile gives what it has. */
TABLE_TEST(HF_33_HF_148_HF_C11_min_of_six_and_the_pile) {
    static const char *const piles[] = {"KD",
                                        "8S KD",
                                        "8S 8S KD",
                                        "8S 8S 8S KD",
                                        "8H 8S 8S 8S KD",
                                        "8H 8H 8S 8S 8S KD",
                                        "8H 8H 8H 8S 8S 8S KD"};
    for (int size = 1; size <= 7; size++) {
        before_pile(table, "", "KH KS 3S", piles[size - 1]);
        int stock = edit(table)->stock_count, taken = size < 6 ? size : 6;
        table_play(table, "0 take KH KS");
        assert_int_equal(edit(table)->hand_count[0], 1 + taken - 1);
        assert_int_equal(edit(table)->pile_count, size - taken);
        assert_int_equal(edit(table)->stock_count, stock);
    }
}

/* HF-C41: what comes from the pile comes before the foot is looked at. */
TABLE_TEST(HF_C41_HF_44_a_take_that_empties_the_hand) {
    before_pile(table, "", "KH KS", "9S KD");
    table_play(table, "0 take KH KS");
    assert_false(edit(table)->in_foot[0]);
    assert_int_equal(edit(table)->hand_count[0], 1);
    before_pile(table, "", "KH KS", "KD");
    table_play(table, "0 take KH KS");
    assert_true(edit(table)->in_foot[0]);
    assert_int_equal(edit(table)->hand_count[0], 11);
    assert_int_equal(edit(table)->foot_count[0], 0);
    assert_non_null(table_event(table, "foot-picked-up", 0));
    shown(table, "\"currentPlayerIndex\":0,\"turnPhase\":\"meld\"");
}

/* HF-42, HF-59 to HF-61, HF-C9: a wild on top freezes, anything else ends it. */
TABLE_TEST(HF_42_HF_59_to_HF_61_freezing) {
    before_pile(table, "", "2S 3S 4S", "9S KD");
    set_hand(table, 1, "KH KS 9H 3C");
    edit(table)->melded[1] = true;
    table_play(table, "0 draw\n0 discard 2S");
    table_told(table, "card-discarded",
               "{\"seatIndex\":0,\"card\":\"2S\",\"pileSize\":3,\"frozen\":true}");
    shown(table, "\"discardPileFrozen\":true");
    table_refuses(table, "1 take KH KS", "PILE_FROZEN", NULL);
    table_play(table, "1 draw\n1 discard 9H");
    shown(table, "\"discardPileFrozen\":false");
    table_told(table, "card-discarded",
               "{\"seatIndex\":1,\"card\":\"9H\",\"pileSize\":4,\"frozen\":false}");
}

/* ---- Discarding ---- */

/* HF-41, HF-58: one card, which lies on top; the turn passes. */
TABLE_TEST(HF_41_HF_58_one_card_is_discarded) {
    before_pile(table, "", "KH KS 3S", "9S QD");
    table_play(table, "0 draw");
    table_refuses(table, "0 discard", "INVALID_CARD", "Discard exactly 1 card");
    table_refuses(table, "0 discard KH KS", "INVALID_CARD", "Discard exactly 1 card");
    table_refuses(table, "0 discard KD", "INVALID_CARD", "Card not in hand");
    table_refuses(table, "0 discard /", "INVALID_CARD", "Card not in hand");
    table_play(table, "0 discard KH");
    shown(table, "\"discardPile\":{\"size\":3,\"top\":\"KH\"}");
    assert_int_equal(held(table, 0, "KH"), 0);
    table_refuses(table, "0 discard KS", NOT_YOUR_TURN);
    assert_int_equal(game_to_act(&hand_and_foot_game, &table->state), 2);
}

/* ---- The foot ---- */

/* HF-43, HF-44, HF-45, HF-141, HF-C4: by a discard; both books do not end the round yet. */
TABLE_TEST(HF_43_HF_141_HF_C4_the_last_discard_brings_the_foot) {
    ready_to_go_out(table, "", "");
    edit(table)->in_foot[0] = false;
    set_hand(table, 0, "9S");
    set_foot(table, 0, "8S 8S 8S 8H 8H 8H 8D 8D 8D 8C 8C");
    table_play(table, "0 discard 9S");
    table_told(table, "foot-picked-up", "{\"seatIndex\":0}");
    assert_true(edit(table)->in_foot[0]);
    assert_int_equal(edit(table)->hand_count[0], 11);
    assert_int_equal(edit(table)->foot_count[0], 0);
    assert_int_equal(held(table, 0, "8S"), 3);
    shown(table, "\"handCount\":11,\"footCount\":0,\"hasPlayedDown\":true,"
                 "\"hasPickedUpFoot\":true");
    shown(table, "\"phase\":\"playing\",\"winner\":null,\"round\":1,\"currentPlayerIndex\":1,"
                 "\"turnPhase\":\"draw\"");
    assert_false(edit(table)->in_foot[1]);
}

/* HF-44, HF-154, HF-109: by melding, in the middle of the turn, by one group or by several. */
TABLE_TEST(HF_44_HF_154_HF_109_the_last_meld_brings_the_foot) {
    begin_in_foot(table, "", "");
    edit(table)->in_foot[0] = false;
    set_foot(table, 0, "KC 8S 8S 8S 8H 8H 8H 8D 8D 8D 3S");
    set_hand(table, 0, "KH KS KD QH QS QD");
    table_play(table, "0 meld KH KS KD / QH QS QD");
    assert_true(edit(table)->in_foot[0]);
    shown(table, "\"currentPlayerIndex\":0,\"turnPhase\":\"meld\"");
    table_play(table, "0 add 1 KC\n0 discard 3S");
    assert_int_equal(edit(table)->hand_count[0], 9);
}

/* HF-44: an addition as well. */
TABLE_TEST(HF_44_the_last_addition_brings_the_foot) {
    begin_in_foot(table, "", "");
    edit(table)->in_foot[0] = false;
    set_book(table, 0, "KH KS KD");
    set_foot(table, 0, "8S 8S");
    set_hand(table, 0, "KC");
    table_play(table, "0 add 1 KC");
    assert_true(edit(table)->in_foot[0]);
    assert_int_equal(edit(table)->hand_count[0], 2);
}

/* HF-18: the foot is not playable before. */
TABLE_TEST(HF_18_the_foot_is_not_playable) {
    begin_in_foot(table, "", "");
    edit(table)->in_foot[0] = false;
    set_hand(table, 0, "9S 9H");
    set_foot(table, 0, "KH KS KD");
    table_refuses(table, "0 meld KH KS KD", "INVALID_CARD", NULL);
    table_refuses(table, "0 discard KH", "INVALID_CARD", NULL);
}

/* HF-108: foot and going out in one turn, both told; all eleven cards are used. */
TABLE_TEST(HF_108_HF_C4_foot_and_out_in_one_turn) {
    ready_to_go_out(table, "", "");
    edit(table)->in_foot[0] = false;
    set_hand(table, 0, "KC");
    set_foot(table, 0, "8S 8S 8S 8H 8H 8H 9D 9D 9D 9C 9C");
    table_play(table, "0 add 1 KC");
    assert_non_null(table_event(table, "foot-picked-up", 0));
    assert_null(table_event(table, "round-over", 0));
    table_play(table, "0 meld 8S 8S 8S 8H 8H 8H / 9D 9D 9D 9C 9C");
    told_within(table, "round-over",
                "\"reason\":\"Went out\",\"message\":\"went out immediately after picking up "
                "foot!\",\"wentOut\":0,");
    assert_int_equal(edit(table)->total[0], 570 + 10 + 380 + 60 + 50 + 100);
}

/* ---- Going out ---- */

/* HF-62 to HF-67, HF-142, HF-149, HF-C2, HF-C3, HF-C6, HF-97: by the last discard. */
TABLE_TEST(HF_142_HF_C6_out_by_discard) {
    ready_to_go_out(table, "", "9S");
    table_play(table, "0 discard 9S");
    shown(table, "\"phase\":\"roundEnd\",\"winner\":null,\"round\":1,"); /* HF-C25 */
    shown(table, "\"reason\":\"Went out\",\"wentOut\":0,");
    assert_int_equal(edit(table)->total[0], 570 + 380 + 100);
    assert_int_equal(edit(table)->total[1], -110); /* 22 cards of five */
    assert_int_equal(game_to_act(&hand_and_foot_game, &table->state), AWAITS_NATURE);
    assert_null(table_event(table, "turn-started", 0));
    told_within(table, "round-over",
                "\"meldPoints\":150,\"bookBonuses\":800,\"handCards\":0,\"handPenalty\":0,"
                "\"footCards\":0,\"footPenalty\":0,\"redThreeBonus\":0,\"goingOutBonus\":100,"
                "\"roundScore\":1050,\"totalScore\":1050}");
    told_within(table, "round-over",
                "{\"side\":1,\"melds\":[],\"meldPoints\":0,\"bookBonuses\":0,\"handCards\":11,"
                "\"handPenalty\":55,\"footCards\":11,\"footPenalty\":55,\"redThreeBonus\":0,"
                "\"goingOutBonus\":0,\"roundScore\":-110,\"totalScore\":-110}],"
                "\"isGameOver\":false}");
    table_refuses(table, "1 draw", WRONG_PHASE);
}

/* HF-63, HF-109, HF-C5, HF-C6: by the last meld, without a discard; not while cards are left. */
TABLE_TEST(HF_C5_HF_C6_out_by_meld) {
    ready_to_go_out(table, "", "9S 9H 9D 8S 8H 8D KC");
    table_play(table, "0 meld 9S 9H 9D");
    shown(table, "\"phase\":\"playing\"");
    table_play(table, "0 add 1 KC");
    shown(table, "\"phase\":\"playing\"");
    table_play(table, "0 meld 8S 8H 8D");
    shown(table, "\"phase\":\"roundEnd\"");
    assert_int_equal(edit(table)->out, 0);
}

/* HF-C6: an unlock may be the last play too. */
TABLE_TEST(HF_C6_out_by_taking) {
    ready_to_go_out(table, "", "9S 9H");
    set_pile(table, "9D");
    edit(table)->turn_phase = HAND_FOOT_TURN_DRAW;
    table_play(table, "0 take 9S 9H");
    shown(table, "\"phase\":\"roundEnd\"");
    assert_int_equal(edit(table)->out, 0);
}

/* HF-64, HF-65, HF-68, HF-139, HF-140, HF-161: the last discard waits for both books; all that is
 * missing is named. */
TABLE_TEST(HF_68_HF_139_HF_140_not_without_both_books) {
    begin_in_foot(table, "", "9S");
    table_refuses(table, "0 discard 9S", "CANNOT_GO_OUT", NEED_CLEAN "; " NEED_DIRTY);
    set_book(table, 1, CLEAN_KINGS); /* somebody else's */
    table_refuses(table, "0 discard 9S", "CANNOT_GO_OUT", NEED_CLEAN "; " NEED_DIRTY);
    begin_in_foot(table, "", "9S");
    set_book(table, 0, CLEAN_KINGS);
    table_refuses(table, "0 discard 9S", "CANNOT_GO_OUT", NEED_DIRTY);
    begin_in_foot(table, "", "9S");
    set_book(table, 0, DIRTY_QUEENS);
    table_refuses(table, "0 discard 9S", "CANNOT_GO_OUT", NEED_CLEAN);
    set_book(table, 0, "KH KS KD KC KH KS"); /* six are no book */
    table_refuses(table, "0 discard 9S", "CANNOT_GO_OUT", NEED_CLEAN);
    shown(table, "\"missingToGoOut\":\"" NEED_CLEAN "\"");
    shown(table, "\"missingToGoOut\":\"" NEED_CLEAN "; " NEED_DIRTY
                 "; Must pick up and empty foot first\"");
}

/* HF-68: nothing missing is an empty text. */
TABLE_TEST(HF_68_nothing_is_missing) {
    ready_to_go_out(table, "", "9S");
    shown(table, "\"missingToGoOut\":\"\"");
    edit(table)->in_foot[0] = false;
    shown(table, "\"missingToGoOut\":\"Must pick up and empty foot first\"");
}

/* HF-C7: without the books two cards stay in the hand, whatever is played. */
TABLE_TEST(HF_C7_two_cards_are_kept) {
    begin_in_foot(table, "", "KH KS KD 9S");
    table_refuses(table, "0 meld KH KS KD", "CANNOT_GO_OUT", NEED_CLEAN "; " NEED_DIRTY);
    begin_in_foot(table, "", "KH KS KD");
    table_refuses(table, "0 meld KH KS KD", "CANNOT_GO_OUT", NEED_CLEAN "; " NEED_DIRTY);
    begin_in_foot(table, "", "KH KS KD 9S 9S");
    table_play(table, "0 meld KH KS KD\n0 discard 9S");
    begin_in_foot(table, "", "KC 9S");
    set_book(table, 0, "KH KS KD");
    table_refuses(table, "0 add 1 KC", "CANNOT_GO_OUT", NEED_CLEAN "; " NEED_DIRTY);
    before_pile(table, "", "", "9S KD");
    set_in_foot(table, 0, "KH KS");
    table_refuses(table, "0 take KH KS", "CANNOT_GO_OUT", NEED_CLEAN "; " NEED_DIRTY);
    set_pile(table, "9S 9S KD");
    table_play(table, "0 take KH KS");
}

/* HF-C7: the books count as they will be after the action, for better and for worse. */
TABLE_TEST(HF_C7_books_count_as_they_will_be) {
    begin_in_foot(table, "", "KC");
    set_book(table, 0, "KH KS KD KC KH KS");
    set_book(table, 0, DIRTY_QUEENS);
    table_play(table, "0 add 1 KC"); /* completes the clean book and goes out */
    shown(table, "\"phase\":\"roundEnd\"");
    begin_in_foot(table, "", "2H");
    set_book(table, 0, CLEAN_KINGS);
    set_book(table, 0, "QH QS QD QC QH QS");
    table_play(table, "0 add 2 2H"); /* completes the dirty one */
    shown(table, "\"phase\":\"roundEnd\"");
    ready_to_go_out(table, "", "2H");
    table_refuses(table, "0 add 1 2H", "CANNOT_GO_OUT", NEED_CLEAN); /* HF-C32 spoils it */
    ready_to_go_out(table, "", "2H 9S");
    table_refuses(table, "0 add 1 2H", "CANNOT_GO_OUT", NEED_CLEAN);
    ready_to_go_out(table, "", "2H 9S 9H");
    table_play(table, "0 add 1 2H");
    table_play(table, "0 discard 9S");
    shown(table, "\"phase\":\"playing\"");
    assert_int_equal(edit(table)->hand_count[0], 1);
    ready_to_go_out(table, "", "2H 9S");
    table_play(table, "0 add 2 2H\n0 discard 9S");
    shown(table, "\"phase\":\"roundEnd\"");
}

/* HF-C7: not in the foot yet, the hand may be emptied without any book. */
TABLE_TEST(HF_C7_the_hand_may_be_emptied) {
    begin_in_foot(table, "", "");
    edit(table)->in_foot[0] = false;
    set_foot(table, 0, "8S 8H");
    set_hand(table, 0, "KH KS KD 9S");
    table_play(table, "0 meld KH KS KD\n0 discard 9S");
    assert_true(edit(table)->in_foot[0]);
}

/* HF-C2: the bonus is for the seat that went out, though an earlier seat could have. */
TABLE_TEST(HF_C2_the_bonus_goes_to_who_went_out) {
    ready_to_go_out(table, "", "9S");
    set_book(table, 1, "AH AS AD AC AH AS AD");
    set_book(table, 1, "JH JS JD JC JH JS 2D");
    set_in_foot(table, 1, "9H");
    edit(table)->current = 1;
    table_play(table, "1 discard 9H");
    assert_int_equal(edit(table)->total[0], 570 + 380 - 10);
    assert_int_equal(edit(table)->total[1], 640 + 380 + 100);
    shown(table, "\"roundHistory\":[{\"round\":1,\"score\":940,\"wentOut\":false}]");
    shown(table, "\"roundHistory\":[{\"round\":1,\"score\":1120,\"wentOut\":true}]"); /* HF-76 */
}

/* ---- Rounds and the game ---- */

/* HF-50, HF-67, HF-76, HF-96, HF-97, HF-C15, HF-C25, HF-C39: the next round starts anew. */
TABLE_TEST(HF_96_HF_97_HF_C15_HF_C25_the_next_round) {
    ready_to_go_out(table, "", "9S");
    edit(table)->stalemate = 1;
    edit(table)->reshuffles = 1;
    memset(edit(table)->new_cards[1], 0x11, sizeof edit(table)->new_cards[1]);
    table_play(table, "0 discard 9S");
    next_deal(table);
    const struct hand_and_foot *state = edit(table);
    shown(table, "\"phase\":\"playing\",\"winner\":null,\"round\":2,\"currentPlayerIndex\":0,"
                 "\"turnPhase\":\"draw\"");
    shown(table, "\"minimum\":90,");
    assert_int_equal(state->book_count, 0);
    assert_int_equal(state->pile_count, 1);
    assert_int_equal(state->stock_count, 123);
    assert_int_equal(state->stalemate, 0);
    assert_int_equal(state->reshuffles, 0);
    for (int seat = 0; seat < 2; seat++) {
        assert_int_equal(state->hand_count[seat], 11);
        assert_int_equal(state->foot_count[seat], 11);
        assert_false(state->melded[seat]);
        assert_false(state->in_foot[seat]);
        shown_to(table, seat, "\"newlyDrawn\":[]");
    }
    assert_int_equal(state->total[0], 1050);
    assert_int_equal(state->total[1], -110);
    shown(table, "\"roundHistory\":[{\"round\":1,\"score\":1050,\"wentOut\":true}]");
}

/* HF-1, HF-67, HF-75: 8500 at the end of a round ends the game, one point less does not. */
TABLE_TEST(HF_1_HF_75_8500_points_end_the_game) {
    for (int short_by = 0; short_by <= 1; short_by++) {
        struct result result;
        ready_to_go_out(table, "", "9S");
        edit(table)->total[0] = 8500 - 1050 - short_by;
        edit(table)->total[1] = 8000;
        table_play(table, "0 discard 9S");
        game_result(&hand_and_foot_game, &table->state, &result);
        assert_int_equal(result.over, short_by == 0);
        assert_int_equal(result.winners, short_by == 0 ? 1 : 0);
        assert_int_equal(result.score[0], 8500 - short_by);
        shown(table, short_by == 0 ? "\"phase\":\"gameEnd\",\"winner\":0,\"round\":1,"
                                   : "\"phase\":\"roundEnd\"");
        if (short_by == 0)
            told_within(table, "game-over", "\"totals\":[8500,7890]");
        else
            assert_null(table_event(table, "game-over", 0));
    }
}

/* HF-75: the highest total wins, whoever went out. HF-157: rounds are added up, and somebody wins.
 */
TABLE_TEST(HF_75_the_highest_total_wins) {
    struct result result;
    ready_to_go_out(table, "", "9S");
    edit(table)->total[0] = 7500;
    edit(table)->total[1] = 8661 + 110;
    table_play(table, "0 discard 9S");
    game_result(&hand_and_foot_game, &table->state, &result);
    assert_true(result.over);
    assert_int_equal(result.winners, 2);
    assert_int_equal(result.side_of[1], 1);
    assert_int_equal(result.score[1], 8661);
}

/* HF-75, HF-C24: on a tie the first seat wins; where that is a house rule, all of them. */
TABLE_TEST(HF_75_HF_C24_a_tie) {
    struct result result;
    for (int shared = 0; shared <= 1; shared++) {
        ready_to_go_out(table, shared ? "tie=shared" : "", "9S");
        edit(table)->total[0] = 8000;
        edit(table)->total[1] = 8000 + 1050 + 110;
        table_play(table, "0 discard 9S");
        game_result(&hand_and_foot_game, &table->state, &result);
        assert_int_equal(result.score[0], result.score[1]);
        assert_int_equal(result.winners, shared ? 3 : 1);
    }
}

/* HF-C24: the summary says that it was a tie on points. */
TABLE_TEST(HF_C24_the_summary_names_a_tie) {
    ready_to_go_out(table, "", "9S");
    edit(table)->total[0] = 8000;
    edit(table)->total[1] = 8000 + 1050 + 110;
    table_play(table, "0 discard 9S");
    told_within(table, "game-over", "\"tie\":true,\"winners\":[0]");
}

/* HF-90: the winner is told. */
TABLE_TEST(HF_90_the_winner_is_shown) {
    ready_to_go_out(table, "", "9S");
    shown(table, "\"winner\":null");
    edit(table)->total[0] = 8000;
    table_play(table, "0 discard 9S");
    shown(table, "\"winner\":0");
}

/* After the end: another game with the same seats and rules. */
TABLE_TEST(another_game) {
    begin(table, "targetScore=0 rounds=1 draw=3", 3);
    set_pile(table, "");
    set_stock(table, 0);
    table_refuses(table, "0 again", WRONG_PHASE);
    table_play(table, "0 draw\n1 again");
    shown(table, "\"phase\":\"setup\",\"winner\":null,\"round\":0,");
    assert_int_equal(edit(table)->total[0], 0);
    assert_int_equal(edit(table)->history_count, 0);
    assert_int_equal(edit(table)->sides, 3);
    assert_int_equal(edit(table)->rules[RULE_DRAW], 3);
    assert_int_equal(edit(table)->rules[RULE_DECKS], 4);
    next_deal(table);
    shown(table, "\"phase\":\"playing\",\"winner\":null,\"round\":1,");
}

/* HF-76: a round's score is kept whole, however large house rules make it. */
TABLE_TEST(HF_76_large_scores_are_kept) {
    ready_to_go_out(table,
                    "bookSize=5 cleanBonus=2000 wildBooks=yes wildBookBonus=5000 "
                    "booksPerRank=any targetScore=30000",
                    "9S");
    static const char *const books[] = {
        "2S 2S 2S 2H 2H",      "2H 2D 2D 2C 2C",     "JK JK JK JK JK", "JK JK JK JK JK",
        "AS AS AS AH AH",      "AD AD AD AC AC",     "JS JS JS JH JH", "JD JD JD JC JC",
        "10S 10S 10S 10H 10H", "10D 10D 10D 10C 10C"};
    for (size_t i = 0; i < sizeof books / sizeof *books; i++)
        set_book(table, 0, books[i]);
    table_play(table, "0 discard 9S");
    assert_true(edit(table)->total[0] > INT16_MAX);
    assert_int_equal(edit(table)->history[0][0], edit(table)->total[0]);
}

/* HF-76: rounds keep their numbers when there are more than the table remembers. */
TABLE_TEST(HF_76_a_long_game_forgets_its_first_rounds) {
    char json[96];
    ready_to_go_out(table, "", "9S");
    edit(table)->history_count = HAND_FOOT_HISTORY_MAX;
    edit(table)->round = HAND_FOOT_HISTORY_MAX + 4;
    table_play(table, "0 discard 9S");
    assert_int_equal(edit(table)->history_count, HAND_FOOT_HISTORY_MAX);
    snprintf(json, sizeof json, "{\"round\":%d,\"score\":1050,\"wentOut\":true}]",
             HAND_FOOT_HISTORY_MAX + 4);
    shown(table, json);
    shown(table, "\"roundHistory\":[{\"round\":5,");
}

/* ---- A stalemate of threes ---- */

/* Both players hold threes only, the pile is this one and the stock has so many cards. */
static void threes(struct table *table, const char *pile, int stock) {
    begin(table, "", 2);
    set_hand(table, 0, "3S 3S 3H 3H");
    set_hand(table, 1, "3C 3C 3D 3D");
    set_pile(table, pile);
    set_next(table, "9S 9S 9S 9H 9H 9H 9D 9D 9D 9C 9C 9C");
    set_stock(table, stock);
}

/* HF-104 to HF-106, HF-153, HF-103, HF-C1, HF-C13: a warning at one rotation, the end at two. */
TABLE_TEST(HF_104_to_HF_106_HF_153_HF_C13_two_rotations) {
    threes(table, "3H", 9);
    table_play(table, "0 draw\n0 discard 3S");
    assert_int_equal(edit(table)->stalemate, 1);
    assert_null(table_event(table, "stalemate-warning", 0));
    table_play(table, "1 draw\n1 discard 3C");
    assert_int_equal(edit(table)->stalemate, 2);
    table_told(table, "stalemate-warning",
               "{\"text\":\"⚠️ WARNING: Only 3s in discard with low deck. Round will end "
               "if continues.\"}");
    table_play(table, "0 draw\n0 discard 3S");
    assert_null(table_event(table, "stalemate-warning", 0));
    shown(table, "\"phase\":\"playing\"");
    table_play(table, "1 draw\n1 discard 3D");
    shown(table, "\"phase\":\"roundEnd\"");
    shown(table, "\"reason\":\"3s stalemate detected\",\"wentOut\":null");
    told_within(table, "round-over", "\"message\":\"Emergency round end: 3s stalemate detected\"");
    told_within(table, "round-over", "\"goingOutBonus\":0");
    assert_null(table_event(table, "turn-started", 0));
}

/* HF-104: fewer than ten cards in the deck. */
TABLE_TEST(HF_104_the_deck_must_be_low) {
    threes(table, "3H", 12);
    table_play(table, "0 draw\n0 discard 3S");
    assert_int_equal(edit(table)->stalemate, 0); /* ten are left */
    threes(table, "3H", 11);
    table_play(table, "0 draw\n0 discard 3S");
    assert_int_equal(edit(table)->stalemate, 1); /* nine */
}

/* HF-104, HF-C14: the last ten, or all if there are fewer. */
TABLE_TEST(HF_104_HF_C14_the_last_ten_discards) {
    begin(table, "", 2);
    set_hand(table, 0, "3S 9S");
    set_pile(table, "KH 3S 3S 3H 3H 3H 3D 3D 3D 3C");
    set_stock(table, 9);
    table_play(table, "0 draw\n0 discard 3S");
    assert_int_equal(edit(table)->stalemate, 1); /* the king is the eleventh */
    begin(table, "", 2);
    set_hand(table, 0, "3S 9S");
    set_pile(table, "KH 3S 3S 3H 3H 3H 3D 3D 3D");
    set_stock(table, 9);
    table_play(table, "0 draw\n0 discard 3S");
    assert_int_equal(edit(table)->stalemate, 0); /* the king is the tenth */
    threes(table, "KH", 9);
    table_play(table, "0 draw\n0 discard 3S");
    assert_int_equal(edit(table)->stalemate, 0);
    threes(table, "", 9);
    table_play(table, "0 draw\n0 discard 3S");
    assert_int_equal(edit(table)->stalemate, 1); /* the only card of the pile */
}

/* HF-107, HF-C14: any other discard starts the watch again. */
TABLE_TEST(HF_107_anything_else_resets_the_watch) {
    threes(table, "3H", 9);
    table_play(table, "0 draw\n0 discard 3S\n1 draw\n1 discard 3C\n0 draw\n0 discard 9S");
    assert_int_equal(edit(table)->stalemate, 0);
    table_play(table, "1 draw\n1 discard 3C");
    shown(table, "\"phase\":\"playing\"");
}

/* HF-105, HF-106: rotations are as long as there are players. */
TABLE_TEST(HF_105_HF_106_rotations_of_three_players) {
    begin(table, "", 3);
    for (int seat = 0; seat < 3; seat++)
        set_hand(table, seat, "3S 3H 9S");
    set_pile(table, "3C");
    set_stock(table, 9);
    edit(table)->stalemate = 2;
    table_play(table, "0 draw\n0 discard 3S");
    assert_non_null(table_event(table, "stalemate-warning", 0));
    edit(table)->stalemate = 4;
    table_play(table, "1 draw\n1 discard 3S");
    assert_null(table_event(table, "round-over", 0));
    assert_int_equal(edit(table)->stalemate, 5);
    table_play(table, "2 draw\n2 discard 3S");
    assert_non_null(table_event(table, "round-over", 0));
}
