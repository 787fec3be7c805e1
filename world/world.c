/* Entries: how they are read, who may make them, and what follows from them by itself. */
#include "world/world.h"

#include "engine/ensure.h"
#include "engine/hash.h"
#include "games/registry.h"
#include "world/change.h"
#include <string.h>

const struct world_times world_times_usual = {.away_ms = 60000,
                                              .lobby_ms = 600000,
                                              .idle_ms = 60000,
                                              .close_ms = 60000,
                                              .abandon_ms = 86400000};

enum { TIME_DIGITS_MAX = 15 };

/* ---- Entries as text ---- */

bool world_read_time(struct span word, int64_t *out) {
    *out = 0;
    if (word.length == 0 || word.length > TIME_DIGITS_MAX)
        return false;
    for (size_t i = 0; i < word.length; i++) {
        if (word.data[i] < '0' || word.data[i] > '9')
            return false;
        *out = *out * 10 + (word.data[i] - '0');
    }
    return true;
}

static bool read_action(struct span word, uint64_t *out) {
    uint8_t bytes[8];
    *out = 0;
    if (!span_hex(word, bytes, sizeof bytes))
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        *out = *out << 8 | bytes[i];
    return true;
}

static bool read_when(struct span word, struct world_entry *out) {
    const char *mark = memchr(word.data, '~', word.length);
    if (!mark)
        return world_read_time(word, &out->time_ms);
    size_t digits = (size_t)(mark - word.data);
    struct span action = {mark + 1, word.length - digits - 1};
    return world_read_time((struct span){word.data, digits}, &out->time_ms) &&
           read_action(action, &out->action);
}

static bool read_who(struct span word, struct world_entry *out) {
    if (word.data[0] == '@' && word.length > 1 && word.length <= WORLD_ID_MAX + 1) {
        out->actor = ACTOR_PERSON;
        out->id = (struct span){word.data + 1, word.length - 1};
        return true;
    }
    if (word.length != 1)
        return false;
    out->actor = word.data[0] == '-' ? ACTOR_NATURE : ACTOR_SEAT;
    out->seat = word.data[0] == '-' ? NATURE : word.data[0] - '0';
    return out->actor == ACTOR_NATURE || (out->seat >= 0 && out->seat < SEATS_MAX);
}

bool world_read_entry(struct span line, struct world_entry *out) {
    struct scan scan = scan_of(line);
    struct span when, who;
    *out = (struct world_entry){0};
    if (!scan_word(&scan, &when) || !read_when(when, out) || !scan_word(&scan, &who) ||
        !read_who(who, out) || scan_done(scan))
        return false;
    while (*scan.at == ' ')
        scan.at++;
    out->words = (struct span){scan.at, (size_t)(scan.end - scan.at)};
    return true;
}

void world_write_entry(const struct world_entry *entry, struct text *text) {
    text_number(text, entry->time_ms);
    if (entry->action != 0) {
        uint8_t bytes[8];
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)(entry->action >> (56 - 8 * i));
        text_char(text, '~');
        text_hex(text, bytes, sizeof bytes);
    }
    text_char(text, ' ');
    if (entry->actor == ACTOR_PERSON) {
        text_char(text, '@');
        text_span(text, entry->id);
    } else if (entry->actor == ACTOR_NATURE) {
        text_char(text, '-');
    } else {
        text_number(text, entry->seat);
    }
    text_char(text, ' ');
    text_span(text, entry->words);
}

/* ---- Action ids ---- */

/* Of the person and the id, so that only actions of one person can collide. */
uint64_t world_action_hash(struct span id, struct span action_id) {
    uint64_t hash = hash_bytes(HASH_START, id.data, id.length);
    hash = hash_bytes(hash, " ", 1);
    hash = hash_bytes(hash, action_id.data, action_id.length);
    return hash != 0 ? hash : 1;
}

bool world_has_action(const struct world *world, uint64_t action) {
    for (int i = 0; i < WORLD_ACTIONS_MAX && action != 0; i++)
        if (world->actions[i] == action)
            return true;
    return false;
}

/* ---- The one way in ---- */

static enum world_answer close_world(struct change *change) {
    change->world->status = WORLD_CLOSED;
    tell_world(change);
    return WORLD_DONE;
}

static change_verb nature_verb(struct span word) {
    static const struct {
        const char *name;
        change_verb run;
    } verbs[] = {{"deal", game_chance},       {"shuffle", game_chance}, {"away", seat_away},
                 {"back", seat_back},         {"gone", lobby_gone},     {"close", close_world},
                 {"position", game_position}, {"told", game_told},      {"take", seat_take},
                 {"saved", game_saved}};
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        if (span_is(word, verbs[i].name))
            return verbs[i].run;
    return NULL;
}

/* PL-29: checks that the person is a member, then the phase, then the role. */
static bool may_use(const struct world *world, struct span id, const struct lobby_verb *verb,
                    struct refusal *why) {
    if (!verb->strangers && !world_find_member(world, id))
        return refuse(why, "NOT_A_MEMBER", "You are not in this world");
    if ((verb->phases >> world->status & 1) == 0)
        return refuse_wrong_phase(why);
    if (verb->owner_only && !span_is(id, world->owner))
        return refuse(why, "NOT_OWNER", "Not the owner");
    return true;
}

static enum world_answer unknown_verb(struct change *change, struct span word) {
    return change_answer(refuse_word(change->why, word, "BAD_REQUEST", "Nobody can '%s' here"));
}

static enum world_answer run_person(struct change *change, struct span word) {
    const struct lobby_verb *verb = lobby_find_verb(word);
    if (!change->world->game && span_is(word, "create"))
        return lobby_create(change);
    if (!change->world->game || !verb)
        return unknown_verb(change, word);
    if (!may_use(change->world, change->entry->id, verb, change->why))
        return WORLD_REFUSED;
    return verb->run(change);
}

static enum world_answer run_verb(struct change *change) {
    const struct world_entry *entry = change->entry;
    struct span word = {0};
    change->rest = scan_of(entry->words);
    scan_word(&change->rest, &word);
    if (entry->actor == ACTOR_PERSON)
        return run_person(change, word);
    change_verb run = entry->actor == ACTOR_NATURE ? nature_verb(word) : game_move;
    if (!run || !change->world->game)
        return unknown_verb(change, word);
    if ((run == game_chance || run == game_move) && change->world->status != WORLD_PLAYING)
        return change_answer(refuse_wrong_phase(change->why));
    return run(change);
}

/* Does what follows from every accepted entry, whatever its verb is. */
static void settle(struct change *change) {
    struct world *world = change->world;
    const struct world_entry *entry = change->entry;
    world->version++;
    world->changed_ms = entry->time_ms;
    if (entry->action != 0)
        world->actions[world->actions_seen++ % WORLD_ACTIONS_MAX] = entry->action;
    if (change->game_changed)
        game_schedule(world, entry->time_ms);
    else if (change->seats_changed)
        game_reseat(world, entry->time_ms);
    if (change->game_changed && entry->actor != ACTOR_PERSON)
        game_count_round(world);
    if (change->game_changed && world->status == WORLD_OVER) {
        game_count_wins(world);
        tell_world(change);
    }
}

static enum world_answer enact_heard(struct change *change) {
    const char *ids[SEATS_MAX];
    struct events *events = change->events;
    world_player_ids(change->world, ids);
    events->json.player_ids = ids;
    char owner[WORLD_ID_MAX + 1];
    memcpy(owner, change->world->owner, sizeof owner);
    enum world_answer answer = run_verb(change);
    events->json.player_ids = NULL;
    if (answer != WORLD_DONE)
        return answer;
    if (*owner && strcmp(owner, change->world->owner) != 0)
        tell_news(change, "owner", span_of(change->world->owner));
    settle(change);
    return answer;
}

/* The action log is made of events, so there are events even if nobody else listens. */
static enum world_answer enact(struct change *change) {
    struct events unheard;
    char buffer[1 << 16];
    if (change->events)
        return enact_heard(change);
    events_begin(&unheard, buffer, sizeof buffer);
    change->events = &unheard;
    return enact_heard(change);
}

/* Enacts an entry of the present and writes it down, a move as the game prints it, however it was
 * typed. Times in a log never go back. */
static enum world_answer enter(struct world *world, int64_t now_ms, struct world_entry *entry,
                               struct world_news *news, struct refusal *why) {
    char move[MOVE_TEXT_SIZE];
    struct text text, words;
    entry->time_ms = now_ms > world->changed_ms ? now_ms : world->changed_ms;
    struct change change = {.world = world, .entry = entry, .events = news->events, .why = why};
    enum world_answer answer = enact(&change);
    if (answer != WORLD_DONE)
        return answer;
    text_begin(&words, move, sizeof move);
    if (change.moved) {
        game_print(world->game, &change.move, &words);
        entry->words = (struct span){move, words.length};
    }
    text_begin(&text, news->line, sizeof news->line);
    world_write_entry(entry, &text);
    ensure(!text.cut && !words.cut);
    news->line_length = text.length;
    world->log_bytes += (int64_t)text.length + 1;
    return answer;
}

/* ---- Beginning ---- */

/* An id must be one word, because it stands in the log as one. */
static bool is_id(struct span id, struct refusal *why) {
    bool good = id.length > 0 && id.length <= WORLD_ID_MAX;
    for (size_t i = 0; i < id.length; i++)
        good = good && (unsigned char)id.data[i] > ' ' && id.data[i] != 0x7f;
    return good || refuse(why, "BAD_REQUEST", "An id is a word of 1 to %d bytes", WORLD_ID_MAX);
}

void world_empty(struct world *world, const struct world_times *times) {
    memset(world, 0, sizeof *world);
    world->times = *times;
}

bool world_create(struct world *world, int64_t now_ms, const struct world_times *times,
                  const struct world_birth *birth, struct world_news *news, struct refusal *why) {
    const struct game *game = registry_find(birth->game);
    char words[512];
    struct text text;
    news->line_length = 0;
    if (!game)
        return refuse_word(why, birth->game, "UNKNOWN_GAME", "There is no game '%s'");
    text_begin(&text, words, sizeof words);
    text_string(&text, "create ");
    text_span(&text, birth->code);
    text_char(&text, ' ');
    text_span(&text, birth->game);
    text_char(&text, '@');
    text_number(&text, WORLD_RULES);
    text_char(&text, '.');
    text_number(&text, game_rules(game));
    text_char(&text, ' ');
    text_hex(&text, birth->deal_seed, CHANCE_SEED_SIZE);
    text_char(&text, ' ');
    text_hex(&text, birth->bot_seed, CHANCE_SEED_SIZE);
    text_char(&text, ' ');
    text_span(&text, birth->name);
    if (text.cut)
        return refuse(why, "BAD_REQUEST", "That is too long");
    struct world_entry entry = {
        .actor = ACTOR_PERSON, .id = birth->id, .words = {words, text.length}};
    world_empty(world, times);
    return is_id(birth->id, why) && enter(world, now_ms, &entry, news, why) == WORLD_DONE;
}

bool world_load(struct world *world, int64_t now_ms, const struct world_save *save,
                struct world_news *news, struct refusal *why) {
    char words[WORLD_LINE_SIZE - 64];
    struct text text;
    text_begin(&text, words, sizeof words);
    text_string(&text, "saved ");
    text_number(&text, save->seats);
    text_char(&text, ' ');
    text_number(&text, save->deals);
    text_char(&text, ' ');
    text_hex(&text, save->deal_seed, CHANCE_SEED_SIZE);
    text_char(&text, ' ');
    text_span(&text, save->position);
    news->line_length = 0;
    if (text.cut)
        return refuse(why, "BAD_SAVE", "The saved position is too long");
    struct world_entry entry = {.actor = ACTOR_NATURE, .words = {words, text.length}};
    return enter(world, now_ms, &entry, news, why) == WORLD_DONE;
}

bool world_recall(struct world *world, int64_t now_ms, const struct world_tail *line,
                  struct world_news *news, struct refusal *why) {
    char words[WORLD_TAIL_TEXT + 64];
    struct text text;
    text_begin(&text, words, sizeof words);
    text_string(&text, "told ");
    text_number(&text, line->time_ms);
    text_char(&text, ' ');
    if (line->seat < 0)
        text_char(&text, '-');
    else
        text_number(&text, line->seat);
    text_char(&text, ' ');
    text_string(&text, line->text);
    news->line_length = 0;
    struct world_entry entry = {.actor = ACTOR_NATURE, .words = {words, text.length}};
    return enter(world, now_ms, &entry, news, why) == WORLD_DONE;
}

static bool load_wish(struct world *world, int64_t now_ms, const struct world_save *save,
                      struct world_news *news, world_keep *keep, void *arg, struct refusal *why) {
    if (!world_load(world, now_ms, save, news, why) || !keep(arg, news, why))
        return false;
    for (size_t i = 0; i < save->log_count; i++)
        if (!world_recall(world, now_ms, &save->log[i], news, why) || !keep(arg, news, why))
            return false;
    return true;
}

bool world_make(struct world *world, int64_t now_ms, const struct world_times *times,
                const struct world_wish *wish, struct world_news *news, world_keep *keep, void *arg,
                struct refusal *why) {
    if (!world_create(world, now_ms, times, &wish->birth, news, why) || !keep(arg, news, why))
        return false;
    for (size_t i = 0; i < wish->word_count; i++) {
        struct world_action action = {.id = wish->birth.id, .words = wish->words[i]};
        enum world_answer answer = world_act(world, now_ms, &action, news, why);
        if (answer == WORLD_REFUSED || (answer == WORLD_DONE && !keep(arg, news, why)))
            return false;
    }
    return !wish->save || load_wish(world, now_ms, wish->save, news, keep, arg, why);
}

bool world_fold(struct world *world, struct span line, struct refusal *why) {
    return world_hear(world, line, NULL, why);
}

/* The server that made this entry had heard of the person just then. */
static void hear_of_actor(struct world *world, const struct world_entry *entry) {
    if (entry->actor == ACTOR_PERSON)
        world_heard_of(world, entry->time_ms, entry->id);
    else if (entry->actor == ACTOR_SEAT && !seat_is_bots(&world->seat[entry->seat]))
        world_heard_of(world, entry->time_ms, span_of(world->seat[entry->seat].id));
}

bool world_hear(struct world *world, struct span line, struct events *events, struct refusal *why) {
    struct world_entry entry;
    struct change change = {
        .world = world, .entry = &entry, .events = events, .why = why, .folding = true};
    if (!world_read_entry(line, &entry))
        return refuse(why, "BAD_RECORD", "This is no entry of a world's log");
    if (entry.time_ms < world->changed_ms)
        return refuse(why, "BAD_RECORD", "Time goes back in this log");
    if (world->status == WORLD_CLOSED)
        return refuse_wrong_phase(why);
    enum world_answer answer = enact(&change);
    if (answer == WORLD_NOTHING)
        return refuse(why, "BAD_RECORD", "This entry changes nothing");
    if (answer == WORLD_DONE) {
        hear_of_actor(world, &entry);
        world->log_bytes += (int64_t)line.length + 1;
    }
    return answer == WORLD_DONE;
}

/* ---- What people do ---- */

static bool plain_words(struct span words, struct refusal *why) {
    if (words.length == 0 || words.length > WORLD_WORDS_MAX)
        return refuse(why, "BAD_REQUEST", "An action has 1 to %d bytes", WORLD_WORDS_MAX);
    for (size_t i = 0; i < words.length; i++)
        if ((unsigned char)words.data[i] < 0x20 || words.data[i] == 0x7f)
            return refuse(why, "BAD_REQUEST", "An action has no control characters");
    return true;
}

/* Checks a move of the game: the person must sit, and no bot may play the seat. */
static bool may_play(const struct world *world, struct span id, int *seat, struct refusal *why) {
    if (!world_find_member(world, id))
        return refuse(why, "NOT_A_MEMBER", "You are not in this world");
    if (world->status != WORLD_PLAYING)
        return refuse_wrong_phase(why);
    *seat = seat_of(world, id);
    if (*seat < 0)
        return refuse(why, "NOT_A_PLAYER", "You are watching");
    return !world->seat[*seat].away ||
           refuse(why, "BOT_PLAYS", "A bot plays your seat at the moment");
}

bool world_may(const struct world *world, struct span id, struct span words, struct refusal *why) {
    struct scan scan = scan_of(words);
    struct span word;
    int seat;
    if (!world_find_member(world, id))
        return refuse(why, "NOT_A_MEMBER", "You are not in this world");
    if (!scan_word(&scan, &word))
        return true;
    const struct lobby_verb *verb = lobby_find_verb(word);
    if (verb)
        return may_use(world, id, verb, why);
    return may_play(world, id, &seat, why) && game_may(world, seat, words, why);
}

bool world_is_move(struct span words) {
    struct scan scan = scan_of(words);
    struct span word;
    return scan_word(&scan, &word) && !lobby_find_verb(word);
}

bool world_is_order(struct span words) {
    struct scan scan = scan_of(words);
    struct span word;
    const struct lobby_verb *verb = scan_word(&scan, &word) ? lobby_find_verb(word) : NULL;
    return verb && verb->owner_only && verb->phases == LOBBY_ANY_TIME;
}

/* An action of the lobby in the only form in which it is logged, however it was typed. What is not
 * understood stays as it is, and is refused. */
static struct span canonical(const struct world *world, const struct lobby_verb *verb,
                             struct span words, char buffer[WORLD_WORDS_MAX + 1]) {
    struct text text;
    text_begin(&text, buffer, WORLD_WORDS_MAX + 1);
    lobby_print(world, verb, words, &text);
    return text.cut ? words : (struct span){buffer, text.length};
}

enum world_answer world_act(struct world *world, int64_t now_ms, const struct world_action *action,
                            struct world_news *news, struct refusal *why) {
    struct world_entry entry = {
        .actor = ACTOR_PERSON, .id = action->id, .words = action->words, .action = action->action};
    struct scan scan = scan_of(action->words);
    struct span word;
    char buffer[WORLD_WORDS_MAX + 1];
    news->line_length = 0;
    if (!is_id(action->id, why) || !plain_words(action->words, why))
        return WORLD_REFUSED;
    if (!scan_word(&scan, &word))
        return change_answer(refuse(why, "BAD_REQUEST", "An action begins with a word"));
    if (world->status == WORLD_CLOSED)
        return change_answer(refuse(why, "ROOM_NOT_FOUND", "There is no such world"));
    if (world_has_action(world, action->action))
        return WORLD_DUPLICATE;
    const struct lobby_verb *verb = lobby_find_verb(word);
    if (!verb) {
        entry.actor = ACTOR_SEAT;
        if (!may_play(world, action->id, &entry.seat, why))
            return WORLD_REFUSED;
    }
    if (verb)
        entry.words = canonical(world, verb, action->words, buffer);
    enum world_answer answer = enter(world, now_ms, &entry, news, why);
    if (answer != WORLD_REFUSED)
        world_heard_of(world, now_ms, action->id);
    return answer;
}

enum world_answer world_would(const struct world *world, int64_t now_ms,
                              const struct world_action *action, struct refusal *why) {
    struct world copy = *world;
    struct world_news news = {.events = NULL};
    return world_act(&copy, now_ms, action, &news, why);
}

/* ---- What happens by itself ---- */

/* When a member who is not there counts as gone; INT64_MAX for never. */
static int64_t departure(const struct world *world, const struct world_member *member) {
    if (member->connected)
        return INT64_MAX;
    int seat = seat_of(world, span_of(member->id));
    if (world->status == WORLD_WAITING || seat < 0)
        return member->seen_ms + world->times.lobby_ms;
    return world->seat[seat].away ? INT64_MAX : member->seen_ms + world->times.away_ms;
}

/* A seat whose person is back, or -1. Nothing here depends on the clock, so that what is due does
 * happen. */
static int seat_to_return(const struct world *world) {
    for (int number = 0; number < world->seat_count; number++) {
        const struct world_seat *seat = &world->seat[number];
        if (seat->kind != WORLD_SEAT_PERSON || !seat->away)
            continue;
        const struct world_member *member = world_find_member(world, span_of(seat->id));
        bool back = member && !seat->handed_over && member_is_there(world, member);
        if ((seat->returning || back) && seat_may_return(world, number))
            return number;
    }
    return -1;
}

static int64_t abandoned(const struct world *world) {
    int64_t last_ms = world->changed_ms;
    for (int i = 0; i < world->member_count; i++) {
        if (world->member[i].connected)
            return INT64_MAX;
        last_ms = world->member[i].seen_ms > last_ms ? world->member[i].seen_ms : last_ms;
    }
    int64_t due = last_ms + world->times.abandon_ms;
    int64_t left = world->empty_ms + world->times.close_ms;
    return world->empty_ms > 0 && left < due ? left : due;
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

int64_t world_due(const struct world *world) {
    if (world->status == WORLD_CLOSED || !world->game)
        return INT64_MAX;
    int64_t due = least(game_due(world), abandoned(world));
    for (int i = 0; i < world->member_count; i++)
        due = least(due, departure(world, &world->member[i]));
    int seat;
    if (seat_to_return(world) >= 0 || seat_newcomer(world, &seat))
        due = least(due, world->changed_ms);
    return due;
}

static enum world_answer happen(struct world *world, int64_t now_ms, struct text *words,
                                struct world_news *news) {
    struct world_entry entry = {.actor = ACTOR_NATURE, .words = {words->data, words->length}};
    ensure(!words->cut);
    enum world_answer answer = enter(world, now_ms, &entry, news, NULL);
    ensure(answer == WORLD_DONE);
    return answer;
}

static bool someone_departs(const struct world *world, int64_t now_ms, struct text *words) {
    for (int i = 0; i < world->member_count; i++) {
        const struct world_member *member = &world->member[i];
        if (departure(world, member) > now_ms)
            continue;
        int seat = seat_of(world, span_of(member->id));
        bool gone = world->status == WORLD_WAITING || seat < 0;
        text_string(words, gone ? "gone " : "away ");
        if (gone)
            text_string(words, member->id);
        else
            text_number(words, seat);
        return true;
    }
    return false;
}

static void write_deal(const struct world *world, struct text *words) {
    uint8_t seed[CHANCE_SEED_SIZE];
    chance_deal_seed(world->deal_seed, (uint64_t)world->deals, seed);
    text_string(words, game_deal_word(world->game, &world->state));
    text_char(words, ' ');
    text_hex(words, seed, sizeof seed);
}

enum world_answer world_tick(struct world *world, int64_t now_ms, struct world_news *news) {
    char buffer[128];
    struct text words;
    text_begin(&words, buffer, sizeof buffer);
    news->line_length = 0;
    if (world->status == WORLD_CLOSED || !world->game)
        return WORLD_NOTHING;
    int back = seat_to_return(world), seat;
    const struct world_member *newcomer = seat_newcomer(world, &seat);
    if (abandoned(world) <= now_ms) {
        text_string(&words, "close");
    } else if (back >= 0) {
        text_string(&words, "back ");
        text_number(&words, back);
    } else if (newcomer) {
        text_string(&words, "take ");
        text_string(&words, newcomer->id);
        text_char(&words, ' ');
        text_number(&words, seat);
    } else if (!someone_departs(world, now_ms, &words)) {
        if (game_due(world) > now_ms || (world->awaited & AWAITS_NATURE) == 0)
            return WORLD_NOTHING;
        write_deal(world, &words);
    }
    return happen(world, now_ms, &words, news);
}

enum world_answer world_thought(struct world *world, int64_t now_ms, const struct world_task *task,
                                struct world_news *news) {
    news->line_length = 0;
    if (task->version != world->version || world->status != WORLD_PLAYING)
        return WORLD_NOTHING;
    if (task->seat < 0) {
        world->quiet_version = world->version;
        return WORLD_NOTHING;
    }
    char buffer[MOVE_TEXT_SIZE];
    struct text words;
    text_begin(&words, buffer, sizeof buffer);
    game_print(world->game, &task->move, &words);
    struct world_entry entry = {
        .actor = ACTOR_SEAT, .seat = task->seat, .words = {buffer, words.length}};
    enum world_answer answer = enter(world, now_ms, &entry, news, NULL);
    ensure(answer == WORLD_DONE);
    return answer;
}
