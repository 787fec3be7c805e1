/* A terminal of people: see screen.h. The sequences are those of ECMA-48, which every terminal that
 * is not dumb understands; so no library with a database of terminals is needed
 * (docs/decisions/0015-terminal.md). */
#include "cli/screen.h"

#include "engine/card.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>

#define ALTERNATE "\033[?1049h\033[H\033[2J"
#define USUAL     "\033[?1049l"

static bool is_utf8(void) {
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "utf-8");
    }
    return false;
}

void screen_look(struct screen *screen) {
    struct winsize size = {0};
    const char *term = getenv("TERM"), *plain = getenv("NO_COLOR");
    bool able = term && *term && strcmp(term, "dumb") != 0;
    screen->live = able && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    screen->colours = screen->live && !(plain && *plain);
    screen->signs = screen->live && is_utf8();
    bool sized = screen->live && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
    screen->rows = sized && size.ws_row >= 8 ? size.ws_row : 24;
    screen->columns = sized && size.ws_col >= 20 ? size.ws_col : 80;
}

/* ---- Leaving the terminal as it was ---- */

/* A signal may come at any time, and its handler gets nothing from its caller. */
static struct {
    struct termios usual;
    volatile sig_atomic_t raw, entered, resized;
    sigset_t reading; /* the signals that are blocked while a key is awaited */
} terminal;

static void restore(void) {
    if (terminal.raw)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal.usual);
    if (terminal.entered && write(STDOUT_FILENO, USUAL, sizeof USUAL - 1) < 0)
        return;
    terminal.raw = terminal.entered = 0;
}

static void on_signal(int number) {
    restore();
    signal(number, SIG_DFL);
    raise(number);
}

static void on_resize(int number) {
    terminal.resized = number;
}

/* A new size of the window is noticed while a key is awaited, and nowhere else, so that none that
 * comes earlier is missed. */
static void await_resizing(void) {
    struct sigaction action = {.sa_handler = on_resize};
    sigset_t resizing;
    sigemptyset(&resizing);
    sigaddset(&resizing, SIGWINCH);
    sigprocmask(SIG_BLOCK, &resizing, &terminal.reading);
    sigdelset(&terminal.reading, SIGWINCH);
    sigaction(SIGWINCH, &action, NULL);
}

void screen_enter(const struct screen *screen) {
    if (!screen->live)
        return;
    await_resizing();
    terminal.entered = 1;
    atexit(restore);
    signal(SIGTERM, on_signal);
    signal(SIGHUP, on_signal);
    signal(SIGINT, on_signal);
    fputs(ALTERNATE, stdout);
}

void screen_leave(const struct screen *screen) {
    fflush(stdout);
    if (screen->live)
        restore();
}

/* ---- Cards ---- */

static bool is_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
           (unsigned char)c >= 0x80;
}

size_t screen_card_length(struct span text, size_t at) {
    size_t left = text.length - at;
    size_t rank = left > 2 && memcmp(text.data + at, "10", 2) == 0 ? 2 : 1;
    if ((at > 0 && is_word(text.data[at - 1])) || left < rank + 1)
        return 0;
    if (rank == 1 && !strchr("23456789TJQKA", text.data[at]))
        return 0;
    if (!strchr("SHDC", text.data[at + rank]) || text.data[at + rank] == '\0')
        return 0;
    return at + rank + 1 < text.length && is_word(text.data[at + rank + 1]) ? 0 : rank + 1;
}

static void write_card(const struct screen *screen, const char *name, size_t length,
                       struct text *out) {
    char suit = name[length - 1];
    bool red = suit == 'H' || suit == 'D';
    if (screen->colours)
        text_string(out, red ? "\033[1;31m" : "\033[1m");
    text_span(out, (struct span){name, length - 1});
    if (screen->signs)
        text_string(out, suit == 'S' ? "♠" : suit == 'H' ? "♥" : suit == 'D' ? "♦" : "♣");
    else
        text_char(out, suit);
    if (screen->colours)
        text_string(out, "\033[0m");
}

/* A disc is a word of its own. */
static bool is_disc(struct span text, size_t at) {
    return (text.data[at] == 'X' || text.data[at] == 'O') &&
           (at == 0 || text.data[at - 1] == ' ') &&
           (at + 1 == text.length || text.data[at + 1] == ' ');
}

static void write_disc(char disc, struct text *out) {
    text_string(out, disc == 'X' ? "\033[1;31m" : "\033[1;33m");
    text_char(out, disc);
    text_string(out, "\033[0m");
}

void screen_write(const struct screen *screen, struct span text, struct text *out) {
    for (size_t at = 0; at < text.length;) {
        size_t card = screen->live ? screen_card_length(text, at) : 0;
        if (card > 0)
            write_card(screen, text.data + at, card, out);
        else if (screen->colours && screen->discs && is_disc(text, at))
            write_disc(text.data[at], out);
        else
            text_char(out, text.data[at]);
        at += card > 0 ? card : 1;
    }
}

/* "9 hearts", "9 of hearts", and of the ranks that have a name "king hearts", "king of hearts". */
static void say_card(struct span card, int way, struct text *out) {
    static const char letters[] = "JQKA";
    static const char *const ranks[] = {"jack", "queen", "king", "ace"};
    struct span rank = {card.data, card.length - 1};
    const char *letter = strchr(letters, *rank.data);
    int suit = CARD_SPADES;
    card_parse_suit((struct span){card.data + rank.length, 1}, &suit);
    if (way >= 2 && letter)
        text_string(out, ranks[letter - letters]);
    else
        text_span(out, rank);
    text_string(out, way % 2 == 1 ? " of " : " ");
    text_string(out, card_suit_name(suit));
}

void screen_say(struct span move, int way, struct text *out) {
    for (size_t at = 0; at < move.length;) {
        size_t card = screen_card_length(move, at);
        if (card > 0)
            say_card((struct span){move.data + at, card}, way, out);
        else
            text_char(out, move.data[at]);
        at += card > 0 ? card : 1;
    }
}

/* ---- A line that is edited ---- */

enum {
    CTRL_A = 1,
    CTRL_B = 2,
    CTRL_C = 3,
    CTRL_D = 4,
    CTRL_E = 5,
    CTRL_F = 6,
    CTRL_H = 8,
    TAB = 9,
    CTRL_K = 11,
    CTRL_N = 14,
    CTRL_P = 16,
    CTRL_U = 21,
    CTRL_W = 23,
    ESCAPE = 27,
    DELETE = 127
};

void edit_begin(struct edit *edit, const char *text) {
    *edit = (struct edit){0};
    edit->length = edit->at = strlen(text) < sizeof edit->text ? strlen(text) : 0;
    memcpy(edit->text, text, edit->length);
}

static bool continues(char c) {
    return ((unsigned char)c & 0xc0) == 0x80;
}

static size_t left_of(const struct edit *edit) {
    size_t at = edit->at;
    while (at > 0 && continues(edit->text[--at]))
        ;
    return at;
}

static size_t right_of(const struct edit *edit) {
    size_t at = edit->at;
    if (at < edit->length)
        at++;
    while (at < edit->length && continues(edit->text[at]))
        at++;
    return at;
}

static void cut(struct edit *edit, size_t from, size_t to) {
    memmove(edit->text + from, edit->text + to, edit->length - to + 1);
    edit->length -= to - from;
    edit->at = from;
}

static bool insert(struct edit *edit, const char *bytes, size_t count) {
    if (edit->length + count >= sizeof edit->text)
        return false;
    memmove(edit->text + edit->at + count, edit->text + edit->at, edit->length - edit->at + 1);
    memcpy(edit->text + edit->at, bytes, count);
    edit->length += count;
    edit->at += count;
    return true;
}

static void cut_word(struct edit *edit) {
    size_t from = edit->at;
    while (from > 0 && edit->text[from - 1] == ' ')
        from--;
    while (from > 0 && edit->text[from - 1] != ' ')
        from--;
    cut(edit, from, edit->at);
}

/* The last byte of a sequence such as ESC [ A or ESC [ 3 ~. */
static enum edit_answer end_escape(struct edit *edit, unsigned char byte) {
    switch (byte) {
    case 'A':
        return EDIT_UP;
    case 'B':
        return EDIT_DOWN;
    case 'C':
        edit->at = right_of(edit);
        break;
    case 'D':
        edit->at = left_of(edit);
        break;
    case 'H':
        edit->at = 0;
        break;
    case 'F':
        edit->at = edit->length;
        break;
    case '~':
        if (edit->parameter == '3')
            cut(edit, edit->at, right_of(edit));
        else if (edit->parameter == '1' || edit->parameter == '7')
            edit->at = 0;
        else if (edit->parameter == '4' || edit->parameter == '8')
            edit->at = edit->length;
        break;
    default:
        break;
    }
    return EDIT_MORE;
}

/* Parameters stand before a letter or a tilde. Sequences that mean nothing here are read to their
 * end. */
static enum edit_answer escape_byte(struct edit *edit, unsigned char byte) {
    if (edit->escape == 1) {
        edit->escape = byte == '[' || byte == 'O' ? 2 : 0;
        edit->parameter = 0;
        return EDIT_MORE;
    }
    if (byte < 0x40) {
        if (edit->parameter == 0)
            edit->parameter = (char)byte;
        return EDIT_MORE;
    }
    edit->escape = 0;
    return end_escape(edit, byte);
}

static enum edit_answer control_byte(struct edit *edit, unsigned char byte) {
    switch (byte) {
    case '\r':
    case '\n':
        return EDIT_DONE;
    case TAB:
        return EDIT_COMPLETE;
    case CTRL_C:
        return EDIT_END;
    case CTRL_D:
        if (edit->length == 0)
            return EDIT_END;
        cut(edit, edit->at, right_of(edit));
        break;
    case CTRL_A:
        edit->at = 0;
        break;
    case CTRL_E:
        edit->at = edit->length;
        break;
    case CTRL_B:
        edit->at = left_of(edit);
        break;
    case CTRL_F:
        edit->at = right_of(edit);
        break;
    case CTRL_H:
    case DELETE:
        cut(edit, left_of(edit), edit->at);
        break;
    case CTRL_K:
        cut(edit, edit->at, edit->length);
        break;
    case CTRL_U:
        cut(edit, 0, edit->at);
        break;
    case CTRL_W:
        cut_word(edit);
        break;
    case CTRL_P:
        return EDIT_UP;
    case CTRL_N:
        return EDIT_DOWN;
    case ESCAPE:
        edit->escape = 1;
        break;
    default:
        break;
    }
    return EDIT_MORE;
}

enum edit_answer edit_byte(struct edit *edit, unsigned char byte) {
    if (edit->escape > 0)
        return escape_byte(edit, byte);
    if (byte < ' ' || byte == DELETE)
        return control_byte(edit, byte);
    char c = (char)byte;
    insert(edit, &c, 1);
    return EDIT_MORE;
}

size_t edit_complete(struct edit *edit, const char *const *candidates, size_t count) {
    const char *shared = NULL;
    size_t length = 0, found = 0;
    for (size_t i = 0; i < count; i++) {
        if (strncasecmp(candidates[i], edit->text, edit->length) != 0)
            continue;
        if (found++ == 0) {
            shared = candidates[i];
            length = strlen(shared);
        }
        size_t same = 0;
        while (same < length && candidates[i][same] == shared[same])
            same++;
        length = same;
    }
    if (found > 0 && length >= edit->length && length < sizeof edit->text) {
        memcpy(edit->text, shared, length);
        edit->text[length] = '\0';
        edit->length = edit->at = length;
    }
    return found;
}

static void draw_line(const struct edit *edit) {
    size_t after = 0;
    for (size_t i = edit->at; i < edit->length; i++)
        after += !continues(edit->text[i]);
    printf("\r> %s\033[K", edit->text);
    if (after > 0)
        printf("\033[%zuD", after);
    fflush(stdout);
}

static void make_raw(void) {
    struct termios raw;
    if (tcgetattr(STDIN_FILENO, &terminal.usual) != 0)
        return;
    raw = terminal.usual;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
    raw.c_iflag &= ~(tcflag_t)(ICRNL | IXON);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    terminal.raw = tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0;
}

/* Waits for a key; false if the window got another size instead. */
static bool key_comes(void) {
    fd_set keys;
    FD_ZERO(&keys);
    FD_SET(STDIN_FILENO, &keys);
    int ready = pselect(STDIN_FILENO + 1, &keys, NULL, NULL, NULL, &terminal.reading);
    bool resized = terminal.resized != 0;
    terminal.resized = 0;
    return !resized && (ready >= 0 || errno != EINTR);
}

/* A second Tab that changes nothing lists the candidates, as in a shell. */
static void complete(struct edit *edit, const struct screen_typing *typing, bool again) {
    size_t length = edit->length, found = typing->complete ? typing->complete(typing->of, edit) : 0;
    if (again && found > 1 && edit->length == length)
        typing->draw(typing->of, edit, true);
}

bool screen_read_line(struct edit *edit, const struct screen_typing *typing) {
    enum edit_answer answer = EDIT_MORE;
    edit_begin(edit, "");
    make_raw();
    while (answer != EDIT_DONE && answer != EDIT_END) {
        unsigned char byte;
        draw_line(edit);
        if (!key_comes()) {
            typing->draw(typing->of, edit, false);
            continue;
        }
        ssize_t got = read(STDIN_FILENO, &byte, 1);
        if (got < 0 && errno == EINTR)
            continue;
        bool again = answer == EDIT_COMPLETE;
        answer = got == 1 ? edit_byte(edit, byte) : EDIT_END;
        if (answer == EDIT_COMPLETE)
            complete(edit, typing, again);
        else if (answer == EDIT_UP || answer == EDIT_DOWN)
            edit_begin(edit, answer == EDIT_UP ? typing->before : "");
    }
    if (terminal.raw)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal.usual);
    terminal.raw = 0;
    putchar('\n');
    return answer == EDIT_DONE;
}
