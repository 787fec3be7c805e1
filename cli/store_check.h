/* Reads all of a store and says what is wrong with it. */
#pragma once

#include "store/store.h"

struct check {
    size_t worlds, people;
    int64_t entries;
    size_t problems;
    bool failed; /* it could not be read to its end, which was said */
};

/* Prints a line for each thing that is wrong. */
struct check check_store(struct store *store);
