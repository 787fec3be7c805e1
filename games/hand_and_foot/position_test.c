/* Positions as text: every position of a game can be written down and taken up again, and whatever
 * is accepted can be played. What is refused, and why, is told in position_stories.txt. */
#include "bots/bot.h"
#include "games/hand_and_foot/test_support.h"

static char changed[POSITION_TEXT_SIZE];

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
    const char *line = position_text(&journey->state);
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

/* Each card of a position, changed to another one. */
UNIT_TEST(hf_c16_every_card_is_there_exactly_once) {
    static struct table t;
    static char text[POSITION_TEXT_SIZE];
    struct game_state out;
    struct refusal why;
    begin(&t, "", 2);
    set_book(&t, 0, CLEAN_KINGS);
    snprintf(text, sizeof text, "%s", position_text(&t.state));
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
        assert_false(position_reads(&t, changed, &out, &why));
        cards++;
    }
    assert_int_equal(cards, 168);
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
        if (game_to_act(game, state) == 0)
            return;
        step_at_random(game, state, chance, &(struct move){0});
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
            snprintf(changed, sizeof changed, "%s", position_text(&journey.state));
            for (uint32_t j = 1 + chance_below(&journey.chance, 3); j > 0; j--)
                exchange(&journey.chance, changed, sizeof changed);
            bool good = position_reads(&table, changed, &out, &why);
            accepted += good;
            refused_lines += !good;
            if (good)
                play_on(&out, &journey.chance);
        }
    }
    print_message("%d accepted, %d refused\n", accepted, refused_lines);
    assert_true(accepted > 300 && refused_lines > 300);
}
