/* Names and chat: what is accepted, how it is written, and what is refused and why. */
#include "server/rooms/names.h"
#include "tests/support.h"

static char out[NAME_SIZE], said[2048];
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

static void refused(struct span in, const char *text) {
    why = (struct refusal){0};
    assert_false(names_normalise(in, out, &why));
    assert_string_equal(why.code, "BAD_REQUEST");
    assert_string_equal(why.text, text);
}

UNIT_TEST(plain_names_stay) {
    becomes("Ann", "Ann");
    becomes("O'Neil <b>&amp;", "O'Neil <b>&amp;");
    becomes("Zo\u00eb", "Zo\u00eb");
    becomes("\u674e\u96f7", "\u674e\u96f7");
    becomes("\u05d3\u05d5\u05d3", "\u05d3\u05d5\u05d3");
    becomes("x", "x");
}

UNIT_TEST(blanks_are_single_and_inside) {
    becomes("  Ann   Lee ", "Ann Lee");
    becomes("\u00a0Ann\u3000\u2003Lee\u2800", "Ann Lee");
}

UNIT_TEST(names_are_nfc) {
    becomes("Zoe\u0308", "Zo\u00eb");
    becomes("\u1112\u1161\u11ab", "\ud55c");
    becomes("\u212b", "\u00c5");              /* Angstrom sign */
    becomes("a\u0323\u0307", "\u1ea1\u0307"); /* marks in canonical order */
    becomes("a\u0307\u0323", "\u1ea1\u0307");
}

UNIT_TEST(quotes_are_written_otherwise) {
    becomes("Ann \"Ace\"", "Ann \u201dAce\u201d");
    becomes("\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"",
            "\u201d\u201d\u201d\u201d\u201d\u201d\u201d\u201d\u201d\u201d\u201d\u201d\u201d\u201d"
            "\u201d\u201d\u201d\u201d\u201d\u201d\u201d\u201d\u201d\u201d");
}

/* Counted in characters, after normalisation. */
UNIT_TEST(names_have_1_to_24_characters) {
    const char *size = "A name has 1 to 24 characters";
    char cards[25 * 4 + 1] = "";
    for (int i = 0; i < 24; i++)
        strcat(cards, "\U0001f0cf");
    becomes(cards, cards);
    strcat(cards, "\U0001f0cf");
    refused(span_of(cards), size);
    becomes("abcdefghijklmnopqrstuvwx", "abcdefghijklmnopqrstuvwx");
    refused(span_of("abcdefghijklmnopqrstuvwxy"), size);
    becomes("abcdefghijklmnopqrstuvwe\u0301", "abcdefghijklmnopqrstuvw\u00e9");
    refused(span_of(""), size);
    char wide[400];
    memset(wide, ' ', sizeof wide);
    memcpy(wide + 287, "a", 2);
    becomes(wide, "a");
    memcpy(wide + 287, " a", 3);
    refused(span_of(wide), size);
}

UNIT_TEST(what_cannot_be_seen_is_refused) {
    static const char *const bad[] = {"a\tb",        "a\nb", "a\x7f", "a\xc2\x85", /* next line */
                                      "a\u202eb",    /* right-to-left override */
                                      "a\u2066b",    /* left-to-right isolate */
                                      "a\u200f",     /* right-to-left mark */
                                      "a\u200bb",    /* zero width space */
                                      "a\u200db",    /* zero width joiner */
                                      "a\u00adb",    /* soft hyphen */
                                      "a\ufeff",     /* byte order mark */
                                      "a\u2028b",    /* line separator */
                                      "a\u2029b",    /* paragraph separator */
                                      "a\ue000",     /* private use */
                                      "a\u0378",     /* unassigned */
                                      "a\uffff",     /* noncharacter */
                                      "\u3164",      /* Hangul filler */
                                      "a\U000e0041", /* a tag */
                                      NULL};
    for (int i = 0; bad[i]; i++)
        refused(span_of(bad[i]), INVISIBLE);
}

UNIT_TEST(something_must_be_seen) {
    const char *nothing = "There is nothing to be seen in this";
    refused(span_of("   "), nothing);
    refused(span_of("\u0301"), nothing);
    refused(span_of(" \u0301 \ufe0f"), INVISIBLE);
    refused(span_of("\u2800"), nothing);
    becomes("\u2764\ufe0f", "\u2764\ufe0f"); /* a heart, as emoji */
}

UNIT_TEST(names_are_utf8) {
    struct span bad = span_of("\xff|a\xc3|\xc0\xaf|\x80|\xed\xa0\x80|\xf4\x90\x80\x80|\xe2\x82|"
                              "\xf8\x88\x80\x80\x80");
    while (bad.length > 0)
        refused(span_take_until(&bad, '|'), "This is not valid UTF-8");
    refused((struct span){"a\0b", 3}, INVISIBLE);
}

static bool say(const char *in) {
    return names_clean_text(span_of(in), said, sizeof said, 300, &why);
}

static void cleaned(const char *in, const char *expected) {
    assert_true(say(in));
    assert_string_equal(said, expected);
}

static void unsaid(const char *in, const char *text) {
    assert_false(say(in));
    assert_string_equal(why.text, text);
}

UNIT_TEST(text_is_cleaned) {
    cleaned("  Hello,\n\t\"world\" \u2028!\x01\xe2\x80\xae ", "Hello, \"world\" !");
    cleaned("a\tb\rc", "a b c");
    cleaned("e\u0301", "\u00e9");
    cleaned("e\u200b\u0301", "\u00e9"); /* NFC also where something was left out */
    const char *family = "\U0001f469\u200d\U0001f467";
    cleaned(family, family);
    cleaned("\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u200c\u062e");
}

UNIT_TEST(text_is_never_empty) {
    static const char *const bad[] = {" ", "\n", "\u202e", "\u200d", NULL};
    for (int i = 0; bad[i]; i++)
        unsaid(bad[i], "There is nothing to be seen in this");
    unsaid("", "A message has 1 to 300 characters");
    unsaid("a\xff", "This is not valid UTF-8");
}

UNIT_TEST(text_is_bounded) {
    char in[301 * 4 + 1] = "";
    for (int i = 0; i < 300; i++)
        memcpy(in + 4 * i, "\U0001f0cf", 5);
    cleaned(in, in);
    memcpy(in + 1200, "!", 2);
    unsaid(in, "A message has 1 to 300 characters");
    char small[4];
    assert_true(names_clean_text(span_of("abc"), small, sizeof small, 5, &why));
    assert_false(names_clean_text(span_of("abcd"), small, sizeof small, 5, &why));
    assert_false(names_clean_text(span_of("abcdef"), said, sizeof said, 5, &why));
    assert_string_equal(why.text, "A message has 1 to 5 characters");
}

/* The most that decomposition can make of an allowed input. */
UNIT_TEST(the_widest_input_fits) {
    char in[12 * 300 + 1];
    for (int i = 0; i < 1800; i++)
        memcpy(in + 2 * i, "\u0390", 3);
    assert_false(say(in));
    for (int i = 0; i < 1200; i++)
        memcpy(in + 3 * i, "\u1f82", 4);
    assert_false(say(in));
    for (int i = 0; i < 1800; i++)
        memcpy(in + 2 * i, i == 0 ? "aa" : i % 2 ? "\u0323" : "\u0307", 3);
    unsaid(in, "A message has 1 to 300 characters");
}

/* ---- What looks alike ---- */

static bool alike(const char *one, const char *other) {
    return names_look_alike(span_of(one), span_of(other));
}

UNIT_TEST(names_that_look_alike_are_known) {
    assert_true(alike("Ann", "ann"));
    assert_true(alike("Ann", "\u0410nn")); /* a Cyrillic A */
    assert_true(alike("paypal", "\u0440\u0430y\u0440\u0430l"));
    assert_true(alike("Bill", "Bi11"));
    assert_true(alike("Otto", "0tt0"));
    assert_true(alike("Ann", "\uff21nn"));      /* a wide A */
    assert_true(alike("Ann", "\U0001d400nn"));  /* a mathematical one */
    assert_true(alike("Nikos", "\u039dikos"));  /* a Greek N */
    assert_true(alike("Zo\u00eb", "Zo\u0451")); /* Cyrillic letters with marks */
    assert_true(alike("J\u00f6rg", "J\u04e7rg"));
    assert_true(alike("\u00cfda", "\u0407da"));
    assert_true(alike("L\u00f3pez", "L\u03ccpez"));
    assert_true(alike("\u0422\u041e\u041c", "\u0442\u043e\u043c")); /* the same in capitals */
    assert_true(alike("Mike", "Mi\u043ae"));
    assert_true(alike("Tom", "Torn"));
    assert_true(alike("Walter", "VValter"));
    assert_true(alike("Ann", "\u1d00nn"));
    assert_true(alike("Ann", "\U0001f170nn")); /* a white A in a red square */
    assert_true(alike("Tim", "\u03c4im"));     /* a Greek t */

    assert_true(alike("O'Neil", "O\u2019Neil"));
    assert_true(alike("Ann-Lee", "Ann\u2011Lee"));
    assert_false(alike("Zo\u00eb", "Zoe"));
    assert_false(alike("Ann", "Anna"));
    assert_false(alike("Ann", "\u00c4nn")); /* Änn is another name */
    assert_false(alike("Ann", "Anm"));
    assert_false(alike("\u0418\u0432\u0430\u043d", "Ivan"));
}

UNIT_TEST(bots_have_their_names_for_themselves) {
    static const char *const kept[] = {"Bot",
                                       "bot",
                                       "Bot 2",
                                       "BOT-7",
                                       "Bot2",
                                       "B0t 3",
                                       "Bot 1",
                                       "(Bot)",
                                       "\U0001f916 Bot",
                                       "\u0412ot 2",
                                       "\u0412\u03bft",
                                       "The Bot",
                                       "8ot 2",
                                       "\u0299ot",
                                       "\u0412\u043e\u0442 2",
                                       "\u1e02ot",
                                       "B\u022ft",
                                       "Bo\u03c4",
                                       "\u0432\u043e\u0442",
                                       "\U0001f171ot",
                                       "\U0001f171\ufe0fot",
                                       "\U0001f151\U0001f15e\U0001f163"};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        refused(span_of(kept[i]), "Only bots are called like that");
    for (int level = 0; level < BOT_LEVELS; level++)
        for (int number = 0; number < BOT_CHARACTERS; number++)
            refused(span_of(bot_character((enum bot_level)level, number).name),
                    "Only bots are called like that");
    static const char *const alike[] = {"crabbot", "Crabbot1", "CRABB0T", "\u0421rabbot"};
    for (size_t i = 0; i < sizeof alike / sizeof alike[0]; i++)
        refused(span_of(alike[i]), "Only bots are called like that");
    static const char *const people[] = {"Botond", "Robot",    "Abbot 2", "Boti",
                                         "Bottom", "Crabbott", "Crab"};
    for (size_t i = 0; i < sizeof people / sizeof people[0]; i++)
        assert_true(names_normalise(span_of(people[i]), out, &why));
}

UNIT_TEST(nobody_is_called_like_the_erased) {
    static const char *const kept[] = {"Somebody", "somebody 2", "S0mebody"};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        refused(span_of(kept[i]), "People who were erased are called like that");
}

UNIT_TEST(what_nobody_sees_is_in_no_name) {
    static const char *const unseen[] = {
        "A\u034fnn",     "Ann\ufe0f",     "A\U000e0100nn", "A\u17b5nn",  "A\u180bnn",
        "Ann\U0001d159", "Ann\U00016fe4", "\U00013441",    "\U00013442", "Ann\ufffc"};
    for (size_t i = 0; i < sizeof unseen / sizeof unseen[0]; i++)
        refused(span_of(unseen[i]), INVISIBLE);
    becomes("Ann \u2764\ufe0f", "Ann \u2764\ufe0f"); /* a red heart */
}

/* Also where everybody is called the same, and each number is one more that is taken. */
UNIT_TEST(a_full_world_of_one_name) {
    static struct world world;
    char wanted[NAME_SIZE];
    for (int i = 0; i < WORLD_MEMBERS_MAX; i++) {
        struct world_member *member = &world.member[i];
        snprintf(member->id, sizeof member->id, "p%d", i);
        names_in_world(&world, span_of(member->id), span_of("Christopher Alexander Re"), out);
        strcpy(wanted, "Christopher Alexander Re");
        if (i > 0)
            snprintf(wanted, sizeof wanted, "Christopher Alexander Re %d", i + 1);
        assert_string_equal(out, wanted);
        strcpy(member->name, out);
        world.member_count++;
    }
}

/* In a world of its own: who is called what there. */
UNIT_TEST(a_name_is_taken_once_in_a_world) {
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
    names_in_world(&world, span_of("p3"), span_of("\u0410nn"), out);
    assert_string_equal(out, "\u0410nn 3");
    char longest[NAME_SIZE] = "", wanted[NAME_SIZE];
    for (int i = 0; i < NAME_CHARACTERS_MAX; i++)
        strcat(longest, "\U0001f34e"); /* four bytes each */
    strcpy(world.member[0].name, longest);
    names_in_world(&world, span_of("p3"), span_of(longest), out);
    memcpy(wanted, longest, sizeof wanted);
    strcpy(wanted + 4 * (NAME_CHARACTERS_MAX - 1), " 2");
    assert_string_equal(out, wanted);
}
