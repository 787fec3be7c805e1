/* What nobody can guess, and proofs of it: signatures, tokens, ids and codes. Nothing here
 * allocates, and nothing does I/O except asking the system for randomness. Input from outside may
 * be anything. */
#pragma once

#include "engine/text.h"

enum {
    SECRETS_HEX_SIZE = 65,       /* a signature and its end */
    SECRETS_HASH_SIZE = 32,      /* of a token, as the store keeps it */
    SECRETS_TOKEN_SIZE = 44,     /* 256 bits in base64url, and the end */
    SECRETS_PLAYER_ID_SIZE = 17, /* `p` and 15 of a-z2-7 (75 bits), and the end */
    SECRETS_SOCKET_ID_SIZE = 22, /* two numbers of 32 bits, a point, the end */
    SECRETS_LINK_SIZE = 33,      /* 128 bits in hex, and the end */
    SECRETS_DEVICE_ID_SIZE = 17  /* 64 bits of a token's hash in hex, and the end */
};

/* To be called once, before anything else here. False if the system has no source of randomness. */
bool secrets_init(void);

/* ---- Signatures ---- */

/* HMAC-SHA256 in lower-case hex. */
void secrets_sign(const char *secret, struct span text, char hex[SECRETS_HEX_SIZE]);
/* Is `hex` the signature of `text`? Compares in constant time. */
bool secrets_verify(const char *secret, struct span text, struct span hex);

/* Is it the secret? Takes as long whatever is wrong with it. An empty secret is nobody's. */
bool secrets_same(const char *secret, struct span given);

/* ---- What is made up here ---- */

void secrets_make_token(char token[SECRETS_TOKEN_SIZE]);
/* SHA-256 of a token; false if it cannot be one of ours. */
bool secrets_hash_token(struct span token, uint8_t hash[SECRETS_HASH_SIZE]);
/* The same for links by which another device comes. None of them is a token. */
void secrets_make_link(char link[SECRETS_LINK_SIZE]);
bool secrets_hash_link(struct span link, uint8_t hash[SECRETS_HASH_SIZE]);
/* What a device is called by; it opens nothing. */
void secrets_device_id(const uint8_t hash[SECRETS_HASH_SIZE], char id[SECRETS_DEVICE_ID_SIZE]);
void secrets_make_player_id(char id[SECRETS_PLAYER_ID_SIZE]);
/* So many letters at random, and the end. */
void secrets_make_word(char *out, size_t length, const char *letters);
/* So many random letters and the end. */
void secrets_make_id_tail(char *out, size_t length);
void secrets_make_socket_id(char id[SECRETS_SOCKET_ID_SIZE]);
