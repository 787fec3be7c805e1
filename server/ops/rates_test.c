/* Buckets with clocks made by hand: the burst, the rate, when to try again, and what happens when
 * there are more keys than places. */
#include "server/ops/rates.h"
#include "tests/support.h"

#include <sodium.h>

static struct rates limits, there; /* there: at another server */

BEFORE_EACH(start_libsodium) {
    return sodium_init() < 0;
}

AFTER_EACH(free_all) {
    rates_free(&limits);
    rates_free(&there);
    return 0;
}

static void limit(size_t keys, int64_t count, int64_t per_ms, int64_t burst) {
    rates_free(&limits);
    assert_true(rates_init(&limits, keys, count, per_ms, burst));
}

enum { NOW = 1000000 };

static int takes(struct rates *at, uint64_t key, int64_t now_ms, int tries) {
    int taken = 0;
    for (int i = 0; i < tries; i++)
        taken += rates_take(at, key, now_ms, NULL);
    return taken;
}

/* 20 a second, 40 at once. */
UNIT_TEST(a_burst_then_the_rate) {
    limit(100, 20, 1000, 40);
    assert_int_equal(takes(&limits, 7, NOW, 100), 40);
    assert_int_equal(takes(&limits, 7, NOW + 49, 100), 0);
    assert_int_equal(takes(&limits, 7, NOW + 50, 100), 1);
    assert_int_equal(takes(&limits, 7, NOW + 1050, 100), 20);
    assert_int_equal(takes(&limits, 7, NOW + 3049, 100), 39);
    assert_int_equal(takes(&limits, 7, NOW + 60000, 100), 40);
}

/* What costs more takes more; who asks for more than a full bucket waits until it is full. */
UNIT_TEST(some_things_count_more_than_once) {
    int retry_after_s = -1;
    limit(100, 20, 1000, 40);
    assert_true(rates_take_many(&limits, 7, 30, NOW, NULL));
    assert_false(rates_take_many(&limits, 7, 30, NOW, &retry_after_s));
    assert_int_equal(retry_after_s, 1);
    assert_int_equal(takes(&limits, 7, NOW, 100), 10);
    assert_false(rates_take_many(&limits, 7, 1000, NOW + 1999, &retry_after_s));
    assert_true(rates_take_many(&limits, 7, 1000, NOW + 2000, NULL));
    assert_int_equal(takes(&limits, 7, NOW + 2000, 100), 0);
}

UNIT_TEST(keys_do_not_share) {
    limit(100, 1, 1000, 2);
    for (uint64_t key = 0; key < 5; key++)
        assert_int_equal(takes(&limits, key, NOW, 3), 2);
    for (uint64_t key = 0; key < 5; key++)
        assert_int_equal(takes(&limits, key, NOW, 3), 0);
}

/* 20 a minute: a token comes back every 3 s. */
UNIT_TEST(says_when_to_try_again) {
    int retry_after_s = -1;
    limit(100, 20, 60000, 20);
    assert_int_equal(takes(&limits, 1, NOW, 20), 20);
    assert_false(rates_take(&limits, 1, NOW, &retry_after_s));
    assert_int_equal(retry_after_s, 3);
    assert_false(rates_take(&limits, 1, NOW + 1, &retry_after_s));
    assert_int_equal(retry_after_s, 3);
    assert_false(rates_take(&limits, 1, NOW + 2000, &retry_after_s));
    assert_int_equal(retry_after_s, 1);
    assert_false(rates_take(&limits, 1, NOW + 2999, &retry_after_s));
    assert_int_equal(retry_after_s, 1);
    assert_true(rates_take(&limits, 1, NOW + 3000, &retry_after_s));
}

/* Tried codes are limited: those that turn out to be right do not count. */
UNIT_TEST(what_is_given_back_does_not_count) {
    uint64_t key;
    uint32_t count;
    limit(100, 2, 60000, 2);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(takes(&limits, 1, NOW, 3), 2);
        rates_give_back(&limits, 1);
        rates_give_back(&limits, 1);
    }
    rates_give_back(&limits, 1); /* no more than all of them come back */
    rates_give_back(&limits, 2);
    assert_int_equal(takes(&limits, 1, NOW, 3), 2);
    rates_share(&limits);
    assert_int_equal(takes(&limits, 3, NOW, 2), 2);
    rates_give_back(&limits, 3);
    assert_true(rates_say(&limits, &key, &count));
    assert_int_equal(count, 1);
    rates_give_back(&limits, 3); /* after others were told */
    assert_int_equal(takes(&limits, 3, NOW, 3), 2);
}

UNIT_TEST(refusals_do_not_count) {
    limit(100, 1, 1000, 1);
    assert_int_equal(takes(&limits, 1, NOW, 1000), 1);
    assert_int_equal(takes(&limits, 1, NOW + 1000, 1), 1);
}

UNIT_TEST(a_clock_that_jumps_back_locks_nobody_out) {
    int retry_after_s = -1;
    limit(100, 1, 1000, 3);
    assert_int_equal(takes(&limits, 1, NOW + 86400000, 3), 3);
    assert_false(rates_take(&limits, 1, NOW, &retry_after_s));
    assert_int_equal(retry_after_s, 1);
    assert_int_equal(takes(&limits, 1, NOW + 86400000, 1), 0);
    assert_true(rates_take(&limits, 2, 0, NULL));
}

/* Many other keys do not make the table forget those who are being limited. */
UNIT_TEST(the_fullest_bucket_is_forgotten_first) {
    limit(8, 1, 1000, 5);
    assert_int_equal(takes(&limits, 1, NOW, 9), 5);
    for (uint64_t key = 2; key < 1000; key++)
        assert_true(rates_take(&limits, key, NOW, NULL));
    assert_int_equal(takes(&limits, 1, NOW, 9), 0);
    assert_int_equal(takes(&limits, 999, NOW, 9), 4);
    assert_int_equal(takes(&limits, 2, NOW, 9), 5);
}

UNIT_TEST(there_is_room_for_the_promised_keys) {
    limit(1000, 1, 1000, 1);
    for (uint64_t key = 0; key < 1000; key++)
        assert_int_equal(takes(&limits, key, NOW, 2), 1);
    for (uint64_t key = 0; key < 1000; key++)
        assert_int_equal(takes(&limits, key, NOW, 1), 0);
}

UNIT_TEST(very_fast_rates_are_kept) {
    limit(8, 1000000, 1000, 10);
    assert_int_equal(takes(&limits, 1, NOW, 20), 10);
    assert_int_equal(takes(&limits, 1, NOW + 1, 20), 10);
    limit(8, INT64_MAX, 1, 5);
    assert_int_equal(takes(&limits, 1, NOW, 20), 5);
    limit(8, 600, 60000, 600);
    assert_int_equal(takes(&limits, 1, INT64_C(1731658000123), 1000), 600);
    assert_int_equal(takes(&limits, 1, INT64_C(1731658000223), 1000), 1);
}

/* The test vector of SipHash's authors. */
UNIT_TEST(keys_are_siphash) {
    uint8_t secret[RATES_SECRET_SIZE], bytes[15];
    for (uint8_t i = 0; i < 16; i++)
        secret[i] = i;
    for (uint8_t i = 0; i < 15; i++)
        bytes[i] = i;
    assert_true(rates_key(bytes, sizeof bytes, secret) == 0xa129ca6149be45e5);
    secret[0] ^= 1;
    assert_false(rates_key(bytes, sizeof bytes, secret) == 0xa129ca6149be45e5);
}

static void counts_as(const char *address, const char *block) {
    char out[RATES_BLOCK_SIZE];
    rates_block(span_of(address), RATES_HOUSEHOLD_BITS, out);
    assert_string_equal(out, block);
}

UNIT_TEST(larger_blocks_of_addresses) {
    char out[RATES_BLOCK_SIZE];
    rates_block(span_of("2001:db8:1:12ff::9"), 56, out);
    assert_string_equal(out, "2001:db8:1:1200::");
    rates_block(span_of("2001:db8:1:12ff::9"), 48, out);
    assert_string_equal(out, "2001:db8:1::");
    rates_block(span_of("192.0.2.1"), 48, out);
    assert_string_equal(out, "192.0.2.1");
}

/* A household has a /64 of IPv6, and could have a new address for each try. */
UNIT_TEST(a_household_is_one_address) {
    counts_as("192.0.2.1", "192.0.2.1");
    counts_as("192.0.2.1:4711", "192.0.2.1");
    counts_as("::ffff:192.0.2.1", "192.0.2.1");
    counts_as("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::");
    counts_as("2001:db8:1:2::", "2001:db8:1:2::");
    counts_as("[2001:db8:1:2::9]:4711", "2001:db8:1:2::");
    counts_as("[2001:db8:1:2::9]", "2001:db8:1:2::");
    counts_as("2001:db8:1:3::9", "2001:db8:1:3::");
    counts_as("::1", "::");
    counts_as("", "");
    counts_as("unknown", "unknown");
    counts_as("[", "[");
    counts_as("a:b:c", "a:b:c");
    counts_as("a name that is longer than any address could ever be",
              "a name that is longer than any address could ev");
}

/* Two servers: each hears what the other allowed, and what was too much is owed. */
UNIT_TEST(servers_share) {
    uint64_t key;
    uint32_t count;
    limit(100, 20, 1000, 40);
    assert_true(rates_init(&there, 100, 20, 1000, 40));
    rates_share(&limits);
    rates_share(&there);
    assert_int_equal(takes(&limits, 7, NOW, 9), 9);
    assert_false(limits.hurry);
    assert_int_equal(takes(&limits, 7, NOW, 21), 21);
    assert_true(limits.hurry);
    assert_true(rates_say(&limits, &key, &count));
    assert_int_equal(key, 7);
    assert_int_equal(count, 30);
    rates_charge(&there, key, count, NOW);
    assert_false(rates_say(&limits, &key, &count));
    assert_false(rates_say(&there, &key, &count)); /* it is not passed on */
    assert_int_equal(takes(&there, 7, NOW, 100), 10);
    assert_int_equal(takes(&limits, 7, NOW, 100), 10); /* had not heard of it: 10 too many */
    while (rates_say(&there, &key, &count))
        rates_charge(&limits, key, count, NOW);
    while (rates_say(&limits, &key, &count))
        rates_charge(&there, key, count, NOW);
    assert_int_equal(takes(&limits, 7, NOW + 500, 100), 0); /* they are owed */
    assert_int_equal(takes(&there, 7, NOW + 549, 100), 0);
    assert_int_equal(takes(&limits, 7, NOW + 550, 100), 1);
    for (int i = 0; i < 3; i++)
        rates_charge(&limits, 8, UINT32_MAX, NOW); /* no more is owed than a burst */
    assert_int_equal(takes(&limits, 8, NOW + 2000, 100), 0);
    assert_int_equal(takes(&limits, 8, NOW + 4000, 100), 40);
    limit(100, 1, 60000, 2);
    rates_share(&limits);
    rates_charge(&limits, 8, UINT32_MAX, NOW); /* 8,000 years, in ns */
    assert_int_equal(takes(&limits, 8, NOW + 120000, 100), 0);
    assert_int_equal(takes(&limits, 8, NOW + 240000, 100), 2);
}

UNIT_TEST(many_keys_are_said_in_time) {
    uint64_t key;
    uint32_t count, said = 0;
    limit(4096, 20, 1000, 40);
    rates_share(&limits);
    for (key = 1; key <= RATES_UNSAID_MAX; key++)
        assert_int_equal(takes(&limits, key, NOW, 1), 1);
    assert_true(limits.hurry);
    while (rates_say(&limits, &key, &count))
        said += count;
    assert_int_equal(said, RATES_UNSAID_MAX);
}
