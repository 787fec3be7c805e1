/* The worlds that are in memory: loaded from the store when somebody asks, changed here, written
 * before anybody hears of it, and let go when nobody needs them.
 *
 * What is done with a world, and when, is decided by its replica (replica.h), a machine without a
 * loop, sockets or a store. These files tell it what happens and carry out what it wants. Only when
 * a world that nobody uses is let go is decided here (`is_needed` in rooms.c). */
#pragma once

#include "server/channels/channel_names.h"
#include "server/channels/hub.h"
#include "server/rooms/replica.h"
#include "store/store.h"

struct rooms;
struct room;

struct rooms_config {
    uv_loop_t *loop;
    struct store *store;
    struct hub *hub;
    struct world_times times;
    int bot_threads;          /* that think at the same time */
    int64_t archive_after_ms; /* finished worlds leave the open ones */
    int64_t archive_idle_ms;  /* so do others that nobody touched */
    /* Somebody who hears a world's channel is no longer a member. */
    void (*left)(void *arg, const char *code, const char *player);
    /* Somebody who is not here came to a world's channel at another server, or left it. */
    void (*elsewhere)(void *arg, const char *code, const char *player, const char *info,
                      bool there);
    /* Somebody whose turn it is has not been connected for a while. Null: nobody cares. */
    void (*absent)(void *arg, const struct world *world, int seat, int64_t away_ms);
    void *arg;
};

struct rooms_figures {
    int loaded, waiting_entries, thinking;
    uint64_t actions, bot_moves, bot_ns, failures, loads;
    uint64_t went_back; /* worlds whose store had lost what was durable */
    uint64_t visits;    /* times that a world was looked at without a reason of its own */
};

struct rooms *rooms_open(const struct rooms_config *config);
/* From now on nothing happens by itself; what waits is still written. */
void rooms_stop(struct rooms *rooms);
void rooms_free(struct rooms *rooms);
bool rooms_idle(const struct rooms *rooms); /* no bot thinks, no entry waits */
struct rooms_figures rooms_figures(const struct rooms *rooms);

/* Time in ms since 1970; never goes back. */
int64_t rooms_now(const struct rooms *rooms);
/* How rooms_now is computed. A wall clock that is set forward is followed. One that is set back is
 * not: time goes on by the steady clock, so that nobody has to wait until the wall clock catches
 * up. */
int64_t rooms_clock(int64_t *ahead_ms, int64_t wall_ms, int64_t steady_ms);

/* Why something asked of a room did not happen: for the program, and for people. */
struct room_failure {
    enum replica_code code;
    struct refusal why;
};

/* The room is null, with a failure, if there is no such world or the store fails. Called at once if
 * the world is in memory. A closed world counts as unknown. */
typedef void rooms_found(void *arg, struct room *room, const struct room_failure *failure);
void rooms_find(struct rooms *rooms, struct span code, rooms_found *found, void *arg);

const struct world *room_world(const struct room *room);
/* The world if it is in memory and open, else null. Nothing is loaded, so the time that this takes
 * does not tell whether there is such a world. */
const struct world *rooms_peek(const struct rooms *rooms, struct span code);

/* A number that identifies its log (store_chain). */
uint64_t room_chain(const struct room *room);

/* Is all that was done so far in the store? */
bool room_is_durable(const struct room *room);
/* Calls back when everything is durable, at once if it is; with a failure if it never will be. */
typedef void rooms_done(void *arg, const struct room_failure *failure);
void room_when_durable(struct room *room, rooms_done *done, void *arg);

/* `done` is called once the action is durable. It is never called for an action that changed
 * nothing; what was done before may still be on its way then (see room_when_durable). What people
 * are to see of an entry is made at once and held back until it is durable. */
enum world_answer room_act(struct room *room, const struct world_action *action, rooms_done *done,
                           void *arg, struct refusal *why);

/* A JSON object that is part of the answer to the last accepted action, or an empty span. */
enum { ROOM_ANSWER_SIZE = 8192 };
struct span room_answer(const struct room *room);

/* In all worlds in memory people see somebody's new name in a moment, in a few worlds with each
 * turn of the loop; in other worlds it changes when that person joins again. */
void rooms_rename(struct rooms *rooms, const char *id, const char *name);

/* A new world with a fresh code, and what its maker wants of it, all or nothing. `found` is called
 * when it is durable; if the code was taken (REPLICA_TAKEN), try again. */
struct rooms_wish {
    struct span game, id, name;
    const struct span *words; /* lobby actions of the maker, in order */
    size_t word_count;
    const struct world_save *save; /* or null: a position to go on from, after the words */
};

bool rooms_create(struct rooms *rooms, const struct rooms_wish *wish, rooms_found *found, void *arg,
                  struct refusal *why);

/* May this person hear the world now? A world that is not in memory cannot be heard: somebody who
 * was let in a moment ago has it there. */
bool rooms_may_hear(const struct rooms *rooms, const char *code, struct span id);

/* Presence: somebody came to the world's channel, or was heard of, or left it. */
void rooms_presence(struct rooms *rooms, const char *code, struct span id, bool connected);
void room_heard_of(struct room *room, struct span id);
/* Somebody's action was refused: for the detailed log. */
void room_refused(struct room *room, struct span id, const struct refusal *why);
/* To be told of somebody's absence once more, when it has lasted so long. */
void rooms_look_again(struct rooms *rooms, const char *code, const char *player, int64_t away_ms);
/* Tells a socket that has just come how things stand (WD-C25). */
void rooms_greet(struct rooms *rooms, const char *code, const char *player, struct peer *peer);

/* ---- Where other servers share the store ---- */

void rooms_heard(struct rooms *rooms, const struct store_heard *heard);
/* Lines of a world's log were replaced in the store: whoever has it in memory reads it again. */
void rooms_rewritten(struct rooms *rooms, struct span code);
void rooms_said(struct rooms *rooms, struct span code, struct span node, struct span text);
void rooms_watching(struct rooms *rooms, struct span code);
/* The same as rooms_find, but only after everything was read that others have appended so far. */
void rooms_refresh(struct rooms *rooms, struct span code, rooms_found *found, void *arg);
/* Who is at this world through other servers; null if the world is not in memory. */
const struct remote_presence *rooms_others(const struct rooms *rooms, const char *code);
