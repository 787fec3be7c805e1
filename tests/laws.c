/* The laws of every game; laws.h says how they are run.
 *
 *  1. A state that awaits somebody has a legal move for each awaited seat; every game ends.
 *  2. Every legal move passes check; parse(print(move)) = move; an observed state has the same
 * ones.
 *  3. A refused move leaves the state as it was, byte for byte, whatever was tried.
 *  4. observe(sample(observe(state))) = observe(state); a view is made from what is observed only.
 *  5. Two deals that a seat cannot tell apart before and after a move show it the same events.
 *  6. A bot decides the same in two deals that its seat cannot tell apart, and decides legally.
 *  7. Where undo exists: a move, its undo and the move again is the move.
 *  8. The log, replayed as text, gives the same state.
 *  9. A position that is printed and read into a new game is the same state.
 * 10. What a round adds to a seat's figures is never negative, and has names.
 *
 * That the invariants hold after every move is ensured by the engine itself. */
#include "tests/laws.h"

#include "bots/bot.h"
#include "engine/record.h"
#include "games/registry.h"
#include "games/template/template.h"
#include <string.h>

enum {
    MOVES_MAX = 20000,
    LONG_GAME = 1500,
    JSON_SIZE = 1 << 17,
    SAMPLES_FOR_EVENTS = 6,
    GARBAGE_PER_MOVE = 8,
    GARBAGE_ARGUMENTS = 6
};

struct run {
    const struct game *game;
    struct game_state start;
    struct game_state state;
    struct chance chance;
    struct text log;
    struct laws_report *report;
};

static bool broken(struct run *run, const char *law) {
    run->report->broken = law;
    return false;
}

static bool same_state(const struct game *game, const struct game_state *a,
                       const struct game_state *b) {
    return memcmp(a->bytes, b->bytes, game->state_size) == 0;
}

/* ---- Setup ---- */

static int32_t random_between(struct chance *chance, int32_t low, int32_t high) {
    return low + (int32_t)chance_below(chance, (uint32_t)(high - low + 1));
}

static void randomise_option(const struct option *option, struct chance *chance,
                             struct options *options) {
    int32_t *slot = options->slot + option->slot;
    int32_t choices = 0;
    switch (option->kind) {
    case OPTION_YES_NO:
        *slot = random_between(chance, 0, 1);
        break;
    case OPTION_NUMBER:
        *slot = random_between(chance, option->min, option->max);
        break;
    case OPTION_CHOICE:
        while (option->choices[choices])
            choices++;
        *slot = random_between(chance, 0, choices - 1);
        break;
    case OPTION_LIST:
        slot[0] = random_between(chance, 1, OPTION_LIST_MAX);
        for (int32_t i = 0; i < OPTION_LIST_MAX; i++)
            slot[1 + i] = i < slot[0] ? random_between(chance, option->min, option->max) : 0;
        break;
    }
}

/* The presets as they are come first; after that each option has an even chance to be changed. */
static void random_options(const struct option_table *table, uint64_t seed, struct chance *chance,
                           struct options *options) {
    options_default(table, options);
    size_t presets = table->preset_count;
    if (presets > 0)
        options_preset(table, span_of(table->presets[seed % presets].id), options, NULL);
    if (seed <= presets)
        return;
    for (size_t i = 0; i < table->option_count; i++)
        if (chance_below(chance, 4) == 0)
            randomise_option(&table->options[i], chance, options);
}

static bool options_survive_text(struct run *run, const struct options *options) {
    char line[1024];
    struct text text;
    text_begin(&text, line, sizeof line);
    options_print(&run->game->options, options, &text);
    struct options back;
    options_default(&run->game->options, &back);
    if (text.cut || !options_parse(&run->game->options, span_of(line), &back, NULL) ||
        memcmp(&back, options, sizeof back) != 0)
        return broken(run, "options that are printed and read back stay the same");
    return true;
}

static void open_log(struct run *run, const struct options *options, int seats) {
    struct record_seat seat[SEATS_MAX];
    for (int i = 0; i < seats; i++)
        seat[i] = (struct record_seat){.name = span_of("Law"), .bot = true};
    text_begin(&run->log, run->report->log, sizeof run->report->log);
    record_write_header(run->game, options, seat, seats, &run->log);
    struct text setup;
    text_begin(&setup, run->report->setup, sizeof run->report->setup);
    text_string(&setup, run->game->id);
    text_char(&setup, ' ');
    options_print(&run->game->options, options, &setup);
    text_string(&setup, " seats ");
    text_number(&setup, seats);
}

static bool begin(struct run *run, uint64_t seed) {
    const struct game *game = run->game;
    struct options options;
    int seats;
    do {
        random_options(&game->options, seed, &run->chance, &options);
        seats = random_between(&run->chance, game->players_min, game->players_max);
        if (!options_survive_text(run, &options))
            return false;
        if (game_start(game, &run->state, &options, seats, NULL))
            break;
        run->report->refused_options++;
    } while (true);
    run->start = run->state;
    open_log(run, &options, seats);
    return true;
}

/* ---- Laws about one state ---- */

static bool survives_text(struct run *run, const struct move *move) {
    char words[MOVE_TEXT_SIZE];
    struct text text;
    struct move back;
    text_begin(&text, words, sizeof words);
    game_print(run->game, move, &text);
    if (text.cut || !game_parse(run->game, &run->state, span_of(words), &back, NULL) ||
        !move_equal(move, &back))
        return broken(run, "parse(print(move)) = move");
    return true;
}

static bool check_legal(struct run *run, int seat) {
    struct move moves[GAME_LEGAL_MAX], seen_moves[GAME_LEGAL_MAX];
    struct game_state seen;
    size_t count = game_legal(run->game, &run->state, seat, moves);
    bool awaited = (game_to_act(run->game, &run->state) >> seat & 1) != 0;
    if (awaited && count == 0)
        return broken(run, "an awaited seat has a legal move");
    game_observe(run->game, &run->state, seat, &seen);
    if (game_legal(run->game, &seen, seat, seen_moves) != count)
        return broken(run, "a seat sees all its legal moves");
    for (size_t i = 0; i < count; i++) {
        if (!move_equal(&moves[i], &seen_moves[i]))
            return broken(run, "a seat sees its legal moves as they are");
        if (!game_check(run->game, &run->state, seat, &moves[i], NULL))
            return broken(run, "every legal move passes check");
        if (!survives_text(run, &moves[i]))
            return false;
    }
    return true;
}

/* Mostly a value that could mean something for its kind of argument, now and then any at all. */
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

/* A move by a random row of the game, or one row too far; seldom with a wrong number of arguments.
 */
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

static bool check_garbage(struct run *run) {
    for (int i = 0; i < GARBAGE_PER_MOVE; i++) {
        struct move move;
        struct game_state before = run->state;
        garbage_move(run, &move);
        int seat = random_between(&run->chance, -2, SEATS_MAX);
        if (game_check(run->game, &run->state, seat, &move, NULL)) {
            if (!survives_text(run, &move))
                return false;
            continue;
        }
        if (game_play(run->game, &run->state, seat, &move, NULL, NULL))
            return broken(run, "play refuses what check refuses");
        if (!same_state(run->game, &before, &run->state))
            return broken(run, "a refused move leaves the state as it was");
    }
    return true;
}

static bool check_position(struct run *run) {
    static char line[POSITION_TEXT_SIZE];
    struct game_state back = run->start;
    struct text text;
    if (!run->game->print_position)
        return true;
    text_begin(&text, line, sizeof line);
    game_print_position(run->game, &run->state, &text);
    if (text.cut || !game_read_position(run->game, &back, span_of(line), NULL) ||
        !same_state(run->game, &back, &run->state))
        return broken(run, "a position that is printed and read is the same state");
    return true;
}

static bool check_figures(struct run *run) {
    int named = game_figure_count(run->game);
    if (!game_round_has_ended(run->game, &run->state))
        return true;
    for (int seat = 0; seat < game_seats(&run->state); seat++) {
        int32_t figures[GAME_FIGURES_MAX] = {0};
        game_count(run->game, &run->state, seat, figures);
        for (int i = 0; i < GAME_FIGURES_MAX; i++)
            if (figures[i] < 0 || (i >= named && figures[i] != 0))
                return broken(run, "figures have names and are not negative");
    }
    return true;
}

static bool view_text(struct run *run, const struct game_state *state, int seat, char *buffer) {
    struct json json;
    json_begin(&json, buffer, JSON_SIZE);
    game_view(run->game, state, seat, NULL, &json);
    return json_complete(&json) || broken(run, "a view fits and is complete JSON");
}

static bool check_secrecy(struct run *run, int seat) {
    static char view[JSON_SIZE], other_view[JSON_SIZE];
    struct game_state seen, other, other_seen;
    const struct game *game = run->game;
    game_observe(game, &run->state, seat, &seen);
    game_sample(game, &seen, seat, &run->chance, &other);
    game_observe(game, &other, seat, &other_seen);
    run->report->hidden += !same_state(game, &run->state, &other);
    if (!same_state(game, &seen, &other_seen))
        return broken(run, "a sampled state looks to its seat like the true one");
    if (!view_text(run, &run->state, seat, view) || !view_text(run, &other, seat, other_view))
        return false;
    return strcmp(view, other_view) == 0 || broken(run, "hidden cards do not change a view");
}

static bool check_bots(struct run *run, int seat) {
    const struct game *game = run->game;
    struct game_state seen, other;
    if ((game_to_act(game, &run->state) >> seat & 1) == 0)
        return true;
    game_observe(game, &run->state, seat, &seen);
    game_sample(game, &seen, seat, &run->chance, &other);
    uint8_t seed[CHANCE_SEED_SIZE];
    chance_bytes(&run->chance, seed, sizeof seed);
    enum bot_level level = (enum bot_level)(seed[0] % BOT_LEVELS);
    struct move moves[2];
    for (int i = 0; i < 2; i++) {
        struct chance chance;
        chance_start(&chance, seed);
        bot_choose(game, i == 0 ? &run->state : &other, seat, level, &chance, &moves[i]);
    }
    if (!game_check(game, &run->state, seat, &moves[0], NULL))
        return broken(run, "a bot moves legally");
    return move_equal(&moves[0], &moves[1]) ||
           broken(run, "hidden cards do not change a bot's choice");
}

/* ---- Laws about one move ---- */

static bool visible_events_equal(const struct events *a, const struct events *b, int seat) {
    uint32_t bit = seat == SPECTATOR ? SPECTATORS : (uint32_t)1 << seat;
    size_t i = 0, j = 0;
    for (;;) {
        while (i < a->count && (a->item[i].audience & bit) == 0)
            i++;
        while (j < b->count && (b->item[j].audience & bit) == 0)
            j++;
        if (i == a->count || j == b->count)
            return i == a->count && j == b->count;
        const struct event *one = &a->item[i++], *two = &b->item[j++];
        if (strcmp(one->type, two->type) != 0 || one->data.length != two->data.length ||
            memcmp(one->data.data, two->data.data, one->data.length) != 0 ||
            one->message.length != two->message.length ||
            (one->message.length > 0 &&
             memcmp(one->message.data, two->message.data, one->message.length) != 0))
            return false;
    }
}

/* An event tells nothing that the views before and after it do not tell. */
static bool check_events(struct run *run, const struct game_state *before, int mover,
                         const struct move *move, const struct events *events, int seat) {
    static char buffer[JSON_SIZE];
    const struct game *game = run->game;
    struct game_state seen, seen_after, other_after;
    game_observe(game, before, seat, &seen);
    game_observe(game, &run->state, seat, &seen_after);
    for (int i = 0; i < SAMPLES_FOR_EVENTS; i++) {
        struct game_state other;
        struct events other_events;
        events_begin(&other_events, buffer, sizeof buffer);
        game_sample(game, &seen, seat, &run->chance, &other);
        if (!game_play(game, &other, mover, move, &other_events, NULL))
            continue;
        game_observe(game, &other, seat, &other_after);
        if (!same_state(game, &seen_after, &other_after))
            continue;
        run->report->events_compared++;
        if (!visible_events_equal(events, &other_events, seat))
            return broken(run, "an event tells no more than the view");
    }
    return true;
}

static bool find_undo(struct run *run, const struct game_state *state, int seat, struct move *out) {
    struct move moves[GAME_LEGAL_MAX];
    size_t count = game_legal(run->game, state, seat, moves);
    for (size_t i = 0; i < count; i++) {
        char words[MOVE_TEXT_SIZE];
        struct text text;
        text_begin(&text, words, sizeof words);
        game_print(run->game, &moves[i], &text);
        if (strcmp(words, "undo") == 0) {
            *out = moves[i];
            return true;
        }
    }
    return false;
}

/* Some moves, such as saying that one is done, cannot be undone: then undo does what it would have
 * done before them. */
static bool check_undo(struct run *run, const struct game_state *before, int seat,
                       const struct move *move) {
    struct move undo;
    struct game_state undone = run->state, earlier = *before;
    if (!find_undo(run, &undone, seat, &undo))
        return true;
    run->report->undos++;
    if (!game_play(run->game, &undone, seat, &undo, NULL, NULL))
        return broken(run, "undo is legal where it is listed");
    struct game_state again = undone;
    if (game_play(run->game, &again, seat, move, NULL, NULL) &&
        same_state(run->game, &again, &run->state))
        return true;
    if (find_undo(run, &earlier, seat, &undo) &&
        game_play(run->game, &earlier, seat, &undo, NULL, NULL) &&
        same_state(run->game, &earlier, &undone))
        return true;
    return broken(run, "a move, its undo and the move again is the move");
}

static bool play_move(struct run *run, int seat) {
    static char buffer[JSON_SIZE];
    struct move moves[GAME_LEGAL_MAX];
    struct game_state before = run->state;
    size_t count = game_legal(run->game, &run->state, seat, moves);
    const struct move *move = &moves[chance_below(&run->chance, (uint32_t)count)];
    char words[MOVE_TEXT_SIZE];
    struct text text;
    text_begin(&text, words, sizeof words);
    game_print(run->game, move, &text);
    record_write_entry(seat, span_of(words), &run->log);
    struct events events;
    events_begin(&events, buffer, sizeof buffer);
    if (!game_play(run->game, &run->state, seat, move, &events, NULL))
        return broken(run, "a legal move can be played");
    for (int watcher = SPECTATOR; watcher < game_seats(&run->state); watcher++)
        if (!check_events(run, &before, seat, move, &events, watcher))
            return false;
    return strcmp(words, "undo") == 0 || check_undo(run, &before, seat, move);
}

static bool play_deal(struct run *run) {
    uint8_t seed[CHANCE_SEED_SIZE];
    chance_bytes(&run->chance, seed, sizeof seed);
    char words[DEAL_TEXT_SIZE];
    struct text text;
    text_begin(&text, words, sizeof words);
    text_string(&text, game_deal_word(run->game, &run->state));
    text_char(&text, ' ');
    text_hex(&text, seed, sizeof seed);
    record_write_entry(NATURE, span_of(words), &run->log);
    if (!game_play_text(run->game, &run->state, NATURE, span_of(words), NULL, NULL))
        return broken(run, "a deal with a seed is accepted");
    return true;
}

/* An awaited seat moves; now and then somebody who is not awaited does, where that is allowed. */
static int choose_seat(struct run *run, uint32_t awaited) {
    int seats = game_seats(&run->state);
    struct move moves[GAME_LEGAL_MAX];
    int aside = random_between(&run->chance, 0, seats - 1);
    if (chance_below(&run->chance, 8) == 0 && game_legal(run->game, &run->state, aside, moves) > 0)
        return aside;
    int seat;
    do
        seat = random_between(&run->chance, 0, seats - 1);
    while ((awaited >> seat & 1) == 0);
    return seat;
}

static bool step(struct run *run, uint32_t awaited) {
    for (int seat = SPECTATOR; seat < game_seats(&run->state); seat++) {
        if (seat >= 0 && !(check_legal(run, seat) && check_bots(run, seat)))
            return false;
        if (!check_secrecy(run, seat))
            return false;
    }
    if (!check_garbage(run) || !check_position(run))
        return false;
    bool played =
        (awaited & AWAITS_NATURE) != 0 ? play_deal(run) : play_move(run, choose_seat(run, awaited));
    return played && check_figures(run) && (!run->log.cut || broken(run, "the log fits"));
}

/* ---- Laws about a whole game ---- */

static bool check_replay(struct run *run) {
    struct record_reader reader;
    struct record_header header;
    struct record_entry entry;
    struct record_error error;
    struct options options;
    struct game_state state;
    record_open(&reader, (struct span){run->log.data, run->log.length});
    if (!record_read_header(&reader, &header, &error) ||
        !record_start(&reader, &header, run->game, &options, &state, &error))
        return broken(run, "a log can be read back");
    enum record_step next;
    while ((next = record_next(&reader, &entry, &error)) == RECORD_ENTRY)
        if (!game_play_text(run->game, &state, entry.seat, entry.text, NULL, NULL))
            return broken(run, "every line of a log can be replayed");
    if (next != RECORD_END || game_hash(run->game, &state) != game_hash(run->game, &run->state))
        return broken(run, "replaying the log gives the same state");
    return true;
}

bool laws_hold(const struct game *game, uint64_t seed, struct laws_report *report) {
    static struct run run; /* too large for a small stack */
    run.game = game;
    run.report = report;
    chance_start_number(&run.chance, seed, 0);
    if (!begin(&run, seed))
        return false;
    uint32_t awaited;
    uint32_t moves = 0, deals = 0;
    while ((awaited = game_to_act(game, &run.state)) != 0) {
        bool deal = (awaited & AWAITS_NATURE) != 0;
        deals += deal;
        if (deal && deals > 1 && moves > LONG_GAME)
            break; /* random players may never reach a target; that rounds end is enough */
        if (++moves > MOVES_MAX)
            return broken(&run, "every game ends");
        if (!step(&run, awaited))
            return false;
    }
    if (!check_position(&run))
        return false;
    report->games++;
    report->moves += moves;
    report->hash = report->hash * 0x100000001b3 ^ game_hash(game, &run.state);
    return check_replay(&run);
}

size_t laws_game_count(void) {
    return registry_count + 1;
}

const struct game *laws_game(size_t index) {
    return index < registry_count ? registry_games[index] : &template_game;
}
