/* EGN, Euchre Game Notation: the JSON format of github.com/NextSuit-Labs/euchre-game-notation
 * (schema family 1.6; 1.0 to 1.5 are read too), to and from `.oyster` records of Who's Deal?.
 *
 * A file is read into a struct egn_file (egn_read.c), whose deals may have unknown cards;
 * egn_fill.c finds cards for them with which the rules accept the record; egn.c writes the moves.
 * The other way, egn.c replays a record into a struct egn_file, and egn_write.c makes JSON of it.
 *
 * Seats: our first dealer is always seat 0, EGN's may be any. EGN's seat e is our seat
 * (e - first dealer) modulo 4. What a record cannot hold (that number, titles, comments on moves,
 * ids of players) stands in a comment of the record, `# egn {...}`, so that a game comes back as it
 * was. */
#pragma once

#include "engine/text.h"

enum { EGN_ERROR_SIZE = 320 };

enum egn_fault { EGN_BAD_FILE, EGN_WRONG_MOVE };

/* Why a file is refused, for people and for the program. */
struct egn_error {
    enum egn_fault fault;
    char text[EGN_ERROR_SIZE];
};

/* Does the file begin as JSON does? */
bool egn_is_json(struct span file);

/* The `.oyster` text of an EGN file, for the caller to free; null with an error. A record that
 * contradicts itself or the rules is refused with the number of the deal and of the trick. */
char *egn_to_record(struct span file, struct egn_error *error);

/* The EGN text of a record of Who's Deal?, for the caller to free; null with an error. */
char *egn_from_record(struct span file, struct egn_error *error);
