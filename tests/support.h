/* What all unit tests include: cmocka, and a few functions to write tests with. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "engine/game.h"

/* A test. The program runs all of its file, in their order; it needs no main. */
#define UNIT_TEST(name)                                                                            \
    static void name(void **unused);                                                               \
    __attribute__((constructor)) static void name##_is_added(void) {                               \
        test_add(#name, name);                                                                     \
    }                                                                                              \
    static void name(void **unused)
void test_add(const char *name, void (*run)(void **unused));

/* What runs before or after each test of the file; not 0 is a failure. */
#define BEFORE_EACH(name) FIXTURE(name, test_before_each)
#define AFTER_EACH(name)  FIXTURE(name, test_after_each)
#define FIXTURE(name, place)                                                                       \
    static int name(void **unused);                                                                \
    __attribute__((constructor)) static void name##_is_set(void) {                                 \
        place = name;                                                                              \
    }                                                                                              \
    static int name(void **unused)
extern int (*test_before_each)(void **unused), (*test_after_each)(void **unused);

/* The same with a table for a game, which the test starts. */
#define TABLE_TEST(name)                                                                           \
    static void name(struct table *table);                                                         \
    static void name##_at_a_table(void **unused) {                                                 \
        struct table table;                                                                        \
        name(&table);                                                                              \
    }                                                                                              \
    __attribute__((constructor)) static void name##_is_added(void) {                               \
        test_add(#name, name##_at_a_table);                                                        \
    }                                                                                              \
    static void name(struct table *table)

/* What happens when an `ensure` does not hold: the test fails, unless this does not return. */
extern void (*on_ensure_failed)(const char *what);

/* Expects the invariants of the game not to hold in a `bad` copy of the state after the change. */
#define assert_breaks(game, good, change)                                                          \
    do {                                                                                           \
        __typeof__(good) bad = good;                                                               \
        change;                                                                                    \
        assert_false((game).holds(&bad));                                                          \
    } while (0)

/* A game under test, and what the last refused line was answered with. */
struct table {
    const struct game *game;
    struct game_state state;
    struct refusal why;
    struct events events;
    char buffer[1 << 16];
};

/* Starts a game; fails the test if that is refused. */
void table_start(struct table *table, const struct game *game, const char *options, int seats);

/* The same, but the refusal is expected: code and text are compared. */
void table_refuses_start(const struct game *game, const char *options, int seats, const char *code,
                         const char *text);

/* Plays "0 play 12 1" or "- deal ...", one or several lines; fails the test on a refusal. */
void table_play(struct table *table, const char *lines);

/* NATURE deals so that the groups get these cards ("8H 9H / KC / QS"); what is not named is filled
 * up with the other cards in the order of the deck. */
void table_deal(struct table *table, const char *groups);

/* Expects the line to be refused so, and the state to be untouched. A null text matches any. */
void table_refuses(struct table *table, const char *line, const char *code, const char *text);

/* The same for a move that was not read from a text. */
void table_refuses_move(struct table *table, int seat, const struct move *move, const char *code,
                        const char *text);

/* The event of that type that the last line produced, or null; `nth` counts from 0. */
const struct event *table_event(const struct table *table, const char *type, int nth);

/* Expects the last line to have produced the event with exactly this data. */
void table_told(const struct table *table, const char *type, const char *data);

/* Expects the last line to have produced events of exactly these types, with blanks between. */
void table_told_only(const struct table *table, const char *types);

/* The view of a seat as JSON text, in a buffer that the next call reuses. */
const char *table_view(struct table *table, int viewer);

/* Is the text somewhere in the view of the seat? */
bool table_shows(struct table *table, int viewer, const char *json);

/* One step at random: NATURE deals, or the first seat that is awaited makes a legal move, which is
 * written down. Returns who it was. */
int step_at_random(const struct game *game, struct game_state *state, struct chance *chance,
                   struct move *move);

/* What the round that has just ended adds to a figure of the seat, or of the table for SPECTATOR.
 */
int32_t table_counts(const struct table *table, int seat, int figure);

/* The legal moves of a seat as text, separated by "; ". */
const char *table_legal(struct table *table, int seat);

/* Expects the terminal to ask an awaited seat this. */
void table_asks(const struct table *table, int seat, const char *prompt);
