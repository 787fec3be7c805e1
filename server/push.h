/* What a change means for people and for the tables of the store. It is made at the moment of the
 * change and sent when the change is durable. */
#ifndef SERVER_PUSH_H
#define SERVER_PUSH_H

#include "server/hub.h"
#include "store/store.h"
#include "world/world.h"

struct push; /* a list of packets and the channels they are for */

/* Frames for everybody who listens now: the events, and each listener's new view. */
struct push *push_make(struct hub *hub, const struct world *world, const struct events *events);
void push_send(struct push *push);
void push_forget(struct push *push);

/* Sends one socket the present view and the own cards (WD-C25), once it hears its person's
 * channel. */
void push_greeting(const struct hub *hub, const struct world *world, const char *player,
                   struct peer *peer);

/* One event as a frame. */
struct packet *push_frame(const char *event, const char *channel, struct span data);

/* The channel of a person. */
enum { PLAYER_CHANNEL_SIZE = 48 };
void push_player_channel(const char *id, char out[PLAYER_CHANNEL_SIZE]);

/* A game or a round that has just ended, for the store; null if none has. */
struct match {
    struct store_match match;
    struct store_seat seats[STORE_SEATS_MAX];
    struct store_stat stats[GAME_FIGURES_MAX];
    struct span figures[GAME_FIGURES_MAX];
    char settings[8192];
    char *state;
};

const struct store_match *push_match(const struct world *world, struct match *out);
void push_match_free(struct match *match);

#endif
