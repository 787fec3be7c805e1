/* The settings as a table, and everything that is read off it. */
#include "server/ops/config.h"

#include "engine/ensure.h"
#include <stddef.h>
#include <string.h>

enum setting_kind { SETTING_TEXT, SETTING_NUMBER, SETTING_YES_NO, SETTING_CHOICE };

struct setting {
    const char *key, *standard, *help;
    enum setting_kind kind;
    size_t offset;
    int64_t min, max;
    const char *const *choices; /* null-terminated; the value is the index */
    bool (*fits)(struct span value);
    const char *form; /* what a text that does not fit should have been */
    bool reloads;     /* may change while the server runs */
};

/* ---- Texts ---- */

/* Takes the brackets off an address, which one with colons needs. */
static bool read_host(struct span host, char out[CONFIG_HOST_SIZE]) {
    bool bracketed = host.length > 2 && host.data[0] == '[' && host.data[host.length - 1] == ']';
    if (bracketed)
        host = (struct span){host.data + 1, host.length - 2};
    struct text text = text_in(out, CONFIG_HOST_SIZE);
    text_span(&text, host);
    return !text.cut && (span_is(host, "*") || span_made_of(host, bracketed ? ":.%" : "-."));
}

bool config_listen(struct span listen, char host[CONFIG_HOST_SIZE], int *port) {
    size_t colon = listen.length;
    while (colon > 0 && listen.data[colon - 1] != ':')
        colon--;
    struct span digits = {listen.data + colon, listen.length - colon};
    int32_t number;
    if (colon == 0 || digits.length == 0 || *digits.data == '-' || !span_number(digits, &number) ||
        number > 65535)
        return false;
    *port = (int)number;
    return read_host((struct span){listen.data, colon - 1}, host);
}

static bool is_listen(struct span value) {
    char host[CONFIG_HOST_SIZE];
    int port;
    return config_listen(value, host, &port);
}

/* What cannot be used on this system passes, too: the store refuses it with a better text. */
static bool is_store(struct span value) {
    return span_is(value, "memory") || span_take(&value, "redis://") ||
           span_take(&value, "rediss://") || span_take(&value, "redis+sentinel://") ||
           span_take(&value, "rediss+sentinel://") || span_take(&value, "unix:///") ||
           (span_take(&value, "sqlite:") && value.length > 0);
}

static bool is_url(struct span value) {
    return (span_take(&value, "http://") || span_take(&value, "https://")) &&
           span_made_of(value, ":/.-_~%[]") && value.data[value.length - 1] != '/';
}

static bool is_contact(struct span value) {
    struct span rest = value;
    return (span_take(&rest, "https://") && is_url(value)) ||
           (span_take(&rest, "mailto:") && span_made_of(value, ":@.-_+"));
}

static bool is_key(struct span value) {
    return span_made_of(value, "-_");
}

/* A host's token must be long, so that nobody can guess it. */
static bool is_host_token(struct span value) {
    return value.length >= 20 && value.length <= 128 && span_made_of(value, "-_");
}

static bool is_node(struct span value) {
    return value.length <= 32 && span_made_of(value, "-_");
}

/* ---- The table ---- */

static const char *const levels[] = {"error", "warn", "info", "debug", NULL};
static const char *const formats[] = {"logfmt", "json", NULL};
static const char *const confirms[] = {"written", "disk", "replica", NULL};

#define FIELD(name)               .offset = offsetof(struct server_config, name)
#define NUMBER(name, least, most) .kind = SETTING_NUMBER, FIELD(name), .min = (least), .max = (most)
#define TEXT(name)                .kind = SETTING_TEXT, FIELD(name)
#define YES_NO(name)              .kind = SETTING_YES_NO, FIELD(name)
#define CHOICE(name, words)       .kind = SETTING_CHOICE, FIELD(name), .choices = (words)
#define RELOADS                   .reloads = true

enum { SECOND = 1000, HOUR = 3600000, MILLION = 1000000 };

static const struct setting settings[] = {
    {"listen", "127.0.0.1:8080",
     "Address and port; *:8080 for every address of the machine, [::1]:8080 for IPv6, port 0 for "
     "any that is free",
     TEXT(listen), .fits = is_listen, .form = "an address and a port such as 127.0.0.1:8080"},
    {"store", "sqlite:oyster.db",
     "Where worlds are kept: sqlite:PATH; redis://HOST:PORT/DATABASE (rediss:// with TLS, "
     "redis+sentinel://HOST:PORT/MASTER by Sentinel), or unix:///SOCKET of a Redis server on this "
     "machine, for several servers that share them; or memory, which forgets them at the end",
     TEXT(store), .fits = is_store,
     .form = "sqlite:PATH, redis://HOST:PORT/DATABASE, unix:///SOCKET or memory"},
    {"store-confirm", "written",
     "When an action counts as done on Redis: once it has been written there, once its disk has it "
     "(WAITAOF, Redis 7.2), or once a replica has it, too (WAIT)",
     CHOICE(store_confirm, confirms)},
    {"node", "node", "This server's name among those that share a store", TEXT(node),
     .fits = is_node, .form = "letters, digits, - and _, at most 32"},
    {"public-url", "", "Where people reach this server; https:// makes cookies Secure",
     TEXT(public_url), .fits = is_url,
     .form = "empty or a URL such as https://cards.example.org, without a slash at its end"},
    {"web", "installed",
     "Folder of static files that is served at /; `installed` for the page that was installed with "
     "the program, if there is one; empty for none",
     TEXT(web)},
    {"log-level", "info", "Which events are logged: those of this level and more serious ones",
     CHOICE(log_level, levels), RELOADS},
    {"log-format", "logfmt", "The format of a log line", CHOICE(log_format, formats), RELOADS},
    {"access-log", "no",
     "A line for every request: its id, address, route, status, bytes and milliseconds",
     YES_NO(access_log), RELOADS},
    {"metrics-listen", "",
     "Address and port for /metrics alone, beside /healthz and /readyz; empty: it is with all the "
     "other routes",
     TEXT(metrics_listen), .fits = is_listen,
     .form = "empty or an address and a port such as 127.0.0.1:9180"},

    {"body-max", "16384", "Bytes of a request's body", NUMBER(body_max, 1024, 16 * MILLION),
     RELOADS},
    {"unfinished-max", "33554432",
     "Bytes of unfinished requests of all connections together; the first 4096 of each do not "
     "count",
     NUMBER(unfinished_max, 1024, 1000 * MILLION)},
    {"json-depth-max", "32", "Levels of nested arrays and objects in a body or a message",
     NUMBER(json_depth_max, 4, 256), RELOADS},
    {"header-ms", "5000", "Time a client has to send its request",
     NUMBER(header_ms, 100, 10 * 60 * SECOND)},
    {"idle-ms", "75000", "Time after which a silent connection is closed",
     NUMBER(idle_ms, SECOND, HOUR)},
    {"message-max", "4096", "Bytes of a message on a socket", NUMBER(message_max, 256, MILLION)},
    {"messages-per-second", "10",
     "Messages or pieces of them on one socket, on average; it is closed if there are more",
     NUMBER(messages_per_second, 1, MILLION)},
    {"messages-burst", "60", "Messages on one socket at once after a rest",
     NUMBER(messages_burst, 1, MILLION)},
    {"activity-ms", "30000",
     "Time after which a client with a silent socket asks whether it is still open",
     NUMBER(activity_ms, SECOND, HOUR)},
    {"patience-ms", "45000", "Time beyond that until a silent socket is closed",
     NUMBER(patience_ms, 0, HOUR)},
    {"send-queue-max", "262144",
     "Bytes that may wait for a slow client before its socket is closed",
     NUMBER(send_queue_max, 16384, 64 * MILLION)},
    {"connections-max", "12000", "Connections at a time", NUMBER(connections_max, 1, MILLION)},
    {"connections-per-address", "256", "Connections at a time from one address; 0 for any number",
     NUMBER(connections_per_address, 0, MILLION)},

    {"requests-per-second", "500",
     "Requests from one address, and views that its subscriptions bring, on average, and four "
     "times as many at once after a rest; 0 for any number",
     NUMBER(requests_per_second, 0, MILLION)},
    {"worlds-per-player", "20", "Worlds that one person may own at a time",
     NUMBER(worlds_per_player, 1, 10000), RELOADS},
    {"actions-per-second", "20", "Actions of one person, on average",
     NUMBER(actions_per_second, 1, MILLION)},
    {"actions-burst", "40", "Actions of one person at once after a rest",
     NUMBER(actions_burst, 1, MILLION)},
    {"sessions-per-minute", "30", "New sessions from one address",
     NUMBER(sessions_per_minute, 1, MILLION)},
    {"failed-joins-per-minute", "20",
     "Codes without a world that one address may try; links of invitations have no limit",
     NUMBER(failed_joins_per_minute, 1, MILLION)},
    {"failed-joins-per-minute-in-all", "600",
     "Codes without a world that all addresses together may try; links of invitations have no "
     "limit",
     NUMBER(failed_joins_per_minute_in_all, 1, MILLION)},

    {"read-units-per-second", "20",
     "What one person may read of logs, statistics and the like, on average: a unit is 100 entries "
     "of a log. One address may read four times as much",
     NUMBER(read_units_per_second, 1, MILLION)},
    {"read-units-burst", "400",
     "The same at once after a rest; who asks for more at once waits until it is full",
     NUMBER(read_units_burst, 1, MILLION)},

    {"written-per-minute", "65536",
     "Bytes that one person may have written into the store, on average and at once after a rest; "
     "a game that is started counts for 16384. One address may have four times as many written; 0 "
     "for any number",
     NUMBER(written_per_minute, 0, 1000 * MILLION)},
    {"renames-per-hour", "30", "Times that one person may change their name",
     NUMBER(renames_per_hour, 1, MILLION)},
    {"memberships-per-player", "100", "Worlds in which one person may be at a time",
     NUMBER(memberships_per_player, 1, 1000)},
    {"entries-per-world", "20000",
     "Entries that a world's log may have; the last tenth is for moves of the game and "
     "orders of the owner, the last fiftieth for these alone",
     NUMBER(entries_per_world, 100, MILLION)},
    {"bytes-per-world", "4000000",
     "Bytes that a world's log may have; the last tenth is for moves of the game and "
     "orders of the owner, the last fiftieth for these alone",
     NUMBER(bytes_per_world, 16384, 16 * MILLION)},

    {"away-ms", "60000", "Time until a bot plays for somebody whose connection is lost",
     NUMBER(away_ms, 0, INT32_MAX)},
    {"lobby-ms", "600000", "The same in a world that has not started: the place becomes free",
     NUMBER(lobby_ms, 0, INT32_MAX)},
    {"idle-seat-ms", "60000", "Time after which the owner may hand an idle seat to a bot",
     NUMBER(idle_seat_ms, 0, INT32_MAX)},
    {"close-ms", "60000", "Time until a world closes that everybody left",
     NUMBER(close_ms, 0, INT32_MAX)},
    {"abandon-ms", "86400000", "Time until a world closes in which nobody was seen",
     NUMBER(abandon_ms, SECOND, INT32_MAX)},
    {"archive-after-ms", "604800000", "Time that a finished world is kept",
     NUMBER(archive_after_ms, 0, INT64_C(366) * 24 * HOUR)},
    {"archive-idle-ms", "2592000000", "Time that a world is kept in which nothing happens",
     NUMBER(archive_idle_ms, SECOND, INT64_C(366) * 24 * HOUR)},

    {"keep-worlds-ms", "7776000000",
     "Time after which a world that was put away is gone with its log and its results, but not "
     "from people's totals; 0 for never",
     NUMBER(keep_worlds_ms, 0, INT64_C(3660) * 24 * HOUR)},
    {"keep-people-ms", "34560000000",
     "Time after which somebody is gone who was not seen and is in no world; 0 for never",
     NUMBER(keep_people_ms, 0, INT64_C(3660) * 24 * HOUR)},

    {"bot-threads", "0", "Threads on which bots think; 0 for one a core",
     NUMBER(bot_threads, 0, 256)},
    {"io-uring", "yes", "Send to many sockets with one call, where the kernel can",
     YES_NO(io_uring)},
    {"trust-proxy", "no", "Believe X-Forwarded-For; only behind a proxy that sets it",
     YES_NO(trust_proxy), RELOADS},
    {"host-token", "",
     "What a host types at /host to see worlds, people and load; empty: there is no such page. "
     "Better in a file than in a flag, which other users of the machine can read",
     TEXT(host_token), .fits = is_host_token,
     .form = "empty, or 20 to 128 letters, digits, - and _", RELOADS},
    {"host-write-token", "", "The same for a host who also acts: a message to all, drain, ban",
     TEXT(host_write_token), .fits = is_host_token,
     .form = "empty, or 20 to 128 letters, digits, - and _", RELOADS},
    {"push", "yes",
     "Offer people to be called when it is their turn and the page is closed (Web Push). The "
     "server then sends to the push services of their browsers",
     YES_NO(push)},
    {"push-contact", "",
     "Whom push services may write to about this server; empty for public-url. Apple's insists on "
     "one",
     TEXT(push_contact), .fits = is_contact, .form = "empty, mailto:NAME@HOST or https://HOST"},
    {"push-certificates", "",
     "A file of authorities (PEM) that certify push services; empty for the system's",
     TEXT(push_certificates)},
    {"push-anywhere", "no",
     "For tests: send also to ports and addresses that nobody on the internet has",
     YES_NO(push_anywhere)},
    {"pusher-key", "oyster", "The public key by which clients name this server", TEXT(pusher_key),
     .fits = is_key, .form = "letters, digits, - and _"},
    {"pusher-secret", "",
     "What channel permissions are signed with, the same at all servers that share a store; empty "
     "for a random one, which those on Redis agree on. Better in a file than in a flag, which "
     "other users of the machine can read",
     TEXT(pusher_secret)},
};

enum { SETTING_COUNT = sizeof settings / sizeof settings[0] };

static const struct setting *find(struct span key) {
    for (size_t i = 0; i < SETTING_COUNT; i++)
        if (span_is(key, settings[i].key))
            return &settings[i];
    return NULL;
}

/* ---- Values ---- */

static bool read_number(struct span value, int64_t *out) {
    *out = 0;
    if (value.length == 0 || value.length > 15)
        return false;
    for (size_t i = 0; i < value.length; i++) {
        if (value.data[i] < '0' || value.data[i] > '9')
            return false;
        *out = *out * 10 + (value.data[i] - '0');
    }
    return true;
}

static bool read_choice(const char *const *choices, struct span value, int64_t *out) {
    for (*out = 0; choices[*out]; ++*out)
        if (span_is(value, choices[*out]))
            return true;
    return false;
}

static bool read_yes_no(struct span value, int64_t *out) {
    static const char *const words[] = {"no", "yes", "off", "on", "false", "true", NULL};
    bool known = read_choice(words, value, out);
    *out %= 2;
    return known;
}

/* How a value is described in a refusal, in the help and in the documentation. */
static void print_form(const struct setting *setting, struct text *text) {
    if (setting->kind == SETTING_TEXT)
        text_string(text, setting->form ? setting->form : "text");
    if (setting->kind == SETTING_YES_NO)
        text_string(text, "yes or no");
    if (setting->kind == SETTING_NUMBER) {
        text_number(text, setting->min);
        text_string(text, " to ");
        text_number(text, setting->max);
    }
    for (int i = 0; setting->kind == SETTING_CHOICE && setting->choices[i]; i++) {
        text_string(text, i > 0 ? ", " : "");
        text_string(text, setting->choices[i]);
    }
}

static bool refuse_value(const struct setting *setting, struct refusal *why) {
    char form[128];
    struct text text = text_in(form, sizeof form);
    print_form(setting, &text);
    return refuse(why, "INVALID_SETTING", "%s must be %s%s", setting->key,
                  setting->kind == SETTING_CHOICE ? "one of: " : "", form);
}

static bool is_plain(struct span value) {
    for (size_t i = 0; i < value.length; i++)
        if ((unsigned char)value.data[i] < 0x20 || value.data[i] == 0x7f)
            return false;
    return true;
}

static bool read_text(struct server_config *config, const struct setting *setting,
                      struct span value, struct refusal *why) {
    if (value.length >= CONFIG_TEXT_SIZE || !is_plain(value))
        return refuse(why, "INVALID_SETTING",
                      "%s must have at most %d bytes and no control characters", setting->key,
                      CONFIG_TEXT_SIZE - 1);
    bool may_be_empty = !*setting->standard; /* as it is by default */
    if (setting->fits && !(may_be_empty && value.length == 0) && !setting->fits(value))
        return refuse_value(setting, why);
    char *to = (char *)config + setting->offset;
    memset(to, 0, CONFIG_TEXT_SIZE);
    if (value.length > 0)
        memcpy(to, value.data, value.length);
    return true;
}

bool config_set(struct server_config *config, struct span key, struct span value,
                struct refusal *why) {
    const struct setting *setting = find(key);
    int64_t number = 0;
    if (!setting)
        return refuse_word(why, key, "INVALID_SETTING", "There is no setting '%s'");
    if (setting->kind == SETTING_TEXT)
        return read_text(config, setting, value, why);
    bool good =
        setting->kind == SETTING_CHOICE ? read_choice(setting->choices, value, &number)
        : setting->kind == SETTING_YES_NO
            ? read_yes_no(value, &number)
            : read_number(value, &number) && number >= setting->min && number <= setting->max;
    if (good)
        memcpy((char *)config + setting->offset, &number, sizeof number);
    return good || refuse_value(setting, why);
}

void config_default(struct server_config *config) {
    memset(config, 0, sizeof *config);
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        bool set =
            config_set(config, span_of(settings[i].key), span_of(settings[i].standard), NULL);
        ensure(set);
    }
}

/* ---- Files ---- */

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static struct span trim(struct span span) {
    while (span.length > 0 && is_blank(*span.data))
        span = (struct span){span.data + 1, span.length - 1};
    while (span.length > 0 && is_blank(span.data[span.length - 1]))
        span.length--;
    return span;
}

/* The line up to a comment. A `#` inside a word, as in a secret, begins none. */
static struct span without_comment(struct span line) {
    for (size_t i = 0; i < line.length; i++)
        if (line.data[i] == '#' && (i == 0 || is_blank(line.data[i - 1])))
            line.length = i;
    return trim(line);
}

static bool read_line(struct server_config *config, struct span line, struct refusal *why) {
    line = without_comment(line);
    if (line.length == 0)
        return true;
    const char *sign = memchr(line.data, '=', line.length);
    if (!sign)
        return refuse_word(why, line, "INVALID_SETTING", "Expected key = value, found '%s'");
    size_t key = (size_t)(sign - line.data);
    return config_set(config, trim((struct span){line.data, key}),
                      trim((struct span){sign + 1, line.length - key - 1}), why);
}

/* Refuses with the place; of a long path only the end is named. */
static bool refuse_line(const char *name, int line, struct refusal *why) {
    enum { NAME_MAX_SHOWN = 60 };
    if (!why)
        return false;
    struct refusal what = *why;
    size_t length = strlen(name);
    const char *shown = length > NAME_MAX_SHOWN ? name + length - NAME_MAX_SHOWN : name;
    return refuse(why, what.code, "%s%s, line %d: %s", shown == name ? "" : "...", shown, line,
                  what.text);
}

bool config_read_text(struct server_config *config, const char *name, struct span text,
                      struct refusal *why) {
    for (int line = 1; text.length > 0; line++)
        if (!read_line(config, span_take_until(&text, '\n'), why))
            return refuse_line(name, line, why);
    return true;
}

bool config_read_file(struct server_config *config, const char *path, struct refusal *why) {
    char buffer[CONFIG_FILE_SIZE_MAX + 1];
    FILE *file = fopen(path, "rb");
    if (!file)
        return refuse(why, "BAD_FILE", "Cannot open '%s'", path);
    size_t length = fread(buffer, 1, sizeof buffer, file);
    bool read = !ferror(file);
    fclose(file);
    if (!read)
        return refuse(why, "BAD_FILE", "Cannot read '%s'", path);
    if (length > CONFIG_FILE_SIZE_MAX)
        return refuse(why, "BAD_FILE", "'%s' has more than %d bytes", path, CONFIG_FILE_SIZE_MAX);
    return config_read_text(config, path, (struct span){buffer, length}, why);
}

/* ---- Flags ---- */

struct flag {
    struct span key;
    const char *value;
};

/* Takes a flag and its value, which are one word or two. */
static bool take_flag(int count, char *const *words, int *at, struct flag *out,
                      struct refusal *why) {
    const char *word = words[(*at)++];
    if (strncmp(word, "--", 2) != 0)
        return refuse_word(why, span_of(word), "BAD_REQUEST", "Expected a flag, found '%s'");
    const char *sign = strchr(word, '=');
    out->key = sign ? (struct span){word + 2, (size_t)(sign - word - 2)} : span_of(word + 2);
    if (!span_is(out->key, "config") && !find(out->key))
        return refuse_word(why, out->key, "INVALID_SETTING", "There is no setting '%s'");
    if (!sign && *at == count)
        return refuse_word(why, span_of(word), "BAD_REQUEST", "'%s' needs a value");
    out->value = sign ? sign + 1 : words[(*at)++];
    return true;
}

/* Called once for the files and then for everything else. */
static bool read_flags(struct server_config *config, int count, char *const *words, bool files,
                       struct refusal *why) {
    struct flag flag = {0};
    for (int at = 0; at < count;) {
        if (!take_flag(count, words, &at, &flag, why))
            return false;
        bool is_file = span_is(flag.key, "config");
        if (is_file && files && !config_read_file(config, flag.value, why))
            return false;
        if (!is_file && !files && !config_set(config, flag.key, span_of(flag.value), why))
            return false;
    }
    return true;
}

bool config_read_flags(struct server_config *config, int count, char *const *words,
                       struct refusal *why) {
    return read_flags(config, count, words, true, why) &&
           read_flags(config, count, words, false, why);
}

/* ---- Settings that change ---- */

static size_t size_of(const struct setting *setting) {
    return setting->kind == SETTING_TEXT ? CONFIG_TEXT_SIZE : sizeof(int64_t);
}

void config_reload(struct server_config *config, const struct server_config *fresh,
                   void (*tell_waiting)(const char *key)) {
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        const struct setting *setting = &settings[i];
        char *old = (char *)config + setting->offset;
        const char *new = (const char *)fresh + setting->offset;
        if (setting->reloads)
            memcpy(old, new, size_of(setting));
        else if (setting->kind == SETTING_TEXT ? strcmp(old, new) != 0
                                               : memcmp(old, new, size_of(setting)) != 0)
            tell_waiting(setting->key);
    }
}

/* ---- Help ---- */

bool config_setting(size_t number, struct config_setting *out) {
    if (number >= SETTING_COUNT)
        return false;
    const struct setting *setting = &settings[number];
    *out = (struct config_setting){.key = setting->key,
                                   .standard = setting->standard,
                                   .help = setting->help,
                                   .choices = setting->choices,
                                   .reloads = setting->reloads};
    struct text text = text_in(out->form, sizeof out->form);
    print_form(setting, &text);
    return true;
}

void config_print_help(FILE *out) {
    struct config_setting setting;
    fputs("  --config PATH\n      File of lines `key = value`; flags overrule it.\n", out);
    for (size_t i = 0; config_setting(i, &setting); i++)
        fprintf(out, "  --%s VALUE\n      %s.\n      %s%sdefault: %s\n", setting.key, setting.help,
                setting.form, *setting.form ? "; " : "",
                *setting.standard ? setting.standard : "empty");
}

void config_print_markdown(FILE *out) {
    struct config_setting setting;
    fputs("| setting | value | default | what it is |\n|---|---|---|---|\n", out);
    for (size_t i = 0; config_setting(i, &setting); i++)
        fprintf(out, "| `%s` | %s | %s%s%s | %s |\n", setting.key, setting.form,
                *setting.standard ? "`" : "", setting.standard, *setting.standard ? "`" : "",
                setting.help);
}
