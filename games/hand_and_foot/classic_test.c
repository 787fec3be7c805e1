/* Hand & Foot, preset classic: house rules about turns, options that do not go together, what each
 * seat sees and is told, the notation, and play that tries to get stuck. Books are tested in
 * classic_books_test.c, the flow of the game in classic_flow_test.c. */
#include "games/hand_and_foot/test_support.h"

/* Ends the round: the seat that is to draw finds no card. */
static void end_round(struct table *table) {
    char line[16];
    set_pile(table, "");
    set_stock(table, 0);
    snprintf(line, sizeof line, "%d draw", edit(table)->current);
    table_play(table, line);
}

/* ---- House rules ---- */

TABLE_TEST(house_rule_hand_and_foot_sizes_by_round) {
    static const int hands[] = {11, 15, 13, 13}, feet[] = {17, 12, 12, 12};
    begin(table, "handSize=11,15,13 footSize=17,12", 2);
    for (int i = 0; i < 4; i++) {
        for (int seat = 0; seat < 2; seat++) {
            assert_int_equal(edit(table)->hand_count[seat], hands[i]);
            assert_int_equal(edit(table)->foot_count[seat], feet[i]);
        }
        assert_int_equal(edit(table)->stock_count, 167 - 2 * (hands[i] + feet[i]));
        end_round(table);
        next_deal(table);
    }
}

TABLE_TEST(house_rule_cards_to_draw) {
    for (int draw = 1; draw <= 3; draw++) {
        char options[32];
        snprintf(options, sizeof options, "draw=%d", draw);
        begin(table, options, 2);
        int stock = edit(table)->stock_count;
        table_play(table, "0 draw");
        assert_int_equal(edit(table)->hand_count[0], 11 + draw);
        assert_int_equal(edit(table)->stock_count, stock - draw);
        begin(table, options, 2);
        set_pile(table, "9S");
        set_stock(table, draw - 1);
        table_play(table, "0 draw");
        shown(table, "\"reason\":\"Insufficient cards in deck\"");
    }
}

TABLE_TEST(house_rule_cards_from_the_pile) {
    for (int pickup = 0; pickup <= 9; pickup++) {
        char options[32];
        if (pickup == 1)
            continue; /* such rules are refused; see below */
        snprintf(options, sizeof options, "pickup=%d", pickup);
        before_pile(table, options, "KH KS 3S", "8S 8S 8S 8H 8H 8H 8D 8D 8D 8C KD");
        table_play(table, "0 take KH KS");
        int taken = pickup == 0 ? 11 : pickup;
        assert_int_equal(edit(table)->hand_count[0], taken);
        assert_int_equal(edit(table)->pile_count, 11 - taken);
    }
}

/* HF-36, HF-C31: all cards from the pile are named as new, however many there are. */
TABLE_TEST(HF_C31_a_whole_pile_is_marked) {
    before_pile(table, "pickup=0", "KH KS 3S", "8S 8S 8S 8H 8H 8H 8D 8D 8D 8C 8C 8C KD");
    table_play(table, "0 take KH KS");
    shown_to(table, 0,
             "\"newlyDrawn\":[\"8S\",\"8S.2\",\"8S.3\",\"8H\",\"8H.2\",\"8H.3\",\"8D\","
             "\"8D.2\",\"8D.3\",\"8C\",\"8C.2\",\"8C.3\"]");
}

TABLE_TEST(house_rule_one_natural_and_a_wild) {
    before_pile(table, "pickupWith=one-natural-and-wild", "KH 2S 2H QS 9S 3S", "9S KD");
    static const char *const wrong[] = {"0 take 2S 2H", "0 take KH QS", "0 take KH",
                                        "0 take KH 2S 2H"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        table_refuses(table, wrong[i], "NEED_MATCH",
                      "Name two cards from hand that match the top card, one may be wild");
    table_play(table, "0 take KH 2S");
    assert_int_equal(hand_foot_book_naturals(&edit(table)->books[0]), 2);
    assert_int_equal(hand_foot_book_wilds(&edit(table)->books[0]), 1);
    before_pile(table, "pickupWith=one-natural-and-wild", "KH KS 9S", "9S KD");
    table_play(table, "0 take KH KS");
    before_pile(table, "pickupWith=one-natural-and-wild", "KH JK 9S 9S", "9S KD");
    set_book(table, 0, "KC KC 2S 2H");
    table_play(table, "0 take KH JK");
    before_pile(table, "pickupWith=one-natural-and-wild wildLimit=two", "KH JK 9S 9S", "9S KD");
    set_book(table, 0, "KC KC 2S 2H");
    table_refuses(table, "0 take KH JK", "TOO_MANY_WILDS", NULL);
}

/* HF-32: the card goes onto the own meld of its rank, even where a rank may have several. */
TABLE_TEST(house_rule_a_taken_card_joins_a_meld_though_books_are_free) {
    before_pile(table, "booksPerRank=any", "KH KS 9S", "9S KD");
    set_book(table, 0, "KC KC KC");
    table_play(table, "0 take KH KS");
    assert_int_equal(edit(table)->book_count, 1);
    before_pile(table, "booksPerRank=any pickupPlay=new-book", "KH KS 9S", "9S KD");
    set_book(table, 0, "KC KC KC");
    table_play(table, "0 take KH KS");
    assert_int_equal(edit(table)->book_count, 2);
}

/* HF-32: a book that takes nothing more does not keep the card from another one of its rank. */
TABLE_TEST(HF_32_house_rule_a_taken_card_finds_the_open_meld) {
    before_pile(table, "booksPerRank=any addToFullDirty=no", "KH KS 9S", "9S KD");
    set_book(table, 0, "KC KC KC KD KD 2S 2H");
    set_book(table, 0, "KH KH KS");
    table_play(table, "0 take KH KS");
    assert_int_equal(hand_foot_book_size(&edit(table)->books[1]), 6);
    /* without another one it begins one, where that is allowed */
    before_pile(table, "booksPerRank=any addToFullDirty=no", "KH KS 9S", "9S KD");
    set_book(table, 0, "KC KC KC KD KD 2S 2H");
    table_play(table, "0 take KH KS");
    books_are(table, 0, 2);
    before_pile(table, "booksPerRank=one addToFullDirty=no", "KH KS 9S", "9S KD");
    set_book(table, 0, "KC KC KC KD KD 2S 2H");
    table_refuses(table, "0 take KH KS", "BOOK_FULL", "Nothing goes on a complete dirty book");
}

/* HF-C37: anywhere means on a book, or in the first of several groups. */
TABLE_TEST(HF_C37_house_rule_the_top_card_goes_anywhere) {
    const char *options = "pickupWith=any-legal-play pickupPlay=anywhere pickupAfterMeld=no";
    before_pile(table, options, "KH 2S QH QS QD 9S", "9S KD");
    edit(table)->melded[0] = false;
    table_refuses(table, "0 take KH 2S", "MIN_POINTS", "Need 60 points to play down (have 40)");
    table_play(table, "0 take KH 2S / QH QS QD"); /* the king that is taken counts as well */
    assert_int_equal(hand_foot_book_size(&edit(table)->books[0]), 3);
    assert_int_equal(hand_foot_book_size(&edit(table)->books[1]), 3);
    before_pile(table, options, "9H 9D", "9S KD");
    set_book(table, 0, "KC KC KC");
    table_refuses(table, "0 take add 2", "INVALID_BOOK", "There is no own book 2");
    table_play(table, "0 take add 1");
    assert_int_equal(hand_foot_book_size(&edit(table)->books[0]), 4);
    assert_int_equal(edit(table)->hand_count[0], 3);
}

TABLE_TEST(house_rule_pile_before_playing_down) {
    before_pile(table, "pickupAfterMeld=no", "KH KS AH AS 9S", "9S KD");
    edit(table)->melded[0] = false;
    table_refuses(table, "0 take KH KS", "MIN_POINTS", "Need 60 points to play down (have 30)");
    set_pile(table, "9S AD");
    table_play(table, "0 take AH AS");
    assert_true(edit(table)->melded[0]);
    told_within(table, "cards-melded", "\"firstMeld\":true");
}

TABLE_TEST(house_rule_the_pile_is_locked_by_red_threes_only) {
    before_pile(table, "pickupExcludes=red-threes blackThreeBooks=yes", "3S 3C 9S 9H", "9S 3S");
    table_play(table, "0 take 3S 3C");
    before_pile(table, "pickupExcludes=red-threes", "3S 3C 9S 9H", "9S 3D");
    table_refuses(table, "0 take 3S 3C", "PILE_THREE", NULL);
    set_pile(table, "9S 2S");
    table_refuses(table, "0 take 9S 9H", "PILE_FROZEN", NULL);
    before_pile(table, "pickupExcludes=red-threes freezing=no", "3S 3C 9S 9H", "9S 2S");
    table_refuses(table, "0 take 9S 9H", "NEED_MATCH", NULL);
}

TABLE_TEST(house_rule_no_freezing) {
    before_pile(table, "freezing=no", "9S 9H 9D", "9S 2S");
    shown(table, "\"discardPileFrozen\":false");
    table_refuses(table, "0 take 9S 9H", "PILE_FROZEN", NULL); /* a wild never matches */
}

TABLE_TEST(house_rule_red_threes_are_laid) {
    begin_in_foot(table, "", "3H 9S 9H");
    table_refuses(table, "0 lay 3H", "NO_LAYING", "Red 3s are not laid down at this table");
    begin_in_foot(table, "layRedThrees=yes redThreeBonus=101", "3H 3D 3D 3S 9S 9H");
    edit(table)->turn_phase = HAND_FOOT_TURN_DRAW;
    table_refuses(table, "0 lay 3H", WRONG_PHASE);
    edit(table)->turn_phase = HAND_FOOT_TURN_MELD;
    table_refuses(table, "0 lay 3S", "INVALID_CARD", "Only red 3s are laid down");
    table_refuses(table, "0 lay 9S", "INVALID_CARD", "Only red 3s are laid down");
    table_refuses(table, "0 lay", "INVALID_CARD", "Lay exactly 1 red 3");
    table_play(table, "0 lay 3H");
    table_told(table, "red-three-laid", "{\"seatIndex\":0,\"card\":\"3H\"}");
    table_refuses(table, "0 lay 3H", "INVALID_CARD", "Card not in hand");
    table_play(table, "0 lay 3D\n0 done\n0 lay 3D");
    shown(table, "\"redThrees\":3");
    struct hand_foot_score score;
    hand_foot_score_side(edit(table), 0, &score);
    assert_int_equal(score.red_threes, 303);
    assert_int_equal(score.total, 303 - 25);
    hand_foot_score_side(edit(table), 1, &score);
    assert_int_equal(score.red_threes, 0);
}

/* HF-C7 and HF-44 for red threes that are laid. */
TABLE_TEST(house_rule_red_threes_and_the_last_cards) {
    begin_in_foot(table, "layRedThrees=yes", "3H 9S");
    table_refuses(table, "0 lay 3H", "CANNOT_GO_OUT", NEED_CLEAN "; " NEED_DIRTY);
    ready_to_go_out(table, "layRedThrees=yes", "3H");
    table_play(table, "0 lay 3H");
    shown(table, "\"phase\":\"roundEnd\"");
    assert_int_equal(edit(table)->total[0], 570 + 380 + 100 + 100);
    begin_in_foot(table, "layRedThrees=yes", "");
    edit(table)->in_foot[0] = false;
    set_foot(table, 0, "9S 9H");
    set_hand(table, 0, "3H");
    table_play(table, "0 lay 3H");
    assert_true(edit(table)->in_foot[0]);
    ready_to_go_out(table, "layRedThrees=yes", "3H");
    table_play(table, "0 lay 3H");
    next_deal(table);
    shown(table, "\"redThrees\":0");
}

/* The owner is told the hand whenever it changed. */
TABLE_TEST(house_rule_a_laid_red_three_updates_the_hand) {
    begin_in_foot(table, "layRedThrees=yes", "3H 9S 9H");
    table_play(table, "0 lay 3H");
    told_within(table, "hand-updated", "\"hand\":[\"9S\",\"9H\"]");
}

TABLE_TEST(house_rule_rounds_instead_of_points) {
    ready_to_go_out(table, "targetScore=0 rounds=2", "9S");
    edit(table)->total[0] = 20000;
    table_play(table, "0 discard 9S");
    shown(table, "\"phase\":\"roundEnd\"");
    next_deal(table);
    end_round(table);
    shown(table, "\"phase\":\"gameEnd\",\"winner\":0,\"round\":2");
    ready_to_go_out(table, "targetScore=1050 rounds=5", "9S");
    table_play(table, "0 discard 9S");
    shown(table, "\"phase\":\"gameEnd\",\"winner\":0,\"round\":1");
}

/* HF-C15, HF-C40: round r starts with seat (r - 1) mod players. */
TABLE_TEST(HF_C15_HF_C40_the_starter_may_rotate) {
    for (int rotates = 0; rotates <= 1; rotates++) {
        begin(table, rotates ? "starterRotates=yes" : "", 3);
        for (int round = 1; round <= 5; round++) {
            assert_int_equal(edit(table)->current, rotates ? (round - 1) % 3 : 0);
            end_round(table);
            next_deal(table);
        }
    }
}

/* HF-64, HF-65 and HF-68 with other numbers of books, zero included. */
TABLE_TEST(house_rule_books_to_go_out) {
    static const char *const clean[] = {"KH KS KD KC KH", "AH AS AD AC AH", "JH JS JD JC JH",
                                        "10H 10S 10D 10C 10H", "9H 9S 9D 9C 9H"};
    static const char *const dirty[] = {"KS KD KC KH 2S", "AS AD AC AH 2S", "JS JD JC JH 2S",
                                        "10S 10D 10C 10H 2H", "9S 9D 9C 9H 2H"};
    for (int needed = 0; needed <= 5; needed++) {
        for (int kind = 0; kind <= 1; kind++) {
            char options[96], text[128];
            snprintf(options, sizeof options,
                     "bookSize=5 booksPerRank=any cleanToGoOut=%d "
                     "dirtyToGoOut=%d",
                     kind == 0 ? needed : 0, kind == 1 ? needed : 0);
            begin_in_foot(table, options, "8S");
            for (int i = 0; i < needed; i++) {
                const char *name = kind == 0 ? "Clean" : "Dirty";
                const char *cards = kind == 0 ? "with NO wilds" : "WITH wilds";
                if (needed == 1)
                    snprintf(text, sizeof text, "Need %s Book: 5+ cards %s", name, cards);
                else
                    snprintf(text, sizeof text, "Need %d %s Books (have %d): 5+ cards %s", needed,
                             name, i, cards);
                table_refuses(table, "0 discard 8S", "CANNOT_GO_OUT", text);
                set_book(table, 0, kind == 0 ? clean[i] : dirty[i]);
            }
            table_play(table, "0 discard 8S");
            shown(table, "\"phase\":\"roundEnd\"");
        }
    }
}

TABLE_TEST(house_rule_the_last_card_is_discarded) {
    ready_to_go_out(table, "lastCard=discard", "9S 9H 9D");
    table_refuses(table, "0 meld 9S 9H 9D", "KEEP_A_CARD", "Keep a card for the discard");
    ready_to_go_out(table, "lastCard=discard", "9S 9H 9D 9C");
    table_play(table, "0 meld 9S 9H 9D\n0 discard 9C");
    shown(table, "\"phase\":\"roundEnd\"");
}

TABLE_TEST(house_rule_no_card_is_turned) {
    begin(table, "turnFirstCard=no", 2);
    shown(table, "\"discardPile\":{\"size\":0,\"top\":null}");
    assert_int_equal(edit(table)->stock_count, 124);
    table_play(table, "0 draw\n0 discard 4S");
    shown(table, "\"discardPile\":{\"size\":1,\"top\":\"4S\"}");
}

TABLE_TEST(house_rule_decks_and_jokers) {
    begin(table, "decks=9 jokersPerDeck=0", 2);
    assert_int_equal(edit(table)->stock_count, 9 * 52 - 45);
    begin(table, "decks=9 playersMax=8", 8);
    assert_int_equal(edit(table)->stock_count, 504 - 8 * 22 - 1);
}

/* HF-C45: once, in the own turn, before the first pickup. */
TABLE_TEST(house_rule_a_hand_is_chosen) {
    begin(table, "", 2);
    table_refuses(table, "0 pile 2", "NO_CHOICE", "Hands are not chosen at this table");
    begin(table, "choosePile=yes", 2);
    table_refuses(table, "0 pile 3", "INVALID_PILE", "Choose pile 1 or 2");
    uint8_t foot[CARD_KINDS];
    memcpy(foot, edit(table)->foot[0], sizeof foot);
    table_play(table, "0 pile 2");
    assert_memory_equal(foot, edit(table)->hand[0], sizeof foot);
    table_refuses(table, "0 pile 1", WRONG_PHASE);
    table_play(table, "0 draw\n0 discard 5S");
    table_refuses(table, "0 pile 1", NOT_YOUR_TURN);
    table_play(table, "1 draw");
    table_refuses(table, "1 pile 2", WRONG_PHASE);
}

/* ---- Undo and partners, as far as they keep the game from a dead end ---- */

TABLE_TEST(house_rule_undo) {
    begin_in_foot(table, "", "KH KS KD 9S 9H");
    table_refuses(table, "0 undo", "UNDO_DISABLED", "Undo is switched off at this table");
    begin_in_foot(table, "undo=yes", "KH KS KD 9S");
    table_refuses(table, "0 undo", "NOTHING_TO_UNDO", "There is nothing to undo");
    struct game_state before = table->state;
    table_play(table, "0 meld KH KS KD"); /* one card left, but undo helps */
    table_refuses(table, "0 discard 9S", "CANNOT_GO_OUT",
                  NEED_CLEAN "; " NEED_DIRTY "; undo a play of this turn");
    table_play(table, "0 undo");
    table_told(table, "play-undone", "{\"seatIndex\":0,\"count\":3}");
    assert_int_equal(hand_foot_shown(edit(table), 0, card_of(CARD_KING, CARD_HEARTS)), 1);
    memset(edit(table)->shown, 0, sizeof edit(table)->shown); /* which everybody has seen now */
    assert_memory_equal(before.bytes, table->state.bytes, hand_and_foot_game.state_size);
}

/* HF-C7: undo helps out of one card, not out of none. */
TABLE_TEST(house_rule_undo_does_not_end_a_round) {
    begin_in_foot(table, "undo=yes", "KH KS KD");
    table_refuses(table, "0 meld KH KS KD", "CANNOT_GO_OUT", NEED_CLEAN "; " NEED_DIRTY);
}

/* HF-C44: one submission is one undo; HF-C36: an undone book frees its number. */
TABLE_TEST(HF_C44_HF_C36_a_submission_is_undone_whole) {
    begin_in_foot(table, "undo=yes", "KH KS KD QH QS QD 9S 9H 9D 8S 8H");
    edit(table)->melded[0] = false;
    table_play(table, "0 meld KH KS KD / QH QS QD\n0 meld 9S 9H 9D\n0 undo\n0 undo");
    assert_int_equal(edit(table)->book_count, 0);
    assert_false(edit(table)->melded[0]);
    table_play(table, "0 meld QH QS QD / KH KS KD");
    assert_int_equal(edit(table)->books[0].rank, CARD_QUEEN);
}

/* HF-C7: plays that undo no longer reaches must not count as a way out. */
TABLE_TEST(HF_C7_undo_that_is_full_leaves_no_dead_end) {
    begin_in_foot(table, "undo=yes", "KH KH KS KS KD KD KC KC KC QH QH QS QS QD QD QC QC QC");
    set_book(table, 0, "KH KS KD");
    set_book(table, 0, "QH QS QD");
    for (int left = 18; left > 1; left--) {
        struct move move = {.verb = HAND_FOOT_ADD, .count = 2};
        int card = 0;
        while (edit(table)->hand[0][card] == 0)
            card++;
        move.args[0] = hand_foot_rank(card) == CARD_KING ? 1 : 2;
        move.args[1] = (uint8_t)card;
        game_play(&hand_and_foot_game, &table->state, 0, &move, NULL, NULL);
    }
    table_play(table, "0 done");
    assert_string_not_equal(table_legal(table, 0), "");
}

TABLE_TEST(house_rule_the_partner_is_asked) {
    begin(table, "teams=two askPartner=yes", 4);
    set_book(table, 0, CLEAN_KINGS);
    set_book(table, 2, DIRTY_QUEENS);
    set_in_foot(table, 0, "9S 9H");
    edit(table)->turn_phase = HAND_FOOT_TURN_MELD;
    table_refuses(table, "2 answer yes", WRONG_PHASE);
    table_play(table, "0 ask");
    table_told(table, "partner-asked", "{\"seatIndex\":0}");
    assert_int_equal(game_to_act(&hand_and_foot_game, &table->state), 4);
    table_refuses(table, "0 discard 9S", NOT_YOUR_TURN);
    table_refuses(table, "2 draw", WRONG_PHASE);
    table_refuses(table, "2 answer maybe", "BAD_REQUEST", "Answer yes or no");
    struct table denied = *table;
    table_play(&denied, "2 answer no");
    table_told(&denied, "partner-answered", "{\"seatIndex\":2,\"yes\":false}");
    table_refuses(&denied, "0 ask", WRONG_PHASE);
    table_play(&denied, "0 discard 9S");
    assert_int_equal(edit(&denied)->hand_count[0], 1);
    table_play(table, "2 answer yes\n0 discard 9S");
    edit(table)->current = 0;
    edit(table)->turn_phase = HAND_FOOT_TURN_MELD;
    table_refuses(table, "0 discard 9H", "ASK_PARTNER", "Ask your partner before going out");
    edit(table)->asking = HAND_FOOT_GRANTED;
    table_play(table, "0 discard 9H");
    shown(table, "\"phase\":\"roundEnd\"");
}

TABLE_TEST(house_rule_asking_needs_foot_and_books) {
    begin(table, "", 2);
    table_play(table, "0 draw");
    table_refuses(table, "0 ask", "NO_ASKING", "Partners are not asked at this table");
    begin(table, "teams=two askPartner=yes", 4);
    table_refuses(table, "0 ask", WRONG_PHASE);
    table_play(table, "0 draw");
    table_refuses(table, "0 ask", "CANNOT_GO_OUT",
                  NEED_CLEAN "; " NEED_DIRTY "; Must pick up and empty foot first"); /* HF-68 */
}

/* ---- Options that do not go together ---- */

static void refuses_start(const char *options, int seats, const char *text) {
    table_refuses_start(&hand_and_foot_game, options, seats, "INVALID_SETTING", text);
}

UNIT_TEST(options_that_do_not_fit) {
    refuses_start("targetScore=0", 4, "The game needs an end: targetScore or rounds");
    refuses_start("pickup=1", 4, "pickup must be 0 for the whole pile, or 2 to 9 cards");
    refuses_start("askPartner=yes", 4, "askPartner needs teams");
    refuses_start("pickupWith=any-legal-play", 4,
                  "pickupWith=any-legal-play needs pickupPlay=anywhere");
    refuses_start("pickupPlay=anywhere", 4, "pickupPlay=anywhere needs pickupWith=any-legal-play");
    refuses_start("pickupPlay=new-book", 4, "pickupPlay=new-book needs booksPerRank=any");
    refuses_start("teams=two", 2, "Teams need at least 4 players, not 2");
    refuses_start("teams=two", 3, "Teams need at least 4 players, not 3");
    refuses_start("teams=two", 5, "Teams need an even number of players, not 5");
    refuses_start("playersMax=3", 4, "At most 3 players are allowed, not 4");
    refuses_start("decks=4", 4, "4 players need at least 5 decks, not 4");
}

/* The ranges of the options cannot lead to these two, but the limit must hold all the same. */
UNIT_TEST(cards_that_do_not_fit) {
    struct options options;
    struct refusal why;
    options_default(&hand_and_foot_game.options, &options);
    assert_true(hand_foot_rules_fit(options.slot, 4, &why));
    options.slot[RULE_DECKS] = 10;
    assert_false(hand_foot_rules_fit(options.slot, 4, &why));
    assert_string_equal(why.text, "560 cards are too many; at most 504 can be held");
    options.slot[RULE_DECKS] = 5;
    options.slot[RULE_HAND_SIZE + 1] = 40;
    options.slot[RULE_FOOT_SIZE + 1] = 29; /* 276 dealt, one turned, two to draw: 279 of 280 */
    assert_true(hand_foot_rules_fit(options.slot, 4, &why));
    options.slot[RULE_FOOT_SIZE + 1] = 30;
    assert_false(hand_foot_rules_fit(options.slot, 4, &why));
    assert_string_equal(why.text, "The deal needs 283 cards, but there are 280");
    options.slot[RULE_FOOT_SIZE] = 2; /* a later round may be smaller; the largest counts */
    options.slot[RULE_FOOT_SIZE + 2] = 11;
    assert_false(hand_foot_rules_fit(options.slot, 4, &why));
}

/* An empty line of options means the column classic of the table in RULES.md. */
UNIT_TEST(classic_is_the_default) {
    struct options plain, named;
    options_default(&hand_and_foot_game.options, &plain);
    options_default(&hand_and_foot_game.options, &named);
    assert_true(
        options_parse(&hand_and_foot_game.options, span_of("preset=classic"), &named, NULL));
    assert_memory_equal(&plain, &named, sizeof plain);
    static const struct {
        int slot, value;
    } expected[] = {
        {RULE_TEAMS, TEAMS_NONE},
        {RULE_PLAYERS_MAX, 6},
        {RULE_DECKS, 0},
        {RULE_JOKERS, 4},
        {RULE_HAND_SIZE + 1, 11},
        {RULE_FOOT_SIZE + 1, 11},
        {RULE_CHOOSE_PILE, 0},
        {RULE_TURN_CARD, 1},
        {RULE_DRAW, 2},
        {RULE_PICKUP, 6},
        {RULE_PICKUP_AFTER_MELD, 1},
        {RULE_PICKUP_WITH, WITH_TWO_NATURALS},
        {RULE_PICKUP_EXCLUDES, EXCLUDES_WILDS_AND_THREES},
        {RULE_PICKUP_PLAY, PLAY_ON_MELD},
        {RULE_FREEZING, 1},
        {RULE_WILD_LIMIT, WILDS_EQUAL},
        {RULE_BOOKS_PER_RANK, BOOKS_ONE},
        {RULE_BLACK_THREE_BOOKS, 0},
        {RULE_WILD_BOOKS, 0},
        {RULE_BOOK_SIZE, 7},
        {RULE_CLEAN_BONUS, 500},
        {RULE_DIRTY_BONUS, 300},
        {RULE_CLOSING, CLOSING_AUTOMATIC},
        {RULE_FULL_CLEAN, FULL_CLEAN_TAKES_WILDS},
        {RULE_FULL_DIRTY, 1},
        {RULE_OUT_CLEAN, 1},
        {RULE_OUT_DIRTY, 1},
        {RULE_LAST_CARD, LAST_ANY},
        {RULE_OUT_BONUS, 100},
        {RULE_TARGET, 8500},
        {RULE_ROUNDS, 0},
        {RULE_TIE, TIE_FIRST_SEAT},
        {RULE_STARTER_ROTATES, 0},
        {RULE_UNDO, 0},
        {RULE_SORTING, SORTING_AUTOMATIC},
        {RULE_LABELS, LABELS_CLEAN_DIRTY},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_int_equal(plain.slot[expected[i].slot], expected[i].value);
}

/* ---- Views ---- */

/* HF-18, HF-92, HF-93: the own hand, counts of the others, a foot is only a count. */
TABLE_TEST(HF_18_HF_93_what_a_seat_sees) {
    begin(table, "", 2);
    set_hand(table, 0, "KH 9S JK");
    set_hand(table, 1, "AH AS");
    set_pile(table, "10S JS");
    shown_to(table, 0,
             "\"seatIndex\":0,\"team\":0,\"score\":0,\"handCount\":3,\"hand\":[\"9S\","
             "\"KH\",\"JK\"],\"footCount\":11,\"newlyDrawn\":[],");
    shown_to(table, 0,
             "\"seatIndex\":1,\"team\":1,\"score\":0,\"handCount\":2,\"footCount\":11,"
             "\"hasPlayedDown\"");
    shown_to(table, 1, "\"handCount\":2,\"hand\":[\"AS\",\"AH\"],");
    shown_to(table, 1, "\"handCount\":3,\"footCount\":11,\"hasPlayedDown\"");
    static const int viewers[] = {SPECTATOR, 0, 1};
    for (int i = 0; i < 3; i++) {
        assert_false(table_shows(table, viewers[i], "\"foot\":"));
        assert_false(table_shows(table, viewers[i], "\"10S\"")); /* below the top */
        shown_to(table, viewers[i], "\"discardPile\":{\"size\":2,\"top\":\"JS\"}");
        shown_to(table, viewers[i], "\"deck\":{\"size\":");
        assert_false(table_shows(table, viewers[i], "\"cards\":"));
    }
    assert_false(table_shows(table, SPECTATOR, "\"hand\":"));
    assert_false(table_shows(table, 1, "\"KH\""));
    assert_true(table_shows(table, OMNISCIENT, "\"foot\":"));
    assert_true(table_shows(table, OMNISCIENT, "\"cards\":[\"10S\",\"JS\"]"));
}

/* HF-18: whatever lies hidden leaves no trace, in views and in what bots are given. */
UNIT_TEST(HF_18_hidden_cards_leave_no_trace) {
    struct table one, two;
    begin(&one, "", 2);
    set_hand(&one, 0, "KH 9S JK");
    set_pile(&one, "10S JS");
    two = one;
    set_hand(&two, 1, "AH AS AD AC AH AS AD AC QS QS QD");
    set_foot(&two, 0, "8H 8S 8D 8C 8H 8S 8D 8C QS QD QD");
    set_foot(&two, 1, "9H 9S 9D 9C 9H 9D 9D 9C QC QC QC");
    struct game_state seen[2];
    game_observe(&hand_and_foot_game, &one.state, 0, &seen[0]);
    game_observe(&hand_and_foot_game, &two.state, 0, &seen[1]);
    assert_memory_equal(seen[0].bytes, seen[1].bytes, hand_and_foot_game.state_size);
    game_observe(&hand_and_foot_game, &two.state, 1, &seen[1]);
    assert_memory_not_equal(seen[0].bytes, seen[1].bytes, hand_and_foot_game.state_size);
}

/* A sample is a whole state that looks the same, with other hidden cards. */
TABLE_TEST(samples_agree_with_what_is_seen) {
    struct chance chance;
    struct game_state seen, sample, again;
    begin(table, "layRedThrees=yes", 3);
    set_hand(table, 0, "KH 9S JK 3H 3H");
    set_book(table, 1, "QH QS 2S JK");
    set_pile(table, "10S JS");
    edit(table)->turn_phase = HAND_FOOT_TURN_MELD;
    table_play(table, "0 lay 3H");
    edit(table)->turn_phase = HAND_FOOT_TURN_DRAW; /* then every card is counted */
    chance_start_number(&chance, 1, 0);
    game_observe(&hand_and_foot_game, &table->state, 0, &seen);
    game_sample(&hand_and_foot_game, &seen, 0, &chance, &sample);
    assert_memory_not_equal(sample.bytes, table->state.bytes, hand_and_foot_game.state_size);
    game_observe(&hand_and_foot_game, &sample, 0, &again);
    assert_memory_equal(again.bytes, seen.bytes, hand_and_foot_game.state_size);
}

/* What everybody knows of the hands, kept from the public record alone: who took which cards from
 * the pile, and what was laid or discarded since. */
struct witness {
    uint8_t pile[HAND_FOOT_CARDS_MAX];
    int pile_count;
    uint8_t held[SEATS_MAX][CARD_KINDS];
    /* Since the discards were last shuffled under the stock: */
    bool shuffled;
    uint8_t under[CARD_KINDS];  /* what was shuffled */
    int elsewhere[CARD_KINDS];  /* copies that nobody saw then and that have not come to light */
    int drawn[SEATS_MAX];       /* cards drawn since, if the hand was not used up */
    int never_seen[CARD_KINDS]; /* copies that nobody saw at any such time of the round */
};

static void witness_plays(struct witness *witness, int seat, const uint16_t *cards, int count) {
    for (int i = 0; i < count; i++) {
        if (cards[i] >= CARD_KINDS)
            continue;
        if (witness->held[seat][cards[i]] > 0)
            witness->held[seat][cards[i]]--;
        else if (witness->drawn[seat] == 0 || witness->under[cards[i]] == 0)
            witness->elsewhere[cards[i]]--;
    }
}

/* The discards are about to be shuffled; books are read from the state, where they lie open. */
static void witness_shuffle(struct witness *witness, const struct hand_and_foot *before) {
    uint8_t open[CARD_KINDS] = {0};
    for (int i = 0; i < before->book_count; i++)
        hand_foot_add_book_cards(&before->books[i], open);
    for (int side = 0; side < before->sides; side++)
        for (int i = 0; i < 2; i++)
            open[card_of(3, CARD_HEARTS + i)] += before->red_threes[side][i];
    memset(witness->under, 0, sizeof witness->under);
    memset(witness->drawn, 0, sizeof witness->drawn);
    for (int i = 0; i < witness->pile_count; i++)
        open[witness->pile[i]]++;
    for (int i = 0; i < witness->pile_count - 1; i++)
        witness->under[witness->pile[i]]++;
    for (int card = 0; card < CARD_KINDS; card++) {
        int *never = &witness->never_seen[card], *elsewhere = &witness->elsewhere[card];
        int jokers = card == CARD_JOKER ? before->rules[RULE_JOKERS] : 1;
        *elsewhere = before->rules[RULE_DECKS] * jokers - open[card];
        for (int seat = 0; seat < before->head.seats; seat++)
            *elsewhere -= witness->held[seat][card];
        *never = !witness->shuffled || *elsewhere < *never ? *elsewhere : *never;
    }
    witness->pile[0] = witness->pile[witness->pile_count - 1];
    witness->pile_count = 1;
    witness->drawn[before->current] = before->rules[RULE_DRAW] - before->stock_count;
    witness->shuffled = true;
}

/* A move of a seat, seen by everybody; `before` is read only for how many cards the pile gives. */
static void witness_move(struct witness *witness, const struct hand_and_foot *before, int seat,
                         const struct move *move) {
    bool numbered = move->verb == HAND_FOOT_TAKE_ADD || move->verb == HAND_FOOT_ADD;
    bool takes = move->verb >= HAND_FOOT_TAKE && move->verb <= HAND_FOOT_TAKE_ADD;
    bool lays = move->verb == HAND_FOOT_MELD || move->verb == HAND_FOOT_ADD ||
                move->verb == HAND_FOOT_DISCARD || move->verb == HAND_FOOT_LAY || takes;
    if (lays)
        witness_plays(witness, seat, move->args + numbered, move->count - numbered);
    if (move->verb == HAND_FOOT_DISCARD)
        witness->pile[witness->pile_count++] = (uint8_t)move->args[0];
    if (move->verb == HAND_FOOT_DRAW && before->stock_count >= before->rules[RULE_DRAW])
        witness->drawn[seat] += before->rules[RULE_DRAW];
    if (!takes)
        return;
    witness->pile_count--; /* the top card is laid */
    for (int i = hand_foot_pickup_size(before) - 1; i > 0; i--)
        witness->held[seat][witness->pile[--witness->pile_count]]++;
}

static int count_witnessed(const struct witness *witness, const struct hand_and_foot *world,
                           int viewer) {
    int found = 0;
    for (int seat = 0; seat < world->head.seats; seat++) {
        for (int card = 0; card < CARD_KINDS && seat != viewer; card++) {
            assert_true(world->hand[seat][card] >= witness->held[seat][card]);
            found += witness->held[seat][card];
        }
    }
    return found;
}

/* What went under the stock lies there or was drawn since; what did not is elsewhere. Returns how
 * many cards of the stock are known that way. */
static int count_shuffled(const struct witness *witness, const struct hand_and_foot *world) {
    uint8_t stock[CARD_KINDS] = {0};
    int moved = 0, drawn = 0;
    if (!witness->shuffled)
        return 0;
    for (int i = 0; i < world->stock_count; i++)
        stock[world->stock[i]]++;
    for (int card = 0; card < CARD_KINDS; card++) {
        int feet = 0, kept = 0, all = 0;
        for (int seat = 0; seat < world->head.seats; seat++) {
            int hidden = world->hand[seat][card] - witness->held[seat][card];
            feet += world->foot[seat][card];
            kept += witness->drawn[seat] == 0 ? hidden : 0;
            all += hidden;
        }
        assert_in_range(stock[card], 0, witness->under[card]);
        assert_true(feet <= witness->never_seen[card]);
        assert_true(feet + kept <= witness->elsewhere[card]);
        if (feet + all > witness->elsewhere[card])
            moved += feet + all - witness->elsewhere[card];
    }
    for (int seat = 0; seat < world->head.seats; seat++)
        drawn += witness->drawn[seat];
    assert_true(moved <= drawn);
    return world->stock_count;
}

/* A hand that somebody was seen to take cards into has them in every world that is drawn. */
static void worlds_agree_with_the_witness(const char *options, uint64_t seed, int *found,
                                          int *shuffled) {
    struct table table;
    struct witness witness = {0};
    struct chance chance;
    begin(&table, options, 4);
    chance_start_number(&chance, seed, 0);
    if (edit(&table)->pile_count > 0)
        witness.pile[witness.pile_count++] = edit(&table)->pile[0];
    for (int moves = 0; moves < 2000; moves++) {
        uint32_t awaited = game_to_act(&hand_and_foot_game, &table.state);
        if (awaited == AWAITS_SHUFFLE) {
            witness_shuffle(&witness, edit(&table));
            game_deal_chance(&hand_and_foot_game, &table.state, &chance, NULL, NULL);
            awaited = game_to_act(&hand_and_foot_game, &table.state);
        }
        if (awaited == 0 || (awaited & AWAITS_NATURE) != 0)
            break;
        struct move legal[GAME_LEGAL_MAX];
        int seat = __builtin_ctz(awaited), viewer = (int)chance_below(&chance, 5) - 1;
        size_t count = game_legal(&hand_and_foot_game, &table.state, seat, legal);
        struct move *move = &legal[chance_below(&chance, (uint32_t)count)];
        bool in_foot = edit(&table)->in_foot[seat];
        witness_move(&witness, edit(&table), seat, move);
        assert_true(game_play(&hand_and_foot_game, &table.state, seat, move, NULL, NULL));
        struct game_state seen, world;
        game_observe(&hand_and_foot_game, &table.state, viewer, &seen);
        game_sample(&hand_and_foot_game, &seen, viewer, &chance, &world);
        if (edit(&table)->phase != HAND_FOOT_PLAYING)
            continue;
        for (int i = 0; i < 4; i++)
            if (edit(&table)->hand_count[i] < witness.drawn[i])
                witness.drawn[i] = edit(&table)->hand_count[i];
        if (edit(&table)->in_foot[seat] && !in_foot)
            witness.drawn[seat] = 0;
        assert_true(hand_and_foot_game.holds(world.bytes));
        count_shuffled(&witness, edit(&table)); /* the witness saw well */
        *found += count_witnessed(&witness, (const void *)world.bytes, viewer);
        *shuffled += count_shuffled(&witness, (const void *)world.bytes);
    }
}

UNIT_TEST(samples_agree_with_the_public_record) {
    static const char *const rules[] = {"", "preset=partners undo=no",
                                        "preset=closers choosePile=no"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        int found = 0, shuffled = 0;
        for (uint64_t seed = 1; seed <= 12; seed++)
            worlds_agree_with_the_witness(rules[i], seed, &found, &shuffled);
        assert_true(found > 1000);
        assert_true(shuffled > 1000);
    }
}

/* HF-73: when a round is over hands and feet lie open, with the whole breakdown. */
TABLE_TEST(HF_73_the_end_of_a_round_lies_open) {
    ready_to_go_out(table, "", "9S");
    set_hand(table, 1, "3H 8S");
    set_foot(table, 1, "3S AS");
    table_play(table, "0 discard 9S");
    shown(table, "\"handCount\":2,\"hand\":[\"3H\",\"8S\"],\"footCount\":2,"
                 "\"foot\":[\"3S\",\"AS\"],");
    shown(table, "{\"side\":0,\"melds\":[{\"id\":1,\"team\":0,\"rank\":\"K\",");
    shown(table, "\"status\":\"Clean Book\",\"points\":70,\"bonus\":500,");
    shown(table, "\"status\":\"Dirty Book\",\"points\":80,\"bonus\":300,");
    shown(table, "\"handCards\":2,\"handPenalty\":310,\"footCards\":2,\"footPenalty\":25,"
                 "\"redThreeBonus\":0,\"goingOutBonus\":0,\"roundScore\":-335,"
                 "\"totalScore\":-335}");
}

/* HF-91: the turn's fields. */
TABLE_TEST(HF_91_the_fields_of_a_turn) {
    before_pile(table, "", "KH KS KD 9S 9H", "9S");
    shown(table, "\"currentPlayerIndex\":0,\"turnPhase\":\"draw\"");
    shown(table, "\"hasDrawnFromDeck\":false");
    shown(table, "\"hasMelded\":false");
    table_play(table, "0 draw");
    shown(table, "\"hasDrawnFromDeck\":true");
    table_play(table, "0 meld KH KS KD");
    shown(table, "\"hasMelded\":true");
}

/* HF-91: after a take the turn starts with laid cards; an undo of later ones does not change that,
 * and the next turn starts without. */
TABLE_TEST(HF_91_what_was_laid_stays_laid) {
    before_pile(table, "undo=yes", "KH KS QH QS QD 9S 9H", "9S KD");
    table_play(table, "0 take KH KS");
    shown(table, "\"hasDrawnFromDeck\":false");
    shown(table, "\"hasMelded\":true");
    table_play(table, "0 meld QH QS QD\n0 undo");
    shown(table, "\"hasMelded\":true");
    table_play(table, "0 discard 9S");
    shown(table, "\"hasMelded\":false");
    before_pile(table, "undo=yes", "KH KS KD 9S 9H", "9S");
    table_play(table, "0 draw\n0 meld KH KS KD\n0 undo");
    shown(table, "\"hasDrawnFromDeck\":true");
    shown(table, "\"hasMelded\":false");
    table_play(table, "0 discard 9S");
    shown(table, "\"hasDrawnFromDeck\":false");
}

/* ---- Events ---- */

static void told_to(struct table *table, const char *type, int nth, uint32_t audience,
                    const char *data) {
    const struct event *event = table_event(table, type, nth);
    if (!event)
        fail_msg("no event %s", type);
    assert_int_equal(event->audience, audience);
    assert_int_equal(event->data.length, strlen(data));
    assert_memory_equal(event->data.data, data, strlen(data));
}

TABLE_TEST(HF_18_hands_are_told_to_their_owners) {
    char line[128];
    table_start(table, &hand_and_foot_game, "", 2);
    snprintf(line, sizeof line, "- deal %064d", 0);
    table_play(table, line);
    for (int seat = 0; seat < 2; seat++) {
        const struct event *event = table_event(table, "hand-updated", seat);
        assert_non_null(event);
        assert_int_equal(event->audience, 1u << seat);
    }
    assert_null(table_event(table, "hand-updated", 2));
    const struct event *started = table_event(table, "round-started", 0);
    assert_int_equal(started->audience, EVERYONE);
    static const char start[] = "{\"round\":1,\"minimum\":60,\"deckSize\":123,\"topCard\":\"";
    assert_memory_equal(started->data.data, start, strlen(start));
    told_to(table, "turn-started", 0, EVERYONE, "{\"seatIndex\":0}");
}

/* HF-36: what is drawn is told to its owner alone, what is laid to everybody. */
TABLE_TEST(HF_36_events_and_their_audiences) {
    before_pile(table, "", "KH KS KD QH QS 3S", "9S");
    edit(table)->melded[0] = false;
    edit(table)->round = 1;
    set_next(table, "JK 3H");
    table_play(table, "0 draw");
    assert_int_equal(table->events.count, 2);
    told_to(table, "cards-drawn", 0, EVERYONE, "{\"seatIndex\":0,\"count\":2,\"deckSize\":126}");
    told_to(table, "hand-updated", 0, 1,
            "{\"hand\":[\"3S\",\"3H\",\"QS\",\"QH\",\"KS\",\"KH\",\"KD\",\"JK\"],"
            "\"newlyDrawn\":[\"3H\",\"JK\"]}");
    table_play(table, "0 meld KH KS KD / QH QS JK");
    assert_int_equal(table->events.count, 3);
    told_to(table, "cards-melded", 0, EVERYONE,
            "{\"seatIndex\":0,\"team\":0,\"bookId\":1,\"cards\":[\"KH\",\"KS\",\"KD\"],"
            "\"firstMeld\":true}");
    told_to(table, "cards-melded", 1, EVERYONE,
            "{\"seatIndex\":0,\"team\":0,\"bookId\":2,\"cards\":[\"QH\",\"QS\",\"JK\"],"
            "\"firstMeld\":true}");
    assert_int_equal(table_event(table, "hand-updated", 0)->audience, 1);
    table_play(table, "0 discard 3H");
    told_to(table, "card-discarded", 0, EVERYONE,
            "{\"seatIndex\":0,\"card\":\"3H\",\"pileSize\":2,\"frozen\":false}");
    assert_int_equal(table_event(table, "hand-updated", 0)->audience, 1);
    told_to(table, "turn-started", 0, EVERYONE, "{\"seatIndex\":1}");
}

/* ---- Moves as text, as messages and as a list ---- */

/* HF-23, HF-124: both draws are offered when both are possible. */
TABLE_TEST(HF_23_legal_draws) {
    before_pile(table, "", "KH KS 3S", "9S KD");
    assert_string_equal(table_legal(table, 0), "draw; take KS KH");
    assert_string_equal(table_legal(table, 1), "");
    set_pile(table, "KD 2S");
    assert_string_equal(table_legal(table, 0), "draw");
    shown_to(table, 0, "\"legal\":[{\"type\":\"draw\",\"payload\":{},\"move\":\"draw\"}]");
    before_pile(table, "pickupWith=one-natural-and-wild", "KH KS 2S", "9S KD");
    assert_string_equal(table_legal(table, 0), "draw; take KS KH; take KS 2S");
}

TABLE_TEST(legal_plays) {
    before_pile(table, "", "KH KS KD 9S 9H 2C 3H 8S 8S", "9S");
    set_book(table, 0, "9D 9C 9C");
    edit(table)->turn_phase = HAND_FOOT_TURN_MELD;
    assert_string_equal(table_legal(table, 0),
                        "discard 8S; discard 9S; discard KS; discard 3H; discard 9H; discard KH; "
                        "discard KD; discard 2C; done; meld 8S 8S 2C; meld 9S 9H 2C; "
                        "meld KS KH KD; meld KS KH KD 2C; add 1 9S 9H; add 1 9S; add 1 2C");
    edit(table)->turn_phase = HAND_FOOT_TURN_DISCARD;
    assert_string_equal(table_legal(table, 0),
                        "discard 8S; discard 9S; discard KS; discard 3H; discard 9H; discard KH; "
                        "discard KD; discard 2C");
}

/* HF-C8: a first meld is offered as one submission. */
TABLE_TEST(HF_C8_legal_first_melds) {
    before_pile(table, "", "KH KS KD QH QS QD 9S 9H 2C", "8S");
    edit(table)->melded[0] = false;
    edit(table)->turn_phase = HAND_FOOT_TURN_MELD;
    const char *legal = table_legal(table, 0);
    assert_non_null(strstr(legal, "meld KS KH KD / QS QH QD;"));
    assert_non_null(strstr(legal, "meld KS KH KD / QS QH QD / 9S 9H 2C"));
    assert_null(strstr(legal, "meld KS KH KD;"));
    set_hand(table, 0, "AH AS AD 9S"); /* just enough */
    assert_non_null(strstr(table_legal(table, 0), "meld AS AH AD"));
    edit(table)->round = 6; /* 210 points: only with many wilds */
    set_hand(table, 0, "4S 4H 4D 4C KS KH 9S 2S 2H JK JK JK");
    legal = table_legal(table, 0);
    assert_non_null(strstr(legal, "meld KS KH JK JK / 4S 4H 4D 4C JK 2S"));
    set_hand(table, 0, "4S 4H 4D 4C KS KH 9S 2S 2H 2D JK JK"); /* 10 short */
    assert_null(strstr(table_legal(table, 0), "meld"));
}

TABLE_TEST(moves_are_messages) {
    before_pile(table, "layRedThrees=yes", "KH KS KH 3H 8S 8H", "9S KD");
    set_book(table, 0, "8D 8C 8C");
    shown_to(table, 0,
             "{\"type\":\"unlock-discard\",\"payload\":{\"cardIds\":[\"KS\",\"KH\"]},"
             "\"move\":\"take KS KH\"}");
    edit(table)->turn_phase = HAND_FOOT_TURN_MELD;
    shown_to(table, 0,
             "{\"type\":\"meld\",\"payload\":{\"melds\":[[\"KS\",\"KH\",\"KH.2\"]]},"
             "\"move\":\"meld KS KH KH\",\"preview\":{\"rating\":61}}");
    shown_to(table, 0,
             "{\"type\":\"add-to-meld\",\"payload\":{\"bookId\":1,\"cardIds\":[\"8S\","
             "\"8H\"]},\"move\":\"add 1 8S 8H\",\"preview\":{\"rating\":40}}");
    shown_to(table, 0,
             "{\"type\":\"discard\",\"payload\":{\"cardId\":\"KS\"},"
             "\"move\":\"discard KS\",\"preview\":{\"rating\":-3}}");
    shown_to(table, 0, "\"move\":\"discard 8S\",\"preview\":{\"rating\":-2}}");
    shown_to(table, 0, "\"move\":\"discard 3H\",\"preview\":{\"rating\":2,\"three\":\"red\"}}");
    shown_to(table, 0, "{\"type\":\"done-melding\",\"payload\":{},\"move\":\"done\"}");
    shown_to(table, 0,
             "{\"type\":\"lay-red-three\",\"payload\":{\"cardId\":\"3H\"},"
             "\"move\":\"lay 3H\"}");
}

/* The number of a copy has no meaning; senseless lines are refused with a reason. */
TABLE_TEST(lines_that_people_write) {
    before_pile(table, "", "KH KH KD 9S 10S 8H", "9S");
    edit(table)->turn_phase = HAND_FOOT_TURN_MELD;
    table_refuses(table, "0 sing", "BAD_REQUEST",
                  "Unknown move 'sing'; try: draw, take KH KS, meld KH KS 2C / QH QD QS, add 3 KD "
                  "2H, close 3, discard 3H, "
                  "undo, done, pile 2, lay 3H, ask, answer yes");
    table_refuses(table, "0 done 1", "BAD_REQUEST", NULL);
    table_refuses(table, "0 draw 2", "BAD_REQUEST", NULL);
    table_refuses(table, "0 meld KH 1X", "INVALID_CARD", "Unknown card '1X'");
    table_refuses(table, "0 discard TS.x TS", "INVALID_CARD", "Discard exactly 1 card");
    table_play(table, "0 meld kh.1 KH.2 kd\n0 discard TS");
    struct move none = {.verb = 77}, extra = {.verb = HAND_FOOT_DRAW, .count = 1};
    assert_false(game_check(&hand_and_foot_game, &table->state, 1, &none, &table->why));
    assert_string_equal(table->why.code, "BAD_REQUEST");
    assert_false(game_check(&hand_and_foot_game, &table->state, 1, &extra, &table->why));
    assert_string_equal(table->why.code, "BAD_REQUEST");
}

/* HF-88, HF-C29: bots take half a second to draw, 800 ms for each meld and 600 ms to discard. */
TABLE_TEST(HF_88_the_pace) {
    static const int delays[] = {500, 800, 600};
    begin(table, "", 2);
    for (int phase = HAND_FOOT_TURN_DRAW; phase <= HAND_FOOT_TURN_DISCARD; phase++) {
        edit(table)->turn_phase = (uint8_t)phase;
        struct pace pace = game_pace(table->game, &table->state);
        assert_int_equal(pace.bot_delay_ms_min, delays[phase]);
        assert_int_equal(pace.bot_delay_ms_max, delays[phase]);
        assert_int_equal(pace.show_ms, 0);
    }
}

TABLE_TEST(the_terminal_shows_the_table) {
    static const char *const names[] = {"Ann", "Bob"};
    char buffer[2048];
    struct text text;
    before_pile(table, "", "KH KS 2S 3S", "9S 2D");
    set_book(table, 0, DIRTY_QUEENS);
    edit(table)->total[1] = -35;
    text_begin(&text, buffer, sizeof buffer);
    game_show(&hand_and_foot_game, &table->state, 0, names, &text);
    assert_string_equal(buffer, "  round 1   deck 122   pile 2, top 2D (frozen)   first meld 60\n"
                                "  score 0\n"
                                "> Ann          hand 4, foot 11: 3S KS KH 2S\n"
                                "      1) QS QS QH QH QD QC 2D  [Dirty Book]\n"
                                "  score -35, not played down\n"
                                "  Bob          hand 11, foot 11\n"
                                "  To go out: " NEED_CLEAN "; Must pick up and empty foot first\n");
}

/* A card too many or too few is noticed in every phase; one exchanged for another is noticed
 * between turns. */
TABLE_TEST(lost_cards_are_noticed) {
    begin(table, "", 2);
    for (int phase = HAND_FOOT_TURN_DRAW; phase <= HAND_FOOT_TURN_DISCARD; phase++) {
        edit(table)->turn_phase = (uint8_t)phase;
        assert_true(hand_and_foot_game.holds(table->state.bytes));
        edit(table)->stock_count--;
        assert_false(hand_and_foot_game.holds(table->state.bytes));
        edit(table)->stock_count++;
    }
    edit(table)->turn_phase = HAND_FOOT_TURN_DRAW;
    edit(table)->pile[0] = CARD_JOKER;
    assert_false(hand_and_foot_game.holds(table->state.bytes));
}

/* ---- Nothing gets stuck ---- */

/* Of the legal moves the one that leaves the fewest cards; discards only if there is no play. */
static const struct move *greediest(const struct hand_and_foot *state, int seat,
                                    const struct move *moves, size_t count) {
    const struct move *best = NULL;
    int fewest = 1000;
    for (size_t i = 0; i < count; i++) {
        struct game_state next;
        if (moves[i].verb == HAND_FOOT_UNDO || moves[i].verb == HAND_FOOT_DISCARD ||
            moves[i].verb == HAND_FOOT_DONE)
            continue;
        memcpy(next.bytes, state, sizeof *state);
        assert_true(game_play(&hand_and_foot_game, &next, seat, &moves[i], NULL, NULL));
        const struct hand_and_foot *after = (const void *)next.bytes;
        int left = after->hand_count[seat] + after->foot_count[seat];
        if (left < fewest) {
            fewest = left;
            best = &moves[i];
        }
    }
    return best;
}

static const struct move *any_of(const struct move *moves, size_t count, int verb,
                                 struct chance *chance) {
    size_t start = chance_below(chance, (uint32_t)count);
    for (size_t i = 0; i < count; i++)
        if (moves[(start + i) % count].verb == verb)
            return &moves[(start + i) % count];
    return NULL;
}

/* Lays whatever can be laid, then discards; takes a play back only when nothing else is left. */
static const struct move *hostile(const struct hand_and_foot *state, int seat,
                                  const struct move *moves, size_t count, struct chance *chance,
                                  bool *undone) {
    const struct move *play = *undone ? NULL : greediest(state, seat, moves, count);
    if (play)
        return play;
    *undone = false;
    play = any_of(moves, count, HAND_FOOT_DISCARD, chance);
    if (play)
        return play;
    play = any_of(moves, count, HAND_FOOT_UNDO, chance);
    *undone = play != NULL;
    return play ? play : &moves[0];
}

static void plays_to_the_end(const char *options, int seats, uint64_t number, bool greedy) {
    struct table table;
    struct chance chance;
    uint32_t awaited;
    bool undone = false;
    table_start(&table, &hand_and_foot_game, options, seats);
    chance_start_number(&chance, number, 3);
    for (int moves = 0; (awaited = game_to_act(table.game, &table.state)) != 0; moves++) {
        assert_true(moves < 60000);
        if (awaited & AWAITS_NATURE) {
            assert_true(game_deal_chance(table.game, &table.state, &chance, NULL, NULL));
            continue;
        }
        struct move list[GAME_LEGAL_MAX];
        int seat = __builtin_ctz(awaited);
        size_t count = game_legal(table.game, &table.state, seat, list);
        for (size_t i = 0; i < count; i++)
            assert_true(game_check(table.game, &table.state, seat, &list[i], NULL));
        bool only_done = count == 1 && list[0].verb == HAND_FOOT_DONE;
        if (count == 0 || only_done)
            fail_msg("stuck with '%s', %d seats, seed %d", options, seats, (int)number);
        const struct move *move = greedy
                                      ? hostile(edit(&table), seat, list, count, &chance, &undone)
                                      : &list[chance_below(&chance, (uint32_t)count)];
        assert_true(game_play(table.game, &table.state, seat, move, NULL, &table.why));
    }
}

static const struct {
    const char *options;
    int seats;
} tables[] = {
    {"targetScore=3000", 2},
    {"targetScore=2000", 4},
    {"preset=partners rounds=2", 4},
    {"preset=closers rounds=2", 4},
    {"draw=1 pickup=0 layRedThrees=yes rounds=2", 2},
    {"draw=3 wildBooks=yes undo=yes layRedThrees=yes rounds=2", 2},
    {"lastCard=discard draw=1 cleanToGoOut=0 dirtyToGoOut=0 rounds=2", 2},
    {"teams=two askPartner=yes lastCard=discard bookSize=5 undo=yes rounds=2", 4},
    {"teams=two askPartner=yes draw=1 layRedThrees=yes bookSize=5 rounds=2", 4},
    {"booksPerRank=any addToFullDirty=no fullClean=naturals wildLimit=two bookSize=5 rounds=2", 2},
    {"playersMax=8 booksPerRank=any handSize=17 footSize=17 minimums=0 rounds=1", 8},
    {"pickupWith=one-natural-and-wild wildLimit=three freezing=no pickup=2 rounds=2", 3},
};

/* HF-C7, HF-108: whatever is played, there is a legal move until the game ends. */
UNIT_TEST(HF_C7_random_play_never_gets_stuck) {
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (uint64_t number = 0; number < 6; number++)
            plays_to_the_end(tables[i].options, tables[i].seats, number, false);
}

UNIT_TEST(HF_C7_hostile_play_never_gets_stuck) {
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (uint64_t number = 0; number < 6; number++)
            plays_to_the_end(tables[i].options, tables[i].seats, number, true);
}
