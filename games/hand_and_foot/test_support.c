/* See test_support.h. Only tests link this. */
#include "games/hand_and_foot/test_support.h"

#include "games/hand_and_foot/plan.h"

#include <stdlib.h>

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

/* Takes the copy that would be drawn last. */
static void take_from_stock(struct hand_and_foot *state, int card) {
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

static void set_foot(struct table *table, int seat, const char *cards) {
    struct hand_and_foot *state = edit(table);
    set_kinds(state, state->foot[seat], &state->foot_count[seat], cards);
}

static void set_in_foot(struct table *table, int seat, const char *cards) {
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

static void set_next(struct table *table, const char *cards) {
    struct hand_and_foot *state = edit(table);
    uint8_t list[CARDS_NAMED_MAX];
    for (int left = take_cards(state, cards, list); left > 0; left--)
        state->stock[state->stock_count++] = list[left - 1];
}

static void set_stock(struct table *table, int keep) {
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

static void set_two_and_two(struct table *table, int seat) {
    set_book(table, seat, CLEAN_KINGS);
    set_book(table, seat, CLEAN_QUEENS);
    set_book(table, seat, DIRTY_JACKS);
    set_book(table, seat, DIRTY_TENS);
}

/* ---- Turns ---- */

static void turn_to(struct table *table, int seat) {
    edit(table)->current = (uint8_t)seat;
    edit(table)->turn_phase = HAND_FOOT_TURN_DRAW;
}

void melding(struct table *table, int seat, const char *cards) {
    turn_to(table, seat);
    edit(table)->turn_phase = HAND_FOOT_TURN_MELD;
    edit(table)->chose_pile[seat] = true;
    set_hand(table, seat, cards);
}

static void melding_foot(struct table *table, int seat, const char *cards) {
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

/* The first cards of hands, feet and stock; null: no wish. */
struct wanted {
    const char *hand[SEATS_MAX];
    const char *foot[SEATS_MAX];
    const char *stock;
};

/* The line of the next round's deal in which everybody has what is wanted; the next call reuses it.
 */
static const char *deal_text(struct table *table, const struct wanted *wanted) {
    static char line[DEAL_TEXT_SIZE];
    const int16_t *rules = edit(table)->rules;
    int seats = edit(table)->head.seats, round = edit(table)->round + 1;
    int hand = hand_foot_listed(rules, RULE_HAND_SIZE, round);
    int foot = hand_foot_listed(rules, RULE_FOOT_SIZE, round);
    int jokers = rules[RULE_JOKERS] * rules[RULE_DECKS];
    int stock = rules[RULE_DECKS] * 52 + jokers - (hand + foot) * seats;
    uint8_t left[CARD_KINDS];
    memset(left, rules[RULE_DECKS], sizeof left);
    left[CARD_JOKER] = (uint8_t)jokers;
    reserve(left, wanted->stock);
    for (int seat = 0; seat < seats; seat++) {
        reserve(left, wanted->hand[seat]);
        reserve(left, wanted->foot[seat]);
    }
    struct text text = text_in(line, sizeof line);
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

/* Deals the next round with no wishes. */
static void deal_again(struct table *table) {
    table_play(table, deal_text(table, &(struct wanted){0}));
}

void begin(struct table *table, const char *options, int seats) {
    table_start(table, &hand_and_foot_game, options, seats);
    deal_again(table);
}

static void settle(struct table *table) {
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

/* ---- Games of two ---- */

static void deal_in_foot(struct table *table, const char *cards) {
    deal_again(table);
    melding_foot(table, 0, cards);
    edit(table)->melded[0] = true;
}

void begin_in_foot(struct table *table, const char *options, const char *cards) {
    table_start(table, &hand_and_foot_game, options, 2);
    deal_in_foot(table, cards);
}

static void deal_ready(struct table *table, const char *cards) {
    deal_in_foot(table, cards);
    set_book(table, 0, CLEAN_KINGS);
    set_book(table, 0, DIRTY_QUEENS);
}

static void deal_before_pile(struct table *table, const char *hand, const char *pile) {
    deal_again(table);
    set_hand(table, 0, hand);
    set_pile(table, pile);
    edit(table)->melded[0] = true;
}

void before_pile(struct table *table, const char *options, const char *hand, const char *pile) {
    table_start(table, &hand_and_foot_game, options, 2);
    deal_before_pile(table, hand, pile);
}

/* ---- Expectations ---- */

static void kinds_are(const uint8_t *kinds, const char *cards) {
    uint8_t list[CARDS_NAMED_MAX], expected[CARD_KINDS] = {0};
    int count = read_cards(cards, list);
    for (int i = 0; i < count; i++)
        expected[list[i]]++;
    assert_memory_equal(kinds, expected, CARD_KINDS);
}

static void pile_is(struct table *table, const char *cards) {
    uint8_t list[CARDS_NAMED_MAX];
    int count = read_cards(cards, list);
    assert_int_equal(edit(table)->pile_count, count);
    assert_memory_equal(edit(table)->pile, list, (size_t)count);
}

/* " KH KS KD", " open" or " closed" */
static void book_is(struct table *table, int side, int number, const char *words) {
    uint8_t list[CARDS_NAMED_MAX];
    int index = hand_foot_find_book(edit(table), side, number);
    assert_true(index >= 0);
    struct hand_foot_book rest = edit(table)->books[index];
    if (strcmp(words, " open") == 0 || strcmp(words, " closed") == 0) {
        assert_int_equal(rest.closed, strcmp(words, " closed") == 0);
        return;
    }
    int count = read_cards(words, list);
    assert_int_equal(hand_foot_book_size(&rest), count);
    for (int i = 0; i < count; i++)
        plan_put(&rest, list[i], -1);
    assert_int_equal(hand_foot_book_naturals(&rest) | hand_foot_book_wilds(&rest), 0);
}

static void books_are(struct table *table, int side, int count) {
    assert_true(count == 0 || hand_foot_find_book(edit(table), side, count) >= 0);
    assert_int_equal(hand_foot_find_book(edit(table), side, count + 1), -1);
}

/* ---- Positions ---- */

const char *position_text(const struct game_state *state) {
    static char line[POSITION_TEXT_SIZE];
    struct text text = text_in(line, sizeof line);
    game_print_position(&hand_and_foot_game, state, &text);
    assert_false(text.cut);
    return line;
}

static struct options options_of(const struct hand_and_foot *state) {
    struct options options = {0};
    for (int i = 0; i < RULE_COUNT; i++)
        options.slot[i] = state->rules[i];
    return options;
}

bool position_reads(const struct table *table, const char *text, struct game_state *out,
                    struct refusal *why) {
    const struct hand_and_foot *state = (const void *)table->state.bytes;
    struct options options = options_of(state);
    assert_true(game_start(&hand_and_foot_game, out, &options, state->head.seats, NULL));
    struct game_state before = *out;
    *why = (struct refusal){0};
    if (game_read_position(&hand_and_foot_game, out, span_of(text), why))
        return true;
    assert_memory_equal(before.bytes, out->bytes, sizeof(struct hand_and_foot));
    assert_string_equal(why->code, "BAD_POSITION");
    return false;
}

/* ---- Stories ---- */

#define MEMBER(member)                                                                             \
    offsetof(struct hand_and_foot, member), sizeof((struct hand_and_foot *)0)->member
#define NUMBER(member)                                                                             \
    { #member, MEMBER(member), sizeof((struct hand_and_foot *)0)->member }
#define NUMBERS(member)                                                                            \
    { #member, MEMBER(member), sizeof((struct hand_and_foot *)0)->member[0] }

/* The members of the state that stories look at or change. */
static const struct {
    const char *name;
    size_t offset, size, item; /* an item has one, two or four bytes */
} numbers[] = {
    NUMBER(phase),
    NUMBER(turn_phase),
    NUMBER(current),
    NUMBER(round),
    NUMBER(sides),
    NUMBER(asking),
    NUMBER(stalemate),
    NUMBER(out),
    NUMBER(ending),
    NUMBER(book_count),
    NUMBER(history_count),
    NUMBER(reshuffles),
    NUMBER(drew_from_deck),
    NUMBER(plays),
    NUMBER(foot_now),
    NUMBER(stock_count),
    NUMBER(pile_count),
    NUMBERS(in_foot),
    NUMBERS(chose_pile),
    NUMBERS(melded),
    NUMBERS(hand_count),
    NUMBERS(foot_count),
    NUMBERS(total),
    NUMBERS(history_out),
    {"history", MEMBER(history), sizeof(int32_t)},
};

/* Sets a number, or compares it; returns false if the words do not name one. */
static bool number_line(struct table *table, const char *words, bool set) {
    char name[24], rest[64];
    int index = 0, value = 0;
    if (sscanf(words, "%23s %63[0-9is -]", name, rest) != 2)
        return false;
    bool listed = sscanf(rest, set ? "%d %d" : "%d is %d", &index, &value) == 2;
    if (!listed && sscanf(rest, set ? "%d" : "is %d", &value) != 1)
        return false;
    index = listed ? index : 0;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        size_t item = numbers[i].item;
        if (strcmp(numbers[i].name, name) != 0 || listed != (item < numbers[i].size))
            continue;
        uint8_t *at = table->state.bytes + numbers[i].offset + item * (size_t)index;
        int32_t found = 0;
        if (set)
            memcpy(at, &value, item); /* the lowest bytes come first */
        memcpy(&found, at, item);
        assert_int_equal(found, value);
        return true;
    }
    return false;
}

/* "KH KS + AH / QS / 9H" */
static void deal_parts(struct table *table, char *parts) {
    struct wanted wanted = {0};
    int seats = game_seats(&table->state);
    for (int seat = 0; parts; seat++) {
        char *next = strchr(parts, '/');
        if (next)
            *next++ = '\0';
        char *foot = strchr(parts, '+');
        if (foot) {
            *foot = '\0';
            wanted.foot[seat] = foot + 1;
        }
        *(seat < seats ? &wanted.hand[seat] : &wanted.stock) = parts;
        parts = next;
    }
    table_play(table, deal_text(table, &wanted));
}

static void deal_line(struct table *table, const char *words) {
    char copy[1024];
    snprintf(copy, sizeof copy, "%s", words);
    char *pile = strchr(copy, '/');
    if (strcmp(copy, " settled") == 0) {
        deal_again(table);
        settle(table);
    } else if (strncmp(copy, " in-foot", 8) == 0) {
        deal_in_foot(table, copy + 8);
    } else if (strncmp(copy, " ready", 6) == 0) {
        deal_ready(table, copy + 6);
    } else if (strncmp(copy, " before-pile", 12) == 0 && pile) {
        *pile = '\0';
        deal_before_pile(table, copy + 12, pile + 1);
    } else {
        deal_parts(table, copy);
    }
}

/* "draw=3 decks=4": sets rules, or expects them to be so. */
static void rules_line(struct table *table, const char *words, bool set) {
    int16_t *rules = edit(table)->rules;
    struct options options = options_of(edit(table));
    assert_true(options_parse(&hand_and_foot_game.options, span_of(words), &options, NULL));
    for (int i = 0; i < RULE_COUNT; i++) {
        rules[i] = set ? (int16_t)options.slot[i] : rules[i];
        assert_int_equal(rules[i], options.slot[i]);
    }
}

static bool set_line(struct table *table, const char *what, const char *words) {
    static const struct {
        const char *what;
        void (*set)(struct table *table, int seat, const char *cards);
    } places[] = {{"hand", set_hand}, {"foot", set_foot},   {"in-foot", set_in_foot},
                  {"book", set_book}, {"melding", melding}, {"melding-foot", melding_foot}};
    int number = atoi(words);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (strcmp(what, places[i].what) == 0) {
            places[i].set(table, number, words + strcspn(words, " "));
            return true;
        }
    if (strcmp(what, "turn") == 0)
        turn_to(table, number);
    else if (strcmp(what, "two-and-two") == 0)
        set_two_and_two(table, number);
    else if (strcmp(what, "pile") == 0)
        set_pile(table, words);
    else if (strcmp(what, "next") == 0)
        set_next(table, words);
    else if (strcmp(what, "stock") == 0)
        set_stock(table, number);
    else if (strcmp(what, "rules") == 0)
        rules_line(table, words, true);
    else if (strcmp(what, "close") == 0)
        edit(table)->books[number - 1].closed = true;
    else
        return false;
    return true;
}

/* "10: 8S 9H": what each of these cards is worth. */
static void worth_line(struct table *table, int (*worth)(const int16_t *rules, int card),
                       const char *words) {
    uint8_t cards[CARDS_NAMED_MAX];
    const char *list = strchr(words, ':');
    assert_non_null(list);
    for (int left = read_cards(list + 1, cards); left > 0; left--)
        assert_int_equal(worth(edit(table)->rules, cards[left - 1]), atoi(words));
}

/* "melds 70, bonuses 500,": a piece of the side's score. */
static void score_has(struct table *table, int side, const char *words) {
    struct hand_foot_score score;
    char found[200];
    hand_foot_score_side(edit(table), side, &score);
    snprintf(found, sizeof found,
             " melds %d, bonuses %d, hand %d %d, foot %d %d, red threes %d, out %d, total %d,",
             score.melds, score.bonuses, score.hand_cards, score.hand_penalty, score.foot_cards,
             score.foot_penalty, score.red_threes, score.going_out, score.total);
    if (!strstr(found, words))
        fail_msg("%s is not in %s", words, found);
}

static void all_hold(struct table *table, int hand, int foot) {
    for (int seat = 0; seat < game_seats(&table->state); seat++) {
        assert_int_equal(edit(table)->hand_count[seat], hand);
        assert_int_equal(edit(table)->foot_count[seat], foot);
    }
}

/* ` holds`, `"phase" as "fase": text` with a change of what is written, or ` refused: text` */
static void position_line(const struct table *table, const char *words) {
    static char text[POSITION_TEXT_SIZE], changed[POSITION_TEXT_SIZE];
    char from[64] = "", to[64] = "";
    struct game_state read;
    struct refusal why;
    const char *wanted = strstr(words, ": ");
    snprintf(text, sizeof text, "%s", position_text(&table->state));
    if (!wanted) {
        assert_string_equal(words, " holds");
        if (!position_reads(table, text, &read, &why))
            fail_msg("%s: %s", why.text, text);
        assert_memory_equal(read.bytes, table->state.bytes, sizeof(struct hand_and_foot));
        return;
    }
    sscanf(words, " \"%63[^\"]\" as \"%63[^\"]", from, to);
    const char *at = strstr(text, from);
    if (!at)
        fail_msg("'%s' does not stand in: %s", from, text);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    if (position_reads(table, changed, &read, &why))
        fail_msg("accepted: %s", changed);
    assert_string_equal(why.text, wanted + 2);
}

bool hand_and_foot_line(struct table *table, const char *line) {
    char what[16];
    int one = 0, other = 0, at = 0;
    if (table->game != &hand_and_foot_game)
        return false;
    if (strncmp(line, "deal", 4) == 0)
        deal_line(table, line + 4);
    else if (strcmp(line, "settle") == 0)
        settle(table);
    else if (strncmp(line, "position", 8) == 0)
        position_line(table, line + 8);
    else if (sscanf(line, "set %15s %n", what, &at) == 1)
        return set_line(table, what, line + at) || number_line(table, line + 4, true);
    else if (sscanf(line, "hand %d is%n", &one, &at) == 1 && at > 0)
        kinds_are(edit(table)->hand[one], line + at);
    else if (sscanf(line, "foot %d is%n", &one, &at) == 1 && at > 0)
        kinds_are(edit(table)->foot[one], line + at);
    else if (strncmp(line, "pile is", 7) == 0)
        pile_is(table, line + 7);
    else if (sscanf(line, "held %d %15s is %d", &one, what, &other) == 3)
        assert_int_equal(edit(table)->hand[one][card_named(what)], other);
    else if (sscanf(line, "book %d %d is%n", &one, &other, &at) == 2 && at > 0)
        book_is(table, one, other, line + at);
    else if (sscanf(line, "books %d is %d", &one, &other) == 2)
        books_are(table, one, other);
    else if (sscanf(line, "all hold %d + %d", &one, &other) == 2)
        all_hold(table, one, other);
    else if (strncmp(line, "points ", 7) == 0)
        worth_line(table, hand_foot_points, line + 7);
    else if (strncmp(line, "penalty ", 8) == 0)
        worth_line(table, hand_foot_penalty, line + 8);
    else if (sscanf(line, "score %d has%n", &one, &at) == 1 && at > 0)
        score_has(table, one, line + at);
    else if (strncmp(line, "rules are ", 10) == 0)
        rules_line(table, line + 10, false);
    else
        return number_line(table, line, false);
    return true;
}
