/* Being called when the page is closed (Web Push): which devices, for what; and calling people whom
 * one knows to one's table. */
#include "server/api/growth.h"
#include "server/webpush/webpush.h"
#include <string.h>

static bool is_offered(const struct request *request, struct refusal *why) {
    return request->app->webpush || refuse(why, "NOT_FOUND", "Nobody is called by this server");
}

static void on_kept(void *arg, const struct store_reply *reply) {
    struct request *request = arg;
    struct refusal why = reply->why;
    if (reply->outcome == STORE_OK) {
        request_answer_done(request);
        return;
    }
    if (reply->outcome == STORE_CONFLICT)
        refuse(&why, "RATE_LIMITED", "You are called on %d devices already", STORE_NOTES_MAX);
    else if (reply->outcome == STORE_MISSING)
        refuse(&why, "UNAUTHENTICATED", "There is no such session");
    request_refuse(request, &why);
}

/* Keeps the text under the endpoint's name, or nothing. */
static bool keep(struct request *request, struct span endpoint, struct span text,
                 struct refusal *why) {
    char name[SUBSCRIPTION_NAME_SIZE];
    subscription_name(endpoint, name);
    struct store_note_put put = {.owner = span_of(request->session.id),
                                 .note = {.name = span_of(name), .text = text}};
    return store_note_put(request->app->store, &put, on_kept, request, why);
}

/* The note names the device of the session, so that logging it out ends its calls as well. */
static bool write_note(const struct request *request, struct subscription *subscription,
                       struct text *out, struct refusal *why) {
    memcpy(subscription->device, request->session.device, sizeof subscription->device);
    return subscription_write(subscription, out) ||
           refuse(why, "BAD_REQUEST", "The subscription is too long");
}

bool route_post_push(struct request *request, struct refusal *why) {
    struct subscription subscription;
    char buffer[STORE_NOTE_MAX + 1];
    struct text text = text_in(buffer, sizeof buffer);
    return is_offered(request, why) &&
           subscription_read(request->body, request->app->config.push_anywhere != 0, &subscription,
                             why) &&
           write_note(request, &subscription, &text, why) &&
           growth_charge(request, (int64_t)text.length, why) &&
           keep(request, span_of(subscription.endpoint), (struct span){text.data, text.length},
                why);
}

bool route_post_push_end(struct request *request, struct refusal *why) {
    struct span endpoint = request_string(request, "endpoint");
    return (endpoint.data ||
            refuse(why, "BAD_REQUEST", "The endpoint that is to be called no more is missing")) &&
           keep(request, endpoint, span_of(""), why);
}

/* ---- Calling others ---- */

static bool read_person(const struct request *request, struct webpush_message *message,
                        struct refusal *why) {
    struct span player = request_string(request, "playerId");
    if (player.length == 0 || player.length >= sizeof message->player)
        return refuse(why, "BAD_REQUEST", "playerId is missing");
    memcpy(message->player, player.data, player.length);
    return true;
}

/* Nobody learns whether somebody can be called: only people who have the caller in their own list
 * are, and the answer is the same for all. */
bool route_post_call(struct request *request, struct refusal *why) {
    struct app *app = request->app;
    const struct world *world = room_world(request->room);
    int64_t now = rooms_now(app->rooms);
    struct webpush_message message = {.kind = WEBPUSH_TABLE};
    if (!is_offered(request, why) || !read_person(request, &message, why))
        return false;
    if (!world_find_member(world, span_of(request->session.id)))
        return refuse(why, "NOT_A_MEMBER", "You are not in this world");
    if (!rates_take(&app->calls, request_person_key(request), now, &request->retry_s))
        return refuse(why, "RATE_LIMITED", "You have called many people; please wait");
    memcpy(message.from, request->session.id, strlen(request->session.id));
    memcpy(message.name, request->session.name, strlen(request->session.name));
    memcpy(message.code, world->code, strlen(world->code));
    memcpy(message.game, world->game->id, strlen(world->game->id));
    world_invitation(world, message.invitation);
    webpush_call(app->webpush, &message);
    return request_answer_done(request);
}
