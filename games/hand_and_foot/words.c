/* Views and words of Hand & Foot, with the field names of its specification and of "Hand and Foot
 * Tests". Events are in events.c. */
#include "games/hand_and_foot/words.h"

const uint8_t hand_foot_rank_order[CARD_RANKS] = {3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 2};

const char *const hand_foot_turn_words[HAND_FOOT_TURN_PHASES] = {[HAND_FOOT_TURN_DRAW] = "draw",
                                                                 [HAND_FOOT_TURN_MELD] = "meld",
                                                                 [HAND_FOOT_TURN_DISCARD] =
                                                                     "discard"};

static const char *const rank_names[] = {"",  "",  "2",  "3", "4", "5", "6", "7",
                                         "8", "9", "10", "J", "Q", "K", "A"};

/* The word for the rank of a book. */
const char *hand_foot_rank_word(int rank) {
    return rank == HAND_FOOT_WILD_RANK ? "wild" : rank_names[rank];
}

static bool says_natural(const struct hand_and_foot *state) {
    return state->rules[RULE_LABELS] == LABELS_NATURAL_UNNATURAL;
}

/* ---- What is missing ---- */

static void write_missing_books(const struct hand_and_foot *state, int needed, int have,
                                const char *kind, const char *cards, struct text *text) {
    text_string(text, text->length > 0 ? "; " : "");
    text_string(text, "Need ");
    if (needed > 1) {
        text_number(text, needed);
        text_char(text, ' ');
    }
    text_string(text, kind);
    text_string(text, needed > 1 ? " Books" : " Book");
    if (needed > 1) {
        text_string(text, " (have ");
        text_number(text, have);
        text_char(text, ')');
    }
    text_string(text, ": ");
    text_number(text, state->rules[RULE_BOOK_SIZE]);
    text_string(text, cards);
}

void hand_foot_write_missing(const struct hand_and_foot *state, int seat, int clean_change,
                             int dirty_change, struct text *text) {
    int clean, dirty;
    hand_foot_count_books(state, hand_foot_side(state, seat), &clean, &dirty);
    clean += clean_change;
    dirty += dirty_change;
    bool natural = says_natural(state);
    if (hand_foot_books_missing(state, RULE_OUT_CLEAN, clean) > 0)
        write_missing_books(state, state->rules[RULE_OUT_CLEAN], clean,
                            natural ? "Natural" : "Clean", "+ cards with NO wilds", text);
    if (hand_foot_books_missing(state, RULE_OUT_DIRTY, dirty) > 0)
        write_missing_books(state, state->rules[RULE_OUT_DIRTY], dirty,
                            natural ? "Unnatural" : "Dirty", "+ cards WITH wilds", text);
    if (!state->in_foot[seat]) {
        text_string(text, text->length > 0 ? "; " : "");
        text_string(text, "Must pick up and empty foot first");
    }
}

/* ---- Pieces of JSON ---- */

/* `KH`, or `KH.2` for a second copy in the same list. */
void hand_foot_card_json(struct json *json, const char *key, int card, int copy) {
    char id[16];
    struct text text = text_in(id, sizeof id);
    card_print((uint8_t)card, &text);
    if (copy > 1) {
        text_char(&text, '.');
        text_number(&text, copy);
    }
    json_put_string(json, key, id);
}

/* In the order of HF-16; within a rank by suit. */
void hand_foot_kinds_json(struct json *json, const char *key, const uint8_t *kinds) {
    json_put_array(json, key);
    for (int i = 0; i < CARD_RANKS; i++)
        for (int suit = 0; suit < CARD_SUITS; suit++)
            for (int copy = 1; copy <= kinds[card_of(hand_foot_rank_order[i], suit)]; copy++)
                hand_foot_card_json(json, NULL, card_of(hand_foot_rank_order[i], suit), copy);
    for (int copy = 1; copy <= kinds[CARD_JOKER]; copy++)
        hand_foot_card_json(json, NULL, CARD_JOKER, copy);
    json_put_end(json);
}

void hand_foot_list_json(struct json *json, const char *key, const uint8_t *cards, int count) {
    uint8_t seen[CARD_KINDS] = {0};
    json_put_array(json, key);
    for (int i = 0; i < count; i++)
        hand_foot_card_json(json, NULL, cards[i], ++seen[cards[i]]);
    json_put_end(json);
}

/* Of the cards last drawn, those that are still there (HF-25). */
void hand_foot_new_cards_json(const struct hand_and_foot *state, int seat, struct json *json) {
    uint8_t kinds[CARD_KINDS];
    for (int card = 0; card < CARD_KINDS; card++) {
        int drawn = hand_foot_new(state, seat, card), held = state->hand[seat][card];
        kinds[card] = (uint8_t)(drawn < held ? drawn : held);
    }
    hand_foot_kinds_json(json, "newlyDrawn", kinds);
}

void hand_foot_seat_or_null(struct json *json, const char *key, int seat) {
    json_put_natural(json, key, seat != HAND_FOOT_NOBODY ? seat : -1);
}

const char *hand_foot_book_status(const struct hand_and_foot *state,
                                  const struct hand_foot_book *book) {
    bool dirty = hand_foot_book_wilds(book) > 0;
    if (says_natural(state) && book->rank != HAND_FOOT_WILD_RANK)
        return dirty ? "Unnatural Book" : "Natural Book";
    if (!hand_foot_book_complete(state, book))
        return "Incomplete Meld";
    if (book->rank == HAND_FOOT_WILD_RANK)
        return "Wild Book";
    return dirty ? "Dirty Book" : "Clean Book";
}

/* HT-45 to HT-47, HT-C17: a red card on top of a closed natural book, a black one on an unnatural;
 * without such a card the natural one is turned and the unnatural one gets a marker. */
static void top_json(const struct hand_foot_book *book, struct json *json) {
    bool natural = hand_foot_book_wilds(book) == 0;
    static const uint8_t red_first[] = {CARD_HEARTS, CARD_DIAMONDS, CARD_SPADES, CARD_CLUBS};
    static const uint8_t black_first[] = {CARD_SPADES, CARD_CLUBS, CARD_HEARTS, CARD_DIAMONDS};
    const uint8_t *suits = natural ? red_first : black_first;
    for (int i = 0; i < CARD_SUITS; i++) {
        if (book->naturals[suits[i]] == 0)
            continue;
        hand_foot_card_json(json, "topCard", card_of(book->rank, suits[i]), 1);
        json_put_bool(json, "turned", book->closed && natural && i >= 2);
        json_put_bool(json, "blackMarker", book->closed && !natural && i >= 2);
        return;
    }
    json_put_null(json, "topCard");
    json_put_bool(json, "turned", false);
    json_put_bool(json, "blackMarker", false);
}

static void book_json(const struct hand_and_foot *state, int index, struct json *json) {
    const struct hand_foot_book *book = &state->books[index];
    uint8_t kinds[CARD_KINDS] = {0};
    hand_foot_add_book_cards(book, kinds);
    json_put_object(json, NULL);
    json_put_number(json, "id", hand_foot_book_number(state, index));
    json_put_number(json, "team", book->side);
    json_put_string(json, "rank", hand_foot_rank_word(book->rank));
    hand_foot_kinds_json(json, "cards", kinds);
    bool complete = hand_foot_book_complete(state, book), wilds = hand_foot_book_wilds(book) > 0;
    json_put_bool(json, "isBook", complete);
    json_put_bool(json, "isClean", complete && !wilds);
    json_put_bool(json, "isDirty", complete && wilds);
    json_put_bool(json, "closed", book->closed);
    json_put_bool(json, "unnatural", wilds);
    json_put_string(json, "status", hand_foot_book_status(state, book));
    json_put_number(json, "points", hand_foot_book_points(state->rules, book));
    json_put_number(json, "bonus", hand_foot_book_bonus(state, book));
    top_json(book, json);
    json_put_number(json, "wilds", hand_foot_book_wilds(book));
    json_put_end(json);
}

static void books_json(const struct hand_and_foot *state, int side, const char *key,
                       struct json *json) {
    json_put_array(json, key);
    for (int i = 0; i < state->book_count; i++)
        if (state->books[i].side == side)
            book_json(state, i, json);
    json_put_end(json);
}

/* HF-73: the whole breakdown of a side's round. */
void hand_foot_score_json(const struct hand_and_foot *state, int side, struct json *json) {
    struct hand_foot_score score;
    hand_foot_score_side(state, side, &score);
    json_put_object(json, NULL);
    json_put_number(json, "side", side);
    books_json(state, side, "melds", json);
    json_put_number(json, "meldPoints", score.melds);
    json_put_number(json, "bookBonuses", score.bonuses);
    json_put_number(json, "handCards", score.hand_cards);
    json_put_number(json, "handPenalty", score.hand_penalty);
    json_put_number(json, "footCards", score.foot_cards);
    json_put_number(json, "footPenalty", score.foot_penalty);
    json_put_number(json, "redThreeBonus", score.red_threes);
    json_put_number(json, "goingOutBonus", score.going_out);
    json_put_number(json, "roundScore", score.total);
    json_put_number(json, "totalScore", state->total[side]);
    json_put_end(json);
}

/* HF-90: the first seat of the winners, or nobody. */
static void winner_json(const struct hand_and_foot *state, struct json *json) {
    struct result result = {0};
    hand_and_foot_game.result(state, &result);
    json_put_natural(json, "winner", result.winners != 0 ? __builtin_ctz(result.winners) : -1);
}

/* All of them: teams, and in some rule books those who share a tie. */
void hand_foot_winners_json(const struct hand_and_foot *state, struct json *json) {
    struct result result = {0};
    hand_and_foot_game.result(state, &result);
    json_put_bits(json, "winners", result.winners);
}

const char *hand_foot_ending_text(const struct hand_and_foot *state) {
    static const char *const texts[] = {[HAND_FOOT_NOT_ENDED] = "",
                                        [HAND_FOOT_WENT_OUT] = "Went out",
                                        [HAND_FOOT_NO_CARDS] = "Insufficient cards in deck",
                                        [HAND_FOOT_STALEMATE] = "3s stalemate detected"};
    return texts[state->ending];
}

/* ---- Views ---- */

static void history_json(const struct hand_and_foot *state, int side, struct json *json) {
    int first = (hand_foot_round_is_over(state) ? state->round : state->round - 1) -
                state->history_count + 1;
    json_put_array(json, "roundHistory");
    for (int i = 0; i < state->history_count; i++) {
        int out = state->history_out[i];
        json_put_object(json, NULL);
        json_put_number(json, "round", first + i);
        json_put_number(json, "score", state->history[i][side]);
        json_put_bool(json, "wentOut",
                      out != HAND_FOOT_NOBODY && hand_foot_side(state, out) == side);
        json_put_end(json);
    }
    json_put_end(json);
}

/* For each number of naturals from 0 on: [least, most] wilds of such a group, or null. */
static void ranges_json(const struct hand_and_foot *state, int seat, int rank, int held,
                        struct json *json) {
    int book = NEW_BOOK;
    json_put_array(json, "wilds");
    for (int naturals = 0; naturals <= held; naturals++) {
        struct plan_range range = plan_range_of(state, seat, rank, naturals);
        if (range.most < range.least) {
            json_put_null(json, NULL);
            continue;
        }
        json_put_array(json, NULL);
        json_put_number(json, NULL, range.least);
        json_put_number(json, NULL, range.most);
        json_put_end(json);
        book = range.book;
    }
    json_put_end(json);
    json_put_natural(json, "onto", book != NEW_BOOK ? hand_foot_book_number(state, book) : -1);
}

/* Writes what the seat could lay as new groups, rank by rank, so that pages need not know the
 * rules. */
static void layable_json(const struct hand_and_foot *state, int seat, struct json *json) {
    json_put_array(json, "groups");
    for (int i = 0; i < CARD_RANKS; i++) {
        uint8_t kinds[CARD_SUITS + 1];
        int rank = hand_foot_rank_order[i], held = 0, count = plan_kinds_of(rank, kinds);
        for (int j = 0; j < count; j++)
            held += state->hand[seat][kinds[j]];
        if (held == 0)
            continue;
        json_put_object(json, NULL);
        json_put_string(json, "rank", hand_foot_rank_word(rank));
        json_put_array(json, "kinds");
        for (int j = 0; j < count; j++)
            if (state->hand[seat][kinds[j]] > 0)
                hand_foot_card_json(json, NULL, kinds[j], 1);
        json_put_end(json);
        ranges_json(state, seat, rank, rank == HAND_FOOT_WILD_RANK ? 0 : held, json);
        json_put_end(json);
    }
    json_put_end(json);
}

enum { WILDS_ADDED_MAX = 31 };

/* The move names a book and perhaps naturals. Returns with which numbers of those wilds the seat
 * may add them, as bits. */
static uint32_t wilds_that_fit(const struct hand_and_foot *state, int seat, struct move move,
                               const uint16_t *wilds, int held) {
    uint32_t numbers = 0;
    for (int i = 0;; i++) {
        numbers |= (uint32_t)verb_check(&hand_and_foot_game, state, seat, &move, NULL) << i;
        if (i == held || move.count == MOVE_ARGS_MAX)
            return numbers;
        move.args[move.count++] = wilds[i];
    }
}

/* For each number of naturals of the hand from 0 on: how many wilds may go onto the book with them,
 * all numbers that the rules allow. Nothing is written of a book that takes nothing. */
static void addition_json(const struct hand_and_foot *state, int seat, int book,
                          struct json *json) {
    const uint8_t *hand = state->hand[seat];
    uint16_t naturals[MOVE_ARGS_MAX], wilds[WILDS_ADDED_MAX];
    uint32_t numbers[MOVE_ARGS_MAX], any = 0;
    struct move move = {.verb = HAND_FOOT_ADD, .count = 1};
    move.args[0] = (uint16_t)hand_foot_book_number(state, book);
    int rank = state->books[book].rank, held = 0;
    if (rank != HAND_FOOT_WILD_RANK)
        held = plan_pick_cards(hand, rank, naturals, MOVE_ARGS_MAX - 1);
    int wilds_held = plan_pick_cards(hand, HAND_FOOT_WILD_RANK, wilds, WILDS_ADDED_MAX);
    for (int i = 0; i <= held; i++) {
        if (i > 0)
            move.args[move.count++] = naturals[i - 1];
        numbers[i] = wilds_that_fit(state, seat, move, wilds, wilds_held);
        any |= numbers[i];
    }
    if (any == 0)
        return;
    json_put_object(json, NULL);
    json_put_number(json, "book", move.args[0]);
    json_put_array(json, "wilds");
    for (int i = 0; i <= held; i++)
        json_put_bits(json, NULL, numbers[i]);
    json_put_end(json);
    json_put_end(json);
}

/* Writes what the seat, whose turn it is, could add to the books of its side. */
static void additions_json(const struct hand_and_foot *state, int seat, struct json *json) {
    json_put_array(json, "additions");
    for (int i = 0; i < state->book_count; i++)
        if (state->books[i].side == hand_foot_side(state, seat))
            addition_json(state, seat, i, json);
    json_put_end(json);
}

/* Writes what a card of each rank counts in a book; threes count nothing where there are no books
 * of them. Where there are, red threes are named beside the ranks, since they lie on no book. */
static void card_points_json(const struct hand_and_foot *state, struct json *json) {
    json_put_object(json, "cardPoints");
    for (int rank = HAND_FOOT_WILD_RANK; rank <= CARD_ACE; rank++) {
        int card = card_of(rank, CARD_SPADES);
        bool counts = book_takes_card(state->rules, card);
        json_put_number(json, rank_names[rank], counts ? hand_foot_points(state->rules, card) : 0);
    }
    json_put_number(json, "JK", hand_foot_points(state->rules, CARD_JOKER));
    if (book_takes_card(state->rules, card_of(HAND_FOOT_THREE, CARD_SPADES))) {
        json_put_number(json, "3H", 0);
        json_put_number(json, "3D", 0);
    }
    json_put_end(json);
}

static void wild_ranks_json(struct json *json) {
    json_put_array(json, "wildRanks");
    for (int rank = HAND_FOOT_WILD_RANK; rank <= CARD_ACE; rank++)
        if (hand_foot_is_wild(card_of(rank, CARD_SPADES)))
            json_put_string(json, NULL, rank_names[rank]);
    json_put_string(json, NULL, "JK");
    json_put_end(json);
}

static void player_json(const struct hand_and_foot *state, int seat, int viewer,
                        struct json *json) {
    int side = hand_foot_side(state, seat);
    bool all = viewer == OMNISCIENT, own = viewer == seat && state->chose_pile[seat];
    char missing[REFUSAL_TEXT_SIZE];
    struct text text = text_in(missing, sizeof missing);
    hand_foot_write_missing(state, seat, 0, 0, &text);
    json_put_object(json, NULL);
    json_put_player(json, "id", seat);
    json_put_number(json, "seatIndex", seat);
    json_put_number(json, "team", side);
    json_put_number(json, "score", state->total[side]);
    json_put_number(json, "handCount", state->hand_count[seat]);
    if (own || all || hand_foot_round_is_over(state))
        hand_foot_kinds_json(json, "hand", state->hand[seat]);
    json_put_number(json, "footCount", state->foot_count[seat]);
    if (all || hand_foot_round_is_over(state))
        hand_foot_kinds_json(json, "foot", state->foot[seat]);
    if (own || all)
        hand_foot_new_cards_json(state, seat, json);
    if (own && state->phase == HAND_FOOT_PLAYING)
        layable_json(state, seat, json);
    if (own && state->current == seat && state->turn_phase == HAND_FOOT_TURN_MELD)
        additions_json(state, seat, json);
    json_put_bool(json, "hasPlayedDown", state->melded[side]);
    json_put_bool(json, "hasPickedUpFoot", state->in_foot[seat]);
    json_put_bool(json, "hasChosenPile", state->chose_pile[seat]);
    json_put_string(json, "missingToGoOut", missing);
    json_put_end(json);
}

static void side_json(const struct hand_and_foot *state, int side, struct json *json) {
    int clean, dirty;
    hand_foot_count_books(state, side, &clean, &dirty);
    json_put_object(json, NULL);
    json_put_number(json, "id", side);
    json_put_number(json, "points", state->total[side]);
    books_json(state, side, "melds", json);
    json_put_array(json, "worthKeeping");
    for (int i = 0; i < state->book_count; i++)
        if (state->books[i].side == side && hand_foot_worth_keeping(&state->books[i]))
            json_put_number(json, NULL, hand_foot_book_number(state, i));
    json_put_end(json);
    json_put_number(json, "cleanBooks", clean);
    json_put_number(json, "dirtyBooks", dirty);
    json_put_number(json, "redThrees", state->red_threes[side][0] + state->red_threes[side][1]);
    history_json(state, side, json);
    json_put_end(json);
}

static void pile_json(const struct hand_and_foot *state, int viewer, struct json *json) {
    json_put_object(json, "discardPile");
    json_put_number(json, "size", state->pile_count);
    if (state->pile_count > 0)
        hand_foot_card_json(json, "top", state->pile[state->pile_count - 1], 1);
    else
        json_put_null(json, "top");
    if (viewer == OMNISCIENT)
        hand_foot_list_json(json, "cards", state->pile, state->pile_count);
    json_put_end(json);
}

static void stock_json(const struct hand_and_foot *state, int viewer, struct json *json) {
    json_put_object(json, "deck");
    json_put_number(json, "size", state->stock_count);
    if (viewer == OMNISCIENT) {
        uint8_t next_first[HAND_FOOT_CARDS_MAX];
        for (int i = 0; i < state->stock_count; i++)
            next_first[i] = state->stock[state->stock_count - 1 - i];
        hand_foot_list_json(json, "cards", next_first, state->stock_count);
    }
    json_put_end(json);
}

static void round_json(const void *seen, struct json *json) {
    static const char *const phases[] = {[HAND_FOOT_DEALING] = "setup",
                                         [HAND_FOOT_PLAYING] = "playing",
                                         [HAND_FOOT_SHUFFLING] = "playing",
                                         [HAND_FOOT_ROUND_END] = "roundEnd",
                                         [HAND_FOOT_GAME_END] = "gameEnd"};
    const struct hand_and_foot *state = seen;
    json_put_string(json, "phase", phases[state->phase]);
    winner_json(state, json);
    json_put_number(json, "round", state->round);
    json_put_number(json, "currentPlayerIndex", state->current);
    json_put_string(json, "turnPhase", hand_foot_turn_words[state->turn_phase]);
    json_put_bool(json, "hasDrawnFromDeck", state->drew_from_deck);
    json_put_bool(json, "hasMelded", state->plays > 0);
    json_put_bool(json, "discardPileFrozen", hand_foot_frozen(state));
    int minimum = state->round > 0 ? hand_foot_first_meld(state) : 0;
    json_put_number(json, "minimum", minimum);
    json_put_number(json, "enough", state->round > 0 ? hand_foot_enough(state) : 0);
    card_points_json(state, json);
    wild_ranks_json(json);
}

static void sides_json(const void *seen, struct json *json) {
    const struct hand_and_foot *state = seen;
    json_put_array(json, "teams");
    for (int side = 0; side < state->sides; side++)
        side_json(state, side, json);
    json_put_end(json);
}

void hand_foot_describe(const void *seen, int viewer, struct json *json) {
    const struct hand_and_foot *state = seen;
    json_put_common(json, round_json, state);
    json_put_bool(json, "partnerAsked", state->asking == HAND_FOOT_ASKED);
    json_put_bool(json, "canUndo", state->undo_plays > 0);
    stock_json(state, viewer, json);
    pile_json(state, viewer, json);
    json_put_number(json, "pickup", hand_foot_pickup_size(state));
    json_put_array(json, "players");
    for (int seat = 0; seat < state->head.seats; seat++)
        player_json(state, seat, viewer, json);
    json_put_end(json);
    json_put_common(json, sides_json, state);
    if (!hand_foot_round_is_over(state))
        return;
    json_put_string(json, "reason", hand_foot_ending_text(state));
    hand_foot_seat_or_null(json, "wentOut", state->out);
    hand_foot_winners_json(state, json);
    json_put_array(json, "scores");
    for (int side = 0; side < state->sides; side++)
        hand_foot_score_json(state, side, json);
    json_put_end(json);
}
