/* What the fuzzers of the server call. Whatever comes in: no crash, a refusal that can be read,
 * words that are one line, and values in the form that is promised. */
#include "tests/fuzz/fuzz_server.h"
#include "server/channels/channel_names.h"
#include "server/channels/envelope.h"
#include "server/net/encoding.h"
#include "server/net/secrets.h"

#include "engine/ensure.h"
#include "engine/json_tree.h"
#include "games/registry.h"
#include "server/api/actions.h"
#include "server/ops/config.h"
#include "server/rooms/names.h"
#include <string.h>

static void is_readable(const struct refusal *why) {
    ensure(why->code && why->text[0] != '\0');
}

/* ---- Actions ---- */

static void start_world(struct world *world, uint8_t choice) {
    static const uint8_t seed[CHANCE_SEED_SIZE] = {0};
    static struct world_news news;
    const char *game = registry_games[choice % registry_count]->id;
    struct world_birth birth = {span_of("K7M2QX"), span_of(game), span_of("ann"),
                                span_of("Ann"),    seed,          seed};
    struct world_action start = {span_of("ann"), span_of("start"), 0};
    struct world_action join = {span_of("bob"), span_of("join Bob"), 0};
    ensure(world_create(world, 1000, &world_times_usual, &birth, &news, NULL));
    world_act(world, 1000, &join, &news, NULL);
    if (choice >= 128 && world_act(world, 1000, &start, &news, NULL) == WORLD_DONE)
        world_tick(world, 100000, &news);
}

static void act(struct world *world, struct span words) {
    static struct world_news news;
    struct refusal why = {0};
    struct world_action action = {span_of("ann"), words, 0};
    for (size_t i = 0; i < words.length; i++)
        ensure((unsigned char)words.data[i] >= ' ' && words.data[i] != 0x7f);
    if (world_act(world, 200000, &action, &news, &why) == WORLD_REFUSED)
        is_readable(&why);
}

static void read_action(struct world *world, struct span line) {
    char buffer[ACTIONS_WORDS_SIZE];
    struct text words;
    struct refusal why = {0};
    struct span ignored;
    text_begin(&words, buffer, sizeof buffer);
    json_t *body = json_loadb(line.data, line.length, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    bool is_route = line.length > 0 && line.data[0] == '/';
    bool read = is_route ? actions_read_address(world, span_of("ann"), line, &words, &why)
                         : actions_read(world, body, &words, &why);
    if (read)
        act(world, (struct span){buffer, words.length});
    else
        is_readable(&why);
    if (!actions_room_code(body, &ignored, &why) || !actions_action_id(body, &ignored, &why))
        is_readable(&why);
    json_decref(body);
}

void fuzz_actions(const uint8_t *data, size_t size) {
    static struct world world;
    if (size == 0)
        return;
    start_world(&world, data[0]);
    const char *at = (const char *)data + 1, *end = (const char *)data + size;
    while (at < end) {
        const char *line = at;
        while (at < end && *at != '\n')
            at++;
        read_action(&world, (struct span){line, (size_t)(at - line)});
        at++;
    }
}

/* ---- Configurations ---- */

void fuzz_config(const uint8_t *data, size_t size) {
    struct server_config config;
    struct refusal why = {0};
    char host[CONFIG_HOST_SIZE];
    int port;
    config_default(&config);
    if (!config_read_text(&config, "fuzz.conf", (struct span){(const char *)data, size}, &why))
        is_readable(&why);
    ensure(config_listen(span_of(config.listen), host, &port));
    ensure(port >= 0 && port <= 65535);
    ensure(config.body_max >= 1024 && config.connections_max > 0 && config.away_ms <= INT32_MAX);
    ensure(memchr(config.web, 0, sizeof config.web) &&
           memchr(config.store, 0, sizeof config.store));
}

/* ---- The wire ---- */

static void wrap(struct span in) {
    static char buffer[1 << 17];
    struct text out;
    struct span whole = {buffer, 0};
    text_begin(&out, buffer, sizeof buffer);
    envelope_put("event", "channel", in, &out);
    if (out.cut)
        return;
    whole.length = out.length;
    for (size_t i = 0; i < whole.length; i++)
        ensure((unsigned char)whole.data[i] >= ' ');
}

void fuzz_wire(const uint8_t *data, size_t size) {
    char buffer[256];
    uint8_t hash[SECRETS_HASH_SIZE];
    struct text out;
    struct span in = {(const char *)data, size}, value;
    text_begin(&out, buffer, sizeof buffer);
    if (encoding_field(in, "socket_id", &out))
        channel_is_socket_id((struct span){buffer, out.length});
    text_begin(&out, buffer, sizeof buffer);
    if (encoding_field(in, "channel_name", &out))
        ensure(strlen(buffer) == out.length);
    text_begin(&out, buffer, sizeof buffer);
    if (encoding_decode_path(encoding_path(in), &out))
        ensure(strlen(buffer) == out.length && out.length <= size);
    if (encoding_cookie(in, "oyster_session", &value)) {
        ensure(value.data >= in.data && value.data + value.length <= in.data + in.length);
        secrets_hash_token(value, hash);
    }
    channel_is_name(in);
    wrap(in);
}

/* ---- Names ---- */

/* A name that was accepted is accepted again, unchanged. */
void fuzz_names(const uint8_t *data, size_t size) {
    char name[NAME_SIZE], again[NAME_SIZE];
    char said[4 * TEXT_CHARACTERS_MAX + 1], said_again[4 * TEXT_CHARACTERS_MAX + 1];
    struct refusal why = {0};
    struct span in = {(const char *)data, size};
    if (names_normalise(in, name, &why))
        ensure(names_normalise(span_of(name), again, &why) && strcmp(name, again) == 0);
    else
        is_readable(&why);
    if (names_clean_text(in, said, sizeof said, TEXT_CHARACTERS_MAX, &why))
        ensure(names_clean_text(span_of(said), said_again, sizeof said_again, TEXT_CHARACTERS_MAX,
                                &why) &&
               strcmp(said, said_again) == 0);
    else
        is_readable(&why);
}

/* ---- JSON ---- */

static bool same_json(const struct json_node *node, const json_t *json);

static bool same_items(const struct json_node *node, json_t *json) {
    const char *key;
    json_t *value;
    size_t index;
    bool same = true;
    if (json_is_array(json)) {
        json_array_foreach(json, index, value) {
            same = same && same_json(json_node_item(node, index), value);
        }
        return same && json_node_count(node) == json_array_size(json);
    }
    json_object_foreach(json, key, value) {
        same = same && same_json(json_node_find(node, key), value);
    }
    return same && node->length == json_object_size(json);
}

static bool same_string(const struct json_node *node, const json_t *json) {
    static char buffer[1 << 16];
    struct text text;
    text_begin(&text, buffer, sizeof buffer);
    json_node_print(node, &text);
    return (text.cut || strcmp(buffer, json_string_value(json)) == 0) &&
           json_node_is(node, json_string_value(json));
}

static bool same_json(const struct json_node *node, const json_t *json) {
    static const uint8_t kinds[] = {
        [JSON_OBJECT] = NODE_OBJECT, [JSON_ARRAY] = NODE_LIST, [JSON_STRING] = NODE_STRING,
        [JSON_INTEGER] = NODE_WHOLE, [JSON_REAL] = NODE_REAL,  [JSON_TRUE] = NODE_BOOL,
        [JSON_FALSE] = NODE_BOOL,    [JSON_NULL] = NODE_NULL};
    if (!node || node->kind != kinds[json_typeof(json)])
        return false;
    if (node->kind == NODE_OBJECT || node->kind == NODE_LIST)
        return same_items(node, (json_t *)json);
    if (node->kind == NODE_STRING)
        return same_string(node, json);
    return json_node_number(node) == json_integer_value(json) &&
           json_node_is_true(node) == json_is_true(json);
}

/* The two may differ only in what they can hold at all, and Jansson takes a zero byte for the
 * end. */
void fuzz_json(const uint8_t *data, size_t size) {
    enum { ROOM = 1 << 14 };
    static struct json_node nodes[ROOM];
    struct span text = {(const char *)data, size};
    struct refusal why = {0};
    json_error_t error;
    bool read = json_tree_read(text, nodes, ROOM, &why);
    if (!read)
        is_readable(&why);
    if (size > ROOM || memchr(data, 0, size) || encoding_is_too_deep(text, JSON_TREE_DEPTH_MAX))
        return;
    json_t *json = json_loadb(text.data, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    if (json)
        ensure(read ? same_json(nodes, json) : strstr(why.text, "too many") != NULL);
    else
        ensure(!read || strstr(error.text, "real number overflow") != NULL);
    json_decref(json);
}

#ifdef FUZZ_TARGET
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    FUZZ_TARGET(data, size);
    return 0;
}
#endif
