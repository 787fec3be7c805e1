/* The least that the traffic can cost: `raw PORT PUSH_BYTES [UNIX_SOCKET]`.
 *
 * An epoll loop that does nothing but what load.c needs to hear: a POST makes the world's four
 * sockets get a push of so many bytes, and is answered. No rules, no store, no HTTP parser. With
 * the socket of a Redis server each POST is first kept there by the bare script, all of one turn of
 * the loop in one pipeline: the least that it can cost on Redis. */
#define _GNU_SOURCE
#include "bench/bare.h"
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SEATS = 4, WORLDS_MAX = 4096, FILES_MAX = 65536, IN_SIZE = 2048, PUSH_MAX = 65536 };

struct line {
    int fd;
    size_t filled;
    char in[IN_SIZE];
};

static struct {
    int epoll, listener;
    int socket[WORLDS_MAX][SEATS];
    long version[WORLDS_MAX];
    struct line *line[FILES_MAX];
    size_t push_size;
    char push[4 + PUSH_MAX];
    struct bare bare;
    bool on_redis;
    int waiting_count;
    struct {
        int fd, world;
    } waiting[FILES_MAX]; /* that were sent to Redis in this turn */
} raw;

static void send_all(int fd, const void *data, size_t size) {
    if (send(fd, data, size, MSG_NOSIGNAL) != (ssize_t)size)
        perror("raw: send");
}

static void upgrade(int fd, const char *request) {
    static const char answer[] = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                                 "Connection: Upgrade\r\n"
                                 "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"
                                 "\x81\x02{}";
    int world = 0, seat = 0;
    sscanf(request, "GET /app/raw?w=%d&s=%d", &world, &seat);
    if (world >= 0 && world < WORLDS_MAX && seat >= 0 && seat < SEATS)
        raw.socket[world][seat] = fd;
    send_all(fd, answer, sizeof answer - 1);
}

/* Each seat's push is made for it, as the server makes a view for each seat. */
static void push(int world, int seat) {
    char top[160];
    size_t size = raw.push_size;
    int length = snprintf(top, sizeof top,
                          "{\"event\":\"view-updated\",\"channel\":\"private-player-%06d-%d\","
                          "\"data\":\"{\\\"version\\\":%ld,",
                          world, seat, raw.version[world]);
    raw.push[0] = (char)0x81;
    raw.push[1] = 126;
    raw.push[2] = (char)(size >> 8);
    raw.push[3] = (char)size;
    memcpy(raw.push + 4, top, (size_t)length);
    send_all(raw.socket[world][seat], raw.push, 4 + size);
}

static void answer(int fd, int world) {
    char answer[512], text[64];
    raw.version[world]++;
    for (int seat = 0; seat < SEATS; seat++)
        push(world, seat);
    int length = snprintf(text, sizeof text, "{\"ok\":true,\"version\":%ld}", raw.version[world]);
    int size = snprintf(answer, sizeof answer,
                        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                        "Content-Length: %d\r\nX-Content-Type-Options: nosniff\r\n"
                        "Referrer-Policy: same-origin\r\nCache-Control: no-store\r\n\r\n%s",
                        length, text);
    send_all(fd, answer, (size_t)size);
}

static void act(int fd, const char *body) {
    const char *code = strstr(body, "\"roomCode\":\"");
    int world = code ? atoi(code + 12) : 0;
    if (world < 0 || world >= WORLDS_MAX)
        return;
    if (!raw.on_redis) {
        answer(fd, world);
        return;
    }
    bare_append(&raw.bare, BARE_WORLDS + world, raw.version[world], 1731658005711);
    raw.waiting[raw.waiting_count].fd = fd;
    raw.waiting[raw.waiting_count++].world = world;
}

static void answer_waiting(void) {
    for (int i = 0; i < raw.waiting_count; i++) {
        if (!bare_answer(&raw.bare))
            abort();
        answer(raw.waiting[i].fd, raw.waiting[i].world);
    }
    raw.waiting_count = 0;
}

static void hear(struct line *line) {
    ssize_t got = recv(line->fd, line->in + line->filled, IN_SIZE - 1 - line->filled, 0);
    if (got <= 0) {
        raw.line[line->fd] = NULL;
        close(line->fd);
        free(line);
        return;
    }
    line->filled += (size_t)got;
    line->in[line->filled] = '\0';
    const char *end = strstr(line->in, "\r\n\r\n");
    if (!end)
        return;
    const char *field = strstr(line->in, "Content-Length: ");
    size_t length = field ? strtoul(field + 16, NULL, 10) : 0;
    if (line->filled < (size_t)(end - line->in) + 4 + length)
        return;
    line->filled = 0;
    if (strncmp(line->in, "GET", 3) == 0)
        upgrade(line->fd, line->in);
    else
        act(line->fd, end + 4);
}

static void meet(void) {
    int on = 1, fd = accept4(raw.listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0 || fd >= FILES_MAX)
        return;
    struct line *line = calloc(1, sizeof *line);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = line};
    line->fd = fd;
    raw.line[fd] = line;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    epoll_ctl(raw.epoll, EPOLL_CTL_ADD, fd, &event);
}

int main(int count, char **words) {
    struct rlimit files;
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct epoll_event event = {.events = EPOLLIN}, events[256];
    int on = 1;
    if (count < 3)
        return 1;
    place.sin_port = htons((uint16_t)atoi(words[1]));
    raw.push_size = strtoul(words[2], NULL, 10);
    if (raw.push_size < 160 || raw.push_size >= PUSH_MAX)
        return 1;
    raw.on_redis = count > 3;
    if (raw.on_redis && !bare_open(&raw.bare, words[3]))
        return 1;
    memset(raw.push, 'x', sizeof raw.push);
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    raw.listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(raw.listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(raw.listener, (struct sockaddr *)&place, sizeof place) != 0 ||
        listen(raw.listener, 1024) != 0) {
        perror("raw");
        return 1;
    }
    raw.epoll = epoll_create1(EPOLL_CLOEXEC);
    epoll_ctl(raw.epoll, EPOLL_CTL_ADD, raw.listener, &event);
    puts("serves");
    fflush(stdout);
    for (;;) {
        int ready = epoll_wait(raw.epoll, events, 256, -1);
        for (int i = 0; i < ready; i++)
            if (events[i].data.ptr)
                hear(events[i].data.ptr);
            else
                meet();
        answer_waiting();
    }
}
