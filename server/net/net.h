/* TCP: who is connected, what they send, what they are sent. Bytes go out once per turn of the
 * loop, all that a peer is owed in one write; a peer that does not read is closed before it costs
 * others anything. Who is late is found without a look at the others (deadlines.h).
 *
 * http.c speaks on a peer first; socket.c takes over when it is upgraded. */
#pragma once

#include "engine/json.h"
#include "engine/refusal.h"
#include "server/net/deadlines.h"
#include <uv.h>

enum {
    PEER_ADDRESS_SIZE = 48,
    NET_READ_SIZE = 16384 /* of one peer at a time */
};

struct net;
struct peer;

/* Bytes to send, shared by all who are sent them. */
struct packet {
    uint32_t refs;
    uint32_t size;
    char data[];
};

struct packet *packet_new(size_t size); /* with one reference */
struct packet *packet_copy(const void *data, size_t size);
void packet_drop(struct packet *packet);

/* Whoever speaks on a peer at the moment. */
struct peer_speaker {
    void (*data)(struct peer *peer, char *data, size_t size);
    void (*go_on)(struct peer *peer);  /* called after a rest, before more is read; may be null */
    void (*late)(struct peer *peer);   /* called when its deadline has passed; see peer_late_in */
    void (*closed)(struct peer *peer); /* called when nothing can be sent any more */
    void (*freed)(struct peer *peer);  /* the last call: nobody holds the peer any more */
};

struct peer {
    uv_tcp_t tcp;
    struct net *net;
    const struct peer_speaker *speaker;
    void *user; /* the speaker's */
    struct peer *next, *before;
    struct peer *next_dirty, *next_resting;
    struct packet **queue;
    uint16_t queued, queue_room;
    size_t queued_bytes;
    bool dirty, closing, close_when_sent, lingers, shut, rests, lined_up;
    uint32_t turn, portion; /* the turn in which it was last served, and how often */
    size_t ignored;         /* bytes that came after the last one that was looked at */
    uv_shutdown_t shutdown;
    uint32_t holds; /* how many will still answer it, and need its memory */
    struct deadline deadline;
    struct address_count *place;
    char address[PEER_ADDRESS_SIZE];
};

struct net_limits {
    int peers, peers_per_address; /* 0: no limit per address */
    bool behind_proxy;            /* the address of a peer is set by peer_comes_from */
    bool io_uring;                /* send to many with one call, if the kernel can */
    size_t send_queue;            /* bytes that may wait for a peer before it is closed */
};

struct net_figures {
    int peers;
    uint64_t accepted, refused, slow, bytes_in, bytes_out, batches;
};

/* `opened` makes a speaker for a new peer. */
struct net *net_open(uv_loop_t *loop, const struct net_limits *limits,
                     void (*opened)(struct peer *peer, void *arg), void *arg);
/* Listens on a numeric address, on `*` for all addresses of the machine, or on `localhost`. */
bool net_listen(struct net *net, const char *host, int port, struct refusal *why);
/* The same on a socket that listens already. */
bool net_listen_on(struct net *net, int socket, struct refusal *why);
/* The port that was given by the system for port 0. */
int net_port(const struct net *net);
void net_stop_listening(struct net *net);
/* Closes everybody; once the loop has run dry, the memory is given back. */
void net_close(struct net *net);
void net_free(struct net *net);
struct net_figures net_figures(const struct net *net);
void net_each(struct net *net, void (*visit)(struct peer *peer, void *arg), void *arg);

/* Called once per turn: sends everything that waits, and lets some peers go on that had too much
 * for one turn. */
void net_turn(struct net *net);

/* To be asked before each piece of work that is done for a peer at once. False if the peer has had
 * its portion of this turn; it goes on after the others. */
bool peer_may_go_on(struct peer *peer);

/* Takes over the reference. */
void peer_send(struct peer *peer, struct packet *packet);
void peer_close(struct peer *peer);
void peer_close_when_sent(struct peer *peer);
/* The same for a peer that may still be sending. Cutting the connection would lose what it was
 * sent, so it is only closed when it ends or its deadline passes. */
void peer_end_when_sent(struct peer *peer);

/* Sets the address that a proxy gives: from then on the peer counts as one of that address. False
 * if there are too many. */
bool peer_comes_from(struct peer *peer, struct span address);

/* When the peer is late; the speaker's `late` is called then, once. A peer that waits for its turn
 * is not late before it had it. */
void peer_late_in(struct peer *peer, int64_t ms);
void peer_never_late(struct peer *peer);

/* While a peer is held, the struct stays although the connection may end; `closing` tells. */
void peer_hold(struct peer *peer);
void peer_release(struct peer *peer);
