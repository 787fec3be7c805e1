/* Reader and writer of `.oyster` files; see record.h. */
#include "engine/record.h"

void record_open(struct record_reader *reader, struct span file) {
    *reader = (struct record_reader){
        .begin = file.data, .end = file.data + file.length, .at = file.data, .line = file.data};
}

void record_locate(const struct record_reader *reader, struct record_error *error) {
    const char *place = error->why.at ? error->why.at : reader->line;
    error->line = error->column = 1;
    for (const char *at = reader->begin; at < place && at < reader->end; at++) {
        error->column++;
        if (*at == '\n') {
            error->line++;
            error->column = 1;
        }
    }
}

static bool fail(const struct record_reader *reader, struct span word, const char *format,
                 struct record_error *error) {
    refuse_word(&error->why, word, "BAD_RECORD", format);
    record_locate(reader, error);
    return false;
}

/* Where the line last read begins, for files in which something is missing. */
static struct span here(const struct record_reader *reader) {
    return (struct span){reader->line, 0};
}

static bool is_space(char c) {
    return c == ' ' || c == '\t';
}

/* The line up to a comment, without blanks around it. Within quotes nothing begins a comment. */
static struct span strip(const char *start, const char *end) {
    bool quoted = false;
    for (const char *at = start; at < end; at++) {
        quoted = quoted != (*at == '"');
        if (*at == '#' && !quoted && (at == start || is_space(at[-1]))) {
            end = at;
            break;
        }
    }
    while (start < end && is_space(*start))
        start++;
    while (end > start && (is_space(end[-1]) || end[-1] == '\r'))
        end--;
    return (struct span){start, (size_t)(end - start)};
}

/* The next line that holds more than blanks and a comment; false at the end of the file. */
static bool next_line(struct record_reader *reader, struct span *out) {
    while (reader->at < reader->end) {
        const char *end = reader->at;
        while (end < reader->end && *end != '\n')
            end++;
        reader->line = reader->at;
        *out = strip(reader->at, end);
        reader->at = end < reader->end ? end + 1 : end;
        if (out->length > 0)
            return true;
    }
    *out = (struct span){reader->end, 0};
    return false;
}

static struct span rest_of(const struct scan *scan) {
    struct scan rest = *scan;
    while (rest.at < rest.end && is_space(*rest.at))
        rest.at++;
    return (struct span){rest.at, (size_t)(rest.end - rest.at)};
}

bool record_name_fits(struct span name) {
    for (size_t at = 0; at < name.length;) {
        int32_t character = span_character(name, &at);
        if (character_is_control(character) || character == '"')
            return false;
    }
    return name.length > 0 && name.length <= RECORD_NAME_MAX;
}

/* A name, in quotes if it has blanks; a star and a level follow if it is a bot's. */
static bool read_seat(const struct record_reader *reader, struct scan *scan,
                      struct record_seat *out, struct record_error *error) {
    struct span word = rest_of(scan);
    *out = (struct record_seat){0};
    const char *at = word.data, *end = word.data + word.length;
    bool quoted = *at == '"';
    const char *name = quoted ? at + 1 : at;
    for (at = name; at < end && (quoted ? *at != '"' : !is_space(*at) && *at != '*'); at++)
        ;
    out->name = (struct span){name, (size_t)(at - name)};
    if (quoted && at == end)
        return fail(reader, (struct span){word.data, 1}, "The quote %s does not end", error);
    at += quoted;
    out->bot = at < end && *at == '*';
    at += out->bot;
    const char *level = at;
    while (at < end && !is_space(*at))
        at++;
    out->level = (struct span){level, (size_t)(at - level)};
    scan->at = at;
    struct span whole = {word.data, (size_t)(at - word.data)};
    if (out->name.length == 0)
        return fail(reader, whole, "A seat needs a name, found '%s'", error);
    if (!span_is_utf8(out->name))
        return fail(reader, whole, "This name is not UTF-8", error);
    if (out->name.length > RECORD_NAME_MAX)
        return fail(reader, whole, "The name '%s' is too long", error);
    if (!record_name_fits(out->name))
        return fail(reader, whole, "The name '%s' holds a control character", error);
    if (!out->bot && out->level.length > 0)
        return fail(reader, whole, "Expected a blank or a star after the name in '%s'", error);
    return true;
}

static bool read_seats(const struct record_reader *reader, struct scan *scan,
                       struct record_header *out, struct record_error *error) {
    out->seats = 0;
    while (!scan_done(*scan)) {
        struct span word;
        scan_peek(*scan, &word);
        if (out->seats == SEATS_MAX)
            return fail(reader, word, "There are at most 8 seats; '%s' is one more", error);
        if (!read_seat(reader, scan, &out->seat[out->seats], error))
            return false;
        out->seats++;
    }
    return true;
}

static bool read_version(struct record_reader *reader, struct record_error *error) {
    struct span line, word, version;
    if (!next_line(reader, &line))
        return fail(reader, here(reader), "The file is empty", error);
    struct scan scan = scan_of(line);
    scan_word(&scan, &word);
    if (!span_is(word, "oyster"))
        return fail(reader, word, "A record begins with 'oyster 1', not with '%s'", error);
    if (!scan_word(&scan, &version) || !span_is(version, "1"))
        return fail(reader, version, "Unknown version '%s' of the format; this reads 1", error);
    if (scan_word(&scan, &word))
        return fail(reader, word, "The first line should end before '%s'", error);
    return true;
}

static bool read_header_line(const struct record_reader *reader, struct span line,
                             struct record_header *out, struct record_error *error) {
    struct scan scan = scan_of(line);
    struct span key;
    scan_word(&scan, &key);
    struct span *field = span_is(key, "game")       ? &out->game
                         : span_is(key, "options")  ? &out->options
                         : span_is(key, "seats")    ? &out->seats_line
                         : span_is(key, "position") ? &out->position
                                                    : NULL;
    if (!field)
        return fail(reader, key, "Expected game, options, seats, position or a move, found '%s'",
                    error);
    if (field->data)
        return fail(reader, key, "A second '%s' line", error);
    *field = rest_of(&scan);
    return field != &out->seats_line || read_seats(reader, &scan, out, error);
}

static bool starts_move(struct span line) {
    bool single = line.length == 1 || is_space(line.data[1]);
    return single && (line.data[0] == '-' || (line.data[0] >= '0' && line.data[0] <= '9'));
}

bool record_read_header(struct record_reader *reader, struct record_header *out,
                        struct record_error *error) {
    *out = (struct record_header){0};
    *error = (struct record_error){0};
    if (!read_version(reader, error))
        return false;
    struct record_reader before = *reader;
    struct span line;
    while (next_line(reader, &line) && !starts_move(line)) {
        if (!read_header_line(reader, line, out, error))
            return false;
        before = *reader;
    }
    *reader = before;
    if (!out->game.data)
        return fail(reader, here(reader), "The header lacks a game line", error);
    if (!out->seats_line.data)
        return fail(reader, here(reader), "The header lacks a seats line", error);
    return true;
}

bool record_start(const struct record_reader *reader, const struct record_header *header,
                  const struct game *game, struct options *options, struct game_state *state,
                  struct record_error *error) {
    struct span about = header->options;
    *error = (struct record_error){0};
    options_default(&game->options, options);
    bool good = options_parse(&game->options, header->options, options, &error->why);
    if (good) {
        about = header->seats_line;
        good = game_start(game, state, options, header->seats, &error->why);
    }
    if (good && header->position.data) {
        about = header->position;
        good = game_read_position(game, state, header->position, &error->why);
    }
    if (good)
        return true;
    if (!error->why.at)
        error->why.at = about.data;
    record_locate(reader, error);
    return false;
}

enum record_step record_next(struct record_reader *reader, struct record_entry *out,
                             struct record_error *error) {
    struct span line, word;
    if (!next_line(reader, &line))
        return RECORD_END;
    struct scan scan = scan_of(line);
    scan_word(&scan, &word);
    if (!starts_move(line)) {
        fail(reader, word, "A move begins with a seat or '-', not with '%s'", error);
        return RECORD_BROKEN;
    }
    out->seat = word.data[0] == '-' ? NATURE : word.data[0] - '0';
    out->text = rest_of(&scan);
    return RECORD_ENTRY;
}

static void write_seat(const struct record_seat *seat, struct text *text) {
    bool quotes = false;
    for (size_t i = 0; i < seat->name.length; i++)
        quotes = quotes || is_space(seat->name.data[i]) || seat->name.data[i] == '*' ||
                 seat->name.data[i] == '#';
    text_string(text, quotes ? "\"" : "");
    text_span(text, seat->name);
    text_string(text, quotes ? "\"" : "");
    text_string(text, seat->bot ? "*" : "");
    text_span(text, seat->level);
}

void record_write_header(const struct game *game, const struct options *options,
                         const struct record_seat *seats, int count, struct text *text) {
    text_string(text, "oyster 1\ngame ");
    text_string(text, game->id);
    text_string(text, "\noptions ");
    options_print(&game->options, options, text);
    text_string(text, "\nseats");
    for (int i = 0; i < count; i++) {
        text_char(text, ' ');
        write_seat(&seats[i], text);
    }
    text_char(text, '\n');
}

void record_write_position(const struct game *game, const struct game_state *state,
                           struct text *text) {
    text_string(text, "position ");
    game_print_position(game, state, text);
    text_char(text, '\n');
}

void record_write_entry(int seat, struct span move, struct text *text) {
    if (seat == NATURE)
        text_char(text, '-');
    else
        text_number(text, seat);
    text_char(text, ' ');
    text_span(text, move);
    text_char(text, '\n');
}
