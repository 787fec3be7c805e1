/* uthash with allocations that never fail (see reserve.h). */
#ifndef STORE_HASH_H
#define STORE_HASH_H

#include "store/reserve.h"
#define uthash_malloc(size) reserve_malloc(size)
#include <uthash.h>

#endif
