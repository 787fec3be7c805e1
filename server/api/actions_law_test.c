/* One law for all games: what a view offers, sent back as type and payload, is the move that it
 * stands for, word by word. */
#include "games/registry.h"
#include "server/api/actions.h"
#include "tests/support.h"

static struct world world;
static struct refusal why;
static char buffer[ACTIONS_WORDS_SIZE];

/* House rules under which the types are offered; random games must come upon each of them. */
static const struct setup {
    const char *game;
    const char *settings;
    const char *types[16];
} setups[] = {
    {"whos-deal", "", {"call-trump", "pass-trump", "discard", "play-card"}},
    {"whos-deal", "defendAlone=yes farmersHand=yes", {"defend-alone", "redeal"}},
    {"hand-and-foot", "preset=classic", {"draw", "unlock-discard", "meld", "add-to-meld"}},
    {"hand-and-foot", "preset=partners", {"discard", "done-melding", "undo", "unlock-discard"}},
    {"hand-and-foot", "preset=closers", {"choose-pile", "close-book", "unlock-discard", "meld"}},
    {"hand-and-foot", "preset=partners layRedThrees=yes", {"lay-red-three"}},
    {"up-n-down", "", {"play-card", "end-turn", "set-preference"}},
    {"up-n-down", "allowUndo=yes", {"undo"}},
    {"4-kate", "", {"drop"}},
    {"terrible-people", "", {"submit", "judge"}},
};

enum { GAMES_MIN = 4, GAMES_MAX = 100 };

static uint32_t seen; /* bit i: the setup's type i was offered */

static void note_type(const struct setup *setup, const char *type) {
    for (int i = 0; setup->types[i]; i++)
        if (strcmp(setup->types[i], type) == 0)
            seen |= 1u << i;
}

static void prepare(const struct setup *setup) {
    const struct game *game = registry_find(span_of(setup->game));
    struct options options;
    int seats = game->players_default;
    world_empty(&world, &world_times_usual);
    world.game = game;
    options_default(&game->options, &options);
    if (!options_parse(&game->options, span_of(setup->settings), &options, &why) ||
        !game_start(game, &world.state, &options, seats, &why))
        fail_msg("%s", why.text);
    world.status = WORLD_PLAYING;
    world.seat_count = (uint8_t)seats;
    for (int seat = 0; seat < seats; seat++)
        snprintf(world.seat[seat].id, sizeof world.seat[seat].id, "player%d", seat);
}

/* Sends one entry back without its text, which must become the words of that text. */
static void entry_is_its_move(const struct setup *setup, int seat, json_t *entry) {
    struct move expected, move;
    note_type(setup, json_string_value(json_object_get(entry, "type")));
    const char *text = json_string_value(json_object_get(entry, "move"));
    assert_true(game_parse(world.game, &world.state, span_of(text), &expected, &why));
    char copy[MOVE_TEXT_SIZE];
    snprintf(copy, sizeof copy, "%s", text);
    json_object_del(entry, "move");
    struct text words = text_in(buffer, sizeof buffer);
    if (!actions_read(&world, entry, &words, &why))
        fail_msg("%s '%s': %s", world.game->id, copy, why.text);
    assert_string_equal(buffer, copy);
    assert_true(game_parse(world.game, &world.state, span_of(buffer), &move, &why));
    assert_true(move_equal(&move, &expected));
}

static void entries_are_their_moves(const struct setup *setup, int seat) {
    static char view[1 << 18];
    json_error_t error;
    struct json json = json_object_in(view, sizeof view);
    world_game_view(&world, seat, "view", &json);
    json_put_end(&json);
    assert_true(json_complete(&json));
    json_t *read = json_loads(view, 0, &error);
    assert_non_null(read);
    json_t *legal = json_object_get(json_object_get(read, "view"), "legal");
    for (size_t i = 0; i < json_array_size(legal); i++)
        entry_is_its_move(setup, seat, json_array_get(legal, i));
    json_decref(read);
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

static void play_and_compare(const struct setup *setup, uint64_t number) {
    struct chance chance;
    prepare(setup);
    chance_start_number(&chance, number, 0);
    for (int step = 0; step < 150; step++) {
        if (game_to_act(world.game, &world.state) == 0)
            break;
        for (int seat = 0; seat < world.seat_count; seat++)
            entries_are_their_moves(setup, seat);
        play_something(&chance);
    }
}

UNIT_TEST(what_a_view_offers_is_what_is_read) {
    for (size_t i = 0; i < sizeof setups / sizeof setups[0]; i++) {
        seen = 0;
        uint64_t number = 0;
        for (int type = 0; setups[i].types[type]; type++)
            while (number < GAMES_MIN || (seen >> type & 1) == 0) {
                if (number == GAMES_MAX)
                    fail_msg("%s was never offered by %s", setups[i].types[type], setups[i].game);
                play_and_compare(&setups[i], number++);
            }
    }
}

/* By its own rules, a game that the table above does not know as well. */
UNIT_TEST(every_game_is_tried) {
    for (size_t i = 0; i < registry_count; i++)
        for (uint64_t number = 0; number < GAMES_MIN; number++)
            play_and_compare(&(struct setup){.game = registry_games[i]->id, .settings = ""},
                             number);
}
