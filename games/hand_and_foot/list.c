/* The moves that Hand & Foot lists: all draws, discards and the like, and a useful set of the plays
 * onto books; `check` decides about all other plays. Plays are tested by counts first (books.h) and
 * listed as counts, so that only the moves somebody asks for are written out. */
#include "engine/ensure.h"
#include "games/hand_and_foot/flow.h"
#include "games/hand_and_foot/plan.h"
#include "games/hand_and_foot/tally.h"
#include <string.h>

/* A move as counts: its arguments are the number of a book (0: none), naturals of the rank, wilds,
 * and the value, a card or another number (NO_VALUE: none). It is one word, because moves are
 * listed far more often than written out: fields of a struct would be stored one by one and loaded
 * again as a whole. */
typedef uint64_t entry;

enum {
    NO_VALUE = 0xffff,
    ENTRIES_MAX = 4 * HAND_FOOT_BOOKS_MAX + 64, /* four moves onto each book, and all others */
    WRITTEN_MAX = 32, /* a first meld has several groups; no hand offers so many of them */
    FIRST_MELD = 128  /* a form: this plus the number of pairs, beside all triples */
};

/* The form is 0 if the counts say all, FIRST_MELD plus a number, or the number, from 1, of a move
 * that was written out. */
enum entry_field {
    ENTRY_VERB = 0,
    ENTRY_NUMBER = 8,
    ENTRY_RANK = 16,
    ENTRY_NATURALS = 24,
    ENTRY_WILDS = 32,
    ENTRY_FORM = 40,
    ENTRY_VALUE = 48 /* 16 bits */
};

static inline entry entry_of(int verb, int value) {
    return (entry)(unsigned)verb << ENTRY_VERB | (entry)(unsigned)value << ENTRY_VALUE;
}

static inline entry entry_with(entry of, enum entry_field field, int value) {
    return of | (entry)(unsigned)value << field;
}

static inline int entry_get(entry of, enum entry_field field) {
    return (int)(of >> field & (field == ENTRY_VALUE ? 0xffff : 0xff));
}

/* The side's books by their numbers, which begin with 1. */
struct own_books {
    int count;
    const struct hand_foot_book *book[1 + HAND_FOOT_BOOKS_MAX + 1];
    /* What hand_foot_latest_book finds, for all ranks in one pass, because lists are made far more
     * often than moves: bit r is set if a new group of rank r meets a book, with this number. */
    uint32_t ranks;
    uint8_t latest[RANKS_ROOM];
};

/* What may be done with a book, as bits: lay all naturals of its rank on it, one of them if there
 * are more, or a wild; close it. */
enum { ADD_ALL = 1, ADD_ONE = 2, ADD_WILD = 4, CLOSE = 8 };

/* The plays of a side that has melded, as sets. A random pick has to count them all but writes out
 * at most one, so they are not listed one by one. */
struct plays {
    int count;
    uint32_t groups, groups_with_wild; /* of all naturals of these ranks, without and with a wild */
    bool group_of_wilds;
    uint8_t onto[1 + HAND_FOOT_BOOKS_MAX]; /* by number of the own book */
};

struct listing {
    const struct hand_and_foot *state;
    int seat, side;
    const uint8_t *hand;
    struct tally tally; /* of the hand; made when it is needed, as are the rules */
    struct book_rules rules;
    int spare; /* so many cards may be played before the rules about going out matter */
    /* The moves: a discard of each of these kinds, then the entries, then the plays. */
    uint64_t discards;
    int discard_count, count;
    entry entries[ENTRIES_MAX];
    struct own_books own;
    struct plays plays;
    int written_count;
    struct move written[WRITTEN_MAX];
};

/* ---- Arguments: each function appends to `count` of them and returns how many there are ---- */

static int put(uint16_t *args, int count, int value) {
    if (count < MOVE_ARGS_MAX)
        args[count++] = (uint16_t)value;
    return count;
}

/* Writes eight copies at once in most cases, because that costs less than counting them: copies too
 * many are overwritten later, or have no meaning behind the last argument. */
static int put_copies(uint16_t *args, int count, int card, int copies) {
    enum { AT_ONCE = 8 };
    if (copies <= AT_ONCE && count <= MOVE_ARGS_MAX - AT_ONCE) {
        for (int i = 0; i < AT_ONCE; i++)
            args[count + i] = (uint16_t)card;
        return count + copies;
    }
    for (int i = 0; i < copies; i++)
        count = put(args, count, card);
    return count;
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}

/* Puts up to `most` cards of those kinds that the hand holds. */
static int put_kinds(uint16_t *args, int count, const uint8_t *hand, uint64_t kinds, int most) {
    for (; kinds != 0 && most > 0; kinds &= kinds - 1) {
        int card = __builtin_ctzll(kinds), copies = smaller(hand[card], most);
        count = put_copies(args, count, card, copies);
        most -= copies;
    }
    return count;
}

/* Puts up to `most` naturals of a rank from the hand. */
static int put_rank(const struct listing *list, uint16_t *args, int count, int rank, int most) {
    uint64_t kinds = list->tally.kinds & tally_naturals_of(rank);
    return put_kinds(args, count, list->hand, kinds, most);
}

/* Puts wilds, twos before jokers. */
static int put_wilds(const struct listing *list, uint16_t *args, int count, int most) {
    return put_kinds(args, count, list->hand, list->tally.kinds & TALLY_WILD_KINDS, most);
}

/* Puts the wild after the first `skip` ones. */
static int put_next_wild(const struct listing *list, uint16_t *args, int count, int skip) {
    uint64_t kinds = list->tally.kinds & TALLY_WILD_KINDS;
    while (skip >= list->hand[__builtin_ctzll(kinds)]) {
        skip -= list->hand[__builtin_ctzll(kinds)];
        kinds &= kinds - 1;
    }
    return put(args, count, __builtin_ctzll(kinds));
}

/* Puts all naturals of a rank as another group. */
static int put_group(const struct listing *list, uint16_t *args, int count, int rank) {
    if (count > 0)
        count = put(args, count, MOVE_SEPARATOR);
    return put_rank(list, args, count, rank, MOVE_ARGS_MAX);
}

/* ---- Sets of ranks, as bits ---- */

static int lowest(uint32_t ranks) {
    return __builtin_ctz(ranks);
}

static int highest(uint32_t ranks) {
    return 31 - __builtin_clz(ranks);
}

static uint32_t without(uint32_t ranks, int rank) {
    return ranks & ~((uint32_t)1 << rank);
}

/* Those of the ranks that books may have. */
static uint32_t bookable(const struct listing *list, uint32_t ranks) {
    return ranks & list->rules.ranks;
}

static bool has_room_for_a_book(const struct listing *list) {
    return list->state->book_count < HAND_FOOT_BOOKS_MAX;
}

/* All triples are groups of a first meld, and so many pairs with a wild each, the highest first. */
static uint32_t triples_of(const struct listing *list) {
    return bookable(list, list->tally.triples);
}

static uint32_t pairs_of(const struct listing *list) {
    return bookable(list, list->tally.pairs) & ~list->tally.triples;
}

static void write_first_meld(const struct listing *list, int pairs, struct move *out) {
    int count = 0;
    for (uint32_t rest = triples_of(list); rest != 0; rest = without(rest, highest(rest)))
        count = put_group(list, out->args, count, highest(rest));
    uint32_t rest = pairs_of(list);
    for (int used = 0; used < pairs; used++, rest = without(rest, highest(rest))) {
        count = put_group(list, out->args, count, highest(rest));
        count = put_next_wild(list, out->args, count, used);
    }
    out->verb = HAND_FOOT_MELD;
    out->count = (uint8_t)count;
}

/* ---- Listing a move ---- */

static void write_out(const struct listing *list, entry of, struct move *out) {
    int count = 0, form = entry_get(of, ENTRY_FORM);
    if (form >= FIRST_MELD) {
        write_first_meld(list, form - FIRST_MELD, out);
        return;
    }
    if (form > 0) {
        *out = list->written[form - 1];
        return;
    }
    if (entry_get(of, ENTRY_NUMBER) > 0)
        out->args[count++] = (uint16_t)entry_get(of, ENTRY_NUMBER);
    if (entry_get(of, ENTRY_NATURALS) > 0)
        count = put_rank(list, out->args, count, entry_get(of, ENTRY_RANK),
                         entry_get(of, ENTRY_NATURALS));
    if (entry_get(of, ENTRY_WILDS) > 0)
        count = put_wilds(list, out->args, count, entry_get(of, ENTRY_WILDS));
    if (entry_get(of, ENTRY_VALUE) != NO_VALUE)
        out->args[count++] = (uint16_t)entry_get(of, ENTRY_VALUE);
    out->verb = (uint8_t)entry_get(of, ENTRY_VERB);
    out->count = (uint8_t)count;
}

static bool is_legal(const struct listing *list, entry of) {
    struct move move;
    write_out(list, of, &move);
    return verb_check(&hand_and_foot_game, list->state, list->seat, &move, NULL);
}

/* Lists a move that the rules are known to allow. */
static void list_entry(struct listing *list, entry of) {
    list->entries[list->count++] = of;
}

/* Lists the move if it is legal. */
static void offer(struct listing *list, entry of) {
    if (is_legal(list, of))
        list_entry(list, of);
}

/* Lists a play of so many cards that the rules of books allow. Only near the end of the foot more
 * has to be checked. */
static void offer_play(struct listing *list, entry of, int cards) {
    if (cards > list->spare)
        offer(list, of);
    else
        list_entry(list, of);
}

static entry bare(int verb) {
    return entry_of(verb, NO_VALUE);
}

static entry of_book(int verb, int number) {
    return entry_with(bare(verb), ENTRY_NUMBER, number);
}

static entry of_group(int verb, int rank, int naturals, int wilds) {
    return entry_with(
        entry_with(entry_with(bare(verb), ENTRY_RANK, rank), ENTRY_NATURALS, naturals), ENTRY_WILDS,
        wilds);
}

static entry group_of_wilds(void) {
    return of_group(HAND_FOOT_MELD, HAND_FOOT_WILD_RANK, 0, GROUP_CARDS_MIN);
}

/* A move that is too long for counts. */
static entry written_out(struct listing *list, int verb, const uint16_t *args, int count) {
    ensure(list->written_count < WRITTEN_MAX);
    struct move *move = &list->written[list->written_count++];
    move->verb = (uint8_t)verb;
    move->count = (uint8_t)count;
    memcpy(move->args, args, (size_t)count * sizeof *args);
    return entry_with(bare(verb), ENTRY_FORM, list->written_count);
}

/* ---- First melds ---- */

_Static_assert((int)GROUP_CARDS_MIN == 3 && (int)GROUP_NATURALS_MIN == 2,
               "a triple is a group, and so is a pair with a wild, under any rules");

/* A first meld in the making: every rank with three naturals is a group, then come pairs with a
 * wild each. */
struct first_meld {
    int cards, groups, points;
};

static int points_of(const struct listing *list, int card, int copies) {
    return copies * hand_foot_points(list->state->rules, card);
}

static int points_of_all(const struct listing *list, int rank) {
    return points_of(list, card_of(rank, CARD_SPADES), list->tally.naturals[rank]);
}

static void add_to_first_meld(const struct listing *list, struct first_meld *meld, int rank) {
    meld->cards += list->tally.naturals[rank];
    meld->groups++;
    meld->points += points_of_all(list, rank);
}

static void add_wild(const struct listing *list, struct first_meld *meld, int used) {
    bool joker = used >= list->tally.wilds - list->hand[CARD_JOKER];
    meld->cards++;
    meld->points += list->state->rules[joker ? RULE_POINTS_JOKER : RULE_POINTS_TWO];
}

static bool has_books(const struct hand_and_foot *state, int side) {
    bool has = false;
    for (int i = 0; i < state->book_count; i++)
        has |= state->books[i].side == side;
    return has;
}

/* Triples, and pairs with a wild, are groups by themselves, so only the whole has to be checked. */
static void offer_first_meld(struct listing *list, const struct first_meld *meld, entry of) {
    const struct hand_and_foot *state = list->state;
    bool cut = meld->cards + meld->groups - 1 > MOVE_ARGS_MAX;
    bool room = state->book_count + meld->groups <= HAND_FOOT_BOOKS_MAX;
    if (cut || !room || has_books(state, list->side))
        offer(list, of);
    else
        offer_play(list, of, meld->cards);
}

/* An upper bound of the points of everything that could be laid. */
static int points_at_most(const struct listing *list, uint32_t ranks) {
    const int16_t *rules = list->state->rules;
    int dearest_wild = rules[RULE_POINTS_JOKER] > rules[RULE_POINTS_TWO] ? rules[RULE_POINTS_JOKER]
                                                                         : rules[RULE_POINTS_TWO];
    int points = list->tally.wilds * dearest_wild;
    for (; ranks != 0; ranks = without(ranks, lowest(ranks)))
        points += points_of_all(list, lowest(ranks));
    return points;
}

/* For a high minimum wilds are laid in the order jokers, then twos. This is what the next one is
 * worth after so many were used; put_dear_wild() puts its card. */
static int dear_points(const struct listing *list, int used) {
    return list->state->rules[used < list->hand[CARD_JOKER] ? RULE_POINTS_JOKER : RULE_POINTS_TWO];
}

static int put_dear_wild(const struct listing *list, uint16_t *args, int count, int used) {
    int jokers = list->hand[CARD_JOKER];
    return used < jokers ? put(args, count, CARD_JOKER)
                         : put_next_wild(list, args, count, used - jokers);
}

/* Offers all groups with as many wilds on each as the rules allow, for a high minimum. */
static void offer_dear_first_meld(struct listing *list, int enough) {
    struct first_meld meld = {0};
    uint16_t args[MOVE_ARGS_MAX];
    int wilds[RANKS_ROOM] = {0}, used = 0, count = 0;
    uint32_t ranks = triples_of(list), pairs = pairs_of(list);
    for (; pairs != 0 && used < list->tally.wilds; pairs = without(pairs, highest(pairs))) {
        ranks |= (uint32_t)1 << highest(pairs);
        wilds[highest(pairs)] = 1;
        meld.points += dear_points(list, used++);
    }
    for (uint32_t rest = ranks; rest != 0; rest = without(rest, highest(rest)))
        add_to_first_meld(list, &meld, highest(rest));
    for (uint32_t rest = ranks; rest != 0; rest = without(rest, highest(rest))) {
        int rank = highest(rest), naturals = list->tally.naturals[rank];
        while (used < list->tally.wilds && meld.points < enough &&
               book_may_open(&list->rules, NULL, rank, naturals, wilds[rank] + 1)) {
            meld.points += dear_points(list, used++);
            wilds[rank]++;
        }
    }
    if (meld.groups == 0 || meld.points < enough)
        return;
    meld.cards += used;
    used = 0;
    for (; ranks != 0; ranks = without(ranks, highest(ranks))) {
        count = put_group(list, args, count, highest(ranks));
        for (int i = 0; i < wilds[highest(ranks)]; i++)
            count = put_dear_wild(list, args, count, used++);
    }
    offer_first_meld(list, &meld, written_out(list, HAND_FOOT_MELD, args, count));
}

enum { FIRST_MELD_PAIRS_MAX = 4 };

/* Offers first melds from the naturals alone up to everything that can be laid, with a wild for
 * each pair, up to FIRST_MELD_PAIRS_MAX pairs. Ends as soon as there is nothing more to add. */
static void offer_plain_first_melds(struct listing *list, int enough) {
    struct first_meld meld = {0};
    uint32_t pairs = pairs_of(list);
    for (uint32_t rest = triples_of(list); rest != 0; rest = without(rest, highest(rest)))
        add_to_first_meld(list, &meld, highest(rest));
    for (int used = 0; used <= FIRST_MELD_PAIRS_MAX; used++) {
        entry of = entry_with(bare(HAND_FOOT_MELD), ENTRY_FORM, FIRST_MELD + used);
        if (meld.groups > 0 && meld.points >= enough)
            offer_first_meld(list, &meld, of);
        if (pairs == 0 || used == list->tally.wilds)
            return;
        add_to_first_meld(list, &meld, highest(pairs));
        add_wild(list, &meld, used);
        pairs = without(pairs, highest(pairs));
    }
}

static void offer_first_melds(struct listing *list) {
    int before = list->count, enough = hand_foot_enough(list->state);
    if (points_at_most(list, triples_of(list) | pairs_of(list)) < enough)
        return;
    offer_plain_first_melds(list, enough);
    if (list->count == before)
        offer_dear_first_meld(list, enough);
}

/* ---- Plays of a side that has melded ---- */

static void find_own_books(struct listing *list) {
    const struct hand_foot_book *book = list->state->books, *end = book + list->state->book_count;
    struct own_books *own = &list->own;
    const struct hand_foot_book **next = own->book + 1;
    for (int side = list->side; book < end; book++) {
        *next = book; /* in any case: a branch would mispredict */
        next += book->side == side;
    }
    own->count = (int)(next - own->book) - 1;
}

static void find_latest_books(struct listing *list) {
    struct own_books *own = &list->own;
    int count = list->rules.books_per_rank == BOOKS_ANY ? 0 : own->count;
    uint32_t ranks = 0;
    for (int i = 1; i <= count; i++) {
        int rank = own->book[i]->rank;
        ranks |= (uint32_t)1 << rank;
        own->latest[rank] = (uint8_t)i;
    }
    own->ranks = ranks;
}

static struct book_counts own_book(const struct listing *list, int number) {
    return book_counts_of(&list->rules, list->own.book[number]);
}

/* The side's latest book of a rank, which is put into `book`; null if a new group meets none. */
static const struct book_counts *latest_book(const struct listing *list, int rank,
                                             struct book_counts *book) {
    if ((list->own.ranks >> rank & 1) == 0)
        return NULL;
    *book = own_book(list, list->own.latest[rank]);
    return book;
}

static uint32_t rank_if(bool condition, int rank) {
    return (uint32_t)condition << rank;
}

/* Finds the ranks whose naturals, all of them, are a group. Where the side has no book of a rank,
 * and fewer cards than a book needs, a triple always is one, and so is a pair with a wild. */
static void find_groups(struct listing *list) {
    const struct tally *tally = &list->tally;
    const struct book_rules *rules = &list->rules;
    uint32_t ranks = has_room_for_a_book(list) ? bookable(list, tally->pairs) : 0;
    uint32_t unsure = ranks & (list->own.ranks | tally_ranks(tally, (unsigned)rules->book_size));
    uint32_t groups = ranks & tally->triples & ~unsure, with_wild = ranks & ~unsure;
    for (; unsure != 0; unsure = without(unsure, lowest(unsure))) {
        int rank = lowest(unsure), naturals = tally->naturals[rank];
        struct book_counts book;
        const struct book_counts *latest = latest_book(list, rank, &book);
        groups |= rank_if(book_may_open(rules, latest, rank, naturals, 0), rank);
        with_wild |= rank_if(book_may_open(rules, latest, rank, naturals, 1), rank);
    }
    list->plays.groups = groups;
    list->plays.groups_with_wild = with_wild & -(uint32_t)(tally->wilds > 0);
    list->plays.group_of_wilds = book_is_group(rules, HAND_FOOT_WILD_RANK, 0, tally->wilds) &&
                                 is_legal(list, group_of_wilds());
    list->plays.count += __builtin_popcount(list->plays.groups) +
                         __builtin_popcount(list->plays.groups_with_wild) +
                         list->plays.group_of_wilds;
}

/* Finds what may be done with the own books. */
static void find_additions(struct listing *list) {
    const struct book_rules rules = list->rules; /* a copy stays in registers */
    bool wilds = list->tally.wilds > 0;
    int count = 0;
    for (int i = 1; i <= list->own.count; i++) {
        struct book_counts book = book_counts_of(&rules, list->own.book[i]);
        int naturals = list->tally.naturals[book.rank], room = book_room(&rules, &book);
        bool all = (naturals > 0) & (naturals <= room), one = (naturals > 1) & (room > 0);
        bool wild = wilds & book_takes_wilds(&rules, &book, 0, 1);
        bool closes = book_may_close(&rules, &book);
        unsigned onto = all * ADD_ALL | one * ADD_ONE | wild * ADD_WILD | closes * CLOSE;
        list->plays.onto[i] = (uint8_t)onto;
        count += __builtin_popcount(onto);
    }
    list->plays.count += count;
}

/* The first of those kinds in the hand; twos stand before jokers. */
static int first_of(const struct listing *list, uint64_t kinds) {
    return __builtin_ctzll(list->tally.kinds & kinds);
}

static entry addition(int number, int card) {
    return entry_with(entry_of(HAND_FOOT_ADD, card), ENTRY_NUMBER, number);
}

/* The nth thing that may be done with a book. */
static entry nth_addition(const struct listing *list, int number, int nth) {
    unsigned onto = list->plays.onto[number];
    int rank = list->own.book[number]->rank;
    for (; nth > 0; nth--)
        onto &= onto - 1;
    switch (onto & -onto) {
    case ADD_ALL:
        return entry_with(of_group(HAND_FOOT_ADD, rank, list->tally.naturals[rank], 0),
                          ENTRY_NUMBER, number);
    case ADD_ONE:
        return addition(number, first_of(list, tally_naturals_of(rank)));
    case ADD_WILD:
        return addition(number, first_of(list, TALLY_WILD_KINDS));
    default:
        return of_book(HAND_FOOT_CLOSE, number);
    }
}

/* The nth play: groups by rank, without a wild before with one, then what goes onto books. */
static entry nth_play(const struct listing *list, int nth) {
    const struct plays *plays = &list->plays;
    uint32_t ranks = plays->groups | plays->groups_with_wild;
    for (; ranks != 0; ranks = without(ranks, lowest(ranks))) {
        int rank = lowest(ranks), plain = plays->groups >> rank & 1;
        int with_wild = plays->groups_with_wild >> rank & 1;
        if (nth < plain + with_wild)
            return of_group(HAND_FOOT_MELD, rank, list->tally.naturals[rank], nth >= plain);
        nth -= plain + with_wild;
    }
    if (plays->group_of_wilds && nth-- == 0)
        return group_of_wilds();
    int number = 1;
    for (int here; nth >= (here = __builtin_popcount(plays->onto[number])); number++)
        nth -= here;
    return nth_addition(list, number, nth);
}

/* In the foot, plays that leave hardly a card have to be checked for more than the rules of books.
 */
static void list_legal_plays(struct listing *list) {
    for (int i = 0; i < list->plays.count; i++) {
        entry of = nth_play(list, i);
        int cards = entry_get(of, ENTRY_NATURALS) + entry_get(of, ENTRY_WILDS) +
                    (entry_get(of, ENTRY_VALUE) != NO_VALUE);
        if (cards <= list->spare || is_legal(list, of))
            list_entry(list, of);
    }
    list->plays.count = 0;
}

_Static_assert(HAND_FOOT_CARDS_MAX / CARD_RANKS + 2 < MOVE_ARGS_MAX,
               "all cards of a rank, and a wild, are one move");

static void offer_plays(struct listing *list) {
    find_own_books(list);
    find_latest_books(list);
    find_groups(list);
    find_additions(list);
    if (list->spare < 1 || tally_ranks(&list->tally, (unsigned)list->spare) != 0)
        list_legal_plays(list); /* a play of all naturals of a rank and a wild may be too much */
}

/* ---- The pile ---- */

/* Are enough cards left when the pile is taken and so many cards are laid? */
static bool keeps_enough(const struct listing *list, int cards) {
    return cards <= list->spare + hand_foot_pickup_size(list->state) - 1;
}

/* May the top card make a group with those from the hand? */
static bool may_take(const struct listing *list, int rank, int naturals, int wilds) {
    bool wild = hand_foot_is_wild(hand_foot_top(list->state));
    struct book_counts book;
    return book_may_open(&list->rules, latest_book(list, rank, &book), rank, naturals + !wild,
                         wilds + wild);
}

/* Offers to take the top card with two cards from the hand; for a first meld, with everything else
 * that can be laid. */
static void offer_first_take(struct listing *list, int rank, int naturals, int wilds) {
    uint16_t args[MOVE_ARGS_MAX];
    int count = put_rank(list, args, 0, rank, naturals);
    count = put_wilds(list, args, count, wilds);
    int points = points_of(list, hand_foot_top(list->state), 1);
    for (int i = 0; i < count; i++)
        points += points_of(list, args[i], 1);
    int verb = hand_foot_take_verb(list->state);
    if (hand_foot_is_enough(list->state, points))
        offer(list, written_out(list, verb, args, count));
    uint32_t triples = without(bookable(list, list->tally.triples), rank);
    for (; triples != 0; triples = without(triples, highest(triples))) {
        count = put_group(list, args, count, highest(triples));
        points += points_of_all(list, highest(triples));
    }
    if (hand_foot_is_enough(list->state, points))
        offer(list, written_out(list, verb, args, count));
}

/* Where the top card may go anywhere, it makes a group like any other. */
static void offer_take(struct listing *list, int rank, int naturals, int wilds) {
    const struct hand_and_foot *state = list->state;
    if (list->tally.naturals[rank] < naturals || list->tally.wilds < wilds)
        return;
    if (!state->melded[list->side]) {
        offer_first_take(list, rank, naturals, wilds);
        return;
    }
    entry of = of_group(hand_foot_take_verb(state), rank, naturals, wilds);
    bool anywhere = state->rules[RULE_PICKUP_PLAY] == PLAY_ANYWHERE;
    if (!anywhere || rank == HAND_FOOT_THREE || !has_room_for_a_book(list) ||
        !keeps_enough(list, PICKUP_COMPANIONS))
        offer(list, of);
    else if (may_take(list, rank, naturals, wilds))
        list_entry(list, of);
}

/* Offers the top card alone onto a book; it must be of its rank, or wild. */
static void offer_takes_onto_books(struct listing *list, int top) {
    const struct hand_and_foot *state = list->state;
    bool wild = hand_foot_is_wild(top);
    bool sure = state->melded[list->side] && !hand_foot_is_three(top) && keeps_enough(list, 0);
    for (int i = 1; i <= list->own.count; i++) {
        entry of = of_book(HAND_FOOT_TAKE_ADD, i);
        if (!wild && list->own.book[i]->rank != hand_foot_rank(top))
            continue;
        struct book_counts book = own_book(list, i);
        if (sure ? book_fits(&list->rules, &book, !wild, wild) : is_legal(list, of))
            list_entry(list, of);
    }
}

/* Does the hand have a card that can go with the top card? Where two naturals are required, most
 * hands have not. */
static bool has_companions(const struct listing *list, int top) {
    int needed = PICKUP_COMPANIONS - hand_foot_companion_wilds(list->state);
    const uint8_t *kind = list->hand + card_of(hand_foot_rank(top), CARD_SPADES);
    int held = kind[CARD_SPADES * CARD_RANKS] + kind[CARD_HEARTS * CARD_RANKS] +
               kind[CARD_DIAMONDS * CARD_RANKS] + kind[CARD_CLUBS * CARD_RANKS];
    return hand_foot_is_wild(top) || held >= needed;
}

/* Offers to take the top card with cards from the hand. */
static void offer_takes_with_cards(struct listing *list, int top) {
    tally_hand(&list->tally, list->hand);
    find_latest_books(list);
    if (hand_foot_is_wild(top)) {
        for (uint32_t ranks = list->tally.pairs; ranks != 0; ranks = without(ranks, lowest(ranks)))
            offer_take(list, lowest(ranks), PICKUP_COMPANIONS, 0);
    } else {
        offer_take(list, hand_foot_rank(top), PICKUP_COMPANIONS, 0);
        if (hand_foot_companion_wilds(list->state) > 0)
            offer_take(list, hand_foot_rank(top), PICKUP_COMPANIONS - 1, 1);
    }
}

static void offer_takes(struct listing *list) {
    const struct hand_and_foot *state = list->state;
    if (!state->chose_pile[list->seat] || !hand_foot_may_take(state, list->seat, NULL))
        return;
    int top = hand_foot_top(state);
    bool anywhere = state->rules[RULE_PICKUP_PLAY] == PLAY_ANYWHERE;
    bool companions = has_companions(list, top);
    if (!anywhere && !companions)
        return;
    list->rules = book_rules_of(state->rules);
    find_own_books(list);
    if (companions)
        offer_takes_with_cards(list, top);
    if (anywhere)
        offer_takes_onto_books(list, top);
}

/* ---- All of them ---- */

/* Only the very last card can be refused. */
static void offer_discards(struct listing *list) {
    uint64_t kinds = list->tally.kinds;
    if (list->state->hand_count[list->seat] == 1 && kinds != 0) {
        offer(list, entry_of(HAND_FOOT_DISCARD, __builtin_ctzll(kinds)));
        return;
    }
    list->discards = kinds;
    list->discard_count = __builtin_popcountll(kinds);
}

static void offer_rest_of_turn(struct listing *list) {
    const struct hand_and_foot *state = list->state;
    tally_hand(&list->tally, list->hand);
    offer_discards(list);
    if (state->undo_plays > 0)
        list_entry(list, bare(HAND_FOOT_UNDO));
    if (state->rules[RULE_ASK_PARTNER])
        offer(list, bare(HAND_FOOT_ASK));
    if (state->rules[RULE_RED_THREES_LAID]) {
        offer(list, entry_of(HAND_FOOT_LAY, card_of(HAND_FOOT_THREE, CARD_HEARTS)));
        offer(list, entry_of(HAND_FOOT_LAY, card_of(HAND_FOOT_THREE, CARD_DIAMONDS)));
    }
    if (state->turn_phase != HAND_FOOT_TURN_MELD)
        return;
    list_entry(list, bare(HAND_FOOT_DONE));
    list->rules = book_rules_of(state->rules);
    if (state->melded[list->side])
        offer_plays(list);
    else
        offer_first_melds(list);
}

static int spare_cards(const struct hand_and_foot *state, int seat) {
    return state->in_foot[seat] ? state->hand_count[seat] - FOOT_LEFT_MIN : MOVE_ARGS_MAX;
}

/* Fills a listing for a seat that is awaited. Its arrays are large and so not cleared. */
static void list_all(struct listing *list, const struct hand_and_foot *state, int seat) {
    list->state = state;
    list->seat = seat;
    list->side = hand_foot_side(state, seat);
    list->hand = state->hand[seat];
    list->spare = spare_cards(state, seat);
    list->discard_count = list->count = list->plays.count = list->written_count = 0;
    if (state->asking == HAND_FOOT_ASKED) {
        list_entry(list, entry_of(HAND_FOOT_ANSWER, 1));
        list_entry(list, entry_of(HAND_FOOT_ANSWER, 0));
    } else if (state->turn_phase == HAND_FOOT_TURN_DRAW) {
        list_entry(list, bare(HAND_FOOT_DRAW));
        offer_takes(list);
        if (state->rules[RULE_CHOOSE_PILE] && !state->chose_pile[seat]) {
            list_entry(list, entry_of(HAND_FOOT_PILE, 1));
            list_entry(list, entry_of(HAND_FOOT_PILE, 2));
        }
    } else {
        offer_rest_of_turn(list);
    }
}

/* The nth of the kinds: halves the bits six times, which needs no branch. */
static int nth_kind(uint64_t kinds, int nth) {
    int card = 0;
    for (int half = 32; half > 0; half /= 2) {
        int below = __builtin_popcountll(kinds & (((uint64_t)1 << half) - 1));
        int above = -(nth >= below); /* all bits set, or none */
        nth -= below & above;
        card += half & above;
        kinds >>= half & above;
    }
    return card;
}

static void write_nth(const struct listing *list, int nth, struct move *out) {
    int listed = list->discard_count + list->count;
    if (nth < list->discard_count) {
        out->verb = HAND_FOOT_DISCARD;
        out->count = 1;
        out->args[0] = (uint16_t)nth_kind(list->discards, nth);
    } else {
        write_out(list,
                  nth < listed ? list->entries[nth - list->discard_count]
                               : nth_play(list, nth - listed),
                  out);
    }
}

static int count_all(const struct listing *list, int max) {
    return smaller(list->discard_count + list->count + list->plays.count, max);
}

size_t hand_foot_legal(const void *from, int seat, struct move *out, size_t max) {
    struct listing list;
    if ((hand_foot_to_act(from) >> seat & 1) == 0)
        return 0;
    list_all(&list, from, seat);
    int count = count_all(&list, (int)max);
    for (int i = 0; i < count; i++)
        write_nth(&list, i, &out[i]);
    return (size_t)count;
}

void hand_foot_pick(const void *from, int seat, struct chance *chance, struct move *out) {
    struct listing list;
    list_all(&list, from, seat);
    int count = count_all(&list, GAME_LEGAL_MAX);
    ensure(count > 0);
    write_nth(&list, (int)chance_below(chance, (uint32_t)count), out);
}
