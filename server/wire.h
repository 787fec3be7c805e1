/* Small parts of the protocol: signatures, tokens, ids and codes that nobody can guess, and the
 * encodings around JSON (forms, queries, cookies, Pusher's envelope). Nothing here does I/O except
 * asking the system for randomness, and nothing allocates. Input from outside may be anything. */
#ifndef SERVER_WIRE_H
#define SERVER_WIRE_H

#include "world/world.h"

enum {
    WIRE_HEX_SIZE = 65,       /* a signature and its end */
    WIRE_HASH_SIZE = 32,      /* of a token, as the store keeps it */
    WIRE_TOKEN_SIZE = 44,     /* 256 bits in base64url, and the end */
    WIRE_PLAYER_ID_SIZE = 17, /* `p` and 15 of a-z2-7 (75 bits), and the end */
    WIRE_SOCKET_ID_SIZE = 22, /* two numbers of 32 bits, a point, the end */
    WIRE_SOCKET_ID_MAX = 21,
    WIRE_CODE_SIZE = WORLD_CODE_LENGTH + 1,
    WIRE_CHANNEL_MAX = 200
};

/* To be called once, before anything else here. False if the system has no source of randomness. */
bool wire_init(void);

/* ---- Signatures ---- */

/* HMAC-SHA256 in lower-case hex. */
void wire_sign(const char *secret, struct span text, char hex[WIRE_HEX_SIZE]);
/* Is `hex` the signature of `text`? Compares in constant time. */
bool wire_verify(const char *secret, struct span text, struct span hex);

/* ---- What is made up here ---- */

void wire_make_token(char token[WIRE_TOKEN_SIZE]);
/* SHA-256 of a token; false if it cannot be one of ours. */
bool wire_hash_token(struct span token, uint8_t hash[WIRE_HASH_SIZE]);
void wire_make_player_id(char id[WIRE_PLAYER_ID_SIZE]);
bool wire_is_player_id(struct span word);
void wire_make_code(char code[WIRE_CODE_SIZE]);
void wire_make_socket_id(char id[WIRE_SOCKET_ID_SIZE]);

/* ---- What Pusher's clients send ---- */

bool wire_is_socket_id(struct span word); /* digits, a point, digits; at most WIRE_SOCKET_ID_MAX */
bool wire_is_channel(struct span word);   /* 1 to WIRE_CHANNEL_MAX of letters, digits, -_=@,.; */

/* ---- Encodings ---- */

/* What stands before and after the first `?` of a request's target. */
struct span wire_path(struct span target);
struct span wire_query(struct span target);

/* Appends the decoded text. False if an escape is broken, a byte is zero or there is no room; what
 * was appended then means nothing. A form's `+` is a blank, a path's is not. */
bool wire_decode_path(struct span in, struct text *out);
bool wire_decode_form(struct span in, struct text *out);

/* Appends the value of the first field of that name in `a=b&c=d`, a form's body or a query. False
 * if there is none or it cannot be decoded. */
bool wire_field(struct span form, const char *name, struct text *out);

/* Finds the first cookie of that name in a Cookie header; quotes around the value are taken off. */
bool wire_cookie(struct span header, const char *name, struct span *value);

/* Appends `{"event":"...","channel":"...","data":"..."}`, where `data`, JSON already, becomes a
 * string. A null channel is left out. Check out->cut. */
void wire_event(const char *event, const char *channel, struct span data, struct text *out);
/* What stands before data that was written by json_begin_nested; WIRE_EVENT_END stands after it. */
#define WIRE_EVENT_END "\"}"
void wire_event_top(const char *event, const char *channel, struct text *out);

/* More than `max` arrays and objects within each other? */
bool wire_is_too_deep(struct span json, int64_t max);

#endif
