/* See others.h. A list is short: the people of one world. */
#include "server/others.h"

#include "store/reserve.h"
#include <stdlib.h>
#include <string.h>

enum { OTHERS_MAX = 256 };

bool others_have(const struct others *others, const char *id) {
    for (int i = 0; i < others->count; i++)
        if (strcmp(others->items[i].id, id) == 0)
            return true;
    return false;
}

static char *keep(struct span text) {
    return reserve_text(text.data, text.length);
}

static struct other *find(struct others *others, struct span node, struct span id) {
    for (int i = 0; i < others->count; i++)
        if (span_is(node, others->items[i].node) && span_is(id, others->items[i].id))
            return &others->items[i];
    return NULL;
}

static void add(struct others *others, struct span node, struct span id, struct span info,
                int64_t now_ms, others_change *change, void *arg) {
    struct other *other = find(others, node, id);
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
    struct other fresh = {keep(node), keep(id), keep(info), now_ms};
    bool first = !others_have(others, fresh.id);
    others->items[others->count++] = fresh;
    if (first)
        change(arg, fresh.id, fresh.info, true);
}

static void drop(struct others *others, int at, others_change *change, void *arg) {
    struct other gone = others->items[at];
    others->items[at] = others->items[--others->count];
    if (change && !others_have(others, gone.id))
        change(arg, gone.id, gone.info, false);
    free(gone.node);
    free(gone.id);
    free(gone.info);
}

static bool next_line(struct span *rest, struct span *line) {
    if (rest->length == 0)
        return false;
    const char *end = memchr(rest->data, '\n', rest->length);
    line->data = rest->data;
    line->length = end ? (size_t)(end - rest->data) : rest->length;
    size_t used = line->length + (end ? 1 : 0);
    *rest = (struct span){rest->data + used, rest->length - used};
    return true;
}

void others_take(struct others *others, struct span node, struct span list, int64_t now_ms,
                 others_change *change, void *arg) {
    struct span line;
    for (int i = 0; i < others->count; i++)
        if (span_is(node, others->items[i].node))
            others->items[i].heard_ms = INT64_MIN;
    while (next_line(&list, &line)) {
        const char *space = memchr(line.data, ' ', line.length);
        size_t length = space ? (size_t)(space - line.data) : 0;
        if (length > 0)
            add(others, node, (struct span){line.data, length},
                (struct span){space + 1, line.length - length - 1}, now_ms, change, arg);
    }
    others_expire(others, INT64_MIN + 1, change, arg);
}

void others_expire(struct others *others, int64_t before_ms, others_change *change, void *arg) {
    for (int i = others->count - 1; i >= 0; i--)
        if (others->items[i].heard_ms < before_ms)
            drop(others, i, change, arg);
}

void others_free(struct others *others) {
    while (others->count > 0)
        drop(others, 0, NULL, NULL);
    free(others->items);
    *others = (struct others){0};
}
