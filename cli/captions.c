/* See captions.h. */
#include "cli/captions.h"

#include "cli/cli.h"
#include "engine/json_tree.h"
#include <string.h>

enum { NODES_MAX = 2048, LINE_SIZE = 512, WORD_SIZE = 64 };

/* The data of an event as nodes, and those of another event of the same move that a path names. */
struct telling {
    struct captions *captions;
    const struct events *events;
    const struct caption *row;
    struct json_node data[NODES_MAX], other[NODES_MAX];
};

static bool hears(const struct captions *captions, const struct event *event) {
    int reader = captions->reader == SPECTATOR ? SEATS_MAX : captions->reader;
    return (event->audience >> reader & 1) != 0;
}

static struct span trimmed(struct span span) {
    while (span.length > 0 && span.data[0] == ' ')
        span = (struct span){span.data + 1, span.length - 1};
    while (span.length > 0 && span.data[span.length - 1] == ' ')
        span.length--;
    return span;
}

static const struct json_node *find(const struct json_node *object, struct span key) {
    char word[WORD_SIZE];
    struct text text;
    text_begin(&text, word, sizeof word);
    text_span(&text, key);
    return json_node_find(object, word);
}

static bool list_has(const struct json_node *list, const struct json_node *wanted) {
    const struct json_node *item = json_node_first(list);
    while (item && !json_node_equal(item, wanted))
        item = json_node_next(list, item);
    return item != NULL;
}

/* What stands at a path, or null. If something is `wanted`, only a list that has it will do. */
static const struct json_node *look(struct telling *telling, struct span path,
                                    const struct json_node *wanted) {
    struct span rest = path, first = span_take_until(&rest, '.');
    const struct json_node *node = find(telling->data, first);
    if (node && rest.length > 0)
        node = find(node, rest);
    if (node)
        return !wanted || list_has(node, wanted) ? node : NULL;
    for (size_t i = 0; i < telling->events->count; i++) {
        const struct event *event = &telling->events->item[i];
        char type[WORD_SIZE];
        snprintf(type, sizeof type, "%.*s", (int)first.length, first.data);
        if (strcmp(event->type, type) != 0 || !hears(telling->captions, event) ||
            !json_tree_read(event->data, telling->other, NODES_MAX, NULL))
            continue;
        node = find(telling->other, rest);
        if (!wanted || list_has(node, wanted))
            return node;
    }
    return NULL;
}

/* The characters of what stands at a path. */
static void print_path(struct telling *telling, struct span path, struct text *out) {
    const struct json_node *node = look(telling, path, NULL);
    if (node) {
        json_node_print(node, out);
        return;
    }
    for (int i = 0; i < CAPTIONS_REMEMBERED_MAX; i++)
        if (telling->captions->remembered[i].name &&
            span_is(path, telling->captions->remembered[i].name))
            text_number(out, telling->captions->remembered[i].number);
}

static bool number_at(struct telling *telling, const char *path, int32_t *out) {
    char word[LINE_SIZE];
    struct text text;
    text_begin(&text, word, sizeof word);
    print_path(telling, span_of(path), &text);
    return span_number(span_of(word), out);
}

static bool is_something(const struct json_node *node) {
    if (json_node_has_kind(node, NODE_BOOL))
        return json_node_is_true(node);
    if (json_node_has_kind(node, NODE_WHOLE))
        return json_node_number(node) != 0;
    return node && node->kind != NODE_NULL && node->length > 0;
}

/* Is the item in the list, which has at least so many? */
static bool has(struct telling *telling, struct span list, struct span item, size_t least) {
    const struct json_node *wanted = look(telling, item, NULL);
    return wanted && json_node_count(look(telling, list, wanted)) >= least;
}

static bool holds(struct telling *telling, struct span condition) {
    struct span right = condition, left = span_take_until(&right, '~');
    if (right.length > 0)
        return has(telling, left, right, 1);
    right = condition;
    left = span_take_until(&right, '>');
    if (right.length > 0)
        return has(telling, left, right, 2);
    right = condition;
    left = span_take_until(&right, '=');
    if (right.length == 0)
        return is_something(look(telling, left, NULL));
    char one[LINE_SIZE], two[LINE_SIZE];
    struct text text;
    text_begin(&text, one, sizeof one);
    print_path(telling, left, &text);
    text_begin(&text, two, sizeof two);
    if (right.data[0] == '@')
        print_path(telling, (struct span){right.data + 1, right.length - 1}, &text);
    else
        text_span(&text, right);
    return strcmp(one, two) == 0;
}

static bool fits(struct telling *telling) {
    for (struct span rest = span_of(telling->row->when); rest.length > 0;)
        if (!holds(telling, trimmed(span_take_until(&rest, '&'))))
            return false;
    return true;
}

/* ---- Sentences ---- */

/* Ids number the copies of a card, `KH.2`; people do not. */
static void put_card(const struct json_node *card, struct text *out) {
    struct span id = {card->data, card->length};
    text_span(out, span_take_until(&id, '.'));
}

static void put_cards(const struct json_node *list, const struct json_node *but, struct text *out) {
    const char *gap = "";
    bool left_out = false;
    for (const struct json_node *item = json_node_first(list); item;
         item = json_node_next(list, item)) {
        if (!left_out && but && json_node_equal(item, but)) {
            left_out = true;
            continue;
        }
        text_string(out, gap);
        put_card(item, out);
        gap = " ";
    }
}

static void put_count(const struct json_node *node, const char *one, struct text *out) {
    json_node_print(node, out);
    text_char(out, ' ');
    text_string(out, one);
    if (json_node_number(node) != 1)
        text_char(out, 's');
}

static void put_text_of(const struct json_node *list, const struct json_node *id,
                        struct text *out) {
    for (const struct json_node *item = json_node_first(list); item;
         item = json_node_next(list, item))
        if (json_node_equal(json_node_find(item, "id"), id))
            json_node_print(json_node_find(item, "text"), out);
}

static void put_kind(struct telling *telling, struct span path, struct span kind,
                     struct text *out) {
    struct span key = kind;
    kind = span_take_until(&key, '=');
    const struct json_node *member = find(telling->data, key);
    const struct json_node *node = look(telling, path, span_is(kind, "without") ? member : NULL);
    if (!node)
        print_path(telling, path, out);
    else if (span_is(kind, "card"))
        put_card(node, out);
    else if (span_is(kind, "cards"))
        put_cards(node, NULL, out);
    else if (span_is(kind, "without"))
        put_cards(node, member, out);
    else if (span_is(kind, "counted"))
        put_count(node, "card", out);
    else if (span_is(kind, "points"))
        put_count(node, "point", out);
    else if (span_is(kind, "text-of"))
        put_text_of(member, node, out);
    else
        json_node_print(node, out);
}

static void put_word(struct span word, struct span kind, struct text *out) {
    bool team = span_is(kind, "side");
    if (team)
        text_string(out, "Team ");
    for (size_t i = 0; i < word.length; i++)
        text_char(out, team ? (char)(word.data[i] - 'a' + 'A') : word.data[i]);
}

/* Writes what belongs into a place of the sentence. */
static void put_place(struct telling *telling, struct span place, struct text *out) {
    struct scan words = scan_of(span_of(telling->row->values));
    struct span word;
    while (scan_word(&words, &word)) {
        struct span kind = word, path = span_take_until(&kind, ':'),
                    name = span_take_until(&path, '=');
        if (name.length != place.length || memcmp(name.data, place.data, name.length) != 0)
            continue;
        if (path.length > 0 && path.data[0] == '\'')
            put_word((struct span){path.data + 1, path.length - 1}, kind, out);
        else
            put_kind(telling, path.length > 0 ? path : name, kind, out);
    }
}

/* Writes the words without their brackets. */
static void put_plain(struct span words, struct text *out) {
    for (size_t i = 0; i < words.length; i++)
        if (words.data[i] != '[' && words.data[i] != ']')
            text_char(out, words.data[i]);
}

static void put_sentence(struct telling *telling, const char *sentence, int seat,
                         struct text *out) {
    for (struct span rest = span_of(sentence); rest.length > 0;) {
        put_plain(span_take_until(&rest, '{'), out);
        struct span place = span_take_until(&rest, '}');
        if (span_is(place, "name"))
            text_string(out, telling->captions->names[seat]);
        else if (place.length > 0)
            put_place(telling, place, out);
    }
}

/* ---- Rows ---- */

static void remember(struct telling *telling) {
    struct captions *captions = telling->captions;
    int32_t number;
    if (!number_at(telling, telling->row->values, &number))
        return;
    for (int i = 0; i < CAPTIONS_REMEMBERED_MAX; i++) {
        const char *name = captions->remembered[i].name;
        if (name && strcmp(name, telling->row->by) != 0)
            continue;
        captions->remembered[i].name = telling->row->by;
        captions->remembered[i].number = number;
        return;
    }
}

static void print_line(const char *line, const char *indent, FILE *out) {
    size_t length = strlen(line);
    if (length > 0)
        fprintf(out, "%s%s%s\n", indent, line, strchr(".!?", line[length - 1]) ? "" : ".");
}

/* True if the row fits the event: what it says is written. */
static bool tell_row(struct telling *telling, const char *indent, FILE *out) {
    const struct caption *row = telling->row;
    char line[LINE_SIZE];
    struct text text;
    int32_t seat = NATURE;
    if (!row->you) {
        remember(telling);
        return false;
    }
    if ((row->by && (!number_at(telling, row->by, &seat) || seat < 0 || seat >= SEATS_MAX)) ||
        !fits(telling))
        return false;
    text_begin(&text, line, sizeof line);
    put_sentence(telling, seat == telling->captions->reader ? row->you : row->others, seat, &text);
    print_line(line, indent, out);
    return true;
}

/* True if there is a row for it. */
static bool tell_event(struct telling *telling, const struct event *event, const char *indent,
                       FILE *out) {
    const char *done = NULL;
    bool told = false;
    if (!json_tree_read(event->data, telling->data, NODES_MAX, NULL))
        return false;
    for (const struct caption *row = telling->captions->game->captions; row && row->event; row++) {
        const char *by = row->by ? row->by : "";
        telling->row = row;
        if (strcmp(row->event, event->type) != 0 || (done && strcmp(done, by) == 0) ||
            !tell_row(telling, indent, out))
            continue;
        told = true;
        done = by;
    }
    return told;
}

bool captions_tell(struct captions *captions, const struct events *events, const char *indent,
                   FILE *out) {
    struct telling telling;
    bool told = false;
    telling.captions = captions;
    telling.events = events;
    for (size_t i = 0; i < events->count; i++) {
        const struct event *event = &events->item[i];
        if (!hears(captions, event))
            continue;
        bool has_row = tell_event(&telling, event, indent, out);
        if (!has_row && event->message.length > 0)
            cli_tell_message(out, event, captions->names, indent);
        told = told || has_row || event->message.length > 0;
    }
    return told;
}
