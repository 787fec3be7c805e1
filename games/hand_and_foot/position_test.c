/* Positions as text: every position of a game can be written down and taken up again, and a text
 * that is no position of a game is refused. */
#include "bots/bot.h"
#include "games/hand_and_foot/test_support.h"

static char line[POSITION_TEXT_SIZE];
static char changed[POSITION_TEXT_SIZE];

static const char *print(const struct game_state *state) {
    struct text text;
    text_begin(&text, line, sizeof line);
    game_print_position(&hand_and_foot_game, state, &text);
    assert_false(text.cut);
    return line;
}

/* ---- Written down and taken up again ---- */

struct journey {
    struct game_state start, state;
    struct chance chance;
    bool foot, book, undo, asked, shuffling, out, round_end, game_end, laid, wild_book; /* seen */
};

static void look_around(struct journey *journey) {
    const struct hand_and_foot *state = (const void *)journey->state.bytes;
    journey->foot = journey->foot || state->in_foot[0];
    journey->book = journey->book || (state->book_count > 0 && state->books[0].closed);
    journey->undo = journey->undo || state->undo_plays > 1;
    journey->asked = journey->asked || state->asking != HAND_FOOT_NOT_ASKED;
    journey->shuffling = journey->shuffling || state->phase == HAND_FOOT_SHUFFLING;
    journey->out = journey->out || state->ending == HAND_FOOT_WENT_OUT;
    journey->round_end = journey->round_end || state->phase == HAND_FOOT_ROUND_END;
    journey->game_end = journey->game_end || state->phase == HAND_FOOT_GAME_END;
    journey->laid = journey->laid || state->red_threes[0][0] > 0;
    for (int i = 0; i < state->book_count; i++)
        journey->wild_book = journey->wild_book || state->books[i].rank == HAND_FOOT_WILD_RANK;
}

static void take_up_again(struct journey *journey) {
    struct game_state back = journey->start;
    struct refusal why = {0};
    print(&journey->state);
    if (!game_read_position(&hand_and_foot_game, &back, span_of(line), &why))
        fail_msg("%s: %s", why.text, line);
    if (memcmp(back.bytes, journey->state.bytes, sizeof(struct hand_and_foot)) != 0)
        fail_msg("another state: %s", line);
    look_around(journey);
}

/* Bots play well enough to go out; a random move now and then leads to the rest. */
static void step(struct journey *journey, uint32_t awaited) {
    const struct game *game = &hand_and_foot_game;
    struct move moves[GAME_LEGAL_MAX];
    if ((awaited & AWAITS_NATURE) != 0) {
        game_deal_chance(game, &journey->state, &journey->chance, NULL, NULL);
        return;
    }
    int seat = __builtin_ctz(awaited);
    size_t count = game_legal(game, &journey->state, seat, moves);
    assert_true(count > 0);
    size_t pick = chance_below(&journey->chance, (uint32_t)count);
    if (chance_below(&journey->chance, 8) > 0) {
        /* Up to hard: experts would think for minutes. */
        enum bot_level level = (enum bot_level)chance_below(&journey->chance, BOT_EXPERT);
        bot_choose(game, &journey->state, seat, level, &journey->chance, &moves[pick]);
    }
    assert_true(game_play(game, &journey->state, seat, &moves[pick], NULL, NULL));
}

static void travel(struct journey *journey, const char *options, int seats, uint64_t seed) {
    static struct table table;
    enum { STEPS_MAX = 1500 };
    uint32_t awaited;
    table_start(&table, &hand_and_foot_game, options, seats);
    journey->start = journey->state = table.state;
    chance_start_number(&journey->chance, seed, 77);
    take_up_again(journey);
    for (int i = 0; i < STEPS_MAX; i++) {
        awaited = game_to_act(&hand_and_foot_game, &journey->state);
        if (awaited == 0)
            break;
        step(journey, awaited);
        take_up_again(journey);
    }
}

static const char *const tables[] = {
    "",
    "preset=partners",
    "preset=closers",
    "preset=partners askPartner=yes layRedThrees=yes cleanToGoOut=1 dirtyToGoOut=0",
    "preset=closers undo=yes wildBooks=yes draw=3 cleanToGoOut=0 dirtyToGoOut=1",
    "undo=yes wildBooks=yes closing=explicit booksPerRank=any bookSize=5 rounds=2 minimums=0",
    "undo=yes booksPerRank=after-closing bookSize=5 minimums=0 wildLimit=three pickup=0 draw=3",
    "undo=yes askPartner=yes teams=two layRedThrees=yes closing=explicit minimums=0 bookSize=5",
};

enum { TABLES = sizeof tables / sizeof *tables, GAMES = 3 };

UNIT_TEST(hf_100_every_position_of_a_game_can_be_taken_up_again) {
    static struct journey journey;
    for (int i = 0; i < TABLES; i++)
        for (uint64_t seed = 0; seed < GAMES; seed++)
            travel(&journey, tables[i], 4, seed);
    assert_true(journey.foot && journey.book && journey.undo && journey.asked);
    assert_true(journey.shuffling && journey.out && journey.round_end && journey.game_end);
    assert_true(journey.laid && journey.wild_book);
}

/* ---- What is refused ---- */

/* Reads the text into a new game of the same table; true if it is accepted. */
static bool reads(const struct table *table, const char *text, struct game_state *out,
                  struct refusal *why) {
    const struct hand_and_foot *state = (const void *)table->state.bytes;
    struct options options = {0};
    for (int i = 0; i < RULE_COUNT; i++)
        options.slot[i] = state->rules[i];
    assert_true(game_start(&hand_and_foot_game, out, &options, state->head.seats, NULL));
    struct game_state before = *out;
    *why = (struct refusal){0};
    if (game_read_position(&hand_and_foot_game, out, span_of(text), why))
        return true;
    assert_memory_equal(before.bytes, out->bytes, sizeof(struct hand_and_foot));
    assert_string_equal(why->code, "BAD_POSITION");
    return false;
}

/* The position of the table with `from` written as `to` is refused with this text. */
static void refuses(const struct table *table, const char *from, const char *to, const char *text) {
    struct game_state state;
    struct refusal why;
    const char *at = strstr(print(&table->state), from);
    if (!at)
        fail_msg("'%s' does not stand in: %s", from, line);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - line), line, to, at + strlen(from));
    if (reads(table, changed, &state, &why))
        fail_msg("accepted: %s", changed);
    assert_string_equal(why.text, text);
}

static void accepts(const struct table *table) {
    struct game_state state;
    struct refusal why;
    if (!reads(table, print(&table->state), &state, &why))
        fail_msg("%s: %s", why.text, line);
    assert_memory_equal(state.bytes, table->state.bytes, sizeof(struct hand_and_foot));
}

UNIT_TEST(hf_c16_a_position_is_made_of_known_words) {
    static struct table t;
    begin(&t, "", 2);
    accepts(&t);
    refuses(&t, "phase", "fase", "'fase' is no keyword of a position");
    refuses(&t, "phase playing", "phase sleeping",
            "Position, phase: expected setup or playing or shuffling or round-end or game-end, "
            "found 'sleeping'");
    refuses(&t, "round 1", "round 256",
            "Position, round: expected a number from 0 to 255, found '256'");
    refuses(&t, "round 1", "round 1 round 1", "'round' stands twice in the position");
    refuses(&t, "current 0", "current 2",
            "Position, current: expected a number from 0 to 1, found '2'");
    refuses(&t, "current 0", "current",
            "Position, current: expected a number from 0 to 1, found 'nothing'");
    refuses(&t, "score 0 0", "score 0",
            "Position, score: expected a number from -999999999 to 999999999, found 'nothing'");
    refuses(&t, "foot 1", "foot 0", "Position, foot: expected these cards only once, found 'foot'");
    refuses(&t, "foot 1", "foot 1 1C", "Position, foot: expected a card or a keyword, found '1C'");
    refuses(&t, "turns 1", "turns 1 history 2 0 0",
            "Position, history: expected a number from 0 to 1, found '2'");
    refuses(&t, "pile", "new 0 KH KH KH KH pile",
            "Position, new: expected fewer copies of a card, found 'new'");
    refuses(&t, "pile", "laid 0 KH pile", "Position, laid: expected red threes, found 'laid'");
    refuses(&t, "pile", "book 0 KH QH pile",
            "Position, book: expected naturals of one rank, found 'book'");
    refuses(&t, "pile", "book 0 KH KS KD opened pile",
            "Position, book: expected a card or a keyword, found 'opened'");
    refuses(&t, "pile", "undo 73 KH pile",
            "Position, undo: expected a number from 1 to 72, found '73'");
    refuses(&t, "pile", "undo 1 KX pile", "Position, undo: expected a card, found 'KX'");
}

/* Each card of a position, changed to another one. */
UNIT_TEST(hf_c16_every_card_is_there_exactly_once) {
    static struct table t;
    static char text[POSITION_TEXT_SIZE];
    struct game_state out;
    struct refusal why;
    begin(&t, "", 2);
    set_book(&t, 0, CLEAN_KINGS);
    accepts(&t);
    snprintf(text, sizeof text, "%s", print(&t.state));
    struct scan scan = scan_of(span_of(text));
    struct span word;
    int cards = 0;
    while (scan_word(&scan, &word)) {
        uint8_t card;
        if (!card_parse(word, &card))
            continue;
        const char *other = card == card_named("5H") ? "5S" : "5H";
        snprintf(changed, sizeof changed, "%.*s%s%s", (int)(word.data - text), text, other,
                 word.data + word.length);
        assert_false(reads(&t, changed, &out, &why));
        cards++;
    }
    assert_int_equal(cards, 168);
    refuses(&t, " KH", "", "KH is there 2 times, it must be there 3 times");
    refuses(&t, " KH", " JK", "KH is there 2 times, it must be there 3 times");
    refuses(&t, "stock", "stock 4S", "4S is there 4 times, it must be there 3 times");
    refuses(&t, " JK", "", "JK is there 11 times, it must be there 12 times");
}

/* ---- What the rules could not have led to ---- */

/* The table as it was edited is refused with this text. */
static void impossible(const struct table *table, const char *text) {
    refuses(table, "", "", text);
}

UNIT_TEST(hf_c16_hands_and_feet_could_be_so) {
    static struct table t;
    begin_settled(&t, "");
    accepts(&t);
    set_hand(&t, 1, "");
    impossible(&t, "Seat 1 has no cards in hand");
    begin_settled(&t, "");
    set_foot(&t, 2, "5S");
    impossible(&t, "A foot has at least 2 cards, that of seat 2 has 1");
    begin_settled(&t, "preset=closers");
    accepts(&t);
    set_in_foot(&t, 1, "4S 4H");
    edit(&t)->chose_pile[1] = false;
    impossible(&t, "Seat 1 has played without choosing a hand");
    begin_settled(&t, "preset=closers");
    melding(&t, 0, "4S 4H");
    edit(&t)->chose_pile[0] = false;
    impossible(&t, "Seat 0 has drawn without choosing a hand");
    refuses(&t, "round 1", "round 0", "Before the first deal there are neither cards nor scores");
    refuses(&t, "round 1", "round 4", "This is round 4 of 3");
}

static void no_such_book(const char *options, const char *cards) {
    static struct table t;
    begin_settled(&t, options);
    set_book(&t, 0, cards);
    impossible(&t, "Book 1 of the table cannot be laid by these rules");
}

UNIT_TEST(hf_c16_books_could_be_laid) {
    static struct table t;
    no_such_book("", "KH KS");
    no_such_book("", "KH 2S 2D");
    no_such_book("", "KH KD 2S 2D JK");
    no_such_book("", "3S 3C 3S");
    no_such_book("", "2S 2C JK");
    no_such_book("preset=closers", "3S 3C 3H");
    no_such_book("preset=partners", "KH KS KD KC KH KD KS 2S");
    no_such_book("wildBooks=yes addToFullDirty=no", "2S 2C 2S 2C JK JK JK JK");
    begin_settled(&t, "");
    set_book(&t, 0, "KH KS KD");
    set_book(&t, 1, "KH KS KD");
    accepts(&t);
    set_book(&t, 0, "KH KS KD");
    impossible(&t, "Book 3 of the table is one too many of its rank");
    begin_settled(&t, "");
    set_book(&t, 0, CLEAN_KINGS);
    set_book(&t, 0, "KH KS KD");
    impossible(&t, "Book 2 of the table is one too many of its rank");
    begin_settled(&t, "preset=closers");
    set_book(&t, 0, CLEAN_KINGS);
    edit(&t)->books[0].closed = true;
    set_book(&t, 0, "KH KS KD");
    accepts(&t);
    edit(&t)->books[1].closed = true;
    impossible(&t, "Book 2 of the table is closed, but not complete");
    edit(&t)->books[0].closed = edit(&t)->books[1].closed = false;
    impossible(&t, "Book 2 of the table is one too many of its rank");
    begin_settled(&t, "");
    take_from_stock(edit(&t), card_named("3H"));
    edit(&t)->red_threes[0][0] = 1;
    impossible(&t, "Red threes are not laid down at this table");
}

UNIT_TEST(hf_c17_the_turn_could_be_so) {
    static struct table t;
    begin(&t, "", 2);
    edit(&t)->drew_from_deck = true;
    impossible(&t, "Before the draw nothing has been played in this turn");
    begin(&t, "", 2);
    edit(&t)->plays = 1;
    impossible(&t, "Before the draw nothing has been played in this turn");
    begin(&t, "", 2);
    edit(&t)->phase = HAND_FOOT_SHUFFLING;
    impossible(&t, "There is no reason to shuffle the discards now");
    begin(&t, "", 2);
    edit(&t)->stalemate = 3;
    accepts(&t);
    edit(&t)->stalemate = 4;
    impossible(&t, "The stalemate would have ended the round");
    begin_in_foot(&t, "", "4S 4H");
    set_book(&t, 0, "KH KS KD");
    accepts(&t);
    set_hand(&t, 0, "4S");
    impossible(&t, "Seat 0 can neither discard the last card nor keep it");
    ready_to_go_out(&t, "", "4S");
    accepts(&t);
    edit(&t)->asking = HAND_FOOT_GRANTED;
    impossible(&t, "There is no reason to ask the partner");
    begin_settled(&t, "preset=partners askPartner=yes");
    melding_foot(&t, 0, "4S 4H");
    edit(&t)->asking = HAND_FOOT_ASKED;
    impossible(&t, "There is no reason to ask the partner");
    set_two_and_two(&t, 0);
    accepts(&t);
    set_hand(&t, 0, "4S");
    impossible(&t, "Seat 0 can neither discard the last card nor keep it");
    edit(&t)->asking = HAND_FOOT_GRANTED;
    accepts(&t);
}

/* A shuffle is awaited: one card in the deck, two below the top of the pile. */
static struct hand_and_foot *begin_shuffling(struct table *t) {
    begin_settled(t, "");
    set_pile(t, "KH KS KD");
    set_stock(t, 1);
    edit(t)->phase = HAND_FOOT_SHUFFLING;
    return edit(t);
}

UNIT_TEST(hf_101_a_shuffle_is_awaited_only_with_a_reason) {
    static struct table t;
    static const char none[] = "There is no reason to shuffle the discards now";
    begin_shuffling(&t)->reshuffles = HAND_FOOT_RESHUFFLES_MAX - 1;
    accepts(&t);
    begin_shuffling(&t)->reshuffles = HAND_FOOT_RESHUFFLES_MAX;
    impossible(&t, none);
    begin_shuffling(&t)->turn_phase = HAND_FOOT_TURN_MELD;
    impossible(&t, none);
    begin_shuffling(&t);
    refuses(&t, "pile KH KS KD stock", "pile KD stock KH KS", none);
    begin_settled(&t, "");
    set_pile(&t, "KH");
    set_stock(&t, 1);
    edit(&t)->phase = HAND_FOOT_SHUFFLING;
    impossible(&t, none);
}

UNIT_TEST(hf_c17_what_can_be_undone_lies_on_the_books) {
    static struct table t;
    begin_settled(&t, "preset=partners minimums=0");
    set_book(&t, 1, "QH QS QD");
    melding(&t, 0, "KH KS KD KC 9H 9S 9D 4S 4H");
    table_play(&t, "0 meld KH KS KD / 9H 9S 9D\n0 add 1 KC");
    accepts(&t);
    refuses(&t, "undo 2 KC", "undo 4 KC", "Undo 2 does not fit the books");
    refuses(&t, "undo 2 KC", "undo 1 QD", "Undo 2 does not fit the books");
    refuses(&t, "undo 2 KC", "undo 2 9H", "Undo 2 does not fit the books");
    refuses(&t, "undo 2 KC", "undo 2 2S", "Undo 2 does not fit the books");
    refuses(&t, "undo 2 KC", "undo 2 KH 2 KS 2 KD 2 KC", "Undo 2 does not fit the books");
    refuses(&t, "undo 2 KC", "undo", "Undo 2 does not fit the books");
    refuses(&t, "undo 2 KC", "undo close 2", "Undo 2 does not fit the books");
    refuses(&t, "undo 2 KC", "undo 2 KC 2 KD", "Book 2 of the table cannot be laid by these rules");
    refuses(&t, " opened", "", "An undo takes the first meld of side 0 wrongly");
    refuses(&t, "undo 2 KC", "undo 2 KC opened", "An undo takes the first meld of side 0 wrongly");
    refuses(&t, "plays 2", "plays 1", "Undo 1 does not fit the books");
    edit(&t)->rules[RULE_UNDO] = 0;
    impossible(&t, "Undo is switched off at this table");
}

UNIT_TEST(hf_c17_undone_closings_are_of_closed_books) {
    static struct table t;
    begin_settled(&t, "preset=closers undo=yes");
    set_book(&t, 0, CLEAN_KINGS);
    melding(&t, 0, "4S 4H");
    table_play(&t, "0 close 1");
    accepts(&t);
    refuses(&t, " closed", "", "Undo 1 does not fit the books");
    refuses(&t, "undo close 1", "undo close 2", "Undo 1 does not fit the books");
    refuses(&t, "undo close 1", "undo close 1 opened", "Undo 1 does not fit the books");
    refuses(&t, "undo close 1", "undo close 1 1 KH", "Undo 1 does not fit the books");
}

/* HF-108 */
UNIT_TEST(hf_c17_a_foot_was_picked_up_in_this_turn_by_the_rules) {
    static struct table t;
    begin_in_foot(&t, "", "");
    edit(&t)->in_foot[0] = false;
    set_foot(&t, 0, "8S 8H 9S");
    melding(&t, 0, "KH KS KD");
    table_play(&t, "0 meld KH KS KD");
    assert_true(edit(&t)->foot_now);
    accepts(&t);
    assert_non_null(strstr(print(&t.state), " footed "));
    refuses(&t, "footed", "footed new 0 8S", "Seat 0 cannot have picked up the foot in this turn");
    refuses(&t, "current 0", "current 1", "Seat 1 cannot have picked up the foot in this turn");
    refuses(&t, "turn meld", "turn draw", "Before the draw nothing has been played in this turn");
    ready_to_go_out(&t, "", "4S");
    table_play(&t, "0 discard 4S");
    refuses(&t, "ended out 0", "ended out 0 footed", "After the round no foot is picked up");
}

UNIT_TEST(hf_c17_a_round_that_ended_did_so_by_the_rules) {
    static struct table t;
    ready_to_go_out(&t, "", "4S");
    table_play(&t, "0 discard 4S");
    accepts(&t);
    refuses(&t, "ended out 0", "", "How the round ended is missing");
    refuses(&t, "ended out 0", "ended out 1", "Seat 1 went out without the books for it");
    refuses(&t, "ended out 0", "ended no-cards", "Seat 0 has no cards in hand");
    refuses(&t, "phase round-end", "phase playing",
            "The round has ended, but the phase is another");
    refuses(&t, "phase round-end", "phase game-end", "The game is not over by its rules");
    refuses(&t, "history 0", "history 1", "The history names another seat that went out");
    refuses(&t, "history 0 1050", "history 0 1060", "The rounds of side 0 do not add up to 1050");
    refuses(&t, "pile", "history - 0 0 pile", "The history has 2 rounds, but 1 were played");
    refuses(&t, "ended out 0", "ended out 0 undo 1 KH", "After the round there is nothing to undo");
    edit(&t)->total[0] = edit(&t)->history[0][0] = 1060;
    impossible(&t, "Side 0 has 1050 points in this round, not 1060");
    edit(&t)->history_count = 0;
    edit(&t)->history[0][0] = edit(&t)->history[0][1] = edit(&t)->history_out[0] = 0;
    edit(&t)->total[0] = 8500;
    impossible(&t, "The game is over by its rules");
    edit(&t)->total[0] = 8490;
    accepts(&t);
    begin(&t, "", 2);
    edit(&t)->ending = HAND_FOOT_NO_CARDS;
    impossible(&t, "The round has ended, but the phase is another");
    ready_to_go_out(&t, "cleanToGoOut=0", "4S");
    table_play(&t, "0 discard 4S");
    edit(&t)->rules[RULE_OUT_CLEAN] = 2;
    impossible(&t, "Seat 0 went out without the books for it");
}

/* ---- Whatever is accepted can be played ---- */

/* Exchanges two words of the line that are cards, or numbers, or anything. */
static void exchange(struct chance *chance, char *text, size_t size) {
    static char out[POSITION_TEXT_SIZE];
    struct span words[1200], word;
    struct scan scan = scan_of(span_of(text));
    uint32_t count = 0;
    while (count < 1200 && scan_word(&scan, &word))
        words[count++] = word;
    struct span *a = &words[chance_below(chance, count)], *b = a;
    for (int tries = 0; tries < 50 && (a == b || (a->length > 1) != (b->length > 1)); tries++)
        b = &words[chance_below(chance, chance_below(chance, 4) == 0 ? count : 60)];
    word = *a;
    *a = *b;
    *b = word;
    size_t length = 0;
    for (uint32_t i = 0; i < count; i++)
        length += (size_t)snprintf(out + length, sizeof out - length, "%s%.*s", i > 0 ? " " : "",
                                   (int)words[i].length, words[i].data);
    snprintf(text, size, "%s", out);
}

/* To the end of the round with random moves; the engine ensures the invariants at each of them. */
static void play_on(struct game_state *state, struct chance *chance) {
    const struct game *game = &hand_and_foot_game;
    for (int i = 0; i < 400; i++) {
        uint32_t awaited = game_to_act(game, state);
        struct move moves[GAME_LEGAL_MAX];
        if (awaited == 0)
            return;
        if ((awaited & AWAITS_NATURE) != 0) {
            game_deal_chance(game, state, chance, NULL, NULL);
            continue;
        }
        int seat = __builtin_ctz(awaited);
        size_t count = game_legal(game, state, seat, moves);
        if (count == 0)
            fail_msg("no move after: %s", changed);
        game_play(game, state, seat, &moves[chance_below(chance, (uint32_t)count)], NULL, NULL);
    }
}

UNIT_TEST(hf_100_what_is_accepted_can_be_played) {
    static struct journey journey;
    static struct table table;
    int accepted = 0, refused_lines = 0;
    for (uint64_t seed = 0; seed < 120; seed++) {
        struct game_state out;
        struct refusal why;
        table_start(&table, &hand_and_foot_game, tables[seed % TABLES], 4);
        journey.start = journey.state = table.state;
        chance_start_number(&journey.chance, seed, 78);
        uint32_t steps = 2 + chance_below(&journey.chance, 400), awaited;
        while (steps-- > 0 && (awaited = game_to_act(&hand_and_foot_game, &journey.state)) != 0)
            step(&journey, awaited);
        table.state = journey.state;
        for (int i = 0; i < 40; i++) {
            snprintf(changed, sizeof changed, "%s", print(&journey.state));
            for (uint32_t j = 1 + chance_below(&journey.chance, 3); j > 0; j--)
                exchange(&journey.chance, changed, sizeof changed);
            bool good = reads(&table, changed, &out, &why);
            accepted += good;
            refused_lines += !good;
            if (good)
                play_on(&out, &journey.chance);
        }
    }
    print_message("%d accepted, %d refused\n", accepted, refused_lines);
    assert_true(accepted > 300 && refused_lines > 300);
}
