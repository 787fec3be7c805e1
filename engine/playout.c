/* Random games; see playout.h. */
#include "engine/playout.h"

#include "engine/ensure.h"

/* `moves` is room for a list. It is large, so a playout has one and not each of its moves. */
static inline void play_randomly(const struct game *game, struct game_state *state,
                                 enum playout_way way, int seat, struct chance *chance,
                                 struct move moves[GAME_LEGAL_MAX]) {
    struct move *move = moves;
    if (game->pick) {
        game->pick(state->bytes, seat, chance, move);
    } else {
        size_t count = game_list(game, state->bytes, seat, moves, GAME_LEGAL_MAX);
        ensure(count > 0);
        move += chance_below(chance, (uint32_t)count);
    }
    if (way == PLAYOUT_FAST) {
        verb_apply(game, state->bytes, seat, move, NULL);
    } else {
        bool played = game_play(game, state, seat, move, NULL, NULL);
        ensure(played);
    }
}

/* Counts the round that has just ended, if one has. */
static void end_round(const struct game *game, const struct game_state *state, uint32_t awaited,
                      bool dealt, struct playout *counts) {
    if (!dealt || (awaited != 0 && awaited != AWAITS_NATURE))
        return;
    ensure(game_holds(game, state));
    counts->rounds++;
}

void playout_finish(const struct game *game, struct game_state *state, enum playout_way way,
                    struct chance *chance, uint32_t deals_max, struct playout *counts) {
    struct move list[GAME_LEGAL_MAX];
    uint32_t awaited, deals = 0, moves = 0;
    for (; (awaited = game_to_act(game, state)) != 0; moves++) {
        ensure(moves < PLAYOUT_MOVES_MAX);
        bool nature = (awaited & AWAITS_NATURE) != 0;
        if (!nature) {
            play_randomly(game, state, way, __builtin_ctz(awaited), chance, list);
            continue;
        }
        end_round(game, state, awaited, deals > 0, counts);
        if (deals++ == deals_max)
            break;
        game_deal_chance(game, state, chance, NULL, NULL);
    }
    counts->moves += moves;
    counts->deals += deals;
    if (awaited == 0)
        end_round(game, state, awaited, moves > 0, counts);
}
