/* What a world in memory is made of, for the files that share the work. replica.c decides what is
 * to be done with a world; these files do it. rooms.c finds worlds and carries out what their
 * replicas want; due.c knows when to look at each again; bots.c lets bots think; turns.c does what
 * takes long in small parts; birth.c makes new worlds; other_servers.c follows what other servers
 * do with them; presence.c knows who comes and goes, absent.c who is waited for. */
#pragma once

#include "server/channels/channel_names.h"
#include "server/ops/log.h"
#include "server/rooms/detail_log.h"
#include "server/rooms/results.h"
#include "server/rooms/rooms.h"
#include "store/hash.h"

enum {
    ROOMS_DUE_PAGE = 64,
    ROOMS_LOADED_MAX = 100000 /* worlds, before the due ones have to wait */
};

/* Somebody who waits for the room to be loaded. */
struct seeker {
    rooms_found *found;
    void *arg;
    struct seeker *next;
};

/* A turn of somebody who is not connected, by when it began; and when to look at it again. */
struct absence {
    int64_t turn_ms, look_ms;
};

struct room {
    struct rooms *rooms;
    struct replica replica;
    int holders;              /* calls of room_hold without their room_release */
    bool stepping;            /* what a step of its replica wants is being carried out */
    bool more;                /* something else may be due already */
    bool queued;              /* its bot waits until another has thought */
    uint64_t thought_ns;      /* what its bots have had of the threads; see bots.c */
    struct room *next, *prev; /* in that queue */
    struct room *ring_next, *ring_prev;
    bool restless; /* wants to be looked at with the next beat */
    struct room *restless_next, *restless_prev;
    struct seeker *refreshers; /* wait until the tail is read */
    struct seeker *seekers;
    int heap_at; /* -1: not in the heap */
    int64_t due_ms;
    struct entry *entries, **entries_end; /* that wait, in order */
    struct absence absences[SEATS_MAX];
    char code[WORLD_CODE_LENGTH + 1];
    char channel[CHANNEL_NAME_SIZE]; /* its name */
    UT_hash_handle hh;
};

/* An entry on its way into the store, and whom to tell. */
struct entry {
    struct room *room;
    struct replica_entry replica;
    struct broadcast *pushes;
    rooms_done *done;
    void *arg;
    struct entry *next;
};

/* The people for whom an entry is made, until it is on its way. */
struct asker {
    rooms_done *done;
    void *arg;
    bool untaken; /* the store did not even take the request */
    struct refusal *why;
};

/* The effects of a step; carrying them out may lead to another step before all are done. */
struct effects {
    struct replica_effects list;
    struct effects *next;
};

struct rooms {
    struct rooms_config config;
    struct room *all;
    struct room *ring; /* the same, the one that was looked at longest ago first */
    struct room *restless;
    unsigned restless_count;
    struct room **heap;
    int heap_count, heap_room;
    uv_timer_t timer, sweeper, beat;
    uv_idle_t turns;            /* runs while something waits for the loop's next turn: */
    struct room_page *pages;    /* lines to be folded, */
    struct renaming *renamings; /* names to be written */
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
    struct room *queue; /* of bots that wait for a thread, by thought_ns */
    uint64_t served_ns; /* that of the one which got a thread last */
    int64_t clock_ms;   /* how far the time given out is ahead of the machine's steady clock */
    struct rooms_figures figures;
    struct log_silence not_written, reread;
    struct detail_log details;
    struct task *spare;      /* one, so that most bots need no memory */
    struct effects *effects; /* that nobody uses at the moment */
    struct text answer;      /* see room_answer */
    char answer_data[ROOM_ANSWER_SIZE];
    struct results results; /* of the game that is being written */
};

/* ---- rooms.c ---- */

/* Null if the room is not in memory. */
struct room *rooms_look_up(const struct rooms *rooms, struct span code);
struct room *rooms_add(struct rooms *rooms, struct span code);
void room_drop(struct room *room);
/* Between these two calls a room stays, whatever callbacks do; after the second it may be gone. */
void room_hold(struct room *room);
void room_release(struct room *room);
/* Tells the replica and does what it wants, with all that is due. The room may be gone after it. */
void room_step(struct room *room, const struct replica_event *event);
void room_tick(struct room *room);
/* Worlds of the store that this server is to see to. */
void rooms_on_due(void *arg, const struct store_reply *reply);

/* ---- absent.c ---- */

/* Tells of people who are away at their turn. */
void room_look_for_absent(struct room *room);
/* Is somebody's absence to be looked at later? */
bool room_awaits_absent(const struct room *room, int64_t now_ms);

/* ---- due.c ---- */

void room_set_due(struct room *room, int64_t due_ms);
void room_never_due(struct room *room);

/* ---- bots.c ---- */

/* The room's bot is due: lets it think, at once or when a thread is free. */
void room_let_think(struct room *room);
void room_leave_queue(struct room *room);

/* ---- turns.c ---- */

/* Hands the lines over that were asked for, one by one; many of them by and by. */
void room_fold(struct room *room, const struct store_reply *reply);
void rooms_open_turns(struct rooms *rooms);
/* Does at once what still waits. */
void rooms_stop_turns(struct rooms *rooms);

/* ---- other_servers.c ---- */

/* For a shared store: looks for worlds that nobody sees to. */
void rooms_claim_late(struct rooms *rooms);
