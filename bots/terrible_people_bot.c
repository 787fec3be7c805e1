/* Terrible People's bots have taste. Prompts and answers have tags for what they are about; some
 * subjects go well together, and some are funny because they meet. Hard takes what its taste rates
 * highest; medium adds a random number to each rating. */
#include "bots/players.h"
#include "games/terrible_people/terrible_people.h"

/* How well an answer about one subject goes with a prompt about another, beyond being about the
 * same one. Each pair is listed once and counts both ways. */
static const struct {
    uint8_t one, other, worth;
} pairs[] = {
    {TERRIBLE_WORK, TERRIBLE_LAZINESS, 3},   {TERRIBLE_WORK, TERRIBLE_LIES, 2},
    {TERRIBLE_WORK, TERRIBLE_SCREEN, 1},     {TERRIBLE_WORK, TERRIBLE_DOOM, 2},
    {TERRIBLE_MONEY, TERRIBLE_LOVE, 2},      {TERRIBLE_MONEY, TERRIBLE_FAMILY, 2},
    {TERRIBLE_MONEY, TERRIBLE_VANITY, 2},    {TERRIBLE_MONEY, TERRIBLE_LIES, 1},
    {TERRIBLE_LOVE, TERRIBLE_SCREEN, 2},     {TERRIBLE_LOVE, TERRIBLE_LIES, 3},
    {TERRIBLE_LOVE, TERRIBLE_ANIMALS, 1},    {TERRIBLE_LOVE, TERRIBLE_FOOD, 1},
    {TERRIBLE_FAMILY, TERRIBLE_PARTY, 2},    {TERRIBLE_FAMILY, TERRIBLE_DOOM, 2},
    {TERRIBLE_FAMILY, TERRIBLE_FOOD, 1},     {TERRIBLE_FOOD, TERRIBLE_HEALTH, 3},
    {TERRIBLE_FOOD, TERRIBLE_LAZINESS, 1},   {TERRIBLE_SCREEN, TERRIBLE_VANITY, 3},
    {TERRIBLE_SCREEN, TERRIBLE_LAZINESS, 1}, {TERRIBLE_SCREEN, TERRIBLE_SCHOOL, 1},
    {TERRIBLE_VANITY, TERRIBLE_HEALTH, 2},   {TERRIBLE_VANITY, TERRIBLE_PARTY, 2},
    {TERRIBLE_LAZINESS, TERRIBLE_HEALTH, 2}, {TERRIBLE_LAZINESS, TERRIBLE_HOME, 2},
    {TERRIBLE_LIES, TERRIBLE_SCHOOL, 2},     {TERRIBLE_LIES, TERRIBLE_PARTY, 1},
    {TERRIBLE_HEALTH, TERRIBLE_DOOM, 2},     {TERRIBLE_TRAVEL, TERRIBLE_VANITY, 1},
    {TERRIBLE_TRAVEL, TERRIBLE_DOOM, 1},     {TERRIBLE_TRAVEL, TERRIBLE_FAMILY, 1},
    {TERRIBLE_HOME, TERRIBLE_ANIMALS, 2},    {TERRIBLE_HOME, TERRIBLE_DOOM, 1},
    {TERRIBLE_ANIMALS, TERRIBLE_WORK, 1},    {TERRIBLE_SCHOOL, TERRIBLE_DOOM, 1},
};

enum { SAME_SUBJECT = 4, PUNCH = 2, MEDIUM_SPREAD = 8 };

static int affinity(uint16_t prompt, uint16_t answer) {
    int worth = SAME_SUBJECT * __builtin_popcount(prompt & answer);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        uint16_t one = (uint16_t)(1 << pairs[i].one), other = (uint16_t)(1 << pairs[i].other);
        if (((prompt & one) != 0 && (answer & other) != 0) ||
            ((prompt & other) != 0 && (answer & one) != 0))
            worth += pairs[i].worth;
    }
    return worth;
}

/* Two answers about different things tell more of a story. */
static int taste(int prompt, const uint16_t cards[TERRIBLE_BLANKS_MAX]) {
    uint16_t subjects = terrible_prompt(prompt)->tags;
    int worth = 0;
    for (int i = 0; i < TERRIBLE_BLANKS_MAX && cards[i] != 0; i++) {
        const struct terrible_card *answer = terrible_answer(cards[i]);
        worth += affinity(subjects, answer->tags) + PUNCH * answer->punch;
    }
    if (cards[1] != 0 && (terrible_answer(cards[0])->tags & terrible_answer(cards[1])->tags) == 0)
        worth += 1;
    return worth;
}

static void cards_of(const struct terrible_people *state, const struct move *move,
                     uint16_t cards[TERRIBLE_BLANKS_MAX]) {
    if (move->verb == TERRIBLE_PICK) {
        for (int i = 0; i < TERRIBLE_BLANKS_MAX; i++)
            cards[i] = state->submissions[move->args[0] - 1].cards[i];
        return;
    }
    cards[1] = 0;
    for (int i = 0; i < move->count; i++)
        cards[i] = move->args[i];
}

static void choose(const void *seen, int seat, enum bot_level level,
                   const struct bot_budget *budget, struct chance *chance, struct move *out) {
    const struct terrible_people *state = seen;
    struct move moves[GAME_LEGAL_MAX];
    size_t count = terrible_people_game.legal(state, seat, moves, GAME_LEGAL_MAX);
    int best = -1;
    uint32_t equals = 0;
    for (size_t i = 0; i < count; i++) {
        uint16_t cards[TERRIBLE_BLANKS_MAX] = {0};
        cards_of(state, &moves[i], cards);
        int worth = taste(state->prompt, cards);
        if (level == BOT_MEDIUM)
            worth += (int)chance_below(chance, MEDIUM_SPREAD);
        equals = worth > best ? 1 : worth == best ? equals + 1 : equals;
        if (worth > best || (worth == best && chance_below(chance, equals) == 0)) {
            best = worth;
            *out = moves[i];
        }
    }
}

const struct bot_player terrible_people_player = {.game_id = "terrible-people", .choose = choose};
