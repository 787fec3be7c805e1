/* The addresses of books in the API (HT-11, HT-12): teams by their number, values by theirs. What
 * is wrong with the move itself is said by its check, as for every other way to ask for it. */
#include "engine/card.h"
#include "games/hand_and_foot/books.h"
#include "games/hand_and_foot/flow.h"
#include <string.h>

/* HT-25: the team must be the person's own. */
bool hand_foot_is_own_address(const void *from, int seat, const struct span *parts,
                              struct refusal *why) {
    const struct hand_and_foot *state = from;
    int32_t team;
    if (!span_number(parts[0], &team) || team < 0)
        return refuse(why, "BAD_REQUEST", "team must be a whole number");
    return !state || team == hand_foot_side(state, seat) ||
           refuse(why, "NOT_YOUR_TEAM", "That is not your team");
}

/* HT-C19: 1 is an ace, 11 to 13 are J, Q, K; a rank as cards have it, or 0. There are no books of
 * twos. */
static int rank_of_value(struct span word) {
    int32_t value;
    if (!span_number(word, &value) || value < 1 || value == 2 || value > 13)
        return 0;
    return value == 1 ? CARD_ACE : (int)value;
}

/* Unknown cards are the rules' business. A card's id may name a copy, `KS.2`. */
static bool is_of_rank(struct span id, int rank) {
    const char *point = memchr(id.data, '.', id.length);
    uint8_t card;
    if (point)
        id.length = (size_t)(point - id.data);
    return !card_parse(id, &card) || hand_foot_is_wild(card) || card_rank(card) == rank;
}

bool hand_foot_is_address_of_cards(const void *from, int seat, const struct span *parts,
                                   struct refusal *why) {
    int rank = rank_of_value(parts[1]);
    struct span cards = parts[2];
    if (!hand_foot_is_own_address(from, seat, parts, why))
        return false;
    if (rank == 0)
        return refuse(why, "INVALID_BOOK", "There are no books of that value");
    for (size_t at = 0; at < cards.length; at++) {
        size_t start = at;
        while (at < cards.length && cards.data[at] != ',')
            at++;
        if (!is_of_rank((struct span){cards.data + start, at - start}, rank))
            return refuse(why, "MIXED_RANKS", "A card is not of that value");
    }
    return true;
}
