/* HTTP's addresses and what stands behind them. A request becomes a call; what it needs is looked
 * up step by step (body, session, world), each of which may take its time, and it is answered
 * exactly once. protocol.md's order of checks is the order of the steps. */
#include "server/actions.h"
#include "server/app.h"
#include "server/log.h"
#include "server/push.h"
#include "server/save.h"

#include "engine/ensure.h"
#include "games/registry.h"
#include <jansson.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum {

    NOT_FOUND_STEP_MS = 50, /* unknown worlds are answered at the end of such a step */
    SAVE_BODY_MAX = 1 << 18,
    LIST_PAGE = 50,
    LAST_GAMES = 200, /* finished ones that statistics list */
    WISHES_MAX = 3,
    CREATE_TRIES = 5,
    BEHIND_TRIES = 16,
    READ_TRIES = 5
};

struct call;
typedef void call_step(struct call *call);

struct route {
    const char *method;
    const char *path; /* a `*` stands for one part */
    call_step *run;
    bool body;                                             /* JSON, an object */
    bool session;                                          /* must be known */
    bool world;                                            /* the first `*` is a code */
    bool (*fits)(const json_t *body, struct refusal *why); /* null: any object */
};

struct call {
    struct app *app;
    struct peer *peer;
    const struct http_request *request;
    const struct route *route;
    json_t *body;
    struct session session;
    struct span part[4]; /* of the path, for each `*` */
    char code[WORLD_CODE_LENGTH + 1];
    struct room *room;
    call_step *with_room; /* what to do once it is found */
    uint64_t begin_ns;
    int64_t version;
    int tries;
    bool refreshed; /* the world is as it is in the store */
    bool duplicate;
    bool guesses;  /* too many codes have been tried, perhaps by this one */
    int retry_s;   /* after a refusal: when to try again */
    char type[24]; /* of an action, for the figures */
    char token[WIRE_TOKEN_SIZE];
    struct world_export *export;
    struct world *world; /* as it was when its log was asked for */
    struct text log;     /* or a world's view, that waits */
};

/* ---- Answers ---- */

static void end_call(struct call *call) {
    json_decref(call->body);
    free(call->export);
    free(call->world);
    free(call->log.data);
    free(call);
}

static void count_answer(struct app *app, int status) {
    app->metrics.answers[status / 100 % 6]++;
}

static void answer(struct call *call, const struct http_answer *answer) {
    count_answer(call->app, answer->status);
    http_answer(call->peer, answer);
    end_call(call);
}

static void on_room(void *arg, struct room *room, const struct refusal *why);

/* Where others write to the world as well, somebody may have been refused because they were faster,
 * or because this server had not heard of it yet: then it is judged once more. */
static bool judge_again(struct call *call, const struct refusal *why) {
    if (!call->with_room || !call->room || !store_is_shared(call->app->store))
        return false;
    if (strcmp(why->code, ROOM_BEHIND) == 0 && call->tries++ < BEHIND_TRIES) {
        rooms_find(call->app->rooms, span_of(call->code), on_room, call);
        return true;
    }
    bool by_rules = why->status >= 400 && why->status < 500 && why->status != 429;
    if (!by_rules || call->refreshed)
        return false;
    call->refreshed = true;
    rooms_refresh(call->app->rooms, span_of(call->code), on_room, call);
    return true;
}

static void answer_refusal(struct call *call, const struct refusal *why) {
    struct refusal late;
    if (judge_again(call, why))
        return;
    if (strcmp(why->code, ROOM_BEHIND) == 0) {
        refuse(&late, 503, "UNAVAILABLE", "Too much happens at once; nothing was done");
        why = &late;
    }
    count_answer(call->app, why->status);
    http_answer_refusal(call->peer, why, call->retry_s);
    end_call(call);
}

static void begin_json(struct call *call, struct json *json) {
    json_begin(json, call->app->json, sizeof call->app->json);
}

static void answer_json(struct call *call, int status, const struct json *json,
                        const char *headers) {
    ensure(json_complete(json));
    answer(call, &(struct http_answer){.status = status,
                                       .type = "application/json",
                                       .headers = headers,
                                       .body = {json->text.data, json->text.length}});
}

static void answer_world(struct call *call, int status) {
    struct json json;
    begin_json(call, &json);
    world_view(room_world(call->room), span_of(call->session.id), NULL, &json);
    answer_json(call, status, &json, NULL);
}

static void answer_empty(struct call *call) {
    answer(call,
           &(struct http_answer){.status = 200, .type = "application/json", .body = span_of("{}")});
}

/* ---- Unknown worlds ---- */

/* Unknown and closed worlds get the same answer at the end of the same step of time, so that
 * neither tells anything; and trying many codes is limited by address and in all. Then nobody is
 * told of a world but those who are in it: their play goes on whatever others try. */
static struct span address_of(const struct call *call) {
    const struct span *forwarded = &call->request->header[HTTP_FORWARDED_FOR];
    if (!call->app->config.trust_proxy || !forwarded->data)
        return span_of(call->peer->address);
    size_t start = forwarded->length; /* the last is the proxy's word, others anybody's */
    while (start > 0 && forwarded->data[start - 1] != ',' && forwarded->data[start - 1] != ' ')
        start--;
    return (struct span){forwarded->data + start, forwarded->length - start};
}

static uint64_t address_key(const struct call *call) {
    char block[LIMITS_BLOCK_SIZE];
    limits_block(address_of(call), block);
    return limits_key(block, strlen(block), call->app->limits_secret);
}

static void on_unknown(uv_timer_t *timer) {
    struct call *call = timer->data;
    struct refusal why;
    uv_close((uv_handle_t *)timer, (uv_close_cb)free);
    if (call->guesses)
        refuse(&why, 429, "RATE_LIMITED", "Too many unknown worlds; please wait");
    else
        refuse(&why, 404, "ROOM_NOT_FOUND", "There is no such world");
    answer_refusal(call, &why);
}

static void answer_unknown(struct call *call) {
    struct app *app = call->app;
    int64_t now = rooms_now(app->rooms);
    if (!call->guesses) {
        limits_take(&app->failures, address_key(call), now, NULL);
        limits_take(&app->failures_in_all, 0, now, NULL);
    }
    uv_timer_t *timer = malloc(sizeof *timer);
    ensure(timer);
    uv_timer_init(&app->loop, timer);
    timer->data = call;
    uv_timer_start(timer, on_unknown, (uint64_t)(NOT_FOUND_STEP_MS - now % NOT_FOUND_STEP_MS), 0);
}

static bool may_look(struct call *call) {
    struct app *app = call->app;
    int64_t now = rooms_now(app->rooms);
    return limits_peek(&app->failures, address_key(call), now, &call->retry_s) &&
           limits_peek(&app->failures_in_all, 0, now, &call->retry_s);
}

/* Whoever is in a world, or has a seat there, does not guess. */
static bool is_at_home(const struct call *call, const struct room *room) {
    struct span id = span_of(call->session.id);
    return world_find_member(room_world(room), id) || world_owns_seat(room_world(room), id);
}

static void on_room(void *arg, struct room *room, const struct refusal *why) {
    struct call *call = arg;
    call->room = room;
    bool unknown = room ? call->guesses && !is_at_home(call, room) : why->status == 404;
    if (unknown) {
        answer_unknown(call);
    } else if (!room) {
        answer_refusal(call, why);
    } else {
        call->retry_s = 0;
        call->with_room(call);
    }
}

/* Codes are read in either case (PL-10). */
static void find_room(struct call *call, struct span code, call_step *next) {
    call->with_room = next;
    call->guesses = !may_look(call);
    if (code.length != WORLD_CODE_LENGTH) {
        answer_unknown(call);
        return;
    }
    for (size_t i = 0; i < WORLD_CODE_LENGTH; i++) {
        char c = code.data[i];
        call->code[i] = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
    }
    rooms_find(call->app->rooms, span_of(call->code), on_room, call);
}

/* ---- Sessions ---- */

static struct span token_of(const struct http_request *request) {
    static const char bearer[] = "Bearer ";
    struct span token = {0}, header = request->header[HTTP_AUTHORIZATION];
    if (header.data && header.length > sizeof bearer - 1 &&
        strncasecmp(header.data, bearer, sizeof bearer - 1) == 0)
        return (struct span){header.data + sizeof bearer - 1, header.length - sizeof bearer + 1};
    if (request->header[HTTP_COOKIE].data)
        wire_cookie(request->header[HTTP_COOKIE], "oyster_session", &token);
    return token;
}

static bool is_secure(const struct call *call) {
    const struct server_config *config = &call->app->config;
    struct span proto = call->request->header[HTTP_FORWARDED_PROTO];
    return strncmp(config->public_url, "https:", 6) == 0 ||
           (config->trust_proxy && proto.data && span_is(proto, "https"));
}

static bool read_name(const struct call *call, char out[NAME_SIZE], struct refusal *why) {
    const json_t *name = json_object_get(call->body, "name");
    if (!json_is_string(name))
        return refuse(why, 400, "BAD_REQUEST", "A name is missing");
    return names_normalise((struct span){json_string_value(name), json_string_length(name)}, out,
                           why);
}

static void put_session(struct json *json, const struct session *session) {
    json_put_object(json, NULL);
    json_put_string(json, "playerId", session->id);
    json_put_string(json, "name", session->name);
}

static void on_session_made(void *arg, const struct session *session, const struct refusal *why) {
    struct call *call = arg;
    char cookie[256];
    struct json json;
    struct text text;
    if (!session) {
        answer_refusal(call, why);
        return;
    }
    begin_json(call, &json);
    put_session(&json, session);
    json_put_string(&json, "token", call->token);
    json_put_end(&json);
    text_begin(&text, cookie, sizeof cookie);
    text_string(&text, "Set-Cookie: oyster_session=");
    text_string(&text, call->token);
    text_string(&text, "; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax");
    text_string(&text, is_secure(call) ? "; Secure\r\n" : "\r\n");
    answer_json(call, 201, &json, cookie);
}

static void post_session(struct call *call) {
    struct app *app = call->app;
    struct refusal why;
    char name[NAME_SIZE];
    int64_t now = rooms_now(app->rooms);
    bool good = read_name(call, name, &why) &&
                (limits_take(&app->new_sessions, address_key(call), now, &call->retry_s) ||
                 refuse(&why, 429, "RATE_LIMITED", "Too many new people from here; please wait")) &&
                sessions_add(app->sessions, name, now, call->token, on_session_made, call, &why);
    if (!good)
        answer_refusal(call, &why);
}

static void get_session(struct call *call) {
    struct json json;
    begin_json(call, &json);
    put_session(&json, &call->session);
    json_put_end(&json);
    answer_json(call, 200, &json, NULL);
}

static void on_renamed(void *arg, const struct session *session, const struct refusal *why) {
    struct call *call = arg;
    if (!session) {
        answer_refusal(call, why);
        return;
    }
    call->session = *session;
    rooms_rename(call->app->rooms, session->id, session->name);
    server_say_renamed(call->app, session);
    get_session(call);
}

static void patch_session(struct call *call) {
    struct refusal why;
    char name[NAME_SIZE];
    if (!read_name(call, name, &why) ||
        !sessions_rename(call->app->sessions, token_of(call->request), &call->session, name,
                         rooms_now(call->app->rooms), on_renamed, call, &why))
        answer_refusal(call, &why);
}

static void put_record(struct json *json, const struct store_record *record) {
    json_put_object(json, NULL);
    json_put_span(json, "gameId", record->game);
    json_put_number(json, "played", record->played);
    json_put_number(json, "won", record->won);
    json_put_number(json, "points", record->points);
    json_put_number(json, "best", record->best);
    json_put_object(json, "figures");
    for (size_t i = 0; i < record->stat_count; i++) {
        char name[STORE_WORD_MAX + 1];
        struct text text;
        text_begin(&text, name, sizeof name);
        text_span(&text, record->stats[i].name);
        json_put_number(json, name, record->stats[i].value);
    }
    json_put_end(json);
    json_put_end(json);
}

static void put_finished(struct json *json, const struct store_finished *finished) {
    json_put_object(json, NULL);
    json_put_span(json, "gameId", finished->game);
    json_put_number(json, "endedAt", finished->ended_ms);
    json_put_number(json, "score", finished->score);
    json_put_bool(json, "won", finished->won);
    json_put_end(json);
}

static void on_records(void *arg, const struct store_reply *reply) {
    struct call *call = arg;
    struct json json;
    if (reply->outcome != STORE_OK) {
        answer_refusal(call, &reply->why);
        return;
    }
    begin_json(call, &json);
    json_put_object(&json, NULL);
    json_put_array(&json, "games");
    for (size_t i = 0; i < reply->count; i++)
        put_record(&json, &reply->records[i]);
    json_put_end(&json);
    json_put_array(&json, "last");
    for (size_t i = 0; i < reply->finished_count; i++)
        put_finished(&json, &reply->finished[i]);
    json_put_end(&json);
    json_put_end(&json);
    answer_json(call, 200, &json, NULL);
}

static void get_statistics(struct call *call) {
    struct refusal why;
    if (!store_player_records(call->app->store, span_of(call->session.id), LAST_GAMES, on_records,
                              call, &why))
        answer_refusal(call, &why);
}

/* ---- Worlds ---- */

static void get_games(struct call *call) {
    struct json json;
    begin_json(call, &json);
    json_put_object(&json, NULL);
    json_put_array(&json, "games");
    for (size_t i = 0; i < registry_count; i++)
        game_registry_json(registry_games[i], &json);
    json_put_end(&json);
    json_put_end(&json);
    answer_json(call, 200, &json, NULL);
}

/* What the maker of a world wants, as lobby actions. */
struct wishes {
    struct span line[WISHES_MAX];
    size_t count;
    char text[WISHES_MAX][ACTIONS_WORDS_SIZE];
};

/* One action of the lobby, read as if the world were there already. */
static bool add_wish(struct wishes *wishes, const struct world *world, const char *type,
                     json_t *payload, struct refusal *why) {
    struct text words;
    json_t *body = json_pack("{s:s, s:o}", "type", type, "payload", payload);
    ensure(body && wishes->count < WISHES_MAX);
    text_begin(&words, wishes->text[wishes->count], ACTIONS_WORDS_SIZE);
    bool good = actions_read(world, span_of(world->owner), body, &words, why);
    wishes->line[wishes->count] = (struct span){words.data, words.length};
    wishes->count++;
    json_decref(body);
    return good;
}

/* Null counts as missing. */
static json_t *given(const json_t *body, const char *name) {
    json_t *value = json_object_get(body, name);
    return json_is_null(value) ? NULL : value;
}

static bool read_wishes(const struct call *call, const struct world *world, struct wishes *wishes,
                        struct refusal *why) {
    json_t *preset = given(call->body, "preset");
    json_t *settings = given(call->body, "settings");
    json_t *open = given(call->body, "public");
    if ((settings && !json_is_object(settings)) || (open && !json_is_boolean(open)))
        return refuse(why, 400, "BAD_REQUEST",
                      "Expected settings as an object, public as true or false");
    if (preset && !add_wish(wishes, world, "set-preset", json_pack("{s:O}", "preset", preset), why))
        return false;
    if (settings && json_object_size(settings) > 0 &&
        !add_wish(wishes, world, "set-settings", json_incref(settings), why))
        return false;
    return !open ||
           add_wish(wishes, world, "set-settings", json_pack("{s:O}", "public", open), why);
}

/* A world like the one to be made, to read wishes with. */
static bool imagine_world(const struct call *call, struct span game, struct world *out,
                          struct refusal *why) {
    static const uint8_t seed[CHANCE_SEED_SIZE];
    static struct world_news news;
    struct world_birth birth = {.code = span_of("AAAAAA"),
                                .game = game,
                                .id = span_of(call->session.id),
                                .name = span_of(call->session.name),
                                .deal_seed = seed,
                                .bot_seed = seed};
    return world_create(out, 1, &world_times_usual, &birth, &news, why);
}

static void create_world(struct call *call);

static void on_created(void *arg, struct room *room, const struct refusal *why) {
    struct call *call = arg;
    if (!room && strcmp(why->code, "CONFLICT") == 0 && ++call->tries < CREATE_TRIES) {
        call->with_room(call);
    } else if (!room) {
        answer_refusal(call, why);
    } else {
        call->room = room;
        answer_world(call, 201);
    }
}

static void create_world(struct call *call) {
    static struct wishes wishes;
    static struct world imagined;
    struct refusal why;
    const json_t *game = json_object_get(call->body, "gameId");
    struct rooms_wish wish = {.id = span_of(call->session.id), .name = span_of(call->session.name)};
    bool good = json_is_string(game) || refuse(&why, 400, "BAD_REQUEST", "A gameId is missing");
    if (good) {
        wish.game = (struct span){json_string_value(game), json_string_length(game)};
        good = registry_find(wish.game) ||
               refuse_word(&why, wish.game, "BAD_REQUEST", "There is no game '%s'");
    }
    wishes.count = 0;
    good = good && imagine_world(call, wish.game, &imagined, &why) &&
           read_wishes(call, &imagined, &wishes, &why);
    wish.words = wishes.line;
    wish.word_count = wishes.count;
    if (!good || !rooms_create(call->app->rooms, &wish, on_created, call, &why))
        answer_refusal(call, &why);
}

/* Those that the person made and that are still open. */
static void on_own_worlds(void *arg, const struct store_reply *reply) {
    struct call *call = arg;
    struct refusal why = reply->why;
    int64_t own = 0;
    for (size_t i = 0; reply->outcome == STORE_OK && i < reply->count; i++)
        own += span_is(reply->worlds[i].owner, call->session.id) &&
               reply->worlds[i].status != STORE_CLOSED;
    if (reply->outcome != STORE_OK)
        answer_refusal(call, &why);
    else if (own >= call->app->config.worlds_per_player) {
        refuse(&why, 429, "RATE_LIMITED", "You own %d worlds already; leave one first", (int)own);
        answer_refusal(call, &why);
    } else {
        call->with_room(call);
    }
}

static void count_worlds_then(struct call *call, call_step *next) {
    struct refusal why;
    call->with_room = next;
    if (!store_list_of_player(call->app->store, span_of(call->session.id), 0, STORE_LIST_MAX,
                              on_own_worlds, call, &why))
        answer_refusal(call, &why);
}

static void post_world(struct call *call) {
    count_worlds_then(call, create_world);
}

static void on_list(void *arg, const struct store_reply *reply) {
    struct call *call = arg;
    struct json json;
    if (reply->outcome != STORE_OK) {
        answer_refusal(call, &reply->why);
        return;
    }
    begin_json(call, &json);
    json_put_object(&json, NULL);
    json_put_array(&json, "worlds");
    for (size_t i = 0; i < reply->count; i++)
        json_put_raw(&json, NULL, reply->worlds[i].summary);
    json_put_end(&json);
    if (reply->more && reply->count > 0)
        json_put_number(&json, "before", reply->worlds[reply->count - 1].place);
    else
        json_put_null(&json, "before");
    json_put_end(&json);
    answer_json(call, 200, &json, NULL);
}

static int64_t read_before(const struct call *call) {
    char buffer[24];
    struct text text;
    text_begin(&text, buffer, sizeof buffer);
    int64_t before =
        wire_field(call->request->query, "before", &text) ? strtoll(buffer, NULL, 10) : 0;
    return before > 0 ? before : 0;
}

/* `?public=1`, of one game or all. */
static void get_public_worlds(struct call *call) {
    struct refusal why;
    char game[64];
    struct text text;
    text_begin(&text, game, sizeof game);
    wire_field(call->request->query, "gameId", &text);
    bool known = !*game || registry_find(span_of(game)) ||
                 refuse(&why, 400, "BAD_REQUEST", "There is no such game");
    if (!known || !store_list_public(call->app->store, span_of(game), read_before(call), LIST_PAGE,
                                     on_list, call, &why))
        answer_refusal(call, &why);
}

static void on_person_of_worlds(void *arg, const struct session *session,
                                const struct refusal *refused) {
    struct call *call = arg;
    struct refusal why;
    if (!session)
        answer_refusal(call, refused);
    else if (!store_list_of_player(call->app->store, span_of(session->id), read_before(call),
                                   LIST_PAGE, on_list, call, &why))
        answer_refusal(call, &why);
}

/* Strangers see public worlds as well; `?mine=1` needs a session. */
static void get_worlds(struct call *call) {
    char mine[8];
    struct text text;
    text_begin(&text, mine, sizeof mine);
    if (wire_field(call->request->query, "mine", &text) && strcmp(mine, "1") == 0)
        sessions_find(call->app->sessions, token_of(call->request), on_person_of_worlds, call);
    else
        get_public_worlds(call);
}

static bool may_see(const struct call *call, struct refusal *why) {
    const struct world *world = room_world(call->room);
    struct span id = span_of(call->session.id);
    return world_find_member(world, id) ||
           (world_welcomes(world, id, why) &&
            (world_may_watch(world) ||
             refuse(why, 403, "NOT_A_MEMBER", "You are not in this world")));
}

/* The world as it is now, to be shown when that is durable: by then it may have moved on, and what
 * came after may still be lost. */
static void keep_view(struct call *call) {
    struct json json;
    begin_json(call, &json);
    world_view(room_world(call->room), span_of(call->session.id), NULL, &json);
    ensure(json_complete(&json));
    free(call->log.data);
    call->log.data = malloc(json.text.length);
    ensure(call->log.data);
    memcpy(call->log.data, json.text.data, json.text.length);
    call->log.length = json.text.length;
}

static void answer_kept_view(struct call *call) {
    answer(call, &(struct http_answer){.status = 200,
                                       .type = "application/json",
                                       .body = {call->log.data, call->log.length}});
}

/* What was seen will never be: look at what there is instead. */
static void on_durable_view(void *arg, const struct refusal *why) {
    struct call *call = arg;
    if (!why)
        answer_kept_view(call);
    else if (call->tries++ < READ_TRIES)
        rooms_find(call->app->rooms, span_of(call->code), on_room, call);
    else
        answer_refusal(call, why);
}

static void get_world(struct call *call) {
    struct refusal why;
    if (!may_see(call, &why)) {
        answer_refusal(call, &why);
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

static void on_durable_join(void *arg, const struct refusal *why) {
    struct call *call = arg;
    if (why)
        answer_refusal(call, why);
    else
        answer_kept_view(call);
}

static void post_join(struct call *call) {
    struct refusal why;
    char buffer[RECORD_NAME_MAX + 16];
    struct text words;
    const json_t *as = given(call->body, "as");
    const char *role = as ? json_string_value(as) : "player";
    if (!role || (strcmp(role, "player") != 0 && strcmp(role, "spectator") != 0)) {
        refuse(&why, 400, "BAD_REQUEST", "You can join as player or as spectator");
        answer_refusal(call, &why);
        return;
    }
    text_begin(&words, buffer, sizeof buffer);
    text_string(&words, strcmp(role, "player") == 0 ? "join " : "watch ");
    text_string(&words, call->session.name);
    struct world_action action = {.id = span_of(call->session.id), .words = {buffer, words.length}};
    enum world_answer result = room_act(call->room, &action, on_durable_join, call, &why);
    if (result == WORLD_REFUSED)
        answer_refusal(call, &why);
    else if (result == WORLD_DONE)
        keep_view(call);
    else
        get_world(call);
}

static void on_durable_leave(void *arg, const struct refusal *why) {
    struct call *call = arg;
    if (why)
        answer_refusal(call, why);
    else
        answer_empty(call);
}

static void post_leave(struct call *call) {
    struct refusal why;
    struct world_action action = {.id = span_of(call->session.id), .words = span_of("leave")};
    enum world_answer result = room_act(call->room, &action, on_durable_leave, call, &why);
    if (result == WORLD_REFUSED)
        answer_refusal(call, &why);
    else if (result != WORLD_DONE)
        room_when_durable(call->room, on_durable_leave, call);
}

/* ---- The log ---- */

static void answer_log(struct call *call) {
    answer(call, &(struct http_answer){.status = 200,
                                       .type = "text/plain; charset=utf-8",
                                       .body = {call->log.data, call->log.length}});
}

static bool grow_log(struct text *log) {
    enum { LOG_MAX = 16 << 20 };
    size_t needed = log->length + STORE_LOAD_BYTES + (size_t)STORE_LOAD_MAX * 64;
    if (needed > LOG_MAX)
        return false;
    log->data = realloc(log->data, needed);
    ensure(log->data);
    log->size = needed;
    return true;
}

static void on_log_page(void *arg, const struct store_reply *reply) {
    struct call *call = arg;
    struct refusal why = reply->why;
    bool good =
        reply->outcome == STORE_OK &&
        (grow_log(&call->log) || refuse(&why, 413, "TOO_LARGE", "This world's log is too long"));
    int64_t limit = call->version;
    for (size_t i = 0; good && i < reply->count && reply->entries[i].version <= limit; i++)
        good = world_export_line(call->export, reply->entries[i].text, &call->log, &why);
    int64_t last = reply->count > 0 ? reply->entries[reply->count - 1].version : limit;
    if (good && reply->more && last < limit)
        good = store_load(call->app->store, span_of(call->code), last, on_log_page, call, &why);
    else if (good) {
        answer_log(call);
        return;
    }
    if (!good)
        answer_refusal(call, &why);
}

/* The log up to now, as everybody at the table may know it; the world may move on meanwhile. */
static void on_durable_log(void *arg, const struct refusal *failure) {
    struct call *call = arg;
    struct refusal why;
    if (failure) {
        answer_refusal(call, failure);
        return;
    }
    call->export = malloc(sizeof *call->export);
    call->world = malloc(sizeof *call->world);
    ensure(call->export && call->world);
    *call->world = *room_world(call->room);
    world_export_begin(call->export, call->world);
    call->version = call->world->version;
    if (!store_load(call->app->store, span_of(call->code), 0, on_log_page, call, &why))
        answer_refusal(call, &why);
}

static void get_log(struct call *call) {
    struct refusal why;
    if (!may_see(call, &why))
        answer_refusal(call, &why);
    else
        room_when_durable(call->room, on_durable_log, call);
}

/* ---- Saves ---- */

/* Who has left may come back, and would find the cards known. */
static bool others_sit(const struct world *world) {
    for (int i = 0; i < world->seat_count; i++)
        if (world->seat[i].kind == WORLD_SEAT_PERSON &&
            strcmp(world->seat[i].id, world->owner) != 0)
            return true;
    return false;
}

static bool may_save(const struct call *call, struct refusal *why) {
    const struct world *world = room_world(call->room);
    if (world->game != save_game())
        return refuse(why, 400, "BAD_REQUEST", "Only Hand & Foot has saves");
    if (!span_is(span_of(call->session.id), world->owner))
        return refuse(why, 403, "NOT_OWNER", "Not the owner");
    if (world->status == WORLD_WAITING)
        return refuse_wrong_phase(why);
    return !world_round_runs(world) || !others_sit(world) ||
           refuse(why, 409, "WRONG_PHASE", "Others are playing; save between rounds");
}

static void write_time(int64_t time_ms, char out[SAVE_TIME_SIZE]) {
    time_t seconds = (time_t)(time_ms / 1000);
    struct tm parts;
    gmtime_r(&seconds, &parts);
    strftime(out, SAVE_TIME_SIZE, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

static void fill_save(const struct world *world, int64_t now, struct save *out) {
    *out = (struct save){.options = world->options,
                         .seats = world->seat_count,
                         .deals = (uint64_t)world->deals,
                         .state = world->state};
    memcpy(out->game_seed, world->deal_seed, sizeof out->game_seed);
    if (others_sit(world)) /* who has the seed knows the cards to come: the save gets others */
        randombytes_buf(out->game_seed, sizeof out->game_seed);
    write_time(now, out->time);
    for (int i = 0; i < world->seat_count; i++) {
        memcpy(out->seat[i].name, world->seat[i].name, sizeof out->seat[i].name);
        out->seat[i].bot = world->seat[i].kind == WORLD_SEAT_BOT;
        out->seat[i].level = (enum bot_level)world->seat[i].level;
    }
    uint32_t count = world->tail_count < SAVE_ACTIONS_MAX ? world->tail_count : SAVE_ACTIONS_MAX;
    for (uint32_t i = world->tail_count - count; i < world->tail_count; i++) {
        const struct world_tail *tail = &world->tail[i % WORLD_TAIL_MAX];
        struct save_action *action = &out->action[out->actions++];
        memcpy(action->message, tail->text, sizeof tail->text);
        if (tail->seat >= 0)
            memcpy(action->player, world->seat[tail->seat].name, sizeof action->player);
        write_time(tail->time_ms, action->time);
    }
}

static void on_durable_save(void *arg, const struct refusal *failure) {
    struct call *call = arg;
    struct refusal why;
    static struct save save;
    if (failure || !may_save(call, &why)) { /* it may have moved on meanwhile */
        answer_refusal(call, failure ? failure : &why);
        return;
    }
    fill_save(room_world(call->room), rooms_now(call->app->rooms), &save);
    ensure(save_write(&save, call->app->json, sizeof call->app->json));
    answer(call, &(struct http_answer){
                     .status = 200, .type = "application/json", .body = span_of(call->app->json)});
}

static void get_save(struct call *call) {
    struct refusal why;
    if (!may_save(call, &why))
        answer_refusal(call, &why);
    else
        room_when_durable(call->room, on_durable_save, call);
}

/* What a save says besides the position, as lobby actions. */
struct saved_lobby {
    struct span line[SEATS_MAX + 2];
    size_t count;
    char settings[ACTIONS_WORDS_SIZE], words[SEATS_MAX + 1][32];
};

static void add_line(struct saved_lobby *lobby, const struct text *text) {
    lobby->line[lobby->count++] = (struct span){text->data, text->length};
}

static bool add_settings(struct saved_lobby *lobby, const struct save *save, struct refusal *why) {
    struct text text;
    text_begin(&text, lobby->settings, sizeof lobby->settings);
    text_string(&text, "set ");
    size_t none = text.length;
    options_print(&save_game()->options, &save->options, &text);
    if (text.length > none)
        add_line(lobby, &text);
    return !text.cut || refuse(why, 400, "BAD_SAVE", "This save is too long");
}

/* The maker takes the first seat that was a person's, bots keep their levels. */
static void add_seats(struct saved_lobby *lobby, const struct save *save) {
    struct text text;
    int own = 0;
    while (own < save->seats && save->seat[own].bot)
        own++;
    own = own < save->seats ? own : 0;
    for (int seat = 1; seat < save->seats; seat++) {
        /* Seat 0 is the maker's until the last line, who then changes places. */
        const struct save_seat *saved = &save->seat[seat == own ? 0 : seat];
        text_begin(&text, lobby->words[seat], sizeof lobby->words[seat]);
        text_string(&text, "bot ");
        text_number(&text, seat);
        text_char(&text, ' ');
        text_string(&text, bot_level_name(saved->bot ? saved->level : BOT_MEDIUM));
        add_line(lobby, &text);
    }
    if (own == 0)
        return;
    text_begin(&text, lobby->words[SEATS_MAX], sizeof lobby->words[SEATS_MAX]);
    text_string(&text, "move 0 ");
    text_number(&text, own);
    add_line(lobby, &text);
}

static bool load_world(struct call *call, const struct save *save, struct refusal *why) {
    char position[WORLD_LINE_SIZE];
    struct saved_lobby lobby = {.count = 0};
    struct text text;
    if (!add_settings(&lobby, save, why))
        return false;
    add_seats(&lobby, save);
    text_begin(&text, position, sizeof position);
    game_print_position(save_game(), &save->state, &text);
    if (text.cut)
        return refuse(why, 400, "BAD_SAVE", "This save is too long");
    struct world_save saved = {.seats = save->seats,
                               .deals = (int)save->deals,
                               .deal_seed = save->game_seed,
                               .position = {position, text.length}};
    struct rooms_wish wish = {.game = span_of(save_game()->id),
                              .id = span_of(call->session.id),
                              .name = span_of(call->session.name),
                              .words = lobby.line,
                              .word_count = lobby.count,
                              .save = &saved};
    return rooms_create(call->app->rooms, &wish, on_created, call, why);
}

static void create_loaded(struct call *call) {
    static struct save save;
    struct refusal why;
    if (!save_read(call->request->body, &save, &why) || !load_world(call, &save, &why))
        answer_refusal(call, &why);
}

static void post_load(struct call *call) {
    count_worlds_then(call, create_loaded);
}

/* ---- Actions ---- */

static void on_action_durable(void *arg, const struct refusal *why) {
    struct call *call = arg;
    struct json json;
    if (why) {
        answer_refusal(call, why);
        return;
    }
    begin_json(call, &json);
    json_put_object(&json, NULL);
    json_put_bool(&json, "ok", true);
    json_put_number(&json, "version", call->version);
    if (call->duplicate)
        json_put_bool(&json, "duplicate", true);
    json_put_end(&json);
    metrics_latency(&call->app->metrics, uv_hrtime() - call->begin_ns);
    answer_json(call, 200, &json, NULL);
}

static void act(struct call *call, struct span words, uint64_t action_hash) {
    struct refusal why;
    struct world_action action = {
        .id = span_of(call->session.id), .words = words, .action = action_hash};
    call->version = room_world(call->room)->version;
    bool only_asks = json_is_true(json_object_get(call->body, "check"));
    enum world_answer result =
        only_asks ? world_would(room_world(call->room), rooms_now(call->app->rooms), &action, &why)
                  : room_act(call->room, &action, on_action_durable, call, &why);
    metrics_action(&call->app->metrics, only_asks ? span_of("check") : span_of(call->type),
                   result == WORLD_REFUSED ? METRICS_REFUSED : METRICS_DONE);
    if (result == WORLD_REFUSED)
        answer_refusal(call, &why);
    else if (result == WORLD_DONE && !only_asks)
        call->version++;
    else
        room_when_durable(call->room, on_action_durable, call);
}

/* What was accepted before may still be on its way into the store. */
static void repeat(struct call *call) {
    metrics_action(&call->app->metrics, span_of(call->type), METRICS_DUPLICATE);
    call->duplicate = true;
    call->version = room_world(call->room)->version;
    room_when_durable(call->room, on_action_durable, call);
}

/* A body that means nothing: who must not act at all hears that first. */
static void answer_unread(struct call *call, struct text *words, struct refusal *why) {
    struct refusal first;
    text_string(words, words->length > 0 ? " ?" : "");
    if (why->status == 400 && !world_may(room_world(call->room), span_of(call->session.id),
                                         (struct span){words->data, words->length}, &first))
        *why = first;
    metrics_action(&call->app->metrics, span_of(call->type), METRICS_REFUSED);
    answer_refusal(call, why);
}

static bool read_action_id(const struct call *call, uint64_t *out, struct refusal *why) {
    struct span id;
    if (!actions_action_id(call->body, &id, why))
        return false;
    *out = id.length > 0 ? world_action_hash(span_of(call->session.id), id) : 0;
    return true;
}

static void act_on_room(struct call *call) {
    struct refusal why;
    char buffer[ACTIONS_WORDS_SIZE];
    struct text words;
    uint64_t action_hash;
    text_begin(&words, buffer, sizeof buffer);
    room_heard_of(call->room, span_of(call->session.id));
    if (!read_action_id(call, &action_hash, &why))
        answer_refusal(call, &why);
    else if (world_has_action(room_world(call->room), action_hash))
        repeat(call); /* PL-29: before the payload is looked at */
    else if (actions_read(room_world(call->room), span_of(call->session.id), call->body, &words,
                          &why))
        act(call, (struct span){buffer, words.length}, action_hash);
    else
        answer_unread(call, &words, &why);
}

/* What every action has; said before anybody is asked who they are. */
static bool is_action(const json_t *body, struct refusal *why) {
    struct span code, id;
    return actions_room_code(body, &code, why) && actions_action_id(body, &id, why) &&
           (json_is_string(json_object_get(body, "type")) ||
            json_is_string(json_object_get(body, "move")) ||
            refuse(why, 400, "BAD_REQUEST", "Expected a type or a move")) &&
           (!json_object_get(body, "check") || json_is_boolean(json_object_get(body, "check")) ||
            refuse(why, 400, "BAD_REQUEST", "Expected check as true or false"));
}

static void post_action(struct call *call) {
    struct refusal why;
    struct text type;
    const char *name = json_string_value(json_object_get(call->body, "type"));
    text_begin(&type, call->type, sizeof call->type);
    text_string(&type, name ? name : "move");
    struct span code;
    if (actions_room_code(call->body, &code, &why))
        find_room(call, code, act_on_room);
    else
        answer_refusal(call, &why);
}

/* HT-11, HT-12. */
static void book_on_room(struct call *call) {
    struct refusal why;
    char buffer[ACTIONS_WORDS_SIZE];
    struct text words;
    text_begin(&words, buffer, sizeof buffer);
    if (actions_read_book_route(room_world(call->room), span_of(call->session.id),
                                call->request->path, &words, &why))
        act(call, (struct span){buffer, words.length}, 0);
    else
        answer_unread(call, &words, &why);
}

static void post_book(struct call *call) {
    struct refusal why;
    char code[16];
    struct text text;
    struct span header = call->request->header[HTTP_ROOM_CODE];
    text_begin(&text, code, sizeof code);
    memcpy(call->type, "book-route", sizeof "book-route");
    if (header.data)
        text_span(&text, header);
    bool known = header.data || wire_field(call->request->query, "roomCode", &text);
    if (known && !text.cut) {
        find_room(call, span_of(code), book_on_room);
    } else {
        refuse(&why, 400, "BAD_REQUEST", "A roomCode is missing");
        answer_refusal(call, &why);
    }
}

/* ---- Pusher ---- */

struct auth {
    char socket[32], channel[WIRE_CHANNEL_MAX + 1];
};

static bool read_auth(const struct call *call, struct auth *out, struct refusal *why) {
    struct text socket, channel;
    text_begin(&socket, out->socket, sizeof out->socket);
    text_begin(&channel, out->channel, sizeof out->channel);
    return (wire_field(call->request->body, "socket_id", &socket) &&
            wire_field(call->request->body, "channel_name", &channel) && !socket.cut &&
            !channel.cut && wire_is_channel(span_of(out->channel))) ||
           refuse(why, 400, "BAD_REQUEST", "Expected socket_id and channel_name");
}

static void sign(struct call *call, const struct auth *auth, struct span info) {
    struct json json;
    struct refusal why;
    if (!pusher_claim(call->app->pusher, span_of(auth->socket), call->session.id, &why)) {
        answer_refusal(call, &why);
        return;
    }
    begin_json(call, &json);
    pusher_sign(call->app->pusher, span_of(auth->socket), span_of(auth->channel), call->session.id,
                info, &json);
    answer_json(call, 200, &json, NULL);
}

static void sign_room(struct call *call) {
    struct refusal why;
    struct auth auth;
    char buffer[512], channel[ROOM_CHANNEL_SIZE];
    struct json info;
    const struct world *world = room_world(call->room);
    read_auth(call, &auth, &why);
    room_channel(world->code, channel);
    bool good = (world_find_member(world, span_of(call->session.id)) ||
                 refuse(&why, 403, "NOT_A_MEMBER", "You are not in this world")) &&
                (strcmp(auth.channel, channel) == 0 || /* the socket knows no other */
                 refuse(&why, 403, "FORBIDDEN", "That channel is called %s", channel));
    if (!good) {
        answer_refusal(call, &why);
        return;
    }
    json_begin(&info, buffer, sizeof buffer);
    json_put_object(&info, NULL);
    json_put_string(&info, "name", call->session.name);
    json_put_end(&info);
    sign(call, &auth, (struct span){buffer, info.text.length});
}

static void post_auth(struct call *call) {
    static const char room_start[] = "presence-room-";
    struct refusal why;
    struct auth auth;
    char own[PLAYER_CHANNEL_SIZE];
    if (!read_auth(call, &auth, &why)) {
        answer_refusal(call, &why);
        return;
    }
    push_player_channel(call->session.id, own);
    if (strcmp(auth.channel, own) == 0) {
        sign(call, &auth, (struct span){0});
    } else if (strncmp(auth.channel, room_start, sizeof room_start - 1) == 0) {
        find_room(call, span_of(auth.channel + sizeof room_start - 1), sign_room);
    } else {
        refuse(&why, 403, "FORBIDDEN", "This channel is not yours");
        answer_refusal(call, &why);
    }
}

static void get_config(struct call *call) {
    const struct server_config *config = &call->app->config;
    struct json json;
    begin_json(call, &json);
    json_put_object(&json, NULL);
    json_put_object(&json, "pusher");
    json_put_string(&json, "key", config->pusher_key);
    json_put_string(&json, "wsPath", "");
    json_put_end(&json);
    json_put_string(&json, "version", OYSTER_VERSION);
    json_put_object(&json, "limits");
    json_put_number(&json, "body", config->body_max);
    json_put_number(&json, "message", config->message_max);
    json_put_number(&json, "name", NAME_CHARACTERS_MAX);
    json_put_number(&json, "chat", WORLD_SAY_MAX);
    json_put_number(&json, "actionId", ACTIONS_ID_MAX);
    json_put_number(&json, "actionsPerSecond", config->actions_per_second);
    json_put_number(&json, "worlds", config->worlds_per_player);
    json_put_end(&json);
    json_put_end(&json);
    answer_json(call, 200, &json, NULL);
}

/* A socket without a session may open; it can hear nothing until somebody claims it. */
static void on_socket_session(void *arg, const struct session *session, const struct refusal *why) {
    struct call *call = arg;
    struct app *app = call->app;
    struct peer *peer = call->peer;
    const struct http_request *request = call->request;
    (void)why;
    char player[WIRE_PLAYER_ID_SIZE] = "";
    if (session)
        memcpy(player, session->id, sizeof player);
    end_call(call);
    if (peer->closing)
        peer_release(peer);
    else
        pusher_accept(app->pusher, peer, request, player);
}

static void get_socket(struct call *call) {
    struct span token = token_of(call->request);
    struct refusal why;
    refuse_wrong_phase(&why);
    if (token.data)
        sessions_find(call->app->sessions, token, on_socket_session, call);
    else
        on_socket_session(call, NULL, &why);
}

/* ---- Operations ---- */

static void get_health(struct call *call) {
    answer(call,
           &(struct http_answer){.status = 200, .type = "text/plain", .body = span_of("ok\n")});
}

static void on_ready(void *arg, const struct store_reply *reply) {
    struct call *call = arg;
    if (reply->outcome == STORE_FAILED)
        answer_refusal(call, &reply->why);
    else
        get_health(call);
}

static void get_ready(struct call *call) {
    struct refusal why;
    if (!store_due(call->app->store, 0, 1, on_ready, call, &why))
        answer_refusal(call, &why);
}

static void get_metrics(struct call *call) {
    struct text text;
    text_begin(&text, call->app->json, sizeof call->app->json);
    metrics_write(call->app, &text);
    answer(call, &(struct http_answer){.status = 200,
                                       .type = "text/plain; version=0.0.4; charset=utf-8",
                                       .body = {text.data, text.length}});
}

/* ---- The table ---- */

static const struct route routes[] = {
    {"POST", "/api/session", post_session, true, false, false, NULL},
    {"GET", "/api/session", get_session, false, true, false, NULL},
    {"PATCH", "/api/session", patch_session, true, true, false, NULL},
    {"GET", "/api/statistics", get_statistics, false, true, false, NULL},
    {"GET", "/api/games", get_games, false, false, false, NULL},
    {"POST", "/api/worlds", post_world, true, true, false, NULL},
    {"GET", "/api/worlds", get_worlds, false, false, false, NULL},
    {"POST", "/api/worlds/load", post_load, false, true, false, NULL},
    {"GET", "/api/worlds/*", get_world, false, true, true, NULL},
    {"POST", "/api/worlds/*/join", post_join, true, true, true, NULL},
    {"POST", "/api/worlds/*/leave", post_leave, true, true, true, NULL},
    {"GET", "/api/worlds/*/log", get_log, false, true, true, NULL},
    {"GET", "/api/worlds/*/save", get_save, false, true, true, NULL},
    {"POST", "/api/game/action", post_action, true, true, false, is_action},
    {"POST", "/teams/*/books/open/*/*", post_book, false, true, false, NULL},
    {"POST", "/teams/*/books/close/*", post_book, false, true, false, NULL},
    {"POST", "/api/pusher/auth", post_auth, false, true, false, NULL},
    {"POST", "/pusher/auth", post_auth, false, true, false, NULL},
    {"GET", "/api/config", get_config, false, false, false, NULL},
    {"GET", "/app/*", get_socket, false, false, false, NULL},
    {"GET", "/healthz", get_health, false, false, false, NULL},
    {"GET", "/readyz", get_ready, false, false, false, NULL},
    {"GET", "/metrics", get_metrics, false, false, false, NULL},
};

static struct span next_part(struct span *path) {
    const char *slash = memchr(path->data, '/', path->length);
    struct span part = *path;
    if (slash)
        part.length = (size_t)(slash - path->data);
    path->data += part.length + (slash != NULL);
    path->length -= part.length + (slash != NULL);
    return part;
}

static bool matches(const struct route *route, struct span path, struct span parts[4]) {
    struct span pattern = span_of(route->path);
    int found = 0;
    while (pattern.length > 0 && path.length > 0) {
        struct span want = next_part(&pattern), have = next_part(&path);
        if (span_is(want, "*") && have.length > 0)
            parts[found++] = have;
        else if (want.length != have.length || memcmp(want.data, have.data, have.length) != 0)
            return false;
    }
    return pattern.length == 0 && path.length == 0;
}

static bool same_method(const char *asked, const char *has) {
    return strcmp(asked, has) == 0 || (strcmp(asked, "HEAD") == 0 && strcmp(has, "GET") == 0);
}

/* ---- The steps ---- */

/* An empty body is an empty object. */
static bool read_body(struct call *call, struct refusal *why) {
    struct span text = call->request->body;
    json_error_t error;
    if (text.length == 0) {
        call->body = json_object();
        return true;
    }
    if (wire_is_too_deep(text, call->app->config.json_depth_max))
        return refuse(why, 400, "BAD_REQUEST", "The body is nested too deeply");
    call->body = json_loadb(text.data, text.length, JSON_REJECT_DUPLICATES, &error);
    return json_is_object(call->body) ||
           refuse(why, 400, "BAD_REQUEST", "The body should be a JSON object");
}

/* A page of another site must not act for its visitor. Programs send no origin. */
static bool is_own_origin(const struct call *call) {
    struct span origin = call->request->header[HTTP_ORIGIN];
    struct span host = call->request->header[HTTP_HOST];
    const char *public_url = call->app->config.public_url;
    if (!origin.data)
        return true;
    if (*public_url && span_is(origin, public_url))
        return true;
    const char *slashes = origin.length > 3 ? memchr(origin.data, '/', origin.length) : NULL;
    if (!slashes || !host.data)
        return false;
    size_t start = (size_t)(slashes - origin.data) + 2;
    return origin.length > start && origin.length - start == host.length &&
           memcmp(origin.data + start, host.data, host.length) == 0;
}

static void run(struct call *call) {
    if (call->route->world)
        find_room(call, call->part[0], call->route->run);
    else
        call->route->run(call);
}

/* Whatever is written down counts: actions, coming and going, worlds, names. */
static bool may_act(struct call *call, struct refusal *why) {
    bool reads = strcmp(call->route->method, "GET") == 0 || call->route->run == post_auth;
    uint64_t key = limits_key(call->session.id, strlen(call->session.id), call->app->limits_secret);
    return reads ||
           limits_take(&call->app->actions, key, rooms_now(call->app->rooms), &call->retry_s) ||
           refuse(why, 429, "RATE_LIMITED", "Too many actions; please wait a moment");
}

static void on_session(void *arg, const struct session *session, const struct refusal *why) {
    struct call *call = arg;
    struct refusal busy;
    if (!session) {
        answer_refusal(call, why);
        return;
    }
    call->session = *session;
    if (may_act(call, &busy))
        run(call);
    else
        answer_refusal(call, &busy);
}

static void begin(struct call *call) {
    struct refusal why;
    bool reads = strcmp(call->route->method, "GET") == 0;
    bool upgrades = call->route->run == get_socket;
    if ((!reads || upgrades) && !is_own_origin(call)) {
        refuse(&why, 403, "FORBIDDEN", "Not from another site");
        answer_refusal(call, &why);
    } else if (call->route->body && (!read_body(call, &why) ||
                                     (call->route->fits && !call->route->fits(call->body, &why)))) {
        answer_refusal(call, &why);
    } else if (call->route->session) {
        sessions_find(call->app->sessions, token_of(call->request), on_session, call);
    } else {
        run(call);
    }
}

/* If there is none but one for other methods, these are listed. */
static const struct route *find_route(struct call *call, struct text *allowed) {
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++) {
        if (!matches(&routes[i], call->request->path, call->part))
            continue;
        if (same_method(call->request->method, routes[i].method))
            return &routes[i];
        text_string(allowed, allowed->length > 0 ? ", " : "Allow: ");
        text_string(allowed, routes[i].method);
        text_string(allowed, strcmp(routes[i].method, "GET") == 0 ? ", HEAD" : "");
    }
    return NULL;
}

static void answer_other_method(struct call *call, struct text *allowed) {
    static const char body[] =
        "{\"error\":\"This address does not take that method\",\"code\":\"BAD_REQUEST\"}";
    text_string(allowed, "\r\n");
    answer(call, &(struct http_answer){.status = 405,
                                       .type = "application/json",
                                       .headers = allowed->data,
                                       .body = span_of(body)});
}

size_t routes_body_max(void *arg, struct span path) {
    const struct app *app = arg;
    return span_is(path, "/api/worlds/load") ? SAVE_BODY_MAX : (size_t)app->config.body_max;
}

void routes_handle(void *arg, struct peer *peer, const struct http_request *request) {
    struct app *app = arg;
    struct refusal why;
    char buffer[64];
    struct text allowed;
    struct call *call = calloc(1, sizeof *call);
    ensure(call);
    call->app = app;
    call->peer = peer;
    call->request = request;
    call->begin_ns = uv_hrtime();
    text_begin(&allowed, buffer, sizeof buffer);
    call->route = find_route(call, &allowed);
    if (app->config.trust_proxy && !peer_comes_from(peer, address_of(call))) {
        refuse(&why, 429, "RATE_LIMITED", "Too many connections from one address");
        http_last(peer);
        answer_refusal(call, &why);
    } else if (call->route) {
        begin(call);
    } else if (allowed.length > 0) {
        answer_other_method(call, &allowed);
    } else if (!same_method(request->method, "GET")) {
        refuse(&why, 404, "NOT_FOUND", "There is nothing here");
        answer_refusal(call, &why);
    } else {
        end_call(call);
        count_answer(app, site_answer(app->site, peer, request));
    }
}
