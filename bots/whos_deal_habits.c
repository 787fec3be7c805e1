/* Good habits at the euchre table, as a fast policy: for the ends of searched worlds, and for what
 * is expected of a partner. Both are better than the rules for bots. A suit is called if what the
 * hand is worth with it, a sum over its cards, reaches what is needed at that place at the table;
 * these numbers are fitted (`make fit`). For the cards:
 *
 * - A master is a card that no card of its suit that may still be out beats.
 * - The callers draw trumps with masters, or from three trumps; a partner who leads to the first
 *   trick leads a trump. The defenders keep theirs.
 * - Masters of plain suits are led before anything else; then what may be thrown off.
 * - Third hand takes over a partner's trick only with a master, and only where the partner's card
 *   is none; who cannot make sure of a trick in second seat keeps the high card.
 * - Thrown off, and discarded, is rather the last card of a suit than the lower of two, as long as
 *   there is a trump to ruff with; aces are kept. */
#include "bots/whos_deal_expert.h"

#include "bots/whos_deal_fitted.h"

static uint32_t bit(int card) {
    return (uint32_t)1 << card;
}

static uint32_t trumps_of(uint32_t cards, int trump) {
    return cards & whos_deal_suit_cards(trump, trump);
}

/* Cards that may still be in other hands. */
static uint32_t outstanding(const struct whos_deal *state, int seat) {
    uint32_t gone = state->played_cards | state->hand[seat];
    if (!state->picked_up)
        gone |= bit(state->upcard);
    else if (seat == state->dealer && state->discarded)
        gone |= bit(state->kitty[WHOS_DEAL_KITTY - 1]);
    return WHOS_DEAL_ALL_CARDS & ~gone;
}

static bool is_master(int card, uint32_t out, int trump) {
    const uint8_t *strength = whos_deal_strength[trump];
    uint32_t rivals = out & whos_deal_suit_cards(whos_deal_effective_suit(card, trump), trump);
    for (; rivals != 0; rivals &= rivals - 1)
        if (strength[__builtin_ctz(rivals)] > strength[card])
            return false;
    return true;
}

static uint32_t masters(uint32_t cards, uint32_t out, int trump) {
    uint32_t result = 0;
    for (; cards != 0; cards &= cards - 1)
        if (is_master(__builtin_ctz(cards), out, trump))
            result |= cards & -cards;
    return result;
}

static int highest(uint32_t cards, int trump) {
    int best = __builtin_ctz(cards);
    for (; cards != 0; cards &= cards - 1)
        if (whos_deal_strength[trump][__builtin_ctz(cards)] > whos_deal_strength[trump][best])
            best = __builtin_ctz(cards);
    return best;
}

/* The lowest, from the shortest suit of the hand. With `ruffing` the last card of a suit that is no
 * ace counts as one lower. */
static int lowest(uint32_t cards, uint32_t hand, int trump, bool ruffing) {
    int best = -1, best_value = 0;
    for (; cards != 0; cards &= cards - 1) {
        int card = __builtin_ctz(cards), suit = whos_deal_effective_suit(card, trump);
        int length = __builtin_popcount(hand & whos_deal_suit_cards(suit, trump));
        int strength = whos_deal_strength[trump][card], value = strength * 8 + length;
        if (ruffing && suit != trump && length == 1 && strength < 6)
            value -= 8;
        if (best < 0 || value < best_value) {
            best = card;
            best_value = value;
        }
    }
    return best;
}

static int throw_off(uint32_t cards, uint32_t hand, int trump) {
    return lowest(cards, hand, trump, trumps_of(hand, trump) != 0);
}

static int choose_lead(const struct whos_deal *state, int seat) {
    int trump = state->trump;
    uint32_t hand = state->hand[seat], trumps = trumps_of(hand, trump);
    uint32_t out = outstanding(state, seat), sure = masters(hand, out, trump);
    bool trumps_out = trumps_of(out, trump) != 0;
    if (hand == trumps)
        return highest(hand, trump);
    if (trumps_out && whos_deal_team(state->caller) == whos_deal_team(seat)) {
        bool partner_begins = state->caller != seat && state->tricks_played == 0;
        if ((sure & trumps) != 0)
            return highest(sure & trumps, trump);
        if (__builtin_popcount(trumps) >= 3 || (partner_begins && trumps != 0))
            return highest(trumps, trump);
    }
    if ((sure & ~trumps) != 0)
        return lowest(sure & ~trumps, hand, trump, false);
    if (!trumps_out && trumps != 0)
        return highest(trumps, trump);
    return throw_off(hand & ~trumps, hand, trump);
}

static uint32_t winners(const struct whos_deal *state, uint32_t cards) {
    uint32_t winning = 0;
    for (; cards != 0; cards &= cards - 1)
        if (whos_deal_compare(__builtin_ctz(cards), state->best, state->led_suit, state->trump) > 0)
            winning |= cards & -cards;
    return winning;
}

static int choose_follow(const struct whos_deal *state, int seat) {
    int trump = state->trump;
    uint32_t hand = state->hand[seat], out = outstanding(state, seat);
    uint32_t playable = whos_deal_playable(hand, state->must_follow);
    uint32_t winning = winners(state, playable), sure = masters(winning, out, trump);
    bool last = state->trick_count == state->trick_size - 1;
    bool follows = (hand & state->must_follow) != 0;
    int low = throw_off(playable, hand, trump);
    if (winning == 0)
        return low;
    if (state->best_seat == whos_deal_partner(seat)) {
        bool takes_over = !last && follows && sure != 0 && !is_master(state->best, out, trump);
        return takes_over ? lowest(sure, hand, trump, false) : low;
    }
    if (last || !follows)
        return lowest(winning, hand, trump, false);
    if (sure != 0)
        return lowest(sure, hand, trump, false);
    return state->trick_count >= 2 ? highest(winning, trump) : low;
}

/* ---- Calling ---- */

enum { RIGHT_STRENGTH = 24, PLAIN_ACE_STRENGTH = 6 };

/* What the hand is worth if that suit is trump. */
static int rate_hand(const int8_t *weights, uint32_t hand, int trump) {
    uint32_t trumps = trumps_of(hand, trump);
    int sum = 0;
    for (uint32_t left = hand; left != 0; left &= left - 1) {
        int card = __builtin_ctz(left), strength = whos_deal_strength[trump][card];
        if ((trumps & bit(card)) != 0)
            sum += weights[WHOS_DEAL_RIGHT + RIGHT_STRENGTH - strength];
        else if (strength == PLAIN_ACE_STRENGTH)
            sum += weights[WHOS_DEAL_PLAIN_ACE];
    }
    for (int suit = 0; suit < CARD_SUITS && trumps != 0; suit++)
        if (suit != trump && (hand & whos_deal_suit_cards(suit, trump)) == 0)
            sum += weights[WHOS_DEAL_VOID];
    return sum;
}

static bool goes_alone(const int8_t *weights, int worth) {
    return worth >= weights[WHOS_DEAL_ALONE_FROM];
}

/* The dealer counts the turned card in place of what it would put away; from the others a bower
 * goes to their partner or to the other side. */
static void order_or_pass(const struct whos_deal *state, int seat, int place, const int8_t *weights,
                          struct move *out) {
    int trump = whos_deal_suit(state->upcard), worth;
    uint32_t hand = state->hand[seat];
    if (seat == state->dealer) {
        uint32_t all = hand | bit(state->upcard);
        worth = rate_hand(weights, all & ~bit(throw_off(hand, all, trump)), trump);
    } else {
        bool right = state->upcard == whos_deal_right_bower(trump);
        bool own = seat == whos_deal_partner(state->dealer);
        int gift = right ? weights[WHOS_DEAL_TURNED_RIGHT] : 0;
        worth = rate_hand(weights, hand, trump) + (own ? gift : -gift);
    }
    bool alone = goes_alone(weights, worth);
    bool only_alone = state->canadian_loner && seat == whos_deal_partner(state->dealer);
    if (worth >= weights[WHOS_DEAL_ORDER_FROM + place] && (alone || !only_alone))
        *out = (struct move){WHOS_DEAL_ORDER, 1, {alone}};
}

/* The best suit; the one of the colour that was turned down is worth more to some places. */
static void name_or_pass(const struct whos_deal *state, uint32_t hand, int place,
                         const int8_t *weights, struct move *out) {
    int turned = whos_deal_suit(state->upcard), best = -1, most = 0;
    bool stuck = state->stick_the_dealer && state->passes == WHOS_DEAL_SEATS - 1;
    for (int suit = 0; suit < CARD_SUITS; suit++) {
        int worth = rate_hand(weights, hand, suit);
        if (suit == whos_deal_same_colour(turned))
            worth += weights[WHOS_DEAL_NEXT + place];
        if (suit != turned && (best < 0 || worth > most)) {
            best = suit;
            most = worth;
        }
    }
    if (stuck || most >= weights[WHOS_DEAL_NAME_FROM + place])
        *out = (struct move){WHOS_DEAL_CALL, 2, {(uint16_t)best, goes_alone(weights, most)}};
}

void whos_deal_call_by(const int8_t weights[WHOS_DEAL_CALL_WEIGHTS], const struct whos_deal *state,
                       int seat, struct move *out) {
    int place = (seat + WHOS_DEAL_SEATS - 1 - state->dealer) % WHOS_DEAL_SEATS;
    *out = (struct move){.verb = WHOS_DEAL_PASS};
    if (state->phase == WHOS_DEAL_ROUND1)
        order_or_pass(state, seat, place, weights, out);
    else
        name_or_pass(state, state->hand[seat], place, weights, out);
}

static bool calls_now(const struct whos_deal *state, int seat) {
    return state->phase == WHOS_DEAL_ROUND2 ||
           (state->phase == WHOS_DEAL_ROUND1 && !whos_deal_may_redeal(state, seat));
}

void whos_deal_follow_habits(const struct whos_deal *state, int seat, struct move *out) {
    uint32_t hand = state->hand[seat];
    if (state->phase == WHOS_DEAL_PLAYING) {
        int card = state->trick_count == 0 ? choose_lead(state, seat) : choose_follow(state, seat);
        *out = (struct move){WHOS_DEAL_PLAY, 1, {(uint16_t)card}};
    } else if (state->phase == WHOS_DEAL_DEALER_DISCARD) {
        uint32_t may = state->dealer_may_discard_upcard ? hand : hand & ~bit(state->upcard);
        int card = throw_off(may, hand, state->trump);
        *out = (struct move){WHOS_DEAL_DISCARD, 1, {(uint16_t)card}};
    } else if (calls_now(state, seat)) {
        whos_deal_call_by(whos_deal_call_weights, state, seat, out);
    } else {
        whos_deal_follow_rules(state, seat, BOT_MEDIUM, out);
    }
}
