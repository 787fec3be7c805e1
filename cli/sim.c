/* `oyster sim`: bots play many games. Prints who wins, how certain that is, and what happened on
 * the way. */
#include "cli/cli.h"
#include "cli/speed.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOVES_MAX = 1000000 };

struct sim {
    struct cli_table table;
    enum bot_level levels[SEATS_MAX];
    uint64_t games, seed;
    bool as_json;
    bool with_times; /* of each decision: asking the clock takes longer than simple bots think */
    /* Sums over all games; sides as the game counts them. */
    struct result last;
    uint64_t wins[SEATS_MAX];
    int64_t score[SEATS_MAX];
    int64_t figures[GAME_FIGURES_MAX]; /* of the table */
    uint64_t rounds;
    uint64_t moves;
    double seconds;
    struct cli_speed speed;
};

static void step(struct sim *sim, struct game_state *state, uint32_t awaited,
                 struct chance *chance) {
    const struct game *game = sim->table.game;
    if ((awaited & AWAITS_NATURE) != 0) {
        uint8_t seed[CHANCE_SEED_SIZE];
        chance_bytes(chance, seed, sizeof seed);
        game_deal_seed(game, state, seed, NULL, NULL);
        return;
    }
    cli_bots_speak(game, state, sim->table.seats, awaited, sim->levels, chance);
    int seat = __builtin_ctz(awaited);
    struct move move;
    double begin = sim->with_times ? cli_thread_seconds() : 0;
    bot_choose(game, state, seat, sim->levels[seat], chance, &move);
    if (sim->with_times)
        cli_speed_add(&sim->speed, cli_thread_seconds() - begin);
    game_play(game, state, seat, &move, NULL, NULL);
}

static void add_result(struct sim *sim, const struct game_state *state) {
    struct result result;
    game_result(sim->table.game, state, &result);
    for (int side = 0; side < result.sides; side++) {
        bool won = false;
        int32_t score = 0;
        for (int seat = 0; seat < sim->table.seats; seat++) {
            if (result.side_of[seat] == side) {
                won = won || (result.winners >> seat & 1) != 0;
                score = result.score[seat];
            }
        }
        sim->wins[side] += won;
        sim->score[side] += score;
    }
    sim->last = result;
}

static void add_round(struct sim *sim, const struct game_state *state) {
    int32_t figures[GAME_FIGURES_MAX] = {0};
    game_count(sim->table.game, state, SPECTATOR, figures);
    for (int i = 0; i < GAME_FIGURES_MAX; i++)
        sim->figures[i] += figures[i];
    sim->rounds++;
}

/* Game number `index` is the same game however many are played. */
static void play_game(struct sim *sim, uint64_t index) {
    struct game_state state;
    struct chance chance;
    uint32_t awaited;
    cli_table_start(&sim->table, &state);
    chance_start_number(&chance, sim->seed, index);
    for (int moves = 0; (awaited = game_to_act(sim->table.game, &state)) != 0; moves++) {
        if (moves == MOVES_MAX) {
            cli_complain("game %llu does not end", (unsigned long long)index);
            break;
        }
        step(sim, &state, awaited, &chance);
        sim->moves++;
        if (game_round_has_ended(sim->table.game, &state))
            add_round(sim, &state);
    }
    add_result(sim, &state);
}

static void side_name(const struct sim *sim, int side, char *out, size_t size) {
    struct text text;
    text_begin(&text, out, size);
    cli_side_name(&sim->last, sim->table.seats, side, &text);
}

static void print_json(const struct sim *sim) {
    const struct game *game = sim->table.game;
    double games = (double)sim->games;
    printf("{\"game\": \"%s\", \"players\": %d, \"games\": %llu, \"seed\": %llu, \"bots\": [",
           game->id, sim->table.seats, (unsigned long long)sim->games,
           (unsigned long long)sim->seed);
    for (int seat = 0; seat < sim->table.seats; seat++)
        printf("%s\"%s\"", seat > 0 ? ", " : "", bot_level_name(sim->levels[seat]));
    printf("], \"sides\": [");
    for (int side = 0; side < sim->last.sides; side++) {
        char name[32];
        double ci[2];
        side_name(sim, side, name, sizeof name);
        cli_interval((double)sim->wins[side] / games, games, ci);
        printf("%s{\"name\": \"%s\", \"wins\": %llu, \"win_rate\": %.6f, \"ci95\": [%.6f, %.6f], "
               "\"mean_score\": %.4f}",
               side > 0 ? ", " : "", name, (unsigned long long)sim->wins[side],
               (double)sim->wins[side] / games, ci[0], ci[1], (double)sim->score[side] / games);
    }
    printf("], \"stats\": {");
    for (int i = 0; i < figure_count(game->table_figures); i++)
        printf("%s\"%s\": %lld", i > 0 ? ", " : "", game->table_figures[i],
               (long long)sim->figures[i]);
    printf("}, \"moves\": %llu, \"games_per_cpu_s\": %.1f", (unsigned long long)sim->moves,
           games / sim->seconds);
    if (sim->with_times)
        printf(", \"cpu_ms_mean\": %.6f, \"cpu_ms_p99\": %.6f", cli_speed_mean_ms(&sim->speed),
               cli_speed_p99_ms(&sim->speed));
    printf("}\n");
}

/* Games of several rounds also get their figures per round. */
static void print_figures(const struct sim *sim) {
    const char *const *names = sim->table.game->table_figures;
    for (int i = 0; i < figure_count(names); i++) {
        double sum = (double)sim->figures[i];
        printf("%-32s %12.0f %10.3f per game", names[i], sum, sum / (double)sim->games);
        if (sim->rounds > sim->games)
            printf(" %9.4f per round", sum / (double)sim->rounds);
        putchar('\n');
    }
}

static void print_table(const struct sim *sim) {
    const struct game *game = sim->table.game;
    double games = (double)sim->games;
    printf("%s, %llu games, seed %llu, bots", game->name, (unsigned long long)sim->games,
           (unsigned long long)sim->seed);
    for (int seat = 0; seat < sim->table.seats; seat++)
        printf(" %s", bot_level_name(sim->levels[seat]));
    if (bot_is_general(game))
        printf(" (the game has no bot of its own)");
    printf("\n%-12s %10s %8s %18s %12s\n", "side", "wins", "rate", "95 % interval", "mean score");
    for (int side = 0; side < sim->last.sides; side++) {
        char name[32];
        double ci[2];
        side_name(sim, side, name, sizeof name);
        cli_interval((double)sim->wins[side] / games, games, ci);
        printf("%-12s %10llu %6.2f %% %7.2f %% - %5.2f %% %12.2f\n", name,
               (unsigned long long)sim->wins[side], 100 * (double)sim->wins[side] / games,
               100 * ci[0], 100 * ci[1], (double)sim->score[side] / games);
    }
    print_figures(sim);
    printf("%.1f moves per game, %.1f games per CPU second\n", (double)sim->moves / games,
           games / sim->seconds);
    if (sim->with_times)
        printf("%.4f CPU ms per decision, p99 %.4f\n", cli_speed_mean_ms(&sim->speed),
               cli_speed_p99_ms(&sim->speed));
}

static void show_progress(const struct sim *sim, uint64_t done) {
    fprintf(stderr, "\r%llu of %llu games", (unsigned long long)done,
            (unsigned long long)sim->games);
    if (done == sim->games)
        fprintf(stderr, "\r\033[K");
    fflush(stderr);
}

static void run(struct sim *sim) {
    bool progress = isatty(STDERR_FILENO);
    double start = cli_cpu_seconds(), told = start;
    for (uint64_t i = 0; i < sim->games; i++) {
        play_game(sim, i);
        double now = cli_cpu_seconds();
        if (progress && (now - told > 0.2 || i + 1 == sim->games)) {
            show_progress(sim, i + 1);
            told = now;
        }
    }
    sim->seconds = cli_cpu_seconds() - start;
}

int cli_sim(struct cli_arguments *arguments) {
    struct sim sim = {0};
    const char *value, *levels = "medium";
    cli_table_game_word(arguments, &sim.table);
    sim.games = 1000;
    while (arguments->at < arguments->count) {
        if (cli_table_flag(arguments, &sim.table))
            continue;
        if (cli_flag(arguments, "--bots", &value))
            levels = value;
        else if (cli_flag(arguments, "--games", &value))
            sim.games = cli_number("--games", value, 1, 1000000000);
        else if (cli_flag(arguments, "--seed", &value))
            sim.seed = cli_number("--seed", value, 0, UINT64_MAX);
        else if (cli_switch(arguments, "--times"))
            sim.with_times = true;
        else if (cli_switch(arguments, "--json"))
            sim.as_json = true;
        else
            return cli_unexpected(arguments);
    }
    struct game_state state;
    cli_table_start(&sim.table, &state);
    cli_bot_levels(levels, sim.table.seats, sim.levels);
    run(&sim);
    if (sim.as_json)
        print_json(&sim);
    else
        print_table(&sim);
    return 0;
}
