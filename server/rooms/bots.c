/* Bots think on libuv's threads, a few at a time; the others wait for their turn. */
#include "server/rooms/internal.h"

#include "engine/ensure.h"
#include "store/reserve.h"
#include <stdlib.h>
#include <utlist.h>

struct task {
    uv_work_t work;
    struct room *room;
    uint64_t ns;
    struct world_task task;
};

/* Bots that search think a few milliseconds; on a machine that is too busy for that they end with
 * the best so far. */
static const uint64_t think_ns_max = 100 * 1000000;

static bool is_late(void *clock) {
    return uv_hrtime() >= *(const uint64_t *)clock;
}

static void think(uv_work_t *work) {
    struct task *task = (struct task *)work;
    uint64_t begin = uv_hrtime(), end = begin + think_ns_max;
    task->task.budget.is_late = is_late;
    task->task.budget.clock = &end;
    world_task_run(&task->task);
    task->ns = uv_hrtime() - begin;
}

static void keep_spare(struct rooms *rooms, struct task *task) {
    if (rooms->spare)
        free(task);
    else
        rooms->spare = task;
}

void room_leave_queue(struct room *room) {
    if (room->queued)
        DL_DELETE(room->rooms->queue, room);
    room->queued = false;
}

static void begin_thinking(struct room *room);

/* Bots that wait come before the one that has just moved. */
static void thought(uv_work_t *work, int status) {
    struct task *task = (struct task *)work;
    struct room *room = task->room;
    struct rooms *rooms = room->rooms;
    enum world_answer answer;
    rooms->thinking--;
    rooms->figures.bot_ns += task->ns;
    room_step(room, &(struct replica_event){
                        .kind = REPLICA_THOUGHT, .task = &task->task, .answer = &answer});
    rooms->figures.bot_moves += answer == WORLD_DONE;
    keep_spare(rooms, task);
    while (rooms->queue && rooms->thinking < rooms->config.bot_threads && !rooms->closing) {
        struct room *next = rooms->queue;
        room_leave_queue(next);
        begin_thinking(next);
    }
}

static void begin_thinking(struct room *room) {
    struct rooms *rooms = room->rooms;
    struct task *task = rooms->spare ? rooms->spare : reserve_malloc(sizeof *task);
    enum world_answer answer;
    rooms->spare = NULL;
    task->room = room;
    room_step(room, &(struct replica_event){
                        .kind = REPLICA_THREAD, .task = &task->task, .answer = &answer});
    if (answer == WORLD_DONE) {
        rooms->thinking++;
        ensure(uv_queue_work(rooms->config.loop, &task->work, think, thought) == 0);
    } else {
        keep_spare(rooms, task);
    }
}

void room_let_think(struct room *room) {
    struct rooms *rooms = room->rooms;
    if (rooms->thinking < rooms->config.bot_threads) {
        begin_thinking(room);
    } else if (!room->queued) {
        room->queued = true;
        DL_APPEND(rooms->queue, room);
    }
}
