/* Reads bodies by the rows of verbs, the game's and the lobby's: each kind of argument has one
 * function that writes it. */
#include "server/api/actions.h"
#include "server/net/encoding.h"

#include "engine/card.h"
#include "engine/ensure.h"
#include "games/registry.h"
#include "server/rooms/names.h"
#include <string.h>

enum { WORD_MAX = 64, UTF8_BYTES_MAX = 4 };

#define ROW(type, own_word, ...) .action = type, .word = own_word, .arguments = {__VA_ARGS__}
#define FIELD(a_kind, name)      .kind = a_kind, .json = name

const struct verb lobby_verbs[] = {
    {ROW("swap-teams", "swap", {FIELD(FIELD_SEAT_OF, "playerIdA")},
         {FIELD(FIELD_SEAT_OF, "playerIdB")})},
    {ROW("set-target-score", "set", {FIELD(FIELD_SETTING, "targetScore")})},
    {ROW("set-settings", "set", {FIELD(FIELD_SETTINGS, "payload")})},
    {ROW("set-speed", "speed", {FIELD(FIELD_WORD, "speed")})},
    {ROW("name-team", "team", {FIELD(FIELD_WORD, "team")}, {FIELD(FIELD_NAME, "name")})},
    {.action = "renew-invitation", .word = "renew"},
    {ROW("set-preset", "preset", {FIELD(FIELD_WORD, "preset")})},
    {ROW("set-bot", "bot", {FIELD(ARGUMENT_NUMBER, "seatIndex")}, {FIELD(FIELD_WORD, "level")})},
    {ROW("move-seat", "move", {FIELD(FIELD_SEAT_OF, "playerId")},
         {FIELD(ARGUMENT_NUMBER, "seatIndex")})},
    {ROW("remove-player", "remove", {FIELD(FIELD_PLAYER, "playerId")})},
    {ROW("mute-player", "mute", {FIELD(FIELD_PLAYER, "playerId")})},
    {ROW("unmute-player", "unmute", {FIELD(FIELD_PLAYER, "playerId")})},
    {ROW("make-owner", "owner", {FIELD(FIELD_PLAYER, "playerId")})},
    {ROW("set-manners", "manners", {FIELD(FIELD_SETTINGS, "payload")})},
    {ROW("start", "start", {FIELD(FIELD_SETTINGS, "payload"), .optional = true},
         {FIELD(FIELD_TEAMS, "teams"), .optional = true})},
    {.action = "play-again", .word = "again"},
    {ROW("chat", "say", {FIELD(FIELD_TEXT, "text")})},
    {ROW("emote", "emote", {FIELD(FIELD_WORD, "id")})},
    {ROW("hand-over", "hand-over", {FIELD(ARGUMENT_NUMBER, "seatIndex")})},
    {.action = "next-round", .word = "next"},
    {ROW("sit", "sit", {FIELD(ARGUMENT_NUMBER, "seatIndex"), .optional = true})},
    {.action = "back-to-lobby", .word = "lobby"},
    {.action = "ask-rematch", .word = "rematch"},
};

const size_t lobby_verb_count = sizeof lobby_verbs / sizeof lobby_verbs[0];

/* A body while it is turned into words. */
struct reading {
    const struct world *world;
    const struct verb *row;
    const json_t *payload;
    struct text *words;
    struct refusal *why;
};

/* ---- Pieces ---- */

/* No data: it is none. */
static struct span string_of(const json_t *value) {
    return (struct span){json_string_value(value), json_string_length(value)};
}

/* Null counts as missing. */
static const json_t *member(const json_t *object, const char *name) {
    const json_t *value = json_object_get(object, name);
    return json_is_null(value) ? NULL : value;
}

static bool refuse_field(struct refusal *why, const char *name, const char *form) {
    return refuse(why, "BAD_REQUEST", "%s must be %s", name, form);
}

/* One word of the notation: no blanks, no control characters, nothing but ASCII. */
static bool is_word(struct span span, size_t max) {
    for (size_t i = 0; i < span.length; i++)
        if (span.data[i] <= ' ' || span.data[i] >= 0x7f)
            return false;
    return span.length > 0 && span.length <= max;
}

/* These are true, for the writers below. */
static bool put_word(const struct reading *reading, struct span word) {
    text_char(reading->words, ' ');
    text_span(reading->words, word);
    return true;
}

/* Writes a word of the right form that means nothing, so that no rule takes it for another. */
static bool put_meaningless(const struct reading *reading, struct span word) {
    text_string(reading->words, " ?");
    text_span(reading->words, word);
    return true;
}

static bool put_number(const struct reading *reading, int64_t number) {
    text_char(reading->words, ' ');
    text_number(reading->words, number);
    return true;
}

/* The writers of arguments follow. They are false for a value that does not have the form that the
 * table of writers names; those that have no form there say themselves what is wrong. */

/* ---- Cards ---- */

static struct span without_copy(struct span id) {
    const char *point = memchr(id.data, '.', id.length);
    int32_t copy;
    if (!point)
        return id;
    struct span number = {point + 1, (size_t)(id.data + id.length - point - 1)};
    if (span_number(number, &copy) && copy > 0)
        id.length = (size_t)(point - id.data);
    return id;
}

static bool put_card_id(struct reading *reading, struct span id) {
    uint16_t card;
    if (!is_word(id, WORD_MAX))
        return false;
    struct span name = without_copy(id);
    if (!memchr(name.data, '.', name.length) &&
        game_parse_card(reading->world->game, name, &card)) {
        text_char(reading->words, ' ');
        game_print_card(reading->world->game, card, reading->words);
        return true;
    }
    return put_meaningless(reading, id);
}

static bool put_card(struct reading *reading, const struct argument *field, const json_t *value) {
    return put_card_id(reading, string_of(value));
}

static bool put_cards(struct reading *reading, const struct argument *field, const json_t *value) {
    bool good = json_is_array(value);
    for (size_t i = 0; good && i < json_array_size(value); i++)
        good = put_card(reading, field, json_array_get(value, i));
    return good;
}

static bool put_groups(struct reading *reading, const struct argument *field, const json_t *value) {
    bool good = json_is_array(value);
    for (size_t i = 0; good && i < json_array_size(value); i++) {
        text_string(reading->words, i > 0 ? " /" : "");
        good = put_cards(reading, field, json_array_get(value, i));
    }
    return good;
}

/* ---- Numbers and words ---- */

static bool put_integer(struct reading *reading, const struct argument *field,
                        const json_t *value) {
    return json_is_integer(value) && put_number(reading, json_integer_value(value));
}

static bool put_integers(struct reading *reading, const struct argument *field,
                         const json_t *value) {
    bool good = json_is_array(value);
    for (size_t i = 0; good && i < json_array_size(value); i++)
        good = put_integer(reading, field, json_array_get(value, i));
    return good;
}

static bool put_plain_word(struct reading *reading, const struct argument *field,
                           const json_t *value) {
    return is_word(string_of(value), WORD_MAX) && put_word(reading, string_of(value));
}

/* The rules refuse a value that there is not in their own order; one that could be left out is
 * refused here, where it has a name. */
static bool put_unknown(const struct reading *reading, const struct argument *field) {
    return !field->optional && put_meaningless(reading, span_of(""));
}

static bool put_choice(struct reading *reading, const struct argument *field, const json_t *value) {
    bool named = is_word(string_of(value), WORD_MAX);
    if (!named && !json_is_integer(value))
        return false;
    for (int i = 0; field->words[i]; i++)
        if (named ? span_is(string_of(value), field->words[i]) : json_integer_value(value) == i)
            return put_word(reading, span_of(field->words[i]));
    return put_unknown(reading, field);
}

static bool put_suit(struct reading *reading, const struct argument *field, const json_t *value) {
    int suit;
    if (!is_word(string_of(value), WORD_MAX))
        return false;
    if (!card_parse_suit(string_of(value), &suit))
        return put_unknown(reading, field);
    char letter = card_suit_letter(suit);
    return put_word(reading, (struct span){&letter, 1});
}

static bool put_yes_no(struct reading *reading, const struct argument *field, const json_t *value) {
    return json_is_boolean(value) && put_word(reading, span_of(json_is_true(value) ? "yes" : "no"));
}

static bool put_flag(struct reading *reading, const struct argument *field, const json_t *value) {
    return json_is_false(value) ||
           (json_is_true(value) && put_word(reading, span_of(field->words[0])));
}

static bool put_said(const struct reading *reading, struct span said) {
    char cleaned[UTF8_BYTES_MAX * WORLD_SAY_MAX + 1];
    return names_clean_text(said, cleaned, sizeof cleaned, WORLD_SAY_MAX, reading->why) &&
           put_word(reading, span_of(cleaned));
}

/* The name of the team whose letter was put last; an empty one takes the name away. Two teams whose
 * names look alike are one for whoever reads them. */
static bool put_team_name(const struct reading *reading, struct span name) {
    char normal[NAME_SIZE], own = reading->words->data[reading->words->length - 1];
    if (name.length == 0)
        return true;
    if (!names_normalise(name, normal, reading->why))
        return false;
    for (int i = 0; i < WORLD_TEAMS_MAX; i++)
        if ('a' + i != own &&
            names_look_alike(span_of(normal), span_of(reading->world->team_name[i])))
            return refuse(reading->why, "INVALID_TEAM", "The other team is called like that");
    return put_word(reading, span_of(normal));
}

static bool put_called(struct reading *reading, const struct argument *field, const json_t *value) {
    if (!json_is_string(value))
        return refuse_field(reading->why, field->json, "a string");
    return put_team_name(reading, string_of(value));
}

static bool put_text(struct reading *reading, const struct argument *field, const json_t *value) {
    if (!json_is_string(value))
        return refuse_field(reading->why, field->json, "a string");
    return put_said(reading, string_of(value));
}

/* ---- People ---- */

static bool put_player(struct reading *reading, const struct argument *field, const json_t *value) {
    return is_word(string_of(value), WORLD_ID_MAX) && put_word(reading, string_of(value));
}

/* The seat of a person or a bot, or -1. */
static int find_seat(const struct world *world, struct span id) {
    for (int seat = 0; seat < world->seat_count; seat++)
        if (world->seat[seat].kind >= WORLD_SEAT_BOT && span_is(id, world->seat[seat].id))
            return seat;
    return -1;
}

static bool put_seat_of(struct reading *reading, const struct argument *field,
                        const json_t *value) {
    int seat = find_seat(reading->world, string_of(value));
    return is_word(string_of(value), WORLD_ID_MAX) &&
           (seat < 0 ? put_meaningless(reading, string_of(value)) : put_number(reading, seat));
}

/* ---- Settings ---- */

static bool put_setting_list(struct reading *reading, const json_t *value) {
    for (size_t i = 0; i < json_array_size(value); i++) {
        if (!json_is_integer(json_array_get(value, i)))
            return false;
        text_string(reading->words, i > 0 ? "," : "");
        text_number(reading->words, json_integer_value(json_array_get(value, i)));
    }
    return true;
}

/* Is this a number in quotes? The notation could not tell it from one, so it is refused here. */
static bool is_quoted_number(struct span text) {
    return text.length > 0 && ((text.data[0] >= '0' && text.data[0] <= '9') || text.data[0] == '-');
}

/* No option takes a fraction; the world's refusal says which numbers an option takes. */
static bool put_setting_value(struct reading *reading, const json_t *value) {
    struct span text = string_of(value);
    switch (value ? json_typeof(value) : JSON_NULL) {
    case JSON_TRUE:
    case JSON_FALSE:
        text_string(reading->words, json_is_true(value) ? "yes" : "no");
        return true;
    case JSON_INTEGER:
        text_number(reading->words, json_integer_value(value));
        return true;
    case JSON_REAL:
        text_char(reading->words, '?');
        return true;
    case JSON_STRING:
        text_string(reading->words, is_quoted_number(text) ? "?" : "");
        text_span(reading->words, text);
        return text.length == 0 || is_word(text, WORD_MAX);
    case JSON_ARRAY:
        return put_setting_list(reading, value);
    default:
        return false;
    }
}

static bool put_named_setting(struct reading *reading, const char *key, const json_t *value) {
    struct span word = span_of(key);
    if (!is_word(word, WORD_MAX) || memchr(key, '=', word.length))
        return refuse(reading->why, "BAD_REQUEST", "A setting's name must be one word");
    put_word(reading, word);
    text_char(reading->words, '=');
    return put_setting_value(reading, value) ||
           refuse_field(reading->why, key, "a number, a word, true, false or an array of numbers");
}

static bool put_setting(struct reading *reading, const struct argument *field,
                        const json_t *value) {
    return put_named_setting(reading, field->json, value);
}

static bool is_other_field(const struct verb *row, const char *key) {
    for (int i = 0; row->arguments[i].json; i++)
        if (row->arguments[i].kind != FIELD_SETTINGS && strcmp(row->arguments[i].json, key) == 0)
            return true;
    return false;
}

/* A preset is written first, because it resets the settings before it. */
static bool put_settings(struct reading *reading, const struct argument *field,
                         const json_t *value) {
    const json_t *preset = json_object_get(reading->payload, "preset");
    if (preset && !put_named_setting(reading, "preset", preset))
        return false;
    json_t *payload = (json_t *)reading->payload; /* which iterating does not change */
    for (void *at = json_object_iter(payload); at; at = json_object_iter_next(payload, at)) {
        const char *key = json_object_iter_key(at);
        if (strcmp(key, "preset") != 0 && !is_other_field(reading->row, key) &&
            !put_named_setting(reading, key, json_object_iter_value(at)))
            return false;
    }
    return true;
}

/* ---- Teams ---- */

/* WD-44, WD-C10: two teams of equal size that name everybody who plays exactly once. They sit in
 * turn. Places that nobody has taken come after all others. */
static bool put_teams(struct reading *reading, const struct argument *field, const json_t *value) {
    const struct world *world = reading->world;
    if (!json_is_object(value))
        return refuse_field(reading->why, field->json, "arrays of player ids by team");
    const json_t *const team[2] = {json_object_get(value, "a"), json_object_get(value, "b")};
    uint8_t kind[SEATS_MAX];
    world_seat_kinds(world, kind);
    size_t taken = (size_t)world_count_taken(kind);
    uint32_t named = 0;
    bool fit = json_object_size(value) == 2 && 2 * json_array_size(team[0]) == taken &&
               2 * json_array_size(team[1]) == taken;
    put_word(reading, span_of("order"));
    for (size_t i = 0; fit && i < taken; i++) {
        const json_t *id = json_array_get(team[i % 2], i / 2);
        int seat = json_is_string(id) ? find_seat(world, string_of(id)) : -1;
        fit = seat >= 0 && kind[seat] >= WORLD_SEAT_BOT && (named >> seat & 1) == 0;
        if (fit)
            named |= 1u << seat;
        put_number(reading, seat);
    }
    for (int seat = 0; seat < world->seat_count; seat++)
        if (kind[seat] < WORLD_SEAT_BOT)
            put_number(reading, seat);
    return fit || refuse(reading->why, "INVALID_SETTING", "Invalid teams");
}

/* ---- Rows ---- */

static const struct {
    bool (*write)(struct reading *reading, const struct argument *field, const json_t *value);
    const char *form; /* what a value must be; null: the writer says it */
} writers[] = {
    [ARGUMENT_CARD] = {put_card, "a card's id"},
    [ARGUMENT_NUMBER] = {put_integer, "a whole number"},
    [ARGUMENT_CHOICE] = {put_choice, "a whole number or one word"},
    [ARGUMENT_SUIT] = {put_suit, "a suit's name"},
    [ARGUMENT_YES_NO] = {put_yes_no, "true or false"},
    [ARGUMENT_FLAG] = {put_flag, "true or false"},
    [ARGUMENT_CARDS] = {put_cards, "an array of card ids"},
    [ARGUMENT_ONLY_CARD] = {put_card, "a card's id"},
    [ARGUMENT_GROUPS] = {put_groups, "an array of arrays of card ids"},
    [ARGUMENT_NUMBERS] = {put_integers, "an array of whole numbers"},
    [FIELD_WORD] = {put_plain_word, "one word"},
    [FIELD_TEXT] = {put_text, NULL},
    [FIELD_NAME] = {put_called, NULL},
    [FIELD_PLAYER] = {put_player, "a player's id"},
    [FIELD_SEAT_OF] = {put_seat_of, "a player's id"},
    [FIELD_SETTING] = {put_setting, NULL},
    [FIELD_SETTINGS] = {put_settings, NULL},
    [FIELD_TEAMS] = {put_teams, NULL},
};

static const json_t *value_of(const struct reading *reading, const struct argument *argument) {
    bool whole = argument->kind == FIELD_SETTINGS;
    return whole ? reading->payload : member(reading->payload, argument->json);
}

/* A required argument that is missing is refused by its writer. */
static bool put_arguments(struct reading *reading) {
    const struct verb *row = reading->row;
    text_span(reading->words, verb_word(row));
    for (int i = 0; row->arguments[i].kind != ARGUMENT_NONE; i++) {
        const struct argument *argument = &row->arguments[i];
        const json_t *value = value_of(reading, argument);
        if (!value && argument->optional)
            continue;
        const char *form = writers[argument->kind].form;
        if (!writers[argument->kind].write(reading, argument, value))
            return form ? refuse_field(reading->why, argument->json, form) : false;
    }
    return true;
}

/* The payload that a row reads, or a refusal. */
static bool find_payload(struct reading *reading, const json_t *body) {
    reading->payload = member(body, "payload");
    if (reading->payload && !json_is_object(reading->payload))
        return refuse_field(reading->why, "payload", "an object");
    if (!reading->payload && reading->row->flat)
        reading->payload = body;
    return true;
}

/* How much of the payload the row asks for, or -1 if something that it asks for is not there. */
static int count_needs(const struct reading *reading) {
    const struct verb *row = reading->row;
    int needs = row->marker != NULL;
    for (int i = 0; row->arguments[i].kind != ARGUMENT_NONE; i++) {
        if (row->arguments[i].optional)
            continue;
        if (!value_of(reading, &row->arguments[i]))
            return -1;
        needs++;
    }
    return row->marker && !json_is_true(member(reading->payload, row->marker)) ? -1 : needs;
}

/* Finds the row of a type. Of the rows whose needs are met, it is the one that needs most; if there
 * is none, it is the last one, whose writers refuse. A marker that is no boolean is refused. */
static bool find_row(struct reading *reading, const struct verb *rows, size_t count,
                     struct span type, const json_t *body) {
    const struct verb *last = NULL, *best = NULL;
    int most = -1;
    for (size_t i = 0; i < count; i++) {
        if (!verb_action(&rows[i]) || !span_is(type, verb_action(&rows[i])))
            continue;
        reading->row = last = &rows[i];
        if (!find_payload(reading, body))
            return false;
        const json_t *marker = last->marker ? member(reading->payload, last->marker) : NULL;
        if (marker && !json_is_boolean(marker))
            return refuse_field(reading->why, last->marker, "true or false");
        int needs = count_needs(reading);
        if (needs > most) {
            most = needs;
            best = last;
        }
    }
    reading->row = best ? best : last;
    return last ||
           refuse_word(reading->why, type, "BAD_REQUEST", "There is no action '%s' in this game");
}

static bool is_of_lobby(struct span type) {
    for (size_t i = 0; i < lobby_verb_count; i++)
        if (span_is(type, verb_action(&lobby_verbs[i])))
            return true;
    return false;
}

static bool read_type(struct reading *reading, const json_t *body) {
    const json_t *type = member(body, "type");
    const struct game *game = reading->world->game;
    if (!json_is_string(type))
        return refuse_field(reading->why, "type", "a string");
    bool lobby = is_of_lobby(string_of(type));
    const struct verb *rows = lobby ? lobby_verbs : game->verbs;
    size_t count = lobby ? lobby_verb_count : game->verb_count;
    return find_row(reading, rows, count, string_of(type), body) && put_arguments(reading);
}

/* ---- Moves as text ---- */

/* Joining, leaving and saving have routes of their own, which know more than the words say. */
static bool has_own_route(struct span verb) {
    static const char *const verbs[] = {"create", "join", "watch", "leave",
                                        "quit",   "name", "save",  NULL};
    for (int i = 0; verbs[i]; i++)
        if (span_is(verb, verbs[i]))
            return true;
    return false;
}

static bool is_printable(struct span text) {
    for (size_t i = 0; i < text.length; i++)
        if (text.data[i] < ' ' || text.data[i] >= 0x7f)
            return false;
    return text.length > 0;
}

static struct span rest_of(struct scan scan) {
    return (struct span){scan.at, (size_t)(scan.end - scan.at)};
}

static bool read_move(const struct reading *reading, const json_t *move) {
    struct text *words = reading->words;
    struct refusal *why = reading->why;
    struct span verb, line = string_of(move);
    struct scan scan = scan_of(line);
    if (!json_is_string(move) || !scan_word(&scan, &verb))
        return refuse_field(why, "move", "a line of text");
    if (span_is(verb, "say")) {
        text_string(words, "say");
        return put_said(reading, rest_of(scan));
    }
    if (span_is(verb, "team") && scan_word(&scan, &verb) && is_printable(verb)) {
        text_string(words, "team ");
        text_span(words, verb);
        return scan_done(scan) || put_team_name(reading, rest_of(scan));
    }
    if (!is_printable(line))
        return refuse_field(why, "move", "a line of text");
    if (has_own_route(verb))
        return refuse_word(why, verb, "BAD_REQUEST", "'%s' is not a move");
    text_span(words, line);
    return true;
}

/* ---- Bodies ---- */

static bool is_body(const json_t *body, struct refusal *why) {
    return json_is_object(body) || refuse(why, "BAD_REQUEST", "The body must be a JSON object");
}

bool actions_room_code(const json_t *body, struct span *code, struct refusal *why) {
    if (!is_body(body, why))
        return false;
    const json_t *value = member(body, "roomCode");
    if (!value)
        value = member(body, "gameId");
    *code = string_of(value);
    return json_is_string(value) || refuse_field(why, "roomCode", "a string");
}

static size_t count_characters(struct span text) {
    size_t count = 0;
    for (size_t i = 0; i < text.length; i++)
        count += ((unsigned char)text.data[i] & 0xc0) != 0x80;
    return count;
}

bool actions_action_id(const json_t *body, struct span *id, struct refusal *why) {
    const json_t *value = member(body, "actionId");
    *id = value ? string_of(value) : (struct span){"", 0};
    bool good = json_is_string(value) && id->length > 0 && count_characters(*id) <= ACTIONS_ID_MAX;
    return !value || good || refuse_field(why, "actionId", "a string of 1 to 64 characters");
}

static bool all_fitted(const struct text *words, struct refusal *why) {
    return !words->cut || refuse(why, "BAD_REQUEST", "This is too long");
}

bool actions_read(const struct world *world, const json_t *body, struct text *words,
                  struct refusal *why) {
    struct reading reading = {.world = world, .words = words, .why = why};
    if (!is_body(body, why))
        return false;
    const json_t *move = member(body, "move");
    bool read = move ? read_move(&reading, move) : read_type(&reading, body);
    return read && all_fitted(words, why);
}

/* ---- Moves that have an address ---- */

enum { PATH_SIZE = 1024 };

static size_t count_arguments(const struct verb *row) {
    size_t count = 0;
    while (row->arguments[count].kind != ARGUMENT_NONE)
        count++;
    return count;
}

static size_t count_parts(const char *address) {
    size_t count = 0;
    for (; *address; address++)
        count += *address == '*';
    return count;
}

static bool put_listed_cards(struct reading *reading, struct span cards) {
    for (size_t at = 0; at <= cards.length; at++) {
        size_t start = at;
        while (at < cards.length && cards.data[at] != ',')
            at++;
        if (!put_card_id(reading, (struct span){cards.data + start, at - start}))
            return false;
    }
    return true;
}

static bool put_part(struct reading *reading, const struct argument *argument, struct span part) {
    int32_t number;
    if (argument->kind == ARGUMENT_CARDS)
        return put_listed_cards(reading, part) ||
               refuse_field(reading->why, argument->json, "card ids with commas between them");
    ensure(argument->kind == ARGUMENT_NUMBER);
    return (span_number(part, &number) && number >= 0 && put_number(reading, number)) ||
           refuse_field(reading->why, argument->json, "a whole number");
}

static bool read_parts(struct reading *reading, struct span player_id, const struct span *parts) {
    const struct world *world = reading->world;
    const struct verb *row = reading->row;
    size_t arguments = count_arguments(row), first = count_parts(row->address) - arguments;
    int seat;
    bool sits =
        world->status == WORLD_PLAYING && world_find_seat(world, player_id, &seat) && seat >= 0;
    if (row->address_fits &&
        !row->address_fits(sits ? &world->state : NULL, sits ? seat : NATURE, parts, reading->why))
        return false;
    text_span(reading->words, verb_word(row));
    for (size_t i = 0; i < arguments; i++)
        if (!put_part(reading, &row->arguments[i], parts[first + i]))
            return false;
    return true;
}

static const struct verb *find_address(const struct game *game, struct span path,
                                       struct span parts[ENCODING_PARTS_MAX]) {
    for (size_t i = 1; i < game->verb_count; i++) {
        const char *address = game->verbs[i].address;
        if (address && encoding_path_fits(address, path, parts))
            return &game->verbs[i];
    }
    return NULL;
}

bool actions_is_address(struct span path) {
    struct span parts[ENCODING_PARTS_MAX];
    bool found = false;
    for (size_t i = 0; i < registry_count && !found; i++)
        found = find_address(registry_games[i], path, parts);
    return found;
}

bool actions_read_address(const struct world *world, struct span player_id, struct span path,
                          struct text *words, struct refusal *why) {
    struct span parts[ENCODING_PARTS_MAX];
    char buffer[PATH_SIZE];
    struct text text = text_in(buffer, sizeof buffer);
    if (!encoding_decode_path(encoding_path(path), &text))
        return refuse(why, "NOT_FOUND", "There is no such page");
    struct span decoded = {buffer, text.length};
    struct reading reading = {.world = world, .words = words, .why = why};
    reading.row = find_address(world->game, decoded, parts);
    if (!reading.row)
        return actions_is_address(decoded)
                   ? refuse(why, "BAD_REQUEST", "This game has no such move")
                   : refuse(why, "NOT_FOUND", "There is no such page");
    return read_parts(&reading, player_id, parts) && all_fitted(words, why);
}
