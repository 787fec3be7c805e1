/* What each game counts for its seats, in recorded games of which one can read what happened. */
#include "engine/record.h"
#include "games/registry.h"
#include "tests/support.h"

struct counted {
    const struct game *game;
    struct game_state state;
    struct record_header header;
    int32_t figures[SEATS_MAX][GAME_FIGURES_MAX];
};

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
}

/* Plays the record to its end and counts its rounds as a world does. */
static void play(struct counted *counted, const char *path) {
    struct record_reader reader;
    struct record_error error = {0};
    struct record_entry entry;
    struct options options;
    memset(counted, 0, sizeof *counted);
    record_open(&reader, read_record(path));
    assert_true(record_read_header(&reader, &counted->header, &error));
    counted->game = registry_find(counted->header.game);
    assert_true(
        record_start(&reader, &counted->header, counted->game, &options, &counted->state, &error));
    while (record_next(&reader, &entry, &error) == RECORD_ENTRY) {
        assert_true(
            game_play_text(counted->game, &counted->state, entry.seat, entry.text, NULL, NULL));
        if (game_round_has_ended(counted->game, &counted->state))
            count_round(counted);
    }
}

/* Figures in the game's order, seats with bars. */
static void counts(const char *path, const char *wanted) {
    struct counted counted;
    char found[512];
    struct text text;
    play(&counted, path);
    text_begin(&text, found, sizeof found);
    for (int seat = 0; seat < counted.header.seats; seat++) {
        text_string(&text, seat > 0 ? " | " : "");
        for (int i = 0; i < game_figure_count(counted.game); i++) {
            text_string(&text, i > 0 ? " " : "");
            text_number(&text, counted.figures[seat][i]);
        }
    }
    if (strcmp(found, wanted) != 0)
        fail_msg("%s: %s", path, found);
}

static void names_are(const char *id, const char *wanted) {
    const struct game *game = registry_find(span_of(id));
    char found[512];
    struct text text;
    text_begin(&text, found, sizeof found);
    for (int i = 0; game->figures[i]; i++) {
        text_string(&text, i > 0 ? ", " : "");
        text_string(&text, game->figures[i]);
    }
    assert_string_equal(found, wanted);
}

/* WD-145: by seat. Calls are one's own; marches and euchres belong to the team. */
static void WD_145_whos_deal(void **state) {
    (void)state;
    names_are("whos-deal", "hands, calls, calls made, lone calls, lone sweeps, marches, euchres, "
                           "times euchred");
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
}

/* A hand that nobody calls, or that is thrown in, was not played. */
static void whos_deal_counts_no_hand_that_was_not_played(void **state) {
    (void)state;
    static const char nothing[] = "0 0 0 0 0 0 0 0 | 0 0 0 0 0 0 0 0 | "
                                  "0 0 0 0 0 0 0 0 | 0 0 0 0 0 0 0 0";
    counts("whos_deal/golden/all_pass", nothing);
    counts("whos_deal/golden/farmers_hand", nothing);
}

/* UD-51 to UD-53; what is undone is not counted (UD-27). */
static void UD_51_to_UD_53_up_n_down(void **state) {
    (void)state;
    names_are("up-n-down", "cards played, movement, backward tens");
    counts("up_n_down/golden/won_small", "7 7 0 | 7 7 0 | 7 11 0");
    counts("up_n_down/golden/solitaire_end_loses", "7 82 0");
}

/* Partners share their books; who went out is one of them. */
static void hand_and_foot(void **state) {
    (void)state;
    names_are("hand-and-foot", "rounds, clean books, dirty books, went out");
    counts("hand_and_foot/golden/classic_round", "1 1 1 1 | 1 0 0 0");
    counts("hand_and_foot/golden/classic_tie", "1 0 0 1 | 1 1 0 0");
    counts("hand_and_foot/golden/closers_round", "1 2 2 1 | 1 0 0 0 | 1 2 2 0 | 1 0 0 0");
    counts("hand_and_foot/golden/classic_emergency", "1 0 0 0 | 1 0 0 0");
}

static void four_kate(void **state) {
    (void)state;
    names_are("4-kate", "discs, upright fours, level fours, diagonal fours, draws");
    counts("four_kate/golden/column", "4 0 0 0 0 | 4 1 0 0 0");
    counts("four_kate/golden/row", "4 0 1 0 0 | 3 0 0 0 0");
    counts("four_kate/golden/diagonal", "5 0 0 0 0 | 5 0 0 1 0");
    counts("four_kate/golden/draw", "21 0 0 0 1 | 21 0 0 0 1");
}

static void terrible_people(void **state) {
    (void)state;
    names_are("terrible-people", "rounds, rounds won, rounds judged");
    counts("terrible_people/golden/game_to_three", "4 0 1 | 4 1 1 | 4 3 1 | 4 0 1");
}

/* Every game has names for what it counts, short enough for the store, none twice. */
static void names_fit(void **state) {
    (void)state;
    for (size_t i = 0; i < registry_count; i++) {
        const struct game *game = registry_games[i];
        assert_in_range(game_figure_count(game), 1, GAME_FIGURES_MAX);
        for (int one = 0; game->figures[one]; one++) {
            assert_in_range(strlen(game->figures[one]), 1, 31);
            for (int other = 0; other < one; other++)
                assert_string_not_equal(game->figures[one], game->figures[other]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(WD_145_whos_deal),
        cmocka_unit_test(whos_deal_counts_no_hand_that_was_not_played),
        cmocka_unit_test(UD_51_to_UD_53_up_n_down),
        cmocka_unit_test(hand_and_foot),
        cmocka_unit_test(four_kate),
        cmocka_unit_test(terrible_people),
        cmocka_unit_test(names_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
