/* Positions of Up-N-Down whose right answer good players agree on. Expert may answer two of them
 * otherwise.
 *
 * Seat 0 has brought the piles where they are, with one card each, and seat 1 is asked; or, where
 * all piles are untouched, seat 0. What hands are not given is dealt from the rest, and the bot
 * does not see it anyway. */
#include "bots/bot.h"
#include "games/up_n_down/up_n_down.h"
#include "tests/support.h"

struct position {
    const char *about;
    uint8_t top[UP_N_DOWN_PILES]; /* 0: untouched; ascending, ascending, descending, descending */
    const char *hand;
    const char *right; /* one or more answers with | between them */
    const char *moves; /* that follow after seat 0's turn */
    const char *options;
};

static const struct position positions[] = {
    /* The way back. */
    {.about = "ten back at once",
     .top = {45, 0, 0, 98},
     .hand = "35 60 72 88",
     .right = "play 35 1"},
    {.about = "ten back on a falling pile",
     .top = {0, 3, 60, 0},
     .hand = "70 12 30 41",
     .right = "play 70 3"},
    {.about = "ten back before the next step spoils it",
     .top = {45, 0, 0, 98},
     .hand = "35 46 72 88",
     .right = "play 35 1"},
    {.about = "the same on a falling pile",
     .top = {0, 3, 60, 0},
     .hand = "70 59 30 41",
     .right = "play 70 3"},
    {.about = "a pair: forward, then back",
     .top = {50, 52, 90, 92},
     .hand = "53 43 20 75",
     .right = "play 53 2"},
    {.about = "a pair on a falling pile",
     .top = {8, 5, 50, 48},
     .hand = "47 57 80 25",
     .right = "play 47 4"},
    {.about = "twice back in a row",
     .top = {50, 0, 0, 98},
     .hand = "51 41 31 70",
     .right = "play 51 1"},
    {.about = "twice back on a falling pile",
     .top = {0, 3, 50, 0},
     .hand = "49 59 69 30",
     .right = "play 49 3"},
    {.about = "ten forward is nothing special",
     .top = {45, 0, 0, 98},
     .hand = "55 47 70 71",
     .right = "play 47 1",
     .options = "minCardsPerTurn=1"},
    {.about = "a way back is worth more than a small step",
     .top = {45, 0, 60, 0},
     .hand = "35 59 80 81",
     .right = "play 35 1",
     .options = "minCardsPerTurn=1"},
    /* Small steps. */
    {.about = "the next number",
     .top = {20, 0, 0, 98},
     .hand = "21 50 60 90",
     .right = "play 21 1",
     .options = "minCardsPerTurn=1"},
    {.about = "the next number down",
     .top = {0, 3, 80, 0},
     .hand = "79 50 40 20",
     .right = "play 79 3",
     .options = "minCardsPerTurn=1"},
    {.about = "on the nearer of two piles",
     .top = {20, 30, 0, 0},
     .hand = "31 55 60 70",
     .right = "play 31 2",
     .options = "minCardsPerTurn=1"},
    {.about = "also if that is the first",
     .top = {30, 20, 0, 0},
     .hand = "31 55 60 70",
     .right = "play 31 1",
     .options = "minCardsPerTurn=1"},
    {.about = "on the nearer of two falling piles",
     .top = {0, 0, 80, 70},
     .hand = "69 40 45 50",
     .right = "play 69 4",
     .options = "minCardsPerTurn=1"},
    {.about = "the lower of two neighbours first",
     .top = {20, 0, 0, 98},
     .hand = "22 21 60 61",
     .right = "play 21 1"},
    {.about = "the higher one on a falling pile",
     .top = {0, 3, 80, 0},
     .hand = "78 79 40 41",
     .right = "play 79 3"},
    {.about = "three neighbours in their order",
     .top = {20, 3, 0, 98},
     .hand = "23 22 21 61",
     .right = "play 21 1",
     .options = "minCardsPerTurn=3"},
    {.about = "rising or falling, whichever costs less",
     .top = {40, 42, 60, 62},
     .hand = "57 20 21 95",
     .right = "play 57 3",
     .options = "minCardsPerTurn=1"},
    {.about = "and the other way round",
     .top = {40, 42, 60, 62},
     .hand = "45 20 21 95",
     .right = "play 45 2",
     .options = "minCardsPerTurn=1"},
    /* The beginning. */
    {.about = "both ends before the middle",
     .top = {0, 0, 0, 0},
     .hand = "2 99 50 51",
     .right = "play 2 1|play 2 2|play 99 3|play 99 4"},
    {.about = "the second pile of a kind is spared",
     .top = {6, 0, 95, 0},
     .hand = "7 50 94 60",
     .right = "play 7 1|play 94 3"},
    /* The end of a turn. */
    {.about = "enough is enough",
     .top = {20, 0, 0, 98},
     .hand = "21 22 60 45",
     .right = "end",
     .moves = "1 play 21 1\n1 play 22 1"},
    {.about = "a third card that brings the pile back",
     .top = {20, 45, 0, 0},
     .hand = "21 22 35 60",
     .right = "play 35 2",
     .moves = "1 play 21 1\n1 play 22 1"},
    /* What the others ask for. */
    {.about = "a pile that a teammate loves is left alone",
     .top = {30, 0, 0, 98},
     .hand = "32 3 96 60",
     .right = "play 3 2|play 96 3|play 96 4",
     .moves = "0 prefer 1 love"},
    {.about = "also a falling one",
     .top = {0, 3, 70, 0},
     .hand = "68 97 5 40",
     .right = "play 97 4|play 5 1|play 5 2",
     .moves = "0 prefer 3 love"},
    {.about = "of two equal piles the one that nobody asks for",
     .top = {30, 31, 0, 0},
     .hand = "34 55 60 70",
     .right = "play 34 1",
     .moves = "0 prefer 2 love",
     .options = "minCardsPerTurn=1"},
    /* Few cards: the game is played through. */
    {.about = "the next number, near the end",
     .top = {40, 45, 60, 58},
     .hand = "46 50 52 54",
     .right = "play 46 2",
     .options = "minCardsPerTurn=1 minCardValue=35 maxCardValue=65"},
    {.about = "ten back, near the end",
     .top = {50, 45, 60, 58},
     .hand = "40 52 54 56",
     .right = "play 40 1",
     .options = "minCardsPerTurn=1 minCardValue=35 maxCardValue=65"},
    {.about = "a pair, near the end",
     .top = {50, 44, 56, 58},
     .hand = "51 41 39 63",
     .right = "play 51 1",
     .options = "minCardValue=35 maxCardValue=65"},
    {.about = "a card that hardly any pile takes goes while one does",
     .top = {40, 50, 60, 55},
     .hand = "41 61 45 47",
     .right = "play 41 1",
     .options = "minCardsPerTurn=1 minCardValue=35 maxCardValue=65"},
};

enum { POSITIONS = sizeof positions / sizeof positions[0], WRONG_MAX = 2 };

static int asked_seat(const struct position *position) {
    return position->top[0] != 0 || position->top[2] != 0;
}

static void set_up(struct table *table, const struct position *position) {
    char options[160], deal[64], lines[160];
    struct text cards, plays;
    text_begin(&cards, deal, sizeof deal);
    text_begin(&plays, lines, sizeof lines);
    for (int pile = 0; pile < UP_N_DOWN_PILES; pile++) {
        if (position->top[pile] == 0)
            continue;
        text_number(&cards, position->top[pile]);
        text_char(&cards, ' ');
        text_string(&plays, "0 play ");
        text_number(&plays, position->top[pile]);
        text_char(&plays, ' ');
        text_number(&plays, pile + 1);
        text_char(&plays, '\n');
    }
    text_string(&cards, asked_seat(position) == 1 ? "/ " : "");
    text_string(&cards, position->hand);
    snprintf(options, sizeof options, "handSize=4 autoRefillHand=no %s",
             position->options ? position->options : "");
    table_start(table, &up_n_down_game, options, 2);
    table_deal(table, deal);
    table_play(table, lines);
    if (((struct up_n_down *)table->state.bytes)->current != asked_seat(position))
        table_play(table, "0 end");
    table_play(table, position->moves ? position->moves : "");
}

static bool is_right(const struct position *position, const char *answer) {
    size_t length = strlen(answer);
    for (const char *at = position->right; (at = strstr(at, answer)) != NULL; at += length)
        if ((at == position->right || at[-1] == '|') && (at[length] == '\0' || at[length] == '|'))
            return true;
    return false;
}

UNIT_TEST(expert_does_what_good_players_agree_on) {
    int wrong = 0;
    assert_true(POSITIONS >= 30);
    for (int i = 0; i < POSITIONS; i++) {
        const struct position *position = &positions[i];
        struct table table;
        struct chance chance;
        struct move move;
        struct text text;
        char answer[MOVE_TEXT_SIZE];
        set_up(&table, position);
        chance_start_number(&chance, 18, (uint64_t)i);
        bot_choose(table.game, &table.state, asked_seat(position), BOT_EXPERT, &chance, &move);
        text_begin(&text, answer, sizeof answer);
        game_print(table.game, &move, &text);
        if (!is_right(position, answer)) {
            print_message("# %s: %s, not %s\n", position->about, answer, position->right);
            wrong++;
        }
    }
    assert_true(wrong <= WRONG_MAX);
}
