/* The book of four_kate_book.h. Of two mirror images only one is kept, and of that only the column
 * of the answer, three bits: the exclusive or of three cells of a table, which the key points at.
 * The program that fills the table (bench/book.c) finds cells so that every position of the book
 * gets its column. No keys are kept, so any other position gets some column as well. Whether a
 * position is in the book is therefore found out by going back: one disc of the other side and the
 * own disc before it are taken away, and it must be the one that the book would have played there;
 * and so on to the empty board. */
#include "bots/four_kate_book.h"

#include "bots/four_kate_fitted.h"

bool four_kate_book_mirrors(const struct four_kate_position *position) {
    struct four_kate_position mirrored = four_kate_mirrored(position);
    return four_kate_key(&mirrored) < four_kate_key(position);
}

void four_kate_book_cells(uint64_t key, uint32_t seed, uint32_t part_cells,
                          uint32_t cells[FOUR_KATE_BOOK_PARTS]) {
    uint64_t mixed = (key + seed) * 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 32) * 0xd6e8feb86659fd93;
    mixed ^= mixed >> 32;
    for (uint32_t part = 0; part < FOUR_KATE_BOOK_PARTS; part++, mixed >>= 21)
        cells[part] = (uint32_t)((mixed & 0x1fffff) * part_cells >> 21) + part * part_cells;
}

static int column_of_key(uint64_t key) {
    uint32_t cells[FOUR_KATE_BOOK_PARTS];
    uint64_t column = 0;
    four_kate_book_cells(key, four_kate_book_seed, four_kate_book_part_cells, cells);
    for (int i = 0; i < FOUR_KATE_BOOK_PARTS; i++) {
        uint32_t shift = cells[i] % FOUR_KATE_BOOK_PER_WORD * 3;
        column ^= four_kate_book[cells[i] / FOUR_KATE_BOOK_PER_WORD] >> shift & 7;
    }
    return (int)column;
}

/* What the table says, whether the position is in the book or not; 0 if that is no landing. */
static uint64_t read_table(const struct four_kate_position *position) {
    bool mirrors = four_kate_book_mirrors(position);
    struct four_kate_position kept = mirrors ? four_kate_mirrored(position) : *position;
    int column = column_of_key(four_kate_key(&kept));
    if (column >= FOUR_KATE_COLUMNS)
        return 0;
    return four_kate_landing(position->occupied, mirrors ? FOUR_KATE_COLUMNS - 1 - column : column);
}

/* Landings that win at once, or else those that the other side would win with. */
static uint64_t obvious_landings(const struct four_kate_position *position) {
    uint64_t open = four_kate_landings(position->occupied);
    uint64_t wins = open & four_kate_winning_cells(position->mine, position->occupied);
    uint64_t theirs = position->occupied ^ position->mine;
    return wins != 0 ? wins : open & four_kate_winning_cells(theirs, position->occupied);
}

/* The topmost disc of each column. */
static uint64_t top_discs(uint64_t occupied) {
    return (occupied + FOUR_KATE_BOTTOM) >> 1 & occupied;
}

/* Recursion is bounded by the discs. */
static bool is_in_book(const struct four_kate_position *position) {
    uint64_t theirs = position->occupied ^ position->mine;
    if (position->mine == 0)
        return true;
    for (uint64_t last = top_discs(position->occupied) & theirs; last != 0; last &= last - 1) {
        uint64_t occupied = position->occupied ^ (last & -last);
        for (uint64_t own = top_discs(occupied) & position->mine; own != 0; own &= own - 1) {
            uint64_t disc = own & -own;
            struct four_kate_position before = {position->mine ^ disc, occupied ^ disc};
            uint64_t obvious = obvious_landings(&before);
            bool played = obvious != 0 ? (obvious & disc) != 0 : read_table(&before) == disc;
            if (played && is_in_book(&before))
                return true;
        }
    }
    return false;
}

uint64_t four_kate_book_landing(const struct four_kate_position *position) {
    if (__builtin_popcountll(position->occupied) >= FOUR_KATE_BOOK_DISCS ||
        obvious_landings(position) != 0 || !is_in_book(position))
        return 0;
    return read_table(position);
}
