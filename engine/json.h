/* A JSON writer into a bounded buffer. It keeps track of commas and of what is open; the key is
 * null inside an array. json_tree.h reads. */
#pragma once

#include "engine/text.h"

enum { JSON_DEPTH_MAX = 31 };

struct json {
    struct text text;
    uint32_t has_items; /* bit d: something stands already at depth d */
    uint32_t is_array;  /* bit d: depth d is an array */
    int depth;
    bool nested; /* what is written will stand between the quotes of a JSON string */
    const char *const *player_ids; /* by seat; null: the seats are called "p0", "p1", ... */
    struct json_common *common;    /* null: nothing is shared with other texts */
};

struct json json_in(char *buffer, size_t size);
struct json json_object_in(char *buffer, size_t size);         /* which is open */
void json_begin(struct json *json, char *buffer, size_t size); /* the same for one that is there */
/* Escapes everything once more, so that the text can stand within a string of other JSON. */
void json_begin_nested(struct json *json, char *buffer, size_t size);

/* Most keys are constants: where these functions are inlined, the compiler knows their lengths. */
#define JSON_AT_ONCE static inline __attribute__((always_inline))

JSON_AT_ONCE struct span json_key(const char *key) {
    return (struct span){key, key ? __builtin_strlen(key) : 0};
}

void json_write_open(struct json *json, struct span key, bool array);
void json_write_number(struct json *json, struct span key, int64_t value);
void json_write_raw(struct json *json, struct span key, struct span value);
void json_write_span(struct json *json, struct span key, struct span value);

JSON_AT_ONCE void json_put_object(struct json *json, const char *key) {
    json_write_open(json, json_key(key), false);
}

JSON_AT_ONCE void json_put_array(struct json *json, const char *key) {
    json_write_open(json, json_key(key), true);
}

void json_put_end(struct json *json);

JSON_AT_ONCE void json_put_number(struct json *json, const char *key, int64_t value) {
    json_write_number(json, json_key(key), value);
}

JSON_AT_ONCE void json_put_span(struct json *json, const char *key, struct span value) {
    json_write_span(json, json_key(key), value);
}

JSON_AT_ONCE void json_put_null(struct json *json, const char *key) {
    json_write_raw(json, json_key(key), (struct span){"null", 4});
}

JSON_AT_ONCE void json_put_bool(struct json *json, const char *key, bool value) {
    json_write_raw(json, json_key(key), (struct span){value ? "true" : "false", value ? 4 : 5});
}

JSON_AT_ONCE void json_put_string(struct json *json, const char *key, const char *value) {
    if (value)
        json_write_span(json, json_key(key), json_key(value));
    else
        json_put_null(json, key);
}

/* A number from 0 on; null for a negative one. */
JSON_AT_ONCE void json_put_natural(struct json *json, const char *key, int64_t value) {
    if (value >= 0)
        json_put_number(json, key, value);
    else
        json_put_null(json, key);
}

/* The numbers of the bits that are set, as an array: a mask of seats becomes a list of them. */
void json_put_bits(struct json *json, const char *key, uint32_t bits);

/* The id of the person in a seat: given from outside, or made up in the buffer. */
enum { JSON_PLAYER_ID_SIZE = 4 };
const char *json_player_id(const struct json *json, int seat, char buffer[JSON_PLAYER_ID_SIZE]);

/* The id as a value; null for a negative seat. */
void json_put_player(struct json *json, const char *key, int seat);

/* Text that is a JSON value already; in nested JSON, one without quotes and backslashes. */
void json_put_raw(struct json *json, const char *key, struct span value);

/* Text that another writer of the same kind, nested or not, has written. */
JSON_AT_ONCE void json_put_written(struct json *json, const char *key, struct span value) {
    json_write_raw(json, json_key(key), value);
}

/* ---- What several texts have in common ---- */

enum { JSON_COMMON_MAX = 8 };

typedef void json_writer(const void *state, struct json *json);

struct json_common {
    struct text text;
    int count;
    struct {
        json_writer *write;
        struct span text;
    } part[JSON_COMMON_MAX];
};

void json_common_begin(struct json_common *common, char *buffer, size_t size);

/* Has members written that are the same, at the same place, in all texts with the same `common`:
 * `write` is called for the first of them, and the others get a copy. It closes what it opens. */
void json_put_common(struct json *json, json_writer *write, const void *state);

/* True when everything opened was closed and everything fitted. */
bool json_complete(const struct json *json);
