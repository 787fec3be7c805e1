/* A request on its way to its answer, for the files of routes. routes.c has the table of
 * addresses and the steps that are the same for all; routes_*.c do what is asked. */
#pragma once

#include "server/api/device_names.h"
#include "server/api/sessions.h"
#include "server/app.h"
#include "server/net/secrets.h"
#include "server/rooms/rooms.h"
#include <jansson.h>

struct request;
/* True: the request has its answer, or will get it. False: it is to be refused for this reason. */
typedef bool request_step(struct request *request, struct refusal *why);

struct route {
    const char *name; /* method and path, in which a `*` stands for one part */
    request_step *run;
    bool body;                                             /* JSON, an object */
    bool session;                                          /* must be known */
    bool world;                                            /* the first `*` is a code */
    bool (*fits)(const json_t *body, struct refusal *why); /* null: any object */
};

struct request {
    struct app *app;
    struct peer *peer;
    const struct http_request *http;
    const struct route *route;
    json_t *body;
    struct session session;
    struct span part[4]; /* of the path, for each `*` */
    char code[WORLD_CODE_LENGTH + 1];
    struct room *room;
    request_step *with_room; /* what to do once it is found */
    int64_t version;
    int tries;
    struct replica_tries judged;
    bool duplicate;
    bool guesses;                   /* counts as a code that was tried */
    bool limited;                   /* too many codes have been tried, perhaps by this person */
    bool cold;                      /* its world had to be read into memory; not paid for yet */
    int64_t unknown_ms;             /* when to answer if there is no such world */
    bool invited;                   /* to a public world, or with its invitation */
    int retry_s;                    /* after a refusal: when to try again */
    char type[24];                  /* of an action, for the figures */
    char token[SECRETS_TOKEN_SIZE]; /* a new one, or the device that is logged out */
    enum send_away leaves;          /* who is logged out: it, the others or all */
    struct erasure *erasure;        /* of the person */
    struct past *past;              /* of a world, as far as it was made from the log */
    struct text kept;               /* a world's view or an action's answer that waits */
    request_step *counts; /* is about to make a world or to come into one; see request_line_up */
    bool reads, reading;  /* waits for its turn to read what is costly, or has it; reads.h */
    bool aside;           /* is no read, but takes long in several steps */
    request_step *turn;   /* what to do then */
    struct request *prev, *next; /* of the requests that make worlds, or of those that read */
};

void request_take(struct request *request, request_step *step);

/* ---- Each ends the request; what returns something is true, for steps that end with it ---- */

bool request_answer(struct request *request, const struct http_answer *answer);
/* In a world that other servers write to as well, the action is judged once more first. */
void request_refuse(struct request *request, const struct refusal *why);
/* Refuses if there is no session, and says whether. */
bool request_is_refused(struct request *request, const struct session *session,
                        const struct refusal *why);
void request_fail(struct request *request, const struct room_failure *failure);
void request_end_or_fail(void *arg, const struct room_failure *failure); /* null: it is done */
bool request_answer_done(struct request *request);                       /* nothing is to be said */
bool request_answer_json(struct request *request, int status);
bool request_answer_object(struct request *request, int status, const char *headers);
void request_end(struct request *request); /* somebody else answers */

/* In routes_past.c: frees what was made of a past. Null is nothing. */
void past_free(struct past *past);

/* In routes_erase.c: the same of an erasure, whose person may come back now. */
void erasure_free(struct request *request);

/* In routes_worlds.c: may this person know what is on this table? */
bool request_may_see(const struct request *request, struct refusal *why);

/* In routes_worlds.c: takes the step, which counts the person's worlds, once no other request of
 * theirs is between counting and its end: a world that is being written is in no list yet. Refuses
 * those who have `most` such requests. The other goes on with the next one. */
bool request_line_up(struct request *request, int64_t most, request_step *count,
                     struct refusal *why);
void request_leave_line(struct request *request);
/* Goes on with `with_room` after counting, unless the person was logged out or erased meanwhile. */
void request_come_in(struct request *request);

/* JSON goes into a buffer that all requests share, so it is written and answered at once. */
struct json *request_begin_json(struct request *request);
struct json *request_begin_object(struct request *request); /* which request_answer_object ends */
/* The same after the store was asked. Null if the store failed, which has been answered then. */
struct json *request_begin_found(struct request *request, const struct store_reply *reply);

/* In routes_people.c: the new token, with its cookie; and the same once the session is made. */
bool request_answer_token(struct request *request, int status);
sessions_found request_on_session_made;

/* In routes_devices.c: the cookie goes; and what the device is called that asks. */
bool request_answer_logged_out(struct request *request);
void request_device(const struct request *request, char out[DEVICE_NAME_SIZE]);

/* ---- Worlds ---- */

/* Reads a code in capitals or not (PL-10); false for what cannot be one. */
bool request_read_code(struct span text, char out[WORLD_CODE_LENGTH + 1]);
/* A step: goes on with `next` once the world is there; an unknown one is answered. */
bool request_find_room(struct request *request, struct span code, request_step *next,
                       struct refusal *why);
/* Finds the same world as it is now and takes the same step again. */
void request_find_again(struct request *request);
/* The same, once per request, after everything was read that others appended; false if there is no
 * need. What is there then is as durable as what this server appends. */
bool request_refresh(struct request *request);

/* A page that tells other sites of its world also tells that there is one. Only programs that fetch
 * it need that, so nobody with a cookie gets a preview, and an address, and all together, may ask
 * for as many worlds that have none as they may try codes. These are counted apart from codes that
 * are typed: a browser that comes for the first time asks as well. */
bool request_may_preview(struct request *request);
void request_previewed(struct request *request); /* there is such a world: it was no guess */

/* ---- What a request says ---- */

struct span request_address(const struct request *request);
uint64_t request_address_key(const struct request *request); /* for limits ... */
uint64_t request_person_key(const struct request *request);  /* ... by session */
/* May somebody of this address do something that counts as `count` times, by all blocks that it is
 * in? Then it counts. `of` is 0, or a key of what it is done to. */
bool request_take_of_address(struct request *request, struct rates rates[RATES_BLOCKS],
                             int64_t count, uint64_t of);
/* Counts what was done without asking first. */
void request_charge_address(const struct request *request, struct rates rates[RATES_BLOCKS],
                            uint32_t count);
/* Undoes it, if it counted once and `of` was 0. */
void request_give_back_to_address(const struct request *request, struct rates rates[RATES_BLOCKS]);
struct span request_cookie(const struct http_request *http);
struct span request_bearer(const struct http_request *http); /* null: none */
struct span request_token(const struct http_request *http);  /* the cookie, if there is no bearer */
json_t *request_given(const json_t *body, const char *name); /* null counts as missing */
/* The string of that name in the body; no data if there is none. */
struct span request_string(const struct request *request, const char *name);

/* ---- routes_worlds.c, for those who make a world in another way ---- */

/* Refuses people who own too many worlds already. */
bool request_count_worlds_then(struct request *request, request_step *next, struct refusal *why);
void request_on_created(void *arg, struct room *room, const struct room_failure *failure);

/* ---- The routes ---- */

request_step route_get_devices, route_post_link, route_post_claim, route_post_renew,
    route_post_logout;
request_step route_post_erase;
request_step route_post_session, route_get_session, route_patch_session, route_get_statistics,
    route_post_statistics_delete;
request_step route_get_invitation;
request_step route_post_push, route_post_push_end, route_post_call;
request_step route_get_games, route_post_world, route_get_worlds, route_get_world;
request_step route_post_join, route_post_leave, route_get_log, route_get_history, route_get_save,
    route_post_load;
request_step route_post_action, route_post_move;
request_step route_get_config, route_get_socket, route_post_auth;
request_step route_get_host, route_get_host_worlds, route_get_host_people;
request_step route_post_host_message, route_post_host_drain, route_post_host_ban;
/* Checks the form that every action has, before anybody is asked who they are. */
bool route_is_action(const json_t *body, struct refusal *why);
