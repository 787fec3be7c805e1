/* Test support: a world on a virtual clock, and functions that tests are written with. */
#pragma once

#include "tests/support.h"
#include "tests/worlds.h"
#include "world/world.h"

#include <jansson.h>

enum { ROOM_BEGIN_MS = 1000000, ROOM_LOG_SIZE = 1 << 20 };

struct room {
    struct world world;
    int64_t now_ms;
    struct refusal why;
    struct world_news news;
    struct events events;
    char buffer[1 << 16];
    size_t log_length;
    char log[ROOM_LOG_SIZE]; /* the entries so far, a line each */
};

/* A world of that game, created and connected to by @ann, called Ann. */
void room_open(struct room *room, const char *game);
void room_open_seeded(struct room *room, const char *game, uint64_t seed);

/* "bob play AH": what a person does; "ann#7 start": with the actionId 7. */
enum world_answer room_act(struct room *room, const char *line);
/* Expects each of the lines to be done. */
void room_do(struct room *room, const char *lines);
/* Expects a refusal, and the world to be untouched, byte for byte. A null text matches any. */
void room_refuses(struct room *room, const char *line, const char *code, const char *text);
/* People of these ids join, called like their ids, and are connected. */
void room_join(struct room *room, const char *ids);
void room_connect(struct room *room, const char *id, bool connected);

/* An entry that is not anybody's action, such as an explicit deal: "- deal 9S ..." at this time. */
void room_fold(struct room *room, const char *words);

/* Adds the line of `news` to the log; for tests that change the world without these functions. */
void room_remember(struct room *room);

/* Sets the clock, forward or back; nothing is done. */
void room_now_is(struct room *room, int64_t now_ms);

/* Who's Deal? between ann, bob, cy and dee, with eve watching, and these cards: the queen of spades
 * is turned, bob begins. */
#define ROOM_WHOS_DEAL                                                                             \
    "- deal 9S KS AH 9D 10C / AS 10H QH AD 9C / JS 9H QD KD AC / 10S KH JD JC KC / QS JH 10D QC"
void room_open_four(struct room *room, const char *deal);

/* Makes the first move that is listed for this person, who is awaited. */
void room_move(struct room *room, const char *id);
/* Lets the first person who looks at a round's result go on; false if there is none. */
bool room_look_no_longer(struct room *room);
/* Lets somebody go on from a result, or the first awaited person move, or else does what is due
 * next. */
void room_go_on(struct room *room);

/* Does what is due next, at its time, if that is not later than `until_ms`. */
bool room_step(struct room *room, int64_t until_ms);
/* Lets this much time pass; returns how many entries there were. */
int room_pass(struct room *room, int64_t ms);
/* Lets time pass until everything has happened that happens by itself, up to a limit for games that
 * go on for ever. */
void room_settle(struct room *room);

/* Who sits where: ids; `*` behind one whom a bot plays for, `_` open, `x` closed. */
const char *room_seats(const struct room *room);

/* The entry last written, without its time. */
const char *room_last(const struct room *room);

const struct event *room_event(const struct room *room, const char *type);
/* Expects the last entry to have told this; a null data matches any. */
void room_told(const struct room *room, const char *type, const char *data);

/* The world as JSON, to be released with json_decref. */
json_t *room_view(struct room *room, const char *id);
/* One member of it, a path such as "seats.0.name", as text: strings plainly, the rest as JSON. */
const char *room_shows(struct room *room, const char *id, const char *path);

/* The record that everybody may read; valid until the next call. */
const char *room_export(struct room *room);

/* What was told before, as this person may know it, an entry a line; valid until the next call. */
const char *room_history(struct room *room, const char *id);

/* Expects a fold of the log to give this world. */
void room_folds(const struct room *room);
