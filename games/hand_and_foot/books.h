/* The rules of books: what may be laid as a new group, what may go onto a book, and which books a
 * side may have beside each other. This is the one place where they stand; plays (plan.h), lists of
 * moves, positions and bots ask here, by counts: suits matter to red threes alone. What a book is
 * worth is said in hand_and_foot.h, which includes this file. */
#pragma once

#include "engine/card.h"
#include "games/hand_and_foot/rules.h"

enum {
    HAND_FOOT_WILD_RANK = 2, /* the rank of a book of wilds */
    HAND_FOOT_THREE = 3,     /* the lowest rank of naturals; red threes are in no book */
    GROUP_CARDS_MIN = 3,     /* of a new group, with the top card of a pile that is taken */
    GROUP_NATURALS_MIN = 2   /* among them, unless all are wild and the rules have books of wilds */
};

struct hand_foot_book {
    uint8_t side;
    uint8_t rank; /* HAND_FOOT_THREE to CARD_ACE, or HAND_FOOT_WILD_RANK */
    bool closed;
    uint8_t naturals[CARD_SUITS];
    uint8_t twos[CARD_SUITS];
    uint8_t jokers;
};

/* ---- Cards ---- */

static inline bool hand_foot_is_wild(int card) {
    return card == CARD_JOKER || card % CARD_RANKS == 0;
}

static inline bool hand_foot_is_three(int card) {
    return card != CARD_JOKER && card % CARD_RANKS == 1;
}

static inline bool hand_foot_is_red_three(int card) {
    return card == CARD_HEARTS * CARD_RANKS + 1 || card == CARD_DIAMONDS * CARD_RANKS + 1;
}

/* HAND_FOOT_WILD_RANK for a joker as well. */
static inline int hand_foot_rank(int card) {
    return card == CARD_JOKER ? HAND_FOOT_WILD_RANK : card % CARD_RANKS + 2;
}

/* May the card lie on any book? */
static inline bool book_takes_card(const int16_t *rules, int card) {
    return !hand_foot_is_three(card) ||
           (rules[RULE_BLACK_THREE_BOOKS] && !hand_foot_is_red_three(card));
}

/* ---- Counts ---- */

int hand_foot_book_naturals(const struct hand_foot_book *book);
int hand_foot_book_wilds(const struct hand_foot_book *book);
int hand_foot_book_size(const struct hand_foot_book *book);

/* The house rules that are asked for every book, prepared for quick answers. */
struct book_rules {
    uint32_t ranks;  /* bit r: there may be books of rank r */
    int wilds_most;  /* in a book */
    int wilds_fewer; /* than naturals, by at least so many */
    int book_size;
    int dirty_size_most; /* cards in a dirty book */
    int books_per_rank;
    bool explicit_closing;
    bool clean_takes_wilds; /* once it is full */
};

struct book_rules book_rules_of(const int16_t *rules);

/* A book as counts, which is all that matters once the rank is right. */
struct book_counts {
    int rank;
    bool complete;
    bool full; /* closed, where books are closed by hand; complete elsewhere */
    int naturals, wilds;
};

/* HT-C12: a book that is large enough counts, closed or not. */
static inline bool book_is_complete(int cards, int book_size) {
    return cards >= book_size;
}

static inline struct book_counts book_counts_of(const struct book_rules *rules,
                                                const struct hand_foot_book *book) {
    struct book_counts counts = {.rank = book->rank,
                                 .naturals = hand_foot_book_naturals(book),
                                 .wilds = hand_foot_book_wilds(book)};
    counts.complete = book_is_complete(counts.naturals + counts.wilds, rules->book_size);
    counts.full = rules->explicit_closing ? book->closed : counts.complete;
    return counts;
}

/* ---- Rules ---- */

/* May a book be of that rank? */
static inline bool book_has_rank(const struct book_rules *rules, int rank) {
    return (rules->ranks >> rank & 1) != 0;
}

/* May a book with so many naturals have so many wilds? */
static inline bool book_wilds_fit(const struct book_rules *rules, int naturals, int wilds) {
    return (wilds + rules->wilds_fewer <= naturals) & (wilds <= rules->wilds_most);
}

/* The most wilds that a book with so many naturals may have. */
static inline int book_wilds_most(const struct book_rules *rules, int naturals) {
    int most = naturals - rules->wilds_fewer;
    return most < rules->wilds_most ? most : rules->wilds_most;
}

/* How many more cards a dirty book may have, or this one if it becomes dirty. */
static inline int book_dirty_room(const struct book_rules *rules, const struct book_counts *book) {
    return rules->dirty_size_most - book->naturals - book->wilds;
}

/* How many naturals of its rank the book takes; a clean one takes all there are. */
static inline int book_room(const struct book_rules *rules, const struct book_counts *book) {
    return book->wilds == 0 ? UINT8_MAX : book_dirty_room(rules, book);
}

/* Does it take so many wilds, one at least, together with so many naturals? Branch-free, because
 * these outcomes mispredict. */
static inline bool book_takes_wilds(const struct book_rules *rules, const struct book_counts *book,
                                    int naturals, int wilds) {
    int naturals_after = book->naturals + naturals, wilds_after = book->wilds + wilds;
    bool stays_clean = book->full & (book->wilds == 0) & !rules->clean_takes_wilds;
    bool wilds_fit =
        (book->rank == HAND_FOOT_WILD_RANK) | book_wilds_fit(rules, naturals_after, wilds_after);
    return wilds_fit & !stays_clean & (naturals + wilds <= book_dirty_room(rules, book));
}

/* May so many cards go onto the book? */
static inline bool book_fits(const struct book_rules *rules, const struct book_counts *book,
                             int naturals, int wilds) {
    return wilds > 0 ? book_takes_wilds(rules, book, naturals, wilds)
                     : naturals <= book_room(rules, book);
}

/* Are so many cards of a rank enough for a new group, and not too many of them wild? */
static inline bool book_is_group(const struct book_rules *rules, int rank, int naturals,
                                 int wilds) {
    if (naturals + wilds < GROUP_CARDS_MIN || !book_has_rank(rules, rank))
        return false;
    return rank == HAND_FOOT_WILD_RANK
               ? naturals == 0
               : naturals >= GROUP_NATURALS_MIN && book_wilds_fit(rules, naturals, wilds);
}

/* May the book be closed by hand? */
static inline bool book_may_close(const struct book_rules *rules, const struct book_counts *book) {
    return rules->explicit_closing & !book->full & book->complete;
}

/* May the side that has this book lay another one of its rank? */
static inline bool book_allows_another(const struct book_rules *rules,
                                       const struct book_counts *book) {
    return rules->books_per_rank == BOOKS_ANY ||
           (rules->books_per_rank == BOOKS_AFTER_CLOSING && book->full);
}

enum book_target { TARGET_NEW_BOOK, TARGET_LATEST_BOOK, TARGET_NONE };

/* Where does a new group go if this is the side's latest book of its rank (null if there is none)?
 * Where a side has one book of each rank, the group joins it. */
static inline enum book_target book_target(const struct book_rules *rules,
                                           const struct book_counts *latest) {
    if (!latest)
        return TARGET_NEW_BOOK;
    if (rules->books_per_rank == BOOKS_ONE)
        return TARGET_LATEST_BOOK;
    return book_allows_another(rules, latest) ? TARGET_NEW_BOOK : TARGET_NONE;
}

/* May a side whose latest book of the rank is this one (null if it has none) lay so many cards of
 * the rank as a new group? */
static inline bool book_may_open(const struct book_rules *rules, const struct book_counts *latest,
                                 int rank, int naturals, int wilds) {
    struct book_counts empty = {.rank = rank};
    enum book_target target = book_target(rules, latest);
    return book_is_group(rules, rank, naturals, wilds) && target != TARGET_NONE &&
           book_fits(rules, target == TARGET_LATEST_BOOK ? latest : &empty, naturals, wilds);
}

/* Could the book have been laid, in whatever steps? */
bool book_could_be_laid(const struct book_rules *rules, const struct hand_foot_book *book);
