/* See log.h. One write per line, so that lines never mix. */
#include "server/ops/log.h"

#include "engine/json.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINE_SIZE = 2048 };

static const char *const level_names[] = {"error", "warn", "info", "debug"};

/* What server_run chose once, before anything is logged. It is not passed around, since a program
 * has one standard error, and whatever goes wrong anywhere must be able to say so. */
static struct {
    enum log_severity level;
    bool json;
} chosen = {LOG_INFO, false};

void log_open(enum log_severity level, bool json) {
    chosen.level = level;
    chosen.json = json;
}

bool log_wants(enum log_severity level) {
    return level <= chosen.level;
}

bool log_is_due(struct log_silence *silence, int64_t now_ms, int64_t *count) {
    *count = ++silence->count;
    if (now_ms < silence->until_ms)
        return false;
    *silence = (struct log_silence){.until_ms = now_ms + LOG_SILENCE_MS};
    return true;
}

const char *log_number(char buffer[24], int64_t number) {
    snprintf(buffer, 24, "%" PRId64, number);
    return buffer;
}

static bool is_plain(const char *value) {
    if (!*value)
        return false;
    for (const char *at = value; *at; at++)
        if ((unsigned char)*at <= ' ' || *at == '"' || *at == '=' || *at == 0x7f)
            return false;
    return true;
}

static void put_pair(struct json *json, struct text *text, const char *key, const char *value) {
    if (chosen.json) {
        json_put_string(json, key, value);
        return;
    }
    char quoted[LINE_SIZE];
    text_string(text, text->length > 0 ? " " : "");
    text_string(text, key);
    text_char(text, '=');
    if (is_plain(value)) {
        text_string(text, value);
        return;
    }
    struct json inner = json_in(quoted, sizeof quoted);
    json_put_string(&inner, NULL, value);
    text_string(text, quoted);
}

static void put_time(char *out, size_t size) {
    struct timespec now;
    struct tm parts;
    char seconds[24];
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    strftime(seconds, sizeof seconds, "%Y-%m-%dT%H:%M:%S", &parts);
    snprintf(out, size, "%s.%03dZ", seconds, (int)(now.tv_nsec / 1000000));
}

void log_line(enum log_severity level, const char *event, ...) {
    char buffer[LINE_SIZE], now[40];
    va_list pairs;
    if (!log_wants(level))
        return;
    struct text text = text_in(buffer, sizeof buffer - 1);
    struct json json = json_in(buffer, sizeof buffer - 1);
    if (chosen.json)
        json_put_object(&json, NULL);
    put_time(now, sizeof now);
    put_pair(&json, &text, "time", now);
    put_pair(&json, &text, "level", level_names[level]);
    put_pair(&json, &text, "event", event);
    va_start(pairs, event);
    for (const char *key; (key = va_arg(pairs, const char *));)
        put_pair(&json, &text, key, va_arg(pairs, const char *));
    va_end(pairs);
    if (chosen.json)
        json_put_end(&json);
    size_t length = strlen(buffer);
    buffer[length++] = '\n';
    if (write(STDERR_FILENO, buffer, length) < 0)
        return; /* nobody to tell */
}
