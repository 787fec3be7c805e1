/* A state of Hand & Foot as a line of text, and back. Private to this folder.
 *
 * The line is keywords, each with its arguments up to the next one; what is at its usual value is
 * left out. RULES.md has the table of them. What follows from the rest is not written: who is in
 * the foot (the foot is used up), who has melded (the side has books). */
#pragma once

#include "games/hand_and_foot/hand_and_foot.h"

/* Members of the game's struct. */
void hand_foot_print_position(const void *from, struct text *text);
bool hand_foot_read_position(void *to, struct scan *words, struct refusal *why);

/* Could the rules have led here, and can the game go on to its end? The cards have been counted;
 * numbers are in the range of their members, seats and books exist. */
bool hand_foot_position_fits(const struct hand_and_foot *state, struct refusal *why);
