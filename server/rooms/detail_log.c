/* See detail_log.h. A line has a bounded length; of longer data only the size is written. */
#include "server/rooms/detail_log.h"

#include "server/net/status.h"

enum { DATA_SIZE = 768 };

/* A world that is being read has no game yet. */
static bool wants_details(const struct world *world) {
    return log_wants(LOG_INFO) && world->game &&
           options_want_details(&world->game->options, &world->options);
}

static bool has_room(struct detail_log *log, int64_t now_ms) {
    char number[24];
    int64_t count;
    if (now_ms < log->minute_ms || now_ms >= log->minute_ms + 60000) {
        log->minute_ms = now_ms;
        log->lines = 0;
    }
    if (log->lines < DETAIL_LINES_PER_MINUTE) {
        log->lines++;
        return true;
    }
    if (log_is_due(&log->left_out, now_ms, &count))
        log_line(LOG_WARN, "details_left_out", "lines", log_number(number, count), NULL);
    return false;
}

static void write_data(struct span data, char out[DATA_SIZE]) {
    struct text text = text_in(out, DATA_SIZE);
    text_span(&text, data);
    if (!text.cut)
        return;
    text_begin(&text, out, DATA_SIZE);
    text_number(&text, (int64_t)data.length);
    text_string(&text, " bytes");
}

void detail_log_change(struct detail_log *log, int64_t now_ms, const struct world *world,
                       const struct events *events) {
    char version[24], data[DATA_SIZE];
    if (!wants_details(world))
        return;
    log_number(version, world->version);
    for (size_t i = 0; i < events->count; i++) {
        const struct event *event = &events->item[i];
        if (!event->of_game || event->audience != EVERYONE || !has_room(log, now_ms))
            continue;
        write_data(event->data, data);
        log_line(LOG_INFO, "detail", "world", world->code, "version", version, "what", event->type,
                 "data", data, NULL);
    }
}

/* The words of the action may name a card that only its author knows, and so may the refusal. */
void detail_log_refusal(struct detail_log *log, int64_t now_ms, const struct world *world,
                        struct span id, const struct refusal *why) {
    char version[24], who[24];
    int seat;
    if (!wants_details(world) || !world_find_seat(world, id, &seat) || !has_room(log, now_ms))
        return;
    log_line(LOG_INFO, "detail", "world", world->code, "version",
             log_number(version, world->version), "what", "refused", "seat", log_number(who, seat),
             "code", refusal_name(why), NULL);
}
