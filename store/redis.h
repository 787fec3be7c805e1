/* What the files of the Redis backend share. redis.c takes requests, sends them where they belong
 * and answers each; redis_link.c is a connection on the loop; redis_open.c finds out, at the start,
 * what there is; redis_address.c reads addresses; redis_connect.c waits for a connection, and asks
 * Sentinel where the master is; redis_tls.c encrypts; redis_requests.c makes commands of requests;
 * redis_replies.c makes answers of replies; lua/ has what runs on the server; redis_feed.c listens
 * to what other programs do. */
#pragma once

#include "store/backend.h"
#include <hiredis/hiredis.h>

/* What runs on the server, from lua/, where each has its name in lower case. A script sees and
 * changes everything at one moment: that is what makes an append, its due time, its lists and its
 * announcement one thing. Keys:
 *
 *     {CODE}            hash: version, chain, place, times, what lists show
 *     {CODE}:log        list: the entries
 *     {CODE}:members    set: ids
 *     {CODE}:matches    hash: number of a game -> who has it in their results
 *     {CODE}:others     hash: number of a game and a seat -> who else played, as JSON
 *     due               sorted set: `PLACE CODE` by due time, or by the end of a claim
 *     finished          the same by when it was finished or archived; until it is exported
 *     exports           is there once somebody exports
 *     open, over        the same by (about) the last change; `over` has finished and closed ones
 *     public[:GAME]     sorted set: codes by place
 *     player:ID:worlds  sorted set: codes by place; player:ID:results hash of finished games
 *     player:ID:earlier hash: records by game, of games whose worlds are gone, from another store
 *     player:ID:visits  sorted set: codes by place of all worlds in which the person ever was
 *     player:ID         hash: the person
 *     token:HEX         the id of the player with a token of this hash
 *     places            the last place that was given
 *     schema            the version of all this, in the first shard
 *     secret            what channel permissions are signed with, in the first shard
 *
 * Before each stands `oyster:`, or in a Redis Cluster `oyster:{TAG}:`, one of REDIS_SHARDS tags
 * (redis_requests.c): all that one script touches lies in one slot. Of people the cluster has one
 * shard, of all else each shard has its own, and lists are put together from all.
 *
 * A place in a name has sixteen digits, so that equal scores come in the order of places. */
enum script {
    SCRIPT_APPEND,
    SCRIPT_ARCHIVE,
    SCRIPT_PLAYER_ADD,
    SCRIPT_PLAYER_DEVICES,
    SCRIPT_PLAYER_ERASE,
    SCRIPT_PLAYER_FORGET,
    SCRIPT_PLAYER_SEEN,
    SCRIPT_LOAD,
    SCRIPT_DUE,
    SCRIPT_LIST,
    SCRIPT_PLAYER,
    SCRIPT_RECORDS,
    SCRIPT_FINISHED,
    SCRIPT_EXPORTED,
    SCRIPT_PUT_AWAY,
    SCRIPT_SEAT_FORGET,
    SCRIPT_EARLIER,
    SCRIPT_WALK_WORLDS,
    SCRIPT_WALK_PLAYERS,
    SCRIPT_REWRITE,
    SCRIPT_NOTE,
    SCRIPTS
};

extern const char *const redis_scripts[SCRIPTS];

/* The parts of a store in a Redis Cluster: each lies in one slot, and so at one server. */
#define REDIS_SHARDS 16

enum {
    REDIS_LINKS_MAX = 64, /* servers of a cluster */
    REDIS_MOVES_MAX = 10, /* how often a request is sent elsewhere before it is refused */
    REDIS_HOST_SIZE = 256,
    REDIS_WORD_SIZE = 128,
    REDIS_HASH_SIZE = 41, /* of a script: hex and the end */
    REDIS_TAG_SIZE = 64,
    REDIS_ARGUMENTS_MAX = 192,
    REDIS_CHANNEL_SIZE = 64
};

/* Where a server is, from one of
 *
 *     redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE]
 *     redis+sentinel://[USER[:PASSWORD]@]HOST[:PORT][,HOST[:PORT]...]/MASTER[/DATABASE]
 *     unix:///PATH[?DATABASE]
 *
 * The user ends at the last @; %40 stands for one, as usual. With TLS the first two are called
 * rediss:// and rediss+sentinel://, and ?ca=FILE&cert=FILE&key=FILE&name=NAME may follow, or some
 * of these. */
struct redis_address {
    char host[REDIS_HOST_SIZE]; /* or the socket's path */
    char user[REDIS_WORD_SIZE], password[REDIS_WORD_SIZE];
    int port; /* 0: a socket of this machine */
    int database;
    char sentinels[REDIS_HOST_SIZE]; /* HOST[:PORT],... */
    char master[REDIS_WORD_SIZE];    /* what they call the server; empty: host and port say where */
    bool tls;
    char authorities[REDIS_WORD_SIZE]; /* a file; empty: those of the system */
    char certificate[REDIS_WORD_SIZE], key[REDIS_WORD_SIZE]; /* files; empty: none is shown */
    char name[REDIS_WORD_SIZE]; /* in the server's certificate; empty: its host */
};

bool redis_read_address(const char *where, struct redis_address *out, struct refusal *why);
/* Takes one Sentinel from the list; false at its end. Whatever was read as an address is right. */
bool redis_next_sentinel(const char **list, struct redis_address *out);
bool redis_same_address(const struct redis_address *a, const struct redis_address *b);
/* HOST:PORT as a server of a cluster writes it; without a host it is that of `out`. */
bool redis_move_address(struct span text, struct redis_address *out);

/* ---- redis_connect.c ---- */

/* Frees the reply; false with the server's words if it is an error. */
bool redis_is_fine(redisContext *context, redisReply *reply, struct refusal *why);
/* Connects within that time, authenticates and chooses the database; null with the reason. */
redisContext *redis_connect(const struct redis_address *address, int wait_ms, struct refusal *why);
/* Where the master is, from the first Sentinel that knows; each may take that time. `out` becomes
 * the address with that host and port, and without a master to ask for. */
bool redis_ask_sentinels(const struct redis_address *address, int wait_ms,
                         struct redis_address *out, struct refusal *why);

/* ---- redis_tls.c ---- */

bool redis_has_tls(void);
/* Begins TLS on a connection that is made. The server must show a certificate for the name of the
 * address, or for its host, by an authority that is trusted. If the context waits, all is done on
 * return, otherwise redis_tls_go_on follows. What it returns belongs to the context; null with the
 * reason. All files are read anew, so that renewed ones count from the next connection on. */
void *redis_tls_begin(redisContext *context, const struct redis_address *address,
                      struct refusal *why);
enum redis_tls_step { REDIS_TLS_DONE, REDIS_TLS_READS, REDIS_TLS_WRITES, REDIS_TLS_FAILED };
/* Goes on when there is something to read, or room to write. */
enum redis_tls_step redis_tls_go_on(void *tls, struct refusal *why);
/* OpenSSL has one list of errors for each thread, and hiredis would take an old one for its own:
 * forgets them before the connection is used. */
void redis_tls_prepare(void);
/* Why the connection is of no use, in the best words that there are. */
const char *redis_trouble(const redisContext *context);

/* A command that is being put together. Its parts belong to the caller or the arena. */
struct redis_command {
    struct arena *arena;
    int count;
    const char *part[REDIS_ARGUMENTS_MAX];
    size_t length[REDIS_ARGUMENTS_MAX];
};

/* What a command needs to know of the program that sends it. */
struct redis_sender {
    char hash[SCRIPTS][REDIS_HASH_SIZE];
    char tag[REDIS_TAG_SIZE]; /* of this program among all */
    int database;
    int shards;                             /* 1, or REDIS_SHARDS in a cluster */
    int64_t last_place;                     /* that was asked for */
    int64_t keep_worlds_ms, keep_people_ms; /* 0: for ever */
};

/* What the keys of a shard begin with. */
const char *redis_prefix(const struct redis_sender *sender, int shard);

/* A request concerns one shard, or all: then it is one command for each. What is said concerns
 * none: its place is after all shards. */
struct redis_shards {
    int first, count;
};
struct redis_shards redis_shards_of(const struct redis_sender *sender,
                                    const struct request *request);

/* `again` means that an earlier try may have reached the server. */
void redis_write_command(struct redis_sender *sender, const struct request *request, int shard,
                         bool again, struct redis_command *command);
/* Makes the answer from the replies of all shards. A reply is null where one shard failed and the
 * others are enough. False if the replies are not what they should be. */
bool redis_read_replies(const struct redis_sender *sender, struct request *request,
                        redisReply *const *replies, int count, struct arena *arena);

/* ---- redis_open.c ---- */

/* The version of what stands in the keys. It changes when an older program would misread them; see
 * docs/STORE.md. */
#define REDIS_SCHEMA 2

/* What is known of a store once it is open. */
struct redis_meeting {
    struct redis_sender sender; /* but for the hashes of scripts */
    char secret[REDIS_HASH_SIZE];
    struct redis_address addresses[REDIS_LINKS_MAX]; /* the first is that of the configuration */
    int address_count;
};

/* Waits for the server. False: it cannot be used, and why. */
bool redis_meet(const struct store_config *config, struct redis_meeting *meeting,
                struct refusal *why);
/* May a store of that version be used by this program? */
bool redis_knows_schema(const char *found, struct refusal *why);

/* ---- redis_requests.c, redis_replies.c ---- */

/* The channel of a world, or of all programs for an empty code. */
void redis_channel(int database, struct span code, char out[REDIS_CHANNEL_SIZE]);

/* ---- redis_feed.c ---- */

struct redis_feed;
/* Connects to any of these servers. The caller keeps the tag. */
struct redis_feed *redis_feed_open(const struct redis_address *addresses, int count,
                                   const char *tag, void *loop,
                                   const struct store_listener *listener);
void redis_feed_close(struct redis_feed *feed);
void redis_feed_watch(struct redis_feed *feed, struct span code);
void redis_feed_unwatch(struct redis_feed *feed, struct span code);
