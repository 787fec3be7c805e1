/* Up-N-Down's state, for its rules, its bots and its tests. */
#pragma once

#include "engine/game.h"

enum {
    UP_N_DOWN_PILES = 4, /* piles 0 and 1 ascend, 2 and 3 descend; people count from 1 */
    UP_N_DOWN_CARDS_MAX = 98,
    UP_N_DOWN_HAND_MAX = 11 /* an undo puts one card more into a full hand of ten */
};

enum up_n_down_verb {
    UP_N_DOWN_PLAY = 1, /* args: card, pile from 1 */
    UP_N_DOWN_UNDO,
    UP_N_DOWN_END,
    UP_N_DOWN_PREFER /* args: pile from 1, level */
};

enum up_n_down_level { UP_N_DOWN_NONE, UP_N_DOWN_LIKE, UP_N_DOWN_REALLY_LIKE, UP_N_DOWN_LOVE };

enum up_n_down_phase { UP_N_DOWN_DEALING, UP_N_DOWN_PLAYING, UP_N_DOWN_WON, UP_N_DOWN_LOST };

/* A set of card values: bit v % 64 of word v / 64. */
struct card_set {
    uint64_t word[2];
};

STATE_BEGINS
struct up_n_down_public {
    struct game_head head;
    uint8_t phase;
    /* Settings. */
    uint8_t card_min, card_max, hand_size, cards_per_turn;
    bool undo_allowed, refill, debug;
    uint8_t players_min, players_max; /* only kept to be shown */
    /* The turn. */
    uint8_t current;
    uint8_t played_this_turn;
    bool can_undo; /* the last play of the log may be taken back */
    /* Cards. */
    uint8_t hand_count[SEATS_MAX];
    uint8_t top[UP_N_DOWN_PILES];
    uint8_t draw_count;
    uint8_t play_count;
    uint8_t played[UP_N_DOWN_CARDS_MAX];      /* every card on the piles, oldest first ... */
    uint8_t played_pile[UP_N_DOWN_CARDS_MAX]; /* ... and where it lies */
    uint8_t preference[SEATS_MAX][UP_N_DOWN_PILES];
    struct card_set shown[SEATS_MAX]; /* taken back from a pile: everybody knows who has them */
    /* Statistics, by seat. */
    uint8_t cards_played[SEATS_MAX];
    uint8_t special_plays[SEATS_MAX];
    uint16_t movement[SEATS_MAX];
};

struct up_n_down {
    PUBLIC_PART(struct up_n_down_public);
    struct card_set hand[SEATS_MAX];
    uint8_t draw[UP_N_DOWN_CARDS_MAX]; /* the next card last */
    uint8_t unused[6];
};
STATE_ENDS

static inline bool card_set_has(const struct card_set *set, int value) {
    return (set->word[value >> 6 & 1] >> (value & 63) & 1) != 0;
}

static inline void card_set_flip(struct card_set *set, int value) {
    set->word[value >> 6] ^= (uint64_t)1 << (value & 63);
}

static inline bool up_n_down_ascends(int pile) {
    return pile < 2;
}

/* The value that an empty pile counts as (UD-C1). */
static inline int up_n_down_base(const struct up_n_down *state, int pile) {
    return up_n_down_ascends(pile) ? state->card_min - 1 : state->card_max + 1;
}

/* UD-5: the one card that steps back on a pile, ten against its direction; it may be outside of the
 * deck. */
enum { UP_N_DOWN_BACK = 10 };
static inline int up_n_down_back_card(int pile, int top) {
    return up_n_down_ascends(pile) ? top - UP_N_DOWN_BACK : top + UP_N_DOWN_BACK;
}

static inline bool up_n_down_is_special(int pile, int top, int card) {
    return card == up_n_down_back_card(pile, top);
}

static inline bool up_n_down_fits(int pile, int top, int card) {
    return (up_n_down_ascends(pile) ? card > top : card < top) ||
           up_n_down_is_special(pile, top, card);
}

static inline bool up_n_down_solitaire(const struct up_n_down *state) {
    return state->head.seats == 1;
}

/* UD-21, UD-C6: what the turn still demands is judged by the draw pile as it is now. */
static inline int up_n_down_minimum(const struct up_n_down *state) {
    return state->draw_count > 0 ? state->cards_per_turn : 1;
}

/* The cards of a set that fit on some pile, or on the one pile. */
struct card_set up_n_down_fitting(const struct up_n_down *state, const struct card_set *cards);

extern const struct game up_n_down_game;
