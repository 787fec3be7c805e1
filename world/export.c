/* A world's log as an `.oyster` record, with what nobody but its seat may know left out as long as
 * the round runs. */
#include "world/change.h"

#include <string.h>

void world_export_begin(struct world_export *export, const struct world *now) {
    struct deal deal = {0};
    export->now = now;
    export->round_is_over = now->status == WORLD_OVER || now->status == WORLD_CLOSED;
    if (now->status == WORLD_PLAYING && (now->awaited & AWAITS_NATURE) != 0) {
        now->game->deck(now->state.bytes, &deal);
        export->round_is_over = strcmp(deal.verb, "deal") == 0;
    }
    world_empty(&export->folded, &now->times);
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

/* While the round runs, of a deal only that it was, of a secret move only its verb. */
static void write_hidden(const struct world *world, const struct world_entry *entry,
                         struct text *out) {
    struct scan words = scan_of(entry->words);
    struct span verb;
    struct move move;
    scan_word(&words, &verb);
    if (entry->actor == ACTOR_NATURE) {
        text_string(out, "# - ");
        text_span(out, verb);
        text_string(out, " (shown when the round is over)\n");
        return;
    }
    char buffer[MOVE_TEXT_SIZE];
    struct text public;
    text_begin(&public, buffer, sizeof buffer);
    if (!game_parse(world->game, &world->state, entry->seat, entry->words, &move, NULL))
        return;
    game_print_public(world->game, &world->state, entry->seat, &move, &public);
    record_write_entry(entry->seat, (struct span){buffer, public.length}, out);
}

static bool is_game_move(const struct world_entry *entry, struct span verb) {
    return entry->actor == ACTOR_SEAT ||
           (entry->actor == ACTOR_NATURE && (span_is(verb, "deal") || span_is(verb, "shuffle")));
}

static void write_comment(const char *text, struct span about, struct text *out) {
    text_string(out, "# ");
    text_string(out, text);
    text_span(out, about);
    text_char(out, '\n');
}

bool world_export_line(struct world_export *export, struct span line, struct text *out,
                       struct refusal *why) {
    struct world *folded = &export->folded;
    struct world_entry entry;
    struct span verb;
    if (!world_read_entry(line, &entry))
        return refuse(why, 400, "BAD_RECORD", "This is no entry of a world's log");
    struct scan scan = scan_of(entry.words);
    scan_word(&scan, &verb);
    bool running = !export->round_is_over && folded->version + 1 >= export->now->round_version;
    if (is_game_move(&entry, verb) && running)
        write_hidden(folded, &entry, out);
    else if (is_game_move(&entry, verb))
        record_write_entry(entry.seat, entry.words, out);
    bool waited = folded->status == WORLD_WAITING;
    if (!world_fold(folded, line, why))
        return false;
    if (waited && folded->status == WORLD_PLAYING)
        write_header(folded, out);
    if (entry.actor == ACTOR_PERSON && span_is(verb, "again"))
        record_write_entry(0, span_of("again"), out);
    if (entry.actor == ACTOR_NATURE && span_is(verb, "away"))
        write_comment("a bot plays for seat ", (struct span){scan.at, (size_t)(scan.end - scan.at)},
                      out);
    return true;
}
