/* Where the page and a module meet: text goes in through `input`, answers come out as
 * zero-terminated text in `output`. */
#pragma once

#include "engine/json.h"
#include "engine/refusal.h"

#define EXPORT(name) __attribute__((export_name(#name)))

enum { DESK_OUTPUT_SIZE = 1 << 18, DESK_FILE_SIZE = (1 << 20) + 1024 };

extern char desk_output[DESK_OUTPUT_SIZE];

/* The `length` bytes that the page has written, cut to the room there is. A file may be much longer
 * than anything else. */
struct span desk_input(uint32_t length);
struct span desk_file(uint32_t length);

void desk_begin(struct json *json);

/* {"error", "code"} */
void desk_refuse(const struct refusal *why);
