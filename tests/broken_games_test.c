/* A law that has never failed proves nothing: here every one of the laws fails. Each row below is a
 * copy of the template with one mistake, and names the law that must find it.
 *
 * This program brings its own bots in place of bots/bot.c, so that bots can make mistakes, too. */
#include "bots/bot.h"
#include "games/template/template.h"
#include "tests/laws.h"
#include "tests/support.h"
#include <stdlib.h>

enum { GAMES = 60, ROWS = 62, MORE = HIGH_CARD_VERBS };

/* The template's state with some room for mistakes. */
struct altered {
    struct high_card base;
    uint8_t note[SEATS_MAX];
};

/* What is set replaces what the template has. */
struct mistake {
    const char *name;
    const char *law;
    struct game with;
    struct verb show, fold; /* the rows of these moves */
    struct verb more;       /* another row */
    uint32_t bots;
    int games; /* GAMES, if it is 0 */
};

/* How bots behave. */
enum { PEEK = 1, CHEAT = 2, LISTEN = 4, NOD = 8, NOD_AT_EVEN_CARDS = 16 };

/* What the mistakes remember, although no game may. It is cleared before the next mistake. */
static struct {
    struct high_card truth; /* what was observed last */
    int calls;
    bool flag;
    uint32_t bots;
} memory;

enum { NO_CARD = 255 };

static int card_of_seat(const struct high_card *state, int seat) {
    return state->places.at[seat] != 0 ? place_first(&state->places, seat) : NO_CARD;
}

static int neighbour_card(const struct high_card *state, int seat) {
    return card_of_seat(state, (seat + 1) % state->head.seats);
}

/* ---- Legal moves ---- */

static size_t no_legal(const void *state, int seat, struct move *out, size_t max) {
    return 0;
}

static size_t always_fold(const void *from, int seat, struct move *out, size_t max) {
    size_t count = verbs_legal(&template_game, from, seat, out, max);
    out[1] = (struct move){.verb = HIGH_CARD_FOLD};
    return count > 0 ? 2 : 0;
}

static void pick_first(const void *from, int seat, struct chance *chance, struct move *out) {
    struct move moves[GAME_LEGAL_MAX];
    game_list(&template_game, from, seat, moves, GAME_LEGAL_MAX);
    *out = moves[0];
}

static size_t fewer_if_the_neighbour_is_known(const void *from, int seat, struct move *out,
                                              size_t max) {
    size_t count = verbs_legal(&template_game, from, seat, out, max);
    return count == 2 && neighbour_card(from, seat) != NO_CARD ? 1 : count;
}

static size_t turned_if_the_neighbour_is_known(const void *from, int seat, struct move *out,
                                               size_t max) {
    size_t count = verbs_legal(&template_game, from, seat, out, max);
    if (count == 2 && neighbour_card(from, seat) != NO_CARD) {
        out[0].verb = HIGH_CARD_FOLD;
        out[1].verb = HIGH_CARD_SHOW;
    }
    return count;
}

/* ---- Verbs ---- */

/* What the engine sees to in the template: the copies do it themselves, so that it can go wrong. */
static bool check_in_turn(const void *from, int seat, const struct move *move,
                          struct refusal *why) {
    const struct high_card *state = from;
    const struct verb *verb = &template_game.verbs[move->verb];
    if (seat != state->turn)
        return refuse_not_your_turn(why);
    return !verb->check || verb->check(from, seat, move, why);
}

static size_t legal_in_turn(const void *from, int seat, struct move *out, size_t max) {
    return verbs_legal(&template_game, from, seat, out, max);
}

static bool every_other_call(const void *from, int seat, const struct move *move,
                             struct refusal *why) {
    return check_in_turn(from, seat, move, why) || ++memory.calls % 2 == 0;
}

static bool check_and_write(const void *from, int seat, const struct move *move,
                            struct refusal *why) {
    struct high_card *state = (struct high_card *)(uintptr_t)from;
    bool allowed = check_in_turn(from, seat, move, why);
    if (!allowed)
        place_turn_up(&state->places, seat);
    return allowed;
}

/* Once somebody has tried to show out of turn, nobody may show. */
static bool take_offence(const void *from, int seat, const struct move *move, struct refusal *why) {
    bool allowed = check_in_turn(from, seat, move, why);
    memory.flag = memory.flag || !allowed;
    return !memory.flag;
}

static void do_nothing(void *state, int seat, const struct move *move, struct events *events) {
}

static void take_the_first_card(void *to, int seat, const struct move *move,
                                struct events *events) {
    struct high_card *state = to;
    template_game.verbs[HIGH_CARD_SHOW].apply(to, seat, move, events);
    state->places.at[seat] = state->places.at[0];
}

/* ---- Undo ---- */

static bool has_just_moved(const struct high_card *state, int seat) {
    return state->phase == HIGH_CARD_PLAYING && seat + 1 == state->turn;
}

static size_t legal_with_undo(const void *from, int seat, struct move *out, size_t max) {
    if (!has_just_moved(from, seat))
        return verbs_legal(&template_game, from, seat, out, max);
    out[0] = (struct move){.verb = MORE};
    return 1;
}

static bool check_undo(const void *from, int seat, const struct move *move, struct refusal *why) {
    return has_just_moved(from, seat) || refuse_wrong_phase(why);
}

static void take_back(void *to, int seat, const struct move *move, struct events *events) {
    struct high_card *state = to;
    state->turn--;
    state->places.face_up = (uint16_t)(state->places.face_up & ~(1 << seat));
    state->places.face_down = (uint16_t)(state->places.face_down & ~(1 << seat));
}

/* The card is shown by its name, and is known to everybody once that was undone. */
static size_t legal_by_name_with_undo(const void *from, int seat, struct move *out, size_t max) {
    size_t count = legal_with_undo(from, seat, out, max);
    for (size_t i = 0; i < count; i++)
        if (out[i].verb == HIGH_CARD_SHOW) {
            out[i].count = 1;
            out[i].args[0] = (uint16_t)card_of_seat(from, seat);
        }
    return count;
}

static bool check_by_name(const void *from, int seat, const struct move *move,
                          struct refusal *why) {
    if (!check_in_turn(from, seat, move, why))
        return false;
    return move->args[0] == card_of_seat(from, seat) || refuse(why, "OTHER_CARD", "Name your card");
}

static bool refuse_always(const void *state, int seat, const struct move *move,
                          struct refusal *why) {
    return refuse_wrong_phase(why);
}

/* ---- What a seat observes ---- */

/* What the engine does for the template. */
static void observe_hands(const void *from, int seat, void *to) {
    game_observe(&template_game, from, seat, to);
}

static void sample_hands(const void *seen, int seat, struct chance *chance, void *to) {
    game_sample(&template_game, seen, seat, chance, to);
}

static void observe_neighbour(const void *from, int seat, void *to) {
    const struct high_card *state = from;
    struct high_card *out = to;
    observe_hands(from, seat, to);
    int next = (seat + 1) % state->head.seats;
    out->places.at[next] = state->places.at[next];
    out->places.unseen[next] = 0;
}

static void sample_neighbour_anew(const void *from, int seat, struct chance *chance, void *to) {
    struct high_card seen = *(const struct high_card *)from;
    int next = (seat + 1) % seen.head.seats;
    if (!place_is_up(&seen.places, next) && seen.places.at[next] != 0) {
        seen.places.at[next] = 0;
        seen.places.unseen[next] = 1;
    }
    sample_hands(&seen, seat, chance, to);
}

/* A view without what `observe` leaks: what both show would count as public. */
static void describe_the_shown(const void *from, int viewer, struct json *json) {
    const struct high_card *state = from;
    struct high_card seen = *state;
    seen.places = (struct places){0};
    places_observe(&state->places, places_seen(&state->places, viewer, false), &seen.places);
    template_game.describe(&seen, viewer, json);
}

static void observe_neighbour_later(const void *from, int seat, void *to) {
    const struct high_card *state = from;
    (state->turn > 0 ? observe_neighbour : observe_hands)(from, seat, to);
}

static void observe_with_notes(const void *from, int seat, void *to) {
    observe_hands(from, seat, to);
    memcpy(((struct altered *)to)->note, ((const struct altered *)from)->note, SEATS_MAX);
}

static void sample_with_notes(const void *from, int seat, struct chance *chance, void *to) {
    sample_hands(from, seat, chance, to);
    memcpy(((struct altered *)to)->note, ((const struct altered *)from)->note, SEATS_MAX);
}

static void deal_and_note_the_highest(void *to, const uint16_t *cards, struct events *events) {
    struct altered *state = to;
    template_game.deal(to, cards, events);
    for (int seat = 0; seat < state->base.head.seats; seat++)
        if (state->note[0] < cards[seat])
            state->note[0] = (uint8_t)cards[seat];
}

static size_t legal_with_reason(const void *from, int seat, struct move *out, size_t max) {
    size_t count = verbs_legal(&template_game, from, seat, out, max);
    if (count < 2)
        return count;
    out[1] = (struct move){.verb = HIGH_CARD_FOLD, .count = 1, .args = {1}};
    out[2] = (struct move){.verb = HIGH_CARD_FOLD, .count = 1, .args = {2}};
    return 3;
}

static void fold_with_reason(void *to, int seat, const struct move *move, struct events *events) {
    ((struct altered *)to)->note[seat] = (uint8_t)move->args[0];
    template_game.verbs[HIGH_CARD_FOLD].apply(to, seat, move, events);
}

static void give_cards_in_order(struct high_card *state) {
    for (int seat = 0; seat < state->head.seats; seat++)
        state->places.at[seat] = card_bit(seat);
}

/* Everybody has a card before the first move; there is no deal. */
static bool start_with_cards(void *to, const struct options *options, const void *ended,
                             struct events *events, struct refusal *why) {
    struct high_card *state = to;
    state->phase = HIGH_CARD_PLAYING;
    give_cards_in_order(state);
    return true;
}

static void exchange_two_cards(const void *seen, int seat, struct chance *chance, void *to) {
    struct high_card *out = to;
    sample_hands(seen, seat, chance, to);
    uint64_t card = out->places.at[0];
    out->places.at[0] = out->places.at[1];
    out->places.at[1] = card;
}

static void sample_a_card_twice(const void *seen, int seat, struct chance *chance, void *to) {
    struct high_card *out = to;
    sample_hands(seen, seat, chance, to);
    out->places.at[0] = out->places.at[1];
}

static void observe_all(const void *from, int seat, void *to) {
    memcpy(to, from, sizeof(struct high_card));
}

static void copy_all(const void *seen, int seat, struct chance *chance, void *to) {
    memcpy(to, seen, sizeof(struct high_card));
}

/* ---- Views ---- */

static void observe_and_remember(const void *from, int seat, void *to) {
    memory.truth = *(const struct high_card *)from;
    observe_hands(from, seat, to);
}

static void describe_from_memory(const void *seen, int viewer, struct json *json) {
    template_game.describe(seen, viewer, json);
    json_put_number(json, "first", card_of_seat(&memory.truth, 0));
}

static void put_last_card(const void *seen, struct json *json) {
    const struct high_card *state = seen;
    json_put_number(json, "last", card_of_seat(state, state->head.seats - 1));
}

static void describe_card_to_all(const void *seen, int viewer, struct json *json) {
    template_game.describe(seen, viewer, json);
    json_put_common(json, put_last_card, seen);
}

static void describe_without_end(const void *seen, int viewer, struct json *json) {
    template_game.describe(seen, viewer, json);
    json_put_object(json, "more");
}

/* ---- Events ---- */

static void tell(struct events *events, uint32_t audience, int card) {
    struct json *json = event_begin(events, "gossip", audience);
    if (json)
        json_put_number(json, "card", card);
    event_end(events);
}

static void fold_and_tell(void *to, int seat, const struct move *move, struct events *events) {
    template_game.verbs[HIGH_CARD_FOLD].apply(to, seat, move, events);
    tell(events, EVERYONE, card_of_seat(to, seat));
}

static void deal_and_tell(void *to, const uint16_t *cards, struct events *events) {
    template_game.deal(to, cards, events);
    tell(events, EVERYONE, cards[0]);
}

static void deal_and_tell_spectators(void *to, const uint16_t *cards, struct events *events) {
    template_game.deal(to, cards, events);
    tell(events, SPECTATORS, cards[0]);
}

static void deal_and_say(void *to, const uint16_t *cards, struct events *events) {
    template_game.deal(to, cards, events);
    event_begin(events, "gossip", EVERYONE);
    event_end(events);
    event_message(events, NATURE, "dealt %d", cards[0]);
}

/* ---- Refusals, hands that are told again, and the pace ---- */

static bool refuse_with_the_neighbours_card(const void *from, int seat, const struct move *move,
                                            struct refusal *why) {
    return check_in_turn(from, seat, move, why) ||
           refuse(why, "NOT_YOUR_TURN", "Let %d be played first", neighbour_card(from, seat));
}

static bool refuse_by_the_neighbours_card(const void *from, int seat, const struct move *move,
                                          struct refusal *why) {
    bool even = neighbour_card(from, seat) % 2 == 0;
    return check_in_turn(from, seat, move, why) ||
           refuse(why, even ? "NOT_YET" : "NOT_NOW", "It is not your turn");
}

/* Folding out of turn is not listed, but accepted where the neighbour has an even card. */
static bool accept_by_the_neighbours_card(const void *from, int seat, const struct move *move,
                                          struct refusal *why) {
    const struct high_card *state = from;
    return check_in_turn(from, seat, move, why) ||
           (state->phase == HIGH_CARD_PLAYING && neighbour_card(from, seat) % 2 == 0);
}

static size_t legal_of_the_template(const void *from, int seat, struct move *out, size_t max) {
    const struct high_card *state = from;
    return seat == state->turn ? verbs_legal(&template_game, from, seat, out, max) : 0;
}

static void tell_the_neighbours_card(const void *from, int seat, struct events *events) {
    tell(events, (uint32_t)1 << seat, neighbour_card(from, seat));
}

static void tell_the_own_card(const void *from, int seat, struct events *events) {
    tell(events, (uint32_t)1 << seat, card_of_seat(from, seat));
}

static void hesitate_with_an_even_card(const void *from, struct pace *pace) {
    const struct high_card *state = from;
    if (state->phase == HIGH_CARD_PLAYING && card_of_seat(from, state->turn) % 2 == 0)
        pace->bot_delay_ms_max = 4000;
}

static uint32_t await_shuffle(const void *from) {
    uint32_t awaited = template_game.to_act(from);
    return awaited == AWAITS_NATURE ? AWAITS_SHUFFLE : awaited;
}

/* ---- Bots ---- */

void bot_choose_within(const struct game *game, const struct game_state *state, int seat,
                       enum bot_level level, const struct bot_budget *budget, struct chance *chance,
                       struct move *out) {
    struct move moves[GAME_LEGAL_MAX];
    uint32_t count = (uint32_t)game_legal(game, state, seat, moves);
    uint32_t card = (uint32_t)neighbour_card((const void *)state->bytes, seat);
    *out = moves[(memory.bots & PEEK) != 0 ? card % count : chance_below(chance, count)];
    if ((memory.bots & CHEAT) != 0)
        out->verb = 0;
}

bool bot_is_general(const struct game *game) {
    return false;
}

bool bot_has_asides(const struct game *game) {
    return (memory.bots & (LISTEN | NOD | NOD_AT_EVEN_CARDS)) != 0;
}

bool bot_aside(const struct game *game, const struct game_state *state, int seat,
               enum bot_level level, struct chance *chance, struct move *out) {
    bool even = neighbour_card((const void *)state->bytes, seat) % 2 == 0;
    *out = (struct move){.verb = MORE};
    return (memory.bots & NOD) != 0 || ((memory.bots & NOD_AT_EVEN_CARDS) != 0 && even);
}

static bool allow_always(const void *state, int seat, const struct move *move,
                         struct refusal *why) {
    return true;
}

/* ---- Deals, records and the rest ---- */

static uint32_t deal_or_shuffle(const void *from) {
    uint32_t awaited = template_game.to_act(from);
    return awaited == AWAITS_NATURE && memory.flag ? AWAITS_SHUFFLE : awaited;
}

static void deck_and_change(const void *from, struct deal *out) {
    template_game.deck(from, out);
    memory.flag = !memory.flag;
}

static void print_next_card(uint16_t card, struct text *text) {
    card_print((uint8_t)((card + 1) % 52), text);
}

static void deal_in_order(void *to, const uint16_t *cards, struct events *events) {
    template_game.deal(to, cards, events);
    give_cards_in_order(to);
}

static bool start_once(void *state, const struct options *options, const void *ended,
                       struct events *events, struct refusal *why) {
    return memory.calls++ == 0 || refuse_wrong_phase(why);
}

static uint32_t to_act_until_the_end(const void *from) {
    uint32_t awaited = template_game.to_act(from);
    memory.flag = memory.flag || awaited == 0;
    return awaited;
}

static bool check_until_the_end(const void *from, int seat, const struct move *move,
                                struct refusal *why) {
    return !memory.flag && check_in_turn(from, seat, move, why);
}

static void show_and_count(void *to, int seat, const struct move *move, struct events *events) {
    template_game.verbs[HIGH_CARD_SHOW].apply(to, seat, move, events);
    ((struct altered *)to)->note[0] = (uint8_t)++memory.calls;
}

static uint32_t await_nobody(const void *state) {
    return 0;
}

static void print_bytes(const void *state, struct text *text) {
    text_hex(text, state, sizeof(struct high_card));
}

static bool read_bytes(void *state, struct scan *words, struct refusal *why) {
    struct span word;
    return (scan_word(words, &word) && span_hex(word, state, sizeof(struct high_card))) ||
           refuse_wrong_phase(why);
}

static bool read_bytes_without_turn(void *state, struct scan *words, struct refusal *why) {
    bool read = read_bytes(state, words, why);
    ((struct high_card *)state)->turn = 0;
    return read;
}

static void count_backwards(const void *state, int seat, int32_t *out) {
    out[0] = -1;
}

static void count_for_seats(const void *state, int seat, int32_t *out) {
    out[0] = seat != SPECTATOR;
}

static void count_for_table(const void *state, int seat, int32_t *out) {
    out[0] = seat == SPECTATOR;
}

/* ---- The mistakes ---- */

#define EVENTS   "an event tells no more than the view"
#define SHOWN    "a seat observes no more than it was shown"
#define REFUSALS "a refusal tells no more than the view"
#define FIGURES  "figures have names and are not negative"
#define UNDO     .word = "undo", .action = "undo"
/* Anybody may nod at any time, and nothing comes of it. */
#define NODDING                                                                                    \
    { .word = "nod", .check = allow_always, .apply = do_nothing }
/* Who folds has a reason, which the others do not read. */
#define REASON                                                                                     \
    {                                                                                              \
        .secret = true, .arguments = {{.kind = ARGUMENT_NUMBER, .json = "reason"}},                \
        .apply = fold_with_reason                                                                  \
    }
#define NOTES                                                                                      \
    .state_size = sizeof(struct altered), .observe = observe_with_notes, .sample = sample_with_notes
#define WORDS                                                                                      \
    "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"               \
    "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"

static const struct option one_name[] = {
    {.key = "folding", .kind = OPTION_YES_NO, .slot = 0, .standard = "yes"},
    {.key = "folding", .kind = OPTION_YES_NO, .slot = 1, .standard = "yes"},
};

static const struct mistake mistakes[] = {
    {"legal forgets moves", "an awaited seat has a legal move", .with = {.legal = no_legal}},
    {"pick takes the first", "a picked move is the listed one", .with = {.pick = pick_first}},
    {"legal invents moves", "every legal move passes check", .with = {.legal = always_fold}},
    {"hidden cards decide how many moves are legal", "a seat sees all its legal moves",
     .with = {.legal = fewer_if_the_neighbour_is_known}},
    {"hidden cards decide the order of legal moves", "a seat sees its legal moves as they are",
     .with = {.legal = turned_if_the_neighbour_is_known}},
    {"two rows have one word", "parse(print(move)) = move", .fold = {.word = "show"}},
    {"check changes its mind", "play refuses what check refuses",
     .show = {.check = every_other_call}},
    {"check writes", "a refused move leaves the state as it was",
     .show = {.check = check_and_write}},
    {"nothing is allowed after nonsense", "a legal move can be played",
     .show = {.check = take_offence}, .fold = {.check = take_offence}},
    {"apply forgets to go on", "every game ends", .show = {.apply = do_nothing},
     .fold = {.apply = do_nothing}},
    {"a move fills the log", "random play ends before its record is full",
     .show = {.word = WORDS, .apply = do_nothing}, .fold = {.apply = do_nothing}},
    {"apply deals a card twice", "game_holds(game, state)", .show = {.apply = take_the_first_card}},

    {"undo is listed and refused", "undo is legal where it is listed",
     .with = {.legal = legal_with_undo},
     .more = {UNDO, .check = refuse_always, .apply = take_back}},
    {"undo does nothing", "a move, its undo and the move again is the move",
     .with = {.legal = legal_with_undo}, .more = {UNDO, .check = check_undo, .apply = do_nothing}},
    {"what was undone is forgotten", "who saw a move that was undone knows that it can be made",
     .with = {.legal = legal_by_name_with_undo},
     .show = {.check = check_by_name, .arguments = {{.kind = ARGUMENT_NUMBER, .json = "card"}}},
     .more = {UNDO, .check = check_undo, .apply = take_back}},
    {"undo is never listed", "where there is an undo, moves are undone",
     .more = {UNDO, .check = check_undo, .apply = take_back}},

    {"observe leaks a card that sample keeps", SHOWN,
     .with = {.observe = observe_neighbour, .describe = describe_the_shown}},
    {"observe leaks a card that sample redraws", SHOWN,
     .with = {.observe = observe_neighbour,
              .sample = sample_neighbour_anew,
              .describe = describe_the_shown}},
    {"observe leaks a card after a move", SHOWN,
     .with = {.observe = observe_neighbour_later, .describe = describe_the_shown}},
    {"observe leaks what was computed from cards", SHOWN,
     .with = {NOTES, .deal = deal_and_note_the_highest}},
    {"observe leaks a secret move", SHOWN, .with = {NOTES, .legal = legal_with_reason},
     .fold = REASON},
    {"observe leaks a secret move of a game without deals", SHOWN,
     .with = {NOTES, .legal = legal_with_reason, .start = start_with_cards}, .fold = REASON},
    {"observe and views hide nothing", "a game with deals or secret moves hides something",
     .with = {.observe = observe_all, .sample = copy_all}},
    {"sample deals a card twice", "a sampled state keeps the invariants",
     .with = {.sample = sample_a_card_twice}},
    {"sample changes the own card", "a sampled state looks to its seat like the true one",
     .with = {.sample = exchange_two_cards}},
    {"describe shows what is not observed", "hidden cards do not change a view",
     .with = {.observe = observe_and_remember, .describe = describe_from_memory}},
    {"describe shows everybody what one seat sees", "what views have in common is the same in all",
     .with = {.describe = describe_card_to_all}},
    {"describe leaves an object open", "a view fits and is complete JSON",
     .with = {.describe = describe_without_end}},

    {"a move tells a card", EVENTS, .fold = {.apply = fold_and_tell}},
    {"a deal tells a card", EVENTS, .with = {.deal = deal_and_tell}},
    {"a deal tells spectators a card", EVENTS, .with = {.deal = deal_and_tell_spectators}},
    {"a deal tells a card in its message", EVENTS, .with = {.deal = deal_and_say}},
    {"a shuffle tells spectators a card", EVENTS,
     .with = {.to_act = await_shuffle, .deal = deal_and_tell_spectators}},

    {"a refusal tells the neighbour's card", REFUSALS,
     .show = {.check = refuse_with_the_neighbours_card}},
    {"the code of a refusal depends on the neighbour's card", REFUSALS,
     .show = {.check = refuse_by_the_neighbours_card}},
    {"what is refused depends on the neighbour's card", REFUSALS,
     .with = {.legal = legal_of_the_template}, .fold = {.check = accept_by_the_neighbours_card}},
    {"who comes back is told the neighbour's card", "telling a hand tells no more than the view",
     .with = {.tell_hand = tell_the_neighbours_card}},
    {"bots hesitate with an even card", "hidden cards do not change the pace",
     .with = {.pace = hesitate_with_an_even_card}},

    {"a bot peeks", "hidden cards do not change a bot's choice", .bots = PEEK},
    {"a bot moves illegally", "a bot moves legally", .bots = CHEAT},
    {"a bot's aside tells what it peeked at", "hidden cards do not change a bot's aside",
     .more = NODDING, .bots = NOD_AT_EVEN_CARDS},
    {"a bot says what nobody may say", "a bot's aside is legal", .bots = NOD},
    {"no bot says anything aside", "bots that have asides say some", .more = NODDING,
     .bots = LISTEN},

    {"a deal changes its name", "a deal with a seed is accepted",
     .with = {.to_act = deal_or_shuffle, .deck = deck_and_change}},
    {"cards are printed wrongly", "a deal that is written out card by card is the same deal",
     .with = {.print_card = print_next_card}},
    {"a deal does not depend on the cards", "two games look the same to a seat",
     .with = {.deal = deal_in_order}},
    {"two options have one name", "options that are printed and read back stay the same",
     .with = {.options = {.options = one_name, .option_count = 2}}},
    {"start works only once", "a log can be read back", .with = {.start = start_once}},
    {"nothing is allowed after the end", "every line of a log can be replayed",
     .with = {.to_act = to_act_until_the_end}, .show = {.check = check_until_the_end},
     .fold = {.check = check_until_the_end}},
    {"apply remembers outside the state", "replaying the log gives the same state",
     .with = {.state_size = sizeof(struct altered),
              .observe = observe_hands,
              .sample = sample_hands},
     .show = {.apply = show_and_count}},
    {"the game is over at once", "events are compared", .with = {.to_act = await_nobody}},
    {"there are too many rows for one game", "senseless moves are tried with every verb",
     .with = {.verb_count = ROWS}, .games = 1},
    {"a position loses the turn", "a position that is printed and read is the same state",
     .with = {.print_position = print_bytes, .read_position = read_bytes_without_turn}},
    {"figures are negative", FIGURES, .with = {.count = count_backwards}},
    {"a figure of a seat has no name", FIGURES, .with = {.count = count_for_seats}},
    {"a figure of the table has no name", FIGURES, .with = {.count = count_for_table}},

    /* The same additions without a mistake obey the laws. */
    {"undo works", "none", .with = {.legal = legal_with_undo},
     .more = {UNDO, .check = check_undo, .apply = take_back}},
    {"positions are complete", "none",
     .with = {.print_position = print_bytes, .read_position = read_bytes}},
    {"bots nod", "none", .more = NODDING, .bots = NOD},
    {"nobody observes secret moves", "none",
     .with = {.state_size = sizeof(struct altered),
              .observe = observe_hands,
              .sample = sample_hands,
              .legal = legal_with_reason},
     .fold = REASON},
    {"who comes back is told the own card", "none", .with = {.tell_hand = tell_the_own_card}},
    {"notes are kept and nobody writes any", "none", .with = {NOTES}},
};

enum { MISTAKES = sizeof mistakes / sizeof mistakes[0] };

#define REPLACE(member) copy->member = with->member ? with->member : copy->member

static void replace_members(struct game *copy, const struct game *with) {
    REPLACE(state_size);
    REPLACE(verb_count);
    REPLACE(start);
    REPLACE(to_act);
    REPLACE(legal);
    REPLACE(pick);
    REPLACE(deck);
    REPLACE(deal);
    REPLACE(observe);
    REPLACE(describe);
    REPLACE(tell_hand);
    REPLACE(sample);
    REPLACE(print_card);
    REPLACE(print_position);
    REPLACE(read_position);
    REPLACE(count);
    REPLACE(pace);
    if (with->options.options)
        copy->options = with->options;
}

static void replace_row(struct verb *copy, const struct verb *with) {
    REPLACE(word);
    REPLACE(action);
    REPLACE(secret);
    REPLACE(check);
    REPLACE(apply);
    if (with->arguments[0].kind != ARGUMENT_NONE)
        copy->arguments[0] = with->arguments[0];
}

static void make(const struct mistake *mistake, struct game *copy, struct verb rows[ROWS]) {
    *copy = template_game;
    memset(rows, 0, ROWS * sizeof *rows);
    memcpy(rows, copy->verbs, copy->verb_count * sizeof *rows);
    copy->verbs = rows;
    copy->checks_turns = true;
    copy->legal = legal_in_turn;
    rows[HIGH_CARD_SHOW].check = rows[HIGH_CARD_FOLD].check = check_in_turn;
    copy->verb_count += mistake->more.word != NULL;
    replace_members(copy, &mistake->with);
    replace_row(&rows[HIGH_CARD_SHOW], &mistake->show);
    replace_row(&rows[HIGH_CARD_FOLD], &mistake->fold);
    replace_row(&rows[MORE], &mistake->more);
    memset(&memory, 0, sizeof memory);
    memory.bots = mistake->bots;
}

/* ---- The tests ---- */

static struct laws_report report;
static jmp_buf way_out;

/* The engine's own assertions count as laws; the name of such a law is its condition. */
static void name_the_condition(const char *what) {
    report.broken = what;
    longjmp(way_out, 1);
}

static void play_games(const struct game *game, int games) {
    memset(&report, 0, sizeof report);
    if (setjmp(way_out) != 0)
        return;
    for (uint64_t seed = 0; seed < (uint64_t)games; seed++)
        if (!laws_hold(game, seed, &report))
            return;
    laws_were_tried(game, &report);
}

static void every_mistake_breaks_its_law(void **state) {
    static struct verb rows[ROWS];
    for (int i = 0; i < MISTAKES; i++) {
        struct game copy;
        make(&mistakes[i], &copy, rows);
        play_games(&copy, mistakes[i].games > 0 ? mistakes[i].games : GAMES);
        const char *broken = report.broken ? report.broken : "none";
        if (strcmp(broken, mistakes[i].law) != 0)
            fail_msg("%s: broken is '%s', not '%s'", mistakes[i].name, broken, mistakes[i].law);
    }
}

static bool some_mistake_breaks(struct span law) {
    for (int i = 0; i < MISTAKES; i++)
        if (span_is(law, mistakes[i].law))
            return true;
    return false;
}

/* The laws are the strings in the source that have spaces between words. */
static int count_broken_laws(const char *path) {
    static char source[1 << 17];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    source[fread(source, 1, sizeof source - 1, file)] = '\0';
    fclose(file);
    int laws = 0;
    for (char *at = strchr(source, '"'), *end; at; at = strchr(end + 1, '"')) {
        struct span law = {at + 1, strcspn(at + 1, "\"")};
        end = at + 1 + law.length;
        if (law.data[0] == ' ' || !memchr(law.data, ' ', law.length))
            continue;
        laws++;
        if (!some_mistake_breaks(law))
            fail_msg("nothing breaks '%.*s'", (int)law.length, law.data);
    }
    return laws;
}

static void every_law_is_broken_by_some_mistake(void **state) {
    int laws = count_broken_laws(SOURCE_ROOT "/tests/laws.c") +
               count_broken_laws(SOURCE_ROOT "/tests/laws_state.c") +
               count_broken_laws(SOURCE_ROOT "/tests/laws_twin.c");
    assert_true(laws > 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mistake_breaks_its_law),
        cmocka_unit_test(every_law_is_broken_by_some_mistake),
    };
    on_ensure_failed = name_the_condition;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
