/* Who's Deal? by thinking: the levels above the rules for bots. whos_deal_expert.c tells how. */
#pragma once

#include "bots/bot.h"
#include "games/whos_deal/whos_deal.h"

enum { WHOS_DEAL_WORLDS_MAX = 256 }; /* a larger budget is taken for that */

/* Hard, expert and the rival of the bench. `seen` is what the seat observes. */
void whos_deal_think(const struct whos_deal *seen, int seat, enum bot_level level,
                     const struct bot_budget *budget, struct chance *chance, struct move *out);

/* Easy and medium, by rules: they look at the own hand and at what is public, and at no other hand,
 * so the state may as well be a whole one. */
void whos_deal_follow_rules(const struct whos_deal *state, int seat, enum bot_level level,
                            struct move *out);

/* The same with better calls and cards (whos_deal_habits.c): what an expert expects of its partner.
 */
void whos_deal_follow_habits(const struct whos_deal *state, int seat, struct move *out);

/* What a hand is worth as a caller's, and how much is needed. Places count from the dealer's left
 * to the dealer. */
enum whos_deal_call_weight {
    WHOS_DEAL_RIGHT, /* trumps, from the right bower down to the nine */
    WHOS_DEAL_NINE = WHOS_DEAL_RIGHT + 6,
    WHOS_DEAL_PLAIN_ACE,    /* that is no trump */
    WHOS_DEAL_VOID,         /* of a plain suit */
    WHOS_DEAL_TURNED_RIGHT, /* that a partner gets, or an opponent: then it counts against it */
    WHOS_DEAL_NEXT,         /* by place: for the suit of the colour that was turned down */
    WHOS_DEAL_ORDER_FROM = WHOS_DEAL_NEXT + WHOS_DEAL_SEATS,      /* by place */
    WHOS_DEAL_NAME_FROM = WHOS_DEAL_ORDER_FROM + WHOS_DEAL_SEATS, /* by place */
    WHOS_DEAL_ALONE_FROM = WHOS_DEAL_NAME_FROM + WHOS_DEAL_SEATS,
    WHOS_DEAL_CALL_WEIGHTS
};

/* Orders, names a suit or passes by these weights, in either round of calls. */
void whos_deal_call_by(const int8_t weights[WHOS_DEAL_CALL_WEIGHTS], const struct whos_deal *state,
                       int seat, struct move *out);
