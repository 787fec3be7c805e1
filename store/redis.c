/* The Redis backend: for programs on several machines that serve the same worlds. It lives on the
 * loop: no server is waited for, and each request is answered by itself as soon as it can be. What
 * belongs together is one script on the server.
 *
 * A request becomes a job for the shard it concerns, or one for each (a call is a request with its
 * jobs). The jobs of a shard stand in a lane and are sent in the order of asking, many at a time,
 * to the server where the shard is. One that has to be sent again goes back to its place, and the
 * lane waits until all that was sent has come back, so that the order stays. Lanes know nothing of
 * each other, so a server that is dead or slow holds up its own shards only.
 *
 * When a connection breaks, what was sent and not answered may have been done. It is sent again,
 * and an append that finds its own lines where it wanted to write them knows that it was done. If
 * that does not succeed in time, the answer is STORE_UNKNOWN, never a false yes or no.
 *
 * A server that cannot be reached, or is silent for too long, is left alone for a while: what was
 * not sent before fails at once meanwhile. In a Redis Cluster each shard is at some server. Whoever
 * is asked in vain says where (MOVED, ASK); of a server that cannot be reached the others know who
 * took its place, so one job asks any of them. */
#define _DEFAULT_SOURCE
#include "store/redis.h"

#include "engine/ensure.h"
#include "store/hash.h"
#include "store/redis_link.h"
#include "store/reserve.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PIPELINE_MAX = 512, /* jobs in one group */
    LANE_MAX = 2048,    /* jobs of a shard that wait to be sent */
    TICK_MS = 20,
    STALL_MS = 100,    /* the most by which one tick advances the clock */
    ANSWER_MS = 2000,  /* how long a server may be silent */
    PROBE_MS = 1000,   /* how long a server may be silent that was lost and is tried again */
    RESOLVE_MS = 2500, /* how long a request is repeated to learn whether it was done */
    PARTS_MS = 500,    /* how long a list waits for a shard before it is answered without it */
    RETRY_MS = 50,     /* how long anything else that failed is left alone */
    LOST_MS = 1000,    /* how long a server of a cluster that cannot be reached is left alone */
    CONFIRM_MS = 1500, /* how long a disk or a replica may take to confirm a write */
    LANES = REDIS_SHARDS + 1
};

struct call;

/* A command on its way: a request, or one shard's part of it; or a confirmation that was asked for.
 */
struct job {
    struct job *next;
    struct call *call; /* null: nobody waits for it any more, or a confirmation */
    struct lane *lane; /* null: a confirmation */
    int part;          /* of the call */
    uint64_t number;   /* a serial number, in the order of the requests */
    int asked;   /* the server that an ASK named for this one time; -1: the shard's own server */
    int moves;   /* how often it was sent elsewhere */
    bool guest;  /* was sent to the server that an ASK named */
    bool asking; /* the reply to ASKING comes before the job's own */
    bool sent;   /* was sent, and is not yet answered or not yet confirmed */
    bool tried;  /* was sent and never answered: a server may have done it */
    redisReply *reply; /* the answer, which is not confirmed yet */
};

struct jobs {
    struct job *first, **end;
};

/* A request under way with its jobs; it is allocated in the request's arena. */
struct call {
    struct request *request;
    struct call *before, *after;    /* all of them, in the order of asking */
    struct call *leader, *follower; /* appends to the same world: the previous, the next one */
    int parts, left;                /* how many jobs it has, and how many of them are not done */
    int64_t end_ms;                 /* by the clock of struct redis */
    bool done;
    bool unknown;                      /* a part failed that may have been done */
    struct refusal why;                /* why a part failed */
    struct job *jobs[REDIS_SHARDS];    /* null: done */
    redisReply *replies[REDIS_SHARDS]; /* null: it failed */
    UT_hash_handle hh; /* in `writers`, which has the last append to each world by its code */
};

struct server {
    struct redis *redis;
    struct redis_address address;
    struct redis_link link;
    enum { DOWN, GREETING, READY } state;
    bool failed;      /* could not be reached last, or was silent: new jobs do not wait for it */
    bool leaving;     /* is connected to anew once all that was sent is answered */
    bool answered;    /* has answered something since it was connected to */
    bool appended;    /* commands have been appended to its buffer and are to be sent */
    bool unconfirmed; /* some of what was sent must be confirmed */
    int greetings;    /* replies to the greeting that have come */
    int sent_count;
    int64_t heard_ms;      /* when something last came from it, by the clock of struct redis */
    int64_t rest_until_ms; /* no try to connect before this, in real time */
    struct jobs sent;      /* in the order in which they will be answered */
    struct jobs done;      /* answered, and not confirmed yet */
};

/* The jobs of a shard. Messages to other programs (REQUEST_SAY) have a lane of their own, since any
 * server can publish them. */
struct lane {
    int home; /* the index of the shard's server, as far as is known */
    struct jobs waiting;
    int waiting_count, sent_count;
    bool stalled;     /* nothing is sent before all that was sent has come back */
    int64_t retry_ms; /* nothing is sent before this */
    int64_t scout_ms; /* before this no other server is asked where the shard is */
};

struct redis {
    struct store *front;
    struct redis_sender sender;
    enum store_confirm confirm;
    char secret[REDIS_HASH_SIZE];
    uv_loop_t *loop, *own_loop; /* the second is null if the loop is another's */
    uv_timer_t *tick;           /* runs while there are calls, or a server is being greeted */
    int64_t clock_ms;           /* stands still while the program does, as when it is suspended */
    int64_t ticked_ms;
    bool newer;              /* a newer program has taken over the store, so requests are refused */
    bool ending;             /* leaves the loop once nothing is under way */
    struct redis_feed *feed; /* null: nobody listens */
    struct server servers[REDIS_LINKS_MAX]; /* the first is that of the configuration */
    int server_count;
    struct lane lanes[LANES];
    uint64_t last_number;
    struct call *first_call, *last_call;
    struct call *writers; /* the last append to each world that has one under way */
    struct request *answered, **answered_end;
    char trouble[REDIS_LINK_WHY_SIZE];
};

static void pump(struct redis *redis);

static int64_t real_ms(void) {
    return (int64_t)(uv_hrtime() / 1000000);
}

static bool is_cluster(const struct redis *redis) {
    return redis->sender.shards > 1;
}

static void jobs_empty(struct jobs *jobs) {
    *jobs = (struct jobs){NULL, &jobs->first};
}

static void jobs_add(struct jobs *jobs, struct job *job) {
    job->next = NULL;
    *jobs->end = job;
    jobs->end = &job->next;
}

static struct job *jobs_take(struct jobs *jobs) {
    struct job *job = jobs->first;
    if (job && !(jobs->first = job->next))
        jobs->end = &jobs->first;
    return job;
}

/* ---- Answers ---- */

/* May the request be answered although a shard did not answer? Worlds that one shard has claimed
 * must be seen to in any case, and a list without the worlds of one shard is better than none. */
static bool parts_will_do(const struct request *request) {
    switch (request->kind) {
    case REQUEST_CLAIM:
    case REQUEST_ARCHIVE:
    case REQUEST_DUE:
    case REQUEST_LIST_PUBLIC:
    case REQUEST_LIST_OF_PLAYER:
        return true;
    default:
        return false;
    }
}

static void conclude(const struct redis *redis, struct call *call) {
    struct request *request = call->request;
    bool writes = request_writes(request->kind);
    int answered = 0;
    for (int i = 0; i < call->parts; i++)
        answered += call->replies[i] != NULL;
    bool enough = answered == call->parts || (answered > 0 && parts_will_do(request));
    if (enough) {
        request->reply = (struct store_reply){.outcome = STORE_OK};
        if (!redis_read_replies(&redis->sender, request, call->replies, call->parts,
                                &request->arena)) {
            enough = false;
            call->unknown = true;
            refuse(&call->why, "UNAVAILABLE", "Redis: an answer that nobody understands");
        }
    }
    if (!enough)
        request->reply = (struct store_reply){
            .outcome = call->unknown && writes ? STORE_UNKNOWN : STORE_FAILED, .why = call->why};
    for (int i = 0; i < call->parts; i++)
        freeReplyObject(call->replies[i]);
}

/* Queues answers of calls that are done. Appends to one world are answered in the order in which
 * they were asked for. */
static void hand_over(struct redis *redis, struct call *call) {
    while (call && call->done && !call->leader) {
        struct call *follower = call->follower;
        if (follower)
            follower->leader = NULL;
        else if (call->request->kind == REQUEST_APPEND)
            HASH_DEL(redis->writers, call);
        *(call->before ? &call->before->after : &redis->first_call) = call->after;
        *(call->after ? &call->after->before : &redis->last_call) = call->before;
        call->request->next = NULL;
        *redis->answered_end = call->request;
        redis->answered_end = &call->request->next;
        call = follower;
    }
}

static void leave_loop(struct redis *redis);

/* Calls the callbacks. Nothing may be half-done when this is called, because a callback may make
 * new requests. */
static void deliver(struct redis *redis) {
    while (redis->answered) {
        struct request *request = redis->answered;
        if (!(redis->answered = request->next))
            redis->answered_end = &redis->answered;
        store_answer(redis->front, request);
    }
    if (redis->ending && !redis->first_call)
        leave_loop(redis);
}

static void end_part(struct redis *redis, struct call *call, int part) {
    call->jobs[part] = NULL;
    if (--call->left > 0)
        return;
    conclude(redis, call);
    call->done = true;
    hand_over(redis, call);
}

static void finish(struct redis *redis, struct job *job, redisReply *reply) {
    struct call *call = job->call;
    if (call) {
        call->replies[job->part] = reply;
        end_part(redis, call, job->part);
    } else {
        freeReplyObject(reply);
    }
    free(job);
}

static void fail_part(struct redis *redis, struct call *call, int part, bool unknown,
                      const char *text) {
    call->unknown = call->unknown || unknown;
    refuse(&call->why, "UNAVAILABLE", string_begins(text, "Redis") ? "%s" : "Redis: %s", text);
    end_part(redis, call, part);
}

static void fail(struct redis *redis, struct job *job, bool unknown, const char *text) {
    if (job->call)
        fail_part(redis, job->call, job->part, unknown, text);
    free(job);
}

/* The call's time is over: it is answered with the replies that have come. Jobs that were sent stay
 * in their server's list without a call, and their replies are dropped. */
static void expire(struct redis *redis, struct call *call) {
    for (int i = 0, parts = call->parts; i < parts && !call->done; i++) {
        struct job *job = call->jobs[i];
        if (!job)
            continue;
        job->call = NULL;
        const struct server *home = &redis->servers[job->lane->home];
        fail_part(redis, call, i, job->tried || job->sent,
                  home->failed ? redis->trouble : "no answer in time");
    }
}

/* ---- Lanes ---- */

static void wait_in_lane(struct lane *lane, struct job *job) {
    lane->waiting_count++;
    jobs_add(&lane->waiting, job);
}

/* Puts a job back into its lane, before all jobs that were asked for after it. */
static void back_to_lane(struct job *job) {
    struct lane *lane = job->lane;
    struct job **at = &lane->waiting.first;
    while (*at && (*at)->number < job->number)
        at = &(*at)->next;
    if (!(job->next = *at))
        lane->waiting.end = &job->next;
    *at = job;
    lane->waiting_count++;
    lane->stalled = true;
}

static struct job *next_of_lane(struct lane *lane) {
    struct job *job = jobs_take(&lane->waiting);
    lane->waiting_count--;
    return job;
}

/* May the request be sent again though it may have been done? Archiving, claims and messages would
 * be done twice. */
static bool may_repeat(const struct request *request) {
    return request->kind != REQUEST_ARCHIVE && request->kind != REQUEST_CLAIM &&
           request->kind != REQUEST_SAY;
}

/* No server can be asked at the moment: fails the lane's jobs that were never sent. Those that may
 * have been done wait until their deadline. */
static void fail_untried(struct redis *redis, struct lane *lane) {
    struct jobs jobs = lane->waiting;
    if (!jobs.first)
        return;
    jobs_empty(&lane->waiting);
    lane->waiting_count = 0;
    for (struct job *job = jobs.first, *next; job; job = next) {
        next = job->next;
        if (job->tried && job->call)
            wait_in_lane(lane, job);
        else
            fail(redis, job, false, redis->trouble);
    }
}

/* ---- Servers ---- */

/* The number of that server, which may be a new one; -1 if there are too many. */
static int find_server(struct redis *redis, const struct redis_address *address);

/* Marks a server as lost. It is not connected to for a while, unless it had answered something
 * before. */
static void go_down(struct server *server, bool failed, const char *why) {
    struct redis *redis = server->redis;
    bool cluster = is_cluster(redis);
    server->state = DOWN;
    server->failed = failed;
    server->rest_until_ms = real_ms() + (failed             ? (cluster ? LOST_MS : RETRY_MS)
                                         : server->answered ? 0
                                                            : RETRY_MS);
    snprintf(redis->trouble, sizeof redis->trouble, "%s", why);
}

static void start_tick(struct redis *redis, uint64_t ms);

/* Begins to connect if it is not, and if it is time. */
static struct server *reach(struct server *server) {
    if (server->state != DOWN || real_ms() < server->rest_until_ms)
        return server;
    server->state = GREETING;
    server->greetings = 0;
    server->leaving = server->answered = false;
    server->appended = server->unconfirmed = false;
    server->heard_ms = server->redis->clock_ms;
    start_tick(server->redis, TICK_MS);
    if (!redis_link_connect(&server->link, &server->address))
        go_down(server, true, server->link.why);
    return server;
}

/* The connection broke. Jobs without a reply may have been done and are sent again; those with a
 * reply that was not confirmed may get lost, so they fail as unknown. */
static void lose(struct server *server, bool failed, const char *why) {
    struct redis *redis = server->redis;
    struct jobs sent = server->sent, done = server->done;
    jobs_empty(&server->sent);
    jobs_empty(&server->done);
    server->sent_count = 0;
    go_down(server, failed, why);
    for (struct job *job = sent.first, *next; job; job = next) {
        next = job->next;
        if (job->lane)
            job->lane->sent_count--;
        job->sent = job->asking = false;
        job->tried = true;
        if (!job->call || !may_repeat(job->call->request))
            fail(redis, job, true, redis->trouble);
        else
            back_to_lane(job);
    }
    for (struct job *job = done.first, *next; job; job = next) {
        next = job->next;
        freeReplyObject(job->reply);
        fail(redis, job, true, "done, but not confirmed in time");
    }
}

/* ---- Greeting ---- */

enum { REMIND_SECRET = SCRIPTS, REMIND_SCHEMA, ASK_SCHEMA, GREETINGS };

/* Loads the scripts, which a server that has just started does not know. One that came back empty
 * has also lost the secret and the version that all programs agreed on, so both are set again if
 * they are missing. Only the first shard's server keeps them. */
static void greet(void *arg) {
    struct server *server = arg;
    const struct redis *redis = server->redis;
    const char *prefix = redis_prefix(&redis->sender, 0);
    redisContext *context = server->link.context;
    for (int i = 0; i < SCRIPTS; i++)
        redisAppendCommand(context, "SCRIPT LOAD %s", redis_scripts[i]);
    redisAppendCommand(context, "SET %ssecret %s NX", prefix, redis->secret);
    redisAppendCommand(context, "SET %sschema %d NX", prefix, REDIS_SCHEMA);
    redisAppendCommand(context, "GET %sschema", prefix);
}

static bool learn_script(struct server *server, int script, const redisReply *reply) {
    if (reply->type == REDIS_REPLY_STRING && reply->len == REDIS_HASH_SIZE - 1) {
        memcpy(server->redis->sender.hash[script], reply->str, REDIS_HASH_SIZE);
        return true;
    }
    snprintf(server->link.why, sizeof server->link.why, "Redis says: %s",
             reply->type == REDIS_REPLY_ERROR ? reply->str : "no script");
    return false;
}

/* Somebody may have begun to use a newer version meanwhile. Only the server of the first shard
 * knows: the others say where it is. */
static bool check_schema(struct server *server, const redisReply *reply) {
    struct refusal why;
    if (reply->type != REDIS_REPLY_STRING)
        return true;
    server->redis->newer = !redis_knows_schema(reply->str, &why);
    if (server->redis->newer)
        snprintf(server->link.why, sizeof server->link.why, "Redis: %s", why.text);
    return !server->redis->newer;
}

static bool take_greeting(struct server *server, const redisReply *reply) {
    int number = server->greetings++;
    if (number < SCRIPTS)
        return learn_script(server, number, reply);
    if (number == ASK_SCHEMA && !check_schema(server, reply))
        return false;
    if (server->greetings == GREETINGS) {
        server->state = READY;
        server->failed = false;
    }
    return true;
}

/* ---- Replies ---- */

/* Errors of a server that refuses commands in its present state. After one of them it is certain
 * that the command was not carried out. */
static bool did_nothing(const char *text) {
    static const char *const words[] = {"READONLY",    "LOADING", "MASTERDOWN", "OOM",
                                        "MISCONF",     "BUSY",    "NOREPLICAS", "NOPERM",
                                        "CLUSTERDOWN", "NOAUTH"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (string_begins(text, words[i]))
            return true;
    return false;
}

/* The server that a reply such as `MOVED 4711 HOST:PORT` or `ASK ...` names; -1 if it cannot be
 * read. */
static int server_in(struct server *from, const redisReply *reply) {
    struct redis_address address = from->address;
    const char *space = strrchr(reply->str, ' ');
    bool good = space && redis_move_address(span_of(space + 1), &address);
    return good ? find_server(from->redis, &address) : -1;
}

/* Handles the errors of a cluster after which a job is sent again, perhaps to another server;
 * nothing was done then. False for other errors. */
static bool goes_elsewhere(struct server *server, struct job *job, const redisReply *reply) {
    struct redis *redis = server->redis;
    struct lane *lane = job->lane;
    bool moved = string_begins(reply->str, "MOVED "), ask = string_begins(reply->str, "ASK ");
    bool again = string_begins(reply->str, "TRYAGAIN");
    if (!moved && !ask && !again)
        return false;
    int to = moved || ask ? server_in(server, reply) : lane->home;
    bool often = ++job->moves > REDIS_MOVES_MAX;
    if (!job->call || to < 0 || (often && !job->tried)) {
        fail(redis, job, job->tried, reply->str);
        return true;
    }
    if (moved)
        lane->home = to;
    if (moved && redis->servers[to].failed)
        lane->scout_ms = redis->clock_ms + RETRY_MS; /* nobody has taken its place yet */
    job->asked = ask ? to : -1;
    if (again || often)
        lane->retry_ms = redis->clock_ms + RETRY_MS;
    back_to_lane(job);
    return true;
}

static void take_error(struct server *server, struct job *job, const redisReply *reply) {
    const char *text = reply->str;
    bool forgot = string_begins(text, "NOSCRIPT"); /* a new connection's greeting loads scripts */
    bool other = string_begins(text, "READONLY") || string_begins(text, "LOADING") ||
                 string_begins(text, "MASTERDOWN");
    server->leaving = server->leaving || forgot || other;
    if (forgot && job->call)
        back_to_lane(job);
    else if (!goes_elsewhere(server, job, reply))
        fail(server->redis, job, job->tried || !did_nothing(text), text);
}

/* Writes must be confirmed, and so must loads of a log, because people may be answered by what was
 * read. */
static bool must_be_confirmed(const struct redis *redis, const struct job *job) {
    if (redis->confirm == STORE_WRITTEN || !job->call)
        return false;
    enum request_kind kind = job->call->request->kind;
    return kind != REQUEST_SAY && (request_writes(kind) || kind == REQUEST_LOAD);
}

/* How many disks, or replicas, have confirmed everything that was sent before on this connection.
 */
static int64_t confirmations(const redisReply *reply) {
    if (reply->type == REDIS_REPLY_ARRAY && reply->elements > 0)
        reply = reply->element[0];
    return reply->type == REDIS_REPLY_INTEGER ? reply->integer : 0;
}

/* Finishes the jobs that were answered since the last confirmation; without it they fail as
 * unknown. */
static void take_confirmation(struct server *server, const redisReply *reply) {
    bool good = confirmations(reply) > 0;
    struct jobs done = server->done;
    jobs_empty(&server->done);
    for (struct job *job = done.first, *next; job; job = next) {
        next = job->next;
        if (good) {
            finish(server->redis, job, job->reply);
        } else {
            freeReplyObject(job->reply);
            fail(server->redis, job, true, "done, but not confirmed in time");
        }
    }
}

static void take_reply(struct server *server, redisReply *reply) {
    struct redis *redis = server->redis;
    struct job *job = server->sent.first;
    ensure(job);
    server->answered = true;
    if (job->asking) {
        job->asking = false;
        freeReplyObject(reply);
        return;
    }
    jobs_take(&server->sent);
    server->sent_count--;
    if (!job->lane) {
        take_confirmation(server, reply);
        freeReplyObject(reply);
        free(job);
        return;
    }
    job->lane->sent_count--;
    job->sent = false;
    if (reply->type != REDIS_REPLY_ERROR && !job->guest)
        job->lane->home = (int)(server - redis->servers);
    if (reply->type == REDIS_REPLY_ERROR) {
        take_error(server, job, reply);
        freeReplyObject(reply);
    } else if (must_be_confirmed(redis, job)) {
        job->sent = true;
        job->reply = reply;
        jobs_add(&server->done, job);
    } else {
        finish(redis, job, reply);
    }
}

static bool on_replied(void *arg, redisReply *reply) {
    struct server *server = arg;
    server->heard_ms = server->redis->clock_ms;
    if (server->state == GREETING) {
        bool good = take_greeting(server, reply);
        freeReplyObject(reply);
        return good;
    }
    take_reply(server, reply);
    return true;
}

static void on_lost(void *arg, const char *why) {
    struct server *server = arg;
    lose(server, server->state != READY, why);
}

static void on_turned(void *arg) {
    struct redis *redis = ((struct server *)arg)->redis;
    pump(redis);
    deliver(redis);
}

static const struct redis_link_events events = {
    .begun = greet, .replied = on_replied, .lost = on_lost, .turned = on_turned};

static int find_server(struct redis *redis, const struct redis_address *address) {
    for (int i = 0; i < redis->server_count; i++)
        if (redis_same_address(&redis->servers[i].address, address))
            return i;
    if (redis->server_count == REDIS_LINKS_MAX)
        return -1;
    struct server *server = &redis->servers[redis->server_count];
    *server = (struct server){.redis = redis, .address = *address};
    server->link = (struct redis_link){.loop = redis->loop, .events = &events, .arg = server};
    jobs_empty(&server->sent);
    jobs_empty(&server->done);
    return redis->server_count++;
}

/* ---- Sending ---- */

static void send_job(struct server *server, struct job *job) {
    struct redis *redis = server->redis;
    struct request *request = job->call->request;
    struct redis_command command = {.arena = &request->arena};
    int shard = redis_shards_of(&redis->sender, request).first + job->part;
    job->guest = job->asking = job->asked >= 0;
    job->asked = -1;
    if (job->asking)
        redisAppendCommand(server->link.context, "ASKING");
    redis_write_command(&redis->sender, request, shard, job->tried, &command);
    redisAppendCommandArgv(server->link.context, command.count, command.part, command.length);
    if (!server->sent.first)
        server->heard_ms = redis->clock_ms;
    job->sent = true;
    job->lane->sent_count++;
    server->sent_count++;
    server->appended = true;
    server->unconfirmed = server->unconfirmed || must_be_confirmed(redis, job);
    jobs_add(&server->sent, job);
}

static void ask_to_confirm(struct server *server) {
    struct redis *redis = server->redis;
    struct job *job = reserve_calloc(1, sizeof *job);
    redisAppendCommand(server->link.context,
                       redis->confirm == STORE_ON_DISK ? "WAITAOF 1 0 %d" : "WAIT 1 %d",
                       CONFIRM_MS);
    jobs_add(&server->sent, job);
    server->sent_count++;
    server->unconfirmed = false;
}

/* One group at a time: what is asked for while a server is busy is sent together, which costs it,
 * its disk and its replicas much less. */
static bool accepts(const struct server *server) {
    return server->state == READY && !server->leaving &&
           (server->sent_count == 0 || server->appended) && server->sent_count < PIPELINE_MAX;
}

/* Another server, which may know where the lane's shard is now; null: none. */
static struct server *another(struct redis *redis, const struct lane *lane) {
    struct server *best = NULL;
    for (int i = 1; i < redis->server_count; i++) {
        struct server *server = &redis->servers[(lane->home + i) % redis->server_count];
        if (server->state == READY)
            return server;
        if (!best && !server->failed && reach(server)->state != DOWN)
            best = server;
    }
    return best;
}

/* Where the lane's next job goes; null: nowhere at the moment. */
static struct server *place_of(struct redis *redis, struct lane *lane, struct job *job) {
    bool anywhere = lane == &redis->lanes[redis->sender.shards];
    if (job->asked >= 0 && redis->servers[job->asked].failed)
        job->asked = -1;
    struct server *home = reach(&redis->servers[job->asked >= 0 ? job->asked : lane->home]);
    if (!home->failed || !is_cluster(redis) || (!anywhere && redis->clock_ms < lane->scout_ms))
        return home;
    struct server *other = another(redis, lane);
    if (anywhere && other)
        lane->home = (int)(other - redis->servers);
    return other ? other : home;
}

/* The lane's first job that a call still waits for; the others are freed. */
static struct job *next_wanted(struct lane *lane) {
    while (lane->waiting.first && !lane->waiting.first->call)
        free(next_of_lane(lane));
    return lane->waiting.first;
}

static void pump_lane(struct redis *redis, struct lane *lane) {
    if (lane->sent_count == 0)
        lane->stalled = false;
    for (struct job *job; (job = next_wanted(lane));) {
        if (lane->stalled || redis->clock_ms < lane->retry_ms)
            return;
        struct server *to = place_of(redis, lane, job);
        if (to->failed && to->state == DOWN) {
            fail_untried(redis, lane);
            return;
        }
        if (!accepts(to))
            return;
        next_of_lane(lane);
        send_job(to, job);
        /* Only its reply tells whether this was the right server, so the others wait for it. */
        lane->stalled = job->guest || to != &redis->servers[lane->home];
    }
}

/* Refuses all requests until the first shard's server says that the version is one we know. */
static void refuse_all(struct redis *redis) {
    if (reach(&redis->servers[redis->lanes[0].home])->state != DOWN)
        return;
    for (int i = 0; i <= redis->sender.shards; i++)
        fail_untried(redis, &redis->lanes[i]);
}

/* Sends all that can be sent. */
static void pump(struct redis *redis) {
    if (redis->newer)
        refuse_all(redis);
    for (int i = 0; i <= redis->sender.shards && !redis->newer; i++)
        pump_lane(redis, &redis->lanes[i]);
    for (int i = 0; i < redis->server_count; i++) {
        struct server *server = &redis->servers[i];
        if (server->unconfirmed)
            ask_to_confirm(server);
        if (server->appended)
            redis_link_send(&server->link);
        server->appended = false;
        if (server->leaving && server->state == READY && !server->sent.first) {
            redis_link_end(&server->link);
            server->state = DOWN;
            server->leaving = false;
            server->rest_until_ms = 0;
        }
    }
}

/* ---- Time ---- */

static bool is_silent(const struct server *server) {
    int64_t silence = server->redis->clock_ms - server->heard_ms;
    if (server->state == GREETING)
        return silence >= (server->failed ? PROBE_MS : ANSWER_MS);
    return server->state == READY && server->sent.first && silence >= ANSWER_MS;
}

static void on_tick(uv_timer_t *tick) {
    struct redis *redis = tick->data;
    int64_t now = (int64_t)uv_now(redis->loop), passed = now - redis->ticked_ms;
    bool greeting = false;
    redis->ticked_ms = now;
    redis->clock_ms += passed < STALL_MS ? passed : STALL_MS;
    for (int i = 0; i < redis->server_count; i++) {
        struct server *server = &redis->servers[i];
        if (is_silent(server)) {
            redis_link_end(&server->link);
            lose(server, true, "Redis does not answer");
        }
        greeting = greeting || server->state == GREETING;
    }
    pump(redis);
    for (struct call *call = redis->first_call, *after; call; call = after) {
        after = call->after;
        if (!call->done && call->end_ms <= redis->clock_ms)
            expire(redis, call);
    }
    deliver(redis);
    if (redis->tick && !redis->first_call && !greeting)
        uv_timer_stop(redis->tick);
}

/* Starts the timer; the clock continues from where it stopped. */
static void start_tick(struct redis *redis, uint64_t ms) {
    if (!redis->tick)
        return;
    if (!uv_is_active((uv_handle_t *)redis->tick))
        redis->ticked_ms = (int64_t)uv_now(redis->loop);
    else if (ms > 0)
        return;
    uv_timer_start(redis->tick, on_tick, ms, TICK_MS);
}

/* ---- The backend ---- */

static int64_t patience_of(const struct redis *redis, const struct call *call) {
    bool confirmed = redis->confirm != STORE_WRITTEN && request_writes(call->request->kind);
    int64_t usual = call->parts > 1 && parts_will_do(call->request) ? PARTS_MS : RESOLVE_MS;
    return usual + (confirmed ? CONFIRM_MS : 0);
}

/* Makes an append wait for the last one to the same world, if one is under way. */
static void line_up(struct redis *redis, struct call *call) {
    struct span code = call->request->append.code;
    if (call->request->kind != REQUEST_APPEND)
        return;
    HASH_FIND(hh, redis->writers, code.data, (unsigned)code.length, call->leader);
    if (call->leader) {
        HASH_DEL(redis->writers, call->leader);
        call->leader->follower = call;
    }
    HASH_ADD_KEYPTR(hh, redis->writers, code.data, (unsigned)code.length, call);
}

static struct job *new_job(struct redis *redis, struct call *call, struct lane *lane, int part) {
    struct job *job = reserve_malloc(sizeof *job);
    *job = (struct job){
        .call = call, .lane = lane, .part = part, .number = ++redis->last_number, .asked = -1};
    return job;
}

static void take(void *self, struct request *request) {
    struct redis *redis = self;
    struct redis_shards shards = redis_shards_of(&redis->sender, request);
    struct call *call = arena_take(&request->arena, sizeof *call);
    call->request = request;
    call->parts = call->left = shards.count;
    call->end_ms = redis->clock_ms + patience_of(redis, call);
    call->before = redis->last_call;
    *(redis->last_call ? &redis->last_call->after : &redis->first_call) = call;
    redis->last_call = call;
    line_up(redis, call);
    for (int i = 0; i < shards.count; i++) {
        struct lane *lane = &redis->lanes[shards.first + i];
        if (lane->waiting_count < LANE_MAX || !is_cluster(redis)) {
            call->jobs[i] = new_job(redis, call, lane, i);
            wait_in_lane(lane, call->jobs[i]);
        } else {
            fail_part(redis, call, i, false, "too much waits for this server");
        }
    }
}

static void send_taken(void *self) {
    struct redis *redis = self;
    if (redis->own_loop)
        uv_update_time(redis->loop);
    start_tick(redis, TICK_MS);
    pump(redis);
    if (redis->answered && !redis->own_loop)
        start_tick(redis, 0); /* callbacks are called by the loop, never from here */
    while (redis->own_loop && (redis->first_call || redis->answered)) {
        deliver(redis);
        if (redis->first_call)
            uv_run(redis->loop, UV_RUN_ONCE);
    }
}

static void leave_loop(struct redis *redis) {
    for (int i = 0; i < redis->server_count; i++)
        redis_link_end(&redis->servers[i].link);
    if (redis->tick)
        uv_close((uv_handle_t *)redis->tick, redis_free_handle);
    redis->tick = NULL;
}

static void deafen(void *self) {
    struct redis *redis = self;
    if (redis->feed)
        redis_feed_close(redis->feed);
    redis->feed = NULL;
    redis->ending = !redis->own_loop;
    if (redis->ending && !redis->first_call && !redis->answered)
        leave_loop(redis);
}

/* Frees jobs at the end, when no call is under way: those that were sent and given up may still be
 * listed. */
static void free_jobs(struct jobs *jobs) {
    for (struct job *job; (job = jobs_take(jobs));) {
        freeReplyObject(job->reply);
        free(job);
    }
}

static void close_redis(void *self) {
    struct redis *redis = self;
    deafen(redis);
    leave_loop(redis);
    for (int i = 0; i < redis->server_count; i++) {
        free_jobs(&redis->servers[i].sent);
        free_jobs(&redis->servers[i].done);
    }
    for (int i = 0; i < LANES; i++)
        free_jobs(&redis->lanes[i].waiting);
    if (redis->own_loop) {
        uv_run(redis->own_loop, UV_RUN_DEFAULT);
        ensure(uv_loop_close(redis->own_loop) == 0);
        free(redis->own_loop);
    }
    free(redis);
}

static void listen_to(void *self, const struct store_listener *listener) {
    struct redis *redis = self;
    struct redis_address addresses[REDIS_LINKS_MAX];
    for (int i = 0; i < redis->server_count; i++)
        addresses[i] = redis->servers[i].address;
    redis->feed =
        redis_feed_open(addresses, redis->server_count, redis->sender.tag, redis->loop, listener);
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

static const struct backend redis_backend = {.take = take,
                                             .send = send_taken,
                                             .close = close_redis,
                                             .listen = listen_to,
                                             .deafen = deafen,
                                             .watch = watch,
                                             .secret = secret};

/* ---- Opening ---- */

static void choose_loop(struct redis *redis, uv_loop_t *loop) {
    if (!loop) {
        loop = redis->own_loop = reserve_malloc(sizeof *redis->own_loop);
        ensure(uv_loop_init(loop) == 0);
    }
    redis->loop = loop;
    redis->tick = reserve_malloc(sizeof *redis->tick);
    ensure(uv_timer_init(loop, redis->tick) == 0);
    redis->tick->data = redis;
}

bool redis_open(const struct store_config *config, struct store *front, struct backing *out,
                struct refusal *why) {
    struct redis_meeting meeting;
    if (!redis_meet(config, &meeting, why))
        return false;
    struct redis *redis = reserve_calloc(1, sizeof *redis);
    redis->front = front;
    redis->sender = meeting.sender;
    redis->confirm = config->confirm;
    redis->answered_end = &redis->answered;
    memcpy(redis->secret, meeting.secret, sizeof redis->secret);
    choose_loop(redis, config->loop);
    for (int i = 0; i < meeting.address_count; i++)
        find_server(redis, &meeting.addresses[i]);
    for (int i = 0; i < LANES; i++)
        jobs_empty(&redis->lanes[i].waiting);
    *out = (struct backing){.backend = &redis_backend, .self = redis};
    return true;
}
