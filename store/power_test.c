/* A loss of power. What was synced is on the disk; of what was written since then, some blocks are
 * on it and some are not, in no order. After a loss at every single sync of a workload a restart
 * must find all that was acknowledged, and of the batch under way all or nothing.
 *
 * The check itself is checked: with a disk that ignores the syncs of the log, as a lower
 * `synchronous` would, it must find losses. */
#include "tests/failing_disk.h"
#include "tests/store_support.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    WORLDS = 3,
    STEPS = 30,
    STEPS_AFTER = 4, /* a checkpoint */
    VARIANTS = 5,
    FILES_MAX = 4,
    BLOCK = 512,
    ROOM_STEP = 1 << 20,
    LONG_LINE = 6000
};

/* ---- The disk ---- */

struct change {
    bool truncates;
    int64_t at;
    int size;
    unsigned char *data;
};

struct watched {
    char name[96];
    unsigned char *image; /* what is surely on the disk */
    int64_t size;
    struct change *pending;
    int pending_count;
};

static struct watched files[FILES_MAX];
static int file_count;
static const char *played_on; /* the store's file; others begin with its name */
static bool deaf;             /* syncs of the log are ignored */
static bool watching;         /* a loss is tried at every sync, not only at those of checkpoints */
static int cuts, losses, checkpoints;
static uint64_t random_state;
static int64_t acknowledged[WORLDS];

static uint32_t below(uint32_t limit) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % limit;
}

static struct watched *find(const char *name) {
    for (int i = 0; i < file_count; i++)
        if (strcmp(files[i].name, name) == 0)
            return &files[i];
    assert_true(file_count < FILES_MAX && strlen(name) < sizeof files[0].name);
    struct watched *file = &files[file_count++];
    *file = (struct watched){0};
    memcpy(file->name, name, strlen(name) + 1);
    return file;
}

static void add(struct watched *file, struct change change) {
    file->pending =
        realloc(file->pending, (size_t)(file->pending_count + 1) * sizeof file->pending[0]);
    assert_non_null(file->pending);
    file->pending[file->pending_count++] = change;
}

/* Images grow by large steps, so that they are seldom copied. */
static size_t room_for(int64_t size) {
    return ((size_t)size / ROOM_STEP + 1) * ROOM_STEP;
}

/* Makes room in an image and writes a part of a change into it. */
static void put(unsigned char **image, int64_t *size, const struct change *change, int from,
                int length) {
    if (change->truncates) {
        *size = change->at < *size ? change->at : *size;
        return;
    }
    int64_t end = change->at + from + length;
    if (end > *size) {
        if (!*image || room_for(end) > room_for(*size))
            *image = realloc(*image, room_for(end));
        assert_non_null(*image);
        memset(*image + *size, 0, (size_t)(end - *size));
        *size = end;
    }
    memcpy(*image + change->at + from, change->data + from, (size_t)length);
}

static void forget(struct watched *file) {
    for (int i = 0; i < file->pending_count; i++)
        free(file->pending[i].data);
    file->pending_count = 0;
}

/* ---- A restart after the cut ---- */

/* Writes what the disk may hold: all that is pending, nothing of it, or some of its blocks. */
static void write_image(const struct watched *file, const char *path, int variant) {
    int64_t size = file->size;
    unsigned char *image = malloc(room_for(size));
    assert_non_null(image);
    if (size > 0)
        memcpy(image, file->image, (size_t)size);
    for (int i = 0; i < file->pending_count; i++) {
        int which = variant < 2 ? i : (int)below((uint32_t)file->pending_count);
        const struct change *change = &file->pending[which];
        if (variant == 0)
            continue;
        for (int at = 0; at < change->size || change->truncates; at += BLOCK) {
            int length = change->size - at < BLOCK ? change->size - at : BLOCK;
            if (variant == 1 || below(2) == 0)
                put(&image, &size, change, at, length);
            if (change->truncates)
                break;
        }
    }
    int out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(out >= 0 && write(out, image, (size_t)size) == size);
    close(out);
    free(image);
}

static bool holds_all(struct shelf *shelf) {
    static struct answer answer;
    bool under_way = false;
    for (int i = 0; i < WORLDS; i++) {
        char code[] = {(char)('A' + i), 'A', 'A', 'A', 'A', 'A', 0};
        shelf_load(shelf, code, &answer);
        int64_t more = answer.reply.version - acknowledged[i];
        under_way = i == 0 ? more != 0 : under_way;
        if ((more != 0 && more != 2) || (more != 0) != under_way ||
            (answer.reply.count == 0) != (answer.reply.version == 0))
            return false;
    }
    return true;
}

static const struct disk_watcher watcher;

static bool survives(int variant) {
    struct shelf copy;
    struct refusal why;
    shelf_make(&copy);
    for (int i = 0; i < file_count; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s%s", copy.file, files[i].name + strlen(played_on));
        write_image(&files[i], path, variant);
    }
    copy.config.where = copy.file;
    copy.config.vfs = failing_disk_name(); /* this disk does not sync, which is faster */
    disk_watcher = NULL;
    copy.store = store_open(&copy.config, &why);
    bool good = copy.store && holds_all(&copy);
    if (copy.store)
        shelf_close(&copy);
    shelf_remove(&copy);
    disk_watcher = &watcher;
    return good;
}

static void cut_power(void) {
    for (int variant = 0; variant < VARIANTS; variant++) {
        cuts++;
        losses += !survives(variant);
    }
}

/* ---- Watching ---- */

static void on_write(const char *name, const void *data, int size, int64_t at) {
    struct change change = {.at = at, .size = size, .data = malloc((size_t)size)};
    assert_non_null(change.data);
    memcpy(change.data, data, (size_t)size);
    add(find(name), change);
}

static void on_truncate(const char *name, int64_t size) {
    add(find(name), (struct change){.truncates = true, .at = size});
}

static void on_sync(const char *name) {
    struct watched *file = find(name);
    bool checkpoint = strcmp(name, played_on) == 0 && acknowledged[0] > 0;
    checkpoints += checkpoint;
    if (watching || checkpoint)
        cut_power();
    if (deaf && strstr(name, "-wal"))
        return;
    for (int i = 0; i < file->pending_count; i++)
        put(&file->image, &file->size, &file->pending[i], 0, file->pending[i].size);
    forget(file);
}

static void on_delete(const char *name) {
    struct watched *file = find(name);
    forget(file);
    file->size = 0;
}

static const struct disk_watcher watcher = {on_write, on_truncate, on_sync, on_delete};

/* ---- The workload ---- */

static void told(void *arg, const struct store_reply *reply) {
    assert_int_equal(reply->outcome, STORE_OK);
    acknowledged[(intptr_t)arg] += 2;
}

static void append_to_all(struct store *store) {
    static char long_line[LONG_LINE];
    struct span lines[] = {span_of("short"), {long_line, sizeof long_line}};
    memset(long_line, 'x', sizeof long_line);
    for (int i = 0; i < WORLDS; i++) {
        char code[] = {(char)('A' + i), 'A', 'A', 'A', 'A', 'A', 0};
        struct store_append append = append_line(code, acknowledged[i], lines);
        append.count = 2;
        assert_true(store_append(store, &append, told, (void *)(intptr_t)i, NULL));
    }
    store_commit(store);
}

static void play_until_the_end(bool without_the_log) {
    struct shelf shelf;
    deaf = without_the_log;
    cuts = losses = checkpoints = file_count = 0;
    random_state = 8;
    watching = true;
    memset(acknowledged, 0, sizeof acknowledged);
    failing_disk = (struct failing_disk){0};
    shelf_make(&shelf);
    shelf.config.vfs = failing_disk_name();
    played_on = shelf.file;
    disk_watcher = &watcher;
    shelf_open(&shelf);
    for (int step = 0; step < STEPS; step++)
        append_to_all(shelf.store);
    for (watching = false; checkpoints == 0;)
        append_to_all(shelf.store);
    watching = true; /* from here on the log begins anew */
    for (int step = 0; step < STEPS_AFTER; step++)
        append_to_all(shelf.store);
    cut_power();
    disk_watcher = NULL;
    shelf_close(&shelf);
    shelf_remove(&shelf);
    for (int i = 0; i < file_count; i++) {
        forget(&files[i]);
        free(files[i].pending);
        free(files[i].image);
    }
}

UNIT_TEST(nothing_acknowledged_is_lost) {
    play_until_the_end(false);
    assert_true(cuts > STEPS * VARIANTS);
    assert_int_equal(losses, 0);
    print_message("# power was cut %d times\n", cuts);
}

UNIT_TEST(a_log_that_is_not_synced_is_noticed) {
    play_until_the_end(true);
    assert_true(losses > STEPS);
}
