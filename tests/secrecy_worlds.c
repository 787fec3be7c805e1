/* Makes two stores with the same people and worlds. Each pair of worlds was made for one viewer (a
 * seat, or somebody who watches): all that this viewer may know is the same in both, the cards that
 * are hidden are as different as can be. Prints what a test needs to know as JSON lines.
 *
 *     secrecy_worlds STORE_A STORE_B
 *
 * What may be known is what `observe` says, which tests/laws.c tests against samples and against
 * games with other deals; that nothing else reaches anybody is for the test to show. */
#include "engine/ensure.h"
#include "games/registry.h"
#include "server/net/secrets.h"
#include "store/store.h"
#include "world/world.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    MOVES_MAX = 24,
    LIVE = 4,       /* the last moves are left to the test */
    LINES_MAX = 12, /* of the lobby, and the deal */
    SWAPS = 600,
    PEOPLE = 6 /* the last two watch, and know nothing of it */
};

struct person {
    const char *name;
    char id[SECRETS_PLAYER_ID_SIZE], token[SECRETS_TOKEN_SIZE];
};

static struct person people[PEOPLE] = {{.name = "Ann"}, {.name = "Bob"}, {.name = "Cy"},
                                       {.name = "Dee"}, {.name = "Eve"}, {.name = "Fay"}};

struct scene {
    const char *game, *settings; /* `set ...` or empty */
    int players, moves;
    int differ_min; /* cards of the deal's text that must differ */
};

static const struct scene scenes[] = {
    {"whos-deal", "", 4, 3, 8},
    {"whos-deal", "", 4, 10, 4},
    {"hand-and-foot", "", 4, 6, 40},
    {"hand-and-foot", "", 2, 16, 30},
    {"hand-and-foot", "preset partners", 4, 10, 40},
    {"hand-and-foot", "preset closers", 4, 10, 40},
    {"up-n-down", "", 3, 9, 8},
    {"terrible-people", "", 4, 2, 10},
};

/* ---- A world as lines ---- */

struct history {
    int seats, moves;
    char line[LINES_MAX + 1][WORLD_LINE_SIZE]; /* the last is the deal */
    int lines;
    int seat[MOVES_MAX];
    char move[MOVES_MAX][MOVE_TEXT_SIZE];
    uint16_t cards[DEAL_CARDS_MAX];
    struct game_state seen[MOVES_MAX + 1]; /* by the viewer */
};

static struct chance chance;
static int64_t clock_ms; /* a moment ago: old worlds would be archived */

static bool fold(struct world *world, const char *who, const char *words,
                 char out[WORLD_LINE_SIZE]) {
    struct text text;
    struct refusal why;
    text_begin(&text, out, WORLD_LINE_SIZE);
    text_number(&text, clock_ms);
    text_char(&text, ' ');
    text_string(&text, who);
    text_char(&text, ' ');
    text_string(&text, words);
    ensure(!text.cut);
    return world_fold(world, (struct span){out, text.length}, &why);
}

static void lobby_line(struct history *history, struct world *world, const char *who,
                       const char *words) {
    ensure(history->lines < LINES_MAX);
    if (!fold(world, who, words, history->line[history->lines++])) {
        fprintf(stderr, "refused: %s %s\n", who, words);
        exit(1);
    }
}

/* Plays the lobby up to the deal. */
static void open_table(const struct scene *scene, const char *code, struct history *history,
                       struct world *world) {
    char who[32], words[512], seed[65];
    history->lines = 0;
    world_empty(world, &world_times_usual);
    for (int i = 0; i < 64; i++)
        seed[i] = "0123456789abcdef"[i % 16];
    seed[64] = '\0';
    for (int i = 0; i < scene->players; i++) {
        snprintf(who, sizeof who, "@%s", people[i].id);
        if (i == 0)
            snprintf(words, sizeof words, "create %s %s %s %s %s", code, scene->game, seed, seed,
                     people[i].name);
        else
            snprintf(words, sizeof words, "join %s", people[i].name);
        lobby_line(history, world, who, words);
        if (i == 0 && *scene->settings)
            lobby_line(history, world, who, scene->settings);
        if (i == 0) /* so that Fay, who is not in it, may look on */
            lobby_line(history, world, who, "set public=yes");
    }
    snprintf(who, sizeof who, "@%s", people[4].id);
    lobby_line(history, world, who, "watch Eve");
    snprintf(who, sizeof who, "@%s", people[0].id);
    for (int seat = world->seat_count - 1; seat >= scene->players; seat--) {
        if (world->game->players_min == world->game->players_max || seat < 2)
            continue;
        snprintf(words, sizeof words, "bot %d closed", seat);
        if (world->seat[seat].kind == WORLD_SEAT_BOT)
            lobby_line(history, world, who, words);
    }
    lobby_line(history, world, who, "start");
    history->seats = scene->players;
}

static bool deal(struct world *world, const uint16_t *cards, char out[WORLD_LINE_SIZE]) {
    char words[DEAL_TEXT_SIZE];
    struct text text;
    text_begin(&text, words, sizeof words);
    game_print_deal(world->game, &world->state, cards, &text);
    ensure(!text.cut);
    return fold(world, "-", words, out);
}

static void print_move(const struct world *world, const struct move *move,
                       char out[MOVE_TEXT_SIZE]) {
    struct text text;
    text_begin(&text, out, MOVE_TEXT_SIZE);
    game_print(world->game, move, &text);
}

static bool play(struct world *world, int seat, const char *words) {
    char who[12], line[WORLD_LINE_SIZE];
    snprintf(who, sizeof who, "%d", seat);
    return fold(world, who, words, line);
}

/* ---- The one ---- */

static void deal_any(struct world *world, struct history *history) {
    struct deal deck;
    game_deck(world->game, &world->state, &deck);
    memcpy(history->cards, deck.cards, sizeof deck.cards);
    for (size_t part = 0, from = 0, to = 0; part < deck.part_count; part++) {
        to += deck.parts[part].count;
        if (part + 1 == deck.part_count || deck.parts[part + 1].new_deck) {
            chance_shuffle(&chance, history->cards + from, to - from);
            from = to;
        }
    }
    ensure(deal(world, history->cards, history->line[history->lines]));
}

static bool play_any(struct world *world, struct history *history, int moves, int viewer) {
    struct move legal[GAME_LEGAL_MAX];
    game_observe(world->game, &world->state, viewer, &history->seen[0]);
    for (int i = 0; i < moves; i++) {
        int seat = 0;
        if (world->status != WORLD_PLAYING || (world->awaited & AWAITS_NATURE) != 0)
            return false;
        while ((world->awaited >> seat & 1) == 0)
            seat++;
        size_t count = game_legal(world->game, &world->state, seat, legal);
        print_move(world, &legal[chance_below(&chance, (uint32_t)count)], history->move[i]);
        history->seat[i] = seat;
        ensure(play(world, seat, history->move[i]));
        game_observe(world->game, &world->state, viewer, &history->seen[i + 1]);
    }
    history->moves = moves;
    return world->status == WORLD_PLAYING && (world->awaited & AWAITS_NATURE) == 0;
}

/* ---- The other ---- */

/* A secret move of somebody else may be replaced by another one. */
static void vary(const struct world *world, int seat, char words[MOVE_TEXT_SIZE]) {
    struct move move, legal[GAME_LEGAL_MAX];
    if (!game_parse(world->game, &world->state, span_of(words), &move, NULL) ||
        !verb_of(world->game, &move)->secret)
        return;
    size_t count = game_legal(world->game, &world->state, seat, legal);
    for (int tries = 0; count > 0 && tries < 8; tries++) {
        const struct move *other = &legal[chance_below(&chance, (uint32_t)count)];
        if (other->verb == move.verb) {
            print_move(world, other, words);
            return;
        }
    }
}

/* Does the viewer see the same at every step, with other cards? Then `out` is that history. */
static bool looks_same(const struct world *start, const struct history *a, int viewer,
                       const uint16_t *cards, struct history *out) {
    static struct world world;
    static struct history b;
    struct game_state seen;
    size_t size = start->game->state_size;
    world = *start;
    b = *a;
    memcpy(b.cards, cards, sizeof b.cards);
    if (!deal(&world, cards, b.line[b.lines]))
        return false;
    for (int i = 0; i <= a->moves; i++) {
        game_observe(world.game, &world.state, viewer, &seen);
        if (memcmp(seen.bytes, a->seen[i].bytes, size) != 0)
            return false;
        if (i == a->moves)
            break;
        if (a->seat[i] != viewer)
            vary(&world, a->seat[i], b.move[i]);
        if (!play(&world, a->seat[i], b.move[i]))
            return false;
    }
    *out = b;
    return true;
}

static void find_other(const struct world *start, const struct history *a, int viewer,
                       struct history *b) {
    struct deal deck;
    game_deck(start->game, &start->state, &deck);
    *b = *a;
    for (int i = 0; i < SWAPS; i++) {
        uint16_t cards[DEAL_CARDS_MAX];
        size_t from = chance_below(&chance, deck.count), to = chance_below(&chance, deck.count);
        memcpy(cards, b->cards, sizeof cards);
        uint16_t card = cards[from];
        cards[from] = cards[to];
        cards[to] = card;
        if (cards[from] != card)
            looks_same(start, a, viewer, cards, b);
    }
}

/* Counts cards that are in another group (a hand, the deck) than in the other deal. */
static int count_differences(const char *a, const char *b) {
    char left[1024][8];
    int where[1024], count = 0, group = 0, differ = 0;
    struct scan scan = scan_of(span_of(b));
    for (struct span word; scan_word(&scan, &word) && count < 1024; count++) {
        ensure(word.length < sizeof left[0] || count < 2);
        group += span_is(word, "/") || span_is(word, "+");
        where[count] = group;
        snprintf(left[count], sizeof left[0], "%.*s", (int)(word.length < 7 ? word.length : 7),
                 word.data);
    }
    scan = scan_of(span_of(a));
    group = 0;
    for (struct span word; scan_word(&scan, &word);) {
        int at = 0;
        group += span_is(word, "/") || span_is(word, "+");
        while (at < count && (where[at] != group || !span_is(word, left[at])))
            at++;
        differ += at == count;
        if (at < count)
            where[at] = -1;
    }
    return differ - 1; /* the time is no card */
}

/* ---- Into the stores ---- */

static void on_written(void *arg, const struct store_reply *reply) {
    if (reply->outcome != STORE_OK) {
        fprintf(stderr, "not written: %s\n", reply->why.text);
        exit(1);
    }
}

static void write_world(struct store *store, const char *code, const struct scene *scene,
                        const struct history *history) {
    static char lines[LINES_MAX + 1 + MOVES_MAX][WORLD_LINE_SIZE];
    struct span entry[LINES_MAX + 1 + MOVES_MAX], members[PEOPLE];
    size_t count = 0;
    struct refusal why;
    for (int i = 0; i <= history->lines; i++)
        entry[count++] = span_of(history->line[i]);
    for (int i = 0; i < history->moves - LIVE; i++, count++) {
        snprintf(lines[count], WORLD_LINE_SIZE, "%lld %d %s", (long long)clock_ms, history->seat[i],
                 history->move[i]);
        entry[count] = span_of(lines[count]);
    }
    ensure(scene->players <= 4);
    for (int i = 0; i < scene->players; i++)
        members[i] = span_of(people[i].id);
    members[scene->players] = span_of(people[4].id);
    struct store_summary summary = {.game = span_of(scene->game),
                                    .owner = span_of(people[0].id),
                                    .status = STORE_PLAYING,
                                    .text = span_of("{}"),
                                    .members = members,
                                    .member_count = (size_t)scene->players + 1};
    struct store_append append = {.code = span_of(code),
                                  .entries = entry,
                                  .count = count,
                                  .now_ms = clock_ms,
                                  .due_ms = STORE_NEVER,
                                  .summary = &summary};
    ensure(store_append(store, &append, on_written, NULL, &why));
    store_commit(store);
}

static struct store *open_store(const char *path) {
    struct refusal why;
    struct store_config config = {.where = path};
    struct store *store = store_open(&config, &why);
    if (!store) {
        fprintf(stderr, "%s: %s\n", path, why.text);
        exit(1);
    }
    for (int i = 0; i < PEOPLE; i++) {
        uint8_t hash[STORE_TOKEN_SIZE];
        ensure(secrets_hash_token(span_of(people[i].token), hash));
        struct store_player player = {.id = span_of(people[i].id),
                                      .name = span_of(people[i].name),
                                      .token_hash = hash,
                                      .created_ms = clock_ms,
                                      .seen_ms = clock_ms};
        ensure(store_player_add(store, &player, on_written, NULL, &why));
    }
    store_commit(store);
    return store;
}

static void make_people(void) {
    for (int i = 0; i < PEOPLE; i++) {
        secrets_make_player_id(people[i].id);
        secrets_make_token(people[i].token);
        printf("{\"name\":\"%s\",\"playerId\":\"%s\",\"token\":\"%s\"}\n", people[i].name,
               people[i].id, people[i].token);
    }
}

static void print_pair(const char *code, const struct scene *scene, int viewer, int differ,
                       const struct history *a, const struct history *b) {
    printf("{\"code\":\"%s\",\"game\":\"%s\",\"settings\":\"%s\",\"viewer\":%d,\"differ\":%d,"
           "\"live\":[",
           code, scene->game, scene->settings, viewer, differ);
    for (int i = a->moves > LIVE ? a->moves - LIVE : 0; i < a->moves; i++)
        printf("%s[%d,\"%s\",\"%s\"]", i > 0 && i > a->moves - LIVE ? "," : "", a->seat[i],
               a->move[i], b->move[i]);
    printf("]}\n");
}

static void make_pair(const struct scene *scene, int viewer, const char *code,
                      struct store *stores[2]) {
    static struct world start, world;
    static struct history a, b;
    int differ = 0;
    for (int tries = 0; tries < 50 && differ < scene->differ_min; tries++) {
        open_table(scene, code, &a, &start);
        world = start;
        deal_any(&world, &a);
        if (!play_any(&world, &a, scene->moves, viewer))
            continue;
        find_other(&start, &a, viewer, &b);
        differ = count_differences(a.line[a.lines], b.line[b.lines]);
    }
    if (differ < scene->differ_min) {
        fprintf(stderr, "%s %s: only %d cards are hidden from %d\n", scene->game, scene->settings,
                differ, viewer);
        exit(1);
    }
    write_world(stores[0], code, scene, &a);
    write_world(stores[1], code, scene, &b);
    print_pair(code, scene, viewer, differ, &a, &b);
}

int main(int count, char **args) {
    char code[] = "SECR22";
    if (count != 3 || !secrets_init())
        return 2;
    clock_ms = ((int64_t)time(NULL) - 1) * 1000;
    chance_start_number(&chance, 7, 0);
    make_people();
    struct store *stores[2] = {open_store(args[1]), open_store(args[2])};
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        for (int viewer = SPECTATOR; viewer < scenes[i].players; viewer++) {
            code[4] = "23456789"[i];
            code[5] = "23456789"[viewer + 1];
            make_pair(&scenes[i], viewer, code, stores);
        }
    }
    store_close(stores[0]);
    store_close(stores[1]);
    return 0;
}
