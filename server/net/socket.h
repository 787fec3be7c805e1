/* WebSocket messages on an upgraded peer: text only, bounded, unfragmented by us. What comes in is
 * unmasked and checked by wslay; what goes out is framed once and shared. */
#pragma once

#include "server/net/http.h"

struct socket_events {
    void (*opened)(struct peer *peer); /* the first of all */
    void (*frame)(struct peer *peer);  /* one begins: a message, a piece of one, a ping */
    void (*text)(struct peer *peer, struct span message);
    void (*closed)(struct peer *peer);
    void (*late)(struct peer *peer);
};

/* Answers the upgrade; false with a refusal if this is no proper WebSocket handshake. From then on
 * socket_user gives `user`. */
struct socket_limits {
    size_t message_max;
    int64_t silence_ms; /* then `late` is called */
};

bool socket_accept(struct peer *peer, const struct http_request *request,
                   const struct socket_limits *limits, const struct socket_events *events,
                   void *user, struct refusal *why);
void *socket_user(const struct peer *peer);

/* A text frame. */
struct packet *socket_frame(struct span message);
struct packet *socket_frame_of(const struct span *parts, size_t count);

/* Closes the socket with a code. */
void socket_close(struct peer *peer, int code);
