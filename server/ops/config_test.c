/* Defaults, every kind of value, files with their lines, flags, and that the help lists every
 * setting. */
#include "server/ops/config.h"
#include "store/store.h"
#include "tests/support.h"

static struct server_config config;
static struct refusal why;

BEFORE_EACH(begin) {
    config_default(&config);
    why = (struct refusal){0};
    return 0;
}

static bool set(const char *key, const char *value) {
    return config_set(&config, span_of(key), span_of(value), &why);
}

static void refuses(const char *key, const char *value, const char *text) {
    struct server_config before = config;
    assert_false(set(key, value));
    assert_string_equal(why.code, "INVALID_SETTING");
    assert_string_equal(why.text, text);
    assert_memory_equal(&before, &config, sizeof config);
}

UNIT_TEST(has_the_promised_defaults) {
    assert_string_equal(config.listen, "127.0.0.1:8080");
    assert_string_equal(config.store, "sqlite:oyster.db");
    assert_string_equal(config.public_url, "");
    assert_string_equal(config.web, "installed");
    assert_string_equal(config.pusher_key, "oyster");
    assert_string_equal(config.pusher_secret, "");
    assert_int_equal(config.log_level, CONFIG_LOG_INFO);
    assert_int_equal(config.log_format, CONFIG_LOG_LOGFMT);
    assert_int_equal(config.trust_proxy, 0);
    assert_int_equal(config.access_log, 0);
    assert_int_equal(config.bot_threads, 0);
    assert_int_equal(config.body_max, 16384);
    assert_int_equal(config.json_depth_max, 32);
    assert_int_equal(config.header_ms, 5000);
    assert_int_equal(config.idle_ms, 75000);
    assert_int_equal(config.message_max, 4096);
    assert_int_equal(config.send_queue_max, 262144);
    assert_int_equal(config.connections_max, 12000);
    assert_int_equal(config.connections_per_address, 256);
    assert_int_equal(config.requests_per_second, 500);
    assert_int_equal(config.worlds_per_player, 20);
    assert_int_equal(config.actions_per_second, 20);
    assert_int_equal(config.actions_burst, 40);
    assert_int_equal(config.sessions_per_minute, 30);
    assert_int_equal(config.failed_joins_per_minute, 20);
    assert_int_equal(config.failed_joins_per_minute_in_all, 600);
    assert_int_equal(config.away_ms, 60000);
    assert_int_equal(config.lobby_ms, 600000);
    assert_int_equal(config.idle_seat_ms, 60000);
    assert_int_equal(config.close_ms, 60000);
    assert_int_equal(config.abandon_ms, 86400000);
    assert_int_equal(config.archive_after_ms, 604800000);
    assert_int_equal(config.archive_idle_ms, 2592000000);
}

UNIT_TEST(reads_numbers_in_their_range) {
    assert_true(set("connections-max", "1"));
    assert_int_equal(config.connections_max, 1);
    assert_true(set("connections-max", "1000000"));
    assert_int_equal(config.connections_max, 1000000);
    assert_true(set("archive-idle-ms", "31622400000"));
    assert_int_equal(config.archive_idle_ms, INT64_C(31622400000));
    const char *text = "connections-max must be 1 to 1000000";
    static const char *const bad[] = {
        "0", "1000001", "", "-1", "+5", "1e3", "5x", "0x10", "1 2", "99999999999999999999", NULL};
    for (int i = 0; bad[i]; i++)
        refuses("connections-max", bad[i], text);
    assert_true(set("connections-max", "000000000000005") && config.connections_max == 5);
    refuses("bot-threads", "", "bot-threads must be 0 to 256");
    refuses("away-ms", "2147483648", "away-ms must be 0 to 2147483647");
}

UNIT_TEST(reads_yes_and_no) {
    static const char *const words[] = {"yes", "no", "on", "off", "true", "false"};
    for (int i = 0; i < 6; i++) {
        assert_true(set("trust-proxy", words[i]));
        assert_int_equal(config.trust_proxy, i % 2 == 0);
    }
    refuses("trust-proxy", "maybe", "trust-proxy must be yes or no");
    refuses("access-log", "", "access-log must be yes or no");
    assert_true(set("access-log", "yes"));
    assert_int_equal(config.access_log, 1);
}

UNIT_TEST(reads_choices) {
    assert_true(set("log-level", "error") && config.log_level == CONFIG_LOG_ERROR);
    assert_true(set("log-level", "warn") && config.log_level == CONFIG_LOG_WARN);
    assert_true(set("log-level", "debug") && config.log_level == CONFIG_LOG_DEBUG);
    assert_true(set("log-format", "json") && config.log_format == CONFIG_LOG_JSON);
    assert_true(set("store-confirm", "replica") && config.store_confirm == STORE_REPLICATED);
    refuses("log-level", "loud", "log-level must be one of: error, warn, info, debug");
    refuses("log-format", "", "log-format must be one of: logfmt, json");
}

UNIT_TEST(reads_texts_of_bounded_size) {
    char text[CONFIG_TEXT_SIZE + 1];
    memset(text, 'x', sizeof text);
    text[CONFIG_TEXT_SIZE - 1] = '\0';
    assert_true(set("web", text));
    assert_string_equal(config.web, text);
    assert_true(set("web", "out"));
    assert_string_equal(config.web, "out");
    text[CONFIG_TEXT_SIZE - 1] = 'x';
    text[CONFIG_TEXT_SIZE] = '\0';
    const char *refusal = "web must have at most 255 bytes and no control characters";
    refuses("web", text, refusal);
    refuses("web", "a\nb", refusal);
    refuses("web", "a\x7f", refusal);
    assert_true(set("web", "") && config.web[0] == '\0');
}

static void listens(const char *listen, const char *expected_host, int expected_port) {
    char host[CONFIG_HOST_SIZE];
    int port = -1;
    assert_true(config_listen(span_of(listen), host, &port));
    assert_string_equal(host, expected_host);
    assert_int_equal(port, expected_port);
}

UNIT_TEST(reads_addresses) {
    static const char *const bad[] = {
        "",       "8080",  ":8080", "127.0.0.1", "127.0.0.1:", "a:-1",  "a:65536", "a b:80",
        "::1:80", "[::1]", "[]:80", "a:80 ",     "a:8o",       "*x:80", "a]:80",   NULL};
    for (int i = 0; bad[i]; i++)
        refuses("listen", bad[i], "listen must be an address and a port such as 127.0.0.1:8080");
    listens("127.0.0.1:8080", "127.0.0.1", 8080);
    listens("[fe80::1%eth0]:0", "fe80::1%eth0", 0);
    listens("*:65535", "*", 65535);
    assert_true(set("listen", "cards-1.example:80"));
}

UNIT_TEST(a_host_has_room) {
    char listen[CONFIG_HOST_SIZE + 8], host[CONFIG_HOST_SIZE];
    int port;
    memset(listen, 'a', sizeof listen);
    memcpy(listen + CONFIG_HOST_SIZE - 1, ":1", 3);
    assert_true(config_listen(span_of(listen), host, &port));
    assert_int_equal(strlen(host), CONFIG_HOST_SIZE - 1);
    memset(listen, 'a', sizeof listen);
    memcpy(listen + CONFIG_HOST_SIZE, ":1", 3);
    assert_false(config_listen(span_of(listen), host, &port));
}

/* PL-48: the store is a setting. */
UNIT_TEST(reads_stores_urls_and_keys) {
    assert_true(set("store", "memory"));
    assert_true(set("store", "sqlite:/var/lib/oyster/worlds.db"));
    assert_string_equal(config.store, "sqlite:/var/lib/oyster/worlds.db");
    assert_true(set("store", "redis://127.0.0.1:6379/0"));
    assert_true(set("store", "unix:///run/redis/redis.sock"));
    assert_true(set("node", "table-3"));
    refuses("node", "a b", "node must be letters, digits, - and _, at most 32");
    const char *store =
        "store must be sqlite:PATH, redis://HOST:PORT/DATABASE, unix:///SOCKET or memory";
    refuses("store", "sqlite:", store);
    refuses("store", "redis:x", store);
    refuses("store", "memory2", store);
    assert_true(set("public-url", "https://cards.example.org:8443/oyster"));
    assert_true(set("public-url", "http://[::1]:8080"));
    assert_true(set("public-url", ""));
    const char *url = "public-url must be empty or a URL such as https://cards.example.org, "
                      "without a slash at its end";
    refuses("public-url", "cards.example.org", url);
    refuses("public-url", "https://cards.example.org/", url);
    refuses("public-url", "https://a b", url);
    refuses("public-url", "https://a\"b", url);
    refuses("pusher-key", "", "pusher-key must be letters, digits, - and _");
    refuses("pusher-key", "a/b", "pusher-key must be letters, digits, - and _");
    assert_true(set("pusher-key", "a-z_A-Z09") && set("pusher-secret", "s3cr#t = x"));
    assert_string_equal(config.pusher_secret, "s3cr#t = x");
}

UNIT_TEST(refuses_unknown_settings) {
    refuses("colour", "red", "There is no setting 'colour'");
    refuses("", "red", "There is no setting ''");
    refuses("Listen", "red", "There is no setting 'Listen'");
}

UNIT_TEST(reads_a_file) {
    const char *file = "# Oyster at home\r\n\n"
                       "   listen=0.0.0.0:80   # everybody\n"
                       "log-level\t=\tdebug\r\n"
                       "pusher-secret = a#b=c\npublic-url =\nactions-burst = 7";
    assert_true(config_read_text(&config, "oyster.conf", span_of(file), &why));
    assert_string_equal(config.listen, "0.0.0.0:80");
    assert_int_equal(config.log_level, CONFIG_LOG_DEBUG);
    assert_string_equal(config.pusher_secret, "a#b=c");
    assert_string_equal(config.public_url, "");
    assert_int_equal(config.actions_burst, 7);
    assert_true(config_read_text(&config, "empty", (struct span){NULL, 0}, &why));
}

static void refuses_file(const char *name, const char *file, const char *text) {
    assert_false(config_read_text(&config, name, span_of(file), &why));
    assert_string_equal(why.text, text);
    assert_string_equal(why.code, "INVALID_SETTING");
}

UNIT_TEST(says_which_line_is_wrong) {
    refuses_file("oyster.conf", "# one\n\nlisten = a:1\nlog-level = loud\n",
                 "oyster.conf, line 4: log-level must be one of: error, warn, info, debug");
    refuses_file("a", "web out", "a, line 1: Expected key = value, found 'web out'");
    refuses_file("a", "\n= x", "a, line 2: There is no setting ''");
    const char *deep = "/a/very/long/path/that/goes/on/and/on/until/nobody/can/read/it/oyster.conf";
    refuses_file(deep, "x",
                 "...ath/that/goes/on/and/on/until/nobody/can/read/it/oyster.conf, line 1: "
                 "Expected key = value, found 'x'");
    assert_false(config_read_text(&config, deep, span_of("x"), NULL));
}

static void write_file(const char *path, size_t size, const char *end) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (size_t i = strlen(end); i < size; i++)
        fputc('\n', file);
    fputs(end, file);
    fclose(file);
}

UNIT_TEST(reads_files_of_bounded_size) {
    const char *path = "config_test.tmp";
    write_file(path, CONFIG_FILE_SIZE_MAX, "web = there");
    bool fits = config_read_file(&config, path, &why);
    write_file(path, CONFIG_FILE_SIZE_MAX + 1, "web = there");
    bool too_much = config_read_file(&config, path, &why);
    remove(path);
    assert_true(fits);
    assert_string_equal(config.web, "there");
    assert_false(too_much);
    assert_string_equal(why.text, "'config_test.tmp' has more than 65536 bytes");
    assert_false(config_read_file(&config, path, &why));
    assert_string_equal(why.text, "Cannot open 'config_test.tmp'");
    assert_false(config_read_file(&config, ".", &why));
    assert_string_equal(why.text, "Cannot read '.'");
}

static bool flags(const char *const *words) {
    int count = 0;
    while (words[count])
        count++;
    return config_read_flags(&config, count, (char *const *)words, &why);
}

static void refuses_flags(const char *flag, const char *value, const char *text) {
    assert_false(flags((const char *const[]){flag, value, NULL}));
    assert_string_equal(why.text, text);
}

UNIT_TEST(flags_overrule_the_file) {
    const char *path = "config_flags_test.tmp";
    write_file(path, 0, "web = file\nlog-level = warn\n");
    bool read = flags((const char *const[]){"--web", "flag", "--config", path, "--store=memory",
                                            "--pusher-secret=a=b", NULL});
    remove(path);
    assert_true(read);
    assert_string_equal(config.web, "flag");
    assert_int_equal(config.log_level, CONFIG_LOG_WARN);
    assert_string_equal(config.store, "memory");
    assert_string_equal(config.pusher_secret, "a=b");
}

UNIT_TEST(refuses_broken_flags) {
    refuses_flags("--web", NULL, "'--web' needs a value");
    refuses_flags("web", "x", "Expected a flag, found 'web'");
    refuses_flags("--colour", "red", "There is no setting 'colour'");
    refuses_flags("--config=/nonexistent/x", NULL, "Cannot open '/nonexistent/x'");
    assert_true(flags((const char *const[]){NULL}));
}

static char printed[32768];

static void print(void (*print_all)(FILE *)) {
    FILE *file = tmpfile();
    assert_non_null(file);
    print_all(file);
    rewind(file);
    printed[fread(printed, 1, sizeof printed - 1, file)] = '\0';
    fclose(file);
}

UNIT_TEST(the_help_knows_every_kind_of_setting) {
    print(config_print_help);
    assert_non_null(strstr(printed, "  --config PATH\n"));
    assert_non_null(strstr(printed, "  --body-max VALUE\n      Bytes of a request's body.\n"
                                    "      1024 to 16000000; default: 16384\n"));
    assert_non_null(strstr(printed, "  --log-format VALUE\n      The format of a log line.\n"
                                    "      logfmt, json; default: logfmt\n"));
    assert_non_null(strstr(printed, "yes or no; default: no\n"));
    assert_non_null(strstr(printed, "without a slash at its end; default: empty\n"));
}

UNIT_TEST(the_table_is_complete) {
    int rows = 0;
    print(config_print_markdown);
    for (const char *at = printed; (at = strchr(at, '\n')); at++)
        rows++;
    assert_int_equal(rows, 2 + 57);
    assert_non_null(strstr(printed, "| `header-ms` | 100 to 600000 | `5000` | Time a client has to "
                                    "send its request |\n"));
    assert_non_null(strstr(printed, "| `web` | text | `installed` | Folder"));
}
