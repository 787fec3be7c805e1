/* Makes commands of requests. Numbers travel as decimal text, hashes of tokens and chains as
 * hex. */
#include "engine/ensure.h"
#include "store/figures.h"
#include "store/redis.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KEPT_MS "2592000000" /* 30 days: how long an exported world can still be read */

/* How long it is known which worlds a person visited: longer than any world is kept in which
 * nothing happens. */
#define VISITS_KEPT_MS (366 * INT64_C(86400000))

/* How many arguments an append has before its lines, and how many follow for what comes with it, as
 * lua/append.lua counts them. */
enum {
    APPEND_ARGUMENTS = 22,
    SUMMARY_ARGUMENTS = 5, /* and the members */
    MATCH_ARGUMENTS = 2,   /* and so many for each seat: */
    SEAT_ARGUMENTS = 5
};

_Static_assert(APPEND_ARGUMENTS + (int)STORE_ENTRIES_MAX + SUMMARY_ARGUMENTS +
                       (int)STORE_MEMBERS_MAX + MATCH_ARGUMENTS +
                       SEAT_ARGUMENTS * (int)STORE_SEATS_MAX <=
                   (int)REDIS_ARGUMENTS_MAX,
               "the largest append is one command");

static const struct span none;

/* ---- Shards ---- */

const char *redis_prefix(const struct redis_sender *sender, int shard) {
    /* The slots of these tags lie at even distances, so that any number of servers gets equal
     * shares. */
    static const char *const prefixes[REDIS_SHARDS] = {
        "oyster:{ma}:", "oyster:{qp}:", "oyster:{dj}:", "oyster:{wz}:",
        "oyster:{lg}:", "oyster:{pv}:", "oyster:{uh}:", "oyster:{iy}:",
        "oyster:{ly}:", "oyster:{ph}:", "oyster:{uv}:", "oyster:{yc}:",
        "oyster:{rz}:", "oyster:{qn}:", "oyster:{dt}:", "oyster:{ha}:"};
    return sender->shards == 1 ? "oyster:" : prefixes[shard];
}

static int shard_of(const struct redis_sender *sender, struct span code) {
    return (int)(store_chain(STORE_CHAIN_START, code) % (uint64_t)sender->shards);
}

struct redis_shards redis_shards_of(const struct redis_sender *sender,
                                    const struct request *request) {
    switch (request->kind) {
    case REQUEST_APPEND:
        return (struct redis_shards){shard_of(sender, request->append.code), 1};
    case REQUEST_REWRITE:
        return (struct redis_shards){shard_of(sender, request->rewrite.code), 1};
    case REQUEST_LOAD:
    case REQUEST_EXPORTED:
    case REQUEST_PUT_AWAY:
    case REQUEST_SEAT_FORGET:
        return (struct redis_shards){shard_of(sender, request->key), 1};
    case REQUEST_PLAYER_ADD: /* people are in the first */
    case REQUEST_PLAYER_DEVICES:
    case REQUEST_TRY:
    case REQUEST_PLAYER_SEEN:
    case REQUEST_PLAYER_BY_TOKEN:
    case REQUEST_PLAYER_BY_ID:
    case REQUEST_NOTE_PUT:
    case REQUEST_NOTES:
    case REQUEST_WALK_PLAYERS:
        return (struct redis_shards){0, 1};
    case REQUEST_WALK_WORLDS:
        return (struct redis_shards){request->walk.part, 1};
    case REQUEST_SAY: /* any server will do: a cluster passes what is published on to all */
        return (struct redis_shards){sender->shards, 1};
    default:
        return (struct redis_shards){0, sender->shards};
    }
}

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

/* Writes a place as it stands in sorted sets. */
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

/* Writes a time or a place, which may be beyond all others. */
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

/* A key, in up to three pieces after what all keys of the shard begin with. */
static void put_key(struct redis_command *command, const struct redis_sender *sender, int shard,
                    const char *before, struct span middle, const char *after) {
    char start[REDIS_WORD_SIZE];
    int length = snprintf(start, sizeof start, "%s%s", redis_prefix(sender, shard), before);
    ensure(length > 0 && (size_t)length < sizeof start);
    put_joined(command, start, middle, after);
}

static void put_world_keys(struct redis_command *command, const struct redis_sender *sender,
                           int shard, struct span code) {
    put_key(command, sender, shard, "{", code, "}");
    put_key(command, sender, shard, "{", code, "}:log");
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
        put(command, others_json(match->seats, match->seat_count, i, command->arena));
    }
}

/* The place of a new world. Places grow with time across all shards, and no two shards give the
 * same one. Within a shard the script makes sure that it is new. */
static int64_t next_place(struct redis_sender *sender, int shard) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t ticks = (int64_t)now.tv_sec * 10000 + now.tv_nsec / 100000;
    sender->last_place = ticks > sender->last_place ? ticks : sender->last_place + 1;
    return sender->last_place * REDIS_SHARDS + shard;
}

static void write_append(struct redis_command *command, struct redis_sender *sender, int shard,
                         const struct store_append *append, bool again) {
    const struct store_summary *summary = append->summary;
    const struct store_match *match = append->match;
    begin(command, sender, SCRIPT_APPEND, 3);
    put_world_keys(command, sender, shard, append->code);
    put_key(command, sender, shard, "due", none, "");
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
    put_number(command, summary ? SUMMARY_ARGUMENTS + (int64_t)summary->member_count : 0);
    put_number(command, match ? MATCH_ARGUMENTS + SEAT_ARGUMENTS * (int64_t)match->seat_count : 0);
    put_string(command, redis_prefix(sender, shard));
    put_number(command, append->expected_version == 0 ? next_place(sender, shard) : 0);
    put_number(command, REDIS_SHARDS); /* from one place of a shard to the next */
    put_number(command, sender->keep_worlds_ms == 0 ? 0 : sender->keep_worlds_ms + VISITS_KEPT_MS);
    ensure(command->count == APPEND_ARGUMENTS);
    for (size_t i = 0; i < append->count; i++)
        put(command, append->entries[i]);
    if (summary)
        put_summary(command, summary);
    if (match)
        put_match(command, match);
}

/* How many each shard has to give so that all together give `max`. A few too many do no harm where
 * this is used. */
static int64_t share_of(const struct redis_sender *sender, size_t max) {
    return ((int64_t)max + sender->shards - 1) / sender->shards;
}

static void write_archive(struct redis_command *command, const struct redis_sender *sender,
                          int shard, const struct store_ages *ages) {
    begin(command, sender, SCRIPT_ARCHIVE, 3);
    put_key(command, sender, shard, "over", none, "");
    put_key(command, sender, shard, "open", none, "");
    put_key(command, sender, shard, "due", none, "");
    put_number(command, ages->over_before_ms);
    put_number(command, ages->idle_before_ms);
    put_number(command, share_of(sender, ages->max));
    put_number(command, sender->keep_worlds_ms);
    put_string(command, redis_prefix(sender, shard));
    put_number(command, ages->now_ms);
}

static struct span hex_of(struct redis_command *command, const void *bytes, size_t size) {
    struct redis_command hex = {.arena = command->arena};
    put_hex(&hex, bytes, size);
    return (struct span){hex.part[0], hex.length[0]};
}

static void write_player_add(struct redis_command *command, const struct redis_sender *sender,
                             int shard, const struct store_player *player, bool again) {
    begin(command, sender, SCRIPT_PLAYER_ADD, 1);
    put_key(command, sender, shard, "player:", player->id, "");
    put(command, player->id);
    put(command, player->name);
    put_number(command, player->created_ms);
    put_number(command, player->seen_ms);
    put(command, player->devices);
    put_string(command, again ? "1" : "0");
    put_number(command, sender->keep_people_ms);
    put_string(command, redis_prefix(sender, shard));
}

static struct span token_or_none(struct redis_command *command, const uint8_t *token_hash) {
    return token_hash ? hex_of(command, token_hash, STORE_TOKEN_SIZE) : none;
}

static void write_player_devices(struct redis_command *command, const struct redis_sender *sender,
                                 int shard, const struct store_devices *devices, bool again) {
    static const char *const words[] = {[STORE_DROP_NONE] = "none",
                                        [STORE_DROP_ONE] = "one",
                                        [STORE_DROP_OTHERS] = "others",
                                        [STORE_DROP_LINKS] = "links",
                                        [STORE_DROP_ALL] = "all"};
    begin(command, sender, SCRIPT_PLAYER_DEVICES, 1);
    put_key(command, sender, shard, "player:", devices->player, "");
    put(command, devices->player);
    put_string(command, words[devices->drop]);
    put(command, token_or_none(command, devices->token_hash));
    put(command, devices->add);
    put_string(command, again ? "1" : "0");
    put_number(command, sender->keep_people_ms);
    put_string(command, redis_prefix(sender, shard));
}

static void write_player_seen(struct redis_command *command, const struct redis_sender *sender,
                              int shard, const struct request *request) {
    begin(command, sender, SCRIPT_PLAYER_SEEN, 1);
    put_key(command, sender, shard, "player:", request->key, "");
    put(command, request->key);
    put(command, request->name);
    put_number(command, request->number);
    put(command, token_or_none(command, request->devices.token_hash));
    put_number(command, sender->keep_people_ms);
    put_string(command, redis_prefix(sender, shard));
}

/* All lines as one argument, since there may be very many. */
static struct span joined_lines(struct redis_command *command,
                                const struct store_rewrite *rewrite) {
    size_t size = 1;
    for (size_t i = 0; i < rewrite->count; i++)
        size += rewrite->entries[i].text.length + 24;
    struct text text;
    text_begin(&text, arena_take(command->arena, size), size);
    for (size_t i = 0; i < rewrite->count; i++) {
        text_number(&text, rewrite->entries[i].version);
        text_char(&text, ' ');
        text_span(&text, rewrite->entries[i].text);
        text_char(&text, '\n');
    }
    ensure(!text.cut);
    return (struct span){text.data, text.length};
}

static void write_rewrite(struct redis_command *command, const struct redis_sender *sender,
                          int shard, const struct store_rewrite *rewrite) {
    begin(command, sender, SCRIPT_REWRITE, 2);
    put_world_keys(command, sender, shard, rewrite->code);
    put_number(command, rewrite->version);
    put_chain(command, rewrite->chain);
    put_chain(command, rewrite->chain_after);
    put(command, rewrite->player);
    put(command, joined_lines(command, rewrite));
    put(command, rewrite->owner);
    put(command, rewrite->summary);
    put_string(command, rewrite->summary.data ? "1" : "0");
    put_string(command, redis_prefix(sender, shard));
    put(command, rewrite->name);
}

static void write_load(struct redis_command *command, const struct redis_sender *sender, int shard,
                       const struct request *request) {
    begin(command, sender, SCRIPT_LOAD, 2);
    put_world_keys(command, sender, shard, request->key);
    put_number(command, request->number);
    put_number(command, STORE_LOAD_MAX);
}

static void write_due(struct redis_command *command, const struct redis_sender *sender, int shard,
                      const struct request *request) {
    bool claims = request->kind == REQUEST_CLAIM;
    begin(command, sender, SCRIPT_DUE, 1);
    put_key(command, sender, shard, "due", none, "");
    put_bound(command, claims ? INT64_MIN : request->after_ms);
    put_place(command, request->after_place);
    put_bound(command, request->number);
    put_number(command, claims ? share_of(sender, request->max) : (int64_t)request->max);
    if (claims)
        put_number(command, request->claim_ms);
    else
        put_string(command, "");
    put_number(command, request->lease_ms);
    put_string(command, redis_prefix(sender, shard));
}

static void write_list(struct redis_command *command, const struct redis_sender *sender, int shard,
                       const struct request *request) {
    begin(command, sender, SCRIPT_LIST, 1);
    if (request->kind == REQUEST_LIST_OF_PLAYER)
        put_key(command, sender, shard, "player:", request->key, ":worlds");
    else if (request->kind == REQUEST_LIST_VISITED)
        put_key(command, sender, shard, "player:", request->key, ":visits");
    else if (request->key.length > 0)
        put_key(command, sender, shard, "public:", request->key, "");
    else
        put_key(command, sender, shard, "public", none, "");
    put_bound(command, request->number);
    put_number(command, (int64_t)request->max);
    put_string(command, redis_prefix(sender, shard));
}

static void write_player(struct redis_command *command, const struct redis_sender *sender,
                         int shard, const struct request *request) {
    bool by_id = request->kind == REQUEST_PLAYER_BY_ID;
    begin(command, sender, SCRIPT_PLAYER, 1);
    if (by_id)
        put_key(command, sender, shard, "player:", request->key, "");
    else
        put_key(command, sender, shard,
                "token:", hex_of(command, request->key.data, request->key.length), "");
    put(command, by_id ? request->key : none);
    put_string(command, redis_prefix(sender, shard));
}

static struct span record_text(const struct store_record *record, struct arena *arena) {
    size_t size = 128 + record->figure_count * (6 * STORE_WORD_MAX + 32);
    char *buffer = arena_take(arena, size);
    int start = snprintf(buffer, size, "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n",
                         record->played, record->won, record->points, record->best);
    struct json json;
    json_begin(&json, buffer + start, size - (size_t)start);
    json_put_object(&json, NULL);
    for (size_t i = 0; i < record->figure_count; i++)
        figures_put(&json, record->figures[i].name, record->figures[i].value);
    json_put_end(&json);
    ensure(json_complete(&json));
    return (struct span){buffer, (size_t)start + json.text.length};
}

static void write_earlier(struct redis_command *command, const struct redis_sender *sender,
                          int shard, const struct request *request) {
    begin(command, sender, SCRIPT_EARLIER, 1);
    put_key(command, sender, shard, "player:", request->key, "");
    put_string(command, redis_prefix(sender, shard));
    for (size_t i = 0; shard == 0 && i < request->record_count; i++) {
        put(command, request->records[i].game);
        put(command, record_text(&request->records[i], command->arena));
    }
}

static void put_notes_key(struct redis_command *command, const struct redis_sender *sender,
                          int shard, struct span owner) {
    if (owner.length > 0)
        put_key(command, sender, shard, "player:", owner, ":notes");
    else
        put_key(command, sender, shard, "notes", none, "");
}

static void write_note(struct redis_command *command, const struct redis_sender *sender, int shard,
                       const struct request *request, bool again) {
    begin(command, sender, SCRIPT_NOTE, 1);
    put_notes_key(command, sender, shard, request->key);
    put(command, request->key);
    put(command, request->note.name);
    put(command, request->note.text);
    put_string(command, request->fresh ? "1" : "0");
    put_string(command, again ? "1" : "0");
    put_number(command, STORE_NOTES_MAX);
    put_number(command, sender->keep_people_ms);
    put_string(command, redis_prefix(sender, shard));
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

void redis_write_command(struct redis_sender *sender, const struct request *request, int shard,
                         bool again, struct redis_command *command) {
    switch (request->kind) {
    case REQUEST_APPEND:
        write_append(command, sender, shard, &request->append, again);
        return;
    case REQUEST_ARCHIVE:
        write_archive(command, sender, shard, &request->ages);
        return;
    case REQUEST_PLAYER_ADD:
        write_player_add(command, sender, shard, &request->player, again);
        return;
    case REQUEST_PLAYER_DEVICES:
        write_player_devices(command, sender, shard, &request->devices, again);
        return;
    case REQUEST_PLAYER_ERASE:
        begin(command, sender, SCRIPT_PLAYER_ERASE, 1);
        put_key(command, sender, shard, "player:", request->key, "");
        put_string(command, redis_prefix(sender, shard));
        return;
    case REQUEST_PLAYER_FORGET:
        begin(command, sender, SCRIPT_PLAYER_FORGET, 1);
        put_key(command, sender, shard, "player:", request->key, "");
        return;
    case REQUEST_REWRITE:
        write_rewrite(command, sender, shard, &request->rewrite);
        return;
    case REQUEST_TRY: /* only of stores that are not shared */
    case REQUEST_PLAYER_SEEN:
        write_player_seen(command, sender, shard, request);
        return;
    case REQUEST_SAY:
        write_say(command, sender, request);
        return;
    case REQUEST_LOAD:
        write_load(command, sender, shard, request);
        return;
    case REQUEST_CLAIM:
    case REQUEST_DUE:
        write_due(command, sender, shard, request);
        return;
    case REQUEST_LIST_PUBLIC:
    case REQUEST_LIST_OF_PLAYER:
    case REQUEST_LIST_VISITED:
        write_list(command, sender, shard, request);
        return;
    case REQUEST_PLAYER_BY_TOKEN:
    case REQUEST_PLAYER_BY_ID:
        write_player(command, sender, shard, request);
        return;
    case REQUEST_FINISHED:
        begin(command, sender, SCRIPT_FINISHED, 1);
        put_key(command, sender, shard, "finished", none, "");
        put_number(command, (int64_t)request->max);
        put_string(command, redis_prefix(sender, shard));
        return;
    case REQUEST_EXPORTED:
        begin(command, sender, SCRIPT_EXPORTED, 2);
        put_world_keys(command, sender, shard, request->key);
        put_number(command, request->number);
        put_string(command, KEPT_MS);
        put_string(command, redis_prefix(sender, shard));
        return;
    case REQUEST_PLAYER_RECORDS:
    case REQUEST_PLAYER_EARLIER:
        begin(command, sender, SCRIPT_RECORDS, 1);
        put_key(command, sender, shard, "player:", request->key, "");
        put_number(command, (int64_t)request->max);
        put_number(command, request->kind == REQUEST_PLAYER_EARLIER);
        put_string(command, redis_prefix(sender, shard));
        return;
    case REQUEST_PUT_AWAY:
        begin(command, sender, SCRIPT_PUT_AWAY, 2);
        put_key(command, sender, shard, "{", request->key, "}");
        put_key(command, sender, shard, "due", none, "");
        put(command, request->key);
        put_number(command, request->number);
        put_string(command, redis_prefix(sender, shard));
        return;
    case REQUEST_SEAT_FORGET:
        begin(command, sender, SCRIPT_SEAT_FORGET, 1);
        put_key(command, sender, shard, "{", request->key, "}");
        put(command, request->key);
        put_number(command, request->number);
        put_number(command, (int64_t)request->max);
        put_string(command, redis_prefix(sender, shard));
        return;
    case REQUEST_NOTE_PUT:
        write_note(command, sender, shard, request, again);
        return;
    case REQUEST_NOTES:
        put_string(command, "HGETALL");
        put_notes_key(command, sender, shard, request->key);
        return;
    case REQUEST_SET_EARLIER:
        write_earlier(command, sender, shard, request);
        return;
    case REQUEST_WALK_WORLDS:
    case REQUEST_WALK_PLAYERS:
        begin(command, sender,
              request->kind == REQUEST_WALK_WORLDS ? SCRIPT_WALK_WORLDS : SCRIPT_WALK_PLAYERS, 1);
        put_key(command, sender, shard, "due", none, "");
        put_number(command, request->walk.after);
        put_number(command, (int64_t)request->max);
        put_number(command, request->look);
        put_string(command, redis_prefix(sender, shard));
        return;
    }
}
