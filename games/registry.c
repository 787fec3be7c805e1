/* PL-1, PL-2: the one list of games. To add a game, add a line. */
#include "games/registry.h"

#include "games/four_kate/four_kate.h"
#include "games/hand_and_foot/hand_and_foot.h"
#include "games/terrible_people/terrible_people.h"
#include "games/up_n_down/up_n_down.h"
#include "games/whos_deal/whos_deal.h"

const struct game *const registry_games[] = {
#ifdef ONLY /* a module of the page has one game and its bot, see scripts/build-wasm */
    &ONLY(game),
#else
    &terrible_people_game, &four_kate_game, &whos_deal_game, &hand_and_foot_game, &up_n_down_game,
#endif
};

const size_t registry_count = sizeof registry_games / sizeof registry_games[0];

const struct game *registry_find(struct span id) {
    for (size_t i = 0; i < registry_count; i++)
        if (span_is(id, registry_games[i]->id))
            return registry_games[i];
    return NULL;
}
