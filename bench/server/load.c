/* The load: worlds with four people each, who play Who's Deal? as fast as the server lets them.
 *
 * Each world is in lock step: the person in turn posts one of the legal moves that came with the
 * last push, and the next move is made when the answer and the pushes to all four have come. The
 * peers (raw, socket.io) get the same traffic, without rules: a POST, and four pushes.
 *
 *   load oyster|raw|socketio PORT WORLDS [people=4] [bots=medium] [sockets=yes] [speed=instant]
 * [pid=N]
 *
 * sets the worlds up (without sockets: starts them as well), says `ready`, and obeys the lines on
 * its standard input: `start` starts the games, `run SECONDS [MS]` plays, with a pause of MS before
 * each move, `rest SECONDS` only keeps the sockets alive, an empty input ends it. Each prints one
 * line of name=value pairs. Times are in microseconds. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { PEOPLE = 4, TOKEN_LENGTH = 43, EVENTS = 512, SETTING_UP_MAX = 128, LATENCIES_MAX = 1 << 22 };

enum target { OYSTER, RAW, SOCKETIO };

struct line {
    int fd;
    bool is_socket, upgraded;
    struct world *world;
    int seat;
    char *in;
    size_t filled, room;
};

enum stage {
    SESSIONS,
    CREATE,
    BOTS,
    JOIN,
    START,
    GREETING,
    AUTH_ROOM,
    AUTH_OWN,
    JOINING,
    READY,
    STARTED
};

struct person {
    char token[64], id[32], socket_id[48];
    struct line line;
    int64_t seen; /* version of the last view */
    int succeeded;
};

struct world {
    int number;
    enum stage stage;
    int turn; /* whose turn it is to be set up */
    char code[8];
    struct line http;
    struct person person[PEOPLE];
    char move[64];
    int mover;
    int64_t move_version; /* of the view that the move was taken from; 0: none */
    int64_t answered;     /* the last action's version; 0: not answered */
    bool waits;           /* an action is under way */
    bool dealt;
    double posted_us, start_us, think_until_us;
};

static struct {
    enum target target;
    int port, worlds, people, epoll, pid;
    bool sockets, playing;
    const char *speed, *bots;
    struct world *world;
    int begun, ready, busy, dealt;
    uint64_t actions, pushes, push_bytes, post_bytes, answer_bytes;
    double *latency;
    size_t latencies;
    double deal_us_max, deal_us_sum, think_us;
    uint32_t random;
} load;

static void fail(const char *what, const char *detail) {
    fprintf(stderr, "load: %s: %.300s\n", what, detail);
    exit(1);
}

static double now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static unsigned next_random(void) {
    load.random ^= load.random << 13;
    load.random ^= load.random >> 17;
    load.random ^= load.random << 5;
    return load.random;
}

/* ---- Lines ---- */

static void send_all(struct line *line, const void *data, size_t size) {
    ssize_t sent = send(line->fd, data, size, MSG_NOSIGNAL);
    if (sent != (ssize_t)size)
        fail("the server takes no more", strerror(errno));
}

static void open_line(struct line *line, struct world *world, int seat, bool is_socket) {
    struct sockaddr_in place = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)load.port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = line};
    int on = 1;
    *line = (struct line){.world = world, .seat = seat, .is_socket = is_socket};
    line->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (line->fd < 0 || connect(line->fd, (struct sockaddr *)&place, sizeof place) != 0)
        fail("connect", strerror(errno));
    setsockopt(line->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    epoll_ctl(load.epoll, EPOLL_CTL_ADD, line->fd, &event);
}

static void close_line(struct line *line) {
    close(line->fd);
    free(line->in);
    line->in = NULL;
    line->fd = -1;
}

static void post(struct world *world, int seat, const char *path, const char *type,
                 const char *body) {
    char request[2048];
    char token[128] = "";
    if (*world->person[seat].token)
        snprintf(token, sizeof token, "Authorization: Bearer %s\r\n", world->person[seat].token);
    int size = snprintf(request, sizeof request,
                        "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\n%sContent-Type: %s\r\n"
                        "Content-Length: %zu\r\n\r\n%s",
                        path, token, type, strlen(body), body);
    if (world->http.fd <= 0)
        open_line(&world->http, world, 0, false);
    send_all(&world->http, request, (size_t)size);
    load.post_bytes += (uint64_t)size;
}

static void post_json(struct world *world, int seat, const char *path, const char *body) {
    post(world, seat, path, "application/json", body);
}

/* The mask is zero, which the protocol allows. */
static void say(struct line *line, const char *text) {
    char frame[1024] = {(char)0x81};
    size_t size = strlen(text), top = size < 126 ? 6 : 8;
    if (size + top > sizeof frame)
        fail("too long for a frame", text);
    frame[1] = (char)(0x80 | (size < 126 ? size : 126));
    if (size >= 126) {
        frame[2] = (char)(size >> 8);
        frame[3] = (char)size;
    }
    memcpy(frame + top, text, size);
    send_all(line, frame, top + size);
}

/* The text between `before` and the next quote, which may be escaped. */
static bool find_text(const char *in, size_t size, const char *before, char *out, size_t room) {
    const char *at = memmem(in, size, before, strlen(before));
    if (!at)
        return false;
    at += strlen(before);
    size_t length = 0;
    while (at + length < in + size && at[length] != '"' && at[length] != '\\')
        length++;
    if (length >= room)
        return false;
    memcpy(out, at, length);
    out[length] = '\0';
    return true;
}

static int64_t find_version(const char *in, size_t size) {
    const char *at = memmem(in, size < 200 ? size : 200, "version", 7);
    if (!at)
        return 0;
    for (at += 7; at < in + size && (*at < '0' || *at > '9'); at++)
        ;
    return strtoll(at, NULL, 10);
}

/* ---- Setting up ---- */

static void set_up(struct world *world);

static void open_socket(struct world *world, int seat) {
    char request[512];
    struct person *person = &world->person[seat];
    static const char *const paths[] = {
        "/app/oyster?protocol=7&client=load&version=1&flash=false&w=%d&s=%d", "/app/raw?w=%d&s=%d",
        "/socket.io/?EIO=4&transport=websocket&w=%d&s=%d"};
    char path[128];
    open_line(&person->line, world, seat, true);
    snprintf(path, sizeof path, paths[load.target], world->number, seat);
    int size = snprintf(request, sizeof request,
                        "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n"
                        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                        path);
    send_all(&person->line, request, (size_t)size);
    world->stage = GREETING;
}

static void ask_permission(struct world *world, bool own) {
    char body[256];
    const struct person *person = &world->person[world->turn];
    snprintf(body, sizeof body, "socket_id=%s&channel_name=%s%s", person->socket_id,
             own ? "private-player-" : "presence-room-", own ? person->id : world->code);
    post(world, world->turn, "/api/pusher/auth", "application/x-www-form-urlencoded", body);
    world->stage = own ? AUTH_OWN : AUTH_ROOM;
}

/* The auth answer's members are just what a subscription wants. */
static void subscribe(struct world *world, const char *answer, size_t size) {
    char text[1024];
    bool own = world->stage == AUTH_OWN;
    struct person *person = &world->person[world->turn];
    int length = snprintf(text, sizeof text,
                          "{\"event\":\"pusher:subscribe\",\"data\":{\"channel\":\"%s%s\",%.*s}",
                          own ? "private-player-" : "presence-room-",
                          own ? person->id : world->code, (int)size - 1, answer + 1);
    if (length >= (int)sizeof text)
        fail("a long permission", answer);
    say(&person->line, text);
}

static void set_up_next(struct world *world, enum stage stage) {
    world->turn++;
    if (world->turn == load.people) {
        world->turn = stage == SESSIONS ? 1 : 0;
        world->stage = stage == SESSIONS ? CREATE : READY;
    } else {
        world->stage = stage;
    }
}

static void enter(struct world *world, const char *body, size_t size) {
    struct person *person = &world->person[world->turn];
    switch (world->stage) {
    case SESSIONS:
        if (!find_text(body, size, "\"token\":\"", person->token, sizeof person->token) ||
            !find_text(body, size, "\"playerId\":\"", person->id, sizeof person->id))
            fail("no session", body);
        set_up_next(world, SESSIONS);
        break;
    case CREATE:
        if (!find_text(body, size, "\"roomCode\":\"", world->code, sizeof world->code))
            fail("no world", body);
        world->turn = load.people;
        world->stage = BOTS;
        break;
    case BOTS:
        world->turn++;
        break;
    case JOIN:
        world->turn++;
        break;
    case START:
        world->stage = READY;
        break;
    case AUTH_ROOM:
        subscribe(world, body, size);
        ask_permission(world, true);
        return;
    case AUTH_OWN:
        subscribe(world, body, size);
        world->stage = JOINING;
        return;
    default:
        break;
    }
    set_up(world);
}

static void post_start(struct world *world) {
    char body[96];
    snprintf(body, sizeof body, "{\"roomCode\":\"%s\",\"type\":\"start\"}", world->code);
    post_json(world, 0, "/api/game/action", body);
}

/* Bots of the level that was asked for, then people, are done when everybody has a seat. */
static void skip_empty_stages(struct world *world) {
    if (world->stage == BOTS && (world->turn == PEOPLE || !load.bots)) {
        world->stage = JOIN;
        world->turn = 1;
    }
    if (world->stage == JOIN && world->turn == load.people) {
        world->stage = load.sockets ? GREETING : START;
        world->turn = 0;
    }
}

static void set_up(struct world *world) {
    char text[160];
    skip_empty_stages(world);
    switch (world->stage) {
    case SESSIONS:
        if (load.target != OYSTER) {
            snprintf(world->code, sizeof world->code, "%06d", world->number);
            memset(world->person[world->turn].token, 'x', TOKEN_LENGTH);
            open_socket(world, world->turn);
            break;
        }
        snprintf(text, sizeof text, "{\"name\":\"P%d\"}", world->turn);
        world->person[world->turn].token[0] = '\0';
        post_json(world, world->turn, "/api/session", text);
        break;
    case CREATE:
        snprintf(text, sizeof text,
                 "{\"gameId\":\"whos-deal\",\"settings\":{\"speed\":\"%s\",\"watching\":false}}",
                 load.speed);
        world->turn = 0;
        post_json(world, 0, "/api/worlds", text);
        break;
    case BOTS:
        snprintf(text, sizeof text,
                 "{\"roomCode\":\"%s\",\"type\":\"set-bot\",\"payload\":"
                 "{\"seatIndex\":%d,\"level\":\"%s\"}}",
                 world->code, world->turn, load.bots);
        post_json(world, 0, "/api/game/action", text);
        break;
    case JOIN:
        snprintf(text, sizeof text, "/api/worlds/%s/join", world->code);
        post_json(world, world->turn, text, "{}");
        break;
    case START:
        post_start(world);
        break;
    case GREETING:
        open_socket(world, world->turn);
        break;
    case READY:
        load.ready++;
        if (!load.sockets)
            close_line(&world->http);
        if (load.begun < load.worlds)
            set_up(&load.world[load.begun++]);
        break;
    default:
        fail("lost", "");
    }
}

static void heard_while_setting_up(struct line *line, const char *text, size_t size) {
    struct world *world = line->world;
    struct person *person = &world->person[line->seat];
    if (load.target == SOCKETIO && text[0] == '0') {
        say(line, "40");
    } else if (load.target != OYSTER) { /* the first word of the server: that it is ready */
        set_up_next(world, GREETING);
        set_up(world);
    } else if (memmem(text, size, "connection_established", 22)) {
        if (!find_text(text, size, "\\\"socket_id\\\":\\\"", person->socket_id,
                       sizeof person->socket_id))
            fail("no socket id", text);
        ask_permission(world, false);
    } else if (memmem(text, size, "subscription_succeeded", 22) && ++person->succeeded == 2) {
        set_up_next(world, GREETING);
        set_up(world);
    } else if (memmem(text, size, "pusher:error", 12)) {
        fail("refused", text);
    }
}

/* ---- Playing ---- */

static void act(struct world *world) {
    char body[192];
    static unsigned action;
    snprintf(body, sizeof body, "{\"roomCode\":\"%s\",\"move\":\"%s\",\"actionId\":\"%010u\"}",
             world->code, world->move, ++action);
    world->answered = 0;
    world->move_version = load.target == OYSTER ? 0 : INT64_MAX;
    world->waits = true;
    world->posted_us = now_us();
    load.busy++;
    post_json(world, world->mover, "/api/game/action", body);
}

static bool may_act(const struct world *world) {
    return !world->waits && load.playing && world->move_version > 0 &&
           world->move_version >= world->answered;
}

static void check_step(struct world *world) {
    if (world->waits && world->answered > 0) {
        for (int i = 0; i < load.people; i++)
            if (world->person[i].seen < world->answered)
                return;
        world->waits = false;
        world->think_until_us = now_us() + load.think_us;
        load.busy--;
        load.actions++;
        if (load.latencies < LATENCIES_MAX)
            load.latency[load.latencies++] = now_us() - world->posted_us;
    }
    if (may_act(world) && load.think_us == 0)
        act(world);
}

static bool take_move(struct world *world, const char *text, size_t size) {
    static const char legal[] = "\\\"legal\\\":[{", move[] = "\\\"move\\\":\\\"";
    const char *end = text + size;
    const char *at = memmem(text, size, legal, sizeof legal - 1), *choice = NULL;
    for (unsigned count = 1; at; count++) {
        at = memmem(at, (size_t)(end - at), move, sizeof move - 1);
        if (at && next_random() % count == 0)
            choice = at;
        if (at)
            at += sizeof move;
    }
    return choice &&
           find_text(choice, (size_t)(end - choice), move, world->move, sizeof world->move);
}

static void heard_view(struct line *line, const char *text, size_t size) {
    struct world *world = line->world;
    struct person *person = &world->person[line->seat];
    int64_t version = find_version(text, size);
    if (version > person->seen)
        person->seen = version;
    if (load.target == OYSTER && take_move(world, text, size)) {
        world->mover = line->seat;
        world->move_version = version;
        if (!world->dealt && world->start_us > 0) {
            double took = now_us() - world->start_us;
            world->dealt = true;
            load.dealt++;
            load.deal_us_sum += took;
            if (took > load.deal_us_max)
                load.deal_us_max = took;
        }
    }
    check_step(world);
}

static void heard(struct line *line, const char *text, size_t size) {
    static const char view[] = "{\"event\":\"view-updated\"", event[] = "42[\"view-updated\"";
    if (line->world->stage < READY) {
        heard_while_setting_up(line, text, size);
        return;
    }
    load.pushes++;
    load.push_bytes += size;
    if (load.target == SOCKETIO) {
        if (size == 1 && text[0] == '2')
            say(line, "3");
        else if (size > sizeof event && memcmp(text, event, sizeof event - 1) == 0)
            heard_view(line, text, size);
    } else if (size > sizeof view && memcmp(text, view, sizeof view - 1) == 0) {
        /* The version stands in the data, after the channel. */
        heard_view(line, text, size);
    } else if (memmem(text, size < 40 ? size : 40, "pusher:ping", 11)) {
        say(line, "{\"event\":\"pusher:pong\",\"data\":{}}");
    }
}

/* Beside bots, and where people look at a result, the table may have gone on by itself before the
 * action came: the next view tells how. */
static bool may_be_late(const struct world *world) {
    return world->waits && (load.bots || strcmp(world->move, "next") == 0);
}

static void forget_action(struct world *world) {
    world->waits = false;
    load.busy--;
    check_step(world);
}

static void answered(struct world *world, const char *head, const char *body, size_t size) {
    bool refused = head[9] != '2';
    if (refused && may_be_late(world))
        forget_action(world);
    else if (refused)
        fail("refused", head);
    else if (world->stage < READY) {
        enter(world, body, size);
    } else if (world->waits) {
        load.answer_bytes += (uint64_t)(body - head) + size;
        world->answered = find_version(body, size);
        check_step(world);
    }
}

/* ---- Reading ---- */

static size_t take_answer(struct line *line, char *at, size_t size) {
    char *end = memmem(at, size, "\r\n\r\n", 4);
    if (!end)
        return 0;
    size_t top = (size_t)(end - at) + 4, length = 0;
    *end = '\0';
    const char *field = strcasestr(at, "\r\ncontent-length:");
    if (field)
        length = strtoul(field + 17, NULL, 10);
    *end = '\r';
    if (size < top + length)
        return 0;
    if (line->is_socket) {
        if (strncmp(at, "HTTP/1.1 101", 12) != 0)
            fail("no socket", at);
        line->upgraded = true;
        return top;
    }
    answered(line->world, at, at + top, length);
    return top + length;
}

static size_t take_frame(struct line *line, const char *at, size_t size) {
    const uint8_t *head = (const uint8_t *)at;
    if (size < 2)
        return 0;
    size_t top = 2, length = head[1] & 127;
    if (length == 126) {
        top = 4;
        length = size < 4 ? 0 : (size_t)head[2] << 8 | head[3];
    } else if (length == 127) {
        fail("a frame of more than 64 KB", "");
    }
    if (size < top + length || (top == 4 && size < 4))
        return 0;
    if ((head[0] & 15) == 1)
        heard(line, at + top, length);
    else if ((head[0] & 15) == 8)
        fail("the server closes a socket", at + top + 2);
    return top + length;
}

static void take_all(struct line *line, char *data, size_t size) {
    size_t used = 0, part = 1;
    while (part > 0 && used < size && line->fd >= 0) {
        part = line->upgraded ? take_frame(line, data + used, size - used)
                              : take_answer(line, data + used, size - used);
        used += part;
    }
    size_t rest = line->fd < 0 ? 0 : size - used;
    if (rest > line->room) {
        line->room = rest + 4096;
        char *room = malloc(line->room + 1);
        memcpy(room, data + used, rest);
        free(line->in);
        line->in = room;
    } else if (rest > 0) {
        memmove(line->in, data + used, rest);
    }
    line->filled = rest;
}

static void read_line(struct line *line) {
    static char buffer[1 << 18];
    memcpy(buffer, line->in ? line->in : "", line->filled);
    ssize_t got =
        recv(line->fd, buffer + line->filled, sizeof buffer - 1 - line->filled, MSG_DONTWAIT);
    if (got == 0)
        fail("the server hung up", line->is_socket ? "socket" : "http");
    if (got < 0 && errno != EAGAIN)
        fail("read", strerror(errno));
    if (got <= 0)
        return;
    buffer[line->filled + (size_t)got] = '\0';
    take_all(line, buffer, line->filled + (size_t)got);
}

static void turn(int wait_ms) {
    struct epoll_event events[EVENTS];
    int count = epoll_wait(load.epoll, events, EVENTS, wait_ms);
    for (int i = 0; i < count; i++) {
        struct line *line = events[i].data.ptr;
        if (line->fd >= 0)
            read_line(line);
    }
}

/* ---- Commands ---- */

static double cpu_us(void) {
    char path[64], text[1024] = "";
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", load.pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    const char *at = strrchr(text, ')');
    if (at)
        sscanf(at + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system);
    return (double)(user + system) * 1e6 / (double)sysconf(_SC_CLK_TCK);
}

static long rss_kb(void) {
    char path[64], text[256];
    long kb = 0;
    snprintf(path, sizeof path, "/proc/%d/status", load.pid);
    FILE *file = fopen(path, "r");
    while (file && fgets(text, sizeof text, file))
        if (sscanf(text, "VmRSS: %ld", &kb) == 1)
            break;
    if (file)
        fclose(file);
    return kb;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double percentile(double part) {
    return load.latencies == 0 ? 0 : load.latency[(size_t)(part * (double)(load.latencies - 1))];
}

static void end_thinking(void) {
    double now = now_us();
    for (int i = 0; i < load.worlds; i++)
        if (may_act(&load.world[i]) && load.world[i].think_until_us <= now)
            act(&load.world[i]);
}

/* Pings as pages do: a silent connection is closed after some minutes. */
static void ping_all(void) {
    for (int i = 0; i < load.worlds; i++)
        for (int seat = 0; seat < load.people; seat++)
            say(&load.world[i].person[seat].line, "{\"event\":\"pusher:ping\",\"data\":{}}");
}

/* Plays with a pause of `think_ms` before each move; the worlds do not pause at the same time. */
static void play(double seconds, double think_ms) {
    load.think_us = think_ms * 1e3;
    load.actions = load.pushes = load.push_bytes = load.post_bytes = load.answer_bytes = 0;
    load.latencies = 0;
    load.playing = true;
    double begin = now_us(), cpu = cpu_us();
    for (int i = 0; i < load.worlds; i++) {
        load.world[i].think_until_us = begin + load.think_us * i / load.worlds;
        check_step(&load.world[i]);
    }
    while (now_us() - begin < seconds * 1e6) {
        turn(load.think_us > 0 ? 1 : 10);
        if (load.think_us > 0)
            end_thinking();
    }
    double took = now_us() - begin, used = cpu_us() - cpu, actions = (double)load.actions;
    load.playing = false;
    uint64_t pushes = load.pushes, bytes = load.push_bytes, posts = load.post_bytes,
             answers = load.answer_bytes;
    double idle = now_us();
    if (load.target == OYSTER && load.sockets)
        ping_all();
    while (load.busy > 0 && now_us() - idle < 10e6)
        turn(10);
    while (now_us() - idle < 20e3) /* games of themselves go on a little */
        turn(10);
    qsort(load.latency, load.latencies, sizeof *load.latency, compare);
    printf("actions=%.0f rate=%.1f p50=%.0f p99=%.0f max=%.0f cpu=%.2f pushes=%.3f bytes=%.1f "
           "post=%.1f answer=%.1f rss=%ld unanswered=%d\n",
           actions, actions / took * 1e6, percentile(0.5), percentile(0.99), percentile(1),
           used / actions, (double)pushes / actions / PEOPLE, (double)bytes / actions / PEOPLE,
           (double)posts / actions, (double)answers / actions, rss_kb(), load.busy);
}

static void start_games(void) {
    for (int i = 0; i < load.worlds; i++) {
        struct world *world = &load.world[i];
        if (load.target != OYSTER) {
            world->stage = STARTED;
            world->move_version = INT64_MAX;
            memcpy(world->move, "play JH", 8);
            continue;
        }
        world->stage = STARTED;
        world->start_us = now_us();
        post_start(world);
        double begin = now_us();
        while (load.sockets && load.dealt < i + 1 - 64 && now_us() - begin < 5e6)
            turn(10);
    }
    double begin = now_us();
    int wanted = load.target == OYSTER && load.sockets ? load.worlds : 0;
    while (load.dealt < wanted && now_us() - begin < 10e6)
        turn(10);
    printf("started=%d deal=%.0f deal_max=%.0f rss=%ld\n", load.dealt,
           load.deal_us_sum / (load.dealt ? load.dealt : 1), load.deal_us_max, rss_kb());
}

static void set_up_all(void) {
    double begin = now_us();
    while (load.begun < load.worlds && load.begun < SETTING_UP_MAX)
        set_up(&load.world[load.begun++]);
    while (load.ready < load.worlds) {
        turn(100);
        if (now_us() - begin > 300e6)
            fail("this takes too long", "");
    }
    printf("ready=%d seconds=%.2f rss=%ld\n", load.ready, (now_us() - begin) / 1e6, rss_kb());
}

static void obey(const char *text) {
    double seconds = 0, think_ms = 0;
    if (strncmp(text, "start", 5) == 0) {
        start_games();
    } else if (sscanf(text, "run %lf %lf", &seconds, &think_ms) >= 1) {
        play(seconds, think_ms);
    } else if (sscanf(text, "rest %lf", &seconds) == 1) {
        double begin = now_us();
        while (now_us() - begin < seconds * 1e6)
            turn(50);
        printf("rested=%.0f rss=%ld\n", seconds, rss_kb());
    }
}

static void read_options(int count, char **words) {
    static const char *const targets[] = {"oyster", "raw", "socketio"};
    if (count < 4)
        fail("usage", "load oyster|raw|socketio PORT WORLDS [name=value ...]");
    while (load.target < SOCKETIO && strcmp(targets[load.target], words[1]) != 0)
        load.target++;
    load.port = atoi(words[2]);
    load.worlds = atoi(words[3]);
    load.people = PEOPLE;
    load.sockets = true;
    load.speed = "instant";
    for (int i = 4; i < count; i++) {
        if (strncmp(words[i], "people=", 7) == 0)
            load.people = atoi(words[i] + 7);
        else if (strncmp(words[i], "pid=", 4) == 0)
            load.pid = atoi(words[i] + 4);
        else if (strncmp(words[i], "bots=", 5) == 0)
            load.bots = words[i] + 5;
        else if (strncmp(words[i], "speed=", 6) == 0)
            load.speed = words[i] + 6;
        else if (strcmp(words[i], "sockets=no") == 0)
            load.sockets = false;
    }
}

int main(int count, char **words) {
    struct rlimit files;
    char text[128];
    read_options(count, words);
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    setvbuf(stdout, NULL, _IOLBF, 0);
    setvbuf(stdin, NULL, _IONBF, 0);
    load.random = 2463534242u;
    load.epoll = epoll_create1(EPOLL_CLOEXEC);
    load.world = calloc((size_t)load.worlds, sizeof *load.world);
    load.latency = malloc(LATENCIES_MAX * sizeof *load.latency);
    if (!load.world || !load.latency)
        fail("no memory", "");
    for (int i = 0; i < load.worlds; i++)
        load.world[i].number = i;
    set_up_all();
    while (fgets(text, sizeof text, stdin))
        obey(text);
    return 0;
}
