/* What one server knows of one world, as a machine: events go in, effects come out, and there is no
 * loop, clock, socket or store in it. Whoever owns a replica carries out what it wants and tells it
 * what came of that: rooms.c in the server, tests/replicas.c in a simulation.
 *
 * A change is made in memory at once, so that the next one is judged by it, and its entry is to be
 * appended to the log. What people are to see of it is made at the same moment and waits with it.
 * Once the entry is durable, whoever acted is answered and everybody is told. If it is not, the
 * world is read again from its log.
 *
 * Other servers may write to the same log. What they append is heard and folded, and people are
 * told of it as of one's own; when something was missed, the tail of the log is read. An append
 * that came too late is a conflict: the world is read again and whoever acted tries again. Who
 * appended last sees to what is due next; the others wait a moment longer, so that they step in
 * only if that one is gone.
 *
 * A step changes the world by one entry at most, so that an effect which shows the world can be
 * carried out after the step. Effects are carried out in their order. What they lead to may be
 * another step, but for TICK, which waits until all of them are carried out: they may show the
 * world, and it must be the one that the step left. */
#pragma once

#include "server/channels/remote_presence.h"
#include "server/rooms/summary.h"
#include "store/arena.h"
#include "world/world.h"

enum {
    REPLICA_UNWRITTEN_MAX = 48, /* entries that may wait for the store before bots pause */
    REPLICA_LATE_MS = 400,      /* how long another server may be late before this one steps in */
    REPLICA_RETRY_MS = 1000,    /* after a failure of the store, until bots and clocks try again */
    REPLICA_HERE_MS = 4000,     /* how often others are told who is here ... */
    REPLICA_GONE_MS = 10000     /* ... and after how much silence they believe it no more */
};

enum replica_state {
    REPLICA_NEW,     /* nothing was read or made yet */
    REPLICA_LOADING, /* the log is being read from its start */
    REPLICA_READY,
    REPLICA_BEATEN,   /* somebody else appended first: to be read again ... */
    REPLICA_FAILED,   /* the store failed: the same; both wait until nothing is under way */
    REPLICA_STRANDED, /* could not be read, and people here wait for it: the next beat tries */
    REPLICA_GONE      /* there is no such world, or it cannot be read: to be forgotten */
};

/* What is known of the log's end. */
enum replica_tail {
    REPLICA_TAIL_KNOWN,
    REPLICA_TAIL_MISSED, /* others appended what is not folded */
    REPLICA_TAIL_ASKED,  /* it is being read ... */
    REPLICA_TAIL_MOVED   /* ... and others went on meanwhile */
};

enum replica_bot {
    REPLICA_BOT_IDLE,
    REPLICA_BOT_DUE, /* and waits for a thread */
    REPLICA_BOT_THINKS
};

/* The outcome of something that was asked of a replica. */
enum replica_code {
    REPLICA_DONE,
    REPLICA_BEHIND,      /* another server was faster: find the world again, and try again */
    REPLICA_TAKEN,       /* of a new world: its code is taken */
    REPLICA_UNDONE,      /* nothing was done */
    REPLICA_UNSURE,      /* the store did not say: it was done or not */
    REPLICA_MISSING,     /* there is no such world */
    REPLICA_UNREAD,      /* the store failed to give the log; the effect has its reason */
    REPLICA_OTHER_RULES, /* the log follows rules of another version; the effect says which */
    REPLICA_UNREADABLE   /* the log makes no sense */
};

/* An entry on its way into the store, as far as the replica has to recognise it. */
struct replica_entry {
    uint64_t chain; /* of the log up to here */
    bool lists;     /* what lists show has changed, and so perhaps who is a member */
    bool birth;     /* a world's first */
};

struct replica {
    struct world world;
    enum replica_state state;
    enum replica_tail tail;
    enum replica_bot bot;
    bool shared;            /* other servers may write to the same log */
    bool mine;              /* sees to what is due; always, where nobody else does */
    int unwritten;          /* entries that the store has not confirmed */
    uint32_t spread;        /* so that servers which wait do not all step in at once */
    uint64_t chain;         /* of the log as it is in memory */
    int64_t kept;           /* the version up to which all is durable and told */
    int64_t asked_kept;     /* the same when the log was asked for: answers may be old */
    uint64_t kept_chain;    /* of the log up to that version */
    int64_t went_back_from; /* a version that was durable and told, and is lost; 0: none is */
    bool page_follows;      /* the lines that come now follow what is known */
    bool rewritten;         /* lines of the log were replaced: it is to be read again */
    bool presents;          /* people are to be shown the world as it is, once it is read */
    int64_t due_ms;         /* as it was last asked for by WAKE */
    int64_t pause_ms;       /* nothing happens by itself before */
    int64_t used_ms;        /* when somebody last asked for it */
    int64_t announced_ms;   /* when others were told who is here */
    uint64_t lists_hash;    /* of what lists show; 0: not known */
    struct remote_presence others; /* who is at other servers */
    int heard_count;               /* people who were heard of here since then, without a socket */
    char heard[WORLD_MEMBERS_MAX][WORLD_ID_MAX + 1];
};

/* What servers say to each other about a world after somebody was taken out of its log. */
extern const char replica_rewritten[];

/* ---- Events ---- */

enum replica_event_kind {
    REPLICA_OPEN,     /* read the world */
    REPLICA_BORN,     /* it was made in `world` just now: lines, line_count, asker */
    REPLICA_ACTED,    /* action, asker; *answer and *why are filled in */
    REPLICA_UNTAKEN,  /* the store does not even take the request of the last APPEND */
    REPLICA_APPENDED, /* entry, outcome, version, text, asker */
    REPLICA_READ,     /* what LOAD asked for has come: outcome, chain, more, lines, line_count, and
                       * the first one's version; then LINE for each, then PAGE */
    REPLICA_LINE,     /* version, line */
    REPLICA_PAGE,     /* outcome, the log's version and chain, more, line_count, text */
    REPLICA_HEARD,    /* another server appended: version and chain before it, line */
    REPLICA_WATCHING, /* from now on others are heard; what came before may have been missed */
    REPLICA_SAID,     /* another server said something: node, text */
    REPLICA_REFRESH,  /* somebody wants to know what others have appended so far */
    REPLICA_PRESENCE, /* somebody came to the world's channel here or left it: id, there */
    REPLICA_HEARD_OF, /* id was heard of without a socket */
    REPLICA_CLAIMED,  /* this server is to see to what is due */
    REPLICA_THREAD,   /* is free to think, after THINK: run the task if *answer is WORLD_DONE */
    REPLICA_THOUGHT,  /* task; *answer is WORLD_DONE if it was played */
    REPLICA_TICK,     /* look whether something is due */
    REPLICA_BEAT      /* of a shared store: time to keep in touch */
};

struct replica_event {
    enum replica_event_kind kind;
    const struct span *lines;
    size_t line_count;
    const struct world_action *action;
    enum world_answer *answer;
    struct refusal *why;
    void *asker; /* comes back with APPEND, PUSH and ANSWER */
    const struct replica_entry *entry;
    enum store_outcome outcome;
    int64_t version;
    uint64_t chain; /* 0: not known */
    bool more, there;
    struct span line, node, text, id;
    struct world_task *task;
};

/* The circumstances of a step. */
struct replica_around {
    int64_t now_ms;
    bool store_full;   /* takes no more at the moment */
    bool memory_short; /* nothing should happen by itself */
    const struct listener *here;
    int here_count;
};

/* ---- Effects ---- */

enum replica_effect_kind {
    REPLICA_LOAD,      /* read the entries after this version; READ, LINE for each, PAGE */
    REPLICA_APPEND,    /* lines after this version and chain; `entry` comes back with APPENDED */
    REPLICA_PUSH,      /* send what was made with the asker's entry; or, without one, make it now
                        * of `events` and the world, and send it */
    REPLICA_ANSWER,    /* to the asker of an entry: code */
    REPLICA_FOUND,     /* to all who wait for the world or for its tail: code, text */
    REPLICA_REFRESHED, /* to all who wait for its tail: code, text */
    REPLICA_FORGET,    /* the replica is of no more use; to all who wait for it: code, text */
    REPLICA_EXPEL,     /* id is no member and must not hear the world's channel any more */
    REPLICA_ELSEWHERE, /* id with info (text) came to another server, or left (there) */
    REPLICA_SAY,       /* text, to the other servers */
    REPLICA_THINK,     /* a bot is due: THREAD, as soon as there is one */
    REPLICA_WAKE,      /* TICK at the replica's due_ms, and not at the time asked for before */
    REPLICA_MORE,      /* something else may be due already: TICK, after the other effects */
    REPLICA_CLOCK,     /* some other clock is ahead by so many ms (number): follow it */
    REPLICA_NOTE       /* for the log and the figures: note, number, text */
};

enum replica_note {
    REPLICA_NOTE_LOADED,
    REPLICA_NOTE_UNWRITTEN, /* an entry was not written for this reason; there: the first one */
    REPLICA_NOTE_REREAD,
    REPLICA_NOTE_WENT_BACK, /* the store has lost what was durable up to this version */
    REPLICA_NOTE_BROKEN     /* the log cannot be read at this version for this reason */
};

struct replica_effect {
    enum replica_effect_kind kind;
    enum replica_code code;
    enum replica_note note;
    bool there; /* ELSEWHERE, NOTE; of PUSH: people may know the world otherwise */
    void *asker;
    int64_t number; /* a version or a time */
    int64_t due_ms; /* APPEND: when something is due in the world */
    uint64_t chain;
    const struct span *lines;
    size_t line_count;
    struct replica_entry entry;
    struct span id, text;
    struct replica_effect *next;
};

/* What a step wants, in order, and the data that belong to it, until the next step. */
struct replica_effects {
    struct replica_effect *first, **end;
    struct arena arena;
    struct room_summary listed; /* of APPEND */
    struct world_news news;     /* the line of APPEND */
    struct events events;       /* of APPEND and PUSH */
    char event_data[1 << 18];
};

void replica_effects_free(struct replica_effects *effects);

/* ---- The machine ---- */

void replica_begin(struct replica *replica, const struct world_times *times, bool shared,
                   uint32_t spread);
void replica_end(struct replica *replica);

void replica_step(struct replica *replica, const struct replica_around *around,
                  const struct replica_event *event, struct replica_effects *out);

/* Must the replica stay, because an answer to something that it asked for will come? */
bool replica_is_busy(const struct replica *replica);
/* May this person hear the world now? While a world is being read nobody knows; people who turn out
 * to be no members are sent away afterwards. */
bool replica_may_hear(const struct replica *replica, struct span id);

/* ---- Those who ask ---- */

/* In a world that other servers write to as well, somebody may have been refused because others
 * were faster, or because this server had not heard of them yet. Then the action is judged once
 * more. */
enum replica_verdict { REPLICA_IS_FINAL, REPLICA_TRY_AGAIN, REPLICA_TRY_REFRESHED };

struct replica_tries {
    int behind;
    bool refreshed; /* the world is as it is in the store */
};

/* `by_rules` says that the world refused it, and not the store. */
enum replica_verdict replica_judge(struct replica_tries *tries, bool shared, enum replica_code code,
                                   bool by_rules);
