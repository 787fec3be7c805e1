/* Where worlds are kept. A world is its log: lines of text that are only ever appended. The store
 * does not read them; it keeps them, counts them (a world's version is the number of its entries),
 * and beside them what must be found without reading a log: when something is due, what a list of
 * worlds shows, who is a member, how games ended.
 *
 * Every call only asks. Requests are collected until `store_commit`, once per turn of the event
 * loop, and begun together. Each callback is called once, with the answer: what it was told is on
 * the disk. Of a batch the writes are one transaction: one wait for the disk, and conflicts aside
 * they succeed or fail together. They are answered as soon as they are done. Reads come after them,
 * see them, hold up no write, and go on working when the disk is full. Writes are answered in the
 * order of asking, and so are reads; but for writes that touch whole logs (store_archive,
 * store_rewrite, store_player_erase, store_put_away). In an SQLite file they are done in steps,
 * each in one transaction with the writes that were asked for meanwhile; if one fails, what was
 * done before stays, and who asks again goes on from there.
 *
 * A store elsewhere (Redis) answers each request by itself, in any order, but that the appends to
 * one world are answered in the order of asking.
 *
 * Threads: all functions are called on one thread, the loop's, and callbacks come there. Only the
 * work itself may be done elsewhere, see `defer`. A callback may ask for more; it must not call
 * store_commit or store_close. What a reply points to is gone when the callback returns; what a
 * request points to is copied.
 *
 * A request that can never succeed (too large, malformed) or that the full queue has no place for
 * is not taken: the call returns false with the reason, and its callback is never called.
 *
 * docs/STORE.md has the tables and example queries. */
#pragma once

#include "engine/hash.h"
#include "engine/refusal.h"

enum {
    STORE_CODE_MAX = 15, /* all in bytes */
    STORE_ID_MAX = 39,
    STORE_NAME_MAX = 96,
    STORE_WORD_MAX = 31, /* a game's id, a bot's level, the name of a statistic */
    STORE_ENTRY_MAX = 8192,
    STORE_SUMMARY_MAX = 4096,
    STORE_STATE_MAX = 128 * 1024,
    STORE_TOKEN_SIZE = 32, /* of a token's hash, exactly */
    STORE_NOTE_MAX = 6144,
    STORE_TOKEN_HEX_SIZE = 2 * STORE_TOKEN_SIZE + 1,
    STORE_DEVICE_NAME_MAX = 47,
    STORE_DEVICES_MAX = 32, /* tokens of a person that are added at once */
    STORE_DEVICE_LINE_MAX = STORE_TOKEN_HEX_SIZE + 3 * 21 + STORE_DEVICE_NAME_MAX + 1,

    STORE_ENTRIES_MAX = 64, /* in one append */
    STORE_MEMBERS_MAX = 32,
    STORE_SEATS_MAX = 8,
    STORE_STATS_MAX = 16,
    STORE_FIGURES_MAX = 16,          /* of a seat */
    STORE_RECORDS_MAX = 64,          /* kinds of games in a person's records */
    STORE_NOTES_MAX = 8,             /* of a person, or of the server */
    STORE_LIST_MAX = 1000,           /* worlds in one reply */
    STORE_LOAD_MAX = 1024,           /* entries in one reply ... */
    STORE_LOAD_BYTES = 256 * 1024,   /* ... and no further one once they are so long */
    STORE_QUEUE_MAX = 8192,          /* requests that wait ... */
    STORE_QUEUE_BYTES = 32 * 1048576 /* ... and their size */
};

#define STORE_NEVER INT64_MAX /* a due time that does not come */

struct store;

/* ---- Opening and closing ---- */

/* From when on a write counts, on a server elsewhere. */
enum store_confirm {
    STORE_WRITTEN,   /* the server has it, and does with it what it is set to */
    STORE_ON_DISK,   /* its disk has it */
    STORE_REPLICATED /* another server has it, too */
};

struct store_config {
    /* "memory"; redis://HOST:PORT/DATABASE or unix:///SOCKET for a store that several programs
     * share; or the path of an SQLite file, made if it is not there. */
    const char *where;
    enum store_confirm confirm; /* of Redis only; others keep what they say */
    const char *node;           /* this program's name among those that share it; null: any */
    /* How long an archived world can still be read, and how long a person is known who is not seen;
     * 0: for ever. What is older goes with store_archive, a few at a time; on Redis by itself. */
    int64_t keep_worlds_ms, keep_people_ms;
    int busy_ms;     /* how long to wait for another process that writes; 0: one second */
    const char *vfs; /* SQLite's way to the disk; null: the usual one */
    bool frozen;     /* of an SQLite file: all reads see it as it was at the first of them */

    /* Of an SQLite file: runs work(data) on any thread and then done(data) on the loop's; there are
     * at most two jobs at a time. Null: store_commit does the work itself and calls the callbacks
     * before it returns. */
    void (*defer)(void *arg, void (*work)(void *data), void (*done)(void *data), void *data);

    /* Of Redis: the uv_loop_t on which it lives, from its opening to store_deafen, which must come
     * before the loop's end. Null: it has its own, and store_commit returns when all is answered.
     */
    void *loop;

    /* The disk failed to confirm what was written (fsync): nobody knows what is on it, so the
     * process must end and read the truth after its restart. Called on the working thread and not
     * expected to return; if it does, the store refuses everything from then on. Null: says so on
     * stderr and ends the process. */
    void (*fatal)(void *arg, const char *text);
    void *arg; /* of both */
};

/* Null with a reason: no such folder, not a store, written by a newer version, in use, damaged. */
struct store *store_open(const struct store_config *config, struct refusal *why);

/* Where a store is, as everybody may read it: without a password. */
void store_show(const char *where, char *out, size_t size);

/* Answers what still waits with STORE_FAILED. Must not be called while store_busy. */
void store_close(struct store *store);

/* Carries out what was asked for since the last time, if anything. */
void store_commit(struct store *store);

/* Is something under way, that is, begun and not answered? */
bool store_busy(const struct store *store);
/* Was something asked for that only the next store_commit will begin? */
bool store_waits(const struct store *store);
/* May other programs write to it as well? */
bool store_is_shared(const struct store *store);
/* Does so much wait that nothing more is accepted for the moment? */
bool store_is_full(const struct store *store);

/* For the metrics; these numbers only grow. */
struct store_figures {
    uint64_t batches, requests;
    uint64_t conflicts, failures; /* requests answered so */
    uint64_t work_ns; /* spent on all batches; elsewhere: while something was not answered */
};

struct store_figures store_figures(const struct store *store);

/* ---- Answers ---- */

enum store_outcome {
    STORE_OK,
    STORE_CONFLICT, /* somebody else was first; `version` is the world's */
    STORE_MISSING,  /* no such world or player */
    STORE_FAILED,   /* nothing of this was done and nothing is left of it; `why` says so */
    STORE_UNKNOWN   /* a store elsewhere did not answer: it was done or not, read to know */
};

enum store_status { STORE_WAITING, STORE_PLAYING, STORE_OVER, STORE_CLOSED };

struct store_entry {
    int64_t version; /* 1 for a world's first */
    struct span text;
};

struct store_world {
    int64_t place; /* in lists: newer worlds have larger ones */
    struct span code, game, owner, summary;
    enum store_status status;
    bool is_public, is_archived;
    int64_t version, created_ms, changed_ms, due_ms;
    /* Only in walks through the whole store: */
    int64_t archived_ms; /* 0: it is open, or nobody knows */
    int64_t games;       /* that were finished and count for somebody */
    struct span members; /* their ids, each ended by a line end */
    /* Also in lists of what is finished: seats of people for whom a finished game no longer counts
     * (store_player_forget), `NUMBER SEAT`, each ended by a line end. */
    struct span forgotten;
};

/* What a token opens: a device of a person, or a link by which one more device may become theirs.
 * The server decides what a link may do; to the store it is one more token. */
struct store_device {
    uint8_t token_hash[STORE_TOKEN_SIZE];
    int64_t created_ms, seen_ms;
    int64_t until_ms; /* of a link: how long it holds; 0: a device */
    struct span name; /* such as "Chrome on Android"; may be empty */
};

struct store_player {
    struct span id, name;
    const uint8_t *token_hash; /* STORE_TOKEN_SIZE bytes; only when a person is added, or null */
    int64_t created_ms, seen_ms;
    struct span devices; /* a line for each; when a person is added, those beside the token above */
};

/* Takes the next device off the text; false after the last one. */
bool store_device_next(struct span *devices, struct store_device *out);
/* Writes a line of such a text. */
void store_device_put(struct text *text, const struct store_device *device);
bool store_device_find(struct span devices, const uint8_t token_hash[STORE_TOKEN_SIZE],
                       struct store_device *out);
void store_device_hex(const uint8_t token_hash[STORE_TOKEN_SIZE], char out[STORE_TOKEN_HEX_SIZE]);

struct store_stat {
    struct span name;
    int64_t value;
};

/* A person's finished games of one kind. */
struct store_record {
    struct span game;
    int64_t played, won;
    int64_t points, best;             /* the sum of all scores, and the highest */
    const struct store_stat *figures; /* the person's own of all of them, summed up, by name */
    size_t figure_count;
};

/* One of them. */
struct store_finished {
    struct span game;
    int64_t ended_ms;
    int32_t score;
    bool won;
    struct span figures; /* the person's own, a JSON object of numbers by name */
    struct span others;  /* who else played, by seat: a JSON array of others_json (figures.h) */
};

/* A short text under a name. */
struct store_note {
    struct span name, text;
};

/* A place in a walk through all worlds or all people; all zero at its beginning. */
struct store_walk {
    int part; /* a shard */
    int64_t after;
};

struct store_reply {
    enum store_outcome outcome;
    struct refusal why; /* unless OK */
    int64_t version;    /* append, load: the world's, after this */
    uint64_t chain;     /* load, of a store that is shared: of the whole log; 0: not known */
    bool more;          /* load, lists: there is more than was asked for or fits */
    bool partial;       /* lists, claims: a part of the store does not answer at the moment */
    size_t count;       /* of what the request asked for; the others are null: */
    const struct store_entry *entries;
    const struct store_world *worlds;
    const struct store_player *players;
    const struct store_record *records;
    const struct store_finished *finished; /* beside records */
    size_t finished_count;
    const struct store_note *notes;
    struct store_walk walk;      /* of a walk: where it goes on, if there is more */
    int64_t bytes;               /* of a walk: what is kept, of all pages together; about */
    const struct span *problems; /* of a walk: what is wrong, in sentences */
    size_t problem_count;
};

typedef void store_callback(void *arg, const struct store_reply *reply);

/* ---- Worlds ---- */

/* What lists know of a world. Its maker decides about it; the store looks at the first four members
 * only. */
struct store_summary {
    struct span game, owner;
    enum store_status status;
    bool is_public;
    struct span text;           /* what a list shows, as the server likes it (JSON) */
    const struct span *members; /* ids of those in whose own list it stands */
    size_t member_count;
};

/* A person or a bot of a game that was played. */
struct store_seat {
    struct span name;
    struct span player; /* id; empty: a bot */
    struct span level;  /* of the bot, or of the one that plays for the person; may be empty */
    int32_t side, score;
    bool won;
    int32_t figures[STORE_FIGURES_MAX]; /* named by the match */
};

/* A game that is played in a world, as it stands at the end of a round or of the game. The first
 * one of a world is number 1, the next (play again) number 2; the same number again replaces what
 * was there. Only what is `over` counts for records. */
struct store_match {
    int32_t number;
    bool over;
    int64_t started_ms;
    struct span settings; /* a JSON object of the options, defaults included; may be empty */
    struct span state;    /* a JSON object, the whole state (OMNISCIENT); may be empty */
    const struct store_seat *seats;
    size_t seat_count;
    const struct span *figures; /* names of the seats' figures */
    size_t figure_count;
    const struct store_stat *stats; /* of the whole table; only SQLite keeps them */
    size_t stat_count;
};

/* Entries are lines: not empty, no line ends or zero bytes. Expected version 0 makes a new world,
 * which needs a summary; a code is never used twice, not even after archiving. An archived world
 * that is appended to is open again. */
struct store_append {
    struct span code;
    int64_t expected_version;
    const struct span *entries;
    size_t count; /* 1 or more */
    int64_t now_ms;
    int64_t due_ms;                      /* or STORE_NEVER */
    uint64_t chain;                      /* of the log so far, below; 0: not known */
    const struct store_summary *summary; /* null: as it was */
    const struct store_match *match;     /* null: none ended */
};

/* A number that identifies a log, computed line after line from STORE_CHAIN_START: two logs of
 * the same length and chain are the same. A shared store compares it as it compares the version:
 * of two appends on their way the first may come too late, and then the second must not succeed
 * by chance. */
#define STORE_CHAIN_START HASH_START
uint64_t store_chain(uint64_t chain, struct span line);

/* OK with the new version, or CONFLICT with the present one (0: there is no such world). */
bool store_append(struct store *store, const struct store_append *append, store_callback *callback,
                  void *arg, struct refusal *why);

/* The entries after that version, in order; ask again after the last one if there are more. Also
 * gives worlds[0], and works for archived worlds. */
bool store_load(struct store *store, struct span code, int64_t after_version,
                store_callback *callback, void *arg, struct refusal *why);

/* Open worlds that are due at or before that time, the most urgent first. (The next due time of
 * all is that of the first world for STORE_NEVER - 1.) */
bool store_due(struct store *store, int64_t until_ms, size_t max, store_callback *callback,
               void *arg, struct refusal *why);

/* Can it be written to? FAILED if not, as on a full disk; of a store that is shared any part that
 * answers will do. */
bool store_try(struct store *store, store_callback *callback, void *arg, struct refusal *why);

/* The next page: those that come after a world with this due time and place. */
bool store_due_after(struct store *store, int64_t after_ms, int64_t after_place, int64_t until_ms,
                     size_t max, store_callback *callback, void *arg, struct refusal *why);

/* The same as store_due, for a caller who is going to see to these worlds. In a shared store nobody
 * else gets them during the lease, or for as long as they have been due already. A store that is
 * spread over several servers gives the most urgent worlds of each, which may be a few more than
 * asked for. */
bool store_claim(struct store *store, int64_t until_ms, int64_t now_ms, int64_t lease_ms,
                 size_t max, store_callback *callback, void *arg, struct refusal *why);

/* Open, public, waiting worlds, the newest first; of one game, or of all if `game` is empty.
 * `before` is the place of the last world of the page before, or 0. */
bool store_list_public(struct store *store, struct span game, int64_t before, size_t max,
                       store_callback *callback, void *arg, struct refusal *why);

/* The same of all open worlds that a person is a member of. */
bool store_list_of_player(struct store *store, struct span player, int64_t before, size_t max,
                          store_callback *callback, void *arg, struct refusal *why);

/* The same of all worlds, archived ones as well, in which a person ever was and from whose log they
 * have not been taken (store_rewrite). */
bool store_list_visited(struct store *store, struct span player, int64_t before, size_t max,
                        store_callback *callback, void *arg, struct refusal *why);

/* Replaces entries of a log by others, to take a person out of it; docs/decisions/0014-erasing.md.
 * The person is no member of the world from then on, nor in its results, and was never there. */
struct store_rewrite {
    struct span code;
    int64_t version;                   /* of the log that was read ... */
    uint64_t chain, chain_after;       /* ... its chain, and that of the new one; 0: not known */
    const struct store_entry *entries; /* those that change, in order; may be none */
    size_t count;
    struct span owner, summary; /* as they are from now on; summary.data null: as they were */
    struct span player, name;   /* who goes, and what results call them */
};

/* CONFLICT if the log is another one by now, MISSING if there is no such world any more. */
bool store_rewrite(struct store *store, const struct store_rewrite *rewrite,
                   store_callback *callback, void *arg, struct refusal *why);

/* Takes worlds out of the open ones: finished and closed ones that last changed before the one
 * time, all others that did before the other time. They are no longer due or listed; their logs
 * stay for as long as the configuration says. Gives the worlds; as with claims there may be a few
 * more than asked for. */
struct store_ages {
    int64_t over_before_ms, idle_before_ms;
    int64_t now_ms;
    size_t max;
};

bool store_archive(struct store *store, const struct store_ages *ages, store_callback *callback,
                   void *arg, struct refusal *why);

/* ---- People ---- */

/* CONFLICT if the id or the token is taken. */
bool store_player_add(struct store *store, const struct store_player *player,
                      store_callback *callback, void *arg, struct refusal *why);

/* players[0], by the hash of the token or by the id. */
bool store_player_by_token(struct store *store, const uint8_t token_hash[STORE_TOKEN_SIZE],
                           store_callback *callback, void *arg, struct refusal *why);
bool store_player_by_id(struct store *store, struct span id, store_callback *callback, void *arg,
                        struct refusal *why);

/* Sets another name (an empty one: none) and when the person was last seen, with the device of that
 * token (null: none). */
bool store_player_seen(struct store *store, struct span id, struct span name,
                       const uint8_t *token_hash, int64_t seen_ms, store_callback *callback,
                       void *arg, struct refusal *why);

/* Changes by which tokens a person is known. Of these some go, which are worth nothing from then
 * on; then others are added. */
enum store_drop {
    STORE_DROP_NONE,
    STORE_DROP_ONE,    /* the one named, and links: it may have made one */
    STORE_DROP_OTHERS, /* all but the one named */
    STORE_DROP_LINKS,
    STORE_DROP_ALL
};

struct store_devices {
    struct span player;
    enum store_drop drop;
    const uint8_t *token_hash; /* the one named, which must be the person's; else null */
    struct span add;           /* as in store_player; may be empty */
};

/* MISSING, and nothing is changed, if there is no such person, or if the token that is named is not
 * (or no longer) theirs; CONFLICT if one that is added is somebody else's. */
bool store_player_devices(struct store *store, const struct store_devices *devices,
                          store_callback *callback, void *arg, struct refusal *why);

/* Forgets a person, with results and totals; it succeeds for somebody who is not known, too. To be
 * asked for once store_list_visited has none of their worlds. Otherwise it is a CONFLICT and the
 * person stays known; in a Redis Cluster they may be forgotten all the same. In an SQLite file
 * nothing is left of what was deleted, in its free pages or its log, once this is answered and
 * nobody reads. */
bool store_player_erase(struct store *store, struct span id, store_callback *callback, void *arg,
                        struct refusal *why);

/* Forgets how a person did: results and totals. Who else played keeps theirs, in which the person
 * stays. A game that is written once more counts again. */
bool store_player_forget(struct store *store, struct span id, store_callback *callback, void *arg,
                         struct refusal *why);

/* How a person did, by game in the order of their ids, and the last finished games (at most
 * STORE_LIST_MAX), the newest first. */
bool store_player_records(struct store *store, struct span id, size_t games_max,
                          store_callback *callback, void *arg, struct refusal *why);

/* ---- Notes: short texts that belong to a person, or to the server (an empty id) ---- */

/* Keeps a note, in place of the one of that name, or, with an empty text, none of that name. A new
 * one is a CONFLICT if there are STORE_NOTES_MAX already, and so is a `fresh` one if there is
 * another of that name. MISSING if there is no such person. They go when the person goes. */
struct store_note_put {
    struct span owner;
    struct store_note note;
    bool fresh;
};
bool store_note_put(struct store *store, const struct store_note_put *put, store_callback *callback,
                    void *arg, struct refusal *why);
/* All of them, in the order of their names. Nobody's are none. */
bool store_notes(struct store *store, struct span owner, store_callback *callback, void *arg,
                 struct refusal *why);

/* ---- The whole store ----
 *
 * For those who copy it, check it or count what is in it. */

enum { STORE_WALK_MAX = 256 }; /* rows on a page, about */

/* All worlds, archived ones as well, page after page in any order; one that changes meanwhile may
 * come twice. With `look` the store also looks whether what it keeps is in order. */
bool store_walk_worlds(struct store *store, struct store_walk from, bool look,
                       store_callback *callback, void *arg, struct refusal *why);
/* The same of all people. */
bool store_walk_players(struct store *store, struct store_walk from, bool look,
                        store_callback *callback, void *arg, struct refusal *why);

/* Archives a world, as of that time. MISSING if there is none. */
bool store_put_away(struct store *store, struct span code, int64_t archived_ms,
                    store_callback *callback, void *arg, struct refusal *why);

/* A finished game no longer counts for the person at that seat, as after store_player_forget.
 * MISSING if there is no such game, or if it does not count for that seat. */
bool store_seat_forget(struct store *store, struct span code, int32_t number, size_t seat,
                       store_callback *callback, void *arg, struct refusal *why);

/* What a person's records would be if only the games counted whose worlds are gone. */
bool store_player_earlier(struct store *store, struct span id, store_callback *callback, void *arg,
                          struct refusal *why);
/* Makes it so, whatever it was. At most STORE_RECORDS_MAX. */
bool store_set_earlier(struct store *store, struct span id, const struct store_record *records,
                       size_t count, store_callback *callback, void *arg, struct refusal *why);

/* Copies an SQLite file, as it is at one moment, into a new one; also while a server uses it. */
bool store_copy_file(const char *from, const char *to, struct refusal *why);

/* ---- Stores that are shared ---- */

/* In a store that nobody else uses none of these does anything. */

/* Lines that another program appended. */
struct store_heard {
    struct span code, node;
    int64_t version; /* before them */
    uint64_t chain;  /* before them; 0: not known */
    const struct span *entries;
    size_t count;
};

struct store_listener {
    void (*appended)(void *arg, const struct store_heard *heard);
    /* Another program says something to all that watch the world, or, without a code, to all. */
    void (*said)(void *arg, struct span code, struct span node, struct span text);
    /* From now on the world is heard; what was appended before may have been missed. Also after
     * the connection was lost, and without a code for what is said to all. */
    void (*watching)(void *arg, struct span code);
    void *arg;
};

/* Listens until store_deafen, after which a store with a loop finishes what is under way and then
 * leaves the loop. */
void store_listen(struct store *store, const struct store_listener *listener);
void store_deafen(struct store *store);
void store_watch(struct store *store, struct span code);
void store_unwatch(struct store *store, struct span code);
/* Says something to all other programs, without knowing whether they hear it. An empty code means
 * everybody. */
bool store_say(struct store *store, struct span code, struct span text, struct refusal *why);

/* Worlds with something finished that was not exported yet or has changed since, the longest
 * waiting first. From the first call on the store keeps worlds until they are exported, which it
 * would otherwise forget some time after archiving. */
bool store_finished(struct store *store, size_t max, store_callback *callback, void *arg,
                    struct refusal *why);
/* Notes that all of the world up to this version is kept elsewhere. */
bool store_exported(struct store *store, struct span code, int64_t version,
                    store_callback *callback, void *arg, struct refusal *why);

/* A random text, the same for all that share the store; null in a store that is not shared. */
const char *store_secret(const struct store *store);
