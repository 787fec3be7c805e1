/* From JSON to words: every action of docs/PROTOCOL.md, and every way to get a field wrong. */
#include "games/registry.h"
#include "server/api/actions.h"
#include "server/net/status.h"
#include "tests/support.h"

static struct world world;
static struct world_news news;
static struct refusal why;
static char buffer[ACTIONS_WORDS_SIZE];

static const uint8_t seed[CHANCE_SEED_SIZE] = {1};

static void create(const char *game) {
    struct world_birth birth = {span_of("K7M2QX"), span_of(game), span_of("ann"),
                                span_of("Ann"),    seed,          seed};
    memset(&news, 0, sizeof news);
    assert_true(world_create(&world, 1000, &world_times_usual, &birth, &news, &why));
}

static enum world_answer act(const char *id, const char *words) {
    struct world_action action = {span_of(id), span_of(words), 0};
    return world_act(&world, 2000, &action, &news, &why);
}

static bool read_text(const char *body) {
    json_error_t error;
    json_t *json = json_loads(body, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
    assert_non_null(json);
    why = (struct refusal){0};
    struct text words = text_in(buffer, sizeof buffer);
    bool read = actions_read(&world, json, &words, &why);
    json_decref(json);
    return read;
}

/* The rest of a body after `{"roomCode": "K7M2QX", `. */
static bool read_action(const char *rest) {
    char body[4096];
    snprintf(body, sizeof body, "{\"roomCode\": \"K7M2QX\", %s}", rest);
    return read_text(body);
}

static void becomes(const char *rest, const char *words) {
    if (!read_action(rest))
        fail_msg("%s: %s", rest, why.text);
    assert_string_equal(buffer, words);
}

static void refused_as(const char *code, const char *rest, const char *text) {
    if (read_action(rest))
        fail_msg("%s became '%s'", rest, buffer);
    assert_int_equal(refusal_status(&why), 400);
    assert_string_equal(why.code, code);
    if (text)
        assert_string_equal(why.text, text);
}

static void refused(const char *rest, const char *text) {
    refused_as("BAD_REQUEST", rest, text);
}

/* Reads the action and does it as Ann, who owns the world. */
static void does(const char *rest) {
    if (!read_action(rest))
        fail_msg("%s: %s", rest, why.text);
    if (act("ann", buffer) != WORLD_DONE)
        fail_msg("%s: %s: %s", rest, buffer, why.text);
}

/* ---- The lobby ---- */

UNIT_TEST(the_longest_chat_fits) {
    char rest[2048] = "\"type\": \"chat\", \"payload\": {\"text\": \"";
    create("whos-deal");
    for (int i = 0; i < WORLD_SAY_MAX; i++)
        strcat(rest, "\xf0\x9f\x83\x8f");
    strcat(rest, "\"}");
    does(rest);
    assert_int_equal(strlen(buffer), 4 + 4 * WORLD_SAY_MAX);
}

/* ---- Starting ---- */

/* Places that nobody has taken come after all others. */
UNIT_TEST(start_with_teams_and_open_places) {
    create("hand-and-foot");
    does("\"type\": \"set-preset\", \"payload\": {\"preset\": \"partners\"}");
    for (int seat = 0; seat < world.seat_count; seat++)
        world.seat[seat] = (struct world_seat){.kind = WORLD_SEAT_OPEN};
    static const char *const ids[] = {"x", "ann", "bob", "cy", "di"};
    for (int seat = 1; seat < 5; seat++) {
        world.seat[seat].kind = WORLD_SEAT_PERSON;
        strcpy(world.seat[seat].id, ids[seat]);
    }
    becomes("\"type\": \"start\", \"payload\": {\"teams\": {\"b\": [\"ann\", \"bob\"], \"a\": "
            "[\"di\", \"cy\"]}}",
            "start order 4 1 3 2 0 5 6 7");
}

/* ---- The games' actions ---- */

static int try_bad_strings(const struct verb *row, const struct argument *argument) {
    static const char *const bad[] = {
        "AH alone", "AH\\talone", "AH\\nplay KH", "AH\\r",    " AH", "AH ",
        "",         "\\u0000",    "A\\u007f",     "\\u00a0A", NULL};
    const struct argument *first = &row->arguments[0];
    int tried = 0;
    for (; bad[tried]; tried++) {
        char rest[512];
        snprintf(rest, sizeof rest,
                 "\"type\": \"%s\", \"payload\": {\"%s\": true, \"%s\": 1, "
                 "\"playerIdA\": \"ann\", "
                 "\"playerId\": \"ann\", \"suit\": \"hearts\", \"%s\": \"%s\"}",
                 verb_action(row), row->marker ? row->marker : "none",
                 first->kind == ARGUMENT_NUMBER ? first->json : "none", argument->json, bad[tried]);
        refused(rest, NULL);
        assert_ptr_equal(strstr(why.text, argument->json), why.text);
    }
    return tried;
}

/* An example of the row as an action, with the string as its argument, which is refused by name. */
static void try_bad_string(const struct game *game, const struct move *move,
                           const struct argument *argument, const char *bad) {
    char body[MOVE_TEXT_SIZE];
    struct json json = json_object_in(body, sizeof body);
    game_action_json(game, move, &json);
    json_put_end(&json);
    json_t *action = json_loads(body, 0, NULL);
    json_object_set_new(json_object_get(action, "payload"), argument->json, json_string(bad));
    char *changed = json_dumps(action, 0);
    if (read_text(changed))
        fail_msg("%s became '%s'", changed, buffer);
    assert_ptr_equal(strstr(why.text, argument->json), why.text);
    free(changed);
    json_decref(action);
}

static int try_row(const struct game *game, const struct game_state *state, size_t row) {
    static const char *const bad[] = {"AH alone", "AH\tx", "AH\nplay KH", " AH", "AH ", "", "\x7f"};
    const struct verb *verb = &game->verbs[row];
    const char *last = verb->example ? strrchr(verb->example, '|') : NULL;
    struct span example = span_of(last ? last + 1 : verb->example ? verb->example : "");
    struct move move;
    int tried = 0;
    if (!game_parse(game, state, example, &move, NULL) || move.verb != row)
        return 0; /* the word means another row by these rules */
    for (int i = 0; verb->arguments[i].json; i++)
        for (size_t j = 0; j < sizeof bad / sizeof *bad; j++, tried++)
            try_bad_string(game, &move, &verb->arguments[i], bad[j]);
    return tried;
}

static int try_game(const struct game *game) {
    struct options options;
    struct game_state state;
    int tried = 0;
    create(game->id);
    options_default(&game->options, &options);
    assert_true(game_start(game, &state, &options, game->players_default, &why));
    for (size_t row = 1; row < game->verb_count; row++)
        tried += try_row(game, &state, row);
    return tried;
}

static int try_rows(const char *game, const struct verb *rows, size_t count) {
    int tried = 0;
    create(game);
    for (size_t r = 0; r < count; r++) {
        for (int i = 0; i < VERB_ARGUMENTS_MAX && rows[r].arguments[i].json; i++) {
            int kind = rows[r].arguments[i].kind;
            if (kind != FIELD_TEXT && kind != FIELD_NAME && kind != FIELD_SETTINGS &&
                kind != FIELD_SETTING)
                tried += try_bad_strings(&rows[r], &rows[r].arguments[i]);
        }
    }
    return tried;
}

/* PL-27: no string of any field becomes a second word; tried for all rows of the tables. */
UNIT_TEST(no_string_becomes_two_words) {
    int tried = try_rows("whos-deal", lobby_verbs, lobby_verb_count);
    for (size_t i = 0; i < registry_count; i++)
        tried += try_game(registry_games[i]);
    assert_true(tried > 200);
}

/* A value that there is not is left to the rules; one that could be left out is refused by name. */
UNIT_TEST(an_optional_suit_is_one) {
    static struct verb verbs[32];
    create("whos-deal");
    struct game game = *world.game;
    assert_true(game.verb_count <= sizeof verbs / sizeof *verbs);
    memcpy(verbs, game.verbs, game.verb_count * sizeof *verbs);
    game.verbs = verbs;
    world.game = &game;
    static const char action[] = "\"type\": \"call-trump\", \"payload\": {\"suit\": \"green\"}";
    becomes(action, "call ?");
    for (size_t i = 0; i < game.verb_count; i++)
        if (verbs[i].arguments[0].kind == ARGUMENT_SUIT)
            verbs[i].arguments[0].optional = true;
    refused(action, "suit must be a suit's name");
}

/* ---- Moves as text ---- */

UNIT_TEST(what_is_too_long_is_refused) {
    char rest[4096] = "\"move\": \"";
    create("whos-deal");
    size_t length = strlen(rest);
    memset(rest + length, 'a', ACTIONS_WORDS_SIZE - 1);
    strcpy(rest + length + ACTIONS_WORDS_SIZE - 1, "\"");
    assert_true(read_action(rest));
    assert_int_equal(act("ann", buffer), WORLD_REFUSED);
    assert_string_equal(why.code, "WRONG_PHASE"); /* and not that it is too long */
    strcpy(rest + length + ACTIONS_WORDS_SIZE - 1, "a\"");
    refused(rest, "This is too long");
}

/* ---- Bodies ---- */

UNIT_TEST(bodies_are_objects) {
    create("whos-deal");
    static const char *const bad[] = {"[]", "5", "\"move\"", "null", "true", NULL};
    for (int i = 0; bad[i]; i++) {
        assert_false(read_text(bad[i]));
        assert_string_equal(why.text, "The body must be a JSON object");
    }
    struct text words = text_in(buffer, sizeof buffer);
    assert_false(actions_read(&world, NULL, &words, &why));
}

static const char *code_of(const char *body) {
    static char code[32];
    struct span span;
    json_t *json = json_loads(body, 0, NULL);
    bool found = actions_room_code(json, &span, &why);
    struct text text = text_in(code, sizeof code);
    if (found)
        text_span(&text, span);
    json_decref(json);
    return found ? code : NULL;
}

UNIT_TEST(finds_the_room) {
    assert_string_equal(code_of("{\"roomCode\": \"K7M2QX\"}"), "K7M2QX");
    assert_string_equal(code_of("{\"gameId\": \"K7M2QX\"}"), "K7M2QX");
    assert_string_equal(code_of("{\"gameId\": \"A\", \"roomCode\": \"B\"}"), "B");
    assert_string_equal(code_of("{\"gameId\": \"A\", \"roomCode\": null}"), "A");
    assert_null(code_of("{\"gameId\": \"A\", \"roomCode\": 5}"));
    assert_string_equal(why.text, "roomCode must be a string");
    assert_null(code_of("{}"));
    assert_null(code_of("[\"roomCode\"]"));
    assert_string_equal(why.text, "The body must be a JSON object");
}

static long id_length(const char *body) {
    struct span id = {0};
    json_t *json = json_loads(body, 0, NULL);
    bool good = actions_action_id(json, &id, &why);
    json_decref(json);
    return good ? (long)id.length : -1;
}

UNIT_TEST(finds_the_action_id) {
    char body[512];
    assert_int_equal(id_length("{}"), 0);
    assert_int_equal(id_length("{\"actionId\": null}"), 0);
    assert_int_equal(id_length("{\"actionId\": \"abc\"}"), 3);
    assert_int_equal(id_length("{\"actionId\": \"\"}"), -1);
    assert_int_equal(id_length("{\"actionId\": 5}"), -1);
    assert_string_equal(why.text, "actionId must be a string of 1 to 64 characters");
    snprintf(body, sizeof body, "{\"actionId\": \"%s%s\"}", "0123456789abcdef0123456789abcdef",
             "0123456789abcdef0123456789abcde\xc3\xa9");
    assert_int_equal(id_length(body), 65);
    snprintf(body, sizeof body, "{\"actionId\": \"%s%s\"}", "0123456789abcdef0123456789abcdef",
             "0123456789abcdef0123456789abcdef0");
    assert_int_equal(id_length(body), -1);
}

/* ---- actions.txt ---- */

static int line_number; /* that is tried; 0: none */

AFTER_EACH(tell_where) {
    if (line_number > 0)
        print_message("# server/api/actions.txt:%d\n", line_number);
    line_number = 0;
    return 0;
}

static bool read_route(const char *path) {
    why = (struct refusal){0};
    struct text words = text_in(buffer, sizeof buffer);
    return actions_read_address(&world, span_of("ann"), span_of(path), &words, &why);
}

/* "TYPE PAYLOAD", or the rest of a body as it is. */
static bool read_line(const char *action) {
    char rest[1024];
    int type = (int)strcspn(action, " ");
    if (action[0] == '"')
        return read_action(action);
    snprintf(rest, sizeof rest, "\"type\": \"%.*s\"%s%s", type, action,
             action[type] ? ", \"payload\": " : "", action + type);
    return read_action(rest);
}

/* "404 NOT_FOUND text"; the status is 400 and the text is any if they are missing. */
static void expect_refusal(const char *expected) {
    char code[64];
    int status = 400, at = 0;
    sscanf(expected, "%d%n", &status, &at);
    sscanf(expected += at, " %63s%n", code, &at);
    assert_int_equal(refusal_status(&why), status);
    assert_string_equal(why.code, code);
    if (expected[at] != '\0')
        assert_string_equal(why.text, expected + at + 1);
}

static const char *view_of_ann(void) {
    static char view[1 << 16];
    struct json json = json_in(view, sizeof view);
    world_view(&world, span_of("ann"), NULL, &json);
    assert_true(json_complete(&json));
    return view;
}

static void try_line(char *line) {
    char id[16];
    int at = 0;
    char *arrow = strstr(line, " => ");
    if (line[0] == '\0' || line[0] == '#' || line[0] == '=')
        return;
    if (!arrow && strncmp(line, "world ", 6) == 0) {
        create(line + 6);
        return;
    }
    if (!arrow && strncmp(line, "sees ", 5) == 0) {
        if (!strstr(view_of_ann(), line + 5))
            fail_msg("%s is not in %s", line + 5, view_of_ann());
        return;
    }
    if (arrow)
        *arrow = '\0';
    if (sscanf(line, "%15s does %n", id, &at) == 1 && at > 0) {
        assert_int_equal(act(id, line + at), arrow ? WORLD_REFUSED : WORLD_DONE);
        if (arrow)
            expect_refusal(arrow + strlen(" => ! "));
        return;
    }
    assert_non_null(arrow);
    const char *expected = arrow + strlen(" => ");
    bool is_done = strncmp(line, "do ", 3) == 0;
    bool good = strncmp(line, "at ", 3) == 0 ? read_route(line + 3) : read_line(line + 3 * is_done);
    good = good && (!is_done || act("ann", buffer) == WORLD_DONE);
    if (good)
        assert_string_equal(buffer, expected);
    else
        expect_refusal(expected + strspn(expected, "! "));
    assert_int_equal(good, expected[0] != '!');
}

UNIT_TEST(actions_and_addresses_become_words) {
    char line[1024];
    FILE *file = fopen(SOURCE_ROOT "/server/api/actions.txt", "r");
    assert_non_null(file);
    for (line_number = 1; fgets(line, sizeof line, file); line_number++) {
        line[strcspn(line, "\n")] = '\0';
        try_line(line);
    }
    assert_true(line_number > 200);
    line_number = 0;
    fclose(file);
}

/* HT-C19 */
UNIT_TEST(a_long_address_is_none) {
    char path[2048] = "/teams/0/books/open/13/";
    create("hand-and-foot");
    memset(path + strlen(path), 'K', 1500);
    assert_false(read_route(path));
    assert_int_equal(refusal_status(&why), 404);
    assert_string_equal(why.code, "NOT_FOUND");
}
