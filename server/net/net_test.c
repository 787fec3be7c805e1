/* What a peer may cost the others: how far it may be behind, how much it may be owed in one
 * turn, and how many are closed at once when their time is over. Tested on real sockets of this
 * machine. */
#include "server/net/net.h"
#include "tests/support.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLIENTS = 300, SEND_QUEUE = 4 << 20, PACKET = 16384 };

static struct lines {
    uv_loop_t loop;
    struct net *net;
    int client[CLIENTS]; /* the other ends, oldest first */
    struct peer *peer;   /* the newest that was opened */
    int opened, late;
    size_t heard;      /* bytes, of all */
    int work, done[8]; /* so much at once; how often as which piece of a turn */
} lines;

/* Does the work for as long as it may. */
static void on_more(struct peer *peer) {
    while (lines.work > 0 && peer_may_go_on(peer)) {
        lines.work--;
        lines.done[peer->portion]++;
    }
}

static void on_work(struct peer *peer, char *data, size_t size) {
    lines.heard += size;
    on_more(peer);
}

static void on_late(struct peer *peer) {
    lines.late++;
}

static void on_end(struct peer *peer) {
}

static void on_opened(struct peer *peer, void *arg) {
    static const struct peer_speaker speaker = {
        .data = on_work, .go_on = on_more, .late = on_late, .closed = on_end, .freed = on_end};
    peer->speaker = &speaker;
    lines.peer = peer;
    lines.opened++;
}

/* The receive buffer is small, so that what is not read soon waits at the server. */
static int connect_to(int port) {
    struct sockaddr_in place = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int client = socket(AF_INET, SOCK_STREAM, 0), room = PACKET;
    assert_true(client >= 0);
    assert_int_equal(setsockopt(client, SOL_SOCKET, SO_RCVBUF, &room, sizeof room), 0);
    assert_int_equal(connect(client, (struct sockaddr *)&place, sizeof place), 0);
    assert_int_equal(fcntl(client, F_SETFL, O_NONBLOCK), 0);
    return client;
}

static void begin(int count) {
    static const struct net_limits limits = {
        .peers = CLIENTS, .io_uring = true, .send_queue = SEND_QUEUE};
    lines = (struct lines){.opened = 0};
    assert_int_equal(uv_loop_init(&lines.loop), 0);
    lines.net = net_open(&lines.loop, &limits, on_opened, NULL);
    assert_true(net_listen(lines.net, "127.0.0.1", 0, NULL));
    for (int i = 0; i < count; i++)
        lines.client[i] = connect_to(net_port(lines.net));
    while (lines.opened < count)
        uv_run(&lines.loop, UV_RUN_ONCE);
}

AFTER_EACH(end) {
    net_close(lines.net);
    uv_run(&lines.loop, UV_RUN_DEFAULT);
    net_free(lines.net);
    assert_int_equal(uv_loop_close(&lines.loop), 0);
    for (int i = 0; i < lines.opened; i++)
        close(lines.client[i]);
    return 0;
}

static void send_bytes(size_t size) {
    struct packet *packet = packet_new(size);
    memset(packet->data, 'x', size);
    peer_send(lines.peer, packet);
}

static void take_turns(int count) {
    for (int i = 0; i < count; i++) {
        net_turn(lines.net);
        uv_run(&lines.loop, UV_RUN_NOWAIT);
    }
}

/* Reads until so many bytes have come. */
static void receive(int client, size_t wanted) {
    static char buffer[1 << 16];
    uint64_t end_ns = uv_hrtime() + UINT64_C(30000000000);
    for (size_t got = 0; got < wanted;) {
        assert_true(uv_hrtime() < end_ns);
        ssize_t part = read(lines.client[client], buffer, sizeof buffer);
        assert_int_not_equal(part, 0); /* closed */
        got += part > 0 ? (size_t)part : 0;
        uv_run(&lines.loop, UV_RUN_NOWAIT);
    }
}

UNIT_TEST(who_is_behind_is_closed_at_the_limit_and_not_before) {
    size_t sent = 0;
    begin(1);
    for (; !lines.peer->closing && sent < 4 * SEND_QUEUE; sent += PACKET) {
        send_bytes(PACKET);
        net_turn(lines.net);
    }
    assert_true(lines.peer->closing);
    assert_in_range(sent, SEND_QUEUE, SEND_QUEUE + (2 << 20)); /* the system holds some as well */
    assert_int_equal(net_figures(lines.net).slow, 1);
}

UNIT_TEST(who_is_behind_and_reads_on_misses_nothing) {
    begin(1);
    for (size_t sent = 0; sent < SEND_QUEUE; sent += PACKET) {
        send_bytes(PACKET);
        net_turn(lines.net);
    }
    assert_true(uv_stream_get_write_queue_size((uv_stream_t *)&lines.peer->tcp) > 0);
    receive(0, SEND_QUEUE);
    assert_false(lines.peer->closing);
    assert_int_equal(net_figures(lines.net).slow, 0);
}

/* The limit does not wait for the end of the turn. */
UNIT_TEST(what_is_owed_in_one_turn_is_limited) {
    begin(1);
    for (size_t sent = 0; sent < 3 * SEND_QUEUE; sent += 4 * PACKET)
        send_bytes(4 * PACKET);
    assert_true(lines.peer->closing);
    assert_int_equal(net_figures(lines.net).slow, 1);
}

/* Whatever others do in one turn, who reads hears of it and is not closed. */
UNIT_TEST(any_number_of_packets_in_one_turn_reach_who_reads) {
    begin(1);
    for (int i = 0; i < 5000; i++)
        send_bytes(1);
    net_turn(lines.net);
    receive(0, 5000);
    assert_false(lines.peer->closing);
    assert_int_equal(net_figures(lines.net).slow, 0);
}

/* Sends a number, and to one client so much besides that the kernel cannot take it at once. */
static void number_each(struct peer *peer, void *arg) {
    int *next = arg;
    struct packet *packet = packet_copy(next, sizeof *next);
    peer_send(peer, packet);
    if ((*next)++ == 7)
        peer_send(peer, packet_new(SEND_QUEUE / 2));
}

/* Expects each client to have got a number of its own and no more yet; returns the one with 7. */
static int receive_numbers(void) {
    bool seen[CLIENTS] = {false};
    int number, seven = 0;
    char more;
    for (int i = 0; i < CLIENTS; i++) {
        assert_int_equal(recv(lines.client[i], &number, sizeof number, 0), sizeof number);
        assert_in_range(number, 0, CLIENTS - 1);
        assert_false(seen[number]);
        seen[number] = true;
        if (number == 7)
            seven = i;
        else
            assert_int_equal(recv(lines.client[i], &more, 1, 0), -1);
    }
    return seven;
}

/* More sends than fit into one call: nobody gets what is another's, and nobody waits for a client
 * that does not read. */
UNIT_TEST(many_in_one_turn_get_each_their_own) {
    begin(CLIENTS);
    for (int turn = 0; turn < 2; turn++) {
        int next = 0;
        net_each(lines.net, number_each, &next);
        net_turn(lines.net);
        receive(receive_numbers(), SEND_QUEUE / 2);
    }
    assert_int_equal(net_figures(lines.net).slow, 0);
}

static void send_text(struct peer *peer, void *arg) {
    peer_send(peer, packet_copy(arg, strlen(arg)));
}

/* When the kernel has room again, what waits is sent before what comes later. */
UNIT_TEST(what_comes_later_is_sent_later) {
    static char got[SEND_QUEUE];
    size_t size = 0, wanted = SEND_QUEUE / 2 + strlen("end");
    begin(2);
    send_bytes(SEND_QUEUE / 2);
    net_turn(lines.net);
    while (size < wanted) {
        ssize_t part = read(lines.client[1], got + size, sizeof got - size);
        if (size == 0)
            net_each(lines.net, send_text, "end");
        assert_int_not_equal(part, 0);
        size += part > 0 ? (size_t)part : 0;
        take_turns(1);
    }
    for (size_t i = 0; i < SEND_QUEUE / 2; i++)
        assert_int_equal(got[i], 'x');
    assert_memory_equal(got + SEND_QUEUE / 2, "end", strlen("end"));
}

/* Who sends much is served once a turn, and not at all while they do not read their answers. */
UNIT_TEST(who_sends_much_goes_on_after_the_others) {
    static char much[4 * PACKET];
    begin(1);
    assert_int_equal(send(lines.client[0], much, sizeof much, 0), sizeof much);
    take_turns(1);
    assert_int_equal(lines.heard, PACKET);
    take_turns(2);
    assert_int_equal(lines.heard, 3 * PACKET);
    send_bytes(SEND_QUEUE);
    take_turns(10);
    assert_int_equal(lines.heard, 3 * PACKET);
    receive(0, SEND_QUEUE);
    take_turns(2);
    assert_int_equal(lines.heard, 4 * PACKET);
}

/* Each new peer gets four pieces of work at once; from then on four peers go on in a turn. */
UNIT_TEST(who_wants_much_at_once_gets_it_in_portions) {
    begin(12);
    lines.work = 1008;
    for (int i = 0; i < 12; i++)
        assert_int_equal(send(lines.client[i], "x", 1, 0), 1);
    while (lines.heard < 12)
        uv_run(&lines.loop, UV_RUN_NOWAIT);
    assert_int_equal(lines.work, 1008 - 12 * 4);
    assert_int_equal(uv_backend_timeout(&lines.loop), 0); /* the next turn comes at once */
    for (int left = lines.work; left > 0; left -= 4 * 4) {
        assert_int_equal(lines.work, left);
        take_turns(1);
    }
    assert_int_equal(lines.work, 0);
    for (int i = 1; i <= 4; i++)
        assert_int_equal(lines.done[i], 1008 / 4);
    take_turns(3);
    assert_int_not_equal(uv_backend_timeout(&lines.loop), 0);
    assert_int_equal(send(lines.client[0], "x", 1, 0), 1); /* and is heard again */
    while (lines.heard < 13)
        take_turns(1);
}

static void make_late(struct peer *peer, void *arg) {
    peer_late_in(peer, 0);
}

/* Peers whose time is over are closed a few at a time, with others served in between, but more than
 * a few each second. */
UNIT_TEST(late_ones_are_seen_to_by_and_by) {
    begin(CLIENTS);
    net_each(lines.net, make_late, NULL);
    while (lines.late == 0) {
        usleep(1000);
        uv_run(&lines.loop, UV_RUN_NOWAIT);
    }
    assert_true(lines.late < CLIENTS);
    assert_in_range(uv_backend_timeout(&lines.loop), 0, 100);
    while (lines.late < CLIENTS)
        uv_run(&lines.loop, UV_RUN_ONCE);
}

UNIT_TEST(who_waits_for_their_turn_is_not_late) {
    begin(2);
    lines.work = 8;
    assert_int_equal(send(lines.client[0], "x", 1, 0), 1);
    while (lines.heard < 1)
        uv_run(&lines.loop, UV_RUN_NOWAIT);
    net_each(lines.net, make_late, NULL);
    while (lines.late == 0)
        uv_run(&lines.loop, UV_RUN_NOWAIT);
    assert_int_equal(lines.late, 1);
    while (lines.late == 1)
        take_turns(1);
    assert_int_equal(lines.work, 0);
}
