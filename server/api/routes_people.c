/* People: who they are, what they are called, and what they have played. */
#include "server/api/growth.h"
#include "server/api/reads.h"
#include "store/figures.h"
#include <stdio.h>
#include <string.h>

enum {
    LAST_GAMES = 200, /* finished ones that statistics list */
    COOKIE_SIZE = 256,
    STATISTICS_UNITS = 2
};

/* Of statistics in JSON, at the most: what is written of a game's figures, of a kind of game, of
 * somebody else in a game, and of a finished game. In names a backslash becomes two. */
enum {
    FIGURES_SIZE = STORE_FIGURES_MAX * (STORE_WORD_MAX + 32),
    RECORD_SIZE = FIGURES_SIZE + STORE_WORD_MAX + 192,
    OTHER_SIZE = STORE_ID_MAX + 2 * STORE_NAME_MAX + STORE_WORD_MAX + 64,
    FINISHED_SIZE = FIGURES_SIZE + (STORE_SEATS_MAX - 1) * OTHER_SIZE + STORE_WORD_MAX + 160,
    STATISTICS_SIZE = STORE_RECORDS_MAX * RECORD_SIZE + LAST_GAMES * FINISHED_SIZE
};
_Static_assert((int)STATISTICS_SIZE < (int)APP_JSON_SIZE, "statistics fit into an answer");

static bool is_secure(const struct request *request) {
    const struct server_config *config = &request->app->config;
    struct span proto = request->http->header[HTTP_FORWARDED_PROTO];
    return strncmp(config->public_url, "https:", 6) == 0 ||
           (config->trust_proxy && proto.data && span_is(proto, "https"));
}

static bool read_name(const struct request *request, char out[NAME_SIZE], struct refusal *why) {
    struct span name = request_string(request, "name");
    return (name.data || refuse(why, "BAD_REQUEST", "A name is missing")) &&
           names_normalise(name, out, why);
}

static struct json *begin_session(struct request *request) {
    struct json *json = request_begin_object(request);
    json_put_string(json, "playerId", request->session.id);
    json_put_string(json, "name", request->session.name);
    return json;
}

static void write_cookie(const struct request *request, struct span token, char out[COOKIE_SIZE]) {
    snprintf(
        out, COOKIE_SIZE,
        "Set-Cookie: oyster_session=%.*s; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax%s\r\n",
        (int)token.length, token.data, is_secure(request) ? "; Secure" : "");
}

bool request_answer_token(struct request *request, int status) {
    char cookie[COOKIE_SIZE];
    json_put_string(begin_session(request), "token", request->token);
    write_cookie(request, span_of(request->token), cookie);
    return request_answer_object(request, status, cookie);
}

void request_on_session_made(void *arg, const struct session *session, const struct refusal *why) {
    struct request *request = arg;
    if (request_is_refused(request, session, why))
        return;
    request->session = *session;
    request_answer_token(request, 201);
}

bool route_post_session(struct request *request, struct refusal *why) {
    struct app *app = request->app;
    char name[NAME_SIZE], device[DEVICE_NAME_SIZE];
    int64_t now = rooms_now(app->rooms);
    request_device(request, device);
    return read_name(request, name, why) &&
           (request_take_of_address(request, app->new_sessions, 1, 0) ||
            refuse(why, "RATE_LIMITED", "Too many new people from here; please wait")) &&
           growth_charge(request, GROWTH_SESSION, why) &&
           sessions_add(app->sessions, name, span_of(device), now, request->token,
                        request_on_session_made, request, why);
}

/* Every use of the cookie renews it for a year. */
bool route_get_session(struct request *request, struct refusal *why) {
    struct span token = request_token(request->http);
    char cookie[COOKIE_SIZE] = "";
    begin_session(request);
    if (token.data == request_cookie(request->http).data)
        write_cookie(request, token, cookie);
    return request_answer_object(request, 200, cookie);
}

static void on_renamed(void *arg, const struct session *session, const struct refusal *why) {
    struct request *request = arg;
    if (request_is_refused(request, session, why))
        return;
    request->session = *session;
    rooms_rename(request->app->rooms, session->id, session->name);
    server_say_renamed(request->app, session);
    request_take(request, route_get_session);
}

/* A new name is written into every world in which the person is. */
static bool may_rename(struct request *request, struct refusal *why) {
    struct app *app = request->app;
    return (rates_take(&app->renames, request_person_key(request), rooms_now(app->rooms),
                       &request->retry_s) ||
            refuse(why, "RATE_LIMITED", "You have had many names already; please wait")) &&
           growth_charge(request, GROWTH_SESSION, why);
}

bool route_patch_session(struct request *request, struct refusal *why) {
    char name[NAME_SIZE];
    if (!read_name(request, name, why))
        return false;
    if (strcmp(name, request->session.name) == 0)
        return route_get_session(request, why);
    return may_rename(request, why) &&
           sessions_rename(request->app->sessions, &request->session, name,
                           rooms_now(request->app->rooms), on_renamed, request, why);
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
    struct request *request = arg;
    struct json *json = request_begin_found(request, reply);
    if (!json)
        return;
    json_put_array(json, "games");
    for (size_t i = 0; i < reply->count; i++)
        put_record(json, &reply->records[i]);
    json_put_end(json);
    json_put_array(json, "last");
    for (size_t i = 0; i < reply->finished_count; i++)
        put_finished(json, &reply->finished[i]);
    json_put_end(json);
    request_answer_object(request, 200, NULL);
}

static bool find_records(struct request *request, struct refusal *why) {
    return store_player_records(request->app->store, span_of(request->session.id), LAST_GAMES,
                                on_records, request, why);
}

bool route_get_statistics(struct request *request, struct refusal *why) {
    return reads_wait(request, STATISTICS_UNITS, find_records, why);
}

static void on_forgotten(void *arg, const struct store_reply *reply) {
    if (request_begin_found(arg, reply))
        request_answer_object(arg, 200, NULL);
}

static bool forget_records(struct request *request, struct refusal *why) {
    return store_player_forget(request->app->store, span_of(request->session.id), on_forgotten,
                               request, why);
}

bool route_post_statistics_delete(struct request *request, struct refusal *why) {
    return (json_is_true(json_object_get(request->body, "delete")) ||
            refuse(why, "BAD_REQUEST", "Say \"delete\": true, since this cannot be undone")) &&
           reads_wait(request, STATISTICS_UNITS, forget_records, why);
}
