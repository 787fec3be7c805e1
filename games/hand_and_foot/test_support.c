/* See test_support.h. Only tests link this. */
#include "games/hand_and_foot/test_support.h"

#include "games/hand_and_foot/plan.h"

enum { CARDS_NAMED_MAX = 64 };

struct hand_and_foot *edit(struct table *table) {
    return (void *)table->state.bytes;
}

/* Reads a list into kinds of cards; returns how many. */
static int read_cards(const char *text, uint8_t cards[CARDS_NAMED_MAX]) {
    struct scan scan = scan_of(span_of(text));
    struct span word;
    int count = 0;
    while (scan_word(&scan, &word)) {
        assert_true(count < CARDS_NAMED_MAX);
        if (!card_parse(word, &cards[count++]))
            fail_msg("'%.*s' is no card", (int)word.length, word.data);
    }
    return count;
}

uint8_t card_named(const char *text) {
    uint8_t cards[CARDS_NAMED_MAX];
    assert_int_equal(read_cards(text, cards), 1);
    return cards[0];
}

/* ---- Cards in their places ---- */

/* Cards that a test moves by hand contradict what a shuffle told, so nobody remembers it. */
static void forget_shuffle(struct hand_and_foot *state) {
    memset(&state->reshuffled, 0, sizeof state->reshuffled);
}

static void put_under_stock(struct hand_and_foot *state, int card) {
    forget_shuffle(state);
    memmove(state->stock + 1, state->stock, state->stock_count++);
    state->stock[0] = (uint8_t)card;
}

void take_from_stock(struct hand_and_foot *state, int card) {
    int at = 0;
    while (at < state->stock_count && state->stock[at] != card)
        at++;
    if (at == state->stock_count)
        fail_msg("the stock has no card %d left", card);
    forget_shuffle(state);
    state->stock_count--;
    for (; at < state->stock_count; at++)
        state->stock[at] = state->stock[at + 1];
    state->stock[state->stock_count] = 0;
}

static int take_cards(struct hand_and_foot *state, const char *text,
                      uint8_t cards[CARDS_NAMED_MAX]) {
    int count = read_cards(text, cards);
    for (int i = 0; i < count; i++)
        take_from_stock(state, cards[i]);
    return count;
}

static void set_kinds(struct hand_and_foot *state, uint8_t *kinds, uint16_t *count,
                      const char *text) {
    uint8_t cards[CARDS_NAMED_MAX];
    for (int card = 0; card < CARD_KINDS; card++)
        for (; kinds[card] > 0; kinds[card]--)
            put_under_stock(state, card);
    *count = (uint16_t)take_cards(state, text, cards);
    for (int i = 0; i < *count; i++)
        kinds[cards[i]]++;
}

void set_hand(struct table *table, int seat, const char *cards) {
    struct hand_and_foot *state = edit(table);
    set_kinds(state, state->hand[seat], &state->hand_count[seat], cards);
    state->chose_pile[seat] = true;
}

void set_foot(struct table *table, int seat, const char *cards) {
    struct hand_and_foot *state = edit(table);
    set_kinds(state, state->foot[seat], &state->foot_count[seat], cards);
}

void set_in_foot(struct table *table, int seat, const char *cards) {
    set_foot(table, seat, "");
    set_hand(table, seat, cards);
    edit(table)->in_foot[seat] = true;
}

void set_pile(struct table *table, const char *cards) {
    struct hand_and_foot *state = edit(table);
    uint8_t list[CARDS_NAMED_MAX];
    while (state->pile_count > 0) {
        put_under_stock(state, state->pile[--state->pile_count]);
        state->pile[state->pile_count] = 0;
    }
    state->pile_count = (uint16_t)take_cards(state, cards, list);
    memcpy(state->pile, list, state->pile_count);
}

void set_next(struct table *table, const char *cards) {
    struct hand_and_foot *state = edit(table);
    uint8_t list[CARDS_NAMED_MAX];
    for (int left = take_cards(state, cards, list); left > 0; left--)
        state->stock[state->stock_count++] = list[left - 1];
}

void set_stock(struct table *table, int keep) {
    struct hand_and_foot *state = edit(table);
    int seat = state->head.seats - 1;
    while (state->stock_count > keep) {
        int card = state->stock[0];
        take_from_stock(state, card);
        state->foot[seat][card]++;
        state->foot_count[seat]++;
    }
}

void set_book(struct table *table, int seat, const char *cards) {
    struct hand_and_foot *state = edit(table);
    struct hand_foot_book *book = &state->books[state->book_count++];
    uint8_t list[CARDS_NAMED_MAX];
    int count = take_cards(state, cards, list);
    book->side = (uint8_t)hand_foot_side(state, seat);
    book->rank = HAND_FOOT_WILD_RANK;
    for (int i = 0; i < count; i++) {
        plan_put(book, list[i], 1);
        if (!hand_foot_is_wild(list[i]))
            book->rank = (uint8_t)hand_foot_rank(list[i]);
    }
    book->closed =
        state->rules[RULE_CLOSING] == CLOSING_AUTOMATIC && hand_foot_book_complete(state, book);
    state->melded[book->side] = true;
}

void set_two_and_two(struct table *table, int seat) {
    set_book(table, seat, CLEAN_KINGS);
    set_book(table, seat, CLEAN_QUEENS);
    set_book(table, seat, DIRTY_JACKS);
    set_book(table, seat, DIRTY_TENS);
}

/* ---- Turns ---- */

void turn_to(struct table *table, int seat) {
    edit(table)->current = (uint8_t)seat;
    edit(table)->turn_phase = HAND_FOOT_TURN_DRAW;
}

void melding(struct table *table, int seat, const char *cards) {
    turn_to(table, seat);
    edit(table)->turn_phase = HAND_FOOT_TURN_MELD;
    edit(table)->chose_pile[seat] = true;
    set_hand(table, seat, cards);
}

void melding_foot(struct table *table, int seat, const char *cards) {
    melding(table, seat, "");
    set_in_foot(table, seat, cards);
}

/* ---- Deals ---- */

/* A part of a deal begins with what is wanted of it; those cards are set aside first. */
static void reserve(uint8_t *left, const char *wanted) {
    uint8_t cards[CARDS_NAMED_MAX];
    int count = read_cards(wanted ? wanted : "", cards);
    for (int i = 0; i < count; i++) {
        assert_true(left[cards[i]] > 0);
        left[cards[i]]--;
    }
}

static int next_of(uint8_t *left) {
    static const uint8_t ranks[] = {4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 3, 2};
    for (size_t i = 0; i < sizeof ranks; i++) {
        for (int suit = 0; suit < CARD_SUITS; suit++) {
            if (left[card_of(ranks[i], suit)] > 0) {
                left[card_of(ranks[i], suit)]--;
                return card_of(ranks[i], suit);
            }
        }
    }
    left[CARD_JOKER]--;
    return CARD_JOKER;
}

static void write_part(struct text *text, uint8_t *left, const char *wanted, int size) {
    uint8_t cards[CARDS_NAMED_MAX];
    int count = read_cards(wanted ? wanted : "", cards);
    for (int i = 0; i < size; i++) {
        text_char(text, ' ');
        card_print((uint8_t)(i < count ? cards[i] : next_of(left)), text);
    }
}

const char *deal_text(struct table *table, const struct wanted *wanted) {
    static char line[DEAL_TEXT_SIZE];
    const int16_t *rules = edit(table)->rules;
    int seats = edit(table)->head.seats, round = edit(table)->round + 1;
    int hand = hand_foot_listed(rules, RULE_HAND_SIZE, round);
    int foot = hand_foot_listed(rules, RULE_FOOT_SIZE, round);
    int jokers = rules[RULE_JOKERS] * rules[RULE_DECKS];
    int stock = rules[RULE_DECKS] * 52 + jokers - (hand + foot) * seats;
    uint8_t left[CARD_KINDS];
    struct text text;
    memset(left, rules[RULE_DECKS], sizeof left);
    left[CARD_JOKER] = (uint8_t)jokers;
    reserve(left, wanted->stock);
    for (int seat = 0; seat < seats; seat++) {
        reserve(left, wanted->hand[seat]);
        reserve(left, wanted->foot[seat]);
    }
    text_begin(&text, line, sizeof line);
    text_string(&text, "- deal");
    for (int seat = 0; seat < seats; seat++) {
        write_part(&text, left, wanted->hand[seat], hand);
        text_string(&text, " +");
        write_part(&text, left, wanted->foot[seat], foot);
        text_string(&text, " /");
    }
    write_part(&text, left, wanted->stock, stock);
    assert_false(text.cut);
    return line;
}

void deal_again(struct table *table) {
    table_play(table, deal_text(table, &(struct wanted){0}));
}

void begin_with(struct table *table, const char *options, int seats, const struct wanted *wanted) {
    table_start(table, &hand_and_foot_game, options, seats);
    table_play(table, deal_text(table, wanted));
}

void begin(struct table *table, const char *options, int seats) {
    begin_with(table, options, seats, &(struct wanted){0});
}

void settle(struct table *table) {
    for (int seat = 0; seat < 4; seat++) {
        set_hand(table, seat, "");
        set_foot(table, seat, "");
    }
    for (int seat = 0; seat < 4; seat++) {
        set_hand(table, seat, "4S 4H 4D");
        set_foot(table, seat, "5S 5H 5D");
    }
    set_pile(table, edit(table)->rules[RULE_TURN_CARD] ? "6S" : "");
}

void begin_settled(struct table *table, const char *options) {
    begin(table, options, 4);
    settle(table);
}

/* ---- Games of two ---- */

void begin_in_foot(struct table *table, const char *options, const char *cards) {
    begin(table, options, 2);
    melding_foot(table, 0, cards);
    edit(table)->melded[0] = true;
}

void ready_to_go_out(struct table *table, const char *options, const char *cards) {
    begin_in_foot(table, options, cards);
    set_book(table, 0, CLEAN_KINGS);
    set_book(table, 0, DIRTY_QUEENS);
}

void before_pile(struct table *table, const char *options, const char *hand, const char *pile) {
    begin(table, options, 2);
    set_hand(table, 0, hand);
    set_pile(table, pile);
    edit(table)->melded[0] = true;
}

void next_deal(struct table *table) {
    uint8_t seed[CHANCE_SEED_SIZE] = {7};
    assert_true(game_deal_seed(table->game, &table->state, seed, NULL, &table->why));
}

/* ---- Expectations ---- */

void refused(struct table *table, const char *line, const char *code) {
    table_refuses(table, line, code, NULL);
}

void refused_with(struct table *table, const char *line, const char *code, const char *text) {
    table_refuses(table, line, code, text);
}

void kinds_are(const uint8_t *kinds, const char *cards) {
    uint8_t list[CARDS_NAMED_MAX], expected[CARD_KINDS] = {0};
    int count = read_cards(cards, list);
    for (int i = 0; i < count; i++)
        expected[list[i]]++;
    assert_memory_equal(kinds, expected, CARD_KINDS);
}

void hand_is(struct table *table, int seat, const char *cards) {
    kinds_are(edit(table)->hand[seat], cards);
}

void pile_is(struct table *table, const char *cards) {
    uint8_t list[CARDS_NAMED_MAX];
    int count = read_cards(cards, list);
    assert_int_equal(edit(table)->pile_count, count);
    assert_memory_equal(edit(table)->pile, list, (size_t)count);
}

void book_is(struct table *table, int side, int number, const char *cards) {
    uint8_t list[CARDS_NAMED_MAX];
    int index = hand_foot_find_book(edit(table), side, number), count = read_cards(cards, list);
    assert_true(index >= 0);
    struct hand_foot_book rest = edit(table)->books[index];
    assert_int_equal(hand_foot_book_size(&rest), count);
    for (int i = 0; i < count; i++)
        plan_put(&rest, list[i], -1);
    assert_int_equal(hand_foot_book_naturals(&rest) | hand_foot_book_wilds(&rest), 0);
}

void books_are(struct table *table, int side, int count) {
    assert_true(count == 0 || hand_foot_find_book(edit(table), side, count) >= 0);
    assert_int_equal(hand_foot_find_book(edit(table), side, count + 1), -1);
}

void turn_of(struct table *table, int seat) {
    assert_int_equal(edit(table)->phase, HAND_FOOT_PLAYING);
    assert_int_equal(game_to_act(table->game, &table->state), 1u << seat);
}

void shown(struct table *table, const char *json) {
    shown_to(table, SPECTATOR, json);
}

void shown_to(struct table *table, int viewer, const char *json) {
    if (!table_shows(table, viewer, json))
        fail_msg("%s is not in %s", json, table_view(table, viewer));
}

void hidden_from(struct table *table, int viewer, const char *json) {
    if (table_shows(table, viewer, json))
        fail_msg("%s is in %s", json, table_view(table, viewer));
}

void told_within(struct table *table, const char *type, const char *piece) {
    const struct event *event = table_event(table, type, 0);
    if (!event)
        fail_msg("no event %s", type);
    char copy[8192];
    snprintf(copy, sizeof copy, "%.*s", (int)event->data.length, event->data.data);
    if (!strstr(copy, piece))
        fail_msg("%s is not in %s", piece, copy);
}

void legal_has(struct table *table, int seat, const char *move) {
    if (!strstr(table_legal(table, seat), move))
        fail_msg("'%s' is not in %s", move, table_legal(table, seat));
}

void legal_lacks(struct table *table, int seat, const char *move) {
    if (strstr(table_legal(table, seat), move))
        fail_msg("'%s' is in %s", move, table_legal(table, seat));
}

void scores_are(struct table *table, int ours, int theirs) {
    struct result result;
    game_result(table->game, &table->state, &result);
    for (int seat = 0; seat < 4; seat++)
        assert_int_equal(result.score[seat], seat % 2 == 0 ? ours : theirs);
}

void winners_are(struct table *table, uint32_t mask) {
    struct result result;
    game_result(table->game, &table->state, &result);
    assert_int_equal(result.winners, mask);
}
