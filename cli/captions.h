/* What `oyster play` says in words, as the page does: what is asked of the person, and what the
 * others did where the game itself has no message for it. */
#ifndef CLI_CAPTIONS_H
#define CLI_CAPTIONS_H

#include "engine/game.h"

/* Who is at the table: their names by seat, and the seat of the person who reads. */
struct captions_table {
    const struct game *game;
    const char *const *names;
    int reader;
};

/* Writes what the person whose turn it is can do: "Your call: order it up, or pass". */
void caption_hint(const struct captions_table *table, const struct game_state *state,
                  struct text *out);

/* Writes a move: "Jellybot plays KH". `words` is the move as that person may read it. */
void caption_move(const struct captions_table *table, int seat, const char *words,
                  struct text *out);

/* Writes what an event tells beside the move that led to it, such as who took a trick; nothing for
 * most events. */
void caption_event(const struct captions_table *table, const struct event *event, struct text *out);

#endif
