/* A terminal that somebody sits at: lines that are edited and completed, and a table that is drawn
 * anew in its place. Nothing of it is used in a pipe. */
#pragma once

#include "engine/text.h"

enum { SCREEN_LINE_SIZE = 4096 };

struct screen {
    bool live;    /* both ends are terminals that can move the cursor */
    bool colours; /* unless NO_COLOR is set */
    bool signs;   /* suits as ♠ ♥ ♦ ♣: the locale is UTF-8 */
    bool discs;   /* X and O are those of two sides, in a game without cards */
    int rows, columns;
};

/* Looks at the terminal and at TERM, NO_COLOR and the locale. */
void screen_look(struct screen *screen);

/* The picture of a table takes the whole window until screen_leave. */
void screen_enter(const struct screen *screen);
void screen_leave(const struct screen *screen);

/* Writes text of a game as the terminal can show it: cards such as KH with signs, in colour, and
 * discs in the colours of the page. */
void screen_write(const struct screen *screen, struct span text, struct text *out);

/* The length of a card's name such as KH or 10D that is a whole word there, or 0. */
size_t screen_card_length(struct span text, size_t at);

/* Writes a move as people say it, `play 9 hearts` for `play 9H`; there is more than one way. */
enum { SCREEN_WAYS_TO_SAY = 4 };
void screen_say(struct span move, int way, struct text *out);

/* ---- A line that is edited ---- */

struct edit {
    char text[SCREEN_LINE_SIZE];
    size_t length, at; /* in bytes */
    int escape;        /* how much of an escape sequence was read */
    char parameter;
};

enum edit_answer { EDIT_MORE, EDIT_DONE, EDIT_COMPLETE, EDIT_END, EDIT_UP, EDIT_DOWN };

void edit_begin(struct edit *edit, const char *text);

/* One byte of what is typed: letters, and the keys that lines are usually edited with. */
enum edit_answer edit_byte(struct edit *edit, unsigned char byte);

/* What is written so far becomes what all candidates that begin with it begin with. Returns how
 * many these are. */
size_t edit_complete(struct edit *edit, const char *const *candidates, size_t count);

/* What somebody who types a line is served by. */
struct screen_typing {
    const char *before; /* what was typed last, or "" */
    /* Tab: completes the line, and returns how many candidates there are. */
    size_t (*complete)(void *of, struct edit *edit);
    /* Draws the picture above the line anew: the window has another size, or, if `lists`, a second
     * Tab asks for the candidates. */
    void (*draw)(void *of, const struct edit *edit, bool lists);
    void *of;
};

/* Reads a line with the prompt "> " on the last line of the picture; false at the end of the input.
 */
bool screen_read_line(struct edit *edit, const struct screen_typing *typing);
