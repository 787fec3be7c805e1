/* House rules as data. A game lists its options in one table; the lobby, the API, the notation,
 * the documentation and the validation all read that table, and so does the game. */
#pragma once

#include "engine/json.h"
#include "engine/refusal.h"
#include "engine/text.h"

enum { OPTION_SLOTS_MAX = 112, OPTION_LIST_MAX = 12 };

enum option_kind {
    OPTION_YES_NO, /* written yes or no */
    OPTION_NUMBER, /* min to max */
    OPTION_CHOICE, /* one of `choices`, a null-terminated list; the value is the index */
    OPTION_LIST /* 1 to OPTION_LIST_MAX numbers, written 60,90,120; the count, then the numbers */
};

struct option {
    const char *key;
    const char *label; /* a few words for a form */
    const char *help;  /* a sentence for a player */
    enum option_kind kind;
    int slot; /* its place in struct options, from 0 on; a list takes 1 + OPTION_LIST_MAX of them */
    int32_t min, max;
    const char *const *choices;
    const char *standard; /* the default, as text */
    const char *refusal;  /* what a bad value is answered with; null: a text made from the table */
    bool details;         /* of a yes or no: changes no rule, but asks for a detailed log (PL-57) */
    /* The member of the game's state that keeps the value from the start on, as OPTION_KEPT_IN
     * names it. A choice between numbers is kept as the number, others as the index. Without a
     * member the game's `start` reads the slot. */
    uint16_t member, member_size;
};

#define OPTION_KEPT_IN(type, name)                                                                 \
    .member = offsetof(type, name), .member_size = sizeof(((type *)0)->name)

/* A preset is a line of settings on top of the defaults. */
struct preset {
    const char *id, *label, *help, *settings;
};

/* A heading above the option of this key and those after it, up to the next heading. */
struct option_group {
    const char *first, *label;
};

/* All options of a game, their headings and its presets. */
struct option_table {
    const struct option *options;
    size_t option_count;
    const struct option_group *groups; /* in the order of the options; null: too few to need any */
    size_t group_count;
    const struct preset *presets; /* the first one is the default; may be empty */
    size_t preset_count;
};

struct options {
    int32_t preset; /* index, or -1 for a game without presets */
    int32_t slot[OPTION_SLOTS_MAX];
};

void options_default(const struct option_table *table, struct options *out);

/* Resets everything to the preset. */
bool options_preset(const struct option_table *table, struct span id, struct options *out,
                    struct refusal *why);

/* Sets one option from text. On refusal nothing changes. */
bool options_set(const struct option_table *table, struct span key, struct span value,
                 struct options *out, struct refusal *why);

/* Reads `preset=NAME key=value key=value`; a preset comes first. On refusal nothing changes. */
bool options_parse(const struct option_table *table, struct span line, struct options *out,
                   struct refusal *why);

/* Writes the shortest line that options_parse reads back as the same options. */
void options_print(const struct option_table *table, const struct options *options,
                   struct text *text);

/* Writes one value as text, as options_set reads it. */
void option_print_value(const struct option *option, const struct options *options,
                        struct text *text);

/* Writes every value to the member that keeps it, of a state that is zero there. */
void options_keep(const struct option_table *table, const struct options *options, void *state);

/* Copies what options keep in a state to the state of another game. */
void options_carry_over(const struct option_table *table, const void *from, void *to);

/* Is an option set that asks for a detailed log? */
bool options_want_details(const struct option_table *table, const struct options *options);

/* Members `presets` and `options` of an open object: the table itself, for lobbies. */
void option_table_json(const struct option_table *table, struct json *json);

/* The values as members of an open object, or as an object of that key. */
void options_json_members(const struct option_table *table, const struct options *options,
                          struct json *json);
void options_json(const struct option_table *table, const struct options *options, const char *key,
                  struct json *json);
