/* `oyster export --finished STORE FILE`: copies worlds of a Redis store in which something is
 * finished into an SQLite store, for statistics and for keeping (copy.h).
 *
 * Redis is told that a world is exported only when the file has it. If this is interrupted, the
 * next run goes on. */
#include "cli/export_finished.h"

#include "cli/cli.h"
#include "cli/copy.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 64 };

struct codes {
    size_t count;
    char each[STORE_LIST_MAX][STORE_CODE_MAX + 1];
};

struct page {
    struct codes worlds;
    char *forgotten[STORE_LIST_MAX]; /* seats of people who had their statistics deleted */
    bool failed;
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

static void clear(struct page *page) {
    for (size_t i = 0; i < page->worlds.count; i++)
        free(page->forgotten[i]);
    page->worlds.count = 0;
}

static void on_page(void *arg, const struct store_reply *reply) {
    struct page *page = arg;
    page->failed = reply->outcome != STORE_OK;
    if (page->failed)
        cli_complain("%s", reply->why.text);
    clear(page);
    for (size_t i = 0; i < reply->count && i < STORE_LIST_MAX && !page->failed; i++) {
        page->forgotten[i] = whole_store_lines(reply->worlds[i].forgotten);
        note(&page->worlds, reply->worlds[i].code);
    }
}

static void on_have(void *arg, const struct store_reply *reply) {
    *(int64_t *)arg = reply->outcome == STORE_OK ? reply->version : 0;
}

/* True if the file has all of it. */
static bool take(struct copy *copy, const char *code, char *forgotten, int64_t *version) {
    struct whole_world row = {.members = "", .forgotten = forgotten};
    int64_t have = 0;
    snprintf(row.code, sizeof row.code, "%s", code);
    if (!store_load(copy->to, span_of(code), INT32_MAX, on_have, &have, &copy->why))
        return cli_complain("%s: %s", code, copy->why.text) == 0;
    store_commit(copy->to);
    struct whole_world there = {.version = have, .forgotten = ""};
    return (copy_world(copy, &row, have > 0 ? &there : NULL, version) && copy_finish(copy)) ||
           cli_complain("%s: %s", code, copy->why.text) == 0;
}

static void on_exported(void *arg, const struct store_reply *reply) {
    *(bool *)arg = reply->outcome == STORE_OK;
}

static bool export_world(struct store *from, struct store *to, const char *code, char *forgotten,
                         bool *onward) {
    int64_t version;
    bool done = false;
    struct copy copy = {.from = from, .to = to};
    if (!take(&copy, code, forgotten, &version))
        return false;
    store_exported(from, span_of(code), version, on_exported, &done, NULL);
    store_commit(from);
    *onward = *onward || done;
    return true; /* if it has gone on meanwhile, the next time takes the rest */
}

/* Worlds that cannot be exported come first in every page, so the page grows by their number. */
static int export_all(struct store *from, struct store *to, struct page *page) {
    struct codes left = {0};
    struct refusal why;
    int count = 0;
    bool onward = true;
    while (onward) {
        onward = false;
        if (left.count + PAGE > STORE_LIST_MAX)
            return cli_complain(
                "too many worlds cannot be exported to look for others behind them");
        if (!store_finished(from, left.count + PAGE, on_page, page, &why))
            return cli_complain("%s", why.text);
        store_commit(from);
        if (page->failed)
            return EXIT_BAD_INPUT;
        for (size_t i = 0; i < page->worlds.count && left.count < STORE_LIST_MAX; i++) {
            const char *code = page->worlds.each[i];
            if (has(&left, code))
                continue;
            if (export_world(from, to, code, page->forgotten[i], &onward)) {
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
    struct page page = {0};
    int code = to ? export_all(from, to, &page) : cli_complain("%s", why.text);
    clear(&page);
    if (to)
        store_close(to);
    if (from)
        store_close(from);
    return code;
}
