/* Text without a libc: a bounded writer, and a scanner that walks over words. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of somebody else's text; not zero-terminated. */
struct span {
    const char *data;
    size_t length;
};

struct span span_of(const char *string);

/* Does the string begin with that one? */
bool string_begins(const char *string, const char *start);
bool span_is(struct span span, const char *string);
bool span_equal(struct span a, struct span b);

/* Takes the start off the span; false, and nothing is taken, if it starts otherwise. */
bool span_take(struct span *span, const char *start);

/* Takes off what stands before the first such character, or all of it, and then the character. */
struct span span_take_until(struct span *rest, char end);

/* Does it have nothing but ASCII letters, digits and these others, and at least one of them? */
bool span_made_of(struct span span, const char *others);

bool span_is_utf8(struct span span);

/* Reads the whole span as a decimal number (an optional minus, at most 9 digits). */
bool span_number(struct span span, int32_t *out);

/* The character of UTF-8 at `*at`, which moves behind it; -1 for bytes that are none. */
int32_t span_character(struct span span, size_t *at);

/* Can it not be seen, but changes how others are: a control, the end of a line or a paragraph, or a
 * mark that turns the direction of writing? What is no character counts as one. */
bool character_is_control(int32_t character);

int hex_digit(char c); /* its value, or -1 */
/* Reads exactly `size` bytes of hex. */
bool span_hex(struct span span, uint8_t *out, size_t size);

/* Writes into a buffer of the caller's that is always zero-terminated. What does not fit is left
 * off and `cut` is set, so a caller checks once, at the end. */
struct text {
    char *data;
    size_t size;
    size_t length;
    bool cut;
};

struct text text_in(char *buffer, size_t size);
void text_begin(struct text *text, char *buffer, size_t size); /* the same for one that is there */
void text_char(struct text *text, char c);
void text_string(struct text *text, const char *string);
void text_span(struct text *text, struct span span);
void text_number(struct text *text, int64_t number);

/* The format knows %d (int), %s (string) and %% and nothing else. In strings control characters are
 * replaced, so that what comes from outside can be printed anywhere. */
void text_format(struct text *text, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/* A text that was cut, perhaps within a character of UTF-8, loses its last character above 0x7f. */
void text_end_whole(struct text *text);

/* The string, then blanks until the text is `width` characters longer than before. */
void text_padded(struct text *text, const char *string, size_t width);
void text_hex(struct text *text, const uint8_t *bytes, size_t size);

/* Words are runs of anything but blanks and tabs. */
struct scan {
    const char *at, *end;
};

struct scan scan_of(struct span span);
bool scan_word(struct scan *scan, struct span *word);

/* Looks at the next word without taking it. */
bool scan_peek(struct scan scan, struct span *word);
bool scan_done(struct scan scan);
