/* See growth.h. */
#include "server/api/growth.h"

#include <string.h>

bool growth_charge(struct call *call, int64_t bytes, struct refusal *why) {
    struct app *app = call->app;
    int64_t now = rooms_now(app->rooms);
    uint64_t person = rates_key(call->session.id, strlen(call->session.id), app->rates_secret);
    if (app->config.written_per_minute == 0)
        return true;
    return ((!*call->session.id ||
             rates_take_many(&app->written, person, bytes, now, &call->retry_s)) &&
            rates_take_many(&app->written_of_address, call_address_key(call), bytes, now,
                            &call->retry_s)) ||
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

bool growth_may_act(struct call *call, struct span words, struct refusal *why) {
    if (span_is(words, "leave"))
        return true;
    if (!has_room(&call->app->config, room_world(call->room), world_is_move(words)))
        return refuse(why, "LOG_FULL", "This world has been used up; please make a new one");
    return growth_charge(call, cost_of(words), why);
}

bool growth_has_too_many(const struct call *call, const struct store_reply *worlds,
                         struct refusal *why) {
    int64_t most = call->app->config.memberships_per_player;
    return (int64_t)worlds->count >= most &&
           !refuse(why, "RATE_LIMITED", "You are in %d worlds already; leave one first", (int)most);
}

static void on_memberships(void *arg, const struct store_reply *reply) {
    struct call *call = arg;
    struct refusal why = reply->why;
    if (reply->outcome != STORE_OK || growth_has_too_many(call, reply, &why))
        call_refuse(call, &why);
    else
        call_find_again(call);
}

static void count_memberships(struct call *call) {
    struct refusal why;
    if (!store_list_of_player(call->app->store, span_of(call->session.id), 0,
                              (size_t)call->app->config.memberships_per_player, on_memberships,
                              call, &why))
        call_refuse(call, &why);
}

void growth_count_then(struct call *call, call_step *next) {
    if (world_find_member(room_world(call->room), span_of(call->session.id))) {
        next(call);
        return;
    }
    call->with_room = next;
    call_line_up(call, call->app->config.memberships_per_player, count_memberships);
}
