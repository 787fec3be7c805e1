/* HTTP's addresses and what stands behind them. What a request (request.h) needs
 * (body, session, world) is looked up step by step, of which each may have to wait, and it is
 * answered exactly once. The order of the steps is the order of checks in docs/PROTOCOL.md. */
#include "formats/save.h"
#include "server/api/actions.h"
#include "server/api/host.h"
#include "server/api/request.h"
#include "server/api/site.h"
#include "server/net/encoding.h"
#include "server/ops/log.h"

#include "store/reserve.h"
#include <stdio.h>
#include <string.h>

enum { SAVE_BODY_MAX = 1 << 18 };
_Static_assert((int)SAVE_BODY_MAX <= (int)SAVE_SIZE_MAX, "a save that is taken can be read");

/* ---- Operations ---- */

static bool get_health(struct request *request, struct refusal *why) {
    return request_answer(
        request,
        &(struct http_answer){.status = 200, .type = "text/plain", .body = span_of("ok\n")});
}

static void on_ready(void *arg, const struct store_reply *reply) {
    struct request *request = arg;
    if (reply->outcome == STORE_FAILED) {
        request_refuse(request, &reply->why);
        return;
    }
    request->app->ready_ms = rooms_now(request->app->rooms);
    request_take(request, get_health);
}

/* A file whose disk is full can still be read, so the store has to write something. That waits for
 * the disk, so it is done once a second at the most. */
static bool get_ready(struct request *request, struct refusal *why) {
    enum { READY_MS = 1000 };
    struct app *app = request->app;
    int64_t now = rooms_now(app->rooms);
    if (app->resting)
        return refuse(why, "UNAVAILABLE", "The host has asked this server to take no new people");
    if (now >= app->ready_ms && now < app->ready_ms + READY_MS && !store_is_shared(app->store))
        return get_health(request, why);
    return store_try(app->store, on_ready, request, why);
}

static bool get_metrics(struct request *request, struct refusal *why) {
    struct text text = text_in(request->app->json, sizeof request->app->json);
    metrics_write(request->app, &text);
    return request_answer(request,
                          &(struct http_answer){.status = 200,
                                                .type = "text/plain; version=0.0.4; charset=utf-8",
                                                .body = {text.data, text.length}});
}

/* ---- The table ---- */

static const struct route routes[] = {
    /* First what comes most often. */
    {"POST /api/game/action", route_post_action, true, true, false, route_is_action},
    {"POST /api/session", route_post_session, true, false, false, NULL},
    {"GET /api/session", route_get_session, false, true, false, NULL},
    {"PATCH /api/session", route_patch_session, true, true, false, NULL},
    {"GET /api/session/devices", route_get_devices, false, true, false, NULL},
    {"POST /api/session/link", route_post_link, true, true, false, NULL},
    {"POST /api/session/claim", route_post_claim, true, false, false, NULL},
    {"POST /api/session/renew", route_post_renew, true, true, false, NULL},
    {"POST /api/session/logout", route_post_logout, true, true, false, NULL},
    {"POST /api/session/erase", route_post_erase, true, true, false, NULL},
    {"POST /api/push", route_post_push, true, true, false, NULL},
    {"POST /api/push/end", route_post_push_end, true, true, false, NULL},
    {"GET /api/statistics", route_get_statistics, false, true, false, NULL},
    {"POST /api/statistics/delete", route_post_statistics_delete, true, true, false, NULL},
    {"GET /api/games", route_get_games, false, false, false, NULL},
    {"POST /api/worlds", route_post_world, true, true, false, NULL},
    {"GET /api/worlds", route_get_worlds, false, false, false, NULL},
    {"POST /api/worlds/load", route_post_load, false, true, false, NULL},
    {"GET /api/worlds/*", route_get_world, false, true, true, NULL},
    {"GET /api/worlds/*/invitation", route_get_invitation, false, false, true, NULL},
    {"POST /api/worlds/*/join", route_post_join, true, true, true, NULL},
    {"POST /api/worlds/*/leave", route_post_leave, true, true, true, NULL},
    {"POST /api/worlds/*/call", route_post_call, true, true, true, NULL},
    {"GET /api/worlds/*/log", route_get_log, false, true, true, NULL},
    {"GET /api/worlds/*/history", route_get_history, false, true, true, NULL},
    {"GET /api/worlds/*/save", route_get_save, false, true, true, NULL},
    {"POST /api/pusher/auth", route_post_auth, false, true, false, NULL},
    {"POST /pusher/auth", route_post_auth, false, true, false, NULL},
    {"GET /api/config", route_get_config, false, false, false, NULL},
    {"GET /app/*", route_get_socket, false, false, false, NULL},
    {"GET /api/host", route_get_host, false, false, false, NULL},
    {"GET /api/host/worlds", route_get_host_worlds, false, false, false, NULL},
    {"GET /api/host/people", route_get_host_people, false, false, false, NULL},
    {"POST /api/host/message", route_post_host_message, true, false, false, NULL},
    {"POST /api/host/drain", route_post_host_drain, true, false, false, NULL},
    {"POST /api/host/ban", route_post_host_ban, true, false, false, NULL},
    {"GET /healthz", get_health, false, false, false, NULL},
    {"GET /readyz", get_ready, false, false, false, NULL},
    {"GET /metrics", get_metrics, false, false, false, NULL},
};

/* Moves that their game gives an address of its own. */
static const struct route moves = {"POST moves", route_post_move, false, true, false, NULL};

enum { ROUTES = sizeof routes / sizeof routes[0] };

/* Requests without a route are counted under these names: files of the page, and what is refused
 * because there is no such path or method, or because it cannot be read. */
static const char pages[] = "pages", unread[] = "-";
_Static_assert(ROUTES + 3 <= METRICS_ROUTES_MAX, "every route has its figures");

static bool reads(const struct route *route) {
    return strncmp(route->name, "GET ", 4) == 0;
}

/* ---- Paths and methods ---- */

/* HEAD is answered like GET. */
static bool same_method(const char *asked, const char *name) {
    if (strcmp(asked, "HEAD") == 0)
        asked = "GET";
    size_t length = strlen(asked);
    return strncmp(asked, name, length) == 0 && name[length] == ' ';
}

/* ---- The steps ---- */

/* An empty body is an empty object. */
static bool read_body(struct request *request, struct refusal *why) {
    struct span text = request->http->body;
    json_error_t error;
    if (text.length == 0) {
        request->body = json_object();
        return true;
    }
    if (encoding_is_too_deep(text, request->app->config.json_depth_max))
        return refuse(why, "BAD_REQUEST", "The body is nested too deeply");
    request->body = json_loadb(text.data, text.length, JSON_REJECT_DUPLICATES, &error);
    return json_is_object(request->body) ||
           refuse(why, "BAD_REQUEST", "The body should be a JSON object");
}

/* A page of another site must not act for its visitor. Where the server's own address is known, no
 * other passes, whatever the Host header says. Programs send no Origin header. */
static bool is_own_origin(const struct request *request) {
    struct span origin = request->http->header[HTTP_ORIGIN];
    struct span host = request->http->header[HTTP_HOST];
    const char *public_url = request->app->config.public_url;
    if (!origin.data)
        return true;
    if (*public_url)
        return span_is(origin, public_url);
    const char *slashes = origin.length > 3 ? memchr(origin.data, '/', origin.length) : NULL;
    if (!slashes || !host.data)
        return false;
    size_t start = (size_t)(slashes - origin.data) + 2;
    return origin.length > start && origin.length - start == host.length &&
           memcmp(origin.data + start, host.data, host.length) == 0;
}

static bool run(struct request *request, struct refusal *why) {
    request_step *step = request->route->run;
    return request->route->world ? request_find_room(request, request->part[0], step, why)
                                 : step(request, why);
}

/* Everything that is written to the store counts for the limit: actions, coming and going, worlds,
 * names. */
static bool may_act(struct request *request, struct refusal *why) {
    bool harmless = reads(request->route) || request->route->run == route_post_auth;
    return harmless ||
           rates_take(&request->app->actions, request_person_key(request),
                      rooms_now(request->app->rooms), &request->retry_s) ||
           refuse(why, "RATE_LIMITED", "Too many actions; please wait a moment");
}

static bool run_within_limit(struct request *request, struct refusal *why) {
    return may_act(request, why) && run(request, why);
}

static void on_session(void *arg, const struct session *session, const struct refusal *why) {
    struct request *request = arg;
    if (request_is_refused(request, session, why))
        return;
    request->session = *session;
    sessions_seen(request->app->sessions, session, rooms_now(request->app->rooms));
    request_take(request, run_within_limit);
}

static bool begin(struct request *request, struct refusal *why) {
    const struct route *route = request->route;
    bool upgrades = route->run == route_get_socket;
    if ((!reads(route) || upgrades) && !is_own_origin(request))
        return refuse(why, "FORBIDDEN", "Not from another site");
    if (route->body &&
        (!read_body(request, why) || (route->fits && !route->fits(request->body, why))))
        return false;
    if (!route->session)
        return run(request, why);
    sessions_find(request->app->sessions, request_token(request->http), on_session, request);
    return true;
}

/* Whoever bans their own address must be able to take it back. */
static bool is_for_hosts(const struct route *route) {
    return route && (strstr(route->name, " /api/host") || route->run == get_health ||
                     route->run == get_ready);
}

/* Asked before all else: is there memory for an answer, and is the limit of this address met? */
static bool may_ask(struct request *request, struct refusal *why) {
    struct app *app = request->app;
    if (!reserve_is_whole())
        return refuse_no_memory(why);
    if (host_is_banned(app, request_address(request)) && !is_for_hosts(request->route))
        return refuse(why, "FORBIDDEN", "This server does not serve your address at the moment");
    if (app->config.trust_proxy && !peer_comes_from(request->peer, request_address(request)))
        return refuse(why, "RATE_LIMITED", "Too many connections from one address");
    return app->config.requests_per_second == 0 ||
           rates_take(&app->requests, request_address_key(request), rooms_now(app->rooms),
                      &request->retry_s) ||
           refuse(why, "RATE_LIMITED", "Too many requests from one address; please wait");
}

/* ---- Which route ---- */

static const struct route *allow(const struct route *route, struct text *allowed) {
    text_string(allowed, allowed->length > 0 ? ", " : "Allow: ");
    text_span(allowed, (struct span){route->name, strcspn(route->name, " ")});
    text_string(allowed, reads(route) ? ", HEAD" : "");
    return NULL;
}

/* Proxies keep the figures from strangers by their path, so they have no other one, not even with a
 * slash at its end. */
static bool is_at(const struct route *route, struct request *request) {
    const char *path = strchr(route->name, '/');
    return encoding_path_fits(path, request->http->path, request->part) &&
           (route->run != get_metrics || span_is(request->http->path, path));
}

/* Finds the route. If the path exists only with other methods, these are listed. */
static const struct route *find_route(struct request *request, struct text *allowed) {
    for (size_t i = 0; i < ROUTES; i++) {
        const char *name = routes[i].name;
        if (!is_at(&routes[i], request))
            continue;
        if (same_method(request->http->method, name))
            return &routes[i];
        allow(&routes[i], allowed);
    }
    if (allowed->length > 0 || !actions_is_address(request->http->path))
        return NULL;
    return same_method(request->http->method, moves.name) ? &moves : allow(&moves, allowed);
}

static void answer_other_method(struct request *request, struct text *allowed) {
    static const char body[] =
        "{\"error\":\"This address does not take that method\",\"code\":\"BAD_REQUEST\"}";
    text_string(allowed, "\r\n");
    request_answer(request, &(struct http_answer){.status = 405,
                                                  .type = "application/json",
                                                  .headers = allowed->data,
                                                  .body = span_of(body)});
}

/* ---- What was answered ---- */

static void tell_failed(struct app *app, const struct http_request *http, const char *route,
                        int status) {
    char number[24], count[24];
    int64_t failures;
    if (log_is_due(&app->failed, rooms_now(app->rooms), &failures))
        log_line(LOG_WARN, "request_failed", "id", http->id, "route", route, "status",
                 log_number(number, status), "count", log_number(count, failures), NULL);
}

/* Logs the route instead of the path, which may contain a world's code. */
static void tell_access(const struct peer *peer, const struct http_request *http, const char *route,
                        int status, size_t size, uint64_t ns) {
    char code[24], bytes[24], ms[32];
    snprintf(ms, sizeof ms, "%.3f", (double)ns / 1e6);
    log_line(LOG_INFO, "request", "id", http->id, "address", peer->address, "route", route,
             "status", log_number(code, status), "bytes", log_number(bytes, (int64_t)size), "ms",
             ms, NULL);
}

void routes_answered(void *arg, const struct peer *peer, const struct http_request *http,
                     int status, size_t size) {
    struct app *app = arg;
    uint64_t ns = uv_hrtime() - http->begin_ns;
    const char *route = http->route ? http->route : unread;
    metrics_answer(&app->metrics, route, status, ns);
    if (app->config.access_log)
        tell_access(peer, http, route, status, size, ns);
    if (status >= 500)
        tell_failed(app, http, route, status);
}

/* ---- A request ---- */

size_t routes_body_max(void *arg, struct span path) {
    const struct app *app = arg;
    return span_is(path, "/api/worlds/load") ? SAVE_BODY_MAX : (size_t)app->config.body_max;
}

static struct request *begin_request(struct app *app, struct peer *peer, struct http_request *http,
                                     struct text *allowed) {
    struct request *request = reserve_malloc(sizeof *request);
    *request = (struct request){.app = app, .peer = peer, .http = http};
    request->route = find_route(request, allowed);
    if (request->route)
        http->route = request->route->name;
    return request;
}

/* What the preview of a link to this world says, if its owner lets strangers know. Names are given
 * only with the owner's consent. */
static bool find_preview(struct request *request, struct site_preview *out) {
    struct span path = request->http->path;
    char code[WORLD_CODE_LENGTH + 1] = "";
    if (!span_take(&path, "/w/") || !request_read_code(path, code) || !request_may_preview(request))
        return false;
    const struct world *world = rooms_peek(request->app->rooms, span_of(code));
    if (!world || world_preview(world) == WORLD_PREVIEW_OFF)
        return false;
    request_previewed(request);
    struct world_guests guests = world_guests(world);
    if (world_preview(world) == WORLD_PREVIEW_NAMES && *guests.host)
        snprintf(out->title, sizeof out->title, "%s invites you to %s", guests.host,
                 world->game->name);
    else
        snprintf(out->title, sizeof out->title, "An invitation to %s", world->game->name);
    snprintf(out->text, sizeof out->text, "%d of %d %s here. No account: type a name, play.",
             guests.people, guests.places, guests.people == 1 ? "is" : "are");
    return true;
}

static bool refuse_nothing(struct request *request, struct refusal *why) {
    return refuse(why, "NOT_FOUND", "There is nothing here");
}

void routes_handle(void *arg, struct peer *peer, struct http_request *http) {
    struct app *app = arg;
    struct refusal why;
    char buffer[64];
    struct text allowed = text_in(buffer, sizeof buffer);
    struct request *request = begin_request(app, peer, http, &allowed);
    bool elsewhere = app->metrics_net && request->route && request->route->run == get_metrics;
    if (!may_ask(request, &why)) {
        http_last(peer);
        request_refuse(request, &why);
    } else if (request->route && !elsewhere) {
        request_take(request, begin);
    } else if (allowed.length > 0) {
        answer_other_method(request, &allowed);
    } else if (elsewhere || !same_method(http->method, "GET ")) {
        request_take(request, refuse_nothing);
    } else {
        struct site_preview preview;
        bool previewed = find_preview(request, &preview);
        request_end(request);
        http->route = pages;
        site_answer(app->site, peer, http, previewed ? &preview : NULL);
    }
}

void routes_handle_operations(void *arg, struct peer *peer, struct http_request *http) {
    char buffer[64];
    struct text allowed = text_in(buffer, sizeof buffer);
    struct request *request = begin_request(arg, peer, http, &allowed);
    request_step *step = request->route ? request->route->run : NULL;
    bool serves = step == get_metrics || step == get_ready || step == get_health;
    request_take(request, serves ? begin : refuse_nothing);
}
