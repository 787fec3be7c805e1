/* One law for all games: what a view offers, sent back as type and payload, is the move that it
 * stands for, word by word. */
#include "games/registry.h"
#include "server/actions.h"
#include "tests/support.h"

static struct world world;
static struct refusal why;
static char buffer[ACTIONS_WORDS_SIZE];

static void prepare(const struct game *game, int preset, int seats) {
    struct options options;
    world_empty(&world, &world_times_usual);
    world.game = game;
    options_default(&game->options, &options);
    if (game->options.preset_count > 0)
        assert_true(options_preset(&game->options, span_of(game->options.presets[preset].id),
                                   &options, &why));
    assert_true(game_start(game, &world.state, &options, seats, &why));
    world.options = options;
    world.status = WORLD_PLAYING;
    world.seat_count = (uint8_t)seats;
    for (int seat = 0; seat < seats; seat++)
        snprintf(world.seat[seat].id, sizeof world.seat[seat].id, "player%d", seat);
}

/* One entry without its text, and what the text says. */
static void entry_is_its_move(int seat, json_t *entry) {
    struct move expected, move;
    struct text words;
    const char *text = json_string_value(json_object_get(entry, "move"));
    assert_true(game_parse(world.game, &world.state, seat, span_of(text), &expected, &why));
    char copy[MOVE_TEXT_SIZE];
    snprintf(copy, sizeof copy, "%s", text);
    json_object_del(entry, "move");
    text_begin(&words, buffer, sizeof buffer);
    if (!actions_read(&world, span_of(world.seat[seat].id), entry, &words, &why))
        fail_msg("%s '%s': %s", world.game->id, copy, why.text);
    assert_string_equal(buffer, copy);
    assert_true(game_parse(world.game, &world.state, seat, span_of(buffer), &move, &why));
    assert_true(move_equal(&move, &expected));
}

static int entries_are_their_moves(int seat) {
    static char view[1 << 18];
    struct json json;
    json_error_t error;
    json_begin(&json, view, sizeof view);
    json_put_object(&json, NULL);
    world_game_view(&world, seat, "view", &json);
    json_put_end(&json);
    assert_true(json_complete(&json));
    json_t *read = json_loads(view, 0, &error);
    assert_non_null(read);
    json_t *legal = json_object_get(json_object_get(read, "view"), "legal");
    int count = (int)json_array_size(legal);
    for (int i = 0; i < count; i++)
        entry_is_its_move(seat, json_array_get(legal, (size_t)i));
    json_decref(read);
    return count;
}

static void play_something(struct chance *chance) {
    struct move moves[GAME_LEGAL_MAX];
    uint32_t awaited = game_to_act(world.game, &world.state);
    if ((awaited & AWAITS_NATURE) != 0) {
        assert_true(game_deal_chance(world.game, &world.state, chance, NULL, &why));
        return;
    }
    int seat = __builtin_ctz(awaited);
    size_t count = game_legal(world.game, &world.state, seat, moves);
    const struct move *move = &moves[chance_below(chance, (uint32_t)count)];
    assert_true(game_play(world.game, &world.state, seat, move, NULL, &why));
}

static int play_and_compare(const struct game *game, int preset, int seats, uint8_t number) {
    struct chance chance;
    uint8_t own[CHANCE_SEED_SIZE] = {number, (uint8_t)preset, (uint8_t)seats};
    int compared = 0;
    prepare(game, preset, seats);
    chance_start(&chance, own);
    for (int step = 0; step < 150; step++) {
        if (game_to_act(game, &world.state) == 0)
            break;
        for (int seat = 0; seat < seats; seat++)
            compared += entries_are_their_moves(seat);
        play_something(&chance);
    }
    return compared;
}

static void what_a_view_offers_is_what_is_read(void **state) {
    (void)state;
    for (size_t i = 0; i < registry_count; i++) {
        const struct game *game = registry_games[i];
        int presets = game->options.preset_count > 0 ? (int)game->options.preset_count : 1;
        int compared = 0;
        for (int preset = 0; preset < presets; preset++)
            for (uint8_t number = 0; number < 3; number++)
                compared += play_and_compare(game, preset, game->players_default, number);
        assert_true(compared > 300);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_a_view_offers_is_what_is_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
