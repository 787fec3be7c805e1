/* wslay's frame reader takes 4 KB, so a socket has one only while a frame is incomplete. */
#include "server/net/socket.h"

#include "store/reserve.h"
#include <openssl/sha.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wslay/wslay.h>

enum {
    CLOSE_PROTOCOL = 1002,
    CLOSE_TEXT_ONLY = 1003,
    CLOSE_NOT_UTF8 = 1007,
    CLOSE_TOO_LARGE = 1009
};

struct socket {
    const struct socket_events *events;
    void *user;
    struct socket_limits limits;
    wslay_frame_context_ptr reader; /* null between frames */
    const uint8_t *data;            /* what the reader may take now */
    size_t size;
    uint8_t *message; /* as far as it has come */
    size_t length, room;
    uint8_t opcode;        /* of the message under way; 0: none */
    uint64_t frame_left;   /* bytes of the frame under way that are still to come */
    uint64_t unframed;     /* bytes that the reader took and that belong to no whole frame yet */
    size_t control_length; /* of a control frame under way */
    uint8_t control[125];
    bool opened, said_goodbye;
};

/* ---- Out ---- */

static struct packet *frame(uint8_t opcode, const struct span *parts, size_t count) {
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += parts[i].length;
    size_t top = size < 126 ? 2 : size < 65536 ? 4 : 10;
    struct packet *packet = packet_new(top + size);
    uint8_t *out = (uint8_t *)packet->data;
    out[0] = (uint8_t)(0x80 | opcode);
    out[1] = (uint8_t)(top == 2 ? size : top == 4 ? 126 : 127);
    for (size_t i = 2; i < top; i++)
        out[i] = (uint8_t)(size >> (8 * (top - 1 - i)));
    out += top;
    for (size_t i = 0; i < count; out += parts[i].length, i++)
        if (parts[i].length > 0)
            memcpy(out, parts[i].data, parts[i].length);
    return packet;
}

struct packet *socket_frame(struct span message) {
    return frame(WSLAY_TEXT_FRAME, &message, 1);
}

struct packet *socket_frame_of(const struct span *parts, size_t count) {
    return frame(WSLAY_TEXT_FRAME, parts, count);
}

void socket_close(struct peer *peer, int code) {
    struct socket *socket = peer->user;
    char data[2] = {(char)(code >> 8), (char)code};
    if (peer->closing || socket->said_goodbye)
        return;
    socket->said_goodbye = true;
    peer_send(peer, frame(WSLAY_CONNECTION_CLOSE, &(struct span){data, sizeof data}, code ? 1 : 0));
    peer_late_in(peer, 2000);
    peer_close_when_sent(peer);
}

/* ---- In ---- */

static ssize_t give_bytes(uint8_t *out, size_t size, int flags, void *arg) {
    struct socket *socket = arg;
    if (socket->size == 0)
        return -1;
    size_t part = size < socket->size ? size : socket->size;
    memcpy(out, socket->data, part);
    socket->data += part;
    socket->size -= part;
    socket->unframed += part;
    return (ssize_t)part;
}

static const struct wslay_frame_callbacks callbacks = {.recv_callback = give_bytes};

static bool is_control(uint8_t opcode) {
    return (opcode & 8) != 0;
}

/* 0, or the code to close with. */
static int check_start(struct socket *socket, const struct wslay_frame_iocb *io) {
    bool control = is_control(io->opcode);
    if (io->opcode > (control ? WSLAY_PONG : WSLAY_BINARY_FRAME))
        return CLOSE_PROTOCOL;
    if (!io->mask || io->rsv != 0 || (control && (!io->fin || io->payload_length > 125)))
        return CLOSE_PROTOCOL;
    if (control)
        return 0;
    if (io->opcode == WSLAY_BINARY_FRAME)
        return CLOSE_TEXT_ONLY;
    if ((io->opcode == WSLAY_CONTINUATION_FRAME) != (socket->opcode != 0))
        return CLOSE_PROTOCOL;
    if (io->payload_length > socket->limits.message_max - socket->length)
        return CLOSE_TOO_LARGE;
    socket->opcode = WSLAY_TEXT_FRAME;
    return 0;
}

/* False without memory. */
static bool collect(struct socket *socket, const struct wslay_frame_iocb *io) {
    if (is_control(io->opcode)) {
        memcpy(socket->control + socket->control_length, io->data, io->data_length);
        socket->control_length += io->data_length;
        return true;
    }
    size_t needed = socket->length + io->data_length;
    if (needed > socket->room) {
        size_t room = needed < 256 ? 256 : needed;
        uint8_t *larger = realloc(socket->message, room);
        if (!larger)
            return false;
        socket->message = larger;
        socket->room = room;
    }
    if (io->data_length > 0)
        memcpy(socket->message + socket->length, io->data, io->data_length);
    socket->length = needed;
    return true;
}

/* A masked frame's bytes, its head included. */
static uint64_t frame_size(const struct wslay_frame_iocb *io) {
    uint64_t length = io->payload_length;
    return length + (length < 126 ? 6 : length < 65536 ? 8 : 14);
}

/* The code that answers a goodbye: its own, if it is one that may be sent. */
static int goodbye_code(const uint8_t *data, size_t size) {
    int code = size >= 2 ? data[0] << 8 | data[1] : 0;
    bool known = (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
                 (code >= 3000 && code <= 4999);
    if (size == 0)
        return 0;
    if (!known)
        return CLOSE_PROTOCOL;
    return span_is_utf8((struct span){(const char *)data + 2, size - 2}) ? code : CLOSE_NOT_UTF8;
}

static void end_message(struct peer *peer) {
    struct socket *socket = peer->user;
    struct span message = {(const char *)socket->message, socket->length};
    socket->opcode = 0;
    socket->length = 0;
    if (span_is_utf8(message))
        socket->events->text(peer, message);
    else
        socket_close(peer, CLOSE_NOT_UTF8);
    free(socket->message);
    socket->message = NULL;
    socket->room = 0;
}

static void end_frame(struct peer *peer, const struct wslay_frame_iocb *io) {
    struct socket *socket = peer->user;
    socket->unframed -= frame_size(io);
    size_t control = socket->control_length;
    socket->control_length = is_control(io->opcode) ? 0 : control;
    if (io->opcode == WSLAY_PING)
        peer_send(peer,
                  frame(WSLAY_PONG, &(struct span){(const char *)socket->control, control}, 1));
    if (io->opcode == WSLAY_CONNECTION_CLOSE)
        socket_close(peer, goodbye_code(socket->control, control));
    if (!is_control(io->opcode) && io->fin)
        end_message(peer);
}

/* False if there is nothing more to read now. */
static bool read_piece(struct peer *peer) {
    struct socket *socket = peer->user;
    struct wslay_frame_iocb io = {0};
    bool starts = socket->frame_left == 0;
    ssize_t got = wslay_frame_recv(socket->reader, &io);
    if (got == WSLAY_ERR_WANT_READ)
        return false;
    int code = got < 0 ? CLOSE_PROTOCOL : starts ? check_start(socket, &io) : 0;
    if (code != 0) {
        socket_close(peer, code);
        return false;
    }
    if (starts)
        socket->events->frame(peer);
    if (peer->closing || socket->said_goodbye)
        return false;
    if (starts)
        socket->frame_left = io.payload_length;
    if (!collect(socket, &io)) {
        peer_close(peer);
        return false;
    }
    socket->frame_left -= io.data_length;
    if (socket->frame_left == 0)
        end_frame(peer, &io);
    return !peer->closing && !socket->said_goodbye;
}

static void listen_on(struct peer *peer) {
    const struct socket *socket = peer->user;
    peer_late_in(peer, socket->limits.silence_ms);
}

/* Frames may come together with the handshake, but the server speaks first. */
static void open_socket(struct peer *peer) {
    struct socket *socket = peer->user;
    if (socket->opened)
        return;
    socket->opened = true;
    listen_on(peer);
    socket->events->opened(peer);
}

static void on_data(struct peer *peer, char *data, size_t size) {
    struct socket *socket = peer->user;
    open_socket(peer);
    if (socket->said_goodbye)
        return;
    listen_on(peer);
    if (!socket->reader && wslay_frame_context_init(&socket->reader, &callbacks, socket) != 0) {
        peer_close(peer);
        return;
    }
    socket->data = (const uint8_t *)data;
    socket->size = size;
    peer_hold(peer);
    while (read_piece(peer))
        ;
    if (socket->unframed == 0) {
        wslay_frame_context_free(socket->reader);
        socket->reader = NULL;
    }
    peer_release(peer);
}

static void on_late(struct peer *peer) {
    struct socket *socket = peer->user;
    if (socket->said_goodbye)
        peer_close(peer);
    else
        socket->events->late(peer);
}

static void on_closed(struct peer *peer) {
    struct socket *socket = peer->user;
    socket->events->closed(peer);
}

static void on_freed(struct peer *peer) {
    struct socket *socket = peer->user;
    if (socket->reader)
        wslay_frame_context_free(socket->reader);
    free(socket->message);
    free(socket);
}

static const struct peer_speaker speaker = {
    .data = on_data, .late = on_late, .closed = on_closed, .freed = on_freed};

void *socket_user(const struct peer *peer) {
    const struct socket *socket = peer->user;
    return socket->user;
}

/* ---- The handshake ---- */

static bool header_is(struct span value, const char *word) {
    return value.data && value.length == strlen(word) &&
           strncasecmp(value.data, word, value.length) == 0;
}

/* RFC 6455: the key, a fixed text, SHA-1, Base64. False without memory. */
static bool accept_key(struct span key, char out[29]) {
    static const char magic[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    char text[24 + sizeof magic];
    uint8_t digest[SHA_DIGEST_LENGTH] = {0};
    memcpy(text, key.data, 24);
    memcpy(text + 24, magic, sizeof magic - 1);
    bool good = SHA1((const uint8_t *)text, 24 + sizeof magic - 1, digest);
    sodium_bin2base64(out, 29, digest, sizeof digest, sodium_base64_VARIANT_ORIGINAL);
    return good;
}

bool socket_accept(struct peer *peer, const struct http_request *request,
                   const struct socket_limits *limits, const struct socket_events *events,
                   void *user, struct refusal *why) {
    const struct span *header = request->header;
    char accept[29];
    if (!request->upgrade || !header_is(header[HTTP_UPGRADE], "websocket") ||
        header[HTTP_SOCKET_KEY].length != 24 || strcmp(request->method, "GET") != 0)
        return refuse(why, "BAD_REQUEST", "Expected a WebSocket handshake");
    if (!header_is(header[HTTP_SOCKET_VERSION], "13"))
        return refuse(why, "UPGRADE_REQUIRED", "Expected WebSocket version 13");
    if (!accept_key(header[HTTP_SOCKET_KEY], accept))
        return refuse_no_memory(why);
    struct socket *socket = reserve_calloc(1, sizeof *socket);
    socket->events = events;
    socket->user = user;
    socket->limits = *limits;
    http_upgrade(peer, accept, &speaker, socket);
    open_socket(peer);
    return true;
}
