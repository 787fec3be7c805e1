/* What people read of Up-N-Down. Private to this folder. */
#pragma once

#include "games/up_n_down/up_n_down.h"

/* The levels of a preference, by number; null-terminated. */
extern const char *const up_n_down_levels[];

/* A set of cards as an ascending list. */
void up_n_down_hand_json(const struct card_set *hand, const char *key, struct json *json);

/* Cards played, special plays and movement of all players together, added to `out`. */
void up_n_down_totals(const struct up_n_down *state, int out[3]);

/* Members of the game's struct. */
void up_n_down_describe(const void *seen, int viewer, struct json *json);
void up_n_down_show(const void *seen, int viewer, const char *const *names, struct text *text);
void up_n_down_prompt(const void *seen, int seat, struct text *text);
bool up_n_down_parse_card(struct span word, uint16_t *out);
void up_n_down_print_card(uint16_t card, struct text *text);
