/* The words of a save; see save_words.h. */
#include "formats/save_words.h"

#include <string.h>

const struct save_word save_turns[SAVE_TURNS] = {
    {"draw", "draw"}, {"meld", "meld"}, {"discard", "discard"}};

const struct save_word save_answers[SAVE_ANSWERS] = {
    {"notAsked", "not-asked"}, {"asked", "asked"}, {"granted", "granted"}, {"denied", "denied"}};

const struct save_word save_endings[SAVE_ENDINGS] = {{"notEnded", "not"},
                                                     {"wentOut", "out"},
                                                     {"insufficientCards", "no-cards"},
                                                     {"stalemate", "stalemate"}};

const struct save_word save_phases[SAVE_PHASES] = {
    {"setup", "setup"}, {"playing", "playing"}, {"roundEnd", "round-end"}, {"gameEnd", "game-end"}};

static const char *const rank_names[] = {
    [2] = "2", [3] = "3",   [4] = "4",     [5] = "5",      [6] = "6",     [7] = "7",   [8] = "8",
    [9] = "9", [10] = "10", [11] = "jack", [12] = "queen", [13] = "king", [14] = "ace"};

const char *save_rank_name(int card) {
    return card == CARD_JOKER ? "joker" : rank_names[card % 13 + 2];
}

bool save_parse_rank(const char *word, int *rank) {
    static const char letters[] = "JQKA";
    for (int i = 2; i <= CARD_ACE; i++) {
        bool letter = i > 10 && word[0] == letters[i - CARD_JACK] && word[1] == '\0';
        if (letter || strcmp(word, rank_names[i]) == 0) {
            *rank = i;
            return true;
        }
    }
    return false;
}

bool save_parse_suit(const char *word, int *suit) {
    for (int i = 0; i < CARD_SUITS; i++) {
        bool letter = word[0] == card_suit_letter(i) && word[1] == '\0';
        if (letter || strcmp(word, card_suit_name(i)) == 0) {
            *suit = i;
            return true;
        }
    }
    return false;
}
