/* Runs the laws natively, a fixed number of random games per game. */
#include "tests/laws.h"
#include "tests/support.h"

enum { GAMES = 120, MOVES = 25000 };

static void hold_to_the_laws(const struct game *game) {
    static struct laws_report report;
    memset(&report, 0, sizeof report);
    for (uint64_t seed = 0; seed < GAMES && report.moves < MOVES; seed++) {
        if (!laws_hold(game, seed, &report)) {
            fprintf(stderr, "%s\nseed %d: %s\n%s\n", report.setup, (int)seed, report.broken,
                    report.log);
            fail_msg("%s: %s", game->id, report.broken);
        }
    }
    print_message("%s: %u games, %u moves, %u hidden, %u events compared, %u twins, %u asides, "
                  "%u undos\n",
                  game->id, report.games, report.moves, report.hidden, report.events_compared,
                  report.twins, report.asides, report.undos);
    if (!laws_were_tried(game, &report))
        fail_msg("%s: never seen: %s", game->id, report.broken);
}

static void every_game_obeys_the_laws(void **state) {
    for (size_t i = 0; i < laws_game_count(); i++)
        hold_to_the_laws(laws_game(i));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_game_obeys_the_laws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
