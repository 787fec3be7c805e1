/* Positions as text, printed and read; see position.h. Whether a position makes sense is decided in
 * position_check.c, after everything has been read. */
#include "games/hand_and_foot/position.h"

#include "games/hand_and_foot/flow.h"
#include "games/hand_and_foot/words.h"
#include <string.h>

#define BAD "BAD_POSITION"

static const char *const phases[] = {[HAND_FOOT_DEALING] = "setup",
                                     [HAND_FOOT_PLAYING] = "playing",
                                     [HAND_FOOT_SHUFFLING] = "shuffling",
                                     [HAND_FOOT_ROUND_END] = "round-end",
                                     [HAND_FOOT_GAME_END] = "game-end"};
static const char *const answers[] = {[HAND_FOOT_NOT_ASKED] = "not-asked",
                                      [HAND_FOOT_ASKED] = "asked",
                                      [HAND_FOOT_GRANTED] = "granted",
                                      [HAND_FOOT_DENIED] = "denied"};
static const char *const endings[] = {[HAND_FOOT_NOT_ENDED] = "not",
                                      [HAND_FOOT_WENT_OUT] = "out",
                                      [HAND_FOOT_NO_CARDS] = "no-cards",
                                      [HAND_FOOT_STALEMATE] = "stalemate"};

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

/* ---- Printing ---- */

static void print_word(const char *key, const char *word, struct text *text) {
    text_string(text, text->length > 0 ? " " : "");
    text_string(text, key);
    text_string(text, word[0] != '\0' ? " " : "");
    text_string(text, word);
}

static void print_value(int value, struct text *text) {
    text_char(text, ' ');
    text_number(text, value);
}

static void print_number(const char *key, int value, struct text *text) {
    print_word(key, "", text);
    print_value(value, text);
}

/* A count of zero is the usual value and is left out. */
static void print_count(const char *key, int value, struct text *text) {
    if (value != 0)
        print_number(key, value, text);
}

static void print_kinds(const char *key, int of, const uint8_t *kinds, struct text *text) {
    int count = 0;
    for (int card = 0; card < CARD_KINDS; card++)
        count += kinds[card];
    if (count == 0)
        return;
    print_number(key, of, text);
    hand_foot_print_kinds(kinds, NULL, text);
}

/* What is known since the discards were shuffled; kinds, then a number for each seat. */
static void print_reshuffled(const struct hand_and_foot *state, struct text *text) {
    const struct hand_foot_reshuffled *note = &state->reshuffled;
    if (!note->known)
        return;
    print_word("in-stock", "", text);
    hand_foot_print_kinds(note->in_stock, NULL, text);
    print_word("in-feet", "", text);
    hand_foot_print_kinds(note->in_feet, NULL, text);
    print_word("older", "", text);
    hand_foot_print_kinds(note->older, NULL, text);
    print_word("redrawn", "", text);
    for (int seat = 0; seat < state->head.seats; seat++)
        print_value(note->drawn[seat], text);
}

static void print_turn(const struct hand_and_foot *state, struct text *text) {
    print_word("turn", hand_foot_turn_words[state->turn_phase], text);
    print_number("current", state->current, text);
    if (state->drew_from_deck)
        print_word("drew", "", text);
    print_count("plays", state->plays, text);
    if (state->foot_now)
        print_word("footed", "", text);
    if (state->asking != HAND_FOOT_NOT_ASKED)
        print_word("asking", answers[state->asking], text);
    print_count("watch", state->stalemate, text);
    print_count("reshuffles", state->reshuffles, text);
    print_count("turns", state->turns, text);
    if (state->ending != HAND_FOOT_NOT_ENDED)
        print_word("ended", endings[state->ending], text);
    if (state->ending == HAND_FOOT_WENT_OUT)
        print_value(state->out, text);
}

static void print_scores(const struct hand_and_foot *state, struct text *text) {
    print_word("score", "", text);
    for (int side = 0; side < state->sides; side++)
        print_value(state->total[side], text);
    for (int i = 0; i < state->history_count; i++) {
        print_word("history", state->history_out[i] == HAND_FOOT_NOBODY ? "-" : "", text);
        if (state->history_out[i] != HAND_FOOT_NOBODY)
            print_value(state->history_out[i], text);
        for (int side = 0; side < state->sides; side++)
            print_value(state->history[i][side], text);
    }
}

static void print_seat(const struct hand_and_foot *state, int seat, struct text *text) {
    uint8_t drawn[CARD_KINDS], shown[CARD_KINDS];
    for (int card = 0; card < CARD_KINDS; card++) {
        drawn[card] = (uint8_t)hand_foot_new(state, seat, card);
        shown[card] = (uint8_t)hand_foot_shown(state, seat, card);
    }
    print_kinds("hand", seat, state->hand[seat], text);
    print_kinds("foot", seat, state->foot[seat], text);
    print_kinds("new", seat, drawn, text);
    print_kinds("shown", seat, shown, text);
    if (state->rules[RULE_CHOOSE_PILE] && state->chose_pile[seat])
        print_number("chosen", seat, text);
}

static void print_books(const struct hand_and_foot *state, struct text *text) {
    for (int side = 0; side < state->sides; side++) {
        uint8_t kinds[CARD_KINDS] = {0};
        kinds[card_of(HAND_FOOT_THREE, CARD_HEARTS)] = state->red_threes[side][0];
        kinds[card_of(HAND_FOOT_THREE, CARD_DIAMONDS)] = state->red_threes[side][1];
        print_kinds("laid", side, kinds, text);
    }
    for (int i = 0; i < state->book_count; i++) {
        uint8_t kinds[CARD_KINDS] = {0};
        hand_foot_add_book_cards(&state->books[i], kinds);
        print_kinds("book", state->books[i].side, kinds, text);
        if (state->rules[RULE_CLOSING] == CLOSING_EXPLICIT && state->books[i].closed)
            text_string(text, " closed");
    }
}

/* Books are numbered from 1 in the order in which the position lists them. */
static void print_undo(const struct hand_and_foot *state, struct text *text) {
    const struct hand_foot_undo_card *card = state->undo_card;
    for (int i = 0; i < state->undo_plays; i++) {
        const struct hand_foot_undo_play *play = &state->undo_play[i];
        print_word("undo", play->closed > 0 ? "close" : "", text);
        if (play->closed > 0)
            print_value(play->closed, text);
        for (int j = 0; j < play->cards; j++, card++) {
            print_value(card->book + 1, text);
            text_char(text, ' ');
            card_print(card->card, text);
        }
        if (play->opened)
            text_string(text, " opened");
    }
}

/* The pile with its top card last, the stock with the next card first. */
static void print_piles(const struct hand_and_foot *state, struct text *text) {
    print_word("pile", "", text);
    for (int i = 0; i < state->pile_count; i++) {
        text_char(text, ' ');
        card_print(state->pile[i], text);
    }
    print_word("stock", "", text);
    for (int i = state->stock_count - 1; i >= 0; i--) {
        text_char(text, ' ');
        card_print(state->stock[i], text);
    }
}

void hand_foot_print_position(const void *from, struct text *text) {
    const struct hand_and_foot *state = from;
    char line[POSITION_TEXT_SIZE];
    struct text out = text_in(line, sizeof line);
    print_number("round", state->round, &out);
    print_word("phase", phases[state->phase], &out);
    if (state->round > 0) {
        print_turn(state, &out);
        print_scores(state, &out);
        for (int seat = 0; seat < state->head.seats; seat++)
            print_seat(state, seat, &out);
        print_books(state, &out);
        print_undo(state, &out);
        print_piles(state, &out);
        print_reshuffled(state, &out);
    }
    text_span(text, (struct span){line, out.length});
    text->cut = text->cut || out.cut;
}

/* ---- Reading words ---- */

struct reader {
    struct hand_and_foot *state;
    struct scan *words;
    struct refusal *why;
    struct span key; /* whose arguments are being read */
    uint32_t once;   /* keywords that were there, by their place in the table */
    uint32_t hands, feet, news, showings; /* seats whose cards were there */
    uint32_t laid;                        /* sides whose red threes were there */
    uint32_t used[CARD_KINDS];            /* how often each card was there */
};

struct keyword {
    const char *name;
    bool (*read)(struct reader *reader);
    bool repeats;
};

static const struct keyword *find_keyword(struct span word);

static bool refuse_argument(struct reader *reader, struct span word, const char *expected) {
    char key[16], found[32];
    struct text text = text_in(key, sizeof key);
    text_span(&text, reader->key);
    text_begin(&text, found, sizeof found);
    text_span(&text, word);
    refuse(reader->why, BAD, "Position, %s: expected %s, found '%s'", key, expected,
           word.length > 0 ? found : "nothing");
    reader->why->at = word.data;
    return false;
}

/* The next word, unless it is a keyword. */
static bool next_argument(struct reader *reader, struct span *word) {
    if (!scan_peek(*reader->words, word) || find_keyword(*word)) {
        word->length = 0;
        return false;
    }
    return scan_word(reader->words, word);
}

static bool read_number(struct reader *reader, int min, int max, int *out) {
    char expected[64];
    struct span word;
    int32_t number = 0;
    next_argument(reader, &word);
    if (span_number(word, &number) && number >= min && number <= max) {
        *out = number;
        return true;
    }
    struct text text = text_in(expected, sizeof expected);
    text_string(&text, "a number from ");
    text_number(&text, min);
    text_string(&text, " to ");
    text_number(&text, max);
    return refuse_argument(reader, word, expected);
}

static bool read_byte(struct reader *reader, int max, uint8_t *out) {
    int number;
    if (!read_number(reader, 0, max, &number))
        return false;
    *out = (uint8_t)number;
    return true;
}

static bool read_choice(struct reader *reader, const char *const *choices, int count,
                        uint8_t *out) {
    char expected[64];
    struct span word;
    next_argument(reader, &word);
    struct text text = text_in(expected, sizeof expected);
    for (int i = 0; i < count; i++) {
        if (span_is(word, choices[i])) {
            *out = (uint8_t)i;
            return true;
        }
        text_string(&text, i > 0 ? " or " : "");
        text_string(&text, choices[i]);
    }
    return refuse_argument(reader, word, expected);
}

/* True with a card, false at the end of the cards; another word is left to the caller. */
static bool next_card(struct reader *reader, uint8_t *card) {
    struct scan before = *reader->words;
    struct span word;
    if (next_argument(reader, &word) && card_parse(word, card))
        return true;
    *reader->words = before;
    return false;
}

/* The cards are over: the next word must be a keyword. */
static bool end_of_arguments(struct reader *reader) {
    struct span word;
    return !next_argument(reader, &word) || refuse_argument(reader, word, "a card or a keyword");
}

/* Counts a card in its place. One card too many has no place, but is counted, so that the refusal
 * can name it. */
static bool count_card(struct reader *reader, int card) {
    return ++reader->used[card] <= (uint32_t)hand_foot_deck_count(reader->state, card);
}

/* ---- Reading what belongs to a keyword ---- */

static bool read_round(struct reader *reader) {
    return read_byte(reader, UINT8_MAX, &reader->state->round);
}

static bool read_phase(struct reader *reader) {
    return read_choice(reader, phases, COUNT(phases), &reader->state->phase);
}

static bool read_turn(struct reader *reader) {
    return read_choice(reader, hand_foot_turn_words, HAND_FOOT_TURN_PHASES,
                       &reader->state->turn_phase);
}

static bool read_current(struct reader *reader) {
    return read_byte(reader, reader->state->head.seats - 1, &reader->state->current);
}

static bool read_drew(struct reader *reader) {
    reader->state->drew_from_deck = true;
    return true;
}

static bool read_footed(struct reader *reader) {
    reader->state->foot_now = true;
    return true;
}

static bool read_plays(struct reader *reader) {
    return read_byte(reader, UINT8_MAX, &reader->state->plays);
}

static bool read_asking(struct reader *reader) {
    return read_choice(reader, answers, COUNT(answers), &reader->state->asking);
}

static bool read_watch(struct reader *reader) {
    return read_byte(reader, STALEMATE_END * reader->state->head.seats, &reader->state->stalemate);
}

static bool read_reshuffles(struct reader *reader) {
    return read_byte(reader, HAND_FOOT_RESHUFFLES_MAX, &reader->state->reshuffles);
}

static bool read_turns(struct reader *reader) {
    int number;
    if (!read_number(reader, 0, UINT16_MAX, &number))
        return false;
    reader->state->turns = (uint16_t)number;
    return true;
}

static bool read_ended(struct reader *reader) {
    struct hand_and_foot *state = reader->state;
    if (!read_choice(reader, endings, COUNT(endings), &state->ending))
        return false;
    return state->ending != HAND_FOOT_WENT_OUT ||
           read_byte(reader, state->head.seats - 1, &state->out);
}

static bool read_scores(struct reader *reader, int32_t *scores) {
    enum { SCORE_MAX = 999999999 };
    for (int side = 0; side < reader->state->sides; side++) {
        int score;
        if (!read_number(reader, -SCORE_MAX, SCORE_MAX, &score))
            return false;
        scores[side] = score;
    }
    return true;
}

static bool read_score(struct reader *reader) {
    return read_scores(reader, reader->state->total);
}

static bool read_history(struct reader *reader) {
    struct hand_and_foot *state = reader->state;
    struct span word;
    int row = state->history_count;
    if (row == HAND_FOOT_HISTORY_MAX)
        return refuse_argument(reader, reader->key, "at most 20 rounds");
    state->history_out[row] = HAND_FOOT_NOBODY;
    if (scan_peek(*reader->words, &word) && span_is(word, "-"))
        scan_word(reader->words, &word);
    else if (!read_byte(reader, state->head.seats - 1, &state->history_out[row]))
        return false;
    state->history_count++;
    return read_scores(reader, state->history[row]);
}

/* The seat or side whose cards follow; each has them once. */
static bool read_owner(struct reader *reader, int count, uint32_t *seen, int *owner) {
    if (!read_number(reader, 0, count - 1, owner))
        return false;
    if ((*seen >> *owner & 1) != 0)
        return refuse_argument(reader, reader->key, "these cards only once");
    *seen |= (uint32_t)1 << *owner;
    return true;
}

static bool read_kinds(struct reader *reader, uint8_t *kinds, uint16_t *count) {
    uint8_t card;
    while (next_card(reader, &card)) {
        if (!count_card(reader, card))
            continue;
        kinds[card]++;
        ++*count;
    }
    return end_of_arguments(reader);
}

static bool read_hand(struct reader *reader) {
    struct hand_and_foot *state = reader->state;
    int seat;
    return read_owner(reader, state->head.seats, &reader->hands, &seat) &&
           read_kinds(reader, state->hand[seat], &state->hand_count[seat]);
}

static bool read_foot(struct reader *reader) {
    struct hand_and_foot *state = reader->state;
    int seat;
    return read_owner(reader, state->head.seats, &reader->feet, &seat) &&
           read_kinds(reader, state->foot[seat], &state->foot_count[seat]);
}

/* Reads marks of cards that are listed elsewhere as well. */
static bool read_marks(struct reader *reader, uint32_t *owners,
                       uint8_t marks[SEATS_MAX][HAND_FOOT_FEW_BYTES]) {
    const struct hand_and_foot *state = reader->state;
    int seat;
    uint8_t card;
    if (!read_owner(reader, state->head.seats, owners, &seat))
        return false;
    while (next_card(reader, &card)) {
        if (hand_foot_few(marks[seat], card) == hand_foot_deck_count(state, card))
            return refuse_argument(reader, reader->key, "fewer copies of a card");
        hand_foot_few_add(marks[seat], card, 1);
    }
    return end_of_arguments(reader);
}

static bool read_new(struct reader *reader) {
    return read_marks(reader, &reader->news, reader->state->new_cards);
}

static bool read_shown(struct reader *reader) {
    return read_marks(reader, &reader->showings, reader->state->shown);
}

static bool read_chosen(struct reader *reader) {
    int seat;
    if (!read_number(reader, 0, reader->state->head.seats - 1, &seat))
        return false;
    reader->state->chose_pile[seat] = true;
    return true;
}

static bool read_laid(struct reader *reader) {
    struct hand_and_foot *state = reader->state;
    int side;
    uint8_t card;
    if (!read_owner(reader, state->sides, &reader->laid, &side))
        return false;
    while (next_card(reader, &card)) {
        if (!hand_foot_is_red_three(card))
            return refuse_argument(reader, reader->key, "red threes");
        if (count_card(reader, card))
            state->red_threes[side][hand_foot_red_three_place(card)]++;
    }
    return end_of_arguments(reader);
}

/* A book's rank is that of its naturals; a book without any is one of wilds. */
static bool read_book_cards(struct reader *reader, struct hand_foot_book *book) {
    uint8_t card;
    book->rank = HAND_FOOT_WILD_RANK;
    while (next_card(reader, &card)) {
        bool wild = hand_foot_is_wild(card);
        if (!wild && book->rank != HAND_FOOT_WILD_RANK && book->rank != hand_foot_rank(card))
            return refuse_argument(reader, reader->key, "naturals of one rank");
        if (!wild)
            book->rank = (uint8_t)hand_foot_rank(card);
        if (count_card(reader, card))
            plan_put(book, card, 1);
    }
    return true;
}

static bool read_book(struct reader *reader) {
    struct hand_and_foot *state = reader->state;
    struct hand_foot_book *book = &state->books[state->book_count];
    struct span word;
    if (state->book_count == HAND_FOOT_BOOKS_MAX)
        return refuse_argument(reader, reader->key, "at most 72 books");
    if (!read_byte(reader, state->sides - 1, &book->side) || !read_book_cards(reader, book))
        return false;
    state->book_count++;
    if (scan_peek(*reader->words, &word) && span_is(word, "closed")) {
        scan_word(reader->words, &word);
        book->closed = true;
    }
    return end_of_arguments(reader);
}

static bool read_undo_card(struct reader *reader, struct hand_foot_undo_play *play) {
    struct hand_and_foot *state = reader->state;
    struct span word;
    int book;
    if (!read_number(reader, 1, HAND_FOOT_BOOKS_MAX, &book))
        return false;
    struct hand_foot_undo_card *entry = &state->undo_card[state->undo_cards];
    if (state->undo_cards == HAND_FOOT_UNDO_CARDS_MAX)
        return refuse_argument(reader, reader->key, "at most 64 cards");
    if (!next_argument(reader, &word) || !card_parse(word, &entry->card))
        return refuse_argument(reader, word, "a card");
    entry->book = (uint8_t)(book - 1);
    state->undo_cards++;
    play->cards++;
    return true;
}

static bool read_undo(struct reader *reader) {
    struct hand_and_foot *state = reader->state;
    struct hand_foot_undo_play *play = &state->undo_play[state->undo_plays];
    struct span word;
    if (state->undo_plays == HAND_FOOT_UNDO_PLAYS_MAX)
        return refuse_argument(reader, reader->key, "at most 16 plays");
    state->undo_plays++;
    while (scan_peek(*reader->words, &word) && !find_keyword(word)) {
        bool good = true;
        if (span_is(word, "opened") || span_is(word, "close")) {
            scan_word(reader->words, &word);
            play->opened = play->opened || span_is(word, "opened");
            if (span_is(word, "close"))
                good = read_byte(reader, HAND_FOOT_BOOKS_MAX, &play->closed);
        } else {
            good = read_undo_card(reader, play);
        }
        if (!good)
            return false;
    }
    return true;
}

static bool read_pile(struct reader *reader) {
    struct hand_and_foot *state = reader->state;
    uint8_t card;
    while (next_card(reader, &card))
        if (count_card(reader, card))
            state->pile[state->pile_count++] = card;
    return end_of_arguments(reader);
}

static bool read_stock(struct reader *reader) {
    struct hand_and_foot *state = reader->state;
    uint8_t card;
    while (next_card(reader, &card))
        if (count_card(reader, card))
            state->stock[state->stock_count++] = card;
    for (int i = 0, j = state->stock_count - 1; i < j; i++, j--) {
        card = state->stock[i];
        state->stock[i] = state->stock[j];
        state->stock[j] = card;
    }
    return end_of_arguments(reader);
}

/* Kinds of which at most so many copies can be somewhere. */
static bool read_limits(struct reader *reader, uint8_t kinds[CARD_KINDS]) {
    uint8_t card;
    reader->state->reshuffled.known = true;
    while (next_card(reader, &card))
        if (++kinds[card] > hand_foot_deck_count(reader->state, card))
            return refuse_argument(reader, reader->key, "fewer copies of a card");
    return end_of_arguments(reader);
}

static bool read_in_stock(struct reader *reader) {
    return read_limits(reader, reader->state->reshuffled.in_stock);
}

static bool read_in_feet(struct reader *reader) {
    return read_limits(reader, reader->state->reshuffled.in_feet);
}

static bool read_older(struct reader *reader) {
    return read_limits(reader, reader->state->reshuffled.older);
}

static bool read_redrawn(struct reader *reader) {
    struct hand_and_foot *state = reader->state;
    state->reshuffled.known = true;
    for (int seat = 0; seat < state->head.seats; seat++) {
        int count;
        if (!read_number(reader, 0, HAND_FOOT_CARDS_MAX, &count))
            return false;
        state->reshuffled.drawn[seat] = (uint16_t)count;
    }
    return true;
}

static const struct keyword keywords[] = {
    {"round", read_round, false},       {"phase", read_phase, false},
    {"turn", read_turn, false},         {"current", read_current, false},
    {"drew", read_drew, false},         {"plays", read_plays, false},
    {"asking", read_asking, false},     {"watch", read_watch, false},
    {"turns", read_turns, false},       {"reshuffles", read_reshuffles, false},
    {"ended", read_ended, false},       {"score", read_score, false},
    {"history", read_history, true},    {"hand", read_hand, true},
    {"foot", read_foot, true},          {"new", read_new, true},
    {"chosen", read_chosen, true},      {"laid", read_laid, true},
    {"book", read_book, true},          {"undo", read_undo, true},
    {"pile", read_pile, false},         {"stock", read_stock, false},
    {"footed", read_footed, false},     {"shown", read_shown, true},
    {"in-stock", read_in_stock, false}, {"in-feet", read_in_feet, false},
    {"older", read_older, false},       {"redrawn", read_redrawn, false},
};

static const struct keyword *find_keyword(struct span word) {
    for (int i = 0; i < COUNT(keywords); i++)
        if (span_is(word, keywords[i].name))
            return &keywords[i];
    return NULL;
}

/* ---- The whole ---- */

static bool read_words(struct reader *reader) {
    while (scan_word(reader->words, &reader->key)) {
        const struct keyword *keyword = find_keyword(reader->key);
        if (!keyword)
            return refuse_word(reader->why, reader->key, "BAD_POSITION",
                               "'%s' is no keyword of a position");
        uint32_t bit = (uint32_t)1 << (keyword - keywords);
        if (!keyword->repeats && (reader->once & bit) != 0)
            return refuse_word(reader->why, reader->key, "BAD_POSITION",
                               "'%s' stands twice in the position");
        reader->once |= bit;
        if (!keyword->read(reader))
            return false;
    }
    return true;
}

/* Sets what is not written because it follows from the rest. Everything that a state derives
 * belongs here. */
static void derive(struct hand_and_foot *state) {
    for (int seat = 0; seat < state->head.seats; seat++) {
        state->in_foot[seat] = state->foot_count[seat] == 0;
        state->chose_pile[seat] = state->chose_pile[seat] || !state->rules[RULE_CHOOSE_PILE];
    }
    for (int i = 0; i < state->book_count; i++) {
        struct hand_foot_book *book = &state->books[i];
        state->melded[book->side] = true;
        if (state->rules[RULE_CLOSING] == CLOSING_AUTOMATIC)
            book->closed = hand_foot_book_complete(state, book);
    }
}

static bool cards_are_complete(const struct reader *reader) {
    for (int card = 0; card < CARD_KINDS; card++) {
        char name[8];
        int needed = hand_foot_deck_count(reader->state, card);
        if (reader->used[card] == (uint32_t)needed)
            continue;
        struct text text = text_in(name, sizeof name);
        card_print((uint8_t)card, &text);
        return refuse(reader->why, BAD, "%s is there %d times, it must be there %d times", name,
                      (int)reader->used[card], needed);
    }
    return true;
}

/* Before the first deal a position has nothing to say. */
static bool is_setup(const struct reader *reader, const struct hand_and_foot *fresh) {
    return memcmp(reader->state, fresh, sizeof *fresh) == 0 ||
           refuse(reader->why, BAD, "Before the first deal there are neither cards nor scores");
}

bool hand_foot_read_position(void *to, struct scan *words, struct refusal *why) {
    struct hand_and_foot *state = to;
    struct hand_and_foot fresh;
    struct reader reader = {.state = state, .words = words, .why = why};
    memcpy(&fresh, state, sizeof fresh);
    if (!read_words(&reader))
        return false;
    if (state->round == 0 || state->phase == HAND_FOOT_DEALING)
        return is_setup(&reader, &fresh);
    if (!cards_are_complete(&reader))
        return false;
    derive(state);
    return hand_foot_position_fits(state, why);
}
