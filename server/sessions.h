/* Who is asking. Tokens are known to the store by their hash; those seen lately also here. */
#ifndef SERVER_SESSIONS_H
#define SERVER_SESSIONS_H

#include "server/names.h"
#include "server/wire.h"
#include "store/store.h"

struct sessions;

struct session {
    char id[WIRE_PLAYER_ID_SIZE];
    char name[NAME_SIZE];
};

struct sessions *sessions_open(struct store *store, size_t max);
void sessions_free(struct sessions *sessions);

/* Null with a refusal: no such session (401), or the store fails (503). May be called at once. */
typedef void sessions_found(void *arg, const struct session *session, const struct refusal *why);
void sessions_find(struct sessions *sessions, struct span token, sessions_found *found, void *arg);

/* A new person; `token` is theirs alone. */
bool sessions_add(struct sessions *sessions, const char *name, int64_t now_ms,
                  char token[WIRE_TOKEN_SIZE], sessions_found *found, void *arg,
                  struct refusal *why);

bool sessions_rename(struct sessions *sessions, struct span token, const struct session *session,
                     const char *name, int64_t now_ms, sessions_found *found, void *arg,
                     struct refusal *why);

/* Somebody was renamed elsewhere: the store knows better. */
void sessions_forget(struct sessions *sessions, struct span id);

#endif
