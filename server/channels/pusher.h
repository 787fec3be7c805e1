/* The Pusher Channels protocol, version 7: sockets that stock clients open, the channels they may
 * hear, and the signatures by which they are let in. */
#pragma once

#include "server/channels/hub.h"
#include "server/net/secrets.h"
#include "server/net/socket.h"

enum { PUSHER_KEY_SIZE = 256 };

struct pusher;

struct remote_presence;
struct pusher_wish; /* a subscription that waits */
enum pusher_verdict { PUSHER_NO, PUSHER_YES, PUSHER_LATER };

/* Whose socket it is: a person, and with which of their devices they came. */
struct pusher_owner {
    char player[SECRETS_PLAYER_ID_SIZE]; /* empty: not known yet */
    char device[SECRETS_DEVICE_ID_SIZE];
};

struct pusher_config {
    uv_loop_t *loop;
    struct hub *hub;
    const char *key, *secret;
    size_t message_max;
    int64_t depth_max;                           /* of a message's JSON */
    int64_t messages_per_second, messages_burst; /* of one socket */
    int64_t activity_ms; /* silence after which a client pings; clients are told it in seconds */
    int64_t patience_ms; /* silence beyond that, after which the socket is closed */
    /* A permission was signed some time ago. Does it still hold? */
    enum pusher_verdict (*may_hear)(void *arg, const char *channel, const char *player);
    /* Called after PUSHER_LATER: finds out, and then calls pusher_fetched. Null if nobody else
     * decides. */
    void (*fetch)(void *arg, const char *channel, struct pusher_wish *wish);
    /* Another server signed for somebody with a device that may have been logged out since then:
     * finds out, and then calls pusher_verified. Null together with `fetch`. */
    void (*verify)(void *arg, const struct pusher_owner *owner, struct pusher_wish *wish);
    /* Who is there through other servers; null: nobody. */
    const struct remote_presence *(*others)(void *arg, const char *channel);
    /* Somebody's first socket came to a room's channel, or the last one left. */
    void (*presence)(void *arg, const char *channel, const char *player, bool there);
    /* What a socket that comes to its channels is sent at once counts like as many requests of its
     * address. Is there room for that? */
    bool (*may_see)(void *arg, uint64_t address, int64_t views);
    /* A socket now hears its room, or its room and its person's channel, and may want to know how
     * things stand. */
    void (*arrived)(void *arg, struct peer *peer, const char *channel, const char *player);
    void *arg;
};

struct pusher_figures {
    int sockets;
    uint64_t opened, messages;
};

struct pusher *pusher_open(const struct pusher_config *config);
void pusher_free(struct pusher *pusher);
struct pusher_figures pusher_figures(const struct pusher *pusher);

/* `GET /app/KEY`; `owner` is who the cookie says, `address` stands for where they are. Answers or
 * upgrades. */
void pusher_accept(struct pusher *pusher, struct peer *peer, const struct http_request *request,
                   const struct pusher_owner *owner, uint64_t address);

/* Is this socket open, and does it belong to this person? A socket of nobody becomes theirs. Only
 * the other server knows about a socket that is open there. */
bool pusher_claim(struct pusher *pusher, struct span socket_id, const struct pusher_owner *owner,
                  struct refusal *why);

/* The answer for somebody who may hear the channel; `info` is JSON, or empty for a private one. For
 * a socket of another server the permission also says which device it is. */
void pusher_sign(const struct pusher *pusher, struct span socket_id, struct span channel,
                 const struct pusher_owner *owner, struct span info, struct json *json);

/* The verdict about the subscription may be another one now. */
void pusher_fetched(struct pusher_wish *wish);
void pusher_verified(struct pusher_wish *wish, bool good);

/* Somebody came to a presence channel at another server, or left it. */
void pusher_tell(struct pusher *pusher, const char *channel, const char *player, const char *info,
                 bool there);

/* A person may no longer hear a channel. */
void pusher_expel(struct pusher *pusher, const char *channel, const char *player);

/* An event for every socket, without a channel. */
void pusher_tell_all(struct pusher *pusher, const char *event, struct span data);
/* How many sockets a person has here. */
int pusher_count(const struct pusher *pusher, const char *player);

/* Closes sockets of a person: of all devices, of one, or of all but one. Who can may come back. */
enum send_away { SEND_AWAY_ALL, SEND_AWAY_ONE, SEND_AWAY_OTHERS };
/* Is this device one of them? */
bool pusher_goes(const char *device, enum send_away which, const char *named);
void pusher_send_away(struct pusher *pusher, const char *player, enum send_away which,
                      const char *device);

/* Asks everybody to come back elsewhere, a few at a time. */
void pusher_drain(struct pusher *pusher);
void pusher_stop(struct pusher *pusher);
