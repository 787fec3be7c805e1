/* What a seat of Who's Deal? knows. Private to this folder. */
#pragma once

#include "games/whos_deal/whos_deal.h"

/* Members of the game's struct. */
void whos_deal_observe(const void *from, int seat, void *to);
void whos_deal_sample(const void *from, int seat, struct chance *chance, void *to);

/* How many cards a seat holds is public. */
int whos_deal_hand_count(const struct whos_deal *state, int seat);
