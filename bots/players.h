/* One entry per game that has more than random bots; bot.c is the only reader of this file outside
 * the games' own bots. All functions get observed states. */
#pragma once

#include "bots/bot.h"

struct bot_player {
    const char *game_id;
    /* `choose` plays easy as well. If not, easy plays at random. */
    bool plays_easy;
    bool has_rival;      /* `choose` knows BOT_RIVAL */
    uint32_t worlds_max; /* that a decision looks at, whatever the budget; 0: SEARCH_WORLDS_MAX */
    void (*choose)(const void *seen, int seat, enum bot_level level,
                   const struct bot_budget *budget, struct chance *chance, struct move *out);
    /* See bot_aside. Null: it never has any. */
    bool (*aside)(const void *seen, int seat, enum bot_level level, struct chance *chance,
                  struct move *out);
};

extern const struct bot_player four_kate_player;
extern const struct bot_player hand_and_foot_player;
extern const struct bot_player terrible_people_player;
extern const struct bot_player up_n_down_player;
extern const struct bot_player whos_deal_player;
