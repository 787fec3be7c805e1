/* See seal.h. All of the arithmetic is OpenSSL's. */
#include "server/webpush/seal.h"

#include "engine/ensure.h"
#include "engine/json.h"
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <openssl/rand.h>
#include <sodium.h>
#include <string.h>

enum { KEY_SIZE = 16, NONCE_SIZE = 12, TAG_SIZE = 16, SHARED_SIZE = 32, SIGNATURE_SIZE = 64 };

/* ---- Keys ---- */

bool webpush_key_read(const uint8_t secret[WEBPUSH_SECRET_SIZE], struct webpush_key *out) {
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    BIGNUM *number = BN_bin2bn(secret, WEBPUSH_SECRET_SIZE, NULL);
    EC_POINT *point = group ? EC_POINT_new(group) : NULL;
    bool good = point && number && !BN_is_zero(number) &&
                BN_cmp(number, EC_GROUP_get0_order(group)) < 0 &&
                EC_POINT_mul(group, point, number, NULL, NULL, NULL) == 1 &&
                EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, out->point,
                                   sizeof out->point, NULL) == sizeof out->point;
    memcpy(out->secret, secret, sizeof out->secret);
    EC_POINT_free(point);
    BN_clear_free(number);
    EC_GROUP_free(group);
    return good;
}

/* Nearly every number of this size is a secret of the curve. */
bool webpush_key_make(struct webpush_key *out) {
    enum { TRIES = 8 };
    uint8_t secret[WEBPUSH_SECRET_SIZE];
    bool good = false;
    for (int i = 0; i < TRIES && !good; i++)
        good = RAND_bytes(secret, sizeof secret) == 1 && webpush_key_read(secret, out);
    sodium_memzero(secret, sizeof secret);
    return good;
}

bool webpush_is_point(const uint8_t point[WEBPUSH_POINT_SIZE]) {
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    EC_POINT *found = group ? EC_POINT_new(group) : NULL;
    bool good = found && point[0] == POINT_CONVERSION_UNCOMPRESSED &&
                EC_POINT_oct2point(group, found, point, WEBPUSH_POINT_SIZE, NULL) == 1;
    EC_POINT_free(found);
    EC_GROUP_free(group);
    return good;
}

/* OpenSSL's form of a key; without a secret it can only be sent to. */
static EVP_PKEY *key_of(const uint8_t point[WEBPUSH_POINT_SIZE],
                        const uint8_t secret[WEBPUSH_SECRET_SIZE]) {
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    BIGNUM *number = secret ? BN_bin2bn(secret, WEBPUSH_SECRET_SIZE, NULL) : NULL;
    bool told =
        context && builder && (!secret || number) &&
        OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) &&
        OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point,
                                         WEBPUSH_POINT_SIZE) &&
        (!secret || OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, number));
    OSSL_PARAM *parameters = told ? OSSL_PARAM_BLD_to_param(builder) : NULL;
    if (!parameters || EVP_PKEY_fromdata_init(context) != 1 ||
        EVP_PKEY_fromdata(context, &key, secret ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY,
                          parameters) != 1)
        key = NULL;
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(builder);
    EVP_PKEY_CTX_free(context);
    BN_clear_free(number);
    return key;
}

/* ---- RFC 8291 ---- */

static bool agree(const struct webpush_key *own, const uint8_t point[WEBPUSH_POINT_SIZE],
                  uint8_t shared[SHARED_SIZE]) {
    EVP_PKEY *mine = key_of(own->point, own->secret), *theirs = key_of(point, NULL);
    EVP_PKEY_CTX *context = mine ? EVP_PKEY_CTX_new(mine, NULL) : NULL;
    size_t length = SHARED_SIZE;
    bool good = context && theirs && EVP_PKEY_derive_init(context) == 1 &&
                EVP_PKEY_derive_set_peer(context, theirs) == 1 &&
                EVP_PKEY_derive(context, shared, &length) == 1 && length == SHARED_SIZE;
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(mine);
    EVP_PKEY_free(theirs);
    return good;
}

/* HKDF-SHA256 (RFC 5869), both steps. */
static bool derive(const uint8_t *salt, size_t salt_size, const uint8_t secret[SHARED_SIZE],
                   const void *info, size_t info_size, uint8_t *out, size_t size) {
    char digest[] = "SHA256"; /* OpenSSL's parameters are not const */
    EVP_KDF *kind = EVP_KDF_fetch(NULL, "HKDF", NULL);
    EVP_KDF_CTX *context = kind ? EVP_KDF_CTX_new(kind) : NULL;
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)secret, SHARED_SIZE),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt, salt_size),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, info_size),
        OSSL_PARAM_construct_end()};
    bool good = context && EVP_KDF_derive(context, out, size, parameters) == 1;
    EVP_KDF_CTX_free(context);
    EVP_KDF_free(kind);
    return good;
}

/* RFC 8291, 3.4: both points are part of what the key is made from. */
static bool derive_keys(const struct webpush_reader *to, const struct webpush_key *once,
                        const uint8_t salt[WEBPUSH_SALT_SIZE], uint8_t key[KEY_SIZE],
                        uint8_t nonce[NONCE_SIZE]) {
    static const char words[] = "WebPush: info"; /* with the zero at its end, as all of these */
    static const char key_words[] = "Content-Encoding: aes128gcm";
    static const char nonce_words[] = "Content-Encoding: nonce";
    uint8_t shared[SHARED_SIZE], mixed[SHARED_SIZE];
    uint8_t info[sizeof words + 2 * WEBPUSH_POINT_SIZE];
    memcpy(info, words, sizeof words);
    memcpy(info + sizeof words, to->point, WEBPUSH_POINT_SIZE);
    memcpy(info + sizeof words + WEBPUSH_POINT_SIZE, once->point, WEBPUSH_POINT_SIZE);
    bool good =
        agree(once, to->point, shared) &&
        derive(to->auth, WEBPUSH_AUTH_SIZE, shared, info, sizeof info, mixed, sizeof mixed) &&
        derive(salt, WEBPUSH_SALT_SIZE, mixed, key_words, sizeof key_words, key, KEY_SIZE) &&
        derive(salt, WEBPUSH_SALT_SIZE, mixed, nonce_words, sizeof nonce_words, nonce, NONCE_SIZE);
    sodium_memzero(shared, sizeof shared);
    sodium_memzero(mixed, sizeof mixed);
    return good;
}

static bool encrypt(const uint8_t key[KEY_SIZE], const uint8_t nonce[NONCE_SIZE],
                    const uint8_t *plain, int length, uint8_t *out) {
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int written = 0, rest = 0;
    bool good = context && EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), NULL, key, nonce) == 1 &&
                EVP_EncryptUpdate(context, out, &written, plain, length) == 1 &&
                written == length && EVP_EncryptFinal_ex(context, out + written, &rest) == 1 &&
                rest == 0 &&
                EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, TAG_SIZE, out + length) == 1;
    EVP_CIPHER_CTX_free(context);
    return good;
}

size_t webpush_seal(const struct webpush_reader *to, const struct webpush_key *once,
                    const uint8_t salt[WEBPUSH_SALT_SIZE], struct span text, size_t padded,
                    uint8_t out[WEBPUSH_SEALED_MAX]) {
    static const uint8_t record_size[] = {0, 0, 16, 0}; /* 4096: all fits into one */
    uint8_t key[KEY_SIZE], nonce[NONCE_SIZE], plain[WEBPUSH_TEXT_MAX + 1] = {0};
    ensure(text.length <= WEBPUSH_TEXT_MAX && padded <= WEBPUSH_TEXT_MAX);
    memcpy(plain, text.data, text.length);
    plain[text.length] = 2; /* the last record; after it zeros */
    size_t length = (text.length > padded ? text.length : padded) + 1, at = 0;
    if (!derive_keys(to, once, salt, key, nonce))
        return 0;
    memcpy(out, salt, WEBPUSH_SALT_SIZE);
    at += WEBPUSH_SALT_SIZE;
    memcpy(out + at, record_size, sizeof record_size);
    at += sizeof record_size;
    out[at++] = WEBPUSH_POINT_SIZE;
    memcpy(out + at, once->point, WEBPUSH_POINT_SIZE);
    at += WEBPUSH_POINT_SIZE;
    bool good = encrypt(key, nonce, plain, (int)length, out + at);
    sodium_memzero(key, sizeof key);
    return good ? at + length + TAG_SIZE : 0;
}

/* ---- RFC 8292 ---- */

static void put_base64(struct text *out, const void *bytes, size_t size) {
    char buffer[WEBPUSH_VAPID_SIZE];
    ensure(size * 4 / 3 + 4 < sizeof buffer);
    sodium_bin2base64(buffer, sizeof buffer, bytes, size, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    text_string(out, buffer);
}

/* ES256: two numbers of 32 bytes, which OpenSSL wraps in another form. */
static bool sign(const struct webpush_key *key, struct span text, uint8_t out[SIGNATURE_SIZE]) {
    uint8_t wrapped[128];
    size_t length = sizeof wrapped;
    const uint8_t *at = wrapped;
    EVP_PKEY *own = key_of(key->point, key->secret);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool good =
        own && context && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, own) == 1 &&
        EVP_DigestSign(context, wrapped, &length, (const uint8_t *)text.data, text.length) == 1;
    ECDSA_SIG *parts = good ? d2i_ECDSA_SIG(NULL, &at, (long)length) : NULL;
    good = parts &&
           BN_bn2binpad(ECDSA_SIG_get0_r(parts), out, SIGNATURE_SIZE / 2) == SIGNATURE_SIZE / 2 &&
           BN_bn2binpad(ECDSA_SIG_get0_s(parts), out + SIGNATURE_SIZE / 2, SIGNATURE_SIZE / 2) ==
               SIGNATURE_SIZE / 2;
    ECDSA_SIG_free(parts);
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(own);
    return good;
}

bool webpush_vapid(const struct webpush_key *key, struct span origin, const char *contact,
                   int64_t expires_s, char out[WEBPUSH_VAPID_SIZE]) {
    static const char start[] = "vapid t=", header[] = "{\"typ\":\"JWT\",\"alg\":\"ES256\"}";
    char claims[WEBPUSH_VAPID_SIZE / 2];
    uint8_t signature[SIGNATURE_SIZE];
    struct json json = json_object_in(claims, sizeof claims);
    json_put_span(&json, "aud", origin);
    json_put_number(&json, "exp", expires_s);
    if (*contact)
        json_put_string(&json, "sub", contact);
    json_put_end(&json);
    if (!json_complete(&json))
        return false;
    struct text text = text_in(out, WEBPUSH_VAPID_SIZE);
    text_string(&text, start);
    put_base64(&text, header, sizeof header - 1);
    text_char(&text, '.');
    put_base64(&text, claims, json.text.length);
    struct span signed_part = {out + sizeof start - 1, text.length - (sizeof start - 1)};
    if (text.cut || !sign(key, signed_part, signature))
        return false;
    text_char(&text, '.');
    put_base64(&text, signature, sizeof signature);
    text_string(&text, ", k=");
    put_base64(&text, key->point, sizeof key->point);
    return !text.cut;
}
