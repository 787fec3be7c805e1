/* What stands behind store.h. The front (store.c) checks, copies and queues requests and delivers
 * the answers. A backend is of one of two kinds. One that works (memory, SQLite) carries out one
 * request after the other, in transactions, and knows nothing of queues: of a batch the writes come
 * first, in one transaction that succeeds or fails as a whole, then the reads in another. A write
 * that would take long is done in several transactions, so that others come in between. One that
 * answers (Redis) takes each request for itself and answers it when it can. */
#pragma once

#include "store/arena.h"
#include "store/store.h"

enum request_kind {
    REQUEST_APPEND,
    REQUEST_ARCHIVE,
    REQUEST_PLAYER_ADD,
    REQUEST_PLAYER_SEEN,
    REQUEST_PLAYER_DEVICES,
    REQUEST_PLAYER_ERASE,
    REQUEST_PLAYER_FORGET,
    REQUEST_REWRITE,
    REQUEST_TRY, /* only of stores that are not shared */
    REQUEST_SAY,
    REQUEST_CLAIM,
    REQUEST_FINISHED, /* remembers that somebody asks */
    REQUEST_EXPORTED,
    REQUEST_PUT_AWAY,
    REQUEST_SEAT_FORGET,
    REQUEST_SET_EARLIER,
    REQUEST_NOTE_PUT,
    /* From here on they only read. */
    REQUEST_LOAD,
    REQUEST_DUE,
    REQUEST_LIST_PUBLIC,
    REQUEST_LIST_OF_PLAYER,
    REQUEST_LIST_VISITED,
    REQUEST_PLAYER_BY_TOKEN,
    REQUEST_PLAYER_BY_ID,
    REQUEST_PLAYER_RECORDS,
    REQUEST_PLAYER_EARLIER,
    REQUEST_NOTES,
    REQUEST_WALK_WORLDS,
    REQUEST_WALK_PLAYERS
};

static inline bool request_writes(enum request_kind kind) {
    return kind < REQUEST_LOAD;
}

/* A request with its answer. Which members count depends on the kind. */
struct request {
    struct request *next;
    struct arena arena; /* has the request itself, what it points to, and its answer */
    size_t size;        /* in bytes, when it was asked */
    enum request_kind kind;
    store_callback *callback;
    void *arg;
    struct span key;               /* a code, an id, a game's id or the bytes of a token's hash */
    struct span name;              /* a person's new one; what is said */
    int64_t number;                /* a version, a place or a time */
    int64_t after_ms, after_place; /* where a page of due worlds begins */
    int64_t claim_ms, lease_ms;    /* when worlds are claimed, and for how long */
    size_t max;                    /* rows; or a seat */
    union {                        /* by kind */
        struct store_append append;
        struct store_rewrite rewrite;
        struct store_ages ages;
        struct store_player player;
        struct store_devices devices;
        struct store_walk walk;
    };
    bool look; /* on a walk: whether all is in order */
    const struct store_record *records;
    size_t record_count;
    struct store_note note; /* of the owner `key` */
    bool fresh;
    /* Of a backend that works: there is more to do, in a later transaction, and until then nothing
     * is answered. What `run` has to know then is in `progress`. */
    bool again;
    void *progress;
    struct store_reply reply; /* OK and empty at first */
};

struct backend {
    /* Begins a transaction. False if nothing can be done at the moment; `why` says what is
     * wrong. */
    bool (*begin)(void *self, bool writes, struct refusal *why);
    /* Fills in the reply, with memory of the request's arena or its own. False: the transaction
     * failed. */
    bool (*run)(void *self, struct request *request, struct refusal *why);
    /* Makes the transaction last. True only if it will survive a loss of power. */
    bool (*commit)(void *self, struct refusal *why);
    /* Called after run or commit failed: nothing of the transaction may be left. */
    void (*undo)(void *self);
    void (*close)(void *self);

    /* Only backends that answer have these; they are those of shared stores. A request that was
     * taken is given back by store_answer. That happens on the loop, after `send` has returned; or,
     * if the backend has a loop of its own, before it returns. */
    void (*take)(void *self, struct request *request);
    void (*send)(void *self);
    void (*listen)(void *self, const struct store_listener *listener);
    void (*deafen)(void *self);
    void (*watch)(void *self, struct span code, bool on);
    const char *(*secret)(void *self);
};

/* What opening a backend gives. */
struct backing {
    const struct backend *backend;
    void *self;
    void *reader; /* what reads are asked of; they may run while `self` writes. Null: of `self` */
};

void memory_open(struct backing *out);
bool redis_is_address(const char *where);
bool redis_open(const struct store_config *config, struct store *front, struct backing *out,
                struct refusal *why);
bool sqlite_open(const struct store_config *config, struct backing *out, struct refusal *why);

/* For a backend that answers: the request has its reply. */
void store_answer(struct store *front, struct request *request);

/* For a backend that does not sort them by itself. */
void store_sort_notes(struct store_note *notes, size_t count);

/* The refusal that a failing store answers with: UNAVAILABLE. */
bool refuse_unavailable(struct refusal *why, const char *text);
