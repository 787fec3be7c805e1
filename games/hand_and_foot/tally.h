/* A hand counted by ranks. Lists of moves begin with it, so it must be quick: eight kinds are added
 * and compared at a time, a byte each. No count reaches 128, so no byte runs over into the next. */
#pragma once

#include "games/hand_and_foot/hand_and_foot.h"
#include <string.h>

/* Eight ranks from the twos on and eight ranks up to the ace, which overlap, are all of them. */
enum {
    RANKS_ROOM = 16, /* arrays by rank, up to the ace and a little more */
    RANKS_AT_ONCE = 8,
    LOW_RANKS = HAND_FOOT_WILD_RANK,
    HIGH_RANKS = CARD_ACE - RANKS_AT_ONCE + 1
};

struct tally {
    uint64_t kinds;               /* bit c: card c is held */
    uint32_t pairs, triples;      /* bit r: at least two, three naturals of rank r are held */
    uint8_t naturals[RANKS_ROOM]; /* by rank; red threes do not count */
    int wilds;
};

/* Bits of the kinds that are wild: the twos, in the order of suits, and the joker. */
#define TALLY_WILD_KINDS                                                                           \
    ((uint64_t)1 << CARD_SPADES * CARD_RANKS | (uint64_t)1 << CARD_HEARTS * CARD_RANKS |           \
     (uint64_t)1 << CARD_DIAMONDS * CARD_RANKS | (uint64_t)1 << CARD_CLUBS * CARD_RANKS |          \
     (uint64_t)1 << CARD_JOKER)

/* The same for the naturals of a rank. */
static inline uint64_t tally_naturals_of(int rank) {
    const uint64_t spades = 1, clubs = (uint64_t)1 << CARD_RANKS * CARD_CLUBS;
    const uint64_t reds =
        (uint64_t)1 << CARD_RANKS * CARD_HEARTS | (uint64_t)1 << CARD_RANKS * CARD_DIAMONDS;
    return (spades | clubs | (rank == HAND_FOOT_THREE ? 0 : reds)) << (rank - LOW_RANKS);
}

/* Eight bytes, the first one lowest. */
static inline uint64_t tally_load(const uint8_t *at) {
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(bytes) : bytes;
}

static inline void tally_store(uint8_t *at, uint64_t bytes) {
    if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
        bytes = __builtin_bswap64(bytes);
    memcpy(at, &bytes, sizeof bytes);
}

/* Bit i: byte i is `least` or more. */
static inline uint64_t tally_at_least(uint64_t bytes, unsigned least) {
    const uint64_t ones = 0x0101010101010101;
    uint64_t reached = (bytes + ones * (128 - least)) >> 7 & ones;
    return reached * 0x0102040810204080 >> 56; /* gathers the lowest bits of the eight bytes */
}

static inline unsigned tally_sum(uint64_t bytes) {
    const uint64_t every_other = 0x00ff00ff00ff00ff;
    uint64_t pairs = (bytes & every_other) + (bytes >> 8 & every_other);
    return (unsigned)(pairs * 0x0001000100010001 >> 48);
}

static inline uint64_t tally_kinds(const uint8_t *hand) {
    uint64_t kinds = tally_at_least(tally_load(hand + CARD_KINDS - 8), 1) << (CARD_KINDS - 8);
    for (int i = 0; i + 8 < CARD_KINDS; i += 8)
        kinds |= tally_at_least(tally_load(hand + i), 1) << i;
    return kinds;
}

static inline void tally_hand(struct tally *tally, const uint8_t *hand) {
    uint64_t low = 0, high = 0;
    for (int suit = 0; suit < CARD_SUITS; suit++) {
        low += tally_load(hand + CARD_RANKS * suit);
        high += tally_load(hand + CARD_RANKS * suit + HIGH_RANKS - LOW_RANKS);
    }
    tally->wilds = (int)(low & 255) + hand[CARD_JOKER];
    uint64_t red_threes =
        (uint64_t)hand[CARD_RANKS * CARD_HEARTS + 1] + hand[CARD_RANKS * CARD_DIAMONDS + 1];
    low = (low & ~(uint64_t)255) - (red_threes << 8);
    tally->kinds = tally_kinds(hand);
    tally->pairs =
        (uint32_t)(tally_at_least(low, 2) << LOW_RANKS | tally_at_least(high, 2) << HIGH_RANKS);
    tally->triples =
        (uint32_t)(tally_at_least(low, 3) << LOW_RANKS | tally_at_least(high, 3) << HIGH_RANKS);
    tally_store(tally->naturals + LOW_RANKS, low);
    tally_store(tally->naturals + HIGH_RANKS, high);
}

/* The ranks of which so many naturals are held, as bits. */
static inline uint32_t tally_ranks(const struct tally *tally, unsigned least) {
    return (uint32_t)(tally_at_least(tally_load(tally->naturals + LOW_RANKS), least) << LOW_RANKS |
                      tally_at_least(tally_load(tally->naturals + HIGH_RANKS), least)
                          << HIGH_RANKS);
}
