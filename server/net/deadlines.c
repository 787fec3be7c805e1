/* See deadlines.h. */
#include "server/net/deadlines.h"

#include <stddef.h>

void deadlines_begin(struct deadlines *deadlines, int64_t now_ms) {
    *deadlines = (struct deadlines){.seen = now_ms / DEADLINES_STEP_MS};
}

void deadline_end(struct deadline *deadline) {
    if (!deadline->link)
        return;
    *deadline->link = deadline->next;
    if (deadline->next)
        deadline->next->link = deadline->link;
    deadline->link = NULL;
}

/* What is further away than the ring is long waits in its last list. */
static void file(struct deadlines *deadlines, struct deadline *deadline) {
    int64_t step = (deadline->due_ms + DEADLINES_STEP_MS - 1) / DEADLINES_STEP_MS;
    int64_t first = deadlines->seen + 1, last = deadlines->seen + DEADLINES_LISTS;
    step = step < first ? first : step > last ? last : step;
    if (deadline->link && deadline->step <= step)
        return;
    deadline_end(deadline);
    struct deadline **list = &deadlines->list[step % DEADLINES_LISTS];
    deadline->step = step;
    deadline->next = *list;
    deadline->link = list;
    if (*list)
        (*list)->link = &deadline->next;
    *list = deadline;
}

void deadline_set(struct deadlines *deadlines, struct deadline *deadline, int64_t due_ms) {
    deadline->due_ms = due_ms;
    if (due_ms > 0)
        file(deadlines, deadline);
}

struct deadline *deadlines_late(struct deadlines *deadlines, int64_t now_ms) {
    for (; deadlines->seen + 1 <= now_ms / DEADLINES_STEP_MS; deadlines->seen++) {
        struct deadline *deadline;
        while ((deadline = deadlines->list[(deadlines->seen + 1) % DEADLINES_LISTS])) {
            int64_t due_ms = deadline->due_ms;
            deadlines->looks++;
            deadline_end(deadline);
            if (due_ms > 0 && due_ms <= now_ms)
                return deadline;
            deadline_set(deadlines, deadline, due_ms);
        }
    }
    return NULL;
}
