/* Listens to what other programs do with the worlds that this one has in memory, on a connection of
 * its own and on the loop's thread. Whoever watches a world is told once the world is heard, and
 * again after the connection was lost: from then on nothing is missed, and what came before stands
 * in the log.
 *
 * A silent connection is pinged every second. One that breaks is made anew. */
#define _DEFAULT_SOURCE
#include "engine/ensure.h"
#include "store/hash.h"
#include "store/redis.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum { BEAT_MS = 1000, SILENCE_BEATS = 3, AGAIN_MS = 50, LINES_MAX = STORE_ENTRIES_MAX };

struct watched {
    char code[STORE_CODE_MAX + 1];
    UT_hash_handle hh;
};

struct redis_feed {
    struct redis_address addresses[REDIS_LINKS_MAX]; /* of a cluster any will do */
    int address_count, address_at;
    const char *tag;
    uv_loop_t *loop;
    struct store_listener listener;
    uv_getaddrinfo_t *search; /* for the server's address, by its name; null: none */
    unsigned searches;
    redisContext *context; /* null: not connected */
    uv_poll_t *poll;
    uv_timer_t *timer; /* the next beat, or the next try to connect */
    int silent;        /* beats since something was heard */
    struct watched *watched;
};

static void try_to_connect(struct redis_feed *feed);
static void on_ready(uv_poll_t *poll, int status, int events);

static void want_to_write(struct redis_feed *feed) {
    uv_poll_start(feed->poll, UV_READABLE | UV_WRITABLE, on_ready);
}

static void free_handle(uv_handle_t *handle) {
    free(handle);
}

/* Closes the connection. The next try goes to the next server. */
static void hang_up(struct redis_feed *feed) {
    if (feed->poll)
        uv_close((uv_handle_t *)feed->poll, free_handle);
    if (feed->context)
        redisFree(feed->context);
    feed->poll = NULL;
    feed->context = NULL;
    feed->address_at = (feed->address_at + 1) % feed->address_count;
}

static void on_timer(uv_timer_t *timer) {
    struct redis_feed *feed = timer->data;
    if (!feed->context) {
        try_to_connect(feed);
    } else if (feed->silent++ < SILENCE_BEATS) {
        redisAppendCommand(feed->context, "PING");
        want_to_write(feed);
        uv_timer_start(timer, on_timer, BEAT_MS, 0);
    } else {
        hang_up(feed);
        try_to_connect(feed);
    }
}

static void lose(struct redis_feed *feed) {
    hang_up(feed);
    uv_timer_start(feed->timer, on_timer, AGAIN_MS, 0);
}

/* ---- Messages ---- */

/* The code at the end of a channel's name. */
static struct span code_of(const redisReply *channel) {
    const char *colon = strrchr(channel->str, ':');
    return span_of(colon ? colon + 1 : "");
}

static bool next_word(struct span *rest, char end, struct span *word) {
    const char *found = rest->length > 0 ? memchr(rest->data, end, rest->length) : NULL;
    if (!found)
        return false;
    *word = (struct span){rest->data, (size_t)(found - rest->data)};
    rest->length -= word->length + 1;
    rest->data = found + 1;
    return true;
}

static void hear_append(struct redis_feed *feed, struct store_heard *heard, struct span rest) {
    struct span lines[LINES_MAX];
    heard->entries = lines;
    while (heard->count < LINES_MAX - 1 && next_word(&rest, '\n', &lines[heard->count]))
        heard->count++;
    lines[heard->count++] = rest;
    feed->listener.appended(feed->listener.arg, heard);
}

/* `append TAG VERSION CHAIN` or `say TAG 0`, a line end, and the rest. */
static void hear(struct redis_feed *feed, const redisReply *channel, const redisReply *message) {
    struct span rest = {message->str, message->len}, kind, version;
    struct store_heard heard = {.code = code_of(channel)};
    if (!next_word(&rest, ' ', &kind) || !next_word(&rest, ' ', &heard.node) ||
        !next_word(&rest, '\n', &version) || span_is(heard.node, feed->tag))
        return;
    char *end;
    heard.version = strtoll(version.data, &end, 10);
    heard.chain = *end == ' ' ? strtoull(end, NULL, 16) : 0;
    if (span_is(kind, "append"))
        hear_append(feed, &heard, rest);
    else
        feed->listener.said(feed->listener.arg, heard.code, heard.node, rest);
}

/* False if the server sends what cannot be right. */
static bool take(struct redis_feed *feed, const redisReply *reply) {
    feed->silent = 0;
    if (reply->type == REDIS_REPLY_ERROR)
        return false;
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 3 ||
        reply->element[1]->type != REDIS_REPLY_STRING)
        return true;
    const char *kind = reply->element[0]->str;
    if (strcmp(kind, "message") == 0)
        hear(feed, reply->element[1], reply->element[2]);
    else if (strcmp(kind, "subscribe") == 0)
        feed->listener.watching(feed->listener.arg, code_of(reply->element[1]));
    return true;
}

static bool read_all(struct redis_feed *feed) {
    void *reply = NULL;
    if (redisBufferRead(feed->context) != REDIS_OK)
        return false;
    while (redisGetReplyFromReader(feed->context, &reply) == REDIS_OK && reply) {
        bool good = take(feed, reply);
        freeReplyObject(reply);
        if (!good)
            return false;
        reply = NULL;
    }
    return feed->context->err == 0;
}

static void on_ready(uv_poll_t *poll, int status, int events) {
    struct redis_feed *feed = poll->data;
    int done = 0;
    bool good = status == 0;
    if (good && (events & UV_WRITABLE) != 0)
        good = redisBufferWrite(feed->context, &done) == REDIS_OK;
    if (good && done != 0)
        uv_poll_start(poll, UV_READABLE, on_ready);
    if (good && (events & UV_READABLE) != 0)
        good = read_all(feed);
    if (!good)
        lose(feed);
}

/* ---- Connecting ---- */

static void ask_for(struct redis_feed *feed, const char *command, const char *code) {
    char channel[REDIS_CHANNEL_SIZE];
    redis_channel(feed->addresses[0].database, span_of(code), channel);
    redisAppendCommand(feed->context, "%s %s", command, channel);
}

/* `host` is a numeric address or a path: looking up a name here would block the loop. */
static void connect_to(struct redis_feed *feed, const char *host) {
    const struct redis_address *address = &feed->addresses[feed->address_at];
    struct watched *watched, *next;
    feed->context = address->port > 0 ? redisConnectNonBlock(host, address->port)
                                      : redisConnectUnixNonBlock(host);
    ensure(feed->context);
    feed->silent = 0;
    if (feed->context->err != 0) {
        lose(feed);
        return;
    }
    if (*address->password && *address->user)
        redisAppendCommand(feed->context, "AUTH %s %s", address->user, address->password);
    else if (*address->password)
        redisAppendCommand(feed->context, "AUTH %s", address->password);
    ask_for(feed, "SUBSCRIBE", "");
    HASH_ITER(hh, feed->watched, watched, next)
    ask_for(feed, "SUBSCRIBE", watched->code);
    feed->poll = reserve_malloc(sizeof *feed->poll);
    ensure(uv_poll_init(feed->loop, feed->poll, feed->context->fd) == 0);
    feed->poll->data = feed;
    want_to_write(feed);
    uv_timer_start(feed->timer, on_timer, BEAT_MS, 0);
}

/* A name may have several addresses, of which not all lead to a server, so each is tried in
 * turn. */
static bool take_number(const struct addrinfo *list, unsigned turn, char out[INET6_ADDRSTRLEN]) {
    unsigned count = 0;
    for (const struct addrinfo *each = list; each; each = each->ai_next)
        count++;
    for (unsigned i = count > 0 ? turn % count : 0; i > 0; i--)
        list = list->ai_next;
    return list && uv_ip_name(list->ai_addr, out, INET6_ADDRSTRLEN) == 0;
}

static void on_found(uv_getaddrinfo_t *search, int status, struct addrinfo *list) {
    struct redis_feed *feed = search->data; /* null: closed meanwhile */
    char number[INET6_ADDRSTRLEN];
    free(search);
    if (feed)
        feed->search = NULL;
    if (feed && status == 0 && take_number(list, feed->searches++, number))
        connect_to(feed, number);
    else if (feed)
        lose(feed);
    uv_freeaddrinfo(list);
}

static bool is_number(const char *host) {
    struct in6_addr bytes;
    return uv_inet_pton(AF_INET, host, &bytes) == 0 || uv_inet_pton(AF_INET6, host, &bytes) == 0;
}

static void try_to_connect(struct redis_feed *feed) {
    const struct redis_address *address = &feed->addresses[feed->address_at];
    static const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    if (address->port == 0 || is_number(address->host)) {
        connect_to(feed, address->host);
        return;
    }
    feed->search = reserve_malloc(sizeof *feed->search);
    feed->search->data = feed;
    if (uv_getaddrinfo(feed->loop, feed->search, on_found, address->host, NULL, &hints) == 0)
        return;
    free(feed->search);
    feed->search = NULL;
    lose(feed);
}

/* ---- For the store's front ---- */

struct redis_feed *redis_feed_open(const struct redis_address *addresses, int count,
                                   const char *tag, void *loop,
                                   const struct store_listener *listener) {
    struct redis_feed *feed = reserve_calloc(1, sizeof *feed);
    memcpy(feed->addresses, addresses, (size_t)count * sizeof *addresses);
    feed->address_count = count;
    feed->tag = tag;
    feed->loop = loop;
    feed->listener = *listener;
    feed->timer = reserve_malloc(sizeof *feed->timer);
    ensure(uv_timer_init(feed->loop, feed->timer) == 0);
    feed->timer->data = feed;
    try_to_connect(feed);
    return feed;
}

void redis_feed_close(struct redis_feed *feed) {
    struct watched *watched, *next;
    hang_up(feed);
    if (feed->search)
        feed->search->data = NULL;
    uv_close((uv_handle_t *)feed->timer, free_handle);
    HASH_ITER(hh, feed->watched, watched, next) {
        HASH_DEL(feed->watched, watched);
        free(watched);
    }
    free(feed);
}

void redis_feed_watch(struct redis_feed *feed, struct span code) {
    struct watched *watched;
    HASH_FIND(hh, feed->watched, code.data, (unsigned)code.length, watched);
    if (watched)
        return;
    ensure(code.length < sizeof watched->code);
    watched = reserve_calloc(1, sizeof *watched);
    memcpy(watched->code, code.data, code.length);
    HASH_ADD_STR(feed->watched, code, watched);
    if (feed->context) {
        ask_for(feed, "SUBSCRIBE", watched->code);
        want_to_write(feed);
    }
}

void redis_feed_unwatch(struct redis_feed *feed, struct span code) {
    struct watched *watched;
    HASH_FIND(hh, feed->watched, code.data, (unsigned)code.length, watched);
    if (!watched)
        return;
    HASH_DEL(feed->watched, watched);
    if (feed->context) {
        ask_for(feed, "UNSUBSCRIBE", watched->code);
        want_to_write(feed);
    }
    free(watched);
}
