/* A whole store, read through store.h: its worlds and its people, in an order that does not depend
 * on how they are kept. What backup, restore, move, check and stats have in common. */
#pragma once

#include "store/store.h"

/* A world, as the walk found it. */
struct whole_world {
    char code[STORE_CODE_MAX + 1];
    char game[STORE_WORD_MAX + 1];
    enum store_status status;
    int64_t place, version, archived_ms, games;
    bool is_archived;
    char *members;   /* a line for each id */
    char *forgotten; /* a line for each seat for which a game no longer counts (store.h) */
};

struct whole_person {
    char id[STORE_ID_MAX + 1], name[STORE_NAME_MAX + 1];
    int64_t created_ms, seen_ms;
    char *devices; /* a line for each */
};

struct whole_store {
    struct whole_world *worlds; /* the oldest first */
    size_t world_count, world_room;
    struct whole_world **by_code; /* made when it is asked for */
    struct whole_person *people;  /* by their ids */
    size_t person_count, person_room;
    int64_t bytes;
    /* Called with each thing that is wrong; null: nobody looks for it. */
    void (*problem)(void *arg, struct span text);
    void *arg;
    bool failed;
    struct refusal why;
};

/* What STORE on a command line means: a path, sqlite:PATH, redis://... or unix:///... */
const char *whole_store_where(const char *words);
/* Is it an SQLite file? */
bool whole_store_is_file(const char *words);

/* Opens it; it must be there, unless `is_new`. What is read of a file is as of one moment. Null
 * with the reason. */
struct store *whole_store_open(const char *words, bool is_new, struct refusal *why);

/* Reads which worlds there are, or which people. False with the reason in `why`. */
bool whole_store_read_worlds(struct store *store, struct whole_store *whole);
bool whole_store_read_people(struct store *store, struct whole_store *whole);

const struct whole_world *whole_store_world(struct whole_store *whole, const char *code);
bool whole_store_knows(const struct whole_store *whole, const char *id);
void whole_store_free(struct whole_store *whole);

/* Tells now and then on standard error how far it is. */
struct progress {
    const char *what;
    size_t all;
    int64_t told_s;
};
void progress_tell(struct progress *progress, size_t done);

/* A copy of the text, which the caller frees. */
char *whole_store_lines(struct span text);
