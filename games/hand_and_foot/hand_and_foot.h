/* Hand & Foot's state, for its rules, its bots, its saves and its tests.
 *
 * A card is one of 53 kinds (card.h: 52 cards and the joker). Copies of a kind
 * are interchangeable, so hands, feet and books count kinds; only the stock and
 * the discard pile have an order. */
#pragma once

#include "engine/game.h"
#include "games/hand_and_foot/books.h"

enum {
    HAND_FOOT_CARDS_MAX = 504, /* nine decks with four jokers each */
    HAND_FOOT_BOOKS_MAX = 72,
    HAND_FOOT_UNDO_CARDS_MAX = 64,
    HAND_FOOT_UNDO_PLAYS_MAX = 16,
    HAND_FOOT_FEW_BYTES = (CARD_KINDS + 1) / 2,
    HAND_FOOT_HISTORY_MAX = 20,    /* rounds remembered; the oldest is forgotten */
    HAND_FOOT_RESHUFFLES_MAX = 40, /* then the round ends as if no card were left */
    HAND_FOOT_NOBODY = 255
};

enum {
    FOOT_LEFT_MIN = 2,       /* so many cards may always be left in the foot, fewer to go out */
    PICKUP_COMPANIONS = 2,   /* cards from the hand that go with the pile's top card */
    STALEMATE_THREES = 10,   /* on top of the pile, or all of it if it has fewer */
    STALEMATE_STOCK_MAX = 9, /* and so few cards to draw from */
    STALEMATE_WARNING = 1,   /* turns of each seat like that until people are warned, ... */
    STALEMATE_END = 2        /* ... and until the round ends */
};

enum hand_foot_verb {
    HAND_FOOT_DRAW = 1,
    HAND_FOOT_TAKE,       /* where the pile's top card must make a group with two of the hand */
    HAND_FOOT_TAKE_MELDS, /* where it may go anywhere: it joins the first group ... */
    HAND_FOOT_TAKE_ADD,   /* ... or goes on a book */
    HAND_FOOT_MELD,
    HAND_FOOT_ADD,
    HAND_FOOT_CLOSE,
    HAND_FOOT_DISCARD,
    HAND_FOOT_UNDO,
    HAND_FOOT_DONE,
    HAND_FOOT_PILE,
    HAND_FOOT_LAY, /* a red three */
    HAND_FOOT_ASK, /* the partner, before going out */
    HAND_FOOT_ANSWER
};

enum hand_foot_phase {
    HAND_FOOT_DEALING, /* the first round is about to be dealt */
    HAND_FOOT_PLAYING,
    HAND_FOOT_SHUFFLING, /* NATURE puts the discards under the stock, then the
                            draw completes */
    HAND_FOOT_ROUND_END,
    HAND_FOOT_GAME_END
};

enum hand_foot_turn {
    HAND_FOOT_TURN_DRAW,
    HAND_FOOT_TURN_MELD,
    HAND_FOOT_TURN_DISCARD,
    HAND_FOOT_TURN_PHASES
};

enum hand_foot_asking { HAND_FOOT_NOT_ASKED, HAND_FOOT_ASKED, HAND_FOOT_GRANTED, HAND_FOOT_DENIED };

enum hand_foot_ending {
    HAND_FOOT_NOT_ENDED,
    HAND_FOOT_WENT_OUT,
    HAND_FOOT_NO_CARDS,
    HAND_FOOT_STALEMATE
};

/* One card of a play that may be undone. */
struct hand_foot_undo_card {
    uint8_t book;
    uint8_t card;
};

struct hand_foot_undo_play {
    uint8_t cards;
    bool opened;    /* it was the side's first meld */
    uint8_t closed; /* no cards, but this book was closed; its index + 1 */
};

STATE_BEGINS
/* Where cards can be since the discard pile was last shuffled under the stock, by all that
 * everybody saw: the shuffled cards lie in the stock or were drawn from it, all others elsewhere.
 * Copies of a kind look alike, so these are numbers that the truth does not exceed (knowledge.c).
 */
struct hand_foot_reshuffled {
    uint8_t in_stock[CARD_KINDS]; /* copies that may lie in the stock */
    uint8_t in_feet[CARD_KINDS];  /* in the feet: hidden ever since the deal */
    uint8_t older[CARD_KINDS];    /* hidden, in hands or feet, and not among the shuffled cards */
    bool known; /* not before the first shuffle of a round; a position may leave it out, too */
    uint16_t drawn[SEATS_MAX]; /* cards in the seat's hand that may be from among them */
};

struct hand_and_foot_public {
    struct game_head head;
    uint8_t phase;
    uint8_t turn_phase;
    uint8_t current;
    uint8_t round; /* from 1; 0 before the first deal */
    uint8_t sides;
    uint8_t asking;
    uint8_t stalemate; /* consecutive discards that met the stalemate condition */
    uint8_t out;       /* who went out */
    uint8_t ending;
    uint8_t book_count;
    uint8_t undo_cards, undo_plays;
    uint8_t history_count;
    uint8_t reshuffles;  /* in this round */
    bool drew_from_deck; /* in this turn (HF-91) */
    uint8_t plays;       /* laid in this turn and not taken back */
    bool foot_now;       /* the foot was picked up in this turn (HF-108) */
    bool in_foot[SEATS_MAX];
    bool chose_pile[SEATS_MAX];       /* has chosen a pile as the hand, or may no longer choose */
    bool melded[SEATS_MAX];           /* by side */
    uint8_t red_threes[SEATS_MAX][2]; /* laid down, by side: hearts, diamonds */
    uint8_t shown[SEATS_MAX][HAND_FOOT_FEW_BYTES]; /* cards that everybody saw go to the hand */
    uint16_t hand_count[SEATS_MAX];
    uint16_t foot_count[SEATS_MAX];
    uint16_t stock_count, pile_count;
    int16_t rules[RULE_COUNT];
    uint8_t unused[2];
    int32_t total[SEATS_MAX];                         /* by side */
    uint8_t pile[HAND_FOOT_CARDS_MAX];                /* the top card last; all were seen */
    struct hand_foot_book books[HAND_FOOT_BOOKS_MAX]; /* in the order of laying */
    struct hand_foot_undo_card undo_card[HAND_FOOT_UNDO_CARDS_MAX];
    struct hand_foot_undo_play undo_play[HAND_FOOT_UNDO_PLAYS_MAX];
    int32_t history[HAND_FOOT_HISTORY_MAX][SEATS_MAX]; /* score of each round by side */
    uint8_t history_out[HAND_FOOT_HISTORY_MAX];
    uint16_t turns; /* of this round, for statistics */
    struct hand_foot_reshuffled reshuffled;
    uint8_t unused_too[2];
};

struct hand_and_foot {
    PUBLIC_PART(struct hand_and_foot_public);
    uint8_t new_cards[SEATS_MAX][HAND_FOOT_FEW_BYTES]; /* newly drawn copies of each kind */
    uint8_t hand[SEATS_MAX][CARD_KINDS];
    uint8_t foot[SEATS_MAX][CARD_KINDS];
    uint8_t stock[HAND_FOOT_CARDS_MAX]; /* the next card last */
};
STATE_ENDS

_Static_assert(sizeof(struct hand_and_foot) <= GAME_STATE_SIZE_MAX, "it fits into any state");
_Static_assert((int)HAND_FOOT_CARDS_MAX <= (int)DEAL_CARDS_MAX, "all cards fit into a deal");

/* ---- Cards ---- */

/* What a card counts in a book, or for a first meld. */
int hand_foot_points(const int16_t *rules, int card);
/* What it costs in a hand or foot when the round ends; never negative (HF-C12).
 */
int hand_foot_penalty(const int16_t *rules, int card);

/* ---- Counts of each kind in half a byte: no kind has more than 9 copies; only of jokers there may
 * be more, and they have the last byte to themselves ---- */

_Static_assert(CARD_JOKER == CARD_KINDS - 1 && CARD_KINDS % 2 == 1, "jokers have a whole byte");

static inline int hand_foot_few(const uint8_t counts[HAND_FOOT_FEW_BYTES], int card) {
    int pair = counts[card / 2];
    return card == CARD_JOKER ? pair : pair >> 4 * (card % 2) & 15;
}

/* Unpacks all counts to a byte each; the last byte is padding. A simple loop, so that compilers
 * vectorise it. */
static inline void hand_foot_unpack_few(const uint8_t counts[HAND_FOOT_FEW_BYTES],
                                        uint8_t kinds[2 * HAND_FOOT_FEW_BYTES]) {
    for (int i = 0; i < HAND_FOOT_FEW_BYTES; i++) {
        kinds[2 * i] = counts[i] & 15;
        kinds[2 * i + 1] = counts[i] >> 4;
    }
    kinds[CARD_JOKER] = counts[HAND_FOOT_FEW_BYTES - 1];
}

/* No count falls below zero. */
static inline void hand_foot_few_add(uint8_t counts[HAND_FOOT_FEW_BYTES], int card, int change) {
    if (hand_foot_few(counts, card) + change >= 0)
        counts[card / 2] = (uint8_t)(counts[card / 2] + change * (1 << 4 * (card % 2)));
}

/* How many copies of a kind the seat has newly drawn (HF-25). */
static inline int hand_foot_new(const struct hand_and_foot *state, int seat, int card) {
    return hand_foot_few(state->new_cards[seat], card);
}

/* How many copies the seat must have in hand by all that everybody saw: cards that it took from the
 * pile, or laid and took back, and has not played since. A card that is played may always be one of
 * them. */
static inline int hand_foot_shown(const struct hand_and_foot *state, int seat, int card) {
    return hand_foot_few(state->shown[seat], card);
}

/* ---- Books ---- */

int hand_foot_side(const struct hand_and_foot *state, int seat);
/* Adds a book's cards to counts of each kind. */
void hand_foot_add_book_cards(const struct hand_foot_book *book, uint8_t kinds[CARD_KINDS]);
bool hand_foot_book_complete(const struct hand_and_foot *state, const struct hand_foot_book *book);
/* A clean meld of so many cards that a wild would be a pity: tables ask before one goes onto it
 * (HF-C49). */
bool hand_foot_worth_keeping(const struct hand_foot_book *book);
int hand_foot_book_points(const int16_t *rules, const struct hand_foot_book *book);
int hand_foot_book_bonus(const struct hand_and_foot *state, const struct hand_foot_book *book);

/* The side's nth book, from 1 in the order of laying; its index in `books`, or
 * -1. */
int hand_foot_find_book(const struct hand_and_foot *state, int side, int number);
/* The number of the book at that index, the reverse of hand_foot_find_book. */
int hand_foot_book_number(const struct hand_and_foot *state, int index);

/* The index of the side's latest book of that rank among the first `count` books of the table, or
 * -1. */
int hand_foot_latest_book(const struct hand_and_foot *state, int side, int rank, int count);

/* How many complete books of each kind the side has; books of wilds count as dirty. */
void hand_foot_count_books(const struct hand_and_foot *state, int side, int *clean, int *dirty);

/* How many more books of that kind (RULE_OUT_CLEAN, RULE_OUT_DIRTY) are missing to go out if there
 * are `have` of them. */
int hand_foot_books_missing(const struct hand_and_foot *state, enum hand_foot_rule kind, int have);
/* Are so many complete books enough to go out? */
bool hand_foot_books_suffice(const struct hand_and_foot *state, int clean, int dirty);

/* ---- Score ---- */

/* Has the round been scored? Then all hands and feet lie open. */
static inline bool hand_foot_round_is_over(const struct hand_and_foot *state) {
    return state->phase == HAND_FOOT_ROUND_END || state->phase == HAND_FOOT_GAME_END;
}

struct hand_foot_score {
    int melds;   /* cards in books */
    int bonuses; /* of complete books */
    int hand_cards, hand_penalty;
    int foot_cards, foot_penalty;
    int red_threes;
    int going_out;
    int total;
};

/* What the side's round is worth if it ended now (HF-69 to HF-73). */
void hand_foot_score_side(const struct hand_and_foot *state, int side, struct hand_foot_score *out);

/* ---- Questions that bots and views ask ---- */

/* Points of a first meld of the current round that are needed at least. */
int hand_foot_first_meld(const struct hand_and_foot *state);
/* Are so many points enough for a first meld? */
bool hand_foot_is_enough(const struct hand_and_foot *state, int points);
/* The fewest points that are. */
int hand_foot_enough(const struct hand_and_foot *state);
bool hand_foot_may_take(const struct hand_and_foot *state, int seat, struct refusal *why);
/* HF-C7, TF-C15: would the seat be stranded with so many cards of its foot, if its side's books
 * change by so many? Whoever has fewer than FOOT_LEFT_MIN must go out with them, which takes the
 * books and, at some tables, the partner's leave. */
bool hand_foot_is_stranded(const struct hand_and_foot *state, int seat, int cards, int clean_change,
                           int dirty_change);
/* HF-101, HF-102: are there enough cards for a draw once the discards, all but the top card, are
 * shuffled under the stock? A round has only so many shuffles. */
bool hand_foot_shuffle_fills_draw(const struct hand_and_foot *state);
/* Which of HAND_FOOT_TAKE and HAND_FOOT_TAKE_MELDS the rule book knows. */
int hand_foot_take_verb(const struct hand_and_foot *state);
bool hand_foot_frozen(const struct hand_and_foot *state);
/* How many cards whoever takes the pile gets of it, the top card among them. */
int hand_foot_pickup_size(const struct hand_and_foot *state);

extern const struct game hand_and_foot_game;
