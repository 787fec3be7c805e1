/* What game.c and deal.c share. Private to them: others ask game.h. */
#pragma once

#include "engine/game.h"

static inline struct places *game_places(const struct game *game, struct game_state *state) {
    return (struct places *)(void *)(state->bytes + game->places);
}

static inline const struct places *game_places_in(const struct game *game,
                                                  const struct game_state *state) {
    return (const struct places *)(const void *)(state->bytes + game->places);
}

/* Is a draw under way (place_draw)? Until NATURE has moved its cards, the game is not asked. */
static inline bool game_draws(const struct game *game, const struct game_state *state) {
    return game->places > 0 && game_places_in(game, state)->draw_count > 0;
}

/* The same as game_to_act, inlined where every move of a search comes by. */
static inline uint32_t game_awaited(const struct game *game, const struct game_state *state) {
    return game_draws(game, state) ? AWAITS_SHUFFLE : game->to_act(state->bytes);
}

/* A line of NATURE's, which is a deal or a shuffle. */
bool game_play_nature(const struct game *game, struct game_state *state, struct span text,
                      struct events *events, struct refusal *why);
