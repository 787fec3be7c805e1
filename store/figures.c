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

static void put_or_null(struct json *json, const char *key, struct span value) {
    if (value.length > 0)
        json_put_span(json, key, value);
    else
        json_put_null(json, key);
}

static void put_other(struct json *json, const struct store_seat *seat, bool partner) {
    bool bot = seat->player.length == 0;
    json_put_object(json, NULL);
    put_or_null(json, "playerId", seat->player);
    json_put_span(json, "name", seat->name);
    json_put_bool(json, "partner", partner);
    put_or_null(json, "bot", bot ? seat->level : (struct span){0});
    json_put_end(json);
}

struct span others_json(const struct store_seat *seats, size_t count, size_t seat,
                        struct arena *arena) {
    size_t size = 4 + count * (6 * (STORE_NAME_MAX + STORE_ID_MAX + STORE_WORD_MAX) + 64);
    char *buffer = arena_take(arena, size);
    struct json json;
    json_begin(&json, buffer, size);
    json_put_array(&json, NULL);
    for (size_t i = 0; i < count; i++)
        if (i != seat)
            put_other(&json, &seats[i], seats[i].side == seats[seat].side);
    json_put_end(&json);
    ensure(json_complete(&json));
    return (struct span){buffer, json.text.length};
}
