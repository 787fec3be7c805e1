/* Up-N-Down, a cooperative game after the "Game Mechanics and Implementation Guide" of that name.
 *
 * Hands are sets of values. The piles are one list of plays, from which undo, statistics and the
 * cards of each pile are derived. One function, `settle`, decides after every change whether the
 * game is won, lost, or the turn is over. Views and notation are in words.c. */
#include "games/up_n_down/up_n_down.h"

#include "engine/ensure.h"
#include "games/up_n_down/words.h"
#include <string.h>

enum {
    MIN_CARD_VALUE,
    MAX_CARD_VALUE,
    HAND_SIZE,
    MIN_PLAYERS,
    MAX_PLAYERS,
    MIN_CARDS_PER_TURN,
    ALLOW_UNDO,
    AUTO_REFILL_HAND,
    DEBUG_MODE
};

#define KEPT_IN(member) OPTION_KEPT_IN(struct up_n_down, member)

static const struct option options[] = {
    {.key = "minCardValue",
     .label = "Lowest card",
     .help = "The lowest card in the deck. The ascending piles start one below it.",
     .kind = OPTION_NUMBER,
     .slot = MIN_CARD_VALUE,
     KEPT_IN(card_min),
     .min = 2,
     .max = 79,
     .standard = "2"},
    {.key = "maxCardValue",
     .label = "Highest card",
     .help =
         "The highest card, at least 20 above the lowest. The descending piles start one above.",
     .kind = OPTION_NUMBER,
     .slot = MAX_CARD_VALUE,
     KEPT_IN(card_max),
     .min = 22,
     .max = 99,
     .standard = "99"},
    {.key = "handSize",
     .label = "Cards in hand",
     .help = "How many cards each player holds.",
     .kind = OPTION_NUMBER,
     .slot = HAND_SIZE,
     KEPT_IN(hand_size),
     .min = 4,
     .max = 10,
     .standard = "7"},
    {.key = "minPlayers",
     .label = "Fewest players",
     .help =
         "A game for several starts with at least this many people, and never with fewer than 2.",
     .kind = OPTION_NUMBER,
     .slot = MIN_PLAYERS,
     KEPT_IN(players_min),
     .min = 1,
     .max = 8,
     .standard = "1"},
    {.key = "maxPlayers",
     .label = "Most players",
     .help = "At most this many can play; the table has no more places.",
     .kind = OPTION_NUMBER,
     .slot = MAX_PLAYERS,
     KEPT_IN(players_max),
     .min = 1,
     .max = 8,
     .standard = "8"},
    {.key = "minCardsPerTurn",
     .label = "Cards per turn",
     .help = "How many cards a turn demands while the draw pile lasts. Afterwards one is enough.",
     .kind = OPTION_NUMBER,
     .slot = MIN_CARDS_PER_TURN,
     KEPT_IN(cards_per_turn),
     .min = 1,
     .max = 3,
     .standard = "2"},
    {.key = "allowUndo",
     .label = "Undo",
     .help = "The last card of the own turn may be taken back, one step.",
     .kind = OPTION_YES_NO,
     .slot = ALLOW_UNDO,
     KEPT_IN(undo_allowed),
     .standard = "no"},
    {.key = "autoRefillHand",
     .label = "Draw after each card",
     .help = "If not, all replacements are drawn at the end of the turn. Solitaire always draws.",
     .kind = OPTION_YES_NO,
     .slot = AUTO_REFILL_HAND,
     KEPT_IN(refill),
     .standard = "yes"},
    {.key = "debugMode",
     .label = "Detailed log",
     .help = "For fault reports: what happens at the table is written in detail to the browser's "
             "console and the server's log.",
     .kind = OPTION_YES_NO,
     .slot = DEBUG_MODE,
     KEPT_IN(debug),
     .standard = "no",
     .details = true},
};

/* ---- Setup ---- */

static int deck_size(const struct up_n_down *state) {
    return state->card_max - state->card_min + 1;
}

static void clear_table(struct up_n_down *state) {
    state->phase = UP_N_DOWN_DEALING;
    for (int pile = 0; pile < UP_N_DOWN_PILES; pile++)
        state->top[pile] = (uint8_t)up_n_down_base(state, pile);
}

enum { VALUES_APART_MIN = 20 }; /* the highest card and the lowest one */

static bool check_settings(const int32_t *set, int seats, struct refusal *why) {
    int least = set[MIN_PLAYERS] > 2 ? set[MIN_PLAYERS] : 2;
    int cards = set[MAX_CARD_VALUE] - set[MIN_CARD_VALUE] + 1;
    int needed = seats * set[HAND_SIZE];
    if (set[MAX_CARD_VALUE] < set[MIN_CARD_VALUE] + VALUES_APART_MIN)
        return refuse(why, "INVALID_SETTING",
                      "maxCardValue must be at least minCardValue + %d (%d)", VALUES_APART_MIN,
                      (int)set[MIN_CARD_VALUE] + VALUES_APART_MIN);
    if (set[MIN_PLAYERS] > set[MAX_PLAYERS])
        return refuse(why, "INVALID_SETTING", "minPlayers (%d) is above maxPlayers (%d)",
                      (int)set[MIN_PLAYERS], (int)set[MAX_PLAYERS]);
    if (seats > 1 && seats < least)
        return refuse(why, "INVALID_SETTING", "At least %d players are needed, not %d", least,
                      seats);
    if (seats > 1 && seats > set[MAX_PLAYERS])
        return refuse(why, "INVALID_SETTING", "At most %d players are allowed, not %d",
                      (int)set[MAX_PLAYERS], seats);
    if (needed > cards)
        return refuse(why, "INVALID_SETTING",
                      "%d players with %d cards each need %d cards, but the deck has %d", seats,
                      (int)set[HAND_SIZE], needed, cards);
    return true;
}

static bool start(void *to, const struct options *from, const void *ended, struct events *events,
                  struct refusal *why) {
    struct up_n_down *state = to;
    if (from && !check_settings(from->slot, state->head.seats, why))
        return false;
    clear_table(state);
    return true;
}

static void deck(const void *from, struct deal *out) {
    const struct up_n_down *state = from;
    int seats = state->head.seats;
    out->rest = "stock";
    out->count = (uint16_t)deck_size(state);
    for (int i = 0; i < out->count; i++)
        out->cards[i] = (uint16_t)(state->card_min + i);
    for (int seat = 0; seat < seats; seat++)
        deal_to(out, seat, state->hand_size);
    deal_to(out, seats, out->count - seats * state->hand_size);
}

/* ---- Events ---- */

static void tell_hand(const void *of, int seat, struct events *events) {
    const struct up_n_down *state = of;
    struct json *json = event_begin(events, "hand-updated", (uint32_t)1 << seat);
    if (json)
        up_n_down_hand_json(&state->hand[seat], "hand", json);
    event_end(events);
}

static void tell_turn(const struct up_n_down *state, struct events *events) {
    event_begin_seat(events, "turn-started", state->current);
    event_end(events);
}

static void tell_turn_ended(const struct up_n_down *state, struct events *events) {
    struct json *json = event_begin_seat(events, "turn-ended", state->current);
    if (json)
        json_put_number(json, "cardsPlayed", state->played_this_turn);
    event_end(events);
}

static void tell_drawn(const struct up_n_down *state, int seat, int count, struct events *events) {
    if (!events || count == 0)
        return;
    struct json *json = event_begin_seat(events, "cards-drawn", seat);
    json_put_number(json, "count", count);
    json_put_number(json, "drawPileCount", state->draw_count);
    event_end(events);
}

/* ---- What follows from the rules by itself ---- */

static struct card_set values_between(int low, int high) {
    struct card_set set = {{0, 0}};
    for (int w = 0; w < 2; w++) {
        int from = low - 64 * w, to = high - 64 * w;
        if (from < 0)
            from = 0;
        if (to > 63)
            to = 63;
        if (from <= to)
            set.word[w] = (~(uint64_t)0 >> (63 - to)) & (~(uint64_t)0 << from);
    }
    return set;
}

/* In its direction the pile that has gone less far accepts all that the other one accepts, so one
 * range serves both. A backward-10 is looked for on each pile. */
struct card_set up_n_down_fitting(const struct up_n_down *state, const struct card_set *cards) {
    const uint8_t *top = state->top;
    struct card_set up = values_between((top[0] < top[1] ? top[0] : top[1]) + 1, state->card_max);
    struct card_set down = values_between(state->card_min, (top[2] > top[3] ? top[2] : top[3]) - 1);
    struct card_set fits = {{cards->word[0] & (up.word[0] | down.word[0]),
                             cards->word[1] & (up.word[1] | down.word[1])}};
    for (int pile = 0; pile < UP_N_DOWN_PILES; pile++) {
        int special = up_n_down_back_card(pile, top[pile]);
        if (special > 0 && card_set_has(cards, special))
            fits.word[special >> 6] |= (uint64_t)1 << (special & 63);
    }
    return fits;
}

static bool can_play(const struct up_n_down *state) {
    struct card_set fits = up_n_down_fitting(state, &state->hand[state->current]);
    return (fits.word[0] | fits.word[1]) != 0;
}

/* UD-C7: nothing fits and the turn still demands a card. Solitaire always demands one. */
static bool stuck(const struct up_n_down *state) {
    bool demanded =
        up_n_down_solitaire(state) || state->played_this_turn < up_n_down_minimum(state);
    return demanded && !can_play(state);
}

static bool all_played(const struct up_n_down *state) {
    return state->play_count == deck_size(state);
}

static void finish(struct up_n_down *state, bool won, struct events *events) {
    state->phase = won ? UP_N_DOWN_WON : UP_N_DOWN_LOST;
    state->can_undo = false;
    struct json *json = event_begin(events, "game-over", EVERYONE);
    if (json) {
        json_put_bool(json, "won", won);
        json_put_number(json, "cardsLeft", deck_size(state) - state->play_count);
    }
    event_end(events);
}

static int draw_up(struct up_n_down *state, int seat, int most) {
    int drawn = 0;
    for (; drawn < most && state->draw_count > 0; drawn++) {
        if (state->hand_count[seat] >= state->hand_size)
            break;
        card_set_flip(&state->hand[seat], state->draw[--state->draw_count]);
        state->draw[state->draw_count] = 0;
        state->hand_count[seat]++;
    }
    return drawn;
}

static void begin_turn(struct up_n_down *state, int seat, struct events *events) {
    state->current = (uint8_t)seat;
    state->played_this_turn = 0;
    state->can_undo = false;
    memset(state->preference[seat], 0, sizeof state->preference[seat]);
    tell_turn(state, events);
    if (stuck(state))
        finish(state, false, events);
}

static void end_turn(struct up_n_down *state, struct events *events) {
    int seat = state->current;
    tell_turn_ended(state, events);
    int drawn = state->refill ? 0 : draw_up(state, seat, state->hand_size);
    if (drawn > 0) {
        tell_drawn(state, seat, drawn, events);
        tell_hand(state, seat, events);
    }
    if (all_played(state)) {
        finish(state, true, events);
        return;
    }
    do
        seat = seat_after(state->head, seat);
    while (state->hand_count[seat] == 0);
    begin_turn(state, seat, events);
}

static bool refills(const struct up_n_down *state) {
    return state->refill || up_n_down_solitaire(state);
}

/* Decides after a play or its undoing whether the game is won or lost or the turn is over. */
static void settle(struct up_n_down *state, struct events *events) {
    if (state->hand_count[state->current] == 0) {
        if (all_played(state) && refills(state))
            finish(state, true, events);
        else if (!state->undo_allowed)
            end_turn(state, events);
    } else if (stuck(state) && !state->can_undo) {
        finish(state, false, events);
    }
}

static void deal(void *to, const uint16_t *cards, struct events *events) {
    struct up_n_down *state = to;
    for (int seat = 0; seat < state->head.seats; seat++) {
        for (int i = 0; i < state->hand_size; i++)
            card_set_flip(&state->hand[seat], *cards++);
        state->hand_count[seat] = state->hand_size;
    }
    state->draw_count = (uint8_t)(deck_size(state) - state->head.seats * state->hand_size);
    for (int i = 0; i < state->draw_count; i++)
        state->draw[state->draw_count - 1 - i] = (uint8_t)cards[i];
    state->phase = UP_N_DOWN_PLAYING;
    struct json *json = event_begin(events, "game-started", EVERYONE);
    if (json)
        json_put_number(json, "drawPileCount", state->draw_count);
    event_end(events);
    for (int seat = 0; seat < state->head.seats; seat++)
        tell_hand(state, seat, events);
    begin_turn(state, 0, events);
}

/* ---- Moves ---- */

static uint32_t to_act(const void *from) {
    const struct up_n_down *state = from;
    if (state->phase == UP_N_DOWN_DEALING)
        return AWAITS_NATURE;
    return state->phase == UP_N_DOWN_PLAYING ? (uint32_t)1 << state->current : 0;
}

/* UD-22, UD-C8, UD-C24: a stuck player who could still undo may end the turn and lose. */
static bool can_end(const struct up_n_down *state) {
    if (up_n_down_solitaire(state))
        return !can_play(state);
    return state->played_this_turn >= up_n_down_minimum(state) || !can_play(state);
}

static size_t add_move(struct move *out, int verb, int first, int second) {
    out->verb = (uint8_t)verb;
    out->count = first > 0 ? 2 : 0;
    out->args[0] = (uint8_t)first;
    out->args[1] = (uint8_t)second;
    return 1;
}

static size_t legal_preferences(const struct up_n_down *state, int seat, struct move *out) {
    size_t count = 0;
    if (up_n_down_solitaire(state))
        return 0;
    for (int pile = 0; pile < UP_N_DOWN_PILES; pile++)
        for (int level = UP_N_DOWN_NONE; level <= UP_N_DOWN_LOVE; level++)
            if (state->preference[seat][pile] != level)
                count += add_move(&out[count], UP_N_DOWN_PREFER, pile + 1, level);
    return count;
}

static size_t legal(const void *from, int seat, struct move *out, size_t max) {
    const struct up_n_down *state = from;
    ensure(max >= UP_N_DOWN_HAND_MAX * UP_N_DOWN_PILES + 2);
    if (seat != state->current)
        return legal_preferences(state, seat, out);
    size_t count = 0;
    struct card_set fits = up_n_down_fitting(state, &state->hand[seat]);
    for (int w = 0; w < 2; w++) {
        for (uint64_t word = fits.word[w]; word != 0; word &= word - 1) {
            int card = 64 * w + __builtin_ctzll(word);
            for (int pile = 0; pile < UP_N_DOWN_PILES; pile++)
                if (up_n_down_fits(pile, state->top[pile], card))
                    count += add_move(&out[count], UP_N_DOWN_PLAY, card, pile + 1);
        }
    }
    if (state->can_undo)
        count += add_move(&out[count], UP_N_DOWN_UNDO, 0, 0);
    if (can_end(state))
        count += add_move(&out[count], UP_N_DOWN_END, 0, 0);
    return count;
}

static bool check_play(const void *from, int seat, const struct move *move, struct refusal *why) {
    const struct up_n_down *state = from;
    if (seat != state->current)
        return refuse_not_your_turn(why);
    int card = move->args[0], pile = move->args[1] - 1;
    if (card >= 128 || !card_set_has(&state->hand[seat], card))
        return refuse(why, "INVALID_CARD", "Card not in hand");
    if (pile < 0 || pile >= UP_N_DOWN_PILES) {
        struct card_set fits = up_n_down_fitting(state, &state->hand[seat]);
        return card_set_has(&fits, card)
                   ? refuse(why, "INVALID_PILE", "Choose a pile from 1 to 4")
                   : refuse(why, "INVALID_PILE", "%d goes on no pile now", card);
    }
    if (up_n_down_fits(pile, state->top[pile], card))
        return true;
    if (up_n_down_ascends(pile))
        return refuse(why, "INVALID_PLAY", "%d does not go on %d: higher, or exactly 10 lower",
                      card, state->top[pile]);
    return refuse(why, "INVALID_PLAY", "%d does not go on %d: lower, or exactly 10 higher", card,
                  state->top[pile]);
}

static bool check_prefer(const void *from, int seat, const struct move *move, struct refusal *why) {
    const struct up_n_down *state = from;
    if (up_n_down_solitaire(state))
        return refuse(why, "WRONG_PHASE", "Solitaire has no preferences");
    if (seat == state->current)
        return refuse(why, "WRONG_PHASE", "Preferences are for while others play");
    if (move->args[0] < 1 || move->args[0] > UP_N_DOWN_PILES)
        return refuse(why, "INVALID_PILE", "Choose a pile from 1 to 4");
    if (move->args[1] > UP_N_DOWN_LOVE)
        return refuse(why, "INVALID_PREFERENCE", "Choose none, like, really-like or love");
    return true;
}

static bool check_undo(const void *from, int seat, const struct move *move, struct refusal *why) {
    const struct up_n_down *state = from;
    if (seat != state->current)
        return refuse_not_your_turn(why);
    if (!state->undo_allowed)
        return refuse(why, "UNDO_DISABLED", "Undo is switched off at this table");
    return state->can_undo || refuse(why, "NOTHING_TO_UNDO", "There is nothing to undo");
}

static bool check_end(const void *from, int seat, const struct move *move, struct refusal *why) {
    const struct up_n_down *state = from;
    if (seat != state->current)
        return refuse_not_your_turn(why);
    if (can_end(state))
        return true;
    if (up_n_down_solitaire(state))
        return refuse(why, "MIN_CARDS", "Play on while a card fits");
    return refuse(why, "MIN_CARDS", "Play at least %d (%d so far)", up_n_down_minimum(state),
                  state->played_this_turn);
}

/* Moves the card to or from the pile, and the statistics with it (UD-27, UD-51 to UD-53). */
static void count_play(struct up_n_down *state, int seat, int pile, int below, int card, int sign) {
    int distance = card > below ? card - below : below - card;
    int special = up_n_down_is_special(pile, below, card) ? 1 : 0;
    state->cards_played[seat] = (uint8_t)(state->cards_played[seat] + sign);
    state->special_plays[seat] = (uint8_t)(state->special_plays[seat] + sign * special);
    state->movement[seat] = (uint16_t)(state->movement[seat] + sign * distance);
    state->played_this_turn = (uint8_t)(state->played_this_turn + sign);
    state->hand_count[seat] = (uint8_t)(state->hand_count[seat] - sign);
    card_set_flip(&state->hand[seat], card);
    if (sign < 0 || card_set_has(&state->shown[seat], card))
        card_set_flip(&state->shown[seat], card);
}

/* How far a card jumps, and whether it is the step back of ten. */
static void jump_json(int pile, int below, int card, struct json *json) {
    json_put_number(json, "movement", card > below ? card - below : below - card);
    json_put_bool(json, "special", up_n_down_is_special(pile, below, card));
}

/* `cost` is by how many numbers the pile's room shrinks; a step back gives room. */
static void preview_play(const void *seen, int seat, const struct move *move, struct json *json) {
    const struct up_n_down *state = seen;
    int card = move->args[0], pile = move->args[1] - 1, below = state->top[pile];
    int cost = up_n_down_ascends(pile) ? card - below : below - card;
    jump_json(pile, below, card, json);
    json_put_number(json, "cost", cost);
    int partner = up_n_down_back_card(pile, card);
    if (partner > 0 && card_set_has(&state->hand[seat], partner)) {
        json_put_number(json, "partner", partner);
        json_put_number(json, "pairCost", cost - UP_N_DOWN_BACK);
    }
}

static void play(void *to, int seat, const struct move *move, struct events *events) {
    struct up_n_down *state = to;
    int card = move->args[0], pile = move->args[1] - 1;
    int below = state->top[pile];
    count_play(state, seat, pile, below, card, 1);
    state->played[state->play_count] = (uint8_t)card;
    state->played_pile[state->play_count++] = (uint8_t)pile;
    state->top[pile] = (uint8_t)card;
    state->can_undo = state->undo_allowed;
    struct json *json = event_begin_seat(events, "card-played", seat);
    if (json) {
        json_put_number(json, "card", card);
        json_put_number(json, "pileId", pile + 1);
        jump_json(pile, below, card, json);
    }
    event_end(events);
    if (refills(state))
        tell_drawn(state, seat, draw_up(state, seat, 1), events);
    tell_hand(state, seat, events);
    settle(state, events);
}

static int card_below(const struct up_n_down *state, int pile) {
    for (int i = state->play_count - 1; i >= 0; i--)
        if (state->played_pile[i] == pile)
            return state->played[i];
    return up_n_down_base(state, pile);
}

static void undo(void *to, int seat, const struct move *move, struct events *events) {
    struct up_n_down *state = to;
    int card = state->played[--state->play_count];
    int pile = state->played_pile[state->play_count];
    state->played[state->play_count] = 0;
    state->played_pile[state->play_count] = 0;
    state->top[pile] = (uint8_t)card_below(state, pile);
    state->can_undo = false;
    count_play(state, seat, pile, state->top[pile], card, -1);
    struct json *json = event_begin_seat(events, "play-undone", seat);
    if (json) {
        json_put_number(json, "card", card);
        json_put_number(json, "pileId", pile + 1);
    }
    event_end(events);
    tell_hand(state, seat, events);
    settle(state, events);
}

static void end(void *to, int seat, const struct move *move, struct events *events) {
    struct up_n_down *state = to;
    if (stuck(state) && state->hand_count[seat] > 0) {
        tell_turn_ended(state, events);
        finish(state, false, events);
    } else {
        end_turn(state, events);
    }
}

static void prefer(void *to, int seat, const struct move *move, struct events *events) {
    struct up_n_down *state = to;
    state->preference[seat][move->args[0] - 1] = (uint8_t)move->args[1];
}

static const struct verb verbs[] = {
    [UP_N_DOWN_PLAY] = {.word = "play",
                        .action = "play-card",
                        .arguments = {{.kind = ARGUMENT_NUMBER, .json = "cardId"},
                                      {.kind = ARGUMENT_NUMBER, .json = "pileId"}},
                        .example = "play 57 2",
                        .help = "card 57 onto pile 2",
                        .check = check_play,
                        .apply = play,
                        .preview = preview_play},
    [UP_N_DOWN_UNDO] = {.word = "undo",
                        .help = "take the last card of the own turn back",
                        .check = check_undo,
                        .apply = undo},
    [UP_N_DOWN_END] = {.word = "end",
                       .action = "end-turn",
                       .help = "end the turn (solitaire: give up when stuck)",
                       .check = check_end,
                       .apply = end},
    [UP_N_DOWN_PREFER] =
        {.word = "prefer",
         .action = "set-preference",
         .arguments = {{.kind = ARGUMENT_NUMBER, .json = "pileId"},
                       {.kind = ARGUMENT_CHOICE, .json = "level", .words = up_n_down_levels}},
         .example = "prefer 3 love",
         .help = "mark pile 3; the levels are `none`, `like`, `really-like`, "
                 "`love`, and 0 to 3 in JSON",
         .event = "preference-set",
         .check = check_prefer,
         .apply = prefer},
    /* UD-48: the same as a bare message. */
    {.word = "play",
     .action = "game:playCard",
     .flat = true,
     .arguments = {{.kind = ARGUMENT_NUMBER, .json = "cardId"},
                   {.kind = ARGUMENT_NUMBER, .json = "pileId"}}},
};

/* ---- What a seat knows ---- */

/* Everything but the other hands and the order of the draw pile (UD-C21, PL-37). */
static void observe(const void *from, int seat, void *to) {
    const struct up_n_down *state = from;
    struct up_n_down *out = to;
    out->public = state->public;
    if (seat >= 0)
        out->hand[seat] = state->hand[seat];
}

static int card_set_count(const struct card_set *set) {
    return __builtin_popcountll(set->word[0]) + __builtin_popcountll(set->word[1]);
}

/* Cards in the hand of another seat that nobody else has seen. */
static int count_unseen(const struct up_n_down *seen, int other) {
    return seen->hand_count[other] - card_set_count(&seen->shown[other]);
}

/* Deals the unseen cards to the others, who keep what they have shown, and to the draw pile. */
static void deal_unseen(const struct up_n_down *seen, int seat, uint16_t *unseen,
                        struct up_n_down *out) {
    for (int other = 0; other < seen->head.seats; other++) {
        if (other == seat)
            continue;
        out->hand[other] = seen->shown[other];
        for (int i = count_unseen(seen, other); i > 0; i--)
            card_set_flip(&out->hand[other], *unseen++);
    }
    for (int i = 0; i < seen->draw_count; i++)
        out->draw[i] = (uint8_t)*unseen++;
}

static size_t list_unseen(const struct up_n_down *seen, int seat, uint16_t *out) {
    struct card_set known = {{0, 0}};
    if (seat >= 0)
        known = seen->hand[seat];
    for (int other = 0; other < seen->head.seats; other++)
        for (int w = 0; w < 2; w++)
            known.word[w] |= seen->shown[other].word[w];
    for (int i = 0; i < seen->play_count; i++)
        card_set_flip(&known, seen->played[i]);
    size_t count = 0;
    for (int card = seen->card_min; card <= seen->card_max; card++)
        if (!card_set_has(&known, card))
            out[count++] = (uint16_t)card;
    return count;
}

enum { SAMPLE_TRIES = 1000 }; /* until no deal that fits is expected any more */

/* If somebody else is to play, that seat has a card that fits, or the game would be lost; deals
 * without one are drawn again. If such deals are so rare that none turns up, a fitting card is put
 * into that hand. */
static void sample(const void *from, int seat, struct chance *chance, void *to) {
    const struct up_n_down *seen = from;
    struct up_n_down *out = to;
    memcpy(out, seen, sizeof *out);
    if (seen->phase == UP_N_DOWN_DEALING)
        return;
    uint16_t unseen[UP_N_DOWN_CARDS_MAX];
    size_t count = list_unseen(seen, seat, unseen);
    bool playing = seen->phase == UP_N_DOWN_PLAYING && seen->current != seat;
    bool lost = seen->phase == UP_N_DOWN_LOST && seen->current != seat;
    for (int tries = 0; tries < SAMPLE_TRIES; tries++) {
        chance_shuffle(chance, unseen, count);
        deal_unseen(seen, seat, unseen, out);
        if (playing && seen->hand_count[seen->current] > 0 && !seen->can_undo && stuck(out))
            continue;
        if (lost && !stuck(out))
            continue;
        return;
    }
    size_t hand_start = 0;
    for (int other = 0; other < seen->current; other++)
        hand_start += other == seat ? 0 : (size_t)count_unseen(seen, other);
    for (size_t i = 0; i < count && playing && stuck(out); i++) {
        uint16_t card = unseen[hand_start];
        unseen[hand_start] = unseen[i];
        unseen[i] = card;
        deal_unseen(seen, seat, unseen, out);
    }
}

/* ---- The rest ---- */

/* All players are one side; the score is the number of cards on the piles. */
static void result(const void *from, struct result *out) {
    const struct up_n_down *state = from;
    out->sides = 1;
    memset(out->side_of, 0, sizeof out->side_of);
    for (int seat = 0; seat < state->head.seats; seat++)
        out->score[seat] = state->play_count;
    if (state->phase == UP_N_DOWN_WON)
        out->winners = ((uint32_t)1 << state->head.seats) - 1;
}

enum { CARDS_PLAYED, MOVEMENT, BACKWARD_TENS };

/* UD-51 to UD-53. A play that was undone is not counted (UD-27). */
static void count(const void *from, int seat, int32_t *out) {
    const struct up_n_down *state = from;
    if (seat == SPECTATOR) {
        up_n_down_totals(state, out);
        return;
    }
    out[CARDS_PLAYED] = state->cards_played[seat];
    out[MOVEMENT] = state->movement[seat];
    out[BACKWARD_TENS] = state->special_plays[seat];
}

/* UD-18: every card of the deck is in one hand, on one pile or in the draw pile. What a seat has
 * shown and not played since is in its hand. */
static bool every_card_once(const struct up_n_down *state) {
    struct card_set left = values_between(state->card_min, state->card_max);
    int count = 0;
    for (int seat = 0; seat < state->head.seats; seat++) {
        left.word[0] ^= state->hand[seat].word[0];
        left.word[1] ^= state->hand[seat].word[1];
        count += state->hand_count[seat];
        if (card_set_count(&state->hand[seat]) != state->hand_count[seat] ||
            (state->shown[seat].word[0] & ~state->hand[seat].word[0]) != 0 ||
            (state->shown[seat].word[1] & ~state->hand[seat].word[1]) != 0)
            return false;
    }
    for (int i = 0; i < state->draw_count; i++)
        card_set_flip(&left, state->draw[i]);
    for (int i = 0; i < state->play_count; i++)
        card_set_flip(&left, state->played[i]);
    count += state->draw_count + state->play_count;
    return (left.word[0] | left.word[1]) == 0 && count == deck_size(state);
}

static bool holds(const void *from) {
    const struct up_n_down *state = from;
    int total[3] = {0, 0, 0};
    up_n_down_totals(state, total);
    if (state->current >= state->head.seats || state->phase > UP_N_DOWN_LOST ||
        total[0] != state->play_count)
        return false;
    return state->phase == UP_N_DOWN_DEALING || every_card_once(state);
}

static const char *const table_figures[] = {"cards played", "special plays", "total movement",
                                            NULL};
static const char *const figures[] = {[CARDS_PLAYED] = "cards played",
                                      [MOVEMENT] = "movement",
                                      [BACKWARD_TENS] = "backward tens",
                                      NULL};

static const struct caption captions[] = {
#include "games/up_n_down/captions.def"
    {0},
};

const struct game up_n_down_game = {
    .id = "up-n-down",
    .name = "Up-N-Down",
    .summary = "Together against the deck: get every card onto two rising and two falling piles",
    .icon = "\U0001F503",
    .view_event = "game:updated", /* PL-C3, PL-C4: the name that its guide has */
    .players_min = 1,
    .players_max = SEATS_MAX,
    .players_default = 4,
    .checks_turns = true,
    .state_size = sizeof(struct up_n_down),
    .options = OPTIONS(options),
    VERBS(verbs),
    .captions = FOR_TERMINAL(captions),
    .figures = figures,
    .table_figures = table_figures,
    .start = start,
    .to_act = to_act,
    .legal = legal,
    .deck = deck,
    .deal = deal,
    .observe = observe,
    .describe = up_n_down_describe,
    .tell_hand = tell_hand,
    .show = FOR_TERMINAL(up_n_down_show),
    .prompt = FOR_TERMINAL(up_n_down_prompt),
    .sample = sample,
    .parse_card = up_n_down_parse_card,
    .print_card = up_n_down_print_card,
    .result = result,
    .count = count,
    .holds = holds,
};
