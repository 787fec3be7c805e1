/* Names and chat: what is accepted, how it is written, and what is refused and why. */
#include "server/rooms/names.h"
#include "tests/support.h"

static char out[NAME_SIZE];
static char said[2048];
static struct refusal why;

#define INVISIBLE "A name has no invisible, control or unknown characters"

static void becomes(const char *in, const char *expected) {
    char again[NAME_SIZE];
    assert_true(names_normalise(span_of(in), out, &why));
    assert_string_equal(out, expected);
    assert_true(record_name_fits(span_of(out)));
    assert_true(names_normalise(span_of(out), again, &why));
    assert_string_equal(again, out);
}

static void refused(const char *in, const char *text) {
    why = (struct refusal){0};
    assert_false(names_normalise(span_of(in), out, &why));
    assert_string_equal(why.code, "BAD_REQUEST");
    assert_string_equal(why.text, text);
}

static void plain_names_stay(void **state) {
    becomes("Ann", "Ann");
    becomes("O'Neil <b>&amp;", "O'Neil <b>&amp;");
    becomes("Zo\xc3\xab", "Zo\xc3\xab");
    becomes("\xe6\x9d\x8e\xe9\x9b\xb7", "\xe6\x9d\x8e\xe9\x9b\xb7");
    becomes("\xd7\x93\xd7\x95\xd7\x93", "\xd7\x93\xd7\x95\xd7\x93");
    becomes("x", "x");
}

static void blanks_are_single_and_inside(void **state) {
    becomes("  Ann   Lee ", "Ann Lee");
    becomes("\xc2\xa0"
            "Ann\xe3\x80\x80\xe2\x80\x83Lee\xe2\xa0\x80",
            "Ann Lee");
}

static void names_are_nfc(void **state) {
    becomes("Zoe\xcc\x88", "Zo\xc3\xab");
    becomes("\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab", "\xed\x95\x9c");
    becomes("\xe2\x84\xab", "\xc3\x85");                  /* Angstrom sign */
    becomes("a\xcc\xa3\xcc\x87", "\xe1\xba\xa1\xcc\x87"); /* marks in canonical order */
    becomes("a\xcc\x87\xcc\xa3", "\xe1\xba\xa1\xcc\x87");
}

static void quotes_are_written_otherwise(void **state) {
    becomes("Ann \"Ace\"", "Ann \xe2\x80\x9d"
                           "Ace\xe2\x80\x9d");
    becomes("\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"",
            "\xe2\x80\x9d\xe2\x80\x9d\xe2\x80\x9d\xe2\x80\x9d\xe2\x80\x9d\xe2\x80\x9d"
            "\xe2\x80\x9d\xe2\x80\x9d\xe2\x80\x9d\xe2\x80\x9d\xe2\x80\x9d\xe2\x80\x9d"
            "\xe2\x80\x9d\xe2\x80\x9d\xe2\x80\x9d\xe2\x80\x9d\xe2\x80\x9d\xe2\x80\x9d"
            "\xe2\x80\x9d\xe2\x80\x9d\xe2\x80\x9d\xe2\x80\x9d\xe2\x80\x9d\xe2\x80\x9d");
}

/* Counted in characters, after normalisation. */
static void names_have_1_to_24_characters(void **state) {
    const char *size = "A name has 1 to 24 characters";
    char cards[25 * 4 + 1] = "";
    for (int i = 0; i < 24; i++)
        strcat(cards, "\xf0\x9f\x83\x8f");
    becomes(cards, cards);
    strcat(cards, "\xf0\x9f\x83\x8f");
    refused(cards, size);
    becomes("abcdefghijklmnopqrstuvwx", "abcdefghijklmnopqrstuvwx");
    refused("abcdefghijklmnopqrstuvwxy", size);
    becomes("abcdefghijklmnopqrstuvwe\xcc\x81", "abcdefghijklmnopqrstuvw\xc3\xa9");
    refused("", size);
    char wide[400];
    memset(wide, ' ', sizeof wide);
    memcpy(wide + 287, "a", 2);
    becomes(wide, "a");
    memcpy(wide + 287, " a", 3);
    refused(wide, size);
}

static void what_cannot_be_seen_is_refused(void **state) {
    static const char *const bad[] = {"a\tb",
                                      "a\nb",
                                      "a\x7f",
                                      "a\xc2\x85", /* next line */
                                      "a\xe2\x80\xae"
                                      "b", /* right-to-left override */
                                      "a\xe2\x81\xa6"
                                      "b",             /* left-to-right isolate */
                                      "a\xe2\x80\x8f", /* right-to-left mark */
                                      "a\xe2\x80\x8b"
                                      "b", /* zero width space */
                                      "a\xe2\x80\x8d"
                                      "b", /* zero width joiner */
                                      "a\xc2\xad"
                                      "b",             /* soft hyphen */
                                      "a\xef\xbb\xbf", /* byte order mark */
                                      "a\xe2\x80\xa8"
                                      "b", /* line separator */
                                      "a\xe2\x80\xa9"
                                      "b",                 /* paragraph separator */
                                      "a\xee\x80\x80",     /* private use */
                                      "a\xcd\xb8",         /* unassigned */
                                      "a\xef\xbf\xbf",     /* noncharacter */
                                      "\xe3\x85\xa4",      /* Hangul filler */
                                      "a\xf3\xa0\x81\x81", /* a tag */
                                      NULL};
    for (int i = 0; bad[i]; i++)
        refused(bad[i], INVISIBLE);
}

static void something_must_be_seen(void **state) {
    const char *nothing = "There is nothing to be seen in this";
    refused("   ", nothing);
    refused("\xcc\x81", nothing);
    refused(" \xcc\x81 \xef\xb8\x8f", INVISIBLE);
    refused("\xe2\xa0\x80", nothing);
    becomes("\xe2\x9d\xa4\xef\xb8\x8f", "\xe2\x9d\xa4\xef\xb8\x8f"); /* a heart, as emoji */
}

static void names_are_utf8(void **state) {
    static const char *const bad[] = {"\xff",
                                      "a\xc3",
                                      "\xc0\xaf",
                                      "\x80",
                                      "\xed\xa0\x80",
                                      "\xf4\x90\x80\x80",
                                      "\xe2\x82",
                                      "\xf8\x88\x80\x80\x80",
                                      NULL};
    for (int i = 0; bad[i]; i++)
        refused(bad[i], "This is not valid UTF-8");
    assert_false(names_normalise((struct span){"a\0b", 3}, out, &why));
    assert_string_equal(why.text, INVISIBLE);
}

static bool say(const char *in) {
    return names_clean_text(span_of(in), said, sizeof said, 300, &why);
}

static void text_is_cleaned(void **state) {
    assert_true(say("  Hello,\n\t\"world\" \xe2\x80\xa8!\x01\xe2\x80\xae "));
    assert_string_equal(said, "Hello, \"world\" !");
    assert_true(say("a\tb\rc"));
    assert_string_equal(said, "a b c");
    assert_true(say("e\xcc\x81"));
    assert_string_equal(said, "\xc3\xa9");
    assert_true(say("e\xe2\x80\x8b\xcc\x81")); /* NFC also where something was left out */
    assert_string_equal(said, "\xc3\xa9");
    const char *family = "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7";
    assert_true(say(family));
    assert_string_equal(said, family);
    assert_true(say("\xd9\x85\xdb\x8c\xe2\x80\x8c\xd8\xae"));
    assert_string_equal(said, "\xd9\x85\xdb\x8c\xe2\x80\x8c\xd8\xae");
}

static void text_is_never_empty(void **state) {
    static const char *const bad[] = {" ", "\n", "\xe2\x80\xae", "\xe2\x80\x8d", NULL};
    for (int i = 0; bad[i]; i++) {
        assert_false(say(bad[i]));
        assert_string_equal(why.text, "There is nothing to be seen in this");
    }
    assert_false(say(""));
    assert_string_equal(why.text, "A message has 1 to 300 characters");
    assert_false(say("a\xff"));
    assert_string_equal(why.text, "This is not valid UTF-8");
}

static void text_is_bounded(void **state) {
    char in[301 * 4 + 1] = "";
    for (int i = 0; i < 300; i++)
        memcpy(in + 4 * i, "\xf0\x9f\x83\x8f", 5);
    assert_true(say(in));
    assert_string_equal(said, in);
    memcpy(in + 1200, "!", 2);
    assert_false(say(in));
    assert_string_equal(why.text, "A message has 1 to 300 characters");
    char small[4];
    assert_true(names_clean_text(span_of("abc"), small, sizeof small, 5, &why));
    assert_false(names_clean_text(span_of("abcd"), small, sizeof small, 5, &why));
    assert_false(names_clean_text(span_of("abcdef"), said, sizeof said, 5, &why));
    assert_string_equal(why.text, "A message has 1 to 5 characters");
}

/* The most that decomposition can make of an allowed input. */
static void the_widest_input_fits(void **state) {
    char in[12 * 300 + 1];
    for (int i = 0; i < 1800; i++)
        memcpy(in + 2 * i, "\xce\x90", 3);
    assert_false(say(in));
    for (int i = 0; i < 1200; i++)
        memcpy(in + 3 * i, "\xe1\xbe\x82", 4);
    assert_false(say(in));
    for (int i = 0; i < 1800; i++)
        memcpy(in + 2 * i, i == 0 ? "aa" : i % 2 ? "\xcc\xa3" : "\xcc\x87", 3);
    assert_false(say(in));
    assert_string_equal(why.text, "A message has 1 to 300 characters");
}

/* ---- What looks alike ---- */

static bool alike(const char *one, const char *other) {
    return names_look_alike(span_of(one), span_of(other));
}

static void names_that_look_alike_are_known(void **state) {
    assert_true(alike("Ann", "ann"));
    assert_true(alike("Ann", "\xd0\x90nn")); /* a Cyrillic A */
    assert_true(alike("paypal", "\xd1\x80\xd0\xb0y\xd1\x80\xd0\xb0l"));
    assert_true(alike("Bill", "Bi11"));
    assert_true(alike("Otto", "0tt0"));
    assert_true(alike("Ann", "\xef\xbc\xa1nn"));     /* a wide A */
    assert_true(alike("Ann", "\xf0\x9d\x90\x80nn")); /* a mathematical one */
    assert_true(alike("Nikos", "\xce\x9dikos"));     /* a Greek N */
    assert_false(alike("Ann", "Anna"));
    assert_false(alike("Ann", "\xc3\x84nn")); /* Änn is another name */
    assert_false(alike("Ann", "Anm"));
    assert_false(alike("\xd0\x98\xd0\xb2\xd0\xb0\xd0\xbd", "Ivan"));
}

static void bots_have_their_names_for_themselves(void **state) {
    static const char *const kept[] = {"Bot",   "bot",          "Bot 2",
                                       "BOT-7", "Bot2",         "B0t 3",
                                       "Bot 1", "\xd0\x92ot 2", "\xd0\x92\xce\xbft"};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        refused(kept[i], "Only bots are called like that");
    for (int level = 0; level < BOT_LEVELS; level++)
        for (int number = 0; number < BOT_CHARACTERS; number++)
            refused(bot_character((enum bot_level)level, number).name,
                    "Only bots are called like that");
    static const char *const alike[] = {"crabbot", "Crabbot1", "CRABB0T", "\xd0\xa1rabbot"};
    for (size_t i = 0; i < sizeof alike / sizeof alike[0]; i++)
        refused(alike[i], "Only bots are called like that");
    static const char *const people[] = {"Botond", "Robot",    "Abbot 2", "Boti",
                                         "Bottom", "Crabbott", "Crab"};
    for (size_t i = 0; i < sizeof people / sizeof people[0]; i++)
        assert_true(names_normalise(span_of(people[i]), out, &why));
}

static void what_nobody_sees_is_in_no_name(void **state) {
    static const char *const unseen[] = {
        "A\xcd\x8fnn",         /* U+034F */
        "Ann\xef\xb8\x8f",     /* U+FE0F after a letter */
        "A\xf3\xa0\x84\x80nn", /* U+E0100 */
        "A\xe1\x9e\xb5nn",     /* U+17B5 */
        "A\xe1\xa0\x8bnn",     /* U+180B */
    };
    for (size_t i = 0; i < sizeof unseen / sizeof unseen[0]; i++)
        refused(unseen[i], INVISIBLE);
    becomes("Ann \xe2\x9d\xa4\xef\xb8\x8f", "Ann \xe2\x9d\xa4\xef\xb8\x8f"); /* a red heart */
}

/* In a world of its own: who is called what there. */
static void a_name_is_taken_once_in_a_world(void **state) {
    static struct world world;
    world.member_count = 2;
    strcpy(world.member[0].id, "p1");
    strcpy(world.member[0].name, "Ann");
    strcpy(world.member[1].id, "p2");
    strcpy(world.member[1].name, "ann 2");
    names_in_world(&world, span_of("p3"), span_of("Bob"), out);
    assert_string_equal(out, "Bob");
    names_in_world(&world, span_of("p1"), span_of("Ann"), out);
    assert_string_equal(out, "Ann");
    names_in_world(&world, span_of("p3"), span_of("\xd0\x90nn"), out);
    assert_string_equal(out, "\xd0\x90nn 3");
    char longest[NAME_SIZE] = "", wanted[NAME_SIZE];
    for (int i = 0; i < NAME_CHARACTERS_MAX; i++)
        strcat(longest, "\xf0\x9f\x8d\x8e"); /* four bytes each */
    strcpy(world.member[0].name, longest);
    names_in_world(&world, span_of("p3"), span_of(longest), out);
    memcpy(wanted, longest, sizeof wanted);
    strcpy(wanted + 4 * (NAME_CHARACTERS_MAX - 1), " 2");
    assert_string_equal(out, wanted);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_names_stay),
        cmocka_unit_test(names_that_look_alike_are_known),
        cmocka_unit_test(bots_have_their_names_for_themselves),
        cmocka_unit_test(what_nobody_sees_is_in_no_name),
        cmocka_unit_test(a_name_is_taken_once_in_a_world),
        cmocka_unit_test(blanks_are_single_and_inside),
        cmocka_unit_test(names_are_nfc),
        cmocka_unit_test(quotes_are_written_otherwise),
        cmocka_unit_test(names_have_1_to_24_characters),
        cmocka_unit_test(what_cannot_be_seen_is_refused),
        cmocka_unit_test(something_must_be_seen),
        cmocka_unit_test(names_are_utf8),
        cmocka_unit_test(text_is_cleaned),
        cmocka_unit_test(text_is_never_empty),
        cmocka_unit_test(text_is_bounded),
        cmocka_unit_test(the_widest_input_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
