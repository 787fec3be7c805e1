/* See request.h. */
#include "server/api/request.h"
#include "server/api/reads.h"
#include "server/net/encoding.h"

#include "engine/ensure.h"
#include "server/net/status.h"
#include "store/reserve.h"
#include <ctype.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    NOT_FOUND_STEP_MS = 50, /* unknown worlds are answered at the end of such a step */
    COLD_UNITS = 1, /* of a world that is not in memory, before it is known how long it is */
    COLD_UNITS_LIMITED = 10 /* ... where that must not be told by what it costs */
};

/* ---- Answers ---- */

void request_end(struct request *request) {
    if (request->counts)
        request_leave_line(request);
    struct reads *reads = request->reads ? request->app->reads : NULL;
    if (reads)
        reads_leave(request);
    json_decref(request->body);
    past_free(request->past);
    erasure_free(request);
    free(request->kept.data);
    free(request);
    if (reads)
        reads_go(reads);
}

void request_take(struct request *request, request_step *step) {
    struct refusal why;
    if (!step(request, &why))
        request_refuse(request, &why);
}

bool request_answer(struct request *request, const struct http_answer *answer) {
    http_answer(request->peer, answer);
    request_end(request);
    return true;
}

static void on_room(void *arg, struct room *room, const struct room_failure *failure);

void request_find_again(struct request *request) {
    rooms_find(request->app->rooms, span_of(request->code), on_room, request);
}

bool request_refresh(struct request *request) {
    if (request->judged.refreshed || !store_is_shared(request->app->store))
        return false;
    request->judged.refreshed = true;
    rooms_refresh(request->app->rooms, span_of(request->code), on_room, request);
    return true;
}

static bool judge_again(struct request *request, enum replica_code code,
                        const struct refusal *why) {
    int status = refusal_status(why);
    bool by_rules = status < 500 && status != 429;
    if (!request->with_room || !request->room)
        return false;
    enum replica_verdict verdict =
        replica_judge(&request->judged, store_is_shared(request->app->store), code, by_rules);
    if (verdict == REPLICA_TRY_AGAIN)
        request_find_again(request);
    else if (verdict == REPLICA_TRY_REFRESHED)
        rooms_refresh(request->app->rooms, span_of(request->code), on_room, request);
    return verdict != REPLICA_IS_FINAL;
}

static void refuse_finally(struct request *request, const struct refusal *why) {
    http_answer_refusal(request->peer, why, request->retry_s);
    request_end(request);
}

void request_refuse(struct request *request, const struct refusal *why) {
    if (!judge_again(request, REPLICA_DONE, why))
        refuse_finally(request, why);
}

bool request_is_refused(struct request *request, const struct session *session,
                        const struct refusal *why) {
    if (!session)
        request_refuse(request, why);
    return !session;
}

static void on_still_known(void *arg, const struct session *session, const struct refusal *why) {
    struct request *request = arg;
    if (!session)
        refuse_finally(request, why);
    else if (request->room)
        request_find_again(request);
    else
        request_take(request, request->with_room);
}

void request_come_in(struct request *request) {
    sessions_find(request->app->sessions, request_token(request->http), on_still_known, request);
}

void request_fail(struct request *request, const struct room_failure *failure) {
    if (!judge_again(request, failure->code, &failure->why))
        refuse_finally(request, &failure->why);
}

bool request_answer_done(struct request *request) {
    request_begin_object(request);
    return request_answer_object(request, 200, NULL);
}

void request_end_or_fail(void *arg, const struct room_failure *failure) {
    if (failure)
        request_fail(arg, failure);
    else
        request_answer_done(arg);
}

struct json *request_begin_json(struct request *request) {
    request->app->answer = json_in(request->app->json, sizeof request->app->json);
    return &request->app->answer;
}

static bool answer_json(struct request *request, int status, const char *headers) {
    const struct json *json = &request->app->answer;
    ensure(json_complete(json));
    return request_answer(request,
                          &(struct http_answer){.status = status,
                                                .type = "application/json",
                                                .headers = headers,
                                                .body = {json->text.data, json->text.length}});
}

bool request_answer_json(struct request *request, int status) {
    return answer_json(request, status, NULL);
}

struct json *request_begin_object(struct request *request) {
    request->app->answer = json_object_in(request->app->json, sizeof request->app->json);
    return &request->app->answer;
}

bool request_answer_object(struct request *request, int status, const char *headers) {
    json_put_end(&request->app->answer);
    return answer_json(request, status, headers);
}

struct json *request_begin_found(struct request *request, const struct store_reply *reply) {
    if (reply->outcome == STORE_OK)
        return request_begin_object(request);
    request_refuse(request, &reply->why);
    return NULL;
}

/* ---- Unknown worlds ---- */

/* PL-C15: unknown, closed and private worlds get the same answer at the end of the same step of
 * time, so that neither the answer nor its delay tells anything. Trying many codes is limited by
 * address and in total; once the limit is reached, only those get an answer about a world who are
 * in it or come with its invitation, and all about a public one. How long it takes to find a world
 * tells that there is one, so the step is fixed when a request comes, and for those who are limited
 * what has been found by then is all that counts. */
static bool refuse_unknown(struct request *request, struct refusal *why) {
    if (request->limited)
        return refuse(
            why, "RATE_LIMITED",
            "Too many codes have been tried. Wait %d s, or come with the link of an invitation",
            request->retry_s);
    return refuse(why, "ROOM_NOT_FOUND", "There is no such world");
}

static void on_unknown(uv_timer_t *timer) {
    uv_close((uv_handle_t *)timer, (uv_close_cb)free);
    request_take(timer->data, refuse_unknown);
}

/* Goes on at the end of the step that was fixed, or of the next one if that is over. */
static void await_step(struct request *request, uv_timer_cb go_on) {
    struct app *app = request->app;
    int64_t now = rooms_now(app->rooms), wait_ms = request->unknown_ms - now;
    uv_timer_t *timer = reserve_malloc(sizeof *timer);
    uv_timer_init(&app->loop, timer);
    timer->data = request;
    if (wait_ms <= 0)
        wait_ms = NOT_FOUND_STEP_MS - now % NOT_FOUND_STEP_MS;
    uv_timer_start(timer, go_on, (uint64_t)wait_ms, 0);
}

static void answer_unknown(struct request *request) {
    request->room = NULL;
    await_step(request, on_unknown);
}

static uint64_t block_key(const struct request *request, int bits) {
    char block[RATES_BLOCK_SIZE];
    rates_block(request_address(request), bits, block);
    return rates_key(block, strlen(block), request->app->rates_secret);
}

static void give_back(const struct request *request, struct rates *rates, int blocks, int64_t count,
                      uint64_t of) {
    for (int i = 0; i < blocks; i++)
        rates_give_back_many(&rates[i], of ^ block_key(request, rates_blocks[i].bits), count);
}

bool request_take_of_address(struct request *request, struct rates rates[RATES_BLOCKS],
                             int64_t count, uint64_t of) {
    int64_t now = rooms_now(request->app->rooms);
    for (int i = 0; i < RATES_BLOCKS; i++) {
        uint64_t key = of ^ block_key(request, rates_blocks[i].bits);
        if (!rates_take_many(&rates[i], key, count, now, &request->retry_s)) {
            give_back(request, rates, i, count, of);
            return false;
        }
    }
    return true;
}

void request_charge_address(const struct request *request, struct rates rates[RATES_BLOCKS],
                            uint32_t count) {
    for (int i = 0; i < RATES_BLOCKS; i++)
        rates_charge(&rates[i], block_key(request, rates_blocks[i].bits), count,
                     rooms_now(request->app->rooms));
}

void request_give_back_to_address(const struct request *request, struct rates rates[RATES_BLOCKS]) {
    give_back(request, rates, RATES_BLOCKS, 1, 0);
}

/* A code counts as tried from the beginning, until it turns out to be known. */
static bool take_try(struct request *request, struct rates of_address[RATES_BLOCKS],
                     struct rates *in_all) {
    if (!request_take_of_address(request, of_address, 1, 0))
        return false;
    if (rates_take(in_all, 0, rooms_now(request->app->rooms), &request->retry_s))
        return true;
    request_give_back_to_address(request, of_address);
    return false;
}

static void give_back_try(struct request *request, struct rates of_address[RATES_BLOCKS],
                          struct rates *in_all) {
    request_give_back_to_address(request, of_address);
    rates_give_back(in_all, 0);
}

bool request_may_preview(struct request *request) {
    struct app *app = request->app;
    return !request_cookie(request->http).data &&
           take_try(request, app->previews, &app->previews_in_all);
}

void request_previewed(struct request *request) {
    struct app *app = request->app;
    give_back_try(request, app->previews, &app->previews_in_all);
}

static void was_no_guess(struct request *request) {
    struct app *app = request->app;
    if (request->guesses)
        give_back_try(request, app->guesses, &app->guesses_in_all);
    request->guesses = false;
    request->retry_s = 0;
}

/* People who are in a world, have a seat there or were removed from it know its code. */
static bool is_at_home(const struct request *request, const struct world *world) {
    struct span id = span_of(request->session.id);
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
static bool may_come(struct request *request, const struct world *world) {
    struct span given = request->http->header[HTTP_INVITATION];
    request->invited = world_is_public(world) || (given.data && has_invitation(world, given));
    bool typed = !given.data && request->route->run == route_post_join && !request->limited;
    return request->invited || typed || is_at_home(request, world);
}

/* A world that was read into memory costs what reading its log does. */
static void pay_for_reading(struct request *request) {
    if (request->cold && request->room)
        reads_owe(request, room_world(request->room)->version / READS_ENTRIES_A_UNIT);
    request->cold = false;
}

static void on_room(void *arg, struct room *room, const struct room_failure *failure) {
    struct request *request = arg;
    request->room = room;
    pay_for_reading(request);
    bool stranger = room && !may_come(request, room_world(room));
    if (stranger && request_refresh(request))
        return;
    if (stranger || (!room && failure->code == REPLICA_MISSING)) {
        answer_unknown(request);
        return;
    }
    was_no_guess(request);
    if (room)
        request_take(request, request->with_room);
    else
        request_fail(request, failure);
}

bool request_read_code(struct span text, char out[WORLD_CODE_LENGTH + 1]) {
    for (size_t i = 0; i < WORLD_CODE_LENGTH && text.length == WORLD_CODE_LENGTH; i++)
        out[i] = (char)toupper((unsigned char)text.data[i]);
    return text.length == WORLD_CODE_LENGTH;
}

static void on_looked_up(void *arg, struct room *room, const struct room_failure *failure) {
}

static void on_limited(uv_timer_t *timer) {
    struct request *request = timer->data;
    const struct world *world = rooms_peek(request->app->rooms, span_of(request->code));
    uv_close((uv_handle_t *)timer, (uv_close_cb)free);
    if (world && may_come(request, world))
        request_find_again(request);
    else
        request_take(request, refuse_unknown);
}

/* Nobody waits for the look-up itself. Whoever comes too early to a world that takes long to read
 * finds it in memory with the next try. */
static void look_up_limited(struct request *request, const struct world *known) {
    struct refusal why;
    int retry_s = request->retry_s;
    if (known && may_come(request, known)) {
        request_find_again(request);
        return;
    }
    if (*request->code && (known || reads_charge(request, COLD_UNITS_LIMITED, &why)))
        rooms_refresh(request->app->rooms, span_of(request->code), on_looked_up, NULL);
    request->retry_s = retry_s;
    await_step(request, on_limited);
}

/* Members of a world in memory know its code, so their requests do not count as guesses. */
bool request_find_room(struct request *request, struct span code, request_step *next,
                       struct refusal *why) {
    int64_t step = rooms_now(request->app->rooms) / NOT_FOUND_STEP_MS;
    bool complete = request_read_code(code, request->code);
    const struct world *known =
        complete ? rooms_peek(request->app->rooms, span_of(request->code)) : NULL;
    bool home = known && is_at_home(request, known);
    request->with_room = next;
    request->unknown_ms = (step + 2) * NOT_FOUND_STEP_MS;
    request->guesses =
        !home && take_try(request, request->app->guesses, &request->app->guesses_in_all);
    request->limited = !home && !request->guesses;
    request->cold = complete && !known && !request->limited;
    if (request->limited)
        look_up_limited(request, known);
    else if (!complete)
        answer_unknown(request);
    else if (request->cold && !reads_charge(request, COLD_UNITS, why))
        return false; /* and the code has been tried, or this would tell which worlds there are */
    else
        request_find_again(request);
    return true;
}

/* ---- What a request says ---- */

static bool is_list_blank(char c) {
    return c == ',' || c == ' ' || c == '\t';
}

struct span request_address(const struct request *request) {
    const struct span *forwarded = &request->http->header[HTTP_FORWARDED_FOR];
    if (!request->app->config.trust_proxy || !forwarded->data)
        return span_of(request->peer->address);
    /* Only the last address is the proxy's word; the others may be anybody's. */
    size_t end = forwarded->length, start;
    while (end > 0 && is_list_blank(forwarded->data[end - 1]))
        end--;
    for (start = end; start > 0 && !is_list_blank(forwarded->data[start - 1]);)
        start--;
    return start < end ? (struct span){forwarded->data + start, end - start}
                       : span_of(request->peer->address);
}

uint64_t request_address_key(const struct request *request) {
    return block_key(request, RATES_HOUSEHOLD_BITS);
}

uint64_t request_person_key(const struct request *request) {
    const char *id = request->session.id;
    return rates_key(id, strlen(id), request->app->rates_secret);
}

struct span request_cookie(const struct http_request *http) {
    struct span token = {0};
    encoding_cookie(http->header[HTTP_COOKIE], "oyster_session", &token);
    return token;
}

struct span request_bearer(const struct http_request *http) {
    static const char bearer[] = "Bearer ";
    struct span header = http->header[HTTP_AUTHORIZATION];
    if (header.data && header.length > sizeof bearer - 1 &&
        strncasecmp(header.data, bearer, sizeof bearer - 1) == 0)
        return (struct span){header.data + sizeof bearer - 1, header.length - sizeof bearer + 1};
    return (struct span){NULL, 0};
}

struct span request_token(const struct http_request *http) {
    struct span token = request_bearer(http);
    return token.data ? token : request_cookie(http);
}

json_t *request_given(const json_t *body, const char *name) {
    json_t *value = json_object_get(body, name);
    return json_is_null(value) ? NULL : value;
}

struct span request_string(const struct request *request, const char *name) {
    const json_t *value = json_object_get(request->body, name);
    return (struct span){json_string_value(value), json_string_length(value)};
}
