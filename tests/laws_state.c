/* Laws about one state: what a seat may do, sees and can know in it. See laws.c for all laws. */
#include "tests/laws_run.h"

#include "bots/bot.h"
#include <string.h>

enum {
    GARBAGE_PER_MOVE = 8,
    GARBAGE_ARGUMENTS = 6,
    REFUSALS = 6,          /* how many moves of a seat are tried in two states */
    GENERAL_BOTS = 16,     /* one choice in so many is looked at */
    MANY_WORLDS_OF_256 = 2 /* so many choices in 256 are made with many worlds */
};

static bool survives_text(struct run *run, const struct move *move) {
    char words[MOVE_TEXT_SIZE];
    struct text text;
    struct move back;
    text_begin(&text, words, sizeof words);
    game_print(run->game, move, &text);
    if (text.cut || !game_parse(run->game, &run->state, span_of(words), &back, NULL) ||
        !move_equal(move, &back))
        return law_broken(run, "parse(print(move)) = move");
    return true;
}

static bool picks_as_listed(const struct run *run, int seat, const struct move *moves,
                            size_t count) {
    struct chance chance = run->chance, same = run->chance;
    struct move move;
    run->game->pick(run->state.bytes, seat, &chance, &move);
    return move_equal(&move, &moves[chance_below(&same, (uint32_t)count)]);
}

bool law_legal(struct run *run, int seat) {
    struct move moves[GAME_LEGAL_MAX], seen_moves[GAME_LEGAL_MAX];
    struct game_state seen;
    size_t count = game_legal(run->game, &run->state, seat, moves);
    bool awaited = (game_to_act(run->game, &run->state) >> seat & 1) != 0;
    if (awaited && count == 0)
        return law_broken(run, "an awaited seat has a legal move");
    if (awaited && run->game->pick && !picks_as_listed(run, seat, moves, count))
        return law_broken(run, "a picked move is the listed one");
    game_observe(run->game, &run->state, seat, &seen);
    if (game_legal(run->game, &seen, seat, seen_moves) != count)
        return law_broken(run, "a seat sees all its legal moves");
    for (size_t i = 0; i < count; i++) {
        if (!move_equal(&moves[i], &seen_moves[i]))
            return law_broken(run, "a seat sees its legal moves as they are");
        if (!game_check(run->game, &run->state, seat, &moves[i], NULL))
            return law_broken(run, "every legal move passes check");
        if (!survives_text(run, &moves[i]))
            return false;
    }
    if (count > 0)
        run->likely[seat] = moves[chance_below(&run->chance, (uint32_t)count)];
    return true;
}

/* In seven of eight cases a value that may be right for this kind of argument, else any number. */
static uint16_t garbage_value(struct chance *chance, int kind) {
    static const uint8_t below[ARGUMENT_KINDS] = {
        [ARGUMENT_NONE] = 16,   [ARGUMENT_CARD] = 60,   [ARGUMENT_NUMBER] = 16,
        [ARGUMENT_CHOICE] = 5,  [ARGUMENT_SUIT] = 5,    [ARGUMENT_YES_NO] = 3,
        [ARGUMENT_FLAG] = 3,    [ARGUMENT_CARDS] = 60,  [ARGUMENT_ONLY_CARD] = 60,
        [ARGUMENT_GROUPS] = 60, [ARGUMENT_NUMBERS] = 60};
    if (chance_below(chance, 8) == 0)
        return (uint16_t)chance_below(chance, 0x10000);
    if (kind == ARGUMENT_GROUPS && chance_below(chance, 5) == 0)
        return MOVE_SEPARATOR;
    return (uint16_t)chance_below(chance, below[kind]);
}

/* A move with the number of a random row, or with the number after the last row. One in eight has a
 * random number of arguments. */
static void garbage_move(struct run *run, struct move *move) {
    const struct game *game = run->game;
    struct chance *chance = &run->chance;
    *move = (struct move){.verb = (uint8_t)chance_below(chance, (uint32_t)game->verb_count + 1)};
    const struct verb *verb = move->verb < game->verb_count ? &game->verbs[move->verb] : NULL;
    int kind = ARGUMENT_NONE, argument = 0;
    for (int i = 0; i < GARBAGE_ARGUMENTS; i++) {
        bool more = verb && argument < VERB_ARGUMENTS_MAX &&
                    verb->arguments[argument].kind != ARGUMENT_NONE;
        if (more)
            kind = verb->arguments[argument].kind;
        bool rest = more && kind >= ARGUMENT_CARDS;
        if (more && (!rest || chance_below(chance, 4) > 0))
            move->count++;
        argument += more && !rest;
        move->args[i] = garbage_value(chance, kind);
    }
    if (chance_below(chance, 8) == 0)
        move->count = (uint8_t)chance_below(chance, 256);
    run->report->garbage |= (uint64_t)1 << move->verb;
}

bool law_garbage(struct run *run) {
    for (int i = 0; i < GARBAGE_PER_MOVE; i++) {
        struct move move;
        struct game_state before = run->state;
        garbage_move(run, &move);
        int seat = law_random_between(&run->chance, -2, SEATS_MAX);
        if (game_check(run->game, &run->state, seat, &move, NULL)) {
            if (!survives_text(run, &move))
                return false;
            continue;
        }
        if (game_play(run->game, &run->state, seat, &move, NULL, NULL))
            return law_broken(run, "play refuses what check refuses");
        if (!law_same_state(run->game, &before, &run->state))
            return law_broken(run, "a refused move leaves the state as it was");
    }
    return true;
}

/* A move that was legal for somebody in this step or in an earlier one, often with another value in
 * place of an argument; or a senseless one. */
static void likely_move(struct run *run, struct move *move) {
    struct chance *chance = &run->chance;
    *move = run->likely[chance_below(chance, (uint32_t)game_seats(&run->state))];
    if (move->verb == 0 || chance_below(chance, 3) == 0)
        garbage_move(run, move);
    else if (move->count > 0 && chance_below(chance, 2) == 0) {
        uint32_t argument = chance_below(chance, move->count); /* drawn first by every compiler */
        move->args[argument] = garbage_value(chance, ARGUMENT_CARD);
    }
}

/* Whoever tries a move reads why it is refused. So what is refused, and in which words, is the same
 * in two states that look the same to the seat. */
bool law_refusals(struct run *run) {
    const struct game *game = run->game;
    struct game_state seen, other;
    int seat = law_random_between(&run->chance, 0, game_seats(&run->state) - 1);
    game_observe(game, &run->state, seat, &seen);
    game_sample(game, &seen, seat, &run->chance, &other);
    for (int i = 0; i < REFUSALS; i++) {
        struct refusal why = {.code = ""}, other_why = {.code = ""};
        struct move move;
        likely_move(run, &move);
        if (game_check(game, &run->state, seat, &move, &why) !=
                game_check(game, &other, seat, &move, &other_why) ||
            strcmp(why.code, other_why.code) != 0 || strcmp(why.text, other_why.text) != 0)
            return law_broken(run, "a refusal tells no more than the view");
    }
    return true;
}

bool law_position(struct run *run) {
    static char line[POSITION_TEXT_SIZE];
    struct game_state back = run->start;
    struct text text;
    if (!run->game->print_position)
        return true;
    text_begin(&text, line, sizeof line);
    game_print_position(run->game, &run->state, &text);
    if (text.cut || !game_read_position(run->game, &back, span_of(line), NULL) ||
        !law_same_state(run->game, &back, &run->state))
        return law_broken(run, "a position that is printed and read is the same state");
    return true;
}

bool law_figures(struct run *run) {
    if (!game_round_has_ended(run->game, &run->state))
        return true;
    for (int seat = SPECTATOR; seat < game_seats(&run->state); seat++) {
        const struct game *game = run->game;
        int named = figure_count(seat == SPECTATOR ? game->table_figures : game->figures);
        int32_t figures[GAME_FIGURES_MAX] = {0};
        game_count(run->game, &run->state, seat, figures);
        for (int i = 0; i < GAME_FIGURES_MAX; i++)
            if (figures[i] < 0 || (i >= named && figures[i] != 0))
                return law_broken(run, "figures have names and are not negative");
    }
    return true;
}

bool law_view_text(struct run *run, const struct game_state *state, int seat, char *buffer) {
    struct json json;
    json_begin(&json, buffer, LAW_JSON_SIZE);
    game_view(run->game, state, seat, NULL, &json);
    return json_complete(&json) || law_broken(run, "a view fits and is complete JSON");
}

/* Games that share nothing among their views are done after the first one. */
bool law_common(struct run *run) {
    static char view[LAW_JSON_SIZE], other_view[LAW_JSON_SIZE], texts[LAW_JSON_SIZE];
    struct json_common common;
    json_common_begin(&common, texts, sizeof texts);
    for (int seat = game_seats(&run->state) - 1; seat >= SPECTATOR; seat--) {
        struct json json;
        json_begin(&json, other_view, sizeof other_view);
        json.common = &common;
        game_view(run->game, &run->state, seat, NULL, &json);
        if (common.count == 0)
            return true;
        if (!law_view_text(run, &run->state, seat, view))
            return false;
        if (strcmp(view, other_view) != 0)
            return law_broken(run, "what views have in common is the same in all");
    }
    return true;
}

static bool tells_hand_alike(struct run *run, int seat, const struct game_state *other) {
    static char buffer[LAW_JSON_SIZE], other_buffer[LAW_JSON_SIZE];
    struct events told, other_told;
    if (!run->game->tell_hand)
        return true;
    events_begin(&told, buffer, sizeof buffer);
    events_begin(&other_told, other_buffer, sizeof other_buffer);
    run->game->tell_hand(run->state.bytes, seat, &told);
    run->game->tell_hand(other->bytes, seat, &other_told);
    return law_same_events(&told, &other_told, EVERYONE) ||
           law_broken(run, "telling a hand tells no more than the view");
}

static bool same_pace(const struct run *run, const struct game_state *other) {
    struct pace one = game_pace(run->game, &run->state), two = game_pace(run->game, other);
    return one.bot_delay_ms_min == two.bot_delay_ms_min &&
           one.bot_delay_ms_max == two.bot_delay_ms_max && one.show_ms == two.show_ms;
}

bool law_secrecy(struct run *run, int seat) {
    static char view[LAW_JSON_SIZE], other_view[LAW_JSON_SIZE];
    struct game_state seen, other, other_seen;
    const struct game *game = run->game;
    game_observe(game, &run->state, seat, &seen);
    game_sample(game, &seen, seat, &run->chance, &other);
    if (!game_holds(game, &other))
        return law_broken(run, "a sampled state keeps the invariants");
    game_observe(game, &other, seat, &other_seen);
    run->report->hidden += !law_same_state(game, &run->state, &other);
    if (!law_same_state(game, &seen, &other_seen))
        return law_broken(run, "a sampled state looks to its seat like the true one");
    if (!law_view_text(run, &run->state, seat, view) ||
        !law_view_text(run, &other, seat, other_view))
        return false;
    if (strcmp(view, other_view) != 0)
        return law_broken(run, "hidden cards do not change a view");
    if (!same_pace(run, &other))
        return law_broken(run, "hidden cards do not change the pace");
    return seat == SPECTATOR || tells_hand_alike(run, seat, &other);
}

/* The move of a seat that is awaited, or the aside of one that is not. False without an aside. Few
 * worlds are enough as a rule; with more, candidates are dropped and the search may end early. */
static bool ask_bot(struct run *run, const struct game_state *state, int seat,
                    const uint8_t seed[CHANCE_SEED_SIZE], struct move *out) {
    enum bot_level level = (enum bot_level)(seed[0] % BOT_LEVELS);
    struct bot_budget budget = {.worlds = seed[1] < MANY_WORLDS_OF_256 ? 40 : 3};
    struct chance chance;
    chance_start(&chance, seed);
    if ((game_to_act(run->game, state) >> seat & 1) == 0)
        return bot_aside(run->game, state, seat, level, &chance, out);
    bot_choose_within(run->game, state, seat, level, &budget, &chance, out);
    return true;
}

bool law_bots(struct run *run, int seat) {
    const struct game *game = run->game;
    struct game_state seen, other;
    uint32_t awaited = game_to_act(game, &run->state);
    bool aside = (awaited >> seat & 1) == 0;
    if ((awaited & AWAITS_NATURE) != 0 || (aside && !bot_has_asides(game)))
        return true;
    if (bot_is_general(game) && chance_below(&run->chance, GENERAL_BOTS) > 0)
        return true; /* they think long, and all games have the same ones */
    game_observe(game, &run->state, seat, &seen);
    game_sample(game, &seen, seat, &run->chance, &other);
    uint8_t seed[CHANCE_SEED_SIZE];
    chance_bytes(&run->chance, seed, sizeof seed);
    struct move move = {0}, other_move = {0};
    bool speaks = ask_bot(run, &run->state, seat, seed, &move);
    run->report->asides += aside && speaks;
    if (speaks) {
        run->report->hash = hash_bytes(run->report->hash, &move.verb, sizeof move.verb);
        run->report->hash =
            hash_bytes(run->report->hash, move.args, move.count * sizeof *move.args);
    }
    if (speaks && !game_check(game, &run->state, seat, &move, NULL))
        return law_broken(run, aside ? "a bot's aside is legal" : "a bot moves legally");
    if (ask_bot(run, &other, seat, seed, &other_move) != speaks ||
        (speaks && !move_equal(&move, &other_move)))
        return law_broken(run, aside ? "hidden cards do not change a bot's aside"
                                     : "hidden cards do not change a bot's choice");
    return true;
}
