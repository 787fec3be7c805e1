/* Takes sealed messages to push services, on a thread of its own, so that a service that is slow or
 * hostile holds up nobody. Where a message goes was chosen by whoever subscribed, so the address is
 * not trusted: only https, only the usual port, only addresses of the public internet, no
 * redirects, and all of it bounded. What a service answers is dropped but for its status. Those of
 * the browsers' makers are not held up by any other: these have few places of their own. */
#pragma once

#include "server/net/secrets.h"
#include "server/webpush/seal.h"
#include <sys/socket.h>
#include <uv.h>

enum {
    WEBPUSH_ENDPOINT_MAX = 1024, /* bytes of a service's address */
    WEBPUSH_WAITING_MAX = 1024,  /* messages for services that are known ... */
    WEBPUSH_AT_ONCE = 32,
    WEBPUSH_OTHERS_WAITING_MAX = 256, /* ... and for any other */
    WEBPUSH_OTHERS_AT_ONCE = 8,
    WEBPUSH_PATIENCE_MS = 10000,
    WEBPUSH_ANSWER_MAX = 16384, /* bytes that are read and dropped */
    WEBPUSH_TOPIC_SIZE = 33
};

struct webpush_post_config {
    uv_loop_t *loop;
    bool anywhere;            /* for tests: any port, and addresses of the own network */
    const char *known;        /* for tests: a service that is known as well; else null */
    const char *certificates; /* a file of authorities; empty: the system's */
    const char *contact;      /* see webpush_vapid */
    long patience_ms;         /* for one message, from the first byte to the last */
};

/* An address that may be subscribed with: https://host/..., and no port unless `anywhere`. The
 * origin is the part before the path. */
bool webpush_is_endpoint(struct span endpoint, bool anywhere, struct span *origin);
/* Is this the origin of a service that browsers subscribe with by themselves? */
bool webpush_is_known(struct span origin);
/* Is it an address of the public internet? */
bool webpush_may_reach(const struct sockaddr *address);

struct webpush_letter {
    char endpoint[WEBPUSH_ENDPOINT_MAX + 1];
    struct webpush_reader to;
    char topic[WEBPUSH_TOPIC_SIZE]; /* a later message of the same topic replaces this one */
    int64_t keep_s;                 /* how long a service keeps it for a device that is off */
    char text[WEBPUSH_TEXT_MAX + 1];
    char player[SECRETS_PLAYER_ID_SIZE]; /* whose it is */
};

struct webpush_post;
/* `done` is called on the loop: 0 if the service could not be reached, else its status. */
typedef void webpush_posted(void *arg, const struct webpush_letter *letter, int status);

/* Null if a thread or memory is missing. */
struct webpush_post *webpush_post_open(const struct webpush_post_config *config,
                                       webpush_posted *done, void *arg);
/* Copies the letter. False if too many wait. */
bool webpush_post_send(struct webpush_post *post, const struct webpush_key *key,
                       const struct webpush_letter *letter);
/* Drops what waits, and leaves the loop. */
void webpush_post_stop(struct webpush_post *post);
/* After the loop has ended. Waits for the thread, but not long: it may hang in a name server. */
void webpush_post_free(struct webpush_post *post);
