/* Laws about one move or deal: what its events tell, and what a seat observes of it in two games
 * that looked the same to it before. See laws.c for all laws. */
#include "tests/laws_run.h"

#include <string.h>

enum { SAMPLES_FOR_EVENTS = 6, EXCHANGES_MAX = 12 };

bool law_take_turn(const struct game *game, struct game_state *state, const struct turn *turn,
                   struct events *events) {
    if (turn->mover == NATURE)
        return game_deal_cards(game, state, turn->deal->cards, turn->deal->count, events, NULL);
    return game_play(game, state, turn->mover, &turn->move, events, NULL);
}

static bool spans_equal(struct span one, struct span two) {
    return one.length == two.length &&
           (one.length == 0 || memcmp(one.data, two.data, one.length) == 0);
}

bool law_same_events(const struct events *a, const struct events *b, uint32_t audience) {
    size_t i = 0, j = 0;
    for (;;) {
        while (i < a->count && (a->item[i].audience & audience) == 0)
            i++;
        while (j < b->count && (b->item[j].audience & audience) == 0)
            j++;
        if (i == a->count || j == b->count)
            return i == a->count && j == b->count;
        const struct event *one = &a->item[i++], *two = &b->item[j++];
        if (strcmp(one->type, two->type) != 0 || one->seat != two->seat ||
            !spans_equal(one->data, two->data) || !spans_equal(one->message, two->message))
            return false;
    }
}

static bool visible_events_equal(const struct events *a, const struct events *b, int seat) {
    return law_same_events(a, b, seat == SPECTATOR ? SPECTATORS : (uint32_t)1 << seat);
}

/* The same turn in other states that the seat could not tell from the true one before. */
bool law_events(struct run *run, const struct game_state *before, const struct turn *turn,
                const struct events *events, int seat) {
    static char buffer[LAW_JSON_SIZE];
    const struct game *game = run->game;
    struct game_state seen, seen_after, other_after;
    game_observe(game, before, seat, &seen);
    game_observe(game, &run->state, seat, &seen_after);
    for (int i = 0; i < SAMPLES_FOR_EVENTS; i++) {
        struct game_state other;
        struct events other_events;
        events_begin(&other_events, buffer, sizeof buffer);
        game_sample(game, &seen, seat, &run->chance, &other);
        if (!law_take_turn(game, &other, turn, &other_events))
            continue;
        game_observe(game, &other, seat, &other_after);
        if (!law_same_state(game, &seen_after, &other_after))
            continue;
        run->report->events_compared++;
        if (!visible_events_equal(events, &other_events, seat))
            return law_broken(run, "an event tells no more than the view");
    }
    return true;
}

/* ---- The twin: a second game that looks the same to one seat ---- */

/* The seat has been shown the same in both games, and a turn was just taken in both. `alike` tells
 * whether it still observes the same. If it does not, it must have been shown a difference. */
static bool compare_twin(struct run *run, int seat, const struct events *events,
                         const struct game_state *twin, const struct events *twin_events,
                         bool *alike) {
    static char view[LAW_JSON_SIZE], twin_view[LAW_JSON_SIZE];
    struct game_state seen, twin_seen;
    game_observe(run->game, &run->state, seat, &seen);
    game_observe(run->game, twin, seat, &twin_seen);
    bool told_the_same = visible_events_equal(events, twin_events, seat);
    *alike = law_same_state(run->game, &seen, &twin_seen);
    run->report->twins += *alike && !law_same_state(run->game, &run->state, twin);
    if (*alike)
        return told_the_same || law_broken(run, "an event tells no more than the view");
    if (!told_the_same)
        return true;
    return law_view_text(run, &run->state, seat, view) &&
           law_view_text(run, twin, seat, twin_view) &&
           (strcmp(view, twin_view) != 0 ||
            law_broken(run, "a seat observes no more than it was shown"));
}

void law_find_deck(const struct deal *deal, size_t position, size_t *from, size_t *to) {
    *from = *to = 0;
    for (int i = 0; i < deal->part_count; i++) {
        if (deal->parts[i].new_deck) {
            if (*to > position)
                return;
            *from = *to;
        }
        *to += deal->parts[i].count;
    }
}

/* A card of a random part, so that small parts are chosen as often as large ones. */
static size_t random_position(struct run *run, const struct deal *deal) {
    uint32_t chosen;
    size_t position = 0;
    do
        chosen = chance_below(&run->chance, deal->part_count);
    while (deal->parts[chosen].count == 0);
    for (uint32_t i = 0; i < chosen; i++)
        position += deal->parts[i].count;
    return position + chance_below(&run->chance, deal->parts[chosen].count);
}

/* Exchanges two cards that are shuffled together, often of two different parts. */
static void exchange_cards(struct run *run, struct deal *deal) {
    size_t from, to;
    size_t one = random_position(run, deal), two = random_position(run, deal);
    law_find_deck(deal, one, &from, &to);
    if (two < from || two >= to || chance_below(&run->chance, 4) == 0)
        two = from + chance_below(&run->chance, (uint32_t)(to - from));
    uint16_t card = deal->cards[one];
    deal->cards[one] = deal->cards[two];
    deal->cards[two] = card;
}

/* Exchanges pairs of cards in a deal that was just dealt, as long as the seat is shown the same.
 * `deal` holds the cards of the twin in the end. */
static bool fork_deal(struct run *run, const struct game_state *before, const struct events *events,
                      int seat, struct deal *deal, struct game_state *twin) {
    static char buffer[LAW_JSON_SIZE];
    *twin = run->state;
    int tries = deal->count > 0 ? law_random_between(&run->chance, 1, EXCHANGES_MAX) : 0;
    for (; tries > 0; tries--) {
        struct game_state other = *before;
        struct deal other_deal = *deal;
        struct events other_events;
        bool alike;
        exchange_cards(run, &other_deal);
        events_begin(&other_events, buffer, sizeof buffer);
        law_take_turn(run->game, &other, &(struct turn){.mover = NATURE, .deal = &other_deal},
                      &other_events);
        if (!compare_twin(run, seat, events, &other, &other_events, &alike))
            return false;
        if (alike) {
            *twin = other;
            *deal = other_deal;
        }
    }
    return true;
}

/* Takes a turn in the twin, too; the twin is given up if it cannot be taken there, or if the
 * watcher sees a difference. */
static bool try_in_twin(struct run *run, const struct turn *turn, const struct events *events) {
    static char buffer[LAW_JSON_SIZE];
    struct game_state twin = run->twin;
    struct events twin_events;
    events_begin(&twin_events, buffer, sizeof buffer);
    run->has_twin = law_take_turn(run->game, &twin, turn, &twin_events);
    if (run->has_twin &&
        !compare_twin(run, run->watcher, events, &twin, &twin_events, &run->has_twin))
        return false;
    if (run->has_twin)
        run->twin = twin;
    return true;
}

/* The move with the cards that the twin has in place of those that it names. An argument that is no
 * card may be changed as well; then the twin refuses the move, or the watcher sees a difference. */
void law_translate_move(struct run *run, const struct move *move, struct move *out) {
    *out = *move;
    for (int i = 0; i < move->count; i++)
        if (move->args[i] < DEAL_CARD_CODE_MAX)
            out->args[i] = run->twin_card[move->args[i]];
}

static void begin_twin(struct run *run, const struct game_state *twin, int watcher) {
    run->twin = *twin;
    run->watcher = watcher;
    run->has_twin = true;
    run->translates = chance_below(&run->chance, 2) == 0;
    for (uint16_t card = 0; card < DEAL_CARD_CODE_MAX; card++)
        run->twin_card[card] = card;
}

/* Others read only the word of this move, so the twin may take another one with that word: the one
 * with its own cards, or any. */
static bool move_twin_in_secret(struct run *run, const struct turn *turn,
                                const struct events *events) {
    struct move moves[GAME_LEGAL_MAX];
    struct turn other = *turn;
    uint32_t count = (uint32_t)game_legal(run->game, &run->twin, turn->mover, moves);
    for (int i = 0; count > 0 && i < LAW_SECRET_MOVES_MAX; i++) {
        if (run->translates && i == 0)
            law_translate_move(run, &turn->move, &other.move);
        else
            other.move = moves[chance_below(&run->chance, count)];
        if (other.move.verb != turn->move.verb)
            continue;
        if (!try_in_twin(run, &other, events))
            return false;
        if (run->has_twin)
            return true;
    }
    return try_in_twin(run, turn, events);
}

/* A secret move makes a twin where there is none. */
bool law_move_twin(struct run *run, const struct game_state *before, const struct turn *turn,
                   const struct events *events) {
    bool secret = verb_of(run->game, &turn->move)->secret;
    if (!run->has_twin && secret)
        begin_twin(run, before,
                   law_random_between(&run->chance, SPECTATOR, game_seats(before) - 1));
    if (!run->has_twin)
        return true;
    return secret && turn->mover != run->watcher ? move_twin_in_secret(run, turn, events)
                                                 : try_in_twin(run, turn, events);
}

/* In a shuffle the twin may need another order to look the same, because its cards are others. */
static bool shuffle_twin(struct run *run, const struct deal *dealt, const struct events *events) {
    struct deal deal = *dealt;
    for (int i = 0; i < EXCHANGES_MAX && deal.count > 0; i++) {
        if (!try_in_twin(run, &(struct turn){.mover = NATURE, .deal = &deal}, events))
            return false;
        if (run->has_twin)
            return true;
        exchange_cards(run, &deal);
    }
    return true;
}

/* A deal is varied for each seat, and the variant for one of them becomes the twin. A shuffle in
 * mid-round leaves the twin that is there, if it can look the same there. */
bool law_deal_twin(struct run *run, const struct game_state *before, const struct deal *dealt,
                   const struct events *events) {
    int seats = game_seats(&run->state);
    run->has_twin = run->has_twin && game_to_act(run->game, before) == AWAITS_SHUFFLE;
    if (run->has_twin && !shuffle_twin(run, dealt, events))
        return false;
    int chosen = law_random_between(&run->chance, SPECTATOR, seats - 1);
    for (int seat = SPECTATOR; seat < seats; seat++) {
        struct game_state twin;
        struct deal deal = *dealt;
        if (!fork_deal(run, before, events, seat, &deal, &twin))
            return false;
        if (seat != chosen || run->has_twin)
            continue;
        begin_twin(run, &twin, seat);
        for (size_t i = 0; i < deal.count; i++)
            run->twin_card[dealt->cards[i]] = deal.cards[i];
    }
    return true;
}
