/* The ways to a Redis server: addresses, users, Sentinel and TLS. Where this program was built
 * without TLS, the refusal is tested in its place. */
#include "store/redis.h"
#include "tests/store_support.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static struct answer answer;
static struct redis_server server; /* with a port */

static int set_up(void **state) {
    return shelf_on_redis(state, &server);
}

/* The shelf's store, from now on by that address. */
static void go_by(struct shelf *shelf, const char *where) {
    shelf_close(shelf);
    shelf->config.where = where;
    shelf_open(shelf);
}

static void is_refused(const char *where, const char *words) {
    struct refusal why;
    struct store *store = store_open(&(struct store_config){.where = where}, &why);
    assert_null(store);
    if (!strstr(why.text, words))
        fail_msg("%s: %s", where, why.text);
}

/* ---- Addresses ---- */

static void addresses_are_read(void **state) {
    static const char *const bad[] = {
        "redis://",    "redis://:6379",  "redis://h:0",           "redis://h:99999",
        "redis://h/x", "redis://h:1x",   "unix://here",           "unix:///nowhere",
        "unix:///a?b", "redis://u:p@/1", "redis://127.0.0.1:1/0", "redis://h?ca=/a"};
    struct refusal why;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_null(store_open(&(struct store_config){.where = bad[i]}, &why));
        assert_true(strcmp(why.code, "STORE_UNUSABLE") == 0 ||
                    strcmp(why.code, "UNAVAILABLE") == 0);
    }
}

static void parts_of_addresses_are_told_apart(void **state) {
    static const struct {
        const char *where;
        struct redis_address address;
    } good[] = {
        {"redis://h", {.host = "h", .port = 6379}},
        {"redis://h:1/2", {.host = "h", .port = 1, .database = 2}},
        {"redis://[::1]/2", {.host = "::1", .port = 6379, .database = 2}},
        {"redis://[fe80::1]:7", {.host = "fe80::1", .port = 7}},
        {"redis://:p@h/", {.host = "h", .port = 6379, .password = "p"}},
        {"redis://u:a%40b%2fc%25@h",
         {.host = "h", .port = 6379, .user = "u", .password = "a@b/c%"}},
        {"redis://u:a/b@c:d@h:5", {.host = "h", .port = 5, .user = "u", .password = "a/b@c:d"}},
        {"unix:///a@b?3", {.host = "/a@b", .database = 3}},
        {"redis+sentinel://:p@h,[::1]:7/m%2f/3",
         {.port = 26379, .password = "p", .sentinels = "h,[::1]:7", .master = "m/", .database = 3}},
    };
    static const char *const bad[] = {
        "redis://:secret%4@h",           "redis://:secret%zz@h",
        "redis://:secret%00@h",          "redis://:secret@[::1",
        "redis://:secret@[::1]6",        "redis://:secret@h/x",
        "redis+sentinel://:secret@h",    "redis+sentinel://:secret@h/",
        "redis+sentinel://:secret@h,/m", "redis+sentinel://:secret@,h/m",
        "redis+sentinel://:secret@h:0/m"};
    struct redis_address address;
    struct refusal why;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(redis_read_address(good[i].where, &address, &why));
        assert_string_equal(address.host, good[i].address.host);
        assert_string_equal(address.user, good[i].address.user);
        assert_string_equal(address.password, good[i].address.password);
        assert_string_equal(address.sentinels, good[i].address.sentinels);
        assert_string_equal(address.master, good[i].address.master);
        assert_int_equal(address.port, good[i].address.port);
        assert_int_equal(address.database, good[i].address.database);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(redis_read_address(bad[i], &address, &why));
        assert_null(strstr(why.text, "secret"));
    }
}

/* ---- Users ---- */

/* The rights that docs/hosting.md gives are enough, and a password may have any character. */
static void user_needs_no_more_than_the_docs_say(void **state) {
    struct shelf *shelf = *state;
    char where[96];
    redis_server_tell(&server, "ACL SETUSER oyster on >a@b/c?%% ~oyster:* &oyster:* +@all -@admin "
                               "-@dangerous +info");
    snprintf(where, sizeof where, "redis://oyster:a@b%%2fc?%%25@127.0.0.1:%d/0", server.port);
    go_by(shelf, where);
    assert_int_equal(shelf_append(shelf, "AAAAAA", 0, "one", &answer), STORE_OK);
    assert_string_equal(shelf_load(shelf, "AAAAAA", &answer), "1 one");
    snprintf(where, sizeof where, "redis://oyster:wrong@127.0.0.1:%d/0", server.port);
    is_refused(where, "WRONGPASS");
    redis_server_tell(&server, "ACL DELUSER oyster");
}

/* ---- Sentinel ---- */

/* The first Sentinel of the list is not there. The second one is told that another server is the
 * master now, which it would take seconds to find out; so that the test can tell the two servers
 * apart, neither is a replica of the other. */
static void sentinel_leads_to_the_master(void **state) {
    struct shelf *shelf = *state;
    struct redis_server other, sentinel;
    char where[96], command[64];
    redis_server_start_with_port(&other);
    redis_server_start_sentinel(&sentinel, server.port, "");
    snprintf(where, sizeof where, "redis+sentinel://127.0.0.1:1,127.0.0.1:%d/nobody",
             sentinel.port);
    is_refused(where, "Sentinel knows no master called nobody");
    snprintf(where, sizeof where, "redis+sentinel://127.0.0.1:1,127.0.0.1:%d/table", sentinel.port);
    go_by(shelf, where);
    assert_int_equal(shelf_append(shelf, "AAAAAA", 0, "one", &answer), STORE_OK);
    redis_server_tell(&sentinel, "SENTINEL REMOVE table");
    snprintf(command, sizeof command, "SENTINEL MONITOR table 127.0.0.1 %d 1", other.port);
    redis_server_tell(&sentinel, command);
    redis_server_tell(&server, "CLIENT KILL TYPE normal"); /* as Sentinel does then */
    assert_string_equal(shelf_load(shelf, "AAAAAA", &answer), "");
    assert_int_equal(shelf_append(shelf, "AAAAAA", 0, "another", &answer), STORE_OK);
    assert_string_equal(shelf_load(shelf, "AAAAAA", &answer), "1 another");
    shelf_close(shelf);
    redis_server_remove(&sentinel);
    is_refused(where, "Redis cannot be reached");
    redis_server_remove(&other);
}

/* ---- TLS ---- */

static void without_tls_it_is_refused_by_name(void **state) {
    char shown[64];
    if (!redis_has_tls()) {
        is_refused("rediss://u:p@h:6379", "Redis with TLS (rediss://) cannot be used");
        is_refused("rediss://u:p@h:6379", "redis:// to it");
        is_refused("rediss+sentinel://h/m", "Redis with TLS (rediss+sentinel://) cannot be used");
    }
    store_show("rediss://u:p@h:6379", shown, sizeof shown);
    assert_string_equal(shown, "rediss://h:6379");
}

/* Authorities `good` and `bad`; from each a certificate `NAME-here` for this machine, from the good
 * one also `elsewhere` for another name and `client`. */
static const char certificates[] =
    "set -e; cd '%s'; exec >log 2>&1\n"
    "new='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'\n"
    "sign() { # NAME AUTHORITY EXTENSIONS\n"
    "  openssl req $new -keyout $1.key -subj /CN=$1 -out $1.csr\n"
    "  echo \"$3\" >$1.txt\n"
    "  openssl x509 -req -in $1.csr -CA $2.pem -CAkey $2.key -CAcreateserial -days 2 "
    "-extfile $1.txt -out $1.pem\n"
    "}\n"
    "for ca in good bad; do\n"
    "  openssl req -x509 $new -keyout $ca.key -subj /CN=$ca -days 2 -out $ca.pem\n"
    "  sign $ca-here $ca subjectAltName=IP:127.0.0.1,DNS:localhost\n"
    "done\n"
    "sign elsewhere good subjectAltName=DNS:elsewhere\n"
    "sign client good extendedKeyUsage=clientAuth\n";

static void make_certificates(const char *folder) {
    char script[2048];
    snprintf(script, sizeof script, certificates, folder);
    assert_int_equal(system(script), 0);
}

/* The server has that certificate from now on. */
static void show_certificate(const char *folder, const char *name) {
    char command[512];
    snprintf(command, sizeof command, "CONFIG SET tls-cert-file %s/%s.pem tls-key-file %s/%s.key",
             folder, name, folder, name);
    redis_server_tell(&server, command);
}

static void start_tls(const char *folder, int port) {
    char command[512];
    snprintf(command, sizeof command,
             "CONFIG SET tls-ca-cert-file %s/good.pem tls-cert-file %s/good-here.pem "
             "tls-key-file %s/good-here.key tls-auth-clients no tls-port %d",
             folder, folder, folder, port);
    redis_server_tell(&server, command);
}

struct tls_shelf {
    struct shelf *shelf;
    int port;
    char where[640];
};

/* An address with the shelf's authority and what else is chosen. */
static const char *address_of(struct tls_shelf *tls, const char *host, const char *more) {
    snprintf(tls->where, sizeof tls->where, "rediss://%s:%d/0?ca=%s/good.pem%s", host, tls->port,
             tls->shelf->folder, more);
    return tls->where;
}

static struct tls_shelf begin_tls(struct shelf *shelf) {
    struct tls_shelf tls = {.shelf = shelf, .port = free_port()};
    if (!redis_has_tls())
        skip();
    make_certificates(shelf->folder);
    start_tls(shelf->folder, tls.port);
    return tls;
}

static void end_tls(struct tls_shelf *tls) {
    shelf_close(tls->shelf);
    redis_server_tell(&server, "CONFIG SET tls-port 0");
}

static void connections_are_encrypted(void **state) {
    struct shelf *shelf = *state;
    struct tls_shelf tls = begin_tls(shelf);
    char line[8001] = "";
    go_by(shelf, address_of(&tls, "127.0.0.1", ""));
    memset(line, 'x', sizeof line - 1);
    for (int i = 0; i < 5; i++) /* together more than a record of TLS has */
        assert_int_equal(shelf_append(shelf, "AAAAAA", i, line, &answer), STORE_OK);
    shelf_load(shelf, "AAAAAA", &answer);
    assert_int_equal(strlen(answer.text), 5 * (sizeof line - 1 + strlen("1 |")) - 1);
    go_by(shelf, address_of(&tls, "localhost", ""));
    assert_int_equal(shelf_append(shelf, "AAAAAA", 5, "six", &answer), STORE_OK);
    redis_server_tell(&server, "CLIENT KILL TYPE normal"); /* it connects anew, on the loop */
    assert_int_equal(shelf_append(shelf, "AAAAAA", 6, "seven", &answer), STORE_OK);
    end_tls(&tls);
}

static void certificates_are_checked(void **state) {
    struct shelf *shelf = *state;
    struct tls_shelf tls = begin_tls(shelf);
    char where[640];
    snprintf(where, sizeof where, "rediss://127.0.0.1:%d/0?ca=%s/bad.pem", tls.port, shelf->folder);
    is_refused(where, "self-signed certificate in certificate chain");
    snprintf(where, sizeof where, "rediss://127.0.0.1:%d/0", tls.port); /* the system's */
    is_refused(where, "self-signed certificate in certificate chain");
    is_refused(address_of(&tls, "127.0.0.1", "&name=elsewhere"), "hostname mismatch");
    is_refused(address_of(&tls, "127.0.0.2", ""), "IP address mismatch");
    show_certificate(shelf->folder, "elsewhere");
    is_refused(address_of(&tls, "localhost", ""), "hostname mismatch");
    go_by(shelf, address_of(&tls, "localhost", "&name=elsewhere"));
    assert_int_equal(shelf_append(shelf, "AAAAAA", 0, "one", &answer), STORE_OK);
    snprintf(where, sizeof where, "rediss://127.0.0.1:%d", server.port);
    is_refused(where, "Redis cannot be reached with TLS"); /* it has none at this port */
    end_tls(&tls);
}

/* What is checked at the start is checked again at every connection. */
static void other_server_at_the_same_address_is_not_spoken_to(void **state) {
    static const char *const others[][2] = {{"bad-here", "unable to get local issuer certificate"},
                                            {"elsewhere", "hostname mismatch"}};
    struct shelf *shelf = *state;
    struct tls_shelf tls = begin_tls(shelf);
    go_by(shelf, address_of(&tls, "localhost", ""));
    assert_int_equal(shelf_append(shelf, "AAAAAA", 0, "one", &answer), STORE_OK);
    for (size_t i = 0; i < 2; i++) {
        show_certificate(shelf->folder, others[i][0]);
        redis_server_tell(&server, "CLIENT KILL TYPE normal");
        assert_int_not_equal(shelf_append(shelf, "AAAAAA", 1, "two", &answer), STORE_OK);
        if (!strstr(answer.reply.why.text, others[i][1]))
            fail_msg("%s", answer.reply.why.text);
        show_certificate(shelf->folder, "good-here");
        while (strcmp(shelf_load(shelf, "AAAAAA", &answer), "1 one") != 0)
            assert_int_not_equal(answer.reply.outcome, STORE_OK); /* it rests before it tries */
    }
    end_tls(&tls);
}

static void server_may_ask_for_a_certificate(void **state) {
    struct shelf *shelf = *state;
    struct tls_shelf tls = begin_tls(shelf);
    char more[400];
    redis_server_tell(&server, "CONFIG SET tls-auth-clients yes");
    is_refused(address_of(&tls, "127.0.0.1", ""), "cert=FILE&key=FILE in the address names one");
    snprintf(more, sizeof more, "&cert=%s/bad-here.pem&key=%s/bad-here.key", shelf->folder,
             shelf->folder);
    is_refused(address_of(&tls, "127.0.0.1", more), "Redis says: ");
    snprintf(more, sizeof more, "&cert=%s/client.pem&key=%s/client.key", shelf->folder,
             shelf->folder);
    go_by(shelf, address_of(&tls, "127.0.0.1", more));
    assert_int_equal(shelf_append(shelf, "AAAAAA", 0, "one", &answer), STORE_OK);
    snprintf(more, sizeof more, "&cert=%s/client.pem&key=%s/good.key", shelf->folder,
             shelf->folder);
    is_refused(address_of(&tls, "127.0.0.1", more), "good.key cannot be used for TLS to Redis");
    is_refused(address_of(&tls, "127.0.0.1", "&cert=/nowhere&key=/nowhere"),
               "/nowhere cannot be used for TLS to Redis (cert)");
    is_refused("rediss://h?ca=/nowhere", "Redis cannot be reached");
    is_refused("rediss://h?cert=/a", "No address of a Redis server");
    is_refused("rediss://h?ca=/a&ca=/b", "No address of a Redis server");
    is_refused("rediss://h?verify=no", "No address of a Redis server");
    snprintf(more, sizeof more, "rediss://127.0.0.1:%d?ca=/nowhere", tls.port);
    is_refused(more, "/nowhere cannot be used for TLS to Redis (ca)");
    end_tls(&tls);
}

/* Both the way to Sentinel and the way to the server are encrypted. */
static void sentinel_with_tls(void **state) {
    struct shelf *shelf = *state;
    struct tls_shelf tls = begin_tls(shelf);
    struct redis_server sentinel;
    char where[512], lines[512];
    int port = free_port();
    snprintf(lines, sizeof lines,
             "tls-port %d\ntls-auth-clients no\ntls-replication yes\ntls-ca-cert-file %s/good.pem\n"
             "tls-cert-file %s/good-here.pem\ntls-key-file %s/good-here.key\n",
             port, shelf->folder, shelf->folder, shelf->folder);
    redis_server_start_sentinel(&sentinel, tls.port, lines);
    snprintf(where, sizeof where, "rediss+sentinel://localhost:%d/table?ca=%s/bad.pem", port,
             shelf->folder);
    is_refused(where, "self-signed certificate in certificate chain");
    snprintf(where, sizeof where, "rediss+sentinel://localhost:%d/table?ca=%s/good.pem", port,
             shelf->folder);
    go_by(shelf, where);
    assert_int_equal(shelf_append(shelf, "AAAAAA", 0, "one", &answer), STORE_OK);
    redis_server_remove(&sentinel);
    end_tls(&tls);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, shelf_put_away)
    const struct CMUnitTest tests[] = {
        TEST(addresses_are_read),
        TEST(parts_of_addresses_are_told_apart),
        TEST(user_needs_no_more_than_the_docs_say),
        TEST(sentinel_leads_to_the_master),
        TEST(without_tls_it_is_refused_by_name),
        TEST(connections_are_encrypted),
        TEST(certificates_are_checked),
        TEST(other_server_at_the_same_address_is_not_spoken_to),
        TEST(server_may_ask_for_a_certificate),
        TEST(sentinel_with_tls),
    };
    signal(SIGPIPE, SIG_IGN);
    redis_server_start_with_port(&server);
    int failed = cmocka_run_group_tests_name("redis_ways", tests, NULL, NULL);
    redis_server_remove(&server);
    return failed;
}
