/* Plays the stories of all games, the tests that need no C: games/FOLDER/stories.txt, or several
 * files whose names end so. An argument is the id of the only game whose stories are played.
 * docs/NEW_GAME.md tells how they are written, and games/template/stories.txt is an example.
 *
 * A file names its game (`game high-card`). A story begins with the number of players, the options
 * that differ from the defaults, and what it is about (`2 players, folding=no: cards must be
 * shown`). Its lines are played and checked one after the other, up to the next story.
 *
 * Lines that do something:
 *   deal 9S KH / AD        NATURE deals or shuffles: groups in the order of the game's `deck`
 *   0 play KH              a line of a record, which must be accepted
 *   0 play 2D ! NO_MATCH   the same, which must be refused with this code; its text may follow
 *   start 3 folding=no     another game, of three players, on a line of its own; it may be refused
 *                          like a move
 *   0 draw; deal KC        moves and deals on one line; the last part may be any other line
 *   ? pass                 whoever is awaited passes
 *   repeat 3 0 draw; deal  such a line, three times
 *   each 4 4 3: ? drop     a line for each of the words, which follows it: `? drop 4` and so on
 *   finish                 everybody makes the first legal move, until NATURE or nobody is awaited
 *   finish 1               the same, but seat 1 makes the last one
 *   raw 0 5 1 9 ! CODE     a move that no text can make: seat, number of the verb, number of
 *                          arguments, arguments; it must be refused
 *   keep                   keeps the state in mind
 *   back                   takes up the kept state again
 *
 * Lines about the state, where `-` is a spectator and `*` sees all:
 *   0 may play KH; draw    the legal moves, in the order of the game's verbs and of the deck
 *   0 can play KH          this is one of them; `cannot`: it is none of them
 *   0 may some play        this is somewhere in that list; `may no`: it is not
 *   0 is asked Your turn   what the terminal asks seat 0, which is awaited
 *   0 reads > Ann  9S|     the terminal shows seat 0 this, with `|` where a line ends; players are
 *                          called Ann, Bob, Cy, Dee, ...; `reads all`: and nothing else
 *   0 sees "hand":["9S"]   the view of seat 0 has this text in it; `sees all`: it is this text
 *   0 sees "a" ... "b"     or these texts, in this order
 *   1 sees not 9S          the view of seat 1 does not have this one
 *   everybody sees ...     all seats and spectators do, or do not
 *   0 counts tricks 3      what the round that has ended adds to a figure; `-`: of the table
 *   0 counts all 3 1       what it adds to all of them, in their order
 *   awaited 0 1            these seats are awaited; `awaited nature`: a deal is, `awaited shuffle`:
 *                          cards in the middle of a round are, and `awaited` alone: nobody is
 *   as kept                it is the state that was kept
 *   alike for - 0          these cannot tell the state from the one that was kept
 *   unlike for 1           these can
 *   result over, winners 0, scores 3 1, sides 0 1
 *                          the result, and which side each seat is on, which may be left out; with
 *                          `open` in place of `over` while the game goes on, and then as a rule no
 *                          number at `winners`
 *   paced 1500 3000 0      how long bots take at least and at most, and how long people may look
 *
 * Lines about the game itself:
 *   entry Name @ 2: Words  its name, its icon, the usual number of players, how its summary begins
 *   read "play 9 hearts" as play 9H             how a move may be typed
 *   unshuffled deal 9S / KH                     how the next deal is written if nothing is shuffled
 *   others read "discard 9S" as discard         what others may read of a move
 *
 * Lines about what the line before produced, of several parts the last one:
 *   told TYPE DATA         this event, for everybody, with exactly this data
 *   0 told TYPE DATA       the same for nobody but seat 0
 *   told TYPE with TEXT    with data that have this text in them
 *   told not TYPE          no event of this type
 *   told only TYPE TYPE    events of exactly these types, in this order
 *   says played KH         this message
 *   logged 0 played KH     these messages and no others, each with its seat, between `; `
 *
 * What a deal does not name is filled up in the order of the deck: spades, hearts, diamonds, clubs,
 * each from 2 to ace, if cards lie at places; `- deal`, the line of a record, must name all cards.
 * Empty lines and those after a `#` are skipped. Before
 * the first story `let NAME TEXT` gives a text a name; `$NAME` stands for it from then on.
 * `<9S 10S>` stands for these cards as Who's Deal? tells them, with suit, rank and id.
 *
 * A story is told once for each row of a table in it, whose first row has names for what stands in
 * the columns:
 *   | CARD | WINNER |
 *   | 9S   | 1      |
 *
 * Hand & Foot has lines of its own, which put cards where a story needs them
 * (games/hand_and_foot/test_support.h). */
#include "games/hand_and_foot/test_support.h"
#include "tests/laws.h"
#include "tests/support.h"

#include <ctype.h>
#include <glob.h>
#include <stdlib.h>

enum { STORIES_MAX = 1024, NAMES_MAX = 64, LINE_MAX_SIZE = 8192, FILE_SIZE = 1 << 20 };

struct story {
    const struct game *game;
    const char *file;
    char *lines; /* the first one is its heading */
    int line;    /* the number of that line in the file */
    char name[128];
};

/* `let NAME TEXT`, or a column of a table and what stands there */
struct name {
    struct span name, text;
};

static struct {
    struct story story[STORIES_MAX];
    struct CMUnitTest test[STORIES_MAX];
    size_t count;
    struct game_state kept;
    int line;        /* that is being played; 0 after a story that held */
    const char *row; /* that it is told for, or null */
} stories;

/* Does the text begin with the word, which is taken off it? */
static bool begins(const char **text, const char *word) {
    size_t length = strlen(word);
    if (strncmp(*text, word, length) != 0)
        return false;
    *text += length;
    return true;
}

/* Cuts " ! CODE text" off a line; returns false if there is none. The text may be null. */
static bool cut_refusal(char *line, const char **code, const char **text) {
    char *mark = strstr(line, " ! ");
    if (!mark)
        return false;
    *mark = '\0';
    *code = mark + strlen(" ! ");
    char *end = strchr(*code, ' ');
    *text = end ? end + 1 : NULL;
    if (end)
        *end = '\0';
    return true;
}

/* "all TEXT", "not TEXT", or texts in their order with " ... " between them. */
static void expect_view(struct table *table, int viewer, const char *text) {
    const char *view = table_view(table, viewer);
    if (begins(&text, "all ")) {
        assert_string_equal(view, text);
        return;
    }
    bool shown = !begins(&text, "not ");
    for (const char *end; view && text; text = end ? end + strlen(" ... ") : NULL) {
        char piece[LINE_MAX_SIZE];
        end = strstr(text, " ... ");
        snprintf(piece, sizeof piece, "%.*s", end ? (int)(end - text) : (int)strlen(text), text);
        view = strstr(view, piece);
        if ((view != NULL) != shown)
            fail_msg("%s: %s\nin %s", shown ? "not shown" : "shown", piece,
                     table_view(table, viewer));
        if (view)
            view += strlen(piece);
    }
}

static void expect_view_of_everybody(struct table *table, const char *text) {
    for (int viewer = SPECTATOR; viewer < game_seats(&table->state); viewer++)
        expect_view(table, viewer, text);
}

/* "TYPE DATA", "TYPE with TEXT", "not TYPE" or "only TYPES" */
static void expect_event(const struct table *table, uint32_t audience, const char *words) {
    const struct event *event;
    char type[64], data[LINE_MAX_SIZE];
    if (begins(&words, "only ")) {
        table_told_only(table, words);
        return;
    }
    bool wanted = !begins(&words, "not "), matches = false;
    int length = (int)strcspn(words, " ");
    snprintf(type, sizeof type, "%.*s", length, words);
    words += length + (words[length] == ' ');
    bool within = begins(&words, "with ");
    for (int nth = 0; (event = table_event(table, type, nth)) && !matches; nth++) {
        snprintf(data, sizeof data, "%.*s", (int)event->data.length, event->data.data);
        matches = !wanted || (event->audience == audience &&
                              (within ? strstr(data, words) != NULL : strcmp(data, words) == 0));
    }
    if (matches != wanted)
        fail_msg("%s: %s %s", wanted ? "not told" : "told", type, wanted ? words : "");
}

static void expect_message(const struct table *table, const char *message) {
    for (size_t i = 0; i < table->events.count; i++)
        if (span_is(table->events.item[i].message, message))
            return;
    fail_msg("not said: %s", message);
}

static void expect_messages(const struct table *table, const char *messages) {
    char found[LINE_MAX_SIZE] = "";
    for (size_t i = 0; i < table->events.count; i++) {
        const struct event *event = &table->events.item[i];
        size_t length = strlen(found);
        if (event->message.length == 0)
            continue;
        assert_int_equal(event->audience, EVERYONE);
        snprintf(found + length, sizeof found - length, "%s%c %.*s", length > 0 ? "; " : "",
                 event->seat == NATURE ? '-' : '0' + event->seat, (int)event->message.length,
                 event->message.data);
    }
    assert_string_equal(found, messages);
}

static void expect_legal(struct table *table, int seat, const char *move, bool wanted) {
    char list[LINE_MAX_SIZE], item[LINE_MAX_SIZE];
    snprintf(list, sizeof list, "; %s;", table_legal(table, seat));
    snprintf(item, sizeof item, "; %s;", move);
    if ((strstr(list, item) != NULL) != wanted)
        fail_msg("%s among %s", wanted ? "not" : "is", list);
}

static void expect_awaited(const struct table *table, const char *words) {
    uint32_t awaited = strcmp(words, " nature") == 0    ? AWAITS_NATURE
                       : strcmp(words, " shuffle") == 0 ? AWAITS_SHUFFLE
                                                        : 0;
    for (const char *at = words; *at; at++)
        awaited |= isdigit((unsigned char)*at) ? 1u << (*at - '0') : 0;
    assert_int_equal(game_to_act(table->game, &table->state), awaited);
}

static void expect_count(const struct table *table, int seat, const char *words) {
    const char *const *figures = seat < 0 ? table->game->table_figures : table->game->figures;
    const char *number = strrchr(words, ' ');
    if (begins(&words, "all")) {
        int i = 0;
        for (int value, size; sscanf(words, "%d%n", &value, &size) == 1; words += size)
            assert_int_equal(table_counts(table, seat, i++), value);
        assert_null(figures[i]);
        return;
    }
    for (int i = 0; number && figures && figures[i]; i++)
        if (span_is((struct span){words, (size_t)(number - words)}, figures[i])) {
            assert_int_equal(table_counts(table, seat, i), atoi(number));
            return;
        }
    fail_msg("there is no figure %s", words);
}

/* In the words a stroke stands for the end of a line. */
static void expect_screen(struct table *table, int viewer, const char *words) {
    static const char *const names[] = {"Ann", "Bob", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal"};
    char screen[LINE_MAX_SIZE];
    struct text text;
    text_begin(&text, screen, sizeof screen);
    game_show(table->game, &table->state, viewer, names, &text);
    for (char *end = screen; (end = strchr(end, '\n'));)
        *end = '|';
    if (begins(&words, "all "))
        assert_string_equal(screen, words);
    else if (!strstr(screen, words))
        fail_msg("'%s' is not in %s", words, screen);
}

static void put_list(struct text *text, const char *name, const int32_t *numbers, int count) {
    text_string(text, name);
    for (int i = 0; i < count; i++) {
        text_char(text, ' ');
        text_number(text, numbers[i]);
    }
}

static void expect_result(const struct table *table, const char *words) {
    struct result result;
    char found[256];
    struct text text;
    int32_t winners[SEATS_MAX], scores[SEATS_MAX], sides[SEATS_MAX];
    int won = 0, side_count = 0, seats = game_seats(&table->state);
    game_result(table->game, &table->state, &result);
    for (int seat = 0; seat < seats; seat++) {
        scores[seat] = result.score[seat];
        sides[seat] = result.side_of[seat];
        if ((result.winners >> seat & 1) != 0)
            winners[won++] = seat;
        if (side_count <= sides[seat])
            side_count = sides[seat] + 1;
    }
    assert_int_equal(result.sides, side_count);
    text_begin(&text, found, sizeof found);
    text_string(&text, result.over ? "over" : "open");
    put_list(&text, ", winners", winners, won);
    put_list(&text, ", scores", scores, seats);
    if (strstr(words, ", sides"))
        put_list(&text, ", sides", sides, seats);
    assert_string_equal(found, words);
}

static void expect_pace(const struct table *table, const char *numbers) {
    struct pace pace = game_pace(table->game, &table->state);
    char found[64];
    snprintf(found, sizeof found, "%d %d %d", pace.bot_delay_ms_min, pace.bot_delay_ms_max,
             pace.show_ms);
    assert_string_equal(found, numbers);
}

static void expect_entry(const struct table *table, const char *words) {
    const struct game *game = table->game;
    char found[512];
    snprintf(found, sizeof found, "%s %s %d: %s", game->name, game->icon, game->players_default,
             game->summary);
    found[strlen(words)] = '\0';
    assert_string_equal(found, words);
}

static void expect_unshuffled(const struct table *table, const char *words) {
    struct deal deal;
    char found[DEAL_TEXT_SIZE];
    struct text text;
    game_deck(table->game, &table->state, &deal);
    text_begin(&text, found, sizeof found);
    game_print_deal(table->game, &table->state, deal.cards, &text);
    assert_string_equal(found, words);
}

/* "- 0 2": may these know the same now and in the state that was kept? */
static void expect_alike(const struct table *table, const char *viewers, bool alike) {
    for (; *viewers; viewers++) {
        static struct game_state before, now;
        int viewer = *viewers == '-' ? SPECTATOR : *viewers - '0';
        if (*viewers == ' ')
            continue;
        game_observe(table->game, &stories.kept, viewer, &before);
        game_observe(table->game, &table->state, viewer, &now);
        bool same = memcmp(before.bytes, now.bytes, table->game->state_size) == 0;
        if (same != alike)
            fail_msg("%s for %d", same ? "alike" : "unlike", viewer);
    }
}

/* "move" as MOVE: the first is read, the second is what `print` makes of it. */
static void expect_words(const struct table *table, const char *words,
                         void (*print)(const struct game *game, const struct move *move,
                                       struct text *out)) {
    struct move move;
    char typed[256], wanted[MOVE_TEXT_SIZE], found[MOVE_TEXT_SIZE];
    struct text text;
    assert_int_equal(sscanf(words, "\"%255[^\"]\" as %[^\n]", typed, wanted), 2);
    assert_true(game_parse(table->game, &table->state, span_of(typed), &move, NULL));
    text_begin(&text, found, sizeof found);
    print(table->game, &move, &text);
    assert_string_equal(found, wanted);
}

/* "0 5 1 9 ! CODE text": seat, verb, count, arguments */
static void expect_raw_refusal(struct table *table, const char *words) {
    struct move move = {0};
    char line[256];
    const char *code = "", *text = NULL;
    int seat = 0, at = 0, size = 0;
    snprintf(line, sizeof line, "%s", words);
    assert_true(cut_refusal(line, &code, &text));
    assert_int_equal(sscanf(line, "%d %hhu %hhu%n", &seat, &move.verb, &move.count, &at), 3);
    for (int i = 0; sscanf(line + at, " %hu%n", &move.args[i], &size) == 1; i++)
        at += size;
    table_refuses_move(table, seat, &move, code, text);
}

/* The first legal moves, or the last ones of that seat, until NATURE or nobody is awaited. */
static void finish(struct table *table, int last) {
    uint32_t awaited;
    for (int i = 0; (awaited = game_to_act(table->game, &table->state)) != 0; i++) {
        struct move moves[GAME_LEGAL_MAX];
        int seat = __builtin_ctz(awaited);
        if ((awaited & AWAITS_NATURE) != 0)
            return;
        size_t count = game_legal(table->game, &table->state, seat, moves);
        assert_true(count > 0 && i < 1000);
        const struct move *move = &moves[seat == last ? count - 1 : 0];
        events_begin(&table->events, table->buffer, sizeof table->buffer);
        assert_true(game_play(table->game, &table->state, seat, move, &table->events, &table->why));
    }
}

/* A line that begins with somebody. */
static bool check_line_of(struct table *table, int viewer, const char *at) {
    if (begins(&at, " sees "))
        expect_view(table, viewer, at);
    else if (begins(&at, " can "))
        expect_legal(table, viewer, at, true);
    else if (begins(&at, " cannot "))
        expect_legal(table, viewer, at, false);
    else if (begins(&at, " may some "))
        assert_non_null(strstr(table_legal(table, viewer), at));
    else if (begins(&at, " may no "))
        assert_null(strstr(table_legal(table, viewer), at));
    else if (begins(&at, " may"))
        assert_string_equal(table_legal(table, viewer), at + (*at == ' '));
    else if (begins(&at, " is asked "))
        table_asks(table, viewer, at);
    else if (begins(&at, " reads "))
        expect_screen(table, viewer, at);
    else if (begins(&at, " told "))
        expect_event(table, 1u << viewer, at);
    else if (begins(&at, " counts "))
        expect_count(table, viewer, at);
    else
        return false;
    return true;
}

/* A line about the whole state, or about the game. */
static bool check_game_line(struct table *table, const char *at) {
    if (begins(&at, "everybody sees "))
        expect_view_of_everybody(table, at);
    else if (begins(&at, "alike for "))
        expect_alike(table, at, true);
    else if (begins(&at, "unlike for "))
        expect_alike(table, at, false);
    else if (begins(&at, "result "))
        expect_result(table, at);
    else if (begins(&at, "paced "))
        expect_pace(table, at);
    else if (begins(&at, "unshuffled "))
        expect_unshuffled(table, at);
    else if (begins(&at, "entry "))
        expect_entry(table, at);
    else if (begins(&at, "read "))
        expect_words(table, at, game_print);
    else if (begins(&at, "others read "))
        expect_words(table, at, game_print_public);
    else if (begins(&at, "raw "))
        expect_raw_refusal(table, at);
    else
        return false;
    return true;
}

/* Returns false if the line is a move or a deal. The text of a check goes on to the end of the
 * line. */
static bool check_line(struct table *table, const char *at) {
    int viewer = *at == '-' ? SPECTATOR : *at == '*' ? OMNISCIENT : atoi(at);
    if (check_game_line(table, at))
        return true;
    if (begins(&at, "told "))
        expect_event(table, EVERYONE, at);
    else if (begins(&at, "says "))
        expect_message(table, at);
    else if (begins(&at, "logged "))
        expect_messages(table, at);
    else if (begins(&at, "awaited"))
        expect_awaited(table, at);
    else if (strcmp(at, "keep") == 0)
        stories.kept = table->state;
    else if (strcmp(at, "as kept") == 0)
        assert_memory_equal(stories.kept.bytes, table->state.bytes, table->game->state_size);
    else if (strcmp(at, "back") == 0)
        table->state = stories.kept;
    else
        return check_line_of(table, viewer, at + strcspn(at, " "));
    return true;
}

/* "3 folding=no", a game of three; it may be refused. */
static void start_again(struct table *table, char *words) {
    const char *code, *text, *options = words + strcspn(words, " ");
    if (cut_refusal(words, &code, &text))
        table_refuses_start(table->game, options, atoi(words), code, text);
    else
        table_start(table, table->game, options, atoi(words));
}

/* `?` at the beginning of a line is whoever is awaited. */
static void name_seat(const struct table *table, char *line) {
    if (*line == '?')
        *line = (char)('0' + __builtin_ctz(game_to_act(table->game, &table->state) | 1u << 9));
}

static void play_line(struct table *table, char *line) {
    while (line) {
        line += strspn(line, " ");
        const char *at = line, *code, *text;
        name_seat(table, line);
        if (*line == '\0' || *line == '#' || *line == '|' || check_line(table, line))
            return;
        if (begins(&at, "start ")) {
            start_again(table, line + (at - line));
            return;
        }
        char *next = strchr(line, ';'), *refusal = strstr(line, " ! ");
        if (refusal && (!next || refusal < next)) {
            cut_refusal(line, &code, &text);
            table_refuses(table, line, code, text);
            return;
        }
        if (next)
            *next++ = '\0';
        if (hand_and_foot_line(table, line))
            ;
        else if (begins(&at, "deal"))
            table_deal(table, at);
        else if (begins(&at, "finish"))
            finish(table, *at ? atoi(at) : NATURE);
        else
            table_play(table, line);
        line = next;
    }
}

static struct span word_at(const char *text) {
    size_t length = 0;
    while (isupper((unsigned char)text[length]) || isdigit((unsigned char)text[length]) ||
           text[length] == '_')
        length++;
    return (struct span){text, length};
}

/* Writes "9S 10S>" as the list of cards that views and events have; returns how many characters it
 * takes. */
static size_t put_cards(const char *cards, struct text *out) {
    static const char *const suits[] = {"spades", "hearts", "diamonds", "clubs"};
    size_t length = strcspn(cards, ">"), at = 0;
    while (at < length) {
        size_t size = strcspn(cards + at, " >");
        const char *suit = strchr("SHDC", cards[at + size - 1]);
        char card[80];
        snprintf(card, sizeof card, "%s{\"suit\":\"%s\",\"rank\":\"%.*s\",\"id\":\"%.*s\"}",
                 at > 0 ? "," : "", suit ? suits[suit - "SHDC"] : "", (int)size - 1, cards + at,
                 (int)size, cards + at);
        text_string(out, card);
        at += size + 1;
    }
    return length + 1;
}

static const struct name *find_name(const struct name *names, size_t count, struct span word) {
    for (size_t i = 0; i < count; i++)
        if (names[i].name.length == word.length &&
            strncmp(names[i].name.data, word.data, word.length) == 0)
            return &names[i];
    return NULL;
}

/* Writes what the text says with names put in. A name stands for a text in which only earlier names
 * are put in. */
static void put_in_names(struct span text, const struct name *names, size_t count,
                         struct text *out) {
    for (size_t i = 0; i < text.length; i++) {
        struct span word = word_at(text.data + i + 1);
        const struct name *name = text.data[i] == '$' ? find_name(names, count, word) : NULL;
        if (name) {
            put_in_names(name->text, names, (size_t)(name - names), out);
            i += word.length;
        } else {
            text_char(out, text.data[i]);
        }
    }
}

/* A line as it is played: with names and cards put in. */
static void write_line(struct span text, const struct name *names, size_t count, char *out) {
    char named[LINE_MAX_SIZE];
    struct text first, second;
    text_begin(&first, named, sizeof named);
    put_in_names(text, names, count, &first);
    text_begin(&second, out, LINE_MAX_SIZE);
    for (size_t i = 0; i < first.length; i++)
        if (named[i] == '<')
            i += put_cards(named + i + 1, &second);
        else
            text_char(&second, named[i]);
    assert_false(first.cut || second.cut);
}

/* "2 players, folding=no: cards must be shown" */
static void play_heading(struct table *table, const struct game *game, const char *line) {
    char options[LINE_MAX_SIZE] = "";
    sscanf(line, "%*d %*[players], %8191[^:\n]", options);
    table_start(table, game, options, atoi(line));
}

/* A line is cut while it is played, so `repeat` and `each` play copies. */
static void play_repeated(struct table *table, const char *line) {
    char copy[LINE_MAX_SIZE];
    const char *end = strchr(line, ':');
    int times = 1, size = 0;
    if (end && begins(&line, "each ")) {
        for (; line < end; line += size) {
            size = (int)strcspn(line, " :");
            snprintf(copy, sizeof copy, "%s %.*s", end + 1, size, line);
            play_line(table, copy);
            size += (int)strspn(line + size, " :");
        }
        return;
    }
    sscanf(line, "repeat %d%n", &times, &size);
    for (int i = 0; i < times; i++) {
        snprintf(copy, sizeof copy, "%s", line + size);
        play_line(table, copy);
    }
}

/* Tells the story with these names put in. */
static void tell_story(const struct story *story, const struct name *names, size_t count) {
    static struct table table;
    stories.line = story->line;
    for (const char *at = story->lines; *at; stories.line++) {
        char line[LINE_MAX_SIZE];
        size_t length = strcspn(at, "\n");
        write_line((struct span){at, length}, names, count, line);
        if (at == story->lines)
            play_heading(&table, story->game, line);
        else
            play_repeated(&table, line);
        at += length + (at[length] != '\0');
    }
}

/* The line after this one, or null. */
static const char *next_line(const char *line) {
    const char *end = strchr(line, '\n');
    return end ? end + 1 : NULL;
}

/* The cells of "| A | B |" without the blanks around them; returns how many there are. */
static size_t read_row(const char *row, struct span cells[NAMES_MAX]) {
    size_t count = 0;
    for (const char *at = row + 1; *at && *at != '\n' && count < NAMES_MAX; count++) {
        size_t length = strcspn(at, "|\n"), blanks = strspn(at, " ");
        cells[count] = (struct span){at + blanks, blanks < length ? length - blanks : 0};
        while (cells[count].length > 0 && cells[count].data[cells[count].length - 1] == ' ')
            cells[count].length--;
        at += length + (at[length] == '|');
    }
    return count;
}

/* Once, or for each row of its table. */
static void play_story(void **state) {
    const struct story *story = *state;
    struct span columns[NAMES_MAX], cells[NAMES_MAX];
    struct name names[NAMES_MAX];
    const char *row = story->lines;
    while (row && *row != '|')
        row = next_line(row);
    size_t count = row ? read_row(row, columns) : 0;
    stories.row = row ? next_line(row) : NULL;
    do {
        if (row && (!stories.row || read_row(stories.row, cells) != count))
            fail_msg("a row has as many cells as the first one");
        for (size_t i = 0; i < count; i++)
            names[i] = (struct name){columns[i], cells[i]};
        tell_story(story, names, count);
        stories.row = row ? next_line(stories.row) : NULL;
    } while (stories.row && *stories.row == '|');
    stories.line = 0;
}

static int tell_where(void **state) {
    const struct story *story = *state;
    if (stories.line > 0)
        print_message("# %s:%d %.*s\n", story->file, stories.line,
                      stories.row ? (int)strcspn(stories.row, "\n") : 0,
                      stories.row ? stories.row : "");
    stories.line = 0;
    return 0;
}

/* "2 players: …", or "$N players: …" if the number is in the story's table */
static bool is_heading(const char *line) {
    size_t number = *line == '$' ? strcspn(line, " \n") : strspn(line, "0123456789");
    return number > 0 && strncmp(line + number, " player", strlen(" player")) == 0;
}

/* Returns whether there is room for another story. */
static bool add_story(const struct game *game, const char *file, char *lines, int line) {
    if (stories.count == STORIES_MAX)
        return false;
    struct story *story = &stories.story[stories.count];
    const char *about = strchr(lines, ':');
    *story = (struct story){.game = game, .file = file, .lines = lines, .line = line};
    snprintf(story->name, sizeof story->name, "%s: %.*s", game->id, (int)strcspn(lines, "\n"),
             about ? about + 2 : lines);
    story->name[strcspn(story->name, "\n")] = '\0';
    stories.test[stories.count++] = (struct CMUnitTest){.name = story->name,
                                                        .test_func = play_story,
                                                        .teardown_func = tell_where,
                                                        .initial_state = story};
    return true;
}

static const struct game *find_game(const char *id) {
    for (size_t i = 0; i < laws_game_count(); i++)
        if (strcmp(laws_game(i)->id, id) == 0)
            return laws_game(i);
    return NULL;
}

/* Cuts the text of a file into stories. */
static bool add_stories(const char *file, char *text, const char *only) {
    char id[64] = "";
    int line = 1;
    sscanf(text, "game %63s", id);
    const struct game *game = find_game(id);
    if (!game)
        return false;
    if (only && strcmp(only, id) != 0)
        return true;
    for (char *at = text; at; line++) {
        if (is_heading(at)) {
            if (at > text)
                at[-1] = '\0';
            if (!add_story(game, file, at, line))
                return false;
        }
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    return true;
}

/* Reads a file of stories into memory that is never freed, with the names put in; null if there is
 * no such file or it is too long. */
static char *read_stories(const char *path) {
    static char file_text[FILE_SIZE];
    struct name names[NAMES_MAX];
    struct text out;
    size_t count = 0;
    FILE *file = fopen(path, "r");
    char *buffer = file ? malloc(FILE_SIZE) : NULL;
    if (!buffer)
        return NULL;
    file_text[fread(file_text, 1, FILE_SIZE - 1, file)] = '\0';
    fclose(file);
    text_begin(&out, buffer, FILE_SIZE);
    for (const char *line = file_text, *end; *line; line = end + (*end == '\n')) {
        end = line + strcspn(line, "\n");
        const char *at = line;
        if (begins(&at, "let ") && count < NAMES_MAX) {
            struct span name = word_at(at);
            at += name.length + 1;
            names[count++] = (struct name){name, {at, (size_t)(end - at)}};
        } else {
            put_in_names((struct span){line, (size_t)(end - line)}, names, count, &out);
        }
        text_char(&out, '\n');
    }
    return out.cut ? NULL : buffer;
}

int main(int count, char **words) {
    static glob_t files; /* stories point into it */
    if (glob(SOURCE_ROOT "/games/*/*stories.txt", 0, NULL, &files) != 0)
        return 1;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char *text = read_stories(files.gl_pathv[i]);
        if (!text || !add_stories(files.gl_pathv[i], text, count > 1 ? words[1] : NULL)) {
            fprintf(stderr, "%s: a file of stories begins with `game ID`, and has at most 1 MB\n",
                    files.gl_pathv[i]);
            return 1;
        }
    }
    return _cmocka_run_group_tests("stories", stories.test, stories.count, NULL, NULL);
}
