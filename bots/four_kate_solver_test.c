/* 4 Kate's solver against plain minimax, and what the expert does with it. */
#include "bots/bot.h"
#include "bots/four_kate_solver.h"
#include "tests/support.h"

static struct four_kate_solver solver;

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
        struct four_kate_position next = {position->occupied ^ position->mine,
                                          position->occupied | disc};
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
            *position = (struct four_kate_position){position->occupied ^ position->mine,
                                                    position->occupied | disc};
    }
}

static void solves_as_trying_everything_does(void **state) {
    struct chance chance;
    chance_start_number(&chance, 4, 1);
    four_kate_solver_start(&solver); /* kept from position to position */
    for (int i = 0; i < 400; i++) {
        struct four_kate_position position;
        int score;
        put_discs(&position, 27 + i % 15, &chance);
        assert_true(four_kate_solve(&solver, &position, -FOUR_KATE_SCORE_MAX, FOUR_KATE_SCORE_MAX,
                                    UINT32_MAX, &score));
        assert_int_equal(score, plain(&position));
    }
}

/* Exactly those landings that keep the score: win, draw or loss, and a win no later. */
static void best_landings_keep_the_score(void **state) {
    struct chance chance;
    chance_start_number(&chance, 4, 2);
    four_kate_solver_start(&solver);
    for (int i = 0; i < 200; i++) {
        struct four_kate_position position;
        uint64_t best;
        put_discs(&position, 28 + i % 13, &chance);
        int score = plain(&position);
        assert_true(four_kate_best_landings(&solver, &position, score, UINT32_MAX, &best));
        assert_int_not_equal(best, 0);
        for (int column = 0; column < FOUR_KATE_COLUMNS; column++) {
            uint64_t disc = four_kate_landing(position.occupied, column);
            struct four_kate_position next = {position.occupied ^ position.mine,
                                              position.occupied | disc};
            if (disc == 0)
                continue;
            bool wins = four_kate_wins(position.mine | disc);
            bool keeps = wins || (score <= FOUR_KATE_SCORE_MAX && -plain(&next) >= score);
            assert_int_equal((best & disc) != 0, keeps);
        }
    }
}

static void a_search_that_is_too_large_is_given_up(void **state) {
    struct four_kate_position empty = {0, 0};
    int score;
    four_kate_solver_start(&solver);
    assert_false(
        four_kate_solve(&solver, &empty, -FOUR_KATE_SCORE_MAX, FOUR_KATE_SCORE_MAX, 1000, &score));
}

/* In games that begin at random the expert never gives away what it has: from the sixteenth disc on
 * each of its moves keeps the score of the position. */
static void FK_6_the_expert_gives_nothing_away(void **state) {
    struct chance chance;
    chance_start_number(&chance, 4, 3);
    for (int i = 0; i < 40; i++) {
        struct four_kate_position position;
        struct game_state table;
        struct four_kate *game = (void *)table.bytes;
        struct options options;
        struct move move;
        int before, after;
        put_discs(&position, 16 + i % 12, &chance);
        options_default(&four_kate_game.options, &options);
        assert_true(game_start(&four_kate_game, &table, &options, 2, NULL));
        game->plies = (uint8_t)__builtin_popcountll(position.occupied);
        int seat = __builtin_ctz(game_to_act(&four_kate_game, &table));
        game->discs[seat] = position.mine;
        game->discs[seat ^ 1] = position.occupied ^ position.mine;
        bot_choose(&four_kate_game, &table, seat, BOT_EXPERT, &chance, &move);
        assert_true(game_check(&four_kate_game, &table, seat, &move, NULL));
        uint64_t disc = four_kate_landing(position.occupied, move.args[0] - 1);
        assert_true(four_kate_solve(&solver, &position, -FOUR_KATE_SCORE_MAX, FOUR_KATE_SCORE_MAX,
                                    UINT32_MAX, &before));
        if (four_kate_wins(position.mine | disc))
            continue;
        struct four_kate_position next = {position.occupied ^ position.mine,
                                          position.occupied | disc};
        assert_true(four_kate_solve(&solver, &next, -FOUR_KATE_SCORE_MAX, FOUR_KATE_SCORE_MAX,
                                    UINT32_MAX, &after));
        assert_int_equal(-after, before);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_as_trying_everything_does),
        cmocka_unit_test(best_landings_keep_the_score),
        cmocka_unit_test(a_search_that_is_too_large_is_given_up),
        cmocka_unit_test(FK_6_the_expert_gives_nothing_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
