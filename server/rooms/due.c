/* When each world wants to be looked at: a heap of due times, and one timer for the first. */
#include "server/rooms/internal.h"
#include "store/reserve.h"

enum { AGAIN_MS = 2 };

/* ---- The heap of due times ---- */

static void heap_put(struct rooms *rooms, int at, struct room *room) {
    rooms->heap[at] = room;
    room->heap_at = at;
}

static void heap_up(struct rooms *rooms, int at) {
    struct room *room = rooms->heap[at];
    while (at > 0 && rooms->heap[(at - 1) / 2]->due_ms > room->due_ms) {
        heap_put(rooms, at, rooms->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    heap_put(rooms, at, room);
}

static void heap_down(struct rooms *rooms, int at) {
    struct room *room = rooms->heap[at];
    for (int child; (child = 2 * at + 1) < rooms->heap_count; at = child) {
        if (child + 1 < rooms->heap_count &&
            rooms->heap[child + 1]->due_ms < rooms->heap[child]->due_ms)
            child++;
        if (rooms->heap[child]->due_ms >= room->due_ms)
            break;
        heap_put(rooms, at, rooms->heap[child]);
    }
    heap_put(rooms, at, room);
}

void room_never_due(struct room *room) {
    struct rooms *rooms = room->rooms;
    int at = room->heap_at;
    if (at < 0)
        return;
    struct room *last = rooms->heap[--rooms->heap_count];
    room->heap_at = -1;
    if (last == room)
        return;
    heap_put(rooms, at, last);
    heap_up(rooms, at);
    heap_down(rooms, last->heap_at);
}

static void heap_add(struct room *room) {
    struct rooms *rooms = room->rooms;
    if (rooms->heap_count == rooms->heap_room) {
        rooms->heap_room = rooms->heap_room ? 2 * rooms->heap_room : 64;
        rooms->heap = reserve_realloc(rooms->heap, (size_t)rooms->heap_room * sizeof *rooms->heap);
    }
    rooms->heap[rooms->heap_count++] = room;
    heap_up(rooms, rooms->heap_count - 1);
}

static void on_timer(uv_timer_t *timer);

static void set_timer(struct rooms *rooms) {
    if (rooms->closing)
        return;
    if (rooms->heap_count == 0) {
        uv_timer_stop(&rooms->timer);
        return;
    }
    int64_t wait = rooms->heap[0]->due_ms - rooms_now(rooms);
    /* The timer waits at least 1 ms: otherwise the loop would run timers and nothing else. */
    uv_timer_start(&rooms->timer, on_timer, wait > 1 ? (uint64_t)wait : 1, 0);
}

void room_set_due(struct room *room, int64_t due_ms) {
    room_never_due(room);
    room->due_ms = due_ms;
    if (due_ms != INT64_MAX)
        heap_add(room);
    set_timer(room->rooms);
}

static void on_timer(uv_timer_t *timer) {
    struct rooms *rooms = timer->data;
    int64_t now = rooms_now(rooms);
    for (int i = 0; i < 256 && rooms->heap_count > 0 && rooms->heap[0]->due_ms <= now; i++) {
        struct room *room = rooms->heap[0];
        room_hold(room);
        room_tick(room);
        if (room->heap_at == 0 && room->due_ms <= now)
            room_set_due(room, now + AGAIN_MS); /* nothing came of it */
        room_release(room);
    }
    set_timer(rooms);
}
