/* What a side's position in the middle of a round is worth in Hand & Foot, and what expert is used
 * to. Written by `make fit`. */
#ifndef BOTS_HAND_AND_FOOT_FITTED_H
#define BOTS_HAND_AND_FOOT_FITTED_H

#include "bots/hand_and_foot_expert.h"

/* By set and feature, in 256ths of a point. */
static const int32_t hand_foot_weights[HAND_FOOT_WEIGHT_SETS][HAND_FOOT_FEATURES] = {
    {307,   -7,    -90,   4852,  93537, 14516, -15172, 42804, 9659,   6928,
     19686, 11559, 14492, 18970, 13458, -1795, -9,     68219, -26831, -4169},
    {289,   -44,   -140,  -5316, 53672, 6512, 5656, 53834, 11107,  3301,
     21181, 21698, 10539, 31942, 21868, 5351, 17,   47936, -11055, -8510},
    {262,  -185,  -165, -6437, 73500, -35866, -14652, 4782,  3492, 1385,
     6656, 24609, 7541, 17518, 7579,  8123,   -118,   40547, 4286, 5789}};

/* By set. */
static const struct hand_foot_spread hand_foot_spreads[HAND_FOOT_WEIGHT_SETS] = {
    {799, 918, 2031}, {1328, 1688, 3292}, {668, 834, 1260}};

/* By set and habit. */
static const int16_t hand_foot_habits[HAND_FOOT_WEIGHT_SETS][HAND_FOOT_HABITS] = {
    {5, 99, 0, 0, 0, 0, 3, 4, 0, 20, 0, 10, 20, 0},
    {6, 99, 0, 0, 1, 1, 0, 0, 0, 80, 10, 20, 0, 40},
    {7, 99, 0, 0, 1, 0, 0, 0, 0, 0, 5, 20, 0, 0}};

#endif
