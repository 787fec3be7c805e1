/* `oyster export --finished STORE FILE`: copies worlds of a Redis store in which something is
 * finished into an SQLite store, for statistics and for keeping. Each line of a log is folded and
 * appended as the server did it, so the file has all that a server's own would have.
 *
 * Redis is told that a world is exported only when the file has it. If this is interrupted, the
 * next run goes on. */
#include "cli/export_finished.h"
#include "server/rooms/results.h"

#include "cli/cli.h"
#include "server/channels/broadcast.h"
#include "server/rooms/summary.h"
#include <stdlib.h>
#include <string.h>

enum { PAGE = 64, BATCH = 256 };

struct codes {
    size_t count;
    char each[STORE_LIST_MAX][STORE_CODE_MAX + 1];
};

struct page {
    struct codes worlds;
    bool failed;
};

/* One world on its way. */
struct copy {
    struct store *to;
    const char *code;
    struct world world;
    uint64_t chain;      /* of what was read so far */
    int64_t have;        /* entries that the file has ... */
    uint64_t have_chain; /* ... and what they are told by */
    uint64_t summary_hash;
    int64_t version; /* after the last page */
    int waiting;
    bool more, failed, differs;
    struct refusal why;
};

static void note(struct codes *codes, struct span code) {
    char *place = codes->each[codes->count++];
    memcpy(place, code.data, code.length);
    place[code.length] = '\0';
}

static bool has(const struct codes *codes, const char *code) {
    for (size_t i = 0; i < codes->count; i++)
        if (strcmp(codes->each[i], code) == 0)
            return true;
    return false;
}

static void fail(struct copy *copy, const struct refusal *why) {
    if (!copy->failed)
        copy->why = *why;
    copy->failed = true;
}

static void on_page(void *arg, const struct store_reply *reply) {
    struct page *page = arg;
    page->failed = reply->outcome != STORE_OK;
    if (page->failed)
        cli_complain("%s", reply->why.text);
    page->worlds.count = 0;
    for (size_t i = 0; i < reply->count && i < STORE_LIST_MAX && !page->failed; i++)
        note(&page->worlds, reply->worlds[i].code);
}

/* Notes what the file has already. */
static void on_have(void *arg, const struct store_reply *reply) {
    struct copy *copy = arg;
    copy->more = reply->outcome == STORE_OK && reply->more;
    if (reply->outcome != STORE_OK && reply->outcome != STORE_MISSING)
        fail(copy, &reply->why);
    for (size_t i = 0; reply->outcome == STORE_OK && i < reply->count; i++)
        copy->have_chain = store_chain(copy->have_chain, reply->entries[i].text);
    copy->have += reply->outcome == STORE_OK ? (int64_t)reply->count : 0;
}

static void on_written(void *arg, const struct store_reply *reply) {
    if (reply->outcome != STORE_OK)
        fail(arg, &reply->why);
}

static void append(struct copy *copy, struct span line) {
    struct room_summary listed;
    struct results match;
    struct refusal why;
    uint64_t hash = summary_of(&copy->world, &listed);
    struct store_append ask = {.code = span_of(copy->code),
                               .expected_version = copy->world.version - 1,
                               .entries = &line,
                               .count = 1,
                               .now_ms = copy->world.changed_ms,
                               .due_ms = STORE_NEVER,
                               .chain = copy->chain,
                               .summary = hash != copy->summary_hash ? &listed.summary : NULL,
                               .match = results_of(&copy->world, copy->world.version - 1, &match)};
    if (!store_append(copy->to, &ask, on_written, copy, &why))
        fail(copy, &why);
    results_free(&match);
    copy->summary_hash = hash;
    if (++copy->waiting == BATCH) {
        store_commit(copy->to);
        copy->waiting = 0;
    }
}

static void take_line(struct copy *copy, const struct store_entry *entry) {
    struct refusal why;
    if (!world_fold(&copy->world, entry->text, &why))
        fail(copy, &why);
    else if (entry->version > copy->have)
        append(copy, entry->text);
    copy->chain = store_chain(copy->chain, entry->text);
    if (entry->version == copy->have && copy->chain != copy->have_chain)
        copy->differs = true;
}

static void on_lines(void *arg, const struct store_reply *reply) {
    struct copy *copy = arg;
    copy->more = reply->outcome == STORE_OK && reply->more;
    if (reply->outcome != STORE_OK)
        fail(copy, &reply->why);
    for (size_t i = 0; i < reply->count && !copy->failed && !copy->differs; i++)
        take_line(copy, &reply->entries[i]);
    if (copy->more && reply->count == 0) {
        struct refusal why;
        refuse(&why, "BROKEN", "its log has a gap; it stays where it is");
        fail(copy, &why);
    }
    copy->version = reply->version;
}

/* Reads page by page; the callback says whether there is more. */
static void read_all(struct store *store, struct copy *copy, store_callback *callback,
                     const int64_t *after) {
    struct refusal why;
    do {
        copy->more = false;
        if (!store_load(store, span_of(copy->code), *after, callback, copy, &why))
            fail(copy, &why);
        store_commit(store);
    } while (copy->more && !copy->failed && !copy->differs);
}

static bool copy_world(struct store *from, struct store *to, const char *code, int64_t *version) {
    static struct copy copy;
    copy = (struct copy){
        .to = to, .code = code, .chain = STORE_CHAIN_START, .have_chain = STORE_CHAIN_START};
    world_empty(&copy.world, &world_times_usual);
    read_all(to, &copy, on_have, &copy.have);
    if (!copy.failed)
        read_all(from, &copy, on_lines, &copy.world.version);
    store_commit(to);
    *version = copy.version;
    if (copy.differs || copy.have > copy.version)
        return cli_complain("%s: the file has another log of it; it stays where it is", code) == 0;
    return !copy.failed || cli_complain("%s: %s", code, copy.why.text) == 0;
}

static void on_exported(void *arg, const struct store_reply *reply) {
    *(bool *)arg = reply->outcome == STORE_OK;
}

static bool export_world(struct store *from, struct store *to, const char *code, bool *onward) {
    int64_t version;
    bool done = false;
    if (!copy_world(from, to, code, &version))
        return false;
    store_exported(from, span_of(code), version, on_exported, &done, NULL);
    store_commit(from);
    *onward = *onward || done;
    return true; /* if it has gone on meanwhile, the next time takes the rest */
}

/* Worlds that cannot be exported come first in every page, so the page grows by their number. */
static int export_all(struct store *from, struct store *to) {
    static struct page page;
    static struct codes left;
    struct refusal why;
    int count = 0;
    bool onward = true;
    while (onward) {
        onward = false;
        if (left.count + PAGE > STORE_LIST_MAX)
            return cli_complain(
                "too many worlds cannot be exported to look for others behind them");
        if (!store_finished(from, left.count + PAGE, on_page, &page, &why))
            return cli_complain("%s", why.text);
        store_commit(from);
        if (page.failed)
            return EXIT_BAD_INPUT;
        for (size_t i = 0; i < page.worlds.count && left.count < STORE_LIST_MAX; i++) {
            const char *code = page.worlds.each[i];
            if (has(&left, code))
                continue;
            if (export_world(from, to, code, &onward)) {
                count++;
            } else {
                note(&left, span_of(code));
                onward = true;
            }
        }
    }
    printf("%d worlds exported\n", count);
    return left.count > 0 ? EXIT_BAD_INPUT : 0;
}

int cli_export_finished(const char *store, const char *file) {
    struct refusal why;
    struct store *from = store_open(&(struct store_config){.where = store, .node = "export"}, &why);
    struct store *to = from ? store_open(&(struct store_config){.where = file}, &why) : NULL;
    int code = to ? export_all(from, to) : cli_complain("%s", why.text);
    if (to)
        store_close(to);
    if (from)
        store_close(from);
    return code;
}
