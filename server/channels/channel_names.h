/* What channels are called. Every world has a presence channel, every person a private one. */
#pragma once

#include "server/net/secrets.h"

enum {
    CHANNEL_NAME_MAX = 200,
    CHANNEL_NAME_SIZE = 48, /* of one of ours, its end included */
    SOCKET_ID_MAX = SECRETS_SOCKET_ID_SIZE - 1
};

/* 1 to CHANNEL_NAME_MAX of letters, digits and -_=@,.; */
bool channel_is_name(struct span word);
/* Digits, a point, digits; at most SOCKET_ID_MAX. */
bool channel_is_socket_id(struct span word);

void channel_of_world(const char *code, char out[CHANNEL_NAME_SIZE]);
void channel_of_player(const char *id, char out[CHANNEL_NAME_SIZE]);
/* The kinds of channels that need a permission: those that know who is there, and others. */
bool channel_is_presence(const char *channel);
bool channel_is_private(const char *channel);
/* The code of the world whose channel this is, or null. */
const char *channel_world(const char *channel);
/* The id of the person whose channel this is, or null. */
const char *channel_player(const char *channel);
