/* The solver of four_kate_solver.h: alpha-beta on bitboards with a table of upper and lower bounds,
 * asked with zero windows.
 *
 * A position is searched only where the side that moves cannot win at once. Landings that let the
 * other side win at once are left out; those that make the most threats come first, then the
 * centre. The table's key is the sum of the own discs and all discs, which is different for every
 * position and has 49 bits; a place of the table is the key modulo a prime above 2^17, and 32 bits
 * of the key are kept, so that together they name the key exactly. */
#include "bots/four_kate_solver.h"

#include <string.h>

enum { BOUND_OFFSET = 32, UPPER = 0, LOWER = 64 };

static const int centre_first[FOUR_KATE_COLUMNS] = {3, 2, 4, 1, 5, 0, 6};

static uint64_t column(int number) {
    return (uint64_t)63 << (7 * number);
}

/* The empty cells in which one more disc would make a line. */
static uint64_t winning_cells(uint64_t discs, uint64_t occupied) {
    static const int directions[] = {6, 7, 8};
    uint64_t cells = discs << 1 & discs << 2 & discs << 3;
    for (int i = 0; i < 3; i++) {
        int step = directions[i];
        uint64_t two_below = discs << step & discs << 2 * step;
        uint64_t two_above = discs >> step & discs >> 2 * step;
        cells |= two_below & (discs << 3 * step | discs >> step);
        cells |= two_above & (discs >> 3 * step | discs << step);
    }
    return cells & FOUR_KATE_BOARD & ~occupied;
}

static uint64_t landings(uint64_t occupied) {
    return (occupied + FOUR_KATE_BOTTOM) & FOUR_KATE_BOARD;
}

/* Landings after which the other side cannot win at once; it must not be able to win already. */
static uint64_t safe_landings(const struct four_kate_position *position) {
    uint64_t open = landings(position->occupied);
    uint64_t threats = winning_cells(position->occupied ^ position->mine, position->occupied);
    uint64_t forced = open & threats;
    if (forced != 0) {
        if ((forced & (forced - 1)) != 0)
            return 0;
        open = forced;
    }
    return open & ~(threats >> 1);
}

static struct four_kate_position after(const struct four_kate_position *position, uint64_t disc) {
    return (struct four_kate_position){position->occupied ^ position->mine,
                                       position->occupied | disc};
}

/* ---- The table ---- */

static uint64_t key_of(const struct four_kate_position *position) {
    return position->mine + position->occupied;
}

static int look_up(const struct four_kate_solver *solver, uint64_t key) {
    size_t place = key % FOUR_KATE_SOLVER_ENTRIES;
    return solver->keys[place] == (uint32_t)key ? solver->bounds[place] : 0;
}

static void keep(struct four_kate_solver *solver, uint64_t key, int kind, int score) {
    size_t place = key % FOUR_KATE_SOLVER_ENTRIES;
    solver->keys[place] = (uint32_t)key;
    solver->bounds[place] = (uint8_t)(kind + score + BOUND_OFFSET);
}

/* ---- The search ---- */

struct landing {
    uint64_t disc;
    int threats;
};

/* The most promising first. */
static int sort_landings(const struct four_kate_position *position, uint64_t open,
                         struct landing out[FOUR_KATE_COLUMNS]) {
    int count = 0;
    for (int i = 0; i < FOUR_KATE_COLUMNS; i++) {
        uint64_t disc = open & column(centre_first[i]);
        if (disc == 0)
            continue;
        uint64_t occupied = position->occupied | disc;
        int threats = __builtin_popcountll(winning_cells(position->mine | disc, occupied));
        int at = count++;
        for (; at > 0 && out[at - 1].threats < threats; at--)
            out[at] = out[at - 1];
        out[at] = (struct landing){disc, threats};
    }
    return count;
}

/* The score of a position in which nobody wins at once. Recursion is bounded by the cells. */
static int search(struct four_kate_solver *solver, const struct four_kate_position *position,
                  int alpha, int beta) {
    int plies = __builtin_popcountll(position->occupied);
    if (solver->positions_left == 0) {
        solver->gave_up = true;
        return alpha;
    }
    solver->positions_left--;
    uint64_t open = safe_landings(position);
    if (open == 0)
        return plies == FOUR_KATE_CELLS ? 0 : -(FOUR_KATE_CELLS - plies) / 2;
    if (plies >= FOUR_KATE_CELLS - 2)
        return 0;
    int least = -(FOUR_KATE_CELLS - 2 - plies) / 2, most = (FOUR_KATE_CELLS - 1 - plies) / 2;
    uint64_t key = key_of(position);
    int kept = look_up(solver, key);
    if (kept >= LOWER)
        least = kept - LOWER - BOUND_OFFSET;
    else if (kept > 0)
        most = kept - UPPER - BOUND_OFFSET;
    if (alpha < least)
        alpha = least;
    if (beta > most)
        beta = most;
    if (alpha >= beta)
        return alpha;
    struct landing list[FOUR_KATE_COLUMNS];
    int count = sort_landings(position, open, list);
    for (int i = 0; i < count; i++) {
        struct four_kate_position next = after(position, list[i].disc);
        int score = -search(solver, &next, -beta, -alpha);
        if (solver->gave_up)
            return alpha;
        if (score >= beta) {
            keep(solver, key, LOWER, score);
            return score;
        }
        if (score > alpha)
            alpha = score;
    }
    keep(solver, key, UPPER, alpha);
    return alpha;
}

void four_kate_solver_start(struct four_kate_solver *solver) {
    memset(solver, 0, sizeof *solver);
}

static bool wins_at_once(const struct four_kate_position *position) {
    return (winning_cells(position->mine, position->occupied) & landings(position->occupied)) != 0;
}

bool four_kate_solve(struct four_kate_solver *solver, const struct four_kate_position *position,
                     int min, int max, uint32_t positions, int *score) {
    int plies = __builtin_popcountll(position->occupied);
    solver->positions_left = positions;
    solver->gave_up = false;
    if (wins_at_once(position)) {
        *score = (FOUR_KATE_CELLS + 1 - plies) / 2;
        return true;
    }
    while (min < max) { /* first around 0: who wins is asked before how soon */
        int middle = min + (max - min) / 2;
        if (middle <= 0 && min / 2 < middle)
            middle = min / 2;
        else if (middle >= 0 && max / 2 > middle)
            middle = max / 2;
        int found = search(solver, position, middle, middle + 1);
        if (solver->gave_up)
            return false;
        if (found <= middle)
            max = found;
        else
            min = found;
    }
    *score = min;
    return true;
}

bool four_kate_best_landings(struct four_kate_solver *solver,
                             const struct four_kate_position *position, int score,
                             uint32_t positions, uint64_t *out) {
    uint64_t open = landings(position->occupied);
    uint64_t wins = open & winning_cells(position->mine, position->occupied);
    *out = wins;
    if (wins != 0)
        return true;
    for (; open != 0; open &= open - 1) {
        struct four_kate_position next = after(position, open & -open);
        int found;
        if (!four_kate_solve(solver, &next, -score, -score + 1, positions, &found))
            return false;
        positions = solver->positions_left;
        if (-found >= score)
            *out |= open & -open;
    }
    return true;
}
