/* Puts the parts together on one event loop. Once per turn of the loop the store is asked to write
 * what was collected, and everything that may be sent is sent. */
#define _DEFAULT_SOURCE
#include "server/server.h"
#include "server/api/device_names.h"
#include "server/api/growth.h"
#include "server/api/host.h"
#include "server/api/reads.h"
#include "server/api/sessions.h"
#include "server/api/site.h"
#include "server/channels/channel_names.h"
#include "server/channels/hub.h"
#include "server/channels/pusher.h"
#include "server/net/secrets.h"
#include "server/rooms/rooms.h"
#include "server/webpush/webpush.h"
#include "store/store.h"

#include "engine/ensure.h"
#include "server/app.h"
#include "server/ops/log.h"
#include "server/ops/service.h"
#include "server/shared_rates.h"
#include "store/reserve.h"
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    HEADER_MAX = 8192,
    SESSIONS_MAX = 65536,
    RATE_KEYS = 16384,
    REQUESTS_BURST =
        4, /* seconds' worth of requests that may come at once: a page has many files */
    STACK_SIZE = 1 << 19,
    OPERATORS_MAX = 64,    /* connections to the port of the figures */
    HOST_GUESSES = 10,     /* wrong tokens of a host a minute, from one address */
    CALLS = 10,            /* people whom somebody calls to a table, in a minute ... */
    CALLED = 20,           /* ... and how often somebody is called so in an hour */
    STOP_MS = 2500,        /* a stop takes no longer */
    LAST_REQUEST_MS = 500, /* for requests of those who had just connected */
    STOP_STEP_MS = 20,
    SECOND_MS = 1000,
    MINUTE_MS = 60 * SECOND_MS,
    HOUR_MS = 60 * MINUTE_MS
};

struct server {
    struct app app;
    uv_prepare_t prepare;
    uv_check_t check;
    uv_idle_t idle; /* while it runs, the loop does not wait for events */
    uv_signal_t terminate, interrupt, reload;
    uv_timer_t stopping, sharing, watchdog;
    server_settings *settings; /* reads them again */
    void *settings_arg;
    int64_t stop_at_ms;
    uint64_t turn_ns, idle_ns; /* when the present turn began; how long all had idled by then */
    char secret[SECRETS_TOKEN_SIZE];
    bool stopped;
};

/* ---- Once per turn ---- */

static void turn(struct app *app) {
    shared_rates_say(app, true);
    store_commit(app->store);
    net_turn(app->net);
    if (app->metrics_net)
        net_turn(app->metrics_net);
}

/* Measures a turn without the time in which the loop waited for events. */
static void time_turn(struct server *server) {
    struct app *app = &server->app;
    uint64_t now = uv_hrtime(), idle = uv_metrics_idle_time(&app->loop);
    if (server->turn_ns != 0)
        metrics_time(&app->metrics.turns, now - server->turn_ns - (idle - server->idle_ns));
    server->turn_ns = now;
    server->idle_ns = idle;
}

static void on_idle(uv_idle_t *handle) {
}

/* The last step before the loop waits. If answers of a store in memory have asked it for more, that
 * must not wait for the next event. */
static void on_prepare(uv_prepare_t *handle) {
    struct server *server = handle->data;
    turn(&server->app);
    time_turn(server);
    if (store_waits(server->app.store))
        uv_idle_start(&server->idle, on_idle);
    else
        uv_idle_stop(&server->idle);
}

static void on_check(uv_check_t *handle) {
    turn(handle->data);
}

/* ---- The store's work on another thread ---- */

struct job {
    uv_work_t work;
    void (*run)(void *data), (*done)(void *data);
    void *data;
};

static void on_job(uv_work_t *work) {
    struct job *job = (struct job *)work;
    job->run(job->data);
}

static void on_job_done(uv_work_t *work, int status) {
    struct job *job = (struct job *)work;
    job->done(job->data);
    free(job);
}

static void defer(void *arg, void (*run)(void *data), void (*done)(void *data), void *data) {
    struct app *app = arg;
    struct job *job = reserve_malloc(sizeof *job);
    *job = (struct job){.run = run, .done = done, .data = data};
    ensure(uv_queue_work(&app->loop, &job->work, on_job, on_job_done) == 0);
}

/* ---- Hooks between the parts ---- */

static enum pusher_verdict on_may_hear(void *arg, const char *channel, const char *player) {
    const struct app *app = arg;
    const char *code = channel_world(channel);
    if (!code || rooms_may_hear(app->rooms, code, span_of(player)))
        return PUSHER_YES;
    return store_is_shared(app->store) ? PUSHER_LATER : PUSHER_NO;
}

static void on_fetched(void *arg, struct room *room, const struct room_failure *failure) {
    pusher_fetched(arg);
}

/* Another server may have let this person in a moment ago. */
static void on_fetch(void *arg, const char *channel, struct pusher_wish *wish) {
    struct app *app = arg;
    rooms_refresh(app->rooms, span_of(channel_world(channel)), on_fetched, wish);
}

struct verifying {
    struct pusher_wish *wish;
    char device[SECRETS_DEVICE_ID_SIZE];
};

static bool has_device(struct span devices, const char *wanted) {
    struct store_device device;
    char id[SECRETS_DEVICE_ID_SIZE];
    while (store_device_next(&devices, &device)) {
        secrets_device_id(device.token_hash, id);
        if (device.until_ms == 0 && strcmp(id, wanted) == 0)
            return true;
    }
    return false;
}

static void on_verified(void *arg, const struct store_reply *reply) {
    struct verifying verifying = *(struct verifying *)arg;
    free(arg);
    pusher_verified(verifying.wish, reply->outcome == STORE_OK &&
                                        has_device(reply->players[0].devices, verifying.device));
}

static void on_verify(void *arg, const struct pusher_owner *owner, struct pusher_wish *wish) {
    const struct app *app = arg;
    struct verifying *verifying = reserve_calloc(1, sizeof *verifying);
    struct refusal why;
    verifying->wish = wish;
    memcpy(verifying->device, owner->device, sizeof verifying->device);
    if (store_player_by_id(app->store, span_of(owner->player), on_verified, verifying, &why))
        return;
    free(verifying);
    pusher_verified(wish, false);
}

static const struct remote_presence *on_others(void *arg, const char *channel) {
    const struct app *app = arg;
    const char *code = channel_world(channel);
    return code ? rooms_others(app->rooms, code) : NULL;
}

static void on_elsewhere(void *arg, const char *code, const char *player, const char *info,
                         bool there) {
    struct app *app = arg;
    char channel[CHANNEL_NAME_SIZE];
    channel_of_world(code, channel);
    pusher_tell(app->pusher, channel, player, info, there);
}

/* ---- Other servers that share the store ---- */

static void on_appended(void *arg, const struct store_heard *heard) {
    struct app *app = arg;
    rooms_heard(app->rooms, heard);
}

static const char renamed[] = "renamed ";

void server_say_renamed(struct app *app, const struct session *session) {
    char buffer[sizeof renamed + sizeof session->id + sizeof session->name];
    snprintf(buffer, sizeof buffer, "%s%s %s", renamed, session->id, session->name);
    store_say(app->store, span_of(""), span_of(buffer), NULL);
}

static void on_renamed(struct app *app, struct span words) {
    char id[SECRETS_PLAYER_ID_SIZE] = "", name[STORE_NAME_MAX + 1] = "";
    struct span first = span_take_until(&words, ' ');
    if (first.length == 0 || first.length >= sizeof id || words.length == 0 ||
        words.length >= sizeof name)
        return;
    memcpy(id, first.data, first.length);
    memcpy(name, words.data, words.length);
    sessions_forget(app->sessions, span_of(id));
    rooms_rename(app->rooms, id, name);
}

static const char renewed[] = "renewed ";

/* ID: all sockets; ID=DEVICE: those of the device; ID!DEVICE: all others. */
static const char *const send_away_signs[] = {
    [SEND_AWAY_ALL] = "", [SEND_AWAY_ONE] = "=", [SEND_AWAY_OTHERS] = "!"};

void server_send_away(struct app *app, const char *player, enum send_away which,
                      const char *device) {
    char buffer[sizeof renewed + SECRETS_PLAYER_ID_SIZE + 1 + SECRETS_DEVICE_ID_SIZE];
    snprintf(buffer, sizeof buffer, "%s%s%s%s", renewed, player, send_away_signs[which],
             which == SEND_AWAY_ALL ? "" : device);
    pusher_send_away(app->pusher, player, which, device);
    if (app->webpush)
        webpush_forget(app->webpush, player, which, device);
    store_say(app->store, span_of(""), span_of(buffer), NULL);
}

static void on_renewed(struct app *app, struct span words) {
    char text[SECRETS_PLAYER_ID_SIZE + 1 + SECRETS_DEVICE_ID_SIZE] = "";
    if (words.length == 0 || words.length >= sizeof text)
        return;
    memcpy(text, words.data, words.length);
    char *sign = strpbrk(text, "=!");
    enum send_away which = !sign ? SEND_AWAY_ALL : *sign == '=' ? SEND_AWAY_ONE : SEND_AWAY_OTHERS;
    if (sign)
        *sign = '\0';
    sessions_forget(app->sessions, span_of(text));
    pusher_send_away(app->pusher, text, which, sign ? sign + 1 : "");
}

static void on_said(void *arg, struct span code, struct span node, struct span text) {
    struct app *app = arg;
    if (code.length > 0)
        rooms_said(app->rooms, code, node, text);
    else if (shared_rates_hear(app, text) || host_hear(app, text))
        return;
    else if (span_take(&text, renamed))
        on_renamed(app, text);
    else if (span_take(&text, renewed))
        on_renewed(app, text);
}

static void on_watching(void *arg, struct span code) {
    struct app *app = arg;
    if (code.length > 0)
        rooms_watching(app->rooms, code);
    else
        sessions_forget_all(app->sessions); /* somebody may have logged out meanwhile */
}

static void on_presence(void *arg, const char *channel, const char *player, bool there) {
    struct app *app = arg;
    const char *code = channel_world(channel);
    if (code)
        rooms_presence(app->rooms, code, span_of(player), there);
}

static bool on_may_see(void *arg, uint64_t address, int64_t views) {
    struct app *app = arg;
    int unused;
    return app->config.requests_per_second == 0 || views == 0 ||
           rates_take_many(&app->requests, address, views, rooms_now(app->rooms), &unused);
}

static void on_arrived(void *arg, struct peer *peer, const char *channel, const char *player) {
    struct app *app = arg;
    const char *code = channel_world(channel);
    if (code)
        rooms_greet(app->rooms, code, player, peer);
}

static void on_left(void *arg, const char *code, const char *player) {
    struct app *app = arg;
    char channel[CHANNEL_NAME_SIZE];
    channel_of_world(code, channel);
    pusher_expel(app->pusher, channel, player);
}

static void on_peer(struct peer *peer, void *arg) {
    struct app *app = arg;
    http_speak(peer, &app->http);
}

static void on_metrics_peer(struct peer *peer, void *arg) {
    struct app *app = arg;
    http_speak(peer, &app->metrics_http);
}

/* ---- Calling people who are away ---- */

static void put_name(char *out, size_t size, const char *text) {
    struct text name = text_in(out, size);
    text_string(&name, text);
    ensure(!name.cut);
}

/* A bot plays after away-ms, so people are called when half of it is over at the latest. */
static void on_absent(void *arg, const struct world *world, int seat, int64_t away_ms) {
    struct app *app = arg;
    struct webpush_message message = {
        .kind = WEBPUSH_TURN, .away_ms = away_ms, .longest_ms = app->config.away_ms / 2};
    if (!app->webpush || strlen(world->seat[seat].id) >= sizeof message.player)
        return;
    put_name(message.player, sizeof message.player, world->seat[seat].id);
    put_name(message.code, sizeof message.code, world->code);
    put_name(message.game, sizeof message.game, world->game->id);
    webpush_call(app->webpush, &message);
}

static void on_later(void *arg, const struct webpush_message *message, int64_t away_ms) {
    struct app *app = arg;
    rooms_look_again(app->rooms, message->code, message->player, away_ms);
}

static int64_t on_clock(void *arg) {
    const struct app *app = arg;
    return rooms_now(app->rooms);
}

/* Push services take addresses of the web only with https. */
static const char *push_contact(const struct server_config *config) {
    if (*config->push_contact)
        return config->push_contact;
    return strncmp(config->public_url, "https:", 6) == 0 ? config->public_url : "";
}

static bool on_may_call(void *arg, const char *player) {
    struct app *app = arg;
    int unused;
    return rates_take(&app->called, rates_key(player, strlen(player), app->rates_secret),
                      rooms_now(app->rooms), &unused);
}

static void open_webpush(struct app *app) {
    const struct server_config *config = &app->config;
    struct webpush_config webpush = {.loop = &app->loop,
                                     .store = app->store,
                                     .now_ms = on_clock,
                                     .later = on_later,
                                     .may_call = on_may_call,
                                     .arg = app,
                                     .anywhere = config->push_anywhere != 0,
                                     .certificates = config->push_certificates,
                                     .contact = push_contact(config)};
    if (!config->push)
        return;
    app->webpush = webpush_open(&webpush);
    if (!app->webpush)
        log_line(LOG_WARN, "no_webpush", "why", "a thread or memory is missing", NULL);
}

/* ---- Stopping ---- */

static void close_handles(struct server *server) {
    uv_close((uv_handle_t *)&server->prepare, NULL);
    uv_close((uv_handle_t *)&server->check, NULL);
    uv_close((uv_handle_t *)&server->idle, NULL);
    uv_close((uv_handle_t *)&server->terminate, NULL);
    uv_close((uv_handle_t *)&server->interrupt, NULL);
    uv_close((uv_handle_t *)&server->reload, NULL);
    uv_close((uv_handle_t *)&server->watchdog, NULL);
    uv_close((uv_handle_t *)&server->stopping, NULL);
    uv_close((uv_handle_t *)&server->sharing, NULL);
    pusher_stop(server->app.pusher);
    if (server->app.webpush)
        webpush_stop(server->app.webpush);
    store_deafen(server->app.store);
    net_close(server->app.net);
    if (server->app.metrics_net)
        net_close(server->app.metrics_net);
}

/* Everything that was begun is finished first, unless that takes too long. */
static void on_stopping(uv_timer_t *timer) {
    struct server *server = timer->data;
    struct app *app = &server->app;
    int64_t left_ms = server->stop_at_ms - (int64_t)uv_now(&app->loop);
    bool late = left_ms <= 0;
    bool all_left = net_figures(app->net).peers == 0 || left_ms <= STOP_MS - LAST_REQUEST_MS;
    bool done = all_left && rooms_idle(app->rooms) && reads_idle(app->reads) &&
                !store_busy(app->store) && pusher_figures(app->pusher).sockets == 0;
    if (!server->stopped && (done || late)) {
        server->stopped = true;
        turn(app);
        close_handles(server);
    }
}

static void each_last(struct peer *peer, void *arg) {
    if (peer->speaker == http_speaker())
        http_last(peer);
}

static void on_signal(uv_signal_t *signal, int number) {
    struct server *server = signal->data;
    struct app *app = &server->app;
    if (app->draining)
        return;
    app->draining = true;
    log_line(LOG_INFO, "stopping", NULL);
    service_say("STOPPING=1");
    net_stop_listening(app->net);
    if (app->metrics_net)
        net_stop_listening(app->metrics_net);
    rooms_stop(app->rooms);
    reads_stop(app->reads);
    pusher_drain(app->pusher);
    net_each(app->net, each_last, NULL);
    if (app->metrics_net)
        net_each(app->metrics_net, each_last, NULL);
    server->stop_at_ms = (int64_t)uv_now(&app->loop) + STOP_MS;
    uv_timer_start(&server->stopping, on_stopping, STOP_STEP_MS, STOP_STEP_MS);
}

/* ---- While it runs ---- */

static void open_log(const struct server_config *config) {
    log_open((enum log_severity)config->log_level, config->log_format == CONFIG_LOG_JSON);
}

static void tell_waiting(const char *key) {
    log_line(LOG_WARN, "setting_waits", "setting", key, "why", "it changes with the next start",
             NULL);
}

static void say_reloading(void) {
    char state[64];
    snprintf(state, sizeof state, "RELOADING=1\nMONOTONIC_USEC=%llu",
             (unsigned long long)(uv_hrtime() / 1000));
    service_say(state);
}

static void on_reload(uv_signal_t *signal, int number) {
    struct server *server = signal->data;
    struct server_config fresh;
    struct refusal why;
    say_reloading();
    if (server->settings(server->settings_arg, &fresh, &why)) {
        config_reload(&server->app.config, &fresh, tell_waiting);
        open_log(&server->app.config);
        log_line(LOG_INFO, "reloaded", NULL);
    } else {
        log_line(LOG_ERROR, "not_reloaded", "why", why.text, NULL);
    }
    service_say("READY=1");
}

static void on_watchdog(uv_timer_t *timer) {
    service_say("WATCHDOG=1");
}

/* ---- Starting ---- */

static int complain(const struct refusal *why) {
    fprintf(stderr, "oyster: %s\n", why->text);
    return 1;
}

static int thread_count(const struct server_config *config) {
    uv_cpu_info_t *cpus;
    int count = 1;
    if (config->bot_threads > 0)
        return (int)config->bot_threads;
    if (uv_cpu_info(&cpus, &count) == 0)
        uv_free_cpu_info(cpus, count);
    return count > 0 ? count : 1;
}

/* Reads leave half of the cores to those who play. */
static int reads_at_once(const struct server_config *config) {
    int half = thread_count(config) / 2;
    return half > 0 ? half : 1;
}

static void allow_many_files(const struct server_config *config) {
    struct rlimit limit;
    rlim_t wanted = (rlim_t)config->connections_max + 64;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
        return;
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur < wanted)
        log_line(LOG_WARN, "few_files", "why",
                 "the system allows fewer open files than connections-max", NULL);
}

/* Two servers with one file would each believe that its worlds are theirs alone. The lock ends with
 * the process. If the file cannot be opened, the store says so. */
static bool claim_file(const char *path, struct refusal *why) {
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
    return file < 0 || flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK ||
           refuse(why, "IN_USE", "Another server uses %s", path);
}

static bool open_store(struct app *app, struct refusal *why) {
    static const char sqlite[] = "sqlite:";
    const char *where = app->config.store;
    if (strncmp(where, sqlite, sizeof sqlite - 1) == 0)
        where += sizeof sqlite - 1;
    struct store_config config = {.where = where,
                                  .confirm = (enum store_confirm)app->config.store_confirm,
                                  .node = app->config.node,
                                  .keep_worlds_ms = app->config.keep_worlds_ms,
                                  .keep_people_ms = app->config.keep_people_ms,
                                  .defer = defer,
                                  .loop = &app->loop,
                                  .arg = app};
    bool is_file = where != app->config.store && strcmp(where, "memory") != 0;
    if (is_file && !claim_file(where, why))
        return false;
    app->store = store_open(&config, why);
    return app->store != NULL;
}

/* `count` times in the time for an address, `burst` times at once; larger blocks may do it more
 * often. */
static bool open_block_rates(struct rates rates[RATES_BLOCKS], int64_t count, int64_t window_ms,
                             int64_t burst) {
    for (int i = 0; i < RATES_BLOCKS; i++)
        if (!rates_init(&rates[i], RATE_KEYS, count * rates_blocks[i].times, window_ms,
                        burst * rates_blocks[i].times))
            return false;
    return true;
}

static bool open_minute_rates(struct rates rates[RATES_BLOCKS], int64_t count) {
    return open_block_rates(rates, count, MINUTE_MS, count);
}

static bool open_rates_of_addresses(struct app *app, int64_t written) {
    const struct server_config *config = &app->config;
    return open_minute_rates(app->new_sessions, config->sessions_per_minute) &&
           open_block_rates(app->read_units_of_address,
                            READS_ADDRESS_FACTOR * config->read_units_per_second, SECOND_MS,
                            READS_ADDRESS_FACTOR * config->read_units_burst) &&
           open_minute_rates(app->written_of_address, GROWTH_ADDRESS_FACTOR * written) &&
           open_minute_rates(app->stirs, GROWTH_STIRS) &&
           open_minute_rates(app->guesses, config->failed_joins_per_minute) &&
           open_minute_rates(app->previews, config->failed_joins_per_minute) &&
           open_minute_rates(app->host_guesses, HOST_GUESSES);
}

static bool open_in_all(struct rates *rates, int64_t a_minute) {
    return rates_init(rates, 16, a_minute, MINUTE_MS, a_minute);
}

static bool open_rates(struct app *app) {
    const struct server_config *config = &app->config;
    randombytes_buf(app->rates_secret, sizeof app->rates_secret);
    int64_t requests = config->requests_per_second > 0 ? config->requests_per_second : 1;
    int64_t written = config->written_per_minute > 0 ? config->written_per_minute : 1;
    return rates_init(&app->requests, RATE_KEYS, requests, SECOND_MS, REQUESTS_BURST * requests) &&
           rates_init(&app->actions, RATE_KEYS, config->actions_per_second, SECOND_MS,
                      config->actions_burst) &&
           open_rates_of_addresses(app, written) &&
           open_in_all(&app->guesses_in_all, config->failed_joins_per_minute_in_all) &&
           open_in_all(&app->previews_in_all, config->failed_joins_per_minute_in_all) &&
           rates_init(&app->read_units, RATE_KEYS, config->read_units_per_second, SECOND_MS,
                      config->read_units_burst) &&
           rates_init(&app->written, RATE_KEYS, written, MINUTE_MS, written) &&
           rates_init(&app->calls, RATE_KEYS, CALLS, MINUTE_MS, CALLS) &&
           rates_init(&app->called, RATE_KEYS, CALLED, HOUR_MS, CALLED) &&
           rates_init(&app->renames, RATE_KEYS, config->renames_per_hour, HOUR_MS,
                      config->renames_per_hour);
}

/* Units of a person may be owed also where no other server takes any: what it costs to read a world
 * into memory is known afterwards. */
static void let_readers_owe(struct app *app) {
    rates_share(&app->read_units);
}

static struct rooms *make_rooms(struct app *app) {
    const struct server_config *config = &app->config;
    struct rooms_config rooms = {.loop = &app->loop,
                                 .store = app->store,
                                 .hub = app->hub,
                                 .times = {.away_ms = (int32_t)config->away_ms,
                                           .lobby_ms = (int32_t)config->lobby_ms,
                                           .idle_ms = (int32_t)config->idle_seat_ms,
                                           .close_ms = (int32_t)config->close_ms,
                                           .abandon_ms = (int32_t)config->abandon_ms},
                                 .bot_threads = thread_count(config),
                                 .archive_after_ms = config->archive_after_ms,
                                 .archive_idle_ms = config->archive_idle_ms,
                                 .left = on_left,
                                 .elsewhere = on_elsewhere,
                                 .absent = config->push ? on_absent : NULL,
                                 .arg = app};
    return rooms_open(&rooms);
}

static void make_parts(struct server *server) {
    struct app *app = &server->app;
    const struct server_config *config = &app->config;
    struct net_limits limits = {.peers = (int)config->connections_max,
                                .peers_per_address = (int)config->connections_per_address,
                                .behind_proxy = config->trust_proxy != 0,
                                .io_uring = config->io_uring != 0,
                                .send_queue = (size_t)config->send_queue_max};
    bool shared = store_is_shared(app->store);
    const char *secret = *config->pusher_secret ? config->pusher_secret : store_secret(app->store);
    if (!secret)
        secrets_make_token(server->secret);
    struct pusher_config pusher = {.loop = &app->loop,
                                   .key = config->pusher_key,
                                   .secret = secret ? secret : server->secret,
                                   .message_max = (size_t)config->message_max,
                                   .depth_max = config->json_depth_max,
                                   .messages_per_second = config->messages_per_second,
                                   .messages_burst = config->messages_burst,
                                   .activity_ms = config->activity_ms,
                                   .patience_ms = config->patience_ms,
                                   .may_hear = on_may_hear,
                                   .fetch = shared ? on_fetch : NULL,
                                   .verify = shared ? on_verify : NULL,
                                   .others = shared ? on_others : NULL,
                                   .presence = on_presence,
                                   .may_see = on_may_see,
                                   .arrived = on_arrived,
                                   .arg = app};
    app->hub = pusher.hub = hub_open();
    app->pusher = pusher_open(&pusher);
    app->rooms = make_rooms(app);
    open_webpush(app);
    app->sessions = sessions_open(app->store, SESSIONS_MAX);
    app->reads = reads_open(app, reads_at_once(config));
    store_listen(app->store, &(struct store_listener){.appended = on_appended,
                                                      .said = on_said,
                                                      .watching = on_watching,
                                                      .arg = app});
    app->net = net_open(&app->loop, &limits, on_peer, app);
    app->http = (struct http_server){.limits = {.header_max = HEADER_MAX,
                                                .request_ms = config->header_ms,
                                                .idle_ms = config->idle_ms,
                                                .unfinished_max = (size_t)config->unfinished_max},
                                     .trusts_id = config->trust_proxy != 0,
                                     .body_max = routes_body_max,
                                     .handle = routes_handle,
                                     .answered = routes_answered,
                                     .arg = app};
    randombytes_buf(app->http.id_secret, sizeof app->http.id_secret);
    if (!*config->metrics_listen)
        return;
    limits.peers = limits.peers_per_address = OPERATORS_MAX;
    app->metrics_net = net_open(&app->loop, &limits, on_metrics_peer, app);
    app->metrics_http = app->http;
    app->metrics_http.handle = routes_handle_operations;
}

static void on_sharing(uv_timer_t *timer) {
    shared_rates_say(timer->data, false);
}

static void watch(struct server *server) {
    struct app *app = &server->app;
    uv_prepare_init(&app->loop, &server->prepare);
    uv_check_init(&app->loop, &server->check);
    uv_idle_init(&app->loop, &server->idle);
    uv_timer_init(&app->loop, &server->stopping);
    uv_signal_init(&app->loop, &server->terminate);
    uv_signal_init(&app->loop, &server->interrupt);
    uv_signal_init(&app->loop, &server->reload);
    uv_timer_init(&app->loop, &server->watchdog);
    uv_timer_init(&app->loop, &server->sharing);
    server->check.data = server->sharing.data = app;
    server->prepare.data = server->stopping.data = server;
    server->terminate.data = server->interrupt.data = server->reload.data = server;
    uv_prepare_start(&server->prepare, on_prepare);
    uv_check_start(&server->check, on_check);
    uv_signal_start(&server->terminate, on_signal, SIGTERM);
    uv_signal_start(&server->interrupt, on_signal, SIGINT);
    uv_signal_start(&server->reload, on_reload, SIGHUP);
    uint64_t watchdog_ms = (uint64_t)service_watchdog_ms() / 2;
    if (watchdog_ms > 0)
        uv_timer_start(&server->watchdog, on_watchdog, watchdog_ms, watchdog_ms);
    if (store_is_shared(app->store))
        uv_timer_start(&server->sharing, on_sharing, SHARED_RATES_BEAT_MS, SHARED_RATES_BEAT_MS);
}

/* The store is freed first: its callbacks are called, and those whom they tell must still exist. */
static void free_parts(struct app *app) {
    store_close(app->store);
    if (app->webpush)
        webpush_free(app->webpush);
    rooms_free(app->rooms);
    pusher_free(app->pusher);
    hub_free(app->hub);
    sessions_free(app->sessions);
    reads_free(app->reads);
    net_free(app->net);
    if (app->metrics_net)
        net_free(app->metrics_net);
    site_free(app->site);
    free((char *)app->games.data);
    for (size_t i = 0; i < sizeof app->rates / sizeof app->rates[0]; i++)
        rates_free(&app->rates[i]);
    free(app->bans);
}

static void announce(const char *what, const char *host, int port, const char *path) {
    bool six = strchr(host, ':') != NULL;
    bool any = strcmp(host, "0.0.0.0") == 0 || strcmp(host, "::") == 0 || strcmp(host, "*") == 0;
    printf("oyster %s at http://%s%s%s:%d%s\n", what, six && !any ? "[" : "",
           any ? "127.0.0.1" : host, six && !any ? "]" : "", port, path);
    fflush(stdout);
}

/* The settings were checked when they were read, so this is an address and a port. A socket that
 * was handed over (otherwise -1) takes the place of one of our own. */
static bool listen_on(struct net *net, const char *where, int socket, const char *what,
                      const char *path, struct refusal *why) {
    char host[CONFIG_HOST_SIZE];
    int port;
    if (!config_listen(span_of(where), host, &port))
        return refuse(why, "BAD_ADDRESS", "Cannot listen on '%s'", where);
    if (socket < 0 ? !net_listen(net, host, port, why) : !net_listen_on(net, socket, why))
        return false;
    announce(what, host, net_port(net), path);
    return true;
}

static bool listen_on_all(struct app *app, struct refusal *why) {
    const struct server_config *config = &app->config;
    return (!app->metrics_net || listen_on(app->metrics_net, config->metrics_listen, -1,
                                           "has figures", "/metrics", why)) &&
           listen_on(app->net, config->listen, service_socket(), "serves", "", why);
}

static const char *page_folder(const char *web) {
    if (strcmp(web, "installed") != 0)
        return web;
    return access(OYSTER_WEB, R_OK) == 0 ? OYSTER_WEB : "";
}

static bool start(struct server *server, struct refusal *why) {
    struct app *app = &server->app;
    char store[CONFIG_TEXT_SIZE];
    app->site = site_open(page_folder(app->config.web), app->config.public_url, why);
    if (!app->site || !open_store(app, why))
        return false;
    ensure(open_rates(app));
    let_readers_owe(app);
    shared_rates_begin(app);
    make_parts(server);
    watch(server);
    app->started_ms = rooms_now(app->rooms);
    if (!listen_on_all(app, why)) {
        rooms_stop(app->rooms);
        reads_stop(app->reads);
        close_handles(server);
        return false;
    }
    store_show(app->config.store, store, sizeof store);
    log_line(LOG_INFO, "serving", "listen", app->config.listen, "store", store, "version",
             OYSTER_VERSION, NULL);
    service_say("READY=1");
    return true;
}

/* A stack that had to grow while memory is short would end the program, so it grows now. */
__attribute__((noinline)) static void grow_stack(void) {
    volatile char deep[STACK_SIZE];
    for (size_t i = 0; i < sizeof deep; i += 1024)
        deep[i] = 0;
}

_Static_assert((int)CONFIG_LOG_ERROR == (int)LOG_ERROR && (int)CONFIG_LOG_DEBUG == (int)LOG_DEBUG,
               "the setting and the log have the same levels");
/* What the store keeps has room for what the world and the net hand over. */
#define FITS(kept, given) _Static_assert((int)(kept) >= (int)(given), #given " fits into " #kept)
FITS(STORE_ENTRY_MAX, WORLD_LINE_SIZE - 1);
FITS(STORE_CODE_MAX, WORLD_CODE_LENGTH);
FITS(STORE_NAME_MAX, RECORD_NAME_MAX);
FITS(RECORD_NAME_MAX, 4 * WORLD_NAME_MAX); /* bytes of UTF-8 */
FITS(STORE_DEVICES_MAX, SESSIONS_DEVICES_MAX);
FITS(WORLD_ID_MAX, SECRETS_PLAYER_ID_SIZE - 1);
FITS(STORE_ID_MAX, WORLD_ID_MAX);
FITS(LISTENER_ID_MAX, WORLD_ID_MAX);
FITS(STORE_SEATS_MAX, SEATS_MAX);
FITS(STORE_MEMBERS_MAX, WORLD_MEMBERS_MAX);
FITS(STORE_TOKEN_SIZE, SECRETS_HASH_SIZE);
FITS(STORE_FIGURES_MAX, GAME_FIGURES_MAX);
FITS(STORE_STATS_MAX, GAME_FIGURES_MAX);
FITS(STORE_DEVICE_NAME_MAX, DEVICE_NAME_SIZE - 1);

int server_run(server_settings *settings, void *arg) {
    struct refusal why = {0};
    char threads[24];
    if (!secrets_init())
        return 1;
    grow_stack();
    uv_replace_allocator(reserve_malloc, reserve_realloc, reserve_calloc, free);
    json_set_alloc_funcs(reserve_malloc, free);
    if (!reserve_is_whole()) {
        refuse_no_memory(&why);
        return complain(&why);
    }
    struct server *server = reserve_calloc(1, sizeof *server);
    const struct server_config *config = &server->app.config;
    server->settings = settings;
    server->settings_arg = arg;
    if (!settings(arg, &server->app.config, &why)) {
        free(server);
        return complain(&why);
    }
    open_log(config);
    allow_many_files(config);
    /* Two threads are for the store, some for costly reads, one for what takes long aside, the
     * others for bots. */
    setenv("UV_THREADPOOL_SIZE",
           log_number(threads, thread_count(config) + reads_at_once(config) + 3), 1);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is treated as a full disk */
    uv_loop_init(&server->app.loop);
    uv_loop_configure(&server->app.loop, UV_METRICS_IDLE_TIME);
    bool good = start(server, &why);
    if (!good && !server->app.rooms) {
        if (server->app.site)
            site_free(server->app.site);
        uv_loop_close(&server->app.loop);
        free(server);
        return complain(&why);
    }
    uv_run(&server->app.loop, UV_RUN_DEFAULT);
    free_parts(&server->app);
    uv_loop_close(&server->app.loop);
    free(server);
    if (!good)
        return complain(&why);
    log_line(LOG_INFO, "stopped", NULL);
    return 0;
}
