/* 4 Kate, connect four for two. Nothing is hidden, and chance has no part in it. */
#include "games/four_kate/four_kate.h"

#include <string.h>

/* FK-4: the other seat starts the next game. */
static uint8_t next_starter(const struct four_kate *state) {
    return state->starter ^ 1;
}

static bool start(void *to, const struct options *options, const void *ended, struct events *events,
                  struct refusal *why) {
    struct four_kate *state = to;
    if (!ended)
        return true;
    state->starter = next_starter(ended);
    struct json *json = event_begin(events, "game-started", EVERYONE);
    if (json)
        json_put_number(json, "starter", state->starter);
    event_end(events);
    return true;
}

static int mover(const struct four_kate *state) {
    return (state->starter + state->plies) & 1;
}

static bool over(const struct four_kate *state) {
    return state->won || state->plies == FOUR_KATE_CELLS;
}

static uint32_t to_act(const void *from) {
    const struct four_kate *state = from;
    return over(state) ? 0 : (uint32_t)1 << mover(state);
}

static uint64_t occupied(const struct four_kate *state) {
    return state->discs[0] | state->discs[1];
}

static size_t legal(const void *from, int seat, struct move *out, size_t max) {
    const struct four_kate *state = from;
    size_t count = 0;
    if (seat != mover(state))
        return 0;
    for (int column = 0; column < FOUR_KATE_COLUMNS && count < max; column++) {
        if (four_kate_landing(occupied(state), column) != 0) {
            struct move *move = &out[count++];
            move->verb = FOUR_KATE_DROP;
            move->count = 1;
            move->args[0] = (uint16_t)(column + 1);
        }
    }
    return count;
}

static bool check_drop(const void *from, int seat, const struct move *move, struct refusal *why) {
    const struct four_kate *state = from;
    if (move->args[0] < 1 || move->args[0] > FOUR_KATE_COLUMNS)
        return refuse(why, "INVALID_COLUMN", "Choose a column from 1 to 7");
    if (four_kate_landing(occupied(state), move->args[0] - 1) == 0)
        return refuse(why, "COLUMN_FULL", "Column %d is full", move->args[0]);
    return true;
}

static int row_of(uint64_t disc) {
    return __builtin_ctzll(disc) % 7;
}

/* The distances of neighbouring bits in a line: vertical, falling, horizontal, rising. */
static const int directions[] = {1, 6, 7, 8};

/* Finds the discs that are the first of four in a line. */
static uint64_t starts_of_line(uint64_t discs, int step) {
    return discs & discs >> step & discs >> 2 * step & discs >> 3 * step;
}

uint64_t four_kate_line(uint64_t discs) {
    uint64_t line = 0;
    for (int i = 0; i < 4; i++) {
        int step = directions[i];
        uint64_t first = starts_of_line(discs, step);
        line |= first | first << step | first << 2 * step | first << 3 * step;
    }
    return line;
}

static void cells_json(struct json *json, const char *key, uint64_t cells) {
    json_put_array(json, key);
    for (; cells != 0; cells &= cells - 1) {
        json_put_object(json, NULL);
        json_put_number(json, "column", __builtin_ctzll(cells) / 7 + 1);
        json_put_number(json, "row", row_of(cells) + 1);
        json_put_end(json);
    }
    json_put_end(json);
}

static int winner(const struct four_kate *state) {
    return state->won ? mover(state) ^ 1 : -1;
}

static void tell(const struct four_kate *state, int seat, int column, uint64_t disc,
                 struct events *events) {
    struct json *json = event_begin_seat(events, "disc-dropped", seat);
    json_put_number(json, "column", column);
    json_put_number(json, "row", row_of(disc) + 1);
    event_end(events);
    if (!over(state))
        return;
    json = event_begin(events, "game-over", EVERYONE);
    json_put_natural(json, "winner", state->won ? seat : -1);
    cells_json(json, "winningCells", four_kate_line(state->discs[seat]));
    event_end(events);
}

static void drop(void *to, int seat, const struct move *move, struct events *events) {
    struct four_kate *state = to;
    uint64_t disc = four_kate_landing(occupied(state), move->args[0] - 1);
    state->discs[seat] |= disc;
    state->plies++;
    state->won = four_kate_wins(state->discs[seat]);
    if (events)
        tell(state, seat, move->args[0], disc, events);
}

static const struct verb verbs[] = {
    [FOUR_KATE_DROP] = {.word = "drop",
                        .arguments = {{.kind = ARGUMENT_NUMBER, .json = "column"}},
                        .example = "drop 4",
                        .help = "a disc into column 4",
                        .prompt = "Your turn: drop a disc",
                        .check = check_drop,
                        .apply = drop},
};

/* The board from the top row down: a seat's number, or null. */
static void board_json(const struct four_kate *state, struct json *json) {
    json_put_array(json, "board");
    for (int row = FOUR_KATE_ROWS - 1; row >= 0; row--) {
        json_put_array(json, NULL);
        for (int column = 0; column < FOUR_KATE_COLUMNS; column++) {
            int cell = 7 * column + row;
            bool first = (state->discs[0] >> cell & 1) != 0;
            bool second = (state->discs[1] >> cell & 1) != 0;
            json_put_natural(json, NULL, first ? 0 : second ? 1 : -1);
        }
        json_put_end(json);
    }
    json_put_end(json);
}

static void describe(const void *seen, int viewer, struct json *json) {
    const struct four_kate *state = seen;
    json_put_string(json, "phase", over(state) ? "game_over" : "playing");
    json_put_number(json, "starter", state->starter);
    board_json(state, json);
    json_put_natural(json, "currentPlayerIndex", over(state) ? -1 : mover(state));
    json_put_natural(json, "winner", winner(state));
    cells_json(json, "winningCells", state->won ? four_kate_line(state->discs[winner(state)]) : 0);
    json_put_number(json, "nextStarter", next_starter(state));
}

static void show(const void *seen, int viewer, const char *const *names, struct text *text) {
    static const char marks[] = "XO";
    const struct four_kate *state = seen;
    text_string(text, "  1 2 3 4 5 6 7\n");
    for (int row = FOUR_KATE_ROWS - 1; row >= 0; row--) {
        text_char(text, ' ');
        for (int column = 0; column < FOUR_KATE_COLUMNS; column++) {
            uint64_t cell = (uint64_t)1 << (7 * column + row);
            text_char(text, ' ');
            text_char(text, (state->discs[0] & cell) != 0   ? marks[0]
                            : (state->discs[1] & cell) != 0 ? marks[1]
                                                            : '.');
        }
        text_char(text, '\n');
    }
    for (int seat = 0; seat < 2; seat++) {
        text_string(text, seat == 0 ? "  " : "   ");
        text_char(text, marks[seat]);
        text_char(text, ' ');
        text_string(text, names[seat]);
    }
    text_char(text, '\n');
}

static void result(const void *from, struct result *out) {
    const struct four_kate *state = from;
    if (state->won) {
        out->winners = (uint32_t)1 << winner(state);
        out->score[winner(state)] = 1;
    }
}

enum { DISCS, WON_UPRIGHT, WON_LEVEL, WON_DIAGONAL, DRAWS };
enum { ALL_DISCS, IS_DRAW };

/* A disc may complete more than one line, and each of them is counted. */
static void count(const void *from, int seat, int32_t *out) {
    static const int figure[] = {WON_UPRIGHT, WON_DIAGONAL, WON_LEVEL, WON_DIAGONAL};
    const struct four_kate *state = from;
    bool draw = over(state) && !state->won;
    if (seat == SPECTATOR) {
        out[ALL_DISCS] = state->plies;
        out[IS_DRAW] = draw;
        return;
    }
    out[DISCS] = __builtin_popcountll(state->discs[seat]);
    for (int i = 0; i < 4; i++)
        out[figure[i]] += starts_of_line(state->discs[seat], directions[i]) != 0;
    out[DRAWS] = draw;
}

static bool holds(const void *from) {
    const struct four_kate *state = from;
    uint64_t all = occupied(state);
    int other = state->starter ^ 1;
    return state->starter < 2 && (state->discs[0] & state->discs[1]) == 0 &&
           (all & ~FOUR_KATE_BOARD) == 0 && (all & (all + FOUR_KATE_BOTTOM)) == 0 &&
           __builtin_popcountll(state->discs[state->starter]) == (state->plies + 1) / 2 &&
           __builtin_popcountll(state->discs[other]) == state->plies / 2 &&
           !four_kate_wins(state->discs[mover(state)]);
}

static const char *const figures[] = {
    [DISCS] = "discs",           [WON_UPRIGHT] = "upright fours",
    [WON_LEVEL] = "level fours", [WON_DIAGONAL] = "diagonal fours",
    [DRAWS] = "draws",           NULL};
static const char *const table_figures[] = {[ALL_DISCS] = "discs", [IS_DRAW] = "draws", NULL};

static const struct caption captions[] = {
#include "games/four_kate/captions.def"
    {0},
};

const struct game four_kate_game = {
    .id = "4-kate",
    .name = "4 Kate",
    .summary = "Connect four: drop discs, line up four before the other side does",
    .icon = "\U0001F534",
    .players_min = 2,
    .players_max = 2,
    .players_default = 2,
    .lobby_bots = true,
    .state_size = sizeof(struct four_kate),
    VERBS(verbs),
    .captions = FOR_TERMINAL(captions),
    .figures = figures,
    .table_figures = table_figures,
    .start = start,
    .to_act = to_act,
    .legal = legal,
    .describe = describe,
    .show = FOR_TERMINAL(show),
    .result = result,
    .count = count,
    .holds = holds,
};
