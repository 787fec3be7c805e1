/* The template game, for the tests that hold it to the laws. */
#ifndef GAMES_TEMPLATE_H
#define GAMES_TEMPLATE_H

#include "engine/card.h"
#include "engine/game.h"

extern const struct game template_game;

#endif
