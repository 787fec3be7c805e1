/* The rules and bots as a WebAssembly module: one table that a page plays at. Text goes in through
 * `input`, answers come out as zero-terminated text in `output`. */
#include "bots/bot.h"
#include "engine/playout.h"
#include "games/registry.h"
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name)))

enum { INPUT_SIZE = 1 << 13, OUTPUT_SIZE = 1 << 18 };

static char input[INPUT_SIZE];
static char output[OUTPUT_SIZE];
static const struct game *game;
static struct game_state state;
static struct chance chance;

char *oyster_input(void) EXPORT(input);
char *oyster_input(void) {
    return input;
}

const char *oyster_output(void) EXPORT(output);
const char *oyster_output(void) {
    return output;
}

static struct span read_input(uint32_t length) {
    return (struct span){input, length < INPUT_SIZE ? length : INPUT_SIZE};
}

/* A refusal leaves {"error", "code", "status"} in the output. */
static bool answer(bool accepted, const struct refusal *why) {
    struct json json;
    json_begin(&json, output, sizeof output);
    json_put_object(&json, NULL);
    if (!accepted) {
        json_put_string(&json, "error", why->text);
        json_put_string(&json, "code", why->code);
        json_put_number(&json, "status", why->status);
    }
    json_put_end(&json);
    return accepted;
}

/* The registry with all options. */
void oyster_games(void) EXPORT(games);
void oyster_games(void) {
    struct json json;
    json_begin(&json, output, sizeof output);
    json_put_array(&json, NULL);
    for (size_t i = 0; i < registry_count; i++)
        game_registry_json(registry_games[i], &json);
    json_put_end(&json);
}

/* Input: options as text. `number` is the game's place in the registry. */
bool oyster_start(uint32_t number, int seats, uint32_t length) EXPORT(start);
bool oyster_start(uint32_t number, int seats, uint32_t length) {
    struct refusal why;
    struct options options;
    if (number >= registry_count)
        return answer(refuse(&why, 404, "NO_SUCH_GAME", "There is no such game"), &why);
    game = registry_games[number];
    options_default(&game->options, &options);
    return answer(options_parse(&game->options, read_input(length), &options, &why) &&
                      game_start(game, &state, &options, seats, &why),
                  &why);
}

/* Input: a move as text. The seat is -1 for NATURE. */
bool oyster_play(int seat, uint32_t length) EXPORT(play);
bool oyster_play(int seat, uint32_t length) {
    struct refusal why;
    return answer(game_play_text(game, &state, seat, read_input(length), NULL, &why), &why);
}

void oyster_view(int seat) EXPORT(view);
void oyster_view(int seat) {
    struct json json;
    json_begin(&json, output, sizeof output);
    game_view(game, &state, seat, NULL, &json);
}

/* The awaited seats as a mask; the highest bit is NATURE. */
uint32_t oyster_to_act(void) EXPORT(to_act);
uint32_t oyster_to_act(void) {
    return game_to_act(game, &state);
}

uint64_t oyster_hash(void) EXPORT(hash);
uint64_t oyster_hash(void) {
    return game_hash(game, &state);
}

/* Where the bots' and the playouts' randomness starts. */
void oyster_seed(uint64_t number, uint64_t stream) EXPORT(seed);
void oyster_seed(uint64_t number, uint64_t stream) {
    chance_start_number(&chance, number, stream);
}

/* The awaited seat's move by a bot, as text in the output; it is not played yet. */
void oyster_bot(int seat, uint32_t level) EXPORT(bot);
void oyster_bot(int seat, uint32_t level) {
    struct move move;
    struct text text;
    bot_choose(game, &state, seat, level < BOT_LEVELS ? (enum bot_level)level : BOT_MEDIUM, &chance,
               &move);
    text_begin(&text, output, sizeof output);
    game_print(game, &state, seat, &move, &text);
}

/* Random games from here on; returns the number of moves. The table stays as it is. */
uint32_t oyster_playouts(uint32_t games) EXPORT(playouts);
uint32_t oyster_playouts(uint32_t games) {
    struct playout counts = {0};
    for (uint32_t i = 0; i < games; i++) {
        struct game_state copy;
        memcpy(copy.bytes, state.bytes, game->state_size);
        playout_finish(game, &copy, &chance, PLAYOUT_DEALS_MAX, &counts);
    }
    return (uint32_t)counts.moves;
}
