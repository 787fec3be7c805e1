/* The Redis backend: for programs on several machines that serve the same worlds. A batch is one
 * pipeline on one connection; what belongs together is one script on the server.
 *
 * A transaction of a batch as a whole there is not: each request succeeds or fails by itself. When
 * the connection breaks, what was sent and not answered may have been done. It is sent again, and
 * an append that finds its own lines where it wanted to write them knows that it was done. If that
 * does not succeed in time, the answer is STORE_UNKNOWN, never a false yes or no. */
#define _DEFAULT_SOURCE
#include "store/redis.h"

#include "engine/ensure.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum {
    PIPELINE_MAX = 512,
    ANSWER_MS = 2000,  /* how long to wait for the server */
    RESOLVE_MS = 2500, /* how long to try to learn what became of a request */
    RETRY_MS = 50
};

struct redis {
    struct redis_address address;
    struct redis_sender sender;
    redisContext *context; /* null: not connected */
    int64_t rest_until_ms; /* no new try to connect before */
    struct refusal trouble;
    struct redis_feed *feed; /* the loop's */
    char secret[REDIS_HASH_SIZE];
    size_t count; /* requests that were not sent yet */
    struct {
        struct request *request;
        struct arena *arena;
    } waiting[PIPELINE_MAX];
};

static int64_t steady_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void rest(int ms) {
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000L}, NULL);
}

/* ---- Addresses ---- */

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

static bool read_user(const char *from, const char *end, struct redis_address *out) {
    const char *colon = memchr(from, ':', (size_t)(end - from));
    return copy_part(out->user, sizeof out->user, from, colon ? colon : end) &&
           (!colon || copy_part(out->password, sizeof out->password, colon + 1, end));
}

static bool read_tcp(const char *from, struct redis_address *out) {
    const char *slash = strchr(from, '/'), *end = slash ? slash : from + strlen(from);
    const char *at = memchr(from, '@', (size_t)(end - from));
    if (at && !read_user(from, at, out))
        return false;
    from = at ? at + 1 : from;
    const char *colon = end;
    while (colon > from && *colon != ':')
        colon--;
    if (*from == ':' || colon == from || *colon != ':')
        colon = end;
    out->port = 6379;
    return from < colon && copy_part(out->host, sizeof out->host, from, colon) &&
           (colon == end || read_number(colon + 1, end, 65535, &out->port)) && out->port > 0 &&
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
    return good || refuse(why, 503, "STORE_UNUSABLE", "No address of a Redis server: %s", where);
}

/* ---- Connecting ---- */

static struct timeval time_of(int ms) {
    return (struct timeval){.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};
}

/* Frees the reply; false with the server's words. */
static bool is_fine(redisContext *context, redisReply *reply, struct refusal *why) {
    bool fine = reply && reply->type != REDIS_REPLY_ERROR;
    if (!fine)
        refuse(why, 503, "UNAVAILABLE", "Redis says: %s", reply ? reply->str : context->errstr);
    freeReplyObject(reply);
    return fine;
}

static bool introduce(redisContext *context, const struct redis_address *address,
                      struct refusal *why) {
    if (*address->password) {
        redisReply *reply =
            *address->user ? redisCommand(context, "AUTH %s %s", address->user, address->password)
                           : redisCommand(context, "AUTH %s", address->password);
        if (!is_fine(context, reply, why))
            return false;
    }
    return is_fine(context, redisCommand(context, "SELECT %d", address->database), why);
}

redisContext *redis_connect(const struct redis_address *address, int wait_ms, struct refusal *why) {
    redisContext *context =
        address->port > 0 ? redisConnectWithTimeout(address->host, address->port, time_of(wait_ms))
                          : redisConnectUnixWithTimeout(address->host, time_of(wait_ms));
    ensure(context);
    if (context->err != 0)
        refuse(why, 503, "UNAVAILABLE", "Redis cannot be reached: %s", context->errstr);
    else if (redisSetTimeout(context, time_of(wait_ms)) == REDIS_OK &&
             introduce(context, address, why))
        return context;
    redisFree(context);
    return NULL;
}

static void disconnect(struct redis *redis) {
    if (redis->context)
        redisFree(redis->context);
    redis->context = NULL;
}

/* A server that has just started knows no scripts. */
static bool teach(struct redis *redis, struct refusal *why) {
    for (int i = 0; i < SCRIPTS; i++)
        redisAppendCommand(redis->context, "SCRIPT LOAD %s", redis_scripts[i]);
    for (int i = 0; i < SCRIPTS; i++) {
        redisReply *reply = NULL;
        redisGetReply(redis->context, (void **)&reply);
        if (reply && reply->type == REDIS_REPLY_STRING && reply->len == REDIS_HASH_SIZE - 1)
            memcpy(redis->sender.hash[i], reply->str, REDIS_HASH_SIZE);
        if (!is_fine(redis->context, reply, why))
            return false;
    }
    return true;
}

static bool connect_now(struct redis *redis, struct refusal *why) {
    redis->context = redis_connect(&redis->address, ANSWER_MS, why);
    if (redis->context && teach(redis, why))
        return true;
    disconnect(redis);
    redis->trouble = *why;
    redis->rest_until_ms = steady_ms() + RETRY_MS;
    return false;
}

/* ---- A pipeline ---- */

/* What the server says when it did nothing and will do nothing for now. */
static bool did_nothing(const char *text) {
    static const char *const words[] = {"READONLY",    "LOADING",    "MASTERDOWN", "OOM",
                                        "MISCONF",     "NOREPLICAS", "BUSY",       "NOPERM",
                                        "CLUSTERDOWN", "MOVED",      "NOAUTH"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (starts_with(text, words[i]))
            return true;
    return false;
}

static void fail(struct request *request, bool unknown, const char *text) {
    bool writes = request_writes(request->kind);
    request->reply =
        (struct store_reply){.outcome = unknown && writes ? STORE_UNKNOWN : STORE_FAILED};
    refuse(&request->reply.why, 503, "UNAVAILABLE", "Redis: %s", text);
}

/* Also an error is an answer. False: the connection is of no use any more. */
static bool take_reply(struct redis *redis, size_t i, const redisReply *reply) {
    struct request *request = redis->waiting[i].request;
    request->reply = (struct store_reply){.outcome = STORE_OK};
    if (reply->type != REDIS_REPLY_ERROR) {
        if (!redis_read_reply(request, reply, redis->waiting[i].arena))
            fail(request, true, "an answer that nobody understands");
        return true;
    }
    fail(request, !did_nothing(reply->str), reply->str);
    return !starts_with(reply->str, "READONLY") && !starts_with(reply->str, "LOADING") &&
           !starts_with(reply->str, "MASTERDOWN");
}

static void send_from(struct redis *redis, size_t from, bool again) {
    for (size_t i = from; i < redis->count; i++) {
        struct redis_command command = {.arena = redis->waiting[i].arena};
        redis_write_command(&redis->sender, redis->waiting[i].request, again, &command);
        redisAppendCommandArgv(redis->context, command.count, command.part, command.length);
    }
}

/* Gives how many of the pipeline are answered by now; with fewer than all the connection is gone.
 * A server that has forgotten the scripts learns them when it is connected to. */
static size_t exchange(struct redis *redis, size_t from, bool again) {
    bool useful = true;
    send_from(redis, from, again);
    while (from < redis->count) {
        redisReply *reply = NULL;
        if (redisGetReply(redis->context, (void **)&reply) != REDIS_OK || !reply) {
            refuse(&redis->trouble, 503, "UNAVAILABLE", "Redis: %s", redis->context->errstr);
            break;
        }
        bool forgot = reply->type == REDIS_REPLY_ERROR && starts_with(reply->str, "NOSCRIPT");
        if (!forgot)
            useful = take_reply(redis, from, reply) && useful;
        freeReplyObject(reply);
        if (forgot)
            break;
        from++;
    }
    if (from < redis->count || !useful)
        disconnect(redis);
    return from;
}

/* What must not be done twice, and would be. */
static bool may_repeat(const struct request *request) {
    return request->kind != REQUEST_ARCHIVE && request->kind != REQUEST_CLAIM &&
           request->kind != REQUEST_SAY;
}

static size_t give_up_unrepeatable(struct redis *redis, size_t from) {
    size_t kept = from;
    for (size_t i = from; i < redis->count; i++) {
        if (may_repeat(redis->waiting[i].request))
            redis->waiting[kept++] = redis->waiting[i];
        else
            fail(redis->waiting[i].request, true, redis->trouble.text);
    }
    return kept;
}

static void flush(struct redis *redis) {
    int64_t end_ms = steady_ms() + RESOLVE_MS;
    size_t answered = 0;
    for (bool again = false; answered < redis->count; again = true) {
        if (redis->context)
            answered = exchange(redis, answered, again);
        if (answered == redis->count || steady_ms() >= end_ms)
            break;
        redis->count = give_up_unrepeatable(redis, answered);
        struct refusal why;
        if (!redis->context && !connect_now(redis, &why))
            rest(RETRY_MS);
    }
    for (; answered < redis->count; answered++)
        fail(redis->waiting[answered].request, true, redis->trouble.text);
    redis->count = 0;
}

/* ---- The backend ---- */

static bool begin(void *self, bool writes, struct refusal *why) {
    struct redis *redis = self;
    (void)writes;
    if (redis->context)
        return true;
    if (steady_ms() >= redis->rest_until_ms)
        return connect_now(redis, why);
    *why = redis->trouble;
    return false;
}

static bool run(void *self, struct request *request, struct arena *arena, struct refusal *why) {
    struct redis *redis = self;
    (void)why;
    redis->waiting[redis->count].request = request;
    redis->waiting[redis->count++].arena = arena;
    if (redis->count == PIPELINE_MAX)
        flush(redis);
    return true;
}

static bool commit(void *self, struct refusal *why) {
    (void)why;
    flush(self);
    return true;
}

static void undo(void *self) {
    ((struct redis *)self)->count = 0;
}

static void close_redis(void *self) {
    disconnect(self);
    free(self);
}

static void listen_to(void *self, void *loop, const struct store_listener *listener) {
    struct redis *redis = self;
    redis->feed = redis_feed_open(&redis->address, redis->sender.tag, loop, listener);
}

static void deafen(void *self) {
    struct redis *redis = self;
    if (redis->feed)
        redis_feed_close(redis->feed);
    redis->feed = NULL;
}

static void watch(void *self, struct span code, bool on) {
    struct redis *redis = self;
    if (redis->feed && on)
        redis_feed_watch(redis->feed, code);
    else if (redis->feed)
        redis_feed_unwatch(redis->feed, code);
}

static const char *secret(void *self) {
    return ((struct redis *)self)->secret;
}

static const struct backend redis_backend = {.begin = begin,
                                             .run = run,
                                             .commit = commit,
                                             .undo = undo,
                                             .close = close_redis,
                                             .listen = listen_to,
                                             .deafen = deafen,
                                             .watch = watch,
                                             .secret = secret};

/* The first of all programs chooses it. */
static bool agree_on_secret(struct redis *redis, struct refusal *why) {
    uint8_t bytes[(REDIS_HASH_SIZE - 1) / 2];
    char hex[REDIS_HASH_SIZE];
    struct text text;
    ensure(getrandom(bytes, sizeof bytes, 0) == sizeof bytes);
    text_begin(&text, hex, sizeof hex);
    text_hex(&text, bytes, sizeof bytes);
    redisReply *reply = redisCommand(redis->context, "SET oyster:secret %s NX", hex);
    if (!is_fine(redis->context, reply, why))
        return false;
    reply = redisCommand(redis->context, "GET oyster:secret");
    if (reply && reply->type == REDIS_REPLY_STRING && reply->len < sizeof redis->secret)
        memcpy(redis->secret, reply->str, reply->len + 1);
    return is_fine(redis->context, reply, why);
}

static void make_tag(struct redis *redis, const char *node) {
    uint32_t number;
    ensure(getrandom(&number, sizeof number, 0) == sizeof number);
    snprintf(redis->sender.tag, sizeof redis->sender.tag, "%.32s-%08x", node ? node : "node",
             (unsigned)number);
}

bool redis_open(const struct store_config *config, struct backing *out, struct refusal *why) {
    struct redis *redis = calloc(1, sizeof *redis);
    ensure(redis);
    *out = (struct backing){&redis_backend, redis};
    make_tag(redis, config->node);
    bool open = redis_read_address(config->where, &redis->address, why);
    redis->sender.database = redis->address.database;
    open = open && connect_now(redis, why) && agree_on_secret(redis, why);
    if (!open)
        close_redis(redis);
    return open;
}
