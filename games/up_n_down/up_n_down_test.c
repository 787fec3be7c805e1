/* Up-N-Down's rules. The lobby, the table on the screen and the bots are tested elsewhere.
 *
 * Most tests use the smallest deck, 2 to 22, and a deal that makes the rare thing happen at once.
 * Four cards close all piles of that deck: 21 and 22 on the rising ones, 3 and 2 on the falling
 * ones. Then only 11, 12 and 13 fit, each as a backward-10. */
#include "games/up_n_down/up_n_down.h"
#include "tests/support.h"

#define SMALL      "minCardValue=2 maxCardValue=22 handSize=4"
#define NO_STOCK   "minCardValue=2 maxCardValue=22 handSize=7"  /* with three players */
#define ONE_LEFT   "minCardValue=2 maxCardValue=22 handSize=10" /* with two players */
#define UNDO       " allowUndo=yes"
#define DRAW_LATER " autoRefillHand=no"

/* Seat 0 can close all piles and then draws nothing that fits; seat 1 is stuck after that. */
#define TWO "- deal 2 3 21 22 / 4 5 6 7 / 8 9 10 14 11 12 13 15 16 17 18 19 20"
/* Seat 0 closes three piles, seat 1 the last one; what seat 1 draws then is the stock's fourth. */
#define MIDDLE_OF_TURN(fourth, rest)                                                               \
    "- deal 3 20 21 22 / 2 4 5 6 / 7 8 9 " fourth " 14 15 16 17 18 19 " rest
#define SEAT_0_CLOSES_THREE "0 play 21 1\n0 play 22 2\n0 play 3 3\n0 end"
/* A deal that leaves no stock, so that the final stage begins at once. */
#define THREE        "- deal 2 3 4 5 6 7 8 / 9 10 11 12 13 14 15 / 16 17 18 19 20 21 22 /"
#define RISING_SOLO  "- deal 2 3 4 5 / 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22"
#define CLOSING_SOLO "- deal 2 3 21 22 / 8 9 10 14 4 5 6 7 11 12 13 15 16 17 18 19 20"
#define CLOSE_ALL    "0 play 21 1\n0 play 22 2\n0 play 3 3\n0 play 2 4"

/* ---- Words for these tests ---- */

static void begin(struct table *table, const char *options, int seats, const char *deal) {
    table_start(table, &up_n_down_game, options, seats);
    table_play(table, deal);
}

static const struct up_n_down *look(const struct table *table) {
    return (const void *)table->state.bytes;
}

/* Expects this member somewhere in what everybody sees. */
static void shown(struct table *table, const char *json) {
    if (!table_shows(table, SPECTATOR, json))
        fail_msg("%s is not in %s", json, table_view(table, SPECTATOR));
}

static void phase_is(struct table *table, const char *phase) {
    char json[64];
    snprintf(json, sizeof json, "\"gamePhase\":\"%s\"", phase);
    shown(table, json);
}

static void turn_of(struct table *table, int seat) {
    char json[64];
    snprintf(json, sizeof json, "\"currentPlayerIndex\":%d,", seat);
    phase_is(table, "playing");
    shown(table, json);
    snprintf(json, sizeof json, "\"turn\":[%d]", seat);
    shown(table, json);
}

/* Expects exactly these cards in the hand, as its owner sees it: "[2,3]". */
static void hand_is(struct table *table, int seat, const char *cards) {
    char json[128];
    int count = cards[1] == ']' ? 0 : 1;
    for (const char *at = cards; *at; at++)
        count += *at == ',';
    snprintf(json, sizeof json, "\"seatIndex\":%d,\"handCount\":%d,\"hand\":%s,", seat, count,
             cards);
    if (!table_shows(table, seat, json))
        fail_msg("%s is not in %s", json, table_view(table, seat));
}

static void stock_is(struct table *table, int count) {
    char json[64];
    snprintf(json, sizeof json, "\"drawPileCount\":%d,", count);
    shown(table, json);
}

static void minimum_is(struct table *table, int played, int minimum) {
    char json[64];
    snprintf(json, sizeof json, "\"cardsPlayedThisTurn\":%d,\"minimumThisTurn\":%d,", played,
             minimum);
    shown(table, json);
}

/* Expects a pile: "1,\"top\":2,\"cards\":[2]" after its start. */
static void pile_is(struct table *table, int id, int start, int top, const char *cards) {
    char json[256];
    snprintf(json, sizeof json, "{\"id\":%d,\"type\":\"%s\",\"start\":%d,\"top\":%d,\"cards\":%s}",
             id, id <= 2 ? "ascending" : "descending", start, top, cards);
    shown(table, json);
}

static void preferences_are(struct table *table, int seat, const char *levels) {
    char json[64];
    snprintf(json, sizeof json, "\"id\":\"p%d\",\"seatIndex\":%d,", seat, seat);
    const char *player = strstr(table_view(table, SPECTATOR), json);
    assert_non_null(player);
    const char *preferences = strstr(player, "\"preferences\":");
    assert_non_null(preferences);
    assert_memory_equal(preferences + strlen("\"preferences\":"), levels, strlen(levels));
}

static void statistics_json(char *json, size_t size, int cards, int movement, int special,
                            const char *average) {
    snprintf(json, size,
             "\"statistics\":{\"cardsPlayed\":%d,\"totalMovement\":%d,\"specialPlays\":%d,"
             "\"averageMovement\":%s}",
             cards, movement, special, average);
}

/* The statistics of one player stand behind the preferences. */
static void statistics_are(struct table *table, int seat, int cards, int movement, int special,
                           const char *average) {
    char key[64], json[256];
    snprintf(key, sizeof key, "\"seatIndex\":%d,\"handCount\"", seat);
    statistics_json(json, sizeof json, cards, movement, special, average);
    const char *player = strstr(table_view(table, SPECTATOR), key);
    assert_non_null(player);
    const char *statistics = strstr(player, "\"statistics\"");
    assert_non_null(statistics);
    assert_memory_equal(statistics, json, strlen(json));
}

/* Those of all together stand behind the list of players. */
static void totals_are(struct table *table, int cards, int movement, int special,
                       const char *average) {
    char json[256], tail[300];
    statistics_json(json, sizeof json, cards, movement, special, average);
    snprintf(tail, sizeof tail, "}],%s,\"settings\"", json);
    shown(table, tail);
}

/* Expects the last line to have produced exactly these types of events, with blanks between. */
static void told_types(const struct table *table, const char *types) {
    char buffer[512] = "";
    for (size_t i = 0; i < table->events.count; i++) {
        size_t length = strlen(buffer);
        snprintf(buffer + length, sizeof buffer - length, "%s%s", i > 0 ? " " : "",
                 table->events.item[i].type);
    }
    assert_string_equal(buffer, types);
}

static void told_nobody(const struct table *table, const char *type) {
    if (table_event(table, type, 0))
        fail_msg("there should be no event %s", type);
}

/* Expects the nth hand-updated event to be for that seat's eyes only. */
static void told_hand(const struct table *table, int nth, int seat, const char *data) {
    const struct event *event = table_event(table, "hand-updated", nth);
    assert_non_null(event);
    assert_int_equal(event->audience, 1 << seat);
    assert_int_equal(event->data.length, strlen(data));
    assert_memory_equal(event->data.data, data, strlen(data));
}

/* Plays the cards of a run, rising or falling, onto one pile. */
static void play_run(struct table *table, int seat, int from, int to, int pile) {
    int step = from <= to ? 1 : -1;
    for (int card = from; card != to + step; card += step) {
        char line[32];
        snprintf(line, sizeof line, "%d play %d %d", seat, card, pile);
        table_play(table, line);
    }
}

static bool is_legal(struct table *table, int seat, const char *move) {
    char list[8192], wanted[64];
    snprintf(list, sizeof list, "; %s;", table_legal(table, seat));
    snprintf(wanted, sizeof wanted, "; %s;", move);
    return strstr(list, wanted) != NULL;
}

static void result_is(const struct table *table, bool over, uint32_t winners, int score) {
    struct result result;
    game_result(&up_n_down_game, &table->state, &result);
    assert_int_equal(result.over, over);
    assert_int_equal(result.winners, winners);
    assert_int_equal(result.sides, 1);
    for (int seat = 0; seat < SEATS_MAX; seat++) {
        assert_int_equal(result.score[seat], seat < look(table)->head.seats ? score : 0);
        assert_int_equal(result.side_of[seat], 0);
    }
}

/* ---- Piles ---- */

/* The terminal counts the cards that a turn still demands. */
TABLE_TEST(a_prompt_counts_what_the_turn_demands) {
    begin(table, SMALL UNDO, 2, TWO);
    table_asks(table, 0, "Your turn: 2 cards");
    table_play(table, "0 play 21 1");
    table_asks(table, 0, "Your turn: 1 more");
    table_play(table, "0 play 22 2");
    table_asks(table, 0, "Play on, or end the turn");
    table_play(table, "0 play 3 3\n0 play 2 4");
    table_asks(table, 0, "Nothing fits: end the turn");
    begin(table, NO_STOCK, 3, THREE);
    table_asks(table, 0, "Your turn: 1 card");
    begin(table, SMALL UNDO, 1, CLOSING_SOLO);
    table_asks(table, 0, "Play on: 21 cards to go");
    table_play(table, CLOSE_ALL);
    table_asks(table, 0, "Nothing fits any more");
}

/* UD-2 */
TABLE_TEST(UD_2_one_player_is_solitaire_and_two_to_eight_play_in_turns) {
    table_start(table, &up_n_down_game, "", 1);
    shown(table, "\"isSolitaire\":true");
    for (int seats = 2; seats <= 8; seats++) {
        table_start(table, &up_n_down_game, "", seats);
        shown(table, "\"isSolitaire\":false");
    }
    table_refuses_start(&up_n_down_game, "", 0, "INVALID_SETTING",
                        "Up-N-Down needs 1 to 8 players, not 0");
    table_refuses_start(&up_n_down_game, "", 9, "INVALID_SETTING",
                        "Up-N-Down needs 1 to 8 players, not 9");
}

/* UD-3, UD-4, UD-47 */
TABLE_TEST(UD_3_UD_4_two_piles_rise_from_1_and_two_fall_from_100) {
    table_start(table, &up_n_down_game, "", 2);
    pile_is(table, 1, 1, 1, "[]");
    pile_is(table, 2, 1, 1, "[]");
    pile_is(table, 3, 100, 100, "[]");
    pile_is(table, 4, 100, 100, "[]");
    begin(table, SMALL, 2, TWO);
    table_play(table, "0 play 3 1\n0 play 21 3");
    table_refuses(table, "0 play 2 1", "INVALID_PLAY",
                  "2 does not go on 3: higher, or exactly 10 lower");
    table_refuses(table, "0 play 22 3", "INVALID_PLAY",
                  "22 does not go on 21: lower, or exactly 10 higher");
    pile_is(table, 1, 1, 3, "[3]");
    pile_is(table, 3, 23, 21, "[21]");
}

/* UD-C1: test, label and movement of a first card all start one beside the range. */
TABLE_TEST(UD_C1_empty_piles_count_from_one_beside_the_range) {
    begin(table, "minCardValue=15 maxCardValue=35 handSize=4", 2,
          "- deal 15 16 34 35 / 17 18 19 20 / 21 22 23 24 25 26 27 28 29 30 31 32 33");
    pile_is(table, 1, 14, 14, "[]");
    pile_is(table, 4, 36, 36, "[]");
    table_play(table, "0 play 15 2");
    table_told(table, "card-played",
               "{\"seatIndex\":0,\"card\":15,\"pileId\":2,\"movement\":1,\"special\":false}");
    table_play(table, "0 play 35 3");
    table_told(table, "card-played",
               "{\"seatIndex\":0,\"card\":35,\"pileId\":3,\"movement\":1,\"special\":false}");
    statistics_are(table, 0, 2, 2, 0, "1.00");
    pile_is(table, 2, 14, 15, "[15]");
    pile_is(table, 3, 36, 35, "[35]");
}

/* A solitaire hand of these two cards and the two lowest others; the first lies on the pile. */
static void begin_with_top(struct table *table, int top, int card, int pile) {
    char deal[512] = "- deal";
    int fillers = 0;
    size_t length = (size_t)snprintf(deal, sizeof deal, "- deal %d %d", top, card);
    for (int other = 2; other <= 99; other++) {
        if (other == top || other == card)
            continue;
        length += (size_t)snprintf(deal + length, sizeof deal - length, "%s %d",
                                   fillers++ == 2 ? " /" : "", other);
    }
    char play[32];
    snprintf(play, sizeof play, "0 play %d %d", top, pile);
    begin(table, "handSize=4", 1, deal);
    table_play(table, play);
}

/* Tries every card of the deck against a pile with that top. */
static void accepts_exactly(int pile, int top, int low, int high, int special) {
    for (int card = 2; card <= 99; card++) {
        struct table table;
        char move[32], line[40];
        if (card == top)
            continue;
        begin_with_top(&table, top, card, pile);
        snprintf(move, sizeof move, "play %d %d", card, pile);
        snprintf(line, sizeof line, "0 %s", move);
        bool fits = (card >= low && card <= high) || card == special;
        assert_int_equal(is_legal(&table, 0, move), fits);
        if (!fits) {
            table_refuses(&table, line, "INVALID_PLAY", NULL);
            continue;
        }
        table_play(&table, line);
        assert_int_equal(look(&table)->top[pile - 1], card);
        assert_int_equal(look(&table)->special_plays[0], card == special);
    }
}

/* UD-5, UD-6, UD-62: in its direction, and ten back. */
UNIT_TEST(UD_6_ascending_at_67_accepts_68_to_99_and_57) {
    accepts_exactly(1, 67, 68, 99, 57);
    accepts_exactly(2, 67, 68, 99, 57);
}

/* UD-5, UD-7, UD-62, the other way round. */
UNIT_TEST(UD_7_descending_at_34_accepts_2_to_33_and_44) {
    accepts_exactly(3, 34, 2, 33, 44);
    accepts_exactly(4, 34, 2, 33, 44);
}

/* UD-5, UD-8, UD-53, UD-C19: ten in the pile's own direction is an ordinary play. */
TABLE_TEST(UD_8_UD_C19_only_ten_against_the_direction_is_special) {
    begin(table, "handSize=4 maxCardValue=40", 1,
          "- deal 12 22 18 8 / 2 3 4 5 6 7 9 10 11 13 14 15 16 17 19 20 21 23 24 25 26 27 28 29 30 "
          "31 32 33 34 35 36 37 38 39 40");
    table_play(table, "0 play 12 1\n0 play 22 1");
    table_told(table, "card-played",
               "{\"seatIndex\":0,\"card\":22,\"pileId\":1,\"movement\":10,\"special\":false}");
    table_play(table, "0 play 18 3\n0 play 8 3");
    table_told(table, "card-played",
               "{\"seatIndex\":0,\"card\":8,\"pileId\":3,\"movement\":10,\"special\":false}");
    statistics_are(table, 0, 4, 11 + 10 + 23 + 10, 0, "13.50");
}

/* UD-8, UD-53 */
TABLE_TEST(UD_8_backward_10_counts_as_a_special_play_on_either_kind_of_pile) {
    begin(table, SMALL, 2, "- deal 2 12 4 14 / 3 5 6 7 / 8 9 10 11 13 15 16 17 18 19 20 21 22");
    table_play(table, "0 play 12 2\n0 play 2 2");
    table_told(table, "card-played",
               "{\"seatIndex\":0,\"card\":2,\"pileId\":2,\"movement\":10,\"special\":true}");
    table_play(table, "0 play 4 4\n0 play 14 4");
    table_told(table, "card-played",
               "{\"seatIndex\":0,\"card\":14,\"pileId\":4,\"movement\":10,\"special\":true}");
    statistics_are(table, 0, 4, 11 + 10 + 19 + 10, 2, "12.50");
    pile_is(table, 2, 1, 2, "[12,2]");
    pile_is(table, 4, 23, 14, "[4,14]");
}

/* ---- Settings ---- */

/* UD-10 to UD-17, UD-C11 */
TABLE_TEST(UD_10_to_UD_17_settings_have_their_defaults) {
    for (int seats = 1; seats <= 2; seats++) {
        table_start(table, &up_n_down_game, "", seats);
        shown(table, "\"settings\":{\"minCardValue\":2,\"maxCardValue\":99,\"handSize\":7,"
                     "\"minPlayers\":1,\"maxPlayers\":8,\"minCardsPerTurn\":2,"
                     "\"allowUndo\":false,\"autoRefillHand\":true,\"debugMode\":false}");
    }
}

/* UD-9, UD-10 to UD-17: what the host sets applies at the start and is shown. */
TABLE_TEST(UD_9_settings_apply_at_the_start) {
    table_start(table, &up_n_down_game,
                "minCardValue=5 maxCardValue=60 handSize=5 minPlayers=2 maxPlayers=6 "
                "minCardsPerTurn=3 allowUndo=yes autoRefillHand=no debugMode=yes",
                3);
    shown(table, "\"settings\":{\"minCardValue\":5,\"maxCardValue\":60,\"handSize\":5,"
                 "\"minPlayers\":2,\"maxPlayers\":6,\"minCardsPerTurn\":3,"
                 "\"allowUndo\":true,\"autoRefillHand\":false,\"debugMode\":true}");
}

struct setting {
    const char *line;
    const char *text;
};

/* UD-10 to UD-17 */
UNIT_TEST(UD_10_to_UD_17_values_out_of_range_are_refused) {
    static const struct setting wrong[] = {
        {"minCardValue=1", "minCardValue must be a number from 2 to 79"},
        {"minCardValue=80", "minCardValue must be a number from 2 to 79"},
        {"minCardValue=2x", "minCardValue must be a number from 2 to 79"},
        {"minCardValue=", "minCardValue must be a number from 2 to 79"},
        {"maxCardValue=21", "maxCardValue must be a number from 22 to 99"},
        {"maxCardValue=100", "maxCardValue must be a number from 22 to 99"},
        {"handSize=3", "handSize must be a number from 4 to 10"},
        {"handSize=11", "handSize must be a number from 4 to 10"},
        {"minPlayers=0", "minPlayers must be a number from 1 to 8"},
        {"minPlayers=9", "minPlayers must be a number from 1 to 8"},
        {"maxPlayers=0", "maxPlayers must be a number from 1 to 8"},
        {"maxPlayers=9", "maxPlayers must be a number from 1 to 8"},
        {"minCardsPerTurn=0", "minCardsPerTurn must be a number from 1 to 3"},
        {"minCardsPerTurn=4", "minCardsPerTurn must be a number from 1 to 3"},
        {"allowUndo=maybe", "allowUndo must be yes or no"},
        {"autoRefillHand=1", "autoRefillHand must be yes or no"},
        {"debugMode=maybe", "debugMode must be yes or no"},
        {"handsize=5", "Unknown setting 'handsize'"},
        {"handSize", "Expected key=value, found 'handSize'"},
        {"preset=easy", "Unknown preset 'easy'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        table_refuses_start(&up_n_down_game, wrong[i].line, 2, "INVALID_SETTING", wrong[i].text);
}

/* UD-10 to UD-14: the ends of each range are inside it. */
TABLE_TEST(UD_10_to_UD_14_the_ends_of_the_ranges_are_allowed) {
    static const char *const right[] = {
        "minCardValue=2 maxCardValue=22",
        "minCardValue=79 maxCardValue=99",
        "handSize=4",
        "handSize=10",
        "minPlayers=1 maxPlayers=2",
        "minPlayers=2 maxPlayers=8",
        "minCardsPerTurn=1",
        "minCardsPerTurn=3",
    };
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++)
        table_start(table, &up_n_down_game, right[i], 2);
    table_start(table, &up_n_down_game, "minPlayers=8 maxPlayers=8", 8);
    table_start(table, &up_n_down_game, "minPlayers=1 maxPlayers=1", 1);
}

/* UD-11, UD-C2 */
TABLE_TEST(UD_C2_the_highest_card_is_at_least_20_above_the_lowest) {
    table_start(table, &up_n_down_game, "minCardValue=30 maxCardValue=50", 2);
    table_refuses_start(&up_n_down_game, "minCardValue=30 maxCardValue=49", 2, "INVALID_SETTING",
                        "maxCardValue must be at least minCardValue + 20 (50)");
    table_refuses_start(&up_n_down_game, "minCardValue=79 maxCardValue=22", 1, "INVALID_SETTING",
                        "maxCardValue must be at least minCardValue + 20 (99)");
}

/* UD-C3 */
TABLE_TEST(UD_C3_hands_need_enough_cards_in_the_deck) {
    table_refuses_start(&up_n_down_game, "maxCardValue=22 handSize=10", 8, "INVALID_SETTING",
                        "8 players with 10 cards each need 80 cards, but the deck has 21");
    table_refuses_start(&up_n_down_game, "maxCardValue=22 handSize=8", 3, "INVALID_SETTING",
                        "3 players with 8 cards each need 24 cards, but the deck has 21");
    table_start(table, &up_n_down_game, NO_STOCK, 3);
    table_start(table, &up_n_down_game, "handSize=10", 8);
}

/* UD-13, UD-C4 */
TABLE_TEST(UD_C4_the_number_of_players_lies_between_the_limits) {
    table_refuses_start(&up_n_down_game, "minPlayers=5 maxPlayers=3", 4, "INVALID_SETTING",
                        "minPlayers (5) is above maxPlayers (3)");
    table_refuses_start(&up_n_down_game, "minPlayers=3", 2, "INVALID_SETTING",
                        "At least 3 players are needed, not 2");
    table_refuses_start(&up_n_down_game, "maxPlayers=3", 4, "INVALID_SETTING",
                        "At most 3 players are allowed, not 4");
    table_refuses_start(&up_n_down_game, "maxPlayers=1", 2, "INVALID_SETTING",
                        "At most 1 players are allowed, not 2");
    table_start(table, &up_n_down_game, "minPlayers=3 maxPlayers=4", 3);
    table_start(table, &up_n_down_game, "minPlayers=3 maxPlayers=4", 4);
    table_start(table, &up_n_down_game, "minPlayers=1", 2);
}

/* UD-C4: solitaire is a choice of its own, whatever the limits for several say. */
TABLE_TEST(UD_C4_solitaire_ignores_the_limits) {
    table_start(table, &up_n_down_game, "minPlayers=4", 1);
    shown(table, "\"isSolitaire\":true");
    table_refuses_start(&up_n_down_game, "minPlayers=5 maxPlayers=3", 1, "INVALID_SETTING",
                        "minPlayers (5) is above maxPlayers (3)");
}

/* UD-11, UD-C3, UD-C4: of several wrong settings the first in this order is named. */
UNIT_TEST(UD_C2_UD_C3_UD_C4_settings_are_checked_in_order) {
    table_refuses_start(&up_n_down_game,
                        "minCardValue=30 maxCardValue=49 minPlayers=5 maxPlayers=3 handSize=10", 8,
                        "INVALID_SETTING", "maxCardValue must be at least minCardValue + 20 (50)");
    table_refuses_start(&up_n_down_game, "maxCardValue=22 minPlayers=5 maxPlayers=3 handSize=10", 8,
                        "INVALID_SETTING", "minPlayers (5) is above maxPlayers (3)");
    table_refuses_start(&up_n_down_game, "maxCardValue=22 maxPlayers=3 handSize=10", 8,
                        "INVALID_SETTING", "At most 3 players are allowed, not 8");
}

/* ---- Setup ---- */

/* UD-18, UD-12: 98 cards, four hands of seven, 70 to draw from; every value once. */
TABLE_TEST(UD_18_the_draw_pile_holds_what_is_not_dealt) {
    begin(table, "", 4, "- deal 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
    stock_is(table, 70);
    table_told(table, "game-started", "{\"drawPileCount\":70}");
    const struct up_n_down *game = look(table);
    int seen[100] = {0};
    for (int i = 0; i < game->draw_count; i++)
        seen[game->draw[i]]++;
    for (int card = 2; card <= 99; card++) {
        for (int seat = 0; seat < 4; seat++)
            seen[card] += card_set_has(&game->hand[seat], card);
        assert_int_equal(seen[card], 1);
    }
    for (int seat = 0; seat < 4; seat++)
        assert_int_equal(game->hand_count[seat], 7);
}

/* UD-18: the invariant notices a card that is twice there, missing, or miscounted. */
TABLE_TEST(UD_18_the_invariant_notices_what_does_not_add_up) {
    begin(table, SMALL, 2, TWO);
    table_play(table, "0 play 2 1");
    struct up_n_down good, bad;
    memcpy(&good, table->state.bytes, sizeof good);
    assert_true(up_n_down_game.holds(&good));
    bad = good, bad.draw[0] = 21;
    assert_false(up_n_down_game.holds(&bad));
    bad = good, bad.draw_count--;
    assert_false(up_n_down_game.holds(&bad));
    bad = good, bad.played[0] = 3;
    assert_false(up_n_down_game.holds(&bad));
    bad = good, bad.hand_count[1]--, bad.hand_count[0]++;
    assert_false(up_n_down_game.holds(&bad));
    bad = good, card_set_flip(&bad.hand[1], 7);
    assert_false(up_n_down_game.holds(&bad));
    bad = good, bad.cards_played[1]++;
    assert_false(up_n_down_game.holds(&bad));
    bad = good, bad.current = 2;
    assert_false(up_n_down_game.holds(&bad));
    bad = good, bad.phase = UP_N_DOWN_LOST + 1;
    assert_false(up_n_down_game.holds(&bad));
    begin_with_top(table, 67, 99, 1);
    memcpy(&bad, table->state.bytes, sizeof bad);
    assert_true(up_n_down_game.holds(&bad));
    bad.played[0] = 99;
    assert_false(up_n_down_game.holds(&bad));
}

/* UD-C15, UD-18 */
TABLE_TEST(UD_C15_the_host_in_seat_0_begins) {
    table_start(table, &up_n_down_game, SMALL, 2);
    phase_is(table, "lobby");
    shown(table, "\"turn\":[]");
    assert_string_equal(table_legal(table, 0), "");
    table_play(table, TWO);
    turn_of(table, 0);
    told_types(table, "game-started hand-updated hand-updated turn-started");
    table_told(table, "game-started", "{\"drawPileCount\":13}");
    told_hand(table, 0, 0, "{\"hand\":[2,3,21,22]}");
    told_hand(table, 1, 1, "{\"hand\":[4,5,6,7]}");
    table_told(table, "turn-started", "{\"seatIndex\":0}");
}

/* UD-C26 */
TABLE_TEST(UD_C26_an_empty_stock_ends_the_deal_with_a_stroke) {
    table_start(table, &up_n_down_game, NO_STOCK, 3);
    table_refuses(table, "- deal 2 3 4 5 6 7 8 / 9 10 11 12 13 14 15 / 16 17 18 19 20 21 22",
                  "INVALID_DEAL", "The deal has 3 parts, it needs 4; part 4 follows a '/'");
    uint16_t cards[21];
    for (uint16_t i = 0; i < 21; i++)
        cards[i] = (uint16_t)(2 + i);
    char line[128];
    struct text text;
    text_begin(&text, line, sizeof line);
    game_print_deal(&up_n_down_game, &table->state, cards, &text);
    assert_string_equal(line, &THREE[strlen("- ")]);
    table_play(table, THREE);
    stock_is(table, 0);
}

/* UD-18: an explicit deal holds each card once, in parts of the right size. */
TABLE_TEST(UD_18_wrong_explicit_deals_are_refused) {
    static const struct setting wrong[] = {
        {"- deal 2 3 21 / 4 5 6 7 / 8 9", "Part 1 of the deal has 3 cards, it needs 4"},
        {"- deal 2 3 21 22 / 4 5 6 7 8 / 9", "Part 2 of the deal has 5 cards, it needs 4"},
        {"- deal 2 3 21 22 / 4 5 6 7 / 8 9 10", "Part 3 of the deal has 3 cards, it needs 13"},
        {"- deal 2 3 21 2 / 4 5 6 7 /", "No 2 is left in the deck"},
        {"- deal 2 3 21 22 / 4 5 6 21 /", "No 21 is left in the deck"},
        {"- deal 2 3 21 23 / 4 5 6 7 /", "No 23 is left in the deck"},
        {"- deal 1 3 21 22 / 4 5 6 7 /", "No 1 is left in the deck"},
        {"- deal 2 3 21 KH / 4 5 6 7 /", "Unknown card 'KH'"},
        {"- deal 2 3 21 -4 / 4 5 6 7 /", "Unknown card '-4'"},
        {"- deal 2 3 21 256 / 4 5 6 7 /", "Unknown card '256'"},
        {"- deal 2 3 21 255 / 4 5 6 7 /", "No 255 is left in the deck"},
        {"- deal 2 3 21 22", "The deal has 1 parts, it needs 3; part 2 follows a '/'"},
        {"- deal 2 3 21 22 + 4 5 6 7 /", "The deal has 1 parts, it needs 3; part 2 follows a '/'"},
        {TWO " /", "The deal ends before '/'"},
        {"- deal", "Part 1 of the deal has 0 cards, it needs 4"},
        {"- deal 0001", "No 0001 is left in the deck"},
    };
    table_start(table, &up_n_down_game, SMALL, 2);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        table_refuses(table, wrong[i].line, "INVALID_DEAL", wrong[i].text);
    table_refuses(table, "- shuffle", "WRONG_PHASE", "Wrong phase");
    table_refuses(table, "- play 2 1", "BAD_REQUEST", "Expected deal or shuffle, found 'play'");
    table_play(table, TWO);
    table_refuses(table, TWO, "WRONG_PHASE", "Wrong phase");
}

/* ---- The turn ---- */

/* UD-20, UD-22, UD-14, UD-49, UD-63: a turn and its minimum. */
TABLE_TEST(UD_20_UD_22_a_turn_is_the_minimum_or_more_and_then_end) {
    begin(table, SMALL, 2, TWO);
    minimum_is(table, 0, 2);
    table_refuses(table, "0 end", "MIN_CARDS", "Play at least 2 (0 so far)");
    assert_false(is_legal(table, 0, "end"));
    table_play(table, "0 play 2 1");
    minimum_is(table, 1, 2);
    table_refuses(table, "0 end", "MIN_CARDS", "Play at least 2 (1 so far)");
    table_play(table, "0 play 3 1");
    minimum_is(table, 2, 2);
    assert_true(is_legal(table, 0, "end"));
    turn_of(table, 0);
    table_play(table, "0 play 8 1");
    minimum_is(table, 3, 2);
    table_play(table, "0 end");
    told_types(table, "turn-ended turn-started");
    table_told(table, "turn-ended", "{\"seatIndex\":0,\"cardsPlayed\":3}");
    table_told(table, "turn-started", "{\"seatIndex\":1}");
    turn_of(table, 1);
    minimum_is(table, 0, 2);
}

/* UD-14, UD-22, UD-C5 */
TABLE_TEST(UD_14_the_minimum_is_what_the_setting_says) {
    begin(table, SMALL " minCardsPerTurn=1", 2, TWO);
    table_refuses(table, "0 end", "MIN_CARDS", "Play at least 1 (0 so far)");
    table_play(table, "0 play 2 1\n0 end");
    turn_of(table, 1);
    begin(table, SMALL " minCardsPerTurn=3", 2, TWO);
    table_play(table, "0 play 2 1\n0 play 3 1");
    table_refuses(table, "0 end", "MIN_CARDS", "Play at least 3 (2 so far)");
    table_play(table, "0 play 8 1\n0 end");
    turn_of(table, 1);
}

/* UD-21, UD-C5 */
TABLE_TEST(UD_21_in_the_final_stage_one_card_is_enough) {
    begin(table, NO_STOCK " minCardsPerTurn=3", 3, THREE);
    minimum_is(table, 0, 1);
    table_refuses(table, "0 end", "MIN_CARDS", "Play at least 1 (0 so far)");
    table_play(table, "0 play 2 1\n0 end");
    turn_of(table, 1);
    table_play(table, "1 play 9 1\n1 play 10 1\n1 end");
    turn_of(table, 2);
}

/* UD-C6, UD-21, UD-23: the last card drawn in mid-turn lowers the minimum at once. UD-64: what
 * follows from an empty draw pile. */
TABLE_TEST(UD_C6_the_minimum_drops_when_the_draw_pile_runs_out) {
    begin(table, ONE_LEFT " minCardsPerTurn=3", 2,
          "- deal 2 3 4 5 6 7 8 9 10 11 / 12 13 14 15 16 17 18 19 20 21 / 22");
    minimum_is(table, 0, 3);
    table_play(table, "0 play 2 1");
    table_told(table, "cards-drawn", "{\"seatIndex\":0,\"count\":1,\"drawPileCount\":0}");
    minimum_is(table, 1, 1);
    table_play(table, "0 play 3 1");
    told_nobody(table, "cards-drawn");
    hand_is(table, 0, "[4,5,6,7,8,9,10,11,22]");
    table_play(table, "0 end");
    turn_of(table, 1);
}

/* UD-C6, UD-C7: nothing fits any more, but the dropped minimum is met, so nobody has lost. */
TABLE_TEST(UD_C6_UD_C7_the_dropped_minimum_saves_a_stuck_player) {
    begin(table, "maxCardValue=25 handSize=10", 2,
          "- deal 3 24 25 12 13 14 15 18 19 20 / 2 4 5 6 7 8 9 10 11 16 / 21 22 23 17");
    table_play(table, "0 play 24 1\n0 play 25 2\n0 play 3 3\n0 end\n1 play 2 4");
    turn_of(table, 1);
    minimum_is(table, 1, 1);
    assert_string_equal(table_legal(table, 1), "end");
    table_play(table, "1 end");
    turn_of(table, 0);
}

/* UD-16, UD-18, UD-20: the stock's first card is drawn first, one for each card played. */
TABLE_TEST(UD_16_the_hand_refills_after_each_card) {
    begin(table, SMALL, 2, TWO);
    table_play(table, "0 play 2 1");
    told_types(table, "card-played cards-drawn hand-updated");
    table_told(table, "card-played",
               "{\"seatIndex\":0,\"card\":2,\"pileId\":1,\"movement\":1,\"special\":false}");
    table_told(table, "cards-drawn", "{\"seatIndex\":0,\"count\":1,\"drawPileCount\":12}");
    told_hand(table, 0, 0, "{\"hand\":[3,8,21,22]}");
    hand_is(table, 0, "[3,8,21,22]");
    assert_int_equal(look(table)->draw[12],
                     0); /* unused places are zero, so that equal states have equal bytes */
    table_play(table, "0 play 3 1");
    hand_is(table, 0, "[8,9,21,22]");
    stock_is(table, 11);
    table_play(table, "0 end");
    told_nobody(table, "cards-drawn");
}

/* UD-16, UD-21 */
TABLE_TEST(UD_16_without_refill_all_replacements_come_at_the_end_of_the_turn) {
    begin(table, SMALL DRAW_LATER, 2, TWO);
    table_play(table, "0 play 2 1");
    told_nobody(table, "cards-drawn");
    hand_is(table, 0, "[3,21,22]");
    stock_is(table, 13);
    table_play(table, "0 play 3 1\n0 end");
    told_types(table, "turn-ended cards-drawn hand-updated turn-started");
    table_told(table, "cards-drawn", "{\"seatIndex\":0,\"count\":2,\"drawPileCount\":11}");
    told_hand(table, 0, 0, "{\"hand\":[8,9,21,22]}");
    hand_is(table, 0, "[8,9,21,22]");
    hand_is(table, 1, "[4,5,6,7]");
    turn_of(table, 1);
}

/* UD-23 */
TABLE_TEST(UD_23_refill_happens_only_while_the_draw_pile_has_cards) {
    begin(table, ONE_LEFT DRAW_LATER, 2,
          "- deal 2 3 4 5 6 7 8 9 10 11 / 12 13 14 15 16 17 18 19 20 21 / 22");
    table_play(table, "0 play 2 1\n0 play 3 1\n0 end");
    table_told(table, "cards-drawn", "{\"seatIndex\":0,\"count\":1,\"drawPileCount\":0}");
    hand_is(table, 0, "[4,5,6,7,8,9,10,11,22]");
    minimum_is(table, 0, 1);
    table_play(table, "1 play 12 1\n1 end");
    told_nobody(table, "cards-drawn");
    hand_is(table, 1, "[13,14,15,16,17,18,19,20,21]");
}

/* UD-24 */
TABLE_TEST(UD_24_turns_go_clockwise) {
    begin(table, NO_STOCK, 3, THREE);
    turn_of(table, 0);
    table_play(table, "0 play 2 1\n0 end");
    turn_of(table, 1);
    table_play(table, "1 play 9 1\n1 end");
    turn_of(table, 2);
    table_play(table, "2 play 16 1\n2 end");
    turn_of(table, 0);
}

/* UD-24, UD-C14: seat 1 has played everything and is passed over. UD-66: with some cards, and with
 * none. */
TABLE_TEST(UD_24_players_without_cards_are_skipped) {
    begin(table, NO_STOCK, 3, THREE);
    table_play(table, "0 play 2 1\n0 end");
    play_run(table, 1, 9, 15, 2);
    table_play(table, "2 play 16 2\n2 end\n0 play 3 1\n0 end");
    table_told(table, "turn-started", "{\"seatIndex\":2}");
    turn_of(table, 2);
    play_run(table, 2, 17, 22, 2);
    turn_of(table, 0);
    table_play(table, "0 play 4 1\n0 end");
    turn_of(table, 0);
}

/* UD-C14 */
TABLE_TEST(UD_C14_an_emptied_hand_ends_the_turn_by_itself) {
    begin(table, NO_STOCK, 3, THREE);
    play_run(table, 0, 2, 8, 1);
    assert_non_null(table_event(table, "turn-ended", 0));
    table_told(table, "turn-started", "{\"seatIndex\":1}");
    turn_of(table, 1);
}

/* UD-C14 */
TABLE_TEST(UD_C14_with_undo_an_emptied_hand_waits_for_end) {
    begin(table, NO_STOCK UNDO, 3, THREE);
    play_run(table, 0, 2, 8, 1);
    turn_of(table, 0);
    hand_is(table, 0, "[]");
    assert_string_equal(table_legal(table, 0), "undo; end");
    table_play(table, "0 undo");
    hand_is(table, 0, "[8]");
    table_play(table, "0 play 8 2\n0 end");
    turn_of(table, 1);
}

/* UD-C13, UD-C14: without refill the emptied hand is drawn up and nothing is won yet. */
TABLE_TEST(UD_C13_UD_C14_without_refill_an_emptied_hand_is_drawn_up_at_once) {
    begin(table, SMALL DRAW_LATER, 2,
          "- deal 2 3 21 22 / 4 5 6 11 / 8 9 10 14 7 12 13 15 16 17 18 19 20");
    table_play(table, CLOSE_ALL);
    table_told(table, "cards-drawn", "{\"seatIndex\":0,\"count\":4,\"drawPileCount\":9}");
    hand_is(table, 0, "[8,9,10,14]");
    turn_of(table, 1);
}

/* UD-C14, UD-C13: with undo the turn waits for end. */
TABLE_TEST(UD_C14_without_refill_but_with_undo_an_emptied_hand_waits) {
    begin(table, SMALL DRAW_LATER UNDO, 2,
          "- deal 2 3 21 22 / 4 5 6 11 / 8 9 10 14 7 12 13 15 16 17 18 19 20");
    table_play(table, CLOSE_ALL);
    turn_of(table, 0);
    stock_is(table, 13);
    assert_string_equal(table_legal(table, 0), "undo; end");
    table_play(table, "0 end");
    hand_is(table, 0, "[8,9,10,14]");
    turn_of(table, 1);
}

/* ---- Undo ---- */

/* UD-15, UD-C11, UD-C18 */
TABLE_TEST(UD_15_without_the_setting_there_is_no_undo) {
    begin(table, SMALL, 2, TWO);
    table_refuses(table, "0 undo", "UNDO_DISABLED", "Undo is switched off at this table");
    table_play(table, "0 play 2 1");
    table_refuses(table, "0 undo", "UNDO_DISABLED", "Undo is switched off at this table");
    shown(table, "\"canUndo\":false");
    assert_false(is_legal(table, 0, "undo"));
}

/* UD-25, UD-28, UD-C10, UD-C18 */
TABLE_TEST(UD_28_UD_C10_undo_is_one_step_and_comes_back_with_the_next_card) {
    begin(table, SMALL UNDO, 2, TWO);
    table_refuses(table, "0 undo", "NOTHING_TO_UNDO", "There is nothing to undo");
    shown(table, "\"canUndo\":false");
    assert_false(is_legal(table, 0, "undo"));
    table_play(table, "0 play 2 1\n0 play 3 1");
    shown(table, "\"canUndo\":true");
    assert_true(is_legal(table, 0, "undo"));
    table_play(table, "0 undo");
    table_refuses(table, "0 undo", "NOTHING_TO_UNDO", "There is nothing to undo");
    shown(table, "\"canUndo\":false");
    assert_false(is_legal(table, 0, "undo"));
    table_play(table, "0 play 21 3\n0 undo");
    pile_is(table, 1, 1, 2, "[2]");
    pile_is(table, 3, 23, 23, "[]");
}

/* UD-25 */
TABLE_TEST(UD_25_undo_ends_with_the_turn) {
    begin(table, SMALL UNDO, 2, TWO);
    table_play(table, "0 play 2 1\n0 play 3 1\n0 end");
    table_refuses(table, "0 undo", "NOT_YOUR_TURN", "Not your turn");
    table_refuses(table, "1 undo", "NOTHING_TO_UNDO", "There is nothing to undo");
    shown(table, "\"canUndo\":false");
    table_play(table, "1 play 4 1");
    table_refuses(table, "0 undo", "NOT_YOUR_TURN", "Not your turn");
    table_play(table, "1 undo");
    pile_is(table, 1, 1, 3, "[2,3]");
    hand_is(table, 1, "[4,5,6,7,10]");
}

/* UD-26, UD-C9 */
TABLE_TEST(UD_26_UD_C9_the_drawn_card_stays_and_the_next_play_draws_nothing) {
    begin(table, SMALL UNDO, 2, TWO);
    table_play(table, "0 play 2 1\n0 undo");
    told_types(table, "play-undone hand-updated");
    table_told(table, "play-undone", "{\"seatIndex\":0,\"card\":2,\"pileId\":1}");
    told_hand(table, 0, 0, "{\"hand\":[2,3,8,21,22]}");
    hand_is(table, 0, "[2,3,8,21,22]");
    stock_is(table, 12);
    pile_is(table, 1, 1, 1, "[]");
    table_play(table, "0 play 3 1");
    told_nobody(table, "cards-drawn");
    hand_is(table, 0, "[2,8,21,22]");
    stock_is(table, 12);
    table_play(table, "0 play 2 3");
    table_told(table, "cards-drawn", "{\"seatIndex\":0,\"count\":1,\"drawPileCount\":11}");
    hand_is(table, 0, "[8,9,21,22]");
}

/* UD-16, UD-25 */
TABLE_TEST(UD_25_undo_without_refill_restores_the_hand) {
    begin(table, SMALL UNDO DRAW_LATER, 2, TWO);
    struct game_state before = table->state;
    table_play(table, "0 play 2 4\n0 undo");
    assert_memory_equal(before.bytes, table->state.bytes, sizeof(struct up_n_down));
    table_play(table, "0 play 2 1\n0 play 3 1\n0 end");
    hand_is(table, 0, "[8,9,21,22]");
}

/* UD-25: the pile shows again what lay under the card, not what was played before it. */
TABLE_TEST(UD_25_undo_uncovers_the_card_below_on_that_pile) {
    begin(table, SMALL UNDO, 2, TWO);
    table_play(table, "0 play 2 1\n0 play 22 3\n0 play 3 1\n0 undo");
    pile_is(table, 1, 1, 2, "[2]");
    pile_is(table, 3, 23, 22, "[22]");
    table_play(table, "0 play 21 3\n0 undo");
    pile_is(table, 1, 1, 2, "[2]");
    pile_is(table, 3, 23, 22, "[22]");
}

/* UD-27, UD-C12 */
TABLE_TEST(UD_27_UD_C12_undo_rolls_statistics_and_the_count_of_the_turn_back) {
    begin(table, SMALL UNDO, 2,
          "- deal 2 12 21 22 / 4 5 6 7 / 8 9 10 14 11 3 13 15 16 17 18 19 20");
    table_play(table, "0 play 12 1\n0 play 2 1");
    statistics_are(table, 0, 2, 21, 1, "10.50");
    totals_are(table, 2, 21, 1, "10.50");
    table_play(table, "0 undo");
    statistics_are(table, 0, 1, 11, 0, "11.00");
    totals_are(table, 1, 11, 0, "11.00");
    minimum_is(table, 1, 2);
    table_refuses(table, "0 end", "MIN_CARDS", "Play at least 2 (1 so far)");
    table_play(table, "0 play 21 3");
    statistics_are(table, 0, 2, 13, 0, "6.50");
}

/* UD-C10, UD-C23 */
TABLE_TEST(UD_C10_UD_C23_with_refill_the_last_card_wins_at_once) {
    begin(table, NO_STOCK UNDO, 3, THREE);
    play_run(table, 0, 2, 8, 1);
    table_play(table, "0 end");
    play_run(table, 1, 9, 15, 1);
    table_play(table, "1 end");
    play_run(table, 2, 16, 22, 1);
    phase_is(table, "won");
    shown(table, "\"canUndo\":false");
    table_refuses(table, "2 undo", "WRONG_PHASE", "Wrong phase");
}

/* UD-C23, UD-C13 */
TABLE_TEST(UD_C23_without_refill_but_with_undo_the_win_waits_for_end) {
    begin(table, NO_STOCK UNDO DRAW_LATER, 3, THREE);
    play_run(table, 0, 2, 8, 1);
    table_play(table, "0 end");
    play_run(table, 1, 9, 15, 1);
    table_play(table, "1 end");
    play_run(table, 2, 16, 22, 1);
    turn_of(table, 2);
    result_is(table, false, 0, 21);
    assert_string_equal(table_legal(table, 2), "undo; end");
    table_play(table, "2 undo\n2 play 22 2\n2 end");
    told_types(table, "turn-ended game-over");
    table_told(table, "game-over", "{\"won\":true,\"cardsLeft\":0}");
    phase_is(table, "won");
}

/* ---- Won and lost ---- */

/* UD-1, UD-29, UD-31, UD-C28, UD-65: won. */
TABLE_TEST(UD_29_UD_C28_when_every_card_is_played_everybody_wins) {
    begin(table, NO_STOCK, 3, THREE);
    play_run(table, 0, 2, 8, 1);
    play_run(table, 1, 15, 9, 3);
    play_run(table, 2, 16, 21, 2);
    result_is(table, false, 0, 20);
    phase_is(table, "playing");
    table_play(table, "2 play 22 2");
    told_types(table, "card-played hand-updated game-over");
    table_told(table, "game-over", "{\"won\":true,\"cardsLeft\":0}");
    phase_is(table, "won");
    shown(table, "\"turn\":[]");
    result_is(table, true, 7, 21);
    table_refuses(table, "2 end", "WRONG_PHASE", "Wrong phase");
}

/* UD-C13, UD-29 */
TABLE_TEST(UD_C13_without_refill_and_undo_the_last_card_wins_at_once) {
    begin(table, NO_STOCK DRAW_LATER, 3, THREE);
    play_run(table, 0, 2, 8, 1);
    play_run(table, 1, 9, 15, 1);
    play_run(table, 2, 16, 22, 1);
    phase_is(table, "won");
    result_is(table, true, 7, 21);
}

/* UD-30, UD-31, UD-C7, UD-C28, UD-65: lost. */
TABLE_TEST(UD_30_a_player_who_cannot_play_when_the_turn_starts_loses_the_game) {
    begin(table, SMALL, 2, TWO);
    table_play(table, CLOSE_ALL "\n0 end");
    told_types(table, "turn-ended turn-started game-over");
    table_told(table, "turn-started", "{\"seatIndex\":1}");
    table_told(table, "game-over", "{\"won\":false,\"cardsLeft\":17}");
    phase_is(table, "lost");
    shown(table, "\"currentPlayerIndex\":1,");
    shown(table, "\"turn\":[]");
    result_is(table, true, 0, 4);
    table_refuses(table, "1 play 4 1", "WRONG_PHASE", "Wrong phase");
}

/* UD-C7, UD-32: with the minimum met, being stuck only means that the turn is over. */
TABLE_TEST(UD_C7_with_the_minimum_met_a_stuck_player_just_ends_the_turn) {
    for (int undo = 0; undo <= 1; undo++) {
        begin(table, undo ? SMALL UNDO : SMALL, 2,
              "- deal 2 3 21 22 / 4 5 6 11 / 8 9 10 14 7 12 13 15 16 17 18 19 20");
        table_play(table, CLOSE_ALL);
        turn_of(table, 0);
        assert_string_equal(table_legal(table, 0), undo ? "undo; end" : "end");
        table_play(table, "0 end");
        turn_of(table, 1);
        assert_string_equal(table_legal(table, 1), "play 11 1");
    }
}

/* UD-30, UD-C7: after the first of two cards, and after the refill, nothing fits. */
TABLE_TEST(UD_C7_stuck_in_mid_turn_below_the_minimum_is_lost) {
    begin(table, SMALL, 2, MIDDLE_OF_TURN("10", "11 12 13"));
    table_play(table, SEAT_0_CLOSES_THREE "\n1 play 2 4");
    told_types(table, "card-played cards-drawn hand-updated game-over");
    table_told(table, "game-over", "{\"won\":false,\"cardsLeft\":17}");
    phase_is(table, "lost");
    begin(table, SMALL " minCardsPerTurn=1", 2, MIDDLE_OF_TURN("10", "11 12 13"));
    table_play(table, SEAT_0_CLOSES_THREE "\n1 play 2 4");
    turn_of(table, 1);
}

/* UD-5, UD-C7: a backward-10 on any of the four piles keeps the game alive. */
TABLE_TEST(UD_C7_a_drawn_backward_10_saves_the_game) {
    begin(table, SMALL, 2, MIDDLE_OF_TURN("11", "10 12 13"));
    table_play(table, SEAT_0_CLOSES_THREE "\n1 play 2 4");
    turn_of(table, 1);
    assert_string_equal(table_legal(table, 1), "play 11 1");
    begin(table, SMALL, 2, MIDDLE_OF_TURN("12", "10 11 13"));
    table_play(table, SEAT_0_CLOSES_THREE "\n1 play 2 4");
    assert_string_equal(table_legal(table, 1), "play 12 2; play 12 4");
    table_refuses(table, "1 play 12", "INVALID_PILE", "Choose a pile from 1 to 4");
    table_refuses(table, "1 play 4", "INVALID_PILE", "4 goes on no pile now");
    begin(table, SMALL, 2, MIDDLE_OF_TURN("13", "10 11 12"));
    table_play(table, SEAT_0_CLOSES_THREE "\n1 play 2 4");
    assert_string_equal(table_legal(table, 1), "play 13 3");
}

/* UD-C8 */
TABLE_TEST(UD_C8_with_undo_the_loss_waits_and_end_accepts_it) {
    begin(table, SMALL UNDO, 2, MIDDLE_OF_TURN("10", "11 12 13"));
    table_play(table, SEAT_0_CLOSES_THREE "\n1 play 2 4");
    told_nobody(table, "game-over");
    turn_of(table, 1);
    minimum_is(table, 1, 2);
    assert_string_equal(table_legal(table, 1), "undo; end");
    table_play(table, "1 end");
    told_types(table, "turn-ended game-over");
    table_told(table, "turn-ended", "{\"seatIndex\":1,\"cardsPlayed\":1}");
    table_told(table, "game-over", "{\"won\":false,\"cardsLeft\":17}");
    phase_is(table, "lost");
    shown(table, "\"canUndo\":false");
    table_refuses(table, "1 undo", "WRONG_PHASE", "Wrong phase");
}

/* UD-C8 */
TABLE_TEST(UD_C8_with_undo_a_stuck_player_can_take_the_card_back) {
    begin(table, SMALL UNDO, 2, MIDDLE_OF_TURN("10", "11 12 13"));
    table_play(table, SEAT_0_CLOSES_THREE "\n1 play 2 4\n1 undo");
    turn_of(table, 1);
    hand_is(table, 1, "[2,4,5,6,10]");
    table_refuses(table, "1 end", "MIN_CARDS", "Play at least 2 (0 so far)");
    table_play(table, "1 play 10 4\n1 play 2 3\n1 end");
    turn_of(table, 0);
}

/* UD-C8: at the start of a turn there is nothing to undo, so the loss does not wait. */
TABLE_TEST(UD_C8_at_the_start_of_a_turn_the_loss_does_not_wait) {
    begin(table, SMALL UNDO, 2, TWO);
    table_play(table, CLOSE_ALL "\n0 end");
    phase_is(table, "lost");
}

/* The rule of UD-3 to UD-5 written a second time: can the player to move play something? */
static bool something_fits(const struct up_n_down *game) {
    for (int card = game->card_min; card <= game->card_max; card++) {
        if (!card_set_has(&game->hand[game->current], card))
            continue;
        for (int pile = 0; pile < 4; pile++) {
            int rise = pile < 2 ? card - game->top[pile] : game->top[pile] - card;
            if (rise > 0 || rise == -10)
                return true;
        }
    }
    return false;
}

/* A random deal, or a random legal move of the player whose turn it is. */
static void step_at_random(struct table *table, struct chance *chance) {
    uint8_t seed[CHANCE_SEED_SIZE];
    struct move moves[GAME_LEGAL_MAX];
    if (look(table)->phase == UP_N_DOWN_DEALING) {
        chance_bytes(chance, seed, sizeof seed);
        assert_true(game_deal_seed(&up_n_down_game, &table->state, seed, NULL, NULL));
        return;
    }
    int seat = look(table)->current;
    size_t count = game_legal(&up_n_down_game, &table->state, seat, moves);
    assert_true(count > 0);
    const struct move *move = &moves[chance_below(chance, (uint32_t)count)];
    assert_true(game_play(&up_n_down_game, &table->state, seat, move, NULL, NULL));
}

static void judge(struct table *table) {
    const struct up_n_down *game = look(table);
    int minimum = game->draw_count > 0 ? game->cards_per_turn : 1;
    bool demanded = game->head.seats == 1 || game->played_this_turn < minimum;
    bool stuck = game->hand_count[game->current] > 0 && demanded && !something_fits(game);
    if (game->phase == UP_N_DOWN_LOST)
        assert_true(stuck);
    else if (game->phase == UP_N_DOWN_WON)
        assert_int_equal(game->play_count, game->card_max - game->card_min + 1);
    else
        assert_true(!stuck || game->can_undo);
}

/* UD-30, UD-31, UD-32, UD-44, UD-C7: hundreds of random games, each judged rightly at every
 * moment. */
TABLE_TEST(UD_31_UD_32_the_game_goes_on_exactly_until_it_is_won_or_nothing_fits) {
    static const char *const options[] = {
        "",
        SMALL UNDO,
        "maxCardValue=40 minCardsPerTurn=3 handSize=5" DRAW_LATER,
        "minCardValue=70 handSize=4 minCardsPerTurn=1" UNDO DRAW_LATER,
    };
    struct chance chance;
    uint8_t seed[CHANCE_SEED_SIZE] = {3};
    chance_start(&chance, seed);
    for (int run = 0; run < 400; run++) {
        table_start(table, &up_n_down_game, options[run % 4], 1 + run / 4 % 5);
        do {
            step_at_random(table, &chance);
            judge(table);
        } while (game_to_act(&up_n_down_game, &table->state) != 0);
    }
}

/* ---- Preferences ---- */

/* UD-33, UD-34, UD-36, UD-C16 */
TABLE_TEST(UD_34_UD_36_the_others_set_levels_that_everyone_sees) {
    static const char *const words[] = {"none", "like", "really-like", "love"};
    begin(table, NO_STOCK, 3, THREE);
    for (int level = 3; level >= 0; level--) {
        char line[40], data[80], seen[40];
        snprintf(line, sizeof line, "1 prefer 3 %s", words[level]);
        table_play(table, line);
        told_types(table, "preference-set");
        snprintf(data, sizeof data, "{\"seatIndex\":1,\"pileId\":3,\"level\":%d}", level);
        table_told(table, "preference-set", data);
        snprintf(seen, sizeof seen, "\"preferences\":[0,0,%d,0]", level);
        for (int viewer = SPECTATOR; viewer < 3; viewer++)
            assert_true(table_shows(table, viewer, seen));
    }
    table_play(table, "2 prefer 1 like\n1 prefer 4 love\n2 prefer 2 really-like");
    preferences_are(table, 0, "[0,0,0,0]");
    preferences_are(table, 1, "[0,0,0,3]");
    preferences_are(table, 2, "[1,2,0,0]");
    turn_of(table, 0);
}

/* UD-33, UD-C18 */
TABLE_TEST(UD_33_on_the_own_turn_there_are_no_preferences) {
    begin(table, SMALL, 2, TWO);
    table_refuses(table, "0 prefer 1 like", "WRONG_PHASE", "Preferences are for while others play");
    table_refuses(table, "0 prefer 9 hate", "WRONG_PHASE", "Preferences are for while others play");
    assert_null(strstr(table_legal(table, 0), "prefer"));
    table_refuses(table, "1 prefer 0 like", "INVALID_PILE", "Choose a pile from 1 to 4");
    table_refuses(table, "1 prefer 5 hate", "INVALID_PILE", "Choose a pile from 1 to 4");
    table_refuses(table, "1 prefer", "INVALID_PILE", "Choose a pile from 1 to 4");
    table_refuses(table, "1 prefer 4 hate", "INVALID_PREFERENCE",
                  "Choose none, like, really-like or love");
    table_refuses(table, "1 prefer 4", "INVALID_PREFERENCE",
                  "Choose none, like, really-like or love");
    table_refuses(table, "1 prefer 4 4", "INVALID_PREFERENCE",
                  "Choose none, like, really-like or love");
    table_refuses(table, "1 prefer 4 love 2", "BAD_REQUEST", "The move should end before '2'");
}

/* UD-34, UD-C27 */
TABLE_TEST(UD_34_a_waiting_seat_may_choose_every_level_but_the_one_it_has) {
    begin(table, SMALL, 2, TWO);
    table_play(table, "1 prefer 1 like\n1 prefer 4 love");
    assert_string_equal(table_legal(table, 1),
                        "prefer 1 none; prefer 1 really-like; prefer 1 love; "
                        "prefer 2 like; prefer 2 really-like; prefer 2 love; "
                        "prefer 3 like; prefer 3 really-like; prefer 3 love; "
                        "prefer 4 none; prefer 4 like; prefer 4 really-like");
}

/* UD-35 */
TABLE_TEST(UD_35_preferences_clear_when_the_own_turn_starts) {
    begin(table, NO_STOCK, 3, THREE);
    table_play(table, "1 prefer 1 like\n1 prefer 4 love\n2 prefer 2 love\n0 play 2 1");
    preferences_are(table, 1, "[1,0,0,3]");
    table_play(table, "0 end");
    preferences_are(table, 1, "[0,0,0,0]");
    preferences_are(table, 2, "[0,3,0,0]");
    table_play(table, "0 prefer 3 like\n1 play 9 1\n1 end");
    preferences_are(table, 0, "[0,0,1,0]");
    preferences_are(table, 2, "[0,0,0,0]");
}

/* UD-C27 */
TABLE_TEST(UD_C27_without_cards_preferences_are_allowed_and_outlast_being_skipped) {
    begin(table, NO_STOCK, 3, THREE);
    table_play(table, "0 play 2 1\n0 end");
    play_run(table, 1, 9, 15, 2);
    table_play(table, "1 prefer 2 love\n1 prefer 2 love\n2 play 16 2\n2 end\n0 play 3 1\n0 end");
    turn_of(table, 2);
    preferences_are(table, 1, "[0,3,0,0]");
}

/* ---- Solitaire ---- */

/* UD-41, UD-C24, UD-C25 */
TABLE_TEST(UD_41_solitaire_has_no_turns_and_no_minimum) {
    begin(table, SMALL " minCardsPerTurn=3", 1, RISING_SOLO);
    told_types(table, "game-started hand-updated turn-started");
    minimum_is(table, 0, 0);
    table_refuses(table, "0 end", "MIN_CARDS", "Play on while a card fits");
    assert_false(is_legal(table, 0, "end"));
    play_run(table, 0, 2, 6, 1);
    minimum_is(table, 5, 0);
    turn_of(table, 0);
    table_refuses(table, "0 end", "MIN_CARDS", "Play on while a card fits");
    assert_false(is_legal(table, 0, "end"));
}

/* UD-42, UD-C25 */
TABLE_TEST(UD_42_UD_C25_solitaire_always_refills) {
    begin(table, SMALL DRAW_LATER, 1, RISING_SOLO);
    table_play(table, "0 play 2 1");
    table_told(table, "cards-drawn", "{\"seatIndex\":0,\"count\":1,\"drawPileCount\":16}");
    hand_is(table, 0, "[3,4,5,6]");
    shown(table, "\"autoRefillHand\":false");
}

/* UD-43 */
TABLE_TEST(UD_43_solitaire_has_no_preferences) {
    begin(table, SMALL, 1, RISING_SOLO);
    table_refuses(table, "0 prefer 1 like", "WRONG_PHASE", "Solitaire has no preferences");
}

/* UD-44, UD-C28, UD-C23: also with undo, and with a refill setting that has no effect. UD-71: a
 * solitaire to its end. */
TABLE_TEST(UD_44_solitaire_is_won_with_the_last_card) {
    static const char *const options[] = {SMALL, SMALL UNDO, SMALL UNDO DRAW_LATER};
    for (int i = 0; i < 3; i++) {
        begin(table, options[i], 1, RISING_SOLO);
        play_run(table, 0, 2, 21, 1);
        phase_is(table, "playing");
        table_play(table, "0 play 22 1");
        table_told(table, "game-over", "{\"won\":true,\"cardsLeft\":0}");
        phase_is(table, "won");
        result_is(table, true, 1, 21);
    }
}

/* UD-44, UD-C7: no number of cards played before makes up for being stuck. */
TABLE_TEST(UD_44_solitaire_is_lost_when_nothing_fits) {
    begin(table, SMALL, 1, CLOSING_SOLO);
    table_play(table, CLOSE_ALL);
    told_types(table, "card-played cards-drawn hand-updated game-over");
    table_told(table, "game-over", "{\"won\":false,\"cardsLeft\":17}");
    phase_is(table, "lost");
    result_is(table, true, 0, 4);
}

/* UD-C24, UD-C8 */
TABLE_TEST(UD_C24_solitaire_stuck_with_undo_chooses_undo_or_end) {
    begin(table, SMALL UNDO, 1, CLOSING_SOLO);
    table_play(table, CLOSE_ALL);
    turn_of(table, 0);
    assert_string_equal(table_legal(table, 0), "undo; end");
    table_play(table, "0 undo");
    hand_is(table, 0, "[2,8,9,10,14]");
    table_refuses(table, "0 end", "MIN_CARDS", "Play on while a card fits");
    table_play(table, "0 play 2 4");
    told_nobody(table, "cards-drawn");
    table_play(table, "0 end");
    told_types(table, "turn-ended game-over");
    table_told(table, "turn-ended", "{\"seatIndex\":0,\"cardsPlayed\":4}");
    table_told(table, "game-over", "{\"won\":false,\"cardsLeft\":17}");
    phase_is(table, "lost");
}

/* UD-C24, UD-44: the very last card does not fit. */
TABLE_TEST(UD_C24_solitaire_is_lost_by_end_with_one_card_left) {
    begin(table, SMALL UNDO, 1, "- deal 2 3 4 10 / 5 6 7 8 9 11 12 13 14 15 16 17 18 19 20 21 22");
    table_play(table, "0 play 3 3\n0 play 2 4");
    play_run(table, 0, 4, 9, 1);
    play_run(table, 0, 11, 20, 1);
    table_play(table, "0 play 21 2\n0 play 22 1");
    assert_string_equal(table_legal(table, 0), "undo; end");
    table_play(table, "0 end");
    told_types(table, "turn-ended game-over");
    table_told(table, "game-over", "{\"won\":false,\"cardsLeft\":1}");
    result_is(table, true, 0, 20);
}

/* ---- State and messages ---- */

#define SETTINGS_OF_SMALL                                                                          \
    "\"settings\":{\"minCardValue\":2,\"maxCardValue\":22,\"handSize\":4,\"minPlayers\":1,"        \
    "\"maxPlayers\":8,\"minCardsPerTurn\":2,\"allowUndo\":false,\"autoRefillHand\":true,"          \
    "\"debugMode\":false},\"turn\":[0]"
#define NO_STATISTICS                                                                              \
    "\"statistics\":{\"cardsPlayed\":0,\"totalMovement\":0,\"specialPlays\":0,"                    \
    "\"averageMovement\":0.00}"
#define ONE_STATISTICS                                                                             \
    "\"statistics\":{\"cardsPlayed\":1,\"totalMovement\":2,\"specialPlays\":0,"                    \
    "\"averageMovement\":2.00}"
#define VIEW_UP_TO_STOCK                                                                           \
    "{\"gamePhase\":\"playing\",\"isSolitaire\":false,\"currentPlayerIndex\":0,"                   \
    "\"cardsPlayedThisTurn\":1,\"minimumThisTurn\":2,\"canUndo\":false,\"foundationPiles\":["      \
    "{\"id\":1,\"type\":\"ascending\",\"start\":1,\"top\":3,\"cards\":[3]},"                       \
    "{\"id\":2,\"type\":\"ascending\",\"start\":1,\"top\":1,\"cards\":[]},"                        \
    "{\"id\":3,\"type\":\"descending\",\"start\":23,\"top\":23,\"cards\":[]},"                     \
    "{\"id\":4,\"type\":\"descending\",\"start\":23,\"top\":23,\"cards\":[]}],"                    \
    "\"drawPileCount\":12,\"cardsLeft\":20,"
#define PLAYER_0(hand)                                                                             \
    "\"players\":[{\"id\":\"p0\",\"seatIndex\":0,\"handCount\":4," hand                            \
    "\"preferences\":[0,0,0,0]," ONE_STATISTICS "},"
#define PLAYER_1(hand)                                                                             \
    "{\"id\":\"p1\",\"seatIndex\":1,\"handCount\":4," hand                                         \
    "\"preferences\":[0,0,0,0]," NO_STATISTICS "}]," ONE_STATISTICS "," SETTINGS_OF_SMALL

/* UD-45, UD-46, UD-47, UD-C21: the whole view of a spectator, without any hand and any stock. */
TABLE_TEST(UD_45_to_UD_47_UD_C21_a_spectator_sees_no_hand_and_no_draw_pile) {
    begin(table, SMALL, 2, TWO);
    table_play(table, "0 play 3 1");
    assert_string_equal(table_view(table, SPECTATOR),
                        VIEW_UP_TO_STOCK PLAYER_0("") PLAYER_1("") ",\"legal\":[]}");
}

/* UD-C21, UD-45 */
TABLE_TEST(UD_C21_a_seat_sees_its_own_hand_and_counts_of_the_others) {
    begin(table, SMALL, 2, TWO);
    table_play(table, "0 play 3 1");
    const char *first = VIEW_UP_TO_STOCK PLAYER_0("\"hand\":[2,8,21,22],") PLAYER_1("") ",";
    const char *second = VIEW_UP_TO_STOCK PLAYER_0("") PLAYER_1("\"hand\":[4,5,6,7],") ",";
    assert_memory_equal(table_view(table, 0), first, strlen(first));
    assert_memory_equal(table_view(table, 1), second, strlen(second));
    assert_string_equal(table_view(table, OMNISCIENT), VIEW_UP_TO_STOCK
                        "\"drawPile\":[9,10,14,11,12,13,15,16,17,18,19,20]," PLAYER_0(
                            "\"hand\":[2,8,21,22],") PLAYER_1("\"hand\":[4,5,6,7],") "}");
}

/* UD-C21: what is hidden does not even reach the state that a view is made from. */
UNIT_TEST(UD_C21_hidden_cards_leave_no_trace_in_what_is_observed) {
    struct table table, other;
    struct game_state seen, other_seen;
    begin(&table, SMALL, 2, TWO);
    begin(&other, SMALL, 2, "- deal 2 3 21 22 / 20 19 6 18 / 8 4 10 14 11 12 13 15 16 17 5 9 7");
    table_play(&table, "0 play 3 1");
    table_play(&other, "0 play 3 1");
    for (int viewer = SPECTATOR; viewer <= 0; viewer++) {
        game_observe(&up_n_down_game, &table.state, viewer, &seen);
        game_observe(&up_n_down_game, &other.state, viewer, &other_seen);
        assert_memory_equal(seen.bytes, other_seen.bytes, sizeof(struct up_n_down));
    }
    game_observe(&up_n_down_game, &table.state, 1, &seen);
    const struct up_n_down *observed = (const void *)seen.bytes;
    assert_int_equal(observed->hand[0].word[0], 0);
    assert_int_equal(observed->hand[1].word[0], 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7);
    for (int i = 0; i < UP_N_DOWN_CARDS_MAX; i++)
        assert_int_equal(observed->draw[i], 0);
}

/* UD-50, UD-C21: everybody hears what happened, but a hand is told to its owner only. */
TABLE_TEST(UD_50_UD_C21_only_hands_are_told_in_private) {
    static const char *const lines[] = {TWO,          "1 prefer 1 love", "0 play 2 1", "0 undo",
                                        "0 play 2 1", "0 play 3 1",      "0 end"};
    table_start(table, &up_n_down_game, SMALL UNDO, 2);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        table_play(table, lines[i]);
        for (size_t j = 0; j < table->events.count; j++) {
            const struct event *event = &table->events.item[j];
            bool hand = strcmp(event->type, "hand-updated") == 0;
            if (!hand)
                assert_int_equal(event->audience, EVERYONE);
            else
                assert_true(event->audience == 1 || event->audience == 2);
        }
    }
}

/* On an ascending pile the lower card of the two steps back, on a descending one the higher. */
TABLE_TEST(a_preview_names_the_card_that_is_ten_apart) {
    begin(table, "maxCardValue=25 handSize=5", 2,
          "- deal 3 8 13 18 24 / 4 5 11 21 23 / 6 20 22 2 25 7 19 9 17 16 10 15 14 12");
    assert_true(table_shows(table, 0,
                            "\"move\":\"play 13 1\",\"preview\":{\"movement\":12,"
                            "\"special\":false,\"cost\":12,\"partner\":3,\"pairCost\":2}}"));
    assert_true(table_shows(table, 0,
                            "\"move\":\"play 8 3\",\"preview\":{\"movement\":18,"
                            "\"special\":false,\"cost\":18,\"partner\":18,\"pairCost\":8}}"));
    assert_true(table_shows(table, 0,
                            "\"move\":\"play 24 1\",\"preview\":{\"movement\":23,"
                            "\"special\":false,\"cost\":23}}"));
    table_play(table, "0 play 13 1\n0 play 18 1");
    assert_true(table_shows(table, 0,
                            "\"move\":\"play 8 1\",\"preview\":{\"movement\":10,"
                            "\"special\":true,\"cost\":-10}}"));
}

/* UD-48, UD-C17: the legal moves as messages. */
TABLE_TEST(UD_48_UD_C17_moves_are_messages_with_ids_of_card_and_pile) {
    begin(table, SMALL UNDO, 2, TWO);
    table_play(table, "0 play 2 1\n0 play 3 1");
    assert_true(table_shows(table, 0,
                            "{\"type\":\"play-card\",\"payload\":{\"cardId\":8,\"pileId\":1},"
                            "\"move\":\"play 8 1\","
                            "\"preview\":{\"movement\":5,\"special\":false,\"cost\":5}}"));
    assert_true(table_shows(table, 0, "{\"type\":\"undo\",\"payload\":{},\"move\":\"undo\"}"));
    assert_true(table_shows(table, 0, "{\"type\":\"end-turn\",\"payload\":{},\"move\":\"end\"}"));
    assert_true(table_shows(table, 1,
                            "{\"type\":\"set-preference\",\"payload\":{\"pileId\":3,\"level\":2},"
                            "\"move\":\"prefer 3 really-like\"}"));
}

/* UD-49, UD-57: what a seat may play is listed card by card and pile by pile. */
TABLE_TEST(UD_49_legal_moves_are_listed_in_order) {
    begin(table, SMALL, 2, TWO);
    table_play(table, "0 play 21 1\n0 play 3 3");
    assert_string_equal(table_legal(table, 0),
                        "play 2 2; play 2 3; play 2 4; play 8 2; play 8 4; play 9 2; play 9 4; "
                        "play 22 1; play 22 2; play 22 4; end");
}

/* UD-49, UD-C18: turn before card, card before pile, pile before rule. */
TABLE_TEST(UD_49_UD_C18_plays_are_checked_in_order) {
    begin(table, SMALL, 2, TWO);
    table_refuses(table, "1 play 99 9", "NOT_YOUR_TURN", "Not your turn");
    table_refuses(table, "1 play 4 1", "NOT_YOUR_TURN", "Not your turn");
    table_refuses(table, "1 end", "NOT_YOUR_TURN", "Not your turn");
    table_refuses(table, "1 undo", "NOT_YOUR_TURN", "Not your turn");
    table_refuses(table, "0 play 99 9", "INVALID_CARD", "Card not in hand");
    table_refuses(table, "0 play 4 1", "INVALID_CARD", "Card not in hand");
    table_refuses(table, "0 play 2 5", "INVALID_PILE", "Choose a pile from 1 to 4");
    table_refuses(table, "0 play 2 0", "INVALID_PILE", "Choose a pile from 1 to 4");
    table_play(table, "0 play 3 1");
    table_refuses(table, "0 play 3 1", "INVALID_CARD", "Card not in hand");
    table_refuses(table, "0 play 2 1", "INVALID_PLAY",
                  "2 does not go on 3: higher, or exactly 10 lower");
    table_refuses(table, "5 play 2 1", "NOT_A_MEMBER", "There is no seat 5");
}

/* UD-C18: words that make no move. */
TABLE_TEST(UD_C18_senseless_lines_are_refused) {
    begin(table, "handSize=4", 1,
          "- deal 2 66 67 99 / 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 "
          "28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 "
          "57 58 59 60 61 62 63 64 65 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 "
          "88 89 90 91 92 93 94 95 96 97 98");
    static const char *const cards[] = {"0 play",       "0 play x 1",   "0 play 0 1",
                                        "0 play -2 1",  "0 play 64 1",  "0 play 130 1",
                                        "0 play 194 1", "0 play 258 1", "0 play -254 1"};
    for (size_t i = 0; i < sizeof cards / sizeof cards[0]; i++)
        table_refuses(table, cards[i], "INVALID_CARD", "Card not in hand");
    table_refuses(table, "0 play 66", "INVALID_PILE", "Choose a pile from 1 to 4");
    table_refuses(table, "0 play 66 257", "INVALID_PILE", "Choose a pile from 1 to 4");
    table_refuses(table, "0 play 66 1 2", "BAD_REQUEST", "The move should end before '2'");
    table_refuses(table, "0 end now", "BAD_REQUEST", "The move should end before 'now'");
    table_refuses(table, "0 dance", "BAD_REQUEST",
                  "Unknown move 'dance'; try: play 57 2, undo, end, prefer 3 love");
    hand_is(table, 0, "[2,66,67,99]");
    table_play(table, "0 play 66 1\n0 play 99 2");
}

/* UD-C18: moves that no text could make, as a faulty program might send them. */
TABLE_TEST(UD_C18_senseless_moves_are_refused) {
    begin(table, SMALL UNDO, 2, TWO);
    static const struct move unknown[] = {{.verb = 0}, {.verb = 5}, {.verb = 254}};
    for (size_t i = 0; i < 3; i++) {
        assert_false(game_check(&up_n_down_game, &table->state, 0, &unknown[i], &table->why));
        assert_string_equal(table->why.code, "BAD_REQUEST");
        assert_string_equal(table->why.text, "Unknown move");
    }
    for (uint8_t count = 0; count <= 3; count++) {
        struct move play = {.verb = UP_N_DOWN_PLAY, .count = count, .args = {2, 1, 1}};
        struct move prefer = {.verb = UP_N_DOWN_PREFER, .count = count, .args = {2, 1, 1}};
        assert_int_equal(game_check(&up_n_down_game, &table->state, 0, &play, NULL), count == 2);
        assert_int_equal(game_check(&up_n_down_game, &table->state, 1, &prefer, NULL), count == 2);
    }
}

/* UD-45, UD-C18: before the deal and after the end nobody moves. */
TABLE_TEST(UD_45_moves_belong_to_the_playing_phase) {
    static const char *const lines[] = {"0 play 2 1", "0 undo", "0 end", "1 prefer 1 like",
                                        "1 play 4 1"};
    table_start(table, &up_n_down_game, SMALL, 2);
    table_refuses(table, "0 again", "WRONG_PHASE", "Wrong phase");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        table_refuses(table, lines[i], "WRONG_PHASE", "Wrong phase");
    table_play(table, TWO);
    table_refuses(table, "0 again", "WRONG_PHASE", "Wrong phase");
    table_play(table, CLOSE_ALL "\n0 end");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        table_refuses(table, lines[i], "WRONG_PHASE", "Wrong phase");
}

/* UD-C17, UD-9, UD-C15: play-again keeps players and settings and nothing else. */
UNIT_TEST(UD_C17_play_again_begins_anew_with_the_same_settings) {
    struct table table, fresh;
    const char *options = SMALL UNDO " minPlayers=2 maxPlayers=3 debugMode=yes minCardsPerTurn=3";
    const char *deal = "- deal 2 3 21 22 / 4 5 6 7 / 8 9 10 11 / 14 15 16 17 12 13 18 19 20";
    begin(&table, options, 3, deal);
    table_play(&table, "2 prefer 2 love\n" CLOSE_ALL "\n0 end");
    assert_string_equal(table_legal(&table, 1), "again");
    table_play(&table, "1 again");
    table_start(&fresh, &up_n_down_game, options, 3);
    assert_memory_equal(table.state.bytes, fresh.state.bytes, sizeof(struct up_n_down));
    phase_is(&table, "lobby");
    table_play(&table, deal);
    turn_of(&table, 0);
}

/* ---- Statistics ---- */

/* UD-51, UD-52, UD-53, UD-54, UD-55: 45 to 47 is 2; 67 to 57 is 10 and special. */
TABLE_TEST(UD_55_movement_is_the_distance_and_backward_10_is_special) {
    begin(table, "minCardValue=45 maxCardValue=68 handSize=10", 2,
          "- deal 45 47 48 49 50 51 52 53 54 55 / 46 56 57 58 59 60 61 62 63 67 / 64 65 66 68");
    statistics_are(table, 0, 0, 0, 0, "0.00");
    totals_are(table, 0, 0, 0, "0.00");
    table_play(table, "0 play 45 1\n0 play 47 1");
    table_told(table, "card-played",
               "{\"seatIndex\":0,\"card\":47,\"pileId\":1,\"movement\":2,\"special\":false}");
    table_play(table, "0 end\n1 play 67 2\n1 play 57 2");
    table_told(table, "card-played",
               "{\"seatIndex\":1,\"card\":57,\"pileId\":2,\"movement\":10,\"special\":true}");
    statistics_are(table, 0, 2, 3, 0, "1.50");
    statistics_are(table, 1, 2, 33, 1, "16.50");
    totals_are(table, 4, 36, 1, "9.00");
}

/* UD-54: the average has two decimals, rounded. */
TABLE_TEST(UD_54_the_average_is_movement_per_card) {
    begin(table, SMALL, 1, RISING_SOLO);
    table_play(table, "0 play 3 1\n0 play 4 1\n0 play 5 1");
    statistics_are(table, 0, 3, 4, 0, "1.33");
    begin(table, SMALL, 1, RISING_SOLO);
    table_play(table, "0 play 3 1\n0 play 5 1\n0 play 6 1");
    statistics_are(table, 0, 3, 5, 0, "1.67");
    begin(table, SMALL, 1, RISING_SOLO);
    play_run(table, 0, 3, 10, 1);
    statistics_are(table, 0, 8, 9, 0, "1.13");
    play_run(table, 0, 11, 22, 1);
    statistics_are(table, 0, 20, 21, 0, "1.05");
    begin_with_top(table, 50, 53, 1);
    table_play(table, "0 play 53 2");
    statistics_are(table, 0, 2, 49 + 52, 0, "50.50");
}

/* UD-51, UD-C28: the same things are counted for all together. */
TABLE_TEST(UD_51_the_table_has_the_totals) {
    begin(table, SMALL, 2, "- deal 2 12 4 14 / 3 5 6 7 / 8 9 10 11 13 15 16 17 18 19 20 21 22");
    table_play(table, "0 play 12 2\n0 play 2 2\n0 end\n1 play 3 2");
    assert_string_equal(up_n_down_game.table_figures[0], "cards played");
    assert_int_equal(table_counts(table, SPECTATOR, 0), 3);
    assert_string_equal(up_n_down_game.table_figures[1], "special plays");
    assert_int_equal(table_counts(table, SPECTATOR, 1), 1);
    assert_string_equal(up_n_down_game.table_figures[2], "total movement");
    assert_int_equal(table_counts(table, SPECTATOR, 2), 22);
    assert_null(up_n_down_game.table_figures[3]);
    result_is(table, false, 0, 3);
    int32_t ann[GAME_FIGURES_MAX] = {0}, bob[GAME_FIGURES_MAX] = {0};
    game_count(&up_n_down_game, &table->state, 0, ann);
    game_count(&up_n_down_game, &table->state, 1, bob);
    assert_memory_equal(ann, ((int32_t[]){2, 11 + 10, 1}), 3 * sizeof *ann);
    assert_memory_equal(bob, ((int32_t[]){1, 1, 0}), 3 * sizeof *bob);
}

/* ---- For bots and terminals ---- */

/* Draws many deals that the seat could be in; returns how many of them differ from the truth. */
static int sample_often(const struct table *table, int seat, bool fits) {
    struct game_state seen, sampled, seen_again;
    struct chance chance;
    uint8_t seed[CHANCE_SEED_SIZE] = {7};
    int different = 0;
    chance_start(&chance, seed);
    game_observe(&up_n_down_game, &table->state, seat, &seen);
    for (int i = 0; i < 300; i++) {
        game_sample(&up_n_down_game, &seen, seat, &chance, &sampled);
        game_observe(&up_n_down_game, &sampled, seat, &seen_again);
        assert_memory_equal(seen.bytes, seen_again.bytes, sizeof(struct up_n_down));
        assert_int_equal(something_fits((const void *)sampled.bytes), fits);
        different += memcmp(sampled.bytes, table->state.bytes, sizeof(struct up_n_down)) != 0;
    }
    return different;
}

/* UD-C21, UD-31: whoever is still playing has a card that fits, and whoever lost had none. */
TABLE_TEST(UD_C21_samples_agree_with_what_a_seat_knows) {
    begin(table, SMALL, 2, "- deal 2 3 21 22 / 4 5 6 11 / 8 9 10 14 7 12 13 15 16 17 18 19 20");
    table_play(table, CLOSE_ALL "\n0 end");
    assert_true(sample_often(table, 0, true) > 250);
    assert_true(sample_often(table, SPECTATOR, true) > 250);
    assert_true(sample_often(table, 1, true) > 250);
    begin(table, SMALL, 2, TWO);
    table_play(table, CLOSE_ALL "\n0 end");
    assert_true(sample_often(table, 0, false) > 250);
    assert_true(sample_often(table, SPECTATOR, false) > 250);
}

/* UD-C21, UD-18: the same with the whole deck, of which nearly everything is hidden. */
TABLE_TEST(UD_C21_samples_of_a_fresh_deal_hold_every_card) {
    begin(table, "", 4, "- deal 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
    for (int seat = SPECTATOR; seat < 4; seat++)
        assert_int_equal(sample_often(table, seat, true), 300);
}

/* UD-36, UD-C21: the table in words. */
TABLE_TEST(UD_36_UD_C21_the_terminal_shows_piles_hands_and_preferences) {
    static const char *const names[] = {"Ann", "Bob"};
    char buffer[1024];
    struct text text;
    begin(table, SMALL, 2, TWO);
    table_play(table, "1 prefer 1 love\n1 prefer 4 like\n0 play 2 1");
    text_begin(&text, buffer, sizeof buffer);
    game_show(&up_n_down_game, &table->state, 0, names, &text);
    const char *piles =
        "  pile 1 up: 2   pile 2 up: 1   pile 3 down: 23   pile 4 down: 23   draw pile: 12\n";
    assert_memory_equal(buffer, piles, strlen(piles));
    assert_string_equal(buffer + strlen(piles),
                        "> Ann          3 8 21 22\n"
                        "  Bob          4 cards, pile 1: love, pile 4: like\n");
    text_begin(&text, buffer, sizeof buffer);
    game_show(&up_n_down_game, &table->state, OMNISCIENT, names, &text);
    assert_string_equal(buffer + strlen(piles),
                        "> Ann          3 8 21 22\n"
                        "  Bob          4 5 6 7, pile 1: love, pile 4: like\n");
    begin(table, SMALL, 2, TWO);
    table_play(table, CLOSE_ALL "\n0 end");
    text_begin(&text, buffer, sizeof buffer);
    game_show(&up_n_down_game, &table->state, SPECTATOR, names, &text);
    assert_string_equal(strchr(buffer, '\n'), "\n  Ann          4 cards\n  Bob          4 cards\n");
}
