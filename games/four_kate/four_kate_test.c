/* 4 Kate's rules as tests. Two of them are proofs by volume: the positions after n plies are
 * counted, and random games are compared with a second, slow and obvious implementation of the
 * rules. */
#include "games/four_kate/four_kate.h"
#include "tests/support.h"

static void start(struct table *table) {
    table_start(table, &four_kate_game, "", 2);
}

/* Drops discs into the columns, one digit each, for whoever is awaited. */
static void drop(struct table *table, const char *columns) {
    for (; *columns; columns++) {
        uint32_t awaited = game_to_act(table->game, &table->state);
        assert_true(awaited == 1 || awaited == 2);
        char line[16];
        snprintf(line, sizeof line, "%d drop %c", awaited == 1 ? 0 : 1, *columns);
        table_play(table, line);
    }
}

/* A whole game from an empty board. */
static void play(struct table *table, const char *columns) {
    start(table);
    drop(table, columns);
}

/* Writes "11 21" (column, row) as the list of cells that views and events hold. */
static void cells_json(const char *cells, char *out, size_t size) {
    struct text text;
    text_begin(&text, out, size);
    text_char(&text, '[');
    for (const char *at = cells; *at; at += at[2] ? 3 : 2) {
        char cell[40];
        snprintf(cell, sizeof cell, "%s{\"column\":%c,\"row\":%c}", at > cells ? "," : "", at[0],
                 at[1]);
        text_string(&text, cell);
    }
    text_char(&text, ']');
    assert_false(text.cut);
}

/* Expects the game to be over and everybody to be shown this winner and these cells. */
static void assert_over(struct table *table, const char *winner, const char *cells) {
    char list[512], json[640];
    cells_json(cells, list, sizeof list);
    snprintf(json, sizeof json, "{\"winner\":%s,\"winningCells\":%s}", winner, list);
    table_told(table, "game-over", json);
    assert_int_equal(table_event(table, "game-over", 0)->audience, EVERYONE);
    assert_int_equal(table->events.count, 2);
    snprintf(json, sizeof json, "\"currentPlayerIndex\":null,\"winner\":%s,\"winningCells\":%s,",
             winner, list);
    for (int viewer = SPECTATOR; viewer < 2; viewer++) {
        assert_true(table_shows(table, viewer, "{\"phase\":\"game_over\","));
        assert_true(table_shows(table, viewer, json));
        assert_true(table_shows(table, viewer, "\"turn\":[]"));
    }
    assert_int_equal(game_to_act(table->game, &table->state), 0);
}

/* Expects the game to go on, and nobody to be told otherwise. */
static void assert_playing(struct table *table) {
    assert_null(table_event(table, "game-over", 0));
    assert_true(table_shows(table, SPECTATOR, "{\"phase\":\"playing\","));
    assert_true(table_shows(table, SPECTATOR, "\"winner\":null,\"winningCells\":[],"));
    assert_int_not_equal(game_to_act(table->game, &table->state), 0);
}

/* 42 discs without a line: the colours alternate within a column, and no four neighbouring columns
 * begin alike. */
#define FULL_BOARD "111111222222555555666666733333344444477777"

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

/* ---- Board and turns ---- */

/* PL-1, PL-3: the registry's entry. */
UNIT_TEST(the_entry_says_what_the_game_is) {
    assert_string_equal(four_kate_game.id, "4-kate");
    assert_string_equal(four_kate_game.name, "4 Kate");
    assert_string_equal(four_kate_game.icon, "\xF0\x9F\x94\xB4");
    assert_ptr_equal(strstr(four_kate_game.summary, "Connect four"), four_kate_game.summary);
    assert_string_equal(four_kate_game.table_figures[0], "discs");
    assert_string_equal(four_kate_game.table_figures[1], "draws");
    assert_null(four_kate_game.table_figures[2]);
    assert_int_equal(four_kate_game.players_default, 2);
    table_refuses_start(&four_kate_game, "", 1, "INVALID_SETTING", "4 Kate needs 2 players, not 1");
    table_refuses_start(&four_kate_game, "", 3, "INVALID_SETTING", "4 Kate needs 2 players, not 3");
    table_refuses_start(&four_kate_game, "columns=8", 2, "INVALID_SETTING",
                        "Unknown setting 'columns'");
}

#define EMPTY_ROW "[null,null,null,null,null,null,null]"

/* FK-1: 7 columns, 6 rows. FK-4, FK-C1: seat 0 starts the first game. */
TABLE_TEST(the_first_view_is_an_empty_board) {
    start(table);
    assert_string_equal(table_view(table, SPECTATOR),
                        "{\"phase\":\"playing\",\"starter\":0,\"board\":[" EMPTY_ROW "," EMPTY_ROW
                        "," EMPTY_ROW "," EMPTY_ROW "," EMPTY_ROW "," EMPTY_ROW
                        "],\"currentPlayerIndex\":0,\"winner\":null,"
                        "\"winningCells\":[],\"nextStarter\":1,\"turn\":[0],\"legal\":[]}");
    assert_string_equal(table_legal(table, 0),
                        "drop 1; drop 2; drop 3; drop 4; drop 5; drop 6; drop 7");
    assert_string_equal(table_legal(table, 1), "");
}

/* FK-1: the board is sent from the top row down; both seats see the same. */
TABLE_TEST(discs_show_where_they_lie) {
    play(table, "4437");
    static const char board[] =
        "\"board\":[" EMPTY_ROW "," EMPTY_ROW "," EMPTY_ROW "," EMPTY_ROW
        ",[null,null,null,1,null,null,null],[null,null,0,0,null,null,1]],\"currentPlayerIndex\":0,";
    for (int viewer = OMNISCIENT; viewer < 2; viewer++)
        assert_true(table_shows(table, viewer, board));
    assert_true(table_shows(table, 0,
                            "\"turn\":[0],\"legal\":[{\"type\":\"drop\",\"payload\":{\"column\":1},"
                            "\"move\":\"drop 1\"},{\"type\":\"drop\",\"payload\":{\"column\":2},"));
    assert_true(table_shows(table, 1, "\"turn\":[0],\"legal\":[]}"));
    assert_false(table_shows(table, OMNISCIENT, "\"legal\""));
}

/* FK-1: the players take turns. */
TABLE_TEST(the_players_alternate) {
    start(table);
    for (int ply = 0; ply < 6; ply++) {
        char turn[64];
        snprintf(turn, sizeof turn, "\"turn\":[%d]", ply % 2);
        assert_int_equal(game_to_act(table->game, &table->state), 1 << ply % 2);
        assert_true(table_shows(table, SPECTATOR, turn));
        assert_string_equal(table_legal(table, 1 - ply % 2), "");
        drop(table, "1");
    }
    assert_string_equal(table_legal(table, 0), "drop 2; drop 3; drop 4; drop 5; drop 6; drop 7");
}

/* FK-1: a disc falls to the lowest free cell of each column; the event says where it lies. */
TABLE_TEST(a_disc_falls_to_the_lowest_free_cell) {
    for (int column = 1; column <= FOUR_KATE_COLUMNS; column++) {
        start(table);
        for (int row = 1; row <= FOUR_KATE_ROWS; row++) {
            char digit[2] = {(char)('0' + column), 0};
            char told[64];
            drop(table, digit);
            snprintf(told, sizeof told, "{\"seatIndex\":%d,\"column\":%d,\"row\":%d}",
                     (row - 1) % 2, column, row);
            table_told(table, "disc-dropped", told);
            assert_int_equal(table_event(table, "disc-dropped", 0)->audience, EVERYONE);
            assert_int_equal(table->events.count, 1);
        }
    }
}

TABLE_TEST(the_terminal_shows_the_board) {
    static const char *const names[] = {"Ann", "Bob"};
    char buffer[512];
    struct text text;
    play(table, "44173");
    text_begin(&text, buffer, sizeof buffer);
    game_show(table->game, &table->state, 0, names, &text);
    assert_string_equal(buffer, "  1 2 3 4 5 6 7\n"
                                "  . . . . . . .\n"
                                "  . . . . . . .\n"
                                "  . . . . . . .\n"
                                "  . . . . . . .\n"
                                "  . . . O . . .\n"
                                "  X . X X . . O\n"
                                "  X Ann   O Bob\n");
}

/* ---- Lines ---- */

/* FK-2: rows, columns and both diagonals win, at every edge; the disc before the last does not. */
TABLE_TEST(four_in_line_win_at_every_edge) {
    static const struct {
        const char *columns, *winner, *cells;
    } games[] = {
        /* rows: bottom left, bottom right, top left, top right */
        {"1122334", "0", "11 21 31 41"},
        {"7766554", "0", "41 51 61 71"},
        {"33723514213147742174121332244", "0", "16 26 36 46"},
        {"51775414541547776576466156624", "0", "46 56 66 76"},
        /* columns: the outer ones, from the bottom and up to the top */
        {"1212121", "0", "11 12 13 14"},
        {"77172737", "1", "72 73 74 75"},
        {"111512141", "0", "13 14 15 16"},
        {"777375767", "0", "73 74 75 76"},
        /* rising: from the bottom left, to the top right, to the top left, from the bottom right */
        {"3242413344", "1", "11 22 33 44"},
        {"663656746647475771755", "0", "43 54 65 76"},
        {"4224333241426427341371", "1", "13 24 35 46"},
        {"6774556677", "1", "41 52 63 74"},
        /* falling: from the top left, to the bottom right, to the bottom left, from the top right
         */
        {"44231174213122113223", "1", "16 25 34 43"},
        {"4447545566", "1", "44 53 62 71"},
        {"2232131411", "1", "14 23 32 41"},
        {"765513764456754454456", "0", "46 55 64 73"},
    };
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        char before[48];
        snprintf(before, strlen(games[i].columns), "%s", games[i].columns);
        play(table, before);
        assert_playing(table);
        drop(table, games[i].columns + strlen(before));
        assert_over(table, games[i].winner, games[i].cells);
    }
}

/* FK-2: all cells that make a line are highlighted, in lines longer than four and in two lines. */
TABLE_TEST(every_winning_cell_is_highlighted) {
    play(table, "172747563");
    assert_over(table, "0", "11 21 31 41 51");
    play(table, "1122335566774");
    assert_over(table, "0", "11 21 31 41 51 61 71");
    play(table, "35732542233254");
    assert_over(table, "1", "22 24 32 33 42 51 52");
    play(table, "7766177757553365254");
    assert_over(table, "0", "11 21 31 41 51 52 61 63 71 74");
}

/* FK-2: three in line, four with a gap, four of both colours, four around a column's edge. */
TABLE_TEST(less_than_four_in_line_do_not_win) {
    play(table, "11223355");
    assert_playing(table);
    play(table, "1234567");
    assert_playing(table);
    /* Seat 0 ends with the top two of column 1 and the bottom two of column 2. */
    play(table, "111117172626");
    assert_playing(table);
}

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

/* ---- The end ---- */

static struct result result_of(const struct table *table) {
    struct result result;
    game_result(table->game, &table->state, &result);
    return result;
}

/* FK-3: 42 discs without a line are a draw. FK-C1: a draw has no winners. */
TABLE_TEST(a_full_board_without_a_line_is_a_draw) {
    char before[] = FULL_BOARD;
    assert_int_equal(strlen(before), FOUR_KATE_CELLS);
    before[FOUR_KATE_CELLS - 1] = 0;
    play(table, before);
    assert_playing(table);
    assert_string_equal(table_legal(table, 1), "drop 7");
    drop(table, "7");
    assert_over(table, "null", "");
    struct result result = result_of(table);
    assert_true(result.over);
    assert_int_equal(result.winners, 0);
    assert_int_equal(result.score[0], 0);
    assert_int_equal(result.score[1], 0);
    assert_int_equal(table_counts(table, SPECTATOR, 0), 42);
    assert_int_equal(table_counts(table, SPECTATOR, 1), 1);
}

/* FK-2, FK-3: the last disc may still win. */
TABLE_TEST(the_last_disc_may_win) {
    play(table, "473725347123341712511124675567466466235235");
    assert_over(table, "1", "46 56 66 76");
    struct result result = result_of(table);
    assert_int_equal(result.winners, 1 << 1);
    assert_int_equal(table_counts(table, SPECTATOR, 0), 42);
    assert_int_equal(table_counts(table, SPECTATOR, 1), 0);
}

/* FK-2: who completes a line wins, the other does not. */
TABLE_TEST(the_result_names_the_winner) {
    play(table, "112233");
    struct result result = result_of(table);
    assert_false(result.over);
    assert_int_equal(result.winners, 0);
    assert_int_equal(table_counts(table, SPECTATOR, 1), 0);
    drop(table, "4");
    result = result_of(table);
    assert_true(result.over);
    assert_int_equal(result.sides, 2);
    assert_int_equal(result.side_of[0], 0);
    assert_int_equal(result.side_of[1], 1);
    assert_int_equal(result.winners, 1 << 0);
    assert_int_equal(result.score[0], 1);
    assert_int_equal(result.score[1], 0);
    assert_int_equal(table_counts(table, SPECTATOR, 0), 7);
    assert_int_equal(table_counts(table, SPECTATOR, 1), 0);
    play(table, "77172737");
    result = result_of(table);
    assert_int_equal(result.winners, 1 << 1);
    assert_int_equal(result.score[1], 1);
}

/* ---- Play again ---- */

/* FK-4: play again empties the board and changes the starter, whoever won. */
TABLE_TEST(play_again_changes_the_starter) {
    static const char *const games[] = {"1122334", "77172737", FULL_BOARD, "1212121"};
    start(table);
    for (int game = 0; game < 4; game++) {
        int starter = game % 2;
        char shown[128];
        assert_int_equal(game_to_act(table->game, &table->state), 1 << starter);
        snprintf(shown, sizeof shown, "{\"phase\":\"playing\",\"starter\":%d,\"board\":[" EMPTY_ROW,
                 starter);
        assert_true(table_shows(table, SPECTATOR, shown));
        assert_playing(table);
        drop(table, games[game]);
        assert_string_equal(table_legal(table, 0), "again");
        assert_string_equal(table_legal(table, 1), "again");
        table_play(table, game % 2 == 0 ? "0 again" : "1 again");
        snprintf(shown, sizeof shown, "{\"starter\":%d}", 1 - starter);
        table_told(table, "game-started", shown);
        assert_int_equal(table_event(table, "game-started", 0)->audience, EVERYONE);
        assert_int_equal(table_counts(table, SPECTATOR, 0), 0);
    }
}

/* FK-4, FK-2: with the other starter the discs still belong to who dropped them. */
TABLE_TEST(the_second_game_counts_for_the_right_seat) {
    play(table, "1122334");
    table_play(table, "1 again");
    drop(table, "1122334");
    assert_over(table, "1", "11 21 31 41");
    assert_int_equal(result_of(table).winners, 1 << 1);
    assert_true(table_shows(table, 0,
                            "[1,1,1,1,null,null,null]],\"currentPlayerIndex\":null,\"winner\":1"));
    struct game_state quiet = table->state;
    assert_true(game_play(table->game, &quiet, 0, &(struct move){.verb = MOVE_AGAIN}, NULL, NULL));
    table_play(table, "0 again");
    assert_memory_equal(quiet.bytes, table->state.bytes, sizeof(struct four_kate));
}

/* FK-4, PL-23: a running game cannot be started anew, and strangers cannot start one at all. */
TABLE_TEST(play_again_waits_for_the_end) {
    start(table);
    table_refuses(table, "0 again", "WRONG_PHASE", NULL);
    drop(table, "112233");
    table_refuses(table, "0 again", "WRONG_PHASE", NULL);
    table_refuses(table, "1 again", "WRONG_PHASE", NULL);
    drop(table, "4");
    table_refuses(table, "2 again", "NOT_A_MEMBER", NULL);
    table_refuses(table, "0 again now", "BAD_REQUEST", NULL);
}

/* ---- Refusals ---- */

/* FK-5, PL-28: a full column. */
TABLE_TEST(a_full_column_takes_no_disc) {
    play(table, "111111");
    table_refuses(table, "0 drop 1", "COLUMN_FULL", "Column 1 is full");
    drop(table, "7777772");
    table_refuses(table, "1 drop 7", "COLUMN_FULL", "Column 7 is full");
    assert_string_equal(table_legal(table, 1), "drop 2; drop 3; drop 4; drop 5; drop 6");
}

/* FK-5, PL-27: what is no column from 1 to 7, or is missing, or is more than one. */
TABLE_TEST(a_bad_column_is_refused) {
    static const char *const lines[] = {
        "0 drop",     "0 drop 0",   "0 drop 8",    "0 drop 255",        "0 drop 256",  "0 drop 257",
        "0 drop 260", "0 drop -1",  "0 drop -252", "0 drop 4294967297", "0 drop four", "0 drop 4x",
        "0 drop 1.5", "0 drop 0x4", "0 drop null", "0 drop true",
    };
    start(table);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        table_refuses(table, lines[i], "INVALID_COLUMN", "Choose a column from 1 to 7");
    table_refuses(table, "0 drop 4 4", "BAD_REQUEST", "The move should end before '4'");
    table_refuses(table, "0 drop 4 please", "BAD_REQUEST", NULL);
}

static void assert_check_refuses(const struct table *table, int seat, const struct move *move,
                                 const char *code) {
    struct refusal why = {0};
    assert_false(game_check(table->game, &table->state, seat, move, &why));
    assert_string_equal(why.code, code);
}

/* FK-5, PL-27: the same for moves that were never written as text. */
TABLE_TEST(a_malformed_move_is_refused) {
    start(table);
    struct refusal why;
    struct move unknown = {.verb = 0, .count = 1, .args = {4}};
    assert_false(game_check(table->game, &table->state, 0, &unknown, &why));
    assert_string_equal(why.code, "BAD_REQUEST");
    assert_string_equal(why.text, "Unknown move");
    assert_check_refuses(table, 0, &(struct move){.verb = 2, .count = 1, .args = {4}},
                         "BAD_REQUEST");
    assert_check_refuses(table, 0, &(struct move){.verb = 1, .count = 0, .args = {4}},
                         "BAD_REQUEST");
    assert_check_refuses(table, 0, &(struct move){.verb = 1, .count = 2, .args = {4, 4}},
                         "BAD_REQUEST");
    assert_check_refuses(table, 0, &(struct move){.verb = 1, .count = 63, .args = {4}},
                         "BAD_REQUEST");
}

/* FK-5: words that are no move, and people who have no seat. */
TABLE_TEST(other_words_are_no_moves) {
    start(table);
    table_refuses(table, "0 throw 4", "BAD_REQUEST", "Unknown move 'throw'; try: drop 4");
    table_refuses(table, "0 Drop 4", "BAD_REQUEST", NULL);
    table_refuses(table, "0 4", "BAD_REQUEST", NULL);
    table_refuses(table, "0", "BAD_REQUEST", "A move is missing");
    table_refuses(table, "2 drop 4", "NOT_A_MEMBER", NULL);
    table_refuses(table, "- drop 4", "BAD_REQUEST", NULL);
    table_refuses(table, "- deal", "WRONG_PHASE", NULL);
}

/* FK-5, PL-23: out of turn. */
TABLE_TEST(the_other_seat_has_to_wait) {
    start(table);
    table_refuses(table, "1 drop 4", "NOT_YOUR_TURN", "Not your turn");
    table_play(table, "0 drop 4");
    table_refuses(table, "0 drop 4", "NOT_YOUR_TURN", "Not your turn");
    table_play(table, "1 drop 4");
    table_refuses(table, "1 drop 4", "NOT_YOUR_TURN", NULL);
}

/* FK-5, PL-23: after the end, won or drawn. */
TABLE_TEST(nothing_is_dropped_after_the_end) {
    play(table, "1122334");
    table_refuses(table, "1 drop 4", "WRONG_PHASE", "Wrong phase");
    table_refuses(table, "0 drop 4", "WRONG_PHASE", NULL);
    play(table, FULL_BOARD);
    table_refuses(table, "0 drop 4", "WRONG_PHASE", NULL);
    table_refuses(table, "1 drop 4", "WRONG_PHASE", NULL);
}

/* FK-5, PL-28: the form, the seat, the phase, the turn, the column, its room: the first check that
 * fails answers. */
TABLE_TEST(checks_come_in_a_fixed_order) {
    play(table, "111111");
    table_refuses(table, "2 drop 9", "NOT_A_MEMBER", NULL);
    table_refuses(table, "1 drop 1 1", "BAD_REQUEST", NULL);
    table_refuses(table, "1 drop 9", "NOT_YOUR_TURN", NULL);
    table_refuses(table, "1 drop 1", "NOT_YOUR_TURN", NULL);
    table_refuses(table, "0 drop 9", "INVALID_COLUMN", NULL);
    play(table, "1212121");
    table_refuses(table, "0 drop 9", "WRONG_PHASE", NULL);
    table_refuses(table, "2 drop 2", "NOT_A_MEMBER", NULL);
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
    play(table, "4453");
    for (int seat = SPECTATOR; seat < 2; seat++) {
        game_observe(table->game, &table->state, seat, &seen);
        assert_memory_equal(seen.bytes, table->state.bytes, sizeof(struct four_kate));
        game_sample(table->game, &seen, seat, &chance, &sample);
        assert_memory_equal(sample.bytes, table->state.bytes, sizeof(struct four_kate));
    }
}

/* Bots take 1.5 to 3 seconds; nothing else makes people wait. */
TABLE_TEST(the_pace_is_the_usual_one) {
    start(table);
    struct pace pace = game_pace(table->game, &table->state);
    assert_int_equal(pace.bot_delay_ms_min, 1500);
    assert_int_equal(pace.bot_delay_ms_max, 3000);
    assert_int_equal(pace.show_ms, 0);
}

static bool holds_with(const struct four_kate *state) {
    return four_kate_game.holds(state);
}

/* The invariants notice what can only be a mistake of ours. */
UNIT_TEST(impossible_boards_do_not_hold) {
    struct four_kate good = {.head = {2}, .plies = 2, .discs = {1, 2}};
    struct four_kate bad;
    assert_true(holds_with(&good));
    bad = good, bad.starter = 2;
    assert_false(holds_with(&bad));
    bad = good, bad.starter = 1, bad.plies = 1, bad.discs[1] = 0; /* not the starter's disc */
    assert_false(holds_with(&bad));
    bad = good, bad.discs[1] = 1; /* two in a cell */
    assert_false(holds_with(&bad));
    bad = good, bad.discs[1] = 4; /* floating */
    assert_false(holds_with(&bad));
    bad = good, bad.plies = 3; /* one disc is missing */
    assert_false(holds_with(&bad));
    bad = good, bad.discs[1] = 0; /* the other's is missing */
    assert_false(holds_with(&bad));
    bad = (struct four_kate){.head = {2}, .plies = 7, .discs = {0x55, 0x2a}}; /* over the top */
    assert_false(holds_with(&bad));
    bad = (struct four_kate){.head = {2}, .plies = 8, .discs = {15, 15 << 7}}; /* two winners */
    assert_false(holds_with(&bad));
}
