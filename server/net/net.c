/* Peers on libuv's streams; see net.h. */
#include "server/net/net.h"

#include "engine/ensure.h"
#include "server/net/batch.h"
#include "server/ops/rates.h"
#include "store/hash.h"
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>

enum {
    IGNORED_MAX = 1 << 20,
    WRITE_PARTS = 64,
    SEND_BUFFER = 131072,
    BACKLOG = 1024,
    LATE_MAX = 64,
    LATE_STEP_MS = 5,
    QUEUE_MAX = 1024, /* packets that wait for a peer until the end of the turn ... */
    QUEUE_KEPT = 16,  /* ... and for how many it keeps room */
    PORTION = 4,      /* requests of one peer that are served in a turn */
    WAKES = 4         /* peers with more than that which go on in the same turn */
};

/* Connections from a block of addresses. `wider` is the block around it, or null. */
struct address_count {
    char block[RATES_BLOCK_SIZE + sizeof "128 "];
    int peers, times;
    struct address_count *wider;
    UT_hash_handle hh;
};

struct net {
    uv_loop_t *loop;
    uv_tcp_t listener;
    uv_timer_t timer;
    struct deadlines deadlines;
    /* Idle handle, active while peers wait for their next portion, so the loop does not block. */
    uv_idle_t restless;
    bool listening;
    uint32_t turn;
    struct net_limits limits;
    struct net_figures figures;
    void (*opened)(struct peer *peer, void *arg);
    void *arg;
    struct peer *first, *dirty;
    struct peer *resting, **last_resting;
    struct batch *batch; /* or null */
    struct address_count *addresses;
    char read_buffer[NET_READ_SIZE];
    struct iovec parts[BATCH_MAX][WRITE_PARTS]; /* of what is sent together */
};

/* ---- Packets ---- */

/* Thousands of views wait for the store and are then sent at once, which is slow with malloc. So
 * packets of the usual sizes are kept for later use, except under sanitizers, which should see each
 * of them freed. Like malloc's own memory they belong to the program: who makes a packet need not
 * know who will send it. The loop's thread is the only one here. */
enum { SPARE_STEP = 512, SPARE_SIZES = 16, SPARE_BYTES_MAX = 1 << 22 };

static struct {
    struct spare {
        struct spare *next;
    } * first[SPARE_SIZES];
    size_t bytes;
} spares;

#ifndef __has_feature /* gcc has another way to tell */
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
static const bool keeps_spares = false;
#else
static const bool keeps_spares = true;
#endif

/* With the header; SPARE_SIZES: too large to be kept. The steps are small, so that a view that is a
 * little longer than others does not take twice the memory: what is sent is read once more, by the
 * kernel, and memory that the caches do not hold costs most of that. */
static size_t size_class(size_t size) {
    size_t class = (size - 1) / SPARE_STEP;
    return keeps_spares && class < SPARE_SIZES ? class : SPARE_SIZES;
}

static size_t spare_size(size_t class) {
    return (class + 1) * SPARE_STEP;
}

static void *take_memory(size_t size) {
    size_t class = size_class(size);
    struct spare *spare = class < SPARE_SIZES ? spares.first[class] : NULL;
    if (!spare)
        return reserve_malloc(class < SPARE_SIZES ? spare_size(class) : size);
    spares.first[class] = spare->next;
    spares.bytes -= spare_size(class);
    return spare;
}

static void give_memory(void *memory, size_t size) {
    size_t class = size_class(size);
    if (class == SPARE_SIZES || spares.bytes + spare_size(class) > SPARE_BYTES_MAX) {
        free(memory);
        return;
    }
    struct spare *spare = memory;
    spare->next = spares.first[class];
    spares.first[class] = spare;
    spares.bytes += spare_size(class);
}

static void free_spares(void) {
    for (int i = 0; i < SPARE_SIZES; i++)
        for (struct spare *spare; (spare = spares.first[i]) != NULL; free(spare))
            spares.first[i] = spare->next;
    spares.bytes = 0;
}

struct packet *packet_new(size_t size) {
    struct packet *packet = take_memory(sizeof *packet + size);
    packet->refs = 1;
    packet->size = (uint32_t)size;
    return packet;
}

struct packet *packet_copy(const void *data, size_t size) {
    struct packet *packet = packet_new(size);
    memcpy(packet->data, data, size);
    return packet;
}

void packet_drop(struct packet *packet) {
    if (--packet->refs == 0)
        give_memory(packet, sizeof *packet + packet->size);
}

/* ---- Counting ---- */

static struct address_count *find_or_make_block(struct net *net, const char *block, int times) {
    struct address_count *place;
    HASH_FIND_STR(net->addresses, block, place);
    if (place)
        return place;
    place = reserve_calloc(1, sizeof *place);
    memcpy(place->block, block, strlen(block));
    place->times = times;
    HASH_ADD_STR(net->addresses, block, place);
    return place;
}

/* Counts a connection in all blocks that the address is in; gives the narrowest. */
static struct address_count *count_address(struct net *net, struct span address) {
    struct address_count *first = NULL, **end = &first;
    for (int i = 0; i < RATES_BLOCKS; i++) {
        char block[RATES_BLOCK_SIZE], name[sizeof first->block];
        rates_block(address, rates_blocks[i].bits, block);
        if (i > 0 && !strchr(block, ':'))
            break; /* IPv4 has no blocks */
        snprintf(name, sizeof name, "%d %s", rates_blocks[i].bits, block);
        *end = find_or_make_block(net, name, rates_blocks[i].times);
        (*end)->peers++;
        end = &(*end)->wider;
    }
    return first;
}

/* A block has all connections of those in it, so it is the last of them to go. */
static void uncount_address(struct net *net, struct address_count *place) {
    while (place) {
        struct address_count *wider = place->wider;
        if (--place->peers == 0) {
            HASH_DEL(net->addresses, place);
            free(place);
        }
        place = wider;
    }
}

static bool has_room_at(const struct net *net, const struct address_count *place) {
    int each = net->limits.peers_per_address;
    for (; place && each > 0; place = place->wider)
        if (place->peers > each * place->times)
            return false;
    return true;
}

bool peer_comes_from(struct peer *peer, struct span address) {
    struct net *net = peer->net;
    struct address_count *before = peer->place;
    peer->place = count_address(net, address);
    uncount_address(net, before);
    return has_room_at(net, peer->place);
}

/* ---- Ending ---- */

static void free_peer(struct peer *peer) {
    if (peer->speaker)
        peer->speaker->freed(peer);
    for (int i = 0; i < peer->queued; i++)
        packet_drop(peer->queue[i]);
    free(peer->queue);
    free(peer);
}

static void leave_dirty(struct peer *peer) {
    struct peer **at = &peer->net->dirty;
    while (*at != peer)
        at = &(*at)->next_dirty;
    *at = peer->next_dirty;
    peer->dirty = false;
}

static void on_closed(uv_handle_t *handle) {
    struct peer *peer = handle->data;
    struct net *net = peer->net;
    if (peer->before)
        peer->before->next = peer->next;
    else
        net->first = peer->next;
    if (peer->next)
        peer->next->before = peer->before;
    net->figures.peers--;
    deadline_end(&peer->deadline);
    uncount_address(net, peer->place);
    if (peer->dirty)
        leave_dirty(peer);
    if (peer->speaker)
        peer->speaker->closed(peer);
    peer_release(peer);
}

void peer_close(struct peer *peer) {
    if (peer->closing)
        return;
    peer->closing = true;
    uv_close((uv_handle_t *)&peer->tcp, on_closed);
}

void peer_hold(struct peer *peer) {
    peer->holds++;
}

void peer_release(struct peer *peer) {
    ensure(peer->holds > 0);
    if (--peer->holds == 0)
        free_peer(peer);
}

/* ---- Sending ---- */

struct write {
    uv_write_t request;
    struct peer *peer;
    size_t count;
    struct packet *packets[];
};

static void on_shut(uv_shutdown_t *request, int status) {
}

/* Everything is sent, so the sending side is closed. */
static void end_sending(struct peer *peer) {
    if (!peer->lingers)
        peer_close(peer);
    else if (!peer->shut && !peer->closing)
        peer->shut = uv_shutdown(&peer->shutdown, (uv_stream_t *)&peer->tcp, on_shut) == 0;
}

static bool is_behind(const struct peer *peer) {
    return uv_stream_get_write_queue_size((const uv_stream_t *)&peer->tcp) > 0;
}

static void line_up(struct peer *peer);

static void on_written(uv_write_t *request, int status) {
    struct write *write = (struct write *)request;
    for (size_t i = 0; i < write->count; i++)
        packet_drop(write->packets[i]);
    struct peer *peer = write->peer;
    if (status < 0)
        peer_close(peer);
    else if (peer->close_when_sent && peer->queued == 0 && !is_behind(peer))
        end_sending(peer);
    line_up(peer);
    free(write);
}

static void flush_peer(struct peer *peer);

void peer_send(struct peer *peer, struct packet *packet) {
    if (peer->closing) {
        packet_drop(packet);
        return;
    }
    if (peer->queued == peer->queue_room) {
        peer->queue_room = (uint16_t)(peer->queue_room ? 2 * peer->queue_room : 4);
        peer->queue = reserve_realloc(peer->queue, peer->queue_room * sizeof *peer->queue);
    }
    peer->queue[peer->queued++] = packet;
    peer->queued_bytes += packet->size;
    if (!peer->dirty) {
        peer->dirty = true;
        peer->next_dirty = peer->net->dirty;
        peer->net->dirty = peer;
    }
    /* All of it was sent in a single turn, so who reads could not take any of it before. */
    if (peer->queued == QUEUE_MAX || peer->queued_bytes > peer->net->limits.send_queue)
        flush_peer(peer);
}

void peer_close_when_sent(struct peer *peer) {
    peer->close_when_sent = true;
    if (peer->queued == 0 && !is_behind(peer))
        peer_close(peer);
}

void peer_end_when_sent(struct peer *peer) {
    peer->lingers = true;
    peer->close_when_sent = true; /* what is sent now waits for the end of this turn */
}

/* The rest of what the kernel did not take at once: `skip` bytes of the first packet are gone. */
static void write_rest(struct peer *peer, int first, size_t skip) {
    size_t count = (size_t)(peer->queued - first);
    struct write *write = reserve_malloc(sizeof *write + count * sizeof write->packets[0]);
    uv_buf_t *parts = reserve_malloc(count * sizeof *parts);
    write->peer = peer;
    write->count = count;
    for (size_t i = 0; i < count; i++) {
        struct packet *packet = write->packets[i] = peer->queue[(size_t)first + i];
        size_t gone = i == 0 ? skip : 0;
        parts[i] = uv_buf_init(packet->data + gone, (unsigned)(packet->size - gone));
    }
    int code =
        uv_write(&write->request, (uv_stream_t *)&peer->tcp, parts, (unsigned)count, on_written);
    ensure(code == 0);
    free(parts);
}

/* Drops what was sent; returns how many packets the kernel took whole, and how much of the next. */
static int drop_sent(struct peer *peer, size_t sent, size_t *rest) {
    int first = 0;
    while (first < peer->queued && sent >= peer->queue[first]->size) {
        sent -= peer->queue[first]->size;
        packet_drop(peer->queue[first++]);
    }
    *rest = sent;
    return first;
}

static unsigned gather(const struct peer *peer, struct iovec parts[WRITE_PARTS]) {
    unsigned count = peer->queued < WRITE_PARTS ? peer->queued : WRITE_PARTS;
    for (unsigned i = 0; i < count; i++)
        parts[i] = (struct iovec){peer->queue[i]->data, peer->queue[i]->size};
    return count;
}

/* Notes how many bytes the kernel took of what was gathered, or why it took none. */
static void settle(struct peer *peer, int sent) {
    size_t rest = 0;
    if (sent < 0 && sent != UV_EAGAIN) {
        peer_close(peer);
        return;
    }
    size_t bytes = sent < 0 ? 0 : (size_t)sent;
    peer->net->figures.bytes_out += bytes;
    int first = drop_sent(peer, bytes, &rest);
    if (first < peer->queued)
        write_rest(peer, first, rest);
    peer->queued = 0;
    peer->queued_bytes = 0;
    size_t behind = uv_stream_get_write_queue_size((uv_stream_t *)&peer->tcp);
    if (behind > peer->net->limits.send_queue) {
        peer->net->figures.slow++;
        peer_close(peer);
    } else if (peer->close_when_sent && behind == 0) {
        end_sending(peer);
    }
    if (peer->queue_room > QUEUE_KEPT) {
        free(peer->queue);
        peer->queue = NULL;
        peer->queue_room = 0;
    }
}

static void flush_peer(struct peer *peer) {
    struct iovec parts[WRITE_PARTS];
    unsigned count = gather(peer, parts);
    /* libuv's buffers are the system's. */
    settle(peer, count > 0 ? uv_try_write((uv_stream_t *)&peer->tcp, (uv_buf_t *)parts, count) : 0);
}

/* The next peer that is owed something and has nothing under way any more, or null. */
static struct peer *next_free(struct net *net) {
    while (net->dirty) {
        struct peer *peer = net->dirty;
        net->dirty = peer->next_dirty;
        peer->dirty = false;
        if (peer->closing)
            continue;
        if (peer->queued > 0 && !is_behind(peer))
            return peer;
        flush_peer(peer);
    }
    return NULL;
}

static void flush_batch(struct net *net) {
    struct peer *peers[BATCH_MAX];
    struct batch_send sends[BATCH_MAX];
    unsigned count = 0;
    for (; count < BATCH_MAX && (peers[count] = next_free(net)) != NULL; count++) {
        sends[count] = (struct batch_send){.parts = net->parts[count],
                                           .count = gather(peers[count], net->parts[count])};
        uv_fileno((uv_handle_t *)&peers[count]->tcp, &sends[count].file);
    }
    net->figures.batches++;
    if (!batch_run(net->batch, sends, count)) {
        batch_close(net->batch);
        net->batch = NULL;
    }
    for (unsigned i = 0; i < count; i++)
        settle(peers[i], sends[i].sent);
}

static void flush(struct net *net) {
    while (net->dirty && net->dirty->next_dirty && net->batch)
        flush_batch(net);
    for (struct peer *peer; (peer = next_free(net)) != NULL;)
        flush_peer(peer);
}

/* ---- Receiving ---- */

static void on_room(uv_handle_t *handle, size_t suggested, uv_buf_t *out) {
    struct net *net = ((struct peer *)handle->data)->net;
    *out = uv_buf_init(net->read_buffer, sizeof net->read_buffer);
}

/* A peer that is only waited for may go on sending a while, so that it can read what it was told,
 * but not without end: reading from it costs others time. */
static void ignore(struct peer *peer, size_t size) {
    peer->ignored += size;
    if (peer->ignored > IGNORED_MAX)
        uv_read_stop((uv_stream_t *)&peer->tcp);
}

static void on_restless(uv_idle_t *idle) {
}

/* A resting peer goes on when it has taken what it was sent and its turn comes. */
static void line_up(struct peer *peer) {
    struct net *net = peer->net;
    if (!peer->rests || peer->lined_up || peer->closing || is_behind(peer))
        return;
    peer->lined_up = true;
    peer_hold(peer);
    peer->next_resting = NULL;
    *net->last_resting = peer;
    net->last_resting = &peer->next_resting;
    uv_idle_start(&net->restless, on_restless);
}

static void rest(struct peer *peer) {
    if (peer->rests)
        return;
    uv_read_stop((uv_stream_t *)&peer->tcp);
    peer->rests = true;
    line_up(peer);
}

bool peer_may_go_on(struct peer *peer) {
    if (peer->turn != peer->net->turn) {
        peer->turn = peer->net->turn;
        peer->portion = 0;
    }
    if (!peer->rests && peer->portion++ < PORTION)
        return true;
    rest(peer);
    return false;
}

static void on_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *buffer) {
    struct peer *peer = stream->data;
    if (size == UV_EOF) { /* the peer sends nothing more, but may read what it is owed */
        peer->lingers = false;
        peer_close_when_sent(peer);
    } else if (size < 0) {
        peer_close(peer);
    } else if (size > 0 && peer->close_when_sent) {
        ignore(peer, (size_t)size);
    } else if (size > 0 && !peer->closing) {
        peer->net->figures.bytes_in += (uint64_t)size;
        peer->speaker->data(peer, buffer->base, (size_t)size);
    }
    if (size == NET_READ_SIZE && !peer->closing && peer->ignored <= IGNORED_MAX)
        rest(peer);
}

static void wake(struct peer *peer) {
    if (peer->closing || is_behind(peer))
        return;
    peer->rests = false;
    if (peer->speaker->go_on)
        peer->speaker->go_on(peer);
    if (!peer->rests && !peer->closing)
        uv_read_start((uv_stream_t *)&peer->tcp, on_room, on_read);
}

static struct peer *next_resting(struct net *net) {
    struct peer *peer = net->resting;
    net->resting = peer->next_resting;
    if (!net->resting) {
        net->last_resting = &net->resting;
        uv_idle_stop(&net->restless);
    }
    peer->lined_up = false;
    return peer;
}

void net_turn(struct net *net) {
    flush(net);
    net->turn++;
    for (int i = 0; i < WAKES && net->resting; i++) {
        struct peer *peer = next_resting(net);
        wake(peer);
        peer_release(peer);
    }
}

static void read_address(struct peer *peer) {
    struct sockaddr_storage name;
    int size = sizeof name;
    if (uv_tcp_getpeername(&peer->tcp, (struct sockaddr *)&name, &size) != 0)
        return;
    if (name.ss_family == AF_INET6)
        uv_ip6_name((const struct sockaddr_in6 *)&name, peer->address, sizeof peer->address);
    else
        uv_ip4_name((const struct sockaddr_in *)&name, peer->address, sizeof peer->address);
}

static void on_connection(uv_stream_t *listener, int status) {
    struct net *net = listener->data;
    if (status < 0)
        return;
    struct peer *peer = reserve_calloc(1, sizeof *peer);
    peer->net = net;
    peer->holds = 1;
    uv_tcp_init(net->loop, &peer->tcp);
    peer->tcp.data = peer;
    peer->next = net->first;
    if (net->first)
        net->first->before = peer;
    net->first = peer;
    net->figures.peers++;
    if (uv_accept(listener, (uv_stream_t *)&peer->tcp) != 0) {
        peer_close(peer);
        return;
    }
    read_address(peer);
    peer->place = count_address(net, span_of(peer->address));
    if (net->figures.peers > net->limits.peers || !reserve_is_whole() ||
        (!net->limits.behind_proxy && !has_room_at(net, peer->place))) {
        net->figures.refused++;
        peer_close(peer);
        return;
    }
    net->figures.accepted++;
    int send_buffer = SEND_BUFFER;
    uv_send_buffer_size((uv_handle_t *)&peer->tcp, &send_buffer);
    uv_tcp_nodelay(&peer->tcp, 1);
    net->opened(peer, net->arg);
    uv_read_start((uv_stream_t *)&peer->tcp, on_room, on_read);
}

/* ---- Deadlines ---- */

void peer_late_in(struct peer *peer, int64_t ms) {
    struct net *net = peer->net;
    if (!peer->closing)
        deadline_set(&net->deadlines, &peer->deadline, (int64_t)uv_now(net->loop) + ms);
}

void peer_never_late(struct peer *peer) {
    deadline_set(&peer->net->deadlines, &peer->deadline, 0);
}

static struct peer *peer_of(struct deadline *deadline) {
    return (struct peer *)((char *)deadline - offsetof(struct peer, deadline));
}

/* Peers that are lined up wait for the server, so they are not late. */
static void see_to_late(struct peer *peer) {
    if (peer->lined_up)
        peer_late_in(peer, DEADLINES_STEP_MS);
    else if (!peer->closing)
        peer->speaker->late(peer);
}

/* Thousands may be late at once; the others must not wait until all of them are closed. */
static void on_tick(uv_timer_t *timer) {
    struct net *net = timer->data;
    int64_t now = (int64_t)uv_now(net->loop);
    struct deadline *deadline = NULL;
    for (int late = 0; late < LATE_MAX; late++) {
        if (!(deadline = deadlines_late(&net->deadlines, now)))
            break;
        see_to_late(peer_of(deadline));
    }
    uv_timer_start(timer, on_tick, deadline ? LATE_STEP_MS : DEADLINES_STEP_MS, 0);
}

/* ---- The listener ---- */

struct net *net_open(uv_loop_t *loop, const struct net_limits *limits,
                     void (*opened)(struct peer *peer, void *arg), void *arg) {
    struct net *net = reserve_calloc(1, sizeof *net);
    net->loop = loop;
    net->limits = *limits;
    net->opened = opened;
    net->arg = arg;
    net->batch = limits->io_uring ? batch_open() : NULL;
    net->last_resting = &net->resting;
    uv_idle_init(loop, &net->restless);
    uv_timer_init(loop, &net->timer);
    net->timer.data = net;
    deadlines_begin(&net->deadlines, (int64_t)uv_now(loop));
    uv_timer_start(&net->timer, on_tick, DEADLINES_STEP_MS, 0);
    return net;
}

/* The address of IPv6 listens for IPv4 as well, where the machine has IPv6. */
static const char *every_address(void) {
    uv_interface_address_t *places = NULL;
    int count = 0;
    bool six = false;
    if (uv_interface_addresses(&places, &count) == 0) {
        for (int i = 0; i < count; i++)
            six = six || places[i].address.address4.sin_family == AF_INET6;
        uv_free_interface_addresses(places, count);
    }
    return six ? "::" : "0.0.0.0";
}

static int read_place(const char *host, int port, struct sockaddr_storage *out) {
    if (strcmp(host, "*") == 0)
        host = every_address();
    else if (strcmp(host, "localhost") == 0)
        host = "127.0.0.1";
    return strchr(host, ':') ? uv_ip6_addr(host, port, (struct sockaddr_in6 *)out)
                             : uv_ip4_addr(host, port, (struct sockaddr_in *)out);
}

bool net_listen(struct net *net, const char *host, int port, struct refusal *why) {
    struct sockaddr_storage place = {0};
    int code = read_place(host, port, &place);
    uv_tcp_init(net->loop, &net->listener);
    net->listener.data = net;
    net->listening = true;
    if (code == 0)
        code = uv_tcp_bind(&net->listener, (const struct sockaddr *)&place, 0);
    if (code == 0)
        code = uv_listen((uv_stream_t *)&net->listener, BACKLOG, on_connection);
    return code == 0 || refuse(why, "BAD_ADDRESS", "Cannot listen on %s port %d: %s", host, port,
                               uv_strerror(code));
}

bool net_listen_on(struct net *net, int socket, struct refusal *why) {
    uv_tcp_init(net->loop, &net->listener);
    net->listener.data = net;
    net->listening = true;
    int code = uv_tcp_open(&net->listener, socket);
    if (code == 0)
        code = uv_listen((uv_stream_t *)&net->listener, BACKLOG, on_connection);
    return code == 0 ||
           refuse(why, "BAD_ADDRESS", "Cannot listen on the socket that was handed over: %s",
                  uv_strerror(code));
}

int net_port(const struct net *net) {
    struct sockaddr_storage name;
    int size = sizeof name;
    if (uv_tcp_getsockname(&net->listener, (struct sockaddr *)&name, &size) != 0)
        return 0;
    return ntohs(name.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&name)->sin6_port
                                            : ((struct sockaddr_in *)&name)->sin_port);
}

void net_stop_listening(struct net *net) {
    if (net->listening)
        uv_close((uv_handle_t *)&net->listener, NULL);
    net->listening = false;
}

void net_close(struct net *net) {
    net_stop_listening(net);
    for (struct peer *peer = net->first; peer; peer = peer->next)
        peer_close(peer);
    while (net->resting)
        peer_release(next_resting(net));
    uv_close((uv_handle_t *)&net->timer, NULL);
    uv_close((uv_handle_t *)&net->restless, NULL);
}

void net_free(struct net *net) {
    ensure(!net->first);
    batch_close(net->batch);
    free_spares();
    free(net);
}

struct net_figures net_figures(const struct net *net) {
    return net->figures;
}

void net_each(struct net *net, void (*visit)(struct peer *peer, void *arg), void *arg) {
    for (struct peer *peer = net->first, *next; peer; peer = next) {
        next = peer->next;
        if (!peer->closing)
            visit(peer, arg);
    }
}
