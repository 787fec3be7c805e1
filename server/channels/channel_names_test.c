/* What channels are called. */
#include "server/channels/channel_names.h"
#include "tests/support.h"

static struct span bytes(const char *data, size_t length) {
    return (struct span){data, length};
}

UNIT_TEST(recognises_socket_ids) {
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

UNIT_TEST(recognises_channels) {
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

UNIT_TEST(recognises_kinds_of_channels) {
    assert_true(channel_is_presence("presence-room-K7M2QX"));
    assert_false(channel_is_private("presence-room-K7M2QX"));
    assert_true(channel_is_private("private-player-p1"));
    assert_false(channel_is_presence("private-player-p1"));
    assert_false(channel_is_presence("presence") || channel_is_private("") ||
                 channel_is_presence("my-presence-room"));
}
