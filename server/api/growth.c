/* See growth.h. */
#include "server/api/growth.h"

bool growth_charge(struct request *request, int64_t bytes, struct refusal *why) {
    struct app *app = request->app;
    int64_t now = rooms_now(app->rooms);
    if (app->config.written_per_minute == 0)
        return true;
    return ((!*request->session.id || rates_take_many(&app->written, request_person_key(request),
                                                      bytes, now, &request->retry_s)) &&
            rates_take_many(&app->written_of_address, request_address_key(request), bytes, now,
                            &request->retry_s)) ||
           refuse(why, "RATE_LIMITED", "You have had a lot written down; please wait a moment");
}

/* The last tenth is for the game, so that whoever talks too much does not end it. */
static bool has_room(const struct server_config *config, const struct world *world, bool moves) {
    int64_t entries = config->entries_per_world, bytes = config->bytes_per_world;
    if (!moves) {
        entries -= entries / 10;
        bytes -= bytes / 10;
    }
    return world->version < entries && world->log_bytes < bytes;
}

static int64_t cost_of(struct span words) {
    struct scan scan = scan_of(words);
    struct span verb = {0};
    scan_word(&scan, &verb);
    bool starts = span_is(verb, "start") || span_is(verb, "again");
    return (starts ? GROWTH_GAME : GROWTH_ENTRY) + (int64_t)words.length;
}

bool growth_may_act(struct request *request, struct span words, struct refusal *why) {
    if (span_is(words, "leave"))
        return true;
    if (!has_room(&request->app->config, room_world(request->room), world_is_move(words)))
        return refuse(why, "LOG_FULL", "This world has been used up; please make a new one");
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
        request_find_again(request);
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
