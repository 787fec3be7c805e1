/* `oyster play`: a person at the terminal against bots. In a pipe, or at a terminal that cannot
 * move its cursor, it is plain text, line by line. Otherwise the table stays in its place: above it
 * stands how things are, below it what the others did and what can be done, and moves are completed
 * with Tab. */
#include "cli/play.h"

#include "cli/questions.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LAST_CAPTIONS = 5 }; /* what /last tells */

/* ---- What is told ---- */

/* Where the table does not stay in its place it is printed whenever something is asked. */
static void show(const struct play *play) {
    char buffer[SHOW_SIZE];
    play_show_plain(play, buffer);
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

static struct events *listen(struct play *play) {
    events_begin(&play->events, play->event_data, sizeof play->event_data);
    return &play->events;
}

/* What happened, in words. False if there are none for it. */
static bool tell(struct play *play) {
    bool told = captions_tell(&play->said, &play->events, "", play->out);
    play_take_captions(play, true);
    if (play->debug)
        cli_tell_events(&play->events, play->seat);
    return told;
}

/* Shows the table as it is; where the next picture would take its place, until Enter is pressed. */
static void pause_to_look(struct play *play) {
    char table[SHOW_SIZE];
    show(play);
    if (!play->drawn)
        return;
    play_look_at_window(play);
    if (play_show_fitting(play, table))
        play_wait_below(play, "Enter goes on.");
    else
        play_show_pages(play);
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
    play_say_move(play, move, words);
    write_log(play, seat, words);
    game_play(play->table.game, &play->state, seat, move, listen(play), NULL);
    if (tell(play))
        return;
    text_begin(&text, words, sizeof words);
    game_print_public(play->table.game, move, &text);
    fprintf(play->out, "[%s] %s\n", play->name[seat], words);
    play_take_captions(play, true);
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
static bool read_line(struct play *play, const char *below, char *line) {
    struct edit edit;
    if (play->drawn) {
        if (!play_read_below(play, below, true, &edit))
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
    play_say_move(play, move, words);
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
        play_say_move(play, &move, line);
}

/* ---- Commands ---- */

static bool is_asked(const struct play *play) {
    return (game_to_act(play->table.game, &play->state) >> play->seat & 1) != 0;
}

static void write_prompt(const struct play *play, struct text *out) {
    game_prompt(play->table.game, &play->state, play->seat, out);
    text_string(out, ".\n");
}

static void tell_turn(struct play *play) {
    char prompt[LINE_SIZE];
    struct text text = text_in(prompt, sizeof prompt);
    write_prompt(play, &text);
    play_reply(play, "%s", is_asked(play) ? prompt : "The others play.\n");
}

static void tell_hand(struct play *play) {
    questions_tell_hand(play->table.game, &play->state, play->seat, play->out);
    play_take_captions(play, false);
}

static void tell_table(struct play *play) {
    if (play->drawn)
        play_show_pages(play);
    else
        show(play);
}

static void tell_score(struct play *play) {
    questions_tell_score(play->table.game, &play->state, play->name, play->out);
    play_take_captions(play, false);
}

static void tell_last(struct play *play) {
    int first = play->caption_count, count = 0;
    while (first > 0 && count < LAST_CAPTIONS)
        count += play->captions[--first].happened;
    for (int i = first; i < play->caption_count; i++)
        if (play->captions[i].happened)
            fprintf(play->out, "%s\n", play->captions[i].words);
    play_reply(play, "%s", count == 0 ? "Nothing has happened yet.\n" : "");
}

/* A bot is handed what the seat observes. It gets chance of its own, so that the game goes on as if
 * nobody had asked. */
static void suggest(struct play *play) {
    struct chance chance;
    struct move move;
    char words[MOVE_TEXT_SIZE];
    if (!is_asked(play)) {
        play_reply(play, "It is not your turn.\n");
        return;
    }
    chance_start_number(&chance, play->seed, 1);
    bot_choose(play->table.game, &play->state, play->seat, BOT_HARD, &chance, &move);
    play_say_move(play, &move, words);
    snprintf(play->typed, sizeof play->typed, "%s", words);
    play_reply(play, "Suggested: %s%s.\n", words, play->drawn ? " (the arrow up brings it)" : "");
}

static void help(struct play *play) {
    fprintf(play->out, "Type the number of a listed move, or a move in words%s.\n",
            play->drawn
                ? "; Tab completes it, a second Tab lists what fits, the arrow up brings the "
                  "last one back"
                : "");
    for (int i = 0; i < PLAY_COMMANDS; i++)
        fprintf(play->out, "%s/%s: %s", i > 0 ? "; " : "", play_commands[i].name,
                play_commands[i].tells);
    play_reply(play, ".\n");
}

/* The questions are those of the page (web/src/table/speech.ts). */
const struct play_command play_commands[PLAY_COMMANDS] = {
    {"turn", "", "what is asked of you", tell_turn},
    {"hand", "", "what you hold", tell_hand},
    {"table", "", "all that lies on the table", tell_table},
    {"score", "", "the score", tell_score},
    {"last", "", "the last moves", tell_last},
    {"suggest", "", "what a hard bot would do", suggest},
    {"help", "?", "this list", help},
    {"quit", "q", "the end of the game", NULL},
};

enum typed { TYPED_MOVE, TYPED_COMMAND, TYPED_END };

/* Does what a command says. A slash before it, or before a move, is taken off. */
static enum typed obey(struct play *play, char line[LINE_SIZE]) {
    struct span word;
    const char *words = line + strspn(line, " \t");
    memmove(line, words + (*words == '/'), strlen(words + (*words == '/')) + 1);
    struct scan scan = scan_of(span_of(line));
    if (!scan_word(&scan, &word))
        return TYPED_COMMAND;
    for (int i = 0; i < PLAY_COMMANDS && scan_done(scan); i++) {
        if (!span_is(word, play_commands[i].name) && !span_is(word, play_commands[i].also))
            continue;
        if (!play_commands[i].run)
            return TYPED_END;
        play_commands[i].run(play);
        return TYPED_COMMAND;
    }
    return TYPED_MOVE;
}

/* ---- Turns ---- */

static void list_legal(struct play *play) {
    play->move_count = game_legal(play->table.game, &play->state, play->seat, play->moves);
}

/* Plays what was typed, or says why not. */
static bool play_typed(struct play *play, char line[LINE_SIZE]) {
    struct refusal why;
    spell_out(play, line);
    if (!game_play_text(play->table.game, &play->state, play->seat, span_of(line), listen(play),
                        &why)) {
        play_reply(play, "%s.\n", why.text);
        return false;
    }
    write_log(play, play->seat, line);
    tell(play);
    return true;
}

/* The number of a listed move becomes the move; false if there is none. */
static bool find_move(struct play *play, const int *numbers, char line[LINE_SIZE]) {
    struct span word;
    int32_t number;
    struct scan scan = scan_of(span_of(line));
    if (!scan_word(&scan, &word) || !span_number(word, &number) || !scan_done(scan))
        return true;
    const struct move *move = find_numbered(play->moves, numbers, play->move_count, (int)number);
    if (move)
        play_say_move(play, move, line);
    else
        play_reply(play, "There is no move %d in the list.\n", (int)number);
    return move != NULL;
}

/* False if the person ends the game. */
static bool ask(struct play *play) {
    char line[LINE_SIZE], prompt[SHOW_SIZE];
    int numbers[GAME_LEGAL_MAX];
    struct text text = text_in(prompt, sizeof prompt);
    show(play);
    list_legal(play);
    number_moves(play, play->moves, play->move_count, numbers);
    write_prompt(play, &text);
    if (!play->drawn) {
        play_list_moves(play, numbers, &text);
        fputs(prompt, stdout);
    }
    bool played = false;
    play->numbers = numbers;
    while (!played && read_line(play, prompt, line)) {
        enum typed typed = obey(play, line);
        if (typed == TYPED_END)
            break;
        played = typed == TYPED_MOVE && find_move(play, numbers, line) && play_typed(play, line);
    }
    play->numbers = NULL;
    if (!played && !play->drawn)
        putchar('\n');
    return played;
}

/* Lets the person say something while others play, in games that have such moves. False if the
 * person ends the game. */
static bool offer_aside(struct play *play) {
    char line[LINE_SIZE], example[MOVE_TEXT_SIZE], offer[MOVE_TEXT_SIZE + 100];
    list_legal(play);
    if (play->move_count == 0 || !isatty(STDIN_FILENO))
        return true;
    play_say_move(play, &play->moves[play->move_count - 1], example);
    show(play);
    snprintf(offer, sizeof offer,
             "The others play. You may say something (such as: %s); Enter goes on.\n", example);
    if (!play->drawn)
        fputs(offer, stdout);
    while (read_line(play, offer, line) && line[strspn(line, " \t")] != '\0') {
        enum typed typed = obey(play, line);
        if (typed == TYPED_END)
            return false;
        if (typed == TYPED_MOVE)
            play_typed(play, line);
    }
    return true;
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
    screen_leave(&play->screen);
    play->drawn = false;
}

static void show_drawn(struct play *play) {
    char table[SHOW_SIZE];
    play_look_at_window(play);
    play_show_whole(play, table);
    play_draw_text(play, table, INT32_MAX, false);
    play_draw_captions(play, PLAY_CAPTION_ROWS);
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
static void introduce_bots(struct play *play) {
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
    play_reply(play, "%s: type a number or a move in words; quit ends.\n", play->table.game->name);
}

static int run(struct play *play) {
    introduce_bots(play);
    for (;;) {
        uint32_t awaited = game_to_act(play->table.game, &play->state);
        if (awaited == 0) {
            tell_result(play);
            return 0;
        }
        bool own_turn = (awaited >> play->seat & 1) != 0;
        if ((awaited & AWAITS_NATURE) == 0 && play->had_turn && !own_turn && !offer_aside(play))
            return 0;
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

/* A bot's face, which is named for the page's drawing, as a character; none for the jellyfish,
 * since terminals of some years ago do not know how wide its character is. */
static const char *face_sign(const char *face) {
    static const char *const signs[][2] = {
        {"crab", "🦀"},   {"turtle", "🐢"},    {"octopus", "🐙"}, {"fish", "🐟"},
        {"oyster", "🦪"}, {"shrimp", "🦐"}, {"whale", "🐳"},
    };
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (strcmp(signs[i][0], face) == 0)
            return signs[i][1];
    return "";
}

/* How well each bot plays stands at its seat. */
static void begin_seats(struct play *play) {
    struct result result;
    struct picture *picture = &play->picture;
    game_result(play->table.game, &play->state, &result);
    picture->seats = play->table.seats;
    picture->own_seat = play->seat;
    memcpy(picture->side_of, result.side_of, sizeof picture->side_of);
    for (int seat = 0; seat < play->table.seats; seat++) {
        const char *face =
            play->screen.signs ? face_sign(bot_character(play->levels[seat], seat).face) : "";
        snprintf(play->level_words[seat], LEVEL_SIZE, "%s%s%s", face, *face ? " " : "",
                 bot_level_name(play->levels[seat]));
        picture->name[seat] = play->name[seat];
        picture->level[seat] = seat == play->seat ? NULL : play->level_words[seat];
    }
}

/* Who wants every event gets them line by line. */
static int begin_picture(struct play *play) {
    play->out = open_memstream(&play->told, &play->told_size);
    if (!play->out)
        return cli_complain("no memory");
    play_look_at_window(play);
    play->screen.discs = !play->table.game->deal;
    play->drawn = play->screen.live && !play->debug;
    begin_seats(play);
    if (play->drawn)
        screen_enter(&play->screen);
    return 0;
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
    play.seed = seed;
    chance_start_number(&play.chance, seed, 0);
    int code = begin_picture(&play);
    if (code == 0)
        code = run(&play);
    leave_picture(&play);
    if (play.out)
        fclose(play.out);
    free(play.told);
    if (play.log)
        fclose(play.log);
    return code;
}
