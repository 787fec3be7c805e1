/* Lines about what the server does: a time, a level, an event and pairs of keys and values, as
 * logfmt or as JSON. Values from outside are escaped; what people write is not logged at all. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum log_severity { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

void log_open(enum log_severity level, bool json);
bool log_wants(enum log_severity level);

/* After the event come pairs of a key and a string, up to a null key. */
void log_line(enum log_severity level, const char *event, ...) __attribute__((sentinel));

/* For what may happen again and again: it is told once a minute, so that it does not fill the disk.
 * Begins as zero. */
struct log_silence {
    int64_t until_ms;
    int64_t count; /* how often it happened since it was last told */
};
enum { LOG_SILENCE_MS = 60000 };

/* It has happened. True if it is to be told; `count` is how often it happened since the last time,
 * this one included. */
bool log_is_due(struct log_silence *silence, int64_t now_ms, int64_t *count);

/* A number as a string for log_line, in a buffer of the caller's. */
const char *log_number(char buffer[24], int64_t number);
