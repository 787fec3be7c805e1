/* What the parts of the server share: one struct, made by server.c. */
#pragma once

#include "server/channels/pusher.h"
#include "server/metrics.h"
#include "server/net/http.h"
#include "server/ops/config.h"
#include "server/ops/log.h"
#include "server/ops/rates.h"

enum { APP_JSON_SIZE = 1 << 20 };

struct request;
struct host_ban;
struct reads;
struct rooms;
struct session;
struct sessions;
struct site;
struct store;
struct webpush;

struct app {
    uv_loop_t loop;
    struct server_config config;
    struct store *store;
    struct net *net;
    struct net *metrics_net; /* null: figures are with the other routes */
    struct hub *hub;
    struct pusher *pusher;
    struct rooms *rooms;
    struct sessions *sessions;
    struct reads *reads;
    struct site *site;
    struct webpush *webpush; /* null: people are not called */
    struct metrics metrics;
    struct http_server http, metrics_http;
    union {
        struct app_rates {
            struct rates requests, actions, read_units, written, renames;
            struct rates guesses_in_all, previews_in_all; /* codes that were tried */
            struct rates calls, called;                   /* to a table: by whom, and who */
            struct app_block_rates {                      /* of an address, by its blocks */
                struct rates new_sessions[RATES_BLOCKS];
                struct rates read_units_of_address[RATES_BLOCKS], written_of_address[RATES_BLOCKS];
                struct rates stirs[RATES_BLOCKS]; /* of a world: entries of guests beside moves */
                struct rates guesses[RATES_BLOCKS];
                struct rates previews[RATES_BLOCKS];     /* asked for, and there was none */
                struct rates host_guesses[RATES_BLOCKS]; /* tokens of the host */
            };
        };
        struct rates rates[sizeof(struct app_rates) / sizeof(struct rates)]; /* all of them */
    };
    struct host_ban *bans; /* addresses; null: none so far */
    int ban_count;
    uint8_t rates_secret[RATES_SECRET_SIZE];
    struct request *coming; /* requests that are about to make a world or to come into one */
    bool draining;
    bool resting; /* by the host's wish: no new worlds, and not ready */
    int64_t started_ms;
    int64_t ready_ms;          /* when the store was last seen to write */
    struct log_silence failed; /* answers with status 5xx */
    struct span games;         /* the answer to GET /api/games; null until somebody asks */
    struct json answer;        /* that is being written ... */
    char json[APP_JSON_SIZE];  /* ... into this */
};

/* In server.c: tells the other servers that share the store about somebody's new name. */
void server_say_renamed(struct app *app, const struct session *session);

/* In server.c: tokens of a person are worth nothing any longer, so their sockets close, at all
 * servers, and nobody is called there any more. */
void server_send_away(struct app *app, const char *player, enum send_away which,
                      const char *device);

/* In routes.c: takes a request and makes sure that it is answered. */
void routes_handle(void *arg, struct peer *peer, struct http_request *request);
/* The same for the port of operations, which serves figures and signs of life only. */
void routes_handle_operations(void *arg, struct peer *peer, struct http_request *request);
void routes_answered(void *arg, const struct peer *peer, const struct http_request *request,
                     int status, size_t size);
size_t routes_body_max(void *arg, struct span path);
