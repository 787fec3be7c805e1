/* A service manager, played by the test. */
#include "server/ops/service.h"
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void set_pid(const char *name, int pid) {
    char text[24];
    snprintf(text, sizeof text, "%d", pid);
    setenv(name, text, 1);
}

/* Opens a socket of that name ('@' stands for one without a file), which the environment names. */
static int listen_at(const char *name) {
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    size_t length = strlen(name);
    int socket_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    memcpy(place.sun_path, name, length);
    if (name[0] == '@')
        place.sun_path[0] = '\0';
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    assert_int_equal(bind(socket_, (struct sockaddr *)&place, size), 0);
    setenv("NOTIFY_SOCKET", name, 1);
    return socket_;
}

UNIT_TEST(a_manager_is_told) {
    static const char *const places[] = {"/tmp/oyster-service", "@oyster-service"};
    for (int i = 0; i < 2; i++) {
        char name[64], heard[64] = "";
        snprintf(name, sizeof name, "%s-%d", places[i], (int)getpid());
        int manager = listen_at(name);
        service_say("READY=1");
        assert_int_equal(read(manager, heard, sizeof heard - 1), strlen("READY=1"));
        assert_string_equal(heard, "READY=1");
        close(manager);
        unlink(name);
    }
}

/* Nothing of this may end or stop the program. */
UNIT_TEST(nobody_need_listen) {
    static const char *const names[] = {"", "relative", "/nowhere/at/all", "@", NULL};
    char longest[300];
    for (int i = 0; names[i]; i++) {
        setenv("NOTIFY_SOCKET", names[i], 1);
        service_say("READY=1");
    }
    memset(longest, 'a', sizeof longest - 1);
    longest[0] = '/';
    longest[sizeof longest - 1] = '\0';
    setenv("NOTIFY_SOCKET", longest, 1);
    service_say("READY=1");
    unsetenv("NOTIFY_SOCKET");
    service_say("READY=1");
}

UNIT_TEST(a_socket_is_for_the_process_it_names) {
    assert_int_equal(service_socket(), -1);
    setenv("LISTEN_FDS", "1", 1);
    assert_int_equal(service_socket(), -1);
    set_pid("LISTEN_PID", (int)getpid() + 1);
    assert_int_equal(service_socket(), -1);
    set_pid("LISTEN_PID", (int)getpid());
    assert_int_equal(service_socket(), 3);
    static const char *const none[] = {"0", "-1", "x", "", NULL};
    for (int i = 0; none[i]; i++) {
        setenv("LISTEN_FDS", none[i], 1);
        assert_int_equal(service_socket(), -1);
    }
}

UNIT_TEST(a_watchdog_is_for_the_process_it_names) {
    assert_int_equal(service_watchdog_ms(), 0);
    setenv("WATCHDOG_USEC", "20000000", 1);
    assert_int_equal(service_watchdog_ms(), 20000);
    set_pid("WATCHDOG_PID", (int)getpid());
    assert_int_equal(service_watchdog_ms(), 20000);
    set_pid("WATCHDOG_PID", (int)getpid() + 1);
    assert_int_equal(service_watchdog_ms(), 0);
    unsetenv("WATCHDOG_PID");
    setenv("WATCHDOG_USEC", "soon", 1);
    assert_int_equal(service_watchdog_ms(), 0);
    setenv("WATCHDOG_USEC", "-5", 1);
    assert_int_equal(service_watchdog_ms(), 0);
}
