/* `oyster bench playouts`: how fast random games run, as search plays them and as people's moves
 * are taken. */
#include "cli/cli.h"

#include "engine/playout.h"
#include "games/registry.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct measurement {
    const struct game *game;
    const char *preset;
    int seats;
    struct playout counts[2]; /* by way */
    uint64_t games[2];
    double seconds[2];
};

/* Plays one way until the time is over; looks at the clock only once in a while. */
static void measure_way(struct measurement *out, const struct game_state *first,
                        enum playout_way way, double seconds) {
    struct game_state state;
    struct chance chance;
    double start = cli_cpu_seconds();
    chance_start_number(&chance, 1, 0);
    chance_simulate(&chance);
    do {
        for (int i = 0; i < 16; i++) {
            memcpy(state.bytes, first->bytes, out->game->state_size);
            playout_finish(out->game, &state, way, &chance, PLAYOUT_DEALS_MAX, &out->counts[way]);
        }
        out->games[way] += 16;
        out->seconds[way] = cli_cpu_seconds() - start;
    } while (out->seconds[way] < seconds);
}

static void measure(struct measurement *out, const struct options *options, double seconds) {
    struct game_state first;
    if (!game_start(out->game, &first, options, out->seats, NULL))
        exit(cli_complain("%s cannot be started with %d seats", out->game->id, out->seats));
    measure_way(out, &first, PLAYOUT_CHECKED, seconds);
    measure_way(out, &first, PLAYOUT_FAST, seconds);
}

static void print_measurement(const struct measurement *m, bool as_json, bool first) {
    double seconds = m->seconds[PLAYOUT_FAST];
    double games = (double)m->games[PLAYOUT_FAST] / seconds;
    double rounds = (double)m->counts[PLAYOUT_FAST].rounds / seconds;
    double moves = (double)m->counts[PLAYOUT_FAST].moves / seconds;
    double checked = (double)m->counts[PLAYOUT_CHECKED].rounds / m->seconds[PLAYOUT_CHECKED];
    if (as_json)
        printf("%s\n  {\"game\": \"%s\", \"preset\": \"%s\", \"players\": %d, "
               "\"games_per_cpu_s\": %.0f, \"rounds_per_cpu_s\": %.0f, \"moves_per_cpu_s\": %.0f, "
               "\"checked_rounds_per_cpu_s\": %.0f, \"state_bytes\": %zu}",
               first ? "" : ",", m->game->id, m->preset, m->seats, games, rounds, moves, checked,
               m->game->state_size);
    else
        printf("%-16s %-10s %7d %14.0f %14.0f %14.0f %14.0f %12zu\n", m->game->id, m->preset,
               m->seats, games, rounds, moves, checked, m->game->state_size);
    fflush(stdout);
}

/* Every preset of the game, or its defaults where it has none. */
static void bench_game(const struct game *game, double seconds, bool as_json, bool *first) {
    size_t presets = game->options.preset_count;
    for (size_t i = 0; i < (presets > 0 ? presets : 1); i++) {
        struct measurement m = {.game = game, .preset = "standard", .seats = game->players_default};
        struct options options;
        options_default(&game->options, &options);
        if (presets > 0) {
            m.preset = game->options.presets[i].id;
            options_preset(&game->options, span_of(m.preset), &options, NULL);
        }
        measure(&m, &options, seconds);
        print_measurement(&m, as_json, *first);
        *first = false;
    }
}

int cli_bench(struct cli_arguments *arguments) {
    const char *word;
    const struct game *chosen[16];
    size_t count = 0;
    double seconds = 1;
    bool as_json = false, first = true;
    if (!cli_word(arguments, &word) || strcmp(word, "playouts") != 0)
        return cli_complain("what to measure? Try: oyster bench playouts");
    while (arguments->at < arguments->count) {
        struct cli_table table;
        if (cli_flag(arguments, "--seconds", &word)) {
            seconds = (double)cli_number("--seconds", word, 1, 3600);
        } else if (cli_switch(arguments, "--json")) {
            as_json = true;
        } else if (count < sizeof chosen / sizeof chosen[0] && cli_word(arguments, &word)) {
            cli_table_game(word, &table);
            chosen[count++] = table.game;
        } else {
            return cli_unexpected(arguments);
        }
    }
    if (count == 0) {
        memcpy(chosen, registry_games, registry_count * sizeof chosen[0]);
        count = registry_count;
    }
    if (as_json)
        printf("[");
    else
        printf("%-16s %-10s %7s %14s %14s %14s %14s %12s\n", "game", "preset", "players",
               "games/cpu-s", "rounds/cpu-s", "moves/cpu-s", "rounds checked", "state bytes");
    for (size_t i = 0; i < count; i++)
        bench_game(chosen[i], seconds, as_json, &first);
    if (as_json)
        printf("\n]\n");
    else
        printf("A game is given up after %d deals: random players may never reach a target.\n",
               PLAYOUT_DEALS_MAX);
    return 0;
}
