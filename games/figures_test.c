/* What each game counts for its seats, in recorded games of which one can read what happened. */
#include "engine/record.h"
#include "games/registry.h"
#include "tests/support.h"

struct counted {
    const struct game *game;
    struct game_state state;
    struct record_header header;
    int rounds;
    int32_t figures[SEATS_MAX][GAME_FIGURES_MAX];
    int32_t table[GAME_FIGURES_MAX];
};

/* Records that are in no file. */
static const char exactly_three_tricks[] =
    "oyster 1\ngame whos-deal\nseats Ann Bob Cy Dee\n"
    "- deal AD KD JD KC QC / AH KH 9C 9D 10D / 9H 10H AC JS KS / QH JH 10C QD 9S / QS AS 10S JC\n"
    "1 pass\n2 order\n0 discard JD\n"
    "1 play AH\n2 play 9H\n3 play JH\n0 play AD\n"
    "1 play KH\n2 play 10H\n3 play QH\n0 play KD\n"
    "1 play 9C\n2 play AC\n3 play 10C\n0 play QC\n"
    "2 play JS\n3 play 9S\n0 play QS\n1 play 9D\n"
    "2 play KS\n3 play QD\n0 play KC\n1 play 10D\n";

static const char backward_tens[] =
    "oyster 1\ngame up-n-down\noptions maxCardValue=22 handSize=4 allowUndo=yes\nseats Ann\n"
    "- deal 2 12 21 22 / 8 9 3 4 5 6 7 10 11 13 14 15 16 17 18 19 20\n"
    "0 play 12 1\n0 play 2 1\n0 undo\n0 play 2 1\n0 play 22 1\n0 play 21 2\n"
    "0 play 3 3\n0 play 4 4\n0 end\n";

/* One disc that completes a falling and a rising line. */
static const char two_lines[] =
    "oyster 1\ngame 4-kate\noptions\nseats Ann Bob\n"
    "0 drop 7\n1 drop 6\n0 drop 3\n1 drop 2\n0 drop 5\n1 drop 3\n0 drop 3\n1 drop 5\n"
    "0 drop 4\n1 drop 3\n0 drop 5\n1 drop 5\n0 drop 5\n1 drop 4\n0 drop 5\n1 drop 4\n";

static struct span read_record(const char *path) {
    static char text[1 << 16];
    char full[256];
    snprintf(full, sizeof full, "%s/games/%s.oyster", SOURCE_ROOT, path);
    FILE *file = fopen(full, "rb");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    return (struct span){text, length};
}

static void count_round(struct counted *counted) {
    for (int seat = 0; seat < counted->header.seats; seat++)
        game_count(counted->game, &counted->state, seat, counted->figures[seat]);
    game_count(counted->game, &counted->state, SPECTATOR, counted->table);
}

static void nothing_is_counted(const struct counted *counted) {
    for (int seat = 0; seat < SEATS_MAX; seat++)
        for (int i = 0; i < GAME_FIGURES_MAX; i++)
            assert_int_equal(counted->figures[seat][i] + counted->table[i], 0);
}

/* Plays the record to its end and counts its rounds as a world does. Before the first deal there is
 * nothing to count. */
static void play(struct counted *counted, struct span record) {
    struct record_reader reader;
    struct record_error error = {0};
    struct record_entry entry;
    struct options options;
    memset(counted, 0, sizeof *counted);
    record_open(&reader, record);
    assert_true(record_read_header(&reader, &counted->header, &error));
    counted->game = registry_find(counted->header.game);
    assert_true(
        record_start(&reader, &counted->header, counted->game, &options, &counted->state, &error));
    count_round(counted);
    nothing_is_counted(counted);
    while (record_next(&reader, &entry, &error) == RECORD_ENTRY) {
        assert_true(
            game_play_text(counted->game, &counted->state, entry.seat, entry.text, NULL, NULL));
        if (game_round_has_ended(counted->game, &counted->state)) {
            count_round(counted);
            counted->rounds++;
        }
    }
}

/* Figures in the game's order, seats with bars. */
static void counts_record(const char *name, struct span record, const char *wanted) {
    struct counted counted;
    char found[512];
    play(&counted, record);
    struct text text = text_in(found, sizeof found);
    for (int seat = 0; seat < counted.header.seats; seat++) {
        text_string(&text, seat > 0 ? " | " : "");
        for (int i = 0; i < figure_count(counted.game->figures); i++) {
            text_string(&text, i > 0 ? " " : "");
            text_number(&text, counted.figures[seat][i]);
        }
    }
    if (strcmp(found, wanted) != 0)
        fail_msg("%s: %s", name, found);
}

static void counts(const char *path, const char *wanted) {
    counts_record(path, read_record(path), wanted);
}

/* The figures of the whole table. */
static void table_counts_are(const char *path, const char *wanted) {
    struct counted counted;
    char found[512];
    play(&counted, read_record(path));
    struct text text = text_in(found, sizeof found);
    for (int i = 0; i < figure_count(counted.game->table_figures); i++) {
        text_string(&text, i > 0 ? " " : "");
        text_number(&text, counted.table[i]);
    }
    if (strcmp(found, wanted) != 0)
        fail_msg("%s: %s", path, found);
}

static void has_rounds(const char *path, int wanted) {
    struct counted counted;
    play(&counted, read_record(path));
    assert_int_equal(counted.rounds, wanted);
}

static void put_names(struct text *text, const char *const *names) {
    for (int i = 0; names[i]; i++) {
        text_string(text, i > 0 ? ", " : "");
        text_string(text, names[i]);
    }
}

/* The names of a seat's figures, then a stroke and those of the table's. */
static void names_are(const char *id, const char *wanted) {
    const struct game *game = registry_find(span_of(id));
    char found[512];
    struct text text = text_in(found, sizeof found);
    put_names(&text, game->figures);
    text_string(&text, " / ");
    put_names(&text, game->table_figures);
    assert_string_equal(found, wanted);
}

/* WD-145: by seat. Calls are one's own; marches and euchres belong to the team. */
UNIT_TEST(WD_145_whos_deal) {
    names_are("whos-deal",
              "hands, calls, calls made, lone calls, lone sweeps, marches, euchres, "
              "times euchred / deals, passed out, makes, marches, euchres, lone attempts, "
              "lone sweeps, dealer stuck, deals scored by dealer's side, points of "
              "dealer's side, points of the others");
    counts("whos_deal/golden/plain_make", "1 0 0 0 0 0 0 0 | 1 0 0 0 0 0 0 0 | "
                                          "1 1 1 0 0 0 0 0 | 1 0 0 0 0 0 0 0");
    counts("whos_deal/golden/march", "1 0 0 0 0 1 0 0 | 1 0 0 0 0 0 0 0 | "
                                     "1 1 1 0 0 1 0 0 | 1 0 0 0 0 0 0 0");
    counts("whos_deal/golden/euchre", "1 0 0 0 0 0 1 0 | 1 1 0 0 0 0 0 1 | "
                                      "1 0 0 0 0 0 1 0 | 1 0 0 0 0 0 0 1");
    counts("whos_deal/golden/lone_make", "1 0 0 0 0 0 0 0 | 1 1 1 1 0 0 0 0 | "
                                         "1 0 0 0 0 0 0 0 | 1 0 0 0 0 0 0 0");
    counts("whos_deal/golden/lone_euchre", "1 0 0 0 0 0 1 0 | 1 1 0 1 0 0 0 1 | "
                                           "1 0 0 0 0 0 1 0 | 1 0 0 0 0 0 0 1");
    counts("whos_deal/golden/past_the_target", "2 0 0 0 0 1 0 0 | 2 0 0 0 0 0 0 0 | "
                                               "2 2 2 1 1 1 0 0 | 2 0 0 0 0 0 0 0");
    counts_record("three tricks of five", span_of(exactly_three_tricks),
                  "1 0 0 0 0 0 0 0 | 1 0 0 0 0 0 0 0 | 1 1 1 0 0 0 0 0 | 1 0 0 0 0 0 0 0");
}

/* A hand that nobody calls or that is thrown in does not count as played. */
UNIT_TEST(whos_deal_counts_no_hand_that_was_not_played) {
    static const char nothing[] = "0 0 0 0 0 0 0 0 | 0 0 0 0 0 0 0 0 | "
                                  "0 0 0 0 0 0 0 0 | 0 0 0 0 0 0 0 0";
    counts("whos_deal/golden/all_pass", nothing);
    counts("whos_deal/golden/farmers_hand", nothing);
}

/* UD-51 to UD-53; what is undone is not counted (UD-27). */
UNIT_TEST(UD_51_to_UD_53_up_n_down) {
    names_are("up-n-down", "cards played, movement, backward tens / cards played, special plays, "
                           "total movement");
    counts("up_n_down/golden/won_small", "7 7 0 | 7 7 0 | 7 11 0");
    counts("up_n_down/golden/solitaire_end_loses", "7 82 0");
    counts_record("backward tens", span_of(backward_tens), "6 100 1");
}

/* Partners share their books; only one of them went out. */
UNIT_TEST(hand_and_foot) {
    names_are("hand-and-foot",
              "rounds, clean books, dirty books, went out / rounds, turns, rounds gone out");
    counts("hand_and_foot/golden/classic_round", "1 1 1 1 | 1 0 0 0");
    counts("hand_and_foot/golden/classic_tie", "1 0 0 1 | 1 1 0 0");
    counts("hand_and_foot/golden/closers_round", "1 2 2 1 | 1 0 0 0 | 1 2 2 0 | 1 0 0 0");
    counts("hand_and_foot/golden/classic_emergency", "1 0 0 0 | 1 0 0 0");
}

UNIT_TEST(four_kate) {
    names_are("4-kate", "discs, upright fours, level fours, diagonal fours, draws / discs, draws");
    counts("four_kate/golden/column", "4 0 0 0 0 | 4 1 0 0 0");
    counts("four_kate/golden/row", "4 0 1 0 0 | 3 0 0 0 0");
    counts("four_kate/golden/diagonal", "5 0 0 0 0 | 5 0 0 1 0");
    counts("four_kate/golden/draw", "21 0 0 0 1 | 21 0 0 0 1");
    counts_record("two lines at once", span_of(two_lines), "8 0 0 0 0 | 8 0 0 2 0");
}

UNIT_TEST(terrible_people) {
    names_are("terrible-people", "rounds, rounds won, rounds judged / rounds");
    counts("terrible_people/golden/game_to_three", "4 0 1 | 4 1 1 | 4 3 1 | 4 0 1");
}

/* NATURE also shuffles in the middle of a round: a pile, or answers to be shown. */
UNIT_TEST(a_shuffle_ends_no_round) {
    has_rounds("terrible_people/golden/game_to_three", 4);
    has_rounds("hand_and_foot/golden/classic_round", 1);
}

/* WD-145: deals that were thrown in or passed out count for the table, though for no seat. */
UNIT_TEST(tables) {
    table_counts_are("whos_deal/golden/all_pass", "1 1 0 0 0 0 0 0 0 0 0");
    table_counts_are("whos_deal/golden/farmers_hand", "1 0 0 0 0 0 0 0 0 0 0");
    table_counts_are("whos_deal/golden/lone_euchre", "1 0 0 0 1 1 0 0 1 2 0");
    table_counts_are("whos_deal/golden/past_the_target", "2 0 0 1 0 1 1 0 1 4 2");
    table_counts_are("hand_and_foot/golden/classic_round", "1 7 1");
    table_counts_are("hand_and_foot/golden/classic_emergency", "1 31 0");
    table_counts_are("up_n_down/golden/won_small", "21 0 25");
    table_counts_are("four_kate/golden/draw", "42 1");
    table_counts_are("four_kate/golden/row", "7 0");
    table_counts_are("terrible_people/golden/game_to_three", "4");
}

/* Names of what is counted are short enough for the store, and none is there twice. */
static void names_fit_in_list(const char *const *names) {
    for (int one = 0; one < figure_count(names); one++) {
        assert_in_range(strlen(names[one]), 1, 31);
        for (int other = 0; other < one; other++)
            assert_string_not_equal(names[one], names[other]);
    }
}

UNIT_TEST(names_fit) {
    for (size_t i = 0; i < registry_count; i++) {
        const struct game *game = registry_games[i];
        assert_in_range(figure_count(game->figures), 0, GAME_FIGURES_MAX);
        assert_in_range(figure_count(game->table_figures), 0, GAME_FIGURES_MAX);
        names_fit_in_list(game->figures);
        names_fit_in_list(game->table_figures);
    }
}
