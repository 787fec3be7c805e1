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
    WORTH_THREAT = 12,          /* a cell with which a side would win, beside ... */
    WORTH_MIDDLE = 3,           /* ... a disc in the middle, and 1 for one beside that */
    LAPSE = 4                   /* easy overlooks a block once in so many times */
};

static uint64_t theirs(const struct four_kate_position *position) {
    return position->occupied ^ position->mine;
}

static uint64_t landings(const struct four_kate_position *position) {
    return four_kate_landings(position->occupied);
}

/* The cells with which the side that moves would win, and those with which the other one would. */
static uint64_t winning(const struct four_kate_position *position) {
    return four_kate_winning_cells(position->mine, position->occupied);
}

static uint64_t threatened(const struct four_kate_position *position) {
    return four_kate_winning_cells(theirs(position), position->occupied);
}

/* By how many more of these cells are mine. */
static int lead(const struct four_kate_position *position, uint64_t cells) {
    return __builtin_popcountll(position->mine & cells) -
           __builtin_popcountll(theirs(position) & cells);
}

/* Counts open threats, and discs near the middle. */
static int judge(const struct four_kate_position *position) {
    uint64_t middle = four_kate_column(FOUR_KATE_COLUMNS / 2);
    uint64_t beside =
        four_kate_column(FOUR_KATE_COLUMNS / 2 - 1) | four_kate_column(FOUR_KATE_COLUMNS / 2 + 1);
    int threats =
        __builtin_popcountll(winning(position)) - __builtin_popcountll(threatened(position));
    return WORTH_THREAT * threats + WORTH_MIDDLE * lead(position, middle) + lead(position, beside);
}

/* What the position is worth to the side that moves; a win counts more the sooner it comes. */
static int search(const struct four_kate_position *position, int depth, int alpha, int beta) {
    uint64_t open = landings(position);
    if (open == 0)
        return 0;
    if ((open & winning(position)) != 0)
        return WIN + depth;
    uint64_t must_block = open & threatened(position);
    if (must_block != 0)
        open = must_block & -must_block; /* two of them cannot both be blocked */
    if (depth == 0)
        return judge(position);
    for (int i = 0; i < FOUR_KATE_COLUMNS; i++) {
        uint64_t disc = open & four_kate_column(four_kate_centre_first[i]);
        if (disc == 0)
            continue;
        struct four_kate_position next = four_kate_after(position, disc);
        int value = -search(&next, depth - 1, -beta, -alpha);
        if (value >= beta)
            return value;
        if (value > alpha)
            alpha = value;
    }
    return alpha;
}

/* One of the best landings, chosen at random. */
static uint64_t best_of(const struct four_kate_position *position, int depth,
                        struct chance *chance) {
    uint64_t best[FOUR_KATE_COLUMNS];
    uint32_t count = 0;
    int best_value = -2 * WIN;
    for (int i = 0; i < FOUR_KATE_COLUMNS; i++) {
        uint64_t disc = landings(position) & four_kate_column(four_kate_centre_first[i]);
        if (disc == 0)
            continue;
        struct four_kate_position next = four_kate_after(position, disc);
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
static uint64_t safe_landings(const struct four_kate_position *position) {
    uint64_t open = landings(position);
    uint64_t safe = open & ~(threatened(position) >> 1);
    return safe != 0 ? safe : open;
}

/* Keeps win, draw or loss, and wins as soon as possible; 0 if neither book nor solver knows how. */
static uint64_t perfect(const struct four_kate_position *position,
                        const struct bot_budget *budget) {
    uint8_t table[FOUR_KATE_ENTRIES * FOUR_KATE_ENTRY_SIZE];
    struct four_kate_solver solver;
    int discs = __builtin_popcountll(position->occupied), score;
    uint64_t disc = four_kate_book_landing(position);
    if (disc != 0 || discs < SOLVER_DISCS)
        return disc;
    four_kate_solver_start(&solver, FOUR_KATE_ENTRIES, table);
    solver.budget = budget;
    uint64_t positions = discs < FOUR_KATE_BOOK_DISCS ? SOLVER_POSITIONS_EARLY : SOLVER_POSITIONS;
    if (budget->worlds > 0)
        positions = (uint64_t)budget->worlds * POSITIONS_PER_WORLD;
    bool found =
        four_kate_best_landing(&solver, position, -FOUR_KATE_SCORE_MAX, positions, &score, &disc);
    return found ? disc : 0;
}

/* What the clock cut short looks a few plies ahead. */
static uint64_t think(const struct four_kate_position *position, enum bot_level level,
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
    struct four_kate_position position = {state->discs[seat], state->discs[0] | state->discs[1]};
    uint64_t open = landings(&position);
    uint64_t wins = open & winning(&position);
    uint64_t blocks = open & threatened(&position);
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
