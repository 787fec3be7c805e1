/* The generator of proposals by itself: which proposals there are, with which cards and figures, in
 * positions that show one thing each; then in every position of some games by bots, where the first
 * meld is compared with plain counting and the way to the foot is walked. Where nothing else is
 * said, seat 0 of two plays by the classic rules. Seeds are fixed, so every run plays the same
 * games. */
#include "bots/bot.h"
#include "bots/hand_and_foot_proposals.h"
#include "games/hand_and_foot/plan.h"
#include "games/hand_and_foot/test_support.h"

#define CLEAN_SIX   "KS KH KD KC KS KH"
#define CLEAN_FOUR  "9S 9H 9D 9C"
#define DIRTY_SIX   "QS QH QD QC QS JK"
#define DIRTY_THREE "JS JH 2C"

/* ---- Positions and proposals in words ---- */

static void begin_turn(struct table *table, const char *options, const char *hand) {
    begin(table, options, 2);
    melding(table, 0, hand);
}

static void proposals_of(struct table *table, struct hand_foot_proposals *out) {
    struct hand_foot_holding holding;
    hand_foot_holding_count(&holding, edit(table), 0);
    if (edit(table)->turn_phase == HAND_FOOT_TURN_DRAW)
        hand_foot_propose_takes(&holding, out);
    else
        hand_foot_propose_plays(&holding, out);
}

/* The proposals in their order: the moves as people write them. */
static void proposals_are(struct table *table, const char *expected) {
    struct hand_foot_proposals proposals;
    char words[2048];
    struct text text;
    text_begin(&text, words, sizeof words);
    proposals_of(table, &proposals);
    for (int i = 0; i < proposals.count; i++) {
        if (i > 0)
            text_string(&text, "; ");
        game_print(table->game, &proposals.list[i].move, &text);
    }
    words[text.length] = '\0';
    assert_string_equal(words, expected);
}

/* One proposal's aim, book, cards and what is left. */
static void proposal_is(struct table *table, int nth, enum hand_foot_aim aim, int book,
                        int naturals, int wilds, int left) {
    struct hand_foot_proposals proposals;
    proposals_of(table, &proposals);
    assert_true(nth < proposals.count);
    assert_int_equal(proposals.list[nth].aim, aim);
    assert_int_equal(proposals.list[nth].book, book);
    assert_int_equal(proposals.list[nth].naturals, naturals);
    assert_int_equal(proposals.list[nth].wilds, wilds);
    assert_int_equal(proposals.list[nth].left, left);
    assert_int_equal(proposals.list[nth].worth, 0);
}

static bool proposal_completes(struct table *table, int nth) {
    struct hand_foot_proposals proposals;
    proposals_of(table, &proposals);
    assert_true(nth < proposals.count);
    return proposals.list[nth].completes;
}

static int stuck(struct table *table) {
    struct hand_foot_holding holding;
    hand_foot_holding_count(&holding, edit(table), 0);
    return hand_foot_cards_stuck(&holding);
}

static int wild_gain(struct table *table, int book) {
    struct hand_foot_holding holding;
    hand_foot_holding_count(&holding, edit(table), 0);
    return hand_foot_wild_gain(&holding, book);
}

/* ---- What a seat has ---- */

UNIT_TEST(a_holding_counts_hand_and_own_books) {
    struct table table;
    struct hand_foot_holding holding;
    begin_turn(&table, "", "3S 3H 4S 4H KD 2S JK JK");
    set_book(&table, 0, CLEAN_KINGS);
    set_book(&table, 1, CLEAN_QUEENS);
    set_book(&table, 0, DIRTY_TENS);
    set_book(&table, 0, DIRTY_THREE);
    set_book(&table, 0, "AS AH AD");
    set_book(&table, 0, CLEAN_FOUR);
    set_book(&table, 0, "8S 8H 8D 8C");
    hand_foot_holding_count(&holding, edit(&table), 0);
    assert_int_equal(holding.naturals[3], 0);
    assert_int_equal(holding.naturals[4], 2);
    assert_int_equal(holding.naturals[CARD_KING], 1);
    assert_int_equal(holding.wilds, 3);
    assert_int_equal(holding.clean, 1);
    assert_int_equal(holding.dirty, 1);
    assert_int_equal(holding.dirty_melds, 1);
    assert_int_equal(holding.best_clean, 5); /* four nines; the first of equals */
    hand_foot_holding_count(&holding, edit(&table), 1);
    assert_int_equal(holding.clean, 1);
    assert_int_equal(holding.best_clean, HAND_FOOT_NO_BOOK);
}

UNIT_TEST(black_threes_count_where_they_may_be_laid) {
    struct table table;
    begin_turn(&table, "blackThreeBooks=yes", "3S 3C 3S 3H 9C");
    edit(&table)->melded[0] = true;
    proposals_are(&table, "meld 3S 3S 3C");
    assert_int_equal(stuck(&table), 2);
}

UNIT_TEST(missing_books_are_counted_down_to_none) {
    struct table table;
    begin_turn(&table, "cleanToGoOut=3", "4S 9C");
    assert_int_equal(hand_foot_books_missing(edit(&table), RULE_OUT_CLEAN, 1), 2);
    assert_int_equal(hand_foot_books_missing(edit(&table), RULE_OUT_CLEAN, 3), 0);
    assert_int_equal(hand_foot_books_missing(edit(&table), RULE_OUT_DIRTY, 4), 0);
}

/* ---- Plays ---- */

UNIT_TEST(books_grow_by_all_naturals_and_by_one_wild) {
    struct table table;
    begin_turn(&table, "", "KD KC 4S 4H 2S JK");
    set_book(&table, 1, CLEAN_QUEENS);
    set_book(&table, 0, CLEAN_SIX);
    proposals_are(&table, "add 1 KD KC; add 1 2S; meld 4S 4H 2S; meld KD KC 2S");
    proposal_is(&table, 0, HAND_FOOT_AIM_GROW, 1, 2, 0, 4);
    proposal_is(&table, 1, HAND_FOOT_AIM_WILD, 1, 0, 1, 5);
    proposal_is(&table, 2, HAND_FOOT_AIM_OPEN_DIRTY, HAND_FOOT_NO_BOOK, 2, 1, 3);
    assert_true(proposal_completes(&table, 0));
    assert_true(proposal_completes(&table, 1));
    assert_false(proposal_completes(&table, 2));
}

UNIT_TEST(a_book_is_completed_once) {
    struct table table;
    begin_turn(&table, "", "KC 9C 9S 2S");
    set_book(&table, 0, CLEAN_KINGS);
    set_book(&table, 0, CLEAN_FOUR);
    proposals_are(&table, "add 1 KC; add 1 2S; add 2 9S 9C; add 2 2S; meld 9S 9C 2S");
    for (int i = 0; i < 4; i++)
        assert_false(proposal_completes(&table, i));
}

UNIT_TEST(new_groups_are_three_naturals_or_a_pair_and_a_wild) {
    struct table table;
    begin_turn(&table, "", "10S 10H 10D 10C 8S 8H AS JK 3C");
    edit(&table)->melded[0] = true;
    proposals_are(&table, "meld 8S 8H JK; meld 10S 10H 10D 10C");
    proposal_is(&table, 1, HAND_FOOT_AIM_OPEN, HAND_FOOT_NO_BOOK, 4, 0, 5);
    begin_turn(&table, "", "8S 8H AS 3C");
    edit(&table)->melded[0] = true;
    proposals_are(&table, "");
}

UNIT_TEST(house_rules_bring_their_proposals) {
    struct table table;
    begin_turn(&table, "wildBooks=yes layRedThrees=yes closing=explicit", "3H 3D 2S 2H JK JK 9C");
    set_book(&table, 0, CLEAN_KINGS);
    proposals_are(&table, "lay 3H; lay 3D; add 1 2S; close 1; meld 2S 2H JK");
    proposal_is(&table, 0, HAND_FOOT_AIM_RED_THREE, HAND_FOOT_NO_BOOK, 1, 0, 6);
    proposal_is(&table, 3, HAND_FOOT_AIM_CLOSE, 0, 0, 0, 7);
    proposal_is(&table, 4, HAND_FOOT_AIM_OPEN_WILDS, HAND_FOOT_NO_BOOK, 0, 3, 4);
    table_play(&table, "0 close 1");
    proposals_are(&table, "lay 3H; lay 3D; add 1 2S; meld 2S 2H JK");
    begin_turn(&table, "", "3H 3D 2S 2H JK JK 9C");
    edit(&table)->melded[0] = true;
    proposals_are(&table, "");
    begin_turn(&table, "wildBooks=yes", "2S 2H 9C");
    edit(&table)->melded[0] = true;
    proposals_are(&table, "");
}

/* ---- The first meld ---- */

/* HF-83 */
UNIT_TEST(the_first_meld_comes_small_and_large) {
    struct table table;
    begin_turn(&table, "", "AS AH AD KS KH KD QS QH 2S 4C");
    proposals_are(&table, "meld AS AH AD; meld KS KH KD / AS AH AD");
    proposal_is(&table, 0, HAND_FOOT_AIM_PLAY_DOWN, HAND_FOOT_NO_BOOK, 3, 0, 7);
    proposal_is(&table, 1, HAND_FOOT_AIM_PLAY_DOWN_MUCH, HAND_FOOT_NO_BOOK, 6, 0, 4);
    begin_turn(&table, "", "KS KH 4S 4H 4D 2S JK 9C");
    proposals_are(&table, "meld KS KH 2S JK; meld 4S 4H 4D 2S / KS KH JK"); /* 90; 105 */
    proposal_is(&table, 0, HAND_FOOT_AIM_PLAY_DOWN, HAND_FOOT_NO_BOOK, 2, 2, 4);
    begin_turn(&table, "", "KS KH KD 4S 4H 4D 9C");
    proposals_are(&table, ""); /* 45 */
}

/* HF-51: a group takes as many wilds as the house allows. */
UNIT_TEST(the_first_meld_keeps_the_limit_of_wilds) {
    struct table table;
    begin_turn(&table, "wildLimit=fewer", "KS KH 4S 4H 4D 2S JK 9C");
    proposals_are(&table, "meld 4S 4H 4D 2S / KS KH JK; meld 4S 4H 4D 2S / KS KH JK");
    begin_turn(&table, "minimumTest=more-than", "AS AH AD 4S 4H 4D 9C");
    proposals_are(&table,
                  "meld 4S 4H 4D / AS AH AD; meld 4S 4H 4D / AS AH AD"); /* 60 is not more */
}

/* ---- The way to the foot ---- */

UNIT_TEST(cards_are_stuck_that_find_no_place) {
    struct table table;
    begin_turn(&table, "", "KD 9S 9H 4S 3C AS AH AD 2S");
    set_book(&table, 0, CLEAN_SIX);
    assert_int_equal(stuck(&table), 2); /* 4S 3C; a two goes with the nines */
    begin_turn(&table, "", "KD 9S 9H 4S 4H AS AH AD 2S");
    set_book(&table, 0, CLEAN_SIX);
    assert_int_equal(stuck(&table), 2); /* one pair waits */
    begin_turn(&table, "", "2S 2H JK JK 4S");
    set_book(&table, 0, "9S 9H 2C"); /* takes one more wild, as two are not more than two nines */
    assert_int_equal(stuck(&table), 4);
    set_book(&table, 1, CLEAN_SIX); /* an opponent's book is no place */
    assert_int_equal(stuck(&table), 4);
    begin_turn(&table, "wildLimit=fewer", "9S 9H 2S 2H 4S");
    edit(&table)->melded[0] = true;
    assert_int_equal(stuck(&table), 2);
    begin_turn(&table, "wildLimit=two", "2S 2H JK");
    set_book(&table, 0, CLEAN_SIX);
    assert_int_equal(stuck(&table), 1);
}

/* Wilds go on what is laid in this turn as well. */
UNIT_TEST(naturals_make_room_for_wilds) {
    struct table table;
    begin_turn(&table, "", "9S 9H 9D 2S 2H JK JK 4S");
    edit(&table)->melded[0] = true;
    assert_int_equal(stuck(&table), 2);
    begin_turn(&table, "", "9S 9H 9D 2S 2H JK JK 4S");
    set_book(&table, 0, "9S 9H 2C 2C");
    assert_int_equal(stuck(&table), 2);
    begin_turn(&table, "", "9S 9H 2S 2H 4S");
    edit(&table)->melded[0] = true;
    assert_int_equal(stuck(&table), 1);
}

/* ---- The pile ---- */

UNIT_TEST(the_pile_is_taken_with_a_pair_a_wild_or_a_book) {
    struct table table;
    before_pile(&table, "", "KS KH KC 2S 9C", "4S KD");
    proposals_are(&table, "take KS KH; take KS 2S");
    proposal_is(&table, 0, HAND_FOOT_AIM_TAKE, HAND_FOOT_NO_BOOK, 2, 0, 3);
    proposal_is(&table, 1, HAND_FOOT_AIM_TAKE_DIRTY, HAND_FOOT_NO_BOOK, 1, 1, 3);
    before_pile(&table, "", "KS 9C", "4S KD");
    proposals_are(&table, "");
    before_pile(&table, "", "2S 2H 2D", "4S 2C");
    proposals_are(&table, "");
}

UNIT_TEST(the_top_card_goes_on_a_book_that_it_does_not_spoil) {
    struct table table;
    const char *anywhere = "pickupWith=any-legal-play pickupPlay=anywhere freezing=no "
                           "pickupExcludes=red-threes";
    before_pile(&table, anywhere, "9C 8C", "4S KD");
    set_book(&table, 1, "KS KH KD");
    set_book(&table, 0, DIRTY_SIX);
    set_book(&table, 0, CLEAN_SIX);
    proposals_are(&table, "take add 2");
    proposal_is(&table, 0, HAND_FOOT_AIM_TAKE_ADD, 2, 0, 0, 2);
    before_pile(&table, anywhere, "9C 8C", "4S 2D");
    set_book(&table, 0, CLEAN_SIX);
    set_book(&table, 0, DIRTY_SIX);
    proposals_are(&table, "take add 2"); /* a wild goes where wilds are */
}

/* ---- Judgement ---- */

UNIT_TEST(a_wild_helps_dirty_books_and_spoils_clean_ones) {
    struct table table;
    begin_turn(&table, "", "2S 4C 9C");
    set_book(&table, 0, CLEAN_KINGS);
    set_book(&table, 0, DIRTY_SIX);
    set_book(&table, 0, DIRTY_THREE);
    set_book(&table, 0, CLEAN_FOUR);
    set_book(&table, 0, "8S 8H 8D 8C 8S 8H");
    assert_int_equal(wild_gain(&table, 0), 0);  /* complete */
    assert_int_equal(wild_gain(&table, 1), 60); /* from 80 to 100 per cent of 300 */
    assert_int_equal(wild_gain(&table, 2), 39); /* from 27 to 40 */
    assert_int_equal(wild_gain(&table, 3), 20); /* from 32 per cent of 500 to 60 of 300 */
    assert_int_equal(wild_gain(&table, 4), 0);  /* from 60 per cent of 500 to all of 300 */
}

UNIT_TEST(several_wilds_can_do_what_one_cannot) {
    struct table table;
    begin_turn(&table, "", "2S 4C 9C");
    set_book(&table, 0, CLEAN_KINGS);
    set_book(&table, 0, "8S 8H 8D 8C 8S");
    assert_int_equal(wild_gain(&table, 1), 0); /* 48 per cent of 500 are 80 of 300 */
    begin_turn(&table, "", "2S 2H 4C 9C");
    set_book(&table, 0, CLEAN_KINGS);
    set_book(&table, 0, "8S 8H 8D 8C 8S");
    assert_int_equal(wild_gain(&table, 1), 30); /* two complete it */
}

/* HF-51: wilds that a book cannot take are no gain. */
UNIT_TEST(wilds_gain_within_the_limit) {
    struct table table;
    begin_turn(&table, "", "2S 2H JK JK 9C");
    set_book(&table, 0, DIRTY_THREE);
    assert_int_equal(wild_gain(&table, 0), 39); /* four would bring 54 each */
}

UNIT_TEST(bonuses_of_the_house_decide) {
    struct table table;
    begin_turn(&table, "wildBooks=yes", "2S 4C 9C");
    set_book(&table, 0, "2H 2D JK");
    assert_int_equal(wild_gain(&table, 0), 195); /* from 27 to 40 per cent of 1500 */
    begin_turn(&table, "cleanBonus=0 dirtyBonus=0", "2S 4C 9C");
    set_book(&table, 0, DIRTY_SIX);
    assert_int_equal(wild_gain(&table, 0), 10); /* 50 at least */
}

UNIT_TEST(the_best_clean_book_is_spared_while_one_is_missing) {
    struct table table;
    begin_turn(&table, "", "2S 4C 9C");
    set_book(&table, 0, "8S 8H 8D");
    set_book(&table, 0, CLEAN_FOUR);
    assert_int_equal(wild_gain(&table, 0), 30);  /* from 18 per cent of 500 to 40 of 300 */
    assert_int_equal(wild_gain(&table, 1), -60); /* from one and a half times 160 to 180 */
    set_book(&table, 0, CLEAN_KINGS);
    assert_int_equal(wild_gain(&table, 1), 20);
}

/* Opponents' books and the own hand are seen, other hands are not. */
UNIT_TEST(seen_naturals_are_counted_by_rank) {
    struct table table;
    struct hand_foot_holding holding;
    struct hand_foot_seen seen;
    begin_turn(&table, "", "KC QC 2S 4C");
    set_book(&table, 0, CLEAN_SIX);
    set_book(&table, 1, DIRTY_SIX);
    hand_foot_holding_count(&holding, edit(&table), 0);
    hand_foot_count_seen(&holding, &seen);
    assert_int_equal(seen.naturals[CARD_KING], 7);
    assert_int_equal(seen.naturals[CARD_QUEEN], 6);
    assert_int_equal(seen.naturals[4], 1);
    assert_int_equal(seen.naturals[9], 0);
    assert_false(seen.opponents[CARD_KING]);
    assert_true(seen.opponents[CARD_QUEEN]);
}

/* ---- Every position of some games ---- */

/* Ten for each wild and one for each card: the cheapest way to enough points, by trying each
 * number of wilds for each rank in turn. */
static int cheapest(const struct hand_foot_holding *holding, int rank, int points, int wilds) {
    const struct hand_and_foot *state = holding->state;
    int twos = 0, best = INT32_MAX;
    if (rank > CARD_ACE) {
        for (int suit = 0; suit < CARD_SUITS; suit++)
            twos += holding->hand[card_of(2, suit)];
        points += wilds < twos ? 20 * wilds : 20 * twos + 50 * (wilds - twos);
        return points >= hand_foot_first_meld(state) && wilds <= holding->wilds ? 0 : INT32_MAX;
    }
    best = cheapest(holding, rank + 1, points, wilds);
    int naturals = holding->naturals[rank], needs = naturals == 2 ? 1 : 0;
    int each = hand_foot_points(state->rules, card_of(rank, 0));
    for (int extra = 0; naturals >= 2 && extra <= 1 && needs + extra <= naturals; extra++) {
        int more = needs + extra;
        int rest = cheapest(holding, rank + 1, points + naturals * each, wilds + more);
        /* a card that every such group has costs one, a wild ten; the pair's wild is both */
        if (rest < INT32_MAX && rest + naturals + needs + 10 * more < best)
            best = rest + naturals + needs + 10 * more;
    }
    return best;
}

static void compare_first_meld(const struct hand_foot_holding *holding,
                               const struct hand_foot_proposals *proposals) {
    int best = cheapest(holding, 3, 0, 0), cost = INT32_MAX;
    if (proposals->count > 0) {
        const struct hand_foot_proposal *proposal = &proposals->list[0];
        int pairs = 0;
        for (int i = 0, start = 0; i <= proposal->move.count; i++) {
            if (i < proposal->move.count && proposal->move.args[i] != MOVE_SEPARATOR)
                continue;
            pairs += holding->naturals[hand_foot_rank(proposal->move.args[start])] == 2;
            start = i + 1;
        }
        cost = proposal->naturals + pairs + 10 * proposal->wilds;
    }
    assert_int_equal(cost, best);
}

/* The cards are in the hand and the figures are true. */
static void check_proposal(const struct hand_foot_holding *holding,
                           const struct hand_foot_proposal *proposal) {
    uint16_t cards[MOVE_ARGS_MAX];
    int count = 0, wilds = 0, from = proposal->move.verb == HAND_FOOT_ADD ? 1 : 0;
    for (int i = from; i < proposal->move.count; i++) {
        if (proposal->move.args[i] == MOVE_SEPARATOR)
            continue;
        wilds += hand_foot_is_wild(proposal->move.args[i]);
        cards[count++] = proposal->move.args[i];
    }
    assert_true(plan_in_hand(holding->state, holding->seat, cards, count));
    assert_int_equal(count, proposal->naturals + proposal->wilds);
    assert_int_equal(wilds, proposal->wilds);
    assert_int_equal(holding->state->hand_count[holding->seat] - count, proposal->left);
}

static int order_of(enum hand_foot_aim aim) {
    return aim == HAND_FOOT_AIM_GROW || aim == HAND_FOOT_AIM_OPEN ? 0
           : aim == HAND_FOOT_AIM_OPEN_DIRTY                      ? 1
                                                                  : 2;
}

/* Lays naturals, then pairs with a wild, then wilds, as long as the hand lasts. What stays is what
 * was said to be stuck. */
static void walk_to_foot(const struct hand_and_foot *from, int seat, int expected) {
    struct hand_and_foot state = *from;
    bool moved = true;
    while (moved && !state.in_foot[seat]) {
        struct hand_foot_holding holding;
        struct hand_foot_proposals proposals;
        moved = false;
        hand_foot_holding_count(&holding, &state, seat);
        hand_foot_propose_plays(&holding, &proposals);
        for (int order = 0; order <= 2 && !moved; order++) {
            for (int i = 0; i < proposals.count && !moved; i++) {
                moved =
                    order_of(proposals.list[i].aim) == order &&
                    verb_check(&hand_and_foot_game, &state, seat, &proposals.list[i].move, NULL);
                if (moved)
                    verb_apply(&hand_and_foot_game, &state, seat, &proposals.list[i].move, NULL);
            }
        }
    }
    assert_int_equal(state.in_foot[seat] ? 0 : state.hand_count[seat], expected);
}

static void check_position(const struct hand_and_foot *state, int seat) {
    struct hand_foot_holding holding;
    struct hand_foot_proposals proposals;
    hand_foot_holding_count(&holding, state, seat);
    hand_foot_propose_plays(&holding, &proposals);
    for (int i = 0; i < proposals.count; i++)
        check_proposal(&holding, &proposals.list[i]);
    if (!state->melded[seat])
        compare_first_meld(&holding, &proposals);
    else if (!state->in_foot[seat])
        walk_to_foot(state, seat, hand_foot_cards_stuck(&holding));
}

UNIT_TEST(in_every_position_proposals_are_true) {
    int positions = 0;
    for (uint64_t number = 0; number < 4; number++) {
        struct table table;
        struct chance chance;
        uint32_t awaited;
        table_start(&table, &hand_and_foot_game, "rounds=5 targetScore=0", 3);
        chance_start_number(&chance, number, 0);
        while ((awaited = game_to_act(table.game, &table.state)) != 0) {
            struct move move;
            if ((awaited & AWAITS_NATURE) != 0) {
                assert_true(game_deal_chance(table.game, &table.state, &chance, NULL, NULL));
                continue;
            }
            int seat = __builtin_ctz(awaited);
            if (edit(&table)->turn_phase == HAND_FOOT_TURN_MELD) {
                check_position(edit(&table), seat);
                positions++;
            }
            bot_choose(table.game, &table.state, seat, (enum bot_level)seat, &chance, &move);
            assert_true(game_play(table.game, &table.state, seat, &move, NULL, NULL));
        }
    }
    assert_true(positions > 1000);
}
