/* Saved games of Hand & Foot: what a file holds, what is read from it, and what is refused. */
#include "engine/json_tree.h"
#include "formats/save_world.h"
#include "games/hand_and_foot/hand_and_foot.h"
#include "tests/support.h"

#include <jansson.h>
#include <stdlib.h>
#include <time.h>

#define TIME "2025-12-04T10:30:00Z"

static char text[SAVE_TEXT_SIZE];
static struct save_nodes nodes;

static const struct hand_and_foot *look(const struct save *save) {
    return (const void *)save->state.bytes;
}

/* ---- Games ---- */

static void start(struct save *save, const char *options, int seats, uint64_t seed) {
    static const char *const names[] = {"Alice", "Bob Two", "Zoë", "D*ve", "Eve", "Fay"};
    const struct game *game = save_game();
    memset(save, 0, sizeof *save);
    save->seats = seats;
    chance_seed_of_number(seed, save->game_seed);
    snprintf(save->time, sizeof save->time, TIME);
    for (int seat = 0; seat < seats; seat++) {
        snprintf(save->seat[seat].name, sizeof save->seat[seat].name, "%s", names[seat]);
        save->seat[seat].bot = seat > 0;
        save->seat[seat].level = seat > 0 ? (enum bot_level)(seat % 3) : BOT_MEDIUM;
    }
    options_default(&game->options, &save->options);
    assert_true(options_parse(&game->options, span_of(options), &save->options, NULL));
    assert_true(game_start(game, &save->state, &save->options, seats, NULL));
}

/* HF-99: NATURE's seeds are made from the game's, so equal positions with the same `taste` make the
 * same choices. */
static bool step(struct save *save, uint64_t taste) {
    const struct game *game = save_game();
    uint32_t awaited = game_to_act(game, &save->state);
    uint8_t seed[CHANCE_SEED_SIZE];
    struct chance chance;
    struct move moves[GAME_LEGAL_MAX];
    if ((awaited & AWAITS_NATURE) != 0) {
        chance_deal_seed(save->game_seed, save->deals++, seed);
        assert_true(game_deal_seed(game, &save->state, seed, NULL, NULL));
    } else if (awaited != 0) {
        int seat = __builtin_ctz(awaited);
        chance_start_number(&chance, game_hash(game, &save->state), taste);
        size_t count = game_legal(game, &save->state, seat, moves);
        size_t pick = chance_below(&chance, (uint32_t)count);
        if (chance_below(&chance, 10) > 0)
            bot_choose(game, &save->state, seat, BOT_HARD, &chance, &moves[pick]);
        assert_true(game_play(game, &save->state, seat, &moves[pick], NULL, NULL));
    }
    return awaited != 0;
}

static void load(const char *json, struct save *out) {
    struct refusal why = {0};
    if (!save_read(span_of(json), &nodes, out, &why))
        fail_msg("%s: %s", why.text, json);
}

static const char *write(const struct save *save) {
    assert_true(save_write(save, text, sizeof text));
    return text;
}

static void same(const struct save *a, const struct save *b) {
    assert_memory_equal(a->state.bytes, b->state.bytes, sizeof(struct hand_and_foot));
    assert_memory_equal(&a->options, &b->options, sizeof a->options);
    assert_memory_equal(a->game_seed, b->game_seed, sizeof a->game_seed);
    assert_int_equal(a->deals, b->deals);
    assert_int_equal(a->seats, b->seats);
    for (int i = 0; i < a->seats; i++) {
        assert_string_equal(a->seat[i].name, b->seat[i].name);
        assert_int_equal(a->seat[i].bot, b->seat[i].bot);
        assert_int_equal(a->seat[i].level, b->seat[i].level);
    }
    assert_string_equal(a->time, b->time);
}

static const char *const tables[] = {
    "",
    "preset=partners",
    "preset=closers",
    "preset=partners askPartner=yes layRedThrees=yes cleanToGoOut=1 dirtyToGoOut=0",
    "undo=yes wildBooks=yes closing=explicit booksPerRank=any bookSize=5 rounds=2 minimums=0",
};

enum { TABLES = sizeof tables / sizeof *tables, STEPS_MAX = 20000 };

/* Plays both games to their end, or for many moves: at each step they are the same. */
static void finish_both(const struct save *save, const struct save *loaded, uint64_t taste) {
    static struct save one, two;
    struct result first, second;
    one = *save;
    two = *loaded;
    for (uint64_t i = 0; i < STEPS_MAX && step(&one, taste + i); i++) {
        assert_true(step(&two, taste + i));
        assert_int_equal(game_hash(save_game(), &one.state), game_hash(save_game(), &two.state));
    }
    same(&one, &two);
    game_result(save_game(), &one.state, &first);
    game_result(save_game(), &two.state, &second);
    assert_memory_equal(first.score, second.score, sizeof first.score);
    assert_int_equal(first.winners, second.winners);
    assert_true(first.over);
}

UNIT_TEST(hf_100_a_loaded_game_goes_on_as_the_saved_one) {
    static struct save save, loaded;
    for (uint64_t i = 0; i < TABLES; i++) {
        start(&save, tables[i], 4, 12345 + i);
        uint64_t steps = 0;
        do {
            load(write(&save), &loaded);
            same(&save, &loaded);
            if (steps++ % 400 == 0)
                finish_both(&save, &loaded, i);
        } while (step(&save, steps) && steps < STEPS_MAX);
        assert_true(steps > 300 && steps < STEPS_MAX);
    }
}

/* ---- The fields ---- */

/* A value by its path: `players.0.hand`. */
static json_t *at(json_t *json, const char *path) {
    struct scan scan;
    struct span word;
    char copy[128];
    snprintf(copy, sizeof copy, "%s", path);
    for (char *c = copy; *c; c++)
        *c = *c == '.' ? ' ' : *c;
    scan = scan_of(span_of(copy));
    while (json && scan_word(&scan, &word)) {
        char key[64];
        snprintf(key, sizeof key, "%.*s", (int)word.length, word.data);
        json = json_is_array(json) ? json_array_get(json, (size_t)atoi(key))
                                   : json_object_get(json, key);
    }
    return json;
}

/* A game of two in the middle of its second round, with melds of both sides on the table. */
static void middle(struct save *save, const char *options, int seats) {
    uint64_t steps = 0;
    start(save, options, seats, 12345);
    while (look(save)->round < 2 || look(save)->book_count < 4 ||
           look(save)->turn_phase != HAND_FOOT_TURN_MELD || look(save)->in_foot[0] ||
           !look(save)->melded[0] || !look(save)->melded[1])
        assert_true(step(save, ++steps));
}

static json_t *parse(const char *json) {
    json_error_t error;
    json_t *root = json_loads(json, 0, &error);
    if (!root)
        fail_msg("%s", error.text);
    return root;
}

UNIT_TEST(hf_98_a_save_has_the_fields_of_the_specification) {
    static struct save save;
    middle(&save, "", 2);
    json_t *root = parse(write(&save));
    assert_string_equal(json_string_value(at(root, "version")), "1.0");
    assert_int_equal(json_integer_value(at(root, "gameSeed")), 12345);
    assert_string_equal(json_string_value(at(root, "gameState.phase")), "playing");
    assert_int_equal(json_integer_value(at(root, "gameState.round")), 2);
    assert_int_equal(json_integer_value(at(root, "gameState.currentPlayerIndex")),
                     look(&save)->current);
    assert_string_equal(json_string_value(at(root, "gameState.turnPhase")), "meld");
    assert_true(json_is_boolean(at(root, "gameState.discardPileFrozen")));
    assert_string_equal(json_string_value(at(root, "players.0.id")), "player1");
    assert_string_equal(json_string_value(at(root, "players.0.name")), "Alice");
    assert_string_equal(json_string_value(at(root, "players.0.type")), "human");
    assert_string_equal(json_string_value(at(root, "players.1.type")), "bot");
    assert_int_equal(json_integer_value(at(root, "players.0.score")), look(&save)->total[0]);
    assert_int_equal(json_array_size(at(root, "players.0.hand")), look(&save)->hand_count[0]);
    assert_int_equal(json_array_size(at(root, "players.0.foot")), 11);
    assert_true(json_array_size(at(root, "players.0.melds")) > 0);
    assert_true(json_is_string(at(root, "players.0.melds.0.rank")));
    assert_true(json_array_size(at(root, "players.0.melds.0.cards")) >= 3);
    assert_true(json_is_true(at(root, "players.0.hasPlayedDown")));
    assert_true(json_is_false(at(root, "players.0.hasPickedUpFoot")));
    assert_int_equal(json_array_size(at(root, "discardPile")), look(&save)->pile_count);
    assert_string_equal(json_string_value(at(root, "timestamp")), TIME);
    json_decref(root);
}

/* HF-7: the members of a card; HF-C12: a three's value is what it costs. */
UNIT_TEST(hf_98_cards_are_written_as_the_specification_has_them) {
    static struct save save;
    start(&save, "", 2, 1);
    step(&save, 0);
    write(&save);
    assert_non_null(strstr(text, "\"rank\":\"king\",\"suit\":\"hearts\",\"isWild\":false,"
                                 "\"isThree\":false,\"pointValue\":10}"));
    assert_non_null(strstr(text, "\"rank\":\"joker\",\"suit\":null,\"isWild\":true,"
                                 "\"isThree\":false,\"pointValue\":50}"));
    assert_non_null(strstr(text, "\"rank\":\"3\",\"suit\":\"diamonds\",\"isWild\":false,"
                                 "\"isThree\":true,\"pointValue\":-300}"));
    assert_non_null(strstr(text, "\"id\":\"10S.3\""));
    assert_null(strstr(text, "\"id\":\"10S.4\""));
}

UNIT_TEST(hf_99_a_seed_is_a_number_or_hex) {
    static struct save save, loaded;
    start(&save, "", 2, 12345);
    for (int i = 0; i < CHANCE_SEED_SIZE; i++)
        save.game_seed[i] = (uint8_t)(i * 7 + 1);
    load(write(&save), &loaded);
    same(&save, &loaded);
    assert_non_null(strstr(text, "\"gameSeed\":\"01080f16"));
    chance_seed_of_number((uint64_t)1 << 60, save.game_seed);
    load(write(&save), &loaded);
    same(&save, &loaded);
    assert_non_null(strstr(text, "\"gameSeed\":\"0000000000000010")); /* too large for JavaScript */
    assert_true(save_parse_seed(span_of("12345"), save.game_seed));
    assert_int_equal(save.game_seed[0], 0x39);
    assert_true(save_parse_seed(span_of("9223372036854775807"), save.game_seed));
    assert_false(save_parse_seed(span_of("9223372036854775808"), save.game_seed));
    assert_false(save_parse_seed(span_of("99999999999999999999"), save.game_seed));
    assert_false(save_parse_seed(span_of(""), save.game_seed));
    assert_false(save_parse_seed(span_of("-1"), save.game_seed));
}

UNIT_TEST(hf_c17_the_log_of_actions_is_kept) {
    static struct save save, loaded;
    start(&save, "", 2, 1);
    save.actions = 3;
    save.action[0] = (struct save_action){"drew \"two\" cards", "Alice", TIME, 0};
    save.action[1] = (struct save_action){"discarded 3H", "Alice", TIME, 1}; /* by the id */
    save.action[2] = (struct save_action){"Round 1 begins", "", TIME, NATURE};
    load(write(&save), &loaded);
    assert_int_equal(loaded.actions, 3);
    for (int i = 0; i < 3; i++) {
        const struct save_action *read = &loaded.action[i], *kept = &save.action[i];
        assert_string_equal(read->message, kept->message);
        assert_string_equal(read->player, kept->player);
        assert_string_equal(read->time, kept->time);
        assert_int_equal(read->seat, kept->seat);
    }
}

static void expect_time(int64_t time_ms, const char *expected) {
    char written[SAVE_TIME_SIZE];
    int64_t back = -1;
    save_write_time(time_ms, written);
    assert_string_equal(written, expected);
    assert_true(save_read_time(span_of(expected), &back));
    assert_true(back == time_ms / 1000 * 1000);
}

UNIT_TEST(hf_98_times_are_utc) {
    char text_of_time[SAVE_TIME_SIZE];
    int64_t ignored;
    expect_time(0, "1970-01-01T00:00:00Z");
    expect_time(951782399999, "2000-02-28T23:59:59Z");
    expect_time(951782400000, "2000-02-29T00:00:00Z");
    expect_time(951868800000, "2000-03-01T00:00:00Z");
    expect_time(1764844200123, "2025-12-04T10:30:00Z");
    expect_time(4107542400000, "2100-03-01T00:00:00Z"); /* no leap year */
    expect_time(253402300799000, "9999-12-31T23:59:59Z");
    for (int64_t day = 0; day < 80000; day++) { /* against the machine's own calendar */
        time_t seconds = day * 86400 + day % 86400;
        char expected[SAVE_TIME_SIZE];
        strftime(expected, sizeof expected, "%Y-%m-%dT%H:%M:%SZ", gmtime(&seconds));
        expect_time(seconds * 1000, expected);
    }
    save_write_time(INT64_MAX, text_of_time);
    assert_string_equal(text_of_time, "9999-12-31T23:59:59Z");
    save_write_time(-5, text_of_time);
    assert_string_equal(text_of_time, "1970-01-01T00:00:00Z");
    assert_false(save_read_time(span_of("2025-13-04T10:30:00Z"), &ignored));
    assert_false(save_read_time(span_of("2025-12-04T24:30:00Z"), &ignored));
    assert_false(save_read_time(span_of("1969-12-31T23:59:59Z"), &ignored));
    assert_false(save_read_time(span_of("yesterday"), &ignored));
}

/* ---- Saves as worlds ---- */

UNIT_TEST(hf_100_a_new_world_is_told_all_of_a_save) {
    static struct save save;
    static struct save_birth birth;
    char long_words[SAVE_MESSAGE_SIZE];
    start(&save, "targetScore=2000", 3, 5);
    save.seat[0].bot = true;
    save.seat[2].bot = false;
    memset(long_words, 'x', sizeof long_words - 1);
    long_words[sizeof long_words - 1] = '\0';
    memcpy(long_words + WORLD_TAIL_TEXT - 2, "\xc3\xab", 2); /* would be cut in two */
    save.actions = 5;
    save.action[0] = (struct save_action){"Round 1 begins", "", "2025-12-04T10:30:01Z", NATURE};
    save.action[1] = (struct save_action){"drew 2 cards", "Bob Two", "2025-12-04T10:30:02Z", 1};
    save.action[2] = (struct save_action){"waved", "Uncle", "yesterday", NATURE};
    save.action[3] = (struct save_action){"  ", "Alice", TIME, 0};
    save.action[4].seat = 2;
    memcpy(save.action[4].message, long_words, sizeof long_words);
    assert_true(save_begin_birth(&save, &birth, NULL));
    static const char *const words[] = {"set targetScore=2000", "bot 1 medium", "bot 2 medium",
                                        "move 0 2"};
    assert_int_equal(birth.word_count, 4);
    for (int i = 0; i < 4; i++)
        assert_true(span_is(birth.words[i], words[i]));
    assert_int_equal(birth.save.log_count, 4);
    assert_string_equal(birth.log[0].text, "Round 1 begins");
    assert_int_equal(birth.log[0].seat, NATURE);
    assert_int_equal(birth.log[1].seat, 1);
    assert_true(birth.log[1].time_ms == 1764844202000);
    assert_string_equal(birth.log[2].text, "Uncle waved");
    assert_true(birth.log[2].time_ms == 1764844200000); /* when the game was saved */
    assert_int_equal(strlen(birth.log[3].text), WORLD_TAIL_TEXT - 2);
}

/* ---- Files that have less ---- */

/* Keeps of each object only what HF-98 names, and of each card rank and suit. */
static void strip(json_t *json) {
    static const char *const kept[] = {"version",       "gameSeed",
                                       "gameState",     "phase",
                                       "round",         "currentPlayerIndex",
                                       "turnPhase",     "discardPileFrozen",
                                       "players",       "id",
                                       "name",          "type",
                                       "score",         "hand",
                                       "foot",          "melds",
                                       "hasPlayedDown", "hasPickedUpFoot",
                                       "discardPile",   "timestamp",
                                       "rank",          "suit",
                                       "cards"};
    const char *key;
    json_t *value;
    void *next;
    size_t index;
    json_object_foreach_safe(json, next, key, value) {
        bool keep = false;
        for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
            keep = keep || strcmp(key, kept[i]) == 0;
        bool card_id = strcmp(key, "id") == 0 && json_object_get(json, "suit");
        if (keep && !card_id)
            strip(value);
        else
            json_object_del(json, key);
    }
    json_array_foreach(json, index, value) {
        strip(value);
    }
}

/* Forgets all of a state that a file with the fields of HF-98 alone cannot hold. */
static void forget(struct hand_and_foot *state) {
    memset(state->new_cards, 0, sizeof state->new_cards);
    state->turns = 0;
}

/* HF-C16: until the pile is shuffled, the deck that a seed gives is exactly the one that was. */
UNIT_TEST(hf_c16_a_file_without_a_deck_gets_it_from_its_seed) {
    static struct save save, loaded;
    start(&save, "", 3, 987654321);
    for (uint64_t i = 0; step(&save, i) && look(&save)->reshuffles == 0 && look(&save)->round < 3;
         i++) {
        struct hand_and_foot *now = (void *)save.state.bytes;
        json_t *root = parse(write(&save));
        json_object_del(at(root, "deck"), "cards");
        char *json = json_dumps(root, 0);
        load(json, &loaded);
        same(&save, &loaded);
        free(json);
        strip(root);
        json = json_dumps(root, 0);
        load(json, &loaded);
        assert_memory_equal(look(&loaded)->stock, now->stock, sizeof now->stock);
        assert_memory_equal(look(&loaded)->hand, now->hand, sizeof now->hand);
        assert_memory_equal(look(&loaded)->pile, now->pile, sizeof now->pile);
        assert_int_equal(loaded.deals, save.deals);
        assert_int_equal(look(&loaded)->turn_phase, now->turn_phase);
        if (now->round == 1 && now->plays == 0 && now->phase == HAND_FOOT_PLAYING &&
            now->book_count == 0) {
            struct save known = save;
            forget((void *)known.state.bytes);
            assert_memory_equal(known.state.bytes, loaded.state.bytes, sizeof *now);
        }
        free(json);
        json_decref(root);
    }
    assert_true(look(&save)->round == 3 || look(&save)->reshuffles > 0);
}

/* Draws and discards, and does nothing else. */
static void idle(struct save *save) {
    const struct game *game = save_game();
    struct move moves[GAME_LEGAL_MAX];
    uint32_t awaited = game_to_act(game, &save->state);
    assert_true(awaited != 0);
    if ((awaited & AWAITS_NATURE) != 0) {
        step(save, 0);
        return;
    }
    int seat = __builtin_ctz(awaited);
    size_t pick = 0, count = game_legal(game, &save->state, seat, moves);
    while (pick < count && moves[pick].verb != HAND_FOOT_DRAW &&
           moves[pick].verb != HAND_FOOT_DISCARD)
        pick++;
    assert_true(game_play(game, &save->state, seat, &moves[pick], NULL, NULL));
}

UNIT_TEST(hf_c17_counters_and_an_awaited_shuffle_are_kept) {
    static struct save save, loaded;
    start(&save, "preset=partners", 4, 5);
    while (look(&save)->phase != HAND_FOOT_SHUFFLING)
        idle(&save);
    ((struct hand_and_foot *)(void *)save.state.bytes)->stalemate = 3;
    load(write(&save), &loaded);
    same(&save, &loaded);
    idle(&save);
    assert_int_equal(look(&save)->reshuffles, 1);
    load(write(&save), &loaded);
    same(&save, &loaded);
}

/* After a reshuffle the order is a new one, but every card is there. */
UNIT_TEST(hf_c16_a_rebuilt_deck_holds_every_card_once) {
    static struct save save, loaded;
    start(&save, "preset=partners", 4, 5);
    while (look(&save)->reshuffles == 0)
        idle(&save);
    json_t *root = parse(write(&save));
    json_object_del(at(root, "deck"), "cards");
    json_object_del(at(root, "deck"), "size");
    char *json = json_dumps(root, 0);
    load(json, &loaded);
    assert_int_equal(look(&loaded)->stock_count, look(&save)->stock_count);
    assert_memory_not_equal(look(&loaded)->stock, look(&save)->stock, look(&save)->stock_count);
    free(json);
    json_decref(root);
}

/* A save of two players, written by hand after section 11.3 of the Hand & Foot specification, with
 * cards in each of the forms that are read. */
#define CARD(rank, suit) "{\"rank\":\"" rank "\",\"suit\":\"" suit "\"}"
#define BY_HAND                                                                                    \
    "{\"version\":\"1.0\",\"gameSeed\":12345,\"gameState\":{\"phase\":\"playing\",\"round\":2,"    \
    "\"currentPlayerIndex\":1,\"turnPhase\":\"meld\",\"discardPileFrozen\":false},\"players\":["   \
    "{\"id\":\"player1\",\"name\":\"Alice\",\"type\":\"human\",\"score\":1250,"                    \
    "\"hand\":[" CARD("king", "hearts") "," CARD(                                                  \
        "3", "clubs") "],"                                                                         \
                      "\"foot\":[" CARD("ace", "spades") "," CARD(                                 \
                          "10",                                                                    \
                          "diamonds") "],\"melds\":[],"                                            \
                                      "\"hasPlayedDown\":false,\"hasPickedUpFoot\":false},"        \
                                      "{\"id\":\"player2\",\"name\":\"Bob\",\"type\":\"bot\","     \
                                      "\"score\":-20,"                                             \
                                      "\"hand\":[{\"rank\":\"joker\",\"suit\":null},\"QH\",{"      \
                                      "\"rank\":9,\"suit\":\"clubs\"}],"                           \
                                      "\"foot\":[],\"melds\":[{\"rank\":\"jack\",\"cards\":"       \
                                      "[" CARD("jack", "spades") "," CARD("J", "H") "," CARD(      \
                                          "2", "clubs") "]}],"                                     \
                                                        "\"hasPlayedDown\":true,"                  \
                                                        "\"hasPickedUpFoot\":true}],"              \
                                                        "\"discardPile\":[" CARD(                  \
                                                            "4",                                   \
                                                            "hearts") "],\"timestamp\":\"2025-12-" \
                                                                      "04T10:30:00Z\"}"

UNIT_TEST(hf_98_a_file_by_hand_is_loaded) {
    static struct save save;
    load(BY_HAND, &save);
    const struct hand_and_foot *now = look(&save);
    assert_int_equal(save.seats, 2);
    assert_string_equal(save.seat[1].name, "Bob");
    assert_true(save.seat[1].bot && !save.seat[0].bot);
    assert_int_equal(save.seat[1].level, BOT_MEDIUM);
    assert_int_equal(save.options.preset, 0);
    assert_int_equal(save.deals, 2);
    assert_int_equal(now->round, 2);
    assert_int_equal(now->current, 1);
    assert_int_equal(now->turn_phase, HAND_FOOT_TURN_MELD);
    assert_true(now->drew_from_deck);
    assert_int_equal(now->plays, 0);
    assert_int_equal(now->total[0], 1250);
    assert_int_equal(now->total[1], -20);
    assert_int_equal(now->hand_count[1], 3);
    assert_int_equal(now->hand[1][CARD_JOKER], 1);
    assert_int_equal(now->hand[1][card_of(9, CARD_CLUBS)], 1);
    assert_true(now->melded[1] && !now->melded[0] && now->in_foot[1]);
    assert_int_equal(now->books[0].rank, CARD_JACK);
    assert_int_equal(now->stock_count, 168 - 2 - 2 - 3 - 3 - 1);
    for (uint64_t i = 0; step(&save, i) && look(&save)->round == 2;)
        i++;
}

/* ---- Refusals ---- */

static void refuses(const char *json, const char *why_text) {
    static struct save save;
    struct refusal why = {0};
    if (save_read(span_of(json), &nodes, &save, &why))
        fail_msg("accepted instead of '%s': %s", why_text, json);
    assert_string_equal(why.text, why_text);
    assert_string_equal(why.code, "BAD_SAVE");
    assert_null(why.at);
}

/* The save with the value at the path replaced, or taken away where it is null. */
static void refuses_with(const struct save *save, const char *path, const char *value,
                         const char *why_text) {
    char parent[128];
    snprintf(parent, sizeof parent, "%s", path);
    char *dot = strrchr(parent, '.'), *key = dot ? dot + 1 : parent;
    json_t *root = parse(write(save));
    if (dot)
        *dot = '\0';
    json_t *object = at(root, dot ? parent : "");
    json_t *new_value = value ? json_loads(value, JSON_DECODE_ANY, NULL) : NULL;
    assert_true(object && (!value || new_value));
    if (json_is_array(object))
        json_array_set_new(object, (size_t)atoi(key), new_value);
    else if (value)
        json_object_set_new(object, key, new_value);
    else
        json_object_del(object, key);
    char *json = json_dumps(root, 0);
    refuses(json, why_text);
    free(json);
    json_decref(root);
}

UNIT_TEST(hf_98_what_is_no_save_is_refused) {
    static char large[SAVE_SIZE_MAX + 2];
    char deep[JSON_TREE_DEPTH_MAX + 2];
    refuses("", "Not JSON, line 1: a value is missing");
    refuses("[]", "A save is an object");
    refuses("{", "Not JSON, line 1: a key is missing");
    refuses("{}", "version is missing");
    refuses("{\"version\":\"1.0\",\"version\":\"1.0\"}", "Not JSON, line 1: a key stands twice");
    memset(deep, '[', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    refuses(deep, "Not JSON, line 1: it is nested too deep");
    memset(large, ' ', sizeof large - 1);
    refuses(large, "A save has at most 1024 KB");
    assert_false(save_recognise(span_of("{\"metadata\":{}}"), &nodes));
    assert_false(save_recognise(span_of("oyster 1"), &nodes));
    assert_true(save_recognise(span_of("{\"gameState\":1}"), &nodes));
}

UNIT_TEST(hf_98_every_field_is_needed) {
    static const char *const fields[] = {"version",
                                         "gameSeed",
                                         "players",
                                         "discardPile",
                                         "timestamp",
                                         "gameState",
                                         "gameState.phase",
                                         "gameState.round",
                                         "gameState.currentPlayerIndex",
                                         "gameState.turnPhase",
                                         "gameState.discardPileFrozen",
                                         "players.1.id",
                                         "players.1.name",
                                         "players.1.type",
                                         "players.1.score",
                                         "players.1.hand",
                                         "players.1.foot",
                                         "players.1.melds",
                                         "players.1.hasPlayedDown",
                                         "players.1.hasPickedUpFoot"};
    static struct save save;
    middle(&save, "", 2);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        char why[160];
        bool player = strncmp(fields[i], "players.1.", 10) == 0;
        snprintf(why, sizeof why, "%s%s is missing", player ? "players[1]." : "",
                 player ? fields[i] + 10 : fields[i]);
        refuses_with(&save, fields[i], NULL, why);
    }
}

UNIT_TEST(hf_98_wrong_values_are_refused) {
    static struct save save;
    middle(&save, "", 2);
    refuses_with(&save, "version", "\"2.0\"", "Unknown version '2.0'; this reads 1.0");
    refuses_with(&save, "version", "1.0", "version must be a string");
    refuses_with(&save, "game", "\"whos-deal\"", "There are no saves of 'whos-deal'");
    refuses_with(&save, "timestamp", "\"today\"", "timestamp must be written as " TIME);
    refuses_with(&save, "timestamp", "\"2025-12-04T10:30:00+01:00\"",
                 "timestamp must be written as " TIME);
    const char *seed = "gameSeed must be a whole number from 0 on or 64 hex digits";
    refuses_with(&save, "gameSeed", "-1", seed);
    refuses_with(&save, "gameSeed", "1.5", seed);
    refuses_with(&save, "gameSeed", "\"12345\"", seed);
    refuses_with(&save, "gameState", "[]", "gameState must be an object");
    refuses_with(&save, "gameState.phase", "\"lunch\"", "Unknown phase 'lunch'");
    refuses_with(&save, "gameState.round", "0", "gameState.round counts from 1");
    refuses_with(&save, "gameState.round", "\"2\"", "gameState.round must be a whole number");
    refuses_with(&save, "gameState.turnPhase", "\"nap\"", "Unknown turnPhase 'nap'");
    refuses_with(&save, "gameState.currentPlayerIndex", "2",
                 "Position, current: expected a number from 0 to 1, found '2'");
    refuses_with(&save, "gameState.hasMelded", "3", "gameState.hasMelded must be true or false");
    refuses_with(&save, "gameState.playsThisTurn", look(&save)->plays > 0 ? "0" : "1",
                 "gameState.hasMelded contradicts playsThisTurn");
    refuses_with(&save, "gameState.undo", "[\"1 KH stock\"]", "gameState.undo[0] is no play");
    refuses_with(&save, "gameState.undo", "[7]", "gameState.undo[0] is no play");
    refuses_with(&save, "gameState.phase", "\"setup\"",
                 "Before the first deal there are neither cards nor scores");
    refuses_with(&save, "gameState.phase", "\"gameEnd\"", "The game is not over by its rules");
    refuses_with(&save, "gameState.ending", "{\"reason\":\"rain\"}", "Unknown ending 'rain'");
    refuses_with(&save, "settings", "\"fly=yes\"", "Unknown setting 'fly'");
    refuses_with(&save, "settings", "\"preset=partners\"", "Teams need at least 4 players, not 2");
    refuses_with(&save, "settings", "\"decks=4\"", "2S is there 3 times, it must be there 4 times");
    refuses_with(&save, "recentActions", "[{}]", "recentActions[0].message is missing");
    refuses_with(&save, "deck.shuffleCount", "1", "deck.shuffleCount does not fit the round");
    char size[64];
    snprintf(size, sizeof size, "deck.size is 7, but there are %d cards", look(&save)->stock_count);
    refuses_with(&save, "deck.size", "7", size);
}

UNIT_TEST(hf_98_wrong_players_are_refused) {
    static struct save save, team;
    middle(&save, "", 2);
    refuses_with(&save, "players", "{}", "players must be a list");
    refuses_with(&save, "players", "[]", "Hand & Foot needs 2 to 8 players, not 0");
    refuses_with(&save, "players", "[1,2]", "players[0] must be an object");
    refuses_with(&save, "players", "[1,2,3,4,5,6,7,8,9]", "There are more than 8 players");
    refuses_with(&save, "players.0.name", "\"\"", "players[0].name is empty or holds a quote");
    refuses_with(&save, "players.0.name", "\"A\\\"B\"",
                 "players[0].name is empty or holds a quote");
    refuses_with(&save, "players.0.name", "\"A\\nB\"", "players[0].name holds a control character");
    static const char *const unseen[] = {"\"A\u202eB\"", "\"A\u200bB\"", "\"A\u200fB\"",
                                         "\"A\u061cB\"", "\"A\ufeffB\"", "\"A\xc2\x9b\""};
    for (size_t i = 0; i < sizeof unseen / sizeof unseen[0]; i++)
        refuses_with(&save, "players.0.name", unseen[i],
                     "players[0].name holds a control character");
    refuses_with(&save, "recentActions",
                 "[{\"message\":\"says\u2066\",\"playerName\":\"\",\"timestamp\":\"\"}]",
                 "recentActions[0].message holds a control character");
    refuses_with(&save, "players.0.name", "7", "players[0].name must be a string");
    refuses_with(&save, "players.0.type", "\"cat\"", "players[0].type must be human or bot");
    refuses_with(&save, "players.1.botLevel", "\"genius\"", "There is no bot level 'genius'");
    refuses_with(&save, "players.0.hasPlayedDown", "false",
                 "players[0].hasPlayedDown contradicts the melds");
    refuses_with(&save, "players.0.hasPickedUpFoot", "true",
                 "players[0].hasPickedUpFoot contradicts the foot");
    refuses_with(&save, "players.0.roundScoreHistory", "[]",
                 "The histories of the players have not the same rounds");
    char sum[64];
    snprintf(sum, sizeof sum, "The rounds of side 0 do not add up to %d",
             (int)look(&save)->total[0]);
    refuses_with(&save, "players.0.roundScoreHistory.0", "{\"score\":1,\"wentOut\":false}", sum);
    bool second_out = look(&save)->history_out[0] == 1;
    refuses_with(
        &save, second_out ? "players.0.roundScoreHistory.0" : "players.1.roundScoreHistory.0",
        "{\"score\":1,\"wentOut\":true}",
        look(&save)->history_out[0] == HAND_FOOT_NOBODY ? sum
                                                        : "Two players went out in one round");
    bool fives = look(&save)->books[hand_foot_find_book(look(&save), 0, 1)].rank == 5;
    refuses_with(&save, "players.0.melds.0.rank", fives ? "\"6\"" : "\"5\"",
                 "players[0].melds[0].rank does not fit the cards");
    refuses_with(&save, "players.0.melds.0", "7", "players[0].melds[0] must be an object");
    middle(&team, "preset=partners", 4);
    refuses_with(&team, "players.2.score", "7",
                 "Partners have one score, but that of seat 2 differs");
}

/* Every card of a save, changed to another one or to something that is none. */
static int change_cards(const struct save *save, json_t *root, json_t *json) {
    static struct save loaded;
    int changed = 0;
    json_t *value, *rank = json_object_get(json, "rank");
    const char *key;
    size_t index;
    if (json_is_object(json) && json_object_get(json, "suit")) {
        struct refusal why = {0};
        bool five = strcmp(json_string_value(rank), "5") == 0;
        json_t *before = json_deep_copy(json);
        json_object_set_new(json, "rank", json_string(five ? "6" : "5"));
        json_object_set_new(json, "suit", json_string("clubs"));
        json_object_del(json, "isWild");
        json_object_del(json, "isThree");
        char *dump = json_dumps(root, 0);
        if (save_read(span_of(dump), &nodes, &loaded, &why))
            fail_msg("accepted: %s", dump);
        assert_string_equal(why.code, "BAD_SAVE");
        free(dump);
        json_object_update(json, before);
        json_decref(before);
        return 1;
    }
    json_object_foreach(json, key, value) {
        changed += change_cards(save, root, value);
    }
    json_array_foreach(json, index, value) {
        changed += change_cards(save, root, value);
    }
    return changed;
}

/* What is refused first if the pile consists of so many twos of spades. */
static const char *first_wrong(const struct save *save, int deuces) {
    static char why[64];
    for (int i = 0; i < look(save)->pile_count; i++)
        deuces -= look(save)->pile[i] == card_of(2, CARD_SPADES);
    snprintf(why, sizeof why, "2S is there %d times, it must be there 3 times", 3 + deuces);
    return why;
}

UNIT_TEST(hf_c16_a_card_twice_or_missing_is_refused) {
    static struct save save;
    middle(&save, "", 2);
    json_t *root = parse(write(&save));
    assert_int_equal(change_cards(&save, root, root), 168);
    json_decref(root);
    refuses_with(&save, "players.0.foot.0.id", "\"4S.1\"",
                 "The card with the id 4S.1 is there twice");
    refuses_with(&save, "players.0.foot.0.isWild", "true", "players[0].foot[0] is no card");
    refuses_with(&save, "players.0.foot.0.suit", "\"stars\"", "players[0].foot[0] is no card");
    refuses_with(&save, "players.0.foot.0", "\"1S\"", "players[0].foot[0] is no card");
    refuses_with(&save, "players.0.foot.0", "null", "players[0].foot[0] is no card");
    refuses_with(&save, "discardPile", "[\"2S\",\"2S\",\"2S\",\"2S\",\"2S\",\"2S\"]",
                 first_wrong(&save, 6));
}
