/* A person's devices as text, a line for each: HASH CREATED SEEN UNTIL NAME. All stores take and
 * give them in this form, so that the replies about people need no list inside of a list. */
#include "store/store.h"
#include <stdlib.h>
#include <string.h>

static bool take_word(struct span *line, char end, struct span *out) {
    const char *stop = memchr(line->data, end, line->length);
    if (!stop)
        return false;
    *out = (struct span){line->data, (size_t)(stop - line->data)};
    line->data = stop + 1;
    line->length -= out->length + 1;
    return true;
}

static bool read_digit(char c, uint8_t *out) {
    bool digit = c >= '0' && c <= '9', letter = c >= 'a' && c <= 'f';
    *out = (uint8_t)(digit ? c - '0' : c - 'a' + 10);
    return digit || letter;
}

static bool read_hash(struct span hex, uint8_t out[STORE_TOKEN_SIZE]) {
    if (hex.length != 2 * (size_t)STORE_TOKEN_SIZE)
        return false;
    for (size_t i = 0; i < STORE_TOKEN_SIZE; i++) {
        uint8_t high, low;
        if (!read_digit(hex.data[2 * i], &high) || !read_digit(hex.data[2 * i + 1], &low))
            return false;
        out[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

/* A word is followed by a space, so strtoll stops there. */
static bool take_number(struct span *line, int64_t *out) {
    struct span word;
    char *end;
    if (!take_word(line, ' ', &word) || word.length == 0)
        return false;
    *out = strtoll(word.data, &end, 10);
    return end == word.data + word.length && *out >= 0;
}

bool store_device_next(struct span *devices, struct store_device *out) {
    struct span line, hash;
    return devices->length > 0 && take_word(devices, '\n', &line) && take_word(&line, ' ', &hash) &&
           read_hash(hash, out->token_hash) && take_number(&line, &out->created_ms) &&
           take_number(&line, &out->seen_ms) && take_number(&line, &out->until_ms) &&
           (out->name = line, line.length <= STORE_DEVICE_NAME_MAX);
}

void store_device_hex(const uint8_t token_hash[STORE_TOKEN_SIZE], char out[STORE_TOKEN_HEX_SIZE]) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < STORE_TOKEN_SIZE; i++) {
        out[2 * i] = digits[token_hash[i] >> 4];
        out[2 * i + 1] = digits[token_hash[i] & 15];
    }
    out[2 * STORE_TOKEN_SIZE] = '\0';
}

void store_device_put(struct text *text, const struct store_device *device) {
    char hex[STORE_TOKEN_HEX_SIZE];
    store_device_hex(device->token_hash, hex);
    text_string(text, hex);
    text_char(text, ' ');
    text_number(text, device->created_ms);
    text_char(text, ' ');
    text_number(text, device->seen_ms);
    text_char(text, ' ');
    text_number(text, device->until_ms);
    text_char(text, ' ');
    text_span(text, device->name);
    text_char(text, '\n');
}

bool store_device_find(struct span devices, const uint8_t token_hash[STORE_TOKEN_SIZE],
                       struct store_device *out) {
    while (store_device_next(&devices, out))
        if (memcmp(out->token_hash, token_hash, STORE_TOKEN_SIZE) == 0)
            return true;
    return false;
}
