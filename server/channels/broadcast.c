/* See broadcast.h. All listeners of a room share its frame; a view is its viewer's own. */
#include "server/channels/broadcast.h"
#include "server/channels/envelope.h"

#include "engine/ensure.h"
#include "server/net/socket.h"
#include "store/reserve.h"
#include <stdlib.h>
#include <string.h>

enum { PUSHES_AT_FIRST = 16 };

struct broadcast {
    struct hub *hub;
    int count, room;
    struct {
        struct channel *channel; /* held */
        struct packet *packet;
    } item[];
};

struct packet *broadcast_frame(const char *event, const char *channel, struct span data) {
    char few[4096]; /* enough for nearly all */
    size_t size = envelope_size(data.length);
    char *buffer = size <= sizeof few ? few : reserve_malloc(size);
    struct text text = text_in(buffer, size);
    envelope_put(event, channel, data, &text);
    ensure(!text.cut);
    struct packet *packet = socket_frame((struct span){text.data, text.length});
    if (buffer != few)
        free(buffer);
    return packet;
}

static struct packet *view_frame(const char *event, const char *channel, struct span view) {
    char top[CHANNEL_NAME_MAX + 100];
    struct text text = text_in(top, sizeof top);
    envelope_put_top(event, channel, &text);
    ensure(!text.cut);
    const struct span parts[] = {{top, text.length}, view, span_of(ENVELOPE_END)};
    return socket_frame_of(parts, sizeof parts / sizeof parts[0]);
}

/* ---- Making ---- */

static struct broadcast *resize(struct broadcast *push, int room) {
    push = reserve_realloc(push, sizeof *push + (size_t)room * sizeof push->item[0]);
    push->room = room;
    return push;
}

static void add_push(struct broadcast **pushes, struct channel *channel, struct packet *packet) {
    struct broadcast *push = *pushes;
    if (push->count == push->room)
        *pushes = push = resize(push, 2 * push->room);
    channel_hold(channel);
    push->item[push->count].channel = channel;
    push->item[push->count].packet = packet;
    push->count++;
}

/* Writes the version, then the event's own members. */
static struct span with_version(struct hub *hub, const struct world *world, struct span data) {
    struct hub_paper *paper = hub_paper(hub);
    struct text text = text_in(paper->data, sizeof paper->data);
    text_string(&text, "{\"version\":");
    text_number(&text, world->version);
    text_string(&text, ",\"roomCode\":\"");
    text_string(&text, world->code);
    text_string(&text, data.length > 2 ? "\"," : "\"");
    text_span(&text, (struct span){data.data + 1, data.length - 1});
    ensure(!text.cut);
    return (struct span){text.data, text.length};
}

/* Adds a frame for everybody who listens to the channel. */
static void push_event_to(struct broadcast **pushes, const struct world *world,
                          const struct event *event, const char *channel) {
    struct channel *listeners = hub_find((*pushes)->hub, channel);
    if (listeners)
        add_push(pushes, listeners,
                 broadcast_frame(event->type, channel,
                                 with_version((*pushes)->hub, world, event->data)));
}

static void push_event(struct broadcast **pushes, const struct world *world,
                       const struct event *event, const char *room) {
    char channel[CHANNEL_NAME_SIZE];
    bool everyone = event->audience == EVERYONE;
    if (everyone)
        push_event_to(pushes, world, event, room);
    for (int seat = 0; seat < world->seat_count && !everyone; seat++) {
        const char *id = world->seat[seat].id; /* of somebody who may have left it to a bot */
        channel_of_player(id, channel);
        if ((event->audience >> seat & 1) != 0 && world_find_member(world, span_of(id)))
            push_event_to(pushes, world, event, channel);
    }
}

/* Writes the view escaped, because every view ends up as a string inside a frame. */
static struct span write_view(struct hub *hub, const struct world *world, int seat,
                              struct json_common *common) {
    struct hub_paper *paper = hub_paper(hub);
    struct json json;
    json_begin_nested(&json, paper->data, sizeof paper->data);
    json.common = common;
    json_put_object(&json, NULL);
    json_put_number(&json, "version", world->version);
    json_put_string(&json, "roomCode", world->code);
    world_game_view(world, seat, "view", &json);
    json_put_end(&json);
    ensure(json_complete(&json));
    return (struct span){json.text.data, json.text.length};
}

/* Makes the frame that tells somebody who has just come their hand (WD-C25); null if the game does
 * not tell it. */
static struct packet *hand_frame(struct hub *hub, const struct world *world, int seat,
                                 const char *channel) {
    struct hub_paper *paper = hub_paper(hub);
    struct events told;
    events_begin(&told, paper->hand, sizeof paper->hand);
    world_tell_hand(world, seat, &told);
    return told.count == 0 ? NULL
                           : broadcast_frame(told.item[0].type, channel,
                                             with_version(hub, world, told.item[0].data));
}

/* Adds the frames for one person: the view, and the own cards if they are to be told again. */
static void push_view(struct broadcast **pushes, const struct world *world, int seat,
                      const char *channel, struct json_common *common, bool hands) {
    struct hub *hub = (*pushes)->hub;
    struct channel *listeners = hub_find(hub, channel);
    if (!listeners)
        return;
    struct packet *hand = hands ? hand_frame(hub, world, seat, channel) : NULL;
    if (hand)
        add_push(pushes, listeners, hand);
    struct span view = write_view(hub, world, seat, common);
    add_push(pushes, listeners, view_frame("view-updated", channel, view));
    if (world->game->view_event)
        add_push(pushes, listeners, view_frame(world->game->view_event, channel, view));
}

static void push_views(struct broadcast **pushes, const struct world *world, const char *room,
                       bool hands) {
    struct hub *hub = (*pushes)->hub;
    char channel[CHANNEL_NAME_SIZE];
    struct json_common common;
    json_common_begin(&common, hub_paper(hub)->common, sizeof hub_paper(hub)->common);
    bool spectators = false;
    for (int i = 0; i < world->member_count; i++) {
        int seat;
        const struct world_member *member = &world->member[i];
        if (!world_find_seat(world, span_of(member->id), &seat))
            continue;
        spectators = spectators || (seat == SPECTATOR && member->connected);
        if (seat == SPECTATOR)
            continue;
        channel_of_player(member->id, channel);
        push_view(pushes, world, seat, channel, &common, hands);
    }
    struct channel *listeners = spectators ? hub_find(hub, room) : NULL;
    if (listeners)
        add_push(pushes, listeners,
                 view_frame("public-view", room, write_view(hub, world, SPECTATOR, &common)));
}

static bool is_talk(const struct event *event) {
    return strcmp(event->type, "chat") == 0 || strcmp(event->type, "emote") == 0;
}

/* During a game: did somebody leave a seat to a bot, or come back to it? */
static bool has_seat_changed(const struct world *world, const struct events *events) {
    for (size_t i = 0; i < events->count; i++)
        if (strcmp(events->item[i].type, "seat-changed") == 0)
            return world->status == WORLD_PLAYING;
    return false;
}

struct broadcast *broadcast_make(struct hub *hub, const struct world *world,
                                 const struct events *events) {
    struct broadcast *pushes = resize(NULL, PUSHES_AT_FIRST);
    char room[CHANNEL_NAME_SIZE];
    pushes->hub = hub;
    pushes->count = 0;
    channel_of_world(world->code, room);
    for (size_t i = 0; i < events->count; i++)
        push_event(&pushes, world, &events->item[i], room);
    bool talk = events->count == 1 && is_talk(&events->item[0]);
    if (!talk)
        push_views(&pushes, world, room, has_seat_changed(world, events));
    return pushes;
}

static void let_go(struct broadcast *push, bool send) {
    for (int i = 0; push && i < push->count; i++) {
        struct channel *channel = push->item[i].channel;
        if (send)
            channel_send(channel, push->item[i].packet, NULL);
        packet_drop(push->item[i].packet);
        channel_release(push->hub, channel);
    }
    free(push);
}

void broadcast_send(struct broadcast *push) {
    let_go(push, true);
}

void broadcast_forget(struct broadcast *push) {
    let_go(push, false);
}

void broadcast_greeting(struct hub *hub, const struct world *world, const char *player,
                        struct peer *peer) {
    char channel[CHANNEL_NAME_SIZE];
    int seat;
    if (world->status == WORLD_WAITING || !world_find_seat(world, span_of(player), &seat))
        return;
    if (seat == SPECTATOR) {
        char room[CHANNEL_NAME_SIZE];
        channel_of_world(world->code, room);
        peer_send(peer, view_frame("public-view", room, write_view(hub, world, seat, NULL)));
        return;
    }
    channel_of_player(player, channel);
    if (!hub_hears(hub_find(hub, channel), peer))
        return;
    peer_send(peer, view_frame("view-updated", channel, write_view(hub, world, seat, NULL)));
    struct packet *hand = hand_frame(hub, world, seat, channel);
    if (hand)
        peer_send(peer, hand);
}
