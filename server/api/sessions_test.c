/* Who comes while others, or they themselves, log out. */
#include "server/api/sessions.h"
#include "tests/store_support.h"

#include <string.h>

struct found {
    int answers;
    bool good;
    char name[STORE_NAME_MAX + 1];
};

static void on_found(void *arg, const struct session *session, const struct refusal *why) {
    struct found *found = arg;
    found->answers++;
    found->good = session != NULL;
    if (session)
        memcpy(found->name, session->name, sizeof found->name);
}

static struct shelf shelf;
static struct sessions *sessions;
static char token[SECRETS_TOKEN_SIZE], id[SECRETS_PLAYER_ID_SIZE];

/* Ann is known to the store and, as after a restart, not to this server. */
BEFORE_EACH(begin) {
    struct refusal why;
    struct answer answer = {0};
    uint8_t hash[SECRETS_HASH_SIZE];
    assert_true(secrets_init());
    shelf_make(&shelf);
    shelf.config.where = "memory";
    shelf_open(&shelf);
    sessions = sessions_open(shelf.store, 10);
    struct found made = {0};
    assert_true(
        sessions_add(sessions, "Ann", span_of("A program"), 1, token, on_found, &made, &why));
    store_commit(shelf.store);
    assert_true(made.good && secrets_hash_token(span_of(token), hash));
    store_player_by_token(shelf.store, hash, answer_take, &answer, &why);
    store_commit(shelf.store);
    assert_int_equal(sscanf(answer.text, "%16s", id), 1);
    sessions_forget_all(sessions);
    return 0;
}

AFTER_EACH(end) {
    shelf_close(&shelf);
    sessions_free(sessions);
    shelf_remove(&shelf);
    return 0;
}

UNIT_TEST(other_people_who_log_out_repeat_nobodys_search) {
    struct found found = {0};
    sessions_find(sessions, span_of(token), on_found, &found);
    for (int i = 0; i < 1000; i++)
        sessions_forget(sessions, span_of("pnobody"));
    store_commit(shelf.store);
    assert_int_equal(found.answers, 1);
    assert_string_equal(found.name, "Ann");
}

UNIT_TEST(who_logs_out_meanwhile_is_looked_for_again) {
    for (int everybody = 0; everybody < 2; everybody++) {
        struct found found = {0};
        sessions_find(sessions, span_of(token), on_found, &found);
        if (everybody)
            sessions_forget_all(sessions);
        else
            sessions_forget(sessions, span_of(id));
        store_commit(shelf.store);
        assert_int_equal(found.answers, 0);
        store_commit(shelf.store);
        assert_int_equal(found.answers, 1);
        assert_true(found.good);
        sessions_forget_all(sessions);
    }
}
