/* The search knows worlds, candidates and values: these games are tables of numbers. */
#include "bots/search.h"
#include "tests/support.h"

/* A game in which candidate c is worth mean[c] and some luck, the same for all in a world and an
 * own part that only many worlds average out. */
struct lottery {
    const int *mean;
    int shared, own; /* how much luck */
    int world_luck;
    uint32_t draws, values, values_most;
};

static int32_t luck(struct chance *chance, int range) {
    return range > 0 ? (int32_t)chance_below(chance, (uint32_t)(2 * range + 1)) - range : 0;
}

static void draw(void *context, uint32_t number, struct chance *chance) {
    struct lottery *lottery = context;
    assert_int_equal(number, lottery->draws);
    lottery->draws++;
    lottery->world_luck = luck(chance, lottery->shared);
}

static int32_t value(void *context, int candidate, struct chance *chance) {
    struct lottery *lottery = context;
    lottery->values++;
    for (int i = 0; i < candidate; i++)
        luck(chance, 1);
    return lottery->mean[candidate] + lottery->world_luck + luck(chance, lottery->own);
}

static int best_of(struct lottery *lottery, int candidates, uint32_t worlds, int caution,
                   const struct bot_budget *budget, struct search_result *result) {
    struct search search = {.candidates = candidates,
                            .worlds = worlds,
                            .caution = caution,
                            .values = lottery->values_most,
                            .context = lottery,
                            .draw = draw,
                            .value = value};
    struct chance chance;
    chance_start_number(&chance, 5, 5);
    lottery->draws = lottery->values = 0;
    return search_best(&search, budget, &chance, result);
}

static const struct bot_budget usual;

UNIT_TEST(the_best_candidate_is_found) {
    static const int mean[] = {10, 0, 40, 35, -5, 20, 41, 3};
    struct search_result result;
    struct lottery lottery = {.mean = mean, .shared = 1000, .own = 0};
    assert_int_equal(best_of(&lottery, 8, 16, 0, &usual, &result), 6); /* the luck is shared */
    lottery = (struct lottery){.mean = mean, .shared = 1000, .own = 8};
    assert_int_equal(best_of(&lottery, 6, 200, 0, &usual, &result), 2);
    assert_int_equal(best_of(&lottery, 1, 200, 0, &usual, &result), 0);
    assert_int_equal(lottery.draws, 0); /* one candidate needs no thought */
}

UNIT_TEST(halving_saves_values_and_never_worlds) {
    static const int mean[] = {0, 10, 20, 30, 40, 50, 60, 70};
    struct search_result result;
    struct lottery lottery = {.mean = mean, .own = 5};
    assert_int_equal(best_of(&lottery, 8, 60, 0, &usual, &result), 7);
    assert_int_equal(result.worlds, 60);
    assert_int_equal(result.seen[7], 60);
    assert_int_equal(result.seen[0], 20);
    assert_int_equal(lottery.values, 20 * 8 + 20 * 4 + 20 * 2);
}

/* A limit of values gives the last candidates more worlds than the first ones had together. */
UNIT_TEST(halvings_share_the_values) {
    static const int mean[] = {0, 10, 20, 30, 40, 50, 60, 70};
    struct search_result result;
    struct lottery lottery = {.mean = mean, .own = 5, .values_most = 480};
    assert_int_equal(best_of(&lottery, 8, 1000, 0, &usual, &result), 7);
    assert_int_equal(lottery.values, 480);
    assert_int_equal(result.seen[0], 20);
    assert_int_equal(result.seen[7], 20 + 40 + 80);
    assert_int_equal(best_of(&lottery, 8, 100, 0, &usual, &result), 7);
    assert_int_equal(result.worlds, 100); /* which are the limit here */
    best_of(&lottery, 8, 1000, 0, &(struct bot_budget){.worlds = 500}, &result);
    assert_int_equal(lottery.values, 240);
}

/* Of two, what is plain ends the search; what is even goes on to the limit. */
UNIT_TEST(a_plain_choice_is_made_early) {
    static const int better[] = {0, 90}, worse[] = {0, -20}, even[] = {0, 3};
    struct search_result result;
    struct lottery lottery = {.mean = better, .own = 100, .values_most = 2000};
    assert_int_equal(best_of(&lottery, 2, 4000, SEARCH_CAUTION_ONE, &usual, &result), 1);
    assert_in_range(result.worlds, 1, 200);
    lottery.mean = worse;
    assert_int_equal(best_of(&lottery, 2, 4000, SEARCH_CAUTION_ONE, &usual, &result), 0);
    assert_in_range(result.worlds, 1, 128); /* by four standard errors it would take 270 */
    lottery.mean = even;
    best_of(&lottery, 2, 4000, SEARCH_CAUTION_ONE, &usual, &result);
    assert_int_equal(result.worlds, 1000);
}

/* With caution the first stays unless another one is better beyond doubt. */
UNIT_TEST(caution_keeps_the_first) {
    static const int even[] = {0, 1, 1, 1}, clear[] = {0, -5, 50, 1};
    struct search_result result;
    struct lottery lottery = {.mean = even, .own = 100};
    assert_int_equal(best_of(&lottery, 4, 40, 4 * SEARCH_CAUTION_ONE, &usual, &result), 0);
    assert_int_not_equal(best_of(&lottery, 4, 40, 0, &usual, &result), 0);
    lottery.mean = clear;
    assert_int_equal(best_of(&lottery, 4, 40, 2 * SEARCH_CAUTION_ONE, &usual, &result), 2);
    assert_int_equal(result.seen[0], result.worlds);
    lottery = (struct lottery){.mean = clear};
    assert_int_equal(best_of(&lottery, 4, 40, 4 * SEARCH_CAUTION_ONE, &usual, &result), 2);
}

/* The same numbers, whatever was played before; other chance, other luck. */
UNIT_TEST(a_budget_in_worlds_is_a_function_of_the_chance) {
    static const int mean[] = {5, 6, 7, 6};
    struct search_result one, two;
    struct lottery lottery = {.mean = mean, .shared = 50, .own = 400};
    best_of(&lottery, 4, 50, 0, &usual, &one);
    best_of(&lottery, 4, 50, 0, &usual, &two);
    assert_memory_equal(&one, &two, sizeof one);
    best_of(&lottery, 4, 50, 0, &(struct bot_budget){.worlds = 12}, &two);
    assert_int_equal(two.worlds, 12);
    best_of(&lottery, 4, 50, 0, &(struct bot_budget){.worlds = UINT32_MAX}, &two);
    assert_int_equal(two.worlds, SEARCH_WORLDS_MAX);
}

static bool count_down(void *clock) {
    int *left = clock;
    return (*left)-- <= 0;
}

/* A clock ends the search with the best so far. */
UNIT_TEST(a_late_search_ends_with_the_best_so_far) {
    static const int mean[] = {0, 10, 90, 20};
    struct search_result result;
    struct lottery lottery = {.mean = mean, .own = 5};
    int left = 7;
    struct bot_budget clock = {.is_late = count_down, .clock = &left};
    assert_int_equal(best_of(&lottery, 4, 1000, 0, &clock, &result), 2);
    assert_int_equal(result.worlds, 7);
    left = 0;
    assert_int_equal(best_of(&lottery, 4, 1000, 0, &clock, &result), 0);
    assert_int_equal(result.worlds, 0);
}
