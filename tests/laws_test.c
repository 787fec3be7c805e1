/* Runs the laws natively, a fixed number of random games per game. An argument is the id of the
 * only game that is tried. */
#include "tests/laws.h"
#include "tests/sanitized.h"
#include "tests/support.h"

enum { GAMES = SANITIZED ? 30 : 120, MOVES = SANITIZED ? 6000 : 25000 };

static const char *only;
static struct laws_report report;

/* Shows the game that came to this, which a line of the source alone does not tell. */
static void show_game(const char *what) {
    fprintf(stderr, "%s\n%s\n", report.setup, report.log);
}

static void hold_to_the_laws(const struct game *game) {
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
    int tried = 0;
    for (size_t i = 0; i < laws_game_count(); i++) {
        const struct game *game = laws_game(i);
        if (only && strcmp(only, game->id) != 0)
            continue;
        hold_to_the_laws(game);
        tried++;
    }
    if (tried == 0)
        fail_msg("there is no game '%s'", only);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_game_obeys_the_laws),
    };
    only = argc > 1 ? argv[1] : NULL;
    on_ensure_failed = show_game;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
