/* Sockets: how one is opened, and who may hear which channel (Pusher's protocol). */
#include "server/api/actions.h"
#include "server/api/request.h"
#include "server/channels/channel_names.h"
#include "server/channels/pusher.h"
#include "server/net/encoding.h"
#include "server/webpush/webpush.h"
#include <string.h>

struct auth {
    char socket[32], channel[CHANNEL_NAME_MAX + 1];
};

static bool read_auth(const struct request *request, struct auth *out, struct refusal *why) {
    struct text socket = text_in(out->socket, sizeof out->socket);
    struct text channel = text_in(out->channel, sizeof out->channel);
    return (encoding_field(request->http->body, "socket_id", &socket) &&
            encoding_field(request->http->body, "channel_name", &channel) && !socket.cut &&
            !channel.cut && channel_is_name(span_of(out->channel))) ||
           refuse(why, "BAD_REQUEST", "Expected socket_id and channel_name");
}

static struct pusher_owner owner_of(const struct session *session) {
    struct pusher_owner owner;
    memcpy(owner.player, session->id, sizeof owner.player);
    memcpy(owner.device, session->device, sizeof owner.device);
    return owner;
}

static bool sign(struct request *request, const struct auth *auth, struct span info,
                 struct refusal *why) {
    struct pusher_owner owner = owner_of(&request->session);
    if (!pusher_claim(request->app->pusher, span_of(auth->socket), &owner, why))
        return false;
    pusher_sign(request->app->pusher, span_of(auth->socket), span_of(auth->channel), &owner, info,
                request_begin_json(request));
    return request_answer_json(request, 200);
}

static bool sign_room(struct request *request, struct refusal *why) {
    struct auth auth;
    char buffer[512], channel[CHANNEL_NAME_SIZE];
    const struct world *world = room_world(request->room);
    read_auth(request, &auth, why);
    channel_of_world(world->code, channel);
    if (!world_find_member(world, span_of(request->session.id)))
        return refuse(why, "NOT_A_MEMBER", "You are not in this world");
    if (strcmp(auth.channel, channel) != 0) /* the socket knows no other */
        return refuse(why, "FORBIDDEN", "That channel is called %s", channel);
    struct json info = json_object_in(buffer, sizeof buffer);
    json_put_string(&info, "name", request->session.name);
    json_put_end(&info);
    return sign(request, &auth, (struct span){buffer, info.text.length}, why);
}

bool route_post_auth(struct request *request, struct refusal *why) {
    struct auth auth;
    char own[CHANNEL_NAME_SIZE];
    if (!read_auth(request, &auth, why))
        return false;
    channel_of_player(request->session.id, own);
    if (strcmp(auth.channel, own) == 0)
        return sign(request, &auth, (struct span){0}, why);
    const char *code = channel_world(auth.channel);
    return code ? request_find_room(request, span_of(code), sign_room, why)
                : refuse(why, "FORBIDDEN", "This channel is not yours");
}

bool route_get_config(struct request *request, struct refusal *why) {
    const struct server_config *config = &request->app->config;
    struct json *json = request_begin_object(request);
    json_put_object(json, "pusher");
    json_put_string(json, "key", config->pusher_key);
    json_put_string(json, "wsPath", "");
    json_put_end(json);
    json_put_string(json, "version", OYSTER_VERSION);
    if (request->app->webpush && webpush_key(request->app->webpush)) {
        json_put_object(json, "push");
        json_put_string(json, "key", webpush_key(request->app->webpush));
        json_put_end(json);
    }
    json_put_object(json, "limits");
    json_put_number(json, "body", config->body_max);
    json_put_number(json, "message", config->message_max);
    json_put_number(json, "name", NAME_CHARACTERS_MAX);
    json_put_number(json, "chat", WORLD_SAY_MAX);
    json_put_number(json, "actionId", ACTIONS_ID_MAX);
    json_put_number(json, "actionsPerSecond", config->actions_per_second);
    json_put_number(json, "worlds", config->worlds_per_player);
    json_put_number(json, "awayMs", config->away_ms);
    json_put_end(json);
    return request_answer_object(request, 200, NULL);
}

/* A socket without a session may open; it can hear nothing until somebody claims it. */
static void on_socket_session(void *arg, const struct session *session, const struct refusal *why) {
    struct request *request = arg;
    struct app *app = request->app;
    struct peer *peer = request->peer;
    const struct http_request *http = request->http;
    struct pusher_owner owner = {0};
    uint64_t address = request_address_key(request);
    if (session) {
        sessions_seen(app->sessions, session, rooms_now(app->rooms));
        owner = owner_of(session);
    }
    request_end(request);
    if (peer->closing)
        peer_release(peer);
    else
        pusher_accept(app->pusher, peer, http, &owner, address);
}

bool route_get_socket(struct request *request, struct refusal *why) {
    struct span token = request_token(request->http);
    if (token.data)
        sessions_find(request->app->sessions, token, on_socket_session, request);
    else
        on_socket_session(request, NULL, why);
    return true;
}
