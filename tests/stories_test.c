/* Plays the stories of all games, the tests that need no C: games/FOLDER/stories.txt. An argument
 * is the id of the only game whose stories are played. docs/NEW_GAME.md tells how they are written,
 * and games/template/stories.txt is an example.
 *
 * A file names its game (`game high-card`). A story begins with the number of players, the options
 * that differ from the defaults, and what it is about (`2 players, folding=no: cards must be
 * shown`). Its lines are played and checked one after the other, up to the next story:
 *
 *   deal 9S KH / AD        NATURE deals or shuffles: groups in the order of the game's `deck`
 *   0 play KH              a line of a record, which must be accepted
 *   0 play 2D ! NO_MATCH   the same, which must be refused with this code; its text may follow
 *   0 may play KH; draw    the legal moves
 *   0 is asked Your turn   what the terminal asks seat 0, which is awaited
 *   0 sees "hand":["9S"]   the view of seat 0 has this text in it; `-` is a spectator
 *   1 sees not 9S          and that of seat 1 does not have this one
 *   told TYPE DATA         the line before produced this event with exactly this data
 *   says played KH         the line before produced this message
 *   0 draw; deal KC        moves and deals on one line; the last part may be any other line
 *   repeat 3 0 draw; deal  such a line, three times
 *
 * What a deal does not name is filled up in the order of the deck: spades, hearts, diamonds, clubs,
 * each from 2 to ace, if cards lie at places. Empty lines and those after a `#` are skipped. */
#include "tests/laws.h"
#include "tests/support.h"

#include <ctype.h>
#include <glob.h>
#include <stdlib.h>

enum { STORIES_MAX = 512, LINE_MAX_SIZE = 1024 };

struct story {
    const struct game *game;
    const char *file;
    char *lines; /* the first one is its heading */
    int line;    /* the number of that line in the file */
    char name[128];
};

static struct {
    struct story story[STORIES_MAX];
    struct CMUnitTest test[STORIES_MAX];
    size_t count;
    int line; /* that is being played; 0 after a story that held */
} stories;

/* Does the text begin with the word, which is taken off it? */
static bool begins(const char **text, const char *word) {
    size_t length = strlen(word);
    if (strncmp(*text, word, length) != 0)
        return false;
    *text += length;
    return true;
}

static void expect_refusal(struct table *table, char *line, char *mark) {
    *mark = '\0';
    char *code = mark + strlen(" ! "), *text = strchr(code, ' ');
    if (text)
        *text++ = '\0';
    table_refuses(table, line, code, text);
}

static void expect_view(struct table *table, int viewer, const char *text) {
    bool shown = !begins(&text, "not ");
    if (table_shows(table, viewer, text) != shown)
        fail_msg("%s: %s", shown ? "not shown" : "shown", text);
}

static void expect_event(struct table *table, char *type) {
    char *data = strchr(type, '{');
    if (!data)
        fail_msg("the data of the event is missing");
    data[-1] = '\0';
    table_told(table, type, data);
}

static void expect_message(const struct table *table, const char *message) {
    for (size_t i = 0; i < table->events.count; i++)
        if (span_is(table->events.item[i].message, message))
            return;
    fail_msg("not said: %s", message);
}

/* Returns false if the line is a move or a deal. The text of a check goes on to the end of the
 * line. */
static bool check_line(struct table *table, char *line) {
    const char *at = line;
    int viewer = line[0] == '-' ? SPECTATOR : atoi(line);
    if (begins(&at, "told ")) {
        expect_event(table, line + (at - line));
        return true;
    }
    if (begins(&at, "says ")) {
        expect_message(table, at);
        return true;
    }
    at += strcspn(at, " ");
    if (begins(&at, " sees "))
        expect_view(table, viewer, at);
    else if (begins(&at, " may"))
        assert_string_equal(table_legal(table, viewer), at + (*at == ' '));
    else if (begins(&at, " is asked "))
        table_asks(table, viewer, at);
    else
        return false;
    return true;
}

static void play_line(struct table *table, char *line) {
    while (line) {
        line += strspn(line, " ");
        if (*line == '\0' || *line == '#' || check_line(table, line))
            return;
        char *next = strchr(line, ';'), *refusal = strstr(line, " ! ");
        if (refusal && (!next || refusal < next)) {
            expect_refusal(table, line, refusal);
            return;
        }
        if (next)
            *next++ = '\0';
        const char *at = line;
        if (begins(&at, "deal"))
            table_deal(table, at);
        else
            table_play(table, line);
        line = next;
    }
}

static void play_lines(struct table *table, const char *lines) {
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        int times = 1, word = 0;
        sscanf(lines, "repeat %d%n", &times, &word);
        for (int i = 0; i < times; i++) {
            char line[LINE_MAX_SIZE]; /* it is cut while it is played */
            snprintf(line, sizeof line, "%.*s", (int)length - word, lines + word);
            play_line(table, line);
        }
        stories.line++;
        lines += length + (lines[length] != '\0');
    }
}

/* "2 players, folding=no: cards must be shown" */
static void play_story(void **state) {
    static struct table table;
    const struct story *story = *state;
    char options[LINE_MAX_SIZE] = "";
    const char *end = strchr(story->lines, '\n');
    sscanf(story->lines, "%*d %*[players], %1023[^:\n]", options);
    stories.line = story->line;
    table_start(&table, story->game, options, atoi(story->lines));
    stories.line++;
    play_lines(&table, end ? end + 1 : "");
    stories.line = 0;
}

static int tell_where(void **state) {
    const struct story *story = *state;
    if (stories.line > 0)
        print_message("# %s:%d\n", story->file, stories.line);
    stories.line = 0;
    return 0;
}

static bool is_heading(const char *line) {
    int end = 0;
    return isdigit((unsigned char)*line) && sscanf(line, "%*d player%n", &end) == 0 && end > 0;
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

static char *read_file(const char *path) {
    FILE *file = fopen(path, "r");
    char *text = file ? calloc(1, 1 << 20) : NULL;
    if (text && fread(text, 1, (1 << 20) - 1, file) == 0)
        text[0] = '\0';
    if (file)
        fclose(file);
    return text;
}

int main(int count, char **words) {
    static glob_t files; /* stories point into it */
    if (glob(SOURCE_ROOT "/games/*/stories.txt", 0, NULL, &files) != 0)
        return 1;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char *text = read_file(files.gl_pathv[i]);
        if (!text || !add_stories(files.gl_pathv[i], text, count > 1 ? words[1] : NULL)) {
            fprintf(stderr, "%s: a file of stories begins with `game ID`\n", files.gl_pathv[i]);
            return 1;
        }
    }
    return _cmocka_run_group_tests("stories", stories.test, stories.count, NULL, NULL);
}
