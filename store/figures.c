/* See figures.h. */
#include "store/figures.h"

#include "engine/ensure.h"
#include "engine/json.h"

struct span figures_json(const struct span *names, size_t count, const int32_t *values,
                         struct arena *arena) {
    size_t size = 4 + count * (6 * STORE_WORD_MAX + 16); /* a byte may be escaped with six */
    char *buffer = arena_take(arena, size);
    struct json json;
    json_begin(&json, buffer, size);
    json_put_object(&json, NULL);
    for (size_t i = 0; i < count; i++) {
        char name[STORE_WORD_MAX + 1];
        struct text text;
        text_begin(&text, name, sizeof name);
        text_span(&text, names[i]);
        json_put_number(&json, name, values[i]);
    }
    json_put_end(&json);
    ensure(json_complete(&json));
    return (struct span){buffer, json.text.length};
}
