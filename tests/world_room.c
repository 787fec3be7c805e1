/* See world_room.h. */
#include "tests/world_room.h"

#include <stdlib.h>

void room_remember(struct room *room) {
    if (room->news.line_length == 0)
        return;
    assert_true(room->log_length + room->news.line_length + 2 < sizeof room->log);
    memcpy(room->log + room->log_length, room->news.line, room->news.line_length);
    room->log_length += room->news.line_length;
    room->log[room->log_length++] = '\n';
    room->log[room->log_length] = '\0';
}

static void listen(struct room *room) {
    events_begin(&room->events, room->buffer, sizeof room->buffer);
    room->news.events = &room->events;
}

void room_open_seeded(struct room *room, const char *game, uint64_t seed) {
    uint8_t deals[CHANCE_SEED_SIZE], bots[CHANCE_SEED_SIZE];
    chance_seed_of_number(seed, deals);
    chance_seed_of_number(seed + 1000, bots);
    memset(room, 0, sizeof *room);
    room->now_ms = ROOM_BEGIN_MS;
    struct world_birth birth = {.code = span_of("K7M2QX"),
                                .game = span_of(game),
                                .id = span_of("ann"),
                                .name = span_of("Ann"),
                                .deal_seed = deals,
                                .bot_seed = bots};
    listen(room);
    if (!world_create(&room->world, room->now_ms, &world_times_usual, &birth, &room->news,
                      &room->why))
        fail_msg("not created: %s", room->why.text);
    room_remember(room);
    room_connect(room, "ann", true);
}

void room_open(struct room *room, const char *game) {
    room_open_seeded(room, game, 1);
}

enum world_answer room_act(struct room *room, const char *line) {
    struct scan scan = scan_of(span_of(line));
    struct span who;
    assert_true(scan_word(&scan, &who));
    const char *mark = memchr(who.data, '#', who.length);
    struct world_action action = {.id = who,
                                  .words = span_of(line + who.length + (*scan.at == ' '))};
    if (mark) {
        action.id.length = (size_t)(mark - who.data);
        struct span number = {mark + 1, who.length - action.id.length - 1};
        action.action = world_action_hash(action.id, number);
    }
    listen(room);
    room->why = (struct refusal){0};
    enum world_answer answer =
        world_act(&room->world, room->now_ms, &action, &room->news, &room->why);
    assert_int_equal(room->news.line_length > 0, answer == WORLD_DONE);
    assert_int_equal(room->why.code != NULL, answer == WORLD_REFUSED);
    room_remember(room);
    return answer;
}

void room_do(struct room *room, const char *lines) {
    char line[4096];
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        assert_true(length < sizeof line);
        memcpy(line, lines, length);
        line[length] = '\0';
        enum world_answer answer = room_act(room, line);
        if (answer != WORLD_DONE)
            fail_msg("'%s' was answered %d: %s", line, answer, room->why.text);
        lines += length + (lines[length] == '\n');
    }
}

void room_refuses(struct room *room, const char *line, const char *code, const char *text) {
    static struct world before;
    memcpy(&before, &room->world, sizeof before);
    enum world_answer answer = room_act(room, line);
    if (answer != WORLD_REFUSED)
        fail_msg("'%s' was answered %d", line, answer);
    assert_string_equal(room->why.code, code);
    if (text)
        assert_string_equal(room->why.text, text);
    assert_memory_equal(&before, &room->world, sizeof before);
}

void room_connect(struct room *room, const char *id, bool connected) {
    world_connected(&room->world, room->now_ms, span_of(id), connected);
}

void room_join(struct room *room, const char *ids) {
    struct scan scan = scan_of(span_of(ids));
    for (struct span id; scan_word(&scan, &id);) {
        char line[128], name[32];
        snprintf(name, sizeof name, "%.*s", (int)id.length, id.data);
        snprintf(line, sizeof line, "%s join %s", name, name);
        room_do(room, line);
        room_connect(room, name, true);
    }
}

void room_fold(struct room *room, const char *words) {
    int length = snprintf(room->news.line, sizeof room->news.line, "%lld %s",
                          (long long)room->now_ms, words);
    assert_true(length > 0 && (size_t)length < sizeof room->news.line);
    room->news.line_length = (size_t)length;
    if (!world_fold(&room->world, (struct span){room->news.line, (size_t)length}, &room->why))
        fail_msg("'%s' cannot be folded: %s", words, room->why.text);
    room_remember(room);
}

void room_open_four(struct room *room, const char *deal) {
    room_open(room, "whos-deal");
    room_join(room, "bob cy dee");
    room_do(room, "eve watch Eve\nann start");
    room_connect(room, "eve", true);
    room_fold(room, deal);
}

void room_move(struct room *room, const char *id) {
    const struct world *world = &room->world;
    struct move moves[GAME_LEGAL_MAX];
    char line[MOVE_TEXT_SIZE + 32];
    struct text text;
    int seat = -1;
    world_find_seat(world, span_of(id), &seat);
    assert_true(game_legal(world->game, &world->state, seat, moves) > 0);
    text_begin(&text, line, sizeof line);
    text_string(&text, id);
    text_char(&text, ' ');
    game_print(world->game, &moves[0], &text);
    room_do(room, line);
}

bool room_look_no_longer(struct room *room) {
    uint32_t looking = world_looking(&room->world);
    char line[64];
    for (int seat = 0; seat < room->world.seat_count; seat++) {
        if ((looking >> seat & 1) == 0)
            continue;
        snprintf(line, sizeof line, "%s next", room->world.seat[seat].id);
        room_do(room, line);
        return true;
    }
    return false;
}

void room_go_on(struct room *room) {
    if (room_look_no_longer(room))
        return;
    for (int i = 0; i < room->world.seat_count; i++) {
        const struct world_seat *seat = &room->world.seat[i];
        if ((room->world.awaited >> i & 1) != 0 && seat->kind == WORLD_SEAT_PERSON && !seat->away) {
            room_move(room, seat->id);
            return;
        }
    }
    assert_true(room_step(room, INT64_MAX - 1));
}

/* ---- Time ---- */

static bool happens(struct room *room) {
    static struct world_task task;
    listen(room);
    enum world_answer answer = world_tick(&room->world, room->now_ms, &room->news);
    if (answer == WORLD_NOTHING && world_think(&room->world, room->now_ms, &task)) {
        world_task_run(&task);
        answer = world_thought(&room->world, room->now_ms, &task, &room->news);
    }
    assert_int_equal(answer == WORLD_DONE, room->news.line_length > 0);
    room_remember(room);
    return answer == WORLD_DONE;
}

void room_now_is(struct room *room, int64_t now_ms) {
    room->now_ms = now_ms;
}

bool room_step(struct room *room, int64_t until_ms) {
    for (int quiet = 0; quiet < 2; quiet++) {
        int64_t due_ms = world_due(&room->world);
        if (due_ms > until_ms)
            break;
        room->now_ms = due_ms > room->now_ms ? due_ms : room->now_ms;
        if (happens(room))
            return true;
    }
    if (world_due(&room->world) <= room->now_ms)
        fail_msg("something stays due and does not happen at version %d", (int)room->world.version);
    return false;
}

int room_pass(struct room *room, int64_t ms) {
    int64_t until_ms = room->now_ms + ms;
    int entries = 0;
    while (room_step(room, until_ms))
        entries++;
    room->now_ms = until_ms;
    return entries;
}

void room_settle(struct room *room) {
    for (int steps = 0; room->world.status == WORLD_PLAYING && steps < 20000; steps++)
        if (!room_step(room, INT64_MAX - 1))
            return;
}

/* ---- Looking ---- */

const char *room_seats(const struct room *room) {
    static char buffer[512];
    struct text text;
    text_begin(&text, buffer, sizeof buffer);
    for (int i = 0; i < room->world.seat_count; i++) {
        const struct world_seat *seat = &room->world.seat[i];
        text_string(&text, i > 0 ? " " : "");
        text_string(&text, seat->kind == WORLD_SEAT_CLOSED ? "x"
                           : seat->kind == WORLD_SEAT_OPEN ? "_"
                                                           : seat->id);
        text_string(&text, seat->away ? "*" : "");
    }
    return buffer;
}

const char *room_last(const struct room *room) {
    static char buffer[WORLD_LINE_SIZE];
    size_t end = room->log_length - 1, begin = end;
    while (begin > 0 && room->log[begin - 1] != '\n')
        begin--;
    while (room->log[begin] != ' ')
        begin++;
    snprintf(buffer, sizeof buffer, "%.*s", (int)(end - begin - 1), room->log + begin + 1);
    return buffer;
}

const struct event *room_event(const struct room *room, const char *type) {
    for (size_t i = 0; i < room->events.count; i++)
        if (strcmp(room->events.item[i].type, type) == 0)
            return &room->events.item[i];
    return NULL;
}

void room_told(const struct room *room, const char *type, const char *data) {
    const struct event *event = room_event(room, type);
    char copy[8192];
    if (!event)
        fail_msg("no event %s", type);
    snprintf(copy, sizeof copy, "%.*s", (int)event->data.length, event->data.data);
    if (data)
        assert_string_equal(copy, data);
}

json_t *room_view(struct room *room, const char *id) {
    static char buffer[1 << 17];
    struct json json;
    json_begin(&json, buffer, sizeof buffer);
    world_view(&room->world, span_of(id), NULL, &json);
    assert_true(json_complete(&json));
    json_t *view = json_loads(buffer, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(view);
    return view;
}

const char *room_shows(struct room *room, const char *id, const char *path) {
    static char buffer[4096];
    json_t *view = room_view(room, id), *at = view;
    for (const char *rest = path; at && *rest;) {
        char key[64];
        size_t length = strcspn(rest, ".");
        snprintf(key, sizeof key, "%.*s", (int)length, rest);
        at = json_is_array(at) ? json_array_get(at, strtoul(key, NULL, 10))
                               : json_object_get(at, key);
        rest += length + (rest[length] == '.');
    }
    char *text = at ? json_dumps(at, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    snprintf(buffer, sizeof buffer, "%s",
             json_is_string(at) ? json_string_value(at)
             : text             ? text
                                : "absent");
    free(text);
    json_decref(view);
    return buffer;
}

static void each_line(const struct room *room, void (*use)(void *, struct span), void *with) {
    for (size_t at = 0; at < room->log_length;) {
        size_t length = strcspn(room->log + at, "\n");
        use(with, (struct span){room->log + at, length});
        at += length + 1;
    }
}

struct exporter {
    struct world_export export;
    struct text out;
};

static void export_line(void *with, struct span line) {
    struct exporter *exporter = with;
    struct refusal why;
    if (!world_export_line(&exporter->export, line, &exporter->out, &why))
        fail_msg("'%.*s' cannot be exported: %s", (int)line.length, line.data, why.text);
}

const char *room_export(struct room *room) {
    static char buffer[ROOM_LOG_SIZE];
    static struct exporter exporter;
    text_begin(&exporter.out, buffer, sizeof buffer);
    world_export_begin(&exporter.export, &room->world);
    each_line(room, export_line, &exporter);
    assert_false(exporter.out.cut);
    return buffer;
}

struct historian {
    struct world_history history;
    struct text out;
};

static void recall_line(void *with, struct span line) {
    static char buffer[WORLD_HISTORY_LINE_SIZE];
    struct historian *historian = with;
    struct refusal why;
    struct json json;
    json_begin(&json, buffer, sizeof buffer);
    if (!world_history_line(&historian->history, line, &json, &why))
        fail_msg("'%.*s' cannot be recalled: %s", (int)line.length, line.data, why.text);
    assert_true(json_complete(&json));
    if (json.text.length == 0)
        return;
    text_string(&historian->out, buffer);
    text_char(&historian->out, '\n');
}

const char *room_history(struct room *room, const char *id) {
    static char buffer[1 << 20];
    static struct historian historian;
    text_begin(&historian.out, buffer, sizeof buffer);
    world_history_begin(&historian.history, &room->world, span_of(id));
    each_line(room, recall_line, &historian);
    assert_false(historian.out.cut);
    return buffer;
}

/* ---- Folding ---- */

static void fold_line(void *with, struct span line) {
    struct refusal why;
    if (!world_fold(with, line, &why))
        fail_msg("'%.*s' cannot be folded: %s", (int)line.length, line.data, why.text);
}

void room_folds(const struct room *room) {
    static struct world folded;
    world_empty(&folded, &room->world.times);
    each_line(room, fold_line, &folded);
    if (!worlds_equal(&folded, &room->world))
        fail_msg("the log gives another world at version %d", (int)room->world.version);
}
