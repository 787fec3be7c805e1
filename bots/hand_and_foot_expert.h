/* Hand & Foot by thinking: the level above the rules that hard plays by. hand_and_foot_expert.c
 * tells how. */
#ifndef BOTS_HAND_AND_FOOT_EXPERT_H
#define BOTS_HAND_AND_FOOT_EXPERT_H

#include "bots/bot.h"
#include "games/hand_and_foot/hand_and_foot.h"

/* Expert. `seen` is what the seat observes. */
void hand_foot_think(const struct hand_and_foot *seen, int seat, const struct bot_budget *budget,
                     struct chance *chance, struct move *out);

/* Easy, medium and hard: they look at the own hand and at what is public, and at no other hand, so
 * the state may as well be a whole one. */
void hand_foot_follow_rules(const struct hand_and_foot *state, int seat, enum bot_level level,
                            struct chance *chance, struct move *out);

/* What a side's position is judged by, for the fitted weights: a whole state in the middle of a
 * round. */
enum hand_foot_feature {
    HAND_FOOT_TABLE_POINTS, /* cards and bonuses of its books, red threes */
    HAND_FOOT_HAND_PENALTY,
    HAND_FOOT_FOOT_PENALTY,
    HAND_FOOT_HAND_CARDS,
    HAND_FOOT_FEET_LEFT, /* seats that have not picked up their foot */
    HAND_FOOT_MELDED,
    HAND_FOOT_CLEAN_MISSING, /* books to go out */
    HAND_FOOT_DIRTY_MISSING,
    HAND_FOOT_CLEAN_BEGUN, /* cards in incomplete books without wilds */
    HAND_FOOT_DIRTY_BEGUN,
    HAND_FOOT_NEARLY_CLEAN, /* incomplete books without wilds that miss two cards at the most */
    HAND_FOOT_WILDS_IN_HAND,
    HAND_FOOT_FITTING, /* naturals in hand of ranks that lie in own incomplete books */
    HAND_FOOT_PAIRS,   /* ranks of which a hand has two or more */
    HAND_FOOT_ON_TURN,
    HAND_FOOT_LAST_CARDS,     /* in hands that came from a foot */
    HAND_FOOT_LAST_PENALTY,   /* what they cost */
    HAND_FOOT_READY,          /* seats in the foot while the books suffice to go out */
    HAND_FOOT_CLEAN_COMPLETE, /* books */
    HAND_FOOT_DIRTY_COMPLETE,
    HAND_FOOT_FEATURES
};

void hand_foot_count_features(const struct hand_and_foot *state, int side,
                              int32_t out[HAND_FOOT_FEATURES]);

/* Which weights hold under these house rules: for single players, for teams, and where books are
 * closed. */
enum { HAND_FOOT_WEIGHT_SETS = 3, HAND_FOOT_WEIGHT_ONE = 256 };
int hand_foot_weight_set(const struct hand_and_foot *state);

#endif
