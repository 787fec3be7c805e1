/* Samples of Who's Deal?: what a bot imagines must be possible, equally likely, and no more than
 * its seat may know.
 *
 * Possible means: deal the imagined cards anew, make the same public moves, and the rules accept
 * every one of them. Equally likely is checked on late positions, where all possible deals can be
 * counted: the test tries every way to spread the unseen cards and keeps those that replay. Seeds
 * are fixed, so every run draws the same samples. */
#include "games/whos_deal/whos_deal.h"
#include "tests/support.h"

#define PASS_ROUND "1 pass\n2 pass\n3 pass\n0 pass\n"

/* Places 0 to 3 are the hands. */
enum { HISTORY_MAX = 64, PLACE_KITTY = 4, PLACE_DISCARD = 5, PLACES = 6 };

/* A deal as somebody may imagine it. */
struct imagined {
    uint32_t hand[4]; /* as dealt, before picking up */
    uint32_t kitty;   /* without the turned card */
    int discard;      /* or -1 */
};

/* The moves since the last deal, by seat. */
struct history {
    int count;
    int seat[HISTORY_MAX];
    struct move move[HISTORY_MAX];
};

static const struct whos_deal *look(const struct game_state *state) {
    return (const void *)state->bytes;
}

static uint32_t bit(int card) {
    return (uint32_t)1 << card;
}

static int count(uint32_t cards) {
    return __builtin_popcount(cards);
}

/* ---- Replaying ---- */

/* A fresh table with the same rules whose next dealer is that of the position. */
static void start_like(const struct game_state *position, struct game_state *out) {
    struct whos_deal fresh;
    memset(&fresh, 0, sizeof fresh);
    const struct whos_deal *from = look(position);
    fresh.head = from->head;
    fresh.dealer = from->dealer;
    fresh.target = from->target;
    fresh.stick_the_dealer = from->stick_the_dealer;
    fresh.loner_lead = from->loner_lead;
    fresh.dealer_may_discard_upcard = from->dealer_may_discard_upcard;
    fresh.canadian_loner = from->canadian_loner;
    fresh.defend_alone = from->defend_alone;
    fresh.farmers_hand = from->farmers_hand;
    memcpy(out->bytes, &fresh, sizeof fresh);
}

/* Puts a hand or the kitty at its places in the deck; the kitty begins with the turned card. */
static void lay_group(const struct deal *deal, int group, uint32_t cards, uint16_t *deck) {
    int at = 0;
    for (int i = 0; i < deal->part_count; i++) {
        for (int j = 0; j < deal->parts[i].count; j++, at++) {
            if (deal->parts[i].group != group || cards == 0)
                continue;
            deck[at] = (uint16_t)__builtin_ctz(cards);
            cards &= cards - 1;
        }
    }
    assert_int_equal(cards, 0);
}

static void deal_imagined(struct game_state *state, const struct imagined *deal, int upcard) {
    struct deal shape;
    uint16_t deck[WHOS_DEAL_CARDS] = {0};
    memset(&shape, 0, sizeof shape);
    whos_deal_game.deck(state->bytes, &shape);
    for (int seat = 0; seat < 4; seat++)
        lay_group(&shape, seat, deal->hand[seat], deck);
    uint32_t rest = deal->kitty;
    deck[20] = (uint16_t)upcard;
    for (int i = 21; i < 24; i++, rest &= rest - 1)
        deck[i] = (uint16_t)__builtin_ctz(rest | 1u << 31);
    struct refusal why;
    if (!game_deal_cards(&whos_deal_game, state, deck, 24, NULL, &why))
        fail_msg("the imagined deal was refused: %s", why.text);
}

/* Do the rules accept the whole history with these cards? The end is left in `out`. */
static bool replays(const struct game_state *position, const struct history *history,
                    const struct imagined *deal, struct game_state *out) {
    start_like(position, out);
    deal_imagined(out, deal, look(position)->upcard);
    for (int i = 0; i < history->count; i++) {
        struct move move = history->move[i];
        if (move.verb == WHOS_DEAL_DISCARD)
            move.args[0] = (uint8_t)deal->discard;
        if (!game_play(&whos_deal_game, out, history->seat[i], &move, NULL, NULL))
            return false;
    }
    return true;
}

/* Whose cards were played, from the history. */
static void add_played(const struct history *history, uint32_t hand[4]) {
    for (int i = 0; i < history->count; i++)
        if (history->move[i].verb == WHOS_DEAL_PLAY)
            hand[history->seat[i]] |= bit(history->move[i].args[0]);
}

/* The deal that a full state came from. */
static void unplay(const struct game_state *state, const struct history *history,
                   struct imagined *out) {
    const struct whos_deal *game = look(state);
    memcpy(out->hand, game->hand, sizeof out->hand);
    add_played(history, out->hand);
    out->kitty = game->kitty_cards;
    out->discard = -1;
    if (game->picked_up) {
        if (game->discarded) {
            out->discard = game->kitty[3];
            out->hand[game->dealer] |= bit(out->discard);
            out->kitty ^= bit(out->discard);
        }
        out->hand[game->dealer] ^= bit(game->upcard);
    } else {
        out->kitty ^= bit(game->upcard);
    }
}

/* ---- The law ---- */

/* Whoever looks at the imagined state sees what was seen, byte for byte. */
static void looks_the_same(const struct game_state *seen, const struct game_state *sampled,
                           int viewer) {
    struct game_state again;
    game_observe(&whos_deal_game, sampled, viewer, &again);
    assert_memory_equal(again.bytes, seen->bytes, sizeof(struct whos_deal));
}

static void sample_is_possible(const struct game_state *position, const struct history *history,
                               int viewer, struct chance *chance) {
    struct game_state seen, sampled, end;
    struct imagined deal;
    game_observe(&whos_deal_game, position, viewer, &seen);
    game_sample(&whos_deal_game, &seen, viewer, chance, &sampled);
    looks_the_same(&seen, &sampled, viewer);
    unplay(&sampled, history, &deal);
    assert_true(replays(position, history, &deal, &end));
    assert_int_equal(look(&end)->phase, look(position)->phase);
    assert_int_equal(look(&end)->turn, look(position)->turn);
    for (int seat = 0; seat < 4; seat++) {
        assert_int_equal(look(&end)->hand[seat], look(&sampled)->hand[seat]);
        assert_int_equal(count(look(&sampled)->hand[seat]), count(look(position)->hand[seat]));
    }
    assert_int_equal(look(&end)->kitty_cards, look(&sampled)->kitty_cards);
    assert_int_equal(look(&sampled)->kitty_count, look(position)->kitty_count);
}

/* A random legal move, kept in the history. */
static void random_move(struct game_state *state, struct history *history, struct chance *chance) {
    int at = history->count++;
    assert_true(history->count < HISTORY_MAX);
    history->seat[at] = step_at_random(&whos_deal_game, state, chance, &history->move[at]);
}

static int sample_games(const char *options, uint64_t number, int deals) {
    struct table table;
    struct chance chance;
    struct history history = {0};
    int samples = 0;
    chance_start_number(&chance, number, 0);
    table_start(&table, &whos_deal_game, options, 4);
    for (uint32_t awaited; deals > 0;) {
        awaited = game_to_act(&whos_deal_game, &table.state);
        if (awaited == 0)
            table_play(&table, "0 again");
        else if ((awaited & AWAITS_NATURE) != 0) {
            assert_true(game_deal_chance(&whos_deal_game, &table.state, &chance, NULL, NULL));
            history.count = 0;
            deals--;
        } else {
            for (int viewer = SPECTATOR; viewer < 4; viewer++, samples++)
                sample_is_possible(&table.state, &history, viewer, &chance);
            random_move(&table.state, &history, &chance);
        }
    }
    return samples;
}

/* WD-24, WD-35, WD-81: no sample contradicts what everybody has seen. */
UNIT_TEST(WD_35_every_sample_replays_the_whole_public_history) {
    static const char *const rules[] = {
        "",
        "dealerMayDiscardUpcard=no",
        "defendAlone=yes lonerLead=left-of-dealer",
        "stickTheDealer=no canadianLoner=yes farmersHand=yes",
    };
    int samples = 0;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        samples += sample_games(rules[i], i, 150);
    assert_true(samples >= 40000);
}

/* Samples exist between deals as well: before the first and after each. */
TABLE_TEST(WD_35_samples_are_possible_between_deals) {
    struct game_state seen, sampled;
    struct chance chance;
    chance_start_number(&chance, 1, 1);
    table_start(table, &whos_deal_game, "stickTheDealer=no", 4);
    for (int deals = 0; deals < 40; deals++) {
        for (int viewer = SPECTATOR; viewer < 4; viewer++) {
            game_observe(&whos_deal_game, &table->state, viewer, &seen);
            game_sample(&whos_deal_game, &seen, viewer, &chance, &sampled);
            looks_the_same(&seen, &sampled, viewer);
        }
        struct history history = {0};
        if (game_to_act(&whos_deal_game, &table->state) == 0)
            table_play(table, "0 again");
        assert_true(game_deal_chance(&whos_deal_game, &table->state, &chance, NULL, NULL));
        while ((game_to_act(&whos_deal_game, &table->state) & 15) != 0)
            random_move(&table->state, &history, &chance);
    }
}

/* ---- Equally likely ---- */

enum { WORLDS_MAX = 60000, UNSEEN_MAX = 21, SAMPLES = 200000 };

/* All ways to spread the unseen cards that the history allows. A world is written with three bits
 * for the place of each unseen card, the first card highest. */
struct worlds {
    struct game_state position;
    struct history history;
    int viewer;
    int unseen[UNSEEN_MAX];
    int unseen_count;
    int room[PLACES];
    struct imagined deal;
    int world_count;
    uint64_t world[WORLDS_MAX];
    int found[WORLDS_MAX];
};

static struct worlds worlds;

/* Plays the lines and keeps the moves. */
static void set_up(const char *options, const char *deal, const char *lines) {
    struct table table;
    memset(&worlds, 0, sizeof worlds);
    table_start(&table, &whos_deal_game, options, 4);
    table_play(&table, deal);
    while (*lines) {
        struct move move;
        char line[64];
        size_t length = strcspn(lines, "\n");
        int seat = lines[0] - '0', at = worlds.history.count++;
        snprintf(line, sizeof line, "%.*s", (int)length - 2, lines + 2);
        assert_true(game_parse(&whos_deal_game, &table.state, span_of(line), &move, NULL));
        assert_true(game_play(&whos_deal_game, &table.state, seat, &move, NULL, NULL));
        worlds.history.seat[at] = seat;
        worlds.history.move[at] = move;
        lines += length + (lines[length] == '\n');
    }
    worlds.position = table.state;
}

static void put(struct imagined *deal, int place, int card) {
    int dealer = look(&worlds.position)->dealer;
    if (place < PLACE_KITTY)
        deal->hand[place] |= bit(card);
    else if (place == PLACE_KITTY)
        deal->kitty |= bit(card);
    else
        deal->discard = card, deal->hand[dealer] |= bit(card);
}

/* The dealer was dealt what is left without the turned card. */
static bool world_replays(const struct imagined *deal) {
    struct imagined dealt = *deal;
    struct game_state end;
    const struct whos_deal *game = look(&worlds.position);
    add_played(&worlds.history, dealt.hand);
    if (game->picked_up) {
        if ((dealt.hand[game->dealer] & bit(game->upcard)) == 0)
            return false;
        dealt.hand[game->dealer] ^= bit(game->upcard);
    }
    return replays(&worlds.position, &worlds.history, &dealt, &end);
}

static void spread(int next, const struct imagined *deal, int room[PLACES], uint64_t world) {
    if (next == worlds.unseen_count) {
        if (world_replays(deal)) {
            assert_true(worlds.world_count < WORLDS_MAX);
            worlds.world[worlds.world_count++] = world;
        }
        return;
    }
    for (int place = 0; place < PLACES; place++) {
        if (room[place] == 0)
            continue;
        struct imagined more = *deal;
        put(&more, place, worlds.unseen[next]);
        room[place]--;
        spread(next + 1, &more, room, world << 3 | (uint64_t)place);
        room[place]++;
    }
}

/* Counts the cards that the viewer does not see and finds all possible worlds. */
static void enumerate(int viewer) {
    const struct whos_deal *game = look(&worlds.position);
    uint32_t known = game->played_cards, played[4] = {0};
    bool knows_discard = viewer == game->dealer;
    worlds.viewer = viewer;
    worlds.deal.discard = -1;
    add_played(&worlds.history, played);
    for (int seat = 0; seat < 4; seat++)
        worlds.room[seat] = seat == viewer ? 0 : count(game->hand[seat]);
    if (viewer >= 0)
        worlds.deal.hand[viewer] = game->hand[viewer], known |= game->hand[viewer];
    if (!game->picked_up)
        known |= bit(game->upcard);
    worlds.room[PLACE_KITTY] = 3;
    if (game->discarded && knows_discard)
        put(&worlds.deal, PLACE_DISCARD, game->kitty[3]), known |= bit(game->kitty[3]);
    else
        worlds.room[PLACE_DISCARD] = game->discarded;
    for (int card = 0; card < WHOS_DEAL_CARDS; card++)
        if ((known & bit(card)) == 0)
            worlds.unseen[worlds.unseen_count++] = card;
    spread(0, &worlds.deal, worlds.room, 0);
}

static uint64_t world_of(const struct game_state *sampled) {
    const struct whos_deal *game = look(sampled);
    uint64_t world = 0;
    for (int i = 0; i < worlds.unseen_count; i++) {
        int place = PLACE_KITTY;
        for (int seat = 0; seat < 4; seat++)
            if ((game->hand[seat] & bit(worlds.unseen[i])) != 0)
                place = seat;
        if (game->discarded && game->kitty[3] == worlds.unseen[i])
            place = PLACE_DISCARD;
        world = world << 3 | (uint64_t)place;
    }
    return world;
}

/* Worlds were found in ascending order. */
static int find_world(uint64_t world) {
    int low = 0, high = worlds.world_count;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (worlds.world[middle] <= world)
            low = middle;
        else
            high = middle;
    }
    assert_true(worlds.world[low] == world);
    return low;
}

/* Chi-square within five standard deviations of what equally likely worlds give. */
static void chi_square_is_small(double chi_square, int freedom) {
    double off = chi_square - freedom;
    if (off * off > 25.0 * 2.0 * freedom)
        fail_msg("chi-square is %g with %d degrees of freedom", chi_square, freedom);
}

static void all_worlds_are_equally_likely(int viewer, int expected_worlds) {
    struct game_state seen, sampled;
    struct chance chance;
    enumerate(viewer);
    assert_int_equal(worlds.world_count, expected_worlds);
    chance_start_number(&chance, 2024, (uint64_t)(viewer + 1));
    game_observe(&whos_deal_game, &worlds.position, viewer, &seen);
    for (int i = 0; i < SAMPLES; i++) {
        game_sample(&whos_deal_game, &seen, viewer, &chance, &sampled);
        worlds.found[find_world(world_of(&sampled))]++;
    }
    double expected = (double)SAMPLES / worlds.world_count, sum = 0;
    for (int i = 0; i < worlds.world_count; i++)
        sum += (worlds.found[i] - expected) * (worlds.found[i] - expected) / expected;
    chi_square_is_small(sum, worlds.world_count - 1);
}

/* Seat 0 deals and turns the king of clubs. */
#define CARDS                                                                                      \
    "- deal 9S 10S QD KD AD / 9H 9D JC 9C 10C / JD QH AS KS 10D / JH AH QS JS QC / KC 10H KH AC"

/* Hearts are trump and two cards each are left; seat 0 is known to hold diamonds only, seat 1 has
 * no spades, seat 2 no clubs. */
#define VOIDS                                                                                      \
    PASS_ROUND "1 call H\n1 play 9H\n2 play QH\n3 play JH\n0 play 9S\n"                            \
               "3 play QC\n0 play 10S\n1 play 9C\n2 play JD\n2 play AS\n3 play JS\n0 play QD\n"    \
               "1 play 9D"

/* Clubs were ordered up and the king has not been seen since; one card each is left. */
#define PICKED_UP                                                                                  \
    "1 order\n0 discard 9S\n1 play 9D\n2 play 10D\n3 play QC\n0 play AD\n3 play QS\n0 play 10S\n"  \
    "1 play 9C\n2 play KS\n1 play 9H\n2 play QH\n3 play AH\n0 play QD\n3 play JH\n0 play KD"
#define ONE_LEFT PICKED_UP "\n1 play 10C\n2 play JD"

/* Seat 1 plays hearts alone, seat 3 sits out with five cards; one card each is left. */
#define LONER                                                                                      \
    PASS_ROUND "1 call H alone\n2 play JD\n0 play 9S\n1 play 9H\n2 play KS\n0 play 10S\n"          \
               "1 play 9D\n2 play 10D\n0 play QD\n1 play JC\n0 play KD\n1 play 9C\n2 play QH"

/* How many worlds each seat has to reckon with. */
static void worlds_by_seat(const char *options, const char *lines, const int ways[4]) {
    for (int viewer = 0; viewer < 4; viewer++) {
        set_up(options, CARDS, lines);
        all_worlds_are_equally_likely(viewer, ways[viewer]);
    }
}

/* WD-24: who did not follow suit has none of it. By hand, for seat 2: seat 0 has KD and AD; seat 1
 * has two of the other seven without QS, 15 ways, and seat 3 two of the remaining five, 10 ways. */
UNIT_TEST(WD_24_shown_voids_are_kept_and_all_else_is_equally_likely) {
    worlds_by_seat("", VOIDS, (const int[]){2010, 450, 150, 144});
}

/* WD-81, WD-C3, WD-C4: the picked-up card is in the dealer's hand or is the discard. */
UNIT_TEST(WD_81_a_hidden_discard_may_be_any_card_the_dealer_could_spare) {
    worlds_by_seat("", ONE_LEFT, (const int[]){36, 128, 96, 36});
}

/* The same where the turned card must be kept: now everybody knows that the dealer has it. */
UNIT_TEST(a_kept_upcard_is_in_the_dealers_hand) {
    worlds_by_seat("dealerMayDiscardUpcard=no", ONE_LEFT, (const int[]){36, 80, 60, 24});
}

/* WD-35: a spectator knows no hand at all. */
UNIT_TEST(WD_35_a_spectator_imagines_all_four_hands) {
    set_up("", CARDS, ONE_LEFT);
    all_worlds_are_equally_likely(SPECTATOR, 384);
    set_up("", CARDS, ONE_LEFT "\n1 play JC\n2 play AS");
    all_worlds_are_equally_likely(SPECTATOR, 32);
}

/* In the middle of a trick hands have different sizes. */
UNIT_TEST(samples_in_the_middle_of_a_trick_are_equally_likely) {
    set_up("", CARDS, PICKED_UP);
    all_worlds_are_equally_likely(1, 620);
    set_up("", CARDS, PICKED_UP);
    all_worlds_are_equally_likely(3, 1600);
}

/* WD-14: who sits out keeps five cards that nobody knows. */
UNIT_TEST(WD_14_the_cards_of_who_sits_out_are_equally_likely) {
    worlds_by_seat("", LONER, (const int[]){3528, 2744, 2184, 46});
}

/* Early on there are too many worlds to count, but each unseen card lies in each place as often as
 * that place has cards. The picked-up card is not among them: the dealer has it. */
static void places_fill_by_their_size(const char *lines, int viewer, const int room[5]) {
    enum { TRIES = 40000 };
    static int found[WHOS_DEAL_CARDS][5];
    struct game_state seen, sampled;
    struct chance chance;
    set_up("", CARDS, lines);
    memset(found, 0, sizeof found);
    chance_start_number(&chance, 77, (uint64_t)(viewer + 1));
    game_observe(&whos_deal_game, &worlds.position, viewer, &seen);
    for (int i = 0; i < TRIES; i++) {
        game_sample(&whos_deal_game, &seen, viewer, &chance, &sampled);
        for (int card = 0; card < WHOS_DEAL_CARDS; card++)
            for (int place = 0; place < 5; place++) {
                const struct whos_deal *game = look(&sampled);
                uint32_t cards = place < 4 ? game->hand[place] : game->kitty_cards;
                found[card][place] += (cards & bit(card)) != 0;
            }
    }
    int unseen = room[0] + room[1] + room[2] + room[3] + room[4];
    for (int card = 0; card < WHOS_DEAL_CARDS; card++) {
        double sum = 0;
        int places = 0;
        if ((viewer >= 0 && (look(&seen)->hand[viewer] & bit(card)) != 0) ||
            card == look(&seen)->upcard)
            continue;
        for (int place = 0; place < 5; place++) {
            double expected = (double)TRIES * room[place] / unseen;
            double off = found[card][place] - expected;
            assert_true(room[place] > 0 || found[card][place] == 0);
            sum += room[place] > 0 ? off * off / expected : 0;
            places += room[place] > 0;
        }
        chi_square_is_small(sum, places - 1);
    }
}

UNIT_TEST(WD_35_early_samples_fill_hands_and_kitty_evenly) {
    places_fill_by_their_size("1 pass", 1, (const int[]){5, 0, 5, 5, 3});
    places_fill_by_their_size("1 pass", SPECTATOR, (const int[]){5, 5, 5, 5, 3});
    places_fill_by_their_size("1 order", 1, (const int[]){5, 0, 5, 5, 3});
    places_fill_by_their_size("1 order", SPECTATOR, (const int[]){5, 5, 5, 5, 3});
    places_fill_by_their_size("1 order", 0, (const int[]){0, 5, 5, 5, 3});
}

/* ---- No more than the seat knows ---- */

/* WD-81: the dealer remembers the own discard; all others imagine several. */
UNIT_TEST(WD_81_only_the_dealer_knows_the_discard) {
    set_up("", CARDS, "1 order\n0 discard 9S\n1 play 9D");
    for (int viewer = SPECTATOR; viewer < 4; viewer++) {
        struct game_state seen, sampled;
        struct chance chance;
        uint32_t discards = 0;
        chance_start_number(&chance, 81, 0);
        game_observe(&whos_deal_game, &worlds.position, viewer, &seen);
        assert_int_equal(look(&seen)->kitty[3], viewer == 0 ? 0 : WHOS_DEAL_NONE);
        assert_int_equal(look(&seen)->kitty_cards, viewer == 0 ? 1 : 0);
        for (int i = 0; i < 2000; i++) {
            game_sample(&whos_deal_game, &seen, viewer, &chance, &sampled);
            discards |= bit(look(&sampled)->kitty[3]);
        }
        uint32_t own = viewer >= 0 ? look(&seen)->hand[viewer] : 0;
        uint32_t possible = WHOS_DEAL_ALL_CARDS & ~own & ~look(&seen)->played_cards;
        assert_int_equal(discards, viewer == 0 ? bit(0) : possible);
    }
}

/* WD-35: what is sampled depends on nothing but what is seen. */
UNIT_TEST(WD_35_the_same_view_gives_the_same_samples) {
    struct table one, two;
    table_start(&one, &whos_deal_game, "", 4);
    table_start(&two, &whos_deal_game, "", 4);
    table_play(&one, CARDS);
    table_play(&two, "- deal AC 10S QD KH JD / 9H 9D JC 9C 10C / AD QH JS KS 10H / JH AH QS AS QC "
                     "/ KC 10D KD 9S");
    struct game_state seen[2], sampled[2];
    struct chance chance[2];
    const struct game_state *states[] = {&one.state, &two.state};
    for (int i = 0; i < 2; i++) {
        chance_start_number(&chance[i], 35, 0);
        game_observe(&whos_deal_game, states[i], 1, &seen[i]);
        game_sample(&whos_deal_game, &seen[i], 1, &chance[i], &sampled[i]);
    }
    assert_memory_equal(sampled[0].bytes, sampled[1].bytes, sizeof(struct whos_deal));
}
