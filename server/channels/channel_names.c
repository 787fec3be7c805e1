/* See channel_names.h. */
#include "server/channels/channel_names.h"

#include "engine/ensure.h"
#include <string.h>

static const char of_worlds[] = "presence-room-", of_players[] = "private-player-";

static void put_name(char out[CHANNEL_NAME_SIZE], const char *start, const char *rest) {
    struct text text = text_in(out, CHANNEL_NAME_SIZE);
    text_string(&text, start);
    text_string(&text, rest);
    ensure(!text.cut);
}

void channel_of_world(const char *code, char out[CHANNEL_NAME_SIZE]) {
    put_name(out, of_worlds, code);
}

void channel_of_player(const char *id, char out[CHANNEL_NAME_SIZE]) {
    put_name(out, of_players, id);
}

static const char *rest_of(const char *channel, const char *start) {
    return string_begins(channel, start) ? channel + strlen(start) : NULL;
}

bool channel_is_presence(const char *channel) {
    return string_begins(channel, "presence-");
}

bool channel_is_private(const char *channel) {
    return string_begins(channel, "private-");
}

const char *channel_world(const char *channel) {
    return rest_of(channel, of_worlds);
}

const char *channel_player(const char *channel) {
    return rest_of(channel, of_players);
}

bool channel_is_socket_id(struct span word) {
    size_t points = 0;
    for (size_t i = 0; i < word.length; i++) {
        bool inside = i > 0 && i + 1 < word.length;
        if (word.data[i] == '.' && inside)
            points++;
        else if (word.data[i] < '0' || word.data[i] > '9')
            return false;
    }
    return points == 1 && word.length <= SOCKET_ID_MAX;
}

bool channel_is_name(struct span word) {
    return word.length <= CHANNEL_NAME_MAX && span_made_of(word, "-_=@,.;");
}
