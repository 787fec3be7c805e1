/* A connection to a Redis server on the loop's thread: finds the server by its name or through
 * Sentinel, connects, encrypts if it should, says who it is, sends what is appended to its context,
 * and hands on each reply. It neither waits nor tries again: how long something may take, and what
 * to do when it is lost, is the business of whoever uses it (redis.c and redis_feed.c). */
#pragma once

#include "store/redis.h"
#include <uv.h>

enum { REDIS_LINK_WHY_SIZE = REFUSAL_TEXT_SIZE + 16 };

struct redis_link_events {
    /* There is a context: what is appended to it is sent once there is a connection. */
    void (*begun)(void *arg);
    /* The reply is the listener's to free. False: the connection is of no use; `lost` follows. */
    bool (*replied)(void *arg, redisReply *reply);
    /* It broke, could not be made or was refused. There is no context any more. */
    void (*lost)(void *arg, const char *why);
    /* All that has come was handed on. */
    void (*turned)(void *arg);
};

struct redis_link {
    uv_loop_t *loop;
    const struct redis_link_events *events;
    void *arg;
    const struct redis_address *address;
    redisContext *context; /* null: none */
    uv_poll_t *poll;
    bool connected;           /* the socket has been writable, and TLS is there if it should */
    void *tls;                /* of redis_tls.c; null: it has not begun, or there is none */
    int introductions;        /* replies to AUTH and SELECT that are to come */
    uv_getaddrinfo_t *search; /* for the server's number, by its name; null: none */
    unsigned searches;
    struct sentinel_search *asking; /* Sentinel is asked for the server; null: it is not */
    struct redis_address found;     /* what it said */
    char why[REDIS_LINK_WHY_SIZE];  /* it was lost */
};

/* Is there a connection, or is one being made? */
bool redis_link_is_busy(const struct redis_link *link);
/* Begins to connect; there must be no connection. `begun` may come before it returns, `lost` does
 * not. False: it failed at once, see `why`. */
bool redis_link_connect(struct redis_link *link, const struct redis_address *address);
/* Sends what was appended, at once or as soon as the socket takes it. */
void redis_link_send(struct redis_link *link);
/* Ends what there is, without an event. Not from within `replied`. */
void redis_link_end(struct redis_link *link);

/* For uv_close. */
void redis_free_handle(uv_handle_t *handle);
