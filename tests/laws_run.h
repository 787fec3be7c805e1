/* What the files of the laws share: a game being played, and the laws as functions that return
 * false after they have named the one that is broken. */
#pragma once

#include "tests/laws.h"

enum {
    LAW_JSON_SIZE = 1 << 17,
    LAW_SECRET_MOVES_MAX = 8 /* how many moves are tried to find one with other cards in the twin */
};

struct run {
    const struct game *game;
    struct game_state start;
    struct game_state state;
    struct chance chance;
    struct text log;
    struct laws_report *report;
    struct move likely[SEATS_MAX]; /* a move that was legal for the seat when it last had one */
    /* A second game with other hidden cards or secret moves, in which `watcher` has been shown the
     * same as in this one. */
    struct game_state twin;
    bool has_twin;
    int watcher;
    uint16_t twin_card[DEAL_CARD_CODE_MAX]; /* where a card was dealt, the twin has this one */
    bool translates; /* secret moves of the twin are those of the game with the twin's cards */
};

/* A seat's move, or NATURE's deal with its cards in the order in which they leave the deck. */
struct turn {
    int mover;
    struct move move;
    const struct deal *deal;
};

bool law_broken(struct run *run, const char *law);
bool law_same_state(const struct game *game, const struct game_state *a,
                    const struct game_state *b);
int32_t law_random_between(struct chance *chance, int32_t low, int32_t high);

/* Are those of the events the same that somebody in this audience hears? */
bool law_same_events(const struct events *a, const struct events *b, uint32_t audience);

/* About one state: laws_state.c. The buffer has LAW_JSON_SIZE. */
bool law_legal(struct run *run, int seat);
bool law_garbage(struct run *run);
bool law_refusals(struct run *run);
bool law_position(struct run *run);
bool law_figures(struct run *run);
bool law_view_text(struct run *run, const struct game_state *state, int seat, char *buffer);
bool law_common(struct run *run);
bool law_secrecy(struct run *run, int seat);
bool law_bots(struct run *run, int seat);

/* About a turn that was just taken, and the twin in which it is taken as well: laws_twin.c. */
bool law_take_turn(const struct game *game, struct game_state *state, const struct turn *turn,
                   struct events *events);
bool law_events(struct run *run, const struct game_state *before, const struct turn *turn,
                const struct events *events, int seat);
bool law_move_twin(struct run *run, const struct game_state *before, const struct turn *turn,
                   const struct events *events);
bool law_deal_twin(struct run *run, const struct game_state *before, const struct deal *dealt,
                   const struct events *events);
void law_translate_move(struct run *run, const struct move *move, struct move *out);

/* The cards from `from` up to `to` are shuffled together; `position` is one of them. */
void law_find_deck(const struct deal *deal, size_t position, size_t *from, size_t *to);
