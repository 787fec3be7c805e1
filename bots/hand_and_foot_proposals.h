/* Sensible plays for a turn of Hand & Foot, for every preset and house rule: what to lay for the
 * first meld with the fewest wilds, what grows or completes a book, what a wild is good for, how
 * the pile could be taken, and how far it is to the foot.
 *
 * A proposal is no decision: its cards are in the hand, but whether the rules allow it
 * is for the game's `check`, and whether it is wanted is for the bot, which rates the proposals and
 * plays the best. All functions are pure: they read an observed state, write what the caller owns
 * and allocate nothing. Stronger bots can search among the same proposals. */
#pragma once

#include "games/hand_and_foot/hand_and_foot.h"

enum {
    HAND_FOOT_RANK_ROOM = CARD_ACE + 1,
    HAND_FOOT_PROPOSALS_MAX = 128, /* what does not fit is left out; the first books come first */
    HAND_FOOT_NO_BOOK = -1
};

/* ---- What a seat has ---- */

/* The own hand and the own side's books, counted. Points into the state. */
struct hand_foot_holding {
    const struct hand_and_foot *state;
    int seat, side;
    const uint8_t *hand;
    int naturals[HAND_FOOT_RANK_ROOM]; /* in hand by rank, if they can be laid; no red threes */
    int wilds;                         /* in hand */
    int clean, dirty;                  /* complete books */
    int dirty_melds;                   /* incomplete ones with wilds */
    int best_clean; /* index of the incomplete book without wilds that has the most cards, or
                       HAND_FOOT_NO_BOOK */
};

void hand_foot_holding_count(struct hand_foot_holding *holding, const struct hand_and_foot *state,
                             int seat);

/* How many cards of the hand find no place on the table in this turn, even if every pair takes a
 * wild: with 0 or 1 the rest can be discarded and the foot is next, or the way out. Looks at
 * counts, so it may be too hopeful where house rules close books. */
int hand_foot_cards_stuck(const struct hand_foot_holding *holding);

/* ---- Proposals ---- */

enum hand_foot_aim {
    HAND_FOOT_AIM_RED_THREE,      /* lay a red three down */
    HAND_FOOT_AIM_CLOSE,          /* close a complete book */
    HAND_FOOT_AIM_PLAY_DOWN,      /* the first meld: fewest wilds, then fewest cards */
    HAND_FOOT_AIM_PLAY_DOWN_MUCH, /* the first meld: fewest wilds, then most cards */
    HAND_FOOT_AIM_GROW,           /* all naturals of a rank go on a book of it */
    HAND_FOOT_AIM_WILD,           /* one wild goes on a book, a two if there is one */
    HAND_FOOT_AIM_OPEN,       /* three or more naturals become a book, or join it by the rules */
    HAND_FOOT_AIM_OPEN_DIRTY, /* a pair and a wild */
    HAND_FOOT_AIM_OPEN_WILDS, /* three wilds */
    HAND_FOOT_AIM_TAKE,       /* the pile, with two naturals */
    HAND_FOOT_AIM_TAKE_DIRTY, /* the pile, with a natural and a wild */
    HAND_FOOT_AIM_TAKE_ADD    /* the pile, its top card going on a book where it spoils nothing */
};

struct hand_foot_proposal {
    enum hand_foot_aim aim;
    int book;            /* index of the book that grows or is closed, or HAND_FOOT_NO_BOOK */
    int naturals, wilds; /* that leave the hand */
    int left;            /* cards in the hand afterwards, before any pile or foot */
    bool completes;      /* the book was incomplete and will be complete */
    int worth;           /* 0; for the bot's own rating */
    struct move move;
};

struct hand_foot_proposals {
    int count;
    struct hand_foot_proposal list[HAND_FOOT_PROPOSALS_MAX];
};

/* What could be laid now. The first meld comes as the only proposal for a book until it lies. */
void hand_foot_propose_plays(const struct hand_foot_holding *holding,
                             struct hand_foot_proposals *out);

/* How the pile could be taken; there must be one. */
void hand_foot_propose_takes(const struct hand_foot_holding *holding,
                             struct hand_foot_proposals *out);

/* ---- Judgement ---- */

/* What a wild of the hand is worth on that own book, in points: the average gain of the best number
 * of wilds for it. An incomplete book counts as a share of its bonus, the more the fewer cards are
 * missing; the best clean one counts more while one is missing to go out. Negative where a wild
 * spoils more than it helps, 0 on complete books. */
int hand_foot_wild_gain(const struct hand_foot_holding *holding, int book);

/* What is known of the naturals of each rank. */
struct hand_foot_seen {
    int naturals[HAND_FOOT_RANK_ROOM];   /* in the own hand and in all books */
    bool opponents[HAND_FOOT_RANK_ROOM]; /* have a book of that rank: they lay what they get of it,
                                        so they hardly hold the pair that takes the pile */
};

void hand_foot_count_seen(const struct hand_foot_holding *holding, struct hand_foot_seen *out);
