/* Formats refusals without a libc. */
#include "engine/refusal.h"

#include "engine/ensure.h"
#include <stdarg.h>

static void write_safely(struct text *text, const char *string) {
    for (; *string; string++) {
        unsigned char c = (unsigned char)*string;
        text_char(text, c < 0x20 || c == 0x7f ? '?' : (char)c);
    }
}

static void write_format(struct text *text, const char *format, va_list arguments) {
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

bool refuse(struct refusal *why, const char *code, const char *format, ...) {
    if (!why)
        return false;
    why->code = code;
    why->at = NULL;
    struct text text;
    text_begin(&text, why->text, sizeof why->text);
    va_list arguments;
    va_start(arguments, format);
    write_format(&text, format, arguments);
    va_end(arguments);
    text_end_whole(&text);
    return false;
}

bool refuse_word(struct refusal *why, struct span word, const char *code, const char *format) {
    char quoted[64];
    struct text text;
    text_begin(&text, quoted, sizeof quoted);
    text_span(&text, word);
    text_end_whole(&text);
    refuse(why, code, format, quoted);
    if (why)
        why->at = word.data;
    return false;
}

bool refuse_wrong_phase(struct refusal *why) {
    return refuse(why, "WRONG_PHASE", "Wrong phase");
}

bool refuse_not_your_turn(struct refusal *why) {
    return refuse(why, "NOT_YOUR_TURN", "Not your turn");
}
