/* Who's Deal?'s rules. Bots are tested in bots/whos_deal_bot_test.c and samples in
 * whos_deal_sample_test.c; lobby and clock belong to the rooms world/ and server/. What can be told
 * as a story is in stories.txt; here are proofs by volume against a second opinion on cards, and
 * what no line of a game can set. */
#include "games/whos_deal/whos_deal.h"
#include "games/whos_deal/words.h"
#include "tests/support.h"

static const struct whos_deal *look(const struct table *table) {
    return (const void *)table->state.bytes;
}

/* ---- A second opinion on cards, written after section 7 of "Who's Deal?" ---- */

static const char *const all_cards[WHOS_DEAL_CARDS] = {
    "9S", "10S", "JS", "QS", "KS", "AS", "9H", "10H", "JH", "QH", "KH", "AH",
    "9D", "10D", "JD", "QD", "KD", "AD", "9C", "10C", "JC", "QC", "KC", "AC"};

static char printed_suit(int number) {
    const char *id = all_cards[number];
    return id[strlen(id) - 1];
}

static char rank_letter(int number) {
    return all_cards[number][0]; /* '1' is the ten */
}

static bool is_red(char suit) {
    return suit == 'H' || suit == 'D';
}

static bool is_left_bower(int number, char trump) {
    char suit = printed_suit(number);
    return rank_letter(number) == 'J' && suit != trump && is_red(suit) == is_red(trump);
}

static char true_suit(int number, char trump) {
    return is_left_bower(number, trump) ? trump : printed_suit(number);
}

/* WD-64, WD-65 */
static int true_rank(int number, char trump) {
    static const char plain[] = "91JQKA", trumps[] = "91QKA";
    if (true_suit(number, trump) != trump)
        return (int)(strchr(plain, rank_letter(number)) - plain) + 1;
    if (rank_letter(number) == 'J')
        return printed_suit(number) == trump ? 8 : 7;
    return (int)(strchr(trumps, rank_letter(number)) - trumps) + 2;
}

/* WD-63 */
static int true_comparison(int a, int b, char led, char trump) {
    char one = true_suit(a, trump), two = true_suit(b, trump);
    if ((one == trump) != (two == trump))
        return one == trump ? 1 : -1;
    if (one == trump)
        return true_rank(a, trump) - true_rank(b, trump);
    if (one != led || two != led)
        return (one == led) - (two == led);
    return true_rank(a, trump) - true_rank(b, trump);
}

static int sign(int number) {
    return (number > 0) - (number < 0);
}

static char letter(int suit) {
    return "SHDC"[suit];
}

/* ---- Deck, teams, deal ---- */

/* WD-2, WD-3 */
TABLE_TEST(WD_2_WD_3_24_cards_named_by_rank_and_suit) {
    struct deal deal;
    uint16_t number;
    table_start(table, &whos_deal_game, "", 4);
    game_deck(&whos_deal_game, &table->state, &deal);
    assert_int_equal(deal.count, 24);
    assert_false(whos_deal_game.parse_card(span_of(""), &number));
    for (uint16_t i = 0; i < 24; i++) {
        char name[8];
        uint8_t back;
        struct text text = text_in(name, sizeof name);
        assert_int_equal(deal.cards[i], i);
        whos_deal_game.print_card(i, &text);
        assert_string_equal(name, all_cards[i]);
        assert_true(whos_deal_game.parse_card(span_of(all_cards[i]), &number));
        assert_int_equal(number, i);
        assert_true(whos_deal_from_card(whos_deal_to_card(i), &back));
        assert_int_equal(back, i);
    }
}

/* A nested card is its JSON once more as a string, without the quotes around it. */
UNIT_TEST(WD_3_cards_are_written_in_advance_as_the_writer_would) {
    for (int i = 0; i < 24; i++) {
        static const char *const suits[] = {"spades", "hearts", "diamonds", "clubs"};
        const char *id = all_cards[i];
        char plain[200], nested[200], expected[200];
        struct events events;
        struct json json;
        for (int way = 0; way < 2; way++) {
            events_begin(&events, way == 0 ? plain : nested, sizeof plain);
            events.json.nested = way == 1;
            whos_deal_tell_card(2, i, &events);
            assert_int_equal(events.count, 1);
        }
        snprintf(expected, sizeof expected,
                 "{\"seatIndex\":2,\"card\":{\"suit\":\"%s\",\"rank\":\"%.*s\",\"id\":\"%s\"}}",
                 suits[i / 6], (int)strlen(id) - 1, id, id);
        assert_string_equal(plain, expected);
        json_begin(&json, expected, sizeof expected);
        json_put_string(&json, NULL, plain);
        assert_int_equal(strlen(nested), json.text.length - 2);
        assert_memory_equal(nested, expected + 1, json.text.length - 2);
    }
}

/* WD-5, WD-C23: 3-2-3-2, then 2-3-2-3, from the dealer's left, then the kitty. */
TABLE_TEST(WD_5_WD_C23_cards_are_dealt_in_packets) {
    static const int places[4][5] = {/* in the deck, by distance from the dealer */
                                     {8, 9, 17, 18, 19},
                                     {0, 1, 2, 10, 11},
                                     {3, 4, 12, 13, 14},
                                     {5, 6, 7, 15, 16}};
    uint16_t deck[24];
    for (uint16_t i = 0; i < 24; i++)
        deck[i] = (uint16_t)((i * 5 + 3) % 24);
    for (int dealer = 0; dealer < 4; dealer++) {
        table_start(table, &whos_deal_game, "", 4);
        ((struct whos_deal *)(void *)table->state.bytes)->dealer = (uint8_t)dealer;
        assert_true(game_deal_cards(&whos_deal_game, &table->state, deck, 24, NULL, NULL));
        assert_int_equal(look(table)->dealer, dealer);
        for (int away = 0; away < 4; away++) {
            uint32_t hand = 0;
            for (int i = 0; i < 5; i++)
                hand |= 1u << deck[places[away][i]];
            assert_int_equal(look(table)->hand[(dealer + away) & 3], hand);
        }
        for (int i = 0; i < 4; i++)
            assert_int_equal(look(table)->kitty[i], deck[20 + i]);
        assert_int_equal(look(table)->upcard, deck[20]);
    }
}

/* ---- Cards ---- */

/* WD-17 to WD-21, WD-61, WD-62, WD-64, WD-65, WD-C16 */
UNIT_TEST(WD_61_to_WD_65_every_card_has_its_suit_and_rank_under_every_trump) {
    static const char same_colour[] = "CDHS";
    for (int trump = 0; trump < 4; trump++) {
        assert_int_equal(letter(whos_deal_same_colour(trump)), same_colour[trump]);
        uint32_t suits[4] = {0};
        for (int number = 0; number < 24; number++) {
            char suit = true_suit(number, letter(trump));
            int rank = true_rank(number, letter(trump));
            assert_int_equal(letter(whos_deal_effective_suit(number, trump)), suit);
            assert_int_equal(whos_deal_strength[trump][number],
                             suit == letter(trump) ? 16 + rank : rank);
            suits[strchr("SHDC", suit) - "SHDC"] |= 1u << number;
            assert_int_equal(number == whos_deal_right_bower(trump),
                             suit == letter(trump) && rank == 8);
            assert_int_equal(number == whos_deal_left_bower(trump),
                             is_left_bower(number, letter(trump)));
        }
        for (int suit = 0; suit < 4; suit++)
            assert_int_equal(whos_deal_suit_cards(suit, trump), suits[suit]);
    }
}

/* WD-63, WD-C15: positive, negative, or zero when neither can win. */
UNIT_TEST(WD_63_WD_C15_comparison_agrees_with_the_second_opinion) {
    for (int trump = 0; trump < 4; trump++)
        for (int led = 0; led < 4; led++)
            for (int a = 0; a < 24; a++)
                for (int b = 0; b < 24; b++)
                    assert_int_equal(sign(whos_deal_compare(a, b, led, trump)),
                                     sign(true_comparison(a, b, letter(led), letter(trump))));
    assert_int_equal(whos_deal_compare(5, 11, 2, 3), 0); /* AS and AH on diamonds, clubs trump */
    assert_true(whos_deal_compare(12, 11, 2, 3) > 0);    /* 9D was led and beats AH */
    assert_true(whos_deal_compare(23, 18, 2, 3) > 0);    /* AC beats 9C */
    assert_true(whos_deal_compare(17, 18, 2, 3) < 0);    /* 9C trumps AD */
    assert_true(whos_deal_compare(20, 2, 2, 3) > 0);     /* the right bower beats the left */
    assert_true(whos_deal_compare(2, 23, 2, 3) > 0);     /* which beats the ace of trump */
}

/* WD-24, WD-66 */
UNIT_TEST(WD_66_playable_cards_follow_the_effective_suit) {
    struct chance chance;
    chance_start_number(&chance, 66, 0);
    for (int i = 0; i < 5000; i++) {
        uint16_t deck[24];
        uint32_t hand = 0, following = 0;
        int trump = (int)chance_below(&chance, 4), led = (int)chance_below(&chance, 4);
        for (uint16_t j = 0; j < 24; j++)
            deck[j] = j;
        chance_shuffle(&chance, deck, 24);
        for (uint32_t j = 1 + chance_below(&chance, 5); j > 0; j--) {
            hand |= 1u << deck[j];
            if (true_suit(deck[j], letter(trump)) == letter(led))
                following |= 1u << deck[j];
        }
        assert_int_equal(whos_deal_playable(hand, whos_deal_suit_cards(led, trump)),
                         following != 0 ? following : hand);
        assert_int_equal(whos_deal_playable(hand, WHOS_DEAL_ALL_CARDS), hand);
    }
}

/* WD-15, WD-68 */
UNIT_TEST(WD_68_the_next_seat_is_clockwise_without_who_sits_out) {
    static const int masks[] = {0, 1, 2, 4, 8, 1 | 2, 2 | 4, 4 | 8, 8 | 1};
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        for (int seat = 0; seat < 4; seat++) {
            int next = (seat + 1) % 4;
            while ((masks[i] >> next & 1) != 0)
                next = (next + 1) % 4;
            assert_int_equal(whos_deal_next_seat(seat, masks[i]), next);
        }
    }
}

/* ---- Tricks ---- */

/* The winner among cards in the order played, by reduction from the led card. */
static int reduce_trick(const uint8_t *trick, int count, char trump) {
    int best = 0;
    for (int i = 1; i < count; i++)
        if (true_comparison(trick[i], trick[best], true_suit(trick[0], trump), trump) > 0)
            best = i;
    return best;
}

static void legal_cards_are_right(struct table *table, const uint8_t *trick, int count) {
    const struct whos_deal *game = look(table);
    struct move moves[GAME_LEGAL_MAX];
    uint32_t following = 0, found = 0, hand = game->hand[game->turn];
    for (int number = 0; number < 24 && count > 0; number++)
        if (true_suit(number, letter(game->trump)) == true_suit(trick[0], letter(game->trump)))
            following |= hand & 1u << number;
    size_t legal = game_legal(&whos_deal_game, &table->state, game->turn, moves);
    for (size_t i = 0; i < legal; i++)
        found |= 1u << moves[i].args[0];
    assert_int_equal(found, following != 0 ? following : hand);
    assert_int_equal(legal, __builtin_popcount(found));
}

/* Plays one random card and, at the end of a trick, checks who won it. */
static void play_random_card(struct table *table, struct chance *chance, uint8_t *trick, int *seats,
                             int *count) {
    const struct whos_deal *game = look(table);
    struct move move;
    int before[2] = {game->tricks[0], game->tricks[1]};
    legal_cards_are_right(table, trick, *count);
    seats[*count] = step_at_random(&whos_deal_game, &table->state, chance, &move);
    trick[(*count)++] = (uint8_t)move.args[0];
    if (*count < 4 - __builtin_popcount(game->sitting_out)) {
        assert_int_equal(game->trick_count, *count);
        return;
    }
    int winner = seats[reduce_trick(trick, *count, letter(game->trump))];
    before[winner % 2]++;
    assert_int_equal(game->last_winner, winner);
    assert_int_equal(game->lead, winner);
    assert_int_equal(game->tricks[0], before[0]);
    assert_int_equal(game->tricks[1], before[1]);
    assert_int_equal(game->trick_count, 0);
    *count = 0;
}

/* WD-25, WD-26, WD-56, WD-66, WD-132: thousands of random tricks, four-, three- and two-handed. */
TABLE_TEST(WD_25_random_tricks_are_won_as_the_reduction_says) {
    struct chance chance;
    chance_start_number(&chance, 25, 0);
    int played = 0;
    for (int deals = 0; deals < 1500; deals++) {
        uint8_t trick[4];
        int seats[4], count = 0;
        table_start(table, &whos_deal_game, "defendAlone=yes", 4);
        while (look(table)->phase < WHOS_DEAL_PLAYING)
            step_at_random(&whos_deal_game, &table->state, &chance, &(struct move){0});
        for (; look(table)->phase == WHOS_DEAL_PLAYING; played++)
            play_random_card(table, &chance, trick, seats, &count);
        assert_int_equal(look(table)->tricks_played, 5);
        assert_int_equal(count, 0);
    }
    assert_true(played > 1500 * 10);
}

/* WD-2: there are 24 cards at every moment, each in one place. */
TABLE_TEST(WD_2_the_invariant_notices_what_does_not_add_up) {
    struct whos_deal good;
    table_start(table, &whos_deal_game, "", 4);
    memcpy(&good, table->state.bytes, sizeof good);
    assert_true(whos_deal_game.holds(&good));
    assert_breaks(whos_deal_game, good, bad.phase = WHOS_DEAL_ROUND1);
    table_play(table, "- deal 9S 10S QD KD AD / 9H 9D JC 9C 10C / JD QH AS KS 10D / JH AH QS JS QC "
                      "/ KC 10H KH AC\n1 pass\n2 pass\n3 pass\n0 pass\n1 call H\n1 play 9H");
    memcpy(&good, table->state.bytes, sizeof good);
    assert_true(whos_deal_game.holds(&good));
    assert_breaks(whos_deal_game, good, bad.hand[0] ^= 1); /* a card is missing */
    assert_breaks(whos_deal_game, good, bad.hand[1] |= 1); /* a card is there twice */
    assert_breaks(whos_deal_game, good, bad.played_cards = 0);
    assert_breaks(whos_deal_game, good, bad.kitty_cards = 0);
    assert_breaks(whos_deal_game, good, bad.void_suits[2] = 15); /* and it has five cards */
    assert_breaks(whos_deal_game, good, bad.turn = 4);
    assert_breaks(whos_deal_game, good, bad.dealer = 4);
    assert_breaks(whos_deal_game, good, bad.tricks[1] = 1);
}
