/* `oyster play`: a person at the terminal against bots. In a pipe, or at a terminal that cannot
 * move its cursor, it is plain text, line by line. Otherwise the table stays in its place: above it
 * stands how things are, below it what the others did and what can be done, and moves are completed
 * with Tab. */
#include "cli/captions.h"
#include "cli/cli.h"
#include "cli/screen.h"

#include "engine/record.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    LINE_SIZE = SCREEN_LINE_SIZE,
    SHOW_SIZE = 1 << 14,
    DRAWN_SIZE = 1 << 16,
    EVENT_DATA_SIZE = 1 << 17,
    LIST_MAX = 60,
    CAPTIONS_MAX = 40,
    CAPTION_SIZE = 256,
    CAPTIONS_LEAST = 4, /* lines that captions get before the list of moves is shortened */
    COMPLETIONS_MAX = GAME_LEGAL_MAX + 2
};

struct play {
    struct cli_table table;
    enum bot_level levels[SEATS_MAX];
    struct game_state state;
    struct chance chance;
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
    bool drawn; /* the table stays in its place, and what is told waits in `told` until it is drawn
                 */
    FILE *out;  /* what is told goes here: standard output, or `told` */
    char *told;
    size_t told_size;
    struct captions said;                      /* with what they remember */
    char captions[CAPTIONS_MAX][CAPTION_SIZE]; /* the oldest one first */
    int caption_count;
    char typed[LINE_SIZE]; /* last */
    char completion_words[COMPLETIONS_MAX][MOVE_TEXT_SIZE];
    const char *completions[COMPLETIONS_MAX];
};

/* ---- The table in its place ---- */

static void add_caption(struct play *play, const char *line, size_t length) {
    if (length == 0)
        return;
    if (play->caption_count == CAPTIONS_MAX)
        memmove(play->captions[0], play->captions[1], sizeof play->captions - CAPTION_SIZE);
    else
        play->caption_count++;
    snprintf(play->captions[play->caption_count - 1], CAPTION_SIZE, "%.*s", (int)length, line);
}

/* What was told since the last time becomes captions. */
static void take_captions(struct play *play) {
    fflush(play->out);
    for (size_t at = 0; at < play->told_size;) {
        size_t length = strcspn(play->told + at, "\n");
        add_caption(play, play->told + at, length);
        at += length + 1;
    }
    rewind(play->out);
}

static int rows_of_text(const char *text) {
    int rows = 0;
    for (; *text; rows++) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return rows;
}

/* Breaks lines that are wider than the window at a blank, which the line's end replaces. */
static void wrap(const struct play *play, char *text) {
    char *blank = NULL;
    int width = 0;
    for (char *at = text; *at; at++) {
        width += ((unsigned char)*at & 0xc0) != 0x80;
        if (*at == '\n') {
            width = 0;
            blank = NULL;
        } else if (*at == ' ' && width > 20) {
            blank = at;
        }
        if (width > play->screen.columns && blank) {
            *blank = '\n';
            width = (int)(at - blank);
            blank = NULL;
        }
    }
}

/* Rows that are set in, such as melds, stand beside each other as far as there is room. */
static void set_side_by_side(const struct play *play, char *text) {
    static const char indent[] = "      ";
    size_t to = 0, row = 0; /* where the row begins that the next one may join */
    bool open = false;
    for (size_t at = 0; text[at] != '\0';) {
        size_t length = strcspn(text + at, "\n");
        bool inner = strncmp(text + at, indent, sizeof indent - 1) == 0;
        bool joins = inner && open && to - row + length < (size_t)play->screen.columns;
        if (joins)
            text[to - 1] = ' '; /* in place of the line's end */
        else
            row = to;
        size_t skip = joins ? sizeof indent - 3 : 0;
        memmove(text + to, text + at + skip, length - skip);
        to += length - skip;
        at += length;
        if (text[at] == '\n') {
            text[to++] = '\n';
            at++;
        }
        open = inner;
    }
    text[to] = '\0';
}

/* Writes at most so many rows of the text, each over what stood there. */
static void draw_text(const struct play *play, const char *text, int rows, bool faint) {
    char drawn[DRAWN_SIZE];
    for (const char *at = text; *at && rows > 0; rows--) {
        struct text line;
        size_t length = strcspn(at, "\n");
        text_begin(&line, drawn, sizeof drawn);
        screen_write(&play->screen, (struct span){at, length}, &line);
        printf("%s%s%s\033[K\n", faint && play->screen.colours ? "\033[2m" : "", drawn,
               faint && play->screen.colours ? "\033[0m" : "");
        at += length + (at[length] == '\n');
    }
}

static void show_table(const struct play *play, char table[SHOW_SIZE]) {
    struct text text;
    text_begin(&text, table, SHOW_SIZE);
    game_show(play->table.game, &play->state, play->seat, play->name, &text);
    wrap(play, table);
}

/* Writes the newest captions, as many as there is room for. */
static void draw_captions(const struct play *play, int rows) {
    char lines[CAPTIONS_MAX][CAPTION_SIZE];
    int first = play->caption_count;
    memcpy(lines, play->captions, sizeof lines);
    while (first > 0) {
        wrap(play, lines[first - 1]);
        rows -= rows_of_text(lines[first - 1]);
        if (rows < 0)
            break;
        first--;
    }
    for (int i = first; i < play->caption_count; i++)
        draw_text(play, lines[i], play->screen.rows, i + 1 < play->caption_count);
}

/* The table, the newest captions, and `below`, of which as much is shown as there is room for. */
static void draw(struct play *play, const char *below) {
    char table[SHOW_SIZE], wrapped[SHOW_SIZE];
    screen_look(&play->screen);
    take_captions(play);
    show_table(play, table);
    if (rows_of_text(table) > play->screen.rows - CAPTIONS_LEAST - 4)
        set_side_by_side(play, table);
    snprintf(wrapped, sizeof wrapped, "%s", below);
    wrap(play, wrapped);
    /* What is left beside the line that is typed and an empty one above the captions. */
    int left = play->screen.rows - rows_of_text(table) - 2, below_rows = rows_of_text(wrapped);
    if (below_rows > left - CAPTIONS_LEAST)
        below_rows = left - CAPTIONS_LEAST > 1 ? left - CAPTIONS_LEAST : 1;
    fputs("\033[H", stdout);
    draw_text(play, table, play->screen.rows, false);
    fputs("\033[K\n", stdout);
    draw_captions(play, left - below_rows);
    draw_text(play, wrapped, below_rows, false);
    fputs("\033[J", stdout);
}

/* ---- What is told ---- */

static void show(const struct play *play) {
    char buffer[SHOW_SIZE];
    struct text text;
    text_begin(&text, buffer, sizeof buffer);
    game_show(play->table.game, &play->state, play->seat, play->name, &text);
    if (!play->drawn)
        printf("\n%s", buffer);
}

static void write_log(const struct play *play, int seat, const char *words) {
    char buffer[LINE_SIZE];
    struct text text;
    if (!play->log)
        return;
    text_begin(&text, buffer, sizeof buffer);
    record_write_entry(seat, span_of(words), &text);
    if (fputs(buffer, play->log) < 0 || fflush(play->log) != 0)
        exit(cli_complain("cannot write the log: %s", strerror(errno)));
}

static void open_log(struct play *play, const char *path) {
    struct record_seat seats[SEATS_MAX];
    char buffer[LINE_SIZE];
    struct text text;
    if (!path)
        return;
    play->log = fopen(path, "w");
    if (!play->log)
        exit(cli_complain("cannot write %s: %s", path, strerror(errno)));
    for (int seat = 0; seat < play->table.seats; seat++) {
        bool bot = seat != play->seat;
        const char *level = bot ? bot_level_name(play->levels[seat]) : "";
        seats[seat] = (struct record_seat){
            .name = span_of(play->name[seat]), .bot = bot, .level = span_of(level)};
    }
    text_begin(&text, buffer, sizeof buffer);
    record_write_header(play->table.game, &play->table.options, seats, play->table.seats, &text);
    fputs(buffer, play->log);
}

static void say_move(const struct play *play, const struct move *move, char *words) {
    struct text text;
    text_begin(&text, words, MOVE_TEXT_SIZE);
    game_print(play->table.game, move, &text);
}

static struct events *listen(struct play *play) {
    events_begin(&play->events, play->event_data, sizeof play->event_data);
    return &play->events;
}

/* What happened, in words. False if there are none for it. */
static bool tell(struct play *play) {
    bool told = captions_tell(&play->said, &play->events, "", play->out);
    if (play->debug)
        cli_tell_events(&play->events, play->seat);
    return told;
}

/* Shows the table as it is; where the next picture would take its place, until Enter is pressed. */
static void pause_to_look(struct play *play) {
    struct edit edit = {0};
    show(play);
    if (!play->drawn)
        return;
    draw(play, "Enter goes on.");
    screen_read_line(&edit, NULL, 0, "");
}

/* Did something happen that the person may know? */
static bool heard(const struct play *play) {
    for (size_t i = 0; i < play->events.count; i++)
        if ((play->events.item[i].audience >> play->seat & 1) != 0)
            return true;
    return false;
}

/* Between rounds everybody sees how the last one ended. What is mixed within a round is shown if no
 * words tell of it, such as submissions. */
static void deal(struct play *play) {
    uint8_t seed[CHANCE_SEED_SIZE];
    char hex[2 * CHANCE_SEED_SIZE + 1], words[sizeof hex + 8];
    struct text text;
    bool mixes = game_to_act(play->table.game, &play->state) == AWAITS_SHUFFLE;
    if (play->began && !mixes)
        pause_to_look(play);
    chance_bytes(&play->chance, seed, sizeof seed);
    text_begin(&text, hex, sizeof hex);
    text_hex(&text, seed, sizeof seed);
    snprintf(words, sizeof words, "%s %s", game_deal_word(play->table.game, &play->state), hex);
    write_log(play, NATURE, words);
    game_deal_seed(play->table.game, &play->state, seed, listen(play), NULL);
    if (!tell(play) && mixes && heard(play) &&
        (game_to_act(play->table.game, &play->state) >> play->seat & 1) == 0)
        pause_to_look(play);
    play->began = true;
}

static void play_bot_move(struct play *play, int seat, const struct move *move) {
    char words[MOVE_TEXT_SIZE];
    struct text text;
    say_move(play, move, words);
    write_log(play, seat, words);
    game_play(play->table.game, &play->state, seat, move, listen(play), NULL);
    if (tell(play))
        return;
    text_begin(&text, words, sizeof words);
    game_print_public(play->table.game, move, &text);
    fprintf(play->out, "[%s] %s\n", play->name[seat], words);
}

/* True if a bot did something. */
static bool let_bots_move(struct play *play, uint32_t awaited) {
    const struct game *game = play->table.game;
    struct move move;
    for (int seat = 0; seat < play->table.seats; seat++) {
        if (seat == play->seat)
            continue;
        if ((awaited >> seat & 1) != 0) {
            bot_choose(game, &play->state, seat, play->levels[seat], &play->chance, &move);
        } else if (!bot_aside(game, &play->state, seat, play->levels[seat], &play->chance, &move)) {
            continue;
        }
        play_bot_move(play, seat, &move);
        return true;
    }
    return false;
}

/* A line of input without its end; false at the end of the input. One that is too long is thrown
 * away whole. */
static bool read_line(struct play *play, size_t completions, char *line) {
    struct edit edit = {0};
    if (play->drawn) {
        if (!screen_read_line(&edit, play->completions, completions, play->typed))
            return false;
        memcpy(line, edit.text, edit.length + 1);
        if (edit.length > 0)
            memcpy(play->typed, edit.text, edit.length + 1);
        return true;
    }
    for (;;) {
        printf("> ");
        fflush(stdout);
        if (!fgets(line, LINE_SIZE, stdin))
            return false;
        if (strlen(line) < LINE_SIZE - 1 || line[LINE_SIZE - 2] == '\n')
            break;
        for (int c = getchar(); c != '\n' && c != EOF; c = getchar())
            ;
        puts("That line is too long.");
    }
    line[strcspn(line, "\r\n")] = '\0';
    return true;
}

/* The number that stands for a move: its own, where every listed move is a word and a number (drop
 * 4 is 4), else its place in the list. */
static int own_number(const struct play *play, const struct move *move) {
    char words[MOVE_TEXT_SIZE];
    struct span word;
    int32_t number;
    say_move(play, move, words);
    struct scan scan = scan_of(span_of(words));
    bool single = scan_word(&scan, &word) && scan_word(&scan, &word) && scan_done(scan) &&
                  span_number(word, &number);
    return single ? (int)number : -1;
}

static void number_moves(const struct play *play, const struct move *moves, size_t count,
                         int *numbers) {
    bool own = true;
    for (size_t i = 0; i < count; i++) {
        numbers[i] = own_number(play, &moves[i]);
        own = own && numbers[i] > 0;
    }
    for (size_t i = 0; i < count && !own; i++)
        numbers[i] = (int)i + 1;
}

static const struct move *find_numbered(const struct move *moves, const int *numbers, size_t count,
                                        int number) {
    for (size_t i = 0; i < count; i++)
        if (numbers[i] == number)
            return &moves[i];
    return NULL;
}

static void list_moves(const struct play *play, const struct move *moves, const int *numbers,
                       size_t count, struct text *out) {
    char line[MOVE_TEXT_SIZE + 16];
    size_t used = 0, width_max = play->drawn ? (size_t)play->screen.columns : 80;
    for (size_t i = 0; i < count && i < LIST_MAX; i++) {
        char words[MOVE_TEXT_SIZE];
        say_move(play, &moves[i], words);
        size_t width = (size_t)snprintf(line, sizeof line, "%d) %s", numbers[i], words);
        if (used > 0 && used + width + 4 > width_max) {
            text_char(out, '\n');
            used = 0;
        }
        size_t before = out->length;
        text_string(out, "  ");
        text_padded(out, line, 16);
        used += out->length - before;
    }
    text_char(out, '\n');
}

/* The moves, and what else is understood, for Tab. */
static size_t list_completions(struct play *play, const struct move *moves, size_t count) {
    for (size_t i = 0; i < count; i++) {
        say_move(play, &moves[i], play->completion_words[i]);
        play->completions[i] = play->completion_words[i];
    }
    play->completions[count] = "quit";
    play->completions[count + 1] = "help";
    return count + 2;
}

/* Words that mean nothing are missing in a move that was read. Lists stand last, and have none. */
static bool lacks_something(const struct play *play, const struct move *move) {
    const struct verb *verb = verb_of(play->table.game, move);
    for (int i = 0; i < move->count && i < VERB_ARGUMENTS_MAX; i++)
        if (move->args[i] == ARGUMENT_MISSING && !verb->arguments[i].optional)
            return true;
    return false;
}

/* A move as records have it, however it was typed. What is no move stays as it is, and is refused.
 */
static void spell_out(const struct play *play, char line[LINE_SIZE]) {
    struct move move;
    if (game_parse(play->table.game, &play->state, span_of(line), &move, NULL) &&
        !lacks_something(play, &move))
        say_move(play, &move, line);
}

static const char help_plain[] =
    "Type the number of a listed move, or a move in words; quit ends the game.";
static const char help_drawn[] =
    "Type the number of a listed move, or a move in words; Tab completes it, the arrow up brings "
    "the last one back, quit ends the game.";

static bool ask(struct play *play) {
    struct move moves[GAME_LEGAL_MAX];
    char line[LINE_SIZE];
    int numbers[GAME_LEGAL_MAX];
    struct refusal why;
    char list[SHOW_SIZE];
    struct text text;
    show(play);
    size_t count = game_legal(play->table.game, &play->state, play->seat, moves);
    size_t completions = list_completions(play, moves, count);
    number_moves(play, moves, count, numbers);
    text_begin(&text, list, sizeof list);
    game_prompt(play->table.game, &play->state, play->seat, &text);
    text_string(&text, ".\n");
    list_moves(play, moves, numbers, count, &text);
    if (!play->drawn)
        fputs(list, stdout);
    for (;;) {
        if (play->drawn)
            draw(play, list);
        if (!read_line(play, completions, line))
            break;
        struct span word;
        int32_t number;
        struct scan scan = scan_of(span_of(line));
        if (!scan_word(&scan, &word))
            continue;
        if (span_is(word, "quit") || span_is(word, "q"))
            return false;
        if (span_is(word, "help") || span_is(word, "?")) {
            fprintf(play->out, "%s\n", play->drawn ? help_drawn : help_plain);
            continue;
        }
        if (span_number(word, &number) && scan_done(scan)) {
            const struct move *move = find_numbered(moves, numbers, count, (int)number);
            if (!move) {
                fprintf(play->out, "There is no move %d in the list.\n", (int)number);
                continue;
            }
            say_move(play, move, line);
        }
        spell_out(play, line);
        if (game_play_text(play->table.game, &play->state, play->seat, span_of(line), listen(play),
                           &why)) {
            write_log(play, play->seat, line);
            tell(play);
            return true;
        }
        fprintf(play->out, "%s.\n", why.text);
    }
    if (!play->drawn)
        putchar('\n');
    return false;
}

/* Lets the person say something while others play, in games that have such moves. */
static void offer_aside(struct play *play) {
    struct move moves[GAME_LEGAL_MAX];
    char line[LINE_SIZE], example[MOVE_TEXT_SIZE], offer[MOVE_TEXT_SIZE + 100];
    struct refusal why;
    size_t count = game_legal(play->table.game, &play->state, play->seat, moves);
    if (count == 0 || !isatty(STDIN_FILENO))
        return;
    size_t completions = list_completions(play, moves, count);
    say_move(play, &moves[count - 1], example);
    show(play);
    snprintf(offer, sizeof offer,
             "The others play. You may say something (such as: %s); Enter goes on.\n", example);
    if (!play->drawn)
        fputs(offer, stdout);
    for (;;) {
        if (play->drawn)
            draw(play, offer);
        if (!read_line(play, completions, line) || line[strspn(line, " \t")] == '\0')
            break;
        spell_out(play, line);
        if (game_play_text(play->table.game, &play->state, play->seat, span_of(line), listen(play),
                           &why))
            write_log(play, play->seat, line);
        else
            fprintf(play->out, "%s.\n", why.text);
    }
}

/* "Ann and Clio won, 10 to 7." */
static void tell_winners(const struct play *play, const struct result *result) {
    const char *gap = "";
    int best = 0, other = INT32_MIN;
    for (int seat = 0; seat < play->table.seats; seat++) {
        if ((result->winners >> seat & 1) == 0) {
            other = result->score[seat] > other ? result->score[seat] : other;
            continue;
        }
        printf("%s%s", gap, play->name[seat]);
        gap = " and ";
        best = result->score[seat];
    }
    if (other > INT32_MIN && best > 1)
        printf(" won, %d to %d.\n", best, other);
    else
        printf(" won.\n");
}

/* The last picture of the table stays in the terminal's own window, with what was told last. */
static void leave_picture(struct play *play) {
    if (!play->drawn)
        return;
    take_captions(play);
    screen_leave(&play->screen);
    play->drawn = false;
    fclose(play->out);
    free(play->told);
    play->out = stdout;
}

static void show_drawn(const struct play *play) {
    char table[SHOW_SIZE];
    show_table(play, table);
    draw_text(play, table, INT32_MAX, false);
    draw_captions(play, CAPTIONS_LEAST);
}

static void tell_result(struct play *play) {
    struct result result;
    bool drawn = play->drawn;
    game_result(play->table.game, &play->state, &result);
    leave_picture(play);
    if (drawn)
        show_drawn(play);
    else
        show(play);
    printf("Game over. ");
    if (result.winners == 0)
        puts(result.sides == 1 ? "The deck won." : "Nobody won.");
    else if (result.sides == 1)
        puts(play->table.seats == 1 ? "You won!" : "You won, all of you!");
    else
        tell_winners(play, &result);
}

/* "Jellybot (hard) and Turtlebot (easy) play with you." */
static void introduce_bots(const struct play *play) {
    int left = play->table.seats - 1;
    for (int seat = 0; seat < play->table.seats; seat++) {
        if (seat == play->seat)
            continue;
        left--;
        struct bot_character bot = bot_character(play->levels[seat], seat);
        fprintf(play->out, "%s (%s, %s)%s", bot.name, bot.face, bot_level_name(play->levels[seat]),
                left > 1                 ? ", "
                : left == 1              ? " and "
                : play->table.seats == 2 ? " plays with you.\n"
                                         : " play with you.\n");
    }
}

static int run(struct play *play) {
    introduce_bots(play);
    fprintf(play->out, "%s: type a number or a move in words; quit ends.\n",
            play->table.game->name);
    for (;;) {
        uint32_t awaited = game_to_act(play->table.game, &play->state);
        if (awaited == 0) {
            tell_result(play);
            return 0;
        }
        bool own_turn = (awaited >> play->seat & 1) != 0;
        if ((awaited & AWAITS_NATURE) == 0 && play->had_turn && !own_turn)
            offer_aside(play);
        play->had_turn = own_turn;
        if ((awaited & AWAITS_NATURE) != 0)
            deal(play);
        else if (!let_bots_move(play, awaited) && !ask(play))
            return 0;
    }
}

static void seat_everybody(struct play *play, const char *own_name) {
    for (int seat = 0; seat < play->table.seats; seat++) {
        const char *name =
            seat == play->seat ? own_name : bot_character(play->levels[seat], seat).name;
        snprintf(play->names[seat], sizeof play->names[seat], "%s", name);
        play->name[seat] = play->names[seat];
    }
    play->said = (struct captions){play->table.game, play->name, play->seat, {{0}}};
}

/* Who wants every event gets them line by line. */
static void begin_picture(struct play *play) {
    screen_look(&play->screen);
    play->out =
        play->screen.live && !play->debug ? open_memstream(&play->told, &play->told_size) : NULL;
    play->drawn = play->out != NULL;
    if (play->drawn)
        screen_enter(&play->screen);
    else
        play->out = stdout;
}

int cli_play(struct cli_arguments *arguments) {
    struct play play = {0};
    const char *value, *levels = "medium", *name = "You", *log = NULL;
    uint64_t seed = (uint64_t)time(NULL) ^ (uint64_t)getpid() << 32;
    cli_table_game_word(arguments, &play.table);
    while (arguments->at < arguments->count) {
        if (cli_table_flag(arguments, &play.table))
            continue;
        if (cli_flag(arguments, "--bots", &value))
            levels = value;
        else if (cli_flag(arguments, "--seat", &value))
            play.seat = (int)cli_number("--seat", value, 0, SEATS_MAX - 1);
        else if (cli_flag(arguments, "--seed", &value))
            seed = cli_number("--seed", value, 0, UINT64_MAX);
        else if (cli_flag(arguments, "--name", &value))
            name = value;
        else if (cli_flag(arguments, "--log", &value))
            log = value;
        else if (cli_switch(arguments, "--debug"))
            play.debug = true;
        else
            return cli_unexpected(arguments);
    }
    if (!record_name_fits(span_of(name)) || strlen(name) > 24)
        return cli_complain(
            "--name must be 1 to 24 bytes of UTF-8 without quotes or control characters");
    cli_table_start(&play.table, &play.state);
    if (play.seat >= play.table.seats)
        return cli_complain("--seat must be from 0 to %d", play.table.seats - 1);
    cli_bot_levels(levels, play.table.seats, play.levels);
    if (options_want_details(&play.table.game->options, &play.table.options)) /* PL-57, UD-17 */
        play.debug = true;
    seat_everybody(&play, name);
    open_log(&play, log);
    chance_start_number(&play.chance, seed, 0);
    begin_picture(&play);
    int code = run(&play);
    leave_picture(&play);
    if (play.log)
        fclose(play.log);
    return code;
}
