/* Requests are collected in one buffer per peer, which exists only while it holds something.
 * A parser (parser.h) walks through it, and this file remembers where the parts of the request
 * begin. */
#include "server/net/http.h"

#include "engine/ensure.h"
#include "server/net/parser.h"
#include "server/net/status.h"
#include "store/reserve.h"
#include <ctype.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The step is just below the size from which on malloc is slow. */
enum { BUFFER_STEP = 1000, HEAD_SIZE = 2048, LATER_MAX = 1 << 16, WAITING_MAX = 1 << 20 };

_Static_assert(HTTP_SECRET_SIZE == crypto_shorthash_KEYBYTES, "the key of the hash");

enum { UNCHARGED = 4096 }; /* so many bytes of each peer are not charged to unfinished_max */

struct piece {
    uint32_t start, length;
};

enum chunk_state {
    CHUNK_SIZE,
    CHUNK_EXTENSION,
    CHUNK_SIZE_END,
    CHUNK_DATA,
    CHUNK_DATA_END,
    CHUNK_TRAILERS,
    CHUNK_TRAILER,
    CHUNK_TRAILER_END,
    CHUNK_LAST,
    CHUNK_DONE
};

enum { CHUNK_DIGITS_MAX = 8 };

/* Where a chunked body has got to. */
struct chunks {
    enum chunk_state state;
    int digits;
    uint64_t left; /* of the present chunk */
};

struct http {
    struct http_server *server;
    request_parser parser;
    char *buffer;
    uint32_t room, filled, parsed;
    size_t body_max; /* known with the headers */
    struct piece url, body, name, value;
    struct piece header[HTTP_HEADERS];
    bool in_value, headers_done, complete, keeps_alive, pending, running, last, head;
    bool asked;     /* it has had a request */
    bool ambiguous; /* a header that may stand there once stands there twice */
    bool chunked;
    struct chunks chunks;
    char *later; /* came while a request was pending, whose bytes must not move */
    uint32_t later_size;
    struct http_request request;
};

static const char *const header_names[HTTP_HEADERS] = {
    [HTTP_AUTHORIZATION] = "authorization",
    [HTTP_COOKIE] = "cookie",
    [HTTP_ORIGIN] = "origin",
    [HTTP_USER_AGENT] = "user-agent",
    [HTTP_HOST] = "host",
    [HTTP_CONTENT_TYPE] = "content-type",
    [HTTP_IF_NONE_MATCH] = "if-none-match",
    [HTTP_ACCEPT_ENCODING] = "accept-encoding",
    [HTTP_FORWARDED_FOR] = "x-forwarded-for",
    [HTTP_FORWARDED_PROTO] = "x-forwarded-proto",
    [HTTP_REQUEST_ID] = "x-request-id",
    [HTTP_TRANSFER_ENCODING] = "transfer-encoding",
    [HTTP_ROOM_CODE] = "roomcode",
    [HTTP_INVITATION] = "x-invitation",
    [HTTP_EXPECT] = "expect",
    [HTTP_UPGRADE] = "upgrade",
    [HTTP_SOCKET_KEY] = "sec-websocket-key",
    [HTTP_SOCKET_VERSION] = "sec-websocket-version",
};

/* ---- Where things stand ---- */

static struct span span_at(const struct http *http, struct piece piece) {
    return (struct span){piece.start ? http->buffer + piece.start - 1 : NULL, piece.length};
}

/* Starts are counted from 1, so that 0 means "not there". */
static void extend(const struct http *http, struct piece *piece, const char *at, size_t length) {
    if (piece->start == 0)
        piece->start = (uint32_t)(at - http->buffer) + 1;
    piece->length += (uint32_t)length;
}

/* Of several equal headers the first one counts, but for lists, of which the end does; and there is
 * one host. */
static void take_header(struct http *http, enum http_header header) {
    bool first = http->header[header].start == 0;
    if (first || header == HTTP_FORWARDED_FOR)
        http->header[header] = http->value;
    if (!first && (header == HTTP_HOST || header == HTTP_TRANSFER_ENCODING))
        http->ambiguous = true;
}

static bool is_named(struct span name, const char *lower) {
    size_t i = 0;
    while (i < name.length && lower[i] != '\0' && tolower((uint8_t)name.data[i]) == lower[i])
        i++;
    return i == name.length && lower[i] == '\0';
}

static void finish_header(struct http *http) {
    struct span name = span_at(http, http->name);
    for (int i = 0; i < HTTP_HEADERS && http->in_value; i++)
        if (is_named(name, header_names[i]))
            take_header(http, (enum http_header)i);
    http->in_value = false;
    http->name = http->value = (struct piece){0};
}

static void split_url(const struct http *http, struct http_request *request) {
    struct span url = span_at(http, http->url);
    const char *mark = url.data ? memchr(url.data, '?', url.length) : NULL;
    request->path = url;
    if (mark) {
        request->path.length = (size_t)(mark - url.data);
        request->query = (struct span){mark + 1, url.length - request->path.length - 1};
    }
}

static int on_url(request_parser *parser, const char *at, size_t length) {
    struct http *http = parser->data;
    extend(http, &http->url, at, length);
    return 0;
}

/* ---- What a proxy might read differently ---- */

/* Line ends are looked at elsewhere. */
static bool is_text(char c) {
    uint8_t byte = (uint8_t)c;
    return (byte >= ' ' && byte != 0x7f) || c == '\t' || c == '\r' || c == '\n';
}

/* Where the headers end, counted from the first byte; 0 if a line ends with anything but CR and LF
 * together, one is folded, or there is a byte that is no text. */
static size_t end_of_headers(const char *data, size_t size) {
    size_t line = 0;
    for (size_t i = 0; i < size; i++) {
        bool ends = data[i] == '\r' && i + 1 < size;
        if (!is_text(data[i]) || (ends && data[i + 1] != '\n'))
            return 0;
        if (data[i] != '\n')
            continue;
        if (i == 0 || data[i - 1] != '\r')
            return 0;
        bool folded = i + 1 < size && (data[i + 1] == ' ' || data[i + 1] == '\t');
        if (i == line + 1 && line > 0 && !folded)
            return i + 1;
        if (folded)
            return 0;
        line = i == line + 1 ? 0 : i + 1; /* empty lines may come before a request */
    }
    return 0;
}

/* ASCII, and a version as it is written. http-parser looks at neither. */
static bool is_request_line(const char *data, size_t size) {
    static const char version[] = " HTTP/1.";
    enum { VERSION_SIZE = sizeof version - 1 };
    size_t start = 0, end;
    while (start < size && (data[start] == '\r' || data[start] == '\n'))
        start++;
    for (end = start; end < size && data[end] != '\r'; end++)
        if (data[end] < ' ' || data[end] > '~')
            return false;
    return end - start > VERSION_SIZE + 1 && data[end - 1] >= '0' && data[end - 1] <= '9' &&
           memcmp(data + end - VERSION_SIZE - 1, version, VERSION_SIZE) == 0;
}

/* One byte of a chunked body that is not data. */
static bool take_chunk_byte(struct chunks *chunks, char c) {
    int digit = hex_digit(c);
    switch (chunks->state) {
    case CHUNK_SIZE:
        if (digit >= 0 && chunks->digits++ < CHUNK_DIGITS_MAX) {
            chunks->left = chunks->left * 16 + (uint64_t)digit;
            return true;
        }
        chunks->state = c == '\r' ? CHUNK_SIZE_END : CHUNK_EXTENSION;
        return chunks->digits > 0 && (c == '\r' || c == ';');
    case CHUNK_EXTENSION:
        if (c == '\r')
            chunks->state = CHUNK_SIZE_END;
        return c != '\n';
    case CHUNK_SIZE_END:
        chunks->state = chunks->left > 0 ? CHUNK_DATA : CHUNK_TRAILERS;
        return c == '\n';
    case CHUNK_DATA:
        chunks->state = CHUNK_DATA_END;
        return c == '\r';
    case CHUNK_DATA_END:
        *chunks = (struct chunks){.state = CHUNK_SIZE};
        return c == '\n';
    case CHUNK_TRAILERS:
        chunks->state = c == '\r' ? CHUNK_LAST : CHUNK_TRAILER;
        return c != '\n' && c != ' ' && c != '\t';
    case CHUNK_TRAILER:
        if (c == '\r')
            chunks->state = CHUNK_TRAILER_END;
        return c != '\n';
    case CHUNK_TRAILER_END:
        chunks->state = CHUNK_TRAILERS;
        return c == '\n';
    case CHUNK_LAST:
        chunks->state = CHUNK_DONE;
        return c == '\n';
    default:
        return true; /* the next request */
    }
}

/* http-parser forgives what other programs end lines with; who reads them otherwise would see
 * another request begin in the middle of this one. */
static bool take_chunks(struct chunks *chunks, const char *data, size_t size) {
    for (size_t i = 0; i < size;) {
        if (chunks->state == CHUNK_DATA && chunks->left > 0) {
            size_t part = chunks->left < size - i ? (size_t)chunks->left : size - i;
            chunks->left -= part;
            i += part;
        } else if (!take_chunk_byte(chunks, data[i++])) {
            return false;
        }
    }
    return true;
}

static bool is_strict(struct http *http) {
    struct span coding = span_at(http, http->header[HTTP_TRANSFER_ENCODING]);
    bool old = http->parser.http_major == 1 && http->parser.http_minor == 0;
    size_t end = end_of_headers(http->buffer, http->filled);
    if (http->parser.http_major != 1)
        return true; /* which is refused for that */
    if (end == 0 || !is_request_line(http->buffer, end) || http->ambiguous ||
        (!old && http->header[HTTP_HOST].start == 0))
        return false;
    if (!coding.data)
        return true;
    http->chunked = true;
    return !old && coding.length == strlen("chunked") &&
           strncasecmp(coding.data, "chunked", coding.length) == 0 &&
           take_chunks(&http->chunks, http->buffer + end, http->filled - end);
}

/* ---- What the parser finds ---- */

/* What comes after a chunked body could say anything of the request, too late. */
static int on_header_field(request_parser *parser, const char *at, size_t length) {
    struct http *http = parser->data;
    if (http->headers_done)
        return 0;
    if (http->in_value)
        finish_header(http);
    extend(http, &http->name, at, length);
    return memchr(at, ' ', length) != NULL; /* `Content-Length : 3` is read in two ways elsewhere */
}

static int on_header_value(request_parser *parser, const char *at, size_t length) {
    struct http *http = parser->data;
    if (http->headers_done)
        return 0;
    http->in_value = true;
    extend(http, &http->value, at, length);
    return 0;
}

static int on_headers_complete(request_parser *parser) {
    struct http *http = parser->data;
    struct http_request request = {0};
    finish_header(http);
    http->headers_done = true;
    split_url(http, &request);
    http->body_max = http->server->body_max(http->server->arg, request.path);
    return is_strict(http) ? 0 : -1;
}

/* Moves the pieces of a chunked body together. */
static int on_body(request_parser *parser, const char *at, size_t length) {
    struct http *http = parser->data;
    if (http->body.start != 0)
        memmove(http->buffer + http->body.start - 1 + http->body.length, at, length);
    extend(http, &http->body, at, length);
    return 0;
}

static int on_message_complete(request_parser *parser) {
    struct http *http = parser->data;
    http->complete = true;
    http->keeps_alive = parser_keeps_alive(parser);
    return parser_pause(parser);
}

static const request_parser_settings settings = {
    .on_url = on_url,
    .on_header_field = on_header_field,
    .on_header_value = on_header_value,
    .on_headers_complete = on_headers_complete,
    .on_body = on_body,
    .on_message_complete = on_message_complete,
};

/* ---- Memory ---- */

static size_t charged_size(const struct http *http, size_t more) {
    size_t size = http->room + http->later_size + more;
    return size > UNCHARGED ? size - UNCHARGED : 0;
}

static bool may_hold(const struct http *http, size_t more) {
    size_t added = charged_size(http, more) - charged_size(http, 0);
    return added == 0 || http->server->held + added <= http->server->limits.unfinished_max;
}

static void set_buffer(struct http *http, char *buffer, size_t room) {
    http->server->held -= charged_size(http, 0);
    http->buffer = buffer;
    http->room = (uint32_t)room;
    http->server->held += charged_size(http, 0);
}

static void set_later(struct http *http, char *later, size_t size) {
    http->server->held -= charged_size(http, 0);
    http->later = later;
    http->later_size = (uint32_t)size;
    http->server->held += charged_size(http, 0);
}

/* Drops what has come in. The answer to the present request, if it is due, does not need it. */
static void drop_input(struct http *http) {
    free(http->buffer);
    set_buffer(http, NULL, 0);
    free(http->later);
    set_later(http, NULL, 0);
    http->filled = http->parsed = 0;
}

/* ---- Answers ---- */

static void await_request(struct peer *peer) {
    struct http *http = peer->user;
    const struct http_limits *limits = &http->server->limits;
    peer_late_in(peer, http->filled > 0 ? limits->request_ms : limits->idle_ms);
}

static void run(struct peer *peer);

/* Forgets the request; what came after it stays. */
static void begin_next(struct peer *peer) {
    struct http *http = peer->user;
    uint32_t left = http->filled - http->parsed, later = http->later_size;
    if (left > 0)
        memmove(http->buffer, http->buffer + http->parsed, left);
    if (left + later > http->room)
        set_buffer(http, reserve_realloc(http->buffer, left + later), left + later);
    if (later > 0)
        memcpy(http->buffer + left, http->later, later);
    free(http->later);
    set_later(http, NULL, 0);
    if (left + later == 0)
        drop_input(http);
    *http = (struct http){.server = http->server,
                          .buffer = http->buffer,
                          .room = http->room,
                          .filled = left + later,
                          .running = http->running};
    parser_begin(&http->parser, &settings, http);
    await_request(peer);
}

/* Accepts a proxy's own id if it is a plain word: it is written into headers and into the log. */
static bool take_id(struct http_request *request, struct span given) {
    if (given.length >= sizeof request->id || !span_made_of(given, "-_."))
        return false;
    memcpy(request->id, given.data, given.length);
    request->id[given.length] = '\0';
    return true;
}

static void make_id(struct http_server *server, char out[HTTP_ID_SIZE]) {
    uint8_t hash[crypto_shorthash_BYTES];
    server->id_last++;
    crypto_shorthash(hash, (const uint8_t *)&server->id_last, sizeof server->id_last,
                     server->id_secret);
    sodium_bin2hex(out, HTTP_ID_SIZE, hash, sizeof hash);
}

static void give_id(struct http *http) {
    struct http_server *server = http->server;
    struct http_request *request = &http->request;
    if (!server->trusts_id || !take_id(request, request->header[HTTP_REQUEST_ID]))
        make_id(server, request->id);
}

static void tell_answered(struct peer *peer, int status, size_t size) {
    const struct http *http = peer->user;
    http->server->answered(http->server->arg, peer, &http->request, status, size);
}

static void write_answer(struct peer *peer, const struct http_answer *answer, bool close,
                         bool head) {
    const struct http *http = peer->user;
    char top[HEAD_SIZE];
    int length =
        snprintf(top, sizeof top,
                 "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nX-Request-Id: %s\r\n"
                 "X-Content-Type-Options: nosniff\r\nReferrer-Policy: same-origin\r\n%s%s%s\r\n",
                 answer->status, status_reason(answer->status),
                 answer->type ? answer->type : "text/plain", answer->body.length, http->request.id,
                 answer->cacheable ? "" : "Cache-Control: no-store\r\n",
                 close ? "Connection: close\r\n" : "", answer->headers ? answer->headers : "");
    ensure(length > 0 && (size_t)length < sizeof top);
    size_t body = head || answer->status == 304 ? 0 : answer->body.length;
    struct packet *packet = packet_new((size_t)length + body);
    memcpy(packet->data, top, (size_t)length);
    if (body > 0)
        memcpy(packet->data + length, answer->body.data, body);
    tell_answered(peer, answer->status, packet->size);
    peer_send(peer, packet);
}

void http_answer(struct peer *peer, const struct http_answer *answer) {
    struct http *http = peer->user;
    if (!peer->closing) {
        ensure(http->pending);
        bool close = http->last || !http->keeps_alive;
        write_answer(peer, answer, close, http->head);
        if (close) {
            drop_input(http);
            await_request(
                peer); /* no request will follow, but the peer has that time to read the answer */
            peer_close_when_sent(peer);
        } else {
            begin_next(peer);
            run(peer);
        }
    }
    peer_release(peer);
}

/* Room for the body and the header of a refusal, for as long as its answer is written. */
struct refusal_text {
    char body[2 * REFUSAL_TEXT_SIZE * 6], retry[64];
};

static void write_refusal(const struct refusal *why, int retry_s, struct refusal_text *text,
                          struct http_answer *out) {
    struct json json = json_object_in(text->body, sizeof text->body);
    json_put_string(&json, "error", why->text);
    json_put_string(&json, "code", refusal_name(why));
    json_put_end(&json);
    int status = refusal_status(why);
    *out = (struct http_answer){
        .status = status, .type = "application/json", .body = {json.text.data, json.text.length}};
    snprintf(text->retry, sizeof text->retry, "Retry-After: %d\r\n", retry_s > 0 ? retry_s : 1);
    if (status == 429 || status == 503)
        out->headers = text->retry;
}

void http_answer_refusal(struct peer *peer, const struct refusal *why, int retry_s) {
    struct refusal_text text;
    struct http_answer answer;
    write_refusal(why, retry_s, &text, &answer);
    http_answer(peer, &answer);
}

/* Answers what is no proper request; nothing more is read from this peer. */
static void give_up(struct peer *peer, const char *code, const char *words) {
    struct http *http = peer->user;
    struct refusal why;
    struct refusal_text text;
    struct http_answer answer;
    refuse(&why, code, "%s", words);
    http->request = (struct http_request){.begin_ns = uv_hrtime()};
    give_id(http);
    write_refusal(&why, 0, &text, &answer);
    write_answer(peer, &answer, true, false);
    http->pending = true;
    drop_input(http);
    peer_late_in(peer, 1000);
    peer_end_when_sent(peer);
}

void http_last(struct peer *peer) {
    struct http *http = peer->user;
    http->last = true;
    if (!http->pending && http->filled == 0 && http->asked)
        peer_close_when_sent(peer);
}

/* ---- Requests ---- */

static bool within_limits(struct peer *peer) {
    struct http *http = peer->user;
    const struct http_limits *limits = &http->server->limits;
    if (!http->headers_done && http->filled > limits->header_max) {
        give_up(peer, "HEADERS_TOO_LARGE", "The headers are too large");
        return false;
    }
    uint64_t announced = http->headers_done && http->parser.content_length != UINT64_MAX
                             ? http->parser.content_length
                             : 0;
    if (announced > http->body_max || http->body.length > http->body_max) {
        give_up(peer, "TOO_LARGE", "The body is too large");
        return false;
    }
    return true;
}

static void hand_over(struct peer *peer) {
    struct http *http = peer->user;
    struct http_request *request = &http->request;
    request->method = parser_method(&http->parser);
    request->upgrade = http->parser.upgrade && http->parser.http_minor > 0; /* RFC 9110, 7.8 */
    split_url(http, request);
    request->body = span_at(http, http->body);
    for (int i = 0; i < HTTP_HEADERS; i++)
        request->header[i] = span_at(http, http->header[i]);
    request->begin_ns = uv_hrtime();
    give_id(http);
    http->head = http->parser.method == HTTP_HEAD;
    http->pending = http->asked = true;
    peer_never_late(peer);
    peer_hold(peer);
    http->server->handle(http->server->arg, peer, request);
}

static void allow_body(struct peer *peer, bool headers_were_done) {
    static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
    struct http *http = peer->user;
    if (!headers_were_done && http->headers_done && !http->complete &&
        http->header[HTTP_EXPECT].start != 0)
        peer_send(peer, packet_copy(go_on, sizeof go_on - 1));
}

static void parse(struct peer *peer) {
    struct http *http = peer->user;
    bool headers_were_done = http->headers_done;
    size_t size = http->filled - http->parsed, used = 0;
    bool good = !http->chunked || take_chunks(&http->chunks, http->buffer + http->parsed, size);
    good = good && parser_run(&http->parser, &settings, http->buffer + http->parsed, size, &used);
    http->parsed += (uint32_t)used;
    if (!good) {
        give_up(peer, "BAD_REQUEST", "This is not HTTP as it should be");
        return;
    }
    if (http->headers_done && http->parser.http_major != 1) {
        give_up(peer, "HTTP_VERSION", "Only HTTP/1 is spoken here");
        return;
    }
    if (!within_limits(peer))
        return;
    allow_body(peer, headers_were_done);
    if (http->complete)
        hand_over(peer);
}

/* Requests that came together are handled one after the other, not recursively. */
static void run(struct peer *peer) {
    struct http *http = peer->user;
    if (http->running)
        return;
    http->running = true;
    peer_hold(peer);
    while (peer->user == http && !peer->closing && !http->pending && http->filled > http->parsed &&
           peer_may_go_on(peer))
        parse(peer);
    if (peer->user == http)
        http->running = false;
    peer_release(peer);
}

static bool make_room(struct http *http, size_t size, struct refusal *why) {
    const struct http_limits *limits = &http->server->limits;
    size_t needed = http->filled + size;
    if (needed > 2 * limits->header_max + http->body_max + NET_READ_SIZE)
        return refuse(why, "TOO_LARGE", "The request is too large");
    if (needed <= http->room)
        return true;
    size_t room = (needed + BUFFER_STEP - 1) / BUFFER_STEP * BUFFER_STEP;
    if (needed > UNCHARGED) { /* more is likely to follow */
        room += room / 2;
        if (!may_hold(http, room - http->room))
            return refuse(why, "UNAVAILABLE", "Too much is being sent; please try again");
    }
    char *larger = realloc(http->buffer, room);
    if (!larger)
        return refuse_no_memory(why);
    set_buffer(http, larger, room);
    return true;
}

/* Pipelined requests have to wait, within limits: for what comes during one answer, and for all
 * that is left of what came so. */
static bool keep_for_later(struct peer *peer, const char *data, size_t size) {
    struct http *http = peer->user;
    size_t all = http->later_size + size, left = http->filled - http->parsed;
    bool good = all <= LATER_MAX && left + all <= WAITING_MAX && may_hold(http, size);
    char *larger = good ? realloc(http->later, all) : NULL;
    if (!larger) {
        peer_close(peer);
        return false;
    }
    memcpy(larger + http->later_size, data, size);
    set_later(http, larger, all);
    return true;
}

/* False if no more is taken from this peer. */
static bool take(struct peer *peer, const char *data, size_t size) {
    struct http *http = peer->user;
    if (http->pending)
        return keep_for_later(peer, data, size);
    if (http->filled == 0)
        peer_late_in(peer, http->server->limits.request_ms);
    struct refusal why;
    if (!make_room(http, size, &why)) {
        give_up(peer, why.code, why.text);
        return false;
    }
    memcpy(http->buffer + http->filled, data, size);
    http->filled += (uint32_t)size;
    run(peer);
    return true;
}

static void on_data(struct peer *peer, char *data, size_t size) {
    const struct http *http = peer->user;
    const struct peer_speaker *self = peer->speaker;
    peer_hold(peer);
    while (size > 0 && !peer->closing && !peer->close_when_sent) {
        if (peer->speaker != self) { /* upgraded in between */
            peer->speaker->data(peer, data, size);
            break;
        }
        size_t part =
            size < http->server->limits.header_max ? size : http->server->limits.header_max;
        if (!take(peer, data, part))
            break;
        data += part;
        size -= part;
    }
    peer_release(peer);
}

/* The request has not come whole in time, headers and body; or nobody has asked for too long. */
static void on_late(struct peer *peer) {
    struct http *http = peer->user;
    if (http->filled > 0 && !http->pending)
        give_up(peer, "TIMEOUT", "The request took too long");
    else
        peer_close(peer);
}

static void on_closed(struct peer *peer) {
    /* The request may still be read by whoever answers it. */
}

static void on_freed(struct peer *peer) {
    struct http *http = peer->user;
    drop_input(http);
    free(http);
}

static const struct peer_speaker speaker = {
    .data = on_data, .go_on = run, .late = on_late, .closed = on_closed, .freed = on_freed};

const struct peer_speaker *http_speaker(void) {
    return &speaker;
}

void http_speak(struct peer *peer, struct http_server *server) {
    struct http *http = reserve_calloc(1, sizeof *http);
    http->server = server;
    peer->user = http;
    peer->speaker = &speaker;
    begin_next(peer);
}

void http_upgrade(struct peer *peer, const char *accept, const struct peer_speaker *next,
                  void *user) {
    struct http *http = peer->user;
    char top[256];
    int length = snprintf(top, sizeof top,
                          "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                          "Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
                          accept);
    ensure(length > 0 && (size_t)length < sizeof top);
    tell_answered(peer, 101, (size_t)length);
    peer_send(peer, packet_copy(top, (size_t)length));
    peer->speaker = next;
    peer->user = user;
    peer_never_late(peer);
    if (http->filled > http->parsed && !peer->closing)
        next->data(peer, http->buffer + http->parsed, http->filled - http->parsed);
    if (http->later_size > 0 && !peer->closing)
        next->data(peer, http->later, http->later_size);
    drop_input(http);
    free(http);
    peer_release(peer);
}
