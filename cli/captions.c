/* See captions.h. */
#include "cli/captions.h"

#include <string.h>

static bool ends_with(struct span word, const char *end) {
    size_t length = strlen(end);
    return word.length >= length && memcmp(word.data + word.length - length, end, length) == 0;
}

/* Writes the name and the verb that the words begin with, and takes it off them: "Ann plays", "Ann
 * passes", but "You play" to the person who reads and is called so. */
static void put_verb(const struct captions_table *table, int seat, struct scan *words,
                     struct text *out) {
    struct span verb;
    scan_word(words, &verb);
    text_string(out, table->names[seat]);
    text_char(out, ' ');
    text_span(out, verb);
    if (seat == table->reader && strcmp(table->names[seat], "You") == 0)
        return;
    bool hisses = ends_with(verb, "s") || ends_with(verb, "sh") || ends_with(verb, "ch");
    text_string(out, hisses ? "es" : "s");
}

/* Writes what is left of the words, with the next argument in place of each star. */
static void put_words(struct scan words, struct scan *arguments, struct text *out) {
    for (; words.at < words.end; words.at++) {
        struct span argument;
        if (*words.at != '*')
            text_char(out, *words.at);
        else if (scan_word(arguments, &argument))
            text_span(out, argument);
    }
}

void caption_move(const struct captions_table *table, int seat, const struct move *move,
                  struct text *out) {
    const struct verb *verb = verb_of(table->game, move);
    struct span word = verb_word(verb);
    struct scan words = scan_of(verb->caption ? span_of(verb->caption) : word);
    char written[MOVE_TEXT_SIZE];
    struct text text;
    text_begin(&text, written, sizeof written);
    game_print_public(table->game, move, &text);
    struct scan arguments = scan_of(span_of(written + word.length));
    put_verb(table, seat, &words, out);
    put_words(words, &arguments, out);
    text_string(out, arguments.at);
}

void caption_event(const struct captions_table *table, const struct event *event,
                   struct text *out) {
    struct scan words = scan_of(event->caption);
    if (event->caption.length == 0 || (event->audience >> table->reader & 1) == 0)
        return;
    if (event->seat != NATURE)
        put_verb(table, event->seat, &words, out);
    text_span(out, (struct span){words.at, (size_t)(words.end - words.at)});
}
