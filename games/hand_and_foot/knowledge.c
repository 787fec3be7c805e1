/* What a seat of Hand & Foot knows: the observed state, and samples of the states it could be in.
 */
#include "games/hand_and_foot/flow.h"
#include <string.h>

/* Everything public, the own hand once it is chosen, and the pile: every card of it was seen when
 * it was laid there. Never a foot or the stock. A view shows only the top of the pile (HT-30,
 * HT-31). */
void hand_foot_observe(const void *from, int seat, void *to) {
    const struct hand_and_foot *state = from;
    struct hand_and_foot *out = to;
    out->public = state->public;
    if (seat >= 0 && state->chose_pile[seat]) {
        memcpy(out->hand[seat], state->hand[seat], sizeof out->hand[seat]);
        memcpy(out->new_cards[seat], state->new_cards[seat], sizeof out->new_cards[seat]);
    }
    if (state->phase == HAND_FOOT_ROUND_END || state->phase == HAND_FOOT_GAME_END) {
        memcpy(out->hand, state->hand, sizeof out->hand); /* laid open for the score */
        memcpy(out->foot, state->foot, sizeof out->foot);
    }
}

/* Every card whose place the state knows. */
void hand_foot_count_known(const struct hand_and_foot *state, uint8_t kinds[CARD_KINDS]) {
    for (int seat = 0; seat < state->head.seats; seat++)
        for (int card = 0; card < CARD_KINDS; card++)
            kinds[card] =
                (uint8_t)(kinds[card] + state->hand[seat][card] + state->foot[seat][card]);
    for (int i = 0; i < state->book_count; i++)
        hand_foot_add_book_cards(&state->books[i], kinds);
    for (int side = 0; side < state->sides; side++)
        for (int i = 0; i < 2; i++)
            kinds[card_of(3, CARD_HEARTS + i)] =
                (uint8_t)(kinds[card_of(3, CARD_HEARTS + i)] + state->red_threes[side][i]);
}

int hand_foot_deck_count(const struct hand_and_foot *state, int card) {
    return card == CARD_JOKER ? state->rules[RULE_DECKS] * state->rules[RULE_JOKERS]
                              : state->rules[RULE_DECKS];
}

static uint16_t *hand_out(uint8_t *kinds, int count, uint16_t *unseen) {
    memset(kinds, 0, CARD_KINDS);
    for (int i = 0; i < count; i++)
        kinds[*unseen++]++;
    return unseen;
}

/* A hidden hand: what it is known to hold, and others. */
static uint16_t *hand_out_hand(const struct hand_and_foot *seen, int seat, uint8_t *kinds,
                               uint16_t *unseen) {
    int shown = 0;
    for (int card = 0; card < CARD_KINDS; card++)
        shown += hand_foot_shown(seen, seat, card);
    unseen = hand_out(kinds, seen->hand_count[seat] - shown, unseen);
    for (int card = 0; card < CARD_KINDS; card++)
        kinds[card] = (uint8_t)(kinds[card] + hand_foot_shown(seen, seat, card));
    return unseen;
}

void hand_foot_sample(const void *from, int seat, struct chance *chance, void *to) {
    const struct hand_and_foot *seen = from;
    struct hand_and_foot *out = to;
    memcpy(out, seen, sizeof *out);
    if (seen->round == 0)
        return;
    bool open = seen->phase == HAND_FOOT_ROUND_END || seen->phase == HAND_FOOT_GAME_END;
    uint8_t known[CARD_KINDS] = {0};
    uint16_t unseen[HAND_FOOT_CARDS_MAX], *next = unseen;
    size_t count = 0;
    hand_foot_count_known(seen, known);
    for (int i = 0; i < seen->pile_count; i++)
        known[seen->pile[i]]++;
    uint32_t hidden = 0; /* seats whose hand is to be filled in */
    for (int other = 0; other < seen->head.seats && !open; other++)
        if (other != seat || !seen->chose_pile[other])
            hidden |= 1u << other;
    for (int other = 0; other < seen->head.seats; other++)
        for (int card = 0; card < CARD_KINDS && (hidden >> other & 1) != 0; card++)
            known[card] = (uint8_t)(known[card] + hand_foot_shown(seen, other, card));
    for (uint16_t card = 0; card < CARD_KINDS; card++)
        for (int i = known[card]; i < hand_foot_deck_count(seen, card); i++)
            unseen[count++] = card;
    chance_shuffle(chance, unseen, count);
    for (int other = 0; other < seen->head.seats && !open; other++) {
        if ((hidden >> other & 1) != 0)
            next = hand_out_hand(seen, other, out->hand[other], next);
        next = hand_out(out->foot[other], seen->foot_count[other], next);
    }
    for (int i = 0; i < seen->stock_count; i++)
        out->stock[i] = (uint8_t)*next++;
}
