/* Writes saves; see save.h. The fields of HF-98 have their names and shapes from the Hand & Foot
 * specification, and so have the optional ones that its GameState (section 11.1) has a name for. */
#include "formats/save.h"

#include "engine/ensure.h"
#include "formats/save_words.h"
#include "games/registry.h"
#include <string.h>

struct writer {
    const struct save *save;
    const struct hand_and_foot *state;
    struct json json;
    uint8_t copies[CARD_KINDS]; /* of each card written so far */
};

const struct game *save_game(void) {
    return registry_find(span_of("hand-and-foot"));
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool save_time_fits(struct span time) {
    static const char shape[] = "dddd-dd-ddTdd:dd:dd";
    size_t at = sizeof shape - 1;
    if (time.length <= at || time.length >= SAVE_TIME_SIZE)
        return false;
    for (size_t i = 0; i < at; i++)
        if (shape[i] == 'd' ? !is_digit(time.data[i]) : time.data[i] != shape[i])
            return false;
    if (time.data[at] == '.' && is_digit(time.data[at + 1]))
        for (at++; at < time.length && is_digit(time.data[at]);)
            at++;
    return at + 1 == time.length && time.data[at] == 'Z';
}

enum { DAY_S = 86400, YEAR_MAX = 9999 };

/* Days since 1 March 0000: a year that begins in March has its leap day at the end. */
static int64_t day_number(int64_t year, int64_t month, int64_t day) {
    int64_t years = month < 3 ? year - 1 : year, months = (month + 9) % 12;
    return 365 * years + years / 4 - years / 100 + years / 400 + (153 * months + 2) / 5 + day - 1;
}

static void put_digits(struct text *text, int64_t number, int digits, char after) {
    char word[4];
    for (int i = digits - 1; i >= 0; i--, number /= 10)
        word[i] = (char)('0' + number % 10);
    text_span(text, (struct span){word, (size_t)digits});
    text_char(text, after);
}

void save_write_time(int64_t time_ms, char out[SAVE_TIME_SIZE]) {
    int64_t seconds = time_ms > 0 ? time_ms / 1000 : 0;
    int64_t last = (day_number(YEAR_MAX, 12, 31) - day_number(1970, 1, 1)) * DAY_S + DAY_S - 1;
    seconds = seconds < last ? seconds : last;
    int64_t day = seconds / DAY_S + day_number(1970, 1, 1), year = day / 366, month = 12;
    while (day_number(year + 1, 1, 1) <= day)
        year++;
    while (day_number(year, month, 1) > day)
        month--;
    struct text text;
    text_begin(&text, out, SAVE_TIME_SIZE);
    put_digits(&text, year, 4, '-');
    put_digits(&text, month, 2, '-');
    put_digits(&text, day - day_number(year, month, 1) + 1, 2, 'T');
    put_digits(&text, seconds / 3600 % 24, 2, ':');
    put_digits(&text, seconds / 60 % 60, 2, ':');
    put_digits(&text, seconds % 60, 2, 'Z');
}

bool save_read_time(struct span time, int64_t *time_ms) {
    int32_t part[6];
    static const uint8_t first[] = {0, 5, 8, 11, 14, 17};
    if (!save_time_fits(time))
        return false;
    for (int i = 0; i < 6; i++)
        span_number((struct span){time.data + first[i], i == 0 ? 4 : 2}, &part[i]);
    if (part[1] < 1 || part[1] > 12 || part[2] < 1 || part[2] > 31 || part[3] > 23 ||
        part[4] > 59 || part[5] > 60)
        return false;
    int64_t days = day_number(part[0], part[1], part[2]) - day_number(1970, 1, 1);
    *time_ms = (days * DAY_S + part[3] * 3600 + part[4] * 60 + part[5]) * 1000;
    return *time_ms >= 0;
}

uint64_t save_least_deals(const struct game_state *state) {
    const struct hand_and_foot *game = (const void *)state->bytes;
    return (uint64_t)game->round + game->reshuffles;
}

bool save_parse_seed(struct span word, uint8_t out[CHANCE_SEED_SIZE]) {
    uint64_t number = 0;
    if (span_hex(word, out, CHANCE_SEED_SIZE))
        return true;
    for (size_t i = 0; i < word.length; i++) {
        if (!is_digit(word.data[i]) || i == 19)
            return false;
        number = number * 10 + (uint64_t)(word.data[i] - '0');
    }
    chance_seed_of_number(number, out);
    return word.length > 0 && number <= INT64_MAX;
}

/* ---- Cards ---- */

/* HF-C12: a three's value is what it costs. */
static int point_value(const struct hand_and_foot *state, int card) {
    return hand_foot_is_three(card) ? -hand_foot_penalty(state->rules, card)
                                    : hand_foot_points(state->rules, card);
}

static void card_word(int card, char out[16]) {
    struct text text;
    text_begin(&text, out, 16);
    card_print((uint8_t)card, &text);
}

/* HF-7; HF-C18: the id is the only one in the save. */
static void put_card(struct writer *writer, int card) {
    struct json *json = &writer->json;
    char id[16];
    struct text text;
    text_begin(&text, id, sizeof id);
    card_print((uint8_t)card, &text);
    text_char(&text, '.');
    text_number(&text, ++writer->copies[card]);
    json_put_object(json, NULL);
    json_put_string(json, "id", id);
    json_put_string(json, "rank", save_rank_name(card));
    if (card == CARD_JOKER)
        json_put_null(json, "suit");
    else
        json_put_string(json, "suit", card_suit_name(card_suit(card)));
    json_put_bool(json, "isWild", hand_foot_is_wild(card));
    json_put_bool(json, "isThree", hand_foot_is_three(card));
    json_put_number(json, "pointValue", point_value(writer->state, card));
    json_put_end(json);
}

static void put_kinds(struct writer *writer, const char *key, const uint8_t *kinds) {
    json_put_array(&writer->json, key);
    for (int card = 0; card < CARD_KINDS; card++)
        for (int i = 0; i < kinds[card]; i++)
            put_card(writer, card);
    json_put_end(&writer->json);
}

/* The top card last, as the specification's code has it. */
static void put_pile(struct writer *writer) {
    const struct hand_and_foot *state = writer->state;
    json_put_array(&writer->json, "discardPile");
    for (int i = 0; i < state->pile_count; i++)
        put_card(writer, state->pile[i]);
    json_put_end(&writer->json);
}

/* The next card first. */
static void put_deck(struct writer *writer) {
    const struct hand_and_foot *state = writer->state;
    struct json *json = &writer->json;
    json_put_object(json, "deck");
    json_put_array(json, "cards");
    for (int i = state->stock_count - 1; i >= 0; i--)
        put_card(writer, state->stock[i]);
    json_put_end(json);
    json_put_number(json, "size", state->stock_count);
    json_put_number(json, "shuffleCount", (int64_t)writer->save->deals);
    json_put_end(json);
}

/* ---- A player ---- */

static void put_meld(struct writer *writer, int index) {
    const struct hand_foot_book *book = &writer->state->books[index];
    struct json *json = &writer->json;
    uint8_t kinds[CARD_KINDS] = {0};
    hand_foot_add_book_cards(book, kinds);
    bool complete = hand_foot_book_complete(writer->state, book);
    bool wilds = hand_foot_book_wilds(book) > 0;
    json_put_object(json, NULL);
    put_kinds(writer, "cards", kinds);
    json_put_string(json, "rank",
                    book->rank == HAND_FOOT_WILD_RANK ? "wild" : save_rank_name(book->rank - 2));
    json_put_bool(json, "isBook", complete);
    json_put_bool(json, "isClean", complete && !wilds);
    json_put_bool(json, "isDirty", complete && wilds);
    json_put_bool(json, "closed", book->closed);
    json_put_number(json, "order", index + 1);
    json_put_end(json);
}

/* A team's melds stand with its first player. */
static void put_melds(struct writer *writer, int seat) {
    json_put_array(&writer->json, "melds");
    for (int i = 0; i < writer->state->book_count; i++)
        if (writer->state->books[i].side == seat)
            put_meld(writer, i);
    json_put_end(&writer->json);
}

static void put_history(struct writer *writer, int seat) {
    const struct hand_and_foot *state = writer->state;
    struct json *json = &writer->json;
    bool over = state->phase == HAND_FOOT_ROUND_END || state->phase == HAND_FOOT_GAME_END;
    int first = (over ? state->round : state->round - 1) - state->history_count + 1;
    json_put_array(json, "roundScoreHistory");
    for (int i = 0; i < state->history_count; i++) {
        json_put_object(json, NULL);
        json_put_number(json, "round", first + i);
        json_put_number(json, "score", state->history[i][hand_foot_side(state, seat)]);
        json_put_bool(json, "wentOut", state->history_out[i] == seat);
        json_put_end(json);
    }
    json_put_end(json);
}

/* Words such as `KH`, a word for each copy. */
static void put_words(struct writer *writer, const char *key, const uint8_t kinds[CARD_KINDS]) {
    json_put_array(&writer->json, key);
    for (int card = 0; card < CARD_KINDS; card++) {
        char word[16];
        card_word(card, word);
        for (int i = 0; i < kinds[card]; i++)
            json_put_string(&writer->json, NULL, word);
    }
    json_put_end(&writer->json);
}

/* Cards that are marked: those newly drawn, whether they are still in the hand or not, and those
 * that everybody saw go there. */
static void put_marks(struct writer *writer, const char *key,
                      const uint8_t marks[HAND_FOOT_FEW_BYTES]) {
    uint8_t kinds[CARD_KINDS];
    for (int card = 0; card < CARD_KINDS; card++)
        kinds[card] = (uint8_t)hand_foot_few(marks, card);
    put_words(writer, key, kinds);
}

/* Those that a side has laid stand with its first player as well. */
static void put_red_threes(struct writer *writer, int seat) {
    uint8_t kinds[CARD_KINDS] = {0};
    if (seat < writer->state->sides) {
        kinds[card_of(3, CARD_HEARTS)] = writer->state->red_threes[seat][0];
        kinds[card_of(3, CARD_DIAMONDS)] = writer->state->red_threes[seat][1];
    }
    put_kinds(writer, "redThrees", kinds);
}

/* "player1", as the specification calls them. */
static void put_player_id(struct json *json, const char *key, int seat) {
    char id[16];
    struct text text;
    text_begin(&text, id, sizeof id);
    text_string(&text, "player");
    text_number(&text, seat + 1);
    json_put_string(json, key, id);
}

static void put_player(struct writer *writer, int seat) {
    const struct hand_and_foot *state = writer->state;
    const struct save_seat *person = &writer->save->seat[seat];
    struct json *json = &writer->json;
    int side = hand_foot_side(state, seat);
    json_put_object(json, NULL);
    put_player_id(json, "id", seat);
    json_put_string(json, "name", person->name);
    json_put_string(json, "type", person->bot ? "bot" : "human");
    json_put_number(json, "score", state->total[side]);
    put_kinds(writer, "hand", state->hand[seat]);
    put_kinds(writer, "foot", state->foot[seat]);
    put_melds(writer, seat);
    json_put_bool(json, "hasPlayedDown", state->melded[side]);
    json_put_bool(json, "hasPickedUpFoot", state->in_foot[seat]);
    if (person->bot)
        json_put_string(json, "botLevel", bot_level_name(person->level));
    json_put_bool(json, "hasChosenHand", state->chose_pile[seat]);
    put_marks(writer, "newlyDrawn", state->new_cards[seat]);
    put_marks(writer, "shownCards", state->shown[seat]);
    put_red_threes(writer, seat);
    put_history(writer, seat);
    json_put_end(json);
}

/* ---- The game ---- */

/* What is known since the discards were shuffled, if they were. */
static void put_reshuffled(struct writer *writer) {
    const struct hand_foot_reshuffled *note = &writer->state->reshuffled;
    if (!note->known)
        return;
    json_put_object(&writer->json, "reshuffled");
    put_words(writer, "inStock", note->in_stock);
    put_words(writer, "inFeet", note->in_feet);
    put_words(writer, "older", note->older);
    json_put_array(&writer->json, "drawn");
    for (int seat = 0; seat < writer->state->head.seats; seat++)
        json_put_number(&writer->json, NULL, note->drawn[seat]);
    json_put_end(&writer->json);
    json_put_end(&writer->json);
}

/* The words of a position after each `undo`. */
static void put_undo(struct writer *writer) {
    const struct hand_and_foot *state = writer->state;
    const struct hand_foot_undo_card *card = state->undo_card;
    json_put_array(&writer->json, "undo");
    for (int i = 0; i < state->undo_plays; i++) {
        char words[16 * HAND_FOOT_UNDO_CARDS_MAX];
        struct text text;
        text_begin(&text, words, sizeof words);
        text_string(&text, state->undo_play[i].closed > 0 ? "close " : "");
        if (state->undo_play[i].closed > 0)
            text_number(&text, state->undo_play[i].closed);
        for (int j = 0; j < state->undo_play[i].cards; j++, card++) {
            text_string(&text, j > 0 ? " " : "");
            text_number(&text, card->book + 1);
            text_char(&text, ' ');
            card_print(card->card, &text);
        }
        text_string(&text, state->undo_play[i].opened ? " opened" : "");
        json_put_string(&writer->json, NULL, words);
    }
    json_put_end(&writer->json);
}

static void put_ending(struct writer *writer) {
    const struct hand_and_foot *state = writer->state;
    struct json *json = &writer->json;
    if (state->ending == HAND_FOOT_NOT_ENDED)
        return;
    json_put_object(json, "ending");
    json_put_string(json, "reason", save_endings[state->ending].save);
    if (state->ending == HAND_FOOT_WENT_OUT)
        json_put_number(json, "player", state->out);
    json_put_end(json);
}

static void put_winner(struct writer *writer) {
    struct result result;
    game_result(save_game(), &writer->save->state, &result);
    if (result.winners == 0)
        json_put_null(&writer->json, "winner");
    else
        put_player_id(&writer->json, "winner", __builtin_ctz(result.winners));
}

static const char *phase_word(const struct hand_and_foot *state) {
    static const uint8_t places[] = {[HAND_FOOT_DEALING] = 0,
                                     [HAND_FOOT_PLAYING] = 1,
                                     [HAND_FOOT_SHUFFLING] = 1,
                                     [HAND_FOOT_ROUND_END] = 2,
                                     [HAND_FOOT_GAME_END] = 3};
    return save_phases[places[state->phase]].save;
}

/* HF-90: rounds count from 1, before the first deal too. */
static void put_game_state(struct writer *writer) {
    const struct hand_and_foot *state = writer->state;
    struct json *json = &writer->json;
    json_put_object(json, "gameState");
    json_put_string(json, "phase", phase_word(state));
    json_put_number(json, "round", state->round > 0 ? state->round : 1);
    json_put_number(json, "currentPlayerIndex", state->current);
    json_put_string(json, "turnPhase", save_turns[state->turn_phase].save);
    json_put_bool(json, "discardPileFrozen", hand_foot_frozen(state));
    json_put_bool(json, "hasDrawnFromDeck", state->drew_from_deck);
    json_put_bool(json, "hasMelded", state->plays > 0);
    put_winner(writer);
    json_put_number(json, "playsThisTurn", state->plays);
    json_put_bool(json, "hasPickedUpFootThisTurn", state->foot_now);
    json_put_string(json, "partnerAsked", save_answers[state->asking].save);
    json_put_bool(json, "awaitsShuffle", state->phase == HAND_FOOT_SHUFFLING);
    json_put_number(json, "stalemateCount", state->stalemate);
    json_put_number(json, "reshuffles", state->reshuffles);
    json_put_number(json, "turns", state->turns);
    put_reshuffled(writer);
    put_ending(writer);
    put_undo(writer);
    json_put_end(json);
}

/* A number where the seed is one, for people to read; otherwise 64 hex digits. */
static void put_seed(struct writer *writer) {
    const uint8_t *seed = writer->save->game_seed;
    uint8_t same[CHANCE_SEED_SIZE];
    uint64_t number = 0;
    for (int i = 0; i < 8; i++)
        number |= (uint64_t)seed[i] << 8 * i;
    chance_seed_of_number(number, same);
    if (memcmp(seed, same, sizeof same) == 0 && number < (uint64_t)1 << 53) {
        json_put_number(&writer->json, "gameSeed", (int64_t)number);
        return;
    }
    char hex[2 * CHANCE_SEED_SIZE + 1];
    struct text text;
    text_begin(&text, hex, sizeof hex);
    text_hex(&text, seed, CHANCE_SEED_SIZE);
    json_put_string(&writer->json, "gameSeed", hex);
}

static void put_settings(struct writer *writer) {
    char line[1024];
    struct text text;
    text_begin(&text, line, sizeof line);
    options_print(&save_game()->options, &writer->save->options, &text);
    ensure(!text.cut);
    json_put_string(&writer->json, "settings", line);
}

static void put_actions(struct writer *writer) {
    struct json *json = &writer->json;
    json_put_array(json, "recentActions");
    for (int i = 0; i < writer->save->actions; i++) {
        const struct save_action *action = &writer->save->action[i];
        json_put_object(json, NULL);
        json_put_string(json, "message", action->message);
        json_put_string(json, "playerName", action->player);
        if (action->seat >= 0)
            put_player_id(json, "playerId", action->seat);
        json_put_string(json, "timestamp", action->time);
        json_put_end(json);
    }
    json_put_end(json);
}

bool save_write(const struct save *save, char *buffer, size_t size) {
    struct writer writer = {.save = save, .state = (const void *)save->state.bytes};
    struct json *json = &writer.json;
    ensure(save_time_fits(span_of(save->time)) && save->actions <= SAVE_ACTIONS_MAX);
    ensure(save->seats == game_seats(&save->state));
    ensure(save->deals >= save_least_deals(&save->state));
    json_begin(json, buffer, size);
    json_put_object(json, NULL);
    json_put_string(json, "version", SAVE_VERSION);
    json_put_string(json, "game", save_game()->id);
    put_seed(&writer);
    put_game_state(&writer);
    json_put_array(json, "players");
    for (int seat = 0; seat < save->seats; seat++)
        put_player(&writer, seat);
    json_put_end(json);
    put_pile(&writer);
    json_put_string(json, "timestamp", save->time);
    put_deck(&writer);
    put_settings(&writer);
    put_actions(&writer);
    json_put_end(json);
    return json_complete(json);
}
