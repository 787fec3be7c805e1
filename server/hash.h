/* uthash on memory that is never missing. */
#ifndef SERVER_HASH_H
#define SERVER_HASH_H

#include "store/reserve.h"
#define uthash_malloc(size) reserve_malloc(size)
#include <uthash.h>

#endif
