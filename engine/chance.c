/* ChaCha20 and the unbiased shuffle of chance.h.
 *
 * A bounded draw multiplies a 16-bit word by the bound and keeps the upper half (Lemire's method);
 * the few words that would make some results likelier than others are thrown away. Two bytes a
 * draw are enough for any deck here.
 *
 * Four blocks are computed side by side, one in each lane of a vector: that costs hardly more than
 * one of them alone. */
#include "engine/chance.h"

#include "engine/ensure.h"
#include <string.h>

typedef uint32_t lanes __attribute__((vector_size(16)));

static lanes rotate(lanes word, int by) {
    return word << by | word >> (32 - by);
}

static inline void quarter_round(lanes x[16], int a, int b, int c, int d) {
    x[a] += x[b], x[d] = rotate(x[d] ^ x[a], 16);
    x[c] += x[d], x[b] = rotate(x[b] ^ x[c], 12);
    x[a] += x[b], x[d] = rotate(x[d] ^ x[a], 8);
    x[c] += x[d], x[b] = rotate(x[b] ^ x[c], 7);
}

static void store_word(uint8_t out[4], uint32_t word) {
    for (int i = 0; i < 4; i++)
        out[i] = (uint8_t)(word >> (8 * i));
}

static uint32_t load_word(const uint8_t in[4]) {
    return (uint32_t)in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
}

static inline void chacha_blocks(const uint32_t input[16], uint32_t rounds,
                                 uint8_t out[CHANCE_BUFFER_SIZE]) {
    lanes first[16], x[16];
    for (int i = 0; i < 16; i++)
        x[i] = first[i] = (lanes){input[i], input[i], input[i], input[i]};
    x[12] = first[12] = first[12] + (lanes){0, 1, 2, 3};
    for (uint32_t round = 0; round < rounds; round += 2) {
        quarter_round(x, 0, 4, 8, 12);
        quarter_round(x, 1, 5, 9, 13);
        quarter_round(x, 2, 6, 10, 14);
        quarter_round(x, 3, 7, 11, 15);
        quarter_round(x, 0, 5, 10, 15);
        quarter_round(x, 1, 6, 11, 12);
        quarter_round(x, 2, 7, 8, 13);
        quarter_round(x, 3, 4, 9, 14);
    }
    for (int i = 0; i < 16; i++) {
        lanes sum = x[i] + first[i];
        for (int block = 0; block < 4; block++)
            store_word(out + 64 * block + 4 * i, sum[block]);
    }
}

enum { ROUNDS = 20, ROUNDS_IN_SIMULATIONS = 8 };

void chance_chacha20_blocks(const uint32_t input[16], uint8_t out[CHANCE_BUFFER_SIZE]) {
    chacha_blocks(input, ROUNDS, out);
}

void chance_refill(struct chance *chance) {
    uint32_t input[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    memcpy(input + 4, chance->key, sizeof chance->key);
    input[12] = chance->counter;
    chance->counter += 4;
    chacha_blocks(input, chance->rounds, chance->buffer);
    chance->used = 0;
}

void chance_simulate(struct chance *chance) {
    chance->rounds = ROUNDS_IN_SIMULATIONS;
    chance->used = sizeof chance->buffer;
}

void chance_start(struct chance *chance, const uint8_t seed[CHANCE_SEED_SIZE]) {
    for (int i = 0; i < 8; i++)
        chance->key[i] = load_word(seed + 4 * i);
    chance->counter = 0;
    chance->rounds = ROUNDS;
    chance->used = sizeof chance->buffer;
}

void chance_deal_seed(const uint8_t game_seed[CHANCE_SEED_SIZE], uint64_t number,
                      uint8_t out[CHANCE_SEED_SIZE]) {
    uint32_t input[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    uint8_t stream[CHANCE_BUFFER_SIZE];
    ensure(number < UINT64_MAX);
    for (int i = 0; i < 8; i++)
        input[4 + i] = load_word(game_seed + 4 * i);
    input[13] = (uint32_t)(number + 1);
    input[14] = (uint32_t)((number + 1) >> 32);
    chance_chacha20_blocks(input, stream);
    memcpy(out, stream, CHANCE_SEED_SIZE);
}

void chance_seed_of_number(uint64_t number, uint8_t out[CHANCE_SEED_SIZE]) {
    memset(out, 0, CHANCE_SEED_SIZE);
    store_word(out, (uint32_t)number);
    store_word(out + 4, (uint32_t)(number >> 32));
}

void chance_start_number(struct chance *chance, uint64_t number, uint64_t stream) {
    uint8_t seed[CHANCE_SEED_SIZE];
    chance_seed_of_number(number, seed);
    store_word(seed + 8, (uint32_t)stream);
    store_word(seed + 12, (uint32_t)(stream >> 32));
    chance_start(chance, seed);
}

uint32_t chance_below_again(struct chance *chance, uint32_t bound, uint32_t product) {
    ensure(bound >= 1 && bound <= CHANCE_BELOW_MAX);
    uint32_t reject_below = CHANCE_BELOW_MAX % bound;
    while ((product & 0xffff) < reject_below)
        product = chance_next_16_bits(chance) * bound;
    return product >> 16;
}

void chance_bytes(struct chance *chance, uint8_t *out, size_t size) {
    for (size_t i = 0; i < size; i += 2) {
        uint32_t word = chance_next_16_bits(chance);
        out[i] = (uint8_t)word;
        if (i + 1 < size)
            out[i + 1] = (uint8_t)(word >> 8);
    }
}

void chance_shuffle(struct chance *chance, uint16_t *cards, size_t count) {
    ensure(count <= CHANCE_BELOW_MAX);
    for (size_t i = 0; i + 1 < count; i++) {
        size_t other = i + chance_below(chance, (uint32_t)(count - i));
        uint16_t card = cards[i];
        cards[i] = cards[other];
        cards[other] = card;
    }
}
