/* Makes 4 Kate's opening book anew: `make book` writes what this prints into
 * bots/four_kate_fitted.h. It begins with the empty board and with each first disc of the other
 * side, asks the solver for a landing that keeps the score, tries all answers of the other side,
 * and so on until the solver alone is fast enough. The solver's table is 1.3 GB here, and it takes
 * about half an hour; the book does not depend on the table. What is found on the way, such as who
 * wins after each first disc, is told on standard error. */
#include "bots/four_kate_book.h"
#include "engine/ensure.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ENTRIES = 1 << 28, POSITIONS_MAX = 100000, SEEDS_MAX = 1000, SPARE_PERCENT = 124 };

/* A position of the book and its answer. */
struct entry {
    uint64_t key;
    int column;
};

/* A position that may be reached, and what its score is at least. */
struct reached {
    struct four_kate_position position;
    int score_min;
};

struct positions {
    size_t count;
    struct reached list[POSITIONS_MAX * FOUR_KATE_COLUMNS];
};

struct book {
    size_t count;
    struct entry entries[POSITIONS_MAX];
};

/* The table while it is filled. */
struct cells {
    uint32_t part_cells, seed;
    uint32_t degree[2 * POSITIONS_MAX]; /* entries that are made of the cell and not yet removed */
    uint32_t both[2 * POSITIONS_MAX];   /* the exclusive or of their numbers */
    uint32_t order[POSITIONS_MAX];      /* entries as they were removed */
    uint32_t free_cell[POSITIONS_MAX];  /* the cell that only this entry was left in */
    uint8_t value[2 * POSITIONS_MAX];
};

_Noreturn void ensure_failed(const char *what, const char *file, int line) {
    fprintf(stderr, "book: '%s' does not hold at %s:%d\n", what, file, line);
    abort();
}

/* ---- Positions ---- */

/* Of the same positions the one of which more is known comes first. */
static int compare_reached(const void *a, const void *b) {
    const struct reached *left = a, *right = b;
    uint64_t left_key = four_kate_key(&left->position), right_key = four_kate_key(&right->position);
    return left_key != right_key ? (left_key > right_key) - (left_key < right_key)
                                 : right->score_min - left->score_min;
}

static void add_position(struct positions *positions, struct four_kate_position position,
                         int score_min) {
    ensure(positions->count < sizeof positions->list / sizeof positions->list[0]);
    if (four_kate_book_mirrors(&position))
        position = four_kate_mirrored(&position);
    positions->list[positions->count++] = (struct reached){position, score_min};
}

static void sort_and_drop_doubles(struct positions *positions) {
    size_t kept = 0;
    qsort(positions->list, positions->count, sizeof positions->list[0], compare_reached);
    for (size_t i = 0; i < positions->count; i++)
        if (kept == 0 || four_kate_key(&positions->list[kept - 1].position) !=
                             four_kate_key(&positions->list[i].position))
            positions->list[kept++] = positions->list[i];
    positions->count = kept;
}

/* All that may stand on the board when it is this side's turn again. Its score is no lower then. */
static void add_replies(const struct four_kate_position *position, uint64_t disc, int score,
                        struct positions *out) {
    struct four_kate_position next = four_kate_after(position, disc);
    uint64_t open = four_kate_landings(next.occupied);
    open &= ~four_kate_winning_cells(next.mine, next.occupied);
    for (; open != 0; open &= open - 1)
        add_position(out, four_kate_after(&next, open & -open), score);
}

/* What the bots do without a book: win, or block. */
static uint64_t obvious_landings(const struct four_kate_position *position) {
    uint64_t open = four_kate_landings(position->occupied);
    uint64_t theirs = position->occupied ^ position->mine;
    return open & four_kate_winning_cells(theirs, position->occupied);
}

static void answer(struct four_kate_solver *solver, const struct reached *reached,
                   struct book *book, struct positions *next) {
    const struct four_kate_position *position = &reached->position;
    uint64_t open = four_kate_landings(position->occupied), disc;
    uint64_t blocks = obvious_landings(position);
    int score;
    if ((open & four_kate_winning_cells(position->mine, position->occupied)) != 0)
        return;
    for (uint64_t left = blocks; left != 0; left &= left - 1)
        add_replies(position, left & -left, reached->score_min, next);
    if (blocks != 0)
        return;
    ensure(four_kate_best_landing(solver, position, reached->score_min, UINT64_MAX, &score, &disc));
    if (__builtin_popcountll(position->occupied) <= 2)
        fprintf(stderr, "discs %" PRIx64 ", of these %" PRIx64 " mine: score %d\n",
                position->occupied, position->mine, score);
    ensure(book->count < POSITIONS_MAX);
    book->entries[book->count++] =
        (struct entry){four_kate_key(position), __builtin_ctzll(disc) / 7};
    add_replies(position, disc, score, next);
}

static void explore(struct four_kate_solver *solver, struct positions *positions, int discs,
                    struct book *book) {
    static struct positions next;
    for (; discs < FOUR_KATE_BOOK_DISCS; discs += 2) {
        sort_and_drop_doubles(positions);
        next.count = 0;
        for (size_t i = 0; i < positions->count; i++)
            answer(solver, &positions->list[i], book, &next);
        fprintf(stderr, "%d discs: %zu positions, %zu in the book so far\n", discs,
                positions->count, book->count);
        memcpy(positions, &next, sizeof next);
    }
}

/* ---- The table ---- */

static void change(struct cells *cells, const struct book *book, uint32_t entry, int step) {
    uint32_t place[FOUR_KATE_BOOK_PARTS];
    four_kate_book_cells(book->entries[entry].key, cells->seed, cells->part_cells, place);
    for (int i = 0; i < FOUR_KATE_BOOK_PARTS; i++) {
        cells->degree[place[i]] += (uint32_t)step;
        cells->both[place[i]] ^= entry;
    }
}

/* Removes entries that have a cell for themselves until none is left; false if others remain. */
static bool peel(struct cells *cells, const struct book *book) {
    uint32_t count = (uint32_t)book->count, all = FOUR_KATE_BOOK_PARTS * cells->part_cells;
    uint32_t removed = 0, before;
    memset(cells->degree, 0, sizeof cells->degree);
    memset(cells->both, 0, sizeof cells->both);
    for (uint32_t i = 0; i < count; i++)
        change(cells, book, i, 1);
    do {
        before = removed;
        for (uint32_t cell = 0; cell < all; cell++) {
            if (cells->degree[cell] != 1)
                continue;
            uint32_t entry = cells->both[cell];
            cells->order[removed] = entry;
            cells->free_cell[removed++] = cell;
            change(cells, book, entry, -1);
        }
    } while (removed > before);
    return removed == count;
}

/* Entries are filled in the reverse order of removal: each one's free cell is used by no entry that
 * was filled before it. */
static void fill(struct cells *cells, const struct book *book) {
    memset(cells->value, 0, sizeof cells->value);
    for (size_t i = book->count; i-- > 0;) {
        const struct entry *entry = &book->entries[cells->order[i]];
        uint32_t place[FOUR_KATE_BOOK_PARTS];
        uint8_t value = (uint8_t)entry->column;
        four_kate_book_cells(entry->key, cells->seed, cells->part_cells, place);
        for (int part = 0; part < FOUR_KATE_BOOK_PARTS; part++)
            value ^= cells->value[place[part]];
        cells->value[cells->free_cell[i]] = value;
    }
}

static void print(const struct cells *cells, const struct book *book) {
    uint32_t all = FOUR_KATE_BOOK_PARTS * cells->part_cells;
    uint32_t words = (all + FOUR_KATE_BOOK_PER_WORD - 1) / FOUR_KATE_BOOK_PER_WORD;
    printf("/* 4 Kate's opening book, %zu positions in %u bytes. Written by `make book`. */\n"
           "#pragma once\n\n"
           "#include <stdint.h>\n\n"
           "static const uint32_t four_kate_book_seed = %u, four_kate_book_part_cells = %u;\n\n"
           "static const uint64_t four_kate_book[] = {",
           book->count, 8 * words, cells->seed, cells->part_cells);
    for (uint32_t i = 0; i < words; i++) {
        uint64_t word = 0;
        for (uint32_t j = 0; j < FOUR_KATE_BOOK_PER_WORD && i * FOUR_KATE_BOOK_PER_WORD + j < all;
             j++)
            word |= (uint64_t)cells->value[i * FOUR_KATE_BOOK_PER_WORD + j] << 3 * j;
        printf("%s0x%" PRIx64, i == 0 ? "" : ", ", word);
    }
    printf("};\n");
}

int main(void) {
    static struct positions positions;
    static struct book book;
    static struct cells cells;
    struct four_kate_solver solver;
    int lowest = -FOUR_KATE_SCORE_MAX;
    uint8_t *table = aligned_alloc(1 << 21, (size_t)ENTRIES * FOUR_KATE_ENTRY_SIZE);
    if (!table) {
        fprintf(stderr, "book: there is not enough memory\n");
        return 1;
    }
#ifdef MADV_HUGEPAGE
    madvise(table, (size_t)ENTRIES * FOUR_KATE_ENTRY_SIZE, MADV_HUGEPAGE); /* a third faster */
#endif
    four_kate_solver_start(&solver, ENTRIES, table);
    for (int i = 0; i < FOUR_KATE_COLUMNS; i++)
        add_position(&positions, (struct four_kate_position){0, four_kate_landing(0, i)}, lowest);
    explore(&solver, &positions, 1, &book);
    positions.count = 0;
    add_position(&positions, (struct four_kate_position){0, 0}, lowest);
    explore(&solver, &positions, 0, &book);
    cells.part_cells = (uint32_t)book.count * SPARE_PERCENT / 100 / FOUR_KATE_BOOK_PARTS + 1;
    while (!peel(&cells, &book))
        ensure(cells.seed++ < SEEDS_MAX);
    fill(&cells, &book);
    print(&cells, &book);
    free(table);
    return 0;
}
