/* The solver of four_kate_solver.h: alpha-beta on bitboards with a table of upper and lower bounds,
 * asked with zero windows.
 *
 * A position is searched only where the side that moves cannot win at once. Landings that let the
 * other side win at once are left out; those that make the most threats come first, then the
 * centre.
 *
 * A position's key has 49 bits. It is multiplied by an odd number modulo 2^49, which loses nothing;
 * the place in the table follows from the high bits of that, and its low 32 bits are kept. At most
 * 2^32 consecutive numbers share a place if the table has FOUR_KATE_ENTRIES_MIN entries, so that
 * both together name the position exactly. */
#include "bots/four_kate_solver.h"

#include "bots/search.h"
#include "engine/ensure.h"
#include <string.h>

enum { BOUND_OFFSET = 32, UPPER = 0, LOWER = 64, MIRRORED_DISCS = 16 };
enum {
    LATE_EVERY = 16384
}; /* positions: the clock is looked at after so many, a millisecond or so */

const int four_kate_centre_first[FOUR_KATE_COLUMNS] = {3, 2, 4, 1, 5, 0, 6};

uint64_t four_kate_winning_cells(uint64_t discs, uint64_t occupied) {
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

static uint64_t mirror_discs(uint64_t discs) {
    uint64_t mirrored = 0;
    for (int i = 0; i < FOUR_KATE_COLUMNS; i++, discs >>= 7)
        mirrored |= (discs & 127) << (7 * (FOUR_KATE_COLUMNS - 1 - i));
    return mirrored;
}

struct four_kate_position four_kate_mirrored(const struct four_kate_position *position) {
    return (struct four_kate_position){mirror_discs(position->mine),
                                       mirror_discs(position->occupied)};
}

/* Landings after which the other side cannot win at once; it must not be able to win already. */
static uint64_t safe_landings(const struct four_kate_position *position) {
    uint64_t open = four_kate_landings(position->occupied);
    uint64_t threats =
        four_kate_winning_cells(position->occupied ^ position->mine, position->occupied);
    uint64_t forced = open & threats;
    if (forced != 0) {
        if ((forced & (forced - 1)) != 0)
            return 0;
        open = forced;
    }
    return open & ~(threats >> 1);
}

/* ---- The table ---- */

/* The key for the table. While there are few discs, a position and its mirror image share one. */
static uint64_t mixed_key(const struct four_kate_position *position) {
    const uint64_t odd = 0x9e3779b97f4a7c15, mask = ((uint64_t)1 << 49) - 1;
    uint64_t key = four_kate_key(position);
    if (__builtin_popcountll(position->occupied) < MIRRORED_DISCS) {
        struct four_kate_position mirrored = four_kate_mirrored(position);
        uint64_t other = four_kate_key(&mirrored);
        key = other < key ? other : key;
    }
    return key * odd & mask;
}

/* An entry has four bytes of the key, then the bound. */
static uint8_t *entry_of(const struct four_kate_solver *solver, uint64_t key) {
    return solver->table + ((key >> 17) * solver->entries >> 32) * FOUR_KATE_ENTRY_SIZE;
}

static int look_up(const struct four_kate_solver *solver, uint64_t key) {
    const uint8_t *entry = entry_of(solver, key);
    uint32_t kept;
    memcpy(&kept, entry, sizeof kept);
    return kept == (uint32_t)key ? entry[sizeof kept] : 0;
}

static void keep(struct four_kate_solver *solver, uint64_t key, int kind, int score) {
    uint8_t *entry = entry_of(solver, key);
    uint32_t kept = (uint32_t)key;
    memcpy(entry, &kept, sizeof kept);
    entry[sizeof kept] = (uint8_t)(kind + score + BOUND_OFFSET);
}

/* ---- The search ---- */

struct landing {
    uint64_t disc;
    int worth;
};

/* Puts the most promising landing first. Prefetches their entries, because the table does not fit
 * into the cache. */
static int sort_landings(const struct four_kate_solver *solver,
                         const struct four_kate_position *position, uint64_t open,
                         struct landing out[FOUR_KATE_COLUMNS]) {
    int count = 0;
    for (int i = 0; i < FOUR_KATE_COLUMNS; i++) {
        uint64_t disc = open & four_kate_column(four_kate_centre_first[i]);
        if (disc == 0)
            continue;
        struct four_kate_position next = four_kate_after(position, disc);
        __builtin_prefetch(entry_of(solver, mixed_key(&next)));
        uint64_t threats = four_kate_winning_cells(position->mine | disc, next.occupied);
        int worth = __builtin_popcountll(threats);
        int at = count++;
        for (; at > 0 && out[at - 1].worth < worth; at--)
            out[at] = out[at - 1];
        out[at] = (struct landing){disc, worth};
    }
    return count;
}

static bool is_late(const struct four_kate_solver *solver) {
    return solver->budget && solver->positions_left % LATE_EVERY == 0 &&
           search_is_late(solver->budget);
}

/* The score of a position in which nobody wins at once. Recursion is bounded by the cells. */
static int search(struct four_kate_solver *solver, const struct four_kate_position *position,
                  int alpha, int beta) {
    int plies = __builtin_popcountll(position->occupied);
    if (solver->positions_left == 0 || is_late(solver)) {
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
    uint64_t key = mixed_key(position);
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
    int count = sort_landings(solver, position, open, list);
    for (int i = 0; i < count; i++) {
        struct four_kate_position next = four_kate_after(position, list[i].disc);
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

void four_kate_solver_start(struct four_kate_solver *solver, uint32_t entries, uint8_t table[]) {
    ensure(entries >= FOUR_KATE_ENTRIES_MIN);
    memset(table, 0, (size_t)entries * FOUR_KATE_ENTRY_SIZE);
    *solver = (struct four_kate_solver){.entries = entries, .table = table};
}

static bool wins_at_once(const struct four_kate_position *position) {
    return (four_kate_winning_cells(position->mine, position->occupied) &
            four_kate_landings(position->occupied)) != 0;
}

bool four_kate_solve(struct four_kate_solver *solver, const struct four_kate_position *position,
                     int min, int max, uint64_t positions, int *score) {
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

bool four_kate_best_landing(struct four_kate_solver *solver,
                            const struct four_kate_position *position, int min, uint64_t positions,
                            int *score, uint64_t *out) {
    uint64_t open = four_kate_landings(position->occupied);
    uint64_t wins = open & four_kate_winning_cells(position->mine, position->occupied);
    struct landing list[FOUR_KATE_COLUMNS];
    int count = sort_landings(solver, position, wins != 0 ? wins : open, list);
    *out = list[0].disc;
    if (!four_kate_solve(solver, position, min, FOUR_KATE_SCORE_MAX, positions, score))
        return false;
    for (int i = 0; wins == 0 && i < count; i++) {
        struct four_kate_position next = four_kate_after(position, list[i].disc);
        int found;
        *out = list[i].disc;
        if (!four_kate_solve(solver, &next, -*score, -*score + 1, solver->positions_left, &found))
            return false;
        if (-found >= *score)
            break;
    }
    return true;
}
