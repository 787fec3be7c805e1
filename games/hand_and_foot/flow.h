/* What the files of Hand & Foot share of its flow. Private to this folder. */
#pragma once

#include "games/hand_and_foot/hand_and_foot.h"

/* Members of the game's struct. */
uint32_t hand_foot_to_act(const void *from);
void hand_foot_pick(const void *from, int seat, struct chance *chance, struct move *out);
size_t hand_foot_legal(const void *from, int seat, struct move *out, size_t max);
void hand_foot_observe(const void *from, int seat, void *to);
void hand_foot_sample(const void *from, int seat, struct chance *chance, void *to);
bool hand_foot_holds(const void *from);

/* The rows of all verbs, and one more that only the API knows (moves.c). */
enum { HAND_FOOT_VERBS = HAND_FOOT_ANSWER + 2 };
extern const struct verb hand_foot_verbs[HAND_FOOT_VERBS];

/* Steps of a turn that moves share (hand_and_foot.c). */
void hand_foot_begin_turn(struct hand_and_foot *state, int seat, struct events *events);
/* Scores the round; `out` is who went out, or HAND_FOOT_NOBODY. */
void hand_foot_end_round(struct hand_and_foot *state, enum hand_foot_ending ending, int out,
                         struct events *events);
/* A hand that is used up is followed by the foot, or by going out. */
void hand_foot_settle_hand(struct hand_and_foot *state, int seat, struct events *events);
/* Draws, or asks for a shuffle, or ends the round where cards are missing. */
void hand_foot_draw(struct hand_and_foot *state, struct events *events);
/* A card joins the hand as a newly drawn one. */
void hand_foot_receive(struct hand_and_foot *state, int seat, int card);
void hand_foot_forget_new_cards(struct hand_and_foot *state, int seat);
void hand_foot_clear_undo(struct hand_and_foot *state);

/* The seat that has the round's first turn. */
static inline int hand_foot_starter(const struct hand_and_foot *state) {
    return state->rules[RULE_STARTER_ROTATES] ? (state->round - 1) % state->head.seats : 0;
}

/* Where `red_threes` of the state counts that red three. */
static inline int hand_foot_red_three_place(int card) {
    return card / CARD_RANKS - CARD_HEARTS;
}

/* The card on top of a pile that is not empty. */
static inline int hand_foot_top(const struct hand_and_foot *state) {
    return state->pile[state->pile_count - 1];
}

/* How many of the cards that go with the pile's top card may be wild. Lists also ask where the top
 * card may go anywhere, and then any group will do. */
static inline int hand_foot_companion_wilds(const struct hand_and_foot *state) {
    return state->rules[RULE_PICKUP_WITH] == WITH_TWO_NATURALS ? 0 : 1;
}

/* What everybody learns when the discard pile is about to go under the stock, and when a card
 * leaves a hand for all to see. The latter also takes it out of the hand. */
void hand_foot_note_reshuffle(struct hand_and_foot *state);
void hand_foot_leave_hand(struct hand_and_foot *state, int seat, int card);

/* Is every card at a place where it can be, given all that everybody has seen since the last
 * shuffle? */
bool hand_foot_reshuffled_holds(const struct hand_and_foot *state);

/* Does the seat hold the cards that everybody saw go to its hand? */
bool hand_foot_shown_cards_are_held(const struct hand_and_foot *state, int seat);

/* Does the side have the books to go out, if their numbers change by so many (moves.c)? */
bool hand_foot_has_books_to_go_out(const struct hand_and_foot *state, int side, int clean_change,
                                   int dirty_change);

/* Does the game end with the round that has just been scored? */
bool hand_foot_game_is_over(const struct hand_and_foot *state);

/* How many copies of a kind all decks together have. */
int hand_foot_deck_count(const struct hand_and_foot *state, int card);

/* ---- addresses.c: address_fits of the verbs that have an address ---- */

bool hand_foot_is_own_address(const void *from, int seat, const struct span *parts,
                              struct refusal *why);
bool hand_foot_is_address_of_cards(const void *from, int seat, const struct span *parts,
                                   struct refusal *why);
