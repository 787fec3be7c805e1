/* Makes answers of replies. Where all shards of a cluster were asked, their replies become one
 * answer. */
#include "store/redis.h"
#include <stdlib.h>
#include <string.h>

static bool is_list(const redisReply *reply, size_t count) {
    return reply->type == REDIS_REPLY_ARRAY && reply->elements >= count;
}

static struct span text_of(const redisReply *reply, struct arena *arena) {
    if (reply->type != REDIS_REPLY_STRING)
        return (struct span){"", 0};
    return arena_span(arena, (struct span){reply->str, reply->len});
}

static int64_t number_of(const redisReply *reply, int64_t otherwise) {
    if (reply->type == REDIS_REPLY_INTEGER)
        return reply->integer;
    return reply->type == REDIS_REPLY_STRING && reply->len > 0 ? strtoll(reply->str, NULL, 10)
                                                               : otherwise;
}

/* Reads a row as the scripts' `row` writes it; false if there is none. */
static bool read_world(const redisReply *row, struct store_world *out, struct arena *arena) {
    if (!is_list(row, 12) || row->element[0]->type != REDIS_REPLY_STRING)
        return false;
    *out = (struct store_world){
        .code = text_of(row->element[0], arena),
        .place = number_of(row->element[1], 0),
        .game = text_of(row->element[2], arena),
        .owner = text_of(row->element[3], arena),
        .summary = text_of(row->element[4], arena),
        .status = (enum store_status)number_of(row->element[5], 0),
        .is_public = number_of(row->element[6], 0) != 0,
        .is_archived = number_of(row->element[7], 0) != 0,
        .version = number_of(row->element[8], 0),
        .created_ms = number_of(row->element[9], 0),
        .changed_ms = number_of(row->element[10], 0),
        .due_ms = number_of(row->element[11], STORE_NEVER),
    };
    if (row->elements > 15) { /* of a walk, or of what is finished */
        out->archived_ms = number_of(row->element[12], 0);
        out->games = number_of(row->element[13], 0);
        out->members = text_of(row->element[14], arena);
        out->forgotten = text_of(row->element[15], arena);
    }
    return true;
}

static int by_age(const void *left, const void *right) {
    const struct store_world *a = left, *b = right;
    return (a->place < b->place) - (a->place > b->place);
}

static int by_due_time(const void *left, const void *right) {
    const struct store_world *a = left, *b = right;
    if (a->due_ms != b->due_ms)
        return a->due_ms < b->due_ms ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static bool is_page(const redisReply *reply) {
    return is_list(reply, 2) && is_list(reply->element[1], 0);
}

/* Merges the worlds of all shards in one order, and cuts a page to what was asked for. */
static bool read_worlds(struct request *request, redisReply *const *replies, int count,
                        struct arena *arena) {
    struct store_reply *out = &request->reply;
    size_t total = 0;
    for (int i = 0; i < count; i++) {
        if (replies[i] && !is_page(replies[i]))
            return false;
        total += replies[i] ? replies[i]->element[1]->elements : 0;
    }
    struct store_world *worlds = arena_take(arena, total * sizeof *worlds + 1);
    for (int i = 0; i < count; i++) {
        const redisReply *rows = replies[i] ? replies[i]->element[1] : NULL;
        for (size_t r = 0; rows && r < rows->elements; r++)
            out->count += read_world(rows->element[r], &worlds[out->count], arena);
        out->more = out->more || (rows && number_of(replies[i]->element[0], 0) != 0);
        out->partial = out->partial || !rows;
    }
    bool lists = request->kind == REQUEST_LIST_PUBLIC || request->kind == REQUEST_LIST_OF_PLAYER ||
                 request->kind == REQUEST_LIST_VISITED;
    if (count > 1)
        qsort(worlds, out->count, sizeof *worlds, lists ? by_age : by_due_time);
    if ((lists || request->kind == REQUEST_DUE) && out->count > request->max) {
        out->count = request->max;
        out->more = true;
    }
    out->worlds = worlds;
    return true;
}

static bool read_load(struct request *request, const redisReply *reply, struct arena *arena) {
    struct store_world *world = arena_take(arena, sizeof *world);
    struct store_reply *out = &request->reply;
    if (reply->type == REDIS_REPLY_NIL) {
        out->outcome = STORE_MISSING;
        return true;
    }
    if (!is_list(reply, 3) || !read_world(reply->element[0], world, arena) ||
        !is_list(reply->element[1], 0))
        return false;
    const redisReply *chain = reply->element[2];
    out->chain = chain->type == REDIS_REPLY_STRING ? strtoull(chain->str, NULL, 16) : 0;
    const redisReply *lines = reply->element[1];
    struct store_entry *entries = arena_take(arena, lines->elements * sizeof *entries + 1);
    size_t bytes = 0;
    for (; out->count < lines->elements && bytes < STORE_LOAD_BYTES; out->count++) {
        entries[out->count].version = request->number + (int64_t)out->count + 1;
        entries[out->count].text = text_of(lines->element[out->count], arena);
        bytes += entries[out->count].text.length;
    }
    out->version = world->version;
    out->entries = entries;
    out->worlds = world;
    out->more = request->number + (int64_t)out->count < world->version;
    return true;
}

static bool read_person(const redisReply *row, struct store_player *out, struct arena *arena) {
    if (!is_list(row, 5))
        return false;
    *out = (struct store_player){.id = text_of(row->element[0], arena),
                                 .name = text_of(row->element[1], arena),
                                 .created_ms = number_of(row->element[2], 0),
                                 .seen_ms = number_of(row->element[3], 0),
                                 .devices = text_of(row->element[4], arena)};
    return true;
}

static bool read_player(struct store_reply *out, const redisReply *reply, struct arena *arena) {
    if (reply->type == REDIS_REPLY_NIL) {
        out->outcome = STORE_MISSING;
        return true;
    }
    struct store_player *player = arena_take(arena, sizeof *player);
    out->players = player;
    out->count = 1;
    return read_person(reply, player, arena);
}

/* ---- Walks ---- */

/* A page of a walk, from one shard. After its last one comes the first of the next shard. */
static bool read_walk(const struct redis_sender *sender, struct request *request,
                      const redisReply *reply, struct arena *arena) {
    struct store_reply *out = &request->reply;
    if (!is_list(reply, 4) || !is_list(reply->element[1], 0) || !is_list(reply->element[3], 0))
        return false;
    const redisReply *rows = reply->element[1], *texts = reply->element[3];
    bool of_worlds = request->kind == REQUEST_WALK_WORLDS;
    struct store_world *worlds = arena_take(arena, of_worlds ? rows->elements * sizeof *worlds : 0);
    struct store_player *players =
        arena_take(arena, of_worlds ? 0 : rows->elements * sizeof *players);
    struct span *problems = arena_take(arena, texts->elements * sizeof *problems);
    for (size_t i = 0; i < rows->elements; i++)
        out->count += of_worlds ? read_world(rows->element[i], &worlds[out->count], arena)
                                : read_person(rows->element[i], &players[out->count], arena);
    for (size_t i = 0; i < texts->elements; i++)
        problems[out->problem_count++] = text_of(texts->element[i], arena);
    out->worlds = of_worlds ? worlds : NULL;
    out->players = of_worlds ? NULL : players;
    out->problems = problems;
    out->bytes = number_of(reply->element[2], 0);
    out->walk = (struct store_walk){request->walk.part, number_of(reply->element[0], 0)};
    bool shard_done = out->walk.after == 0;
    out->walk.part += shard_done;
    out->more = !shard_done || (of_worlds && out->walk.part < sender->shards);
    return true;
}

/* ---- What a person has played ---- */

struct records {
    struct arena *arena;
    struct store_record *list;
    size_t count;
};

/* Adds the figures of one more shard. */
static void add_figures(struct store_record *record, const redisReply *list, struct arena *arena) {
    struct store_stat *stats = (struct store_stat *)record->figures;
    for (size_t i = 0; i + 1 < list->elements; i += 2) {
        struct span name = text_of(list->element[i], arena);
        size_t at = 0;
        while (at < record->figure_count && !span_equal(stats[at].name, name))
            at++;
        if (at == STORE_FIGURES_MAX)
            continue;
        if (at == record->figure_count)
            stats[record->figure_count++] = (struct store_stat){.name = name};
        stats[at].value += number_of(list->element[i + 1], 0);
    }
}

static struct store_record *record_of(struct records *records, struct span game, int64_t best) {
    for (size_t i = 0; i < records->count; i++)
        if (span_equal(records->list[i].game, game))
            return &records->list[i];
    if (records->count == STORE_RECORDS_MAX)
        return NULL;
    struct store_record *record = &records->list[records->count++];
    *record = (struct store_record){
        .game = game,
        .best = best,
        .figures = arena_take(records->arena, STORE_FIGURES_MAX * sizeof(struct store_stat))};
    return record;
}

static bool add_records(struct records *records, const redisReply *rows) {
    for (size_t i = 0; i < rows->elements; i++) {
        const redisReply *row = rows->element[i];
        if (!is_list(row, 6) || !is_list(row->element[5], 0))
            return false;
        int64_t best = number_of(row->element[4], 0);
        struct store_record *record =
            record_of(records, text_of(row->element[0], records->arena), best);
        if (!record)
            return false;
        record->played += number_of(row->element[1], 0);
        record->won += number_of(row->element[2], 0);
        record->points += number_of(row->element[3], 0);
        record->best = best > record->best ? best : record->best;
        add_figures(record, row->element[5], records->arena);
    }
    return true;
}

static int by_name(struct span a, struct span b) {
    int order = memcmp(a.data, b.data, a.length < b.length ? a.length : b.length);
    return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

static int by_game(const void *left, const void *right) {
    return by_name(((const struct store_record *)left)->game,
                   ((const struct store_record *)right)->game);
}

static int by_figure(const void *left, const void *right) {
    return by_name(((const struct store_stat *)left)->name,
                   ((const struct store_stat *)right)->name);
}

/* A finished game, with the numbers that order games which ended at the same time. */
struct ended {
    struct store_finished game;
    int64_t place, number;
};

static int by_end(const void *left, const void *right) {
    const struct ended *a = left, *b = right;
    if (a->game.ended_ms != b->game.ended_ms)
        return a->game.ended_ms > b->game.ended_ms ? -1 : 1;
    if (a->place != b->place)
        return a->place > b->place ? -1 : 1;
    return (a->number < b->number) - (a->number > b->number);
}

static bool add_ended(struct ended *list, size_t *count, const redisReply *rows,
                      struct arena *arena) {
    for (size_t i = 0; i < rows->elements; i++) {
        const redisReply *row = rows->element[i];
        if (!is_list(row, 8))
            return false;
        list[(*count)++] = (struct ended){{.game = text_of(row->element[0], arena),
                                           .ended_ms = number_of(row->element[1], 0),
                                           .score = (int32_t)number_of(row->element[2], 0),
                                           .won = number_of(row->element[3], 0) != 0,
                                           .figures = text_of(row->element[4], arena),
                                           .others = text_of(row->element[7], arena)},
                                          number_of(row->element[5], 0),
                                          number_of(row->element[6], 0)};
    }
    return true;
}

static bool read_records(struct request *request, redisReply *const *replies, int count,
                         struct arena *arena) {
    struct store_reply *out = &request->reply;
    struct records records = {.arena = arena};
    size_t games = 0, ended_count = 0;
    for (int i = 0; i < count; i++) {
        if (!is_page(replies[i]) || !is_list(replies[i]->element[0], 0))
            return false;
        games += replies[i]->element[1]->elements;
    }
    struct ended *ended = arena_take(arena, games * sizeof *ended + 1);
    records.list = arena_take(arena, STORE_RECORDS_MAX * sizeof *records.list);
    for (int i = 0; i < count; i++)
        if (!add_records(&records, replies[i]->element[0]) ||
            !add_ended(ended, &ended_count, replies[i]->element[1], arena))
            return false;
    qsort(records.list, records.count, sizeof *records.list, by_game);
    for (size_t i = 0; i < records.count; i++)
        qsort((void *)records.list[i].figures, records.list[i].figure_count,
              sizeof(struct store_stat), by_figure);
    qsort(ended, ended_count, sizeof *ended, by_end);
    out->finished_count = ended_count < request->max ? ended_count : request->max;
    struct store_finished *finished = arena_take(arena, ended_count * sizeof *finished + 1);
    for (size_t i = 0; i < out->finished_count; i++)
        finished[i] = ended[i].game;
    out->records = records.list;
    out->count = records.count;
    out->finished = finished;
    return true;
}

/* ---- Each request ---- */

static bool read_append(struct store_reply *out, const redisReply *reply) {
    bool conflict = is_list(reply, 1);
    if (!conflict && reply->type != REDIS_REPLY_INTEGER)
        return false;
    out->outcome = conflict ? STORE_CONFLICT : STORE_OK;
    out->version = number_of(conflict ? reply->element[0] : reply, 0);
    return true;
}

static bool read_flag(struct store_reply *out, const redisReply *reply,
                      enum store_outcome otherwise) {
    out->outcome = number_of(reply, 0) > 0 ? STORE_OK : otherwise;
    return reply->type == REDIS_REPLY_INTEGER;
}

/* Every shard forgets the person for itself. */
static bool read_erased(struct store_reply *out, redisReply *const *replies, int count) {
    for (int i = 0; i < count; i++) {
        if (replies[i]->type != REDIS_REPLY_INTEGER)
            return false;
        if (number_of(replies[i], 0) == 0)
            out->outcome = STORE_CONFLICT;
    }
    return true;
}

/* Name and text in turn. */
static bool read_notes(struct store_reply *out, const redisReply *reply, struct arena *arena) {
    struct store_note *notes = arena_take(arena, STORE_NOTES_MAX * sizeof *notes);
    if (reply->type != REDIS_REPLY_ARRAY)
        return false;
    for (size_t i = 0; i + 1 < reply->elements && out->count < STORE_NOTES_MAX; i += 2)
        notes[out->count++] = (struct store_note){.name = text_of(reply->element[i], arena),
                                                  .text = text_of(reply->element[i + 1], arena)};
    store_sort_notes(notes, out->count);
    out->notes = notes;
    return true;
}

bool redis_read_replies(const struct redis_sender *sender, struct request *request,
                        redisReply *const *replies, int count, struct arena *arena) {
    struct store_reply *out = &request->reply;
    const redisReply *reply = replies[0]; /* the only one, unless all shards were asked */
    switch (request->kind) {
    case REQUEST_APPEND:
        return read_append(out, reply);
    case REQUEST_PLAYER_ADD:
        return read_flag(out, reply, STORE_CONFLICT);
    case REQUEST_TRY: /* only of stores that are not shared */
    case REQUEST_PLAYER_SEEN:
        return read_flag(out, reply, STORE_MISSING);
    case REQUEST_PLAYER_DEVICES:
        return read_flag(out, reply, number_of(reply, 0) < 0 ? STORE_CONFLICT : STORE_MISSING);
    case REQUEST_REWRITE:
        return read_flag(out, reply, number_of(reply, 0) < 0 ? STORE_MISSING : STORE_CONFLICT);
    case REQUEST_PLAYER_ERASE:
    case REQUEST_PLAYER_FORGET:
    case REQUEST_SET_EARLIER:
        return read_erased(out, replies, count);
    case REQUEST_EXPORTED:
        return read_flag(out, reply, STORE_CONFLICT);
    case REQUEST_PUT_AWAY:
    case REQUEST_SEAT_FORGET:
        return read_flag(out, reply, STORE_MISSING);
    case REQUEST_NOTE_PUT:
        return read_flag(out, reply, number_of(reply, 0) < 0 ? STORE_MISSING : STORE_CONFLICT);
    case REQUEST_NOTES:
        return read_notes(out, reply, arena);
    case REQUEST_WALK_WORLDS:
    case REQUEST_WALK_PLAYERS:
        return read_walk(sender, request, reply, arena);
    case REQUEST_SAY:
        return reply->type == REDIS_REPLY_INTEGER;
    case REQUEST_LOAD:
        return read_load(request, reply, arena);
    case REQUEST_ARCHIVE:
    case REQUEST_CLAIM:
    case REQUEST_FINISHED:
    case REQUEST_DUE:
    case REQUEST_LIST_PUBLIC:
    case REQUEST_LIST_OF_PLAYER:
    case REQUEST_LIST_VISITED:
        return read_worlds(request, replies, count, arena);
    case REQUEST_PLAYER_BY_TOKEN:
    case REQUEST_PLAYER_BY_ID:
        return read_player(out, reply, arena);
    case REQUEST_PLAYER_RECORDS:
    case REQUEST_PLAYER_EARLIER:
        return read_records(request, replies, count, arena);
    }
    return false;
}
