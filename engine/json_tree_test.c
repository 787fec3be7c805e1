/* The JSON reader: what it takes and refuses, what its nodes say, and that it agrees with Jansson
 * about thousands of texts that are nearly JSON. */
#include "engine/chance.h"
#include "engine/json_tree.h"
#include "tests/fuzz/fuzz_server.h"
#include "tests/support.h"

enum { ROOM = 64 };

static struct json_node nodes[ROOM];

static const struct json_node *read(const char *text) {
    struct refusal why = {0};
    if (!json_tree_read(span_of(text), nodes, ROOM, &why))
        fail_msg("%s: %s", why.text, text);
    return nodes;
}

static void refuses(const char *text, const char *what) {
    struct refusal why = {0};
    char expected[REFUSAL_TEXT_SIZE];
    if (json_tree_read(span_of(text), nodes, ROOM, &why))
        fail_msg("accepted: %s", text);
    snprintf(expected, sizeof expected, "Not JSON, line %s", what);
    assert_string_equal(why.text, expected);
    assert_string_equal(why.code, "BAD_JSON");
}

static const char *print(const struct json_node *node) {
    static char buffer[64];
    struct text text = text_in(buffer, sizeof buffer);
    json_node_print(node, &text);
    return buffer;
}

UNIT_TEST(no_text_is_refused) {
    struct refusal why = {0};
    assert_false(json_tree_read((struct span){NULL, 0}, nodes, ROOM, &why));
    assert_string_equal(why.code, "BAD_JSON");
}

UNIT_TEST(nodes_say_what_stands_there) {
    const struct json_node *root = read(" {\"a\": [1, -20, {\"b\": {}}, [] ], \"c\": true,\n"
                                        "\"d\":null, \"e\" : 1.5e+3, \"f\":\"x\"}\t\r\n");
    assert_true(json_node_has_kind(root, NODE_OBJECT));
    assert_int_equal(root->length, 5);
    const struct json_node *list = json_node_find(root, "a");
    assert_int_equal(json_node_count(list), 4);
    assert_int_equal(json_node_number(json_node_item(list, 0)), 1);
    assert_int_equal(json_node_number(json_node_item(list, 1)), -20);
    assert_true(json_node_has_kind(json_node_find(json_node_item(list, 2), "b"), NODE_OBJECT));
    assert_int_equal(json_node_count(json_node_item(list, 3)), 0);
    assert_null(json_node_item(list, 4));
    assert_null(json_node_first(json_node_item(list, 3)));
    assert_true(json_node_is_true(json_node_find(root, "c")));
    assert_true(json_node_has_kind(json_node_find(root, "d"), NODE_NULL));
    assert_true(json_node_has_kind(json_node_find(root, "e"), NODE_REAL));
    assert_int_equal(json_node_number(json_node_find(root, "e")), 0);
    assert_true(json_node_is(json_node_find(root, "f"), "x"));
    assert_false(json_node_is(json_node_find(root, "f"), "xy"));
    assert_false(json_node_is(json_node_find(root, "f"), ""));
    assert_null(json_node_find(root, "b"));
    assert_null(json_node_find(list, "a"));
    assert_null(json_node_find(NULL, "a"));
    assert_int_equal(json_node_count(NULL), 0);
}

UNIT_TEST(strings_are_decoded) {
    assert_string_equal(print(read("\"Zo\\u00eb \\ud83c\\udccf \\\"\\/\\\\ \u00eb\"")),
                        "Zo\u00eb \U0001f0cf \"/\\ \u00eb");
    assert_string_equal(print(read("\"\\b\\f\\n\\r\\t\"")), "\b\f\n\r\t");
    assert_true(json_node_is(read("\"pl\\u0061ying\""), "playing"));
    assert_int_equal(json_node_number(json_node_find(read("{\"ro\\u0075nd\":7}"), "round")), 7);
    char few[6];
    struct text text = text_in(few, sizeof few);
    json_node_print(read("\"abcd\\u00ebf\""), &text); /* a character is never cut in two */
    assert_string_equal(few, "abcd");
    assert_true(text.cut);
}

UNIT_TEST(numbers_have_64_bits) {
    assert_true(json_node_number(read("9223372036854775807")) == INT64_MAX);
    assert_true(json_node_number(read("-9223372036854775808")) == INT64_MIN);
    assert_int_equal(json_node_number(read("-0")), 0);
    refuses("9223372036854775808", "1: a number is too large");
    refuses("-9223372036854775809", "1: a number is too large");
    refuses("100000000000000000000", "1: a number is too large");
}

UNIT_TEST(what_is_no_json_is_refused) {
    refuses("", "1: a value is missing");
    refuses("\n\n{\"a\":\n", "4: a value is missing");
    refuses("[1,]", "1: a value is missing");
    refuses("[1 2]", "1: a comma or an end is missing");
    refuses("[1}", "1: a comma or an end is missing");
    refuses("{\"a\" 1}", "1: a colon is missing");
    refuses("{a:1}", "1: a key is missing");
    refuses("{\"a\":1,}", "1: a key is missing");
    refuses("{\"a\":1,\"\\u0061\":2}", "1: a key stands twice");
    refuses("[1] x", "1: something follows the end");
    refuses("01", "1: something follows the end");
    refuses("1.", "1: a number ends with its point");
    refuses("1e", "1: a number has no exponent");
    refuses("nul", "1: a value is missing");
    refuses("\"abc", "1: a string does not end");
    refuses("\"abc\\", "1: a string holds what it must not");
    refuses("\"\t\"", "1: a string holds what it must not");
    refuses("\"\\x\"", "1: a string holds what it must not");
    refuses("\"\\u0000\"", "1: a string holds what it must not");
    refuses("\"\\ud800\"", "1: a string holds what it must not");
    refuses("\"\xff\"", "1: a string holds what it must not");
}

UNIT_TEST(everything_is_bounded) {
    char text[8 * (JSON_TREE_KEYS_MAX + 2)];
    read("[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]");
    refuses("[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]", "1: it is nested too deep");
    memset(text, '[', sizeof text);
    for (int i = 1; i < 2 * ROOM; i++)
        text[i] = i % 2 == 1 ? '1' : ',';
    memcpy(text + 2 * ROOM, "]", 2);
    refuses(text, "1: there are too many values");
    struct text many = text_in(text, sizeof text);
    for (int i = 0; i <= JSON_TREE_KEYS_MAX; i++) {
        text_string(&many, i == 0 ? "{\"" : ",\"");
        text_number(&many, i);
        text_string(&many, "\":1");
    }
    static struct json_node enough[4 * JSON_TREE_KEYS_MAX];
    struct refusal why = {0};
    text_char(&many, '}');
    assert_false(json_tree_read(span_of(text), enough, 4 * JSON_TREE_KEYS_MAX, &why));
    assert_string_equal(why.text, "Not JSON, line 1: an object has too many keys");
}

/* The property that fuzz_json checks, for texts that differ from JSON in few places. */
UNIT_TEST(jansson_agrees) {
    static const char *const texts[] = {
        "{\"a\":[1,-2.5e3,{\"b\":null},[],\"x\\u00eb\\ud83c\\udccf\"],\"c\":true,\"d\":false}",
        "[[1,2],[3,[4]],{\"k\":{\"k\":{\"k\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"}}}]",
        "[0,-0,0.0,1E5,9223372036854775807]", "\"Zo\xc3\xab \xf0\x9f\x83\x8f\"",
        " {\"version\" : \"1.0\" , \"players\" : [ { } , [ ] ] } "};
    static const char letters[] = "{}[]\",:0123456789.eE+-\\u/bfnrtals \n\xc3\xab\xf0\x9f\x01";
    struct chance chance;
    chance_start_number(&chance, 17, 4);
    for (int i = 0; i < 60000; i++) {
        char text[256];
        size_t size = strlen(texts[i % 4]);
        memcpy(text, texts[i % 4], size);
        for (uint32_t j = chance_below(&chance, 4); j > 0; j--) {
            size_t at = chance_below(&chance, (uint32_t)size);
            if (chance_below(&chance, 3) == 0)
                memmove(text + at, text + at + 1, --size - at);
            else
                text[at] = letters[chance_below(&chance, sizeof letters - 1)];
        }
        fuzz_json((const uint8_t *)text, size);
    }
}
