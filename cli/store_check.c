/* See store_check.h. What the store itself can tell comes with its walks; here each log is folded
 * and compared with what the store says of the world. */
#include "cli/store_check.h"

#include "cli/cli.h"
#include "cli/whole_store.h"
#include "server/rooms/results.h"
#include "server/rooms/summary.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct reading {
    struct check *check;
    const struct whole_store *whole;
    const struct whole_world *row;
    struct world world;
    int64_t read, games;
    int32_t last_game;
    bool more, wrong, folds;
};

__attribute__((format(printf, 2, 3))) static void say(struct reading *reading, const char *format,
                                                      ...) {
    va_list arguments;
    va_start(arguments, format);
    printf("world %s: ", reading->row->code);
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
    reading->check->problems++;
    reading->wrong = true;
}

static void on_problem(void *arg, struct span text) {
    printf("%.*s\n", (int)text.length, text.data);
    ((struct check *)arg)->problems++;
}

/* ---- One world ---- */

static bool has_person(const struct store_match *match) {
    for (size_t i = 0; i < match->seat_count; i++)
        if (match->seats[i].player.length > 0)
            return true;
    return false;
}

static void count_game(struct reading *reading) {
    struct results results;
    const struct store_match *match =
        results_of(&reading->world, reading->world.version - 1, &results);
    if (match && match->over && has_person(match) && match->number > reading->last_game) {
        reading->last_game = match->number;
        reading->games++;
    }
}

static void take_line(struct reading *reading, struct span line) {
    struct refusal why;
    reading->read++;
    if (!reading->folds)
        return;
    reading->folds = world_fold(&reading->world, line, &why);
    if (reading->folds)
        count_game(reading);
    else
        say(reading, "line %" PRId64 " of its log does not fold: %s", reading->read, why.text);
}

static bool is_text(struct span span, const char *text) {
    return span_is(span, text);
}

/* The row of a world against what its log says. */
static void compare(struct reading *reading, const struct store_world *kept) {
    struct room_summary listed;
    const struct world *world = &reading->world;
    summary_of(world, &listed);
    if (!is_text(kept->game, world->game->id))
        say(reading, "the store says another game than its log");
    if (!is_text(kept->owner, world->owner))
        say(reading, "the store says another owner than its log");
    if (kept->status != listed.summary.status || kept->is_public != listed.summary.is_public)
        say(reading, "the store says another status than its log");
    if (kept->version != reading->row->version)
        return; /* it has gone on since the walk, so the rest cannot be compared */
    if (reading->games != reading->row->games)
        say(reading, "its log tells of %" PRId64 " finished games, the results of %" PRId64,
            reading->games, reading->row->games);
    for (int i = 0; i < world->member_count; i++) {
        char line[WORLD_ID_MAX + 3];
        snprintf(line, sizeof line, "%s\n", world->member[i].id);
        const char *found = strstr(reading->row->members, line);
        if (!found || (found != reading->row->members && found[-1] != '\n'))
            say(reading, "its member %s is missing from the list of members", world->member[i].id);
    }
}

static void check_members(struct reading *reading) {
    const char *at = reading->row->members;
    for (const char *end; (end = strchr(at, '\n')); at = end + 1) {
        char id[STORE_ID_MAX + 1];
        snprintf(id, sizeof id, "%.*s", (int)(end - at), at);
        if (!whole_store_knows(reading->whole, id))
            say(reading, "its member %s is nobody that the store knows", id);
    }
}

static void on_lines(void *arg, const struct store_reply *reply) {
    struct reading *reading = arg;
    reading->more = reply->outcome == STORE_OK && reply->more && reply->count > 0;
    if (reply->outcome != STORE_OK) {
        say(reading, "%s",
            reply->outcome == STORE_MISSING ? "it cannot be found by its code" : reply->why.text);
        return;
    }
    for (size_t i = 0; i < reply->count; i++)
        take_line(reading, reply->entries[i].text);
    if (reading->more)
        return;
    if (reading->read != reply->version)
        say(reading, "its log has %" PRId64 " lines, the store says %" PRId64, reading->read,
            reply->version);
    else if (reading->folds)
        compare(reading, reply->worlds);
}

static void check_world(struct store *store, struct reading *reading) {
    struct refusal why;
    do {
        reading->more = false;
        if (!store_load(store, span_of(reading->row->code), reading->read, on_lines, reading, &why))
            say(reading, "%s", why.text);
        store_commit(store);
    } while (reading->more);
    check_members(reading);
    reading->check->entries += reading->read;
}

/* ---- All ---- */

struct check check_store(struct store *store) {
    struct check check = {0};
    struct whole_store whole = {.problem = on_problem, .arg = &check};
    struct reading reading;
    check.failed =
        !whole_store_read_worlds(store, &whole) || !whole_store_read_people(store, &whole);
    if (check.failed)
        cli_complain("%s", whole.why.text);
    struct progress progress = {.what = "worlds checked", .all = whole.world_count};
    for (size_t i = 0; i < whole.world_count && !check.failed; i++) {
        reading = (struct reading){
            .check = &check, .whole = &whole, .row = &whole.worlds[i], .folds = true};
        world_empty(&reading.world, &world_times_usual);
        check_world(store, &reading);
        progress_tell(&progress, i);
    }
    check.worlds = whole.world_count;
    check.people = whole.person_count;
    whole_store_free(&whole);
    return check;
}
