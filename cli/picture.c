/* See picture.h. */
#include "cli/picture.h"

#include "cli/screen.h"
#include <string.h>

enum { CONTINUED = 4, SET_IN = 6, GAP = 2, NO_SEAT = -1 };

/* Forms of a table, each with fewer rows than the one before. */
enum form { WHOLE, BESIDE, COUNTED, WITHOUT };

static struct span row_at(const char *text) {
    return (struct span){text, strcspn(text, "\n")};
}

static const char *row_after(const char *text) {
    text += strcspn(text, "\n");
    return text + (*text == '\n');
}

int picture_rows(const char *text) {
    int rows = 0;
    for (; *text; text = row_after(text))
        rows++;
    return rows;
}

static int width_of_byte(char c) {
    unsigned char byte = (unsigned char)c;
    return (byte & 0xc0) == 0x80 ? 0 : byte >= 0xf0 ? 2 : 1;
}

int picture_width(struct span text) {
    int width = 0;
    for (size_t i = 0; i < text.length; i++)
        width += width_of_byte(text.data[i]);
    return width;
}

static void put_blanks(int count, struct text *out) {
    for (; count > 0; count--)
        text_char(out, ' ');
}

/* ---- Rows that are too wide ---- */

/* How much of the row fits: up to the last gap of more than one blank, if that fills half of the
 * room, or else to the last blank; all the room where there is none. */
static size_t fitting(struct span row, int room) {
    size_t blank = 0, gap = 0, at = strspn(row.data, " ");
    int width = (int)at;
    for (; at < row.length; at++) {
        width += width_of_byte(row.data[at]);
        if (row.data[at] == ' ' && row.data[at - 1] != ' ') {
            blank = at;
            if (width * 2 > room && at + 1 < row.length && row.data[at + 1] == ' ')
                gap = at;
        }
        if (width > room)
            break;
    }
    while (at > 0 && at < row.length && ((unsigned char)row.data[at] & 0xc0) == 0x80)
        at--;
    return at == row.length ? at : gap > 0 ? gap : blank > 0 ? blank : at;
}

static void wrap_row(const struct picture *picture, struct span row, struct text *out) {
    int begins = 0;
    while ((size_t)begins < row.length && strchr(" >", row.data[begins]))
        begins++;
    int set_in = begins + CONTINUED < picture->columns / 2 ? begins + CONTINUED : CONTINUED;
    for (int before = 0;; before = set_in) {
        size_t length = fitting(row, picture->columns - before);
        text_span(out, (struct span){row.data, length});
        text_char(out, '\n');
        while (length < row.length && row.data[length] == ' ')
            length++;
        row = (struct span){row.data + length, row.length - length};
        if (row.length == 0)
            return;
        put_blanks(set_in, out);
    }
}

void picture_wrap(const struct picture *picture, const char *text, struct text *out) {
    for (; *text; text = row_after(text))
        wrap_row(picture, row_at(text), out);
}

/* ---- Seats ---- */

/* Does a seat's name stand there in its place: behind two columns of the row, or behind a gap, with
 * at most one letter of its own before it ("B Jellybot")? */
static bool is_place(struct span row, size_t at, const char *name) {
    size_t length = strlen(name), before = at;
    if (at + length > row.length || memcmp(row.data + at, name, length) != 0 ||
        (at + length < row.length && row.data[at + length] != ' '))
        return false;
    if (before >= 4 && row.data[before - 1] == ' ' && row.data[before - 2] != ' ' &&
        row.data[before - 3] == ' ')
        before -= 2;
    return before >= 2 && row.data[before - 1] == ' ' && strchr(" >", row.data[before - 2]);
}

static int seat_at(const struct picture *picture, struct span row, size_t at) {
    for (int seat = 0; seat < picture->seats; seat++)
        if (is_place(row, at, picture->name[seat]))
            return seat;
    return NO_SEAT;
}

/* The seat whose row it is. */
static int seat_of_row(const struct picture *picture, struct span row) {
    int seat = row.length > 2 ? seat_at(picture, row, 2) : NO_SEAT;
    return seat == NO_SEAT && row.length > 4 ? seat_at(picture, row, 4) : seat;
}

/* The width of the widest name with its level. */
static int column_width(const struct picture *picture) {
    int most = 0;
    for (int seat = 0; seat < picture->seats; seat++) {
        int width = picture_width(span_of(picture->name[seat]));
        if (picture->level[seat])
            width += 1 + picture_width(span_of(picture->level[seat]));
        most = width > most ? width : most;
    }
    return most;
}

static bool has_one_seat(const struct picture *picture, struct span row) {
    int count = 0;
    for (size_t at = 0; at < row.length; at++)
        count += seat_at(picture, row, at) != NO_SEAT;
    return count == 1;
}

/* Writes a seat's name with its level, and returns how many bytes of the row that took the place
 * of: where a row has one seat, the blanks behind its name make a column, and belong to it. */
static size_t put_seat(const struct picture *picture, struct span row, size_t at, int seat,
                       struct text *out) {
    struct span name = span_of(picture->name[seat]);
    const char *level = picture->level[seat];
    size_t end = at + name.length, before = out->length;
    while (end < row.length && row.data[end] == ' ')
        end++;
    text_span(out, name);
    if (!has_one_seat(picture, row)) {
        if (level) {
            text_string(out, " (");
            text_string(out, level);
            text_char(out, ')');
        }
        return name.length;
    }
    if (level) {
        text_char(out, ' ');
        text_string(out, level);
    }
    struct span put = {out->data + before, out->length - before};
    put_blanks(column_width(picture) - picture_width(put) + 2, out);
    return end - at;
}

/* Each seat's level stands where its name stands in its place for the first time. */
static void put_levels(const struct picture *picture, const char *table, struct text *out) {
    uint32_t done = 0;
    for (; *table; table = row_after(table)) {
        struct span row = row_at(table);
        for (size_t at = 0; at < row.length;) {
            int seat = seat_at(picture, row, at);
            if (seat == NO_SEAT || (done >> seat & 1) != 0) {
                text_char(out, row.data[at++]);
                continue;
            }
            done |= 1u << seat;
            at += put_seat(picture, row, at, seat, out);
        }
        text_char(out, '\n');
    }
}

/* ---- Fewer rows ---- */

static bool is_set_in(struct span row) {
    return row.length > SET_IN && strspn(row.data, " ") == SET_IN;
}

/* The length of a card's name there, or of a joker's. */
static size_t card_length(struct span row, size_t at) {
    struct span rest = {row.data + at, row.length - at};
    bool joker = span_take(&rest, "JK") && (rest.length == 0 || rest.data[0] == ' ');
    return joker ? strlen("JK") : screen_card_length(row, at);
}

/* How many cards of one rank stand there one after the other; they end at `end`. */
static int count_rank(struct span row, size_t at, size_t rank, size_t *end) {
    int count = 0;
    for (size_t next = at; next < row.length; next = *end + 1, count++) {
        size_t length = card_length(row, next);
        if (length == 0 || memcmp(row.data + next, row.data + at, rank) != 0)
            break;
        *end = next + length;
    }
    return count;
}

/* The cards of a meld as counts, "8×K" for eight kings, and what it is in one word: [Dirty]. */
static void put_counted(const struct picture *picture, struct span row, struct text *out) {
    for (size_t at = 0; at < row.length;) {
        size_t length = card_length(row, at), end = at + 1;
        if (length > 0) {
            size_t rank = row.data[at + length - 1] == 'K' ? length : length - 1;
            text_number(out, count_rank(row, at, rank, &end));
            text_string(out, picture->signs ? "×" : "x");
            text_span(out, (struct span){row.data + at, rank});
        } else if (row.data[at] == '[') {
            while (end < row.length && !strchr(" ]", row.data[end]))
                end++;
            text_span(out, (struct span){row.data + at, end - at});
            while (end < row.length && !strchr(",]", row.data[end]))
                end++;
        } else if (row.data[at] != ' ' || row.data[at - 1] != ' ') {
            text_char(out, row.data[at]);
        }
        at = end;
    }
}

/* What does not fit into one row is left off at a blank, and a sign says so. */
static void put_cut(const struct picture *picture, struct span row, struct text *out) {
    size_t length = row.length;
    if (picture_width(row) > picture->columns)
        length = fitting(row, picture->columns - 4);
    text_span(out, (struct span){row.data, length});
    text_string(out, length == row.length ? "\n" : picture->signs ? " …\n" : " ...\n");
}

/* Writes the rows that are set in, from here to the next one that is not, and returns that. Rows
 * stand beside each other as far as there is room; those of others all in one row. */
static const char *put_set_in(const struct picture *picture, const char *at, bool own,
                              enum form form, struct text *out) {
    char joined[PICTURE_SIZE];
    struct text text = text_in(joined, sizeof joined);
    for (; is_set_in(row_at(at)); at = row_after(at)) {
        struct span row = row_at(at);
        if (form == WHOLE) {
            text_span(out, row);
            text_char(out, '\n');
            continue;
        }
        struct span inner = {row.data + SET_IN, row.length - SET_IN};
        int width = picture_width((struct span){joined, text.length});
        if (width > 0 && (own || form == BESIDE) &&
            width + GAP + picture_width(inner) > picture->columns) {
            text_span(out, (struct span){joined, text.length});
            text_char(out, '\n');
            text = text_in(joined, sizeof joined);
        }
        put_blanks(text.length == 0 ? SET_IN : GAP, &text);
        if (own || form == BESIDE)
            text_span(&text, inner);
        else
            put_counted(picture, inner, &text);
    }
    struct span rest = {joined, text.length};
    if (rest.length > 0 && (own || form == BESIDE)) {
        text_span(out, rest);
        text_char(out, '\n');
    } else if (rest.length > 0 && form == COUNTED) {
        put_cut(picture, rest, out);
    }
    return at;
}

static void put_form(const struct picture *picture, const char *table, enum form form,
                     struct text *out) {
    char shown[PICTURE_SIZE];
    struct text text = text_in(shown, sizeof shown);
    bool own = true;
    for (; *table;) {
        struct span row = row_at(table);
        int seat = seat_of_row(picture, row);
        if (seat != NO_SEAT)
            own = picture->side_of[seat] == picture->side_of[picture->own_seat];
        if (is_set_in(row)) {
            table = put_set_in(picture, table, own, form, &text);
            continue;
        }
        text_span(&text, row);
        text_char(&text, '\n');
        table = row_after(table);
    }
    picture_wrap(picture, shown, out);
}

void picture_whole(const struct picture *picture, const char *table, struct text *out) {
    char named[PICTURE_SIZE];
    struct text text = text_in(named, sizeof named);
    put_levels(picture, table, &text);
    put_form(picture, named, WHOLE, out);
}

bool picture_fit(const struct picture *picture, const char *table, int rows, int rows_max,
                 struct text *out) {
    char named[PICTURE_SIZE], fitted[PICTURE_SIZE];
    struct text text = text_in(named, sizeof named);
    put_levels(picture, table, &text);
    enum form form = WHOLE;
    for (;; form++) {
        text = text_in(fitted, sizeof fitted);
        put_form(picture, named, form, &text);
        if (form == WITHOUT || picture_rows(fitted) <= (form < COUNTED ? rows : rows_max))
            break;
    }
    const char *at = fitted;
    for (; *at && rows_max > 0; rows_max--)
        at = row_after(at);
    text_span(out, (struct span){fitted, (size_t)(at - fitted)});
    return form < COUNTED && *at == '\0';
}
