/* Actions: what people do in a world, in either of two forms. */
#include "server/api/actions.h"
#include "server/api/call.h"
#include "server/api/growth.h"
#include "server/net/encoding.h"
#include "server/rooms/detail_log.h"

#include "server/net/status.h"
#include "store/reserve.h"
#include <stdlib.h>
#include <string.h>

static void on_action_durable(void *arg, const struct room_failure *failure) {
    struct call *call = arg;
    struct json json;
    if (failure) {
        call_fail(call, failure);
        return;
    }
    call_begin_json(call, &json);
    json_put_object(&json, NULL);
    json_put_bool(&json, "ok", true);
    json_put_number(&json, "version", call->version);
    if (call->duplicate)
        json_put_bool(&json, "duplicate", true);
    if (call->kept.length > 0)
        json_put_raw(&json, "result", (struct span){call->kept.data, call->kept.length});
    json_put_end(&json);
    metrics_time(&call->app->metrics.latency, uv_hrtime() - call->request->begin_ns);
    call_answer_json(call, 200, &json, NULL);
}

static void keep_answer(struct call *call) {
    struct span answer = room_answer(call->room);
    free(call->kept.data);
    call->kept.data = answer.length > 0 ? reserve_text(answer.data, answer.length) : NULL;
    call->kept.length = answer.length;
}

static void act(struct call *call, struct span words, uint64_t action_hash) {
    struct refusal why;
    struct world_action action = {
        .id = span_of(call->session.id), .words = words, .action = action_hash};
    call->version = room_world(call->room)->version;
    bool only_asks = json_is_true(json_object_get(call->body, "check"));
    if (!only_asks && !growth_may_act(call, words, &why)) {
        metrics_action(&call->app->metrics, span_of(call->type), METRICS_REFUSED);
        call_refuse(call, &why);
        return;
    }
    enum world_answer result =
        only_asks ? world_would(room_world(call->room), rooms_now(call->app->rooms), &action, &why)
                  : room_act(call->room, &action, on_action_durable, call, &why);
    metrics_action(&call->app->metrics, only_asks ? span_of("check") : span_of(call->type),
                   result == WORLD_REFUSED ? METRICS_REFUSED : METRICS_DONE);
    if (result == WORLD_REFUSED) {
        if (!only_asks)
            detail_log_refusal(room_world(call->room), action.id, &why);
        call_refuse(call, &why);
    } else if (result == WORLD_DONE && !only_asks) {
        keep_answer(call);
        call->version++;
    } else
        room_when_durable(call->room, on_action_durable, call);
}

/* Answers an action that was accepted before; it may still be on its way into the store. */
static void repeat(struct call *call) {
    metrics_action(&call->app->metrics, span_of(call->type), METRICS_DUPLICATE);
    call->duplicate = true;
    call->version = room_world(call->room)->version;
    room_when_durable(call->room, on_action_durable, call);
}

/* Refuses a body that means nothing. People who may not act at all are told that first. */
static void answer_unread(struct call *call, struct text *words, struct refusal *why) {
    struct refusal first;
    text_string(words, words->length > 0 ? " ?" : "");
    if (refusal_status(why) == 400 &&
        !world_may(room_world(call->room), span_of(call->session.id),
                   (struct span){words->data, words->length}, &first) &&
        refusal_status(&first) != 400)
        *why = first;
    metrics_action(&call->app->metrics, span_of(call->type), METRICS_REFUSED);
    detail_log_refusal(room_world(call->room), span_of(call->session.id), why);
    call_refuse(call, why);
}

static bool read_action_id(const struct call *call, uint64_t *out, struct refusal *why) {
    struct span id;
    if (!actions_action_id(call->body, &id, why))
        return false;
    *out = id.length > 0 ? world_action_hash(span_of(call->session.id), id) : 0;
    return true;
}

static void act_on_room(struct call *call) {
    struct refusal why;
    char buffer[ACTIONS_WORDS_SIZE];
    struct text words;
    uint64_t action_hash;
    text_begin(&words, buffer, sizeof buffer);
    room_heard_of(call->room, span_of(call->session.id));
    if (!read_action_id(call, &action_hash, &why))
        call_refuse(call, &why);
    else if (world_has_action(room_world(call->room), action_hash)) {
        if (!call_refresh(call)) /* PL-29: before the payload is looked at */
            repeat(call);
    } else if (actions_read(room_world(call->room), call->body, &words, &why))
        act(call, (struct span){buffer, words.length}, action_hash);
    else
        answer_unread(call, &words, &why);
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

void route_post_action(struct call *call) {
    struct refusal why;
    struct text type;
    const char *name = json_string_value(json_object_get(call->body, "type"));
    text_begin(&type, call->type, sizeof call->type);
    text_string(&type, name ? name : "move");
    struct span code;
    if (actions_room_code(call->body, &code, &why))
        call_find_room(call, code, act_on_room);
    else
        call_refuse(call, &why);
}

/* HT-11, HT-12: moves that have an address. */
static void move_on_room(struct call *call) {
    struct refusal why;
    char buffer[ACTIONS_WORDS_SIZE];
    struct text words;
    text_begin(&words, buffer, sizeof buffer);
    if (actions_read_address(room_world(call->room), span_of(call->session.id), call->request->path,
                             &words, &why))
        act(call, (struct span){buffer, words.length}, 0);
    else
        answer_unread(call, &words, &why);
}

void route_post_move(struct call *call) {
    struct refusal why;
    char code[16];
    struct text text;
    struct span header = call->request->header[HTTP_ROOM_CODE];
    text_begin(&text, code, sizeof code);
    memcpy(call->type, "by-address", sizeof "by-address");
    if (header.data)
        text_span(&text, header);
    bool known = header.data || encoding_field(call->request->query, "roomCode", &text);
    if (known && !text.cut) {
        call_find_room(call, span_of(code), move_on_room);
    } else {
        refuse(&why, "BAD_REQUEST", "A roomCode is missing");
        call_refuse(call, &why);
    }
}
