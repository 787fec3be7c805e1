/* What holds in every state of Hand & Foot: every card is in exactly one place.
 *
 * This is checked after each move, so it adds up rows of bytes instead of single cards. The
 * numbers of cards are added up every time. Every single card is looked for when a round is
 * dealt, each time the turn has gone round the table, before a shuffle and when the round has
 * ended: a card that was exchanged for another is found by then, and this costs a quarter of
 * looking each turn. */
#include "games/hand_and_foot/flow.h"
#include "games/hand_and_foot/tally.h"
#include <string.h>

enum { KINDS_ROOM = 64 };

static void add_bytes(uint8_t *restrict to, const uint8_t *restrict bytes, int count) {
    for (int i = 0; i < count; i++)
        to[i] = (uint8_t)(to[i] + bytes[i]);
}

/* Adds the cards of hands and feet; false if they are not as many as the state says. */
static bool add_held(const struct hand_and_foot *state, uint8_t kinds[KINDS_ROOM]) {
    unsigned expected = 0, held = 0;
    for (int seat = 0; seat < state->head.seats; seat++) {
        add_bytes(kinds, state->hand[seat], CARD_KINDS);
        add_bytes(kinds, state->foot[seat], CARD_KINDS);
        expected += (unsigned)state->hand_count[seat] + state->foot_count[seat];
    }
    for (int i = 0; i < KINDS_ROOM; i += 8)
        held += tally_sum(tally_load(kinds + i));
    return held == expected;
}

/* Adds the cards of the stock or the pile. Two histograms, so that equal neighbours do not stall
 * each other. */
static void add_cards(uint8_t even[KINDS_ROOM], uint8_t odd[KINDS_ROOM], const uint8_t *cards,
                      int count) {
    for (int i = 0; i + 1 < count; i += 2) {
        even[cards[i] % KINDS_ROOM]++;
        odd[cards[i + 1] % KINDS_ROOM]++;
    }
    if (count % 2 != 0)
        even[cards[count - 1] % KINDS_ROOM]++;
}

/* Copies of each card in one number for each rank, a byte for each suit; the jokers apart. */
struct census {
    uint32_t ranks[RANKS_ROOM];
    int jokers;
};

static uint32_t suits_of(const uint8_t counts[CARD_SUITS]) {
    uint32_t suits;
    memcpy(&suits, counts, sizeof suits);
    return suits;
}

static void add_laid(const struct hand_and_foot *state, struct census *census) {
    uint32_t twos = 0;
    for (int i = 0; i < state->book_count; i++) {
        const struct hand_foot_book *book = &state->books[i];
        census->ranks[book->rank % RANKS_ROOM] += suits_of(book->naturals);
        twos += suits_of(book->twos);
        census->jokers += book->jokers;
    }
    census->ranks[HAND_FOOT_WILD_RANK] += twos;
    uint8_t threes[CARD_SUITS] = {0};
    for (int side = 0; side < state->sides; side++)
        add_bytes(threes + CARD_HEARTS, state->red_threes[side], 2);
    census->ranks[HAND_FOOT_THREE] += suits_of(threes);
}

/* Kinds are stored suit by suit, and are added here rank by rank. Rows are read in full, so the
 * three ranks beyond the ace have meaningless numbers. */
static void add_kinds(const uint8_t kinds[KINDS_ROOM], struct census *census) {
    uint8_t by_rank[RANKS_ROOM][CARD_SUITS];
    for (int i = 0; i < RANKS_ROOM; i++) {
        by_rank[i][CARD_SPADES] = kinds[CARD_SPADES * CARD_RANKS + i];
        by_rank[i][CARD_HEARTS] = kinds[CARD_HEARTS * CARD_RANKS + i];
        by_rank[i][CARD_DIAMONDS] = kinds[CARD_DIAMONDS * CARD_RANKS + i];
        by_rank[i][CARD_CLUBS] = kinds[CARD_CLUBS * CARD_RANKS + i];
    }
    for (int rank = HAND_FOOT_WILD_RANK; rank <= CARD_ACE; rank++)
        census->ranks[rank] += suits_of(by_rank[rank - LOW_RANKS]);
    census->jokers += kinds[CARD_JOKER];
}

static bool is_whole(const struct hand_and_foot *state, const struct census *census) {
    int decks = state->rules[RULE_DECKS], jokers = decks * state->rules[RULE_JOKERS];
    uint32_t expected = (uint32_t)decks * 0x01010101, wrong = 0;
    for (int rank = HAND_FOOT_WILD_RANK; rank <= CARD_ACE; rank++)
        wrong |= census->ranks[rank] ^ expected;
    return wrong == 0 && census->jokers == jokers;
}

bool hand_foot_shown_cards_are_held(const struct hand_and_foot *state, int seat) {
    uint8_t shown[2 * HAND_FOOT_FEW_BYTES], missing = 0;
    hand_foot_unpack_few(state->shown[seat], shown);
    for (int card = 0; card < CARD_KINDS; card++)
        missing |= shown[card] > state->hand[seat][card];
    return missing == 0;
}

static bool every_card_once(const struct hand_and_foot *state) {
    uint8_t kinds[KINDS_ROOM] = {0}, odd[KINDS_ROOM] = {0};
    struct census census = {0};
    if (!add_held(state, kinds))
        return false;
    add_cards(kinds, odd, state->stock, state->stock_count);
    add_cards(kinds, odd, state->pile, state->pile_count);
    add_bytes(kinds, odd, KINDS_ROOM);
    add_kinds(kinds, &census);
    add_laid(state, &census);
    for (int seat = 0; seat < state->head.seats; seat++)
        if (!hand_foot_shown_cards_are_held(state, seat))
            return false;
    return is_whole(state, &census) && hand_foot_reshuffled_holds(state);
}

_Static_assert(offsetof(struct hand_foot_book, twos) ==
                   offsetof(struct hand_foot_book, naturals) + CARD_SUITS,
               "naturals and twos are eight bytes in a row");

/* All books together have fewer than 256 naturals of a suit, and fewer than 256 twos, so bytes can
 * be added side by side. */
static int cards_laid(const struct hand_and_foot *state) {
    const uint8_t *at = (const uint8_t *)state->books + offsetof(struct hand_foot_book, naturals);
    uint64_t suits = 0;
    int others = 0, count = state->book_count;
    for (int i = 0; i < count; i++, at += sizeof *state->books) {
        suits += tally_load(at);
        others += at[2 * CARD_SUITS]; /* jokers */
    }
    for (int side = 0; side < state->sides; side++)
        others += state->red_threes[side][0] + state->red_threes[side][1];
    return (int)tally_sum(suits) + others;
}

static bool numbers_add_up(const struct hand_and_foot *state) {
    int cards = state->stock_count + state->pile_count + cards_laid(state);
    for (int seat = 0; seat < state->head.seats; seat++)
        cards += state->hand_count[seat] + state->foot_count[seat];
    return cards == hand_foot_card_count(state->rules[RULE_DECKS], state->rules[RULE_JOKERS]);
}

bool hand_foot_holds(const void *from) {
    const struct hand_and_foot *state = from;
    if (state->round == 0)
        return state->phase == HAND_FOOT_DEALING;
    bool came_round =
        state->turn_phase == HAND_FOOT_TURN_DRAW && state->current == hand_foot_starter(state);
    if (state->current >= state->head.seats || !numbers_add_up(state))
        return false;
    return (state->phase == HAND_FOOT_PLAYING && !came_round) || every_card_once(state);
}
