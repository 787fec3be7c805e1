/* Limits that servers share: what was taken with each is told to the others. Every tenth of a
 * second, and at once when somebody takes much; nobody waits for it. */
#ifndef SERVER_SHARES_H
#define SERVER_SHARES_H

#include "server/app.h"

enum { SHARES_BEAT_MS = 100 };

/* Does nothing where nobody else uses the store. */
void shares_begin(struct app *app);
/* Now, or only if there is a hurry. */
void shares_say(struct app *app, bool only_in_a_hurry);
/* True: these words were about limits. */
bool shares_hear(struct app *app, struct span words);

#endif
