/* See totals.h. */
#include "store/totals.h"

#include <stdlib.h>
#include <string.h>

static int compare(struct span one, struct span other) {
    size_t shorter = one.length < other.length ? one.length : other.length;
    int order = shorter > 0 ? memcmp(one.data, other.data, shorter) : 0;
    return order != 0 ? order : (one.length > other.length) - (one.length < other.length);
}

struct store_record *totals_find(const struct totals *totals, struct span game) {
    for (size_t i = 0; i < totals->count; i++)
        if (compare(totals->items[i].game, game) == 0)
            return &totals->items[i];
    return NULL;
}

static struct store_record *make(struct totals *totals, struct span game, struct arena *arena) {
    if (totals->count == totals->room) {
        totals->room = 2 * (totals->room + 4);
        struct store_record *more = arena_take(arena, totals->room * sizeof *more);
        if (totals->count > 0)
            memcpy(more, totals->items, totals->count * sizeof *more);
        totals->items = more;
    }
    totals->items[totals->count] = (struct store_record){
        .game = arena_span(arena, game),
        .best = INT64_MIN,
        .figures = arena_take(arena, STORE_FIGURES_MAX * sizeof(struct store_stat))};
    return &totals->items[totals->count++];
}

static void add_figure(struct store_record *record, struct store_stat figure, struct arena *arena) {
    struct store_stat *sums = (struct store_stat *)record->figures;
    size_t at = 0;
    while (at < record->figure_count && compare(sums[at].name, figure.name) != 0)
        at++;
    if (at == STORE_FIGURES_MAX)
        return;
    if (at == record->figure_count)
        sums[record->figure_count++] = (struct store_stat){arena_span(arena, figure.name), 0};
    sums[at].value += figure.value;
}

void totals_add(struct totals *totals, const struct store_record *more, struct arena *arena) {
    struct store_record *record = totals_find(totals, more->game);
    if (!record)
        record = make(totals, more->game, arena);
    record->played += more->played;
    record->won += more->won;
    record->points += more->points;
    if (more->best > record->best)
        record->best = more->best;
    for (size_t i = 0; i < more->figure_count; i++)
        add_figure(record, more->figures[i], arena);
}

void totals_drop(struct totals *totals, struct store_record *record) {
    *record = totals->items[--totals->count];
}

static int by_game(const void *a, const void *b) {
    return compare(((const struct store_record *)a)->game, ((const struct store_record *)b)->game);
}

static int by_name(const void *a, const void *b) {
    return compare(((const struct store_stat *)a)->name, ((const struct store_stat *)b)->name);
}

void totals_sort(struct totals *totals) {
    if (totals->count > 0)
        qsort(totals->items, totals->count, sizeof *totals->items, by_game);
    for (size_t i = 0; i < totals->count; i++)
        qsort((struct store_stat *)totals->items[i].figures, totals->items[i].figure_count,
              sizeof(struct store_stat), by_name);
}
