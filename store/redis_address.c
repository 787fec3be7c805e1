/* Where a Redis server is, and connecting to it. */
#define _DEFAULT_SOURCE
#include "store/redis.h"

#include "engine/ensure.h"
#include <string.h>

static const char tcp_start[] = "redis://", unix_start[] = "unix://";

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

bool redis_is_address(const char *where) {
    return starts_with(where, tcp_start) || starts_with(where, unix_start);
}

static bool copy_part(char *out, size_t size, const char *from, const char *end) {
    size_t length = (size_t)(end - from);
    if (length >= size)
        return false;
    memcpy(out, from, length);
    out[length] = '\0';
    return true;
}

static bool read_number(const char *from, const char *end, int max, int *out) {
    int number = 0;
    if (from == end)
        return false;
    for (; from < end; from++) {
        if (*from < '0' || *from > '9' || (number = 10 * number + (*from - '0')) > max)
            return false;
    }
    *out = number;
    return true;
}

/* Decodes the characters that cannot stand in an address as they are, such as %40 for @. */
static bool decode_part(char *out, size_t size, const char *from, const char *end) {
    size_t length = 0;
    for (; from < end; from++) {
        uint8_t c = (uint8_t)*from;
        if (c == '%') {
            if (end - from < 3 || !span_hex((struct span){from + 1, 2}, &c, 1))
                return false;
            from += 2;
        }
        if (c == '\0' || length + 1 >= size)
            return false;
        out[length++] = (char)c;
    }
    out[length] = '\0';
    return true;
}

static bool read_user(const char *from, const char *end, struct redis_address *out) {
    const char *colon = memchr(from, ':', (size_t)(end - from));
    return decode_part(out->user, sizeof out->user, from, colon ? colon : end) &&
           (!colon || decode_part(out->password, sizeof out->password, colon + 1, end));
}

/* HOST or HOST:PORT; an address of IPv6 stands in brackets. */
static bool read_host(const char *from, const char *end, struct redis_address *out) {
    const char *host = from, *host_end = end, *colon = end;
    if (*from == '[') {
        const char *close = memchr(from, ']', (size_t)(end - from));
        if (!close || (close + 1 < end && close[1] != ':'))
            return false;
        host = from + 1;
        host_end = close;
        colon = close + 1;
    } else {
        while (colon > from && *colon != ':')
            colon--;
        if (*colon != ':')
            colon = end;
        host_end = colon;
    }
    out->port = 6379;
    return host < host_end && copy_part(out->host, sizeof out->host, host, host_end) &&
           (colon == end || read_number(colon + 1, end, 65535, &out->port)) && out->port > 0;
}

static bool read_tcp(const char *from, struct redis_address *out) {
    const char *at = strrchr(from, '@');
    if (at && !read_user(from, at, out))
        return false;
    from = at ? at + 1 : from;
    const char *slash = strchr(from, '/'), *end = slash ? slash : from + strlen(from);
    return read_host(from, end, out) &&
           (!slash || !slash[1] ||
            read_number(slash + 1, slash + strlen(slash), 9999, &out->database));
}

static bool read_unix(const char *from, struct redis_address *out) {
    const char *mark = strchr(from, '?'), *end = mark ? mark : from + strlen(from);
    return *from == '/' && copy_part(out->host, sizeof out->host, from, end) &&
           (!mark || read_number(mark + 1, mark + strlen(mark), 9999, &out->database));
}

bool redis_read_address(const char *where, struct redis_address *out, struct refusal *why) {
    *out = (struct redis_address){0};
    bool good = starts_with(where, tcp_start) ? read_tcp(where + strlen(tcp_start), out)
                                              : read_unix(where + strlen(unix_start), out);
    char shown[REDIS_HOST_SIZE];
    store_show(where, shown, sizeof shown);
    return good || refuse(why, "STORE_UNUSABLE", "No address of a Redis server: %s", shown);
}

bool redis_same_address(const struct redis_address *a, const struct redis_address *b) {
    return a->port == b->port && strcmp(a->host, b->host) == 0;
}

bool redis_move_address(struct span text, struct redis_address *out) {
    const char *end = text.data + text.length, *colon = end;
    while (colon > text.data && colon[-1] != ':')
        colon--;
    if (colon == text.data || !read_number(colon, end, 65535, &out->port))
        return false;
    return colon - 1 == text.data || copy_part(out->host, sizeof out->host, text.data, colon - 1);
}

/* ---- Connecting ---- */

static struct timeval time_of(int ms) {
    return (struct timeval){.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};
}

bool redis_is_fine(redisContext *context, redisReply *reply, struct refusal *why) {
    bool fine = reply && reply->type != REDIS_REPLY_ERROR;
    if (!fine)
        refuse(why, "UNAVAILABLE", "Redis says: %s", reply ? reply->str : context->errstr);
    freeReplyObject(reply);
    return fine;
}

static bool introduce(redisContext *context, const struct redis_address *address,
                      struct refusal *why) {
    if (*address->password) {
        redisReply *reply =
            *address->user ? redisCommand(context, "AUTH %s %s", address->user, address->password)
                           : redisCommand(context, "AUTH %s", address->password);
        if (!redis_is_fine(context, reply, why))
            return false;
    }
    return redis_is_fine(context, redisCommand(context, "SELECT %d", address->database), why);
}

redisContext *redis_connect(const struct redis_address *address, int wait_ms, struct refusal *why) {
    redisContext *context =
        address->port > 0 ? redisConnectWithTimeout(address->host, address->port, time_of(wait_ms))
                          : redisConnectUnixWithTimeout(address->host, time_of(wait_ms));
    ensure(context);
    if (context->err != 0)
        refuse(why, "UNAVAILABLE", "Redis cannot be reached: %s", context->errstr);
    else if (redisSetTimeout(context, time_of(wait_ms)) == REDIS_OK &&
             introduce(context, address, why))
        return context;
    redisFree(context);
    return NULL;
}
