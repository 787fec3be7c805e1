/* See json_tree.h. No recursion: what is open stands in a list of bounded length. */
#include "engine/json_tree.h"

#include <string.h>

struct parser {
    const char *begin, *at, *end;
    struct json_node *node;
    size_t count, room;
    struct json_node *open[JSON_TREE_DEPTH_MAX];
    int depth;
    struct refusal *why;
};

static bool fail(const struct parser *parser, const char *what) {
    int line = 1;
    for (const char *at = parser->begin; at < parser->at; at++)
        line += *at == '\n';
    return refuse(parser->why, "BAD_JSON", "Not JSON, line %d: %s", line, what);
}

static void skip_blanks(struct parser *parser) {
    while (parser->at < parser->end && (*parser->at == ' ' || *parser->at == '\n' ||
                                        *parser->at == '\r' || *parser->at == '\t'))
        parser->at++;
}

static bool next_is(const struct parser *parser, char c) {
    return parser->at < parser->end && *parser->at == c;
}

static bool take(struct parser *parser, char c) {
    if (!next_is(parser, c))
        return false;
    parser->at++;
    return true;
}

static struct json_node *add_node(struct parser *parser, enum json_kind kind) {
    if (parser->count == parser->room) {
        fail(parser, "there are too many values");
        return NULL;
    }
    struct json_node *node = &parser->node[parser->count++];
    *node = (struct json_node){.data = parser->at, .size = 1, .kind = (uint8_t)kind};
    return node;
}

static void end_node(const struct parser *parser, struct json_node *node) {
    node->length = (uint32_t)(parser->at - node->data);
}

/* ---- Strings ---- */

/* Four hex digits; -1 for anything else. */
static int32_t hex_number(struct span text, size_t at) {
    uint8_t bytes[2];
    if (at + 4 > text.length || !span_hex((struct span){text.data + at, 4}, bytes, 2))
        return -1;
    return bytes[0] << 8 | bytes[1];
}

/* What stands behind `\u`; the second half of a pair has a `\u` of its own. */
static int32_t escaped_number(struct span text, size_t *at) {
    int32_t high = hex_number(text, *at), low;
    *at += 4;
    if (high < 0xd800 || high > 0xdfff)
        return high > 0 ? high : -1;
    if (high > 0xdbff || *at + 6 > text.length || text.data[*at] != '\\' ||
        text.data[*at + 1] != 'u')
        return -1;
    low = hex_number(text, *at + 2);
    *at += 6;
    return low >= 0xdc00 && low <= 0xdfff ? 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00) : -1;
}

/* The next character of a string with its escape resolved; -1 if what stands there is none. */
static int32_t next_character(struct span text, size_t *at) {
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    if (text.data[*at] != '\\')
        return (unsigned char)text.data[*at] < 0x20 ? -1 : span_character(text, at);
    if (++*at == text.length)
        return -1;
    char letter = text.data[(*at)++];
    if (letter == 'u')
        return escaped_number(text, at);
    const char *found = memchr(letters, letter, sizeof letters - 1);
    return found ? meant[found - letters] : -1;
}

static bool read_string(struct parser *parser) {
    parser->at++;
    struct json_node *node = add_node(parser, NODE_STRING);
    struct span rest = {parser->at, (size_t)(parser->end - parser->at)};
    size_t at = 0;
    if (!node)
        return false;
    while (at < rest.length && rest.data[at] != '"') {
        if (next_character(rest, &at) < 0)
            return fail(parser, "a string holds what it must not");
    }
    if (at >= rest.length)
        return fail(parser, "a string does not end");
    parser->at += at;
    end_node(parser, node);
    parser->at++;
    return true;
}

/* ---- Numbers and words ---- */

static size_t take_digits(struct parser *parser) {
    const char *from = parser->at;
    while (parser->at < parser->end && *parser->at >= '0' && *parser->at <= '9')
        parser->at++;
    return (size_t)(parser->at - from);
}

/* Digits and an optional minus, as 64 bits. */
static bool whole_number(const struct json_node *node, int64_t *out) {
    bool negative = node->data[0] == '-';
    uint64_t most = (uint64_t)INT64_MAX + negative, value = 0;
    for (uint32_t i = negative; i < node->length; i++) {
        uint64_t digit = (uint64_t)(node->data[i] - '0');
        if (value > (most - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = (int64_t)(negative ? 0 - value : value);
    return true;
}

static bool read_number(struct parser *parser) {
    struct json_node *node = add_node(parser, NODE_WHOLE);
    int64_t value;
    if (!node)
        return false;
    take(parser, '-');
    if (!take(parser, '0') && take_digits(parser) == 0)
        return fail(parser, "a value is missing");
    if (take(parser, '.')) {
        node->kind = NODE_REAL;
        if (take_digits(parser) == 0)
            return fail(parser, "a number ends with its point");
    }
    if (next_is(parser, 'e') || next_is(parser, 'E')) {
        node->kind = NODE_REAL;
        parser->at++;
        if (!take(parser, '+'))
            take(parser, '-');
        if (take_digits(parser) == 0)
            return fail(parser, "a number has no exponent");
    }
    end_node(parser, node);
    return node->kind == NODE_REAL || whole_number(node, &value) ||
           fail(parser, "a number is too large");
}

static bool read_word(struct parser *parser) {
    static const char *const words[] = {"null", "true", "false"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(parser->end - parser->at) < length ||
            memcmp(parser->at, words[i], length) != 0)
            continue;
        struct json_node *node = add_node(parser, i == 0 ? NODE_NULL : NODE_BOOL);
        if (!node)
            return false;
        parser->at += length;
        end_node(parser, node);
        return true;
    }
    return read_number(parser);
}

/* ---- Lists and objects ---- */

static bool open_node(struct parser *parser) {
    if (parser->depth == JSON_TREE_DEPTH_MAX)
        return fail(parser, "it is nested too deep");
    struct json_node *node = add_node(parser, *parser->at == '{' ? NODE_OBJECT : NODE_LIST);
    if (!node)
        return false;
    parser->at++;
    parser->open[parser->depth++] = node;
    return true;
}

static void close_node(struct parser *parser) {
    struct json_node *node = parser->open[--parser->depth];
    node->size = (uint32_t)(&parser->node[parser->count] - node);
}

static char closing(const struct parser *parser) {
    return parser->open[parser->depth - 1]->kind == NODE_OBJECT ? '}' : ']';
}

static bool key_is_new(const struct parser *parser, const struct json_node *object) {
    const struct json_node *key = &parser->node[parser->count - 1];
    for (const struct json_node *other = object + 1; other < key; other += 1 + other[1].size)
        if (json_node_equal(other, key))
            return false;
    return true;
}

static bool read_key(struct parser *parser, const struct json_node *object) {
    skip_blanks(parser);
    if (!next_is(parser, '"'))
        return fail(parser, "a key is missing");
    if (object->length > JSON_TREE_KEYS_MAX)
        return fail(parser, "an object has too many keys");
    if (!read_string(parser))
        return false;
    if (!key_is_new(parser, object))
        return fail(parser, "a key stands twice");
    skip_blanks(parser);
    return take(parser, ':') || fail(parser, "a colon is missing");
}

/* A value, or the beginning of one; the key comes first where there must be one. */
static bool read_item(struct parser *parser) {
    struct json_node *around = parser->depth > 0 ? parser->open[parser->depth - 1] : NULL;
    if (around) {
        around->length++;
        if (around->kind == NODE_OBJECT && !read_key(parser, around))
            return false;
    }
    skip_blanks(parser);
    if (next_is(parser, '{') || next_is(parser, '['))
        return open_node(parser);
    return next_is(parser, '"') ? read_string(parser) : read_word(parser);
}

/* After a value: goes on to the next one, over all ends between. `*more`: is one due? */
static bool read_ends(struct parser *parser, bool *more) {
    while (parser->depth > 0) {
        skip_blanks(parser);
        *more = take(parser, ',');
        if (*more)
            return true;
        if (!take(parser, closing(parser)))
            return fail(parser, "a comma or an end is missing");
        close_node(parser);
    }
    *more = false;
    return true;
}

/* An empty text may come as a null pointer. */
bool json_tree_read(struct span text, struct json_node *nodes, size_t room, struct refusal *why) {
    if (!text.data)
        text = span_of("");
    struct parser parser = {.begin = text.data,
                            .at = text.data,
                            .end = text.data + text.length,
                            .node = nodes,
                            .room = room,
                            .why = why};
    for (bool more = true; more;) {
        int depth = parser.depth;
        if (!read_item(&parser))
            return false;
        skip_blanks(&parser);
        bool holds_items = parser.depth > depth && !next_is(&parser, closing(&parser));
        if (!holds_items && !read_ends(&parser, &more))
            return false;
    }
    skip_blanks(&parser);
    return parser.at == parser.end || fail(&parser, "something follows the end");
}

/* ---- Looking at nodes ---- */

bool json_node_has_kind(const struct json_node *node, enum json_kind kind) {
    return node && node->kind == kind;
}

const struct json_node *json_node_find(const struct json_node *object, const char *key) {
    if (!json_node_has_kind(object, NODE_OBJECT))
        return NULL;
    for (const struct json_node *at = object + 1; at < object + object->size; at += 1 + at[1].size)
        if (json_node_is(at, key))
            return at + 1;
    return NULL;
}

const struct json_node *json_node_first(const struct json_node *list) {
    return json_node_count(list) > 0 ? list + 1 : NULL;
}

const struct json_node *json_node_next(const struct json_node *list, const struct json_node *item) {
    const struct json_node *next = item + item->size;
    return next < list + list->size ? next : NULL;
}

size_t json_node_count(const struct json_node *list) {
    return json_node_has_kind(list, NODE_LIST) ? list->length : 0;
}

const struct json_node *json_node_item(const struct json_node *list, size_t index) {
    const struct json_node *at = json_node_first(list);
    for (; at && index > 0; index--)
        at = json_node_next(list, at);
    return at;
}

bool json_node_is_true(const struct json_node *node) {
    return json_node_has_kind(node, NODE_BOOL) && node->data[0] == 't';
}

int64_t json_node_number(const struct json_node *node) {
    int64_t value = 0;
    if (json_node_has_kind(node, NODE_WHOLE))
        whole_number(node, &value);
    return value;
}

static bool same_characters(const struct json_node *node, struct span other,
                            int32_t (*next_of_other)(struct span text, size_t *at)) {
    struct span own = {node->data, node->length};
    size_t at = 0, other_at = 0;
    while (at < own.length && other_at < other.length)
        if (next_character(own, &at) != next_of_other(other, &other_at))
            return false;
    return at == own.length && other_at == other.length;
}

bool json_node_is(const struct json_node *node, const char *string) {
    if (!json_node_has_kind(node, NODE_STRING))
        return false;
    return same_characters(node, span_of(string), span_character);
}

bool json_node_equal(const struct json_node *a, const struct json_node *b) {
    return same_characters(a, (struct span){b->data, b->length}, next_character);
}

/* As UTF-8, whole or not at all. */
static void print_character(int32_t character, struct text *text) {
    int more = character < 0x80 ? 0 : character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
    static const uint8_t first[] = {0, 0xc0, 0xe0, 0xf0};
    char bytes[4];
    for (int i = more; i > 0; i--, character >>= 6)
        bytes[i] = (char)(0x80 | (character & 0x3f));
    bytes[0] = (char)(first[more] | character);
    if (text->size - 1 - text->length > (size_t)more)
        text_span(text, (struct span){bytes, (size_t)more + 1});
    else
        text->cut = true;
}

void json_node_print(const struct json_node *node, struct text *text) {
    struct span from = {node->data, node->length};
    for (size_t at = 0; at < from.length && !text->cut;)
        print_character(next_character(from, &at), text);
}
