/* Channels: who hears what. A channel exists while somebody listens, or holds it for a while. In a
 * presence channel each listener is a person, and a person with two windows is there once. */
#pragma once

#include "server/channels/remote_presence.h"
#include "server/net/net.h"

enum { HUB_USER_MAX = LISTENER_ID_MAX, HUB_CHANNELS_PER_PEER = 16 };

struct channel;
struct hub;

struct hub *hub_open(void);
void hub_free(struct hub *hub);

/* Where a message is written, one at a time: its data, and the action log that all views share. */
struct hub_paper {
    char data[1 << 18];
    char common[1 << 17];
    char hand[1 << 16];
};
struct hub_paper *hub_paper(struct hub *hub);

/* Null if nobody listens. */
struct channel *hub_find(const struct hub *hub, const char *name);

/* Between these two calls the channel stays, even if everybody leaves it and comes back. */
void channel_hold(struct channel *channel);
void channel_release(struct hub *hub, struct channel *channel);

/* Makes the peer a listener. In a presence channel `user` is the person, and `*first` tells whether
 * it is the first window; elsewhere `user` is null. */
struct channel *hub_join(struct hub *hub, const char *name, struct peer *peer, const char *user,
                         struct span info, bool *first);
/* True if it was the person's last window. The channel may be gone afterwards. */
bool hub_leave(struct hub *hub, const char *name, struct peer *peer, const char *user);
/* One listener after the other; null after the last, or if there is no channel. */
struct peer *hub_listener(const struct channel *channel, int number);
bool hub_hears(const struct channel *channel, const struct peer *peer);

int channel_users(const struct channel *channel, const struct listener **out);
/* Sends to all listeners but one. The caller keeps the reference. */
void channel_send(struct channel *channel, struct packet *packet, const struct peer *except);
