/* Checking and executing plays onto books; see plan.h. */
#include "games/hand_and_foot/plan.h"

#include "engine/ensure.h"
#include <string.h>

void plan_begin(struct plan *plan, const struct hand_and_foot *state, int seat) {
    plan->seat = seat;
    plan->side = hand_foot_side(state, seat);
    plan->card_count = plan->from_hand = plan->group_count = plan->points = 0;
    plan->clean_change = plan->dirty_change = 0;
}

bool plan_in_hand(const struct hand_and_foot *state, int seat, const uint8_t *cards, int count) {
    uint8_t wanted[CARD_KINDS] = {0};
    for (int i = 0; i < count; i++)
        if (cards[i] >= CARD_KINDS || state->hand[seat][cards[i]] < ++wanted[cards[i]])
            return false;
    return true;
}

static const char *rank_name(int rank) {
    static const char *const names[] = {"",  "",  "wild", "3", "4", "5", "6", "7",
                                        "8", "9", "10",   "J", "Q", "K", "A"};
    return names[rank];
}

/* ---- A group by itself: HF-110 to HF-115 in their order ---- */

static void count_group(const uint8_t *cards, int count, int *naturals, int *wilds, int *rank,
                        bool *mixed) {
    *naturals = *wilds = *rank = 0;
    *mixed = false;
    for (int i = 0; i < count; i++) {
        if (hand_foot_is_wild(cards[i])) {
            ++*wilds;
            continue;
        }
        int card_rank_here = hand_foot_rank(cards[i]);
        *mixed = *mixed || (*rank != 0 && *rank != card_rank_here);
        *rank = card_rank_here;
        ++*naturals;
    }
}

static bool wilds_allowed(const int16_t *rules, int naturals, int wilds) {
    switch (rules[RULE_WILD_LIMIT]) {
    case WILDS_EQUAL:
        return wilds <= naturals;
    case WILDS_FEWER:
        return wilds < naturals;
    case WILDS_TWO:
        return wilds <= 2 && wilds <= naturals;
    default:
        return wilds <= 3 && wilds <= naturals;
    }
}

static bool check_wilds(const int16_t *rules, int naturals, int wilds, struct refusal *why) {
    static const char *const limits[] = {
        "Wilds cannot exceed naturals.", "Wilds must be fewer than naturals.",
        "A book takes at most 2 wilds.", "A book takes at most 3 wilds."};
    if (wilds_allowed(rules, naturals, wilds))
        return true;
    int limit = rules[RULE_WILD_LIMIT];
    if (limit >= WILDS_TWO && wilds > naturals)
        limit = WILDS_EQUAL; /* which is what is broken then */
    return refuse(why, 400, "TOO_MANY_WILDS", "Too many wild cards (%d wilds, %d naturals). %s",
                  wilds, naturals, limits[limit]);
}

static bool check_threes(const int16_t *rules, const uint8_t *cards, int count,
                         struct refusal *why) {
    for (int i = 0; i < count; i++) {
        if (!hand_foot_is_three(cards[i]))
            continue;
        if (!rules[RULE_BLACK_THREE_BOOKS])
            return refuse(why, 400, "THREES", "3s cannot be melded");
        if (hand_foot_is_red(cards[i]))
            return refuse(why, 400, "THREES", "Red 3s cannot be melded");
    }
    return true;
}

/* A new group: at least three cards, two naturals, one rank; or wilds alone
 * where that is allowed.
 */
static bool check_new_group(const int16_t *rules, const uint8_t *cards, int count, int *rank,
                            struct refusal *why) {
    int naturals, wilds;
    bool mixed;
    if (count == 0)
        return refuse(why, 400, "NO_CARDS", "Select at least 3 cards");
    if (count < 3)
        return refuse(why, 400, "MELD_TOO_SMALL", "Melds require at least 3 cards");
    if (!check_threes(rules, cards, count, why))
        return false;
    count_group(cards, count, &naturals, &wilds, rank, &mixed);
    if (naturals == 0 && rules[RULE_WILD_BOOKS]) {
        *rank = HAND_FOOT_WILD_RANK;
        return true;
    }
    if (naturals < 2)
        return refuse(why, 400, "NEED_NATURALS", "Need at least 2 natural cards of same rank");
    if (mixed)
        return refuse(why, 400, "MIXED_RANKS", "All natural cards must be same rank");
    return check_wilds(rules, naturals, wilds, why);
}

/* ---- The book that a group goes to ---- */

static bool is_full(const struct hand_and_foot *state, const struct hand_foot_book *book) {
    return state->rules[RULE_CLOSING] == CLOSING_EXPLICIT ? book->closed
                                                          : hand_foot_book_complete(state, book);
}

/* What counts of a book before and after cards are put on it. */
struct growth {
    int rank;
    bool was_full;
    int naturals_before, wilds_before;
    int naturals, wilds;
};

static bool check_growth(const struct hand_and_foot *state, const struct growth *book,
                         struct refusal *why) {
    const int16_t *rules = state->rules;
    int size = book->naturals + book->wilds, full = rules[RULE_BOOK_SIZE];
    bool was_clean = book->wilds_before == 0, clean = book->wilds == 0;
    if (book->rank != HAND_FOOT_WILD_RANK && !check_wilds(rules, book->naturals, book->wilds, why))
        return false;
    if (book->was_full && was_clean && !clean && rules[RULE_FULL_CLEAN] == FULL_CLEAN_NATURALS)
        return refuse(why, 400, "BOOK_FULL",
                      rules[RULE_LABELS] == LABELS_NATURAL_UNNATURAL
                          ? "A closed natural book takes no wilds"
                          : "A complete clean book takes no wilds");
    if (!rules[RULE_FULL_DIRTY] && book->was_full && !was_clean)
        return refuse(why, 400, "BOOK_FULL", "Nothing goes on a complete dirty book");
    if (!rules[RULE_FULL_DIRTY] && !clean && size > full)
        return refuse(why, 400, "BOOK_FULL", "A dirty book has exactly %d cards, not %d", full,
                      size);
    return true;
}

static struct growth growth_of(const struct hand_and_foot *state,
                               const struct hand_foot_book *before, int naturals, int wilds) {
    struct growth book = {.rank = before->rank,
                          .naturals_before = hand_foot_book_naturals(before),
                          .wilds_before = hand_foot_book_wilds(before)};
    book.was_full = book.naturals_before + book.wilds_before > 0 && is_full(state, before);
    book.naturals = book.naturals_before + naturals;
    book.wilds = book.wilds_before + wilds;
    return book;
}

bool plan_may_add(const struct hand_and_foot *state, int book, int naturals, int wilds) {
    struct growth growth = growth_of(state, &state->books[book], naturals, wilds);
    return check_growth(state, &growth, NULL);
}

bool plan_may_open(const struct hand_and_foot *state, int side, int rank, int naturals, int wilds) {
    struct hand_foot_book empty = {.side = (uint8_t)side, .rank = (uint8_t)rank};
    const struct hand_foot_book *before = &empty;
    if (state->book_count == HAND_FOOT_BOOKS_MAX || !wilds_allowed(state->rules, naturals, wilds))
        return false;
    for (int i = state->book_count - 1; i >= 0; i--) {
        const struct hand_foot_book *book = &state->books[i];
        if (state->rules[RULE_BOOKS_PER_RANK] == BOOKS_ANY || book->side != side ||
            book->rank != rank)
            continue;
        if (state->rules[RULE_BOOKS_PER_RANK] == BOOKS_AFTER_CLOSING) {
            if (!is_full(state, book))
                return false;
            break;
        }
        before = book;
        break;
    }
    struct growth growth = growth_of(state, before, naturals, wilds);
    return check_growth(state, &growth, NULL);
}

/* The side's book of that rank that a new group meets: the latest one, if any.
 */
static int find_rank(const struct plan *plan, const struct hand_and_foot *state, int rank,
                     struct hand_foot_book *found) {
    for (int i = plan->group_count - 1; i >= 0; i--) {
        if (plan->groups[i].after.rank == rank) {
            *found = plan->groups[i].after;
            return PLAN_EARLIER + i;
        }
    }
    for (int i = state->book_count - 1; i >= 0; i--) {
        if (state->books[i].side == plan->side && state->books[i].rank == rank) {
            *found = state->books[i];
            return i;
        }
    }
    return NEW_BOOK;
}

/* Where a new group of that rank goes by the rules: onto a book, or a new one.
 */
static bool choose_book(const struct plan *plan, const struct hand_and_foot *state, int rank,
                        int *book, struct hand_foot_book *before, struct refusal *why) {
    struct hand_foot_book empty = {.side = (uint8_t)plan->side, .rank = (uint8_t)rank};
    *before = empty;
    *book = NEW_BOOK;
    if (state->rules[RULE_BOOKS_PER_RANK] == BOOKS_ANY)
        return true;
    struct hand_foot_book found;
    int meets = find_rank(plan, state, rank, &found);
    if (meets == NEW_BOOK)
        return true;
    if (state->rules[RULE_BOOKS_PER_RANK] == BOOKS_AFTER_CLOSING) {
        if (meets < PLAN_EARLIER && is_full(state, &found))
            return true;
        return refuse(why, 400, "BOOK_OPEN", "Add to the open book of rank %s", rank_name(rank));
    }
    *book = meets;
    *before = found;
    return true;
}

void plan_put(struct hand_foot_book *book, int card, int sign) {
    uint8_t *place = card == CARD_JOKER        ? &book->jokers
                     : hand_foot_is_wild(card) ? &book->twos[card / 13]
                                               : &book->naturals[card / 13];
    *place = (uint8_t)(*place + sign);
}

static bool check_added(const struct hand_foot_book *book, const int16_t *rules,
                        const uint8_t *cards, int count, struct refusal *why) {
    if (count == 0)
        return refuse(why, 400, "NO_CARDS", "Select at least one card");
    if (!check_threes(rules, cards, count, why))
        return false;
    for (int i = 0; i < count; i++)
        if (!hand_foot_is_wild(cards[i]) && hand_foot_rank(cards[i]) != book->rank)
            return book->rank == HAND_FOOT_WILD_RANK
                       ? refuse(why, 400, "WRONG_RANK", "Only wilds go there")
                       : refuse(why, 400, "WRONG_RANK", "Only cards of rank %s and wilds go there",
                                rank_name(book->rank));
    return true;
}

static void note_change(struct plan *plan, const struct hand_and_foot *state,
                        const struct hand_foot_book *book, int sign) {
    if (!hand_foot_book_complete(state, book))
        return;
    if (hand_foot_book_wilds(book) == 0)
        plan->clean_change += sign;
    else
        plan->dirty_change += sign;
}

bool plan_add_group(struct plan *plan, const struct hand_and_foot *state, int book,
                    const uint8_t *cards, int count, int top, struct refusal *why) {
    uint8_t all[MOVE_ARGS_MAX + 1];
    int total = count, rank = 0, target = book;
    struct hand_foot_book before;
    memcpy(all, cards, (size_t)count);
    if (top >= 0)
        all[total++] = (uint8_t)top;
    if (plan->group_count == PLAN_GROUPS_MAX || plan->card_count + total > MOVE_ARGS_MAX)
        return refuse(why, 400, "TOO_MANY_CARDS", "Lay these cards in several steps");
    if (book == NEW_BOOK) {
        if (!check_new_group(state->rules, all, total, &rank, why) ||
            !choose_book(plan, state, rank, &target, &before, why))
            return false;
    } else {
        before = state->books[book];
        if (!check_added(&before, state->rules, all, total, why))
            return false;
    }
    struct plan_group *group = &plan->groups[plan->group_count];
    group->book = target;
    group->first = plan->card_count;
    group->count = total;
    group->after = before;
    int wilds = 0;
    for (int i = 0; i < total; i++) {
        wilds += hand_foot_is_wild(all[i]);
        plan_put(&group->after, all[i], 1);
        plan->points += hand_foot_points(state->rules, all[i]);
        plan->cards[plan->card_count++] = all[i];
    }
    plan->from_hand += count;
    struct growth growth = growth_of(state, &before, total - wilds, wilds);
    if (!check_growth(state, &growth, why))
        return false;
    note_change(plan, state, &before, -1);
    note_change(plan, state, &group->after, 1);
    plan->group_count++;
    return true;
}

bool plan_reaches_minimum(const struct plan *plan, const struct hand_and_foot *state,
                          struct refusal *why) {
    int needed = hand_foot_first_meld(state);
    if (state->melded[plan->side])
        return true;
    if (state->rules[RULE_MINIMUM_TEST] == TEST_MORE_THAN)
        return plan->points > needed ||
               refuse(why, 400, "MIN_POINTS", "Need more than %d points to play down (have %d)",
                      needed, plan->points);
    return plan->points >= needed ||
           refuse(why, 400, "MIN_POINTS", "Need %d points to play down (have %d)", needed,
                  plan->points);
}

/* ---- Execution ---- */

static int target_index(const struct plan *plan, struct hand_and_foot *state, int *indexes, int i) {
    int book = plan->groups[i].book;
    if (book >= PLAN_EARLIER)
        return indexes[book - PLAN_EARLIER];
    if (book != NEW_BOOK)
        return book;
    ensure(state->book_count < HAND_FOOT_BOOKS_MAX);
    state->books[state->book_count] =
        (struct hand_foot_book){.side = (uint8_t)plan->side, .rank = plan->groups[i].after.rank};
    return state->book_count++;
}

/* There is room: whoever lays a plan sees to that. */
static void remember(struct hand_and_foot *state, int book, int card) {
    if (state->rules[RULE_UNDO])
        state->undo_card[state->undo_cards++] =
            (struct hand_foot_undo_card){(uint8_t)book, (uint8_t)card};
}

void plan_execute(const struct plan *plan, struct hand_and_foot *state, int top) {
    int indexes[PLAN_GROUPS_MAX];
    uint8_t *hand = state->hand[plan->seat];
    bool top_pending = top >= 0;
    for (int i = 0; i < plan->group_count; i++) {
        const struct plan_group *group = &plan->groups[i];
        indexes[i] = target_index(plan, state, indexes, i);
        for (int j = group->first; j < group->first + group->count; j++) {
            int card = plan->cards[j];
            plan_put(&state->books[indexes[i]], card, 1);
            bool is_top = top_pending && card == top && j == group->first + group->count - 1;
            if (is_top) {
                top_pending = false;
                continue;
            }
            hand[card]--;
            state->hand_count[plan->seat]--;
            remember(state, indexes[i], card);
        }
        if (state->rules[RULE_CLOSING] == CLOSING_AUTOMATIC)
            state->books[indexes[i]].closed =
                hand_foot_book_complete(state, &state->books[indexes[i]]);
    }
}
