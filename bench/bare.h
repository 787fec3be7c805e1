/* The least that a store of logs can ask of Redis: compare a length, append a line, set a due time
 * and publish. What the store and the server do on Redis is measured against it. */
#pragma once

#include <hiredis/hiredis.h>
#include <stdbool.h>
#include <stdio.h>

/* Programs that use the script for something else take worlds from this number on. */
enum { BARE_WORLDS = 1000 };

static const char bare_line[] = "1731658004711~9f2c40d1e8aa0b17 2 meld KH KS 2C / QH QD QS";
static const char bare_script[] =
    "if redis.call('LLEN', KEYS[1]) ~= tonumber(ARGV[1]) then return 0 end\n"
    "redis.call('RPUSH', KEYS[1], ARGV[2])\n"
    "redis.call('ZADD', KEYS[2], ARGV[3], KEYS[1])\n"
    "redis.call('PUBLISH', KEYS[1], ARGV[2])\n"
    "return 1\n";

struct bare {
    redisContext *context;
    char hash[41];
};

/* False: the server does not answer. */
static inline bool bare_open(struct bare *bare, const char *socket) {
    bare->context = redisConnectUnix(socket);
    redisReply *reply =
        bare->context->err == 0 ? redisCommand(bare->context, "SCRIPT LOAD %s", bare_script) : NULL;
    bool good = reply && reply->type == REDIS_REPLY_STRING;
    if (good)
        snprintf(bare->hash, sizeof bare->hash, "%s", reply->str);
    freeReplyObject(reply);
    return good;
}

/* Sends one more line for that world, which has so many; the answer comes later. */
static inline void bare_append(struct bare *bare, int world, long long version, long long due_ms) {
    redisAppendCommand(bare->context, "EVALSHA %s 2 bare:%d bare:due %lld %s %lld", bare->hash,
                       world, version, bare_line, due_ms);
}

static inline bool bare_answer(struct bare *bare) {
    redisReply *reply = NULL;
    bool good = redisGetReply(bare->context, (void **)&reply) == REDIS_OK && reply->integer == 1;
    freeReplyObject(reply);
    return good;
}
