/* What takes long is done a little in each turn of the loop, so that everybody else has a turn in
 * between: a log is folded for some milliseconds, a new name is written into a few worlds. What
 * waits is done in the order in which it came. */
#include "server/rooms/internal.h"
#include "server/rooms/names.h"

#include "engine/ensure.h"
#include "store/reserve.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum {
    FEW_LINES = 16,       /* that need not wait */
    RENAMED_IN_A_TURN = 4 /* worlds */
};
static const uint64_t turn_ns = 2 * 1000000;

static void on_turn(uv_idle_t *idle);

static void await_turn(struct rooms *rooms) {
    uv_idle_start(&rooms->turns, on_turn);
}

/* ---- Folding ---- */

/* A page of a log, with a copy of its lines. */
struct room_page {
    struct room *room;
    struct replica_event event; /* of its beginning and its end */
    int64_t version;            /* of the log */
    struct refusal why;
    const struct store_entry *entries;
    size_t next_line;
    bool begun;
    struct room_page *prev, *next;
};

static struct replica_event page_event(const struct store_reply *reply, const struct span *lines) {
    return (struct replica_event){.kind = REPLICA_READ,
                                  .outcome = reply->outcome,
                                  .version = reply->count > 0 ? reply->entries[0].version : 0,
                                  .chain = reply->chain,
                                  .more = reply->more,
                                  .lines = lines,
                                  .line_count = reply->count,
                                  .text = span_of(reply->why.text)};
}

/* One event of the page; false after the last one. */
static bool fold_on(struct room_page *page) {
    struct replica_event *event = &page->event;
    if (!page->begun) {
        page->begun = true;
        room_step(page->room, event);
    } else if (page->next_line < event->line_count) {
        const struct store_entry *entry = &page->entries[page->next_line++];
        room_step(page->room, &(struct replica_event){.kind = REPLICA_LINE,
                                                      .version = entry->version,
                                                      .line = entry->text});
    } else {
        event->kind = REPLICA_PAGE;
        event->version = page->version;
        room_step(page->room, event);
        return false;
    }
    return true;
}

static void fold_at_once(struct room *room, const struct store_reply *reply) {
    struct span *lines = reserve_calloc(reply->count + 1, sizeof *lines);
    for (size_t i = 0; i < reply->count; i++)
        lines[i] = reply->entries[i].text;
    struct room_page page = {.room = room,
                             .event = page_event(reply, lines),
                             .version = reply->version,
                             .entries = reply->entries};
    room_hold(room);
    while (fold_on(&page))
        ;
    room_release(room);
    free(lines);
}

/* Null without memory. */
static struct room_page *copy_page(struct room *room, const struct store_reply *reply) {
    size_t count = reply->count, size = 0;
    for (size_t i = 0; i < count; i++)
        size += reply->entries[i].text.length;
    struct room_page *page =
        malloc(sizeof *page + count * sizeof *page->entries + count * sizeof(struct span) + size);
    if (!page)
        return NULL;
    struct store_entry *entries = (struct store_entry *)(page + 1);
    struct span *lines = (struct span *)(entries + count);
    char *text = (char *)(lines + count);
    *page = (struct room_page){.room = room,
                               .event = page_event(reply, lines),
                               .version = reply->version,
                               .why = reply->why,
                               .entries = entries};
    page->event.text = span_of(page->why.text);
    for (size_t i = 0; i < count; i++) {
        struct span line = reply->entries[i].text;
        memcpy(text, line.data, line.length);
        lines[i] = (struct span){text, line.length};
        entries[i] = (struct store_entry){.version = reply->entries[i].version, .text = lines[i]};
        text += line.length;
    }
    return page;
}

/* While a world is read from its beginning nothing else happens to it between two pages that could
 * not happen between two lines as well. What others have appended to a world that is played is
 * little, and is heard at once. */
void room_fold(struct room *room, const struct store_reply *reply) {
    struct rooms *rooms = room->rooms;
    bool waits =
        room->replica.state == REPLICA_LOADING && reply->count > FEW_LINES && !rooms->closing;
    struct room_page *page = waits ? copy_page(room, reply) : NULL;
    if (!page) {
        fold_at_once(room, reply);
        return;
    }
    room_hold(room);
    DL_APPEND(rooms->pages, page);
    await_turn(rooms);
}

static void end_page(struct room_page *page) {
    room_release(page->room);
    free(page);
}

static void fold_pages(struct rooms *rooms, uint64_t until_ns) {
    while (rooms->pages && uv_hrtime() < until_ns) {
        struct room_page *page = rooms->pages;
        if (!fold_on(page)) {
            DL_DELETE(rooms->pages, page);
            end_page(page);
        }
    }
}

/* ---- Names ---- */

struct renaming {
    struct rooms *rooms;
    char id[WORLD_ID_MAX + 1], name[NAME_SIZE];
    char (*codes)[WORLD_CODE_LENGTH]; /* of worlds in memory */
    size_t count;
    struct renaming *prev, *next;
};

static void rename_in(struct room *room, struct span id, struct span name) {
    char words[NAME_SIZE + 8], called[NAME_SIZE];
    if (room->replica.state != REPLICA_READY || !world_find_member(room_world(room), id))
        return;
    names_in_world(room_world(room), id, name, called);
    snprintf(words, sizeof words, "name %s", called);
    struct world_action action = {.id = id, .words = span_of(words)};
    room_act(room, &action, NULL, NULL, NULL);
}

static void end_renaming(struct renaming *renaming) {
    free(renaming->codes);
    free(renaming);
}

static void on_own_worlds(void *arg, const struct store_reply *reply) {
    struct renaming *renaming = arg;
    struct rooms *rooms = renaming->rooms;
    renaming->codes = reserve_calloc(reply->count + 1, sizeof *renaming->codes);
    for (size_t i = 0; i < reply->count; i++)
        if (rooms_look_up(rooms, reply->worlds[i].code))
            memcpy(renaming->codes[renaming->count++], reply->worlds[i].code.data,
                   WORLD_CODE_LENGTH);
    if (renaming->count == 0 || rooms->closing) {
        end_renaming(renaming);
        return;
    }
    DL_APPEND(rooms->renamings, renaming);
    await_turn(rooms);
}

/* The store knows which worlds are somebody's: there may be many in memory. */
void rooms_rename(struct rooms *rooms, const char *id, const char *name) {
    struct renaming *renaming = reserve_calloc(1, sizeof *renaming);
    renaming->rooms = rooms;
    ensure(strlen(id) < sizeof renaming->id && strlen(name) < sizeof renaming->name);
    memcpy(renaming->id, id, strlen(id));
    memcpy(renaming->name, name, strlen(name));
    if (!store_list_of_player(rooms->config.store, span_of(id), 0, STORE_LIST_MAX, on_own_worlds,
                              renaming, NULL))
        free(renaming);
}

static void rename_some(struct rooms *rooms) {
    for (int i = 0; i < RENAMED_IN_A_TURN && rooms->renamings; i++) {
        struct renaming *renaming = rooms->renamings;
        const char *code = renaming->codes[--renaming->count];
        struct room *room = rooms_look_up(rooms, (struct span){code, WORLD_CODE_LENGTH});
        if (room)
            rename_in(room, span_of(renaming->id), span_of(renaming->name));
        if (renaming->count == 0) {
            DL_DELETE(rooms->renamings, renaming);
            end_renaming(renaming);
        }
    }
}

/* ---- Turns ---- */

static void on_turn(uv_idle_t *idle) {
    struct rooms *rooms = idle->data;
    rename_some(rooms);
    fold_pages(rooms, uv_hrtime() + turn_ns);
    if (!rooms->pages && !rooms->renamings)
        uv_idle_stop(idle);
}

void rooms_open_turns(struct rooms *rooms) {
    uv_idle_init(rooms->config.loop, &rooms->turns);
    rooms->turns.data = rooms;
}

void rooms_stop_turns(struct rooms *rooms) {
    fold_pages(rooms, UINT64_MAX);
    while (rooms->renamings)
        rename_some(rooms);
    uv_close((uv_handle_t *)&rooms->turns, NULL);
}
