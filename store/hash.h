/* uthash with allocations that never fail (see reserve.h). */
#pragma once

#include "store/reserve.h"
#define uthash_malloc(size) reserve_malloc(size)
#include <uthash.h>
