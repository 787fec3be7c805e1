/* Makes the fitted numbers of the bots anew: `make fit` writes what this prints into the headers
 * bots/GAME_fitted.h. Everything is drawn from one seed, so the same program gives the same
 * numbers.
 *
 *     fit whos-deal       how deals end between hard bots, for the chance to win a match
 *     fit hand-and-foot   what a position in the middle of a round is worth, by least squares over
 *                         the turns of rounds between hard bots */
#include "bots/bot.h"
#include "bots/hand_and_foot_expert.h"
#include "engine/ensure.h"
#include "games/whos_deal/whos_deal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 18, WHOS_DEAL_MATCHES = 1500, HAND_FOOT_GAMES = 1500, TURNS_MAX = 2000 };

_Noreturn void ensure_failed(const char *what, const char *file, int line) {
    fprintf(stderr, "fit: '%s' does not hold at %s:%d\n", what, file, line);
    abort();
}

static void begin_header(const char *about, const char *guard) {
    printf("/* %s Written by `make fit`. */\n#ifndef %s\n#define %s\n\n", about, guard, guard);
}

/* ---- Who's Deal? ---- */

static void count_match(uint64_t number, int counts[2][3]) {
    struct game_state state;
    struct options options;
    struct chance chance;
    uint32_t awaited;
    const struct whos_deal *table = (const void *)state.bytes;
    options_default(&whos_deal_game.options, &options);
    ensure(game_start(&whos_deal_game, &state, &options, WHOS_DEAL_SEATS, NULL));
    chance_start_number(&chance, SEED, number);
    while ((awaited = game_to_act(&whos_deal_game, &state)) != 0) {
        if ((awaited & AWAITS_NATURE) != 0) {
            game_deal_chance(&whos_deal_game, &state, &chance, NULL, NULL);
            continue;
        }
        struct move move;
        int seat = __builtin_ctz(awaited);
        bot_choose(&whos_deal_game, &state, seat, BOT_HARD, &chance, &move);
        ensure(game_play(&whos_deal_game, &state, seat, &move, NULL, NULL));
        if (table->phase < WHOS_DEAL_ROUND_OVER || table->points == 0)
            continue;
        int points = table->points & 255, team = table->points >> 8;
        counts[team != whos_deal_team(table->dealer)][points == 4 ? 2 : points - 1]++;
    }
}

static void fit_whos_deal(void) {
    int counts[2][3] = {{0}}, all = 0;
    for (uint64_t i = 0; i < WHOS_DEAL_MATCHES; i++)
        count_match(i, counts);
    for (int i = 0; i < 6; i++)
        all += counts[i / 3][i % 3];
    begin_header("How deals of Who's Deal? end between hard bots.", "BOTS_WHOS_DEAL_FITTED_H");
    printf("#include <stdint.h>\n\nenum { WHOS_DEAL_OUTCOMES = 3 };\n\n"
           "/* Of 10,000 deals that are called, how many give 1, 2 and 4 points to the dealer's "
           "team and to\n * the other one. */\n"
           "static const uint16_t whos_deal_outcomes[2][WHOS_DEAL_OUTCOMES] = {");
    for (int i = 0; i < 6; i++)
        printf("%s%d%s", i % 3 == 0 ? "{" : ", ", counts[i / 3][i % 3] * 10000 / all,
               i % 3 < 2 ? ""
               : i == 2  ? "}, "
                         : "}");
    printf("};\n\n#endif\n");
}

/* ---- Hand & Foot ---- */

enum { COLUMNS = HAND_FOOT_FEATURES };

/* Least squares: what the sums of products are solved for. */
struct equations {
    double matrix[COLUMNS][COLUMNS + 1];
    double rows;
};

static void add_row(struct equations *equations, const double row[COLUMNS], double target) {
    for (int i = 0; i < COLUMNS; i++) {
        for (int j = 0; j < COLUMNS; j++)
            equations->matrix[i][j] += row[i] * row[j];
        equations->matrix[i][COLUMNS] += row[i] * target;
    }
    equations->rows++;
}

/* Gauss-Jordan with the largest pivot; a little is added to the diagonal, so that a feature that
 * never occurs weighs nothing. */
static void solve(struct equations *equations, double out[COLUMNS]) {
    double(*m)[COLUMNS + 1] = equations->matrix;
    for (int i = 0; i < COLUMNS; i++)
        m[i][i] += 1e-3 * equations->rows;
    for (int i = 0; i < COLUMNS; i++) {
        int pivot = i;
        for (int j = i + 1; j < COLUMNS; j++)
            if (fabs(m[j][i]) > fabs(m[pivot][i]))
                pivot = j;
        for (int k = 0; k <= COLUMNS; k++) {
            double other = m[i][k];
            m[i][k] = m[pivot][k];
            m[pivot][k] = other;
        }
        for (int j = 0; j < COLUMNS; j++) {
            double share = j == i ? 0 : m[j][i] / m[i][i];
            for (int k = 0; k <= COLUMNS; k++)
                m[j][k] -= share * m[i][k];
        }
    }
    for (int i = 0; i < COLUMNS; i++)
        out[i] = m[i][COLUMNS] / m[i][i];
}

/* The turns of one round: what every side had of each feature, more than the first other side. */
struct round {
    int turns;
    double row[TURNS_MAX][COLUMNS];
};

static void note_turn(const struct hand_and_foot *table, struct round *round) {
    int32_t own[COLUMNS], other[COLUMNS];
    if (round->turns == TURNS_MAX)
        return;
    hand_foot_count_features(table, 0, own);
    hand_foot_count_features(table, 1, other);
    for (int i = 0; i < COLUMNS; i++)
        round->row[round->turns][i] = own[i] - other[i];
    round->turns++;
}

static void end_round(const struct hand_and_foot *table, struct round *round,
                      struct equations *equations) {
    struct hand_foot_score own, other;
    hand_foot_score_side(table, 0, &own);
    hand_foot_score_side(table, 1, &other);
    for (int i = 0; i < round->turns; i++)
        add_row(equations, round->row[i], own.total - other.total);
    round->turns = 0;
}

static void add_game(const char *preset, int seats, uint64_t number, struct equations *equations) {
    static struct round round;
    struct game_state state;
    struct options options;
    struct chance chance;
    uint32_t awaited;
    int turns = -1;
    const struct hand_and_foot *table = (const void *)state.bytes;
    const struct game *game = &hand_and_foot_game;
    ensure(options_preset(&game->options, span_of(preset), &options, NULL));
    ensure(game_start(game, &state, &options, seats, NULL));
    chance_start_number(&chance, SEED, number);
    round.turns = 0;
    while ((awaited = game_to_act(game, &state)) != 0) {
        if ((awaited & AWAITS_NATURE) != 0) {
            game_deal_chance(game, &state, &chance, NULL, NULL);
            continue;
        }
        struct move move;
        int seat = __builtin_ctz(awaited);
        bot_choose(game, &state, seat, BOT_HARD, &chance, &move);
        ensure(game_play(game, &state, seat, &move, NULL, NULL));
        if (table->phase == HAND_FOOT_ROUND_END || table->phase == HAND_FOOT_GAME_END)
            end_round(table, &round, equations);
        else if (table->turns != turns && table->turn_phase == HAND_FOOT_TURN_DRAW)
            note_turn(table, &round);
        turns = table->turns;
    }
}

static void fit_hand_and_foot(void) {
    static const struct {
        const char *preset;
        int seats;
    } tables[HAND_FOOT_WEIGHT_SETS] = {{"classic", 2}, {"partners", 4}, {"closers", 4}};
    begin_header("What a side's position in the middle of a round is worth in Hand & Foot.",
                 "BOTS_HAND_AND_FOOT_FITTED_H");
    printf("#include \"bots/hand_and_foot_expert.h\"\n\n"
           "/* By set and feature, in 256ths of a point. */\n"
           "static const int32_t hand_foot_weights[HAND_FOOT_WEIGHT_SETS][HAND_FOOT_FEATURES] = {");
    for (int set = 0; set < HAND_FOOT_WEIGHT_SETS; set++) {
        static struct equations equations;
        double weights[COLUMNS];
        memset(&equations, 0, sizeof equations);
        for (uint64_t i = 0; i < HAND_FOOT_GAMES; i++)
            add_game(tables[set].preset, tables[set].seats, i, &equations);
        solve(&equations, weights);
        printf("%s{", set > 0 ? ", " : "");
        for (int i = 0; i < COLUMNS; i++)
            printf("%s%.0f", i > 0 ? ", " : "", weights[i] * HAND_FOOT_WEIGHT_ONE);
        printf("}");
    }
    printf("};\n\n#endif\n");
}

int main(int count, char **words) {
    if (count == 2 && strcmp(words[1], "whos-deal") == 0) {
        fit_whos_deal();
        return 0;
    }
    if (count == 2 && strcmp(words[1], "hand-and-foot") == 0) {
        fit_hand_and_foot();
        return 0;
    }
    fprintf(stderr, "fit: which game?\n");
    return 2;
}
