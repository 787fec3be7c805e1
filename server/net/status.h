/* Which HTTP status a refusal has, and what a status is called. The rules, worlds and stores give
 * codes; only this table knows what HTTP makes of them. */
#pragma once

#include "engine/refusal.h"

int refusal_status(const struct refusal *why);

/* The code as the API writes it: a few codes that differ in their status share a name there. */
const char *refusal_name(const struct refusal *why);

/* The words beside the number in the first line of an answer, which no program reads. */
const char *status_reason(int status);
