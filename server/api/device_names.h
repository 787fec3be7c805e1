/* What a device is called in the list that its person sees: coarsely, by its browser and system.
 * Whoever sends the header decides what it says, so that it tells devices apart and proves
 * nothing. */
#pragma once

#include "engine/text.h"

enum { DEVICE_NAME_SIZE = 48 };

/* Of the header User-Agent, which may be missing: "Chrome on Android", or "A program". */
void device_name(struct span user_agent, char out[DEVICE_NAME_SIZE]);
