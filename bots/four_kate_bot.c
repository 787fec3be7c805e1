/* 4 Kate's bots (FK-6). Easy wins if it can, overlooks one block in four, and likes the middle.
 * Medium always blocks as well, and does not drop a disc under a cell that wins for the other side.
 * Hard looks ten plies ahead by alpha-beta on bitboards, the centre first. Expert plays perfectly:
 * by its book at first, then by the solver. Where it takes over a game that the book does not know,
 * and the solver does not find the score within its bound, it looks one ply farther than hard. */
#include "bots/four_kate_book.h"
#include "bots/players.h"
#include "bots/search.h"

enum {
    DEPTH = 10,
    DEPTH_EXPERT = 11,
    DEPTH_FEW = 4,
    WIN = 10000,
    SOLVER_POSITIONS = 4000000,      /* far more than are needed after the book, in any game */
    SOLVER_POSITIONS_EARLY = 400000, /* while the book should know; some 20 ms */
    SOLVER_DISCS = 8,           /* with fewer on the board the solver would not come to an end */
    POSITIONS_PER_WORLD = 1000, /* that the solver may look at for each world of a budget */
    WORLDS_FEW = 10,            /* with fewer, both look only DEPTH_FEW plies ahead */
    LAPSE = 4                   /* easy overlooks a block once in so many times */
};

static const int centre_first[FOUR_KATE_COLUMNS] = {3, 2, 4, 1, 5, 0, 6};

struct position {
    uint64_t mine, theirs;
};

static uint64_t occupied(const struct position *position) {
    return position->mine | position->theirs;
}

/* The cells in which one more disc would make a line. */
static uint64_t completing(uint64_t discs) {
    static const int directions[] = {1, 6, 7, 8};
    uint64_t cells = 0;
    for (int i = 0; i < 4; i++) {
        int step = directions[i];
        uint64_t two_below = discs << step & discs << 2 * step;
        uint64_t two_above = discs >> step & discs >> 2 * step;
        cells |= two_below & (discs << 3 * step | discs >> step);
        cells |= two_above & (discs >> 3 * step | discs << step);
    }
    return cells;
}

static uint64_t landings(const struct position *position) {
    return (occupied(position) + FOUR_KATE_BOTTOM) & FOUR_KATE_BOARD;
}

/* Counts open threats, and discs near the middle. */
static int judge(const struct position *position) {
    static const uint64_t centre = (uint64_t)63 << 21,
                          beside = (uint64_t)63 << 14 | (uint64_t)63 << 28;
    uint64_t empty = FOUR_KATE_BOARD & ~occupied(position);
    return 12 * (__builtin_popcountll(completing(position->mine) & empty) -
                 __builtin_popcountll(completing(position->theirs) & empty)) +
           3 * (__builtin_popcountll(position->mine & centre) -
                __builtin_popcountll(position->theirs & centre)) +
           (__builtin_popcountll(position->mine & beside) -
            __builtin_popcountll(position->theirs & beside));
}

static struct position after(const struct position *position, uint64_t disc) {
    return (struct position){position->theirs, position->mine | disc};
}

/* What the position is worth to the side that moves; a win counts more the sooner it comes. */
static int search(const struct position *position, int depth, int alpha, int beta) {
    uint64_t open = landings(position);
    if (open == 0)
        return 0;
    if ((open & completing(position->mine)) != 0)
        return WIN + depth;
    uint64_t must_block = open & completing(position->theirs);
    if (must_block != 0)
        open = must_block & -must_block; /* two of them cannot both be blocked */
    if (depth == 0)
        return judge(position);
    for (int i = 0; i < FOUR_KATE_COLUMNS; i++) {
        uint64_t disc = open & (uint64_t)63 << (7 * centre_first[i]);
        if (disc == 0)
            continue;
        struct position next = after(position, disc);
        int value = -search(&next, depth - 1, -beta, -alpha);
        if (value >= beta)
            return value;
        if (value > alpha)
            alpha = value;
    }
    return alpha;
}

/* One of the best landings, chosen at random. */
static uint64_t best_of(const struct position *position, int depth, struct chance *chance) {
    uint64_t best[FOUR_KATE_COLUMNS];
    uint32_t count = 0;
    int best_value = -2 * WIN;
    for (int i = 0; i < FOUR_KATE_COLUMNS; i++) {
        uint64_t disc = landings(position) & (uint64_t)63 << (7 * centre_first[i]);
        if (disc == 0)
            continue;
        struct position next = after(position, disc);
        int value = -search(&next, depth - 1, -2 * WIN, -(best_value - 1));
        if (value > best_value) {
            best_value = value;
            count = 0;
        }
        if (value == best_value)
            best[count++] = disc;
    }
    return best[chance_below(chance, count)];
}

static uint64_t random_of(uint64_t cells, struct chance *chance) {
    uint32_t skip = chance_below(chance, (uint32_t)__builtin_popcountll(cells));
    for (; skip > 0; skip--)
        cells &= cells - 1;
    return cells & -cells;
}

static int from_middle(uint64_t disc) {
    int column = __builtin_ctzll(disc) / 7, middle = FOUR_KATE_COLUMNS / 2;
    return column > middle ? column - middle : middle - column;
}

/* Of two random cells the one that is nearer to the middle. */
static uint64_t near_middle(uint64_t cells, struct chance *chance) {
    uint64_t one = random_of(cells, chance), other = random_of(cells, chance);
    return from_middle(one) < from_middle(other) ? one : other;
}

/* Landings that do not offer the other side a winning cell right above, if there are any. */
static uint64_t safe_landings(const struct position *position) {
    uint64_t open = landings(position);
    uint64_t safe = open & ~(completing(position->theirs) >> 1);
    return safe != 0 ? safe : open;
}

/* Keeps win, draw or loss, and wins as soon as possible; 0 if neither book nor solver knows how. */
static uint64_t perfect(const struct position *position, const struct bot_budget *budget) {
    uint8_t table[FOUR_KATE_ENTRIES * FOUR_KATE_ENTRY_SIZE];
    struct four_kate_solver solver;
    struct four_kate_position solvable = {position->mine, occupied(position)};
    int discs = __builtin_popcountll(solvable.occupied), score;
    uint64_t disc = four_kate_book_landing(&solvable);
    if (disc != 0 || discs < SOLVER_DISCS)
        return disc;
    four_kate_solver_start(&solver, FOUR_KATE_ENTRIES, table);
    solver.budget = budget;
    uint64_t positions = discs < FOUR_KATE_BOOK_DISCS ? SOLVER_POSITIONS_EARLY : SOLVER_POSITIONS;
    if (budget->worlds > 0)
        positions = (uint64_t)budget->worlds * POSITIONS_PER_WORLD;
    bool found =
        four_kate_best_landing(&solver, &solvable, -FOUR_KATE_SCORE_MAX, positions, &score, &disc);
    return found ? disc : 0;
}

/* What the clock cut short looks a few plies ahead. */
static uint64_t think(const struct position *position, enum bot_level level,
                      const struct bot_budget *budget, struct chance *chance) {
    uint64_t disc = level == BOT_EXPERT ? perfect(position, budget) : 0;
    bool brief = (budget->worlds > 0 && budget->worlds < WORLDS_FEW) ||
                 (disc == 0 && search_is_late(budget));
    int depth = brief ? DEPTH_FEW : level == BOT_EXPERT ? DEPTH_EXPERT : DEPTH;
    return disc != 0 ? disc : best_of(position, depth, chance);
}

static void choose(const void *seen, int seat, enum bot_level level,
                   const struct bot_budget *budget, struct chance *chance, struct move *out) {
    const struct four_kate *state = seen;
    struct position position = {state->discs[seat], state->discs[seat ^ 1]};
    uint64_t open = landings(&position);
    uint64_t wins = open & completing(position.mine);
    uint64_t blocks = open & completing(position.theirs);
    uint64_t disc;
    if (wins != 0)
        disc = random_of(wins, chance);
    else if (blocks != 0 && (level > BOT_EASY || chance_below(chance, LAPSE) > 0))
        disc = random_of(blocks, chance);
    else if (level <= BOT_MEDIUM)
        disc = near_middle(level == BOT_EASY ? open : safe_landings(&position), chance);
    else
        disc = think(&position, level, budget, chance);
    out->verb = FOUR_KATE_DROP;
    out->count = 1;
    out->args[0] = (uint16_t)(__builtin_ctzll(disc) / 7 + 1);
}

const struct bot_player four_kate_player = {
    .game_id = "4-kate", .plays_easy = true, .choose = choose};
