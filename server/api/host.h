/* What the host decided: addresses that are not served, and words to everybody. All servers that
 * share a store are told; nothing of it outlives a restart. */
#pragma once

#include "server/app.h"

enum {
    HOST_BANS_MAX = 256, /* addresses at a time */
    HOST_BAN_HOURS_MAX = 24 * 30,
    HOST_MESSAGE_MAX = 500, /* bytes */
    HOST_PARTS_MAX = 16,    /* of a store */
};

struct host_ban {
    char block[RATES_BLOCK_SIZE]; /* what counts as one address */
    int64_t until_ms;
};

/* Serves nobody from there until then, at all servers; a time that has come ends it. */
bool host_ban(struct app *app, struct span address, int64_t until_ms, struct refusal *why);
bool host_is_banned(struct app *app, struct span address);
void host_put_bans(const struct app *app, struct json *json);

/* Tells everybody who has a socket, at all servers. */
void host_announce(struct app *app, struct span text);

/* Takes what another server said, if it is about this. */
bool host_hear(struct app *app, struct span text);
