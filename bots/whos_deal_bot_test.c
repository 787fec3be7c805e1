/* Who's Deal?'s bots: each rule of theirs with hands that it fits and hands that it just does not
 * fit. Medium plays by these rules. Easy is a beginner, with tests of its own further down.
 *
 * Seat 0 deals, seat 1 calls first. Where a test says nothing else, spades are turned. */
#include "bots/bot.h"
#include "bots/whos_deal_expert.h"
#include "games/whos_deal/whos_deal.h"
#include "tests/support.h"

#define PASS_ROUND "1 pass\n2 pass\n3 pass\n0 pass\n"

static const char *const all_cards[WHOS_DEAL_CARDS] = {
    "9S", "10S", "JS", "QS", "KS", "AS", "9H", "10H", "JH", "QH", "KH", "AH",
    "9D", "10D", "JD", "QD", "KD", "AD", "9C", "10C", "JC", "QC", "KC", "AC"};

/* ---- Words for these tests ---- */

static const struct whos_deal *look(const struct table *table) {
    return (const void *)table->state.bytes;
}

static uint32_t read_cards(const char *words) {
    uint32_t cards = 0;
    struct scan scan = scan_of(span_of(words));
    struct span word;
    uint16_t card;
    while (scan_word(&scan, &word)) {
        assert_true(whos_deal_game.parse_card(word, &card));
        cards |= 1u << card;
    }
    return cards;
}

/* The cards, or as many of the rest as are missing, go to a part of the deal. */
static void write_part(char *line, size_t size, const char *words, int count, uint32_t *rest) {
    if (words)
        snprintf(line + strlen(line), size - strlen(line), " %s", words);
    for (int card = 0; card < WHOS_DEAL_CARDS && !words && count > 0; card++) {
        if ((*rest >> card & 1) == 0)
            continue;
        snprintf(line + strlen(line), size - strlen(line), " %s", all_cards[card]);
        *rest ^= 1u << card;
        count--;
    }
}

/* Deals these hands by seat; null is filled up with what is left. */
static void deal_hands(struct table *table, const char *options, const char *const hands[4],
                       const char *upcard) {
    char line[256] = "- deal";
    uint32_t rest = WHOS_DEAL_ALL_CARDS & ~read_cards(upcard);
    for (int seat = 0; seat < 4; seat++)
        rest &= hands[seat] ? ~read_cards(hands[seat]) : WHOS_DEAL_ALL_CARDS;
    for (int seat = 0; seat < 4; seat++) {
        write_part(line, sizeof line, hands[seat], 5, &rest);
        snprintf(line + strlen(line), sizeof line - strlen(line), " /");
    }
    snprintf(line + strlen(line), sizeof line - strlen(line), " %s", upcard);
    write_part(line, sizeof line, NULL, 3, &rest);
    table_start(table, &whos_deal_game, options, 4);
    table_play(table, line);
}

static void deal_hand(struct table *table, const char *options, int seat, const char *hand,
                      const char *upcard) {
    const char *hands[4] = {NULL, NULL, NULL, NULL};
    hands[seat] = hand;
    deal_hands(table, options, hands, upcard);
}

static void pass_until(struct table *table, int seat) {
    while (look(table)->turn != seat) {
        char line[16];
        snprintf(line, sizeof line, "%d pass", look(table)->turn);
        table_play(table, line);
    }
}

/* What the bot of that level would do now; it must be allowed to. */
static const char *bot_says(struct table *table, int seat, enum bot_level level) {
    static char words[MOVE_TEXT_SIZE];
    struct chance chance;
    struct move move;
    struct text text;
    struct refusal why = {0};
    chance_start_number(&chance, 99, 0);
    bot_choose(table->game, &table->state, seat, level, &chance, &move);
    text_begin(&text, words, sizeof words);
    game_print(table->game, &move, &text);
    if (!game_check(table->game, &table->state, seat, &move, &why))
        fail_msg("'%s' is refused: %s", words, why.text);
    return words;
}

/* WD-C27: medium plays by the rules in full. */
static void says(struct table *table, int seat, const char *expected) {
    assert_string_equal(bot_says(table, seat, BOT_MEDIUM), expected);
}

/* A hand, what was turned, and what a bot makes of it. */
struct choice {
    int seat;
    const char *hand;
    const char *upcard;
    const char *expected;
};

/* ---- Calling in the first round ---- */

static void first_round(const struct choice *choices, size_t count, const char *options) {
    for (size_t i = 0; i < count; i++) {
        struct table table;
        deal_hand(&table, options, choices[i].seat, choices[i].hand, choices[i].upcard);
        pass_until(&table, choices[i].seat);
        says(&table, choices[i].seat, choices[i].expected);
    }
}

/* WD-69, WD-C17 */
UNIT_TEST(WD_69_orders_up_with_the_right_bower_or_three_trumps) {
    static const struct choice choices[] = {
        {1, "JS 9H 10H 9D 9C", "QS", "order"}, /* the right bower is enough */
        {2, "JS 9H 10H 9D 9C", "QS", "order"},
        {3, "JS 9H 10H 9D 9C", "QS", "order"},
        {0, "JS 9H 10H 9D 9C", "QS", "order"},
        {1, "JH 9S 10S 9D 9C", "QH", "order"},
        {1, "JC 9S 10S 9H 9D", "QS", "order"}, /* left bower and two others */
        {1, "JC 9S 9H 10H 9D", "QS", "pass"},  /* left bower and one */
        {2, "JC 9S AH AD 9D", "QS", "pass"},   /* decent, but not the dealer */
        {3, "9S 10S AH AD 9D", "QS", "pass"},
        {1, "9S 10S KS 9H 9D", "QS", "order"}, /* three of the suit */
        {3, "9S 10S KS 9H 9D", "QS", "order"},
        {1, "KS AS AH AD AC", "QS", "pass"},   /* two and all aces */
        {1, "JH JD 9S 10S 9C", "QS", "pass"},  /* jacks of the other colour */
        {1, "JS 9C 10C KH 9D", "QC", "order"}, /* JS is the left bower of clubs */
        {1, "JD 9H 10H KC 9C", "QH", "order"},
        {1, "JH 9D 10D KC 9C", "QD", "order"},
        {1, "9H 10H 9D 10D 9C", "QS", "pass"},
    };
    first_round(choices, sizeof choices / sizeof choices[0], "");
}

/* WD-69, WD-C17: two trumps and a bower or an off-suit ace are decent for the dealer. */
UNIT_TEST(WD_C17_the_dealer_orders_up_with_a_decent_hand) {
    static const struct choice choices[] = {
        {0, "JC 9S 9H 10H 9D", "QS", "order"}, {0, "9S 10S AH 9H 9D", "QS", "order"},
        {0, "9S KS KH 9H 9D", "QS", "pass"}, /* neither bower nor ace */
        {0, "9S AS KH 9H 9D", "QS", "pass"}, /* the ace of trump is not off-suit */
        {0, "9S AH AD 9H 9D", "QS", "pass"}, /* one trump in hand */
        {0, "JC AH 9H 9D 10D", "QS", "pass"},
    };
    first_round(choices, sizeof choices / sizeof choices[0], "");
}

/* WD-71, WD-C17 */
UNIT_TEST(WD_71_goes_alone_on_very_strong_hands_only) {
    static const struct choice choices[] = {
        {1, "JS JC 9S AH 9D", "QS", "order alone"},  /* both, another, an ace */
        {1, "JS JC 9S KH 9D", "QS", "order"},        /* no ace */
        {1, "JS JC AS KH 9D", "QS", "order"},        /* an ace, but of trump */
        {1, "JS JC AH AD AC", "QS", "order"},        /* no other trump */
        {1, "JS 9S 10S KS 9H", "QS", "order alone"}, /* right and three others */
        {1, "JS 9S 10S 9H AH", "QS", "order"},       /* right and two others */
        {1, "JC 9S 10S KS AS", "QS", "order"},       /* everything but the right */
        {2, "JS JC 9S AH 9D", "QS", "order alone"},
        {3, "JS JC 9S AH 9D", "QS", "order alone"},
        {0, "JS 9S 10S 9H 9D", "KS", "order alone"}, /* the dealer's fourth is turned */
        {1, "JS 9S 10S 9H 9D", "KS", "order"},
        {0, "JC 9S AH 9H 9D", "JS", "order alone"}, /* the turned right bower counts */
        {1, "JC 9S 10S AH 9D", "JS", "order"},
    };
    first_round(choices, sizeof choices / sizeof choices[0], "");
}

/* The Canadian rule: the dealer's partner orders up alone or not at all. */
UNIT_TEST(canadian_loner_the_dealers_partner_passes_what_is_not_worth_a_loner) {
    static const struct choice choices[] = {
        {2, "JS 9H 10H 9D 9C", "QS", "pass"},
        {2, "JS 9S 10S KS 9H", "QS", "order alone"},
        {1, "JS 9H 10H 9D 9C", "QS", "order"},
    };
    first_round(choices, sizeof choices / sizeof choices[0], "canadianLoner=yes");
}

UNIT_TEST(farmers_hand_bots_throw_it_in) {
    static const struct choice choices[] = {
        {1, "9S 10S 9H 10H 9D", "QS", "redeal"},
        {1, "9S 10S 9H 10H JH", "QS", "pass"},
    };
    first_round(choices, sizeof choices / sizeof choices[0], "farmersHand=yes");
    first_round(&(struct choice){1, "9S 10S 9H 10H 9D", "QS", "pass"}, 1, "");
}

/* ---- Calling in the second round ---- */

static void second_round(const struct choice *choices, size_t count, const char *options) {
    for (size_t i = 0; i < count; i++) {
        struct table table;
        deal_hand(&table, options, choices[i].seat, choices[i].hand, choices[i].upcard);
        table_play(&table, PASS_ROUND);
        pass_until(&table, choices[i].seat);
        says(&table, choices[i].seat, choices[i].expected);
    }
}

/* WD-70, WD-C18 */
UNIT_TEST(WD_70_WD_C18_names_a_strong_suit_or_passes) {
    static const struct choice choices[] = {
        {1, "AH KH QH 9D 10D", "9S", "call H"}, /* three trumps */
        {1, "9C 10C QC 9D 10D", "9S", "call C"},
        {1, "JH 9H AD 9C 10C", "9S", "call H"}, /* bower, trump, off-suit ace */
        {1, "JH 9H KD 9C 10C", "9S", "pass"},   /* no ace */
        {1, "KH 9H AD 9C 10C", "9S", "pass"},   /* no bower */
        {1, "JH AD 9S 9C 10C", "QS", "pass"},   /* the ace would be trump */
        {1, "JC 10H AD 9D KS", "9S", "pass"},   /* a bower and nothing else */
        {1, "10S QS KS AS 9D", "9S", "pass"},   /* only what was turned down */
        {1, "JS 10S QS KS AS", "9S", "pass"},
        {2, "JH JD 9H KD 10C", "9S", "call D"}, /* as many, but a higher third */
        {3, "JH JD 9H 9D 10C", "9S", "call H"}, /* alike: the first suit */
        {1, "AH 9H 10H JC 9C", "9S", "call H"}, /* more cards go before bowers */
        {3, "JD 9H 10H 9D 9C", "9S", "call H"}, /* the left bower counts */
    };
    second_round(choices, sizeof choices / sizeof choices[0], "");
}

/* WD-71 */
UNIT_TEST(WD_71_goes_alone_in_the_second_round_too) {
    static const struct choice choices[] = {
        {1, "JH JD 9H AS 9C", "9S", "call H alone"},  {1, "JH JD 9H KS 9C", "9S", "call H"},
        {3, "JC 9C 10C KC 9H", "9S", "call C alone"}, {0, "JC 9C 10C KC 9H", "9S", "call C alone"},
        {3, "JC 9C 10C AH 9H", "9S", "call C"},
    };
    second_round(choices, sizeof choices / sizeof choices[0], "");
}

/* WD-12, WD-70: stuck, the most cards; then bowers, then the highest. */
UNIT_TEST(WD_12_WD_70_a_stuck_dealer_names_the_best_of_weak_suits) {
    static const struct choice choices[] = {
        {0, "AH KH JC 9C 10D", "9S", "call C"}, /* bowers preferred */
        {0, "9H 10H QH JC 9C", "9S", "call H"}, /* but more cards go first */
        {0, "KH QH 9C 10C 9D", "9S", "call H"}, /* the highest cards */
        {0, "10H 9H KC QC 9D", "9S", "call C"},
        {0, "KH 9D 10D 9C 10S", "9S", "call D"}, /* the most cards */
        {0, "10S JS QS KS AS", "9S", "call C"},  /* JS is all there is besides */
    };
    second_round(choices, sizeof choices / sizeof choices[0], "");
    first_round(&(struct choice){0, "KH QH 9C 10C 9D", "9S", "pass"}, 1, "");
    second_round(&(struct choice){0, "KH QH 9C 10C 9D", "9S", "pass"}, 1, "stickTheDealer=no");
}

/* WD-12: whatever is dealt, a stuck bot names a suit that it may name. */
UNIT_TEST(WD_12_a_stuck_bot_always_names_a_valid_suit) {
    struct chance chance;
    chance_start_number(&chance, 12, 0);
    for (int i = 0; i < 1000; i++) {
        struct table table;
        struct move move;
        table_start(&table, &whos_deal_game, "", 4);
        assert_true(game_deal_chance(&whos_deal_game, &table.state, &chance, NULL, NULL));
        table_play(&table, PASS_ROUND "1 pass\n2 pass\n3 pass");
        for (int level = 0; level < BOT_LEVELS; level++) {
            bot_choose_within(&whos_deal_game, &table.state, 0, (enum bot_level)level,
                              &(struct bot_budget){.worlds = 1}, &chance, &move);
            assert_int_equal(move.verb, WHOS_DEAL_CALL);
            assert_true(game_check(&whos_deal_game, &table.state, 0, &move, NULL));
        }
    }
}

/* ---- The discard ---- */

static void discards(const char *hand, const char *upcard, const char *options,
                     const char *expected) {
    struct table table;
    deal_hand(&table, options, 0, hand, upcard);
    table_play(&table, "1 order");
    says(&table, 0, expected);
}

/* WD-75, WD-C20 */
UNIT_TEST(WD_75_WD_C20_the_lowest_card_that_is_no_trump_goes) {
    discards("9H KH QD AS 10S", "QS", "", "discard 9H");
    discards("10H KH 9D AS 10S", "QS", "", "discard 9D");
    discards("9H KH 9D AS 10S", "QS", "", "discard 9D"); /* alike: from the shorter suit */
    discards("9H KH 9D KD AS", "QS", "", "discard 9H");  /* alike: the first suit */
    discards("JC AH KD 9S 10S", "QS", "", "discard KD"); /* the left bower is a trump */
    discards("JC AC KD 9S 10S", "QS", "", "discard KD");
    discards("JS AS 9S 10S AH", "QS", "", "discard AH"); /* even an ace before a trump */
    discards("JD AD KH 9H 10H", "QH", "", "discard AD");
    discards("JH AH KD 9S 10D", "QD", "", "discard 9S");
}

/* WD-75, WD-C21 */
UNIT_TEST(WD_75_WD_C21_of_trumps_only_the_lowest_goes) {
    discards("JS JC AS KS 10S", "9S", "", "discard 9S");
    discards("JS JC AS KS 9S", "10S", "", "discard 9S");
    discards("JC AS KS QS 10S", "JS", "", "discard 10S");
    discards("JS JC AS KS 10S", "9S", "dealerMayDiscardUpcard=no", "discard 10S");
    discards("9H JS JC AS KS", "9S", "dealerMayDiscardUpcard=no", "discard 9H");
}

/* WD-75, WD-C21: over all kinds of hands, and a trump only if there is nothing else. */
UNIT_TEST(WD_75_WD_C21_never_a_bower) {
    struct chance chance;
    chance_start_number(&chance, 75, 0);
    for (int i = 0; i < 5000; i++) {
        struct table table;
        struct move move;
        table_start(&table, &whos_deal_game, "", 4);
        assert_true(game_deal_chance(&whos_deal_game, &table.state, &chance, NULL, NULL));
        table_play(&table, "1 order");
        int trump = look(&table)->trump;
        uint32_t hand = look(&table)->hand[0];
        bot_choose(&whos_deal_game, &table.state, 0, BOT_MEDIUM, &chance, &move);
        assert_int_equal(move.verb, WHOS_DEAL_DISCARD);
        assert_int_not_equal(move.args[0], whos_deal_right_bower(trump));
        assert_int_not_equal(move.args[0], whos_deal_left_bower(trump));
        if (whos_deal_effective_suit(move.args[0], trump) == trump)
            assert_int_equal(hand & ~whos_deal_suit_cards(trump, trump), 0);
    }
}

/* ---- Playing ---- */

/* Seat 1 orders spades up and leads. */
static void leads(const char *hand, const char *upcard, const char *expected) {
    struct table table;
    deal_hand(&table, "", 1, hand, upcard);
    table_play(&table, "1 order");
    char line[32];
    snprintf(line, sizeof line, "0 discard %s", upcard);
    table_play(&table, line);
    says(&table, 1, expected);
}

/* WD-72, WD-C20 */
UNIT_TEST(WD_72_leads_right_bower_ace_highest_trump_or_lowest) {
    leads("JS 9S AH KD 9C", "QS", "play JS"); /* the right bower first */
    leads("JC KS AH KD 9C", "QS", "play AH"); /* then an off-suit ace */
    leads("AH KH AD 9S 9C", "QS", "play AD"); /* of two, the one from the shorter suit */
    leads("AH AD KC 9S 9C", "QS", "play AH"); /* or the first suit */
    leads("AS 9S KH KD 9C", "QS", "play AS"); /* then the highest of two trumps */
    leads("JC 9S KH QD 10D", "QS", "play JC");
    leads("JC AS KH QD 10D", "QS", "play JC");
    leads("KS 9S KH QD 10D", "QS", "play KS");
    leads("AS KH QD 9C 10C", "QS", "play 9C"); /* one trump: the lowest card */
    leads("9S KH QD 10D 10H", "QS", "play 10H");
    leads("9S KH KC QH 10D", "QS", "play 10D");
    leads("JD 9H AC KS 9S", "QH", "play AC");
    leads("JH 9H AC KS 9S", "QH", "play JH");
}

/* A trick that others have begun, and what the bot adds to it. */
struct follow {
    const char *hands[4];
    const char *plays;
    int seat;
    const char *expected;
};

/* Spades were turned with the queen and ordered up by seat 1; the dealer discarded it again. */
static void follows(const struct follow *tricks, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct table table;
        deal_hands(&table, "", tricks[i].hands, "QS");
        table_play(&table, "1 order\n0 discard QS");
        table_play(&table, tricks[i].plays);
        says(&table, tricks[i].seat, tricks[i].expected);
    }
}

/* WD-73 */
UNIT_TEST(WD_73_following_as_cheaply_as_it_wins) {
    static const struct follow tricks[] = {
        /* The partner, who called, is winning: lowest. */
        {{NULL, "KH 9D 10D 9C 10C", "9H QC KC AC AD", "AH 10H QD KD JD"},
         "1 play KH\n2 play 9H",
         3,
         "play 10H"},
        /* The lowest of several that win. */
        {{NULL, "10H 9D 10D 9C 10C", "9H JH QH AH AD", NULL}, "1 play 10H", 2, "play JH"},
        /* Only one wins. */
        {{NULL, "10H 9D 10D 9C 10C", "KH QC KC AC AD", "9H QH AH QD KD"},
         "1 play 10H\n2 play KH",
         3,
         "play AH"},
        /* None wins: the lowest. */
        {{NULL, "AH 9D 10D 9C 10C", "JH QH KC AC AD", NULL}, "1 play AH", 2, "play JH"},
        /* Somebody has trumped: following suit cannot win. */
        {{NULL, "10H 9D 10D 9C 10C", "9S QC KC AC AD", "9H AH KH QD KD"},
         "1 play 10H\n2 play 9S",
         3,
         "play 9H"},
        /* The dealer is last, a defender, and partner of seat 2. */
        {{"9H AH KC AC AD", "10H 9D 10D 9C 10C", "KH QC QD KD JD", "QH JH 9S 10S KS"},
         "1 play 10H\n2 play KH\n3 play QH",
         0,
         "play 9H"},
        {{"9H AH KC AC AD", "10H 9D 10D 9C 10C", "JH QC QD KD JD", "QH KH 9S 10S KS"},
         "1 play 10H\n2 play JH\n3 play QH",
         0,
         "play AH"},
        /* A trump led: the lowest trump that wins, the left bower among them. */
        {{NULL, "KS 9D 10D 9C 10C", "9S JC AS AC AD", NULL}, "1 play KS", 2, "play AS"},
        {{NULL, "AS 9D 10D 9C 10C", "9S JC JS AC AD", NULL}, "1 play AS", 2, "play JC"},
    };
    follows(tricks, sizeof tricks / sizeof tricks[0]);
}

/* WD-74, WD-C19, WD-C20 */
UNIT_TEST(WD_74_WD_C19_trumping_as_cheaply_as_it_wins) {
    static const struct follow tricks[] = {
        /* The lowest trump, even on an ace. */
        {{NULL, "AH 9D 10D 9H 10C", "9S KS AS 9C AD", NULL}, "1 play AH", 2, "play 9S"},
        /* The lowest trump above the one that lies there. */
        {{NULL, "AH 9D 10D 9H 10C", "10S KC QC AC AD", "9S KS AS 9C QD"},
         "1 play AH\n2 play 10S",
         3,
         "play KS"},
        /* No higher one: the lowest off-suit card. */
        {{NULL, "AH 10D JD 9H 10C", "10S KC QC AC AD", "9S KD QD 9C 9D"},
         "1 play AH\n2 play 10S",
         3,
         "play 9C"},
        /* The partner, who called, is winning: the lowest off-suit card. */
        {{NULL, "AH 9D 10D 10H 10C", "9H KC QC AC AD", "9S KS KD 9C QD"},
         "1 play AH\n2 play 9H",
         3,
         "play 9C"},
        /* The partner is winning and there are only trumps: the lowest. */
        {{NULL, "AH 9D 10D 10H 10C", "9H KC QC AC AD", "JS JC KS AS 10S"},
         "1 play AH\n2 play 9H",
         3,
         "play 10S"},
        /* No trump at all: the lowest, from the shorter suit. */
        {{NULL, "AH 9H 10H QH KH", "10D KD 10C AC AD", NULL}, "1 play AH", 2, "play 10C"},
        {{NULL, "AH 9H 10H QH KH", "10D KD 10C AC JD", NULL}, "1 play AH", 2, "play 10C"},
    };
    follows(tricks, sizeof tricks / sizeof tricks[0]);
}

/* WD-74, WD-C20: equal ranks from suits of equal length go by the order of suits. */
UNIT_TEST(WD_C20_ties_are_broken_by_the_shortest_suit_and_then_by_suit) {
    static const struct follow tricks[] = {
        {{NULL, "AH 9H 10H QH KH", "JD 10D KD 10C AC", "9S 10S KS AS JS"},
         "1 play AH",
         2,
         "play 10C"},
        {{"QD KD AD 9C JH", "AH 9H 10H QH KH", "10D JD 10C QC JC", "9S 10S KS AS JS"},
         "1 play AH",
         2,
         "play JC"}, /* JC is the left bower and wins */
        {{"JC KD AD 9C JH", "AH 9H 10H QH KH", "10D JD 10C QC 9D", "9S 10S KS AS JS"},
         "1 play AH",
         2,
         "play 9D"},
        {{"JC KD AD 9C JH", "AH 9H 10H QH KH", "10D JD 10C QC KC", "9S 10S KS AS JS"},
         "1 play AH",
         2,
         "play 10D"}, /* two diamonds, three clubs */
    };
    follows(tricks, sizeof tricks / sizeof tricks[0]);
}

/* Against a loner: the right bower and three trumps stand alone. */
UNIT_TEST(defend_alone_needs_the_right_bower_and_three_trumps) {
    static const struct choice choices[] = {
        {2, "JS 9S 10S 9H 9D", "QS", "defend alone"},
        {2, "JS JC 9S 9H 9D", "QS", "defend alone"},
        {2, "JS 9S KH 9H 9D", "QS", "pass"},
        {2, "JC 9S 10S KS AS", "QS", "pass"},
    };
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        struct table table;
        deal_hand(&table, "defendAlone=yes", 2, choices[i].hand, choices[i].upcard);
        table_play(&table, "1 order alone\n0 discard QS");
        says(&table, 2, choices[i].expected);
    }
}

/* ---- The beginner ---- */

/* What easy does with a hand once these moves have been made. */
static void beginner(int seat, const char *hand, const char *upcard, const char *moves,
                     const char *expected) {
    struct table table;
    deal_hand(&table, "defendAlone=yes", seat, hand, upcard);
    table_play(&table, moves);
    assert_string_equal(bot_says(&table, seat, BOT_EASY), expected);
}

UNIT_TEST(easy_calls_three_of_a_suit_or_its_jack_and_another) {
    beginner(1, "9S 10S KS 9H 9D", "QS", "", "order");
    beginner(1, "JS 9S KH 9H 9D", "QS", "", "order");
    beginner(1, "JS KH 9H 9D 9C", "QS", "", "pass");
    beginner(1, "AS KS KH 9H 9D", "QS", "", "pass");
    beginner(1, "JC 9S 10S 9H 9D", "QS", "", "pass"); /* the left bower is overlooked */
    beginner(1, "JS JC AS KS AH", "QS", "", "order"); /* and never alone */
    beginner(0, "9S 10S 9H KH 9D", "QS", "1 pass\n2 pass\n3 pass", "order"); /* with the queen */
    beginner(0, "9S 10H 9H KH 9D", "QS", "1 pass\n2 pass\n3 pass", "pass");
    beginner(1, "9H 10H KH 9D 9C", "QS", PASS_ROUND, "call H");
    beginner(1, "JC AC KC QC AH", "QS", PASS_ROUND, "call C");
    beginner(1, "JD 9H KH 9D 9C", "QS", PASS_ROUND, "call D");
    beginner(1, "10S JS KS AS 9C", "QS", PASS_ROUND, "pass");
    beginner(0, "9H KH 9D 10C 9C", "QS", PASS_ROUND "1 pass\n2 pass\n3 pass", "call H");
    beginner(0, "9H JS 9D 10C 9C", "QS", PASS_ROUND "1 pass\n2 pass\n3 pass", "call C");
}

UNIT_TEST(easy_discards_its_lowest_plain_card_and_does_not_defend_alone) {
    beginner(0, "JC AH KD 9S 10S", "QS", "1 order", "discard KD");
    beginner(2, "JS JC AS 9H 9D", "QS", "1 order alone\n0 discard QS", "pass");
}

UNIT_TEST(easy_leads_its_lowest_card) {
    beginner(1, "JS 9S AH KH 10D", "QS", "1 order\n0 discard QS", "play 10D");
    beginner(1, "JC JS 10S KS AS", "QS", "1 order\n0 discard QS", "play 10S"); /* only trumps */
}

UNIT_TEST(easy_takes_with_its_highest_what_is_not_its_partners) {
    static const struct follow tricks[] = {
        {{NULL, "10H 9D 10D 9C 10C", "9H JH QH AH AD", NULL}, "1 play 10H", 2, "play AH"},
        {{NULL, "AH 9D 10D 9C 10C", "JH QH KC AC AD", NULL}, "1 play AH", 2, "play JH"},
        {{NULL, "AH 9D 10D 9H 10C", "9S KS AS 9C AD", NULL}, "1 play AH", 2, "play AS"},
        /* The partner is winning: the lowest, and no trump. */
        {{NULL, "KH 9D 10D 9C 10C", "9H QC KC AC AD", "AH 10H QD KD JD"},
         "1 play KH\n2 play 9H",
         3,
         "play 10H"},
        {{NULL, "AH 9D 10D 10H 10C", "9H KC QC AC AD", "9S KS KD 9C QD"},
         "1 play AH\n2 play 9H",
         3,
         "play 9C"},
    };
    for (size_t i = 0; i < sizeof tricks / sizeof tricks[0]; i++) {
        struct table table;
        deal_hands(&table, "", tricks[i].hands, "QS");
        table_play(&table, "1 order\n0 discard QS");
        table_play(&table, tricks[i].plays);
        assert_string_equal(bot_says(&table, tricks[i].seat, BOT_EASY), tricks[i].expected);
    }
}

/* ---- What hard and expert remember ---- */

/* Seat 1 has named spades in the second round and leads to the fourth trick after these plays. */
static void thinkers_lead(struct table *table, const char *const hands[4], const char *upcard,
                          const char *plays, const char *expected) {
    deal_hands(table, "", hands, upcard);
    table_play(table, PASS_ROUND "1 call spades");
    table_play(table, plays);
    assert_string_equal(bot_says(table, 1, BOT_HARD), expected);
    assert_string_equal(bot_says(table, 1, BOT_EXPERT), expected);
}

/* So do the habits by which hard and expert play worlds to their end. */
static void habit_leads(const struct table *table, const char *expected) {
    char words[MOVE_TEXT_SIZE];
    struct text text = text_in(words, sizeof words);
    struct move move;
    whos_deal_follow_habits(look(table), 1, &move);
    game_print(table->game, &move, &text);
    assert_string_equal(words, expected);
}

/* WD-148: one trick is missing. The ten of hearts is sure to bring it because nobody followed to
 * the nine, though higher hearts are unseen; the king of diamonds may lose to the ace. */
UNIT_TEST(WD_148_thinkers_remember_who_has_none_of_a_suit) {
    static const char *const hands[4] = {"AS KS 9D AD KC", "9S JS 9H 10H KD", "10S JC 10D 9C 10C",
                                         "QS JD QD QC AC"};
    struct table table;
    thinkers_lead(&table, hands, "AH",
                  "1 play 9S\n2 play 10S\n3 play QS\n0 play AS\n"
                  "0 play KS\n1 play JS\n2 play JC\n3 play JD\n"
                  "1 play 9H\n2 play 10D\n3 play QD\n0 play 9D",
                  "play 10H");
}

/* WD-149: two tricks are missing, one trump is out. If it is the queen, the king takes it away
 * before the ace of hearts is led; if it is the ace, the king would lose to it. */
UNIT_TEST(WD_149_thinkers_count_trumps) {
    static const char *const queen_out[4] = {"JS 9D QC QS JH", "9S KS AH 10D AC", "AS JC KC KH QH",
                                             "10S QD 10C KD 10H"};
    static const char *const ace_out[4] = {"JS 9D QC AS JH", "9S KS AH 10D AC", "QS JC KC KH QH",
                                           "10S QD 10C KD 10H"};
    struct table table;
    thinkers_lead(&table, queen_out, "9H",
                  "1 play 9S\n2 play AS\n3 play 10S\n0 play JS\n"
                  "0 play 9D\n1 play 10D\n2 play JC\n3 play QD\n"
                  "2 play KC\n3 play 10C\n0 play QC\n1 play AC",
                  "play KS");
    habit_leads(&table, "play KS");
    thinkers_lead(&table, ace_out, "9H",
                  "1 play 9S\n2 play QS\n3 play 10S\n0 play JS\n"
                  "0 play 9D\n1 play 10D\n2 play JC\n3 play QD\n"
                  "2 play KC\n3 play 10C\n0 play QC\n1 play AC",
                  "play AH");
    habit_leads(&table, "play AH");
}

/* ---- Whole games ---- */

/* Returns the team that won; adds what happened to the table's figures. Who searches looks at so
 * many worlds, or with 0 at as many as usual. */
static int play_game(const char *options, const enum bot_level levels[4], uint32_t worlds,
                     uint64_t number, int32_t figures[GAME_FIGURES_MAX]) {
    struct table table;
    struct chance chance;
    uint32_t awaited;
    int moves = 0;
    table_start(&table, &whos_deal_game, options, 4);
    chance_start_number(&chance, number, 7);
    for (; (awaited = game_to_act(&whos_deal_game, &table.state)) != 0; moves++) {
        struct move move;
        struct refusal why = {0};
        if ((awaited & AWAITS_NATURE) != 0) {
            assert_true(game_deal_chance(&whos_deal_game, &table.state, &chance, NULL, NULL));
            continue;
        }
        int seat = __builtin_ctz(awaited);
        bot_choose_within(&whos_deal_game, &table.state, seat, levels[seat],
                          &(struct bot_budget){.worlds = worlds}, &chance, &move);
        if (!game_play(&whos_deal_game, &table.state, seat, &move, NULL, &why))
            fail_msg("game %d: %s", (int)number, why.text);
        if (game_round_has_ended(&whos_deal_game, &table.state))
            game_count(&whos_deal_game, &table.state, SPECTATOR, figures);
        assert_true(moves < 100000);
    }
    return look(&table)->score[1] > look(&table)->score[0];
}

/* WD-134: 500 games of each kind end without a move that is refused. */
UNIT_TEST(WD_134_bots_play_whole_games) {
    static const enum bot_level kinds[][4] = {
        {BOT_HARD, BOT_HARD, BOT_HARD, BOT_HARD},
        {BOT_MEDIUM, BOT_MEDIUM, BOT_MEDIUM, BOT_MEDIUM},
        {BOT_EASY, BOT_EASY, BOT_EASY, BOT_EASY},
        {BOT_EXPERT, BOT_EASY, BOT_MEDIUM, BOT_HARD},
    };
    static const char *const rules[] = {
        "",
        "targetScore=5 stickTheDealer=no farmersHand=yes",
        "targetScore=11 defendAlone=yes lonerLead=left-of-dealer",
        "targetScore=7 canadianLoner=yes dealerMayDiscardUpcard=no",
    };
    int32_t figures[GAME_FIGURES_MAX] = {0};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (uint64_t number = 0; number < 500; number++)
            play_game(rules[number % 4], kinds[i], 1, number, figures);
}

/* How many games the first level wins, half of them as the team that deals first. */
static int count_won(enum bot_level first, enum bot_level second, uint64_t games) {
    int won = 0;
    int32_t figures[GAME_FIGURES_MAX] = {0};
    for (uint64_t number = 0; number < games / 2; number++) {
        won += play_game("", (enum bot_level[]){second, first, second, first}, 0, number, figures);
        won += !play_game("", (enum bot_level[]){first, second, first, second}, 0, number, figures);
    }
    return won;
}

/* WD-134, WD-C27: no level is weaker than the one below it. Easy does win games: one that plays at
 * random wins less than one in a hundred. The games are always the same ones. */
UNIT_TEST(WD_134_WD_C27_levels_are_levels) {
    assert_in_range(count_won(BOT_MEDIUM, BOT_EASY, 2000), 1320, 1520);
    assert_true(count_won(BOT_HARD, BOT_MEDIUM, 200) >= 124);
    assert_true(count_won(BOT_EXPERT, BOT_HARD, 40) >= 22);
}

/* WD-71, WD-C27: how often each level goes alone and how often callers are euchred, per 1000 deals.
 * Medium goes alone on one deal in ten, hard on one in six, a beginner never. */
UNIT_TEST(WD_C27_no_level_calls_at_random) {
    static const int alone[][2] = {{0, 0}, {90, 110}, {20, 200}};
    static const uint64_t games[] = {1000, 1000, 50};
    for (int level = BOT_EASY; level <= BOT_HARD; level++) {
        enum bot_level seat = (enum bot_level)level;
        int32_t figures[GAME_FIGURES_MAX] = {0};
        for (uint64_t number = 0; number < games[level]; number++)
            play_game("", (enum bot_level[]){seat, seat, seat, seat}, 0, number, figures);
        assert_in_range(1000 * figures[WHOS_DEAL_LONERS] / figures[WHOS_DEAL_DEALS],
                        alone[level][0], alone[level][1]);
        assert_in_range(1000 * figures[WHOS_DEAL_EUCHRES] / figures[WHOS_DEAL_DEALS], 200, 300);
    }
}

/* Who calls by weights: ten for each trump, two for a plain ace, one for a void; 22 to order at any
 * place and 30 to name a suit, 42 to go alone. */
static void calls_by_weights_say(int seat, const char *hand, const char *upcard, bool second,
                                 const char *expected) {
    static const int8_t weights[WHOS_DEAL_CALL_WEIGHTS] = {
        10, 10, 10, 10, 10, 10, 10, 2, 1, 9, 5, 0, 0, 0, 22, 22, 22, 22, 30, 30, 30, 30, 42};
    char words[MOVE_TEXT_SIZE];
    struct table table;
    struct move move;
    struct text text;
    deal_hand(&table, "", seat, hand, upcard);
    if (second)
        table_play(&table, PASS_ROUND);
    pass_until(&table, seat);
    whos_deal_call_by(weights, look(&table), seat, &move);
    text_begin(&text, words, sizeof words);
    game_print(&whos_deal_game, &move, &text);
    assert_string_equal(words, expected);
}

UNIT_TEST(weights_decide_calls) {
    calls_by_weights_say(1, "AS KS AH 9D 10C", "QS", false, "order"); /* 22 */
    calls_by_weights_say(1, "AS KS KH 9D 10C", "QS", false, "pass");  /* 20 */
    calls_by_weights_say(1, "AS KS KH 9D 10D", "QS", false, "pass");  /* 21, with a void */
    calls_by_weights_say(1, "AS KS AH 9D 10C", "JS", false, "pass");  /* the right goes there */
    calls_by_weights_say(2, "AS KS KH 9D 10C", "JS", false, "order"); /* the partner gets it */
    calls_by_weights_say(0, "AS KS KH 9D 10D", "QS", false, "order"); /* the dealer has three */
    calls_by_weights_say(1, "JS AS KS QS AH", "9S", false, "order alone"); /* 44 */
    calls_by_weights_say(1, "JH AH KH 9D 10S", "QC", true, "call H");      /* 30, and a void */
    calls_by_weights_say(1, "AH KH 9D 10S QS", "QC", true, "pass");
    calls_by_weights_say(1, "AS KS AH 9D AD", "QC", true, "call S"); /* next: five more */
}
