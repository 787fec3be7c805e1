/* The people who are at a world's table: those who listen at this server, and those who do so
 * through other servers that share its store. Each server tells the others who listens there, now
 * and then and whenever it changes. It always tells the whole list, so that a message that was
 * missed does no harm. People who were not mentioned for too long are gone. */
#pragma once

#include "engine/text.h"

enum { LISTENER_ID_MAX = 39 };

/* A person at this server, with any number of windows. */
struct listener {
    char id[LISTENER_ID_MAX + 1];
    int peers;
    char *info; /* JSON */
};

struct remote_person {
    char *node, *id, *info; /* info is JSON */
    int64_t heard_ms;
};

struct remote_presence {
    struct remote_person *items;
    int count, room;
};

/* Called when somebody came who was nowhere else, or left who is nowhere else now. */
typedef void remote_presence_change(void *arg, const char *id, const char *info, bool there);

/* The list of one server: lines of an id, a space and the info. */
void remote_presence_take(struct remote_presence *others, struct span node, struct span list,
                          int64_t now_ms, remote_presence_change *change, void *arg);
/* Forgets those who were not mentioned since then. */
void remote_presence_expire(struct remote_presence *others, int64_t before_ms,
                            remote_presence_change *change, void *arg);
bool remote_presence_have(const struct remote_presence *others, const char *id);
void remote_presence_free(struct remote_presence *others);
