/* See desk.h. What every module exports is here as well. */
#include "web/wasm/desk.h"

#include "world/world.h"

enum { INPUT_SIZE = WORLD_LINE_SIZE };

static char input[DESK_FILE_SIZE];
char desk_output[DESK_OUTPUT_SIZE];

char *desk_export_input(void) EXPORT(input);
char *desk_export_input(void) {
    return input;
}

uint32_t desk_export_room(void) EXPORT(room);
uint32_t desk_export_room(void) {
    return INPUT_SIZE;
}

uint32_t desk_export_file_room(void) EXPORT(file_room);
uint32_t desk_export_file_room(void) {
    return DESK_FILE_SIZE;
}

const char *desk_export_output(void) EXPORT(output);
const char *desk_export_output(void) {
    return desk_output;
}

struct span desk_input(uint32_t length) {
    return (struct span){input, length < INPUT_SIZE ? length : INPUT_SIZE};
}

struct span desk_file(uint32_t length) {
    return (struct span){input, length < DESK_FILE_SIZE ? length : DESK_FILE_SIZE};
}

void desk_begin(struct json *json) {
    json_begin(json, desk_output, sizeof desk_output);
}

void desk_refuse(const struct refusal *why) {
    struct json json;
    desk_begin(&json);
    json_put_object(&json, NULL);
    json_put_string(&json, "error", why->text);
    json_put_string(&json, "code", why->code);
    json_put_end(&json);
}

/* Everything that can be played here, with all options, and what every table has. */
void desk_export_games(void) EXPORT(games);
void desk_export_games(void) {
    struct json json;
    desk_begin(&json);
    world_registry_json(NULL, &json);
}
