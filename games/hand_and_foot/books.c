/* Cards, books and scores of Hand & Foot: pure arithmetic on the state. The rules of books are in
 * books.h. */
#include "games/hand_and_foot/hand_and_foot.h"

#include "games/hand_and_foot/tally.h"
#include <string.h>

int hand_foot_points(const int16_t *rules, int card) {
    static const uint8_t rule_of_rank[] = {
        [2] = RULE_POINTS_TWO,   [3] = RULE_POINTS_BLACK_THREE, [4] = RULE_POINTS_LOW,
        [5] = RULE_POINTS_LOW,   [6] = RULE_POINTS_LOW,         [7] = RULE_POINTS_LOW,
        [8] = RULE_POINTS_EIGHT, [9] = RULE_POINTS_HIGH,        [10] = RULE_POINTS_HIGH,
        [11] = RULE_POINTS_HIGH, [12] = RULE_POINTS_HIGH,       [13] = RULE_POINTS_HIGH,
        [14] = RULE_POINTS_ACE,
    };
    if (card == CARD_JOKER)
        return rules[RULE_POINTS_JOKER];
    return rules[rule_of_rank[hand_foot_rank(card)]];
}

int hand_foot_penalty(const int16_t *rules, int card) {
    if (!hand_foot_is_three(card))
        return hand_foot_points(rules, card);
    return rules[hand_foot_is_red_three(card) ? RULE_PENALTY_RED_THREE : RULE_PENALTY_BLACK_THREE];
}

int hand_foot_side(const struct hand_and_foot *state, int seat) {
    return state->rules[RULE_TEAMS] == TEAMS_TWO ? seat % 2 : seat;
}

/* The highest byte of the product is the sum of the four bytes, because a book never has 256
 * cards. */
static int sum_suits(const uint8_t counts[CARD_SUITS]) {
    uint32_t suits;
    memcpy(&suits, counts, sizeof suits);
    return (int)(suits * 0x01010101 >> 24);
}

int hand_foot_book_naturals(const struct hand_foot_book *book) {
    return sum_suits(book->naturals);
}

int hand_foot_book_wilds(const struct hand_foot_book *book) {
    return sum_suits(book->twos) + book->jokers;
}

int hand_foot_book_size(const struct hand_foot_book *book) {
    return hand_foot_book_naturals(book) + hand_foot_book_wilds(book);
}

static void add_copies(uint8_t kinds[CARD_KINDS], int card, int copies) {
    kinds[card] = (uint8_t)(kinds[card] + copies);
}

void hand_foot_add_book_cards(const struct hand_foot_book *book, uint8_t kinds[CARD_KINDS]) {
    for (int suit = 0; suit < CARD_SUITS; suit++) {
        add_copies(kinds, card_of(HAND_FOOT_WILD_RANK, suit), book->twos[suit]);
        add_copies(kinds, card_of(book->rank, suit), book->naturals[suit]);
    }
    add_copies(kinds, CARD_JOKER, book->jokers);
}

/* ---- The rules of books ---- */

/* The wild limit as two numbers: the most wilds, and by how many they must be fewer than
 * naturals. */
struct book_rules book_rules_of(const int16_t *rules) {
    static const struct {
        int16_t most, fewer;
    } limits[] = {[WILDS_EQUAL] = {HAND_FOOT_CARDS_MAX, 0},
                  [WILDS_FEWER] = {HAND_FOOT_CARDS_MAX, 1},
                  [WILDS_TWO] = {2, 0},
                  [WILDS_THREE] = {3, 0}};
    const uint32_t four_to_ace = ((uint32_t)1 << (CARD_ACE + 1)) - (1 << 4);
    int limit = rules[RULE_WILD_LIMIT];
    return (struct book_rules){
        .ranks = four_to_ace | (uint32_t)(rules[RULE_BLACK_THREE_BOOKS] != 0) << HAND_FOOT_THREE |
                 (uint32_t)(rules[RULE_WILD_BOOKS] != 0) << HAND_FOOT_WILD_RANK,
        .wilds_most = limits[limit].most,
        .wilds_fewer = limits[limit].fewer,
        .book_size = rules[RULE_BOOK_SIZE],
        .dirty_size_most = rules[RULE_FULL_DIRTY] ? HAND_FOOT_CARDS_MAX : rules[RULE_BOOK_SIZE],
        .books_per_rank = rules[RULE_BOOKS_PER_RANK],
        .explicit_closing = rules[RULE_CLOSING] == CLOSING_EXPLICIT,
        .clean_takes_wilds = rules[RULE_FULL_CLEAN] != FULL_CLEAN_NATURALS};
}

bool book_could_be_laid(const struct book_rules *rules, const struct hand_foot_book *book) {
    struct book_counts empty = {.rank = book->rank};
    int naturals = hand_foot_book_naturals(book), wilds = hand_foot_book_wilds(book);
    bool red_three = book->rank == HAND_FOOT_THREE &&
                     book->naturals[CARD_HEARTS] + book->naturals[CARD_DIAMONDS] > 0;
    return !red_three && book_is_group(rules, book->rank, naturals, wilds) &&
           book_fits(rules, &empty, naturals, wilds);
}

/* ---- What books are worth ---- */

bool hand_foot_book_complete(const struct hand_and_foot *state, const struct hand_foot_book *book) {
    return book_is_complete(hand_foot_book_size(book), state->rules[RULE_BOOK_SIZE]);
}

enum { WORTH_KEEPING = 5 }; /* cards of a clean meld */

bool hand_foot_worth_keeping(const struct hand_foot_book *book) {
    return hand_foot_book_wilds(book) == 0 && hand_foot_book_size(book) >= WORTH_KEEPING;
}

int hand_foot_book_points(const int16_t *rules, const struct hand_foot_book *book) {
    int points = rules[RULE_POINTS_JOKER] * book->jokers;
    for (int suit = 0; suit < CARD_SUITS; suit++) {
        points += rules[RULE_POINTS_TWO] * book->twos[suit];
        if (book->rank != HAND_FOOT_WILD_RANK)
            points += hand_foot_points(rules, card_of(book->rank, suit)) * book->naturals[suit];
    }
    return points;
}

int hand_foot_book_bonus(const struct hand_and_foot *state, const struct hand_foot_book *book) {
    if (!hand_foot_book_complete(state, book))
        return 0;
    if (book->rank == HAND_FOOT_WILD_RANK)
        return state->rules[RULE_WILD_BONUS];
    return state->rules[hand_foot_book_wilds(book) > 0 ? RULE_DIRTY_BONUS : RULE_CLEAN_BONUS];
}

int hand_foot_find_book(const struct hand_and_foot *state, int side, int number) {
    for (int i = 0; i < state->book_count && number > 0; i++) {
        number -= state->books[i].side == side;
        if (number == 0)
            return i;
    }
    return -1;
}

int hand_foot_book_number(const struct hand_and_foot *state, int index) {
    int number = 0;
    for (int i = 0; i <= index; i++)
        number += state->books[i].side == state->books[index].side;
    return number;
}

int hand_foot_latest_book(const struct hand_and_foot *state, int side, int rank, int count) {
    int index = count - 1;
    while (index >= 0 && ((state->books[index].side != side) | (state->books[index].rank != rank)))
        index--;
    return index;
}

void hand_foot_count_books(const struct hand_and_foot *state, int side, int *clean, int *dirty) {
    *clean = *dirty = 0;
    for (int i = 0; i < state->book_count; i++) {
        const struct hand_foot_book *book = &state->books[i];
        bool counts = (book->side == side) & hand_foot_book_complete(state, book);
        bool has_wilds = hand_foot_book_wilds(book) > 0;
        *clean += counts & !has_wilds;
        *dirty += counts & has_wilds;
    }
}

int hand_foot_books_missing(const struct hand_and_foot *state, enum hand_foot_rule kind, int have) {
    int wanted = state->rules[kind];
    return wanted > have ? wanted - have : 0;
}

bool hand_foot_books_suffice(const struct hand_and_foot *state, int clean, int dirty) {
    return hand_foot_books_missing(state, RULE_OUT_CLEAN, clean) == 0 &&
           hand_foot_books_missing(state, RULE_OUT_DIRTY, dirty) == 0;
}

static int count_penalty(const int16_t *rules, const uint8_t *cards) {
    int penalty = 0;
    for (uint64_t kinds = tally_kinds(cards); kinds != 0; kinds &= kinds - 1) {
        int card = __builtin_ctzll(kinds);
        penalty += cards[card] * hand_foot_penalty(rules, card);
    }
    return penalty;
}

void hand_foot_score_side(const struct hand_and_foot *state, int side,
                          struct hand_foot_score *out) {
    *out = (struct hand_foot_score){0};
    for (int i = 0; i < state->book_count; i++) {
        if (state->books[i].side == side) {
            out->melds += hand_foot_book_points(state->rules, &state->books[i]);
            out->bonuses += hand_foot_book_bonus(state, &state->books[i]);
        }
    }
    for (int seat = 0; seat < state->head.seats; seat++) {
        if (hand_foot_side(state, seat) != side)
            continue;
        out->hand_cards += state->hand_count[seat];
        out->hand_penalty += count_penalty(state->rules, state->hand[seat]);
        out->foot_cards += state->foot_count[seat];
        out->foot_penalty += count_penalty(state->rules, state->foot[seat]);
    }
    const uint8_t *laid = state->red_threes[side];
    out->red_threes = (laid[0] + laid[1]) * state->rules[RULE_RED_THREE_BONUS];
    bool went_out = state->out != HAND_FOOT_NOBODY && hand_foot_side(state, state->out) == side;
    out->going_out = went_out ? state->rules[RULE_OUT_BONUS] : 0;
    out->total = out->melds + out->bonuses - out->hand_penalty - out->foot_penalty +
                 out->red_threes + out->going_out;
}

int hand_foot_first_meld(const struct hand_and_foot *state) {
    return hand_foot_minimum(state->rules, state->round);
}

int hand_foot_enough(const struct hand_and_foot *state) {
    return hand_foot_first_meld(state) + (state->rules[RULE_MINIMUM_TEST] == TEST_MORE_THAN);
}

bool hand_foot_is_enough(const struct hand_and_foot *state, int points) {
    return points >= hand_foot_enough(state);
}

/* HF-C9: the pile is frozen exactly while a wild lies on top. */
bool hand_foot_frozen(const struct hand_and_foot *state) {
    return state->rules[RULE_FREEZING] && state->pile_count > 0 &&
           hand_foot_is_wild(state->pile[state->pile_count - 1]);
}

int hand_foot_pickup_size(const struct hand_and_foot *state) {
    int most = state->rules[RULE_PICKUP];
    return most == 0 || most > state->pile_count ? state->pile_count : most;
}
