/* See detail_log.h. A line has a bounded length; of longer data only the size is written. */
#include "server/rooms/detail_log.h"

#include "server/net/status.h"
#include "server/ops/log.h"

enum { DATA_SIZE = 768 };

/* A world that is being read has no game yet. */
static bool wants_details(const struct world *world) {
    return log_wants(LOG_INFO) && world->game &&
           options_want_details(&world->game->options, &world->options);
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

void detail_log_change(const struct world *world, const struct events *events) {
    char version[24], data[DATA_SIZE];
    if (!wants_details(world))
        return;
    log_number(version, world->version);
    for (size_t i = 0; i < events->count; i++) {
        const struct event *event = &events->item[i];
        if (!event->of_game || event->audience != EVERYONE)
            continue;
        write_data(event->data, data);
        log_line(LOG_INFO, "detail", "world", world->code, "version", version, "what", event->type,
                 "data", data, NULL);
    }
}

/* The words of the action may name a card that only its author knows, and so may the refusal. */
void detail_log_refusal(const struct world *world, struct span id, const struct refusal *why) {
    char version[24], who[24];
    int seat;
    if (!wants_details(world) || !world_find_seat(world, id, &seat))
        return;
    log_line(LOG_INFO, "detail", "world", world->code, "version",
             log_number(version, world->version), "what", "refused", "seat", log_number(who, seat),
             "code", refusal_name(why), NULL);
}
