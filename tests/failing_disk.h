/* A disk that fails when it is told to: an SQLite VFS in front of the usual one. */
#pragma once

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

/* The one disk there is; it is healthy while `calls` is 0. */
extern struct failing_disk failing_disk;

/* Is told of everything that changes a file, before it happens; null if nobody is to be told. */
struct disk_watcher {
    void (*write)(const char *file, const void *data, int size, int64_t at);
    void (*truncate)(const char *file, int64_t size);
    void (*sync)(const char *file);
    void (*delete)(const char *file);
};

extern const struct disk_watcher *disk_watcher;

/* Registers the disk; returns its name, for store_config. */
const char *failing_disk_name(void);
