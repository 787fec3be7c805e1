/* Many sends with one call: to sockets that are read, that are not, and that are closed. */
#define _GNU_SOURCE
#include "server/net/batch.h"
#include "tests/support.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LARGE = 1 << 20 };

static struct batch *batch;
static int pairs[BATCH_MAX][2]; /* what is sent into the first comes out of the second */
static struct batch_send sends[BATCH_MAX];
static struct iovec parts[BATCH_MAX][2];
static char large[LARGE];

BEFORE_EACH(set_up) {
    batch = batch_open();
    for (int i = 0; i < BATCH_MAX; i++)
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, pairs[i]) != 0)
            return -1;
    return 0;
}

AFTER_EACH(tear_down) {
    batch_close(batch);
    for (int i = 0; i < BATCH_MAX; i++) {
        close(pairs[i][0]);
        close(pairs[i][1]);
    }
    return 0;
}

/* Each send has two parts: its number, and a word that is the same for all. */
static bool send_all(unsigned count, const char *word) {
    static char numbers[BATCH_MAX][4];
    for (unsigned i = 0; i < count; i++) {
        int length = snprintf(numbers[i], sizeof numbers[i], "%u ", i);
        parts[i][0] = (struct iovec){numbers[i], (size_t)length};
        parts[i][1] = (struct iovec){(void *)(uintptr_t)word, strlen(word)};
        sends[i] = (struct batch_send){.file = pairs[i][0], .parts = parts[i], .count = 2};
    }
    return batch_run(batch, sends, count);
}

static void gets(unsigned i, const char *word) {
    char wanted[64], got[64] = "";
    int length = snprintf(wanted, sizeof wanted, "%u %s", i, word);
    assert_int_equal(sends[i].sent, length);
    assert_int_equal(recv(pairs[i][1], got, sizeof got, MSG_DONTWAIT), length);
    assert_memory_equal(got, wanted, (size_t)length);
}

static void need_batch(void) {
    if (!batch) /* there are kernels without, and rules that forbid it */
        skip();
}

UNIT_TEST(everybody_gets_their_own) {
    need_batch();
    assert_true(send_all(BATCH_MAX, "hello"));
    for (unsigned i = 0; i < BATCH_MAX; i++)
        gets(i, "hello");
    assert_true(send_all(3, "again"));
    for (unsigned i = 0; i < 3; i++)
        gets(i, "again");
    assert_int_equal(recv(pairs[3][1], large, 1, MSG_DONTWAIT), -1);
    assert_true(send_all(0, "nobody"));
}

UNIT_TEST(nobody_waits_for_who_does_not_read) {
    need_batch();
    while (send(pairs[1][0], large, sizeof large, MSG_DONTWAIT) > 0) {
    }
    close(pairs[2][1]);
    assert_true(send_all(4, "hello"));
    gets(0, "hello");
    assert_int_equal(sends[1].sent, -EAGAIN);
    assert_int_equal(sends[2].sent, -EPIPE); /* and no signal */
    gets(3, "hello");
}

UNIT_TEST(part_may_be_taken) {
    need_batch();
    parts[0][0] = (struct iovec){large, sizeof large};
    sends[0] = (struct batch_send){.file = pairs[0][0], .parts = parts[0], .count = 1};
    assert_true(batch_run(batch, sends, 1));
    assert_in_range(sends[0].sent, 1, LARGE - 1);
    size_t got = 0;
    for (ssize_t more; (more = recv(pairs[0][1], large, sizeof large, MSG_DONTWAIT)) > 0;)
        got += (size_t)more;
    assert_int_equal(got, sends[0].sent);
    assert_true(send_all(1, "more"));
    gets(0, "more");
}

/* Closes the ring, as the kernel may do. */
static void close_ring(void) {
    DIR *folder = opendir("/proc/self/fd");
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char link[64] = "";
        ssize_t length = readlinkat(dirfd(folder), entry->d_name, link, sizeof link - 1);
        if (length > 0 && strstr(link, "io_uring"))
            close(atoi(entry->d_name));
    }
    closedir(folder);
}

UNIT_TEST(what_cannot_be_asked_is_not_sent) {
    need_batch();
    close_ring();
    assert_false(send_all(2, "hello"));
    assert_int_equal(sends[0].sent, -EAGAIN);
    assert_int_equal(sends[1].sent, -EAGAIN);
    assert_int_equal(recv(pairs[0][1], large, 1, MSG_DONTWAIT), -1);
}
