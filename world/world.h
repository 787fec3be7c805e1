/* A world: the room around a game. Who is in it, who sits where, which house rules, whose bot moves
 * when, who left and came back. Pure like the games: no I/O, no clock, no allocation, one flat
 * struct. Time is an argument, randomness comes from two seeds that stand in the first entry.
 *
 * The log is the truth. Whatever changes a world is one line of text, an entry:
 *
 *     1731658000123 @ann create K7M2QX whos-deal@1.1 SEED SEED Ann a person, by id: the lobby
 *     1731658004711~9f2c40d1e8aa0b17 @bob join Bob                 with an actionId, hashed
 *     1731658011000 - deal 4f0c...                                 NATURE
 *     1731658013500 1 order alone                                  the seat, by a person or a bot
 *
 * `world_act` and `world_tick` check, change the world and hand out the entry; `world_fold` reads
 * one back and makes the same change. So folding a log gives the same world, byte for byte but for
 * the few members that say so: who is connected at the moment is nobody's history. `version` counts
 * the entries.
 *
 * A refused action leaves the world untouched. */
#pragma once

#include "bots/bot.h"
#include "engine/record.h"

/* The version of the rules of worlds. It is raised whenever a log would be folded differently from
 * before. The first entry of a log names it, and after a dot the version of the game's rules
 * (struct game). A log is folded by the rules that it was written by, or refused with the code
 * OTHER_RULES. Logs from before there were versions follow 1.1. */
enum { WORLD_RULES = 1, WORLD_RULES_OLDEST = 1 };

enum {
    WORLD_CODE_LENGTH = 6,
    WORLD_ID_MAX = 23,       /* bytes of a player's id */
    WORLD_WATCHING_MAX = 24, /* people without a seat */
    WORLD_MEMBERS_MAX = SEATS_MAX + WORLD_WATCHING_MAX,
    WORLD_TEAMS_MAX = SEATS_MAX / 2, /* teams that can have a name */
    WORLD_BANNED_MAX = 64,  /* removed by the owner and not let in again; the oldest is forgotten */
    WORLD_MUTED_MAX = 32,   /* muted by the owner; the oldest is forgotten */
    WORLD_TALKERS_MAX = 16, /* people who talked and left; the oldest is forgotten */
    WORLD_ACTIONS_MAX = 256, /* accepted actionIds that are remembered (PL-C11) */
    WORLD_TAIL_MAX = 16,     /* lines of the action log that a view repeats */
    WORLD_TAIL_TEXT = 160,
    WORLD_WORDS_MAX = 2048,            /* bytes of an action */
    WORLD_LINE_SIZE = 8192,            /* of an entry, its end included */
    WORLD_RULES_LISTED = 2048,         /* of house rules in a list of worlds */
    WORLD_NAME_MAX = 24,               /* characters that the name of a person or a team has */
    WORLD_SAY_MAX = 300,               /* characters */
    WORLD_HISTORY_MAX = 400,           /* entries that a history goes back ... */
    WORLD_HISTORY_LINE_SIZE = 1 << 17, /* ... and what it says of each of them at the most */
    WORLD_TALK_BURST = 5,              /* chats and emotes of a member ... */
    WORLD_TALK_MS = 10000              /* ... within this time */
};

/* How long it takes until something happens; the host may choose it. */
struct world_times {
    int32_t away_ms;    /* a lost connection becomes a departure */
    int32_t lobby_ms;   /* the same in the lobby, where people leave the page to invite others */
    int32_t idle_ms;    /* the owner may hand over the seat of somebody who does nothing */
    int32_t close_ms;   /* a world that everybody has left closes */
    int32_t abandon_ms; /* a world in which nobody was seen closes */
};

extern const struct world_times world_times_usual; /* 60 s, 10 min, 60 s, 60 s, 24 h */

enum world_status { WORLD_WAITING, WORLD_PLAYING, WORLD_OVER, WORLD_CLOSED };

enum world_seat_kind { WORLD_SEAT_CLOSED, WORLD_SEAT_OPEN, WORLD_SEAT_BOT, WORLD_SEAT_PERSON };

struct world_seat {
    uint8_t kind;
    uint8_t level;     /* of the bot, or of the one that would play for the person */
    uint8_t character; /* of the bot, see bot_character */
    bool away;         /* a person's seat that a bot plays */
    bool handed_over;  /* away because the owner said so: only `join` takes it back */
    bool returning;    /* its person is back and plays again from the next turn on */
    bool bot_moved;    /* the bot is in the middle of a turn */
    int32_t won;       /* games of this world that were won on this seat */
    int64_t acted_ms;  /* when its person last moved, or it was first awaited after that */
    char id[WORLD_ID_MAX + 1];
    char name[RECORD_NAME_MAX + 1];
};

struct world_member {
    bool watching;  /* without a seat */
    bool connected; /* not from the log */
    bool wants_rematch;
    uint8_t wanted_seat;    /* which seat somebody who watches waits for; see seating.c */
    uint8_t talk;           /* chats and emotes since talk_ms */
    int64_t wanted_version; /* of the entry with that wish */
    int64_t talk_ms;
    int64_t seen_ms; /* not from the log: when last heard of */
    char id[WORLD_ID_MAX + 1];
    char name[RECORD_NAME_MAX + 1];
};

struct world_tail {
    int64_t time_ms;
    int8_t seat; /* or NATURE */
    char text[WORLD_TAIL_TEXT];
};

/* How much somebody has talked who left: coming back does not begin a new limit. */
struct world_talker {
    char id[WORLD_ID_MAX + 1];
    uint8_t talk;
    int64_t talk_ms;
};

struct world {
    const struct game *game;
    struct world_times times;
    char code[WORLD_CODE_LENGTH + 1];
    char owner[WORLD_ID_MAX + 1];
    uint8_t status;
    uint8_t seat_count;
    uint8_t member_count;
    uint8_t banned_count;
    uint8_t muted_count;
    bool loaded;     /* waits to go on from a saved position */
    bool deals_anew; /* hidden cards of a loaded game, if other people play as well; not so in older
                        logs */
    bool saved;      /* the owner may know all cards of this game that were or will be dealt */
    int64_t version; /* entries so far */
    int64_t log_bytes; /* bytes of all entries, line ends included */
    int64_t created_ms;
    int64_t changed_ms;    /* of the last entry */
    int64_t empty_ms;      /* since when nobody is a member; 0: somebody is */
    int64_t phase_ends_ms; /* when NATURE goes on; 0: it is not awaited, or waits until a lone
                              person goes on */
    int64_t bot_action_ms; /* when the next bot moves; 0: none is awaited */
    int64_t quiet_version; /* not from the log: the version at which no bot had an aside left */
    int64_t round_version; /* of the last deal's entry */
    int64_t ended_version; /* of the entry that ended the last round or game */
    int64_t start_version; /* of the entry that started the first game since the lobby */
    int64_t game_version;  /* of the entry that started this game */
    int32_t games;         /* started so far */
    int32_t played;        /* finished so far */
    int64_t started_ms;    /* the last of them */
    int64_t deals;         /* of this game so far */
    uint64_t actions_seen; /* accepted actionIds so far */
    uint32_t renewals;     /* of the invitation, so far */
    uint32_t awaited;      /* as the game said after its last change */
    uint32_t gone_on;      /* people's seats that look no longer at the round's result */
    uint8_t deal_seed[CHANCE_SEED_SIZE];
    uint8_t bot_seed[CHANCE_SEED_SIZE];
    struct options options;
    struct options manners; /* of world_manners */
    struct world_seat seat[SEATS_MAX];
    char team_name[WORLD_TEAMS_MAX][RECORD_NAME_MAX + 1]; /* empty: called by its letter */
    struct world_member member[WORLD_MEMBERS_MAX];        /* the longest present first */
    char banned[WORLD_BANNED_MAX][WORLD_ID_MAX + 1];
    char muted[WORLD_MUTED_MAX][WORLD_ID_MAX + 1];
    struct world_talker talker[WORLD_TALKERS_MAX];
    uint32_t talkers;              /* ever */
    char loader[WORLD_ID_MAX + 1]; /* who loaded the game that is played; empty: nobody */
    char loader_name[RECORD_NAME_MAX + 1];
    uint64_t actions[WORLD_ACTIONS_MAX];
    uint32_t tail_count; /* ever */
    struct world_tail tail[WORLD_TAIL_MAX];
    /* Of this game's finished rounds, by seat and for the whole table. */
    int32_t figures[SEATS_MAX][GAME_FIGURES_MAX];
    int32_t table_figures[GAME_FIGURES_MAX];
    struct game_state state; /* from the start on, or of a loaded save */
};

/* PL-C15: the secret that links carry beside the code, 128 bits in hex. It is made from a seed that
 * nobody sees, and anew when the owner wishes. */
enum { WORLD_INVITATION_SIZE = 33 };
void world_invitation(const struct world *world, char out[WORLD_INVITATION_SIZE]);

/* What a world's code is made of: no letters that are easily taken for others. */
extern const char world_code_letters[];
bool world_is_code(struct span word);

/* Settings that every world has, whatever is played: speed, watching, public, seating, slowChat,
 * preview. */
extern const struct option_table world_manners;

/* All games, or only that one, and what every world has: settings, what each speed comes to in
 * percent of the usual time, levels of bots, emotes, and how long texts may be. */
void world_registry_json(const struct game *only, struct json *json);
/* Do these words make a move of the game, not of the lobby? */
bool world_is_move(struct span words);
/* Are they what an owner may do at any time to keep order? */
bool world_is_order(struct span words);
bool world_is_public(const struct world *world);
bool world_may_watch(const struct world *world);
/* What strangers who have a world's address may be told of it, as its owner wishes. */
enum world_preview { WORLD_PREVIEW_OFF, WORLD_PREVIEW_GAME, WORLD_PREVIEW_NAMES };
enum world_preview world_preview(const struct world *world);
/* Who invites, and how many people sit at how many places. */
struct world_guests {
    const char *host; /* the owner's name */
    int people, places;
};
struct world_guests world_guests(const struct world *world);
/* False for people whom the owner removed. */
bool world_welcomes(const struct world *world, struct span id, struct refusal *why);
/* True for whoever has a seat, and for all others while the world waits and has a free one. */
bool world_has_place(const struct world *world, struct span id);

/* What a change brings: its entry, for the store, and what people see happen. An event's audience
 * is a mask of seats; EVERYONE includes spectators. `events` may be null. */
struct world_news {
    struct events *events;
    size_t line_length; /* 0: nothing was changed */
    char line[WORLD_LINE_SIZE];
};

enum world_answer {
    WORLD_REFUSED,
    WORLD_DONE,
    WORLD_NOTHING,  /* allowed, but there was nothing to change */
    WORLD_DUPLICATE /* an actionId that was accepted before */
};

/* ---- Beginning ---- */

struct world_birth {
    struct span code, game, id, name;
    const uint8_t *deal_seed, *bot_seed;
};

/* A new world whose first member is its owner, in seat 0. */
bool world_create(struct world *world, int64_t now_ms, const struct world_times *times,
                  const struct world_birth *birth, struct world_news *news, struct refusal *why);

/* Lets a new world go on from a saved position once its owner starts it; its options are set. */
struct world_save {
    int seats;
    int deals; /* so far */
    const uint8_t *deal_seed;
    struct span position;
    const struct world_tail *log; /* the action log so far, the oldest line first */
    size_t log_count;
};

bool world_load(struct world *world, int64_t now_ms, const struct world_save *save,
                struct world_news *news, struct refusal *why);
/* Adds a line of the saved game's action log: a time of the past, and no control characters. */
bool world_recall(struct world *world, int64_t now_ms, const struct world_tail *line,
                  struct world_news *news, struct refusal *why);

/* A new world and all that its maker wants of it. Each entry is handed to `keep`, which may refuse
 * it. If the result is false, the world must not be used. */
struct world_wish {
    struct world_birth birth;
    const struct span *words; /* lobby actions of the maker, in order */
    size_t word_count;
    const struct world_save *save; /* or null: a position to go on from, after the words */
};

typedef bool world_keep(void *arg, const struct world_news *news, struct refusal *why);
bool world_make(struct world *world, int64_t now_ms, const struct world_times *times,
                const struct world_wish *wish, struct world_news *news, world_keep *keep, void *arg,
                struct refusal *why);

/* Folds an entry; the first one makes the world. If the result is false, the log is broken, and the
 * world must not be used. */
void world_empty(struct world *world, const struct world_times *times);
bool world_fold(struct world *world, struct span line, struct refusal *why);
/* False for the first line of a log that is refused with OTHER_RULES. */
bool world_knows_rules(struct span line);
/* Folds an entry that another server has just made, and tells what people see happen. */
bool world_hear(struct world *world, struct span line, struct events *events, struct refusal *why);

/* Tells the world as it stands now, for people who may have an older picture of it. */
void world_present(const struct world *world, struct events *events);

/* ---- What people do ---- */

struct world_action {
    struct span id;    /* who */
    struct span words; /* `play AH`, `set targetScore=7`, `say Hello`, ... */
    uint64_t action;   /* world_action_hash, or 0 */
};

uint64_t world_action_hash(struct span id, struct span action_id);
/* Was it accepted before? */
bool world_has_action(const struct world *world, uint64_t action);

/* Would these words be refused, and why? Only their verb has to make sense: by the order of checks
 * (PL-29), member, phase, role and turn come before the arguments. */
bool world_may(const struct world *world, struct span id, struct span words, struct refusal *why);

enum world_answer world_act(struct world *world, int64_t now_ms, const struct world_action *action,
                            struct world_news *news, struct refusal *why);

/* What `world_act` would answer; nothing is done. */
enum world_answer world_would(const struct world *world, int64_t now_ms,
                              const struct world_action *action, struct refusal *why);

/* Who is connected is no part of the log: it is told when it changes, and after a fold nobody
 * is. */
void world_connected(struct world *world, int64_t now_ms, struct span id, bool connected);
void world_heard_of(struct world *world, int64_t now_ms, struct span id);
/* Called after a fold: everybody has the usual time to come back. */
void world_resume(struct world *world, int64_t now_ms);

/* ---- What happens by itself ---- */

/* When something is due next; INT64_MAX for never. */
int64_t world_due(const struct world *world);

/* Does one thing that is due, if any: WORLD_DONE with its entry, or WORLD_NOTHING. Bots are not
 * moved here, but by the functions below. */
enum world_answer world_tick(struct world *world, int64_t now_ms, struct world_news *news);

/* What a bot needs to think, on any thread: the task holds all of it, and no more than the seats of
 * bots may see. */
struct world_task {
    const struct game *game;
    int64_t version;
    uint8_t seats;
    int8_t awaited; /* the bot whose move it is, or -1 */
    uint32_t bots;  /* mask of seats that may say something aside */
    enum bot_level level[SEATS_MAX];
    struct bot_budget budget; /* the levels' own, unless who runs the task sets another */
    struct chance chance;
    struct game_state seen[SEATS_MAX];
    int8_t seat; /* the answer: who moves; -1: nobody */
    struct move move;
};

/* Fills in the task and returns true if a bot is due. */
bool world_think(const struct world *world, int64_t now_ms, struct world_task *task);
void world_task_run(struct world_task *task);
/* Plays what the bot decided, unless the world has changed since. */
enum world_answer world_thought(struct world *world, int64_t now_ms, const struct world_task *task,
                                struct world_news *news);

/* ---- What people see ---- */

/* The seat of a member, or SPECTATOR for one who has none; false if the person is no member. */
bool world_find_seat(const struct world *world, struct span id, int *seat);
const struct world_member *world_find_member(const struct world *world, struct span id);

/* PL-C14: how many can play by the house rules as they are, and what each place counts as. While a
 * world waits and has more places than can play, the last empty ones are closed first, then the
 * last ones of bots; they open again when the rules allow it. No person loses a seat: with too many
 * people the start is refused. */
int world_places(const struct world *world);
void world_seat_kinds(const struct world *world, uint8_t kind[SEATS_MAX]);
int world_count_taken(const uint8_t kind[SEATS_MAX]); /* by people and bots */

/* The seats that people without one may take: those of bots, those of people who left a game, and
 * empty ones while a world waits. */
void world_free_seats(const struct world *world, bool out[SEATS_MAX]);
/* Does this member wait for a seat, and which one? -1: any. */
bool world_waits_for_seat(const struct world_member *member);
int world_wanted_seat(const struct world_member *member);

/* Would this person get an own seat back by joining? */
bool world_owns_seat(const struct world *world, struct span id);

/* The world as docs/PROTOCOL.md describes it, as an object of that key; `id` may be nobody's. */
void world_view(const struct world *world, struct span id, const char *key, struct json *json);
/* Its member `view` alone: the game as a seat (or SPECTATOR) sees it. */
void world_game_view(const struct world *world, int seat, const char *key, struct json *json);
/* Tells a seat what it holds, where the game has an event for that. */
void world_tell_hand(const struct world *world, int seat, struct events *events);
/* What a list of worlds says of it. */
void world_summary(const struct world *world, const char *key, struct json *json);

/* ---- The log as a record ---- */

/* Do people hold cards that are somebody's secret? Not before a deal, and not after the game. */
bool world_round_runs(const struct world *world);

/* Is another round's deal next, or the game over? */
bool world_round_has_ended(const struct world *world);

/* Seats of people who look at a round's result and have not gone on (PL-C13). The next deal comes
 * when there are none left or the time is over; who is alone with bots has no such time. */
uint32_t world_looking(const struct world *world);

/* Writes a log as an `.oyster` file as far as everybody may know it. Begin with the world as it is
 * now, then hand over all its entries in order. */
struct world_export {
    const struct world *now;
    bool round_is_over;
    struct world folded;
};

void world_export_begin(struct world_export *export, const struct world *now);
bool world_export_line(struct world_export *export, struct span line, struct text *out,
                       struct refusal *why);

/* ---- A person who wants to be gone from it ---- */

/* What stands in a log in place of an erased person: an id that begins like this, which nobody else
 * has, and this name. docs/decisions/0014-erasing.md says why it is done so. */
#define WORLD_ERASED_ID   "erased-"
#define WORLD_ERASED_NAME "Somebody"
bool world_is_erased(const char *id);

/* Hand over all lines of a log in order twice: first to world_erase_look, then to
 * world_erase_line, which writes a line as it is to stand there from now on. What is written folds
 * like what was there before, but for names, words of the chat and the id. */
enum { WORLD_ERASED_NAMES_MAX = 64 }; /* that a person had; of more, the first ones count */
struct world_erasure {
    struct span id, other_id; /* who goes, and who is there instead */
    int names_given, teams_named;
    int name_count;
    char name[WORLD_ERASED_NAMES_MAX][RECORD_NAME_MAX + 1];
};

void world_erase_look(struct world_erasure *erasure, struct span line);
/* False if the line stays as it is. */
bool world_erase_line(struct world_erasure *erasure, struct span line, struct text *out);

/* ---- The log as it was told ---- */

/* What everybody was told by the last entries, and talk as far as the person of this id was there:
 * an object `{version, seats?, events: [{event, data}]}` for each entry that told something.
 * `seats`, as in a view, is there where it differs from the entry before. Begin with the world as
 * it is now, then hand over all its entries in order, each with a writer of its own. */
struct world_history {
    int64_t from; /* older entries are only folded */
    char id[WORLD_ID_MAX + 1];
    char seats[4096]; /* as they were last written */
    struct events events;
    char buffer[1 << 16];
    struct world folded;
};

void world_history_begin(struct world_history *history, const struct world *now, struct span id);
bool world_history_line(struct world_history *history, struct span line, struct json *json,
                        struct refusal *why);
