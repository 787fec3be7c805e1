/* Worlds: making, listing, seeing, joining and leaving them, and their logs. */
#include "server/api/actions.h"
#include "server/api/call.h"
#include "server/api/growth.h"
#include "server/net/encoding.h"
#include "server/rooms/names.h"

#include "engine/ensure.h"
#include "games/registry.h"
#include "store/reserve.h"
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum { LIST_PAGE = 50, WISHES_MAX = 3, CREATE_TRIES = 5, READ_TRIES = 5 };

static void answer_world(struct call *call, int status) {
    struct json json;
    call_begin_json(call, &json);
    world_view(room_world(call->room), span_of(call->session.id), NULL, &json);
    call_answer_json(call, status, &json, NULL);
}

static void answer_empty(struct call *call) {
    call_answer(call, &(struct http_answer){
                          .status = 200, .type = "application/json", .body = span_of("{}")});
}

/* The list never changes and is long, so it is written once. */
void route_get_games(struct call *call) {
    struct app *app = call->app;
    struct json json;
    if (!app->games.data) {
        call_begin_json(call, &json);
        world_registry_json(NULL, &json);
        ensure(json_complete(&json));
        app->games =
            (struct span){reserve_text(json.text.data, json.text.length), json.text.length};
    }
    call_answer(
        call, &(struct http_answer){.status = 200, .type = "application/json", .body = app->games});
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
    struct text words;
    json_t *body = json_pack("{s:s, s:o}", "type", type, "payload", payload);
    ensure(body && wishes->count < WISHES_MAX);
    text_begin(&words, wishes->text[wishes->count], ACTIONS_WORDS_SIZE);
    bool good = actions_read(world, body, &words, why);
    wishes->line[wishes->count] = (struct span){words.data, words.length};
    wishes->count++;
    json_decref(body);
    return good;
}

static bool read_wishes(const struct call *call, const struct world *world, struct wishes *wishes,
                        struct refusal *why) {
    json_t *preset = call_given(call->body, "preset");
    json_t *settings = call_given(call->body, "settings");
    json_t *open = call_given(call->body, "public");
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
static bool imagine_world(const struct call *call, struct span game, struct world *out,
                          struct refusal *why) {
    static const uint8_t seed[CHANCE_SEED_SIZE];
    struct world_news *news = reserve_calloc(1, sizeof *news);
    struct world_birth birth = {.code = span_of("AAAAAA"),
                                .game = game,
                                .id = span_of(call->session.id),
                                .name = span_of(call->session.name),
                                .deal_seed = seed,
                                .bot_seed = seed};
    bool good = world_create(out, 1, &world_times_usual, &birth, news, why);
    free(news);
    return good;
}

static void create_world(struct call *call);

void call_on_created(void *arg, struct room *room, const struct room_failure *failure) {
    struct call *call = arg;
    if (!room && failure->code == REPLICA_TAKEN && ++call->tries < CREATE_TRIES) {
        call->with_room(call);
    } else if (!room) {
        call_fail(call, failure);
    } else {
        call->room = room;
        answer_world(call, 201);
    }
}

static void create_world(struct call *call) {
    struct wishes *wishes = reserve_calloc(1, sizeof *wishes);
    struct world *imagined = reserve_calloc(1, sizeof *imagined);
    struct refusal why;
    const json_t *game = json_object_get(call->body, "gameId");
    struct rooms_wish wish = {.id = span_of(call->session.id), .name = span_of(call->session.name)};
    bool good = json_is_string(game) || refuse(&why, "BAD_REQUEST", "A gameId is missing");
    if (good) {
        wish.game = (struct span){json_string_value(game), json_string_length(game)};
        good = registry_find(wish.game) ||
               refuse_word(&why, wish.game, "BAD_REQUEST", "There is no game '%s'");
    }
    good = good && imagine_world(call, wish.game, imagined, &why) &&
           read_wishes(call, imagined, wishes, &why);
    wish.words = wishes->line;
    wish.word_count = wishes->count;
    good = good && rooms_create(call->app->rooms, &wish, call_on_created, call, &why);
    free(imagined);
    free(wishes);
    if (!good)
        call_refuse(call, &why);
}

/* Counts the worlds that the person made and that are still open. */
static void on_own_worlds(void *arg, const struct store_reply *reply) {
    struct call *call = arg;
    struct refusal why = reply->why;
    int64_t own = 0;
    for (size_t i = 0; reply->outcome == STORE_OK && i < reply->count; i++)
        own += span_is(reply->worlds[i].owner, call->session.id) &&
               reply->worlds[i].status != STORE_CLOSED;
    if (reply->outcome != STORE_OK)
        call_refuse(call, &why);
    else if (own >= call->app->config.worlds_per_player) {
        refuse(&why, "RATE_LIMITED", "You own %d worlds already; leave one first", (int)own);
        call_refuse(call, &why);
    } else if (growth_has_too_many(call, reply, &why) || !growth_charge(call, GROWTH_WORLD, &why)) {
        call_refuse(call, &why);
    } else {
        call->with_room(call);
    }
}

static void count_worlds(struct call *call) {
    struct refusal why;
    if (!store_list_of_player(call->app->store, span_of(call->session.id), 0, STORE_LIST_MAX,
                              on_own_worlds, call, &why))
        call_refuse(call, &why);
}

/* How many calls the person has in the line, and the first of them. */
static int64_t count_in_line(const struct app *app, const char *player, struct call **first) {
    struct call *each;
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

void call_line_up(struct call *call, int64_t most, call_step *count) {
    struct refusal why;
    struct call *first;
    int64_t before = count_in_line(call->app, call->session.id, &first);
    if (before >= most) {
        refuse(&why, "RATE_LIMITED", "You are coming into %d worlds already", (int)before);
        call_refuse(call, &why);
        return;
    }
    call->counts = count;
    DL_APPEND(call->app->coming, call);
    if (before == 0)
        count(call);
}

void call_leave_line(struct call *call) {
    struct call *next;
    DL_DELETE(call->app->coming, call);
    if (count_in_line(call->app, call->session.id, &next) > 0)
        next->counts(next);
}

void call_count_worlds_then(struct call *call, call_step *next) {
    struct refusal why;
    if (call->app->resting) {
        refuse(&why, "UNAVAILABLE", "This server takes no new worlds; please try again in a while");
        call_refuse(call, &why);
        return;
    }
    call->with_room = next;
    call_line_up(call, call->app->config.worlds_per_player, count_worlds);
}

void route_post_world(struct call *call) {
    call_count_worlds_then(call, create_world);
}

static void on_list(void *arg, const struct store_reply *reply) {
    struct call *call = arg;
    struct json json;
    if (!call_begin_found(call, reply, &json))
        return;
    json_put_array(&json, "worlds");
    for (size_t i = 0; i < reply->count; i++)
        json_put_raw(&json, NULL, reply->worlds[i].summary);
    json_put_end(&json);
    bool more = reply->more && reply->count > 0;
    json_put_natural(&json, "before", more ? reply->worlds[reply->count - 1].place : -1);
    if (reply->partial)
        json_put_bool(&json, "partial", true);
    json_put_end(&json);
    call_answer_json(call, 200, &json, NULL);
}

static int64_t read_before(const struct call *call) {
    char buffer[24];
    struct text text;
    text_begin(&text, buffer, sizeof buffer);
    int64_t before =
        encoding_field(call->request->query, "before", &text) ? strtoll(buffer, NULL, 10) : 0;
    return before > 0 ? before : 0;
}

/* `?public=1`, of one game or all. */
static void get_public_worlds(struct call *call) {
    struct refusal why;
    char game[64];
    struct text text;
    text_begin(&text, game, sizeof game);
    encoding_field(call->request->query, "gameId", &text);
    bool known = !*game || registry_find(span_of(game)) ||
                 refuse(&why, "BAD_REQUEST", "There is no such game");
    if (!known || !store_list_public(call->app->store, span_of(game), read_before(call), LIST_PAGE,
                                     on_list, call, &why))
        call_refuse(call, &why);
}

static void on_person_of_worlds(void *arg, const struct session *session,
                                const struct refusal *refused) {
    struct call *call = arg;
    struct refusal why;
    if (!session)
        call_refuse(call, refused);
    else if (!store_list_of_player(call->app->store, span_of(session->id), read_before(call),
                                   LIST_PAGE, on_list, call, &why))
        call_refuse(call, &why);
}

/* Strangers see public worlds as well; `?mine=1` needs a session. */
void route_get_worlds(struct call *call) {
    char mine[8];
    struct text text;
    text_begin(&text, mine, sizeof mine);
    if (encoding_field(call->request->query, "mine", &text) && strcmp(mine, "1") == 0)
        sessions_find(call->app->sessions, call_token(call->request), on_person_of_worlds, call);
    else
        get_public_worlds(call);
}

/* For those who come with a link and have not said a name yet. */
void route_get_invitation(struct call *call) {
    const struct world *world = room_world(call->room);
    struct world_guests guests = world_guests(world);
    struct json json;
    call_begin_json(call, &json);
    json_put_object(&json, NULL);
    json_put_string(&json, "gameId", world->game->id);
    json_put_string(&json, "host", guests.host);
    json_put_number(&json, "people", guests.people);
    json_put_number(&json, "places", guests.places);
    json_put_end(&json);
    call_answer_json(call, 200, &json, NULL);
}

bool call_may_see(const struct call *call, struct refusal *why) {
    const struct world *world = room_world(call->room);
    struct span id = span_of(call->session.id);
    return world_find_member(world, id) ||
           (world_welcomes(world, id, why) &&
            ((call->invited && world_may_watch(world)) ||
             refuse(why, "NOT_A_MEMBER", "You are not in this world")));
}

/* Keeps the world as it is now, to be shown when that is durable. By then it may have moved on, and
 * what came after may still be lost. */
static void keep_view(struct call *call) {
    struct json json;
    call_begin_json(call, &json);
    world_view(room_world(call->room), span_of(call->session.id), NULL, &json);
    ensure(json_complete(&json));
    free(call->kept.data);
    call->kept.data = reserve_malloc(json.text.length);
    memcpy(call->kept.data, json.text.data, json.text.length);
    call->kept.length = json.text.length;
}

static void answer_kept_view(struct call *call) {
    call_answer(call, &(struct http_answer){.status = 200,
                                            .type = "application/json",
                                            .body = {call->kept.data, call->kept.length}});
}

/* If the version that was seen could not be kept, the present one is shown instead. */
static void on_durable_view(void *arg, const struct room_failure *failure) {
    struct call *call = arg;
    if (!failure)
        answer_kept_view(call);
    else if (call->tries++ < READ_TRIES)
        call_find_again(call);
    else
        call_fail(call, failure);
}

void route_get_world(struct call *call) {
    struct refusal why;
    if (!call_may_see(call, &why)) {
        call_refuse(call, &why);
        return;
    }
    room_heard_of(call->room, span_of(call->session.id));
    if (room_is_durable(call->room)) {
        answer_world(call, 200);
        return;
    }
    keep_view(call);
    room_when_durable(call->room, on_durable_view, call);
}

static void on_durable_join(void *arg, const struct room_failure *failure) {
    struct call *call = arg;
    if (failure)
        call_fail(call, failure);
    else
        answer_kept_view(call);
}

/* `join` or `watch`, under the name that the person has in this world. */
static enum world_answer come_as(struct call *call, const char *verb, struct refusal *why) {
    char buffer[RECORD_NAME_MAX + 16], name[NAME_SIZE];
    struct span id = span_of(call->session.id);
    struct text words;
    text_begin(&words, buffer, sizeof buffer);
    text_string(&words, verb);
    names_in_world(room_world(call->room), id, span_of(call->session.name), name);
    text_char(&words, ' ');
    text_string(&words, name);
    struct world_action action = {.id = id, .words = {buffer, words.length}};
    if (!world_find_member(room_world(call->room), id) && !growth_may_act(call, action.words, why))
        return WORLD_REFUSED;
    return room_act(call->room, &action, on_durable_join, call, why);
}

/* Those who watch go on watching; all others take a place, and watch if there is none. Who may not
 * even watch is told what is wrong with the place. */
static enum world_answer come_as_either(struct call *call, struct refusal *why) {
    const struct world *world = room_world(call->room);
    struct span id = span_of(call->session.id);
    const struct world_member *member = world_find_member(world, id);
    if (member && member->watching)
        return come_as(call, "watch", why);
    enum world_answer watches = WORLD_REFUSED;
    if (!world_has_place(world, id))
        watches = come_as(call, "watch", why);
    return watches == WORLD_REFUSED ? come_as(call, "join", why) : watches;
}

static enum world_answer come(struct call *call, struct refusal *why) {
    const json_t *as = call_given(call->body, "as");
    const char *role = as ? json_string_value(as) : "player";
    if (role && strcmp(role, "player") == 0)
        return come_as(call, "join", why);
    if (role && strcmp(role, "spectator") == 0)
        return come_as(call, "watch", why);
    if (role && strcmp(role, "either") == 0)
        return come_as_either(call, why);
    refuse(why, "BAD_REQUEST", "You can join as player, as spectator or as either");
    return WORLD_REFUSED;
}

static void join(struct call *call) {
    struct refusal why;
    enum world_answer result = come(call, &why);
    if (result == WORLD_REFUSED)
        call_refuse(call, &why);
    else if (result == WORLD_DONE)
        keep_view(call);
    else
        route_get_world(call);
}

void route_post_join(struct call *call) {
    growth_count_then(call, join);
}

static void on_durable_leave(void *arg, const struct room_failure *failure) {
    struct call *call = arg;
    if (failure)
        call_fail(call, failure);
    else
        answer_empty(call);
}

void route_post_leave(struct call *call) {
    struct refusal why;
    struct world_action action = {.id = span_of(call->session.id), .words = span_of("leave")};
    enum world_answer result = room_act(call->room, &action, on_durable_leave, call, &why);
    if (result == WORLD_REFUSED)
        call_refuse(call, &why);
    else if (result != WORLD_DONE)
        room_when_durable(call->room, on_durable_leave, call);
}
