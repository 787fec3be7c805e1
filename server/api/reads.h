/* Reads that cost more than a look into memory: a world's log, its past, a save, statistics. They
 * are charged by what they cost, to the person and to the address; one person's are made one after
 * the other, and few at a time in all; and the work is done on another thread than the loop's. What
 * was made of a world stays for as long as there is room, and is not made again until the world has
 * moved on. docs/reliability.md lists what each route costs. */
#pragma once

#include "server/api/request.h"

enum {
    READS_ENTRIES_A_UNIT = 100,     /* entries of a log that are read for one unit of cost */
    READS_WAITING_MAX = 8,          /* of one person */
    READS_WAITING_IN_ALL = 512,     /* reads; as many requests aside */
    READS_KEPT_MAX = 64,            /* texts that stay ... */
    READS_KEPT_BYTES = 8 * 1048576, /* ... and their size */
    READS_ADDRESS_FACTOR = 4        /* so many people's units are one address's */
};

struct reads *reads_open(struct app *app, int at_once);
/* Refuses those who wait, and everybody who comes. */
void reads_stop(struct reads *reads);

struct reads_figures {
    int waiting;              /* or under way */
    int running_most;         /* at the same time, since the start */
    uint64_t made, from_kept; /* texts that were made, and answers from one that was there */
};
struct reads_figures reads_figures(const struct reads *reads);

bool reads_idle(const struct reads *reads);
void reads_free(struct reads *reads);

/* Charges the request so many units. False with RATE_LIMITED if there are not so many left. */
bool reads_charge(struct request *request, int64_t units, struct refusal *why);
/* The same for what turned out to be necessary: what is not left, the person owes. */
void reads_owe(struct request *request, int64_t units);

/* The same, and takes the step when it is this request's turn, which lasts until its end. */
bool reads_wait(struct request *request, int64_t units, request_step *step, struct refusal *why);

/* For what takes long in several steps, such as erasing a person world by world: one such step is
 * taken at a time in all, aside of the reads, and then none for three times as long as it took.
 * `reads_wait_aside` waits for the first turn, `reads_again` ends a turn and waits for the next. */
bool reads_wait_aside(struct request *request, int64_t units, request_step *step,
                      struct refusal *why);
void reads_again(struct request *request, request_step *step);

/* Does the work on another thread, which may use what belongs to the request and nothing else, and
 * then takes the step `done`. Only during the request's turn. */
bool reads_work(struct request *request, void (*work)(struct request *request), request_step *done);

/* For request_end: the request no longer waits, and it is somebody else's turn. */
void reads_leave(struct request *request);
void reads_go(struct reads *reads);

/* ---- Texts that stay ---- */

/* Whatever can differ between two of them: which world, how far, what for, and for whom (empty:
 * for everybody). */
struct reads_key {
    const char *code, *kind, *id;
    uint64_t chain; /* of the log as far as it was read */
};

/* Null data if there is none. It stays until the next one is kept. */
struct span reads_kept(struct reads *reads, const struct reads_key *key);
/* Takes over the text, which malloc made, and gives it back to be answered with. */
struct span reads_keep(struct reads *reads, const struct reads_key *key, struct span text);
