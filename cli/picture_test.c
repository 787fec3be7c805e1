/* Tables as text, made to fit a window. */
#include "cli/picture.h"

#include "tests/support.h"

static struct picture window(int columns) {
    return (struct picture){.columns = columns,
                            .signs = true,
                            .seats = 3,
                            .name = {"You", "Jellybot", "Squidbot"},
                            .level = {NULL, "medium", "🐙 hard"},
                            .side_of = {0, 1, 2}};
}

static void wraps(int columns, const char *text, const char *expected) {
    char wrapped[PICTURE_SIZE];
    struct picture picture = window(columns);
    struct text out = text_in(wrapped, sizeof wrapped);
    picture_wrap(&picture, text, &out);
    assert_string_equal(wrapped, expected);
}

UNIT_TEST(a_row_that_goes_on_is_set_in) {
    wraps(20, "as wide as a window!\n", "as wide as a window!\n");
    wraps(20, "it says more than a window has\n", "it says more than a\n    window has\n");
    wraps(20, "> You: KS KH KD KC QS QH\n", "> You: KS KH KD KC\n      QS QH\n");
    wraps(20, "  one   two and   three four\n", "  one   two and\n      three four\n");
    wraps(20, "aaaaaaaaaaaaaaaaaaaaaaaaa\n", "aaaaaaaaaaaaaaaaaaaa\n    aaaaa\n");
    wraps(20, "ööööööööööööööööööööö\n", "öööööööööööööööööööö\n    ö\n");
    wraps(20, "eighteen letters 🐙🐙\n", "eighteen letters\n    🐙🐙\n");
    wraps(20, "", "");
}

static void fits(int rows, int rows_max, bool whole, const char *expected) {
    static const char table[] = "  round 1\n"
                                "> You          hand 2: KS KH\n"
                                "      1) 9S 9H 9D\n"
                                "      2) 8S 8H 8D\n"
                                "  Jellybot     hand 3\n"
                                "      1) KS KH KD 2S JK JK  [Dirty Book]\n"
                                "      2) 10S 10H 10D\n"
                                "  Squidbot     foot 4\n"
                                "      1) AS AH AD  [Clean Book, open]\n";
    char fitted[PICTURE_SIZE];
    struct picture picture = window(60);
    struct text out = text_in(fitted, sizeof fitted);
    assert_int_equal(picture_fit(&picture, table, rows, rows_max, &out), whole);
    assert_string_equal(fitted, expected);
}

UNIT_TEST(a_table_says_less_of_the_others_where_there_is_no_room) {
    fits(9, 9, true,
         "  round 1\n"
         "> You               hand 2: KS KH\n"
         "      1) 9S 9H 9D\n"
         "      2) 8S 8H 8D\n"
         "  Jellybot medium   hand 3\n"
         "      1) KS KH KD 2S JK JK  [Dirty Book]\n"
         "      2) 10S 10H 10D\n"
         "  Squidbot 🐙 hard  foot 4\n"
         "      1) AS AH AD  [Clean Book, open]\n");
    fits(7, 9, true,
         "  round 1\n"
         "> You               hand 2: KS KH\n"
         "      1) 9S 9H 9D  2) 8S 8H 8D\n"
         "  Jellybot medium   hand 3\n"
         "      1) KS KH KD 2S JK JK  [Dirty Book]  2) 10S 10H 10D\n"
         "  Squidbot 🐙 hard  foot 4\n"
         "      1) AS AH AD  [Clean Book, open]\n");
    const char *counted = "  round 1\n"
                          "> You               hand 2: KS KH\n"
                          "      1) 9S 9H 9D  2) 8S 8H 8D\n"
                          "  Jellybot medium   hand 3\n"
                          "      1) 3×K 1×2 2×JK [Dirty]  2) 3×10\n"
                          "  Squidbot 🐙 hard  foot 4\n"
                          "      1) 3×A [Clean, open]\n";
    fits(6, 7, false, counted);
    fits(6, 6, false,
         "  round 1\n"
         "> You               hand 2: KS KH\n"
         "      1) 9S 9H 9D  2) 8S 8H 8D\n"
         "  Jellybot medium   hand 3\n"
         "  Squidbot 🐙 hard  foot 4\n");
    fits(2, 2, false,
         "  round 1\n"
         "> You               hand 2: KS KH\n");
}

UNIT_TEST(levels_stand_at_the_seats) {
    char named[PICTURE_SIZE];
    struct picture picture = window(80);
    struct text out = text_in(named, sizeof named);
    picture_whole(&picture,
                  "  trump hearts, called by Jellybot\n"
                  "> A You          10S\n  B Jellybot     ##\n"
                  "  trick:   Jellybot AC\n",
                  &out);
    assert_string_equal(named, "  trump hearts, called by Jellybot\n"
                               "> A You               10S\n  B Jellybot medium   ##\n"
                               "  trick:   Jellybot AC\n");
    out = text_in(named, sizeof named);
    picture_whole(&picture, "  X You   O Squidbot\n", &out);
    assert_string_equal(named, "  X You   O Squidbot (🐙 hard)\n");
    out = text_in(named, sizeof named);
    picture_whole(&picture, "  You 0 (judge)  Jellybot 1  Squidbot 0 \n", &out);
    assert_string_equal(named, "  You 0 (judge)  Jellybot (medium) 1  Squidbot (🐙 hard) 0 \n");
}
