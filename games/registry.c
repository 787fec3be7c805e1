/* The games that registry.def lists. */
#include "games/registry.h"

#define GAME(name) extern const struct game name##_game;
#include "games/registry.def"
#undef GAME

const struct game *const registry_games[] = {
#ifdef ONLY /* a module of the page has one game and its bot, see scripts/build-wasm */
    &ONLY(game),
#else
#define GAME(name) &name##_game,
#include "games/registry.def"
#endif
};

const size_t registry_count = sizeof registry_games / sizeof registry_games[0];

const struct game *registry_find(struct span id) {
    for (size_t i = 0; i < registry_count; i++)
        if (span_is(id, registry_games[i]->id))
            return registry_games[i];
    return NULL;
}
