/* The fuzz entry points of the server's parsers; corpus/NAME holds what they start from. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The first byte picks the game and whether it has started; then bodies of actions, one a line. A
 * line that begins with a slash is a route. */
void fuzz_actions(const uint8_t *data, size_t size);
/* A configuration file. */
void fuzz_config(const uint8_t *data, size_t size);
/* A form's body, a query, a path, a cookie header, an envelope's data: the same bytes as each. */
void fuzz_wire(const uint8_t *data, size_t size);
/* JSON for the engine's reader, which must agree with Jansson. */
void fuzz_json(const uint8_t *data, size_t size);
/* A name, and something said. */
void fuzz_names(const uint8_t *data, size_t size);
