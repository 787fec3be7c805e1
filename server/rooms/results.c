/* See results.h. */
#include "server/rooms/results.h"

#include "engine/ensure.h"
#include <string.h>

static void fill_seats(const struct world *world, const struct result *result,
                       struct results *out) {
    for (int i = 0; i < world->seat_count; i++) {
        const struct world_seat *seat = &world->seat[i];
        bool person = seat->kind == WORLD_SEAT_PERSON && !world_is_erased(seat->id);
        const char *level = bot_level_name((enum bot_level)seat->level);
        const char *name = seat->kind == WORLD_SEAT_BOT
                               ? bot_character((enum bot_level)seat->level, seat->character).name
                               : seat->name;
        out->seats[i] = (struct store_seat){.name = span_of(name),
                                            .player = span_of(person ? seat->id : ""),
                                            .level = span_of(!person || seat->away ? level : ""),
                                            .side = result->side_of[i],
                                            .score = result->score[i],
                                            .won = (result->winners >> i & 1) != 0};
        memcpy(out->seats[i].figures, world->figures[i], sizeof world->figures[i]);
    }
}

static size_t fill_figures(const struct world *world, struct results *out) {
    size_t count = (size_t)figure_count(world->game->figures);
    for (size_t i = 0; i < count; i++)
        out->figures[i] = span_of(world->game->figures[i]);
    return count;
}

static size_t fill_stats(const struct world *world, struct results *out) {
    const char *const *names = world->game->table_figures;
    size_t count = (size_t)figure_count(names);
    for (size_t i = 0; i < count; i++)
        out->stats[i] = (struct store_stat){span_of(names[i]), world->table_figures[i]};
    return count;
}

/* HF-C48: a game that was loaded counts for nobody. One that its only player saved, who may know
 * its cards from the file, counts as long as nobody else plays: they fool nobody but themselves. */
static bool is_rigged(const struct world *world) {
    int people = 0;
    for (int seat = 0; seat < world->seat_count; seat++)
        people += world->seat[seat].kind == WORLD_SEAT_PERSON;
    return *world->loader || (world->saved && people > 1);
}

const struct store_match *results_of(const struct world *world, int64_t after_version,
                                     struct results *out) {
    struct result result;
    struct json settings, state;
    if (world->ended_version <= after_version || is_rigged(world))
        return NULL;
    json_begin(&settings, out->settings, sizeof out->settings);
    options_json(&world->game->options, &world->options, NULL, &settings);
    json_begin(&state, out->state, sizeof out->state);
    game_view(world->game, &world->state, OMNISCIENT, NULL, &state);
    ensure(json_complete(&settings) && json_complete(&state));
    game_result(world->game, &world->state, &result);
    fill_seats(world, &result, out);
    out->match = (struct store_match){.number = world->games,
                                      .over = world->status == WORLD_OVER,
                                      .started_ms = world->started_ms,
                                      .settings = {settings.text.data, settings.text.length},
                                      .state = {state.text.data, state.text.length},
                                      .seats = out->seats,
                                      .seat_count = world->seat_count,
                                      .figures = out->figures,
                                      .figure_count = fill_figures(world, out),
                                      .stats = out->stats,
                                      .stat_count = fill_stats(world, out)};
    return &out->match;
}
