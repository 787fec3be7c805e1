/* ChaCha20 against RFC 8439, the shuffle against its known answers and against chi-square. */
#include "engine/chance.h"
#include "tests/support.h"

static void assert_hex(const uint8_t *bytes, size_t size, const char *hex) {
    char buffer[2 * 64 + 1];
    struct text text = text_in(buffer, sizeof buffer);
    text_hex(&text, bytes, size);
    assert_string_equal(buffer, hex);
}

/* RFC 8439, 2.3.2. */
UNIT_TEST(the_block_function_matches_the_rfc) {
    uint32_t input[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, 0x03020100, 0x07060504,
                          0x0b0a0908, 0x0f0e0d0c, 0x13121110, 0x17161514, 0x1b1a1918, 0x1f1e1d1c,
                          0x00000001, 0x09000000, 0x4a000000, 0x00000000};
    uint8_t blocks[CHANCE_BUFFER_SIZE];
    chance_chacha20_blocks(input, blocks);
    assert_hex(blocks, 64,
               "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
               "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e");
}

static void assert_next_64_bytes(struct chance *chance, const char *hex) {
    uint8_t bytes[64];
    chance_bytes(chance, bytes, sizeof bytes);
    assert_hex(bytes, sizeof bytes, hex);
}

static const uint8_t zeros[CHANCE_SEED_SIZE];

/* RFC 8439, A.1, vectors 1 and 2: an all-zero seed gives the key stream of an all-zero key. */
UNIT_TEST(the_stream_of_a_seed_is_the_key_stream) {
    struct chance chance;
    chance_start(&chance, zeros);
    assert_next_64_bytes(&chance,
                         "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
                         "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586");
    assert_next_64_bytes(&chance,
                         "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
                         "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f");
}

/* The published first block of ChaCha8 with an all-zero key of 256 bits. */
UNIT_TEST(simulations_have_the_stream_of_chacha8) {
    struct chance chance;
    chance_start(&chance, zeros);
    chance_simulate(&chance);
    assert_next_64_bytes(&chance,
                         "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
                         "984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42");
}

static void print_shuffle(const uint8_t *seed, uint16_t count, char *buffer, size_t size) {
    uint16_t cards[640];
    struct chance chance;
    for (uint16_t i = 0; i < count; i++)
        cards[i] = i;
    chance_start(&chance, seed);
    chance_shuffle(&chance, cards, count);
    struct text text = text_in(buffer, size);
    for (int i = 0; i < count; i++) {
        text_string(&text, i > 0 ? " " : "");
        text_number(&text, cards[i]);
    }
}

/* The same vectors stand in docs/SHUFFLE.md; tests/verify_shuffle.mjs computes them on its own. */
UNIT_TEST(seeds_give_the_published_decks) {
    char buffer[4096];
    uint8_t seed[CHANCE_SEED_SIZE] = {0};
    print_shuffle(seed, 24, buffer, sizeof buffer);
    assert_string_equal(buffer, "17 16 22 14 11 2 15 9 21 19 0 12 3 8 18 13 4 20 10 6 1 7 23 5");
    for (uint8_t i = 0; i < CHANCE_SEED_SIZE; i++)
        seed[i] = i;
    print_shuffle(seed, 52, buffer, sizeof buffer);
    assert_string_equal(buffer,
                        "51 25 40 23 39 26 45 19 17 27 46 43 11 24 48 36 20 14 30 41 21 33 6 34 38 "
                        "49 0 31 9 12 37 32 10 15 50 8 42 16 7 2 35 5 4 28 13 22 47 18 29 3 44 1");
}

/* A word is thrown away exactly when it would make some results likelier than others. */
UNIT_TEST(draws_reject_what_would_bias_them) {
    uint32_t bounds[] = {1, 2, 3, 7, 24, 52, 504, 640, 40000, 65535, 65536};
    for (size_t b = 0; b < sizeof bounds / sizeof bounds[0]; b++) {
        struct chance chance;
        chance_start_number(&chance, b, 0);
        for (int i = 0; i < 1000; i++)
            assert_true(chance_below(&chance, bounds[b]) < bounds[b]);
    }
    /* Of the 65536 words each of 3 results takes 21845, and one word is rejected: the first. */
    struct chance chance;
    chance_start_number(&chance, 0, 0);
    memset(chance.buffer, 0, sizeof chance.buffer);
    chance.used = 0;
    chance.buffer[2] = 0xff, chance.buffer[3] = 0xff;
    assert_int_equal(chance_below(&chance, 3), 2);
    assert_int_equal(chance.used, 4);
}

UNIT_TEST(streams_differ) {
    struct chance one, two;
    uint8_t a[32], b[32];
    chance_start_number(&one, 5, 0);
    chance_start_number(&two, 5, 1);
    chance_bytes(&one, a, sizeof a);
    chance_bytes(&two, b, sizeof b);
    assert_memory_not_equal(a, b, sizeof a);
}

/* Position by card over 10^6 shuffles of 52 cards. The statistic has 51 * 51 degrees of freedom and
 * a standard deviation of 72. The seed is fixed, so every run gives the same figure. */
UNIT_TEST(every_card_is_equally_likely_everywhere) {
    enum { CARDS = 52, SHUFFLES = 1000000, FREEDOM = (CARDS - 1) * (CARDS - 1) };
    static uint32_t seen[CARDS][CARDS];
    struct chance chance;
    chance_start_number(&chance, 2026, 0);
    for (int n = 0; n < SHUFFLES; n++) {
        uint16_t cards[CARDS];
        for (uint16_t i = 0; i < CARDS; i++)
            cards[i] = i;
        chance_shuffle(&chance, cards, CARDS);
        for (int i = 0; i < CARDS; i++)
            seen[i][cards[i]]++;
    }
    double expected = (double)SHUFFLES / CARDS, chi_square = 0;
    for (int i = 0; i < CARDS; i++)
        for (int j = 0; j < CARDS; j++)
            chi_square += (seen[i][j] - expected) * (seen[i][j] - expected) / expected;
    print_message("# chi-square %.1f with %d degrees of freedom\n", chi_square, FREEDOM);
    assert_true(chi_square > FREEDOM - 4 * 72 && chi_square < FREEDOM + 4 * 72);
}

static void assert_deal_seed(const uint8_t *game, uint64_t number, const char *hex) {
    uint8_t seed[CHANCE_SEED_SIZE];
    chance_deal_seed(game, number, seed);
    assert_hex(seed, sizeof seed, hex);
}

/* HF-99. These vectors stand in docs/SHUFFLE.md too, where node's ChaCha20 computes them again. */
UNIT_TEST(a_game_seed_gives_the_published_deal_seeds) {
    uint8_t game[CHANCE_SEED_SIZE];
    assert_deal_seed(zeros, 0, "3db41d3aa0d329285de6f225e6e24bd59c9a17006943d5c9b680e3873bdc683a");
    for (uint8_t i = 0; i < CHANCE_SEED_SIZE; i++)
        game[i] = i;
    assert_deal_seed(game, 0, "d838fb09536e2e3a10e8f23f486273a69f42d8e640d781ede384793c34c32564");
    assert_deal_seed(game, 1, "2810192032f347083ad97a7ab7d70d6401ea8dfb9e02c30de643128940467b54");
    chance_seed_of_number(12345, game);
    assert_hex(game, sizeof game,
               "3930000000000000000000000000000000000000000000000000000000000000");
    assert_deal_seed(game, 0, "13c8f0100d75d0afc5bc83c804dd3df02ea8c997126fb2253719374e4115599d");
    assert_deal_seed(game, UINT32_MAX,
                     "fbc10ed66c2fae04571c39beee43e5c0e4e18881d542538ccc8c545cbbf3aff2");
}
