/* What a side's position in the middle of a round is worth in Hand & Foot. Written by `make fit`.
 */
#ifndef BOTS_HAND_AND_FOOT_FITTED_H
#define BOTS_HAND_AND_FOOT_FITTED_H

#include "bots/hand_and_foot_expert.h"

/* By set and feature, in 256ths of a point. */
static const int32_t hand_foot_weights[HAND_FOOT_WEIGHT_SETS][HAND_FOOT_FEATURES] = {
    {245,   0,    -104,  5341,  95821, 19994, -25217, 45484, 10574, 7678,
     17994, 9335, 15612, 18019, 13565, -2128, -24,    73246, -2032, 24816},
    {263,   -38,   -122, -5439, 58498, 10040, 1812, 54255, 12722, 4817,
     15298, 21106, 8916, 32117, 22511, 6726,  28,   48775, 4313,  4858},
    {233,  -139,  -267, -6775, 97142, -38361, -25963, 421,   4030, 2067,
     7736, 24982, 7052, 16826, 7885,  8761,   -124,   45620, 2415, 12630}};

#endif
