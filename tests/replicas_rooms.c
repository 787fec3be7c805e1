/* The shell around the replicas of the simulation, in the place of server/rooms: carries out what
 * they want, shows people what they are sent, and lets them ask. Whatever somebody sees or is
 * answered is checked here. */
#include "tests/replicas.h"

#include "engine/ensure.h"
#include <stdio.h>

static struct replica_effects pool[DEPTH];

/* ---- Steps ---- */

void step(int server, int world, struct replica_event event);
static void answer_ask(int index, enum replica_code code);
static void go_on(int index);
static void find_for(int index);

void tick_at(int server, int world, int64_t at_ms) {
    struct desk *desk = desk_of(server, world);
    desk->wakes++;
    if (at_ms != INT64_MAX)
        expect(WAKE, at_ms - START_MS - sim.server[server].ahead_ms, server, world)->number =
            (int)desk->wakes;
}

static int person_of(struct span id) {
    for (int i = 0; i < PEOPLE; i++)
        if (span_is(id, ids[i]))
            return i;
    broken("nobody is called %.*s", (int)id.length, id.data);
}

void open_desk(int server, int world) {
    struct desk *desk = desk_of(server, world);
    replica_begin(&desk->replica, &times, true, (uint32_t)(server * 97 + world * 31));
    desk->open = true;
    desk->claimed = desk->watching = false;
    desk->seekers = desk->refreshers = 0;
    desk->first = desk->count = 0;
    desk->greet = desk->announced = 0;
    for (int i = 0; i < desk->here_count; i++) /* of a world that was closed, and came back */
        desk->announced |= 1u << person_of(span_of(desk->here[i].id));
    desk->replica.used_ms = clock_of(server);
    desk->wake_ms = desk->replica.due_ms;
    desk->opened_ms = sim.now_ms;
    expect(WATCHING, sim.now_ms + 10 * (1 + draw(4)), server, world);
}

void close_desk(struct desk *desk) {
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
    who->told_ms[world] = sim.now_ms;
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

void leave_channel(int server, int world, int person) {
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

void let_think(int server, int world) {
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

/* Answers those who wait, but not those who come to wait meanwhile. */
static void answer_found(int server, int world, enum replica_code code) {
    struct desk *desk = desk_of(server, world);
    uint64_t all = desk->seekers | desk->refreshers;
    desk->seekers = desk->refreshers = 0;
    answer_asks(all, code);
    if (desk->claimed && code == REPLICA_DONE) {
        desk->claimed = false;
        step(server, world, (struct replica_event){.kind = REPLICA_CLAIMED});
    }
}

static void take_note(int server, int world, const struct replica_effect *effect) {
    if (effect->note == REPLICA_NOTE_BROKEN)
        tell("server %d: %s is broken at %" PRId64 ": %s", server, codes[world], effect->number,
             effect->text.data);
    counts.rereads += effect->note == REPLICA_NOTE_REREAD;
    counts.went_back += effect->note == REPLICA_NOTE_WENT_BACK;
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
        answer_found(server, world, effect->code);
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
        take_note(server, world, effect);
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
    if (sim.depth == DEPTH)
        broken("steps lead to steps without end");
    struct replica_effects *effects = &pool[sim.depth++];
    counts.steps++;
    replica_step(&desk->replica, &around, event, effects);
    if (sim.tells)
        tell_step(server, world, event, effects);
    for (const struct replica_effect *each = effects->first; each; each = each->next) {
        desk->more = desk->more || each->kind == REPLICA_MORE;
        carry_out(server, world, each);
    }
    sim.depth--;
}

void step(int server, int world, struct replica_event event) {
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

void try_again_later(int index) {
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

void on_try(int index) {
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

void ask(enum ask_kind kind, int person, int world, int server, const char *what) {
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
