/* Takes a person out of a log: see world.h. A line is rewritten word by word, and never judged:
 * that it still folds is for the caller to see. */
#include "engine/ensure.h"
#include "world/change.h"
#include <string.h>

/* Shorter names are not masked in what others said, because many of them are ordinary words. */
enum { MASKED_MIN = 3 };

static const char team_instead[] = "Team "; /* and a number */

bool world_is_erased(const char *id) {
    size_t length = strlen(WORLD_ERASED_ID);
    return strlen(id) >= length && memcmp(id, WORLD_ERASED_ID, length) == 0;
}

static bool is_same(struct span a, struct span b) {
    return a.length == b.length && memcmp(a.data, b.data, a.length) == 0;
}

/* The words after the first `count` ones. */
static struct span after_words(struct span words, int count) {
    struct scan scan = scan_of(words);
    struct span word;
    while (count-- > 0)
        scan_word(&scan, &word);
    while (scan.at < scan.end && *scan.at == ' ')
        scan.at++;
    return (struct span){scan.at, (size_t)(scan.end - scan.at)};
}

/* What a verb of the lobby says about its actor. */
enum saying { SAYS_NOTHING, SAYS_NAME, SAYS_TALK, SAYS_TEAM };

static enum saying saying_of(struct span words, struct span *text) {
    static const struct {
        const char *verb;
        int words; /* before the text */
        enum saying says;
    } verbs[] = {{"create", 5, SAYS_NAME}, {"join", 1, SAYS_NAME}, {"watch", 1, SAYS_NAME},
                 {"name", 1, SAYS_NAME},   {"say", 1, SAYS_TALK},  {"team", 2, SAYS_TEAM}};
    struct scan scan = scan_of(words);
    struct span verb = {0};
    scan_word(&scan, &verb);
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        if (!span_is(verb, verbs[i].verb))
            continue;
        *text = after_words(words, verbs[i].words);
        return text->length > 0 ? verbs[i].says : SAYS_NOTHING;
    }
    return SAYS_NOTHING;
}

static bool is_theirs(const struct world_erasure *erasure, const struct world_entry *entry) {
    return entry->actor == ACTOR_PERSON && is_same(entry->id, erasure->id);
}

static bool knows_name(const struct world_erasure *erasure, struct span name) {
    for (int i = 0; i < erasure->name_count; i++)
        if (span_is(name, erasure->name[i]))
            return true;
    return false;
}

/* A number that a team of somebody else has must not be given again: naming a team as it is called
 * already changes nothing, before it or after it. */
static void look_at_team(struct world_erasure *erasure, struct span name) {
    enum { NUMBER_MAX = 10000000 }; /* there are not so many entries in a world */
    int32_t number;
    if (span_take(&name, team_instead) && span_number(name, &number) && number <= NUMBER_MAX &&
        number > erasure->teams_named)
        erasure->teams_named = number;
}

void world_erase_look(struct world_erasure *erasure, struct span line) {
    struct world_entry entry;
    struct span name;
    if (!world_read_entry(line, &entry) || entry.actor != ACTOR_PERSON)
        return;
    enum saying says = saying_of(entry.words, &name);
    bool theirs = is_theirs(erasure, &entry);
    if (says == SAYS_TEAM && !theirs)
        look_at_team(erasure, name);
    if (says != SAYS_NAME || !theirs || name.length > RECORD_NAME_MAX ||
        erasure->name_count == WORLD_ERASED_NAMES_MAX || knows_name(erasure, name))
        return;
    char *kept = erasure->name[erasure->name_count++];
    memcpy(kept, name.data, name.length);
    kept[name.length] = '\0';
}

/* ---- Names in what is told ---- */

static bool is_of_word(char byte) {
    return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= 'a' && byte <= 'z') || (unsigned char)byte >= 0x80;
}

/* The length of the person's name that stands here as a word of its own, or 0. */
static size_t name_at(const struct world_erasure *erasure, struct span text, size_t at) {
    if (at > 0 && is_of_word(text.data[at - 1]))
        return 0;
    for (int i = 0; i < erasure->name_count; i++) {
        size_t length = strlen(erasure->name[i]), left = text.length - at;
        if (length >= MASKED_MIN && length <= left &&
            memcmp(text.data + at, erasure->name[i], length) == 0 &&
            (length == left || !is_of_word(text.data[at + length])))
            return length;
    }
    return 0;
}

static bool has_name(const struct world_erasure *erasure, struct span text) {
    for (size_t at = 0; at < text.length; at++)
        if (name_at(erasure, text, at) > 0)
            return true;
    return false;
}

/* A star for each character, so that no text gets longer than it may be. */
static bool mask_names(const struct world_erasure *erasure, struct span text, struct text *out) {
    bool found = false;
    for (size_t at = 0; at < text.length;) {
        size_t end = at + name_at(erasure, text, at);
        if (end == at)
            text_char(out, text.data[at++]);
        for (; at < end; at++, found = true)
            if (((unsigned char)text.data[at] & 0xc0) != 0x80)
                text_char(out, '*');
    }
    return found;
}

/* ---- Lines ---- */

static bool has_id_at(const struct world_erasure *erasure, struct span text, size_t at) {
    size_t length = erasure->id.length, left = text.length - at;
    return at > 0 && (text.data[at - 1] == ' ' || text.data[at - 1] == '@') && length <= left &&
           memcmp(text.data + at, erasure->id.data, length) == 0 &&
           (length == left || text.data[at + length] == ' ');
}

static bool replace_ids(const struct world_erasure *erasure, struct span text, struct text *out) {
    bool found = false;
    for (size_t at = 0; at < text.length;) {
        if (has_id_at(erasure, text, at)) {
            text_span(out, erasure->other_id);
            at += erasure->id.length;
            found = true;
        } else {
            text_char(out, text.data[at++]);
        }
    }
    return found;
}

/* Numbers repeated replacement names: renaming to the same name changes nothing, and such an entry
 * is refused on replay. */
static void write_instead(struct world_erasure *erasure, enum saying says, struct text *out) {
    if (says == SAYS_NAME) {
        text_string(out, WORLD_ERASED_NAME);
        if (++erasure->names_given > 1) {
            text_char(out, ' ');
            text_number(out, erasure->names_given);
        }
    } else if (says == SAYS_TEAM) {
        text_string(out, team_instead);
        text_number(out, ++erasure->teams_named);
    } else {
        text_string(out, "***");
    }
}

/* What the person says of themselves; and a team that somebody else has called after them. Stars
 * would not do for that: two names of teams could become the same. */
static enum saying what_goes(const struct world_erasure *erasure, const struct world_entry *entry,
                             struct span *text) {
    if (entry->actor != ACTOR_PERSON)
        return SAYS_NOTHING;
    enum saying says = saying_of(entry->words, text);
    bool goes = is_theirs(erasure, entry) || (says == SAYS_TEAM && has_name(erasure, *text));
    return goes ? says : SAYS_NOTHING;
}

/* Is it a line that says something in words, by somebody else or of a saved game's past? */
static bool is_told(const struct world_entry *entry, struct span *text) {
    if (entry->actor == ACTOR_PERSON)
        return saying_of(entry->words, text) == SAYS_TALK;
    struct scan scan = scan_of(entry->words);
    struct span verb = {0};
    if (entry->actor != ACTOR_NATURE || !scan_word(&scan, &verb) || !span_is(verb, "told"))
        return false;
    *text = after_words(entry->words, 3);
    return true;
}

bool world_erase_line(struct world_erasure *erasure, struct span line, struct text *out) {
    struct world_entry entry;
    struct span text = {0};
    size_t start = out->length;
    bool changed = true;
    if (!world_read_entry(line, &entry))
        return false;
    enum saying says = what_goes(erasure, &entry, &text);
    if (says != SAYS_NOTHING) {
        replace_ids(erasure, (struct span){line.data, (size_t)(text.data - line.data)}, out);
        write_instead(erasure, says, out);
    } else if (is_told(&entry, &text)) {
        text_span(out, (struct span){line.data, (size_t)(text.data - line.data)});
        changed = mask_names(erasure, text, out);
    } else {
        changed = replace_ids(erasure, line, out);
    }
    ensure(!out->cut);
    if (!changed)
        out->length = start;
    return changed;
}
