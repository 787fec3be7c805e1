/* Functions to test a store with: one line asks, commits and gives the answer as text. */
#pragma once

#include "store/store.h"
#include "tests/support.h"

/* A folder of its own, removed at the end with all that is in it. */
struct shelf {
    char folder[64];
    char file[80]; /* for a store; not made yet */
    struct store_config config;
    struct store *store;
};

void shelf_make(struct shelf *shelf);
void shelf_remove(struct shelf *shelf);

/* Opens shelf->config, and fails the test if that fails. */
void shelf_open(struct shelf *shelf);
void shelf_close(struct shelf *shelf);

/* What a callback was told. As text, entries are `1 text|2 text`, worlds `CODE CODE`, a player `id
 * name seen`, records `game played won points best figure=sum|...; game won score@time, ...`. */
struct answer {
    int calls;
    struct store_reply reply; /* its pointers are gone */
    struct store_world world; /* the first, without its texts */
    char text[1 << 16];
};

void answer_take(void *arg, const struct store_reply *reply);

/* An append of one line to a world that waits, with a summary where it is new. */
struct store_append append_line(const char *code, int64_t expected, const struct span *line);

/* Asks, commits and returns the answer. */
enum store_outcome shelf_append(struct shelf *shelf, const char *code, int64_t expected,
                                const char *line, struct answer *answer);
const char *shelf_load(struct shelf *shelf, const char *code, struct answer *answer);
const char *shelf_due(struct shelf *shelf, int64_t until_ms, struct answer *answer);

/* A Redis server of the test's own, in a folder of its own, on a socket there. */
struct redis_server {
    char folder[64];
    char where[96]; /* for store_config */
    int process;
    int port; /* 0: it has its socket only */
    int bus;  /* 0: it is not in a cluster */
};

int free_port(void); /* that nobody has at the moment */
void redis_server_start(struct redis_server *server);
void redis_server_start_with_port(struct redis_server *server);
/* Sentinel, which is told of a master called `table`; more lines for its file may be given. */
void redis_server_start_sentinel(struct redis_server *server, int master_port, const char *more);
/* Returns when the replica has all that the other server has, which must have a port. */
void redis_server_start_replica(struct redis_server *server, const struct redis_server *of);
/* Starts it again with what it had written. */
void redis_server_resume(struct redis_server *server);
void redis_server_signal(struct redis_server *server, int signal); /* SIGKILL: and waits */
void redis_server_empty(struct redis_server *server);
/* A command by its words; fails the test unless it is answered. */
void redis_server_tell(struct redis_server *server, const char *command);
/* Runs a command and returns its answer: a number, a text, or the length and the first item of a
 * list. */
int64_t redis_server_ask(struct redis_server *server, const char *command, char *out, size_t size);
/* Asks until the answer has these words in it. */
void redis_server_await(struct redis_server *server, const char *command, const char *text);
/* Waits until a replica has all that was written so far. */
void redis_server_replicate(struct redis_server *server);
void redis_server_remove(struct redis_server *server);

/* A Redis Cluster of three masters, each with a third of the slots. */
enum { CLUSTER_SERVERS = 3 };

struct redis_cluster {
    struct redis_server servers[CLUSTER_SERVERS];
    char where[64];
};

void redis_cluster_start(struct redis_cluster *cluster);
void redis_cluster_add(struct redis_cluster *cluster, struct redis_server *server); /* one more */
void redis_cluster_await(struct redis_cluster *cluster); /* until every server says that it works */
void redis_cluster_empty(struct redis_cluster *cluster);
void redis_cluster_remove(struct redis_cluster *cluster);

/* For tests of a store on Redis: a shelf on that server, emptied before. */
int shelf_on_redis(void **state, struct redis_server *server);
int shelf_on_cluster(void **state, struct redis_cluster *cluster);
int shelf_put_away(void **state);
