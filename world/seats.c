/* Who is in the world, who sits where, and who plays a seat at the moment. */
#include "world/change.h"

#include <string.h>

bool change_seat(struct change *change, int *out) {
    struct span word;
    int32_t number;
    if (!scan_word(&change->rest, &word))
        return refuse(change->why, "BAD_REQUEST", "Which seat?");
    if (!span_number(word, &number) || number < 0 || number >= change->world->seat_count)
        return refuse_word(change->why, word, "INVALID_SEAT", "There is no seat '%s'");
    *out = (int)number;
    return true;
}

struct span change_rest(const struct change *change) {
    const char *begin = change->rest.at, *end = change->rest.end;
    while (begin < end && *begin == ' ')
        begin++;
    while (end > begin && end[-1] == ' ')
        end--;
    return (struct span){begin, (size_t)(end - begin)};
}

enum world_answer change_answer(bool allowed) {
    return allowed ? WORLD_DONE : WORLD_REFUSED;
}

int seat_of(const struct world *world, struct span id) {
    for (int seat = 0; seat < world->seat_count; seat++)
        if (world->seat[seat].kind == WORLD_SEAT_PERSON && span_is(id, world->seat[seat].id))
            return seat;
    return -1;
}

struct world_member *member_of(struct world *world, struct span id) {
    for (int i = 0; i < world->member_count; i++)
        if (span_is(id, world->member[i].id))
            return &world->member[i];
    return NULL;
}

const struct world_member *world_find_member(const struct world *world, struct span id) {
    for (int i = 0; i < world->member_count; i++)
        if (span_is(id, world->member[i].id))
            return &world->member[i];
    return NULL;
}

bool world_find_seat(const struct world *world, struct span id, int *seat) {
    if (!world_find_member(world, id))
        return false;
    *seat = seat_of(world, id);
    return true;
}

bool world_owns_seat(const struct world *world, struct span id) {
    return seat_of(world, id) >= 0;
}

/* The largest number of players that the game would start with. If it would start with none, the
 * start says why, and no place is closed for it. */
int world_places(const struct world *world) {
    const struct game *game = world->game;
    struct game_state state;
    if (world->status != WORLD_WAITING || world->loaded)
        return world->seat_count;
    for (int count = game->players_max; count >= game->players_min; count--)
        if (game_start(game, &state, &world->options, count, NULL))
            return count;
    return game->players_max;
}

void world_seat_kinds(const struct world *world, uint8_t kind[SEATS_MAX]) {
    int surplus = -world_places(world);
    for (int seat = 0; seat < SEATS_MAX; seat++) {
        kind[seat] = world->seat[seat].kind;
        surplus += kind[seat] != WORLD_SEAT_CLOSED;
    }
    for (int which = WORLD_SEAT_OPEN; which <= WORLD_SEAT_BOT; which++) {
        for (int seat = SEATS_MAX - 1; seat >= 0 && surplus > 0; seat--) {
            if (kind[seat] == which) {
                kind[seat] = WORLD_SEAT_CLOSED;
                surplus--;
            }
        }
    }
}

int world_count_taken(const uint8_t kind[SEATS_MAX]) {
    int taken = 0;
    for (int seat = 0; seat < SEATS_MAX; seat++)
        taken += kind[seat] >= WORLD_SEAT_BOT;
    return taken;
}

bool seat_is_bots(const struct world_seat *seat) {
    return seat->kind == WORLD_SEAT_BOT || (seat->kind == WORLD_SEAT_PERSON && seat->away);
}

/* A person does not return in the middle of what the bot began, unless nobody else would notice. */
bool seat_may_return(const struct world *world, int seat) {
    bool awaited = (world->awaited >> seat & 1) != 0;
    return world->status != WORLD_PLAYING || !awaited || !world->seat[seat].bot_moved ||
           world->seat_count == 1;
}

/* The character of a new bot on the seat. The code of the world decides with which character the
 * round of them begins, and no two bots at a table have the same one. */
static uint8_t find_character(const struct world *world, int seat) {
    uint32_t number = 0, taken = 0;
    for (int i = 0; i < WORLD_CODE_LENGTH; i++)
        number = number * 7 + (uint8_t)world->code[i];
    for (int other = 0; other < world->seat_count; other++)
        if (other != seat && world->seat[other].kind == WORLD_SEAT_BOT)
            taken |= 1U << world->seat[other].character;
    number += (uint32_t)seat;
    while ((taken >> number % BOT_CHARACTERS & 1) != 0)
        number++;
    return (uint8_t)(number % BOT_CHARACTERS);
}

void seat_make_bot(struct world *world, int seat, enum bot_level level) {
    struct world_seat *bot = &world->seat[seat];
    struct text text;
    uint8_t character = bot->kind == WORLD_SEAT_BOT ? bot->character : find_character(world, seat);
    *bot = (struct world_seat){
        .kind = WORLD_SEAT_BOT, .level = (uint8_t)level, .character = character};
    int number = seat;
    for (bool taken = true; taken; number += taken ? SEATS_MAX : 0) {
        text_begin(&text, bot->id, sizeof bot->id);
        text_string(&text, "bot-");
        text_number(&text, number);
        taken = false;
        for (int other = 0; other < world->seat_count; other++)
            taken = taken || (other != seat && strcmp(world->seat[other].id, bot->id) == 0);
    }
    memcpy(bot->name, "Bot", sizeof "Bot");
}

/* Frees a seat in the lobby: where bots fill the table, a bot has it again. */
void seat_free(struct world *world, int seat) {
    world->seat[seat] = (struct world_seat){.kind = WORLD_SEAT_OPEN, .level = BOT_MEDIUM};
    if (world->game->lobby_bots || world->loaded)
        seat_make_bot(world, seat, BOT_MEDIUM);
}

/* Ranks the heirs of a world: first who sits and is there, then who sits, then who is there; the
 * longest-present person first in each group. */
static int heir_rank(const struct world *world, const struct world_member *member) {
    int seat = seat_of(world, span_of(member->id));
    return seat < 0 ? 1 : world->seat[seat].away ? 2 : 3;
}

void owner_pass_on(struct world *world) {
    int best = 0;
    for (int i = 0; i < world->member_count; i++) {
        int rank = heir_rank(world, &world->member[i]);
        if (rank > best) {
            best = rank;
            memcpy(world->owner, world->member[i].id, sizeof world->owner);
        }
    }
}

static struct world_talker *talker_of(struct world *world, struct span id) {
    for (int i = 0; i < WORLD_TALKERS_MAX; i++)
        if (span_is(id, world->talker[i].id))
            return &world->talker[i];
    return NULL;
}

static void remember_talk(struct world *world, const struct world_member *member) {
    struct world_talker *talker = talker_of(world, span_of(member->id));
    if (member->talk == 0)
        return;
    if (!talker)
        talker = &world->talker[world->talkers++ % WORLD_TALKERS_MAX];
    *talker = (struct world_talker){.talk = member->talk, .talk_ms = member->talk_ms};
    memcpy(talker->id, member->id, sizeof talker->id);
}

void member_recall_talk(struct world *world, struct world_member *member) {
    const struct world_talker *talker = talker_of(world, span_of(member->id));
    if (talker) {
        member->talk = talker->talk;
        member->talk_ms = talker->talk_ms;
    }
}

void member_remove(struct world *world, struct span id, int64_t now_ms) {
    struct world_member *member = member_of(world, id);
    remember_talk(world, member);
    bool was_owner = span_is(id, world->owner);
    size_t after = (size_t)(world->member + world->member_count - (member + 1));
    memmove(member, member + 1, after * sizeof *member);
    world->member_count--;
    world->member[world->member_count] = (struct world_member){0};
    if (world->member_count == 0)
        world->empty_ms = now_ms;
    else if (was_owner)
        owner_pass_on(world);
}

enum world_answer seat_away(struct change *change) {
    struct world *world = change->world;
    int number;
    if (!change_seat(change, &number))
        return WORLD_REFUSED;
    struct world_seat *seat = &world->seat[number];
    if (world->status == WORLD_WAITING || seat->kind != WORLD_SEAT_PERSON || seat->away)
        return change_answer(refuse_wrong_phase(change->why));
    seat->away = true;
    if (span_is(span_of(seat->id), world->owner))
        owner_pass_on(world);
    change->seats_changed = true;
    tell_news(change, "away", span_of(seat->id));
    tell_seat(change, number);
    tell_world(change);
    return WORLD_DONE;
}

enum world_answer seat_back(struct change *change) {
    struct world *world = change->world;
    int number;
    if (!change_seat(change, &number))
        return WORLD_REFUSED;
    struct world_seat *seat = &world->seat[number];
    if (seat->kind != WORLD_SEAT_PERSON || !seat->away || !seat_may_return(world, number))
        return change_answer(refuse_wrong_phase(change->why));
    seat->away = seat->returning = seat->handed_over = seat->bot_moved = false;
    seat->acted_ms = change->entry->time_ms;
    if (change->folding) /* the server that wrote this entry had heard of the person */
        world_heard_of(world, change->entry->time_ms, span_of(seat->id));
    change->seats_changed = true;
    tell_news(change, "back", span_of(seat->id));
    tell_seat(change, number);
    tell_world(change);
    return WORLD_DONE;
}

/* ---- Who is there at the moment ---- */

bool member_is_there(const struct world *world, const struct world_member *member) {
    return member->connected || world->changed_ms < member->seen_ms + world->times.away_ms;
}

void world_heard_of(struct world *world, int64_t now_ms, struct span id) {
    struct world_member *member = member_of(world, id);
    if (member && now_ms > member->seen_ms)
        member->seen_ms = now_ms;
}

void world_connected(struct world *world, int64_t now_ms, struct span id, bool connected) {
    struct world_member *member = member_of(world, id);
    if (member)
        member->connected = connected;
    world_heard_of(world, now_ms, id);
}

void world_resume(struct world *world, int64_t now_ms) {
    for (int i = 0; i < world->member_count; i++) {
        int seat = seat_of(world, span_of(world->member[i].id));
        world->member[i].connected = false;
        if (seat < 0 || !world->seat[seat].away)
            world->member[i].seen_ms = now_ms;
    }
}
