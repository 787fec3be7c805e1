/* Checking and executing plays onto books; see plan.h. */
#include "games/hand_and_foot/plan.h"

#include "engine/ensure.h"
#include "games/hand_and_foot/flow.h"
#include "games/hand_and_foot/words.h"
#include <string.h>

void plan_begin(struct plan *plan, const struct hand_and_foot *state, int seat) {
    plan->seat = seat;
    plan->side = hand_foot_side(state, seat);
    plan->rules = book_rules_of(state->rules);
    plan->card_count = plan->from_hand = plan->group_count = plan->points = 0;
    plan->clean_change = plan->dirty_change = 0;
}

bool plan_in_hand(const struct hand_and_foot *state, int seat, const uint16_t *cards, int count) {
    uint8_t wanted[CARD_KINDS] = {0};
    for (int i = 0; i < count; i++)
        if (cards[i] >= CARD_KINDS || state->hand[seat][cards[i]] < ++wanted[cards[i]])
            return false;
    return true;
}

/* ---- A group by itself: HF-110 to HF-115 in their order ---- */

/* What matters about some cards. */
struct group_count {
    int naturals, wilds;
    int rank; /* of the naturals; that of wilds if there are none */
    bool mixed;
    bool threes, red_threes;
};

static struct group_count count_group(const uint8_t *cards, int count) {
    struct group_count group = {0};
    uint32_t ranks = 0;
    for (int i = 0; i < count; i++) {
        ranks |= (uint32_t)1 << hand_foot_rank(cards[i]);
        group.wilds += hand_foot_is_wild(cards[i]);
        group.red_threes |= hand_foot_is_red_three(cards[i]);
    }
    group.naturals = count - group.wilds;
    group.threes = (ranks >> HAND_FOOT_THREE & 1) != 0;
    ranks &= ~((uint32_t)1 << HAND_FOOT_WILD_RANK);
    group.rank = ranks != 0 ? __builtin_ctz(ranks) : HAND_FOOT_WILD_RANK;
    group.mixed = (ranks & (ranks - 1)) != 0;
    return group;
}

static bool refuse_wilds(const int16_t *rules, int naturals, int wilds, struct refusal *why) {
    static const char *const limits[] = {[WILDS_EQUAL] = "Wilds cannot exceed naturals.",
                                         [WILDS_FEWER] = "Wilds must be fewer than naturals.",
                                         [WILDS_TWO] = "A book takes at most 2 wilds.",
                                         [WILDS_THREE] = "A book takes at most 3 wilds."};
    int limit = rules[RULE_WILD_LIMIT];
    if (limit >= WILDS_TWO && wilds > naturals)
        limit = WILDS_EQUAL; /* more wilds than naturals are forbidden under these limits, too */
    return refuse(why, "TOO_MANY_WILDS", "Too many wild cards (%d wilds, %d naturals). %s", wilds,
                  naturals, limits[limit]);
}

static bool check_threes(const int16_t *rules, const struct group_count *group,
                         struct refusal *why) {
    if (group->threes && !rules[RULE_BLACK_THREE_BOOKS])
        return refuse(why, "THREES", "3s cannot be melded");
    return !group->red_threes || refuse(why, "THREES", "Red 3s cannot be melded");
}

/* Says why those cards are no group: the first reason in the order of the rules. */
static bool refuse_group(const int16_t *rules, const struct group_count *group,
                         struct refusal *why) {
    int count = group->naturals + group->wilds;
    if (count == 0)
        return refuse(why, "NO_CARDS", "Select at least %d cards", GROUP_CARDS_MIN);
    if (count < GROUP_CARDS_MIN)
        return refuse(why, "MELD_TOO_SMALL", "Melds require at least %d cards", GROUP_CARDS_MIN);
    if (!check_threes(rules, group, why))
        return false;
    if (group->naturals < GROUP_NATURALS_MIN)
        return refuse(why, "NEED_NATURALS", "Need at least %d natural cards of same rank",
                      GROUP_NATURALS_MIN);
    if (group->mixed)
        return refuse(why, "MIXED_RANKS", "All natural cards must be same rank");
    return refuse_wilds(rules, group->naturals, group->wilds, why);
}

/* A new group: enough cards and naturals of one rank; or wilds alone where that is allowed. */
static bool check_new_group(const struct plan *plan, const int16_t *rules,
                            const struct group_count *group, struct refusal *why) {
    bool fits = book_is_group(&plan->rules, group->rank, group->naturals, group->wilds);
    return (fits && !group->mixed && !group->red_threes) || refuse_group(rules, group, why);
}

static bool check_added(const int16_t *rules, const struct group_count *group, int rank,
                        struct refusal *why) {
    if (group->naturals + group->wilds == 0)
        return refuse(why, "NO_CARDS", "Select at least one card");
    if (!check_threes(rules, group, why))
        return false;
    if (group->naturals == 0 || (!group->mixed && group->rank == rank))
        return true;
    if (rank == HAND_FOOT_WILD_RANK)
        return refuse(why, "WRONG_RANK", "Only wilds go there");
    return refuse(why, "WRONG_RANK", "Only cards of rank %s and wilds go there",
                  hand_foot_rank_word(rank));
}

/* ---- The book that a group goes to ---- */

/* Says why so many cards may not go onto the book: the first reason in the order of the rules. */
static bool refuse_growth(const struct book_rules *limits, const int16_t *rules,
                          const struct book_counts *book, int naturals, int wilds,
                          struct refusal *why) {
    int naturals_after = book->naturals + naturals, wilds_after = book->wilds + wilds;
    if (book->rank != HAND_FOOT_WILD_RANK && !book_wilds_fit(limits, naturals_after, wilds_after))
        return refuse_wilds(rules, naturals_after, wilds_after, why);
    if (book->full && book->wilds == 0 && !limits->clean_takes_wilds)
        return refuse(why, "BOOK_FULL",
                      rules[RULE_LABELS] == LABELS_NATURAL_UNNATURAL
                          ? "A closed natural book takes no wilds"
                          : "A complete clean book takes no wilds");
    if (book->full && book->wilds > 0)
        return refuse(why, "BOOK_FULL", "Nothing goes on a complete dirty book");
    return refuse(why, "BOOK_FULL", "A dirty book has exactly %d cards, not %d", limits->book_size,
                  naturals_after + wilds_after);
}

/* Finds the side's latest book of that rank, which a new group meets; NEW_BOOK if there is none. */
static int find_rank(const struct plan *plan, const struct hand_and_foot *state, int rank,
                     struct hand_foot_book *found, int *earlier) {
    for (int i = plan->group_count - 1; i >= 0; i--) {
        if (plan->groups[i].after.rank == rank) {
            *found = plan->groups[i].after;
            *earlier = i;
            return BOOK_OF_EARLIER_GROUP;
        }
    }
    int latest = hand_foot_latest_book(state, plan->side, rank, state->book_count);
    if (latest < 0)
        return NEW_BOOK;
    *found = state->books[latest];
    return latest;
}

/* Decides by the rules where a new group of that rank goes: onto a book, or as a new one. A book of
 * the same move is not closed before the move is done. */
static bool choose_book(const struct plan *plan, const struct hand_and_foot *state, int rank,
                        struct plan_group *group, struct hand_foot_book *before,
                        struct refusal *why) {
    struct hand_foot_book empty = {.side = (uint8_t)plan->side, .rank = (uint8_t)rank};
    *before = empty;
    group->book = NEW_BOOK;
    if (plan->rules.books_per_rank == BOOKS_ANY)
        return true; /* no need to look for one */
    struct hand_foot_book found;
    int meets = find_rank(plan, state, rank, &found, &group->earlier);
    if (meets == NEW_BOOK)
        return true;
    struct book_counts met = book_counts_of(&plan->rules, &found);
    met.full = met.full && meets != BOOK_OF_EARLIER_GROUP;
    enum book_target target = book_target(&plan->rules, &met);
    if (target == TARGET_LATEST_BOOK) {
        group->book = meets;
        *before = found;
    }
    return target != TARGET_NONE ||
           refuse(why, "BOOK_OPEN", "Add to the open book of rank %s", hand_foot_rank_word(rank));
}

void plan_put(struct hand_foot_book *book, int card, int sign) {
    uint8_t *place = card == CARD_JOKER        ? &book->jokers
                     : hand_foot_is_wild(card) ? &book->twos[card / CARD_RANKS]
                                               : &book->naturals[card / CARD_RANKS];
    *place = (uint8_t)(*place + sign);
}

/* Counts a book of so many cards in or out of the side's complete books. */
static void note_change(struct plan *plan, int cards, int wilds, int sign) {
    if (!book_is_complete(cards, plan->rules.book_size))
        return;
    if (wilds == 0)
        plan->clean_change += sign;
    else
        plan->dirty_change += sign;
}

/* Copies the cards into the plan, the top card last. */
static struct plan_group *take_group(struct plan *plan, const uint16_t *cards, int count, int top) {
    struct plan_group *group = &plan->groups[plan->group_count];
    uint8_t *to = plan->cards + plan->card_count;
    group->first = plan->card_count;
    group->count = count + (top >= 0);
    for (int i = 0; i < count; i++)
        to[i] = (uint8_t)cards[i];
    if (top >= 0)
        to[count] = (uint8_t)top;
    return group;
}

static int points_of(const int16_t *rules, const uint8_t *cards, int count) {
    int points = 0;
    for (int i = 0; i < count; i++)
        points += hand_foot_points(rules, cards[i]);
    return points;
}

bool plan_add_group(struct plan *plan, const struct hand_and_foot *state, int book,
                    const uint16_t *cards, int count, int top, struct refusal *why) {
    const int16_t *rules = state->rules;
    struct hand_foot_book before;
    if (plan->group_count == PLAN_GROUPS_MAX ||
        plan->card_count + count + (top >= 0) > MOVE_ARGS_MAX)
        return refuse(why, "TOO_MANY_CARDS", "Lay these cards in several steps");
    struct plan_group *group = take_group(plan, cards, count, top);
    const uint8_t *all = plan->cards + group->first;
    struct group_count counted = count_group(all, group->count);
    group->book = book;
    if (book == NEW_BOOK) {
        if (!check_new_group(plan, rules, &counted, why) ||
            !choose_book(plan, state, counted.rank, group, &before, why))
            return false;
    } else {
        before = state->books[book];
        if (!check_added(rules, &counted, before.rank, why))
            return false;
    }
    struct book_counts grows = book_counts_of(&plan->rules, &before);
    if (!book_fits(&plan->rules, &grows, counted.naturals, counted.wilds))
        return refuse_growth(&plan->rules, rules, &grows, counted.naturals, counted.wilds, why);
    group->after = before;
    for (int i = 0; i < group->count; i++)
        plan_put(&group->after, all[i], 1);
    if (!state->melded[plan->side])
        plan->points += points_of(rules, all, group->count);
    plan->from_hand += count;
    plan->card_count += group->count;
    plan->group_count++;
    note_change(plan, grows.naturals + grows.wilds, grows.wilds, -1);
    note_change(plan, grows.naturals + grows.wilds + group->count, grows.wilds + counted.wilds, 1);
    return true;
}

bool plan_reaches_minimum(const struct plan *plan, const struct hand_and_foot *state,
                          struct refusal *why) {
    if (state->melded[plan->side] || hand_foot_is_enough(state, plan->points))
        return true;
    return refuse(why, "MIN_POINTS",
                  state->rules[RULE_MINIMUM_TEST] == TEST_MORE_THAN
                      ? "Need more than %d points to play down (have %d)"
                      : "Need %d points to play down (have %d)",
                  hand_foot_first_meld(state), plan->points);
}

/* ---- What a hand could lay ---- */

int plan_kinds_of(int rank, uint8_t kinds[CARD_SUITS + 1]) {
    int count = 0;
    for (int suit = 0; suit < CARD_SUITS; suit++)
        if (!hand_foot_is_red_three(card_of(rank, suit)))
            kinds[count++] = card_of(rank, suit);
    if (rank == HAND_FOOT_WILD_RANK)
        kinds[count++] = CARD_JOKER;
    return count;
}

int plan_pick_cards(const uint8_t *hand, int rank, uint16_t *out, int most) {
    uint8_t kinds[CARD_SUITS + 1];
    int count = 0;
    for (int i = 0, all = plan_kinds_of(rank, kinds); i < all; i++)
        for (int copy = 0; copy < hand[kinds[i]] && count < most; copy++)
            out[count++] = kinds[i];
    return count;
}

struct plan_range plan_range_of(const struct hand_and_foot *state, int seat, int rank,
                                int naturals) {
    struct plan_range range = {.least = 0, .most = -1, .book = NEW_BOOK};
    uint16_t cards[2 * MOVE_ARGS_MAX];
    struct plan plan;
    bool of_wilds = rank == HAND_FOOT_WILD_RANK;
    if (of_wilds != (naturals == 0) ||
        plan_pick_cards(state->hand[seat], rank, cards, naturals) < naturals)
        return range;
    int wilds =
        plan_pick_cards(state->hand[seat], HAND_FOOT_WILD_RANK, cards + naturals, MOVE_ARGS_MAX);
    for (int i = 0; i <= wilds; i++) {
        plan_begin(&plan, state, seat);
        if (!plan_add_group(&plan, state, NEW_BOOK, cards, naturals + i, -1, NULL)) {
            if (range.most >= 0)
                break;
            continue;
        }
        range.least = range.most < 0 ? i : range.least;
        range.most = i;
        range.book = plan.groups[0].book;
    }
    return range;
}

/* ---- Execution ---- */

static int target_index(const struct plan *plan, struct hand_and_foot *state, const int *indexes,
                        int i) {
    int book = plan->groups[i].book;
    if (book == BOOK_OF_EARLIER_GROUP)
        return indexes[plan->groups[i].earlier];
    if (book != NEW_BOOK)
        return book;
    ensure(state->book_count < HAND_FOOT_BOOKS_MAX);
    return state->book_count++;
}

/* The caller has made sure that there is room. */
static void remember(struct hand_and_foot *state, int book, const uint8_t *cards, int count) {
    for (int i = 0; i < count; i++)
        state->undo_card[state->undo_cards++] =
            (struct hand_foot_undo_card){(uint8_t)book, cards[i]};
}

/* The top card, which does not come from the hand, is the last one of the first group. */
void plan_execute(const struct plan *plan, struct hand_and_foot *state, int top) {
    int indexes[PLAN_GROUPS_MAX];
    for (int i = 0; i < plan->group_count; i++) {
        const struct plan_group *group = &plan->groups[i];
        const uint8_t *cards = plan->cards + group->first;
        int from_hand = group->count - (i == 0 && top >= 0);
        indexes[i] = target_index(plan, state, indexes, i);
        struct hand_foot_book *book = &state->books[indexes[i]];
        *book = group->after;
        if (state->rules[RULE_CLOSING] == CLOSING_AUTOMATIC)
            book->closed = hand_foot_book_complete(state, book);
        for (int j = 0; j < from_hand; j++)
            hand_foot_leave_hand(state, plan->seat, cards[j]);
        if (state->rules[RULE_UNDO])
            remember(state, indexes[i], cards, from_hand);
    }
}
