/* See sessions.h. uthash keeps its items in the order of adding: the first is the oldest. */
#include "server/api/sessions.h"
#include "server/net/secrets.h"

#include "engine/ensure.h"
#include "store/hash.h"
#include <stdlib.h>
#include <string.h>

struct known {
    uint8_t hash[SECRETS_HASH_SIZE];
    struct session session;
    struct known *next; /* another token of the same person */
    struct person *person;
    uint64_t changes; /* how many there had been when it was learnt */
    UT_hash_handle hh;
};

struct person {
    char id[SECRETS_PLAYER_ID_SIZE];
    struct known *first;
    UT_hash_handle hh;
};

struct barred {
    char id[SECRETS_PLAYER_ID_SIZE];
    UT_hash_handle hh;
};

enum { CHANGED_MAX = 1024 };

struct sessions {
    struct store *store;
    struct barred *barred; /* by id */
    struct known *all;     /* by the hash of the token */
    struct person *people; /* of these, by id */
    size_t max;
    /* `changes` counts logouts and renames. A search that began earlier may bring an outdated
     * answer; `changed` has whose the last CHANGED_MAX were, so that only their searches are
     * repeated. `all_changed` is the count at which all sessions were forgotten. */
    uint64_t changes, all_changed;
    char changed[CHANGED_MAX][SECRETS_PLAYER_ID_SIZE];
};

struct search {
    struct sessions *sessions;
    uint8_t hash[SECRETS_HASH_SIZE];
    uint64_t changes;       /* when it began */
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
    struct person *person = known->person;
    struct known **at = &person->first;
    while (*at != known)
        at = &(*at)->next;
    *at = known->next;
    HASH_DEL(sessions->all, known);
    free(known);
    if (!person->first) {
        HASH_DEL(sessions->people, person);
        free(person);
    }
}

static void note_change(struct sessions *sessions, struct span id) {
    char *noted = sessions->changed[sessions->changes++ % CHANGED_MAX];
    memset(noted, 0, SECRETS_PLAYER_ID_SIZE);
    memcpy(noted, id.data, id.length < SECRETS_PLAYER_ID_SIZE ? id.length : 0);
}

/* Since there were so many changes. */
static bool has_changed(const struct sessions *sessions, struct span id, uint64_t since) {
    if (sessions->all_changed > since || sessions->changes - since > CHANGED_MAX)
        return true;
    for (uint64_t i = since; i < sessions->changes; i++)
        if (span_is(id, sessions->changed[i % CHANGED_MAX]))
            return true;
    return false;
}

/* There may be a hundred thousand; each is forgotten when it is looked for. */
void sessions_forget_all(struct sessions *sessions) {
    sessions->all_changed = ++sessions->changes;
}

static struct known *find_known(struct sessions *sessions, const uint8_t *hash) {
    struct known *known;
    HASH_FIND(hh, sessions->all, hash, SECRETS_HASH_SIZE, known);
    if (!known || known->changes >= sessions->all_changed)
        return known;
    forget(sessions, known);
    return NULL;
}

void sessions_free(struct sessions *sessions) {
    while (sessions->all)
        forget(sessions, sessions->all);
    while (sessions->barred)
        sessions_bar(sessions, sessions->barred->id, false);
    free(sessions);
}

static struct person *person_of(struct sessions *sessions, const char *id) {
    struct person *person;
    HASH_FIND_STR(sessions->people, id, person);
    if (person)
        return person;
    person = reserve_calloc(1, sizeof *person);
    memcpy(person->id, id, strlen(id));
    HASH_ADD_STR(sessions->people, id, person);
    return person;
}

static void remember(struct sessions *sessions, const uint8_t *hash,
                     const struct session *session) {
    struct known *known = find_known(sessions, hash);
    if (known) {
        known->session = *session;
        return;
    }
    if (HASH_COUNT(sessions->all) >= sessions->max)
        forget(sessions, sessions->all);
    known = reserve_calloc(1, sizeof *known);
    memcpy(known->hash, hash, SECRETS_HASH_SIZE);
    known->session = *session;
    known->changes = sessions->changes;
    known->person = person_of(sessions, session->id);
    known->next = known->person->first;
    known->person->first = known;
    HASH_ADD(hh, sessions->all, hash, SECRETS_HASH_SIZE, known);
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

static bool ask_for_token(struct search *search, struct refusal *why);

/* Takes what the store says of the person whose token it is; false if it opens nothing. */
static bool take_person(struct search *search, const struct store_player *player) {
    struct store_device device;
    copy_span(search->session.id, sizeof search->session.id, player->id);
    copy_span(search->session.name, sizeof search->session.name, player->name);
    if (is_barred(search->sessions, search->session.id) ||
        !store_device_find(player->devices, search->hash, &device) || device.until_ms != 0)
        return false;
    search->session.seen_ms = device.seen_ms < player->seen_ms ? device.seen_ms : player->seen_ms;
    memcpy(search->session.token_hash, search->hash, SECRETS_HASH_SIZE);
    secrets_device_id(search->hash, search->session.device);
    return true;
}

static void on_found(void *arg, const struct store_reply *reply) {
    struct search search = *(struct search *)arg;
    struct refusal why = reply->why;
    if (reply->outcome == STORE_OK &&
        has_changed(search.sessions, reply->players[0].id, search.changes)) {
        if (ask_for_token(arg, &why)) /* they have logged out meanwhile, perhaps with this one */
            return;
        free(arg);
        search.found(search.arg, NULL, &why);
        return;
    }
    free(arg);
    bool good = reply->outcome == STORE_OK && take_person(&search, &reply->players[0]);
    if (good)
        remember(search.sessions, search.hash, &search.session);
    else if (reply->outcome == STORE_OK || reply->outcome == STORE_MISSING)
        refuse_session(&why);
    search.found(search.arg, good ? &search.session : NULL, good ? NULL : &why);
}

static struct search *new_search(struct sessions *sessions, sessions_found *found, void *arg) {
    struct search *search = reserve_malloc(sizeof *search);
    *search = (struct search){
        .sessions = sessions, .changes = sessions->changes, .found = found, .arg = arg};
    return search;
}

/* Frees the search if the store refused the request; its callback will never come. */
static bool is_asked(bool taken, struct search *search) {
    if (!taken)
        free(search);
    return taken;
}

static bool ask_for_token(struct search *search, struct refusal *why) {
    search->changes = search->sessions->changes;
    return store_player_by_token(search->sessions->store, search->hash, on_found, search, why);
}

void sessions_find(struct sessions *sessions, struct span token, sessions_found *found, void *arg) {
    struct refusal why;
    uint8_t hash[SECRETS_HASH_SIZE];
    bool hashed = token.data && secrets_hash_token(token, hash);
    struct known *known = hashed ? find_known(sessions, hash) : NULL;
    if (!hashed || (known && is_barred(sessions, known->session.id))) {
        refuse_session(&why);
        found(arg, NULL, &why);
        return;
    }
    if (known) {
        struct session session = known->session;
        found(arg, &session, NULL);
        return;
    }
    struct search *search = new_search(sessions, found, arg);
    memcpy(search->hash, hash, sizeof hash);
    if (!ask_for_token(search, &why)) {
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
    if (!has_changed(search.sessions, span_of(search.session.id), search.changes))
        remember(search.sessions, search.hash, &search.session);
    search.found(search.arg, &search.session, NULL);
}

/* A token for the session of the search. */
static void make_token(struct search *search, char token[SECRETS_TOKEN_SIZE]) {
    secrets_make_token(token);
    ensure(secrets_hash_token(span_of(token), search->hash));
    memcpy(search->session.token_hash, search->hash, SECRETS_HASH_SIZE);
    secrets_device_id(search->hash, search->session.device);
}

struct device_line {
    char data[STORE_DEVICE_LINE_MAX + 1];
};

static struct span write_device(struct device_line *line, const uint8_t *hash, struct span name,
                                int64_t now_ms, int64_t until_ms) {
    struct store_device device = {
        .created_ms = now_ms, .seen_ms = now_ms, .until_ms = until_ms, .name = name};
    memcpy(device.token_hash, hash, SECRETS_HASH_SIZE);
    struct text text = text_in(line->data, sizeof line->data);
    store_device_put(&text, &device);
    ensure(!text.cut);
    return (struct span){line->data, text.length};
}

bool sessions_add(struct sessions *sessions, const char *name, struct span device, int64_t now_ms,
                  char token[SECRETS_TOKEN_SIZE], sessions_found *found, void *arg,
                  struct refusal *why) {
    struct search *search = new_search(sessions, found, arg);
    struct device_line line;
    make_token(search, token);
    secrets_make_player_id(search->session.id);
    copy_span(search->session.name, sizeof search->session.name, span_of(name));
    search->session.seen_ms = now_ms;
    struct store_player player = {.id = span_of(search->session.id),
                                  .name = span_of(search->session.name),
                                  .created_ms = now_ms,
                                  .seen_ms = now_ms,
                                  .devices = write_device(&line, search->hash, device, now_ms, 0)};
    return is_asked(store_player_add(sessions->store, &player, on_kept, search, why), search);
}

bool sessions_rename(struct sessions *sessions, const struct session *session, const char *name,
                     int64_t now_ms, sessions_found *found, void *arg, struct refusal *why) {
    struct search *search = new_search(sessions, found, arg);
    memcpy(search->hash, session->token_hash, SECRETS_HASH_SIZE);
    search->session = *session;
    copy_span(search->session.name, sizeof search->session.name, span_of(name));
    search->session.seen_ms = now_ms;
    return is_asked(store_player_seen(sessions->store, span_of(session->id), span_of(name),
                                      search->hash, now_ms, on_kept, search, why),
                    search);
}

/* Whoever is not told now is told with the next request. */
static void on_seen(void *arg, const struct store_reply *reply) {
}

void sessions_seen(struct sessions *sessions, const struct session *session, int64_t now_ms) {
    enum { SEEN_STEP_MS = 3600000 };
    if (now_ms < session->seen_ms + SEEN_STEP_MS)
        return;
    struct known *known = find_known(sessions, session->token_hash);
    if (!known || now_ms < known->session.seen_ms + SEEN_STEP_MS)
        return;
    if (store_player_seen(sessions->store, span_of(session->id), span_of(""), session->token_hash,
                          now_ms, on_seen, NULL, NULL))
        known->session.seen_ms = now_ms;
}

/* ---- Devices ---- */

static void refuse_device(struct refusal *why, enum store_outcome outcome) {
    if (outcome == STORE_MISSING)
        refuse(why, "NOT_FOUND", "This device is logged out already");
    else
        refuse(why, "UNAVAILABLE", "The store does not answer; nothing was done");
}

/* Some tokens of the person are worth nothing any longer. Of a store that did not answer nobody
 * knows, so the next request with any of them asks it. */
static void on_changed(void *arg, const struct store_reply *reply) {
    struct search search = *(struct search *)arg;
    struct refusal why;
    free(arg);
    sessions_forget(search.sessions, span_of(search.session.id));
    if (reply->outcome != STORE_OK)
        refuse_device(&why, reply->outcome);
    search.found(search.arg, reply->outcome == STORE_OK ? &search.session : NULL, &why);
}

static bool change(struct search *search, const struct store_devices *devices,
                   struct refusal *why) {
    return is_asked(store_player_devices(search->sessions->store, devices, on_changed, search, why),
                    search);
}

bool sessions_renew(struct sessions *sessions, const struct session *session, struct span device,
                    int64_t now_ms, char token[SECRETS_TOKEN_SIZE], sessions_found *found,
                    void *arg, struct refusal *why) {
    struct search *search = new_search(sessions, found, arg);
    struct device_line line;
    search->session = *session;
    make_token(search, token);
    struct store_devices devices = {.player = span_of(session->id),
                                    .drop = STORE_DROP_ALL,
                                    .token_hash = session->token_hash,
                                    .add = write_device(&line, search->hash, device, now_ms, 0)};
    return change(search, &devices, why);
}

bool sessions_log_out(struct sessions *sessions, const struct session *session,
                      enum store_drop which, const uint8_t *token_hash, sessions_found *found,
                      void *arg, struct refusal *why) {
    struct search *search = new_search(sessions, found, arg);
    struct store_devices devices = {
        .player = span_of(session->id), .drop = which, .token_hash = token_hash};
    search->session = *session;
    return change(search, &devices, why);
}

bool sessions_link(struct sessions *sessions, const struct session *session, int64_t now_ms,
                   int64_t until_ms, char link[SECRETS_LINK_SIZE], sessions_found *found, void *arg,
                   struct refusal *why) {
    struct search *search = new_search(sessions, found, arg);
    uint8_t hash[SECRETS_HASH_SIZE];
    struct device_line line;
    search->session = *session;
    secrets_make_link(link);
    ensure(secrets_hash_link(span_of(link), hash));
    struct store_devices devices = {.player = span_of(session->id),
                                    .drop = STORE_DROP_LINKS,
                                    .token_hash = session->token_hash,
                                    .add =
                                        write_device(&line, hash, span_of(""), now_ms, until_ms)};
    return change(search, &devices, why);
}

struct claim {
    struct search *search; /* of the session that comes of it */
    uint8_t link[SECRETS_HASH_SIZE];
    int64_t now_ms;
    char device[STORE_DEVICE_NAME_MAX + 1];
};

static void refuse_link(struct refusal *why) {
    refuse(why, "LINK_GONE", "This link was used already, or is too old; please make another one");
}

static void end_claim(struct claim *claim, const struct refusal *why) {
    struct search search = *claim->search;
    free(claim->search);
    free(claim);
    search.found(search.arg, NULL, why);
}

static void on_claimed(void *arg, const struct store_reply *reply) {
    struct search *search = arg;
    struct refusal why;
    if (reply->outcome != STORE_MISSING) {
        on_kept(search, reply);
        return;
    }
    refuse_link(&why);
    struct search asked = *search;
    free(search);
    asked.found(asked.arg, NULL, &why);
}

/* May one more device become this person's? */
static bool may_come(const struct claim *claim, const struct store_player *player,
                     struct refusal *why) {
    struct store_device device;
    int count = 0;
    bool holds = store_device_find(player->devices, claim->link, &device) &&
                 device.until_ms > claim->now_ms &&
                 !is_barred(claim->search->sessions, claim->search->session.id);
    for (struct span rest = player->devices; store_device_next(&rest, &device);)
        count += device.until_ms == 0;
    if (!holds)
        refuse_link(why);
    else if (count >= SESSIONS_DEVICES_MAX)
        refuse(why, "TOO_MANY_DEVICES", "Nobody may have more than %d devices; log one of them out",
               SESSIONS_DEVICES_MAX);
    return holds && count < SESSIONS_DEVICES_MAX;
}

static void on_link(void *arg, const struct store_reply *reply) {
    struct claim *claim = arg;
    struct search *search = claim->search;
    struct refusal why = reply->why;
    struct device_line line;
    if (reply->outcome == STORE_MISSING)
        refuse_link(&why);
    if (reply->outcome != STORE_OK) {
        end_claim(claim, &why);
        return;
    }
    copy_span(search->session.id, sizeof search->session.id, reply->players[0].id);
    copy_span(search->session.name, sizeof search->session.name, reply->players[0].name);
    search->session.seen_ms = claim->now_ms;
    if (!may_come(claim, &reply->players[0], &why)) {
        end_claim(claim, &why);
        return;
    }
    struct store_devices devices = {
        .player = span_of(search->session.id),
        .drop = STORE_DROP_ONE,
        .token_hash = claim->link,
        .add = write_device(&line, search->hash, span_of(claim->device), claim->now_ms, 0)};
    if (store_player_devices(search->sessions->store, &devices, on_claimed, search, &why))
        free(claim);
    else
        end_claim(claim, &why);
}

bool sessions_claim(struct sessions *sessions, struct span link, struct span device, int64_t now_ms,
                    char token[SECRETS_TOKEN_SIZE], sessions_found *found, void *arg,
                    struct refusal *why) {
    uint8_t hash[SECRETS_HASH_SIZE];
    if (!secrets_hash_link(link, hash)) {
        refuse_link(why);
        return false;
    }
    struct claim *claim = reserve_calloc(1, sizeof *claim);
    claim->search = new_search(sessions, found, arg);
    claim->now_ms = now_ms;
    memcpy(claim->link, hash, sizeof hash);
    copy_span(claim->device, sizeof claim->device, device);
    make_token(claim->search, token);
    if (store_player_by_token(sessions->store, hash, on_link, claim, why))
        return true;
    free(claim->search);
    free(claim);
    return false;
}

void sessions_forget(struct sessions *sessions, struct span id) {
    struct person *person;
    note_change(sessions, id);
    HASH_FIND(hh, sessions->people, id.data, id.length, person);
    if (!person)
        return;
    while (person->first->next)
        forget(sessions, person->first);
    forget(sessions, person->first); /* and the person with it */
}
