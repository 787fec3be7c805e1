/* FNV-1a with 64 bits: for telling states, logs and texts apart, not for secrets. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

/* The hash of what came before, beginning with HASH_START, and of these bytes. */
static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    const uint8_t *at = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}
