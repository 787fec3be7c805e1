/* Chance: the only source of randomness in the engine. A 32-byte seed is the key of a ChaCha20 key
 * stream (RFC 8439, nonce zero, block counter from zero); draws take the stream two bytes at a
 * time, little-endian. docs/SHUFFLE.md describes it for people who want to check a deal. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { CHANCE_SEED_SIZE = 32, CHANCE_BELOW_MAX = 65536, CHANCE_BUFFER_SIZE = 4 * 64 };

struct chance {
    uint32_t key[8];
    uint32_t counter; /* of the next block */
    uint32_t used;    /* bytes of `buffer` that are spent */
    uint32_t rounds;  /* of ChaCha: 20, or fewer in simulations */
    uint8_t buffer[CHANCE_BUFFER_SIZE];
};

/* Four consecutive ChaCha20 blocks: 20 rounds over the 16 words of `input`, added to it, as
 * little-endian bytes; word 12 is the block counter of the first. */
void chance_chacha20_blocks(const uint32_t input[16], uint8_t out[CHANCE_BUFFER_SIZE]);

/* A game that has one seed: the seed of its deal or shuffle number n, counted from 0 over all
 * NATURE's moves of the game. It is the beginning of the key stream with the nonce n + 1, so no
 * shuffle shares a stream with another, or with a deal that takes the game's seed itself. */
void chance_deal_seed(const uint8_t game_seed[CHANCE_SEED_SIZE], uint64_t number,
                      uint8_t out[CHANCE_SEED_SIZE]);

/* A seed that people write as a number: its eight bytes, low byte first, then zeros. */
void chance_seed_of_number(uint64_t number, uint8_t out[CHANCE_SEED_SIZE]);

void chance_start(struct chance *chance, const uint8_t seed[CHANCE_SEED_SIZE]);

/* For simulations and tests: a seed made from a number; each `stream` is another sequence. */
void chance_start_number(struct chance *chance, uint64_t number, uint64_t stream);

/* From the next blocks on, a stream of ChaCha8, in less than half of the time: for random games
 * that search and benchmarks play. Nobody can check these, so they need not be RFC 8439's. */
void chance_simulate(struct chance *chance);

/* Computes the next four blocks. */
void chance_refill(struct chance *chance);

static inline uint32_t chance_next_16_bits(struct chance *chance) {
    if (chance->used == sizeof chance->buffer)
        chance_refill(chance);
    const uint8_t *at = chance->buffer + chance->used;
    chance->used += 2;
    return (uint32_t)at[0] | (uint32_t)at[1] << 8;
}

/* The rest of chance_below for the few draws that may have to be repeated. */
uint32_t chance_below_again(struct chance *chance, uint32_t bound, uint32_t product);

/* A number from 0 to bound - 1, each equally likely; bound is 1 to CHANCE_BELOW_MAX. */
static inline uint32_t chance_below(struct chance *chance, uint32_t bound) {
    uint32_t product = chance_next_16_bits(chance) * bound;
    if (__builtin_expect((product & 0xffff) < bound, 0))
        return chance_below_again(chance, bound, product);
    return product >> 16;
}

/* The next `size` bytes of the stream. */
void chance_bytes(struct chance *chance, uint8_t *out, size_t size);

/* Fisher-Yates from the front: position i is exchanged with i + below(count - i). */
void chance_shuffle(struct chance *chance, uint16_t *cards, size_t count);
