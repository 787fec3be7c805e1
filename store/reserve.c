/* The reserve of reserve.h: a mapping of its own, so that giving it back makes room for any size.
 */
#define _DEFAULT_SOURCE
#include "store/reserve.h"

#include "engine/ensure.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* These belong to the whole program, like malloc's memory, which any of its parts may find used up.
 * Null if it is not set aside. */
static _Atomic(void *) kept;
static atomic_uint_fast64_t uses; /* how often it was needed */

bool reserve_is_whole(void) {
    if (atomic_load(&kept))
        return true;
    void *block =
        mmap(NULL, RESERVE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
        return false;
    atomic_store(&kept, block);
    return true;
}

uint64_t reserve_uses(void) {
    return atomic_load(&uses);
}

/* Another thread may have given it back first, and then there is room as well. */
static void give_back(void) {
    void *block = atomic_exchange(&kept, NULL);
    if (!block)
        return;
    munmap(block, RESERVE_SIZE);
    atomic_fetch_add(&uses, 1);
}

bool refuse_no_memory(struct refusal *why) {
    return refuse(why, "UNAVAILABLE", "Memory is short at the moment; nothing was done");
}

void *reserve_malloc(size_t size) {
    void *memory = malloc(size);
    if (!memory) {
        give_back();
        memory = malloc(size);
    }
    ensure(memory);
    return memory;
}

void *reserve_calloc(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (!memory) {
        give_back();
        memory = calloc(count, size);
    }
    ensure(memory);
    return memory;
}

void *reserve_realloc(void *memory, size_t size) {
    void *larger = realloc(memory, size);
    if (!larger) {
        give_back();
        larger = realloc(memory, size);
    }
    ensure(larger);
    return larger;
}

char *reserve_text(const char *text, size_t length) {
    char *copy = reserve_malloc(length + 1);
    if (length > 0)
        memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}
