/* The search of search.h: paired worlds and successive halving. */
#include "bots/search.h"

#include "engine/ensure.h"
#include <string.h>

enum {
    PART_MIN = 4,      /* no candidate is dropped after fewer worlds than this */
    LOOKED_EVERY = 32, /* worlds, whether it is plain which of two is better */
    PLAINLY_BETTER = 4 * SEARCH_CAUTION_ONE, /* than the first candidate */
    PLAINLY_WORSE = SEARCH_CAUTION_ONE
};

/* Candidates that are still in question, and how they compare with the first one. */
struct contest {
    const struct search *search;
    struct search_result *result;
    int count;
    int alive[SEARCH_CANDIDATES_MAX];
    int64_t ahead[SEARCH_CANDIDATES_MAX];         /* sum of the differences to the first */
    int64_t ahead_squared[SEARCH_CANDIDATES_MAX]; /* sum of their squares */
};

static void try_world(struct contest *contest, uint32_t number, struct chance *chance) {
    const struct search *search = contest->search;
    struct search_result *result = contest->result;
    uint8_t seed[CHANCE_SEED_SIZE];
    struct chance luck;
    int32_t first = 0;
    chance_bytes(chance, seed, sizeof seed);
    chance_start(&luck, seed);
    search->draw(search->context, number, &luck);
    chance_bytes(chance, seed, sizeof seed);
    for (int i = 0; i < contest->count; i++) {
        int candidate = contest->alive[i];
        chance_start(&luck, seed);
        int32_t value = search->value(search->context, candidate, &luck);
        ensure(value >= -SEARCH_VALUE_MAX && value <= SEARCH_VALUE_MAX);
        if (i == 0)
            first = value;
        int64_t difference = value - first;
        result->sum[candidate] += value;
        result->seen[candidate]++;
        contest->ahead[candidate] += difference;
        contest->ahead_squared[candidate] += difference * difference;
    }
    result->worlds++;
}

/* Of equals the earlier one is better. With caution the first candidate stays whatever it is worth:
 * the others are compared with it. */
static void drop_half(struct contest *contest) {
    const int64_t *sum = contest->result->sum;
    int fixed = contest->search->caution > 0;
    for (int i = fixed + 1; i < contest->count; i++) {
        int candidate = contest->alive[i], at = i;
        for (; at > fixed && sum[contest->alive[at - 1]] < sum[candidate]; at--)
            contest->alive[at] = contest->alive[at - 1];
        contest->alive[at] = candidate;
    }
    contest->count = (contest->count + 1) / 2;
}

/* Does it differ from the first by more than so many quarters of the standard error, up or down?
 * The standard error of the sum of n differences is about the root of (sum of squares - square of
 * the sum / n). */
static bool differs_by(const struct contest *contest, int candidate, int quarters) {
    int64_t ahead = contest->ahead[candidate];
    int64_t mean = ahead / (int64_t)contest->result->worlds; /* so that nothing overflows */
    int64_t spread = contest->ahead_squared[candidate] - mean * ahead;
    uint64_t squared = (uint64_t)ahead * (uint64_t)ahead / (uint64_t)(quarters * quarters);
    uint64_t limit = (uint64_t)(spread > 0 ? spread : 0);
    return squared > limit / (SEARCH_CAUTION_ONE * SEARCH_CAUTION_ONE);
}

static bool is_surely_better(const struct contest *contest, int candidate) {
    int caution = contest->search->caution;
    return caution == 0 ||
           (contest->ahead[candidate] > 0 && differs_by(contest, candidate, caution));
}

/* Two are left, and more worlds would hardly change which is chosen. */
static bool is_decided(const struct contest *contest) {
    if (contest->count != 2 || contest->search->caution == 0)
        return false;
    int other = contest->alive[1];
    return differs_by(contest, other, contest->ahead[other] > 0 ? PLAINLY_BETTER : PLAINLY_WORSE);
}

static int choose(const struct contest *contest) {
    int best = contest->alive[0];
    for (int i = 1; i < contest->count; i++) {
        int candidate = contest->alive[i];
        if (contest->result->sum[candidate] > contest->result->sum[best] &&
            is_surely_better(contest, candidate))
            best = candidate;
    }
    return best;
}

bool search_is_late(const struct bot_budget *budget) {
    return budget->is_late && budget->is_late(budget->clock);
}

/* How many times the candidates are halved until two are left. */
static uint32_t count_halvings(int candidates) {
    uint32_t halvings = 0;
    for (; candidates > 2; candidates = (candidates + 1) / 2)
        halvings++;
    return halvings;
}

/* How many worlds so many candidates meet until half of them are dropped, or, of two, until the
 * search ends. A budget in worlds limits the values in proportion. */
static uint32_t part_of(const struct search *search, uint32_t worlds, int candidates) {
    uint32_t parts = count_halvings(search->candidates) + 1, part = worlds / parts;
    if (search->values > 0)
        part = (uint32_t)((uint64_t)search->values * worlds / search->worlds / parts) /
               (uint32_t)candidates;
    else if (candidates == 2)
        part = worlds;
    return part > PART_MIN ? part : PART_MIN;
}

int search_best(const struct search *search, const struct bot_budget *budget, struct chance *chance,
                struct search_result *result) {
    struct contest contest = {.search = search, .result = result, .count = search->candidates};
    uint32_t worlds = budget->worlds > 0 ? budget->worlds : search->worlds;
    ensure(search->candidates >= 1 && search->candidates <= SEARCH_CANDIDATES_MAX);
    worlds = worlds < SEARCH_WORLDS_MAX ? worlds : SEARCH_WORLDS_MAX;
    memset(result, 0, sizeof *result);
    for (int i = 0; i < contest.count; i++)
        contest.alive[i] = i;
    uint32_t part_ends = part_of(search, worlds, contest.count);
    while (contest.count > 1 && result->worlds < worlds && !search_is_late(budget)) {
        try_world(&contest, result->worlds, chance);
        if (search->values > 0 && result->worlds % LOOKED_EVERY == 0 && is_decided(&contest))
            break;
        if (result->worlds < part_ends)
            continue;
        if (contest.count == 2)
            break;
        drop_half(&contest);
        part_ends += part_of(search, worlds, contest.count);
    }
    result->best = result->worlds > 0 ? choose(&contest) : 0;
    return result->best;
}
