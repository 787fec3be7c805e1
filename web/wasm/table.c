/* A world as a WebAssembly module: the table that a page plays at without a server. Answers are
 * JSON; time comes from the page in milliseconds since 1970. The page keeps the entries it is
 * handed and folds them after a reload. */
#include "web/wasm/desk.h"
#include "world/world.h"

enum { EVENTS_SIZE = 1 << 16 };

static char event_text[EVENTS_SIZE];
static struct world world;
static struct world_task task;
static struct world_news news;
static struct events events;
static struct world_history history;

static void begin_news(void) {
    events_begin(&events, event_text, sizeof event_text);
    news.events = &events;
    news.line_length = 0;
}

/* {"line", "events": [{"event", "data"}]}: the entry to keep, and what this person sees happen. */
static void write_news(struct span id) {
    struct json json;
    int seat = SPECTATOR;
    world_find_seat(&world, id, &seat);
    desk_begin(&json);
    json_put_object(&json, NULL);
    json_put_span(&json, "line", (struct span){news.line, news.line_length});
    json_put_array(&json, "events");
    for (size_t i = 0; i < events.count; i++) {
        const struct event *event = &events.item[i];
        if (event->audience != EVERYONE && (seat < 0 || (event->audience >> seat & 1) == 0))
            continue;
        json_put_object(&json, NULL);
        json_put_string(&json, "event", event->type);
        json_put_raw(&json, "data", event->data);
        json_put_end(&json);
    }
    json_put_end(&json);
    json_put_end(&json);
}

/* Splits the input into a person's id and, after a blank, what the person does. */
static struct world_action read_action(uint32_t length) {
    struct span text = desk_input(length);
    size_t end = 0;
    while (end < text.length && text.data[end] != ' ')
        end++;
    size_t words = end < text.length ? end + 1 : end;
    return (struct world_action){.id = {text.data, end},
                                 .words = {text.data + words, text.length - words}};
}

/* To be called before the first entry. A person at their own table never counts as away. */
void table_clear(void) EXPORT(clear);
void table_clear(void) {
    static const struct world_times never = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX};
    world_empty(&world, &never);
}

/* Input: an entry. If the result is false, the refusal is in the output, and the world must not be
 * used. */
bool table_fold(uint32_t length) EXPORT(fold);
bool table_fold(uint32_t length) {
    struct refusal why;
    if (world_fold(&world, desk_input(length), &why))
        return true;
    desk_refuse(&why);
    return false;
}

/* Folds an entry that another page has made later. Input: whose news they are, a blank, and the
 * entry. */
bool table_hear(uint32_t length) EXPORT(hear);
bool table_hear(uint32_t length) {
    struct refusal why;
    struct world_action heard = read_action(length);
    begin_news();
    if (world_hear(&world, heard.words, &events, &why)) {
        write_news(heard.id);
        return true;
    }
    desk_refuse(&why);
    return false;
}

/* To be called when all entries have been folded: from now on time passes. Input: who sits here. */
void table_resume(double now, uint32_t length) EXPORT(resume);
void table_resume(double now, uint32_t length) {
    world_resume(&world, (int64_t)now);
    world_connected(&world, (int64_t)now, desk_input(length), true);
}

/* Input: an action. The answer is a `world_answer`. */
uint32_t table_act(double now, uint32_t length) EXPORT(act);
uint32_t table_act(double now, uint32_t length) {
    struct refusal why;
    struct world_action action = read_action(length);
    begin_news();
    enum world_answer answer = world_act(&world, (int64_t)now, &action, &news, &why);
    if (answer == WORLD_REFUSED)
        desk_refuse(&why);
    else
        write_news(action.id);
    return answer;
}

/* Says whether an action would be allowed now, and changes nothing. Input and answer are those of
 * table_act. */
uint32_t table_check(double now, uint32_t length) EXPORT(check);
uint32_t table_check(double now, uint32_t length) {
    struct refusal why;
    struct world_action action = read_action(length);
    enum world_answer answer = world_would(&world, (int64_t)now, &action, &why);
    if (answer == WORLD_REFUSED)
        desk_refuse(&why);
    return answer;
}

/* Does one thing that is due, a bot's move included. Input: whose news they are. */
bool table_tick(double now, uint32_t length) EXPORT(tick);
bool table_tick(double now, uint32_t length) {
    begin_news();
    enum world_answer answer = world_tick(&world, (int64_t)now, &news);
    if (answer != WORLD_DONE && world_think(&world, (int64_t)now, &task)) {
        world_task_run(&task);
        answer = world_thought(&world, (int64_t)now, &task, &news);
    }
    if (answer == WORLD_DONE)
        write_news(desk_input(length));
    return answer == WORLD_DONE;
}

/* When something is due next; -1 for never. */
double table_due(void) EXPORT(due);
double table_due(void) {
    int64_t due = world_due(&world);
    return due == INT64_MAX ? -1 : (double)due;
}

/* The world as a person sees it. Input: who. */
void table_view(uint32_t length) EXPORT(view);
void table_view(uint32_t length) {
    struct json json;
    desk_begin(&json);
    world_view(&world, desk_input(length), NULL, &json);
}

/* To be called before the past is told, after the last entry was folded. Input: who asks. */
void table_recall(uint32_t length) EXPORT(recall);
void table_recall(uint32_t length) {
    world_history_begin(&history, &world, desk_input(length));
}

/* Input: each entry in order. Output: what it told, or nothing. False leaves a refusal there. */
bool table_recall_line(uint32_t length) EXPORT(recall_line);
bool table_recall_line(uint32_t length) {
    struct refusal why;
    struct json json;
    desk_begin(&json);
    if (world_history_line(&history, desk_input(length), &json, &why))
        return true;
    desk_refuse(&why);
    return false;
}

/* How the game that is over ended for a person: {"score", "won", "figures", "sides"}; `sides` is by
 * seat. False, with nothing in the output, while it is played and for those who only look on.
 * Input: who. */
bool table_finished(uint32_t length) EXPORT(finished);
bool table_finished(uint32_t length) {
    struct json json;
    struct result result;
    int seat;
    if (!world.game || world.status != WORLD_OVER ||
        !world_find_seat(&world, desk_input(length), &seat))
        return false;
    game_result(world.game, &world.state, &result);
    desk_begin(&json);
    json_put_object(&json, NULL);
    json_put_number(&json, "score", result.score[seat]);
    json_put_bool(&json, "won", (result.winners >> seat & 1) != 0);
    json_put_object(&json, "figures");
    for (int i = 0; i < figure_count(world.game->figures); i++)
        json_put_number(&json, world.game->figures[i], world.figures[seat][i]);
    json_put_end(&json);
    json_put_array(&json, "sides");
    for (int i = 0; i < world.seat_count; i++)
        json_put_number(&json, NULL, result.side_of[i]);
    json_put_end(&json);
    json_put_end(&json);
    return true;
}
