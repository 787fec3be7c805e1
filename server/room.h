/* What a world in memory is made of, for the files that share its care. rooms.c finds, loads,
 * writes and advances worlds; rooms_due.c knows when each wants to be looked at; rooms_birth.c
 * makes new ones; rooms_shared.c follows what other servers do with them and who is there. */
#ifndef SERVER_ROOM_H
#define SERVER_ROOM_H

#include "server/rooms.h"
#include "store/hash.h"

enum {
    ROOM_UNWRITTEN_MAX = 48, /* entries of a world that may wait for the store before bots pause */
    ROOMS_DUE_PAGE = 64,
    ROOMS_LOADED_MAX = 100000, /* worlds, before the due ones have to wait */
    ROOMS_LATE_MS = 400        /* how long another server may be late before this one steps in */
};

enum room_phase { ROOM_LOADING, ROOM_READY };

/* Somebody who waits for the room to be loaded. */
struct seeker {
    rooms_found *found;
    void *arg;
    struct seeker *next;
};

struct room {
    struct rooms *rooms;
    enum room_phase phase;
    struct world world;
    int unwritten; /* entries that the store has not confirmed */
    int holders;   /* calls that still point here */
    bool thinking;
    bool queued;              /* its bot waits until another has thought */
    struct room *next, *prev; /* in that queue */
    bool doomed;              /* an entry failed: to be read again when the last answer has come */
    bool beaten;              /* ... because somebody else was faster */
    bool mine;                /* sees to what is due; always, where nobody else does */
    bool behind;              /* others appended what is not folded yet */
    bool catching_up;         /* and it is being read */
    bool stranded;            /* could not be read; people here wait for it */
    int64_t kept;             /* the version up to which all is durable and told */
    uint64_t chain;           /* of the log as it is in memory */
    uint64_t kept_chain;      /* of the log up to that version */
    int64_t went_back_from;   /* a version that was durable and told, and is lost; 0: none is */
    int64_t announced_ms;     /* when others were told who is here */
    struct others others;     /* who is at other servers */
    int heard_count;          /* people who were heard of here since then, without a socket */
    char heard[WORLD_MEMBERS_MAX][WORLD_ID_MAX + 1];
    struct seeker *refreshers; /* wait until the tail is read */
    int heap_at;               /* -1: not in the heap */
    int64_t due_ms;
    int64_t used_ms;
    int64_t pause_ms; /* nothing happens by itself before */
    uint64_t summary_hash;
    struct seeker *seekers;
    struct entry *entries, **entries_end; /* that wait, in order */
    char code[WORLD_CODE_LENGTH + 1];
    UT_hash_handle hh;
};

/* An entry on its way into the store, and whom to tell. */
struct entry {
    struct room *room;
    struct push *pushes;
    rooms_done *done;
    void *arg;
    bool outlines; /* who is a member may have changed */
    bool is_birth;
    uint64_t chain; /* of the log up to here */
    struct entry *next;
};

struct rooms {
    struct rooms_config config;
    struct room *all;
    struct room **heap;
    int heap_count, heap_room;
    uv_timer_t timer, sweeper, beat;
    bool shared;
    bool claiming;
    bool store_lost; /* and that was said */
    uint32_t spread; /* this server's own */
    bool closing;
    bool waking; /* worlds of the store that are due are being fetched, page by page */
    int wakes;   /* that are being loaded */
    int64_t woken_ms, woken_place; /* the last of this page */
    bool more_to_wake;
    int thinking;
    struct room *queue; /* of bots that wait for a thread, the longest waiting first */
    int64_t clock_ms;   /* how far the time given out is ahead of the machine's steady clock */
    struct rooms_figures figures;
    struct task *spare; /* one, so that most bots need no memory */
    struct events events;
    char event_data[1 << 18];
    struct text answer; /* see room_answer */
    char answer_data[ROOM_ANSWER_SIZE];
    struct world_news news;
};

/* ---- rooms.c ---- */

bool rooms_is_code(struct span code);
/* Null: not in memory. */
struct room *rooms_look_up(const struct rooms *rooms, struct span code);
struct room *rooms_add(struct rooms *rooms, struct span code);
void room_drop(struct room *room);
void room_load(struct room *room);
/* Between the two a room stays, whatever callbacks do; after the second it may be gone. */
void room_hold(struct room *room);
void room_release(struct room *room);
void room_answer_all(struct seeker **list, struct room *room, const struct refusal *why);
/* Lines of the log, one after the other; false: it cannot be read. */
bool room_fold_page(struct room *room, const struct store_reply *reply, struct refusal *why);
/* One line that another server appended; people here are told. */
bool room_hear_line(struct room *room, struct span line, struct refusal *why);
/* After lines of others: they see to what is due next. */
void room_take_note(struct room *room);
struct entry *room_new_entry(struct room *room, rooms_done *done, void *arg);
/* Asks the store to keep the entry; false if it does not even take the request. */
bool room_append(struct room *room, const struct span *lines, size_t count, struct entry *entry,
                 struct refusal *why);
/* The world is not what the store has: once nobody is busy with it any more, it is read again. */
void room_doom(struct room *room, bool beaten, const char *why);
/* Everything of this world that is due, and when to look again. */
void room_advance(struct room *room);
/* Worlds of the store that this server is to see to. */
void rooms_on_due(void *arg, const struct store_reply *reply);

/* ---- rooms_due.c ---- */

/* When this server is to see to what is due: whoever wrote last comes first. */
int64_t room_own_due(const struct room *room);
void room_set_due(struct room *room);
void room_never_due(struct room *room);

/* ---- rooms_shared.c ---- */

/* Reads what others have appended, once nothing of one's own is on its way. */
void room_catch_up(struct room *room);
/* Of a world that was read: who is here or at other servers. */
void room_restore_presence(struct room *room);
/* A store that is shared: worlds that nobody sees to, and what others should know. */
void rooms_begin_beats(struct rooms *rooms);

#endif
