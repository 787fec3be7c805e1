/* Listens to what other programs do with the worlds that this one has in memory, on a connection of
 * its own and on the loop's thread. Whoever watches a world is told once the world is heard, and
 * again after the connection was lost: from then on nothing is missed, and what came before stands
 * in the log.
 *
 * A silent connection is pinged every second. One that breaks is made anew. */
#define _DEFAULT_SOURCE
#include "engine/ensure.h"
#include "store/hash.h"
#include "store/redis_link.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEAT_MS = 1000, SILENCE_BEATS = 3, AGAIN_MS = 50, LINES_MAX = STORE_ENTRIES_MAX };

struct watched {
    char code[STORE_CODE_MAX + 1];
    UT_hash_handle hh;
};

struct redis_feed {
    struct redis_address addresses[REDIS_LINKS_MAX]; /* of a cluster any will do */
    int address_count, address_at;
    const char *tag;
    struct store_listener listener;
    struct redis_link link;
    uv_timer_t *timer; /* the next beat, or the next try to connect */
    int silent;        /* beats since something was heard */
    struct watched *watched;
};

static void on_timer(uv_timer_t *timer);

/* The next try goes to the next server. */
static void lose(void *arg, const char *why) {
    struct redis_feed *feed = arg;
    feed->address_at = (feed->address_at + 1) % feed->address_count;
    uv_timer_start(feed->timer, on_timer, AGAIN_MS, 0);
}

static void try_to_connect(struct redis_feed *feed) {
    feed->silent = 0;
    if (redis_link_connect(&feed->link, &feed->addresses[feed->address_at]))
        uv_timer_start(feed->timer, on_timer, BEAT_MS, 0);
    else
        lose(feed, NULL);
}

static void on_timer(uv_timer_t *timer) {
    struct redis_feed *feed = timer->data;
    if (feed->silent++ >= SILENCE_BEATS) {
        redis_link_end(&feed->link);
        feed->address_at = (feed->address_at + 1) % feed->address_count;
    }
    if (feed->link.context) {
        redisAppendCommand(feed->link.context, "PING");
        redis_link_send(&feed->link);
    }
    if (redis_link_is_busy(&feed->link))
        uv_timer_start(timer, on_timer, BEAT_MS, 0);
    else
        try_to_connect(feed);
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
static bool take(void *arg, redisReply *reply) {
    struct redis_feed *feed = arg;
    bool good = reply->type != REDIS_REPLY_ERROR;
    feed->silent = 0;
    if (reply->type == REDIS_REPLY_ARRAY && reply->elements == 3 &&
        reply->element[1]->type == REDIS_REPLY_STRING) {
        const char *kind = reply->element[0]->str;
        if (strcmp(kind, "message") == 0)
            hear(feed, reply->element[1], reply->element[2]);
        else if (strcmp(kind, "subscribe") == 0)
            feed->listener.watching(feed->listener.arg, code_of(reply->element[1]));
    }
    freeReplyObject(reply);
    return good;
}

/* ---- Connecting ---- */

static void ask_for(struct redis_feed *feed, const char *command, const char *code) {
    char channel[REDIS_CHANNEL_SIZE];
    redis_channel(feed->addresses[0].database, span_of(code), channel);
    redisAppendCommand(feed->link.context, "%s %s", command, channel);
}

static void subscribe(void *arg) {
    struct redis_feed *feed = arg;
    struct watched *watched, *next;
    ask_for(feed, "SUBSCRIBE", "");
    HASH_ITER(hh, feed->watched, watched, next)
    ask_for(feed, "SUBSCRIBE", watched->code);
}

static void turn(void *arg) {
}

static const struct redis_link_events events = {
    .begun = subscribe, .replied = take, .lost = lose, .turned = turn};

/* ---- For the store's front ---- */

struct redis_feed *redis_feed_open(const struct redis_address *addresses, int count,
                                   const char *tag, void *loop,
                                   const struct store_listener *listener) {
    struct redis_feed *feed = reserve_calloc(1, sizeof *feed);
    memcpy(feed->addresses, addresses, (size_t)count * sizeof *addresses);
    feed->address_count = count;
    feed->tag = tag;
    feed->listener = *listener;
    feed->link = (struct redis_link){.loop = loop, .events = &events, .arg = feed};
    feed->timer = reserve_malloc(sizeof *feed->timer);
    ensure(uv_timer_init(loop, feed->timer) == 0);
    feed->timer->data = feed;
    try_to_connect(feed);
    return feed;
}

void redis_feed_close(struct redis_feed *feed) {
    struct watched *watched, *next;
    redis_link_end(&feed->link);
    uv_close((uv_handle_t *)feed->timer, redis_free_handle);
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
    if (feed->link.context) {
        ask_for(feed, "SUBSCRIBE", watched->code);
        redis_link_send(&feed->link);
    }
}

void redis_feed_unwatch(struct redis_feed *feed, struct span code) {
    struct watched *watched;
    HASH_FIND(hh, feed->watched, code.data, (unsigned)code.length, watched);
    if (!watched)
        return;
    HASH_DEL(feed->watched, watched);
    if (feed->link.context) {
        ask_for(feed, "UNSUBSCRIBE", watched->code);
        redis_link_send(&feed->link);
    }
    free(watched);
}
