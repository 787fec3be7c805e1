/* The fuzz entry points, each for one parser; corpus/NAME holds what they start from. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* A whole .oyster file. */
void fuzz_records(const uint8_t *data, size_t size);
/* An options line against every game's table. */
void fuzz_options(const uint8_t *data, size_t size);
/* Lines of text as moves: the first byte picks game and seats. */
void fuzz_moves(const uint8_t *data, size_t size);
/* A world's log, one entry a line; a line that is refused changes nothing. */
void fuzz_logs(const uint8_t *data, size_t size);
/* What people do in a world: the first byte picks the game, then a line each: `a join Ann` by the
 * person called a, `+5000` to let time pass, `!a` and `?a` to connect and disconnect. */
void fuzz_words(const uint8_t *data, size_t size);
/* Bytes as moves: the first byte picks game and seats, then 8 bytes a move. */
void fuzz_bytes(const uint8_t *data, size_t size);
/* A position of Hand & Foot for four: the first byte picks the rules. */
void fuzz_positions(const uint8_t *data, size_t size);
/* A saved game. */
void fuzz_saves(const uint8_t *data, size_t size);
