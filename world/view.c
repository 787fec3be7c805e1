/* What people see of a world: the whole of it, the game within it, and what just happened. */
#include "world/change.h"

#include <string.h>

static const char *const status_names[] = {"waiting", "playing", "game_over", "closed"};

void world_player_ids(const struct world *world, const char *ids[SEATS_MAX]) {
    for (int seat = 0; seat < SEATS_MAX; seat++)
        ids[seat] = world->seat[seat].id;
}

/* ---- Teams ---- */

/* Finds the side that each taken place is on or will be on. Sides are the game's business, so it is
 * asked. */
static bool find_sides(const struct world *world, int taken, struct result *out) {
    struct game_state state;
    if (world->status != WORLD_WAITING || world->loaded) {
        game_result(world->game, &world->state, out);
        return true;
    }
    if (taken < world->game->players_min ||
        !game_start(world->game, &state, &world->options, taken, NULL))
        return false;
    game_result(world->game, &state, out);
    return true;
}

void world_teams(const struct world *world, const char *team[SEATS_MAX]) {
    static const char *const letters[SEATS_MAX] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    struct result sides;
    uint8_t kind[SEATS_MAX];
    memset(team, 0, SEATS_MAX * sizeof team[0]);
    if (!world->game)
        return;
    world_seat_kinds(world, kind);
    int taken = world_count_taken(kind);
    if (!find_sides(world, taken, &sides) || sides.sides < 2 || sides.sides >= taken)
        return;
    for (int seat = 0, place = 0; seat < world->seat_count; seat++)
        if (kind[seat] >= WORLD_SEAT_BOT)
            team[seat] = letters[sides.side_of[place++]];
}

/* ---- Members of the world ---- */

static void put_text(struct json *json, const char *key, const char *value) {
    json_put_string(json, key, value && *value ? value : NULL);
}

static bool is_connected(const struct world *world, const char *id) {
    const struct world_member *member = world_find_member(world, span_of(id));
    return member && member->connected;
}

/* What is shown of each seat but follows from all of them together. */
struct seating_plan {
    const char *team[SEATS_MAX];
    uint8_t kind[SEATS_MAX];
    bool free_seats[SEATS_MAX];
};

static void find_plan(const struct world *world, struct seating_plan *out) {
    world_teams(world, out->team);
    world_seat_kinds(world, out->kind);
    world_free_seats(world, out->free_seats);
}

/* A person's seat that a bot plays keeps the person's name and has no character. */
static void put_character(const struct world_seat *seat, struct json *json) {
    if (seat->kind != WORLD_SEAT_BOT) {
        json_put_null(json, "character");
        return;
    }
    struct bot_character character = bot_character((enum bot_level)seat->level, seat->character);
    json_put_object(json, "character");
    json_put_string(json, "name", character.name);
    json_put_string(json, "face", character.face);
    json_put_end(json);
}

static void put_seat(const struct world *world, int number, const struct seating_plan *plan,
                     struct json *json) {
    static const struct world_seat closed;
    bool open = plan->kind[number] != WORLD_SEAT_CLOSED;
    const struct world_seat *seat = open ? &world->seat[number] : &closed;
    bool bot = seat_is_bots(seat);
    json_put_number(json, "seatIndex", number);
    put_text(json, "playerId", seat->id);
    put_text(json, "name", seat->name);
    put_text(json, "bot", bot ? bot_level_name((enum bot_level)seat->level) : NULL);
    put_character(seat, json);
    put_text(json, "team", plan->team[number]);
    json_put_bool(json, "connected",
                  seat->kind == WORLD_SEAT_PERSON && is_connected(world, seat->id));
    json_put_bool(json, "open", open);
    json_put_bool(json, "away", seat->kind == WORLD_SEAT_PERSON && seat->away);
    json_put_bool(json, "free", plan->free_seats[number]);
    json_put_number(json, "won", seat->won);
}

static void put_seats(const struct world *world, const char *key, struct json *json) {
    struct seating_plan plan;
    find_plan(world, &plan);
    json_put_array(json, key);
    for (int seat = 0; seat < world->seat_count; seat++) {
        json_put_object(json, NULL);
        put_seat(world, seat, &plan, json);
        json_put_end(json);
    }
    json_put_end(json);
}

void world_seats_view(const struct world *world, struct json *json) {
    put_seats(world, NULL, json);
}

static void put_team_names(const struct world *world, struct json *json) {
    json_put_object(json, "teamNames");
    for (int i = 0; i < WORLD_TEAMS_MAX; i++) {
        const char team[] = {(char)('a' + i), '\0'};
        if (*world->team_name[i])
            json_put_string(json, team, world->team_name[i]);
    }
    json_put_end(json);
}

/* The seat that somebody waits for, "any", or null. */
static void put_wish(const struct world_member *member, struct json *json) {
    int seat = world_wanted_seat(member);
    if (seat >= 0)
        json_put_number(json, "wants", seat);
    else
        put_text(json, "wants", world_waits_for_seat(member) ? "any" : NULL);
}

static void put_spectators(const struct world *world, struct json *json) {
    json_put_array(json, "spectators");
    for (int i = 0; i < world->member_count; i++) {
        if (!world->member[i].watching)
            continue;
        json_put_object(json, NULL);
        json_put_string(json, "playerId", world->member[i].id);
        json_put_string(json, "name", world->member[i].name);
        json_put_bool(json, "connected", world->member[i].connected);
        put_wish(&world->member[i], json);
        json_put_end(json);
    }
    json_put_end(json);
}

/* Who asks for another game, by id. */
static void put_rematch(const struct world *world, struct json *json) {
    json_put_array(json, "rematch");
    for (int i = 0; i < world->member_count; i++)
        if (world->member[i].wants_rematch)
            json_put_string(json, NULL, world->member[i].id);
    json_put_end(json);
}

static void put_settings(const struct world *world, struct json *json) {
    options_json_members(&world->game->options, &world->options, json);
    options_json_members(&world_manners, &world->manners, json);
}

/* HF-C48: who loaded the game that is played. */
static void put_loader(const struct world *world, struct json *json) {
    if (!*world->loader) {
        json_put_null(json, "loadedBy");
        return;
    }
    json_put_object(json, "loadedBy");
    json_put_string(json, "playerId", world->loader);
    json_put_string(json, "name", world->loader_name);
    json_put_end(json);
}

/* Strangers may see a public world, but not invite others to it. */
static void put_lobby(const struct world *world, bool to_members, struct json *json) {
    char invitation[WORLD_INVITATION_SIZE];
    world_invitation(world, invitation);
    json_put_string(json, "gameId", world->game->id);
    json_put_string(json, "status", status_names[world->status]);
    json_put_string(json, "ownerId", world->owner);
    json_put_object(json, "settings");
    put_settings(world, json);
    json_put_end(json);
    put_seats(world, "seats", json);
    json_put_number(json, "places", world_places(world));
    put_team_names(world, json);
    put_spectators(world, json);
    json_put_number(json, "played", world->played);
    put_rematch(world, json);
    json_put_array(json, "muted");
    for (int i = 0; i < world->muted_count; i++)
        json_put_string(json, NULL, world->muted[i]);
    json_put_end(json);
    put_loader(world, json);
    put_text(json, "invitation", to_members ? invitation : NULL);
}

/* ---- The game ---- */

/* HF-95: a line has a message, the player's name and a time. */
static void put_line(const struct world *world, const struct world_tail *line, struct json *json) {
    bool by_somebody = line->seat >= 0;
    json_put_natural(json, "seatIndex", line->seat);
    json_put_string(json, "player", by_somebody ? world->seat[line->seat].name : NULL);
    json_put_string(json, "message", line->text);
    json_put_number(json, "time", line->time_ms);
}

void world_tell_hand(const struct world *world, int seat, struct events *events) {
    const char *ids[SEATS_MAX];
    bool begun = world->status == WORLD_PLAYING || world->status == WORLD_OVER;
    if (!begun || !world->game->tell_hand)
        return;
    world_player_ids(world, ids);
    events->json.player_ids = ids;
    world->game->tell_hand(&world->state, seat, events);
    events->json.player_ids = NULL;
}

/* The oldest line comes first. */
static void put_log(const void *of, struct json *json) {
    const struct world *world = of;
    uint32_t count = world->tail_count < WORLD_TAIL_MAX ? world->tail_count : WORLD_TAIL_MAX;
    json_put_array(json, "log");
    for (uint32_t i = world->tail_count - count; i < world->tail_count; i++) {
        json_put_object(json, NULL);
        put_line(world, &world->tail[i % WORLD_TAIL_MAX], json);
        json_put_end(json);
    }
    json_put_end(json);
}

static void put_time(struct json *json, const char *key, int64_t time_ms) {
    json_put_natural(json, key, time_ms > 0 ? time_ms : -1);
}

void world_game_view(const struct world *world, int seat, const char *key, struct json *json) {
    const char *ids[SEATS_MAX];
    if (world->status == WORLD_WAITING || world->status == WORLD_CLOSED) {
        json_put_null(json, key);
        return;
    }
    bool sits = seat >= 0;
    uint32_t looking = world_looking(world);
    struct game_offer offer = {.moves = sits && !world->seat[seat].away,
                               .again = sits && strcmp(world->seat[seat].id, world->owner) == 0,
                               .next_round = sits && (looking >> seat & 1) != 0};
    world_player_ids(world, ids);
    json->player_ids = ids;
    json_put_object(json, key);
    game_view_members(world->game, &world->state, seat, offer, json);
    json->player_ids = NULL;
    json_put_bits(json, "looking", looking);
    put_time(json, "phaseEndsAt", world->phase_ends_ms);
    put_time(json, "botActionAt", bot_is_awaited(world) ? world->bot_action_ms : 0);
    json_put_common(json, put_log, world);
    json_put_end(json);
}

/* How the game stands, by side: what everybody can see of it. */
static void put_standing(const struct world *world, struct json *json) {
    struct game_state seen;
    struct result result;
    if (world->status != WORLD_PLAYING && world->status != WORLD_OVER) {
        json_put_null(json, "standing");
        return;
    }
    game_observe(world->game, &world->state, SPECTATOR, &seen);
    game_result(world->game, &seen, &result);
    json_put_array(json, "standing");
    for (int side = 0; side < result.sides; side++) {
        int32_t score = 0;
        json_put_object(json, NULL);
        json_put_array(json, "seats");
        for (int seat = 0; seat < game_seats(&seen); seat++) {
            if (result.side_of[seat] != side)
                continue;
            json_put_number(json, NULL, seat);
            score = result.score[seat];
        }
        json_put_end(json);
        json_put_number(json, "score", score);
        json_put_end(json);
    }
    json_put_end(json);
}

void world_view(const struct world *world, struct span id, const char *key, struct json *json) {
    int seat = SPECTATOR;
    const struct world_member *member = world_find_member(world, id);
    world_find_seat(world, id, &seat);
    json_put_object(json, key);
    json_put_string(json, "roomCode", world->code);
    put_lobby(world, member != NULL, json);
    if (member) {
        json_put_object(json, "you");
        json_put_span(json, "playerId", id);
        json_put_natural(json, "seatIndex", seat);
        json_put_end(json);
    } else {
        json_put_null(json, "you");
    }
    json_put_number(json, "version", world->version);
    put_standing(world, json);
    world_game_view(world, seat, "view", json);
    json_put_end(json);
}

struct world_guests world_guests(const struct world *world) {
    const struct world_member *owner = world_find_member(world, span_of(world->owner));
    struct world_guests guests = {.host = owner ? owner->name : ""};
    uint8_t kind[SEATS_MAX];
    world_seat_kinds(world, kind);
    for (int seat = 0; seat < world->seat_count; seat++) {
        guests.people += kind[seat] == WORLD_SEAT_PERSON && !world->seat[seat].away;
        guests.places += kind[seat] != WORLD_SEAT_CLOSED;
    }
    return guests;
}

/* The house rules of a world that waits, as options_parse reads them; nobody joins the others by
 * their rules. Null also where so many were changed that a list has no room for them. */
static void put_rules(const struct world *world, struct json *json) {
    char line[WORLD_RULES_LISTED];
    struct text text;
    text_begin(&text, line, sizeof line);
    if (world->status == WORLD_WAITING)
        options_print(&world->game->options, &world->options, &text);
    json_put_string(json, "rules", world->status == WORLD_WAITING && !text.cut ? line : NULL);
}

void world_summary(const struct world *world, const char *key, struct json *json) {
    struct world_guests guests = world_guests(world);
    int people = 0;
    for (int i = 0; i < world->member_count; i++)
        people += !world->member[i].watching;
    json_put_object(json, key);
    json_put_string(json, "roomCode", world->code);
    json_put_string(json, "gameId", world->game->id);
    json_put_string(json, "status", status_names[world->status]);
    json_put_string(json, "ownerId", world->owner);
    json_put_number(json, "players", people);
    json_put_number(json, "places", guests.places);
    put_text(json, "host", guests.host);
    json_put_number(json, "createdAt", world->created_ms);
    put_rules(world, json);
    json_put_end(json);
}

/* ---- What just happened ---- */

void tell_world(struct change *change) {
    struct json *json = event_begin(change->events, "world-updated", EVERYONE);
    if (!json)
        return;
    put_lobby(change->world, true, json);
    event_end(change->events);
}

void world_present(const struct world *world, struct events *events) {
    struct change change = {.world = (struct world *)world, .events = events};
    tell_world(&change);
}

void tell_seat(struct change *change, int seat) {
    struct seating_plan plan;
    struct json *json = event_begin(change->events, "seat-changed", EVERYONE);
    if (!json)
        return;
    find_plan(change->world, &plan);
    put_seat(change->world, seat, &plan, json);
    event_end(change->events);
}

/* WD-45: {teams: {a: [ids], b: [ids]}} in the order of seats. */
void tell_teams(struct change *change) {
    const char *team[SEATS_MAX];
    struct json *json = event_begin(change->events, "teams-updated", EVERYONE);
    if (!json)
        return;
    world_teams(change->world, team);
    json_put_object(json, "teams");
    for (char letter = 'a'; letter < 'a' + SEATS_MAX; letter++) {
        const char name[] = {letter, '\0'};
        bool any = false;
        for (int seat = 0; seat < change->world->seat_count; seat++) {
            if (!team[seat] || *team[seat] != letter)
                continue;
            if (!any)
                json_put_array(json, name);
            any = true;
            json_put_string(json, NULL, change->world->seat[seat].id);
        }
        if (any)
            json_put_end(json);
    }
    json_put_end(json);
    event_end(change->events);
}

void tell_settings(struct change *change) {
    struct json *json = event_begin(change->events, "settings-updated", EVERYONE);
    if (!json)
        return;
    put_settings(change->world, json);
    event_end(change->events);
}

/* Tells a line of the log from before the world was made. */
void tell_past(struct change *change, const struct world_tail *line) {
    struct json *json = event_begin(change->events, "log-recalled", EVERYONE);
    if (!json)
        return;
    put_line(change->world, line, json);
    event_end(change->events);
}

void tell_news(struct change *change, const char *what, struct span id) {
    struct json *json = event_begin(change->events, "news", EVERYONE);
    const struct world_member *member = world_find_member(change->world, id);
    int seat = seat_of(change->world, id);
    if (!json)
        return;
    json_put_string(json, "what", what);
    json_put_span(json, "playerId", id);
    json_put_string(json, "name",
                    member     ? member->name
                    : seat < 0 ? ""
                               : change->world->seat[seat].name);
    json_put_natural(json, "seatIndex", seat);
    json_put_number(json, "time", change->entry->time_ms);
    event_end(change->events);
}

void tell_talk(struct change *change, const char *type, const char *key, struct span value) {
    struct json *json = event_begin(change->events, type, EVERYONE);
    const struct world_member *member = world_find_member(change->world, change->entry->id);
    if (!json)
        return;
    json_put_string(json, "playerId", member->id);
    json_put_string(json, "name", member->name);
    json_put_span(json, key, value);
    json_put_number(json, "time", change->entry->time_ms);
    event_end(change->events);
}
