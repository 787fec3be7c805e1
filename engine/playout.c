/* Random games; see playout.h. */
#include "engine/playout.h"

#include "engine/ensure.h"

static bool play_randomly(const struct game *game, struct game_state *state, int seat,
                          struct chance *chance) {
    struct move moves[GAME_LEGAL_MAX];
    size_t count = game->legal(state->bytes, seat, moves, GAME_LEGAL_MAX);
    ensure(count > 0);
    return game_play(game, state, seat, &moves[chance_below(chance, (uint32_t)count)], NULL, NULL);
}

void playout_finish(const struct game *game, struct game_state *state, struct chance *chance,
                    uint32_t deals_max, struct playout *counts) {
    uint32_t awaited, deals = 0;
    for (uint32_t moves = 0; (awaited = game_to_act(game, state)) != 0; moves++) {
        bool nature = (awaited & AWAITS_NATURE) != 0;
        if (nature && deals++ == deals_max)
            return;
        bool done = nature ? game_deal_chance(game, state, chance, NULL, NULL)
                           : play_randomly(game, state, __builtin_ctz(awaited), chance);
        ensure(done && moves < PLAYOUT_MOVES_MAX);
        counts->moves++;
        counts->deals += nature;
    }
}
