/* The JSON writer of json.h. */
#include "engine/json.h"

#include "engine/ensure.h"
#include <string.h>

struct json json_in(char *buffer, size_t size) {
    return (struct json){.text = text_in(buffer, size)};
}

struct json json_object_in(char *buffer, size_t size) {
    struct json json = json_in(buffer, size);
    json_put_object(&json, NULL);
    return json;
}

void json_begin(struct json *json, char *buffer, size_t size) {
    *json = json_in(buffer, size);
}

void json_begin_nested(struct json *json, char *buffer, size_t size) {
    json_begin(json, buffer, size);
    json->nested = true;
}

/* Writing views is most of the server's work, so strings go straight into the buffer while even the
 * worst case fits; near its end text_char checks every byte. */
enum { ESCAPE_MAX = 7, AROUND_MAX = 6 }; /* of one byte; a comma, two quotes, a colon */

static bool is_plain(unsigned char c) {
    return c >= 0x20 && c != '"' && c != '\\' && c != 0x7f;
}

/* Inside of a string that is itself inside of a string, each backslash is two. */
static size_t escape(char out[ESCAPE_MAX], unsigned char c, bool nested) {
    static const char digit[] = "0123456789abcdef";
    size_t length = 0;
    out[length++] = '\\';
    if (nested)
        out[length++] = '\\';
    if (c == '"' || c == '\\') {
        if (nested)
            out[length++] = '\\';
        out[length++] = (char)c;
        return length;
    }
    out[length++] = 'u';
    out[length++] = '0';
    out[length++] = '0';
    out[length++] = digit[c >> 4];
    out[length++] = digit[c & 15];
    return length;
}

static void write_slowly(struct json *json, struct span value) {
    char escaped[ESCAPE_MAX];
    text_string(&json->text, json->nested ? "\\\"" : "\"");
    for (size_t i = 0; i < value.length; i++) {
        unsigned char c = (unsigned char)value.data[i];
        size_t length = is_plain(c) ? 0 : escape(escaped, c, json->nested);
        if (length > 0)
            text_span(&json->text, (struct span){escaped, length});
        else
            text_char(&json->text, (char)c);
    }
    text_string(&json->text, json->nested ? "\\\"" : "\"");
}

/* Is one of eight bytes not plain? Each term has the top bit of a byte below 0x80 set if it is
 * special: a quote, a backslash, a control, 0x7f. Says yes for a 0xff, too, which no UTF-8 has. */
static bool any_special(uint64_t bytes) {
    const uint64_t ones = 0x0101010101010101, tops = ones << 7;
    uint64_t quotes = (bytes ^ ones * '"') - ones, backslashes = (bytes ^ ones * '\\') - ones;
    uint64_t controls = bytes - ones * 0x20, deletes = bytes + ones;
    return ((quotes | backslashes | controls | deletes) & ~bytes & tops) != 0;
}

static bool copy_eight(char *out, const char *from) {
    uint64_t bytes;
    memcpy(&bytes, from, sizeof bytes);
    memcpy(out, &bytes, sizeof bytes);
    return !any_special(bytes);
}

/* The same for fewer than eight bytes: two halves, or three single bytes, that may overlap. */
static bool copy_few(char *out, const char *from, size_t length) {
    if (length >= 4) {
        uint32_t first, last;
        memcpy(&first, from, 4);
        memcpy(&last, from + length - 4, 4);
        memcpy(out, &first, 4);
        memcpy(out + length - 4, &last, 4);
        return !any_special(first | (uint64_t)last << 32);
    }
    if (length == 0)
        return true;
    unsigned char first = (unsigned char)from[0], middle = (unsigned char)from[length / 2],
                  last = (unsigned char)from[length - 1];
    out[0] = (char)first;
    out[length / 2] = (char)middle;
    out[length - 1] = (char)last;
    return is_plain(first) && is_plain(middle) && is_plain(last);
}

/* Copies bytes that are all plain, as nearly all strings are: eight at a time, the last ones twice.
 * False: some are not. */
static bool copy_plain(char *out, struct span value) {
    bool plain = true;
    if (value.length < 8)
        return copy_few(out, value.data, value.length);
    for (size_t i = 0; i + 8 < value.length; i += 8)
        plain &= copy_eight(out + i, value.data + i);
    return copy_eight(out + value.length - 8, value.data + value.length - 8) && plain;
}

/* The slow path is a function of its own, so that the fast path need not save registers for it. */
static __attribute__((noinline)) size_t write_escaped(char *out, struct span value, bool nested) {
    size_t length = 0;
    for (size_t i = 0; i < value.length; i++) {
        unsigned char c = (unsigned char)value.data[i];
        if (is_plain(c))
            out[length++] = (char)c;
        else
            length += escape(out + length, c, nested);
    }
    return length;
}

static char *write_fast(char *out, struct span value, bool nested) {
    if (nested)
        *out++ = '\\';
    *out++ = '"';
    out += copy_plain(out, value) ? value.length : write_escaped(out, value, nested);
    if (nested)
        *out++ = '\\';
    *out++ = '"';
    return out;
}

static bool has_room(const struct text *text, size_t length) {
    return text->size - text->length > ESCAPE_MAX * length + AROUND_MAX;
}

static void set_end(struct text *text, char *end) {
    *end = '\0';
    text->length = (size_t)(end - text->data);
}

/* Writes what stands before a value: the comma and the key. */
static void lead_in(struct json *json, struct span key) {
    struct text *text = &json->text;
    uint32_t bit = (uint32_t)1 << json->depth;
    bool comma = (json->has_items & bit) != 0;
    ensure((key.data == NULL) == (json->depth == 0 || (json->is_array & bit) != 0));
    json->has_items |= bit;
    if (has_room(text, key.length)) {
        char *out = text->data + text->length;
        if (comma)
            *out++ = ',';
        if (key.data) {
            out = write_fast(out, key, json->nested);
            *out++ = ':';
        }
        set_end(text, out);
        return;
    }
    if (comma)
        text_char(text, ',');
    if (key.data) {
        write_slowly(json, key);
        text_char(text, ':');
    }
}

void json_write_open(struct json *json, struct span key, bool array) {
    lead_in(json, key);
    ensure(json->depth < JSON_DEPTH_MAX);
    json->depth++;
    uint32_t bit = (uint32_t)1 << json->depth;
    json->has_items &= ~bit;
    json->is_array = array ? json->is_array | bit : json->is_array & ~bit;
    text_char(&json->text, array ? '[' : '{');
}

void json_put_end(struct json *json) {
    ensure(json->depth > 0);
    bool array = (json->is_array >> json->depth & 1) != 0;
    text_char(&json->text, array ? ']' : '}');
    json->depth--;
}

void json_write_number(struct json *json, struct span key, int64_t value) {
    lead_in(json, key);
    text_number(&json->text, value);
}

void json_write_raw(struct json *json, struct span key, struct span value) {
    lead_in(json, key);
    text_span(&json->text, value);
}

void json_write_span(struct json *json, struct span key, struct span value) {
    struct text *text = &json->text;
    lead_in(json, key);
    if (has_room(text, value.length))
        set_end(text, write_fast(text->data + text->length, value, json->nested));
    else
        write_slowly(json, value);
}

const char *json_player_id(const struct json *json, int seat, char buffer[JSON_PLAYER_ID_SIZE]) {
    if (json->player_ids)
        return json->player_ids[seat];
    struct text text = text_in(buffer, JSON_PLAYER_ID_SIZE);
    text_char(&text, 'p');
    text_number(&text, seat);
    return buffer;
}

void json_put_bits(struct json *json, const char *key, uint32_t bits) {
    json_put_array(json, key);
    for (; bits != 0; bits &= bits - 1)
        json_put_number(json, NULL, __builtin_ctz(bits));
    json_put_end(json);
}

void json_put_player(struct json *json, const char *key, int seat) {
    char id[JSON_PLAYER_ID_SIZE];
    if (seat < 0)
        json_put_null(json, key);
    else
        json_put_string(json, key, json_player_id(json, seat, id));
}

void json_put_raw(struct json *json, const char *key, struct span value) {
    for (size_t i = 0; json->nested && i < value.length; i++)
        ensure(is_plain((unsigned char)value.data[i]));
    json_write_raw(json, json_key(key), value);
}

/* ---- What several texts have in common ---- */

void json_common_begin(struct json_common *common, char *buffer, size_t size) {
    *common = (struct json_common){.text = text_in(buffer, size)};
}

static void keep_common(struct json_common *common, json_writer *write, struct span part) {
    struct text *text = &common->text;
    if (common->count == JSON_COMMON_MAX || part.length >= text->size - text->length)
        return; /* No room to keep the part: each view writes it itself. */
    common->part[common->count].write = write;
    common->part[common->count].text = (struct span){text->data + text->length, part.length};
    common->count++;
    text_span(text, part);
}

void json_put_common(struct json *json, json_writer *write, const void *state) {
    uint32_t bit = (uint32_t)1 << json->depth;
    struct json_common *common = json->common;
    for (int i = 0; common && i < common->count; i++) {
        if (common->part[i].write != write)
            continue;
        struct span part = common->part[i].text;
        ensure((*part.data == ',') == ((json->has_items & bit) != 0));
        json->has_items |= bit;
        text_span(&json->text, part);
        return;
    }
    size_t start = json->text.length;
    int depth = json->depth;
    write(state, json);
    ensure(json->depth == depth);
    struct span part = {json->text.data + start, json->text.length - start};
    if (common && part.length > 0 && !json->text.cut)
        keep_common(common, write, part);
}

bool json_complete(const struct json *json) {
    return json->depth == 0 && !json->text.cut;
}
