/* The rows of actions.c as data: a type, the verb it becomes, and how each field is written. */
#ifndef SERVER_ACTION_TABLES_H
#define SERVER_ACTION_TABLES_H

#include "engine/text.h"

enum action_field_kind {
    FIELD_NONE,
    FIELD_CARD,     /* a card's id, with or without the number of a copy */
    FIELD_CARDS,    /* an array of them */
    FIELD_GROUPS,   /* an array of arrays of them */
    FIELD_NUMBER,   /* a whole number */
    FIELD_NUMBERS,  /* an array of them */
    FIELD_CHOICE,   /* one of `choices`, by its number or its name */
    FIELD_SUIT,     /* "hearts" or "H" */
    FIELD_YES_NO,   /* a boolean */
    FIELD_FLAG,     /* a boolean: true is written as `word`, false not at all */
    FIELD_WORD,     /* a string without blanks */
    FIELD_TEXT,     /* something to say */
    FIELD_NAME,     /* what somebody or something is called; empty: nothing is written */
    FIELD_PLAYER,   /* a player's id as it is */
    FIELD_SEAT_OF,  /* a player's id, written as the seat */
    FIELD_SETTING,  /* written as key=value */
    FIELD_SETTINGS, /* the whole payload but for the other fields, written so */
    FIELD_TEAMS     /* ids by team, written as an order of seats */
};

enum { ACTION_FIELDS_MAX = 3 };

struct action_field {
    const char *name;
    enum action_field_kind kind;
    bool optional;
    const char *word;
    const char *const *choices; /* null-terminated */
};

/* Several rows may share a type: the first one whose `given` field is there counts. */
struct action_row {
    const char *type;
    const char *verb;
    const char *given;  /* null: always */
    bool given_is_flag; /* true is there, false is not */
    bool flat;          /* without a payload the fields stand in the body */
    struct action_field fields[ACTION_FIELDS_MAX];
};

struct action_table {
    const char *game; /* an id, or null for what every world has */
    const struct action_row *rows;
    size_t count;
};

extern const struct action_table action_tables[];
extern const size_t action_table_count;

#endif
