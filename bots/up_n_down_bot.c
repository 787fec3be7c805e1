/* Up-N-Down's bots. */
#include "bots/players.h"
#include "games/up_n_down/up_n_down.h"

static void choose(const void *seen, int seat, enum bot_level level, struct chance *chance,
                   struct move *out) {
    (void)level, (void)chance;
    const struct up_n_down *state = seen;
    struct move moves[GAME_LEGAL_MAX];
    size_t count = up_n_down_game.legal(state, seat, moves, GAME_LEGAL_MAX);
    int best = 1000;
    for (size_t i = 0; i < count; i++) {
        int cost = 500;
        if (moves[i].verb == UP_N_DOWN_PLAY) {
            int pile = moves[i].args[1] - 1, top = state->top[pile], card = moves[i].args[0];
            cost = card > top ? card - top : top - card;
            if (up_n_down_is_special(pile, top, card))
                cost = -10;
        }
        if (moves[i].verb == UP_N_DOWN_END)
            cost = 0;
        if (cost < best) {
            best = cost;
            *out = moves[i];
        }
    }
}

const struct bot_player up_n_down_player = {.game_id = "up-n-down", .choose = choose};
