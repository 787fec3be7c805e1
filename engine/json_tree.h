/* Reads JSON without allocating: a text is checked as a whole and becomes a list of nodes, each
 * before those within it, in memory of the caller's. Nodes point into the text, which must stay.
 *
 * Strict as RFC 8259 wants it, and stricter where programs disagree: a key stands once in an
 * object, strings are UTF-8 without U+0000 and lone surrogates, whole numbers have 64 bits. */
#pragma once

#include "engine/refusal.h"

enum {
    JSON_TREE_DEPTH_MAX = 16,
    JSON_TREE_KEYS_MAX = 256 /* of one object, because each is compared with all the others */
};

enum json_kind {
    NODE_NULL,
    NODE_BOOL,
    NODE_WHOLE, /* a number without fraction and exponent */
    NODE_REAL,
    NODE_STRING,
    NODE_LIST,
    NODE_OBJECT /* its nodes are a key, its value, the next key, ... */
};

struct json_node {
    const char *data; /* a string within its quotes, escapes and all; a number or a word as it is */
    uint32_t length;  /* of that; of a list or an object the number of its items */
    uint32_t size;    /* nodes from here to the next one beside it */
    uint8_t kind;
};

/* The whole text as nodes[0] and what is in it. False: it is not JSON (code BAD_JSON), which names
 * the line, or there is no room. */
bool json_tree_read(struct span text, struct json_node *nodes, size_t room, struct refusal *why);

/* All of these take null for a node that is not there. */

/* The value of that key of an object; null if there is none. */
const struct json_node *json_node_find(const struct json_node *object, const char *key);

/* The items of a list one after the other, then null. */
const struct json_node *json_node_first(const struct json_node *list);
const struct json_node *json_node_next(const struct json_node *list, const struct json_node *item);
size_t json_node_count(const struct json_node *list);
/* Walks over all items before that one. */
const struct json_node *json_node_item(const struct json_node *list, size_t index);

bool json_node_has_kind(const struct json_node *node, enum json_kind kind);
bool json_node_is_true(const struct json_node *node);
/* 0 for what is no whole number. */
int64_t json_node_number(const struct json_node *node);

/* Is it that string? */
bool json_node_is(const struct json_node *node, const char *string);
/* Are the characters of two nodes the same? A number's are its digits. */
bool json_node_equal(const struct json_node *a, const struct json_node *b);
/* Writes the characters of a string or number; what does not fit is cut off, as always. */
void json_node_print(const struct json_node *node, struct text *text);
