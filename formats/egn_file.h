/* What stands between EGN's JSON and our records: a game as plain data. The files that read and
 * write JSON know nothing of the engine, and the other way round.
 *
 * Seats and teams here are ours, see egn.h. A card is a number from 0 to 23, suit by suit
 * from the nine to the ace, suits as in card.h; a card of a file is the mask of those it may be. */
#pragma once

#include "engine/card.h"
#include "engine/record.h"
#include "formats/egn.h"

enum {
    EGN_SIZE_MAX = 4 << 20,
    EGN_DEALS_MAX = 100, /* the schema's */
    EGN_SEATS = 4,
    EGN_CARDS = 24,
    EGN_RANKS = 6,    /* of a suit ... */
    EGN_RANK_MIN = 9, /* ... from the nine on */
    EGN_HAND = 5,
    EGN_KITTY = 3, /* without the card turned up */
    EGN_TRICKS = 5,
    EGN_CALLS_MAX = 8,
    EGN_NAME_SIZE = RECORD_NAME_MAX + 1,
    EGN_LEVEL_SIZE = 17,
    EGN_CARD_SIZE = 3
};

#define EGN_ANY_CARD ((uint32_t)0xffffff)
#define EGN_SPADES   ((uint32_t)0x3f)

/* A call is a suit or one of these. */
enum { EGN_PASS = CARD_SUITS, EGN_ORDER };

/* Who defends alone, if it is not a seat. */
enum { EGN_NOBODY = -1, EGN_UNSAID = -2 };

struct egn_deal {
    int dealer;
    uint32_t upcard;
    uint32_t hand[EGN_SEATS][EGN_HAND];
    int hand_count[EGN_SEATS]; /* how many the file names; the others may be any card */
    uint32_t kitty[EGN_KITTY];
    bool kitty_in_order; /* the file names it, card by card */
    int call_count;
    uint8_t call[EGN_CALLS_MAX]; /* the last one may be no pass */
    bool alone;
    int defender;
    bool has_discard;
    uint32_t discard;
    int first_lead; /* as stated, or EGN_UNSAID */
    int trick_count;
    int trick_cards[EGN_TRICKS];
    uint32_t trick[EGN_TRICKS][EGN_SEATS];
    bool thrown_in; /* a farmer's hand: the same dealer deals again */
};

struct egn_rules {
    int target;
    bool stick_the_dealer, left_of_dealer_leads, canadian_loner, defend_alone, farmers_hand;
    bool dealer_may_discard_upcard;
};

struct egn_file {
    int first_dealer; /* in EGN's seats */
    char name[EGN_SEATS][EGN_NAME_SIZE];
    bool bot[EGN_SEATS];
    char level[EGN_SEATS][EGN_LEVEL_SIZE];
    struct egn_rules rules;
    int initial_score[2];
    bool has_final_score;
    int final_score[2];
    bool over;
    int deal_count;
    struct egn_deal deal[EGN_DEALS_MAX];
    char *carried; /* what a record keeps in its comment, as JSON; may be null */
};

/* Fills in the error, with control characters replaced, and returns false. */
bool egn_fail(struct egn_error *error, enum egn_fault fault, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "deal 3, trick 2: why", exit 1; trick 0 leaves the trick out. */
bool egn_contradiction(struct egn_error *error, int deal, int trick, const char *why);

/* The seat that made trump, or EGN_NOBODY; and whether the upcard was picked up. */
int egn_caller(const struct egn_deal *deal);
bool egn_is_ordered_up(const struct egn_deal *deal);
int egn_trick_size(const struct egn_deal *deal);

static inline bool egn_is_exact(uint32_t cards) {
    return cards != 0 && (cards & (cards - 1)) == 0;
}

static inline int egn_lowest(uint32_t cards) {
    return __builtin_ctz(cards);
}

/* A card as the engine has it (card.h), and the mask of that one; 0 for one that euchre does not
 * have. */
static inline uint8_t egn_to_card(int card) {
    return card_of(card % EGN_RANKS + EGN_RANK_MIN, card / EGN_RANKS);
}

static inline uint32_t egn_from_card(uint8_t card) {
    if (card == CARD_JOKER || card_rank(card) < EGN_RANK_MIN)
        return 0;
    return (uint32_t)1 << (card_suit(card) * EGN_RANKS + card_rank(card) - EGN_RANK_MIN);
}

/* Ranks and suits as EGN writes them, in the order of their numbers. */
#define EGN_RANK_LETTERS "9TJQKA"
#define EGN_SUIT_LETTERS "shdc"

static inline void egn_card_text(int card, char out[EGN_CARD_SIZE]) {
    out[0] = EGN_RANK_LETTERS[card % EGN_RANKS];
    out[1] = EGN_SUIT_LETTERS[card / EGN_RANKS];
    out[2] = 0;
}

/* The name of a player as a record can hold it. */
void egn_clean_name(const char *name, int egn_seat, char out[EGN_NAME_SIZE]);

/* In egn_read.c and egn_write.c. The reader's `carried` is the caller's to free. */
bool egn_read(struct span text, struct egn_file *out, struct egn_error *error);
char *egn_write(const struct egn_file *file, struct egn_error *error);

/* Dealer, hands, upcard and kitty from the engine's view of a deal that has just been dealt. */
bool egn_read_view(const char *json, struct egn_deal *out);
