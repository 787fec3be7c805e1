/* What people read of Hand & Foot: events, views, notation. Private to this folder. */
#pragma once

#include "games/hand_and_foot/hand_and_foot.h"
#include "games/hand_and_foot/plan.h"

/* HF-68: writes everything that the seat lacks to go out, if its books change by so many. */
void hand_foot_write_missing(const struct hand_and_foot *state, int seat, int clean_change,
                             int dirty_change, struct text *text);

/* HF-16: 3s, then 4 to K, aces, 2s; jokers follow. */
extern const uint8_t hand_foot_rank_order[CARD_RANKS];

/* The words for the phases of a turn. */
extern const char *const hand_foot_turn_words[HAND_FOOT_TURN_PHASES];

/* "Clean Book" and the like (HF-56, HT-10). */
const char *hand_foot_book_status(const struct hand_and_foot *state,
                                  const struct hand_foot_book *book);
/* Why the round ended. */
const char *hand_foot_ending_text(const struct hand_and_foot *state);

/* Pieces of JSON and words that views and events share. */
void hand_foot_card_json(struct json *json, const char *key, int card, int copy);
void hand_foot_kinds_json(struct json *json, const char *key, const uint8_t *kinds);
void hand_foot_list_json(struct json *json, const char *key, const uint8_t *cards, int count);
void hand_foot_new_cards_json(const struct hand_and_foot *state, int seat, struct json *json);
void hand_foot_seat_or_null(struct json *json, const char *key, int seat);
void hand_foot_score_json(const struct hand_and_foot *state, int side, struct json *json);
void hand_foot_winners_json(const struct hand_and_foot *state, struct json *json);
const char *hand_foot_rank_word(int rank);

/* The hand of a seat, to that seat. */
void hand_foot_tell_hand(const void *state, int seat, struct events *events);

/* Events, each with a message for the action log (HF-95); `events` must not be null. The pile
 * is told before it is taken and the new hand afterwards. In events.c. */
void hand_foot_tell_deal(const struct hand_and_foot *state, struct events *events);
void hand_foot_tell_turn(const struct hand_and_foot *state, struct events *events);
void hand_foot_tell_draw(const struct hand_and_foot *state, int seat, int count,
                         struct events *events);
void hand_foot_tell_take(const struct hand_and_foot *state, int seat, int top, int count,
                         struct events *events);
void hand_foot_tell_taken(const struct hand_and_foot *state, const struct plan *plan,
                          const uint8_t *additional, int count, struct events *events);
void hand_foot_tell_reshuffle(const struct hand_and_foot *state, struct events *events);
void hand_foot_tell_play(const struct hand_and_foot *state, const struct plan *plan, bool opened,
                         struct events *events);
void hand_foot_tell_close(const struct hand_and_foot *state, int seat, int book,
                          struct events *events);
void hand_foot_tell_undo(const struct hand_and_foot *state, int seat, int cards,
                         struct events *events);
void hand_foot_tell_foot(const struct hand_and_foot *state, int seat, struct events *events);
void hand_foot_tell_discard(const struct hand_and_foot *state, int seat, int card,
                            struct events *events);
void hand_foot_tell_red_three(const struct hand_and_foot *state, int seat, int card,
                              struct events *events);
void hand_foot_tell_warning(struct events *events);
void hand_foot_tell_round_end(const struct hand_and_foot *state, struct events *events);

/* Each card after a blank, in the order of HF-16; those that `fresh` (or null) counts with a star.
 * In table.c. */
void hand_foot_print_kinds(const uint8_t *kinds, const uint8_t *fresh, struct text *text);

/* Members of the game's struct; `show` is in table.c. */
void hand_foot_describe(const void *seen, int viewer, struct json *json);
void hand_foot_show(const void *seen, int viewer, const char *const *names, struct text *text);
