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
    struct text words;
    json_t *json = json_loads(body, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
    assert_non_null(json);
    why = (struct refusal){0};
    text_begin(&words, buffer, sizeof buffer);
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

/* The form is right, and the world refuses. */
static void world_refuses(const char *rest, int status, const char *code, const char *text) {
    if (!read_action(rest))
        fail_msg("%s: %s", rest, why.text);
    assert_int_equal(act("ann", buffer), WORLD_REFUSED);
    assert_int_equal(refusal_status(&why), status);
    assert_string_equal(why.code, code);
    if (text)
        assert_string_equal(why.text, text);
}

/* ---- The lobby ---- */

static void swaps_teams_by_player(void **state) {
    create("whos-deal");
    assert_int_equal(act("bob", "join Bob"), WORLD_DONE);
    becomes("\"type\": \"swap-teams\", \"payload\": {\"playerIdA\": \"bot-3\", \"playerIdB\": "
            "\"ann\"}",
            "swap 3 0");
    does("\"type\": \"swap-teams\", \"payload\": {\"playerIdA\": \"ann\", \"playerIdB\": \"bob\"}");
    assert_string_equal(world.seat[0].id, "bob");
    assert_string_equal(world.seat[1].id, "ann");
    world_refuses("\"type\": \"swap-teams\", \"payload\": {\"playerIdA\": \"ann\", \"playerIdB\": "
                  "\"bot-3\"}",
                  400, "INVALID_SWAP", "Invalid swap");
}

/* A player nobody knows is refused by the world, after member, phase and role; an id that looks
 * like a seat is no seat. */
static void unknown_players_are_no_seats(void **state) {
    create("whos-deal");
    becomes("\"type\": \"swap-teams\", \"payload\": {\"playerIdA\": \"1\", \"playerIdB\": \"ann\"}",
            "swap ?1 0");
    world_refuses("\"type\": \"swap-teams\", \"payload\": {\"playerIdA\": \"ann\", "
                  "\"playerIdB\": \"zoe\"}",
                  400, "INVALID_SEAT", "There is no seat '?zoe'");
    assert_int_equal(act("bob", "join Bob"), WORLD_DONE);
    assert_true(read_action("\"type\": \"swap-teams\", \"payload\": {\"playerIdA\": \"zoe\", "
                            "\"playerIdB\": \"ann\"}"));
    assert_int_equal(act("bob", buffer), WORLD_REFUSED);
    assert_string_equal(why.text, "Not the owner");
    assert_int_equal(act("stranger", buffer), WORLD_REFUSED);
    assert_string_equal(why.code, "NOT_A_MEMBER");
}

static void empty_seats_have_no_players(void **state) {
    create("up-n-down");
    refused("\"type\": \"move-seat\", \"payload\": {\"playerId\": \"\", \"seatIndex\": 1}",
            "playerId must be a player's id");
    becomes("\"type\": \"move-seat\", \"payload\": {\"playerId\": \"ann\", \"seatIndex\": 1}",
            "move 0 1");
    becomes("\"type\": \"move-seat\", \"payload\": {\"playerId\": \"ann\", \"seatIndex\": -1}",
            "move 0 -1");
    refused("\"type\": \"move-seat\", \"payload\": {\"playerId\": \"ann\", \"seatIndex\": \"1\"}",
            "seatIndex must be a whole number");
    refused("\"type\": \"move-seat\", \"payload\": {\"playerId\": \"ann\", \"seatIndex\": 1.0}",
            "seatIndex must be a whole number");
    refused("\"type\": \"move-seat\", \"payload\": {\"playerId\": 3, \"seatIndex\": 1}",
            "playerId must be a player's id");
    becomes("\"type\": \"move-seat\", \"payload\": {\"playerId\": \"abcdefghijklmnopqrstuvw\", "
            "\"seatIndex\": 1}",
            "move ?abcdefghijklmnopqrstuvw 1");
    refused("\"type\": \"move-seat\", \"payload\": {\"playerId\": \"abcdefghijklmnopqrstuvwx\", "
            "\"seatIndex\": 1}",
            "playerId must be a player's id");
}

static void sets_the_target(void **state) {
    create("whos-deal");
    does("\"type\": \"set-target-score\", \"payload\": {\"targetScore\": 7}");
    assert_string_equal(buffer, "set targetScore=7");
    const char *text = "Invalid target score";
    world_refuses("\"type\": \"set-target-score\", \"payload\": {\"targetScore\": 8}", 400,
                  "INVALID_SETTING", text);
    world_refuses("\"type\": \"set-target-score\", \"payload\": {\"targetScore\": 7.5}", 400,
                  "INVALID_SETTING", text);
    world_refuses("\"type\": \"set-target-score\", \"payload\": {\"targetScore\": \"x\"}", 400,
                  "INVALID_SETTING", text);
    const char *form = "targetScore must be a number, a word, true, false or an array of numbers";
    refused("\"type\": \"set-target-score\", \"payload\": {\"targetScore\": null}", form);
    refused("\"type\": \"set-target-score\", \"payload\": {\"targetScore\": {}}", form);
    refused("\"type\": \"set-target-score\", \"payload\": {}", form);
    refused("\"type\": \"set-target-score\"", form);
}

static void settings_of_every_kind(void **state) {
    create("hand-and-foot");
    becomes("\"type\": \"set-settings\", \"payload\": {\"a\": true, \"b\": false, \"c\": -5, "
            "\"d\": \"fast\", \"e\": [60, 90], \"f\": \"\", \"g\": []}",
            "set a=yes b=no c=-5 d=fast e=60,90 f= g=");
    becomes("\"type\": \"set-settings\", \"payload\": {\"speed\": \"fast\", \"preset\": "
            "\"partners\", \"watching\": false}",
            "set preset=partners speed=fast watching=no");
    does("\"type\": \"set-settings\", \"payload\": {\"speed\": \"fast\", \"public\": true}");
    assert_true(world_is_public(&world));
    world_refuses("\"type\": \"set-settings\", \"payload\": {\"colour\": \"red\"}", 400,
                  "INVALID_SETTING", "Unknown setting 'colour'");
    world_refuses("\"type\": \"set-settings\", \"payload\": {}", 400, "INVALID_SETTING", NULL);
    world_refuses("\"type\": \"set-settings\"", 400, "INVALID_SETTING", NULL);
}

static void settings_cannot_bring_words(void **state) {
    create("hand-and-foot");
    static const char *const bad[] = {"{\"a\": \"x b=yes\"}",
                                      "{\"a\": \"x\\tb=yes\"}",
                                      "{\"a\": \"x\\n\"}",
                                      "{\"a b\": 1}",
                                      "{\"a=1 b\": 1}",
                                      "{\"a=1\": 1}",
                                      "{\"\": 1}",
                                      "{\"a\": null}",
                                      "{\"a\": {\"b\": 1}}",
                                      "{\"a\": [\"1 b=2\"]}",
                                      "{\"a\": [1.5]}",
                                      "{\"a\": [[1]]}",
                                      "{\"a\": \"caf\\u00e9\"}",
                                      "{\"a\\n\": 1}",
                                      "{\"a\": \"\\u0000\"}",
                                      "{\"preset\": \"a b\"}",
                                      "{\"preset\": null}",
                                      NULL};
    for (int i = 0; bad[i]; i++) {
        char rest[256];
        snprintf(rest, sizeof rest, "\"type\": \"set-settings\", \"payload\": %s", bad[i]);
        refused(rest, NULL);
        snprintf(rest, sizeof rest, "\"type\": \"start\", \"payload\": %s", bad[i]);
        refused(rest, NULL);
    }
}

static void presets_bots_and_people(void **state) {
    create("hand-and-foot");
    does("\"type\": \"set-preset\", \"payload\": {\"preset\": \"closers\"}");
    assert_string_equal(buffer, "preset closers");
    does("\"type\": \"set-bot\", \"payload\": {\"seatIndex\": 1, \"level\": \"hard\"}");
    assert_int_equal(world.seat[1].level, BOT_HARD);
    does("\"type\": \"set-bot\", \"payload\": {\"seatIndex\": 1, \"level\": \"closed\"}");
    assert_int_equal(world.seat[1].kind, WORLD_SEAT_CLOSED);
    does("\"type\": \"set-bot\", \"payload\": {\"seatIndex\": 1, \"level\": \"open\"}");
    assert_int_equal(world.seat[1].kind, WORLD_SEAT_OPEN);
    refused("\"type\": \"set-bot\", \"payload\": {\"seatIndex\": 1}", "level must be one word");
    assert_int_equal(act("bob", "join Bob"), WORLD_DONE);
    does("\"type\": \"remove-player\", \"payload\": {\"playerId\": \"bob\"}");
    assert_null(world_find_member(&world, span_of("bob")));
    refused("\"type\": \"remove-player\", \"payload\": {\"playerId\": \"bob x\"}",
            "playerId must be a player's id");
}

static void the_other_common_actions(void **state) {
    create("whos-deal");
    becomes("\"type\": \"play-again\"", "again");
    becomes("\"type\": \"next-round\", \"payload\": {\"surplus\": 1}", "next");
    becomes("\"type\": \"hand-over\", \"payload\": {\"seatIndex\": 2}", "hand-over 2");
    becomes("\"type\": \"emote\", \"payload\": {\"id\": \"hello\"}", "emote hello");
    becomes("\"type\": \"set-speed\", \"payload\": {\"speed\": \"fast\"}", "speed fast");
    becomes("\"type\": \"name-team\", \"payload\": {\"team\": \"a\", \"name\": \" "
            "The  Caf\\u0065\\u0301 \"}",
            "team a The Caf\xc3\xa9");
    becomes("\"type\": \"name-team\", \"payload\": {\"team\": \"b\", \"name\": \"\"}", "team b");
    becomes("\"move\": \"team a  Les  \\u00c9toiles\"", "team a Les \xc3\x89toiles");
    becomes("\"move\": \"team a \"", "team a");
    refused("\"move\": \"team a \\u202e\"", NULL);
    assert_int_equal(act("ann", "team a Sharks"), WORLD_DONE);
    becomes("\"move\": \"team a Sharks\"", "team a Sharks");
    refused_as("INVALID_TEAM",
               "\"type\": \"name-team\", \"payload\": {\"team\": \"b\", \"name\": \" SHARKS\"}",
               "The other team is called like that");
    refused_as("INVALID_TEAM", "\"move\": \"team b Sh\\u0430rks\"",
               "The other team is called like that");
    refused("\"type\": \"name-team\", \"payload\": {\"team\": \"a\"}", "name must be a string");
    refused("\"type\": \"emote\", \"payload\": {\"id\": \"hello you\"}", "id must be one word");
    becomes("\"type\": \"chat\", \"payload\": {\"text\": \" Hi\\nthere\\u202e \\u0065\\u0301 \"}",
            "say Hi there \xc3\xa9");
    refused("\"type\": \"chat\", \"payload\": {\"text\": 5}", "text must be a string");
    refused("\"type\": \"chat\", \"payload\": {\"text\": \"\"}",
            "A message has 1 to 300 characters");
    refused("\"type\": \"chat\"", "text must be a string");
}

static void the_longest_chat_fits(void **state) {
    char rest[2048] = "\"type\": \"chat\", \"payload\": {\"text\": \"";
    create("whos-deal");
    for (int i = 0; i < WORLD_SAY_MAX; i++)
        strcat(rest, "\xf0\x9f\x83\x8f");
    strcat(rest, "\"}");
    does(rest);
    assert_int_equal(strlen(buffer), 4 + 4 * WORLD_SAY_MAX);
}

/* ---- Starting ---- */

static void start_with_teams(void **state) {
    create("whos-deal");
    assert_int_equal(act("bob", "join Bob"), WORLD_DONE);
    does("\"type\": \"start\", \"payload\": {\"teams\": {\"a\": [\"ann\", \"bob\"], \"b\": "
         "[\"bot-3\", \"bot-2\"]}, \"targetScore\": 7}");
    assert_string_equal(buffer, "start targetScore=7 order 0 3 1 2");
    assert_string_equal(world.seat[0].id, "ann");
    assert_string_equal(world.seat[2].id, "bob");
    assert_int_equal(world.status, WORLD_PLAYING);
}

static void start_without_anything(void **state) {
    create("whos-deal");
    becomes("\"type\": \"start\"", "start");
    becomes("\"type\": \"start\", \"payload\": null", "start");
    becomes("\"type\": \"start\", \"payload\": {}", "start");
    becomes("\"type\": \"start\", \"payload\": {\"teams\": null}", "start");
}

/* Places that nobody has taken come after all others. */
static void start_with_teams_and_open_places(void **state) {
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

/* WD-C10: teams that are not two and two, or do not name everybody once. */
static void WD_C10_invalid_teams(void **state) {
    create("whos-deal");
    static const char *const bad[] = {
        "{}",
        "{\"a\": [\"ann\", \"bot-2\"]}",
        "{\"a\": [\"ann\", \"bot-2\"], \"c\": [\"bot-1\", \"bot-3\"]}",
        "{\"a\": [\"ann\", \"bot-2\"], \"b\": [\"bot-1\", \"bot-3\"], \"c\": []}",
        "{\"a\": [\"ann\", \"bot-2\"], \"b\": \"bot-1\"}",
        "{\"a\": [\"ann\", 2], \"b\": [\"bot-1\", \"bot-3\"]}",
        "{\"a\": [\"ann\", null], \"b\": [\"bot-1\", \"bot-3\"]}",
        "{\"a\": [], \"b\": []}",
        "{\"a\": [\"ann\"], \"b\": [\"bot-1\"]}",
        "{\"a\": [\"ann\", \"bot-1\", \"bot-2\"], \"b\": [\"bot-3\"]}",
        "{\"a\": [\"ann\", \"bot-1\", \"bot-2\", \"bot-3\"], \"b\": []}",
        "{\"a\": [\"ann\"], \"b\": [\"bot-1\"], \"c\": [\"bot-2\"], \"d\": [\"bot-3\"]}",
        "{\"a\": [\"ann\", \"ann\"], \"b\": [\"bot-1\", \"bot-3\"]}",
        "{\"a\": [\"ann\", \"bot-1\"], \"b\": [\"bot-1\", \"bot-3\"]}",
        "{\"a\": [\"ann\", \"zoe\"], \"b\": [\"bot-1\", \"bot-3\"]}",
        "{\"a\": [\"0\", \"2\"], \"b\": [\"1\", \"3\"]}",
        NULL};
    for (int i = 0; bad[i]; i++) {
        char rest[256];
        snprintf(rest, sizeof rest,
                 "\"type\": \"start\", \"payload\": {\"targetScore\": 7, \"teams\": %s}", bad[i]);
        assert_false(read_action(rest));
        assert_int_equal(refusal_status(&why), 400);
        assert_string_equal(why.code, "INVALID_SETTING");
        assert_string_equal(why.text, "Invalid teams");
    }
    refused("\"type\": \"start\", \"payload\": {\"teams\": []}",
            "teams must be arrays of player ids by team");
}

/* ---- The games' actions ---- */

static void whos_deal_actions(void **state) {
    create("whos-deal");
    becomes("\"type\": \"call-trump\", \"payload\": {\"pickUp\": true}", "order");
    becomes("\"type\": \"call-trump\", \"payload\": {\"pickUp\": true, \"goAlone\": true}",
            "order alone");
    becomes("\"type\": \"call-trump\", \"payload\": {\"suit\": \"hearts\", \"goAlone\": true}",
            "call H alone");
    becomes("\"type\": \"call-trump\", \"payload\": {\"pickUp\": false, \"suit\": \"c\"}",
            "call C");
    becomes("\"type\": \"call-trump\", \"payload\": {\"suit\": \"spades\", \"goAlone\": null}",
            "call S");
    becomes("\"type\": \"call-trump\", \"payload\": {\"suit\": \"swords\"}", "call ?");
    becomes("\"type\": \"pass-trump\"", "pass");
    becomes("\"type\": \"discard\", \"payload\": {\"cardId\": \"9S\"}", "discard 9S");
    becomes("\"type\": \"play-card\", \"payload\": {\"cardId\": \"10D\"}", "play 10D");
    becomes("\"type\": \"play-card\", \"payload\": {\"cardId\": \"KH.2\"}", "play KH");
    becomes("\"type\": \"play-card\", \"payload\": {\"cardId\": \"XX\"}", "play ?XX");
    becomes("\"type\": \"defend-alone\"", "defend alone");
    becomes("\"type\": \"redeal\"", "redeal");
    refused("\"type\": \"call-trump\"", "suit must be a suit's name");
    refused("\"type\": \"call-trump\", \"payload\": {\"pickUp\": \"yes\", \"suit\": \"hearts\"}",
            "pickUp must be true or false");
    refused("\"type\": \"call-trump\", \"payload\": {\"pickUp\": true, \"goAlone\": 1}",
            "goAlone must be true or false");
    refused("\"type\": \"call-trump\", \"payload\": {\"suit\": 2}", "suit must be a suit's name");
    refused("\"type\": \"play-card\", \"payload\": {\"cardId\": 9}", "cardId must be a card's id");
}

static void hand_and_foot_actions(void **state) {
    create("hand-and-foot");
    becomes("\"type\": \"draw\"", "draw");
    becomes("\"type\": \"unlock-discard\", \"payload\": {\"cardIds\": [\"KH\", \"KH.2\"]}",
            "take KH KH");
    becomes("\"type\": \"unlock-discard\", \"payload\": {\"melds\": [[\"KH\", \"KS\"], [\"QH\"]]}",
            "take KH KS / QH");
    becomes("\"type\": \"unlock-discard\", \"payload\": {\"bookId\": 2, \"cardIds\": [\"JK\"]}",
            "take add 2 JK");
    becomes("\"type\": \"unlock-discard\", \"payload\": {\"bookId\": 2}", "take add 2");
    becomes("\"type\": \"unlock-discard\"", "take");
    becomes("\"type\": \"meld\", \"payload\": {\"melds\": [[\"KH\", \"KS\", \"2C\"], [\"QH\"]]}",
            "meld KH KS 2C / QH");
    becomes("\"type\": \"meld\", \"payload\": {\"melds\": []}", "meld");
    becomes("\"type\": \"add-to-meld\", \"payload\": {\"bookId\": 1, \"cardIds\": [\"KH\"]}",
            "add 1 KH");
    becomes("\"type\": \"open-book\", \"payload\": {\"cardIds\": [\"KH\", \"KS\", \"KD\"]}",
            "meld KH KS KD");
    becomes("\"type\": \"close-book\", \"payload\": {\"bookId\": 3}", "close 3");
    becomes("\"type\": \"discard\", \"payload\": {\"cardId\": \"3H\"}", "discard 3H");
    becomes("\"type\": \"done-melding\"", "done");
    becomes("\"type\": \"undo\"", "undo");
    becomes("\"type\": \"choose-pile\", \"payload\": {\"pile\": 2}", "pile 2");
    becomes("\"type\": \"lay-red-three\", \"payload\": {\"cardId\": \"3D\"}", "lay 3D");
    becomes("\"type\": \"ask-partner\"", "ask");
    becomes("\"type\": \"answer-partner\", \"payload\": {\"yes\": true}", "answer yes");
    becomes("\"type\": \"answer-partner\", \"payload\": {\"yes\": false}", "answer no");
}

/* `add` and `/` are words of the notation; as card ids they must mean nothing. */
static void card_ids_are_never_words_of_the_notation(void **state) {
    create("hand-and-foot");
    becomes("\"type\": \"unlock-discard\", \"payload\": {\"cardIds\": [\"add\", \"1\", \"KH\"]}",
            "take ?add ?1 KH");
    becomes("\"type\": \"meld\", \"payload\": {\"melds\": [[\"KH\", \"/\", \"KS\"]]}",
            "meld KH ?/ KS");
    becomes("\"type\": \"discard\", \"payload\": {\"cardId\": \"KH.x\"}", "discard ?KH.x");
    becomes("\"type\": \"discard\", \"payload\": {\"cardId\": \"KH.0\"}", "discard ?KH.0");
    becomes("\"type\": \"discard\", \"payload\": {\"cardId\": \"KH.2.3\"}", "discard ?KH.2.3");
    const char *cards = "cardIds must be an array of card ids";
    refused("\"type\": \"add-to-meld\", \"payload\": {\"bookId\": 1}", cards);
    refused("\"type\": \"add-to-meld\", \"payload\": {\"bookId\": 1, \"cardIds\": \"KH\"}", cards);
    refused("\"type\": \"add-to-meld\", \"payload\": {\"bookId\": 1, \"cardIds\": [1]}", cards);
    refused("\"type\": \"add-to-meld\", \"payload\": {\"bookId\": 1, \"cardIds\": [\"K H\"]}",
            cards);
    refused("\"type\": \"add-to-meld\", \"payload\": {\"bookId\": [1], \"cardIds\": [\"KH\"]}",
            "bookId must be a whole number");
    const char *groups = "melds must be an array of arrays of card ids";
    refused("\"type\": \"meld\", \"payload\": {\"melds\": [\"KH\"]}", groups);
    refused("\"type\": \"meld\", \"payload\": {\"melds\": [[\"KH\", [\"KS\"]]]}", groups);
    refused("\"type\": \"meld\", \"payload\": {\"melds\": {}}", groups);
    refused("\"type\": \"meld\", \"payload\": {\"cardIds\": [\"KH\"]}", groups);
}

static void up_n_down_actions(void **state) {
    create("up-n-down");
    becomes("\"type\": \"play-card\", \"payload\": {\"cardId\": 57, \"pileId\": 2}", "play 57 2");
    becomes("\"type\": \"game:playCard\", \"payload\": {\"cardId\": 57, \"pileId\": 2}",
            "play 57 2");
    becomes("\"type\": \"game:playCard\", \"playerId\": \"bob\", \"cardId\": 57, \"pileId\": 2",
            "play 57 2");
    refused("\"type\": \"play-card\", \"cardId\": 57, \"pileId\": 2",
            "cardId must be a whole number");
    becomes("\"type\": \"undo\"", "undo");
    becomes("\"type\": \"end-turn\"", "end");
    becomes("\"type\": \"set-preference\", \"payload\": {\"pileId\": 3, \"level\": 3}",
            "prefer 3 love");
    becomes("\"type\": \"set-preference\", \"payload\": {\"pileId\": 3, \"level\": "
            "\"really-like\"}",
            "prefer 3 really-like");
    becomes("\"type\": \"set-preference\", \"payload\": {\"pileId\": 3, \"level\": 0}",
            "prefer 3 none");
    becomes("\"type\": \"set-preference\", \"payload\": {\"pileId\": 3, \"level\": 4}",
            "prefer 3 ?");
    becomes("\"type\": \"set-preference\", \"payload\": {\"pileId\": 3, \"level\": -1}",
            "prefer 3 ?");
    becomes("\"type\": \"set-preference\", \"payload\": {\"pileId\": 3, \"level\": \"hate\"}",
            "prefer 3 ?");
    refused("\"type\": \"set-preference\", \"payload\": {\"pileId\": 3, \"level\": true}",
            "level must be a whole number or one word");
    refused("\"type\": \"play-card\", \"payload\": {\"cardId\": \"57 2\", \"pileId\": 2}",
            "cardId must be a whole number");
}

static void the_two_small_games(void **state) {
    create("4-kate");
    becomes("\"type\": \"drop\", \"payload\": {\"column\": 4}", "drop 4");
    refused("\"type\": \"drop\", \"payload\": {\"column\": \"4\"}",
            "column must be a whole number");
    refused("\"type\": \"drop\", \"payload\": {}", "column must be a whole number");
    create("terrible-people");
    becomes("\"type\": \"submit\", \"payload\": {\"cardIds\": [17, 4]}", "answer 17 4");
    becomes("\"type\": \"judge\", \"payload\": {\"submissionId\": 2}", "pick 2");
    refused("\"type\": \"submit\", \"payload\": {\"cardIds\": [\"17\"]}",
            "cardIds must be an array of whole numbers");
    refused("\"type\": \"submit\", \"payload\": {\"cardIds\": 17}",
            "cardIds must be an array of whole numbers");
}

static void types_of_another_game_are_none(void **state) {
    create("4-kate");
    refused("\"type\": \"play-card\", \"payload\": {\"cardId\": \"9S\"}",
            "There is no action 'play-card' in this game");
    refused("\"type\": \"draw\"", "There is no action 'draw' in this game");
    refused("\"type\": \"nonsense\"", "There is no action 'nonsense' in this game");
    refused("\"type\": \"drop 4\"", "There is no action 'drop 4' in this game");
    refused("\"type\": \"\"", "There is no action '' in this game");
    refused("\"type\": 5", "type must be a string");
    refused("\"payload\": {}", "type must be a string");
    refused("\"type\": \"drop\", \"payload\": [4]", "payload must be an object");
    refused("\"type\": \"drop\", \"payload\": \"column\"", "payload must be an object");
}

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

/* An example of the row as an action, in which the argument is the string; it is refused by its
 * name. */
static void try_bad_string(const struct game *game, const struct move *move,
                           const struct argument *argument, const char *bad) {
    char body[MOVE_TEXT_SIZE];
    struct json json;
    json_begin(&json, body, sizeof body);
    json_put_object(&json, NULL);
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
static void no_string_becomes_two_words(void **state) {
    int tried = try_rows("whos-deal", lobby_verbs, lobby_verb_count);
    for (size_t i = 0; i < registry_count; i++)
        tried += try_game(registry_games[i]);
    assert_true(tried > 200);
}

/* ---- Moves as text ---- */

static void moves_are_taken_as_they_are(void **state) {
    create("whos-deal");
    becomes("\"move\": \"play JH\"", "play JH");
    becomes("\"move\": \"play JH\", \"type\": \"pass-trump\", \"payload\": 5", "play JH");
    becomes("\"move\": null, \"type\": \"pass-trump\"", "pass");
    becomes("\"move\": \"set targetScore=7\"", "set targetScore=7");
    becomes("\"move\": \"say  Hi \\u202e \\\"there\\\" \"", "say Hi \"there\"");
    const char *form = "move must be a line of text";
    static const char *const bad[] = {"5",
                                      "true",
                                      "{}",
                                      "[\"pass\"]",
                                      "\"\"",
                                      "\"  \"",
                                      "\"pass\\n\"",
                                      "\"a\\nb\"",
                                      "\"a\\tb\"",
                                      "\"play \\u00e9\"",
                                      "\"a\\u0000b\"",
                                      "\"a\\u007f\"",
                                      NULL};
    for (int i = 0; bad[i]; i++) {
        char rest[64];
        snprintf(rest, sizeof rest, "\"move\": %s", bad[i]);
        refused(rest, form);
    }
    refused("\"move\": \"say\"", "A message has 1 to 300 characters");
}

/* Names come from sessions, where they are normalised, so they are not read from moves. */
static void names_do_not_come_in_as_moves(void **state) {
    create("whos-deal");
    refused("\"move\": \"name Bob\"", "'name' is not a move");
    refused("\"move\": \" join Bob\"", "'join' is not a move");
    refused("\"move\": \"watch Bob\"", "'watch' is not a move");
    refused("\"move\": \"leave\"", "'leave' is not a move");
    refused("\"move\": \"save\"", "'save' is not a move");
    refused("\"move\": \"create X\"", "'create' is not a move");
}

static void what_is_too_long_is_refused(void **state) {
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

static void bodies_are_objects(void **state) {
    create("whos-deal");
    static const char *const bad[] = {"[]", "5", "\"move\"", "null", "true", NULL};
    for (int i = 0; bad[i]; i++) {
        assert_false(read_text(bad[i]));
        assert_string_equal(why.text, "The body must be a JSON object");
    }
    struct text words;
    text_begin(&words, buffer, sizeof buffer);
    assert_false(actions_read(&world, NULL, &words, &why));
}

static const char *code_of(const char *body) {
    static char code[32];
    struct span span;
    struct text text;
    json_t *json = json_loads(body, 0, NULL);
    bool found = actions_room_code(json, &span, &why);
    text_begin(&text, code, sizeof code);
    if (found)
        text_span(&text, span);
    json_decref(json);
    return found ? code : NULL;
}

static void finds_the_room(void **state) {
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

static void finds_the_action_id(void **state) {
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

/* ---- The routes of books ---- */

static bool read_route(const char *id, const char *path) {
    struct text words;
    why = (struct refusal){0};
    text_begin(&words, buffer, sizeof buffer);
    return actions_read_address(&world, span_of(id), span_of(path), &words, &why);
}

static void route_becomes(const char *path, const char *words) {
    if (!read_route("ann", path))
        fail_msg("%s: %s", path, why.text);
    assert_string_equal(buffer, words);
}

static void route_refused(const char *path, int status, const char *code) {
    if (read_route("ann", path))
        fail_msg("%s became '%s'", path, buffer);
    assert_int_equal(refusal_status(&why), status);
    assert_string_equal(why.code, code);
}

/* HT-C19: numeric values and cards by their ids. */
static void routes_open_and_close_books(void **state) {
    create("hand-and-foot");
    route_becomes("/teams/0/books/open/13/KH,KS.2,2C,JK", "meld KH KS 2C JK"); /* HT-11 */
    route_becomes("/teams/0/books/open/1/AH%2CAS,AD?roomCode=K7M2QX", "meld AH AS AD");
    route_becomes("/teams/0/books/open/3/3S,3C,3S", "meld 3S 3C 3S");
    route_becomes("/teams/0/books/open/11/JH,JS,JD", "meld JH JS JD");
    route_becomes("/teams/0/books/open/12/QH,XX", "meld QH ?XX");
    route_becomes("/teams/0/books/close/2", "close 2"); /* HT-12 */
    route_becomes("/teams/0/books/close/0", "close 0");
}

/* HT-C19: twos are no rank of a book, and cards of another rank are refused. */
static void routes_that_cannot_be(void **state) {
    create("hand-and-foot");
    static const char *const none[] = {"",
                                       "/",
                                       "/teams",
                                       "/teams/0/books",
                                       "/teams/0/books/open/13",
                                       "/teams/0/books/open/13/",
                                       "/teams/0/books/open/13/KH/KS",
                                       "/teams/0/books/close/1/2",
                                       "/teams/0/books/close",
                                       "/teams/0/books/burn/1",
                                       "/teams/0/shelf/close/1",
                                       "/team/0/books/close/1",
                                       "x/teams/0/books/close/1",
                                       "/teams/0/books/close/%zz",
                                       NULL};
    for (int i = 0; none[i]; i++)
        route_refused(none[i], 404, "NOT_FOUND");
    route_refused("/teams/0/books/open/2/2H,2S,2D", 400, "INVALID_BOOK");
    route_refused("/teams/0/books/open/0/KH", 400, "INVALID_BOOK");
    route_refused("/teams/0/books/open/14/AH", 400, "INVALID_BOOK");
    route_refused("/teams/0/books/open/K/KH", 400, "INVALID_BOOK");
    route_refused("/teams/0/books/open/13/QH,QS,QD", 400, "MIXED_RANKS");
    route_refused("/teams/0/books/open/13/KH,KS,QD", 400, "MIXED_RANKS");
    route_refused("/teams/0/books/open/13/KH,,KS", 400, "BAD_REQUEST");
    route_refused("/teams/0/books/open/13/KH%20KS", 400, "BAD_REQUEST");
    route_refused("/teams/0/books/close/x", 400, "BAD_REQUEST");
    route_refused("/teams/0/books/close/-1", 400, "BAD_REQUEST");
    route_refused("/teams/x/books/close/1", 400, "BAD_REQUEST");
    char path[2048] = "/teams/0/books/open/13/";
    memset(path + strlen(path), 'K', 1500);
    route_refused(path, 404, "NOT_FOUND");
    create("whos-deal");
    route_refused("/teams/0/books/close/1", 400, "BAD_REQUEST");
}

/* HT-25: the routes open and close books of one's own team only. */
static void routes_are_for_one_s_own_team(void **state) {
    create("hand-and-foot");
    does("\"type\": \"start\", \"payload\": {\"preset\": \"closers\"}");
    route_becomes("/teams/0/books/close/1", "close 1");
    route_refused("/teams/1/books/close/1", 403, "NOT_YOUR_TEAM");
    route_refused("/teams/1/books/open/13/KH,KS,KD", 403, "NOT_YOUR_TEAM");
    assert_true(read_route("stranger", "/teams/1/books/close/1"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swaps_teams_by_player),
        cmocka_unit_test(unknown_players_are_no_seats),
        cmocka_unit_test(empty_seats_have_no_players),
        cmocka_unit_test(sets_the_target),
        cmocka_unit_test(settings_of_every_kind),
        cmocka_unit_test(settings_cannot_bring_words),
        cmocka_unit_test(presets_bots_and_people),
        cmocka_unit_test(the_other_common_actions),
        cmocka_unit_test(the_longest_chat_fits),
        cmocka_unit_test(start_with_teams),
        cmocka_unit_test(start_without_anything),
        cmocka_unit_test(start_with_teams_and_open_places),
        cmocka_unit_test(WD_C10_invalid_teams),
        cmocka_unit_test(whos_deal_actions),
        cmocka_unit_test(hand_and_foot_actions),
        cmocka_unit_test(card_ids_are_never_words_of_the_notation),
        cmocka_unit_test(up_n_down_actions),
        cmocka_unit_test(the_two_small_games),
        cmocka_unit_test(types_of_another_game_are_none),
        cmocka_unit_test(no_string_becomes_two_words),
        cmocka_unit_test(moves_are_taken_as_they_are),
        cmocka_unit_test(names_do_not_come_in_as_moves),
        cmocka_unit_test(what_is_too_long_is_refused),
        cmocka_unit_test(bodies_are_objects),
        cmocka_unit_test(finds_the_room),
        cmocka_unit_test(finds_the_action_id),
        cmocka_unit_test(routes_open_and_close_books),
        cmocka_unit_test(routes_that_cannot_be),
        cmocka_unit_test(routes_are_for_one_s_own_team),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
