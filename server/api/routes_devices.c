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
    struct json *json = request_begin_found(request, reply);
    if (!json)
        return;
    json_put_array(json, "devices");
    for (struct span rest = reply->players[0].devices; store_device_next(&rest, &device);)
        if (device.until_ms == 0)
            put_device(json, &device, request->session.device);
    json_put_end(json);
    json_put_number(json, "max", SESSIONS_DEVICES_MAX);
    request_answer_object(request, 200, NULL);
}

bool route_get_devices(struct request *request, struct refusal *why) {
    return store_player_by_id(request->app->store, span_of(request->session.id), on_devices,
                              request, why);
}

/* ---- Another device ---- */

static void on_linked(void *arg, const struct session *session, const struct refusal *why) {
    struct request *request = arg;
    if (request_is_refused(request, session, why))
        return;
    struct json *json = request_begin_object(request);
    json_put_string(json, "secret", request->token);
    json_put_number(json, "until", request->version);
    request_answer_object(request, 201, NULL);
}

bool route_post_link(struct request *request, struct refusal *why) {
    int64_t now = now_of(request);
    request->version = now + LINK_MS;
    return growth_charge(request, GROWTH_SESSION, why) &&
           sessions_link(request->app->sessions, &request->session, now, now + LINK_MS,
                         request->token, on_linked, request, why);
}

/* Counts as a new person from this address, whether the link is right or not. */
bool route_post_claim(struct request *request, struct refusal *why) {
    struct span link = request_string(request, "secret");
    struct app *app = request->app;
    char device[DEVICE_NAME_SIZE];
    request_device(request, device);
    return (link.data || refuse(why, "BAD_REQUEST", "The secret of a link is missing")) &&
           (request_take_of_address(request, app->new_sessions, 1, 0) ||
            refuse(why, "RATE_LIMITED", "Too many new devices from here; please wait")) &&
           growth_charge(request, GROWTH_SESSION, why) &&
           sessions_claim(app->sessions, link, span_of(device), now_of(request), request->token,
                          request_on_session_made, request, why);
}

/* ---- Going ---- */

static void on_renewed(void *arg, const struct session *session, const struct refusal *why) {
    struct request *request = arg;
    if (request_is_refused(request, session, why))
        return;
    server_send_away(request->app, session->id, SEND_AWAY_ALL, "");
    request_answer_token(request, 200);
}

/* A new token for this device; all others are logged out. */
bool route_post_renew(struct request *request, struct refusal *why) {
    char device[DEVICE_NAME_SIZE];
    request_device(request, device);
    return growth_charge(request, GROWTH_SESSION, why) &&
           sessions_renew(request->app->sessions, &request->session, span_of(device),
                          now_of(request), request->token, on_renewed, request, why);
}

bool request_answer_logged_out(struct request *request) {
    request_begin_object(request);
    return request_answer_object(
        request, 200, "Set-Cookie: oyster_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax\r\n");
}

/* Those who go are the device that `request->token` names, all others, or all. */
static void on_out(void *arg, const struct session *session, const struct refusal *why) {
    struct request *request = arg;
    if (request_is_refused(request, session, why))
        return;
    server_send_away(request->app, session->id, request->leaves, request->token);
    if (pusher_goes(session->device, request->leaves, request->token))
        request_answer_logged_out(request);
    else
        request_answer_done(request);
}

static bool log_out(struct request *request, enum send_away which, const uint8_t *token_hash,
                    struct refusal *why) {
    static const enum store_drop drops[] = {[SEND_AWAY_ALL] = STORE_DROP_ALL,
                                            [SEND_AWAY_ONE] = STORE_DROP_ONE,
                                            [SEND_AWAY_OTHERS] = STORE_DROP_OTHERS};
    request->leaves = which;
    secrets_device_id(token_hash, request->token);
    return sessions_log_out(request->app->sessions, &request->session, drops[which], token_hash,
                            on_out, request, why);
}

static bool log_out_named(struct request *request, const struct store_reply *reply,
                          struct refusal *why) {
    struct span wanted = request_string(request, "device");
    struct store_device device;
    char id[SECRETS_DEVICE_ID_SIZE];
    for (struct span rest = reply->players[0].devices; store_device_next(&rest, &device);) {
        secrets_device_id(device.token_hash, id);
        if (device.until_ms == 0 && span_is(wanted, id))
            return log_out(request, SEND_AWAY_ONE, device.token_hash, why);
    }
    return refuse(why, "NOT_FOUND", "You have no such device; perhaps it is logged out already");
}

static void on_devices_to_go(void *arg, const struct store_reply *reply) {
    struct refusal why = reply->why;
    if (reply->outcome != STORE_OK || !log_out_named(arg, reply, &why))
        request_refuse(arg, &why);
}

/* This device, unless the body names another one, all others, or all. */
bool route_post_logout(struct request *request, struct refusal *why) {
    const uint8_t *own = request->session.token_hash;
    if (json_is_true(json_object_get(request->body, "everywhere")))
        return log_out(request, SEND_AWAY_ALL, own, why);
    if (json_is_true(json_object_get(request->body, "others")))
        return log_out(request, SEND_AWAY_OTHERS, own, why);
    if (!request_given(request->body, "device"))
        return log_out(request, SEND_AWAY_ONE, own, why);
    return (request_string(request, "device").data ||
            refuse(why, "BAD_REQUEST", "`device` should be the id of a device")) &&
           store_player_by_id(request->app->store, span_of(request->session.id), on_devices_to_go,
                              request, why);
}
