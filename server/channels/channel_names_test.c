/* What channels are called, and messages as other readers of JSON see them. */
#include "server/channels/channel_names.h"
#include "tests/support.h"

#include <jansson.h>

static struct span bytes(const char *data, size_t length) {
    return (struct span){data, length};
}

static void recognises_socket_ids(void **state) {
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
        assert_true(channel_is_socket_id(span_of(good[i])));
    for (int i = 0; bad[i]; i++)
        assert_false(channel_is_socket_id(span_of(bad[i])));
    assert_false(channel_is_socket_id(bytes("1.2", 4)));
}

static void recognises_channels(void **state) {
    char longest[CHANNEL_NAME_MAX + 2];
    assert_true(channel_is_name(span_of("presence-room-K7M2QX")));
    assert_true(channel_is_name(span_of("-_=@,.;azAZ09")));
    static const char *const bad[] = {"", "a b", "a:b", "a\"b", "a\nb", "caf\xc3\xa9", "a/b", NULL};
    for (int i = 0; bad[i]; i++)
        assert_false(channel_is_name(span_of(bad[i])));
    assert_false(channel_is_name(bytes("a", 2)));
    memset(longest, 'a', sizeof longest);
    assert_true(channel_is_name(bytes(longest, CHANNEL_NAME_MAX)));
    assert_false(channel_is_name(bytes(longest, CHANNEL_NAME_MAX + 1)));
}

/* ---- The envelope ---- */

static void wraps_data_in_a_string(void **state) {
    char buffer[256];
    struct text text;
    text_begin(&text, buffer, sizeof buffer);
    channel_put_message("chat", "presence-room-K7M2QX", span_of("{\"text\":\"a\\\"b\"}"), &text);
    assert_false(text.cut);
    assert_string_equal(buffer, "{\"event\":\"chat\",\"channel\":\"presence-room-K7M2QX\","
                                "\"data\":\"{\\\"text\\\":\\\"a\\\\\\\"b\\\"}\"}");
    text_begin(&text, buffer, sizeof buffer);
    channel_put_message("pusher:pong", NULL, span_of("{}"), &text);
    assert_string_equal(buffer, "{\"event\":\"pusher:pong\",\"data\":\"{}\"}");
}

/* Whatever the bytes are, a JSON reader gets them back. */
static void another_reader_gets_the_same_data(void **state) {
    char data[512], buffer[4096];
    struct text text;
    size_t length = 0;
    for (int c = 0; c < 0x80; c++)
        data[length++] = (char)c;
    memcpy(data + length, "\xc3\xa9\xf0\x9f\x83\x8f\"", 7);
    length += 7;
    text_begin(&text, buffer, sizeof buffer);
    channel_put_message("e", "c", bytes(data, length), &text);
    assert_false(text.cut);
    json_t *json = json_loadb(buffer, text.length, JSON_ALLOW_NUL, NULL);
    assert_non_null(json);
    const json_t *value = json_object_get(json, "data");
    assert_int_equal(json_string_length(value), length);
    assert_memory_equal(json_string_value(value), data, length);
    json_decref(json);
}

static void says_when_there_is_no_room(void **state) {
    char buffer[64], whole[64];
    struct text text;
    text_begin(&text, whole, sizeof whole);
    channel_put_message("e", "c", span_of("{\"a\":1}"), &text);
    assert_false(text.cut);
    for (size_t size = 1; size <= text.length; size++) {
        struct text part;
        text_begin(&part, buffer, size);
        channel_put_message("e", "c", span_of("{\"a\":1}"), &part);
        assert_true(part.cut);
    }
    struct text fits;
    text_begin(&fits, buffer, text.length + 1);
    channel_put_message("e", "c", span_of("{\"a\":1}"), &fits);
    assert_false(fits.cut);
    assert_string_equal(buffer, whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recognises_socket_ids),
        cmocka_unit_test(recognises_channels),
        cmocka_unit_test(wraps_data_in_a_string),
        cmocka_unit_test(another_reader_gets_the_same_data),
        cmocka_unit_test(says_when_there_is_no_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
