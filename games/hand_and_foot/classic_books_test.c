/* Hand & Foot, preset classic: cards, melds, books, first melds, scores, and the house rules about
 * books. Turns, the pile and the end of rounds are tested in classic_flow_test.c, options and views
 * in classic_test.c.
 *
 * No test depends on a lucky deal: the functions of test_support.h put the cards where they are
 * needed. */
#include "games/hand_and_foot/test_support.h"

/* Seat 0 has drawn, holds these cards and may lay some; `down`: it has played down before. */
static void begin_melding(struct table *table, const char *options, const char *hand, bool down) {
    begin(table, options, 2);
    melding(table, 0, hand);
    edit(table)->melded[0] = down;
}

static void accepts(const char *options, const char *group) {
    struct table table;
    char line[256];
    snprintf(line, sizeof line, "%s 3S 3C", group);
    begin_melding(&table, options, line, true);
    snprintf(line, sizeof line, "0 meld %s", group);
    table_play(&table, line);
    assert_int_equal(edit(&table)->book_count, 1);
    assert_int_equal(edit(&table)->hand_count[0], 2);
}

static void refuses(const char *options, const char *group, const char *code, const char *text) {
    struct table table;
    char line[256];
    snprintf(line, sizeof line, "%s 3S 3C", group);
    begin_melding(&table, options, line, true);
    snprintf(line, sizeof line, "0 meld %s", group);
    table_refuses(&table, line, code, text);
}

static const struct hand_foot_book *book(struct table *table, int index) {
    assert_true(index < edit(table)->book_count);
    return &edit(table)->books[index];
}

static void book_has(struct table *table, int index, int rank, int naturals, int wilds) {
    assert_int_equal(book(table, index)->rank, rank);
    assert_int_equal(hand_foot_book_naturals(book(table, index)), naturals);
    assert_int_equal(hand_foot_book_wilds(book(table, index)), wilds);
}

static int points(struct table *table, const char *card) {
    return hand_foot_points(edit(table)->rules, card_named(card));
}

static int penalty(struct table *table, const char *card) {
    return hand_foot_penalty(edit(table)->rules, card_named(card));
}

static struct hand_foot_score score(struct table *table, int side) {
    struct hand_foot_score out;
    hand_foot_score_side(edit(table), side, &out);
    return out;
}

/* ---- Cards ---- */

/* HF-8 to HF-12: what each rank counts. */
TABLE_TEST(HF_8_to_HF_12_cards_count_50_20_10_and_5) {
    begin(table, "", 2);
    assert_int_equal(points(table, "JK"), 50);                               /* HF-8 */
    assert_int_equal(points(table, "2S"), 20);                               /* HF-9 */
    assert_int_equal(points(table, "AD"), 20);                               /* HF-10 */
    static const char *const tens[] = {"8S", "9H", "10D", "JC", "QS", "KH"}; /* HF-11 */
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(points(table, tens[i]), 10);
    static const char *const fives[] = {"4S", "5H", "6D", "7C"}; /* HF-12 */
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(points(table, fives[i]), 5);
}

/* HF-13, HF-14, HF-71, HF-150, HF-C12: threes cost 300 and 5, all others what they count. */
TABLE_TEST(HF_13_HF_14_HF_C12_penalties_are_magnitudes) {
    begin(table, "", 2);
    assert_int_equal(penalty(table, "3H"), 300);
    assert_int_equal(penalty(table, "3D"), 300);
    assert_int_equal(penalty(table, "3C"), 5);
    assert_int_equal(penalty(table, "3S"), 5);
    static const char *const others[] = {"JK", "2H", "AS", "KC", "8D", "7S", "4H"};
    for (size_t i = 0; i < 7; i++)
        assert_int_equal(penalty(table, others[i]), points(table, others[i]));
}

/* HF-7: rank, suit, wild and three are told by the card itself. */
UNIT_TEST(HF_7_wilds_and_threes) {
    for (int card = 0; card < CARD_KINDS; card++) {
        int rank = card == CARD_JOKER ? 0 : card_rank(card);
        assert_int_equal(hand_foot_is_wild(card), card == CARD_JOKER || rank == 2);
        assert_int_equal(hand_foot_is_three(card), rank == 3);
        bool red = card >= card_of(2, CARD_HEARTS) && card <= card_of(14, CARD_DIAMONDS);
        assert_int_equal(hand_foot_is_red_three(card), rank == 3 && red);
        assert_int_equal(hand_foot_rank(card), card == CARD_JOKER ? 2 : rank);
    }
}

/* HF-51: plays ask whether wilds fit, bots how many do; under every limit it is one rule. */
TABLE_TEST(the_limit_of_wilds_is_one_rule) {
    begin(table, "", 2);
    static const int of_seven[] = {
        [WILDS_EQUAL] = 7, [WILDS_FEWER] = 6, [WILDS_TWO] = 2, [WILDS_THREE] = 3};
    for (int16_t limit = WILDS_EQUAL; limit <= WILDS_THREE; limit++) {
        edit(table)->rules[RULE_WILD_LIMIT] = limit;
        struct book_rules rules = book_rules_of(edit(table)->rules);
        for (int naturals = GROUP_NATURALS_MIN; naturals <= 9; naturals++)
            for (int wilds = 0; wilds <= 9; wilds++)
                assert_int_equal(book_wilds_fit(&rules, naturals, wilds),
                                 wilds <= book_wilds_most(&rules, naturals));
        assert_int_equal(book_wilds_most(&rules, 2), limit == WILDS_FEWER ? 1 : 2);
        assert_int_equal(book_wilds_most(&rules, 7), of_seven[limit]);
    }
}

/* HF-16, HF-162: 3s, 4 to K, aces, 2s, jokers, whatever order the cards came in. */
TABLE_TEST(HF_16_the_hand_is_shown_sorted) {
    begin(table, "", 2);
    set_hand(table, 0, "JK 2C AS KH QD JS 10C 9H 8D 8D 3C 3H 4S 2S JK");
    assert_true(table_shows(table, 0,
                            "\"hand\":[\"3H\",\"3C\",\"4S\",\"8D\",\"8D.2\",\"9H\",\"10C\","
                            "\"JS\",\"QD\",\"KH\",\"AS\",\"2S\",\"2C\",\"JK\",\"JK.2\"]"));
}

/* ---- New melds ---- */

/* HF-38, HF-51, HF-53, HF-134, HF-135: what is accepted. */
UNIT_TEST(HF_53_HF_134_HF_135_valid_melds) {
    accepts("", "KH KS KD");
    accepts("", "KH KS 2C");
    accepts("", "KH KS JK");
    accepts("", "KH KS KD 2C 2H");
    accepts("", "AH AS AD AC 2C 2H JK");
    accepts("", "KH KS KD 2C 2H JK"); /* HF-51: 3 + 3 */
    accepts("", "KH KH KH");
    accepts("", "8H 8S 8D 8C 8H 8S 8D 8C");
}

/* HF-15, HF-38, HF-52, HF-54, HF-136, HF-137, HF-138, HF-161: what is refused, in these words.
 * HF-155: cards and melds are checked. */
UNIT_TEST(HF_54_HF_136_to_HF_138_invalid_melds) {
    refuses("", "KH QS JD", "MIXED_RANKS", "All natural cards must be same rank");
    refuses("", "KH KS QS", "MIXED_RANKS", "All natural cards must be same rank");
    refuses("", "KH QS KS", "MIXED_RANKS", "All natural cards must be same rank");
    refuses("", "KH 2C 2H", "NEED_NATURALS", "Need at least 2 natural cards of same rank");
    refuses("", "2C 2H JK", "NEED_NATURALS", "Need at least 2 natural cards of same rank");
    refuses("", "3H 3S 3D", "THREES", "3s cannot be melded");
    refuses("", "3C 3S 3C", "THREES", "3s cannot be melded");
    refuses("", "KH KS 3C", "THREES", "3s cannot be melded");
    refuses("", "KH KS 2S 2H JK", "TOO_MANY_WILDS",
            "Too many wild cards (3 wilds, 2 naturals). Wilds cannot exceed naturals.");
    refuses("", "KH KS KD 2S 2H JK JK", "TOO_MANY_WILDS",
            "Too many wild cards (4 wilds, 3 naturals). Wilds cannot exceed naturals.");
}

/* HF-110 to HF-116, PL-C9: each fault alone, and with all later ones as well. */
TABLE_TEST(HF_110_to_HF_116_faults_are_named_in_order) {
    begin_melding(table, "", "3H KH KS QH 2S 2H JK JK 9S 9H", false);
    table_refuses(table, "0 meld", "NO_CARDS", "Select at least 3 cards"); /* HF-110 */
    table_refuses(table, "0 meld 3H 2S", "MELD_TOO_SMALL",
                  "Melds require at least 3 cards"); /* HF-111 */
    table_refuses(table, "0 meld KH KS", "MELD_TOO_SMALL", "Melds require at least 3 cards");
    table_refuses(table, "0 meld 3H 2S 2H", "THREES", "3s cannot be melded"); /* HF-112 */
    table_refuses(table, "0 meld KH 2S 2H JK", "NEED_NATURALS",
                  "Need at least 2 natural cards of same rank"); /* HF-113 */
    table_refuses(table, "0 meld KH QH 2S 2H JK", "MIXED_RANKS",
                  "All natural cards must be same rank"); /* HF-114 */
    table_refuses(table, "0 meld KH KS 2S 2H JK", "TOO_MANY_WILDS",
                  "Too many wild cards (3 wilds, 2 naturals). Wilds cannot exceed naturals.");
    table_refuses(table, "0 meld 9S 9H 2S", "MIN_POINTS",
                  "Need 60 points to play down (have 40)"); /* HF-116 */
    table_refuses(table, "0 meld KH KS KD", "INVALID_CARD", "Card not in hand");
    table_refuses(table, "0 meld KH KH", "INVALID_CARD", "Card not in hand");
    table_refuses(table, "0 meld KH XX", "INVALID_CARD", "Unknown card 'XX'");
    table_play(table, "0 meld KH KS JK"); /* 70 */
}

/* HF-115: the numbers are those of the group at fault, in whichever place it stands. */
TABLE_TEST(HF_115_each_group_is_checked) {
    begin_melding(table, "", "AH AS AD KH KS 2S 2H JK 9S", false);
    table_refuses(table, "0 meld AH AS AD / KH KS 2S 2H JK", "TOO_MANY_WILDS",
                  "Too many wild cards (3 wilds, 2 naturals). Wilds cannot exceed naturals.");
    table_refuses(table, "0 meld KH KS / AH AS AD", "MELD_TOO_SMALL",
                  "Melds require at least 3 cards");
    table_refuses(table, "0 meld AH AS AD /", "NO_CARDS", "Select at least 3 cards");
    table_refuses(table, "0 meld AH AS AD / 9S 9S 9S", "INVALID_CARD", "Card not in hand");
    table_play(table, "0 meld AH AS AD / KH KS 2S JK");
    assert_int_equal(edit(table)->book_count, 2);
}

/* HF-40, HF-C8: a fault in the last group keeps the first one in the hand as well. */
TABLE_TEST(HF_40_groups_are_laid_all_or_none) {
    begin_melding(table, "", "AH AS AD KH KS QH 3S", true);
    table_refuses(table, "0 meld AH AS AD / KH KS QH", "MIXED_RANKS", NULL);
    assert_int_equal(edit(table)->book_count, 0);
    assert_int_equal(edit(table)->hand_count[0], 7);
}

/* HF-37: none, or as many as one likes. */
TABLE_TEST(HF_37_any_number_of_melds) {
    begin_melding(table, "", "KH KS KD QH QS QD JH JS JD 3S 3C", true);
    table_play(table, "0 meld KH KS KD\n0 meld QH QS QD\n0 meld JH JS JD\n0 discard 3S");
    assert_int_equal(edit(table)->book_count, 3);
    begin_melding(table, "", "KH KS KD 3S", true);
    table_play(table, "0 discard 3S");
    assert_int_equal(edit(table)->book_count, 0);
    assert_int_equal(edit(table)->current, 1);
}

/* ---- The first meld of a round ---- */

/* Writes `count` cards of ten points, as groups of one rank: nine of each at the most. */
static void tens(char *line, size_t size, int count, bool strokes) {
    static const char *const ranks[] = {"K", "Q", "J", "10"};
    struct text text;
    text_begin(&text, line, size);
    for (int i = 0; i < count; i++) {
        text_string(&text, i == 0 ? "" : strokes && i % 9 == 0 ? " / " : " ");
        text_string(&text, ranks[i / 9]);
        text_char(&text, "SHD"[i % 3]);
    }
    assert_false(text.cut);
}

/* HF-46, HF-47, HF-116: 60, 90, 120, 150, 180, 210, 240, 270; reaching it is enough. */
TABLE_TEST(HF_46_minimums_of_rounds_1_to_8) {
    static const int minimums[] = {60, 90, 120, 150, 180, 210, 240, 270};
    for (int round = 1; round <= 8; round++) {
        char hand[512], groups[512], line[600], text[128];
        int needed = minimums[round - 1];
        tens(hand, sizeof hand, needed / 10 + 3, false);
        begin_melding(table, "", hand, false);
        edit(table)->round = (uint8_t)round;
        snprintf(text, sizeof text, "\"minimum\":%d,", needed);
        shown(table, text);
        tens(groups, sizeof groups, needed / 10, true);
        snprintf(line, sizeof line, "0 meld %s", strchr(groups, ' ')); /* a king less */
        snprintf(text, sizeof text, "Need %d points to play down (have %d)", needed, needed - 10);
        table_refuses(table, line, "MIN_POINTS", text);
        snprintf(line, sizeof line, "0 meld %s", groups);
        table_play(table, line);
        assert_true(edit(table)->melded[0]);
    }
}

/* HF-48, HF-161: the cards in hand count nothing, however good they are. */
TABLE_TEST(HF_48_only_laid_cards_count) {
    begin_melding(table, "", "KH KS KD JK JK JK AH AS AD AC", false);
    table_refuses(table, "0 meld KH KS KD", "MIN_POINTS", "Need 60 points to play down (have 30)");
    assert_false(edit(table)->melded[0]);
}

/* HF-49, HF-C8: groups of one submission count together; there is no half of a play-down. */
TABLE_TEST(HF_49_HF_C8_groups_count_together) {
    begin_melding(table, "", "KH KS KD QH QS QD 3S", false);
    table_refuses(table, "0 meld KH KS KD", "MIN_POINTS", NULL);
    table_play(table, "0 meld KH KS KD / QH QS QD");
    book_has(table, 0, CARD_KING, 3, 0);
    book_has(table, 1, CARD_QUEEN, 3, 0);
    shown(table, "\"hasPlayedDown\":true");
    assert_false(edit(table)->melded[1]);
}

/* HF-50: played down once, any meld will do. */
TABLE_TEST(HF_50_no_minimum_after_playing_down) {
    begin_melding(table, "", "AH AS AD 8H 8S 8D 3S 3C", false);
    table_refuses(table, "0 meld 8H 8S 8D", "MIN_POINTS", NULL);
    table_play(table, "0 meld AH AS AD\n0 meld 8H 8S 8D");
}

/* ---- Adding ---- */

/* HF-39: to own melds only, by their numbers (HF-C36), naturals of the rank and wilds. */
TABLE_TEST(HF_39_HF_C36_cards_are_added_to_own_melds) {
    begin_melding(table, "", "KD KC 2H QH 9S 3S 3C 3C", true);
    set_book(table, 1, "AH AS AD");
    set_book(table, 0, "KH KS KD");
    set_book(table, 1, "QS QD QC");
    set_book(table, 0, "9H 9S 9D");
    table_refuses(table, "0 add 3 QH", "INVALID_BOOK", "There is no own book 3");
    table_refuses(table, "0 add 0 QH", "INVALID_BOOK", "Name an own book by its number");
    table_refuses(table, "0 add", "INVALID_BOOK", "Name an own book by its number");
    table_refuses(table, "0 add x KD", "INVALID_BOOK", "Name an own book by its number");
    table_refuses(table, "0 add 1 QH", "WRONG_RANK", "Only cards of rank K and wilds go there");
    table_refuses(table, "0 add 1 KD QH", "WRONG_RANK", NULL);
    table_refuses(table, "0 add 1", "NO_CARDS", "Select at least one card");
    table_refuses(table, "0 add 1 3S", "THREES", "3s cannot be melded");
    table_refuses(table, "0 add 1 KH", "INVALID_CARD", "Card not in hand");
    table_play(table, "0 add 1 KD KC\n0 add 2 9S 2H");
    book_has(table, 1, CARD_KING, 5, 0);
    book_has(table, 3, 9, 4, 1);
    book_has(table, 0, CARD_ACE, 3, 0);
    assert_int_equal(edit(table)->hand_count[0], 4);
}

/* HF-39, HF-51: the limit holds after every addition too. */
TABLE_TEST(HF_51_the_wild_limit_holds_after_additions) {
    begin_melding(table, "", "2S 2H KC JK 3S 3C", true);
    set_book(table, 0, "KH KS 2D");
    table_refuses(table, "0 add 1 2S 2H", "TOO_MANY_WILDS",
                  "Too many wild cards (3 wilds, 2 naturals). Wilds cannot exceed naturals.");
    table_play(table, "0 add 1 2S");
    table_refuses(table, "0 add 1 2H", "TOO_MANY_WILDS", NULL);
    table_play(table, "0 add 1 KC 2H"); /* 3 + 3 */
    table_refuses(table, "0 add 1 JK", "TOO_MANY_WILDS",
                  "Too many wild cards (4 wilds, 3 naturals). Wilds cannot exceed naturals.");
}

/* HF-C22, HF-C42: there is one meld of a rank; a new group of that rank goes on it. */
TABLE_TEST(HF_C22_HF_C42_groups_of_one_rank_merge) {
    begin_melding(table, "", "KD KC 2H QH QS QD QC QH QS JK 3S", true);
    set_book(table, 0, "KH KS KD");
    table_play(table, "0 meld KD KC 2H");
    assert_int_equal(edit(table)->book_count, 1);
    book_has(table, 0, CARD_KING, 5, 1);
    table_refuses(table, "0 meld QH QS / QD QC QH QS", "MELD_TOO_SMALL", NULL);
    table_play(table, "0 meld QH QS QD / QC QH QS JK");
    assert_int_equal(edit(table)->book_count, 2);
    book_has(table, 1, CARD_QUEEN, 6, 1);
    assert_true(book(table, 1)->closed);
}

/* HF-C42, HF-49: merged groups count together for the play-down, and others in between as well. */
TABLE_TEST(HF_C42_merging_groups_play_down_together) {
    begin_melding(table, "", "KD KC KS KH KH KH QH QS QD 3S", false);
    table_play(table, "0 meld QH QS QD / KD KC KS / KH KH KH");
    book_has(table, 0, CARD_QUEEN, 3, 0);
    book_has(table, 1, CARD_KING, 6, 0);
}

/* HF-C42: a book that two groups complete together is completed once. */
TABLE_TEST(HF_C42_a_merged_book_is_told_once) {
    begin_melding(table, "", "KD KC KS KH KH KH KC 3S", true);
    table_play(table, "0 meld KD KC KS / KH KH KH KC");
    assert_non_null(table_event(table, "book-completed", 0));
    assert_null(table_event(table, "book-completed", 1));
}

/* ---- Books ---- */

static void status_is(struct table *table, const char *flags, const char *status, int bonus) {
    char json[160];
    shown(table, flags);
    snprintf(json, sizeof json, "\"status\":\"%s\"", status);
    shown(table, json);
    snprintf(json, sizeof json, "\"bonus\":%d,", bonus);
    shown(table, json);
}

/* HF-C32, HF-C49: naturals are suggested first, a wild where there is one already, and last what
 * spoils a clean meld of five. */
TABLE_TEST(HF_C49_plays_are_rated_and_say_what_they_spoil) {
    begin_melding(table, "", "KH 9H 2H 2S 10S JS", true);
    set_book(table, 0, "KS KD KC KH KS");
    set_book(table, 0, "9S 9D 9C 2D");
    set_book(table, 0, "8S 8D 8C 8H");
    shown_to(table, 0, "\"worthKeeping\":[1],");
    shown_to(table, 0, "\"move\":\"add 1 KH\",\"preview\":{\"rating\":20}");
    shown_to(table, 0, "\"move\":\"add 2 9H\",\"preview\":{\"rating\":20}");
    shown_to(table, 0, "\"move\":\"add 2 2S\",\"preview\":{\"rating\":-2}");
    shown_to(table, 0, "\"move\":\"add 3 2S\",\"preview\":{\"rating\":-10}");
    shown_to(table, 0, "\"move\":\"add 1 2S\",\"preview\":{\"rating\":-20012,\"spoils\":1}");
    shown_to(table, 0, "\"wildRanks\":[\"2\",\"JK\"],");
}

/* A wild on a clean book makes it dirty, but it was a book before. */
TABLE_TEST(a_play_says_that_it_completes_a_book) {
    begin_melding(table, "", "KH QH 2H 10S JS", true);
    set_book(table, 0, "KS KD KC KH KS KD");
    set_book(table, 0, CLEAN_QUEENS);
    shown_to(table, 0, "\"move\":\"add 1 KH\",\"preview\":{\"rating\":20,\"completes\":true}");
    shown_to(table, 0, "\"move\":\"add 2 QH\",\"preview\":{\"rating\":20}");
    shown_to(table, 0, "\"move\":\"add 2 2H\",\"preview\":{\"rating\":-20016,\"spoils\":2}");
}

/* Where plays can be taken back, one that leaves no card to discard is not suggested. */
TABLE_TEST(a_play_that_strands_its_player_is_not_rated) {
    begin(table, "undo=yes", 2);
    melding_foot(table, 0, "KH KS 9H");
    set_book(table, 0, "KD KC KH");
    shown_to(table, 0, "\"move\":\"add 1 KS\",\"preview\":{\"rating\":20}");
    shown_to(table, 0, "\"move\":\"add 1 KS KH\",\"preview\":{}");
    set_book(table, 0, CLEAN_QUEENS);
    set_book(table, 0, DIRTY_JACKS);
    shown_to(table, 0, "\"move\":\"add 1 KS KH\",\"preview\":{\"rating\":40}");
    edit(table)->rules[RULE_ASK_PARTNER] = 1;
    shown_to(table, 0, "\"move\":\"add 1 KS KH\",\"preview\":{}");
}

/* HF-6, HF-55, HF-56, HF-57, HF-94, HF-149, HF-162, HF-C32: the status follows every card. */
TABLE_TEST(HF_55_to_HF_57_HF_C32_the_status_follows_each_card) {
    begin_melding(table, "", "KH KS KD KC KH KS KD KC 2H 3S", true);
    table_play(table, "0 meld KH KS KD KC KH KS");
    status_is(table, "\"isBook\":false,\"isClean\":false,\"isDirty\":false", "Incomplete Meld", 0);
    table_play(table, "0 add 1 KD");
    status_is(table, "\"isBook\":true,\"isClean\":true,\"isDirty\":false", "Clean Book", 500);
    table_told(table, "book-completed", "{\"seatIndex\":0,\"bookId\":1,\"status\":\"Clean Book\"}");
    table_play(table, "0 add 1 KC");
    status_is(table, "\"isBook\":true,\"isClean\":true,\"isDirty\":false", "Clean Book", 500);
    assert_null(table_event(table, "book-completed", 0));
    shown(table, "\"cleanBooks\":1,\"dirtyBooks\":0");
    table_play(table, "0 add 1 2H"); /* HF-C32: allowed */
    status_is(table, "\"isBook\":true,\"isClean\":false,\"isDirty\":true", "Dirty Book", 300);
    shown(table, "\"cleanBooks\":0,\"dirtyBooks\":1");
    shown(table, "\"rank\":\"K\",\"cards\":[\"KS\",\"KS.2\",\"KH\",\"KH.2\",\"KD\",\"KD.2\","
                 "\"KC\",\"KC.2\",\"2H\"],");
    assert_int_equal(hand_foot_book_points(edit(table)->rules, book(table, 0)), 100);
}

/* HF-57: a wild makes an incomplete meld dirty for good; it completes as a dirty book. */
TABLE_TEST(HF_57_a_wild_below_seven_counts_as_well) {
    begin_melding(table, "", "KH KS KD KC KH KS 2H 3S", true);
    table_play(table, "0 meld KH KS KD 2H");
    status_is(table, "\"isBook\":false,\"isClean\":false,\"isDirty\":false", "Incomplete Meld", 0);
    table_play(table, "0 add 1 KC KH KS");
    status_is(table, "\"isBook\":true,\"isClean\":false,\"isDirty\":true", "Dirty Book", 300);
}

/* HF-57: naturals and wilds go on full books of both kinds. */
TABLE_TEST(HF_57_full_books_take_more) {
    begin_melding(table, "", "KC 2H QC JK 3S 3C", true);
    set_book(table, 0, "KH KS KD KC KH KS KD");
    set_book(table, 0, "QH QS QD QC QH QS 2D");
    table_play(table, "0 add 1 KC\n0 add 2 QC JK\n0 add 1 2H");
    book_has(table, 0, CARD_KING, 8, 1);
    book_has(table, 1, CARD_QUEEN, 7, 2);
}

/* ---- Scores ---- */

/* HF-69 to HF-74, HF-C23: the figures of the example; 570 + 440 + 40 - 15 - 45 + 100 = 1090. */
TABLE_TEST(HF_69_to_HF_74_HF_C23_the_score_of_the_example) {
    begin(table, "", 2);
    set_book(table, 0, "KH KS KD KC KH KS KD");
    set_book(table, 0, "AH AS AD AC AH 2H 2S");
    set_book(table, 0, "QH QS QD QC");
    set_hand(table, 0, "KC 7C");
    set_foot(table, 0, "AS 9H 7C 3C 3S");
    const int16_t *rules = edit(table)->rules;
    assert_int_equal(hand_foot_book_points(rules, book(table, 0)), 70);
    assert_int_equal(hand_foot_book_bonus(edit(table), book(table, 0)), 500); /* HF-70 */
    assert_int_equal(hand_foot_book_points(rules, book(table, 1)), 140);
    assert_int_equal(hand_foot_book_bonus(edit(table), book(table, 1)), 300);
    assert_int_equal(hand_foot_book_points(rules, book(table, 2)), 40);
    assert_int_equal(hand_foot_book_bonus(edit(table), book(table, 2)), 0);
    edit(table)->out = 0;
    struct hand_foot_score sum = score(table, 0);
    assert_int_equal(sum.melds + sum.bonuses, 1050);
    assert_int_equal(sum.melds, 250);
    assert_int_equal(sum.hand_cards, 2);
    assert_int_equal(sum.hand_penalty, 15);
    assert_int_equal(sum.foot_cards, 5);
    assert_int_equal(sum.foot_penalty, 45);
    assert_int_equal(sum.going_out, 100);
    assert_int_equal(sum.total, 1090);
}

/* HF-66, HF-72, HF-149: only who went out gets the hundred. */
TABLE_TEST(HF_72_only_who_went_out_gets_100) {
    begin(table, "", 3);
    edit(table)->out = 1;
    assert_int_equal(score(table, 0).going_out, 0);
    assert_int_equal(score(table, 1).going_out, 100);
    assert_int_equal(score(table, 2).going_out, 0);
    edit(table)->out = HAND_FOOT_NOBODY;
    assert_int_equal(score(table, 1).going_out, 0);
}

/* HF-71, HF-150, HF-151: every card that is left costs, in the hand and in the foot. */
TABLE_TEST(HF_150_HF_151_cards_left_cost) {
    begin(table, "", 2);
    set_hand(table, 0, "3H 3C JK 2S");
    set_foot(table, 0, "3D 3S AS KH 8D 7C");
    struct hand_foot_score sum = score(table, 0);
    assert_int_equal(sum.hand_penalty, 300 + 5 + 50 + 20);
    assert_int_equal(sum.foot_penalty, 300 + 5 + 20 + 10 + 10 + 5);
    assert_int_equal(sum.total, -725);
}

/* ---- House rules ---- */

TABLE_TEST(house_rule_card_points) {
    begin(table,
          "jokerPoints=41 twoPoints=42 acePoints=43 highPoints=44 eightPoints=45 lowPoints=46 "
          "blackThreePoints=47 blackThreePenalty=48 redThreePenalty=49",
          2);
    static const char *const cards[] = {"JK", "2S", "AS", "9S", "8S", "4S", "3S"};
    for (int i = 0; i < 7; i++)
        assert_int_equal(points(table, cards[i]), 41 + i);
    assert_int_equal(points(table, "KC"), 44);
    assert_int_equal(points(table, "7C"), 46);
    assert_int_equal(penalty(table, "3C"), 48);
    assert_int_equal(penalty(table, "3D"), 49);
}

TABLE_TEST(house_rule_bonuses_and_book_size) {
    begin_melding(table, "bookSize=5 cleanBonus=501 dirtyBonus=302 goingOutBonus=103",
                  "KH KS KD KC QS QD QC QH 2S 3S KH", true);
    table_play(table, "0 meld KH KS KD KC");
    assert_int_equal(score(table, 0).bonuses, 0);
    table_play(table, "0 add 1 KH\n0 meld QS QD QC QH 2S");
    assert_int_equal(hand_foot_book_bonus(edit(table), book(table, 0)), 501);
    assert_int_equal(hand_foot_book_bonus(edit(table), book(table, 1)), 302);
    edit(table)->out = 0;
    assert_int_equal(score(table, 0).going_out, 103);
    begin(table, "bookSize=9", 2);
    set_book(table, 0, "KH KS KD KC KH KS KD KC");
    assert_int_equal(score(table, 0).bonuses, 0);
    begin(table, "bookSize=9", 2);
    set_book(table, 0, "KH KS KD KC KH KS KD KC KH");
    assert_int_equal(score(table, 0).bonuses, 500);
}

UNIT_TEST(house_rule_wild_limit) {
    accepts("wildLimit=two", "KH KS 2S 2H");
    refuses("wildLimit=two", "KH KS KD 2S 2H JK", "TOO_MANY_WILDS",
            "Too many wild cards (3 wilds, 3 naturals). A book takes at most 2 wilds.");
    accepts("wildLimit=three", "KH KS KD 2S 2H JK");
    refuses("wildLimit=three", "KH KS KD KC 2S 2H JK JK", "TOO_MANY_WILDS",
            "Too many wild cards (4 wilds, 4 naturals). A book takes at most 3 wilds.");
    refuses("wildLimit=three", "KH KS 2S 2H JK", "TOO_MANY_WILDS", NULL);
    accepts("wildLimit=fewer", "KH KS 2S");
    refuses("wildLimit=fewer", "KH KS 2S 2H", "TOO_MANY_WILDS",
            "Too many wild cards (2 wilds, 2 naturals). Wilds must be fewer than naturals.");
}

/* HF-115 gives the reason; with these limits it may still be that wilds exceed naturals. */
UNIT_TEST(HF_115_a_wild_limit_names_the_reason_that_holds) {
    refuses("wildLimit=three", "KH KS 2S 2H JK", "TOO_MANY_WILDS",
            "Too many wild cards (3 wilds, 2 naturals). Wilds cannot exceed naturals.");
}

/* With a limit per book, groups that are valid alone may not merge. */
TABLE_TEST(house_rule_wild_limit_after_merging) {
    begin_melding(table, "wildLimit=two", "KH KS 2S 2H KD KC JK 3S 3C", true);
    table_refuses(table, "0 meld KH KS 2S 2H / KD KC JK", "TOO_MANY_WILDS",
                  "Too many wild cards (3 wilds, 4 naturals). A book takes at most 2 wilds.");
    table_play(table, "0 meld KH KS 2S 2H");
    table_refuses(table, "0 add 1 JK", "TOO_MANY_WILDS", NULL);
    table_refuses(table, "0 meld KD KC JK", "TOO_MANY_WILDS", NULL);
}

TABLE_TEST(house_rule_books_of_wilds) {
    refuses("", "2S 2H JK", "NEED_NATURALS", NULL);
    begin_melding(table, "wildBooks=yes wildBookBonus=1501", "2S 2H 2D 2C JK JK JK KH KS 3S", true);
    table_refuses(table, "0 meld 2S 2H", "MELD_TOO_SMALL", NULL);
    table_refuses(table, "0 meld KH 2S 2H", "NEED_NATURALS", NULL);
    table_play(table, "0 meld 2S 2H JK\n0 add 1 2D 2C JK");
    table_refuses(table, "0 add 1 KH", "WRONG_RANK", "Only wilds go there");
    book_has(table, 0, HAND_FOOT_WILD_RANK, 0, 6);
    assert_int_equal(score(table, 0).bonuses, 0);
    table_play(table, "0 add 1 JK");
    assert_int_equal(score(table, 0).bonuses, 1501);
    assert_int_equal(score(table, 0).melds, 4 * 20 + 3 * 50);
    shown(table, "\"rank\":\"wild\"");
    shown(table, "\"status\":\"Wild Book\"");
    shown(table, "\"cleanBooks\":0,\"dirtyBooks\":1");
}

TABLE_TEST(house_rule_minimums_step_and_test) {
    begin(table, "minimums=50,90,120 minimumStep=10", 2);
    static const int expected[] = {50, 90, 120, 130, 140};
    for (int round = 1; round <= 5; round++)
        assert_int_equal(hand_foot_minimum(edit(table)->rules, round), expected[round - 1]);
    begin(table, "minimums=50 minimumStep=0", 2);
    assert_int_equal(hand_foot_minimum(edit(table)->rules, 9), 50);
    begin_melding(table, "minimumTest=more-than", "AH AS AD AC 3S", false);
    table_refuses(table, "0 meld AH AS AD", "MIN_POINTS",
                  "Need more than 60 points to play down (have 60)");
    table_play(table, "0 meld AH AS AD AC");
    begin_melding(table, "minimums=0", "8H 8S 8D 3S", false);
    table_play(table, "0 meld 8H 8S 8D");
}

TABLE_TEST(house_rule_full_books) {
    begin_melding(table, "fullClean=naturals addToFullDirty=no", "KC KC 2H QC JK 9S 9H 9D 3S 3C",
                  true);
    set_book(table, 0, "KH KS KD KC KH KS KD");
    set_book(table, 0, "QH QS QD QC QH QS 2D");
    set_book(table, 0, "9S 9H 9D 9C 9C 2D");
    table_refuses(table, "0 add 1 2H", "BOOK_FULL", "A complete clean book takes no wilds");
    table_refuses(table, "0 add 2 QC", "BOOK_FULL", "Nothing goes on a complete dirty book");
    table_refuses(table, "0 add 3 9S 9H", "BOOK_FULL", "A dirty book has exactly 7 cards, not 8");
    table_play(table, "0 add 1 KC\n0 add 3 9S");
    begin_melding(table, "fullClean=naturals", "KC 2H QC JK 3S 3C", true);
    set_book(table, 0, "KH KS KD KC KH KS");
    set_book(table, 0, "QH QS QD QC QH QS 2D");
    table_play(table, "0 add 1 2H\n0 add 2 QC");
}

/* HF-C43: where the next book waits for the last one to be closed, an open one is added to. */
TABLE_TEST(house_rule_books_per_rank) {
    begin_melding(table, "booksPerRank=any", "KC KS KD QH QS QD QC QC QS 3S 3C", true);
    set_book(table, 0, "KH KH KH");
    table_play(table, "0 meld KC KS KD\n0 meld QH QS QD / QC QC QS");
    assert_int_equal(edit(table)->book_count, 4);
    begin_melding(table, "booksPerRank=after-closing", "KC KS KD QH QS QD QC QC QS 3S 3C", true);
    set_book(table, 0, "KH KH KH");
    table_refuses(table, "0 meld KC KS KD", "BOOK_OPEN", "Add to the open book of rank K");
    table_refuses(table, "0 meld QH QS QD / QC QC QS", "BOOK_OPEN",
                  "Add to the open book of rank Q");
    begin_melding(table, "booksPerRank=after-closing", "KC KS KD 3S 3C", true);
    set_book(table, 0, "KH KH KH KS KS KD KD");
    table_play(table, "0 meld KC KS KD");
    assert_int_equal(edit(table)->book_count, 2);
}

TABLE_TEST(house_rule_books_of_black_threes) {
    refuses("blackThreeBooks=yes", "3H 3D 3H", "THREES", "Red 3s cannot be melded");
    refuses("blackThreeBooks=yes", "3C 3S 3H", "THREES", "Red 3s cannot be melded");
    begin_melding(table, "blackThreeBooks=yes", "3S 3C 3S 2S 9S 9H", true);
    table_play(table, "0 meld 3S 3C 3S 2S");
    assert_int_equal(score(table, 0).melds, 35);
    shown(table, "\"rank\":\"3\"");
}

TABLE_TEST(house_rule_closing_by_hand) {
    begin_melding(table, "", "KC 3S 3C", true);
    set_book(table, 0, "KH KS KD KC KH KS KD");
    table_refuses(table, "0 close 1", "NO_CLOSING", "Books close by themselves at this table");
    assert_true(book(table, 0)->closed);
    begin_melding(table, "closing=explicit", "KC 3S 3C", true);
    set_book(table, 0, "KH KS KD KC KH KS");
    table_refuses(table, "0 close 1", "BOOK_TOO_SMALL",
                  "A book needs 7 cards to be closed, it has 6");
    table_refuses(table, "0 close 2", "INVALID_BOOK", "There is no own book 2");
    table_play(table, "0 add 1 KC");
    assert_false(book(table, 0)->closed);
    table_play(table, "0 close 1");
    table_told(table, "book-closed", "{\"seatIndex\":0,\"bookId\":1,\"status\":\"Clean Book\"}");
    table_refuses(table, "0 close 1", "BOOK_CLOSED", "That book is closed already");
}

TABLE_TEST(house_rule_words_natural_and_unnatural) {
    begin(table, "labels=natural-unnatural", 2);
    set_book(table, 0, "KH KS KD KC KH KS KD");
    set_book(table, 0, "QH QS QD QC QH QS 2D");
    shown(table, "\"status\":\"Natural Book\"");
    shown(table, "\"status\":\"Unnatural Book\"");
    shown(table, "\"missingToGoOut\":\"Need Natural Book: 7+ cards with NO wilds; "
                 "Need Unnatural Book: 7+ cards WITH wilds; Must pick up and empty foot first\"");
}

/* ---- Bounds, and lines that no person writes ---- */

TABLE_TEST(moves_are_bounded) {
    begin_melding(table, "booksPerRank=any wildBooks=yes", "KH KS KD 3S", true);
    edit(table)->book_count = HAND_FOOT_BOOKS_MAX;
    for (int i = 0; i < HAND_FOOT_BOOKS_MAX; i++)
        edit(table)->books[i].side = 1;
    char text[64];
    snprintf(text, sizeof text, "The table holds at most %d books", HAND_FOOT_BOOKS_MAX);
    table_refuses(table, "0 meld KH KS KD", "TOO_MANY_BOOKS", text);
    assert_null(strstr(table_legal(table, 0), "meld"));
    char line[512] = "0 meld";
    for (int i = 0; i < MOVE_ARGS_MAX + 1; i++)
        snprintf(line + strlen(line), sizeof line - strlen(line), " KH");
    table_refuses(table, line, "TOO_MANY_CARDS", NULL);
}

/* A stroke is no card. A book of tens is where one would fit by its number. */
TABLE_TEST(HF_39_a_stroke_cannot_be_added) {
    begin_melding(table, "", "KH KS KD 3S", true);
    set_book(table, 0, "10H 10S 10D");
    struct move stroke = {.verb = HAND_FOOT_ADD, .count = 2, .args = {1, MOVE_SEPARATOR}};
    assert_false(game_check(&hand_and_foot_game, &table->state, 0, &stroke, &table->why));
}
