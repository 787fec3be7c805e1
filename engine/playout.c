/* Random games; see playout.h. */
#include "engine/playout.h"

#include "engine/ensure.h"

void playout_step(const struct game *game, struct game_state *state, struct chance *chance) {
    uint32_t awaited = game_to_act(game, state);
    ensure(awaited != 0);
    bool done;
    if ((awaited & AWAITS_NATURE) != 0) {
        uint8_t seed[CHANCE_SEED_SIZE];
        chance_bytes(chance, seed, sizeof seed);
        done = game_deal_seed(game, state, seed, NULL, NULL);
    } else {
        struct move moves[GAME_LEGAL_MAX];
        int seat = __builtin_ctz(awaited);
        size_t count = game_legal(game, state, seat, moves);
        ensure(count > 0);
        size_t choice = count > 1 ? chance_below(chance, (uint32_t)count) : 0;
        done = game_play(game, state, seat, &moves[choice], NULL, NULL);
    }
    ensure(done);
}

uint32_t playout_finish(const struct game *game, struct game_state *state, struct chance *chance) {
    uint32_t moves = 0;
    while (game_to_act(game, state) != 0) {
        playout_step(game, state, chance);
        moves++;
        ensure(moves < PLAYOUT_MOVES_MAX);
    }
    return moves;
}
