/* The arena of arena.h: chunks that are filled from the front, each larger than the one before. */
#include "store/arena.h"

#include "store/reserve.h"
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

/* The first chunk suffices for a usual job, and is small enough for malloc's quick lists. */
enum { CHUNK_MIN = 960, CHUNK_MAX = 64 * 1024 };

struct arena_chunk {
    struct arena_chunk *next;
    size_t size, used;
    alignas(max_align_t) char data[];
};

static struct arena_chunk *chunk_add(struct arena *arena, size_t size) {
    size_t usual = arena->chunks ? 4 * arena->chunks->size : CHUNK_MIN;
    usual = usual < CHUNK_MAX ? usual : CHUNK_MAX;
    if (size < usual)
        size = usual;
    struct arena_chunk *chunk = reserve_malloc(sizeof *chunk + size);
    *chunk = (struct arena_chunk){.next = arena->chunks, .size = size};
    arena->chunks = chunk;
    return chunk;
}

void *arena_take(struct arena *arena, size_t size) {
    const size_t step = alignof(max_align_t);
    size = (size + step - 1) / step * step;
    struct arena_chunk *chunk = arena->chunks;
    if (!chunk || chunk->size - chunk->used < size)
        chunk = chunk_add(arena, size);
    void *data = chunk->data + chunk->used;
    chunk->used += size;
    arena->used += size;
    return memset(data, 0, size);
}

struct span arena_span(struct arena *arena, struct span span) {
    if (span.length == 0)
        return (struct span){"", 0};
    return (struct span){memcpy(arena_take(arena, span.length), span.data, span.length),
                         span.length};
}

void arena_free(struct arena *arena) {
    while (arena->chunks) {
        struct arena_chunk *next = arena->chunks->next;
        free(arena->chunks);
        arena->chunks = next;
    }
    *arena = (struct arena){0};
}

void arena_reset(struct arena *arena) {
    struct arena_chunk *kept = arena->chunks;
    if (kept && kept->size <= CHUNK_MAX) {
        arena->chunks = kept->next;
        arena_free(arena);
        kept->next = NULL;
        kept->used = 0;
        arena->chunks = kept;
    } else {
        arena_free(arena);
    }
}
