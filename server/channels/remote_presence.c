/* See remote_presence.h. A list is short: the people of one world. */
#include "server/channels/remote_presence.h"

#include "store/reserve.h"
#include <stdlib.h>
#include <string.h>

enum { OTHERS_MAX = 256 };

bool remote_presence_have(const struct remote_presence *others, const char *id) {
    for (int i = 0; i < others->count; i++)
        if (strcmp(others->items[i].id, id) == 0)
            return true;
    return false;
}

static char *keep(struct span text) {
    return reserve_text(text.data, text.length);
}

static struct remote_person *find(struct remote_presence *others, struct span node,
                                  struct span id) {
    for (int i = 0; i < others->count; i++)
        if (span_is(node, others->items[i].node) && span_is(id, others->items[i].id))
            return &others->items[i];
    return NULL;
}

static void add(struct remote_presence *others, struct span node, struct span id, struct span info,
                int64_t now_ms, remote_presence_change *change, void *arg) {
    struct remote_person *other = find(others, node, id);
    if (other) {
        other->heard_ms = now_ms;
        return;
    }
    if (others->count == OTHERS_MAX)
        return;
    if (others->count == others->room) {
        others->room = others->room ? 2 * others->room : 4;
        others->items =
            reserve_realloc(others->items, (size_t)others->room * sizeof *others->items);
    }
    struct remote_person fresh = {keep(node), keep(id), keep(info), now_ms};
    bool first = !remote_presence_have(others, fresh.id);
    others->items[others->count++] = fresh;
    if (first)
        change(arg, fresh.id, fresh.info, true);
}

static void drop(struct remote_presence *others, int at, remote_presence_change *change,
                 void *arg) {
    struct remote_person gone = others->items[at];
    others->items[at] = others->items[--others->count];
    if (change && !remote_presence_have(others, gone.id))
        change(arg, gone.id, gone.info, false);
    free(gone.node);
    free(gone.id);
    free(gone.info);
}

void remote_presence_take(struct remote_presence *others, struct span node, struct span list,
                          int64_t now_ms, remote_presence_change *change, void *arg) {
    for (int i = 0; i < others->count; i++)
        if (span_is(node, others->items[i].node))
            others->items[i].heard_ms = INT64_MIN;
    while (list.length > 0) {
        struct span info = span_take_until(&list, '\n'), id = span_take_until(&info, ' ');
        if (id.length > 0 && info.length > 0)
            add(others, node, id, info, now_ms, change, arg);
    }
    remote_presence_expire(others, INT64_MIN + 1, change, arg);
}

void remote_presence_expire(struct remote_presence *others, int64_t before_ms,
                            remote_presence_change *change, void *arg) {
    for (int i = others->count - 1; i >= 0; i--)
        if (others->items[i].heard_ms < before_ms)
            drop(others, i, change, arg);
}

void remote_presence_free(struct remote_presence *others) {
    while (others->count > 0)
        drop(others, 0, NULL, NULL);
    free(others->items);
    *others = (struct remote_presence){0};
}
