/* What the files of the simulation of replicas share; tests/replicas.c says what it is. */
#pragma once

#include "server/rooms/replica.h"
#include <inttypes.h>
#include <string.h>

enum {
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

extern const char *const ids[PEOPLE];
extern const char *const codes[WORLDS];
extern const struct world_times times;

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

struct plan {
    uint64_t seed;
    int servers, worlds;
    unsigned noise;
    int count;
    struct deed deed[DEEDS];
};

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
    int64_t told_ms[WORLDS]; /* when */
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

struct sim {
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
    int depth; /* of steps within steps */
};

struct counts {
    uint64_t steps, entries, acknowledged, repeated, refused, conflicts, rereads, told, went_back;
    uint64_t deeds[DEED_KINDS];
};

extern struct sim sim;
extern struct counts counts;

/* ---- replicas.c ---- */

/* Ends the run: something does not hold. */
_Noreturn void broken(const char *format, ...);
/* Prints what happens, where that is wanted. */
void tell(const char *format, ...);
int draw(int bound);
/* Does this noise spoil something now? Not while all is calm. */
bool strikes(enum noise noise, int one_in);
int64_t clock_of(int server);
struct desk *desk_of(int server, int world);

/* ---- replicas_store.c ---- */

/* What is to happen at that time of the simulation, or at once if it is over. */
struct happening *expect(enum happening_kind kind, int64_t at_ms, int server, int world);
int next_happening(void);
uint64_t chain_of(const struct shelf *shelf);
unsigned members_of(const struct world *world);
/* The line, if it was ever in the store; null if it was not. */
const struct record *find_record(int world, int64_t version, uint64_t chain);
bool log_has(int world, uint64_t action);
void forget_tail(int world, int count);
/* To all other servers that hear the world. */
void pass_on(enum happening_kind kind, int from, int world, int64_t version, uint64_t chain,
             struct span text);
void send_request(int server, int world, struct request request);
void on_request(struct happening *happening);

/* ---- replicas_rooms.c ---- */

void tick_at(int server, int world, int64_t at_ms);
void open_desk(int server, int world);
void close_desk(struct desk *desk);
void leave_channel(int server, int world, int person);
void let_think(int server, int world);
/* Tells the replica and carries out what it wants, all that is due included. */
void step(int server, int world, struct replica_event event);
void try_again_later(int index);
void on_try(int index);
/* Somebody asks a server for something, and asks again until there is a clear answer. */
void ask(enum ask_kind kind, int person, int world, int server, const char *what);
