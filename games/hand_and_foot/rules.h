/* The rules of Hand & Foot as data: every row of the parameter table is an
 * option, the three rule books are presets, and a state carries the values in
 * force. */
#ifndef GAMES_HAND_AND_FOOT_RULES_H
#define GAMES_HAND_AND_FOOT_RULES_H

#include "engine/option.h"

enum { LIST_SLOTS = 1 + OPTION_LIST_MAX };

/* Where each rule stands among the options' slots, and in the state. */
enum hand_foot_rule {
    RULE_TEAMS,
    RULE_PLAYERS_MAX,
    RULE_DECKS, /* 0: players + 1 */
    RULE_JOKERS,
    RULE_HAND_SIZE,
    RULE_FOOT_SIZE = RULE_HAND_SIZE + LIST_SLOTS,
    RULE_CHOOSE_PILE = RULE_FOOT_SIZE + LIST_SLOTS,
    RULE_TURN_CARD,
    RULE_DRAW,
    RULE_PICKUP, /* 0: the whole pile */
    RULE_PICKUP_AFTER_MELD,
    RULE_PICKUP_WITH,
    RULE_PICKUP_EXCLUDES,
    RULE_PICKUP_PLAY,
    RULE_FREEZING,
    RULE_WILD_LIMIT,
    RULE_BOOKS_PER_RANK,
    RULE_BLACK_THREE_BOOKS,
    RULE_WILD_BOOKS,
    RULE_POINTS_JOKER,
    RULE_POINTS_TWO,
    RULE_POINTS_ACE,
    RULE_POINTS_HIGH,
    RULE_POINTS_EIGHT,
    RULE_POINTS_LOW,
    RULE_POINTS_BLACK_THREE,
    RULE_PENALTY_BLACK_THREE,
    RULE_PENALTY_RED_THREE,
    RULE_BOOK_SIZE,
    RULE_CLEAN_BONUS,
    RULE_DIRTY_BONUS,
    RULE_WILD_BONUS,
    RULE_CLOSING,
    RULE_FULL_CLEAN,
    RULE_FULL_DIRTY,
    RULE_MINIMUMS,
    RULE_MINIMUM_STEP = RULE_MINIMUMS + LIST_SLOTS,
    RULE_MINIMUM_TEST,
    RULE_OUT_CLEAN,
    RULE_OUT_DIRTY,
    RULE_LAST_CARD,
    RULE_ASK_PARTNER,
    RULE_OUT_BONUS,
    RULE_RED_THREES_LAID,
    RULE_RED_THREE_BONUS,
    RULE_TARGET,
    RULE_ROUNDS,
    RULE_TIE,
    RULE_STARTER_ROTATES,
    RULE_UNDO,
    RULE_SORTING,
    RULE_LABELS,
    RULE_COUNT
};

/* Values of the choices, in the order in which the table names them. */
enum { TEAMS_NONE, TEAMS_TWO };
enum { WITH_TWO_NATURALS, WITH_ONE_AND_WILD, WITH_ANYTHING };
enum { EXCLUDES_WILDS_AND_THREES, EXCLUDES_RED_THREES };
enum { PLAY_ON_MELD, PLAY_NEW_BOOK, PLAY_ANYWHERE };
enum { WILDS_EQUAL, WILDS_FEWER, WILDS_TWO, WILDS_THREE };
enum { BOOKS_ONE, BOOKS_ANY, BOOKS_AFTER_CLOSING };
enum { CLOSING_AUTOMATIC, CLOSING_EXPLICIT };
enum { FULL_CLEAN_TAKES_WILDS, FULL_CLEAN_NATURALS };
enum { TEST_AT_LEAST, TEST_MORE_THAN };
enum { LAST_ANY, LAST_DISCARD };
enum { TIE_FIRST_SEAT, TIE_SHARED };
enum { SORTING_AUTOMATIC, SORTING_CHOICE };
enum { LABELS_CLEAN_DIRTY, LABELS_NATURAL_UNNATURAL };

enum { HAND_FOOT_OPTIONS = 52, HAND_FOOT_GROUPS = 10, HAND_FOOT_PRESETS = 3 };

extern const struct option hand_foot_options[HAND_FOOT_OPTIONS];
extern const struct option_group hand_foot_groups[HAND_FOOT_GROUPS];
extern const struct preset hand_foot_presets[HAND_FOOT_PRESETS];

/* Entry `round` (from 1) of a list; the last entry goes on. */
int hand_foot_listed(const int16_t *rules, enum hand_foot_rule list, int round);

/* What a first meld needs in that round (HF-46): beyond the list each round
 * adds the step. */
int hand_foot_minimum(const int16_t *rules, int round);

/* Do the values go together, for that many players? */
bool hand_foot_rules_fit(const int32_t *rules, int players, struct refusal *why);

#endif
