/* Actions: what people do in a world, in either of two forms. */
#include "server/api/actions.h"
#include "server/api/growth.h"
#include "server/api/request.h"
#include "server/net/encoding.h"

#include "server/net/status.h"
#include "store/reserve.h"
#include <stdlib.h>
#include <string.h>

static void on_action_durable(void *arg, const struct room_failure *failure) {
    struct request *request = arg;
    if (failure) {
        request_fail(request, failure);
        return;
    }
    struct json *json = request_begin_object(request);
    json_put_bool(json, "ok", true);
    json_put_number(json, "version", request->version);
    if (request->duplicate)
        json_put_bool(json, "duplicate", true);
    if (request->kept.length > 0)
        json_put_raw(json, "result", (struct span){request->kept.data, request->kept.length});
    metrics_time(&request->app->metrics.latency, uv_hrtime() - request->http->begin_ns);
    request_answer_object(request, 200, NULL);
}

static void keep_answer(struct request *request) {
    struct span answer = room_answer(request->room);
    free(request->kept.data);
    request->kept.data = answer.length > 0 ? reserve_text(answer.data, answer.length) : NULL;
    request->kept.length = answer.length;
}

static bool act(struct request *request, struct span words, uint64_t action_hash,
                struct refusal *why) {
    struct world_action action = {
        .id = span_of(request->session.id), .words = words, .action = action_hash};
    request->version = room_world(request->room)->version;
    bool only_asks = json_is_true(json_object_get(request->body, "check"));
    if (!only_asks && !growth_may_act(request, words, why)) {
        metrics_action(&request->app->metrics, span_of(request->type), METRICS_REFUSED);
        return false;
    }
    enum world_answer result =
        only_asks
            ? world_would(room_world(request->room), rooms_now(request->app->rooms), &action, why)
            : room_act(request->room, &action, on_action_durable, request, why);
    metrics_action(&request->app->metrics, only_asks ? span_of("check") : span_of(request->type),
                   result == WORLD_REFUSED ? METRICS_REFUSED : METRICS_DONE);
    if (result == WORLD_REFUSED && !only_asks) {
        room_refused(request->room, action.id, why);
    } else if (result == WORLD_DONE && !only_asks) {
        keep_answer(request);
        request->version++;
    } else if (result != WORLD_REFUSED) {
        room_when_durable(request->room, on_action_durable, request);
    }
    return result != WORLD_REFUSED;
}

/* Answers an action that was accepted before; it may still be on its way into the store. */
static bool repeat(struct request *request) {
    metrics_action(&request->app->metrics, span_of(request->type), METRICS_DUPLICATE);
    request->duplicate = true;
    request->version = room_world(request->room)->version;
    room_when_durable(request->room, on_action_durable, request);
    return true;
}

/* Refuses a body that means nothing. People who may not act at all are told that first. */
static bool refuse_unread(struct request *request, struct text *words, struct refusal *why) {
    struct refusal first;
    text_string(words, words->length > 0 ? " ?" : "");
    if (refusal_status(why) == 400 &&
        !world_may(room_world(request->room), span_of(request->session.id),
                   (struct span){words->data, words->length}, &first) &&
        refusal_status(&first) != 400)
        *why = first;
    metrics_action(&request->app->metrics, span_of(request->type), METRICS_REFUSED);
    room_refused(request->room, span_of(request->session.id), why);
    return false;
}

static bool read_action_id(const struct request *request, uint64_t *out, struct refusal *why) {
    struct span id;
    if (!actions_action_id(request->body, &id, why))
        return false;
    *out = id.length > 0 ? world_action_hash(span_of(request->session.id), id) : 0;
    return true;
}

static bool act_on_room(struct request *request, struct refusal *why) {
    char buffer[ACTIONS_WORDS_SIZE];
    uint64_t action_hash;
    struct text words = text_in(buffer, sizeof buffer);
    room_heard_of(request->room, span_of(request->session.id));
    if (!read_action_id(request, &action_hash, why))
        return false;
    if (world_has_action(room_world(request->room), action_hash))
        return request_refresh(request) || repeat(request); /* PL-29: before the payload is read */
    if (!actions_read(room_world(request->room), request->body, &words, why))
        return refuse_unread(request, &words, why);
    return act(request, (struct span){buffer, words.length}, action_hash, why);
}

bool route_is_action(const json_t *body, struct refusal *why) {
    struct span code, id;
    return actions_room_code(body, &code, why) && actions_action_id(body, &id, why) &&
           (json_is_string(json_object_get(body, "type")) ||
            json_is_string(json_object_get(body, "move")) ||
            refuse(why, "BAD_REQUEST", "Expected a type or a move")) &&
           (!json_object_get(body, "check") || json_is_boolean(json_object_get(body, "check")) ||
            refuse(why, "BAD_REQUEST", "Expected check as true or false"));
}

bool route_post_action(struct request *request, struct refusal *why) {
    struct text type = text_in(request->type, sizeof request->type);
    const char *name = json_string_value(json_object_get(request->body, "type"));
    text_string(&type, name ? name : "move");
    struct span code;
    return actions_room_code(request->body, &code, why) &&
           request_find_room(request, code, act_on_room, why);
}

/* HT-11, HT-12: moves that have an address. */
static bool move_on_room(struct request *request, struct refusal *why) {
    char buffer[ACTIONS_WORDS_SIZE];
    struct text words = text_in(buffer, sizeof buffer);
    if (!actions_read_address(room_world(request->room), span_of(request->session.id),
                              request->http->path, &words, why))
        return refuse_unread(request, &words, why);
    return act(request, (struct span){buffer, words.length}, 0, why);
}

bool route_post_move(struct request *request, struct refusal *why) {
    char code[16];
    struct span header = request->http->header[HTTP_ROOM_CODE];
    struct text text = text_in(code, sizeof code);
    memcpy(request->type, "by-address", sizeof "by-address");
    if (header.data)
        text_span(&text, header);
    bool known = header.data || encoding_field(request->http->query, "roomCode", &text);
    return ((known && !text.cut) || refuse(why, "BAD_REQUEST", "A roomCode is missing")) &&
           request_find_room(request, span_of(code), move_on_room, why);
}
