/* See refusal.h. */
#include "engine/refusal.h"

#include <stdarg.h>

bool refuse(struct refusal *why, const char *code, const char *format, ...) {
    if (!why)
        return false;
    why->code = code;
    why->at = NULL;
    struct text text = text_in(why->text, sizeof why->text);
    va_list arguments;
    va_start(arguments, format);
    text_format(&text, format, arguments);
    va_end(arguments);
    text_end_whole(&text);
    return false;
}

bool refuse_word(struct refusal *why, struct span word, const char *code, const char *format) {
    char quoted[64];
    struct text text = text_in(quoted, sizeof quoted);
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
