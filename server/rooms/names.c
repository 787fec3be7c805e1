/* Names and chat by Unicode's own tables (utf8proc). Each text passes three steps: the characters
 * one by one, then normalisation, then the count. Characters are left out before normalisation, so
 * that the result is in NFC. */
#include "server/rooms/names.h"

#include "engine/ensure.h"
#include "server/rooms/lookalikes.h"
#include "store/store.h"
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

enum {
    BYTES_PER_CHARACTER = 12, /* of the input: a Hangul syllable in its three parts has nine */
    INPUT_MAX = BYTES_PER_CHARACTER * TEXT_CHARACTERS_MAX,
    POINTS_MAX = 2 * INPUT_MAX, /* decomposed, two bytes are three points at the most */
    LEFT_OUT = -1,
    REFUSED = -2,
    JOINER_NONE = 0x200c,
    JOINER = 0x200d,
    CLOSING_QUOTE = 0x201d,
    LINE_SEPARATOR = 0x2028,
    PARAGRAPH_SEPARATOR = 0x2029,
    EMPTY_BRAILLE = 0x2800,
    COLOUR_SELECTOR = 0xfe0f,        /* asks for the coloured form of an emoji */
    SKELETON_MAX = 4 * NAME_SIZE,    /* characters */
    SKELETON_SIZE = 4 * SKELETON_MAX /* bytes */
};

/* What is written for a character: itself, another one, LEFT_OUT or REFUSED. */
typedef int32_t (*judge)(int32_t point);

/* Characters that are drawn as nothing, although their category says that they are seen. */
static bool is_empty(int32_t point) {
    static const int32_t empty[] = {0xfffc, 0x13441, 0x13442, 0x16fe4, 0x1d159};
    for (size_t i = 0; i < sizeof empty / sizeof empty[0]; i++)
        if (point == empty[i])
            return true;
    return false;
}

static bool is_invisible(int32_t point) {
    static const bool unseen[32] = {
        [UTF8PROC_CATEGORY_CC] = true, [UTF8PROC_CATEGORY_CF] = true, [UTF8PROC_CATEGORY_CN] = true,
        [UTF8PROC_CATEGORY_CO] = true, [UTF8PROC_CATEGORY_CS] = true, [UTF8PROC_CATEGORY_ZL] = true,
        [UTF8PROC_CATEGORY_ZP] = true};
    return unseen[utf8proc_category(point)] || is_empty(point) ||
           utf8proc_get_property(point)->ignorable; /* letters that fill a place unseen */
}

static bool is_blank(int32_t point) {
    return utf8proc_category(point) == UTF8PROC_CATEGORY_ZS || point == EMPTY_BRAILLE;
}

static int32_t judge_name(int32_t point) {
    if (is_blank(point))
        return ' ';
    if (point == '"')
        return CLOSING_QUOTE;
    return is_invisible(point) ? REFUSED : point;
}

static bool ends_line(int32_t point) {
    return (point >= '\t' && point <= '\r') || point == LINE_SEPARATOR ||
           point == PARAGRAPH_SEPARATOR;
}

static int32_t judge_text(int32_t point) {
    if (is_blank(point) || ends_line(point))
        return ' ';
    if (point == JOINER || point == JOINER_NONE)
        return point;
    return is_invisible(point) ? LEFT_OUT : point;
}

static bool is_mark(int32_t point) {
    utf8proc_category_t category = utf8proc_category(point);
    return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_ME ||
           category == UTF8PROC_CATEGORY_MC;
}

/* Does the character leave ink: is it neither a blank nor a mark that is set upon others? */
static bool is_seen(int32_t point) {
    return !is_mark(point) && !is_blank(point) && !is_invisible(point);
}

static void put_point(int32_t point, struct text *out) {
    utf8proc_uint8_t bytes[4];
    utf8proc_ssize_t length = utf8proc_encode_char(point, bytes);
    text_span(out, (struct span){(const char *)bytes, (size_t)length});
}

/* The state of the first step: where it is in the input and what it has seen. */
struct walk {
    const utf8proc_uint8_t *at;
    utf8proc_ssize_t left;
    bool blank; /* one is due before the next character */
    bool seen;
    bool emoji; /* the last character was one */
};

static bool next_point(struct walk *walk, int32_t *point, struct refusal *why) {
    utf8proc_ssize_t length = utf8proc_iterate(walk->at, walk->left, point);
    if (length <= 0)
        return refuse(why, "BAD_REQUEST", "This is not valid UTF-8");
    walk->at += length;
    walk->left -= length;
    return true;
}

/* Blanks at the ends and second blanks are left out. */
static void put_kept(struct walk *walk, int32_t point, struct text *out) {
    if (point == ' ') {
        walk->blank = out->length > 0;
        return;
    }
    if (walk->blank)
        text_char(out, ' ');
    walk->blank = false;
    walk->seen = walk->seen || is_seen(point);
    put_point(point, out);
}

static bool write_judged(struct span in, judge judged, struct text *out, struct refusal *why) {
    struct walk walk = {.at = (const utf8proc_uint8_t *)in.data,
                        .left = (utf8proc_ssize_t)in.length};
    while (walk.left > 0) {
        int32_t point;
        if (!next_point(&walk, &point, why))
            return false;
        bool belongs = point == COLOUR_SELECTOR && walk.emoji;
        walk.emoji = utf8proc_category(point) == UTF8PROC_CATEGORY_SO;
        point = belongs ? point : judged(point);
        if (point == REFUSED)
            return refuse(why, "BAD_REQUEST",
                          "A name has no invisible, control or unknown characters");
        if (point != LEFT_OUT)
            put_kept(&walk, point, out);
    }
    return walk.seen || refuse(why, "BAD_REQUEST", "There is nothing to be seen in this");
}

/* The second and the third step: normalises and counts. */
static bool write_composed(struct span in, size_t characters_max, struct text *out) {
    utf8proc_int32_t points[POINTS_MAX];
    utf8proc_ssize_t count =
        utf8proc_decompose((const utf8proc_uint8_t *)in.data, (utf8proc_ssize_t)in.length, points,
                           POINTS_MAX, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    ensure(count > 0 && count <= POINTS_MAX);
    count = utf8proc_normalize_utf32(points, count, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    ensure(count > 0);
    for (utf8proc_ssize_t i = 0; i < count; i++)
        put_point(points[i], out);
    return (size_t)count <= characters_max && !out->cut;
}

static bool clean(struct span in, judge judged, size_t characters_max, struct text *out,
                  struct refusal *why) {
    char buffer[INPUT_MAX + 1]; /* a name's `"` grow, but a name may be only so long */
    struct text kept = text_in(buffer, sizeof buffer);
    ensure(characters_max > 0 && characters_max <= TEXT_CHARACTERS_MAX);
    bool fits = in.length <= BYTES_PER_CHARACTER * characters_max;
    if (fits && in.length > 0 && !write_judged(in, judged, &kept, why))
        return false;
    ensure(!kept.cut);
    fits = fits && kept.length > 0 &&
           write_composed((struct span){buffer, kept.length}, characters_max, out);
    return fits || refuse(why, "BAD_REQUEST", "%s has 1 to %d characters",
                          judged == judge_name ? "A name" : "A message", (int)characters_max);
}

/* ---- What names look like ---- */

static int compare_points(const void *point, const void *lookalike) {
    int32_t wanted = *(const int32_t *)point, found = ((const struct lookalike *)lookalike)->point;
    return (wanted > found) - (wanted < found);
}

/* Capitals in black circles and squares, out of which no folding takes them. */
static const char *in_a_shape(int32_t point) {
    static const int32_t first[] = {0x1f150, 0x1f170};
    static const char capitals[26][2] = {"A", "B", "C", "D", "E", "F", "G", "H", "I",
                                         "J", "K", "L", "M", "N", "O", "P", "Q", "R",
                                         "S", "T", "U", "V", "W", "X", "Y", "Z"};
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++)
        if (point >= first[i] && point < first[i] + 26)
            return capitals[point - first[i]];
    return NULL;
}

static const char *find_lookalike(int32_t point) {
    const struct lookalike *found =
        bsearch(&point, lookalikes, sizeof lookalikes / sizeof lookalikes[0], sizeof lookalikes[0],
                compare_points);
    return found ? found->latin : in_a_shape(point);
}

/* Maps look-alikes to one letter: a capital I looks like l, so i does, too. */
static char plain_of(char c) {
    static const char alike[][2] = {{'1', 'l'}, {'|', 'l'}, {'i', 'l'}, {'0', 'o'}, {'8', 'b'}};
    for (size_t i = 0; i < sizeof alike / sizeof alike[0]; i++)
        if (c == alike[i][0])
            return alike[i][1];
    return c;
}

static bool decompose(struct span in, utf8proc_option_t how, utf8proc_int32_t out[SKELETON_MAX],
                      utf8proc_ssize_t *count) {
    *count = utf8proc_decompose((const utf8proc_uint8_t *)in.data, (utf8proc_ssize_t)in.length, out,
                                SKELETON_MAX, how);
    return *count >= 0 && *count <= SKELETON_MAX;
}

/* A name in small letters, and in Latin ones as far as it looks like such. Marks are taken off the
 * letters first, so that a letter is known with and without them. */
static void write_folded(struct span name, bool in_latin, struct text *out) {
    static const utf8proc_option_t apart = UTF8PROC_STABLE | UTF8PROC_DECOMPOSE,
                                   folded = UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT |
                                            UTF8PROC_CASEFOLD | UTF8PROC_IGNORE;
    char latin[4 * SKELETON_MAX];
    utf8proc_int32_t points[SKELETON_MAX];
    utf8proc_ssize_t count;
    struct text text = text_in(latin, sizeof latin);
    if (!decompose(name, apart, points, &count))
        return;
    for (utf8proc_ssize_t i = 0; i < count; i++) {
        const char *found = in_latin ? find_lookalike(points[i]) : NULL;
        if (found)
            text_string(&text, found);
        else
            put_point(points[i], &text);
    }
    if (decompose((struct span){latin, text.length}, folded, points, &count))
        for (utf8proc_ssize_t i = 0; i < count; i++)
            put_point(points[i], out);
}

/* What is left of it for the eye: two names with the same skeleton look alike. */
static size_t write_skeleton(struct span name, bool in_latin, char out[SKELETON_SIZE]) {
    char folded[SKELETON_SIZE];
    struct text from = text_in(folded, sizeof folded), text = text_in(out, SKELETON_SIZE);
    write_folded(name, in_latin, &from);
    for (size_t i = 0; i < from.length; i++)
        if (folded[i] == 'm')
            text_string(&text, "rn");
        else if (folded[i] == 'w')
            text_string(&text, "vv");
        else
            text_char(&text, plain_of(folded[i]));
    return text.length;
}

/* Small letters of other scripts may look like no Latin one where their capitals do, so names are
 * also compared as they are written. */
bool names_look_alike(struct span one, struct span other) {
    char first[SKELETON_SIZE], second[SKELETON_SIZE];
    for (int in_latin = 0; in_latin < 2; in_latin++) {
        size_t length = write_skeleton(one, in_latin, first);
        if (write_skeleton(other, in_latin, second) == length && memcmp(first, second, length) == 0)
            return true;
    }
    return false;
}

/* Does the folded name look as if it began with this word, and does no letter follow? */
static bool begins_with(struct span folded, const char *word) {
    size_t length = strlen(word);
    int32_t next = ' ';
    if (folded.length < length)
        return false;
    for (size_t i = 0; i < length; i++)
        if (plain_of(folded.data[i]) != plain_of((char)utf8proc_tolower(word[i])))
            return false;
    if (folded.length > length)
        utf8proc_iterate((const utf8proc_uint8_t *)folded.data + length,
                         (utf8proc_ssize_t)(folded.length - length), &next);
    return utf8proc_category(next) > UTF8PROC_CATEGORY_LO;
}

/* A letter without the marks that are set upon it is still that letter. */
static void write_without_marks(struct span folded, struct text *out) {
    int32_t point;
    while (folded.length > 0) {
        utf8proc_ssize_t length = utf8proc_iterate((const utf8proc_uint8_t *)folded.data,
                                                   (utf8proc_ssize_t)folded.length, &point);
        if (length <= 0)
            return;
        if (!is_mark(point))
            text_span(out, (struct span){folded.data, (size_t)length});
        folded.data += length;
        folded.length -= (size_t)length;
    }
}

/* `Bot` and the characters' names. */
static bool begins_like_bot(struct span folded) {
    bool found = begins_with(folded, "Bot");
    for (int level = 0; level < BOT_LEVELS && !found; level++)
        for (int number = 0; number < BOT_CHARACTERS && !found; number++)
            found = begins_with(folded, bot_character((enum bot_level)level, number).name);
    return found;
}

static bool begins_like_nobody(struct span folded) {
    return begins_with(folded, WORLD_ERASED_NAME);
}

/* Does one of its words begin so, and end there? Botond is a person, and so is Robot. */
static bool has_word(struct span name, bool (*begins)(struct span folded)) {
    char folded[SKELETON_SIZE], bare[SKELETON_SIZE];
    struct text text = text_in(folded, sizeof folded), without = text_in(bare, sizeof bare);
    write_folded(name, true, &text);
    write_without_marks((struct span){folded, text.length}, &without);
    bool in_word = false;
    for (size_t i = 0, length; i < without.length; i += length) {
        int32_t point;
        struct span rest = {bare + i, without.length - i};
        length = (size_t)utf8proc_iterate((const utf8proc_uint8_t *)rest.data,
                                          (utf8proc_ssize_t)rest.length, &point);
        if (!in_word && begins(rest))
            return true;
        in_word = utf8proc_category(point) <= UTF8PROC_CATEGORY_LO;
    }
    return false;
}

/* How a name looks, in two numbers. Two names might share them by chance and look different: then
 * one of them gets a number that it does not need. */
struct look {
    uint64_t hash[2];
};

static struct look look_of(struct span name) {
    char skeleton[SKELETON_SIZE];
    struct look look;
    for (int in_latin = 0; in_latin < 2; in_latin++) {
        size_t length = write_skeleton(name, in_latin, skeleton);
        look.hash[in_latin] = store_chain(STORE_CHAIN_START, (struct span){skeleton, length});
    }
    return look;
}

/* The names of all others in a world. */
struct looks {
    int count;
    struct look others[WORLD_MEMBERS_MAX + SEATS_MAX];
};

static void look_at_others(const struct world *world, struct span id, struct looks *out) {
    out->count = 0;
    for (int i = 0; i < world->member_count; i++)
        if (!span_is(id, world->member[i].id))
            out->others[out->count++] = look_of(span_of(world->member[i].name));
    for (int i = 0; i < world->seat_count; i++)
        if (world->seat[i].kind == WORLD_SEAT_PERSON && !span_is(id, world->seat[i].id))
            out->others[out->count++] = look_of(span_of(world->seat[i].name));
}

static bool is_taken(const struct looks *looks, const char *name) {
    struct look look = look_of(span_of(name));
    for (int i = 0; i < looks->count; i++)
        if (looks->others[i].hash[0] == look.hash[0] || looks->others[i].hash[1] == look.hash[1])
            return true;
    return false;
}

/* The name, or as much of it as leaves room for a number; no character is cut in two. */
static struct span leave_room(struct span name) {
    enum { NUMBER_MAX = 3 };
    while (name.length > RECORD_NAME_MAX - NUMBER_MAX ||
           (name.length > 0 && ((uint8_t)name.data[name.length] & 0xc0) == 0x80))
        name.length--;
    return name;
}

void names_in_world(const struct world *world, struct span id, struct span name,
                    char out[NAME_SIZE]) {
    struct text text = text_in(out, NAME_SIZE);
    struct looks looks;
    look_at_others(world, id, &looks);
    text_span(&text, name);
    for (int number = 2; is_taken(&looks, out); number++) {
        text_begin(&text, out, NAME_SIZE);
        text_span(&text, leave_room(name));
        text_char(&text, ' ');
        text_number(&text, number);
    }
}

/* ---- For others ---- */

bool names_normalise(struct span in, char out[NAME_SIZE], struct refusal *why) {
    struct text text = text_in(out, NAME_SIZE);
    if (!clean(in, judge_name, NAME_CHARACTERS_MAX, &text, why))
        return false;
    ensure(record_name_fits((struct span){out, text.length}));
    struct span name = {out, text.length};
    if (has_word(name, begins_like_bot))
        return refuse(why, "BAD_REQUEST", "Only bots are called like that");
    return !has_word(name, begins_like_nobody) ||
           refuse(why, "BAD_REQUEST", "People who were erased are called like that");
}

bool names_clean_text(struct span in, char *out, size_t size, size_t characters_max,
                      struct refusal *why) {
    struct text text = text_in(out, size);
    return clean(in, judge_text, characters_max, &text, why);
}
