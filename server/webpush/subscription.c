/* See subscription.h. */
#include "server/webpush/subscription.h"

#include "engine/json.h"
#include <sodium.h>
#include <string.h>

static struct span string_of(const json_t *from, const char *key) {
    const json_t *value = json_object_get(from, key);
    return (struct span){json_string_value(value), json_string_length(value)};
}

static bool decode(struct span text, uint8_t *out, size_t size) {
    size_t length = 0;
    return text.data &&
           sodium_base642bin(out, size, text.data, text.length, NULL, &length, NULL,
                             sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0 &&
           length == size;
}

static bool read_reader(const json_t *keys, struct webpush_reader *out, struct refusal *why) {
    return (decode(string_of(keys, "p256dh"), out->point, sizeof out->point) &&
            webpush_is_point(out->point) &&
            decode(string_of(keys, "auth"), out->auth, sizeof out->auth)) ||
           refuse(why, "BAD_REQUEST", "The keys of the subscription are not a browser's");
}

/* A number that may be missing. */
static bool read_number(const json_t *from, const char *key, int64_t max, int64_t *out) {
    const json_t *value = json_object_get(from, key);
    *out = json_is_integer(value) ? json_integer_value(value) : 0;
    return !value || (json_is_integer(value) && *out >= 0 && *out <= max);
}

static bool read_times(const json_t *from, struct subscription *out, struct refusal *why) {
    const json_t *quiet = json_object_get(from, "quiet");
    int64_t start, end;
    if (!read_number(from, "turnMs", SUBSCRIPTION_TURN_MS_MAX, &out->turn_ms) ||
        (out->turn_ms != 0 && out->turn_ms < SUBSCRIPTION_TURN_MS_MIN))
        return refuse(why, "BAD_REQUEST", "turnMs must be 0, or %d to %d", SUBSCRIPTION_TURN_MS_MIN,
                      SUBSCRIPTION_TURN_MS_MAX);
    if ((quiet && !json_is_object(quiet)) ||
        !read_number(quiet, "from", SUBSCRIPTION_DAY - 1, &start) ||
        !read_number(quiet, "to", SUBSCRIPTION_DAY - 1, &end))
        return refuse(why, "BAD_REQUEST", "Quiet hours are minutes of the day, 0 to %d",
                      SUBSCRIPTION_DAY - 1);
    out->quiet_from = (int)start;
    out->quiet_to = (int)end;
    return true;
}

static bool read_friends(const json_t *from, struct subscription *out, struct refusal *why) {
    const json_t *friends = json_object_get(from, "friends"), *each;
    size_t i;
    if (friends && (!json_is_array(friends) || json_array_size(friends) > SUBSCRIPTION_FRIENDS_MAX))
        return refuse(why, "BAD_REQUEST", "friends must be a list of at most %d ids",
                      SUBSCRIPTION_FRIENDS_MAX);
    json_array_foreach(friends, i, each) {
        size_t length = json_is_string(each) ? json_string_length(each) : 0;
        if (length == 0 || length >= SECRETS_PLAYER_ID_SIZE)
            return refuse(why, "BAD_REQUEST", "friends must be ids of people");
        memcpy(out->friends[out->friend_count++], json_string_value(each), length);
    }
    return true;
}

/* Ids of others stand in the store in a form that tells nobody who they were, so that whoever is
 * erased is gone from there as well. */
static void hide_id(const char *id, char out[SECRETS_PLAYER_ID_SIZE]) {
    enum { BYTES = (SECRETS_PLAYER_ID_SIZE - 1) / 4 * 3 };
    uint8_t hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(hash, (const uint8_t *)id, strlen(id));
    sodium_bin2base64(out, SECRETS_PLAYER_ID_SIZE, hash, BYTES,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

static void hide_friends(struct subscription *subscription) {
    for (int i = 0; i < subscription->friend_count; i++) {
        char hidden[SECRETS_PLAYER_ID_SIZE];
        hide_id(subscription->friends[i], hidden);
        memcpy(subscription->friends[i], hidden, sizeof hidden);
    }
}

static void read_device(const json_t *from, struct subscription *out) {
    struct span device = string_of(from, "device");
    if (device.data && device.length < sizeof out->device)
        memcpy(out->device, device.data, device.length);
}

static bool read_all(const json_t *from, bool anywhere, struct subscription *out,
                     struct refusal *why) {
    struct span endpoint = string_of(from, "endpoint"), origin;
    *out = (struct subscription){0};
    if (!endpoint.data || !webpush_is_endpoint(endpoint, anywhere, &origin))
        return refuse(why, "BAD_REQUEST",
                      "The endpoint must be an https address of at most %d bytes",
                      WEBPUSH_ENDPOINT_MAX);
    memcpy(out->endpoint, endpoint.data, endpoint.length);
    read_device(from, out);
    return read_reader(json_object_get(from, "keys"), &out->reader, why) &&
           read_times(from, out, why) && read_friends(from, out, why);
}

bool subscription_read(const json_t *from, bool anywhere, struct subscription *out,
                       struct refusal *why) {
    bool good = read_all(from, anywhere, out, why);
    if (good)
        hide_friends(out);
    return good;
}

bool subscription_read_note(struct span text, bool anywhere, struct subscription *out) {
    json_t *read = json_loadb(text.data, text.length, JSON_REJECT_DUPLICATES, NULL);
    bool good = json_is_object(read) && read_all(read, anywhere, out, NULL);
    json_decref(read);
    return good;
}

static void put_base64(struct json *json, const char *key, const uint8_t *bytes, size_t size) {
    char text[WEBPUSH_POINT_TEXT_SIZE];
    sodium_bin2base64(text, sizeof text, bytes, size, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    json_put_string(json, key, text);
}

bool subscription_write(const struct subscription *from, struct text *out) {
    struct json json = json_object_in(out->data + out->length, out->size - out->length);
    json_put_string(&json, "endpoint", from->endpoint);
    json_put_object(&json, "keys");
    put_base64(&json, "p256dh", from->reader.point, sizeof from->reader.point);
    put_base64(&json, "auth", from->reader.auth, sizeof from->reader.auth);
    json_put_end(&json);
    json_put_string(&json, "device", from->device);
    json_put_number(&json, "turnMs", from->turn_ms);
    json_put_object(&json, "quiet");
    json_put_number(&json, "from", from->quiet_from);
    json_put_number(&json, "to", from->quiet_to);
    json_put_end(&json);
    json_put_array(&json, "friends");
    for (int i = 0; i < from->friend_count; i++)
        json_put_string(&json, NULL, from->friends[i]);
    json_put_end(&json);
    json_put_end(&json);
    out->length += json.text.length;
    return json_complete(&json);
}

void subscription_name(struct span endpoint, char out[SUBSCRIPTION_NAME_SIZE]) {
    uint8_t hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(hash, (const uint8_t *)endpoint.data, endpoint.length);
    sodium_bin2base64(out, SUBSCRIPTION_NAME_SIZE, hash, 16,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

bool subscription_is_quiet(const struct subscription *subscription, int64_t now_ms) {
    int now = (int)(now_ms / 60000 % SUBSCRIPTION_DAY);
    int from = subscription->quiet_from, to = subscription->quiet_to;
    return from <= to ? now >= from && now < to : now >= from || now < to;
}

/* Older notes have the ids as they are. */
bool subscription_knows(const struct subscription *subscription, const char *id) {
    char hidden[SECRETS_PLAYER_ID_SIZE];
    hide_id(id, hidden);
    for (int i = 0; i < subscription->friend_count; i++)
        if (strcmp(subscription->friends[i], hidden) == 0 ||
            strcmp(subscription->friends[i], id) == 0)
            return true;
    return false;
}
