/* Reads saves; see save.h. The JSON is turned into a line of settings and a position, and the rules
 * decide about those. Only wrong shapes and contradictions are refused here. */
#include "formats/save.h"

#include "formats/save_words.h"
#include "games/hand_and_foot/hand_and_foot.h"
#include <string.h>

#define BAD "BAD_SAVE"

enum {
    PLACE_SIZE = 64,
    WORD_SIZE = 64, /* of strings that are looked up; a longer one is cut and not found */
    SETTINGS_SIZE = 1024,
    MELDS_MAX = 256
};

/* A meld, and after how many others it was laid. */
struct meld {
    int seat, index; /* among those of its player */
    const struct json_node *json;
    int64_t order;
};

struct reader {
    struct save *save;
    struct refusal *why;
    const struct json_node *root;
    const struct json_node *game_state;
    const struct json_node *player[SEATS_MAX];
    const struct hand_and_foot *start; /* the table before the first deal */
    bool setup;                        /* which is what was saved */
    uint16_t used[CARD_KINDS];
    const struct json_node *ids[HAND_FOOT_CARDS_MAX]; /* of cards */
    int id_count;
    struct text position;
    char line[POSITION_TEXT_SIZE];
};

/* ---- Fields of objects ---- */

static const char *const kind_names[] = {[NODE_OBJECT] = "an object",
                                         [NODE_LIST] = "a list",
                                         [NODE_STRING] = "a string",
                                         [NODE_WHOLE] = "a whole number",
                                         [NODE_BOOL] = "true or false"};

/* Finds a field that may be missing, and is null then. */
static bool find(struct reader *reader, const struct json_node *object, const char *place,
                 const char *key, enum json_kind kind, const struct json_node **out) {
    *out = json_node_find(object, key);
    if (json_node_has_kind(*out, NODE_NULL))
        *out = NULL;
    return !*out || json_node_has_kind(*out, kind) ||
           refuse(reader->why, BAD, "%s%s must be %s", place, key, kind_names[kind]);
}

/* Finds a field that must be there. */
static bool need(struct reader *reader, const struct json_node *object, const char *place,
                 const char *key, enum json_kind kind, const struct json_node **out) {
    return find(reader, object, place, key, kind, out) &&
           (*out || refuse(reader->why, BAD, "%s%s is missing", place, key));
}

static bool find_flag(struct reader *reader, const struct json_node *object, const char *place,
                      const char *key, bool otherwise, bool *out) {
    const struct json_node *json;
    if (!find(reader, object, place, key, NODE_BOOL, &json))
        return false;
    *out = json ? json_node_is_true(json) : otherwise;
    return true;
}

static bool find_number(struct reader *reader, const struct json_node *object, const char *place,
                        const char *key, int64_t otherwise, int64_t *out) {
    const struct json_node *json;
    if (!find(reader, object, place, key, NODE_WHOLE, &json))
        return false;
    *out = json ? json_node_number(json) : otherwise;
    return true;
}

static void add_place(struct text *text, const char *list, int index) {
    text_string(text, list);
    text_char(text, '[');
    text_number(text, index);
    text_string(text, "].");
}

/* "players[2]." */
static void place_of(const char *list, int index, char out[PLACE_SIZE]) {
    struct text text;
    text_begin(&text, out, PLACE_SIZE);
    add_place(&text, list, index);
}

/* "players[2].melds[3]." */
static void place_within(int seat, const char *list, int index, char out[PLACE_SIZE]) {
    struct text text;
    text_begin(&text, out, PLACE_SIZE);
    add_place(&text, "players", seat);
    add_place(&text, list, index);
}

/* A string that names one of few things. */
static const char *word_of(const struct json_node *json, char out[WORD_SIZE]) {
    struct text text;
    text_begin(&text, out, WORD_SIZE);
    json_node_print(json, &text);
    return out;
}

/* Nothing of it is shown: controls, blanks without width and the byte order mark. */
static bool is_unseen(int32_t character) {
    return character_is_control(character) || character == 0x200b || character == 0xfeff ||
           (character >= 0x2060 && character <= 0x206f);
}

/* A string of bounded length with nothing in it that could not be shown. */
static bool copy_string(struct reader *reader, const struct json_node *json, const char *place,
                        const char *key, char *out, size_t size) {
    struct text text;
    text_begin(&text, out, size);
    json_node_print(json, &text);
    if (text.cut)
        return refuse(reader->why, BAD, "%s%s is too long", place, key);
    for (size_t at = 0; at < text.length;)
        if (is_unseen(span_character((struct span){text.data, text.length}, &at)))
            return refuse(reader->why, BAD, "%s%s holds a control character", place, key);
    return true;
}

/* ---- The position as words ---- */

static void say(struct reader *reader, const char *word) {
    text_string(&reader->position, reader->position.length > 0 ? " " : "");
    text_string(&reader->position, word);
}

static void say_number(struct reader *reader, int64_t number) {
    text_char(&reader->position, ' ');
    text_number(&reader->position, number);
}

static bool say_word(struct reader *reader, const struct save_word *words, int count,
                     const struct json_node *json, const char *key) {
    char word[WORD_SIZE];
    for (int i = 0; i < count; i++) {
        if (!json_node_is(json, words[i].save))
            continue;
        say(reader, words[i].position);
        return true;
    }
    return refuse(reader->why, BAD, "Unknown %s '%s'", key, word_of(json, word));
}

/* ---- Cards ---- */

static bool read_rank(const struct json_node *rank, int *out) {
    char word[WORD_SIZE];
    if (json_node_has_kind(rank, NODE_STRING))
        return save_parse_rank(word_of(rank, word), out);
    int64_t number = json_node_number(rank);
    *out = (int)number;
    return json_node_has_kind(rank, NODE_WHOLE) && number >= 2 && number <= 10;
}

/* Rank and suit, or the short form `KH`. */
static bool parse_card(const struct json_node *json, uint8_t *out) {
    const struct json_node *rank = json_node_find(json, "rank"),
                           *suit = json_node_find(json, "suit");
    char word[WORD_SIZE];
    uint16_t card = 0;
    int rank_found, suit_found;
    if (json_node_has_kind(json, NODE_STRING)) {
        bool known = game_parse_card(&hand_and_foot_game, span_of(word_of(json, word)), &card);
        *out = (uint8_t)card;
        return known;
    }
    if (json_node_has_kind(rank, NODE_STRING) && json_node_is(rank, "joker")) {
        *out = CARD_JOKER;
        return !suit || json_node_has_kind(suit, NODE_NULL);
    }
    if (!read_rank(rank, &rank_found) || !json_node_has_kind(suit, NODE_STRING) ||
        !save_parse_suit(word_of(suit, word), &suit_found))
        return false;
    *out = card_of(rank_found, suit_found);
    return true;
}

/* The flags of a card follow from its rank; a file that says otherwise is wrong. */
static bool flags_fit(const struct json_node *json, int card) {
    const struct json_node *wild = json_node_find(json, "isWild"),
                           *three = json_node_find(json, "isThree");
    return (!wild || (json_node_has_kind(wild, NODE_BOOL) &&
                      json_node_is_true(wild) == hand_foot_is_wild(card))) &&
           (!three || (json_node_has_kind(three, NODE_BOOL) &&
                       json_node_is_true(three) == hand_foot_is_three(card)));
}

/* HF-C18: if cards have ids, no two have the same. */
static bool id_is_new(struct reader *reader, const struct json_node *id) {
    char word[WORD_SIZE];
    bool named = json_node_has_kind(id, NODE_STRING) || json_node_has_kind(id, NODE_WHOLE);
    if (!named || id->length >= WORD_SIZE)
        return !id || refuse(reader->why, BAD, "A card's id must be a short string or a number");
    for (int i = 0; i < reader->id_count; i++)
        if (json_node_equal(reader->ids[i], id))
            return refuse(reader->why, BAD, "The card with the id %s is there twice",
                          word_of(id, word));
    if (reader->id_count == HAND_FOOT_CARDS_MAX)
        return refuse(reader->why, BAD, "There are too many cards");
    reader->ids[reader->id_count++] = id;
    return true;
}

/* Says the cards, each after a blank. */
static bool read_cards(struct reader *reader, const struct json_node *cards, const char *place,
                       const char *key) {
    size_t index = 0;
    const struct json_node *json;
    for (json = json_node_first(cards); json; json = json_node_next(cards, json), index++) {
        uint8_t card;
        if (!parse_card(json, &card) || !flags_fit(json, card))
            return refuse(reader->why, BAD, "%s%s[%d] is no card", place, key, (int)index);
        if (!id_is_new(reader, json_node_find(json, "id")))
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
    const struct json_node *json = json_node_find(reader->root, "gameSeed");
    uint8_t *seed = reader->save->game_seed;
    if (json_node_has_kind(json, NODE_STRING)) {
        char hex[2 * CHANCE_SEED_SIZE + 2];
        struct text text;
        text_begin(&text, hex, sizeof hex);
        json_node_print(json, &text);
        if (span_hex(span_of(hex), seed, CHANCE_SEED_SIZE))
            return true;
    }
    if (!json_node_has_kind(json, NODE_WHOLE) || json_node_number(json) < 0)
        return refuse(reader->why, BAD,
                      json ? "gameSeed must be a whole number from 0 on or 64 hex digits"
                           : "gameSeed is missing");
    chance_seed_of_number((uint64_t)json_node_number(json), seed);
    return true;
}

static bool read_stamp(struct reader *reader) {
    const struct json_node *version, *game, *time;
    char word[WORD_SIZE];
    if (!need(reader, reader->root, "", "version", NODE_STRING, &version) ||
        !find(reader, reader->root, "", "game", NODE_STRING, &game) ||
        !need(reader, reader->root, "", "timestamp", NODE_STRING, &time))
        return false;
    if (!json_node_is(version, SAVE_VERSION))
        return refuse(reader->why, BAD, "Unknown version '%s'; this reads " SAVE_VERSION,
                      word_of(version, word));
    if (game && !json_node_is(game, save_game()->id))
        return refuse(reader->why, BAD, "There are no saves of '%s'", word_of(game, word));
    if (!save_time_fits(span_of(word_of(time, word))))
        return refuse(reader->why, BAD, "timestamp must be written as 2025-12-04T10:30:00Z");
    return copy_string(reader, time, "", "timestamp", reader->save->time,
                       sizeof reader->save->time) &&
           read_seed(reader);
}

/* HF-77: a bot of unknown level is a medium one. */
static bool read_person(struct reader *reader, const struct json_node *player, const char *place,
                        struct save_seat *out) {
    const struct json_node *id, *name, *type, *level;
    char word[WORD_SIZE];
    if (!need(reader, player, place, "id", NODE_STRING, &id) ||
        !need(reader, player, place, "name", NODE_STRING, &name) ||
        !need(reader, player, place, "type", NODE_STRING, &type) ||
        !find(reader, player, place, "botLevel", NODE_STRING, &level) ||
        !copy_string(reader, name, place, "name", out->name, sizeof out->name))
        return false;
    if (!record_name_fits(span_of(out->name)))
        return refuse(reader->why, BAD, "%sname is empty or holds a quote", place);
    out->bot = json_node_is(type, "bot");
    out->level = BOT_MEDIUM;
    if (!out->bot && !json_node_is(type, "human"))
        return refuse(reader->why, BAD, "%stype must be human or bot", place);
    return !out->bot || !level || bot_level_parse(span_of(word_of(level, word)), &out->level) ||
           refuse(reader->why, BAD, "There is no bot level '%s'", word);
}

static bool read_people(struct reader *reader) {
    const struct json_node *players;
    if (!need(reader, reader->root, "", "players", NODE_LIST, &players))
        return false;
    if (json_node_count(players) > SEATS_MAX)
        return refuse(reader->why, BAD, "There are more than %d players", SEATS_MAX);
    reader->save->seats = (int)json_node_count(players);
    for (int seat = 0; seat < reader->save->seats; seat++) {
        char place[PLACE_SIZE];
        place_of("players", seat, place);
        reader->player[seat] = json_node_item(players, (size_t)seat);
        if (!json_node_has_kind(reader->player[seat], NODE_OBJECT))
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
    const struct json_node *settings;
    const struct game *game = save_game();
    struct save *save = reader->save;
    struct refusal why = {0};
    char line[SETTINGS_SIZE] = "";
    if (!find(reader, reader->root, "", "settings", NODE_STRING, &settings) ||
        (settings && !copy_string(reader, settings, "", "settings", line, sizeof line)))
        return false;
    options_default(&game->options, &save->options);
    if (!options_parse(&game->options, span_of(line), &save->options, &why))
        return pass_on(reader, &why);
    return game_start(game, &save->state, &save->options, save->seats, &why) ||
           pass_on(reader, &why);
}

/* Finds a player by id, or by name in a file without ids. */
static int seat_of(const struct reader *reader, const struct json_node *id, const char *name) {
    for (int seat = 0; id && seat < reader->save->seats; seat++)
        if (json_node_equal(id, json_node_find(reader->player[seat], "id")))
            return seat;
    for (int seat = 0; seat < reader->save->seats; seat++)
        if (strcmp(reader->save->seat[seat].name, name) == 0)
            return seat;
    return NATURE;
}

/* HF-95, HF-C17: the log of actions. */
static bool read_action(struct reader *reader, const struct json_node *json, int index,
                        struct save_action *out) {
    const struct json_node *message, *player, *time, *id;
    char place[PLACE_SIZE];
    place_of("recentActions", index, place);
    if (!need(reader, json, place, "message", NODE_STRING, &message) ||
        !need(reader, json, place, "playerName", NODE_STRING, &player) ||
        !need(reader, json, place, "timestamp", NODE_STRING, &time) ||
        !find(reader, json, place, "playerId", NODE_STRING, &id) ||
        !copy_string(reader, message, place, "message", out->message, sizeof out->message) ||
        !copy_string(reader, player, place, "playerName", out->player, sizeof out->player) ||
        !copy_string(reader, time, place, "timestamp", out->time, sizeof out->time))
        return false;
    out->seat = seat_of(reader, id, out->player);
    return true;
}

/* Only the newest lines of a longer log are kept. */
static bool read_actions(struct reader *reader) {
    const struct json_node *actions;
    if (!find(reader, reader->root, "", "recentActions", NODE_LIST, &actions))
        return false;
    size_t count = json_node_count(actions);
    size_t first = count > SAVE_ACTIONS_MAX ? count - SAVE_ACTIONS_MAX : 0;
    for (size_t i = first; i < count; i++)
        if (!read_action(reader, json_node_item(actions, i), (int)i,
                         &reader->save->action[reader->save->actions++]))
            return false;
    return true;
}

/* ---- gameState ---- */

static bool read_phase(struct reader *reader) {
    const struct json_node *phase, *round, *frozen;
    bool shuffling;
    const struct json_node *state = reader->game_state;
    if (!need(reader, state, "gameState.", "phase", NODE_STRING, &phase) ||
        !need(reader, state, "gameState.", "round", NODE_WHOLE, &round) ||
        !need(reader, state, "gameState.", "discardPileFrozen", NODE_BOOL, &frozen) ||
        !find_flag(reader, state, "gameState.", "awaitsShuffle", false, &shuffling))
        return false;
    if (json_node_number(round) < 1)
        return refuse(reader->why, BAD, "gameState.round counts from 1");
    reader->setup = json_node_is(phase, "setup");
    say(reader, "round");
    say_number(reader, reader->setup ? 0 : json_node_number(round));
    say(reader, "phase");
    if (shuffling && json_node_is(phase, "playing")) {
        say(reader, "shuffling");
        return true;
    }
    return say_word(reader, save_phases, SAVE_PHASES, phase, "phase");
}

/* HF-C17: what an old file does not say about the turn follows from its phase. */
static bool read_turn(struct reader *reader) {
    const struct json_node *turn, *current, *asked, *state = reader->game_state;
    bool drawn, melded, footed;
    int64_t plays;
    if (!need(reader, state, "gameState.", "turnPhase", NODE_STRING, &turn) ||
        !need(reader, state, "gameState.", "currentPlayerIndex", NODE_WHOLE, &current) ||
        !find(reader, state, "gameState.", "partnerAsked", NODE_STRING, &asked))
        return false;
    bool draws = json_node_is(turn, "draw");
    if (!find_flag(reader, state, "gameState.", "hasDrawnFromDeck", !draws, &drawn) ||
        !find_flag(reader, state, "gameState.", "hasMelded", false, &melded) ||
        !find_flag(reader, state, "gameState.", "hasPickedUpFootThisTurn", false, &footed) ||
        !find_number(reader, state, "gameState.", "playsThisTurn", melded, &plays))
        return false;
    if (json_node_find(state, "hasMelded") && melded != (plays > 0))
        return refuse(reader->why, BAD, "gameState.hasMelded contradicts playsThisTurn");
    say(reader, "turn");
    if (!say_word(reader, save_turns, SAVE_TURNS, turn, "turnPhase"))
        return false;
    say(reader, "current");
    say_number(reader, json_node_number(current));
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
        int64_t value;
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
        if (json_node_count(json_node_find(reader->player[seat], "hand")) > 0 ||
            json_node_count(json_node_find(reader->player[seat], "foot")) > 0)
            continue;
        say(reader, "ended out");
        say_number(reader, seat);
        return;
    }
    say(reader, "ended no-cards");
}

static bool read_ending(struct reader *reader) {
    const struct json_node *ending, *reason, *player;
    const struct json_node *phase = json_node_find(reader->game_state, "phase");
    bool over = json_node_is(phase, "roundEnd") || json_node_is(phase, "gameEnd");
    if (!find(reader, reader->game_state, "gameState.", "ending", NODE_OBJECT, &ending))
        return false;
    if (!ending) {
        if (over)
            guess_ending(reader);
        return true;
    }
    if (!need(reader, ending, "gameState.ending.", "reason", NODE_STRING, &reason) ||
        !find(reader, ending, "gameState.ending.", "player", NODE_WHOLE, &player))
        return false;
    say(reader, "ended");
    if (!say_word(reader, save_endings, SAVE_ENDINGS, reason, "ending"))
        return false;
    if (player)
        say_number(reader, json_node_number(player));
    return true;
}

/* Accepts numbers of books, cards, `close` and `opened`, so that no other word gets into the
 * position. */
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
    const struct json_node *undo, *play;
    char words[16 * HAND_FOOT_UNDO_CARDS_MAX];
    struct text text;
    int index = 0;
    if (!find(reader, reader->game_state, "gameState.", "undo", NODE_LIST, &undo))
        return false;
    for (play = json_node_first(undo); play; play = json_node_next(undo, play), index++) {
        text_begin(&text, words, sizeof words);
        if (json_node_has_kind(play, NODE_STRING))
            json_node_print(play, &text);
        if (text.length == 0 || text.cut || !is_play(words))
            return refuse(reader->why, BAD, "gameState.undo[%d] is no play", index);
        say(reader, "undo");
        say(reader, words);
    }
    return true;
}

static bool read_game_state(struct reader *reader) {
    return need(reader, reader->root, "", "gameState", NODE_OBJECT, &reader->game_state) &&
           read_phase(reader) && read_turn(reader) && read_counters(reader) &&
           read_ending(reader) && read_undo(reader);
}

/* ---- Scores ---- */

static bool read_scores(struct reader *reader) {
    int sides = reader->start->sides;
    int64_t score[SEATS_MAX] = {0};
    say(reader, "score");
    for (int seat = 0; seat < reader->save->seats; seat++) {
        const struct json_node *json;
        char place[PLACE_SIZE];
        place_of("players", seat, place);
        if (!need(reader, reader->player[seat], place, "score", NODE_WHOLE, &json))
            return false;
        int side = hand_foot_side(reader->start, seat);
        if (seat >= sides && score[side] != json_node_number(json))
            return refuse(reader->why, BAD, "Partners have one score, but that of seat %d differs",
                          seat);
        score[side] = json_node_number(json);
        if (seat < sides)
            say_number(reader, score[side]);
    }
    return true;
}

/* Row `row` of a player's history. */
static bool read_history_row(struct reader *reader, int seat, size_t row, int64_t *score,
                             bool *out) {
    char place[PLACE_SIZE];
    const struct json_node *rows, *json, *number;
    place_of("players", seat, place);
    if (!need(reader, reader->player[seat], place, "roundScoreHistory", NODE_LIST, &rows))
        return false;
    json = json_node_item(rows, row);
    place_within(seat, "roundScoreHistory", (int)row, place);
    if (!need(reader, json, place, "score", NODE_WHOLE, &number) ||
        !find_flag(reader, json, place, "wentOut", false, out))
        return false;
    *score = json_node_number(number);
    return true;
}

static bool say_history_row(struct reader *reader, size_t row) {
    int64_t score[SEATS_MAX] = {0};
    int out = -1;
    for (int seat = 0; seat < reader->save->seats; seat++) {
        bool went_out;
        int64_t *place = &score[hand_foot_side(reader->start, seat)], before = *place;
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
        const struct json_node *json;
        place_of("players", seat, place);
        if (!find(reader, reader->player[seat], place, "roundScoreHistory", NODE_LIST, &json))
            return false;
        if (seat > 0 && json_node_count(json) != rows)
            return refuse(reader->why, BAD,
                          "The histories of the players have not the same rounds");
        rows = json_node_count(json);
    }
    if (rows > HAND_FOOT_HISTORY_MAX)
        return refuse(reader->why, BAD, "A history has at most %d rounds", HAND_FOOT_HISTORY_MAX);
    for (size_t row = 0; row < rows; row++)
        if (!say_history_row(reader, row))
            return false;
    return true;
}

/* ---- Players' cards ---- */

static bool read_pile_of(struct reader *reader, int seat, const char *key) {
    char place[PLACE_SIZE];
    const struct json_node *cards;
    place_of("players", seat, place);
    if (!need(reader, reader->player[seat], place, key, NODE_LIST, &cards))
        return false;
    say(reader, key);
    say_number(reader, seat);
    return read_cards(reader, cards, place, key);
}

/* Words such as `KH`; they name cards that are counted elsewhere. */
static bool read_words(struct reader *reader, const struct json_node *cards, const char *place,
                       const char *key) {
    const struct json_node *json;
    int index = 0;
    for (json = json_node_first(cards); json; json = json_node_next(cards, json), index++) {
        uint8_t card;
        if (!json_node_has_kind(json, NODE_STRING) || !parse_card(json, &card))
            return refuse(reader->why, BAD, "%s%s[%d] is no card", place, key, index);
        text_char(&reader->position, ' ');
        card_print(card, &reader->position);
    }
    return true;
}

static bool read_marks(struct reader *reader, int seat, const char *key, const char *keyword) {
    char place[PLACE_SIZE];
    const struct json_node *cards;
    place_of("players", seat, place);
    if (!find(reader, reader->player[seat], place, key, NODE_LIST, &cards))
        return false;
    say(reader, keyword);
    say_number(reader, seat);
    return read_words(reader, cards, place, key);
}

/* What is known since the discards were shuffled; a file need not say it. */
static bool read_reshuffled(struct reader *reader) {
    static const struct save_word lists[] = {
        {"inStock", "in-stock"}, {"inFeet", "in-feet"}, {"older", "older"}};
    static const char place[] = "gameState.reshuffled.";
    const struct json_node *note, *list;
    if (!find(reader, reader->game_state, "gameState.", "reshuffled", NODE_OBJECT, &note))
        return false;
    for (size_t i = 0; i < sizeof lists / sizeof *lists && note; i++) {
        if (!need(reader, note, place, lists[i].save, NODE_LIST, &list))
            return false;
        say(reader, lists[i].position);
        if (!read_words(reader, list, place, lists[i].save))
            return false;
    }
    if (note && !need(reader, note, place, "drawn", NODE_LIST, &list))
        return false;
    say(reader, note ? "redrawn" : "");
    for (size_t i = 0; note && i < json_node_count(list); i++) {
        const struct json_node *number = json_node_item(list, i);
        if (!json_node_has_kind(number, NODE_WHOLE))
            return refuse(reader->why, BAD, "%sdrawn[%d] is no number", place, (int)i);
        say_number(reader, json_node_number(number));
    }
    return true;
}

/* HF-39, TF-11: red threes and melds belong to a side; its players' lists are one. */
static bool read_red_threes(struct reader *reader, int side) {
    say(reader, "laid");
    say_number(reader, side);
    for (int seat = side; seat < reader->save->seats; seat += reader->start->sides) {
        char place[PLACE_SIZE];
        const struct json_node *cards;
        place_of("players", seat, place);
        if (!find(reader, reader->player[seat], place, "redThrees", NODE_LIST, &cards) ||
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
            !read_marks(reader, seat, "newlyDrawn", "new") ||
            !read_marks(reader, seat, "shownCards", "shown") ||
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
        const struct json_node *list, *json;
        int index = 0;
        place_of("players", seat, place);
        if (!need(reader, reader->player[seat], place, "melds", NODE_LIST, &list))
            return false;
        for (json = json_node_first(list); json; json = json_node_next(list, json), index++) {
            if (*count == MELDS_MAX)
                return refuse(reader->why, BAD, "There are too many melds");
            struct meld *meld = &melds[*count];
            place_within(seat, "melds", index, place);
            *meld = (struct meld){.seat = seat, .index = index, .json = json};
            if (!json_node_has_kind(json, NODE_OBJECT))
                return refuse(reader->why, BAD, "players[%d].melds[%d] must be an object", seat,
                              index);
            if (!find_number(reader, json, place, "order", ++*count, &meld->order))
                return false;
        }
    }
    return true;
}

/* Insertion sort, because it is stable: melds without an order keep their places. */
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
static bool rank_fits(const struct json_node *rank, const struct json_node *cards) {
    int named, found = HAND_FOOT_WILD_RANK;
    for (size_t i = 0; i < json_node_count(cards); i++) {
        uint8_t card;
        if (parse_card(json_node_item(cards, i), &card) && !hand_foot_is_wild(card))
            found = hand_foot_rank(card);
    }
    if (json_node_has_kind(rank, NODE_STRING) && json_node_is(rank, "wild"))
        return found == HAND_FOOT_WILD_RANK;
    return read_rank(rank, &named) && named == found;
}

static bool read_meld(struct reader *reader, const struct meld *meld) {
    char place[PLACE_SIZE];
    const struct json_node *cards, *rank = json_node_find(meld->json, "rank");
    bool closed;
    place_within(meld->seat, "melds", meld->index, place);
    if (!need(reader, meld->json, place, "cards", NODE_LIST, &cards) ||
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

/* An old file does not count its shuffles, so the smallest possible number is taken. The position
 * is checked later; here both numbers may still be anything. */
static bool read_deals(struct reader *reader, const struct json_node *deck) {
    int64_t round, reshuffles, deals;
    if (!find_number(reader, reader->game_state, "gameState.", "round", 1, &round) ||
        !find_number(reader, reader->game_state, "gameState.", "reshuffles", 0, &reshuffles))
        return false;
    bool sane = round <= UINT8_MAX && reshuffles >= 0 && reshuffles <= HAND_FOOT_RESHUFFLES_MAX;
    int64_t least = reader->setup || !sane ? 0 : round + reshuffles;
    if (!find_number(reader, deck, "deck.", "shuffleCount", least, &deals))
        return false;
    if (!sane || deals < least || deals > INT32_MAX)
        return refuse(reader->why, BAD, "deck.shuffleCount does not fit the round");
    reader->save->deals = (uint64_t)deals;
    return true;
}

static bool read_deck(struct reader *reader) {
    const struct json_node *deck, *cards = NULL, *size = NULL;
    if (!find(reader, reader->root, "", "deck", NODE_OBJECT, &deck) || !read_deals(reader, deck) ||
        !find(reader, deck, "deck.", "cards", NODE_LIST, &cards) ||
        !find(reader, deck, "deck.", "size", NODE_WHOLE, &size))
        return false;
    if (reader->setup)
        return true;
    if (cards && size && json_node_number(size) != (int64_t)json_node_count(cards))
        return refuse(reader->why, BAD, "deck.size is %d, but there are %d cards",
                      (int)json_node_number(size), (int)json_node_count(cards));
    say(reader, "stock");
    if (cards)
        return read_cards(reader, cards, "deck.", "cards");
    rebuild_deck(reader);
    return true;
}

static bool read_pile(struct reader *reader) {
    const struct json_node *pile;
    if (!need(reader, reader->root, "", "discardPile", NODE_LIST, &pile))
        return false;
    say(reader, "pile");
    return read_cards(reader, pile, "", "discardPile");
}

/* ---- The whole ---- */

/* Flags of a player that follow from the cards must agree with them. */
static bool player_flags_fit(struct reader *reader, int seat) {
    const struct hand_and_foot *state = (const void *)reader->save->state.bytes;
    const struct json_node *down, *foot;
    char place[PLACE_SIZE];
    place_of("players", seat, place);
    if (!need(reader, reader->player[seat], place, "hasPlayedDown", NODE_BOOL, &down) ||
        !need(reader, reader->player[seat], place, "hasPickedUpFoot", NODE_BOOL, &foot))
        return false;
    if (json_node_is_true(down) != state->melded[hand_foot_side(state, seat)])
        return refuse(reader->why, BAD, "%shasPlayedDown contradicts the melds", place);
    return json_node_is_true(foot) == state->in_foot[seat] ||
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
           read_hands(reader) && read_reshuffled(reader) && read_melds(reader) &&
           read_pile(reader) && read_deck(reader) && read_position(reader);
}

static const struct json_node *load(struct span text, struct save_nodes *nodes,
                                    struct refusal *why) {
    struct refusal about = {0};
    if (text.length > SAVE_SIZE_MAX)
        refuse(why, BAD, "A save has at most %d KB", SAVE_SIZE_MAX >> 10);
    else if (json_tree_read(text, nodes->node, SAVE_NODES_MAX, &about))
        return nodes->node;
    else
        refuse(why, BAD, "%s", about.text);
    return NULL;
}

bool save_recognise(struct span text, struct save_nodes *nodes) {
    return json_node_find(load(text, nodes, NULL), "gameState") != NULL;
}

bool save_read(struct span text, struct save_nodes *nodes, struct save *out, struct refusal *why) {
    static const struct save empty;
    struct refusal unused;
    struct reader reader = {.save = out, .why = why ? why : &unused};
    *out = empty;
    reader.root = load(text, nodes, reader.why);
    if (!reader.root)
        return false;
    text_begin(&reader.position, reader.line, sizeof reader.line);
    return json_node_has_kind(reader.root, NODE_OBJECT)
               ? read_all(&reader)
               : refuse(reader.why, BAD, "A save is an object");
}
