/* Hand & Foot after its specification, "Hand And Foot" for teams and "Hand and Foot Tests": the
 * flow of rounds and the game. All that differs between the rule books is an option (rules.c); the
 * moves of a turn are in moves.c, what may lie on a book in books.h, what people read in words.c.
 * Requirements HF-1 to HF-116, TF-1 to TF-30, HT-1 to HT-67 with their decisions. */
#include "games/hand_and_foot/flow.h"

#include "games/hand_and_foot/position.h"
#include "games/hand_and_foot/words.h"
#include <string.h>

/* ---- Setup and deals ---- */

static bool start(void *to, const struct options *options, const void *ended, struct events *events,
                  struct refusal *why) {
    struct hand_and_foot *state = to;
    const struct hand_and_foot *before = ended;
    int seats = state->head.seats;
    if (options && !hand_foot_rules_fit(options->slot, seats, why))
        return false;
    for (int i = 0; i < RULE_COUNT; i++)
        state->rules[i] = options ? (int16_t)options->slot[i] : before->rules[i];
    if (state->rules[RULE_DECKS] == 0)
        state->rules[RULE_DECKS] = (int16_t)(seats + 1);
    state->sides = state->rules[RULE_TEAMS] == TEAMS_TWO ? 2 : (uint8_t)seats;
    state->out = HAND_FOOT_NOBODY;
    return true;
}

static int partner_of(const struct hand_and_foot *state, int seat) {
    return (seat + 2) % state->head.seats;
}

uint32_t hand_foot_to_act(const void *from) {
    const struct hand_and_foot *state = from;
    if (state->phase == HAND_FOOT_GAME_END)
        return 0;
    if (state->phase != HAND_FOOT_PLAYING)
        return state->phase == HAND_FOOT_SHUFFLING ? AWAITS_SHUFFLE : AWAITS_NATURE;
    int seat =
        state->asking == HAND_FOOT_ASKED ? partner_of(state, state->current) : state->current;
    return (uint32_t)1 << seat;
}

static int total_cards(const struct hand_and_foot *state) {
    return hand_foot_card_count(state->rules[RULE_DECKS], state->rules[RULE_JOKERS]);
}

static int next_round(const struct hand_and_foot *state) {
    return state->round + 1;
}

static void deck_of_discards(const struct hand_and_foot *state, struct deal *out) {
    out->count = (uint16_t)(state->pile_count - 1);
    for (int i = 0; i < out->count; i++)
        out->cards[i] = state->pile[i];
    deal_to(out, 0, out->count);
}

/* Each seat gets a hand and a foot; the rest is the stock. */
static void deck(const void *from, struct deal *out) {
    const struct hand_and_foot *state = from;
    if (state->phase == HAND_FOOT_SHUFFLING) {
        deck_of_discards(state, out);
        return;
    }
    int hand = hand_foot_listed(state->rules, RULE_HAND_SIZE, next_round(state));
    int foot = hand_foot_listed(state->rules, RULE_FOOT_SIZE, next_round(state));
    int seats = state->head.seats;
    out->rest = "stock";
    for (int i = 0; i < state->rules[RULE_DECKS]; i++) {
        for (uint16_t card = 0; card < CARD_JOKER; card++)
            out->cards[out->count++] = card;
        for (int j = 0; j < state->rules[RULE_JOKERS]; j++)
            out->cards[out->count++] = CARD_JOKER;
    }
    for (int seat = 0; seat < seats; seat++) {
        deal_to(out, 2 * seat, hand);
        deal_to(out, 2 * seat + 1, foot);
        out->same_owner |= (uint32_t)2 << 2 * seat;
    }
    deal_to(out, 2 * seats, out->count - seats * (hand + foot));
}

static void clear_round(struct hand_and_foot *state) {
    memset(state->in_foot, 0, sizeof state->in_foot);
    memset(state->chose_pile, 0, sizeof state->chose_pile);
    memset(state->melded, 0, sizeof state->melded);
    memset(state->red_threes, 0, sizeof state->red_threes);
    memset(state->new_cards, 0, sizeof state->new_cards);
    memset(state->shown, 0, sizeof state->shown);
    memset(state->hand, 0, sizeof state->hand);
    memset(state->foot, 0, sizeof state->foot);
    memset(state->stock, 0, sizeof state->stock);
    memset(state->pile, 0, sizeof state->pile);
    memset(state->books, 0, sizeof state->books);
    memset(&state->reshuffled, 0, sizeof state->reshuffled);
    state->book_count = state->stalemate = state->reshuffles = 0;
    state->turns = 0;
    state->pile_count = 0;
    state->out = HAND_FOOT_NOBODY;
    state->ending = HAND_FOOT_NOT_ENDED;
}

void hand_foot_clear_undo(struct hand_and_foot *state) {
    if (state->undo_plays == 0 && state->undo_cards == 0)
        return;
    memset(state->undo_card, 0, sizeof state->undo_card);
    memset(state->undo_play, 0, sizeof state->undo_play);
    state->undo_cards = state->undo_plays = 0;
}

void hand_foot_begin_turn(struct hand_and_foot *state, int seat, struct events *events) {
    state->current = (uint8_t)seat;
    state->turn_phase = HAND_FOOT_TURN_DRAW;
    state->asking = HAND_FOOT_NOT_ASKED;
    state->drew_from_deck = false;
    state->foot_now = false;
    state->plays = 0;
    state->turns++;
    hand_foot_clear_undo(state);
    if (events)
        hand_foot_tell_turn(state, events);
}

static const uint16_t *take_cards(uint8_t *kinds, uint16_t *count, const uint16_t *cards, int n) {
    for (int i = 0; i < n; i++)
        kinds[*cards++]++;
    *count = (uint16_t)n;
    return cards;
}

static void deal_round(struct hand_and_foot *state, const uint16_t *cards, struct events *events) {
    clear_round(state);
    state->round++;
    int hand = hand_foot_listed(state->rules, RULE_HAND_SIZE, state->round);
    int foot = hand_foot_listed(state->rules, RULE_FOOT_SIZE, state->round);
    for (int seat = 0; seat < state->head.seats; seat++) {
        cards = take_cards(state->hand[seat], &state->hand_count[seat], cards, hand);
        cards = take_cards(state->foot[seat], &state->foot_count[seat], cards, foot);
        state->chose_pile[seat] = !state->rules[RULE_CHOOSE_PILE];
    }
    state->stock_count = (uint16_t)(total_cards(state) - state->head.seats * (hand + foot));
    for (int i = 0; i < state->stock_count; i++)
        state->stock[state->stock_count - 1 - i] = (uint8_t)cards[i];
    if (state->rules[RULE_TURN_CARD]) {
        state->pile[state->pile_count++] = state->stock[--state->stock_count];
        state->stock[state->stock_count] = 0;
    }
    state->phase = HAND_FOOT_PLAYING;
    if (events)
        hand_foot_tell_deal(state, events);
    hand_foot_begin_turn(state, hand_foot_starter(state), events);
}

/* ---- The end of a round ---- */

/* HT-C12: books that nobody closed are closed at the end, so that forgetting it costs nothing. */
static void close_books(struct hand_and_foot *state) {
    for (int i = 0; i < state->book_count; i++)
        if (hand_foot_book_complete(state, &state->books[i]))
            state->books[i].closed = true;
}

bool hand_foot_game_is_over(const struct hand_and_foot *state) {
    int rounds = state->rules[RULE_ROUNDS], target = state->rules[RULE_TARGET];
    if (rounds > 0 && state->round >= rounds)
        return true;
    for (int side = 0; side < state->sides && target > 0; side++)
        if (state->total[side] >= target)
            return true;
    return state->round == UINT8_MAX;
}

/* HF-76: makes room for one more round and returns its row. */
static int add_history_row(struct hand_and_foot *state, int out) {
    if (state->history_count == HAND_FOOT_HISTORY_MAX) {
        state->history_count--;
        memmove(state->history, state->history + 1,
                sizeof state->history[0] * state->history_count);
        memmove(state->history_out, state->history_out + 1, state->history_count);
    }
    state->history_out[state->history_count] = (uint8_t)out;
    return state->history_count++;
}

/* HF-67, HF-97, HF-C1, HF-C2: everybody is scored exactly once. */
void hand_foot_end_round(struct hand_and_foot *state, enum hand_foot_ending ending, int out,
                         struct events *events) {
    state->ending = (uint8_t)ending;
    state->out = (uint8_t)out;
    close_books(state);
    hand_foot_clear_undo(state);
    int row = add_history_row(state, out);
    for (int side = 0; side < state->sides; side++) {
        struct hand_foot_score score;
        hand_foot_score_side(state, side, &score);
        state->total[side] += score.total;
        state->history[row][side] = score.total;
    }
    state->phase = hand_foot_game_is_over(state) ? HAND_FOOT_GAME_END : HAND_FOOT_ROUND_END;
    if (events)
        hand_foot_tell_round_end(state, events);
    state->foot_now = false;
}

void hand_foot_forget_new_cards(struct hand_and_foot *state, int seat) {
    memset(state->new_cards[seat], 0, sizeof state->new_cards[seat]);
}

/* HF-44, HF-45: after an empty hand comes the foot, or the player is out. The cards of the foot do
 * not count as newly drawn. */
void hand_foot_settle_hand(struct hand_and_foot *state, int seat, struct events *events) {
    if (state->hand_count[seat] > 0)
        return;
    if (state->in_foot[seat]) {
        hand_foot_end_round(state, HAND_FOOT_WENT_OUT, seat, events);
        return;
    }
    memcpy(state->hand[seat], state->foot[seat], sizeof state->hand[seat]);
    memset(state->foot[seat], 0, sizeof state->foot[seat]);
    state->hand_count[seat] = state->foot_count[seat];
    state->foot_count[seat] = 0;
    state->in_foot[seat] = true;
    state->foot_now = true;
    hand_foot_forget_new_cards(state, seat);
    hand_foot_clear_undo(state);
    if (events)
        hand_foot_tell_foot(state, seat, events);
}

/* ---- Drawing ---- */

void hand_foot_receive(struct hand_and_foot *state, int seat, int card) {
    state->hand[seat][card]++;
    state->hand_count[seat]++;
    hand_foot_few_add(state->new_cards[seat], card, 1);
}

static void complete_draw(struct hand_and_foot *state, struct events *events) {
    int seat = state->current, count = state->rules[RULE_DRAW];
    hand_foot_forget_new_cards(state, seat);
    for (int i = 0; i < count; i++) {
        hand_foot_receive(state, seat, state->stock[--state->stock_count]);
        state->stock[state->stock_count] = 0;
    }
    if (state->reshuffled.known)
        state->reshuffled.drawn[seat] = (uint16_t)(state->reshuffled.drawn[seat] + count);
    state->chose_pile[seat] = true;
    state->drew_from_deck = true;
    state->turn_phase = HAND_FOOT_TURN_MELD;
    if (events)
        hand_foot_tell_draw(state, seat, count, events);
}

bool hand_foot_shuffle_fills_draw(const struct hand_and_foot *state) {
    int loose = state->pile_count > 0 ? state->pile_count - 1 : 0;
    return state->stock_count + loose >= state->rules[RULE_DRAW] &&
           state->reshuffles < HAND_FOOT_RESHUFFLES_MAX;
}

/* HF-26, HF-101, HF-102, HF-C19: makes sure that the cards are there before any of them moves. */
void hand_foot_draw(struct hand_and_foot *state, struct events *events) {
    if (state->stock_count >= state->rules[RULE_DRAW])
        complete_draw(state, events);
    else if (hand_foot_shuffle_fills_draw(state))
        state->phase = HAND_FOOT_SHUFFLING;
    else
        hand_foot_end_round(state, HAND_FOOT_NO_CARDS, HAND_FOOT_NOBODY, events);
}

/* HF-C38: the shuffled cards go under the stock, so the draw takes what was left of it first. */
static void reshuffle(struct hand_and_foot *state, const uint16_t *cards, struct events *events) {
    int count = state->pile_count - 1, left = state->stock_count;
    uint16_t *drawn = &state->reshuffled.drawn[state->current];
    hand_foot_note_reshuffle(state);
    memmove(state->stock + count, state->stock, state->stock_count);
    for (int i = 0; i < count; i++)
        state->stock[count - 1 - i] = (uint8_t)cards[i];
    state->stock_count = (uint16_t)(state->stock_count + count);
    state->pile[0] = state->pile[state->pile_count - 1];
    memset(state->pile + 1, 0, (size_t)count);
    state->pile_count = 1;
    state->reshuffles++;
    state->phase = HAND_FOOT_PLAYING;
    if (events)
        hand_foot_tell_reshuffle(state, events);
    complete_draw(state, events);
    *drawn = (uint16_t)(*drawn - left);
}

static void deal(void *to, const uint16_t *cards, struct events *events) {
    struct hand_and_foot *state = to;
    if (state->phase == HAND_FOOT_SHUFFLING)
        reshuffle(state, cards, events);
    else
        deal_round(state, cards, events);
}

/* ---- The rest ---- */

static void result(const void *from, struct result *out) {
    const struct hand_and_foot *state = from;
    int best = state->total[0];
    out->sides = state->sides;
    for (int side = 1; side < state->sides; side++)
        best = state->total[side] > best ? state->total[side] : best;
    for (int seat = 0; seat < state->head.seats; seat++) {
        int side = hand_foot_side(state, seat);
        out->side_of[seat] = (uint8_t)side;
        out->score[seat] = state->total[side];
        bool shares = state->rules[RULE_TIE] == TIE_SHARED || out->winners == 0 ||
                      hand_foot_side(state, __builtin_ctz(out->winners)) == side;
        if (state->phase == HAND_FOOT_GAME_END && state->total[side] == best && shares)
            out->winners |= 1u << seat;
    }
}

enum { ROUNDS, CLEAN_BOOKS, DIRTY_BOOKS, WENT_OUT };
enum { TABLE_ROUNDS, TABLE_TURNS, ROUNDS_GONE_OUT };

/* Partners share their books; only one of them goes out. */
static void count(const void *from, int seat, int32_t *out) {
    const struct hand_and_foot *state = from;
    int clean, dirty;
    if (state->ending == HAND_FOOT_NOT_ENDED)
        return;
    if (seat == SPECTATOR) {
        out[TABLE_ROUNDS] = 1;
        out[TABLE_TURNS] = state->turns;
        out[ROUNDS_GONE_OUT] = state->out != HAND_FOOT_NOBODY;
        return;
    }
    hand_foot_count_books(state, hand_foot_side(state, seat), &clean, &dirty);
    out[ROUNDS] = 1;
    out[CLEAN_BOOKS] = clean;
    out[DIRTY_BOOKS] = dirty;
    out[WENT_OUT] = state->out == seat;
}

enum {
    DRAW_DELAY_MS = 500,
    MELD_DELAY_MS = 800,
    DISCARD_DELAY_MS = 600,
    PLAYS_WITH_DELAY = 2 /* in a turn; the plays after them follow at once */
};

/* HF-88, HF-C29: how long bots take. */
static void pace(const void *from, struct pace *pace) {
    static const uint16_t delays[HAND_FOOT_TURN_PHASES] = {[HAND_FOOT_TURN_DRAW] = DRAW_DELAY_MS,
                                                           [HAND_FOOT_TURN_MELD] = MELD_DELAY_MS,
                                                           [HAND_FOOT_TURN_DISCARD] =
                                                               DISCARD_DELAY_MS};
    const struct hand_and_foot *state = from;
    bool at_once = state->turn_phase == HAND_FOOT_TURN_MELD && state->plays >= PLAYS_WITH_DELAY;
    uint16_t delay = at_once ? 0 : delays[state->turn_phase];
    pace->bot_delay_ms_min = pace->bot_delay_ms_max = delay;
}

static const char *const figures[] = {[ROUNDS] = "rounds",
                                      [CLEAN_BOOKS] = "clean books",
                                      [DIRTY_BOOKS] = "dirty books",
                                      [WENT_OUT] = "went out",
                                      NULL};
static const char *const table_figures[] = {[TABLE_ROUNDS] = "rounds",
                                            [TABLE_TURNS] = "turns",
                                            [ROUNDS_GONE_OUT] = "rounds gone out",
                                            NULL};

static const struct caption captions[] = {
#include "games/hand_and_foot/captions.def"
    {0},
};

const struct game hand_and_foot_game = {
    .id = "hand-and-foot",
    .name = "Hand & Foot",
    .summary = "Rummy with books: empty your hand, then your foot, and go out with both kinds",
    .icon = "\U0001F9B6",
    .players_min = 2,
    .players_max = SEATS_MAX,
    .players_default = 4,
    .lobby_bots = true,
    .checks_turns = true,
    .saves = true,
    .state_size = sizeof(struct hand_and_foot),
    .options = {.options = hand_foot_options,
                .option_count = HAND_FOOT_OPTIONS,
                .groups = hand_foot_groups,
                .group_count = HAND_FOOT_GROUPS,
                .presets = hand_foot_presets,
                .preset_count = HAND_FOOT_PRESETS},
    .verbs = hand_foot_verbs,
    .verb_count = HAND_FOOT_VERBS,
    .captions = FOR_TERMINAL(captions),
    .figures = figures,
    .table_figures = table_figures,
    .start = start,
    .to_act = hand_foot_to_act,
    .legal = hand_foot_legal,
    .pick = hand_foot_pick,
    .deck = deck,
    .deal = deal,
    .observe = hand_foot_observe,
    .describe = hand_foot_describe,
    .tell_hand = hand_foot_tell_hand,
    .show = FOR_TERMINAL(hand_foot_show),
    .sample = hand_foot_sample,
    .print_position = hand_foot_print_position,
    .read_position = hand_foot_read_position,
    .result = result,
    .count = count,
    .pace = pace,
    .holds = hand_foot_holds,
};
