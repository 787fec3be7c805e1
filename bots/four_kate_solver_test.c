/* 4 Kate's solver against plain minimax and published values, and what the expert does with it and
 * with its book. */
#include "bots/bot.h"
#include "bots/four_kate_book.h"
#include "tests/support.h"

enum { ENTRIES = 4000000 }; /* more than the bot's, so that much is verified soon */

static struct four_kate_solver solver;
static uint8_t table[ENTRIES * FOUR_KATE_ENTRY_SIZE];

static void start(uint32_t entries) {
    four_kate_solver_start(&solver, entries, table);
}

static int score_of(const struct four_kate_position *position) {
    int score;
    assert_true(four_kate_solve(&solver, position, -FOUR_KATE_SCORE_MAX, FOUR_KATE_SCORE_MAX,
                                UINT64_MAX, &score));
    return score;
}

/* The score by trying everything. */
static int plain(const struct four_kate_position *position) {
    int plies = __builtin_popcountll(position->occupied), best = -FOUR_KATE_SCORE_MAX;
    if (plies == FOUR_KATE_CELLS)
        return 0;
    for (int column = 0; column < FOUR_KATE_COLUMNS; column++) {
        uint64_t disc = four_kate_landing(position->occupied, column);
        if (disc == 0)
            continue;
        if (four_kate_wins(position->mine | disc))
            return (FOUR_KATE_CELLS + 1 - plies) / 2;
        struct four_kate_position next = four_kate_after(position, disc);
        int score = -plain(&next);
        best = score > best ? score : best;
    }
    return best;
}

/* Random discs, until there are so many and nobody has won. */
static void put_discs(struct four_kate_position *position, int plies, struct chance *chance) {
    memset(position, 0, sizeof *position);
    while (__builtin_popcountll(position->occupied) < plies) {
        int column = (int)chance_below(chance, FOUR_KATE_COLUMNS);
        uint64_t disc = four_kate_landing(position->occupied, column);
        if (disc == 0)
            continue;
        if (four_kate_wins(position->mine | disc))
            memset(position, 0, sizeof *position);
        else
            *position = four_kate_after(position, disc);
    }
}

UNIT_TEST(solves_as_trying_everything_does) {
    struct chance chance;
    chance_start_number(&chance, 4, 1);
    start(FOUR_KATE_ENTRIES_MIN); /* kept from position to position */
    for (int i = 0; i < 400; i++) {
        struct four_kate_position position;
        put_discs(&position, 27 + i % 15, &chance);
        assert_int_equal(score_of(&position), plain(&position));
    }
}

/* The first landing in the solver's order that keeps the score: win, draw or loss, and a win no
 * later. */
UNIT_TEST(the_best_landing_keeps_the_score) {
    struct chance chance;
    chance_start_number(&chance, 4, 2);
    start(FOUR_KATE_ENTRIES);
    for (int i = 0; i < 200; i++) {
        struct four_kate_position position;
        uint64_t disc;
        int score;
        put_discs(&position, 28 + i % 13, &chance);
        assert_true(four_kate_best_landing(&solver, &position, -FOUR_KATE_SCORE_MAX, UINT64_MAX,
                                           &score, &disc));
        assert_int_equal(score, plain(&position));
        assert_true((disc & four_kate_landings(position.occupied)) != 0);
        struct four_kate_position next = four_kate_after(&position, disc);
        if (!four_kate_wins(position.mine | disc))
            assert_int_equal(-plain(&next), score);
        else
            assert_int_equal((FOUR_KATE_CELLS + 1 - (28 + i % 13)) / 2, score);
    }
}

UNIT_TEST(a_search_that_is_too_large_is_given_up) {
    struct four_kate_position empty = {0, 0};
    int score;
    start(FOUR_KATE_ENTRIES);
    assert_false(
        four_kate_solve(&solver, &empty, -FOUR_KATE_SCORE_MAX, FOUR_KATE_SCORE_MAX, 1000, &score));
}

/* ---- The expert ---- */

/* Columns from 1 to 7, as games are written down. */
static void put_columns(struct four_kate_position *position, const char *columns) {
    memset(position, 0, sizeof *position);
    for (; *columns != '\0'; columns++)
        *position =
            four_kate_after(position, four_kate_landing(position->occupied, *columns - '1'));
}

static uint64_t expert_landing(const struct four_kate_position *position, struct chance *chance) {
    struct game_state state;
    struct four_kate *game = (void *)state.bytes;
    struct options options;
    struct move move;
    options_default(&four_kate_game.options, &options);
    assert_true(game_start(&four_kate_game, &state, &options, 2, NULL));
    game->plies = (uint8_t)__builtin_popcountll(position->occupied);
    int seat = __builtin_ctz(game_to_act(&four_kate_game, &state));
    game->discs[seat] = position->mine;
    game->discs[seat ^ 1] = position->occupied ^ position->mine;
    bot_choose(&four_kate_game, &state, seat, BOT_EXPERT, chance, &move);
    assert_true(game_check(&four_kate_game, &state, seat, &move, NULL));
    return four_kate_landing(position->occupied, move.args[0] - 1);
}

/* Two experts play on. How many discs are on the board when one has won; 0 if nobody does. */
static int play_to_the_end(struct four_kate_position position, struct chance *chance) {
    while (position.occupied != FOUR_KATE_BOARD) {
        uint64_t disc = expert_landing(&position, chance);
        if (four_kate_wins(position.mine | disc))
            return __builtin_popcountll(position.occupied) + 1;
        position = four_kate_after(&position, disc);
    }
    return 0;
}

/* What is published: the middle wins, with the last disc of the side that begins. The discs beside
 * it draw, the next lose against the last disc of all, and the outermost against the one before it.
 * The side that began with such a disc is in no book, so it may also fare worse. */
UNIT_TEST(FK_6_first_discs_end_as_published) {
    static const struct {
        const char *columns;
        bool second_wins;
        int discs_max;
    } openings[] = {{"3", false, 42}, {"5", false, 42}, {"2", true, 42},
                    {"6", true, 42},  {"1", true, 40},  {"7", true, 40}};
    struct chance chance;
    chance_start_number(&chance, 4, 3);
    assert_int_equal(play_to_the_end((struct four_kate_position){0, 0}, &chance), 41);
    for (size_t i = 0; i < sizeof openings / sizeof openings[0]; i++) {
        struct four_kate_position position;
        put_columns(&position, openings[i].columns);
        int discs = play_to_the_end(position, &chance);
        assert_true(discs % 2 == 0 && discs <= openings[i].discs_max);
        assert_true(discs > 0 || !openings[i].second_wins);
    }
}

/* From the empty board and against any play: what the expert does is always in the book at first,
 * and from where that can be verified soon, each of its moves keeps the score of the position. */
UNIT_TEST(FK_6_the_expert_gives_nothing_away) {
    struct chance chance;
    chance_start_number(&chance, 4, 4);
    start(ENTRIES);
    for (int i = 0; i < 60; i++) {
        struct four_kate_position position = {0, 0};
        for (int discs = 0; position.occupied != FOUR_KATE_BOARD; discs++) {
            int column = (int)chance_below(&chance, FOUR_KATE_COLUMNS);
            uint64_t open = four_kate_landings(position.occupied);
            uint64_t disc = open & four_kate_column(column);
            if (disc == 0)
                disc = open & -open;
            if (discs % 2 == i % 2) {
                disc = expert_landing(&position, &chance);
                uint64_t theirs = position.occupied ^ position.mine;
                uint64_t obvious = four_kate_winning_cells(position.mine, position.occupied) |
                                   four_kate_winning_cells(theirs, position.occupied);
                if (discs < FOUR_KATE_BOOK_DISCS && (obvious & open) == 0)
                    assert_true(four_kate_book_landing(&position) == disc);
            }
            if (four_kate_wins(position.mine | disc))
                break;
            struct four_kate_position next = four_kate_after(&position, disc);
            if (discs % 2 == i % 2 && discs >= 13)
                assert_int_equal(-score_of(&next), score_of(&position));
            position = next;
        }
    }
}

/* Where the book ends, the bot's table and far less than its bound are enough. */
UNIT_TEST(FK_6_after_the_book_the_solver_is_fast) {
    struct chance chance;
    chance_start_number(&chance, 4, 5);
    for (int i = 0; i < 40; i++) {
        struct four_kate_position position;
        uint64_t disc;
        int score;
        put_discs(&position, FOUR_KATE_BOOK_DISCS + i % 4, &chance);
        start(FOUR_KATE_ENTRIES);
        assert_true(four_kate_best_landing(&solver, &position, -FOUR_KATE_SCORE_MAX, 2000000,
                                           &score, &disc));
    }
}

/* A game that the book would not have played so far is none that it knows. */
UNIT_TEST(other_positions_are_not_in_the_book) {
    struct chance chance;
    int known = 0;
    chance_start_number(&chance, 4, 6);
    for (int i = 0; i < 1000; i++) {
        struct four_kate_position position;
        put_discs(&position, 8 + i % 8, &chance);
        known += four_kate_book_landing(&position) != 0;
    }
    assert_true(known < 20);
}
