/* See secrets.h. */
#include "server/net/secrets.h"

#include "engine/ensure.h"
#include <sodium.h>
#include <string.h>

bool secrets_init(void) {
    return sodium_init() >= 0;
}

/* ---- Signatures ---- */

void secrets_sign(const char *secret, struct span text, char hex[SECRETS_HEX_SIZE]) {
    crypto_auth_hmacsha256_state state;
    unsigned char bytes[crypto_auth_hmacsha256_BYTES];
    crypto_auth_hmacsha256_init(&state, (const unsigned char *)secret, strlen(secret));
    crypto_auth_hmacsha256_update(&state, (const unsigned char *)text.data, text.length);
    crypto_auth_hmacsha256_final(&state, bytes);
    sodium_bin2hex(hex, SECRETS_HEX_SIZE, bytes, sizeof bytes);
}

bool secrets_verify(const char *secret, struct span text, struct span hex) {
    char own[SECRETS_HEX_SIZE];
    if (hex.length != SECRETS_HEX_SIZE - 1)
        return false;
    secrets_sign(secret, text, own);
    return sodium_memcmp(own, hex.data, hex.length) == 0;
}

bool secrets_same(const char *secret, struct span given) {
    uint8_t own[crypto_hash_sha256_BYTES], other[crypto_hash_sha256_BYTES];
    const char *data = given.data ? given.data : "";
    crypto_hash_sha256(own, (const unsigned char *)secret, strlen(secret));
    crypto_hash_sha256(other, (const unsigned char *)data, given.data ? given.length : 0);
    return sodium_memcmp(own, other, sizeof own) == 0 && *secret;
}

/* ---- What is made up here ---- */

static const char id_letters[] = "abcdefghijklmnopqrstuvwxyz234567";

void secrets_make_word(char *out, size_t length, const char *letters) {
    uint32_t count = (uint32_t)strlen(letters);
    for (size_t i = 0; i < length; i++)
        out[i] = letters[randombytes_uniform(count)];
    out[length] = '\0';
}

void secrets_make_token(char token[SECRETS_TOKEN_SIZE]) {
    unsigned char bytes[32];
    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2base64(token, SECRETS_TOKEN_SIZE, bytes, sizeof bytes,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    sodium_memzero(bytes, sizeof bytes);
}

bool secrets_hash_token(struct span token, uint8_t hash[SECRETS_HASH_SIZE]) {
    if (token.length != SECRETS_TOKEN_SIZE - 1 || !span_made_of(token, "-_"))
        return false;
    crypto_hash_sha256(hash, (const unsigned char *)token.data, token.length);
    return true;
}

static const char hex_digits[] = "0123456789abcdef";

void secrets_make_link(char link[SECRETS_LINK_SIZE]) {
    secrets_make_word(link, SECRETS_LINK_SIZE - 1, hex_digits);
}

bool secrets_hash_link(struct span link, uint8_t hash[SECRETS_HASH_SIZE]) {
    if (link.length != SECRETS_LINK_SIZE - 1)
        return false;
    for (size_t i = 0; i < link.length; i++)
        if (!link.data[i] || !strchr(hex_digits, link.data[i]))
            return false;
    crypto_hash_sha256(hash, (const unsigned char *)link.data, link.length);
    return true;
}

void secrets_device_id(const uint8_t hash[SECRETS_HASH_SIZE], char id[SECRETS_DEVICE_ID_SIZE]) {
    sodium_bin2hex(id, SECRETS_DEVICE_ID_SIZE, hash, (SECRETS_DEVICE_ID_SIZE - 1) / 2);
}

void secrets_make_player_id(char id[SECRETS_PLAYER_ID_SIZE]) {
    id[0] = 'p';
    secrets_make_word(id + 1, SECRETS_PLAYER_ID_SIZE - 2, id_letters);
}

void secrets_make_id_tail(char *out, size_t length) {
    secrets_make_word(out, length, id_letters);
}

void secrets_make_socket_id(char id[SECRETS_SOCKET_ID_SIZE]) {
    struct text text = text_in(id, SECRETS_SOCKET_ID_SIZE);
    text_number(&text, randombytes_random());
    text_char(&text, '.');
    text_number(&text, randombytes_random());
    ensure(!text.cut);
}
