/* `oyster play`: a person at the terminal against bots, in plain text. */
#include "cli/cli.h"

#include "engine/record.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINE_SIZE = 4096, SHOW_SIZE = 1 << 14, EVENT_DATA_SIZE = 1 << 17, LIST_MAX = 60 };

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
};

static void show(const struct play *play) {
    char buffer[SHOW_SIZE];
    struct text text;
    text_begin(&text, buffer, sizeof buffer);
    game_show(play->table.game, &play->state, play->seat, play->name, &text);
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

static void tell(const struct play *play) {
    if (play->debug)
        cli_tell_events(&play->events, play->seat);
}

/* Between rounds everybody sees how the last one ended. Submissions are shown as soon as they are
 * mixed. */
static void deal(struct play *play) {
    uint8_t seed[CHANCE_SEED_SIZE];
    char hex[2 * CHANCE_SEED_SIZE + 1], words[sizeof hex + 8];
    struct text text;
    bool mixes = game_to_act(play->table.game, &play->state) == AWAITS_SHUFFLE;
    if (play->began && !mixes)
        show(play);
    chance_bytes(&play->chance, seed, sizeof seed);
    text_begin(&text, hex, sizeof hex);
    text_hex(&text, seed, sizeof seed);
    snprintf(words, sizeof words, "%s %s", game_deal_word(play->table.game, &play->state), hex);
    write_log(play, NATURE, words);
    game_deal_seed(play->table.game, &play->state, seed, listen(play), NULL);
    cli_tell_messages(&play->events, play->seat, play->name, "");
    tell(play);
    if (mixes && (game_to_act(play->table.game, &play->state) >> play->seat & 1) == 0)
        show(play);
    play->began = true;
}

static void play_bot_move(struct play *play, int seat, const struct move *move) {
    char words[MOVE_TEXT_SIZE], public_words[MOVE_TEXT_SIZE];
    struct text text;
    say_move(play, move, words);
    text_begin(&text, public_words, sizeof public_words);
    game_print_public(play->table.game, move, &text);
    write_log(play, seat, words);
    game_play(play->table.game, &play->state, seat, move, listen(play), NULL);
    if (!cli_tell_messages(&play->events, play->seat, play->name, ""))
        printf("%s: %s\n", play->name[seat], public_words);
    tell(play);
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
static bool read_line(char *line) {
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
                       size_t count) {
    char line[MOVE_TEXT_SIZE + 16];
    size_t used = 0;
    for (size_t i = 0; i < count && i < LIST_MAX; i++) {
        char words[MOVE_TEXT_SIZE];
        say_move(play, &moves[i], words);
        size_t width = (size_t)snprintf(line, sizeof line, "%d) %s", numbers[i], words);
        if (used > 0 && used + width + 2 > 78) {
            putchar('\n');
            used = 0;
        }
        used += (size_t)printf("  %-16s", line);
    }
    putchar('\n');
}

static bool ask(struct play *play) {
    struct move moves[GAME_LEGAL_MAX];
    char line[LINE_SIZE];
    int numbers[GAME_LEGAL_MAX];
    struct refusal why;
    show(play);
    size_t count = game_legal(play->table.game, &play->state, play->seat, moves);
    number_moves(play, moves, count, numbers);
    list_moves(play, moves, numbers, count);
    while (read_line(line)) {
        struct span word;
        int32_t number;
        struct scan scan = scan_of(span_of(line));
        if (!scan_word(&scan, &word))
            continue;
        if (span_is(word, "quit") || span_is(word, "q"))
            return false;
        if (span_is(word, "help") || span_is(word, "?")) {
            puts("Type the number of a listed move, or a move in words; quit ends the game.");
            continue;
        }
        if (span_number(word, &number) && scan_done(scan)) {
            const struct move *move = find_numbered(moves, numbers, count, (int)number);
            if (!move) {
                printf("There is no move %d in the list.\n", (int)number);
                continue;
            }
            say_move(play, move, line);
        }
        if (game_play_text(play->table.game, &play->state, play->seat, span_of(line), listen(play),
                           &why)) {
            write_log(play, play->seat, line);
            cli_tell_messages(&play->events, play->seat, play->name, "");
            tell(play);
            return true;
        }
        printf("%s.\n", why.text);
    }
    putchar('\n');
    return false;
}

/* Lets the person say something while others play, in games that have such moves. */
static void offer_aside(struct play *play) {
    struct move moves[GAME_LEGAL_MAX];
    char line[LINE_SIZE], example[MOVE_TEXT_SIZE];
    struct refusal why;
    size_t count = game_legal(play->table.game, &play->state, play->seat, moves);
    if (count == 0 || !isatty(STDIN_FILENO))
        return;
    say_move(play, &moves[count - 1], example);
    show(play);
    printf("The others play. You may say something (such as: %s); Enter goes on.\n", example);
    while (read_line(line) && line[strspn(line, " \t")] != '\0') {
        if (game_play_text(play->table.game, &play->state, play->seat, span_of(line), listen(play),
                           &why))
            write_log(play, play->seat, line);
        else
            printf("%s.\n", why.text);
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

static void tell_result(const struct play *play) {
    struct result result;
    game_result(play->table.game, &play->state, &result);
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
        printf("%s (%s)%s", play->name[seat], bot_level_name(play->levels[seat]),
               left > 1                 ? ", "
               : left == 1              ? " and "
               : play->table.seats == 2 ? " plays with you.\n"
                                        : " play with you.\n");
    }
}

static int run(struct play *play) {
    introduce_bots(play);
    printf("%s: type a number or a move in words; quit ends.\n", play->table.game->name);
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
}

int cli_play(struct cli_arguments *arguments) {
    static struct play play;
    const char *value, *levels = "medium", *name = "You", *log = NULL;
    uint64_t seed = (uint64_t)time(NULL) ^ (uint64_t)getpid() << 32;
    if (!cli_word(arguments, &value))
        return cli_complain("which game? Try: oyster play 4-kate");
    cli_table_game(value, &play.table);
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
    int code = run(&play);
    if (play.log)
        fclose(play.log);
    return code;
}
