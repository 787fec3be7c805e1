/* Who is asking. The store knows tokens by their hash; those used lately are also kept here. */
#ifndef SERVER_API_SESSIONS_H
#define SERVER_API_SESSIONS_H

#include "server/net/secrets.h"
#include "server/rooms/names.h"
#include "store/store.h"

struct sessions;

struct session {
    char id[SECRETS_PLAYER_ID_SIZE];
    char name[NAME_SIZE];
    int64_t seen_ms; /* as the store has it */
};

struct sessions *sessions_open(struct store *store, size_t max);
void sessions_free(struct sessions *sessions);

/* The session is null with a refusal if there is none (401) or the store fails (503). May be called
 * before the function returns. */
typedef void sessions_found(void *arg, const struct session *session, const struct refusal *why);
void sessions_find(struct sessions *sessions, struct span token, sessions_found *found, void *arg);

/* A new person; `token` is theirs alone. */
bool sessions_add(struct sessions *sessions, const char *name, int64_t now_ms,
                  char token[SECRETS_TOKEN_SIZE], sessions_found *found, void *arg,
                  struct refusal *why);

bool sessions_rename(struct sessions *sessions, struct span token, const struct session *session,
                     const char *name, int64_t now_ms, sessions_found *found, void *arg,
                     struct refusal *why);

/* Somebody is here. The store is told at most once an hour. */
void sessions_seen(struct sessions *sessions, const struct session *session, int64_t now_ms);

/* Another token for this person; the one before is worth nothing from then on. */
bool sessions_renew(struct sessions *sessions, const struct session *session,
                    char token[SECRETS_TOKEN_SIZE], sessions_found *found, void *arg,
                    struct refusal *why);

/* While somebody is being erased, their token opens nothing here. */
void sessions_bar(struct sessions *sessions, const char *id, bool on);

/* Somebody was renamed at another server, so the store has to be asked again. */
void sessions_forget(struct sessions *sessions, struct span id);

#endif
