/* Memory that is given back all at once. It holds a request and its answer. */
#pragma once

#include "engine/text.h"

struct arena_chunk;

struct arena {
    struct arena_chunk *chunks; /* the newest first */
    size_t used;                /* bytes handed out */
};

/* Zeroed and aligned for everything. Never null: without memory the program ends. */
void *arena_take(struct arena *arena, size_t size);

/* Copies the span into the arena; an empty span gives an empty one. */
struct span arena_span(struct arena *arena, struct span span);

/* Gives back everything that was taken, but keeps one chunk for the next time. */
void arena_reset(struct arena *arena);
void arena_free(struct arena *arena);
