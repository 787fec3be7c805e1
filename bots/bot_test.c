/* The bots: what each level promises, and how strong it is. Seeds are fixed, so every run plays the
 * same games; `make bench` prints the figures over 10,000 games. */
#include "bots/bot.h"
#include "games/four_kate/four_kate.h"
#include "games/hand_and_foot/hand_and_foot.h"
#include "games/registry.h"
#include "games/template/template.h"
#include "games/terrible_people/terrible_people.h"
#include "games/up_n_down/up_n_down.h"
#include "games/whos_deal/whos_deal.h"
#include "tests/sanitized.h"
#include "tests/support.h"

/* Plays one game by bots and tells its result. */
static void play_bots(const struct game *game, const char *options, int seats,
                      const enum bot_level *levels, uint64_t seed, struct result *result) {
    struct table t;
    struct chance chance;
    uint32_t awaited;
    struct move move;
    table_start(&t, game, options, seats);
    chance_start_number(&chance, seed, 0);
    while ((awaited = game_to_act(game, &t.state)) != 0) {
        if ((awaited & AWAITS_NATURE) != 0) {
            uint8_t bytes[CHANCE_SEED_SIZE];
            chance_bytes(&chance, bytes, sizeof bytes);
            assert_true(game_deal_seed(game, &t.state, bytes, NULL, NULL));
            continue;
        }
        int seat = __builtin_ctz(awaited);
        for (int other = 0; other < seats; other++)
            while (other != seat && bot_aside(game, &t.state, other, levels[other], &chance, &move))
                assert_true(game_play(game, &t.state, other, &move, NULL, NULL));
        bot_choose(game, &t.state, seat, levels[seat], &chance, &move);
        assert_true(game_play(game, &t.state, seat, &move, NULL, NULL));
    }
    game_result(game, &t.state, result);
}

static void wins_by_seat(const struct game *game, const char *options, int seats,
                         const enum bot_level *levels, int games, int wins[SEATS_MAX]) {
    memset(wins, 0, SEATS_MAX * sizeof wins[0]);
    for (int i = 0; i < games; i++) {
        struct result result;
        play_bots(game, options, seats, levels, (uint64_t)i, &result);
        for (int seat = 0; seat < seats; seat++)
            wins[seat] += (int)(result.winners >> seat & 1);
    }
}

static const char *bot_says(struct table *t, int seat, enum bot_level level) {
    static char words[MOVE_TEXT_SIZE];
    struct chance chance;
    struct move move;
    struct text text;
    chance_start_number(&chance, 99, 0);
    bot_choose(t->game, &t->state, seat, level, &chance, &move);
    text_begin(&text, words, sizeof words);
    game_print(t->game, &move, &text);
    return words;
}

UNIT_TEST(PL_C17_the_levels_are_easy_medium_hard_and_expert) {
    enum bot_level level;
    static const char *const names[] = {"easy", "medium", "hard", "expert"};
    assert_int_equal(BOT_LEVELS, 4);
    for (int i = 0; i < BOT_LEVELS; i++)
        assert_string_equal(bot_level_name((enum bot_level)i), names[i]);
    for (int i = 0; i < BOT_LEVELS; i++) {
        assert_true(bot_level_parse(span_of(bot_level_name((enum bot_level)i)), &level));
        assert_int_equal(level, i);
    }
    assert_false(bot_level_parse(span_of("Hard"), &level));
    assert_false(bot_level_parse(span_of("rival"), &level)); /* is for measurements only */
    assert_false(bot_level_parse(span_of(""), &level));
}

/* FK-6: the bots win if they can, and else block. */
UNIT_TEST(four_kate_bots_win_or_block) {
    struct table t;
    table_start(&t, &four_kate_game, "", 2);
    table_play(&t, "0 drop 1\n1 drop 7\n0 drop 1\n1 drop 7\n0 drop 1\n1 drop 6");
    assert_string_equal(bot_says(&t, 0, BOT_MEDIUM), "drop 1");
    assert_string_equal(bot_says(&t, 0, BOT_HARD), "drop 1");
    table_play(&t, "0 drop 3");
    assert_string_equal(bot_says(&t, 1, BOT_MEDIUM), "drop 1");
    assert_string_equal(bot_says(&t, 1, BOT_HARD), "drop 1");
}

/* FK-6: a win is preferred to a block. */
UNIT_TEST(four_kate_bots_win_before_they_block) {
    struct table t;
    table_start(&t, &four_kate_game, "", 2);
    table_play(&t, "0 drop 1\n1 drop 7\n0 drop 1\n1 drop 7\n0 drop 1\n1 drop 7");
    assert_string_equal(bot_says(&t, 0, BOT_MEDIUM), "drop 1");
    assert_string_equal(bot_says(&t, 0, BOT_HARD), "drop 1");
}

/* Two open ends win in three plies: only looking ahead finds it. */
UNIT_TEST(four_kate_hard_looks_ahead) {
    struct table t;
    table_start(&t, &four_kate_game, "", 2);
    table_play(&t, "0 drop 4\n1 drop 4\n0 drop 3\n1 drop 3");
    const char *move = bot_says(&t, 0, BOT_HARD);
    assert_true(strcmp(move, "drop 2") == 0 || strcmp(move, "drop 5") == 0);
}

static int count_says(struct table *t, int seat, enum bot_level level, const char *words) {
    int count = 0;
    for (uint64_t number = 0; number < 400; number++) {
        struct chance chance;
        struct move move;
        char said[MOVE_TEXT_SIZE];
        struct text text;
        chance_start_number(&chance, 99, number);
        bot_choose(t->game, &t->state, seat, level, &chance, &move);
        text_begin(&text, said, sizeof said);
        game_print(t->game, &move, &text);
        count += strcmp(said, words) == 0;
    }
    return count;
}

/* Its mistakes are those of people: it sees four of its own, and sometimes not those of others. */
UNIT_TEST(four_kate_easy_wins_and_mostly_blocks) {
    struct table t;
    table_start(&t, &four_kate_game, "", 2);
    table_play(&t, "0 drop 1\n1 drop 7\n0 drop 1\n1 drop 7\n0 drop 1\n1 drop 6");
    assert_int_equal(count_says(&t, 0, BOT_EASY, "drop 1"), 400);
    table_play(&t, "0 drop 3");
    assert_in_range(count_says(&t, 1, BOT_EASY, "drop 1"), 280, 340);
    assert_int_equal(count_says(&t, 1, BOT_MEDIUM, "drop 1"), 400);
}

/* A falling line of three leads to the cell above the middle column, which is no cell of the board:
 * the last one of that column is as safe as any other. */
UNIT_TEST(four_kate_bots_know_where_the_board_ends) {
    struct table t;
    table_start(&t, &four_kate_game, "", 2);
    for (const char *column = "44643565437551422235", *at = column; *at; at++) {
        char line[16];
        snprintf(line, sizeof line, "%d drop %c", (int)(at - column) % 2, *at);
        table_play(&t, line);
    }
    assert_true(count_says(&t, 0, BOT_MEDIUM, "drop 4") > 0);
}

/* Three in the second row with both ends empty: a disc at either end would be the step to a fourth.
 */
UNIT_TEST(four_kate_medium_does_not_offer_a_win) {
    struct table t;
    table_start(&t, &four_kate_game, "", 2);
    table_play(&t, "0 drop 3\n1 drop 2\n0 drop 2\n1 drop 4\n0 drop 4\n1 drop 7\n0 drop 3");
    assert_int_equal(count_says(&t, 1, BOT_MEDIUM, "drop 1"), 0);
    assert_int_equal(count_says(&t, 1, BOT_MEDIUM, "drop 5"), 0);
    assert_true(count_says(&t, 1, BOT_EASY, "drop 5") > 0);
}

UNIT_TEST(four_kate_levels_are_levels) {
    int wins[SEATS_MAX];
    wins_by_seat(&four_kate_game, "", 2, (enum bot_level[]){BOT_MEDIUM, BOT_EASY}, 200, wins);
    assert_true(wins[0] >= 130);
    wins_by_seat(&four_kate_game, "", 2, (enum bot_level[]){BOT_MEDIUM, BOT_HARD}, 20, wins);
    assert_true(wins[1] >= 18);
    wins_by_seat(&four_kate_game, "", 2, (enum bot_level[]){BOT_HARD, BOT_EXPERT}, 10, wins);
    assert_true(wins[1] > wins[0]);
    wins_by_seat(&four_kate_game, "", 2, (enum bot_level[]){BOT_EXPERT, BOT_HARD}, 10, wins);
    assert_int_equal(wins[0], 10); /* who begins can win */
}

/* In duplicate, so that the luck of the cards mostly cancels: either side gets the cards of both.
 */
static int terrible_wins(enum bot_level one, enum bot_level other, uint64_t pairs) {
    int wins = 0;
    for (uint64_t i = 0; i < 2 * pairs; i++) {
        enum bot_level levels[] = {one, other, one, other}, swapped[] = {other, one, other, one};
        struct result result;
        play_bots(&terrible_people_game, "", 4, i % 2 == 0 ? levels : swapped, i / 2, &result);
        uint32_t winners = i % 2 == 0 ? result.winners : result.winners >> 1;
        wins += (winners & 5) != 0;
    }
    return wins;
}

UNIT_TEST(terrible_people_levels_are_levels) {
    uint64_t pairs = SANITIZED ? 20 : 100;
    assert_true(terrible_wins(BOT_MEDIUM, BOT_EASY, pairs) > (int)pairs * 3 / 2);
    assert_true(terrible_wins(BOT_HARD, BOT_MEDIUM, pairs) > (int)pairs);
}

/* TP-7: bots submit and judge; taste beats chance where the judge has taste. */
UNIT_TEST(terrible_people_taste_beats_chance) {
    int wins[SEATS_MAX];
    enum bot_level levels[] = {BOT_HARD, BOT_HARD, BOT_EASY, BOT_EASY};
    wins_by_seat(&terrible_people_game, "", 4, levels, 200, wins);
    assert_true(wins[0] + wins[1] >= 150);
}

/* The favourite depends on the words alone, whichever place they have. */
UNIT_TEST(terrible_people_hard_judges_by_the_words) {
    static const char *const orders[] = {"123", "231", "312", "321", "213", "132"};
    struct table t;
    table_start(&t, &terrible_people_game, "", 4);
    table_play(&t, "- deal 0000000000000000000000000000000000000000000000000000000000000000");
    for (int seat = 1; seat < 4; seat++) {
        char line[64];
        snprintf(line, sizeof line, "%d %.60s", seat, bot_says(&t, seat, BOT_HARD));
        table_play(&t, line);
    }
    char favourite = '\0';
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        const char *order = orders[i];
        struct table shuffled = t;
        char line[64];
        int place;
        snprintf(line, sizeof line, "- shuffle @%c @%c @%c", order[0], order[1], order[2]);
        table_play(&shuffled, line);
        assert_int_equal(sscanf(bot_says(&shuffled, 0, BOT_HARD), "pick %d", &place), 1);
        assert_in_range(place, 1, 3);
        if (i == 0)
            favourite = order[place - 1];
        assert_int_equal(order[place - 1], favourite);
    }
}

/* UD-C20: backward-10 first, else the smallest movement, and no more than the minimum. */
UNIT_TEST(up_n_down_medium_is_greedy) {
    struct table t;
    table_start(&t, &up_n_down_game, "handSize=4", 2);
    char deal[1024] = "- deal 5 30 40 90 / 2 3 4 6 /";
    for (int card = 7; card <= 99; card++)
        if (card != 30 && card != 40 && card != 90)
            snprintf(deal + strlen(deal), sizeof deal - strlen(deal), " %d", card);
    table_play(&t, deal);
    assert_string_equal(bot_says(&t, 0, BOT_MEDIUM), "play 5 1");
    table_play(&t, "0 play 40 2");
    assert_string_equal(bot_says(&t, 0, BOT_MEDIUM), "play 30 2");
    table_play(&t, "0 play 30 2");
    assert_string_equal(bot_says(&t, 0, BOT_MEDIUM), "end");
}

/* Hard marks the pile for which it has the backward-10 card, says nothing more after that, and
 * plays the card when its turn comes. */
UNIT_TEST(up_n_down_hard_sets_preferences) {
    struct table t;
    struct move move;
    struct chance chance;
    table_start(&t, &up_n_down_game, "handSize=4 minCardsPerTurn=1", 2);
    char deal[1024] = "- deal 30 60 61 95 / 20 2 50 80 /";
    for (int card = 3; card <= 99; card++)
        if (!strstr(" 30 60 61 95 20 50 80 ",
                    (char[]){' ', (char)('0' + card / 10), (char)('0' + card % 10), ' ', 0}))
            snprintf(deal + strlen(deal), sizeof deal - strlen(deal), " %d", card);
    table_play(&t, deal);
    table_play(&t, "0 play 30 1");
    chance_start_number(&chance, 1, 0);
    assert_true(bot_aside(t.game, &t.state, 1, BOT_HARD, &chance, &move));
    assert_int_equal(move.args[0], 1);
    assert_int_equal(move.args[1], UP_N_DOWN_LOVE);
    assert_false(bot_aside(t.game, &t.state, 1, BOT_MEDIUM, &chance, &move));
    assert_false(bot_aside(t.game, &t.state, 0, BOT_HARD, &chance, &move));
    while (bot_aside(t.game, &t.state, 1, BOT_HARD, &chance, &move))
        assert_true(game_play(t.game, &t.state, 1, &move, NULL, NULL));
    table_play(&t, "0 end");
    assert_string_equal(bot_says(&t, 1, BOT_HARD), "play 20 1");
}

/* Hard keeps off a pile that a teammate loves, even if its card would fit there best. */
UNIT_TEST(up_n_down_hard_reads_preferences) {
    struct table t;
    table_start(&t, &up_n_down_game, "handSize=4 minCardsPerTurn=2", 2);
    char deal[1024] = "- deal 30 32 60 96 / 20 3 40 80 / 55 2";
    for (int card = 4; card <= 99; card++)
        if (!strstr(" 30 32 60 96 20 40 80 55 ",
                    (char[]){' ', (char)('0' + card / 10), (char)('0' + card % 10), ' ', 0}))
            snprintf(deal + strlen(deal), sizeof deal - strlen(deal), " %d", card);
    table_play(&t, deal);
    table_play(&t, "0 play 30 1");
    assert_string_equal(bot_says(&t, 0, BOT_HARD), "play 32 1");
    table_play(&t, "1 prefer 1 love");
    const char *move = bot_says(&t, 0, BOT_HARD);
    assert_non_null(strstr(move, "play "));
    assert_int_not_equal(move[strlen(move) - 1], '1');
}

static int count_won(int seats, enum bot_level level, const char *options, int games) {
    enum bot_level levels[SEATS_MAX];
    int wins[SEATS_MAX];
    for (int seat = 0; seat < SEATS_MAX; seat++)
        levels[seat] = level;
    wins_by_seat(&up_n_down_game, options, seats, levels, games, wins);
    return wins[0];
}

UNIT_TEST(up_n_down_hard_wins_what_greed_loses) {
    assert_true(count_won(2, BOT_HARD, "", 60) >= 50);
    assert_true(count_won(4, BOT_HARD, "", 60) >= 55);
    int medium = count_won(4, BOT_MEDIUM, "", 60);
    assert_true(medium <= 20 && medium > count_won(4, BOT_EASY, "", 60));
    assert_true(count_won(1, BOT_HARD, "", 60) > count_won(1, BOT_MEDIUM, "", 60));
}

/* Beside random play, where a game ends after half of the cards, easy is somebody to play with. */
UNIT_TEST(up_n_down_easy_plays_near_cards) {
    enum bot_level easy[] = {BOT_EASY, BOT_EASY, BOT_EASY};
    int cards = 0;
    for (uint64_t game = 0; game < 40; game++) {
        struct result result;
        play_bots(&up_n_down_game, "", 3, easy, game, &result);
        cards += result.score[0];
    }
    assert_true(cards >= 40 * 80);
}

/* Bots depend on no settings: they finish games under odd ones, too. */
UNIT_TEST(up_n_down_bots_work_under_all_settings) {
    static const char *const odd[] = {
        "handSize=10 minCardsPerTurn=3", "autoRefillHand=no allowUndo=yes", "minCardsPerTurn=1",
        "minCardValue=79 maxCardValue=99 handSize=4", "allowUndo=yes handSize=10"};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        count_won(1, BOT_HARD, odd[i], 3);
        count_won(2, BOT_HARD, odd[i], 3);
        count_won(5, BOT_MEDIUM, odd[i], 3);
    }
}

/* ---- Games without a bot of their own ---- */

/* A card that is shown may win, one that is kept cannot. */
UNIT_TEST(a_game_without_a_bot_is_played_by_trying) {
    assert_true(bot_is_general(&template_game));
    for (size_t i = 0; i < registry_count && i < 5; i++)
        assert_false(bot_is_general(registry_games[i]));
    for (uint64_t number = 0; number < 50; number++) {
        struct table table;
        struct chance chance;
        struct move move;
        chance_start_number(&chance, number, 0);
        table_start(&table, &template_game, "", 4);
        assert_true(game_deal_chance(&template_game, &table.state, &chance, NULL, NULL));
        bot_choose(&template_game, &table.state, 0, BOT_MEDIUM, &chance, &move);
        assert_int_equal(move.verb, HIGH_CARD_SHOW);
    }
}

static bool always_late(void *clock) {
    ++*(int *)clock;
    return true;
}

/* If the time is over at the first look, the bot still answers legally: the move of its rules. */
UNIT_TEST(a_late_expert_still_moves) {
    static const struct game *const searching[] = {&whos_deal_game, &hand_and_foot_game,
                                                   &four_kate_game, &up_n_down_game};
    for (size_t i = 0; i < 4; i++) {
        const struct game *game = searching[i]; /* a short deck, which is played through at once */
        const char *options = game == &up_n_down_game ? "minCardValue=59 handSize=4" : "";
        struct table t;
        struct chance chance;
        struct move move;
        int asked = 0;
        struct bot_budget late = {.is_late = always_late, .clock = &asked};
        table_start(&t, game, options, game->players_default);
        chance_start_number(&chance, 3, i);
        for (int moves = 0; moves < 60; moves++) {
            uint32_t awaited = game_to_act(t.game, &t.state);
            if (awaited == 0)
                break;
            if ((awaited & AWAITS_NATURE) != 0) {
                assert_true(game_deal_chance(t.game, &t.state, &chance, NULL, NULL));
                continue;
            }
            int seat = __builtin_ctz(awaited);
            bot_choose_within(t.game, &t.state, seat, BOT_EXPERT, &late, &chance, &move);
            assert_true(game_play(t.game, &t.state, seat, &move, NULL, NULL));
        }
        assert_true(asked > 0);
    }
}

/* Asks every level that searches in the middle of a game. */
static void ask_with_worlds(const struct game *game, const char *options, uint32_t worlds) {
    struct table t;
    struct chance chance;
    struct move move;
    struct bot_budget budget = {.worlds = worlds};
    table_start(&t, game, options, game->players_default);
    chance_start_number(&chance, 4, worlds);
    for (int moves = 0; moves < 12; moves++)
        step_at_random(game, &t.state, &chance, &move);
    while ((game_to_act(game, &t.state) & AWAITS_NATURE) != 0)
        assert_true(game_deal_chance(game, &t.state, &chance, NULL, NULL));
    int seat = __builtin_ctz(game_to_act(game, &t.state));
    int highest = bot_has_rival(game) ? BOT_RIVAL : BOT_EXPERT;
    for (int level = BOT_HARD; level <= highest; level++) {
        bot_choose_within(game, &t.state, seat, (enum bot_level)level, &budget, &chance, &move);
        assert_true(game_check(game, &t.state, seat, &move, NULL));
    }
}

/* More worlds than a game has room for are as good as all that it has. */
UNIT_TEST(a_search_takes_any_number_of_worlds) {
    for (size_t i = 0; i < registry_count; i++) {
        const struct game *game = registry_games[i];
        bool short_deck = game == &up_n_down_game; /* so that it plays the rest through */
        const char *options = short_deck ? "minCardValue=59 handSize=4" : "";
        ask_with_worlds(game, options, 257);
        if (!SANITIZED) /* which takes a minute, and looks at the same places */
            ask_with_worlds(game, options, 4096);
    }
    assert_int_equal(bot_worlds_max(&whos_deal_game), 256);
    assert_int_equal(bot_worlds_max(&four_kate_game), 4096);
}

UNIT_TEST(up_n_down_expert_beats_hard) {
    if (SANITIZED)
        skip(); /* the same games would be played again, for a minute */
    static const char rules[] = "handSize=6 autoRefillHand=no";
    assert_true(count_won(3, BOT_EXPERT, rules, 16) > count_won(3, BOT_HARD, rules, 16));
}

static void nobody_wins(const void *state, struct result *out) {
}

UNIT_TEST(of_equal_moves_the_general_bot_takes_any) {
    struct table table;
    struct chance chance;
    struct move move;
    unsigned chosen = 0;
    struct game even = template_game;
    even.result = nobody_wins;
    table_start(&table, &even, "", 2);
    table_play(&table, "- deal AS / 2H");
    for (unsigned number = 0; number < 40; number++) {
        chance_start_number(&chance, number, 0);
        bot_choose(&even, &table.state, 0, BOT_MEDIUM, &chance, &move);
        chosen |= 1u << move.verb;
    }
    assert_int_equal(chosen, 1u << HIGH_CARD_SHOW | 1u << HIGH_CARD_FOLD);
}
