/* Who's Deal? with open cards: how many tricks each team takes when both play as well as can be
 * done and everybody sees all hands. Bots ask it about sampled deals, hints and analysis about real
 * ones. Exact, for two, three or four seats in play, any number of cards left, and in the middle of
 * a trick. whos_deal_solver.c tells how it works. */
#pragma once

#include "games/whos_deal/whos_deal.h"

enum { WHOS_DEAL_SOLVER_ENTRIES = 4096, WHOS_DEAL_SOLVER_ILLEGAL = -1 };

/* A position that was searched: the fewest and the most tricks its leader's side takes from it. */
struct whos_deal_solver_entry {
    uint64_t key; /* 0 while the entry is free */
    uint8_t fewest, most;
};

/* What the solver remembers, 64 KB, owned by the caller. An entry holds for good, whatever the
 * deal, trump or score: one solver serves any number of positions and need not be started again. */
struct whos_deal_solver {
    struct whos_deal_solver_entry entries[WHOS_DEAL_SOLVER_ENTRIES];
};

/* A position in the play of a hand. All seats in play that have not yet played to the trick hold
 * the same number of cards, 1 to 5 or, after the last trick, 0; those that have played hold one
 * less. What a seat that sits out holds does not matter. */
struct whos_deal_position {
    uint32_t hand[WHOS_DEAL_SEATS];
    uint8_t trump;
    uint8_t sitting_out;                /* mask of seats */
    uint8_t lead;                       /* who leads the current trick */
    uint8_t trick_count;                /* cards in it, fewer than there are seats in play */
    uint8_t trick[WHOS_DEAL_SEATS - 1]; /* in the order played */
    uint8_t tricks[2];                  /* already taken, by team */
};

/* Empties the table; once is enough. */
void whos_deal_solver_start(struct whos_deal_solver *solver);

/* Takes over a state in phase WHOS_DEAL_PLAYING whose hands are all known. */
void whos_deal_position_from(const struct whos_deal *state, struct whos_deal_position *out);

/* Whose turn it is. */
int whos_deal_position_turn(const struct whos_deal_position *position);

/* How many tricks the team takes in all, those already taken included. */
int whos_deal_solver_tricks(struct whos_deal_solver *solver,
                            const struct whos_deal_position *position, int team);

/* Does the team take at least so many tricks in all? Faster than asking for the number. */
bool whos_deal_solver_at_least(struct whos_deal_solver *solver,
                               const struct whos_deal_position *position, int team, int tricks);

/* For each card: how many tricks in all the team whose turn it is takes after playing it, or
 * WHOS_DEAL_SOLVER_ILLEGAL for a card that may not be played. */
void whos_deal_solver_cards(struct whos_deal_solver *solver,
                            const struct whos_deal_position *position,
                            int8_t tricks_by_card[WHOS_DEAL_CARDS]);
