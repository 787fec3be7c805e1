/* Is this a position that the rules could have led to? Nothing from outside may reach an assertion,
 * so this checks everything that the rules keep true by themselves, and everything that makes sure
 * that the seat to act has a move now, after each undo and later. See position.h. */
#include "games/hand_and_foot/flow.h"
#include "games/hand_and_foot/plan.h"
#include "games/hand_and_foot/position.h"
#include <string.h>

#define BAD "BAD_POSITION"

/* ---- Hands ---- */

/* A hand is empty only after going out, since the foot follows at once. A foot of one card is
 * refused: whoever picked it up by the last meld while books are missing could neither discard it
 * nor go out. */
static bool seat_fits(const struct hand_and_foot *state, int seat, struct refusal *why) {
    bool out =
        hand_foot_round_is_over(state) && state->ending == HAND_FOOT_WENT_OUT && state->out == seat;
    if (out)
        return (state->hand_count[seat] == 0 && state->in_foot[seat]) ||
               refuse(why, BAD, "Seat %d went out, but holds cards", seat);
    if (state->hand_count[seat] == 0)
        return refuse(why, BAD, "Seat %d has no cards in hand", seat);
    if (!state->in_foot[seat] && state->foot_count[seat] < FOOT_LEFT_MIN)
        return refuse(why, BAD, "A foot has at least %d cards, that of seat %d has %d",
                      FOOT_LEFT_MIN, seat, state->foot_count[seat]);
    static const uint8_t none[HAND_FOOT_FEW_BYTES];
    bool drew = memcmp(state->new_cards[seat], none, sizeof none) != 0;
    bool showed = memcmp(state->shown[seat], none, sizeof none) != 0;
    if (!state->chose_pile[seat] && (state->in_foot[seat] || drew || showed))
        return refuse(why, BAD, "Seat %d has played without choosing a hand", seat);
    return hand_foot_shown_cards_are_held(state, seat) ||
           refuse(why, BAD, "Seat %d has shown cards that it does not hold", seat);
}

static bool reshuffled_fits(const struct hand_and_foot *state, struct refusal *why) {
    return hand_foot_reshuffled_holds(state) ||
           refuse(why, BAD, "Cards are where they cannot be since the discards were shuffled");
}

static bool seats_fit(const struct hand_and_foot *state, struct refusal *why) {
    for (int seat = 0; seat < state->head.seats; seat++)
        if (!seat_fits(state, seat, why))
            return false;
    return true;
}

/* ---- Books ---- */

/* May the side have this book beside those that were laid before it? */
static bool book_has_a_place(const struct hand_and_foot *state, const struct book_rules *rules,
                             int index) {
    const struct hand_foot_book *book = &state->books[index];
    for (int i = 0; i < index; i++) {
        struct book_counts other = book_counts_of(rules, &state->books[i]);
        if (state->books[i].side == book->side && other.rank == book->rank &&
            !book_allows_another(rules, &other))
            return false;
    }
    return true;
}

static bool books_fit(const struct hand_and_foot *state, struct refusal *why) {
    bool has_books[SEATS_MAX] = {false};
    struct book_rules rules = book_rules_of(state->rules);
    for (int i = 0; i < state->book_count; i++) {
        const struct hand_foot_book *book = &state->books[i];
        has_books[book->side] = true;
        if (!book_could_be_laid(&rules, book))
            return refuse(why, BAD, "Book %d of the table cannot be laid by these rules", i + 1);
        if (!book_has_a_place(state, &rules, i))
            return refuse(why, BAD, "Book %d of the table is one too many of its rank", i + 1);
        if (book->closed && !hand_foot_book_complete(state, book))
            return refuse(why, BAD, "Book %d of the table is closed, but not complete", i + 1);
    }
    for (int side = 0; side < state->sides; side++)
        if (has_books[side] != state->melded[side])
            return refuse(why, BAD, "An undo takes the first meld of side %d wrongly", side);
    return true;
}

static bool red_threes_fit(const struct hand_and_foot *state, struct refusal *why) {
    for (int side = 0; side < state->sides; side++)
        if (!state->rules[RULE_RED_THREES_LAID] &&
            state->red_threes[side][0] + state->red_threes[side][1] > 0)
            return refuse(why, BAD, "Red threes are not laid down at this table");
    return true;
}

/* ---- The turn ---- */

static bool before_draw_fits(const struct hand_and_foot *state, struct refusal *why) {
    bool clear = !state->drew_from_deck && state->plays == 0 && state->undo_plays == 0 &&
                 !state->foot_now && state->asking == HAND_FOOT_NOT_ASKED;
    return clear || refuse(why, BAD, "Before the draw nothing has been played in this turn");
}

static bool shuffling_fits(const struct hand_and_foot *state, struct refusal *why) {
    bool fits = state->turn_phase == HAND_FOOT_TURN_DRAW &&
                state->stock_count < state->rules[RULE_DRAW] && hand_foot_shuffle_fills_draw(state);
    return fits || refuse(why, BAD, "There is no reason to shuffle the discards now");
}

static bool asking_fits(const struct hand_and_foot *state, struct refusal *why) {
    if (state->asking == HAND_FOOT_NOT_ASKED)
        return true;
    int side = hand_foot_side(state, state->current);
    bool fits =
        state->rules[RULE_ASK_PARTNER] && state->in_foot[state->current] &&
        (state->asking != HAND_FOOT_ASKED ||
         (state->phase == HAND_FOOT_PLAYING && hand_foot_has_books_to_go_out(state, side, 0, 0)));
    return fits || refuse(why, BAD, "There is no reason to ask the partner");
}

/* HF-C7: the last card of a foot may be held only by who can go out with it or take a play back. */
static bool turn_can_end(const struct hand_and_foot *state, struct refusal *why) {
    int seat = state->current;
    return !hand_foot_is_stranded(state, seat, state->hand_count[seat], 0, 0) ||
           state->undo_cards > 0 ||
           refuse(why, BAD, "Seat %d can neither discard the last card nor keep it", seat);
}

/* ---- Undo ---- */

static bool is_own_book(const struct hand_and_foot *state, int book) {
    return book < state->book_count &&
           state->books[book].side == hand_foot_side(state, state->current);
}

/* Takes a card off the books; false if it is not there. */
static bool take_off(struct hand_and_foot *state, const struct hand_foot_undo_card *entry) {
    struct hand_foot_book *book = &state->books[entry->book];
    uint8_t kinds[CARD_KINDS] = {0};
    if (!is_own_book(state, entry->book))
        return false;
    hand_foot_add_book_cards(book, kinds);
    if (kinds[entry->card] == 0)
        return false;
    plan_put(book, entry->card, -1);
    if (hand_foot_book_size(book) > 0)
        return true;
    state->book_count--;
    return entry->book == state->book_count;
}

/* Does the newest play that can be undone lie on the books? */
static bool last_play_fits(const struct hand_and_foot *state) {
    struct hand_foot_undo_play last = state->undo_play[state->undo_plays - 1];
    if (last.closed > 0)
        return last.cards == 0 && !last.opened && is_own_book(state, last.closed - 1) &&
               state->rules[RULE_CLOSING] == CLOSING_EXPLICIT &&
               state->books[last.closed - 1].closed;
    struct hand_and_foot before = *state;
    for (int i = 0; i < last.cards; i++)
        if (!take_off(&before, &state->undo_card[state->undo_cards - 1 - i]))
            return false;
    return last.cards > 0 && state->plays > 0;
}

/* Undoes everything, play by play; each time the table must be a possible one. A turn that can end
 * now can also end then, because cards come back to the hand. */
static bool undo_fits(const struct hand_and_foot *state, struct refusal *why) {
    static const struct move undo = {.verb = HAND_FOOT_UNDO};
    struct hand_and_foot earlier = *state;
    if (state->undo_plays > 0 && !state->rules[RULE_UNDO])
        return refuse(why, BAD, "Undo is switched off at this table");
    while (earlier.undo_plays > 0) {
        if (!last_play_fits(&earlier))
            return refuse(why, BAD, "Undo %d does not fit the books", earlier.undo_plays);
        verb_apply(&hand_and_foot_game, &earlier, earlier.current, &undo, NULL);
        if (!books_fit(&earlier, why))
            return false;
    }
    return true;
}

/* Whoever picks up the foot has nothing newly drawn any longer, and draws no more in that turn. */
static bool pickup_fits(const struct hand_and_foot *state, struct refusal *why) {
    static const uint8_t none[HAND_FOOT_FEW_BYTES];
    int seat = state->current;
    return !state->foot_now ||
           (state->in_foot[seat] && memcmp(state->new_cards[seat], none, sizeof none) == 0) ||
           refuse(why, BAD, "Seat %d cannot have picked up the foot in this turn", seat);
}

static bool turn_fits(const struct hand_and_foot *state, struct refusal *why) {
    if (state->stalemate >= STALEMATE_END * state->head.seats)
        return refuse(why, BAD, "The stalemate would have ended the round");
    if (state->phase == HAND_FOOT_SHUFFLING && !shuffling_fits(state, why))
        return false;
    if (state->turn_phase == HAND_FOOT_TURN_DRAW)
        return before_draw_fits(state, why);
    if (!state->chose_pile[state->current])
        return refuse(why, BAD, "Seat %d has drawn without choosing a hand", state->current);
    return pickup_fits(state, why) && turn_can_end(state, why) && undo_fits(state, why);
}

/* ---- Rounds and scores ---- */

static bool ending_fits(const struct hand_and_foot *state, struct refusal *why) {
    if (!hand_foot_round_is_over(state))
        return state->ending == HAND_FOOT_NOT_ENDED ||
               refuse(why, BAD, "The round has ended, but the phase is another");
    if (state->ending == HAND_FOOT_NOT_ENDED)
        return refuse(why, BAD, "How the round ended is missing");
    if (state->undo_plays > 0)
        return refuse(why, BAD, "After the round there is nothing to undo");
    if (state->foot_now)
        return refuse(why, BAD, "After the round no foot is picked up");
    if (state->ending == HAND_FOOT_WENT_OUT &&
        !hand_foot_has_books_to_go_out(state, hand_foot_side(state, state->out), 0, 0))
        return refuse(why, BAD, "Seat %d went out without the books for it", state->out);
    bool game_end = state->phase == HAND_FOOT_GAME_END;
    return hand_foot_game_is_over(state) == game_end ||
           refuse(why, BAD,
                  game_end ? "The game is not over by its rules" : "The game is over by its rules");
}

/* The last row is the round that has just ended. */
static bool last_score_fits(const struct hand_and_foot *state, struct refusal *why) {
    int row = state->history_count - 1;
    for (int side = 0; side < state->sides; side++) {
        struct hand_foot_score score;
        hand_foot_score_side(state, side, &score);
        if (state->history[row][side] != score.total)
            return refuse(why, BAD, "Side %d has %d points in this round, not %d", side,
                          score.total, (int)state->history[row][side]);
    }
    return state->history_out[row] == state->out ||
           refuse(why, BAD, "The history names another seat that went out");
}

/* A history may lack rounds. If it is complete, it adds up to the scores. */
static bool history_fits(const struct hand_and_foot *state, struct refusal *why) {
    int finished = hand_foot_round_is_over(state) ? state->round : state->round - 1;
    if (state->history_count > finished)
        return refuse(why, BAD, "The history has %d rounds, but %d were played",
                      state->history_count, finished);
    for (int side = 0; side < state->sides && state->history_count == finished; side++) {
        int64_t sum = 0;
        for (int i = 0; i < state->history_count; i++)
            sum += state->history[i][side];
        if (finished > 0 && sum != state->total[side])
            return refuse(why, BAD, "The rounds of side %d do not add up to %d", side,
                          (int)state->total[side]);
    }
    return !hand_foot_round_is_over(state) || state->history_count == 0 ||
           last_score_fits(state, why);
}

bool hand_foot_position_fits(const struct hand_and_foot *state, struct refusal *why) {
    int rounds = state->rules[RULE_ROUNDS];
    if (rounds > 0 && state->round > rounds)
        return refuse(why, BAD, "This is round %d of %d", state->round, rounds);
    return ending_fits(state, why) && seats_fit(state, why) && reshuffled_fits(state, why) &&
           books_fit(state, why) && red_threes_fit(state, why) && asking_fits(state, why) &&
           history_fits(state, why) && (hand_foot_round_is_over(state) || turn_fits(state, why));
}
