/* Who is asking. The store knows tokens by their hash; those used lately are also kept here. */
#pragma once

#include "server/net/secrets.h"
#include "server/rooms/names.h"
#include "store/store.h"

struct sessions;

enum { SESSIONS_DEVICES_MAX = 10 }; /* of one person */

struct session {
    char id[SECRETS_PLAYER_ID_SIZE];
    char name[NAME_SIZE];
    int64_t seen_ms; /* as the store has it: of this device or the person, the older of both */
    uint8_t token_hash[SECRETS_HASH_SIZE];
    char device[SECRETS_DEVICE_ID_SIZE];
};

struct sessions *sessions_open(struct store *store, size_t max);
void sessions_free(struct sessions *sessions);

/* The session is null with a refusal if there is none (401) or the store fails (503). May be called
 * before the function returns. */
typedef void sessions_found(void *arg, const struct session *session, const struct refusal *why);
void sessions_find(struct sessions *sessions, struct span token, sessions_found *found, void *arg);

/* A new person; `token` is theirs alone. `device` says what it is used on. */
bool sessions_add(struct sessions *sessions, const char *name, struct span device, int64_t now_ms,
                  char token[SECRETS_TOKEN_SIZE], sessions_found *found, void *arg,
                  struct refusal *why);

bool sessions_rename(struct sessions *sessions, const struct session *session, const char *name,
                     int64_t now_ms, sessions_found *found, void *arg, struct refusal *why);

/* Somebody is here. The store is told at most once an hour. */
void sessions_seen(struct sessions *sessions, const struct session *session, int64_t now_ms);

/* Another token for this person; all before are worth nothing from then on. */
bool sessions_renew(struct sessions *sessions, const struct session *session, struct span device,
                    int64_t now_ms, char token[SECRETS_TOKEN_SIZE], sessions_found *found,
                    void *arg, struct refusal *why);

/* Tokens of the person are worth nothing from then on: one, all but one, or all. */
bool sessions_log_out(struct sessions *sessions, const struct session *session,
                      enum store_drop which, const uint8_t *token_hash, sessions_found *found,
                      void *arg, struct refusal *why);

/* A link by which one more device may become this person's, once and until then; links before it
 * are worth nothing from then on. */
bool sessions_link(struct sessions *sessions, const struct session *session, int64_t now_ms,
                   int64_t until_ms, char link[SECRETS_LINK_SIZE], sessions_found *found, void *arg,
                   struct refusal *why);
/* Makes a token of such a link. */
bool sessions_claim(struct sessions *sessions, struct span link, struct span device, int64_t now_ms,
                    char token[SECRETS_TOKEN_SIZE], sessions_found *found, void *arg,
                    struct refusal *why);

/* While somebody is being erased, their token opens nothing here. */
void sessions_bar(struct sessions *sessions, const char *id, bool on);

/* Somebody was renamed or logged out, perhaps at another server, so the store has to be asked
 * again; the same of everybody. */
void sessions_forget(struct sessions *sessions, struct span id);
void sessions_forget_all(struct sessions *sessions);
