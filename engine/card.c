/* Reading and writing cards; see card.h. */
#include "engine/card.h"

#include "engine/ensure.h"
#include <string.h>

static const char suit_letters[] = "SHDC";
static const char rank_letters[] = "23456789TJQKA";

uint8_t card_of(int rank, int suit) {
    ensure(rank >= 2 && rank <= CARD_ACE && suit >= 0 && suit < CARD_SUITS);
    return (uint8_t)(suit * CARD_RANKS + rank - 2);
}

int card_rank(int card) {
    ensure(card >= 0 && card < CARD_JOKER);
    return card % CARD_RANKS + 2;
}

int card_suit(int card) {
    ensure(card >= 0 && card < CARD_JOKER);
    return card / CARD_RANKS;
}

static char upper(char c) {
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static int index_in(const char *letters, char letter) {
    for (int i = 0; letters[i]; i++)
        if (letters[i] == upper(letter))
            return i;
    return -1;
}

bool card_parse(struct span word, uint8_t *out) {
    if (word.length == 2 && upper(word.data[0]) == 'J' && upper(word.data[1]) == 'K') {
        *out = CARD_JOKER;
        return true;
    }
    bool ten = word.length == 3 && word.data[0] == '1' && word.data[1] == '0';
    if (word.length != 2 && !ten)
        return false;
    int rank = ten ? 10 : index_in(rank_letters, word.data[0]) + 2;
    int suit = index_in(suit_letters, word.data[word.length - 1]);
    if (rank < 2 || suit < 0)
        return false;
    *out = card_of(rank, suit);
    return true;
}

void card_print(uint8_t card, struct text *text) {
    if (card == CARD_JOKER) {
        text_string(text, "JK");
        return;
    }
    if (card_rank(card) == 10)
        text_string(text, "10");
    else
        text_char(text, rank_letters[card_rank(card) - 2]);
    text_char(text, suit_letters[card_suit(card)]);
}

/* ---- As people say it ---- */

/* "hearts", "heart" or "Hearts" for `hearts`. */
static bool is_called(struct span word, const char *name) {
    size_t i = 0;
    for (; i < word.length && name[i]; i++)
        if (upper(word.data[i]) != upper(name[i]))
            return false;
    return i == word.length && i > 0 &&
           (name[i] == '\0' || (name[i] == 's' && name[i + 1] == '\0'));
}

/* The suit whose sign, three bytes of UTF-8, ends the word, which then loses it; or -1. */
static int take_sign(struct span *word) {
    static const char signs[CARD_SUITS][4] = {"♠", "♥", "♦", "♣"};
    for (int suit = 0; suit < CARD_SUITS && word->length >= 3; suit++)
        if (memcmp(word->data + word->length - 3, signs[suit], 3) == 0) {
            word->length -= 3;
            return suit;
        }
    return -1;
}

bool card_parse_suit(struct span word, int *suit) {
    if (word.length == 3 && (*suit = take_sign(&word)) >= 0)
        return true;
    *suit = word.length == 1 ? index_in(suit_letters, word.data[0]) : -1;
    for (int i = 0; i < CARD_SUITS && *suit < 0; i++)
        if (is_called(word, card_suit_name(i)))
            *suit = i;
    return *suit >= 0;
}

/* 2 to 10 and the courts, as a number, a letter or a word; 0 for anything else. */
static int spoken_rank(struct span word) {
    static const char *const names[CARD_RANKS] = {"two",   "three", "four", "five", "six",
                                                  "seven", "eight", "nine", "ten",  "jack",
                                                  "queen", "king",  "ace"};
    for (int i = 0; i < CARD_RANKS; i++)
        if (is_called(word, names[i]))
            return i + 2;
    if (span_is(word, "10"))
        return 10;
    return word.length == 1 ? index_in(rank_letters, word.data[0]) + 2 : 0;
}

bool card_scan_spoken(struct scan *scan, char out[CARD_WORD_SIZE]) {
    struct scan at = *scan;
    struct span word;
    struct text text = text_in(out, CARD_WORD_SIZE);
    if (!scan_word(&at, &word))
        return false;
    bool joker = is_called(word, "jokers");
    int suit = take_sign(&word), rank = spoken_rank(word);
    if (!joker && rank >= 2 && suit < 0) {
        if (scan_peek(at, &word) && is_called(word, "of"))
            scan_word(&at, &word);
        if (!scan_word(&at, &word) || !card_parse_suit(word, &suit))
            return false;
    }
    if (!joker && (rank < 2 || suit < 0))
        return false;
    card_print(joker ? CARD_JOKER : card_of(rank, suit), &text);
    *scan = at;
    return true;
}

char card_suit_letter(int suit) {
    ensure(suit >= 0 && suit < CARD_SUITS);
    return suit_letters[suit];
}

const char *card_suit_name(int suit) {
    static const char *const names[] = {"spades", "hearts", "diamonds", "clubs"};
    ensure(suit >= 0 && suit < CARD_SUITS);
    return names[suit];
}

void json_put_card(struct json *json, const char *key, int card) {
    char word[4];
    if (card < 0) {
        json_put_null(json, key);
        return;
    }
    struct text text = text_in(word, sizeof word);
    card_print((uint8_t)card, &text);
    json_put_string(json, key, word);
}

void json_put_cards(struct json *json, const char *key, uint64_t cards) {
    json_put_array(json, key);
    for (; cards != 0; cards &= cards - 1)
        json_put_card(json, NULL, __builtin_ctzll(cards));
    json_put_end(json);
}
