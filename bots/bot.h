/* How a seat is played by the machine. A bot is handed what its seat observes and nothing else. */
#pragma once

#include "engine/game.h"

enum bot_level {
    BOT_EASY,
    BOT_MEDIUM,
    BOT_HARD,
    BOT_EXPERT,
    BOT_LEVELS,
    BOT_RIVAL = BOT_LEVELS /* not offered to people: an opponent that some games' bots are measured
                              against */
};

/* How long a bot that searches may think. Whatever the budget, its answer is a legal move. */
struct bot_budget {
    uint32_t worlds; /* how many are looked at, for the same answer on every machine; 0: as the
                        level does */
    /* Asked now and then; once it says yes the search ends with the best so far. May be null. */
    bool (*is_late)(void *clock);
    void *clock;
};

/* "easy", "medium", "hard", "expert"; and "rival", which bot_level_parse does not know. */
const char *bot_level_name(enum bot_level level);
bool bot_level_parse(struct span word, enum bot_level *out);

/* Who a bot is to people: a name that is nobody else's, and the animal its face is drawn as. A
 * level has one character for every seat of a table, so no two bots at a table need to be the same.
 */
struct bot_character {
    const char *name; /* "Crabbot"; ASCII */
    const char *face; /* "crab": the same for that number at every level */
};

enum { BOT_CHARACTERS = SEATS_MAX };

struct bot_character bot_character(enum bot_level level, int number);

/* The move of an awaited seat, within the level's own budget. */
void bot_choose(const struct game *game, const struct game_state *state, int seat,
                enum bot_level level, struct chance *chance, struct move *out);
/* The same within a budget. */
void bot_choose_within(const struct game *game, const struct game_state *state, int seat,
                       enum bot_level level, const struct bot_budget *budget, struct chance *chance,
                       struct move *out);

/* Something a seat may want to do although it is not awaited (Up-N-Down's preferences); false if
 * there is nothing. A driver asks again after each move until there is nothing more. */
bool bot_aside(const struct game *game, const struct game_state *state, int seat,
               enum bot_level level, struct chance *chance, struct move *out);

/* Has the game no bot of its own? Then easy plays at random, and the others try moves out. */
bool bot_is_general(const struct game *game);

/* Has the game a rival for measurements? */
bool bot_has_rival(const struct game *game);

/* A budget of more worlds gives no more than this one does. */
uint32_t bot_worlds_max(const struct game *game);

/* Does any bot of this game ever say something aside? */
bool bot_has_asides(const struct game *game);
