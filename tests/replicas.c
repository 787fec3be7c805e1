/* Servers that share a store, all in one process and on a made-up clock: replicas
 * (server/rooms/replica.h) with people at them, bots that think, and a store that loses, delays,
 * repeats, reorders and forgets. Whatever happens is drawn from one seed, so a failure is a number:
 *
 *     replicas_test                 the usual number of seeds
 *     replicas_test SEED            that one again, all that happens printed
 *     replicas_test SEED COUNT      so many from that seed on
 *
 * The plan of a run (who does what when, and what goes wrong) is made before it begins. Of a plan
 * that fails, all is left out that is not needed for the failure, and what is left is printed.
 *
 * What is checked: there is one log, and nobody is told of anything else, nor of what is not in the
 * store; what was acknowledged is in its place, once; what was refused is not there; who is no
 * member is told nothing; whoever asked is answered; and once all faults are over, every server
 * knows the same world, every window shows it, everybody is known to be there who is, and bots have
 * gone on. docs/reliability.md lists mistakes that were planted to see that each is found. */
#include "engine/ensure.h"
#include "server/rooms/replica.h"
#include "tests/worlds.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

enum {
#ifdef SANITIZED
    SEEDS = 1000,
#else
    SEEDS = 10000,
#endif
    SERVERS = 4,
    WORLDS = 2,
    SHARDS = 2,
    PEOPLE = 4,
    DEEDS = 40,
    ASKS = 64,
    RECORDS = 512,
    HAPPENINGS = 2048,
    PAGE = 4, /* lines in one answer */
    DEPTH = 8,
    TURNS_MAX = 256,
    TICKS_MAX = 16,
    BEAT_MS = 400,
    LEASE_MS = 2000,
    TIMEOUT_MS = 1500,
    CALM_MS = 16000, /* after all faults */
    NOBODY = -1
};

#define START_MS INT64_C(1700000000000)

static const char *const ids[PEOPLE] = {"ann", "bob", "cy", "dee"};
static const char *const codes[WORLDS] = {"AAAAAA", "BBBBBB"};
static const struct world_times times = {
    .away_ms = 6000, .lobby_ms = 9000, .idle_ms = 60000, .close_ms = 5000, .abandon_ms = 90000};

/* ---- Plans ---- */

enum deed_kind {
    ACT,
    LOOK,
    CONNECT,
    DISCONNECT,
    KILL,
    STOP,
    DEAD_SHARD,
    LOST_TAIL,
    DEAF,
    FULL,
    SWEEP,
    DEED_KINDS
};

static const char *const deed_names[DEED_KINDS] = {"acts",
                                                   "looks",
                                                   "connects",
                                                   "disconnects",
                                                   "is killed",
                                                   "is stopped",
                                                   "is dead",
                                                   "loses its tail",
                                                   "hears nothing",
                                                   "has a full store",
                                                   "sweeps its memory"};

struct deed {
    int at_ms;
    enum deed_kind kind;
    int person, world, server, word, ms;
};

/* What goes wrong with messages all the time. */
enum noise {
    LOST_REQUESTS = 1,
    LOST_ANSWERS = 2,
    LATE_REQUESTS = 4, /* that are carried out although nobody waits for them any more */
    REFUSED_REQUESTS = 8,
    REPEATED_REQUESTS = 16,
    LOST_WORDS = 32, /* of what servers hear from each other */
    REPEATED_WORDS = 64,
    DISORDERED_WORDS = 128,
    OTHER_CLOCKS = 256,
    UNTAKEN_REQUESTS = 512,
    NOISES = 10
};

static const char *const noise_names[NOISES] = {
    "requests are lost",   "answers are lost",      "requests come late", "requests are refused",
    "requests come twice", "words are lost",        "words come twice",   "words come in any order",
    "clocks differ",       "requests are not taken"};

struct plan {
    uint64_t seed;
    int servers, worlds;
    unsigned noise;
    int count;
    struct deed deed[DEEDS];
};

static const char *const words[] = {"drop 1",   "drop 2", "drop 3",      "drop 4",   "drop 5",
                                    "drop 6",   "drop 7", "drop 4",      "say Hi",   "leave",
                                    "join Who", "name W", "hand-over 0", "watch Me", "again"};
enum { WORDS = sizeof words / sizeof words[0] };

static uint64_t mix(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static int below(uint64_t *state, int bound) {
    return (int)((mix(state) >> 33) % (uint64_t)bound);
}

static void make_plan(uint64_t seed, struct plan *out) {
    /* Of twenty deeds so many are of each kind. */
    static const int often[DEED_KINDS] = {
        [ACT] = 22, [LOOK] = 3,       [CONNECT] = 7, [DISCONNECT] = 3, [KILL] = 2,
        [STOP] = 2, [DEAD_SHARD] = 1, [DEAF] = 2,    [FULL] = 1,       [SWEEP] = 1};
    uint64_t state = seed * 2 + 1;
    *out = (struct plan){.seed = seed,
                         .servers = 2 + below(&state, SERVERS - 1),
                         .worlds = 1 + below(&state, 3) / 2,
                         .count = 8 + below(&state, DEEDS - 8)};
    bool forgets = below(&state, 4) == 0;
    for (int i = 0; i < NOISES; i++)
        out->noise |= (unsigned)(below(&state, 3) == 0) << i;
    int total = 0, at_ms = 0;
    for (int i = 0; i < DEED_KINDS; i++)
        total += often[i];
    for (int i = 0; i < out->count; i++) {
        int kind = 0;
        for (int left = below(&state, total); left >= often[kind]; kind++)
            left -= often[kind];
        if (forgets && below(&state, 12) == 0)
            kind = LOST_TAIL;
        at_ms += below(&state, 3) == 0 ? 10 * below(&state, 200) : 10 * below(&state, 8);
        out->deed[i] = (struct deed){.at_ms = 1000 + at_ms,
                                     .kind = (enum deed_kind)kind,
                                     .person = below(&state, PEOPLE),
                                     .world = below(&state, out->worlds),
                                     .server = below(&state, out->servers),
                                     .word = below(&state, WORDS),
                                     .ms = 100 + 10 * below(&state, 300)};
    }
}

/* ---- What there is in a run ---- */

/* A line that was in the store at some time. */
struct record {
    int64_t version;
    uint64_t chain_before, chain;
    uint64_t action;        /* 0: without an id */
    unsigned before, after; /* members, by person */
    int64_t due_ms;
    struct span line;
};

/* A world in the store. */
struct shelf {
    int log[RECORDS];
    int version;
    int64_t due_ms;      /* or the end of a claim */
    int64_t appended_ms; /* when it got its last entry */
    struct world truth;
};

enum ask_kind { ASK_ACT, ASK_LOOK, ASK_CONNECT };

/* Somebody who asks a server for something and tries again until there is a clear answer. */
struct ask {
    enum ask_kind kind;
    int person, world, server;
    const char *words;
    uint64_t action;
    int attempts;
    bool waits, over;
    bool unsure; /* whether an attempt was done */
    bool acknowledged;
    bool duplicate; /* it was found to be done already */
    bool nothing;   /* it changed nothing */
    bool stranger;  /* it was refused because the person is no member */
    int begun;      /* the version of the world when this attempt began */
    struct replica_tries tries;
    int64_t version; /* of the action, or of what is looked at */
    uint64_t chain;
};

/* An entry on its way. */
struct pending {
    struct replica_entry entry;
    int64_t version;
    uint64_t chain;
    int ask; /* or NOBODY */
    uint64_t waiters;
};

/* A replica at a server, and who waits there for what. */
struct desk {
    struct replica replica;
    bool open, claimed, watching;
    bool stepping, more;
    uint64_t seekers, refreshers; /* asks */
    struct pending pending[ASKS];
    int first, count;
    struct listener here[PEOPLE];
    int here_count;
    unsigned greet;     /* people */
    unsigned announced; /* people who are said to be there, here or at other servers */
    int64_t wake_ms, opened_ms;
    uint32_t wakes;
    struct world_task task;
};

/* The appends to one world are answered in the order of asking, everything else as it comes. */
struct turns {
    uint32_t asked, answered;
    int early[TURNS_MAX]; /* answers that others go before; 0: none */
};

struct server {
    bool up;
    uint32_t life;
    int64_t ahead_ms, stopped_until, full_until, deaf_until, heard_at;
    int64_t sent_ms[SHARDS];
    struct turns turns[WORLDS];
    struct desk desk[WORLDS];
};

struct person {
    int at[WORLDS];           /* server, or NOBODY */
    int64_t admitted[WORLDS]; /* the version by which the person came to the channel */
    int64_t told[WORLDS];     /* version; NOBODY: nothing yet */
    uint64_t chain[WORLDS];
};

enum happening_kind {
    REQUEST, /* reaches the store */
    REPLY,
    HEARD,
    SAID,
    WATCHING,
    WAKE,
    BEAT,
    FREE_THREAD,
    THOUGHT,
    TRY, /* an ask begins, or begins again */
    DEED,
    RESTART,
    COME_BACK
};

enum request_kind { APPEND, LOAD, CLAIM };

struct request {
    enum request_kind kind;
    uint32_t turn; /* of an append */
    bool again, lost_answer;
    int64_t version;
    uint64_t chain;
    int64_t due_ms;
    const struct span *lines;
    size_t count;
    enum store_outcome outcome;
    bool more;
    int record[PAGE];
    unsigned claimed; /* worlds */
};

struct happening {
    int64_t at_ms;
    uint32_t order;
    enum happening_kind kind;
    int server, world, number;
    uint32_t life;
    struct span text;
    struct request request;
    int next_free;
};

static struct sim {
    struct plan plan;
    bool tells;
    int64_t now_ms, calm_ms;
    uint64_t random;
    int64_t dead_until[SHARDS], lost_ms[WORLDS];
    struct server server[SERVERS];
    struct shelf shelf[WORLDS];
    struct record record[RECORDS];
    int record_count;
    struct person person[PEOPLE];
    struct ask ask[ASKS];
    int ask_count;
    struct happening happening[HAPPENINGS];
    int free_happening, heap[HAPPENINGS], heap_count;
    uint32_t order;
    struct arena arena;
    int calm_conflicts;
} sim;

static struct replica_effects pool[DEPTH];
static int depth;
static jmp_buf failed;
static char failure[256];
static struct {
    uint64_t steps, entries, acknowledged, repeated, refused, conflicts, rereads, told, went_back;
    uint64_t deeds[DEED_KINDS];
} counts;

/* ---- Failing and telling ---- */

static _Noreturn void broken(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(failure, sizeof failure, format, list);
    va_end(list);
    longjmp(failed, 1);
}

_Noreturn void ensure_failed(const char *what, const char *file, int line) {
    broken("%s:%d ensures %s", file, line, what);
}

static void tell(const char *format, ...) {
    va_list list;
    if (!sim.tells)
        return;
    printf("# %6" PRId64 "  ", sim.now_ms);
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    printf("\n");
}

static int draw(int bound) {
    return below(&sim.random, bound);
}

/* Things go wrong only while there are faults. */
static bool strikes(enum noise noise, int one_in) {
    return (sim.plan.noise & noise) != 0 && sim.now_ms > 500 && sim.now_ms < sim.calm_ms &&
           draw(one_in) == 0;
}

static int64_t clock_of(int server) {
    return START_MS + sim.now_ms + sim.server[server].ahead_ms;
}

static struct desk *desk_of(int server, int world) {
    return &sim.server[server].desk[world];
}

/* ---- Happenings, in the order of their time ---- */

static bool comes_before(int a, int b) {
    const struct happening *one = &sim.happening[a], *two = &sim.happening[b];
    return one->at_ms != two->at_ms ? one->at_ms < two->at_ms : one->order < two->order;
}

static struct happening *expect(enum happening_kind kind, int64_t at_ms, int server, int world) {
    int index = sim.free_happening;
    if (index == NOBODY)
        broken("too much happens");
    struct happening *happening = &sim.happening[index];
    sim.free_happening = happening->next_free;
    *happening = (struct happening){.kind = kind,
                                    .at_ms = at_ms > sim.now_ms ? at_ms : sim.now_ms,
                                    .order = sim.order++,
                                    .server = server,
                                    .world = world,
                                    .life = server >= 0 ? sim.server[server].life : 0};
    int at = sim.heap_count++;
    for (; at > 0 && comes_before(index, sim.heap[(at - 1) / 2]); at = (at - 1) / 2)
        sim.heap[at] = sim.heap[(at - 1) / 2];
    sim.heap[at] = index;
    return happening;
}

static int next_happening(void) {
    int first = sim.heap[0], last = sim.heap[--sim.heap_count], at = 0;
    for (int child; (child = 2 * at + 1) < sim.heap_count; at = child) {
        if (child + 1 < sim.heap_count && comes_before(sim.heap[child + 1], sim.heap[child]))
            child++;
        if (comes_before(last, sim.heap[child]))
            break;
        sim.heap[at] = sim.heap[child];
    }
    sim.heap[at] = last;
    return first;
}

/* ---- The store ---- */

static uint64_t chain_of(const struct shelf *shelf) {
    return shelf->version > 0 ? sim.record[shelf->log[shelf->version - 1]].chain
                              : STORE_CHAIN_START;
}

static unsigned members_of(const struct world *world) {
    unsigned members = 0;
    for (int i = 0; i < PEOPLE; i++)
        members |= (unsigned)(world_find_member(world, span_of(ids[i])) != NULL) << i;
    return members;
}

/* Finds the line if it was ever in the store. */
static const struct record *find_record(int world, int64_t version, uint64_t chain) {
    const struct shelf *shelf = &sim.shelf[world];
    if (version <= shelf->version && version > 0 &&
        sim.record[shelf->log[version - 1]].chain == chain)
        return &sim.record[shelf->log[version - 1]];
    for (int i = 0; i < sim.record_count; i++)
        if (sim.record[i].version == version && sim.record[i].chain == chain)
            return &sim.record[i];
    return NULL;
}

static bool log_has(int world, uint64_t action) {
    const struct shelf *shelf = &sim.shelf[world];
    for (int i = 0; i < shelf->version; i++)
        if (sim.record[shelf->log[i]].action == action)
            return true;
    return false;
}

static void keep_line(int world, struct span line, int64_t due_ms) {
    struct shelf *shelf = &sim.shelf[world];
    struct world *truth = &shelf->truth;
    struct refusal why;
    if (sim.record_count == RECORDS)
        broken("too many entries");
    struct record *record = &sim.record[sim.record_count];
    uint64_t seen = truth->actions_seen;
    *record = (struct record){.version = shelf->version + 1,
                              .chain_before = chain_of(shelf),
                              .chain = store_chain(chain_of(shelf), line),
                              .before = members_of(truth),
                              .due_ms = due_ms,
                              .line = line};
    if (!world_fold(truth, line, &why))
        broken("the log cannot be folded: %s (%.*s)", why.text, (int)line.length, line.data);
    record->after = members_of(truth);
    if (truth->actions_seen > seen)
        record->action = truth->actions[seen % WORLD_ACTIONS_MAX];
    if (record->action != 0 && log_has(world, record->action))
        broken("an action is in the log twice");
    shelf->log[shelf->version++] = sim.record_count++;
    shelf->due_ms = due_ms;
    shelf->appended_ms = sim.now_ms;
    counts.entries++;
}

static void forget_tail(int world, int count) {
    struct shelf *shelf = &sim.shelf[world];
    struct refusal why;
    sim.lost_ms[world] = sim.now_ms;
    shelf->version -= count < shelf->version - 2 ? count : shelf->version - 2;
    world_empty(&shelf->truth, &times);
    for (int i = 0; i < shelf->version; i++)
        ensure(world_fold(&shelf->truth, sim.record[shelf->log[i]].line, &why));
    shelf->due_ms = sim.record[shelf->log[shelf->version - 1]].due_ms;
}

/* ---- What servers say to each other ---- */

static void pass_on(enum happening_kind kind, int from, int world, int64_t version, uint64_t chain,
                    struct span text) {
    for (int to = 0; to < sim.plan.servers; to++) {
        struct server *server = &sim.server[to];
        if (to == from || !server->up || !server->desk[world].watching ||
            server->deaf_until > sim.now_ms || strikes(LOST_WORDS, 8))
            continue;
        for (int i = strikes(REPEATED_WORDS, 8) ? 2 : 1; i > 0; i--) {
            int64_t at_ms = sim.now_ms + 10 * (1 + draw(5));
            if (strikes(DISORDERED_WORDS, 3))
                at_ms += 10 * draw(60);
            else if (at_ms < server->heard_at)
                at_ms = server->heard_at;
            if (server->heard_at < at_ms)
                server->heard_at = at_ms;
            struct happening *happening = expect(kind, at_ms, to, world);
            happening->number = from;
            happening->text = text;
            happening->request.version = version;
            happening->request.chain = chain;
        }
    }
}

/* ---- Requests ---- */

static bool is_same(const struct shelf *shelf, const struct request *request) {
    if (shelf->version < request->version + (int64_t)request->count)
        return false;
    for (size_t i = 0; i < request->count; i++) {
        struct span kept = sim.record[shelf->log[request->version + (int64_t)i]].line;
        if (kept.length != request->lines[i].length ||
            memcmp(kept.data, request->lines[i].data, kept.length) != 0)
            return false;
    }
    return true;
}

static void store_lines(int server, int world, struct request *request) {
    struct shelf *shelf = &sim.shelf[world];
    int64_t end = request->version + (int64_t)request->count;
    if (request->again && is_same(shelf, request)) {
        request->outcome = STORE_OK;
        request->version = end;
        return;
    }
    if (shelf->version != request->version || chain_of(shelf) != request->chain) {
        request->outcome = STORE_CONFLICT;
        request->version = shelf->version;
        counts.conflicts++;
        return;
    }
    for (size_t i = 0; i < request->count; i++) {
        uint64_t chain = chain_of(shelf);
        keep_line(world, request->lines[i], request->due_ms);
        pass_on(HEARD, server, world, shelf->version - 1, chain, request->lines[i]);
        tell("%s %d: %.*s", codes[world], shelf->version, (int)request->lines[i].length,
             request->lines[i].data);
    }
    request->outcome = STORE_OK;
    request->version = end;
}

static void read_lines(int world, struct request *request) {
    const struct shelf *shelf = &sim.shelf[world];
    request->count = 0;
    for (int64_t i = request->version; i < shelf->version && request->count < PAGE; i++)
        request->record[request->count++] = shelf->log[i];
    request->more = request->version + (int64_t)request->count < shelf->version;
    request->version = shelf->version;
    request->chain = chain_of(shelf);
    request->outcome = shelf->version > 0 ? STORE_OK : STORE_MISSING;
}

static void claim(int server, int shard, struct request *request) {
    int64_t now_ms = clock_of(server);
    request->outcome = STORE_OK;
    request->claimed = 0;
    for (int i = shard; i < sim.plan.worlds; i += SHARDS) {
        struct shelf *shelf = &sim.shelf[i];
        if (shelf->version == 0 || shelf->due_ms > now_ms - REPLICA_LATE_MS)
            continue;
        shelf->due_ms = now_ms + LEASE_MS;
        request->claimed |= 1u << i;
    }
}

static void reply_at(int64_t at_ms, int server, int world, const struct request *request) {
    expect(REPLY, at_ms, server, world)->request = *request;
}

static void send_request(int server, int world, struct request request) {
    int64_t *sent_ms = &sim.server[server].sent_ms[world % SHARDS];
    int64_t at_ms = sim.now_ms + 10 * (1 + draw(4));
    if (request.kind == LOAD && sim.now_ms < sim.calm_ms && draw(request.version > 0 ? 3 : 6) == 0)
        at_ms += 10 * draw(150);
    if (request.kind == APPEND)
        request.turn = sim.server[server].turns[world].asked++;
    if (strikes(LOST_REQUESTS, 24) || strikes(REFUSED_REQUESTS, 24)) {
        bool refused = (sim.plan.noise & REFUSED_REQUESTS) != 0 && draw(2) == 0;
        request.outcome = refused || request.kind != APPEND ? STORE_FAILED : STORE_UNKNOWN;
        request.count = 0;
        reply_at(at_ms + (refused ? 10 : TIMEOUT_MS), server, world, &request);
        return;
    }
    if (request.kind == APPEND && strikes(LATE_REQUESTS, 24)) {
        expect(REQUEST, sim.now_ms + 10 * draw(300), server, world)->request = request;
        request.outcome = STORE_UNKNOWN;
        reply_at(sim.now_ms + TIMEOUT_MS, server, world, &request);
        return;
    }
    if (at_ms < *sent_ms)
        at_ms = *sent_ms;
    *sent_ms = at_ms;
    struct happening *happening = expect(REQUEST, at_ms, server, world);
    happening->request = request;
    happening->number = 1; /* somebody waits for the answer */
    happening->request.lost_answer = strikes(LOST_ANSWERS, 24);
}

static void on_request(struct happening *happening) {
    struct request *request = &happening->request;
    int server = happening->server, world = happening->world;
    bool waits = happening->number == 1 && sim.server[server].life == happening->life;
    if (sim.dead_until[world % SHARDS] > sim.now_ms) {
        request->outcome = request->kind == APPEND ? STORE_UNKNOWN : STORE_FAILED;
        request->count = 0;
        if (waits)
            reply_at(sim.now_ms + TIMEOUT_MS, server, world, request);
        return;
    }
    struct request done = *request;
    if (request->kind == APPEND)
        store_lines(server, world, &done);
    else if (request->kind == LOAD)
        read_lines(world, &done);
    else
        claim(server, world % SHARDS, &done);
    if (!waits)
        return;
    if (request->kind == APPEND && !request->again && strikes(REPEATED_REQUESTS, 8)) {
        struct happening *again = expect(REQUEST, sim.now_ms + 10 * draw(20), server, world);
        again->request = *request;
        again->request.again = true;
        again->number = 1;
        again->life = happening->life;
        return;
    }
    if (request->lost_answer) {
        done.outcome = request->kind == APPEND ? STORE_UNKNOWN : STORE_FAILED;
        done.count = 0;
    }
    if (done.outcome == STORE_CONFLICT && sim.now_ms > sim.calm_ms + 6000)
        sim.calm_conflicts++;
    int64_t late_ms = 10 * (1 + draw(4));
    if (request->kind == LOAD && sim.now_ms < sim.calm_ms && draw(6) == 0)
        late_ms += 10 * draw(50);
    reply_at(sim.now_ms + (request->lost_answer ? TIMEOUT_MS : late_ms), server, world, &done);
}

/* ---- Steps ---- */

static void step(int server, int world, struct replica_event event);
static void answer_ask(int index, enum replica_code code);
static void go_on(int index);
static void find_for(int index);

static void tick_at(int server, int world, int64_t at_ms) {
    struct desk *desk = desk_of(server, world);
    desk->wakes++;
    if (at_ms != INT64_MAX)
        expect(WAKE, at_ms - START_MS - sim.server[server].ahead_ms, server, world)->number =
            (int)desk->wakes;
}

static void open_desk(int server, int world) {
    struct desk *desk = desk_of(server, world);
    replica_begin(&desk->replica, &times, true, (uint32_t)(server * 97 + world * 31));
    desk->open = true;
    desk->claimed = desk->watching = false;
    desk->seekers = desk->refreshers = 0;
    desk->first = desk->count = 0;
    desk->greet = desk->announced = 0;
    desk->replica.used_ms = clock_of(server);
    desk->wake_ms = desk->replica.due_ms;
    desk->opened_ms = sim.now_ms;
    expect(WATCHING, sim.now_ms + 10 * (1 + draw(4)), server, world);
}

static void close_desk(struct desk *desk) {
    if (desk->open)
        replica_end(&desk->replica);
    desk->open = desk->watching = false;
    desk->wakes++;
}

static bool is_here(const struct desk *desk, int person) {
    for (int i = 0; i < desk->here_count; i++)
        if (strcmp(desk->here[i].id, ids[person]) == 0)
            return true;
    return false;
}

static int person_of(struct span id) {
    for (int i = 0; i < PEOPLE; i++)
        if (span_is(id, ids[i]))
            return i;
    broken("nobody is called %.*s", (int)id.length, id.data);
}

/* ---- What people see ---- */

static const struct record *check_durable(int world, int64_t version, uint64_t chain) {
    const struct record *record = find_record(world, version, chain);
    if (!record)
        broken("version %" PRId64 " of %s is shown and is not in the store", version, codes[world]);
    counts.told++;
    return record;
}

/* A person who has just joined at this server may hear of it before that is durable. */
static bool is_admitted(int server, int world, int person, int64_t version) {
    const struct replica *replica = &desk_of(server, world)->replica;
    return replica->state == REPLICA_READY &&
           (version <= sim.person[person].admitted[world] ||
            world_find_member(&replica->world, span_of(ids[person])));
}

static void show(int server, int person, int world, int64_t version, uint64_t chain, bool all) {
    struct person *who = &sim.person[person];
    const struct record *record = check_durable(world, version, chain);
    if (((record->before | record->after) >> person & 1) == 0 &&
        !is_admitted(server, world, person, version))
        broken("%s is told of version %" PRId64 " of %s and is no member", ids[person], version,
               codes[world]);
    bool follows = version == who->told[world] + 1 && record->chain_before == who->chain[world];
    if (!all && who->told[world] != NOBODY && !follows)
        broken("%s is told of version %" PRId64 " of %s after %s%" PRId64, ids[person], version,
               codes[world], version == who->told[world] + 1 ? "another " : "", who->told[world]);
    who->told[world] = version;
    who->chain[world] = chain;
}

static void show_all(int server, int world, int64_t version, uint64_t chain, bool all) {
    const struct desk *desk = desk_of(server, world);
    for (int i = 0; i < PEOPLE; i++)
        if (is_here(desk, i))
            show(server, i, world, version, chain, all);
}

/* People who have just come are shown how things stand, once that is durable. */
static void greet(int server, int world) {
    struct desk *desk = desk_of(server, world);
    const struct replica *replica = &desk->replica;
    if (replica->state != REPLICA_READY || desk->count > 0)
        return;
    for (int i = 0; i < PEOPLE; i++)
        if ((desk->greet >> i & 1) != 0 && is_here(desk, i) &&
            world_find_member(&replica->world, span_of(ids[i])))
            show(server, i, world, replica->world.version, replica->chain, true);
    desk->greet = 0;
}

static void leave_channel(int server, int world, int person) {
    struct desk *desk = desk_of(server, world);
    for (int i = 0; i < desk->here_count; i++)
        if (strcmp(desk->here[i].id, ids[person]) == 0)
            desk->here[i--] = desk->here[--desk->here_count];
    sim.person[person].at[world] = NOBODY;
    if (!remote_presence_have(&desk->replica.others, ids[person]))
        desk->announced &= ~(1u << person);
    if (desk->open)
        step(server, world,
             (struct replica_event){
                 .kind = REPLICA_PRESENCE, .id = span_of(ids[person]), .there = false});
}

static void join_channel(int server, int world, int person) {
    struct desk *desk = desk_of(server, world);
    static char info[] = "{}";
    struct listener listener = {.peers = 1, .info = info};
    memcpy(listener.id, ids[person], strlen(ids[person]));
    desk->here[desk->here_count++] = listener;
    desk->announced |= 1u << person;
    sim.person[person].at[world] = server;
    sim.person[person].told[world] = NOBODY;
    sim.person[person].admitted[world] = desk->replica.world.version;
    tell("server %d: %s comes to %s", server, ids[person], codes[world]);
    step(server, world,
         (struct replica_event){
             .kind = REPLICA_PRESENCE, .id = span_of(ids[person]), .there = true});
    desk->greet |= 1u << person;
    greet(server, world);
}

/* ---- What replicas want ---- */

static void answer_asks(uint64_t all, enum replica_code code) {
    for (int i = 0; i < ASKS; i++) {
        if ((all >> i & 1) == 0)
            continue;
        if (code == REPLICA_DONE)
            find_for(i); /* it may have changed for the one before */
        else
            answer_ask(i, code);
    }
}

static void append(int server, int world, const struct replica_effect *effect) {
    struct desk *desk = desk_of(server, world);
    struct ask *ask = effect->asker;
    if (strikes(UNTAKEN_REQUESTS, 24)) {
        if (ask)
            ask->version = NOBODY;
        step(server, world, (struct replica_event){.kind = REPLICA_UNTAKEN});
        return;
    }
    if (desk->count == ASKS)
        broken("too many entries wait");
    struct pending *pending = &desk->pending[(desk->first + desk->count++) % ASKS];
    struct span *lines = arena_take(&sim.arena, effect->line_count * sizeof *lines);
    *pending = (struct pending){.entry = effect->entry,
                                .version = desk->replica.world.version,
                                .chain = effect->entry.chain,
                                .ask = ask ? (int)(ask - sim.ask) : NOBODY};
    for (size_t i = 0; i < effect->line_count; i++)
        lines[i] = arena_span(&sim.arena, effect->lines[i]);
    if (ask)
        ask->version = desk->replica.world.version;
    send_request(server, world,
                 (struct request){.kind = APPEND,
                                  .version = effect->number,
                                  .chain = effect->chain,
                                  .due_ms = effect->due_ms,
                                  .lines = lines,
                                  .count = effect->line_count});
}

static void let_think(int server, int world) {
    struct desk *desk = desk_of(server, world);
    struct world_task *task = &desk->task;
    enum world_answer answer = WORLD_NOTHING;
    step(server, world,
         (struct replica_event){.kind = REPLICA_THREAD, .task = task, .answer = &answer});
    if (answer != WORLD_DONE)
        return;
    struct move moves[GAME_LEGAL_MAX];
    task->seat = task->awaited;
    if (task->seat >= 0) {
        size_t count = game_legal(task->game, &task->seen[task->seat], task->seat, moves);
        ensure(count > 0);
        task->move = moves[(size_t)task->version * 7 % count];
    }
    expect(THOUGHT, sim.now_ms + 10 * (1 + draw(4)), server, world);
}

static void announce(int server, int world, const struct replica_effect *effect) {
    struct desk *desk = desk_of(server, world);
    unsigned who = 1u << person_of(effect->id);
    desk->announced = effect->there ? desk->announced | who : desk->announced & ~who;
}

static void answer_entry(int server, int world, struct pending pending, enum replica_code code) {
    if (code == REPLICA_DONE)
        greet(server, world);
    else
        desk_of(server, world)->greet = 0;
    if (pending.ask != NOBODY)
        answer_ask(pending.ask, code);
    for (int i = 0; i < ASKS; i++)
        if ((pending.waiters >> i & 1) != 0)
            answer_ask(i, code);
}

static void carry_out(int server, int world, const struct replica_effect *effect) {
    struct desk *desk = desk_of(server, world);
    uint64_t all;
    switch (effect->kind) {
    case REPLICA_LOAD:
        send_request(server, world, (struct request){.kind = LOAD, .version = effect->number});
        return;
    case REPLICA_APPEND:
        append(server, world, effect);
        return;
    case REPLICA_PUSH: {
        const struct pending *pending = effect->asker;
        show_all(server, world, pending ? pending->version : desk->replica.world.version,
                 pending ? pending->chain : desk->replica.chain, effect->there);
        return;
    }
    case REPLICA_ANSWER:
        answer_entry(server, world, *(struct pending *)effect->asker, effect->code);
        return;
    case REPLICA_FORGET:
        all = desk->seekers | desk->refreshers;
        ensure(desk->count == 0);
        close_desk(desk);
        answer_asks(all, effect->code);
        return;
    case REPLICA_FOUND:
        all = desk->seekers | desk->refreshers; /* not who comes to wait meanwhile */
        desk->seekers = desk->refreshers = 0;
        answer_asks(all, effect->code);
        if (desk->claimed && effect->code == REPLICA_DONE) {
            desk->claimed = false;
            step(server, world, (struct replica_event){.kind = REPLICA_CLAIMED});
        }
        return;
    case REPLICA_REFRESHED:
        all = desk->refreshers;
        desk->refreshers = 0;
        answer_asks(all, effect->code);
        return;
    case REPLICA_EXPEL:
        tell("server %d: %s is sent away from %s", server, effect->id.data, codes[world]);
        leave_channel(server, world, person_of(effect->id));
        return;
    case REPLICA_ELSEWHERE:
        announce(server, world, effect);
        return;
    case REPLICA_SAY:
        pass_on(SAID, server, world, 0, 0, arena_span(&sim.arena, effect->text));
        return;
    case REPLICA_THINK: {
        bool busy = sim.now_ms < sim.calm_ms && draw(3) == 0; /* are all threads */
        expect(FREE_THREAD, sim.now_ms + (busy ? 10 * draw(90) : 0), server, world);
        return;
    }
    case REPLICA_WAKE:
        desk->wake_ms = desk->replica.due_ms;
        tick_at(server, world, desk->wake_ms);
        return;
    case REPLICA_CLOCK:
        sim.server[server].ahead_ms += effect->number;
        return;
    case REPLICA_NOTE:
        if (effect->note == REPLICA_NOTE_BROKEN)
            tell("server %d: %s is broken at %" PRId64 ": %s", server, codes[world], effect->number,
                 effect->text.data);
        counts.rereads += effect->note == REPLICA_NOTE_REREAD;
        counts.went_back += effect->note == REPLICA_NOTE_WENT_BACK;
        return;
    case REPLICA_MORE:
        return;
    }
}

static void tell_step(int server, int world, const struct replica_event *event,
                      const struct replica_effects *effects) {
    static const char *const events[] = {"open",   "born",    "acted",    "untaken",  "appended",
                                         "read",   "line",    "page",     "heard",    "watching",
                                         "said",   "refresh", "presence", "heard of", "claimed",
                                         "thread", "thought", "tick",     "beat"};
    static const char *const wants[] = {"load",      "append", "push",  "answer",    "found",
                                        "refreshed", "forget", "expel", "elsewhere", "say",
                                        "think",     "wake",   "more",  "clock",     "note"};
    static const char *const states[] = {"new",    "loading",  "ready", "beaten",
                                         "failed", "stranded", "gone"};
    static const char *const outcomes[] = {"ok", "conflict", "missing", "failed", "unknown"};
    const struct replica *replica = &desk_of(server, world)->replica;
    char text[256];
    int length = 0;
    text[0] = '\0';
    for (const struct replica_effect *each = effects->first; each && length < 200;
         each = each->next)
        length += snprintf(text + length, sizeof text - (size_t)length, " %s", wants[each->kind]);
    bool answered = event->kind == REPLICA_APPENDED || event->kind == REPLICA_PAGE;
    if (event->kind == REPLICA_BEAT && length == 0)
        return;
    tell("server %d, %s: %s%s%s ->%s; %s %" PRId64 "%s%s; due in %" PRId64, server, codes[world],
         events[event->kind], answered ? " " : "", answered ? outcomes[event->outcome] : "", text,
         states[replica->state], replica->world.version, replica->mine ? ", mine" : "",
         replica->tail == REPLICA_TAIL_KNOWN ? "" : ", behind",
         replica->due_ms == INT64_MAX ? -1 : replica->due_ms - clock_of(server));
}

static void step_once(int server, int world, const struct replica_event *event) {
    struct desk *desk = desk_of(server, world);
    struct replica_around around = {.now_ms = clock_of(server),
                                    .store_full = sim.server[server].full_until > sim.now_ms,
                                    .here = desk->here,
                                    .here_count = desk->here_count};
    if (!desk->open)
        return;
    if (depth == DEPTH)
        broken("steps lead to steps without end");
    struct replica_effects *effects = &pool[depth++];
    counts.steps++;
    replica_step(&desk->replica, &around, event, effects);
    if (sim.tells)
        tell_step(server, world, event, effects);
    for (const struct replica_effect *each = effects->first; each; each = each->next) {
        desk->more = desk->more || each->kind == REPLICA_MORE;
        carry_out(server, world, each);
    }
    depth--;
}

static void step(int server, int world, struct replica_event event) {
    static const struct replica_event tick = {.kind = REPLICA_TICK};
    struct desk *desk = desk_of(server, world);
    bool outermost = !desk->stepping; /* others are part of what a step wants */
    desk->stepping = true;
    step_once(server, world, &event);
    for (int i = 0; outermost && desk->more && i < TICKS_MAX; i++) {
        desk->more = false;
        step_once(server, world, &tick);
    }
    if (!outermost)
        return;
    desk->stepping = desk->more = false;
    if (desk->open && desk->wake_ms != desk->replica.due_ms)
        broken("server %d wakes up for %s at another time than was asked for", server,
               codes[world]);
}

/* ---- Those who ask ---- */

/* What was acknowledged must be in its place, unless the store has lost it since. */
static void check_answer(const struct ask *ask, enum replica_code code, bool by_rules) {
    const struct shelf *shelf = &sim.shelf[ask->world];
    if (ask->kind != ASK_ACT)
        return;
    bool settled = sim.now_ms > sim.lost_ms[ask->world] + 3000;
    if (code == REPLICA_DONE && ask->duplicate && settled && !log_has(ask->world, ask->action))
        broken("'%s' of %s is said to be done and was lost", ask->words, ids[ask->person]);
    if (code == REPLICA_BEHIND && sim.now_ms > sim.calm_ms)
        broken("'%s' of %s fails because others are faster", ask->words, ids[ask->person]);
    if (code == REPLICA_DONE && !by_rules && !ask->nothing) {
        bool found = false;
        for (int i = 0; i < sim.record_count; i++)
            found = found || ((ask->duplicate || sim.record[i].version == ask->version) &&
                              sim.record[i].action == ask->action);
        if (!found)
            broken("'%s' of %s is acknowledged as version %" PRId64 " of %s and is not there",
                   ask->words, ids[ask->person], ask->version, codes[ask->world]);
    }
    bool undone = by_rules || code == REPLICA_UNDONE || code == REPLICA_BEHIND;
    if (undone && !ask->unsure && log_has(ask->world, ask->action))
        broken("'%s' of %s is refused and is in the log of %s (version %d)", ask->words,
               ids[ask->person], codes[ask->world], shelf->version);
}

/* Somebody who was a member all the time, as the store has it, is not refused as a stranger. */
static void check_stranger(const struct ask *ask) {
    const struct shelf *shelf = &sim.shelf[ask->world];
    bool pending = desk_of(ask->server, ask->world)->count > 0; /* perhaps the person leaves */
    bool lost = ask->begun > shelf->version || sim.now_ms < sim.lost_ms[ask->world] + 5000;
    if (!ask->stranger || pending || ask->begun == 0 || lost)
        return;
    for (int i = ask->begun - 1; i < shelf->version; i++)
        if ((sim.record[shelf->log[i]].after >> ask->person & 1) == 0)
            return;
    broken("'%s' of %s is refused in %s, as of no member", ask->words, ids[ask->person],
           codes[ask->world]);
}

static void finish(struct ask *ask) {
    ask->waits = false;
    ask->over = true;
}

static void try_again_later(int index) {
    struct ask *ask = &sim.ask[index];
    ask->waits = false;
    if (ask->attempts >= 8 && sim.now_ms < sim.calm_ms) {
        finish(ask);
        return;
    }
    ask->server = draw(sim.plan.servers);
    expect(TRY, sim.now_ms + 10 * (20 + draw(60)), NOBODY, ask->world)->number = index;
}

static void find_for(int index) {
    struct ask *ask = &sim.ask[index];
    struct desk *desk = desk_of(ask->server, ask->world);
    if (desk->open && desk->replica.state == REPLICA_READY) {
        desk->replica.used_ms = clock_of(ask->server);
        go_on(index);
        return;
    }
    bool fresh = !desk->open;
    if (fresh)
        open_desk(ask->server, ask->world);
    desk->seekers |= UINT64_C(1) << index;
    if (fresh)
        step(ask->server, ask->world, (struct replica_event){.kind = REPLICA_OPEN});
}

static void refresh_for(int index) {
    struct ask *ask = &sim.ask[index];
    struct desk *desk = desk_of(ask->server, ask->world);
    if (!desk->open || desk->replica.state != REPLICA_READY) {
        find_for(index);
        return;
    }
    desk->refreshers |= UINT64_C(1) << index;
    step(ask->server, ask->world, (struct replica_event){.kind = REPLICA_REFRESH});
}

static void answer_finally(int index, enum replica_code code, bool by_rules) {
    struct ask *ask = &sim.ask[index];
    check_answer(ask, code, by_rules);
    if (by_rules)
        check_stranger(ask);
    tell("server %d: '%s' of %s in %s: %s (%d)", ask->server, ask->words, ids[ask->person],
         codes[ask->world],
         by_rules               ? "against the rules"
         : code == REPLICA_DONE ? "done"
                                : "failed",
         (int)code);
    if (by_rules || code == REPLICA_MISSING) {
        counts.refused++;
        finish(ask);
    } else if (code == REPLICA_DONE) {
        ask->acknowledged = true;
        counts.acknowledged++;
        counts.repeated += ask->duplicate;
        finish(ask);
    } else {
        ask->unsure = ask->unsure || code == REPLICA_UNSURE;
        try_again_later(index);
    }
}

static void judge(int index, enum replica_code code, bool by_rules) {
    struct ask *ask = &sim.ask[index];
    switch (replica_judge(&ask->tries, true, code, by_rules)) {
    case REPLICA_TRY_AGAIN:
        find_for(index);
        return;
    case REPLICA_TRY_REFRESHED:
        refresh_for(index);
        return;
    case REPLICA_IS_FINAL:
        answer_finally(index, code, by_rules);
        return;
    }
}

static void answer_ask(int index, enum replica_code code) {
    struct ask *ask = &sim.ask[index];
    if (ask->kind == ASK_LOOK && code != REPLICA_DONE && ++ask->attempts < 4) {
        find_for(index);
        return;
    }
    if (ask->kind == ASK_LOOK && code == REPLICA_DONE)
        check_durable(ask->world, ask->version, ask->chain);
    judge(index, code, false);
}

static void when_durable(int index) {
    struct ask *ask = &sim.ask[index];
    struct desk *desk = desk_of(ask->server, ask->world);
    if (desk->count == 0)
        answer_ask(index, REPLICA_DONE);
    else
        desk->pending[(desk->first + desk->count - 1) % ASKS].waiters |= UINT64_C(1) << index;
}

static void act(int index) {
    struct ask *ask = &sim.ask[index];
    struct desk *desk = desk_of(ask->server, ask->world);
    struct refusal why;
    struct world_action action = {
        .id = span_of(ids[ask->person]), .words = span_of(ask->words), .action = ask->action};
    enum world_answer answer = WORLD_REFUSED;
    ask->duplicate = world_has_action(&desk->replica.world, ask->action);
    if (ask->duplicate) {
        if (ask->tries.refreshed)
            when_durable(index);
        else
            ask->tries.refreshed = true, refresh_for(index);
        return;
    }
    ask->version = 0;
    ask->nothing = false;
    step(ask->server, ask->world,
         (struct replica_event){.kind = REPLICA_ACTED,
                                .action = &action,
                                .asker = ask,
                                .answer = &answer,
                                .why = &why});
    bool by_rules = answer == WORLD_REFUSED && strcmp(why.code, "UNAVAILABLE") != 0;
    ask->stranger = by_rules && strcmp(why.code, "NOT_A_MEMBER") == 0;
    if (answer == WORLD_REFUSED)
        judge(index, by_rules ? REPLICA_DONE : REPLICA_UNDONE, by_rules);
    else if (answer == WORLD_DONE && ask->version == NOBODY)
        answer_finally(index, REPLICA_UNDONE, false);
    else if (answer != WORLD_DONE)
        ask->nothing = true, when_durable(index);
}

static void go_on(int index) {
    struct ask *ask = &sim.ask[index];
    struct desk *desk = desk_of(ask->server, ask->world);
    struct replica *replica = &desk->replica;
    struct span id = span_of(ids[ask->person]);
    if (replica->world.status == WORLD_CLOSED) {
        answer_finally(index, REPLICA_MISSING, false);
        return;
    }
    if (ask->kind != ASK_CONNECT)
        step(ask->server, ask->world, (struct replica_event){.kind = REPLICA_HEARD_OF, .id = id});
    if (ask->kind == ASK_ACT) {
        act(index);
    } else if (ask->kind == ASK_LOOK) {
        ask->version = replica->world.version;
        ask->chain = replica->chain;
        when_durable(index);
    } else if (replica_may_hear(replica, id)) {
        if (sim.person[ask->person].at[ask->world] == NOBODY)
            join_channel(ask->server, ask->world, ask->person);
        finish(ask);
    } else if (!ask->tries.refreshed) {
        ask->tries.refreshed = true;
        refresh_for(index);
    } else {
        finish(ask);
    }
}

static void on_try(int index) {
    struct ask *ask = &sim.ask[index];
    if (ask->over || ask->waits)
        return;
    ask->attempts++;
    if (!sim.server[ask->server].up || sim.server[ask->server].stopped_until > sim.now_ms) {
        try_again_later(index);
        return;
    }
    ask->waits = true;
    ask->begun = sim.shelf[ask->world].version;
    ask->tries = (struct replica_tries){0};
    find_for(index);
}

static void ask(enum ask_kind kind, int person, int world, int server, const char *what) {
    if (sim.ask_count == ASKS)
        return;
    int index = sim.ask_count++;
    char name[16];
    snprintf(name, sizeof name, "%d", index);
    sim.ask[index] = (struct ask){.kind = kind,
                                  .person = person,
                                  .world = world,
                                  .server = server,
                                  .words = what,
                                  .action = world_action_hash(span_of(ids[person]), span_of(name))};
    on_try(index);
}

/* ---- What happens ---- */

static void take_reply(const struct happening *happening) {
    const struct request *request = &happening->request;
    int server = happening->server, world = happening->world;
    struct desk *desk = desk_of(server, world);
    if (request->kind == APPEND) {
        struct pending pending = desk->pending[desk->first];
        ensure(desk->count > 0);
        desk->first = (desk->first + 1) % ASKS;
        desk->count--;
        step(server, world,
             (struct replica_event){.kind = REPLICA_APPENDED,
                                    .outcome = request->outcome,
                                    .version = request->version,
                                    .entry = &pending.entry,
                                    .asker = &pending,
                                    .text = span_of("the store")});
    } else if (request->kind == LOAD) {
        struct span lines[PAGE];
        struct replica_event event = {.kind = REPLICA_READ,
                                      .outcome = request->outcome,
                                      .chain = request->chain,
                                      .more = request->outcome == STORE_OK && request->more,
                                      .lines = lines,
                                      .line_count = request->count,
                                      .text = span_of("the store")};
        for (size_t i = 0; i < request->count; i++)
            lines[i] = sim.record[request->record[i]].line;
        if (request->count > 0)
            event.version = sim.record[request->record[0]].version;
        step(server, world, event);
        for (size_t i = 0; i < request->count; i++)
            step(server, world,
                 (struct replica_event){.kind = REPLICA_LINE,
                                        .version = sim.record[request->record[i]].version,
                                        .line = lines[i]});
        event.kind = REPLICA_PAGE;
        event.version = request->version;
        step(server, world, event);
    } else {
        for (int i = 0; i < sim.plan.worlds; i++) {
            struct desk *due = desk_of(server, i);
            if (request->outcome != STORE_OK || (request->claimed >> i & 1) == 0)
                continue;
            if (due->open && due->replica.state == REPLICA_READY) {
                step(server, i, (struct replica_event){.kind = REPLICA_CLAIMED});
                continue;
            }
            bool fresh = !due->open;
            if (fresh)
                open_desk(server, i);
            due->claimed = true;
            if (fresh)
                step(server, i, (struct replica_event){.kind = REPLICA_OPEN});
        }
    }
}

static void free_happening(int index) {
    sim.happening[index].next_free = sim.free_happening;
    sim.free_happening = index;
}

/* True if it is kept until those before it have come. */
static bool on_reply(int index) {
    struct happening *happening = &sim.happening[index];
    const struct request *request = &happening->request;
    struct turns *turns = &sim.server[happening->server].turns[happening->world];
    if (request->kind != APPEND) {
        take_reply(happening);
        return false;
    }
    if (request->turn != turns->answered) {
        ensure(request->turn - turns->answered < TURNS_MAX);
        turns->early[request->turn % TURNS_MAX] = index + 1;
        return true;
    }
    turns->answered++;
    take_reply(happening);
    for (int next; (next = turns->early[turns->answered % TURNS_MAX]) != 0;) {
        turns->early[turns->answered++ % TURNS_MAX] = 0;
        take_reply(&sim.happening[next - 1]);
        free_happening(next - 1);
    }
    return false;
}

static void kill_server(int server) {
    struct server *dead = &sim.server[server];
    if (!dead->up)
        return;
    dead->up = false;
    dead->life++;
    memset(dead->sent_ms, 0, sizeof dead->sent_ms);
    for (int i = 0; i < WORLDS; i++) {
        for (int k = 0; k < TURNS_MAX; k++)
            if (dead->turns[i].early[k] != 0)
                free_happening(dead->turns[i].early[k] - 1);
        dead->turns[i] = (struct turns){0};
    }
    for (int world = 0; world < sim.plan.worlds; world++) {
        close_desk(&dead->desk[world]);
        dead->desk[world].here_count = 0;
        for (int i = 0; i < PEOPLE; i++) {
            if (sim.person[i].at[world] != server)
                continue;
            sim.person[i].at[world] = NOBODY;
            expect(COME_BACK, sim.now_ms + 10 * draw(150), NOBODY, world)->number = i;
        }
    }
    for (int i = 0; i < sim.ask_count; i++) {
        if (!sim.ask[i].waits || sim.ask[i].server != server)
            continue;
        sim.ask[i].unsure = true;
        try_again_later(i);
    }
}

static void start_server(int server) {
    struct server *fresh = &sim.server[server];
    fresh->up = true;
    fresh->ahead_ms = (sim.plan.noise & OTHER_CLOCKS) != 0 ? 100 * draw(200) : 0;
    fresh->stopped_until = fresh->full_until = fresh->deaf_until = fresh->heard_at = 0;
    expect(BEAT, sim.now_ms + 10 * draw(BEAT_MS / 10), server, 0);
}

static void sweep(int server) {
    for (int world = 0; world < sim.plan.worlds; world++) {
        struct desk *desk = desk_of(server, world);
        if (desk->open && desk->replica.state == REPLICA_READY &&
            !replica_is_busy(&desk->replica) && desk->replica.bot == REPLICA_BOT_IDLE &&
            !desk->seekers && !desk->refreshers && desk->here_count == 0 && desk->count == 0)
            close_desk(desk);
    }
}

/* Everybody who listens is a member; others ask for nothing. */
static void come_back(int person, int world) {
    if (sim.person[person].at[world] == NOBODY)
        ask(ASK_CONNECT, person, world, draw(sim.plan.servers), "connect");
}

static void on_deed(const struct deed *deed) {
    struct server *server = &sim.server[deed->server];
    int64_t until = sim.now_ms + deed->ms < sim.calm_ms ? sim.now_ms + deed->ms : sim.calm_ms;
    tell("-- %s, %s, server %d, %s, '%s', %d ms", deed_names[deed->kind], ids[deed->person],
         deed->server, codes[deed->world], words[deed->word], deed->ms);
    counts.deeds[deed->kind]++;
    switch (deed->kind) {
    case ACT:
        ask(ASK_ACT, deed->person, deed->world, deed->server, words[deed->word]);
        return;
    case LOOK:
        ask(ASK_LOOK, deed->person, deed->world, deed->server, "look");
        return;
    case CONNECT:
    case DISCONNECT:
        if (sim.person[deed->person].at[deed->world] != NOBODY)
            leave_channel(sim.person[deed->person].at[deed->world], deed->world, deed->person);
        if (deed->kind == CONNECT)
            ask(ASK_CONNECT, deed->person, deed->world, deed->server, "connect");
        return;
    case KILL:
        if (!server->up)
            return;
        kill_server(deed->server);
        expect(RESTART, until, NOBODY, 0)->number = deed->server;
        return;
    case STOP:
        server->stopped_until = until;
        return;
    case DEAD_SHARD:
        sim.dead_until[deed->world % SHARDS] = until;
        return;
    case LOST_TAIL:
        forget_tail(deed->world, 1 + deed->ms % 4);
        return;
    case DEAF:
        server->deaf_until = until;
        for (int i = 0; i < sim.plan.worlds && server->up; i++)
            expect(WATCHING, until, deed->server, i);
        return;
    case FULL:
        server->full_until = until;
        return;
    case SWEEP:
        if (server->up)
            sweep(deed->server);
        return;
    case DEED_KINDS:
        return;
    }
}

static void on_beat(int server) {
    expect(BEAT, sim.now_ms + BEAT_MS, server, 0);
    for (int i = 0; i < sim.plan.worlds; i++) {
        step(server, i, (struct replica_event){.kind = REPLICA_BEAT});
        if (i < SHARDS && sim.server[server].full_until <= sim.now_ms)
            send_request(server, i, (struct request){.kind = CLAIM});
    }
}

static void on_wake(int server, int world, int number) {
    struct desk *desk = desk_of(server, world);
    if ((int)desk->wakes != number)
        return;
    step(server, world, (struct replica_event){.kind = REPLICA_TICK});
    if (desk->open && (int)desk->wakes == number)
        tick_at(server, world, clock_of(server) + 20); /* nothing came of it */
}

static void happen(struct happening *happening) {
    int server = happening->server, world = happening->world;
    enum world_answer answer;
    switch (happening->kind) {
    case REQUEST:
        on_request(happening);
        return;
    case REPLY:
        return; /* see run_one */
    case HEARD:
        step(server, world,
             (struct replica_event){.kind = REPLICA_HEARD,
                                    .version = happening->request.version,
                                    .chain = happening->request.chain,
                                    .line = happening->text});
        return;
    case SAID: {
        static const char *const nodes[SERVERS] = {"n0", "n1", "n2", "n3"};
        step(server, world,
             (struct replica_event){.kind = REPLICA_SAID,
                                    .node = span_of(nodes[happening->number]),
                                    .text = happening->text});
        return;
    }
    case WATCHING:
        desk_of(server, world)->watching = desk_of(server, world)->open;
        step(server, world, (struct replica_event){.kind = REPLICA_WATCHING});
        return;
    case WAKE:
        on_wake(server, world, happening->number);
        return;
    case BEAT:
        on_beat(server);
        return;
    case FREE_THREAD:
        if (desk_of(server, world)->open && desk_of(server, world)->replica.bot == REPLICA_BOT_DUE)
            let_think(server, world);
        return;
    case THOUGHT:
        step(server, world,
             (struct replica_event){.kind = REPLICA_THOUGHT,
                                    .task = &desk_of(server, world)->task,
                                    .answer = &answer});
        return;
    case TRY:
        on_try(happening->number);
        return;
    case DEED:
        on_deed(&sim.plan.deed[happening->number]);
        return;
    case RESTART:
        start_server(happening->number);
        return;
    case COME_BACK:
        come_back(happening->number, world);
        return;
    }
}

static bool is_of_server(enum happening_kind kind) {
    return kind >= REPLY && kind <= THOUGHT;
}

static void run_one(void) {
    int index = next_happening();
    struct happening *happening = &sim.happening[index];
    sim.now_ms = happening->at_ms;
    if (is_of_server(happening->kind)) {
        const struct server *server = &sim.server[happening->server];
        if (happening->life != server->life || !server->up) {
            free_happening(index);
            return;
        }
        if (server->stopped_until > sim.now_ms) {
            struct happening later = *happening;
            free_happening(index);
            struct happening *put =
                expect(later.kind, server->stopped_until, later.server, later.world);
            put->number = later.number;
            put->text = later.text;
            put->request = later.request;
            return;
        }
    }
    if (happening->kind == REPLY) {
        if (!on_reply(index))
            free_happening(index);
        return;
    }
    happen(happening);
    free_happening(index);
}

/* ---- A run ---- */

struct birth {
    struct world_news news;
    struct span line[16];
    size_t count;
};

static void keep_birth(struct birth *birth) {
    birth->line[birth->count++] =
        arena_span(&sim.arena, (struct span){birth->news.line, birth->news.line_length});
}

/* Ann and Bob play 4 Kate while Cy watches; or Ann plays against a bot, and both watch. */
static void make_world(int world) {
    static struct birth birth;
    static const uint8_t seed[CHANCE_SEED_SIZE] = {1};
    static const struct {
        const char *id, *words;
    } steps[WORLDS][5] = {
        {{"ann", "set speed=fast"}, {"bob", "join Bob"}, {"cy", "watch Cy"}, {"ann", "start"}},
        {{"ann", "set speed=fast"},
         {"ann", "bot 1 easy"},
         {"bob", "watch Bob"},
         {"cy", "watch Cy"},
         {"ann", "start"}}};
    struct desk *desk = desk_of(0, world);
    struct refusal why;
    open_desk(0, world);
    birth.count = 0;
    struct world_birth create = {.code = span_of(codes[world]),
                                 .game = span_of("4-kate"),
                                 .id = span_of("ann"),
                                 .name = span_of("Ann"),
                                 .deal_seed = seed,
                                 .bot_seed = seed};
    if (!world_create(&desk->replica.world, clock_of(0), &times, &create, &birth.news, &why))
        broken("%s", why.text);
    keep_birth(&birth);
    for (int i = 0; i < 5 && steps[world][i].id; i++) {
        struct world_action action = {.id = span_of(steps[world][i].id),
                                      .words = span_of(steps[world][i].words)};
        if (world_act(&desk->replica.world, clock_of(0), &action, &birth.news, &why) != WORLD_DONE)
            broken("%s: %s", steps[world][i].words, why.text);
        keep_birth(&birth);
    }
    step(0, world,
         (struct replica_event){
             .kind = REPLICA_BORN, .lines = birth.line, .line_count = birth.count});
}

static void begin(const struct plan *plan, bool tells) {
    for (int i = 0; i < SERVERS; i++)
        for (int k = 0; k < WORLDS; k++)
            close_desk(desk_of(i, k));
    struct arena arena = sim.arena;
    arena_reset(&arena);
    for (int i = 0; i < SERVERS; i++) {
        struct server *server = &sim.server[i];
        server->up = false;
        server->life = 0;
        memset(server->sent_ms, 0, sizeof server->sent_ms);
        memset(server->turns, 0, sizeof server->turns);
        for (int k = 0; k < WORLDS; k++)
            server->desk[k].here_count = server->desk[k].stepping = server->desk[k].more = 0;
    }
    for (int i = 0; i < WORLDS; i++) {
        sim.shelf[i].version = 0;
        sim.shelf[i].due_ms = INT64_MAX;
        world_empty(&sim.shelf[i].truth, &times);
    }
    for (int i = 0; i < PEOPLE; i++)
        for (int k = 0; k < WORLDS; k++)
            sim.person[i].at[k] = NOBODY;
    for (int i = 0; i < HAPPENINGS; i++)
        sim.happening[i].next_free = i + 1 < HAPPENINGS ? i + 1 : NOBODY;
    memset(sim.dead_until, 0, sizeof sim.dead_until);
    for (int i = 0; i < WORLDS; i++)
        sim.lost_ms[i] = INT64_MIN / 2;
    sim.arena = arena;
    sim.plan = *plan;
    sim.tells = tells;
    sim.now_ms = 0;
    sim.random = plan->seed * 2;
    sim.record_count = sim.ask_count = sim.free_happening = sim.heap_count = 0;
    sim.order = 0;
    sim.calm_conflicts = 0;
    sim.calm_ms = (plan->count > 0 ? plan->deed[plan->count - 1].at_ms : 1000) + 2000;
    depth = 0;
}

/* Expects what everybody should know some time after the last fault. */
static void check_server(int server, int world) {
    const struct desk *desk = desk_of(server, world);
    const struct replica *replica = &desk->replica;
    const struct shelf *shelf = &sim.shelf[world];
    if (!desk->open || sim.now_ms < desk->opened_ms + 5000)
        return;
    if (replica->state != REPLICA_READY || replica->unwritten > 0 || desk->seekers ||
        desk->refreshers)
        broken("server %d is not ready for %s", server, codes[world]);
    if (desk->here_count == 0 && clock_of(server) - replica->used_ms > REPLICA_HERE_MS)
        return; /* it may be behind, and reads the tail before it is asked for anything */
    if (replica->world.version != shelf->version || replica->chain != chain_of(shelf))
        broken("server %d has version %" PRId64 " of %s and the store %d", server,
               replica->world.version, codes[world], shelf->version);
    if (!worlds_equal(&replica->world, &shelf->truth))
        broken("server %d has another world %s than its log tells", server, codes[world]);
    if (replica->bot == REPLICA_BOT_DUE)
        broken("the bot of %s waits at server %d for a thread", codes[world], server);
    if (clock_of(server) < replica->world.changed_ms)
        broken("the clock of server %d is behind %s", server, codes[world]);
    if (replica->due_ms < clock_of(server) - 3000)
        broken("something stays due in %s at server %d", codes[world], server);
    for (int i = 0; i < PEOPLE; i++) {
        const struct world_member *member = world_find_member(&replica->world, span_of(ids[i]));
        bool there = sim.person[i].at[world] != NOBODY;
        if (member && member->connected != there)
            broken("server %d believes that %s is %s", server, ids[i],
                   there ? "not there" : "there");
        if (desk->here_count > 0 && (desk->announced >> i & 1) != there)
            broken("people at server %d are told that %s is %s", server, ids[i],
                   there ? "not there" : "there");
    }
}

static bool awaits_bot(const struct world *world) {
    for (int i = 0; i < world->seat_count; i++)
        if ((world->awaited >> i & 1) != 0 &&
            (world->seat[i].kind == WORLD_SEAT_BOT || world->seat[i].away))
            return world->status == WORLD_PLAYING;
    return false;
}

static void check_world(int world) {
    const struct shelf *shelf = &sim.shelf[world];
    const struct world *truth = &shelf->truth;
    bool watched = false, known = false;
    if (truth->status == WORLD_CLOSED)
        return;
    for (int i = 0; i < sim.plan.servers; i++) {
        check_server(i, world);
        known = known || desk_of(i, world)->open;
    }
    for (int i = 0; i < PEOPLE; i++) {
        const struct person *person = &sim.person[i];
        if (person->at[world] == NOBODY)
            continue;
        watched = true;
        if ((members_of(truth) >> i & 1) == 0)
            broken("%s listens to %s and is no member", ids[i], codes[world]);
        if (person->told[world] != NOBODY &&
            (person->told[world] != shelf->version || person->chain[world] != chain_of(shelf)))
            broken("%s was told of version %" PRId64 " of %s, and the store has %d", ids[i],
                   person->told[world], codes[world], shelf->version);
    }
    if (watched && awaits_bot(truth) && sim.now_ms > shelf->appended_ms + 9000)
        broken("the bot of %s does not go on", codes[world]);
    if (!known && shelf->due_ms < START_MS + sim.now_ms - 6000)
        broken("nobody sees to %s, which is due", codes[world]);
}

static void check_all(void) {
    for (int i = 0; i < sim.ask_count; i++) {
        const struct ask *each = &sim.ask[i];
        if (!each->over)
            broken("'%s' of %s in %s is not answered", each->words, ids[each->person],
                   codes[each->world]);
    }
    for (int i = 0; i < sim.plan.worlds; i++)
        check_world(i);
    if (sim.calm_conflicts > 3 && (sim.plan.noise & OTHER_CLOCKS) == 0)
        broken("servers get in each other's way %d times", sim.calm_conflicts);
}

/* The faults are over: members come back, and everybody asks for something once more. */
static void calm_down(void) {
    for (int i = 0; i < sim.plan.servers; i++)
        if (!sim.server[i].up)
            start_server(i);
    for (int world = 0; world < sim.plan.worlds; world++)
        for (int i = 0; i < PEOPLE; i++)
            if ((members_of(&sim.shelf[world].truth) >> i & 1) != 0)
                come_back(i, world);
}

static void speak_up(void) {
    for (int world = 0; world < sim.plan.worlds; world++)
        for (int i = 0; i < sim.plan.servers; i++)
            ask(ASK_ACT, i % 3, world, i, i % 2 == 0 ? "name Even" : "name Odd");
}

static bool is_something_on_its_way(void) {
    for (int i = 0; i < sim.heap_count; i++) {
        const struct happening *each = &sim.happening[sim.heap[i]];
        if (each->kind == HEARD || each->kind == SAID || each->kind == FREE_THREAD)
            return true;
    }
    for (int i = 0; i < sim.plan.servers; i++)
        for (int world = 0; world < sim.plan.worlds; world++) {
            const struct desk *desk = desk_of(i, world);
            if (desk->open && (desk->count > 0 || desk->replica.tail >= REPLICA_TAIL_ASKED))
                return true;
        }
    return false;
}

static void run(const struct plan *plan, bool tells) {
    begin(plan, tells);
    for (int i = 0; i < plan->servers; i++)
        start_server(i);
    for (int i = 0; i < plan->worlds; i++)
        make_world(i);
    for (int i = 0; i < 3; i++)
        for (int world = 0; world < plan->worlds; world++)
            expect(COME_BACK, 300 + 10 * i, NOBODY, world)->number = i;
    for (int i = 0; i < plan->count; i++)
        expect(DEED, plan->deed[i].at_ms, NOBODY, 0)->number = i;
    int phase = 0;
    while (sim.now_ms < sim.calm_ms + CALM_MS ||
           (is_something_on_its_way() && sim.now_ms < sim.calm_ms + CALM_MS + 5000)) {
        if (phase == 0 && sim.now_ms >= sim.calm_ms)
            phase = 1, tell("-- all is calm"), calm_down();
        if (phase == 1 && sim.now_ms >= sim.calm_ms + 3000)
            phase = 2, plan->seed % 2 == 0 ? speak_up() : (void)0;
        run_one();
    }
    check_all();
}

static bool holds(const struct plan *plan, bool tells) {
    if (setjmp(failed) != 0)
        return false;
    run(plan, tells);
    return true;
}

/* ---- Failures ---- */

/* Leaves out everything that is not needed for a failure, whichever failure it is. */
static void shorten(struct plan *plan) {
    bool shorter = true;
    while (shorter) {
        shorter = false;
        for (int size = plan->count / 2 > 0 ? plan->count / 2 : 1; size > 0; size /= 2) {
            for (int at = 0; at + size <= plan->count;) {
                struct plan less = *plan;
                less.count -= size;
                memmove(&less.deed[at], &plan->deed[at + size],
                        (size_t)(plan->count - at - size) * sizeof less.deed[0]);
                if (holds(&less, false)) {
                    at++;
                } else {
                    *plan = less;
                    shorter = true;
                }
            }
        }
        for (int i = 0; i < NOISES; i++) {
            struct plan less = *plan;
            less.noise &= ~(1u << i);
            if (less.noise != plan->noise && !holds(&less, false)) {
                *plan = less;
                shorter = true;
            }
        }
    }
}

static void print_plan(const struct plan *plan) {
    printf("# %d servers, %d worlds\n", plan->servers, plan->worlds);
    for (int i = 0; i < NOISES; i++)
        if ((plan->noise >> i & 1) != 0)
            printf("# %s\n", noise_names[i]);
}

static int report(uint64_t seed, struct plan *plan) {
    shorten(plan);
    holds(plan, false);
    printf("not ok - seed %" PRIu64 ": %s\n", seed, failure);
    printf("# the shortest history that fails:\n");
    print_plan(plan);
    holds(plan, true);
    printf("# again: replicas_test %" PRIu64 "\n", seed);
    return 1;
}

int main(int argc, char **argv) {
    uint64_t from = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : argc > 1 ? 1 : SEEDS;
    static struct plan plan;
    for (uint64_t seed = from; seed < from + count; seed++) {
        make_plan(seed, &plan);
        if (!holds(&plan, argc == 2))
            return report(seed, &plan);
    }
    printf("ok - %" PRIu64 " seeds\n1..1\n", count);
    printf("# %" PRIu64 " steps, %" PRIu64 " entries, %" PRIu64 " acknowledged, %" PRIu64
           " of them repeated, %" PRIu64 " refused, %" PRIu64 " conflicts, %" PRIu64
           " worlds read again, %" PRIu64 " lost tails noticed, %" PRIu64 " views\n",
           counts.steps, counts.entries, counts.acknowledged, counts.repeated, counts.refused,
           counts.conflicts, counts.rereads, counts.went_back, counts.told);
    printf("# faults: %" PRIu64 " servers killed, %" PRIu64 " stopped, %" PRIu64 " deaf, %" PRIu64
           " shards dead, %" PRIu64 " tails lost, %" PRIu64 " stores full\n",
           counts.deeds[KILL], counts.deeds[STOP], counts.deeds[DEAF], counts.deeds[DEAD_SHARD],
           counts.deeds[LOST_TAIL], counts.deeds[FULL]);
    return 0;
}
