/* Bots think on libuv's threads, a few at a time; the others wait for their turn. Worlds share the
 * threads equally (start-time fair queueing): the bot comes next whose world has had them for the
 * shortest time. A world that has not used them for a while gets no more for that: it begins where
 * those are that are being served. So many tables of bots that play at once, without a pause, do
 * not hold up a table where a bot moves now and then. */
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

/* The thread is free only after the bot's next move has been put into the queue: others who wait
 * come before it. */
static void thought(uv_work_t *work, int status) {
    struct task *task = (struct task *)work;
    struct room *room = task->room;
    struct rooms *rooms = room->rooms;
    enum world_answer answer;
    rooms->figures.bot_ns += task->ns;
    room->thought_ns += task->ns;
    room_step(room, &(struct replica_event){
                        .kind = REPLICA_THOUGHT, .task = &task->task, .answer = &answer});
    rooms->figures.bot_moves += answer == WORLD_DONE;
    keep_spare(rooms, task);
    rooms->thinking--;
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
    rooms->served_ns = room->thought_ns;
    room_step(room, &(struct replica_event){
                        .kind = REPLICA_THREAD, .task = &task->task, .answer = &answer});
    if (answer == WORLD_DONE) {
        rooms->thinking++;
        ensure(uv_queue_work(rooms->config.loop, &task->work, think, thought) == 0);
    } else {
        keep_spare(rooms, task);
    }
}

/* Behind all who had the threads no longer; most that come belong at the end. */
static void enter_queue(struct room *room) {
    struct room **queue = &room->rooms->queue, *before = *queue ? (*queue)->prev : NULL;
    while (before && before->thought_ns > room->thought_ns)
        before = before == *queue ? NULL : before->prev;
    room->queued = true;
    DL_APPEND_ELEM(*queue, before, room);
}

void room_let_think(struct room *room) {
    struct rooms *rooms = room->rooms;
    if (room->thought_ns < rooms->served_ns)
        room->thought_ns = rooms->served_ns;
    if (rooms->thinking < rooms->config.bot_threads)
        begin_thinking(room);
    else if (!room->queued)
        enter_queue(room);
}
