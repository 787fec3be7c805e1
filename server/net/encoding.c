/* See encoding.h. */
#include "server/net/encoding.h"

#include <string.h>

struct span encoding_path(struct span target) {
    return span_take_until(&target, '?');
}

bool encoding_path_fits(const char *pattern, struct span path,
                        struct span parts[ENCODING_PARTS_MAX]) {
    size_t at = 0;
    int found = 0;
    for (; *pattern && at < path.length; pattern++) {
        size_t start = at;
        if (*pattern != '*' && *pattern != path.data[at++])
            return false;
        if (*pattern != '*')
            continue;
        while (at < path.length && path.data[at] != '/')
            at++;
        if (at == start)
            return false;
        parts[found++] = (struct span){path.data + start, at - start};
    }
    bool slash = at + 1 == path.length && path.data[at] == '/';
    return !*pattern && (at == path.length || slash);
}

static bool decode(struct span in, bool form, struct text *out) {
    for (size_t i = 0; i < in.length; i++) {
        uint8_t byte = (uint8_t)in.data[i];
        if (byte == '%') {
            if (in.length - i < 3 || !span_hex((struct span){in.data + i + 1, 2}, &byte, 1))
                return false;
            i += 2;
        } else if (byte == '+' && form) {
            byte = ' ';
        }
        if (byte == 0)
            return false;
        text_char(out, (char)byte);
    }
    return !out->cut;
}

bool encoding_decode_path(struct span in, struct text *out) {
    return decode(in, false, out);
}

bool encoding_decode_form(struct span in, struct text *out) {
    return decode(in, true, out);
}

/* Names may be escaped as well. A name that is longer than any of ours is none of ours. */
static bool is_named(struct span key, const char *name) {
    char buffer[64];
    struct text text = text_in(buffer, sizeof buffer);
    return encoding_decode_form(key, &text) && strcmp(buffer, name) == 0;
}

bool encoding_field(struct span form, const char *name, struct text *out) {
    while (form.length > 0) {
        struct span value = span_take_until(&form, '&');
        struct span key = span_take_until(&value, '=');
        if (is_named(key, name))
            return encoding_decode_form(value, out);
    }
    return false;
}

static struct span trim(struct span span) {
    while (span.length > 0 && (*span.data == ' ' || *span.data == '\t'))
        span = (struct span){span.data + 1, span.length - 1};
    while (span.length > 0 &&
           (span.data[span.length - 1] == ' ' || span.data[span.length - 1] == '\t'))
        span.length--;
    return span;
}

bool encoding_cookie(struct span header, const char *name, struct span *value) {
    while (header.length > 0) {
        struct span pair = span_take_until(&header, ';'), rest = pair;
        struct span key = span_take_until(&rest, '=');
        if (key.length == pair.length || !span_is(trim(key), name))
            continue; /* without a value, or another one's */
        *value = trim(rest);
        if (value->length >= 2 && value->data[0] == '"' && value->data[value->length - 1] == '"')
            *value = (struct span){value->data + 1, value->length - 2};
        return true;
    }
    return false;
}

bool encoding_is_too_deep(struct span json, int64_t max) {
    int64_t depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < json.length; i++) {
        char c = json.data[i];
        if (quoted && c == '\\')
            i++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '{' || c == '['))
            depth++;
        else if (!quoted && (c == '}' || c == ']'))
            depth--;
        if (depth > max)
            return true;
    }
    return false;
}
