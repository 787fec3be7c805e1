/* The VFS of failing_disk.h. Files are those of the usual VFS, with a few methods in front. */
#include "tests/failing_disk.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct failing_disk failing_disk;
const struct disk_watcher *disk_watcher;

struct file {
    sqlite3_file base;
    sqlite3_file *real; /* behind this struct */
    const char *name;   /* SQLite keeps it as long as the file is open; null: a temporary one */
};

static sqlite3_vfs *real_vfs;
static sqlite3_io_methods methods;

/* Does this call fail? */
static bool fails(enum disk_call call) {
    struct failing_disk *disk = &failing_disk;
    if (!(disk->calls & call))
        return false;
    int number = disk->seen++;
    bool failing =
        number >= disk->after && (disk->repeats < 0 || number < disk->after + disk->repeats);
    disk->failed += failing;
    return failing;
}

static int fault_code(int broken) {
    return failing_disk.fault == DISK_FULL ? SQLITE_FULL : broken;
}

static sqlite3_file *real_of(sqlite3_file *file) {
    return ((struct file *)file)->real;
}

static const char *name_of(const sqlite3_file *file) {
    return ((const struct file *)file)->name;
}

static int file_close(sqlite3_file *file) {
    return real_of(file)->pMethods->xClose(real_of(file));
}

static int file_read(sqlite3_file *file, void *data, int size, sqlite3_int64 at) {
    if (fails(DISK_READ))
        return SQLITE_IOERR_READ;
    return real_of(file)->pMethods->xRead(real_of(file), data, size, at);
}

static int file_write(sqlite3_file *file, const void *data, int size, sqlite3_int64 at) {
    sqlite3_file *real = real_of(file);
    if (disk_watcher && name_of(file))
        disk_watcher->write(name_of(file), data, size, at);
    if (!fails(DISK_WRITE))
        return real->pMethods->xWrite(real, data, size, at);
    if (failing_disk.fault == DISK_TORN && size > 1)
        real->pMethods->xWrite(real, data, size / 2, at);
    if (failing_disk.fault == DISK_LYING)
        real->pMethods->xWrite(real, data, size, at);
    return fault_code(SQLITE_IOERR_WRITE);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
    if (fails(DISK_TRUNCATE))
        return SQLITE_IOERR_TRUNCATE;
    if (disk_watcher && name_of(file))
        disk_watcher->truncate(name_of(file), size);
    return real_of(file)->pMethods->xTruncate(real_of(file), size);
}

/* The sync is not passed on: the tests end processes, not machines, and would only wait for the
 * disk. */
static int file_sync(sqlite3_file *file, int flags) {
    if (disk_watcher && name_of(file))
        disk_watcher->sync(name_of(file));
    return fails(DISK_SYNC) ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real_of(file)->pMethods->xFileSize(real_of(file), size);
}

static int file_lock(sqlite3_file *file, int level) {
    return real_of(file)->pMethods->xLock(real_of(file), level);
}

static int file_unlock(sqlite3_file *file, int level) {
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}

static int file_check_lock(sqlite3_file *file, int *out) {
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), out);
}

static int file_control(sqlite3_file *file, int what, void *arg) {
    return real_of(file)->pMethods->xFileControl(real_of(file), what, arg);
}

static int file_sector_size(sqlite3_file *file) {
    return real_of(file)->pMethods->xSectorSize(real_of(file));
}

static int file_properties(sqlite3_file *file) {
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

static int file_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **out) {
    return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, out);
}

static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    return real_of(file)->pMethods->xShmLock(real_of(file), offset, count, flags);
}

static void file_shm_barrier(sqlite3_file *file) {
    real_of(file)->pMethods->xShmBarrier(real_of(file));
}

static int file_shm_unmap(sqlite3_file *file, int delete) {
    return real_of(file)->pMethods->xShmUnmap(real_of(file), delete);
}

static int disk_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *opened, int flags,
                     int *out_flags) {
    struct file *file = (struct file *)opened;
    file->base.pMethods = NULL;
    file->name = name;
    if (fails(DISK_OPEN))
        return fault_code(SQLITE_CANTOPEN);
    file->real = (sqlite3_file *)(file + 1);
    int code = real_vfs->xOpen(real_vfs, name, file->real, flags, out_flags);
    if (file->real->pMethods)
        file->base.pMethods = &methods;
    return code;
}

static int disk_delete(sqlite3_vfs *vfs, const char *name, int sync_folder) {
    if (fails(DISK_DELETE))
        return SQLITE_IOERR_DELETE;
    if (disk_watcher)
        disk_watcher->delete (name);
    return real_vfs->xDelete(real_vfs, name, sync_folder);
}

static sqlite3_io_methods methods = {.iVersion = 2,
                                     .xClose = file_close,
                                     .xRead = file_read,
                                     .xWrite = file_write,
                                     .xTruncate = file_truncate,
                                     .xSync = file_sync,
                                     .xFileSize = file_size,
                                     .xLock = file_lock,
                                     .xUnlock = file_unlock,
                                     .xCheckReservedLock = file_check_lock,
                                     .xFileControl = file_control,
                                     .xSectorSize = file_sector_size,
                                     .xDeviceCharacteristics = file_properties,
                                     .xShmMap = file_shm_map,
                                     .xShmLock = file_shm_lock,
                                     .xShmBarrier = file_shm_barrier,
                                     .xShmUnmap = file_shm_unmap};

const char *failing_disk_name(void) {
    static sqlite3_vfs vfs;
    if (!real_vfs) {
        real_vfs = sqlite3_vfs_find(NULL);
        vfs = *real_vfs;
        vfs.zName = "failing-disk";
        vfs.szOsFile += (int)sizeof(struct file);
        vfs.xOpen = disk_open;
        vfs.xDelete = disk_delete;
        sqlite3_vfs_register(&vfs, 0);
    }
    return vfs.zName;
}
