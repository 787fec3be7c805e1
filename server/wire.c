/* See wire.h; built on libsodium. */
#include "server/wire.h"

#include "engine/ensure.h"
#include <sodium.h>
#include <string.h>

bool wire_init(void) {
    return sodium_init() >= 0;
}

/* ---- Signatures ---- */

void wire_sign(const char *secret, struct span text, char hex[WIRE_HEX_SIZE]) {
    crypto_auth_hmacsha256_state state;
    unsigned char bytes[crypto_auth_hmacsha256_BYTES];
    crypto_auth_hmacsha256_init(&state, (const unsigned char *)secret, strlen(secret));
    crypto_auth_hmacsha256_update(&state, (const unsigned char *)text.data, text.length);
    crypto_auth_hmacsha256_final(&state, bytes);
    sodium_bin2hex(hex, WIRE_HEX_SIZE, bytes, sizeof bytes);
}

bool wire_verify(const char *secret, struct span text, struct span hex) {
    char own[WIRE_HEX_SIZE];
    if (hex.length != WIRE_HEX_SIZE - 1)
        return false;
    wire_sign(secret, text, own);
    return sodium_memcmp(own, hex.data, hex.length) == 0;
}

/* ---- What is made up here ---- */

static const char id_letters[] = "abcdefghijklmnopqrstuvwxyz234567";

static void make_word(char *out, size_t length, const char *letters) {
    uint32_t count = (uint32_t)strlen(letters);
    for (size_t i = 0; i < length; i++)
        out[i] = letters[randombytes_uniform(count)];
    out[length] = '\0';
}

void wire_make_token(char token[WIRE_TOKEN_SIZE]) {
    unsigned char bytes[32];
    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2base64(token, WIRE_TOKEN_SIZE, bytes, sizeof bytes,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    sodium_memzero(bytes, sizeof bytes);
}

static bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool wire_hash_token(struct span token, uint8_t hash[WIRE_HASH_SIZE]) {
    if (token.length != WIRE_TOKEN_SIZE - 1)
        return false;
    for (size_t i = 0; i < token.length; i++)
        if (!is_letter_or_digit(token.data[i]) && token.data[i] != '-' && token.data[i] != '_')
            return false;
    crypto_hash_sha256(hash, (const unsigned char *)token.data, token.length);
    return true;
}

void wire_make_player_id(char id[WIRE_PLAYER_ID_SIZE]) {
    id[0] = 'p';
    make_word(id + 1, WIRE_PLAYER_ID_SIZE - 2, id_letters);
}

bool wire_is_player_id(struct span word) {
    if (word.length != WIRE_PLAYER_ID_SIZE - 1 || word.data[0] != 'p')
        return false;
    for (size_t i = 1; i < word.length; i++)
        if (!memchr(id_letters, word.data[i], sizeof id_letters - 1))
            return false;
    return true;
}

void wire_make_code(char code[WIRE_CODE_SIZE]) {
    make_word(code, WORLD_CODE_LENGTH, world_code_letters);
}

void wire_make_socket_id(char id[WIRE_SOCKET_ID_SIZE]) {
    struct text text;
    text_begin(&text, id, WIRE_SOCKET_ID_SIZE);
    text_number(&text, randombytes_random());
    text_char(&text, '.');
    text_number(&text, randombytes_random());
    ensure(!text.cut);
}

/* ---- What Pusher's clients send ---- */

bool wire_is_socket_id(struct span word) {
    size_t points = 0;
    for (size_t i = 0; i < word.length; i++) {
        bool inside = i > 0 && i + 1 < word.length;
        if (word.data[i] == '.' && inside)
            points++;
        else if (word.data[i] < '0' || word.data[i] > '9')
            return false;
    }
    return points == 1 && word.length <= WIRE_SOCKET_ID_MAX;
}

bool wire_is_channel(struct span word) {
    static const char others[] = "-_=@,.;";
    for (size_t i = 0; i < word.length; i++)
        if (!is_letter_or_digit(word.data[i]) && !memchr(others, word.data[i], sizeof others - 1))
            return false;
    return word.length > 0 && word.length <= WIRE_CHANNEL_MAX;
}

/* ---- Encodings ---- */

/* Takes the part before the first such character off the span, together with the character. */
static struct span take_until(struct span *rest, char end) {
    const char *found = rest->length > 0 ? memchr(rest->data, end, rest->length) : NULL;
    struct span part = {rest->data, found ? (size_t)(found - rest->data) : rest->length};
    size_t taken = part.length + (found ? 1 : 0);
    if (taken > 0)
        *rest = (struct span){rest->data + taken, rest->length - taken};
    return part;
}

struct span wire_path(struct span target) {
    return take_until(&target, '?');
}

struct span wire_query(struct span target) {
    take_until(&target, '?');
    return target;
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

bool wire_decode_path(struct span in, struct text *out) {
    return decode(in, false, out);
}

bool wire_decode_form(struct span in, struct text *out) {
    return decode(in, true, out);
}

/* Names may be escaped as well. A name that is longer than any of ours is none of ours. */
static bool is_named(struct span key, const char *name) {
    char buffer[64];
    struct text text;
    text_begin(&text, buffer, sizeof buffer);
    return wire_decode_form(key, &text) && strcmp(buffer, name) == 0;
}

bool wire_field(struct span form, const char *name, struct text *out) {
    while (form.length > 0) {
        struct span value = take_until(&form, '&');
        struct span key = take_until(&value, '=');
        if (is_named(key, name))
            return wire_decode_form(value, out);
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

bool wire_cookie(struct span header, const char *name, struct span *value) {
    while (header.length > 0) {
        struct span pair = take_until(&header, ';'), rest = pair;
        struct span key = take_until(&rest, '=');
        if (key.length == pair.length || !span_is(trim(key), name))
            continue; /* without a value, or another one's */
        *value = trim(rest);
        if (value->length >= 2 && value->data[0] == '"' && value->data[value->length - 1] == '"')
            *value = (struct span){value->data + 1, value->length - 2};
        return true;
    }
    return false;
}

/* ---- Pusher's envelope ---- */

/* The letter that stands after the backslash; 1 for a control character that has none. */
static char escape_of(unsigned char c) {
    switch (c) {
    case '"':
    case '\\':
        return (char)c;
    case '\b':
        return 'b';
    case '\f':
        return 'f';
    case '\n':
        return 'n';
    case '\r':
        return 'r';
    case '\t':
        return 't';
    default:
        return c < 0x20 ? 1 : 0;
    }
}

static void put_escape(struct text *out, unsigned char c) {
    char letter = escape_of(c);
    text_char(out, '\\');
    if (letter != 1) {
        text_char(out, letter);
        return;
    }
    text_string(out, "u00");
    text_hex(out, &c, 1);
}

static bool is_plain(unsigned char c) {
    return c >= 0x20 && c != '"' && c != '\\';
}

/* Every event passes through here: while even the worst case fits, plain bytes are just copied. */
static void put_string(struct text *out, struct span text) {
    text_char(out, '"');
    for (size_t at = 0; at < text.length; at++) {
        size_t room = out->size - out->length - 1, left = text.length - at;
        size_t run = 0, most = room < left ? room : left;
        char *to = out->data + out->length;
        while (run < most && is_plain((unsigned char)text.data[at + run])) {
            to[run] = text.data[at + run];
            run++;
        }
        to[run] = '\0';
        out->length += run;
        at += run;
        if (at < text.length)
            put_escape(out, (unsigned char)text.data[at]);
    }
    text_char(out, '"');
}

static void put_top(const char *event, const char *channel, struct text *out) {
    text_string(out, "{\"event\":");
    put_string(out, span_of(event));
    if (channel) {
        text_string(out, ",\"channel\":");
        put_string(out, span_of(channel));
    }
    text_string(out, ",\"data\":");
}

void wire_event(const char *event, const char *channel, struct span data, struct text *out) {
    put_top(event, channel, out);
    put_string(out, data);
    text_char(out, '}');
}

void wire_event_top(const char *event, const char *channel, struct text *out) {
    put_top(event, channel, out);
    text_char(out, '"');
}

bool wire_is_too_deep(struct span json, int64_t max) {
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
