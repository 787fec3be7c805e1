/* What people read of Who's Deal?: events, views, notation. Private to this folder. */
#pragma once

#include "games/whos_deal/whos_deal.h"

/* Events; `events` must not be null. */
void whos_deal_tell_deal(const struct whos_deal *state, bool first, struct events *events);
void whos_deal_tell_hand(const void *state, int seat, struct events *events);
void whos_deal_tell_call(const struct whos_deal *state, int seat, const char *action,
                         struct events *events);
void whos_deal_tell_play(const struct whos_deal *state, struct events *events);
void whos_deal_tell_card(int seat, int card, struct events *events);
void whos_deal_tell_trick(const struct whos_deal *state, bool next, struct events *events);
void whos_deal_tell_end(const struct whos_deal *state, struct events *events);
void whos_deal_tell_passed_out(struct events *events);
void whos_deal_tell_redeal(const struct whos_deal *state, int seat, struct events *events);

/* Members of the game's struct. */
/* Of a play or a discard: the suit that the card counts as, how strong it is, and whether it would
 * take the trick as it lies. */
void whos_deal_preview(const void *seen, int seat, const struct move *move, struct json *json);
void whos_deal_describe(const void *seen, int viewer, struct json *json);
void whos_deal_show(const void *seen, int viewer, const char *const *names, struct text *text);
void whos_deal_prompt(const void *seen, int seat, struct text *text);
bool whos_deal_parse_card(struct span word, uint16_t *out);
void whos_deal_print_card(uint16_t card, struct text *text);
