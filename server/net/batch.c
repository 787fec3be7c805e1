/* See batch.h. Without liburing there are no batches, and each send is a call of its own. */
#include "server/net/batch.h"

#include "engine/ensure.h"
#include "store/reserve.h"
#include <errno.h>
#include <stdlib.h>

#ifdef OYSTER_URING
#include <liburing.h>

struct batch {
    struct io_uring ring;
    struct msghdr messages[BATCH_MAX];
};

static bool open_ring(struct io_uring *ring) {
    /* One thread submits and also collects the results, which lets newer kernels do less. */
    struct io_uring_params ours = {.flags =
                                       IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN};
    if (io_uring_queue_init_params(BATCH_MAX, ring, &ours) != 0 &&
        io_uring_queue_init(BATCH_MAX, ring, 0) != 0)
        return false;
    struct io_uring_probe *probe = io_uring_get_probe_ring(ring);
    bool can = probe && io_uring_opcode_supported(probe, IORING_OP_SENDMSG);
    io_uring_free_probe(probe);
    if (!can)
        io_uring_queue_exit(ring);
    return can;
}

struct batch *batch_open(void) {
    struct batch *batch = reserve_calloc(1, sizeof *batch);
    if (open_ring(&batch->ring))
        return batch;
    free(batch);
    return NULL;
}

void batch_close(struct batch *batch) {
    if (!batch)
        return;
    io_uring_queue_exit(&batch->ring);
    free(batch);
}

static void submit(struct batch *batch, struct batch_send *sends, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        struct io_uring_sqe *entry = io_uring_get_sqe(&batch->ring);
        ensure(entry != NULL);
        batch->messages[i] =
            (struct msghdr){.msg_iov = sends[i].parts, .msg_iovlen = sends[i].count};
        /* Without waiting, a send is complete once it is submitted. */
        io_uring_prep_sendmsg(entry, sends[i].file, &batch->messages[i],
                              MSG_DONTWAIT | MSG_NOSIGNAL);
        io_uring_sqe_set_data(entry, &sends[i]);
        sends[i].sent = -EAGAIN;
    }
}

/* Returns how many sends are complete. */
static unsigned take_results(struct batch *batch) {
    struct io_uring_cqe *entry;
    unsigned head, count = 0;
    io_uring_for_each_cqe(&batch->ring, head, entry) {
        ((struct batch_send *)io_uring_cqe_get_data(entry))->sent = entry->res;
        count++;
    }
    io_uring_cq_advance(&batch->ring, count);
    return count;
}

bool batch_run(struct batch *batch, struct batch_send *sends, unsigned count) {
    ensure(count <= BATCH_MAX);
    submit(batch, sends, count);
    for (unsigned over = 0; over < count;) {
        int code = io_uring_submit_and_wait(&batch->ring, count - over);
        over += take_results(batch);
        if (code < 0 && code != -EINTR)
            return over == count;
    }
    return true;
}

#else

struct batch *batch_open(void) {
    return NULL;
}

void batch_close(struct batch *batch) {
    ensure(!batch);
}

bool batch_run(struct batch *batch, struct batch_send *sends, unsigned count) {
    ensure(false); /* there is no batch to run */
}

#endif
