/* PL-57: where an option of the game asks for details, what happens at the table is also told in
 * the server's log, for fault reports: what the rules tell everybody, and which actions were
 * refused. Nobody's cards, nothing that people write and no seed is in it. */
#pragma once

#include "server/ops/log.h"
#include "world/world.h"

/* A server writes so many of these lines a minute, since anybody may ask for them at their own
 * table; how many were left out is told once a minute. */
enum { DETAIL_LINES_PER_MINUTE = 1200 };

/* Begins as zero. */
struct detail_log {
    int64_t minute_ms; /* since when the lines are counted */
    int lines;
    struct log_silence left_out;
};

void detail_log_change(struct detail_log *log, int64_t now_ms, const struct world *world,
                       const struct events *events);
void detail_log_refusal(struct detail_log *log, int64_t now_ms, const struct world *world,
                        struct span id, const struct refusal *why);
