/* A seat's figures as text: the form in which all stores keep and give them. */
#ifndef STORE_FIGURES_H
#define STORE_FIGURES_H

#include "store/arena.h"
#include "store/store.h"

/* A JSON object of numbers by name, in the arena. */
struct span figures_json(const struct span *names, size_t count, const int32_t *values,
                         struct arena *arena);

#endif
