/* What people see: the world's JSON, events and who hears them, the action log, the record that
 * everybody may read, and that none of it tells a secret. */
#include "tests/world_room.h"

#include "games/registry.h"

static struct room room, other;

static const char *view_of(struct room *at, const char *id) {
    static char buffers[2][1 << 16];
    static int turn;
    struct json json;
    turn ^= 1;
    json_begin(&json, buffers[turn], sizeof buffers[turn]);
    world_view(&at->world, span_of(id), NULL, &json);
    assert_true(json_complete(&json));
    return buffers[turn];
}

/* ---- The world ---- */

static void the_lobby_as_json(void **state) { /* PL-15; the members are those of docs/PROTOCOL.md */
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    room_do(&room, "eve watch Eve");
    assert_string_equal(
        view_of(&room, "bob"),
        "{\"roomCode\":\"K7M2QX\",\"gameId\":\"whos-deal\",\"status\":\"waiting\","
        "\"ownerId\":\"ann\",\"settings\":{\"targetScore\":10,\"stickTheDealer\":true,"
        "\"lonerLead\":\"left-of-loner\",\"dealerMayDiscardUpcard\":true,"
        "\"canadianLoner\":false,\"defendAlone\":false,\"farmersHand\":false,"
        "\"startScores\":[0,0],\"speed\":\"normal\","
        "\"watching\":true,\"public\":false,\"seating\":\"at-once\",\"slowChat\":\"off\","
        "\"preview\":\"off\"},"
        "\"seats\":["
        "{\"seatIndex\":0,\"playerId\":\"ann\",\"name\":\"Ann\",\"bot\":null,"
        "\"character\":null,\"team\":\"a\","
        "\"connected\":true,\"open\":true,\"away\":false,\"free\":false,\"won\":0},"
        "{\"seatIndex\":1,\"playerId\":\"bob\",\"name\":\"bob\",\"bot\":null,"
        "\"character\":null,\"team\":\"b\","
        "\"connected\":true,\"open\":true,\"away\":false,\"free\":false,\"won\":0},"
        "{\"seatIndex\":2,\"playerId\":\"bot-2\",\"name\":\"Bot\",\"bot\":\"medium\","
        "\"character\":{\"name\":\"Turtlebot\",\"face\":\"turtle\"},"
        "\"team\":\"a\",\"connected\":false,\"open\":true,\"away\":false,\"free\":true,\"won\":0},"
        "{\"seatIndex\":3,\"playerId\":\"bot-3\",\"name\":\"Bot\",\"bot\":\"medium\","
        "\"character\":{\"name\":\"Squidbot\",\"face\":\"octopus\"},"
        "\"team\":\"b\",\"connected\":false,\"open\":true,\"away\":false,\"free\":true,\"won\":0}],"
        "\"places\":4,\"teamNames\":{},\"spectators\":[{\"playerId\":\"eve\",\"name\":\"Eve\","
        "\"connected\":"
        "false,\"wants\":null}],\"played\":0,\"rematch\":[],\"muted\":[],\"loadedBy\":null,"
        "\"invitation\":"
        "\"9e7e67489528f51ecca665e75da29445\","
        "\"you\":{\"playerId\":\"bob\",\"seatIndex\":1},\"version\":3,\"standing\":null,\"view\":"
        "null}");
    assert_string_equal(room_shows(&room, "eve", "you"),
                        "{\"playerId\":\"eve\",\"seatIndex\":null}");
    assert_string_equal(room_shows(&room, "ann", "you"), "{\"playerId\":\"ann\",\"seatIndex\":0}");
    assert_string_equal(room_shows(&room, "zoe", "you"), "null");
    room_connect(&room, "eve", true);
    assert_string_equal(room_shows(&room, "ann", "spectators.0.connected"), "true");
}

static void empty_and_closed_places(void **state) { /* PL-44 */
    room_open(&room, "hand-and-foot");
    room_do(&room, "ann bot 3 open");
    assert_string_equal(room_shows(&room, "ann", "seats.3"),
                        "{\"seatIndex\":3,\"playerId\":null,\"name\":null,\"bot\":null,"
                        "\"character\":null,"
                        "\"team\":null,\"connected\":false,\"open\":true,\"away\":false,"
                        "\"free\":true,\"won\":0}");
    assert_string_equal(room_shows(&room, "ann", "seats.4.open"), "false");
    assert_string_equal(room_shows(&room, "ann", "seats.4.playerId"), "null");
    assert_string_equal(room_shows(&room, "ann", "spectators"), "[]");
}

static void who_plays_with_whom(void **state) { /* WD-39 */
    static const char *const alone[] = {"4-kate", "up-n-down", "terrible-people"};
    for (size_t i = 0; i < sizeof alone / sizeof alone[0]; i++) {
        room_open(&room, alone[i]);
        assert_string_equal(room_shows(&room, "ann", "seats.0.team"), "null");
    }
    room_open(&room, "hand-and-foot");
    room_do(&room, "ann preset partners");
    assert_string_equal(room_shows(&room, "ann", "seats.2.team"), "a");
    room_do(&room, "ann bot 1 open"); /* three take part: no teams */
    assert_string_equal(room_shows(&room, "ann", "seats.2.team"), "null");
    room_do(&room, "ann bot 4 easy"); /* sides are counted among those who take part */
    assert_string_equal(room_shows(&room, "ann", "seats.1.team"), "null");
    assert_string_equal(room_shows(&room, "ann", "seats.2.team"), "b");
    assert_string_equal(room_shows(&room, "ann", "seats.3.team"), "a");
    assert_string_equal(room_shows(&room, "ann", "seats.4.team"), "b");
    room_do(&room, "ann start");
    assert_string_equal(room_shows(&room, "ann", "seats.1.team"), "b");
    room_open(&room, "hand-and-foot");
    room_do(&room, "ann bot 1 closed\nann bot 2 closed\nann bot 3 closed");
    assert_string_equal(room_shows(&room, "ann", "seats.0.team"), "null");
}

static void a_summary_for_lists(void **state) {
    char buffer[512];
    struct json json;
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    room_do(&room, "eve watch Eve");
    json_begin(&json, buffer, sizeof buffer);
    world_summary(&room.world, NULL, &json);
    assert_string_equal(buffer,
                        "{\"roomCode\":\"K7M2QX\",\"gameId\":\"whos-deal\",\"status\":\"waiting\","
                        "\"ownerId\":\"ann\",\"players\":2,\"places\":4,\"host\":\"Ann\","
                        "\"createdAt\":1000000,\"rules\":\"\"}");
    room_do(&room, "ann set targetScore=7");
    json_begin(&json, buffer, sizeof buffer);
    world_summary(&room.world, NULL, &json);
    assert_non_null(strstr(buffer, "\"rules\":\"targetScore=7\"}"));
    room_do(&room, "ann start");
    json_begin(&json, buffer, sizeof buffer);
    world_summary(&room.world, NULL, &json);
    assert_non_null(strstr(buffer, "\"rules\":null}"));
}

static void how_the_game_stands(void **state) {
    room_open(&room, "whos-deal");
    assert_string_equal(room_shows(&room, "ann", "standing"), "null");
    room_open_four(&room, ROOM_WHOS_DEAL);
    assert_string_equal(room_shows(&room, "ann", "standing"),
                        "[{\"seats\":[0,2],\"score\":0},{\"seats\":[1,3],\"score\":0}]");
    room_open(&room, "up-n-down"); /* all on one side */
    room_do(&room, "ann start");
    assert_string_equal(room_shows(&room, "ann", "standing.0.seats.0"), "0");
    assert_string_equal(room_shows(&room, "ann", "standing.0.score"), "0");
}

/* ---- The game within it ---- */

static void the_view_of_a_seat(void **state) { /* PL-38, WD-34 */
    room_open_four(&room, ROOM_WHOS_DEAL);
    assert_string_equal(room_shows(&room, "bob", "view.seats"), "[\"ann\",\"bob\",\"cy\",\"dee\"]");
    assert_string_equal(room_shows(&room, "bob", "view.turn"), "[1]");
    assert_string_equal(room_shows(&room, "bob", "view.legal.0"),
                        "{\"type\":\"pass-trump\",\"payload\":{},\"move\":\"pass\"}");
    assert_string_equal(room_shows(&room, "cy", "view.legal"), "[]");
    assert_string_equal(room_shows(&room, "eve", "view.legal"), "[]");
    assert_string_equal(room_shows(&room, "bob", "view.botActionAt"), "null");
    assert_string_equal(room_shows(&room, "bob", "view.phaseEndsAt"), "null");
    assert_string_equal(room_shows(&room, "bob", "view.log"), "[]");
    assert_non_null(strstr(view_of(&room, "bob"), "\"10H\""));
    assert_null(strstr(view_of(&room, "bob"), "\"JD\""));
    assert_null(strstr(view_of(&room, "eve"), "\"10H\""));
    assert_null(strstr(view_of(&room, "zoe"), "\"10H\"")); /* no member: as one who watches */
    room_connect(&room, "bob", false);
    room_pass(&room, 60000);
    assert_non_null(strstr(view_of(&room, "bob"), "\"10H\"")); /* he may look on */
    assert_string_equal(room_shows(&room, "bob", "view.legal"), "[]");
    room_do(&room, "bob leave");
    assert_null(strstr(view_of(&room, "bob"), "\"10H\""));
    assert_string_equal(room_shows(&room, "cy", "view.botActionAt"),
                        room_shows(&room, "eve", "view.botActionAt"));
    char due[32];
    snprintf(due, sizeof due, "%lld", (long long)room.world.bot_action_ms);
    assert_string_equal(room_shows(&room, "cy", "view.botActionAt"), due);
    room_do(&room, "ann leave\ncy leave\ndee leave\neve leave");
    room_settle(&room);
    assert_string_equal(room_shows(&room, "ann", "view"), "null");
    assert_string_equal(room_shows(&room, "ann", "status"), "closed");
}

static void the_view_of_a_key(void **state) {
    char buffer[1 << 14];
    struct json json;
    room_open_four(&room, ROOM_WHOS_DEAL);
    json_begin(&json, buffer, sizeof buffer);
    json_put_object(&json, NULL);
    world_game_view(&room.world, 1, "view", &json);
    json_put_end(&json);
    assert_true(json_complete(&json));
    assert_memory_equal(buffer, "{\"view\":{\"phase\":", 17);
    assert_null(json.player_ids);
}

/* What everybody sees, the log as well, is written once for many views. */
static void views_with_much_in_common(void **state) {
    char common_text[1 << 14], one[1 << 14], two[1 << 14];
    struct json json;
    struct json_common common;
    room_open_four(&room, ROOM_WHOS_DEAL);
    room_do(&room, "bob order");
    json_common_begin(&common, common_text, sizeof common_text);
    for (int seat = SPECTATOR; seat < 4; seat++) {
        json_begin_nested(&json, one, sizeof one);
        world_game_view(&room.world, seat, NULL, &json);
        assert_true(json_complete(&json));
        json_begin_nested(&json, two, sizeof two);
        json.common = &common;
        world_game_view(&room.world, seat, NULL, &json);
        assert_true(json_complete(&json));
        assert_string_equal(one, two);
    }
    assert_int_equal(common.count, 4);
}

static void play_again_is_offered_to_the_owner(void **state) { /* PL-14 */
    room_open(&room, "4-kate");
    room_join(&room, "bob");
    room_do(&room, "ann start\nann drop 1\nbob drop 2\nann drop 1\nbob drop 2\nann drop 1\n"
                   "bob drop 2\nann drop 1");
    assert_string_equal(room_shows(&room, "ann", "view.legal"),
                        "[{\"type\":\"play-again\",\"move\":\"again\"}]");
    assert_string_equal(room_shows(&room, "bob", "view.legal"), "[]");
    assert_string_equal(room_shows(&room, "ann", "view.phaseEndsAt"), "null");
}

static void the_action_log(void **state) { /* HF-95 */
    room_open_four(&room, ROOM_WHOS_DEAL);
    room_do(&room, "bob order");
    room_pass(&room, 1500);
    room_do(&room, "ann discard 9D\nbob play AS");
    assert_string_equal(
        room_shows(&room, "cy", "view.log"),
        "[{\"seatIndex\":1,\"player\":\"bob\",\"message\":\"order\",\"time\":1000000},"
        "{\"seatIndex\":0,\"player\":\"Ann\",\"message\":\"discard\",\"time\":1001500},"
        "{\"seatIndex\":1,\"player\":\"bob\",\"message\":\"play AS\",\"time\":1001500}]");
}

static void the_action_log_is_a_tail(void **state) { /* HF-95 */
    char line[32];
    room_open(&room, "4-kate");
    room_join(&room, "bob");
    room_do(&room, "ann start");
    static const int columns[] = {1, 2, 1, 2, 2, 1, 1, 2, 3, 4, 3, 4, 4, 3, 3, 4, 5, 6};
    for (int i = 0; i < 18; i++) {
        snprintf(line, sizeof line, "%s drop %d", i % 2 == 0 ? "ann" : "bob", columns[i]);
        room_do(&room, line);
    }
    json_t *view = room_view(&room, "ann");
    json_t *log = json_object_get(json_object_get(view, "view"), "log");
    assert_int_equal(json_array_size(log), WORLD_TAIL_MAX);
    for (size_t i = 0; i < WORLD_TAIL_MAX; i++) {
        snprintf(line, sizeof line, "drop %d", columns[i + 2]);
        json_t *item = json_array_get(log, i);
        assert_string_equal(json_string_value(json_object_get(item, "message")), line);
        assert_int_equal(json_integer_value(json_object_get(item, "seatIndex")), i % 2);
    }
    json_decref(view);
}

/* Where a game says in words what happened, the log has those words, folded or not. */
static void the_action_log_in_words(void **state) { /* HF-95 */
    static struct world folded;
    room_open(&room, "hand-and-foot");
    room_do(&room, "ann start");
    room_pass(&room, 100);
    room_do(&room, "ann draw");
    assert_string_equal(room_shows(&room, "ann", "view.log.1.message"), "drew 2 cards");
    assert_string_equal(room_shows(&room, "ann", "view.log.1.player"), "Ann");
    world_empty(&folded, &world_times_usual);
    for (const char *at = room.log; *at; at = strchr(at, '\n') + 1) {
        struct span line = {at, strcspn(at, "\n")};
        assert_true(world_fold(&folded, line, &room.why));
    }
    assert_memory_equal(folded.tail, room.world.tail, sizeof folded.tail);
}

/* ---- Events ---- */

static bool holds(const struct event *event, const char *text) {
    size_t length = strlen(text);
    for (size_t i = 0; i + length <= event->data.length; i++)
        if (memcmp(event->data.data + i, text, length) == 0)
            return true;
    return false;
}

static void events_go_to_those_they_are_for(void **state) { /* PL-36, PL-37 */
    room_open_four(&room, ROOM_WHOS_DEAL);
    room_do(&room, "bob order");
    room_do(&room, "ann discard 9D");
    for (size_t i = 0; i < room.events.count; i++) {
        const struct event *event = &room.events.item[i];
        bool tells = holds(event, "\"9D\"");
        assert_false(tells && (event->audience & ~1u) != 0);
    }
    room_told(&room, "trump-confirmed", NULL);
    assert_int_equal(room_event(&room, "trump-confirmed")->audience, EVERYONE);
    assert_true(holds(room_event(&room, "trump-confirmed"), "\"bob\"")); /* ids, not seats */
    assert_null(room.events.json.player_ids);
}

static void nobody_has_to_listen(void **state) {
    room_open(&room, "whos-deal");
    static const char *const lines[] = {"say Hi", "set targetScore=7", "swap 0 1", "start"};
    room.news.events = NULL;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct world_action action = {.id = span_of("ann"), .words = span_of(lines[i])};
        assert_int_equal(world_act(&room.world, room.now_ms, &action, &room.news, &room.why),
                         WORLD_DONE);
    }
    assert_int_equal(world_tick(&room.world, room.now_ms, &room.news), WORLD_DONE);
}

/* ---- The record ---- */

static void a_record_of_a_running_round(void **state) { /* the log as far as everybody may know */
    room_open_four(&room, ROOM_WHOS_DEAL);
    room_do(&room, "bob order\nann discard 9D\nbob play AS\ncy leave\ncy join Cy");
    assert_string_equal(room_export(&room), "oyster 1\n"
                                            "game whos-deal\n"
                                            "options \n"
                                            "seats Ann bob cy dee\n"
                                            "# - deal (shown when it is no secret any longer)\n"
                                            "1 order\n"
                                            "0 discard\n"
                                            "1 play AS\n"
                                            "# a bot plays seat 2\n");
    room_pass(&room, 0);
    assert_non_null(strstr(room_export(&room), "# a bot plays seat 2\n# a person plays seat 2\n"));
    room_do(&room, "ann leave");
    assert_non_null(strstr(room_export(&room), "# a person plays seat 2\n# a bot plays seat 0\n"));
}

static int count_of(const char *text, const char *part) {
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++)
        count++;
    return count;
}

static void the_past_is_told_as_it_was(void **state) {
    room_open_four(&room, ROOM_WHOS_DEAL);
    room_do(&room, "ann say Hi\nbob order\nann discard 9D\nbob play AS");
    const char *past = room_history(&room, "cy");
    assert_int_equal(count_of(past, "\"event\":\"card-played\""), 1);
    assert_int_equal(count_of(past, "\"event\":\"dealer-discarded\""), 1);
    assert_null(strstr(past, "hand-updated")); /* a seat's own */
    assert_null(strstr(past, "9D"));
    assert_null(strstr(past, "world-updated"));
    assert_int_equal(count_of(past, "\"text\":\"Hi\""), 1);
    assert_null(strstr(room_history(&room, "zoe"), "Hi")); /* was never there */
    int seats = count_of(past, "\"seats\":[{");            /* those who came one after the other */
    room_do(&room, "cy leave\nbob say Bye");
    room_go_on(&room);
    past = room_history(&room, "cy");
    assert_null(strstr(past, "Bye"));
    assert_int_equal(count_of(past, "\"seats\":[{"), seats + 1);
    assert_non_null(strstr(past, "\"name\":\"cy\",\"bot\":\"medium\""));
    assert_int_equal(count_of(past, "\"what\":\"joined\""), 3);
    assert_int_equal(count_of(past, "\"what\":\"watches\""), 1);
    assert_int_equal(count_of(past, "\"what\":\"left\""), 1);
}

static void the_past_goes_back_so_far(void **state) {
    char line[64];
    room_open(&room, "4-kate");
    for (int i = 0; i < WORLD_HISTORY_MAX + 20; i++) {
        room_now_is(&room, room.now_ms + WORLD_TALK_MS);
        snprintf(line, sizeof line, "ann say number %d.", i);
        room_do(&room, line);
    }
    const char *past = room_history(&room, "ann");
    assert_int_equal(count_of(past, "\n"), WORLD_HISTORY_MAX);
    assert_null(strstr(past, "number 19."));
    assert_non_null(strstr(past, "number 20."));
    assert_int_equal(count_of(past, "\"seats\":[{"), 1); /* the first says who sat where */
}

static void a_broken_log_is_not_exported(void **state) {
    static struct world_export export;
    char buffer[256];
    struct text out;
    room_open(&room, "4-kate");
    text_begin(&out, buffer, sizeof buffer);
    world_export_begin(&export, &room.world);
    assert_false(world_export_line(&export, span_of("nonsense"), &out, &room.why));
    assert_string_equal(room.why.code, "BAD_RECORD");
    assert_false(world_export_line(&export, span_of("1 @ann start"), &out, &room.why));
    assert_string_equal(room.why.code, "BAD_REQUEST");
}

static void a_game_without_deals_has_no_secrets(void **state) {
    room_open(&room, "4-kate");
    room_do(&room, "ann start\nann drop 4");
    assert_string_equal(room_export(&room),
                        "oyster 1\ngame 4-kate\noptions \nseats Ann Bot*medium\n"
                        "0 drop 4\n");
}

static void a_finished_round_is_no_secret(void **state) {
    room_open_four(&room, ROOM_WHOS_DEAL);
    room_do(&room, "bob order\nann discard 9D");
    while (room.world.awaited != AWAITS_NATURE)
        room_go_on(&room);
    assert_non_null(strstr(room_export(&room), ROOM_WHOS_DEAL "\n1 order\n0 discard 9D\n1 play "));
    room_pass(&room, 5000);
    const char *record = room_export(&room);
    assert_non_null(strstr(record, ROOM_WHOS_DEAL "\n1 order\n0 discard 9D\n1 play "));
    assert_non_null(strstr(record, "\n# - deal (shown"));
}

static void hands_that_outlast_a_round_stay_secret(void **state) { /* PL-37, Terrible People */
    room_open(&room, "terrible-people");
    room_do(&room, "ann start targetScore=3 speed=instant");
    while (room.world.deals < 3 || room.world.awaited == AWAITS_NATURE)
        room_go_on(&room);
    const char *record = room_export(&room);
    assert_null(strstr(record, "\n- deal"));
    assert_non_null(strstr(record, "\n- shuffle "));
    assert_non_null(strstr(record, " answer "));
    while (room.world.status == WORLD_PLAYING)
        room_go_on(&room);
    assert_null(strstr(room_export(&room), "# - deal"));
    assert_non_null(strstr(room_export(&room), "\n- deal"));
    room_do(&room, "ann again");
    assert_non_null(strstr(room_export(&room), "\n- deal")); /* of the game before */
    while (room.world.deals < 3 || room.world.awaited == AWAITS_NATURE)
        room_go_on(&room);
    record = strstr(room_export(&room), "\n0 again\n");
    assert_non_null(record);
    assert_null(strstr(record, "\n- deal"));
    assert_non_null(strstr(record, "# - deal"));
}

static void submissions_stay_secret_while_they_are_judged(void **state) { /* PL-37 */
    room_open(&room, "terrible-people");
    room_do(&room, "ann start speed=instant");
    while (strncmp(room_last(&room), "- shuffle", 9) != 0)
        room_go_on(&room);
    const char *record = room_export(&room);
    assert_non_null(strstr(record, "\n1 answer\n"));
    assert_non_null(strstr(record, "# - shuffle"));
    assert_null(strstr(record, "\n- "));
}

/* Replays a record as `oyster replay` does. */
static void replays(const char *record) {
    struct record_reader reader;
    struct record_header header;
    struct record_entry entry;
    struct record_error error;
    struct options options;
    struct game_state state = {0};
    enum record_step step;
    record_open(&reader, span_of(record));
    assert_true(record_read_header(&reader, &header, &error));
    assert_string_equal(room.world.seat[0].name, "Ann the First");
    assert_memory_equal(header.seat[0].name.data, "Ann the First", 13);
    assert_false(header.seat[0].bot);
    assert_true(header.seat[1].bot && span_is(header.seat[1].level, "hard"));
    const struct game *game = registry_find(header.game);
    assert_true(record_start(&reader, &header, game, &options, &state, &error));
    while ((step = record_next(&reader, &entry, &error)) == RECORD_ENTRY)
        if (!game_play_text(game, &state, entry.seat, entry.text, NULL, &error.why))
            fail_msg("'%.*s': %s", (int)entry.text.length, entry.text.data, error.why.text);
    assert_int_equal(step, RECORD_END);
    assert_int_equal(game_hash(game, &state), game_hash(game, &room.world.state));
}

static void a_finished_games_record_replays(void **state) { /* HF-95 */
    for (size_t i = 0; i < registry_count; i++) {
        room_open_seeded(&room, registry_games[i]->id, 20 + i);
        room_do(&room, "ann name Ann the First\nann bot 1 hard\nann start");
        while (room.world.status == WORLD_PLAYING) {
            room_go_on(&room);
            if (room.world.version == 100) {
                room_do(&room, "eve watch Eve\nann leave");
                room_connect(&room, "eve", true);
            }
        }
        replays(room_export(&room));
        room_do(&room, room.world.owner[0] == 'a' ? "ann again" : "eve again");
        replays(room_export(&room));
    }
}

/* ---- Secrets ---- */

static void compare_views(const char *id) {
    static char first[1 << 16];
    snprintf(first, sizeof first, "%s", view_of(&room, id));
    assert_string_equal(first, view_of(&other, id));
}

static void compare_events(uint32_t listeners) {
    size_t j = 0;
    for (size_t i = 0; i < room.events.count; i++) {
        const struct event *event = &room.events.item[i], *twin;
        if ((event->audience & listeners) == 0)
            continue;
        do {
            assert_true(j < other.events.count);
            twin = &other.events.item[j++];
        } while ((twin->audience & listeners) == 0);
        assert_string_equal(event->type, twin->type);
        assert_int_equal(event->data.length, twin->data.length);
        assert_memory_equal(event->data.data, twin->data.data, event->data.length);
    }
}

static void both_do(const char *line) {
    static char first[1 << 16];
    room_do(&room, line);
    room_do(&other, line);
    compare_events(1u << 0 | 1u << 8); /* ann's and a spectator's */
    compare_views("ann");
    compare_views("eve");
    snprintf(first, sizeof first, "%s", room_export(&room));
    assert_string_equal(first, room_export(&other));
}

/* The hidden cards of the others and of the kitty are exchanged where play allows it; nothing that
 * ann is told differs. */
static void other_cards_look_the_same(void **state) { /* PL-37 */
    room_open_four(&room, ROOM_WHOS_DEAL);
    room_open_four(&other, "- deal 9S KS AH 9D 10C / AS 10H JH 10D 9C / JS 9H QD KD AC / "
                           "10S KH JD JC QC / QS QH AD KC");
    compare_views("ann");
    compare_views("eve");
    both_do("bob order");
    both_do("ann discard 9D");
    both_do("bob play AS");
    both_do("cy play JS");
    both_do("dee play 10S");
    both_do("ann play 9S");
    both_do("cy say What cards!");
    both_do("cy leave");
    assert_int_equal(room.world.bot_action_ms, other.world.bot_action_ms);
}

/* Another secret move changes nothing that the others are told. */
static void other_discards_look_the_same(void **state) { /* PL-37 */
    static char first[1 << 16];
    room_open_four(&room, ROOM_WHOS_DEAL);
    room_open_four(&other, ROOM_WHOS_DEAL);
    room_do(&room, "bob order\nann discard 9D");
    room_do(&other, "bob order\nann discard 10C");
    compare_events(1u << 1 | 1u << 8);
    compare_views("bob");
    compare_views("eve");
    snprintf(first, sizeof first, "%s", room_export(&room));
    assert_string_equal(first, room_export(&other));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lobby_as_json),
        cmocka_unit_test(empty_and_closed_places),
        cmocka_unit_test(who_plays_with_whom),
        cmocka_unit_test(a_summary_for_lists),
        cmocka_unit_test(how_the_game_stands),
        cmocka_unit_test(the_view_of_a_seat),
        cmocka_unit_test(the_view_of_a_key),
        cmocka_unit_test(views_with_much_in_common),
        cmocka_unit_test(play_again_is_offered_to_the_owner),
        cmocka_unit_test(the_action_log),
        cmocka_unit_test(the_action_log_in_words),
        cmocka_unit_test(the_action_log_is_a_tail),
        cmocka_unit_test(events_go_to_those_they_are_for),
        cmocka_unit_test(nobody_has_to_listen),
        cmocka_unit_test(a_record_of_a_running_round),
        cmocka_unit_test(the_past_is_told_as_it_was),
        cmocka_unit_test(the_past_goes_back_so_far),
        cmocka_unit_test(a_broken_log_is_not_exported),
        cmocka_unit_test(a_game_without_deals_has_no_secrets),
        cmocka_unit_test(a_finished_round_is_no_secret),
        cmocka_unit_test(hands_that_outlast_a_round_stay_secret),
        cmocka_unit_test(submissions_stay_secret_while_they_are_judged),
        cmocka_unit_test(a_finished_games_record_replays),
        cmocka_unit_test(other_cards_look_the_same),
        cmocka_unit_test(other_discards_look_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
