/* The game inside the world: moves, deals, and when NATURE and the bots go on. */
#include "world/change.h"

#include "engine/ensure.h"
#include <string.h>

/* A number for chance_deal_seed that no deal reaches. It gives the seed of the next game. */
enum { NEXT_GAME = 1 << 30 };

/* ---- When things are due ---- */

/* Of the usual time. Where nobody plays bots have no reason to hurry: at an instant table they
 * would fill the log as fast as the machine can. */
static int pace_percent(const struct world *world) {
    int percent = world_speed_percent(world);
    for (int seat = 0; seat < world->seat_count; seat++)
        if (world->seat[seat].kind == WORLD_SEAT_PERSON && !world->seat[seat].away)
            return percent;
    return percent > 100 ? percent : 100;
}

/* Bots hesitate by a random stream of their own, so that their delay tells nothing about cards. */
static int64_t bot_delay(const struct world *world) {
    struct chance chance;
    uint8_t seed[CHANCE_SEED_SIZE];
    struct pace pace = game_pace(world->game, &world->state);
    uint32_t span = (uint32_t)(pace.bot_delay_ms_max - pace.bot_delay_ms_min) + 1;
    chance_deal_seed(world->bot_seed, 2 * (uint64_t)world->version, seed);
    chance_start(&chance, seed);
    int64_t usual_ms = pace.bot_delay_ms_min + (int64_t)chance_below(&chance, span);
    return usual_ms * pace_percent(world) / 100;
}

bool bot_is_awaited(const struct world *world) {
    for (int seat = 0; seat < world->seat_count; seat++)
        if ((world->awaited >> seat & 1) != 0 && seat_is_bots(&world->seat[seat]))
            return true;
    return false;
}

static bool bot_may_speak(const struct world *world) {
    for (int seat = 0; seat < world->seat_count && bot_has_asides(world->game); seat++)
        if (seat_is_bots(&world->seat[seat]))
            return true;
    return false;
}

/* A person's time starts when the seat is awaited. A bot's turn ends when its seat no longer is. */
static void turn_to(struct world *world, uint32_t awaited, int64_t now_ms) {
    for (int seat = 0; seat < world->seat_count; seat++) {
        bool now = (awaited >> seat & 1) != 0;
        if (now && (world->awaited >> seat & 1) == 0)
            world->seat[seat].acted_ms = now_ms;
        if (!now)
            world->seat[seat].bot_moved = false;
    }
    world->awaited = awaited;
}

/* The seats that people play at the moment, as a mask. */
static uint32_t people_present(const struct world *world) {
    uint32_t people = 0;
    for (int seat = 0; seat < world->seat_count; seat++)
        if (world->seat[seat].kind == WORLD_SEAT_PERSON && !world->seat[seat].away)
            people |= 1u << seat;
    return people;
}

/* No result is shown where cards are dealt again at once, as after a hand that was thrown in. */
static bool result_is_shown(const struct world *world) {
    return world->status == WORLD_PLAYING && world_round_has_ended(world) &&
           game_pace(world->game, &world->state).show_ms > 0;
}

uint32_t world_looking(const struct world *world) {
    return result_is_shown(world) ? people_present(world) & ~world->gone_on : 0;
}

void game_await_people(struct world *world, int64_t now_ms) {
    if (!result_is_shown(world))
        return;
    uint32_t people = people_present(world);
    world->gone_on &= people;
    bool alone = people != 0 && (people & (people - 1)) == 0;
    bool all_went_on = people != 0 && world->gone_on == people;
    if (all_went_on && (world->phase_ends_ms == 0 || world->phase_ends_ms > now_ms))
        world->phase_ends_ms = now_ms;
    else if (alone && !all_went_on)
        world->phase_ends_ms = 0;
    else if (world->phase_ends_ms == 0)
        world->phase_ends_ms = now_ms + game_pace(world->game, &world->state).show_ms;
}

void game_reseat(struct world *world, int64_t now_ms) {
    game_await_people(world, now_ms);
    if (world->status != WORLD_PLAYING || (world->awaited & AWAITS_NATURE) != 0)
        return;
    bool needed = bot_is_awaited(world) || bot_may_speak(world);
    int64_t shown_ms = world->phase_ends_ms > now_ms ? world->phase_ends_ms : now_ms;
    if (!needed)
        world->bot_action_ms = 0;
    else if (world->bot_action_ms == 0)
        world->bot_action_ms = shown_ms + bot_delay(world);
}

void game_schedule(struct world *world, int64_t now_ms) {
    world->phase_ends_ms = world->bot_action_ms = 0;
    world->gone_on = 0;
    if (world->status != WORLD_PLAYING)
        return;
    turn_to(world, game_to_act(world->game, &world->state), now_ms);
    if (world->awaited == 0) {
        world->status = WORLD_OVER;
        return;
    }
    struct pace pace = game_pace(world->game, &world->state);
    if (world->deals == 0)
        pace.show_ms = 0; /* there is nothing to look at before the first deal */
    int percent = result_is_shown(world) ? 100 : pace_percent(world);
    if ((world->awaited & AWAITS_NATURE) != 0 || pace.show_ms > 0)
        world->phase_ends_ms = now_ms + pace.show_ms * percent / 100;
    game_reseat(world, now_ms);
}

/* ---- Rounds ---- */

bool world_round_has_ended(const struct world *world) {
    return world->status == WORLD_OVER || (world->status == WORLD_PLAYING && world->deals > 0 &&
                                           game_round_has_ended(world->game, &world->state));
}

void game_count_round(struct world *world) {
    if (!world_round_has_ended(world))
        return;
    for (int seat = 0; seat < world->seat_count; seat++)
        game_count(world->game, &world->state, seat, world->figures[seat]);
    game_count(world->game, &world->state, SPECTATOR, world->table_figures);
    world->ended_version = world->version;
}

/* ---- Moves ---- */

static void remember(struct world *world, int seat, struct span message, int64_t now_ms) {
    struct world_tail *tail = &world->tail[world->tail_count++ % WORLD_TAIL_MAX];
    struct text text;
    *tail = (struct world_tail){.time_ms = now_ms, .seat = (int8_t)seat};
    text_begin(&text, tail->text, sizeof tail->text);
    text_span(&text, message);
}

/* Marks the events from `first` on as the game's own. */
static void mark_events(struct change *change, size_t first) {
    for (size_t i = first; i < change->events->count; i++)
        change->events->item[i].of_game = true;
}

/* HF-95: keeps what everybody was told in words from event `first` on; false if that was
 * nothing. */
static bool remember_messages(struct change *change, size_t first) {
    bool any = false;
    for (size_t i = first; i < change->events->count; i++) {
        const struct event *event = &change->events->item[i];
        if (event->message.length == 0 || event->audience != EVERYONE)
            continue;
        remember(change->world, event->seat, event->message, change->entry->time_ms);
        any = true;
    }
    return any;
}

bool game_may(const struct world *world, int seat, struct span words, struct refusal *why) {
    struct move move;
    if (game_parse(world->game, &world->state, words, &move, NULL))
        return game_check(world->game, &world->state, seat, &move, why);
    if ((world->awaited & AWAITS_NATURE) != 0)
        return refuse_wrong_phase(why);
    return (world->awaited >> seat & 1) != 0 || refuse_not_your_turn(why);
}

enum world_answer game_move(struct change *change) {
    struct world *world = change->world;
    int seat = change->entry->seat;
    struct move move;
    if (seat >= world->seat_count)
        return change_answer(refuse(change->why, "BAD_RECORD", "There is no such seat"));
    if (!game_parse_by(world->game, &world->state, seat, change->entry->words, &move,
                       change->why)) {
        if (change->why)
            game_may(world, seat, change->entry->words, change->why);
        return WORLD_REFUSED;
    }
    if (!game_check(world->game, &world->state, seat, &move, change->why))
        return WORLD_REFUSED;
    change->move = move;
    change->moved = true;
    char words[MOVE_TEXT_SIZE];
    struct text text;
    size_t told = change->events->count;
    text_begin(&text, words, sizeof words);
    game_print_public(world->game, &move, &text);
    bool done = game_play(world->game, &world->state, seat, &move, change->events, change->why);
    ensure(done);
    mark_events(change, told);
    if (!remember_messages(change, told))
        remember(world, seat, (struct span){words, text.length}, change->entry->time_ms);
    if (seat_is_bots(&world->seat[seat]))
        world->seat[seat].bot_moved = true;
    else
        world->seat[seat].acted_ms = change->entry->time_ms;
    change->game_changed = true;
    return WORLD_DONE;
}

enum world_answer game_chance(struct change *change) {
    struct world *world = change->world;
    struct span verb;
    struct scan words = scan_of(change->entry->words);
    size_t told = change->events->count;
    if (!game_play_text(world->game, &world->state, NATURE, change->entry->words, change->events,
                        change->why))
        return WORLD_REFUSED;
    mark_events(change, told);
    remember_messages(change, told);
    world->deals++;
    if (scan_word(&words, &verb) && span_is(verb, "deal"))
        world->round_version = world->version + 1;
    change->game_changed = true;
    return WORLD_DONE;
}

/* Makes the deals to come from a seed that stands in no save, each time from another one: that of
 * before may be in a save by now. */
void game_change_seed(struct world *world) {
    chance_deal_seed(world->bot_seed, SEED_OF_HIDDEN_DEALS + (uint64_t)world->version,
                     world->deal_seed);
}

void game_hide_deals(struct world *world) {
    if (world->deals_anew || world->saved)
        game_change_seed(world);
}

void game_renew(struct world *world) {
    uint8_t seed[CHANCE_SEED_SIZE];
    chance_deal_seed(world->deal_seed, NEXT_GAME, seed);
    memcpy(world->deal_seed, seed, sizeof seed);
    game_hide_deals(world);
    world->deals = 0;
    world->deals_anew = world->saved = false;
    memset(world->loader, 0, sizeof world->loader);
    memset(world->loader_name, 0, sizeof world->loader_name);
    memset(world->figures, 0, sizeof world->figures);
    memset(world->table_figures, 0, sizeof world->table_figures);
    for (int i = 0; i < world->member_count; i++)
        world->member[i].wants_rematch = false;
}

/* PL-19, WD-60: the same people, the same rules, fresh cards. */
enum world_answer game_again(struct change *change) {
    struct world *world = change->world;
    static const struct move again = {.verb = MOVE_AGAIN};
    size_t told = change->events->count;
    if (!scan_done(change->rest))
        return change_answer(refuse(change->why, "BAD_REQUEST", "Nothing follows the word again"));
    if (!game_play(world->game, &world->state, 0, &again, change->events, change->why))
        return WORLD_REFUSED;
    mark_events(change, told);
    game_renew(world);
    world->game_version = world->version + 1;
    world->games++;
    world->started_ms = change->entry->time_ms;
    world->status = WORLD_PLAYING;
    change->game_changed = true;
    tell_world(change);
    return WORLD_DONE;
}

/* Reads `position SEATS DEALS SEED ...`: the world waits to go on from there, with bots on all
 * seats that nobody takes. */
enum world_answer game_position(struct change *change) {
    struct world next = *change->world;
    int32_t seats, deals;
    struct span word;
    if (next.status != WORLD_WAITING || next.loaded || next.member_count != 1)
        return change_answer(refuse_wrong_phase(change->why));
    if (!scan_word(&change->rest, &word) || !span_number(word, &seats) ||
        seats <= seat_of(&next, span_of(next.owner)) || seats > next.seat_count ||
        !scan_word(&change->rest, &word) || !span_number(word, &deals) || deals < 0 ||
        !scan_word(&change->rest, &word) || !span_hex(word, next.deal_seed, sizeof next.deal_seed))
        return change_answer(refuse(change->why, "BAD_SAVE", "This is no saved position"));
    if (!game_start(next.game, &next.state, &next.options, (int)seats, change->why) ||
        !game_read_position(next.game, &next.state, change_rest(change), change->why))
        return WORLD_REFUSED;
    next.seat_count = (uint8_t)seats;
    next.deals = deals;
    next.loaded = true;
    memcpy(next.loader, next.member[0].id, sizeof next.loader);
    memcpy(next.loader_name, next.member[0].name, sizeof next.loader_name);
    for (int seat = 0; seat < SEATS_MAX; seat++) {
        if (seat >= seats)
            next.seat[seat] = (struct world_seat){0};
        else if (next.seat[seat].kind < WORLD_SEAT_BOT)
            seat_make_bot(&next, seat, BOT_MEDIUM);
    }
    *change->world = next;
    tell_world(change);
    return WORLD_DONE;
}

/* Reads `saved ...`, which is a position whose hidden cards nobody is to know. */
enum world_answer game_saved(struct change *change) {
    enum world_answer answer = game_position(change);
    change->world->deals_anew = change->world->deals_anew || answer == WORLD_DONE;
    return answer;
}

/* HF-C48: the owner, playing alone, is about to have the game in a file, seed and all. */
enum world_answer game_save(struct change *change) {
    struct world *world = change->world;
    if (!scan_done(change->rest))
        return change_answer(refuse(change->why, "BAD_REQUEST", "Nothing follows the word save"));
    if (world->saved)
        return WORLD_NOTHING;
    world->saved = true;
    tell_world(change);
    return WORLD_DONE;
}

/* Reads `told TIME SEAT ...`, a line of the saved game's log. It counts as said before now,
 * whatever time the file gives. */
enum world_answer game_told(struct change *change) {
    struct world *world = change->world;
    struct span when, who;
    int64_t time_ms;
    int32_t seat = NATURE;
    if (world->status != WORLD_WAITING || !world->loaded)
        return change_answer(refuse_wrong_phase(change->why));
    if (!scan_word(&change->rest, &when) || !world_read_time(when, &time_ms) ||
        !scan_word(&change->rest, &who) ||
        (!span_is(who, "-") &&
         (!span_number(who, &seat) || seat < 0 || seat >= world->seat_count)) ||
        scan_done(change->rest) || change_rest(change).length >= WORLD_TAIL_TEXT)
        return change_answer(refuse(change->why, "BAD_SAVE", "This is no line of a log"));
    remember(world, seat, change_rest(change),
             time_ms < change->entry->time_ms ? time_ms : change->entry->time_ms);
    tell_past(change, &world->tail[(world->tail_count - 1) % WORLD_TAIL_MAX]);
    return WORLD_DONE;
}

/* ---- Bots ---- */

/* Until when somebody is there to see it: without end while somebody is connected, and otherwise
 * for the time in which the last one heard of may come back. */
static int64_t watched_until(const struct world *world) {
    int64_t until = 0;
    for (int i = 0; i < world->member_count; i++) {
        const struct world_member *member = &world->member[i];
        int64_t end = member->connected ? INT64_MAX : member->seen_ms + world->times.away_ms;
        until = end > until ? end : until;
    }
    return until;
}

static bool bot_has_something(const struct world *world) {
    return world->bot_action_ms > 0 &&
           (world->quiet_version != world->version || bot_is_awaited(world));
}

int64_t game_due(const struct world *world) {
    int64_t due = INT64_MAX;
    if (world->status != WORLD_PLAYING)
        return due;
    if ((world->awaited & AWAITS_NATURE) != 0)
        due = world->phase_ends_ms > 0 ? world->phase_ends_ms : INT64_MAX;
    else if (bot_has_something(world))
        due = world->bot_action_ms;
    return due <= watched_until(world) ? due : INT64_MAX;
}

bool world_think(const struct world *world, int64_t now_ms, struct world_task *task) {
    if (game_due(world) > now_ms || (world->awaited & AWAITS_NATURE) != 0)
        return false;
    uint8_t seed[CHANCE_SEED_SIZE];
    chance_deal_seed(world->bot_seed, 2 * (uint64_t)world->version + 1, seed);
    chance_start(&task->chance, seed);
    task->game = world->game;
    task->version = world->version;
    task->seats = world->seat_count;
    task->awaited = task->seat = -1;
    task->budget = (struct bot_budget){0};
    task->bots = 0;
    for (int seat = 0; seat < world->seat_count; seat++) {
        bool awaited = (world->awaited >> seat & 1) != 0;
        if (!seat_is_bots(&world->seat[seat]))
            continue;
        if (awaited && task->awaited < 0)
            task->awaited = (int8_t)seat;
        else if (awaited || !bot_may_speak(world))
            continue;
        if (!awaited)
            task->bots |= 1u << seat;
        task->level[seat] = (enum bot_level)world->seat[seat].level;
        game_observe(world->game, &world->state, seat, &task->seen[seat]);
    }
    return true;
}

void world_task_run(struct world_task *task) {
    for (int seat = 0; seat < task->seats; seat++) {
        if ((task->bots >> seat & 1) != 0 &&
            bot_aside(task->game, &task->seen[seat], seat, task->level[seat], &task->chance,
                      &task->move)) {
            task->seat = (int8_t)seat;
            return;
        }
    }
    task->seat = task->awaited;
    if (task->awaited >= 0)
        bot_choose_within(task->game, &task->seen[task->awaited], task->awaited,
                          task->level[task->awaited], &task->budget, &task->chance, &task->move);
}
