/* The Redis backend: for programs on several machines that serve the same worlds. A batch is one
 * pipeline to each server it concerns; what belongs together is one script on the server.
 *
 * A transaction of a batch as a whole there is not: each request succeeds or fails by itself. When
 * the connection breaks, what was sent and not answered may have been done. It is sent again, and
 * an append that finds its own lines where it wanted to write them knows that it was done. If that
 * does not succeed in time, the answer is STORE_UNKNOWN, never a false yes or no.
 *
 * In a Redis Cluster each shard is at some server. Whoever is asked in vain says where (MOVED,
 * ASK); of a server that cannot be reached the others know who took its place, so any of them is
 * asked. */
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
    RETRY_MS = 50,
    LOST_MS = 1000,    /* how long a server of a cluster that cannot be reached is left alone */
    CONFIRM_MS = 1500, /* how long a disk or a replica may take */
    MOVES_MAX = 10     /* how often a request is sent elsewhere before it is refused */
};

/* One server. */
struct link {
    struct redis_address address;
    redisContext *context; /* null: not connected */
    int64_t rest_until_ms; /* no new try to connect before */
    bool confirms;         /* it was asked to, after the jobs of this exchange */
};

/* A command on its way: a request, or one shard's part of it. */
struct job {
    struct request *request;
    struct arena *arena;
    int shard;
    int link;          /* where it was sent; -1: nowhere yet */
    int asked;         /* where it is to be sent for once; -1: where the shard is */
    int moves;         /* how often it was sent elsewhere */
    bool tried;        /* was sent and never answered: a server may have done it */
    bool done;         /* answered, or given up */
    redisReply *reply; /* null: it failed, which is in the request */
};

struct redis {
    struct redis_sender sender;
    enum store_confirm confirm;
    struct link links[REDIS_LINKS_MAX]; /* the first is that of the configuration */
    int link_count;
    int home[REDIS_SHARDS]; /* the link of each shard, as far as is known */
    struct refusal trouble;
    struct redis_feed *feed; /* the loop's */
    char secret[REDIS_HASH_SIZE];
    size_t count;
    struct job jobs[PIPELINE_MAX];
};

static int64_t steady_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void rest(int ms) {
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000L}, NULL);
}

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

static bool is_cluster(const struct redis *redis) {
    return redis->sender.shards > 1;
}

/* ---- Connecting ---- */

static void disconnect(struct link *link) {
    if (link->context)
        redisFree(link->context);
    link->context = NULL;
}

/* Loads the scripts into a server, which knows none after it has started. */
static bool teach(struct redis *redis, redisContext *context, struct refusal *why) {
    for (int i = 0; i < SCRIPTS; i++)
        redisAppendCommand(context, "SCRIPT LOAD %s", redis_scripts[i]);
    for (int i = 0; i < SCRIPTS; i++) {
        redisReply *reply = NULL;
        redisGetReply(context, (void **)&reply);
        if (reply && reply->type == REDIS_REPLY_STRING && reply->len == REDIS_HASH_SIZE - 1)
            memcpy(redis->sender.hash[i], reply->str, REDIS_HASH_SIZE);
        if (!redis_is_fine(context, reply, why))
            return false;
    }
    return true;
}

/* Gives the secret to a server that came back empty, because without it the next program would
 * choose another one. Only the server of the first shard keeps it. */
static void remind(const struct redis *redis, redisContext *context) {
    if (*redis->secret)
        freeReplyObject(redisCommand(context, "SET %ssecret %s NX", redis_prefix(&redis->sender, 0),
                                     redis->secret));
}

static bool connect_link(struct redis *redis, struct link *link) {
    if (link->context)
        return true;
    if (steady_ms() < link->rest_until_ms)
        return false;
    link->context = redis_connect(&link->address, ANSWER_MS, &redis->trouble);
    if (link->context && teach(redis, link->context, &redis->trouble)) {
        remind(redis, link->context);
        return true;
    }
    disconnect(link);
    link->rest_until_ms = steady_ms() + (is_cluster(redis) ? LOST_MS : RETRY_MS);
    return false;
}

/* The link to that server, which may be a new one; -1 if there are too many. */
static int find_link(struct redis *redis, const struct redis_address *address) {
    for (int i = 0; i < redis->link_count; i++)
        if (redis_same_address(&redis->links[i].address, address))
            return i;
    if (redis->link_count == REDIS_LINKS_MAX)
        return -1;
    redis->links[redis->link_count] = (struct link){.address = *address};
    return redis->link_count++;
}

/* ---- A cluster ---- */

/* Reads `MOVED 4711 HOST:PORT` or `ASK ...` from that link; -1 if it makes no sense. */
static int link_in(struct redis *redis, int from, const redisReply *reply) {
    struct redis_address address = redis->links[from].address;
    const char *space = strrchr(reply->str, ' ');
    bool good = space && redis_move_address(span_of(space + 1), &address);
    return good ? find_link(redis, &address) : -1;
}

/* Asks another server next time, which may know who has this shard now. */
static void ask_another(struct redis *redis, int shard) {
    redis->home[shard] = (redis->home[shard] + 1) % redis->link_count;
}

/* ---- Answers ---- */

static void fail(struct job *job, bool unknown, const char *text) {
    struct request *request = job->request;
    bool writes = request_writes(request->kind);
    request->reply =
        (struct store_reply){.outcome = unknown && writes ? STORE_UNKNOWN : STORE_FAILED};
    refuse(&request->reply.why, "UNAVAILABLE", "Redis: %s", text);
    job->done = true;
}

/* Is this the answer of a server that does nothing in its present state? Then it is certain that
 * nothing was done. */
static bool did_nothing(const char *text) {
    static const char *const words[] = {"READONLY",    "LOADING", "MASTERDOWN", "OOM",
                                        "MISCONF",     "BUSY",    "NOREPLICAS", "NOPERM",
                                        "CLUSTERDOWN", "NOAUTH"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (starts_with(text, words[i]))
            return true;
    return false;
}

/* True if nothing was done and the job is to be sent again, perhaps to another server. */
static bool goes_elsewhere(struct redis *redis, struct job *job, const redisReply *reply) {
    bool moved = starts_with(reply->str, "MOVED "), ask = starts_with(reply->str, "ASK ");
    if (!moved && !ask && !starts_with(reply->str, "TRYAGAIN"))
        return false;
    int link = moved || ask ? link_in(redis, job->link, reply) : job->link;
    if (link < 0 || ++job->moves > MOVES_MAX)
        fail(job, job->tried, reply->str);
    else if (moved)
        redis->home[job->shard] = link;
    else if (ask)
        job->asked = link;
    return true;
}

/* False if the connection cannot be used any longer. */
static bool take_error(struct redis *redis, struct job *job, const redisReply *reply) {
    if (starts_with(reply->str, "NOSCRIPT")) /* it learns them when it is connected to */
        return false;
    if (goes_elsewhere(redis, job, reply))
        return true;
    fail(job, job->tried || !did_nothing(reply->str), reply->str);
    return !starts_with(reply->str, "READONLY") && !starts_with(reply->str, "LOADING") &&
           !starts_with(reply->str, "MASTERDOWN");
}

/* ---- A pipeline ---- */

static void send_job(struct redis *redis, struct job *job) {
    int at = job->asked >= 0 ? job->asked : redis->home[job->shard];
    struct link *link = &redis->links[at];
    job->link = -1;
    if (!connect_link(redis, link)) {
        job->asked = -1;
        if (is_cluster(redis)) {
            ask_another(redis, job->shard);
            if (++job->moves > MOVES_MAX && !job->tried)
                fail(job, false, redis->trouble.text);
        }
        return;
    }
    if (job->asked >= 0)
        redisAppendCommand(link->context, "ASKING");
    struct redis_command command = {.arena = job->arena};
    redis_write_command(&redis->sender, job->request, job->shard, job->tried, &command);
    redisAppendCommandArgv(link->context, command.count, command.part, command.length);
    job->link = at;
}

/* Writes must last, and so must a log that somebody reads, because an answer may depend on it. */
static bool must_be_confirmed(const struct redis *redis, const struct request *request) {
    return redis->confirm != STORE_WRITTEN && request->kind != REQUEST_SAY &&
           (request_writes(request->kind) || request->kind == REQUEST_LOAD);
}

static void ask_to_confirm(struct redis *redis) {
    for (size_t i = 0; i < redis->count; i++) {
        const struct job *job = &redis->jobs[i];
        if (!job->done && job->link >= 0 && must_be_confirmed(redis, job->request))
            redis->links[job->link].confirms = true;
    }
    for (int i = 0; i < redis->link_count; i++)
        if (redis->links[i].confirms)
            redisAppendCommand(redis->links[i].context,
                               redis->confirm == STORE_ON_DISK ? "WAITAOF 1 0 %d" : "WAIT 1 %d",
                               CONFIRM_MS);
}

/* Sends to all servers before it waits for any of them. */
static void send_all(struct redis *redis) {
    for (size_t i = 0; i < redis->count; i++)
        if (redis->jobs[i].done)
            redis->jobs[i].link = -1; /* of an exchange before */
        else
            send_job(redis, &redis->jobs[i]);
    ask_to_confirm(redis);
    for (int i = 0; i < redis->link_count; i++) {
        redisContext *context = redis->links[i].context;
        for (int sent = 0; context && !sent;)
            if (redisBufferWrite(context, &sent) != REDIS_OK)
                break;
    }
}

static redisReply *next_reply(struct redis *redis, struct link *link) {
    redisReply *reply = NULL;
    if (link->context && redisGetReply(link->context, (void **)&reply) == REDIS_OK && reply)
        return reply;
    if (link->context)
        refuse(&redis->trouble, "UNAVAILABLE", "Redis: %s", link->context->errstr);
    disconnect(link);
    return NULL;
}

static void take_job(struct redis *redis, struct job *job, bool *useful) {
    struct link *link = &redis->links[job->link];
    if (job->asked >= 0)
        freeReplyObject(next_reply(redis, link)); /* of ASKING */
    job->asked = -1;
    redisReply *reply = next_reply(redis, link);
    if (!reply) {
        job->tried = true;
        return;
    }
    if (reply->type == REDIS_REPLY_ERROR) {
        *useful = take_error(redis, job, reply) && *useful;
        freeReplyObject(reply);
    } else {
        job->reply = reply;
        job->done = true;
    }
}

/* How many disks or replicas have all that came before on this connection. */
static int64_t confirmations(const redisReply *reply) {
    if (reply && reply->type == REDIS_REPLY_ARRAY && reply->elements > 0)
        reply = reply->element[0];
    return reply && reply->type == REDIS_REPLY_INTEGER ? reply->integer : 0;
}

/* What this server did in this exchange counts only if it is confirmed. */
static void take_confirmation(struct redis *redis, int at) {
    redisReply *reply = next_reply(redis, &redis->links[at]);
    bool good = confirmations(reply) > 0;
    freeReplyObject(reply);
    redis->links[at].confirms = false;
    for (size_t i = 0; i < redis->count && !good; i++) {
        struct job *job = &redis->jobs[i];
        if (job->link != at || !job->reply || !must_be_confirmed(redis, job->request))
            continue;
        freeReplyObject(job->reply);
        job->reply = NULL;
        fail(job, true, "done, but not confirmed in time");
    }
}

/* Sends what is not done yet and takes what comes back. */
static void exchange(struct redis *redis) {
    bool useful[REDIS_LINKS_MAX];
    memset(useful, true, sizeof useful);
    send_all(redis);
    for (size_t i = 0; i < redis->count; i++) {
        struct job *job = &redis->jobs[i];
        if (!job->done && job->link >= 0)
            take_job(redis, job, &useful[job->link]);
    }
    for (int i = 0; i < redis->link_count; i++)
        if (redis->links[i].confirms)
            take_confirmation(redis, i);
    for (int i = 0; i < redis->link_count; i++)
        if (!useful[i])
            disconnect(&redis->links[i]);
}

/* False for what must not be done twice and might be. */
static bool may_repeat(const struct request *request) {
    return request->kind != REQUEST_ARCHIVE && request->kind != REQUEST_CLAIM &&
           request->kind != REQUEST_SAY;
}

/* Gives up what may not be repeated; returns how many jobs are still to be done. */
static size_t give_up_unrepeatable(struct redis *redis) {
    size_t left = 0;
    for (size_t i = 0; i < redis->count; i++) {
        struct job *job = &redis->jobs[i];
        if (!job->done && job->tried && !may_repeat(job->request))
            fail(job, true, redis->trouble.text);
        left += !job->done;
    }
    return left;
}

/* May some shards answer without the others? What one shard has claimed must be seen to although
 * another one does not answer. */
static bool parts_will_do(const struct request *request) {
    return request->kind == REQUEST_CLAIM || request->kind == REQUEST_ARCHIVE;
}

/* Makes the answer to the request whose jobs begin here; returns how many jobs it has. */
static size_t conclude(struct redis *redis, size_t first) {
    struct job *job = &redis->jobs[first];
    redisReply *replies[REDIS_SHARDS];
    int count = redis_shards_of(&redis->sender, job->request).count, answered = 0;
    for (int i = 0; i < count; i++) {
        replies[i] = job[i].reply;
        answered += replies[i] != NULL;
    }
    if (answered == count || (answered > 0 && parts_will_do(job->request))) {
        job->request->reply = (struct store_reply){.outcome = STORE_OK};
        if (!redis_read_replies(job->request, replies, count, job->arena))
            fail(job, true, "an answer that nobody understands");
    }
    for (int i = 0; i < count; i++)
        freeReplyObject(replies[i]);
    return (size_t)count;
}

static void flush(struct redis *redis) {
    int64_t end_ms = steady_ms() + RESOLVE_MS;
    size_t left = redis->count, before;
    while (left > 0) {
        before = left;
        exchange(redis);
        left = give_up_unrepeatable(redis);
        if (left > 0 && steady_ms() >= end_ms)
            break;
        if (left == before)
            rest(RETRY_MS);
    }
    for (size_t i = 0; i < redis->count; i++)
        if (!redis->jobs[i].done)
            fail(&redis->jobs[i], redis->jobs[i].tried, redis->trouble.text);
    for (size_t i = 0; i < redis->count;)
        i += conclude(redis, i);
    redis->count = 0;
}

/* ---- The backend ---- */

static bool begin(void *self, bool writes, struct refusal *why) {
    struct redis *redis = self;
    (void)writes;
    for (int i = 0; i < redis->link_count; i++)
        if (redis->links[i].context)
            return true;
    for (int i = 0; i < redis->link_count; i++)
        if (connect_link(redis, &redis->links[i]))
            return true;
    *why = redis->trouble;
    return false;
}

static bool run(void *self, struct request *request, struct arena *arena, struct refusal *why) {
    struct redis *redis = self;
    struct redis_shards shards = redis_shards_of(&redis->sender, request);
    (void)why;
    if (redis->count + (size_t)shards.count > PIPELINE_MAX)
        flush(redis);
    for (int i = 0; i < shards.count; i++)
        redis->jobs[redis->count++] = (struct job){
            .request = request, .arena = arena, .shard = shards.first + i, .link = -1, .asked = -1};
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
    struct redis *redis = self;
    for (int i = 0; i < redis->link_count; i++)
        disconnect(&redis->links[i]);
    free(redis);
}

static void listen_to(void *self, void *loop, const struct store_listener *listener) {
    struct redis *redis = self;
    struct redis_address addresses[REDIS_LINKS_MAX];
    for (int i = 0; i < redis->link_count; i++)
        addresses[i] = redis->links[i].address;
    redis->feed = redis_feed_open(addresses, redis->link_count, redis->sender.tag, loop, listener);
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

/* ---- Opening ---- */

/* Learns from the first server which servers there are. */
static bool meet_cluster(struct redis *redis, struct refusal *why) {
    redisContext *context = redis->links[0].context;
    redisReply *reply = redisCommand(context, "CLUSTER SLOTS");
    for (size_t i = 0; reply && reply->type == REDIS_REPLY_ARRAY && i < reply->elements; i++) {
        const redisReply *range = reply->element[i];
        for (size_t n = 2; n < range->elements; n++) {
            const redisReply *node = range->element[n];
            struct redis_address address = redis->links[0].address;
            if (node->elements < 2 || node->element[1]->type != REDIS_REPLY_INTEGER)
                continue;
            if (node->element[0]->type == REDIS_REPLY_STRING && node->element[0]->len > 0)
                snprintf(address.host, sizeof address.host, "%s", node->element[0]->str);
            address.port = (int)node->element[1]->integer;
            find_link(redis, &address);
        }
    }
    return redis_is_fine(context, reply, why);
}

/* A server that evicts keys when its memory is full would throw away worlds. */
static bool check_eviction(struct redis *redis, struct refusal *why) {
    redisContext *context = redis->links[0].context;
    redisReply *reply = redisCommand(context, "INFO memory");
    const char *text = reply && reply->type == REDIS_REPLY_STRING ? reply->str : "";
    bool evicts = strstr(text, "maxmemory_policy:allkeys") && !strstr(text, "\nmaxmemory:0\r");
    if (!redis_is_fine(context, reply, why))
        return false;
    return !evicts || refuse(why, "STORE_UNUSABLE",
                             "Redis throws keys away when its memory is full; "
                             "set maxmemory-policy to noeviction");
}

static bool look_for_cluster(struct redis *redis, struct refusal *why) {
    redisContext *context = redis->links[0].context;
    redisReply *reply = redisCommand(context, "INFO cluster");
    bool found = reply && reply->type == REDIS_REPLY_STRING &&
                 strstr(reply->str, "cluster_enabled:1") != NULL;
    if (!redis_is_fine(context, reply, why))
        return false;
    redis->sender.shards = found ? REDIS_SHARDS : 1;
    if (found && redis->sender.database != 0)
        return refuse(why, "STORE_UNUSABLE", "A Redis Cluster has database 0 only");
    return !found || meet_cluster(redis, why);
}

/* A user who may not publish would write first and then learn that the script failed half-way. The
 * channel of the test is this program's alone, because a message of another one would be taken for
 * the answer. */
static bool check_channels(struct redis *redis, struct refusal *why) {
    redisContext *context = redis->links[0].context;
    char channel[REDIS_CHANNEL_SIZE];
    redis_channel(redis->sender.database, span_of(redis->sender.tag), channel);
    return redis_is_fine(context, redisCommand(context, "PUBLISH %s %s", channel, ""), why) &&
           redis_is_fine(context, redisCommand(context, "SUBSCRIBE %s", channel), why) &&
           redis_is_fine(context, redisCommand(context, "UNSUBSCRIBE %s", channel), why);
}

static bool check_confirm(struct redis *redis, struct refusal *why) {
    redisContext *context = redis->links[0].context;
    struct refusal words;
    if (redis->confirm != STORE_ON_DISK ||
        redis_is_fine(context, redisCommand(context, "WAITAOF 1 0 1"), &words))
        return true;
    bool old = strstr(words.text, "unknown command") != NULL;
    return refuse(why, "STORE_UNUSABLE", "%s",
                  old ? "store-confirm disk needs WAITAOF, which Redis has from 7.2 on"
                      : words.text);
}

/* Runs one command at the server of the first shard. */
static redisReply *ask_first_shard(struct redis *redis, const char *format, const char *word) {
    for (int i = 0; i < MOVES_MAX; i++) {
        struct link *link = &redis->links[redis->home[0]];
        redisReply *reply =
            connect_link(redis, link)
                ? redisCommand(link->context, format, redis_prefix(&redis->sender, 0), word)
                : NULL;
        if (!reply || reply->type != REDIS_REPLY_ERROR || !starts_with(reply->str, "MOVED "))
            return reply;
        int next = link_in(redis, redis->home[0], reply);
        freeReplyObject(reply);
        if (next < 0)
            return NULL;
        redis->home[0] = next;
    }
    return NULL;
}

/* The first program to open the store chooses the secret. */
static bool agree_on_secret(struct redis *redis, struct refusal *why) {
    uint8_t bytes[(REDIS_HASH_SIZE - 1) / 2];
    char hex[REDIS_HASH_SIZE];
    struct text text;
    ensure(getrandom(bytes, sizeof bytes, 0) == sizeof bytes);
    text_begin(&text, hex, sizeof hex);
    text_hex(&text, bytes, sizeof bytes);
    redisReply *reply = ask_first_shard(redis, "SET %ssecret %s NX", hex);
    bool fine = reply && reply->type != REDIS_REPLY_ERROR;
    if (!fine)
        refuse(why, "UNAVAILABLE", "Redis says: %s", reply ? reply->str : redis->trouble.text);
    freeReplyObject(reply);
    if (!fine)
        return false;
    reply = ask_first_shard(redis, "GET %ssecret", "");
    fine = reply && reply->type == REDIS_REPLY_STRING && reply->len < sizeof redis->secret;
    if (fine)
        memcpy(redis->secret, reply->str, reply->len + 1);
    else
        refuse(why, "UNAVAILABLE", "Redis keeps no secret");
    freeReplyObject(reply);
    return fine;
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
    redis->link_count = 1;
    redis->sender.shards = 1;
    redis->confirm = config->confirm;
    bool open = redis_read_address(config->where, &redis->links[0].address, why);
    redis->sender.database = redis->links[0].address.database;
    if (open && !connect_link(redis, &redis->links[0])) {
        *why = redis->trouble;
        open = false;
    }
    open = open && check_channels(redis, why) && check_eviction(redis, why) &&
           check_confirm(redis, why) && look_for_cluster(redis, why) && agree_on_secret(redis, why);
    if (!open)
        close_redis(redis);
    return open;
}
