/* What makes a message readable for one browser alone, and proves to its push service who sends it:
 * encryption as RFC 8291 says (aes128gcm), and VAPID (RFC 8292). Pure functions of their input but
 * for webpush_key_make; any thread may call them. */
#pragma once

#include "engine/text.h"

enum {
    WEBPUSH_SECRET_SIZE = 32,
    WEBPUSH_POINT_SIZE = 65, /* of the curve P-256, not compressed */
    WEBPUSH_AUTH_SIZE = 16,
    WEBPUSH_SALT_SIZE = 16,
    WEBPUSH_TEXT_MAX = 1024, /* bytes of a message */
    WEBPUSH_SEALED_MAX = WEBPUSH_SALT_SIZE + 4 + 1 + WEBPUSH_POINT_SIZE + WEBPUSH_TEXT_MAX + 1 + 16,
    WEBPUSH_POINT_TEXT_SIZE = 88, /* as base64url, and the end */
    WEBPUSH_VAPID_SIZE = 1024
};

struct webpush_key {
    uint8_t secret[WEBPUSH_SECRET_SIZE];
    uint8_t point[WEBPUSH_POINT_SIZE];
};

/* A new random pair. False if memory or randomness is missing. */
bool webpush_key_make(struct webpush_key *out);
/* The pair of that secret; false if there is none. */
bool webpush_key_read(const uint8_t secret[WEBPUSH_SECRET_SIZE], struct webpush_key *out);
/* Does it lie on the curve? */
bool webpush_is_point(const uint8_t point[WEBPUSH_POINT_SIZE]);

/* What a browser gave with its subscription. */
struct webpush_reader {
    uint8_t point[WEBPUSH_POINT_SIZE];
    uint8_t auth[WEBPUSH_AUTH_SIZE];
};

/* The body of the request; the text is filled up to `padded` bytes, if it has fewer. The key and
 * the salt must be used once. Returns the length, or 0 if memory is missing. */
size_t webpush_seal(const struct webpush_reader *to, const struct webpush_key *once,
                    const uint8_t salt[WEBPUSH_SALT_SIZE], struct span text, size_t padded,
                    uint8_t out[WEBPUSH_SEALED_MAX]);

/* The value of the header Authorization: to the service at this origin (https://host), until that
 * time, from `contact` (an address of the web or mailto:; empty: not said). */
bool webpush_vapid(const struct webpush_key *key, struct span origin, const char *contact,
                   int64_t expires_s, char out[WEBPUSH_VAPID_SIZE]);
