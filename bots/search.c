/* The search of search.h: paired worlds and successive halving. */
#include "bots/search.h"

#include "engine/ensure.h"
#include <string.h>

enum { PART_MIN = 4 }; /* no candidate is dropped after fewer worlds than this */

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

/* Is it better than the first beyond doubt? The standard error of the sum of n differences is about
 * the root of (sum of squares - square of the sum / n). */
static bool is_surely_better(const struct contest *contest, int candidate) {
    int64_t ahead = contest->ahead[candidate], caution = contest->search->caution;
    if (caution == 0)
        return true;
    if (ahead <= 0)
        return false;
    int64_t mean = ahead / (int64_t)contest->result->worlds; /* so that nothing overflows */
    int64_t spread = contest->ahead_squared[candidate] - mean * ahead;
    uint64_t squared = (uint64_t)ahead * (uint64_t)ahead / (uint64_t)(caution * caution);
    uint64_t limit = (uint64_t)(spread > 0 ? spread : 0);
    return squared > limit / (SEARCH_CAUTION_ONE * SEARCH_CAUTION_ONE);
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

int search_best(const struct search *search, const struct bot_budget *budget, struct chance *chance,
                struct search_result *result) {
    struct contest contest = {.search = search, .result = result, .count = search->candidates};
    uint32_t worlds = budget->worlds > 0 ? budget->worlds : search->worlds;
    ensure(search->candidates >= 1 && search->candidates <= SEARCH_CANDIDATES_MAX);
    worlds = worlds < SEARCH_WORLDS_MAX ? worlds : SEARCH_WORLDS_MAX;
    uint32_t part = worlds / (count_halvings(search->candidates) + 1);
    part = part > PART_MIN ? part : PART_MIN;
    memset(result, 0, sizeof *result);
    for (int i = 0; i < contest.count; i++)
        contest.alive[i] = i;
    for (uint32_t number = 0; contest.count > 1 && number < worlds; number++) {
        if (search_is_late(budget))
            break;
        try_world(&contest, number, chance);
        if (contest.count > 2 && (number + 1) % part == 0)
            drop_half(&contest);
    }
    result->best = result->worlds > 0 ? choose(&contest) : 0;
    return result->best;
}
