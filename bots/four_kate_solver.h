/* 4 Kate solved: who wins with best play, and how soon. Exact as long as the search stays within
 * its number of positions; four_kate_solver.c tells how it works. */
#ifndef BOTS_FOUR_KATE_SOLVER_H
#define BOTS_FOUR_KATE_SOLVER_H

#include "games/four_kate/four_kate.h"

enum {
    FOUR_KATE_SOLVER_ENTRIES = 200003, /* a prime above 2^17: see four_kate_solver.c */
    FOUR_KATE_SCORE_MAX = 21
};

/* What the solver remembers, 1 MB, owned by the caller. */
struct four_kate_solver {
    uint32_t keys[FOUR_KATE_SOLVER_ENTRIES];
    uint8_t bounds[FOUR_KATE_SOLVER_ENTRIES];
    uint32_t positions_left; /* how many more may be looked at */
    bool gave_up;
};

/* The side that moves, and all discs. */
struct four_kate_position {
    uint64_t mine, occupied;
};

void four_kate_solver_start(struct four_kate_solver *solver);

/* The score lies within min and max: positive if the side that moves wins, the higher the sooner (1
 * with its last disc, 2 with the one before ...), negative if it loses, 0 for a draw. False if it
 * was not found within `positions`; the answer is undefined then. */
bool four_kate_solve(struct four_kate_solver *solver, const struct four_kate_position *position,
                     int min, int max, uint32_t positions, int *score);

/* The landings that keep the score, which must be the position's own. False if they were not
 * found within `positions`. */
bool four_kate_best_landings(struct four_kate_solver *solver,
                             const struct four_kate_position *position, int score,
                             uint32_t positions, uint64_t *landings);

#endif
