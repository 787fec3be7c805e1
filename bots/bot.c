/* Picks the player for a game and a level, and makes sure that it sees only what its seat sees. */
#include "bots/bot.h"

#include "bots/players.h"
#include "bots/search.h"
#include "engine/ensure.h"

/* For a game without a bot of its own: how far games are played on at random, and what winning
 * counts in points of the game. */
enum { MOVES_AHEAD = 60, DEALS_AHEAD = 2, WIN = 10000 };

/* In how many worlds each of its moves is tried. */
static const uint32_t worlds_by_level[BOT_LEVELS] = {0, 4, 24, 100};

static const struct bot_player *const players[] = {
#ifdef WITHOUT_PLAYER /* see scripts/build-wasm */
    NULL,
#elif defined ONLY
    &ONLY(player),
#else
    &four_kate_player, &hand_and_foot_player, &terrible_people_player,
    &up_n_down_player, &whos_deal_player,
#endif
};

static const char *const level_names[BOT_LEVELS + 1] = {"easy", "medium", "hard", "expert",
                                                        "rival"};

const char *bot_level_name(enum bot_level level) {
    ensure(level <= BOT_RIVAL);
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
        if (players[i] && span_is(span_of(game->id), players[i]->game_id))
            return players[i];
    return NULL;
}

/* What the seat gets out of a game that was played on: winning counts more than any score. */
static int64_t worth(const struct game *game, const struct game_state *state, int seat) {
    struct result result;
    game_result(game, state, &result);
    int32_t rival = INT32_MIN;
    for (int other = 0; other < game_seats(state); other++)
        if (result.side_of[other] != result.side_of[seat] && result.score[other] > rival)
            rival = result.score[other];
    int64_t lead = rival == INT32_MIN ? result.score[seat] : (int64_t)result.score[seat] - rival;
    return lead + (result.over && (result.winners >> seat & 1) != 0 ? WIN : 0);
}

/* Plays random moves, up to the limits above. */
static void play_on(const struct game *game, struct game_state *state, struct chance *chance) {
    struct move moves[GAME_LEGAL_MAX];
    uint32_t awaited;
    int deals = 0, played = 0;
    while (played < MOVES_AHEAD && (awaited = game_to_act(game, state)) != 0) {
        if ((awaited & AWAITS_NATURE) != 0) {
            if (awaited != AWAITS_SHUFFLE && deals++ == DEALS_AHEAD)
                return;
            game_deal_chance(game, state, chance, NULL, NULL);
            continue;
        }
        int seat = __builtin_ctz(awaited);
        size_t count = game_list(game, state->bytes, seat, moves, GAME_LEGAL_MAX);
        verb_apply(game, state->bytes, seat, &moves[chance_below(chance, (uint32_t)count)], NULL);
        played++;
    }
}

/* For a game without a bot of its own: every move is tried in worlds that the seat could be in,
 * where everybody plays on at random. */
struct trial {
    const struct game *game;
    const struct game_state *seen;
    int seat;
    struct game_state world;
    struct move moves[GAME_LEGAL_MAX];
};

static void draw_world(void *context, uint32_t number, struct chance *chance) {
    struct trial *trial = context;
    game_sample(trial->game, trial->seen, trial->seat, chance, &trial->world);
}

static int32_t try_move(void *context, int candidate, struct chance *chance) {
    struct trial *trial = context;
    struct game_state state = trial->world;
    verb_apply(trial->game, state.bytes, trial->seat, &trial->moves[candidate], NULL);
    play_on(trial->game, &state, chance);
    int64_t value = worth(trial->game, &state, trial->seat);
    return (int32_t)(value > SEARCH_VALUE_MAX    ? SEARCH_VALUE_MAX
                     : value < -SEARCH_VALUE_MAX ? -SEARCH_VALUE_MAX
                                                 : value);
}

/* Of equally good moves the first is chosen, so their order must not come from the rows. */
static int list_shuffled(const struct game *game, const struct game_state *seen, int seat,
                         struct chance *chance, struct move moves[GAME_LEGAL_MAX]) {
    size_t count = game_legal(game, seen, seat, moves);
    for (size_t left = count; left > 1; left--) {
        size_t other = chance_below(chance, (uint32_t)left);
        struct move move = moves[left - 1];
        moves[left - 1] = moves[other];
        moves[other] = move;
    }
    return (int)count;
}

static void choose_by_trying(const struct game *game, const struct game_state *seen, int seat,
                             enum bot_level level, const struct bot_budget *budget,
                             struct chance *chance, struct move *out) {
    struct trial trial = {.game = game, .seen = seen, .seat = seat};
    struct search_result result;
    struct search search = {.candidates = list_shuffled(game, seen, seat, chance, trial.moves),
                            .worlds = worlds_by_level[level],
                            .context = &trial,
                            .draw = draw_world,
                            .value = try_move};
    *out = trial.moves[search_best(&search, budget, chance, &result)];
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
    static const struct bot_budget usual;
    bot_choose_within(game, state, seat, level, &usual, chance, out);
}

void bot_choose_within(const struct game *game, const struct game_state *state, int seat,
                       enum bot_level level, const struct bot_budget *budget, struct chance *chance,
                       struct move *out) {
    struct game_state seen;
    game_observe(game, state, seat, &seen);
    *out = (struct move){0};
    const struct bot_player *player = find_player(game);
    if (player && (level != BOT_EASY || player->plays_easy))
        player->choose(seen.bytes, seat, level, budget, chance, out);
    else if (player || level == BOT_EASY)
        choose_randomly(game, &seen, seat, chance, out);
    else
        choose_by_trying(game, &seen, seat, level, budget, chance, out);
}

bool bot_is_general(const struct game *game) {
    return !find_player(game);
}

bool bot_has_rival(const struct game *game) {
    const struct bot_player *player = find_player(game);
    return player && player->has_rival;
}

uint32_t bot_worlds_max(const struct game *game) {
    const struct bot_player *player = find_player(game);
    return player && player->worlds_max > 0 ? player->worlds_max : SEARCH_WORLDS_MAX;
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
