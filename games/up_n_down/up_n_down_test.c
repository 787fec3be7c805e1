/* Up-N-Down's rules by volume, its invariants and its samples; single rules are told in
 * stories.txt.
 *
 * Most tests use the smallest deck, 2 to 22, and a deal that makes the rare thing happen at once.
 * Four cards close all piles of that deck: 21 and 22 on the rising ones, 3 and 2 on the falling
 * ones. Then only 11, 12 and 13 fit, each as a backward-10. */
#include "games/up_n_down/up_n_down.h"
#include "tests/support.h"

#define SMALL      "minCardValue=2 maxCardValue=22 handSize=4"
#define UNDO       " allowUndo=yes"
#define DRAW_LATER " autoRefillHand=no"

/* Seat 0 can close all piles and then draws nothing that fits; seat 1 is stuck after that. */
#define TWO       "- deal 2 3 21 22 / 4 5 6 7 / 8 9 10 14 11 12 13 15 16 17 18 19 20"
#define CLOSE_ALL "0 play 21 1\n0 play 22 2\n0 play 3 3\n0 play 2 4"

/* ---- Words for these tests ---- */

static void begin(struct table *table, const char *options, int seats, const char *deal) {
    table_start(table, &up_n_down_game, options, seats);
    table_play(table, deal);
}

static const struct up_n_down *look(const struct table *table) {
    return (const void *)table->state.bytes;
}

static bool is_legal(struct table *table, int seat, const char *move) {
    char list[8192], wanted[64];
    snprintf(list, sizeof list, "; %s;", table_legal(table, seat));
    snprintf(wanted, sizeof wanted, "; %s;", move);
    return strstr(list, wanted) != NULL;
}

/* ---- Piles ---- */

/* A solitaire hand of these two cards and the two lowest others; the first lies on the pile. */
static void begin_with_top(struct table *table, int top, int card, int pile) {
    char deal[512] = "- deal";
    int fillers = 0;
    size_t length = (size_t)snprintf(deal, sizeof deal, "- deal %d %d", top, card);
    for (int other = 2; other <= 99; other++) {
        if (other == top || other == card)
            continue;
        length += (size_t)snprintf(deal + length, sizeof deal - length, "%s %d",
                                   fillers++ == 2 ? " /" : "", other);
    }
    char play[32];
    snprintf(play, sizeof play, "0 play %d %d", top, pile);
    begin(table, "handSize=4", 1, deal);
    table_play(table, play);
}

/* Tries every card of the deck against a pile with that top. */
static void accepts_exactly(int pile, int top, int low, int high, int special) {
    for (int card = 2; card <= 99; card++) {
        struct table table;
        char move[32], line[40];
        if (card == top)
            continue;
        begin_with_top(&table, top, card, pile);
        snprintf(move, sizeof move, "play %d %d", card, pile);
        snprintf(line, sizeof line, "0 %s", move);
        bool fits = (card >= low && card <= high) || card == special;
        assert_int_equal(is_legal(&table, 0, move), fits);
        if (!fits) {
            table_refuses(&table, line, "INVALID_PLAY", NULL);
            continue;
        }
        table_play(&table, line);
        assert_int_equal(look(&table)->top[pile - 1], card);
        assert_int_equal(look(&table)->special_plays[0], card == special);
    }
}

/* UD-5, UD-6, UD-62: in its direction, and ten back. */
UNIT_TEST(UD_6_ascending_at_67_accepts_68_to_99_and_57) {
    accepts_exactly(1, 67, 68, 99, 57);
    accepts_exactly(2, 67, 68, 99, 57);
}

/* UD-5, UD-7, UD-62, the other way round. */
UNIT_TEST(UD_7_descending_at_34_accepts_2_to_33_and_44) {
    accepts_exactly(3, 34, 2, 33, 44);
    accepts_exactly(4, 34, 2, 33, 44);
}

/* ---- Setup ---- */

/* UD-18, UD-12: 98 cards, four hands of seven, 70 to draw from; every value once. */
TABLE_TEST(UD_18_the_draw_pile_holds_what_is_not_dealt) {
    begin(table, "", 4, "- deal 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
    table_told(table, "game-started", "{\"drawPileCount\":70}");
    const struct up_n_down *game = look(table);
    int seen[100] = {0};
    for (int i = 0; i < game->draw_count; i++)
        seen[game->draw[i]]++;
    for (int card = 2; card <= 99; card++) {
        for (int seat = 0; seat < 4; seat++)
            seen[card] += card_set_has(&game->hand[seat], card);
        assert_int_equal(seen[card], 1);
    }
    for (int seat = 0; seat < 4; seat++)
        assert_int_equal(game->hand_count[seat], 7);
}

/* UD-18: the invariant notices a card that is twice there, missing, or miscounted. */
TABLE_TEST(UD_18_the_invariant_notices_what_does_not_add_up) {
    struct up_n_down good;
    begin(table, SMALL, 2, TWO);
    table_play(table, "0 play 2 1");
    memcpy(&good, table->state.bytes, sizeof good);
    assert_true(up_n_down_game.holds(&good));
    assert_int_equal(good.draw[12], 0); /* unused places are zero: equal states have equal bytes */
    assert_breaks(up_n_down_game, good, bad.draw[0] = 21);
    assert_breaks(up_n_down_game, good, bad.draw_count--);
    assert_breaks(up_n_down_game, good, bad.played[0] = 3);
    assert_breaks(up_n_down_game, good, (bad.hand_count[1]--, bad.hand_count[0]++));
    assert_breaks(up_n_down_game, good, card_set_flip(&bad.hand[1], 7));
    assert_breaks(up_n_down_game, good, card_set_flip(&bad.shown[0], 4));
    assert_breaks(up_n_down_game, good, bad.cards_played[1]++);
    assert_breaks(up_n_down_game, good, bad.current = 2);
    assert_breaks(up_n_down_game, good, bad.phase = UP_N_DOWN_LOST + 1);
    begin_with_top(table, 67, 99, 1);
    memcpy(&good, table->state.bytes, sizeof good);
    assert_true(up_n_down_game.holds(&good));
    assert_breaks(up_n_down_game, good, bad.played[0] = 99);
}

/* ---- Won and lost ---- */

/* The rule of UD-3 to UD-5 written a second time: can the player to move play something? */
static bool something_fits(const struct up_n_down *game) {
    for (int card = game->card_min; card <= game->card_max; card++) {
        if (!card_set_has(&game->hand[game->current], card))
            continue;
        for (int pile = 0; pile < 4; pile++) {
            int rise = pile < 2 ? card - game->top[pile] : game->top[pile] - card;
            if (rise > 0 || rise == -10)
                return true;
        }
    }
    return false;
}

static void judge(struct table *table) {
    const struct up_n_down *game = look(table);
    int minimum = game->draw_count > 0 ? game->cards_per_turn : 1;
    bool demanded = game->head.seats == 1 || game->played_this_turn < minimum;
    bool stuck = game->hand_count[game->current] > 0 && demanded && !something_fits(game);
    if (game->phase == UP_N_DOWN_LOST)
        assert_true(stuck);
    else if (game->phase == UP_N_DOWN_WON)
        assert_int_equal(game->play_count, game->card_max - game->card_min + 1);
    else
        assert_true(!stuck || game->can_undo);
}

/* UD-30, UD-31, UD-32, UD-44, UD-C7: hundreds of random games, each judged rightly at every
 * moment. */
TABLE_TEST(UD_31_UD_32_the_game_goes_on_exactly_until_it_is_won_or_nothing_fits) {
    static const char *const options[] = {
        "",
        SMALL UNDO,
        "maxCardValue=40 minCardsPerTurn=3 handSize=5" DRAW_LATER,
        "minCardValue=70 handSize=4 minCardsPerTurn=1" UNDO DRAW_LATER,
    };
    struct move move;
    struct chance chance;
    chance_start_number(&chance, 3, 0);
    for (int run = 0; run < 400; run++) {
        table_start(table, &up_n_down_game, options[run % 4], 1 + run / 4 % 5);
        do {
            step_at_random(&up_n_down_game, &table->state, &chance, &move);
            judge(table);
        } while (game_to_act(&up_n_down_game, &table->state) != 0);
    }
}

/* ---- For bots ---- */

/* Draws many deals that the seat could be in; returns how many of them differ from the truth. */
static int sample_often(const struct table *table, int seat, bool fits) {
    struct game_state seen, sampled, seen_again;
    struct chance chance;
    uint8_t seed[CHANCE_SEED_SIZE] = {7};
    int different = 0;
    chance_start(&chance, seed);
    game_observe(&up_n_down_game, &table->state, seat, &seen);
    for (int i = 0; i < 300; i++) {
        game_sample(&up_n_down_game, &seen, seat, &chance, &sampled);
        game_observe(&up_n_down_game, &sampled, seat, &seen_again);
        assert_memory_equal(seen.bytes, seen_again.bytes, sizeof(struct up_n_down));
        assert_int_equal(something_fits((const void *)sampled.bytes), fits);
        different += memcmp(sampled.bytes, table->state.bytes, sizeof(struct up_n_down)) != 0;
    }
    return different;
}

/* Of a thousand worlds that the seat could be in, in how many has the other the card? */
static int count_worlds_with(const struct table *table, int seat, int other, int card) {
    struct game_state seen, sampled;
    struct chance chance;
    int count = 0;
    chance_start_number(&chance, 8, 0);
    game_observe(&up_n_down_game, &table->state, seat, &seen);
    for (int i = 0; i < 1000; i++) {
        game_sample(&up_n_down_game, &seen, seat, &chance, &sampled);
        count += card_set_has(&((const struct up_n_down *)(const void *)sampled.bytes)->hand[other],
                              card);
    }
    return count;
}

/* UD-C21, UD-31: whoever is still playing has a card that fits, and whoever lost had none. */
TABLE_TEST(UD_C21_samples_agree_with_what_a_seat_knows) {
    begin(table, SMALL, 2, "- deal 2 3 21 22 / 4 5 6 11 / 8 9 10 14 7 12 13 15 16 17 18 19 20");
    table_play(table, CLOSE_ALL "\n0 end");
    assert_true(sample_often(table, 0, true) > 250);
    assert_true(sample_often(table, SPECTATOR, true) > 250);
    assert_true(sample_often(table, 1, true) > 250);
    begin(table, SMALL, 2, TWO);
    table_play(table, CLOSE_ALL "\n0 end");
    assert_true(sample_often(table, 0, false) > 250);
    assert_true(sample_often(table, SPECTATOR, false) > 250);
}

/* UD-C21, UD-18: the same with the whole deck, of which nearly everything is hidden. */
TABLE_TEST(UD_C21_samples_of_a_fresh_deal_hold_every_card) {
    begin(table, "", 4, "- deal 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
    for (int seat = SPECTATOR; seat < 4; seat++)
        assert_int_equal(sample_often(table, seat, true), 300);
}

/* UD-C21, UD-27: a card that was taken back openly is in that hand until it is played. */
TABLE_TEST(UD_C21_samples_remember_a_card_that_was_taken_back) {
    begin(table, "handSize=4" UNDO, 3,
          "- deal 3 30 60 90 / 4 31 61 91 / 5 32 62 92 / "
          "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
    table_play(table, "0 play 3 1\n0 undo");
    for (int seat = SPECTATOR; seat < 3; seat++) {
        assert_int_equal(sample_often(table, seat, true), 300);
        assert_int_equal(count_worlds_with(table, seat, 0, 3), 1000);
    }
    assert_in_range(count_worlds_with(table, 1, 0, 30), 1, 200);
    table_play(table, "0 play 60 1\n0 play 90 1\n0 end");
    assert_int_equal(count_worlds_with(table, 1, 0, 3), 1000);
    table_play(table,
               "1 play 91 3\n1 play 61 3\n1 end\n2 play 92 2\n2 play 62 4\n2 end\n0 play 3 3");
    assert_int_equal(count_worlds_with(table, 1, 0, 3), 0);
}
