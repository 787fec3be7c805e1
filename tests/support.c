/* See support.h. */
#include "tests/support.h"

#include "engine/ensure.h"
#include <stdlib.h>

void (*on_ensure_failed)(const char *what);

_Noreturn void ensure_failed(const char *what, const char *file, int line) {
    if (on_ensure_failed)
        on_ensure_failed(what);
    fail_msg("'%s' does not hold at %s:%d", what, file, line);
    abort();
}

static bool start(struct table *table, const struct game *game, const char *options, int seats) {
    struct options values;
    memset(table, 0, sizeof *table);
    table->game = game;
    options_default(&game->options, &values);
    return options_parse(&game->options, span_of(options), &values, &table->why) &&
           game_start(game, &table->state, &values, seats, &table->why);
}

void table_start(struct table *table, const struct game *game, const char *options, int seats) {
    if (!start(table, game, options, seats))
        fail_msg("start refused: %s", table->why.text);
}

static void assert_refusal(const struct refusal *why, const char *code, const char *text) {
    assert_string_equal(why->code, code);
    if (text)
        assert_string_equal(why->text, text);
}

void table_refuses_start(const struct game *game, const char *options, int seats, const char *code,
                         const char *text) {
    static struct table table;
    if (start(&table, game, options, seats))
        fail_msg("started with '%s' and %d seats", options, seats);
    assert_refusal(&table.why, code, text);
}

static bool play_line(struct table *table, struct span line) {
    struct scan scan = scan_of(line);
    struct span who;
    assert_true(scan_word(&scan, &who));
    int seat = span_is(who, "-") ? NATURE : atoi(who.data);
    struct span move = {scan.at, (size_t)(scan.end - scan.at)};
    struct game_state quiet = table->state;
    events_begin(&table->events, table->buffer, sizeof table->buffer);
    bool played =
        game_play_text(table->game, &table->state, seat, move, &table->events, &table->why);
    /* A game without a listener for events is the same game. */
    assert_int_equal(game_play_text(table->game, &quiet, seat, move, NULL, NULL), played);
    assert_memory_equal(quiet.bytes, table->state.bytes, table->game->state_size);
    return played;
}

void table_play(struct table *table, const char *lines) {
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        if (length > 0 && !play_line(table, (struct span){lines, length}))
            fail_msg("'%.*s' refused: %s", (int)length, lines, table->why.text);
        lines += length + (lines[length] == '\n');
    }
}

void table_deal(struct table *table, const char *groups) {
    struct deal deal;
    uint16_t named[DEAL_PARTS_MAX][DEAL_CARDS_MAX] = {0}, cards[DEAL_CARDS_MAX];
    int count[DEAL_PARTS_MAX] = {0}, used[DEAL_PARTS_MAX] = {0}, group = 0;
    bool taken[DEAL_CARDS_MAX] = {false};
    struct scan scan = scan_of(span_of(groups));
    struct span word;
    uint16_t card;
    game_deck(table->game, &table->state, &deal);
    while (scan_word(&scan, &word)) {
        size_t at = 0;
        if (span_is(word, "/")) {
            group++;
            continue;
        }
        assert_true(game_parse_card(table->game, word, &card));
        while (at < deal.count && (taken[at] || deal.cards[at] != card))
            at++;
        assert_true(at < deal.count);
        taken[at] = true;
        named[group][count[group]++] = card;
    }
    size_t next = 0, dealt = 0;
    for (int part = 0; part < deal.part_count; part++) {
        for (int i = 0; i < deal.parts[part].count; i++) {
            int to = deal.parts[part].group;
            bool known = to != DEAL_UNDEALT && used[to] < count[to];
            while (!known && taken[next])
                next++;
            cards[dealt++] = known ? named[to][used[to]++] : deal.cards[next++];
        }
    }
    events_begin(&table->events, table->buffer, sizeof table->buffer);
    if (!game_deal_cards(table->game, &table->state, cards, dealt, &table->events, &table->why))
        fail_msg("'%s' refused: %s", groups, table->why.text);
}

void table_refuses(struct table *table, const char *line, const char *code, const char *text) {
    struct game_state before = table->state;
    if (play_line(table, span_of(line)))
        fail_msg("'%s' was accepted", line);
    assert_refusal(&table->why, code, text);
    assert_memory_equal(before.bytes, table->state.bytes, table->game->state_size);
}

void table_refuses_move(struct table *table, int seat, const struct move *move, const char *code,
                        const char *text) {
    struct game_state before = table->state;
    assert_false(game_play(table->game, &table->state, seat, move, NULL, &table->why));
    assert_refusal(&table->why, code, text);
    assert_memory_equal(before.bytes, table->state.bytes, table->game->state_size);
}

const struct event *table_event(const struct table *table, const char *type, int nth) {
    for (size_t i = 0; i < table->events.count; i++)
        if (strcmp(table->events.item[i].type, type) == 0 && nth-- == 0)
            return &table->events.item[i];
    return NULL;
}

void table_told(const struct table *table, const char *type, const char *data) {
    const struct event *event = table_event(table, type, 0);
    if (!event)
        fail_msg("no event %s", type);
    char copy[4096];
    snprintf(copy, sizeof copy, "%.*s", (int)event->data.length, event->data.data);
    assert_string_equal(copy, data);
}

void table_told_only(const struct table *table, const char *types) {
    char found[1024] = "";
    for (size_t i = 0; i < table->events.count; i++)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s", i > 0 ? " " : "",
                 table->events.item[i].type);
    assert_string_equal(found, types);
}

const char *table_view(struct table *table, int viewer) {
    static char buffer[1 << 16];
    struct json json;
    json_begin(&json, buffer, sizeof buffer);
    game_view(table->game, &table->state, viewer, NULL, &json);
    assert_true(json_complete(&json));
    return buffer;
}

bool table_shows(struct table *table, int viewer, const char *json) {
    return strstr(table_view(table, viewer), json) != NULL;
}

int step_at_random(const struct game *game, struct game_state *state, struct chance *chance,
                   struct move *move) {
    struct move moves[GAME_LEGAL_MAX];
    uint32_t awaited = game_to_act(game, state);
    assert_true(awaited != 0);
    if ((awaited & AWAITS_NATURE) != 0) {
        assert_true(game_deal_chance(game, state, chance, NULL, NULL));
        return NATURE;
    }
    int seat = __builtin_ctz(awaited);
    size_t count = game_legal(game, state, seat, moves);
    assert_true(count > 0);
    *move = moves[chance_below(chance, (uint32_t)count)];
    assert_true(game_play(game, state, seat, move, NULL, NULL));
    return seat;
}

int32_t table_counts(const struct table *table, int seat, int figure) {
    int32_t figures[GAME_FIGURES_MAX] = {0};
    game_count(table->game, &table->state, seat, figures);
    return figures[figure];
}

const char *table_legal(struct table *table, int seat) {
    static char buffer[8192];
    struct move moves[GAME_LEGAL_MAX];
    struct text text;
    text_begin(&text, buffer, sizeof buffer);
    size_t count = game_legal(table->game, &table->state, seat, moves);
    for (size_t i = 0; i < count; i++) {
        text_string(&text, i > 0 ? "; " : "");
        game_print(table->game, &moves[i], &text);
    }
    assert_false(text.cut);
    return buffer;
}

void table_asks(const struct table *table, int seat, const char *prompt) {
    char buffer[256];
    struct text text;
    text_begin(&text, buffer, sizeof buffer);
    game_prompt(table->game, &table->state, seat, &text);
    assert_string_equal(buffer, prompt);
}
