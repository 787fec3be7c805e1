/* See redis_link.h. Handles are on the heap, since libuv needs them for a while after they were
 * closed. */
#define _DEFAULT_SOURCE
#include "store/redis_link.h"

#include "engine/ensure.h"
#include "store/reserve.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a thread of its own does, since it waits. */
struct sentinel_search {
    uv_work_t work;
    struct redis_link *link; /* null: nobody waits for it any more */
    struct redis_address address, found;
    bool good;
    struct refusal why;
};

enum { SENTINEL_MS = 500 };

static void on_ready(uv_poll_t *poll, int status, int events);

void redis_free_handle(uv_handle_t *handle) {
    free(handle);
}

static void say_why(struct redis_link *link, const char *what, const char *why) {
    snprintf(link->why, sizeof link->why, "%s%s", what, why);
}

void redis_link_end(struct redis_link *link) {
    if (link->search)
        link->search->data = NULL;
    if (link->asking)
        link->asking->link = NULL;
    if (link->poll)
        uv_close((uv_handle_t *)link->poll, redis_free_handle);
    if (link->context)
        redisFree(link->context);
    link->search = NULL;
    link->asking = NULL;
    link->poll = NULL;
    link->context = NULL;
    link->tls = NULL;
}

bool redis_link_is_busy(const struct redis_link *link) {
    return link->context || link->search || link->asking;
}

static void lose(struct redis_link *link) {
    redis_link_end(link);
    link->events->lost(link->arg, link->why);
}

/* ---- Sending and receiving ---- */

static void want_to_write(struct redis_link *link) {
    uv_poll_start(link->poll, UV_READABLE | UV_WRITABLE, on_ready);
}

void redis_link_send(struct redis_link *link) {
    int done = 0;
    if (!link->context || !link->connected) /* once it is connected all is sent */
        return;
    redis_tls_prepare();
    bool good = redisBufferWrite(link->context, &done) == REDIS_OK;
    if (!good || !done) /* an error comes to light there, too */
        want_to_write(link);
}

static bool take(struct redis_link *link, redisReply *reply) {
    if (link->introductions == 0)
        return link->events->replied(link->arg, reply);
    link->introductions--;
    bool fine = reply->type != REDIS_REPLY_ERROR;
    if (!fine)
        say_why(link, "Redis says: ", reply->str);
    freeReplyObject(reply);
    return fine;
}

static bool read_all(struct redis_link *link) {
    void *reply = NULL;
    if (redisBufferRead(link->context) != REDIS_OK)
        return false;
    while (redisGetReplyFromReader(link->context, &reply) == REDIS_OK && reply) {
        if (!take(link, reply))
            return false;
        reply = NULL;
    }
    return link->context->err == 0;
}

/* Goes on with TLS, and wants of the socket what TLS wants. False if it failed. */
static bool secure(struct redis_link *link) {
    struct refusal why;
    enum redis_tls_step step = REDIS_TLS_FAILED;
    if (!link->tls)
        link->tls = redis_tls_begin(link->context, link->address, &why);
    if (link->tls)
        step = redis_tls_go_on(link->tls, &why);
    if (step == REDIS_TLS_FAILED)
        say_why(link, "", why.text);
    else if (step == REDIS_TLS_READS)
        uv_poll_start(link->poll, UV_READABLE, on_ready);
    else
        want_to_write(link);
    link->connected = step == REDIS_TLS_DONE;
    return step != REDIS_TLS_FAILED;
}

static bool exchange(struct redis_link *link, int status, int events) {
    int done = 0;
    if (status != 0)
        return false;
    if (link->address->tls && !link->connected)
        return secure(link);
    redis_tls_prepare();
    if ((events & UV_WRITABLE) != 0) {
        link->connected = true;
        if (redisBufferWrite(link->context, &done) != REDIS_OK)
            return false;
        if (done)
            uv_poll_start(link->poll, UV_READABLE, on_ready);
    }
    return (events & UV_READABLE) == 0 || read_all(link);
}

static void on_ready(uv_poll_t *poll, int status, int events) {
    struct redis_link *link = poll->data;
    link->why[0] = '\0';
    if (!exchange(link, status, events)) {
        if (!link->why[0] && link->context->err != 0)
            say_why(link, "Redis: ", redis_trouble(link->context));
        else if (!link->why[0])
            say_why(link, "Redis ", link->connected ? "broke the connection" : "cannot be reached");
        lose(link);
    }
    link->events->turned(link->arg);
}

/* ---- Connecting ---- */

/* `host` is a number or a path: to look for a name would hold up the loop. */
static bool connect_to(struct redis_link *link, const char *host) {
    const struct redis_address *address = link->address;
    link->context = address->port > 0 ? redisConnectNonBlock(host, address->port)
                                      : redisConnectUnixNonBlock(host);
    ensure(link->context);
    if (link->context->err != 0) {
        say_why(link, "Redis cannot be reached: ", link->context->errstr);
        redis_link_end(link);
        return false;
    }
    if (*address->password && *address->user)
        redisAppendCommand(link->context, "AUTH %s %s", address->user, address->password);
    else if (*address->password)
        redisAppendCommand(link->context, "AUTH %s", address->password);
    redisAppendCommand(link->context, "SELECT %d", address->database);
    link->introductions = *address->password ? 2 : 1;
    link->connected = false;
    link->poll = reserve_malloc(sizeof *link->poll);
    ensure(uv_poll_init(link->loop, link->poll, link->context->fd) == 0);
    link->poll->data = link;
    link->events->begun(link->arg);
    want_to_write(link);
    return true;
}

/* A name may have several numbers, of which not all lead to a server: each is tried in turn. */
static bool take_number(const struct addrinfo *list, unsigned turn, char out[INET6_ADDRSTRLEN]) {
    unsigned count = 0;
    for (const struct addrinfo *each = list; each; each = each->ai_next)
        count++;
    for (unsigned i = count > 0 ? turn % count : 0; i > 0; i--)
        list = list->ai_next;
    return list && uv_ip_name(list->ai_addr, out, INET6_ADDRSTRLEN) == 0;
}

static void on_found(uv_getaddrinfo_t *search, int status, struct addrinfo *list) {
    struct redis_link *link = search->data; /* null: nobody waits for it any more */
    char number[INET6_ADDRSTRLEN];
    free(search);
    if (link) {
        link->search = NULL;
        bool found = status == 0 && take_number(list, link->searches++, number);
        if (!found)
            say_why(link, "Redis cannot be reached: ", status == 0 ? "?" : uv_strerror(status));
        if (!found || !connect_to(link, number))
            lose(link);
        link->events->turned(link->arg);
    }
    uv_freeaddrinfo(list);
}

static bool is_number(const char *host) {
    struct in6_addr bytes;
    return uv_inet_pton(AF_INET, host, &bytes) == 0 || uv_inet_pton(AF_INET6, host, &bytes) == 0;
}

/* To where the address says, which needs no Sentinel any more. */
static bool connect_there(struct redis_link *link) {
    static const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    const struct redis_address *address = link->address;
    if (address->port == 0 || is_number(address->host))
        return connect_to(link, address->host);
    link->search = reserve_malloc(sizeof *link->search);
    link->search->data = link;
    int code = uv_getaddrinfo(link->loop, link->search, on_found, address->host, NULL, &hints);
    if (code == 0)
        return true;
    free(link->search);
    link->search = NULL;
    say_why(link, "Redis cannot be reached: ", uv_strerror(code));
    return false;
}

static void ask_sentinels(uv_work_t *work) {
    struct sentinel_search *search = work->data;
    search->good = redis_ask_sentinels(&search->address, SENTINEL_MS, &search->found, &search->why);
}

static void on_asked(uv_work_t *work, int status) {
    struct sentinel_search *search = work->data;
    struct redis_link *link = search->link;
    if (link) {
        link->asking = NULL;
        link->found = search->found;
        link->address = &link->found;
        if (!search->good)
            say_why(link, "", search->why.text);
        if (!search->good || !connect_there(link))
            lose(link);
        link->events->turned(link->arg);
    }
    free(search);
}

bool redis_link_connect(struct redis_link *link, const struct redis_address *address) {
    link->address = address;
    if (!*address->master)
        return connect_there(link);
    link->asking = reserve_malloc(sizeof *link->asking);
    *link->asking = (struct sentinel_search){.link = link, .address = *address};
    link->asking->work.data = link->asking;
    ensure(uv_queue_work(link->loop, &link->asking->work, ask_sentinels, on_asked) == 0);
    return true;
}
