/* `main` of the test programs that write their tests as UNIT_TEST(name) or TABLE_TEST(name), see
 * support.h. */
#include "tests/support.h"

enum { TESTS_MAX = 256 };

static struct CMUnitTest tests[TESTS_MAX];
static size_t test_count;
int (*test_before_each)(void **unused), (*test_after_each)(void **unused);

void test_add(const char *name, void (*run)(void **unused)) {
    if (test_count < TESTS_MAX)
        tests[test_count] = (struct CMUnitTest){.name = name, .test_func = run};
    test_count++;
}

int main(void) {
    if (test_count > TESTS_MAX)
        return 1;
    for (size_t i = 0; i < test_count; i++) {
        tests[i].setup_func = test_before_each;
        tests[i].teardown_func = test_after_each;
    }
    return _cmocka_run_group_tests("tests", tests, test_count, NULL, NULL);
}
