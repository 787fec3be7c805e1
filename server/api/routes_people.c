/* People: who they are, what they are called, and what they have played. */
#include "server/api/growth.h"
#include "server/api/reads.h"
#include "store/figures.h"
#include <string.h>

enum {
    LAST_GAMES = 200 /* finished ones that statistics list */,
    COOKIE_SIZE = 256,
    STATISTICS_UNITS = 2
};

static bool is_secure(const struct call *call) {
    const struct server_config *config = &call->app->config;
    struct span proto = call->request->header[HTTP_FORWARDED_PROTO];
    return strncmp(config->public_url, "https:", 6) == 0 ||
           (config->trust_proxy && proto.data && span_is(proto, "https"));
}

static bool read_name(const struct call *call, char out[NAME_SIZE], struct refusal *why) {
    const json_t *name = json_object_get(call->body, "name");
    if (!json_is_string(name))
        return refuse(why, "BAD_REQUEST", "A name is missing");
    return names_normalise((struct span){json_string_value(name), json_string_length(name)}, out,
                           why);
}

static void put_session(struct json *json, const struct session *session) {
    json_put_object(json, NULL);
    json_put_string(json, "playerId", session->id);
    json_put_string(json, "name", session->name);
}

static void write_cookie(const struct call *call, struct span token, char out[COOKIE_SIZE]) {
    struct text text;
    text_begin(&text, out, COOKIE_SIZE);
    text_string(&text, "Set-Cookie: oyster_session=");
    text_span(&text, token);
    text_string(&text, "; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax");
    text_string(&text, is_secure(call) ? "; Secure\r\n" : "\r\n");
}

void call_answer_token(struct call *call, int status) {
    char cookie[COOKIE_SIZE];
    struct json json;
    call_begin_json(call, &json);
    put_session(&json, &call->session);
    json_put_string(&json, "token", call->token);
    json_put_end(&json);
    write_cookie(call, span_of(call->token), cookie);
    call_answer_json(call, status, &json, cookie);
}

static void on_session_made(void *arg, const struct session *session, const struct refusal *why) {
    struct call *call = arg;
    if (!session) {
        call_refuse(call, why);
        return;
    }
    call->session = *session;
    call_answer_token(call, 201);
}

void route_post_session(struct call *call) {
    struct app *app = call->app;
    struct refusal why;
    char name[NAME_SIZE], device[DEVICE_NAME_SIZE];
    int64_t now = rooms_now(app->rooms);
    call_device(call, device);
    bool good = read_name(call, name, &why) &&
                (rates_take(&app->new_sessions, call_address_key(call), now, &call->retry_s) ||
                 refuse(&why, "RATE_LIMITED", "Too many new people from here; please wait")) &&
                growth_charge(call, GROWTH_SESSION, &why) &&
                sessions_add(app->sessions, name, span_of(device), now, call->token,
                             on_session_made, call, &why);
    if (!good)
        call_refuse(call, &why);
}

/* Every use of the cookie renews it for a year. */
void route_get_session(struct call *call) {
    struct span token = call_token(call->request);
    char cookie[COOKIE_SIZE] = "";
    struct json json;
    call_begin_json(call, &json);
    put_session(&json, &call->session);
    json_put_end(&json);
    if (token.data == call_cookie(call->request).data)
        write_cookie(call, token, cookie);
    call_answer_json(call, 200, &json, cookie);
}

static void on_renamed(void *arg, const struct session *session, const struct refusal *why) {
    struct call *call = arg;
    if (!session) {
        call_refuse(call, why);
        return;
    }
    call->session = *session;
    rooms_rename(call->app->rooms, session->id, session->name);
    server_say_renamed(call->app, session);
    route_get_session(call);
}

/* A new name is written into every world in which the person is. */
static bool may_rename(struct call *call, const char *name, struct refusal *why) {
    struct app *app = call->app;
    uint64_t key = rates_key(call->session.id, strlen(call->session.id), app->rates_secret);
    return strcmp(name, call->session.name) == 0 ||
           ((rates_take(&app->renames, key, rooms_now(app->rooms), &call->retry_s) ||
             refuse(why, "RATE_LIMITED", "You have had many names already; please wait")) &&
            growth_charge(call, GROWTH_SESSION, why));
}

void route_patch_session(struct call *call) {
    struct refusal why;
    char name[NAME_SIZE];
    if (!read_name(call, name, &why) || !may_rename(call, name, &why) ||
        !sessions_rename(call->app->sessions, &call->session, name, rooms_now(call->app->rooms),
                         on_renamed, call, &why))
        call_refuse(call, &why);
}

static void put_record(struct json *json, const struct store_record *record) {
    json_put_object(json, NULL);
    json_put_span(json, "gameId", record->game);
    json_put_number(json, "played", record->played);
    json_put_number(json, "won", record->won);
    json_put_number(json, "points", record->points);
    json_put_number(json, "best", record->best);
    json_put_object(json, "figures");
    for (size_t i = 0; i < record->figure_count; i++)
        figures_put(json, record->figures[i].name, record->figures[i].value);
    json_put_end(json);
    json_put_end(json);
}

static void put_finished(struct json *json, const struct store_finished *finished) {
    json_put_object(json, NULL);
    json_put_span(json, "gameId", finished->game);
    json_put_number(json, "endedAt", finished->ended_ms);
    json_put_number(json, "score", finished->score);
    json_put_bool(json, "won", finished->won);
    json_put_raw(json, "figures", finished->figures);
    json_put_raw(json, "others", finished->others);
    json_put_end(json);
}

static void on_records(void *arg, const struct store_reply *reply) {
    struct call *call = arg;
    struct json json;
    if (!call_begin_found(call, reply, &json))
        return;
    json_put_array(&json, "games");
    for (size_t i = 0; i < reply->count; i++)
        put_record(&json, &reply->records[i]);
    json_put_end(&json);
    json_put_array(&json, "last");
    for (size_t i = 0; i < reply->finished_count; i++)
        put_finished(&json, &reply->finished[i]);
    json_put_end(&json);
    json_put_end(&json);
    call_answer_json(call, 200, &json, NULL);
}

static void find_records(struct call *call) {
    struct refusal why;
    if (!store_player_records(call->app->store, span_of(call->session.id), LAST_GAMES, on_records,
                              call, &why))
        call_refuse(call, &why);
}

void route_get_statistics(struct call *call) {
    reads_wait(call, STATISTICS_UNITS, find_records);
}

static void on_forgotten(void *arg, const struct store_reply *reply) {
    struct call *call = arg;
    struct json json;
    if (!call_begin_found(call, reply, &json))
        return;
    json_put_end(&json);
    call_answer_json(call, 200, &json, NULL);
}

static void forget_records(struct call *call) {
    struct refusal why;
    if (!store_player_forget(call->app->store, span_of(call->session.id), on_forgotten, call, &why))
        call_refuse(call, &why);
}

void route_post_statistics_delete(struct call *call) {
    struct refusal why;
    if (json_is_true(json_object_get(call->body, "delete"))) {
        reads_wait(call, STATISTICS_UNITS, forget_records);
        return;
    }
    refuse(&why, "BAD_REQUEST", "Say \"delete\": true, since this cannot be undone");
    call_refuse(call, &why);
}
