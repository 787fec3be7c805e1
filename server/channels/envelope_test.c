/* Messages as other readers of JSON see them. */
#include "server/channels/channel_names.h"
#include "server/channels/envelope.h"
#include "tests/support.h"

#include <jansson.h>

UNIT_TEST(wraps_data_in_a_string) {
    char buffer[256];
    struct text text = text_in(buffer, sizeof buffer);
    envelope_put("chat", "presence-room-K7M2QX", span_of("{\"text\":\"a\\\"b\"}"), &text);
    assert_false(text.cut);
    assert_string_equal(buffer, "{\"event\":\"chat\",\"channel\":\"presence-room-K7M2QX\","
                                "\"data\":\"{\\\"text\\\":\\\"a\\\\\\\"b\\\"}\"}");
    text_begin(&text, buffer, sizeof buffer);
    envelope_put("pusher:pong", NULL, span_of("{}"), &text);
    assert_string_equal(buffer, "{\"event\":\"pusher:pong\",\"data\":\"{}\"}");
}

/* Whatever the bytes are, a JSON reader gets them back. */
UNIT_TEST(another_reader_gets_the_same_data) {
    char data[512], buffer[4096];
    size_t length = 0;
    for (int c = 0; c < 0x80; c++)
        data[length++] = (char)c;
    memcpy(data + length, "\xc3\xa9\xf0\x9f\x83\x8f\"", 7);
    length += 7;
    assert_true(envelope_size(length) <= sizeof buffer);
    struct text text = text_in(buffer, envelope_size(length));
    envelope_put("e", "c", (struct span){data, length}, &text);
    assert_false(text.cut);
    json_t *json = json_loadb(buffer, text.length, JSON_ALLOW_NUL, NULL);
    assert_non_null(json);
    const json_t *value = json_object_get(json, "data");
    assert_int_equal(json_string_length(value), length);
    assert_memory_equal(json_string_value(value), data, length);
    json_decref(json);
}

UNIT_TEST(says_when_there_is_no_room) {
    char buffer[64], whole[64];
    struct text text = text_in(whole, sizeof whole);
    envelope_put("e", "c", span_of("{\"a\":1}"), &text);
    assert_false(text.cut);
    for (size_t size = 1; size <= text.length; size++) {
        struct text part = text_in(buffer, size);
        envelope_put("e", "c", span_of("{\"a\":1}"), &part);
        assert_true(part.cut);
    }
    struct text fits = text_in(buffer, text.length + 1);
    envelope_put("e", "c", span_of("{\"a\":1}"), &fits);
    assert_false(fits.cut);
    assert_string_equal(buffer, whole);
}

/* The largest of everything: the longest channel, data in which each byte is escaped. */
UNIT_TEST(the_room_is_enough) {
    char channel[CHANNEL_NAME_MAX + 1] = {0}, data[200], buffer[4096];
    memset(channel, 'a', CHANNEL_NAME_MAX);
    memset(data, 1, sizeof data);
    assert_true(envelope_size(sizeof data) <= sizeof buffer);
    struct text text = text_in(buffer, envelope_size(sizeof data));
    envelope_put("pusher_internal:subscription_succeeded", channel,
                 (struct span){data, sizeof data}, &text);
    assert_false(text.cut);
}
