/* What a message looks like on a socket: Pusher's envelope around an event. */
#pragma once

#include "engine/text.h"

/* Appends `{"event":"...","channel":"...","data":"..."}`, where `data`, JSON already, becomes a
 * string. A null channel is left out. Check out->cut. */
void envelope_put(const char *event, const char *channel, struct span data, struct text *out);

/* Room that is enough for any event and channel of the server's around data of that length. */
size_t envelope_size(size_t data_length);

/* What stands before data that was written by json_begin_nested; ENVELOPE_END comes after. */
void envelope_put_top(const char *event, const char *channel, struct text *out);
#define ENVELOPE_END "\"}"
