/* Records to saves and back; see saves.h. */
#include "cli/saves.h"

#include "cli/cli.h"
#include "formats/save.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RECORD_SIZE = POSITION_TEXT_SIZE + 8192 };

static const char mark[] = "# seed ";

/* Too large for the stack. */
static struct save_nodes *new_nodes(void) {
    struct save_nodes *nodes = malloc(sizeof *nodes);
    if (!nodes)
        exit(cli_complain("not enough memory"));
    return nodes;
}

static int complain_at(const char *path, const struct record_error *error, int code) {
    cli_complain("%s:%d:%d: %s (%s)", path, error->line, error->column, error->why.text,
                 error->why.code);
    return code;
}

/* ---- A save as a record ---- */

static void write_record(const struct save *save, struct text *text) {
    struct record_seat seats[SEATS_MAX];
    for (int i = 0; i < save->seats; i++) {
        const struct save_seat *seat = &save->seat[i];
        seats[i] = (struct record_seat){span_of(seat->name), seat->bot,
                                        span_of(seat->bot ? bot_level_name(seat->level) : "")};
    }
    record_write_header(save_game(), &save->options, seats, save->seats, text);
    record_write_position(save_game(), &save->state, text);
    text_string(text, mark);
    text_hex(text, save->game_seed, sizeof save->game_seed);
    text_string(text, " deals ");
    text_number(text, (int64_t)save->deals);
    text_char(text, '\n');
}

bool saves_recognise(struct span file) {
    struct save_nodes *nodes = new_nodes();
    bool is_save = save_recognise(file, nodes);
    free(nodes);
    return is_save;
}

char *saves_to_record(const char *path, struct span file) {
    struct save save;
    struct refusal why = {0};
    struct text text;
    struct save_nodes *nodes = new_nodes();
    bool is_read = save_read(file, nodes, &save, &why);
    free(nodes);
    if (!is_read) {
        cli_complain("%s: %s (%s)", path, why.text, why.code);
        return NULL;
    }
    char *record = malloc(RECORD_SIZE);
    if (!record)
        exit(cli_complain("not enough memory"));
    text_begin(&text, record, RECORD_SIZE);
    write_record(&save, &text);
    return record;
}

/* ---- A record as a save ---- */

static void copy_seat(const struct record_seat *from, struct save_seat *to) {
    struct text text;
    text_begin(&text, to->name, sizeof to->name);
    text_span(&text, from->name);
    to->bot = from->bot;
    if (!bot_level_parse(from->level, &to->level))
        to->level = BOT_MEDIUM;
}

/* The comment that saves_to_record wrote, if there is one. */
static bool find_comment(struct span record, struct save *save) {
    const char *at = record.data, *end = record.data + record.length;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        struct scan scan = {at + sizeof mark - 1, stop};
        struct span seed, word, deals;
        int32_t number;
        if (stop - at > (long)sizeof mark && memcmp(at, mark, sizeof mark - 1) == 0 &&
            scan_word(&scan, &seed) && save_parse_seed(seed, save->game_seed) &&
            scan_word(&scan, &word) && span_is(word, "deals") && scan_word(&scan, &deals) &&
            span_number(deals, &number) && number >= 0) {
            save->deals = (uint64_t)number;
            return true;
        }
        at = stop + 1;
    }
    return false;
}

/* Notes the seed of `deal HEX`, for a game that has no other. */
static void note_deal(struct span text, bool has_seed, struct save *save) {
    struct scan scan = scan_of(text);
    struct span verb, seed;
    uint8_t bytes[CHANCE_SEED_SIZE];
    save->deals++;
    if (!has_seed && save->deals == 1 && scan_word(&scan, &verb) && scan_word(&scan, &seed) &&
        span_hex(seed, bytes, sizeof bytes))
        memcpy(save->game_seed, bytes, sizeof bytes);
}

static bool open_record(struct record_reader *reader, struct span record, struct save *save,
                        struct record_error *error) {
    struct record_header header;
    record_open(reader, record);
    if (!record_read_header(reader, &header, error))
        return false;
    if (!span_is(header.game, save_game()->id)) {
        refuse_word(&error->why, header.game, "BAD_RECORD", "There are no saves of '%s'");
        record_locate(reader, error);
        return false;
    }
    save->seats = header.seats;
    for (int i = 0; i < header.seats; i++)
        copy_seat(&header.seat[i], &save->seat[i]);
    if (!record_start(reader, &header, save_game(), &save->options, &save->state, error))
        return false;
    if (save->deals < save_least_deals(&save->state))
        save->deals = save_least_deals(&save->state);
    return true;
}

/* Plays the record to its end; the exit code says what was wrong. */
static int fold(struct span record, bool has_seed, struct save *save, struct record_error *error) {
    struct record_reader reader;
    struct record_entry entry;
    enum record_step next;
    if (!open_record(&reader, record, save, error))
        return EXIT_BAD_INPUT;
    while ((next = record_next(&reader, &entry, error)) == RECORD_ENTRY) {
        if (!game_play_text(save_game(), &save->state, entry.seat, entry.text, NULL, &error->why)) {
            if (!error->why.at)
                error->why.at = entry.text.data;
            record_locate(&reader, error);
            return EXIT_WRONG_MOVE;
        }
        if (entry.seat == NATURE)
            note_deal(entry.text, has_seed, save);
    }
    return next == RECORD_BROKEN ? EXIT_WRONG_MOVE : 0;
}

static void stamp(struct save *save, const char *given) {
    save_write_time((int64_t)time(NULL) * 1000, save->time);
    if (!given)
        return;
    if (!save_time_fits(span_of(given)))
        exit(cli_complain("--time must be written as 2025-12-04T10:30:00Z, not '%s'", given));
    snprintf(save->time, sizeof save->time, "%s", given);
}

/* What is written must be readable, so names that are not UTF-8 are refused. */
static int print_readable(const char *path, const struct save *save) {
    char text[SAVE_TEXT_SIZE];
    struct save back;
    struct refusal why = {0};
    if (!save_write(save, text, sizeof text))
        return cli_complain("%s: the save is too large", path);
    struct save_nodes *nodes = new_nodes();
    bool is_read = save_read(span_of(text), nodes, &back, &why);
    free(nodes);
    if (!is_read)
        return cli_complain("%s: %s (%s)", path, why.text, why.code);
    puts(text);
    return 0;
}

int saves_print(const char *path, struct span record, const char *seed, const char *time) {
    struct save save = {0};
    struct record_error error = {0};
    bool has_seed = find_comment(record, &save);
    if (seed && !save_parse_seed(span_of(seed), save.game_seed))
        return cli_complain("--seed must be a number or 64 hex digits, not '%s'", seed);
    stamp(&save, time);
    int code = fold(record, has_seed || seed, &save, &error);
    return code == 0 ? print_readable(path, &save) : complain_at(path, &error, code);
}
