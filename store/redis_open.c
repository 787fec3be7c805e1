/* Opening: whether a Redis server is fit to keep worlds, what it is a part of, and what all
 * programs that share it agree on. This happens once, before the loop runs, and may wait. */
#define _DEFAULT_SOURCE
#include "store/redis.h"

#include "engine/ensure.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum { WAIT_MS = 2000 };

static void add_address(struct redis_meeting *meeting, const struct redis_address *address) {
    for (int i = 0; i < meeting->address_count; i++)
        if (redis_same_address(&meeting->addresses[i], address))
            return;
    if (meeting->address_count < REDIS_LINKS_MAX)
        meeting->addresses[meeting->address_count++] = *address;
}

/* Which servers a cluster has, from the first. */
static bool meet_cluster(struct redis_meeting *meeting, redisContext *context,
                         struct refusal *why) {
    redisReply *reply = redisCommand(context, "CLUSTER SLOTS");
    for (size_t i = 0; reply && reply->type == REDIS_REPLY_ARRAY && i < reply->elements; i++) {
        const redisReply *range = reply->element[i];
        for (size_t n = 2; n < range->elements; n++) {
            const redisReply *node = range->element[n];
            struct redis_address address = meeting->addresses[0];
            if (node->elements < 2 || node->element[1]->type != REDIS_REPLY_INTEGER)
                continue;
            if (node->element[0]->type == REDIS_REPLY_STRING && node->element[0]->len > 0)
                snprintf(address.host, sizeof address.host, "%s", node->element[0]->str);
            address.port = (int)node->element[1]->integer;
            add_address(meeting, &address);
        }
    }
    return redis_is_fine(context, reply, why);
}

/* Refuses a server that evicts any key when its memory is full: it would evict worlds. */
static bool check_eviction(redisContext *context, struct refusal *why) {
    redisReply *reply = redisCommand(context, "INFO memory");
    const char *text = reply && reply->type == REDIS_REPLY_STRING ? reply->str : "";
    bool evicts = strstr(text, "maxmemory_policy:allkeys") && !strstr(text, "\nmaxmemory:0\r");
    if (!redis_is_fine(context, reply, why))
        return false;
    return !evicts || refuse(why, "STORE_UNUSABLE",
                             "Redis throws keys away when its memory is full; "
                             "set maxmemory-policy to noeviction");
}

static bool look_for_cluster(struct redis_meeting *meeting, redisContext *context,
                             struct refusal *why) {
    redisReply *reply = redisCommand(context, "INFO cluster");
    bool found = reply && reply->type == REDIS_REPLY_STRING &&
                 strstr(reply->str, "cluster_enabled:1") != NULL;
    if (!redis_is_fine(context, reply, why))
        return false;
    meeting->sender.shards = found ? REDIS_SHARDS : 1;
    if (found && meeting->sender.database != 0)
        return refuse(why, "STORE_UNUSABLE", "A Redis Cluster has database 0 only");
    return !found || meet_cluster(meeting, context, why);
}

/* Tries to publish, because without that right a script would fail after it has written. The
 * channel is this program's alone, lest another program's message be taken for the answer. */
static bool check_channels(const struct redis_sender *sender, redisContext *context,
                           struct refusal *why) {
    char channel[REDIS_CHANNEL_SIZE];
    redis_channel(sender->database, span_of(sender->tag), channel);
    return redis_is_fine(context, redisCommand(context, "PUBLISH %s %s", channel, ""), why) &&
           redis_is_fine(context, redisCommand(context, "SUBSCRIBE %s", channel), why) &&
           redis_is_fine(context, redisCommand(context, "UNSUBSCRIBE %s", channel), why);
}

static bool check_confirm(enum store_confirm confirm, redisContext *context, struct refusal *why) {
    struct refusal words;
    if (confirm != STORE_ON_DISK ||
        redis_is_fine(context, redisCommand(context, "WAITAOF 1 0 1"), &words))
        return true;
    bool old = strstr(words.text, "unknown command") != NULL;
    return refuse(why, "STORE_UNUSABLE", "%s",
                  old ? "store-confirm disk needs WAITAOF, which Redis has from 7.2 on"
                      : words.text);
}

/* ---- The first shard ---- */

/* A connection to its server, which may be another one; null with the reason. */
static redisContext *find_first_shard(const struct redis_meeting *meeting, struct refusal *why) {
    struct redis_address address = meeting->addresses[0];
    for (int i = 0; i < REDIS_MOVES_MAX; i++) {
        redisContext *context = redis_connect(&address, WAIT_MS, why);
        redisReply *reply =
            context ? redisCommand(context, "EXISTS %ssecret", redis_prefix(&meeting->sender, 0))
                    : NULL;
        if (!context)
            return NULL;
        bool moved =
            reply && reply->type == REDIS_REPLY_ERROR && string_begins(reply->str, "MOVED ");
        const char *to = moved ? strrchr(reply->str, ' ') : NULL;
        bool led = to && redis_move_address(span_of(to + 1), &address);
        if (!moved && redis_is_fine(context, reply, why))
            return context;
        if (moved)
            freeReplyObject(reply);
        redisFree(context);
        if (!led)
            break;
    }
    return NULL;
}

/* What all programs that share the store must agree on: the first of them chooses. */
static bool agree_on(const struct redis_meeting *meeting, redisContext *context, const char *what,
                     char value[REDIS_HASH_SIZE], struct refusal *why) {
    const char *prefix = redis_prefix(&meeting->sender, 0);
    if (!redis_is_fine(context, redisCommand(context, "SET %s%s %s NX", prefix, what, value), why))
        return false;
    redisReply *reply = redisCommand(context, "GET %s%s", prefix, what);
    if (reply && reply->type == REDIS_REPLY_STRING && reply->len < REDIS_HASH_SIZE) {
        memcpy(value, reply->str, reply->len + 1);
        return redis_is_fine(context, reply, why);
    }
    return redis_is_fine(context, reply, why) &&
           refuse(why, "UNAVAILABLE", "Redis keeps no %s", what);
}

static bool agree_on_secret(struct redis_meeting *meeting, redisContext *context,
                            struct refusal *why) {
    uint8_t bytes[(REDIS_HASH_SIZE - 1) / 2];
    struct text text;
    ensure(uv_random(NULL, NULL, bytes, sizeof bytes, 0, NULL) == 0);
    text_begin(&text, meeting->secret, sizeof meeting->secret);
    text_hex(&text, bytes, sizeof bytes);
    return agree_on(meeting, context, "secret", meeting->secret, why);
}

bool redis_knows_schema(const char *found, struct refusal *why) {
    int version = atoi(found);
    return version <= REDIS_SCHEMA ||
           refuse(
               why, "STORE_NEWER",
               "The store on Redis was written by a newer Oyster (version %d, this one knows %d)",
               version, REDIS_SCHEMA);
}

/* A store without a version is of the first one, which had no mark. An older one is marked as of
 * this version from now on: scripts take what the older one wrote, person by person. */
static bool check_schema(const struct redis_meeting *meeting, redisContext *context,
                         struct refusal *why) {
    char version[REDIS_HASH_SIZE];
    snprintf(version, sizeof version, "%d", REDIS_SCHEMA);
    return agree_on(meeting, context, "schema", version, why) && redis_knows_schema(version, why) &&
           (atoi(version) == REDIS_SCHEMA ||
            redis_is_fine(context,
                          redisCommand(context, "SET %sschema %d",
                                       redis_prefix(&meeting->sender, 0), REDIS_SCHEMA),
                          why));
}

static bool check_first_shard(struct redis_meeting *meeting, struct refusal *why) {
    redisContext *context = find_first_shard(meeting, why);
    bool good =
        context && check_schema(meeting, context, why) && agree_on_secret(meeting, context, why);
    if (context)
        redisFree(context);
    return good;
}

static void make_tag(struct redis_sender *sender, const char *node) {
    uint32_t number;
    ensure(uv_random(NULL, NULL, &number, sizeof number, 0, NULL) == 0);
    snprintf(sender->tag, sizeof sender->tag, "%.32s-%08x", node ? node : "node", (unsigned)number);
}

bool redis_meet(const struct store_config *config, struct redis_meeting *meeting,
                struct refusal *why) {
    *meeting = (struct redis_meeting){.address_count = 1};
    struct redis_sender *sender = &meeting->sender;
    make_tag(sender, config->node);
    sender->keep_worlds_ms = config->keep_worlds_ms;
    sender->keep_people_ms = config->keep_people_ms;
    sender->shards = 1;
    if (!redis_read_address(config->where, &meeting->addresses[0], why))
        return false;
    sender->database = meeting->addresses[0].database;
    redisContext *context = redis_connect(&meeting->addresses[0], WAIT_MS, why);
    bool good = context && check_channels(sender, context, why) && check_eviction(context, why) &&
                check_confirm(config->confirm, context, why) &&
                look_for_cluster(meeting, context, why);
    if (context)
        redisFree(context);
    return good && check_first_shard(meeting, why);
}
