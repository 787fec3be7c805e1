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
    struct text socket, channel;
    text_begin(&socket, out->socket, sizeof out->socket);
    text_begin(&channel, out->channel, sizeof out->channel);
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

static void sign(struct request *request, const struct auth *auth, struct span info) {
    struct json json;
    struct refusal why;
    struct pusher_owner owner = owner_of(&request->session);
    if (!pusher_claim(request->app->pusher, span_of(auth->socket), &owner, &why)) {
        request_refuse(request, &why);
        return;
    }
    request_begin_json(request, &json);
    pusher_sign(request->app->pusher, span_of(auth->socket), span_of(auth->channel), &owner, info,
                &json);
    request_answer_json(request, 200, &json, NULL);
}

static void sign_room(struct request *request) {
    struct refusal why;
    struct auth auth;
    char buffer[512], channel[CHANNEL_NAME_SIZE];
    struct json info;
    const struct world *world = room_world(request->room);
    read_auth(request, &auth, &why);
    channel_of_world(world->code, channel);
    bool good = (world_find_member(world, span_of(request->session.id)) ||
                 refuse(&why, "NOT_A_MEMBER", "You are not in this world")) &&
                (strcmp(auth.channel, channel) == 0 || /* the socket knows no other */
                 refuse(&why, "FORBIDDEN", "That channel is called %s", channel));
    if (!good) {
        request_refuse(request, &why);
        return;
    }
    json_begin(&info, buffer, sizeof buffer);
    json_put_object(&info, NULL);
    json_put_string(&info, "name", request->session.name);
    json_put_end(&info);
    sign(request, &auth, (struct span){buffer, info.text.length});
}

void route_post_auth(struct request *request) {
    struct refusal why;
    struct auth auth;
    char own[CHANNEL_NAME_SIZE];
    if (!read_auth(request, &auth, &why)) {
        request_refuse(request, &why);
        return;
    }
    channel_of_player(request->session.id, own);
    if (strcmp(auth.channel, own) == 0) {
        sign(request, &auth, (struct span){0});
    } else if (channel_world(auth.channel)) {
        request_find_room(request, span_of(channel_world(auth.channel)), sign_room);
    } else {
        refuse(&why, "FORBIDDEN", "This channel is not yours");
        request_refuse(request, &why);
    }
}

void route_get_config(struct request *request) {
    const struct server_config *config = &request->app->config;
    struct json json;
    request_begin_json(request, &json);
    json_put_object(&json, NULL);
    json_put_object(&json, "pusher");
    json_put_string(&json, "key", config->pusher_key);
    json_put_string(&json, "wsPath", "");
    json_put_end(&json);
    json_put_string(&json, "version", OYSTER_VERSION);
    if (request->app->webpush && webpush_key(request->app->webpush)) {
        json_put_object(&json, "push");
        json_put_string(&json, "key", webpush_key(request->app->webpush));
        json_put_end(&json);
    }
    json_put_object(&json, "limits");
    json_put_number(&json, "body", config->body_max);
    json_put_number(&json, "message", config->message_max);
    json_put_number(&json, "name", NAME_CHARACTERS_MAX);
    json_put_number(&json, "chat", WORLD_SAY_MAX);
    json_put_number(&json, "actionId", ACTIONS_ID_MAX);
    json_put_number(&json, "actionsPerSecond", config->actions_per_second);
    json_put_number(&json, "worlds", config->worlds_per_player);
    json_put_number(&json, "awayMs", config->away_ms);
    json_put_end(&json);
    json_put_end(&json);
    request_answer_json(request, 200, &json, NULL);
}

/* A socket without a session may open; it can hear nothing until somebody claims it. */
static void on_socket_session(void *arg, const struct session *session, const struct refusal *why) {
    struct request *request = arg;
    struct app *app = request->app;
    struct peer *peer = request->peer;
    const struct http_request *http = request->http;
    struct pusher_owner owner = {0};
    if (session) {
        sessions_seen(app->sessions, session, rooms_now(app->rooms));
        owner = owner_of(session);
    }
    request_end(request);
    if (peer->closing)
        peer_release(peer);
    else
        pusher_accept(app->pusher, peer, http, &owner);
}

void route_get_socket(struct request *request) {
    struct span token = request_token(request->http);
    struct refusal why;
    refuse_wrong_phase(&why);
    if (token.data)
        sessions_find(request->app->sessions, token, on_socket_session, request);
    else
        on_socket_session(request, NULL, &why);
}
