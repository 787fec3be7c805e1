/* Terrible People's rules as tests. Deals are written out, so that a test can say who holds what:
 * seat 0 gets the answers 1 to 7, seat 1 gets 8 to 14, seat 2 gets 15 to 21, seat 3 gets 22 to 28.
 * Only a reader can check that the texts name no real persons and hold no slurs. */
#include "games/terrible_people/terrible_people.h"
#include "tests/support.h"

#define HANDS                                                                                      \
    "- deal 1 2 3 4 5 6 7 / 8 9 10 11 12 13 14 / 15 16 17 18 19 20 21 / 22 23 24 25 26 27 28 / "

/* Prompts, named after what a test needs of them. */
#define ONE_BLANK   "P1"
#define BLANK_FIRST "P16"
#define TWO_BLANKS  "P93"
#define ONE_TEXT    "Out of office: I am away until Monday because of ___."
#define TWO_TEXT    "I came for ___ and stayed for ___."
#define ANSWER_8    "a lifetime supply of stolen office pens"
#define ANSWER_9    "a farewell card signed by people who thought it was a birthday"
#define ANSWER_15   "team building among people who avoid each other"
#define FILLED(it)  "Out of office: I am away until Monday because of " it "."
#define ANSWER_22   "working from home, in the sense of being at home"

static void start(struct table *table, const char *options) {
    table_start(table, &terrible_people_game, options, TERRIBLE_SEATS);
}

/* A first round with a one-blank prompt, as above. */
static void start_round(struct table *table) {
    start(table, "targetScore=3");
    table_play(table, HANDS ONE_BLANK);
}

static struct terrible_people *state_of(struct table *table) {
    return (void *)table->state.bytes;
}

static void assert_shows(struct table *table, int viewer, const char *json) {
    if (!table_shows(table, viewer, json))
        fail_msg("seat %d does not see %s in %s", viewer, json, table_view(table, viewer));
}

static void assert_hides(struct table *table, int viewer, const char *json) {
    if (table_shows(table, viewer, json))
        fail_msg("seat %d sees %s in %s", viewer, json, table_view(table, viewer));
}

static void assert_phase(struct table *table, const char *phase) {
    char json[64];
    snprintf(json, sizeof json, "{\"phase\":\"%s\",", phase);
    for (int viewer = OMNISCIENT; viewer < TERRIBLE_SEATS; viewer++)
        assert_shows(table, viewer, json);
}

static void deal_seed(struct table *table, const char *verb, int seed) {
    char line[96];
    snprintf(line, sizeof line, "- %s %064x", verb, (unsigned)seed);
    table_play(table, line);
}

static void play_move(struct table *table, int seat, const struct move *move) {
    events_begin(&table->events, table->buffer, sizeof table->buffer);
    assert_true(game_play(table->game, &table->state, seat, move, &table->events, NULL));
}

/* Everybody who is awaited submits the first cards that fit. */
static void submit_all(struct table *table) {
    for (int seat = 0; seat < TERRIBLE_SEATS; seat++) {
        struct move moves[GAME_LEGAL_MAX];
        if ((game_to_act(table->game, &table->state) >> seat & 1) == 0)
            continue;
        assert_true(game_legal(table->game, &table->state, seat, moves) > 0);
        play_move(table, seat, &moves[0]);
    }
}

/* From the deal to the pick: `winner` takes the round. */
static void play_round(struct table *table, int seed, int winner) {
    deal_seed(table, "deal", seed);
    submit_all(table);
    deal_seed(table, "shuffle", seed);
    const struct terrible_people *state = state_of(table);
    int place = 0;
    while (state->submissions[place].author != winner)
        assert_true(++place < TERRIBLE_SUBMITTERS);
    struct move pick = {.verb = TERRIBLE_PICK, .count = 1, .args = {(uint8_t)(place + 1)}};
    play_move(table, state->judge, &pick);
}

static struct result result_of(const struct table *table) {
    struct result result;
    game_result(table->game, &table->state, &result);
    return result;
}

static void assert_deal_prints(struct table *table, const uint16_t *cards, const char *expected) {
    char words[DEAL_TEXT_SIZE];
    struct text text;
    text_begin(&text, words, sizeof words);
    game_print_deal(table->game, &table->state, cards, &text);
    assert_string_equal(words, expected);
}

static const char *terminal(struct table *table, int viewer) {
    static const char *const names[] = {"Ann", "Bob", "Cy", "Di"};
    static char buffer[4096];
    struct text text;
    text_begin(&text, buffer, sizeof buffer);
    game_show(table->game, &table->state, viewer, names, &text);
    return buffer;
}

/* ---- Seats and judges ---- */

/* TP-1, PL-1, PL-3: four seats, and what the registry tells. */
UNIT_TEST(the_entry_says_what_the_game_is) {
    const struct game *game = &terrible_people_game;
    assert_string_equal(game->id, "terrible-people");
    assert_string_equal(game->name, "Terrible People");
    assert_string_equal(game->icon, "\xF0\x9F\x98\x88");
    assert_ptr_equal(strstr(game->summary, "Fill in the blanks"), game->summary);
    assert_int_equal(game->players_default, 4);
    assert_string_equal(game->table_figures[0], "rounds");
    assert_null(game->table_figures[1]);
    table_refuses_start(game, "", 3, "INVALID_SETTING", "Terrible People needs 4 players, not 3");
    table_refuses_start(game, "", 5, "INVALID_SETTING", "Terrible People needs 4 players, not 5");
}

/* TP-1: the judge is seat 0, then the seat to the left of the last one, round after round. */
TABLE_TEST(the_judge_goes_round_clockwise) {
    start(table, "targetScore=7");
    for (int round = 1; round <= 9; round++) {
        int judge = (round - 1) % 4;
        char json[64];
        deal_seed(table, "deal", round);
        snprintf(json, sizeof json, "\"judge\":%d,", judge);
        for (int viewer = SPECTATOR; viewer < TERRIBLE_SEATS; viewer++)
            assert_shows(table, viewer, json);
        assert_int_equal(game_to_act(table->game, &table->state), 15 & ~(1 << judge));
        assert_string_equal(table_legal(table, judge), "");
        submit_all(table);
        deal_seed(table, "shuffle", round);
        assert_int_equal(game_to_act(table->game, &table->state), 1 << judge);
        play_move(table, judge, &(struct move){.verb = TERRIBLE_PICK, .count = 1, .args = {1}});
        assert_int_equal(table_counts(table, SPECTATOR, 0), 1);
    }
}

/* ---- Prompts, hands, submissions ---- */

/* TP-2: the deal tells everybody the prompt and each seat its own seven cards. */
TABLE_TEST(a_round_starts_with_a_prompt_and_seven_cards) {
    start_round(table);
    table_told(table, "round-started",
               "{\"round\":1,\"judge\":0,\"prompt\":{\"id\":1,\"text\":\"" ONE_TEXT
               "\",\"blanks\":1}}");
    assert_int_equal(table_event(table, "round-started", 0)->audience, EVERYONE);
    assert_int_equal(table->events.count, 5);
    for (int seat = 0; seat < TERRIBLE_SEATS; seat++) {
        const struct event *event = table_event(table, "hand-updated", seat);
        assert_int_equal(event->audience, 1 << seat);
        char expected[1024];
        struct text text;
        text_begin(&text, expected, sizeof expected);
        text_string(&text, "{\"hand\":[");
        for (int card = 7 * seat + 1; card <= 7 * seat + 7; card++) {
            char json[200];
            snprintf(json, sizeof json, "%s{\"id\":%d,\"text\":\"%s\"}", card % 7 == 1 ? "" : ",",
                     card, terrible_answer(card)->text);
            text_string(&text, json);
        }
        text_string(&text, "]}");
        assert_int_equal(event->data.length, strlen(expected));
        assert_memory_equal(event->data.data, expected, strlen(expected));
    }
    assert_shows(
        table, SPECTATOR,
        "\"round\":1,\"targetScore\":3,\"judge\":0,\"prompt\":{\"id\":1,\"text\":\"" ONE_TEXT
        "\",\"blanks\":1},\"capitals\":[false],\"scores\":[0,0,0,0],\"submitted\":[],"
        "\"submissions\":[],"
        "\"ownSubmissionId\":null,\"pickedSubmissionId\":null,\"players\":[{\"id\":\"p0\","
        "\"seatIndex\":0,\"score\":0,\"handCount\":7},{\"id\":\"p1\",\"seatIndex\":1,");
}

/* TP-2: one blank takes one card of the own hand. */
TABLE_TEST(one_blank_takes_one_card) {
    start_round(table);
    assert_string_equal(table_legal(table, 1), "answer 8; answer 9; answer 10; answer 11; "
                                               "answer 12; answer 13; answer 14");
    table_refuses(table, "1 answer", "WRONG_COUNT", "This prompt needs 1 card");
    table_refuses(table, "1 answer 8 9", "WRONG_COUNT", "This prompt needs 1 card");
    table_refuses(table, "1 answer 8 9 10", "WRONG_COUNT", NULL);
    table_refuses(table, "1 answer 15", "INVALID_CARD", "Card not in hand");
    table_play(table, "1 answer 14\n2 answer 15\n3 answer 25");
    assert_shows(table, 1, "\"submitted\":[1,2,3]");
}

/* TP-2: two blanks take two different cards. */
TABLE_TEST(two_blanks_take_two_cards) {
    start(table, "");
    table_play(table, HANDS TWO_BLANKS);
    assert_shows(table, 1, "\"prompt\":{\"id\":93,\"text\":\"" TWO_TEXT "\",\"blanks\":2}");
    const char *legal = table_legal(table, 1);
    assert_ptr_equal(strstr(legal, "answer 8 9; answer 8 10; "), legal);
    assert_non_null(strstr(legal, "; answer 9 8; answer 9 10; "));
    assert_null(strstr(legal, "answer 9 9"));
    table_asks(table, 1, "Choose two answers");
    struct move moves[GAME_LEGAL_MAX];
    assert_int_equal(game_legal(table->game, &table->state, 1, moves), 42);
    table_refuses(table, "1 answer 8", "WRONG_COUNT", "This prompt needs 2 cards");
    table_refuses(table, "1 answer 8 9 10", "WRONG_COUNT", "This prompt needs 2 cards");
    table_refuses(table, "1 answer 8 8", "INVALID_CARD", "A card fills one blank only");
    table_refuses(table, "1 answer 8 15", "INVALID_CARD", "Card not in hand");
    table_refuses(table, "1 answer 15 8", "INVALID_CARD", "Card not in hand");
    table_play(table, "1 answer 9 8");
    assert_int_equal(state_of(table)->hand[1][5], 0);
    assert_int_equal(state_of(table)->hand[1][6], 0);
    assert_shows(table, 1, "\"handCount\":5,\"hand\":[{\"id\":10,");
}

/* TP-2: the first card fills the first blank. */
TABLE_TEST(the_order_of_two_answers_matters) {
    start(table, "");
    table_play(table, HANDS TWO_BLANKS);
    table_play(table, "1 answer 9 8\n2 answer 15 16\n3 answer 22 23\n- shuffle @1 @2 @3");
    assert_shows(table, 0, "\"submissions\":[{\"id\":1,\"cards\":[{\"id\":9,\"text\":\"" ANSWER_9);
    assert_shows(table, 0, ANSWER_9 "\"},{\"id\":8,\"text\":\"" ANSWER_8 "\"}],\"text\":");
    assert_shows(table, 0, "\"I came for " ANSWER_9 " and stayed for " ANSWER_8 ".\"},{\"id\":2,");
}

/* TP-2: an answer tells everybody who is done, and its writer what is left. */
TABLE_TEST(submitting_tells_who_but_not_what) {
    start_round(table);
    table_play(table, "2 answer 15");
    table_told(table, "answer-submitted", "{\"seatIndex\":2}");
    assert_int_equal(table_event(table, "answer-submitted", 0)->audience, EVERYONE);
    const struct event *hand = table_event(table, "hand-updated", 0);
    assert_int_equal(hand->audience, 1 << 2);
    assert_memory_equal(hand->data.data, "{\"hand\":[{\"id\":16,", 18);
    assert_int_equal(table->events.count, 2);
    assert_shows(table, 0, "\"submitted\":[2],\"submissions\":[],\"ownSubmissionId\":null");
    assert_shows(table, 0, "\"turn\":[1,3]");
    assert_shows(table, 0, "\"seatIndex\":2,\"score\":0,\"handCount\":6}");
    assert_shows(table, 2, "\"submissions\":[{\"id\":2,\"cards\":[{\"id\":15,\"text\":");
    assert_shows(table, 2, "\"}],\"text\":\"" FILLED(ANSWER_15) "\",\"seatIndex\":2}]");
    assert_shows(table, OMNISCIENT, ANSWER_15);
    assert_shows(table, 1,
                 "\"legal\":[{\"type\":\"submit\",\"payload\":{\"cardIds\":[8]},"
                 "\"move\":\"answer 8\"},");
}

/* ---- The reveal and the pick ---- */

/* Brings a round to the judge: submission 1 is seat 2's, 2 is seat 3's, 3 is seat 1's. */
static void reach_the_judge(struct table *table) {
    start_round(table);
    table_play(table, "3 answer 22\n1 answer 8\n2 answer 15\n- shuffle @2 @3 @1");
}

/* The list of submissions that reach_the_judge leads to, with or without their authors. */
static const char *revealed(bool named) {
    static const int cards[] = {15, 22, 8}, authors[] = {2, 3, 1};
    static char list[1024];
    struct text text;
    text_begin(&text, list, sizeof list);
    text_string(&text, "\"submissions\":[");
    for (int i = 0; i < TERRIBLE_SUBMITTERS; i++) {
        const char *words = terrible_answer(cards[i])->text;
        char item[400], author[24] = "";
        if (named)
            snprintf(author, sizeof author, ",\"seatIndex\":%d", authors[i]);
        snprintf(
            item, sizeof item,
            "%s{\"id\":%d,\"cards\":[{\"id\":%d,\"text\":\"%s\"}],\"text\":\"" FILLED("%s") "\"%s}",
            i > 0 ? "," : "", i + 1, cards[i], words, words, author);
        text_string(&text, item);
    }
    text_char(&text, ']');
    assert_false(text.cut);
    return list;
}

/* TP-3: once all are in, and not before, the submissions are shown, without names, mixed. */
TABLE_TEST(submissions_are_revealed_when_all_are_in) {
    start_round(table);
    table_play(table, "3 answer 22\n1 answer 8");
    table_refuses(table, "- shuffle @2 @3 @1", "WRONG_PHASE", NULL);
    table_play(table, "2 answer 15");
    assert_int_equal(game_to_act(table->game, &table->state), AWAITS_SHUFFLE);
    for (int viewer = SPECTATOR; viewer < TERRIBLE_SEATS; viewer++)
        assert_shows(table, viewer, "\"turn\":[],\"legal\":[]");
    table_play(table, "- shuffle @2 @3 @1");
    char expected[1024];
    snprintf(expected, sizeof expected, "{%s}", revealed(false));
    table_told(table, "submissions-revealed", expected);
    assert_int_equal(table_event(table, "submissions-revealed", 0)->audience, EVERYONE);
    assert_int_equal(table->events.count, 1);
    for (int viewer = SPECTATOR; viewer < TERRIBLE_SEATS; viewer++)
        assert_shows(table, viewer, revealed(false));
    assert_shows(table, 0,
                 "\"turn\":[0],\"legal\":[{\"type\":\"judge\",\"payload\":{\"submissionId\":1},"
                 "\"move\":\"pick 1\"},{\"type\":\"judge\",\"payload\":{\"submissionId\":2},");
    assert_string_equal(table_legal(table, 0), "pick 1; pick 2; pick 3");
    assert_string_equal(table_legal(table, 1), "");
}

/* TP-3: the owner of the picked submission, and nobody else, gets one point. */
TABLE_TEST(the_pick_gives_its_owner_a_point) {
    static const char *const scores[] = {"[0,0,1,0]", "[0,0,0,1]", "[0,1,0,0]"};
    static const int owner[] = {2, 3, 1};
    for (int pick = 1; pick <= 3; pick++) {
        char line[16], json[64];
        reach_the_judge(table);
        snprintf(line, sizeof line, "0 pick %d", pick);
        table_play(table, line);
        snprintf(json, sizeof json, "\"scores\":%s,", scores[pick - 1]);
        assert_shows(table, SPECTATOR, json);
        snprintf(json, sizeof json, "\"ownSubmissionId\":null,\"pickedSubmissionId\":%d,", pick);
        assert_shows(table, 1, json);
        for (int seat = 0; seat < TERRIBLE_SEATS; seat++)
            assert_int_equal(result_of(table).score[seat], seat == owner[pick - 1]);
    }
}

/* TP-3, TP-6: after the pick everybody is told the authors. */
TABLE_TEST(the_pick_reveals_the_authors) {
    reach_the_judge(table);
    table_play(table, "0 pick 3");
    char expected[1024];
    snprintf(expected, sizeof expected,
             "{\"submissionId\":3,\"seatIndex\":1,%s,\"scores\":[0,1,0,0],\"isGameOver\":false}",
             revealed(true));
    table_told(table, "round-over", expected);
    const struct event *over = table_event(table, "round-over", 0);
    assert_int_equal(over->audience, EVERYONE);
    assert_true(over->seat == 1 && span_is(over->caption, "win the round"));
    assert_int_equal(table->events.count, 1);
    for (int viewer = OMNISCIENT; viewer < TERRIBLE_SEATS; viewer++)
        assert_shows(table, viewer, revealed(true));
}

/* TP-3: some seeds lead to each of the six orders, whoever was first to submit. */
TABLE_TEST(every_order_of_the_reveal_occurs) {
    static const char *const answers[] = {"1 answer 8\n2 answer 15\n3 answer 22",
                                          "3 answer 22\n2 answer 15\n1 answer 8"};
    for (int way = 0; way < 2; way++) {
        int seen[64] = {0};
        start_round(table);
        table_play(table, answers[way]);
        struct game_state before = table->state;
        for (int seed = 0; seed < 600; seed++) {
            table->state = before;
            deal_seed(table, "shuffle", seed);
            const struct terrible_submission *item = state_of(table)->submissions;
            seen[item[0].author * 16 + item[1].author * 4 + item[2].author]++;
        }
        static const int orders[] = {0x1b, 0x1e, 0x27, 0x2d, 0x36, 0x39};
        for (int i = 0; i < 6; i++)
            assert_in_range(seen[orders[i]], 60, 140);
    }
}

/* ---- Refills, discards, recycling ---- */

/* TP-4: hands are filled up to seven, the judge's own stays as it is. */
TABLE_TEST(hands_refill_to_seven) {
    reach_the_judge(table);
    table_play(table, "0 pick 3");
    table_play(table, "- deal / 40 / 41 / 42 / P2");
    assert_shows(table, 0, "\"round\":2,\"targetScore\":3,\"judge\":1,\"prompt\":{\"id\":2,");
    assert_shows(table, 0,
                 "\"submitted\":[],\"submissions\":[],\"ownSubmissionId\":null,"
                 "\"pickedSubmissionId\":null");
    assert_string_equal(table_legal(table, 0), "answer 1; answer 2; answer 3; answer 4; answer 5; "
                                               "answer 6; answer 7");
    assert_string_equal(table_legal(table, 2), "answer 16; answer 17; answer 18; answer 19; "
                                               "answer 20; answer 21; answer 41");
    for (int seat = 0; seat < TERRIBLE_SEATS; seat++)
        assert_int_equal(state_of(table)->hand_count[seat], 7);
    assert_int_equal(state_of(table)->hand[1][6], 40);
    assert_int_equal(state_of(table)->hand[3][6], 42);
}

/* TP-1, TP-6: seat 0 is a player like the others as soon as it is not the judge. */
TABLE_TEST(seat_zero_submits_in_the_second_round) {
    reach_the_judge(table);
    table_play(table, "0 pick 3\n- deal / 40 / 41 / 42 / P2");
    table_refuses(table, "1 answer 9", "JUDGE_CANNOT_SUBMIT", NULL);
    table_refuses(table, "0 answer 0", "INVALID_CARD", NULL);
    table_refuses(table, "0 answer one", "INVALID_CARD", NULL);
    assert_non_null(strstr(terminal(table, 0), terrible_answer(7)->text));
    table_play(table, "0 answer 1");
    assert_shows(table, 3, "\"submitted\":[0],\"submissions\":[],");
    assert_shows(table, 0, "\"submitted\":[0],\"submissions\":[{\"id\":3,");
    table_play(table, "2 answer 16\n3 answer 23");
    static const uint16_t order[] = {TERRIBLE_SEAT + 3, TERRIBLE_SEAT, TERRIBLE_SEAT + 2};
    assert_deal_prints(table, order, "shuffle @3 @0 @2");
    table_play(table, "- shuffle @3 @0 @2");
    assert_shows(table, 0, "\"ownSubmissionId\":2,");
    assert_shows(table, 1, "\"ownSubmissionId\":null,");
    table_refuses(table, "0 pick 1", "NOT_THE_JUDGE", NULL);
    table_play(table, "1 pick 2");
    assert_shows(table, 0, "\"scores\":[1,1,0,0],");
}

/* TP-4: what lies in a hand, in a submission or in the discard is not dealt. */
TABLE_TEST(used_cards_are_not_dealt) {
    reach_the_judge(table);
    table_play(table, "0 pick 3");
    table_refuses(table, "- deal / 8 / 41 / 42 / P2", "INVALID_DEAL", "No 8 is left in the deck");
    table_refuses(table, "- deal / 40 / 22 / 42 / P2", "INVALID_DEAL", NULL);
    table_refuses(table, "- deal / 40 / 1 / 42 / P2", "INVALID_DEAL", NULL);
    table_refuses(table, "- deal / 40 / 40 / 42 / P2", "INVALID_DEAL", NULL);
    table_refuses(table, "- deal / 40 / 41 / 42 / P1", "INVALID_DEAL", "No P1 is left in the deck");
    table_refuses(table, "- deal 43 / 40 / 41 / 42 / P2", "INVALID_DEAL",
                  "Part 1 of the deal has 1 cards, it needs 0");
    table_play(table, "- deal / 40 / 41 / 42 / p2");
}

/* TP-4, PL-27: deals that make no sense. */
TABLE_TEST(wrong_deals_are_refused) {
    static const char *const ends[] = {"P0", "P126", "@1", "29", "P", "x", "P1 P2", "P1 / 29", ""};
    start(table, "");
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        char line[160];
        snprintf(line, sizeof line, HANDS "%s", ends[i]);
        table_refuses(table, line, "INVALID_DEAL", NULL);
    }
    table_refuses(table,
                  "- deal 0 2 3 4 5 6 7 / 8 9 10 11 12 13 14 / 15 16 17 18 19 20 21 / "
                  "22 23 24 25 26 27 28 / P1",
                  "INVALID_DEAL", "Unknown card '0'");
    table_refuses(table, "- deal 476", "INVALID_DEAL", "Unknown card '476'");
    table_refuses(table, "- deal @0", "INVALID_DEAL", "No @0 is left in the deck");
    table_refuses(table,
                  "- deal P1 2 3 4 5 6 7 / 8 9 10 11 12 13 14 / 15 16 17 18 19 20 21 / "
                  "22 23 24 25 26 27 28 / P2",
                  "INVALID_DEAL", NULL);
    table_refuses(table, "- shuffle @1 @2 @3", "WRONG_PHASE", NULL);
    table_play(table, HANDS ONE_BLANK);
    table_refuses(table, HANDS "P2", "WRONG_PHASE", NULL);
    table_play(table, "1 answer 8\n2 answer 15\n3 answer 22");
    table_refuses(table, "- deal / 40 / 41 / 42 / P2", "WRONG_PHASE", NULL);
    table_refuses(table, "- shuffle @0 @1 @2", "INVALID_DEAL", NULL);
    table_refuses(table, "- shuffle @1 @2 @4", "INVALID_DEAL", "Unknown card '@4'");
    table_refuses(table, "- shuffle @1 @1 @2", "INVALID_DEAL", NULL);
    table_refuses(table, "- shuffle @1 @2", "INVALID_DEAL", NULL);
    table_refuses(table, "- shuffle @-1 @2 @3", "INVALID_DEAL", NULL);
}

/* Deals are written as they are read. */
TABLE_TEST(deals_print_as_they_read) {
    struct deal deal;
    start(table, "");
    game_deck(table->game, &table->state, &deal);
    assert_deal_prints(table, deal.cards, &(HANDS "P1")[2]);
    start_round(table);
    table_play(table, "1 answer 8\n2 answer 15\n3 answer 22");
    static const uint16_t order[] = {TERRIBLE_SEAT + 3, TERRIBLE_SEAT + 1, TERRIBLE_SEAT + 2};
    assert_deal_prints(table, order, "shuffle @3 @1 @2");
}

/* What the test itself remembers of the cards, to be compared with what the game deals. */
struct memory {
    bool held[TERRIBLE_ANSWERS_MAX + 1];
    bool discarded[TERRIBLE_ANSWERS_MAX + 1];
    bool used[TERRIBLE_PROMPTS_MAX + 1];
    int last_prompt;
    int answer_recycles, prompt_recycles;
};

static int count_true(const bool *items, int count) {
    int sum = 0;
    for (int i = 1; i <= count; i++)
        sum += items[i];
    return sum;
}

/* TP-4: only when the deck has too few does the discard come back, and then all of it. */
static void expect_deal(struct memory *memory) {
    int held = count_true(memory->held, terrible_answer_count);
    int stock = terrible_answer_count - held - count_true(memory->discarded, terrible_answer_count);
    if (stock < TERRIBLE_SEATS * TERRIBLE_HAND - held) {
        memset(memory->discarded, 0, sizeof memory->discarded);
        memory->answer_recycles++;
    }
    if (count_true(memory->used, terrible_prompt_count) == terrible_prompt_count) {
        memset(memory->used, 0, sizeof memory->used);
        memory->prompt_recycles++;
    }
}

/* Every card in a hand is new to this memory or was there before, and stands in one hand only. */
static void compare_hands(struct memory *memory, const struct terrible_people *state) {
    bool now[TERRIBLE_ANSWERS_MAX + 1] = {false};
    for (int seat = 0; seat < TERRIBLE_SEATS; seat++) {
        assert_int_equal(state->hand_count[seat], TERRIBLE_HAND);
        for (int i = 0; i < TERRIBLE_HAND; i++) {
            int card = state->hand[seat][i];
            assert_in_range(card, 1, terrible_answer_count);
            assert_false(now[card]);
            assert_false(memory->discarded[card]);
            now[card] = true;
        }
    }
    for (int card = 1; card <= terrible_answer_count; card++)
        assert_true(now[card] || !memory->held[card]);
    memcpy(memory->held, now, sizeof now);
}

static void compare_prompt(struct memory *memory, const struct terrible_people *state) {
    assert_in_range(state->prompt, 1, terrible_prompt_count);
    assert_false(memory->used[state->prompt]);
    assert_int_not_equal(state->prompt, memory->last_prompt);
    memory->used[state->prompt] = true;
    memory->last_prompt = state->prompt;
}

static void discard_submissions(struct memory *memory, const struct terrible_people *state) {
    for (int i = 0; i < TERRIBLE_SUBMITTERS; i++)
        for (int j = 0; j < terrible_blanks(state->prompt); j++) {
            int card = state->submissions[i].cards[j];
            assert_true(memory->held[card]);
            memory->held[card] = false;
            memory->discarded[card] = true;
        }
}

/* Cards that were discarded have been seen by everybody, so they are public. */
static void assert_discard_is_public(struct table *table, const struct memory *memory) {
    struct game_state seen;
    game_observe(table->game, &table->state, SPECTATOR, &seen);
    const struct terrible_people *state = (const void *)seen.bytes;
    for (int card = 0; card <= terrible_answer_count; card++)
        assert_int_equal(state->discarded[card / 8] >> card % 8 & 1, memory->discarded[card]);
    for (int prompt = 1; prompt <= terrible_prompt_count; prompt++)
        assert_int_equal(state->prompts_used[prompt / 8] >> prompt % 8 & 1, memory->used[prompt]);
}

/* TP-4: over hundreds of rounds no card is twice in play, both decks come round again and again,
 * and each time every card was used before. A game to 7 is over after 25 rounds at the most and
 * cannot use up a deck, so the target is raised by hand. */
TABLE_TEST(decks_that_run_out_are_recycled) {
    static struct memory memory;
    memset(&memory, 0, sizeof memory);
    start(table, "");
    state_of(table)->target = 255;
    for (int round = 1; round <= 420; round++) {
        expect_deal(&memory);
        deal_seed(table, "deal", round);
        compare_hands(&memory, state_of(table));
        compare_prompt(&memory, state_of(table));
        submit_all(table);
        deal_seed(table, "shuffle", round);
        discard_submissions(&memory, state_of(table));
        struct move moves[GAME_LEGAL_MAX];
        int judge = state_of(table)->judge;
        assert_int_equal(game_legal(table->game, &table->state, judge, moves), 3);
        play_move(table, judge, &moves[round % 3]);
        assert_discard_is_public(table, &memory);
        assert_phase(table, "round_over");
    }
    assert_true(memory.answer_recycles >= 3);
    assert_int_equal(memory.prompt_recycles, 420 / terrible_prompt_count);
}

/* Discards everything but `left` cards, as would happen in a very long game. */
static void run_deck_down(struct table *table, int left) {
    struct terrible_people *state = state_of(table);
    for (int card = terrible_answer_count; card > 28; card--)
        if (left-- <= 0)
            state->discarded[card / 8] = (uint8_t)(state->discarded[card / 8] | 1 << card % 8);
}

/* TP-4: exactly enough cards are still enough; one less brings the discard back. */
TABLE_TEST(the_discard_returns_only_when_needed) {
    reach_the_judge(table);
    table_play(table, "0 pick 3");
    run_deck_down(table, 3);
    table_refuses(table, "- deal / 8 / 474 / 475 / P2", "INVALID_DEAL", NULL);
    table_play(table, "- deal / 473 / 474 / 475 / P2");
    reach_the_judge(table);
    table_play(table, "0 pick 3");
    run_deck_down(table, 2);
    table_refuses(table, "- deal / 9 / 474 / 475 / P2", "INVALID_DEAL", NULL);
    table_play(table, "- deal / 8 / 474 / 40 / P2");
    table_play(table, "0 answer 1\n2 answer 474\n3 answer 40\n- shuffle @3 @2 @0\n1 pick 1");
    table_play(table, "- deal 22 / / 15 / 473 / P3");
    assert_int_equal(state_of(table)->judge, 2);
}

/* TP-4: when all prompts were used all come back, but for the one just played. */
TABLE_TEST(prompts_return_when_all_were_used) {
    static const char *const last[] = {"P1", "P125", "P60"};
    reach_the_judge(table);
    table_play(table, "0 pick 3");
    struct game_state before = table->state;
    memset(state_of(table)->prompts_used, 255, sizeof state_of(table)->prompts_used);
    for (int i = 0; i < 3; i++) {
        char line[48];
        struct table copy = *table;
        state_of(&copy)->prompt = 30;
        table_refuses(&copy, "- deal / 40 / 41 / 42 / P30", "INVALID_DEAL", NULL);
        snprintf(line, sizeof line, "- deal / 40 / 41 / 42 / %s", last[i]);
        table_play(&copy, line);
    }
    table->state = before;
    state_of(table)->prompts_used[30 / 8] = 1 << 30 % 8;
    table_refuses(table, "- deal / 40 / 41 / 42 / P30", "INVALID_DEAL", NULL);
}

/* ---- The target ---- */

/* TP-5: 3, 5 or 7, by default 5. */
TABLE_TEST(the_target_is_three_five_or_seven) {
    static const char *const bad[] = {"1", "2",  "4",  "6",   "8",     "0",    "-3",
                                      "",  "10", "33", "3.0", "three", "true", "5,7"};
    start(table, "");
    assert_shows(table, 0, "\"targetScore\":5,");
    start(table, "targetScore=3");
    assert_shows(table, 0, "\"targetScore\":3,");
    start(table, "targetScore=7");
    assert_shows(table, 0, "\"targetScore\":7,");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char options[40];
        snprintf(options, sizeof options, "targetScore=%s", bad[i]);
        table_refuses_start(&terrible_people_game, options, 4, "INVALID_SETTING",
                            "Invalid target score");
    }
    table_refuses_start(&terrible_people_game, "hand=7", 4, "INVALID_SETTING", NULL);
}

/* The lobby's form is made from the table of options. */
UNIT_TEST(the_lobby_offers_the_targets) {
    char buffer[1024];
    struct json json;
    json_begin(&json, buffer, sizeof buffer);
    json_put_object(&json, NULL);
    option_table_json(&terrible_people_game.options, &json);
    json_put_end(&json);
    assert_string_equal(buffer,
                        "{\"presets\":[],\"options\":[{\"key\":\"targetScore\",\"label\":\"Points "
                        "to win\",\"help\":\"The first player with this many rounds won wins the "
                        "game.\",\"type\":\"choice\",\"values\":[3,5,7],\"default\":5}]}");
}

/* TP-5: nobody wins one point early, and nobody has to play on. */
TABLE_TEST(the_first_to_the_target_wins) {
    static const char *const options[] = {"targetScore=3", "targetScore=5", "targetScore=7"};
    for (int target = 3; target <= 7; target += 2) {
        start(table, options[(target - 3) / 2]);
        int round = 0, points[2] = {0, 0};
        while (points[0] < target) { /* seat 0 wins when it may, else seat 3 or 1 */
            int judge = round % 4;
            play_round(table, round, judge == 0 ? 1 + round / 4 % 3 : 0);
            round++;
            points[judge == 0] += 1;
            assert_phase(table, points[0] < target ? "round_over" : "game_over");
            assert_int_equal(result_of(table).over, points[0] == target);
            assert_int_equal(result_of(table).winners, points[0] == target ? 1 : 0);
        }
        assert_int_equal(result_of(table).score[0], target);
        assert_int_equal(result_of(table).sides, 4);
        for (int seat = 0; seat < TERRIBLE_SEATS; seat++)
            assert_int_equal(result_of(table).side_of[seat], seat);
        assert_int_equal(game_to_act(table->game, &table->state), 0);
    }
}

/* The view tells who won each round, once that is known, for the plot of the scores. */
TABLE_TEST(the_view_tells_who_won_each_round) {
    start(table, "targetScore=3");
    assert_shows(table, 1, "\"roundWinners\":[]");
    play_round(table, 1, 2);
    assert_shows(table, 1, "\"roundWinners\":[2]");
    play_round(table, 2, 0);
    deal_seed(table, "deal", 3);
    submit_all(table);
    assert_shows(table, SPECTATOR, "\"roundWinners\":[2,0]");
    deal_seed(table, "shuffle", 3);
    assert_shows(table, 2, "\"roundWinners\":[2,0]");
}

/* A game to 3 that seat 3 wins in three rounds. */
static void play_short_game(struct table *table) {
    start(table, "targetScore=3");
    for (int round = 1; round <= 3; round++)
        play_round(table, round, 3);
}

/* TP-5, TP-9: the last pick ends the round and the game at once. */
TABLE_TEST(the_end_is_told_with_the_last_pick) {
    play_short_game(table);
    table_told(table, "game-over", "{\"winner\":3,\"scores\":[0,0,0,3]}");
    assert_int_equal(table_event(table, "game-over", 0)->audience, EVERYONE);
    assert_int_equal(table->events.count, 2);
    const struct event *round = table_event(table, "round-over", 0);
    static const char tail[] = ",\"scores\":[0,0,0,3],\"isGameOver\":true}";
    assert_memory_equal(round->data.data + round->data.length - strlen(tail), tail, strlen(tail));
    assert_phase(table, "game_over");
    assert_shows(table, SPECTATOR, "\"turn\":[],\"legal\":[]");
    assert_shows(table, 0, "\"legal\":[{\"type\":\"play-again\",\"move\":\"again\"}]");
}

/* TP-5: another game with the same target, from nothing. */
UNIT_TEST(play_again_starts_from_nothing) {
    struct table table, fresh;
    start(&fresh, "targetScore=3");
    play_short_game(&table);
    table_refuses(&table, "4 again", "NOT_A_MEMBER", NULL);
    table_play(&table, "2 again");
    assert_memory_equal(table.state.bytes, fresh.state.bytes, sizeof(struct terrible_people));
    assert_phase(&table, "dealing");
    assert_shows(&table, 0, "\"prompt\":null,\"capitals\":[],\"scores\":[0,0,0,0]");
    table_play(&table, HANDS ONE_BLANK);
    assert_shows(&table, 0, "\"round\":1,\"targetScore\":3,\"judge\":0,");
    table_refuses(&table, "0 again", "WRONG_PHASE", NULL);
}

/* ---- Roles, finality, secrets ---- */

/* TP-6, PL-28: the judge does not submit. */
TABLE_TEST(the_judge_cannot_submit) {
    start_round(table);
    table_refuses(table, "0 answer 1", "JUDGE_CANNOT_SUBMIT", "The judge does not submit");
    table_refuses(table, "0 answer 99 98 97", "JUDGE_CANNOT_SUBMIT", NULL);
    table_play(table, "1 answer 8");
    table_refuses(table, "0 answer 1", "JUDGE_CANNOT_SUBMIT", NULL);
}

/* TP-6, PL-28: submitters do not judge. */
TABLE_TEST(submitters_cannot_judge) {
    reach_the_judge(table);
    for (int seat = 1; seat < TERRIBLE_SEATS; seat++) {
        char line[16];
        snprintf(line, sizeof line, "%d pick 1", seat);
        table_refuses(table, line, "NOT_THE_JUDGE", "Only the judge picks");
    }
    table_refuses(table, "1 pick 9", "NOT_THE_JUDGE", NULL);
}

/* TP-6: a submission is final. */
TABLE_TEST(a_submission_is_final) {
    start_round(table);
    table_play(table, "1 answer 8");
    table_refuses(table, "1 answer 9", "ALREADY_SUBMITTED", "Your submission is final");
    table_refuses(table, "1 answer 8", "ALREADY_SUBMITTED", NULL);
    table_refuses(table, "1 answer", "ALREADY_SUBMITTED", NULL);
    assert_string_equal(table_legal(table, 1), "");
    table_play(table, "2 answer 15\n3 answer 22");
    table_refuses(table, "1 answer 9", "WRONG_PHASE", NULL);
    table_play(table, "- shuffle @1 @2 @3");
    table_refuses(table, "1 answer 9", "WRONG_PHASE", NULL);
    table_refuses(table, "0 answer 1", "WRONG_PHASE", NULL);
}

/* TP-6: nobody sees a card in another's hand. */
TABLE_TEST(hands_are_private) {
    start_round(table);
    for (int viewer = SPECTATOR; viewer < TERRIBLE_SEATS; viewer++)
        for (int card = 1; card <= 28; card++) {
            char json[32];
            snprintf(json, sizeof json, "{\"id\":%d,\"text\":", card);
            bool own = viewer == (card - 1) / 7;
            assert_int_equal(table_shows(table, viewer, json), own || card == 1);
            assert_int_equal(table_shows(table, viewer, terrible_answer(card)->text), own);
        }
    for (int card = 1; card <= 28; card++)
        assert_shows(table, OMNISCIENT, terrible_answer(card)->text);
}

/* TP-6: before all are in, only its writer sees a submission, in views and in the log. */
TABLE_TEST(submissions_are_sealed_until_all_are_in) {
    start_round(table);
    table_play(table, "1 answer 8\n2 answer 15");
    for (int viewer = SPECTATOR; viewer < TERRIBLE_SEATS; viewer++) {
        assert_int_equal(table_shows(table, viewer, ANSWER_8), viewer == 1);
        assert_int_equal(table_shows(table, viewer, ANSWER_15), viewer == 2);
    }
    table_play(table, "3 answer 22");
    for (int viewer = SPECTATOR; viewer < TERRIBLE_SEATS; viewer++)
        assert_int_equal(table_shows(table, viewer, ANSWER_22), viewer == 3);
    struct move answer = {.verb = TERRIBLE_ANSWER, .count = 2, .args = {22}};
    struct move pick = {.verb = TERRIBLE_PICK, .count = 1, .args = {2}};
    char words[MOVE_TEXT_SIZE];
    struct text text;
    text_begin(&text, words, sizeof words);
    game_print_public(table->game, &answer, &text);
    assert_string_equal(words, "answer");
    text_begin(&text, words, sizeof words);
    game_print_public(table->game, &pick, &text);
    assert_string_equal(words, "pick 2");
}

/* TP-6: the same three sentences in the same order, but seats 1 and 2 have changed places as their
 * authors: who is neither of them can tell no difference. */
UNIT_TEST(authors_are_hidden_until_the_pick) {
    static struct table one, other;
    static char view[1 << 16];
    start_round(&one);
    table_play(&one, "1 answer 8\n2 answer 15\n3 answer 22\n- shuffle @2 @3 @1");
    start(&other, "targetScore=3");
    table_play(&other, "- deal 1 2 3 4 5 6 7 / 15 16 17 18 19 20 21 / 8 9 10 11 12 13 14 / "
                       "22 23 24 25 26 27 28 / P1\n"
                       "1 answer 15\n2 answer 8\n3 answer 22\n- shuffle @1 @3 @2");
    static const int viewers[] = {SPECTATOR, 0, 3};
    for (int i = 0; i < 3; i++) {
        snprintf(view, sizeof view, "%s", table_view(&one, viewers[i]));
        assert_string_equal(view, table_view(&other, viewers[i]));
        struct game_state seen_one, seen_other;
        game_observe(one.game, &one.state, viewers[i], &seen_one);
        game_observe(other.game, &other.state, viewers[i], &seen_other);
        assert_memory_equal(seen_one.bytes, seen_other.bytes, sizeof(struct terrible_people));
    }
    assert_int_equal(one.events.json.text.length, other.events.json.text.length);
    assert_memory_equal(one.buffer, other.buffer, one.events.json.text.length);
    assert_null(strstr(one.buffer, "seatIndex"));
    assert_hides(&one, 3, "\"text\":\"" FILLED(ANSWER_8) "\",\"seatIndex\"");
    assert_shows(&one, OMNISCIENT, "\"text\":\"" FILLED(ANSWER_8) "\",\"seatIndex\":1");
}

/* TP-6: each writer is told which one is the own; the judge and those who watch are not. */
TABLE_TEST(writers_know_their_own) {
    reach_the_judge(table);
    assert_shows(table, 2, "\"ownSubmissionId\":1,\"pickedSubmissionId\":null");
    assert_shows(table, 3, "\"ownSubmissionId\":2,");
    assert_shows(table, 1, "\"ownSubmissionId\":3,");
    assert_shows(table, 0, "\"ownSubmissionId\":null,");
    assert_shows(table, SPECTATOR, "\"ownSubmissionId\":null,");
}

/* What a bot may imagine agrees with all it sees. */
static void assert_samples_agree(struct table *table, struct chance *chance) {
    for (int seat = 0; seat < TERRIBLE_SEATS; seat++) {
        struct game_state seen, sample, again;
        game_observe(table->game, &table->state, seat, &seen);
        game_sample(table->game, &seen, seat, chance, &sample);
        game_observe(table->game, &sample, seat, &again);
        assert_memory_equal(seen.bytes, again.bytes, sizeof(struct terrible_people));
        assert_int_equal(game_to_act(table->game, &sample),
                         game_to_act(table->game, &table->state));
        const struct terrible_people *state = (const void *)sample.bytes;
        for (int i = 0; i < TERRIBLE_SUBMITTERS; i++)
            for (int j = 0; j < TERRIBLE_BLANKS_MAX; j++)
                assert_int_equal(state->submissions[i].cards[j] != 0,
                                 state_of(table)->submissions[i].cards[j] != 0);
        for (int other = 0; other < TERRIBLE_SEATS; other++)
            for (int i = 0; i < state->hand_count[other]; i++)
                assert_in_range(state->hand[other][i], 1, terrible_answer_count);
    }
}

/* TP-6: a sample fits what its seat knows at every step, with one blank and with two. */
TABLE_TEST(samples_fit_what_is_known) {
    static const char *const rounds[] = {
        HANDS ONE_BLANK "\n1 answer 8\n2 answer 15\n3 answer 22\n- shuffle @3 @1 @2\n0 pick 2",
        HANDS TWO_BLANKS
        "\n3 answer 24 22\n1 answer 9 8\n2 answer 15 20\n- shuffle @2 @3 @1\n0 pick 1",
        HANDS ONE_BLANK "\n1 answer 8\n2 answer 15\n3 answer 22\n- shuffle @3 @1 @2\n0 pick 2\n"
                        "- deal / 40 / 41 / 42 / P2\n0 answer 1\n3 answer 42\n2 answer 41\n"
                        "- shuffle @0 @2 @3\n1 pick 3"};
    struct chance chance;
    chance_start_number(&chance, 3, 0);
    for (size_t i = 0; i < sizeof rounds / sizeof rounds[0]; i++) {
        start(table, "");
        assert_samples_agree(table, &chance);
        for (const char *line = rounds[i]; line; line = strchr(line, '\n')) {
            char one[200];
            line += *line == '\n';
            snprintf(one, sizeof one, "%.*s", (int)strcspn(line, "\n"), line);
            table_play(table, one);
            for (int repeat = 0; repeat < 20; repeat++)
                assert_samples_agree(table, &chance);
        }
    }
}

/* TP-4: nobody imagines a discarded card in a hand, even when little else is left. */
TABLE_TEST(samples_leave_the_discard_alone) {
    struct chance chance;
    chance_start_number(&chance, 8, 0);
    reach_the_judge(table);
    table_play(table, "0 pick 3");
    run_deck_down(table, 5);
    table_play(table, "- deal / 473 / 474 / 475 / P2");
    assert_samples_agree(table, &chance);
    table_play(table, "0 answer 1\n2 answer 16\n3 answer 475");
    assert_samples_agree(table, &chance);
}

/* TP-6: what a seat cannot know is every unseen card alike: over many samples each turns up. */
TABLE_TEST(samples_vary_in_what_is_hidden) {
    struct chance chance;
    struct game_state seen, sample;
    bool met[TERRIBLE_ANSWERS_MAX + 1] = {false};
    chance_start_number(&chance, 6, 0);
    start(table, "");
    table_play(table, HANDS ONE_BLANK "\n1 answer 8");
    game_observe(table->game, &table->state, 3, &seen);
    for (int i = 0; i < 2000; i++) {
        game_sample(table->game, &seen, 3, &chance, &sample);
        const struct terrible_people *state = (const void *)sample.bytes;
        met[state->hand[0][0]] = true;
        met[state->hand[1][5]] = true;
        met[state->hand[2][0]] = true;
        met[state->hand[2][6]] = true;
        met[state->submissions[0].cards[0]] = true;
    }
    for (int card = 1; card <= terrible_answer_count; card++)
        if (card < 22 || card > 28)
            assert_true(met[card]);
        else
            assert_false(met[card]);
}

/* TP-6: over many samples a judge imagines the authors in each of the six ways. */
TABLE_TEST(samples_do_not_know_the_authors) {
    struct chance chance;
    struct game_state seen, sample;
    int written[TERRIBLE_SUBMITTERS][TERRIBLE_SEATS] = {{0}};
    chance_start_number(&chance, 5, 0);
    reach_the_judge(table);
    game_observe(table->game, &table->state, 0, &seen);
    for (int i = 0; i < 300; i++) {
        game_sample(table->game, &seen, 0, &chance, &sample);
        const struct terrible_people *state = (const void *)sample.bytes;
        for (int place = 0; place < TERRIBLE_SUBMITTERS; place++)
            written[place][state->submissions[place].author]++;
    }
    for (int place = 0; place < TERRIBLE_SUBMITTERS; place++)
        for (int seat = 1; seat < TERRIBLE_SEATS; seat++)
            assert_in_range(written[place][seat], 60, 140);
}

/* ---- Refusals ---- */

/* TP-6, PL-23, PL-28: each move has its phase. */
TABLE_TEST(moves_wait_for_their_phase) {
    start(table, "targetScore=3");
    table_refuses(table, "1 answer 8", "WRONG_PHASE", "Wrong phase");
    table_refuses(table, "0 pick 1", "WRONG_PHASE", NULL);
    table_refuses(table, "0 again", "WRONG_PHASE", NULL);
    table_play(table, HANDS ONE_BLANK);
    table_refuses(table, "0 pick 1", "WRONG_PHASE", NULL);
    table_refuses(table, "1 pick 1", "WRONG_PHASE", NULL);
    table_play(table, "1 answer 8\n2 answer 15\n3 answer 22");
    table_refuses(table, "0 pick 1", "WRONG_PHASE", NULL);
    table_play(table, "- shuffle @1 @2 @3\n0 pick 1");
    table_refuses(table, "0 pick 2", "WRONG_PHASE", NULL);
    table_refuses(table, "1 answer 9", "WRONG_PHASE", NULL);
    play_short_game(table);
    table_refuses(table, "2 pick 1", "WRONG_PHASE", NULL);
    table_refuses(table, "1 answer 9", "WRONG_PHASE", NULL);
    table_refuses(table, "- deal / 40 / 41 / 42 / P2", "WRONG_PHASE", NULL);
}

/* PL-27, PL-28: what is no submission from 1 to 3. */
TABLE_TEST(a_bad_pick_is_refused) {
    static const char *const lines[] = {"0 pick",     "0 pick 0",   "0 pick 4",  "0 pick 255",
                                        "0 pick 256", "0 pick 257", "0 pick -1", "0 pick one",
                                        "0 pick 1.0", "0 pick 1x",  "0 pick @1"};
    reach_the_judge(table);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        table_refuses(table, lines[i], "INVALID_SUBMISSION", "Choose a submission from 1 to 3");
    table_refuses(table, "0 pick 1 2", "BAD_REQUEST", NULL);
    table_play(table, "0 pick 3");
}

/* PL-27, PL-28: what is no card of the own hand, or is too much. */
TABLE_TEST(a_bad_card_is_refused) {
    static const char *const lines[] = {"1 answer 0",     "1 answer 1",   "1 answer 29",
                                        "1 answer 475",   "1 answer 476", "1 answer 65535",
                                        "1 answer 65544", "1 answer -8",  "1 answer eight",
                                        "1 answer 8x",    "1 answer P1",  "1 answer 264"};
    start_round(table);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        table_refuses(table, lines[i], "INVALID_CARD", "Card not in hand");
    table_refuses(table, "1 answer 8 9 10 11", "WRONG_COUNT", NULL);
    table_refuses(table, "1 reply 8", "BAD_REQUEST",
                  "Unknown move 'reply'; try: answer 17, pick 2");
    table_refuses(table, "1", "BAD_REQUEST", "A move is missing");
    table_refuses(table, "4 answer 8", "NOT_A_MEMBER", NULL);
    table_refuses(table, "- answer 8", "BAD_REQUEST", NULL);
}

static void assert_check_refuses(const struct table *table, int seat, struct move move,
                                 const char *code) {
    struct refusal why = {0};
    assert_false(game_check(table->game, &table->state, seat, &move, &why));
    assert_string_equal(why.code, code);
}

/* PL-27: the same for moves that were never written as text. */
TABLE_TEST(a_malformed_move_is_refused) {
    start_round(table);
    assert_check_refuses(table, 1, (struct move){.verb = 0, .count = 2, .args = {8}},
                         "BAD_REQUEST");
    assert_check_refuses(table, 1, (struct move){.verb = 3, .count = 2, .args = {8}},
                         "BAD_REQUEST");
    assert_check_refuses(table, 1, (struct move){.verb = 1, .count = 0, .args = {8}},
                         "WRONG_COUNT");
    assert_check_refuses(table, 1, (struct move){.verb = 1, .count = 2, .args = {8}},
                         "WRONG_COUNT");
    assert_check_refuses(table, 1, (struct move){.verb = 1, .count = 1, .args = {0x108}},
                         "INVALID_CARD");
    reach_the_judge(table);
    assert_check_refuses(table, 0, (struct move){.verb = 2, .count = 0, .args = {1}},
                         "BAD_REQUEST");
    assert_check_refuses(table, 0, (struct move){.verb = 2, .count = 2, .args = {1, 1}},
                         "BAD_REQUEST");
    struct refusal why;
    assert_false(game_check(table->game, &table->state, 0, &(struct move){.verb = 9}, &why));
    assert_string_equal(why.text, "Unknown move");
}

/* Answers with numbers beyond 255. */
TABLE_TEST(high_cards_are_named_like_others) {
    start(table, "");
    table_play(table, "- deal 1 2 3 4 5 6 7 / 255 256 257 300 400 474 475 / 15 16 17 18 19 20 21 / "
                      "22 23 24 25 26 27 28 / P93");
    assert_non_null(strstr(table_legal(table, 1), "answer 256 475; "));
    table_play(table, "1 answer 300 257");
    assert_shows(table, 1, "\"submissions\":[{\"id\":1,\"cards\":[{\"id\":300,");
    assert_shows(table, 1, "\"handCount\":5,\"hand\":[{\"id\":255,");
}

/* A game without a listener for events is the same game. */
TABLE_TEST(events_change_nothing) {
    static const char *const lines[] = {"1 answer 8", "2 answer 15", "3 answer 22",
                                        "- shuffle @2 @3 @1", "0 pick 3"};
    start_round(table);
    struct game_state quiet;
    struct table before;
    start(&before, "targetScore=3");
    quiet = before.state;
    assert_true(
        game_play_text(table->game, &quiet, NATURE, span_of(&(HANDS ONE_BLANK)[2]), NULL, NULL));
    for (int i = 0; i < 5; i++) {
        int seat = lines[i][0] == '-' ? NATURE : lines[i][0] - '0';
        table_play(table, lines[i]);
        assert_true(game_play_text(table->game, &quiet, seat, span_of(lines[i] + 2), NULL, NULL));
        assert_memory_equal(quiet.bytes, table->state.bytes, sizeof(struct terrible_people));
    }
}

/* ---- Phases ---- */

/* TP-9: submitting, judging, round_over and again, game_over. */
TABLE_TEST(phases_follow_each_other) {
    start_round(table);
    assert_phase(table, "submitting");
    table_play(table, "1 answer 8\n2 answer 15");
    assert_phase(table, "submitting");
    table_play(table, "3 answer 22");
    assert_phase(table, "submitting");
    table_play(table, "- shuffle @1 @2 @3");
    assert_phase(table, "judging");
    table_play(table, "0 pick 1");
    assert_phase(table, "round_over");
    assert_int_equal(game_to_act(table->game, &table->state), AWAITS_NATURE);
    table_play(table, "- deal / 40 / 41 / 42 / P2");
    assert_phase(table, "submitting");
    play_short_game(table);
    assert_phase(table, "game_over");
}

/* TP-9: the end of a round stays on show for a while; nothing else makes people wait. */
TABLE_TEST(the_end_of_a_round_is_timed) {
    reach_the_judge(table);
    struct pace pace = game_pace(table->game, &table->state);
    assert_int_equal(pace.show_ms, 0);
    assert_int_equal(pace.bot_delay_ms_min, 1500);
    assert_int_equal(pace.bot_delay_ms_max, 3000);
    table_play(table, "0 pick 1");
    assert_int_equal(game_pace(table->game, &table->state).show_ms, 5000);
    play_short_game(table);
    assert_int_equal(game_pace(table->game, &table->state).show_ms, 0);
}

/* ---- In a terminal ---- */

#define SCORES "  Ann 0 (judge)  Bob 0  Cy 0  Di 0 \n"

/* TP-6: in a terminal, too, a seat sees its own hand only, and the judge none of the authors. */
TABLE_TEST(the_terminal_shows_what_the_seat_knows) {
    char expected[2048];
    start(table, "");
    assert_string_equal(terminal(table, 1), SCORES);
    table_play(table, "- deal 1 2 3 4 5 6 7 / 8 10 9 100 101 99 102 / 15 16 17 18 19 20 21 / "
                      "22 23 24 25 26 27 28 / P1");
    assert_string_equal(terminal(table, 0), SCORES "  " ONE_TEXT "\n");
    assert_string_equal(terminal(table, SPECTATOR), SCORES "  " ONE_TEXT "\n");
    table_play(table, "1 answer 101");
    snprintf(expected, sizeof expected,
             SCORES "  " ONE_TEXT "\n    8   %s\n    10  %s\n    9   %s\n    100 %s\n    99  %s\n"
                    "    102 %s\n",
             ANSWER_8, terrible_answer(10)->text, ANSWER_9, terrible_answer(100)->text,
             terrible_answer(99)->text, terrible_answer(102)->text);
    assert_string_equal(terminal(table, 1), expected);
    reach_the_judge(table);
    snprintf(expected, sizeof expected, SCORES "  " ONE_TEXT "\n    1  %s\n    2  %s\n    3  %s\n",
             FILLED(ANSWER_15), FILLED(ANSWER_22), FILLED(ANSWER_8));
    assert_string_equal(terminal(table, 0), expected);
    table_play(table, "0 pick 2");
    snprintf(expected, sizeof expected,
             "  Ann 0 (judge)  Bob 0  Cy 0  Di 1 \n  " ONE_TEXT
             "\n    1  %s  (Cy)\n  * 2  %s  (Di)\n    3  %s  (Bob)\n",
             FILLED(ANSWER_15), FILLED(ANSWER_22), FILLED(ANSWER_8));
    assert_string_equal(terminal(table, 0), expected);
}

static bool holds(const struct terrible_people *state) {
    return terrible_people_game.holds(state);
}

/* The invariants notice states that only a mistake of ours could make. */
TABLE_TEST(impossible_states_do_not_hold) {
    reach_the_judge(table);
    struct terrible_people good = *state_of(table), bad;
    assert_true(holds(&good));
    bad = good, bad.phase = TERRIBLE_GAME_OVER + 1;
    assert_false(holds(&bad));
    bad = good, bad.judge = 4;
    assert_false(holds(&bad));
    bad = good, bad.score[2] = 1;
    assert_false(holds(&bad));
    bad = good, bad.round = 2;
    assert_false(holds(&bad));
    bad = good, bad.hand[1][0] = bad.hand[2][0]; /* in two hands */
    assert_false(holds(&bad));
    bad = good, bad.submissions[0].cards[0] = bad.hand[0][0]; /* in a hand and submitted */
    assert_false(holds(&bad));
    bad = good, bad.discarded[0] = 2; /* in a hand and discarded */
    assert_false(holds(&bad));
    bad = good, bad.discarded[1] = 1; /* submitted and discarded */
    assert_false(holds(&bad));
    bad = good, bad.phase = TERRIBLE_DEALING; /* cards before the first deal */
    assert_false(holds(&bad));
}

/* ---- The texts ---- */

static bool same_ignoring_case(const char *a, const char *b) {
    for (; *a && *b; a++, b++) {
        char small_a = (char)(*a >= 'A' && *a <= 'Z' ? *a + 32 : *a);
        char small_b = (char)(*b >= 'A' && *b <= 'Z' ? *b + 32 : *b);
        if (small_a != small_b)
            return false;
    }
    return *a == *b;
}

static void assert_no_duplicates(const struct terrible_card *cards, int count) {
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            if (same_ignoring_case(cards[i].text, cards[j].text))
                fail_msg("%d and %d are the same: %s", j + 1, i + 1, cards[i].text);
}

/* Printable ASCII, no blanks around it or doubled, nothing that JSON would have to escape. */
static void assert_clean(const char *text) {
    size_t length = strlen(text);
    assert_true(length > 0 && text[0] != ' ' && text[length - 1] != ' ');
    assert_null(strstr(text, "  "));
    for (size_t i = 0; i < length; i++)
        if (text[i] < ' ' || text[i] > '~' || text[i] == '"' || text[i] == '\\')
            fail_msg("%s has an unexpected character", text);
}

/* How many of each tag; every card has one at least. */
static void count_tags(const struct terrible_card *cards, int count, int tags[TERRIBLE_TAGS]) {
    memset(tags, 0, TERRIBLE_TAGS * sizeof tags[0]);
    for (int i = 0; i < count; i++) {
        assert_int_not_equal(cards[i].tags, 0);
        for (int tag = 0; tag < TERRIBLE_TAGS; tag++)
            tags[tag] += cards[i].tags >> tag & 1;
    }
}

/* TP-8, TP-2: enough prompts, a quarter with two blanks; sentences with an end. */
UNIT_TEST(prompts_are_sentences_with_blanks) {
    int twos = 0;
    assert_true(terrible_prompt_count >= 100);
    for (int prompt = 1; prompt <= terrible_prompt_count; prompt++) {
        const char *text = terrible_prompt(prompt)->text;
        assert_clean(text);
        assert_non_null(strchr(".!?", text[strlen(text) - 1]));
        int underscores = 0;
        for (const char *at = text; *at; at++)
            underscores += *at == '_';
        int blanks = terrible_blanks(prompt);
        assert_in_range(blanks, 1, TERRIBLE_BLANKS_MAX);
        assert_int_equal(underscores, 3 * blanks);
        assert_null(strstr(text, "____"));
        assert_true((text[0] < 'a' || text[0] > 'z'));
        twos += blanks == 2;
    }
    assert_true(4 * twos >= terrible_prompt_count);
    assert_true(twos < terrible_prompt_count);
    assert_no_duplicates(terrible_prompts, terrible_prompt_count);
}

/* TP-8: enough answers; they fit into a sentence, so they do not end one. */
UNIT_TEST(answers_fit_into_a_sentence) {
    assert_true(terrible_answer_count >= 400);
    for (int card = 1; card <= terrible_answer_count; card++) {
        const struct terrible_card *answer = terrible_answer(card);
        assert_clean(answer->text);
        assert_null(strchr(answer->text, '_'));
        if (strchr(".,;:!?", answer->text[strlen(answer->text) - 1]))
            fail_msg("%s ends like a sentence", answer->text);
        assert_true(answer->punch <= 3);
    }
    assert_no_duplicates(terrible_answers, terrible_answer_count);
}

/* TP-8: every subject is written about; bots find what goes together by it. */
UNIT_TEST(every_subject_has_prompts_and_answers) {
    int tags[TERRIBLE_TAGS];
    count_tags(terrible_prompts, terrible_prompt_count, tags);
    for (int tag = 0; tag < TERRIBLE_TAGS; tag++)
        assert_true(tags[tag] > 0);
    count_tags(terrible_answers, terrible_answer_count, tags);
    for (int tag = 0; tag < TERRIBLE_TAGS; tag++)
        assert_true(tags[tag] > 0);
}

/* TP-8: even the longest answers in the longest prompt fit where sentences are kept. */
UNIT_TEST(every_sentence_fits) {
    uint16_t longest[TERRIBLE_BLANKS_MAX] = {1, 1};
    for (int card = 1; card <= terrible_answer_count; card++)
        if (strlen(terrible_answer(card)->text) > strlen(terrible_answer(longest[0])->text))
            longest[0] = longest[1] = (uint16_t)card;
    for (int prompt = 1; prompt <= terrible_prompt_count; prompt++) {
        char buffer[TERRIBLE_TEXT_SIZE];
        struct text text;
        text_begin(&text, buffer, sizeof buffer);
        terrible_fill(prompt, longest, &text);
        assert_false(text.cut);
        assert_null(strstr(buffer, "___"));
    }
}

static void assert_filled(int prompt, uint16_t first, uint16_t second, const char *expected) {
    const uint16_t cards[TERRIBLE_BLANKS_MAX] = {first, second};
    char buffer[TERRIBLE_TEXT_SIZE];
    struct text text;
    text_begin(&text, buffer, sizeof buffer);
    terrible_fill(prompt, cards, &text);
    assert_string_equal(buffer, expected);
}

/* TP-2: a filled blank that starts the sentence has a capital letter, others stay as they are. */
TABLE_TEST(sentences_start_with_a_capital) {
    assert_filled(16, 8, 0, "A lifetime supply of stolen office pens ruined brunch for everybody.");
    assert_filled(16, 466, 0, "Sunday evening ruined brunch for everybody.");
    assert_filled(1, 8, 0, FILLED(ANSWER_8));
    assert_filled(1, 466, 0, FILLED("Sunday evening"));
    assert_filled(93, 8, 9, "I came for " ANSWER_8 " and stayed for " ANSWER_9 ".");
    start(table, "");
    table_play(table, HANDS BLANK_FIRST "\n1 answer 8");
    assert_shows(table, 1, "\"text\":\"A lifetime supply of stolen office pens ruined brunch");
    assert_shows(table, 1, "\"capitals\":[true],");
}
