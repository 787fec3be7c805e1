/* What a change looks like to those who listen: frames, made at the moment of the change and sent
 * once it is durable. */
#pragma once

#include "server/channels/channel_names.h"
#include "server/channels/hub.h"
#include "store/store.h"
#include "world/world.h"

struct broadcast; /* a list of packets and the channels they are for */

/* Frames for everybody who listens now: the events, and each listener's new view. */
struct broadcast *broadcast_make(struct hub *hub, const struct world *world,
                                 const struct events *events);
void broadcast_send(struct broadcast *push);
void broadcast_forget(struct broadcast *push);

/* Sends one socket the present view and the own cards (WD-C25), once it hears its person's
 * channel. */
void broadcast_greeting(struct hub *hub, const struct world *world, const char *player,
                        struct peer *peer);

/* One event as a frame. */
struct packet *broadcast_frame(const char *event, const char *channel, struct span data);
