/* Lines that are edited and completed, and cards as a terminal shows them. */
#include "cli/screen.h"

#include "tests/support.h"

static enum edit_answer type(struct edit *edit, const char *keys) {
    enum edit_answer answer = EDIT_MORE;
    for (; *keys; keys++)
        answer = edit_byte(edit, (unsigned char)*keys);
    return answer;
}

static void typed(const char *keys, const char *expected) {
    struct edit edit;
    edit_begin(&edit, "");
    type(&edit, keys);
    assert_string_equal(edit.text, expected);
    assert_int_equal(strlen(edit.text), edit.length);
}

UNIT_TEST(a_line_is_edited_with_the_usual_keys) {
    typed("draw", "draw");
    typed("dra\177op", "drop");
    typed("rop\001d", "drop");
    typed("dop\033[D\033[Dr", "drop");
    typed("drop\033[H\033[3~c", "crop");
    typed("play 9H\027", "play ");
    typed("play\025drop", "drop");
    typed("drop 4\033[D\013", "drop ");
    typed("naïve\033[D\033[D\033[D\177", "nïve");
    typed("é\177x", "x");
    typed("\033[1;5Aa\033Ob",
          "a"); /* a sequence that means nothing, and one that ends with a letter */
    typed("\177\033[D\033[C\004a", "a");
}

UNIT_TEST(keys_that_are_no_editing_are_answered) {
    struct edit edit;
    edit_begin(&edit, "");
    assert_int_equal(type(&edit, "\033[A"), EDIT_UP);
    assert_int_equal(type(&edit, "\033[B"), EDIT_DOWN);
    assert_int_equal(type(&edit, "\t"), EDIT_COMPLETE);
    assert_int_equal(type(&edit, "\003"), EDIT_END);
    assert_int_equal(type(&edit, "\004"), EDIT_END);
    assert_int_equal(type(&edit, "a\r"), EDIT_DONE);
}

UNIT_TEST(a_line_that_is_full_takes_nothing_more) {
    struct edit edit;
    edit_begin(&edit, "");
    for (int i = 0; i < 2 * SCREEN_LINE_SIZE; i++)
        edit_byte(&edit, 'x');
    assert_int_equal(edit.length, SCREEN_LINE_SIZE - 1);
    assert_int_equal(edit.text[SCREEN_LINE_SIZE - 1], '\0');
}

UNIT_TEST(tab_completes_as_far_as_all_candidates_agree) {
    static const char *const moves[] = {"play 9H", "play 9S", "pass", "quit"};
    struct edit edit;
    edit_begin(&edit, "pl");
    assert_int_equal(edit_complete(&edit, moves, 4), 2);
    assert_string_equal(edit.text, "play 9");
    type(&edit, "s");
    assert_int_equal(edit_complete(&edit, moves, 4), 1);
    assert_string_equal(edit.text, "play 9S");
    edit_begin(&edit, "x");
    assert_int_equal(edit_complete(&edit, moves, 4), 0);
    assert_string_equal(edit.text, "x");
    edit_begin(&edit, "p");
    assert_int_equal(edit_complete(&edit, moves, 4), 3);
    assert_string_equal(edit.text, "p");
}

static void shown(struct screen screen, const char *text, const char *expected) {
    char buffer[256];
    struct text out;
    text_begin(&out, buffer, sizeof buffer);
    screen_write(&screen, span_of(text), &out);
    assert_string_equal(buffer, expected);
}

UNIT_TEST(cards_have_signs_and_colours_where_the_terminal_can) {
    shown((struct screen){.live = true, .signs = true}, "You 10S KH* (9D) BSC AHA 5",
          "You 10♠ K♥* (9♦) BSC AHA 5");
    shown((struct screen){.live = true, .signs = true, .colours = true}, "KH QC",
          "\033[1;31mK♥\033[0m \033[1mQ♣\033[0m");
    shown((struct screen){.live = true, .colours = true}, "KH", "\033[1;31mKH\033[0m");
    shown((struct screen){.live = true}, "KH", "KH");
    shown((struct screen){.signs = true}, "KH", "KH"); /* in a pipe */
}

UNIT_TEST(discs_have_the_colours_of_their_sides) {
    struct screen screen = {.live = true, .colours = true, .discs = true};
    shown(screen, ". X O X You  OX",
          ". \033[1;31mX\033[0m \033[1;33mO\033[0m \033[1;31mX\033[0m You  OX");
    screen.colours = false;
    shown(screen, "X O", "X O");
    shown((struct screen){.live = true, .colours = true}, "X O", "X O"); /* a game of cards */
}

static void said(const char *move, int way, const char *expected) {
    char buffer[256];
    struct text out = text_in(buffer, sizeof buffer);
    screen_say(span_of(move), way, &out);
    assert_string_equal(buffer, expected);
}

UNIT_TEST(a_move_is_written_as_people_say_it) {
    said("play KH", 0, "play K hearts");
    said("play KH", 1, "play K of hearts");
    said("play 10S", 2, "play 10 spades");
    said("meld KH 9C JK", 3, "meld king of hearts 9 of clubs JK");
    said("drop 4", 0, "drop 4");
}
