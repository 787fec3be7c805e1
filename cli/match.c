/* `oyster match`: two levels against each other in duplicate. Every deal is played twice, the sides
 * changed the second time, so that the luck of the cards mostly cancels: what counts is the pair.
 *
 * The pairs are independent of each other and of how many threads play them: pair number n is the
 * same game twice whoever plays it, and what is told is computed from the pairs in their order. */
#include "cli/cli.h"
#include "cli/speed.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOVES_MAX = 100000, THREADS_MAX = 64, PAIRS_MAX = 1000000 };

/* The bounds of Wald's test for 5 % of errors of each kind: log(0.95 / 0.05). */
static const double sprt_bound = 2.944439;

/* What the two games of a pair gave, seen from a. */
struct pair {
    bool played;
    uint8_t given_up; /* games that did not end, and count as half a win for either */
    double wins;      /* of the two games */
    double points;    /* a's score minus b's */
    double deals;
};

struct match {
    struct cli_table table;
    enum bot_level levels[2];
    struct bot_budget budget;
    uint64_t pair_count, seed;
    int threads;
    bool as_json, progress;
    bool sprt;
    double elo[2];
    struct game_state first;
    uint8_t side_of[SEATS_MAX];
    /* Shared by the threads. */
    struct pair *pairs;
    _Atomic uint64_t next;
    atomic_bool stop;
    pthread_mutex_t lock; /* of what follows */
    uint64_t in_order;    /* pairs 0 to in_order - 1 are played */
    double wins, squares; /* of these: sums of each pair's share and its square */
    struct cli_speed speed[2];
};

/* ---- Playing ---- */

/* Which of the two plays the seat: a has the even sides in the first game of a pair, and the odd
 * ones in the second. */
static int player_of(const struct match *match, int seat, int half) {
    return (match->side_of[seat] + half) % 2;
}

static void let_bot_move(const struct match *match, struct game_state *state, uint32_t awaited,
                         const enum bot_level levels[SEATS_MAX], struct chance *chance, int half,
                         struct cli_speed speed[2]) {
    const struct game *game = match->table.game;
    struct move move;
    int seat = __builtin_ctz(awaited);
    cli_bots_speak(game, state, match->table.seats, awaited, levels, chance);
    double begin = cli_thread_seconds();
    bot_choose_within(game, state, seat, levels[seat], &match->budget, chance, &move);
    cli_speed_add(&speed[player_of(match, seat, half)], cli_thread_seconds() - begin);
    game_play(game, state, seat, &move, NULL, NULL);
}

/* Adds the shares of the win and the difference of the scores; where a side has several seats,
 * their mean counts. */
static void add_result(const struct match *match, const struct game_state *state, int half,
                       struct pair *pair) {
    struct result result;
    double winners[2] = {0, 0}, score[2] = {0, 0}, seats[2] = {0, 0};
    game_result(match->table.game, state, &result);
    for (int seat = 0; seat < match->table.seats; seat++) {
        int player = player_of(match, seat, half);
        winners[player] += (double)(result.winners >> seat & 1);
        score[player] += result.score[seat];
        seats[player]++;
    }
    bool decided = winners[0] + winners[1] > 0;
    pair->wins += decided ? winners[0] / (winners[0] + winners[1]) : 0.5;
    pair->points += score[0] / seats[0] - score[1] / seats[1];
}

/* Both games of a pair have the same cards, deal for deal; the bots' own randomness differs. */
static void play_game(const struct match *match, uint64_t number, int half, struct pair *pair,
                      struct cli_speed speed[2]) {
    struct game_state state = match->first;
    struct chance chance, deals;
    enum bot_level levels[SEATS_MAX];
    uint8_t game_seed[CHANCE_SEED_SIZE], deal_seed[CHANCE_SEED_SIZE];
    uint32_t awaited;
    uint64_t dealt = 0, rounds = 0;
    int moves = 0;
    chance_start_number(&deals, match->seed, 3 * number);
    chance_bytes(&deals, game_seed, sizeof game_seed);
    chance_start_number(&chance, match->seed, 3 * number + 1 + (uint64_t)half);
    for (int seat = 0; seat < match->table.seats; seat++)
        levels[seat] = match->levels[player_of(match, seat, half)];
    while ((awaited = game_to_act(match->table.game, &state)) != 0 && moves++ < MOVES_MAX) {
        if ((awaited & AWAITS_NATURE) == 0) {
            let_bot_move(match, &state, awaited, levels, &chance, half, speed);
            continue;
        }
        rounds += awaited == AWAITS_NATURE;
        chance_deal_seed(game_seed, dealt++, deal_seed);
        game_deal_seed(match->table.game, &state, deal_seed, NULL, NULL);
    }
    if (awaited == 0) {
        add_result(match, &state, half, pair);
    } else {
        pair->wins += 0.5;
        pair->given_up++;
    }
    pair->deals += rounds > 0 ? (double)rounds : 1;
}

/* ---- What is known so far ---- */

/* A pair's share is at most 1. The error of the mean is computed from pairs, because the games of a
 * pair depend on each other. */
static double variance(const struct match *match) {
    double n = (double)match->in_order, mean = match->wins / n;
    return n > 1 ? fmax(0, (match->squares - n * mean * mean) / (n - 1)) : 0.25;
}

/* Finds how many independent games would be as certain, and takes Wilson's interval for that
 * number. */
static void win_interval(const struct match *match, double out[2]) {
    double n = (double)match->in_order, p = match->wins / n, error = variance(match) / n;
    double games = error > 0 ? p * (1 - p) / error : 2 * n;
    cli_interval(p, fmin(fmax(games, 1), 8 * n), out);
}

static double share_of_elo(double elo) {
    return 1 / (1 + pow(10, -elo / 400));
}

/* The log of how much likelier the pairs are if a is elo[1] better than if it is elo[0] better; for
 * a mean that is close to normal. */
static double log_likelihood_ratio(const struct match *match) {
    double low = share_of_elo(match->elo[0]), high = share_of_elo(match->elo[1]);
    double n = (double)match->in_order, spread = fmax(variance(match), 1e-3);
    return (high - low) * (2 * match->wins - n * (low + high)) / (2 * spread);
}

static bool is_decided(const struct match *match) {
    return match->sprt && match->in_order >= 10 && fabs(log_likelihood_ratio(match)) >= sprt_bound;
}

static void show_progress(const struct match *match, bool last) {
    if (last) {
        fprintf(stderr, "\r\033[K");
    } else {
        fprintf(stderr, "\r%llu of %llu games, a wins %.1f %%",
                2 * (unsigned long long)match->in_order, 2 * (unsigned long long)match->pair_count,
                100 * match->wins / (double)match->in_order);
    }
    fflush(stderr);
}

/* Pairs are added in their order, also those at which the match ends. */
static void add_pair(struct match *match, uint64_t number, const struct pair *pair,
                     const struct cli_speed speed[2]) {
    pthread_mutex_lock(&match->lock);
    match->pairs[number] = *pair;
    for (int player = 0; player < 2; player++)
        cli_speed_join(&match->speed[player], &speed[player]);
    while (match->in_order < match->pair_count && match->pairs[match->in_order].played &&
           !atomic_load(&match->stop)) {
        double share = match->pairs[match->in_order++].wins / 2;
        match->wins += share;
        match->squares += share * share;
        if (is_decided(match))
            atomic_store(&match->stop, true);
    }
    if (match->progress && match->in_order > 0)
        show_progress(match, false);
    pthread_mutex_unlock(&match->lock);
}

static void *play_pairs(void *arg) {
    struct match *match = arg;
    uint64_t number;
    while (!atomic_load(&match->stop) &&
           (number = atomic_fetch_add(&match->next, 1)) < match->pair_count) {
        struct pair pair = {.played = true};
        struct cli_speed speed[2];
        memset(speed, 0, sizeof speed);
        for (int half = 0; half < 2; half++)
            play_game(match, number, half, &pair, speed);
        add_pair(match, number, &pair, speed);
    }
    return NULL;
}

static void run(struct match *match) {
    pthread_t threads[THREADS_MAX];
    int started = 0;
    match->progress = isatty(STDERR_FILENO);
    pthread_mutex_init(&match->lock, NULL);
    while (started < match->threads - 1 &&
           pthread_create(&threads[started], NULL, play_pairs, match) == 0)
        started++;
    play_pairs(match);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&match->lock);
    if (match->progress)
        show_progress(match, true);
}

/* ---- Telling ---- */

struct summary {
    double wins, win_interval[2];
    double points, points_interval[2]; /* per deal */
    double deals;
    uint64_t games, given_up;
    double mean_ms[2], p99_ms[2];
};

/* Points per deal are a ratio of sums; the error follows from each pair's deviation from that
 * ratio. */
static void sum_points(const struct match *match, struct summary *out) {
    double points = 0, off = 0;
    for (uint64_t i = 0; i < match->in_order; i++) {
        points += match->pairs[i].points;
        out->deals += match->pairs[i].deals;
        out->given_up += match->pairs[i].given_up;
    }
    out->points = points / out->deals;
    for (uint64_t i = 0; i < match->in_order; i++) {
        double difference = match->pairs[i].points - out->points * match->pairs[i].deals;
        off += difference * difference;
    }
    double width = 1.96 * sqrt(off) / out->deals;
    out->points_interval[0] = out->points - width;
    out->points_interval[1] = out->points + width;
}

static void summarize(const struct match *match, struct summary *out) {
    *out = (struct summary){.games = 2 * match->in_order};
    out->wins = match->wins / (double)match->in_order;
    win_interval(match, out->win_interval);
    sum_points(match, out);
    for (int player = 0; player < 2; player++) {
        out->mean_ms[player] = cli_speed_mean_ms(&match->speed[player]);
        out->p99_ms[player] = cli_speed_p99_ms(&match->speed[player]);
    }
}

static const char *verdict(const struct match *match) {
    double ratio = log_likelihood_ratio(match);
    return ratio >= sprt_bound ? "accepted" : ratio <= -sprt_bound ? "rejected" : "open";
}

static void print_json(const struct match *match, const struct summary *all) {
    printf("{\"game\": \"%s\", \"players\": %d, \"games\": %llu, \"seed\": %llu, ",
           match->table.game->id, match->table.seats, (unsigned long long)all->games,
           (unsigned long long)match->seed);
    for (int player = 0; player < 2; player++) {
        bool a = player == 0;
        printf("\"%c\": {\"level\": \"%s\", \"win_rate\": %.6f, \"low\": %.6f, \"high\": %.6f, "
               "\"cpu_ms_mean\": %.6f, \"cpu_ms_p99\": %.6f}, ",
               'a' + player, bot_level_name(match->levels[player]), a ? all->wins : 1 - all->wins,
               a ? all->win_interval[0] : 1 - all->win_interval[1],
               a ? all->win_interval[1] : 1 - all->win_interval[0], all->mean_ms[player],
               all->p99_ms[player]);
    }
    printf("\"deals\": %.0f, \"points_per_deal\": %.6f, \"points_low\": %.6f, "
           "\"points_high\": %.6f, \"given_up\": %llu",
           all->deals, all->points, all->points_interval[0], all->points_interval[1],
           (unsigned long long)all->given_up);
    if (match->sprt)
        printf(", \"sprt\": {\"elo0\": %g, \"elo1\": %g, \"llr\": %.4f, \"verdict\": \"%s\"}",
               match->elo[0], match->elo[1], log_likelihood_ratio(match), verdict(match));
    printf("}\n");
}

static void print_table(const struct match *match, const struct summary *all) {
    printf("%s, %d players, %llu games in %llu pairs, seed %llu\n", match->table.game->name,
           match->table.seats, (unsigned long long)all->games, (unsigned long long)match->in_order,
           (unsigned long long)match->seed);
    printf("%-12s %8s %18s %14s %14s\n", "player", "wins", "95 % interval", "mean CPU ms",
           "p99 CPU ms");
    for (int player = 0; player < 2; player++) {
        bool a = player == 0;
        printf("%c %-10s %6.2f %% %7.2f %% - %5.2f %% %14.4f %14.4f\n", 'a' + player,
               bot_level_name(match->levels[player]), 100 * (a ? all->wins : 1 - all->wins),
               100 * (a ? all->win_interval[0] : 1 - all->win_interval[1]),
               100 * (a ? all->win_interval[1] : 1 - all->win_interval[0]), all->mean_ms[player],
               all->p99_ms[player]);
    }
    printf("a gains %+.4f points per deal (%+.4f to %+.4f) over %.0f deals\n", all->points,
           all->points_interval[0], all->points_interval[1], all->deals);
    if (all->given_up > 0)
        printf("%llu games did not end and count as half a win\n",
               (unsigned long long)all->given_up);
    if (match->sprt)
        printf("that a is %g Elo better rather than %g: %s (log likelihood ratio %.2f)\n",
               match->elo[1], match->elo[0], verdict(match), log_likelihood_ratio(match));
}

/* ---- The command ---- */

static void read_level(const struct game *game, const char *flag, const char *value,
                       enum bot_level *out) {
    if (bot_has_rival(game) && strcmp(value, bot_level_name(BOT_RIVAL)) == 0)
        *out = BOT_RIVAL;
    else if (!bot_level_parse(span_of(value), out))
        exit(cli_complain("%s must be easy, medium, hard or expert, not '%s'", flag, value));
}

static void read_sprt(const char *value, struct match *match) {
    char *end, *second = strchr(value, ',');
    match->elo[0] = strtod(value, &end);
    if (!second || end != second || end == value)
        exit(cli_complain("--sprt must be two numbers such as 0,20, not '%s'", value));
    match->elo[1] = strtod(second + 1, &end);
    if (*end != '\0' || end == second + 1 || !(match->elo[0] < match->elo[1]) ||
        match->elo[0] < -2000 || match->elo[1] > 2000)
        exit(cli_complain(
            "--sprt must be two numbers from -2000 to 2000, the lower first, not '%s'", value));
    match->sprt = true;
}

/* Two players can share only an even number of sides. */
static int find_sides(struct match *match) {
    struct result result;
    const struct game *game = match->table.game;
    cli_table_start(&match->table, &match->first);
    game_result(game, &match->first, &result);
    memcpy(match->side_of, result.side_of, sizeof match->side_of);
    if (result.sides == 1)
        return cli_complain("in %s all win or lose together; see oyster sim", game->name);
    if (result.sides % 2 != 0)
        return cli_complain("%d sides cannot be shared evenly by a and b", result.sides);
    return 0;
}

int cli_match(struct cli_arguments *arguments) {
    struct match match = {0};
    const char *value;
    bool named[2] = {false, false};
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    cli_table_game_word(arguments, &match.table);
    match.pair_count = 500;
    match.threads = cores < 1 ? 1 : cores > THREADS_MAX ? THREADS_MAX : (int)cores;
    while (arguments->at < arguments->count) {
        if (cli_table_flag(arguments, &match.table))
            continue;
        if (cli_flag(arguments, "--a", &value)) {
            read_level(match.table.game, "--a", value, &match.levels[0]);
            named[0] = true;
        } else if (cli_flag(arguments, "--b", &value)) {
            read_level(match.table.game, "--b", value, &match.levels[1]);
            named[1] = true;
        } else if (cli_flag(arguments, "--games", &value)) {
            match.pair_count = (cli_number("--games", value, 2, 2 * PAIRS_MAX) + 1) / 2;
        } else if (cli_flag(arguments, "--seed", &value)) {
            match.seed = cli_number("--seed", value, 0, UINT64_MAX);
        } else if (cli_flag(arguments, "--worlds", &value)) {
            match.budget.worlds =
                (uint32_t)cli_number("--worlds", value, 1, bot_worlds_max(match.table.game));
        } else if (cli_flag(arguments, "--threads", &value)) {
            match.threads = (int)cli_number("--threads", value, 1, THREADS_MAX);
        } else if (cli_flag(arguments, "--sprt", &value)) {
            read_sprt(value, &match);
        } else if (cli_switch(arguments, "--json")) {
            match.as_json = true;
        } else {
            return cli_unexpected(arguments);
        }
    }
    if (!named[0] || !named[1])
        return cli_complain("which levels? Try: oyster match %s --a hard --b medium",
                            match.table.game->id);
    int wrong = find_sides(&match);
    if (wrong != 0)
        return wrong;
    match.pairs = calloc(match.pair_count, sizeof *match.pairs);
    if (!match.pairs)
        return cli_complain("there is not enough memory for %llu games",
                            2 * (unsigned long long)match.pair_count);
    struct summary all;
    run(&match);
    summarize(&match, &all);
    if (match.as_json)
        print_json(&match, &all);
    else
        print_table(&match, &all);
    free(match.pairs);
    return 0;
}
