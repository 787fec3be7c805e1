/* What everybody is told of a game of Hand & Foot, with the lines of the action log; see words.h.
 */
#include "games/hand_and_foot/words.h"

#include <string.h>

/* ---- Messages for the action log ---- */

/* A message of words, a number or cards, and more words (HF-95). */
struct message {
    char data[MOVE_TEXT_SIZE];
    struct text text;
};

static struct text *begin_message(struct message *message, const char *words) {
    text_begin(&message->text, message->data, sizeof message->data);
    text_string(&message->text, words);
    return &message->text;
}

/* `before` KH KS `after` */
static void say_cards(struct events *events, int seat, const char *before, const uint8_t *cards,
                      int count, const char *after) {
    struct message message;
    struct text *text = begin_message(&message, before);
    for (int i = 0; i < count; i++) {
        text_char(text, ' ');
        card_print(cards[i], text);
    }
    text_string(text, after);
    event_message(events, seat, "%s", message.data);
}

static void say_card(struct events *events, int seat, const char *before, int card,
                     const char *after) {
    uint8_t one = (uint8_t)card;
    say_cards(events, seat, before, &one, 1, after);
}

/* completed a Clean Book of K */
static void say_book(const struct hand_and_foot *state, int seat, int book, const char *did,
                     struct events *events) {
    const struct hand_foot_book *of = &state->books[book];
    bool wild = of->rank == HAND_FOOT_WILD_RANK;
    const char *status = hand_foot_book_status(state, of);
    event_message(events, seat, "%s %s %s%s%s", did, status[0] == 'U' ? "an" : "a", status,
                  wild ? "" : " of ", wild ? "" : hand_foot_rank_word(of->rank));
}

/* ---- Events ---- */

void hand_foot_tell_hand(const void *of, int seat, struct events *events) {
    const struct hand_and_foot *state = of;
    if (!state->chose_pile[seat])
        return;
    struct json *json = event_begin(events, "hand-updated", 1u << seat);
    hand_foot_kinds_json(json, "hand", state->hand[seat]);
    hand_foot_new_cards_json(state, seat, json);
    event_end(events);
}

void hand_foot_tell_deal(const struct hand_and_foot *state, struct events *events) {
    struct json *json = event_begin(events, "round-started", EVERYONE);
    json_put_number(json, "round", state->round);
    json_put_number(json, "minimum", hand_foot_first_meld(state));
    json_put_number(json, "deckSize", state->stock_count);
    if (state->pile_count > 0)
        hand_foot_card_json(json, "topCard", state->pile[0], 1);
    else
        json_put_null(json, "topCard");
    json_put_bool(json, "frozen", hand_foot_frozen(state));
    event_end(events);
    event_message(events, NATURE, "Round %d begins", state->round);
    for (int seat = 0; seat < state->head.seats; seat++)
        hand_foot_tell_hand(state, seat, events);
}

void hand_foot_tell_turn(const struct hand_and_foot *state, struct events *events) {
    event_begin_seat(events, "turn-started", state->current);
    event_end(events);
}

void hand_foot_tell_draw(const struct hand_and_foot *state, int seat, int count,
                         struct events *events) {
    struct json *json = event_begin_seat(events, "cards-drawn", seat);
    json_put_number(json, "count", count);
    json_put_number(json, "deckSize", state->stock_count);
    event_end(events);
    event_message(events, seat, count == 1 ? "drew %d card" : "drew %d cards", count);
    hand_foot_tell_hand(state, seat, events);
}

/* Only the taker is told what lies below the top card. The forced play is told like every other
 * play. */
void hand_foot_tell_take(const struct hand_and_foot *state, int seat, int top, int count,
                         struct events *events) {
    struct json *json = event_begin_seat(events, "pile-taken", seat);
    hand_foot_card_json(json, "topCard", top, 1);
    json_put_number(json, "count", count);
    json_put_number(json, "pileSize", state->pile_count - count);
    event_end(events);
    if (count == 1)
        say_card(events, seat, "took", top, " from the pile");
    else
        event_message(events, seat, "took %d cards from the pile", count);
}

/* HF-36: the answer to the taker, in the order in which the cards left hand and pile. */
void hand_foot_tell_taken(const struct hand_and_foot *state, const struct plan *plan,
                          const uint8_t *additional, int count, struct events *events) {
    struct json *json = event_begin(events, "discard-unlocked", 1u << plan->seat);
    hand_foot_list_json(json, "meldedCards", plan->cards, plan->card_count);
    hand_foot_list_json(json, "additionalCards", additional, count);
    event_end(events);
    event_answers(events);
    hand_foot_tell_hand(state, plan->seat, events);
}

void hand_foot_tell_reshuffle(const struct hand_and_foot *state, struct events *events) {
    struct json *json = event_begin(events, "discards-reshuffled", EVERYONE);
    json_put_number(json, "deckSize", state->stock_count);
    event_end(events);
    event_message(events, NATURE, "The discard pile was shuffled into the deck");
}

static int planned_book(const struct hand_and_foot *state, const struct plan *plan, int group) {
    int book = plan->groups[group].book, new_books = 0;
    if (book == BOOK_OF_EARLIER_GROUP)
        return planned_book(state, plan, plan->groups[group].earlier);
    if (book != NEW_BOOK)
        return book;
    for (int i = group; i < plan->group_count; i++)
        new_books += plan->groups[i].book == NEW_BOOK;
    return state->book_count - new_books;
}

/* Is this the last group for that book, and does it complete it? Groups that merge are told
 * once. */
static bool completes(const struct hand_and_foot *state, const struct plan *plan, int group,
                      int index) {
    int added = 0, size = hand_foot_book_size(&state->books[index]);
    for (int i = 0; i < plan->group_count; i++) {
        if (planned_book(state, plan, i) != index)
            continue;
        if (i > group)
            return false;
        added += plan->groups[i].count;
    }
    int book_size = state->rules[RULE_BOOK_SIZE];
    return book_is_complete(size, book_size) && !book_is_complete(size - added, book_size);
}

/* melded KH KS 2C, or: added 2H to book 1 (K) */
static void say_group(const struct hand_and_foot *state, const struct plan *plan, int group,
                      int index, struct events *events) {
    bool is_new = plan->groups[group].book == NEW_BOOK;
    int rank = state->books[index].rank;
    struct message onto;
    struct text *text = begin_message(&onto, is_new ? "" : " to book ");
    if (!is_new) {
        text_number(text, hand_foot_book_number(state, index));
        text_string(text, " (");
        text_string(text, hand_foot_rank_word(rank));
        text_char(text, ')');
    }
    say_cards(events, plan->seat, is_new ? "melded" : "added",
              plan->cards + plan->groups[group].first, plan->groups[group].count, onto.data);
}

void hand_foot_tell_play(const struct hand_and_foot *state, const struct plan *plan, bool opened,
                         struct events *events) {
    for (int i = 0; i < plan->group_count; i++) {
        const struct plan_group *group = &plan->groups[i];
        int index = planned_book(state, plan, i);
        struct json *json = event_begin_seat(events, "cards-melded", plan->seat);
        json_put_number(json, "team", plan->side);
        json_put_number(json, "bookId", hand_foot_book_number(state, index));
        hand_foot_list_json(json, "cards", plan->cards + group->first, group->count);
        json_put_bool(json, "firstMeld", opened);
        event_end(events);
        say_group(state, plan, i, index, events);
        if (!completes(state, plan, i, index))
            continue;
        json = event_begin_seat(events, "book-completed", plan->seat);
        json_put_number(json, "bookId", hand_foot_book_number(state, index));
        json_put_string(json, "status", hand_foot_book_status(state, &state->books[index]));
        event_end(events);
        say_book(state, plan->seat, index, "completed", events);
    }
    hand_foot_tell_hand(state, plan->seat, events);
}

void hand_foot_tell_close(const struct hand_and_foot *state, int seat, int book,
                          struct events *events) {
    struct json *json = event_begin_seat(events, "book-closed", seat);
    json_put_number(json, "bookId", hand_foot_book_number(state, book));
    json_put_string(json, "status", hand_foot_book_status(state, &state->books[book]));
    event_end(events);
    say_book(state, seat, book, "closed", events);
}

void hand_foot_tell_undo(const struct hand_and_foot *state, int seat, int cards,
                         struct events *events) {
    const char *message = cards == 0   ? "opened the closed book again"
                          : cards == 1 ? "took back %d card"
                                       : "took back %d cards";
    event_number(events, "play-undone", seat, "count", cards, message);
    hand_foot_tell_hand(state, seat, events);
}

void hand_foot_tell_foot(const struct hand_and_foot *state, int seat, struct events *events) {
    event_begin_seat(events, "foot-picked-up", seat);
    event_end(events);
    event_message(events, seat, "picked up foot");
    hand_foot_tell_hand(state, seat, events);
}

void hand_foot_tell_discard(const struct hand_and_foot *state, int seat, int card,
                            struct events *events) {
    struct json *json = event_begin_seat(events, "card-discarded", seat);
    hand_foot_card_json(json, "card", card, 1);
    json_put_number(json, "pileSize", state->pile_count);
    json_put_bool(json, "frozen", hand_foot_frozen(state));
    event_end(events);
    say_card(events, seat, "discarded", card,
             hand_foot_frozen(state) ? "; the pile is frozen" : "");
    hand_foot_tell_hand(state, seat, events);
}

void hand_foot_tell_red_three(const struct hand_and_foot *state, int seat, int card,
                              struct events *events) {
    struct json *json = event_begin_seat(events, "red-three-laid", seat);
    hand_foot_card_json(json, "card", card, 1);
    event_end(events);
    say_card(events, seat, "laid", card, "");
    hand_foot_tell_hand(state, seat, events);
}

void hand_foot_tell_warning(struct events *events) {
    static const char warning[] =
        "⚠️ WARNING: Only 3s in discard with low deck. Round will end if continues.";
    struct json *json = event_begin(events, "stalemate-warning", EVERYONE);
    json_put_string(json, "text", warning);
    event_end(events);
    event_message(events, NATURE, "%s", warning);
}

/* HF-103, HF-108: writes a sentence, or what the player did who went out. */
static void write_ending(const struct hand_and_foot *state, struct message *message) {
    if (state->out == HAND_FOOT_NOBODY)
        text_string(begin_message(message, "Emergency round end: "), hand_foot_ending_text(state));
    else
        begin_message(message,
                      state->foot_now ? "went out immediately after picking up foot!" : "went out");
}

void hand_foot_tell_round_end(const struct hand_and_foot *state, struct events *events) {
    struct json *json = event_begin(events, "round-over", EVERYONE);
    json_put_number(json, "round", state->round);
    json_put_string(json, "reason", hand_foot_ending_text(state));
    struct message message;
    write_ending(state, &message);
    json_put_string(json, "message", message.data);
    hand_foot_seat_or_null(json, "wentOut", state->out);
    json_put_array(json, "scores");
    for (int side = 0; side < state->sides; side++)
        hand_foot_score_json(state, side, json);
    json_put_end(json);
    json_put_bool(json, "isGameOver", state->phase == HAND_FOOT_GAME_END);
    event_end(events);
    event_message(events, state->out == HAND_FOOT_NOBODY ? NATURE : state->out, "%s", message.data);
    if (state->phase != HAND_FOOT_GAME_END)
        return;
    json = event_begin(events, "game-over", EVERYONE);
    int best = state->total[0], best_sides = 0;
    json_put_array(json, "totals");
    for (int side = 0; side < state->sides; side++) {
        json_put_number(json, NULL, state->total[side]);
        best = state->total[side] > best ? state->total[side] : best;
    }
    json_put_end(json);
    for (int side = 0; side < state->sides; side++)
        best_sides += state->total[side] == best;
    json_put_bool(json, "tie", best_sides > 1);
    hand_foot_winners_json(state, json);
    event_end(events);
    event_message(events, NATURE,
                  best_sides > 1 ? "The game is over: a tie on points" : "The game is over");
}
