/* A malloc that fails when it is told to: linked into the programs of tests that try what becomes
 * of every single failure, so that each library is met as well. The file that OYSTER_HUNGER names
 * is shared with the test: two numbers of 64 bits, little-endian. The first counts down with each
 * call while it is positive; the call that brings it to zero fails. The second counts the calls
 * that failed. Only in builds with AddressSanitizer, whose own functions are called underneath. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

void *__interceptor_malloc(size_t size);
void *__interceptor_calloc(size_t count, size_t size);
void *__interceptor_realloc(void *memory, size_t size);
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *memory, size_t size);

struct hunger {
    _Atomic int64_t left;
    _Atomic int64_t failed;
};

static struct hunger *hunger; /* null before the program has begun */

__attribute__((constructor)) static void begin(void) {
    const char *name = getenv("OYSTER_HUNGER");
    int file = name ? open(name, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    void *shared = mmap(NULL, sizeof *hunger, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared != MAP_FAILED)
        hunger = shared;
}

static bool fails(void) {
    if (!hunger || atomic_load(&hunger->left) <= 0 || atomic_fetch_sub(&hunger->left, 1) != 1)
        return false;
    atomic_fetch_add(&hunger->failed, 1);
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size) {
    return fails() ? NULL : __interceptor_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return fails() ? NULL : __interceptor_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    return fails() ? NULL : __interceptor_realloc(memory, size);
}
