/* `main` of the test programs that write their tests as UNIT_TEST(name) or TABLE_TEST(name), see
 * support.h. */
#include "tests/support.h"

enum { TESTS_MAX = 256 };

static struct CMUnitTest tests[TESTS_MAX];
static size_t test_count;

void test_add(const char *name, void (*run)(void **unused)) {
    if (test_count < TESTS_MAX)
        tests[test_count] = (struct CMUnitTest){.name = name, .test_func = run};
    test_count++;
}

int main(void) {
    if (test_count > TESTS_MAX)
        return 1;
    return _cmocka_run_group_tests("tests", tests, test_count, NULL, NULL);
}
