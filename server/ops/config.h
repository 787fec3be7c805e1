/* What a host may set. One table in config.c names every setting with its type, range, default and
 * help; reading, refusing, `oyster serve --help` and the documentation all come from it.
 *
 * Defaults are overruled by a file of lines `key = value` (`#` begins a comment at the start of a
 * line or after a blank), and the file by flags `--key value`. */
#pragma once

#include "engine/refusal.h"
#include <stdio.h>

enum {
    CONFIG_TEXT_SIZE = 256,      /* of a value, its end included */
    CONFIG_HOST_SIZE = 64,       /* of the address in `listen` */
    CONFIG_FILE_SIZE_MAX = 65536 /* bytes */
};

enum log_level { CONFIG_LOG_ERROR, CONFIG_LOG_WARN, CONFIG_LOG_INFO, CONFIG_LOG_DEBUG };
enum log_format { CONFIG_LOG_LOGFMT, CONFIG_LOG_JSON };

struct server_config {
    char listen[CONFIG_TEXT_SIZE];
    char store[CONFIG_TEXT_SIZE]; /* "memory", "sqlite:PATH" or the address of a Redis server */
    int64_t store_confirm;        /* enum store_confirm */
    char node[CONFIG_TEXT_SIZE];
    char public_url[CONFIG_TEXT_SIZE];     /* empty: unknown; else no slash at its end */
    char web[CONFIG_TEXT_SIZE];            /* empty: no static files */
    int64_t log_level;                     /* enum log_level */
    int64_t log_format;                    /* enum log_format */
    int64_t access_log;                    /* 0 or 1 */
    char metrics_listen[CONFIG_TEXT_SIZE]; /* empty: with the other routes */
    /* What one request or connection may take. */
    int64_t body_max, unfinished_max, json_depth_max, header_ms, idle_ms;
    int64_t message_max, messages_per_second, messages_burst, activity_ms, patience_ms;
    int64_t send_queue_max, connections_max;
    int64_t connections_per_address; /* 0: any number */
    /* What a person or an address may do. */
    int64_t requests_per_second; /* 0: any number */
    int64_t actions_per_second, actions_burst, sessions_per_minute;
    int64_t failed_joins_per_minute, failed_joins_per_minute_in_all;
    int64_t read_units_per_second, read_units_burst;
    int64_t written_per_minute; /* bytes; 0: any number */
    int64_t renames_per_hour, worlds_per_player, memberships_per_player;
    int64_t entries_per_world, bytes_per_world;
    /* The times of worlds; these fit struct world_times. */
    int64_t away_ms, lobby_ms, idle_seat_ms, close_ms, abandon_ms, archive_after_ms,
        archive_idle_ms;
    int64_t keep_worlds_ms, keep_people_ms;                                /* 0: for ever */
    int64_t bot_threads;                                                   /* 0: one a core */
    int64_t io_uring;                                                      /* 0 or 1 */
    int64_t trust_proxy;                                                   /* 0 or 1 */
    char host_token[CONFIG_TEXT_SIZE], host_write_token[CONFIG_TEXT_SIZE]; /* empty: none */
    int64_t push, push_anywhere;                                           /* 0 or 1 */
    char push_contact[CONFIG_TEXT_SIZE], push_certificates[CONFIG_TEXT_SIZE];
    char pusher_key[CONFIG_TEXT_SIZE];
    char pusher_secret[CONFIG_TEXT_SIZE]; /* empty: make one up */
};

void config_default(struct server_config *config);

/* On refusal the configuration stays as it was. */
bool config_set(struct server_config *config, struct span key, struct span value,
                struct refusal *why);

/* The text of a file; `name` is for refusals, which say the line. On refusal some lines may have
 * been taken. */
bool config_read_text(struct server_config *config, const char *name, struct span text,
                      struct refusal *why);
bool config_read_file(struct server_config *config, const char *path, struct refusal *why);

/* Reads flags `--key value` or `--key=value`. The file of `--config PATH` is read before all other
 * flags, wherever it stands. */
bool config_read_flags(struct server_config *config, int count, char *const *words,
                       struct refusal *why);

/* `listen` in its parts: `127.0.0.1:8080`, `[::1]:8080`, `*:80`; port 0 is any that is free. */
bool config_listen(struct span listen, char host[CONFIG_HOST_SIZE], int *port);

/* Takes over what can change while a server runs; tells the other settings that differ, which wait
 * for its next start. */
void config_reload(struct server_config *config, const struct server_config *fresh,
                   void (*tell_waiting)(const char *key));

/* A setting as it is shown to people. */
struct config_setting {
    const char *key, *standard, *help;
    const char *const *choices; /* null-terminated; or null */
    char form[128];             /* what a value looks like */
    bool reloads;               /* changes at SIGHUP */
};

/* The settings by number, from 0; false after the last. */
bool config_setting(size_t number, struct config_setting *out);

void config_print_help(FILE *out);
/* Prints the table of the documentation. */
void config_print_markdown(FILE *out);
