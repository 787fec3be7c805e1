/* Calls people who are away, on the devices that they chose: it is their turn, or somebody whom
 * they know has opened a table. The server's key is made at the first start and kept in the store,
 * the same for all servers that share it; subscriptions are notes of people (subscription.h). */
#pragma once

#include "server/channels/pusher.h"
#include "server/webpush/subscription.h"
#include "world/world.h"

struct webpush;

enum webpush_kind { WEBPUSH_TURN, WEBPUSH_TABLE };

/* Whom to call, and why. */
struct webpush_message {
    enum webpush_kind kind;
    char player[SECRETS_PLAYER_ID_SIZE];
    char code[WORLD_CODE_LENGTH + 1], game[STORE_WORD_MAX + 1];
    /* Of a turn: how long the person has been away at it, and the longest that anybody waits, since
     * a bot plays then. */
    int64_t away_ms, longest_ms;
    /* Of a table: who asks, and with what one comes in. */
    char from[SECRETS_PLAYER_ID_SIZE], name[STORE_NAME_MAX + 1];
    char invitation[WORLD_INVITATION_SIZE];
};

struct webpush_config {
    uv_loop_t *loop;
    struct store *store;
    int64_t (*now_ms)(void *arg);
    /* A turn that is to be looked at again when somebody has been away for so long. */
    void (*later)(void *arg, const struct webpush_message *message, int64_t away_ms);
    /* Somebody whom the person knows calls them to a table. Do they want to hear that now? Nobody
     * else is counted, so that strangers cannot keep a person's friends from being heard. */
    bool (*may_call)(void *arg, const char *player);
    void *arg;
    bool anywhere; /* see webpush_post_config */
    const char *certificates, *contact;
};

struct webpush_figures {
    uint64_t sent, failed, dropped; /* dropped: too many waited */
    uint64_t gone;                  /* subscriptions that a service no longer knew */
};

/* Null if a thread or memory is missing. */
struct webpush *webpush_open(const struct webpush_config *config);
/* The public key as browsers want it; null as long as the store has not told it. */
const char *webpush_key(const struct webpush *webpush);
/* Calls the person on every device that wants to be called for this now. */
void webpush_call(struct webpush *webpush, const struct webpush_message *message);
/* The person is no longer to be called where the sockets of these devices close. */
void webpush_forget(struct webpush *webpush, const char *player, enum send_away which,
                    const char *device);
struct webpush_figures webpush_figures(const struct webpush *webpush);

void webpush_stop(struct webpush *webpush);
void webpush_free(struct webpush *webpush); /* after the loop and the store have ended */
