/* A refusal is a value: what a person is told, and the code a program looks at. */
#pragma once

#include "engine/text.h"

enum { REFUSAL_TEXT_SIZE = 192 };

struct refusal {
    const char *code;
    const char *at; /* where in the input the offending word stands; null if it is not about one */
    char text[REFUSAL_TEXT_SIZE];
};

/* Fills in `why` (which may be null) and returns false, so that a rule reads
 * `return refuse(why, "COLUMN_FULL", "Column %d is full", column);`.
 * The format is one of text_format. */
bool refuse(struct refusal *why, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A refusal about a word of the input: quotes it (the format's one %s) and notes its place. */
bool refuse_word(struct refusal *why, struct span word, const char *code, const char *format)
    __attribute__((format(printf, 4, 0)));

/* The refusals that every game shares. */
bool refuse_wrong_phase(struct refusal *why);
bool refuse_not_your_turn(struct refusal *why);
