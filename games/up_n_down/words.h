/* What people read of Up-N-Down. Private to this folder. */
#ifndef GAMES_UP_N_DOWN_WORDS_H
#define GAMES_UP_N_DOWN_WORDS_H

#include "games/up_n_down/up_n_down.h"

/* A set of cards as an ascending list. */
void up_n_down_hand_json(const struct card_set *hand, const char *key, struct json *json);

/* Cards played, special plays and movement of all players together, added to `out`. */
void up_n_down_totals(const struct up_n_down *state, int out[3]);

/* Members of the game's struct. */
void up_n_down_describe(const void *seen, int viewer, struct json *json);
void up_n_down_show(const void *seen, int viewer, const char *const *names, struct text *text);
bool up_n_down_parse(const void *from, int seat, struct span verb, struct scan *rest,
                     struct move *out, struct refusal *why);
void up_n_down_print(const void *from, int seat, const struct move *move, struct text *text);
void up_n_down_action(const void *from, int seat, const struct move *move, struct json *json);
bool up_n_down_parse_card(struct span word, uint16_t *out);
void up_n_down_print_card(uint16_t card, struct text *text);

#endif
