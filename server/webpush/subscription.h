/* A device that somebody wants to be called on: where and how to reach it, for what, and when not.
 * As JSON it comes from the page, and the same stands in the store, a note of the person. */
#pragma once

#include "engine/refusal.h"
#include "server/net/secrets.h"
#include "server/webpush/post.h"
#include "store/store.h"
#include <jansson.h>

enum {
    SUBSCRIPTION_FRIENDS_MAX = 50,
    SUBSCRIPTION_TURN_MS_MIN = 5000,
    SUBSCRIPTION_TURN_MS_MAX = 86400000,
    SUBSCRIPTION_DAY = 1440, /* minutes */
    SUBSCRIPTION_NAME_SIZE = 24
};

struct subscription {
    char endpoint[WEBPUSH_ENDPOINT_MAX + 1];
    struct webpush_reader reader;
    int64_t turn_ms; /* how long somebody may be away at their turn; 0: not to be called then */
    int quiet_from, quiet_to; /* minutes of the day in UTC; the same: there is no such time */
    /* Who may call to a table: hashes of their ids, which have the length of an id. */
    char friends[SUBSCRIPTION_FRIENDS_MAX][SECRETS_PLAYER_ID_SIZE];
    int friend_count;
    char device[SECRETS_DEVICE_ID_SIZE]; /* whose it is; only in the store */
};

/* `{endpoint, keys: {p256dh, auth}, turnMs?, quiet?: {from, to}, friends?: [id]}`; in the store
 * there is `device` as well. */
bool subscription_read(const json_t *from, bool anywhere, struct subscription *out,
                       struct refusal *why);
/* The same of a note's text. */
bool subscription_read_note(struct span text, bool anywhere, struct subscription *out);
/* False if it has no room. */
bool subscription_write(const struct subscription *from, struct text *out);
/* What its note is called. */
void subscription_name(struct span endpoint, char out[SUBSCRIPTION_NAME_SIZE]);

bool subscription_is_quiet(const struct subscription *subscription, int64_t now_ms);
bool subscription_knows(const struct subscription *subscription, const char *id);
