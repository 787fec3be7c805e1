#include "server/api/device_names.h"
#include "tests/support.h"

#define MOZILLA "Mozilla/5.0 "

static const char *name_of(const char *user_agent) {
    static char out[DEVICE_NAME_SIZE];
    device_name(user_agent ? span_of(user_agent) : (struct span){0}, out);
    return out;
}

UNIT_TEST(browsers_and_systems_are_told_apart) {
    static const char *const rows[][2] = {
        {MOZILLA "(Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 "
                 "Mobile Safari/537.36",
         "Chrome on Android"},
        {MOZILLA "(iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
                 "Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
         "Safari on iPhone"},
        {MOZILLA "(iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                 "CriOS/126.0 Mobile/15E148 Safari/604.1",
         "Chrome on iPad"},
        {MOZILLA "(Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
                 "Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0",
         "Edge on Windows"},
        {MOZILLA "(X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0", "Firefox on Linux"},
        {MOZILLA "(Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                 "Version/17.5 Safari/605.1.15",
         "Safari on Mac"},
        {MOZILLA "(X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) "
                 "Chrome/126.0.0.0 Safari/537.36",
         "Chrome on ChromeOS"},
        {"Firefox/127.0", "Firefox"},
        {"curl/8.5.0", "A program"},
        {"", "A program"},
        {"<b>\001"
         "Chrome/1 on Android",
         "Chrome on Android"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(name_of(rows[i][0]), rows[i][1]);
    assert_string_equal(name_of(NULL), "A program");
}
