/* What people call themselves and say, made fit to be shown to others: one form for each text
 * (NFC), nothing invisible, nothing that turns the direction of what stands beside it. */
#pragma once

#include "world/world.h"

enum {
    NAME_CHARACTERS_MAX = WORLD_NAME_MAX,
    NAME_SIZE = RECORD_NAME_MAX + 1,
    TEXT_CHARACTERS_MAX = WORLD_SAY_MAX
};

/* A name of 1 to NAME_CHARACTERS_MAX characters, of which one at least can be seen. Blanks of any
 * kind become plain single ones, and none stand at the ends; `"`, which records cannot hold,
 * becomes the closing quotation mark. Characters that nobody sees or that have no meaning of their
 * own are refused, and so is what bots are called. A result passes again unchanged. */
bool names_normalise(struct span in, char out[NAME_SIZE], struct refusal *why);

/* Do two names look the same: in either case, with other scripts' letters or digits drawn alike? */
bool names_look_alike(struct span one, struct span other);

/* What a person is called in a world: by their name, or with a number after it if somebody else
 * there has one that looks like it. */
void names_in_world(const struct world *world, struct span id, struct span name,
                    char out[NAME_SIZE]);

/* Something to say, of 1 to `characters_max` (at most TEXT_CHARACTERS_MAX) characters in one line.
 * What a name would be refused for is left out, except for characters that join emoji or Persian
 * letters. `size` is that of `out`. */
bool names_clean_text(struct span in, char *out, size_t size, size_t characters_max,
                      struct refusal *why);
