/* The lobby: creating, joining, watching, house rules, places, starting, talk. */
#include "games/registry.h"
#include "tests/world_room.h"
#include "world/change.h"

static struct room room;

/* ---- Creating ---- */

static void the_creator_is_the_owner_in_seat_0(void **state) { /* PL-8, PL-16 */
    room_open(&room, "whos-deal");
    assert_string_equal(room_seats(&room), "ann bot-1 bot-2 bot-3");
    assert_string_equal(room.world.owner, "ann");
    assert_string_equal(room.world.code, "K7M2QX");
    assert_string_equal(room.world.seat[0].name, "Ann");
    assert_string_equal(room.world.seat[1].name, "Bot");
    assert_int_equal(room.world.seat[1].level, BOT_MEDIUM);
    assert_int_equal(room.world.status, WORLD_WAITING);
    assert_int_equal(room.world.version, 1);
    assert_int_equal(room.world.created_ms, ROOM_BEGIN_MS);
    assert_int_equal(room.world.deal_seed[0], 1);
    assert_int_equal(room.world.bot_seed[0], 1001 & 255);
}

static void tables_of_the_five_games(void **state) { /* HF-3, UD-19, PL-C10 */
    room_open(&room, "hand-and-foot");
    assert_string_equal(room_seats(&room), "ann bot-1 bot-2 bot-3 x x x x");
    room_open(&room, "up-n-down");
    assert_string_equal(room_seats(&room), "ann _ _ _ _ _ _ _");
    room_open(&room, "4-kate");
    assert_string_equal(room_seats(&room), "ann bot-1");
    room_open(&room, "terrible-people");
    assert_string_equal(room_seats(&room), "ann bot-1 bot-2 bot-3");
}

struct birth_case {
    const char *code, *game, *id, *name, *refusal, *text;
};

static void refuses_birth(const struct birth_case *birth) {
    uint8_t seed[CHANCE_SEED_SIZE] = {1};
    struct world_birth wrong = {.code = span_of(birth->code),
                                .game = span_of(birth->game),
                                .id = span_of(birth->id),
                                .name = span_of(birth->name),
                                .deal_seed = seed,
                                .bot_seed = seed};
    room.news.line_length = 7;
    room.why = (struct refusal){0};
    assert_false(world_create(&room.world, 1, &world_times_usual, &wrong, &room.news, &room.why));
    assert_int_equal(room.news.line_length, 0);
    assert_non_null(room.why.code);
    assert_string_equal(room.why.code, birth->refusal);
    assert_string_equal(room.why.text, birth->text);
}

static void codes_are_six_letters_that_are_told_apart(void **state) {
    assert_true(world_is_code(span_of("K7M2QX")));
    static const char *const others[] = {"K7M2Q", "K7M2QXX", "K7M2Q0", "K7M2QI", "k7m2qx", ""};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_false(world_is_code(span_of(others[i])));
}

static void what_a_world_cannot_be_created_with(void **state) { /* PL-9, PL-10 */
    char long_name[RECORD_NAME_MAX + 2], huge_name[600];
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    memset(huge_name, 'x', sizeof huge_name - 1);
    huge_name[sizeof huge_name - 1] = '\0';
    const struct birth_case cases[] = {
        {"K7M2Q", "4-kate", "ann", "Ann", "BAD_REQUEST", "A world needs a code and a game"},
        {"K7M2QXX", "4-kate", "ann", "Ann", "BAD_REQUEST", "A world needs a code and a game"},
        {"K7M2Q1", "4-kate", "ann", "Ann", "BAD_REQUEST", "A world needs a code and a game"},
        {"K7M2Q0", "4-kate", "ann", "Ann", "BAD_REQUEST", "A world needs a code and a game"},
        {"k7m2qx", "4-kate", "ann", "Ann", "BAD_REQUEST", "A world needs a code and a game"},
        {"K7M2QX", "chess", "ann", "Ann", "UNKNOWN_GAME", "There is no game 'chess'"},
        {"K7M2QX", "4-kate x", "ann", "Ann", "UNKNOWN_GAME", "There is no game '4-kate x'"},
        {"K7M2QX", "4-kate@1.1", "ann", "Ann", "UNKNOWN_GAME", "There is no game '4-kate@1.1'"},
        {"K7M2QX", "4-kate", "ann", "", "BAD_REQUEST", "A name has 1 to 96 bytes and no quotes"},
        {"K7M2QX", "4-kate", "ann", "A\"n", "BAD_REQUEST",
         "A name has 1 to 96 bytes and no quotes"},
        {"K7M2QX", "4-kate", "ann", long_name, "BAD_REQUEST",
         "A name has 1 to 96 bytes and no quotes"},
        {"K7M2QX", "4-kate", "ann", huge_name, "BAD_REQUEST", "That is too long"},
        {"K7M2QX", "4-kate", "", "Ann", "BAD_REQUEST", "An id is a word of 1 to 23 bytes"},
        {"K7M2QX", "4-kate", "a n", "Ann", "BAD_REQUEST", "An id is a word of 1 to 23 bytes"},
        {"K7M2QX", "4-kate", "abcdefghijklmnopqrstuvwx", "Ann", "BAD_REQUEST",
         "An id is a word of 1 to 23 bytes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        refuses_birth(&cases[i]);
}

/* ---- Joining ---- */

static void joining_takes_the_first_bots_place(void **state) { /* WD-C22, WD-40, PL-11 */
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    assert_string_equal(room_seats(&room), "ann bob bot-2 bot-3");
    assert_string_equal(room_last(&room), "@bob join bob");
    room_told(&room, "seat-changed",
              "{\"seatIndex\":1,\"playerId\":\"bob\",\"name\":\"bob\",\"bot\":null,\"character\":"
              "null,\"team\":\"b\","
              "\"connected\":false,\"open\":true,\"away\":false,\"free\":false,\"won\":0}");
    room_told(&room, "world-updated", NULL);
    room_join(&room, "cy dee");
    assert_string_equal(room_seats(&room), "ann bob cy dee");
    assert_int_equal(room.world.member_count, 4);
    room_refuses(&room, "eve join Eve", "ROOM_FULL", "This world is full");
    assert_false(world_has_place(&room.world, span_of("eve")));
    assert_true(world_has_place(&room.world, span_of("dee")));
    assert_string_equal(room.world.owner, "ann");
}

static void joining_an_open_table(void **state) { /* UD-19 */
    room_open(&room, "up-n-down");
    room_join(&room, "bob cy");
    assert_string_equal(room_seats(&room), "ann bob cy _ _ _ _ _");
    room_do(&room, "ann bot 3 hard");
    room_join(&room, "dee"); /* a bot's place counts as free */
    assert_string_equal(room_seats(&room), "ann bob cy dee _ _ _ _");
}

static void joining_twice_changes_nothing(void **state) { /* PL-25 */
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    assert_int_equal(room_act(&room, "bob join bob"), WORLD_NOTHING);
    assert_int_equal(room_act(&room, "ann watch Ann"), WORLD_NOTHING);
}

static void a_running_game_is_joined_by_nobody_new(void **state) { /* PL-12 */
    room_open(&room, "whos-deal");
    room_do(&room, "eve watch Eve\nann start");
    room_refuses(&room, "bob join Bob", "ALREADY_STARTED", "The game has already started");
    room_refuses(&room, "eve join Eve", "ALREADY_STARTED", "The game has already started");
    room_do(&room, "bob watch Bob");
}

static void names_that_fit_and_names_that_do_not(void **state) {
    room_open(&room, "whos-deal");
    room_refuses(&room, "bob join", "BAD_REQUEST", "A name has 1 to 96 bytes and no quotes");
    room_refuses(&room, "bob join   ", "BAD_REQUEST", NULL);
    room_refuses(&room, "bob watch", "BAD_REQUEST", NULL);
    room_do(&room, "bob join  Bob the Second ");
    assert_string_equal(room.world.seat[1].name, "Bob the Second");
    assert_string_equal(room.world.member[1].name, "Bob the Second");
    room_do(&room, "bob name Robert");
    assert_string_equal(room.world.seat[1].name, "Robert");
    assert_string_equal(room.world.member[1].name, "Robert");
    room_told(&room, "world-updated", NULL);
    assert_int_equal(room_act(&room, "bob name Robert"), WORLD_NOTHING);
    room_refuses(&room, "bob name", "BAD_REQUEST", NULL);
    room_refuses(&room, "cy name Cy", "NOT_A_MEMBER", "You are not in this world");
    room_do(&room, "eve watch Eve\neve name Eva");
    assert_string_equal(room.world.member[2].name, "Eva");
}

/* ---- Watching ---- */

static void watching_needs_no_seat(void **state) {
    room_open(&room, "whos-deal");
    room_do(&room, "eve watch Eve");
    room_told(&room, "world-updated", NULL);
    int seat = 3;
    assert_true(world_find_seat(&room.world, span_of("eve"), &seat));
    assert_int_equal(seat, SPECTATOR);
    assert_false(world_find_seat(&room.world, span_of("zoe"), &seat));
    assert_false(world_owns_seat(&room.world, span_of("eve")));
    assert_true(world_owns_seat(&room.world, span_of("ann")));
    assert_string_equal(room_seats(&room), "ann bot-1 bot-2 bot-3");
    room_do(&room, "eve join Eve");
    assert_string_equal(room_seats(&room), "ann eve bot-2 bot-3");
    assert_int_equal(room.world.member_count, 2);
    assert_false(room.world.member[1].watching);
    assert_true(world_owns_seat(&room.world, span_of("eve")));
    assert_int_equal(room_act(&room, "eve watch Eve"), WORLD_NOTHING);
}

static void watching_may_be_forbidden(void **state) {
    room_open(&room, "whos-deal");
    room_do(&room, "ann set watching=no");
    room_refuses(&room, "eve watch Eve", "NO_WATCHING", "This world does not allow watching");
    room_do(&room, "eve join Eve");
}

/* Who watches may stay where `set` closes watching, and goes by `manners`. */
static void who_watches_goes_by_manners(void **state) {
    room_open(&room, "4-kate");
    room_do(&room, "bob join Bob\neve watch Eve\nann set watching=no");
    assert_non_null(strstr(room_shows(&room, "ann", "spectators"), "\"eve\""));
    room_do(&room, "ann manners watching=no");
    assert_string_equal(room_shows(&room, "ann", "spectators"), "[]");
    assert_int_equal(room_act(&room, "ann manners watching=no"), WORLD_NOTHING);
    room_folds(&room);
}

static void spectators_never_keep_a_player_out(void **state) {
    char line[64];
    room_open(&room, "whos-deal");
    for (int i = 0; i < WORLD_WATCHING_MAX; i++) {
        snprintf(line, sizeof line, "w%d watch W", i);
        room_do(&room, line);
    }
    room_refuses(&room, "more watch More", "ROOM_FULL", "This world is full");
    room_do(&room, "ann leave");
    room_refuses(&room, "more watch More", "ROOM_FULL", NULL);
    room_do(&room, "ann join Ann");
    room_join(&room, "bob cy dee");
    assert_int_equal(room.world.member_count, WORLD_WATCHING_MAX + 4);
    room_do(&room, "w0 start\nbob leave\nbob join Bob"); /* w0 came first of those left */
}

/* ---- Leaving the lobby, and the owner ---- */

static void a_place_left_in_the_lobby_is_free_again(void **state) { /* PL-20 */
    room_open(&room, "whos-deal");
    room_join(&room, "bob cy");
    room_do(&room, "bob leave");
    assert_string_equal(room_seats(&room), "ann bot-1 cy bot-3");
    room_told(&room, "seat-changed", NULL);
    room_told(&room, "world-updated", NULL);
    assert_null(world_find_member(&room.world, span_of("bob")));
    room_refuses(&room, "bob leave", "NOT_A_MEMBER", "You are not in this world");
    room_refuses(&room, "cy leave now", "BAD_REQUEST", "The action should end before 'now'");
    room_open(&room, "up-n-down");
    room_join(&room, "bob");
    room_do(&room, "bob leave");
    assert_string_equal(room_seats(&room), "ann _ _ _ _ _ _ _");
}

static void the_longest_present_human_inherits(void **state) { /* PL-21 */
    room_open(&room, "whos-deal");
    room_do(&room, "eve watch Eve");
    room_join(&room, "bob cy");
    room_do(&room, "ann leave");
    assert_string_equal(room.world.owner, "bob"); /* eve came first but does not sit */
    room_do(&room, "cy leave");
    assert_string_equal(room.world.owner, "bob");
    room_do(&room, "cy join Cy\nbob leave"); /* who sits in seat 0 inherits like everybody else */
    assert_string_equal(room_seats(&room), "cy bot-1 bot-2 bot-3");
    assert_string_equal(room.world.owner, "cy");
    room_do(&room, "cy leave");
    assert_string_equal(room.world.owner, "eve");
    room_do(&room, "eve leave");
    room_join(&room, "dee");
    assert_string_equal(room.world.owner, "dee");
}

static void a_new_bot_never_takes_a_used_id(void **state) {
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    room_do(&room, "ann move 1 3\nann move 1 2"); /* bot-3 and bot-2 change places with bob */
    assert_string_equal(room_seats(&room), "ann bot-2 bot-3 bob");
    room_do(&room, "ann bot 1 easy");
    assert_string_equal(room_seats(&room), "ann bot-1 bot-3 bob");
    room_do(&room, "bob leave");
    assert_string_equal(room_seats(&room), "ann bot-1 bot-3 bot-11");
    room_open(&room, "whos-deal");
    room_do(&room, "ann move 0 3\nann move 3 2\nann bot 3 easy");
    assert_string_equal(room_seats(&room), "bot-3 bot-1 ann bot-11");
}

static void who_is_removed_stays_out(void **state) {
    char line[64];
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    room_do(&room, "eve watch Eve");
    room_refuses(&room, "bob remove eve", "NOT_OWNER", "Not the owner");
    room_refuses(&room, "ann remove ann", "INVALID_PLAYER", "There is no such other person here");
    room_refuses(&room, "ann remove zoe", "INVALID_PLAYER", NULL);
    room_refuses(&room, "ann remove bot-2", "INVALID_PLAYER", NULL);
    room_refuses(&room, "ann remove", "BAD_REQUEST", "An id of 1 to 23 bytes is missing");
    room_refuses(&room, "ann remove abcdefghijklmnopqrstuvwx", "BAD_REQUEST",
                 "An id of 1 to 23 bytes is missing");
    room_refuses(&room, "ann remove bob eve", "BAD_REQUEST", NULL);
    room_do(&room, "ann remove bob\nann remove eve");
    assert_string_equal(room_seats(&room), "ann bot-1 bot-2 bot-3");
    room_refuses(&room, "bob join Bob", "REMOVED", "The owner removed you from this world");
    room_refuses(&room, "eve watch Eve", "REMOVED", NULL);
    for (int i = 0; i < WORLD_BANNED_MAX - 1; i++) { /* one more ban forgets the first */
        room_refuses(&room, "eve join Eve", "REMOVED", NULL);
        snprintf(line, sizeof line, "p%d watch P\nann remove p%d", i, i);
        room_do(&room, line);
    }
    room_do(&room, "bob join Bob");
    room_refuses(&room, "eve join Eve", "REMOVED", NULL);
    room_refuses(&room, "p6 join P", "REMOVED", NULL);
    assert_int_equal(room.world.banned_count, WORLD_BANNED_MAX);
}

/* The list of those who were removed was shorter once: eight. */
static void who_came_back_in_an_older_log_is_there(void **state) {
    char line[64];
    room_open(&room, "whos-deal");
    room_do(&room, "bob join Bob\nann remove bob");
    snprintf(line, sizeof line, "%lld @bob join Bob", (long long)room.world.changed_ms);
    if (!world_fold(&room.world, span_of(line), &room.why))
        fail_msg("%s", room.why.text);
    assert_string_equal(room_seats(&room), "ann bob bot-2 bot-3");
    room_do(&room, "bob leave");
    room_refuses(&room, "bob watch Bob", "REMOVED", NULL);
}

/* ---- House rules ---- */

static void the_owner_renews_the_invitation(void **state) { /* PL-C15 */
    char first[WORLD_INVITATION_SIZE], second[WORLD_INVITATION_SIZE];
    room_open(&room, "whos-deal");
    room_do(&room, "bob join Bob");
    world_invitation(&room.world, first);
    room_refuses(&room, "bob renew", "NOT_OWNER", "Not the owner");
    room_refuses(&room, "ann renew it", "BAD_REQUEST", NULL);
    room_do(&room, "ann start");
    room_do(&room, "ann renew");
    world_invitation(&room.world, second);
    assert_int_equal(strlen(second), 32);
    assert_string_not_equal(first, second);
    assert_string_equal(room_shows(&room, "stranger", "invitation"), "null");
    assert_string_equal(room_shows(&room, "bob", "invitation"), second);
}

static void settings_come_from_the_tables(void **state) { /* WD-43, WD-45, WD-102 */
    room_open(&room, "whos-deal");
    assert_string_equal(room_shows(&room, "ann", "settings.targetScore"), "10");
    room_do(&room, "ann set targetScore=7");
    assert_string_equal(room_shows(&room, "ann", "settings.targetScore"), "7");
    const struct event *update = room_event(&room, "world-updated");
    assert_non_null(update); /* the world without `you`, `version` and `view` */
    static const char begin[] = "{\"gameId\":\"whos-deal\",";
    static const char end[] = "\"won\":0}],\"places\":4,\"teamNames\":{},\"spectators\":[],"
                              "\"played\":0,\"rematch\":[],\"muted\":[],\"loadedBy\":null,"
                              "\"invitation\":\"9e7e67489528f51ecca665e75da29445\"}";
    assert_memory_equal(update->data.data, begin, sizeof begin - 1);
    assert_memory_equal(update->data.data + update->data.length - (sizeof end - 1), end,
                        sizeof end - 1);
    room_told(&room, "settings-updated",
              "{\"targetScore\":7,\"stickTheDealer\":true,\"lonerLead\":\"left-of-loner\","
              "\"dealerMayDiscardUpcard\":true,\"canadianLoner\":false,\"defendAlone\":false,"
              "\"farmersHand\":false,\"startScores\":[0,0],\"speed\":\"normal\","
              "\"watching\":true,\"public\":false,\"seating\":\"at-once\",\"slowChat\":\"off\","
              "\"preview\":\"off\"}");
    room_told(&room, "world-updated", NULL);
    room_do(&room, "ann set speed=fast public=yes targetScore=11");
    assert_string_equal(room_shows(&room, "ann", "settings.speed"), "fast");
    assert_string_equal(room_shows(&room, "ann", "settings.public"), "true");
    assert_string_equal(room_shows(&room, "ann", "settings.watching"), "true");
    assert_string_equal(room_shows(&room, "ann", "settings.targetScore"), "11");
    assert_true(world_is_public(&room.world));
    room_do(&room, "ann set public=no");
    assert_false(world_is_public(&room.world));
}

static void wrong_settings_are_refused_and_change_nothing(void **state) { /* WD-119 */
    room_open(&room, "whos-deal");
    room_refuses(&room, "ann set targetScore=6", "INVALID_SETTING", "Invalid target score");
    room_refuses(&room, "ann set targetScore=7 targetScore=6", "INVALID_SETTING",
                 "'targetScore' stands there twice");
    room_refuses(&room, "ann set speed=fast targetScore=7 speed=normal", "INVALID_SETTING",
                 "'speed' stands there twice");
    room_refuses(&room, "ann set speed=fast targetScore=6", "INVALID_SETTING", NULL);
    room_refuses(&room, "ann set speed=quick", "INVALID_SETTING", NULL);
    room_refuses(&room, "ann set speeds=fast", "INVALID_SETTING", NULL);
    room_refuses(&room, "ann set colour=red", "INVALID_SETTING", NULL);
    room_refuses(&room, "ann set", "INVALID_SETTING", "Which setting?");
    room_refuses(&room, "ann set targetScore", "BAD_REQUEST",
                 "The action should end before 'targetScore'");
    room_refuses(&room, "ann set targetScore=7 now", "BAD_REQUEST", NULL);
}

/* However an action was typed, it stands in the log in one form. */
static void entries_are_canonical(void **state) {
    room_open(&room, "hand-and-foot");
    room_do(&room, "ann   set    rounds=003     speed=fast  ");
    assert_non_null(strstr(room.news.line, " @ann set rounds=3 speed=fast"));
    assert_int_equal(room.news.line_length, strlen(room.news.line));
    assert_int_equal(room_act(&room, "ann set speed=fast rounds=3"), WORLD_NOTHING);
    room_do(&room, "ann team   a   The    Sharks ");
    assert_non_null(strstr(room.news.line, " @ann team a The Sharks"));
    room_do(&room, "ann say   two  blanks  ");
    assert_non_null(strstr(room.news.line, " @ann say two  blanks"));
    room_do(&room, "ann bot  0001   hard");
    assert_non_null(strstr(room.news.line, " @ann bot 1 hard"));
    room_folds(&room);
}

/* Old logs may have what is refused today. */
static void old_logs_may_have_settings_twice(void **state) {
    struct world world;
    struct refusal why;
    char line[WORLD_LINE_SIZE];
    room_open(&room, "whos-deal");
    world = room.world;
    snprintf(line, sizeof line, "%lld @ann set speed=fast speed=normal  speed=fast",
             (long long)world.changed_ms + 1);
    assert_true(world_fold(&world, span_of(line), &why));
}

static void presets(void **state) {
    room_open(&room, "hand-and-foot");
    room_do(&room, "ann preset partners");
    assert_string_equal(room_shows(&room, "ann", "settings.preset"), "partners");
    assert_non_null(room_event(&room, "settings-updated"));
    assert_non_null(room_event(&room, "world-updated"));
    assert_string_equal(room_shows(&room, "ann", "seats.1.team"), "b");
    room_do(&room, "ann set preset=closers");
    assert_string_equal(room_shows(&room, "ann", "settings.preset"), "closers");
    room_refuses(&room, "ann preset", "INVALID_SETTING", "Which preset?");
    room_refuses(&room, "ann preset none", "INVALID_SETTING", NULL);
    room_refuses(&room, "ann preset classic now", "BAD_REQUEST", NULL);
    assert_string_equal(room_shows(&room, "ann", "settings.preset"), "closers");
}

/* ---- Places ---- */

static void swapping_is_between_the_teams(void **state) { /* WD-41, WD-101, WD-120 */
    room_open(&room, "whos-deal");
    room_join(&room, "bob cy");
    room_do(&room, "ann swap 2 1");
    assert_string_equal(room_seats(&room), "ann cy bob bot-3");
    room_told(&room, "teams-updated",
              "{\"teams\":{\"a\":[\"ann\",\"bob\"],\"b\":[\"cy\",\"bot-3\"]}}");
    room_told(&room, "world-updated", NULL);
    room_do(&room, "ann swap 1 2\nann swap 3 0"); /* a bot on either team, in either order */
    assert_string_equal(room_seats(&room), "bot-3 bob cy ann");
    room_refuses(&room, "ann swap 0 2", "INVALID_SWAP", "Invalid swap");
    room_refuses(&room, "ann swap 1 1", "INVALID_SWAP", "Invalid swap");
    room_refuses(&room, "ann swap 0 4", "INVALID_SEAT", "There is no seat '4'");
    room_refuses(&room, "ann swap 0 -1", "INVALID_SEAT", NULL);
    room_refuses(&room, "ann swap 0 b", "INVALID_SEAT", NULL);
    room_refuses(&room, "ann swap 0", "BAD_REQUEST", "Which seat?");
    room_refuses(&room, "ann swap 0 1 2", "BAD_REQUEST", NULL);
    room_open(&room, "4-kate");
    room_refuses(&room, "ann swap 0 1", "INVALID_SWAP", NULL);
    room_open(&room, "hand-and-foot");
    room_do(&room, "ann preset partners");
    room_refuses(&room, "ann swap 0 5", "INVALID_SWAP", NULL);
    room_refuses(&room, "ann swap 5 0", "INVALID_SWAP", NULL);
}

static void moving_exchanges_two_places(void **state) {
    room_open(&room, "hand-and-foot");
    room_do(&room, "ann bot 4 open");
    room_do(&room, "ann move 0 4");
    assert_string_equal(room_seats(&room), "_ bot-1 bot-2 bot-3 ann x x x");
    room_told(&room, "teams-updated", "{\"teams\":{}}");
    room_told(&room, "world-updated", NULL);
    room_do(&room, "ann move 4 1");
    assert_string_equal(room_seats(&room), "_ ann bot-2 bot-3 bot-1 x x x");
    room_refuses(&room, "ann move 0 2", "INVALID_SEAT", "Nobody can be moved so");
    room_refuses(&room, "ann move 1 5", "INVALID_SEAT", "Nobody can be moved so");
    room_refuses(&room, "ann move 5 1", "INVALID_SEAT", NULL);
    room_refuses(&room, "ann move 1", "BAD_REQUEST", "Which seat?");
    room_refuses(&room, "ann move 8 1", "INVALID_SEAT", NULL);
    room_refuses(&room, "ann move 1 2 3", "BAD_REQUEST", NULL);
    assert_int_equal(room_act(&room, "ann move 1 1"), WORLD_NOTHING);
}

/* The names of all bots, by seat. */
static const char *bot_names(void) {
    static char names[256];
    names[0] = '\0';
    for (int seat = 0; seat < room.world.seat_count; seat++) {
        const struct world_seat *bot = &room.world.seat[seat];
        if (bot->kind == WORLD_SEAT_BOT) {
            strcat(names, *names ? " " : "");
            strcat(names, bot_character((enum bot_level)bot->level, bot->character).name);
        }
    }
    return names;
}

static void bots_have_characters(void **state) {
    room_open(&room, "whos-deal");
    assert_string_equal(bot_names(), "Jellybot Turtlebot Squidbot");
    room_do(&room, "ann bot 1 hard\nann bot 3 easy"); /* the same animals, at other levels */
    assert_string_equal(bot_names(), "Stingbot Turtlebot Inkybot");
    room_do(&room, "ann move 1 2"); /* they take their characters along */
    assert_string_equal(bot_names(), "Turtlebot Stingbot Inkybot");
    room_do(
        &room,
        "bob join Bob\nbob leave"); /* a new bot gets a character that nobody at the table has */
    assert_string_equal(bot_names(), "Turtlebot Stingbot Inkybot");
    room_folds(&room);
    room_open(&room, "hand-and-foot");
    room_do(&room, "ann bot 1 expert\nann bot 2 expert\nann bot 3 expert\nann bot 4 expert\n"
                   "ann bot 5 expert");
    for (int seat = 1; seat < 6; seat++)
        for (int other = 1; other < seat; other++)
            assert_int_not_equal(room.world.seat[seat].character, room.world.seat[other].character);
}

static void bots_and_places(void **state) {
    room_open(&room, "hand-and-foot");
    room_do(&room, "ann bot 1 hard");
    assert_int_equal(room.world.seat[1].level, BOT_HARD);
    room_told(&room, "seat-changed",
              "{\"seatIndex\":1,\"playerId\":\"bot-1\",\"name\":\"Bot\",\"bot\":\"hard\","
              "\"character\":{\"name\":\"Stingbot\",\"face\":\"jellyfish\"},"
              "\"team\":null,\"connected\":false,\"open\":true,\"away\":false,\"free\":true,"
              "\"won\":0}");
    room_told(&room, "world-updated", NULL);
    room_do(&room, "ann bot 4 easy\nann bot 2 open\nann bot 3 closed");
    assert_string_equal(room_seats(&room), "ann bot-1 _ x bot-4 x x x");
    room_refuses(&room, "ann bot 1 wizard", "INVALID_SETTING", "There is no bot level 'wizard'");
    room_refuses(&room, "ann bot 1", "INVALID_SETTING", NULL);
    room_refuses(&room, "ann bot", "BAD_REQUEST", "Which seat?");
    room_refuses(&room, "ann bot 0 easy", "SEAT_TAKEN", "A person sits there");
    room_refuses(&room, "ann bot 0 open", "SEAT_TAKEN", NULL);
    room_refuses(&room, "ann bot 1 easy hard", "BAD_REQUEST", NULL);
    room_open(&room, "whos-deal");
    room_refuses(&room, "ann bot 1 open", "INVALID_SETTING", "This game needs every seat");
    room_refuses(&room, "ann bot 1 closed", "INVALID_SETTING", NULL);
    room_do(&room, "ann bot 1 easy");
}

/* ---- How many places there are ---- */

/* A letter for each seat as everybody sees it: Person, Bot, _ free, x closed. */
static const char *places(struct room *shown) {
    static char buffer[SEATS_MAX + 1];
    char path[32];
    int seat = 0;
    for (; seat < shown->world.seat_count; seat++) {
        snprintf(path, sizeof path, "seats.%d.bot", seat);
        bool bot = strcmp(room_shows(shown, "ann", path), "null") != 0;
        snprintf(path, sizeof path, "seats.%d.playerId", seat);
        bool taken = strcmp(room_shows(shown, "ann", path), "null") != 0;
        snprintf(path, sizeof path, "seats.%d.open", seat);
        bool open = strcmp(room_shows(shown, "ann", path), "true") == 0;
        buffer[seat] = !open ? 'x' : bot ? 'B' : taken ? 'P' : '_';
        assert_true(open || !taken);
    }
    buffer[seat] = '\0';
    return buffer;
}

static void PL_C14_who_comes_to_a_full_table_looks_on(void **state) {
    room_open(&room, "up-n-down");
    assert_string_equal(places(&room), "P_______");
    assert_string_equal(room_shows(&room, "ann", "places"), "8");
    room_do(&room, "ann set maxPlayers=3");
    assert_string_equal(places(&room), "P__xxxxx");
    assert_string_equal(room_shows(&room, "ann", "places"), "3");
    room_join(&room, "bob");
    room_join(&room, "cy");
    assert_string_equal(places(&room), "PPPxxxxx");
    room_refuses(&room, "dee join Dee", "ROOM_FULL", "This world is full");
    room_do(&room, "dee watch Dee");
    room_refuses(&room, "ann move 1 3", "INVALID_SEAT", NULL);
    room_do(&room, "ann set maxPlayers=4");
    room_do(&room, "dee join Dee");
    assert_string_equal(places(&room), "PPPPxxxx");
    room_do(&room, "ann start");
    assert_int_equal(game_seats(&room.world.state), 4);
    assert_string_equal(room_shows(&room, "ann", "places"), "4");
}

static void PL_C14_a_bot_needs_a_place_too(void **state) {
    room_open(&room, "hand-and-foot");
    assert_string_equal(places(&room), "PBBBxxxx");
    assert_string_equal(room_shows(&room, "ann", "places"), "6"); /* classic's own limit */
    room_do(&room, "ann bot 4 easy\nann bot 7 hard");
    assert_string_equal(places(&room), "PBBBBxxB");
    room_refuses(&room, "ann bot 5 easy", "ROOM_FULL", "There are only 6 places");
    room_refuses(&room, "ann bot 5 open", "ROOM_FULL", "There are only 6 places");
    room_do(&room, "ann bot 7 easy\nann bot 7 open"); /* it is a place already */
    assert_string_equal(places(&room), "PBBBBxx_");
    room_do(&room, "ann bot 5 easy"); /* instead of the free one */
    assert_string_equal(places(&room), "PBBBBBxx");
    room_do(&room, "ann set decks=5"); /* as many as four need */
    assert_string_equal(places(&room), "PBBBxxxx");
    room_join(&room, "bob");
    assert_string_equal(places(&room), "PPBBxxxx");
}

/* Places come and go with the rules. Bots without a place do not play. */
static void PL_C14_places_follow_the_preset(void **state) {
    room_open(&room, "hand-and-foot");
    room_do(&room, "ann preset closers");
    room_do(&room, "ann bot 4 easy\nann bot 5 easy\nann bot 6 easy\nann bot 7 hard");
    assert_string_equal(places(&room), "PBBBBBBB");
    room_do(&room, "ann preset partners");
    assert_string_equal(places(&room), "PBBBBBxx");
    assert_string_equal(room_shows(&room, "ann", "seats.5.team"), "b");
    assert_string_equal(room_shows(&room, "ann", "seats.6.team"), "null");
    room_refuses(&room, "ann bot 6 hard", "ROOM_FULL", NULL);
    room_refuses(&room, "ann swap 0 7", "INVALID_SWAP", NULL);
    room_refuses(&room, "ann move 7 1", "INVALID_SEAT", NULL);
    room_do(&room, "ann preset closers");
    assert_string_equal(places(&room), "PBBBBBBB");
    assert_string_equal(room_shows(&room, "ann", "seats.7.bot"), "hard");
    room_do(&room, "ann preset partners\nann start");
    assert_string_equal(room_seats(&room), "ann bot-1 bot-2 bot-3 bot-4 bot-5");
    assert_int_equal(game_seats(&room.world.state), 6);
}

static void PL_C14_what_the_rules_closed_does_not_step_in(void **state) {
    room_open(&room, "up-n-down");
    room_do(&room, "ann set maxPlayers=4\nann bot 3 closed");
    assert_string_equal(places(&room), "P__xxxxx");
    room_do(&room, "ann set maxPlayers=8\nann bot 3 open");
    assert_string_equal(places(&room), "P___xxxx");
    room_open(&room, "hand-and-foot");
    room_do(&room, "ann preset closers\nann bot 4 easy\nann bot 5 easy\nann bot 6 easy");
    room_do(&room, "ann preset partners\nann bot 4 open");
    assert_string_equal(places(&room), "PBBB_Bxx");
}

/* No setting sends anybody away. A person who leaves such a seat leaves no free place behind. */
static void PL_C14_people_keep_their_seats(void **state) {
    room_open(&room, "up-n-down");
    room_join(&room, "bob");
    room_join(&room, "cy");
    room_do(&room, "ann set maxPlayers=2");
    assert_string_equal(places(&room), "PPPxxxxx");
    room_refuses(&room, "ann start", "INVALID_SETTING", NULL);
    room_refuses(&room, "dee join Dee", "ROOM_FULL", NULL);
    room_do(&room, "bob leave");
    assert_string_equal(places(&room), "PxPxxxxx");
    room_refuses(&room, "dee join Dee", "ROOM_FULL", NULL);
    room_do(&room, "ann start");
}

/* If the rules fit no number of players, they close no place; the start says what is wrong. */
static void PL_C14_rules_that_contradict_each_other_close_nothing(void **state) {
    room_open(&room, "up-n-down");
    room_do(&room, "ann set minPlayers=5 maxPlayers=3");
    assert_string_equal(places(&room), "P_______");
    room_refuses(&room, "ann start", "INVALID_SETTING", "minPlayers (5) is above maxPlayers (3)");
}

/* Logs from before places had a limit are read as they were written. */
static void PL_C14_a_log_of_the_past_is_not_asked(void **state) {
    static const char *const lines[] = {
        "@ann set maxPlayers=2", "@bob join Bob", "@cy join Cy", "@ann bot 4 easy", "@cy leave",
        "@ann bot 4 open",       "@ann start"};
    room_open(&room, "up-n-down");
    struct world world = room.world;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char line[64];
        struct refusal why = {0};
        snprintf(line, sizeof line, "%lld %s", (long long)world.changed_ms + 1, lines[i]);
        if (!world_fold(&world, span_of(line), &why))
            fail_msg("%s: %s", line, why.text);
    }
    assert_int_equal(game_seats(&world.state), 2);
}

/* ---- Who may, and in which order it is asked ---- */

static void only_the_owner(void **state) { /* PL-14, WD-42, WD-121 */
    static const char *const lines[] = {
        "bob set targetScore=7", "bob swap 0 1", "bob move 0 1", "bob bot 2 hard",
        "bob remove ann",        "bob start",    "bob preset x", "bob set targetScore=6"};
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        room_refuses(&room, lines[i], "NOT_OWNER", "Not the owner");
}

static void strangers_only_come_in(void **state) { /* PL-29 */
    static const char *const lines[] = {
        "zoe leave",    "zoe name Z",      "zoe say Hi",   "zoe emote sad",  "zoe set public=yes",
        "zoe preset x", "zoe swap 0 1",    "zoe move 0 1", "zoe bot 1 easy", "zoe remove ann",
        "zoe start",    "zoe hand-over 0", "zoe next",     "zoe again",      "zoe play AH"};
    room_open(&room, "whos-deal");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        room_refuses(&room, lines[i], "NOT_A_MEMBER", "You are not in this world");
}

static void lobby_actions_are_for_the_lobby(void **state) { /* PL-13, PL-18, WD-109, WD-116 */
    static const char *const lines[] = {"ann set targetScore=7",
                                        "ann swap 0 1",
                                        "ann move 0 1",
                                        "ann bot 2 hard",
                                        "ann start",
                                        "ann preset x",
                                        "ann again",
                                        "bob set targetScore=7",
                                        "bob again"};
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    room_refuses(&room, "ann again", "WRONG_PHASE", NULL);
    room_refuses(&room, "ann hand-over 1", "WRONG_PHASE", NULL);
    room_refuses(&room, "ann next", "WRONG_PHASE", NULL);
    room_refuses(&room, "ann play AH", "WRONG_PHASE", NULL);
    room_do(&room, "ann start");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        room_refuses(&room, lines[i], "WRONG_PHASE", NULL);
}

static void speed_may_change_at_any_time(void **state) {
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    room_do(&room, "ann start\nann speed fast");
    room_told(&room, "settings-updated", NULL);
    room_told(&room, "world-updated", NULL);
    assert_string_equal(room_shows(&room, "bob", "settings.speed"), "fast");
    assert_int_equal(room_act(&room, "ann speed fast"), WORLD_NOTHING);
    room_refuses(&room, "bob speed instant", "NOT_OWNER", NULL);
    room_refuses(&room, "ann speed", "INVALID_SETTING", "Which speed?");
    room_refuses(&room, "ann speed warp", "INVALID_SETTING",
                 "speed must be one of: watch-along, relaxed, normal, fast, instant");
    room_refuses(&room, "ann speed fast now", "BAD_REQUEST", "The action should end before 'now'");
}

static void teams_can_have_names(void **state) {
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    room_do(&room, "ann team a The Sharks\nann start\nann team b Bob's");
    room_told(&room, "world-updated", NULL);
    assert_string_equal(room_shows(&room, "bob", "teamNames"),
                        "{\"a\":\"The Sharks\",\"b\":\"Bob's\"}");
    assert_int_equal(room_act(&room, "ann team b Bob's"), WORLD_NOTHING);
    room_do(&room, "ann team a");
    assert_string_equal(room_shows(&room, "bob", "teamNames"), "{\"b\":\"Bob's\"}");
    room_refuses(&room, "bob team a Jets", "NOT_OWNER", NULL);
    room_refuses(&room, "ann team", "INVALID_TEAM", "There is no such team");
    room_refuses(&room, "ann team e Jets", "INVALID_TEAM", "There is no such team");
    room_refuses(&room, "ann team ab Jets", "INVALID_TEAM", "There is no such team");
    room_refuses(&room, "ann team a \"Jets\"", "BAD_REQUEST", NULL);
}

static void the_order_of_checks(void **state) { /* PL-29 */
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    /* well formed before everything */
    room_refuses(&room, "zoe ", "BAD_REQUEST", "An action has 1 to 2048 bytes");
    room_refuses(&room, "zoe  ", "BAD_REQUEST", "An action begins with a word");
    room_refuses(&room, "zoe say\ttab", "BAD_REQUEST", "An action has no control characters");
    room_refuses(&room, "zoe say \x7f", "BAD_REQUEST", "An action has no control characters");
    room_refuses(&room, "abcdefghijklmnopqrstuvwx join X", "BAD_REQUEST",
                 "An id is a word of 1 to 23 bytes");
    room_refuses(&room, "abcdefghijklmnopqrstuvw leave", "NOT_A_MEMBER", NULL);
    room_refuses(&room, "z leave", "NOT_A_MEMBER", NULL);
    /* duplicate before member */
    room_do(&room, "bob#1 leave");
    assert_int_equal(room_act(&room, "bob#1 leave"), WORLD_DUPLICATE);
    room_refuses(&room, "bob#2 leave", "NOT_A_MEMBER", NULL);
    /* member before phase */
    room_refuses(&room, "zoe again", "NOT_A_MEMBER", "You are not in this world");
    room_refuses(&room, "zoe play AH", "NOT_A_MEMBER", "You are not in this world");
    /* phase before role */
    room_join(&room, "bob");
    room_refuses(&room, "bob again", "WRONG_PHASE", NULL);
    /* role before payload */
    room_refuses(&room, "bob set targetScore=6", "NOT_OWNER", NULL);
    room_do(&room, "eve watch Eve\nann start");
    room_refuses(&room, "eve play ZZ", "NOT_A_PLAYER", "You are watching");
    room_refuses(&room, "eve next", "NOT_A_PLAYER", "Only those who play may go on");
}

static void words_have_a_limit(void **state) {
    char line[2100];
    room_open(&room, "whos-deal");
    memset(line, 'x', sizeof line);
    memcpy(line, "ann ", 4);
    line[4 + 2048] = '\0';
    room_refuses(&room, line, "WRONG_PHASE", NULL);
    line[4 + 2048] = 'x';
    line[4 + 2049] = '\0';
    room_refuses(&room, line, "BAD_REQUEST", "An action has 1 to 2048 bytes");
}

/* ---- Starting ---- */

static void starting(void **state) { /* WD-46, WD-103, PL-18 */
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    room_refuses(&room, "ann start targetScore=6", "INVALID_SETTING", "Invalid target score");
    room_refuses(&room, "ann start now", "BAD_REQUEST", "The action should end before 'now'");
    room_do(&room, "ann start targetScore=5 speed=fast order 1 2 0 3");
    assert_string_equal(room_seats(&room), "bob bot-2 ann bot-3");
    assert_int_equal(room.world.status, WORLD_PLAYING);
    assert_int_equal(room.world.start_version, 3);
    assert_int_equal(room.world.game_version, 3);
    room_told(&room, "world-updated", NULL);
    assert_string_equal(room_shows(&room, "ann", "settings.targetScore"), "5");
    assert_string_equal(room_shows(&room, "ann", "settings.speed"), "fast");
    room_pass(&room, 0);
    assert_memory_equal(room_last(&room), "- deal ", 7);
    assert_string_equal(room_shows(&room, "ann", "view.dealerSeatIndex"), "0");
    assert_string_equal(room_shows(&room, "ann", "view.turn"), "[1]");
    assert_true(room.world.bot_action_ms > room.now_ms);
}

static void an_order_names_each_seat_once(void **state) {
    room_open(&room, "whos-deal");
    room_refuses(&room, "ann start order 0 1 2 2", "INVALID_SETTING", "Each seat is named once");
    room_refuses(&room, "ann start order 0 1 2 4", "INVALID_SEAT", NULL);
    room_refuses(&room, "ann start order 0 1 2", "BAD_REQUEST", "Which seat?");
    room_refuses(&room, "ann start order 0 1 2 3 3", "BAD_REQUEST", NULL);
    room_refuses(&room, "ann start order 0 1 2 3 targetScore=5", "BAD_REQUEST", NULL);
}

static void starting_counts_the_players(void **state) { /* PL-17, WD-44 */
    room_open(&room, "hand-and-foot");
    room_do(&room, "ann bot 1 closed\nann bot 2 closed\nann bot 3 open");
    room_refuses(&room, "ann start", "INVALID_PLAYERS",
                 "Hand & Foot needs 2 to 8 players, there are 1");
    room_do(&room, "ann bot 6 easy\nann start");
    assert_string_equal(room_seats(&room), "ann bot-6");
    assert_int_equal(game_seats(&room.world.state), 2);
    room_open(&room, "up-n-down");
    room_do(&room, "ann start");
    assert_string_equal(room_seats(&room), "ann");
    room_open(&room, "up-n-down");
    room_do(&room, "ann start maxPlayers=4");
    room_open(&room, "hand-and-foot");
    room_do(&room, "ann preset partners\nann bot 3 closed");
    room_refuses(&room, "ann start", "INVALID_SETTING", NULL); /* the game itself says so */
}

static void a_person_must_play(void **state) { /* PL-17, WD-44 */
    room_open(&room, "whos-deal");
    room_do(&room, "eve watch Eve\nann leave");
    assert_string_equal(room.world.owner, "eve");
    room_refuses(&room, "eve start", "INVALID_PLAYERS", "At least one person must play");
    room_do(&room, "eve join Eve\neve start");
}

/* ---- Talk ---- */

/* Pages learn from the registry what there is to choose from: what it names is accepted. */
static void the_registry_tells_what_every_world_has(void **state) {
    static char buffer[1 << 18];
    struct json json;
    json_begin(&json, buffer, sizeof buffer);
    world_registry_json(registry_find(span_of("whos-deal")), &json);
    assert_true(json_complete(&json));
    json_t *registry = json_loads(buffer, JSON_REJECT_DUPLICATES, NULL);
    assert_int_equal(json_array_size(json_object_get(registry, "games")), 1);
    json_t *world = json_object_get(registry, "world"), *value;
    assert_int_equal(json_array_size(json_object_get(world, "options")), 6);
    const char *key;
    char line[64];
    room_open(&room, "whos-deal");
    json_object_foreach(json_object_get(world, "speeds"), key, value) {
        snprintf(line, sizeof line, "ann speed %s", key);
        room_act(&room, line);
        assert_string_equal(room_shows(&room, "ann", "settings.speed"), key);
        assert_int_equal(world_speed_percent(&room.world), json_integer_value(value));
    }
    size_t i;
    json_array_foreach(json_object_get(world, "levels"), i, value) {
        snprintf(line, sizeof line, "ann bot 1 %s", json_string_value(value));
        room_act(&room, line);
        assert_string_equal(room_shows(&room, "ann", "seats.1.bot"), json_string_value(value));
    }
    assert_string_equal(json_string_value(json_object_get(world, "usualLevel")), "medium");
    json_array_foreach(json_object_get(world, "emotes"), i, value) {
        room_now_is(&room, room.now_ms + WORLD_TALK_MS);
        snprintf(line, sizeof line, "ann emote %s", json_string_value(value));
        room_do(&room, line);
    }
    assert_int_equal(i, 9);
    value = json_object_get(world, "limits");
    assert_int_equal(json_integer_value(json_object_get(value, "chat")), WORLD_SAY_MAX);
    assert_int_equal(json_integer_value(json_object_get(value, "name")), WORLD_NAME_MAX);
    assert_int_equal(json_integer_value(json_object_get(value, "code")), WORLD_CODE_LENGTH);
    json_decref(registry);
}

static void chat_and_emotes(void **state) { /* PL-50 */
    char line[WORLD_SAY_MAX * 2 + 32];
    room_open(&room, "whos-deal");
    room_do(&room, "eve watch Eve");
    room_do(&room, "eve say  Hello,  all! ");
    room_told(&room, "chat",
              "{\"playerId\":\"eve\",\"name\":\"Eve\",\"text\":\"Hello,  all!\",\"time\":1000000}");
    assert_int_equal(room_event(&room, "chat")->audience, EVERYONE);
    room_do(&room, "eve emote well-played");
    room_told(&room, "emote",
              "{\"playerId\":\"eve\",\"name\":\"Eve\",\"id\":\"well-played\",\"time\":1000000}");
    room_refuses(&room, "ann emote kick", "BAD_REQUEST", "There is no emote 'kick'");
    room_refuses(&room, "ann emote", "BAD_REQUEST", NULL);
    room_refuses(&room, "ann emote sad sad", "BAD_REQUEST", NULL);
    room_refuses(&room, "ann say", "BAD_REQUEST", "A message has 1 to 300 characters");
    room_refuses(&room, "zoe say Hi", "NOT_A_MEMBER", NULL);
    size_t length = (size_t)snprintf(line, sizeof line, "ann say ");
    for (int i = 0; i < WORLD_SAY_MAX; i++, length += 2)
        memcpy(line + length, "\xc3\xa9", 3);
    room_do(&room, line); /* characters, not bytes */
    memcpy(line + length, "x", 2);
    room_refuses(&room, line, "BAD_REQUEST", NULL);
}

static void five_messages_in_ten_seconds(void **state) { /* PL-49 */
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    room_do(&room, "ann say 1\nann emote sad\nann say 3\nann say 4");
    room_pass(&room, WORLD_TALK_MS - 1);
    room_do(&room, "ann say 5");
    room_refuses(&room, "ann say 6", "RATE_LIMITED", "Please wait 1 s before you say more");
    room_refuses(&room, "ann emote sad", "RATE_LIMITED", NULL);
    room_do(&room, "bob say 1");
    room_pass(&room, 1);
    room_do(&room, "ann say 6\nann say 7\nann say 8\nann say 9\nann say 10");
    room_refuses(&room, "ann say 11", "RATE_LIMITED", NULL);
}

static void who_leaves_and_comes_back_says_no_more(void **state) { /* PL-49 */
    room_open(&room, "whos-deal");
    room_do(&room, "eve watch Eve\neve say 1\neve say 2\neve say 3\neve say 4\neve say 5");
    room_do(&room, "eve leave\neve watch Eve");
    room_refuses(&room, "eve say 6", "RATE_LIMITED", NULL);
    room_do(&room, "ann manners slowChat=long");
    room_pass(&room, WORLD_TALK_MS);
    room_do(&room, "eve leave\neve watch Eve");
    room_refuses(&room, "eve say 6", "RATE_LIMITED", NULL);
    room_pass(&room, 60000);
    room_do(&room, "eve say 6\neve leave\neve watch Eve");
    room_refuses(&room, "eve emote sad", "RATE_LIMITED", NULL);
    room_do(&room, "fay watch Fay\nfay say 1");
    room_folds(&room);
}

/* In logs from before, who came back might talk. */
static void older_talk_folds(void **state) {
    room_open(&room, "whos-deal");
    room_do(&room, "ann manners slowChat=long\neve watch Eve\neve say 1\neve leave\neve watch Eve");
    room_fold(&room, "@eve say 2");
    room_folds(&room);
}

/* People who have another name by now join again to say so. */
static void joining_again_under_another_name(void **state) { /* PL-12 */
    room_open(&room, "4-kate");
    room_join(&room, "bob");
    room_do(&room, "bob join Robert");
    assert_string_equal(room_shows(&room, "ann", "seats.1.name"), "Robert");
    assert_int_equal(room_act(&room, "bob join Robert"), WORLD_NOTHING);
}

/* ---- Order ---- */

static void a_person_is_removed_during_the_game(void **state) {
    room_open(&room, "whos-deal");
    room_join(&room, "bob cid");
    room_do(&room, "eve watch Eve\nann start");
    room_refuses(&room, "bob remove cid", "NOT_OWNER", NULL);
    room_do(&room, "ann remove bob\nann remove eve");
    assert_string_equal(room_seats(&room), "ann bot-1 cid bot-3");
    assert_string_equal(room_shows(&room, "ann", "seats.1.bot"), "medium");
    assert_string_equal(room_shows(&room, "ann", "seats.1.away"), "false");
    assert_string_equal(room_shows(&room, "ann", "spectators"), "[]");
    room_refuses(&room, "bob say hello", "NOT_A_MEMBER", NULL);
    room_refuses(&room, "bob watch Bob", "REMOVED", NULL);
    room_refuses(&room, "eve watch Eve", "REMOVED", NULL);
    room_do(&room, "cid leave\nann remove cid"); /* who left may not come back */
    assert_string_equal(room_seats(&room), "ann bot-1 bot-2 bot-3");
    room_refuses(&room, "cid watch Cid", "REMOVED", NULL);
    room_folds(&room);
    for (int i = 0; i < 40 && room.world.status == WORLD_PLAYING; i++)
        room_go_on(&room); /* and the game goes on with bots there */
    room_folds(&room);
}

/* Who leaves for good leaves a seat that others can have, also after leaving in the usual way. */
static void who_quits_leaves_a_free_seat(void **state) {
    room_open(&room, "whos-deal");
    room_join(&room, "bob cid");
    room_do(&room, "eve watch Eve\nann start\ncid leave");
    assert_string_equal(room_seats(&room), "ann bob cid* bot-3");
    assert_string_equal(room_shows(&room, "eve", "seats.2.away"), "true");
    room_refuses(&room, "zoe quit", "NOT_A_MEMBER", NULL);
    room_refuses(&room, "bob quit now", "BAD_REQUEST", NULL);
    room_do(&room, "cid quit\nann quit");
    assert_string_equal(room_seats(&room), "bot-0 bob bot-2 bot-3");
    assert_string_equal(room.world.owner, "bob");
    for (int i = 0; i < 2; i++) {
        assert_string_equal(room_shows(&room, "eve", i ? "seats.0.free" : "seats.2.free"), "true");
        assert_string_equal(room_shows(&room, "eve", i ? "seats.0.away" : "seats.2.away"), "false");
    }
    room_refuses(&room, "cid quit", "NOT_A_MEMBER", NULL);
    room_folds(&room);
    room_do(&room, "bob quit\neve quit"); /* and nobody is left */
    room_folds(&room);
    for (int i = 0; i < 40 && room.world.status == WORLD_PLAYING; i++)
        room_go_on(&room);
    room_folds(&room);
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    room_do(&room, "bob quit"); /* before the game as by leaving */
    assert_string_equal(room_seats(&room), "ann bot-1 bot-2 bot-3");
    room_folds(&room);
}

static void the_owner_mutes(void **state) {
    room_open(&room, "4-kate");
    room_do(&room, "bob join Bob\neve watch Eve\nann start");
    room_refuses(&room, "bob mute eve", "NOT_OWNER", NULL);
    room_refuses(&room, "ann mute ann", "INVALID_PLAYER", NULL);
    room_refuses(&room, "ann mute zoe", "INVALID_PLAYER", NULL);
    room_do(&room, "ann mute bob\nann mute eve");
    assert_int_equal(room_act(&room, "ann mute bob"), WORLD_NOTHING);
    assert_string_equal(room_shows(&room, "ann", "muted"), "[\"bob\",\"eve\"]");
    room_refuses(&room, "bob say hello", "MUTED", "The owner of this table has muted you");
    room_refuses(&room, "eve emote hello", "MUTED", NULL);
    room_do(&room, "eve leave\neve watch Eve"); /* coming back does not help */
    room_refuses(&room, "eve say hello", "MUTED", NULL);
    room_do(&room, "ann unmute bob\nbob say hello");
    assert_int_equal(room_act(&room, "ann unmute bob"), WORLD_NOTHING);
    assert_string_equal(room_shows(&room, "ann", "muted"), "[\"eve\"]");
    room_folds(&room);
}

static void the_owner_hands_the_world_over(void **state) {
    room_open(&room, "4-kate");
    room_do(&room, "bob join Bob\nann start");
    room_refuses(&room, "bob owner bob", "NOT_OWNER", NULL);
    room_refuses(&room, "ann owner ann", "INVALID_PLAYER", NULL);
    room_do(&room, "ann owner bob");
    assert_string_equal(room_shows(&room, "ann", "ownerId"), "bob");
    room_refuses(&room, "ann mute bob", "NOT_OWNER", NULL);
    room_do(&room, "ann leave");
    room_refuses(&room, "bob owner ann", "INVALID_PLAYER", "That person is not here");
    room_folds(&room);
}

static void watching_is_closed_during_the_game(void **state) {
    room_open(&room, "4-kate");
    room_do(&room, "bob join Bob\neve watch Eve\nann start");
    room_refuses(&room, "ann set watching=no", "WRONG_PHASE", NULL);
    room_refuses(&room, "bob manners watching=no", "NOT_OWNER", NULL);
    room_refuses(&room, "ann manners winLength=4", "INVALID_SETTING", NULL);
    room_refuses(&room, "ann manners watching=perhaps", "INVALID_SETTING", NULL);
    room_do(&room, "ann manners watching=no");
    room_told(&room, "settings-updated", NULL);
    assert_string_equal(room_shows(&room, "ann", "spectators"), "[]");
    room_refuses(&room, "eve watch Eve", "NO_WATCHING", NULL);
    assert_int_equal(room_act(&room, "ann manners watching=no"), WORLD_NOTHING);
    room_do(&room, "ann manners watching=yes speed=fast\neve watch Eve");
    room_folds(&room);
}

static void chat_is_slowed(void **state) {
    room_open(&room, "4-kate");
    room_do(&room, "bob join Bob\nann start\nann manners slowChat=medium\nbob say 1");
    room_refuses(&room, "bob say 2", "RATE_LIMITED", "Please wait 30 s before you say more");
    room_pass(&room, 29000);
    room_refuses(&room, "bob emote sad", "RATE_LIMITED", "Please wait 1 s before you say more");
    room_do(&room, "ann say 1\nann say 2"); /* the owner keeps order */
    room_pass(&room, 1000);
    room_do(&room, "bob say 2\nann manners slowChat=off\nbob say 3");
    room_folds(&room);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_person_is_removed_during_the_game),
        cmocka_unit_test(who_quits_leaves_a_free_seat),
        cmocka_unit_test(the_owner_mutes),
        cmocka_unit_test(the_owner_hands_the_world_over),
        cmocka_unit_test(watching_is_closed_during_the_game),
        cmocka_unit_test(chat_is_slowed),
        cmocka_unit_test(joining_again_under_another_name),
        cmocka_unit_test(the_creator_is_the_owner_in_seat_0),
        cmocka_unit_test(tables_of_the_five_games),
        cmocka_unit_test(codes_are_six_letters_that_are_told_apart),
        cmocka_unit_test(what_a_world_cannot_be_created_with),
        cmocka_unit_test(joining_takes_the_first_bots_place),
        cmocka_unit_test(joining_an_open_table),
        cmocka_unit_test(joining_twice_changes_nothing),
        cmocka_unit_test(a_running_game_is_joined_by_nobody_new),
        cmocka_unit_test(names_that_fit_and_names_that_do_not),
        cmocka_unit_test(watching_needs_no_seat),
        cmocka_unit_test(watching_may_be_forbidden),
        cmocka_unit_test(who_watches_goes_by_manners),
        cmocka_unit_test(spectators_never_keep_a_player_out),
        cmocka_unit_test(a_place_left_in_the_lobby_is_free_again),
        cmocka_unit_test(the_longest_present_human_inherits),
        cmocka_unit_test(a_new_bot_never_takes_a_used_id),
        cmocka_unit_test(who_is_removed_stays_out),
        cmocka_unit_test(who_came_back_in_an_older_log_is_there),
        cmocka_unit_test(the_owner_renews_the_invitation),
        cmocka_unit_test(settings_come_from_the_tables),
        cmocka_unit_test(wrong_settings_are_refused_and_change_nothing),
        cmocka_unit_test(entries_are_canonical),
        cmocka_unit_test(old_logs_may_have_settings_twice),
        cmocka_unit_test(presets),
        cmocka_unit_test(swapping_is_between_the_teams),
        cmocka_unit_test(moving_exchanges_two_places),
        cmocka_unit_test(bots_have_characters),
        cmocka_unit_test(bots_and_places),
        cmocka_unit_test(PL_C14_who_comes_to_a_full_table_looks_on),
        cmocka_unit_test(PL_C14_a_bot_needs_a_place_too),
        cmocka_unit_test(PL_C14_places_follow_the_preset),
        cmocka_unit_test(PL_C14_what_the_rules_closed_does_not_step_in),
        cmocka_unit_test(PL_C14_people_keep_their_seats),
        cmocka_unit_test(PL_C14_rules_that_contradict_each_other_close_nothing),
        cmocka_unit_test(PL_C14_a_log_of_the_past_is_not_asked),
        cmocka_unit_test(only_the_owner),
        cmocka_unit_test(strangers_only_come_in),
        cmocka_unit_test(lobby_actions_are_for_the_lobby),
        cmocka_unit_test(speed_may_change_at_any_time),
        cmocka_unit_test(teams_can_have_names),
        cmocka_unit_test(the_order_of_checks),
        cmocka_unit_test(words_have_a_limit),
        cmocka_unit_test(starting),
        cmocka_unit_test(an_order_names_each_seat_once),
        cmocka_unit_test(starting_counts_the_players),
        cmocka_unit_test(a_person_must_play),
        cmocka_unit_test(the_registry_tells_what_every_world_has),
        cmocka_unit_test(chat_and_emotes),
        cmocka_unit_test(five_messages_in_ten_seconds),
        cmocka_unit_test(who_leaves_and_comes_back_says_no_more),
        cmocka_unit_test(older_talk_folds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
