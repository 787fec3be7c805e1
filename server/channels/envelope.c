/* See envelope.h. */
#include "server/channels/envelope.h"

#include "engine/json.h"
#include "server/channels/channel_names.h"

enum { EVENT_NAME_MAX = 64, AROUND_MAX = CHANNEL_NAME_MAX + EVENT_NAME_MAX + 64 };
enum { ESCAPED_MAX = 6 }; /* bytes that one byte of data can become */

size_t envelope_size(size_t data_length) {
    return AROUND_MAX + ESCAPED_MAX * data_length;
}

static void begin(struct json *json, const char *event, const char *channel, struct text *out) {
    json_begin(json, out->data + out->length, out->size - out->length);
    json_put_object(json, NULL);
    json_put_string(json, "event", event);
    if (channel)
        json_put_string(json, "channel", channel);
}

static void end(const struct json *json, struct text *out) {
    out->length += json->text.length;
    out->cut = out->cut || json->text.cut;
}

void envelope_put(const char *event, const char *channel, struct span data, struct text *out) {
    struct json json;
    begin(&json, event, channel, out);
    json_put_span(&json, "data", data);
    json_put_end(&json);
    end(&json, out);
}

void envelope_put_top(const char *event, const char *channel, struct text *out) {
    struct json json;
    begin(&json, event, channel, out);
    text_string(&json.text, ",\"data\":\"");
    end(&json, out);
}
