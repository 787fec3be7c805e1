/* Test support for Hand & Foot: functions and lines of stories that put cards where a test needs
 * them, and lines that expect cards somewhere. Every card comes from the stock and goes back under
 * it, so each still exists once (the engine checks that after each move). This is no part of the
 * game: only tests link it. */
#pragma once

#include "games/hand_and_foot/hand_and_foot.h"
#include "tests/support.h"

/* Books of seven cards. */
#define CLEAN_KINGS  "KS KH KD KC KS KH KD"
#define CLEAN_QUEENS "QS QH QD QC QS QH QD"
#define DIRTY_QUEENS "QH QS QD QC QH QS 2D"
#define DIRTY_JACKS  "JS JH JD JC JS 2S 2H"
#define DIRTY_TENS   "10S 10H 10D 10C 10S 10H 2C"

/* The state, to look at and to change. */
struct hand_and_foot *edit(struct table *table);

/* ---- Cards in their places; a list of cards is written "KH 2C JK" ---- */

uint8_t card_named(const char *text);
/* Also counts as chosen, where players choose their hand. */
void set_hand(struct table *table, int seat, const char *cards);
/* The last card named is the top. */
void set_pile(struct table *table, const char *cards);
/* Adds a book to the seat's side, which thereby has melded. */
void set_book(struct table *table, int seat, const char *cards);
/* It is the seat's turn, and it has drawn; its hand is these cards. */
void melding(struct table *table, int seat, const char *cards);

/* ---- Games ---- */

/* A new game, dealt. With two players of classic, hands and feet hold fours to sevens, 7D is turned
 * and all from eights on is in the stock. */
void begin(struct table *table, const char *options, int seats);
/* A game of two: seat 0 has drawn, has played down before, is in the foot and holds these cards. */
void begin_in_foot(struct table *table, const char *options, const char *cards);
/* A game of two: seat 0 has played down, is to draw and sees this pile. */
void before_pile(struct table *table, const char *options, const char *hand, const char *pile);

/* ---- Positions ---- */

/* The state in words; the next call reuses the text. */
const char *position_text(const struct game_state *state);
/* Reads the text into a new game of the same table; true if it is accepted. */
bool position_reads(const struct table *table, const char *text, struct game_state *out,
                    struct refusal *why);

/* ---- Stories (tests/stories_test.c) ---- */

/* Plays a line of a story that only Hand & Foot has; returns false for all other lines.
 *
 * Deals, and positions that stories begin with:
 *   deal KH KS + AH / QS / 9H   the first cards of each hand and foot, and after them of the stock;
 *                               fours up to aces, threes, twos and jokers fill it up
 *   deal settled                hands of 4S 4H 4D and feet of 5S 5H 5D, so that each player costs
 *                               the team 30 points; 6S on the pile where a card is turned
 *   settle                      the same in a round that was dealt before
 *   deal in-foot KH KS          what begin_in_foot() does
 *   deal ready KH KS            the same with clean kings and dirty queens, 570 and 380 points
 *   deal before-pile KH / 9S    what before_pile() does: the hand, then the pile
 *
 * Changes:
 *   set hand 0 KH KS            also foot; in-foot, what is left of the foot; book, one more
 *   set melding 0 KH KS         it has drawn and holds these; also melding-foot, cards of the foot
 *   set turn 0                  it is to draw
 *   set two-and-two 0           two clean and two dirty books, 310 points in cards; their bonuses
 *                               are 1600 with partners, and 300 with closers, where they are open
 *   set pile 6S KH              the top last
 *   set next KH 9S              what is drawn next, the first card first
 *   set stock 3                 all but the next three cards go to the last seat's foot
 *   set close 1                 the first of all books
 *   set rules draw=3            options, in the middle of a game
 *   set melded 0 1              a member of the state that is a number, by seat or side if it is a
 *                               list; test_support.c names those that stories use
 *
 * Expectations:
 *   melded 0 is 1               such a number
 *   rules are draw=3 decks=4    such options
 *   hand 0 is KH KS             also foot; pile, without a seat
 *   held 0 KH is 2              copies of a card in that hand
 *   all hold 11 + 11            how many cards each seat has in hand and foot
 *   book 0 1 is KH KS KD        the first book of side 0; also whether it is open or closed
 *   books 0 is 2                how many it has
 *   points 10: 8S KH            what each of these cards counts; `penalty`: what it costs
 *   score 0 has out 100,        a piece of the side's score if the round ended now: melds, bonuses,
 *                               hand and foot (cards, penalty), red threes, out, total
 *   position holds              the state in words can be taken up again
 *   position refused: TEXT      it cannot, and this is why
 *   position "a" as "b": TEXT   it cannot with this change of the words */
bool hand_and_foot_line(struct table *table, const char *line);
