/* A play of cards from the hand onto books, checked as a whole before anything
 * moves. Melds, additions and pile pick-ups are all plans; this is the one
 * place where books' rules stand. */
#ifndef GAMES_HAND_AND_FOOT_PLAN_H
#define GAMES_HAND_AND_FOOT_PLAN_H

#include "games/hand_and_foot/hand_and_foot.h"

enum { PLAN_GROUPS_MAX = 20, NEW_BOOK = -1 };

/* Cards that go onto one book, and what that book will be afterwards. */
struct plan_group {
    int book;         /* index, NEW_BOOK, or an earlier group of this plan: PLAN_EARLIER +
                         its place */
    int first, count; /* its cards in plan.cards */
    struct hand_foot_book after;
};

enum { PLAN_EARLIER = 1000 };

struct plan {
    int seat;
    int side;
    uint8_t cards[MOVE_ARGS_MAX + 1];
    int card_count;
    int from_hand; /* how many of them come from the hand; one may be the pile's
                      top card */
    int group_count;
    struct plan_group groups[PLAN_GROUPS_MAX];
    int points;
    int clean_change, dirty_change; /* in the side's complete books */
};

void plan_begin(struct plan *plan, const struct hand_and_foot *state, int seat);

/* Adds the next group: for a given book (index), or NEW_BOOK to find out by the
 * rules. `top` is a card that does not come from the hand, or -1. */
bool plan_add_group(struct plan *plan, const struct hand_and_foot *state, int book,
                    const uint8_t *cards, int count, int top, struct refusal *why);

/* A book as counts, which is all that the books' rules look at once the rank is right. */
struct plan_book {
    int rank;
    bool full; /* closed, where books are closed by hand; complete elsewhere */
    int naturals, wilds;
};

struct plan_book plan_book_of(const struct hand_and_foot *state, const struct hand_foot_book *book);

/* Would the books' rules let so many cards go onto that book, or make a new group of that rank? The
 * quick form of a plan for lists of moves. `latest` is the side's latest book of the rank, an index
 * or NEW_BOOK. */
bool plan_may_grow(const int16_t *rules, const struct plan_book *book, int naturals, int wilds);
bool plan_may_open(const struct hand_and_foot *state, int latest, int rank, int naturals,
                   int wilds);

/* Puts a card onto a book, or with sign -1 takes it off. */
void plan_put(struct hand_foot_book *book, int card, int sign);

/* Are all those cards in the hand? */
bool plan_in_hand(const struct hand_and_foot *state, int seat, const uint8_t *cards, int count);

/* Are that many points enough for a first meld? */
bool plan_is_enough(const struct hand_and_foot *state, int points);

/* HF-46 to HF-49: if it is the side's first meld, is it worth enough? */
bool plan_reaches_minimum(const struct plan *plan, const struct hand_and_foot *state,
                          struct refusal *why);

/* Moves the cards onto the books; `top` has left the pile already. */
void plan_execute(const struct plan *plan, struct hand_and_foot *state, int top);

#endif
