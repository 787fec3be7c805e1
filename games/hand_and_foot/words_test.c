/* What people read of Hand & Foot: messages for the action log, refusals that say what comes first,
 * and the table of a terminal with the score of a round. */
#include "games/hand_and_foot/test_support.h"

/* A move may be typed as people say it. */
TABLE_TEST(moves_are_read_as_people_say_them) {
    struct move move;
    char words[MOVE_TEXT_SIZE];
    struct text text;
    begin(table, "", 2);
    assert_true(game_parse(table->game, &table->state,
                           span_of("meld king of hearts k♠ two clubs / 3 hearts joker"), &move,
                           NULL));
    text_begin(&text, words, sizeof words);
    game_print(table->game, &move, &text);
    assert_string_equal(words, "meld KH KS 2C / 3H JK");
    assert_true(
        game_parse(table->game, &table->state, span_of("add 3 king diamonds"), &move, NULL));
    text_begin(&text, words, sizeof words);
    game_print(table->game, &move, &text);
    assert_string_equal(words, "add 3 KD");
}

/* ---- The action log ---- */

/* The last line produced these messages, in this order: "0 drew 2 cards; - Round 1 begins". */
static void messages_are(struct table *table, const char *expected) {
    char buffer[1024];
    struct text text;
    text_begin(&text, buffer, sizeof buffer);
    for (size_t i = 0; i < table->events.count; i++) {
        const struct event *event = &table->events.item[i];
        if (event->message.length == 0)
            continue;
        text_string(&text, text.length > 0 ? "; " : "");
        if (event->seat == NATURE)
            text_char(&text, '-');
        else
            text_number(&text, event->seat);
        text_char(&text, ' ');
        text_span(&text, event->message);
        assert_int_equal(event->audience, EVERYONE);
    }
    assert_string_equal(buffer, expected);
}

/* HF-95, HF-122: an entry's message, and whose name stands before it. The time is the world's. */
TABLE_TEST(HF_95_what_is_done_has_a_message) {
    begin(table, "", 2);
    messages_are(table, "- Round 1 begins");
    set_hand(table, 0, "AS AH AD KS KH KD KC 10S 2S 9S");
    set_hand(table, 1, "JS JH");
    set_next(table, "3S 3H");
    set_pile(table, "9D");
    table_play(table, "0 draw");
    messages_are(table, "0 drew 2 cards");
    table_play(table, "0 meld AS AH AD / KS KH KD");
    messages_are(table, "0 melded AS AH AD; 0 melded KS KH KD");
    table_play(table, "0 add 2 KC");
    messages_are(table, "0 added KC to book 2 (K)");
    table_play(table, "0 done");
    table_told(table, "melding-done", "{\"seatIndex\":0}");
    messages_are(table, "0 finished melding");
    table_play(table, "0 discard 2S");
    messages_are(table, "0 discarded 2S; the pile is frozen");
    table_play(table, "1 draw\n1 discard JS");
    messages_are(table, "1 discarded JS");
}

/* HF-95, HF-36: the pile first, then what is laid of it; what lay below the top stays unsaid. */
TABLE_TEST(HF_95_the_pile_is_taken_then_laid) {
    before_pile(table, "", "KH KS 9S 8S", "3S 4H KD");
    table_play(table, "0 take KH KS");
    messages_are(table, "0 took 3 cards from the pile; 0 melded KH KS KD");
    table_told(table, "pile-taken",
               "{\"seatIndex\":0,\"topCard\":\"KD\",\"count\":3,\"pileSize\":0}");
    table_told(table, "discard-unlocked",
               "{\"meldedCards\":[\"KH\",\"KS\",\"KD\"],\"additionalCards\":[\"4H\",\"3S\"]}");
    assert_int_equal(table_event(table, "discard-unlocked", 0)->audience, 1);
    assert_true(table_event(table, "discard-unlocked", 0)->answers);
    before_pile(table, "", "KH KS 9S 8S", "KD");
    table_play(table, "0 take KH KS");
    messages_are(table, "0 took KD from the pile; 0 melded KH KS KD");
}

/* HF-108: the foot and going out straight after it are both in the log; HF-56: so are books. */
TABLE_TEST(HF_108_the_foot_and_going_out_are_logged) {
    begin(table, "", 2);
    set_book(table, 0, CLEAN_KINGS);
    set_book(table, 0, "QH QS QD QC QH QS");
    melding(table, 0, "2D");
    set_foot(table, 0, "9S 9H 9D");
    table_play(table, "0 add 2 2D");
    messages_are(table,
                 "0 added 2D to book 2 (Q); 0 completed a Dirty Book of Q; 0 picked up foot");
    table_play(table, "0 meld 9S 9H 9D");
    messages_are(table, "0 melded 9S 9H 9D; 0 went out immediately after picking up foot!");
    begin(table, "", 2); /* by the discard before: that is no longer at once */
    set_book(table, 0, CLEAN_KINGS);
    set_book(table, 0, "QH QS QD QC QH QS 2D");
    melding(table, 0, "3S");
    set_foot(table, 0, "9S 9H");
    table_play(table, "0 discard 3S");
    messages_are(table, "0 discarded 3S; 0 picked up foot");
    melding(table, 1, "3S 4S");
    table_play(table, "1 discard 3S\n0 draw");
    melding(table, 0, "3S");
    table_play(table, "0 discard 3S");
    messages_are(table, "0 discarded 3S; 0 went out");
}

/* HF-101, HF-103, HF-105: what nobody does by a move. */
TABLE_TEST(HF_103_HF_105_what_happens_is_logged) {
    before_pile(table, "", "KH KS 9S 8S", "9S 9H 9D");
    set_stock(table, 1);
    table_play(table, "0 draw\n- shuffle 9H 9S");
    messages_are(table, "- The discard pile was shuffled into the deck; 0 drew 2 cards");
    begin(table, "", 2);
    set_stock(table, 0);
    table_play(table, "0 draw");
    messages_are(table, "- Emergency round end: Insufficient cards in deck");
    begin(table, "", 2);
    set_pile(table, "3S");
    set_hand(table, 0, "9S 3S");
    set_stock(table, 5);
    edit(table)->turn_phase = HAND_FOOT_TURN_MELD;
    edit(table)->stalemate = 1;
    table_play(table, "0 discard 3S");
    messages_are(table, "0 discarded 3S; "
                        "- ⚠️ WARNING: Only 3s in discard with low deck. "
                        "Round will end if continues.");
}

/* HF-95 for what only some tables have. */
TABLE_TEST(HF_95_house_rules_have_messages) {
    begin_settled(table, "preset=closers layRedThrees=yes undo=yes teams=two askPartner=yes");
    edit(table)->chose_pile[0] = false;
    table_play(table, "0 pile 2");
    messages_are(table, "0 chose pile 2");
    set_book(table, 0, CLEAN_KINGS);
    melding_foot(table, 0, "3H 9S 9H 9D 8S");
    table_play(table, "0 close 1");
    messages_are(table, "0 closed a Natural Book of K");
    table_play(table, "0 undo");
    messages_are(table, "0 opened the closed book again");
    set_book(table, 0, DIRTY_JACKS);
    table_play(table, "0 close 2");
    messages_are(table, "0 closed an Unnatural Book of J");
    table_play(table, "0 lay 3H");
    messages_are(table, "0 laid 3H");
    table_play(table, "0 meld 9S 9H 9D\n0 undo");
    messages_are(table, "0 took back 3 cards");
    begin_settled(table, "teams=two askPartner=yes cleanToGoOut=0 dirtyToGoOut=0 rounds=1 "
                         "targetScore=0");
    melding_foot(table, 0, "9S");
    table_play(table, "0 ask");
    messages_are(table, "0 asked to go out");
    table_play(table, "2 answer yes");
    messages_are(table, "2 agreed");
    table_play(table, "0 discard 9S");
    messages_are(table, "0 discarded 9S; 0 went out; - The game is over");
}

/* HF-C24: that it was a tie on points is said. */
TABLE_TEST(HF_C24_a_tie_is_said) {
    ready_to_go_out(table, "rounds=1 targetScore=0", "9S");
    struct hand_foot_score other;
    hand_foot_score_side(edit(table), 1, &other);
    edit(table)->total[1] = 70 + 500 + 80 + 300 + 100 - other.total;
    table_play(table, "0 discard 9S");
    messages_are(table, "0 discarded 9S; 0 went out; - The game is over: a tie on points");
}

/* ---- Refusals ---- */

/* PL-53, HF-22: a move at the wrong time is told what comes first. */
TABLE_TEST(PL_53_HF_22_the_wrong_time_in_words) {
    static const struct {
        int phase;
        const char *line, *text;
    } cases[] = {
        {HAND_FOOT_TURN_DRAW, "0 meld KH KS KD", "Draw from the deck or take the pile first"},
        {HAND_FOOT_TURN_DRAW, "0 add 1 KH", "Draw from the deck or take the pile first"},
        {HAND_FOOT_TURN_DRAW, "0 discard KH", "Draw from the deck or take the pile first"},
        {HAND_FOOT_TURN_DRAW, "0 done", "Draw from the deck or take the pile first"},
        {HAND_FOOT_TURN_MELD, "0 draw", "You have drawn already"},
        {HAND_FOOT_TURN_MELD, "0 take KH KS", "You have drawn already"},
        {HAND_FOOT_TURN_DISCARD, "0 draw", "You have drawn already"},
        {HAND_FOOT_TURN_DISCARD, "0 meld KH KS KD", "Melding is over: discard a card"},
        {HAND_FOOT_TURN_DISCARD, "0 done", "Melding is over: discard a card"},
        {HAND_FOOT_TURN_MELD, "0 answer yes", "Nobody asks you"},
    };
    before_pile(table, "", "KH KS KD 9S", "KC");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        edit(table)->turn_phase = (uint8_t)cases[i].phase;
        table_refuses(table, cases[i].line, "WRONG_PHASE", cases[i].text);
    }
}

/* ---- A terminal ---- */

static const char *const names[] = {"Ann", "Bob", "Cy", "Dee"};

static const char *shown_in_terminal(struct table *table, int viewer) {
    static char buffer[8192];
    struct text text;
    text_begin(&text, buffer, sizeof buffer);
    game_show(&hand_and_foot_game, &table->state, viewer, names, &text);
    return buffer;
}

static void terminal_shows(struct table *table, int viewer, const char *lines) {
    const char *all = shown_in_terminal(table, viewer);
    if (!strstr(all, lines))
        fail_msg("expected\n%s\nin\n%s", lines, all);
}

/* HF-25, HF-C31: newly drawn cards have a star, for their owner only. */
TABLE_TEST(HF_25_a_terminal_marks_new_cards) {
    before_pile(table, "", "KH KS 9S", "KC");
    set_next(table, "9S AH");
    table_play(table, "0 draw");
    terminal_shows(table, 0, "> Ann          hand 5, foot 11: 9S 9S* KS KH AH*\n");
    terminal_shows(table, 1, "> Ann          hand 5, foot 11\n");
    table_play(table, "0 discard 9S");
    terminal_shows(table, 0, "  Ann          hand 4, foot 11: 9S* KS KH AH*\n");
}

/* HF-25: cards of the foot were not drawn, whatever was drawn before. */
TABLE_TEST(HF_25_a_foot_is_not_newly_drawn) {
    before_pile(table, "", "9H", "KC");
    set_book(table, 0, "9S 9D 9C");
    set_foot(table, 0, "9H 9C AS");
    set_next(table, "9H 9C");
    table_play(table, "0 draw");
    shown_to(table, 0, "\"newlyDrawn\":[\"9H\",\"9C\"]");
    table_play(table, "0 add 1 9H 9H 9C");
    hand_is(table, 0, "9H 9C AS");
    shown_to(table, 0, "\"newlyDrawn\":[]");
    terminal_shows(table, 0, "> Ann          foot 3: 9H 9C AS\n");
}

/* HF-73, HF-74, HF-C23: the breakdown in full. */
TABLE_TEST(HF_73_HF_74_a_terminal_shows_the_score) {
    begin(table, "", 2);
    set_book(table, 0, CLEAN_KINGS);
    set_book(table, 0, "AS AH AD AC AS 2S 2H");
    set_book(table, 0, "QS QH QD QC");
    melding_foot(table, 0, "9S");
    set_hand(table, 1, "10S 4S");
    set_foot(table, 1, "KS KH KC QS 5S");
    edit(table)->total[0] = 2110;
    table_play(table, "0 discard 9S");
    terminal_shows(table, 1, "  Ann          foot 0:\n");
    terminal_shows(table, 0,
                   "  Bob          hand 2: 4S 10S\n               foot 5: 5S QS KS KH KC\n");
    terminal_shows(table, 0,
                   "  Round 1 is over: Ann went out.\n"
                   "  Score of round 1 for Ann:\n"
                   "    Kings (Clean Book): 7 x 10 = 70 + 500 bonus = 570\n"
                   "    Aces (Dirty Book): 5 x 20 + 2 x 20 = 140 + 300 bonus = 440\n"
                   "    Queens (Incomplete Meld): 4 x 10 = 40\n"
                   "    Melds: +1050\n"
                   "    Hand: 0 cards = 0\n"
                   "    Foot: 0 cards = 0\n"
                   "    Going out: +100\n"
                   "    Round: +1150, total: 3260\n"
                   "  Score of round 1 for Bob:\n"
                   "    Melds: 0\n"
                   "    Hand: 2 cards = -15\n"
                   "    Foot: 5 cards = -45\n"
                   "    Round: -60, total: -60\n");
}

/* HT-10: the same in the words of closers; HF-103 when nobody went out. */
TABLE_TEST(HT_10_a_terminal_shows_the_score_of_teams) {
    begin_settled(table, "preset=closers");
    set_book(table, 0, CLEAN_KINGS);
    set_book(table, 0, "3S 3C 2S JK");
    set_stock(table, 0);
    table_play(table, "0 draw");
    terminal_shows(table, 1,
                   "  Round 1 is over: Insufficient cards in deck.\n"
                   "  Score of round 1 for Ann and Cy:\n"
                   "    Kings (Natural Book, closed): 7 x 10 = 70 + 100 bonus = 170\n"
                   "    Threes (Unnatural Book, open): 2 x 5 + 1 x 20 + 1 x 50 = 80\n"
                   "    Melds: +250\n"
                   "    Hand: 6 cards = -30\n"
                   "    Foot: 6 cards = -30\n"
                   "    Round: +190, total: 190\n");
}

/* ---- What a page needs to know of the rules ---- */

/* HF-C47: what could be laid as new groups, rank by rank; a three nothing. */
TABLE_TEST(HF_48_a_view_tells_what_could_be_laid) {
    begin(table, "", 2);
    melding(table, 0, "KS KH KD QS 3S 3H 2S JK");
    shown_to(table, 0,
             "\"groups\":[{\"rank\":\"3\",\"kinds\":[\"3S\"],\"wilds\":[null,null],\"onto\":null},"
             "{\"rank\":\"Q\",\"kinds\":[\"QS\"],\"wilds\":[null,null],\"onto\":null},"
             "{\"rank\":\"K\",\"kinds\":[\"KS\",\"KH\",\"KD\"],"
             "\"wilds\":[null,null,[1,2],[0,2]],\"onto\":null},"
             "{\"rank\":\"wild\",\"kinds\":[\"2S\",\"JK\"],\"wilds\":[null],\"onto\":null}]");
    hidden_from(table, 1, "\"kinds\":[\"KS\"");
    hidden_from(table, SPECTATOR, "\"groups\"");
    shown(table, "\"minimum\":60,\"enough\":60,\"cardPoints\":{\"2\":20,\"3\":0,\"4\":5,");
    set_book(table, 0, "KC KC KC");
    shown_to(table, 0, "\"wilds\":[null,null,[1,2],[0,2]],\"onto\":1}");
    shown(table, "\"blackMarker\":false,\"wilds\":0}");
    set_book(table, 0, "9S 9H 2S JK");
    shown(table, "\"blackMarker\":false,\"wilds\":2}");
}

/* The same under other rules: books of black threes and of wilds, more than the minimum. */
TABLE_TEST(HT_38_a_view_tells_what_house_rules_let_lie) {
    begin(table, "blackThreeBooks=yes wildBooks=yes minimumTest=more-than wildLimit=fewer", 2);
    melding(table, 0, "3S 3S 3C 3H 2S 2S JK 9H 9D");
    shown_to(table, 0,
             "{\"rank\":\"3\",\"kinds\":[\"3S\",\"3C\"],\"wilds\":[null,null,[1,1],[0,2]],"
             "\"onto\":null},{\"rank\":\"9\",\"kinds\":[\"9H\",\"9D\"],"
             "\"wilds\":[null,null,[1,1]],\"onto\":null},"
             "{\"rank\":\"wild\",\"kinds\":[\"2S\",\"JK\"],\"wilds\":[[3,3]],\"onto\":null}]");
    shown(table, "\"enough\":61,\"cardPoints\":{\"2\":20,\"3\":5,");
    set_pile(table, "KS KH KD KC AS AH AD AC");
    shown(table, "\"pickup\":6");
}
