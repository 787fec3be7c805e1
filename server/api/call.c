/* Calls: see call.h. */
#include "server/api/call.h"
#include "server/api/reads.h"
#include "server/net/encoding.h"

#include "engine/ensure.h"
#include "server/net/status.h"
#include "store/reserve.h"
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NOT_FOUND_STEP_MS = 50 }; /* unknown worlds are answered at the end of such a step */

/* ---- Answers ---- */

void call_end(struct call *call) {
    if (call->counts)
        call_leave_line(call);
    struct reads *reads = call->reads ? call->app->reads : NULL;
    if (reads)
        reads_leave(call);
    json_decref(call->body);
    past_free(call->past);
    erasure_free(call);
    free(call->kept.data);
    free(call);
    if (reads)
        reads_go(reads);
}

void call_answer(struct call *call, const struct http_answer *answer) {
    http_answer(call->peer, answer);
    call_end(call);
}

static void on_room(void *arg, struct room *room, const struct room_failure *failure);

void call_find_again(struct call *call) {
    rooms_find(call->app->rooms, span_of(call->code), on_room, call);
}

bool call_refresh(struct call *call) {
    if (call->judged.refreshed || !store_is_shared(call->app->store))
        return false;
    call->judged.refreshed = true;
    rooms_refresh(call->app->rooms, span_of(call->code), on_room, call);
    return true;
}

static bool judge_again(struct call *call, enum replica_code code, const struct refusal *why) {
    int status = refusal_status(why);
    bool by_rules = status < 500 && status != 429;
    if (!call->with_room || !call->room)
        return false;
    switch (replica_judge(&call->judged, store_is_shared(call->app->store), code, by_rules)) {
    case REPLICA_TRY_AGAIN:
        call_find_again(call);
        return true;
    case REPLICA_TRY_REFRESHED:
        rooms_refresh(call->app->rooms, span_of(call->code), on_room, call);
        return true;
    case REPLICA_IS_FINAL:
        break;
    }
    return false;
}

static void refuse_finally(struct call *call, const struct refusal *why) {
    http_answer_refusal(call->peer, why, call->retry_s);
    call_end(call);
}

void call_refuse(struct call *call, const struct refusal *why) {
    if (!judge_again(call, REPLICA_DONE, why))
        refuse_finally(call, why);
}

void call_fail(struct call *call, const struct room_failure *failure) {
    if (!judge_again(call, failure->code, &failure->why))
        refuse_finally(call, &failure->why);
}

void call_begin_json(struct call *call, struct json *json) {
    json_begin(json, call->app->json, sizeof call->app->json);
}

void call_answer_json(struct call *call, int status, const struct json *json, const char *headers) {
    ensure(json_complete(json));
    call_answer(call, &(struct http_answer){.status = status,
                                            .type = "application/json",
                                            .headers = headers,
                                            .body = {json->text.data, json->text.length}});
}

bool call_begin_found(struct call *call, const struct store_reply *reply, struct json *json) {
    if (reply->outcome != STORE_OK) {
        call_refuse(call, &reply->why);
        return false;
    }
    call_begin_json(call, json);
    json_put_object(json, NULL);
    return true;
}

/* ---- Unknown worlds ---- */

/* PL-C15: unknown, closed and private worlds get the same answer at the end of the same step of
 * time, so that neither the answer nor its delay tells anything. Trying many codes is limited by
 * address and in total; once the limit is reached, only those get an answer about a world who are
 * in it or come with its invitation, and all about a public one. */
static void on_unknown(uv_timer_t *timer) {
    struct call *call = timer->data;
    struct refusal why;
    uv_close((uv_handle_t *)timer, (uv_close_cb)free);
    if (call->limited)
        refuse(&why, "RATE_LIMITED",
               "Too many codes have been tried. Wait %d s, or come with the link of an invitation",
               call->retry_s);
    else
        refuse(&why, "ROOM_NOT_FOUND", "There is no such world");
    call_refuse(call, &why);
}

static void answer_unknown(struct call *call) {
    struct app *app = call->app;
    int64_t now = rooms_now(app->rooms);
    uv_timer_t *timer = reserve_malloc(sizeof *timer);
    call->room = NULL;
    uv_timer_init(&app->loop, timer);
    timer->data = call;
    uv_timer_start(timer, on_unknown, (uint64_t)(NOT_FOUND_STEP_MS - now % NOT_FOUND_STEP_MS), 0);
}

static uint64_t block_key(const struct call *call, int bits) {
    char block[RATES_BLOCK_SIZE];
    rates_block(call_address(call), bits, block);
    return rates_key(block, strlen(block), call->app->rates_secret);
}

/* `rates` is one for each size of blocks. */
static void give_back(struct call *call, struct rates *rates, int blocks) {
    for (int i = 0; i < blocks; i++)
        rates_give_back(&rates[i], block_key(call, app_guess_blocks[i].bits));
}

static bool take_of_address(struct call *call, struct rates *rates) {
    int64_t now = rooms_now(call->app->rooms);
    for (int i = 0; i < APP_GUESS_BLOCKS; i++) {
        uint64_t key = block_key(call, app_guess_blocks[i].bits);
        if (!rates_take(&rates[i], key, now, &call->retry_s)) {
            give_back(call, rates, i);
            return false;
        }
    }
    return true;
}

/* A code counts as tried from the beginning, until it turns out to be known. */
static bool take_guess(struct call *call) {
    struct app *app = call->app;
    if (!take_of_address(call, app->guesses))
        return false;
    if (rates_take(&app->guesses_in_all, 0, rooms_now(app->rooms), &call->retry_s))
        return true;
    give_back(call, app->guesses, APP_GUESS_BLOCKS);
    return false;
}

bool call_may_preview(struct call *call) {
    return !call_cookie(call->request).data && take_of_address(call, call->app->previews);
}

void call_previewed(struct call *call) {
    give_back(call, call->app->previews, APP_GUESS_BLOCKS);
}

static void was_no_guess(struct call *call) {
    if (call->guesses) {
        give_back(call, call->app->guesses, APP_GUESS_BLOCKS);
        rates_give_back(&call->app->guesses_in_all, 0);
    }
    call->guesses = false;
    call->retry_s = 0;
}

/* People who are in a world, have a seat there or were removed from it know its code. */
static bool is_at_home(const struct call *call, const struct world *world) {
    struct span id = span_of(call->session.id);
    struct refusal why;
    return world_find_member(world, id) || world_owns_seat(world, id) ||
           !world_welcomes(world, id, &why);
}

static bool has_invitation(const struct world *world, struct span given) {
    char invitation[WORLD_INVITATION_SIZE];
    world_invitation(world, invitation);
    return given.length == WORLD_INVITATION_SIZE - 1 &&
           sodium_memcmp(given.data, invitation, WORLD_INVITATION_SIZE - 1) == 0;
}

/* Who typed a code may join with it, and see nothing before. */
static bool may_come(struct call *call, const struct world *world) {
    struct span given = call->request->header[HTTP_INVITATION];
    call->invited = world_is_public(world) || (given.data && has_invitation(world, given));
    bool typed = !given.data && call->route->run == route_post_join && !call->limited;
    return call->invited || typed || is_at_home(call, world);
}

static void on_room(void *arg, struct room *room, const struct room_failure *failure) {
    struct call *call = arg;
    call->room = room;
    bool stranger = room && !may_come(call, room_world(room));
    if (stranger && call_refresh(call))
        return;
    if (stranger || (!room && failure->code == REPLICA_MISSING)) {
        answer_unknown(call);
        return;
    }
    was_no_guess(call);
    if (room)
        call->with_room(call);
    else
        call_fail(call, failure);
}

/* PL-10: codes are read in capitals or not. Whoever is at home in a world that is at hand does not
 * guess, so that nothing has to be counted for most requests. */
void call_find_room(struct call *call, struct span code, call_step *next) {
    bool complete = code.length == WORLD_CODE_LENGTH;
    for (size_t i = 0; i < WORLD_CODE_LENGTH && complete; i++) {
        char c = code.data[i];
        call->code[i] = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
    }
    const struct world *known = complete ? rooms_peek(call->app->rooms, span_of(call->code)) : NULL;
    bool home = known && is_at_home(call, known);
    call->with_room = next;
    call->guesses = !home && take_guess(call);
    call->limited = !home && !call->guesses;
    if (complete)
        call_find_again(call);
    else
        answer_unknown(call);
}

/* ---- What a request says ---- */

static bool is_list_blank(char c) {
    return c == ',' || c == ' ' || c == '\t';
}

struct span call_address(const struct call *call) {
    const struct span *forwarded = &call->request->header[HTTP_FORWARDED_FOR];
    if (!call->app->config.trust_proxy || !forwarded->data)
        return span_of(call->peer->address);
    /* Only the last address is the proxy's word; the others may be anybody's. */
    size_t end = forwarded->length, start;
    while (end > 0 && is_list_blank(forwarded->data[end - 1]))
        end--;
    for (start = end; start > 0 && !is_list_blank(forwarded->data[start - 1]);)
        start--;
    return start < end ? (struct span){forwarded->data + start, end - start}
                       : span_of(call->peer->address);
}

uint64_t call_address_key(const struct call *call) {
    return block_key(call, RATES_HOUSEHOLD_BITS);
}

struct span call_cookie(const struct http_request *request) {
    struct span token = {0};
    encoding_cookie(request->header[HTTP_COOKIE], "oyster_session", &token);
    return token;
}

struct span call_bearer(const struct http_request *request) {
    static const char bearer[] = "Bearer ";
    struct span header = request->header[HTTP_AUTHORIZATION];
    if (header.data && header.length > sizeof bearer - 1 &&
        strncasecmp(header.data, bearer, sizeof bearer - 1) == 0)
        return (struct span){header.data + sizeof bearer - 1, header.length - sizeof bearer + 1};
    return (struct span){NULL, 0};
}

struct span call_token(const struct http_request *request) {
    struct span token = call_bearer(request);
    return token.data ? token : call_cookie(request);
}

json_t *call_given(const json_t *body, const char *name) {
    json_t *value = json_object_get(body, name);
    return json_is_null(value) ? NULL : value;
}
