/* Where the 52 cards of a pack are: in hands, on piles, or still in the deck. A game that keeps its
 * cards so, as a member `places` of its state, gets dealing, secrecy, samples and the invariant
 * that every card is somewhere once from the engine (struct game, `places`).
 *
 * The deck has no order that somebody could find out: it is all cards that are at no place, and
 * NATURE shuffles them before one is drawn. At the deal of a new round it has all cards again. */
#pragma once

#include "engine/chance.h"
#include "engine/json.h"

/* Places 0 to 7 are the hands of the seats; the others are whatever the game says. */
enum { PLACES_MAX = 16, PLACE_HANDS = 8, PLACE_DECK = -1, PACK = 52 };

/* Masks of places. */
enum { ALL_HANDS = (1 << PLACE_HANDS) - 1, ALL_PLACES = (1 << PLACES_MAX) - 1 };

struct places {
    uint64_t at[PLACES_MAX];    /* the cards there, as a set: bit c stands for card c */
    uint8_t unseen[PLACES_MAX]; /* how many more are there that the observer cannot tell */
    uint8_t draw_count;         /* cards that NATURE, who is awaited, moves from the deck ... */
    uint8_t draw_to;            /* ... to this place */
    uint16_t face_up;           /* places whose cards everybody sees, as a mask */
    uint16_t face_down;         /* places whose cards nobody sees but the owner of a hand */
    uint8_t unused[2];
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

/* Draws so many cards from the deck to a place, or all if there are fewer. Where there are fewer,
 * the cards of `pile` (another place, or PLACE_DECK for none) go back to the deck first. NATURE is
 * awaited then, who shuffles the deck and moves the cards; after that the game goes on with
 * whomever its `to_act` awaits. */
void place_draw(struct places *places, int count, int to, int pile);

/* Is there a card to draw, in the deck or in that pile? */
static inline bool place_can_draw(const struct places *places, int pile) {
    return place_count(places, PLACE_DECK) + (pile == PLACE_DECK ? 0 : place_count(places, pile)) >
           0;
}

/* Everybody may see the cards of a place from now on, or nobody but the seat whose hand it is,
 * until the next round is dealt. */
static inline void place_turn_up(struct places *places, int place) {
    places->face_up = (uint16_t)(places->face_up | 1 << place);
    places->face_down = (uint16_t)(places->face_down & ~(1 << place));
}

static inline void place_turn_down(struct places *places, int place) {
    places->face_down = (uint16_t)(places->face_down | 1 << place);
    places->face_up = (uint16_t)(places->face_up & ~(1 << place));
}

static inline bool place_is_up(const struct places *places, int place) {
    return (places->face_up >> place & 1) != 0;
}

/* A mask of the places whose cards a seat sees, or for -1 somebody who looks on: its own hand and
 * what was turned up. Of what was turned neither up nor down it sees all that are no hands, and
 * once the round has ended all. */
uint32_t places_seen(const struct places *places, int seat, bool round_has_ended);

/* What the cards at the places of the mask are worth together; `worth` says it of one card. */
int places_sum(const struct places *places, uint32_t mask, int (*worth)(int card));

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
