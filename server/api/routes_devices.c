/* The devices of a person: which there are, how another one comes, and how they go. A person has a
 * token for each; what one of them may do, all may. */
#include "server/api/call.h"
#include "server/api/growth.h"
#include <string.h>

enum { LINK_MS = 10 * 60 * 1000 }; /* how long a link for another device holds */

static int64_t now_of(const struct call *call) {
    return rooms_now(call->app->rooms);
}

void call_device(const struct call *call, char out[DEVICE_NAME_SIZE]) {
    device_name(call->request->header[HTTP_USER_AGENT], out);
}

/* ---- The list ---- */

static void put_device(struct json *json, const struct store_device *device, const char *current) {
    char id[SECRETS_DEVICE_ID_SIZE];
    secrets_device_id(device->token_hash, id);
    json_put_object(json, NULL);
    json_put_string(json, "id", id);
    json_put_span(json, "name", device->name);
    json_put_number(json, "createdAt", device->created_ms);
    json_put_number(json, "seenAt", device->seen_ms);
    json_put_bool(json, "current", strcmp(id, current) == 0);
    json_put_end(json);
}

static void on_devices(void *arg, const struct store_reply *reply) {
    struct call *call = arg;
    struct store_device device;
    struct json json;
    if (!call_begin_found(call, reply, &json))
        return;
    json_put_array(&json, "devices");
    for (struct span rest = reply->players[0].devices; store_device_next(&rest, &device);)
        if (device.until_ms == 0)
            put_device(&json, &device, call->session.device);
    json_put_end(&json);
    json_put_number(&json, "max", SESSIONS_DEVICES_MAX);
    json_put_end(&json);
    call_answer_json(call, 200, &json, NULL);
}

void route_get_devices(struct call *call) {
    struct refusal why;
    if (!store_player_by_id(call->app->store, span_of(call->session.id), on_devices, call, &why))
        call_refuse(call, &why);
}

/* ---- Another device ---- */

static void on_linked(void *arg, const struct session *session, const struct refusal *why) {
    struct call *call = arg;
    struct json json;
    if (!session) {
        call_refuse(call, why);
        return;
    }
    call_begin_json(call, &json);
    json_put_object(&json, NULL);
    json_put_string(&json, "secret", call->token);
    json_put_number(&json, "until", call->version);
    json_put_end(&json);
    call_answer_json(call, 201, &json, NULL);
}

void route_post_link(struct call *call) {
    struct refusal why;
    int64_t now = now_of(call);
    call->version = now + LINK_MS;
    if (!growth_charge(call, GROWTH_SESSION, &why) ||
        !sessions_link(call->app->sessions, &call->session, now, now + LINK_MS, call->token,
                       on_linked, call, &why))
        call_refuse(call, &why);
}

static void on_claimed(void *arg, const struct session *session, const struct refusal *why) {
    struct call *call = arg;
    if (!session) {
        call_refuse(call, why);
        return;
    }
    call->session = *session;
    call_answer_token(call, 201);
}

/* Counts as a new person from this address, whether the link is right or not. */
void route_post_claim(struct call *call) {
    const json_t *secret = json_object_get(call->body, "secret");
    struct span link = {json_string_value(secret), json_string_length(secret)};
    struct app *app = call->app;
    struct refusal why;
    char device[DEVICE_NAME_SIZE];
    call_device(call, device);
    bool good =
        (json_is_string(secret) ||
         refuse(&why, "BAD_REQUEST", "The secret of a link is missing")) &&
        (rates_take(&app->new_sessions, call_address_key(call), now_of(call), &call->retry_s) ||
         refuse(&why, "RATE_LIMITED", "Too many new devices from here; please wait")) &&
        growth_charge(call, GROWTH_SESSION, &why) &&
        sessions_claim(app->sessions, link, span_of(device), now_of(call), call->token, on_claimed,
                       call, &why);
    if (!good)
        call_refuse(call, &why);
}

/* ---- Going ---- */

static void on_renewed(void *arg, const struct session *session, const struct refusal *why) {
    struct call *call = arg;
    if (!session) {
        call_refuse(call, why);
        return;
    }
    server_send_away(call->app, session->id, SEND_AWAY_ALL, "");
    call_answer_token(call, 200);
}

/* A new token for this device; all others are logged out. */
void route_post_renew(struct call *call) {
    struct refusal why;
    char device[DEVICE_NAME_SIZE];
    call_device(call, device);
    if (!growth_charge(call, GROWTH_SESSION, &why) ||
        !sessions_renew(call->app->sessions, &call->session, span_of(device), now_of(call),
                        call->token, on_renewed, call, &why))
        call_refuse(call, &why);
}

void call_answer_logged_out(struct call *call) {
    call_answer(call, &(struct http_answer){.status = 200,
                                            .type = "application/json",
                                            .headers = "Set-Cookie: oyster_session=; Path=/; "
                                                       "Max-Age=0; HttpOnly; SameSite=Lax\r\n",
                                            .body = span_of("{}")});
}

static void answer_done(struct call *call) {
    call_answer(call, &(struct http_answer){
                          .status = 200, .type = "application/json", .body = span_of("{}")});
}

static void on_all_out(void *arg, const struct session *session, const struct refusal *why) {
    struct call *call = arg;
    if (!session) {
        call_refuse(call, why);
        return;
    }
    server_send_away(call->app, session->id, SEND_AWAY_ALL, "");
    call_answer_logged_out(call);
}

static void on_others_out(void *arg, const struct session *session, const struct refusal *why) {
    struct call *call = arg;
    if (!session) {
        call_refuse(call, why);
        return;
    }
    server_send_away(call->app, session->id, SEND_AWAY_OTHERS, session->device);
    answer_done(call);
}

/* `call->token` has the id of the device. */
static void on_one_out(void *arg, const struct session *session, const struct refusal *why) {
    struct call *call = arg;
    if (!session) {
        call_refuse(call, why);
        return;
    }
    server_send_away(call->app, session->id, SEND_AWAY_ONE, call->token);
    if (strcmp(call->token, session->device) == 0)
        call_answer_logged_out(call);
    else
        answer_done(call);
}

static void log_out(struct call *call, enum store_drop which, const uint8_t *token_hash,
                    sessions_found *found) {
    struct refusal why;
    if (!sessions_log_out(call->app->sessions, &call->session, which, token_hash, found, call,
                          &why))
        call_refuse(call, &why);
}

static void log_out_one(struct call *call, const uint8_t *token_hash) {
    secrets_device_id(token_hash, call->token);
    log_out(call, STORE_DROP_ONE, token_hash, on_one_out);
}

static void on_devices_to_go(void *arg, const struct store_reply *reply) {
    struct call *call = arg;
    const char *wanted = json_string_value(json_object_get(call->body, "device"));
    struct refusal why = reply->why;
    struct store_device device;
    char id[SECRETS_DEVICE_ID_SIZE];
    if (reply->outcome != STORE_OK) {
        call_refuse(call, &why);
        return;
    }
    for (struct span rest = reply->players[0].devices; store_device_next(&rest, &device);) {
        secrets_device_id(device.token_hash, id);
        if (device.until_ms == 0 && strcmp(id, wanted) == 0) {
            log_out_one(call, device.token_hash);
            return;
        }
    }
    refuse(&why, "NOT_FOUND", "You have no such device; perhaps it is logged out already");
    call_refuse(call, &why);
}

/* This device, unless the body names another one, all others, or all. */
void route_post_logout(struct call *call) {
    const json_t *device = json_object_get(call->body, "device");
    struct refusal why;
    if (json_is_true(json_object_get(call->body, "everywhere")))
        log_out(call, STORE_DROP_ALL, call->session.token_hash, on_all_out);
    else if (json_is_true(json_object_get(call->body, "others")))
        log_out(call, STORE_DROP_OTHERS, call->session.token_hash, on_others_out);
    else if (!device || json_is_null(device))
        log_out_one(call, call->session.token_hash);
    else if (!json_is_string(device)) {
        refuse(&why, "BAD_REQUEST", "`device` should be the id of a device");
        call_refuse(call, &why);
    } else if (!store_player_by_id(call->app->store, span_of(call->session.id), on_devices_to_go,
                                   call, &why)) {
        call_refuse(call, &why);
    }
}
