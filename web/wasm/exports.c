/* The rules and bots as a WebAssembly module, one game at a time, for the tests and the bench: what
 * runs natively must run here alike. The page's own module is table.c. */
#include "bots/bot.h"
#include "engine/playout.h"
#include "games/registry.h"
#include "web/wasm/desk.h"
#include <string.h>

static const struct game *game;
static struct game_state state;
static struct chance chance;
static char event_text[1 << 16];
static struct events events; /* of the last move */

static bool answer(bool accepted, const struct refusal *why) {
    if (!accepted)
        desk_refuse(why);
    return accepted;
}

/* Input: options as text. `number` is the game's place in the registry. */
bool oyster_start(uint32_t number, int seats, uint32_t length) EXPORT(start);
bool oyster_start(uint32_t number, int seats, uint32_t length) {
    struct refusal why;
    struct options options;
    if (number >= registry_count)
        return answer(refuse(&why, "NO_SUCH_GAME", "There is no such game"), &why);
    game = registry_games[number];
    options_default(&game->options, &options);
    return answer(options_parse(&game->options, desk_input(length), &options, &why) &&
                      game_start(game, &state, &options, seats, &why),
                  &why);
}

/* Input: a move as text. The seat is -1 for NATURE. */
bool oyster_play(int seat, uint32_t length) EXPORT(play);
bool oyster_play(int seat, uint32_t length) {
    struct refusal why;
    events_begin(&events, event_text, sizeof event_text);
    return answer(game_play_text(game, &state, seat, desk_input(length), &events, &why), &why);
}

/* What the last move told anybody: [{"event", "data"}]. */
void oyster_events(void) EXPORT(events);
void oyster_events(void) {
    struct json json;
    desk_begin(&json);
    json_put_array(&json, NULL);
    for (size_t i = 0; i < events.count; i++) {
        json_put_object(&json, NULL);
        json_put_string(&json, "event", events.item[i].type);
        json_put_raw(&json, "data", events.item[i].data);
        json_put_end(&json);
    }
    json_put_end(&json);
}

void oyster_view(int seat) EXPORT(view);
void oyster_view(int seat) {
    struct json json;
    desk_begin(&json);
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

/* Lets a bot choose a move for the awaited seat and writes it to the output; it is not played
 * yet. */
void oyster_bot(int seat, uint32_t level) EXPORT(bot);
void oyster_bot(int seat, uint32_t level) {
    struct move move;
    struct text text;
    bot_choose(game, &state, seat, level < BOT_LEVELS ? (enum bot_level)level : BOT_MEDIUM, &chance,
               &move);
    text_begin(&text, desk_output, sizeof desk_output);
    game_print(game, &move, &text);
}

/* Plays random games from here on and returns the number of moves. The table stays as it is. */
uint32_t oyster_playouts(uint32_t games) EXPORT(playouts);
uint32_t oyster_playouts(uint32_t games) {
    struct playout counts = {0};
    uint8_t seed[CHANCE_SEED_SIZE];
    struct chance luck;
    chance_bytes(&chance, seed, sizeof seed);
    chance_start(&luck, seed);
    chance_simulate(&luck);
    for (uint32_t i = 0; i < games; i++) {
        struct game_state copy;
        memcpy(copy.bytes, state.bytes, game->state_size);
        playout_finish(game, &copy, PLAYOUT_FAST, &luck, PLAYOUT_DEALS_MAX, &counts);
    }
    return (uint32_t)counts.moves;
}
