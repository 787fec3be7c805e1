/* High Card's state, for its rules and for the tests that hold it to the laws. */
#pragma once

#include "engine/card.h"
#include "engine/game.h"

enum { HIGH_CARD_SHOW = 1, HIGH_CARD_FOLD, HIGH_CARD_VERBS };
enum high_card_phase { HIGH_CARD_DEALING, HIGH_CARD_PLAYING, HIGH_CARD_OVER };

STATE_BEGINS
struct high_card {
    struct game_head head;
    bool folding_allowed;
    uint8_t phase;
    uint8_t turn;
    uint8_t unused[4];
    struct places places; /* a hand is one card, which is turned up when it is shown */
};
STATE_ENDS

extern const struct game template_game;
