/* What a seat of Hand & Foot knows: the observed state, and samples of the states it could be in.
 */
#include "games/hand_and_foot/flow.h"
#include <string.h>

/* Lists everything public, the own hand once it is chosen, and the pile, of which every card was
 * seen when it was laid there; never a foot or the stock. A view shows only the top of the pile
 * (HT-30, HT-31). */
void hand_foot_observe(const void *from, int seat, void *to) {
    const struct hand_and_foot *state = from;
    struct hand_and_foot *out = to;
    out->public = state->public;
    if (seat >= 0 && state->chose_pile[seat]) {
        memcpy(out->hand[seat], state->hand[seat], sizeof out->hand[seat]);
        memcpy(out->new_cards[seat], state->new_cards[seat], sizeof out->new_cards[seat]);
    }
    if (hand_foot_round_is_over(state)) {
        memcpy(out->hand, state->hand, sizeof out->hand); /* laid open for the score */
        memcpy(out->foot, state->foot, sizeof out->foot);
    }
}

/* ---- Counting ---- */

static int smaller(int a, int b) {
    return a < b ? a : b;
}

int hand_foot_deck_count(const struct hand_and_foot *state, int card) {
    return card == CARD_JOKER ? state->rules[RULE_DECKS] * state->rules[RULE_JOKERS]
                              : state->rules[RULE_DECKS];
}

static void add(uint8_t kinds[CARD_KINDS], int card, int copies) {
    kinds[card] = (uint8_t)(kinds[card] + copies);
}

/* Adds up what lies open: books, red threes and the discard pile. */
static void count_open(const struct hand_and_foot *state, uint8_t kinds[CARD_KINDS]) {
    for (int i = 0; i < state->book_count; i++)
        hand_foot_add_book_cards(&state->books[i], kinds);
    for (int side = 0; side < state->sides; side++)
        for (int i = 0; i < 2; i++)
            add(kinds, card_of(HAND_FOOT_THREE, CARD_HEARTS + i), state->red_threes[side][i]);
    for (int i = 0; i < state->pile_count; i++)
        kinds[state->pile[i]]++;
}

/* ---- What a shuffle of the discard pile tells ---- */

void hand_foot_note_reshuffle(struct hand_and_foot *state) {
    struct hand_foot_reshuffled *note = &state->reshuffled;
    uint8_t known[CARD_KINDS] = {0};
    count_open(state, known);
    for (int card = 0; card < CARD_KINDS; card++) {
        for (int seat = 0; seat < state->head.seats; seat++)
            add(known, card, hand_foot_shown(state, seat, card));
        int hidden = hand_foot_deck_count(state, card) - known[card];
        int most = note->known ? note->in_feet[card] : hidden;
        note->in_feet[card] = (uint8_t)smaller(most, hidden);
        note->older[card] = (uint8_t)hidden;
        note->in_stock[card] = 0;
    }
    for (int i = 0; i < state->pile_count - 1; i++)
        note->in_stock[state->pile[i]]++;
    memset(note->drawn, 0, sizeof note->drawn);
    note->known = true;
}

/* A hidden card has come to light. If it is certain whether it was among the shuffled ones, that is
 * noted; otherwise nothing is learned. */
static void note_exit(struct hand_and_foot *state, int seat, int card) {
    struct hand_foot_reshuffled *note = &state->reshuffled;
    if (note->drawn[seat] == 0 || note->in_stock[card] == 0) {
        note->older[card]--;
        note->in_feet[card] = (uint8_t)smaller(note->in_feet[card], note->older[card]);
    } else if (note->older[card] == 0) {
        note->in_stock[card]--;
        note->drawn[seat]--;
    }
}

void hand_foot_leave_hand(struct hand_and_foot *state, int seat, int card) {
    state->hand[seat][card]--;
    state->hand_count[seat]--;
    if (hand_foot_shown(state, seat, card) > 0)
        hand_foot_few_add(state->shown[seat], card, -1);
    else if (state->reshuffled.known)
        note_exit(state, seat, card);
    uint16_t *drawn = &state->reshuffled.drawn[seat];
    *drawn = (uint16_t)smaller(*drawn, state->hand_count[seat]);
}

bool hand_foot_reshuffled_holds(const struct hand_and_foot *state) {
    const struct hand_foot_reshuffled *note = &state->reshuffled;
    uint8_t stock[CARD_KINDS] = {0}, hidden[CARD_KINDS], wrong = 0;
    if (!note->known)
        return true;
    for (int i = 0; i < state->stock_count; i++)
        stock[state->stock[i]]++;
    memcpy(hidden, stock, sizeof hidden);
    for (int seat = 0; seat < state->head.seats; seat++) {
        uint8_t shown[2 * HAND_FOOT_FEW_BYTES];
        hand_foot_unpack_few(state->shown[seat], shown);
        for (int card = 0; card < CARD_KINDS; card++)
            hidden[card] = (uint8_t)(hidden[card] + state->hand[seat][card] +
                                     state->foot[seat][card] - shown[card]);
    }
    for (int card = 0; card < CARD_KINDS; card++) {
        wrong |= stock[card] > note->in_stock[card];
        wrong |= hidden[card] > (uint8_t)(note->in_stock[card] + note->older[card]);
    }
    return wrong == 0;
}

/* ---- Samples ---- */

/* Where an unseen card can be. A hand has places for the cards that nobody saw go there; as many of
 * them as there were draws since the shuffle may take what was shuffled. */
enum zone { ZONE_STOCK, ZONE_FEET, ZONE_KEPT, ZONE_DRAWN, ZONES };
enum {
    IN_STOCK = 1 << ZONE_STOCK,
    IN_FEET = 1 << ZONE_FEET,
    IN_HANDS = 1 << ZONE_KEPT | 1 << ZONE_DRAWN,
    FROM_STOCK = 1 << ZONE_STOCK | 1 << ZONE_DRAWN,
    ANYWHERE = (1 << ZONES) - 1
};

/* The cards that a seat does not see, and where each of them goes. */
struct unseen {
    int count;
    uint16_t order[HAND_FOOT_CARDS_MAX]; /* indexes into the others, shuffled */
    uint8_t card[HAND_FOOT_CARDS_MAX];
    uint8_t zones[HAND_FOOT_CARDS_MAX]; /* where it may go, as bits */
    uint8_t zone[HAND_FOOT_CARDS_MAX];
    int room[ZONES];
    int next[ZONES]; /* places of `order` where the search for the zone's next card goes on */
};

/* Is the seat's hand hidden from the viewer? */
static bool is_hidden(const struct hand_and_foot *seen, int seat, int viewer) {
    return !hand_foot_round_is_over(seen) && (seat != viewer || !seen->chose_pile[seat]);
}

static void add_unseen(struct unseen *unseen, int card, int zones) {
    int index = unseen->count++;
    unseen->order[index] = (uint16_t)index;
    unseen->card[index] = (uint8_t)card;
    unseen->zones[index] = (uint8_t)zones;
    unseen->zone[index] = ZONES;
}

/* Adds the unseen copies of a kind in a round whose discards were shuffled. Those beyond the number
 * of older copies must be shuffled cards, which lie in the stock or were drawn from it. Any of the
 * rest may be in a hand; how many of them may lie in feet and in the stock is limited. */
static void add_copies(struct unseen *unseen, const struct hand_foot_reshuffled *note, int card,
                       int copies, int older) {
    int recycled = copies > older ? copies - older : 0;
    int rest = copies - recycled, to_stock = note->in_stock[card] - recycled;
    for (int i = 0; i < recycled; i++)
        add_unseen(unseen, card, FROM_STOCK);
    for (int i = 0; i < rest; i++)
        add_unseen(unseen, card,
                   IN_HANDS | (i < note->in_feet[card] ? IN_FEET : 0) |
                       (i >= rest - to_stock ? IN_STOCK : 0));
}

/* Counts the older copies that the viewer does not hold. At most so many of the viewer's own were
 * drawn after the shuffle. */
static int count_older(const struct hand_and_foot *seen, int viewer, int card) {
    const struct hand_foot_reshuffled *note = &seen->reshuffled;
    if (viewer < 0 || is_hidden(seen, viewer, viewer))
        return note->older[card];
    int own = seen->hand[viewer][card] - hand_foot_shown(seen, viewer, card);
    int kept = own - smaller(note->drawn[viewer], note->in_stock[card]);
    return note->older[card] - (kept > 0 ? kept : 0);
}

static void list_unseen(const struct hand_and_foot *seen, int viewer, struct unseen *unseen) {
    uint8_t known[CARD_KINDS] = {0};
    count_open(seen, known);
    for (int card = 0; card < CARD_KINDS; card++) {
        for (int seat = 0; seat < seen->head.seats; seat++)
            add(known, card,
                is_hidden(seen, seat, viewer) ? hand_foot_shown(seen, seat, card)
                                              : seen->hand[seat][card] + seen->foot[seat][card]);
        int copies = hand_foot_deck_count(seen, card) - known[card];
        if (seen->reshuffled.known)
            add_copies(unseen, &seen->reshuffled, card, copies, count_older(seen, viewer, card));
        for (int i = 0; i < copies && !seen->reshuffled.known; i++)
            add_unseen(unseen, card, ANYWHERE);
    }
}

/* How many cards of a hidden hand nobody saw go there. */
static int unshown_count(const struct hand_and_foot *seen, int seat) {
    int count = seen->hand_count[seat];
    for (int card = 0; card < CARD_KINDS; card++)
        count -= hand_foot_shown(seen, seat, card);
    return count;
}

static void count_room(const struct hand_and_foot *seen, int viewer, int room[ZONES]) {
    memset(room, 0, ZONES * sizeof *room);
    room[ZONE_STOCK] = seen->stock_count;
    for (int seat = 0; seat < seen->head.seats; seat++) {
        if (is_hidden(seen, seat, SPECTATOR))
            room[ZONE_FEET] += seen->foot_count[seat];
        if (!is_hidden(seen, seat, viewer))
            continue;
        int unshown = unshown_count(seen, seat);
        int drawn = smaller(seen->reshuffled.drawn[seat], unshown);
        room[ZONE_DRAWN] += drawn;
        room[ZONE_KEPT] += unshown - drawn;
    }
}

static int room_in(const struct unseen *unseen, int zones, int zone) {
    return (zones >> zone & 1) != 0 ? unseen->room[zone] : 0;
}

/* Puts a card into one of its zones, preferring roomier ones. If they are full, a card that can go
 * elsewhere makes room; `tried` holds the zones that have been asked for that. */
static bool place(struct unseen *unseen, int index, int tried, struct chance *chance) {
    int zones = unseen->zones[index] & ~tried, room = 0, zone = 0;
    for (int i = 0; i < ZONES; i++)
        room += room_in(unseen, zones, i);
    if (room > 0) {
        int at = (int)chance_below(chance, (uint32_t)room);
        for (; at >= room_in(unseen, zones, zone); zone++)
            at -= room_in(unseen, zones, zone);
        unseen->room[zone]--;
        unseen->zone[index] = (uint8_t)zone;
        return true;
    }
    for (zone = 0; zone < ZONES; zone++) {
        uint32_t alike = 0; /* of cards with the same zones one is as good as another */
        for (int i = 0; i < unseen->count && (zones >> zone & 1) != 0; i++) {
            int other = unseen->order[i];
            if (unseen->zone[other] != zone || (alike >> unseen->zones[other] & 1) != 0)
                continue;
            alike |= (uint32_t)1 << unseen->zones[other];
            if (place(unseen, other, tried | 1 << zone, chance)) {
                unseen->zone[index] = (uint8_t)zone;
                return true;
            }
        }
    }
    return false;
}

static int next_of(struct unseen *unseen, enum zone zone) {
    while (unseen->zone[unseen->order[unseen->next[zone]]] != zone)
        unseen->next[zone]++;
    return unseen->card[unseen->order[unseen->next[zone]++]];
}

static void fill(struct unseen *unseen, enum zone zone, int count, uint8_t kinds[CARD_KINDS]) {
    for (int i = 0; i < count; i++)
        kinds[next_of(unseen, zone)]++;
}

/* All unseen cards find a place, because they have one in the true state. Only in a position that
 * somebody made up a card may find none, and then it goes anywhere. */
void hand_foot_sample(const void *from, int viewer, struct chance *chance, void *to) {
    const struct hand_and_foot *seen = from;
    struct hand_and_foot *out = to;
    struct unseen unseen = {.count = 0};
    memcpy(out, seen, sizeof *out);
    if (seen->round == 0)
        return;
    list_unseen(seen, viewer, &unseen);
    count_room(seen, viewer, unseen.room);
    chance_shuffle(chance, unseen.order, (size_t)unseen.count);
    for (int i = 0; i < unseen.count; i++) {
        if (place(&unseen, unseen.order[i], 0, chance))
            continue;
        unseen.zones[unseen.order[i]] = ANYWHERE;
        place(&unseen, unseen.order[i], 0, chance);
    }
    for (int seat = 0; seat < seen->head.seats; seat++) {
        if (is_hidden(seen, seat, SPECTATOR))
            fill(&unseen, ZONE_FEET, seen->foot_count[seat], out->foot[seat]);
        if (!is_hidden(seen, seat, viewer))
            continue;
        int unshown = unshown_count(seen, seat);
        int drawn = smaller(seen->reshuffled.drawn[seat], unshown);
        fill(&unseen, ZONE_DRAWN, drawn, out->hand[seat]);
        fill(&unseen, ZONE_KEPT, unshown - drawn, out->hand[seat]);
        for (int card = 0; card < CARD_KINDS; card++)
            add(out->hand[seat], card, hand_foot_shown(seen, seat, card));
    }
    for (int i = 0; i < seen->stock_count; i++)
        out->stock[i] = (uint8_t)next_of(&unseen, ZONE_STOCK);
}
