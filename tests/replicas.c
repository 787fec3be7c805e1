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
#include "tests/replicas.h"

#include "engine/ensure.h"
#include "tests/sanitized.h"
#include "tests/worlds.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { SEEDS = SANITIZED ? 1000 : 10000 };

const char *const ids[PEOPLE] = {"ann", "bob", "cy", "dee"};
const char *const codes[WORLDS] = {"AAAAAA", "BBBBBB"};
const struct world_times times = {
    .away_ms = 6000, .lobby_ms = 9000, .idle_ms = 60000, .close_ms = 5000, .abandon_ms = 90000};

struct sim sim;
struct counts counts;
static jmp_buf failed;
static char failure[256];

/* ---- Plans ---- */

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

static const char *const noise_names[NOISES] = {
    "requests are lost",   "answers are lost",      "requests come late", "requests are refused",
    "requests come twice", "words are lost",        "words come twice",   "words come in any order",
    "clocks differ",       "requests are not taken"};

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
    /* How often each kind of deed comes, beside the others. */
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

/* ---- Failing and telling ---- */

_Noreturn void broken(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(failure, sizeof failure, format, list);
    va_end(list);
    longjmp(failed, 1);
}

_Noreturn void ensure_failed(const char *what, const char *file, int line) {
    broken("%s:%d ensures %s", file, line, what);
}

void tell(const char *format, ...) {
    va_list list;
    if (!sim.tells)
        return;
    printf("# %6" PRId64 "  ", sim.now_ms);
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    printf("\n");
}

int draw(int bound) {
    return below(&sim.random, bound);
}

/* Things go wrong only while there are faults. */
bool strikes(enum noise noise, int one_in) {
    return (sim.plan.noise & noise) != 0 && sim.now_ms > 500 && sim.now_ms < sim.calm_ms &&
           draw(one_in) == 0;
}

int64_t clock_of(int server) {
    return START_MS + sim.now_ms + sim.server[server].ahead_ms;
}

struct desk *desk_of(int server, int world) {
    return &sim.server[server].desk[world];
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
    sim.depth = 0;
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
        if (person->at[world] == NOBODY || !desk_of(person->at[world], world)->open)
            continue; /* or at a server to which the world was closed, before a tail was lost */
        watched = true;
        if ((members_of(truth) >> i & 1) == 0)
            broken("%s listens to %s and is no member", ids[i], codes[world]);
        bool earlier = person->told_ms[world] < desk_of(person->at[world], world)->opened_ms;
        if (person->told[world] != NOBODY && !earlier &&
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
    bool forgot = false; /* then each server that was not asked for anything notices by itself */
    for (int i = 0; i < sim.plan.worlds; i++)
        forgot = forgot || sim.lost_ms[i] >= 0;
    if (sim.calm_conflicts > 3 && !forgot && (sim.plan.noise & OTHER_CLOCKS) == 0)
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
