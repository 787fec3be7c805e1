/* Makes the fitted numbers of the bots anew: `make fit` writes what this prints into the headers
 * bots/GAME_fitted.h. Everything is drawn from one seed, so the same program gives the same
 * numbers.
 *
 *     fit whos-deal     how deals end between hard bots, for the chance to win a match */
#include "bots/bot.h"
#include "engine/ensure.h"
#include "games/whos_deal/whos_deal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 18, WHOS_DEAL_MATCHES = 1500 };

_Noreturn void ensure_failed(const char *what, const char *file, int line) {
    fprintf(stderr, "fit: '%s' does not hold at %s:%d\n", what, file, line);
    abort();
}

static void begin_header(const char *about, const char *guard) {
    printf("/* %s Written by `make fit`. */\n#ifndef %s\n#define %s\n\n", about, guard, guard);
}

/* ---- Who's Deal? ---- */

static void count_match(uint64_t number, int counts[2][3]) {
    struct game_state state;
    struct options options;
    struct chance chance;
    uint32_t awaited;
    const struct whos_deal *table = (const void *)state.bytes;
    options_default(&whos_deal_game.options, &options);
    ensure(game_start(&whos_deal_game, &state, &options, WHOS_DEAL_SEATS, NULL));
    chance_start_number(&chance, SEED, number);
    while ((awaited = game_to_act(&whos_deal_game, &state)) != 0) {
        if ((awaited & AWAITS_NATURE) != 0) {
            game_deal_chance(&whos_deal_game, &state, &chance, NULL, NULL);
            continue;
        }
        struct move move;
        int seat = __builtin_ctz(awaited);
        bot_choose(&whos_deal_game, &state, seat, BOT_HARD, &chance, &move);
        ensure(game_play(&whos_deal_game, &state, seat, &move, NULL, NULL));
        if (table->phase < WHOS_DEAL_ROUND_OVER || table->points == 0)
            continue;
        int points = table->points & 255, team = table->points >> 8;
        counts[team != whos_deal_team(table->dealer)][points == 4 ? 2 : points - 1]++;
    }
}

static void fit_whos_deal(void) {
    int counts[2][3] = {{0}}, all = 0;
    for (uint64_t i = 0; i < WHOS_DEAL_MATCHES; i++)
        count_match(i, counts);
    for (int i = 0; i < 6; i++)
        all += counts[i / 3][i % 3];
    begin_header("How deals of Who's Deal? end between hard bots.", "BOTS_WHOS_DEAL_FITTED_H");
    printf("#include <stdint.h>\n\nenum { WHOS_DEAL_OUTCOMES = 3 };\n\n"
           "/* Of 10,000 deals that are called, how many give 1, 2 and 4 points to the dealer's "
           "team and to\n * the other one. */\n"
           "static const uint16_t whos_deal_outcomes[2][WHOS_DEAL_OUTCOMES] = {");
    for (int i = 0; i < 6; i++)
        printf("%s%d%s", i % 3 == 0 ? "{" : ", ", counts[i / 3][i % 3] * 10000 / all,
               i % 3 < 2 ? ""
               : i == 2  ? "}, "
                         : "}");
    printf("};\n\n#endif\n");
}

int main(int count, char **words) {
    if (count == 2 && strcmp(words[1], "whos-deal") == 0) {
        fit_whos_deal();
        return 0;
    }
    fprintf(stderr, "fit: which game?\n");
    return 2;
}
