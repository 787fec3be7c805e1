/* Hand & Foot's saved games: the JSON of the Hand & Foot specification, section 11.3 (HF-98 to
 * HF-100), with what an exact continuation needs besides (HF-C16, HF-C17) as optional fields;
 * docs/SAVES.md lists them.
 *
 * Neither files nor the clock are asked: text comes in, text goes out. Reading believes nothing: a
 * save is turned into a position (games/hand_and_foot), which the rules check. */
#pragma once

#include "bots/bot.h"
#include "engine/json_tree.h"
#include "engine/record.h"

enum {
    SAVE_TEXT_SIZE = 1 << 17, /* enough for every save that is written */
    SAVE_SIZE_MAX = 1 << 20,  /* of one that is read */
    SAVE_NODES_MAX = 32768,
    SAVE_TIME_SIZE = 32,
    SAVE_ACTIONS_MAX = 10, /* HF-122: that many are shown */
    SAVE_MESSAGE_SIZE = 256
};

struct save_seat {
    char name[RECORD_NAME_MAX + 1];
    bool bot;
    enum bot_level level; /* of a bot */
};

/* HF-95: a line of the action log, the oldest first. Only people read it; the game goes on without
 * it. */
struct save_action {
    char message[SAVE_MESSAGE_SIZE];
    char player[RECORD_NAME_MAX + 1];
    char time[SAVE_TIME_SIZE];
    int seat; /* of that player, or NATURE: bots have the same name */
};

struct save {
    struct options options;
    int seats;
    struct save_seat seat[SEATS_MAX];
    uint8_t game_seed[CHANCE_SEED_SIZE]; /* HF-99 */
    uint64_t deals; /* NATURE's moves so far: the number of the next for chance_deal_seed */
    struct game_state state;
    char time[SAVE_TIME_SIZE]; /* when it was saved; see save_time_fits */
    int actions;
    struct save_action action[SAVE_ACTIONS_MAX];
};

/* The one game that has saves. */
const struct game *save_game(void);

/* Is it `2025-12-04T10:30:00Z`, or the same with a fraction of a second? */
bool save_time_fits(struct span time);
/* The same for milliseconds since 1970, up to the year 9999; and back, if there is such a day. */
void save_write_time(int64_t time_ms, char out[SAVE_TIME_SIZE]);
bool save_read_time(struct span time, int64_t *time_ms);

/* A game's seed as people write it: a number from 0 to 2^63 - 1, or 64 hex digits. */
bool save_parse_seed(struct span word, uint8_t out[CHANCE_SEED_SIZE]);

/* The fewest of NATURE's moves that lead to a state: a deal for each round, and the reshuffles of
 * the present one. */
uint64_t save_least_deals(const struct game_state *state);

/* Writes the save; false if it does not fit into the buffer. */
bool save_write(const struct save *save, char *buffer, size_t size);

/* A save's JSON while it is read: large, so it is the caller's. */
struct save_nodes {
    struct json_node node[SAVE_NODES_MAX];
};

/* Is this text meant as a save, even a broken one, and not as some other JSON? */
bool save_recognise(struct span text, struct save_nodes *nodes);

/* Refuses with the code BAD_SAVE. */
bool save_read(struct span text, struct save_nodes *nodes, struct save *out, struct refusal *why);
