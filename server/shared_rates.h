/* Limits that servers share: what was taken from each is told to the others, every tenth of a
 * second, and at once when somebody takes much. Nobody waits for it. */
#pragma once

#include "server/app.h"

enum { SHARED_RATES_BEAT_MS = 100 };

/* Does nothing in a store that nobody else uses. */
void shared_rates_begin(struct app *app);
/* Tells the others now, or only if somebody has taken much. */
void shared_rates_say(struct app *app, bool only_in_a_hurry);
/* True if these words were about limits. */
bool shared_rates_hear(struct app *app, struct span words);
