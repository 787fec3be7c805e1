/* See webpush.h. */
#include "server/webpush/webpush.h"

#include "engine/json.h"
#include "server/ops/log.h"
#include "store/reserve.h"
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEEP_TURN_S = 600, /* how long a service may keep a message for a device that is off */
    KEEP_TABLE_S = 3600,
    AGAIN_MS = 5000 /* after the store has failed to tell the key */
};

struct webpush {
    struct webpush_config config;
    struct webpush_post *post;
    struct webpush_key key;
    char key_text[WEBPUSH_POINT_TEXT_SIZE]; /* empty: not known yet */
    struct webpush_figures figures;
    uv_timer_t again;
    bool stopped;
};

static const char key_name[] = "webpush";

/* ---- The key ---- */

static void ask_key(struct webpush *webpush);

static void on_again(uv_timer_t *timer) {
    ask_key(timer->data);
}

static void try_again(struct webpush *webpush) {
    if (!webpush->stopped)
        uv_timer_start(&webpush->again, on_again, AGAIN_MS, 0);
}

static bool take_key(struct webpush *webpush, struct span text) {
    uint8_t secret[WEBPUSH_SECRET_SIZE];
    size_t length = 0;
    bool good = sodium_base642bin(secret, sizeof secret, text.data, text.length, NULL, &length,
                                  NULL, sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0 &&
                length == sizeof secret && webpush_key_read(secret, &webpush->key);
    if (good)
        sodium_bin2base64(webpush->key_text, sizeof webpush->key_text, webpush->key.point,
                          sizeof webpush->key.point, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    sodium_memzero(secret, sizeof secret);
    return good;
}

/* Whether it was this server's or another's that was kept: it is read again. */
static void on_key_kept(void *arg, const struct store_reply *reply) {
    if (reply->outcome == STORE_OK || reply->outcome == STORE_CONFLICT)
        ask_key(arg);
    else
        try_again(arg);
}

static void make_key(struct webpush *webpush) {
    char text[2 * WEBPUSH_SECRET_SIZE];
    struct webpush_key key;
    struct refusal why;
    bool made = webpush_key_make(&key);
    if (made)
        sodium_bin2base64(text, sizeof text, key.secret, sizeof key.secret,
                          sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    struct store_note_put put = {.owner = {"", 0},
                                 .note = {.name = span_of(key_name), .text = span_of(text)},
                                 .fresh = true};
    if (!made || !store_note_put(webpush->config.store, &put, on_key_kept, webpush, &why))
        try_again(webpush);
    sodium_memzero(&key, sizeof key);
    sodium_memzero(text, sizeof text);
}

static void on_key(void *arg, const struct store_reply *reply) {
    struct webpush *webpush = arg;
    if (webpush->stopped)
        return;
    if (reply->outcome != STORE_OK) {
        try_again(webpush);
        return;
    }
    for (size_t i = 0; i < reply->count; i++)
        if (span_is(reply->notes[i].name, key_name)) {
            if (!take_key(webpush, reply->notes[i].text))
                log_line(LOG_ERROR, "webpush_key_broken", NULL);
            return;
        }
    make_key(webpush);
}

static void ask_key(struct webpush *webpush) {
    struct refusal why;
    if (!store_notes(webpush->config.store, (struct span){"", 0}, on_key, webpush, &why))
        try_again(webpush);
}

const char *webpush_key(const struct webpush *webpush) {
    return *webpush->key_text ? webpush->key_text : NULL;
}

/* ---- One message ---- */

struct calling {
    struct webpush *webpush;
    struct webpush_message message;
    bool counted, granted; /* a call to a table */
};

/* What the service worker of the page reads; the words are its own. */
static bool write_text(const struct webpush_message *message, char *out, size_t size) {
    struct json json = json_object_in(out, size);
    json_put_string(&json, "kind", message->kind == WEBPUSH_TURN ? "turn" : "table");
    json_put_string(&json, "code", message->code);
    json_put_string(&json, "gameId", message->game);
    if (message->kind == WEBPUSH_TABLE) {
        json_put_string(&json, "name", message->name);
        json_put_string(&json, "invitation", message->invitation);
    }
    json_put_end(&json);
    return json_complete(&json);
}

static void write_topic(const struct webpush_message *message, char out[WEBPUSH_TOPIC_SIZE]) {
    struct text text = text_in(out, WEBPUSH_TOPIC_SIZE);
    text_string(&text, message->kind == WEBPUSH_TURN ? "turn-" : "table-");
    text_string(&text, message->code);
}

static void send_to(struct webpush *webpush, const struct webpush_message *message,
                    const struct subscription *subscription) {
    struct webpush_letter letter = {.to = subscription->reader,
                                    .keep_s =
                                        message->kind == WEBPUSH_TURN ? KEEP_TURN_S : KEEP_TABLE_S};
    memcpy(letter.endpoint, subscription->endpoint, sizeof letter.endpoint);
    write_topic(message, letter.topic);
    memcpy(letter.player, message->player, sizeof letter.player);
    if (!write_text(message, letter.text, sizeof letter.text) ||
        !webpush_post_send(webpush->post, &webpush->key, &letter))
        webpush->figures.dropped++;
}

static int64_t wait_of(const struct webpush_message *message,
                       const struct subscription *subscription) {
    return subscription->turn_ms < message->longest_ms ? subscription->turn_ms
                                                       : message->longest_ms;
}

/* Calls a device if it wants to be called now; gives the wait after which it does, or 0. */
static int64_t call_device(struct webpush *webpush, const struct webpush_message *message,
                           const struct subscription *subscription) {
    if (message->kind == WEBPUSH_TURN && subscription->turn_ms == 0)
        return 0;
    if (message->kind == WEBPUSH_TURN && message->away_ms < wait_of(message, subscription))
        return wait_of(message, subscription);
    if (!subscription_is_quiet(subscription, webpush->config.now_ms(webpush->config.arg)))
        send_to(webpush, message, subscription);
    return 0;
}

/* A call to a table counts once, however many devices know who calls. */
static bool may_call(struct calling *calling, const struct subscription *subscription) {
    const struct webpush_config *config = &calling->webpush->config;
    const struct webpush_message *message = &calling->message;
    if (message->kind != WEBPUSH_TABLE)
        return true;
    if (!subscription_knows(subscription, message->from))
        return false;
    if (!calling->counted)
        calling->granted = config->may_call(config->arg, message->player);
    calling->counted = true;
    return calling->granted;
}

static void on_notes(void *arg, const struct store_reply *reply) {
    struct calling *calling = arg;
    struct webpush *webpush = calling->webpush;
    struct subscription subscription;
    int64_t later = 0;
    size_t count = reply->outcome == STORE_OK && !webpush->stopped ? reply->count : 0;
    for (size_t i = 0; i < count; i++) {
        if (!subscription_read_note(reply->notes[i].text, webpush->config.anywhere,
                                    &subscription) ||
            !may_call(calling, &subscription))
            continue;
        int64_t wait = call_device(webpush, &calling->message, &subscription);
        later = wait > 0 && (later == 0 || wait < later) ? wait : later;
    }
    if (later > 0)
        webpush->config.later(webpush->config.arg, &calling->message, later);
    free(calling);
}

void webpush_call(struct webpush *webpush, const struct webpush_message *message) {
    struct refusal why;
    if (webpush->stopped || !webpush_key(webpush))
        return;
    struct calling *calling = reserve_malloc(sizeof *calling);
    *calling = (struct calling){.webpush = webpush, .message = *message};
    if (!store_notes(webpush->config.store, span_of(message->player), on_notes, calling, &why))
        free(calling);
}

/* ---- Subscriptions that end ---- */

static void drop(struct webpush *webpush, const char *player, struct span name) {
    struct store_note_put put = {.owner = span_of(player), .note = {.name = name, .text = {"", 0}}};
    store_note_put(webpush->config.store, &put, NULL, NULL, NULL);
}

struct forgetting {
    struct webpush *webpush;
    struct pusher_owner owner;
    enum send_away which;
};

/* What cannot be read goes as well. */
static bool goes(const struct forgetting *forgetting, struct span text) {
    struct subscription found;
    return !subscription_read_note(text, true, &found) ||
           pusher_goes(found.device, forgetting->which, forgetting->owner.device);
}

static void on_forget(void *arg, const struct store_reply *reply) {
    struct forgetting *forgetting = arg;
    for (size_t i = 0; reply->outcome == STORE_OK && i < reply->count; i++)
        if (goes(forgetting, reply->notes[i].text))
            drop(forgetting->webpush, forgetting->owner.player, reply->notes[i].name);
    free(forgetting);
}

void webpush_forget(struct webpush *webpush, const char *player, enum send_away which,
                    const char *device) {
    struct refusal why;
    struct forgetting *forgetting = reserve_calloc(1, sizeof *forgetting);
    forgetting->webpush = webpush;
    forgetting->which = which;
    memcpy(forgetting->owner.player, player, strlen(player) + 1);
    memcpy(forgetting->owner.device, device, strlen(device) + 1);
    if (!store_notes(webpush->config.store, span_of(player), on_forget, forgetting, &why))
        free(forgetting);
}

/* RFC 8030: such a subscription will never be there again. */
static void on_posted(void *arg, const struct webpush_letter *letter, int status) {
    struct webpush *webpush = arg;
    char name[SUBSCRIPTION_NAME_SIZE], number[24];
    if (status >= 200 && status < 300) {
        webpush->figures.sent++;
    } else if (status == 404 || status == 410) {
        webpush->figures.gone++;
        subscription_name(span_of(letter->endpoint), name);
        drop(webpush, letter->player, span_of(name));
    } else {
        webpush->figures.failed++;
        log_line(LOG_DEBUG, "webpush_failed", "status", log_number(number, status), NULL);
    }
}

/* ---- Beginning and end ---- */

struct webpush *webpush_open(const struct webpush_config *config) {
    struct webpush *webpush = reserve_calloc(1, sizeof *webpush);
    struct webpush_post_config post = {.loop = config->loop,
                                       .anywhere = config->anywhere,
                                       .certificates = config->certificates,
                                       .contact = config->contact,
                                       .patience_ms = WEBPUSH_PATIENCE_MS};
    webpush->config = *config;
    webpush->post = webpush_post_open(&post, on_posted, webpush);
    if (!webpush->post) {
        free(webpush);
        return NULL;
    }
    uv_timer_init(config->loop, &webpush->again);
    webpush->again.data = webpush;
    ask_key(webpush);
    return webpush;
}

struct webpush_figures webpush_figures(const struct webpush *webpush) {
    return webpush->figures;
}

void webpush_stop(struct webpush *webpush) {
    webpush->stopped = true;
    uv_close((uv_handle_t *)&webpush->again, NULL);
    webpush_post_stop(webpush->post);
}

void webpush_free(struct webpush *webpush) {
    webpush_post_free(webpush->post);
    free(webpush);
}
