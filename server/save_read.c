/* Reads saves; see save.h. The JSON is turned into a line of settings and a position, and the rules
 * decide about those; here only shapes and what contradicts itself are refused. */
#include "server/save.h"

#include "engine/ensure.h"
#include "games/hand_and_foot/hand_and_foot.h"
#include "server/save_words.h"
#include "server/wire.h"
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#define BAD 400, "BAD_SAVE"

enum { PLACE_SIZE = 64, MELDS_MAX = 256 };

/* A meld, and after how many others it was laid. */
struct meld {
    int seat, index; /* among those of its player */
    const json_t *json;
    json_int_t order;
};

struct reader {
    struct save *save;
    struct refusal *why;
    const json_t *root;
    const json_t *game_state;
    const json_t *player[SEATS_MAX];
    const struct hand_and_foot *start; /* the table before the first deal */
    bool setup;                        /* which is what was saved */
    json_t *ids;                       /* of cards, as keys */
    uint16_t used[CARD_KINDS];
    struct text position;
    char line[POSITION_TEXT_SIZE];
};

/* ---- Fields of objects ---- */

enum kind { OBJECT, ARRAY, STRING, WHOLE, YES_NO };

static const char *const kind_names[] = {"an object", "a list", "a string", "a whole number",
                                         "true or false"};

static bool has_kind(const json_t *json, enum kind kind) {
    switch (kind) {
    case OBJECT:
        return json_is_object(json);
    case ARRAY:
        return json_is_array(json);
    case STRING:
        return json_is_string(json);
    case WHOLE:
        return json_is_integer(json);
    default:
        return json_is_boolean(json);
    }
}

/* A field that may be missing: then it is null. */
static bool find(struct reader *reader, const json_t *object, const char *place, const char *key,
                 enum kind kind, const json_t **out) {
    *out = json_object_get(object, key);
    if (json_is_null(*out))
        *out = NULL;
    return !*out || has_kind(*out, kind) ||
           refuse(reader->why, BAD, "%s%s must be %s", place, key, kind_names[kind]);
}

/* A field that must be there. */
static bool need(struct reader *reader, const json_t *object, const char *place, const char *key,
                 enum kind kind, const json_t **out) {
    return find(reader, object, place, key, kind, out) &&
           (*out || refuse(reader->why, BAD, "%s%s is missing", place, key));
}

static bool find_flag(struct reader *reader, const json_t *object, const char *place,
                      const char *key, bool otherwise, bool *out) {
    const json_t *json;
    if (!find(reader, object, place, key, YES_NO, &json))
        return false;
    *out = json ? json_is_true(json) : otherwise;
    return true;
}

static bool find_number(struct reader *reader, const json_t *object, const char *place,
                        const char *key, json_int_t otherwise, json_int_t *out) {
    const json_t *json;
    if (!find(reader, object, place, key, WHOLE, &json))
        return false;
    *out = json ? json_integer_value(json) : otherwise;
    return true;
}

/* "players[2]." */
static void place_of(const char *list, int index, char out[PLACE_SIZE]) {
    snprintf(out, PLACE_SIZE, "%s[%d].", list, index);
}

/* A string of bounded length with nothing in it that could not be shown. */
static bool copy_string(struct reader *reader, const json_t *json, const char *place,
                        const char *key, char *out, size_t size) {
    const char *string = json_string_value(json);
    for (const char *at = string; *at; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7f)
            return refuse(reader->why, BAD, "%s%s holds a control character", place, key);
    if (strlen(string) >= size)
        return refuse(reader->why, BAD, "%s%s is too long", place, key);
    memcpy(out, string, strlen(string) + 1);
    return true;
}

/* ---- The position as words ---- */

static void say(struct reader *reader, const char *word) {
    text_string(&reader->position, reader->position.length > 0 ? " " : "");
    text_string(&reader->position, word);
}

static void say_number(struct reader *reader, json_int_t number) {
    text_char(&reader->position, ' ');
    text_number(&reader->position, number);
}

static bool say_word(struct reader *reader, const struct save_word *words, int count,
                     const json_t *json, const char *key) {
    for (int i = 0; i < count; i++) {
        if (strcmp(json_string_value(json), words[i].save) != 0)
            continue;
        say(reader, words[i].position);
        return true;
    }
    return refuse(reader->why, BAD, "Unknown %s '%s'", key, json_string_value(json));
}

/* ---- Cards ---- */

static bool read_rank(const json_t *rank, int *out) {
    if (json_is_string(rank))
        return save_parse_rank(json_string_value(rank), out);
    json_int_t number = json_integer_value(rank);
    *out = (int)number;
    return json_is_integer(rank) && number >= 2 && number <= 10;
}

/* Rank and suit, or the short form `KH`. */
static bool parse_card(const json_t *json, uint8_t *out) {
    const json_t *rank = json_object_get(json, "rank"), *suit = json_object_get(json, "suit");
    uint16_t card = 0;
    int rank_found, suit_found;
    if (json_is_string(json)) {
        bool known = hand_and_foot_game.parse_card(span_of(json_string_value(json)), &card);
        *out = (uint8_t)card;
        return known;
    }
    if (json_is_string(rank) && strcmp(json_string_value(rank), "joker") == 0) {
        *out = CARD_JOKER;
        return !suit || json_is_null(suit);
    }
    if (!read_rank(rank, &rank_found) || !json_is_string(suit) ||
        !save_parse_suit(json_string_value(suit), &suit_found))
        return false;
    *out = card_of(rank_found, suit_found);
    return true;
}

/* The flags of a card follow from its rank; a file that says otherwise is wrong. */
static bool flags_fit(const json_t *json, int card) {
    const json_t *wild = json_object_get(json, "isWild"), *three = json_object_get(json, "isThree");
    return (!wild || (json_is_boolean(wild) && json_is_true(wild) == hand_foot_is_wild(card))) &&
           (!three || (json_is_boolean(three) && json_is_true(three) == hand_foot_is_three(card)));
}

/* HF-C18: where cards have ids, no two have the same. */
static bool id_is_new(struct reader *reader, const json_t *id) {
    char key[64];
    if (json_is_integer(id))
        snprintf(key, sizeof key, "%lld", (long long)json_integer_value(id));
    else if (json_is_string(id) && json_string_length(id) < sizeof key)
        snprintf(key, sizeof key, "%s", json_string_value(id));
    else
        return !id || refuse(reader->why, BAD, "A card's id must be a short string or a number");
    if (json_object_get(reader->ids, key))
        return refuse(reader->why, BAD, "The card with the id %s is there twice", key);
    return json_object_set_new(reader->ids, key, json_true()) == 0 ||
           refuse(reader->why, BAD, "Not enough memory");
}

/* Says the cards, each after a blank. */
static bool read_cards(struct reader *reader, const json_t *cards, const char *place,
                       const char *key) {
    size_t index;
    const json_t *json;
    json_array_foreach((json_t *)cards, index, json) {
        uint8_t card;
        if (!parse_card(json, &card) || !flags_fit(json, card))
            return refuse(reader->why, BAD, "%s%s[%d] is no card", place, key, (int)index);
        if (!id_is_new(reader, json_object_get(json, "id")))
            return false;
        if (index >= HAND_FOOT_CARDS_MAX)
            return refuse(reader->why, BAD, "%s%s has too many cards", place, key);
        reader->used[card]++;
        text_char(&reader->position, ' ');
        card_print(card, &reader->position);
    }
    return true;
}

/* ---- Whose game it is ---- */

static bool read_seed(struct reader *reader) {
    const json_t *json = json_object_get(reader->root, "gameSeed");
    uint8_t *seed = reader->save->game_seed;
    if (json_is_string(json) && json_string_length(json) == (size_t)2 * CHANCE_SEED_SIZE &&
        save_parse_seed(span_of(json_string_value(json)), seed))
        return true;
    if (!json_is_integer(json) || json_integer_value(json) < 0)
        return refuse(reader->why, BAD,
                      json ? "gameSeed must be a whole number from 0 on or 64 hex digits"
                           : "gameSeed is missing");
    chance_seed_of_number((uint64_t)json_integer_value(json), seed);
    return true;
}

static bool read_stamp(struct reader *reader) {
    const json_t *version, *game, *time;
    if (!need(reader, reader->root, "", "version", STRING, &version) ||
        !find(reader, reader->root, "", "game", STRING, &game) ||
        !need(reader, reader->root, "", "timestamp", STRING, &time))
        return false;
    if (strcmp(json_string_value(version), SAVE_VERSION) != 0)
        return refuse(reader->why, BAD, "Unknown version '%s'; this reads " SAVE_VERSION,
                      json_string_value(version));
    if (game && strcmp(json_string_value(game), save_game()->id) != 0)
        return refuse(reader->why, BAD, "There are no saves of '%s'", json_string_value(game));
    if (!save_time_fits(span_of(json_string_value(time))))
        return refuse(reader->why, BAD, "timestamp must be written as 2025-12-04T10:30:00Z");
    return copy_string(reader, time, "", "timestamp", reader->save->time,
                       sizeof reader->save->time) &&
           read_seed(reader);
}

/* HF-77: a bot of unknown level is a medium one. */
static bool read_person(struct reader *reader, const json_t *player, const char *place,
                        struct save_seat *out) {
    const json_t *id, *name, *type, *level;
    if (!need(reader, player, place, "id", STRING, &id) ||
        !need(reader, player, place, "name", STRING, &name) ||
        !need(reader, player, place, "type", STRING, &type) ||
        !find(reader, player, place, "botLevel", STRING, &level) ||
        !copy_string(reader, name, place, "name", out->name, sizeof out->name))
        return false;
    if (!record_name_fits(span_of(out->name)))
        return refuse(reader->why, BAD, "%sname is empty or holds a quote", place);
    out->bot = strcmp(json_string_value(type), "bot") == 0;
    out->level = BOT_MEDIUM;
    if (!out->bot && strcmp(json_string_value(type), "human") != 0)
        return refuse(reader->why, BAD, "%stype must be human or bot", place);
    return !out->bot || !level || bot_level_parse(span_of(json_string_value(level)), &out->level) ||
           refuse(reader->why, BAD, "There is no bot level '%s'", json_string_value(level));
}

static bool read_people(struct reader *reader) {
    const json_t *players;
    if (!need(reader, reader->root, "", "players", ARRAY, &players))
        return false;
    if (json_array_size(players) > SEATS_MAX)
        return refuse(reader->why, BAD, "There are more than %d players", SEATS_MAX);
    reader->save->seats = (int)json_array_size(players);
    for (int seat = 0; seat < reader->save->seats; seat++) {
        char place[PLACE_SIZE];
        place_of("players", seat, place);
        reader->player[seat] = json_array_get(players, (size_t)seat);
        if (!json_is_object(reader->player[seat]))
            return refuse(reader->why, BAD, "players[%d] must be an object", seat);
        if (!read_person(reader, reader->player[seat], place, &reader->save->seat[seat]))
            return false;
    }
    return true;
}

/* A refusal of the rules becomes one of the save. */
static bool pass_on(struct reader *reader, const struct refusal *from) {
    return refuse(reader->why, BAD, "%s", from->text);
}

static bool read_settings(struct reader *reader) {
    const json_t *settings;
    const struct game *game = save_game();
    struct save *save = reader->save;
    struct refusal why = {0};
    if (!find(reader, reader->root, "", "settings", STRING, &settings))
        return false;
    options_default(&game->options, &save->options);
    if (settings &&
        !options_parse(&game->options, span_of(json_string_value(settings)), &save->options, &why))
        return pass_on(reader, &why);
    return game_start(game, &save->state, &save->options, save->seats, &why) ||
           pass_on(reader, &why);
}

/* HF-95, HF-C17: the log of actions. */
static bool read_action(struct reader *reader, const json_t *json, int index,
                        struct save_action *out) {
    const json_t *message, *player, *time;
    char place[PLACE_SIZE];
    place_of("recentActions", index, place);
    return need(reader, json, place, "message", STRING, &message) &&
           need(reader, json, place, "playerName", STRING, &player) &&
           need(reader, json, place, "timestamp", STRING, &time) &&
           copy_string(reader, message, place, "message", out->message, sizeof out->message) &&
           copy_string(reader, player, place, "playerName", out->player, sizeof out->player) &&
           copy_string(reader, time, place, "timestamp", out->time, sizeof out->time);
}

/* Of a longer log the newest are kept. */
static bool read_actions(struct reader *reader) {
    const json_t *actions;
    if (!find(reader, reader->root, "", "recentActions", ARRAY, &actions))
        return false;
    size_t count = json_array_size(actions);
    size_t first = count > SAVE_ACTIONS_MAX ? count - SAVE_ACTIONS_MAX : 0;
    for (size_t i = first; i < count; i++)
        if (!read_action(reader, json_array_get(actions, i), (int)i,
                         &reader->save->action[reader->save->actions++]))
            return false;
    return true;
}

/* ---- gameState ---- */

static bool read_phase(struct reader *reader) {
    const json_t *phase, *round, *frozen;
    bool shuffling;
    const json_t *state = reader->game_state;
    if (!need(reader, state, "gameState.", "phase", STRING, &phase) ||
        !need(reader, state, "gameState.", "round", WHOLE, &round) ||
        !need(reader, state, "gameState.", "discardPileFrozen", YES_NO, &frozen) ||
        !find_flag(reader, state, "gameState.", "awaitsShuffle", false, &shuffling))
        return false;
    if (json_integer_value(round) < 1)
        return refuse(reader->why, BAD, "gameState.round counts from 1");
    reader->setup = strcmp(json_string_value(phase), "setup") == 0;
    say(reader, "round");
    say_number(reader, reader->setup ? 0 : json_integer_value(round));
    say(reader, "phase");
    if (shuffling && strcmp(json_string_value(phase), "playing") == 0) {
        say(reader, "shuffling");
        return true;
    }
    return say_word(reader, save_phases, SAVE_PHASES, phase, "phase");
}

/* HF-C17: what an old file does not say about the turn follows from its phase. */
static bool read_turn(struct reader *reader) {
    const json_t *turn, *current, *asked, *state = reader->game_state;
    bool drawn, melded, footed;
    json_int_t plays;
    if (!need(reader, state, "gameState.", "turnPhase", STRING, &turn) ||
        !need(reader, state, "gameState.", "currentPlayerIndex", WHOLE, &current) ||
        !find(reader, state, "gameState.", "partnerAsked", STRING, &asked))
        return false;
    bool draws = strcmp(json_string_value(turn), "draw") == 0;
    if (!find_flag(reader, state, "gameState.", "hasDrawnFromDeck", !draws, &drawn) ||
        !find_flag(reader, state, "gameState.", "hasMelded", false, &melded) ||
        !find_flag(reader, state, "gameState.", "hasPickedUpFootThisTurn", false, &footed) ||
        !find_number(reader, state, "gameState.", "playsThisTurn", melded, &plays))
        return false;
    if (json_object_get(state, "hasMelded") && melded != (plays > 0))
        return refuse(reader->why, BAD, "gameState.hasMelded contradicts playsThisTurn");
    say(reader, "turn");
    if (!say_word(reader, save_turns, SAVE_TURNS, turn, "turnPhase"))
        return false;
    say(reader, "current");
    say_number(reader, json_integer_value(current));
    say(reader, drawn ? "drew plays" : "plays");
    say_number(reader, plays);
    say(reader, footed ? "footed" : "");
    say(reader, asked ? "asking" : "");
    return !asked || say_word(reader, save_answers, SAVE_ANSWERS, asked, "partnerAsked");
}

static bool read_counters(struct reader *reader) {
    static const struct save_word counters[] = {
        {"stalemateCount", "watch"}, {"reshuffles", "reshuffles"}, {"turns", "turns"}};
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
        json_int_t value;
        if (!find_number(reader, reader->game_state, "gameState.", counters[i].save, 0, &value))
            return false;
        say(reader, counters[i].position);
        say_number(reader, value);
    }
    return true;
}

/* Where a file does not say how the round ended, whoever has no cards went out. */
static void guess_ending(struct reader *reader) {
    for (int seat = 0; seat < reader->save->seats; seat++) {
        if (json_array_size(json_object_get(reader->player[seat], "hand")) > 0 ||
            json_array_size(json_object_get(reader->player[seat], "foot")) > 0)
            continue;
        say(reader, "ended out");
        say_number(reader, seat);
        return;
    }
    say(reader, "ended no-cards");
}

static bool read_ending(struct reader *reader) {
    const json_t *ending, *reason, *player;
    const char *phase = json_string_value(json_object_get(reader->game_state, "phase"));
    bool over = strcmp(phase, "roundEnd") == 0 || strcmp(phase, "gameEnd") == 0;
    if (!find(reader, reader->game_state, "gameState.", "ending", OBJECT, &ending))
        return false;
    if (!ending) {
        if (over)
            guess_ending(reader);
        return true;
    }
    if (!need(reader, ending, "gameState.ending.", "reason", STRING, &reason) ||
        !find(reader, ending, "gameState.ending.", "player", WHOLE, &player))
        return false;
    say(reader, "ended");
    if (!say_word(reader, save_endings, SAVE_ENDINGS, reason, "ending"))
        return false;
    if (player)
        say_number(reader, json_integer_value(player));
    return true;
}

/* Books' numbers and cards, `close`, `opened`: no other word gets into the position. */
static bool is_play(const char *words) {
    struct scan scan = scan_of(span_of(words));
    struct span word;
    while (scan_word(&scan, &word)) {
        int32_t book;
        uint8_t card;
        if (!span_number(word, &book) && !card_parse(word, &card) && !span_is(word, "close") &&
            !span_is(word, "opened"))
            return false;
    }
    return true;
}

static bool read_undo(struct reader *reader) {
    const json_t *undo, *play;
    size_t index;
    if (!find(reader, reader->game_state, "gameState.", "undo", ARRAY, &undo))
        return false;
    json_array_foreach((json_t *)undo, index, play) {
        const char *words = json_string_value(play);
        if (!words || !is_play(words))
            return refuse(reader->why, BAD, "gameState.undo[%d] is no play", (int)index);
        say(reader, "undo");
        say(reader, words);
    }
    return true;
}

static bool read_game_state(struct reader *reader) {
    return need(reader, reader->root, "", "gameState", OBJECT, &reader->game_state) &&
           read_phase(reader) && read_turn(reader) && read_counters(reader) &&
           read_ending(reader) && read_undo(reader);
}

/* ---- Scores ---- */

static bool read_scores(struct reader *reader) {
    int sides = reader->start->sides;
    json_int_t score[SEATS_MAX] = {0};
    say(reader, "score");
    for (int seat = 0; seat < reader->save->seats; seat++) {
        const json_t *json;
        char place[PLACE_SIZE];
        place_of("players", seat, place);
        if (!need(reader, reader->player[seat], place, "score", WHOLE, &json))
            return false;
        int side = hand_foot_side(reader->start, seat);
        if (seat >= sides && score[side] != json_integer_value(json))
            return refuse(reader->why, BAD, "Partners have one score, but that of seat %d differs",
                          seat);
        score[side] = json_integer_value(json);
        if (seat < sides)
            say_number(reader, score[side]);
    }
    return true;
}

/* Row `row` of a player's history. */
static bool read_history_row(struct reader *reader, int seat, size_t row, json_int_t *score,
                             bool *out) {
    char place[PLACE_SIZE];
    const json_t *rows, *json, *number;
    place_of("players", seat, place);
    if (!need(reader, reader->player[seat], place, "roundScoreHistory", ARRAY, &rows))
        return false;
    json = json_array_get(rows, row);
    snprintf(place, sizeof place, "players[%d].roundScoreHistory[%d].", seat, (int)row);
    if (!need(reader, json, place, "score", WHOLE, &number) ||
        !find_flag(reader, json, place, "wentOut", false, out))
        return false;
    *score = json_integer_value(number);
    return true;
}

static bool say_history_row(struct reader *reader, size_t row) {
    json_int_t score[SEATS_MAX] = {0};
    int out = -1;
    for (int seat = 0; seat < reader->save->seats; seat++) {
        bool went_out;
        json_int_t *place = &score[hand_foot_side(reader->start, seat)], before = *place;
        if (!read_history_row(reader, seat, row, place, &went_out))
            return false;
        if (seat >= reader->start->sides && before != *place)
            return refuse(reader->why, BAD, "Partners have one score, but that of seat %d differs",
                          seat);
        if (went_out && out >= 0)
            return refuse(reader->why, BAD, "Two players went out in one round");
        out = went_out ? seat : out;
    }
    say(reader, out < 0 ? "history -" : "history");
    if (out >= 0)
        say_number(reader, out);
    for (int side = 0; side < reader->start->sides; side++)
        say_number(reader, score[side]);
    return true;
}

static bool read_history(struct reader *reader) {
    size_t rows = 0;
    for (int seat = 0; seat < reader->save->seats; seat++) {
        char place[PLACE_SIZE];
        const json_t *json;
        place_of("players", seat, place);
        if (!find(reader, reader->player[seat], place, "roundScoreHistory", ARRAY, &json))
            return false;
        if (seat > 0 && json_array_size(json) != rows)
            return refuse(reader->why, BAD,
                          "The histories of the players have not the same rounds");
        rows = json_array_size(json);
    }
    for (size_t row = 0; row < rows; row++)
        if (!say_history_row(reader, row))
            return false;
    return true;
}

/* ---- Players' cards ---- */

static bool read_pile_of(struct reader *reader, int seat, const char *key) {
    char place[PLACE_SIZE];
    const json_t *cards;
    place_of("players", seat, place);
    if (!need(reader, reader->player[seat], place, key, ARRAY, &cards))
        return false;
    say(reader, key);
    say_number(reader, seat);
    return read_cards(reader, cards, place, key);
}

/* Words such as `KH`; they name cards that are counted elsewhere. */
static bool read_new_cards(struct reader *reader, int seat) {
    char place[PLACE_SIZE];
    const json_t *cards, *json;
    size_t index;
    place_of("players", seat, place);
    if (!find(reader, reader->player[seat], place, "newlyDrawn", ARRAY, &cards))
        return false;
    say(reader, "new");
    say_number(reader, seat);
    json_array_foreach((json_t *)cards, index, json) {
        uint8_t card;
        if (!json_is_string(json) || !parse_card(json, &card))
            return refuse(reader->why, BAD, "%snewlyDrawn[%d] is no card", place, (int)index);
        text_char(&reader->position, ' ');
        card_print(card, &reader->position);
    }
    return true;
}

/* HF-39, TF-11: red threes and melds belong to a side; its players' lists are one. */
static bool read_red_threes(struct reader *reader, int side) {
    say(reader, "laid");
    say_number(reader, side);
    for (int seat = side; seat < reader->save->seats; seat += reader->start->sides) {
        char place[PLACE_SIZE];
        const json_t *cards;
        place_of("players", seat, place);
        if (!find(reader, reader->player[seat], place, "redThrees", ARRAY, &cards) ||
            !read_cards(reader, cards, place, "redThrees"))
            return false;
    }
    return true;
}

static bool read_hands(struct reader *reader) {
    for (int seat = 0; seat < reader->save->seats; seat++) {
        char place[PLACE_SIZE];
        bool chosen;
        place_of("players", seat, place);
        if (!read_pile_of(reader, seat, "hand") || !read_pile_of(reader, seat, "foot") ||
            !read_new_cards(reader, seat) ||
            !find_flag(reader, reader->player[seat], place, "hasChosenHand", !reader->setup,
                       &chosen))
            return false;
        if (!chosen)
            continue;
        say(reader, "chosen");
        say_number(reader, seat);
    }
    for (int side = 0; side < reader->start->sides; side++)
        if (!read_red_threes(reader, side))
            return false;
    return true;
}

/* ---- Melds ---- */

static bool collect_melds(struct reader *reader, struct meld melds[MELDS_MAX], int *count) {
    *count = 0;
    for (int seat = 0; seat < reader->save->seats; seat++) {
        char place[PLACE_SIZE];
        const json_t *list, *json;
        size_t index;
        place_of("players", seat, place);
        if (!need(reader, reader->player[seat], place, "melds", ARRAY, &list))
            return false;
        json_array_foreach((json_t *)list, index, json) {
            if (*count == MELDS_MAX)
                return refuse(reader->why, BAD, "There are too many melds");
            struct meld *meld = &melds[*count];
            snprintf(place, sizeof place, "players[%d].melds[%d].", seat, (int)index);
            *meld = (struct meld){.seat = seat, .index = (int)index, .json = json};
            if (!json_is_object(json))
                return refuse(reader->why, BAD, "players[%d].melds[%d] must be an object", seat,
                              (int)index);
            if (!find_number(reader, json, place, "order", ++*count, &meld->order))
                return false;
        }
    }
    return true;
}

/* By insertion: what has no order keeps its place. */
static void sort_melds(struct meld *melds, int count) {
    for (int i = 1; i < count; i++) {
        struct meld meld = melds[i];
        int at = i;
        for (; at > 0 && melds[at - 1].order > meld.order; at--)
            melds[at] = melds[at - 1];
        melds[at] = meld;
    }
}

/* Does the rank that a meld names fit its cards? The first natural decides. */
static bool rank_fits(const json_t *rank, const json_t *cards) {
    int named, found = HAND_FOOT_WILD_RANK;
    for (size_t i = 0; i < json_array_size(cards); i++) {
        uint8_t card;
        if (parse_card(json_array_get(cards, i), &card) && !hand_foot_is_wild(card))
            found = hand_foot_rank(card);
    }
    if (json_is_string(rank) && strcmp(json_string_value(rank), "wild") == 0)
        return found == HAND_FOOT_WILD_RANK;
    return read_rank(rank, &named) && named == found;
}

static bool read_meld(struct reader *reader, const struct meld *meld) {
    char place[PLACE_SIZE];
    const json_t *cards, *rank = json_object_get(meld->json, "rank");
    bool closed;
    snprintf(place, sizeof place, "players[%d].melds[%d].", meld->seat, meld->index);
    if (!need(reader, meld->json, place, "cards", ARRAY, &cards) ||
        !find_flag(reader, meld->json, place, "closed", false, &closed))
        return false;
    if (rank && !rank_fits(rank, cards))
        return refuse(reader->why, BAD, "%srank does not fit the cards", place);
    say(reader, "book");
    say_number(reader, hand_foot_side(reader->start, meld->seat));
    if (!read_cards(reader, cards, place, "cards"))
        return false;
    say(reader, closed ? "closed" : "");
    return true;
}

static bool read_melds(struct reader *reader) {
    struct meld melds[MELDS_MAX];
    int count;
    if (!collect_melds(reader, melds, &count))
        return false;
    sort_melds(melds, count);
    for (int i = 0; i < count; i++)
        if (!read_meld(reader, &melds[i]))
            return false;
    return true;
}

/* ---- Pile and deck ---- */

/* HF-C16: the deck of an old file is the one that its seed gives, less what lies elsewhere; of
 * equal cards the earliest are gone. Cards leave a deck from the front, so until a pile is shuffled
 * this is exactly the deck that was. */
static void rebuild_deck(struct reader *reader) {
    uint8_t seed[CHANCE_SEED_SIZE];
    struct chance chance;
    struct deal deal = {0};
    save_game()->deck(reader->start, &deal);
    chance_deal_seed(reader->save->game_seed, reader->save->deals - 1, seed);
    chance_start(&chance, seed);
    chance_shuffle(&chance, deal.cards, deal.count);
    uint16_t gone[CARD_KINDS];
    memcpy(gone, reader->used, sizeof gone);
    for (int i = 0; i < deal.count; i++) {
        if (gone[deal.cards[i]] > 0) {
            gone[deal.cards[i]]--;
            continue;
        }
        text_char(&reader->position, ' ');
        card_print((uint8_t)deal.cards[i], &reader->position);
    }
}

/* An old file does not count its shuffles; then there were no more than there must have been. The
 * position is checked later, so both numbers may still be anything. */
static bool read_deals(struct reader *reader, const json_t *deck) {
    json_int_t round, reshuffles, deals;
    if (!find_number(reader, reader->game_state, "gameState.", "round", 1, &round) ||
        !find_number(reader, reader->game_state, "gameState.", "reshuffles", 0, &reshuffles))
        return false;
    bool sane = round <= UINT8_MAX && reshuffles >= 0 && reshuffles <= HAND_FOOT_RESHUFFLES_MAX;
    json_int_t least = reader->setup || !sane ? 0 : round + reshuffles;
    if (!find_number(reader, deck, "deck.", "shuffleCount", least, &deals))
        return false;
    if (!sane || deals < least || deals > INT32_MAX)
        return refuse(reader->why, BAD, "deck.shuffleCount does not fit the round");
    reader->save->deals = (uint64_t)deals;
    return true;
}

static bool read_deck(struct reader *reader) {
    const json_t *deck, *cards = NULL, *size = NULL;
    if (!find(reader, reader->root, "", "deck", OBJECT, &deck) || !read_deals(reader, deck) ||
        !find(reader, deck, "deck.", "cards", ARRAY, &cards) ||
        !find(reader, deck, "deck.", "size", WHOLE, &size))
        return false;
    if (reader->setup)
        return true;
    if (cards && size && json_integer_value(size) != (json_int_t)json_array_size(cards))
        return refuse(reader->why, BAD, "deck.size is %d, but there are %d cards",
                      (int)json_integer_value(size), (int)json_array_size(cards));
    say(reader, "stock");
    if (cards)
        return read_cards(reader, cards, "deck.", "cards");
    rebuild_deck(reader);
    return true;
}

static bool read_pile(struct reader *reader) {
    const json_t *pile;
    if (!need(reader, reader->root, "", "discardPile", ARRAY, &pile))
        return false;
    say(reader, "pile");
    return read_cards(reader, pile, "", "discardPile");
}

/* ---- The whole ---- */

/* Flags that follow from the cards must agree with them. */
static bool player_flags_fit(struct reader *reader, int seat) {
    const struct hand_and_foot *state = (const void *)reader->save->state.bytes;
    const json_t *down, *foot;
    char place[PLACE_SIZE];
    place_of("players", seat, place);
    if (!need(reader, reader->player[seat], place, "hasPlayedDown", YES_NO, &down) ||
        !need(reader, reader->player[seat], place, "hasPickedUpFoot", YES_NO, &foot))
        return false;
    if (json_is_true(down) != state->melded[hand_foot_side(state, seat)])
        return refuse(reader->why, BAD, "%shasPlayedDown contradicts the melds", place);
    return json_is_true(foot) == state->in_foot[seat] ||
           refuse(reader->why, BAD, "%shasPickedUpFoot contradicts the foot", place);
}

static bool read_position(struct reader *reader) {
    struct refusal why = {0};
    if (reader->position.cut)
        return refuse(reader->why, BAD, "The save is too large");
    if (!game_read_position(save_game(), &reader->save->state, span_of(reader->line), &why))
        return pass_on(reader, &why);
    for (int seat = 0; seat < reader->save->seats; seat++)
        if (!player_flags_fit(reader, seat))
            return false;
    return true;
}

static bool read_all(struct reader *reader) {
    struct game_state start;
    if (!read_stamp(reader) || !read_people(reader) || !read_settings(reader) ||
        !read_actions(reader))
        return false;
    start = reader->save->state;
    reader->start = (const void *)start.bytes;
    return read_game_state(reader) && read_scores(reader) && read_history(reader) &&
           read_hands(reader) && read_melds(reader) && read_pile(reader) && read_deck(reader) &&
           read_position(reader);
}

static json_t *load(struct span text, struct refusal *why) {
    json_error_t error;
    if (text.length > SAVE_SIZE_MAX)
        refuse(why, BAD, "A save has at most %d KB", SAVE_SIZE_MAX >> 10);
    else if (wire_is_too_deep(text, SAVE_DEPTH_MAX))
        refuse(why, BAD, "A save is nested at most %d deep", SAVE_DEPTH_MAX);
    else {
        json_t *root = json_loadb(text.data, text.length, JSON_REJECT_DUPLICATES, &error);
        if (root)
            return root;
        refuse(why, BAD, "Not JSON, line %d: %s", error.line, error.text);
    }
    return NULL;
}

bool save_recognise(struct span text) {
    json_t *root = load(text, NULL);
    bool found = json_object_get(root, "gameState") != NULL;
    json_decref(root);
    return found;
}

bool save_read(struct span text, struct save *out, struct refusal *why) {
    static const struct save empty;
    struct refusal unused;
    struct reader reader = {.save = out, .why = why ? why : &unused};
    json_t *root = load(text, reader.why);
    *out = empty;
    if (!root)
        return false;
    text_begin(&reader.position, reader.line, sizeof reader.line);
    reader.root = root;
    reader.ids = json_object();
    bool good =
        json_is_object(root) ? read_all(&reader) : refuse(reader.why, BAD, "A save is an object");
    json_decref(reader.ids);
    json_decref(root);
    return good;
}
