/* Playing cards as people write them: rank, then suit (`9S`, `10D`, `AH`), `JK` for a joker. */
#pragma once

#include "engine/json.h"

enum card_suit { CARD_SPADES, CARD_HEARTS, CARD_DIAMONDS, CARD_CLUBS, CARD_SUITS };

/* Ranks are 2 to 10, then these. A card is suit * CARD_RANKS + rank - 2; the joker has no suit. */
enum {
    CARD_RANKS = 13,
    CARD_JACK = 11,
    CARD_QUEEN,
    CARD_KING,
    CARD_ACE,
    CARD_JOKER = 52,
    CARD_KINDS
};

uint8_t card_of(int rank, int suit);
int card_rank(int card);
int card_suit(int card);

/* Reads `10D`, `TD`, `qh` or `JK`. */
bool card_parse(struct span word, uint8_t *out);
void card_print(uint8_t card, struct text *text);

/* Takes a card off the scan that is written as people say it, `9 hearts`, `king of spades`, `10♦`
 * or `joker`, and writes it as card_parse reads it; false leaves the scan as it was. */
enum { CARD_WORD_SIZE = 4 };
bool card_scan_spoken(struct scan *scan, char word[CARD_WORD_SIZE]);

/* Reads `S`, `s`, `♠`, `spade` or `spades`. */
bool card_parse_suit(struct span word, int *suit);
char card_suit_letter(int suit);

/* "spades", "hearts", "diamonds", "clubs". */
const char *card_suit_name(int suit);

/* A card as JSON, or null for a negative one; and the cards of a set, by their numbers. */
void json_put_card(struct json *json, const char *key, int card);
void json_put_cards(struct json *json, const char *key, uint64_t cards);
