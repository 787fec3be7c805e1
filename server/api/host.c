/* See host.h. */
#include "server/api/host.h"

#include "server/channels/pusher.h"
#include "server/rooms/rooms.h"
#include "store/reserve.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char banned[] = "banned ", announced[] = "announced ";

/* ---- Addresses ---- */

static void drop_old(struct app *app) {
    int64_t now = rooms_now(app->rooms);
    int kept = 0;
    for (int i = 0; i < app->ban_count; i++)
        if (app->bans[i].until_ms > now)
            app->bans[kept++] = app->bans[i];
    app->ban_count = kept;
}

static bool note_ban(struct app *app, const char *block, int64_t until_ms, struct refusal *why) {
    int at = 0;
    if (!app->bans)
        app->bans = reserve_calloc(HOST_BANS_MAX, sizeof *app->bans);
    while (at < app->ban_count && strcmp(app->bans[at].block, block) != 0)
        at++;
    if (at == HOST_BANS_MAX)
        return refuse(why, "TOO_LARGE", "No more than %d addresses can be banned", HOST_BANS_MAX);
    snprintf(app->bans[at].block, sizeof app->bans[at].block, "%s", block);
    app->bans[at].until_ms = until_ms;
    app->ban_count += at == app->ban_count;
    drop_old(app);
    return true;
}

bool host_ban(struct app *app, struct span address, int64_t until_ms, struct refusal *why) {
    char block[RATES_BLOCK_SIZE], words[RATES_BLOCK_SIZE + 48];
    rates_block(address, RATES_HOUSEHOLD_BITS, block);
    if (!note_ban(app, block, until_ms, why))
        return false;
    int length = snprintf(words, sizeof words, "%s%" PRId64 " %s", banned, until_ms, block);
    store_say(app->store, span_of(""), (struct span){words, (size_t)length}, why);
    return true;
}

bool host_is_banned(struct app *app, struct span address) {
    char block[RATES_BLOCK_SIZE];
    if (app->ban_count == 0)
        return false;
    drop_old(app);
    rates_block(address, RATES_HOUSEHOLD_BITS, block);
    for (int i = 0; i < app->ban_count; i++)
        if (strcmp(app->bans[i].block, block) == 0)
            return true;
    return false;
}

void host_put_bans(const struct app *app, struct json *json) {
    for (int i = 0; i < app->ban_count; i++) {
        json_put_object(json, NULL);
        json_put_string(json, "address", app->bans[i].block);
        json_put_number(json, "until", app->bans[i].until_ms);
        json_put_end(json);
    }
}

/* ---- Words to everybody ---- */

static void tell_all(struct app *app, struct span words) {
    char buffer[6 * HOST_MESSAGE_MAX + 64];
    struct json json = json_object_in(buffer, sizeof buffer);
    json_put_span(&json, "text", words);
    json_put_end(&json);
    if (json_complete(&json))
        pusher_tell_all(app->pusher, "host-message", (struct span){buffer, json.text.length});
}

void host_announce(struct app *app, struct span text) {
    char words[sizeof announced + HOST_MESSAGE_MAX];
    int length = snprintf(words, sizeof words, "%s%.*s", announced, (int)text.length, text.data);
    tell_all(app, text);
    store_say(app->store, span_of(""), (struct span){words, (size_t)length}, NULL);
}

/* ---- Other servers ---- */

bool host_hear(struct app *app, struct span text) {
    char words[RATES_BLOCK_SIZE + 48], *end;
    if (span_take(&text, announced)) {
        if (text.length > 0 && text.length <= HOST_MESSAGE_MAX)
            tell_all(app, text);
        return true;
    }
    struct refusal why;
    if (!span_take(&text, banned) || text.length >= sizeof words)
        return false;
    snprintf(words, sizeof words, "%.*s", (int)text.length, text.data);
    int64_t until_ms = strtoll(words, &end, 10);
    if (*end == ' ' && strlen(end + 1) < RATES_BLOCK_SIZE)
        note_ban(app, end + 1, until_ms, &why);
    return true;
}
