/* The devices of a person: which there are, how another one comes, and how they go. A person has a
 * token for each; what one of them may do, all may. */
#include "server/api/growth.h"
#include "server/api/request.h"
#include <string.h>

enum { LINK_MS = 10 * 60 * 1000 }; /* how long a link for another device holds */

static int64_t now_of(const struct request *request) {
    return rooms_now(request->app->rooms);
}

void request_device(const struct request *request, char out[DEVICE_NAME_SIZE]) {
    device_name(request->http->header[HTTP_USER_AGENT], out);
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
    struct request *request = arg;
    struct store_device device;
    struct json json;
    if (!request_begin_found(request, reply, &json))
        return;
    json_put_array(&json, "devices");
    for (struct span rest = reply->players[0].devices; store_device_next(&rest, &device);)
        if (device.until_ms == 0)
            put_device(&json, &device, request->session.device);
    json_put_end(&json);
    json_put_number(&json, "max", SESSIONS_DEVICES_MAX);
    json_put_end(&json);
    request_answer_json(request, 200, &json, NULL);
}

void route_get_devices(struct request *request) {
    struct refusal why;
    if (!store_player_by_id(request->app->store, span_of(request->session.id), on_devices, request,
                            &why))
        request_refuse(request, &why);
}

/* ---- Another device ---- */

static void on_linked(void *arg, const struct session *session, const struct refusal *why) {
    struct request *request = arg;
    struct json json;
    if (!session) {
        request_refuse(request, why);
        return;
    }
    request_begin_json(request, &json);
    json_put_object(&json, NULL);
    json_put_string(&json, "secret", request->token);
    json_put_number(&json, "until", request->version);
    json_put_end(&json);
    request_answer_json(request, 201, &json, NULL);
}

void route_post_link(struct request *request) {
    struct refusal why;
    int64_t now = now_of(request);
    request->version = now + LINK_MS;
    if (!growth_charge(request, GROWTH_SESSION, &why) ||
        !sessions_link(request->app->sessions, &request->session, now, now + LINK_MS,
                       request->token, on_linked, request, &why))
        request_refuse(request, &why);
}

static void on_claimed(void *arg, const struct session *session, const struct refusal *why) {
    struct request *request = arg;
    if (!session) {
        request_refuse(request, why);
        return;
    }
    request->session = *session;
    request_answer_token(request, 201);
}

/* Counts as a new person from this address, whether the link is right or not. */
void route_post_claim(struct request *request) {
    const json_t *secret = json_object_get(request->body, "secret");
    struct span link = {json_string_value(secret), json_string_length(secret)};
    struct app *app = request->app;
    struct refusal why;
    char device[DEVICE_NAME_SIZE];
    request_device(request, device);
    bool good = (json_is_string(secret) ||
                 refuse(&why, "BAD_REQUEST", "The secret of a link is missing")) &&
                (rates_take(&app->new_sessions, request_address_key(request), now_of(request),
                            &request->retry_s) ||
                 refuse(&why, "RATE_LIMITED", "Too many new devices from here; please wait")) &&
                growth_charge(request, GROWTH_SESSION, &why) &&
                sessions_claim(app->sessions, link, span_of(device), now_of(request),
                               request->token, on_claimed, request, &why);
    if (!good)
        request_refuse(request, &why);
}

/* ---- Going ---- */

static void on_renewed(void *arg, const struct session *session, const struct refusal *why) {
    struct request *request = arg;
    if (!session) {
        request_refuse(request, why);
        return;
    }
    server_send_away(request->app, session->id, SEND_AWAY_ALL, "");
    request_answer_token(request, 200);
}

/* A new token for this device; all others are logged out. */
void route_post_renew(struct request *request) {
    struct refusal why;
    char device[DEVICE_NAME_SIZE];
    request_device(request, device);
    if (!growth_charge(request, GROWTH_SESSION, &why) ||
        !sessions_renew(request->app->sessions, &request->session, span_of(device), now_of(request),
                        request->token, on_renewed, request, &why))
        request_refuse(request, &why);
}

void request_answer_logged_out(struct request *request) {
    request_answer(request,
                   &(struct http_answer){.status = 200,
                                         .type = "application/json",
                                         .headers = "Set-Cookie: oyster_session=; Path=/; "
                                                    "Max-Age=0; HttpOnly; SameSite=Lax\r\n",
                                         .body = span_of("{}")});
}

static void answer_done(struct request *request) {
    request_answer(request, &(struct http_answer){
                                .status = 200, .type = "application/json", .body = span_of("{}")});
}

static void on_all_out(void *arg, const struct session *session, const struct refusal *why) {
    struct request *request = arg;
    if (!session) {
        request_refuse(request, why);
        return;
    }
    server_send_away(request->app, session->id, SEND_AWAY_ALL, "");
    request_answer_logged_out(request);
}

static void on_others_out(void *arg, const struct session *session, const struct refusal *why) {
    struct request *request = arg;
    if (!session) {
        request_refuse(request, why);
        return;
    }
    server_send_away(request->app, session->id, SEND_AWAY_OTHERS, session->device);
    answer_done(request);
}

/* `request->token` has the id of the device. */
static void on_one_out(void *arg, const struct session *session, const struct refusal *why) {
    struct request *request = arg;
    if (!session) {
        request_refuse(request, why);
        return;
    }
    server_send_away(request->app, session->id, SEND_AWAY_ONE, request->token);
    if (strcmp(request->token, session->device) == 0)
        request_answer_logged_out(request);
    else
        answer_done(request);
}

static void log_out(struct request *request, enum store_drop which, const uint8_t *token_hash,
                    sessions_found *found) {
    struct refusal why;
    if (!sessions_log_out(request->app->sessions, &request->session, which, token_hash, found,
                          request, &why))
        request_refuse(request, &why);
}

static void log_out_one(struct request *request, const uint8_t *token_hash) {
    secrets_device_id(token_hash, request->token);
    log_out(request, STORE_DROP_ONE, token_hash, on_one_out);
}

static void on_devices_to_go(void *arg, const struct store_reply *reply) {
    struct request *request = arg;
    const char *wanted = json_string_value(json_object_get(request->body, "device"));
    struct refusal why = reply->why;
    struct store_device device;
    char id[SECRETS_DEVICE_ID_SIZE];
    if (reply->outcome != STORE_OK) {
        request_refuse(request, &why);
        return;
    }
    for (struct span rest = reply->players[0].devices; store_device_next(&rest, &device);) {
        secrets_device_id(device.token_hash, id);
        if (device.until_ms == 0 && strcmp(id, wanted) == 0) {
            log_out_one(request, device.token_hash);
            return;
        }
    }
    refuse(&why, "NOT_FOUND", "You have no such device; perhaps it is logged out already");
    request_refuse(request, &why);
}

/* This device, unless the body names another one, all others, or all. */
void route_post_logout(struct request *request) {
    const json_t *device = json_object_get(request->body, "device");
    struct refusal why;
    if (json_is_true(json_object_get(request->body, "everywhere")))
        log_out(request, STORE_DROP_ALL, request->session.token_hash, on_all_out);
    else if (json_is_true(json_object_get(request->body, "others")))
        log_out(request, STORE_DROP_OTHERS, request->session.token_hash, on_others_out);
    else if (!device || json_is_null(device))
        log_out_one(request, request->session.token_hash);
    else if (!json_is_string(device)) {
        refuse(&why, "BAD_REQUEST", "`device` should be the id of a device");
        request_refuse(request, &why);
    } else if (!store_player_by_id(request->app->store, span_of(request->session.id),
                                   on_devices_to_go, request, &why)) {
        request_refuse(request, &why);
    }
}
