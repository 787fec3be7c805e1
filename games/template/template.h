/* High Card's state, for its rules and for the tests that hold it to the laws. */
#ifndef GAMES_TEMPLATE_H
#define GAMES_TEMPLATE_H

#include "engine/card.h"
#include "engine/game.h"

enum { HIGH_CARD_SHOW = 1, HIGH_CARD_FOLD, HIGH_CARD_VERBS };
enum high_card_phase { HIGH_CARD_DEALING, HIGH_CARD_PLAYING, HIGH_CARD_OVER };
enum { HIGH_CARD_NONE = 255 };

STATE_BEGINS
struct high_card_public {
    struct game_head head;
    uint8_t phase;
    uint8_t turn;
    bool folding_allowed;
    bool shown[SEATS_MAX];
};

struct high_card {
    PUBLIC_PART(struct high_card_public);
    uint8_t card[SEATS_MAX]; /* HIGH_CARD_NONE: not known to whoever observed this state */
};
STATE_ENDS

extern const struct game template_game;

#endif
