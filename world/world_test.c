/* The log: entries as text, action ids, time, and which logs can be folded. */
#include "tests/world_room.h"
#include "world/change.h"

static struct room room;

/* ---- Entries ---- */

static void survives(const char *line) {
    struct world_entry entry;
    char back[WORLD_LINE_SIZE];
    struct text text;
    assert_true(world_read_entry(span_of(line), &entry));
    text_begin(&text, back, sizeof back);
    world_write_entry(&entry, &text);
    assert_string_equal(back, line);
}

static void entries_are_read_and_written_alike(void **state) {
    struct world_entry entry;
    survives("0 - close");
    survives("1731658000123 @ann say  two  blanks ");
    survives("1731658004711~9f2c40d1e8aa0b17 @bob join Bob");
    survives("999999999999999 7 play AH");
    survives("12 @abcdefghijklmnopqrstuvw leave");
    assert_true(world_read_entry(span_of("12~00000000000000ff @a  b c"), &entry));
    assert_int_equal(entry.time_ms, 12);
    assert_int_equal(entry.action, 255);
    assert_int_equal(entry.actor, ACTOR_PERSON);
    assert_memory_equal(entry.id.data, "a ", 2);
    assert_memory_equal(entry.words.data, "b c", 4);
    assert_int_equal(entry.words.length, 3);
    assert_true(world_read_entry(span_of("12 7 b"), &entry));
    assert_int_equal(entry.actor, ACTOR_SEAT);
    assert_int_equal(entry.seat, 7);
    assert_true(world_read_entry(span_of("12 - b"), &entry));
    assert_int_equal(entry.actor, ACTOR_NATURE);
    assert_int_equal(entry.seat, NATURE);
}

static void what_is_no_entry(void **state) {
    static const char *const lines[] = {
        "",
        "12",
        "12 -",
        "12 - ",
        "x12 - close",
        "1x - close",
        "1/ - close",
        "1: - close",
        "-1 - close",
        "1000000000000000 - close",
        "99999999999999999999999999999 - close",
        "12~ - close",
        "~00000000000000ff - close",
        "12~00000000000000f - close",
        "12~00000000000000fff - close",
        "12~00000000000000fg - close",
        "12 @ close",
        "12 @abcdefghijklmnopqrstuvwx close",
        "12 8 pass",
        "12 / pass",
        "12 10 pass",
        "12 -- close",
    };
    struct world_entry entry;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (world_read_entry(span_of(lines[i]), &entry))
            fail_msg("'%s' was read", lines[i]);
    room_open(&room, "whos-deal");
    assert_false(world_fold(&room.world, span_of("12"), &room.why));
    assert_string_equal(room.why.code, "BAD_RECORD");
}

static void the_log_of_a_world(void **state) {
    room_open(&room, "4-kate");
    room_pass(&room, 711);
    room_do(&room, "bob#1 join Bob\nann start\nann drop 4");
    static const char expected[] =
        "1000000 @ann create K7M2QX 4-kate@1.1 "
        "0100000000000000000000000000000000000000000000000000000000000000 "
        "e903000000000000000000000000000000000000000000000000000000000000 Ann\n"
        "1000711~%016llx @bob join Bob\n"
        "1000711 @ann start\n"
        "1000711 0 drop 4\n";
    char line[512];
    snprintf(line, sizeof line, expected,
             (unsigned long long)world_action_hash(span_of("bob"), span_of("1")));
    assert_string_equal(room.log, line);
    assert_int_equal(room.world.version, 4);
    room_folds(&room);
}

/* ---- Which rules a log follows ---- */

static bool fold_first(const char *game) {
    char line[256];
    snprintf(line, sizeof line, "1 @ann create K7M2QX %s %064d %064d Ann", game, 1, 2);
    world_empty(&room.world, &world_times_usual);
    bool folds = world_fold(&room.world, span_of(line), &room.why);
    bool other = !folds && strcmp(room.why.code, "OTHER_RULES") == 0;
    assert_true(other == !world_knows_rules(span_of(line)));
    return folds;
}

static void a_log_is_folded_by_its_own_rules_or_not_at_all(void **state) {
    assert_true(fold_first("4-kate@1.1"));
    assert_true(fold_first("4-kate")); /* a log from before there were versions */
    static const char *const others[] = {"4-kate@2.1", "4-kate@1.2", "4-kate@0.1", "4-kate@1.0"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_false(fold_first(others[i]));
        assert_string_equal(room.why.code, "OTHER_RULES");
        assert_null(room.world.game);
    }
    assert_false(fold_first("4-kate@2.7"));
    assert_string_equal(room.why.text,
                        "This world follows rules 2.7 of 4 Kate; this server has 1.1");
    static const char *const broken[] = {"4-kate@",   "4-kate@1",   "4-kate@1.",
                                         "4-kate@.1", "4-kate@1.x", "4-kate@1.1.1"};
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        assert_false(fold_first(broken[i]));
        assert_string_equal(room.why.code, "BAD_REQUEST");
    }
}

/* ---- What a fold believes ---- */

static void fold_refuses(const char *line, const char *code, const char *text) {
    static struct world before;
    memcpy(&before, &room.world, sizeof before);
    room.why = (struct refusal){0};
    if (world_fold(&room.world, span_of(line), &room.why))
        fail_msg("'%s' was folded", line);
    assert_string_equal(room.why.code, code);
    if (text)
        assert_string_equal(room.why.text, text);
    assert_memory_equal(&before, &room.world, sizeof before);
}

static void nothing_comes_before_the_first_entry(void **state) {
    static const char *const lines[] = {"1 @ann join Ann", "1 - deal x", "1 0 pass",
                                        "1 - close",       "1 - away 0", "1 @ann fly"};
    world_empty(&room.world, &world_times_usual);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        fold_refuses(lines[i], "BAD_REQUEST", NULL);
    assert_int_equal(world_due(&room.world), INT64_MAX);
    assert_int_equal(world_tick(&room.world, 5, &room.news), WORLD_NOTHING);
    room_open(&room, "whos-deal");
    fold_refuses("1000000 @bob create K7M2QX 4-kate", "BAD_REQUEST", "Nobody can 'create' here");
    fold_refuses("1000000 - fly", "BAD_REQUEST", "Nobody can 'fly' here");
    fold_refuses("1000000 @ann fly", "BAD_REQUEST", "Nobody can 'fly' here");
}

static void a_fold_asks_who_may(void **state) {
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    fold_refuses("1000000 @zoe leave", "NOT_A_MEMBER", NULL);
    fold_refuses("1000000 @zoe say Hi", "NOT_A_MEMBER", NULL);
    fold_refuses("1000000 @zoe name Zoe", "NOT_A_MEMBER", NULL);
    fold_refuses("1000000 @bob start", "NOT_OWNER", NULL);
    fold_refuses("1000000 @ann again", "WRONG_PHASE", NULL);
    fold_refuses("1000000 @bob join bob", "BAD_RECORD", "This entry changes nothing");
    fold_refuses("999999 @ann start", "BAD_RECORD", "Time goes back in this log");
    fold_refuses("1000000 - gone zoe", "NOT_A_MEMBER", NULL);
    fold_refuses("1000000 - gone", "BAD_REQUEST", "An id of 1 to 23 bytes is missing");
    fold_refuses("1000000 - away 0", "WRONG_PHASE", NULL);
    fold_refuses("1000000 - back 0", "WRONG_PHASE", NULL);
    fold_refuses("1000000 0 pass", "WRONG_PHASE", NULL);
    fold_refuses("1000000 - deal x", "WRONG_PHASE", NULL);
    room_do(&room, "ann start");
    fold_refuses("1000000 - away 2", "WRONG_PHASE", NULL); /* a bot's */
    fold_refuses("1000000 - away 4", "INVALID_SEAT", NULL);
    fold_refuses("1000000 - away", "BAD_REQUEST", "Which seat?");
    fold_refuses("1000000 - back", "BAD_REQUEST", "Which seat?");
    fold_refuses("1000000 - back 1", "WRONG_PHASE", NULL);
    fold_refuses("1000000 - back 2", "WRONG_PHASE", NULL);
    fold_refuses("1000000 - shuffle x", "WRONG_PHASE", NULL);
    fold_refuses("1000000 - deal x", "INVALID_DEAL", NULL);
    room_do(&room, "bob leave");
    fold_refuses("1000000 - away 1", "WRONG_PHASE", NULL);
    room_fold(&room, "- back 1");
}

static void a_seat_in_the_middle_of_a_bots_turn_does_not_come_back(void **state) {
    room_open(&room, "hand-and-foot");
    room_do(&room, "eve watch Eve\nann start");
    room_connect(&room, "eve", true);
    room_pass(&room, 0);
    room_do(&room, "ann leave");
    assert_true(room_step(&room, INT64_MAX - 1));
    assert_int_equal(room.world.awaited, 1);
    char line[64];
    snprintf(line, sizeof line, "%lld - back 0", (long long)room.now_ms);
    fold_refuses(line, "WRONG_PHASE", NULL);
}

/* ---- Action ids ---- */

static void a_repeated_action_changes_nothing(void **state) { /* PL-24, WD-122 */
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    room_do(&room, "ann#a swap 0 1");
    int64_t version = room.world.version;
    assert_int_equal(room_act(&room, "ann#a swap 0 1"), WORLD_DUPLICATE);
    assert_int_equal(room_act(&room, "ann#a start"), WORLD_DUPLICATE);
    assert_int_equal(room.world.version, version);
    assert_string_equal(room_seats(&room), "bob ann bot-2 bot-3");
    room_do(&room, "bob#a say Hi"); /* ids are everybody's own */
    room_do(&room, "ann#b swap 0 1");
    room_do(&room, "ann say no id\nann say again");
    room_folds(&room);
}

static void a_refused_action_is_judged_anew(void **state) { /* PL-C11 */
    room_open(&room, "whos-deal");
    room_refuses(&room, "ann#a set targetScore=6", "INVALID_SETTING", NULL);
    room_refuses(&room, "ann#a again", "WRONG_PHASE", NULL);
    room_do(&room, "ann#a set targetScore=7");
    assert_int_equal(room_act(&room, "ann#b join Ann"), WORLD_NOTHING);
    room_do(&room, "ann#b say Hi");
}

static void the_last_256_are_remembered(void **state) { /* PL-C11 */
    char line[64];
    room_open(&room, "whos-deal");
    for (int i = 0; i < WORLD_ACTIONS_MAX; i++) {
        snprintf(line, sizeof line, "ann#%d set targetScore=%d", i, i % 2 ? 7 : 5);
        room_do(&room, line);
    }
    assert_int_equal(room_act(&room, "ann#0 start"), WORLD_DUPLICATE);
    room_do(&room, "ann#256 set targetScore=5");
    assert_int_equal(room_act(&room, "ann#1 start"), WORLD_DUPLICATE);
    room_do(&room, "ann#0 set targetScore=10");
    assert_int_equal(room_act(&room, "ann#255 start"), WORLD_DUPLICATE);
    assert_int_equal(room_act(&room, "ann#256 start"), WORLD_DUPLICATE);
    room_folds(&room);
}

static void hashes_tell_person_and_action_apart(void **state) {
    assert_true(world_action_hash(span_of("ab"), span_of("c")) !=
                world_action_hash(span_of("a"), span_of("bc")));
    assert_true(world_action_hash(span_of("a"), span_of("b")) !=
                world_action_hash(span_of("b"), span_of("a")));
    assert_true(world_action_hash(span_of(""), span_of("")) != 0);
    assert_int_equal(world_action_hash(span_of("ann"), span_of("7")), 0x7c9429cd284a99cdull);
}

/* ---- Time ---- */

static void time_never_goes_back_in_a_log(void **state) {
    room_open(&room, "whos-deal");
    room_now_is(&room, 500000);
    room_do(&room, "ann say earlier?");
    assert_non_null(strstr(room.log, "1000000 @ann say"));
    assert_int_equal(room.world.changed_ms, 1000000);
    room_do(&room, "ann start");
    assert_int_equal(room.world.phase_ends_ms, 1000000);
    room_folds(&room);
}

static void a_clock_set_back_brings_nobody_back(void **state) {
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    room_do(&room, "ann start");
    room_pass(&room, 0);
    room_connect(&room, "bob", false);
    room_pass(&room, 60000);
    assert_true(room.world.seat[1].away);
    room_now_is(&room, room.now_ms - 30000);
    assert_int_equal(world_tick(&room.world, room.now_ms, &room.news), WORLD_NOTHING);
    assert_true(room.world.seat[1].away);
}

static void a_late_driver_finds_nothing_that_stays_due(void **state) { /* PL-33 */
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    room_do(&room, "ann start");
    room_pass(&room, 0);
    room_connect(&room, "bob", false);
    room_pass(&room, 61000);
    assert_true(room.world.seat[1].away);
    world_heard_of(&room.world, room.now_ms, span_of("bob")); /* and nobody ticks for an hour */
    room_now_is(&room, room.now_ms + 3600000);
    int entries = 0;
    while (room_step(&room, room.now_ms)) /* fails if something stays due */
        entries++;
    assert_true(entries < 5);
    assert_true(room.world.seat[1].away);
}

static void the_usual_times(void **state) {
    assert_int_equal(world_times_usual.away_ms, 60000);
    assert_int_equal(world_times_usual.lobby_ms, 600000);
    assert_int_equal(world_times_usual.idle_ms, 60000);
    assert_int_equal(world_times_usual.close_ms, 60000);
    assert_int_equal(world_times_usual.abandon_ms, 86400000);
}

/* ---- Saved positions ---- */

static bool loads(int seats, int deals, const char *position) {
    uint8_t seed[CHANCE_SEED_SIZE] = {42};
    struct world_save save = {
        .seats = seats, .deals = deals, .deal_seed = seed, .position = span_of(position)};
    room.news.line_length = 1;
    events_begin(&room.events, room.buffer, sizeof room.buffer);
    bool done = world_load(&room.world, room.now_ms, &save, &room.news, &room.why);
    assert_int_equal(room.news.line_length > 0, done);
    return done;
}

static void what_cannot_be_loaded(void **state) {
    static char huge[WORLD_LINE_SIZE + 1];
    memset(huge, 'x', sizeof huge - 1);
    room_open(&room, "4-kate");
    assert_false(loads(2, 0, "nowhere"));
    assert_string_equal(room.why.code, "BAD_POSITION");
    assert_false(loads(2, 0, huge));
    assert_string_equal(room.why.text, "The saved position is too long");
    fold_refuses("1000000 - position", "BAD_SAVE", "This is no saved position");
    fold_refuses("1000000 - position 2 x "
                 "0000000000000000000000000000000000000000000000000000000000000000 y",
                 "BAD_SAVE", NULL);
    fold_refuses("1000000 - position x 0 00 y", "BAD_SAVE", NULL);
    fold_refuses("1000000 - position 3 0 00 y", "BAD_SAVE", NULL);
    fold_refuses("1000000 - position 0 0 00 y", "BAD_SAVE", NULL);
    fold_refuses("1000000 - position 2", "BAD_SAVE", NULL);
    fold_refuses("1000000 - position 2 -1 00 y", "BAD_SAVE", NULL);
    fold_refuses("1000000 - position 2 0 00 y", "BAD_SAVE", NULL);
    room_do(&room, "ann move 0 1");
    assert_false(loads(1, 0, "her own seat would be gone"));
    assert_string_equal(room.why.code, "BAD_SAVE");
    room_join(&room, "bob");
    assert_false(loads(2, 0, "others are here already"));
    assert_string_equal(room.why.code, "WRONG_PHASE");
}

/* A game between bots and ann that has run for a while, as a line; the room it is from stays. */
static const char *played_position(int entries) {
    static char line[POSITION_TEXT_SIZE];
    struct text text;
    room_open(&room, "hand-and-foot");
    room_do(&room, "ann start");
    while (room.world.version < entries)
        room_go_on(&room);
    text_begin(&text, line, sizeof line);
    game_print_position(room.world.game, &room.world.state, &text);
    assert_false(text.cut);
    return line;
}

static void open_saved(int entries) {
    const char *position = played_position(entries);
    room_open(&room, "hand-and-foot");
    if (!loads(4, 3, position))
        fail_msg("not loaded: %s", room.why.text);
    room_remember(&room);
}

static void a_saved_game_goes_on(void **state) { /* HF-98, HF-100 */
    uint8_t seed[CHANCE_SEED_SIZE] = {42}, deal[CHANCE_SEED_SIZE];
    char line[WORLD_LINE_SIZE];
    struct text text;
    played_position(60);
    uint64_t hash = game_hash(room.world.game, &room.world.state);
    open_saved(60);
    assert_int_equal(room.world.status, WORLD_WAITING);
    assert_true(room.world.loaded);
    room_told(&room, "world-updated", NULL);
    assert_string_equal(room_seats(&room), "ann bot-1 bot-2 bot-3");
    room_folds(&room);
    room_do(&room, "ann start");
    assert_false(room.world.loaded);
    assert_int_equal(game_hash(room.world.game, &room.world.state), hash);
    assert_true(room.world.awaited != 0);
    while (room.world.deals == 3)
        room_go_on(&room);
    chance_deal_seed(seed, 3, deal); /* the deals go on where they were */
    text_begin(&text, line, sizeof line);
    text_hex(&text, deal, sizeof deal);
    assert_non_null(strstr(room_last(&room), line));
    room_folds(&room);
}

/* The hands as one string. */
static const char *hands(void) {
    static char line[POSITION_TEXT_SIZE];
    struct text text;
    text_begin(&text, line, sizeof line);
    game_print_position(room.world.game, &room.world.state, &text);
    return line;
}

static void HF_C48_a_loaded_game_is_no_rigged_table(void **state) {
    char before[POSITION_TEXT_SIZE], public_before[GAME_STATE_SIZE_MAX];
    struct game_state seen;
    open_saved(60);
    assert_string_equal(room_shows(&room, "ann", "loadedBy"),
                        "{\"playerId\":\"ann\",\"name\":\"Ann\"}");
    room_join(&room, "bob");
    snprintf(before, sizeof before, "%s", hands());
    game_observe(room.world.game, &room.world.state, SPECTATOR, &seen);
    memcpy(public_before, seen.bytes, room.world.game->state_size);
    room_do(&room, "ann start");
    assert_string_not_equal(hands(), before);
    game_observe(room.world.game, &room.world.state, SPECTATOR, &seen);
    assert_memory_equal(seen.bytes, public_before, room.world.game->state_size);
    assert_string_equal(room_shows(&room, "bob", "loadedBy.name"), "Ann");
    room_folds(&room);
    for (int i = 0; i < 20; i++)
        room_go_on(&room);
    room_folds(&room);
}

static void HF_C48_latecomers_wait_for_cards_that_nobody_knows(void **state) {
    uint8_t seed[CHANCE_SEED_SIZE] = {42};
    open_saved(60);
    room_do(&room, "ann start\neve watch Eve");
    assert_memory_equal(room.world.deal_seed, seed, sizeof seed); /* as in the file */
    room_do(&room, "eve sit");
    room_connect(&room, "eve", true);
    assert_memory_not_equal(room.world.deal_seed, seed, sizeof seed);
    assert_string_equal(room_seats(&room), "ann bot-1 bot-2 bot-3");
    while (room.world.deals == 3)
        room_go_on(&room);
    while (!world_owns_seat(&room.world, span_of("eve")) && room.world.deals == 4)
        room_go_on(&room);
    assert_true(world_owns_seat(&room.world, span_of("eve")));
    room_folds(&room);
}

static void HF_C48_who_saved_knows_no_cards_of_latecomers(void **state) {
    uint8_t saved[CHANCE_SEED_SIZE], hidden[CHANCE_SEED_SIZE];
    room_open(&room, "hand-and-foot");
    room_refuses(&room, "ann save", "WRONG_PHASE", NULL);
    room_do(&room, "ann start\neve watch Eve");
    while (room.world.deals == 0)
        room_go_on(&room);
    room_refuses(&room, "eve save", "NOT_OWNER", NULL);
    room_refuses(&room, "ann save it", "BAD_REQUEST", NULL);
    room_do(&room, "ann save");
    assert_int_equal(room_act(&room, "ann save"), WORLD_NOTHING);
    memcpy(saved, room.world.deal_seed, sizeof saved);
    room_do(&room, "eve sit");
    assert_string_equal(room_seats(&room), "ann bot-1 bot-2 bot-3"); /* until the next deal */
    assert_memory_not_equal(room.world.deal_seed, saved, sizeof saved);
    memcpy(hidden, room.world.deal_seed, sizeof hidden);
    room_do(&room, "eve leave\nfay watch Fay\nfay sit"); /* Ann may have saved in between */
    assert_memory_not_equal(room.world.deal_seed, hidden, sizeof hidden);
    room_folds(&room);
}

static void HF_C48_who_saved_knows_no_cards_of_the_next_game(void **state) {
    uint8_t saved[CHANCE_SEED_SIZE], next[CHANCE_SEED_SIZE];
    room_open(&room, "4-kate");
    room_do(&room, "ann start");
    while (room.world.status == WORLD_PLAYING)
        room_go_on(&room);
    room_do(&room, "ann save");
    memcpy(saved, room.world.deal_seed, sizeof saved);
    room_do(&room, "ann again");
    chance_deal_seed(saved, 1 << 30, next); /* what it would have been */
    assert_memory_not_equal(room.world.deal_seed, next, sizeof next);
    assert_false(room.world.saved);
    room_folds(&room);
}

/* Logs from before cards were dealt anew come out as they did. */
static void HF_C48_older_logs_keep_their_cards(void **state) {
    char line[WORLD_LINE_SIZE], before[POSITION_TEXT_SIZE];
    struct refusal why;
    uint8_t seed[CHANCE_SEED_SIZE] = {42};
    struct text text;
    const char *position = played_position(60);
    room_open(&room, "hand-and-foot");
    text_begin(&text, line, sizeof line);
    text_string(&text, "1000000 - position 4 3 ");
    text_hex(&text, seed, sizeof seed);
    text_char(&text, ' ');
    text_string(&text, position);
    assert_true(world_fold(&room.world, (struct span){line, text.length}, &why));
    snprintf(before, sizeof before, "%s", hands());
    assert_true(world_fold(&room.world, span_of("1000000 @bob join Bob"), &why));
    assert_true(world_fold(&room.world, span_of("1000000 @ann start"), &why));
    assert_string_equal(hands(), before);
    assert_string_equal(room.world.loader, "ann");
}

static void recalls(int64_t time_ms, int seat, const char *text) {
    struct world_tail line = {.time_ms = time_ms, .seat = (int8_t)seat};
    snprintf(line.text, sizeof line.text, "%s", text);
    events_begin(&room.events, room.buffer, sizeof room.buffer);
    if (!world_recall(&room.world, room.now_ms, &line, &room.news, &room.why))
        fail_msg("not recalled: %s", room.why.text);
    room_remember(&room);
}

static void a_saved_game_brings_its_log(void **state) { /* HF-95, HF-C17 */
    open_saved(60);
    recalls(ROOM_BEGIN_MS - 9000, NATURE, "Round 1 begins");
    room_told(
        &room, "log-recalled",
        "{\"seatIndex\":null,\"player\":null,\"message\":\"Round 1 begins\",\"time\":991000}");
    recalls(ROOM_BEGIN_MS + 900000, 2, "drew 2 cards"); /* by a clock that was ahead */
    room_told(&room, "log-recalled",
              "{\"seatIndex\":2,\"player\":\"Bot\",\"message\":\"drew 2 cards\",\"time\":1000000}");
    assert_string_equal(room_last(&room), "- told 1900000 2 drew 2 cards");
    fold_refuses("1000000 - told", "BAD_SAVE", "This is no line of a log");
    fold_refuses("1000000 - told 1 -", "BAD_SAVE", NULL);
    fold_refuses("1000000 - told x - words", "BAD_SAVE", NULL);
    fold_refuses("1000000 - told 1 4 words", "BAD_SAVE", NULL);
    fold_refuses("1000000 - told 1 -1 words", "BAD_SAVE", NULL);
    room_folds(&room);
    room_do(&room, "ann start");
    assert_string_equal(room_shows(&room, "ann", "view.log.0.message"), "Round 1 begins");
    assert_string_equal(room_shows(&room, "ann", "view.log.1.message"), "drew 2 cards");
    fold_refuses("1000000 - told 1 - words", "WRONG_PHASE", NULL);
    room_open(&room, "hand-and-foot");
    fold_refuses("1000000 - told 1 - words", "WRONG_PHASE", NULL);
}

/* Figures count what was played in this world, because a file may claim anything. */
static void a_saved_game_brings_no_figures(void **state) {
    static char line[POSITION_TEXT_SIZE];
    struct text text;
    room_open(&room, "hand-and-foot");
    room_do(&room, "ann start");
    while (!world_round_has_ended(&room.world))
        room_go_on(&room);
    assert_int_equal(room.world.figures[0][0], 1);
    text_begin(&text, line, sizeof line);
    game_print_position(room.world.game, &room.world.state, &text);
    room_open(&room, "hand-and-foot");
    assert_true(loads(4, 1, line));
    room_remember(&room);
    room_do(&room, "ann start");
    assert_true(world_round_has_ended(&room.world));
    assert_int_equal(room.world.figures[0][0], 0);
    room_do(&room, "ann next");
    room_go_on(&room); /* the next deal */
    assert_int_equal(room.world.figures[0][0], 0);
    while (!world_round_has_ended(&room.world))
        room_go_on(&room);
    assert_int_equal(room.world.figures[0][0], 1);
}

static void a_saved_game_among_people_has_other_deals(void **state) { /* PL-37 */
    uint8_t seed[CHANCE_SEED_SIZE] = {42};
    open_saved(60);
    room_join(&room, "bob");
    assert_memory_equal(room.world.deal_seed, seed, sizeof seed);
    room_do(&room, "ann start");
    assert_memory_not_equal(room.world.deal_seed, seed, sizeof seed);
    assert_memory_not_equal(room.world.deal_seed, room.world.bot_seed, sizeof seed);
    room_folds(&room);
}

static void a_saved_game_keeps_its_rules_and_seats(void **state) {
    open_saved(60);
    assert_false(loads(4, 0, "once is enough"));
    assert_string_equal(room.why.code, "WRONG_PHASE");
    room_refuses(&room, "ann set targetScore=2000", "SETTING_LOCKED",
                 "A saved game goes on with its own rules");
    room_refuses(&room, "ann start targetScore=2000", "SETTING_LOCKED", NULL);
    room_refuses(&room, "ann preset closers", "SETTING_LOCKED",
                 "A saved game goes on with its own rules");
    room_refuses(&room, "ann bot 1 closed", "INVALID_SETTING", "This game needs every seat");
    room_do(&room, "ann set speed=instant\nann bot 1 hard");
    room_join(&room, "bob");
    assert_string_equal(room_seats(&room), "ann bob bot-2 bot-3");
    assert_string_equal(room_shows(&room, "ann", "seats.1.team"), "null");
    room_do(&room, "bob leave");
    assert_string_equal(room_seats(&room), "ann bot-1 bot-2 bot-3");
    room_open(&room, "hand-and-foot");
    room_do(&room, "ann move 0 2\nann bot 0 hard\nann bot 1 open\nann bot 3 closed");
    const struct game *game = room.world.game;
    static struct room played;
    memcpy(&played, &room, sizeof room);
    char line[POSITION_TEXT_SIZE];
    snprintf(line, sizeof line, "%s", played_position(60));
    memcpy(&room, &played, sizeof room);
    assert_true(loads(4, 3, line)); /* places that nobody takes are the bots' */
    assert_string_equal(room_seats(&room), "bot-0 bot-1 ann bot-3");
    assert_int_equal(room.world.seat[0].level, BOT_HARD);
    assert_ptr_equal(room.world.game, game);
}

static void the_record_of_a_saved_game(void **state) { /* PL-37 */
    static char record[ROOM_LOG_SIZE];
    open_saved(60);
    room_do(&room, "ann start speed=instant");
    room_go_on(&room);
    const char *running = room_export(&room);
    assert_non_null(strstr(running, "\n# position (shown when it is no secret any longer)\n"));
    assert_null(strstr(running, "\nposition"));
    while (room.world.round_version == 0) /* the loaded round is over, the next one runs */
        room_go_on(&room);
    assert_non_null(strstr(room_export(&room), "\nposition"));
    assert_non_null(strstr(room_export(&room), "\n# - deal (shown"));
    while (room.world.status == WORLD_PLAYING)
        room_go_on(&room);
    snprintf(record, sizeof record, "%s", room_export(&room));
    struct record_reader reader;
    struct record_header header;
    struct record_entry entry;
    struct record_error error;
    struct options options;
    struct game_state replayed = {0};
    record_open(&reader, span_of(record));
    assert_true(record_read_header(&reader, &header, &error));
    assert_non_null(header.position.data);
    const struct game *game = room.world.game;
    assert_true(record_start(&reader, &header, game, &options, &replayed, &error));
    while (record_next(&reader, &entry, &error) == RECORD_ENTRY)
        if (!game_play_text(game, &replayed, entry.seat, entry.text, NULL, &error.why))
            fail_msg("'%.*s': %s", (int)entry.text.length, entry.text.data, error.why.text);
    assert_int_equal(game_hash(game, &replayed), game_hash(game, &room.world.state));
}

static void what_would_be_answered(void **state) {
    struct refusal why;
    room_open(&room, "4-kate");
    room_join(&room, "bob");
    struct world before = room.world;
    struct world_action start = {.id = span_of("ann"), .words = span_of("start")};
    assert_int_equal(world_would(&room.world, room.now_ms, &start, &why), WORLD_DONE);
    start.id = span_of("bob");
    assert_int_equal(world_would(&room.world, room.now_ms, &start, &why), WORLD_REFUSED);
    assert_string_equal(why.code, "NOT_OWNER");
    assert_memory_equal(&before, &room.world, sizeof before);
}

/* ---- Erasing ---- */

/* The log without a person, which must fold, into the room. */
static void erase(const char *id, const char *other_id) {
    static char log[ROOM_LOG_SIZE], line[2 * WORLD_LINE_SIZE];
    struct world_erasure erasure = {.id = span_of(id), .other_id = span_of(other_id)};
    size_t end = 0;
    for (size_t at = 0; at < room.log_length; at += strcspn(room.log + at, "\n") + 1)
        world_erase_look(&erasure, (struct span){room.log + at, strcspn(room.log + at, "\n")});
    for (size_t at = 0, length; at < room.log_length; at += length + 1) {
        length = strcspn(room.log + at, "\n");
        struct span entry = {room.log + at, length};
        struct text text;
        text_begin(&text, line, sizeof line);
        if (world_erase_line(&erasure, entry, &text))
            entry = (struct span){text.data, text.length};
        assert_true(end + entry.length + 1 < sizeof log);
        memcpy(log + end, entry.data, entry.length);
        end += entry.length;
        log[end++] = '\n';
    }
    memcpy(room.log, log, end);
    room.log[end] = '\0';
    room.log_length = end;
}

static void fold(struct world *folded) {
    world_empty(folded, &world_times_usual);
    for (size_t at = 0, length; at < room.log_length; at += length + 1) {
        length = strcspn(room.log + at, "\n");
        assert_true(world_fold(folded, (struct span){room.log + at, length}, &room.why));
    }
}

static void an_erased_person_leaves_no_name_and_no_word(void **state) {
    static struct world folded;
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    room_do(&room,
            "bob name Bobby-Lee\nbob say I am Bobby-Lee\nann say Hello Bobby-Lee, Bobby-Leeds\n"
            "ann mute bob\nann owner bob\nbob team a Bobs\nbob leave");
    int64_t version = room.world.version;
    erase("bob", "erased-x");
    assert_null(strstr(room.log, "@bob"));
    assert_null(strstr(room.log, "Bobs"));
    assert_null(strstr(room.log, "I am"));
    assert_non_null(strstr(room.log, "@erased-x join Somebody\n"));
    assert_non_null(strstr(room.log, "@erased-x name Somebody 2\n"));
    assert_non_null(strstr(room.log, "@erased-x say ***\n"));
    assert_non_null(strstr(room.log, "@ann say Hello *********, Bobby-Leeds\n"));
    assert_non_null(strstr(room.log, "@ann mute erased-x\n"));
    fold(&folded);
    assert_int_equal(folded.version, version);
    assert_string_equal(folded.team_name[0], "Team 1");
    assert_true(world_is_erased("erased-x") && !world_is_erased("bob"));
}

/* Whatever teams are called before and after, also by somebody who was erased earlier. */
static void teams_that_several_named_who_are_erased(void **state) {
    static struct world folded;
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    room_join(&room, "cid");
    room_do(&room, "ann team a Anns\nann owner bob\nbob team a Bobs\nbob owner cid\n"
                   "cid team a Team 2\ncid team b Team 2147483647");
    int64_t version = room.world.version;
    erase("ann", "erased-x");
    erase("bob", "erased-y");
    assert_null(strstr(room.log, "Anns"));
    assert_null(strstr(room.log, "Bobs"));
    fold(&folded);
    assert_int_equal(folded.version, version);
    assert_string_equal(folded.team_name[0], "Team 2");
    assert_string_equal(folded.team_name[1], "Team 2147483647");
}

/* Of two names of teams in which theirs stand, none becomes the other. */
static void teams_that_others_called_after_somebody_who_is_erased(void **state) {
    static struct world folded;
    room_open(&room, "whos-deal");
    room_join(&room, "bob");
    room_do(&room, "bob name Bobby-Lee\nbob name Bobby-Joe\nann team a Bobby-Lee and Ann\n"
                   "ann team a Bobby-Joe and Ann\nann team b Bobby-Leeds\nann team b Team 2");
    int64_t version = room.world.version;
    erase("bob", "erased-x");
    assert_null(strstr(room.log, "Bobby-Lee "));
    assert_null(strstr(room.log, "Bobby-Joe"));
    assert_non_null(strstr(room.log, "@ann team b Bobby-Leeds\n"));
    fold(&folded);
    assert_int_equal(folded.version, version);
    assert_string_equal(folded.team_name[0], "Team 4");
    assert_string_equal(folded.team_name[1], "Team 2");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_read_and_written_alike),
        cmocka_unit_test(what_is_no_entry),
        cmocka_unit_test(the_log_of_a_world),
        cmocka_unit_test(a_log_is_folded_by_its_own_rules_or_not_at_all),
        cmocka_unit_test(nothing_comes_before_the_first_entry),
        cmocka_unit_test(a_fold_asks_who_may),
        cmocka_unit_test(a_seat_in_the_middle_of_a_bots_turn_does_not_come_back),
        cmocka_unit_test(a_repeated_action_changes_nothing),
        cmocka_unit_test(a_refused_action_is_judged_anew),
        cmocka_unit_test(the_last_256_are_remembered),
        cmocka_unit_test(hashes_tell_person_and_action_apart),
        cmocka_unit_test(time_never_goes_back_in_a_log),
        cmocka_unit_test(a_clock_set_back_brings_nobody_back),
        cmocka_unit_test(a_late_driver_finds_nothing_that_stays_due),
        cmocka_unit_test(the_usual_times),
        cmocka_unit_test(what_cannot_be_loaded),
        cmocka_unit_test(a_saved_game_goes_on),
        cmocka_unit_test(HF_C48_a_loaded_game_is_no_rigged_table),
        cmocka_unit_test(HF_C48_who_saved_knows_no_cards_of_latecomers),
        cmocka_unit_test(HF_C48_who_saved_knows_no_cards_of_the_next_game),
        cmocka_unit_test(HF_C48_latecomers_wait_for_cards_that_nobody_knows),
        cmocka_unit_test(HF_C48_older_logs_keep_their_cards),
        cmocka_unit_test(a_saved_game_brings_its_log),
        cmocka_unit_test(a_saved_game_brings_no_figures),
        cmocka_unit_test(a_saved_game_among_people_has_other_deals),
        cmocka_unit_test(a_saved_game_keeps_its_rules_and_seats),
        cmocka_unit_test(the_record_of_a_saved_game),
        cmocka_unit_test(what_would_be_answered),
        cmocka_unit_test(an_erased_person_leaves_no_name_and_no_word),
        cmocka_unit_test(teams_that_several_named_who_are_erased),
        cmocka_unit_test(teams_that_others_called_after_somebody_who_is_erased),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
