/* Makes the fitted numbers of the bots anew: `make fit` writes what this prints into the headers
 * bots/GAME_fitted.h. Everything is drawn from one seed, so the same program gives the same
 * numbers.
 *
 *     fit whos-deal       how deals end between hard bots, for the chance to win a match; and what
 *                         hands are worth calling, by points against medium bots. Hard bots call
 *                         by what the header held before: where that changes, fit again
 *     fit hand-and-foot   which habits gain the most points against hard bots; and what a position
 *                         in the middle of a round is worth to who has them, by least squares over
 *                         the turns of rounds against hard bots, and how sure that is */
#include "bots/bot.h"
#include "bots/hand_and_foot_expert.h"
#include "bots/whos_deal_expert.h"
#include "engine/ensure.h"
#include "games/whos_deal/whos_deal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 18, WHOS_DEAL_MATCHES = 1500, HAND_FOOT_GAMES = 20000, TURNS_MAX = 2000 };

_Noreturn void ensure_failed(const char *what, const char *file, int line) {
    fprintf(stderr, "fit: '%s' does not hold at %s:%d\n", what, file, line);
    abort();
}

static void begin_header(const char *about) {
    printf("/* %s Written by `make fit`. */\n#pragma once\n\n", about);
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

enum { CALL_PASSES = 4, CALL_PAIRS = 20000 };

/* Where the search for weights begins. */
static const int8_t first_weights[WHOS_DEAL_CALL_WEIGHTS] = {
    12, 10, 8, 7, 6, 5, 5, 5, 3, 3, 2, 0, 2, 0, 30, 20, 32, 26, 22, 22, 24, 22, 40};

/* How many points the team gains on medium bots in one deal, with habits for its cards. */
static int play_by_weights(const struct game_state *start, uint64_t number, int team,
                           const int8_t *weights) {
    struct game_state state = *start;
    struct whos_deal *table = (void *)state.bytes;
    struct chance chance;
    chance_start_number(&chance, SEED, number);
    table->dealer = (uint8_t)(number % WHOS_DEAL_SEATS);
    game_deal_chance(&whos_deal_game, &state, &chance, NULL, NULL);
    while (table->phase < WHOS_DEAL_ROUND_OVER && table->phase != WHOS_DEAL_DEALING) {
        struct move move = {0};
        int seat = table->turn;
        bool calls = table->phase == WHOS_DEAL_ROUND1 || table->phase == WHOS_DEAL_ROUND2;
        if (whos_deal_team(seat) != team)
            whos_deal_follow_rules(table, seat, BOT_MEDIUM, &move);
        else if (calls)
            whos_deal_call_by(weights, table, seat, &move);
        else
            whos_deal_follow_habits(table, seat, &move);
        verb_apply(&whos_deal_game, state.bytes, seat, &move, NULL);
    }
    int points = table->phase == WHOS_DEAL_DEALING ? 0 : table->points & 255;
    return table->points >> 8 == team ? points : -points;
}

/* Points of so many deals, each with the one and with the other team. */
static int gain_of_weights(const struct game_state *start, uint64_t first, const int8_t *weights) {
    int sum = 0;
    for (uint64_t i = first; i < first + CALL_PAIRS; i++)
        sum += play_by_weights(start, i, 0, weights) + play_by_weights(start, i, 1, weights);
    return sum;
}

/* Each weight in turn goes up and down as long as that gains clearly, with new deals in each pass.
 * The first pass takes larger steps. */
static void fit_calls(int8_t weights[WHOS_DEAL_CALL_WEIGHTS]) {
    enum { CLEARLY = CALL_PAIRS / 800 };
    struct game_state start;
    struct options options;
    int best = 0;
    options_default(&whos_deal_game.options, &options);
    ensure(game_start(&whos_deal_game, &start, &options, WHOS_DEAL_SEATS, NULL));
    memcpy(weights, first_weights, sizeof first_weights);
    for (int pass = 0; pass < CALL_PASSES; pass++) {
        uint64_t first = (uint64_t)pass * CALL_PAIRS;
        best = gain_of_weights(&start, first, weights);
        for (int i = 0; i < 2 * WHOS_DEAL_CALL_WEIGHTS; i++) {
            int8_t *weight = &weights[i / 2],
                   step = (int8_t)((i % 2 * 2 - 1) * (pass == 0 ? 2 : 1));
            for (int gain = best + CLEARLY + 1; gain > best + CLEARLY;) {
                *weight = (int8_t)(*weight + step);
                gain = gain_of_weights(&start, first, weights);
                if (gain > best + CLEARLY)
                    best = gain;
                else
                    *weight = (int8_t)(*weight - step);
            }
        }
    }
    fprintf(stderr, "fit: these calls gain %.3f points a deal on medium bots\n",
            (double)gain_of_weights(&start, CALL_PASSES * CALL_PAIRS, weights) / (2 * CALL_PAIRS));
}

static void fit_whos_deal(void) {
    int8_t weights[WHOS_DEAL_CALL_WEIGHTS];

    int counts[2][3] = {{0}}, all = 0;
    for (uint64_t i = 0; i < WHOS_DEAL_MATCHES; i++)
        count_match(i, counts);
    for (int i = 0; i < 6; i++)
        all += counts[i / 3][i % 3];
    begin_header("How deals of Who's Deal? end between hard bots, and what is worth calling.");
    printf("#include \"bots/whos_deal_expert.h\"\n\nenum { WHOS_DEAL_OUTCOMES = 3 };\n\n"
           "/* Of 10,000 deals that are called, how many give 1, 2 and 4 points to the dealer's "
           "team and to\n * the other one. */\n"
           "static const uint16_t whos_deal_outcomes[2][WHOS_DEAL_OUTCOMES] = {");
    for (int i = 0; i < 6; i++)
        printf("%s%d%s", i % 3 == 0 ? "{" : ", ", counts[i / 3][i % 3] * 10000 / all,
               i % 3 < 2 ? ""
               : i == 2  ? "}, "
                         : "}");
    fit_calls(weights);
    printf("};\n\nstatic const int8_t whos_deal_call_weights[WHOS_DEAL_CALL_WEIGHTS] = {");
    for (int i = 0; i < WHOS_DEAL_CALL_WEIGHTS; i++)
        printf("%s%d", i > 0 ? ", " : "", weights[i]);
    printf("};\n");
}

/* ---- Hand & Foot ---- */

enum { COLUMNS = HAND_FOOT_WHOSE * HAND_FOOT_FEATURES };

/* Least squares: what the sums of products are solved for; and what is left over then. */
struct equations {
    double matrix[COLUMNS][COLUMNS + 1];
    double rows, targets_squared;
    double rounds, differences, differences_squared; /* that rounds made */
    double best;                                     /* sum of the better scores */
};

static void add_row(struct equations *equations, const double row[COLUMNS], double target) {
    for (int i = 0; i < COLUMNS; i++) {
        for (int j = 0; j < COLUMNS; j++)
            equations->matrix[i][j] += row[i] * row[j];
        equations->matrix[i][COLUMNS] += row[i] * target;
    }
    equations->rows++;
    equations->targets_squared += target * target;
}

/* How far the solution is from the targets: the root of the mean square. */
static double error_of(const struct equations *before, const double weights[COLUMNS]) {
    double sum = before->targets_squared;
    for (int i = 0; i < COLUMNS; i++) {
        sum -= 2 * weights[i] * before->matrix[i][COLUMNS];
        for (int j = 0; j < COLUMNS; j++)
            sum += weights[i] * weights[j] * before->matrix[i][j];
    }
    return sqrt(sum / before->rows);
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

struct table {
    const char *preset;
    int seats;
    int pairs; /* of games, to compare habits */
};

static const struct table tables[HAND_FOOT_WEIGHT_SETS] = {
    {"classic", 2, 3000}, {"partners", 4, 3000}, {"closers", 4, 3000}};

/* What is tried for each habit; what hard is used to stands first. */
enum { CHOICES = 4 };
static const struct {
    int count;
    int16_t values[CHOICES];
} choices[HAND_FOOT_HABITS] = {[HAND_FOOT_TAKES_FROM] = {4, {6, 5, 4, 3}},
                               [HAND_FOOT_KEEPS_PAIRS_FROM] = {2, {6, 99}},
                               [HAND_FOOT_FEW_CARDS] = {2, {5, 0}},
                               [HAND_FOOT_CHASED_FROM] = {3, {5, 2, 0}},
                               [HAND_FOOT_PLAYS_DOWN_MUCH] = {2, {0, 1}},
                               [HAND_FOOT_OPENS_DIRTY] = {2, {0, 1}},
                               [HAND_FOOT_HOLDS_IN_HAND] = {2, {0, 3}},
                               [HAND_FOOT_HOLDS_IN_FOOT] = {3, {0, 3, 4}},
                               [HAND_FOOT_HURRIES] = {1, {0}},
                               [HAND_FOOT_THROWS_TO_BOOKS] = {4, {0, 20, 40, 80}},
                               [HAND_FOOT_THROWS_SEEN] = {3, {0, 5, 10}},
                               [HAND_FOOT_THROWS_AGAIN] = {3, {0, 10, 20}},
                               [HAND_FOOT_FEARS_SHOWN] = {2, {0, 20}},
                               [HAND_FOOT_SPARES_PAIRS] = {3, {0, 20, 40}}};

/* The turns of one round: what the side with the habits and the other one had of each feature. What
 * the other one has counts against it. */
struct round {
    int turns;
    double row[TURNS_MAX][COLUMNS];
};

static void note_turn(const struct hand_and_foot *table, int side, struct round *round) {
    int32_t own[HAND_FOOT_FEATURES], others[HAND_FOOT_FEATURES];
    if (round->turns == TURNS_MAX)
        return;
    double *row = round->row[round->turns++];
    hand_foot_count_features(table, side, own);
    hand_foot_count_features(table, 1 - side, others);
    for (int i = 0; i < HAND_FOOT_FEATURES; i++) {
        row[HAND_FOOT_OWN * HAND_FOOT_FEATURES + i] = own[i];
        row[HAND_FOOT_OTHERS * HAND_FOOT_FEATURES + i] = -others[i];
    }
}

static void end_round(const struct hand_and_foot *table, int side, struct round *round,
                      struct equations *equations) {
    struct hand_foot_score own, other;
    hand_foot_score_side(table, side, &own);
    hand_foot_score_side(table, 1 - side, &other);
    double difference = own.total - other.total;
    for (int i = 0; i < round->turns; i++)
        add_row(equations, round->row[i], difference);
    equations->rounds++;
    equations->differences += difference;
    equations->differences_squared += difference * difference;
    equations->best += own.total > other.total ? own.total : other.total;
    round->turns = 0;
}

/* How many points the side gains on hard bots in a game by these habits. Its rounds go into the
 * equations, unless these are null. */
static double play_by_habits(const struct table *table, uint64_t number, int side,
                             const int16_t habits[HAND_FOOT_HABITS], struct equations *equations) {
    static struct round round;
    struct game_state state;
    struct options options;
    struct chance chance;
    uint32_t awaited;
    const struct hand_and_foot *seen = (const void *)state.bytes;
    const struct game *game = &hand_and_foot_game;
    ensure(options_preset(&game->options, span_of(table->preset), &options, NULL));
    ensure(game_start(game, &state, &options, table->seats, NULL));
    chance_start_number(&chance, SEED, number);
    round.turns = 0;
    while ((awaited = game_to_act(game, &state)) != 0) {
        if ((awaited & AWAITS_NATURE) != 0) {
            game_deal_chance(game, &state, &chance, NULL, NULL);
            continue;
        }
        struct move move = {0};
        int seat = __builtin_ctz(awaited), turns = seen->turns;
        if (hand_foot_side(seen, seat) == side)
            hand_foot_follow_habits(seen, seat, habits, &chance, &move);
        else
            hand_foot_follow_rules(seen, seat, BOT_HARD, &chance, &move);
        verb_apply(game, state.bytes, seat, &move, NULL);
        if (!equations)
            continue;
        if (seen->phase == HAND_FOOT_ROUND_END || seen->phase == HAND_FOOT_GAME_END)
            end_round(seen, side, &round, equations);
        else if (seen->turns != turns)
            note_turn(seen, side, &round);
    }
    return seen->total[side] - seen->total[1 - side];
}

/* The mean, and its standard error. */
static double gain_of(const struct table *table, const int16_t habits[HAND_FOOT_HABITS],
                      double *error) {
    double sum = 0, squares = 0, count = table->pairs;
    for (int i = 0; i < table->pairs; i++) {
        double gain = 0;
        for (int side = 0; side < 2; side++)
            gain += play_by_habits(table, (uint64_t)i, side, habits, NULL);
        sum += gain;
        squares += gain * gain;
    }
    *error = sqrt((squares / count - sum / count * (sum / count)) / count);
    return sum / count;
}

/* One habit after the other gets the value that gains the most, twice, since some go together. */
static void fit_habits(const struct table *table, int16_t habits[HAND_FOOT_HABITS]) {
    double error;
    for (int i = 0; i < HAND_FOOT_HABITS; i++)
        habits[i] = choices[i].values[0];
    double best = gain_of(table, habits, &error);
    for (int i = 0; i < 2 * HAND_FOOT_HABITS * CHOICES; i++) {
        int habit = i / CHOICES % HAND_FOOT_HABITS, choice = i % CHOICES;
        int16_t before = habits[habit];
        if (choice >= choices[habit].count || choices[habit].values[choice] == before)
            continue;
        habits[habit] = choices[habit].values[choice];
        double gain = gain_of(table, habits, &error);
        if (gain > best)
            best = gain;
        else
            habits[habit] = before;
    }
    fprintf(stderr, "fit: the habits for %s gain %.0f points in two games (standard error %.0f)\n",
            table->preset, best, error);
}

/* Games of other deals than those that the habits were fitted to. */
static void fit_weights(const struct table *table, const int16_t habits[HAND_FOOT_HABITS],
                        double weights[COLUMNS], struct hand_foot_spread *spread) {
    static struct equations equations, before;
    memset(&equations, 0, sizeof equations);
    for (int i = 0; i < HAND_FOOT_GAMES; i++)
        play_by_habits(table, (uint64_t)(table->pairs + i), i % 2, habits, &equations);
    before = equations;
    solve(&equations, weights);
    double mean = equations.differences / equations.rounds;
    *spread = (struct hand_foot_spread){
        (int32_t)error_of(&before, weights),
        (int32_t)sqrt(equations.differences_squared / equations.rounds - mean * mean),
        (int32_t)(equations.best / equations.rounds)};
}

static void print_weights(const double weights[COLUMNS]) {
    for (int i = 0; i < COLUMNS; i++)
        printf("%s%.0f",
               i % HAND_FOOT_FEATURES > 0 ? ", "
               : i > 0                    ? "}, {"
                                          : "{{",
               weights[i] * HAND_FOOT_WEIGHT_ONE);
    printf("}}");
}

static void fit_hand_and_foot(void) {
    struct hand_foot_spread spreads[HAND_FOOT_WEIGHT_SETS];
    double weights[HAND_FOOT_WEIGHT_SETS][COLUMNS];
    int16_t habits[HAND_FOOT_WEIGHT_SETS][HAND_FOOT_HABITS];
    for (int set = 0; set < HAND_FOOT_WEIGHT_SETS; set++) {
        fit_habits(&tables[set], habits[set]);
        fit_weights(&tables[set], habits[set], weights[set], &spreads[set]);
    }
    begin_header("The numbers of Hand & Foot's expert, found in games between bots: what a side's "
                 "position in the middle of a round is worth, how far such a judgement may be "
                 "wrong, and expert's habits.");
    printf("#include \"bots/hand_and_foot_expert.h\"\n\n"
           "/* By set, whose position it is, and feature, in 256ths of a point. */\n"
           "static const int32_t "
           "hand_foot_weights[HAND_FOOT_WEIGHT_SETS][HAND_FOOT_WHOSE][HAND_FOOT_FEATURES] = {");
    for (int set = 0; set < HAND_FOOT_WEIGHT_SETS; set++) {
        print_weights(weights[set]);
        printf("%s", set + 1 < HAND_FOOT_WEIGHT_SETS ? ", " : "};\n\n");
    }
    printf("/* By set. */\n"
           "static const struct hand_foot_spread hand_foot_spreads[HAND_FOOT_WEIGHT_SETS] = {");
    for (int set = 0; set < HAND_FOOT_WEIGHT_SETS; set++)
        printf("{%d, %d, %d}%s", spreads[set].judgement, spreads[set].round, spreads[set].best,
               set + 1 < HAND_FOOT_WEIGHT_SETS ? ", " : "};\n\n");
    printf("/* By set and habit. */\n"
           "static const int16_t hand_foot_habits[HAND_FOOT_WEIGHT_SETS][HAND_FOOT_HABITS] = {");
    for (int set = 0; set < HAND_FOOT_WEIGHT_SETS; set++) {
        for (int i = 0; i < HAND_FOOT_HABITS; i++)
            printf("%s%d", i > 0 ? ", " : "{", habits[set][i]);
        printf("}%s", set + 1 < HAND_FOOT_WEIGHT_SETS ? ", " : "};\n");
    }
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
