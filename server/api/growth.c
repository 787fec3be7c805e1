/* See growth.h. */
#include "server/api/growth.h"

#include <string.h>

static bool refuse_to_write(struct refusal *why) {
    return refuse(why, "RATE_LIMITED", "You have had a lot written down; please wait a moment");
}

bool growth_charge(struct request *request, int64_t bytes, struct refusal *why) {
    struct app *app = request->app;
    int64_t now = rooms_now(app->rooms);
    if (app->config.written_per_minute == 0)
        return true;
    return ((!*request->session.id || rates_take_many(&app->written, request_person_key(request),
                                                      bytes, now, &request->retry_s)) &&
            request_take_of_address(request, app->written_of_address, bytes, 0)) ||
           refuse_to_write(why);
}

/* Of a hundred parts of a world, how many there must be before somebody writes such words. */
static int64_t part_of(struct span words) {
    enum { FOR_ALL = 90, FOR_MOVES = 98, FOR_ORDERS = 100 };
    if (world_is_order(words))
        return FOR_ORDERS;
    return world_is_move(words) ? FOR_MOVES : FOR_ALL;
}

static bool has_room(const struct server_config *config, const struct world *world, int64_t part) {
    return world->version < config->entries_per_world * part / 100 &&
           world->log_bytes < config->bytes_per_world * part / 100;
}

/* Guests who come and go, talk and change seats use up a world that is not theirs. Whoever comes
 * leaves some day, which is always allowed, so coming counts twice. */
static bool may_stir(struct request *request, const struct world *world, struct span words) {
    uint64_t of = rates_key(world->code, strlen(world->code), request->app->rates_secret);
    bool comes = !world_find_member(world, span_of(request->session.id));
    return request->app->config.written_per_minute == 0 || world_is_move(words) ||
           strcmp(world->owner, request->session.id) == 0 ||
           request_take_of_address(request, request->app->stirs, comes ? 2 : 1, of);
}

static int64_t cost_of(struct span words) {
    struct scan scan = scan_of(words);
    struct span verb = {0};
    scan_word(&scan, &verb);
    bool starts = span_is(verb, "start") || span_is(verb, "again");
    return (starts ? GROWTH_GAME : GROWTH_ENTRY) + (int64_t)words.length;
}

bool growth_may_act(struct request *request, struct span words, struct refusal *why) {
    const struct world *world = room_world(request->room);
    if (span_is(words, "leave"))
        return true;
    if (!has_room(&request->app->config, world, part_of(words)))
        return refuse(why, "LOG_FULL", "This world has been used up; please make a new one");
    if (!may_stir(request, world, words))
        return refuse_to_write(why);
    return growth_charge(request, cost_of(words), why);
}

bool growth_has_too_many(const struct request *request, const struct store_reply *worlds,
                         struct refusal *why) {
    int64_t most = request->app->config.memberships_per_player;
    return (int64_t)worlds->count >= most &&
           !refuse(why, "RATE_LIMITED", "You are in %d worlds already; leave one first", (int)most);
}

static void on_memberships(void *arg, const struct store_reply *reply) {
    struct request *request = arg;
    struct refusal why = reply->why;
    if (reply->outcome != STORE_OK || growth_has_too_many(request, reply, &why))
        request_refuse(request, &why);
    else
        request_come_in(request);
}

static bool count_memberships(struct request *request, struct refusal *why) {
    return store_list_of_player(request->app->store, span_of(request->session.id), 0,
                                (size_t)request->app->config.memberships_per_player, on_memberships,
                                request, why);
}

bool growth_count_then(struct request *request, request_step *next, struct refusal *why) {
    if (world_find_member(room_world(request->room), span_of(request->session.id)))
        return next(request, why);
    request->with_room = next;
    return request_line_up(request, request->app->config.memberships_per_player, count_memberships,
                           why);
}
