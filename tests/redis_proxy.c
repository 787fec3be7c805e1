/* See redis_proxy.h. A process for each connection. */
#define _GNU_SOURCE
#include "tests/redis_proxy.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* Lets a server older than 7.2 appear to have WAITAOF: it answers that all is on disk, or not
 * yet. */
static size_t speak_for_disk(char *buffer, size_t size, size_t room, const char *slow) {
    static const char asked[] = "*4\r\n$7\r\nWAITAOF\r\n";
    char said[64];
    int length =
        snprintf(said, sizeof said, "*3\r\n$4\r\nEVAL\r\n$12\r\nreturn {%d,0}\r\n$1\r\n0\r\n",
                 access(slow, F_OK) != 0);
    for (char *at; (at = memmem(buffer, size, asked, strlen(asked))) != NULL;) {
        char *end = at + strlen(asked);
        for (int lines = 0; lines < 6; lines++) /* of three numbers, each after its length */
            end = (char *)memchr(end, '\n', (size_t)(buffer + size - end)) + 1;
        size_t rest = (size_t)(buffer + size - end);
        assert_true((size_t)(at - buffer) + (size_t)length + rest <= room);
        memmove(at + length, end, rest);
        memcpy(at, said, (size_t)length);
        size = (size_t)(at - buffer) + (size_t)length + rest;
    }
    return size;
}

/* Passes bytes from one end to the other. What the server says unasked does not count as an
 * answer. */
static void pass_on(const struct redis_proxy *proxy, int store, int redis) {
    static char buffer[65536];
    bool asked = false;
    for (;;) {
        struct pollfd ends[] = {{.fd = store, .events = POLLIN}, {.fd = redis, .events = POLLIN}};
        poll(ends, 2, -1);
        for (int i = 0; i < 2; i++) {
            if (ends[i].revents == 0)
                continue;
            ssize_t size = read(ends[i].fd, buffer, sizeof buffer);
            if (size <= 0 || (i == 1 && asked && unlink(proxy->cut) == 0))
                return;
            size_t count = (size_t)size;
            if (i == 0)
                count = speak_for_disk(buffer, count, sizeof buffer, proxy->slow);
            if (write(ends[1 - i].fd, buffer, count) != (ssize_t)count)
                return;
            asked = i == 0;
        }
    }
}

static void serve(const struct redis_proxy *proxy, int listener) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s",
             proxy->server->where + strlen("unix://"));
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGCHLD, SIG_IGN);
    for (;;) {
        int store = accept(listener, NULL, NULL);
        while (access(proxy->shut, F_OK) == 0)
            usleep(1000);
        if (fork() == 0) {
            int redis = socket(AF_UNIX, SOCK_STREAM, 0);
            if (connect(redis, (struct sockaddr *)&address, sizeof address) == 0)
                pass_on(proxy, store, redis);
            _exit(0);
        }
        close(store);
    }
}

void redis_proxy_start(struct redis_proxy *proxy, const struct redis_server *server,
                       const char *folder) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/proxy", folder);
    snprintf(proxy->where, sizeof proxy->where, "unix://%s/proxy", folder);
    snprintf(proxy->cut, sizeof proxy->cut, "%s/cut", folder);
    snprintf(proxy->shut, sizeof proxy->shut, "%s/shut", folder);
    snprintf(proxy->slow, sizeof proxy->slow, "%s/slow", folder);
    proxy->server = server;
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    listen(listener, 8);
    proxy->process = fork();
    if (proxy->process == 0)
        serve(proxy, listener);
    close(listener);
}

void redis_proxy_end(struct redis_proxy *proxy) {
    kill(proxy->process, SIGKILL);
    waitpid(proxy->process, NULL, 0);
}

void redis_proxy_put(const char *file) {
    fclose(fopen(file, "w"));
}
