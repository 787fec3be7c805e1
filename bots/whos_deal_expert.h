/* Who's Deal? by thinking: the levels above the rules for bots. whos_deal_expert.c tells how. */
#ifndef BOTS_WHOS_DEAL_EXPERT_H
#define BOTS_WHOS_DEAL_EXPERT_H

#include "bots/bot.h"
#include "games/whos_deal/whos_deal.h"

/* Hard, expert and the rival of the bench. `seen` is what the seat observes. */
void whos_deal_think(const struct whos_deal *seen, int seat, enum bot_level level,
                     const struct bot_budget *budget, struct chance *chance, struct move *out);

/* Easy and medium, by rules: they look at the own hand and at what is public, and at no other hand,
 * so the state may as well be a whole one. */
void whos_deal_follow_rules(const struct whos_deal *state, int seat, enum bot_level level,
                            struct move *out);

/* The same with better cards (whos_deal_habits.c): what an expert expects of its partner. */
void whos_deal_follow_habits(const struct whos_deal *state, int seat, struct move *out);

#endif
