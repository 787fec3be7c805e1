/* Test support for Hand & Foot: functions that put cards where a test needs them, and functions
 * that expect cards somewhere. Every card comes from the stock and goes back under it, so each
 * still exists once (the engine checks that after each move). This is no part of the game: only
 * tests link it. */
#ifndef GAMES_HAND_AND_FOOT_TEST_SUPPORT_H
#define GAMES_HAND_AND_FOOT_TEST_SUPPORT_H

#include "games/hand_and_foot/hand_and_foot.h"
#include "tests/support.h"

#define WRONG_PHASE   "WRONG_PHASE", NULL /* the texts of this code have tests of their own */
#define NOT_YOUR_TURN "NOT_YOUR_TURN", "Not your turn"
#define NEED_CLEAN    "Need Clean Book: 7+ cards with NO wilds"
#define NEED_DIRTY    "Need Dirty Book: 7+ cards WITH wilds"

/* Books of seven cards. Two and two are all but the dirty queens: 310 points in cards, and 1600 in
 * bonuses with the preset partners, 300 with closers, where they are laid open. */
#define CLEAN_KINGS  "KS KH KD KC KS KH KD"
#define CLEAN_QUEENS "QS QH QD QC QS QH QD"
#define DIRTY_QUEENS "QH QS QD QC QH QS 2D"
#define DIRTY_JACKS  "JS JH JD JC JS 2S 2H"
#define DIRTY_TENS   "10S 10H 10D 10C 10S 10H 2C"

/* The state, to look at and to change. */
struct hand_and_foot *edit(struct table *table);

uint8_t card_named(const char *text);

/* ---- Cards in their places; a list of cards is written "KH 2C JK" ---- */

/* Takes the copy that would be drawn last. */
void take_from_stock(struct hand_and_foot *state, int card);

/* Also counts as chosen, where players choose their hand. */
void set_hand(struct table *table, int seat, const char *cards);
void set_foot(struct table *table, int seat, const char *cards);
/* These cards are what is left of the seat's foot. */
void set_in_foot(struct table *table, int seat, const char *cards);
/* The last card named is the top. */
void set_pile(struct table *table, const char *cards);
/* The first card named is drawn first. */
void set_next(struct table *table, const char *cards);
/* All but the next `keep` cards of the stock go into the last seat's foot, where nobody looks. */
void set_stock(struct table *table, int keep);
/* Adds a book to the seat's side, which thereby has melded. */
void set_book(struct table *table, int seat, const char *cards);
void set_two_and_two(struct table *table, int seat);

/* ---- Turns ---- */

/* It becomes the seat's turn to draw. */
void turn_to(struct table *table, int seat);
/* The seat has drawn; its hand is these cards. */
void melding(struct table *table, int seat, const char *cards);
/* The same with the foot in play. */
void melding_foot(struct table *table, int seat, const char *cards);

/* ---- Deals ---- */

/* The first cards of hands, feet and stock; null: no wish. */
struct wanted {
    const char *hand[SEATS_MAX];
    const char *foot[SEATS_MAX];
    const char *stock;
};

/* The line of the next round's deal in which everybody has what is wanted. The rest fills it up:
 * fours first, then up to aces, threes, twos, jokers. The next call reuses the text. */
const char *deal_text(struct table *table, const struct wanted *wanted);
/* Deals the next round with no wishes. */
void deal_again(struct table *table);

/* A new game, dealt. With no wishes and two players of classic, hands and feet hold fours to
 * sevens, 7D is turned and all from eights on is in the stock. */
void begin_with(struct table *table, const char *options, int seats, const struct wanted *wanted);
void begin(struct table *table, const char *options, int seats);

/* Four hands of 4S 4H 4D and feet of 5S 5H 5D, so that each player costs the team 30 points; 6S
 * on the pile where a card is turned. */
void settle(struct table *table);
/* A new game of four, dealt and settled. */
void begin_settled(struct table *table, const char *options);

/* ---- Games of two, each for themselves ---- */

/* Seat 0 has drawn, has played down before, is in the foot and holds these cards. */
void begin_in_foot(struct table *table, const char *options, const char *cards);
/* The same with clean kings and dirty queens: 70 + 500 and 60 + 20 + 300 points. */
void ready_to_go_out(struct table *table, const char *options, const char *cards);
/* Seat 0 has played down, is to draw and sees this pile. */
void before_pile(struct table *table, const char *options, const char *hand, const char *pile);
/* The next round's deal, from a seed. */
void next_deal(struct table *table);

/* ---- Expectations ---- */

/* The status follows from the code; any text will do. */
void refused(struct table *table, const char *line, const char *code);
void refused_with(struct table *table, const char *line, const char *code, const char *text);

void kinds_are(const uint8_t *kinds, const char *cards);
void hand_is(struct table *table, int seat, const char *cards);
void pile_is(struct table *table, const char *cards);
/* The side's book of that number holds exactly these cards. */
void book_is(struct table *table, int side, int number, const char *cards);
void books_are(struct table *table, int side, int count);
void turn_of(struct table *table, int seat);

/* A piece of the view: of the spectator, or of that viewer. */
void shown(struct table *table, const char *json);
void shown_to(struct table *table, int viewer, const char *json);
void hidden_from(struct table *table, int viewer, const char *json);
/* A piece of the event's data. */
void told_within(struct table *table, const char *type, const char *piece);

void legal_has(struct table *table, int seat, const char *move);
void legal_lacks(struct table *table, int seat, const char *move);

/* The scores of two teams of two. */
void scores_are(struct table *table, int ours, int theirs);
void winners_are(struct table *table, uint32_t mask);

#endif
