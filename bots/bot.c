/* Picks the player for a game and a level, and makes sure that it sees only what its seat sees. */
#include "bots/bot.h"

#include "bots/players.h"
#include "engine/ensure.h"

static const struct bot_player *const players[] = {
    &four_kate_player, &hand_and_foot_player, &terrible_people_player,
    &up_n_down_player, &whos_deal_player,
};

static const char *const level_names[BOT_LEVELS] = {"easy", "medium", "hard"};

const char *bot_level_name(enum bot_level level) {
    ensure(level < BOT_LEVELS);
    return level_names[level];
}

bool bot_level_parse(struct span word, enum bot_level *out) {
    for (int level = 0; level < BOT_LEVELS; level++) {
        if (span_is(word, level_names[level])) {
            *out = (enum bot_level)level;
            return true;
        }
    }
    return false;
}

static const struct bot_player *find_player(const struct game *game) {
    for (size_t i = 0; i < sizeof players / sizeof players[0]; i++)
        if (span_is(span_of(game->id), players[i]->game_id))
            return players[i];
    return NULL;
}

static void choose_randomly(const struct game *game, const struct game_state *seen, int seat,
                            struct chance *chance, struct move *out) {
    struct move moves[GAME_LEGAL_MAX];
    size_t count = game_legal(game, seen, seat, moves);
    ensure(count > 0);
    *out = moves[chance_below(chance, (uint32_t)count)];
}

void bot_choose(const struct game *game, const struct game_state *state, int seat,
                enum bot_level level, struct chance *chance, struct move *out) {
    struct game_state seen;
    game_observe(game, state, seat, &seen);
    *out = (struct move){0};
    const struct bot_player *player = find_player(game);
    if (player && (level != BOT_EASY || player->plays_easy))
        player->choose(seen.bytes, seat, level, chance, out);
    else
        choose_randomly(game, &seen, seat, chance, out);
}

bool bot_has_asides(const struct game *game) {
    const struct bot_player *player = find_player(game);
    return player && player->aside;
}

bool bot_aside(const struct game *game, const struct game_state *state, int seat,
               enum bot_level level, struct chance *chance, struct move *out) {
    const struct bot_player *player = find_player(game);
    if (!player || !player->aside)
        return false;
    struct game_state seen;
    game_observe(game, state, seat, &seen);
    *out = (struct move){0};
    return player->aside(seen.bytes, seat, level, chance, out);
}
