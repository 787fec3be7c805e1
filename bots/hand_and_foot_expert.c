/* How expert plays Hand & Foot.
 *
 * Each candidate is tried in worlds that agree with all that the seat saw (the game's `sample`
 * remembers cards that were taken openly): the own side plays on by habit and the others by hard's
 * rules for some turns, then the position is judged by a fitted value, a sum of small counts for
 * either side. A move may be good only as the beginning of a plan that habit does not know, so
 * every move is tried with some styles of playing on, and counts as much as with the best of them.
 * Looking only so far is better than playing the round to its end: what comes later is mostly
 * noise. What counts is the chance to win the game with the lead that this leads to.
 *
 * The move of habit is left only for one that is better beyond doubt. */
#include "bots/hand_and_foot_expert.h"

#include "bots/hand_and_foot_fitted.h"
#include "bots/hand_and_foot_proposals.h"
#include "bots/search.h"
#include <string.h>

/* How the own seat goes on after a move. */
enum style {
    STYLE_HABIT,
    STYLE_HOLD,  /* keeps what may take the pile */
    STYLE_HURRY, /* lays everything */
    STYLES
};

enum {
    MOVES_MAX = 32, /* that are tried */
    CANDIDATES_MAX = MOVES_MAX * STYLES,
    CAUTION = 3 * SEARCH_CAUTION_ONE / 2,
    TURNS_AHEAD = 12,
    HELD_MAX = 3, /* naturals of a rank */
    PAIR = 2,
    NEARLY_MISSING = 2,   /* so many cards at the most are missing in a nearly complete book */
    VALUE_ONE = 400000,   /* winning; less than SEARCH_VALUE_MAX */
    ROUNDS_LEFT_MAX = 20, /* rounds after these are not counted */
    MOVES_AHEAD_MAX = 400 /* of one world that is played on; a turn has a few */
};

/* How much is tried, by set of weights (hand_foot_weight_set). Partners need more worlds than
 * others to see which of few moves is better, and have the time where moves are few. */
static const struct {
    uint32_t worlds, values;
} effort[HAND_FOOT_WEIGHT_SETS] = {[HAND_FOOT_WEIGHTS_SINGLE] = {160, 0},
                                   [HAND_FOOT_WEIGHTS_TEAMS] = {400, 1800},
                                   [HAND_FOOT_WEIGHTS_CLOSING] = {160, 0}};

_Static_assert((int)CANDIDATES_MAX <= (int)SEARCH_CANDIDATES_MAX, "each move in each style");

struct mind {
    const struct hand_and_foot *seen;
    int seat, side;
    struct game_state world;
    int16_t habits[STYLES][HAND_FOOT_HABITS];
    int count;
    struct move moves[MOVES_MAX]; /* candidate i is move i % count in style i / count */
};

/* ---- Judgement ---- */

enum hand_foot_weight_set hand_foot_weight_set(const struct hand_and_foot *state) {
    if (state->rules[RULE_CLOSING] == CLOSING_EXPLICIT)
        return HAND_FOOT_WEIGHTS_CLOSING;
    return state->sides < state->head.seats ? HAND_FOOT_WEIGHTS_TEAMS : HAND_FOOT_WEIGHTS_SINGLE;
}

static void count_books(const struct hand_and_foot *state, int side, bool open[],
                        int32_t out[HAND_FOOT_FEATURES]) {
    int clean, dirty;
    hand_foot_count_books(state, side, &clean, &dirty);
    for (int i = 0; i < state->book_count; i++) {
        const struct hand_foot_book *book = &state->books[i];
        if (book->side != side || hand_foot_book_complete(state, book))
            continue;
        bool pure = hand_foot_book_wilds(book) == 0;
        int size = hand_foot_book_size(book);
        open[book->rank] = true;
        out[pure ? HAND_FOOT_CLEAN_BEGUN : HAND_FOOT_DIRTY_BEGUN] += size;
        out[HAND_FOOT_NEARLY_CLEAN] +=
            pure && size + NEARLY_MISSING >= state->rules[RULE_BOOK_SIZE];
    }
    out[HAND_FOOT_CLEAN_COMPLETE] = clean;
    out[HAND_FOOT_DIRTY_COMPLETE] = dirty;
    out[HAND_FOOT_CLEAN_MISSING] = hand_foot_books_missing(state, RULE_OUT_CLEAN, clean);
    out[HAND_FOOT_DIRTY_MISSING] = hand_foot_books_missing(state, RULE_OUT_DIRTY, dirty);
}

static void count_hand(const uint8_t hand[CARD_KINDS], const bool open[],
                       int32_t out[HAND_FOOT_FEATURES]) {
    int ranks[HAND_FOOT_RANK_ROOM] = {0};
    for (int card = 0; card < CARD_KINDS; card++) {
        if (hand[card] == 0)
            continue;
        if (hand_foot_is_wild(card))
            out[HAND_FOOT_WILDS_IN_HAND] += hand[card];
        else if (!hand_foot_is_three(card))
            ranks[hand_foot_rank(card)] += hand[card];
    }
    for (int rank = 0; rank < HAND_FOOT_RANK_ROOM; rank++) {
        out[HAND_FOOT_PAIRS] += ranks[rank] >= PAIR;
        if (open[rank])
            out[HAND_FOOT_FITTING] += ranks[rank];
    }
}

static void count_last_cards(const struct hand_and_foot *state, int seat,
                             int32_t out[HAND_FOOT_FEATURES]) {
    for (int card = 0; card < CARD_KINDS; card++)
        out[HAND_FOOT_LAST_PENALTY] +=
            state->hand[seat][card] * hand_foot_penalty(state->rules, card);
    out[HAND_FOOT_LAST_CARDS] += state->hand_count[seat];
    out[HAND_FOOT_READY] += out[HAND_FOOT_CLEAN_MISSING] == 0 && out[HAND_FOOT_DIRTY_MISSING] == 0;
}

void hand_foot_count_features(const struct hand_and_foot *state, int side,
                              int32_t out[HAND_FOOT_FEATURES]) {
    struct hand_foot_score score;
    bool open[HAND_FOOT_RANK_ROOM] = {false};
    memset(out, 0, HAND_FOOT_FEATURES * sizeof out[0]);
    hand_foot_score_side(state, side, &score);
    count_books(state, side, open, out);
    for (int seat = 0; seat < state->head.seats; seat++) {
        if (hand_foot_side(state, seat) != side)
            continue;
        count_hand(state->hand[seat], open, out);
        if (state->in_foot[seat])
            count_last_cards(state, seat, out);
        else
            out[HAND_FOOT_FEET_LEFT]++;
        out[HAND_FOOT_ON_TURN] += state->current == seat;
    }
    out[HAND_FOOT_TABLE_POINTS] = score.melds + score.bonuses + score.red_threes;
    out[HAND_FOOT_HAND_PENALTY] = score.hand_penalty;
    out[HAND_FOOT_FOOT_PENALTY] = score.foot_penalty;
    out[HAND_FOOT_HAND_CARDS] = score.hand_cards;
    out[HAND_FOOT_MELDED] = state->melded[side];
    out[HAND_FOOT_ALWAYS] = 1;
}

/* What the round will bring to the side. */
static int32_t judge_side(const struct hand_and_foot *state, int side, enum hand_foot_whose whose) {
    const int32_t *weights = hand_foot_weights[hand_foot_weight_set(state)][whose];
    int32_t features[HAND_FOOT_FEATURES];
    int64_t sum = 0;
    hand_foot_count_features(state, side, features);
    for (int i = 0; i < HAND_FOOT_FEATURES; i++)
        sum += (int64_t)weights[i] * features[i];
    return (int32_t)(sum / HAND_FOOT_WEIGHT_ONE);
}

static int64_t square_root(int64_t square) {
    int64_t root = 0;
    for (int64_t bit = (int64_t)1 << 30; bit > 0; bit /= 2)
        if ((root + bit) * (root + bit) <= square)
            root += bit;
    return root;
}

static int64_t lower(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* The square of how much a lead may still change, in points, until the game ends. */
static int64_t square_of_spread(const struct hand_and_foot *state, int32_t best) {
    const struct hand_foot_spread *spread = &hand_foot_spreads[hand_foot_weight_set(state)];
    int64_t rounds = state->rules[RULE_ROUNDS], target = state->rules[RULE_TARGET];
    int64_t round = (int64_t)spread->round * spread->round, left = ROUNDS_LEFT_MAX * round;
    if (rounds > 0)
        left = lower(left, (rounds - lower(rounds, state->round)) * round);
    if (target > 0)
        left = lower(left, (target - lower(target, best)) * round / spread->best);
    bool playing = state->phase == HAND_FOOT_PLAYING || state->phase == HAND_FOOT_SHUFFLING;
    return left + (playing ? (int64_t)spread->judgement * spread->judgement : 0);
}

/* How good the chances to win are if a lead of so many points may still change that much: between
 * -VALUE_ONE and VALUE_ONE, and at the end of the game one of both. */
static int32_t chances(int64_t lead, int64_t spread_squared) {
    int64_t root = square_root(lead * lead + spread_squared);
    return root > 0 ? (int32_t)(lead * VALUE_ONE / root) : 0;
}

/* The own side against the best of the others. A round's end is in the totals already. */
static int32_t judge(const struct hand_and_foot *state, int side) {
    bool playing = state->phase == HAND_FOOT_PLAYING || state->phase == HAND_FOOT_SHUFFLING;
    int32_t rival = INT32_MIN, own = 0;
    for (int other = 0; other < state->sides; other++) {
        enum hand_foot_whose whose = other == side ? HAND_FOOT_OWN : HAND_FOOT_OTHERS;
        int32_t value = state->total[other] + (playing ? judge_side(state, other, whose) : 0);
        if (other == side)
            own = value;
        else if (value > rival)
            rival = value;
    }
    return chances((int64_t)own - rival, square_of_spread(state, own > rival ? own : rival));
}

/* ---- Trying a move ---- */

static void draw(void *context, uint32_t number, struct chance *chance) {
    struct mind *mind = context;
    hand_and_foot_game.sample(mind->seen, mind->seat, chance, mind->world.bytes);
}

/* The own seat plays on in that style, its partners by habit, the others by hard's rules. */
static void play_on(const struct mind *mind, struct game_state *world, enum style style,
                    struct chance *chance) {
    struct hand_and_foot *state = (void *)world->bytes;
    uint32_t awaited;
    uint16_t last_turn = (uint16_t)(state->turns + TURNS_AHEAD);
    for (int moves = 0; moves < MOVES_AHEAD_MAX; moves++) {
        bool playing = state->phase == HAND_FOOT_PLAYING || state->phase == HAND_FOOT_SHUFFLING;
        if (!playing || state->turns >= last_turn)
            return;
        awaited = hand_and_foot_game.to_act(state);
        if ((awaited & AWAITS_NATURE) != 0) {
            game_deal_chance(&hand_and_foot_game, world, chance, NULL, NULL);
            continue;
        }
        struct move move = {0};
        int seat = __builtin_ctz(awaited);
        if (hand_foot_side(state, seat) != mind->side)
            hand_foot_follow_rules(state, seat, BOT_HARD, chance, &move);
        else
            hand_foot_follow_habits(
                state, seat, mind->habits[seat == mind->seat ? style : STYLE_HABIT], chance, &move);
        verb_apply(&hand_and_foot_game, state, seat, &move, NULL);
    }
}

static int32_t value(void *context, int candidate, struct chance *chance) {
    struct mind *mind = context;
    struct game_state world;
    memcpy(world.bytes, mind->world.bytes, sizeof(struct hand_and_foot));
    const struct move *move = &mind->moves[candidate % mind->count];
    verb_apply(&hand_and_foot_game, world.bytes, mind->seat, move, NULL);
    play_on(mind, &world, (enum style)(candidate / mind->count), chance);
    return judge((const void *)world.bytes, mind->side);
}

/* ---- Moves and styles ---- */

static void add(struct mind *mind, const struct move *move) {
    if (mind->count == MOVES_MAX ||
        !verb_check(&hand_and_foot_game, mind->seen, mind->seat, move, NULL))
        return;
    for (int i = 0; i < mind->count; i++)
        if (move_equal(&mind->moves[i], move))
            return;
    mind->moves[mind->count++] = *move;
}

static void add_proposals(struct mind *mind, const struct hand_foot_proposals *proposals) {
    for (int i = 0; i < proposals->count; i++)
        add(mind, &proposals->list[i].move);
}

/* Proposals lay all naturals of a rank. Two of them may be worth more in the hand, where they can
 * take the pile, and so may those that a book does not need to be complete. */
static void add_parts(struct mind *mind, const struct hand_foot_proposals *proposals) {
    for (int i = 0; i < proposals->count; i++) {
        const struct hand_foot_proposal *proposal = &proposals->list[i];
        int least = proposal->aim == HAND_FOOT_AIM_OPEN ? GROUP_CARDS_MIN : 1, kept[2] = {PAIR, 0};
        if (proposal->aim == HAND_FOOT_AIM_GROW && proposal->completes)
            kept[1] = hand_foot_book_size(&mind->seen->books[proposal->book]) + proposal->naturals -
                      mind->seen->rules[RULE_BOOK_SIZE];
        else if (proposal->aim != HAND_FOOT_AIM_GROW && proposal->aim != HAND_FOOT_AIM_OPEN)
            continue;
        for (int part = 0; part < 2; part++) {
            struct move move = proposal->move;
            move.count = (uint8_t)(move.count - kept[part]);
            if (proposal->naturals - kept[part] >= least)
                add(mind, &move);
        }
    }
}

/* One card of each rank, since suits do not matter; red threes are no black ones. */
static void add_discards(struct mind *mind) {
    const uint8_t *hand = mind->seen->hand[mind->seat];
    bool known[2][HAND_FOOT_RANK_ROOM] = {{false}};
    int first = mind->moves[0].args[0];
    known[hand_foot_is_red_three(first)][hand_foot_rank(first)] = true;
    for (int card = 0; card < CARD_KINDS; card++) {
        bool *is_known = &known[hand_foot_is_red_three(card)][hand_foot_rank(card)];
        if (hand[card] > 0 && !*is_known)
            add(mind, &(struct move){HAND_FOOT_DISCARD, 1, {(uint16_t)card}});
        *is_known = *is_known || hand[card] > 0;
    }
}

/* What habit would do comes first. */
static void list_moves(struct mind *mind, struct chance *chance) {
    const struct hand_and_foot *seen = mind->seen;
    struct hand_foot_holding holding;
    struct hand_foot_proposals proposals;
    struct move rule = {0};
    hand_foot_follow_rules(seen, mind->seat, BOT_EXPERT, chance, &rule);
    mind->moves[mind->count++] = rule;
    if (rule.verb == HAND_FOOT_ANSWER || rule.verb == HAND_FOOT_ASK || rule.verb == HAND_FOOT_UNDO)
        return;
    hand_foot_holding_count(&holding, seen, mind->seat);
    if (seen->turn_phase == HAND_FOOT_TURN_DRAW) {
        add(mind, &(struct move){.verb = HAND_FOOT_DRAW});
        if (hand_foot_may_take(seen, mind->seat, NULL)) {
            hand_foot_propose_takes(&holding, &proposals);
            add_proposals(mind, &proposals);
        }
    } else if (seen->turn_phase == HAND_FOOT_TURN_MELD) {
        add(mind, &(struct move){.verb = HAND_FOOT_DONE});
        hand_foot_propose_plays(&holding, &proposals);
        add_proposals(mind, &proposals);
        add_parts(mind, &proposals);
    } else if (rule.verb == HAND_FOOT_DISCARD)
        add_discards(mind);
}

static void make_styles(struct mind *mind) {
    const int16_t *habits = hand_foot_habits[hand_foot_weight_set(mind->seen)];
    for (int style = 0; style < STYLES; style++)
        memcpy(mind->habits[style], habits, sizeof mind->habits[style]);
    mind->habits[STYLE_HOLD][HAND_FOOT_HOLDS_IN_HAND] = HELD_MAX;
    mind->habits[STYLE_HOLD][HAND_FOOT_HOLDS_IN_FOOT] = HELD_MAX;
    mind->habits[STYLE_HURRY][HAND_FOOT_HURRIES] = 1;
}

void hand_foot_think(const struct hand_and_foot *seen, int seat, const struct bot_budget *budget,
                     struct chance *chance, struct move *out) {
    struct mind mind;
    struct search_result result;
    mind.seen = seen;
    mind.seat = seat;
    mind.side = hand_foot_side(seen, seat);
    mind.count = 0;
    list_moves(&mind, chance);
    make_styles(&mind);
    enum hand_foot_weight_set set = hand_foot_weight_set(seen);
    struct search search = {.candidates = mind.count > 1 ? mind.count * STYLES : 1,
                            .worlds = effort[set].worlds,
                            .caution = CAUTION,
                            .values = effort[set].values,
                            .context = &mind,
                            .draw = draw,
                            .value = value};
    *out = mind.moves[search_best(&search, budget, chance, &result) % mind.count];
}
