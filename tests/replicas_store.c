/* The store of the simulation, and what servers say to each other through it. It loses, delays,
 * repeats, reorders and forgets; what it has kept at some time is remembered for the checks. */
#include "tests/replicas.h"

#include "engine/ensure.h"

/* ---- Happenings, in the order of their time ---- */

static bool comes_before(int a, int b) {
    const struct happening *one = &sim.happening[a], *two = &sim.happening[b];
    return one->at_ms != two->at_ms ? one->at_ms < two->at_ms : one->order < two->order;
}

struct happening *expect(enum happening_kind kind, int64_t at_ms, int server, int world) {
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

int next_happening(void) {
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

uint64_t chain_of(const struct shelf *shelf) {
    return shelf->version > 0 ? sim.record[shelf->log[shelf->version - 1]].chain
                              : STORE_CHAIN_START;
}

unsigned members_of(const struct world *world) {
    unsigned members = 0;
    for (int i = 0; i < PEOPLE; i++)
        members |= (unsigned)(world_find_member(world, span_of(ids[i])) != NULL) << i;
    return members;
}

/* Finds the line if it was ever in the store. */
const struct record *find_record(int world, int64_t version, uint64_t chain) {
    const struct shelf *shelf = &sim.shelf[world];
    if (version <= shelf->version && version > 0 &&
        sim.record[shelf->log[version - 1]].chain == chain)
        return &sim.record[shelf->log[version - 1]];
    for (int i = 0; i < sim.record_count; i++)
        if (sim.record[i].version == version && sim.record[i].chain == chain)
            return &sim.record[i];
    return NULL;
}

bool log_has(int world, uint64_t action) {
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

void forget_tail(int world, int count) {
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

void pass_on(enum happening_kind kind, int from, int world, int64_t version, uint64_t chain,
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

void send_request(int server, int world, struct request request) {
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

void on_request(struct happening *happening) {
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
