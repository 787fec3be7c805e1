/* Commands of requests, and answers of replies. Numbers travel as decimal text, hashes of tokens
 * and chains as hex. */
#include "engine/ensure.h"
#include "store/figures.h"
#include "store/redis.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEPT_MS "2592000000" /* 30 days: how long an archived world can still be read */

/* ---- Putting a command together ---- */

static void put(struct redis_command *command, struct span part) {
    ensure(command->count < REDIS_ARGUMENTS_MAX);
    command->part[command->count] = part.length > 0 ? part.data : "";
    command->length[command->count++] = part.length;
}

static void put_string(struct redis_command *command, const char *string) {
    put(command, span_of(string));
}

static void put_number(struct redis_command *command, int64_t number) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRId64, number);
    put(command, arena_span(command->arena, (struct span){digits, (size_t)length}));
}

/* As it stands in sorted sets. */
static void put_place(struct redis_command *command, int64_t place) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%016" PRId64, place);
    put(command, arena_span(command->arena, (struct span){digits, (size_t)length}));
}

static void put_hex(struct redis_command *command, const void *bytes, size_t size) {
    char hex[2 * STORE_TOKEN_SIZE + 1];
    struct text text;
    text_begin(&text, hex, sizeof hex);
    text_hex(&text, bytes, size);
    ensure(!text.cut);
    put(command, arena_span(command->arena, (struct span){hex, text.length}));
}

static void put_chain(struct redis_command *command, uint64_t chain) {
    char hex[24];
    int length = chain == 0 ? 0 : snprintf(hex, sizeof hex, "%016" PRIx64, chain);
    put(command, arena_span(command->arena, (struct span){hex, (size_t)length}));
}

/* A time or a place that may be beyond all others. */
static void put_bound(struct redis_command *command, int64_t bound) {
    if (bound == INT64_MIN)
        put_string(command, "-inf");
    else if (bound >= STORE_NEVER - 1)
        put_string(command, "+inf");
    else
        put_number(command, bound);
}

/* Up to three spans as one. */
static void put_joined(struct redis_command *command, const char *before, struct span middle,
                       const char *after) {
    size_t lengths[] = {strlen(before), middle.length, strlen(after)};
    size_t total = lengths[0] + lengths[1] + lengths[2];
    char *joined = arena_take(command->arena, total + 1);
    memcpy(joined, before, lengths[0]);
    if (middle.length > 0)
        memcpy(joined + lengths[0], middle.data, middle.length);
    memcpy(joined + lengths[0] + lengths[1], after, lengths[2]);
    put(command, (struct span){joined, total});
}

static void begin(struct redis_command *command, const struct redis_sender *sender,
                  enum script script, int keys) {
    put_string(command, "EVALSHA");
    put_string(command, sender->hash[script]);
    put_number(command, keys);
}

void redis_channel(int database, struct span code, char out[REDIS_CHANNEL_SIZE]) {
    int length = snprintf(out, REDIS_CHANNEL_SIZE, "oyster:%d:%.*s", database, (int)code.length,
                          code.length > 0 ? code.data : "");
    ensure(length > 0 && length < REDIS_CHANNEL_SIZE);
}

static void put_channel(struct redis_command *command, const struct redis_sender *sender,
                        struct span code) {
    char channel[REDIS_CHANNEL_SIZE];
    redis_channel(sender->database, code, channel);
    put(command, arena_span(command->arena, span_of(channel)));
}

/* ---- Each request ---- */

static uint64_t chain_after(const struct store_append *append) {
    uint64_t chain = append->chain;
    for (size_t i = 0; chain != 0 && i < append->count; i++)
        chain = store_chain(chain, append->entries[i]);
    return chain;
}

static void put_summary(struct redis_command *command, const struct store_summary *summary) {
    put(command, summary->game);
    put(command, summary->owner);
    put_number(command, summary->status);
    put_number(command, summary->is_public);
    put(command, summary->text);
    for (size_t i = 0; i < summary->member_count; i++)
        put(command, summary->members[i]);
}

static void put_match(struct redis_command *command, const struct store_match *match) {
    put_number(command, match->number);
    put_number(command, match->over);
    for (size_t i = 0; i < match->seat_count; i++) {
        put(command, match->seats[i].player);
        put_number(command, match->seats[i].score);
        put_number(command, match->seats[i].won);
        put(command, figures_json(match->figures, match->figure_count, match->seats[i].figures,
                                  command->arena));
    }
}

static void write_append(struct redis_command *command, const struct redis_sender *sender,
                         const struct store_append *append, bool again) {
    const struct store_summary *summary = append->summary;
    const struct store_match *match = append->match;
    begin(command, sender, SCRIPT_APPEND, 3);
    put_joined(command, "oyster:{", append->code, "}");
    put_joined(command, "oyster:{", append->code, "}:log");
    put_string(command, "oyster:due");
    put(command, append->code);
    put_number(command, append->expected_version);
    put_number(command, (int64_t)append->count);
    put_number(command, append->now_ms);
    if (append->due_ms == STORE_NEVER)
        put_string(command, "");
    else
        put_number(command, append->due_ms);
    put_chain(command, append->chain);
    put_chain(command, chain_after(append));
    put_string(command, again ? "1" : "0");
    put_channel(command, sender, append->code);
    put_string(command, sender->tag);
    put_number(command, summary ? 5 + (int64_t)summary->member_count : 0);
    put_number(command, match ? 2 + 4 * (int64_t)match->seat_count : 0);
    for (size_t i = 0; i < append->count; i++)
        put(command, append->entries[i]);
    if (summary)
        put_summary(command, summary);
    if (match)
        put_match(command, match);
}

static void write_archive(struct redis_command *command, const struct redis_sender *sender,
                          const struct store_ages *ages) {
    begin(command, sender, SCRIPT_ARCHIVE, 0);
    put_number(command, ages->over_before_ms);
    put_number(command, ages->idle_before_ms);
    put_number(command, (int64_t)ages->max);
    put_string(command, KEPT_MS);
}

static void write_player_add(struct redis_command *command, const struct redis_sender *sender,
                             const struct store_player *player, bool again) {
    begin(command, sender, SCRIPT_PLAYER_ADD, 2);
    put_joined(command, "oyster:player:", player->id, "");
    int token = command->count + 1 + 2;
    put_string(command, ""); /* the key of the token, below */
    put(command, player->id);
    put(command, player->name);
    put_hex(command, player->token_hash, STORE_TOKEN_SIZE);
    put_number(command, player->created_ms);
    put_number(command, player->seen_ms);
    put_string(command, again ? "1" : "0");
    struct redis_command key = {.arena = command->arena};
    put_joined(&key, "oyster:token:", (struct span){command->part[token], command->length[token]},
               "");
    command->part[token - 3] = key.part[0];
    command->length[token - 3] = key.length[0];
}

static void write_load(struct redis_command *command, const struct redis_sender *sender,
                       const struct request *request) {
    begin(command, sender, SCRIPT_LOAD, 2);
    put_joined(command, "oyster:{", request->key, "}");
    put_joined(command, "oyster:{", request->key, "}:log");
    put_number(command, request->number);
    put_number(command, STORE_LOAD_MAX);
}

static void write_due(struct redis_command *command, const struct redis_sender *sender,
                      const struct request *request) {
    bool claims = request->kind == REQUEST_CLAIM;
    begin(command, sender, SCRIPT_DUE, 1);
    put_string(command, "oyster:due");
    put_bound(command, claims ? INT64_MIN : request->after_ms);
    put_place(command, request->after_place);
    put_bound(command, request->number);
    put_number(command, (int64_t)request->max);
    if (claims)
        put_number(command, request->claim_ms);
    else
        put_string(command, "");
    put_number(command, request->lease_ms);
}

static void write_list(struct redis_command *command, const struct redis_sender *sender,
                       const struct request *request) {
    begin(command, sender, SCRIPT_LIST, 1);
    if (request->kind == REQUEST_LIST_OF_PLAYER)
        put_joined(command, "oyster:player:", request->key, ":worlds");
    else if (request->key.length > 0)
        put_joined(command, "oyster:public:", request->key, "");
    else
        put_string(command, "oyster:public");
    put_bound(command, request->number);
    put_number(command, (int64_t)request->max);
}

static void write_player(struct redis_command *command, const struct redis_sender *sender,
                         const struct request *request) {
    begin(command, sender, SCRIPT_PLAYER, 0);
    if (request->kind == REQUEST_PLAYER_BY_ID) {
        put(command, request->key);
        return;
    }
    put_string(command, "");
    put_hex(command, request->key.data, request->key.length);
}

static void write_say(struct redis_command *command, const struct redis_sender *sender,
                      const struct request *request) {
    put_string(command, "PUBLISH");
    put_channel(command, sender, request->key);
    put_joined(command, "say ", span_of(sender->tag), " 0\n");
    int last = command->count - 1;
    struct span top = {command->part[last], command->length[last]};
    command->count = last;
    char *joined = arena_take(command->arena, top.length + request->name.length);
    memcpy(joined, top.data, top.length);
    memcpy(joined + top.length, request->name.data, request->name.length);
    put(command, (struct span){joined, top.length + request->name.length});
}

void redis_write_command(const struct redis_sender *sender, const struct request *request,
                         bool again, struct redis_command *command) {
    switch (request->kind) {
    case REQUEST_APPEND:
        write_append(command, sender, &request->append, again);
        return;
    case REQUEST_ARCHIVE:
        write_archive(command, sender, &request->ages);
        return;
    case REQUEST_PLAYER_ADD:
        write_player_add(command, sender, &request->player, again);
        return;
    case REQUEST_PLAYER_SEEN:
        begin(command, sender, SCRIPT_PLAYER_SEEN, 1);
        put_joined(command, "oyster:player:", request->key, "");
        put(command, request->name);
        put_number(command, request->number);
        return;
    case REQUEST_SAY:
        write_say(command, sender, request);
        return;
    case REQUEST_LOAD:
        write_load(command, sender, request);
        return;
    case REQUEST_CLAIM:
    case REQUEST_DUE:
        write_due(command, sender, request);
        return;
    case REQUEST_LIST_PUBLIC:
    case REQUEST_LIST_OF_PLAYER:
        write_list(command, sender, request);
        return;
    case REQUEST_PLAYER_BY_TOKEN:
    case REQUEST_PLAYER_BY_ID:
        write_player(command, sender, request);
        return;
    case REQUEST_PLAYER_RECORDS:
        begin(command, sender, SCRIPT_RECORDS, 1);
        put_joined(command, "oyster:player:", request->key, ":results");
        put_number(command, (int64_t)request->max);
        return;
    }
}

/* ---- Replies ---- */

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

/* As the scripts' `row` gives it; false if there is none. */
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
    return true;
}

static bool read_worlds(struct store_reply *out, const redisReply *reply, struct arena *arena) {
    if (!is_list(reply, 2) || !is_list(reply->element[1], 0))
        return false;
    const redisReply *rows = reply->element[1];
    struct store_world *worlds = arena_take(arena, rows->elements * sizeof *worlds + 1);
    for (size_t i = 0; i < rows->elements; i++)
        out->count += read_world(rows->element[i], &worlds[out->count], arena);
    out->worlds = worlds;
    out->more = number_of(reply->element[0], 0) != 0;
    return true;
}

static bool read_load(struct request *request, const redisReply *reply, struct arena *arena) {
    struct store_world *world = arena_take(arena, sizeof *world);
    struct store_reply *out = &request->reply;
    if (reply->type == REDIS_REPLY_NIL) {
        out->outcome = STORE_MISSING;
        return true;
    }
    if (!is_list(reply, 2) || !read_world(reply->element[0], world, arena) ||
        !is_list(reply->element[1], 0))
        return false;
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

static bool read_token(const redisReply *hex, uint8_t out[STORE_TOKEN_SIZE]) {
    if (hex->type != REDIS_REPLY_STRING || hex->len != 2 * STORE_TOKEN_SIZE)
        return false;
    for (size_t i = 0; i < STORE_TOKEN_SIZE; i++) {
        char digits[3] = {hex->str[2 * i], hex->str[2 * i + 1], '\0'};
        out[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return true;
}

static bool read_player(struct store_reply *out, const redisReply *reply, struct arena *arena) {
    if (reply->type == REDIS_REPLY_NIL) {
        out->outcome = STORE_MISSING;
        return true;
    }
    struct store_player *player = arena_take(arena, sizeof *player);
    uint8_t *token = arena_take(arena, STORE_TOKEN_SIZE);
    if (!is_list(reply, 5) || !read_token(reply->element[2], token))
        return false;
    *player = (struct store_player){.id = text_of(reply->element[0], arena),
                                    .name = text_of(reply->element[1], arena),
                                    .token_hash = token,
                                    .created_ms = number_of(reply->element[3], 0),
                                    .seen_ms = number_of(reply->element[4], 0)};
    out->players = player;
    out->count = 1;
    return true;
}

static void read_figures(struct store_record *record, const redisReply *list, struct arena *arena) {
    record->figure_count = list->elements / 2;
    struct store_stat *figures = arena_take(arena, record->figure_count * sizeof *figures + 1);
    for (size_t i = 0; i < record->figure_count; i++)
        figures[i] = (struct store_stat){text_of(list->element[2 * i], arena),
                                         number_of(list->element[2 * i + 1], 0)};
    record->figures = figures;
}

static bool read_finished(struct store_reply *out, const redisReply *reply, struct arena *arena) {
    struct store_finished *finished = arena_take(arena, reply->elements * sizeof *finished + 1);
    for (size_t i = 0; i < reply->elements; i++) {
        const redisReply *row = reply->element[i];
        if (!is_list(row, 5))
            return false;
        finished[i] = (struct store_finished){.game = text_of(row->element[0], arena),
                                              .ended_ms = number_of(row->element[1], 0),
                                              .score = (int32_t)number_of(row->element[2], 0),
                                              .won = number_of(row->element[3], 0) != 0,
                                              .figures = text_of(row->element[4], arena)};
    }
    out->finished = finished;
    out->finished_count = reply->elements;
    return true;
}

static bool read_records(struct store_reply *out, const redisReply *reply, struct arena *arena) {
    if (!is_list(reply, 2) || !is_list(reply->element[0], 0) || !is_list(reply->element[1], 0))
        return false;
    const redisReply *list = reply->element[0];
    struct store_record *records = arena_take(arena, list->elements * sizeof *records + 1);
    for (size_t i = 0; i < list->elements; i++) {
        const redisReply *row = list->element[i];
        if (!is_list(row, 6) || !is_list(row->element[5], 0))
            return false;
        records[i] = (struct store_record){.game = text_of(row->element[0], arena),
                                           .played = number_of(row->element[1], 0),
                                           .won = number_of(row->element[2], 0),
                                           .points = number_of(row->element[3], 0),
                                           .best = number_of(row->element[4], 0)};
        read_figures(&records[i], row->element[5], arena);
    }
    out->records = records;
    out->count = list->elements;
    return read_finished(out, reply->element[1], arena);
}

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
    out->outcome = number_of(reply, 0) != 0 ? STORE_OK : otherwise;
    return reply->type == REDIS_REPLY_INTEGER;
}

bool redis_read_reply(struct request *request, const redisReply *reply, struct arena *arena) {
    struct store_reply *out = &request->reply;
    switch (request->kind) {
    case REQUEST_APPEND:
        return read_append(out, reply);
    case REQUEST_PLAYER_ADD:
        return read_flag(out, reply, STORE_CONFLICT);
    case REQUEST_PLAYER_SEEN:
        return read_flag(out, reply, STORE_MISSING);
    case REQUEST_SAY:
        return reply->type == REDIS_REPLY_INTEGER;
    case REQUEST_LOAD:
        return read_load(request, reply, arena);
    case REQUEST_ARCHIVE:
    case REQUEST_CLAIM:
    case REQUEST_DUE:
    case REQUEST_LIST_PUBLIC:
    case REQUEST_LIST_OF_PLAYER:
        return read_worlds(out, reply, arena);
    case REQUEST_PLAYER_BY_TOKEN:
    case REQUEST_PLAYER_BY_ID:
        return read_player(out, reply, arena);
    case REQUEST_PLAYER_RECORDS:
        return read_records(out, reply, arena);
    }
    return false;
}
