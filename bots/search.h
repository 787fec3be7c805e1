/* The one search of all games with hidden cards. It knows worlds, candidates and values, and no
 * game: a game's bot says how to draw a world out of what its seat knows, which moves come into
 * question, and what each is worth in a world (by an exact solver, a playout by a lower level, a
 * fitted value). Bots, hints and analysis are its callers.
 *
 * Every candidate meets the same worlds and the same luck, so that what differs is the move. After
 * each part of the worlds the worse half of the candidates is dropped. With a budget in worlds the
 * answer depends on the position and the chance alone, and is the same natively and in WebAssembly:
 * all is counted in integers. With a clock the answer is the best so far. */
#pragma once

#include "bots/bot.h"

enum {
    SEARCH_CANDIDATES_MAX = GAME_LEGAL_MAX,
    SEARCH_WORLDS_MAX = 4096,
    SEARCH_VALUE_MAX = 500000, /* values lie between this and its negative */
    SEARCH_CAUTION_ONE = 4     /* `caution` counts quarters of a standard error */
};

struct search {
    int candidates;  /* 1 to SEARCH_CANDIDATES_MAX; the first is what a lower level would do */
    uint32_t worlds; /* to look at; at most SEARCH_WORLDS_MAX */
    /* The first candidate is left only for one that is better beyond this many quarters of the
     * standard error of the difference; 0: for any that is better. */
    int caution;
    /* To compute at the most, about; 0: no limit. The halvings share them equally, so that the few
     * candidates which are left meet many worlds; with caution the search ends as soon as two are
     * left and it is plain which is better. */
    uint32_t values;
    void *context; /* what the two functions are handed */
    /* Makes the context hold the world of that number. */
    void (*draw)(void *context, uint32_t number, struct chance *chance);
    /* What a candidate is worth in it; the chance is the same for all candidates. */
    int32_t (*value)(void *context, int candidate, struct chance *chance);
};

/* What was found out: for hints and analysis more than the best. */
struct search_result {
    int best;
    uint32_t worlds;                      /* that were looked at */
    uint32_t seen[SEARCH_CANDIDATES_MAX]; /* worlds that the candidate was tried in */
    int64_t sum[SEARCH_CANDIDATES_MAX];   /* of its values */
};

/* Is the time over? For what a bot prepares before it searches. */
bool search_is_late(const struct bot_budget *budget);

/* If the time is over at the first look, the answer is the first candidate. */
int search_best(const struct search *search, const struct bot_budget *budget, struct chance *chance,
                struct search_result *result);
