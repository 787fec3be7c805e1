/* What the files of world/ share: a change, which is an entry on its way into a world. */
#pragma once

#include "world/world.h"

enum world_actor { ACTOR_PERSON, ACTOR_NATURE, ACTOR_SEAT };

struct world_entry {
    int64_t time_ms;
    uint64_t action; /* 0: none */
    enum world_actor actor;
    int seat;
    struct span id;
    struct span words;
};

/* A verb at work. A verb refuses before it changes anything. */
struct change {
    struct world *world;
    const struct world_entry *entry;
    struct scan rest; /* the words after the verb */
    struct events *events;
    struct refusal *why;
    bool folding; /* the entry is from the log; the host's times are not checked, which may have
                     been different then */
    bool moved;   /* a seat has made the move below */
    struct move move;
    bool game_changed;  /* the game changed, so due times start anew */
    bool seats_changed; /* a person or a bot took over a seat, so due times stay */
};

/* Numbers of the seeds that chance_deal_seed makes from the world's `bot_seed`. Bots use two
 * smaller numbers for each version; no world reaches a version where these would meet. */
#define SEED_OF_CARDS_DEALT_ANEW ((UINT64_C(1) << 30) + 1)
#define SEED_OF_INVITATIONS      (UINT64_C(1) << 40) /* and one more for each renewal */
#define SEED_OF_HIDDEN_DEALS     (UINT64_C(1) << 41) /* and one more for each version */

typedef enum world_answer (*change_verb)(struct change *change);

bool world_read_entry(struct span line, struct world_entry *out);
bool world_read_time(struct span word, int64_t *out);
void world_write_entry(const struct world_entry *entry, struct text *text);

/* ---- lobby.c ---- */

enum { LOBBY_ANY_TIME = 7 };

/* Who may use a verb of the lobby, and when. A verb without such a row is the game's. */
struct lobby_verb {
    const char *name;
    uint8_t phases; /* bit s: while the status is s */
    bool owner_only;
    bool strangers; /* may use it as well */
    change_verb run;
};

const struct lobby_verb *lobby_find_verb(struct span word);
/* Writes an action of the lobby in the only way in which it stands in logs: one blank between
 * words, numbers without leading zeros. What makes no sense is written as it is. */
void lobby_print(const struct world *world, const struct lobby_verb *verb, struct span words,
                 struct text *out);
enum world_answer lobby_create(struct change *change);
enum world_answer lobby_gone(struct change *change); /* `- gone ID`: a lost member of the lobby */
/* Lets a person go, also one who has left before and still has a seat. Once the game has started a
 * bot gets it; `what` is for tell_news. */
void lobby_depart_for_good(struct change *change, const char *what, struct span id);
/* Reads the next word as somebody's id. */
bool change_id(struct change *change, struct span *out);
/* Refuses words that are left over. */
bool change_ends(struct change *change);

/* ---- order.c ---- */

enum world_answer order_remove(struct change *change);
enum world_answer order_mute(struct change *change);
enum world_answer order_unmute(struct change *change);
enum world_answer order_make_owner(struct change *change);
enum world_answer talk_say(struct change *change);
enum world_answer talk_emote(struct change *change);

/* ---- manners.c ---- */

/* The options of world_manners, and their slots. */
enum {
    MANNER_SPEED,
    MANNER_WATCHING,
    MANNER_PUBLIC,
    MANNER_SEATING,
    MANNER_SLOW_CHAT,
    MANNER_PREVIEW
};

/* When people may take a bot's seat in a game that runs. */
enum seating { SEATING_AT_ONCE, SEATING_NEXT_DEAL, SEATING_NEVER };
enum seating world_seating(const struct world *world);

/* How long everything takes, in percent of the usual. */
int world_speed_percent(const struct world *world);
/* The time between two messages of everybody but the owner; 0 where chat is not slow. */
int world_slow_chat_ms(const struct world *world);

extern const char *const world_emotes[]; /* null-terminated */

/* ---- play.c ---- */

enum world_answer game_again(struct change *change);
/* What belongs to one game begins anew: its seed, deals and figures. */
void game_renew(struct world *world);
/* False if such a move would be refused now. */
bool game_may(const struct world *world, int seat, struct span words, struct refusal *why);
enum world_answer game_move(struct change *change);   /* a seat's */
enum world_answer game_chance(struct change *change); /* `- deal`, `- shuffle` */
/* HF-C48: whoever loaded or saved the game that is played does not know the deals to come. */
void game_hide_deals(struct world *world);
void game_change_seed(struct world *world); /* of the deals to come */
enum world_answer game_save(struct change *change);
enum world_answer game_saved(struct change *change);    /* `- saved`: a save goes on */
enum world_answer game_position(struct change *change); /* the same in older logs */
enum world_answer game_told(struct change *change);     /* `- told`: a line of its action log */

/* When NATURE or a bot goes on; INT64_MAX if neither does. */
int64_t game_due(const struct world *world);
bool bot_is_awaited(const struct world *world);

/* Called after the game changed: notes who is awaited and when what happens by itself is due. */
void game_schedule(struct world *world, int64_t now_ms);
/* Called after somebody went on from a result: the next deal may be due now. */
void game_await_people(struct world *world, int64_t now_ms);
/* Called after a move or a deal: if a round ended with it, adds the round to the figures of the
 * seats and of the table. */
void game_count_round(struct world *world);
/* Called after a seat changed hands. What was due stays due, so that coming and going delays
 * nothing. */
void game_reseat(struct world *world, int64_t now_ms);

/* ---- seats.c ---- */

int seat_of(const struct world *world, struct span id);
struct world_member *member_of(struct world *world, struct span id);
bool seat_is_bots(const struct world_seat *seat); /* played by a bot at the moment */
bool seat_may_return(const struct world *world, int seat);
void seat_free(struct world *world, int seat);
void seat_make_bot(struct world *world, int seat, enum bot_level level);
void member_remove(struct world *world, struct span id, int64_t now_ms);
/* The limit of what somebody says goes on where it was when they left. */
void member_recall_talk(struct world *world, struct world_member *member);
void owner_pass_on(struct world *world);
/* Connected now, or heard of within the usual time before the last change. */
bool member_is_there(const struct world *world, const struct world_member *member);
enum world_answer seat_away(struct change *change); /* `- away SEAT` */
enum world_answer seat_back(struct change *change); /* `- back SEAT` */

/* Reads the next word as a seat that exists. */
bool change_seat(struct change *change, int *out);
/* The rest of the words, without the blanks around them. */
struct span change_rest(const struct change *change);
enum world_answer change_answer(bool allowed); /* for `return change_answer(refuse(...))` */

/* ---- seating.c ---- */

enum world_answer seat_sit(struct change *change);
enum world_answer seat_take(struct change *change); /* `- take ID SEAT` */
/* Somebody who waited for a seat would rather look on. */
enum world_answer seat_stand_by(struct change *change, struct world_member *member);
/* Who is there and may sit down now, and where; null if nobody may. */
const struct world_member *seat_newcomer(const struct world *world, int *out);
enum world_answer game_rematch(struct change *change);
enum world_answer game_lobby(struct change *change);
/* Called when a game is over. */
void game_count_wins(struct world *world);

/* ---- view.c ---- */

/* Ids by seat, for the JSON of games. */
void world_player_ids(const struct world *world, const char *ids[SEATS_MAX]);
/* "a", "b", ... or null where everybody plays alone or all play together; by seat. */
void world_teams(const struct world *world, const char *team[SEATS_MAX]);

/* Who sits where, as an array. */
void world_seats_view(const struct world *world, struct json *json);

void tell_world(struct change *change);
void tell_seat(struct change *change, int seat);
void tell_teams(struct change *change);
void tell_settings(struct change *change);
void tell_past(struct change *change, const struct world_tail *line);
/* Tells what a member did or became, in one word: `joined`, `left`, `owner` ... */
void tell_news(struct change *change, const char *what, struct span id);
void tell_talk(struct change *change, const char *type, const char *key, struct span value);
