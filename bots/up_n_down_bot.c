/* Up-N-Down's bots. Medium is greedy: backward-10 first, then the smallest movement, and no more
 * cards than the turn demands (UD-C20). Easy takes small steps as well, but now and then overlooks
 * a backward-10 as long as anything else fits. Hard plans the whole turn. Expert chooses among the
 * openings of such plans by playing the rest of the game through in sampled worlds, once it is
 * short enough.
 *
 * A plan is a sequence of cards for each pile. Moves on different piles do not disturb each other,
 * so the search goes pile by pile and meets each outcome once, whatever the order of play; within a
 * pile it tries all orders and all chains of backward-10 moves. A plan may hold any number of free
 * moves (backward-10, or a step that passes no unseen card) but only as many costly ones as the
 * turn still demands. The cheapest opening move of the best plan is played, and after the refill
 * the bot plans anew.
 *
 * An outcome is judged by every card not yet played: the fewer piles still take it, the worse, and
 * steeply so. Kept chances add to it: backward-10 cards still to come, pairs ten apart in the hand,
 * and the piles that teammates asked to spare. The weights were found by simulation. */
#include "bots/players.h"
#include "bots/search.h"
#include "games/up_n_down/up_n_down.h"
#include <string.h>

enum {
    OUTCOMES_MAX = 20000, /* of one search; large hands with a minimum of three may reach it */
    PAIR = 100,           /* two own cards ten apart */
    BACK_UNSEEN = 60,     /* the backward-10 card of a top is still to come */
    BACK_UNSEEN_ALONE = 90,
    CARD_PLAYED = 60,
    CARD_PLAYED_ALONE = 120, /* nobody else can help, so chances to get rid of a card count more */
    CARD_PLAYED_ENDING = 80,
    NEAREST = 12, /* for each unseen card that the nearest own card passes */
    SECOND_NEAREST = 5,
    FAR_AWAY = 15,       /* no own card counts as farther than this */
    MISSING_CARD = 1500, /* short of the minimum: the refill would have to help */
    OWN_SHARE = 8,       /* own cards count an eighth of unseen ones */
    LIKE_PASSES = 3,     /* own preferences: a card that passes at most so many unseen ones */
    REALLY_LIKE_PASSES = 1,
    SOLITAIRE_AHEAD =
        2, /* solitaire demands nothing, but a plan of two is better than one of one */
    VALUES = 128,
    LAPSE = 2, /* easy overlooks a backward-10 once in so many times */
    /* Expert: */
    CANDIDATES_MAX = 6,
    CARDS_AHEAD = 45,           /* cards that are left when it begins to play games through */
    PLAYOUT_OUTCOMES_MAX = 300, /* of one turn of a game that is played through */
    /* Worlds to begin with; later, when games are shorter, there is time for more. */
    WORLDS = 60,
    /* Where cards are drawn during the turn every card is planned anew, which takes longer: */
    WORLDS_REFILLING = 30,
    WORLDS_ALONE = 20,
    WORLDS_MAX = 240,
    CAUTION = 3 * SEARCH_CAUTION_ONE / 2, /* fewer worlds or less caution lose games to chance */
    VALUE_WON = 20
};

/* What a card costs that so many [ascending][descending] piles still take. */
static const int reach_cost[3][3] = {{800, 200, 80}, {200, 60, 28}, {80, 28, 0}};

/* What sparing a pile is worth, by the highest preference of a teammate. */
static const int keep_worth[] = {0, 20, 50, 300};

/* The first moves of all plans, each with the score of its best plan. */
struct openings {
    int count;
    struct opening {
        struct move move;
        int score;
    } list[UP_N_DOWN_HAND_MAX * UP_N_DOWN_PILES + 1];
};

struct planner {
    const struct up_n_down *state;
    int seat;
    int hand_count;
    uint8_t hand[UP_N_DOWN_HAND_MAX];
    uint32_t ten_higher[UP_N_DOWN_HAND_MAX]; /* hand index bit of the card ten higher */
    uint32_t ten_lower[UP_N_DOWN_HAND_MAX];
    struct card_set unseen; /* neither played nor in the own hand */
    uint8_t unseen_below[VALUES + 1];
    int own_cost[3][3];
    int card_played, back_unseen;
    int keep_still[UP_N_DOWN_PILES]; /* for a pile not moved at all */
    int keep_near[UP_N_DOWN_PILES];  /* for a pile that passed no unseen card */
    int needed;                      /* plays that the turn still demands */
    int outcomes, outcomes_max;
    bool brief; /* costly moves that are seldom right are left out */
    int best_score;
    struct openings *openings; /* that are to be listed, or null */
    struct plan *best;
};

struct plan {
    int top[UP_N_DOWN_PILES];
    uint32_t hand; /* hand index bits */
    int plays;
    int costly_left;
    int opening_cost;
    int opening; /* which of the plays comes first; the others follow in their order */
    uint8_t card[UP_N_DOWN_HAND_MAX], pile[UP_N_DOWN_HAND_MAX];
};

static int larger(int a, int b) {
    return a > b ? a : b;
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}

static bool is_unseen(const struct planner *planner, int card) {
    return card > 0 && card_set_has(&planner->unseen, card);
}

/* Unseen cards that a pile leaves behind on its way from `top` to `card`; negative backwards. */
static int passed(const struct planner *planner, int pile, int top, int card) {
    const uint8_t *below = planner->unseen_below;
    return up_n_down_ascends(pile) ? below[card] - below[top + 1] : below[top] - below[card + 1];
}

/* Walks over the values from low to high: between two tops the same piles take every card. */
static int unseen_cost(const struct planner *planner, const int rise[2], const int fall[2]) {
    const uint8_t *below = planner->unseen_below;
    int ascending = 0, descending = 2, start = 0, cost = 0;
    while (ascending < 2 || descending > 0) {
        bool rises = ascending < 2 && (descending == 0 || rise[ascending] < fall[2 - descending]);
        int edge = rises ? rise[ascending] + 1 : fall[2 - descending];
        cost += reach_cost[ascending][descending] * (below[edge] - below[start]);
        start = edge;
        if (rises)
            ascending++;
        else
            descending--;
    }
    return cost + reach_cost[2][0] * (below[VALUES] - below[start]);
}

/* How many unseen cards the own card passes on the pile where that is the fewest. */
static int distance(const struct planner *planner, const struct plan *plan, int card) {
    int least = FAR_AWAY;
    for (int pile = 0; pile < UP_N_DOWN_PILES; pile++) {
        int top = plan->top[pile];
        if (up_n_down_is_special(pile, top, card))
            return 0;
        if (up_n_down_fits(pile, top, card))
            least = smaller(least, passed(planner, pile, top, card));
    }
    return least;
}

static int judge_own_cards(const struct planner *planner, const struct plan *plan,
                           const int rise[2], const int fall[2]) {
    int worth = 0, nearest = FAR_AWAY, second_nearest = FAR_AWAY;
    for (uint32_t left = plan->hand; left != 0; left &= left - 1) {
        int index = __builtin_ctz(left), card = planner->hand[index];
        int ascending = (card > rise[0]) + (card > rise[1]);
        int descending = (card < fall[0]) + (card < fall[1]);
        worth -= planner->own_cost[ascending][descending];
        if ((plan->hand & planner->ten_higher[index]) != 0)
            worth += PAIR;
        int away = distance(planner, plan, card);
        second_nearest = smaller(second_nearest, larger(nearest, away));
        nearest = smaller(nearest, away);
    }
    if (plan->hand != 0)
        worth -= NEAREST * nearest;
    if ((plan->hand & (plan->hand - 1)) != 0)
        worth -= SECOND_NEAREST * second_nearest;
    return worth;
}

static int judge(const struct planner *planner, const struct plan *plan) {
    const int *top = plan->top;
    const int rise[2] = {smaller(top[0], top[1]), larger(top[0], top[1])};
    const int fall[2] = {smaller(top[2], top[3]), larger(top[2], top[3])};
    int score = planner->card_played * plan->plays - unseen_cost(planner, rise, fall) +
                judge_own_cards(planner, plan, rise, fall);
    for (int pile = 0; pile < UP_N_DOWN_PILES; pile++) {
        int before = planner->state->top[pile];
        if (is_unseen(planner, up_n_down_back_card(pile, top[pile])))
            score += planner->back_unseen;
        if (top[pile] == before)
            score += planner->keep_still[pile];
        if (passed(planner, pile, before, top[pile]) <= 0)
            score += planner->keep_near[pile];
    }
    return score - MISSING_CARD * larger(planner->needed - plan->plays, 0);
}

static struct move play_of(const struct plan *plan, int number) {
    return (struct move){
        UP_N_DOWN_PLAY, 2, {plan->card[number], (uint16_t)(plan->pile[number] + 1)}};
}

static struct move opening_move(const struct plan *plan) {
    return plan->plays > 0 ? play_of(plan, plan->opening) : (struct move){.verb = UP_N_DOWN_END};
}

static void note_opening(struct openings *openings, const struct plan *plan, int score) {
    struct move move = opening_move(plan);
    int at = 0;
    while (at < openings->count && !move_equal(&openings->list[at].move, &move))
        at++;
    if (at == openings->count)
        openings->list[openings->count++] = (struct opening){move, score};
    else if (openings->list[at].score < score)
        openings->list[at].score = score;
}

static void consider(struct planner *planner, const struct plan *plan) {
    if (plan->plays == 0 && planner->needed > 0)
        return;
    int score = judge(planner, plan);
    planner->outcomes++;
    if (planner->openings)
        note_opening(planner->openings, plan, score);
    if (score < planner->best_score ||
        (score == planner->best_score && plan->opening_cost >= planner->best->opening_cost))
        return;
    planner->best_score = score;
    *planner->best = *plan;
}

/* A costly move with this card, the one of that index, is seldom right if the hand has a nearer
 * card for the pile, unless the card ten away can bring the pile back. */
static bool is_hasty(const struct planner *planner, const struct plan *plan, int pile, int index) {
    uint32_t below = plan->hand & (((uint32_t)1 << index) - 1);
    uint32_t above = plan->hand & ~(((uint32_t)2 << index) - 1);
    if (up_n_down_ascends(pile))
        return below != 0 && planner->hand[31 - __builtin_clz(below)] > plan->top[pile] &&
               (plan->hand & planner->ten_lower[index]) == 0;
    return above != 0 && planner->hand[__builtin_ctz(above)] < plan->top[pile] &&
           (plan->hand & planner->ten_higher[index]) == 0;
}

static void explore(struct planner *planner, const struct plan *plan, int first_pile);

static void explore_pile(struct planner *planner, const struct plan *plan, int pile) {
    int top = plan->top[pile];
    bool untouched = top == planner->state->top[pile];
    for (uint32_t left = plan->hand; left != 0; left &= left - 1) {
        int index = __builtin_ctz(left), card = planner->hand[index];
        if (!up_n_down_fits(pile, top, card))
            continue;
        int cost = up_n_down_is_special(pile, top, card) ? -1 : passed(planner, pile, top, card);
        if (cost > 0 &&
            (plan->costly_left == 0 || (planner->brief && is_hasty(planner, plan, pile, index))))
            continue;
        struct plan next = *plan;
        next.top[pile] = card;
        next.hand &= ~((uint32_t)1 << index);
        next.card[plan->plays] = (uint8_t)card;
        next.pile[plan->plays] = (uint8_t)pile;
        next.plays++;
        next.costly_left -= cost > 0;
        if (plan->plays == 0 || (untouched && cost < plan->opening_cost)) {
            next.opening = plan->plays;
            next.opening_cost = cost;
        }
        explore(planner, &next, pile);
    }
}

static void explore(struct planner *planner, const struct plan *plan, int first_pile) {
    consider(planner, plan);
    for (int pile = first_pile; pile < UP_N_DOWN_PILES; pile++) {
        bool untouched = plan->top[pile] == planner->state->top[pile];
        bool twin = pile % 2 == 1 && untouched && plan->top[pile] == plan->top[pile - 1];
        if (!twin && planner->outcomes < planner->outcomes_max)
            explore_pile(planner, plan, pile);
    }
}

/* The refill may empty the draw pile on the way, and then fewer plays are needed. */
static int plays_needed(const struct up_n_down *state) {
    int plays = 0, draw_count = state->draw_count;
    if (up_n_down_solitaire(state))
        return SOLITAIRE_AHEAD;
    while (state->played_this_turn + plays < (draw_count > 0 ? state->cards_per_turn : 1)) {
        plays++;
        if (state->refill && draw_count > 0)
            draw_count--;
    }
    return plays;
}

/* Love is taken to mean that the teammate has the backward-10 card, as long as that is out: any
 * move on the pile would spoil it. Otherwise love, like the weaker preferences, is taken to mean a
 * card near the top, which is spoiled only when a play passes it. */
static void read_preferences(struct planner *planner) {
    const struct up_n_down *state = planner->state;
    for (int pile = 0; pile < UP_N_DOWN_PILES; pile++) {
        int level = UP_N_DOWN_NONE;
        for (int other = 0; other < state->head.seats; other++)
            if (other != planner->seat)
                level = larger(level, state->preference[other][pile]);
        if (level == UP_N_DOWN_LOVE &&
            is_unseen(planner, up_n_down_back_card(pile, state->top[pile])))
            planner->keep_still[pile] = keep_worth[UP_N_DOWN_LOVE];
        else
            planner->keep_near[pile] = keep_worth[smaller(level, UP_N_DOWN_REALLY_LIKE)];
    }
}

static void look_at_cards(struct planner *planner) {
    const struct up_n_down *state = planner->state;
    struct card_set known = state->hand[planner->seat];
    for (int i = 0; i < state->play_count; i++)
        card_set_flip(&known, state->played[i]);
    for (int card = state->card_min; card <= state->card_max; card++) {
        if (!card_set_has(&known, card))
            card_set_flip(&planner->unseen, card);
        if (card_set_has(&state->hand[planner->seat], card))
            planner->hand[planner->hand_count++] = (uint8_t)card;
    }
    for (int card = 0; card < VALUES; card++)
        planner->unseen_below[card + 1] =
            (uint8_t)(planner->unseen_below[card] + card_set_has(&planner->unseen, card));
    for (int low = 0; low < planner->hand_count; low++)
        for (int high = low + 1; high < planner->hand_count; high++)
            if (planner->hand[high] == planner->hand[low] + UP_N_DOWN_BACK) {
                planner->ten_higher[low] = (uint32_t)1 << high;
                planner->ten_lower[high] = (uint32_t)1 << low;
            }
}

/* Once the draw pile is empty, own cards weigh more, the more players there are to wait for. */
static void weigh_own_cards(struct planner *planner, bool ending) {
    int share = ending ? planner->state->head.seats - 1 : 1;
    for (int up = 0; up < 3; up++)
        for (int down = 0; down < 3; down++)
            planner->own_cost[up][down] = reach_cost[up][down] * share / OWN_SHARE;
    bool alone = up_n_down_solitaire(planner->state);
    planner->card_played = ending ? CARD_PLAYED_ENDING : alone ? CARD_PLAYED_ALONE : CARD_PLAYED;
    planner->back_unseen = alone ? BACK_UNSEEN_ALONE : BACK_UNSEEN;
}

static void plan_turn(const struct up_n_down *state, int seat, bool brief,
                      struct openings *openings, struct plan *out) {
    struct planner planner = {.state = state,
                              .seat = seat,
                              .needed = plays_needed(state),
                              .outcomes_max = brief ? PLAYOUT_OUTCOMES_MAX : OUTCOMES_MAX,
                              .brief = brief,
                              .best_score = INT32_MIN,
                              .openings = openings,
                              .best = out};
    bool ending = state->draw_count == 0;
    look_at_cards(&planner);
    read_preferences(&planner);
    weigh_own_cards(&planner, ending);
    struct plan start = {.hand = ((uint32_t)1 << planner.hand_count) - 1,
                         .costly_left = larger(planner.needed, ending ? 1 : 0)};
    for (int pile = 0; pile < UP_N_DOWN_PILES; pile++)
        start.top[pile] = state->top[pile];
    out->opening_cost = 0;
    explore(&planner, &start, 0);
}

/* Plays the listed card with the least movement, backward-10 before all others, or after them for
 * who overlooks it, and ends the turn when no more is demanded. */
static void play_greedily(const struct up_n_down *state, int seat, bool overlooks,
                          struct move *out) {
    struct move moves[GAME_LEGAL_MAX];
    size_t count = up_n_down_game.legal(state, seat, moves, GAME_LEGAL_MAX);
    int least = VALUES;
    out->verb = UP_N_DOWN_END;
    if (plays_needed(state) == 0)
        return;
    for (size_t i = 0; i < count; i++) {
        if (moves[i].verb != UP_N_DOWN_PLAY)
            continue;
        int pile = moves[i].args[1] - 1, card = moves[i].args[0], top = state->top[pile];
        int movement = up_n_down_ascends(pile) ? card - top : top - card;
        if (overlooks && up_n_down_is_special(pile, top, card))
            movement = VALUES - 1;
        if (movement < least) {
            least = movement;
            *out = moves[i];
        }
    }
}

/* ---- Expert ---- */

struct mind {
    const struct up_n_down *seen;
    int seat;
    struct game_state world;
    int count;
    struct move moves[CANDIDATES_MAX];
};

static bool has_fitting(const struct up_n_down *state, int seat) {
    struct card_set fits = up_n_down_fitting(state, &state->hand[seat]);
    return (fits.word[0] | fits.word[1]) != 0;
}

static void draw(void *context, uint32_t number, struct chance *chance) {
    struct mind *mind = context;
    up_n_down_game.sample(mind->seen, mind->seat, chance, mind->world.bytes);
}

/* One turn by hard's plan. Where cards are drawn during the turn, only its first card: then there
 * is more to plan with. */
static void play_turn(struct up_n_down *state) {
    struct plan plan;
    struct move move = {.verb = UP_N_DOWN_END};
    int seat = state->current;
    if (!has_fitting(state, seat)) {
        verb_apply(&up_n_down_game, state, seat, &move, NULL);
        return;
    }
    plan_turn(state, seat, true, NULL, &plan);
    move = opening_move(&plan);
    verb_apply(&up_n_down_game, state, seat, &move, NULL);
    if (move.verb == UP_N_DOWN_END || state->refill || up_n_down_solitaire(state))
        return;
    for (int i = 0; i < plan.plays && state->phase == UP_N_DOWN_PLAYING; i++) {
        if (i == plan.opening)
            continue;
        move = play_of(&plan, i);
        verb_apply(&up_n_down_game, state, seat, &move, NULL);
    }
    move = (struct move){.verb = UP_N_DOWN_END};
    if (state->phase == UP_N_DOWN_PLAYING && state->current == seat &&
        state->played_this_turn >= up_n_down_minimum(state))
        verb_apply(&up_n_down_game, state, seat, &move, NULL);
}

/* Everybody plays on by hard's plans to the end: won, or so many cards short of it. */
static int32_t value(void *context, int candidate, struct chance *chance) {
    struct mind *mind = context;
    struct up_n_down state;
    memcpy(&state, mind->world.bytes, sizeof state);
    verb_apply(&up_n_down_game, &state, mind->seat, &mind->moves[candidate], NULL);
    while (state.phase == UP_N_DOWN_PLAYING)
        play_turn(&state);
    int cards = state.card_max - state.card_min + 1;
    return state.phase == UP_N_DOWN_WON ? VALUE_WON : state.play_count - cards;
}

/* The best openings of hard's plans, its own choice first. */
static void list_candidates(struct mind *mind) {
    struct openings openings = {0};
    struct plan plan;
    plan_turn(mind->seen, mind->seat, false, &openings, &plan);
    mind->moves[0] = opening_move(&plan);
    for (mind->count = 1; mind->count < CANDIDATES_MAX; mind->count++) {
        struct opening *best = NULL;
        for (int i = 0; i < openings.count; i++) {
            struct opening *opening = &openings.list[i];
            if (move_equal(&opening->move, &mind->moves[0]))
                opening->score = INT32_MIN;
            if (opening->score > INT32_MIN && (!best || opening->score > best->score))
                best = opening;
        }
        if (!best)
            break;
        mind->moves[mind->count] = best->move;
        best->score = INT32_MIN;
    }
}

/* Hard's move, unless the rest of the game is short enough to be played through. */
static void think(const struct up_n_down *seen, int seat, const struct bot_budget *budget,
                  struct chance *chance, struct move *out) {
    struct mind mind = {.seen = seen, .seat = seat};
    struct search_result result;
    int left = seen->card_max - seen->card_min + 1 - seen->play_count;
    list_candidates(&mind);
    *out = mind.moves[0];
    if (left > CARDS_AHEAD)
        return;
    int worlds = up_n_down_solitaire(seen) ? WORLDS_ALONE
                 : seen->refill            ? WORLDS_REFILLING
                                           : WORLDS;
    struct search search = {.candidates = mind.count,
                            .worlds = (uint32_t)smaller(worlds * CARDS_AHEAD / left, WORLDS_MAX),
                            .caution = CAUTION,
                            .context = &mind,
                            .draw = draw,
                            .value = value};
    *out = mind.moves[search_best(&search, budget, chance, &result)];
}

static void choose(const void *seen, int seat, enum bot_level level,
                   const struct bot_budget *budget, struct chance *chance, struct move *out) {
    const struct up_n_down *state = seen;
    struct plan plan;
    if (!has_fitting(state, seat)) {
        out->verb = UP_N_DOWN_END;
    } else if (level == BOT_EXPERT) {
        think(state, seat, budget, chance, out);
    } else if (level == BOT_HARD) {
        plan_turn(state, seat, false, NULL, &plan);
        *out = opening_move(&plan);
    } else {
        play_greedily(state, seat, level == BOT_EASY && chance_below(chance, LAPSE) == 0, out);
    }
}

/* What the own hand says about a pile. Love: the backward-10 card is in it. Really like, like: it
 * has a card that passes few others. */
static int own_preference(const struct planner *planner, int pile) {
    int level = UP_N_DOWN_NONE, top = planner->state->top[pile];
    for (int i = 0; i < planner->hand_count; i++) {
        int card = planner->hand[i];
        if (up_n_down_is_special(pile, top, card))
            return UP_N_DOWN_LOVE;
        if (!up_n_down_fits(pile, top, card))
            continue;
        int passes = passed(planner, pile, top, card);
        if (passes <= REALLY_LIKE_PASSES)
            level = UP_N_DOWN_REALLY_LIKE;
        else if (passes <= LIKE_PASSES)
            level = larger(level, UP_N_DOWN_LIKE);
    }
    return level;
}

/* Hard and expert have asides: they set the first preference that differs from what their hand
 * says. */
static bool aside(const void *seen, int seat, enum bot_level level, struct chance *chance,
                  struct move *out) {
    const struct up_n_down *state = seen;
    if (level < BOT_HARD || state->phase != UP_N_DOWN_PLAYING || seat == state->current ||
        up_n_down_solitaire(state))
        return false;
    struct planner planner = {.state = state, .seat = seat};
    look_at_cards(&planner);
    for (int pile = 0; pile < UP_N_DOWN_PILES; pile++) {
        int wanted = own_preference(&planner, pile);
        if (state->preference[seat][pile] != wanted) {
            *out = (struct move){UP_N_DOWN_PREFER, 2, {(uint8_t)(pile + 1), (uint8_t)wanted}};
            return true;
        }
    }
    return false;
}

const struct bot_player up_n_down_player = {
    .game_id = "up-n-down", .plays_easy = true, .choose = choose, .aside = aside};
