/* Who's Deal?: its state and the helpers of section 7 of its specification, for its rules, its
 * bots, its records and its tests.
 *
 * A card is a number from 0 to 23, suit * 6 + rank with 9 as 0 and the ace as 5; a hand is a mask
 * of 24 bits. Two suits of one colour add up to 3. */
#pragma once

#include "engine/card.h"
#include "engine/game.h"

enum {
    WHOS_DEAL_SEATS = 4,
    WHOS_DEAL_CARDS = 24,
    WHOS_DEAL_HAND = 5,
    WHOS_DEAL_KITTY = 4,
    WHOS_DEAL_TRICKS = 5,
    WHOS_DEAL_TRICKS_TO_MAKE = 3, /* that the callers have to take */
    WHOS_DEAL_NONE = 255,         /* no card, suit or seat */
    WHOS_DEAL_RANKS = 6,          /* of a suit ... */
    WHOS_DEAL_RANK_MIN = 9,       /* ... from the nine on */
    WHOS_DEAL_JACK = 2            /* rank within a suit */
};

#define WHOS_DEAL_ALL_CARDS ((uint32_t)0xffffff)
#define WHOS_DEAL_SPADES    ((uint32_t)0x3f)

enum whos_deal_verb {
    WHOS_DEAL_PASS = 1,
    WHOS_DEAL_ORDER,
    WHOS_DEAL_CALL,
    WHOS_DEAL_DISCARD,
    WHOS_DEAL_PLAY,
    WHOS_DEAL_DEFEND, /* a defender plays alone against the lone caller */
    WHOS_DEAL_REDEAL  /* a farmer's hand is thrown in */
};

enum whos_deal_phase {
    WHOS_DEAL_DEALING, /* NATURE deals for the dealer */
    WHOS_DEAL_ROUND1,
    WHOS_DEAL_ROUND2,
    WHOS_DEAL_DEALER_DISCARD,
    WHOS_DEAL_DEFENDING, /* a defender may go alone against a lone caller */
    WHOS_DEAL_PLAYING,
    WHOS_DEAL_ROUND_OVER, /* NATURE deals for the next dealer */
    WHOS_DEAL_GAME_OVER
};

enum whos_deal_loner_lead { WHOS_DEAL_LEFT_OF_LONER, WHOS_DEAL_LEFT_OF_DEALER };

/* What is counted for the whole table. */
enum whos_deal_figure {
    WHOS_DEAL_DEALS,
    WHOS_DEAL_PASSED_OUT,
    WHOS_DEAL_MAKES, /* three or four tricks */
    WHOS_DEAL_MARCHES,
    WHOS_DEAL_EUCHRES,
    WHOS_DEAL_LONERS,
    WHOS_DEAL_SWEEPS,
    WHOS_DEAL_STUCK, /* the dealer had to call */
    WHOS_DEAL_DEALER_SCORED,
    WHOS_DEAL_DEALER_POINTS,
    WHOS_DEAL_OTHER_POINTS,
    WHOS_DEAL_FIGURES
};

STATE_BEGINS
struct whos_deal_public {
    struct game_head head;
    uint8_t phase;
    uint8_t dealer;
    uint8_t turn;
    /* Settings. */
    uint8_t target;
    bool stick_the_dealer, dealer_may_discard_upcard, canadian_loner, defend_alone, farmers_hand;
    uint8_t loner_lead;
    /* Calling. */
    uint8_t upcard;
    uint8_t passes; /* in this calling round, from the dealer's left on */
    uint8_t trump;
    uint8_t caller;
    bool alone;
    uint8_t defender;    /* who defends alone */
    uint8_t sitting_out; /* mask of seats */
    bool picked_up;      /* the dealer has taken the upcard ... */
    bool discarded;      /* ... and put a card away, which is the last one of the kitty */
    uint8_t decided;     /* defenders who have had their say */
    uint8_t kitty_count;
    /* Play. */
    uint8_t lead; /* who leads the current trick */
    uint8_t best; /* the winning card so far, and whose it is */
    uint8_t best_seat;
    uint8_t best_strength;
    uint8_t led_suit;    /* the effective suit led, or WHOS_DEAL_NONE before the lead */
    uint8_t trick_count; /* cards in the current trick */
    uint8_t trick_size;  /* cards a trick has: seats that play */
    uint8_t tricks_played;
    uint8_t tricks[2]; /* by team */
    uint8_t played_count;
    uint8_t void_suits[WHOS_DEAL_SEATS];                /* bit per effective suit shown void */
    uint8_t played[WHOS_DEAL_SEATS * WHOS_DEAL_TRICKS]; /* this deal's cards in order */
    uint8_t leads[WHOS_DEAL_TRICKS];                    /* who led each trick */
    uint8_t last_winner;
    uint8_t score[2];
    uint8_t unused;
    uint16_t points;      /* of the deal just ended: winner's team in bit 8 */
    uint32_t must_follow; /* the cards of the led suit; before a lead all cards */
    uint32_t played_cards;
};

struct whos_deal {
    PUBLIC_PART(struct whos_deal_public);
    uint32_t hand[WHOS_DEAL_SEATS];
    uint32_t kitty_cards; /* the kitty as a mask */
    uint8_t kitty[WHOS_DEAL_KITTY];
};
STATE_ENDS

_Static_assert(sizeof(struct whos_deal) <= 256, "small enough to be searched");

/* Has the first deal been made? From then on there is a kitty. */
static inline bool whos_deal_dealt(const struct whos_deal *state) {
    return state->kitty_count > 0;
}

static inline int whos_deal_team(int seat) {
    return seat & 1;
}

static inline int whos_deal_partner(int seat) {
    return seat ^ 2;
}

/* The suit that is printed on the card. */
static inline int whos_deal_suit(int card) {
    return card / WHOS_DEAL_RANKS;
}

/* WD-62: spades and clubs, hearts and diamonds. */
static inline int whos_deal_same_colour(int suit) {
    return 3 - suit;
}

static inline int whos_deal_right_bower(int trump) {
    return trump * WHOS_DEAL_RANKS + WHOS_DEAL_JACK;
}

static inline int whos_deal_left_bower(int trump) {
    return whos_deal_same_colour(trump) * WHOS_DEAL_RANKS + WHOS_DEAL_JACK;
}

/* WD-61: the left bower counts as trump. */
extern const uint8_t whos_deal_effective[CARD_SUITS][WHOS_DEAL_CARDS];

static inline int whos_deal_effective_suit(int card, int trump) {
    return whos_deal_effective[trump][card];
}

/* All cards of some effective suits, by trump and by the mask of these suits. */
extern const uint32_t whos_deal_cards_of[CARD_SUITS][1 << CARD_SUITS];

static inline uint32_t whos_deal_suit_cards(int suit, int trump) {
    return whos_deal_cards_of[trump][1 << suit];
}

/* WD-64, WD-65: trumps from the right bower down have 24, 23, ... 18, which is 16 more than their
 * rank; other cards have 6 to 1. */
extern const uint8_t whos_deal_strength[CARD_SUITS][WHOS_DEAL_CARDS];

/* WD-63: positive if `a` beats `b`, negative if `b` beats `a`, 0 if neither can win. */
int whos_deal_compare(int a, int b, int led_suit, int trump);

/* WD-66: what may be played from a hand. `must_follow` holds all cards of the led suit, and all
 * cards when leading. */
static inline uint32_t whos_deal_playable(uint32_t hand, uint32_t must_follow) {
    uint32_t following = hand & must_follow;
    return following != 0 ? following : hand;
}

/* WD-68: the next seat clockwise that does not sit out, by the mask of seats that do and by
 * seat. */
extern const uint8_t whos_deal_next[16][WHOS_DEAL_SEATS];

static inline int whos_deal_next_seat(int seat, int sitting_out) {
    return whos_deal_next[sitting_out][seat];
}

/* May the seat throw in a farmer's hand now? */
bool whos_deal_may_redeal(const struct whos_deal *state, int seat);

/* The engine's name of a card (card.h) and back; false for a card that euchre does not have. */
uint8_t whos_deal_to_card(int card);
bool whos_deal_from_card(uint8_t card, uint8_t *out);

extern const struct game whos_deal_game;
