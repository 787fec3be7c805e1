/* The engine without any real game: text, JSON, cards, options, records, deals, the order of
 * checks. The template game stands in where a game is needed. */
#include "engine/card.h"
#include "engine/record.h"
#include "games/registry.h"
#include "games/template/template.h"
#include "tests/support.h"

/* ---- Text ---- */

/* PL-C13: a game that says nothing of its pace shows results as all do. */
UNIT_TEST(the_usual_pace_shows_the_result_of_a_round) {
    struct options options;
    struct game_state game;
    struct chance chance;
    options_default(&template_game.options, &options);
    assert_true(game_start(&template_game, &game, &options, 2, NULL));
    assert_int_equal(game_pace(&template_game, &game).show_ms, 5000); /* a deal is awaited */
    chance_start_number(&chance, 1, 0);
    assert_true(game_deal_chance(&template_game, &game, &chance, NULL, NULL));
    assert_int_equal(game_pace(&template_game, &game).show_ms, 0);
    assert_int_equal(game_pace(&template_game, &game).bot_delay_ms_min, 1500);
}

UNIT_TEST(text_that_does_not_fit_is_cut_and_says_so) {
    char buffer[6];
    struct text text = text_in(buffer, sizeof buffer);
    text_string(&text, "abc");
    assert_false(text.cut);
    text_string(&text, "defg");
    assert_true(text.cut);
    assert_string_equal(buffer, "abcde");
    text_char(&text, 'x');
    assert_string_equal(buffer, "abcde");
}

UNIT_TEST(numbers_are_written_in_full) {
    char buffer[64];
    struct text text = text_in(buffer, sizeof buffer);
    text_number(&text, 0);
    text_char(&text, ' ');
    text_number(&text, -75);
    text_char(&text, ' ');
    text_number(&text, INT64_MIN);
    assert_string_equal(buffer, "0 -75 -9223372036854775808");
}

UNIT_TEST(numbers_are_read_strictly) {
    static const char *const bad[] = {"", "-", "1x", " 1", "+1", "1234567890", "--1", "1.0"};
    int32_t number = 77;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(span_number(span_of(bad[i]), &number));
    assert_int_equal(number, 77);
    assert_true(span_number(span_of("-999999999"), &number));
    assert_int_equal(number, -999999999);
    assert_true(span_number(span_of("007"), &number));
    assert_int_equal(number, 7);
}

UNIT_TEST(padding_counts_characters_not_bytes) {
    char buffer[64];
    struct text text = text_in(buffer, sizeof buffer);
    text_padded(&text, "J\xc3\xbcrg", 6);
    text_char(&text, '|');
    assert_string_equal(buffer, "J\xc3\xbcrg  |");
}

UNIT_TEST(hex_is_read_whole_or_not_at_all) {
    uint8_t bytes[2];
    assert_true(span_hex(span_of("0aFf"), bytes, 2));
    assert_int_equal(bytes[0], 0x0a);
    assert_int_equal(bytes[1], 0xff);
    assert_false(span_hex(span_of("0aF"), bytes, 2));
    assert_false(span_hex(span_of("0aFg"), bytes, 2));
    assert_false(span_hex(span_of("0aFf0"), bytes, 2));
}

UNIT_TEST(a_refusal_can_be_printed_anywhere) {
    struct refusal why;
    assert_false(refuse(&why, "CODE", "%d of %s, 100%%", 3, "a\nb\x1b[2J"));
    assert_string_equal(why.text, "3 of a?b?[2J, 100%");
    char longer[400];
    memset(longer, 'x', sizeof longer);
    assert_false(refuse_word(&why, (struct span){longer, sizeof longer}, "CODE", "'%s'"));
    assert_true(strlen(why.text) < 80);
    assert_ptr_equal(why.at, longer);
    assert_false(refuse(NULL, "CODE", "nobody listens"));
}

UNIT_TEST(a_refusal_is_never_cut_inside_a_character) {
    char umlauts[130];
    for (size_t i = 0; i + 1 < sizeof umlauts; i += 2)
        memcpy(umlauts + i, "\xc3\xa4", 2);
    struct refusal why;
    refuse_word(&why, (struct span){umlauts, sizeof umlauts}, "CODE", "%s");
    size_t length = strlen(why.text);
    assert_true(length > 0 && length % 2 == 0);
}

/* ---- JSON ---- */

UNIT_TEST(json_is_well_formed) {
    char buffer[256];
    struct json json = json_object_in(buffer, sizeof buffer);
    json_put_string(&json, "s", "a\"b\\c\n\x7f");
    json_put_array(&json, "a");
    json_put_number(&json, NULL, -1);
    json_put_bool(&json, NULL, true);
    json_put_null(&json, NULL);
    json_put_object(&json, NULL);
    json_put_end(&json);
    json_put_end(&json);
    json_put_player(&json, "p", 3);
    json_put_player(&json, "q", -1);
    json_put_string(&json, "n", NULL);
    assert_false(json_complete(&json));
    json_put_end(&json);
    assert_true(json_complete(&json));
    assert_string_equal(buffer, "{\"s\":\"a\\\"b\\\\c\\u000a\\u007f\",\"a\":[-1,true,null,{}],"
                                "\"p\":\"p3\",\"q\":null,\"n\":null}");
}

#define LONG_TEXT "Sixty-four bytes or more are not short, whatever else they may be"

static void put_something(struct json *json) {
    json_put_object(json, NULL);
    json_put_string(json, "s", "a\"b\\c\n\x7f");
    json_put_string(json, "\"", LONG_TEXT "\t" LONG_TEXT);
    json_put_end(json);
}

/* Nested JSON is the same as plain JSON that was made a string afterwards, in any room. */
UNIT_TEST(json_may_stand_within_a_string) {
    char inner[256], nested[1200], within[400];
    struct json plain, direct, outer;
    json_begin(&plain, inner, sizeof inner);
    put_something(&plain);
    json_begin(&outer, within, sizeof within);
    json_put_string(&outer, NULL, inner);
    for (size_t size = strlen(within) - 1; size <= sizeof nested; size++) {
        json_begin_nested(&direct, nested, size);
        put_something(&direct);
        assert_true(json_complete(&direct));
        assert_int_equal(strlen(nested), strlen(within) - 2);
        assert_memory_equal(nested, within + 1, strlen(nested));
    }
    json_begin_nested(&direct, nested, strlen(within) - 2);
    put_something(&direct);
    assert_false(json_complete(&direct));
}

/* In a buffer that is just large enough each byte is looked at by itself. */
static void same_in_any_room(const char *string) {
    char wide[256], tight[256];
    struct json json = json_in(wide, sizeof wide);
    json_put_string(&json, NULL, string);
    json_begin(&json, tight, strlen(wide) + 1);
    json_put_string(&json, NULL, string);
    assert_true(json_complete(&json));
    assert_string_equal(wide, tight);
    bool plain = strpbrk(string, "\"\\\x7f") == NULL;
    for (const char *at = string; *at; at++)
        plain &= (unsigned char)*at >= 0x20;
    assert_int_equal(strlen(wide) == strlen(string) + 2, plain);
}

/* Bytes are copied eight at a time unless one of them must be escaped, wherever it stands. */
UNIT_TEST(every_byte_is_escaped_wherever_it_stands) {
    for (int c = 1; c < 256; c++)
        for (size_t length = 1; length < 20; length++)
            for (size_t place = 0; place < length; place++) {
                char string[20] = {0};
                memset(string, '~', length);
                string[place] = (char)c;
                same_in_any_room(string);
            }
}

UNIT_TEST(json_that_does_not_fit_is_not_complete) {
    char buffer[8];
    struct json json = json_in(buffer, sizeof buffer);
    json_put_array(&json, NULL);
    json_put_string(&json, NULL, "much too long");
    json_put_end(&json);
    assert_false(json_complete(&json));
}

/* ---- Cards ---- */

UNIT_TEST(cards_read_and_print) {
    for (uint8_t card = 0; card < CARD_KINDS; card++) {
        char buffer[8];
        uint8_t back;
        struct text text = text_in(buffer, sizeof buffer);
        card_print(card, &text);
        assert_true(card_parse(span_of(buffer), &back));
        assert_int_equal(card, back);
    }
    uint8_t ten;
    assert_true(card_parse(span_of("TD"), &ten));
    assert_int_equal(ten, card_of(10, CARD_DIAMONDS));
    assert_true(card_parse(span_of("10d"), &ten));
    assert_int_equal(ten, card_of(10, CARD_DIAMONDS));
}

UNIT_TEST(what_is_no_card_is_not_read) {
    static const char *const bad[] = {"", "A", "1S", "11S", "AX", "10", "100S", "JKK", "SA", "0S"};
    uint8_t card;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(card_parse(span_of(bad[i]), &card));
}

/* People type and dictate cards as they say them. */
UNIT_TEST(cards_are_read_as_people_say_them) {
    static const char *const said[][2] = {
        {"9 hearts", "9H"},       {"nine of hearts", "9H"},
        {"King of Spades", "KS"}, {"k spade", "KS"},
        {"10 diamonds", "10D"},   {"ten d", "10D"},
        {"10♦", "10D"},           {"a ♣", "AC"},
        {"joker", "JK"},          {"Jack h", "JH"},
        {"2 of C", "2C"},
    };
    static const char *const wrong[] = {"",         "9",         "hearts",    "9 of", "of hearts",
                                        "1 hearts", "11 hearts", "9 heartsx", "♥",    "9 9"};
    char word[CARD_WORD_SIZE];
    struct scan scan;
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        scan = scan_of(span_of(said[i][0]));
        assert_true(card_scan_spoken(&scan, word));
        assert_string_equal(word, said[i][1]);
        assert_true(scan_done(scan));
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        scan = scan_of(span_of(wrong[i]));
        const char *start = scan.at;
        assert_false(card_scan_spoken(&scan, word));
        assert_ptr_equal(scan.at, start);
    }
}

/* ---- Options ---- */

enum { FLAG, SIZE, COLOUR, STEPS };

static const char *const colours[] = {"red", "blue", NULL};
static const struct option option_list[] = {
    {.key = "flag", .kind = OPTION_YES_NO, .slot = FLAG, .standard = "no"},
    {.key = "size", .kind = OPTION_NUMBER, .slot = SIZE, .min = 4, .max = 10, .standard = "7"},
    {.key = "colour",
     .kind = OPTION_CHOICE,
     .slot = COLOUR,
     .choices = colours,
     .standard = "red",
     .refusal = "Invalid colour"},
    {.key = "steps", .kind = OPTION_LIST, .slot = STEPS, .min = 0, .max = 500, .standard = "50,90"},
};
static const struct preset presets[] = {
    {.id = "plain", .label = "", .help = "", .settings = ""},
    {.id = "big", .label = "", .help = "", .settings = "size=10 steps=1,2,3"},
};
static const struct option_table four_options = {
    .options = option_list, .option_count = 4, .presets = presets, .preset_count = 2};

static void assert_printed(const struct options *options, const char *line) {
    char buffer[128];
    struct text text = text_in(buffer, sizeof buffer);
    options_print(&four_options, options, &text);
    assert_string_equal(buffer, line);
}

UNIT_TEST(options_print_as_the_shortest_line) {
    struct options options;
    options_default(&four_options, &options);
    assert_printed(&options, "");
    assert_true(options_parse(&four_options, span_of("size=4  flag=yes"), &options, NULL));
    assert_printed(&options, "flag=yes size=4");
    assert_true(options_parse(&four_options, span_of("flag=off"), &options, NULL));
    assert_printed(&options, "size=4");
    assert_true(options_parse(&four_options, span_of("flag=true"), &options, NULL));
    assert_printed(&options, "flag=yes size=4");
    assert_true(options_parse(&four_options, span_of("preset=big steps=7 size=7"), &options, NULL));
    assert_printed(&options, "preset=big size=7 steps=7");
    assert_int_equal(options.slot[STEPS], 1);
    assert_int_equal(options.slot[STEPS + 1], 7);
    assert_int_equal(options.slot[STEPS + 2], 0);
}

static void assert_options_refused(const char *line, const char *text, int at) {
    struct options options, before;
    struct refusal why;
    options_default(&four_options, &options);
    options.slot[SIZE] = 9;
    before = options;
    assert_false(options_parse(&four_options, span_of(line), &options, &why));
    assert_string_equal(why.code, "INVALID_SETTING");
    assert_string_equal(why.text, text);
    assert_int_equal(why.at - line, at);
    assert_memory_equal(&options, &before, sizeof before);
}

UNIT_TEST(bad_options_are_refused_and_change_nothing) {
    assert_options_refused("size=11", "size must be a number from 4 to 10", 5);
    assert_options_refused("flag=yes size=x", "size must be a number from 4 to 10", 14);
    assert_options_refused("flag=maybe", "flag must be yes or no", 5);
    assert_options_refused("colour=green", "Invalid colour", 7);
    assert_options_refused("flag", "Expected key=value, found 'flag'", 0);
    assert_options_refused("flag=yes shape=round", "Unknown setting 'shape'", 9);
    assert_options_refused("preset=huge", "Unknown preset 'huge'", 7);
    assert_options_refused("size=5 flag=yes size=5", "The setting 'size' is given twice", 16);
    assert_options_refused("preset=big size=5 size=6", "The setting 'size' is given twice", 18);
    assert_options_refused("size=5 preset=big", "'preset=big' must come first, and once", 7);
    assert_options_refused("preset=big preset=big", "'preset=big' must come first, and once", 11);
    const char *list = "steps must be 1 to 12 numbers from 0 to 500 with commas between them";
    assert_options_refused("steps=", list, 6);
    assert_options_refused("steps=1,,2", list, 6);
    assert_options_refused("steps=501", list, 6);
    assert_options_refused("steps=1,2,3,4,5,6,7,8,9,10,11,12,13", list, 6);
}

UNIT_TEST(the_table_describes_itself) {
    static char buffer[8192];
    static const char *const points[] = {"5", "10", NULL};
    static const struct option one[] = {{.key = "targetScore",
                                         .label = "Points",
                                         .help = "To win.",
                                         .kind = OPTION_CHOICE,
                                         .choices = points,
                                         .standard = "10"}};
    static const struct option_group group = {"targetScore", "The end"};
    static const struct option_table small = {
        .options = one, .option_count = 1, .groups = &group, .group_count = 1};
    struct json json = json_object_in(buffer, sizeof buffer);
    option_table_json(&small, &json);
    json_put_end(&json);
    assert_true(json_complete(&json));
    assert_string_equal(
        buffer,
        "{\"presets\":[],\"options\":[{\"key\":\"targetScore\",\"group\":"
        "\"The end\",\"label\":\"Points\",\"help\":\"To win.\",\"type\":\"choice\",\"values\":"
        "[5,10],\"default\":10}]}");
}

/* Either every option stands under a heading or none does. */
static bool groups_are_met_in_order(const struct option_table *options) {
    size_t met = 0;
    for (size_t i = 0; i < options->option_count && options->group_count > 0; i++) {
        if (met < options->group_count &&
            strcmp(options->options[i].key, options->groups[met].first) == 0)
            met++;
        if (met == 0)
            return false;
    }
    return met == options->group_count;
}

/* Defaults and presets of every game can be read, and say something to people. */
UNIT_TEST(every_option_table_is_sound) {
    for (size_t i = 0; i < registry_count; i++) {
        const struct option_table *options = &registry_games[i]->options;
        struct options values;
        options_default(options, &values);
        for (size_t j = 0; j < options->option_count; j++) {
            const struct option *option = &options->options[j];
            assert_true(strlen(option->label) > 2 && strlen(option->help) > 10);
            assert_true(option->slot >= 0 && option->slot < OPTION_SLOTS_MAX);
        }
        for (size_t j = 0; j < options->preset_count; j++)
            assert_true(options_preset(options, span_of(options->presets[j].id), &values, NULL));
        assert_true(groups_are_met_in_order(options));
    }
}

struct kept {
    uint8_t yes, word, number;
    uint16_t wide;
};

#define KEPT(name) .key = #name, OPTION_KEPT_IN(struct kept, name)

/* A choice between numbers is kept as the number, one between words as its index. */
UNIT_TEST(options_are_kept_in_members_of_a_state) {
    static const char *const words[] = {"low", "high", NULL}, *const numbers[] = {"5", "7", NULL};
    static const struct option options[] = {
        {KEPT(yes), .standard = "yes"},
        {KEPT(word), .kind = OPTION_CHOICE, .slot = 1, .choices = words, .standard = "high"},
        {KEPT(number), .kind = OPTION_CHOICE, .slot = 2, .choices = numbers, .standard = "7"},
        {KEPT(wide), .kind = OPTION_NUMBER, .slot = 3, .max = 999, .standard = "513"},
        {.key = "nowhere", .kind = OPTION_NUMBER, .slot = 4, .max = 9, .standard = "9"},
    };
    const struct option_table all = {.options = options, .option_count = 5};
    struct options values;
    struct kept kept = {0}, copy = {0};
    options_default(&all, &values);
    options_keep(&all, &values, &kept);
    options_carry_over(&all, &kept, &copy);
    assert_int_equal(copy.yes, 1);
    assert_int_equal(copy.word, 1);
    assert_int_equal(copy.number, 7);
    assert_int_equal(copy.wide, 513);
}

/* ---- Records ---- */

static void assert_broken(const char *file, int line, int column, const char *text) {
    struct record_reader reader;
    struct record_header header;
    struct record_entry entry;
    struct record_error error;
    record_open(&reader, span_of(file));
    if (record_read_header(&reader, &header, &error))
        while (record_next(&reader, &entry, &error) == RECORD_ENTRY)
            ;
    assert_string_equal(error.why.text, text);
    assert_int_equal(error.line, line);
    assert_int_equal(error.column, column);
}

UNIT_TEST(a_broken_record_says_where) {
    assert_broken("", 1, 1, "The file is empty");
    assert_broken("# only a comment\n\n", 2, 1, "The file is empty");
    assert_broken("\n  shell 1\n", 2, 3, "A record begins with 'oyster 1', not with 'shell'");
    assert_broken("oyster 2\n", 1, 8, "Unknown version '2' of the format; this reads 1");
    assert_broken("oyster 1\ngame x\n0 go\n", 2, 1, "The header lacks a seats line");
    assert_broken("oyster 1\nseats A B\n", 2, 1, "The header lacks a game line");
    assert_broken("oyster 1\ngame x\ngame y\n", 3, 1, "A second 'game' line");
    assert_broken("oyster 1\nplayers A\n", 2, 1,
                  "Expected game, options, seats, position or a move, found 'players'");
    assert_broken("oyster 1\nseats A \"B\n", 2, 9, "The quote \" does not end");
    assert_broken("oyster 1\nseats A *hard\n", 2, 9, "A seat needs a name, found '*hard'");
    assert_broken("oyster 1\nseats A \"B\"x\n", 2, 9,
                  "Expected a blank or a star after the name in '\"B\"x'");
    assert_broken("oyster 1\nseats a b c d e f g h i\n", 2, 23,
                  "There are at most 8 seats; 'i' is one more");
    assert_broken("oyster 1\ngame x\nseats A\n0 go\nx go\n", 5, 1,
                  "A move begins with a seat or '-', not with 'x'");
    assert_broken("oyster 1\ngame x\nseats A\n- go\n  10 go\n", 5, 3,
                  "A move begins with a seat or '-', not with '10'");
}

UNIT_TEST(names_are_utf8_without_controls) {
    static const char *const good[] = {"Ann", "Zo\u00eb", "\u5f20\u4f1f", "\U0001f41a", "A-b_c!"};
    struct span bad = span_of("a\"b|a\tb|\x7f|\xff|a\xc3|\x80|\xc0\x80|\xed\xa0\x80|\xe2\x28\xa1|"
                              "\xf5\x80\x80\x80|\xc2\x85|a\u202e|\u2066|\xf0\x80\x80\x80");
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(record_name_fits(span_of(good[i])));
    while (bad.length > 0)
        assert_false(record_name_fits(span_take_until(&bad, '|')));
    assert_false(record_name_fits(span_of("")));
    assert_broken("oyster 1\nseats A B\xff\n", 2, 9, "This name is not UTF-8");
    assert_broken("oyster 1\nseats A \"B\u202eb\"\n", 2, 9,
                  "The name '\"B\u202eb\"' holds a control character");
}

UNIT_TEST(a_record_is_read_piece_by_piece) {
    const char *file = "# hello\r\noyster 1\ngame high-card # which\noptions folding=no\n"
                       "seats Ann Bob*hard \"Cy Two\" Dee*\n\n- deal AS # top\n  0   show  \r\n";
    struct record_reader reader;
    struct record_header header;
    struct record_entry entry;
    struct record_error error;
    record_open(&reader, span_of(file));
    assert_true(record_read_header(&reader, &header, &error));
    assert_true(span_is(header.game, "high-card"));
    assert_true(span_is(header.options, "folding=no"));
    assert_int_equal(header.seats, 4);
    assert_true(span_is(header.seat[1].name, "Bob") && header.seat[1].bot);
    assert_true(span_is(header.seat[1].level, "hard"));
    assert_true(span_is(header.seat[2].name, "Cy Two") && !header.seat[2].bot);
    assert_true(header.seat[3].bot && header.seat[3].level.length == 0);
    assert_int_equal(record_next(&reader, &entry, &error), RECORD_ENTRY);
    assert_int_equal(entry.seat, NATURE);
    assert_true(span_is(entry.text, "deal AS"));
    assert_int_equal(record_next(&reader, &entry, &error), RECORD_ENTRY);
    assert_int_equal(entry.seat, 0);
    assert_true(span_is(entry.text, "show"));
    assert_int_equal(record_next(&reader, &entry, &error), RECORD_END);
}

UNIT_TEST(a_written_header_is_read_back) {
    struct record_seat seats[] = {{.name = {"Ann Lee", 7}},
                                  {.name = {"B*b", 3}, .bot = true, .level = {"easy", 4}}};
    struct options options;
    char buffer[256];
    options_default(&template_game.options, &options);
    options.slot[0] = 0;
    struct text text = text_in(buffer, sizeof buffer);
    record_write_header(&template_game, &options, seats, 2, &text);
    record_write_entry(NATURE, span_of("deal x"), &text);
    record_write_entry(1, span_of("show"), &text);
    assert_string_equal(buffer, "oyster 1\ngame high-card\noptions folding=no\n"
                                "seats \"Ann Lee\" \"B*b\"*easy\n- deal x\n1 show\n");
}

static void assert_no_start(const char *file, int line, int column, const char *text) {
    struct record_reader reader;
    struct record_header header;
    struct record_error error;
    struct options options;
    struct game_state state;
    record_open(&reader, span_of(file));
    assert_true(record_read_header(&reader, &header, &error));
    assert_false(record_start(&reader, &header, &template_game, &options, &state, &error));
    assert_string_equal(error.why.text, text);
    assert_int_equal(error.line, line);
    assert_int_equal(error.column, column);
}

UNIT_TEST(a_header_that_cannot_start_says_where) {
    assert_no_start("oyster 1\ngame x\noptions speed=1\nseats A B\n", 3, 9,
                    "Unknown setting 'speed'");
    assert_no_start("oyster 1\ngame x\nseats A\n", 3, 7, "High Card needs 2 to 8 players, not 1");
    assert_no_start("oyster 1\ngame x\nseats A B\nposition round 1\n", 4, 10,
                    "High Card cannot begin in a position");
    assert_broken("oyster 1\ngame x\nseats A B\nposition\nposition a\n", 5, 1,
                  "A second 'position' line");
}

/* ---- Deals and the order of checks ---- */

#define SEED_OF_ZEROS "0000000000000000000000000000000000000000000000000000000000000000"

TABLE_TEST(explicit_deals_are_checked) {
    table_start(table, &template_game, "", 3);
    table_refuses(table, "- shuffle AS / KS / QS", "WRONG_PHASE", "Wrong phase");
    table_refuses(table, "- draw", "BAD_REQUEST", "Expected deal or shuffle, found 'draw'");
    table_refuses(table, "- deal", "INVALID_DEAL", "Part 1 of the deal has 0 cards, it needs 1");
    table_refuses(table, "- deal AS / KS KD / QS", "INVALID_DEAL",
                  "Part 2 of the deal has 2 cards, it needs 1");
    table_refuses(table, "- deal AS / KS", "INVALID_DEAL",
                  "The deal has 2 parts, it needs 3; part 3 follows a '/'");
    table_refuses(table, "- deal AS / KS / QS / JS", "INVALID_DEAL", "The deal ends before '/'");
    table_refuses(table, "- deal AS / KS / AS", "INVALID_DEAL", "No AS is left in the deck");
    table_refuses(table, "- deal AS / KS / JK", "INVALID_DEAL", "No JK is left in the deck");
    table_refuses(table, "- deal AS / KS + QS", "INVALID_DEAL", NULL);
    table_refuses(table, "- deal 00ff", "INVALID_DEAL", "Unknown card '00ff'");
    table_refuses(table, "- deal AS / " SEED_OF_ZEROS " / QS", "INVALID_DEAL", NULL);
    table_refuses(table, "- deal AS / KS / QS " SEED_OF_ZEROS, "INVALID_DEAL", NULL);
    table_refuses(table, "- deal AS / KS / " SEED_OF_ZEROS " QS", "INVALID_DEAL", NULL);
    table_play(table, "- deal AS / KS / QS");
    assert_true(table_shows(table, OMNISCIENT, "{\"seatIndex\":1,\"cards\":1,\"hand\":[\"KS\"]}"));
    table_refuses(table, "- deal AS / KS / QS", "WRONG_PHASE", "Wrong phase");
}

/* The same cards for everybody who reads the seed, and none that was named. */
UNIT_TEST(a_seed_shuffles_what_a_deal_does_not_name) {
    struct table t, same;
    const struct game *game = registry_find(span_of("up-n-down"));
    const char *line = "- deal 2 3 4 5 / 6 7 8 9 / 22 10 " SEED_OF_ZEROS;
    table_start(&t, game, "maxCardValue=22 handSize=4", 2);
    table_start(&same, game, "maxCardValue=22 handSize=4", 2);
    table_play(&t, line);
    table_play(&same, line);
    assert_memory_equal(t.state.bytes, same.state.bytes, game->state_size);
    assert_true(table_shows(&t, 1, "\"hand\":[6,7,8,9]"));
    assert_true(table_shows(&t, OMNISCIENT, "\"drawPile\":[22,10,"));
    assert_false(table_shows(&t, OMNISCIENT, "\"drawPile\":[22,10,11,12,13,14,15,16,"));
}

TABLE_TEST(a_printed_deal_is_read_back) {
    uint16_t cards[52];
    char buffer[256];
    for (uint16_t i = 0; i < 52; i++)
        cards[i] = (uint16_t)(51 - i);
    table_start(table, &template_game, "", 3);
    struct text text = text_in(buffer, sizeof buffer);
    game_print_deal(&template_game, &table->state, cards, &text);
    assert_string_equal(buffer, "deal AC / KC / QC");
}

/* PL-29: phase before turn, turn before the move itself. */
TABLE_TEST(checks_come_in_their_order) {
    table_start(table, &template_game, "folding=no", 2);
    table_refuses(table, "0 show", "WRONG_PHASE", "Wrong phase");
    table_play(table, "- deal AS / KS");
    table_refuses(table, "1 fold", "NOT_YOUR_TURN", "Not your turn");
    table_refuses(table, "0 fold", "NO_FOLDING", NULL);
    table_refuses(table, "2 show", "NOT_A_MEMBER", "There is no seat 2");
    table_refuses(table, "0 jump", "BAD_REQUEST", "Unknown move 'jump'; try: show");
    table_refuses(table, "1 jump", "BAD_REQUEST", "Unknown move 'jump'; try: show, fold");
    table_refuses(table, "0 show me", "BAD_REQUEST", "The move should end before 'me'");
    table_refuses(table, "0 ", "BAD_REQUEST", "A move is missing");
    table_refuses(table, "0 again", "WRONG_PHASE", "Wrong phase");
    table_play(table, "0 show\n1 show");
    table_refuses(table, "0 show", "WRONG_PHASE", "Wrong phase");
    assert_string_equal(table_legal(table, 1), "again");
    table_play(table, "1 again");
    assert_int_equal(game_to_act(table->game, &table->state), AWAITS_NATURE);
}

/* ---- What a game need not write ---- */

/* Two seats name a number in turn, and may name a suit with the number 2; 0 ends the game. */
struct naming {
    struct game_head head;
    uint8_t turn, over, named;
};

enum { NAME = 1, LAST };

static uint32_t naming_to_act(const void *from) {
    const struct naming *state = from;
    return state->over ? 0 : 1u << state->turn;
}

static bool check_name(const void *from, int seat, const struct move *move, struct refusal *why) {
    bool suit = move->args[1] != ARGUMENT_MISSING;
    return (move->args[0] <= 2 && (!suit || (move->args[0] == 2 && move->args[1] < CARD_SUITS))) ||
           refuse(why, "NO", "No");
}

static void name(void *to, int seat, const struct move *move, struct events *events) {
    struct naming *state = to;
    state->named = (uint8_t)move->args[0];
    state->over = move->args[0] == 0;
    state->turn ^= 1;
}

static const struct verb naming_verbs[] = {
    [NAME] =
        {.word = "name",
         .arguments = {{.kind = ARGUMENT_NUMBER, .json = "number", .most = 3},
                       {.kind = ARGUMENT_SUIT, .json = "suit", .said = "of", .optional = true}},
         .event = "named",
         .message = "names",
         .check = check_name,
         .apply = name},
    [LAST] = {.word = "stop", .apply = name},
};

static void describe_naming(const void *seen, int viewer, struct json *json) {
    const struct naming *state = seen;
    json_put_number(json, "named", state->named);
    json_put_cards(json, "cards", 1 | (uint64_t)1 << 51);
    json_put_card(json, "none", -1);
    json_put_cards(json, "empty", 0);
    json_put_array(json, "players");
    for (int seat = 0; seat < 2; seat++) {
        json_put_object(json, NULL);
        json_put_number(json, "seatIndex", seat);
        json_put_string(json, "name", "a, b: {c}");
        json_put_end(json);
    }
    json_put_end(json);
}

static void naming_result(const void *state, struct result *out) {
    out->winners = 2;
    out->score[1] = 5;
}

static bool naming_holds(const void *state) {
    return ((const struct naming *)state)->turn < 2;
}

static const struct game naming_game = {.id = "naming",
                                        .name = "Naming",
                                        .players_min = 2,
                                        .players_max = 2,
                                        .state_size = sizeof(struct naming),
                                        .verbs = naming_verbs,
                                        .verb_count = LAST, /* without the last one */
                                        .to_act = naming_to_act,
                                        .describe = describe_naming,
                                        .result = naming_result,
                                        .holds = naming_holds};

UNIT_TEST(an_optional_word_means_something_or_is_refused) {
    struct game_state game = {0};
    struct move move;
    struct refusal why = {0};
    assert_true(game_parse(&naming_game, &game, span_of("name 1"), &move, &why));
    assert_int_equal(move.args[1], ARGUMENT_MISSING);
    assert_true(game_parse(&naming_game, &game, span_of("name 2 H"), &move, &why));
    assert_false(game_parse(&naming_game, &game, span_of("name 2 Z"), &move, &why));
    assert_string_equal(why.text, "'Z' means nothing here");
}

UNIT_TEST(a_move_is_read_as_it_is_said) {
    struct game_state game = {0};
    struct move move, said;
    struct refusal why = {0};
    char words[MOVE_TEXT_SIZE];
    struct text text = text_in(words, sizeof words);
    assert_true(game_parse(&naming_game, &game, span_of("name 2 H"), &move, &why));
    assert_true(game_say(&naming_game, &move, &text));
    assert_string_equal(words, "name 2 of hearts");
    assert_true(game_parse(&naming_game, &game, span_of(words), &said, &why));
    assert_true(move_equal(&move, &said));
    assert_false(game_parse(&naming_game, &game, span_of("name 2 of"), &move, &why));
    assert_string_equal(why.text, "'of' means nothing here");
    assert_false(game_parse(&naming_game, &game, span_of("name of 2"), &move, &why));
}

TABLE_TEST(legal_moves_are_listed_from_the_verbs) {
    table_start(table, &naming_game, "", 2);
    assert_string_equal(table_legal(table, 0),
                        "name 0; name 1; name 2; name 2 S; name 2 H; name 2 D; name 2 C");
    assert_string_equal(table_legal(table, 1), "");
    assert_true(table_shows(table, 0, "{\"type\":\"name\",\"payload\":{\"number\":1},\"move\":"));
    assert_true(table_shows(table, 0, "\"payload\":{\"number\":2,\"suit\":\"hearts\"}"));
    table_asks(table, 0, "Your turn"); /* where no row has a prompt */
    struct game with_all = naming_game;
    with_all.verb_count = LAST + 1;
    table_start(table, &with_all, "", 2);
    assert_non_null(strstr(table_legal(table, 0), "name 2 C; stop"));
}

/* A row that is a last resort is refused, with an example of what is possible, and not listed as
 * long as there is something else to do. */
TABLE_TEST(a_last_resort_is_for_whoever_is_stuck) {
    struct verb verbs[] = {
        [NAME] = naming_verbs[NAME], [LAST] = {.word = "stop", .if_stuck = true, .apply = name}};
    struct game with_last = naming_game;
    with_last.verbs = verbs;
    with_last.verb_count = LAST + 1;
    table_start(table, &with_last, "", 2);
    table_refuses(table, "0 stop", "NOT_STUCK", "You can do something else: name 0");
    assert_null(strstr(table_legal(table, 0), "stop"));
    verbs[NAME].arguments[0].kind = ARGUMENT_NUMBERS; /* a list, which is not tried */
    verbs[NAME].arguments[1].kind = ARGUMENT_NONE;
    assert_string_equal(table_legal(table, 0), "stop");
}

/* Of a row that is secret everybody hears no more than who moved. */
TABLE_TEST(a_row_tells_its_event) {
    struct verb secret[LAST] = {[NAME] = naming_verbs[NAME]};
    struct game in_secret = naming_game;
    table_start(table, &naming_game, "", 2);
    assert_true(table_shows(table, 0, "\"move\":\"name 2 S\",\"said\":\"name 2 of spades\""));
    table_play(table, "0 name 2 S");
    table_told(table, "named", "{\"seatIndex\":0,\"number\":2,\"suit\":\"spades\"}");
    assert_true(span_is(table_event(table, "named", 0)->message, "names 2 of spades"));
    table_play(table, "1 name 1");
    table_told(table, "named", "{\"seatIndex\":1,\"number\":1}");
    secret[NAME].secret = true;
    in_secret.verbs = secret;
    table_start(table, &in_secret, "", 2);
    table_play(table, "0 name 2 S");
    table_told(table, "named", "{\"seatIndex\":0}");
    assert_true(span_is(table_event(table, "named", 0)->message, "names"));
}

/* Whoever is not awaited is refused before the row's own check, and a new game begins at zero. */
TABLE_TEST(turns_and_another_game_need_no_code) {
    table_start(table, &naming_game, "", 2);
    table_refuses(table, "1 name 9", "NOT_YOUR_TURN", NULL);
    table_refuses(table, "0 name 1 S", "NO", NULL);
    table_play(table, "0 name 2 S");
    assert_false(table_shows(table, SPECTATOR, "result"));
    table_play(table, "1 name 0");
    assert_true(table_shows(table, SPECTATOR,
                            "\"result\":{\"winners\":[1],\"scores\":[0,5],\"places\":[2,1]}"));
    table_play(table, "0 again");
    assert_int_equal(game_to_act(&naming_game, &table->state), 1);
    struct result result;
    game_result(&naming_game, &table->state, &result);
    assert_int_equal(result.sides, 2);
    assert_int_equal(result.side_of[1], 1);
}

TABLE_TEST(a_terminal_shows_the_members_of_a_view) {
    char shown[256];
    table_start(table, &naming_game, "", 2);
    struct text text = text_in(shown, sizeof shown);
    game_show(&naming_game, &table->state, 0, (const char *const[]){"Ann", "Bob"}, &text);
    assert_string_equal(shown, "  named: 0\n  cards: 2S AC\n  none: –\n  empty: none\n  players:\n"
                               "    Ann: name: a, b: {c}\n    Bob: name: a, b: {c}\n");
}

/* PL-37: views of others show nothing of a card that was not shown. */
TABLE_TEST(a_hidden_card_is_in_nobody_elses_view) {
    table_start(table, &template_game, "", 2);
    table_play(table, "- deal AS / KH");
    assert_true(table_shows(table, 0, "AS"));
    assert_false(table_shows(table, 1, "AS"));
    assert_false(table_shows(table, SPECTATOR, "AS"));
    table_play(table, "0 show");
    assert_true(table_shows(table, SPECTATOR, "AS"));
    assert_false(table_shows(table, SPECTATOR, "KH"));
}

UNIT_TEST(seats_are_counted_at_start) {
    table_refuses_start(&template_game, "", 1, "INVALID_SETTING",
                        "High Card needs 2 to 8 players, not 1");
    table_refuses_start(&template_game, "", 9, "INVALID_SETTING",
                        "High Card needs 2 to 8 players, not 9");
}

/* PL-1, PL-2, PL-3: the registry, its order, and a line about each game. */
UNIT_TEST(the_registry_lists_the_games) {
    static const struct {
        const char *id, *name, *icon;
        int min, max;
    } expected[] = {
        {"terrible-people", "Terrible People", "\U0001F608", 4, 4},
        {"4-kate", "4 Kate", "\U0001F534", 2, 2},
        {"whos-deal", "Who's Deal?", "\U0001F0CF", 4, 4},
        {"hand-and-foot", "Hand & Foot", "\U0001F9B6", 2, 8},
        {"up-n-down", "Up-N-Down", "\U0001F503", 1, 8},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const struct game *game = registry_games[i];
        assert_string_equal(game->id, expected[i].id);
        assert_string_equal(game->name, expected[i].name);
        assert_string_equal(game->icon, expected[i].icon);
        assert_int_equal(game->players_min, expected[i].min);
        assert_int_equal(game->players_max, expected[i].max);
    }
    for (size_t i = 0; i < registry_count; i++) { /* others may follow */
        const struct game *game = registry_games[i];
        assert_true(game->players_min <= game->players_default &&
                    game->players_default <= game->players_max);
        assert_true(strlen(game->summary) > 20 && strlen(game->summary) < 100);
        assert_ptr_equal(registry_find(span_of(game->id)), game);
    }
    assert_null(registry_find(span_of("high-card")));
}
