/* 4 Kate by volume: the positions after n plies are counted, and random games are compared with a
 * second, slow and obvious implementation of the rules. Single rules are told in stories.txt. */
#include "games/four_kate/four_kate.h"
#include "tests/support.h"

static void start(struct table *table) {
    table_start(table, &four_kate_game, "", 2);
}

/* ---- A second opinion: the rules on a board of characters ---- */

struct board {
    char cell[FOUR_KATE_COLUMNS][FOUR_KATE_ROWS]; /* from the bottom; 0: empty, else 1 + seat */
};

static bool on_board(int column, int row) {
    return column >= 0 && column < FOUR_KATE_COLUMNS && row >= 0 && row < FOUR_KATE_ROWS;
}

static char board_at(const struct board *board, int column, int row) {
    return on_board(column, row) ? board->cell[column][row] : 0;
}

/* How many of `mark` follow each other from the cell in this direction. */
static int run_length(const struct board *board, int column, int row, int right, int up) {
    char mark = board_at(board, column, row);
    int length = 0;
    while (mark != 0 && board_at(board, column + length * right, row + length * up) == mark)
        length++;
    return length;
}

static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};

static uint64_t bit_of(int column, int row) {
    return (uint64_t)1 << (7 * column + row);
}

/* The cells of all lines of four or more, as the bits of four_kate.h. */
static uint64_t board_lines(const struct board *board) {
    uint64_t cells = 0;
    for (int column = 0; column < FOUR_KATE_COLUMNS; column++)
        for (int row = 0; row < FOUR_KATE_ROWS; row++)
            for (int way = 0; way < 4; way++) {
                int right = steps[way][0], up = steps[way][1];
                int length = run_length(board, column, row, right, up);
                for (int i = 0; length >= 4 && i < length; i++)
                    cells |= bit_of(column + i * right, row + i * up);
            }
    return cells;
}

/* The lowest free row of a column, or -1. */
static int board_landing(const struct board *board, int column) {
    for (int row = 0; row < FOUR_KATE_ROWS; row++)
        if (board->cell[column][row] == 0)
            return row;
    return -1;
}

/* ---- Lines ---- */

static const uint64_t not_lines[] = {
    /* the top of one column and the bottom of the next */
    (uint64_t)3 << 4 | (uint64_t)3 << 7,
    (uint64_t)7 << 3 | (uint64_t)1 << 7,
    (uint64_t)1 << 5 | (uint64_t)7 << 7,
    /* a rising diagonal that leaves at the top, a falling one that leaves at the bottom */
    (uint64_t)1 << 3 | (uint64_t)1 << 11 | (uint64_t)1 << 19 | (uint64_t)1 << 28,
    (uint64_t)1 << 2 | (uint64_t)1 << 8 | (uint64_t)1 << 14 | (uint64_t)1 << 19,
    /* a row that goes on in the row above at the other side */
    (uint64_t)1 << 28 | (uint64_t)1 << 35 | (uint64_t)1 << 42 | (uint64_t)1 << 1,
};

static struct board board_of(uint64_t discs) {
    struct board board = {0};
    for (int column = 0; column < FOUR_KATE_COLUMNS; column++)
        for (int row = 0; row < FOUR_KATE_ROWS; row++)
            board.cell[column][row] = (discs & bit_of(column, row)) != 0;
    return board;
}

/* FK-2: no line runs over the edge of a column, whatever lies on the board. */
UNIT_TEST(lines_end_at_the_edges) {
    for (size_t i = 0; i < sizeof not_lines / sizeof not_lines[0]; i++) {
        assert_false(four_kate_wins(not_lines[i]));
        assert_int_equal(four_kate_line(not_lines[i]), 0);
    }
    struct chance chance;
    chance_start_number(&chance, 4, 0);
    for (int i = 0; i < 20000; i++) {
        uint64_t discs;
        chance_bytes(&chance, (uint8_t *)&discs, sizeof discs);
        discs &= FOUR_KATE_BOARD;
        struct board board = board_of(discs);
        uint64_t expected = board_lines(&board);
        assert_int_equal(four_kate_line(discs), expected);
        assert_int_equal(four_kate_wins(discs), expected != 0);
    }
}

static struct result result_of(const struct table *table) {
    struct result result;
    game_result(table->game, &table->state, &result);
    return result;
}

/* ---- By volume ---- */

/* Plays one random game on both boards and compares them at each step; returns the line that won,
 * if any. */
static uint64_t compare_random_game(struct chance *chance) {
    static struct table table;
    struct board board = {0};
    start(&table);
    for (int ply = 0; ply < FOUR_KATE_CELLS; ply++) {
        int seat = ply % 2;
        int column = (int)chance_below(chance, FOUR_KATE_COLUMNS);
        while (board_landing(&board, column) < 0)
            column = (column + 1) % FOUR_KATE_COLUMNS;
        board.cell[column][board_landing(&board, column)] = (char)(1 + seat);
        struct move move = {.verb = FOUR_KATE_DROP, .count = 1, .args = {(uint8_t)(column + 1)}};
        assert_true(game_play(table.game, &table.state, seat, &move, NULL, NULL));
        uint64_t line = board_lines(&board);
        uint32_t awaited = line != 0 || ply == 41 ? 0 : 1u << (1 - seat);
        assert_int_equal(game_to_act(table.game, &table.state), awaited);
        assert_int_equal(result_of(&table).winners, line != 0 ? 1u << seat : 0);
        if (line != 0)
            return line;
    }
    return 0;
}

/* FK-1, FK-2, FK-3: random games go as on a board of characters, and each of the 69 lines of four
 * wins in one of them. */
UNIT_TEST(random_games_follow_the_slow_rules) {
    uint64_t seen[69];
    size_t count = 0;
    struct chance chance;
    chance_start_number(&chance, 7, 0);
    for (int game = 0; game < 6000; game++) {
        uint64_t line = compare_random_game(&chance);
        size_t i = 0;
        while (i < count && seen[i] != line)
            i++;
        if (i == count && __builtin_popcountll(line) == 4)
            seen[count++] = line;
    }
    assert_int_equal(count, 69);
}

/* Every position found so far, in the order of finding, and where to look for it. */
enum { POSITIONS_MAX = 820000, SLOTS = 1 << 21 };

static struct four_kate positions[POSITIONS_MAX];
static uint32_t position_count;
static uint32_t slots[SLOTS]; /* index + 1 into positions; 0: free */

static void remember(const struct four_kate *position) {
    uint64_t hash = (position->discs[0] * 0x9e3779b97f4a7c15) ^ position->discs[1];
    hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9;
    size_t slot = hash >> 43;
    for (; slots[slot] != 0; slot = (slot + 1) % SLOTS) {
        const struct four_kate *other = &positions[slots[slot] - 1];
        if (other->discs[0] == position->discs[0] && other->discs[1] == position->discs[1])
            return;
    }
    assert_true(position_count < POSITIONS_MAX);
    positions[position_count++] = *position;
    slots[slot] = position_count;
}

static void remember_all_after(const struct four_kate *position) {
    static struct game_state before, after;
    struct move moves[GAME_LEGAL_MAX];
    memcpy(before.bytes, position, sizeof *position);
    uint32_t awaited = game_to_act(&four_kate_game, &before);
    if (awaited == 0)
        return;
    int seat = awaited == 1 ? 0 : 1;
    size_t count = game_legal(&four_kate_game, &before, seat, moves);
    for (size_t i = 0; i < count; i++) {
        memcpy(after.bytes, before.bytes, sizeof *position);
        if (!game_play(&four_kate_game, &after, seat, &moves[i], NULL, NULL))
            fail_msg("a legal move was refused");
        struct four_kate next;
        memcpy(&next, after.bytes, sizeof next);
        remember(&next);
    }
}

/* FK-1, FK-2: the number of positions after n plies is a known sequence (OEIS A212693). */
TABLE_TEST(the_positions_after_nine_plies_are_counted) {
    static const uint32_t expected[] = {7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186};
    start(table);
    struct four_kate first;
    memcpy(&first, table->state.bytes, sizeof first);
    remember(&first);
    uint32_t from = 0;
    for (size_t ply = 0; ply < sizeof expected / sizeof expected[0]; ply++) {
        uint32_t to = position_count;
        for (uint32_t i = from; i < to; i++)
            remember_all_after(&positions[i]);
        assert_int_equal(position_count - to, expected[ply]);
        from = to;
    }
}

/* ---- What the platform asks of a game ---- */

/* Nothing is hidden: who looks, and what a bot may imagine, is the table itself. */
TABLE_TEST(everybody_knows_everything) {
    struct game_state seen, sample;
    struct chance chance;
    chance_start_number(&chance, 1, 0);
    start(table);
    table_play(table, "0 drop 4\n1 drop 4\n0 drop 5\n1 drop 3");
    for (int seat = SPECTATOR; seat < 2; seat++) {
        game_observe(table->game, &table->state, seat, &seen);
        assert_memory_equal(seen.bytes, table->state.bytes, sizeof(struct four_kate));
        game_sample(table->game, &seen, seat, &chance, &sample);
        assert_memory_equal(sample.bytes, table->state.bytes, sizeof(struct four_kate));
    }
}

/* The invariants notice what can only be a mistake of ours. */
UNIT_TEST(impossible_boards_do_not_hold) {
    struct four_kate good = {.head = {2}, .plies = 2, .discs = {1, 2}};
    const struct game game = four_kate_game;
    assert_true(game.holds(&good));
    assert_breaks(game, good, bad.starter = 2);
    assert_breaks(game, good,
                  (bad.starter = 1, bad.plies = 1, bad.discs[1] = 0)); /* not its disc */
    assert_breaks(game, good, bad.discs[1] = 1);                       /* two in a cell */
    assert_breaks(game, good, bad.discs[1] = 4);                       /* floating */
    assert_breaks(game, good, bad.plies = 3);                          /* one disc is missing */
    assert_breaks(game, good, bad.discs[1] = 0);                       /* the other's is missing */
    good = (struct four_kate){.head = {2}, .plies = 6, .discs = {0x15, 0x2a}};
    assert_breaks(game, good, (bad.plies = 7, bad.discs[0] = 0x55)); /* over the top */
    assert_breaks(game, good,
                  (bad.plies = 8, bad.discs[0] = 15, bad.discs[1] = 15 << 7)); /* two winners */
}
