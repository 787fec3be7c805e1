/* Connections to Redis for those who may wait: at the start, and to ask Sentinel where the master
 * is. */
#define _DEFAULT_SOURCE
#include "store/redis.h"

#include "engine/ensure.h"
#include <stdio.h>
#include <string.h>

static struct timeval time_of(int ms) {
    return (struct timeval){.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};
}

bool redis_is_fine(redisContext *context, redisReply *reply, struct refusal *why) {
    bool fine = reply && reply->type != REDIS_REPLY_ERROR;
    if (!fine)
        refuse(why, "UNAVAILABLE", "Redis says: %s", reply ? reply->str : redis_trouble(context));
    freeReplyObject(reply);
    return fine;
}

/* A connection on which nothing was said yet. */
static redisContext *reach(const struct redis_address *address, int wait_ms, struct refusal *why) {
    redisContext *context =
        address->port > 0 ? redisConnectWithTimeout(address->host, address->port, time_of(wait_ms))
                          : redisConnectUnixWithTimeout(address->host, time_of(wait_ms));
    ensure(context);
    if (context->err != 0)
        refuse(why, "UNAVAILABLE", "Redis cannot be reached: %s", context->errstr);
    else if (redisSetTimeout(context, time_of(wait_ms)) != REDIS_OK)
        refuse(why, "UNAVAILABLE", "Redis cannot be waited for: %s", context->errstr);
    else if (!address->tls || redis_tls_begin(context, address, why))
        return context;
    redisFree(context);
    return NULL;
}

static bool authenticate(redisContext *context, const struct redis_address *address,
                         struct refusal *why) {
    return redis_is_fine(context,
                         *address->user
                             ? redisCommand(context, "AUTH %s %s", address->user, address->password)
                             : redisCommand(context, "AUTH %s", address->password),
                         why);
}

redisContext *redis_connect(const struct redis_address *address, int wait_ms, struct refusal *why) {
    struct redis_address found;
    if (*address->master) {
        if (!redis_ask_sentinels(address, wait_ms, &found, why))
            return NULL;
        address = &found;
    }
    redisContext *context = reach(address, wait_ms, why);
    if (context && (!*address->password || authenticate(context, address, why)) &&
        redis_is_fine(context, redisCommand(context, "SELECT %d", address->database), why))
        return context;
    if (context && context->err != 0 && address->tls && !*address->certificate)
        refuse(
            why, "UNAVAILABLE",
            "Redis ends the connection: %s. If it wants a certificate, cert=FILE&key=FILE in the "
            "address names one",
            redis_trouble(context));
    if (context)
        redisFree(context);
    return NULL;
}

/* ---- Sentinel ---- */

/* A Sentinel that wants to know who asks is told the same as the server. */
static redisReply *ask_for_master(redisContext *context, const struct redis_address *address,
                                  struct refusal *why) {
    static const char question[] = "SENTINEL GET-MASTER-ADDR-BY-NAME %s";
    redisReply *reply = redisCommand(context, question, address->master);
    if (reply && reply->type == REDIS_REPLY_ERROR && *address->password &&
        strncmp(reply->str, "NOAUTH", strlen("NOAUTH")) == 0) {
        freeReplyObject(reply);
        reply = authenticate(context, address, why)
                    ? redisCommand(context, question, address->master)
                    : NULL;
    }
    return reply;
}

/* Two texts: the host and the port. */
static bool take_master(const redisReply *reply, struct redis_address *out) {
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 2 ||
        reply->element[0]->type != REDIS_REPLY_STRING || reply->element[0]->len == 0 ||
        reply->element[0]->len >= sizeof out->host || reply->element[1]->type != REDIS_REPLY_STRING)
        return false;
    char port[16];
    snprintf(out->host, sizeof out->host, "%s", reply->element[0]->str);
    snprintf(port, sizeof port, ":%.8s", reply->element[1]->str);
    return redis_move_address(span_of(port), out) && out->port > 0;
}

static bool ask_one(const struct redis_address *sentinel, const struct redis_address *address,
                    int wait_ms, struct redis_address *out, struct refusal *why) {
    redisContext *context = reach(sentinel, wait_ms, why);
    redisReply *reply = context ? ask_for_master(context, address, why) : NULL;
    bool found = reply && take_master(reply, out);
    if (!found && context && redis_is_fine(context, reply, why))
        refuse(why, "UNAVAILABLE", "Sentinel knows no master called %s", address->master);
    else if (found)
        freeReplyObject(reply);
    if (context)
        redisFree(context);
    return found;
}

bool redis_ask_sentinels(const struct redis_address *address, int wait_ms,
                         struct redis_address *out, struct refusal *why) {
    const char *list = address->sentinels;
    struct redis_address sentinel = *address;
    *out = *address;
    out->master[0] = '\0';
    while (redis_next_sentinel(&list, &sentinel))
        if (ask_one(&sentinel, address, wait_ms, out, why))
            return true;
    return false;
}
