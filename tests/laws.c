/* The laws of every game; laws.h says how they are run.
 *
 *  1. Somebody is awaited until the game is over, every awaited seat has a legal move, and every
 *     game ends.
 *  2. Every legal move passes check and can be played. A move that is printed and parsed is the
 *     same move. A seat finds the same legal moves in what it observes as in the true state. Where
 *     a game picks random moves itself, the picked one is the one in the list.
 *  3. A refused move leaves the state as it was, byte for byte. Refused moves are made up at
 *     random, with all verbs.
 *  4. A state that is sampled from what a seat observes is observed by it as the same, and shown to
 *     it as the same view.
 *  5. If a seat observes the same in two games before and after a move or a deal, both tell it the
 *     same events.
 *  6. A seat observes no more than it was shown: if the views, the events and the public words of
 *     all moves were the same in two games, it observes the same in both.
 *  7. A bot's moves and asides are legal, and the same in two games that its seat observes as the
 *     same.
 *  8. Where there is an undo, playing a move, undoing it and playing it again gives the same state
 *     as playing it once.
 *  9. The log, replayed as text, gives the same state, and so does a deal that is written out card
 *     by card.
 * 10. A position that is printed and read into a new game is the same state.
 * 11. What a round adds to the figures of a seat or of the table is never negative, and has names.
 * 12. Laws that many games together never put to the test count as broken (laws_were_tried).
 *
 * That the invariants hold after every move is ensured by the engine itself. Each law is broken on
 * purpose by a copy of the template in broken_games_test.c. */
#include "tests/laws.h"

#include "bots/bot.h"
#include "engine/record.h"
#include "games/registry.h"
#include "games/template/template.h"
#include <string.h>

enum {
    MOVES_MAX = 10000,
    LONG_GAME = 1500,
    JSON_SIZE = 1 << 17,
    SAMPLES_FOR_EVENTS = 6,
    EXCHANGES_MAX = 12,
    SECRET_MOVES_MAX = 8,
    GARBAGE_PER_MOVE = 8,
    GARBAGE_ARGUMENTS = 6,
    GENERAL_BOTS = 16 /* one choice in so many is looked at */
};

struct run {
    const struct game *game;
    struct game_state start;
    struct game_state state;
    struct chance chance;
    struct text log;
    struct laws_report *report;
    /* A second game with other hidden cards or secret moves, in which `watcher` has been shown the
     * same as in this one. */
    struct game_state twin;
    bool has_twin;
    int watcher;
    uint16_t twin_card[DEAL_CARD_CODE_MAX]; /* where a card was dealt, the twin has this one */
    bool translates; /* secret moves of the twin are those of the game with the twin's cards */
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

/* The first seeds take the presets as they are. After that each option of a preset is drawn anew
 * with probability 1/4. */
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

static bool picks_as_listed(const struct run *run, int seat, const struct move *moves,
                            size_t count) {
    struct chance chance = run->chance, same = run->chance;
    struct move move;
    run->game->pick(run->state.bytes, seat, &chance, &move);
    return move_equal(&move, &moves[chance_below(&same, (uint32_t)count)]);
}

static bool check_legal(struct run *run, int seat) {
    struct move moves[GAME_LEGAL_MAX], seen_moves[GAME_LEGAL_MAX];
    struct game_state seen;
    size_t count = game_legal(run->game, &run->state, seat, moves);
    bool awaited = (game_to_act(run->game, &run->state) >> seat & 1) != 0;
    if (awaited && count == 0)
        return broken(run, "an awaited seat has a legal move");
    if (awaited && run->game->pick && !picks_as_listed(run, seat, moves, count))
        return broken(run, "a picked move is the listed one");
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
    if (!game_round_has_ended(run->game, &run->state))
        return true;
    for (int seat = SPECTATOR; seat < game_seats(&run->state); seat++) {
        const struct game *game = run->game;
        int named = figure_count(seat == SPECTATOR ? game->table_figures : game->figures);
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

/* The move of a seat that is awaited, or the aside of one that is not. False without an aside. */
static bool ask_bot(struct run *run, const struct game_state *state, int seat,
                    const uint8_t seed[CHANCE_SEED_SIZE], struct move *out) {
    enum bot_level level = (enum bot_level)(seed[0] % BOT_LEVELS);
    static const struct bot_budget few_worlds = {.worlds = 3};
    struct chance chance;
    chance_start(&chance, seed);
    if ((game_to_act(run->game, state) >> seat & 1) == 0)
        return bot_aside(run->game, state, seat, level, &chance, out);
    bot_choose_within(run->game, state, seat, level, &few_worlds, &chance, out);
    return true;
}

static bool check_bots(struct run *run, int seat) {
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
    for (int i = -1; speaks && i < move.count; i++)
        run->report->hash =
            run->report->hash * 0x100000001b3 ^ (i < 0 ? (uint64_t)move.verb : move.args[i]);
    if (speaks && !game_check(game, &run->state, seat, &move, NULL))
        return broken(run, aside ? "a bot's aside is legal" : "a bot moves legally");
    if (ask_bot(run, &other, seat, seed, &other_move) != speaks ||
        (speaks && !move_equal(&move, &other_move)))
        return broken(run, aside ? "hidden cards do not change a bot's aside"
                                 : "hidden cards do not change a bot's choice");
    return true;
}

/* ---- Laws about one move or deal ---- */

/* A seat's move, or NATURE's deal with its cards in the order in which they leave the deck. */
struct turn {
    int mover;
    struct move move;
    const struct deal *deal;
};

static bool take_turn(const struct game *game, struct game_state *state, const struct turn *turn,
                      struct events *events) {
    if (turn->mover == NATURE)
        return game_deal_cards(game, state, turn->deal->cards, turn->deal->count, events, NULL);
    return game_play(game, state, turn->mover, &turn->move, events, NULL);
}

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
            one->seat != two->seat || one->message.length != two->message.length ||
            (one->message.length > 0 &&
             memcmp(one->message.data, two->message.data, one->message.length) != 0))
            return false;
    }
}

/* The same turn in other states that the seat could not tell from the true one before. */
static bool check_events(struct run *run, const struct game_state *before, const struct turn *turn,
                         const struct events *events, int seat) {
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
        if (!take_turn(game, &other, turn, &other_events))
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

/* ---- The twin: a second game that looks the same to one seat ---- */

/* The seat has been shown the same in both games, and a turn was just taken in both. `alike` tells
 * whether it still observes the same. If it does not, it must have been shown a difference. */
static bool compare_twin(struct run *run, int seat, const struct events *events,
                         const struct game_state *twin, const struct events *twin_events,
                         bool *alike) {
    static char view[JSON_SIZE], twin_view[JSON_SIZE];
    struct game_state seen, twin_seen;
    game_observe(run->game, &run->state, seat, &seen);
    game_observe(run->game, twin, seat, &twin_seen);
    bool told_the_same = visible_events_equal(events, twin_events, seat);
    *alike = same_state(run->game, &seen, &twin_seen);
    run->report->twins += *alike && !same_state(run->game, &run->state, twin);
    if (*alike)
        return told_the_same || broken(run, "an event tells no more than the view");
    if (!told_the_same)
        return true;
    return view_text(run, &run->state, seat, view) && view_text(run, twin, seat, twin_view) &&
           (strcmp(view, twin_view) != 0 ||
            broken(run, "a seat observes no more than it was shown"));
}

/* The cards from `from` up to `to` are shuffled together; `position` is one of them. */
static void find_deck(const struct deal *deal, size_t position, size_t *from, size_t *to) {
    *from = *to = 0;
    for (int i = 0; i < deal->part_count; i++) {
        if (deal->parts[i].new_deck) {
            if (*to > position)
                return;
            *from = *to;
        }
        *to += deal->parts[i].count;
    }
}

/* A card of a random part, so that small parts are chosen as often as large ones. */
static size_t random_position(struct run *run, const struct deal *deal) {
    uint32_t chosen;
    size_t position = 0;
    do
        chosen = chance_below(&run->chance, deal->part_count);
    while (deal->parts[chosen].count == 0);
    for (uint32_t i = 0; i < chosen; i++)
        position += deal->parts[i].count;
    return position + chance_below(&run->chance, deal->parts[chosen].count);
}

/* Exchanges two cards that are shuffled together, often of two different parts. */
static void exchange_cards(struct run *run, struct deal *deal) {
    size_t from, to;
    size_t one = random_position(run, deal), two = random_position(run, deal);
    find_deck(deal, one, &from, &to);
    if (two < from || two >= to || chance_below(&run->chance, 4) == 0)
        two = from + chance_below(&run->chance, (uint32_t)(to - from));
    uint16_t card = deal->cards[one];
    deal->cards[one] = deal->cards[two];
    deal->cards[two] = card;
}

/* Exchanges pairs of cards in a deal that was just dealt, as long as the seat is shown the same.
 * `deal` holds the cards of the twin in the end. */
static bool fork_deal(struct run *run, const struct game_state *before, const struct events *events,
                      int seat, struct deal *deal, struct game_state *twin) {
    static char buffer[JSON_SIZE];
    *twin = run->state;
    int tries = deal->count > 0 ? random_between(&run->chance, 1, EXCHANGES_MAX) : 0;
    for (; tries > 0; tries--) {
        struct game_state other = *before;
        struct deal other_deal = *deal;
        struct events other_events;
        bool alike;
        exchange_cards(run, &other_deal);
        events_begin(&other_events, buffer, sizeof buffer);
        take_turn(run->game, &other, &(struct turn){.mover = NATURE, .deal = &other_deal},
                  &other_events);
        if (!compare_twin(run, seat, events, &other, &other_events, &alike))
            return false;
        if (alike) {
            *twin = other;
            *deal = other_deal;
        }
    }
    return true;
}

/* Takes a turn in the twin, too; the twin is given up if it cannot be taken there, or if the
 * watcher sees a difference. */
static bool try_in_twin(struct run *run, const struct turn *turn, const struct events *events) {
    static char buffer[JSON_SIZE];
    struct game_state twin = run->twin;
    struct events twin_events;
    events_begin(&twin_events, buffer, sizeof buffer);
    run->has_twin = take_turn(run->game, &twin, turn, &twin_events);
    if (run->has_twin &&
        !compare_twin(run, run->watcher, events, &twin, &twin_events, &run->has_twin))
        return false;
    if (run->has_twin)
        run->twin = twin;
    return true;
}

/* The move with the cards that the twin has in place of those that it names. An argument that is no
 * card may be changed as well; then the twin refuses the move, or the watcher sees a difference. */
static void translate_move(struct run *run, const struct move *move, struct move *out) {
    *out = *move;
    for (int i = 0; i < move->count; i++)
        if (move->args[i] < DEAL_CARD_CODE_MAX)
            out->args[i] = run->twin_card[move->args[i]];
}

static void begin_twin(struct run *run, const struct game_state *twin, int watcher) {
    run->twin = *twin;
    run->watcher = watcher;
    run->has_twin = true;
    run->translates = chance_below(&run->chance, 2) == 0;
    for (uint16_t card = 0; card < DEAL_CARD_CODE_MAX; card++)
        run->twin_card[card] = card;
}

/* Others read only the word of this move, so the twin may take another one with that word: the one
 * with its own cards, or any. */
static bool move_twin_in_secret(struct run *run, const struct turn *turn,
                                const struct events *events) {
    struct move moves[GAME_LEGAL_MAX];
    struct turn other = *turn;
    uint32_t count = (uint32_t)game_legal(run->game, &run->twin, turn->mover, moves);
    for (int i = 0; count > 0 && i < SECRET_MOVES_MAX; i++) {
        if (run->translates && i == 0)
            translate_move(run, &turn->move, &other.move);
        else
            other.move = moves[chance_below(&run->chance, count)];
        if (other.move.verb != turn->move.verb)
            continue;
        if (!try_in_twin(run, &other, events))
            return false;
        if (run->has_twin)
            return true;
    }
    return try_in_twin(run, turn, events);
}

/* A secret move makes a twin where there is none. */
static bool move_twin(struct run *run, const struct game_state *before, const struct turn *turn,
                      const struct events *events) {
    bool secret = verb_of(run->game, &turn->move)->secret;
    if (!run->has_twin && secret)
        begin_twin(run, before, random_between(&run->chance, SPECTATOR, game_seats(before) - 1));
    if (!run->has_twin)
        return true;
    return secret && turn->mover != run->watcher ? move_twin_in_secret(run, turn, events)
                                                 : try_in_twin(run, turn, events);
}

/* In a shuffle the twin may need another order to look the same, because its cards are others. */
static bool shuffle_twin(struct run *run, const struct deal *dealt, const struct events *events) {
    struct deal deal = *dealt;
    for (int i = 0; i < EXCHANGES_MAX && deal.count > 0; i++) {
        if (!try_in_twin(run, &(struct turn){.mover = NATURE, .deal = &deal}, events))
            return false;
        if (run->has_twin)
            return true;
        exchange_cards(run, &deal);
    }
    return true;
}

/* A deal is varied for each seat, and the variant for one of them becomes the twin. A shuffle in
 * mid-round leaves the twin that is there, if it can look the same there. */
static bool deal_twin(struct run *run, const struct game_state *before, const struct deal *dealt,
                      const struct events *events) {
    int seats = game_seats(&run->state);
    run->has_twin = run->has_twin && game_to_act(run->game, before) == AWAITS_SHUFFLE;
    if (run->has_twin && !shuffle_twin(run, dealt, events))
        return false;
    int chosen = random_between(&run->chance, SPECTATOR, seats - 1);
    for (int seat = SPECTATOR; seat < seats; seat++) {
        struct game_state twin;
        struct deal deal = *dealt;
        if (!fork_deal(run, before, events, seat, &deal, &twin))
            return false;
        if (seat != chosen || run->has_twin)
            continue;
        begin_twin(run, &twin, seat);
        for (size_t i = 0; i < deal.count; i++)
            run->twin_card[dealt->cards[i]] = deal.cards[i];
    }
    return true;
}

/* ---- Turns ---- */

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

/* Some moves, such as `done`, cannot be undone. An undo after such a move takes back the move
 * before it, so that the state is the one that an undo instead of `done` would have given. */
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

/* A random move; a secret one rather with cards that are others in the twin. */
static const struct move *choose_move(struct run *run, const struct move *moves, size_t count) {
    const struct move *move = NULL;
    struct move translated;
    for (int i = 0; i < SECRET_MOVES_MAX; i++) {
        move = &moves[chance_below(&run->chance, (uint32_t)count)];
        if (!run->has_twin || !run->translates || !verb_of(run->game, move)->secret)
            break;
        translate_move(run, move, &translated);
        if (!move_equal(move, &translated))
            break;
    }
    return move;
}

static bool play_move(struct run *run, int seat) {
    static char buffer[JSON_SIZE];
    struct move moves[GAME_LEGAL_MAX];
    struct game_state before = run->state;
    size_t count = game_legal(run->game, &run->state, seat, moves);
    struct turn turn = {.mover = seat, .move = *choose_move(run, moves, count)};
    char words[MOVE_TEXT_SIZE];
    struct text text;
    text_begin(&text, words, sizeof words);
    game_print(run->game, &turn.move, &text);
    record_write_entry(seat, span_of(words), &run->log);
    struct events events;
    events_begin(&events, buffer, sizeof buffer);
    if (!take_turn(run->game, &run->state, &turn, &events))
        return broken(run, "a legal move can be played");
    for (int watcher = SPECTATOR; watcher < game_seats(&run->state); watcher++)
        if (!check_events(run, &before, &turn, &events, watcher))
            return false;
    return move_twin(run, &before, &turn, &events) &&
           (strcmp(words, "undo") == 0 || check_undo(run, &before, seat, &turn.move));
}

/* What NATURE is asked for, shuffled with the seed as the engine does it. */
static void shuffle_deal(struct run *run, const uint8_t seed[CHANCE_SEED_SIZE], struct deal *out) {
    struct chance chance;
    chance_start(&chance, seed);
    *out = (struct deal){0};
    run->game->deck(run->state.bytes, out);
    for (size_t from = 0, to; from < out->count; from = to) {
        find_deck(out, from, &from, &to);
        chance_shuffle(&chance, out->cards + from, to - from);
    }
}

static bool deal_survives_text(struct run *run, const struct game_state *before,
                               const struct deal *deal) {
    char words[DEAL_TEXT_SIZE];
    struct game_state again = *before;
    struct text text;
    text_begin(&text, words, sizeof words);
    game_print_deal(run->game, before, deal->cards, &text);
    if (text.cut || !game_play_text(run->game, &again, NATURE, span_of(words), NULL, NULL) ||
        !same_state(run->game, &again, &run->state))
        return broken(run, "a deal that is written out card by card is the same deal");
    return true;
}

static bool play_deal(struct run *run) {
    static char buffer[JSON_SIZE];
    struct game_state before = run->state;
    struct deal deal;
    struct turn turn = {.mover = NATURE, .deal = &deal};
    uint8_t seed[CHANCE_SEED_SIZE];
    chance_bytes(&run->chance, seed, sizeof seed);
    shuffle_deal(run, seed, &deal);
    char words[DEAL_TEXT_SIZE];
    struct text text;
    text_begin(&text, words, sizeof words);
    text_string(&text, game_deal_word(run->game, &run->state));
    text_char(&text, ' ');
    text_hex(&text, seed, sizeof seed);
    record_write_entry(NATURE, span_of(words), &run->log);
    struct events events;
    events_begin(&events, buffer, sizeof buffer);
    if (!game_play_text(run->game, &run->state, NATURE, span_of(words), &events, NULL))
        return broken(run, "a deal with a seed is accepted");
    run->report->deals++;
    for (int watcher = SPECTATOR; watcher < game_seats(&run->state); watcher++)
        if (!check_events(run, &before, &turn, &events, watcher))
            return false;
    return deal_survives_text(run, &before, &deal) && deal_twin(run, &before, &deal, &events);
}

/* Somebody who is awaited. One time in eight it is any seat, if that has a legal move: some moves
 * are allowed although nobody waits for them. */
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
    run.has_twin = false;
    chance_start_number(&run.chance, seed, 0);
    if (!begin(&run, seed))
        return false;
    uint32_t awaited;
    uint32_t moves = 0;
    while ((awaited = game_to_act(game, &run.state)) != 0) {
        if (moves > LONG_GAME && game_round_has_ended(game, &run.state))
            break; /* Random players may never reach the target score; rounds that end are enough.
                    */
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

static bool has_secret_moves(const struct game *game) {
    for (size_t i = 0; i < game->verb_count; i++)
        if (game->verbs[i].secret)
            return true;
    return false;
}

static bool has_undo(const struct game *game) {
    for (size_t i = 0; i < game->verb_count; i++)
        if (game->verbs[i].apply && strcmp(game->verbs[i].word, "undo") == 0)
            return true;
    return false;
}

bool laws_were_tried(const struct game *game, struct laws_report *report) {
    const char *missing = NULL;
    bool secrets = report->deals > 0 || has_secret_moves(game);
    if (secrets && report->hidden == 0)
        missing = "a game with deals or secret moves hides something";
    else if (secrets && report->twins == 0)
        missing = "two games look the same to a seat";
    else if (report->events_compared == 0)
        missing = "events are compared";
    else if (bot_has_asides(game) && report->asides == 0)
        missing = "bots that have asides say some";
    else if (has_undo(game) && report->undos == 0)
        missing = "where there is an undo, moves are undone";
    else if (report->garbage != ((uint64_t)2 << game->verb_count) - 1)
        missing = "senseless moves are tried with every verb";
    report->broken = missing;
    return missing == NULL;
}

size_t laws_game_count(void) {
    return registry_count + 1;
}

const struct game *laws_game(size_t index) {
    return index < registry_count ? registry_games[index] : &template_game;
}
