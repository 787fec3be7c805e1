/* Terrible People: chance, long games, samples and the texts; the rules are told in stories.txt.
 * Deals are written out, so that a test can say who holds what: seat 0 gets the answers 1 to 7,
 * seat 1 gets 8 to 14, seat 2 gets 15 to 21, seat 3 gets 22 to 28. Only a reader can check that the
 * texts name no real persons and hold no slurs. */
#include "games/terrible_people/terrible_people.h"
#include "tests/support.h"

#define HANDS                                                                                      \
    "- deal 1 2 3 4 5 6 7 / 8 9 10 11 12 13 14 / 15 16 17 18 19 20 21 / 22 23 24 25 26 27 28 / "

/* Prompts, named after what a test needs of them. */
#define ONE_BLANK  "P1"
#define TWO_BLANKS "P93"
#define ANSWER_8   "a lifetime supply of stolen office pens"
#define ANSWER_9   "a farewell card signed by people who thought it was a birthday"
#define FILLED(it) "Out of office: I am away until Monday because of " it "."

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

static void assert_deal_prints(struct table *table, const uint16_t *cards, const char *expected) {
    char words[DEAL_TEXT_SIZE];
    struct text text = text_in(words, sizeof words);
    game_print_deal(table->game, &table->state, cards, &text);
    assert_string_equal(words, expected);
}

/* ---- The reveal and the pick ---- */

/* Brings a round to the judge: submission 1 is seat 2's, 2 is seat 3's, 3 is seat 1's. */
static void reach_the_judge(struct table *table) {
    start_round(table);
    table_play(table, "3 answer 22\n1 answer 8\n2 answer 15\n- shuffle @2 @3 @1");
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

/* Equal states have equal bytes. */
TABLE_TEST(places_without_a_card_are_zero) {
    start(table, "");
    table_play(table, HANDS TWO_BLANKS "\n1 answer 9 8");
    assert_int_equal(state_of(table)->hand[1][5], 0);
    assert_int_equal(state_of(table)->hand[1][6], 0);
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
    table_play(table, "- shuffle @3 @1 @2\n0 pick 3\n- deal / 40 / 41 / 42 / P2\n"
                      "0 answer 1\n2 answer 16\n3 answer 23");
    static const uint16_t with_seat_0[] = {TERRIBLE_SEAT + 3, TERRIBLE_SEAT, TERRIBLE_SEAT + 2};
    assert_deal_prints(table, with_seat_0, "shuffle @3 @0 @2");
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
        assert_true(table_shows(table, SPECTATOR, "{\"phase\":\"round_over\","));
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

/* The lobby's form is made from the table of options. */
UNIT_TEST(the_lobby_offers_the_targets) {
    char buffer[1024];
    struct json json = json_in(buffer, sizeof buffer);
    json_put_object(&json, NULL);
    option_table_json(&terrible_people_game.options, &json);
    json_put_end(&json);
    assert_string_equal(buffer,
                        "{\"presets\":[],\"options\":[{\"key\":\"targetScore\",\"label\":\"Points "
                        "to win\",\"help\":\"The first player with this many rounds won wins the "
                        "game.\",\"type\":\"choice\",\"values\":[3,5,7],\"default\":5}]}");
}

/* ---- Roles, finality, secrets ---- */

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
        assert_true(table_shows(table, OMNISCIENT, terrible_answer(card)->text));
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

/* The invariants notice states that only a mistake of ours could make. */
TABLE_TEST(impossible_states_do_not_hold) {
    const struct game game = terrible_people_game;
    reach_the_judge(table);
    struct terrible_people good = *state_of(table);
    assert_true(game.holds(&good));
    assert_breaks(game, good, bad.phase = TERRIBLE_GAME_OVER + 1);
    assert_breaks(game, good, bad.judge = 4);
    assert_breaks(game, good, bad.score[2] = 1);
    assert_breaks(game, good, bad.round = 2);
    assert_breaks(game, good, bad.hand[1][0] = bad.hand[2][0]);              /* in two hands */
    assert_breaks(game, good, bad.submissions[0].cards[0] = bad.hand[0][0]); /* also submitted */
    assert_breaks(game, good, bad.discarded[0] = 2);         /* in a hand and discarded */
    assert_breaks(game, good, bad.discarded[1] = 1);         /* submitted and discarded */
    assert_breaks(game, good, bad.phase = TERRIBLE_DEALING); /* cards before the first deal */
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
        struct text text = text_in(buffer, sizeof buffer);
        terrible_fill(prompt, longest, &text);
        assert_false(text.cut);
        assert_null(strstr(buffer, "___"));
    }
}

static void assert_filled(int prompt, uint16_t first, uint16_t second, const char *expected) {
    const uint16_t cards[TERRIBLE_BLANKS_MAX] = {first, second};
    char buffer[TERRIBLE_TEXT_SIZE];
    struct text text = text_in(buffer, sizeof buffer);
    terrible_fill(prompt, cards, &text);
    assert_string_equal(buffer, expected);
}

/* TP-2: a filled blank that starts the sentence has a capital letter, others stay as they are. */
UNIT_TEST(sentences_start_with_a_capital) {
    assert_filled(16, 8, 0, "A lifetime supply of stolen office pens ruined brunch for everybody.");
    assert_filled(16, 466, 0, "Sunday evening ruined brunch for everybody.");
    assert_filled(1, 8, 0, FILLED(ANSWER_8));
    assert_filled(1, 466, 0, FILLED("Sunday evening"));
    assert_filled(93, 8, 9, "I came for " ANSWER_8 " and stayed for " ANSWER_9 ".");
}
