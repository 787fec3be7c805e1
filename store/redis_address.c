/* Where a Redis server is. */
#include "store/redis.h"

#include <string.h>

enum { PORT = 6379, SENTINEL_PORT = 26379 };

static bool read_server(const char *from, struct redis_address *out);
static bool read_sentinels(const char *from, struct redis_address *out);
static bool read_unix(const char *from, struct redis_address *out);

static const struct way {
    const char *start;
    bool (*read)(const char *from, struct redis_address *out);
    bool tls;
} ways[] = {
    {"redis://", read_server, false},
    {"rediss://", read_server, true},
    {"redis+sentinel://", read_sentinels, false},
    {"rediss+sentinel://", read_sentinels, true},
    {"unix://", read_unix, false},
};

/* Null: this is no address of a Redis server. */
static const struct way *way_of(const char *where) {
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strncmp(where, ways[i].start, strlen(ways[i].start)) == 0)
            return &ways[i];
    return NULL;
}

bool redis_is_address(const char *where) {
    return way_of(where) != NULL;
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
static bool read_host(const char *from, const char *end, int port, struct redis_address *out) {
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
    out->port = port;
    return host < host_end && copy_part(out->host, sizeof out->host, host, host_end) &&
           (colon == end || read_number(colon + 1, end, 65535, &out->port)) && out->port > 0;
}

/* `ca=FILE&cert=FILE`... */
static bool read_choices(const char *from, struct redis_address *out) {
    const struct {
        const char *start;
        char *value;
    } choices[] = {{"ca=", out->authorities},
                   {"cert=", out->certificate},
                   {"key=", out->key},
                   {"name=", out->name}};
    for (bool more = true; more;) {
        const char *end = strchr(from, '&');
        char *value = NULL;
        more = end != NULL;
        end = more ? end : from + strlen(from);
        for (size_t i = 0; !value && i < sizeof choices / sizeof *choices; i++) {
            if (strncmp(from, choices[i].start, strlen(choices[i].start)) == 0) {
                value = choices[i].value;
                from += strlen(choices[i].start);
            }
        }
        if (!value || *value || from == end || !decode_part(value, REDIS_WORD_SIZE, from, end))
            return false;
        from = end + 1;
    }
    return (*out->certificate != '\0') == (*out->key != '\0');
}

/* What stands around the servers: who asks, and behind `end` the database and the choices. */
static bool read_around(const char **from, const char **end, struct redis_address *out) {
    const char *at = strrchr(*from, '@');
    if (at && !read_user(*from, at, out))
        return false;
    *from = at ? at + 1 : *from;
    const char *mark = strchr(*from, '?');
    *end = mark ? mark : *from + strlen(*from);
    return !mark || (out->tls && read_choices(mark + 1, out));
}

static bool read_database(const char *slash, const char *end, struct redis_address *out) {
    return !slash || slash + 1 == end || read_number(slash + 1, end, 9999, &out->database);
}

static bool read_server(const char *from, struct redis_address *out) {
    const char *end;
    if (!read_around(&from, &end, out))
        return false;
    const char *slash = memchr(from, '/', (size_t)(end - from));
    return read_host(from, slash ? slash : end, PORT, out) && read_database(slash, end, out);
}

bool redis_next_sentinel(const char **list, struct redis_address *out) {
    const char *from = *list, *comma = strchr(from, ','), *end = comma ? comma : strchr(from, '\0');
    *list = comma ? comma + 1 : end;
    return *from && read_host(from, end, SENTINEL_PORT, out);
}

static bool read_sentinels(const char *from, struct redis_address *out) {
    const char *end, *list = out->sentinels;
    struct redis_address sentinel;
    if (!read_around(&from, &end, out))
        return false;
    const char *slash = memchr(from, '/', (size_t)(end - from)), *name = slash ? slash + 1 : end;
    const char *second = memchr(name, '/', (size_t)(end - name));
    if (!slash || !copy_part(out->sentinels, sizeof out->sentinels, from, slash) ||
        !decode_part(out->master, sizeof out->master, name, second ? second : end))
        return false;
    out->port = SENTINEL_PORT;
    do {
        if (!redis_next_sentinel(&list, &sentinel))
            return false;
    } while (*list);
    return *out->master && slash[-1] != ',' && read_database(second, end, out);
}

static bool read_unix(const char *from, struct redis_address *out) {
    const char *mark = strchr(from, '?'), *end = mark ? mark : from + strlen(from);
    return *from == '/' && copy_part(out->host, sizeof out->host, from, end) &&
           (!mark || read_number(mark + 1, mark + strlen(mark), 9999, &out->database));
}

bool redis_read_address(const char *where, struct redis_address *out, struct refusal *why) {
    const struct way *way = way_of(where);
    char shown[REDIS_HOST_SIZE];
    *out = (struct redis_address){.tls = way && way->tls};
    if (!way || !way->read(where + strlen(way->start), out)) {
        store_show(where, shown, sizeof shown);
        return refuse(why, "STORE_UNUSABLE", "No address of a Redis server: %s", shown);
    }
    return !way->tls || redis_has_tls() ||
           refuse(why, "STORE_UNUSABLE",
                  "Redis with TLS (%s) cannot be used: this program was built without it, as "
                  "hiredis before 1.0 has none. Use a tunnel such as stunnel, and redis:// to it",
                  way->start);
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
