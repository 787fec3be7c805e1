/* What `oyster play` says in words of what the others did, where the game itself has no message for
 * it. */
#ifndef CLI_CAPTIONS_H
#define CLI_CAPTIONS_H

#include "engine/game.h"

/* Who is at the table: their names by seat, and the seat of the person who reads. */
struct captions_table {
    const struct game *game;
    const char *const *names;
    int reader;
};

/* Writes a move: "Jellybot plays KH". What is secret of it is left out. */
void caption_move(const struct captions_table *table, int seat, const struct move *move,
                  struct text *out);

/* Writes what an event tells beside the move that led to it, such as who took a trick; nothing for
 * most events, and for those that the reader does not hear of. */
void caption_event(const struct captions_table *table, const struct event *event, struct text *out);

#endif
