/* See figures.h. */
#include "store/figures.h"

#include "engine/ensure.h"

void figures_put(struct json *json, struct span name, int64_t value) {
    char key[STORE_WORD_MAX + 1];
    struct text text;
    text_begin(&text, key, sizeof key);
    text_span(&text, name);
    json_put_number(json, key, value);
}

struct span figures_json(const struct span *names, size_t count, const int32_t *values,
                         struct arena *arena) {
    size_t size = 4 + count * (6 * STORE_WORD_MAX + 16); /* a byte may be escaped with six */
    char *buffer = arena_take(arena, size);
    struct json json;
    json_begin(&json, buffer, size);
    json_put_object(&json, NULL);
    for (size_t i = 0; i < count; i++)
        figures_put(&json, names[i], values[i]);
    json_put_end(&json);
    ensure(json_complete(&json));
    return (struct span){buffer, json.text.length};
}
