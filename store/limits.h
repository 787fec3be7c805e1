/* What the store accepts at all. Each check refuses with the reason: TOO_LARGE for what is too
 * much, BAD_REQUEST for what is missing or malformed. */
#pragma once

#include "store/store.h"

/* The text must have between `min` and `max` bytes, none of them zero. `what` begins the sentence
 * of the refusal. */
bool limits_text(struct span text, size_t min, size_t max, const char *what, struct refusal *why);

bool limits_code(struct span code, struct refusal *why);
bool limits_id(struct span id, struct refusal *why);

/* The number must not be negative. */
bool limits_number(int64_t number, const char *what, struct refusal *why);

/* How many worlds a reply may list. */
bool limits_page(size_t max, struct refusal *why);

/* Lines of devices. */
bool limits_devices(struct span devices, struct refusal *why);
bool limits_player(const struct store_player *player, struct refusal *why);
bool limits_note(const struct store_note *note, struct refusal *why);
bool limits_records(const struct store_record *records, size_t count, struct refusal *why);
bool limits_rewrite(const struct store_rewrite *rewrite, struct refusal *why);
bool limits_append(const struct store_append *append, struct refusal *why);
