/* PL-57: where an option of the game asks for details, what happens at the table is also told in
 * the server's log, for fault reports: what the rules tell everybody, and which actions were
 * refused. Nobody's cards, nothing that people write and no seed is in it. */
#pragma once

#include "world/world.h"

void detail_log_change(const struct world *world, const struct events *events);
void detail_log_refusal(const struct world *world, struct span id, const struct refusal *why);
