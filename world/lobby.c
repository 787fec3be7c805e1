/* What people do around a game: come, sit, choose house rules and bots, start, leave. Each verb of
 * world/ stands in the table at the end with the time and the people it is for. */
#include "world/change.h"

#include "engine/ensure.h"
#include "games/registry.h"
#include <string.h>

enum { DURING_ANY = LOBBY_ANY_TIME, DURING_WAITING = 1, DURING_PLAYING = 2, DURING_OVER = 4 };

/* ---- Invitations ---- */

void world_invitation(const struct world *world, char out[WORLD_INVITATION_SIZE]) {
    uint8_t seed[CHANCE_SEED_SIZE];
    struct text text;
    chance_deal_seed(world->bot_seed, SEED_OF_INVITATIONS + world->renewals, seed);
    text_begin(&text, out, WORLD_INVITATION_SIZE);
    text_hex(&text, seed, WORLD_INVITATION_SIZE / 2);
}

/* ---- Words ---- */

static bool read_name(struct change *change, struct span name) {
    return record_name_fits(name) ||
           refuse(change->why, "BAD_REQUEST", "A name has 1 to %d bytes and no quotes",
                  RECORD_NAME_MAX);
}

static void copy_span(char *to, size_t size, struct span from) {
    ensure(from.length < size);
    memset(to, 0, size);
    memcpy(to, from.data, from.length);
}

bool change_id(struct change *change, struct span *out) {
    return (scan_word(&change->rest, out) && out->length <= WORLD_ID_MAX) ||
           refuse(change->why, "BAD_REQUEST", "An id of 1 to %d bytes is missing", WORLD_ID_MAX);
}

bool change_ends(struct change *change) {
    struct span word;
    return !scan_word(&change->rest, &word) ||
           refuse_word(change->why, word, "BAD_REQUEST", "The action should end before '%s'");
}

/* ---- Coming and going ---- */

static struct world_member *add_member(struct change *change, struct span name, bool watching) {
    struct world *world = change->world;
    ensure(world->member_count < WORLD_MEMBERS_MAX); /* one for each seat, and those who watch */
    struct world_member *member = &world->member[world->member_count++];
    *member = (struct world_member){.watching = watching, .seen_ms = change->entry->time_ms};
    copy_span(member->id, sizeof member->id, change->entry->id);
    copy_span(member->name, sizeof member->name, name);
    member_recall_talk(world, member);
    world->empty_ms = 0;
    if (world->member_count == 1)
        owner_pass_on(world);
    return member;
}

static void sit_down(struct change *change, int seat, struct span name) {
    struct world_seat *place = &change->world->seat[seat];
    *place = (struct world_seat){
        .kind = WORLD_SEAT_PERSON, .level = BOT_MEDIUM, .acted_ms = change->entry->time_ms};
    copy_span(place->id, sizeof place->id, change->entry->id);
    copy_span(place->name, sizeof place->name, name);
}

/* Finds what each place counts as for this change. For an entry from the log no place is closed by
 * house rules, since the entry may be older than that rule. */
static void find_kinds(const struct change *change, uint8_t kind[SEATS_MAX]) {
    world_seat_kinds(change->world, kind);
    for (int seat = 0; change->folding && seat < SEATS_MAX; seat++)
        kind[seat] = change->world->seat[seat].kind;
}

static int count_people(const struct world *world) {
    int people = 0;
    for (int seat = 0; seat < world->seat_count; seat++)
        people += world->seat[seat].kind == WORLD_SEAT_PERSON;
    return people;
}

/* The first place that a bot has or that is empty (WD-C22); -1 if people have all of them. */
static int free_seat(const struct world *world, bool folding) {
    if (!folding && count_people(world) >= world_places(world))
        return -1;
    for (int seat = 0; seat < world->seat_count; seat++)
        if (world->seat[seat].kind == WORLD_SEAT_BOT || world->seat[seat].kind == WORLD_SEAT_OPEN)
            return seat;
    return -1;
}

bool world_welcomes(const struct world *world, struct span id, struct refusal *why) {
    for (int i = 0; i < world->banned_count; i++)
        if (span_is(id, world->banned[i]))
            return refuse(why, "REMOVED", "The owner removed you from this world");
    return true;
}

bool world_has_place(const struct world *world, struct span id) {
    return seat_of(world, id) >= 0 ||
           (world->status == WORLD_WAITING && free_seat(world, false) >= 0);
}

/* Older logs were written with a shorter list of those who were removed, so whoever comes in a log
 * was welcome. */
static bool is_welcome(const struct change *change) {
    return change->folding || world_welcomes(change->world, change->entry->id, change->why);
}

static bool refuse_full(struct change *change) {
    return refuse(change->why, "ROOM_FULL", "This world is full");
}

static void call_member(struct change *change, struct world_member *member, struct span name) {
    struct world *world = change->world;
    int seat = seat_of(world, change->entry->id);
    copy_span(member->name, sizeof member->name, name);
    if (seat >= 0)
        copy_span(world->seat[seat].name, sizeof world->seat[seat].name, name);
}

/* Lets a member come back: to the own seat, which a bot plays, or under another name. */
static enum world_answer come_back(struct change *change, int number, struct span name) {
    struct world *world = change->world;
    struct world_seat *seat = &world->seat[number];
    struct world_member *member = member_of(world, change->entry->id);
    bool returns = !member || (seat->away && !seat->returning);
    if (!returns && span_is(name, member->name))
        return WORLD_NOTHING;
    if (!member)
        member = add_member(change, name, false);
    seat->returning = seat->returning || returns;
    call_member(change, member, name);
    tell_world(change);
    return WORLD_DONE;
}

static enum world_answer join(struct change *change) {
    struct world *world = change->world;
    struct span name = change_rest(change);
    if (!read_name(change, name))
        return WORLD_REFUSED;
    int own = seat_of(world, change->entry->id);
    if (own >= 0)
        return come_back(change, own, name);
    if (world->status != WORLD_WAITING)
        return change_answer(
            refuse(change->why, "ALREADY_STARTED", "The game has already started"));
    struct world_member *member = member_of(world, change->entry->id);
    int seat = free_seat(world, change->folding);
    if (!is_welcome(change))
        return WORLD_REFUSED;
    if (seat < 0)
        return change_answer(refuse_full(change));
    sit_down(change, seat, name);
    if (member)
        member->watching = false;
    else
        add_member(change, name, false);
    tell_news(change, "joined", change->entry->id);
    tell_seat(change, seat);
    tell_world(change);
    return WORLD_DONE;
}

static int count_watching(const struct world *world) {
    int count = 0;
    for (int i = 0; i < world->member_count; i++)
        count += world->member[i].watching;
    return count;
}

static enum world_answer watch(struct change *change) {
    struct world *world = change->world;
    struct span name = change_rest(change);
    if (!read_name(change, name))
        return WORLD_REFUSED;
    if (member_of(world, change->entry->id))
        return seat_stand_by(change, member_of(world, change->entry->id));
    if (seat_of(world, change->entry->id) >= 0)
        return join(change);
    if (world->manners.slot[MANNER_WATCHING] == 0)
        return change_answer(
            refuse(change->why, "NO_WATCHING", "This world does not allow watching"));
    if (!is_welcome(change))
        return WORLD_REFUSED;
    if (count_watching(world) == WORLD_WATCHING_MAX)
        return change_answer(refuse_full(change));
    add_member(change, name, true);
    tell_news(change, "watches", change->entry->id);
    tell_world(change);
    return WORLD_DONE;
}

/* Lets a person go. Once the game has started the seat stays the person's own, and a bot plays
 * it. */
static void depart(struct change *change, const char *what, struct span id) {
    struct world *world = change->world;
    int seat = seat_of(world, id);
    tell_news(change, what, id);
    if (seat >= 0 && world->status == WORLD_WAITING) {
        seat_free(world, seat);
    } else if (seat >= 0) {
        world->seat[seat].away = true;
        world->seat[seat].returning = false;
        change->seats_changed = true;
    }
    member_remove(world, id, change->entry->time_ms);
    if (seat >= 0)
        tell_seat(change, seat);
    tell_world(change);
}

static enum world_answer leave(struct change *change) {
    if (!change_ends(change))
        return WORLD_REFUSED;
    depart(change, "left", change->entry->id);
    return WORLD_DONE;
}

/* A bot gets the seat of somebody who does not come back to it. */
static void give_up_seat(struct change *change, int seat) {
    struct world *world = change->world;
    seat_make_bot(world, seat, (enum bot_level)world->seat[seat].level);
    change->seats_changed = true;
    tell_seat(change, seat);
}

void lobby_depart_for_good(struct change *change, const char *what, struct span id) {
    struct world *world = change->world;
    int seat = seat_of(world, id);
    if (seat >= 0 && world->status != WORLD_WAITING)
        give_up_seat(change, seat);
    if (member_of(world, id))
        depart(change, what, id);
    else
        tell_world(change);
}

/* Leaves for good, as people do who are erased; also who has left before and still has a seat. */
static enum world_answer quit(struct change *change) {
    struct span id = change->entry->id;
    if (!change_ends(change))
        return WORLD_REFUSED;
    if (seat_of(change->world, id) < 0 && !member_of(change->world, id))
        return change_answer(refuse(change->why, "NOT_A_MEMBER", "You are not in this world"));
    lobby_depart_for_good(change, "left", id);
    return WORLD_DONE;
}

enum world_answer lobby_gone(struct change *change) {
    struct span id;
    if (!change_id(change, &id))
        return WORLD_REFUSED;
    if (!member_of(change->world, id))
        return change_answer(refuse(change->why, "NOT_A_MEMBER", "There is no such member"));
    depart(change, "left", id);
    return WORLD_DONE;
}

static enum world_answer rename(struct change *change) {
    struct span name = change_rest(change);
    if (!read_name(change, name))
        return WORLD_REFUSED;
    struct world_member *member = member_of(change->world, change->entry->id);
    if (span_is(name, member->name))
        return WORLD_NOTHING;
    call_member(change, member, name);
    tell_world(change);
    return WORLD_DONE;
}

/* ---- House rules and places ---- */

static bool is_manner(struct span word) {
    for (size_t i = 0; i < world_manners.option_count; i++) {
        const char *key = world_manners.options[i].key;
        size_t length = strlen(key);
        if (word.length > length && word.data[length] == '=' && memcmp(word.data, key, length) == 0)
            return true;
    }
    return false;
}

static struct span key_of(struct span word) {
    const char *sign = memchr(word.data, '=', word.length);
    return (struct span){word.data, sign ? (size_t)(sign - word.data) : word.length};
}

/* Is the key of this setting also in one of the words before it? */
static bool is_repeated(struct scan earlier, struct span word) {
    struct span key = key_of(word), other;
    while (scan_word(&earlier, &other) && other.data < word.data) {
        other = key_of(other);
        if (other.length == key.length && memcmp(other.data, key.data, key.length) == 0)
            return true;
    }
    return false;
}

/* Reads `key=value key=value ...` up to a word without `=`: settings of the game and of the
 * world. Old logs may have some of them twice. */
static bool read_settings(struct change *change, struct options *options, struct options *manner) {
    struct scan first = change->rest;
    struct span word;
    while (scan_peek(change->rest, &word) && memchr(word.data, '=', word.length)) {
        scan_word(&change->rest, &word);
        bool own = is_manner(word);
        if (!change->folding && is_repeated(first, word))
            return refuse_word(change->why, key_of(word), "INVALID_SETTING",
                               "'%s' stands there twice");
        if (!own && change->world->loaded)
            return refuse(change->why, "SETTING_LOCKED", "A saved game goes on with its own rules");
        if (!options_parse(own ? &world_manners : &change->world->game->options, word,
                           own ? manner : options, change->why))
            return false;
    }
    return true;
}

static bool same_options(const struct options *a, const struct options *b) {
    return memcmp(a->slot, b->slot, sizeof a->slot) == 0;
}

static enum world_answer set(struct change *change) {
    struct options options = change->world->options, manner = change->world->manners;
    if (scan_done(change->rest))
        return change_answer(refuse(change->why, "INVALID_SETTING", "Which setting?"));
    if (!read_settings(change, &options, &manner) || !change_ends(change))
        return WORLD_REFUSED;
    if (!change->folding && same_options(&options, &change->world->options) &&
        same_options(&manner, &change->world->manners))
        return WORLD_NOTHING;
    change->world->options = options;
    change->world->manners = manner;
    tell_settings(change);
    tell_world(change);
    return WORLD_DONE;
}

static enum world_answer choose_preset(struct change *change) {
    struct world *world = change->world;
    struct span word;
    struct options options = world->options;
    if (world->loaded)
        return change_answer(
            refuse(change->why, "SETTING_LOCKED", "A saved game goes on with its own rules"));
    if (!scan_word(&change->rest, &word))
        return change_answer(refuse(change->why, "INVALID_SETTING", "Which preset?"));
    if (!options_preset(&world->game->options, word, &options, change->why) || !change_ends(change))
        return WORLD_REFUSED;
    world->options = options;
    tell_settings(change);
    tell_world(change);
    return WORLD_DONE;
}

static void exchange(struct world *world, int a, int b) {
    struct world_seat seat = world->seat[a];
    world->seat[a] = world->seat[b];
    world->seat[b] = seat;
}

/* WD-101, WD-120: exchanges two seats of different teams, named in either order. */
static enum world_answer swap(struct change *change) {
    const char *team[SEATS_MAX];
    int a, b;
    if (!change_seat(change, &a) || !change_seat(change, &b) || !change_ends(change))
        return WORLD_REFUSED;
    world_teams(change->world, team);
    if (!team[a] || !team[b] || *team[a] == *team[b])
        return change_answer(refuse(change->why, "INVALID_SWAP", "Invalid swap"));
    exchange(change->world, a, b);
    tell_teams(change);
    tell_world(change);
    return WORLD_DONE;
}

static enum world_answer move_seat(struct change *change) {
    struct world *world = change->world;
    uint8_t kind[SEATS_MAX];
    int from, to;
    if (!change_seat(change, &from) || !change_seat(change, &to) || !change_ends(change))
        return WORLD_REFUSED;
    find_kinds(change, kind);
    if (kind[from] < WORLD_SEAT_BOT || kind[to] == WORLD_SEAT_CLOSED)
        return change_answer(refuse(change->why, "INVALID_SEAT", "Nobody can be moved so"));
    if (from == to)
        return WORLD_NOTHING;
    exchange(world, from, to);
    tell_teams(change);
    tell_world(change);
    return WORLD_DONE;
}

/* PL-C14: may this place be opened, for a bot or for anybody? */
static bool has_room(const struct change *change, int seat, bool for_bot) {
    uint8_t kind[SEATS_MAX];
    int places = world_places(change->world), used = 0;
    find_kinds(change, kind);
    for (int other = 0; other < SEATS_MAX; other++)
        used += kind[other] >= (for_bot ? WORLD_SEAT_BOT : WORLD_SEAT_OPEN);
    return change->folding || kind[seat] != WORLD_SEAT_CLOSED || used < places ||
           refuse(change->why, "ROOM_FULL",
                  places == 1 ? "There is only %d place" : "There are only %d places", places);
}

/* Frees or closes a place. Places that the house rules had closed do not open in its stead. */
static void empty_place(struct world *world, int seat, enum world_seat_kind becomes) {
    uint8_t kind[SEATS_MAX];
    world_seat_kinds(world, kind);
    for (int other = 0; other < world->seat_count; other++)
        if (kind[seat] != WORLD_SEAT_CLOSED && kind[other] == WORLD_SEAT_CLOSED)
            world->seat[other] = (struct world_seat){.level = BOT_MEDIUM};
    world->seat[seat] = (struct world_seat){.kind = (uint8_t)becomes, .level = BOT_MEDIUM};
}

/* Sets a place to a bot's level, or to `open` or `closed` where the number of players is free. */
static enum world_answer choose_bot(struct change *change) {
    struct world *world = change->world;
    struct span word = {0};
    enum bot_level level = BOT_MEDIUM;
    int seat;
    if (!change_seat(change, &seat))
        return WORLD_REFUSED;
    bool open = scan_word(&change->rest, &word) && span_is(word, "open");
    bool closed = span_is(word, "closed");
    if (!open && !closed && !bot_level_parse(word, &level))
        return change_answer(
            refuse_word(change->why, word, "INVALID_SETTING", "There is no bot level '%s'"));
    if (!change_ends(change))
        return WORLD_REFUSED;
    if (world->seat[seat].kind == WORLD_SEAT_PERSON)
        return change_answer(refuse(change->why, "SEAT_TAKEN", "A person sits there"));
    bool fixed = world->game->players_min == world->game->players_max || world->loaded;
    if (fixed && (open || closed))
        return change_answer(refuse(change->why, "INVALID_SETTING", "This game needs every seat"));
    if (!closed && !has_room(change, seat, !open))
        return WORLD_REFUSED;
    if (open || closed)
        empty_place(world, seat, open ? WORLD_SEAT_OPEN : WORLD_SEAT_CLOSED);
    else
        seat_make_bot(world, seat, level);
    tell_seat(change, seat);
    tell_world(change);
    return WORLD_DONE;
}

static void send_watchers_away(struct change *change) {
    struct world *world = change->world;
    for (int i = world->member_count - 1; i >= 0; i--)
        if (world->member[i].watching && !span_is(change->entry->id, world->member[i].id))
            member_remove(world, span_of(world->member[i].id), change->entry->time_ms);
}

static bool has_watchers(const struct change *change) {
    const struct world *world = change->world;
    for (int i = 0; i < world->member_count; i++)
        if (world->member[i].watching && !span_is(change->entry->id, world->member[i].id))
            return true;
    return false;
}

/* What is no house rule may be set at any time. Who watches where watching is closed has to go;
 * `set` and `start` let them stay, so it may have been closed before. */
static enum world_answer set_manners(struct change *change) {
    struct world *world = change->world;
    struct options options = world->options, next = world->manners;
    struct span word;
    struct scan words = change->rest;
    while (scan_word(&words, &word))
        if (!is_manner(word))
            return change_answer(
                refuse_word(change->why, word, "INVALID_SETTING", "'%s' cannot be set like that"));
    if (!read_settings(change, &options, &next))
        return WORLD_REFUSED;
    bool stays = next.slot[MANNER_WATCHING] == 0 && has_watchers(change);
    if (memcmp(&next, &world->manners, sizeof next) == 0 && !stays)
        return WORLD_NOTHING;
    world->manners = next;
    if (!world_may_watch(world))
        send_watchers_away(change);
    tell_settings(change);
    tell_world(change);
    return WORLD_DONE;
}

/* ---- Starting ---- */

/* Reads `order 2 0 1 3`: the people on the old seats take the new ones in this order. */
static bool reorder(struct change *change, struct world *next) {
    struct span word;
    uint32_t used = 0;
    if (!scan_peek(change->rest, &word) || !span_is(word, "order"))
        return true;
    scan_word(&change->rest, &word);
    for (int seat = 0; seat < next->seat_count; seat++) {
        int from;
        if (!change_seat(change, &from))
            return false;
        if ((used >> from & 1) != 0)
            return refuse(change->why, "INVALID_SETTING", "Each seat is named once");
        used |= 1u << from;
        next->seat[seat] = change->world->seat[from];
    }
    return true;
}

/* Closes the places that nobody has taken: they do not play. */
static void close_ranks(struct world *next) {
    uint8_t kind[SEATS_MAX];
    int taken = 0;
    world_seat_kinds(next, kind);
    for (int seat = 0; seat < next->seat_count; seat++)
        if (kind[seat] >= WORLD_SEAT_BOT)
            next->seat[taken++] = next->seat[seat];
    for (int seat = taken; seat < next->seat_count; seat++)
        next->seat[seat] = (struct world_seat){0};
    next->seat_count = (uint8_t)taken;
}

static bool enough_players(const struct world *next, struct refusal *why) {
    const struct game *game = next->game;
    int count = next->seat_count;
    if (count >= game->players_min && count <= game->players_max)
        return true;
    return refuse(why, "INVALID_PLAYERS", "%s needs %d to %d players, there are %d", game->name,
                  game->players_min, game->players_max, count);
}

/* PL-37, HF-C48: whoever has the save knows its seed and all its cards. If other people play as
 * well, the deals to come are made from another seed, which nobody has seen, and the cards that lie
 * hidden are dealt anew among their places. Somebody who plays alone goes on as the saved game
 * would have (HF-100). */
static void hide_cards(struct world *next) {
    uint8_t seed[CHANCE_SEED_SIZE];
    struct chance chance;
    struct game_state seen;
    if (count_people(next) <= 1)
        return;
    game_change_seed(next);
    if (!next->deals_anew)
        return;
    chance_deal_seed(next->bot_seed, SEED_OF_CARDS_DEALT_ANEW, seed);
    chance_start(&chance, seed);
    game_observe(next->game, &next->state, SPECTATOR, &seen);
    game_sample(next->game, &seen, SPECTATOR, &chance, &next->state);
}

/* WD-44, WD-46, PL-17. */
static enum world_answer start(struct change *change) {
    struct world next = *change->world;
    if (!read_settings(change, &next.options, &next.manners) || !reorder(change, &next) ||
        !change_ends(change))
        return WORLD_REFUSED;
    close_ranks(&next);
    if (count_people(&next) == 0)
        return change_answer(
            refuse(change->why, "INVALID_PLAYERS", "At least one person must play"));
    if (!enough_players(&next, change->why))
        return WORLD_REFUSED;
    if (!next.loaded &&
        !game_start(next.game, &next.state, &next.options, next.seat_count, change->why))
        return WORLD_REFUSED;
    if (next.loaded)
        hide_cards(&next);
    next.loaded = false;
    next.status = WORLD_PLAYING;
    next.start_version = next.game_version = next.version + 1;
    next.games++;
    next.started_ms = change->entry->time_ms;
    *change->world = next;
    change->game_changed = true;
    tell_world(change);
    return WORLD_DONE;
}

/* ---- At any time ---- */

/* House rules are fixed once a game runs. The speed is no house rule. */
static enum world_answer choose_speed(struct change *change) {
    struct options *now = &change->world->manners, next = *now;
    struct span word;
    if (!scan_word(&change->rest, &word))
        return change_answer(refuse(change->why, "INVALID_SETTING", "Which speed?"));
    if (!options_set(&world_manners, span_of(world_manners.options[MANNER_SPEED].key), word, &next,
                     change->why) ||
        !change_ends(change))
        return WORLD_REFUSED;
    if (next.slot[MANNER_SPEED] == now->slot[MANNER_SPEED])
        return WORLD_NOTHING;
    *now = next;
    tell_settings(change);
    tell_world(change);
    return WORLD_DONE;
}

/* Whoever has an older link needs the code from now on. */
static enum world_answer renew_invitation(struct change *change) {
    if (!change_ends(change))
        return WORLD_REFUSED;
    change->world->renewals++;
    tell_world(change);
    return WORLD_DONE;
}

/* Reads `team a The Sharks`; without a name the team is called by its letter again. */
static enum world_answer name_team(struct change *change) {
    struct span word;
    bool known = scan_word(&change->rest, &word) && word.length == 1 && *word.data >= 'a' &&
                 *word.data < 'a' + WORLD_TEAMS_MAX;
    if (!known)
        return change_answer(refuse(change->why, "INVALID_TEAM", "There is no such team"));
    char *now = change->world->team_name[*word.data - 'a'];
    struct span name = change_rest(change);
    if (name.length > 0 && !read_name(change, name))
        return WORLD_REFUSED;
    if (span_is(name, now))
        return WORLD_NOTHING;
    copy_span(now, RECORD_NAME_MAX + 1, name);
    tell_world(change);
    return WORLD_DONE;
}

/* ---- During a game ---- */

static enum world_answer hand_over(struct change *change) {
    struct world *world = change->world;
    int number;
    if (!change_seat(change, &number) || !change_ends(change))
        return WORLD_REFUSED;
    struct world_seat *seat = &world->seat[number];
    if (seat->kind != WORLD_SEAT_PERSON || seat->away)
        return change_answer(refuse(change->why, "INVALID_SEAT", "A bot already plays that seat"));
    bool awaited = (world->awaited >> number & 1) != 0;
    bool idle = change->entry->time_ms - seat->acted_ms >= world->times.idle_ms;
    if (!awaited || (!idle && !change->folding))
        return change_answer(refuse(change->why, "NOT_IDLE", "That seat is not idle"));
    seat->away = seat->handed_over = true;
    change->seats_changed = true;
    tell_news(change, "away", span_of(seat->id));
    tell_seat(change, number);
    tell_world(change);
    return WORLD_DONE;
}

/* PL-C13: this person has seen enough of the result. */
static enum world_answer next_round(struct change *change) {
    struct world *world = change->world;
    int seat = seat_of(world, change->entry->id);
    if (!change_ends(change))
        return WORLD_REFUSED;
    if (seat < 0)
        return change_answer(refuse(change->why, "NOT_A_PLAYER", "Only those who play may go on"));
    if ((world->awaited & AWAITS_NATURE) == 0)
        return change_answer(refuse_wrong_phase(change->why));
    if (!change->folding && (world_looking(world) >> seat & 1) == 0)
        return WORLD_NOTHING;
    world->gone_on |= 1u << seat;
    game_await_people(world, change->entry->time_ms);
    return WORLD_DONE;
}

/* ---- The first entry ---- */

static void set_table(struct world *world) {
    const struct game *game = world->game;
    world->seat_count = (uint8_t)game->players_max;
    for (int seat = 0; seat < world->seat_count; seat++) {
        bool bot = game->lobby_bots && seat < game->players_default;
        world->seat[seat] = (struct world_seat){
            .kind = game->lobby_bots ? WORLD_SEAT_CLOSED : WORLD_SEAT_OPEN, .level = BOT_MEDIUM};
        if (bot)
            seat_make_bot(world, seat, BOT_MEDIUM);
    }
}

const char world_code_letters[] = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";

bool world_is_code(struct span word) {
    for (size_t i = 0; i < word.length; i++)
        if (!memchr(world_code_letters, word.data[i], sizeof world_code_letters - 1))
            return false;
    return word.length == WORLD_CODE_LENGTH;
}

/* Reads `GAME@WORLD.GAME`: the game, and the versions of the rules that the log follows. */
static bool read_rules(struct span word, struct span *game, int32_t out[2]) {
    const char *at = memchr(word.data, '@', word.length);
    *game = word;
    out[0] = out[1] = 1;
    if (!at)
        return true;
    game->length = (size_t)(at - word.data);
    struct span world = {at + 1, word.length - game->length - 1};
    const char *dot = memchr(world.data, '.', world.length);
    if (!dot)
        return false;
    struct span rest = {dot + 1, world.length - (size_t)(dot - world.data) - 1};
    world.length = (size_t)(dot - world.data);
    return span_number(world, &out[0]) && span_number(rest, &out[1]);
}

static bool knows_rules(const struct game *game, const int32_t rules[2]) {
    int now = game_rules(game), oldest = game->rules_oldest ? game->rules_oldest : now;
    return rules[0] >= WORLD_RULES_OLDEST && rules[0] <= WORLD_RULES && rules[1] >= oldest &&
           rules[1] <= now;
}

static bool refuse_other_rules(const struct game *game, const int32_t rules[2],
                               struct refusal *why) {
    return refuse(why, "OTHER_RULES", "This world follows rules %d.%d of %s; this server has %d.%d",
                  (int)rules[0], (int)rules[1], game->name, WORLD_RULES, game_rules(game));
}

bool world_knows_rules(struct span line) {
    struct world_entry entry;
    struct span verb, code, word, game;
    int32_t rules[2];
    if (!world_read_entry(line, &entry))
        return true;
    struct scan scan = scan_of(entry.words);
    return !scan_word(&scan, &verb) || !span_is(verb, "create") || !scan_word(&scan, &code) ||
           !scan_word(&scan, &word) || !read_rules(word, &game, rules) || !registry_find(game) ||
           knows_rules(registry_find(game), rules);
}

/* Makes a world from `create CODE GAME@RULES SEED SEED NAME`. It is empty before that. */
enum world_answer lobby_create(struct change *change) {
    struct world *world = change->world;
    struct span code, word, game, deals, bots;
    int32_t rules[2];
    uint8_t deal_seed[CHANCE_SEED_SIZE], bot_seed[CHANCE_SEED_SIZE];
    if (!scan_word(&change->rest, &code) || !world_is_code(code) ||
        !scan_word(&change->rest, &word) || !read_rules(word, &game, rules))
        return change_answer(refuse(change->why, "BAD_REQUEST", "A world needs a code and a game"));
    if (!registry_find(game))
        return change_answer(
            refuse_word(change->why, game, "UNKNOWN_GAME", "There is no game '%s'"));
    if (!knows_rules(registry_find(game), rules))
        return change_answer(refuse_other_rules(registry_find(game), rules, change->why));
    if (!scan_word(&change->rest, &deals) || !span_hex(deals, deal_seed, sizeof deal_seed) ||
        !scan_word(&change->rest, &bots) || !span_hex(bots, bot_seed, sizeof bot_seed))
        return change_answer(refuse(change->why, "BAD_REQUEST", "A world needs two seeds"));
    struct span name = change_rest(change);
    if (!read_name(change, name))
        return WORLD_REFUSED;
    world->game = registry_find(game);
    copy_span(world->code, sizeof world->code, code);
    memcpy(world->deal_seed, deal_seed, sizeof deal_seed);
    memcpy(world->bot_seed, bot_seed, sizeof bot_seed);
    world->created_ms = change->entry->time_ms;
    options_default(&world->game->options, &world->options);
    options_default(&world_manners, &world->manners);
    set_table(world);
    sit_down(change, 0, name);
    add_member(change, name, false);
    return WORLD_DONE;
}

static const struct lobby_verb verbs[] = {
    {"join", DURING_ANY, false, true, join},
    {"watch", DURING_ANY, false, true, watch},
    {"leave", DURING_ANY, false, false, leave},
    {"quit", DURING_ANY, false, true, quit},
    {"name", DURING_ANY, false, false, rename},
    {"say", DURING_ANY, false, false, talk_say},
    {"emote", DURING_ANY, false, false, talk_emote},
    {"speed", DURING_ANY, true, false, choose_speed},
    {"team", DURING_ANY, true, false, name_team},
    {"renew", DURING_ANY, true, false, renew_invitation},
    {"set", DURING_WAITING, true, false, set},
    {"preset", DURING_WAITING, true, false, choose_preset},
    {"swap", DURING_WAITING, true, false, swap},
    {"move", DURING_WAITING, true, false, move_seat},
    {"bot", DURING_WAITING, true, false, choose_bot},
    {"remove", DURING_ANY, true, false, order_remove},
    {"mute", DURING_ANY, true, false, order_mute},
    {"unmute", DURING_ANY, true, false, order_unmute},
    {"owner", DURING_ANY, true, false, order_make_owner},
    {"manners", DURING_ANY, true, false, set_manners},
    {"start", DURING_WAITING, true, false, start},
    {"save", DURING_PLAYING | DURING_OVER, true, false, game_save},
    {"sit", DURING_ANY, false, false, seat_sit},
    {"hand-over", DURING_PLAYING, true, false, hand_over},
    {"next", DURING_PLAYING, false, false, next_round},
    {"again", DURING_OVER, true, false, game_again},
    {"lobby", DURING_OVER, true, false, game_lobby},
    {"rematch", DURING_OVER, false, false, game_rematch},
};

const struct lobby_verb *lobby_find_verb(struct span word) {
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        if (span_is(word, verbs[i].name))
            return &verbs[i];
    return NULL;
}

static void print_setting(const struct world *world, struct span word, struct text *out) {
    bool own = is_manner(word);
    const struct option_table *table = own ? &world_manners : &world->game->options;
    struct options options = own ? world->manners : world->options;
    struct span key = key_of(word);
    size_t i = 0;
    while (i < table->option_count && !span_is(key, table->options[i].key))
        i++;
    if (i == table->option_count || !options_parse(table, word, &options, NULL)) {
        text_span(out, word);
        return;
    }
    text_span(out, key);
    text_char(out, '=');
    option_print_value(&table->options[i], &options, out);
}

static void print_word(const struct world *world, struct span word, struct text *out) {
    int32_t number;
    if (world->game && memchr(word.data, '=', word.length))
        print_setting(world, word, out);
    else if (span_number(word, &number))
        text_number(out, number);
    else
        text_span(out, word);
}

void lobby_print(const struct world *world, const struct lobby_verb *verb, struct span words,
                 struct text *out) {
    struct scan scan = scan_of(words);
    struct span word;
    scan_word(&scan, &word);
    text_span(out, word);
    if (verb->run == talk_say) { /* blanks are part of what is said */
        struct change change = {.rest = scan};
        text_char(out, ' ');
        text_span(out, change_rest(&change));
        return;
    }
    bool names =
        verb->run == join || verb->run == watch || verb->run == rename || verb->run == name_team;
    while (scan_word(&scan, &word)) {
        text_char(out, ' ');
        if (names)
            text_span(out, word);
        else
            print_word(world, word, out);
    }
}
