/* Where messages may be taken: what is subscribed with comes from anybody. */
#include "server/webpush/post.h"
#include "tests/support.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

UNIT_TEST(only_https_at_the_usual_port_is_taken) {
    static const char *const good[] = {
        "https://fcm.googleapis.com/fcm/send/abc:def_-",
        "https://updates.push.services.mozilla.com/wpush/v2/g=", "https://web.push.apple.com/"};
    static const char *const bad[] = {"",
                                      "http://push.example/a",
                                      "https://",
                                      "https:///a",
                                      "https://push.example",
                                      "https://push.example:8443/a",
                                      "https://user@push.example/a",
                                      "https://push.example\\@inner/a",
                                      "https://[::1]/a",
                                      "https://push.example/a b",
                                      "https://push.example/\x01",
                                      "https://push.example/\xc3\xa4",
                                      "file:///etc/passwd",
                                      "HTTPS://push.example/a",
                                      "https://push.example:/a"};
    struct span origin;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(webpush_is_endpoint(span_of(good[i]), false, &origin));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (webpush_is_endpoint(span_of(bad[i]), false, &origin))
            fail_msg("%s", bad[i]);
    assert_true(webpush_is_endpoint(span_of("https://localhost:8443/a/b"), true, &origin));
    assert_true(span_is(origin, "https://localhost:8443"));
    char longest[WEBPUSH_ENDPOINT_MAX + 2];
    int start = snprintf(longest, sizeof longest, "https://push.example/");
    memset(longest + start, 'x', sizeof longest - 1 - (size_t)start);
    assert_false(webpush_is_endpoint((struct span){longest, sizeof longest - 1}, false, &origin));
    assert_true(webpush_is_endpoint((struct span){longest, sizeof longest - 2}, false, &origin));
}

static bool may_reach(const char *text) {
    struct sockaddr_in four = {.sin_family = AF_INET};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6};
    if (inet_pton(AF_INET, text, &four.sin_addr) == 1)
        return webpush_may_reach((struct sockaddr *)&four);
    assert_int_equal(inet_pton(AF_INET6, text, &six.sin6_addr), 1);
    return webpush_may_reach((struct sockaddr *)&six);
}

UNIT_TEST(inner_addresses_are_not_called) {
    static const char *const inner[] = {"0.0.0.0",
                                        "10.1.2.3",
                                        "100.64.0.1",
                                        "100.127.255.255",
                                        "127.0.0.1",
                                        "127.9.9.9",
                                        "169.254.1.1",
                                        "169.254.169.254",
                                        "172.16.0.1",
                                        "172.31.255.255",
                                        "192.0.0.8",
                                        "192.0.2.1",
                                        "192.88.99.1",
                                        "192.168.255.255",
                                        "198.18.0.1",
                                        "198.19.9.9",
                                        "198.51.100.7",
                                        "203.0.113.7",
                                        "224.0.0.1",
                                        "240.0.0.1",
                                        "255.255.255.255",
                                        "::",
                                        "::1",
                                        "::ffff:127.0.0.1",
                                        "::ffff:10.0.0.1",
                                        "64:ff9b::10.0.0.1",
                                        "fe80::1",
                                        "fc00::1",
                                        "fd12:3456::1",
                                        "ff02::1",
                                        "2001::1",
                                        "2001:db8::1",
                                        "2002:7f00:1::",
                                        "4000::1",
                                        "::127.0.0.1"};
    static const char *const outer[] = {
        "1.1.1.1",         "9.255.255.255",   "11.0.0.1",    "100.63.0.1",      "100.128.0.1",
        "126.255.255.255", "128.0.0.1",       "172.15.0.1",  "172.32.0.1",      "192.167.0.1",
        "223.255.255.255", "2606:4700::1111", "2a00:1450::", "64:ff9b::1.1.1.1"};
    for (size_t i = 0; i < sizeof inner / sizeof *inner; i++)
        if (may_reach(inner[i]))
            fail_msg("%s", inner[i]);
    for (size_t i = 0; i < sizeof outer / sizeof *outer; i++)
        if (!may_reach(outer[i]))
            fail_msg("%s", outer[i]);
    struct sockaddr local = {.sa_family = AF_UNIX};
    assert_false(webpush_may_reach(&local));
}
