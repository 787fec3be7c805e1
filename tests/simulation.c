/* Worlds lived in at random, on a virtual clock: people come, play, talk nonsense, lose their
 * connection, leave and return; bots think and some of their thoughts come late; messages arrive
 * twice; the clock jumps; the server starts anew from the log. After each step what must hold is
 * checked. A failure prints its seed:
 *
 *     simulation_test           the usual number of worlds
 *     simulation_test SEED      that one again, each entry printed
 *     simulation_test SEED N    N worlds from that seed on */
#include "engine/ensure.h"
#include "games/registry.h"
#include "tests/sanitized.h"
#include "tests/world_room.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    SEEDS = SANITIZED ? 300 : 1000,
    STEPS = 500,
    PEOPLE = 7,
    TASKS = 3,
    LOG_SIZE = 1 << 20,
    VIEW_SIZE = 1 << 17,
    SOON_MS = 20000 /* nothing that goes on by itself takes longer at any speed */
};

/* What is counted, for the figures at the end. */
enum { ENTRIES, REFUSALS, DUPLICATES, LATE, VIEWS, TWINS, RESTARTS, FINISHED, COUNTS };

struct sim {
    uint64_t seed;
    bool verbose;
    struct chance chance;
    int64_t now_ms;
    struct world world;
    struct world before;   /* the step, for those that must change nothing */
    struct world follower; /* folds each entry as another server would */
    struct world_news news;
    struct events events;
    char buffer[1 << 16];
    int64_t entries;
    size_t log_length;
    char log[LOG_SIZE];
    int task_count;
    struct world_task task[TASKS]; /* thoughts that may come late */
    int accepted_count;            /* actions with an id; the last of them are in `accepted` */
    struct {
        int person;
        uint64_t action;
    } accepted[WORLD_ACTIONS_MAX];
    uint64_t counts[COUNTS];
};

static struct sim sim;

static const char *const people[PEOPLE] = {"ann", "bob", "cy", "dee", "eve", "fay", "gus"};

/* ---- Failing ---- */

static _Noreturn void broken(const char *law) {
    printf("not ok - seed %" PRIu64 ", version %" PRId64 ": %s\n", sim.seed, sim.world.version,
           law);
    printf("# again: simulation_test %" PRIu64 "\n", sim.seed);
    exit(1);
}

_Noreturn void ensure_failed(const char *what, const char *file, int line) {
    char text[512];
    snprintf(text, sizeof text, "%s:%d ensures %s", file, line, what);
    broken(text);
}

static int random_below(int bound) {
    return (int)chance_below(&sim.chance, (uint32_t)bound);
}

static bool one_in(int times) {
    return random_below(times) == 0;
}

/* ---- The log ---- */

static bool fold_log(struct world *out) {
    world_empty(out, &world_times_usual);
    for (size_t at = 0; at < sim.log_length;) {
        size_t length = strcspn(sim.log + at, "\n");
        if (!world_fold(out, (struct span){sim.log + at, length}, NULL))
            return false;
        at += length + 1;
    }
    return true;
}

static void remember_entry(void) {
    struct span line = {sim.news.line, sim.news.line_length};
    struct refusal why;
    if (sim.log_length + line.length + 2 > sizeof sim.log)
        broken("the log fits");
    memcpy(sim.log + sim.log_length, line.data, line.length);
    sim.log_length += line.length;
    sim.log[sim.log_length++] = '\n';
    sim.log[sim.log_length] = '\0';
    sim.entries++;
    sim.counts[ENTRIES]++;
    if (sim.verbose)
        printf("# %.*s\n", (int)line.length, line.data);
    if (!world_fold(&sim.follower, line, &why))
        broken(why.text);
    if (!worlds_equal(&sim.follower, &sim.world))
        broken("folding an entry makes the same change");
}

static void untouched(const char *law) {
    if (memcmp(&sim.before, &sim.world, sizeof sim.before) != 0)
        broken(law);
}

static void listen(void) {
    events_begin(&sim.events, sim.buffer, sizeof sim.buffer);
    sim.news.events = &sim.events;
    memcpy(&sim.before, &sim.world, sizeof sim.before);
}

/* ---- Acting ---- */

static void remember_action(int person, uint64_t action) {
    int place = sim.accepted_count++ % WORLD_ACTIONS_MAX;
    sim.accepted[place].person = person;
    sim.accepted[place].action = action;
}

static void judge(enum world_answer answer, const struct refusal *why) {
    if ((answer == WORLD_DONE) != (sim.news.line_length > 0))
        broken("what is done has an entry");
    if (answer == WORLD_DONE) {
        remember_entry();
    } else if (answer == WORLD_REFUSED) {
        sim.counts[REFUSALS]++;
        untouched("a refused action changes nothing");
        if (!why->code || !why->text[0])
            broken("a refusal has a reason");
    } else if (!worlds_equal(&sim.before, &sim.world)) {
        broken("what has no entry changes nothing of the log's");
    }
}

static enum world_answer act_with(int person, struct span words, uint64_t action) {
    struct refusal why = {0};
    struct world_action what = {.id = span_of(people[person]), .words = words, .action = action};
    listen();
    enum world_answer answer = world_act(&sim.world, sim.now_ms, &what, &sim.news, &why);
    judge(answer, &why);
    return answer;
}

static void act(int person, const char *words) {
    uint64_t action = 0;
    if (one_in(2)) {
        char id[32];
        snprintf(id, sizeof id, "%d", sim.accepted_count);
        action = world_action_hash(span_of(people[person]), span_of(id));
    }
    if (act_with(person, span_of(words), action) == WORLD_DONE && action != 0)
        remember_action(person, action);
}

static void act_again(void) {
    if (sim.accepted_count == 0)
        return;
    int known = sim.accepted_count < WORLD_ACTIONS_MAX ? sim.accepted_count : WORLD_ACTIONS_MAX;
    int place = random_below(known);
    enum world_answer answer =
        act_with(sim.accepted[place].person, span_of("say twice"), sim.accepted[place].action);
    if (answer != WORLD_DUPLICATE && sim.world.status != WORLD_CLOSED)
        broken("an accepted action is a duplicate when it comes again");
    untouched("a duplicate changes nothing");
    sim.counts[DUPLICATES]++;
}

/* ---- What people say ---- */

static void random_setting(char *out, size_t size) {
    const struct option_table *table = &sim.world.game->options;
    if (table->option_count == 0 || one_in(4))
        table = &world_manners;
    const struct option *option = &table->options[random_below((int)table->option_count)];
    int count = 0;
    switch (option->kind) {
    case OPTION_YES_NO:
        snprintf(out, size, "%s=%s", option->key, one_in(2) ? "yes" : "no");
        break;
    case OPTION_CHOICE:
        while (option->choices[count])
            count++;
        snprintf(out, size, "%s=%s", option->key, option->choices[random_below(count)]);
        break;
    default:
        snprintf(out, size, "%s=%s", option->key, option->standard);
    }
}

static void random_words(char *out, size_t size) {
    static const char *const verbs[] = {
        "join",      "watch", "leave", "name", "say",     "emote",  "set",
        "preset",    "swap",  "move",  "bot",  "quit",    "remove", "start",
        "hand-over", "next",  "again", "play", "pass",    "draw",   "drop",
        "answer",    "pick",  "undo",  "end",  "discard", "create", "deal"};
    static const char *const words[] = {"0",
                                        "1",
                                        "2",
                                        "3",
                                        "7",
                                        "-1",
                                        "ann",
                                        "bob",
                                        "gus",
                                        "hello",
                                        "easy",
                                        "hard",
                                        "open",
                                        "closed",
                                        "order",
                                        "AH",
                                        "9S",
                                        "JK",
                                        "targetScore=7",
                                        "speed=instant",
                                        "speed=fast",
                                        "public=yes",
                                        "watching=no",
                                        "partners",
                                        "closers",
                                        "x\"y",
                                        "\xc3\xa9t\xc3\xa9",
                                        "a=b",
                                        "=",
                                        "\x01",
                                        "99999999999",
                                        "/",
                                        "K\xc3\xb6nig"};
    struct text text;
    text_begin(&text, out, size);
    text_string(&text, verbs[random_below((int)(sizeof verbs / sizeof verbs[0]))]);
    for (int count = random_below(4); count > 0; count--) {
        text_char(&text, ' ');
        text_string(&text, words[random_below((int)(sizeof words / sizeof words[0]))]);
    }
}

static int owner_number(void) {
    for (int i = 0; i < PEOPLE; i++)
        if (strcmp(people[i], sim.world.owner) == 0)
            return i;
    return 0;
}

static void owner_acts(void) {
    static const char *const levels[] = {"easy", "medium", "easy", "open", "closed"};
    static const char *const teams[] = {"Reds", "Team 1", "Team 2", ""};
    static const char *const orders[] = {"renew", "manners watching=no", "manners watching=yes",
                                         "manners seating=next-deal"};
    char line[128], setting[96];
    int seats = sim.world.seat_count;
    switch (random_below(14)) {
    case 0:
        random_setting(setting, sizeof setting);
        snprintf(line, sizeof line, "set %s", setting);
        break;
    case 1:
        snprintf(line, sizeof line, "swap %d %d", random_below(seats), random_below(seats));
        break;
    case 2:
        snprintf(line, sizeof line, "move %d %d", random_below(seats), random_below(seats));
        break;
    case 3:
        snprintf(line, sizeof line, "bot %d %s", random_below(seats), levels[random_below(5)]);
        break;
    case 4:
        snprintf(line, sizeof line, "hand-over %d", random_below(seats));
        break;
    case 5:
        snprintf(line, sizeof line, "remove %s", people[random_below(PEOPLE)]);
        break;
    case 6:
        snprintf(line, sizeof line, "team %c %s", 'a' + random_below(2), teams[random_below(4)]);
        break;
    case 7:
        snprintf(line, sizeof line, "owner %s", people[random_below(PEOPLE)]);
        break;
    case 8:
        snprintf(line, sizeof line, "%s %s", one_in(2) ? "mute" : "unmute",
                 people[random_below(PEOPLE)]);
        break;
    case 9:
        snprintf(line, sizeof line, "%s", orders[random_below(4)]);
        break;
    default:
        snprintf(line, sizeof line, "%s",
                 sim.world.status != WORLD_OVER ? "start"
                 : one_in(2)                    ? "lobby"
                                                : "again");
    }
    act(owner_number(), line);
}

static void anybody_acts(void) {
    static const char *const lines[] = {"say Hello",  "emote laugh", "next",   "leave",   "quit",
                                        "join Jo An", "join Jo",     "join J", "watch W", "sit",
                                        "sit 1",      "rematch",     "watch W"};
    char line[160];
    if (one_in(3))
        random_words(line, sizeof line);
    else
        snprintf(line, sizeof line, "%s",
                 lines[random_below((int)(sizeof lines / sizeof lines[0]))]);
    act(random_below(PEOPLE), line);
}

/* ---- Twins: the same world with other hidden cards ---- */

static struct world twin;

static void make_twin(int seat) {
    struct game_state seen;
    memcpy(&twin, &sim.world, sizeof twin);
    chance_bytes(&sim.chance, twin.deal_seed, sizeof twin.deal_seed);
    game_observe(sim.world.game, &sim.world.state, seat, &seen);
    game_sample(sim.world.game, &seen, seat, &sim.chance, &twin.state);
}

static const char *view_text(const struct world *world, const char *id, char *buffer) {
    struct json json;
    json_begin(&json, buffer, VIEW_SIZE);
    world_view(world, span_of(id), NULL, &json);
    if (!json_complete(&json))
        broken("a view is complete");
    return buffer;
}

static void check_view(const char *id) {
    static char view[VIEW_SIZE], other[VIEW_SIZE];
    int seat = SPECTATOR;
    world_find_seat(&sim.world, span_of(id), &seat);
    view_text(&sim.world, id, view);
    json_t *parsed = json_loads(view, JSON_REJECT_DUPLICATES, NULL);
    if (!parsed)
        broken("a view is JSON");
    if (json_integer_value(json_object_get(parsed, "version")) != sim.entries)
        broken("a view tells its version");
    json_decref(parsed);
    sim.counts[VIEWS]++;
    if (sim.world.status != WORLD_PLAYING)
        return;
    make_twin(seat);
    if (strcmp(view, view_text(&twin, id, other)) != 0)
        broken("hidden cards do not change a view");
}

static bool hears(const struct event *event, int seat) {
    return (event->audience >> (seat < 0 ? SEATS_MAX : seat) & 1) != 0;
}

static void compare_events(const struct events *others, int seat) {
    size_t j = 0;
    for (size_t i = 0; i < sim.events.count; i++) {
        const struct event *event = &sim.events.item[i];
        if (!hears(event, seat))
            continue;
        while (j < others->count && !hears(&others->item[j], seat))
            j++;
        if (j == others->count)
            broken("hidden cards do not change who is told what");
        const struct event *twins = &others->item[j++];
        if (strcmp(event->type, twins->type) != 0 || event->data.length != twins->data.length ||
            memcmp(event->data.data, twins->data.data, event->data.length) != 0)
            broken("hidden cards do not change an event");
    }
}

/* Makes a move that is watched by somebody from whom cards are hidden. */
static void act_before_a_watcher(int person, const char *words) {
    static char buffer[1 << 16];
    static struct world_news news;
    struct events events;
    struct game_state seen, twin_seen;
    struct refusal why;
    int watcher = random_below(sim.world.seat_count + 1) - 1;
    make_twin(watcher);
    events_begin(&events, buffer, sizeof buffer);
    news.events = &events;
    struct world_action action = {.id = span_of(people[person]), .words = span_of(words)};
    if (act_with(person, action.words, 0) != WORLD_DONE ||
        world_act(&twin, sim.now_ms, &action, &news, &why) != WORLD_DONE)
        return;
    game_observe(sim.world.game, &sim.world.state, watcher, &seen);
    game_observe(sim.world.game, &twin.state, watcher, &twin_seen);
    if (memcmp(seen.bytes, twin_seen.bytes, sim.world.game->state_size) != 0)
        return;
    sim.counts[TWINS]++;
    compare_events(&events, watcher);
    if (twin.bot_action_ms != sim.world.bot_action_ms ||
        twin.phase_ends_ms != sim.world.phase_ends_ms)
        broken("hidden cards do not change when something happens");
}

/* ---- Playing ---- */

static void person_moves(void) {
    struct move moves[GAME_LEGAL_MAX];
    char words[MOVE_TEXT_SIZE];
    struct text text;
    int person = random_below(PEOPLE), seat = -1;
    for (int i = 0; i < PEOPLE; i++, person = (person + 1) % PEOPLE)
        if (world_find_seat(&sim.world, span_of(people[person]), &seat) && seat >= 0 &&
            ((sim.world.awaited >> seat & 1) != 0 || one_in(8)))
            break;
    if (sim.world.status != WORLD_PLAYING || seat < 0)
        return;
    size_t count = game_legal(sim.world.game, &sim.world.state, seat, moves);
    if (count == 0)
        return;
    text_begin(&text, words, sizeof words);
    game_print(sim.world.game, &moves[random_below((int)count)], &text);
    if (one_in(4))
        act_before_a_watcher(person, words);
    else
        act(person, words);
}

/* ---- Time ---- */

static bool thinks(void) {
    static struct world_task task;
    if (!world_think(&sim.world, sim.now_ms, &task))
        return false;
    world_task_run(&task);
    if (sim.task_count < TASKS && one_in(6))
        memcpy(&sim.task[sim.task_count++], &task, sizeof task);
    listen();
    enum world_answer answer = world_thought(&sim.world, sim.now_ms, &task, &sim.news);
    if (answer == WORLD_REFUSED)
        broken("a thought is not refused");
    judge(answer, NULL);
    return true;
}

/* Lets time pass. Whatever is due happens, and happens once. */
static void time_passes(int64_t ms) {
    sim.now_ms += ms;
    if (world_due(&sim.world) > sim.now_ms)
        return;
    listen();
    enum world_answer answer = world_tick(&sim.world, sim.now_ms, &sim.news);
    judge(answer, NULL);
    if (answer == WORLD_NOTHING) {
        untouched("a tick that does nothing changes nothing");
        int64_t version = sim.world.version;
        if (!thinks())
            broken("what is due happens");
        if (sim.world.version == version && world_due(&sim.world) <= sim.now_ms)
            broken("what is due does not stay due");
    }
}

static void wait_for_something(void) {
    int64_t due_ms = world_due(&sim.world);
    if (due_ms != INT64_MAX && due_ms > sim.now_ms && due_ms - sim.now_ms <= SOON_MS)
        time_passes(due_ms - sim.now_ms);
    else
        time_passes(random_below(2000));
}

static void a_thought_comes_late(void) {
    if (sim.task_count == 0)
        return;
    const struct world_task *task = &sim.task[--sim.task_count];
    bool stale = task->version != sim.world.version;
    listen();
    enum world_answer answer = world_thought(&sim.world, sim.now_ms, task, &sim.news);
    judge(answer, NULL);
    sim.counts[LATE] += stale;
    if (stale && answer != WORLD_NOTHING)
        broken("a late thought is dropped");
}

static void the_clock_jumps(void) {
    if (one_in(4))
        sim.now_ms -= random_below(5000);
    else if (one_in(20))
        time_passes(86400000);
    else
        time_passes((int64_t)random_below(100) * 1000);
}

/* ---- Presence ---- */

static void connections_change(void) {
    struct span id = span_of(people[random_below(PEOPLE)]);
    if (one_in(4))
        world_heard_of(&sim.world, sim.now_ms, id);
    else
        world_connected(&sim.world, sim.now_ms, id, !one_in(3));
}

/* The log without that person. */
static void take_out(const char *log, struct world_erasure *erasure, char *out) {
    static char line[2 * WORLD_LINE_SIZE];
    for (int pass = 0; pass < 2; pass++)
        for (size_t at = 0, length; log[at] != '\0'; at += length + 1) {
            length = strcspn(log + at, "\n");
            struct span entry = {log + at, length};
            struct text text;
            text_begin(&text, line, sizeof line);
            if (pass == 0) {
                world_erase_look(erasure, entry);
                continue;
            }
            if (world_erase_line(erasure, entry, &text))
                entry = (struct span){text.data, text.length};
            memcpy(out, entry.data, entry.length);
            out += entry.length;
            *out++ = '\n';
        }
    *out = '\0';
}

/* Takes two people out of the log, one after the other: it folds as before, and the game is the
 * same. */
static void erase_some(void) {
    static const char *const instead[] = {WORLD_ERASED_ID "1", WORLD_ERASED_ID "2"};
    static char logs[2][2 * LOG_SIZE];
    static struct world folded;
    const char *log = sim.log;
    for (int i = 0; i < 2; i++) {
        struct world_erasure erasure = {.id = span_of(people[random_below(PEOPLE)]),
                                        .other_id = span_of(instead[i])};
        struct refusal why;
        take_out(log, &erasure, logs[i]);
        log = logs[i];
        world_empty(&folded, &world_times_usual);
        for (size_t at = 0, length; log[at] != '\0'; at += length + 1) {
            length = strcspn(log + at, "\n");
            if (!world_fold(&folded, (struct span){log + at, length}, &why))
                broken(why.text);
        }
        if (folded.status != sim.world.status || folded.member_count != sim.world.member_count ||
            memcmp(&folded.state, &sim.world.state, sizeof folded.state) != 0)
            broken("a log without somebody gives the same game");
        if (world_find_member(&folded, erasure.id) || world_owns_seat(&folded, erasure.id))
            broken("an erased person is not there");
    }
}

static void the_server_starts_anew(void) {
    static struct world folded;
    if (!fold_log(&folded) || !worlds_equal(&folded, &sim.world))
        broken("folding the log gives the world");
    erase_some();
    memcpy(&sim.world, &folded, sizeof folded);
    world_resume(&sim.world, sim.now_ms);
    sim.task_count = 0;
    sim.counts[RESTARTS]++;
}

/* ---- What always holds ---- */

static void check_members(void) {
    const struct world *world = &sim.world;
    bool owner = world->member_count == 0;
    int watching = 0;
    for (int i = 0; i < world->member_count; i++) {
        const struct world_member *member = &world->member[i];
        int seat;
        owner = owner || strcmp(member->id, world->owner) == 0;
        watching += member->watching;
        world_find_seat(world, span_of(member->id), &seat);
        if (member->watching != (seat < 0))
            broken("who has no seat is watching");
        for (int j = 0; j < i; j++)
            if (strcmp(world->member[j].id, member->id) == 0)
                broken("everybody is a member once");
    }
    if (!owner)
        broken("the owner is a member");
    if (watching > WORLD_WATCHING_MAX)
        broken("not too many watch");
}

static void check_seats(void) {
    const struct world *world = &sim.world;
    for (int i = 0; i < world->seat_count; i++) {
        const struct world_seat *seat = &world->seat[i];
        bool taken = seat->kind >= WORLD_SEAT_BOT;
        bool started = world->status == WORLD_PLAYING || world->status == WORLD_OVER;
        if (taken != (seat->id[0] != '\0') || (started && !taken))
            broken("who sits has an id");
        if (seat->kind == WORLD_SEAT_PERSON && !seat->away &&
            !world_find_member(world, span_of(seat->id)))
            broken("a bot plays for who is gone");
        for (int j = 0; j < i; j++)
            if (taken && strcmp(world->seat[j].id, seat->id) == 0)
                broken("everybody sits once");
    }
}

static bool bot_awaited(const struct world *world) {
    for (int i = 0; i < world->seat_count; i++)
        if ((world->awaited >> i & 1) != 0 &&
            (world->seat[i].kind == WORLD_SEAT_BOT || world->seat[i].away))
            return true;
    return false;
}

static void check_due(void) {
    const struct world *world = &sim.world;
    bool there = false;
    for (int i = 0; i < world->member_count; i++)
        there = there || world->member[i].connected;
    bool looks_alone = world->phase_ends_ms == 0 && world_looking(world) != 0;
    bool goes_on = world->status == WORLD_PLAYING && !looks_alone &&
                   ((world->awaited & AWAITS_NATURE) != 0 || bot_awaited(world));
    if (goes_on && there && world_due(world) > world->changed_ms + SOON_MS)
        broken("a game with somebody there goes on");
    if (world->status == WORLD_PLAYING && world->awaited != game_to_act(world->game, &world->state))
        broken("the world awaits whom the game awaits");
}

static void check(void) {
    if (sim.world.version != sim.entries)
        broken("the version counts the entries");
    check_members();
    check_seats();
    check_due();
    if (one_in(6))
        check_view(one_in(8) ? "nobody" : people[random_below(PEOPLE)]);
}

/* ---- A record of it ---- */

static const char *export_log(void) {
    static char record[LOG_SIZE];
    static struct world_export export;
    struct text out;
    text_begin(&out, record, sizeof record);
    world_export_begin(&export, &sim.world);
    for (size_t at = 0; at < sim.log_length;) {
        size_t length = strcspn(sim.log + at, "\n");
        if (!world_export_line(&export, (struct span){sim.log + at, length}, &out, NULL))
            broken("a log can be exported");
        at += length + 1;
    }
    if (out.cut)
        broken("a record fits");
    return record;
}

static void check_replay(const char *record) {
    struct record_reader reader;
    struct record_header header;
    struct record_entry entry;
    struct record_error error;
    struct options options;
    struct game_state state = {0};
    record_open(&reader, span_of(record));
    if (!record_read_header(&reader, &header, &error) ||
        !record_start(&reader, &header, sim.world.game, &options, &state, &error))
        broken("a record has a header");
    while (record_next(&reader, &entry, &error) == RECORD_ENTRY)
        if (!game_play_text(sim.world.game, &state, entry.seat, entry.text, NULL, NULL))
            broken("a record can be replayed");
    if (game_hash(sim.world.game, &state) != game_hash(sim.world.game, &sim.world.state))
        broken("a record leads to the same state");
}

/* While a round runs, none of its seeds stands in the record; where hands outlast a round, none of
 * the game's does. */
static void check_secrets(const char *record) {
    const struct world *world = &sim.world;
    int64_t version = 0;
    int64_t from = world->game->hands_carry_over ? world->game_version : world->round_version;
    for (const char *at = sim.log; *at; at += strcspn(at, "\n") + 1) {
        const char *seed = strchr(at, '-');
        version++;
        if (version < from || !seed || seed > at + strcspn(at, "\n") ||
            strncmp(seed, "- deal ", 7) != 0)
            continue;
        char copy[128];
        snprintf(copy, sizeof copy, "%.*s", (int)strcspn(seed, "\n"), seed);
        if (strstr(record, copy))
            broken("a running round's deal is not told");
    }
}

static void check_record(void) {
    const char *record = export_log();
    bool over = sim.world.status == WORLD_OVER ||
                (sim.world.status == WORLD_CLOSED && sim.world.start_version > 0);
    if (over)
        check_replay(record);
    else if (sim.world.status == WORLD_PLAYING &&
             ((sim.world.awaited & AWAITS_NATURE) == 0 || sim.world.game->hands_carry_over))
        check_secrets(record);
    sim.counts[FINISHED] += sim.world.status == WORLD_OVER;
}

/* ---- One world ---- */

static void open_world(void) {
    uint8_t deals[CHANCE_SEED_SIZE], bots[CHANCE_SEED_SIZE];
    struct refusal why;
    chance_bytes(&sim.chance, deals, sizeof deals);
    chance_bytes(&sim.chance, bots, sizeof bots);
    const struct game *game = registry_games[sim.seed % registry_count];
    struct world_birth birth = {.code = span_of("K7M2QX"),
                                .game = span_of(game->id),
                                .id = span_of("ann"),
                                .name = span_of("Ann B"),
                                .deal_seed = deals,
                                .bot_seed = bots};
    world_empty(&sim.follower, &world_times_usual);
    sim.news.events = NULL;
    if (!world_create(&sim.world, sim.now_ms, &world_times_usual, &birth, &sim.news, &why))
        broken(why.text);
    remember_entry();
    world_connected(&sim.world, sim.now_ms, span_of("ann"), true);
}

static void furnish(void) {
    char line[128];
    const struct option_table *table = &sim.world.game->options;
    act(owner_number(), one_in(2) ? "set speed=instant" : "set speed=fast");
    if (table->preset_count > 0) {
        snprintf(line, sizeof line, "preset %s",
                 table->presets[random_below((int)table->preset_count)].id);
        act(owner_number(), line);
    }
    for (int i = random_below(4); i > 0; i--)
        act(1 + random_below(3), "join Jo");
    for (int i = random_below(3); i > 0; i--)
        owner_acts();
    if (one_in(2))
        act(owner_number(), "start");
}

static void step(void) {
    int choice = random_below(100);
    if (choice < 44)
        wait_for_something();
    else if (choice < 80)
        person_moves();
    else if (choice < 84)
        owner_acts();
    else if (choice < 89)
        anybody_acts();
    else if (choice < 94)
        connections_change();
    else if (choice < 96)
        act_again();
    else if (choice < 98)
        a_thought_comes_late();
    else if (choice < 99)
        the_clock_jumps();
    else if (one_in(3))
        the_server_starts_anew();
    check();
}

static void live(uint64_t seed) {
    sim.seed = seed;
    sim.now_ms = 1731658000000;
    sim.entries = 0;
    sim.log_length = 0;
    sim.task_count = sim.accepted_count = 0;
    chance_start_number(&sim.chance, seed, 77);
    open_world();
    furnish();
    for (int i = 0; i < STEPS && sim.world.status != WORLD_CLOSED; i++)
        step();
    check_record();
    the_server_starts_anew();
}

int main(int argc, char **argv) {
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : argc > 1 ? 1 : SEEDS;
    sim.verbose = argc == 2;
    for (uint64_t seed = first; seed < first + count; seed++)
        live(seed);
    static const char *const names[COUNTS] = {"entries",       "refusals",      "duplicates",
                                              "late thoughts", "views",         "twins",
                                              "restarts",      "games finished"};
    for (int i = 0; i < COUNTS; i++) {
        printf("# %s: %" PRIu64 "\n", names[i], sim.counts[i]);
        if (count >= SEEDS && sim.counts[i] == 0)
            broken("everything is tried");
    }
    printf("ok - %" PRIu64 " simulated worlds from seed %" PRIu64 "\n", count, first);
    return 0;
}
