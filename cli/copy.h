/* Copies worlds from one store to another, by folding their logs and appending them as a server
 * did: so the copy has all that a server's own store would have, whatever kind of store it is.
 *
 * A world that is there already is gone on with. So a copy that was interrupted is begun anew and
 * finds what is missing. */
#pragma once

#include "cli/whole_store.h"
#include "world/world.h"

struct copy {
    struct store *from, *to;
    bool whole;    /* due times and archives too, and worlds that cannot be folded, line by line */
    bool failed;   /* the store cannot be written to: nothing more is tried */
    size_t copied; /* worlds with something new ... */
    size_t lines;  /* ... and their lines */
    int waiting;   /* appends that were not committed */
    struct refusal why; /* of a world, or of the failure */
};

/* The world, which the other store may `have` already, or null. False: it stays as it is, and why;
 * `version` is up to where it was read. With copy->whole a world that does not fold is copied all
 * the same: then the answer is true, and copy->why has a text. */
bool copy_world(struct copy *copy, const struct whole_world *row, const struct whole_world *have,
                int64_t *version);
/* All that was asked for is done when this returns; false if something failed. */
bool copy_finish(struct copy *copy);

/* People with names, tokens and what they played in worlds that are gone. */
bool copy_people(struct copy *copy, const struct whole_store *whole);
