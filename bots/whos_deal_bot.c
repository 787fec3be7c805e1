/* Who's Deal?'s bots by rules; hard and expert think (whos_deal_expert.c). Medium plays the game's
 * own rules for bots in full: WD-69 to WD-75 with the decisions WD-C17 to WD-C21 and WD-C27. Easy
 * is a beginner: it calls by printed suits, so that it overlooks left bowers; never plays alone;
 * leads its lowest card and saves the others; leaves a trick to its partner, but wins others with
 * the highest card it has. */
#include "bots/players.h"
#include "bots/whos_deal_expert.h"

/* Card 5, the highest of the first suit, and every sixth one after it. */
#define ACES ((uint32_t)0x820820)

static uint32_t bit(int card) {
    return (uint32_t)1 << card;
}

static int count(uint32_t cards) {
    return __builtin_popcount(cards);
}

static bool has(uint32_t hand, int card) {
    return (hand & bit(card)) != 0;
}

/* The cards that a beginner takes for the suit, which the left bower is not among. */
static uint32_t printed(uint32_t hand, int suit) {
    return hand & WHOS_DEAL_SPADES << WHOS_DEAL_RANKS * suit;
}

static uint32_t trumps_of(uint32_t hand, int trump) {
    return hand & whos_deal_suit_cards(trump, trump);
}

/* Aces that are no trumps. */
static bool has_off_suit_ace(uint32_t hand, int trump) {
    return (hand & ACES & ~whos_deal_suit_cards(trump, trump)) != 0;
}

static int count_bowers(uint32_t hand, int trump) {
    return has(hand, whos_deal_right_bower(trump)) + has(hand, whos_deal_left_bower(trump));
}

/* ---- Calling ---- */

/* Three cards of a suit as printed, or its jack and another one. */
static bool beginner_likes(uint32_t hand, int suit) {
    return count(printed(hand, suit)) + has(hand, whos_deal_right_bower(suit)) >= 3;
}

/* WD-71. A dealer counts the turned card (WD-C17). */
static bool goes_alone(uint32_t hand, int trump, enum bot_level level) {
    int trumps = count(trumps_of(hand, trump));
    if (level == BOT_EASY || !has(hand, whos_deal_right_bower(trump)))
        return false;
    bool both = has(hand, whos_deal_left_bower(trump));
    return trumps >= 4 || (both && trumps >= 3 && has_off_suit_ace(hand, trump));
}

/* WD-69, WD-C17: the four reasons to order up. A beginner who deals counts the turned card. */
static bool orders_up(const struct whos_deal *state, int seat, int trump, enum bot_level level) {
    uint32_t hand = state->hand[seat];
    if (level == BOT_EASY)
        return beginner_likes(seat == state->dealer ? hand | bit(state->upcard) : hand, trump);
    int trumps = count(trumps_of(hand, trump)), bowers = count_bowers(hand, trump);
    bool decent = trumps >= 2 && (bowers > 0 || has_off_suit_ace(hand, trump));
    return has(hand, whos_deal_right_bower(trump)) || trumps >= 3 ||
           (seat == state->dealer && decent);
}

static void call_first(const struct whos_deal *state, int seat, enum bot_level level,
                       struct move *out) {
    int trump = whos_deal_suit(state->upcard);
    uint32_t hand = state->hand[seat];
    if (seat == state->dealer)
        hand |= bit(state->upcard);
    bool alone = goes_alone(hand, trump, level);
    bool only_alone = state->canadian_loner && seat == whos_deal_partner(state->dealer);
    if (orders_up(state, seat, trump, level) && (alone || !only_alone)) {
        out->verb = WHOS_DEAL_ORDER;
        out->count = 1;
        out->args[0] = alone;
    } else {
        out->verb = WHOS_DEAL_PASS;
    }
}

/* WD-70: most cards, then most bowers, then the highest cards. */
static int strength_as_trump(uint32_t hand, int suit, enum bot_level level) {
    if (level == BOT_EASY)
        return count(printed(hand, suit));
    uint32_t trumps = trumps_of(hand, suit);
    int ranks = 0;
    for (uint32_t left = trumps; left != 0; left &= left - 1)
        ranks += whos_deal_strength[suit][__builtin_ctz(left)];
    return count(trumps) * 10000 + count_bowers(hand, suit) * 1000 + ranks;
}

/* WD-C18. */
static bool is_worth_calling(uint32_t hand, int suit, enum bot_level level) {
    if (level == BOT_EASY)
        return beginner_likes(hand, suit);
    int trumps = count(trumps_of(hand, suit));
    return trumps >= 3 ||
           (trumps >= 2 && count_bowers(hand, suit) > 0 && has_off_suit_ace(hand, suit));
}

static void call_second(const struct whos_deal *state, int seat, enum bot_level level,
                        struct move *out) {
    uint32_t hand = state->hand[seat];
    bool stuck = state->stick_the_dealer && state->passes == 3;
    int best = -1, best_strength = -1;
    for (int suit = 0; suit < CARD_SUITS; suit++) {
        int strength = strength_as_trump(hand, suit, level);
        if (suit == whos_deal_suit(state->upcard) || strength <= best_strength)
            continue;
        if (stuck || is_worth_calling(hand, suit, level)) {
            best = suit;
            best_strength = strength;
        }
    }
    out->verb = best < 0 ? WHOS_DEAL_PASS : WHOS_DEAL_CALL;
    out->count = best < 0 ? 0 : 2;
    out->args[0] = (uint8_t)best;
    out->args[1] = best >= 0 && goes_alone(hand, best, level);
}

/* ---- Cards ---- */

/* The lowest of some cards: off-suit before trump, low before high, then from the shortest suit of
 * the hand, then by the order of suits (WD-C20). */
static int lowest(uint32_t cards, uint32_t hand, int trump) {
    int best = -1, best_value = 0;
    for (uint32_t left = cards; left != 0; left &= left - 1) {
        int card = __builtin_ctz(left), suit = whos_deal_effective_suit(card, trump);
        int length = count(hand & whos_deal_suit_cards(suit, trump));
        int value = (whos_deal_strength[trump][card] * 8 + length) * 4 + suit;
        if (best < 0 || value < best_value) {
            best = card;
            best_value = value;
        }
    }
    return best;
}

/* The highest of some cards; of equal ones the first by suit. */
static int highest(uint32_t cards, int trump) {
    int best = __builtin_ctz(cards);
    for (uint32_t left = cards; left != 0; left &= left - 1)
        if (whos_deal_strength[trump][__builtin_ctz(left)] > whos_deal_strength[trump][best])
            best = __builtin_ctz(left);
    return best;
}

/* WD-75: never a bower, as follows from the order of `lowest` (WD-C21). */
static int choose_discard(const struct whos_deal *state) {
    uint32_t hand = state->hand[state->dealer];
    uint32_t may = state->dealer_may_discard_upcard ? hand : hand & ~bit(state->upcard);
    return lowest(may, hand, state->trump);
}

/* WD-72. */
static int choose_lead(uint32_t hand, int trump, enum bot_level level) {
    if (level == BOT_EASY)
        return lowest(hand, hand, trump);
    uint32_t trumps = trumps_of(hand, trump);
    uint32_t off_aces = hand & ACES & ~trumps;
    if (has(hand, whos_deal_right_bower(trump)))
        return whos_deal_right_bower(trump);
    if (off_aces != 0)
        return lowest(off_aces, hand, trump);
    if (count(trumps) >= 2)
        return highest(trumps, trump);
    return lowest(hand, hand, trump);
}

/* Those of the cards that would win the trick as it stands. */
static uint32_t winners(const struct whos_deal *state, uint32_t cards) {
    uint32_t winning = 0;
    for (uint32_t left = cards; left != 0; left &= left - 1) {
        int card = __builtin_ctz(left);
        if (whos_deal_compare(card, state->best, state->led_suit, state->trump) > 0)
            winning |= bit(card);
    }
    return winning;
}

/* WD-73, WD-74, WD-C19: leave a trick to the partner, else win it as cheaply as possible. */
static int choose_follow(const struct whos_deal *state, int seat, enum bot_level level) {
    uint32_t hand = state->hand[seat];
    uint32_t playable = whos_deal_playable(hand, state->must_follow);
    bool partner_wins = state->best_seat == whos_deal_partner(seat);
    uint32_t winning = winners(state, playable);
    if (winning == 0 || partner_wins)
        return lowest(playable, hand, state->trump);
    return level == BOT_EASY ? highest(winning, state->trump) : lowest(winning, hand, state->trump);
}

/* Two sure tricks and help are enough to stand alone against a loner. */
static bool defends_alone(uint32_t hand, int trump, enum bot_level level) {
    return level != BOT_EASY && has(hand, whos_deal_right_bower(trump)) &&
           count(trumps_of(hand, trump)) >= 3;
}

static void name_card(int verb, int card, struct move *out) {
    out->verb = (uint8_t)verb;
    out->count = 1;
    out->args[0] = (uint8_t)card;
}

void whos_deal_follow_rules(const struct whos_deal *state, int seat, enum bot_level level,
                            struct move *out) {
    uint32_t hand = state->hand[seat];
    switch (state->phase) {
    case WHOS_DEAL_ROUND1:
        if (whos_deal_may_redeal(state, seat))
            out->verb = WHOS_DEAL_REDEAL;
        else
            call_first(state, seat, level, out);
        break;
    case WHOS_DEAL_ROUND2:
        call_second(state, seat, level, out);
        break;
    case WHOS_DEAL_DEALER_DISCARD:
        name_card(WHOS_DEAL_DISCARD, choose_discard(state), out);
        break;
    case WHOS_DEAL_DEFENDING:
        out->verb = defends_alone(hand, state->trump, level) ? WHOS_DEAL_DEFEND : WHOS_DEAL_PASS;
        break;
    default:
        name_card(WHOS_DEAL_PLAY,
                  state->trick_count == 0 ? choose_lead(hand, state->trump, level)
                                          : choose_follow(state, seat, level),
                  out);
    }
}

static void choose(const void *seen, int seat, enum bot_level level,
                   const struct bot_budget *budget, struct chance *chance, struct move *out) {
    if (level >= BOT_HARD)
        whos_deal_think(seen, seat, level, budget, chance, out);
    else
        whos_deal_follow_rules(seen, seat, level, out);
}

const struct bot_player whos_deal_player = {.game_id = "whos-deal",
                                            .plays_easy = true,
                                            .has_rival = true,
                                            .worlds_max = WHOS_DEAL_WORLDS_MAX,
                                            .choose = choose};
