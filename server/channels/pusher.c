/* See pusher.h; docs/PROTOCOL.md has the frames. */
#include "server/channels/pusher.h"
#include "server/channels/channel_names.h"
#include "server/net/encoding.h"
#include "server/net/secrets.h"

#include "engine/ensure.h"
#include "server/channels/broadcast.h"
#include "server/channels/remote_presence.h"
#include "store/hash.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

enum {
    UNKNOWN_KEY = 4001,
    WRONG_PROTOCOL = 4007,
    NOT_AUTHORISED = 4009,
    OVER_CAPACITY = 4100,
    COME_BACK = 4200,
    NO_PONG = 4201,
    NO_CLIENT_EVENTS = 4301,
    DRAIN_STEP_MS = 20,
    DRAIN_STEPS = 50,
    PRESENT_MAX = 128
};

struct client {
    struct pusher *pusher;
    struct peer *peer;
    char id[SECRETS_SOCKET_ID_SIZE];
    struct pusher_owner owner;
    uint64_t address;           /* in what counts by address */
    struct client *prev, *next; /* the owner's other sockets */
    int hello;                  /* 0, or the code with which it is closed at once */
    bool sent_away;
    int64_t rested_ns; /* when it may send a whole burst again */
    int channel_count;
    char *channels[HUB_CHANNELS_PER_PEER];
    UT_hash_handle hh;
};

/* The sockets of one person. */
struct person {
    char id[SECRETS_PLAYER_ID_SIZE];
    struct client *clients;
    UT_hash_handle hh;
};

struct pusher {
    struct pusher_config config;
    struct client *clients;
    struct person *people;
    struct pusher_figures figures;
    uv_timer_t drain;
    bool draining;
};

/* ---- Whose a socket is ---- */

static struct person *find_person(const struct pusher *pusher, const char *id) {
    struct person *person;
    HASH_FIND_STR(pusher->people, id, person);
    return person;
}

/* Empty: nobody's that is known. */
static void set_owner(struct client *client, const struct pusher_owner *owner) {
    struct pusher *pusher = client->pusher;
    struct person *before = find_person(pusher, client->owner.player);
    struct person *person = find_person(pusher, owner->player);
    if (before)
        DL_DELETE(before->clients, client);
    client->owner = *owner;
    if (!person && *owner->player) {
        person = reserve_calloc(1, sizeof *person);
        memcpy(person->id, owner->player, strlen(owner->player));
        HASH_ADD_STR(pusher->people, id, person);
    }
    if (person)
        DL_APPEND(person->clients, client);
    if (before && !before->clients) {
        HASH_DEL(pusher->people, before);
        free(before);
    }
}

static void forget(struct client *client) {
    struct pusher *pusher = client->pusher;
    set_owner(client, &(struct pusher_owner){0});
    HASH_DEL(pusher->clients, client);
    pusher->figures.sockets--;
    free(client);
}

/* ---- What a socket is sent ---- */

static void send_event(struct peer *peer, const char *event, const char *channel,
                       struct span data) {
    peer_send(peer, broadcast_frame(event, channel, data));
}

static void send_error(struct peer *peer, int code, const char *message) {
    char buffer[256];
    struct json json = json_object_in(buffer, sizeof buffer);
    json_put_number(&json, "code", code);
    json_put_string(&json, "message", message);
    json_put_end(&json);
    send_event(peer, "pusher:error", NULL, (struct span){buffer, json.text.length});
}

static void close_with(struct peer *peer, int code, const char *message) {
    send_error(peer, code, message);
    socket_close(peer, code);
}

static void greet(const struct client *client) {
    char buffer[128];
    struct json json = json_object_in(buffer, sizeof buffer);
    json_put_string(&json, "socket_id", client->id);
    json_put_number(&json, "activity_timeout", client->pusher->config.activity_ms / 1000);
    json_put_end(&json);
    send_event(client->peer, "pusher:connection_established", NULL,
               (struct span){buffer, json.text.length});
}

static void tell_member(struct channel *channel, const char *name, const char *event,
                        const char *player, const char *info, const struct peer *except) {
    char buffer[1024];
    struct json json = json_object_in(buffer, sizeof buffer);
    json_put_string(&json, "user_id", player);
    if (info)
        json_put_raw(&json, "user_info", span_of(info));
    json_put_end(&json);
    struct packet *packet = broadcast_frame(event, name, (struct span){buffer, json.text.length});
    channel_send(channel, packet, except);
    packet_drop(packet);
}

/* ---- Channels ---- */

static bool is_elsewhere(const struct pusher *pusher, const char *channel, const char *player) {
    const struct pusher_config *config = &pusher->config;
    const struct remote_presence *others =
        config->others ? config->others(config->arg, channel) : NULL;
    return others && remote_presence_have(others, player);
}

static void leave_channel(struct client *client, int at) {
    struct pusher *pusher = client->pusher;
    char *name = client->channels[at];
    client->channels[at] = client->channels[--client->channel_count];
    bool presence = channel_is_presence(name);
    bool last =
        hub_leave(pusher->config.hub, name, client->peer, presence ? client->owner.player : NULL);
    struct channel *channel = hub_find(pusher->config.hub, name);
    if (last && channel && !is_elsewhere(pusher, name, client->owner.player))
        tell_member(channel, name, "pusher_internal:member_removed", client->owner.player, NULL,
                    NULL);
    if (last)
        pusher->config.presence(pusher->config.arg, name, client->owner.player, false);
    free(name);
}

static int find_channel(const struct client *client, const char *name) {
    for (int i = 0; i < client->channel_count; i++)
        if (strcmp(client->channels[i], name) == 0)
            return i;
    return -1;
}

struct present {
    const char *id, *info;
};

static int add_present(struct present *list, int count, const char *id, const char *info) {
    for (int i = 0; i < count; i++)
        if (strcmp(list[i].id, id) == 0)
            return count;
    if (count == PRESENT_MAX)
        return count;
    list[count] = (struct present){id, info};
    return count + 1;
}

/* Lists everybody once who is there, here or at another server. */
static int list_present(const struct pusher *pusher, const char *name,
                        const struct channel *channel, struct present out[PRESENT_MAX]) {
    const struct pusher_config *config = &pusher->config;
    const struct listener *users;
    int count = 0, here = channel_users(channel, &users);
    const struct remote_presence *others =
        config->others ? config->others(config->arg, name) : NULL;
    for (int i = 0; i < here; i++)
        count = add_present(out, count, users[i].id, users[i].info);
    for (int i = 0; others && i < others->count; i++)
        count = add_present(out, count, others->items[i].id, others->items[i].info);
    return count;
}

static void send_succeeded(const struct client *client, const char *name,
                           const struct channel *channel) {
    char buffer[1 << 16];
    struct present present[PRESENT_MAX];
    struct json json = json_object_in(buffer, sizeof buffer);
    if (channel_is_presence(name)) {
        int count = list_present(client->pusher, name, channel, present);
        json_put_object(&json, "presence");
        json_put_array(&json, "ids");
        for (int i = 0; i < count; i++)
            json_put_string(&json, NULL, present[i].id);
        json_put_end(&json);
        json_put_object(&json, "hash");
        for (int i = 0; i < count; i++)
            json_put_raw(&json, present[i].id, span_of(present[i].info));
        json_put_end(&json);
        json_put_number(&json, "count", count);
        json_put_end(&json);
    }
    json_put_end(&json);
    ensure(json_complete(&json));
    send_event(client->peer, "pusher_internal:subscription_succeeded", name,
               (struct span){buffer, json.text.length});
}

/* Reads `user_info` from the channel data, which we signed ourselves. */
static char *read_info(const char *channel_data) {
    json_t *data = json_loads(channel_data, 0, NULL);
    json_t *info = json_object_get(data, "user_info");
    char *text = info ? json_dumps(info, JSON_COMPACT) : NULL;
    json_decref(data);
    return text;
}

static void join_channel(struct client *client, const char *name, const char *channel_data) {
    struct pusher *pusher = client->pusher;
    bool presence = channel_is_presence(name), first;
    char *info = presence ? read_info(channel_data) : NULL;
    client->channels[client->channel_count++] = reserve_text(name, strlen(name));
    struct channel *channel =
        hub_join(pusher->config.hub, name, client->peer, presence ? client->owner.player : NULL,
                 span_of(info ? info : "null"), &first);
    if (first && !is_elsewhere(pusher, name, client->owner.player))
        tell_member(channel, name, "pusher_internal:member_added", client->owner.player,
                    info ? info : "null", client->peer);
    send_succeeded(client, name, channel);
    free(info);
    if (first)
        pusher->config.presence(pusher->config.arg, name, client->owner.player, true);
    for (int i = 0; i < client->channel_count; i++)
        if (channel_is_presence(client->channels[i]) &&
            (!presence || i == client->channel_count - 1))
            pusher->config.arrived(pusher->config.arg, client->peer, client->channels[i],
                                   client->owner.player);
}

/* Ends what is signed, and the signature, where the device has to be told. */
static void put_device(struct text *text, const char *device) {
    if (*device) {
        text_char(text, ':');
        text_string(text, device);
    }
}

/* What is signed; `data` may be null, `device` empty. */
static void put_signed(struct text *text, struct span socket_id, struct span channel,
                       const char *data, const char *device) {
    text_span(text, socket_id);
    text_char(text, ':');
    text_span(text, channel);
    if (data) {
        text_char(text, ':');
        text_string(text, data);
    }
    put_device(text, device);
}

static bool is_signed(const struct client *client, const char *channel, const char *data,
                      const char *auth, char device[SECRETS_DEVICE_ID_SIZE]) {
    const struct pusher_config *config = &client->pusher->config;
    char buffer[2048];
    size_t key = strlen(config->key);
    if (strncmp(auth, config->key, key) != 0 || auth[key] != ':')
        return false;
    const char *hex = auth + key + 1, *told = strchr(hex, ':');
    bool tells = told && strlen(told + 1) < SECRETS_DEVICE_ID_SIZE;
    memcpy(device, tells ? told + 1 : "", tells ? strlen(told + 1) + 1 : 1);
    struct text text = text_in(buffer, sizeof buffer);
    put_signed(&text, span_of(client->id), span_of(channel), data, device);
    return !text.cut &&
           secrets_verify(config->secret, (struct span){buffer, text.length},
                          tells ? (struct span){hex, (size_t)(told - hex)} : span_of(hex));
}

/* Reads whose permission it is, which this server or another one with the same secret signed; empty
 * if it does not say so. */
static void read_permitted(const char *channel, const char *channel_data,
                           char out[SECRETS_PLAYER_ID_SIZE]) {
    json_t *data = channel_data ? json_loads(channel_data, 0, NULL) : NULL;
    const char *id = json_string_value(json_object_get(data, "user_id"));
    if (!id)
        id = channel_player(channel);
    bool fits = id && strlen(id) < SECRETS_PLAYER_ID_SIZE;
    memcpy(out, fits ? id : "", fits ? strlen(id) + 1 : 1);
    json_decref(data);
}

/* A subscription that waits until it is known whether it is allowed. */
struct pusher_wish {
    struct pusher *pusher;
    char socket[SECRETS_SOCKET_ID_SIZE];
    char *channel, *channel_data;
    struct pusher_owner owner; /* who is to have the socket, if that is what has to be known */
};

static struct pusher_wish *wish(struct client *client, const char *channel,
                                const char *channel_data) {
    struct pusher_wish *later = reserve_calloc(1, sizeof *later);
    later->pusher = client->pusher;
    memcpy(later->socket, client->id, sizeof later->socket);
    later->channel = reserve_text(channel, strlen(channel));
    later->channel_data = channel_data ? reserve_text(channel_data, strlen(channel_data)) : NULL;
    return later;
}

/* Null if the socket is gone. */
static struct client *client_of(const struct pusher_wish *later) {
    struct client *client;
    HASH_FIND_STR(later->pusher->clients, later->socket, client);
    return client;
}

static void free_wish(struct pusher_wish *later) {
    free(later->channel);
    free(later->channel_data);
    free(later);
}

static void refuse_channel(const struct client *client) {
    close_with(client->peer, NOT_AUTHORISED, "Not authorised for this channel");
}

/* How many views a channel brings: that of its room, or those of all rooms of the socket. A message
 * that asks for so much must not cost others more than as many requests would. */
static int64_t count_views(const struct client *client, const char *name) {
    int64_t count = 0;
    if (channel_is_presence(name))
        return 1;
    for (int i = 0; i < client->channel_count; i++)
        count += channel_is_presence(client->channels[i]);
    return count;
}

static void admit(struct client *client, const char *name, const char *channel_data) {
    const struct pusher_config *config = &client->pusher->config;
    if (find_channel(client, name) >= 0)
        return;
    if (client->channel_count == HUB_CHANNELS_PER_PEER)
        send_error(client->peer, OVER_CAPACITY, "Too many channels on one socket");
    else if (!config->may_see(config->arg, client->address, count_views(client, name)))
        close_with(client->peer, OVER_CAPACITY, "Too many subscriptions; come back in a moment");
    else
        join_channel(client, name, channel_data);
}

void pusher_fetched(struct pusher_wish *later) {
    const struct pusher_config *config = &later->pusher->config;
    struct client *client = client_of(later);
    if (client && config->may_hear(config->arg, later->channel, client->owner.player) == PUSHER_YES)
        admit(client, later->channel, later->channel_data);
    else if (client)
        refuse_channel(client);
    free_wish(later);
}

/* `player` is the person for whom the permission was signed; empty if it names nobody. */
static void let_hear(struct client *client, const char *channel, const char *channel_data,
                     const char *player) {
    const struct pusher_config *config = &client->pusher->config;
    const char *owner = client->owner.player;
    enum pusher_verdict verdict = PUSHER_NO;
    if (*owner && (!*player || strcmp(owner, player) == 0))
        verdict = config->may_hear(config->arg, channel, owner);
    if (verdict == PUSHER_YES)
        admit(client, channel, channel_data);
    else if (verdict == PUSHER_LATER)
        config->fetch(config->arg, channel, wish(client, channel, channel_data));
    else
        refuse_channel(client);
}

void pusher_verified(struct pusher_wish *later, bool good) {
    struct client *client = client_of(later);
    if (client && good && !*client->owner.player)
        set_owner(client, &later->owner);
    if (client && good)
        let_hear(client, later->channel, later->channel_data, later->owner.player);
    else if (client)
        refuse_channel(client);
    free_wish(later);
}

void pusher_tell(struct pusher *pusher, const char *channel, const char *player, const char *info,
                 bool there) {
    struct channel *listeners = hub_find(pusher->config.hub, channel);
    if (listeners)
        tell_member(listeners, channel,
                    there ? "pusher_internal:member_added" : "pusher_internal:member_removed",
                    player, there ? info : NULL, NULL);
}

static void subscribe(struct client *client, const json_t *data) {
    const char *name = json_string_value(json_object_get(data, "channel"));
    const char *auth = json_string_value(json_object_get(data, "auth"));
    const char *channel_data = json_string_value(json_object_get(data, "channel_data"));
    bool known = name && channel_is_name(span_of(name)) &&
                 (channel_is_private(name) || (channel_is_presence(name) && channel_data));
    const struct pusher_config *config = &client->pusher->config;
    struct pusher_owner owner = {0};
    if (!known || !auth || !is_signed(client, name, channel_data, auth, owner.device)) {
        refuse_channel(client);
        return;
    }
    read_permitted(name, channel_data, owner.player);
    if (*client->owner.player || !config->verify) {
        let_hear(client, name, channel_data, owner.player);
        return;
    }
    struct pusher_wish *later =
        wish(client, name, channel_data); /* nobody said whose socket it is */
    later->owner = owner;
    config->verify(config->arg, &later->owner, later);
}

static void unsubscribe(struct client *client, const json_t *data) {
    const char *name = json_string_value(json_object_get(data, "channel"));
    int at = name ? find_channel(client, name) : -1;
    if (at >= 0)
        leave_channel(client, at);
}

/* ---- Messages ---- */

/* A token bucket as in server/ops/rates.c, for this one socket. */
static bool may_speak(struct client *client) {
    const struct pusher_config *config = &client->pusher->config;
    int64_t step_ns = 1000000000 / config->messages_per_second;
    int64_t now_ns = (int64_t)uv_hrtime();
    if (client->rested_ns < now_ns)
        client->rested_ns = now_ns;
    if (client->rested_ns + step_ns > now_ns + step_ns * config->messages_burst)
        return false;
    client->rested_ns += step_ns;
    return true;
}

static json_t *read_message(const struct client *client, struct span message) {
    json_error_t error;
    if (encoding_is_too_deep(message, client->pusher->config.depth_max))
        return NULL;
    return json_loadb(message.data, message.length, JSON_REJECT_DUPLICATES, &error);
}

/* Frames are counted, not messages, because pings and pieces of an endless message cost as much. */
static void on_frame(struct peer *peer) {
    if (!may_speak(socket_user(peer)))
        close_with(peer, OVER_CAPACITY, "Too many messages");
}

static void on_text(struct peer *peer, struct span message) {
    struct client *client = socket_user(peer);
    client->pusher->figures.messages++;
    json_t *body = read_message(client, message);
    const char *event = json_string_value(json_object_get(body, "event"));
    const json_t *data = json_object_get(body, "data");
    if (!event)
        close_with(peer, WRONG_PROTOCOL, "Expected an event");
    else if (strcmp(event, "pusher:ping") == 0)
        send_event(peer, "pusher:pong", NULL, span_of("{}"));
    else if (strcmp(event, "pusher:subscribe") == 0)
        subscribe(client, data);
    else if (strcmp(event, "pusher:unsubscribe") == 0)
        unsubscribe(client, data);
    else if (string_begins(event, "client-"))
        send_error(peer, NO_CLIENT_EVENTS, "Client events are not offered");
    json_decref(body);
}

static void on_closed(struct peer *peer) {
    struct client *client = socket_user(peer);
    while (client->channel_count > 0)
        leave_channel(client, client->channel_count - 1);
    forget(client);
}

static void on_late(struct peer *peer) {
    close_with(peer, NO_PONG, "No answer for too long");
}

/* 0, or the code to close with. */
static int check_hello(const struct pusher *pusher, const struct http_request *request) {
    char version[16];
    struct span key = {request->path.data + 5, request->path.length - 5};
    struct text text = text_in(version, sizeof version);
    if (!span_is(key, pusher->config.key))
        return UNKNOWN_KEY;
    if (!encoding_field(request->query, "protocol", &text) || strcmp(version, "7") != 0)
        return WRONG_PROTOCOL;
    return pusher->draining ? COME_BACK : 0;
}

static void on_opened(struct peer *peer) {
    const struct client *client = socket_user(peer);
    int code = client->hello;
    client->pusher->figures.opened++;
    if (code != 0)
        close_with(peer, code,
                   code == UNKNOWN_KEY      ? "There is no app of this key"
                   : code == WRONG_PROTOCOL ? "Only protocol 7 is spoken here"
                                            : "Come back in a moment");
    else
        greet(client);
}

static const struct socket_events events = {
    .opened = on_opened, .frame = on_frame, .text = on_text, .closed = on_closed, .late = on_late};

void pusher_accept(struct pusher *pusher, struct peer *peer, const struct http_request *request,
                   const struct pusher_owner *owner, uint64_t address) {
    struct refusal why;
    struct client *client = reserve_calloc(1, sizeof *client);
    struct socket_limits limits = {.message_max = pusher->config.message_max,
                                   .silence_ms =
                                       pusher->config.activity_ms + pusher->config.patience_ms};
    client->hello = check_hello(pusher, request);
    client->pusher = pusher;
    client->peer = peer;
    client->address = address;
    secrets_make_socket_id(client->id);
    set_owner(client, owner);
    HASH_ADD_STR(pusher->clients, id, client);
    pusher->figures.sockets++;
    if (!socket_accept(peer, request, &limits, &events, client, &why)) {
        forget(client);
        http_answer_refusal(peer, &why, 0);
    }
}

/* ---- Letting people in ---- */

static struct client *find_client(const struct pusher *pusher, struct span socket_id) {
    struct client *client = NULL;
    if (channel_is_socket_id(socket_id))
        HASH_FIND(hh, pusher->clients, socket_id.data, (unsigned)socket_id.length, client);
    return client;
}

bool pusher_claim(struct pusher *pusher, struct span socket_id, const struct pusher_owner *owner,
                  struct refusal *why) {
    struct client *client = find_client(pusher, socket_id);
    if (!client && pusher->config.fetch && channel_is_socket_id(socket_id))
        return true;
    if (!client || (*client->owner.player && strcmp(client->owner.player, owner->player) != 0))
        return refuse(why, "FORBIDDEN", "This socket is not yours");
    set_owner(client, owner);
    return true;
}

void pusher_sign(const struct pusher *pusher, struct span socket_id, struct span channel,
                 const struct pusher_owner *owner, struct span info, struct json *json) {
    char data_buffer[1024], text_buffer[2048];
    char auth[PUSHER_KEY_SIZE + SECRETS_HEX_SIZE + 1 + SECRETS_DEVICE_ID_SIZE];
    const char *device = find_client(pusher, socket_id) ? "" : owner->device;
    struct json data = json_object_in(data_buffer, sizeof data_buffer);
    json_put_string(&data, "user_id", owner->player);
    if (info.length > 0)
        json_put_raw(&data, "user_info", info);
    json_put_end(&data);
    struct text text = text_in(text_buffer, sizeof text_buffer);
    put_signed(&text, socket_id, channel, info.length > 0 ? data_buffer : NULL, device);
    ensure(json_complete(&data) && !text.cut);
    char hex[SECRETS_HEX_SIZE];
    secrets_sign(pusher->config.secret, (struct span){text_buffer, text.length}, hex);
    text_begin(&text, auth, sizeof auth);
    text_string(&text, pusher->config.key);
    text_char(&text, ':');
    text_string(&text, hex);
    put_device(&text, device);
    json_put_object(json, NULL);
    json_put_string(json, "auth", auth);
    if (info.length > 0)
        json_put_string(json, "channel_data", data_buffer);
    json_put_end(json);
}

void pusher_expel(struct pusher *pusher, const char *channel, const char *player) {
    struct peer *peer;
    int from = 0; /* whoever leaves makes room for another one */
    while ((peer = hub_listener(hub_find(pusher->config.hub, channel), from))) {
        struct client *client = socket_user(peer);
        int at = strcmp(client->owner.player, player) == 0 ? find_channel(client, channel) : -1;
        if (at >= 0)
            leave_channel(client, at);
        else
            from++;
    }
}

void pusher_tell_all(struct pusher *pusher, const char *event, struct span data) {
    struct packet *packet = broadcast_frame(event, NULL, data);
    struct client *client, *next;
    HASH_ITER(hh, pusher->clients, client, next) {
        packet->refs++;
        peer_send(client->peer, packet);
    }
    packet_drop(packet);
}

int pusher_count(const struct pusher *pusher, const char *player) {
    const struct person *person = find_person(pusher, player);
    const struct client *client;
    int count = 0;
    if (person)
        DL_COUNT(person->clients, client, count);
    return count;
}

bool pusher_goes(const char *device, enum send_away which, const char *named) {
    return which == SEND_AWAY_ALL || (strcmp(device, named) == 0) == (which == SEND_AWAY_ONE);
}

void pusher_send_away(struct pusher *pusher, const char *player, enum send_away which,
                      const char *device) {
    struct person *person = find_person(pusher, player);
    struct client *client, *next;
    DL_FOREACH_SAFE(person ? person->clients : NULL, client, next) {
        if (!client->sent_away && pusher_goes(client->owner.device, which, device)) {
            client->sent_away = true;
            close_with(client->peer, COME_BACK, "You have logged out");
        }
    }
}

/* ---- Beginning and end ---- */

struct pusher *pusher_open(const struct pusher_config *config) {
    struct pusher *pusher = reserve_calloc(1, sizeof *pusher);
    pusher->config = *config;
    return pusher;
}

static void on_drain(uv_timer_t *timer) {
    struct pusher *pusher = timer->data;
    struct client *client, *next;
    unsigned part = HASH_COUNT(pusher->clients) / DRAIN_STEPS + 1;
    HASH_ITER(hh, pusher->clients, client, next) {
        if (client->sent_away)
            continue;
        if (part-- == 0)
            break;
        client->sent_away = true;
        close_with(client->peer, COME_BACK, "This server stops; come back in a moment");
    }
}

void pusher_drain(struct pusher *pusher) {
    if (pusher->draining)
        return;
    pusher->draining = true;
    uv_timer_init(pusher->config.loop, &pusher->drain);
    pusher->drain.data = pusher;
    uv_timer_start(&pusher->drain, on_drain, 0, DRAIN_STEP_MS);
}

void pusher_stop(struct pusher *pusher) {
    if (pusher->draining)
        uv_close((uv_handle_t *)&pusher->drain, NULL);
}

void pusher_free(struct pusher *pusher) {
    ensure(!pusher->clients);
    free(pusher);
}

struct pusher_figures pusher_figures(const struct pusher *pusher) {
    return pusher->figures;
}
