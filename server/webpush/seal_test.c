/* Encryption and signatures of Web Push, against RFC 8291's example and by OpenSSL's own check. */
#include "server/webpush/seal.h"
#include "tests/support.h"

#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <sodium.h>
#include <string.h>

static size_t decode(const char *text, uint8_t *out, size_t size) {
    size_t length;
    assert_int_equal(sodium_base642bin(out, size, text, strlen(text), NULL, &length, NULL,
                                       sodium_base64_VARIANT_URLSAFE_NO_PADDING),
                     0);
    return length;
}

/* RFC 8291, appendix A. */
static const char text[] = "When I grow up, I want to be a watermelon";
static const char server_secret[] = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw";
static const char server_point[] =
    "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";
static const char browser_point[] =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
static const char auth[] = "BTBZMqHH6r4Tts7J_aSIgg";
static const char salt_text[] = "DGv6ra1nlYgDCS1FRnbzlw";
static const char sealed_text[] =
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
    "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
    "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";

static struct webpush_reader browser(void) {
    struct webpush_reader reader;
    assert_int_equal(decode(browser_point, reader.point, sizeof reader.point), sizeof reader.point);
    assert_int_equal(decode(auth, reader.auth, sizeof reader.auth), sizeof reader.auth);
    return reader;
}

static struct webpush_key server(void) {
    struct webpush_key key;
    uint8_t secret[WEBPUSH_SECRET_SIZE];
    assert_int_equal(decode(server_secret, secret, sizeof secret), sizeof secret);
    assert_true(webpush_key_read(secret, &key));
    return key;
}

UNIT_TEST(example_of_the_standard_comes_out) {
    struct webpush_reader reader = browser();
    struct webpush_key key = server();
    uint8_t point[WEBPUSH_POINT_SIZE], salt[WEBPUSH_SALT_SIZE];
    uint8_t out[WEBPUSH_SEALED_MAX], expected[WEBPUSH_SEALED_MAX];
    decode(server_point, point, sizeof point);
    assert_memory_equal(key.point, point, sizeof point);
    decode(salt_text, salt, sizeof salt);
    size_t length = decode(sealed_text, expected, sizeof expected);
    assert_int_equal(webpush_seal(&reader, &key, salt, span_of(text), 0, out), length);
    assert_memory_equal(out, expected, length);
}

/* All messages look the same from outside. */
UNIT_TEST(length_tells_nothing) {
    struct webpush_reader reader = browser();
    struct webpush_key key = server();
    uint8_t salt[WEBPUSH_SALT_SIZE] = {1}, out[WEBPUSH_SEALED_MAX];
    size_t first = webpush_seal(&reader, &key, salt, span_of("a"), 300, out);
    assert_int_equal(first, WEBPUSH_SALT_SIZE + 5 + WEBPUSH_POINT_SIZE + 301 + 16);
    assert_int_equal(webpush_seal(&reader, &key, salt, span_of(text), 300, out), first);
}

UNIT_TEST(only_points_of_the_curve_are_taken) {
    struct webpush_reader reader = browser();
    struct webpush_key key;
    uint8_t none[WEBPUSH_SECRET_SIZE] = {0};
    assert_true(webpush_is_point(reader.point));
    reader.point[40] ^= 1;
    assert_false(webpush_is_point(reader.point));
    memset(reader.point, 0, sizeof reader.point);
    assert_false(webpush_is_point(reader.point));
    assert_false(webpush_key_read(none, &key));
    memset(none, 255, sizeof none);
    assert_false(webpush_key_read(none, &key));
    assert_true(webpush_key_make(&key));
    assert_true(webpush_is_point(key.point));
}

static EVP_PKEY *public_key(const struct webpush_key *key) {
    EVP_PKEY *out = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)key->point,
                                          sizeof key->point),
        OSSL_PARAM_construct_end()};
    assert_int_equal(EVP_PKEY_fromdata_init(context), 1);
    assert_int_equal(EVP_PKEY_fromdata(context, &out, EVP_PKEY_PUBLIC_KEY, parameters), 1);
    EVP_PKEY_CTX_free(context);
    return out;
}

UNIT_TEST(claims_are_signed) {
    struct webpush_key key = server();
    char out[WEBPUSH_VAPID_SIZE], point[WEBPUSH_POINT_TEXT_SIZE];
    uint8_t signature[64], wrapped[128], *end = wrapped, claims[512];
    assert_true(webpush_vapid(&key, span_of("https://push.example"), "mailto:a@b.c", 1500, out));
    assert_int_equal(strncmp(out, "vapid t=", 8), 0);
    char *token = out + 8, *comma = strstr(token, ", k=");
    assert_non_null(comma);
    sodium_bin2base64(point, sizeof point, key.point, sizeof key.point,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    assert_string_equal(comma + 4, point);
    *comma = '\0';
    char *dot = strrchr(token, '.');
    assert_int_equal(decode(dot + 1, signature, sizeof signature), 64);
    *dot = '\0';
    ECDSA_SIG *parts = ECDSA_SIG_new();
    ECDSA_SIG_set0(parts, BN_bin2bn(signature, 32, NULL), BN_bin2bn(signature + 32, 32, NULL));
    int length = i2d_ECDSA_SIG(parts, &end);
    EVP_PKEY *known = public_key(&key);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    assert_int_equal(EVP_DigestVerifyInit(context, NULL, EVP_sha256(), NULL, known), 1);
    assert_int_equal(
        EVP_DigestVerify(context, wrapped, (size_t)length, (uint8_t *)token, strlen(token)), 1);
    size_t size = decode(strchr(token, '.') + 1, claims, sizeof claims);
    static const char expected[] =
        "{\"aud\":\"https://push.example\",\"exp\":1500,\"sub\":\"mailto:a@b.c\"}";
    assert_int_equal(size, sizeof expected - 1);
    assert_memory_equal(claims, expected, size);
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(known);
    ECDSA_SIG_free(parts);
}
