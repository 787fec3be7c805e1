/* See service.h; the protocols are those of sd_listen_fds(3), sd_notify(3) and
 * sd_watchdog_enabled(3). */
#include "server/ops/service.h"

#include "engine/text.h"
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { FIRST_SOCKET = 3 };

/* Children, for whom they are not meant, inherit variables, too: then they name another process. */
static bool is_meant(const char *pid_name, bool needed) {
    int32_t pid;
    const char *text = getenv(pid_name);
    if (!text)
        return !needed;
    return span_number(span_of(text), &pid) && pid == (int32_t)getpid();
}

int service_socket(void) {
    int32_t count;
    const char *text = getenv("LISTEN_FDS");
    if (!text || !is_meant("LISTEN_PID", true) || !span_number(span_of(text), &count) || count < 1)
        return -1;
    fcntl(FIRST_SOCKET, F_SETFD, FD_CLOEXEC);
    return FIRST_SOCKET;
}

void service_say(const char *state) {
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    const char *path = getenv("NOTIFY_SOCKET");
    size_t length = path ? strlen(path) : 0;
    if (length == 0 || length >= sizeof place.sun_path || (path[0] != '/' && path[0] != '@'))
        return;
    memcpy(place.sun_path, path, length);
    if (path[0] == '@') /* a name without a file */
        place.sun_path[0] = '\0';
    int out = socket(AF_UNIX, SOCK_DGRAM, 0);
    if (out < 0)
        return;
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    ssize_t sent = sendto(out, state, strlen(state), 0, (struct sockaddr *)&place, size);
    (void)sent; /* a manager that does not listen is no reason to stop */
    close(out);
}

int64_t service_watchdog_ms(void) {
    const char *text = getenv("WATCHDOG_USEC");
    char *end;
    if (!text || !is_meant("WATCHDOG_PID", false))
        return 0;
    long long us = strtoll(text, &end, 10);
    return *end == '\0' && us > 0 ? (us + 999) / 1000 : 0;
}
