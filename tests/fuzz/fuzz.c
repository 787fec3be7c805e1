/* What the fuzzers call. Whatever comes in: no crash, no broken invariant (the engine ensures those
 * itself), and a refused move changes nothing. */
#include "tests/fuzz/fuzz.h"

#include "engine/ensure.h"
#include "engine/record.h"
#include "formats/save.h"
#include "games/registry.h"
#include "tests/laws.h"
#include "tests/worlds.h"
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
    ensure(why.code && why.text[0] != '\0');
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
        for (size_t i = 0; i < 5; i++)
            move.args[i] = data[at + 3 + i];
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

/* ---- Worlds ---- */

/* Takes the next line off the input. */
static bool next_line(const uint8_t **data, size_t *size, struct span *line) {
    if (*size == 0)
        return false;
    const uint8_t *end = memchr(*data, '\n', *size);
    line->data = (const char *)*data;
    line->length = end ? (size_t)(end - *data) : *size;
    size_t used = line->length + (end != NULL);
    *data += used;
    *size -= used;
    return true;
}

static void look_at(const struct world *world, const char *id) {
    static char buffer[1 << 17];
    struct json json;
    json_begin(&json, buffer, sizeof buffer);
    world_view(world, span_of(id), NULL, &json);
    ensure(json_complete(&json));
    world_due(world);
}

void fuzz_logs(const uint8_t *data, size_t size) {
    static struct world world, before;
    struct span line;
    world_empty(&world, &world_times_usual);
    while (next_line(&data, &size, &line)) {
        struct refusal why = {0};
        memcpy(&before, &world, sizeof before);
        if (world_fold(&world, line, &why)) {
            look_at(&world, "ann");
            continue;
        }
        ensure(why.code && why.text[0] != '\0');
        ensure(memcmp(&before, &world, sizeof before) == 0);
    }
}

/* A world that somebody acts in, another that reads its log, and the log for the export. */
struct stage {
    struct world world, before, follower;
    int64_t now_ms;
    struct world_news news;
    struct events events;
    char buffer[1 << 16];
    size_t log_length;
    char log[1 << 19];
};

static void stage_follow(struct stage *stage) {
    struct span line = {stage->news.line, stage->news.line_length};
    if (line.length == 0)
        return;
    ensure(world_fold(&stage->follower, line, NULL));
    ensure(worlds_equal(&stage->follower, &stage->world));
    if (stage->log_length + line.length + 1 > sizeof stage->log)
        return;
    memcpy(stage->log + stage->log_length, line.data, line.length);
    stage->log_length += line.length;
    stage->log[stage->log_length++] = '\n';
}

static void stage_open(struct stage *stage, uint8_t choice) {
    uint8_t seed[CHANCE_SEED_SIZE] = {choice};
    struct world_birth birth = {.code = span_of("K7M2QX"),
                                .game = span_of(registry_games[choice % registry_count]->id),
                                .id = span_of("a"),
                                .name = span_of("Ann"),
                                .deal_seed = seed,
                                .bot_seed = seed};
    stage->now_ms = 1000000;
    stage->log_length = 0;
    stage->news.events = NULL;
    world_empty(&stage->follower, &world_times_usual);
    ensure(
        world_create(&stage->world, stage->now_ms, &world_times_usual, &birth, &stage->news, NULL));
    stage_follow(stage);
    world_connected(&stage->world, stage->now_ms, birth.id, true);
}

static void stage_act(struct stage *stage, struct span line) {
    struct refusal why = {0};
    struct world_action action = {.id = {line.data, 1}, .words = {line.data, 0}};
    if (line.length > 1)
        action.words = (struct span){line.data + 2, line.length - 2};
    memcpy(&stage->before, &stage->world, sizeof stage->before);
    if (world_act(&stage->world, stage->now_ms, &action, &stage->news, &why) != WORLD_REFUSED)
        return;
    ensure(why.code && why.text[0] != '\0');
    ensure(memcmp(&stage->before, &stage->world, sizeof stage->before) == 0);
}

static void stage_wait(struct stage *stage, struct span line) {
    static struct world_task task;
    int32_t ms = 0;
    span_number((struct span){line.data + 1, line.length - 1}, &ms);
    stage->now_ms += ms > 0 ? ms : 0;
    enum world_answer answer = world_tick(&stage->world, stage->now_ms, &stage->news);
    if (answer == WORLD_DONE || !world_think(&stage->world, stage->now_ms, &task))
        return;
    world_task_run(&task);
    world_thought(&stage->world, stage->now_ms, &task, &stage->news);
}

static void stage_export(struct stage *stage) {
    static struct world_export export;
    static char record[1 << 19];
    const uint8_t *data = (const uint8_t *)stage->log;
    size_t size = stage->log_length;
    struct span line;
    struct text out;
    text_begin(&out, record, sizeof record);
    world_export_begin(&export, &stage->world);
    while (next_line(&data, &size, &line))
        ensure(world_export_line(&export, line, &out, NULL));
}

void fuzz_words(const uint8_t *data, size_t size) {
    static struct stage stage;
    struct span line;
    if (size == 0)
        return;
    stage_open(&stage, data[0]);
    data++;
    size--;
    while (next_line(&data, &size, &line)) {
        events_begin(&stage.events, stage.buffer, sizeof stage.buffer);
        stage.news.events = &stage.events;
        stage.news.line_length = 0;
        char first = line.length > 1 ? line.data[0] : 'a';
        if (first == '+')
            stage_wait(&stage, line);
        else if (first == '!' || first == '?')
            world_connected(&stage.world, stage.now_ms, (struct span){line.data + 1, 1},
                            first == '!');
        else if (line.length > 0)
            stage_act(&stage, line);
        stage_follow(&stage);
    }
    look_at(&stage.world, "a");
    look_at(&stage.world, "b");
    stage_export(&stage);
}

/* Plays on from a game that was taken up somewhere: the awaited seats must have moves, and the
 * engine checks the invariants after each of them. */
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
        ensure(why.code && why.text[0] != '\0');
    }
}

void fuzz_saves(const uint8_t *data, size_t size) {
    static char text[SAVE_TEXT_SIZE];
    static struct save save, back;
    static struct save_nodes nodes;
    struct refusal why = {0};
    if (!save_read((struct span){(const char *)data, size}, &nodes, &save, &why)) {
        ensure(why.code && why.text[0] != '\0');
        return;
    }
    ensure(save_write(&save, text, sizeof text));
    ensure(save_read(span_of(text), &nodes, &back, NULL));
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
