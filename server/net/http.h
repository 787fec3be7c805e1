/* HTTP/1.1 on a peer. A request is read whole, within limits of size and time, then handed to the
 * handler, which answers it at once or later, exactly once. Requests of one peer are answered in
 * order; the next is read when the last was answered. */
#pragma once

#include "server/net/net.h"

enum {
    HTTP_ID_SIZE = 65, /* of a request's id, its end included */
    HTTP_SECRET_SIZE = 16
};

enum http_header {
    HTTP_AUTHORIZATION,
    HTTP_COOKIE,
    HTTP_ORIGIN,
    HTTP_USER_AGENT,
    HTTP_HOST,
    HTTP_CONTENT_TYPE,
    HTTP_IF_NONE_MATCH,
    HTTP_ACCEPT_ENCODING,
    HTTP_FORWARDED_FOR,
    HTTP_FORWARDED_PROTO,
    HTTP_REQUEST_ID,
    HTTP_TRANSFER_ENCODING,
    HTTP_ROOM_CODE,
    HTTP_INVITATION,
    HTTP_EXPECT,
    HTTP_UPGRADE,
    HTTP_SOCKET_KEY,
    HTTP_SOCKET_VERSION,
    HTTP_HEADERS
};

struct http_request {
    const char *method;
    struct span path, query, body;
    struct span header[HTTP_HEADERS]; /* no data: not sent */
    bool upgrade;                     /* to a WebSocket */
    char id[HTTP_ID_SIZE];            /* stands in its answer and in the log */
    const char *route; /* set by the handler: the name by which the request is counted */
    uint64_t begin_ns; /* when all of it had come */
};

struct http_limits {
    size_t header_max;
    int64_t request_ms;    /* from the first byte of a request to its last */
    int64_t idle_ms;       /* between requests */
    size_t unfinished_max; /* bytes of unfinished requests of all peers; the first 4 KB of each are
                              not charged */
};

struct http_server {
    struct http_limits limits;
    bool trusts_id; /* a proxy in front of it may have given the request an id */
    uint8_t
        id_secret[HTTP_SECRET_SIZE]; /* makes ids that do not tell how many requests others make */
    uint64_t id_last;
    size_t held;                                     /* bytes that are charged to unfinished_max */
    size_t (*body_max)(void *arg, struct span path); /* how large a body may be at that path */
    /* Called with a peer that is held; the request stays until it is answered. */
    void (*handle)(void *arg, struct peer *peer, struct http_request *request);
    /* Called for whatever was answered, by whomever. A request that was not read has no method. */
    void (*answered)(void *arg, const struct peer *peer, const struct http_request *request,
                     int status, size_t size);
    void *arg;
};

/* Speaks HTTP on a new peer. */
void http_speak(struct peer *peer, struct http_server *server);
const struct peer_speaker *http_speaker(void);

struct http_answer {
    int status;
    const char *type;    /* of the body */
    const char *headers; /* further ones, each with its line end; may be null */
    struct span body;
    bool cacheable; /* `headers` says for how long; otherwise nobody may keep it */
};

/* Answers and releases the peer. */
void http_answer(struct peer *peer, const struct http_answer *answer);
/* Answers with 429 and 503 say after how many seconds to try again, at least one. */
void http_answer_refusal(struct peer *peer, const struct refusal *why, int retry_s);

/* Instead of an answer: writes the 101 and gives the peer to another speaker. What came after the
 * request is handed on. */
void http_upgrade(struct peer *peer, const char *accept, const struct peer_speaker *speaker,
                  void *user);

/* The present request is the last one of this peer; of a peer that has just come, the first. */
void http_last(struct peer *peer);
