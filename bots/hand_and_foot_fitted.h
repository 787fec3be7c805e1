/* The numbers of Hand & Foot's expert, found in games between bots: what a side's position in the
 * middle of a round is worth, how far such a judgement may be wrong, and expert's habits. Written
 * by `make fit`. */
#pragma once

#include "bots/hand_and_foot_expert.h"

/* By set, whose position it is, and feature, in 256ths of a point. */
static const int32_t hand_foot_weights[HAND_FOOT_WEIGHT_SETS][HAND_FOOT_WHOSE][HAND_FOOT_FEATURES] =
    {{{315,  -35,   -58,   6091,  97229, 14188, 3417,  37222,  7499,   5953, 17420,
       9597, 11375, 11121, 19388, -2436, 29,    55766, -35513, -13132, 12069},
      {325,  23,    -79,   7196, 80767, 19999, -29749, 47215,  8822,   5699,  25057,
       7243, 17210, 14360, 7319, -4507, -23,   78121,  -35564, -12447, -12069}},
     {{297,   -13,   -104,  953,  47848, 28594, 11445, 49492,  11899,  4190,  18627,
       16206, 12622, 26283, 1725, 19,    -6,    52543, -13252, -13441, -39222},
      {329,   -41,   -145,  -5601, 38998, -7469, -1546, 51199,  9160,   2996, 21134,
       26296, 11468, 30776, 40947, 3683,  1,     43670, -40866, -23933, 39222}},
     {{374,   147,  -26,   -7062, 85908, -20877, -37909, -7740,  2599,   -1263, 8467,
       13167, 3764, 11916, 12499, 12561, -350,   56977,  -31093, -27330, 10879},
      {177,   -157, -137,  -5880, 27181, -23213, -4412, 4673,  4850,  3093,  2495,
       29676, 8850, 15484, 1620,  3225,  -30,    13071, 22797, 23258, -10879}}};

/* By set. */
static const struct hand_foot_spread hand_foot_spreads[HAND_FOOT_WEIGHT_SETS] = {
    {811, 914, 2030}, {1297, 1612, 3209}, {633, 788, 1240}};

/* By set and habit. */
static const int16_t hand_foot_habits[HAND_FOOT_WEIGHT_SETS][HAND_FOOT_HABITS] = {
    {3, 6, 0, 0, 0, 0, 3, 3, 0, 20, 10, 20, 20, 0},
    {5, 99, 0, 0, 1, 1, 0, 0, 0, 80, 10, 20, 0, 40},
    {3, 99, 0, 2, 1, 0, 0, 0, 0, 80, 0, 10, 0, 0}};
