/* The picture of `oyster play`: the table that stays in its place with captions and what is asked
 * below it, and the line that is typed under all that. See play.h. */
#include "cli/play.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    DRAWN_SIZE = 1 << 16,
    LIST_MAX = 60,
    CAPTION_ROWS_MIN = 2, /* rows that captions get before anything of the table is left out */
    CAPTION_ROWS_FAIR =
        PLAY_CAPTION_ROWS, /* and before melds stand beside each other, or moves are not listed */
    CAPTION_ROWS_MAX = 6   /* the two newest captions get up to so many instead */
};

/* ---- Moves in words ---- */

void play_say_move(const struct play *play, const struct move *move, char *words) {
    struct text text;
    text_begin(&text, words, MOVE_TEXT_SIZE);
    game_print(play->table.game, move, &text);
}

/* Writes a word of a list in columns; `used` is what the row has already. */
static void list_word(const struct play *play, const char *word, size_t *used, struct text *out) {
    size_t width_max = play->drawn ? (size_t)play->screen.columns : 80, before = out->length;
    if (*used > 0 && *used + strlen(word) + 4 > width_max) {
        text_char(out, '\n');
        before = out->length;
        *used = 0;
    }
    text_string(out, "  ");
    text_padded(out, word, 16);
    *used += out->length - before;
}

void play_list_moves(const struct play *play, const int *numbers, struct text *out) {
    char line[MOVE_TEXT_SIZE + 16];
    size_t used = 0;
    for (size_t i = 0; i < play->move_count && i < LIST_MAX; i++) {
        char words[MOVE_TEXT_SIZE];
        play_say_move(play, &play->moves[i], words);
        snprintf(line, sizeof line, "%d) %s", numbers[i], words);
        list_word(play, line, &used, out);
    }
    text_char(out, '\n');
}

/* What fits the line so far, of what Tab completes. */
static void list_candidates(const struct play *play, const struct edit *edit, struct text *out) {
    size_t used = 0;
    for (size_t i = 0; i < play->completion_count; i++)
        if (strncasecmp(play->completions[i], edit->text, edit->length) == 0)
            list_word(play, play->completions[i], &used, out);
    text_char(out, '\n');
}

/* ---- The table in its place ---- */

static void add_caption(struct play *play, const char *line, size_t length, bool happened) {
    if (length == 0)
        return;
    if (play->caption_count == CAPTIONS_MAX)
        memmove(&play->captions[0], &play->captions[1],
                sizeof play->captions - sizeof play->captions[0]);
    else
        play->caption_count++;
    struct told_line *caption = &play->captions[play->caption_count - 1];
    snprintf(caption->words, CAPTION_SIZE, "%.*s", (int)length, line);
    caption->happened = happened;
}

void play_take_captions(struct play *play, bool happened) {
    fflush(play->out);
    if (!play->drawn)
        fwrite(play->told, 1, play->told_size, stdout);
    for (size_t at = 0; at < play->told_size;) {
        size_t length = strcspn(play->told + at, "\n");
        add_caption(play, play->told + at, length, happened);
        at += length + 1;
    }
    rewind(play->out);
}

__attribute__((format(printf, 2, 3))) void play_reply(struct play *play, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(play->out, format, arguments);
    va_end(arguments);
    play_take_captions(play, false);
}

void play_draw_text(const struct play *play, const char *text, int rows, bool faint) {
    char drawn[DRAWN_SIZE];
    for (const char *at = text; *at && rows > 0; rows--) {
        struct text line;
        size_t length = strcspn(at, "\n");
        text_begin(&line, drawn, sizeof drawn);
        screen_write(&play->screen, (struct span){at, length}, &line);
        printf("\033[K%s%s%s\n", faint && play->screen.colours ? "\033[2m" : "", drawn,
               faint && play->screen.colours ? "\033[0m" : "");
        at += length + (at[length] == '\n');
    }
}

void play_look_at_window(struct play *play) {
    screen_look(&play->screen);
    play->picture.columns = play->screen.columns;
    play->picture.signs = play->screen.signs;
}

void play_show_plain(const struct play *play, char table[SHOW_SIZE]) {
    struct text text = text_in(table, SHOW_SIZE);
    game_show(play->table.game, &play->state, play->seat, play->name, &text);
}

void play_show_whole(const struct play *play, char table[SHOW_SIZE]) {
    char plain[SHOW_SIZE];
    struct text text = text_in(table, SHOW_SIZE);
    play_show_plain(play, plain);
    picture_whole(&play->picture, plain, &text);
}

/* Writes the caption's rows, and returns how many these are. */
static int wrap_caption(const struct play *play, int number, char rows[DRAWN_SIZE]) {
    struct text text = text_in(rows, DRAWN_SIZE);
    picture_wrap(&play->picture, play->captions[number].words, &text);
    return picture_rows(rows);
}

/* How many rows the captions must have, so that the two newest ones are in sight. */
static int caption_rows_wanted(const struct play *play) {
    char rows[DRAWN_SIZE];
    int wanted = 0;
    for (int i = 1; i <= 2 && i <= play->caption_count; i++)
        wanted += wrap_caption(play, play->caption_count - i, rows);
    return wanted < CAPTION_ROWS_MIN   ? CAPTION_ROWS_MIN
           : wanted > CAPTION_ROWS_MAX ? CAPTION_ROWS_MAX
                                       : wanted;
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

bool play_show_fitting(const struct play *play, char table[SHOW_SIZE]) {
    char plain[SHOW_SIZE];
    struct text text = text_in(table, SHOW_SIZE);
    int rows = play->screen.rows, wanted = caption_rows_wanted(play);
    play_show_plain(play, plain);
    return picture_fit(&play->picture, plain, rows - larger(wanted, CAPTION_ROWS_FAIR) - 4,
                       rows - wanted - 2, &text);
}

void play_draw_captions(const struct play *play, int rows) {
    char lines[DRAWN_SIZE];
    int first = play->caption_count;
    for (; first > 0; first--) {
        rows -= wrap_caption(play, first - 1, lines);
        if (rows < 0)
            break;
    }
    for (int i = first; i < play->caption_count; i++) {
        wrap_caption(play, i, lines);
        play_draw_text(play, lines, play->screen.rows, i + 1 < play->caption_count);
    }
}

/* As much of the whole table as the window has room for. */
static void draw_page(const struct play *play) {
    char table[SHOW_SIZE];
    const char *at = table;
    play_show_whole(play, table);
    for (int row = 0; row < play->page; row++)
        at += strcspn(at, "\n") + 1;
    play_draw_text(play, at, play->screen.rows - 2, false);
    play_draw_text(play, "Enter goes on.", 1, false);
}

static void write_below(const struct play *play, char below[SHOW_SIZE]) {
    char words[SHOW_SIZE];
    struct text text = text_in(words, sizeof words), out = text_in(below, SHOW_SIZE);
    if (play->listed) {
        list_candidates(play, play->listed, &text);
    } else {
        text_string(&text, play->below);
        if (play->numbers)
            play_list_moves(play, play->numbers, &text);
    }
    picture_wrap(&play->picture, words, &out);
}

/* The table, the newest captions, and what is asked, of which as much is shown as there is room
 * for. */
static void draw_table(const struct play *play) {
    char table[SHOW_SIZE], below[SHOW_SIZE];
    play_show_fitting(play, table);
    write_below(play, below);
    int left = play->screen.rows - picture_rows(table) - 1, wanted = caption_rows_wanted(play);
    int below_rows = picture_rows(below), most = left - 1 - larger(wanted, CAPTION_ROWS_FAIR);
    if (below_rows > most)
        below_rows = larger(most, 1);
    play_draw_text(play, table, play->screen.rows, false);
    left -= below_rows;
    if (left > wanted) {
        fputs("\033[K\n", stdout);
        left--;
    }
    play_draw_captions(play, left);
    play_draw_text(play, below, below_rows, false);
}

static void draw(struct play *play) {
    play_look_at_window(play);
    fputs("\033[H", stdout);
    if (play->paged)
        draw_page(play);
    else
        draw_table(play);
    fputs("\033[J", stdout);
}

/* ---- A line that is typed ---- */

static void add_completion(struct play *play, const char *before, const char *words) {
    char *word = play->completion_words[play->completion_count];
    snprintf(word, MOVE_TEXT_SIZE, "%s%s", before, words);
    play->completions[play->completion_count++] = word;
}

/* The moves as records have them, and the commands; or, from way 1 on, moves as people say them. */
static void list_completions(struct play *play, int way) {
    play->completion_count = 0;
    for (size_t i = 0; i < play->move_count; i++) {
        char words[MOVE_TEXT_SIZE], said[MOVE_TEXT_SIZE];
        struct text text = text_in(said, sizeof said);
        play_say_move(play, &play->moves[i], words);
        if (way > 0)
            screen_say(span_of(words), way - 1, &text);
        add_completion(play, "", way > 0 ? said : words);
    }
    if (way > 0)
        return;
    for (int i = 0; i < PLAY_COMMANDS; i++)
        add_completion(play, "/", play_commands[i].name);
    add_completion(play, "", "quit");
    add_completion(play, "", "help");
}

static size_t complete(void *of, struct edit *edit) {
    struct play *play = of;
    size_t found = 0;
    for (int way = 0; way <= SCREEN_WAYS_TO_SAY && found == 0; way++) {
        list_completions(play, way);
        found = edit_complete(edit, play->completions, play->completion_count);
    }
    return found;
}

static void draw_again(void *of, const struct edit *edit, bool lists) {
    struct play *play = of;
    play->listed = lists ? edit : NULL;
    draw(play);
    play->listed = NULL;
}

bool play_read_below(struct play *play, const char *below, bool completes, struct edit *edit) {
    struct screen_typing typing = {play->typed, completes ? complete : NULL, draw_again, play};
    play->below = below;
    draw(play);
    return screen_read_line(edit, &typing);
}

bool play_wait_below(struct play *play, const char *below) {
    struct edit edit;
    const int *numbers = play->numbers;
    play->numbers = NULL;
    bool read = play_read_below(play, below, false, &edit);
    play->numbers = numbers;
    return read;
}

void play_show_pages(struct play *play) {
    char table[SHOW_SIZE];
    play->paged = true;
    for (play->page = 0;; play->page += play->screen.rows - 2) {
        play_show_whole(play, table);
        if (play->page >= picture_rows(table) || !play_wait_below(play, ""))
            break;
    }
    play->paged = false;
}
