/* Deadlines: who is late is found in time, once, and without a look at those who are not. */
#include "server/net/deadlines.h"
#include "tests/support.h"

enum { MANY = 10000, BEGIN_MS = 1000000, STEP_MS = DEADLINES_STEP_MS };

static struct deadlines ring;
static struct deadline many[MANY];

BEFORE_EACH(begin) {
    deadlines_begin(&ring, BEGIN_MS);
    memset(many, 0, sizeof many);
    return 0;
}

static int count_late(int64_t now_ms) {
    int count = 0;
    while (deadlines_late(&ring, now_ms))
        count++;
    return count;
}

UNIT_TEST(who_is_late_is_found_once_and_not_before) {
    static const int64_t in_ms[] = {1, STEP_MS, 3 * STEP_MS + 7, DEADLINES_LISTS * STEP_MS,
                                    5 * DEADLINES_LISTS * STEP_MS + 1};
    for (size_t i = 0; i < sizeof in_ms / sizeof in_ms[0]; i++) {
        begin(NULL);
        int64_t due = BEGIN_MS + in_ms[i], found = 0;
        deadline_set(&ring, &many[0], due);
        for (int64_t now = BEGIN_MS; now < due + 10 * STEP_MS; now += 50) {
            struct deadline *late = deadlines_late(&ring, now);
            assert_true(!late || (late == &many[0] && found == 0));
            found = late ? now : found;
        }
        assert_in_range(found, due, due + STEP_MS + 50);
    }
}

UNIT_TEST(what_is_due_already_is_found_with_the_next_step) {
    deadline_set(&ring, &many[0], 1);
    deadline_set(&ring, &many[1], BEGIN_MS);
    assert_int_equal(count_late(BEGIN_MS), 0);
    assert_int_equal(count_late(BEGIN_MS + STEP_MS), 2);
}

UNIT_TEST(a_deadline_moves_both_ways_and_ends) {
    for (int i = 0; i < 4; i++)
        deadline_set(&ring, &many[i], BEGIN_MS + 1000);
    deadline_set(&ring, &many[0], BEGIN_MS + 9000);
    deadline_set(&ring, &many[1], BEGIN_MS + 500);
    deadline_set(&ring, &many[2], 0);
    deadline_end(&many[3]);
    deadline_end(&many[3]);
    assert_ptr_equal(deadlines_late(&ring, BEGIN_MS + 750), &many[1]);
    assert_int_equal(count_late(BEGIN_MS + 8999), 0);
    assert_ptr_equal(deadlines_late(&ring, BEGIN_MS + 9000 + STEP_MS), &many[0]);
    assert_int_equal(count_late(BEGIN_MS + 100000), 0);
}

/* All sockets were looked at once a second before. */
UNIT_TEST(only_those_who_are_due_are_looked_at) {
    for (int i = 0; i < MANY; i++)
        deadline_set(&ring, &many[i], BEGIN_MS + (i < 10 ? 5000 : 90000));
    assert_int_equal(count_late(BEGIN_MS + 60000), 10);
    assert_int_equal(ring.looks, 10);
}

/* Who says something every second is looked at once in the time that they may be silent. */
UNIT_TEST(moving_a_deadline_costs_next_to_nothing) {
    for (int64_t now = BEGIN_MS; now < BEGIN_MS + 600000; now += 1000) {
        for (int i = 0; i < 100; i++)
            deadline_set(&ring, &many[i], now + 60000);
        assert_int_equal(count_late(now), 0);
    }
    assert_true(ring.looks <= 100 * 11);
}

/* After a pause, as when the machine slept, all are found who became late meanwhile. */
UNIT_TEST(a_long_pause_loses_nobody) {
    for (int i = 0; i < MANY; i++)
        deadline_set(&ring, &many[i], BEGIN_MS + i * 100);
    assert_int_equal(count_late(BEGIN_MS + MANY * 100 / 2), MANY / 2 + 1);
    assert_int_equal(count_late(BEGIN_MS + MANY * 100 + STEP_MS), MANY - MANY / 2 - 1);
}
