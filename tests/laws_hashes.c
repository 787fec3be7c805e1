/* Prints a hash over the bots' choices and the final states of the laws' random games, a line per
 * game: what WebAssembly is compared with. A game with long games plays fewer of them. */
#include "tests/laws.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **words) {
    static struct laws_report report;
    uint64_t games = count > 1 ? strtoull(words[1], NULL, 10) : 40;
    for (size_t i = 0; i < laws_game_count(); i++) {
        memset(&report, 0, sizeof report);
        for (uint64_t seed = 0; seed < games && report.moves < 6000; seed++)
            if (!laws_hold(laws_game(i), seed, &report))
                return 1;
        printf("%s %016" PRIx64 "\n", laws_game(i)->id, report.hash);
    }
    return 0;
}
