/* Memory that is given back all at once: what the requests of a batch and their answers need. */
#ifndef STORE_ARENA_H
#define STORE_ARENA_H

#include "engine/text.h"

struct arena_chunk;

struct arena {
    struct arena_chunk *chunks; /* the newest first */
    size_t used;                /* bytes handed out */
};

/* Zeroed and aligned for everything. Never null: without memory the program ends. */
void *arena_take(struct arena *arena, size_t size);

/* A copy; also of an empty span. */
struct span arena_span(struct arena *arena, struct span span);

/* Everything that was taken is gone. Keeps one chunk for the next time. */
void arena_reset(struct arena *arena);
void arena_free(struct arena *arena);

#endif
