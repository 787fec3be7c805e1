/* Where the 52 cards of a pack are: in hands, on piles, or still in the deck. A game that keeps its
 * cards so, as a member `places` of its state, gets dealing, secrecy, samples and the invariant
 * that every card is somewhere once from the engine (struct game, `places` and `sees`).
 *
 * The deck has no order that somebody could find out: it is all cards that are at no place, and who
 * draws from it awaits a shuffle of them. At the deal of a new round all cards are in it again. */
#ifndef ENGINE_PLACES_H
#define ENGINE_PLACES_H

#include "engine/chance.h"
#include "engine/json.h"

/* Places 0 to 7 are the hands of the seats; the others are whatever the game says. */
enum { PLACES_MAX = 16, PLACE_HANDS = 8, PLACE_DECK = -1, PACK = 52 };

struct places {
    uint64_t at[PLACES_MAX];    /* the cards there, as a set: bit c stands for card c */
    uint8_t unseen[PLACES_MAX]; /* how many more are there that the observer cannot tell */
};

static inline uint64_t card_bit(int card) {
    return (uint64_t)1 << card;
}

static inline bool place_has(const struct places *places, int place, int card) {
    return card < PACK && (places->at[place] & card_bit(card)) != 0;
}

/* How many cards a place has, or the deck; known to everybody. */
int place_count(const struct places *places, int place);

/* The cards of a place; of the deck also those of which an observer cannot tell where they are. */
uint64_t place_cards(const struct places *places, int place);

/* The first card of a place, or -1 if it has none. */
static inline int place_first(const struct places *places, int place) {
    return places->at[place] != 0 ? __builtin_ctzll(places->at[place]) : -1;
}

void place_move(struct places *places, int card, int from, int to);

/* All cards of one place go to another, or to the deck. */
void place_move_all(struct places *places, int from, int to);

/* What is known to somebody who sees the places of the mask: `out`, all zero before, gets their
 * cards, and of the others how many there are. */
void places_observe(const struct places *places, uint32_t seen, struct places *out);

/* Puts random cards to all places of which only the number of cards was known. */
void places_sample(struct places *places, struct chance *chance);

/* Is no card at two places, and all of them known? */
bool places_hold(const struct places *places);

/* An array `players` with an object for each seat: its `seatIndex`, its `points` unless that is
 * null, the number of its `cards`, and these as `hand`, or null if they are not known. */
void json_put_hands(struct json *json, const struct places *places, int seats,
                    const int32_t *points);

#endif
