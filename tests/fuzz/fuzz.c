/* What the fuzzers call. Whatever comes in: no crash, no broken invariant (the engine ensures those
 * itself), and a refused move changes nothing. */
#include "tests/fuzz/fuzz.h"

#include "engine/ensure.h"
#include "engine/record.h"
#include "server/save.h"
#include "tests/laws.h"
#include <string.h>

static const struct game *find_game(struct span id) {
    for (size_t i = 0; i < laws_game_count(); i++)
        if (span_is(id, laws_game(i)->id))
            return laws_game(i);
    return NULL;
}

/* A refusal must be readable and leave no trace. */
static void play_text(const struct game *game, struct game_state *state, int seat,
                      struct span text) {
    struct game_state before = *state;
    struct refusal why = {0};
    static char buffer[1 << 16];
    struct events events;
    events_begin(&events, buffer, sizeof buffer);
    if (game_play_text(game, state, seat, text, &events, &why))
        return;
    ensure(memcmp(before.bytes, state->bytes, game->state_size) == 0);
    ensure(why.code && why.status >= 400 && why.text[0] != '\0');
}

void fuzz_records(const uint8_t *data, size_t size) {
    struct record_reader reader;
    struct record_header header;
    struct record_entry entry;
    struct record_error error;
    struct options options;
    struct game_state state = {0};
    record_open(&reader, (struct span){(const char *)data, size});
    if (!record_read_header(&reader, &header, &error))
        return;
    const struct game *game = find_game(header.game);
    if (!game)
        return;
    if (!record_start(&reader, &header, game, &options, &state, &error))
        return;
    while (record_next(&reader, &entry, &error) == RECORD_ENTRY)
        play_text(game, &state, entry.seat, entry.text);
}

void fuzz_options(const uint8_t *data, size_t size) {
    for (size_t i = 0; i < laws_game_count(); i++) {
        const struct game *game = laws_game(i);
        struct options options, back;
        struct game_state state = {0};
        struct refusal why;
        options_default(&game->options, &options);
        if (!options_parse(&game->options, (struct span){(const char *)data, size}, &options, &why))
            continue;
        char line[2048];
        struct text text;
        text_begin(&text, line, sizeof line);
        options_print(&game->options, &options, &text);
        options_default(&game->options, &back);
        ensure(options_parse(&game->options, span_of(line), &back, &why));
        ensure(memcmp(&options, &back, sizeof back) == 0);
        for (int seats = 0; seats <= SEATS_MAX + 1; seats++)
            game_start(game, &state, &options, seats, &why);
    }
}

static const struct game *start_any(uint8_t choice, struct game_state *state) {
    const struct game *game = laws_game(choice % laws_game_count());
    int spread = game->players_max - game->players_min + 1;
    int seats = game->players_min + choice / (int)laws_game_count() % spread;
    struct options options;
    options_default(&game->options, &options);
    if (!game_start(game, state, &options, seats, NULL))
        ensure(game_start(game, state, &options, game->players_default, NULL));
    play_text(game, state, NATURE,
              span_of("deal 000102030405060708090a0b0c0d0e0f"
                      "101112131415161718191a1b1c1d1e1f"));
    return game;
}

void fuzz_moves(const uint8_t *data, size_t size) {
    struct game_state state = {0};
    if (size == 0)
        return;
    const struct game *game = start_any(data[0], &state);
    const char *at = (const char *)data + 1, *end = (const char *)data + size;
    while (at < end) {
        const char *line = at;
        while (at < end && *at != '\n')
            at++;
        int seat = *line == '-' ? NATURE : *line - '0';
        if (at > line)
            play_text(game, &state, seat, (struct span){line + 1, (size_t)(at - line - 1)});
        at++;
    }
}

void fuzz_bytes(const uint8_t *data, size_t size) {
    struct game_state state = {0};
    if (size == 0)
        return;
    const struct game *game = start_any(data[0], &state);
    for (size_t at = 1; at + 8 <= size; at += 8) {
        struct move move = {.verb = data[at + 1], .count = data[at + 2]};
        memcpy(move.args, data + at + 3, 5);
        struct game_state before = state;
        int seat = (int8_t)data[at];
        if (seat == NATURE)
            play_text(game, &state, NATURE,
                      span_of("shuffle 202122232425262728292a2b2c2d2e2f"
                              "303132333435363738393a3b3c3d3e3f"));
        else if (!game_play(game, &state, seat, &move, NULL, NULL))
            ensure(memcmp(before.bytes, state.bytes, game->state_size) == 0);
    }
}

/* A game that was taken up somewhere goes on: the awaited seats have moves, and the engine ensures
 * the invariants after each of them. */
static void play_on(const struct game *game, struct game_state *state) {
    struct chance chance;
    uint32_t awaited;
    chance_start_number(&chance, game_hash(game, state), 0);
    for (int i = 0; i < 200 && (awaited = game_to_act(game, state)) != 0; i++) {
        if ((awaited & AWAITS_NATURE) != 0) {
            ensure(game_deal_chance(game, state, &chance, NULL, NULL));
            continue;
        }
        struct move moves[GAME_LEGAL_MAX];
        int seat = __builtin_ctz(awaited);
        size_t count = game_legal(game, state, seat, moves);
        ensure(count > 0);
        ensure(game_play(game, state, seat, &moves[chance_below(&chance, (uint32_t)count)], NULL,
                         NULL));
    }
}

static void survives_text(const struct game *game, const struct game_state *start,
                          const struct game_state *state) {
    static char line[POSITION_TEXT_SIZE];
    struct game_state back = *start;
    struct text text;
    text_begin(&text, line, sizeof line);
    game_print_position(game, state, &text);
    ensure(!text.cut && game_read_position(game, &back, span_of(line), NULL));
    ensure(memcmp(back.bytes, state->bytes, game->state_size) == 0);
}

void fuzz_positions(const uint8_t *data, size_t size) {
    static const char *const tables[] = {"", "preset=partners askPartner=yes layRedThrees=yes",
                                         "preset=closers undo=yes wildBooks=yes"};
    const struct game *game = find_game(span_of("hand-and-foot"));
    struct game_state start = {0}, state;
    struct options options;
    struct refusal why = {0};
    if (size == 0)
        return;
    options_default(&game->options, &options);
    ensure(options_parse(&game->options, span_of(tables[data[0] % 3]), &options, NULL));
    ensure(game_start(game, &start, &options, 4, NULL));
    state = start;
    if (game_read_position(game, &state, (struct span){(const char *)data + 1, size - 1}, &why)) {
        survives_text(game, &start, &state);
        play_on(game, &state);
    } else {
        ensure(memcmp(state.bytes, start.bytes, game->state_size) == 0);
        ensure(why.code && why.status == 400 && why.text[0] != '\0');
    }
}

void fuzz_saves(const uint8_t *data, size_t size) {
    static char text[SAVE_TEXT_SIZE];
    static struct save save, back;
    struct refusal why = {0};
    if (!save_read((struct span){(const char *)data, size}, &save, &why)) {
        ensure(why.code && why.status == 400 && why.text[0] != '\0');
        return;
    }
    ensure(save_write(&save, text, sizeof text));
    ensure(save_read(span_of(text), &back, NULL));
    ensure(memcmp(&save, &back, sizeof save) == 0);
    play_on(save_game(), &save.state);
}

#ifdef FUZZ_TARGET
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    FUZZ_TARGET(data, size);
    return 0;
}
#endif
