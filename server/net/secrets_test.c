/* Signatures against published vectors, and the form of everything that is made up. */
#include "server/channels/channel_names.h"
#include "server/net/secrets.h"
#include "tests/support.h"
#include "world/world.h"

BEFORE_EACH(start_libsodium) {
    return secrets_init() ? 0 : 1;
}

static struct span bytes(const char *data, size_t length) {
    return (struct span){data, length};
}

/* ---- Signatures ---- */

UNIT_TEST(signs_as_pusher_does) {
    char hex[SECRETS_HEX_SIZE];
    secrets_sign("7ad3773142a6692b25b8", span_of("1234.1234:private-foobar"), hex);
    assert_string_equal(hex, "58df8b0c36d6982b82c3ecf6b4662e34fe8c25bba48f5369f135bf843651c3a4");
}

/* RFC 4231, test cases 2 and 6 (a key longer than a block). */
UNIT_TEST(signs_with_keys_of_any_length) {
    char hex[SECRETS_HEX_SIZE], key[132];
    secrets_sign("Jefe", span_of("what do ya want for nothing?"), hex);
    assert_string_equal(hex, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    memset(key, 0xaa, 131);
    key[131] = '\0';
    secrets_sign(key, span_of("Test Using Larger Than Block-Size Key - Hash Key First"), hex);
    assert_string_equal(hex, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

UNIT_TEST(verifies_only_the_whole_signature) {
    char hex[SECRETS_HEX_SIZE];
    struct span text = span_of("1.2:presence-room-K7M2QX");
    secrets_sign("secret", text, hex);
    assert_true(secrets_verify("secret", text, span_of(hex)));
    assert_false(secrets_verify("Secret", text, span_of(hex)));
    assert_false(secrets_verify("secret", span_of("1.2:presence-room-K7M2QY"), span_of(hex)));
    assert_false(secrets_verify("secret", text, bytes(hex, 63)));
    assert_false(secrets_verify("secret", text, bytes(hex, 65)));
    assert_false(secrets_verify("secret", text, bytes(NULL, 0)));
    for (int i = 0; i < 64; i++) {
        hex[i] ^= 1;
        assert_false(secrets_verify("secret", text, span_of(hex)));
        hex[i] ^= 1;
    }
}

/* ---- What is made up ---- */

UNIT_TEST(tokens_are_new_and_hashed) {
    char token[SECRETS_TOKEN_SIZE], other[SECRETS_TOKEN_SIZE];
    uint8_t hash[SECRETS_HASH_SIZE], again[SECRETS_HASH_SIZE];
    secrets_make_token(token);
    secrets_make_token(other);
    assert_int_equal(strlen(token), 43);
    assert_string_not_equal(token, other);
    assert_true(secrets_hash_token(span_of(token), hash));
    assert_true(secrets_hash_token(span_of(token), again));
    assert_memory_equal(hash, again, sizeof hash);
    assert_true(secrets_hash_token(span_of(other), again));
    assert_memory_not_equal(hash, again, sizeof hash);
}

UNIT_TEST(a_token_s_hash_is_sha256) {
    uint8_t hash[SECRETS_HASH_SIZE], expected[SECRETS_HASH_SIZE];
    assert_true(secrets_hash_token(span_of("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA-_"), hash));
    assert_true(
        span_hex(span_of("e0f392ffebcfada50204a4e6b3e601a6896ce0c5f5fab988206d98b0920a68c5"),
                 expected, sizeof expected));
    assert_memory_equal(hash, expected, sizeof hash);
}

UNIT_TEST(what_is_no_token_has_no_hash) {
    uint8_t hash[SECRETS_HASH_SIZE];
    assert_false(secrets_hash_token(span_of(""), hash));
    assert_false(secrets_hash_token(span_of("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"), hash));
    assert_false(secrets_hash_token(span_of("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"), hash));
    assert_false(secrets_hash_token(span_of("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="), hash));
    assert_false(secrets_hash_token(span_of("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/"), hash));
}

/* Draws until every letter was seen, and sees no other. */
static void uses_exactly(void (*make)(char *), size_t from, size_t length, const char *letters) {
    bool seen[256] = {false};
    size_t kinds = 0;
    for (int i = 0; i < 2000; i++) {
        char word[64];
        make(word);
        assert_int_equal(strlen(word), length);
        for (size_t j = from; j < length; j++) {
            assert_non_null(strchr(letters, word[j]));
            kinds += !seen[(unsigned char)word[j]];
            seen[(unsigned char)word[j]] = true;
        }
    }
    assert_int_equal(kinds, strlen(letters));
}

UNIT_TEST(player_ids_have_75_bits) {
    char id[SECRETS_PLAYER_ID_SIZE], other[SECRETS_PLAYER_ID_SIZE];
    uses_exactly(secrets_make_player_id, 1, 16, "abcdefghijklmnopqrstuvwxyz234567");
    secrets_make_player_id(id);
    secrets_make_player_id(other);
    assert_string_not_equal(id, other);
    assert_int_equal(id[0], 'p');
    assert_true(strlen(id) <= WORLD_ID_MAX);
}

static const char letters[] = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";

static void make_six(char *out) {
    secrets_make_word(out, 6, letters);
}

UNIT_TEST(words_use_all_letters) {
    uses_exactly(make_six, 0, 6, letters);
}

UNIT_TEST(socket_ids_are_two_numbers) {
    char id[SECRETS_SOCKET_ID_SIZE], other[SECRETS_SOCKET_ID_SIZE];
    for (int i = 0; i < 1000; i++) {
        secrets_make_socket_id(id);
        assert_true(channel_is_socket_id(span_of(id)));
    }
    secrets_make_socket_id(other);
    assert_string_not_equal(id, other);
}
