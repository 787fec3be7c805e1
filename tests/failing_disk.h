/* A disk that fails when told: an SQLite VFS that stands before the usual one. */
#ifndef TESTS_FAILING_DISK_H
#define TESTS_FAILING_DISK_H

#include <stdbool.h>
#include <stdint.h>

enum disk_call {
    DISK_WRITE = 1,
    DISK_SYNC = 2,
    DISK_TRUNCATE = 4,
    DISK_OPEN = 8,
    DISK_READ = 16,
    DISK_DELETE = 32
};

enum disk_fault {
    DISK_FULL,   /* ENOSPC: nothing is written */
    DISK_BROKEN, /* EIO: nothing is written */
    DISK_TORN,   /* EIO: half of it is written */
    DISK_LYING   /* EIO: all of it is written, but that is not what it says */
};

struct failing_disk {
    unsigned calls; /* which ones are counted and may fail: a mask of enum disk_call */
    enum disk_fault fault;
    int after;   /* so many of them succeed */
    int repeats; /* then so many fail; negative: all */
    int seen;    /* how many there were */
    int failed;  /* and how many of them failed */
};

/* The one disk; `calls` of 0 is a healthy one. */
extern struct failing_disk failing_disk;

/* Hears of everything that changes a file, before it happens; null: nobody does. */
struct disk_watcher {
    void (*write)(const char *file, const void *data, int size, int64_t at);
    void (*truncate)(const char *file, int64_t size);
    void (*sync)(const char *file);
    void (*delete)(const char *file);
};

extern const struct disk_watcher *disk_watcher;

/* Registers it; its name, for store_config. */
const char *failing_disk_name(void);

#endif
