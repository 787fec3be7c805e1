/* Token buckets as virtual scheduling (GCRA): `full_ns` is when the bucket will be full. The table
 * is cut into sets of a few ways; a key lives in the set that its low bits name. */
#include "server/ops/rates.h"

#include "engine/ensure.h"
#include <arpa/inet.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { WAYS = 8, NS_PER_MS = 1000000 };
const struct rates_block rates_blocks[RATES_BLOCKS] = {{RATES_HOUSEHOLD_BITS, 1}, {56, 2}, {48, 4}};

static const int64_t ns_per_s = 1000000000;
static const int64_t ms_max = INT64_MAX / NS_PER_MS / 2;

struct rates_entry {
    uint64_t key;
    int64_t full_ns;
    uint32_t unsaid; /* taken here and not told to other servers yet */
};

bool rates_init(struct rates *limits, size_t keys_max, int64_t count, int64_t window_ms,
                int64_t burst) {
    ensure(keys_max > 0 && keys_max < SIZE_MAX / 64 && count > 0 && burst > 0);
    ensure(window_ms > 0 && window_ms <= ms_max);
    int64_t interval_ns = window_ms * NS_PER_MS / count;
    *limits = (struct rates){.sets = 1, .interval_ns = interval_ns > 0 ? interval_ns : 1};
    ensure(burst <= INT64_MAX / 8 / limits->interval_ns);
    limits->burst_ns = limits->interval_ns * burst;
    while (limits->sets * WAYS < keys_max)
        limits->sets *= 2;
    limits->entries = calloc(limits->sets * WAYS, sizeof limits->entries[0]);
    return limits->entries != NULL;
}

void rates_free(struct rates *limits) {
    free(limits->entries);
    *limits = (struct rates){0};
}

/* The key's entry, or null. */
static struct rates_entry *find(const struct rates *limits, uint64_t key) {
    struct rates_entry *set = &limits->entries[(key & (limits->sets - 1)) * WAYS];
    for (int i = 0; i < WAYS; i++)
        if (set[i].key == key)
            return &set[i];
    return NULL;
}

static struct rates_entry *find_oldest(const struct rates *limits, uint64_t key) {
    struct rates_entry *set = &limits->entries[(key & (limits->sets - 1)) * WAYS];
    struct rates_entry *oldest = set;
    for (int i = 1; i < WAYS; i++)
        if (set[i].full_ns < oldest->full_ns)
            oldest = &set[i];
    return oldest;
}

/* When the bucket will be full, seen from now. Whatever the clock did, this is never in the past,
 * and never later than for a bucket that is empty or owes all it may. */
static int64_t full_at(const struct rates *limits, const struct rates_entry *entry,
                       int64_t now_ns) {
    if (!entry || entry->full_ns < now_ns)
        return now_ns;
    int64_t latest_ns = now_ns + limits->burst_ns + limits->debt_ns;
    return entry->full_ns < latest_ns ? entry->full_ns : latest_ns;
}

static int64_t to_ns(int64_t now_ms) {
    ensure(now_ms >= 0 && now_ms <= ms_max);
    return now_ms * NS_PER_MS;
}

/* True if there are so many tokens; otherwise says when they will be there. */
static bool has_tokens(const struct rates *limits, int64_t full_ns, int64_t count, int64_t now_ns,
                       int *retry_after_s) {
    int64_t missing_ns = full_ns + count * limits->interval_ns - (now_ns + limits->burst_ns);
    if (missing_ns <= 0)
        return true;
    if (retry_after_s)
        *retry_after_s = (int)((missing_ns + ns_per_s - 1) / ns_per_s);
    return false;
}

/* Notes that something was taken. A quarter of the burst counts as much. */
static void note(struct rates *limits, struct rates_entry *entry, int64_t count) {
    if (entry->unsaid == 0)
        limits->unsaid[limits->unsaid_count++] = entry->key;
    entry->unsaid += (uint32_t)count;
    limits->hurry = limits->hurry || limits->unsaid_count == RATES_UNSAID_MAX ||
                    entry->unsaid * limits->interval_ns * 4 >= limits->burst_ns;
}

static struct rates_entry *find_or_make(struct rates *limits, uint64_t key) {
    struct rates_entry *entry = find(limits, key);
    if (entry)
        return entry;
    entry = find_oldest(limits, key);
    *entry = (struct rates_entry){.key = key};
    return entry;
}

/* More than all of a bucket cannot have been taken at once. */
static int64_t at_most_all(const struct rates *limits, int64_t count) {
    int64_t most = limits->burst_ns / limits->interval_ns;
    return count < most ? count : most;
}

bool rates_take(struct rates *limits, uint64_t key, int64_t now_ms, int *retry_after_s) {
    return rates_take_many(limits, key, 1, now_ms, retry_after_s);
}

bool rates_take_many(struct rates *limits, uint64_t key, int64_t count, int64_t now_ms,
                     int *retry_after_s) {
    int64_t now_ns = to_ns(now_ms);
    count = at_most_all(limits, count);
    struct rates_entry *entry = find(limits, key);
    int64_t full_ns = full_at(limits, entry, now_ns);
    if (!has_tokens(limits, full_ns, count, now_ns, retry_after_s))
        return false;
    if (!entry)
        entry = find_or_make(limits, key);
    entry->full_ns = full_ns + count * limits->interval_ns;
    if (limits->debt_ns > 0 && limits->unsaid_count < RATES_UNSAID_MAX)
        note(limits, entry, count);
    return true;
}

void rates_give_back(struct rates *limits, uint64_t key) {
    rates_give_back_many(limits, key, 1);
}

/* What other servers have been told already stays with them; it comes back with time. */
void rates_give_back_many(struct rates *limits, uint64_t key, int64_t count) {
    struct rates_entry *entry = find(limits, key);
    if (!entry)
        return; /* its place was needed, so the bucket is full */
    count = at_most_all(limits, count);
    entry->full_ns -= count * limits->interval_ns;
    entry->unsaid = entry->unsaid > count ? entry->unsaid - (uint32_t)count : 0;
}

void rates_share(struct rates *limits) {
    limits->debt_ns = limits->burst_ns;
}

bool rates_say(struct rates *limits, uint64_t *key, uint32_t *count) {
    limits->hurry = false;
    while (limits->unsaid_count > 0) {
        *key = limits->unsaid[--limits->unsaid_count];
        struct rates_entry *entry = find(limits, *key);
        *count = entry ? entry->unsaid : 0; /* the entry may have been replaced in the meantime */
        if (entry)
            entry->unsaid = 0;
        if (*count > 0)
            return true;
    }
    return false;
}

void rates_charge(struct rates *limits, uint64_t key, uint32_t count, int64_t now_ms) {
    int64_t now_ns = to_ns(now_ms),
            most = (limits->burst_ns + limits->debt_ns) / limits->interval_ns;
    struct rates_entry *entry = find_or_make(limits, key);
    int64_t taken = count < most ? count : most;
    entry->full_ns = full_at(limits, entry, now_ns) + taken * limits->interval_ns;
    entry->full_ns = full_at(limits, entry, now_ns);
}

/* `[address]:port`, `address:port` or `address`; one with colons needs its brackets. */
static struct span without_port(struct span text) {
    const char *end = text.length > 0 ? memchr(text.data, ']', text.length) : NULL;
    const char *colon = text.length > 0 ? memchr(text.data, ':', text.length) : NULL;
    if (end && text.data[0] == '[')
        return (struct span){text.data + 1, (size_t)(end - text.data) - 1};
    size_t before = colon ? (size_t)(colon - text.data) : text.length;
    bool only = colon && !memchr(colon + 1, ':', text.length - before - 1);
    return (struct span){text.data, only ? before : text.length};
}

void rates_block(struct span address, int bits, char out[RATES_BLOCK_SIZE]) {
    static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};
    unsigned char bytes[16];
    struct text text = text_in(out, RATES_BLOCK_SIZE);
    text_span(&text, without_port(address));
    if (!strchr(out, ':') || inet_pton(AF_INET6, out, bytes) != 1)
        return;
    if (memcmp(bytes, mapped, sizeof mapped) == 0) {
        inet_ntop(AF_INET, bytes + sizeof mapped, out, RATES_BLOCK_SIZE);
        return;
    }
    memset(bytes + bits / 8, 0, sizeof bytes - (size_t)bits / 8);
    inet_ntop(AF_INET6, bytes, out, RATES_BLOCK_SIZE);
}

uint64_t rates_key(const void *bytes, size_t size, const uint8_t secret[RATES_SECRET_SIZE]) {
    unsigned char hash[crypto_shorthash_BYTES];
    uint64_t key = 0;
    crypto_shorthash(hash, bytes, size, secret);
    for (size_t i = 0; i < sizeof hash; i++)
        key |= (uint64_t)hash[i] << (8 * i);
    return key;
}
