/* Calls: see call.h. */
#include "server/api/call.h"
#include "server/api/reads.h"
#include "server/net/encoding.h"

#include "engine/ensure.h"
#include "server/net/status.h"
#include "store/reserve.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NOT_FOUND_STEP_MS = 50 }; /* unknown worlds are answered at the end of such a step */

/* ---- Answers ---- */

void call_end(struct call *call) {
    if (call->creates)
        call_created(call);
    struct reads *reads = call->reads ? call->app->reads : NULL;
    if (reads)
        reads_leave(call);
    json_decref(call->body);
    past_free(call->past);
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

/* Unknown and closed worlds get the same answer at the end of the same step of time, so that
 * neither the answer nor its delay tells anything. Trying many codes is limited by address and in
 * total; once the limit is reached, only the members of a world get an answer about it, so that
 * their game goes on whatever others try. */
static void on_unknown(uv_timer_t *timer) {
    struct call *call = timer->data;
    struct refusal why;
    uv_close((uv_handle_t *)timer, (uv_close_cb)free);
    if (call->guesses)
        refuse(&why, "RATE_LIMITED", "Too many unknown worlds; please wait");
    else
        refuse(&why, "ROOM_NOT_FOUND", "There is no such world");
    call_refuse(call, &why);
}

static void answer_unknown(struct call *call) {
    struct app *app = call->app;
    int64_t now = rooms_now(app->rooms);
    if (!call->guesses) {
        rates_take(&app->failures, call_address_key(call), now, NULL);
        rates_take(&app->failures_in_all, 0, now, NULL);
    }
    uv_timer_t *timer = reserve_malloc(sizeof *timer);
    uv_timer_init(&app->loop, timer);
    timer->data = call;
    uv_timer_start(timer, on_unknown, (uint64_t)(NOT_FOUND_STEP_MS - now % NOT_FOUND_STEP_MS), 0);
}

static bool may_look(struct call *call) {
    struct app *app = call->app;
    int64_t now = rooms_now(app->rooms);
    return rates_peek(&app->failures, call_address_key(call), now, &call->retry_s) &&
           rates_peek(&app->failures_in_all, 0, now, &call->retry_s);
}

/* People who are in a world or have a seat there are not guessing its code. */
static bool is_at_home(const struct call *call, const struct room *room) {
    struct span id = span_of(call->session.id);
    return world_find_member(room_world(room), id) || world_owns_seat(room_world(room), id);
}

static void on_room(void *arg, struct room *room, const struct room_failure *failure) {
    struct call *call = arg;
    call->room = room;
    bool unknown =
        room ? call->guesses && !is_at_home(call, room) : failure->code == REPLICA_MISSING;
    if (unknown) {
        answer_unknown(call);
    } else if (!room) {
        call_fail(call, failure);
    } else {
        call->retry_s = 0;
        call->with_room(call);
    }
}

/* PL-10: codes are read in capitals or not. */
void call_find_room(struct call *call, struct span code, call_step *next) {
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
    call_find_again(call);
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
    char block[RATES_BLOCK_SIZE];
    rates_block(call_address(call), block);
    return rates_key(block, strlen(block), call->app->rates_secret);
}

struct span call_cookie(const struct http_request *request) {
    struct span token = {0};
    encoding_cookie(request->header[HTTP_COOKIE], "oyster_session", &token);
    return token;
}

struct span call_token(const struct http_request *request) {
    static const char bearer[] = "Bearer ";
    struct span header = request->header[HTTP_AUTHORIZATION];
    if (header.data && header.length > sizeof bearer - 1 &&
        strncasecmp(header.data, bearer, sizeof bearer - 1) == 0)
        return (struct span){header.data + sizeof bearer - 1, header.length - sizeof bearer + 1};
    return call_cookie(request);
}

json_t *call_given(const json_t *body, const char *name) {
    json_t *value = json_object_get(body, name);
    return json_is_null(value) ? NULL : value;
}
