/* Signatures against published vectors, the form of everything that is generated here, and decoding
 * of what browsers and clients send. */
#include "server/wire.h"
#include "tests/support.h"

#include <jansson.h>

static struct span bytes(const char *data, size_t length) {
    return (struct span){data, length};
}

/* ---- Signatures ---- */

static void signs_as_pusher_does(void **state) {
    (void)state;
    char hex[WIRE_HEX_SIZE];
    wire_sign("7ad3773142a6692b25b8", span_of("1234.1234:private-foobar"), hex);
    assert_string_equal(hex, "58df8b0c36d6982b82c3ecf6b4662e34fe8c25bba48f5369f135bf843651c3a4");
}

/* RFC 4231, test cases 2 and 6 (a key longer than a block). */
static void signs_with_keys_of_any_length(void **state) {
    (void)state;
    char hex[WIRE_HEX_SIZE], key[132];
    wire_sign("Jefe", span_of("what do ya want for nothing?"), hex);
    assert_string_equal(hex, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    memset(key, 0xaa, 131);
    key[131] = '\0';
    wire_sign(key, span_of("Test Using Larger Than Block-Size Key - Hash Key First"), hex);
    assert_string_equal(hex, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

static void verifies_only_the_whole_signature(void **state) {
    (void)state;
    char hex[WIRE_HEX_SIZE];
    struct span text = span_of("1.2:presence-room-K7M2QX");
    wire_sign("secret", text, hex);
    assert_true(wire_verify("secret", text, span_of(hex)));
    assert_false(wire_verify("Secret", text, span_of(hex)));
    assert_false(wire_verify("secret", span_of("1.2:presence-room-K7M2QY"), span_of(hex)));
    assert_false(wire_verify("secret", text, bytes(hex, 63)));
    assert_false(wire_verify("secret", text, bytes(hex, 65)));
    assert_false(wire_verify("secret", text, bytes(NULL, 0)));
    for (int i = 0; i < 64; i++) {
        hex[i] ^= 1;
        assert_false(wire_verify("secret", text, span_of(hex)));
        hex[i] ^= 1;
    }
}

/* ---- What is made up ---- */

static void tokens_are_new_and_hashed(void **state) {
    (void)state;
    char token[WIRE_TOKEN_SIZE], other[WIRE_TOKEN_SIZE];
    uint8_t hash[WIRE_HASH_SIZE], again[WIRE_HASH_SIZE];
    wire_make_token(token);
    wire_make_token(other);
    assert_int_equal(strlen(token), 43);
    assert_string_not_equal(token, other);
    assert_true(wire_hash_token(span_of(token), hash));
    assert_true(wire_hash_token(span_of(token), again));
    assert_memory_equal(hash, again, sizeof hash);
    assert_true(wire_hash_token(span_of(other), again));
    assert_memory_not_equal(hash, again, sizeof hash);
}

static void a_token_s_hash_is_sha256(void **state) {
    (void)state;
    uint8_t hash[WIRE_HASH_SIZE], expected[WIRE_HASH_SIZE];
    assert_true(wire_hash_token(span_of("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA-_"), hash));
    assert_true(
        span_hex(span_of("e0f392ffebcfada50204a4e6b3e601a6896ce0c5f5fab988206d98b0920a68c5"),
                 expected, sizeof expected));
    assert_memory_equal(hash, expected, sizeof hash);
}

static void what_is_no_token_has_no_hash(void **state) {
    (void)state;
    uint8_t hash[WIRE_HASH_SIZE];
    assert_false(wire_hash_token(span_of(""), hash));
    assert_false(wire_hash_token(span_of("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"), hash));
    assert_false(wire_hash_token(span_of("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"), hash));
    assert_false(wire_hash_token(span_of("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="), hash));
    assert_false(wire_hash_token(span_of("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/"), hash));
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

static void player_ids_have_75_bits(void **state) {
    (void)state;
    char id[WIRE_PLAYER_ID_SIZE], other[WIRE_PLAYER_ID_SIZE];
    uses_exactly(wire_make_player_id, 1, 16, "abcdefghijklmnopqrstuvwxyz234567");
    wire_make_player_id(id);
    wire_make_player_id(other);
    assert_string_not_equal(id, other);
    assert_int_equal(id[0], 'p');
    assert_true(wire_is_player_id(span_of(id)));
    assert_true(strlen(id) <= WORLD_ID_MAX);
}

static void other_words_are_no_player_ids(void **state) {
    (void)state;
    static const char *const words[] = {"",
                                        "p",
                                        "qabcdefghijklmno",
                                        "pabcdefghijklmn",
                                        "pabcdefghijklmnop",
                                        "bot-3",
                                        "pabcdefghijklmn1",
                                        "pabcdefghijklmnO",
                                        "pabcdefghijklmn ",
                                        NULL};
    assert_true(wire_is_player_id(span_of("pabcdefghijklmn7")));
    for (int i = 0; words[i]; i++)
        assert_false(wire_is_player_id(span_of(words[i])));
    assert_false(wire_is_player_id(bytes("pabcdefghijklmn", 16)));
}

static void codes_are_a_world_s(void **state) {
    (void)state;
    char code[WIRE_CODE_SIZE];
    uses_exactly(wire_make_code, 0, 6, "ABCDEFGHJKMNPQRSTUVWXYZ23456789");
    wire_make_code(code);
    assert_true(world_is_code(span_of(code)));
    assert_false(world_is_code(span_of("K7M2Q")));
    assert_false(world_is_code(span_of("K7M2QXX")));
    assert_false(world_is_code(span_of("K7M2Q0")));
    assert_false(world_is_code(bytes("K7M2Q", 6)));
}

static void socket_ids_are_two_numbers(void **state) {
    (void)state;
    char id[WIRE_SOCKET_ID_SIZE], other[WIRE_SOCKET_ID_SIZE];
    for (int i = 0; i < 1000; i++) {
        wire_make_socket_id(id);
        assert_true(wire_is_socket_id(span_of(id)));
    }
    wire_make_socket_id(other);
    assert_string_not_equal(id, other);
}

static void recognises_socket_ids(void **state) {
    (void)state;
    static const char *const good[] = {"1.2", "123.456", "4294967295.4294967295", NULL};
    static const char *const bad[] = {"",
                                      ".",
                                      "1.",
                                      ".1",
                                      "1",
                                      "1.2.3",
                                      "1..2",
                                      "1.2 ",
                                      "1.2\n",
                                      "-1.2",
                                      "1.a",
                                      "1,2",
                                      "14294967295.4294967295",
                                      NULL};
    for (int i = 0; good[i]; i++)
        assert_true(wire_is_socket_id(span_of(good[i])));
    for (int i = 0; bad[i]; i++)
        assert_false(wire_is_socket_id(span_of(bad[i])));
    assert_false(wire_is_socket_id(bytes("1.2", 4)));
}

static void recognises_channels(void **state) {
    (void)state;
    char longest[WIRE_CHANNEL_MAX + 2];
    assert_true(wire_is_channel(span_of("presence-room-K7M2QX")));
    assert_true(wire_is_channel(span_of("-_=@,.;azAZ09")));
    static const char *const bad[] = {"", "a b", "a:b", "a\"b", "a\nb", "caf\xc3\xa9", "a/b", NULL};
    for (int i = 0; bad[i]; i++)
        assert_false(wire_is_channel(span_of(bad[i])));
    assert_false(wire_is_channel(bytes("a", 2)));
    memset(longest, 'a', sizeof longest);
    assert_true(wire_is_channel(bytes(longest, WIRE_CHANNEL_MAX)));
    assert_false(wire_is_channel(bytes(longest, WIRE_CHANNEL_MAX + 1)));
}

/* ---- Encodings ---- */

static void splits_targets(void **state) {
    (void)state;
    struct span target = span_of("/app/oyster?protocol=7&x=a?b");
    assert_true(span_is(wire_path(target), "/app/oyster"));
    assert_true(span_is(wire_query(target), "protocol=7&x=a?b"));
    assert_true(span_is(wire_path(span_of("/healthz")), "/healthz"));
    assert_int_equal(wire_query(span_of("/healthz")).length, 0);
    assert_int_equal(wire_query(span_of("/healthz?")).length, 0);
    assert_int_equal(wire_path(bytes(NULL, 0)).length, 0);
}

static const char *decoded(bool (*decode)(struct span, struct text *), const char *in) {
    static char buffer[32];
    struct text text;
    text_begin(&text, buffer, sizeof buffer);
    return decode(span_of(in), &text) ? buffer : NULL;
}

static void decodes_escapes(void **state) {
    (void)state;
    assert_string_equal(decoded(wire_decode_path, "a%20b%2Fc%2fd+e"), "a b/c/d+e");
    assert_string_equal(decoded(wire_decode_form, "a%20b+c%2Bd"), "a b c+d");
    assert_string_equal(decoded(wire_decode_form, "%C3%A9"), "\xc3\xa9");
    assert_string_equal(decoded(wire_decode_form, ""), "");
}

static void refuses_broken_escapes(void **state) {
    (void)state;
    static const char *const bad[] = {"%", "a%2", "%zz", "%2", "%00", "a%", "%%20", "%+1", NULL};
    for (int i = 0; bad[i]; i++) {
        assert_null(decoded(wire_decode_path, bad[i]));
        assert_null(decoded(wire_decode_form, bad[i]));
    }
    assert_null(decoded(wire_decode_form, "12345678901234567890123456789012"));
    assert_string_equal(decoded(wire_decode_form, "1234567890123456789012345678901"),
                        "1234567890123456789012345678901");
    struct text text;
    char buffer[8];
    text_begin(&text, buffer, sizeof buffer);
    assert_false(wire_decode_form(bytes("a\0b", 3), &text));
}

static const char *field(const char *form, const char *name) {
    static char buffer[32];
    struct text text;
    text_begin(&text, buffer, sizeof buffer);
    return wire_field(span_of(form), name, &text) ? buffer : NULL;
}

static void finds_fields(void **state) {
    (void)state;
    const char *form = "socket_id=1.2&channel_name=presence-room-K7M2QX&empty=&flag&a=b=c";
    assert_string_equal(field(form, "socket_id"), "1.2");
    assert_string_equal(field(form, "channel_name"), "presence-room-K7M2QX");
    assert_string_equal(field(form, "empty"), "");
    assert_string_equal(field(form, "flag"), "");
    assert_string_equal(field(form, "a"), "b=c");
    assert_null(field(form, "socket"));
    assert_null(field(form, "id"));
    assert_null(field("", "a"));
    assert_string_equal(field("&&=x&a=1&a=2", "a"), "1");
    assert_string_equal(field("socket%5Fid=1%2E2", "socket_id"), "1.2");
    assert_null(field("a=%zz&a=2", "a"));
}

static void finds_cookies(void **state) {
    (void)state;
    struct span value = {0};
    struct span header =
        span_of("theme=dark; oyster_session=AbC-_; x=1;oyster=\"q\" ;last = y=z ; flag");
    assert_true(wire_cookie(header, "oyster_session", &value) && span_is(value, "AbC-_"));
    assert_true(wire_cookie(header, "theme", &value) && span_is(value, "dark"));
    assert_true(wire_cookie(header, "x", &value) && span_is(value, "1"));
    assert_true(wire_cookie(header, "oyster", &value) && span_is(value, "q"));
    assert_true(wire_cookie(header, "last", &value) && span_is(value, "y=z"));
    assert_false(wire_cookie(header, "flag", &value));
    assert_false(wire_cookie(header, "session", &value));
    assert_false(wire_cookie(header, "oyster_sessio", &value));
    assert_false(wire_cookie(bytes(NULL, 0), "a", &value));
    assert_true(wire_cookie(span_of("a=1; a=2"), "a", &value) && span_is(value, "1"));
    assert_true(wire_cookie(span_of("a="), "a", &value) && value.length == 0);
    assert_true(wire_cookie(span_of("\ta=\t1\t"), "a", &value) && span_is(value, "1"));
    assert_true(wire_cookie(span_of("a=\"\""), "a", &value) && value.length == 0);
    assert_true(wire_cookie(span_of("a=\""), "a", &value) && span_is(value, "\""));
}

/* ---- The envelope ---- */

static void wraps_data_in_a_string(void **state) {
    (void)state;
    char buffer[256];
    struct text text;
    text_begin(&text, buffer, sizeof buffer);
    wire_event("chat", "presence-room-K7M2QX", span_of("{\"text\":\"a\\\"b\"}"), &text);
    assert_false(text.cut);
    assert_string_equal(buffer, "{\"event\":\"chat\",\"channel\":\"presence-room-K7M2QX\","
                                "\"data\":\"{\\\"text\\\":\\\"a\\\\\\\"b\\\"}\"}");
    text_begin(&text, buffer, sizeof buffer);
    wire_event("pusher:pong", NULL, span_of("{}"), &text);
    assert_string_equal(buffer, "{\"event\":\"pusher:pong\",\"data\":\"{}\"}");
}

/* Whatever the bytes are, a JSON reader gets them back. */
static void another_reader_gets_the_same_data(void **state) {
    (void)state;
    char data[512], buffer[4096];
    struct text text;
    size_t length = 0;
    for (int c = 0; c < 0x80; c++)
        data[length++] = (char)c;
    memcpy(data + length, "\xc3\xa9\xf0\x9f\x83\x8f\"", 7);
    length += 7;
    text_begin(&text, buffer, sizeof buffer);
    wire_event("e", "c", bytes(data, length), &text);
    assert_false(text.cut);
    json_t *json = json_loadb(buffer, text.length, JSON_ALLOW_NUL, NULL);
    assert_non_null(json);
    const json_t *value = json_object_get(json, "data");
    assert_int_equal(json_string_length(value), length);
    assert_memory_equal(json_string_value(value), data, length);
    json_decref(json);
}

static void says_when_there_is_no_room(void **state) {
    (void)state;
    char buffer[64], whole[64];
    struct text text;
    text_begin(&text, whole, sizeof whole);
    wire_event("e", "c", span_of("{\"a\":1}"), &text);
    assert_false(text.cut);
    for (size_t size = 1; size <= text.length; size++) {
        struct text part;
        text_begin(&part, buffer, size);
        wire_event("e", "c", span_of("{\"a\":1}"), &part);
        assert_true(part.cut);
    }
    struct text fits;
    text_begin(&fits, buffer, text.length + 1);
    wire_event("e", "c", span_of("{\"a\":1}"), &fits);
    assert_false(fits.cut);
    assert_string_equal(buffer, whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signs_as_pusher_does),
        cmocka_unit_test(signs_with_keys_of_any_length),
        cmocka_unit_test(verifies_only_the_whole_signature),
        cmocka_unit_test(tokens_are_new_and_hashed),
        cmocka_unit_test(a_token_s_hash_is_sha256),
        cmocka_unit_test(what_is_no_token_has_no_hash),
        cmocka_unit_test(player_ids_have_75_bits),
        cmocka_unit_test(other_words_are_no_player_ids),
        cmocka_unit_test(codes_are_a_world_s),
        cmocka_unit_test(socket_ids_are_two_numbers),
        cmocka_unit_test(recognises_socket_ids),
        cmocka_unit_test(recognises_channels),
        cmocka_unit_test(splits_targets),
        cmocka_unit_test(decodes_escapes),
        cmocka_unit_test(refuses_broken_escapes),
        cmocka_unit_test(finds_fields),
        cmocka_unit_test(finds_cookies),
        cmocka_unit_test(wraps_data_in_a_string),
        cmocka_unit_test(another_reader_gets_the_same_data),
        cmocka_unit_test(says_when_there_is_no_room),
    };
    if (!wire_init())
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
