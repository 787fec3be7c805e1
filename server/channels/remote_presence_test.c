/* Who is at other servers: lists that replace each other, people at several, silence. */
#include "server/channels/remote_presence.h"
#include "tests/support.h"

#include <stdio.h>
#include <string.h>

static char changes[256];

static void note(void *arg, const char *id, const char *info, bool there) {
    size_t length = strlen(changes);
    snprintf(changes + length, sizeof changes - length, "%s%s%s ", there ? "+" : "-", id, info);
}

static const char *take(struct remote_presence *others, const char *node, const char *list,
                        int64_t now) {
    changes[0] = '\0';
    remote_presence_take(others, span_of(node), span_of(list), now, note, NULL);
    return changes;
}

UNIT_TEST(each_list_replaces_the_one_before) {
    struct remote_presence others = {0};
    assert_string_equal(take(&others, "a", "ann {1}\nbob {2}\n", 10), "+ann{1} +bob{2} ");
    assert_string_equal(take(&others, "a", "ann {1}\nbob {2}\n", 11), "");
    assert_string_equal(take(&others, "a", "bob {2}\ncy {3}\n", 12), "+cy{3} -ann{1} ");
    assert_true(remote_presence_have(&others, "bob"));
    assert_false(remote_presence_have(&others, "ann"));
    remote_presence_free(&others);
}

UNIT_TEST(person_at_two_servers_is_there_once) {
    struct remote_presence others = {0};
    take(&others, "a", "ann {}\n", 10);
    assert_string_equal(take(&others, "b", "ann {}\n", 10), "");
    assert_string_equal(take(&others, "a", "", 11), "");
    assert_string_equal(take(&others, "b", "", 11), "-ann{} ");
    remote_presence_free(&others);
}

UNIT_TEST(silence_is_leaving) {
    struct remote_presence others = {0};
    take(&others, "a", "ann {}\n", 10);
    take(&others, "b", "bob {}\n", 20);
    changes[0] = '\0';
    remote_presence_expire(&others, 20, note, NULL);
    assert_string_equal(changes, "-ann{} ");
    assert_true(remote_presence_have(&others, "bob"));
    remote_presence_free(&others);
}

UNIT_TEST(nonsense_and_crowds_do_no_harm) {
    struct remote_presence others = {0};
    char list[64];
    assert_string_equal(take(&others, "a", "\n\nnospace\n {}\n", 10), "");
    for (int i = 0; i < 1000; i++) {
        snprintf(list, sizeof list, "p%d {}\n", i);
        char node[16];
        snprintf(node, sizeof node, "n%d", i);
        take(&others, node, list, 10);
    }
    assert_true(others.count <= 256);
    remote_presence_free(&others);
}
