/* What the parts of `oyster play` share: a game with somebody at a terminal. play.c lets everybody
 * play, play_picture.c draws it and reads what is typed. */
#pragma once

#include "cli/captions.h"
#include "cli/picture.h"
#include "cli/screen.h"

#include "bots/bot.h"
#include "cli/cli.h"
#include "engine/record.h"
#include <stdio.h>

enum {
    LINE_SIZE = SCREEN_LINE_SIZE,
    SHOW_SIZE = PICTURE_SIZE,
    EVENT_DATA_SIZE = 1 << 17,
    CAPTIONS_MAX = 40,
    CAPTION_SIZE = 512,
    PLAY_COMMANDS = 8,
    PLAY_CAPTION_ROWS = 4, /* what captions get where there is room */
    COMPLETIONS_MAX = GAME_LEGAL_MAX + PLAY_COMMANDS + 2,
    LEVEL_SIZE = 24
};

struct told_line {
    char words[CAPTION_SIZE];
    bool happened; /* in the game; else it is an answer to what was typed */
};

struct play {
    struct cli_table table;
    enum bot_level levels[SEATS_MAX];
    struct game_state state;
    struct chance chance;
    uint64_t seed;
    int seat; /* the person's */
    char names[SEATS_MAX][RECORD_NAME_MAX + 1];
    const char *name[SEATS_MAX];
    FILE *log;
    bool had_turn; /* the person's turn has just been */
    bool began;    /* the first deal was made */
    bool debug;    /* every event is printed, as data */
    struct events events;
    char event_data[EVENT_DATA_SIZE];
    struct screen screen;
    struct picture picture;
    char level_words[SEATS_MAX][LEVEL_SIZE];
    bool drawn; /* the table stays in its place */
    bool paged; /* the window shows the table alone, from the row `page` on */
    int page;
    const char *below;         /* what is asked, below the captions */
    const int *numbers;        /* of the moves that are listed there; null: none are */
    const struct edit *listed; /* what fits this line is listed instead of all that; may be null */
    FILE *out;                 /* what is told goes to `told` until it becomes captions */
    char *told;
    size_t told_size;
    struct captions said;                    /* with what they remember */
    struct told_line captions[CAPTIONS_MAX]; /* the oldest one first */
    int caption_count;
    char typed[LINE_SIZE];             /* last, or suggested since then */
    struct move moves[GAME_LEGAL_MAX]; /* of the person, now */
    size_t move_count;
    char completion_words[COMPLETIONS_MAX][MOVE_TEXT_SIZE];
    const char *completions[COMPLETIONS_MAX];
    size_t completion_count;
};

/* Something that may be typed instead of a move. */
struct play_command {
    const char *name; /* with a slash before it, or without */
    const char *also;
    const char *tells;
    void (*run)(struct play *play); /* null: the game ends */
};
extern const struct play_command play_commands[PLAY_COMMANDS];

void play_say_move(const struct play *play, const struct move *move, char *words);

/* The moves with their numbers, in columns. */
void play_list_moves(const struct play *play, const int *numbers, struct text *out);

/* What was told since the last time becomes captions; where the table does not stay in its place it
 * is printed. */
void play_take_captions(struct play *play, bool happened);

/* An answer to what was typed. */
void play_reply(struct play *play, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Takes over the size of the window. */
void play_look_at_window(struct play *play);

/* The table as the game writes it; the same as it is drawn, with nothing left out; and with so few
 * rows that there is room for captions, for what is asked, and for the line that is typed. The last
 * is false if anything is left out. */
void play_show_plain(const struct play *play, char table[SHOW_SIZE]);
void play_show_whole(const struct play *play, char table[SHOW_SIZE]);
bool play_show_fitting(const struct play *play, char table[SHOW_SIZE]);

/* Writes at most so many rows of the text, each over what stood there. */
void play_draw_text(const struct play *play, const char *text, int rows, bool faint);

/* Writes the newest captions, as many as there is room for. */
void play_draw_captions(const struct play *play, int rows);

/* Draws the picture with this below it, and reads a line; false at the end of the input. */
bool play_read_below(struct play *play, const char *below, bool completes, struct edit *edit);

/* The same until Enter is pressed. */
bool play_wait_below(struct play *play, const char *below);

/* Shows all of the table, where it has more rows than the window in as many parts as it takes. */
void play_show_pages(struct play *play);
