/* Terrible People's state and cards, for its rules, its bots and its tests. */
#pragma once

#include "engine/game.h"

enum {
    TERRIBLE_SEATS = 4,
    TERRIBLE_SUBMITTERS = 3,
    TERRIBLE_HAND = 7,
    TERRIBLE_BLANKS_MAX = 2,
    TERRIBLE_TARGET_MAX = 7,
    TERRIBLE_ROUNDS_MAX = TERRIBLE_SEATS * (TERRIBLE_TARGET_MAX - 1) + 1,
    TERRIBLE_ANSWERS_MAX = 511,                             /* answers are numbered from 1 ... */
    TERRIBLE_ANSWER_BYTES = (TERRIBLE_ANSWERS_MAX + 1) / 8, /* of a set of answers */
    TERRIBLE_PROMPT = 512, /* ... prompts from TERRIBLE_PROMPT + 1, written P1 ... */
    TERRIBLE_PROMPTS_MAX = 127,
    TERRIBLE_PROMPT_BYTES = (TERRIBLE_PROMPTS_MAX + 1) / 8,
    TERRIBLE_SEAT = 700, /* ... and seats, where their order is shuffled, from here, written @0 */
    TERRIBLE_TEXT_SIZE = 320,
    TERRIBLE_NOBODY = 255
};

_Static_assert((int)TERRIBLE_ANSWERS_MAX + (int)TERRIBLE_PROMPTS_MAX <= (int)DEAL_CARDS_MAX,
               "all of them fit into a deal");
_Static_assert((int)TERRIBLE_ANSWERS_MAX < (int)TERRIBLE_PROMPT &&
                   (int)TERRIBLE_PROMPT + (int)TERRIBLE_PROMPTS_MAX < (int)TERRIBLE_SEAT &&
                   (int)TERRIBLE_SEAT + (int)TERRIBLE_SEATS <= (int)DEAL_CARD_CODE_MAX,
               "no number means two things");

enum terrible_verb {
    TERRIBLE_ANSWER = 1, /* args: cards */
    TERRIBLE_PICK        /* args: submission, 1 to 3 */
};

enum terrible_phase {
    TERRIBLE_DEALING,
    TERRIBLE_SUBMITTING,
    TERRIBLE_SHUFFLING, /* all are in, and NATURE is to mix them */
    TERRIBLE_JUDGING,
    TERRIBLE_ROUND_OVER, /* NATURE deals the next round */
    TERRIBLE_GAME_OVER
};

struct terrible_submission {
    uint16_t cards[TERRIBLE_BLANKS_MAX]; /* 0: none */
    uint8_t author;                      /* or TERRIBLE_NOBODY where it is hidden */
    uint8_t unused;
};

/* The cards still to be dealt are those that are nowhere in this state, so there is no order of a
 * deck that could be leaked. */
STATE_BEGINS
struct terrible_people_public {
    struct game_head head;
    uint8_t phase;
    uint8_t target;
    uint8_t judge;
    uint8_t submitted; /* mask of seats */
    uint8_t picked;    /* submission from 1 once the judge has chosen, else 0 */
    uint16_t round;    /* from 1 */
    uint16_t prompt;   /* number from 1; 0 before the first deal */
    uint8_t score[TERRIBLE_SEATS];
    uint8_t hand_count[TERRIBLE_SEATS];
    uint8_t round_winner[TERRIBLE_ROUNDS_MAX]; /* seats, as far as rounds are decided */
    uint8_t unused;
    uint8_t discarded[TERRIBLE_ANSWER_BYTES];
    uint8_t prompts_used[TERRIBLE_PROMPT_BYTES]; /* a bit per prompt, the current one included */
};

struct terrible_people {
    PUBLIC_PART(struct terrible_people_public);
    uint16_t hand[TERRIBLE_SEATS][TERRIBLE_HAND];
    struct terrible_submission submissions[TERRIBLE_SUBMITTERS];
};
STATE_ENDS

/* What a text is about; prompts and answers share these tags. */
enum terrible_tag {
    TERRIBLE_WORK,
    TERRIBLE_MONEY,
    TERRIBLE_LOVE,
    TERRIBLE_FAMILY,
    TERRIBLE_FOOD,
    TERRIBLE_SCREEN,
    TERRIBLE_VANITY,
    TERRIBLE_LAZINESS,
    TERRIBLE_LIES,
    TERRIBLE_HEALTH,
    TERRIBLE_TRAVEL,
    TERRIBLE_HOME,
    TERRIBLE_ANIMALS,
    TERRIBLE_PARTY,
    TERRIBLE_SCHOOL,
    TERRIBLE_DOOM,
    TERRIBLE_TAGS
};

struct terrible_card {
    const char *text;
    uint16_t tags; /* a bit per tag */
    uint8_t punch; /* answers: how sharp it is by itself, 0 to 3 */
};

extern const struct terrible_card terrible_prompts[];
extern const struct terrible_card terrible_answers[];
extern const int terrible_prompt_count;
extern const int terrible_answer_count;

/* By number from 1. */
const struct terrible_card *terrible_prompt(int number);
const struct terrible_card *terrible_answer(int number);

int terrible_blanks(int prompt);

/* Which blanks start a sentence. */
void terrible_capitals(int prompt, bool capitals[TERRIBLE_BLANKS_MAX]);

/* Writes the prompt with its blanks filled in; a sentence starts with a capital letter. */
void terrible_fill(int prompt, const uint16_t cards[TERRIBLE_BLANKS_MAX], struct text *text);

extern const struct game terrible_people_game;
