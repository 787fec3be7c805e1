/* Decoding of what browsers and clients send. */
#include "server/net/encoding.h"
#include "tests/support.h"

static struct span bytes(const char *data, size_t length) {
    return (struct span){data, length};
}

UNIT_TEST(splits_targets) {
    assert_true(span_is(encoding_path(span_of("/app/oyster?protocol=7&x=a?b")), "/app/oyster"));
    assert_true(span_is(encoding_path(span_of("/healthz")), "/healthz"));
    assert_int_equal(encoding_path(bytes(NULL, 0)).length, 0);
}

static const char *decoded(bool (*decode)(struct span, struct text *), const char *in) {
    static char buffer[32];
    struct text text = text_in(buffer, sizeof buffer);
    return decode(span_of(in), &text) ? buffer : NULL;
}

UNIT_TEST(decodes_escapes) {
    assert_string_equal(decoded(encoding_decode_path, "a%20b%2Fc%2fd+e"), "a b/c/d+e");
    assert_string_equal(decoded(encoding_decode_form, "a%20b+c%2Bd"), "a b c+d");
    assert_string_equal(decoded(encoding_decode_form, "%C3%A9"), "\xc3\xa9");
    assert_string_equal(decoded(encoding_decode_form, ""), "");
}

UNIT_TEST(refuses_broken_escapes) {
    static const char *const bad[] = {"%", "a%2", "%zz", "%2", "%00", "a%", "%%20", "%+1", NULL};
    for (int i = 0; bad[i]; i++) {
        assert_null(decoded(encoding_decode_path, bad[i]));
        assert_null(decoded(encoding_decode_form, bad[i]));
    }
    assert_null(decoded(encoding_decode_form, "12345678901234567890123456789012"));
    assert_string_equal(decoded(encoding_decode_form, "1234567890123456789012345678901"),
                        "1234567890123456789012345678901");
    char buffer[8];
    struct text text = text_in(buffer, sizeof buffer);
    assert_false(encoding_decode_form(bytes("a\0b", 3), &text));
}

static const char *field(const char *form, const char *name) {
    static char buffer[32];
    struct text text = text_in(buffer, sizeof buffer);
    return encoding_field(span_of(form), name, &text) ? buffer : NULL;
}

UNIT_TEST(finds_fields) {
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

UNIT_TEST(finds_cookies) {
    struct span value = {0};
    struct span header =
        span_of("theme=dark; oyster_session=AbC-_; x=1;oyster=\"q\" ;last = y=z ; flag");
    assert_true(encoding_cookie(header, "oyster_session", &value) && span_is(value, "AbC-_"));
    assert_true(encoding_cookie(header, "theme", &value) && span_is(value, "dark"));
    assert_true(encoding_cookie(header, "x", &value) && span_is(value, "1"));
    assert_true(encoding_cookie(header, "oyster", &value) && span_is(value, "q"));
    assert_true(encoding_cookie(header, "last", &value) && span_is(value, "y=z"));
    assert_false(encoding_cookie(header, "flag", &value));
    assert_false(encoding_cookie(header, "session", &value));
    assert_false(encoding_cookie(header, "oyster_sessio", &value));
    assert_false(encoding_cookie(bytes(NULL, 0), "a", &value));
    assert_true(encoding_cookie(span_of("a=1; a=2"), "a", &value) && span_is(value, "1"));
    assert_true(encoding_cookie(span_of("a="), "a", &value) && value.length == 0);
    assert_true(encoding_cookie(span_of("\ta=\t1\t"), "a", &value) && span_is(value, "1"));
    assert_true(encoding_cookie(span_of("a=\"\""), "a", &value) && value.length == 0);
    assert_true(encoding_cookie(span_of("a=\""), "a", &value) && span_is(value, "\""));
}
