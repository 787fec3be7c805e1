/* See sessions.h. uthash keeps its items in the order in which they were added: the first is the
 * oldest. */
#include "server/api/sessions.h"
#include "server/net/secrets.h"

#include "engine/ensure.h"
#include "store/hash.h"
#include <stdlib.h>
#include <string.h>

struct known {
    uint8_t hash[SECRETS_HASH_SIZE];
    struct session session;
    UT_hash_handle hh, by_id;
};

struct barred {
    char id[SECRETS_PLAYER_ID_SIZE];
    UT_hash_handle hh;
};

struct sessions {
    struct store *store;
    struct barred *barred; /* by id */
    struct known *all;     /* by the hash of the token */
    struct known *by_id;   /* the same */
    size_t max;
};

struct search {
    struct sessions *sessions;
    uint8_t hash[SECRETS_HASH_SIZE];
    struct session session; /* of one that is made or renamed */
    sessions_found *found;
    void *arg;
};

struct sessions *sessions_open(struct store *store, size_t max) {
    struct sessions *sessions = reserve_calloc(1, sizeof *sessions);
    sessions->store = store;
    sessions->max = max;
    return sessions;
}

static void forget(struct sessions *sessions, struct known *known) {
    HASH_DEL(sessions->all, known);
    HASH_DELETE(by_id, sessions->by_id, known);
    free(known);
}

void sessions_free(struct sessions *sessions) {
    struct known *known, *next;
    HASH_ITER(hh, sessions->all, known, next)
    forget(sessions, known);
    while (sessions->barred)
        sessions_bar(sessions, sessions->barred->id, false);
    free(sessions);
}

static void remember(struct sessions *sessions, const uint8_t *hash,
                     const struct session *session) {
    struct known *known;
    HASH_FIND(hh, sessions->all, hash, SECRETS_HASH_SIZE, known);
    if (known) {
        known->session = *session;
        return;
    }
    sessions_forget(sessions, span_of(session->id));
    if (HASH_COUNT(sessions->all) >= sessions->max)
        forget(sessions, sessions->all);
    known = reserve_calloc(1, sizeof *known);
    memcpy(known->hash, hash, SECRETS_HASH_SIZE);
    known->session = *session;
    HASH_ADD(hh, sessions->all, hash, SECRETS_HASH_SIZE, known);
    HASH_ADD_KEYPTR(by_id, sessions->by_id, known->session.id, strlen(known->session.id), known);
}

void sessions_bar(struct sessions *sessions, const char *id, bool on) {
    struct barred *barred;
    HASH_FIND_STR(sessions->barred, id, barred);
    if (on && !barred) {
        barred = reserve_calloc(1, sizeof *barred);
        memcpy(barred->id, id, strlen(id));
        HASH_ADD_STR(sessions->barred, id, barred);
    } else if (!on && barred) {
        HASH_DEL(sessions->barred, barred);
        free(barred);
    }
}

static bool is_barred(const struct sessions *sessions, const char *id) {
    struct barred *barred;
    HASH_FIND_STR(sessions->barred, id, barred);
    return barred != NULL;
}

static void refuse_session(struct refusal *why) {
    refuse(why, "UNAUTHENTICATED", "Please introduce yourself first");
}

static void copy_span(char *to, size_t size, struct span from) {
    ensure(from.length < size);
    memcpy(to, from.data, from.length);
    to[from.length] = '\0';
}

static void on_found(void *arg, const struct store_reply *reply) {
    struct search search = *(struct search *)arg;
    struct refusal why = reply->why;
    free(arg);
    if (reply->outcome == STORE_OK) {
        copy_span(search.session.id, sizeof search.session.id, reply->players[0].id);
        copy_span(search.session.name, sizeof search.session.name, reply->players[0].name);
        search.session.seen_ms = reply->players[0].seen_ms;
        if (is_barred(search.sessions, search.session.id)) {
            refuse_session(&why);
            search.found(search.arg, NULL, &why);
            return;
        }
        remember(search.sessions, search.hash, &search.session);
        search.found(search.arg, &search.session, NULL);
        return;
    }
    if (reply->outcome == STORE_MISSING)
        refuse_session(&why);
    search.found(search.arg, NULL, &why);
}

static struct search *new_search(struct sessions *sessions, sessions_found *found, void *arg) {
    struct search *search = reserve_calloc(1, sizeof *search);
    search->sessions = sessions;
    search->found = found;
    search->arg = arg;
    return search;
}

void sessions_find(struct sessions *sessions, struct span token, sessions_found *found, void *arg) {
    struct refusal why;
    uint8_t hash[SECRETS_HASH_SIZE];
    struct known *known;
    refuse_session(&why);
    if (!token.data || !secrets_hash_token(token, hash)) {
        found(arg, NULL, &why);
        return;
    }
    HASH_FIND(hh, sessions->all, hash, SECRETS_HASH_SIZE, known);
    if (known) {
        struct session session = known->session;
        bool barred = is_barred(sessions, session.id);
        found(arg, barred ? NULL : &session, barred ? &why : NULL);
        return;
    }
    struct search *search = new_search(sessions, found, arg);
    memcpy(search->hash, hash, sizeof hash);
    if (!store_player_by_token(sessions->store, hash, on_found, search, &why)) {
        free(search);
        found(arg, NULL, &why);
    }
}

/* The store has made or renamed the person as asked. */
static void on_kept(void *arg, const struct store_reply *reply) {
    struct search search = *(struct search *)arg;
    free(arg);
    if (reply->outcome != STORE_OK) {
        struct refusal why;
        refuse(&why, "UNAVAILABLE", "The store does not answer; nothing was done");
        search.found(search.arg, NULL, &why);
        return;
    }
    remember(search.sessions, search.hash, &search.session);
    search.found(search.arg, &search.session, NULL);
}

bool sessions_add(struct sessions *sessions, const char *name, int64_t now_ms,
                  char token[SECRETS_TOKEN_SIZE], sessions_found *found, void *arg,
                  struct refusal *why) {
    struct search *search = new_search(sessions, found, arg);
    secrets_make_token(token);
    ensure(secrets_hash_token(span_of(token), search->hash));
    secrets_make_player_id(search->session.id);
    copy_span(search->session.name, sizeof search->session.name, span_of(name));
    search->session.seen_ms = now_ms;
    struct store_player player = {.id = span_of(search->session.id),
                                  .name = span_of(search->session.name),
                                  .token_hash = search->hash,
                                  .created_ms = now_ms,
                                  .seen_ms = now_ms};
    if (store_player_add(sessions->store, &player, on_kept, search, why))
        return true;
    free(search);
    return false;
}

bool sessions_rename(struct sessions *sessions, struct span token, const struct session *session,
                     const char *name, int64_t now_ms, sessions_found *found, void *arg,
                     struct refusal *why) {
    struct search *search = new_search(sessions, found, arg);
    ensure(secrets_hash_token(token, search->hash));
    search->session = *session;
    copy_span(search->session.name, sizeof search->session.name, span_of(name));
    search->session.seen_ms = now_ms;
    if (store_player_seen(sessions->store, span_of(session->id), span_of(name), now_ms, on_kept,
                          search, why))
        return true;
    free(search);
    return false;
}

/* Whoever is not told now is told with the next request. */
static void on_seen(void *arg, const struct store_reply *reply) {
}

void sessions_seen(struct sessions *sessions, const struct session *session, int64_t now_ms) {
    enum { SEEN_STEP_MS = 3600000 };
    struct known *known;
    HASH_FIND(by_id, sessions->by_id, session->id, strlen(session->id), known);
    if (!known || now_ms < known->session.seen_ms + SEEN_STEP_MS)
        return;
    if (store_player_seen(sessions->store, span_of(session->id), span_of(""), now_ms, on_seen, NULL,
                          NULL))
        known->session.seen_ms = now_ms;
}

bool sessions_renew(struct sessions *sessions, const struct session *session,
                    char token[SECRETS_TOKEN_SIZE], sessions_found *found, void *arg,
                    struct refusal *why) {
    struct search *search = new_search(sessions, found, arg);
    secrets_make_token(token);
    ensure(secrets_hash_token(span_of(token), search->hash));
    search->session = *session;
    if (store_player_token(sessions->store, span_of(session->id), search->hash, on_kept, search,
                           why))
        return true;
    free(search);
    return false;
}

void sessions_forget(struct sessions *sessions, struct span id) {
    struct known *known;
    HASH_FIND(by_id, sessions->by_id, id.data, id.length, known);
    if (known)
        forget(sessions, known);
}
