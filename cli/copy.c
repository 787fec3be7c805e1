/* See copy.h. */
#include "cli/copy.h"

#include "server/rooms/results.h"
#include "server/rooms/summary.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { BATCH = 256, PEOPLE_BATCH = 512 };

/* One world on its way. */
struct passage {
    struct copy *copy;
    const struct whole_world *row;
    struct world world;
    struct store_summary kept; /* what the store's own row says, for a log that does not fold */
    struct span members[STORE_MEMBERS_MAX];
    uint64_t chain;      /* of what was read so far */
    int64_t read;        /* so many entries */
    int64_t have;        /* entries that the other store has ... */
    uint64_t have_chain; /* ... and the hash of them (store.h) */
    uint64_t summary_hash;
    struct span group[STORE_ENTRIES_MAX]; /* lines that will be one append ... */
    size_t group_count;
    uint64_t group_chain; /* ... and the chain before them */
    int64_t version;      /* after the last page */
    bool more, failed, differs, raw, archived;
    struct refusal why;
    bool came; /* this line brought a member; it ends its append, since the store notes with each
                  append who is in the world, and so who ever was there */
};

static void fail(struct passage *passage, const struct refusal *why) {
    if (!passage->failed)
        passage->why = *why;
    passage->failed = true;
}

/* ---- Writing ---- */

static void on_written(void *arg, const struct store_reply *reply) {
    struct copy *copy = arg;
    if (reply->outcome == STORE_OK || copy->failed)
        return;
    copy->failed = true;
    copy->why = reply->why;
    if (reply->outcome == STORE_CONFLICT)
        refuse(&copy->why, "CONFLICT", "Somebody else writes to the store that is copied to");
    else if (reply->outcome == STORE_MISSING)
        refuse(&copy->why, "MISSING", "What was just written is not there");
}

static void commit_some(struct copy *copy, int max) {
    if (copy->waiting < max && !store_is_full(copy->to))
        return;
    copy->waiting = 0;
    store_commit(copy->to);
}

bool copy_finish(struct copy *copy) {
    commit_some(copy, 0);
    return !copy->failed;
}

/* What lists will know, and its hash. */
static uint64_t summarize(struct passage *passage, struct room_summary *listed) {
    if (!passage->raw)
        return summary_of(&passage->world, listed);
    listed->summary = passage->kept;
    return ~passage->summary_hash; /* always new */
}

/* Appends the lines that were collected, as the last of them left the world. */
static void flush(struct passage *passage, int64_t now_ms, int64_t due_ms,
                  const struct store_match *match) {
    struct room_summary listed;
    struct copy *copy = passage->copy;
    struct refusal why;
    if (passage->group_count == 0)
        return;
    uint64_t hash = summarize(passage, &listed);
    int64_t before = passage->read - (int64_t)passage->group_count;
    bool changed = hash != passage->summary_hash || before == 0;
    struct store_append ask = {.code = span_of(passage->row->code),
                               .expected_version = before,
                               .entries = passage->group,
                               .count = passage->group_count,
                               .now_ms = now_ms,
                               .due_ms = due_ms,
                               .chain = passage->group_chain,
                               .summary = changed ? &listed.summary : NULL,
                               .match = match};
    if (!store_append(copy->to, &ask, on_written, copy, &why))
        fail(passage, &why);
    copy->lines += passage->group_count;
    copy->waiting++;
    passage->summary_hash = hash;
    passage->group_count = 0;
    commit_some(copy, BATCH);
}

/* Adds a line that was folded. The first one is on its own, since its time is when the world was
 * made. */
static void add_line(struct passage *passage, const struct store_world *kept, struct span line) {
    struct results results;
    const struct store_match *match = NULL;
    if (passage->group_count == 0)
        passage->group_chain = passage->chain;
    passage->group[passage->group_count++] = line;
    int64_t now_ms = passage->raw ? passage->read == 1 ? kept->created_ms : kept->changed_ms
                                  : passage->world.changed_ms;
    if (!passage->raw)
        match = results_of(&passage->world, passage->world.version - 1, &results);
    bool last = passage->copy->whole && passage->read == kept->version;
    if (match || last || passage->came || passage->read == 1 ||
        passage->group_count == STORE_ENTRIES_MAX)
        flush(passage, now_ms, last ? kept->due_ms : STORE_NEVER, match);
}

/* ---- Reading ---- */

/* Notes what the other store has already. */
static void on_have(void *arg, const struct store_reply *reply) {
    struct passage *passage = arg;
    passage->more = reply->outcome == STORE_OK && reply->more;
    if (reply->outcome != STORE_OK)
        fail(passage, &reply->why);
    for (size_t i = 0; reply->outcome == STORE_OK && i < reply->count; i++)
        passage->have_chain = store_chain(passage->have_chain, reply->entries[i].text);
    passage->read += reply->outcome == STORE_OK ? (int64_t)reply->count : 0;
}

/* From a line on that does not fold the log is copied as it stands, with what the store's own row
 * says of the world. */
static void keep_row(struct passage *passage, const struct store_world *kept) {
    size_t count = 0;
    char *at = passage->row->members;
    for (char *end; count < STORE_MEMBERS_MAX && (end = strchr(at, '\n')); at = end + 1)
        passage->members[count++] = (struct span){at, (size_t)(end - at)};
    passage->kept = (struct store_summary){.game = kept->game,
                                           .owner = kept->owner,
                                           .status = kept->status,
                                           .is_public = kept->is_public,
                                           .text = kept->summary,
                                           .members = passage->members,
                                           .member_count = count};
}

static void take_line(struct passage *passage, const struct store_world *kept,
                      const struct store_entry *entry) {
    struct refusal why;
    int before = passage->world.member_count;
    bool folds = !passage->raw && world_fold(&passage->world, entry->text, &why);
    passage->came = folds && passage->world.member_count > before;
    if (!folds && !passage->copy->whole) {
        fail(passage, &why);
        return;
    }
    if (!folds && !passage->raw) {
        flush(passage, kept->changed_ms, STORE_NEVER, NULL);
        passage->raw = true;
        passage->why = why;
        keep_row(passage, kept);
    }
    passage->read++;
    if (entry->version > passage->have)
        add_line(passage, kept, entry->text);
    passage->chain = store_chain(passage->chain, entry->text);
    if (entry->version == passage->have && passage->chain != passage->have_chain)
        passage->differs = true;
}

static void on_lines(void *arg, const struct store_reply *reply) {
    struct passage *passage = arg;
    const struct store_world *kept = reply->worlds;
    struct refusal why;
    passage->more = reply->outcome == STORE_OK && reply->more;
    if (reply->outcome == STORE_MISSING)
        refuse(&passage->why, "MISSING", "it is gone");
    if (reply->outcome != STORE_OK) {
        fail(passage, reply->outcome == STORE_MISSING ? &passage->why : &reply->why);
        return;
    }
    if (passage->raw)
        keep_row(passage, kept);
    for (size_t i = 0; i < reply->count && !passage->failed && !passage->differs; i++)
        take_line(passage, kept, &reply->entries[i]);
    if (passage->more && reply->count == 0) {
        refuse(&why, "BROKEN", "its log has a gap; it stays where it is");
        fail(passage, &why);
    }
    if (!passage->failed) /* what was collected points into this reply */
        flush(passage, passage->raw ? kept->changed_ms : passage->world.changed_ms, STORE_NEVER,
              NULL);
    passage->version = reply->version;
    passage->archived = kept->is_archived;
}

/* Reads page by page; the callback says whether there is more. */
static void read_all(struct store *store, struct passage *passage, store_callback *callback) {
    struct refusal why;
    passage->read = 0;
    do {
        passage->more = false;
        if (!store_load(store, span_of(passage->row->code), passage->read, callback, passage, &why))
            fail(passage, &why);
        store_commit(store);
    } while (passage->more && !passage->failed && !passage->differs);
}

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void on_forgotten(void *arg, const struct store_reply *reply) {
    if (reply->outcome != STORE_MISSING) /* of a try that was interrupted */
        on_written(arg, reply);
}

static bool has_line(const char *lines, const char *line) {
    const char *at = strstr(lines, line);
    while (at && at != lines && at[-1] != '\n')
        at = strstr(at + 1, line);
    return at != NULL;
}

/* Who had their statistics deleted in the one store has no more of them in the other. */
static bool forget_seats(struct copy *copy, const struct whole_world *row,
                         const struct whole_world *have) {
    int number, length;
    unsigned seat;
    for (const char *at = row->forgotten; sscanf(at, "%d %u\n%n", &number, &seat, &length) == 2;
         at += length) {
        char line[32];
        snprintf(line, sizeof line, "%d %u\n", number, seat);
        if (have && has_line(have->forgotten, line))
            continue;
        copy->waiting++;
        if (!store_seat_forget(copy->to, span_of(row->code), number, seat, on_forgotten, copy,
                               &copy->why))
            return false;
    }
    return true;
}

static bool archive(struct copy *copy, const struct whole_world *row) {
    copy->waiting++;
    return store_put_away(copy->to, span_of(row->code),
                          row->archived_ms > 0 ? row->archived_ms : now_ms(), on_written, copy,
                          &copy->why);
}

bool copy_world(struct copy *copy, const struct whole_world *row, const struct whole_world *have,
                int64_t *version) {
    static struct passage passage; /* after a failure replies may still come for it */
    struct refusal *why = &copy->why;
    passage = (struct passage){.copy = copy,
                               .row = row,
                               .have = have ? have->version : 0,
                               .chain = STORE_CHAIN_START,
                               .have_chain = STORE_CHAIN_START};
    *why = (struct refusal){0};
    world_empty(&passage.world, &world_times_usual);
    if (have)
        read_all(copy->to, &passage, on_have);
    if (!passage.failed)
        read_all(copy->from, &passage, on_lines);
    *version = passage.version;
    if (passage.failed || passage.differs || passage.have > passage.version) {
        if (passage.failed)
            *why = passage.why;
        else
            refuse(why, "DIFFERS", "the other store has another log of it; it stays where it is");
        return false;
    }
    bool is_new = passage.version > passage.have;
    copy->copied += is_new;
    if (!forget_seats(copy, row, is_new ? NULL : have))
        return false;
    if (copy->whole && passage.archived && (is_new || !have->is_archived) && !archive(copy, row))
        return false;
    if (passage.raw)
        *why = passage.why;
    return true;
}

/* ---- People ---- */

struct arrival {
    struct copy *copy;
    const struct whole_person *person;
    bool there;                         /* already */
    const struct store_record *earlier; /* games whose worlds are gone */
    size_t earlier_count;
};

static void on_looked_up(void *arg, const struct store_reply *reply) {
    struct arrival *arrival = arg;
    arrival->there = reply->outcome == STORE_OK;
    if (reply->outcome != STORE_MISSING)
        on_written(arrival->copy, reply);
}

static bool set_earlier(const struct arrival *arrival, const struct store_record *records,
                        size_t count) {
    struct copy *copy = arrival->copy;
    copy->failed = !store_set_earlier(copy->to, span_of(arrival->person->id), records, count,
                                      on_written, copy, &copy->why);
    return !copy->failed;
}

static bool same(struct span a, struct span b) {
    return a.length == b.length && memcmp(a.data, b.data, a.length) == 0;
}

/* Of each game whichever store counts fewer: the one may have lost a world that the other still
 * has, and then the other counts the games of that world by themselves. */
static void on_earlier_there(void *arg, const struct store_reply *reply) {
    const struct arrival *arrival = arg;
    struct store_record fewer[STORE_RECORDS_MAX];
    size_t count = 0;
    if (reply->outcome != STORE_OK) {
        on_written(arrival->copy, reply);
        return;
    }
    for (size_t i = 0; i < reply->count; i++)
        for (size_t j = 0; j < arrival->earlier_count; j++)
            if (same(reply->records[i].game, arrival->earlier[j].game))
                fewer[count++] = arrival->earlier[j].played <= reply->records[i].played
                                     ? arrival->earlier[j]
                                     : reply->records[i];
    set_earlier(arrival, fewer, count);
}

static void on_earlier(void *arg, const struct store_reply *reply) {
    struct arrival *arrival = arg;
    struct copy *copy = arrival->copy;
    if (reply->outcome != STORE_OK) {
        on_written(copy, reply);
        return;
    }
    if (!arrival->there) {
        set_earlier(arrival, reply->records, reply->count);
        return;
    }
    arrival->earlier = reply->records;
    arrival->earlier_count = reply->count;
    if (!store_player_earlier(copy->to, span_of(arrival->person->id), on_earlier_there, arrival,
                              &copy->why))
        copy->failed = true;
    store_commit(copy->to); /* what is asked points into this reply */
}

/* ---- Notes: push subscriptions of people, and the key of the server that they were made for ----
 */

struct notes {
    struct copy *copy;
    struct span owner;
    bool fresh; /* what the other store has stays */
};

static void on_note(void *arg, const struct store_reply *reply) {
    if (reply->outcome != STORE_CONFLICT)
        on_written(arg, reply);
}

static void on_notes(void *arg, const struct store_reply *reply) {
    struct notes *notes = arg;
    struct copy *copy = notes->copy;
    if (reply->outcome != STORE_OK)
        on_written(copy, reply);
    for (size_t i = 0; reply->outcome == STORE_OK && i < reply->count && !copy->failed; i++) {
        struct store_note_put put = {
            .owner = notes->owner, .note = reply->notes[i], .fresh = notes->fresh};
        copy->failed = !store_note_put(copy->to, &put, on_note, copy, &copy->why);
    }
}

static bool add_person(struct arrival *arrival, struct refusal *why) {
    const struct whole_person *person = arrival->person;
    struct store_player player = {.id = span_of(person->id),
                                  .name = span_of(person->name),
                                  .created_ms = person->created_ms,
                                  .seen_ms = person->seen_ms,
                                  .devices = span_of(person->devices)};
    return store_player_add(arrival->copy->to, &player, on_written, arrival->copy, why);
}

/* Somebody who is there already gets the name and the tokens that they have here. */
static bool renew_person(struct arrival *arrival, struct refusal *why) {
    const struct whole_person *person = arrival->person;
    struct copy *copy = arrival->copy;
    struct store_devices devices = {
        .player = span_of(person->id), .drop = STORE_DROP_ALL, .add = span_of(person->devices)};
    return store_player_seen(copy->to, span_of(person->id), span_of(person->name), NULL,
                             person->seen_ms, on_written, copy, why) &&
           store_player_devices(copy->to, &devices, on_written, copy, why);
}

static bool copy_some(struct copy *copy, const struct whole_person *people, size_t count) {
    /* Static, since after a failure replies may still come for them. */
    static struct arrival arrivals[PEOPLE_BATCH];
    static struct notes notes[PEOPLE_BATCH];
    for (size_t i = 0; i < count; i++) {
        arrivals[i] = (struct arrival){.copy = copy, .person = &people[i]};
        if (!store_player_by_id(copy->to, span_of(people[i].id), on_looked_up, &arrivals[i],
                                &copy->why))
            return false;
    }
    store_commit(copy->to);
    /* Somebody is added once their records are there, since from then on nobody sets these anew. */
    for (size_t i = 0; i < count; i++)
        if (!store_player_earlier(copy->from, span_of(people[i].id), on_earlier, &arrivals[i],
                                  &copy->why))
            return false;
    store_commit(copy->from);
    store_commit(copy->to);
    for (size_t i = 0; i < count && !copy->failed; i++)
        if (!(arrivals[i].there ? renew_person : add_person)(&arrivals[i], &copy->why))
            return false;
    store_commit(copy->to);
    for (size_t i = 0; i < count && !copy->failed; i++) {
        notes[i] = (struct notes){.copy = copy, .owner = span_of(people[i].id)};
        if (!store_notes(copy->from, notes[i].owner, on_notes, &notes[i], &copy->why))
            return false;
    }
    store_commit(copy->from);
    store_commit(copy->to);
    return !copy->failed;
}

bool copy_people(struct copy *copy, const struct whole_store *whole) {
    struct progress progress = {.what = "people", .all = whole->person_count};
    struct notes own = {.copy = copy, .owner = {"", 0}, .fresh = true};
    if (!store_notes(copy->from, own.owner, on_notes, &own, &copy->why))
        return false;
    store_commit(copy->from);
    store_commit(copy->to);
    for (size_t i = 0; i < whole->person_count; i += PEOPLE_BATCH) {
        size_t left = whole->person_count - i;
        if (!copy_some(copy, whole->people + i, left < PEOPLE_BATCH ? left : PEOPLE_BATCH))
            return false;
        progress_tell(&progress, i);
    }
    return true;
}
