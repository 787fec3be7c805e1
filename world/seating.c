/* Who sits down at a table that plays already, and what comes after a game: another one, or the
 * lobby again.
 *
 * People without a seat may take that of a bot, or of a person who has left: that seat waits for
 * the person until somebody else takes it. Where they may not sit down right now, because the
 * bot is in the middle of a turn, the owner wants them to wait for a deal, or the game is over, the
 * wish is kept, and `world_tick` lets them sit down as soon as they may. */
#include "world/change.h"

#include <string.h>

/* A member's wish: nothing, a seat, or any. */
enum { WANTS_NOTHING, WANTS_ANY = SEATS_MAX + 1 };

/* Does a bot play it for a person who is no member any more? */
static bool is_left(const struct world *world, int seat) {
    return world->status != WORLD_WAITING && world->seat[seat].kind == WORLD_SEAT_PERSON &&
           !world_find_member(world, span_of(world->seat[seat].id));
}

void world_free_seats(const struct world *world, bool out[SEATS_MAX]) {
    uint8_t kind[SEATS_MAX];
    int people = 0;
    world_seat_kinds(world, kind);
    for (int seat = 0; seat < SEATS_MAX; seat++)
        people += kind[seat] == WORLD_SEAT_PERSON;
    bool waits = world->status == WORLD_WAITING;
    bool any = waits ? people < world_places(world) : world_seating(world) != SEATING_NEVER;
    for (int seat = 0; seat < SEATS_MAX; seat++)
        out[seat] = any && (kind[seat] == WORLD_SEAT_BOT || is_left(world, seat) ||
                            (waits && kind[seat] == WORLD_SEAT_OPEN));
}

/* The seat that a wish is for, or SEATS_MAX for none: the next one from that on. Who wants any gets
 * the seat of somebody who left only where no bot has one. */
static int next_wanted(const struct world *world, uint8_t wish, const bool free_seats[SEATS_MAX],
                       int from) {
    bool other = false;
    for (int seat = 0; seat < world->seat_count; seat++)
        other = other || (free_seats[seat] && !is_left(world, seat));
    for (int seat = from; seat < world->seat_count; seat++) {
        bool meant = wish == WANTS_ANY ? !other || !is_left(world, seat) : wish == seat + 1;
        if (meant && free_seats[seat])
            return seat;
    }
    return SEATS_MAX;
}

/* May somebody who has wished for it since that version sit down on this free seat now? HF-C48:
 * whoever loaded or saved the game knows the cards of the round that runs, so they wait for a
 * deal. */
static bool may_take(const struct world *world, int64_t since, int seat) {
    if (world->status != WORLD_PLAYING)
        return world->status == WORLD_WAITING;
    bool dealt = world->round_version > since || world->game_version > since;
    bool known = *world->loader || world->saved;
    bool at_once = world_seating(world) == SEATING_AT_ONCE && !known;
    return seat_may_return(world, seat) && (dealt || at_once);
}

/* Finds the first seat that the member wants and may take now. */
static bool find_seat(const struct world *world, const struct world_member *member,
                      const bool free_seats[SEATS_MAX], int *out) {
    *out = -1;
    do
        *out = next_wanted(world, member->wanted_seat, free_seats, *out + 1);
    while (*out < SEATS_MAX && !may_take(world, member->wanted_version, *out));
    return *out < SEATS_MAX;
}

const struct world_member *seat_newcomer(const struct world *world, int *out) {
    bool free_seats[SEATS_MAX];
    bool looked = false;
    for (int i = 0; i < world->member_count; i++) {
        const struct world_member *member = &world->member[i];
        if (member->wanted_seat == WANTS_NOTHING || !member_is_there(world, member))
            continue;
        if (!looked)
            world_free_seats(world, free_seats);
        looked = true;
        if (find_seat(world, member, free_seats, out))
            return member;
    }
    return NULL;
}

/* The seat keeps the games that were won on it: whoever comes plays on for that side. */
static void take(struct change *change, struct world_member *member, int number) {
    struct world_seat *seat = &change->world->seat[number];
    *seat = (struct world_seat){.kind = WORLD_SEAT_PERSON,
                                .level = seat->level,
                                .won = seat->won,
                                .acted_ms = change->entry->time_ms};
    memcpy(seat->id, member->id, sizeof seat->id);
    memcpy(seat->name, member->name, sizeof seat->name);
    member->watching = false;
    member->wanted_seat = WANTS_NOTHING;
    change->seats_changed = true;
    tell_news(change, "sits", span_of(member->id));
    tell_seat(change, number);
    tell_world(change);
}

enum world_answer seat_take(struct change *change) {
    struct world *world = change->world;
    struct span id;
    bool free_seats[SEATS_MAX];
    int number;
    if (!scan_word(&change->rest, &id) || !change_seat(change, &number))
        return change_answer(refuse(change->why, "BAD_RECORD", "Who takes which seat?"));
    struct world_member *member = member_of(world, id);
    world_free_seats(world, free_seats);
    if (!member || member->wanted_seat == WANTS_NOTHING || !free_seats[number])
        return change_answer(refuse_wrong_phase(change->why));
    take(change, member, number);
    return WORLD_DONE;
}

/* Reads `sit 2`, or `sit` for any seat. */
static bool read_wish(struct change *change, const bool free_seats[SEATS_MAX], uint8_t *out) {
    bool any = scan_done(change->rest);
    int number = 0;
    if (!any && !change_seat(change, &number))
        return false;
    if (!scan_done(change->rest))
        return refuse(change->why, "BAD_REQUEST", "Only a seat follows the word sit");
    *out = (uint8_t)(any ? WANTS_ANY : number + 1);
    if (!any)
        return free_seats[number] || refuse(change->why, "SEAT_TAKEN", "That seat is taken");
    return next_wanted(change->world, WANTS_ANY, free_seats, 0) < SEATS_MAX ||
           refuse(change->why, "ROOM_FULL", "All seats are taken");
}

enum world_answer seat_sit(struct change *change) {
    struct world *world = change->world;
    struct world_member *member = member_of(world, change->entry->id);
    bool free_seats[SEATS_MAX];
    uint8_t wish = WANTS_NOTHING;
    int number;
    if (seat_of(world, change->entry->id) >= 0)
        return change_answer(refuse(change->why, "SEAT_TAKEN", "You have a seat"));
    if (world->status != WORLD_WAITING && world_seating(world) == SEATING_NEVER)
        return change_answer(
            refuse(change->why, "NO_SEATING", "Nobody takes a bot's seat in this world"));
    world_free_seats(world, free_seats);
    if (!read_wish(change, free_seats, &wish))
        return WORLD_REFUSED;
    if (member->wanted_seat == wish)
        return WORLD_NOTHING;
    member->wanted_seat = wish;
    member->wanted_version = world->version + 1;
    game_hide_deals(world);
    if (find_seat(world, member, free_seats, &number)) {
        take(change, member, number);
        return WORLD_DONE;
    }
    tell_news(change, "waits", change->entry->id);
    tell_world(change);
    return WORLD_DONE;
}

enum world_answer seat_stand_by(struct change *change, struct world_member *member) {
    if (member->wanted_seat == WANTS_NOTHING)
        return WORLD_NOTHING;
    member->wanted_seat = WANTS_NOTHING;
    tell_world(change);
    return WORLD_DONE;
}

int world_wanted_seat(const struct world_member *member) {
    return member->wanted_seat == WANTS_NOTHING || member->wanted_seat == WANTS_ANY
               ? -1
               : member->wanted_seat - 1;
}

bool world_waits_for_seat(const struct world_member *member) {
    return member->wanted_seat != WANTS_NOTHING;
}

/* ---- After a game ---- */

void game_count_wins(struct world *world) {
    struct result result;
    game_result(world->game, &world->state, &result);
    world->played++;
    for (int seat = 0; seat < world->seat_count; seat++)
        world->seat[seat].won += (result.winners >> seat & 1) != 0;
}

enum world_answer game_rematch(struct change *change) {
    struct world_member *member = member_of(change->world, change->entry->id);
    if (!scan_done(change->rest))
        return change_answer(
            refuse(change->why, "BAD_REQUEST", "Nothing follows the word rematch"));
    if (member->wants_rematch)
        return WORLD_NOTHING;
    member->wants_rematch = true;
    tell_news(change, "rematch", change->entry->id);
    tell_world(change);
    return WORLD_DONE;
}

/* People who left do not come along: their seats are free. */
static void leave_table(struct world *world) {
    for (int number = 0; number < world->seat_count; number++) {
        struct world_seat *seat = &world->seat[number];
        if (seat->kind == WORLD_SEAT_PERSON && !world_find_member(world, span_of(seat->id)))
            seat_free(world, number);
        seat->away = seat->returning = seat->handed_over = seat->bot_moved = false;
    }
    for (int number = world->seat_count; number < world->game->players_max; number++)
        world->seat[number] = (struct world_seat){
            .kind = world->game->lobby_bots ? WORLD_SEAT_CLOSED : WORLD_SEAT_OPEN,
            .level = BOT_MEDIUM};
    world->seat_count = (uint8_t)world->game->players_max;
}

enum world_answer game_lobby(struct change *change) {
    struct world *world = change->world;
    if (!scan_done(change->rest))
        return change_answer(refuse(change->why, "BAD_REQUEST", "Nothing follows the word lobby"));
    leave_table(world);
    game_renew(world);
    world->status = WORLD_WAITING;
    world->awaited = 0;
    change->game_changed = true;
    tell_news(change, "lobby", change->entry->id);
    tell_world(change);
    return WORLD_DONE;
}
