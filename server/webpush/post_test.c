/* Where messages may be taken: what is subscribed with comes from anybody. */
#include "server/webpush/post.h"
#include "tests/support.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

UNIT_TEST(only_https_at_the_usual_port_is_taken) {
    static const char *const good[] = {
        "https://fcm.googleapis.com/fcm/send/abc:def_-",
        "https://updates.push.services.mozilla.com/wpush/v2/g=", "https://web.push.apple.com/"};
    struct span bad =
        span_of("http://push.example/a|https://|https:///a|https://push.example|https://"
                "push.example:8443/a|https://user@push.example/a|https://push.example\\@inner/"
                "a|https://[::1]/a|https://push.example/a "
                "b|https://push.example/\x01|https://push.example/\xc3\xa4|file:///etc/"
                "passwd|HTTPS://push.example/a|https://push.example:/a");
    struct span origin;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(webpush_is_endpoint(span_of(good[i]), false, &origin));
    while (bad.length > 0) {
        struct span each = span_take_until(&bad, '|');
        if (webpush_is_endpoint(each, false, &origin))
            fail_msg("%.*s", (int)each.length, each.data);
    }
    assert_false(webpush_is_endpoint(span_of(""), false, &origin));
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

/* The addresses have blanks between them. */
static void reaches(bool expected, const char *addresses) {
    struct scan scan = scan_of(span_of(addresses));
    for (struct span word; scan_word(&scan, &word);) {
        char address[INET6_ADDRSTRLEN];
        snprintf(address, sizeof address, "%.*s", (int)word.length, word.data);
        if (may_reach(address) != expected)
            fail_msg("%s", address);
    }
}

UNIT_TEST(inner_addresses_are_not_called) {
    reaches(false,
            "0.0.0.0 10.1.2.3 100.64.0.1 100.127.255.255 127.0.0.1 127.9.9.9 169.254.1.1 "
            "169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.88.99.1 "
            "192.168.255.255 198.18.0.1 198.19.9.9 198.51.100.7 203.0.113.7 224.0.0.1 240.0.0.1 "
            "255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 64:ff9b::10.0.0.1 fe80::1 "
            "fc00::1 fd12:3456::1 ff02::1 2001::1 2001:db8::1 2002:7f00:1:: 4000::1 ::127.0.0.1");
    reaches(true, "1.1.1.1 9.255.255.255 11.0.0.1 100.63.0.1 100.128.0.1 126.255.255.255 128.0.0.1 "
                  "172.15.0.1 172.32.0.1 192.167.0.1 223.255.255.255 2606:4700::1111 2a00:1450:: "
                  "64:ff9b::1.1.1.1");
    struct sockaddr local = {.sa_family = AF_UNIX};
    assert_false(webpush_may_reach(&local));
}

/* ---- Services that hang ---- */

UNIT_TEST(services_that_are_known) {
    static const char *const known[] = {
        "https://fcm.googleapis.com", "https://updates.push.services.mozilla.com",
        "https://web.push.apple.com", "https://wns2-par02p.notify.windows.com"};
    static const char *const other[] = {"https://fcm.googleapis.com.evil.example",
                                        "https://evil-fcm.googleapis.com",
                                        "https://push.apple.com.evil.example",
                                        "https://evilpush.apple.com",
                                        "https://push.example",
                                        ""};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_true(webpush_is_known(span_of(known[i])));
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        assert_false(webpush_is_known(span_of(other[i])));
}

/* Takes connections and never says a word. */
static int listen_only(int *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(listener, 128), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
    assert_int_equal(fcntl(listener, F_SETFL, O_NONBLOCK), 0);
    *port = ntohs(address.sin_port);
    return listener;
}

/* How many have called within that time, or until there are so many. */
static int wait_for_calls(int listener, int *calls, int wanted, int ms) {
    for (int waited = 0; waited < ms && *calls < wanted; waited += 10) {
        while (accept(listener, NULL, NULL) >= 0)
            ++*calls;
        uv_sleep(10);
    }
    return *calls;
}

static void no_answer(void *arg, const struct webpush_letter *letter, int status) {
}

UNIT_TEST(a_service_that_hangs_holds_up_none_that_is_known) {
    enum { PATIENCE_MS = 60000, MORE_MS = 300 };
    int port, calls = 0, listener = listen_only(&port);
    struct webpush_letter letter = {.topic = "turn", .keep_s = 60, .text = "{}"};
    struct webpush_key key;
    char known[64];
    uv_loop_t loop;
    assert_true(sodium_init() >= 0 && webpush_key_make(&key) && uv_loop_init(&loop) == 0);
    memcpy(letter.to.point, key.point, sizeof letter.to.point);
    snprintf(known, sizeof known, "https://localhost:%d", port);
    struct webpush_post_config config = {.loop = &loop,
                                         .anywhere = true,
                                         .known = known,
                                         .certificates = "",
                                         .contact = "mailto:host@oyster.example",
                                         .patience_ms = 10 * PATIENCE_MS};
    struct webpush_post *post = webpush_post_open(&config, no_answer, NULL);
    snprintf(letter.endpoint, sizeof letter.endpoint, "https://127.0.0.1:%d/a", port);
    for (int i = 0; i < WEBPUSH_OTHERS_WAITING_MAX; i++)
        assert_true(webpush_post_send(post, &key, &letter));
    assert_false(webpush_post_send(post, &key, &letter));
    wait_for_calls(listener, &calls, WEBPUSH_OTHERS_AT_ONCE, PATIENCE_MS);
    wait_for_calls(listener, &calls, 1000, MORE_MS);
    assert_int_equal(calls, WEBPUSH_OTHERS_AT_ONCE);
    snprintf(letter.endpoint, sizeof letter.endpoint, "%s/a", known);
    assert_true(webpush_post_send(post, &key, &letter));
    wait_for_calls(listener, &calls, WEBPUSH_OTHERS_AT_ONCE + 1, PATIENCE_MS);
    assert_int_equal(calls, WEBPUSH_OTHERS_AT_ONCE + 1);
    webpush_post_stop(post);
    uv_run(&loop, UV_RUN_DEFAULT);
    webpush_post_free(post);
    assert_int_equal(uv_loop_close(&loop), 0);
    close(listener);
}
