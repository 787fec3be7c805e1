/* How hard and expert play Who's Deal?.
 *
 * Worlds. Deals are drawn that agree with all that the seat knows, and expert weighs each by how
 * likely it makes what the others did: their calls and passes, the dealer's discard, their cards.
 * Who does what is expected may do so in any world; everything else counts as a slip, which is less
 * likely but never impossible. Of ten weighed deals one is drawn again.
 *
 * Value. A deal is worth the chance to win the match with the score that it leads to, from a table
 * over both scores and the dealer, and to expert a little for each point. How a world ends is
 * judged in two ways that are wrong in opposite directions: the exact solver plays as if everybody
 * saw all cards, and habits played to the end know too little. The two are averaged; calls, which
 * much follows, rely more on habits.
 *
 * Calls are judged with everything that follows from them; a dealer who orders looks at every
 * discard. Hard thinks alike with few worlds and without weighing them. */
#include "bots/whos_deal_expert.h"

#include "bots/search.h"
#include "bots/whos_deal_fitted.h"
#include "bots/whos_deal_solver.h"
#include <string.h>

enum {
    CANDIDATES_MAX = 16, /* a dealer's pass, and six discards with a partner and alone */
    DRAWS_PER_WORLD = 10,
    DRAWS_MAX = DRAWS_PER_WORLD * WHOS_DEAL_WORLDS_MAX,
    SCORES = 16,       /* more than the highest target */
    CERTAIN = 1 << 15, /* the chance of a match that is won */
    FULL_WEIGHT_BITS = 40,
    CALL_SLIP_PERCENT = 20,
    CARD_SLIP_PERCENT = 30,
    LATE_DRAWS = 64 /* the clock is looked at after so many draws */
};

/* How much a level thinks. */
struct style {
    uint32_t worlds;
    bool weighs;
    /* The solver's share in the value of a call and of a card. The rest comes from playing on by
     * habit. */
    int call_percent, card_percent;
    int point;   /* what a point is worth beside the match: a match that is all but lost, or won, is
                  * still played well, as people expect of a partner */
    int caution; /* as search.h says; with few worlds, daring calls often look better than they are
                  */
};

static const struct style styles[] = {
    [BOT_HARD] = {24, false, 60, 60, 0, SEARCH_CAUTION_ONE},
    [BOT_EXPERT] = {200, true, 30, 60, 600, SEARCH_CAUTION_ONE / 2},
    [BOT_RIVAL] = {200, false, 100, 100, 0, 0},
};

/* The hidden part of a world. */
struct hidden {
    uint32_t hand[WHOS_DEAL_SEATS];
    uint32_t kitty_cards;
    uint8_t kitty[WHOS_DEAL_KITTY];
};

struct mind {
    const struct whos_deal *seen;
    int seat, team;
    const struct style *style;
    uint32_t worlds;
    /* The chance to win the match by own score, other score, and whether the own team deals next.
     */
    int32_t to_win[SCORES][SCORES][2];
    int count;
    struct move moves[CANDIDATES_MAX];
    uint8_t discards[CANDIDATES_MAX]; /* what a dealer who orders puts away */
    struct whos_deal world;           /* the one that candidates are tried in */
    bool solved;                      /* `tricks_by_card` holds for this world */
    int8_t tricks_by_card[WHOS_DEAL_CARDS];
    struct whos_deal_solver solver;
    struct hidden drawn[DRAWS_MAX];
    uint64_t weight[DRAWS_MAX];
    uint16_t chosen[WHOS_DEAL_WORLDS_MAX];
};

static uint32_t bit(int card) {
    return (uint32_t)1 << card;
}

/* ---- What a score is worth ---- */

static int capped(int score, int target) {
    return score < target ? score : target;
}

/* The chance to win the match from these scores before a deal: the average over the ways a deal
 * ends. The other team deals after it. */
static int32_t chance_before_deal(const struct mind *mind, int own, int other, int deals) {
    static const int points[WHOS_DEAL_OUTCOMES] = {1, 2, 4};
    const uint16_t *ours = whos_deal_outcomes[deals ? 0 : 1];
    const uint16_t *theirs = whos_deal_outcomes[deals ? 1 : 0];
    int target = mind->seen->target;
    int64_t sum = 0, all = 0;
    for (int i = 0; i < WHOS_DEAL_OUTCOMES; i++) {
        sum += ours[i] * (int64_t)mind->to_win[capped(own + points[i], target)][other][!deals];
        sum += theirs[i] * (int64_t)mind->to_win[own][capped(other + points[i], target)][!deals];
        all += ours[i] + theirs[i];
    }
    return (int32_t)(sum / all);
}

static void fill_to_win(struct mind *mind) {
    int target = mind->seen->target;
    for (int own = target; own >= 0; own--) {
        for (int other = target; other >= 0; other--) {
            for (int deals = 0; deals < 2; deals++) {
                bool over = own >= target || other >= target;
                mind->to_win[own][other][deals] =
                    over ? (own >= target) * CERTAIN : chance_before_deal(mind, own, other, deals);
            }
        }
    }
}

/* What it is worth if the deal gives the team that many points. */
static int32_t worth(const struct mind *mind, int points, int team) {
    const struct whos_deal *seen = mind->seen;
    bool own_points = team == mind->team;
    int own = seen->score[mind->team] + (own_points ? points : 0);
    int other = seen->score[mind->team ^ 1] + (own_points ? 0 : points);
    bool deals_next = whos_deal_team(seen->dealer) != mind->team;
    return mind->to_win[capped(own, seen->target)][capped(other, seen->target)][deals_next] +
           (own_points ? points : -points) * mind->style->point;
}

/* WD-27 to WD-32 for so many tricks of the callers. */
static int32_t worth_of_tricks(const struct mind *mind, const struct whos_deal *state, int tricks) {
    int callers = whos_deal_team(state->caller);
    if (tricks == WHOS_DEAL_TRICKS)
        return worth(mind, state->alone ? 4 : 2, callers);
    if (tricks >= 3)
        return worth(mind, 1, callers);
    return worth(mind, state->defender != WHOS_DEAL_NONE ? 4 : 2, callers ^ 1);
}

/* ---- Playing a world to its end ---- */

/* What is expected of a seat: good habits of the own team, the rules for bots of the others. */
static void expect(const struct mind *mind, const struct whos_deal *state, int seat,
                   struct move *out) {
    memset(out, 0, sizeof *out);
    if (whos_deal_team(seat) == mind->team)
        whos_deal_follow_habits(state, seat, out);
    else
        whos_deal_follow_rules(state, seat, BOT_MEDIUM, out);
}

/* A farmer's hand that is thrown in ends the world as well. */
static void play_on(const struct mind *mind, struct whos_deal *state, int until) {
    while (state->phase < until && state->phase != WHOS_DEAL_DEALING) {
        struct move move;
        int seat = state->turn;
        expect(mind, state, seat, &move);
        verb_apply(&whos_deal_game, state, seat, &move, NULL);
    }
}

/* Both judgements of a state in play, where the solver promises the callers so many tricks. */
static int32_t judge(const struct mind *mind, struct whos_deal *state, int tricks, int percent) {
    int32_t solved = worth_of_tricks(mind, state, tricks);
    if (percent == 100)
        return solved;
    play_on(mind, state, WHOS_DEAL_ROUND_OVER);
    int32_t played = worth(mind, state->points & 255, state->points >> 8);
    return (solved * percent + played * (100 - percent)) / 100;
}

static int32_t value_of_card(struct mind *mind, const struct move *move) {
    if (!mind->solved) {
        struct whos_deal_position position;
        whos_deal_position_from(&mind->world, &position);
        whos_deal_solver_cards(&mind->solver, &position, mind->tricks_by_card);
        mind->solved = true;
    }
    struct whos_deal state = mind->world;
    int tricks = mind->tricks_by_card[move->args[0]];
    bool calls = whos_deal_team(state.caller) == mind->team;
    verb_apply(&whos_deal_game, &state, mind->seat, move, NULL);
    return judge(mind, &state, calls ? tricks : WHOS_DEAL_TRICKS - tricks,
                 mind->style->card_percent);
}

static int32_t value_of_call(struct mind *mind, const struct move *move, int discard) {
    struct whos_deal state = mind->world;
    verb_apply(&whos_deal_game, &state, mind->seat, move, NULL);
    if (discard != WHOS_DEAL_NONE) {
        struct move put = {WHOS_DEAL_DISCARD, 1, {(uint16_t)discard}};
        verb_apply(&whos_deal_game, &state, mind->seat, &put, NULL);
    }
    play_on(mind, &state, WHOS_DEAL_PLAYING);
    if (state.phase != WHOS_DEAL_PLAYING) /* passed out or thrown in: nobody scores */
        return worth(mind, 0, 0);
    struct whos_deal_position position;
    whos_deal_position_from(&state, &position);
    int tricks = whos_deal_solver_tricks(&mind->solver, &position, whos_deal_team(state.caller));
    bool puts_away = move->verb == WHOS_DEAL_DISCARD;
    return judge(mind, &state, tricks,
                 puts_away ? mind->style->card_percent : mind->style->call_percent);
}

static int32_t value(void *context, int candidate, struct chance *chance) {
    struct mind *mind = context;
    const struct move *move = &mind->moves[candidate];
    return move->verb == WHOS_DEAL_PLAY ? value_of_card(mind, move)
                                        : value_of_call(mind, move, mind->discards[candidate]);
}

/* ---- How likely a world is ---- */

static uint64_t after_slip(uint64_t weight, int percent, int alternatives) {
    return weight * (uint64_t)percent / (uint64_t)((100 - percent) * alternatives);
}

/* The hands of this world before anybody called. */
static void restore_hands(const struct whos_deal *world, struct whos_deal *out) {
    *out = *world;
    for (int i = 0, trick = 0, seat = world->leads[0], cards = 0; i < world->played_count; i++) {
        if (cards == world->trick_size) {
            cards = 0;
            seat = world->leads[++trick];
        }
        out->hand[seat] |= bit(world->played[i]);
        seat = whos_deal_next_seat(seat, world->sitting_out);
        cards++;
    }
    if (world->discarded)
        out->hand[world->dealer] |= bit(world->kitty[WHOS_DEAL_KITTY - 1]);
    if (world->picked_up)
        out->hand[world->dealer] &= ~bit(world->upcard);
}

/* Calls are alike if they name the same; that somebody goes alone surprises as a call does. */
static bool is_same_call(const struct move *a, const struct move *b) {
    return a->verb == b->verb && (a->verb == WHOS_DEAL_PASS || a->args[0] == b->args[0]);
}

/* The passes so far, and the call if there was one. */
static uint64_t weigh_calls(const struct mind *mind, struct whos_deal *state, uint64_t weight) {
    const struct whos_deal *seen = mind->seen;
    bool called = seen->trump != WHOS_DEAL_NONE;
    bool second = called ? !seen->picked_up : seen->phase == WHOS_DEAL_ROUND2;
    int passes = seen->passes + (second ? WHOS_DEAL_SEATS : 0);
    for (int i = 0; i < passes + called; i++) {
        int seat = (seen->dealer + 1 + i) % WHOS_DEAL_SEATS;
        struct move expected, done = {.verb = WHOS_DEAL_PASS};
        state->phase = i < WHOS_DEAL_SEATS ? WHOS_DEAL_ROUND1 : WHOS_DEAL_ROUND2;
        state->passes = (uint8_t)(i % WHOS_DEAL_SEATS);
        if (i == passes && second)
            done = (struct move){WHOS_DEAL_CALL, 2, {seen->trump, seen->alone}};
        else if (i == passes)
            done = (struct move){WHOS_DEAL_ORDER, 1, {seen->alone}};
        if (seat == mind->seat)
            continue;
        expect(mind, state, seat, &expected);
        if (!is_same_call(&expected, &done))
            weight = after_slip(weight, CALL_SLIP_PERCENT, 1);
    }
    return weight;
}

static uint64_t weigh_discard(const struct mind *mind, struct whos_deal *state, uint64_t weight) {
    const struct whos_deal *seen = mind->seen;
    if (!seen->discarded)
        return weight;
    int discard = mind->world.kitty[WHOS_DEAL_KITTY - 1];
    struct move expected;
    state->phase = WHOS_DEAL_DEALER_DISCARD;
    state->hand[seen->dealer] |= bit(seen->upcard);
    if (seen->dealer != mind->seat) {
        expect(mind, state, seen->dealer, &expected);
        if (expected.args[0] != discard)
            weight = after_slip(weight, CARD_SLIP_PERCENT, 3);
    }
    state->hand[seen->dealer] &= ~bit(discard);
    return weight;
}

/* Plays the cards again that were played, each from the hand that its seat has in this world. */
static uint64_t weigh_cards(const struct mind *mind, struct whos_deal *state, uint64_t weight) {
    const struct whos_deal *seen = mind->seen;
    state->phase = WHOS_DEAL_PLAYING;
    state->tricks_played = state->trick_count = state->played_count = 0;
    state->tricks[0] = state->tricks[1] = 0;
    state->played_cards = 0;
    state->must_follow = WHOS_DEAL_ALL_CARDS;
    state->led_suit = WHOS_DEAL_NONE;
    state->best_strength = 0;
    state->lead = state->turn = seen->leads[0];
    for (int i = 0; i < seen->played_count; i++) {
        int seat = state->turn;
        struct move expected, done = {WHOS_DEAL_PLAY, 1, {seen->played[i]}};
        uint32_t playable = whos_deal_playable(state->hand[seat], state->must_follow);
        int others = __builtin_popcount(playable) - 1;
        if (seat != mind->seat && others > 0) {
            expect(mind, state, seat, &expected);
            if (expected.args[0] != done.args[0])
                weight = after_slip(weight, CARD_SLIP_PERCENT, others);
        }
        verb_apply(&whos_deal_game, state, seat, &done, NULL);
    }
    return weight;
}

static uint64_t weigh(const struct mind *mind) {
    const struct whos_deal *seen = mind->seen;
    struct whos_deal state;
    restore_hands(&mind->world, &state);
    state.trump = state.caller = WHOS_DEAL_NONE;
    state.alone = state.picked_up = state.discarded = false;
    uint64_t weight = weigh_calls(mind, &state, (uint64_t)1 << FULL_WEIGHT_BITS);
    if (seen->phase == WHOS_DEAL_PLAYING) {
        state.trump = seen->trump;
        state.caller = seen->caller;
        state.alone = seen->alone;
        state.picked_up = seen->picked_up;
        weight = weigh_discard(mind, &state, weight);
        state.discarded = seen->discarded;
        weight = weigh_cards(mind, &state, weight);
    }
    return weight + 1;
}

/* ---- Worlds ---- */

/* Equal steps through the sum of all weights, from a random place in the first step. */
static void draw_again(struct mind *mind, uint32_t draws, struct chance *chance) {
    uint64_t sum = 0, passed = 0;
    for (uint32_t i = 0; i < draws; i++)
        sum += mind->weight[i];
    uint64_t step = sum / mind->worlds + 1, at = step / 1024 * chance_below(chance, 1024);
    for (uint32_t i = 0, next = 0; i < mind->worlds; i++, at += step) {
        while (next + 1 < draws && passed + mind->weight[next] <= at)
            passed += mind->weight[next++];
        mind->chosen[i] = (uint16_t)next;
    }
}

static void prepare_worlds(struct mind *mind, const struct bot_budget *budget,
                           struct chance *chance) {
    uint32_t draws = mind->worlds * (mind->style->weighs ? DRAWS_PER_WORLD : 1), i = 0;
    for (; i < draws; i++) {
        if (i % LATE_DRAWS == LATE_DRAWS - 1 && search_is_late(budget))
            break;
        whos_deal_game.sample(mind->seen, mind->seat, chance, &mind->world);
        struct hidden *drawn = &mind->drawn[i];
        memcpy(drawn->hand, mind->world.hand, sizeof drawn->hand);
        memcpy(drawn->kitty, mind->world.kitty, sizeof drawn->kitty);
        drawn->kitty_cards = mind->world.kitty_cards;
        mind->weight[i] = mind->style->weighs ? weigh(mind) : 1;
    }
    draw_again(mind, i, chance);
}

static void draw(void *context, uint32_t number, struct chance *chance) {
    struct mind *mind = context;
    const struct hidden *drawn = &mind->drawn[mind->chosen[number]];
    mind->world = *mind->seen;
    memcpy(mind->world.hand, drawn->hand, sizeof drawn->hand);
    memcpy(mind->world.kitty, drawn->kitty, sizeof drawn->kitty);
    mind->world.kitty_cards = drawn->kitty_cards;
    mind->solved = false;
}

/* ---- Candidates ---- */

static void add_candidate(struct mind *mind, const struct move *move, int discard) {
    mind->moves[mind->count] = *move;
    mind->discards[mind->count++] = (uint8_t)discard;
}

static void add_move(struct mind *mind, const struct move *move) {
    const struct whos_deal *seen = mind->seen;
    if (move->verb != WHOS_DEAL_ORDER || mind->seat != seen->dealer) {
        add_candidate(mind, move, WHOS_DEAL_NONE);
        return;
    }
    uint32_t may = seen->hand[mind->seat];
    if (seen->dealer_may_discard_upcard)
        may |= bit(seen->upcard);
    for (; may != 0; may &= may - 1)
        add_candidate(mind, move, __builtin_ctz(may));
}

static bool takes_trick(const struct whos_deal *seen, int card) {
    bool counts = whos_deal_effective_suit(card, seen->trump) == seen->trump ||
                  whos_deal_effective_suit(card, seen->trump) == seen->led_suit;
    return counts && whos_deal_strength[seen->trump][card] > seen->best_strength;
}

/* Who plays last to a trick knows which cards take it. One that takes it is wasted if a lower one
 * of its suit does so, too. */
static bool is_wasted(const struct whos_deal *seen, int seat, int card) {
    int suit = whos_deal_effective_suit(card, seen->trump);
    if (seen->trick_count == 0 || seen->trick_count + 1 < seen->trick_size ||
        !takes_trick(seen, card))
        return false;
    uint32_t left = whos_deal_playable(seen->hand[seat], seen->must_follow) &
                    whos_deal_suit_cards(suit, seen->trump);
    for (; left != 0; left &= left - 1) {
        int other = __builtin_ctz(left);
        if (whos_deal_strength[seen->trump][other] < whos_deal_strength[seen->trump][card] &&
            takes_trick(seen, other))
            return true;
    }
    return false;
}

/* What habit would do comes first, then everything else that is legal and not plainly worse. */
static void list_candidates(struct mind *mind) {
    struct move moves[GAME_LEGAL_MAX], habit = {0};
    size_t count = whos_deal_game.legal(mind->seen, mind->seat, moves, GAME_LEGAL_MAX);
    whos_deal_follow_habits(mind->seen, mind->seat, &habit);
    add_move(mind, &habit);
    for (size_t i = 0; i < count; i++)
        if (!move_equal(&moves[i], &habit) &&
            (moves[i].verb != WHOS_DEAL_PLAY ||
             !is_wasted(mind->seen, mind->seat, moves[i].args[0])))
            add_move(mind, &moves[i]);
}

void whos_deal_think(const struct whos_deal *seen, int seat, enum bot_level level,
                     const struct bot_budget *budget, struct chance *chance, struct move *out) {
    struct mind mind;
    struct search_result result;
    mind.seen = seen;
    mind.seat = seat;
    mind.team = whos_deal_team(seat);
    mind.style = &styles[level];
    mind.count = 0;
    list_candidates(&mind);
    *out = mind.moves[0];
    if (mind.count == 1 || out->verb == WHOS_DEAL_REDEAL)
        return;
    uint32_t worlds = budget->worlds > 0 ? budget->worlds : mind.style->worlds;
    mind.worlds = worlds < WHOS_DEAL_WORLDS_MAX ? worlds : WHOS_DEAL_WORLDS_MAX;
    fill_to_win(&mind);
    whos_deal_solver_start(&mind.solver);
    prepare_worlds(&mind, budget, chance);
    struct search search = {.candidates = mind.count,
                            .worlds = mind.worlds,
                            .caution = mind.style->caution,
                            .context = &mind,
                            .draw = draw,
                            .value = value};
    struct bot_budget prepared = *budget; /* no more worlds than there are */
    prepared.worlds = mind.worlds;
    *out = mind.moves[search_best(&search, &prepared, chance, &result)];
}
