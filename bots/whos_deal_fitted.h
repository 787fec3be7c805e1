/* How deals of Who's Deal? end between hard bots. Written by `make fit`. */
#ifndef BOTS_WHOS_DEAL_FITTED_H
#define BOTS_WHOS_DEAL_FITTED_H

#include <stdint.h>

enum { WHOS_DEAL_OUTCOMES = 3 };

/* Of 10,000 deals that are called, how many give 1, 2 and 4 points to the
 * dealer's team and to the other one. */
static const uint16_t whos_deal_outcomes[2][WHOS_DEAL_OUTCOMES] = {{3829, 2562, 353},
                                                                   {1579, 1598, 76}};

#endif
