/* A world's past as its people saw it. It tells what the entries told everybody, so that who comes
 * back to the table reads the same as who stayed. What only a seat was told is not part of it. */
#include "world/change.h"

#include <string.h>

/* These events repeat how the world stands now, so they are no part of its past. */
static bool is_standing(const struct event *event) {
    static const char *const types[] = {"world-updated", "teams-updated", "settings-updated",
                                        "seat-changed"};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(event->type, types[i]) == 0)
            return true;
    return false;
}

static bool is_talk(const struct event *event) {
    return strcmp(event->type, "chat") == 0 || strcmp(event->type, "emote") == 0;
}

void world_history_begin(struct world_history *history, const struct world *now, struct span id) {
    history->from = now->version - WORLD_HISTORY_MAX;
    memset(history->id, 0, sizeof history->id);
    memcpy(history->id, id.data, id.length < WORLD_ID_MAX ? id.length : WORLD_ID_MAX);
    history->seats[0] = '\0';
    world_empty(&history->folded, &now->times);
}

/* Talk is told only to those who were there when it was said. */
static bool is_told(const struct world_history *history, const struct event *event) {
    return event->audience == EVERYONE && !is_standing(event) &&
           (!is_talk(event) || world_find_member(&history->folded, span_of(history->id)));
}

/* Writes who sat where, if that differs from what was written last. */
static void put_seats_once(struct world_history *history, struct json *json) {
    char buffer[sizeof history->seats];
    struct json seats;
    json_begin(&seats, buffer, sizeof buffer);
    world_seats_view(&history->folded, &seats);
    if (!json_complete(&seats) || strcmp(buffer, history->seats) == 0)
        return;
    memcpy(history->seats, buffer, sizeof buffer);
    json_put_raw(json, "seats", (struct span){buffer, seats.text.length});
}

static void write_entry(struct world_history *history, struct json *json) {
    json_put_object(json, NULL);
    json_put_number(json, "version", history->folded.version);
    put_seats_once(history, json);
    json_put_array(json, "events");
    for (size_t i = 0; i < history->events.count; i++) {
        const struct event *event = &history->events.item[i];
        if (!is_told(history, event))
            continue;
        json_put_object(json, NULL);
        json_put_string(json, "event", event->type);
        json_put_raw(json, "data", event->data);
        json_put_end(json);
    }
    json_put_end(json);
    json_put_end(json);
}

bool world_history_line(struct world_history *history, struct span line, struct json *json,
                        struct refusal *why) {
    bool tells = false;
    events_begin(&history->events, history->buffer, sizeof history->buffer);
    if (!world_hear(&history->folded, line, &history->events, why))
        return false;
    for (size_t i = 0; i < history->events.count; i++)
        tells = tells || is_told(history, &history->events.item[i]);
    if (tells && history->folded.version > history->from)
        write_entry(history, json);
    return true;
}
