/* Memory for what can no longer be refused. Most of the server's allocations stand between an
 * accepted request and its answer: an entry is in the store, and somebody has to be told. Such
 * memory must be there. So some is set aside; when malloc fails it is given back and malloc is
 * called once more. Until as much could be set aside again, no new work is accepted
 * (UNAVAILABLE).
 *
 * What comes from outside and can be refused on its own (a body, a log, a world to be loaded) calls
 * malloc itself and refuses when there is none. docs/decisions/0008-memory.md has the reasons. */
#pragma once

#include "engine/refusal.h"
#include <stdint.h>

enum { RESERVE_SIZE = 32 << 20 }; /* of address space: it is never touched */

/* May new work be accepted? If the reserve is not there, tries to set it aside, as it does at the
 * beginning. To be called on the loop's thread. */
bool reserve_is_whole(void);
/* How often the reserve was given back. */
uint64_t reserve_uses(void);

/* The refusal for lack of memory: UNAVAILABLE, and nothing was done. */
bool refuse_no_memory(struct refusal *why);

/* Never null, from any thread. If even the reserve is used up the program ends: what it
 * acknowledged is in the store. */
void *reserve_malloc(size_t size);
void *reserve_calloc(size_t count, size_t size);
void *reserve_realloc(void *memory, size_t size);
/* A copy with a zero at its end. */
char *reserve_text(const char *text, size_t length);
