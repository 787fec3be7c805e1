/* How often something may be done: token buckets by key in a table of fixed size. A key is a hash
 * of an address or a person; the secret in it keeps anybody from choosing keys that collide.
 *
 * A bucket is one number: the time at which it will be full again. A full bucket needs no entry, so
 * an entry whose time has come is as good as free. When a place is needed, the bucket goes that is
 * closest to full: those who are being limited are remembered longest.
 *
 * To limit failures (such as codes tried in vain), take before the attempt and give back after a
 * success: attempts that are on their way at the same time count, too.
 *
 * Several servers may share limits without asking each other: each one tells the others now and
 * then what was taken from it, and at once when somebody takes much. What was taken too much in the
 * meantime is owed. */
#pragma once

#include "engine/text.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RATES_SECRET_SIZE = 16, RATES_UNSAID_MAX = 128 };

struct rates {
    struct rates_entry *entries;
    size_t sets;         /* a power of two */
    int64_t interval_ns; /* in which a token comes back */
    int64_t burst_ns;    /* in which all of them come back */
    int64_t debt_ns;     /* what may be owed; 0 unless it is shared */
    int unsaid_count;    /* keys of which others do not know yet */
    bool hurry;          /* somebody has taken much */
    uint64_t unsaid[RATES_UNSAID_MAX];
};

/* `count` times in `window_ms` on average, `burst` times at once after a rest; room for about
 * `keys_max` keys. False without memory. */
bool rates_init(struct rates *limits, size_t keys_max, int64_t count, int64_t window_ms,
                int64_t burst);
void rates_free(struct rates *limits);

/* May it be done now? Then it counts. Otherwise says in how many whole seconds to try again, at
 * least 1; `retry_after_s` may be null. Time may be any clock that mostly goes forward. */
bool rates_take(struct rates *limits, uint64_t key, int64_t now_ms, int *retry_after_s);
/* The same for something that counts as `count` times, at most as often as may be done at once. */
bool rates_take_many(struct rates *limits, uint64_t key, int64_t count, int64_t now_ms,
                     int *retry_after_s);
/* Undoes a rates_take, or a rates_take_many. */
void rates_give_back(struct rates *limits, uint64_t key);
void rates_give_back_many(struct rates *limits, uint64_t key, int64_t count);

/* ---- Limits that several servers share ---- */

void rates_share(struct rates *limits);
/* The next key from which something was taken here, and how much; false if there is none left. */
bool rates_say(struct rates *limits, uint64_t *key, uint32_t *count);
/* Notes that so much was taken elsewhere. */
void rates_charge(struct rates *limits, uint64_t key, uint32_t count, int64_t now_ms);

/* What counts as one address: an IPv4 address as it is, also where it is mapped into IPv6; the
 * first bits of an IPv6 address; anything else as it is. Ports and brackets that some proxies add
 * are left off. */
enum {
    RATES_BLOCK_SIZE = 48,
    RATES_HOUSEHOLD_BITS = 64 /* which one household has at least */
};
void rates_block(struct span address, int bits, char out[RATES_BLOCK_SIZE]);

/* Whoever has one IPv6 address has many, so what an address may do is counted for blocks of several
 * sizes: those with the same first `bits` may do it `times` as often as one. IPv4 addresses count
 * as they are. */
enum { RATES_BLOCKS = 3 };
extern const struct rates_block { int bits, times; } rates_blocks[RATES_BLOCKS];

uint64_t rates_key(const void *bytes, size_t size, const uint8_t secret[RATES_SECRET_SIZE]);
