/* Who's Deal?, four-handed euchre after the technical specification of that name, with house rules
 * as options.
 *
 * Everything that search repeats a million times a second works on masks of 24 bits. The state
 * keeps the cards that were played in this deal, in order, and the suits in which each seat has
 * shown to be void: that is all a seat can infer, and knowledge.c samples from it. Views, notation
 * and events are in words.c. */
#include "games/whos_deal/whos_deal.h"

#include "engine/ensure.h"
#include "games/whos_deal/knowledge.h"
#include "games/whos_deal/words.h"
#include <string.h>

enum {
    TARGET_SCORE,
    STICK_THE_DEALER,
    LONER_LEAD,
    DEALER_MAY_DISCARD_UPCARD,
    CANADIAN_LONER,
    DEFEND_ALONE,
    FARMERS_HAND,
    START_SCORES
};

static const char *const targets[] = {"5", "7", "10", "11", NULL};
static const char *const loner_leads[] = {"left-of-loner", "left-of-dealer", NULL};

#define KEPT_IN(member) OPTION_KEPT_IN(struct whos_deal, member)

static const struct option options[] = {
    {.key = "targetScore",
     .label = "Points to win",
     .help = "The first team with this many points wins.",
     .kind = OPTION_CHOICE,
     .slot = TARGET_SCORE,
     KEPT_IN(target),
     .choices = targets,
     .standard = "10",
     .refusal = "Invalid target score"},
    {.key = "stickTheDealer",
     .label = "Stick the dealer",
     .help = "When everybody else has passed twice the dealer must name a suit. If not, the next "
             "player deals anew.",
     .kind = OPTION_YES_NO,
     .slot = STICK_THE_DEALER,
     KEPT_IN(stick_the_dealer),
     .standard = "yes"},
    {.key = "lonerLead",
     .label = "First lead against a loner",
     .help = "Who leads when somebody goes alone: the player left of the loner or left of the "
             "dealer.",
     .kind = OPTION_CHOICE,
     .slot = LONER_LEAD,
     KEPT_IN(loner_lead),
     .choices = loner_leads,
     .standard = "left-of-loner"},
    {.key = "dealerMayDiscardUpcard",
     .label = "Dealer may discard the turned card",
     .help = "If not, the card picked up must be kept.",
     .kind = OPTION_YES_NO,
     .slot = DEALER_MAY_DISCARD_UPCARD,
     KEPT_IN(dealer_may_discard_upcard),
     .standard = "yes"},
    {.key = "canadianLoner",
     .label = "Canadian loner",
     .help = "The dealer's partner may order the card up only when going alone.",
     .kind = OPTION_YES_NO,
     .slot = CANADIAN_LONER,
     KEPT_IN(canadian_loner),
     .standard = "no"},
    {.key = "defendAlone",
     .label = "Defend alone",
     .help = "Against a loner one defender may play alone too; a euchre is then worth 4.",
     .kind = OPTION_YES_NO,
     .slot = DEFEND_ALONE,
     KEPT_IN(defend_alone),
     .standard = "no"},
    {.key = "farmersHand",
     .label = "Farmer's hand",
     .help = "Who holds only nines and tens may throw them in at the first call; the same dealer "
             "deals again.",
     .kind = OPTION_YES_NO,
     .slot = FARMERS_HAND,
     KEPT_IN(farmers_hand),
     .standard = "no"},
    {.key = "startScores",
     .label = "Scores at the start",
     .help = "Points that teams A and B begin with, for a handicap or a game that goes on.",
     .kind = OPTION_LIST,
     .slot = START_SCORES,
     .min = 0,
     .max = 10,
     .standard = "0,0"},
};

/* ---- Cards ---- */

#define PLAIN_SUIT 1, 2, 3, 4, 5, 6
#define TRUMP_SUIT 18, 19, 24, 20, 21, 22
#define LEFT_SUIT  1, 2, 23, 4, 5, 6

const uint8_t whos_deal_strength[CARD_SUITS][WHOS_DEAL_CARDS] = {
    {TRUMP_SUIT, PLAIN_SUIT, PLAIN_SUIT, LEFT_SUIT},
    {PLAIN_SUIT, TRUMP_SUIT, LEFT_SUIT, PLAIN_SUIT},
    {PLAIN_SUIT, LEFT_SUIT, TRUMP_SUIT, PLAIN_SUIT},
    {LEFT_SUIT, PLAIN_SUIT, PLAIN_SUIT, TRUMP_SUIT},
};

#define SUIT(n)    n, n, n, n, n, n
#define LEFT(n, t) n, n, t, n, n, n

const uint8_t whos_deal_effective[CARD_SUITS][WHOS_DEAL_CARDS] = {
    {SUIT(0), SUIT(1), SUIT(2), LEFT(3, 0)},
    {SUIT(0), SUIT(1), LEFT(2, 1), SUIT(3)},
    {SUIT(0), LEFT(1, 2), SUIT(2), SUIT(3)},
    {LEFT(0, 3), SUIT(1), SUIT(2), SUIT(3)},
};

/* All sixteen unions of four suits. */
#define SETS_OF_TWO(a, b, more) (more), (a) | (more), (b) | (more), (a) | (b) | (more)
#define SETS(a, b, c, d)                                                                           \
    {                                                                                              \
        SETS_OF_TWO(a, b, 0), SETS_OF_TWO(a, b, c), SETS_OF_TWO(a, b, d),                          \
            SETS_OF_TWO(a, b, (c) | (d))                                                           \
    }

const uint32_t whos_deal_cards_of[CARD_SUITS][1 << CARD_SUITS] = {
    SETS(0x10003f, 0x000fc0, 0x03f000, 0xec0000),
    SETS(0x00003f, 0x004fc0, 0x03b000, 0xfc0000),
    SETS(0x00003f, 0x000ec0, 0x03f100, 0xfc0000),
    SETS(0x00003b, 0x000fc0, 0x03f000, 0xfc0004),
};

/* Partners (seats 0 and 2, or 1 and 3) never sit out together; those rows are not used. */
const uint8_t whos_deal_next[16][WHOS_DEAL_SEATS] = {
    {1, 2, 3, 0}, {1, 2, 3, 1}, {2, 2, 3, 0}, {2, 2, 3, 2}, {1, 3, 3, 0}, {1, 3, 3, 1},
    {3, 3, 3, 0}, {3, 3, 3, 3}, {1, 2, 0, 0}, {1, 2, 1, 1}, {2, 2, 0, 0}, {2, 2, 2, 2},
    {1, 0, 0, 0}, {1, 1, 1, 1}, {0, 0, 0, 0}, {0, 1, 2, 3},
};

static bool can_win(int card, int led_suit, int trump) {
    int suit = whos_deal_effective_suit(card, trump);
    return suit == trump || suit == led_suit;
}

int whos_deal_compare(int a, int b, int led_suit, int trump) {
    int one = can_win(a, led_suit, trump) ? whos_deal_strength[trump][a] : 0;
    int two = can_win(b, led_suit, trump) ? whos_deal_strength[trump][b] : 0;
    return one - two;
}

uint8_t whos_deal_to_card(int card) {
    return card_of(card % WHOS_DEAL_RANKS + WHOS_DEAL_RANK_MIN, whos_deal_suit(card));
}

bool whos_deal_from_card(uint8_t card, uint8_t *out) {
    if (card == CARD_JOKER || card_rank(card) < WHOS_DEAL_RANK_MIN)
        return false;
    *out = (uint8_t)(card_suit(card) * WHOS_DEAL_RANKS + card_rank(card) - WHOS_DEAL_RANK_MIN);
    return true;
}

static uint32_t bit(int card) {
    return (uint32_t)1 << card;
}

/* ---- Setup and deals ---- */

/* The scores to start with are those of the first game; the next one starts without points. */
static bool start(void *to, const struct options *from, const void *ended, struct events *events,
                  struct refusal *why) {
    struct whos_deal *state = to;
    if (!from)
        return true;
    const int32_t *scores = from->slot + START_SCORES;
    if (scores[0] != 2 || scores[1] >= state->target || scores[2] >= state->target)
        return refuse(why, "INVALID_SETTING", "startScores must be two numbers below %d",
                      state->target);
    state->score[0] = (uint8_t)scores[1];
    state->score[1] = (uint8_t)scores[2];
    return true;
}

static uint32_t to_act(const void *from) {
    const struct whos_deal *state = from;
    if (state->phase > WHOS_DEAL_DEALING && state->phase < WHOS_DEAL_ROUND_OVER)
        return (uint32_t)1 << state->turn;
    return state->phase == WHOS_DEAL_GAME_OVER ? 0 : AWAITS_NATURE;
}

/* WD-6: the deal moves on after a round, not after a farmer's hand. */
static int next_dealer(const struct whos_deal *state) {
    return state->phase == WHOS_DEAL_ROUND_OVER ? (state->dealer + 1) & 3 : state->dealer;
}

enum { PACKETS = 2 * WHOS_DEAL_SEATS };

/* WD-C23: packets of 3-2-3-2, then 2-3-2-3, from the dealer's left; then the kitty. */
static int packet_size(int packet) {
    bool second_round = packet >= WHOS_DEAL_SEATS;
    return packet % 2 == second_round ? 3 : 2;
}

static void deck(const void *from, struct deal *out) {
    const struct whos_deal *state = from;
    int dealer = next_dealer(state);
    out->rest = "kitty";
    out->count = WHOS_DEAL_CARDS;
    for (uint16_t card = 0; card < WHOS_DEAL_CARDS; card++)
        out->cards[card] = card;
    for (int i = 0; i < PACKETS; i++)
        deal_to(out, (dealer + 1 + i) & 3, packet_size(i));
    deal_to(out, WHOS_DEAL_SEATS, WHOS_DEAL_KITTY);
}

/* Nothing is led yet. */
static void clear_trick(struct whos_deal *state) {
    state->trick_count = 0;
    state->must_follow = WHOS_DEAL_ALL_CARDS;
    state->led_suit = WHOS_DEAL_NONE;
    state->best_strength = 0;
}

static void clear_round(struct whos_deal *state) {
    state->passes = 0;
    state->trump = state->caller = state->defender = WHOS_DEAL_NONE;
    state->alone = state->picked_up = state->discarded = false;
    state->sitting_out = state->decided = 0;
    state->lead = state->best = state->best_seat = state->last_winner = WHOS_DEAL_NONE;
    clear_trick(state);
    state->tricks_played = state->played_count = 0;
    state->tricks[0] = state->tricks[1] = 0;
    state->played_cards = 0;
    state->points = 0;
    memset(state->void_suits, 0, sizeof state->void_suits);
    memset(state->played, WHOS_DEAL_NONE, sizeof state->played);
    memset(state->leads, WHOS_DEAL_NONE, sizeof state->leads);
}

static void deal(void *to, const uint16_t *cards, struct events *events) {
    struct whos_deal *state = to;
    bool first = !whos_deal_dealt(state);
    state->dealer = (uint8_t)next_dealer(state);
    clear_round(state);
    memset(state->hand, 0, sizeof state->hand);
    for (int i = 0; i < PACKETS; i++) {
        int seat = (state->dealer + 1 + i) & 3;
        for (int j = packet_size(i); j > 0; j--)
            state->hand[seat] |= bit(*cards++);
    }
    state->kitty_cards = 0;
    for (int i = 0; i < WHOS_DEAL_KITTY; i++) {
        state->kitty[i] = (uint8_t)*cards++;
        state->kitty_cards |= bit(state->kitty[i]);
    }
    state->kitty_count = WHOS_DEAL_KITTY;
    state->upcard = state->kitty[0];
    state->phase = WHOS_DEAL_ROUND1;
    state->turn = (uint8_t)((state->dealer + 1) & 3);
    if (events)
        whos_deal_tell_deal(state, first, events);
}

/* ---- What follows from a call ---- */

/* WD-67: the one place that decides how many cards a trick has. */
static int trick_size(const struct whos_deal *state) {
    return WHOS_DEAL_SEATS - __builtin_popcount(state->sitting_out);
}

/* WD-22, WD-23, WD-C1. */
static int first_lead(const struct whos_deal *state) {
    bool by_loner = state->alone && state->loner_lead == WHOS_DEAL_LEFT_OF_LONER;
    int from = by_loner ? state->caller : state->dealer;
    return whos_deal_next_seat(from, state->sitting_out);
}

static void begin_play(struct whos_deal *state, struct events *events) {
    state->phase = WHOS_DEAL_PLAYING;
    state->trick_size = (uint8_t)trick_size(state);
    state->lead = state->turn = (uint8_t)first_lead(state);
    state->leads[0] = state->lead;
    if (events)
        whos_deal_tell_play(state, events);
}

static bool may_defend(const struct whos_deal *state) {
    return state->alone && state->defend_alone;
}

/* Trump is settled and the dealer has discarded. */
static void begin_play_or_defence(struct whos_deal *state, struct events *events) {
    if (!may_defend(state)) {
        begin_play(state, events);
        return;
    }
    state->phase = WHOS_DEAL_DEFENDING;
    state->turn = (uint8_t)((state->caller + 1) & 3);
}

static void call_trump(struct whos_deal *state, int seat, int suit, bool alone) {
    state->trump = (uint8_t)suit;
    state->caller = (uint8_t)seat;
    state->alone = alone;
    state->sitting_out = (uint8_t)(alone ? 1 << whos_deal_partner(seat) : 0);
}

/* WD-8, WD-C3: the first card of the kitty goes to the dealer's hand. */
static void pick_up(struct whos_deal *state) {
    state->hand[state->dealer] |= bit(state->upcard);
    state->kitty_cards ^= bit(state->upcard);
    for (int i = 1; i < WHOS_DEAL_KITTY; i++)
        state->kitty[i - 1] = state->kitty[i];
    state->kitty[--state->kitty_count] = WHOS_DEAL_NONE;
    state->picked_up = true;
    state->phase = WHOS_DEAL_DEALER_DISCARD;
    state->turn = state->dealer;
}

/* ---- Legal moves ---- */

static size_t add(struct move *out, int verb, int count, int first, int second) {
    out->verb = (uint8_t)verb;
    out->count = (uint8_t)count;
    out->args[0] = (uint16_t)first;
    out->args[1] = (uint16_t)second;
    return 1;
}

/* WD-11: everybody else has passed in both rounds. */
static bool is_stuck(const struct whos_deal *state) {
    return state->phase == WHOS_DEAL_ROUND2 && state->stick_the_dealer &&
           state->passes == WHOS_DEAL_SEATS - 1;
}

static bool is_farmers_hand(uint32_t hand) {
    uint32_t nines_and_tens = 3u | 3u << 6 | 3u << 12 | 3u << 18;
    return (hand & ~nines_and_tens) == 0;
}

bool whos_deal_may_redeal(const struct whos_deal *state, int seat) {
    return state->farmers_hand && state->phase == WHOS_DEAL_ROUND1 &&
           is_farmers_hand(state->hand[seat]);
}

static bool must_order_alone(const struct whos_deal *state, int seat) {
    return state->canadian_loner && seat == whos_deal_partner(state->dealer);
}

static size_t legal_calls(const struct whos_deal *state, int seat, struct move *out) {
    size_t count = 0;
    if (!is_stuck(state))
        count += add(&out[count], WHOS_DEAL_PASS, 0, 0, 0);
    if (state->phase == WHOS_DEAL_ROUND1) {
        if (!must_order_alone(state, seat))
            count += add(&out[count], WHOS_DEAL_ORDER, 1, false, 0);
        count += add(&out[count], WHOS_DEAL_ORDER, 1, true, 0);
        if (whos_deal_may_redeal(state, seat))
            count += add(&out[count], WHOS_DEAL_REDEAL, 0, 0, 0);
        return count;
    }
    for (int suit = 0; suit < CARD_SUITS; suit++) {
        if (suit == whos_deal_suit(state->upcard))
            continue;
        count += add(&out[count], WHOS_DEAL_CALL, 2, suit, false);
        count += add(&out[count], WHOS_DEAL_CALL, 2, suit, true);
    }
    return count;
}

/* Writes all `most` places: a loop that ended with the last card would be mispredicted too
 * often. */
static inline size_t legal_cards(uint32_t cards, int most, int verb, struct move *out) {
    size_t count = (size_t)__builtin_popcount(cards);
    for (int i = 0; i < most; i++, cards &= cards - 1)
        add(&out[i], verb, 1, __builtin_ctz(cards | 1u << WHOS_DEAL_CARDS), 0);
    return count;
}

static uint32_t discardable(const struct whos_deal *state) {
    uint32_t hand = state->hand[state->dealer];
    return state->dealer_may_discard_upcard ? hand : hand & ~bit(state->upcard);
}

enum { WHOS_DEAL_LEGAL_MAX = 16 };

static size_t legal(const void *from, int seat, struct move *out, size_t max) {
    const struct whos_deal *state = from;
    ensure(max >= WHOS_DEAL_LEGAL_MAX);
    if (seat != state->turn)
        return 0;
    if (state->phase == WHOS_DEAL_PLAYING)
        return legal_cards(whos_deal_playable(state->hand[seat], state->must_follow),
                           WHOS_DEAL_HAND, WHOS_DEAL_PLAY, out);
    if (state->phase == WHOS_DEAL_DEALER_DISCARD)
        return legal_cards(discardable(state), WHOS_DEAL_HAND + 1, WHOS_DEAL_DISCARD, out);
    if (state->phase == WHOS_DEAL_DEFENDING)
        return add(&out[0], WHOS_DEAL_PASS, 0, 0, 0) + add(&out[1], WHOS_DEAL_DEFEND, 0, 0, 0);
    return legal_calls(state, seat, out);
}

/* Most moves of a hand are cards, and one of those is found without a list. */
static void pick(const void *from, int seat, struct chance *chance, struct move *out) {
    const struct whos_deal *state = from;
    if (seat == state->turn && state->phase == WHOS_DEAL_PLAYING) {
        uint32_t cards = whos_deal_playable(state->hand[seat], state->must_follow);
        uint32_t skip = chance_below(chance, (uint32_t)__builtin_popcount(cards));
        for (uint32_t i = 0; i + 1 < WHOS_DEAL_HAND; i++)
            cards &= cards - (i < skip); /* takes the lowest one off without a branch */
        add(out, WHOS_DEAL_PLAY, 1, __builtin_ctz(cards), 0);
        return;
    }
    struct move moves[WHOS_DEAL_LEGAL_MAX];
    size_t count = legal(from, seat, moves, WHOS_DEAL_LEGAL_MAX);
    ensure(count > 0);
    const struct move *move = &moves[chance_below(chance, (uint32_t)count)];
    /* Copies what is set, not all of the arguments that a move has room for. */
    add(out, move->verb, move->count, move->args[0], move->args[1]);
}

/* ---- Checks: phase, then role, then turn, then the card (WD-C8) ---- */

static bool is_calling(const struct whos_deal *state) {
    return state->phase == WHOS_DEAL_ROUND1 || state->phase == WHOS_DEAL_ROUND2;
}

static bool in_hand(const struct whos_deal *state, int seat, int card) {
    return card < WHOS_DEAL_CARDS && (state->hand[seat] & bit(card)) != 0;
}

static bool refuse_suit(struct refusal *why) {
    return refuse(why, "INVALID_SUIT", "Cannot call that suit");
}

static bool check_pass(const void *from, int seat, const struct move *move, struct refusal *why) {
    const struct whos_deal *state = from;
    if (!is_calling(state) && state->phase != WHOS_DEAL_DEFENDING)
        return refuse_wrong_phase(why);
    if (seat != state->turn)
        return refuse_not_your_turn(why);
    return !is_stuck(state) || refuse(why, "MUST_CALL", "Dealer must call");
}

static bool check_calling(const struct whos_deal *state, int seat, struct refusal *why) {
    if (!is_calling(state))
        return refuse_wrong_phase(why);
    return seat == state->turn || refuse_not_your_turn(why);
}

/* WD-C11: ordering up belongs to the first round, naming a suit to the second. */
static bool check_order(const void *from, int seat, const struct move *move, struct refusal *why) {
    const struct whos_deal *state = from;
    if (!check_calling(state, seat, why))
        return false;
    if (state->phase != WHOS_DEAL_ROUND1)
        return refuse_suit(why);
    return !must_order_alone(state, seat) || move->args[0] != 0 ||
           refuse(why, "MUST_GO_ALONE", "The dealer's partner may order up only alone");
}

static bool check_call(const void *from, int seat, const struct move *move, struct refusal *why) {
    const struct whos_deal *state = from;
    if (!check_calling(state, seat, why))
        return false;
    bool may_be_called =
        move->args[0] < CARD_SUITS && move->args[0] != whos_deal_suit(state->upcard);
    return (state->phase == WHOS_DEAL_ROUND2 && may_be_called) || refuse_suit(why);
}

static bool check_discard(const void *from, int seat, const struct move *move,
                          struct refusal *why) {
    const struct whos_deal *state = from;
    if (state->phase != WHOS_DEAL_DEALER_DISCARD)
        return refuse_wrong_phase(why);
    if (seat != state->dealer)
        return refuse(why, "NOT_DEALER", "Not the dealer");
    if (!in_hand(state, seat, move->args[0]))
        return refuse(why, "INVALID_CARD", "Card not in hand");
    if ((discardable(state) & bit(move->args[0])) == 0)
        return refuse(why, "MUST_KEEP_UPCARD", "The turned card must be kept");
    return true;
}

/* WD-111: which suit that is, and why, where it is not the suit printed on the card. */
static bool refuse_to_revoke(const struct whos_deal *state, struct refusal *why) {
    const char *led = card_suit_name(state->led_suit);
    int first = state->played[state->played_count - state->trick_count];
    if (first == whos_deal_left_bower(state->trump))
        return refuse(why, "MUST_FOLLOW_SUIT",
                      "Must follow suit: the jack of %s is the left bower, so %s were led",
                      card_suit_name(whos_deal_suit(first)), led);
    return refuse(why, "MUST_FOLLOW_SUIT", "Must follow suit: %s were led", led);
}

static __attribute__((cold, noinline)) bool refuse_play(const struct whos_deal *state, int seat,
                                                        int card, struct refusal *why) {
    if (state->phase != WHOS_DEAL_PLAYING)
        return refuse_wrong_phase(why);
    if ((state->sitting_out >> seat & 1) != 0)
        return refuse(why, "INACTIVE_PARTNER", "Partner is going alone");
    if (seat != state->turn)
        return refuse_not_your_turn(why);
    if (!in_hand(state, seat, card))
        return refuse(why, "INVALID_CARD", "Card not in hand");
    return refuse_to_revoke(state, why);
}

/* Whoever sits out never has the turn. */
static bool check_play(const void *from, int seat, const struct move *move, struct refusal *why) {
    const struct whos_deal *state = from;
    int card = move->args[0];
    uint32_t playable = whos_deal_playable(state->hand[seat], state->must_follow);
    bool good = state->phase == WHOS_DEAL_PLAYING && seat == state->turn &&
                card < WHOS_DEAL_CARDS && (playable & bit(card)) != 0;
    return good || refuse_play(state, seat, card, why);
}

static bool check_defend(const void *from, int seat, const struct move *move, struct refusal *why) {
    const struct whos_deal *state = from;
    if (state->phase != WHOS_DEAL_DEFENDING)
        return refuse_wrong_phase(why);
    return seat == state->turn || refuse_not_your_turn(why);
}

static bool check_redeal(const void *from, int seat, const struct move *move, struct refusal *why) {
    const struct whos_deal *state = from;
    if (state->phase != WHOS_DEAL_ROUND1)
        return refuse_wrong_phase(why);
    if (seat != state->turn)
        return refuse_not_your_turn(why);
    if (!state->farmers_hand)
        return refuse(why, "NO_REDEAL", "Hands are not thrown in at this table");
    return whos_deal_may_redeal(state, seat) ||
           refuse(why, "NO_REDEAL", "Only a hand of nines and tens may be thrown in");
}

/* ---- Moves ---- */

/* Nobody called, and the dealer is not stuck: the next dealer deals. */
static void pass_out(struct whos_deal *state, struct events *events) {
    state->phase = WHOS_DEAL_ROUND_OVER;
    if (events)
        whos_deal_tell_passed_out(events);
}

static void pass_defence(struct whos_deal *state, int seat, struct events *events) {
    state->decided |= (uint8_t)(1 << seat);
    int other = whos_deal_partner(seat);
    if ((state->decided >> other & 1) == 0)
        state->turn = (uint8_t)other;
    else
        begin_play(state, events);
}

static void pass(void *to, int seat, const struct move *move, struct events *events) {
    struct whos_deal *state = to;
    if (events)
        whos_deal_tell_call(state, seat, "pass", events);
    if (state->phase == WHOS_DEAL_DEFENDING) {
        pass_defence(state, seat, events);
        return;
    }
    state->turn = (uint8_t)((seat + 1) & 3);
    if (++state->passes < WHOS_DEAL_SEATS)
        return;
    state->passes = 0;
    if (state->phase == WHOS_DEAL_ROUND1)
        state->phase = WHOS_DEAL_ROUND2;
    else
        pass_out(state, events);
}

static void order(void *to, int seat, const struct move *move, struct events *events) {
    struct whos_deal *state = to;
    call_trump(state, seat, whos_deal_suit(state->upcard), move->args[0] != 0);
    pick_up(state);
    if (events) {
        whos_deal_tell_call(state, seat, "order-up", events);
        whos_deal_tell_hand(state, state->dealer, events);
    }
}

static void call(void *to, int seat, const struct move *move, struct events *events) {
    struct whos_deal *state = to;
    call_trump(state, seat, move->args[0], move->args[1] != 0);
    if (events)
        whos_deal_tell_call(state, seat, "call", events);
    begin_play_or_defence(state, events);
}

static void discard(void *to, int seat, const struct move *move, struct events *events) {
    struct whos_deal *state = to;
    int card = move->args[0];
    state->hand[state->dealer] ^= bit(card);
    state->kitty[state->kitty_count++] = (uint8_t)card;
    state->kitty_cards |= bit(card);
    state->discarded = true;
    if (events)
        whos_deal_tell_hand(state, seat, events);
    begin_play_or_defence(state, events);
}

static void defend(void *to, int seat, const struct move *move, struct events *events) {
    struct whos_deal *state = to;
    state->defender = (uint8_t)seat;
    state->sitting_out |= (uint8_t)(1 << whos_deal_partner(seat));
    if (events)
        whos_deal_tell_call(state, seat, "defend-alone", events);
    begin_play(state, events);
}

/* What a deal can be worth (WD-27 to WD-32). */
enum {
    POINTS_MADE = 1,
    POINTS_MARCH = 2,
    POINTS_SWEEP = 4,
    POINTS_EUCHRE = 2,
    POINTS_LONE_EUCHRE = 4
};

/* By the names that outcomes have in views. */
static const struct game_number numbers[] = {{"made", POINTS_MADE},
                                             {"march", POINTS_MARCH},
                                             {"sweep", POINTS_SWEEP},
                                             {"euchre", POINTS_EUCHRE},
                                             {0}};

/* The points of the deal, and for which team. */
static int score_deal(const struct whos_deal *state, int *points) {
    int callers = whos_deal_team(state->caller), tricks = state->tricks[callers];
    if (tricks == WHOS_DEAL_TRICKS) {
        *points = state->alone ? POINTS_SWEEP : POINTS_MARCH;
        return callers;
    }
    if (tricks >= WHOS_DEAL_TRICKS_TO_MAKE) {
        *points = POINTS_MADE;
        return callers;
    }
    *points = state->defender != WHOS_DEAL_NONE ? POINTS_LONE_EUCHRE : POINTS_EUCHRE;
    return callers ^ 1;
}

static void end_deal(struct whos_deal *state, struct events *events) {
    int points;
    int team = score_deal(state, &points);
    state->score[team] = (uint8_t)(state->score[team] + points);
    state->points = (uint16_t)(points | team << 8);
    bool over = state->score[team] >= state->target;
    state->phase = over ? WHOS_DEAL_GAME_OVER : WHOS_DEAL_ROUND_OVER;
    if (events)
        whos_deal_tell_end(state, events);
}

/* WD-56: winner, counts, lead and the cleared trick are one change. */
static __attribute__((noinline)) void end_trick(struct whos_deal *state, struct events *events) {
    int winner = state->best_seat;
    state->tricks[whos_deal_team(winner)]++;
    state->tricks_played++;
    clear_trick(state);
    state->last_winner = state->lead = state->turn = (uint8_t)winner;
    bool last = state->tricks_played == WHOS_DEAL_TRICKS;
    if (!last)
        state->leads[state->tricks_played] = (uint8_t)winner;
    if (events)
        whos_deal_tell_trick(state, !last, events);
    if (last)
        end_deal(state, events);
}

/* One of two numbers, by arithmetic alone: which one is as random as the cards, so that a branch
 * would mispredict, and compilers make one of a conditional expression. */
static int choose(bool first, int one, int other) {
    return other ^ ((one ^ other) & -(int)first);
}

/* The first card leads. A later one wins if it is a trump or of the led suit, and stronger. The
 * suit to follow is written for the lead alone: processors predict that branch well, and then the
 * next seat's choice need not wait until this card is known. */
static void join_trick(struct whos_deal *state, int seat, int card) {
    int trump = state->trump, suit = whos_deal_effective_suit(card, trump);
    if (state->trick_count == 0) {
        state->led_suit = (uint8_t)suit;
        state->must_follow = whos_deal_suit_cards(suit, trump);
    }
    bool follows = suit == state->led_suit;
    int strength = choose(follows | (suit == trump), whos_deal_strength[trump][card], 0);
    bool wins = strength > state->best_strength;
    state->void_suits[seat] |= (uint8_t)(!follows << state->led_suit);
    state->best_strength = (uint8_t)choose(wins, strength, state->best_strength);
    state->best = (uint8_t)choose(wins, card, state->best);
    state->best_seat = (uint8_t)choose(wins, seat, state->best_seat);
}

static void play(void *to, int seat, const struct move *move, struct events *events) {
    struct whos_deal *state = to;
    int card = move->args[0];
    state->hand[seat] ^= bit(card);
    state->played_cards |= bit(card);
    join_trick(state, seat, card);
    state->played[state->played_count++] = (uint8_t)card;
    state->trick_count++;
    if (events)
        whos_deal_tell_card(seat, card, events);
    if (state->trick_count == state->trick_size)
        end_trick(state, events);
    else
        state->turn = (uint8_t)whos_deal_next_seat(seat, state->sitting_out);
}

static void redeal(void *to, int seat, const struct move *move, struct events *events) {
    struct whos_deal *state = to;
    state->phase = WHOS_DEAL_DEALING;
    if (events)
        whos_deal_tell_redeal(state, seat, events);
}

static const char *const alone[] = {"alone", NULL};

static const struct verb verbs[] = {
    [WHOS_DEAL_PASS] = {.word = "pass",
                        .action = "pass-trump",
                        .help = "no call; against a loner: no lone defence",
                        .check = check_pass,
                        .apply = pass},
    [WHOS_DEAL_ORDER] = {.word = "order",
                         .action = "call-trump",
                         .marker = "pickUp",
                         .arguments = {{.kind = ARGUMENT_FLAG,
                                        .json = "goAlone",
                                        .words = alone,
                                        .optional = true}},
                         .example = "order|order alone",
                         .help = "first round: order the turned card up",
                         .prompt = "Your call: order it up, or pass",
                         .check = check_order,
                         .apply = order},
    [WHOS_DEAL_CALL] = {.word = "call",
                        .action = "call-trump",
                        .arguments = {{.kind = ARGUMENT_SUIT, .json = "suit"},
                                      {.kind = ARGUMENT_FLAG,
                                       .json = "goAlone",
                                       .words = alone,
                                       .optional = true}},
                        .example = "call H|call H alone",
                        .help = "second round: name a suit, `S`, `H`, `D` or `C`",
                        .prompt = "Your call: name a suit, or pass",
                        .check = check_call,
                        .apply = call},
    /* WD-81: nobody else may read which card the dealer puts away. */
    [WHOS_DEAL_DISCARD] = {.word = "discard",
                           .secret = true,
                           .arguments = {{.kind = ARGUMENT_CARD, .json = "cardId"}},
                           .example = "discard 9C",
                           .help = "the dealer puts a card away",
                           .prompt = "Discard a card",
                           .event = "dealer-discarded",
                           .check = check_discard,
                           .apply = discard,
                           .preview = whos_deal_preview},
    [WHOS_DEAL_PLAY] = {.word = "play",
                        .action = "play-card",
                        .arguments = {{.kind = ARGUMENT_CARD, .json = "cardId"}},
                        .example = "play AH",
                        .help = "play a card",
                        .prompt = "Your turn: play a card",
                        .check = check_play,
                        .apply = play,
                        .preview = whos_deal_preview},
    [WHOS_DEAL_DEFEND] = {.word = "defend alone|defend",
                          .action = "defend-alone",
                          .example = "defend alone",
                          .help = "defend alone against a loner",
                          .prompt = "Defend alone?",
                          .check = check_defend,
                          .apply = defend},
    [WHOS_DEAL_REDEAL] = {.word = "redeal",
                          .help = "throw a farmer's hand in",
                          .check = check_redeal,
                          .apply = redeal},
};

/* ---- The rest ---- */

static void result(const void *from, struct result *out) {
    const struct whos_deal *state = from;
    out->sides = 2;
    for (int seat = 0; seat < WHOS_DEAL_SEATS; seat++) {
        int team = whos_deal_team(seat);
        out->side_of[seat] = (uint8_t)team;
        out->score[seat] = state->score[team];
        if (state->score[team] >= state->target)
            out->winners |= 1u << seat;
    }
}

enum { HANDS, CALLS, CALLS_MADE, LONERS, LONE_SWEEPS, MARCHES, EUCHRES, EUCHRED };

/* WD-145: counts for the whole table. A deal may be passed out, or thrown in before anybody
 * called. */
static void count_table(const struct whos_deal *state, int32_t *out) {
    out[WHOS_DEAL_DEALS] = 1;
    out[WHOS_DEAL_PASSED_OUT] =
        state->phase == WHOS_DEAL_ROUND_OVER && state->tricks_played < WHOS_DEAL_TRICKS;
    if (state->tricks_played < WHOS_DEAL_TRICKS)
        return;
    int callers = whos_deal_team(state->caller), tricks = state->tricks[callers];
    bool dealers = state->points >> 8 == whos_deal_team(state->dealer);
    out[WHOS_DEAL_MAKES] = tricks == 3 || tricks == 4;
    out[WHOS_DEAL_MARCHES] = tricks == WHOS_DEAL_TRICKS && !state->alone;
    out[WHOS_DEAL_SWEEPS] = tricks == WHOS_DEAL_TRICKS && state->alone;
    out[WHOS_DEAL_EUCHRES] = tricks < 3;
    out[WHOS_DEAL_LONERS] = state->alone;
    out[WHOS_DEAL_STUCK] =
        state->stick_the_dealer && state->caller == state->dealer && !state->picked_up;
    out[WHOS_DEAL_DEALER_SCORED] = dealers;
    out[dealers ? WHOS_DEAL_DEALER_POINTS : WHOS_DEAL_OTHER_POINTS] = state->points & 255;
}

/* WD-145: calls are the seat's own, marches and euchres are the team's. A lone sweep is no
 * march. */
static void count(const void *from, int seat, int32_t *out) {
    const struct whos_deal *state = from;
    if (seat == SPECTATOR && whos_deal_dealt(state))
        count_table(state, out);
    if (seat == SPECTATOR || state->tricks_played < WHOS_DEAL_TRICKS)
        return;
    int callers = whos_deal_team(state->caller);
    bool called = seat == state->caller, ours = whos_deal_team(seat) == callers;
    bool swept = state->tricks[callers] == WHOS_DEAL_TRICKS, made = state->tricks[callers] >= 3;
    out[HANDS] = 1;
    out[CALLS] = called;
    out[CALLS_MADE] = called && made;
    out[LONERS] = called && state->alone;
    out[LONE_SWEEPS] = called && state->alone && swept;
    out[MARCHES] = ours && swept && !state->alone;
    out[EUCHRES] = !ours && !made;
    out[EUCHRED] = ours && !made;
}

/* WD-76, WD-77, WD-95, WD-C13: a complete trick is shown for two seconds; a hand that was thrown in
 * is dealt again at once. */
static void pace(const void *from, struct pace *pace) {
    const struct whos_deal *state = from;
    if (state->phase == WHOS_DEAL_DEALING)
        pace->show_ms = 0;
    else if (state->phase == WHOS_DEAL_PLAYING && state->trick_count == 0 &&
             state->tricks_played > 0)
        pace->show_ms = 2000;
}

/* Has nobody a card of a suit that its plays have shown it to lack? */
static bool voids_hold(const struct whos_deal *state) {
    if (state->trump == WHOS_DEAL_NONE)
        return true;
    const uint32_t *cards_of = whos_deal_cards_of[state->trump];
    uint32_t impossible = 0;
    for (int seat = 0; seat < WHOS_DEAL_SEATS; seat++)
        impossible |= state->hand[seat] & cards_of[state->void_suits[seat]];
    return impossible == 0;
}

/* If every card is in one place, the masks add up to all cards without a carry. */
static bool holds(const void *from) {
    const struct whos_deal *state = from;
    if (!whos_deal_dealt(state))
        return state->phase == WHOS_DEAL_DEALING;
    uint32_t either = state->hand[0] | state->hand[1] | state->hand[2] | state->hand[3] |
                      state->kitty_cards | state->played_cards;
    uint32_t sum = state->hand[0] + state->hand[1] + state->hand[2] + state->hand[3] +
                   state->kitty_cards + state->played_cards;
    return either == WHOS_DEAL_ALL_CARDS && sum == either && state->turn < WHOS_DEAL_SEATS &&
           state->dealer < WHOS_DEAL_SEATS &&
           state->tricks[0] + state->tricks[1] == state->tricks_played && voids_hold(state);
}

static const char *const table_figures[] = {[WHOS_DEAL_DEALS] = "deals",
                                            [WHOS_DEAL_PASSED_OUT] = "passed out",
                                            [WHOS_DEAL_MAKES] = "makes",
                                            [WHOS_DEAL_MARCHES] = "marches",
                                            [WHOS_DEAL_EUCHRES] = "euchres",
                                            [WHOS_DEAL_LONERS] = "lone attempts",
                                            [WHOS_DEAL_SWEEPS] = "lone sweeps",
                                            [WHOS_DEAL_STUCK] = "dealer stuck",
                                            [WHOS_DEAL_DEALER_SCORED] =
                                                "deals scored by dealer's side",
                                            [WHOS_DEAL_DEALER_POINTS] = "points of dealer's side",
                                            [WHOS_DEAL_OTHER_POINTS] = "points of the others",
                                            NULL};
static const char *const figures[] = {[HANDS] = "hands",
                                      [CALLS] = "calls",
                                      [CALLS_MADE] = "calls made",
                                      [LONERS] = "lone calls",
                                      [LONE_SWEEPS] = "lone sweeps",
                                      [MARCHES] = "marches",
                                      [EUCHRES] = "euchres",
                                      [EUCHRED] = "times euchred",
                                      NULL};

static const struct caption captions[] = {
#include "games/whos_deal/captions.def"
    {0},
};

const struct game whos_deal_game = {
    .id = "whos-deal",
    .name = "Who's Deal?",
    .summary = "Euchre in pairs: name trump, take three tricks of five, or get euchred",
    .icon = "\U0001F0CF",
    .players_min = WHOS_DEAL_SEATS,
    .players_max = WHOS_DEAL_SEATS,
    .players_default = WHOS_DEAL_SEATS,
    .lobby_bots = true,
    .checks_turns = true,
    .state_size = sizeof(struct whos_deal),
    .options = OPTIONS(options),
    VERBS(verbs),
    .captions = FOR_TERMINAL(captions),
    .figures = figures,
    .table_figures = table_figures,
    .numbers = numbers,
    .start = start,
    .to_act = to_act,
    .legal = legal,
    .pick = pick,
    .deck = deck,
    .deal = deal,
    .observe = whos_deal_observe,
    .describe = whos_deal_describe,
    .tell_hand = whos_deal_tell_hand,
    .show = FOR_TERMINAL(whos_deal_show),
    .prompt = FOR_TERMINAL(whos_deal_prompt),
    .sample = whos_deal_sample,
    .parse_card = whos_deal_parse_card,
    .print_card = whos_deal_print_card,
    .result = result,
    .count = count,
    .pace = pace,
    .holds = holds,
};
