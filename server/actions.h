/* From JSON to notation: the body of `POST /api/game/action` becomes the words that a world
 * understands. One table per game says which type is which verb and how its payload is written; to
 * add a game's actions, add rows.
 *
 * Only the form is judged here: a field of the wrong type is refused with its name. Whether
 * somebody may do a thing, and whether a rule allows it, is said by the world, in its order; so
 * what has the right form but no meaning (a card, a player that does not exist) is written as a
 * word that no rule accepts. A string never becomes more than one word. */
#ifndef SERVER_ACTIONS_H
#define SERVER_ACTIONS_H

#include "world/world.h"
#include <jansson.h>

enum {
    ACTIONS_WORDS_SIZE = 2049, /* room for all that world_act takes */
    ACTIONS_ID_MAX = 64        /* characters of an actionId */
};

/* Which world is meant: `roomCode`, or its alias `gameId`. */
bool actions_room_code(const json_t *body, struct span *code, struct refusal *why);

/* The `actionId`; an empty span if there is none. */
bool actions_action_id(const json_t *body, struct span *id, struct refusal *why);

/* Appends the words of `{type, payload?}` or of `{move}`; a body that has both, as an entry of
 * `view.legal` does, is read by its `move`. False: refused, and the words mean nothing. */
bool actions_read(const struct world *world, struct span player_id, const json_t *body,
                  struct text *words, struct refusal *why);

/* HT-11, HT-12: the words of `/teams/{id}/books/open/{numeric_value}/{cards}` and
 * `/teams/{id}/books/close/{book_id}`. A 404 means that the path is neither. */
bool actions_read_book_route(const struct world *world, struct span player_id, struct span path,
                             struct text *words, struct refusal *why);

#endif
