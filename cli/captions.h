/* What happens at a table in words, by the game's rows (engine/caption.h): "Jellybot orders up
 * hearts." The page says the same. */
#pragma once

#include "engine/game.h"
#include <stdio.h>

enum { CAPTIONS_REMEMBERED_MAX = 4 };

/* Who is at the table: their names by seat, and who reads, a seat or SPECTATOR. The rest begins
 * empty. */
struct captions {
    const struct game *game;
    const char *const *names;
    int reader;
    struct {
        const char *name;
        int32_t number;
    } remembered[CAPTIONS_REMEMBERED_MAX];
};

/* Writes a line for each event of a move or a deal that the reader hears of and that has a row or,
 * without one, a message. False if there was none. */
bool captions_tell(struct captions *captions, const struct events *events, const char *indent,
                   FILE *out);
