/* A store that forgets everything when the program ends: for tests, for trying things out, and as
 * the plainest reading of what store.h promises. Lists are made by looking at every world; how a
 * person did is counted when a game is written, so that reading it looks at no games.
 *
 * Nothing here can fail, so a transaction is never undone. Strings of worlds and people live in one
 * arena until the end; a world that changes its summary often leaves the old ones there. */
#include "engine/ensure.h"
#include "store/backend.h"
#include "store/figures.h"
#include "store/reserve.h"
#include "store/totals.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An array that grows; `items` points to elements of `size` bytes. */
struct list {
    void *items;
    size_t count, room;
};

static void *list_add(struct list *list, size_t size) {
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 8;
        list->items = reserve_realloc(list->items, list->room * size);
    }
    return memset((char *)list->items + size * list->count++, 0, size);
}

/* What records need to know of a game. */
struct match {
    int32_t number;
    struct span game;
    bool over;
    int64_t ended_ms;
    struct store_seat *seats;
    size_t seat_count;
    uint32_t forgotten; /* a bit for each seat whose person had their results deleted */
    struct span *figures;
    size_t figure_count;
};

struct world {
    struct store_world shown;
    struct list entries;  /* struct span */
    struct list matches;  /* struct match */
    struct list members;  /* struct span */
    struct list visitors; /* struct span: who ever was a member */
};

/* Finds the number of an element by its key. Open addressing; nothing is ever removed. */
struct index {
    struct index_slot {
        struct span key;
        size_t number; /* from 1; 0: empty */
    } * slots;
    size_t room, count;
};

/* A finished game that counts for the person at a seat. */
struct ended {
    struct world *world;
    size_t match, seat;
};

/* How a person did. Who is taken out of a world's log keeps what it counted for, as in every store,
 * until they are erased. */
struct person {
    struct span id;
    struct totals totals;  /* of the games that there are */
    struct totals earlier; /* of games whose worlds are gone */
    struct list ended;     /* struct ended, in the order in which they ended */
};

/* A note; one without a name is gone. */
struct kept_note {
    struct span owner;
    struct store_note note;
};

struct memory {
    struct arena strings;
    struct list worlds;  /* struct world * */
    struct list players; /* struct store_player */
    struct list people;  /* struct person */
    struct list notes;   /* struct kept_note */
    struct index by_code, by_id, by_token, by_person;
};

/* ---- Index ---- */

static struct index_slot *index_slot(const struct index *index, struct span key) {
    size_t at = (size_t)(hash_bytes(HASH_START, key.data, key.length) % index->room);
    while (index->slots[at].number != 0 && !span_equal(index->slots[at].key, key))
        at = (at + 1) % index->room;
    return &index->slots[at];
}

/* The element's number from 0, or -1. */
static ptrdiff_t index_find(const struct index *index, struct span key) {
    return index->room == 0 ? -1 : (ptrdiff_t)index_slot(index, key)->number - 1;
}

static void index_grow(struct index *index) {
    struct index old = *index;
    index->room = old.room ? 2 * old.room : 64;
    index->slots = reserve_calloc(index->room, sizeof *index->slots);
    for (size_t i = 0; i < old.room; i++)
        if (old.slots[i].number != 0)
            *index_slot(index, old.slots[i].key) = old.slots[i];
    free(old.slots);
}

static void index_add(struct index *index, struct span key, size_t number) {
    if (2 * (index->count + 1) > index->room)
        index_grow(index);
    *index_slot(index, key) = (struct index_slot){key, number + 1};
    index->count++;
}

/* ---- Worlds ---- */

static struct world *world_at(const struct memory *memory, size_t number) {
    return ((struct world **)memory->worlds.items)[number];
}

static struct world *world_find(const struct memory *memory, struct span code) {
    ptrdiff_t number = index_find(&memory->by_code, code);
    return number < 0 ? NULL : world_at(memory, (size_t)number);
}

static struct world *world_add(struct memory *memory, const struct store_append *append) {
    struct world *world = reserve_calloc(1, sizeof *world);
    *(struct world **)list_add(&memory->worlds, sizeof world) = world;
    world->shown.code = arena_span(&memory->strings, append->code);
    world->shown.place = (int64_t)memory->worlds.count;
    world->shown.created_ms = append->now_ms;
    index_add(&memory->by_code, world->shown.code, memory->worlds.count - 1);
    return world;
}

/* Copies only a text that changed, because the old one is not given back. */
static void replace(struct memory *memory, struct span *text, struct span with) {
    if (!span_equal(*text, with))
        *text = arena_span(&memory->strings, with);
}

static bool has(const struct list *spans, struct span text) {
    for (size_t i = 0; i < spans->count; i++)
        if (span_equal(((struct span *)spans->items)[i], text))
            return true;
    return false;
}

static void take_out(struct list *spans, struct span text) {
    struct span *items = spans->items;
    for (size_t i = 0; i < spans->count; i++)
        if (span_equal(items[i], text))
            items[i--] = items[--spans->count];
}

static void set_summary(struct memory *memory, struct world *world,
                        const struct store_summary *summary) {
    replace(memory, &world->shown.game, summary->game);
    replace(memory, &world->shown.owner, summary->owner);
    replace(memory, &world->shown.summary, summary->text);
    world->shown.status = summary->status;
    world->shown.is_public = summary->is_public;
    for (size_t i = 0; i < summary->member_count; i++) {
        if (i == world->members.count)
            list_add(&world->members, sizeof(struct span));
        replace(memory, (struct span *)world->members.items + i, summary->members[i]);
        if (!has(&world->visitors, summary->members[i]))
            *(struct span *)list_add(&world->visitors, sizeof(struct span)) =
                arena_span(&memory->strings, summary->members[i]);
    }
    world->members.count = summary->member_count;
}

/* ---- How people did ---- */

static struct person *person_find(const struct memory *memory, struct span id) {
    ptrdiff_t number = index_find(&memory->by_person, id);
    return number < 0 ? NULL : (struct person *)memory->people.items + number;
}

static struct person *person_of(struct memory *memory, struct span id) {
    struct person *person = person_find(memory, id);
    if (person)
        return person;
    person = list_add(&memory->people, sizeof *person);
    person->id = arena_span(&memory->strings, id);
    index_add(&memory->by_person, person->id, memory->people.count - 1);
    return person;
}

static struct match *match_of(const struct ended *ended) {
    return (struct match *)ended->world->matches.items + ended->match;
}

static void forget_records(struct person *person) {
    const struct ended *list = person->ended.items;
    for (size_t i = 0; i < person->ended.count; i++)
        match_of(&list[i])->forgotten |= (uint32_t)1 << list[i].seat;
    person->totals.count = person->earlier.count = person->ended.count = 0;
}

/* Adds what one game counts for, or, with a sign of -1, takes it off; the best score is not taken
 * off. */
static void add_game(struct totals *records, const struct match *match, size_t number, int sign,
                     struct arena *arena) {
    const struct store_seat *seat = &match->seats[number];
    struct store_stat figures[STORE_FIGURES_MAX];
    for (size_t i = 0; i < match->figure_count; i++)
        figures[i] = (struct store_stat){match->figures[i], (int64_t)sign * seat->figures[i]};
    totals_add(records,
               &(struct store_record){.game = match->game,
                                      .played = sign,
                                      .won = sign * seat->won,
                                      .points = (int64_t)sign * seat->score,
                                      .best = sign > 0 ? seat->score : INT64_MIN,
                                      .figures = figures,
                                      .figure_count = match->figure_count},
               arena);
}

static bool ends_before(const struct ended *one, const struct ended *other) {
    const struct match *match = match_of(one), *last = match_of(other);
    int64_t place = one->world->shown.place, last_place = other->world->shown.place;
    if (match->ended_ms != last->ended_ms)
        return match->ended_ms < last->ended_ms;
    return place != last_place ? place < last_place : match->number < last->number;
}

/* Games end in their order, but for clocks that are set back. */
static void add_ended(struct person *person, struct ended ended) {
    list_add(&person->ended, sizeof ended);
    struct ended *list = person->ended.items;
    size_t at = person->ended.count - 1;
    for (; at > 0 && ends_before(&ended, &list[at - 1]); at--)
        list[at] = list[at - 1];
    list[at] = ended;
}

static void drop_ended(struct person *person, struct ended ended) {
    struct ended *list = person->ended.items;
    size_t at = 0;
    while (at < person->ended.count &&
           (list[at].world != ended.world || list[at].match != ended.match ||
            list[at].seat != ended.seat))
        at++;
    if (at < person->ended.count)
        memmove(&list[at], &list[at + 1], (--person->ended.count - at) * sizeof *list);
}

static bool counts(const struct match *match, size_t seat) {
    return match->over && (match->forgotten >> seat & 1) == 0 &&
           match->seats[seat].player.length > 0;
}

static void count_game(struct memory *memory, struct ended ended) {
    const struct match *match = match_of(&ended);
    struct person *person = person_of(memory, match->seats[ended.seat].player);
    add_game(&person->totals, match, ended.seat, 1, &memory->strings);
    add_ended(person, ended);
}

/* Which score is the best is found among the games that stay: taking off is rare. */
static void uncount_game(struct memory *memory, struct ended ended) {
    const struct match *match = match_of(&ended);
    struct person *person = person_find(memory, match->seats[ended.seat].player);
    add_game(&person->totals, match, ended.seat, -1, &memory->strings);
    drop_ended(person, ended);
    struct store_record *record = totals_find(&person->totals, match->game);
    if (record->played == 0) {
        totals_drop(&person->totals, record);
        return;
    }
    bool found = false;
    record->best = 0; /* if the person was taken out of the worlds of all the others */
    const struct ended *list = person->ended.items;
    for (size_t i = 0; i < person->ended.count; i++) {
        const struct match *other = match_of(&list[i]);
        int64_t score = other->seats[list[i].seat].score;
        if (!span_equal(other->game, match->game) || (found && score <= record->best))
            continue;
        record->best = score;
        found = true;
    }
}

/* ---- Appending ---- */

static struct match copy_match(struct arena *arena, const struct store_match *match,
                               int64_t now_ms) {
    struct match kept = {.number = match->number,
                         .over = match->over,
                         .ended_ms = now_ms,
                         .seats = arena_take(arena, match->seat_count * sizeof *kept.seats),
                         .seat_count = match->seat_count,
                         .figures = arena_take(arena, match->figure_count * sizeof *kept.figures),
                         .figure_count = match->figure_count};
    for (size_t i = 0; i < match->seat_count; i++) {
        kept.seats[i] = match->seats[i];
        kept.seats[i].player = arena_span(arena, match->seats[i].player);
        kept.seats[i].name = arena_span(arena, match->seats[i].name);
        kept.seats[i].level = arena_span(arena, match->seats[i].level);
    }
    for (size_t i = 0; i < match->figure_count; i++)
        kept.figures[i] = arena_span(arena, match->figures[i]);
    return kept;
}

/* A game that is written once more is taken off before it counts again. */
static void set_match(struct memory *memory, struct world *world, const struct store_match *match,
                      int64_t now_ms) {
    struct ended ended = {.world = world};
    struct match *matches = world->matches.items;
    while (ended.match < world->matches.count && matches[ended.match].number != match->number)
        ended.match++;
    if (ended.match == world->matches.count) {
        struct match *made = list_add(&world->matches, sizeof *made);
        made->game = world->shown.game;
    }
    struct match *kept = (struct match *)world->matches.items + ended.match;
    for (ended.seat = 0; ended.seat < kept->seat_count; ended.seat++)
        if (counts(kept, ended.seat))
            uncount_game(memory, ended);
    struct span game = kept->game;
    *kept = copy_match(&memory->strings, match, now_ms);
    kept->game = game;
    for (ended.seat = 0; ended.seat < kept->seat_count; ended.seat++)
        if (counts(kept, ended.seat))
            count_game(memory, ended);
}

static void run_append(struct memory *memory, struct request *request) {
    const struct store_append *append = &request->append;
    struct world *world = world_find(memory, append->code);
    request->reply.version = world ? world->shown.version : 0;
    if (request->reply.version != append->expected_version) {
        request->reply.outcome = STORE_CONFLICT;
        return;
    }
    if (!world)
        world = world_add(memory, append);
    for (size_t i = 0; i < append->count; i++)
        *(struct span *)list_add(&world->entries, sizeof(struct span)) =
            arena_span(&memory->strings, append->entries[i]);
    world->shown.version += (int64_t)append->count;
    world->shown.changed_ms = append->now_ms;
    world->shown.due_ms = append->due_ms;
    world->shown.is_archived = false;
    world->shown.archived_ms = 0;
    if (append->summary)
        set_summary(memory, world, append->summary);
    if (append->match)
        set_match(memory, world, append->match, append->now_ms);
    request->reply.version = world->shown.version;
}

static void run_load(struct memory *memory, struct request *request) {
    struct arena *arena = &request->arena;
    const struct world *world = world_find(memory, request->key);
    if (!world) {
        request->reply.outcome = STORE_MISSING;
        return;
    }
    size_t from = (size_t)request->number, left = 0, bytes = 0;
    if (from < world->entries.count)
        left = world->entries.count - from;
    size_t room = left < STORE_LOAD_MAX ? left : STORE_LOAD_MAX;
    struct store_entry *entries = arena_take(arena, room * sizeof *entries);
    size_t count = 0;
    for (; count < room && bytes < STORE_LOAD_BYTES; count++) {
        entries[count].version = (int64_t)(from + count + 1);
        entries[count].text = ((struct span *)world->entries.items)[from + count];
        bytes += entries[count].text.length;
    }
    request->reply.version = world->shown.version;
    request->reply.entries = entries;
    request->reply.count = count;
    request->reply.more = count < left;
    request->reply.worlds = &world->shown;
}

/* A list of spans is not ordered, but for entries. */
static void run_rewrite(struct memory *memory, struct request *request) {
    const struct store_rewrite *rewrite = &request->rewrite;
    struct world *world = world_find(memory, rewrite->code);
    if (!world || world->shown.version != rewrite->version) {
        request->reply.outcome = world ? STORE_CONFLICT : STORE_MISSING;
        return;
    }
    struct span *lines = world->entries.items;
    for (size_t i = 0; i < rewrite->count; i++)
        replace(memory, &lines[rewrite->entries[i].version - 1], rewrite->entries[i].text);
    if (rewrite->summary.data) {
        replace(memory, &world->shown.owner, rewrite->owner);
        replace(memory, &world->shown.summary, rewrite->summary);
    }
    take_out(&world->members, rewrite->player);
    take_out(&world->visitors, rewrite->player);
    struct match *matches = world->matches.items;
    struct person *person = person_find(memory, rewrite->player);
    for (size_t i = 0; i < world->matches.count; i++)
        for (size_t seat = 0; seat < matches[i].seat_count; seat++)
            if (span_equal(matches[i].seats[seat].player, rewrite->player)) {
                if (person)
                    drop_ended(person, (struct ended){world, i, seat});
                matches[i].seats[seat].player = (struct span){"", 0};
                matches[i].seats[seat].name = arena_span(&memory->strings, rewrite->name);
            }
}

/* ---- Lists of worlds ---- */

static bool is_listed(const struct world *world, const struct request *request) {
    const struct store_world *shown = &world->shown;
    if (request->kind == REQUEST_LIST_VISITED)
        return shown->place < request->number && has(&world->visitors, request->key);
    if (shown->is_archived)
        return false;
    switch (request->kind) {
    case REQUEST_ARCHIVE:
        return shown->changed_ms < (shown->status >= STORE_OVER ? request->ages.over_before_ms
                                                                : request->ages.idle_before_ms);
    case REQUEST_DUE:
        return shown->due_ms != STORE_NEVER && shown->due_ms <= request->number &&
               (shown->due_ms > request->after_ms ||
                (shown->due_ms == request->after_ms && shown->place > request->after_place));
    case REQUEST_LIST_PUBLIC:
        return shown->place < request->number && shown->is_public &&
               shown->status == STORE_WAITING &&
               (request->key.length == 0 || span_equal(shown->game, request->key));
    default:
        return shown->place < request->number && has(&world->members, request->key);
    }
}

static int by_due(const void *a, const void *b) {
    const struct store_world *one = a, *other = b;
    if (one->due_ms != other->due_ms)
        return one->due_ms < other->due_ms ? -1 : 1;
    return one->place < other->place ? -1 : 1;
}

static int newest_first(const void *a, const void *b) {
    const struct store_world *one = a, *other = b;
    return one->place > other->place ? -1 : 1;
}

static int oldest_first(const void *a, const void *b) {
    return newest_first(b, a);
}

static void list_worlds(struct memory *memory, struct request *request, size_t max,
                        int (*order)(const void *, const void *)) {
    size_t count = 0;
    struct store_world *worlds = NULL;
    for (size_t i = 0; i < memory->worlds.count; i++)
        count += is_listed(world_at(memory, i), request);
    worlds = arena_take(&request->arena, count * sizeof *worlds);
    count = 0;
    for (size_t i = 0; i < memory->worlds.count; i++)
        if (is_listed(world_at(memory, i), request))
            worlds[count++] = world_at(memory, i)->shown;
    if (count > 0)
        qsort(worlds, count, sizeof *worlds, order);
    request->reply.more = count > max;
    request->reply.count = count < max ? count : max;
    request->reply.worlds = worlds;
}

static void run_due(struct memory *memory, struct request *request) {
    list_worlds(memory, request, request->max, by_due);
}

static void run_list(struct memory *memory, struct request *request) {
    list_worlds(memory, request, request->max, newest_first);
}

static void put_away(struct world *world, int64_t now_ms) {
    world->shown.is_archived = true;
    world->shown.archived_ms = now_ms;
    world->shown.due_ms = STORE_NEVER;
}

static void run_put_away(struct memory *memory, struct request *request) {
    struct world *world = world_find(memory, request->key);
    if (world)
        put_away(world, request->number);
    else
        request->reply.outcome = STORE_MISSING;
}

static void run_archive(struct memory *memory, struct request *request) {
    list_worlds(memory, request, request->ages.max, oldest_first);
    for (size_t i = 0; i < request->reply.count; i++) {
        struct world *world = world_find(memory, request->reply.worlds[i].code);
        put_away(world, request->ages.now_ms);
        ((struct store_world *)request->reply.worlds)[i] = world->shown;
    }
}

/* ---- People ---- */

static struct store_player *player_at(const struct memory *memory, ptrdiff_t number) {
    struct store_player *player =
        number < 0 ? NULL : (struct store_player *)memory->players.items + number;
    return player && player->id.length > 0 ? player : NULL; /* or erased */
}

static struct span token_span(const uint8_t token_hash[STORE_TOKEN_SIZE]) {
    return (struct span){(const char *)token_hash, STORE_TOKEN_SIZE};
}

/* The index knows tokens that opened something once. */
static struct store_player *player_of_token(const struct memory *memory, struct span token) {
    struct store_player *player = player_at(memory, index_find(&memory->by_token, token));
    struct store_device device;
    bool holds = player && store_device_find(player->devices, (const uint8_t *)token.data, &device);
    return holds ? player : NULL;
}

/* May these tokens become this person's (null: a new one's)? */
static bool tokens_are_free(const struct memory *memory, struct span devices,
                            const struct store_player *person) {
    struct store_device device;
    while (store_device_next(&devices, &device)) {
        const struct store_player *has = player_of_token(memory, token_span(device.token_hash));
        if (has && has != person)
            return false;
    }
    return true;
}

static void index_tokens(struct memory *memory, struct span devices, size_t number) {
    struct store_device device;
    while (store_device_next(&devices, &device))
        index_add(&memory->by_token, arena_span(&memory->strings, token_span(device.token_hash)),
                  number);
}

static void run_player_add(struct memory *memory, struct request *request) {
    const struct store_player *player = &request->player;
    if (index_find(&memory->by_id, player->id) >= 0 ||
        !tokens_are_free(memory, player->devices, NULL)) {
        request->reply.outcome = STORE_CONFLICT;
        return;
    }
    struct store_player *kept = list_add(&memory->players, sizeof *kept);
    *kept = *player;
    kept->token_hash = NULL;
    kept->id = arena_span(&memory->strings, player->id);
    kept->name = arena_span(&memory->strings, player->name);
    kept->devices = arena_span(&memory->strings, player->devices);
    index_add(&memory->by_id, kept->id, memory->players.count - 1);
    index_tokens(memory, kept->devices, memory->players.count - 1);
}

static void run_player_find(struct memory *memory, struct request *request) {
    bool by_token = request->kind == REQUEST_PLAYER_BY_TOKEN;
    const struct store_player *player =
        by_token ? player_of_token(memory, request->key)
                 : player_at(memory, index_find(&memory->by_id, request->key));
    request->reply.outcome = player ? STORE_OK : STORE_MISSING;
    request->reply.players = player;
    request->reply.count = player ? 1 : 0;
}

static bool stays(const struct store_device *device, const struct store_devices *change) {
    bool named =
        change->token_hash && memcmp(device->token_hash, change->token_hash, STORE_TOKEN_SIZE) == 0;
    switch (change->drop) {
    case STORE_DROP_NONE:
        return true;
    case STORE_DROP_ONE:
        return !named && device->until_ms == 0;
    case STORE_DROP_OTHERS:
        return named;
    case STORE_DROP_LINKS:
        return device->until_ms == 0;
    case STORE_DROP_ALL:
        return false;
    }
    return true;
}

static void run_player_devices(struct memory *memory, struct request *request) {
    const struct store_devices *change = &request->devices;
    ptrdiff_t number = index_find(&memory->by_id, request->key);
    struct store_player *player = player_at(memory, number);
    struct store_device device;
    if (!player ||
        (change->token_hash && !store_device_find(player->devices, change->token_hash, &device))) {
        request->reply.outcome = STORE_MISSING;
        return;
    }
    if (!tokens_are_free(memory, change->add, player)) {
        request->reply.outcome = STORE_CONFLICT;
        return;
    }
    struct text text;
    size_t size = player->devices.length + change->add.length + 1;
    text_begin(&text, arena_take(&memory->strings, size), size);
    for (struct span rest = player->devices; store_device_next(&rest, &device);)
        if (stays(&device, change))
            store_device_put(&text, &device);
    text_span(&text, change->add);
    player->devices = (struct span){text.data, text.length};
    index_tokens(memory, change->add, (size_t)number);
}

/* ---- Notes ---- */

static struct kept_note *note_find(const struct memory *memory, struct span owner,
                                   struct span name) {
    struct kept_note *list = memory->notes.items;
    for (size_t i = 0; i < memory->notes.count; i++)
        if (span_equal(list[i].owner, owner) && span_equal(list[i].note.name, name))
            return &list[i];
    return NULL;
}

static void run_notes(struct memory *memory, struct request *request) {
    struct arena *arena = &request->arena;
    struct store_note *notes = arena_take(arena, STORE_NOTES_MAX * sizeof *notes);
    struct kept_note *list = memory->notes.items;
    for (size_t i = 0; i < memory->notes.count; i++)
        if (list[i].note.name.length > 0 && span_equal(list[i].owner, request->key))
            notes[request->reply.count++] = list[i].note;
    store_sort_notes(notes, request->reply.count);
    request->reply.notes = notes;
}

static size_t notes_of(const struct memory *memory, struct span owner) {
    struct kept_note *list = memory->notes.items;
    size_t count = 0;
    for (size_t i = 0; i < memory->notes.count; i++)
        count += list[i].note.name.length > 0 && span_equal(list[i].owner, owner);
    return count;
}

static void run_note_put(struct memory *memory, struct request *request) {
    struct span owner = request->key;
    struct kept_note *kept = note_find(memory, owner, request->note.name);
    bool gone = request->note.text.length == 0;
    if (owner.length > 0 && !player_at(memory, index_find(&memory->by_id, owner))) {
        request->reply.outcome = STORE_MISSING;
    } else if (gone && kept) {
        *kept = (struct kept_note){.owner = {"", 0}, .note = {.name = {"", 0}}};
    } else if (gone) {
        return;
    } else if (kept ? request->fresh : notes_of(memory, owner) >= STORE_NOTES_MAX) {
        request->reply.outcome = STORE_CONFLICT;
    } else {
        if (!kept)
            kept = note_find(memory, (struct span){"", 0}, (struct span){"", 0});
        if (!kept)
            kept = list_add(&memory->notes, sizeof *kept);
        kept->owner = arena_span(&memory->strings, owner);
        kept->note.name = arena_span(&memory->strings, request->note.name);
        kept->note.text = arena_span(&memory->strings, request->note.text);
    }
}

static void forget_notes(struct memory *memory, struct span owner) {
    struct kept_note *list = memory->notes.items;
    for (size_t i = 0; i < memory->notes.count; i++)
        if (span_equal(list[i].owner, owner))
            list[i] = (struct kept_note){.owner = {"", 0}, .note = {.name = {"", 0}}};
}

/* ---- Erasing ---- */

/* Indexes keep what they have, so the person's place stays, without an id. */
static void run_player_erase(struct memory *memory, struct request *request) {
    struct store_player *player = player_at(memory, index_find(&memory->by_id, request->key));
    for (size_t i = 0; i < memory->worlds.count; i++)
        if (has(&world_at(memory, i)->visitors, request->key))
            request->reply.outcome = STORE_CONFLICT;
    if (player && request->reply.outcome == STORE_OK)
        *player = (struct store_player){.id = {"", 0}, .name = {"", 0}, .devices = {"", 0}};
    struct person *person = person_find(memory, request->key);
    if (person && request->reply.outcome == STORE_OK)
        forget_records(person);
    if (request->reply.outcome == STORE_OK)
        forget_notes(memory, request->key);
}

static void run_player_forget(struct memory *memory, struct request *request) {
    struct person *person = person_find(memory, request->key);
    if (person)
        forget_records(person);
}

static void run_seat_forget(struct memory *memory, struct request *request) {
    struct world *world = world_find(memory, request->key);
    struct match *matches = world ? world->matches.items : NULL;
    request->reply.outcome = STORE_MISSING;
    for (size_t i = 0; world && i < world->matches.count; i++) {
        if (matches[i].number != request->number || request->max >= matches[i].seat_count ||
            !counts(&matches[i], request->max))
            continue;
        uncount_game(memory, (struct ended){world, i, request->max});
        matches[i].forgotten |= (uint32_t)1 << request->max;
        request->reply.outcome = STORE_OK;
    }
}

static void device_seen(struct memory *memory, struct store_player *player,
                        const struct request *request) {
    struct store_device device;
    struct text text;
    size_t size = player->devices.length + 32;
    if (!request->devices.token_hash)
        return;
    text_begin(&text, arena_take(&memory->strings, size), size);
    for (struct span rest = player->devices; store_device_next(&rest, &device);) {
        if (memcmp(device.token_hash, request->devices.token_hash, STORE_TOKEN_SIZE) == 0)
            device.seen_ms = request->number;
        store_device_put(&text, &device);
    }
    player->devices = (struct span){text.data, text.length};
}

static void run_player_seen(struct memory *memory, struct request *request) {
    struct store_player *player = player_at(memory, index_find(&memory->by_id, request->key));
    if (!player) {
        request->reply.outcome = STORE_MISSING;
        return;
    }
    player->seen_ms = request->number;
    if (request->name.length > 0)
        replace(memory, &player->name, request->name);
    device_seen(memory, player, request);
}

/* ---- Reading records ---- */

static struct store_finished show_ended(const struct ended *ended, struct arena *arena) {
    const struct match *match = match_of(ended);
    const struct store_seat *seat = &match->seats[ended->seat];
    return (struct store_finished){
        match->game,
        match->ended_ms,
        seat->score,
        seat->won,
        figures_json(match->figures, match->figure_count, seat->figures, arena),
        others_json(match->seats, match->seat_count, ended->seat, arena)};
}

static void run_set_earlier(struct memory *memory, struct request *request) {
    struct person *person = person_of(memory, request->key);
    person->earlier.count = 0;
    for (size_t i = 0; i < request->record_count; i++)
        totals_add(&person->earlier, &request->records[i], &memory->strings);
}

static void run_records(struct memory *memory, struct request *request) {
    struct arena *arena = &request->arena;
    const struct person *person = person_find(memory, request->key);
    struct totals records = {0};
    if (!person)
        return;
    bool all = request->kind == REQUEST_PLAYER_RECORDS;
    for (size_t i = 0; all && i < person->totals.count; i++)
        totals_add(&records, &person->totals.items[i], arena);
    for (size_t i = 0; i < person->earlier.count; i++)
        totals_add(&records, &person->earlier.items[i], arena);
    totals_sort(&records);
    const struct ended *ended = person->ended.items;
    size_t count = person->ended.count < request->max ? person->ended.count : request->max;
    struct store_finished *finished = arena_take(arena, count * sizeof *finished);
    for (size_t i = 0; i < count; i++)
        finished[i] = show_ended(&ended[person->ended.count - 1 - i], arena);
    request->reply.records = records.items;
    request->reply.count = records.count;
    request->reply.finished = finished;
    request->reply.finished_count = count;
}

/* ---- The whole store ---- */

static int64_t games_of(const struct world *world) {
    int64_t count = 0;
    const struct match *matches = world->matches.items;
    for (size_t i = 0; i < world->matches.count; i++) {
        bool counts = false;
        for (size_t seat = 0; seat < matches[i].seat_count; seat++)
            counts = counts || matches[i].seats[seat].player.length > 0;
        count += matches[i].over && counts;
    }
    return count;
}

static struct span members_of(const struct world *world, struct arena *arena) {
    const struct span *ids = world->members.items;
    char *lines = arena_take(arena, world->members.count * (STORE_ID_MAX + 1) + 1);
    size_t length = 0;
    for (size_t i = 0; i < world->members.count; i++) {
        memcpy(lines + length, ids[i].data, ids[i].length);
        length += ids[i].length;
        lines[length++] = '\n';
    }
    return (struct span){lines, length};
}

static struct span forgotten_of(const struct world *world, struct arena *arena) {
    enum { LINE_MAX = 24 };
    const struct match *matches = world->matches.items;
    size_t seats = 0, length = 0;
    for (size_t i = 0; i < world->matches.count; i++)
        seats += matches[i].seat_count;
    char *lines = arena_take(arena, seats * LINE_MAX + 1);
    for (size_t i = 0; i < world->matches.count; i++)
        for (size_t seat = 0; seat < matches[i].seat_count; seat++)
            if (matches[i].over && matches[i].forgotten >> seat & 1)
                length += (size_t)snprintf(lines + length, LINE_MAX, "%d %zu\n",
                                           (int)matches[i].number, seat);
    return (struct span){lines, length};
}

/* How many of `all` a page has that begins there. */
static size_t page_of(struct request *request, size_t all) {
    size_t from = (size_t)request->walk.after, left = from < all ? all - from : 0;
    request->reply.count = left < request->max ? left : request->max;
    request->reply.more = left > request->max;
    request->reply.walk.after = (int64_t)(from + request->reply.count);
    return from;
}

static void run_walk_worlds(struct memory *memory, struct request *request) {
    struct arena *arena = &request->arena;
    size_t from = page_of(request, memory->worlds.count);
    struct store_world *worlds = arena_take(arena, request->reply.count * sizeof *worlds);
    for (size_t i = 0; i < request->reply.count; i++) {
        const struct world *world = world_at(memory, from + i);
        worlds[i] = world->shown;
        worlds[i].games = games_of(world);
        worlds[i].members = members_of(world, arena);
        worlds[i].forgotten = forgotten_of(world, arena);
        for (size_t entry = 0; entry < world->entries.count; entry++)
            request->reply.bytes += (int64_t)((struct span *)world->entries.items)[entry].length;
    }
    request->reply.worlds = worlds;
}

static void run_walk_players(struct memory *memory, struct request *request) {
    struct arena *arena = &request->arena;
    size_t from = page_of(request, memory->players.count), count = 0;
    struct store_player *players = arena_take(arena, request->reply.count * sizeof *players);
    for (size_t i = 0; i < request->reply.count; i++) {
        const struct store_player *player = player_at(memory, (ptrdiff_t)(from + i));
        if (player)
            players[count++] = *player;
    }
    request->reply.count = count;
    request->reply.players = players;
}

/* ---- The backend ---- */

/* Memory can always be written to. */
static void run_try(struct memory *memory, struct request *request) {
}

/* What only stores that are shared are asked for has no function. */
static bool memory_run(void *self, struct request *request, struct refusal *why) {
    static void (*const run[])(struct memory *,
                               struct request *) = {[REQUEST_APPEND] = run_append,
                                                    [REQUEST_ARCHIVE] = run_archive,
                                                    [REQUEST_PLAYER_ADD] = run_player_add,
                                                    [REQUEST_PLAYER_SEEN] = run_player_seen,
                                                    [REQUEST_PLAYER_DEVICES] = run_player_devices,
                                                    [REQUEST_PLAYER_ERASE] = run_player_erase,
                                                    [REQUEST_PLAYER_FORGET] = run_player_forget,
                                                    [REQUEST_REWRITE] = run_rewrite,
                                                    [REQUEST_TRY] = run_try,
                                                    [REQUEST_PUT_AWAY] = run_put_away,
                                                    [REQUEST_SEAT_FORGET] = run_seat_forget,
                                                    [REQUEST_SET_EARLIER] = run_set_earlier,
                                                    [REQUEST_NOTE_PUT] = run_note_put,
                                                    [REQUEST_LOAD] = run_load,
                                                    [REQUEST_DUE] = run_due,
                                                    [REQUEST_LIST_PUBLIC] = run_list,
                                                    [REQUEST_LIST_OF_PLAYER] = run_list,
                                                    [REQUEST_LIST_VISITED] = run_list,
                                                    [REQUEST_PLAYER_BY_TOKEN] = run_player_find,
                                                    [REQUEST_PLAYER_BY_ID] = run_player_find,
                                                    [REQUEST_PLAYER_RECORDS] = run_records,
                                                    [REQUEST_PLAYER_EARLIER] = run_records,
                                                    [REQUEST_NOTES] = run_notes,
                                                    [REQUEST_WALK_WORLDS] = run_walk_worlds,
                                                    [REQUEST_WALK_PLAYERS] = run_walk_players};
    if (!run[request->kind])
        return false;
    run[request->kind](self, request);
    return true;
}

static bool memory_begin(void *self, bool writes, struct refusal *why) {
    return true;
}

static bool memory_commit(void *self, struct refusal *why) {
    return true;
}

static void memory_undo(void *self) {
    ensure_failed("a store in memory does not fail", __FILE__, __LINE__);
}

static void memory_close(void *self) {
    struct memory *memory = self;
    for (size_t i = 0; i < memory->worlds.count; i++) {
        struct world *world = world_at(memory, i);
        free(world->entries.items);
        free(world->matches.items);
        free(world->members.items);
        free(world->visitors.items);
        free(world);
    }
    free(memory->worlds.items);
    free(memory->players.items);
    for (size_t i = 0; i < memory->people.count; i++)
        free(((struct person *)memory->people.items)[i].ended.items);
    free(memory->people.items);
    free(memory->notes.items);
    free(memory->by_code.slots);
    free(memory->by_id.slots);
    free(memory->by_token.slots);
    free(memory->by_person.slots);
    arena_free(&memory->strings);
    free(memory);
}

static const struct backend memory_backend = {.begin = memory_begin,
                                              .run = memory_run,
                                              .commit = memory_commit,
                                              .undo = memory_undo,
                                              .close = memory_close};

void memory_open(struct backing *out) {
    struct memory *memory = reserve_calloc(1, sizeof *memory);
    *out = (struct backing){.backend = &memory_backend, .self = memory};
}
