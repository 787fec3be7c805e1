/* 4 Kate solved: who wins with best play, and how soon. Exact as long as the search stays within
 * its number of positions; four_kate_solver.c tells how it works. */
#pragma once

#include "bots/bot.h"
#include "games/four_kate/four_kate.h"

enum {
    FOUR_KATE_SCORE_MAX = 21,
    FOUR_KATE_ENTRY_SIZE = 5, /* bytes */
    FOUR_KATE_ENTRIES_MIN =
        132000, /* the fewest with which keys are exact; four_kate_solver.c says why */
    FOUR_KATE_ENTRIES = 200000 /* of the bot's table, which takes 1 MB */
};

/* The columns from the middle outwards: the best ones are tried first. */
extern const int four_kate_centre_first[FOUR_KATE_COLUMNS];

/* What the solver remembers. The table belongs to the caller and has room for so many entries; the
 * more there are, the less is searched twice. */
struct four_kate_solver {
    uint32_t entries;
    uint8_t *table;
    uint64_t positions_left; /* how many more may be looked at */
    bool gave_up;
    const struct bot_budget *budget; /* whose clock also makes it give up; null: there is none */
};

/* The side that moves, and all discs. */
struct four_kate_position {
    uint64_t mine, occupied;
};

/* Where it stands after the side that moves dropped this disc. */
static inline struct four_kate_position four_kate_after(const struct four_kate_position *position,
                                                        uint64_t disc) {
    return (struct four_kate_position){position->occupied ^ position->mine,
                                       position->occupied | disc};
}

/* The same with left and right exchanged. */
struct four_kate_position four_kate_mirrored(const struct four_kate_position *position);

/* A number below 2^49, different for every position. */
static inline uint64_t four_kate_key(const struct four_kate_position *position) {
    return position->mine + position->occupied;
}

/* Where discs may land now. */
static inline uint64_t four_kate_landings(uint64_t occupied) {
    return (occupied + FOUR_KATE_BOTTOM) & FOUR_KATE_BOARD;
}

/* The empty cells in which one more of these discs would make a line. */
uint64_t four_kate_winning_cells(uint64_t discs, uint64_t occupied);

/* Empties the table. */
void four_kate_solver_start(struct four_kate_solver *solver, uint32_t entries, uint8_t table[]);

/* The score lies within min and max: positive if the side that moves wins, the higher the sooner (1
 * with its last disc, 2 with the one before ...), negative if it loses, 0 for a draw. False if it
 * was not found within `positions`; the answer is undefined then. */
bool four_kate_solve(struct four_kate_solver *solver, const struct four_kate_position *position,
                     int min, int max, uint64_t positions, int *score);

/* The score, which must be known to be at least `min`, and a landing that keeps it: the first in
 * the solver's order, so that it does not depend on what the table holds. The board must not be
 * full. False if they were not found within `positions`. */
bool four_kate_best_landing(struct four_kate_solver *solver,
                            const struct four_kate_position *position, int min, uint64_t positions,
                            int *score, uint64_t *out);
