/* Deadlines of many: who is late is found without a look at those who are not. A ring of lists,
 * each for a step of time. A deadline that is moved to a later time stays in its list, and is filed
 * anew when that list's time comes, so that moving it costs nothing. There is no clock in it. */
#pragma once

#include <stdint.h>

enum { DEADLINES_STEP_MS = 250, DEADLINES_LISTS = 512 };

/* All zero: none. */
struct deadline {
    struct deadline *next, **link; /* where it is linked; null if it is in no list */
    int64_t step;                  /* when that list's time comes, in steps */
    int64_t due_ms;                /* 0: never */
};

struct deadlines {
    int64_t seen;   /* the last step whose list is done */
    uint64_t looks; /* how many deadlines were looked at, for a test */
    struct deadline *list[DEADLINES_LISTS];
};

void deadlines_begin(struct deadlines *deadlines, int64_t now_ms);

/* When it is due, at any time from 1 on. 0: never. */
void deadline_set(struct deadlines *deadlines, struct deadline *deadline, int64_t due_ms);

/* One that is due by now, at most a step after it was; it is not found again until it is set. Null
 * if nobody is late. */
struct deadline *deadlines_late(struct deadlines *deadlines, int64_t now_ms);

/* To be called before its memory goes. */
void deadline_end(struct deadline *deadline);
