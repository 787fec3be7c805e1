/* What every game has in common: the order of checks, text, views, hashes, events. Deals are in
 * deal.c. */
#include "engine/game.h"

#include "engine/card.h"
#include "engine/deal.h"
#include "engine/ensure.h"
#include "engine/hash.h"
#include <string.h>

enum { SHOWN_SIZE = 8192 };

int game_seats(const struct game_state *state) {
    return ((const struct game_head *)(const void *)state->bytes)->seats;
}

/* A card may carry the number of a copy (`KH.2`), by which clients tell equal cards apart. The
 * rules ignore it. */
bool game_parse_card(const struct game *game, struct span word, uint16_t *out) {
    uint8_t card;
    if (game->parse_card)
        return game->parse_card(word, out);
    const char *point = memchr(word.data, '.', word.length);
    if (point)
        word.length = (size_t)(point - word.data);
    if (!card_parse(word, &card))
        return false;
    *out = card;
    return true;
}

void game_print_card(const struct game *game, uint16_t card, struct text *text) {
    if (game->print_card)
        game->print_card(card, text);
    else
        card_print((uint8_t)card, text);
}

uint32_t game_to_act(const struct game *game, const struct game_state *state) {
    return game_awaited(game, state);
}

/* PL-C13: how long everybody may look at the result of a round. */
enum { RESULT_MS = 5000 };

struct pace game_pace(const struct game *game, const struct game_state *state) {
    struct pace pace = {.bot_delay_ms_min = 1500,
                        .bot_delay_ms_max = 3000,
                        .show_ms = game_awaited(game, state) == AWAITS_NATURE ? RESULT_MS : 0};
    if (game->pace)
        game->pace(state->bytes, &pace);
    return pace;
}

static bool is_seat(const struct game_state *state, int seat) {
    return seat >= 0 && seat < game_seats(state);
}

bool game_start(const struct game *game, struct game_state *state, const struct options *options,
                int seats, struct refusal *why) {
    ensure(game->state_size <= sizeof state->bytes);
    if (seats < game->players_min || seats > game->players_max) {
        if (game->players_min == game->players_max)
            return refuse(why, "INVALID_SETTING", "%s needs %d players, not %d", game->name,
                          game->players_min, seats);
        return refuse(why, "INVALID_SETTING", "%s needs %d to %d players, not %d", game->name,
                      game->players_min, game->players_max, seats);
    }
    struct game_state next;
    memset(next.bytes, 0, game->state_size);
    ((struct game_head *)(void *)next.bytes)->seats = (uint8_t)seats;
    options_keep(&game->options, options, next.bytes);
    if (game->start && !game->start(next.bytes, options, NULL, NULL, why))
        return false;
    memcpy(state->bytes, next.bytes, game->state_size);
    ensure(game_seats(state) == seats && game_holds(game, state));
    return true;
}

/* Refuses a move whose seat, time or form is wrong, or which is not this seat's turn; returns the
 * row of "play again" if that is the move and the game is over. */
static __attribute__((cold, noinline)) const struct verb *
find_again(const struct game *game, const struct game_state *state, int seat,
           const struct move *move, struct refusal *why) {
    uint32_t awaited = game_awaited(game, state);
    const struct verb *verb = verb_of(game, move);
    if (!is_seat(state, seat))
        refuse(why, "NOT_A_MEMBER", "There is no seat %d", seat);
    else if ((awaited == 0) != (move->verb == MOVE_AGAIN) || (awaited & AWAITS_NATURE) != 0)
        refuse_wrong_phase(why);
    else if (!verb || !verb_fits(verb, move))
        refuse(why, "BAD_REQUEST", "Unknown move");
    else if (awaited != 0)
        refuse_not_your_turn(why);
    else
        return verb;
    return NULL;
}

/* Finds the row of a move that may be played now; null with the reason if there is none. Search and
 * tests play millions of moves a second, so what a good move must pass stands here in one row of
 * comparisons, and what a bad one is told stands above. */
static inline const struct verb *find_allowed(const struct game *game,
                                              const struct game_state *state, int seat,
                                              const struct move *move, struct refusal *why) {
    uint32_t awaited = game_awaited(game, state);
    const struct verb *verb = &game->verbs[move->verb < game->verb_count ? move->verb : 0];
    bool usual = is_seat(state, seat) && awaited - 1 < AWAITS_NATURE - 1 && verb->apply &&
                 verb_fits(verb, move) && (game->checks_turns || (awaited >> seat & 1) != 0);
    if (!usual)
        return find_again(game, state, seat, move, why);
    return verb_check(game, state->bytes, seat, move, why) ? verb : NULL;
}

bool game_check(const struct game *game, const struct game_state *state, int seat,
                const struct move *move, struct refusal *why) {
    return find_allowed(game, state, seat, move, why);
}

static void play_again(const struct game *game, struct game_state *state, struct events *events) {
    struct game_state next;
    memset(next.bytes, 0, game->state_size);
    memcpy(next.bytes, state->bytes, sizeof(struct game_head));
    options_carry_over(&game->options, state->bytes, next.bytes);
    if (game->start) {
        bool started = game->start(next.bytes, NULL, state->bytes, events, NULL);
        ensure(started);
    }
    memcpy(state->bytes, next.bytes, game->state_size);
}

bool game_play(const struct game *game, struct game_state *state, int seat, const struct move *move,
               struct events *events, struct refusal *why) {
    const struct verb *verb = find_allowed(game, state, seat, move, why);
    if (!verb)
        return false;
    if (verb->event)
        verb_tell(game, seat, move, events);
    if (verb->apply)
        verb->apply(state->bytes, seat, move, events);
    else
        play_again(game, state, events);
    ensure(game_holds(game, state));
    return true;
}

size_t game_list(const struct game *game, const void *state, int seat, struct move *out,
                 size_t max) {
    return game->legal ? game->legal(state, seat, out, max)
                       : verbs_legal(game, state, seat, out, max);
}

size_t game_legal(const struct game *game, const struct game_state *state, int seat,
                  struct move out[GAME_LEGAL_MAX]) {
    uint32_t awaited = game_awaited(game, state);
    if (!is_seat(state, seat) || (awaited & AWAITS_NATURE) != 0)
        return 0;
    if (awaited == 0) {
        out[0] = (struct move){.verb = MOVE_AGAIN};
        return 1;
    }
    return game_list(game, state->bytes, seat, out, GAME_LEGAL_MAX);
}

/* ---- Text ---- */

bool game_play_text(const struct game *game, struct game_state *state, int seat, struct span text,
                    struct events *events, struct refusal *why) {
    if (seat == NATURE)
        return game_play_nature(game, state, text, events, why);
    if (!is_seat(state, seat))
        return refuse(why, "NOT_A_MEMBER", "There is no seat %d", seat);
    struct move move;
    return game_parse_by(game, state, seat, text, &move, why) &&
           game_play(game, state, seat, &move, events, why);
}

/* ---- Positions ---- */

void game_print_position(const struct game *game, const struct game_state *state,
                         struct text *text) {
    if (game->print_position)
        game->print_position(state->bytes, text);
}

bool game_read_position(const struct game *game, struct game_state *state, struct span line,
                        struct refusal *why) {
    struct game_state next;
    struct refusal unused;
    struct scan scan = scan_of(line);
    struct span surplus;
    why = why ? why : &unused;
    if (!game->read_position)
        return refuse(why, "BAD_POSITION", "%s cannot begin in a position", game->name);
    memcpy(next.bytes, state->bytes, game->state_size);
    if (!game->read_position(next.bytes, &scan, why))
        return false;
    if (scan_word(&scan, &surplus))
        return refuse_word(why, surplus, "BAD_POSITION", "The position should end before '%s'");
    ensure(game_holds(game, &next));
    memcpy(state->bytes, next.bytes, game->state_size);
    return true;
}

/* ---- What a seat knows ---- */

void game_observe(const struct game *game, const struct game_state *state, int seat,
                  struct game_state *out) {
    if (game->observe) {
        memset(out->bytes, 0, game->state_size);
        game->observe(state->bytes, seat, out->bytes);
        return;
    }
    memcpy(out->bytes, state->bytes, game->state_size);
    if (game->places > 0) {
        *game_places(game, out) = (struct places){0};
        const struct places *places = game_places_in(game, state);
        places_observe(places, places_seen(places, seat, game_round_has_ended(game, state)),
                       game_places(game, out));
    }
}

void game_sample(const struct game *game, const struct game_state *seen, int seat,
                 struct chance *chance, struct game_state *out) {
    if (game->sample) {
        memset(out->bytes, 0, game->state_size);
        game->sample(seen->bytes, seat, chance, out->bytes);
        return;
    }
    memcpy(out->bytes, seen->bytes, game->state_size);
    if (game->places > 0)
        places_sample(game_places(game, out), chance);
}

static void next_round_json(struct json *json) {
    json_put_object(json, NULL);
    json_put_string(json, "type", "next-round");
    json_put_object(json, "payload");
    json_put_end(json);
    json_put_string(json, "move", "next");
    json_put_end(json);
}

static void preview_json(const struct game *game, const struct game_state *seen, int seat,
                         const struct move *move, struct json *json) {
    const struct verb *verb = verb_of(game, move);
    if (!verb || !verb->preview)
        return;
    json_put_object(json, "preview");
    verb->preview(seen->bytes, seat, move, json);
    json_put_end(json);
}

static void legal_json(const struct game *game, const struct game_state *seen, int seat,
                       struct game_offer offer, struct json *json) {
    struct move moves[GAME_LEGAL_MAX];
    size_t count = game_legal(game, seen, seat, moves);
    json_put_array(json, "legal");
    for (size_t i = 0; i < count; i++) {
        if (!(moves[i].verb == MOVE_AGAIN ? offer.again : offer.moves))
            continue;
        char buffer[MOVE_TEXT_SIZE];
        struct text text = text_in(buffer, sizeof buffer);
        game_print(game, &moves[i], &text);
        json_put_object(json, NULL);
        game_action_json(game, &moves[i], json);
        json_put_string(json, "move", buffer);
        text_begin(&text, buffer, sizeof buffer);
        if (game_say(game, &moves[i], &text))
            json_put_string(json, "said", buffer);
        preview_json(game, seen, seat, &moves[i], json);
        json_put_end(json);
    }
    if (offer.next_round)
        next_round_json(json);
    json_put_end(json);
}

static void look(const struct game *game, const struct game_state *state, int viewer,
                 struct game_state *seen) {
    if (viewer == OMNISCIENT)
        memcpy(seen->bytes, state->bytes, game->state_size);
    else
        game_observe(game, state, viewer, seen);
}

/* Writes the name in place of a member `seatIndex`; returns how much of the JSON that was, or 0. */
static size_t show_name(const char *json, const char *const *names, struct text *text) {
    static const char member[] = "\"seatIndex\":";
    if (!string_begins(json, member))
        return 0;
    text_string(text, names[json[sizeof member - 1] - '0']);
    text_char(text, ':');
    return sizeof member;
}

/* The members of a view, one a line, without the marks of JSON that only programs need. */
static void show_members(const struct game *game, const void *seen, int viewer,
                         const char *const *names, struct text *text) {
    char buffer[SHOWN_SIZE];
    struct json json = json_object_in(buffer, sizeof buffer);
    game->describe(seen, viewer, &json);
    json_put_end(&json);
    ensure(json_complete(&json));
    bool quoted = false;
    int depth = 0;
    for (const char *at = buffer; *at; at++) {
        size_t name = quoted ? 0 : show_name(at, names, text);
        if (name > 0)
            at += name - 1;
        else if (*at == '"' && at[-1] != '\\')
            quoted = !quoted;
        else if (quoted)
            text_char(text, *at);
        else if (*at == '{' || *at == '[')
            text_string(text, depth++ == 0   ? "  "
                              : *at == '{'   ? "\n    "
                              : at[1] == ']' ? "none"
                                             : "");
        else if (*at == '}' || *at == ']')
            depth--;
        else if (*at == ',')
            text_string(text, depth == 1 ? "\n  " : at[1] == '{' ? "" : " ");
        else if (*at == ':')
            text_string(text, string_begins(at, ":[{") || string_begins(at, ":{") ? ":" : ": ");
        else if (string_begins(at, "null")) {
            text_string(text, "–");
            at += strlen("null") - 1;
        } else
            text_char(text, *at);
    }
    text_char(text, '\n');
}

void game_show(const struct game *game, const struct game_state *state, int viewer,
               const char *const *names, struct text *text) {
    struct game_state seen;
    look(game, state, viewer, &seen);
    if (game->show)
        game->show(seen.bytes, viewer, names, text);
    else
        show_members(game, seen.bytes, viewer, names, text);
}

#ifndef WITHOUT_TERMINAL
/* The prompt of the last row that one of the seat's moves has. */
static const char *prompt_of_moves(const struct game *game, const struct game_state *seen,
                                   int seat) {
    struct move moves[GAME_LEGAL_MAX];
    size_t count = game_legal(game, seen, seat, moves);
    uint8_t last = 0;
    for (size_t i = 0; i < count; i++)
        if (moves[i].verb > last && verb_of(game, &moves[i])->prompt)
            last = moves[i].verb;
    return last > 0 ? game->verbs[last].prompt : "Your turn";
}

void game_prompt(const struct game *game, const struct game_state *state, int seat,
                 struct text *text) {
    struct game_state seen;
    game_observe(game, state, seat, &seen);
    size_t before = text->length;
    if (game->prompt)
        game->prompt(seen.bytes, seat, text);
    if (text->length == before)
        text_string(text, prompt_of_moves(game, &seen, seat));
}
#endif

/* 1 for the highest score; equal scores share a place. */
static int place_by_score(const struct result *result, int seat, int seats) {
    int place = 1;
    for (int other = 0; other < seats; other++)
        place += result->score[other] > result->score[seat];
    return place;
}

/* Who won, with which scores and in which places, by seat, once the game is over. */
static void result_json(const struct game *game, const struct game_state *seen, struct json *json) {
    struct result result;
    game_result(game, seen, &result);
    if (!result.over)
        return;
    json_put_object(json, "result");
    json_put_bits(json, "winners", result.winners);
    json_put_array(json, "scores");
    for (int seat = 0; seat < game_seats(seen); seat++)
        json_put_number(json, NULL, result.score[seat]);
    json_put_end(json);
    json_put_array(json, "places");
    for (int seat = 0; seat < game_seats(seen); seat++)
        json_put_number(json, NULL, place_by_score(&result, seat, game_seats(seen)));
    json_put_end(json);
    json_put_end(json);
}

void game_view_members(const struct game *game, const struct game_state *state, int viewer,
                       struct game_offer offer, struct json *json) {
    struct game_state seen;
    look(game, state, viewer, &seen);
    game->describe(seen.bytes, viewer, json);
    uint32_t awaited = game_awaited(game, &seen);
    json_put_bits(json, "turn", awaited & ~AWAITS_SHUFFLE);
    if (viewer != OMNISCIENT)
        legal_json(game, &seen, viewer, offer, json);
    result_json(game, &seen, json);
}

void game_view(const struct game *game, const struct game_state *state, int viewer, const char *key,
               struct json *json) {
    json_put_object(json, key);
    game_view_members(game, state, viewer, (struct game_offer){.moves = true, .again = true}, json);
    json_put_end(json);
}

void game_result(const struct game *game, const struct game_state *state, struct result *out) {
    *out = (struct result){.over = game_awaited(game, state) == 0,
                           .sides = (uint8_t)game_seats(state)};
    for (int seat = 0; seat < SEATS_MAX; seat++)
        out->side_of[seat] = (uint8_t)(seat < out->sides ? seat : 0);
    if (game->result) {
        game->result(state->bytes, out);
        return;
    }
    memcpy(out->score, state->bytes + game->points, (size_t)game_seats(state) * sizeof *out->score);
    result_highest_wins(out);
}

void result_highest_wins(struct result *result) {
    for (int seat = 0; seat < result->sides && result->over; seat++)
        if (place_by_score(result, seat, result->sides) == 1)
            result->winners |= 1u << seat;
}

bool game_round_has_ended(const struct game *game, const struct game_state *state) {
    uint32_t awaited = game_awaited(game, state);
    return awaited == 0 || awaited == AWAITS_NATURE;
}

int figure_count(const char *const *names) {
    int count = 0;
    while (names && names[count])
        count++;
    return count;
}

void game_count(const struct game *game, const struct game_state *state, int seat,
                int32_t figures[GAME_FIGURES_MAX]) {
    int32_t round[GAME_FIGURES_MAX] = {0};
    if (game->count)
        game->count(state->bytes, seat, round);
    for (int i = 0; i < GAME_FIGURES_MAX; i++)
        figures[i] += round[i];
}

/* Do all win or lose together? By the game's own result at a table of the usual size and rules. */
static bool is_cooperative(const struct game *game) {
    struct options options;
    struct game_state state;
    struct result result;
    options_default(&game->options, &options);
    if (!game_start(game, &state, &options, game->players_default, NULL))
        return false;
    game_result(game, &state, &result);
    return result.sides == 1;
}

/* The prompts of the verbs. A seat is asked the last one among those of its legal moves. */
static void prompts_json(const struct game *game, struct json *json) {
    json_put_array(json, "prompts");
    for (size_t i = 0; i < game->verb_count; i++) {
        const struct verb *verb = &game->verbs[i];
        if (!verb->prompt)
            continue;
        json_put_object(json, NULL);
        json_put_span(json, "move", verb_word(verb));
        json_put_string(json, "text", verb->prompt);
        json_put_end(json);
    }
    json_put_end(json);
}

void game_registry_json(const struct game *game, struct json *json) {
    json_put_object(json, NULL);
    json_put_string(json, "id", game->id);
    json_put_string(json, "name", game->name);
    json_put_string(json, "description", game->summary);
    json_put_string(json, "icon", game->icon);
    json_put_number(json, "minPlayers", game->players_min);
    json_put_number(json, "maxPlayers", game->players_max);
    json_put_bool(json, "cooperative", is_cooperative(game));
    json_put_bool(json, "lobbyBots", game->lobby_bots);
    json_put_bool(json, "saves", game->saves);
    json_put_array(json, "figures");
    for (int i = 0; i < figure_count(game->figures); i++)
        json_put_string(json, NULL, game->figures[i]);
    json_put_end(json);
    json_put_object(json, "numbers");
    for (const struct game_number *one = game->numbers; one && one->name; one++)
        json_put_number(json, one->name, one->number);
    json_put_end(json);
    prompts_json(game, json);
    option_table_json(&game->options, json);
    json_put_end(json);
}

uint64_t game_hash(const struct game *game, const struct game_state *state) {
    return hash_bytes(HASH_START, state->bytes, game->state_size);
}

/* ---- Events ---- */

void events_begin(struct events *events, char *buffer, size_t size) {
    json_begin(&events->json, buffer, size);
    events->count = 0;
}

struct json *event_begin(struct events *events, const char *type, uint32_t audience) {
    if (!events)
        return NULL;
    ensure(events->count < EVENTS_MAX && events->json.depth == 0);
    events->json.has_items = 0;
    struct json *json = &events->json;
    events->item[events->count] = (struct event){
        .type = type, .audience = audience, .data = {json->text.data + json->text.length, 0}};
    json_put_object(json, NULL);
    return json;
}

struct json *event_begin_seat(struct events *events, const char *type, int seat) {
    struct json *json = event_begin(events, type, EVERYONE);
    if (json)
        json_put_number(json, "seatIndex", seat);
    return json;
}

void event_end(struct events *events) {
    if (!events)
        return;
    json_put_end(&events->json);
    ensure(json_complete(&events->json));
    struct event *event = &events->item[events->count++];
    const char *end = events->json.text.data + events->json.text.length;
    event->data.length = (size_t)(end - event->data.data);
}

void event_answers(struct events *events) {
    if (!events)
        return;
    ensure(events->count > 0 && events->json.depth == 0);
    events->item[events->count - 1].answers = true;
}

/* The message stands behind the JSON of its event. */
void event_message(struct events *events, int seat, const char *format, ...) {
    if (!events)
        return;
    ensure(events->count > 0 && events->json.depth == 0);
    struct text *text = &events->json.text;
    struct event *event = &events->item[events->count - 1];
    const char *start = text->data + text->length;
    va_list arguments;
    va_start(arguments, format);
    text_format(text, format, arguments);
    va_end(arguments);
    ensure(!text->cut);
    event->seat = seat;
    event->message = (struct span){start, (size_t)(text->data + text->length - start)};
}

void event_number(struct events *events, const char *type, int seat, const char *key, int number,
                  const char *message) {
    struct json *json = event_begin_seat(events, type, seat);
    if (!json)
        return;
    json_put_number(json, key, number);
    event_end(events);
    event_message(events, seat, message, number);
}
