/* The moves that Hand & Foot lists: all draws, discards and the like, and of the plays onto books a
 * useful set; `check` decides about all others. Plays are tried by counts first (plan.h). */
#include "games/hand_and_foot/flow.h"
#include "games/hand_and_foot/plan.h"
#include <string.h>

struct listing {
    const struct hand_and_foot *state;
    int seat, side;
    const uint8_t *hand;
    int naturals[CARD_ACE + 1]; /* in hand by rank; red threes do not count */
    int wilds;
    struct move *out;
    size_t count, max;
};

static void count_hand(struct listing *list) {
    for (int rank = 3; rank <= CARD_ACE; rank++)
        for (int suit = 0; suit < CARD_SUITS; suit++)
            if (rank != 3 || suit == CARD_SPADES || suit == CARD_CLUBS)
                list->naturals[rank] += list->hand[suit * 13 + rank - 2];
    list->wilds = list->hand[CARD_JOKER];
    for (int suit = 0; suit < CARD_SUITS; suit++)
        list->wilds += list->hand[suit * 13];
}

static void offer_sure(struct listing *list, const struct move *move) {
    if (list->count == list->max)
        return;
    struct move *out = &list->out[list->count++];
    out->verb = move->verb;
    out->count = move->count;
    memcpy(out->args, move->args, move->count);
}

static void offer(struct listing *list, const struct move *move) {
    if (hand_foot_check(list->state, list->seat, move, NULL))
        offer_sure(list, move);
}

/* A play of so many cards that the books' rules allow: only near the end of the foot is there more
 * to ask. */
static void offer_play(struct listing *list, const struct move *move, int cards) {
    const struct hand_and_foot *state = list->state;
    if (!state->in_foot[list->seat] || state->hand_count[list->seat] - cards >= 2)
        offer_sure(list, move);
    else
        offer(list, move);
}

static void begin_move(struct move *move, int verb) {
    move->verb = (uint8_t)verb;
    move->count = 0;
}

static void put_arg(struct move *move, int value) {
    if (move->count < MOVE_ARGS_MAX)
        move->args[move->count++] = (uint8_t)value;
}

static void offer_bare(struct listing *list, int verb) {
    struct move move;
    begin_move(&move, verb);
    offer(list, &move);
}

static void offer_number(struct listing *list, int verb, int number) {
    struct move move;
    begin_move(&move, verb);
    put_arg(&move, number);
    offer(list, &move);
}

/* Appends up to `most` naturals of a rank from the hand. */
static void append_rank(struct move *move, const uint8_t *hand, int rank, int most) {
    for (int suit = 0; suit < CARD_SUITS; suit++) {
        int card = suit * 13 + rank - 2;
        bool usable = rank != 3 || !hand_foot_is_red(card);
        for (int i = 0; usable && i < hand[card] && most > 0; i++, most--)
            put_arg(move, card);
    }
}

/* Appends wilds, twos before jokers, leaving out the first `skip`. */
static void append_wilds(struct move *move, const uint8_t *hand, int skip, int most) {
    for (int i = 0; i <= CARD_SUITS && most > 0; i++) {
        int card = i < CARD_SUITS ? i * 13 : CARD_JOKER;
        for (int j = 0; j < hand[card] && most > 0; j++) {
            if (skip > 0) {
                skip--;
            } else {
                put_arg(move, card);
                most--;
            }
        }
    }
}

/* Groups for a first meld: every rank with three naturals, then up to `pairs` pairs with a wild
 * each. Returns how many pairs there were. */
static int append_groups(struct listing *list, struct move *move, int not_rank, int pairs) {
    int used = 0, lowest = list->state->rules[RULE_BLACK_THREE_BOOKS] ? 3 : 4;
    for (int rank = CARD_ACE; rank >= lowest; rank--) {
        if (rank == not_rank || list->naturals[rank] < 3)
            continue;
        if (move->count > 0)
            put_arg(move, HAND_FOOT_SEPARATOR);
        append_rank(move, list->hand, rank, MOVE_ARGS_MAX);
    }
    for (int rank = CARD_ACE; rank >= lowest && used < pairs && used < list->wilds; rank--) {
        if (rank == not_rank || list->naturals[rank] != 2)
            continue;
        if (move->count > 0)
            put_arg(move, HAND_FOOT_SEPARATOR);
        append_rank(move, list->hand, rank, 2);
        append_wilds(move, list->hand, used++, 1);
    }
    return used;
}

/* From the naturals alone to everything that goes: as soon as there is nothing more to add, stop.
 */
static void offer_first_melds(struct listing *list) {
    const int16_t *rules = list->state->rules;
    int minimum = hand_foot_first_meld(list->state), points = 0;
    for (int rank = 3; rank <= CARD_ACE; rank++)
        points += list->naturals[rank] >= 2
                      ? list->naturals[rank] * hand_foot_points(rules, rank - 2)
                      : 0;
    points +=
        list->wilds * (rules[RULE_POINTS_JOKER] > rules[RULE_POINTS_TWO] ? rules[RULE_POINTS_JOKER]
                                                                         : rules[RULE_POINTS_TWO]);
    if (points < minimum)
        return; /* everything together would not do */
    for (int pairs = 0; pairs <= 4; pairs++) {
        struct move move;
        begin_move(&move, HAND_FOOT_MELD);
        int used = append_groups(list, &move, 0, pairs);
        if (used < pairs)
            return;
        if (move.count > 0)
            offer(list, &move);
    }
}

static void offer_group(struct listing *list, int rank, int wilds) {
    int naturals = list->naturals[rank];
    struct move move;
    if (naturals + wilds < 3 || !plan_may_open(list->state, list->side, rank, naturals, wilds))
        return;
    begin_move(&move, HAND_FOOT_MELD);
    append_rank(&move, list->hand, rank, naturals);
    append_wilds(&move, list->hand, 0, wilds);
    if (naturals + wilds < MOVE_ARGS_MAX)
        offer_play(list, &move, naturals + wilds);
}

static void offer_groups(struct listing *list) {
    bool threes = list->state->rules[RULE_BLACK_THREE_BOOKS] != 0;
    for (int rank = threes ? 3 : 4; rank <= CARD_ACE; rank++) {
        if (list->naturals[rank] < 2)
            continue;
        offer_group(list, rank, 0);
        if (list->wilds > 0)
            offer_group(list, rank, 1);
    }
    if (list->state->rules[RULE_WILD_BOOKS] && list->wilds >= 3) {
        struct move move;
        begin_move(&move, HAND_FOOT_MELD);
        append_wilds(&move, list->hand, 0, 3);
        offer(list, &move);
    }
}

/* Naturals, or one wild, onto a book of the own side. */
static void offer_addition(struct listing *list, int book, int number, int naturals, int wilds) {
    struct move move;
    if (!plan_may_add(list->state, book, naturals, wilds))
        return;
    begin_move(&move, HAND_FOOT_ADD);
    put_arg(&move, number);
    append_rank(&move, list->hand, list->state->books[book].rank, naturals);
    append_wilds(&move, list->hand, 0, wilds);
    if (naturals + wilds < MOVE_ARGS_MAX - 1)
        offer_play(list, &move, naturals + wilds);
}

static void offer_additions(struct listing *list) {
    const struct hand_and_foot *state = list->state;
    bool closes = state->rules[RULE_CLOSING] == CLOSING_EXPLICIT;
    for (int i = 0, number = 0; i < state->book_count; i++) {
        if (state->books[i].side != list->side)
            continue;
        number++;
        int rank = state->books[i].rank, naturals = rank > 2 ? list->naturals[rank] : 0;
        if (naturals > 0)
            offer_addition(list, i, number, naturals, 0);
        if (naturals > 1)
            offer_addition(list, i, number, 1, 0);
        if (list->wilds > 0)
            offer_addition(list, i, number, 0, 1);
        if (closes)
            offer_number(list, HAND_FOOT_CLOSE, number);
    }
}

/* The top card with two from the hand, and for a first meld with all that goes along. */
static void offer_take(struct listing *list, int rank, int naturals, int wilds) {
    struct move move;
    if (list->naturals[rank] < naturals || list->wilds < wilds)
        return;
    begin_move(&move, HAND_FOOT_TAKE);
    append_rank(&move, list->hand, rank, naturals);
    append_wilds(&move, list->hand, 0, wilds);
    offer(list, &move);
    if (!list->state->melded[list->side]) {
        append_groups(list, &move, rank, 0);
        offer(list, &move);
    }
}

static void offer_takes(struct listing *list) {
    const struct hand_and_foot *state = list->state;
    if (!state->chose_pile[list->seat] || !hand_foot_may_take(state, list->seat, NULL))
        return;
    int top = hand_foot_top(state);
    for (int rank = 3; rank <= CARD_ACE && hand_foot_is_wild(top); rank++)
        offer_take(list, rank, 2, 0);
    if (!hand_foot_is_wild(top)) {
        offer_take(list, hand_foot_rank(top), 2, 0);
        offer_take(list, hand_foot_rank(top), 1, 1);
    }
    if (state->rules[RULE_PICKUP_PLAY] != PLAY_ANYWHERE)
        return;
    for (int number = 1; hand_foot_find_book(state, list->side, number) >= 0; number++)
        offer_number(list, HAND_FOOT_TAKE_ADD, number);
}

/* Only the last card of all can be refused. */
static void offer_discards(struct listing *list) {
    for (int card = 0; card < CARD_KINDS; card++) {
        if (list->hand[card] == 0)
            continue;
        if (list->state->hand_count[list->seat] == 1) {
            offer_number(list, HAND_FOOT_DISCARD, card);
        } else if (list->count < list->max) {
            struct move *move = &list->out[list->count++];
            begin_move(move, HAND_FOOT_DISCARD);
            put_arg(move, card);
        }
    }
}

static void offer_rest_of_turn(struct listing *list) {
    const struct hand_and_foot *state = list->state;
    offer_discards(list);
    if (state->rules[RULE_UNDO])
        offer_bare(list, HAND_FOOT_UNDO);
    if (state->rules[RULE_ASK_PARTNER])
        offer_bare(list, HAND_FOOT_ASK);
    if (state->rules[RULE_RED_THREES_LAID]) {
        offer_number(list, HAND_FOOT_LAY, card_of(3, CARD_HEARTS));
        offer_number(list, HAND_FOOT_LAY, card_of(3, CARD_DIAMONDS));
    }
    if (state->turn_phase != HAND_FOOT_TURN_MELD)
        return;
    offer_bare(list, HAND_FOOT_DONE);
    if (state->melded[list->side]) {
        offer_groups(list);
        offer_additions(list);
    } else {
        offer_first_melds(list);
    }
}

size_t hand_foot_legal(const void *from, int seat, struct move *out, size_t max) {
    const struct hand_and_foot *state = from;
    struct listing list = {.state = state,
                           .seat = seat,
                           .side = hand_foot_side(state, seat),
                           .hand = state->hand[seat],
                           .out = out,
                           .max = max};
    if ((hand_foot_to_act(state) >> seat & 1) == 0)
        return 0;
    count_hand(&list);
    if (state->asking == HAND_FOOT_ASKED) {
        offer_number(&list, HAND_FOOT_ANSWER, 1);
        offer_number(&list, HAND_FOOT_ANSWER, 0);
    } else if (state->turn_phase == HAND_FOOT_TURN_DRAW) {
        offer_bare(&list, HAND_FOOT_DRAW);
        offer_takes(&list);
        if (state->rules[RULE_CHOOSE_PILE]) {
            offer_number(&list, HAND_FOOT_PILE, 1);
            offer_number(&list, HAND_FOOT_PILE, 2);
        }
    } else {
        offer_rest_of_turn(&list);
    }
    return list.count;
}
