/* See save_world.h. */
#include "formats/save_world.h"

#include <string.h>

/* ---- A world as a save ---- */

/* Somebody who has left may come back, and must not find that the cards are known; nor must
 * somebody who waits for a seat and the next deal. */
static bool others_sit(const struct world *world) {
    for (int i = 0; i < world->member_count; i++)
        if (world_waits_for_seat(&world->member[i]))
            return true;
    for (int i = 0; i < world->seat_count; i++)
        if (world->seat[i].kind == WORLD_SEAT_PERSON &&
            strcmp(world->seat[i].id, world->owner) != 0)
            return true;
    return false;
}

bool save_world_may(const struct world *world, struct span id, struct refusal *why) {
    if (world->game != save_game())
        return refuse(why, "BAD_REQUEST", "Only Hand & Foot has saves");
    if (!span_is(id, world->owner))
        return refuse(why, "NOT_OWNER", "Not the owner");
    if (world->status == WORLD_WAITING)
        return refuse_wrong_phase(why);
    return !world_round_runs(world) || !others_sit(world) ||
           refuse(why, "WRONG_PHASE", "Others are playing; save between rounds");
}

bool save_world_tells_deals(const struct world *world) {
    return !others_sit(world);
}

static void add_action(const struct world *world, const struct world_tail *line, struct save *out) {
    struct save_action *action = &out->action[out->actions++];
    action->seat = line->seat;
    memcpy(action->message, line->text, sizeof line->text);
    if (line->seat >= 0)
        memcpy(action->player, world->seat[line->seat].name, sizeof action->player);
    save_write_time(line->time_ms, action->time);
}

void save_of_world(const struct world *world, int64_t now_ms,
                   const uint8_t other_seed[CHANCE_SEED_SIZE], struct save *out) {
    *out = (struct save){.options = world->options,
                         .seats = world->seat_count,
                         .deals = (uint64_t)world->deals,
                         .state = world->state};
    memcpy(out->game_seed, others_sit(world) ? other_seed : world->deal_seed, CHANCE_SEED_SIZE);
    save_write_time(now_ms, out->time);
    for (int i = 0; i < world->seat_count; i++) {
        memcpy(out->seat[i].name, world->seat[i].name, sizeof out->seat[i].name);
        out->seat[i].bot = world->seat[i].kind == WORLD_SEAT_BOT;
        out->seat[i].level = (enum bot_level)world->seat[i].level;
    }
    uint32_t count = world->tail_count < SAVE_ACTIONS_MAX ? world->tail_count : SAVE_ACTIONS_MAX;
    for (uint32_t i = world->tail_count - count; i < world->tail_count; i++)
        add_action(world, &world->tail[i % WORLD_TAIL_MAX], out);
}

/* ---- A save as a new world ---- */

static void add_words(struct save_birth *birth, const struct text *text) {
    birth->words[birth->word_count++] = (struct span){text->data, text->length};
}

static bool add_settings(struct save_birth *birth, const struct save *save) {
    struct text text;
    text_begin(&text, birth->settings, sizeof birth->settings);
    text_string(&text, "set ");
    size_t none = text.length;
    options_print(&save_game()->options, &save->options, &text);
    if (text.length > none)
        add_words(birth, &text);
    return !text.cut;
}

static void add_seats(struct save_birth *birth, const struct save *save) {
    struct text text;
    int own = 0;
    while (own < save->seats && save->seat[own].bot)
        own++;
    own = own < save->seats ? own : 0;
    for (int seat = 1; seat < save->seats; seat++) {
        /* The maker has seat 0 until the last line, which changes places. */
        const struct save_seat *saved = &save->seat[seat == own ? 0 : seat];
        text_begin(&text, birth->word[seat], sizeof birth->word[seat]);
        text_string(&text, "bot ");
        text_number(&text, seat);
        text_char(&text, ' ');
        text_string(&text, bot_level_name(saved->bot ? saved->level : BOT_MEDIUM));
        add_words(birth, &text);
    }
    if (own == 0)
        return;
    text_begin(&text, birth->word[SEATS_MAX], sizeof birth->word[SEATS_MAX]);
    text_string(&text, "move 0 ");
    text_number(&text, own);
    add_words(birth, &text);
}

/* A name that nobody has in the save stands before its message. A line of a world is shorter than
 * one of a save: the end is cut off, at a character. */
static void write_line(const struct save *save, const struct save_action *action,
                       struct world_tail *out) {
    struct text text;
    text_begin(&text, out->text, sizeof out->text);
    if (action->seat == NATURE && action->player[0] != '\0') {
        text_string(&text, action->player);
        text_char(&text, ' ');
    }
    text_string(&text, action->message);
    text_end_whole(&text);
    out->seat = (int8_t)action->seat;
    if (!save_read_time(span_of(action->time), &out->time_ms))
        save_read_time(span_of(save->time), &out->time_ms);
}

static void add_log(struct save_birth *birth, const struct save *save) {
    for (int i = 0; i < save->actions; i++)
        if (!scan_done(scan_of(span_of(save->action[i].message))))
            write_line(save, &save->action[i], &birth->log[birth->save.log_count++]);
    birth->save.log = birth->log;
}

bool save_begin_birth(const struct save *save, struct save_birth *out, struct refusal *why) {
    struct text text;
    *out = (struct save_birth){.word_count = 0};
    bool fits = add_settings(out, save);
    add_seats(out, save);
    text_begin(&text, out->position, sizeof out->position);
    game_print_position(save_game(), &save->state, &text);
    if (!fits || text.cut)
        return refuse(why, "BAD_SAVE", "This save is too long");
    out->save = (struct world_save){.seats = save->seats,
                                    .deals = (int)save->deals,
                                    .deal_seed = save->game_seed,
                                    .position = {out->position, text.length}};
    add_log(out, save);
    return true;
}
