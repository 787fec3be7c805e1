/* From JSON to notation: the body of `POST /api/game/action` becomes the words that a world
 * understands. The verbs of the game and of the lobby say which type is which word and how its
 * payload is written.
 *
 * Only the form is judged here: a field of the wrong type is refused with its name. Whether
 * somebody may do a thing, and whether a rule allows it, is said by the world, in its order; so
 * what has the right form but no meaning (a card, a player that does not exist) is written as a
 * word that no rule accepts. A string never becomes more than one word. */
#pragma once

#include "world/world.h"
#include <jansson.h>

enum {
    ACTIONS_WORDS_SIZE = WORLD_WORDS_MAX + 1,
    ACTIONS_ID_MAX = 64 /* characters of an actionId */
};

/* Kinds of arguments that only the lobby's verbs have. */
enum {
    FIELD_WORD = ARGUMENT_KINDS, /* a string without blanks */
    FIELD_TEXT,                  /* something to say */
    FIELD_NAME,     /* what somebody or something is called; empty: nothing is written */
    FIELD_PLAYER,   /* a player's id as it is */
    FIELD_SEAT_OF,  /* a player's id, written as the seat */
    FIELD_SETTING,  /* written as key=value */
    FIELD_SETTINGS, /* the whole payload but for the other fields, written so */
    FIELD_TEAMS     /* ids by team, written as an order of seats */
};

/* What every world understands, besides the moves of its game. */
extern const struct verb lobby_verbs[];
extern const size_t lobby_verb_count;

/* Which world is meant: `roomCode`, or its alias `gameId`. */
bool actions_room_code(const json_t *body, struct span *code, struct refusal *why);

/* The `actionId`; an empty span if there is none. */
bool actions_action_id(const json_t *body, struct span *id, struct refusal *why);

/* Appends the words of `{type, payload?}` or of `{move}`. A body that has both, as an entry of
 * `view.legal` does, is read by its `move`. If the result is false, the words mean nothing. */
bool actions_read(const struct world *world, const json_t *body, struct text *words,
                  struct refusal *why);

/* Is this the address of a move of any game (`address` in engine/verb.h)? */
bool actions_is_address(struct span path);
/* Appends the words of the move of this world's game that has this address. */
bool actions_read_address(const struct world *world, struct span player_id, struct span path,
                          struct text *words, struct refusal *why);
