/* See post.h. One thread runs libcurl's transfers; the loop hands it parcels, and gets them back
 * with their status. */
#define _DEFAULT_SOURCE
#include "server/webpush/post.h"

#include "store/reserve.h"
#include <curl/curl.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    PADDED = 512,      /* bytes that every message has at least, so that its length says nothing */
    TOKEN_S = 43200,   /* how long a signature is good for; at most a day is allowed */
    POLL_MS = 1000,    /* how often the thread looks whether it is to stop */
    LAST_WAIT_MS = 500 /* for the thread at the end */
};

struct parcel {
    struct webpush_letter letter;
    struct webpush_key key;
    struct parcel *next;
    CURL *curl;
    struct curl_slist *headers;
    uint8_t body[WEBPUSH_SEALED_MAX];
    size_t answered; /* bytes */
    bool anywhere, known;
    int status;
};

struct parcels {
    struct parcel *first, **end;
    int count;
};

struct webpush_post {
    struct webpush_post_config config;
    webpush_posted *done;
    void *arg;
    uv_async_t wake; /* the loop */
    uv_thread_t thread;
    uv_mutex_t lock; /* of all that follows */
    uv_cond_t ended;
    struct parcels waiting[2], back; /* of these one for services that are known */
    bool stopped, thread_ended;
    /* The loop's alone: */
    int count[2]; /* that have not come back */
    /* The thread's alone, but that the loop wakes it: */
    CURLM *multi;
    struct parcel *under_way[WEBPUSH_AT_ONCE + WEBPUSH_OTHERS_AT_ONCE];
    int under_way_count, busy[2];
};

static const int waiting_max[2] = {WEBPUSH_OTHERS_WAITING_MAX, WEBPUSH_WAITING_MAX};
static const int at_once[2] = {WEBPUSH_OTHERS_AT_ONCE, WEBPUSH_AT_ONCE};

static void add(struct parcels *parcels, struct parcel *parcel) {
    parcel->next = NULL;
    *parcels->end = parcel;
    parcels->end = &parcel->next;
    parcels->count++;
}

static struct parcel *take(struct parcels *parcels) {
    struct parcel *parcel = parcels->first;
    if (parcel && !(parcels->first = parcel->next))
        parcels->end = &parcels->first;
    parcels->count -= parcel != NULL;
    return parcel;
}

/* ---- Where to ---- */

bool webpush_is_endpoint(struct span endpoint, bool anywhere, struct span *origin) {
    static const char scheme[] = "https://";
    size_t start = sizeof scheme - 1, at = start;
    if (endpoint.length > WEBPUSH_ENDPOINT_MAX || endpoint.length < start ||
        memcmp(endpoint.data, scheme, start) != 0)
        return false;
    for (size_t i = 0; i < endpoint.length; i++)
        if (endpoint.data[i] <= ' ' || endpoint.data[i] > '~' || endpoint.data[i] == '\\')
            return false;
    while (at < endpoint.length && span_made_of((struct span){endpoint.data + at, 1}, "-."))
        at++;
    bool named = at > start;
    if (at < endpoint.length && endpoint.data[at] == ':' && anywhere)
        for (at++; at < endpoint.length && endpoint.data[at] >= '0' && endpoint.data[at] <= '9';)
            at++;
    *origin = (struct span){endpoint.data, at};
    return named && at < endpoint.length && endpoint.data[at] == '/';
}

static bool ends_with(struct span text, const char *end) {
    size_t length = strlen(end);
    return text.length >= length && memcmp(text.data + text.length - length, end, length) == 0;
}

bool webpush_is_known(struct span origin) {
    static const char *const services[] = {"//fcm.googleapis.com",
                                           "//updates.push.services.mozilla.com", ".push.apple.com",
                                           ".notify.windows.com"};
    for (size_t i = 0; i < sizeof services / sizeof *services; i++)
        if (ends_with(origin, services[i]))
            return true;
    return false;
}

struct block {
    uint32_t from;
    int bits;
};

static bool is_public_4(uint32_t address) {
    /* RFC 6890 and what came after it: this host, private and shared networks, loopback,
     * link-local, documentation, benchmarks, relays, multicast, reserved. */
    static const struct block others[] = {
        {0x00000000, 8},  {0x0a000000, 8},  {0x64400000, 10}, {0x7f000000, 8},  {0xa9fe0000, 16},
        {0xac100000, 12}, {0xc0000000, 24}, {0xc0000200, 24}, {0xc0586300, 24}, {0xc0a80000, 16},
        {0xc6120000, 15}, {0xc6336400, 24}, {0xcb007100, 24}, {0xe0000000, 3}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if ((address ^ others[i].from) >> (32 - others[i].bits) == 0)
            return false;
    return true;
}

static uint32_t number_at(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Only 2000::/3 is given out. In it Teredo, documentation and 6to4 lead elsewhere; outside of it
 * two blocks stand for addresses of IPv4. */
static bool is_public_6(const uint8_t bytes[16]) {
    static const uint8_t mapped[12] = {[10] = 255, [11] = 255};
    static const uint8_t translated[12] = {0, 0x64, 0xff, 0x9b};
    if (memcmp(bytes, mapped, sizeof mapped) == 0 ||
        memcmp(bytes, translated, sizeof translated) == 0)
        return is_public_4(number_at(bytes + 12));
    uint32_t first = number_at(bytes);
    return first >> 29 == 1 && first != 0x20010000 && first != 0x20010db8 && first >> 16 != 0x2002;
}

bool webpush_may_reach(const struct sockaddr *address) {
    if (address->sa_family == AF_INET)
        return is_public_4(ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr));
    return address->sa_family == AF_INET6 &&
           is_public_6(((const struct sockaddr_in6 *)address)->sin6_addr.s6_addr);
}

/* The name was looked up; this is the address that will be called, so a name that means another
 * machine each time it is asked for is of no use to anybody. */
static curl_socket_t on_socket(void *arg, curlsocktype purpose, struct curl_sockaddr *address) {
    const struct parcel *parcel = arg;
    if (!parcel->anywhere && !webpush_may_reach(&address->addr))
        return CURL_SOCKET_BAD;
    int opened = socket(address->family, address->socktype, address->protocol);
    if (opened >= 0)
        fcntl(opened, F_SETFD, FD_CLOEXEC);
    return opened;
}

/* ---- One message, on the thread ---- */

static size_t on_answer(char *data, size_t size, size_t count, void *arg) {
    struct parcel *parcel = arg;
    parcel->answered += size * count;
    return parcel->answered <= WEBPUSH_ANSWER_MAX ? size * count : 0;
}

/* True if the list has one more. */
static bool put_header(struct curl_slist **headers, const char *name, const char *value) {
    char line[WEBPUSH_VAPID_SIZE + 64];
    snprintf(line, sizeof line, "%s: %s", name, value);
    struct curl_slist *longer = curl_slist_append(*headers, line);
    if (longer)
        *headers = longer;
    return longer != NULL;
}

static bool write_headers(const struct webpush_post *post, struct parcel *parcel) {
    char vapid[WEBPUSH_VAPID_SIZE], seconds[24];
    struct span origin;
    const struct webpush_letter *letter = &parcel->letter;
    snprintf(seconds, sizeof seconds, "%lld", (long long)letter->keep_s);
    return webpush_is_endpoint(span_of(letter->endpoint), parcel->anywhere, &origin) &&
           webpush_vapid(&parcel->key, origin, post->config.contact, time(NULL) + TOKEN_S, vapid) &&
           put_header(&parcel->headers, "Authorization", vapid) &&
           put_header(&parcel->headers, "Content-Encoding", "aes128gcm") &&
           put_header(&parcel->headers, "Content-Type", "application/octet-stream") &&
           put_header(&parcel->headers, "TTL", seconds) &&
           put_header(&parcel->headers, "Urgency", "high") &&
           put_header(&parcel->headers, "Topic", letter->topic) &&
           put_header(&parcel->headers, "Expect", "");
}

static size_t write_body(struct parcel *parcel) {
    struct webpush_key once;
    uint8_t salt[WEBPUSH_SALT_SIZE];
    randombytes_buf(salt, sizeof salt);
    size_t length = webpush_key_make(&once)
                        ? webpush_seal(&parcel->letter.to, &once, salt,
                                       span_of(parcel->letter.text), PADDED, parcel->body)
                        : 0;
    sodium_memzero(&once, sizeof once);
    return length;
}

static bool set_up(const struct webpush_post *post, struct parcel *parcel) {
    CURL *curl = parcel->curl = curl_easy_init();
    size_t length = curl ? write_body(parcel) : 0;
    const char *certificates = post->config.certificates;
    return length > 0 && write_headers(post, parcel) &&
           curl_easy_setopt(curl, CURLOPT_URL, parcel->letter.endpoint) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "https") == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_PROXY, "") == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_QUICK_EXIT, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, post->config.patience_ms) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, on_socket) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, parcel) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_answer) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_WRITEDATA, parcel) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_PRIVATE, parcel) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_HTTPHEADER, parcel->headers) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_POST, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_POSTFIELDS, parcel->body) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, (long)length) == CURLE_OK &&
           (!*certificates || curl_easy_setopt(curl, CURLOPT_CAINFO, certificates) == CURLE_OK) &&
           curl_multi_add_handle(post->multi, curl) == CURLM_OK;
}

/* The loop gets it back, unless nobody waits for it any more. */
static void give_back(struct webpush_post *post, struct parcel *parcel) {
    curl_easy_cleanup(parcel->curl);
    curl_slist_free_all(parcel->headers);
    uv_mutex_lock(&post->lock);
    bool stopped = post->stopped;
    if (!stopped) {
        add(&post->back, parcel);
        uv_async_send(&post->wake);
    }
    uv_mutex_unlock(&post->lock);
    if (stopped)
        free(parcel);
}

static void finish(struct webpush_post *post, CURL *curl) {
    struct parcel *parcel = NULL;
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_PRIVATE, (char **)&parcel);
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    parcel->status = (int)status;
    curl_multi_remove_handle(post->multi, curl);
    for (int i = 0; i < post->under_way_count; i++)
        if (post->under_way[i] == parcel)
            post->under_way[i] = post->under_way[--post->under_way_count];
    post->busy[parcel->known]--;
    give_back(post, parcel);
}

/* ---- The thread ---- */

static bool is_stopped(struct webpush_post *post) {
    uv_mutex_lock(&post->lock);
    bool stopped = post->stopped;
    uv_mutex_unlock(&post->lock);
    return stopped;
}

static struct parcel *next_parcel(struct webpush_post *post, bool known) {
    uv_mutex_lock(&post->lock);
    struct parcel *parcel = post->stopped ? NULL : take(&post->waiting[known]);
    uv_mutex_unlock(&post->lock);
    return parcel;
}

static void begin_some(struct webpush_post *post, bool known) {
    struct parcel *parcel;
    while (post->busy[known] < at_once[known] && (parcel = next_parcel(post, known))) {
        if (set_up(post, parcel)) {
            post->under_way[post->under_way_count++] = parcel;
            post->busy[known]++;
        } else {
            give_back(post, parcel);
        }
    }
}

static void finish_some(struct webpush_post *post) {
    int left;
    for (CURLMsg *message; (message = curl_multi_info_read(post->multi, &left));)
        if (message->msg == CURLMSG_DONE)
            finish(post, message->easy_handle);
}

static void run(void *arg) {
    struct webpush_post *post = arg;
    int running;
    while (!is_stopped(post)) {
        begin_some(post, true);
        begin_some(post, false);
        curl_multi_perform(post->multi, &running);
        finish_some(post);
        curl_multi_poll(post->multi, NULL, 0, POLL_MS, NULL); /* or until it is woken */
    }
    while (post->under_way_count > 0)
        finish(post, post->under_way[0]->curl);
    uv_mutex_lock(&post->lock);
    post->thread_ended = true;
    uv_cond_signal(&post->ended);
    uv_mutex_unlock(&post->lock);
}

/* ---- The loop's side ---- */

static void on_back(uv_async_t *wake) {
    struct webpush_post *post = wake->data;
    for (;;) {
        uv_mutex_lock(&post->lock);
        struct parcel *parcel = take(&post->back);
        uv_mutex_unlock(&post->lock);
        if (!parcel)
            return;
        post->count[parcel->known]--;
        post->done(post->arg, &parcel->letter, parcel->status);
        free(parcel);
    }
}

struct webpush_post *webpush_post_open(const struct webpush_post_config *config,
                                       webpush_posted *done, void *arg) {
    struct webpush_post *post = reserve_calloc(1, sizeof *post);
    post->config = *config;
    post->done = done;
    post->arg = arg;
    for (int i = 0; i < 2; i++)
        post->waiting[i].end = &post->waiting[i].first;
    post->back.end = &post->back.first;
    post->multi = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? curl_multi_init() : NULL;
    uv_mutex_init(&post->lock);
    uv_cond_init(&post->ended);
    if (!post->multi || uv_thread_create(&post->thread, run, post) != 0) {
        curl_multi_cleanup(post->multi);
        free(post);
        return NULL;
    }
    uv_async_init(config->loop, &post->wake, on_back);
    post->wake.data = post;
    return post;
}

bool webpush_post_send(struct webpush_post *post, const struct webpush_key *key,
                       const struct webpush_letter *letter) {
    struct span origin;
    bool known =
        webpush_is_endpoint(span_of(letter->endpoint), post->config.anywhere, &origin) &&
        (webpush_is_known(origin) || (post->config.known && span_is(origin, post->config.known)));
    if (post->stopped || post->count[known] >= waiting_max[known])
        return false;
    struct parcel *parcel = reserve_calloc(1, sizeof *parcel);
    parcel->letter = *letter;
    parcel->key = *key;
    parcel->anywhere = post->config.anywhere;
    parcel->known = known;
    post->count[known]++;
    uv_mutex_lock(&post->lock);
    add(&post->waiting[known], parcel);
    uv_mutex_unlock(&post->lock);
    curl_multi_wakeup(post->multi);
    return true;
}

void webpush_post_stop(struct webpush_post *post) {
    uv_mutex_lock(&post->lock);
    post->stopped = true;
    uv_mutex_unlock(&post->lock);
    curl_multi_wakeup(post->multi);
    uv_close((uv_handle_t *)&post->wake, NULL);
}

static void free_all(struct parcels *parcels) {
    for (struct parcel *parcel; (parcel = take(parcels));)
        free(parcel);
}

void webpush_post_free(struct webpush_post *post) {
    uv_mutex_lock(&post->lock);
    if (!post->thread_ended)
        uv_cond_timedwait(&post->ended, &post->lock, LAST_WAIT_MS * UINT64_C(1000000));
    bool ended = post->thread_ended;
    uv_mutex_unlock(&post->lock);
    if (!ended) /* the end of the process ends it */
        return;
    uv_thread_join(&post->thread);
    for (int i = 0; i < 2; i++)
        free_all(&post->waiting[i]);
    free_all(&post->back);
    curl_multi_cleanup(post->multi);
    curl_global_cleanup();
    uv_cond_destroy(&post->ended);
    uv_mutex_destroy(&post->lock);
    free(post);
}
