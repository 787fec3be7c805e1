/* The words of a save that both its writer and its reader use. Private to the two. */
#pragma once

#include "games/hand_and_foot/hand_and_foot.h"

#define SAVE_VERSION "1.0"

enum { SAVE_PHASES = 4, SAVE_TURNS = 3, SAVE_ANSWERS = 4, SAVE_ENDINGS = 4 };

struct save_word {
    const char *save;     /* in a save */
    const char *position; /* in a position */
};

/* In the order of hand_foot_turn, hand_foot_asking and hand_foot_ending. */
extern const struct save_word save_turns[SAVE_TURNS];
extern const struct save_word save_answers[SAVE_ANSWERS];
extern const struct save_word save_endings[SAVE_ENDINGS];
extern const struct save_word save_phases[SAVE_PHASES];

/* The Hand & Foot specification, 3.1: "ace", "2" to "10", "jack", "queen", "king", "joker". */
const char *save_rank_name(int card);
/* Also reads the letter or number that people write. */
bool save_parse_rank(const char *word, int *rank);
bool save_parse_suit(const char *word, int *suit);
