/* What may happen again and again is told once a minute. */
#include "server/ops/log.h"
#include "tests/support.h"

UNIT_TEST(what_is_repeated_is_told_once_a_minute_with_its_number) {
    struct log_silence silence = {0};
    int64_t count;
    assert_true(log_is_due(&silence, 1000, &count));
    assert_int_equal(count, 1);
    for (int64_t now = 1000; now < 1000 + LOG_SILENCE_MS; now += 100)
        assert_false(log_is_due(&silence, now, &count));
    assert_true(log_is_due(&silence, 1000 + LOG_SILENCE_MS, &count));
    assert_int_equal(count, LOG_SILENCE_MS / 100 + 1);
    assert_false(log_is_due(&silence, 1001 + LOG_SILENCE_MS, &count));
    assert_true(log_is_due(&silence, 1000000, &count)); /* after a long peace, at once */
    assert_int_equal(count, 2);
}
