/* For whoever runs the server, behind tokens of the configuration: what there is and what goes on,
 * and with the second token a message to all, drain and ban. Without a token there is nothing
 * here. */
#include "server/api/host.h"
#include "server/api/request.h"
#include "server/channels/pusher.h"
#include "server/net/encoding.h"
#include "server/ops/log.h"
#include "store/store.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* ---- Tokens ---- */

enum access { NO_ACCESS, MAY_READ, MAY_WRITE };

static enum access access_of(const struct request *request) {
    const struct server_config *config = &request->app->config;
    struct span token = request_bearer(request->http);
    if (secrets_same(config->host_write_token, token))
        return MAY_WRITE;
    return secrets_same(config->host_token, token) ? MAY_READ : NO_ACCESS;
}

static void tell_refused(const struct request *request) {
    char address[RATES_BLOCK_SIZE];
    rates_block(request_address(request), RATES_HOUSEHOLD_BITS, address);
    log_line(LOG_WARN, "host_refused", "address", address, NULL);
}

static bool is_host(struct request *request, enum access wanted, struct refusal *why) {
    const struct server_config *config = &request->app->config;
    if (!*config->host_token && !*config->host_write_token)
        return refuse(why, "NOT_FOUND", "There is nothing here");
    /* A try counts from its start. There is no limit in all, by which strangers could keep the host
     * away; a token is too long to be guessed from many addresses. */
    if (!request_take_of_address(request, request->app->host_guesses, 1, 0))
        return refuse(why, "RATE_LIMITED", "Too many wrong tokens; please wait");
    enum access access = access_of(request);
    if (access == NO_ACCESS) {
        tell_refused(request);
        return refuse(why, "UNAUTHENTICATED", "That is not the host's token");
    }
    request_give_back_to_address(request, request->app->host_guesses);
    return access >= wanted ||
           refuse(why, "FORBIDDEN", "This token only shows; acting takes the other one");
}

/* ---- What there is ---- */

static int64_t micros(struct timeval time) {
    return (int64_t)time.tv_sec * 1000000 + time.tv_usec;
}

static void put_load(const struct app *app, struct json *json) {
    struct net_figures net = net_figures(app->net);
    struct rooms_figures rooms = rooms_figures(app->rooms);
    struct store_figures store = store_figures(app->store);
    struct rusage usage;
    size_t memory = 0;
    getrusage(RUSAGE_SELF, &usage);
    uv_resident_set_memory(&memory);
    json_put_object(json, "load");
    json_put_number(json, "connections", net.peers);
    json_put_number(json, "sockets", pusher_figures(app->pusher).sockets);
    json_put_number(json, "worldsInMemory", rooms.loaded);
    json_put_number(json, "entriesWaiting", rooms.waiting_entries);
    json_put_number(json, "botsThinking", rooms.thinking);
    json_put_number(json, "actions", (int64_t)rooms.actions);
    json_put_number(json, "botMoves", (int64_t)rooms.bot_moves);
    json_put_number(json, "storeFailures", (int64_t)store.failures);
    json_put_number(json, "cpuMs", (micros(usage.ru_utime) + micros(usage.ru_stime)) / 1000);
    json_put_number(json, "memoryBytes", (int64_t)memory);
    json_put_end(json);
}

bool route_get_host(struct request *request, struct refusal *why) {
    const struct app *app = request->app;
    char store[CONFIG_TEXT_SIZE];
    if (!is_host(request, MAY_READ, why))
        return false;
    store_show(app->config.store, store, sizeof store);
    struct json *json = request_begin_object(request);
    json_put_bool(json, "mayWrite", access_of(request) == MAY_WRITE);
    json_put_string(json, "node", app->config.node);
    json_put_string(json, "version", OYSTER_VERSION);
    json_put_string(json, "store", store);
    json_put_number(json, "now", rooms_now(app->rooms));
    json_put_number(json, "startedAt", app->started_ms);
    json_put_bool(json, "draining", app->resting);
    put_load(app, json);
    json_put_array(json, "bans");
    host_put_bans(app, json);
    json_put_end(json);
    return request_answer_object(request, 200, NULL);
}

/* `?after=PART.NUMBER` is where a page of a walk begins. */
static struct store_walk read_after(const struct request *request) {
    char buffer[48];
    struct text text = text_in(buffer, sizeof buffer);
    struct store_walk walk = {0};
    if (!encoding_field(request->http->query, "after", &text) || text.cut)
        return walk;
    char *point = strchr(buffer, '.');
    long part = strtol(buffer, NULL, 10);
    walk.part = part >= 0 && part < HOST_PARTS_MAX ? (int)part : 0;
    walk.after = point ? strtoll(point + 1, NULL, 10) : 0;
    return walk.after >= 0 ? walk : (struct store_walk){0};
}

static void put_after(struct json *json, const struct store_reply *reply) {
    char buffer[48];
    if (!reply->more) {
        json_put_null(json, "after");
        return;
    }
    snprintf(buffer, sizeof buffer, "%d.%lld", reply->walk.part, (long long)reply->walk.after);
    json_put_string(json, "after", buffer);
}

static int64_t lines_of(struct span text) {
    int64_t count = 0;
    for (size_t i = 0; i < text.length; i++)
        count += text.data[i] == '\n';
    return count;
}

static bool is_shown(const struct store_world *world) {
    return !world->is_archived && world->status <= STORE_CLOSED;
}

static bool shows_one(const struct store_reply *reply) {
    for (size_t i = 0; i < reply->count; i++)
        if (is_shown(&reply->worlds[i]))
            return true;
    return false;
}

/* Pages on which all is archived are left out. */
static void on_worlds(void *arg, const struct store_reply *reply) {
    static const char *const statuses[] = {"waiting", "playing", "game_over", "closed"};
    struct request *request = arg;
    struct refusal why;
    if (reply->outcome == STORE_OK && reply->more && !shows_one(reply)) {
        if (!store_walk_worlds(request->app->store, reply->walk, false, on_worlds, request, &why))
            request_refuse(request, &why);
        return;
    }
    struct json *json = request_begin_found(request, reply);
    if (!json)
        return;
    json_put_array(json, "worlds");
    for (size_t i = 0; i < reply->count; i++) {
        const struct store_world *world = &reply->worlds[i];
        if (!is_shown(world))
            continue;
        /* A code lets whoever has it join, so who may only look sees its first letter. */
        bool whole = access_of(request) == MAY_WRITE;
        json_put_object(json, NULL);
        json_put_span(json, "roomCode",
                      (struct span){world->code.data, whole ? world->code.length : 1});
        json_put_span(json, "gameId", world->game);
        json_put_string(json, "status", statuses[world->status]);
        json_put_bool(json, "public", world->is_public);
        json_put_number(json, "people", lines_of(world->members));
        json_put_number(json, "version", world->version);
        json_put_number(json, "games", world->games);
        json_put_number(json, "createdAt", world->created_ms);
        json_put_number(json, "changedAt", world->changed_ms);
        json_put_end(json);
    }
    json_put_end(json);
    put_after(json, reply);
    request_answer_object(request, 200, NULL);
}

bool route_get_host_worlds(struct request *request, struct refusal *why) {
    return is_host(request, MAY_READ, why) &&
           store_walk_worlds(request->app->store, read_after(request), false, on_worlds, request,
                             why);
}

static void on_people(void *arg, const struct store_reply *reply) {
    struct request *request = arg;
    struct json *json = request_begin_found(request, reply);
    if (!json)
        return;
    json_put_array(json, "people");
    for (size_t i = 0; i < reply->count; i++) {
        const struct store_player *player = &reply->players[i];
        char id[STORE_ID_MAX + 1];
        snprintf(id, sizeof id, "%.*s", (int)player->id.length, player->id.data);
        json_put_object(json, NULL);
        json_put_string(json, "playerId", id);
        json_put_span(json, "name", player->name);
        json_put_number(json, "sockets", pusher_count(request->app->pusher, id));
        json_put_number(json, "createdAt", player->created_ms);
        json_put_number(json, "seenAt", player->seen_ms);
        json_put_end(json);
    }
    json_put_end(json);
    put_after(json, reply);
    request_answer_object(request, 200, NULL);
}

bool route_get_host_people(struct request *request, struct refusal *why) {
    return is_host(request, MAY_READ, why) &&
           store_walk_players(request->app->store, read_after(request), false, on_people, request,
                              why);
}

/* ---- What can be done ---- */

/* A text for everybody who is at a table at any server. */
bool route_post_host_message(struct request *request, struct refusal *why) {
    struct span text = request_string(request, "text");
    if (!is_host(request, MAY_WRITE, why))
        return false;
    if (text.length == 0 || text.length > HOST_MESSAGE_MAX)
        return refuse(why, "BAD_REQUEST", "A text of at most %d bytes is missing",
                      HOST_MESSAGE_MAX);
    log_line(LOG_INFO, "host_message", NULL);
    host_announce(request->app, text);
    return request_answer_done(request);
}

/* No new worlds, and not ready, so that a proxy sends new people elsewhere; games go on. */
bool route_post_host_drain(struct request *request, struct refusal *why) {
    const json_t *on = json_object_get(request->body, "on");
    if (!is_host(request, MAY_WRITE, why))
        return false;
    if (!json_is_boolean(on))
        return refuse(why, "BAD_REQUEST", "`on` should be true or false");
    request->app->resting = json_is_true(on);
    log_line(LOG_INFO, "host_drain", "on", request->app->resting ? "yes" : "no", NULL);
    return request_answer_done(request);
}

static void on_banned(void *arg, const struct session *session, const struct refusal *why) {
    struct request *request = arg;
    if (request_is_refused(request, session, why))
        return;
    log_line(LOG_INFO, "host_ban", "player", session->id, NULL);
    server_send_away(request->app, session->id, SEND_AWAY_ALL, "");
    request_answer_done(request);
}

/* All tokens of the person are worth nothing any longer. */
static void on_person(void *arg, const struct store_reply *reply) {
    struct request *request = arg;
    struct session session = {.seen_ms = rooms_now(request->app->rooms)};
    struct refusal why = reply->why;
    if (reply->outcome == STORE_MISSING)
        refuse(&why, "NOT_FOUND", "There is nobody with that id");
    bool found = reply->outcome == STORE_OK && reply->players[0].id.length < sizeof session.id &&
                 reply->players[0].name.length < sizeof session.name;
    if (found) {
        memcpy(session.id, reply->players[0].id.data, reply->players[0].id.length);
        memcpy(session.name, reply->players[0].name.data, reply->players[0].name.length);
    }
    if (!found || !sessions_log_out(request->app->sessions, &session, STORE_DROP_ALL, NULL,
                                    on_banned, request, &why))
        request_refuse(request, &why);
}

static bool ban_address(struct request *request, struct span address, struct refusal *why) {
    json_t *hours = json_object_get(request->body, "hours");
    int64_t count = json_is_integer(hours) ? json_integer_value(hours) : 24;
    if (address.length == 0 || address.length >= RATES_BLOCK_SIZE || count < 0 ||
        count > HOST_BAN_HOURS_MAX)
        return refuse(why, "BAD_REQUEST", "An address and 0 to %d hours are expected",
                      HOST_BAN_HOURS_MAX);
    if (!host_ban(request->app, address, rooms_now(request->app->rooms) + count * 3600000, why))
        return false;
    log_line(LOG_INFO, "host_ban", "address", address.data, NULL);
    return request_answer_done(request);
}

/* A person, who loses the session, or an address for some hours; 0 hours end it. */
bool route_post_host_ban(struct request *request, struct refusal *why) {
    struct span id = request_string(request, "playerId");
    struct span address = request_string(request, "address");
    if (!is_host(request, MAY_WRITE, why))
        return false;
    if (address.data)
        return ban_address(request, address, why);
    return (id.data || refuse(why, "BAD_REQUEST", "A playerId or an address is missing")) &&
           store_player_by_id(request->app->store, id, on_person, request, why);
}
