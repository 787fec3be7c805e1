/* One more line for a world in a store, as a turn of the event loop brings them. Both stores are
 * measured by it. */
#pragma once

#include "store/store.h"
#include <stdio.h>

/* Appends to the world of that number, which has `entries` lines. False if the store does not take
 * it. */
static inline bool append_next(struct store *store, int world, int64_t *version, int64_t tick,
                               struct span line, store_callback *done, void *arg) {
    static const struct store_summary summary = {.game = {"hand-and-foot", 13},
                                                 .owner = {"ann", 3},
                                                 .text = {"{}", 2},
                                                 .status = STORE_PLAYING};
    char code[8];
    snprintf(code, sizeof code, "W%05d", world);
    struct store_append append = {.code = span_of(code),
                                  .expected_version = *version,
                                  .entries = &line,
                                  .count = 1,
                                  .now_ms = 1731658004711 + tick,
                                  .due_ms = 1731658005711 + tick,
                                  .summary = *version == 0 ? &summary : NULL};
    ++*version;
    return store_append(store, &append, done, arg, NULL);
}
