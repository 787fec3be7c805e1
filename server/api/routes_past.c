/* What was, from the log: as a record, as it was told, and a position to be saved. A world is taken
 * as it is at the moment of its turn, and shown when that is durable: by then it may have moved on,
 * and what came after may still be lost. */
#include "server/api/reads.h"

#include "engine/ensure.h"
#include "formats/save_world.h"
#include "store/reserve.h"
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { LOG_MAX = 16 << 20, PAGE_MORE = STORE_LOAD_MAX * 64, SAVE_UNITS = 2 };

struct past {
    struct world world; /* as it is told of */
    uint64_t chain;     /* of its log */
    struct world_export *export;
    struct world_history *history;
    struct text out;
    /* A page of the log, line by line, and what became of it. */
    char *page;
    size_t page_length;
    int64_t last; /* version of its last entry */
    bool more, good;
    struct refusal why;
    /* Of a save. */
    int64_t now_ms;
    uint8_t other_seed[CHANCE_SEED_SIZE];
};

/* The three kinds: what each is called, who may have it, and how it begins and goes on. */
struct past_kind {
    const char *name, *type;
    bool one_persons; /* it is not the same for everybody */
    bool differs;     /* each time: a save has a seed of its own */
    bool (*may)(const struct request *request, struct refusal *why);
    bool (*note)(const struct world *world); /* whether the world must know of it first; or null */
    bool (*begin)(struct request *request, struct refusal *why);
    request_step *make; /* once it is durable */
};

void past_free(struct past *past) {
    if (!past)
        return;
    free(past->export);
    free(past->history);
    free(past->out.data);
    free(past->page);
    free(past);
}

static const struct past_kind *kind_of(const struct request *request);

/* ---- The text that is made ---- */

/* Makes room for so many bytes more. */
static bool grow(struct text *out, size_t more, struct refusal *why) {
    size_t needed = out->length + more;
    if (out->data && needed <= out->size)
        return true;
    if (needed > LOG_MAX)
        return refuse(why, "TOO_LARGE", "This world's log is too long");
    char *larger = realloc(out->data, needed);
    if (!larger)
        return refuse_no_memory(why);
    out->data = larger;
    out->size = needed;
    return true;
}

static struct reads_key key_of(const struct request *request, uint64_t chain) {
    const struct past_kind *kind = kind_of(request);
    return (struct reads_key){.code = request->code,
                              .kind = kind->name,
                              .id = kind->one_persons ? request->session.id : "",
                              .chain = chain};
}

static bool answer_text(struct request *request, struct span text) {
    return request_answer(
        request,
        &(struct http_answer){.status = 200, .type = kind_of(request)->type, .body = text});
}

/* What was made stays for whoever asks for the same. */
static bool answer_made(struct request *request, struct refusal *why) {
    struct past *past = request->past;
    struct reads_key key = key_of(request, past->chain);
    struct span text = {past->out.data, past->out.length};
    if (!kind_of(request)->differs) {
        past->out.data = NULL;
        text = reads_keep(request->app->reads, &key, text);
    }
    return answer_text(request, text);
}

/* ---- Lines, on another thread ---- */

/* Appends what an entry told, if anything, to what those before it told. */
static bool history_line(struct past *past, struct span line, struct refusal *why) {
    struct text *out = &past->out;
    if (!grow(out, WORLD_HISTORY_LINE_SIZE, why))
        return false;
    struct json json = json_in(out->data + out->length + 1, out->size - out->length - 1);
    if (!world_history_line(past->history, line, &json, why))
        return false;
    ensure(json_complete(&json));
    if (json.text.length == 0)
        return true;
    out->data[out->length] = out->data[out->length - 1] == '[' ? ' ' : ',';
    out->length += 1 + json.text.length;
    return true;
}

static void fold_page(struct request *request) {
    struct past *past = request->past;
    struct span page = {past->page, past->page_length};
    past->good = past->history || grow(&past->out, past->page_length + PAGE_MORE, &past->why);
    while (past->good && page.length > 0) {
        struct span line = span_take_until(&page, '\n');
        past->good = past->history ? history_line(past, line, &past->why)
                                   : world_export_line(past->export, line, &past->out, &past->why);
    }
    if (past->good && past->history && !past->more)
        past->good = grow(&past->out, 4, &past->why);
}

/* ---- Pages ---- */

static request_step load_page;

static bool on_folded(struct request *request, struct refusal *why) {
    struct past *past = request->past;
    free(past->page);
    past->page = NULL;
    *why = past->why;
    if (!past->good || past->more)
        return past->good && load_page(request, why);
    if (past->history)
        text_string(&past->out, "]}");
    return answer_made(request, why);
}

/* Copies the lines up to the version that is told of: what a reply points to does not last. */
static bool copy_page(struct past *past, const struct store_reply *reply, struct refusal *why) {
    size_t size = 0, count = 0;
    while (count < reply->count && reply->entries[count].version <= past->world.version)
        size += reply->entries[count++].text.length + 1;
    past->page = malloc(size + 1);
    if (!past->page)
        return refuse_no_memory(why);
    past->page_length = 0;
    for (size_t i = 0; i < count; i++) {
        struct span text = reply->entries[i].text;
        memcpy(past->page + past->page_length, text.data, text.length);
        past->page_length += text.length;
        past->page[past->page_length++] = '\n';
    }
    past->last = count > 0 ? reply->entries[count - 1].version : past->world.version;
    past->more = reply->more && past->last < past->world.version;
    return true;
}

static void on_page(void *arg, const struct store_reply *reply) {
    struct request *request = arg;
    struct refusal why = reply->why;
    if (reply->outcome == STORE_OK && copy_page(request->past, reply, &why))
        reads_work(request, fold_page, on_folded);
    else
        request_refuse(request, &why);
}

static bool load_page(struct request *request, struct refusal *why) {
    return store_load(request->app->store, span_of(request->code), request->past->last, on_page,
                      request, why);
}

/* ---- The record ---- */

static bool begin_log(struct request *request, struct refusal *why) {
    struct past *past = request->past;
    past->export = malloc(sizeof *past->export);
    if (!past->export)
        return refuse_no_memory(why);
    world_export_begin(past->export, &past->world);
    return true;
}

/* ---- As it was told ---- */

static bool begin_history(struct request *request, struct refusal *why) {
    struct past *past = request->past;
    past->history = malloc(sizeof *past->history);
    if (!past->history || !grow(&past->out, 64, why))
        return refuse_no_memory(why);
    world_history_begin(past->history, &past->world, span_of(request->session.id));
    text_string(&past->out, "{\"version\":");
    text_number(&past->out, past->world.version);
    text_string(&past->out, ",\"entries\":[");
    return true;
}

/* ---- Saves ---- */

static bool may_save(const struct request *request, struct refusal *why) {
    return save_world_may(room_world(request->room), span_of(request->session.id), why);
}

static bool begin_save(struct request *request, struct refusal *why) {
    struct past *past = request->past;
    past->now_ms = rooms_now(request->app->rooms);
    randombytes_buf(past->other_seed, sizeof past->other_seed);
    return grow(&past->out, SAVE_TEXT_SIZE, why);
}

static void write_save(struct request *request) {
    struct past *past = request->past;
    struct save *save = reserve_calloc(1, sizeof *save);
    save_of_world(&past->world, past->now_ms, past->other_seed, save);
    ensure(save_write(save, past->out.data, past->out.size));
    past->out.length = strlen(past->out.data);
    free(save);
}

/* HF-C48: the cards of a person who plays alone are in the save, and the seed of all others. */
static bool must_note_save(const struct world *world) {
    return save_world_tells_deals(world) && !world->saved && !world->deals_anew;
}

static bool make_save(struct request *request, struct refusal *why) {
    return reads_work(request, write_save, answer_made);
}

/* ---- The steps that are the same for all ---- */

static const struct past_kind kinds[] = {
    {"log", "text/plain; charset=utf-8", false, false, request_may_see, NULL, begin_log, load_page},
    {"history", "application/json", true, false, request_may_see, NULL, begin_history, load_page},
    {"save", "application/json", true, true, may_save, must_note_save, begin_save, make_save},
};

static const struct past_kind *kind_of(const struct request *request) {
    request_step *run = request->route->run;
    return &kinds[run == route_get_log ? 0 : run == route_get_history ? 1 : 2];
}

/* The world as it was taken is durable. If it could not be kept, the present one is told of. */
static void on_durable(void *arg, const struct room_failure *failure) {
    struct request *request = arg;
    if (failure)
        request_fail(request, failure);
    else
        request_take(request, kind_of(request)->make);
}

/* What was made before of the world as it stands; null data if there is nothing. */
static struct span find_kept(const struct request *request) {
    struct reads_key key = key_of(request, room_chain(request->room));
    return room_is_durable(request->room) ? reads_kept(request->app->reads, &key)
                                          : (struct span){0};
}

static bool take_world(struct request *request, struct refusal *why) {
    past_free(request->past);
    request->past = calloc(1, sizeof *request->past);
    if (!request->past)
        return refuse_no_memory(why);
    request->past->world = *room_world(request->room);
    request->past->chain = room_chain(request->room);
    return kind_of(request)->begin(request, why);
}

static void on_noted(void *arg, const struct room_failure *failure) {
    struct request *request = arg;
    if (failure)
        request_fail(request, failure);
    else
        request_find_again(request);
}

static bool make(struct request *request, struct refusal *why) {
    const struct past_kind *kind = kind_of(request);
    struct world_action save = {.id = span_of(request->session.id), .words = span_of("save")};
    if (!kind->may(request, why)) /* it may have moved on meanwhile */
        return false;
    if (kind->note && kind->note(room_world(request->room)))
        return room_act(request->room, &save, on_noted, request, why) != WORLD_REFUSED;
    struct span kept = find_kept(request);
    if (kept.data)
        return answer_text(request, kept);
    if (!take_world(request, why))
        return false;
    room_when_durable(request->room, on_durable, request);
    return true;
}

static bool on_turn(struct request *request, struct refusal *why) {
    request->with_room = make;
    request_find_again(request);
    return true;
}

static bool read_past(struct request *request, int64_t units, struct refusal *why) {
    if (!kind_of(request)->may(request, why))
        return false;
    struct span kept = find_kept(request);
    return kept.data ? reads_charge(request, 1, why) && answer_text(request, kept)
                     : reads_wait(request, units, on_turn, why);
}

/* All entries of a log are read. */
static int64_t units_of_log(const struct request *request) {
    return 1 + room_world(request->room)->version / READS_ENTRIES_A_UNIT;
}

bool route_get_log(struct request *request, struct refusal *why) {
    return read_past(request, units_of_log(request), why);
}

bool route_get_history(struct request *request, struct refusal *why) {
    return read_past(request, units_of_log(request), why);
}

bool route_get_save(struct request *request, struct refusal *why) {
    return read_past(request, SAVE_UNITS, why);
}
