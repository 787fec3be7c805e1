/* 4 Kate's state, for its rules, its bot and its tests.
 *
 * A disc is a bit: column c (0 to 6) has the bits 7c (bottom) to 7c + 5 (top); bit 7c + 6 stays
 * empty, so that a line that runs off one column never joins the next. */
#pragma once

#include "engine/game.h"

enum { FOUR_KATE_COLUMNS = 7, FOUR_KATE_ROWS = 6, FOUR_KATE_CELLS = 42 };

enum four_kate_verb { FOUR_KATE_DROP = 1 }; /* args: column, 1 to 7 */

STATE_BEGINS
struct four_kate {
    struct game_head head;
    uint8_t starter;
    uint8_t plies; /* discs on the board */
    bool won;      /* by whoever dropped last */
    uint8_t unused[4];
    uint64_t discs[2]; /* by seat */
};
STATE_ENDS

#define FOUR_KATE_BOTTOM ((uint64_t)0x40810204081)
#define FOUR_KATE_BOARD  (FOUR_KATE_BOTTOM * 63)

/* The cells of a column. */
static inline uint64_t four_kate_column(int column) {
    return (uint64_t)63 << (7 * column);
}

/* Where a disc dropped into the column would land; no bit of the board if the column is full. */
static inline uint64_t four_kate_landing(uint64_t occupied, int column) {
    return (occupied + ((uint64_t)1 << (7 * column))) & four_kate_column(column);
}

/* The cells that make a line of four or more. */
uint64_t four_kate_line(uint64_t discs);

/* Is there a line of four? The same as four_kate_line(discs) != 0, only faster. */
static inline bool four_kate_wins(uint64_t discs) {
    uint64_t up = discs & discs >> 1, row = discs & discs >> 7;
    uint64_t falling = discs & discs >> 6, rising = discs & discs >> 8;
    return ((up & up >> 2) | (row & row >> 14) | (falling & falling >> 12) |
            (rising & rising >> 16)) != 0;
}

extern const struct game four_kate_game;
