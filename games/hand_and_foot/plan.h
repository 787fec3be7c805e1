/* A play of cards from the hand onto books, checked as a whole before anything moves. Melds,
 * additions and taking the pile are all plans. What may lie on a book is decided in books.h. */
#pragma once

#include "games/hand_and_foot/hand_and_foot.h"

/* Values that stand for the index of a book that is not on the table yet. */
enum { PLAN_GROUPS_MAX = 20, NEW_BOOK = -1, BOOK_OF_EARLIER_GROUP = -2 };

/* Cards that go onto one book, and what that book will be afterwards. */
struct plan_group {
    int book;         /* an index, NEW_BOOK or BOOK_OF_EARLIER_GROUP ... */
    int earlier;      /* ... which is this group of the plan */
    int first, count; /* its cards in plan.cards */
    struct hand_foot_book after;
};

struct plan {
    int seat;
    int side;
    struct book_rules rules;
    uint8_t cards[MOVE_ARGS_MAX + 1];
    int card_count;
    int from_hand; /* how many of them come from the hand; one may be the pile's
                      top card */
    int group_count;
    struct plan_group groups[PLAN_GROUPS_MAX];
    int points;                     /* counted for a first meld only */
    int clean_change, dirty_change; /* in the side's complete books */
};

void plan_begin(struct plan *plan, const struct hand_and_foot *state, int seat);

/* Adds the next group: for a given book (index), or NEW_BOOK to find out by the
 * rules. `top` is a card that does not come from the hand, or -1. */
bool plan_add_group(struct plan *plan, const struct hand_and_foot *state, int book,
                    const uint16_t *cards, int count, int top, struct refusal *why);

/* ---- What a hand could lay ---- */

/* How many wilds of its hand a seat may lay with so many naturals of a rank as a new group. */
struct plan_range {
    int least, most; /* most < least: there is no such group */
    int book;        /* that it goes onto, an index or NEW_BOOK */
};

/* With a rank of HAND_FOOT_WILD_RANK and no naturals: a group of wilds alone. Red threes are never
 * among the naturals. */
struct plan_range plan_range_of(const struct hand_and_foot *state, int seat, int rank,
                                int naturals);

/* The kinds of naturals that a group of that rank is made of; for HAND_FOOT_WILD_RANK all wilds. */
int plan_kinds_of(int rank, uint8_t kinds[CARD_SUITS + 1]);

/* Up to `most` cards of those kinds from a hand; returns how many there are. */
int plan_pick_cards(const uint8_t *hand, int rank, uint16_t *out, int most);

/* ---- Other questions ---- */

/* Puts a card onto a book, or with sign -1 takes it off. */
void plan_put(struct hand_foot_book *book, int card, int sign);

/* Are all those cards in the hand? */
bool plan_in_hand(const struct hand_and_foot *state, int seat, const uint16_t *cards, int count);

/* HF-46 to HF-49: if it is the side's first meld, is it worth enough? */
bool plan_reaches_minimum(const struct plan *plan, const struct hand_and_foot *state,
                          struct refusal *why);

/* Moves the cards onto the books; `top` has left the pile already. */
void plan_execute(const struct plan *plan, struct hand_and_foot *state, int top);
