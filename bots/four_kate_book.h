/* 4 Kate's opening book: a landing that keeps the score, for every position of the first discs that
 * can be reached while one side plays by the book and the other side does what it likes. Later
 * positions are left to the solver. Made by our own solver (`make book`); four_kate_book.c tells
 * how it is kept. */
#pragma once

#include "bots/four_kate_solver.h"

enum {
    FOUR_KATE_BOOK_DISCS = 14,   /* positions with fewer discs are in the book */
    FOUR_KATE_BOOK_PARTS = 3,    /* cells that an answer is made of */
    FOUR_KATE_BOOK_PER_WORD = 21 /* cells of three bits in a word */
};

/* The landing; 0 if the position is not in the book. Positions in which a disc wins at once or must
 * block are not in it, since their answer is obvious. */
uint64_t four_kate_book_landing(const struct four_kate_position *position);

/* Is the position's mirror image the one of the two that the book holds? Symmetric ones are their
 * own image. */
bool four_kate_book_mirrors(const struct four_kate_position *position);

/* The cells that the answer for this key is made of, where each part has so many. The exclusive or
 * of the three is the column. */
void four_kate_book_cells(uint64_t key, uint32_t seed, uint32_t part_cells,
                          uint32_t cells[FOUR_KATE_BOOK_PARTS]);
