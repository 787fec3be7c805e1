/* Saves: a position as a file that its owner keeps, and a world made of one. */
#include "saves/save.h"
#include "server/actions.h"
#include "server/call.h"

#include "engine/ensure.h"
#include <sodium.h>
#include <string.h>
#include <time.h>

/* Who has left may come back, and would find the cards known. */
static bool others_sit(const struct world *world) {
    for (int i = 0; i < world->seat_count; i++)
        if (world->seat[i].kind == WORLD_SEAT_PERSON &&
            strcmp(world->seat[i].id, world->owner) != 0)
            return true;
    return false;
}

static bool may_save(const struct call *call, struct refusal *why) {
    const struct world *world = room_world(call->room);
    if (world->game != save_game())
        return refuse(why, 400, "BAD_REQUEST", "Only Hand & Foot has saves");
    if (!span_is(span_of(call->session.id), world->owner))
        return refuse(why, 403, "NOT_OWNER", "Not the owner");
    if (world->status == WORLD_WAITING)
        return refuse_wrong_phase(why);
    return !world_round_runs(world) || !others_sit(world) ||
           refuse(why, 409, "WRONG_PHASE", "Others are playing; save between rounds");
}

static void write_time(int64_t time_ms, char out[SAVE_TIME_SIZE]) {
    time_t seconds = (time_t)(time_ms / 1000);
    struct tm parts;
    gmtime_r(&seconds, &parts);
    strftime(out, SAVE_TIME_SIZE, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

static void fill_save(const struct world *world, int64_t now, struct save *out) {
    *out = (struct save){.options = world->options,
                         .seats = world->seat_count,
                         .deals = (uint64_t)world->deals,
                         .state = world->state};
    memcpy(out->game_seed, world->deal_seed, sizeof out->game_seed);
    if (others_sit(world)) /* who has the seed knows the cards to come: the save gets others */
        randombytes_buf(out->game_seed, sizeof out->game_seed);
    write_time(now, out->time);
    for (int i = 0; i < world->seat_count; i++) {
        memcpy(out->seat[i].name, world->seat[i].name, sizeof out->seat[i].name);
        out->seat[i].bot = world->seat[i].kind == WORLD_SEAT_BOT;
        out->seat[i].level = (enum bot_level)world->seat[i].level;
    }
    uint32_t count = world->tail_count < SAVE_ACTIONS_MAX ? world->tail_count : SAVE_ACTIONS_MAX;
    for (uint32_t i = world->tail_count - count; i < world->tail_count; i++) {
        const struct world_tail *tail = &world->tail[i % WORLD_TAIL_MAX];
        struct save_action *action = &out->action[out->actions++];
        memcpy(action->message, tail->text, sizeof tail->text);
        if (tail->seat >= 0)
            memcpy(action->player, world->seat[tail->seat].name, sizeof action->player);
        write_time(tail->time_ms, action->time);
    }
}

static void on_durable_save(void *arg, const struct refusal *failure) {
    struct call *call = arg;
    struct refusal why;
    static struct save save;
    if (failure || !may_save(call, &why)) { /* it may have moved on meanwhile */
        call_refuse(call, failure ? failure : &why);
        return;
    }
    fill_save(room_world(call->room), rooms_now(call->app->rooms), &save);
    ensure(save_write(&save, call->app->json, sizeof call->app->json));
    call_answer(call, &(struct http_answer){.status = 200,
                                            .type = "application/json",
                                            .body = span_of(call->app->json)});
}

void route_get_save(struct call *call) {
    struct refusal why;
    if (!may_save(call, &why))
        call_refuse(call, &why);
    else
        room_when_durable(call->room, on_durable_save, call);
}

/* What a save says besides the position, as lobby actions. */
struct saved_lobby {
    struct span line[SEATS_MAX + 2];
    size_t count;
    char settings[ACTIONS_WORDS_SIZE], words[SEATS_MAX + 1][32];
};

static void add_line(struct saved_lobby *lobby, const struct text *text) {
    lobby->line[lobby->count++] = (struct span){text->data, text->length};
}

static bool add_settings(struct saved_lobby *lobby, const struct save *save, struct refusal *why) {
    struct text text;
    text_begin(&text, lobby->settings, sizeof lobby->settings);
    text_string(&text, "set ");
    size_t none = text.length;
    options_print(&save_game()->options, &save->options, &text);
    if (text.length > none)
        add_line(lobby, &text);
    return !text.cut || refuse(why, 400, "BAD_SAVE", "This save is too long");
}

/* The maker takes the first seat that was a person's, bots keep their levels. */
static void add_seats(struct saved_lobby *lobby, const struct save *save) {
    struct text text;
    int own = 0;
    while (own < save->seats && save->seat[own].bot)
        own++;
    own = own < save->seats ? own : 0;
    for (int seat = 1; seat < save->seats; seat++) {
        /* Seat 0 is the maker's until the last line, who then changes places. */
        const struct save_seat *saved = &save->seat[seat == own ? 0 : seat];
        text_begin(&text, lobby->words[seat], sizeof lobby->words[seat]);
        text_string(&text, "bot ");
        text_number(&text, seat);
        text_char(&text, ' ');
        text_string(&text, bot_level_name(saved->bot ? saved->level : BOT_MEDIUM));
        add_line(lobby, &text);
    }
    if (own == 0)
        return;
    text_begin(&text, lobby->words[SEATS_MAX], sizeof lobby->words[SEATS_MAX]);
    text_string(&text, "move 0 ");
    text_number(&text, own);
    add_line(lobby, &text);
}

static bool load_world(struct call *call, const struct save *save, struct refusal *why) {
    char position[WORLD_LINE_SIZE];
    struct saved_lobby lobby = {.count = 0};
    struct text text;
    if (!add_settings(&lobby, save, why))
        return false;
    add_seats(&lobby, save);
    text_begin(&text, position, sizeof position);
    game_print_position(save_game(), &save->state, &text);
    if (text.cut)
        return refuse(why, 400, "BAD_SAVE", "This save is too long");
    struct world_save saved = {.seats = save->seats,
                               .deals = (int)save->deals,
                               .deal_seed = save->game_seed,
                               .position = {position, text.length}};
    struct rooms_wish wish = {.game = span_of(save_game()->id),
                              .id = span_of(call->session.id),
                              .name = span_of(call->session.name),
                              .words = lobby.line,
                              .word_count = lobby.count,
                              .save = &saved};
    return rooms_create(call->app->rooms, &wish, call_on_created, call, why);
}

static void create_loaded(struct call *call) {
    static struct save save;
    struct refusal why;
    if (!save_read(call->request->body, &save, &why) || !load_world(call, &save, &why))
        call_refuse(call, &why);
}

void route_post_load(struct call *call) {
    call_count_worlds_then(call, create_loaded);
}
