/* Channels by name; see hub.h. */
#include "server/channels/hub.h"
#include "server/channels/channel_names.h"

#include "engine/ensure.h"
#include "store/hash.h"
#include <stdlib.h>
#include <string.h>

struct channel {
    char name[CHANNEL_NAME_MAX + 1];
    struct peer **peers;
    int peer_count, peer_room;
    struct listener *users;
    int user_count, user_room;
    int holds;
    UT_hash_handle hh;
};

struct hub {
    struct channel *channels;
    struct hub_paper paper;
};

struct hub *hub_open(void) {
    return reserve_calloc(1, sizeof(struct hub));
}

struct hub_paper *hub_paper(struct hub *hub) {
    return &hub->paper;
}

static void free_channel(struct hub *hub, struct channel *channel) {
    HASH_DEL(hub->channels, channel);
    for (int i = 0; i < channel->user_count; i++)
        free(channel->users[i].info);
    free(channel->users);
    free(channel->peers);
    free(channel);
}

void hub_free(struct hub *hub) {
    struct channel *channel, *next;
    HASH_ITER(hh, hub->channels, channel, next)
    free_channel(hub, channel);
    free(hub);
}

static struct channel *look_up(const struct hub *hub, const char *name) {
    struct channel *channel;
    HASH_FIND_STR(hub->channels, name, channel);
    return channel;
}

struct channel *hub_find(const struct hub *hub, const char *name) {
    struct channel *channel = look_up(hub, name);
    return channel && channel->peer_count > 0 ? channel : NULL;
}

static void free_if_unused(struct hub *hub, struct channel *channel) {
    if (channel->peer_count == 0 && channel->holds == 0)
        free_channel(hub, channel);
}

void channel_hold(struct channel *channel) {
    channel->holds++;
}

void channel_release(struct hub *hub, struct channel *channel) {
    ensure(channel->holds > 0);
    channel->holds--;
    free_if_unused(hub, channel);
}

static struct channel *make_channel(struct hub *hub, const char *name) {
    struct channel *channel = reserve_calloc(1, sizeof *channel);
    ensure(strlen(name) <= CHANNEL_NAME_MAX);
    memcpy(channel->name, name, strlen(name));
    HASH_ADD_STR(hub->channels, name, channel);
    return channel;
}

static void *grow(void *items, int count, int *room, size_t size) {
    if (count < *room)
        return items;
    *room = *room ? 2 * *room : 2;
    return reserve_realloc(items, (size_t)*room * size);
}

static int find_user(const struct channel *channel, const char *id) {
    for (int i = 0; i < channel->user_count; i++)
        if (strcmp(channel->users[i].id, id) == 0)
            return i;
    return -1;
}

static bool add_user(struct channel *channel, const char *id, struct span info) {
    int at = find_user(channel, id);
    if (at >= 0) {
        channel->users[at].peers++;
        return false;
    }
    channel->users =
        grow(channel->users, channel->user_count, &channel->user_room, sizeof *channel->users);
    struct listener *user = &channel->users[channel->user_count++];
    ensure(strlen(id) <= HUB_USER_MAX);
    *user = (struct listener){.peers = 1, .info = reserve_text(info.data, info.length)};
    memcpy(user->id, id, strlen(id));
    return true;
}

struct peer *hub_listener(const struct channel *channel, int number) {
    return channel && number < channel->peer_count ? channel->peers[number] : NULL;
}

bool hub_hears(const struct channel *channel, const struct peer *peer) {
    for (int i = 0; channel && i < channel->peer_count; i++)
        if (channel->peers[i] == peer)
            return true;
    return false;
}

struct channel *hub_join(struct hub *hub, const char *name, struct peer *peer, const char *user,
                         struct span info, bool *first) {
    struct channel *channel = look_up(hub, name);
    if (!channel)
        channel = make_channel(hub, name);
    *first = false;
    if (hub_hears(channel, peer))
        return channel;
    channel->peers =
        grow(channel->peers, channel->peer_count, &channel->peer_room, sizeof *channel->peers);
    channel->peers[channel->peer_count++] = peer;
    if (user)
        *first = add_user(channel, user, info);
    return channel;
}

static bool drop_user(struct channel *channel, const char *id) {
    int at = find_user(channel, id);
    if (at < 0 || --channel->users[at].peers > 0)
        return false;
    free(channel->users[at].info);
    channel->users[at] = channel->users[--channel->user_count];
    return true;
}

bool hub_leave(struct hub *hub, const char *name, struct peer *peer, const char *user) {
    struct channel *channel = hub_find(hub, name);
    bool last = false;
    for (int i = 0; channel && i < channel->peer_count; i++) {
        if (channel->peers[i] != peer)
            continue;
        channel->peers[i] = channel->peers[--channel->peer_count];
        last = user && drop_user(channel, user);
        break;
    }
    if (channel)
        free_if_unused(hub, channel);
    return last;
}

int channel_users(const struct channel *channel, const struct listener **out) {
    *out = channel->users;
    return channel->user_count;
}

void channel_send(struct channel *channel, struct packet *packet, const struct peer *except) {
    for (int i = 0; i < channel->peer_count; i++) {
        if (channel->peers[i] == except)
            continue;
        packet->refs++;
        peer_send(channel->peers[i], packet);
    }
}
