/* The laws of every game; laws.h says how they are run.
 *
 *  1. Somebody is awaited until the game is over, every awaited seat has a legal move, and every
 *     game ends.
 *  2. Every legal move passes check and can be played. A move that is printed and parsed is the
 *     same move. A seat finds the same legal moves in what it observes as in the true state. Where
 *     a game picks random moves itself, the picked one is the one in the list.
 *  3. A refused move leaves the state as it was, byte for byte. Refused moves are made up at
 *     random, with all verbs.
 *  4. A state that is sampled from what a seat observes keeps the invariants, is observed by it as
 *     the same, and shown to it as the same view. In both, the seat's moves are refused alike, with
 *     the same code and text, it is told the same when it comes back, and the pace is the same.
 *     What a game writes once for all views would be the same if it were written for each.
 *  5. If a seat observes the same in two games before and after a move or a deal, both tell it the
 *     same events.
 *  6. A seat observes no more than it was shown: if the views, the events and the public words of
 *     all moves were the same in two games, it observes the same in both.
 *  7. A bot's moves and asides are legal, and the same in two games that its seat observes as the
 *     same.
 *  8. Where there is an undo, playing a move, undoing it and playing it again gives the same state
 *     as playing it once; and what others sample after the undo remembers what the move showed.
 *  9. The log, replayed as text, gives the same state, and so does a deal that is written out card
 *     by card.
 * 10. A position that is printed and read into a new game is the same state.
 * 11. What a round adds to the figures of a seat or of the table is never negative, and has names.
 * 12. Laws that many games together never put to the test count as broken (laws_were_tried).
 *
 * That the invariants hold after every move is ensured by the engine itself. Each law is broken on
 * purpose by a copy of the template in broken_games_test.c.
 *
 * Here games are set up, played and replayed. laws_state.c has the laws about one state (1 to 4, 7,
 * 10 and 11), laws_twin.c those about a turn and a second game beside the first (5 and 6). */
#include "tests/laws_run.h"

#include "bots/bot.h"
#include "engine/record.h"
#include "games/registry.h"
#include "games/template/template.h"
#include <string.h>

enum { MOVES_MAX = 10000, LONG_GAME = 1500 };

bool law_broken(struct run *run, const char *law) {
    run->report->broken = law;
    return false;
}

bool law_same_state(const struct game *game, const struct game_state *a,
                    const struct game_state *b) {
    return memcmp(a->bytes, b->bytes, game->state_size) == 0;
}

int32_t law_random_between(struct chance *chance, int32_t low, int32_t high) {
    return low + (int32_t)chance_below(chance, (uint32_t)(high - low + 1));
}

/* ---- Setup ---- */

static void randomise_option(const struct option *option, struct chance *chance,
                             struct options *options) {
    int32_t *slot = options->slot + option->slot;
    int32_t choices = 0;
    switch (option->kind) {
    case OPTION_YES_NO:
        *slot = law_random_between(chance, 0, 1);
        break;
    case OPTION_NUMBER:
        *slot = law_random_between(chance, option->min, option->max);
        break;
    case OPTION_CHOICE:
        while (option->choices[choices])
            choices++;
        *slot = law_random_between(chance, 0, choices - 1);
        break;
    case OPTION_LIST:
        slot[0] = law_random_between(chance, 1, OPTION_LIST_MAX);
        for (int32_t i = 0; i < OPTION_LIST_MAX; i++)
            slot[1 + i] = i < slot[0] ? law_random_between(chance, option->min, option->max) : 0;
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
        return law_broken(run, "options that are printed and read back stay the same");
    return true;
}

static void open_log(struct run *run, const struct options *options, int seats) {
    struct record_seat seat[SEATS_MAX];
    for (int i = 0; i < seats && i < SEATS_MAX; i++)
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
        seats = law_random_between(&run->chance, game->players_min, game->players_max);
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

/* The others have seen a move that is not secret, and so the cards that it was made with. As soon
 * as it is undone they know that it can be made: in every world that they sample then. */
static bool is_remembered(struct run *run, const struct game_state *undone, int seat,
                          const struct move *move) {
    const struct game *game = run->game;
    struct game_state seen, other;
    for (int watcher = SPECTATOR; watcher < game_seats(undone); watcher++) {
        if (watcher == seat)
            continue;
        game_observe(game, undone, watcher, &seen);
        game_sample(game, &seen, watcher, &run->chance, &other);
        if (!game_check(game, &other, seat, move, NULL))
            return law_broken(run, "who saw a move that was undone knows that it can be made");
    }
    return true;
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
        return law_broken(run, "undo is legal where it is listed");
    struct game_state again = undone;
    if (game_play(run->game, &again, seat, move, NULL, NULL) &&
        law_same_state(run->game, &again, &run->state))
        return verb_of(run->game, move)->secret || is_remembered(run, &undone, seat, move);
    if (find_undo(run, &earlier, seat, &undo) &&
        game_play(run->game, &earlier, seat, &undo, NULL, NULL) &&
        law_same_state(run->game, &earlier, &undone))
        return true;
    return law_broken(run, "a move, its undo and the move again is the move");
}

/* A random move; a secret one rather with cards that are others in the twin. */
static const struct move *choose_move(struct run *run, const struct move *moves, size_t count) {
    const struct move *move = NULL;
    struct move translated;
    for (int i = 0; i < LAW_SECRET_MOVES_MAX; i++) {
        move = &moves[chance_below(&run->chance, (uint32_t)count)];
        if (!run->has_twin || !run->translates || !verb_of(run->game, move)->secret)
            break;
        law_translate_move(run, move, &translated);
        if (!move_equal(move, &translated))
            break;
    }
    return move;
}

static bool play_move(struct run *run, int seat) {
    static char buffer[LAW_JSON_SIZE];
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
    if (!law_take_turn(run->game, &run->state, &turn, &events))
        return law_broken(run, "a legal move can be played");
    for (int watcher = SPECTATOR; watcher < game_seats(&run->state); watcher++)
        if (!law_events(run, &before, &turn, &events, watcher))
            return false;
    return law_move_twin(run, &before, &turn, &events) &&
           (strcmp(words, "undo") == 0 || check_undo(run, &before, seat, &turn.move));
}

/* What NATURE is asked for, shuffled with the seed as the engine does it. */
static void shuffle_deal(struct run *run, const uint8_t seed[CHANCE_SEED_SIZE], struct deal *out) {
    struct chance chance;
    chance_start(&chance, seed);
    game_deck(run->game, &run->state, out);
    for (size_t from = 0, to; from < out->count; from = to) {
        law_find_deck(out, from, &from, &to);
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
        !law_same_state(run->game, &again, &run->state))
        return law_broken(run, "a deal that is written out card by card is the same deal");
    return true;
}

static bool play_deal(struct run *run) {
    static char buffer[LAW_JSON_SIZE];
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
        return law_broken(run, "a deal with a seed is accepted");
    run->report->deals++;
    for (int watcher = SPECTATOR; watcher < game_seats(&run->state); watcher++)
        if (!law_events(run, &before, &turn, &events, watcher))
            return false;
    return deal_survives_text(run, &before, &deal) && law_deal_twin(run, &before, &deal, &events);
}

/* Somebody who is awaited. One time in eight it is any seat, if that has a legal move: some moves
 * are allowed although nobody waits for them. */
static int choose_seat(struct run *run, uint32_t awaited) {
    int seats = game_seats(&run->state);
    struct move moves[GAME_LEGAL_MAX];
    int aside = law_random_between(&run->chance, 0, seats - 1);
    if (chance_below(&run->chance, 8) == 0 && game_legal(run->game, &run->state, aside, moves) > 0)
        return aside;
    int seat;
    do
        seat = law_random_between(&run->chance, 0, seats - 1);
    while ((awaited >> seat & 1) == 0);
    return seat;
}

static bool step(struct run *run, uint32_t awaited) {
    for (int seat = SPECTATOR; seat < game_seats(&run->state); seat++) {
        if ((seat >= 0 && !law_legal(run, seat)) || !law_secrecy(run, seat) ||
            (seat >= 0 && !law_bots(run, seat)))
            return false;
    }
    if (!law_common(run) || !law_garbage(run) || !law_refusals(run) || !law_position(run))
        return false;
    bool played =
        (awaited & AWAITS_NATURE) != 0 ? play_deal(run) : play_move(run, choose_seat(run, awaited));
    return played && law_figures(run) &&
           (!run->log.cut || law_broken(run, "random play ends before its record is full"));
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
        return law_broken(run, "a log can be read back");
    enum record_step next;
    while ((next = record_next(&reader, &entry, &error)) == RECORD_ENTRY)
        if (!game_play_text(run->game, &state, entry.seat, entry.text, NULL, NULL))
            return law_broken(run, "every line of a log can be replayed");
    if (next != RECORD_END || game_hash(run->game, &state) != game_hash(run->game, &run->state))
        return law_broken(run, "replaying the log gives the same state");
    return true;
}

bool laws_hold(const struct game *game, uint64_t seed, struct laws_report *report) {
    static struct run run; /* too large for a small stack */
    run.game = game;
    run.report = report;
    run.has_twin = false;
    memset(run.likely, 0, sizeof run.likely);
    chance_start_number(&run.chance, seed, 0);
    if (!begin(&run, seed))
        return false;
    uint32_t awaited;
    uint32_t moves = 0;
    while ((awaited = game_to_act(game, &run.state)) != 0) {
        if (moves > LONG_GAME && game_round_has_ended(game, &run.state))
            break; /* random players may never reach the target; rounds that end are enough */
        if (++moves > MOVES_MAX)
            return law_broken(&run, "every game ends");
        if (!step(&run, awaited))
            return false;
    }
    if (!law_position(&run))
        return false;
    report->games++;
    report->moves += moves;
    report->hash = hash_bytes(report->hash, run.state.bytes, game->state_size);
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
