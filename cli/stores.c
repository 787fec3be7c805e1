/* `oyster backup`, `restore`, `move`, `check` and `stats`: what is done to a whole store. They all
 * read it by whole_store.h and write by copy.h; only from one SQLite file to another the file
 * itself is copied, at one moment and with everything in it. */
#include "cli/cli.h"
#include "cli/copy.h"
#include "cli/store_check.h"
#include "engine/json.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Arguments ---- */

static void take_words(struct cli_arguments *arguments, const char **words, int count) {
    for (int i = 0; i < count; i++)
        if (!cli_word(arguments, &words[i]))
            exit(arguments->at < arguments->count
                     ? cli_unexpected(arguments)
                     : cli_complain("oyster %s %s", arguments->command->name,
                                    arguments->command->words));
    if (arguments->at < arguments->count)
        exit(cli_unexpected(arguments));
}

/* Opens a store, or complains and ends the program. */
static struct store *open_store(const char *words, bool is_new) {
    struct refusal why;
    struct store *store = whole_store_open(words, is_new, &why);
    if (!store)
        exit(cli_complain("%s", why.text));
    return store;
}

/* ---- Copying ---- */

static int copy_worlds(struct copy *copy, const struct whole_store *whole,
                       struct whole_store *there) {
    struct progress progress = {.what = "worlds", .all = whole->world_count};
    int wrong = 0;
    for (size_t i = 0; i < whole->world_count && !copy->failed; i++) {
        const struct whole_world *row = &whole->worlds[i];
        const struct whole_world *have =
            there->world_count > 0 ? whole_store_world(there, row->code) : NULL;
        int64_t version;
        bool done = copy_world(copy, row, have, &version);
        if (copy->failed)
            break;
        if (!done)
            cli_complain("%s: %s", row->code, copy->why.text);
        else if (copy->why.text[0])
            cli_complain("%s is copied line by line and without its results, since its log does "
                         "not fold: %s",
                         row->code, copy->why.text);
        wrong += !done || copy->why.text[0] != '\0';
        progress_tell(&progress, i);
    }
    return wrong;
}

/* Copies what is missing; 0, or the exit code. */
static int copy_all(struct store *from, struct store *to) {
    struct whole_store whole = {0}, there = {0};
    struct copy copy = {.from = from, .to = to, .whole = true};
    int wrong = 0;
    bool good = whole_store_read_worlds(to, &there) && whole_store_read_worlds(from, &whole);
    if (good) {
        wrong = copy_worlds(&copy, &whole, &there);
        good = copy_finish(&copy);
    }
    /* People come last, so that all who are in a world are among them. */
    good = good && whole_store_read_people(from, &whole) && copy_people(&copy, &whole);
    if (good)
        printf("%zu worlds with something new, %zu lines, %zu people\n", copy.copied, copy.lines,
               whole.person_count);
    else
        cli_complain("%s; what was copied so far stays, and the same command goes on",
                     there.failed   ? there.why.text
                     : whole.failed ? whole.why.text
                                    : copy.why.text);
    whole_store_free(&whole);
    whole_store_free(&there);
    return !good ? EXIT_BAD_INPUT : wrong > 0 ? EXIT_WRONG_MOVE : 0;
}

static int say_check(const struct check *check) {
    if (check->failed)
        return EXIT_BAD_INPUT;
    printf("%zu worlds, %" PRId64 " entries, %zu people: ", check->worlds, check->entries,
           check->people);
    if (check->problems == 0)
        puts("nothing is wrong");
    else
        printf("%zu things are wrong\n", check->problems);
    return check->problems > 0 ? EXIT_WRONG_MOVE : 0;
}

/* Folds every log of a store. */
static int check_at(const char *words) {
    struct store *store = open_store(words, false);
    struct check check = check_store(store);
    store_close(store);
    return say_check(&check);
}

/* A new store from another: by its file, or world by world. */
static int copy_new(const char *from, const char *to) {
    struct refusal why;
    if (whole_store_is_file(from) && whole_store_is_file(to))
        return store_copy_file(whole_store_where(from), whole_store_where(to), &why)
                   ? 0
                   : cli_complain("%s", why.text);
    struct store *source = open_store(from, false), *target = open_store(to, true);
    int code = copy_all(source, target);
    store_close(target);
    store_close(source);
    return code;
}

/* ---- Commands ---- */

/* The copy has its name only once it is whole and every log was folded. */
int cli_backup(struct cli_arguments *arguments) {
    const char *words[2];
    char part[4096];
    take_words(arguments, words, 2);
    const char *file = whole_store_where(words[1]);
    if (!whole_store_is_file(words[1]))
        return cli_complain("%s is no file", words[1]);
    if (access(file, F_OK) == 0)
        return cli_complain("%s is there already", file);
    if ((size_t)snprintf(part, sizeof part, "%s.part", file) >= sizeof part)
        return cli_complain("that name is too long");
    unlink(part); /* of a try that was interrupted */
    int code = copy_new(words[0], part);
    int checked = code == EXIT_BAD_INPUT ? code : check_at(part);
    if (code == EXIT_BAD_INPUT || checked == EXIT_BAD_INPUT)
        return EXIT_BAD_INPUT;
    if (rename(part, file) != 0)
        return cli_complain("%s cannot be written: %s", file, strerror(errno));
    return code ? code : checked;
}

static bool is_empty(const char *words) {
    struct whole_store whole = {0};
    struct store *store = open_store(words, true);
    bool empty = whole_store_read_worlds(store, &whole) && whole.world_count == 0;
    whole_store_free(&whole);
    store_close(store);
    return empty;
}

int cli_restore(struct cli_arguments *arguments) {
    const char *words[2];
    take_words(arguments, words, 2);
    bool file = whole_store_is_file(words[1]);
    if (file ? access(whole_store_where(words[1]), F_OK) == 0 : !is_empty(words[1]))
        return cli_complain("the store is there already, and restore makes a new one; oyster move "
                            "adds to one");
    int code = copy_new(words[0], words[1]);
    int checked = code == EXIT_BAD_INPUT ? code : check_at(words[1]);
    return code ? code : checked;
}

int cli_move(struct cli_arguments *arguments) {
    const char *words[2];
    take_words(arguments, words, 2);
    if (strcmp(whole_store_where(words[0]), whole_store_where(words[1])) == 0)
        return cli_complain("these are the same store");
    struct store *from = open_store(words[0], false), *to = open_store(words[1], true);
    int code = copy_all(from, to);
    store_close(to);
    store_close(from);
    return code;
}

int cli_check(struct cli_arguments *arguments) {
    const char *words[1];
    take_words(arguments, words, 1);
    return check_at(words[0]);
}

/* ---- Figures ---- */

struct figures {
    int64_t waiting, playing, over, closed, archived, entries, games, people, bytes;
};

static void count_worlds(const struct whole_store *whole, struct figures *figures) {
    int64_t *by_status[] = {&figures->waiting, &figures->playing, &figures->over, &figures->closed};
    for (size_t i = 0; i < whole->world_count; i++) {
        const struct whole_world *world = &whole->worlds[i];
        ++*(world->is_archived ? &figures->archived : by_status[world->status & 3]);
        figures->entries += world->version;
        figures->games += world->games;
    }
    figures->people = (int64_t)whole->person_count;
    figures->bytes = whole->bytes;
}

static void print_figures(const struct figures *figures, size_t worlds, bool as_json) {
    const struct {
        const char *name, *words;
        int64_t value;
    } rows[] = {
        {"worlds", "worlds", (int64_t)worlds},
        {"waiting", "  waiting for people", figures->waiting},
        {"playing", "  in which a game is played", figures->playing},
        {"over", "  whose game is over", figures->over},
        {"closed", "  closed", figures->closed},
        {"archived", "  archived", figures->archived},
        {"entries", "entries of their logs", figures->entries},
        {"games", "finished games of people, in these worlds", figures->games},
        {"people", "people", figures->people},
        {"bytes", "bytes", figures->bytes},
    };
    char buffer[1024];
    struct json json;
    json_begin(&json, buffer, sizeof buffer);
    json_put_object(&json, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_put_number(&json, rows[i].name, rows[i].value);
        if (!as_json)
            printf("%14" PRId64 "  %s\n", rows[i].value, rows[i].words);
    }
    json_put_end(&json);
    if (as_json)
        printf("%.*s\n", (int)json.text.length, buffer);
}

int cli_stats(struct cli_arguments *arguments) {
    const char *words[1];
    struct whole_store whole = {0};
    struct figures figures = {0};
    bool as_json = cli_switch(arguments, "--json");
    if (!cli_word(arguments, &words[0]))
        return cli_complain("oyster stats STORE");
    as_json = cli_switch(arguments, "--json") || as_json;
    take_words(arguments, NULL, 0);
    struct store *store = open_store(words[0], false);
    bool good = whole_store_read_worlds(store, &whole) && whole_store_read_people(store, &whole);
    count_worlds(&whole, &figures);
    if (good)
        print_figures(&figures, whole.world_count, as_json);
    else
        cli_complain("%s", whole.why.text);
    whole_store_free(&whole);
    store_close(store);
    return good ? 0 : EXIT_BAD_INPUT;
}
