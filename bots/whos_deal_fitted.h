/* How deals of Who's Deal? end between hard bots, and what is worth calling.
 * Written by `make fit`. */
#pragma once

#include "bots/whos_deal_expert.h"

enum { WHOS_DEAL_OUTCOMES = 3 };

/* Of 10,000 deals that are called, how many give 1, 2 and 4 points to the
 * dealer's team and to the other one. */
static const uint16_t whos_deal_outcomes[2][WHOS_DEAL_OUTCOMES] = {{3951, 2283, 501},
                                                                   {1776, 1386, 100}};

static const int8_t whos_deal_call_weights[WHOS_DEAL_CALL_WEIGHTS] = {
    16, 10, 8, 8, 8, 7, 6, 3, 3, 3, 3, 0, 2, 0, 33, 23, 31, 23, 22, 22, 24, 22, 37};
