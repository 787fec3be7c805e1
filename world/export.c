/* A world's log as an `.oyster` record. What only a seat may know is left out while it is a secret:
 * until the round is over, and in games whose hands outlast a round until the game is over. */
#include "world/change.h"

#include <string.h>

bool world_round_runs(const struct world *world) {
    return world->status == WORLD_PLAYING && !game_round_has_ended(world->game, &world->state);
}

void world_export_begin(struct world_export *export, const struct world *now) {
    export->now = now;
    export->round_is_over = !world_round_runs(now);
    world_empty(&export->folded, &now->times);
}

/* Does the next entry belong to what is still a secret? */
static bool is_running(const struct world_export *export) {
    return !export->round_is_over && export->folded.version + 1 >= export->now->round_version;
}

static bool is_hidden(const struct world_export *export, struct span verb) {
    const struct world *now = export->now;
    bool in_this_game = export->folded.version + 1 >= now->game_version;
    if (span_is(verb, "deal") && now->game->hands_carry_over && now->status == WORLD_PLAYING)
        return in_this_game;
    return is_running(export);
}

static void write_header(const struct world *world, struct text *out) {
    struct record_seat seats[SEATS_MAX];
    for (int i = 0; i < world->seat_count; i++) {
        const struct world_seat *seat = &world->seat[i];
        bool bot = seat_is_bots(seat);
        seats[i] = (struct record_seat){
            .name = span_of(seat->name),
            .bot = bot,
            .level = span_of(bot ? bot_level_name((enum bot_level)seat->level) : "")};
    }
    record_write_header(world->game, &world->options, seats, world->seat_count, out);
}

/* Writes of a deal only that there was one, and of a secret move only its verb. */
static void write_hidden(const struct world *world, const struct world_entry *entry,
                         struct text *out) {
    struct scan words = scan_of(entry->words);
    struct span verb;
    struct move move;
    scan_word(&words, &verb);
    if (entry->actor == ACTOR_NATURE) {
        text_string(out, "# - ");
        text_span(out, verb);
        text_string(out, " (shown when it is no secret any longer)\n");
        return;
    }
    char buffer[MOVE_TEXT_SIZE];
    struct text public;
    text_begin(&public, buffer, sizeof buffer);
    if (entry->seat >= world->seat_count ||
        !game_parse(world->game, &world->state, entry->words, &move, NULL))
        return; /* folding this line will say what is wrong with it */
    game_print_public(world->game, &move, &public);
    record_write_entry(entry->seat, (struct span){buffer, public.length}, out);
}

static void write_move(const struct world_export *export, const struct world_entry *entry,
                       struct text *out) {
    struct scan words = scan_of(entry->words);
    struct span verb;
    scan_word(&words, &verb);
    bool chance = span_is(verb, "deal") || span_is(verb, "shuffle");
    if (entry->actor == ACTOR_PERSON || (entry->actor == ACTOR_NATURE && !chance))
        return;
    if (export->folded.status == WORLD_PLAYING && is_hidden(export, verb))
        write_hidden(&export->folded, entry, out);
    else
        record_write_entry(entry->seat, entry->words, out);
}

static uint32_t bots_seats(const struct world *world) {
    uint32_t seats = 0;
    for (int seat = 0; seat < world->seat_count; seat++)
        seats |= (uint32_t)seat_is_bots(&world->seat[seat]) << seat;
    return seats;
}

/* Writes who plays a seat from here on. */
static void write_players(const struct world *world, uint32_t bots_before, struct text *out) {
    uint32_t changed = bots_seats(world) ^ bots_before;
    for (int seat = 0; seat < world->seat_count; seat++) {
        if ((changed >> seat & 1) == 0)
            continue;
        text_string(out, seat_is_bots(&world->seat[seat]) ? "# a bot plays seat "
                                                          : "# a person plays seat ");
        text_number(out, seat);
        text_char(out, '\n');
    }
}

static void write_start(const struct world_export *export, bool loaded, bool running,
                        struct text *out) {
    write_header(&export->folded, out);
    if (loaded && running)
        text_string(out, "# position (shown when it is no secret any longer)\n");
    else if (loaded)
        record_write_position(export->folded.game, &export->folded.state, out);
}

bool world_export_line(struct world_export *export, struct span line, struct text *out,
                       struct refusal *why) {
    struct world *folded = &export->folded;
    struct world_entry entry;
    if (!world_read_entry(line, &entry))
        return refuse(why, "BAD_RECORD", "This is no entry of a world's log");
    if (folded->version + 1 < export->now->start_version) /* games before the last lobby had other
                                                             rules and stay out of the record */
        return world_fold(folded, line, why);
    write_move(export, &entry, out);
    uint32_t bots = bots_seats(folded);
    int64_t game_version = folded->game_version;
    bool started = folded->status != WORLD_WAITING;
    bool loaded = folded->loaded, running = is_running(export);
    if (!world_fold(folded, line, why))
        return false;
    if (started)
        write_players(folded, bots, out);
    if (started && folded->game_version != game_version)
        record_write_entry(0, span_of("again"), out);
    else if (!started && folded->status == WORLD_PLAYING)
        write_start(export, loaded, running, out);
    return true;
}
