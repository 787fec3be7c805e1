/* Worlds: making, listing, seeing, joining and leaving them, and their logs. */
#include "server/api/actions.h"
#include "server/api/growth.h"
#include "server/api/request.h"
#include "server/net/encoding.h"
#include "server/rooms/names.h"

#include "engine/ensure.h"
#include "games/registry.h"
#include "store/reserve.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum { LIST_PAGE = 50, WISHES_MAX = 3, CREATE_TRIES = 5, READ_TRIES = 5 };

enum { LIST_SIZE = LIST_PAGE * (STORE_SUMMARY_MAX + 1) + 64 };
_Static_assert((int)LIST_SIZE < (int)APP_JSON_SIZE, "a page of a list fits into an answer");

/* The world as it is now, for the person, in the buffer of answers. */
static const struct text *write_view(struct request *request) {
    struct json *json = request_begin_json(request);
    world_view(room_world(request->room), span_of(request->session.id), NULL, json);
    ensure(json_complete(json));
    return &json->text;
}

static bool answer_world(struct request *request, int status) {
    write_view(request);
    return request_answer_json(request, status);
}

static bool answer_text(struct request *request, struct span text) {
    return request_answer(
        request, &(struct http_answer){.status = 200, .type = "application/json", .body = text});
}

/* The list never changes and is long, so it is written once. */
bool route_get_games(struct request *request, struct refusal *why) {
    struct app *app = request->app;
    if (!app->games.data) {
        struct json *json = request_begin_json(request);
        world_registry_json(NULL, json);
        ensure(json_complete(json));
        app->games =
            (struct span){reserve_text(json->text.data, json->text.length), json->text.length};
    }
    return answer_text(request, app->games);
}

/* What the maker of a world asks for, as actions of the lobby. */
struct wishes {
    struct span line[WISHES_MAX];
    size_t count;
    char text[WISHES_MAX][ACTIONS_WORDS_SIZE];
};

/* Reads one action of the lobby as if the world were there already. */
static bool add_wish(struct wishes *wishes, const struct world *world, const char *type,
                     json_t *payload, struct refusal *why) {
    json_t *body = json_pack("{s:s, s:o}", "type", type, "payload", payload);
    ensure(body && wishes->count < WISHES_MAX);
    struct text words = text_in(wishes->text[wishes->count], ACTIONS_WORDS_SIZE);
    bool good = actions_read(world, body, &words, why);
    wishes->line[wishes->count] = (struct span){words.data, words.length};
    wishes->count++;
    json_decref(body);
    return good;
}

static bool read_wishes(const struct request *request, const struct world *world,
                        struct wishes *wishes, struct refusal *why) {
    json_t *preset = request_given(request->body, "preset");
    json_t *settings = request_given(request->body, "settings");
    json_t *open = request_given(request->body, "public");
    if ((settings && !json_is_object(settings)) || (open && !json_is_boolean(open)))
        return refuse(why, "BAD_REQUEST",
                      "Expected settings as an object, public as true or false");
    if (preset && !add_wish(wishes, world, "set-preset", json_pack("{s:O}", "preset", preset), why))
        return false;
    if (settings && json_object_size(settings) > 0 &&
        !add_wish(wishes, world, "set-settings", json_incref(settings), why))
        return false;
    return !open ||
           add_wish(wishes, world, "set-settings", json_pack("{s:O}", "public", open), why);
}

/* A world like the one to be made, needed to read the wishes. */
static bool imagine_world(const struct request *request, struct span game, struct world *out,
                          struct refusal *why) {
    static const uint8_t seed[CHANCE_SEED_SIZE];
    struct world_news *news = reserve_calloc(1, sizeof *news);
    struct world_birth birth = {.code = span_of("AAAAAA"),
                                .game = game,
                                .id = span_of(request->session.id),
                                .name = span_of(request->session.name),
                                .deal_seed = seed,
                                .bot_seed = seed};
    bool good = world_create(out, 1, &world_times_usual, &birth, news, why);
    free(news);
    return good;
}

void request_on_created(void *arg, struct room *room, const struct room_failure *failure) {
    struct request *request = arg;
    if (!room && failure->code == REPLICA_TAKEN && ++request->tries < CREATE_TRIES) {
        request_take(request, request->with_room);
    } else if (!room) {
        request_fail(request, failure);
    } else {
        request->room = room;
        answer_world(request, 201);
    }
}

static bool create_world(struct request *request, struct refusal *why) {
    struct wishes *wishes = reserve_calloc(1, sizeof *wishes);
    struct world *imagined = reserve_calloc(1, sizeof *imagined);
    struct rooms_wish wish = {.game = request_string(request, "gameId"),
                              .id = span_of(request->session.id),
                              .name = span_of(request->session.name),
                              .words = wishes->line};
    bool good = (wish.game.data || refuse(why, "BAD_REQUEST", "A gameId is missing")) &&
                (registry_find(wish.game) ||
                 refuse_word(why, wish.game, "BAD_REQUEST", "There is no game '%s'")) &&
                imagine_world(request, wish.game, imagined, why) &&
                read_wishes(request, imagined, wishes, why);
    wish.word_count = wishes->count;
    good = good && rooms_create(request->app->rooms, &wish, request_on_created, request, why);
    free(imagined);
    free(wishes);
    return good;
}

/* Counts the worlds that the person made and that are still open. */
static void on_own_worlds(void *arg, const struct store_reply *reply) {
    struct request *request = arg;
    struct refusal why = reply->why;
    int64_t own = 0;
    for (size_t i = 0; reply->outcome == STORE_OK && i < reply->count; i++)
        own += span_is(reply->worlds[i].owner, request->session.id) &&
               reply->worlds[i].status != STORE_CLOSED;
    bool good =
        reply->outcome == STORE_OK &&
        (own < request->app->config.worlds_per_player ||
         refuse(&why, "RATE_LIMITED", "You own %d worlds already; leave one first", (int)own)) &&
        !growth_has_too_many(request, reply, &why) && growth_charge(request, GROWTH_WORLD, &why);
    if (good)
        request_come_in(request);
    else
        request_refuse(request, &why);
}

static bool count_worlds(struct request *request, struct refusal *why) {
    return store_list_of_player(request->app->store, span_of(request->session.id), 0,
                                STORE_LIST_MAX, on_own_worlds, request, why);
}

/* How many requests the person has in the line, and the first of them. */
static int64_t count_in_line(const struct app *app, const char *player, struct request **first) {
    struct request *each;
    int64_t count = 0;
    *first = NULL;
    DL_FOREACH(app->coming, each) {
        if (strcmp(each->session.id, player) != 0)
            continue;
        if (count++ == 0)
            *first = each;
    }
    return count;
}

bool request_line_up(struct request *request, int64_t most, request_step *count,
                     struct refusal *why) {
    struct request *first;
    int64_t before = count_in_line(request->app, request->session.id, &first);
    if (before >= most)
        return refuse(why, "RATE_LIMITED", "You are coming into %d worlds already", (int)before);
    request->counts = count;
    DL_APPEND(request->app->coming, request);
    return before > 0 || count(request, why);
}

void request_leave_line(struct request *request) {
    struct request *next;
    DL_DELETE(request->app->coming, request);
    if (count_in_line(request->app, request->session.id, &next) > 0)
        request_take(next, next->counts);
}

bool request_count_worlds_then(struct request *request, request_step *next, struct refusal *why) {
    if (request->app->resting)
        return refuse(why, "UNAVAILABLE",
                      "This server takes no new worlds; please try again in a while");
    request->with_room = next;
    return request_line_up(request, request->app->config.worlds_per_player, count_worlds, why);
}

bool route_post_world(struct request *request, struct refusal *why) {
    return request_count_worlds_then(request, create_world, why);
}

static void on_list(void *arg, const struct store_reply *reply) {
    struct json *json = request_begin_found(arg, reply);
    if (!json)
        return;
    json_put_array(json, "worlds");
    for (size_t i = 0; i < reply->count; i++)
        json_put_raw(json, NULL, reply->worlds[i].summary);
    json_put_end(json);
    bool more = reply->more && reply->count > 0;
    json_put_natural(json, "before", more ? reply->worlds[reply->count - 1].place : -1);
    if (reply->partial)
        json_put_bool(json, "partial", true);
    request_answer_object(arg, 200, NULL);
}

static int64_t read_before(const struct request *request) {
    char buffer[24];
    struct text text = text_in(buffer, sizeof buffer);
    int64_t before =
        encoding_field(request->http->query, "before", &text) ? strtoll(buffer, NULL, 10) : 0;
    return before > 0 ? before : 0;
}

/* `?public=1`, of one game or all. */
static bool get_public_worlds(struct request *request, struct refusal *why) {
    char game[64];
    struct text text = text_in(game, sizeof game);
    encoding_field(request->http->query, "gameId", &text);
    return (!*game || registry_find(span_of(game)) ||
            refuse(why, "BAD_REQUEST", "There is no such game")) &&
           store_list_public(request->app->store, span_of(game), read_before(request), LIST_PAGE,
                             on_list, request, why);
}

static bool get_own_worlds(struct request *request, struct refusal *why) {
    return store_list_of_player(request->app->store, span_of(request->session.id),
                                read_before(request), LIST_PAGE, on_list, request, why);
}

static void on_person_of_worlds(void *arg, const struct session *session,
                                const struct refusal *why) {
    struct request *request = arg;
    if (request_is_refused(request, session, why))
        return;
    request->session = *session;
    request_take(request, get_own_worlds);
}

/* Strangers see public worlds as well; `?mine=1` needs a session. */
bool route_get_worlds(struct request *request, struct refusal *why) {
    char mine[8];
    struct text text = text_in(mine, sizeof mine);
    if (!encoding_field(request->http->query, "mine", &text) || strcmp(mine, "1") != 0)
        return get_public_worlds(request, why);
    sessions_find(request->app->sessions, request_token(request->http), on_person_of_worlds,
                  request);
    return true;
}

/* For those who come with a link and have not said a name yet. */
bool route_get_invitation(struct request *request, struct refusal *why) {
    const struct world *world = room_world(request->room);
    struct world_guests guests = world_guests(world);
    struct json *json = request_begin_object(request);
    json_put_string(json, "gameId", world->game->id);
    json_put_string(json, "host", guests.host);
    json_put_number(json, "people", guests.people);
    json_put_number(json, "places", guests.places);
    return request_answer_object(request, 200, NULL);
}

bool request_may_see(const struct request *request, struct refusal *why) {
    const struct world *world = room_world(request->room);
    struct span id = span_of(request->session.id);
    return world_find_member(world, id) ||
           (world_welcomes(world, id, why) &&
            ((request->invited && world_may_watch(world)) ||
             refuse(why, "NOT_A_MEMBER", "You are not in this world")));
}

/* Keeps the world as it is now, to be shown when that is durable. By then it may have moved on, and
 * what came after may still be lost. */
static void keep_view(struct request *request) {
    const struct text *view = write_view(request);
    free(request->kept.data);
    request->kept.data = reserve_text(view->data, view->length);
    request->kept.length = view->length;
}

static void answer_kept_view(struct request *request) {
    answer_text(request, (struct span){request->kept.data, request->kept.length});
}

/* If the version that was seen could not be kept, the present one is shown instead. */
static void on_durable_view(void *arg, const struct room_failure *failure) {
    struct request *request = arg;
    if (!failure)
        answer_kept_view(request);
    else if (request->tries++ < READ_TRIES)
        request_find_again(request);
    else
        request_fail(request, failure);
}

bool route_get_world(struct request *request, struct refusal *why) {
    if (!request_may_see(request, why))
        return false;
    room_heard_of(request->room, span_of(request->session.id));
    if (room_is_durable(request->room))
        return answer_world(request, 200);
    keep_view(request);
    room_when_durable(request->room, on_durable_view, request);
    return true;
}

static void on_durable_join(void *arg, const struct room_failure *failure) {
    struct request *request = arg;
    if (failure)
        request_fail(request, failure);
    else
        answer_kept_view(request);
}

/* `join` or `watch`, under the name that the person has in this world. */
static enum world_answer come_as(struct request *request, const char *verb, struct refusal *why) {
    char buffer[RECORD_NAME_MAX + 16], name[NAME_SIZE];
    struct span id = span_of(request->session.id);
    names_in_world(room_world(request->room), id, span_of(request->session.name), name);
    snprintf(buffer, sizeof buffer, "%s %s", verb, name);
    struct world_action action = {.id = id, .words = span_of(buffer)};
    if (!world_find_member(room_world(request->room), id) &&
        !growth_may_act(request, action.words, why))
        return WORLD_REFUSED;
    return room_act(request->room, &action, on_durable_join, request, why);
}

/* Those who watch go on watching; all others take a place, and watch if there is none. Who may not
 * even watch is told what is wrong with the place. */
static enum world_answer come_as_either(struct request *request, struct refusal *why) {
    const struct world *world = room_world(request->room);
    struct span id = span_of(request->session.id);
    const struct world_member *member = world_find_member(world, id);
    if (member && member->watching)
        return come_as(request, "watch", why);
    enum world_answer watches = WORLD_REFUSED;
    if (!world_has_place(world, id))
        watches = come_as(request, "watch", why);
    return watches == WORLD_REFUSED ? come_as(request, "join", why) : watches;
}

static enum world_answer come(struct request *request, struct refusal *why) {
    const json_t *as = request_given(request->body, "as");
    const char *role = as ? json_string_value(as) : "player";
    if (role && strcmp(role, "player") == 0)
        return come_as(request, "join", why);
    if (role && strcmp(role, "spectator") == 0)
        return come_as(request, "watch", why);
    if (role && strcmp(role, "either") == 0)
        return come_as_either(request, why);
    refuse(why, "BAD_REQUEST", "You can join as player, as spectator or as either");
    return WORLD_REFUSED;
}

static bool join(struct request *request, struct refusal *why) {
    enum world_answer result = come(request, why);
    if (result == WORLD_DONE)
        keep_view(request);
    return result == WORLD_DONE || (result != WORLD_REFUSED && route_get_world(request, why));
}

bool route_post_join(struct request *request, struct refusal *why) {
    return growth_count_then(request, join, why);
}

bool route_post_leave(struct request *request, struct refusal *why) {
    struct world_action action = {.id = span_of(request->session.id), .words = span_of("leave")};
    enum world_answer result = room_act(request->room, &action, request_end_or_fail, request, why);
    if (result != WORLD_REFUSED && result != WORLD_DONE)
        room_when_durable(request->room, request_end_or_fail, request);
    return result != WORLD_REFUSED;
}
