/* `oyster replay`: reads an .oyster file, one in EGN or a saved game, and prints the game move by
 * move, for people or as JSON. */
#include "cli/cli.h"

#include "cli/captions.h"
#include "cli/saves.h"
#include "engine/record.h"
#include "formats/egn.h"
#include "games/registry.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_SIZE_MAX = 16 << 20, JSON_SIZE = 1 << 17, SHOW_SIZE = 1 << 14 };

struct replay {
    const char *path;
    bool as_json, shows, tells, says;
    const struct game *game;
    struct options options;
    struct game_state state;
    struct record_reader reader;
    struct record_header header;
    char names[SEATS_MAX][RECORD_NAME_MAX + 1];
    const char *name[SEATS_MAX];
    int step;
    struct captions captions;
};

struct span cli_read_file(const char *path) {
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (!file)
        exit(cli_complain("cannot read %s: %s", path, strerror(errno)));
    char *data = malloc(FILE_SIZE_MAX);
    if (!data)
        exit(cli_complain("not enough memory"));
    size_t length = fread(data, 1, FILE_SIZE_MAX, file);
    if (ferror(file))
        exit(cli_complain("cannot read %s: %s", path, strerror(errno)));
    if (length == FILE_SIZE_MAX)
        exit(cli_complain("%s is larger than %d MB", path, FILE_SIZE_MAX >> 20));
    if (file != stdin)
        fclose(file);
    return (struct span){data, length};
}

static int complain_at(const struct replay *replay, const struct record_error *error, int code) {
    fflush(stdout);
    fprintf(stderr, "oyster: %s:%d:%d: %s (%s)\n", replay->path, error->line, error->column,
            error->why.text, error->why.code);
    return code;
}

static int complain_header(struct replay *replay, struct span about, struct record_error *error) {
    if (!error->why.at)
        error->why.at = about.data;
    record_locate(&replay->reader, error);
    return complain_at(replay, error, EXIT_BAD_INPUT);
}

/* The game as the header describes it, before the first move. */
static int open_game(struct replay *replay, struct span file) {
    struct record_error error = {0};
    struct record_header *header = &replay->header;
    record_open(&replay->reader, file);
    if (!record_read_header(&replay->reader, header, &error))
        return complain_at(replay, &error, EXIT_BAD_INPUT);
    replay->game = registry_find(header->game);
    if (!replay->game) {
        refuse_word(&error.why, header->game, "BAD_RECORD", "There is no game '%s'");
        return complain_header(replay, header->game, &error);
    }
    if (!record_start(&replay->reader, header, replay->game, &replay->options, &replay->state,
                      &error))
        return complain_at(replay, &error, EXIT_BAD_INPUT);
    for (int seat = 0; seat < header->seats; seat++) {
        struct span level = header->seat[seat].level;
        enum bot_level known;
        if (level.length > 0 && !bot_level_parse(level, &known)) {
            refuse_word(&error.why, level, "BAD_RECORD", "There is no bot level '%s'");
            return complain_header(replay, level, &error);
        }
        struct text text;
        text_begin(&text, replay->names[seat], sizeof replay->names[seat]);
        text_span(&text, header->seat[seat].name);
        replay->name[seat] = replay->names[seat];
    }
    replay->captions = (struct captions){replay->game, replay->name, SPECTATOR, {{0}}};
    return 0;
}

static void legal_json(const struct replay *replay, int seat, struct json *json) {
    struct move moves[GAME_LEGAL_MAX];
    size_t count = seat == NATURE ? 0 : game_legal(replay->game, &replay->state, seat, moves);
    json_put_array(json, "legal");
    for (size_t i = 0; i < count; i++) {
        char words[MOVE_TEXT_SIZE];
        struct text text;
        text_begin(&text, words, sizeof words);
        game_print(replay->game, &moves[i], &text);
        json_put_string(json, NULL, words);
    }
    json_put_end(json);
}

static bool play_json(struct replay *replay, const struct record_entry *entry,
                      struct record_error *error) {
    char buffer[JSON_SIZE];
    char hash[17];
    struct json json;
    json_begin(&json, buffer, sizeof buffer);
    json_put_object(&json, NULL);
    json_put_number(&json, "step", replay->step);
    json_put_number(&json, "seat", entry->seat);
    json_put_span(&json, "move", entry->text);
    legal_json(replay, entry->seat, &json);
    if (!game_play_text(replay->game, &replay->state, entry->seat, entry->text, NULL, &error->why))
        return false;
    game_view(replay->game, &replay->state, OMNISCIENT, "state", &json);
    snprintf(hash, sizeof hash, "%016" PRIx64, game_hash(replay->game, &replay->state));
    json_put_string(&json, "hash", hash);
    json_put_end(&json);
    puts(buffer);
    return true;
}

static void show(const struct replay *replay) {
    char buffer[SHOW_SIZE];
    struct text text;
    text_begin(&text, buffer, sizeof buffer);
    game_show(replay->game, &replay->state, OMNISCIENT, replay->name, &text);
    fputs(buffer, stdout);
}

static void tell_messages(const struct replay *replay, const struct events *events) {
    for (size_t i = 0; i < events->count; i++)
        if (events->item[i].message.length > 0)
            cli_tell_message(stdout, &events->item[i], replay->name, "      ");
}

static bool play_words(struct replay *replay, const struct record_entry *entry,
                       struct record_error *error) {
    char buffer[JSON_SIZE];
    struct events events;
    events_begin(&events, buffer, sizeof buffer);
    if (!game_play_text(replay->game, &replay->state, entry->seat, entry->text, &events,
                        &error->why))
        return false;
    const char *name = entry->seat == NATURE ? "-" : replay->name[entry->seat];
    printf("%4d  %-12s %.*s\n", replay->step, name, (int)entry->text.length, entry->text.data);
    if (replay->tells) {
        cli_tell_events(&events, OMNISCIENT);
        tell_messages(replay, &events);
    }
    if (replay->says)
        captions_tell(&replay->captions, &events, "      ", stdout);
    if (replay->shows)
        show(replay);
    return true;
}

static void print_result_json(const struct result *result, int seats) {
    char buffer[512];
    struct json json;
    json_begin(&json, buffer, sizeof buffer);
    json_put_object(&json, NULL);
    json_put_object(&json, "result");
    json_put_array(&json, "scores");
    for (int seat = 0; seat < seats; seat++)
        json_put_number(&json, NULL, result->score[seat]);
    json_put_end(&json);
    json_put_bits(&json, "winners", result->winners);
    json_put_bool(&json, "over", result->over);
    json_put_end(&json);
    json_put_end(&json);
    puts(buffer);
}

static void print_result(const struct replay *replay) {
    struct result result;
    int seats = replay->header.seats;
    game_result(replay->game, &replay->state, &result);
    if (replay->as_json) {
        print_result_json(&result, seats);
        return;
    }
    if (!replay->shows)
        show(replay);
    printf("%s; scores", result.over ? "game over" : "the record ends here");
    for (int seat = 0; seat < seats; seat++)
        printf(" %s %d", replay->name[seat], (int)result.score[seat]);
    printf("; winners");
    for (int seat = 0; seat < seats; seat++)
        if ((result.winners >> seat & 1) != 0)
            printf(" %s", replay->name[seat]);
    puts(result.winners == 0 ? " none" : "");
}

static int run(struct replay *replay, struct span file) {
    struct record_entry entry;
    struct record_error error = {0};
    int code = open_game(replay, file);
    if (code != 0)
        return code;
    enum record_step next;
    while ((next = record_next(&replay->reader, &entry, &error)) == RECORD_ENTRY) {
        replay->step++;
        bool played = replay->as_json ? play_json(replay, &entry, &error)
                                      : play_words(replay, &entry, &error);
        if (!played) {
            if (!error.why.at)
                error.why.at = entry.text.data;
            record_locate(&replay->reader, &error);
            return complain_at(replay, &error, EXIT_WRONG_MOVE);
        }
    }
    if (next == RECORD_BROKEN)
        return complain_at(replay, &error, EXIT_WRONG_MOVE);
    print_result(replay);
    return 0;
}

static bool is_egn(const char *path, struct span file) {
    size_t length = strlen(path);
    return egn_is_json(file) || (length > 4 && strcmp(path + length - 4, ".egn") == 0);
}

/* EGN becomes a record first. What the rules refuse is refused there, with its deal and trick. */
static int run_egn(struct replay *replay, struct span file) {
    struct egn_error error;
    char *record = egn_to_record(file, &error);
    if (!record) {
        cli_complain("%s: %s", replay->path, error.text);
        return error.fault == EGN_WRONG_MOVE ? EXIT_WRONG_MOVE : EXIT_BAD_INPUT;
    }
    int code = run(replay, span_of(record));
    free(record);
    return code;
}

/* A save is a position without moves. */
static int run_save(struct replay *replay, struct span file) {
    char *record = saves_to_record(replay->path, file);
    int code = record ? run(replay, span_of(record)) : EXIT_BAD_INPUT;
    free(record);
    return code;
}

int cli_replay(struct cli_arguments *arguments) {
    struct replay replay = {0};
    while (arguments->at < arguments->count) {
        if (cli_switch(arguments, "--json"))
            replay.as_json = true;
        else if (cli_switch(arguments, "--show"))
            replay.shows = true;
        else if (cli_switch(arguments, "--events"))
            replay.tells = true;
        else if (cli_switch(arguments, "--words"))
            replay.says = true;
        else if (replay.path || !cli_word(arguments, &replay.path))
            return cli_unexpected(arguments);
    }
    if (!replay.path)
        return cli_complain("which file? Try: oyster replay game.oyster");
    struct span file = cli_read_file(replay.path);
    int code = saves_recognise(file)       ? run_save(&replay, file)
               : is_egn(replay.path, file) ? run_egn(&replay, file)
                                           : run(&replay, file);
    free((void *)file.data);
    return code;
}
