/* The rules of Hand & Foot as data: every rule that differs between the rule books is an option,
 * the three rule books are presets, and a state carries the values in force. */
#pragma once

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

/* The choices: each value with its word. Everything else about them is made from these lists. */
#define HAND_FOOT_TEAMS(CHOICE) CHOICE(TEAMS_NONE, "none") CHOICE(TEAMS_TWO, "two")
#define HAND_FOOT_PICKUP_WITH(CHOICE)                                                              \
    CHOICE(WITH_TWO_NATURALS, "two-naturals")                                                      \
    CHOICE(WITH_ONE_AND_WILD, "one-natural-and-wild")                                              \
    CHOICE(WITH_ANYTHING, "any-legal-play")
#define HAND_FOOT_PICKUP_EXCLUDES(CHOICE)                                                          \
    CHOICE(EXCLUDES_WILDS_AND_THREES, "wilds-and-threes")                                          \
    CHOICE(EXCLUDES_RED_THREES, "red-threes")
#define HAND_FOOT_PICKUP_PLAY(CHOICE)                                                              \
    CHOICE(PLAY_ON_MELD, "own-meld")                                                               \
    CHOICE(PLAY_NEW_BOOK, "new-book")                                                              \
    CHOICE(PLAY_ANYWHERE, "anywhere")
#define HAND_FOOT_WILD_LIMIT(CHOICE)                                                               \
    CHOICE(WILDS_EQUAL, "equal")                                                                   \
    CHOICE(WILDS_FEWER, "fewer")                                                                   \
    CHOICE(WILDS_TWO, "two")                                                                       \
    CHOICE(WILDS_THREE, "three")
#define HAND_FOOT_BOOKS_PER_RANK(CHOICE)                                                           \
    CHOICE(BOOKS_ONE, "one")                                                                       \
    CHOICE(BOOKS_ANY, "any")                                                                       \
    CHOICE(BOOKS_AFTER_CLOSING, "after-closing")
#define HAND_FOOT_CLOSING(CHOICE)                                                                  \
    CHOICE(CLOSING_AUTOMATIC, "automatic")                                                         \
    CHOICE(CLOSING_EXPLICIT, "explicit")
#define HAND_FOOT_FULL_CLEAN(CHOICE)                                                               \
    CHOICE(FULL_CLEAN_TAKES_WILDS, "naturals-and-wilds")                                           \
    CHOICE(FULL_CLEAN_NATURALS, "naturals")
#define HAND_FOOT_MINIMUM_TEST(CHOICE)                                                             \
    CHOICE(TEST_AT_LEAST, "at-least")                                                              \
    CHOICE(TEST_MORE_THAN, "more-than")
#define HAND_FOOT_LAST_CARD(CHOICE)                                                                \
    CHOICE(LAST_ANY, "meld-or-discard")                                                            \
    CHOICE(LAST_DISCARD, "discard")
#define HAND_FOOT_TIE(CHOICE)                                                                      \
    CHOICE(TIE_FIRST_SEAT, "first-seat")                                                           \
    CHOICE(TIE_SHARED, "shared")
#define HAND_FOOT_SORTING(CHOICE)                                                                  \
    CHOICE(SORTING_AUTOMATIC, "automatic")                                                         \
    CHOICE(SORTING_CHOICE, "choice")
#define HAND_FOOT_LABELS(CHOICE)                                                                   \
    CHOICE(LABELS_CLEAN_DIRTY, "clean-dirty")                                                      \
    CHOICE(LABELS_NATURAL_UNNATURAL, "natural-unnatural")

#define HAND_FOOT_VALUE(value, word) value,
#define HAND_FOOT_WORD(value, word)  [value] = word,
enum { HAND_FOOT_TEAMS(HAND_FOOT_VALUE) };
enum { HAND_FOOT_PICKUP_WITH(HAND_FOOT_VALUE) };
enum { HAND_FOOT_PICKUP_EXCLUDES(HAND_FOOT_VALUE) };
enum { HAND_FOOT_PICKUP_PLAY(HAND_FOOT_VALUE) };
enum { HAND_FOOT_WILD_LIMIT(HAND_FOOT_VALUE) };
enum { HAND_FOOT_BOOKS_PER_RANK(HAND_FOOT_VALUE) };
enum { HAND_FOOT_CLOSING(HAND_FOOT_VALUE) };
enum { HAND_FOOT_FULL_CLEAN(HAND_FOOT_VALUE) };
enum { HAND_FOOT_MINIMUM_TEST(HAND_FOOT_VALUE) };
enum { HAND_FOOT_LAST_CARD(HAND_FOOT_VALUE) };
enum { HAND_FOOT_TIE(HAND_FOOT_VALUE) };
enum { HAND_FOOT_SORTING(HAND_FOOT_VALUE) };
enum { HAND_FOOT_LABELS(HAND_FOOT_VALUE) };

enum { HAND_FOOT_OPTIONS = 52, HAND_FOOT_GROUPS = 10, HAND_FOOT_PRESETS = 3 };

extern const struct option hand_foot_options[HAND_FOOT_OPTIONS];
extern const struct option_group hand_foot_groups[HAND_FOOT_GROUPS];
extern const struct preset hand_foot_presets[HAND_FOOT_PRESETS];

/* How many cards so many decks have, with so many jokers each. */
static inline int hand_foot_card_count(int decks, int jokers) {
    enum { DECK_CARDS = 52 };
    return decks * (DECK_CARDS + jokers);
}

/* Entry `round` (from 1) of a list; the last entry goes on. */
int hand_foot_listed(const int16_t *rules, enum hand_foot_rule list, int round);

/* What a first meld needs in that round (HF-46): beyond the list each round
 * adds the step. */
int hand_foot_minimum(const int16_t *rules, int round);

/* Do the values go together, for that many players? */
bool hand_foot_rules_fit(const int32_t *rules, int players, struct refusal *why);
