/* Hand & Foot by thinking: the level above the rules that hard plays by. hand_and_foot_expert.c
 * tells how. */
#pragma once

#include "bots/bot.h"
#include "games/hand_and_foot/hand_and_foot.h"

/* Expert. `seen` is what the seat observes. */
void hand_foot_think(const struct hand_and_foot *seen, int seat, const struct bot_budget *budget,
                     struct chance *chance, struct move *out);

/* Easy, medium and hard, and expert without thinking: they look at the own hand and at what is
 * public, and at no other hand, so the state may as well be a whole one. */
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
    HAND_FOOT_ALWAYS, /* 1 */
    HAND_FOOT_FEATURES
};

void hand_foot_count_features(const struct hand_and_foot *state, int side,
                              int32_t out[HAND_FOOT_FEATURES]);

/* Habits in which expert differs from hard even without searching. They come in sets like the
 * weights. */
enum hand_foot_habit {
    HAND_FOOT_TAKES_FROM,       /* a pile that gives so many cards which can be laid is taken */
    HAND_FOOT_KEEPS_PAIRS_FROM, /* pairs are not laid while the pile has so many cards */
    HAND_FOOT_FEW_CARDS,        /* a hand of so many cards is laid at once, for the foot */
    HAND_FOOT_CHASED_FROM,      /* an opponent in the foot with so many cards makes it hurry */
    HAND_FOOT_PLAYS_DOWN_MUCH,  /* 1: the first meld has many cards; 0: few */
    HAND_FOOT_OPENS_DIRTY,      /* 1: pairs are laid with a wild in the foot as well */
    HAND_FOOT_HOLDS_IN_HAND,    /* naturals of a rank, up to so many, are kept while the pile is
                                   rich: they may take it */
    HAND_FOOT_HOLDS_IN_FOOT,    /* the same in the foot */
    HAND_FOOT_HURRIES,          /* 1: everything is laid as soon as it can be */
    /* Discards, in points of the card. */
    HAND_FOOT_THROWS_TO_BOOKS, /* ranks of which an opponent has a book go first */
    HAND_FOOT_THROWS_SEEN,     /* ranks of which much was seen, for each card */
    HAND_FOOT_THROWS_AGAIN,    /* ranks that lie in the pile, for each of up to two cards */
    HAND_FOOT_FEARS_SHOWN,     /* ranks that opponents are known to hold stay, for each of two */
    HAND_FOOT_SPARES_PAIRS,    /* one of a pair stays */
    HAND_FOOT_HABITS
};

/* Expert without thinking, with habits that may be others than its own. */
void hand_foot_follow_habits(const struct hand_and_foot *state, int seat,
                             const int16_t habits[HAND_FOOT_HABITS], struct chance *chance,
                             struct move *out);

/* How sure a judgement is, in points: from that and from the rounds that are left follows what a
 * lead is worth. */
struct hand_foot_spread {
    int32_t judgement; /* standard error of the judgement in the middle of a round */
    int32_t round;     /* standard deviation of the difference that a round makes */
    int32_t best;      /* what the better side gets in a round, on average */
};

/* Which weights hold under these house rules: where books are closed by hand, and elsewhere for
 * single players and for teams. Each set has weights for the own side and for the others, who play
 * otherwise. */
enum hand_foot_weight_set {
    HAND_FOOT_WEIGHTS_SINGLE,
    HAND_FOOT_WEIGHTS_TEAMS,
    HAND_FOOT_WEIGHTS_CLOSING,
    HAND_FOOT_WEIGHT_SETS
};
enum { HAND_FOOT_WEIGHT_ONE = 256 };
enum hand_foot_whose { HAND_FOOT_OWN, HAND_FOOT_OTHERS, HAND_FOOT_WHOSE };
enum hand_foot_weight_set hand_foot_weight_set(const struct hand_and_foot *state);
