/* A call: one request on its way to its answer, for the files of routes. routes.c has the table of
 * addresses and the steps that are the same for all; routes_*.c do what is asked. */
#ifndef SERVER_API_CALL_H
#define SERVER_API_CALL_H

#include "server/api/device_names.h"
#include "server/api/sessions.h"
#include "server/app.h"
#include "server/net/secrets.h"
#include "server/rooms/rooms.h"
#include <jansson.h>

struct call;
typedef void call_step(struct call *call);

struct route {
    const char *name; /* method and path, in which a `*` stands for one part */
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
    int64_t version;
    int tries;
    struct replica_tries judged;
    bool duplicate;
    bool guesses;  /* counts as a code that was tried */
    bool limited;  /* too many codes have been tried, perhaps by this person */
    bool invited;  /* to a public world, or with its invitation */
    int retry_s;   /* after a refusal: when to try again */
    char type[24]; /* of an action, for the figures */
    char token[SECRETS_TOKEN_SIZE];
    struct erasure *erasure;  /* of the person */
    struct past *past;        /* of a world, as far as it was made from the log */
    struct text kept;         /* a world's view or an action's answer that waits */
    call_step *counts;        /* is about to make a world or to come into one; see call_line_up */
    bool reads, reading;      /* waits for its turn to read what is costly, or has it; reads.h */
    bool aside;               /* is no read, but takes long in several steps */
    call_step *turn;          /* what to do then */
    struct call *prev, *next; /* of the calls that make worlds, or of those that read */
};

/* ---- Each ends the call ---- */

void call_answer(struct call *call, const struct http_answer *answer);
/* In a world that other servers write to as well, the action is judged once more first. */
void call_refuse(struct call *call, const struct refusal *why);
void call_fail(struct call *call, const struct room_failure *failure);
void call_answer_json(struct call *call, int status, const struct json *json, const char *headers);
void call_end(struct call *call); /* somebody else answers */

/* In routes_past.c: frees what was made of a past. Null is nothing. */
void past_free(struct past *past);

/* In routes_erase.c: the same of an erasure, whose person may come back now. */
void erasure_free(struct call *call);

/* In routes_worlds.c: may this person know what is on this table? */
bool call_may_see(const struct call *call, struct refusal *why);

/* In routes_worlds.c: takes the step, which counts the person's worlds, once no other call of
 * theirs is between counting and its end: a world that is being written is in no list yet. Refuses
 * those who have `most` such calls. The other goes on with the next one. */
void call_line_up(struct call *call, int64_t most, call_step *count);
void call_leave_line(struct call *call);

/* JSON goes into a buffer that all calls share, so it is written and answered at once. */
void call_begin_json(struct call *call, struct json *json);
/* The same after the store was asked, inside an object. False if the store failed, which has been
 * answered then. */
bool call_begin_found(struct call *call, const struct store_reply *reply, struct json *json);

/* In routes_people.c: the new token, with its cookie. */
void call_answer_token(struct call *call, int status);

/* In routes_devices.c: the cookie goes; and what the device is called that asks. */
void call_answer_logged_out(struct call *call);
void call_device(const struct call *call, char out[DEVICE_NAME_SIZE]);

/* ---- Worlds ---- */

/* Goes on with `next` once the world is there; an unknown one is answered. */
void call_find_room(struct call *call, struct span code, call_step *next);
/* Finds the same world as it is now and takes the same step again. */
void call_find_again(struct call *call);
/* The same, once per call, after everything was read that others appended; false if there is no
 * need. What is there then is as durable as what this server appends. */
bool call_refresh(struct call *call);

/* A page that tells other sites of its world also tells that there is one. Only programs that fetch
 * it need that, so nobody with a cookie gets a preview, and an address may ask for as many worlds
 * that have none as it may try codes. These are counted apart from codes that are typed: a browser
 * that comes for the first time asks as well. */
bool call_may_preview(struct call *call);
void call_previewed(struct call *call); /* there is such a world: it was no guess */

/* ---- What a request says ---- */

struct span call_address(const struct call *call);
uint64_t call_address_key(const struct call *call); /* for limits */
struct span call_cookie(const struct http_request *request);
struct span call_bearer(const struct http_request *request); /* null: none */
struct span call_token(const struct http_request *request);  /* the cookie, if there is no bearer */
json_t *call_given(const json_t *body, const char *name);    /* null counts as missing */

/* ---- routes_worlds.c, for those who make a world in another way ---- */

/* Refuses people who own too many worlds already. */
void call_count_worlds_then(struct call *call, call_step *next);
void call_on_created(void *arg, struct room *room, const struct room_failure *failure);

/* ---- The routes ---- */

call_step route_get_devices, route_post_link, route_post_claim, route_post_renew, route_post_logout;
call_step route_post_erase;
call_step route_post_session, route_get_session, route_patch_session, route_get_statistics,
    route_post_statistics_delete;
call_step route_get_invitation;
call_step route_post_push, route_post_push_end, route_post_call;
call_step route_get_games, route_post_world, route_get_worlds, route_get_world;
call_step route_post_join, route_post_leave, route_get_log, route_get_history, route_get_save,
    route_post_load;
call_step route_post_action, route_post_move;
call_step route_get_config, route_get_socket, route_post_auth;
call_step route_get_host, route_get_host_worlds, route_get_host_people;
call_step route_post_host_message, route_post_host_drain, route_post_host_ban;
/* Checks the form that every action has, before anybody is asked who they are. */
bool route_is_action(const json_t *body, struct refusal *why);

#endif
