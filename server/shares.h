/* Limits that servers share: what was taken from each is told to the others, every tenth of a
 * second, and at once when somebody takes much. Nobody waits for it. */
#ifndef SERVER_SHARES_H
#define SERVER_SHARES_H

#include "server/app.h"

enum { SHARES_BEAT_MS = 100 };

/* Does nothing in a store that nobody else uses. */
void shares_begin(struct app *app);
/* Tells the others now, or only if somebody has taken much. */
void shares_say(struct app *app, bool only_in_a_hurry);
/* True if these words were about limits. */
bool shares_hear(struct app *app, struct span words);

#endif
