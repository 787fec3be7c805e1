/* Who's Deal?'s rules. Bots are tested in bots/whos_deal_bot_test.c and samples in
 * whos_deal_sample_test.c; lobby and clock belong to the rooms world/ and server/.
 *
 * Seat 0 deals the first hand, so seat 1 calls first. Two deals serve most tests: SUITS, in which
 * every seat holds one suit, and the ladder, in which a chosen seat takes a chosen number of tricks
 * however the hand is called. */
#include "games/whos_deal/whos_deal.h"
#include "tests/support.h"

/* Everybody has the five lower cards of one suit; the aces are the kitty, the ace of spades up. */
#define SUITS                                                                                      \
    "- deal 9S 10S JS QS KS / 9H 10H JH QH KH / 9D 10D JD QD KD / 9C 10C JC QC KC / AS AH AD AC"

#define PASS_ROUND   "1 pass\n2 pass\n3 pass\n0 pass\n"
#define NO_STICK     "stickTheDealer=no"
#define LEFT_DEALER  "lonerLead=left-of-dealer"
#define DEFEND       "defendAlone=yes"
#define FARMERS      "farmersHand=yes"
#define KEEP_UPCARD  "dealerMayDiscardUpcard=no"
#define CANADIAN     "canadianLoner=yes"
#define ALL_ACES     (1u << 5 | 1u << 11 | 1u << 17 | 1u << 23)
#define FIRST_MOVES  "pass; order; order alone"
#define SECOND_MOVES "call H; call H alone; call D; call D alone; call C; call C alone"

/* ---- Words for these tests ---- */

/* Expects what a terminal says of the event. */
static void captioned(const struct table *table, const char *type, int seat, const char *caption) {
    const struct event *event = table_event(table, type, 0);
    assert_true(span_is(event->caption, caption));
    assert_int_equal(event->seat, seat);
}

static void begin(struct table *table, const char *options, const char *lines) {
    table_start(table, &whos_deal_game, options, 4);
    table_play(table, lines);
}

static const struct whos_deal *look(const struct table *table) {
    return (const void *)table->state.bytes;
}

/* Plays one line built from a format. */
static void __attribute__((format(printf, 2, 3)))
play(struct table *table, const char *format, ...) {
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    table_play(table, line);
}

static void shown_to(struct table *table, int viewer, const char *json) {
    if (!table_shows(table, viewer, json))
        fail_msg("%s is not in %s", json, table_view(table, viewer));
}

/* Expects this member in what everybody sees. */
static void shown(struct table *table, const char *json) {
    shown_to(table, SPECTATOR, json);
}

static void shown_number(struct table *table, const char *key, int number) {
    char json[80];
    snprintf(json, sizeof json, "\"%s\":%d,", key, number);
    shown(table, json);
}

static void shown_word(struct table *table, const char *key, const char *word) {
    char json[80];
    snprintf(json, sizeof json, "\"%s\":\"%s\"", key, word);
    shown(table, json);
}

static void turn_of(struct table *table, int seat) {
    char json[32];
    snprintf(json, sizeof json, "\"turn\":[%d]", seat);
    shown(table, json);
    shown_number(table, "currentTurnSeatIndex", seat);
}

static void phase_is(struct table *table, const char *phase) {
    shown_word(table, "trumpPhase", phase);
}

/* "10S 9H" as the list of cards that views and events carry; "?" is a card that nobody may see. */
static const char *cards(const char *ids) {
    static char ring[4][1024];
    static int next;
    static const char *const names[] = {"spades", "hearts", "diamonds", "clubs"};
    char *out = ring[next++ % 4];
    size_t length = (size_t)snprintf(out, sizeof ring[0], "[");
    while (*ids) {
        int size = (int)strcspn(ids, " ");
        const char *suit = strchr("SHDC", ids[size - 1]);
        if (suit)
            length += (size_t)snprintf(out + length, sizeof ring[0] - length,
                                       "%s{\"suit\":\"%s\",\"rank\":\"%.*s\",\"id\":\"%.*s\"}",
                                       length > 1 ? "," : "", names[suit - "SHDC"], size - 1, ids,
                                       size, ids);
        ids += size + (ids[size] == ' ');
    }
    snprintf(out + length, sizeof ring[0] - length, "]");
    return out;
}

/* One card without the brackets of a list. */
static const char *card(const char *id) {
    static char ring[4][64];
    static int next;
    char *out = ring[next++ % 4];
    const char *list = cards(id);
    snprintf(out, sizeof ring[0], "%.*s", (int)strlen(list) - 2, list + 1);
    return out;
}

/* Expects the seat to see exactly these cards of its own, and no other hand. */
static void hand_is(struct table *table, int seat, const char *ids) {
    char json[1100];
    snprintf(json, sizeof json, "\"hands\":{\"p%d\":%s},", seat, cards(ids));
    shown_to(table, seat, json);
}

static void counts_are(struct table *table, const char *counts) {
    char json[64];
    snprintf(json, sizeof json, "\"handCounts\":%s,", counts);
    shown(table, json);
}

/* "AS ? ? ?": four cards, of which the viewer knows one. */
static void kitty_is(struct table *table, int viewer, const char *ids) {
    char json[400];
    int count = 1;
    for (const char *at = ids; *at; at++)
        count += *at == ' ';
    snprintf(json, sizeof json, "\"kittyCount\":%d,\"kitty\":%s,", count, cards(ids));
    shown_to(table, viewer, json);
}

static void scores_are(struct table *table, int a, int b) {
    assert_int_equal(look(table)->score[0], a);
    assert_int_equal(look(table)->score[1], b);
    char json[160];
    snprintf(json, sizeof json,
             "\"teams\":{\"a\":{\"playerIds\":[\"p0\",\"p2\"],\"score\":%d},"
             "\"b\":{\"playerIds\":[\"p1\",\"p3\"],\"score\":%d}},",
             a, b);
    shown(table, json);
}

/* Expects the event with exactly this data, and that everybody was told. */
static void told(const struct table *table, const char *type, const char *data) {
    table_told(table, type, data);
    assert_int_equal(table_event(table, type, 0)->audience, EVERYONE);
}

/* The last line told exactly these types, in this order. */
static void told_types(const struct table *table, const char *types) {
    char buffer[512] = "";
    for (size_t i = 0; i < table->events.count; i++)
        snprintf(buffer + strlen(buffer), sizeof buffer - strlen(buffer), "%s%s", i > 0 ? " " : "",
                 table->events.item[i].type);
    assert_string_equal(buffer, types);
}

/* Expects the nth hand-updated to carry these cards to that seat and nobody else. */
static void told_hand(const struct table *table, int nth, int seat, const char *ids) {
    const struct event *event = table_event(table, "hand-updated", nth);
    assert_non_null(event);
    assert_int_equal(event->audience, 1 << seat);
    char wanted[1100], found[1100];
    snprintf(wanted, sizeof wanted, "{\"hand\":%s}", cards(ids));
    snprintf(found, sizeof found, "%.*s", (int)event->data.length, event->data.data);
    assert_string_equal(found, wanted);
}

/* A move that no text can write: refused so, and the state is untouched. */
static void refuses_move(struct table *table, int seat, struct move move, const char *code,
                         const char *text) {
    struct game_state before = table->state;
    struct refusal why;
    assert_false(game_play(&whos_deal_game, &table->state, seat, &move, NULL, &why));
    assert_string_equal(why.code, code);
    assert_string_equal(why.text, text);
    assert_memory_equal(before.bytes, table->state.bytes, sizeof(struct whos_deal));
}

static void wrong_phase(struct table *table, const char *line) {
    table_refuses(table, line, "WRONG_PHASE", "Wrong phase");
}

static void not_your_turn(struct table *table, const char *line) {
    table_refuses(table, line, "NOT_YOUR_TURN", "Not your turn");
}

static void invalid_suit(struct table *table, const char *line) {
    table_refuses(table, line, "INVALID_SUIT", "Cannot call that suit");
}

static void not_in_hand(struct table *table, const char *line) {
    table_refuses(table, line, "INVALID_CARD", "Card not in hand");
}

/* WD-111: expects the refusal that names the suit to follow. */
static void must_follow(struct table *table, const char *line, const char *led) {
    char text[REFUSAL_TEXT_SIZE];
    snprintf(text, sizeof text, "Must follow suit: %s", led);
    table_refuses(table, line, "MUST_FOLLOW_SUIT", text);
}

/* Everybody passes twice, which only works if the dealer may. */
static void pass_out(struct table *table) {
    for (int i = 0; i < 8; i++)
        play(table, "%d pass", look(table)->turn);
}

/* The seat whose turn it is makes its first legal move. */
static void play_first(struct table *table) {
    struct move moves[GAME_LEGAL_MAX];
    int seat = look(table)->turn;
    assert_true(game_legal(&whos_deal_game, &table->state, seat, moves) > 0);
    assert_true(game_play(&whos_deal_game, &table->state, seat, &moves[0], NULL, NULL));
}

/* A fresh table where that seat deals SUITS. */
static void begin_with_dealer(struct table *table, int dealer, const char *lines) {
    begin(table, NO_STICK, SUITS);
    for (int i = 0; i < dealer; i++) {
        pass_out(table);
        table_play(table, SUITS);
    }
    assert_int_equal(look(table)->dealer, dealer);
    table_play(table, lines);
}

/* ---- The ladder ---- */

/* Writes the deal in which the seat left of the dealer takes so many tricks with hearts as trump:
 * it holds that many of the five best trumps and the lowest spades, the next seat the other trumps
 * and the highest spades. The dealer and the fourth seat cannot win anything. */
static void ladder_deal(struct table *table, int dealer, int tricks) {
    static const char *const trumps[] = {"JH", "JD", "AH", "KH", "QH"};
    static const char *const spades[] = {"9S", "10S", "JS", "QS", "KS", "AS"};
    char hand[5][64] = {"9D 10D QD KD AD ", "", "", "10C JC QC KC AC ", "9C 9H 10H "};
    for (int i = 0; i < 5; i++) {
        char *to = hand[i < tricks ? 1 : 2];
        snprintf(to + strlen(to), 64 - strlen(to), "%s ", trumps[i]);
    }
    for (int i = 0; i < 6; i++) {
        char *to = hand[i < 5 - tricks ? 1 : i == 5 - tricks ? 4 : 2];
        snprintf(to + strlen(to), 64 - strlen(to), "%s ", spades[i]);
    }
    play(table, "- deal %s/ %s/ %s/ %s/ %s", hand[-dealer & 3], hand[(1 - dealer) & 3],
         hand[(2 - dealer) & 3], hand[(3 - dealer) & 3], hand[4]);
}

/* The seat left of the dealer plays trumps first, all others their lowest card. */
static void ladder_play(struct table *table, int dealer) {
    while (look(table)->phase == WHOS_DEAL_PLAYING) {
        struct move moves[GAME_LEGAL_MAX];
        int seat = look(table)->turn;
        size_t count = game_legal(&whos_deal_game, &table->state, seat, moves);
        struct move *move = &moves[seat == ((dealer + 1) & 3) ? count - 1 : 0];
        events_begin(&table->events, table->buffer, sizeof table->buffer);
        assert_true(game_play(&whos_deal_game, &table->state, seat, move, &table->events, NULL));
    }
}

/* One whole hand: the seat so far left of the dealer (1 or 2) calls hearts in the second round. */
static void ladder(struct table *table, int dealer, int tricks, int caller, const char *alone) {
    ladder_deal(table, dealer, tricks);
    assert_int_equal(look(table)->dealer, dealer);
    for (int i = 0; i < 3 + caller; i++)
        play(table, "%d pass", (dealer + 1 + i) & 3);
    play(table, "%d call H%s", (dealer + caller) & 3, alone);
    ladder_play(table, dealer);
    assert_int_equal(look(table)->tricks[(dealer + 1) & 1], tricks);
    assert_int_equal(look(table)->tricks[dealer & 1], 5 - tricks);
}

/* A hand that gives the team 1, 2 or 4 points. */
static void team_scores(struct table *table, int dealer, int team, int points) {
    int caller = ((dealer + 1) & 1) == team ? 1 : 2;
    int own = points == 1 ? 3 : 5;
    ladder(table, dealer, caller == 1 ? own : 5 - own, caller, points == 4 ? " alone" : "");
}

/* ---- A second opinion on cards, written after section 7 of "Who's Deal?" ---- */

static const char *const all_cards[WHOS_DEAL_CARDS] = {
    "9S", "10S", "JS", "QS", "KS", "AS", "9H", "10H", "JH", "QH", "KH", "AH",
    "9D", "10D", "JD", "QD", "KD", "AD", "9C", "10C", "JC", "QC", "KC", "AC"};

static char printed_suit(int number) {
    const char *id = all_cards[number];
    return id[strlen(id) - 1];
}

static char rank_letter(int number) {
    return all_cards[number][0]; /* '1' is the ten */
}

static bool is_red(char suit) {
    return suit == 'H' || suit == 'D';
}

static bool is_left_bower(int number, char trump) {
    char suit = printed_suit(number);
    return rank_letter(number) == 'J' && suit != trump && is_red(suit) == is_red(trump);
}

static char true_suit(int number, char trump) {
    return is_left_bower(number, trump) ? trump : printed_suit(number);
}

/* WD-64, WD-65 */
static int true_rank(int number, char trump) {
    static const char plain[] = "91JQKA", trumps[] = "91QKA";
    if (true_suit(number, trump) != trump)
        return (int)(strchr(plain, rank_letter(number)) - plain) + 1;
    if (rank_letter(number) == 'J')
        return printed_suit(number) == trump ? 8 : 7;
    return (int)(strchr(trumps, rank_letter(number)) - trumps) + 2;
}

/* WD-63 */
static int true_comparison(int a, int b, char led, char trump) {
    char one = true_suit(a, trump), two = true_suit(b, trump);
    if ((one == trump) != (two == trump))
        return one == trump ? 1 : -1;
    if (one == trump)
        return true_rank(a, trump) - true_rank(b, trump);
    if (one != led || two != led)
        return (one == led) - (two == led);
    return true_rank(a, trump) - true_rank(b, trump);
}

static int sign(int number) {
    return (number > 0) - (number < 0);
}

static char letter(int suit) {
    return "SHDC"[suit];
}

/* ---- Deck, teams, deal ---- */

/* WD-1 */
TABLE_TEST(WD_1_four_play_and_nobody_else) {
    table_start(table, &whos_deal_game, "", 4);
    static const int wrong[] = {0, 1, 2, 3, 5, 8};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[64];
        snprintf(text, sizeof text, "Who's Deal? needs 4 players, not %d", wrong[i]);
        table_refuses_start(&whos_deal_game, "", wrong[i], "INVALID_SETTING", text);
    }
}

/* WD-C26 and the names of the game. */
UNIT_TEST(WD_C26_the_game_has_its_id_name_and_icon) {
    assert_string_equal(whos_deal_game.id, "whos-deal");
    assert_string_equal(whos_deal_game.name, "Who's Deal?");
    assert_string_equal(whos_deal_game.icon, "\xf0\x9f\x83\x8f");
}

/* WD-2, WD-3 */
TABLE_TEST(WD_2_WD_3_24_cards_named_by_rank_and_suit) {
    struct deal deal;
    table_start(table, &whos_deal_game, "", 4);
    memset(&deal, 0, sizeof deal);
    whos_deal_game.deck(table->state.bytes, &deal);
    assert_int_equal(deal.count, 24);
    for (uint16_t i = 0; i < 24; i++) {
        char name[8];
        struct text text;
        uint16_t number;
        uint8_t back;
        text_begin(&text, name, sizeof name);
        assert_int_equal(deal.cards[i], i);
        whos_deal_game.print_card(i, &text);
        assert_string_equal(name, all_cards[i]);
        assert_true(whos_deal_game.parse_card(span_of(all_cards[i]), &number));
        assert_int_equal(number, i);
        assert_true(whos_deal_from_card(whos_deal_to_card(i), &back));
        assert_int_equal(back, i);
    }
}

/* A move may be typed as people say it; what is written down is the same move. */
TABLE_TEST(moves_are_read_as_people_say_them) {
    static const char *const said[][2] = {{"play 9 hearts", "play 9H"},
                                          {"play king of spades", "play KS"},
                                          {"call hearts alone", "call H alone"},
                                          {"call ♦", "call D"}};
    table_start(table, &whos_deal_game, "", 4);
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        struct move move;
        char words[MOVE_TEXT_SIZE];
        struct text text;
        assert_true(game_parse(&whos_deal_game, &table->state, span_of(said[i][0]), &move, NULL));
        text_begin(&text, words, sizeof words);
        game_print(&whos_deal_game, &move, &text);
        assert_string_equal(words, said[i][1]);
    }
}

/* WD-2: there are no others, and no jokers. */
TABLE_TEST(WD_2_other_cards_do_not_exist) {
    static const char *const wrong[] = {"8S", "2H", "7D", "JK", "1S", "11C", "AX", "S", "9", ""};
    uint16_t number;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(whos_deal_game.parse_card(span_of(wrong[i]), &number));
    table_start(table, &whos_deal_game, "", 4);
    table_refuses(table, "- deal 8S 10S JS QS KS / 9H", "INVALID_DEAL", "Unknown card '8S'");
    table_refuses(table, "- deal 9S 9S JS QS KS / 9H", "INVALID_DEAL", "No 9S is left in the deck");
    table_refuses(table, "- deal 9S 10S JS QS / 9H", "INVALID_DEAL",
                  "Part 1 of the deal has 4 cards, it needs 5");
}

/* WD-4, WD-C5, WD-34 */
TABLE_TEST(WD_4_seats_0_and_2_play_against_1_and_3) {
    table_start(table, &whos_deal_game, "", 4);
    scores_are(table, 0, 0);
    shown(table, "\"seats\":[\"p0\",\"p1\",\"p2\",\"p3\"],");
    static const int partners[] = {2, 3, 0, 1};
    struct result result;
    game_result(&whos_deal_game, &table->state, &result);
    assert_int_equal(result.sides, 2);
    for (int seat = 0; seat < 4; seat++) {
        assert_int_equal(whos_deal_team(seat), seat % 2);
        assert_int_equal(whos_deal_partner(seat), partners[seat]);
        assert_int_equal(result.side_of[seat], seat % 2);
    }
}

/* WD-5, WD-C23: 3-2-3-2, then 2-3-2-3, from the dealer's left, then the kitty. */
TABLE_TEST(WD_5_WD_C23_cards_are_dealt_in_packets) {
    static const int places[4][5] = {/* in the deck, by distance from the dealer */
                                     {8, 9, 17, 18, 19},
                                     {0, 1, 2, 10, 11},
                                     {3, 4, 12, 13, 14},
                                     {5, 6, 7, 15, 16}};
    uint16_t deck[24];
    for (uint16_t i = 0; i < 24; i++)
        deck[i] = (uint16_t)((i * 5 + 3) % 24);
    for (int dealer = 0; dealer < 4; dealer++) {
        begin_with_dealer(table, (dealer + 3) & 3, "");
        pass_out(table);
        assert_true(game_deal_cards(&whos_deal_game, &table->state, deck, 24, NULL, NULL));
        assert_int_equal(look(table)->dealer, dealer);
        for (int away = 0; away < 4; away++) {
            uint32_t hand = 0;
            for (int i = 0; i < 5; i++)
                hand |= 1u << deck[places[away][i]];
            assert_int_equal(look(table)->hand[(dealer + away) & 3], hand);
        }
        for (int i = 0; i < 4; i++)
            assert_int_equal(look(table)->kitty[i], deck[20 + i]);
        assert_int_equal(look(table)->upcard, deck[20]);
    }
}

/* WD-5: the parts of an explicit deal are the seats' hands, whoever deals. */
TABLE_TEST(WD_5_an_explicit_deal_names_the_hands_by_seat) {
    for (int dealer = 0; dealer < 4; dealer++) {
        begin_with_dealer(table, dealer, "");
        hand_is(table, 0, "9S 10S JS QS KS");
        hand_is(table, 1, "9H 10H JH QH KH");
        hand_is(table, 2, "9D 10D JD QD KD");
        hand_is(table, 3, "9C 10C JC QC KC");
        kitty_is(table, OMNISCIENT, "AS AH AD AC");
        counts_are(table, "[5,5,5,5]");
    }
}

/* WD-46, WD-34, WD-116 */
TABLE_TEST(WD_46_before_the_deal_there_is_no_round) {
    table_start(table, &whos_deal_game, "", 4);
    shown(table, "\"phase\":\"playing\",");
    shown(table, "\"dealerSeatIndex\":0,\"winningTeam\":null,\"round\":null,\"turn\":[]");
    for (int seat = 0; seat < 4; seat++)
        assert_string_equal(table_legal(table, seat), "");
    wrong_phase(table, "1 pass");
    wrong_phase(table, "1 play 9S");
    wrong_phase(table, "0 again");
    table_refuses(table, "4 pass", "NOT_A_MEMBER", "There is no seat 4");
}

/* WD-46, WD-47, WD-77, WD-78, WD-79, WD-127, WD-C5, WD-C6 */
TABLE_TEST(WD_46_WD_47_the_first_deal_starts_the_game) {
    begin(table, "targetScore=7", SUITS);
    phase_is(table, "round1");
    shown_number(table, "dealerSeatIndex", 0);
    turn_of(table, 1);
    counts_are(table, "[5,5,5,5]");
    told_types(table, "game-started hand-updated hand-updated hand-updated hand-updated");
    char data[512];
    snprintf(data, sizeof data,
             "{\"teams\":{\"a\":{\"playerIds\":[\"p0\",\"p2\"],\"score\":0},"
             "\"b\":{\"playerIds\":[\"p1\",\"p3\"],\"score\":0}},"
             "\"seats\":[\"p0\",\"p1\",\"p2\",\"p3\"],\"dealer\":0,\"faceUpCard\":%s,"
             "\"targetScore\":7}",
             card("AS"));
    told(table, "game-started", data);
    told_hand(table, 0, 0, "9S 10S JS QS KS");
    told_hand(table, 1, 1, "9H 10H JH QH KH");
    told_hand(table, 2, 2, "9D 10D JD QD KD");
    told_hand(table, 3, 3, "9C 10C JC QC KC");
    wrong_phase(table, SUITS);
}

/* ---- Calling ---- */

/* WD-7, WD-49, WD-80 */
TABLE_TEST(WD_7_WD_49_the_first_round_goes_around_from_the_dealers_left) {
    for (int dealer = 0; dealer < 4; dealer++) {
        char passed[64] = "\"passedPlayers\":[", list[80], data[64];
        begin_with_dealer(table, dealer, "");
        for (int i = 0; i < 4; i++) {
            int seat = (dealer + 1 + i) & 3;
            turn_of(table, seat);
            phase_is(table, "round1");
            snprintf(list, sizeof list, "%s],", passed);
            shown(table, list);
            for (int other = 0; other < 4; other++)
                assert_string_equal(table_legal(table, other), other == seat ? FIRST_MOVES : "");
            play(table, "%d pass", seat);
            snprintf(data, sizeof data, "{\"seatIndex\":%d,\"action\":\"pass\"}", seat);
            told(table, "trump-action", data);
            told_types(table, "trump-action");
            snprintf(passed + strlen(passed), sizeof passed - strlen(passed), "%s\"p%d\"",
                     i > 0 ? "," : "", seat);
        }
    }
}

/* WD-9, WD-10, WD-13 */
TABLE_TEST(WD_9_WD_10_four_passes_lead_to_the_second_round) {
    for (int dealer = 0; dealer < 4; dealer++) {
        begin_with_dealer(table, dealer, "");
        for (int i = 0; i < 4; i++)
            play(table, "%d pass", (dealer + 1 + i) & 3);
        shown(table, "\"passedPlayers\":[],");
        for (int i = 0; i < 4; i++) {
            int seat = (dealer + 1 + i) & 3;
            phase_is(table, "round2");
            turn_of(table, seat);
            assert_string_equal(table_legal(table, seat), "pass; " SECOND_MOVES);
            assert_string_equal(table_legal(table, (seat + 1) & 3), "");
            play(table, "%d pass", seat);
        }
    }
}

/* Each seat in turn orders up the ace of spades that seat 0 turned. */
static void order_by(struct table *table, const char *options, int caller, const char *alone) {
    begin(table, options, SUITS);
    for (int seat = 1; seat != (caller == 0 ? 4 : caller); seat++)
        play(table, "%d pass", seat);
    play(table, "%d order%s", caller, alone);
}

/* WD-8, WD-48, WD-51, WD-52, WD-80, WD-C3 */
TABLE_TEST(WD_8_WD_48_ordering_up_gives_the_dealer_the_turned_card) {
    for (int caller = 0; caller < 4; caller++) {
        char data[200];
        order_by(table, "", caller, "");
        told_types(table, "trump-action hand-updated");
        snprintf(data, sizeof data,
                 "{\"seatIndex\":%d,\"action\":\"order-up\",\"suit\":\"spades\",\"goAlone\":false}",
                 caller);
        told(table, "trump-action", data);
        told_hand(table, 0, 0, "9S 10S JS QS KS AS");
        phase_is(table, "dealer_discard");
        turn_of(table, 0);
        counts_are(table, "[6,5,5,5]");
        kitty_is(table, SPECTATOR, "? ? ?");
        kitty_is(table, OMNISCIENT, "AH AD AC");
        snprintf(data, sizeof data,
                 "\"trumpSuit\":\"spades\",\"callingPlayerId\":\"p%d\",\"callingTeam\":\"%c\","
                 "\"goingAlone\":false,\"alonePlayerId\":null,\"inactivePartnerSeatIndex\":null,",
                 caller, "ab"[caller % 2]);
        shown(table, data);
        snprintf(data, sizeof data, "\"dealerPickedUp\":%s,\"dealerDiscarded\":false,", card("AS"));
        shown(table, data);
        snprintf(data, sizeof data, "\"faceUpCard\":%s,", card("AS"));
        shown(table, data);
    }
}

/* WD-8, WD-52, WD-53, WD-116, WD-128: nothing but the discard is possible, so nobody can refuse it.
 */
TABLE_TEST(WD_8_WD_53_no_card_is_played_before_the_discard) {
    order_by(table, "", 1, "");
    assert_string_equal(table_legal(table, 0),
                        "discard 9S; discard 10S; discard JS; discard QS; discard KS; discard AS");
    for (int seat = 0; seat < 4; seat++) {
        static const char *const moves[] = {"pass", "order", "call H", "defend", "redeal"};
        char line[32];
        for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
            snprintf(line, sizeof line, "%d %s", seat, moves[i]);
            wrong_phase(table, line);
        }
        snprintf(line, sizeof line, "%d play 9%c", seat, letter(seat));
        wrong_phase(table, line);
        assert_true(seat == 0 || table_legal(table, seat)[0] == '\0');
    }
}

/* WD-52, WD-54, WD-81, WD-82, WD-83, WD-C3, WD-C12 */
TABLE_TEST(WD_52_WD_54_the_discard_goes_under_the_kitty_and_play_begins) {
    char data[128];
    order_by(table, "", 2, "");
    table_play(table, "0 discard 10S");
    told_types(table, "dealer-discarded hand-updated trump-confirmed trick-started");
    told(table, "dealer-discarded", "{\"seatIndex\":0}");
    told_hand(table, 0, 0, "9S JS QS KS AS");
    told(table, "trump-confirmed",
         "{\"trumpSuit\":\"spades\",\"callingPlayer\":\"p2\",\"callingTeam\":\"a\","
         "\"goAlone\":false}");
    told(table, "trick-started", "{\"leadSeatIndex\":1}");
    phase_is(table, "playing");
    counts_are(table, "[5,5,5,5]");
    kitty_is(table, OMNISCIENT, "AH AD AC 10S");
    kitty_is(table, 0, "? ? ? 10S");
    kitty_is(table, 1, "? ? ? ?");
    snprintf(data, sizeof data, "\"dealerPickedUp\":%s,\"dealerDiscarded\":true,", card("AS"));
    shown(table, data);
}

/* WD-C4 */
TABLE_TEST(WD_C4_the_dealer_may_discard_the_turned_card) {
    order_by(table, "", 3, "");
    table_play(table, "0 discard AS");
    hand_is(table, 0, "9S 10S JS QS KS");
    kitty_is(table, OMNISCIENT, "AH AD AC AS");
    kitty_is(table, 1, "? ? ? ?");
}

/* WD-10, WD-50, WD-51, WD-80, WD-82 */
TABLE_TEST(WD_50_naming_a_suit_begins_the_play_at_once) {
    static const char *const names[] = {"", "hearts", "diamonds", "clubs"};
    for (int caller = 0; caller < 4; caller++) {
        for (int suit = 1; suit < 4; suit++) {
            char data[160];
            begin(table, "", SUITS "\n" PASS_ROUND);
            for (int seat = 1; seat != (caller == 0 ? 4 : caller); seat++)
                play(table, "%d pass", seat);
            play(table, "%d call %c", caller, letter(suit));
            told_types(table, "trump-action trump-confirmed trick-started");
            snprintf(data, sizeof data,
                     "{\"seatIndex\":%d,\"action\":\"call\",\"suit\":\"%s\",\"goAlone\":false}",
                     caller, names[suit]);
            told(table, "trump-action", data);
            snprintf(data, sizeof data,
                     "{\"trumpSuit\":\"%s\",\"callingPlayer\":\"p%d\",\"callingTeam\":\"%c\","
                     "\"goAlone\":false}",
                     names[suit], caller, "ab"[caller % 2]);
            told(table, "trump-confirmed", data);
            phase_is(table, "playing");
            turn_of(table, 1);
            counts_are(table, "[5,5,5,5]");
            kitty_is(table, SPECTATOR, "AS ? ? ?");
            shown(table, "\"dealerPickedUp\":null,\"dealerDiscarded\":false,");
        }
    }
}

/* WD-11, WD-12, WD-112, WD-113 */
TABLE_TEST(WD_11_WD_113_a_stuck_dealer_must_name_a_suit) {
    begin(table, "", SUITS "\n" PASS_ROUND "1 pass\n2 pass\n");
    assert_string_equal(table_legal(table, 3), "pass; " SECOND_MOVES);
    table_play(table, "3 pass");
    assert_string_equal(table_legal(table, 0), SECOND_MOVES);
    table_refuses(table, "0 pass", "MUST_CALL", "Dealer must call");
    not_your_turn(table, "1 pass");
    invalid_suit(table, "0 call S");
    invalid_suit(table, "0 call S alone");
    invalid_suit(table, "0 call");
    invalid_suit(table, "0 call X");
    invalid_suit(table, "0 order");
    table_refuses(table, "0 pass again", "BAD_REQUEST", "The move should end before 'again'");
    refuses_move(table, 0, (struct move){.verb = WHOS_DEAL_PASS, .count = 1, .args = {9}},
                 "BAD_REQUEST", "Unknown move");
    for (int suit = 1; suit < 4; suit++) {
        struct table other = *table;
        play(&other, "0 call %c", letter(suit));
        phase_is(&other, "playing");
        assert_int_equal(look(&other)->trump, suit);
        while (look(&other)->phase == WHOS_DEAL_PLAYING)
            play_first(&other);
        assert_int_equal(table_counts(&other, SPECTATOR, WHOS_DEAL_STUCK), 1);
    }
}

/* WD-11: in the first round the dealer may pass. */
TABLE_TEST(WD_11_the_dealer_is_not_stuck_in_the_first_round) {
    begin(table, "", SUITS "\n1 pass\n2 pass\n3 pass\n");
    assert_string_equal(table_legal(table, 0), FIRST_MOVES);
    table_play(table, "0 pass");
    phase_is(table, "round2");
}

/* WD-13, WD-112: for each suit that can be turned. */
UNIT_TEST(WD_13_WD_112_the_turned_down_suit_cannot_be_named) {
    static const char *const deals[] = {
        SUITS,
        "- deal 9S 10S JS QS KS / 9H 10H JH QH KH / 9D 10D JD QD KD / 9C 10C JC QC KC / AH AS AD "
        "AC",
        "- deal 9S 10S JS QS KS / 9H 10H JH QH KH / 9D 10D JD QD KD / 9C 10C JC QC KC / AD AS AH "
        "AC",
        "- deal 9S 10S JS QS KS / 9H 10H JH QH KH / 9D 10D JD QD KD / 9C 10C JC QC KC / AC AS AD "
        "AH"};
    for (int turned = 0; turned < 4; turned++) {
        struct table table;
        begin(&table, "", deals[turned]);
        table_play(&table, PASS_ROUND);
        for (int suit = 0; suit < 4; suit++) {
            struct table other = table;
            char line[16];
            snprintf(line, sizeof line, "1 call %c", letter(suit));
            if (suit == turned)
                invalid_suit(&other, line);
            else
                table_play(&other, line);
            assert_int_equal(strstr(table_legal(&table, 1), line + 2) == NULL, suit == turned);
        }
    }
}

/* WD-11: as a house rule nobody has to call, not even the dealer. */
TABLE_TEST(stick_off_four_more_passes_move_the_deal_on) {
    begin(table, NO_STICK, SUITS "\n" PASS_ROUND "1 pass\n2 pass\n3 pass");
    assert_string_equal(table_legal(table, 0), "pass; " SECOND_MOVES);
    table_play(table, "0 pass");
    told_types(table, "trump-action hand-passed-out");
    told(table, "hand-passed-out", "{}");
    captioned(table, "hand-passed-out", NATURE, "Everybody passed: nobody scores");
    phase_is(table, "round_over");
    shown(table, "\"turn\":[]");
    scores_are(table, 0, 0);
    wrong_phase(table, "1 pass");
    assert_int_equal(table_counts(table, SPECTATOR, WHOS_DEAL_PASSED_OUT), 1);
    assert_int_equal(table_counts(table, SPECTATOR, WHOS_DEAL_DEALS), 1);
    table_play(table, SUITS);
    shown_number(table, "dealerSeatIndex", 1);
    phase_is(table, "round1");
    turn_of(table, 2);
}

/* WD-11: with the rule off, a dealer who calls last was not stuck. */
TABLE_TEST(stick_off_a_dealer_who_calls_was_not_stuck) {
    begin(table, NO_STICK, SUITS "\n" PASS_ROUND "1 pass\n2 pass\n3 pass\n0 call C");
    while (look(table)->phase == WHOS_DEAL_PLAYING)
        play_first(table);
    assert_int_equal(table_counts(table, SPECTATOR, WHOS_DEAL_MAKES) +
                         table_counts(table, SPECTATOR, WHOS_DEAL_EUCHRES),
                     1);
    assert_int_equal(table_counts(table, SPECTATOR, WHOS_DEAL_STUCK), 0);
}

/* ---- Going alone ---- */

/* Plays first legal cards to the end of the deal; the seats of the mask must never be asked. */
static void play_out_without(struct table *table, uint32_t sitting_out, int cards_per_trick) {
    while (look(table)->phase == WHOS_DEAL_PLAYING) {
        int seat = look(table)->turn, tricks = look(table)->tricks_played;
        int count = look(table)->trick_count;
        assert_int_equal(sitting_out >> seat & 1, 0);
        play_first(table);
        assert_int_equal(look(table)->tricks_played, tricks + (count + 1 == cards_per_trick));
    }
    assert_int_equal(look(table)->tricks_played, 5);
    assert_int_equal(look(table)->played_count, 5 * cards_per_trick);
}

static void partner_sits_out(struct table *table, int caller, int lead) {
    char json[128];
    int partner = (caller + 2) % 4;
    phase_is(table, "playing");
    turn_of(table, lead);
    shown_number(table, "trickLeadSeatIndex", lead);
    snprintf(json, sizeof json,
             "\"goingAlone\":true,\"alonePlayerId\":\"p%d\",\"inactivePartnerSeatIndex\":%d,",
             caller, partner);
    shown(table, json);
    uint32_t hand = look(table)->hand[partner];
    play_out_without(table, 1u << partner, 3);
    assert_int_equal(look(table)->hand[partner], hand);
    assert_int_equal(table_counts(table, SPECTATOR, WHOS_DEAL_LONERS), 1);
}

/* WD-14, WD-15, WD-16, WD-22, WD-23, WD-48, WD-50, WD-51, WD-67, WD-C1 */
TABLE_TEST(WD_14_WD_23_anybody_goes_alone_and_the_left_neighbour_leads) {
    for (int caller = 0; caller < 4; caller++) {
        char data[128];
        order_by(table, "", caller, " alone");
        snprintf(data, sizeof data,
                 "{\"seatIndex\":%d,\"action\":\"order-up\",\"suit\":\"spades\",\"goAlone\":true}",
                 caller);
        told(table, "trump-action", data);
        table_play(table, "0 discard 9S");
        snprintf(data, sizeof data,
                 "{\"trumpSuit\":\"spades\",\"callingPlayer\":\"p%d\",\"callingTeam\":\"%c\","
                 "\"goAlone\":true}",
                 caller, "ab"[caller % 2]);
        told(table, "trump-confirmed", data);
        partner_sits_out(table, caller, (caller + 1) % 4);
        begin(table, "", SUITS "\n" PASS_ROUND);
        for (int seat = 1; seat != (caller == 0 ? 4 : caller); seat++)
            play(table, "%d pass", seat);
        play(table, "%d call H alone", caller);
        snprintf(data, sizeof data,
                 "{\"seatIndex\":%d,\"action\":\"call\",\"suit\":\"hearts\",\"goAlone\":true}",
                 caller);
        told(table, "trump-action", data);
        partner_sits_out(table, caller, (caller + 1) % 4);
    }
}

/* WD-C1: as a house rule left of the dealer leads, or the next seat if that one sits out. */
TABLE_TEST(loner_lead_left_of_dealer_is_the_usual_lead) {
    static const int leads[] = {1, 1, 1, 2};
    for (int caller = 0; caller < 4; caller++) {
        order_by(table, LEFT_DEALER, caller, " alone");
        table_play(table, "0 discard 9S");
        partner_sits_out(table, caller, leads[caller]);
    }
}

/* WD-22 */
TABLE_TEST(WD_22_left_of_the_dealer_leads_whoever_called) {
    for (int dealer = 0; dealer < 4; dealer++) {
        for (int i = 0; i < 4; i++) {
            begin_with_dealer(table, dealer, "");
            for (int j = 0; j < i; j++)
                play(table, "%d pass", (dealer + 1 + j) & 3);
            play(table, "%d order", (dealer + 1 + i) & 3);
            play(table, "%d discard AS", dealer);
            turn_of(table, (dealer + 1) & 3);
            shown_number(table, "trickLeadSeatIndex", (dealer + 1) & 3);
            play_out_without(table, 0, 4);
        }
    }
}

/* WD-C2, WD-115: a dealer who sits out still picks up and discards. */
TABLE_TEST(WD_C2_the_dealers_partner_alone_the_dealer_discards_and_sits_out) {
    order_by(table, "", 2, " alone");
    turn_of(table, 0);
    counts_are(table, "[6,5,5,5]");
    hand_is(table, 0, "9S 10S JS QS KS AS");
    shown(table, "\"inactivePartnerSeatIndex\":0,");
    wrong_phase(table, "0 play 9S");
    table_play(table, "0 discard KS");
    turn_of(table, 3);
    hand_is(table, 0, "9S 10S JS QS AS");
    table_refuses(table, "0 play 9S", "INACTIVE_PARTNER", "Partner is going alone");
    table_play(table, "3 play 9C\n1 play 9H\n2 play 9D");
    shown(table, "\"tricksPlayed\":1}");
    counts_are(table, "[5,4,4,4]");
}

/* WD-C2, WD-94: in the terminal, too, that dealer sees the six cards to choose from. */
TABLE_TEST(WD_C2_the_discarding_dealer_sees_the_hand_in_the_terminal) {
    static const char *const names[] = {"Ann", "Bob", "Cy", "Dee"};
    char screen[1024];
    struct text text;
    order_by(table, "", 2, " alone");
    text_begin(&text, screen, sizeof screen);
    game_show(&whos_deal_game, &table->state, 0, names, &text);
    assert_non_null(strstr(screen, "> A Ann          9S 10S JS QS KS AS  (dealer)\n"));
}

/* ---- Cards ---- */

/* WD-17 to WD-21, WD-61, WD-62, WD-64, WD-65, WD-C16 */
UNIT_TEST(WD_61_to_WD_65_every_card_has_its_suit_and_rank_under_every_trump) {
    static const char same_colour[] = "CDHS";
    for (int trump = 0; trump < 4; trump++) {
        assert_int_equal(letter(whos_deal_same_colour(trump)), same_colour[trump]);
        uint32_t suits[4] = {0};
        for (int number = 0; number < 24; number++) {
            char suit = true_suit(number, letter(trump));
            int rank = true_rank(number, letter(trump));
            assert_int_equal(letter(whos_deal_effective_suit(number, trump)), suit);
            assert_int_equal(whos_deal_strength[trump][number],
                             suit == letter(trump) ? 16 + rank : rank);
            suits[strchr("SHDC", suit) - "SHDC"] |= 1u << number;
            assert_int_equal(number == whos_deal_right_bower(trump),
                             suit == letter(trump) && rank == 8);
            assert_int_equal(number == whos_deal_left_bower(trump),
                             is_left_bower(number, letter(trump)));
        }
        for (int suit = 0; suit < 4; suit++)
            assert_int_equal(whos_deal_suit_cards(suit, trump), suits[suit]);
    }
}

/* WD-63, WD-C15: positive, negative, or zero when neither can win. */
UNIT_TEST(WD_63_WD_C15_comparison_agrees_with_the_second_opinion) {
    for (int trump = 0; trump < 4; trump++)
        for (int led = 0; led < 4; led++)
            for (int a = 0; a < 24; a++)
                for (int b = 0; b < 24; b++)
                    assert_int_equal(sign(whos_deal_compare(a, b, led, trump)),
                                     sign(true_comparison(a, b, letter(led), letter(trump))));
    assert_int_equal(whos_deal_compare(5, 11, 2, 3), 0); /* AS and AH on diamonds, clubs trump */
    assert_true(whos_deal_compare(12, 11, 2, 3) > 0);    /* 9D was led and beats AH */
    assert_true(whos_deal_compare(23, 18, 2, 3) > 0);    /* AC beats 9C */
    assert_true(whos_deal_compare(17, 18, 2, 3) < 0);    /* 9C trumps AD */
    assert_true(whos_deal_compare(20, 2, 2, 3) > 0);     /* the right bower beats the left */
    assert_true(whos_deal_compare(2, 23, 2, 3) > 0);     /* which beats the ace of trump */
}

/* WD-24, WD-66 */
UNIT_TEST(WD_66_playable_cards_follow_the_effective_suit) {
    struct chance chance;
    chance_start_number(&chance, 66, 0);
    for (int i = 0; i < 5000; i++) {
        uint16_t deck[24];
        uint32_t hand = 0, following = 0;
        int trump = (int)chance_below(&chance, 4), led = (int)chance_below(&chance, 4);
        for (uint16_t j = 0; j < 24; j++)
            deck[j] = j;
        chance_shuffle(&chance, deck, 24);
        for (uint32_t j = 1 + chance_below(&chance, 5); j > 0; j--) {
            hand |= 1u << deck[j];
            if (true_suit(deck[j], letter(trump)) == letter(led))
                following |= 1u << deck[j];
        }
        assert_int_equal(whos_deal_playable(hand, whos_deal_suit_cards(led, trump)),
                         following != 0 ? following : hand);
        assert_int_equal(whos_deal_playable(hand, WHOS_DEAL_ALL_CARDS), hand);
    }
}

/* WD-15, WD-68 */
UNIT_TEST(WD_68_the_next_seat_is_clockwise_without_who_sits_out) {
    static const int masks[] = {0, 1, 2, 4, 8, 1 | 2, 2 | 4, 4 | 8, 8 | 1};
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        for (int seat = 0; seat < 4; seat++) {
            int next = (seat + 1) % 4;
            while ((masks[i] >> next & 1) != 0)
                next = (next + 1) % 4;
            assert_int_equal(whos_deal_next_seat(seat, masks[i]), next);
        }
    }
}

/* ---- Tricks ---- */

/* Hearts are trump once seat 1 calls; seat 2 has the left bower and a diamond. */
#define BOWERS                                                                                     \
    "- deal 9S 10S QD KD AD / 9H 9D JC 9C 10C / JD QH AS KS 10D / JH AH QS JS QC / KC 10H KH "     \
    "AC\n" PASS_ROUND

/* WD-18, WD-24, WD-111, WD-132 */
TABLE_TEST(WD_24_the_left_bower_follows_trump) {
    begin(table, "", BOWERS "1 call H\n1 play 9H");
    assert_string_equal(table_legal(table, 2), "play QH; play JD");
    must_follow(table, "2 play 10D", "hearts were led");
    must_follow(table, "2 play AS", "hearts were led");
    table_play(table, "2 play JD");
    assert_string_equal(table_legal(table, 3), "play JH; play AH");
}

/* WD-18, WD-24 */
TABLE_TEST(WD_18_the_left_bower_does_not_follow_its_printed_suit) {
    begin(table, "", BOWERS "1 call H\n1 play 9D");
    assert_string_equal(table_legal(table, 2), "play 10D");
    must_follow(table, "2 play JD", "diamonds were led");
    table_play(table, "2 play 10D");
    assert_string_equal(table_legal(table, 3), "play JS; play QS; play JH; play AH; play QC");
}

/* WD-18, WD-24: the left bower led asks for trumps. */
TABLE_TEST(WD_18_the_left_bower_led_asks_for_trumps) {
    begin(table, "", BOWERS "1 call H alone\n2 play JD");
    assert_string_equal(table_legal(table, 0), "play 9S; play 10S; play QD; play KD; play AD");
    table_play(table, "0 play AD");
    assert_string_equal(table_legal(table, 1), "play 9H");
    must_follow(table, "1 play 9D", "the jack of diamonds is the left bower, so hearts were led");
    table_play(table, "1 play 9H");
    told(table, "trick-won",
         "{\"winningSeatIndex\":2,\"winningTeam\":\"a\",\"tricksWon\":{\"a\":1,\"b\":0}}");
    captioned(table, "trick-won", 2, "take the trick");
}

struct won_trick {
    const char *plays;
    int winner;
};

/* WD-17, WD-18, WD-19, WD-20, WD-25, WD-26, WD-C15 */
TABLE_TEST(WD_25_the_highest_trump_wins_or_the_highest_of_the_led_suit) {
    static const struct won_trick tricks[] = {
        {"1 play 9H\n2 play JD\n3 play JH\n0 play 9S", 3},  /* right over left */
        {"1 play 9H\n2 play JD\n3 play AH\n0 play 9S", 2},  /* left over ace */
        {"1 play 9H\n2 play QH\n3 play AH\n0 play 9S", 3},  /* ace over queen */
        {"1 play 9C\n2 play AS\n3 play QC\n0 play AD", 3},  /* off-suit aces win nothing */
        {"1 play JC\n2 play AS\n3 play QC\n0 play AD", 3},  /* queen over a plain jack */
        {"1 play 10C\n2 play QH\n3 play QC\n0 play AD", 2}, /* a trump over the led suit */
        {"1 play 9D\n2 play 10D\n3 play QS\n0 play AD", 0}, /* the highest of the led suit */
        {"1 play 9D\n2 play 10D\n3 play AH\n0 play AD", 3}, /* not the last card, the trump */
    };
    for (size_t i = 0; i < sizeof tricks / sizeof tricks[0]; i++) {
        begin(table, "", BOWERS "1 call H");
        table_play(table, tricks[i].plays);
        shown_number(table, "lastTrickWinnerSeatIndex", tricks[i].winner);
        shown_number(table, "trickLeadSeatIndex", tricks[i].winner);
        turn_of(table, tricks[i].winner);
    }
}

/* WD-25, WD-C15: the led card wins when nobody follows or trumps. */
TABLE_TEST(WD_25_a_led_card_wins_if_nobody_follows) {
    begin(table, "", SUITS "\n1 pass\n2 order alone\n0 discard 9S");
    table_play(table, "3 play 9C\n1 play KH\n2 play KD");
    shown_number(table, "lastTrickWinnerSeatIndex", 3);
}

/* WD-55, WD-56, WD-57, WD-84, WD-85, WD-83, WD-37, WD-C13 */
TABLE_TEST(WD_56_the_last_card_of_a_trick_changes_everything_at_once) {
    char json[600];
    begin(table, "", BOWERS "1 call H");
    table_asks(table, 1, "Your lead: play a card");
    table_play(table, "1 play 10C");
    table_asks(table, 2, "Your turn: play a card");
    told_types(table, "card-played");
    snprintf(json, sizeof json, "{\"seatIndex\":1,\"card\":%s}", card("10C"));
    told(table, "card-played", json);
    snprintf(json, sizeof json,
             "\"currentTrick\":[{\"playerId\":\"p1\",\"seatIndex\":1,\"card\":%s}],"
             "\"trickLeadSeatIndex\":1,\"tricksWon\":{\"a\":0,\"b\":0},\"tricksPlayed\":0}",
             card("10C"));
    shown(table, json);
    table_play(table, "2 play QH\n3 play QC\n0 play AD");
    told_types(table, "card-played trick-won trick-started");
    told(table, "trick-won",
         "{\"winningSeatIndex\":2,\"winningTeam\":\"a\",\"tricksWon\":{\"a\":1,\"b\":0}}");
    told(table, "trick-started", "{\"leadSeatIndex\":2}");
    snprintf(json, sizeof json,
             "\"currentTrick\":[],\"lastTrick\":["
             "{\"playerId\":\"p1\",\"seatIndex\":1,\"card\":%s},"
             "{\"playerId\":\"p2\",\"seatIndex\":2,\"card\":%s},",
             card("10C"), card("QH"));
    shown(table, json);
    snprintf(json, sizeof json,
             "{\"playerId\":\"p3\",\"seatIndex\":3,\"card\":%s},"
             "{\"playerId\":\"p0\",\"seatIndex\":0,\"card\":%s}],"
             "\"lastTrickWinnerSeatIndex\":2,\"trickLeadSeatIndex\":2,"
             "\"tricksWon\":{\"a\":1,\"b\":0},\"tricksPlayed\":1}",
             card("QC"), card("AD"));
    shown(table, json);
    counts_are(table, "[4,4,4,4]");
}

/* WD-15, WD-37: a trick of three names the seats that played. */
TABLE_TEST(WD_37_the_trick_of_a_loner_names_three_seats) {
    char json[400];
    begin(table, "",
          BOWERS "1 call H alone\n2 play JD\n0 play AD\n1 play 9H\n2 play AS\n0 play 9S");
    snprintf(json, sizeof json,
             "\"currentTrick\":[{\"playerId\":\"p2\",\"seatIndex\":2,\"card\":%s},"
             "{\"playerId\":\"p0\",\"seatIndex\":0,\"card\":%s}],\"lastTrick\":[",
             card("AS"), card("9S"));
    shown(table, json);
    snprintf(json, sizeof json,
             "\"lastTrick\":[{\"playerId\":\"p2\",\"seatIndex\":2,\"card\":%s},"
             "{\"playerId\":\"p0\",\"seatIndex\":0,\"card\":%s},"
             "{\"playerId\":\"p1\",\"seatIndex\":1,\"card\":%s}],",
             card("JD"), card("AD"), card("9H"));
    shown(table, json);
    counts_are(table, "[3,4,3,5]");
    table_play(table, "1 play 9D\n2 play KS\n0 play 10S\n1 play 10C\n2 play 10D\n0 play QD");
    snprintf(json, sizeof json,
             "\"lastTrick\":[{\"playerId\":\"p2\",\"seatIndex\":2,\"card\":%s},"
             "{\"playerId\":\"p0\",\"seatIndex\":0,\"card\":%s},"
             "{\"playerId\":\"p1\",\"seatIndex\":1,\"card\":%s}],",
             card("KS"), card("10S"), card("10C"));
    shown(table, json);
}

/* Every trick of the round can be looked at again, also by people who come late. */
TABLE_TEST(all_tricks_of_the_round_are_shown) {
    begin(table, "", BOWERS "1 call H alone");
    shown(table, "\"tricks\":[],\"currentTrick\":[]");
    table_play(table, "2 play JD\n0 play AD\n1 play 9H\n2 play AS\n0 play 9S");
    shown(table, "\"tricks\":[{\"winnerSeatIndex\":2,\"cards\":[{\"seatIndex\":2,\"id\":\"JD\"},"
                 "{\"seatIndex\":0,\"id\":\"AD\"},{\"seatIndex\":1,\"id\":\"9H\"}]}],"
                 "\"currentTrick\":[");
    table_play(table, "1 play 9D\n2 play KS\n0 play 10S\n1 play 10C");
    shown(table, "{\"winnerSeatIndex\":2,\"cards\":[{\"seatIndex\":2,\"id\":\"KS\"},"
                 "{\"seatIndex\":0,\"id\":\"10S\"},{\"seatIndex\":1,\"id\":\"10C\"}]}],");
}

/* What a page would have to work out is in the view: the order of a
 * hand, the bowers, who is winning, and what a card would come to. */
TABLE_TEST(the_view_tells_the_order_of_cards_and_who_beats_whom) {
    begin(table, "", BOWERS);
    shown_to(table, 0, "\"held\":[\"10S\",\"9S\",\"AD\",\"KD\",\"QD\"],");
    shown_to(table, 2, "\"held\":[\"QH\",\"AS\",\"KS\",\"JD\",\"10D\"],");
    shown(table, "\"held\":[],");
    shown(table, "\"bowers\":null,\"sittingOutSeatIndexes\":[],\"ledSuit\":null,"
                 "\"winningSeatIndex\":null,\"outcome\":null,\"pointsAwarded\":null,");
    table_play(table, "1 call H\n1 play 9H");
    shown(table, "\"bowers\":{\"right\":\"JH\",\"left\":\"JD\"},");
    shown(table, "\"ledSuit\":\"hearts\",\"winningSeatIndex\":1,");
    shown_to(table, 2, "\"held\":[\"JD\",\"QH\",\"AS\",\"KS\",\"10D\"],");
    shown_to(table, 2,
             "\"move\":\"play JD\",\"preview\":{\"suit\":\"hearts\",\"strength\":23,"
             "\"takes\":true}");
    table_play(table, "2 play JD\n3 play AH");
    shown(table, "\"winningSeatIndex\":2,");
    shown_to(table, 0,
             "\"move\":\"play AD\",\"preview\":{\"suit\":\"diamonds\",\"strength\":6,"
             "\"takes\":false}");
    table_play(table, "0 play 9S");
    shown_to(table, 2, "\"move\":\"play AS\",\"preview\":{\"suit\":\"spades\",\"strength\":6}}");
    begin(table, "", BOWERS "1 call H alone");
    shown(table, "\"sittingOutSeatIndexes\":[3],");
}

/* WD-37, WD-C13: the last trick begins with who led it. */
TABLE_TEST(WD_C13_the_last_trick_is_shown_from_its_own_lead) {
    char json[600];
    begin(table, "", BOWERS "1 call H\n1 play 10C\n2 play QH\n3 play QC\n0 play AD");
    table_play(table, "2 play 10D\n3 play JS\n0 play KD\n1 play 9D");
    snprintf(json, sizeof json,
             "\"lastTrick\":[{\"playerId\":\"p2\",\"seatIndex\":2,\"card\":%s},"
             "{\"playerId\":\"p3\",\"seatIndex\":3,\"card\":%s},"
             "{\"playerId\":\"p0\",\"seatIndex\":0,\"card\":%s},",
             card("10D"), card("JS"), card("KD"));
    shown(table, json);
    snprintf(json, sizeof json,
             "{\"playerId\":\"p1\",\"seatIndex\":1,\"card\":%s}],\"lastTrickWinnerSeatIndex\":0,"
             "\"trickLeadSeatIndex\":0,",
             card("9D"));
    shown(table, json);
}

/* The winner among cards in the order played, by reduction from the led card. */
static int reduce_trick(const uint8_t *trick, int count, char trump) {
    int best = 0;
    for (int i = 1; i < count; i++)
        if (true_comparison(trick[i], trick[best], true_suit(trick[0], trump), trump) > 0)
            best = i;
    return best;
}

static void legal_cards_are_right(struct table *table, const uint8_t *trick, int count) {
    const struct whos_deal *game = look(table);
    struct move moves[GAME_LEGAL_MAX];
    uint32_t following = 0, found = 0, hand = game->hand[game->turn];
    for (int number = 0; number < 24 && count > 0; number++)
        if (true_suit(number, letter(game->trump)) == true_suit(trick[0], letter(game->trump)))
            following |= hand & 1u << number;
    size_t legal = game_legal(&whos_deal_game, &table->state, game->turn, moves);
    for (size_t i = 0; i < legal; i++)
        found |= 1u << moves[i].args[0];
    assert_int_equal(found, following != 0 ? following : hand);
    assert_int_equal(legal, __builtin_popcount(found));
}

/* Plays one random card and, at the end of a trick, checks who won it. */
static void play_random_card(struct table *table, struct chance *chance, uint8_t *trick, int *seats,
                             int *count) {
    const struct whos_deal *game = look(table);
    struct move moves[GAME_LEGAL_MAX];
    int seat = game->turn, before[2] = {game->tricks[0], game->tricks[1]};
    legal_cards_are_right(table, trick, *count);
    size_t legal = game_legal(&whos_deal_game, &table->state, seat, moves);
    struct move *move = &moves[chance_below(chance, (uint32_t)legal)];
    seats[*count] = seat;
    trick[(*count)++] = (uint8_t)move->args[0];
    assert_true(game_play(&whos_deal_game, &table->state, seat, move, NULL, NULL));
    if (*count < 4 - __builtin_popcount(game->sitting_out)) {
        assert_int_equal(game->trick_count, *count);
        return;
    }
    int winner = seats[reduce_trick(trick, *count, letter(game->trump))];
    before[winner % 2]++;
    assert_int_equal(game->last_winner, winner);
    assert_int_equal(game->lead, winner);
    assert_int_equal(game->tricks[0], before[0]);
    assert_int_equal(game->tricks[1], before[1]);
    assert_int_equal(game->trick_count, 0);
    *count = 0;
}

/* WD-25, WD-26, WD-56, WD-66, WD-132: thousands of random tricks, four-, three- and two-handed. */
TABLE_TEST(WD_25_random_tricks_are_won_as_the_reduction_says) {
    struct chance chance;
    chance_start_number(&chance, 25, 0);
    int played = 0;
    for (int deals = 0; deals < 1500; deals++) {
        uint8_t trick[4];
        int seats[4], count = 0;
        table_start(table, &whos_deal_game, DEFEND, 4);
        assert_true(game_deal_chance(&whos_deal_game, &table->state, &chance, NULL, NULL));
        while (look(table)->phase < WHOS_DEAL_PLAYING) {
            struct move moves[GAME_LEGAL_MAX];
            int seat = look(table)->turn;
            size_t legal = game_legal(&whos_deal_game, &table->state, seat, moves);
            struct move *move = &moves[chance_below(&chance, (uint32_t)legal)];
            assert_true(game_play(&whos_deal_game, &table->state, seat, move, NULL, NULL));
        }
        for (; look(table)->phase == WHOS_DEAL_PLAYING; played++)
            play_random_card(table, &chance, trick, seats, &count);
        assert_int_equal(look(table)->tricks_played, 5);
        assert_int_equal(count, 0);
    }
    assert_true(played > 1500 * 10);
}

/* ---- Score and the end ---- */

struct score_row {
    int tricks; /* of the callers */
    const char *alone;
    int callers, defenders;
    int figure;
    const char *outcome;
};

static const struct score_row score_table[] = {
    {0, "", 0, 2, WHOS_DEAL_EUCHRES, "euchre"},
    {1, "", 0, 2, WHOS_DEAL_EUCHRES, "euchre"},
    {2, "", 0, 2, WHOS_DEAL_EUCHRES, "euchre"},
    {3, "", 1, 0, WHOS_DEAL_MAKES, "made"},
    {4, "", 1, 0, WHOS_DEAL_MAKES, "made"},
    {5, "", 2, 0, WHOS_DEAL_MARCHES, "march"},
    {0, " alone", 0, 2, WHOS_DEAL_EUCHRES, "euchre"},
    {1, " alone", 0, 2, WHOS_DEAL_EUCHRES, "euchre"},
    {2, " alone", 0, 2, WHOS_DEAL_EUCHRES, "euchre"},
    {3, " alone", 1, 0, WHOS_DEAL_MAKES, "made"},
    {4, " alone", 1, 0, WHOS_DEAL_MAKES, "made"},
    {5, " alone", 4, 0, WHOS_DEAL_SWEEPS, "sweep"},
};

static void round_over_is(const struct table *table, int callers, int tricks_a, int points_a,
                          int points_b, bool over) {
    char data[256];
    snprintf(data, sizeof data,
             "{\"callingTeam\":\"%c\",\"tricksWon\":{\"a\":%d,\"b\":%d},"
             "\"pointsAwarded\":{\"a\":%d,\"b\":%d},\"scores\":{\"a\":%d,\"b\":%d},"
             "\"isGameOver\":%s}",
             "ab"[callers], tricks_a, 5 - tricks_a, points_a, points_b, look(table)->score[0],
             look(table)->score[1], over ? "true" : "false");
    told(table, "round-over", data);
    snprintf(data, sizeof data, "The hand is over: team A has %d, team B %d", look(table)->score[0],
             look(table)->score[1]);
    captioned(table, "round-over", NATURE, data);
}

/* WD-27 to WD-32, WD-57, WD-58, WD-86, WD-130, WD-131, WD-C14 */
TABLE_TEST(WD_27_to_WD_32_the_whole_score_table_for_both_teams) {
    for (size_t i = 0; i < sizeof score_table / sizeof score_table[0]; i++) {
        const struct score_row *row = &score_table[i];
        for (int caller = 1; caller <= 2; caller++) {
            int team = caller & 1;
            table_start(table, &whos_deal_game, "", 4);
            ladder(table, 0, caller == 1 ? row->tricks : 5 - row->tricks, caller, row->alone);
            int a = team == 0 ? row->callers : row->defenders;
            int b = team == 0 ? row->defenders : row->callers;
            scores_are(table, a, b);
            told_types(table, "card-played trick-won round-over");
            round_over_is(table, team, team == 0 ? row->tricks : 5 - row->tricks, a, b, false);
            phase_is(table, "round_over");
            shown(table, "\"turn\":[]");
            shown(table, "\"phase\":\"playing\"");
            shown_word(table, "outcome", row->outcome);
            assert_int_equal(table_counts(table, SPECTATOR, row->figure), 1);
            wrong_phase(table, "1 pass");
            wrong_phase(table, "1 play 9S");
        }
    }
}

/* WD-6, WD-58, WD-87, WD-79, WD-133, WD-C6 */
TABLE_TEST(WD_6_WD_58_the_deal_moves_clockwise) {
    table_start(table, &whos_deal_game, "", 4);
    for (int hand = 0; hand < 6; hand++) {
        char data[160];
        if (hand > 0) {
            struct table next = *table;
            ladder_deal(&next, hand % 4, 0);
            told_types(&next, "new-round hand-updated hand-updated hand-updated hand-updated");
            snprintf(data, sizeof data, "{\"dealerSeatIndex\":%d,\"faceUpCard\":%s}", hand % 4,
                     card("9C"));
            told(&next, "new-round", data);
            told_hand(&next, hand % 4, hand % 4, "9D 10D QD KD AD");
            turn_of(&next, (hand + 1) % 4);
            phase_is(&next, "round1");
        }
        team_scores(table, hand % 4, hand % 2, 1);
        shown_number(table, "dealerSeatIndex", hand % 4);
    }
    scores_are(table, 3, 3);
}

/* WD-58: nothing of the last round is left in the new one. */
TABLE_TEST(WD_58_a_new_round_starts_from_nothing) {
    table_start(table, &whos_deal_game, DEFEND, 4);
    ladder_deal(table, 0, 2);
    table_play(table, PASS_ROUND "1 call H alone\n2 defend alone");
    ladder_play(table, 0);
    table_play(table, SUITS);
    shown(table, "\"trumpSuit\":null,\"callingPlayerId\":null,\"callingTeam\":null,"
                 "\"goingAlone\":false,\"alonePlayerId\":null,\"inactivePartnerSeatIndex\":null,"
                 "\"aloneDefenderSeatIndex\":null,\"dealerPickedUp\":null,"
                 "\"dealerDiscarded\":false,\"currentTurnSeatIndex\":2,\"passedPlayers\":[],"
                 "\"tricks\":[],\"currentTrick\":[],\"trickLeadSeatIndex\":null,"
                 "\"tricksWon\":{\"a\":0,\"b\":0},\"tricksPlayed\":0}");
    assert_int_equal(look(table)->sitting_out, 0);
    table_play(table, "2 pass\n3 pass\n0 pass\n1 order\n1 discard 9H");
    play_out_without(table, 0, 4);
}

/* WD-33, WD-38, WD-77, WD-119 */
TABLE_TEST(WD_33_WD_119_the_target_is_5_7_10_or_11) {
    table_start(table, &whos_deal_game, "", 4);
    shown_number(table, "targetScore", 10);
    static const int targets[] = {5, 7, 10, 11};
    for (size_t i = 0; i < 4; i++) {
        char option[32];
        snprintf(option, sizeof option, "targetScore=%d", targets[i]);
        table_start(table, &whos_deal_game, option, 4);
        shown_number(table, "targetScore", targets[i]);
    }
    static const char *const wrong[] = {"0",  "4",  "6",   "8",   "9", "12",  "21",
                                        "-5", "05", "1e1", "ten", "",  "10.0"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char option[32];
        snprintf(option, sizeof option, "targetScore=%s", wrong[i]);
        table_refuses_start(&whos_deal_game, option, 4, "INVALID_SETTING", "Invalid target score");
    }
}

/* The house rules are options with values of their own. */
UNIT_TEST(settings_that_make_no_sense_are_refused) {
    static const char *const wrong[][2] = {
        {"stickTheDealer=maybe", "stickTheDealer must be yes or no"},
        {"dealerMayDiscardUpcard=2", "dealerMayDiscardUpcard must be yes or no"},
        {"canadianLoner=", "canadianLoner must be yes or no"},
        {"defendAlone=sometimes", "defendAlone must be yes or no"},
        {"farmersHand=YES", "farmersHand must be yes or no"},
        {"lonerLead=dealer", "lonerLead must be one of: left-of-loner, left-of-dealer"},
        {"targetscore=10", "Unknown setting 'targetscore'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        table_refuses_start(&whos_deal_game, wrong[i][0], 4, "INVALID_SETTING", wrong[i][1]);
}

/* Plays hands worth `points` for the team until one more would win. */
static int play_below(struct table *table, int target, int team, int points) {
    int dealer = 0, score = 0;
    for (; score + points < target; score += points, dealer++) {
        assert_true(game_to_act(&whos_deal_game, &table->state) != 0);
        team_scores(table, dealer % 4, team, points);
    }
    assert_int_equal(look(table)->score[team], score);
    assert_int_equal(look(table)->score[team ^ 1], 0);
    return dealer % 4;
}

static void result_is(const struct table *table, bool over, uint32_t winners, int a, int b) {
    struct result result;
    game_result(&whos_deal_game, &table->state, &result);
    assert_int_equal(result.over, over);
    assert_int_equal(result.winners, winners);
    for (int seat = 0; seat < 4; seat++)
        assert_int_equal(result.score[seat], seat % 2 == 0 ? a : b);
}

static void won_by(struct table *table, int team, int score) {
    char data[96];
    int a = team == 0 ? score : 0, b = team == 1 ? score : 0;
    told_types(table, "card-played trick-won round-over game-over");
    snprintf(data, sizeof data, "{\"winningTeam\":\"%c\",\"finalScores\":{\"a\":%d,\"b\":%d}}",
             "ab"[team], a, b);
    told(table, "game-over", data);
    shown(table, "\"phase\":\"game_over\"");
    shown_word(table, "winningTeam", team == 0 ? "a" : "b");
    phase_is(table, "round_over");
    shown(table, "\"turn\":[]");
    scores_are(table, a, b);
    result_is(table, true, team == 0 ? 5 : 10, a, b);
}

/* WD-33, WD-58, WD-59, WD-86, WD-88, WD-133, WD-C14: reaching the target or going past it. */
TABLE_TEST(a_game_may_begin_with_points) {
    table_start(table, &whos_deal_game, "startScores=4,9", 4);
    assert_true(table_shows(table, 0, "\"a\":{\"playerIds\":[\"p0\",\"p2\"],\"score\":4}"));
    assert_true(table_shows(table, 0, "\"b\":{\"playerIds\":[\"p1\",\"p3\"],\"score\":9}"));
    static const char *const wrong[] = {"startScores=4", "startScores=10,0", "startScores=0,0,0",
                                        "targetScore=5 startScores=0,5"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        table_refuses_start(&whos_deal_game, wrong[i], 4, "INVALID_SETTING", NULL);
}

TABLE_TEST(WD_33_WD_59_the_first_team_at_the_target_or_past_it_wins) {
    static const int targets[] = {5, 7, 10, 11};
    static const int steps[] = {1, 2, 4};
    for (size_t i = 0; i < 4; i++) {
        for (int team = 0; team < 2; team++) {
            for (int j = 0; j < 3; j++) {
                char option[32];
                snprintf(option, sizeof option, "targetScore=%d", targets[i]);
                table_start(table, &whos_deal_game, option, 4);
                int dealer = play_below(table, targets[i], team, steps[j]);
                result_is(table, false, 0, look(table)->score[0], look(table)->score[1]);
                int score = look(table)->score[team] + steps[j];
                assert_true(score >= targets[i]);
                team_scores(table, dealer, team, steps[j]);
                won_by(table, team, score);
                round_over_is(table, team,
                              team == 0 ? (steps[j] == 1 ? 3 : 5) : (steps[j] == 1 ? 2 : 0),
                              team == 0 ? steps[j] : 0, team == 1 ? steps[j] : 0, true);
            }
        }
    }
}

/* WD-29, WD-33: the defenders' points win as well. */
TABLE_TEST(WD_33_a_euchre_can_win_the_game) {
    table_start(table, &whos_deal_game, "targetScore=5", 4);
    team_scores(table, 0, 0, 2);
    team_scores(table, 1, 1, 4);
    ladder(table, 2, 2, 1, ""); /* seat 3 is euchred by seats 0 and 2 */
    scores_are(table, 4, 4);
    ladder(table, 3, 2, 1, ""); /* seat 0 is euchred by seats 1 and 3 */
    told_types(table, "card-played trick-won round-over game-over");
    result_is(table, true, 10, 4, 6);
    shown_word(table, "winningTeam", "b");
}

/* WD-59, WD-60, WD-109, WD-116 */
TABLE_TEST(WD_59_nothing_but_another_game_is_possible_at_the_end) {
    table_start(table, &whos_deal_game, "targetScore=5", 4);
    team_scores(table, 0, 0, 4);
    wrong_phase(table, "0 again");
    team_scores(table, 1, 0, 4);
    wrong_phase(table, SUITS);
    wrong_phase(table, "2 pass");
    wrong_phase(table, "2 play 9S");
    wrong_phase(table, "1 discard 9S");
    for (int seat = 0; seat < 4; seat++)
        assert_string_equal(table_legal(table, seat), "again");
}

/* WD-60, WD-135: scores 0, seat 0 deals, the same rules. */
UNIT_TEST(WD_60_play_again_begins_anew_with_the_same_rules) {
    static const char *const rules[] = {
        "targetScore=5",
        "targetScore=7 " NO_STICK,
        "targetScore=5 " LEFT_DEALER,
        "targetScore=5 " KEEP_UPCARD,
        "targetScore=5 " CANADIAN,
        "targetScore=5 " FARMERS,
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        struct table table, fresh;
        table_start(&table, &whos_deal_game, rules[i], 4);
        table_start(&fresh, &whos_deal_game, rules[i], 4);
        team_scores(&table, 0, 1, 4);
        team_scores(&table, 1, 1, 4);
        table_play(&table, "3 again");
        assert_memory_equal(table.state.bytes, fresh.state.bytes, sizeof(struct whos_deal));
        table_play(&table, SUITS);
        assert_non_null(table_event(&table, "game-started", 0));
        shown_number(&table, "dealerSeatIndex", 0);
        scores_are(&table, 0, 0);
        turn_of(&table, 1);
    }
}

/* WD-60: lone defenders are still allowed, too. */
TABLE_TEST(WD_60_play_again_keeps_the_lone_defence) {
    table_start(table, &whos_deal_game, "targetScore=5 " DEFEND, 4);
    for (int dealer = 0; dealer < 3; dealer++)
        team_scores(table, dealer, 0, 2);
    table_play(table, "0 again\n" SUITS "\n" PASS_ROUND "1 call H alone");
    phase_is(table, "defending");
    table_asks(table, 2, "Defend alone?");
}

/* WD-145: the figures over all deals of a game. */
TABLE_TEST(WD_145_statistics_tell_what_happened) {
    static const char *const names[] = {"deals",
                                        "passed out",
                                        "makes",
                                        "marches",
                                        "euchres",
                                        "lone attempts",
                                        "lone sweeps",
                                        "dealer stuck",
                                        "deals scored by dealer's side",
                                        "points of dealer's side",
                                        "points of the others"};
    static const int wanted[] = {5, 1, 1, 1, 1, 2, 1, 0, 3, 5, 4};
    int32_t figures[GAME_FIGURES_MAX] = {0};
    begin(table, NO_STICK, SUITS);
    pass_out(table);
    game_count(&whos_deal_game, &table->state, SPECTATOR, figures);
    team_scores(table, 1, 1, 1); /* dealer's side, 1 point */
    game_count(&whos_deal_game, &table->state, SPECTATOR, figures);
    team_scores(table, 2, 0, 2); /* dealer's side, 2 points */
    game_count(&whos_deal_game, &table->state, SPECTATOR, figures);
    ladder(table, 3, 1, 1, " alone"); /* a loner euchred by the dealer's side, 2 points */
    game_count(&whos_deal_game, &table->state, SPECTATOR, figures);
    team_scores(table, 0, 1, 4); /* the others, 4 points */
    game_count(&whos_deal_game, &table->state, SPECTATOR, figures);
    for (int i = 0; i < WHOS_DEAL_FIGURES; i++) {
        assert_string_equal(whos_deal_game.table_figures[i], names[i]);
        assert_int_equal(figures[i], wanted[i]);
    }
    assert_null(whos_deal_game.table_figures[WHOS_DEAL_FIGURES]);
}

/* WD-76, WD-77, WD-58, WD-C13 */
TABLE_TEST(WD_77_people_get_time_to_look) {
    begin(table, "targetScore=5 " NO_STICK, SUITS);
    struct pace pace = game_pace(table->game, &table->state);
    assert_int_equal(pace.bot_delay_ms_min, 1500);
    assert_int_equal(pace.bot_delay_ms_max, 3000);
    assert_int_equal(pace.show_ms, 0);
    pass_out(table);
    assert_int_equal(game_pace(table->game, &table->state).show_ms, 5000);
    begin(table, "targetScore=5", BOWERS "1 call H");
    assert_int_equal(game_pace(table->game, &table->state).show_ms, 0);
    table_play(table, "1 play 9H\n2 play QH\n3 play AH");
    assert_int_equal(game_pace(table->game, &table->state).show_ms, 0);
    table_play(table, "0 play 9S");
    assert_int_equal(game_pace(table->game, &table->state).show_ms, 2000);
    table_play(table, "3 play QS");
    assert_int_equal(game_pace(table->game, &table->state).show_ms, 0);
    table_start(table, &whos_deal_game, "targetScore=5", 4);
    team_scores(table, 0, 0, 4);
    assert_int_equal(game_pace(table->game, &table->state).show_ms, 5000);
    team_scores(table, 1, 0, 4);
    assert_int_equal(game_pace(table->game, &table->state).show_ms, 0);
}

/* ---- Refusals ---- */

/* WD-110, WD-111, WD-114 */
TABLE_TEST(WD_110_WD_114_a_card_is_played_in_turn_and_from_the_hand) {
    begin(table, "", BOWERS "1 call H");
    not_in_hand(table, "1 play AS");
    not_in_hand(table, "1 play KC"); /* in the kitty */
    not_in_hand(table, "1 play 8S");
    not_in_hand(table, "1 play");
    not_in_hand(table, "1 play JK");
    not_your_turn(table, "2 play JD");
    not_your_turn(table, "0 play 9S");
    table_play(table, "1 play 9H");
    not_your_turn(table, "1 play 9D");
    not_in_hand(table, "2 play 9H");
    must_follow(table, "2 play KS", "hearts were led");
}

/* WD-110, WD-117, WD-118, WD-C7 */
TABLE_TEST(WD_117_WD_118_only_the_dealer_discards_and_only_then) {
    begin(table, "", SUITS);
    wrong_phase(table, "0 discard 9S");
    table_play(table, "1 order");
    for (int seat = 1; seat < 4; seat++) {
        char line[32];
        snprintf(line, sizeof line, "%d discard 9%c", seat, letter(seat));
        table_refuses(table, line, "NOT_DEALER", "Not the dealer");
    }
    not_in_hand(table, "0 discard 9H");
    not_in_hand(table, "0 discard AH");
    not_in_hand(table, "0 discard");
    table_play(table, "0 discard 9S");
    wrong_phase(table, "0 discard 10S");
    wrong_phase(table, "1 discard 9H");
}

/* WD-C8: first the phase, then who may do such a thing at all, then whose turn it is, then the
 * card. */
TABLE_TEST(WD_C8_the_most_specific_refusal_comes_first) {
    begin(table, "", SUITS);
    wrong_phase(table, "2 play 8S");
    wrong_phase(table, "2 discard 8S");
    wrong_phase(table, "2 defend");
    not_your_turn(table, "2 pass");
    not_your_turn(table, "2 order");
    not_your_turn(table, "2 call X");
    not_your_turn(table, "0 redeal");
    table_play(table, "1 pass\n2 order alone");
    wrong_phase(table, "0 play 8S");
    table_refuses(table, "3 discard 8S", "NOT_DEALER", "Not the dealer");
    table_play(table, "0 discard 9S");
    wrong_phase(table, "1 discard 8S");
    wrong_phase(table, "1 order");
    table_refuses(table, "0 play 8S", "INACTIVE_PARTNER", "Partner is going alone");
    not_your_turn(table, "1 play 8S");
    not_your_turn(table, "2 play 9D");
    not_in_hand(table, "3 play 9D");
    table_play(table, "3 play 9C\n1 play 9H\n2 play 9D");
    table_refuses(table, "0 play 10S", "INACTIVE_PARTNER", "Partner is going alone");
    not_your_turn(table, "1 play 10H");
}

/* WD-C8, WD-113: everybody else hears whose turn it is, not what the dealer must do. */
TABLE_TEST(WD_C8_turn_comes_before_what_must_be_called) {
    begin(table, CANADIAN, SUITS);
    not_your_turn(table, "2 order");
    table_play(table, PASS_ROUND "1 pass\n2 pass\n3 pass");
    not_your_turn(table, "3 pass");
    not_your_turn(table, "1 call S");
    invalid_suit(table, "0 order");
}

/* WD-C11, WD-112, WD-116 */
TABLE_TEST(WD_C11_ordering_and_naming_belong_to_their_rounds) {
    begin(table, "", SUITS);
    invalid_suit(table, "1 call H");
    invalid_suit(table, "1 call S");
    table_play(table, PASS_ROUND);
    invalid_suit(table, "1 order");
    invalid_suit(table, "1 order alone");
    invalid_suit(table, "1 call S");
    table_play(table, "1 call H");
    wrong_phase(table, "1 order");
    wrong_phase(table, "1 call D");
    wrong_phase(table, "2 pass");
    wrong_phase(table, "1 defend");
    wrong_phase(table, "1 redeal");
}

/* WD-12, WD-109: lines that are no move. */
TABLE_TEST(WD_12_senseless_lines_are_refused) {
    static const char *const wrong[][2] = {
        {"1 jump", "Unknown move 'jump'; try: pass, order, call H, discard 9C, play AH, "
                   "defend alone, redeal"},
        {"1 Pass", "Unknown move 'Pass'; try: pass, order, call H, discard 9C, play AH, "
                   "defend alone, redeal"},
        {"1", "A move is missing"},
        {"1 pass pass", "The move should end before 'pass'"},
        {"1 order H", "The move should end before 'H'"},
        {"1 order alone alone", "The move should end before 'alone'"},
        {"1 call H together", "The move should end before 'together'"},
        {"1 play 9H 10H", "The move should end before '10H'"},
        {"1 discard 9H 10H", "The move should end before '10H'"},
        {"1 defend alone now", "The move should end before 'now'"},
        {"1 redeal now", "The move should end before 'now'"},
    };
    begin(table, "", SUITS);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        table_refuses(table, wrong[i][0], "BAD_REQUEST", wrong[i][1]);
    table_refuses(table, "7 pass", "NOT_A_MEMBER", "There is no seat 7");
    table_play(table, PASS_ROUND);
    invalid_suit(table, "1 call alone");
    invalid_suit(table, "1 call HH");
    invalid_suit(table, "1 call heartsy");
}

static struct move raw(int verb, int count, int first, int second) {
    return (struct move){
        .verb = (uint8_t)verb, .count = (uint8_t)count, .args = {(uint8_t)first, (uint8_t)second}};
}

static void refuses_everywhere(struct table *table, int seat) {
    static const uint8_t unknown[] = {0, WHOS_DEAL_REDEAL + 1, 100, 254};
    for (size_t i = 0; i < sizeof unknown; i++)
        for (int count = 0; count < 3; count++)
            refuses_move(table, seat, raw(unknown[i], count, 1, 1), "BAD_REQUEST", "Unknown move");
    refuses_move(table, seat, raw(WHOS_DEAL_PASS, 1, 0, 0), "BAD_REQUEST", "Unknown move");
    refuses_move(table, seat, raw(WHOS_DEAL_DEFEND, 1, 0, 0), "BAD_REQUEST", "Unknown move");
    refuses_move(table, seat, raw(WHOS_DEAL_REDEAL, 2, 0, 0), "BAD_REQUEST", "Unknown move");
    refuses_move(table, seat, raw(WHOS_DEAL_PLAY, 63, 0, 0), "BAD_REQUEST", "Unknown move");
}

/* WD-12, WD-112: calls of the wrong shape. */
TABLE_TEST(WD_12_malformed_calls_do_not_pass) {
    static const struct move formless[] = {
        {.verb = WHOS_DEAL_ORDER, .count = 0},
        {.verb = WHOS_DEAL_ORDER, .count = 2},
        {.verb = WHOS_DEAL_ORDER, .count = 1, .args = {2}},
        {.verb = WHOS_DEAL_ORDER, .count = 1, .args = {255}},
        {.verb = WHOS_DEAL_CALL, .count = 0, .args = {1, 0}},
        {.verb = WHOS_DEAL_CALL, .count = 1, .args = {1, 0}},
        {.verb = WHOS_DEAL_CALL, .count = 3, .args = {1, 0}},
        {.verb = WHOS_DEAL_CALL, .count = 2, .args = {1, 2}},
    };
    static const struct move calls[] = {
        {.verb = WHOS_DEAL_CALL, .count = 2, .args = {4, 0}},
        {.verb = WHOS_DEAL_CALL, .count = 2, .args = {255, 0}},
        {.verb = WHOS_DEAL_CALL, .count = 2, .args = {0, 0}},
    };
    begin(table, "", SUITS);
    refuses_everywhere(table, 1);
    for (size_t i = 0; i < sizeof formless / sizeof formless[0]; i++)
        refuses_move(table, 1, formless[i], "BAD_REQUEST", "Unknown move");
    table_play(table, PASS_ROUND "1 pass\n2 pass\n3 pass");
    refuses_everywhere(table, 0);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        refuses_move(table, 0, calls[i], "INVALID_SUIT", "Cannot call that suit");
}

/* WD-12, WD-110: cards that do not exist, or more or fewer than one. */
TABLE_TEST(WD_12_malformed_cards_do_not_pass) {
    static const uint8_t odd[] = {24, 31, 32, 33, 64, 254, 255};
    order_by(table, "", 1, "");
    refuses_everywhere(table, 0);
    for (int verb = WHOS_DEAL_DISCARD; verb <= WHOS_DEAL_PLAY; verb++) {
        int seat = verb == WHOS_DEAL_PLAY ? 1 : 0, own = verb == WHOS_DEAL_PLAY ? 6 : 0;
        for (size_t i = 0; i < sizeof odd; i++)
            refuses_move(table, seat, raw(verb, 1, odd[i], 0), "INVALID_CARD", "Card not in hand");
        refuses_move(table, seat, raw(verb, 0, own, 0), "BAD_REQUEST", "Unknown move");
        refuses_move(table, seat, raw(verb, 2, own, own), "BAD_REQUEST", "Unknown move");
        if (verb == WHOS_DEAL_DISCARD)
            table_play(table, "0 discard AS");
    }
    refuses_everywhere(table, 1);
}

/* ---- House rules ---- */

TABLE_TEST(the_turned_card_must_be_kept_if_the_table_says_so) {
    order_by(table, KEEP_UPCARD, 1, "");
    assert_string_equal(table_legal(table, 0),
                        "discard 9S; discard 10S; discard JS; discard QS; discard KS");
    table_refuses(table, "0 discard AS", "MUST_KEEP_UPCARD", "The turned card must be kept");
    table_refuses(table, "1 discard AS", "NOT_DEALER", "Not the dealer");
    not_in_hand(table, "0 discard AH");
    table_play(table, "0 discard KS");
    hand_is(table, 0, "9S 10S JS QS AS");
}

TABLE_TEST(canadian_loner_the_dealers_partner_orders_up_only_alone) {
    begin(table, CANADIAN, SUITS);
    assert_string_equal(table_legal(table, 1), FIRST_MOVES);
    table_play(table, "1 pass");
    assert_string_equal(table_legal(table, 2), "pass; order alone");
    table_refuses(table, "2 order", "MUST_GO_ALONE",
                  "The dealer's partner may order up only alone");
    struct table other = *table;
    table_play(&other, "2 order alone\n0 discard 9S");
    turn_of(&other, 3);
    table_play(table, "2 pass");
    assert_string_equal(table_legal(table, 3), FIRST_MOVES);
    table_play(table, "3 pass");
    assert_string_equal(table_legal(table, 0), FIRST_MOVES);
    table_play(table, "0 pass\n1 pass");
    assert_string_equal(table_legal(table, 2), "pass; " SECOND_MOVES);
    table_play(table, "2 call D");
    phase_is(table, "playing");
}

TABLE_TEST(canadian_loner_follows_the_deal) {
    begin(table, CANADIAN " " NO_STICK, SUITS);
    pass_out(table);
    table_play(table, SUITS "\n2 pass");
    assert_string_equal(table_legal(table, 3), "pass; order alone");
    begin(table, "", SUITS "\n1 pass");
    assert_string_equal(table_legal(table, 2), FIRST_MOVES);
}

/* The defender left of the loner is asked first, then the other one. */
TABLE_TEST(defend_alone_both_defenders_may_say_no) {
    for (int caller = 0; caller < 4; caller++) {
        int first = (caller + 1) % 4, second = (caller + 3) % 4;
        char data[64];
        order_by(table, DEFEND, caller, " alone");
        table_play(table, "0 discard 9S");
        told_types(table, "dealer-discarded hand-updated");
        phase_is(table, "defending");
        turn_of(table, first);
        assert_string_equal(table_legal(table, first), "pass; defend alone");
        assert_string_equal(table_legal(table, second), "");
        play(table, "%d pass", first);
        told_types(table, "trump-action");
        snprintf(data, sizeof data, "{\"seatIndex\":%d,\"action\":\"pass\"}", first);
        told(table, "trump-action", data);
        turn_of(table, second);
        play(table, "%d pass", second);
        told_types(table, "trump-action trump-confirmed trick-started");
        shown(table, "\"aloneDefenderSeatIndex\":null,");
        partner_sits_out(table, caller, first);
    }
}

/* Whoever defends alone plays against the loner; that makes tricks of two cards. */
TABLE_TEST(defend_alone_two_play_and_two_sit_out) {
    for (int caller = 0; caller < 4; caller++) {
        for (int turn = 0; turn < 2; turn++) {
            char data[64];
            int defender = (caller + 1 + 2 * turn) % 4, idle = (caller + 3 - 2 * turn) % 4;
            begin(table, DEFEND, SUITS "\n" PASS_ROUND);
            for (int seat = 1; seat != (caller == 0 ? 4 : caller); seat++)
                play(table, "%d pass", seat);
            play(table, "%d call H alone", caller);
            told_types(table, "trump-action");
            if (turn == 1)
                play(table, "%d pass", idle);
            play(table, "%d defend", defender);
            told_types(table, "trump-action trump-confirmed trick-started");
            snprintf(data, sizeof data, "{\"seatIndex\":%d,\"action\":\"defend-alone\"}", defender);
            told(table, "trump-action", data);
            shown_number(table, "aloneDefenderSeatIndex", defender);
            turn_of(table, defender);
            char line[16];
            snprintf(line, sizeof line, "%d play 9%c", idle, letter(idle));
            table_refuses(table, line, "INACTIVE_PARTNER", "Partner is going alone");
            play_out_without(table, 1u << idle | 1u << ((caller + 2) % 4), 2);
        }
    }
}

/* Against a lone defender a euchre is worth 4; all else stays as it is. */
TABLE_TEST(defend_alone_a_euchre_is_worth_four) {
    static const int callers[] = {0, 0, 0, 1, 1, 4};
    for (int tricks = 0; tricks <= 5; tricks++) {
        table_start(table, &whos_deal_game, DEFEND, 4);
        ladder_deal(table, 0, tricks);
        table_play(table, PASS_ROUND "1 call H alone\n2 defend");
        ladder_play(table, 0);
        assert_int_equal(look(table)->tricks[1], tricks);
        scores_are(table, tricks < 3 ? 4 : 0, callers[tricks]);
        table_start(table, &whos_deal_game, DEFEND, 4);
        ladder_deal(table, 0, tricks);
        table_play(table, PASS_ROUND "1 call H alone\n2 pass\n0 pass");
        ladder_play(table, 0);
        scores_are(table, tricks < 3 ? 2 : 0, callers[tricks]);
    }
}

TABLE_TEST(defend_alone_is_only_against_a_loner_and_only_then) {
    begin(table, DEFEND, SUITS);
    wrong_phase(table, "1 defend");
    table_play(table, PASS_ROUND "1 call H");
    phase_is(table, "playing");
    begin(table, "", SUITS "\n" PASS_ROUND "1 call H alone");
    phase_is(table, "playing");
    begin(table, DEFEND, SUITS "\n" PASS_ROUND "1 call H alone");
    not_your_turn(table, "0 defend");
    not_your_turn(table, "1 defend");
    not_your_turn(table, "3 pass");
    wrong_phase(table, "2 play 9D");
    wrong_phase(table, "2 call D");
    wrong_phase(table, "2 order");
    wrong_phase(table, "0 discard 9S");
    wrong_phase(table, "2 redeal");
    table_play(table, "2 pass");
    not_your_turn(table, "2 defend");
}

/* Seat 1 holds nothing but nines and tens. */
#define FARMER                                                                                     \
    "- deal JS QS KS AS JH / 9S 10S 9H 10H 9D / QH KH AH JD QD / KD AD JC QC KC / AC 10D 9C 10C"

TABLE_TEST(farmers_hand_is_thrown_in_and_the_same_dealer_deals) {
    char data[600];
    begin(table, FARMERS, FARMER);
    assert_string_equal(table_legal(table, 1), FIRST_MOVES "; redeal");
    table_asks(table, 1, "Your call: order it up, or pass");
    table_play(table, "1 redeal");
    told_types(table, "hand-thrown-in");
    snprintf(data, sizeof data, "{\"seatIndex\":1,\"hand\":%s}", cards("9S 10S 9H 10H 9D"));
    told(table, "hand-thrown-in", data);
    captioned(table, "hand-thrown-in", 1, "throw in a hand of nines and tens");
    phase_is(table, "dealing");
    shown(table, "\"turn\":[]");
    wrong_phase(table, "1 redeal");
    table_play(table, SUITS);
    told_types(table, "new-round hand-updated hand-updated hand-updated hand-updated");
    snprintf(data, sizeof data, "{\"dealerSeatIndex\":0,\"faceUpCard\":%s}", card("AS"));
    told(table, "new-round", data);
    turn_of(table, 1);
    scores_are(table, 0, 0);
    assert_string_equal(table_legal(table, 1), FIRST_MOVES);
}

/* Any seat may throw in at its first call. Nines and tens count, and one higher card is one too
 * many. */
TABLE_TEST(farmers_hand_is_nines_and_tens_only) {
    static const char *const farmers[] = {
        "- deal 9S 10S 9H 10H 9D / JS QS KS AS JH / QH KH AH JD QD / KD AD JC QC KC / AC 10D 9C "
        "10C",
        "- deal JS QS KS AS JH / 10D 9C 10C 9H 10H / QH KH AH JD QD / KD AD JC QC KC / AC 9S 10S "
        "9D",
        "- deal JS QS KS AS JH / QH KH AH JD QD / 9S 9H 9D 9C 10C / KD AD JC QC KC / AC 10S 10D "
        "10H",
        "- deal JS QS KS AS JH / QH KH AH JD QD / KD AD JC QC KC / 10S 10H 10D 10C 9S / AC 9H 9D "
        "9C"};
    static const int order[] = {1, 2, 3, 0};
    for (int farmer = 0; farmer < 4; farmer++) {
        begin(table, FARMERS, farmers[farmer]);
        for (int i = 0; order[i] != farmer; i++) {
            assert_string_equal(table_legal(table, order[i]), FIRST_MOVES);
            char line[16];
            snprintf(line, sizeof line, "%d redeal", order[i]);
            table_refuses(table, line, "NO_REDEAL",
                          "Only a hand of nines and tens may be thrown in");
            play(table, "%d pass", order[i]);
        }
        play(table, "%d redeal", farmer);
        phase_is(table, "dealing");
    }
    begin(table, FARMERS,
          "- deal 9D QS KS AS JH / 9S 10S 9H 10H JS / QH KH AH JD QD / KD AD JC QC KC / AC 10D 9C "
          "10C");
    table_refuses(table, "1 redeal", "NO_REDEAL", "Only a hand of nines and tens may be thrown in");
}

TABLE_TEST(farmers_hand_belongs_to_the_first_call_where_it_is_allowed) {
    begin(table, "", FARMER);
    assert_string_equal(table_legal(table, 1), FIRST_MOVES);
    table_refuses(table, "1 redeal", "NO_REDEAL", "Hands are not thrown in at this table");
    begin(table, FARMERS, FARMER);
    assert_true(whos_deal_may_redeal(look(table), 1));
    assert_false(whos_deal_may_redeal(look(table), 2));
    not_your_turn(table, "2 redeal");
    table_play(table, PASS_ROUND);
    assert_false(whos_deal_may_redeal(look(table), 1));
    wrong_phase(table, "1 redeal");
    assert_null(strstr(table_legal(table, 1), "redeal"));
}

/* ---- What is seen ---- */

/* WD-34, WD-35, WD-36: all members in their places, for a player in the middle of a trick; WD-107:
 * who may then play a card. */
TABLE_TEST(WD_34_WD_35_the_view_of_a_player) {
    char wanted[2048];
    begin(table, "targetScore=11", SUITS "\n1 pass\n2 order\n0 discard 9S\n1 play KH");
    int length = snprintf(
        wanted, sizeof wanted,
        "{\"phase\":\"playing\",\"teams\":{\"a\":{\"playerIds\":[\"p0\",\"p2\"],\"score\":0},"
        "\"b\":{\"playerIds\":[\"p1\",\"p3\"],\"score\":0}},"
        "\"seats\":[\"p0\",\"p1\",\"p2\",\"p3\"],\"targetScore\":11,\"dealerSeatIndex\":0,"
        "\"winningTeam\":null,\"round\":{\"trumpPhase\":\"playing\","
        "\"bowers\":{\"right\":\"JS\",\"left\":\"JC\"},\"sittingOutSeatIndexes\":[],"
        "\"ledSuit\":\"hearts\",\"winningSeatIndex\":1,\"outcome\":null,\"pointsAwarded\":null,"
        "\"handCounts\":[5,4,5,5],\"hands\":{\"p2\":%s},"
        "\"held\":[\"KD\",\"QD\",\"JD\",\"10D\",\"9D\"],\"kittyCount\":4,\"kitty\":[],"
        "\"faceUpCard\":%s,",
        cards("9D 10D JD QD KD"), card("AS"));
    length += snprintf(
        wanted + length, sizeof wanted - (size_t)length,
        "\"trumpSuit\":\"spades\",\"callingPlayerId\":\"p2\",\"callingTeam\":\"a\","
        "\"goingAlone\":false,\"alonePlayerId\":null,\"inactivePartnerSeatIndex\":null,"
        "\"aloneDefenderSeatIndex\":null,\"dealerPickedUp\":%s,\"dealerDiscarded\":true,"
        "\"currentTurnSeatIndex\":2,\"passedPlayers\":[\"p1\"],"
        "\"tricks\":[],\"currentTrick\":[{\"playerId\":\"p1\",\"seatIndex\":1,\"card\":%s}],"
        "\"trickLeadSeatIndex\":1,\"tricksWon\":{\"a\":0,\"b\":0},\"tricksPlayed\":0},"
        "\"turn\":[2],\"legal\":[",
        card("AS"), card("KH"));
    static const char *const own[] = {"9D", "10D", "JD", "QD", "KD"};
    for (int i = 0; i < 5; i++)
        length += snprintf(wanted + length, sizeof wanted - (size_t)length,
                           "%s{\"type\":\"play-card\",\"payload\":{\"cardId\":\"%s\"},"
                           "\"move\":\"play %s\",\"preview\":{\"suit\":\"diamonds\","
                           "\"strength\":%d,\"takes\":false}}",
                           i > 0 ? "," : "", own[i], own[i], i + 1);
    snprintf(wanted + length, sizeof wanted - (size_t)length, "]}");
    assert_string_equal(table_view(table, 2), wanted);
}

/* WD-104, WD-105, WD-106, WD-108: legal moves as messages. */
TABLE_TEST(WD_104_to_WD_108_moves_are_messages) {
    begin(table, DEFEND " " FARMERS, FARMER);
    shown_to(table, 1,
             "\"legal\":[{\"type\":\"pass-trump\",\"payload\":{},\"move\":\"pass\"},"
             "{\"type\":\"call-trump\",\"payload\":{\"pickUp\":true,\"goAlone\":false},"
             "\"move\":\"order\"},{\"type\":\"call-trump\",\"payload\":{\"pickUp\":true,"
             "\"goAlone\":true},\"move\":\"order alone\"},"
             "{\"type\":\"redeal\",\"payload\":{},\"move\":\"redeal\"}]");
    struct table second = *table;
    table_play(&second, PASS_ROUND);
    shown_to(&second, 1,
             "{\"type\":\"call-trump\",\"payload\":{\"suit\":\"diamonds\",\"goAlone\":false},"
             "\"move\":\"call D\"},{\"type\":\"call-trump\",\"payload\":{\"suit\":\"diamonds\","
             "\"goAlone\":true},\"move\":\"call D alone\"}");
    table_play(table, "1 order alone");
    shown_to(table, 0,
             "\"legal\":[{\"type\":\"discard\",\"payload\":{\"cardId\":\"JS\"},"
             "\"move\":\"discard JS\","
             "\"preview\":{\"suit\":\"clubs\",\"strength\":23}},");
    table_play(table, "0 discard JS");
    shown_to(table, 2,
             "\"legal\":[{\"type\":\"pass-trump\",\"payload\":{},\"move\":\"pass\"},"
             "{\"type\":\"defend-alone\",\"payload\":{},\"move\":\"defend alone\"}]");
    table_start(table, &whos_deal_game, "targetScore=5", 4);
    team_scores(table, 0, 0, 4);
    team_scores(table, 1, 0, 4);
    shown_to(table, 0, "\"legal\":[{\"type\":\"play-again\",\"move\":\"again\"}]");
}

/* WD-35: the own hand is there, the others and the kitty are not. */
TABLE_TEST(WD_35_nobody_sees_the_hand_of_another) {
    begin(table, "", SUITS);
    shown(table, "\"hands\":{},");
    shown(table, "\"legal\":[]");
    for (int viewer = SPECTATOR; viewer < 4; viewer++)
        kitty_is(table, viewer, "AS ? ? ?");
    hand_is(table, 2, "9D 10D JD QD KD");
    for (int number = 0; number < 24; number++) {
        char id[16];
        snprintf(id, sizeof id, "\"%s\"", all_cards[number]);
        for (int viewer = SPECTATOR; viewer < 4; viewer++)
            if ((ALL_ACES >> number & 1) == 0 && number / 6 != viewer)
                assert_false(table_shows(table, viewer, id));
    }
}

/* WD-52, WD-81: whatever the dealer discards, the others see and hear the same. */
UNIT_TEST(WD_81_nobody_learns_what_the_dealer_discards) {
    struct table one, two;
    order_by(&one, "", 1, "");
    two = one;
    table_play(&one, "0 discard 9S");
    for (size_t i = 0; i < one.events.count; i++) {
        char data[1200];
        const struct event *event = &one.events.item[i];
        snprintf(data, sizeof data, "%.*s", (int)event->data.length, event->data.data);
        assert_true(event->audience == 1 || strstr(data, "9S") == NULL);
    }
    table_play(&two, "0 discard KS");
    for (int viewer = SPECTATOR; viewer < 4; viewer++) {
        struct game_state first, second;
        game_observe(&whos_deal_game, &one.state, viewer, &first);
        game_observe(&whos_deal_game, &two.state, viewer, &second);
        int difference = memcmp(first.bytes, second.bytes, sizeof(struct whos_deal));
        assert_int_equal(difference != 0, viewer == 0);
    }
    struct move move = raw(WHOS_DEAL_DISCARD, 1, 0, 0);
    char words[32];
    struct text text;
    text_begin(&text, words, sizeof words);
    game_print_public(&whos_deal_game, &move, &text);
    assert_string_equal(words, "discard");
    move.verb = WHOS_DEAL_PLAY;
    text_begin(&text, words, sizeof words);
    game_print_public(&whos_deal_game, &move, &text);
    assert_string_equal(words, "play 9S");
}

/* WD-35: hidden cards leave no trace in what is observed. */
UNIT_TEST(WD_35_hidden_cards_leave_no_trace) {
    struct table one, two;
    begin(&one, "", SUITS);
    begin(&two, "",
          "- deal 9S 10S JS QS KS / 9H 10H JH QH KH / 9C 10D JC AC KD / 9D 10C JD QC KC "
          "/ AS AD QD AH");
    for (int viewer = SPECTATOR; viewer < 4; viewer++) {
        struct game_state first, second;
        game_observe(&whos_deal_game, &one.state, viewer, &first);
        game_observe(&whos_deal_game, &two.state, viewer, &second);
        int difference = memcmp(first.bytes, second.bytes, sizeof(struct whos_deal));
        assert_int_equal(difference != 0, viewer >= 2);
    }
}

/* WD-90, WD-97, WD-99: the table in a terminal. */
TABLE_TEST(WD_99_the_terminal_shows_the_table) {
    static const char *const names[] = {"Ann", "Bob", "Cy", "Dee"};
    char screen[1024];
    struct text text;
    table_start(table, &whos_deal_game, "", 4);
    text_begin(&text, screen, sizeof screen);
    game_show(&whos_deal_game, &table->state, SPECTATOR, names, &text);
    assert_string_equal(screen, "  A 0 : 0 B, to 10\n");
    table_play(table, SUITS);
    text_begin(&text, screen, sizeof screen);
    game_show(&whos_deal_game, &table->state, 1, names, &text);
    assert_string_equal(screen, "  A 0 : 0 B, to 10   tricks 0 : 0   turned AS\n"
                                "  A Ann          ## ## ## ## ##  (dealer)\n"
                                "> B Bob          9H 10H JH QH KH\n"
                                "  A Cy           ## ## ## ## ##\n"
                                "  B Dee          ## ## ## ## ##\n");
    table_play(table, "1 order alone\n0 discard AS\n2 play 9D\n0 play 9S");
    text_begin(&text, screen, sizeof screen);
    game_show(&whos_deal_game, &table->state, 3, names, &text);
    assert_string_equal(
        screen,
        "  A 0 : 0 B, to 10   tricks 0 : 0   picked up AS   trump spades, called by Bob alone\n"
        "  A Ann          ## ## ## ##  (dealer)\n"
        "> B Bob          ## ## ## ## ##\n"
        "  A Cy           ## ## ## ##\n"
        "  B Dee          sits out, partner is going alone\n"
        "  trick:   Cy 9D   Ann 9S\n");
    table_play(table, "1 play 9H");
    text_begin(&text, screen, sizeof screen);
    game_show(&whos_deal_game, &table->state, OMNISCIENT, names, &text);
    assert_string_equal(
        screen,
        "  A 0 : 0 B, to 10   tricks 1 : 0   picked up AS   trump spades, called by Bob alone\n"
        "> A Ann          10S JS QS KS  (dealer)\n"
        "  B Bob          10H JH QH KH\n"
        "  A Cy           10D JD QD KD\n"
        "  B Dee          sits out, partner is going alone\n"
        "  last trick:   Cy 9D   Ann 9S   Bob 9H; Ann took it\n");
}

/* WD-2: there are 24 cards at every moment, each in one place. */
TABLE_TEST(WD_2_the_invariant_notices_what_does_not_add_up) {
    struct whos_deal good, bad;
    begin(table, "", BOWERS "1 call H\n1 play 9H");
    memcpy(&good, table->state.bytes, sizeof good);
    assert_true(whos_deal_game.holds(&good));
    bad = good, bad.hand[0] ^= 1;
    assert_false(whos_deal_game.holds(&bad)); /* a card is missing */
    bad = good, bad.hand[1] |= 1;
    assert_false(whos_deal_game.holds(&bad)); /* a card is there twice */
    bad = good, bad.played_cards = 0;
    assert_false(whos_deal_game.holds(&bad));
    bad = good, bad.kitty_cards = 0;
    assert_false(whos_deal_game.holds(&bad));
    bad = good, bad.turn = 4;
    assert_false(whos_deal_game.holds(&bad));
    bad = good, bad.dealer = 4;
    assert_false(whos_deal_game.holds(&bad));
    bad = good, bad.tricks[1] = 1;
    assert_false(whos_deal_game.holds(&bad));
    table_start(table, &whos_deal_game, "", 4);
    memcpy(&bad, table->state.bytes, sizeof bad);
    assert_true(whos_deal_game.holds(&bad));
    bad.phase = WHOS_DEAL_ROUND1;
    assert_false(whos_deal_game.holds(&bad));
}
