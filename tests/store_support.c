/* See store_support.h. */
#include "tests/store_support.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <hiredis/hiredis.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void shelf_make(struct shelf *shelf) {
    *shelf = (struct shelf){.folder = "/tmp/oyster-store-XXXXXX"};
    assert_non_null(mkdtemp(shelf->folder));
    snprintf(shelf->file, sizeof shelf->file, "%s/store", shelf->folder);
    shelf->config.where = shelf->file;
}

void shelf_remove(struct shelf *shelf) {
    DIR *folder = opendir(shelf->folder);
    char path[512];
    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        snprintf(path, sizeof path, "%s/%s", shelf->folder, entry->d_name);
        unlink(path);
    }
    closedir(folder);
    rmdir(shelf->folder);
}

void shelf_open(struct shelf *shelf) {
    struct refusal why;
    shelf->store = store_open(&shelf->config, &why);
    if (!shelf->store)
        fail_msg("%s", why.text);
}

void shelf_close(struct shelf *shelf) {
    store_close(shelf->store);
    shelf->store = NULL;
}

static void write_reply(const struct store_reply *reply, struct text *text) {
    for (size_t i = 0; i < reply->count; i++) {
        if (i > 0)
            text_char(text, reply->worlds && !reply->entries ? ' ' : '|');
        if (reply->entries) {
            text_number(text, reply->entries[i].version);
            text_char(text, ' ');
            text_span(text, reply->entries[i].text);
        } else if (reply->worlds) {
            text_span(text, reply->worlds[i].code);
        } else if (reply->players) {
            text_span(text, reply->players[i].id);
            text_char(text, ' ');
            text_span(text, reply->players[i].name);
            text_char(text, ' ');
            text_number(text, reply->players[i].seen_ms);
        } else if (reply->notes) {
            text_span(text, reply->notes[i].name);
            text_char(text, '=');
            text_span(text, reply->notes[i].text);
        } else {
            const struct store_record *record = &reply->records[i];
            const int64_t numbers[] = {record->played, record->won, record->points, record->best};
            text_span(text, record->game);
            for (size_t n = 0; n < 4; n++) {
                text_char(text, ' ');
                text_number(text, numbers[n]);
            }
            for (size_t n = 0; n < record->figure_count; n++) {
                text_char(text, ' ');
                text_span(text, record->figures[n].name);
                text_char(text, '=');
                text_number(text, record->figures[n].value);
            }
        }
    }
    for (size_t i = 0; i < reply->finished_count; i++) {
        text_string(text, i == 0 ? "; " : ", ");
        text_span(text, reply->finished[i].game);
        text_string(text, reply->finished[i].won ? " won " : " lost ");
        text_number(text, reply->finished[i].score);
        text_char(text, '@');
        text_number(text, reply->finished[i].ended_ms);
        text_char(text, ' ');
        text_span(text, reply->finished[i].figures);
    }
}

void answer_take(void *arg, const struct store_reply *reply) {
    struct answer *answer = arg;
    struct text text;
    answer->calls++;
    answer->reply = *reply;
    if (reply->worlds && (reply->count > 0 || reply->entries))
        answer->world = reply->worlds[0];
    text_begin(&text, answer->text, sizeof answer->text);
    write_reply(reply, &text);
}

struct store_append append_line(const char *code, int64_t expected, const struct span *line) {
    static const struct store_summary summary = {
        .game = {"whos-deal", 9}, .owner = {"ann", 3}, .is_public = true, .text = {"{}", 2}};
    return (struct store_append){.code = span_of(code),
                                 .expected_version = expected,
                                 .entries = line,
                                 .count = 1,
                                 .now_ms = 1000,
                                 .due_ms = STORE_NEVER,
                                 .summary = expected == 0 ? &summary : NULL};
}

enum store_outcome shelf_append(struct shelf *shelf, const char *code, int64_t expected,
                                const char *line, struct answer *answer) {
    struct span text = span_of(line);
    struct store_append append = append_line(code, expected, &text);
    struct refusal why;
    answer->calls = 0;
    if (!store_append(shelf->store, &append, answer_take, answer, &why))
        fail_msg("%s", why.text);
    store_commit(shelf->store);
    assert_int_equal(answer->calls, 1);
    return answer->reply.outcome;
}

const char *shelf_load(struct shelf *shelf, const char *code, struct answer *answer) {
    answer->calls = 0;
    assert_true(store_load(shelf->store, span_of(code), 0, answer_take, answer, NULL));
    store_commit(shelf->store);
    assert_int_equal(answer->calls, 1);
    return answer->text;
}

const char *shelf_due(struct shelf *shelf, int64_t until_ms, struct answer *answer) {
    answer->calls = 0;
    assert_true(store_due(shelf->store, until_ms, 100, answer_take, answer, NULL));
    store_commit(shelf->store);
    assert_int_equal(answer->calls, 1);
    return answer->text;
}

/* ---- A Redis server ---- */

/* Ports that nobody has at the moment. */
static void find_ports(int *ports, int count) {
    int sockets[2 * CLUSTER_SERVERS];
    for (int i = 0; i < count; i++) {
        struct sockaddr_in address = {.sin_family = AF_INET,
                                      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        socklen_t size = sizeof address;
        sockets[i] = socket(AF_INET, SOCK_STREAM, 0);
        if (bind(sockets[i], (struct sockaddr *)&address, size) != 0 ||
            getsockname(sockets[i], (struct sockaddr *)&address, &size) != 0)
            abort();
        ports[i] = ntohs(address.sin_port);
    }
    for (int i = 0; i < count; i++)
        close(sockets[i]);
}

static redisContext *reach(const struct redis_server *server) {
    return redisConnectUnix(server->where + strlen("unix://"));
}

static bool answers(const struct redis_server *server) {
    redisContext *context = reach(server);
    redisReply *reply = context->err ? NULL : redisCommand(context, "PING");
    bool good = reply && reply->type == REDIS_REPLY_STATUS;
    freeReplyObject(reply);
    redisFree(context);
    return good;
}

static void await_start(const struct redis_server *server) {
    for (int i = 0; i < 500 && !answers(server); i++)
        usleep(10000);
    if (!answers(server))
        fail_msg("no redis-server");
}

void redis_server_resume(struct redis_server *server) {
    const char *socket = server->where + strlen("unix://");
    char port[16], bus[16];
    snprintf(port, sizeof port, "%d", server->port);
    snprintf(bus, sizeof bus, "%d", server->bus);
    server->process = fork();
    if (server->process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        execlp("redis-server", "redis-server", "--port", port, "--unixsocket", socket, "--dir",
               server->folder, "--save", "", "--appendonly", "yes", "--appendfsync", "always",
               "--logfile", "log", "--cluster-enabled", server->bus > 0 ? "yes" : "no",
               "--cluster-port", bus, "--cluster-node-timeout", "1000",
               "--cluster-require-full-coverage", "no", "--repl-diskless-sync-delay", "0",
               (char *)NULL);
        _exit(127);
    }
    await_start(server);
}

static void make_folder(struct redis_server *server) {
    if (!mkdtemp(server->folder))
        abort();
    snprintf(server->where, sizeof server->where, "unix://%s/socket", server->folder);
}

static void start_server(struct redis_server *server, int port, int bus) {
    *server = (struct redis_server){.folder = "/tmp/oyster-redis-XXXXXX", .port = port, .bus = bus};
    make_folder(server);
    redis_server_resume(server);
}

void redis_server_start(struct redis_server *server) {
    start_server(server, 0, 0);
}

int free_port(void) {
    int port;
    find_ports(&port, 1);
    return port;
}

void redis_server_start_with_port(struct redis_server *server) {
    start_server(server, free_port(), 0);
}

void redis_server_start_sentinel(struct redis_server *server, int master_port, const char *more) {
    char file[96];
    *server = (struct redis_server){.folder = "/tmp/oyster-redis-XXXXXX", .port = free_port()};
    make_folder(server);
    snprintf(file, sizeof file, "%s/sentinel.conf", server->folder);
    FILE *out = fopen(file, "w");
    fprintf(out, "port %d\nunixsocket %s\ndir %s\nlogfile log\n", server->port,
            server->where + strlen("unix://"), server->folder);
    fprintf(out, "sentinel monitor table 127.0.0.1 %d 1\n%s", master_port, more);
    fclose(out);
    server->process = fork();
    if (server->process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        execlp("redis-server", "redis-server", file, "--sentinel", (char *)NULL);
        _exit(127);
    }
    await_start(server);
}

void redis_server_start_replica(struct redis_server *server, const struct redis_server *of) {
    char command[64];
    redis_server_start(server);
    snprintf(command, sizeof command, "REPLICAOF 127.0.0.1 %d", of->port);
    redis_server_tell(server, command);
    redis_server_await(server, "INFO replication", "master_link_status:up");
}

void redis_server_await(struct redis_server *server, const char *command, const char *text) {
    char out[8192];
    for (int i = 0; i < 2000; i++) {
        redis_server_ask(server, command, out, sizeof out);
        if (strstr(out, text))
            return;
        usleep(10000);
    }
    fail_msg("%s: no %s", command, text);
}

void redis_server_signal(struct redis_server *server, int signal) {
    kill(server->process, signal);
    if (signal == SIGKILL)
        waitpid(server->process, NULL, 0);
}

void redis_server_tell(struct redis_server *server, const char *command) {
    redisContext *context = reach(server);
    redisReply *reply = redisCommand(context, command);
    if (!reply || reply->type == REDIS_REPLY_ERROR)
        fail_msg("%s: %s", command, reply ? reply->str : context->errstr);
    freeReplyObject(reply);
    redisFree(context);
}

int64_t redis_server_ask(struct redis_server *server, const char *command, char *out, size_t size) {
    redisContext *context = reach(server);
    redisReply *reply = redisCommand(context, command);
    if (!reply || reply->type == REDIS_REPLY_ERROR)
        fail_msg("%s: %s", command, reply ? reply->str : context->errstr);
    int64_t number = reply->integer;
    const redisReply *text = reply;
    if (reply->type == REDIS_REPLY_ARRAY) {
        number = (int64_t)reply->elements;
        text = reply->elements > 0 ? reply->element[0] : reply;
    }
    snprintf(out, size, "%s", text->str ? text->str : "");
    freeReplyObject(reply);
    redisFree(context);
    return number;
}

void redis_server_replicate(struct redis_server *server) {
    redisContext *context = reach(server);
    redisReply *key = redisCommand(context, "RANDOMKEY"); /* in a cluster one of this server's */
    freeReplyObject(redisCommand(context, "SET %s:replicated yes", key->str));
    redisReply *reply = redisCommand(context, "WAIT 1 10000");
    if (!reply || reply->type != REDIS_REPLY_INTEGER || reply->integer != 1)
        fail_msg("no replica");
    freeReplyObject(key);
    freeReplyObject(reply);
    redisFree(context);
}

void redis_server_empty(struct redis_server *server) {
    redis_server_tell(server, "FLUSHALL");
}

static void remove_folder(const char *path) {
    DIR *folder = opendir(path);
    char inner[512];
    for (struct dirent *entry = folder ? readdir(folder) : NULL; entry; entry = readdir(folder)) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(inner, sizeof inner, "%.200s/%.200s", path, entry->d_name);
        if (unlink(inner) != 0)
            remove_folder(inner);
    }
    if (folder)
        closedir(folder);
    rmdir(path);
}

void redis_server_remove(struct redis_server *server) {
    redis_server_signal(server, SIGKILL);
    remove_folder(server->folder);
}

/* ---- A cluster ---- */

static bool works(const struct redis_server *server) {
    redisContext *context = reach(server);
    redisReply *reply = redisCommand(context, "CLUSTER INFO");
    bool good = reply && reply->type == REDIS_REPLY_STRING &&
                strstr(reply->str, "cluster_state:ok") &&
                !strstr(reply->str, "cluster_known_nodes:1\r") &&
                !strstr(reply->str, "cluster_known_nodes:2\r");
    freeReplyObject(reply);
    redisFree(context);
    return good;
}

void redis_cluster_await(struct redis_cluster *cluster) {
    for (int i = 0; i < CLUSTER_SERVERS; i++) {
        for (int tries = 0; tries < 2000 && !works(&cluster->servers[i]); tries++)
            usleep(10000);
        if (!works(&cluster->servers[i]))
            fail_msg("no cluster");
    }
}

static void join_cluster(struct redis_cluster *cluster, struct redis_server *server) {
    char command[128];
    snprintf(command, sizeof command, "CLUSTER MEET 127.0.0.1 %d %d", cluster->servers[0].port,
             cluster->servers[0].bus);
    redis_server_tell(server, command);
}

void redis_cluster_add(struct redis_cluster *cluster, struct redis_server *server) {
    int ports[2];
    find_ports(ports, 2);
    start_server(server, ports[0], ports[1]);
    join_cluster(cluster, server);
}

void redis_cluster_start(struct redis_cluster *cluster) {
    int ports[2 * CLUSTER_SERVERS];
    char command[128];
    find_ports(ports, 2 * CLUSTER_SERVERS);
    for (int i = 0; i < CLUSTER_SERVERS; i++) {
        struct redis_server *server = &cluster->servers[i];
        start_server(server, ports[2 * i], ports[2 * i + 1]);
        snprintf(command, sizeof command, "CLUSTER SET-CONFIG-EPOCH %d", i + 1);
        redis_server_tell(server, command);
        snprintf(command, sizeof command, "CLUSTER ADDSLOTSRANGE %d %d",
                 i * 16384 / CLUSTER_SERVERS, (i + 1) * 16384 / CLUSTER_SERVERS - 1);
        redis_server_tell(server, command);
        join_cluster(cluster, server);
    }
    redis_cluster_await(cluster);
    snprintf(cluster->where, sizeof cluster->where, "redis://127.0.0.1:%d/0",
             cluster->servers[0].port);
}

void redis_cluster_empty(struct redis_cluster *cluster) {
    for (int i = 0; i < CLUSTER_SERVERS; i++)
        redis_server_empty(&cluster->servers[i]);
}

void redis_cluster_remove(struct redis_cluster *cluster) {
    for (int i = 0; i < CLUSTER_SERVERS; i++)
        redis_server_remove(&cluster->servers[i]);
}

/* ---- Shelves ---- */

static int put_up(void **state, const char *where) {
    struct shelf *shelf = calloc(1, sizeof *shelf);
    shelf_make(shelf);
    shelf->config.where = where;
    shelf_open(shelf);
    *state = shelf;
    return 0;
}

int shelf_on_redis(void **state, struct redis_server *server) {
    redis_server_empty(server);
    return put_up(state, server->where);
}

int shelf_on_cluster(void **state, struct redis_cluster *cluster) {
    redis_cluster_empty(cluster);
    return put_up(state, cluster->where);
}

int shelf_put_away(void **state) {
    struct shelf *shelf = *state;
    if (shelf->store)
        shelf_close(shelf);
    shelf_remove(shelf);
    free(shelf);
    return 0;
}
