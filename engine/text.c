/* The text writer and scanner of text.h. Every parser of the engine stands on this one. */
#include "engine/text.h"

#include "engine/ensure.h"
#include <string.h>

__attribute__((weak)) _Noreturn void ensure_failed(const char *what, const char *file, int line) {
    __builtin_trap();
}

struct span span_of(const char *string) {
    return (struct span){string, strlen(string)};
}

bool string_begins(const char *string, const char *start) {
    while (*start && *string == *start)
        string++, start++;
    return *start == '\0';
}

bool span_is(struct span span, const char *string) {
    size_t i = 0;
    while (i < span.length && string[i] == span.data[i] && string[i] != '\0')
        i++;
    return i == span.length && string[i] == '\0';
}

bool span_equal(struct span a, struct span b) {
    return a.length == b.length && (a.length == 0 || memcmp(a.data, b.data, a.length) == 0);
}

bool span_take(struct span *span, const char *start) {
    size_t length = strlen(start);
    if (span->length < length || memcmp(span->data, start, length) != 0)
        return false;
    *span = (struct span){span->data + length, span->length - length};
    return true;
}

struct span span_take_until(struct span *rest, char end) {
    struct span part = {rest->data, 0};
    while (part.length < rest->length && part.data[part.length] != end)
        part.length++;
    size_t taken = part.length + (part.length < rest->length ? 1 : 0);
    if (taken > 0)
        *rest = (struct span){rest->data + taken, rest->length - taken};
    return part;
}

bool span_made_of(struct span span, const char *others) {
    for (size_t i = 0; i < span.length; i++) {
        char c = span.data[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) &&
            !memchr(others, c, strlen(others)))
            return false;
    }
    return span.length > 0;
}

bool span_number(struct span span, int32_t *out) {
    bool negative = span.length > 0 && span.data[0] == '-';
    size_t at = negative ? 1 : 0;
    if (span.length == at || span.length - at > 9)
        return false;
    int32_t number = 0;
    for (; at < span.length; at++) {
        char c = span.data[at];
        if (c < '0' || c > '9')
            return false;
        number = number * 10 + (c - '0');
    }
    *out = negative ? -number : number;
    return true;
}

int32_t span_character(struct span span, size_t *at) {
    static const int32_t smallest[] = {0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)span.data[(*at)++];
    int more = first < 0x80 ? 0 : first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    int32_t character = first < 0x80 ? first : first & (0x3f >> more);
    if (first >= 0xf8 || (first >= 0x80 && first < 0xc0))
        return -1;
    for (int i = 0; i < more; i++, ++*at) {
        if (*at == span.length || ((unsigned char)span.data[*at] & 0xc0) != 0x80)
            return -1;
        character = character << 6 | ((unsigned char)span.data[*at] & 0x3f);
    }
    bool surrogate = character >= 0xd800 && character < 0xe000;
    return character < smallest[more] || character > 0x10ffff || surrogate ? -1 : character;
}

bool character_is_control(int32_t character) {
    return character < 0x20 || (character >= 0x7f && character < 0xa0) || character == 0x61c ||
           character == 0x200e || character == 0x200f ||
           (character >= 0x2028 && character <= 0x202e) ||
           (character >= 0x2066 && character <= 0x2069);
}

bool span_is_utf8(struct span span) {
    for (size_t at = 0; at < span.length;)
        if (span_character(span, &at) < 0)
            return false;
    return true;
}

int hex_digit(char c) {
    int letter = (c | ('a' - 'A')) - 'a'; /* a capital counts as the small one */
    return c >= '0' && c <= '9' ? c - '0' : letter >= 0 && letter < 6 ? letter + 10 : -1;
}

bool span_hex(struct span span, uint8_t *out, size_t size) {
    if (span.length != 2 * size)
        return false;
    for (size_t i = 0; i < span.length; i++) {
        int digit = hex_digit(span.data[i]);
        if (digit < 0)
            return false;
        out[i / 2] = (uint8_t)(i % 2 == 0 ? digit << 4 : out[i / 2] | digit);
    }
    return true;
}

struct text text_in(char *buffer, size_t size) {
    ensure(size > 0);
    buffer[0] = '\0';
    return (struct text){.data = buffer, .size = size};
}

void text_begin(struct text *text, char *buffer, size_t size) {
    *text = text_in(buffer, size);
}

void text_span(struct text *text, struct span span) {
    size_t room = text->size - 1 - text->length;
    if (span.length > room) {
        text->cut = true;
        span.length = room;
    }
    if (span.length > 0)
        memcpy(text->data + text->length, span.data, span.length);
    text->length += span.length;
    text->data[text->length] = '\0';
}

void text_char(struct text *text, char c) {
    if (text->size - text->length < 2) {
        text->cut = true;
        return;
    }
    text->data[text->length++] = c;
    text->data[text->length] = '\0';
}

void text_string(struct text *text, const char *string) {
    text_span(text, span_of(string));
}

void text_number(struct text *text, int64_t number) {
    char digits[20];
    size_t at = sizeof digits;
    if (number >= 0 && number < 10) {
        text_char(text, (char)('0' + number));
        return;
    }
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    for (; rest >= 100;
         rest /= 100) { /* two digits at a time, because times in milliseconds have 13 */
        digits[--at] = (char)('0' + rest % 10);
        digits[--at] = (char)('0' + rest / 10 % 10);
    }
    if (rest >= 10) {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    }
    digits[--at] = (char)('0' + rest);
    if (number < 0)
        text_char(text, '-');
    text_span(text, (struct span){digits + at, sizeof digits - at});
}

static void write_safely(struct text *text, const char *string) {
    for (; *string; string++) {
        unsigned char c = (unsigned char)*string;
        text_char(text, c < 0x20 || c == 0x7f ? '?' : (char)c);
    }
}

void text_format(struct text *text, const char *format, va_list arguments) {
    for (const char *at = format; *at; at++) {
        if (*at != '%') {
            text_char(text, *at);
            continue;
        }
        at++;
        if (*at == 'd') {
            text_number(text, va_arg(arguments, int));
        } else if (*at == 's') {
            write_safely(text, va_arg(arguments, const char *));
        } else {
            ensure(*at == '%'); /* a format that is not known here */
            text_char(text, '%');
        }
    }
}

void text_end_whole(struct text *text) {
    size_t start = text->length;
    while (start > 0 && ((unsigned char)text->data[start - 1] & 0xc0) == 0x80)
        start--;
    if (!text->cut || start == 0 || (unsigned char)text->data[start - 1] < 0xc0)
        return;
    text->length = start - 1;
    text->data[text->length] = '\0';
}

void text_padded(struct text *text, const char *string, size_t width) {
    size_t characters = 0;
    for (const char *at = string; *at; at++)
        characters +=
            ((unsigned char)*at & 0xc0) != 0x80; /* continuation bytes of UTF-8 do not count */
    text_string(text, string);
    for (; characters < width; characters++)
        text_char(text, ' ');
}

void text_hex(struct text *text, const uint8_t *bytes, size_t size) {
    static const char digit[] = "0123456789abcdef";
    for (size_t i = 0; i < size; i++) {
        text_char(text, digit[bytes[i] >> 4]);
        text_char(text, digit[bytes[i] & 15]);
    }
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

struct scan scan_of(struct span span) {
    if (span.length == 0)
        span.data = ""; /* an empty span may point nowhere */
    return (struct scan){span.data, span.data + span.length};
}

bool scan_word(struct scan *scan, struct span *word) {
    while (scan->at < scan->end && is_blank(*scan->at))
        scan->at++;
    const char *start = scan->at;
    while (scan->at < scan->end && !is_blank(*scan->at))
        scan->at++;
    *word = (struct span){start, (size_t)(scan->at - start)};
    return word->length > 0;
}

bool scan_peek(struct scan scan, struct span *word) {
    return scan_word(&scan, word);
}

bool scan_done(struct scan scan) {
    struct span word;
    return !scan_word(&scan, &word);
}
