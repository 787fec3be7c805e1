/* What a seat of Who's Deal? knows: the observed state, and uniform samples of the states that a
 * seat could be in. */
#include "games/whos_deal/knowledge.h"

#include <string.h>

static uint32_t bit(int card) {
    return (uint32_t)1 << card;
}

/* Does everybody still see the upcard lie on the kitty? */
static bool upcard_in_kitty(const struct whos_deal *state) {
    return !state->picked_up;
}

/* Lists what is public, the own hand, and of the kitty the upcard while it lies there and, for the
 * dealer, the own discard. */
void whos_deal_observe(const void *from, int seat, void *to) {
    const struct whos_deal *state = from;
    struct whos_deal *out = to;
    out->public = state->public;
    if (seat >= 0)
        out->hand[seat] = state->hand[seat];
    if (!whos_deal_dealt(state))
        return;
    memset(out->kitty, WHOS_DEAL_NONE, sizeof out->kitty);
    for (int i = 0; i < WHOS_DEAL_KITTY; i++) {
        bool turned = i == 0 && upcard_in_kitty(state);
        bool own_discard = i == WHOS_DEAL_KITTY - 1 && state->discarded && seat == state->dealer;
        if (!turned && !own_discard)
            continue;
        out->kitty[i] = state->kitty[i];
        out->kitty_cards |= bit(state->kitty[i]);
    }
}

/* How many cards a seat holds is public. */
int whos_deal_hand_count(const struct whos_deal *state, int seat) {
    if (!whos_deal_dealt(state))
        return 0;
    int count = WHOS_DEAL_HAND;
    if (seat == state->dealer && state->picked_up && !state->discarded)
        count++;
    if ((state->sitting_out >> seat & 1) != 0)
        return count;
    count -= state->tricks_played;
    for (int i = 0, other = state->lead; i < state->trick_count; i++) {
        count -= other == seat;
        other = whos_deal_next_seat(other, state->sitting_out);
    }
    return count;
}

/* A place that unseen cards may go to. */
struct place {
    uint32_t *cards;
    uint32_t may_hold;
    int count;
};

static uint32_t choose_some(uint32_t from, int count, struct chance *chance) {
    uint32_t chosen = 0;
    int left = __builtin_popcount(from);
    for (; count > 0; left--, from &= from - 1) {
        if ((int)chance_below(chance, (uint32_t)left) < count) {
            chosen |= from & -from;
            count--;
        }
    }
    return chosen;
}

/* The binomial coefficient n over k, for n <= 19 and k <= 6. */
static uint32_t ways(int n, int k) {
    uint32_t result = 1;
    if (k > n)
        return 0;
    for (int i = 1; i <= k; i++)
        result = result * (uint32_t)(n - k + i) / (uint32_t)i;
    return result;
}

/* One try at a uniform distribution: each place in turn draws from the cards that it may hold. A
 * place has fewer choices if earlier ones took some of its cards. So a try is kept with the
 * probability (choices that there were) / (most choices that are possible), which makes every
 * complete distribution equally likely. */
static bool try_places(uint32_t unseen, struct place *places, int count, uint32_t *rest,
                       struct chance *chance) {
    int taken = 0;
    uint32_t left = unseen;
    for (int i = 0; i < count; i++) {
        uint32_t from = left & places[i].may_hold;
        int most = __builtin_popcount(unseen & places[i].may_hold);
        int still_there = __builtin_popcount(unseen) - taken;
        uint32_t choices = ways(__builtin_popcount(from), places[i].count);
        uint32_t most_choices = ways(most < still_there ? most : still_there, places[i].count);
        if (choices < most_choices && chance_below(chance, most_choices) >= choices)
            return false;
        *places[i].cards = choose_some(from, places[i].count, chance);
        left &= ~*places[i].cards;
        taken += places[i].count;
    }
    *rest = left;
    return true;
}

static int seat_places(const struct whos_deal *seen, int seat, uint32_t not_for_others,
                       struct whos_deal *out, struct place *places) {
    int count = 0;
    for (int other = 0; other < WHOS_DEAL_SEATS; other++) {
        if (other == seat)
            continue;
        uint32_t may_hold = WHOS_DEAL_ALL_CARDS;
        if (seen->trump != WHOS_DEAL_NONE)
            may_hold &= ~whos_deal_cards_of[seen->trump][seen->void_suits[other]];
        if (other != seen->dealer)
            may_hold &= ~not_for_others;
        out->hand[other] = 0;
        places[count++] =
            (struct place){&out->hand[other], may_hold, whos_deal_hand_count(seen, other)};
    }
    return count;
}

static void fill_kitty(struct whos_deal *out, uint32_t cards, uint32_t discarded) {
    int from = upcard_in_kitty(out) ? 1 : 0;
    for (int i = from; cards != 0 && i < WHOS_DEAL_KITTY; i++, cards &= cards - 1)
        out->kitty[i] = (uint8_t)__builtin_ctz(cards);
    if (discarded != 0)
        out->kitty[WHOS_DEAL_KITTY - 1] = (uint8_t)__builtin_ctz(discarded);
    out->kitty_cards = 0;
    for (int i = 0; i < out->kitty_count; i++)
        out->kitty_cards |= bit(out->kitty[i]);
}

/* Draws uniformly from all distributions of the unseen cards that agree with what the seat knows. A
 * picked-up card that was not played yet is in the dealer's hand or is the discard. */
void whos_deal_sample(const void *from, int seat, struct chance *chance, void *to) {
    const struct whos_deal *seen = from;
    struct whos_deal *out = to;
    memcpy(out, seen, sizeof *out);
    if (!whos_deal_dealt(seen))
        return;
    uint32_t own = seat >= 0 ? seen->hand[seat] : 0;
    uint32_t unseen = WHOS_DEAL_ALL_CARDS & ~(own | seen->played_cards | seen->kitty_cards);
    uint32_t taken_up = seen->picked_up ? unseen & bit(seen->upcard) : 0;
    uint32_t discarded = 0, rest = 0;
    struct place places[WHOS_DEAL_SEATS + 1]; /* a spectator knows no hand at all */
    int count = 0;
    bool discard_hidden = seen->discarded && seat != seen->dealer;
    if (discard_hidden)
        places[count++] = (struct place){&discarded, WHOS_DEAL_ALL_CARDS, 1};
    if (discard_hidden && !seen->dealer_may_discard_upcard)
        places[0].may_hold &= ~taken_up;
    count += seat_places(seen, seat, taken_up, out, places + count);
    do
        rest = taken_up;
    while (!try_places(unseen, places, count, &rest, chance) || (rest & taken_up) != 0);
    if (seen->discarded && !discard_hidden)
        discarded = bit(seen->kitty[WHOS_DEAL_KITTY - 1]);
    fill_kitty(out, rest, discarded);
}
