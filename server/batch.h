/* Many sends by one call of the kernel (io_uring): what one turn of the loop owes to hundreds of
 * sockets. A send costs the kernel a quarter less so. Nothing is left under way between calls. */
#ifndef SERVER_BATCH_H
#define SERVER_BATCH_H

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

/* Null: this kernel has no such thing, or does not allow it. */
struct batch *batch_open(void);
void batch_close(struct batch *batch); /* or null */

/* At most BATCH_MAX; never waits. False: it is of no use any more, and to be closed; what was not
 * sent says so. */
bool batch_run(struct batch *batch, struct batch_send *sends, unsigned count);

#endif
