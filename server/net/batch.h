/* Many sends with one call of the kernel (io_uring): what one turn of the loop owes to hundreds of
 * sockets. This makes a send about a quarter cheaper. Nothing is left under way between calls. */
#pragma once

#include <stdbool.h>
#include <sys/uio.h>

enum { BATCH_MAX = 64 };

struct batch;

struct batch_send {
    int file;
    struct iovec *parts;
    unsigned count;
    int sent; /* how many bytes were taken, or a negative errno */
};

/* Null if this system has no io_uring, does not allow it, or was built without it. */
struct batch *batch_open(void);
void batch_close(struct batch *batch); /* or null */

/* Sends at most BATCH_MAX of them and never waits. False if the batch cannot be used any longer and
 * is to be closed; sends that were not made say so. */
bool batch_run(struct batch *batch, struct batch_send *sends, unsigned count);
