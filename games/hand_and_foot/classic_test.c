/* Hand & Foot, preset classic: what no story can tell. Bounds, options that the ranges do not
 * allow, samples, and play that tries to get stuck. */
#include "games/hand_and_foot/test_support.h"

/* ---- Cards and bounds ---- */

/* HF-7: rank, suit, wild and three are told by the card itself. */
UNIT_TEST(HF_7_wilds_and_threes) {
    for (int card = 0; card < CARD_KINDS; card++) {
        int rank = card == CARD_JOKER ? 0 : card_rank(card);
        assert_int_equal(hand_foot_is_wild(card), card == CARD_JOKER || rank == 2);
        assert_int_equal(hand_foot_is_three(card), rank == 3);
        bool red = card >= card_of(2, CARD_HEARTS) && card <= card_of(14, CARD_DIAMONDS);
        assert_int_equal(hand_foot_is_red_three(card), rank == 3 && red);
        assert_int_equal(hand_foot_rank(card), card == CARD_JOKER ? 2 : rank);
    }
}

/* HF-51: plays ask whether wilds fit, bots how many do; under every limit it is one rule. */
TABLE_TEST(the_limit_of_wilds_is_one_rule) {
    begin(table, "", 2);
    static const int of_seven[] = {
        [WILDS_EQUAL] = 7, [WILDS_FEWER] = 6, [WILDS_TWO] = 2, [WILDS_THREE] = 3};
    for (int16_t limit = WILDS_EQUAL; limit <= WILDS_THREE; limit++) {
        edit(table)->rules[RULE_WILD_LIMIT] = limit;
        struct book_rules rules = book_rules_of(edit(table)->rules);
        for (int naturals = GROUP_NATURALS_MIN; naturals <= 9; naturals++)
            for (int wilds = 0; wilds <= 9; wilds++)
                assert_int_equal(book_wilds_fit(&rules, naturals, wilds),
                                 wilds <= book_wilds_most(&rules, naturals));
        assert_int_equal(book_wilds_most(&rules, 2), limit == WILDS_FEWER ? 1 : 2);
        assert_int_equal(book_wilds_most(&rules, 7), of_seven[limit]);
    }
}

TABLE_TEST(moves_are_bounded) {
    begin(table, "booksPerRank=any wildBooks=yes", 2);
    melding(table, 0, "KH KS KD 3S");
    edit(table)->melded[0] = true;
    edit(table)->book_count = HAND_FOOT_BOOKS_MAX;
    for (int i = 0; i < HAND_FOOT_BOOKS_MAX; i++)
        edit(table)->books[i].side = 1;
    char text[64];
    snprintf(text, sizeof text, "The table holds at most %d books", HAND_FOOT_BOOKS_MAX);
    table_refuses(table, "0 meld KH KS KD", "TOO_MANY_BOOKS", text);
    assert_null(strstr(table_legal(table, 0), "meld"));
    char line[512] = "0 meld";
    for (int i = 0; i < MOVE_ARGS_MAX + 1; i++)
        snprintf(line + strlen(line), sizeof line - strlen(line), " KH");
    table_refuses(table, line, "TOO_MANY_CARDS", NULL);
}

/* ---- Undo, and an answer ---- */

TABLE_TEST(house_rule_undo) {
    begin_in_foot(table, "", "KH KS KD 9S 9H");
    table_refuses(table, "0 undo", "UNDO_DISABLED", "Undo is switched off at this table");
    begin_in_foot(table, "undo=yes", "KH KS KD 9S");
    table_refuses(table, "0 undo", "NOTHING_TO_UNDO", "There is nothing to undo");
    struct game_state before = table->state;
    table_play(table, "0 meld KH KS KD"); /* one card left, but undo helps */
    table_refuses(table, "0 discard 9S", "CANNOT_GO_OUT",
                  "Need Clean Book: 7+ cards with NO wilds; Need Dirty Book: 7+ cards WITH wilds; "
                  "undo a play of this turn");
    table_play(table, "0 undo");
    table_told(table, "play-undone", "{\"seatIndex\":0,\"count\":3}");
    assert_int_equal(hand_foot_shown(edit(table), 0, card_of(CARD_KING, CARD_HEARTS)), 1);
    memset(edit(table)->shown, 0, sizeof edit(table)->shown); /* which everybody has seen now */
    assert_memory_equal(before.bytes, table->state.bytes, hand_and_foot_game.state_size);
}

/* HF-36: what the seat finds in the pile is the answer to its move. */
TABLE_TEST(HF_36_who_takes_the_pile_is_answered) {
    before_pile(table, "", "KH KS 9S 8S", "3S 4H KD");
    table_play(table, "0 take KH KS");
    assert_true(table_event(table, "discard-unlocked", 0)->answers);
}

/* ---- Options that do not go together ---- */

/* The ranges of the options cannot lead to these two, but the limit must hold all the same. */
UNIT_TEST(cards_that_do_not_fit) {
    struct options options;
    struct refusal why;
    options_default(&hand_and_foot_game.options, &options);
    assert_true(hand_foot_rules_fit(options.slot, 4, &why));
    options.slot[RULE_DECKS] = 10;
    assert_false(hand_foot_rules_fit(options.slot, 4, &why));
    assert_string_equal(why.text, "560 cards are too many; at most 504 can be held");
    options.slot[RULE_DECKS] = 5;
    options.slot[RULE_HAND_SIZE + 1] = 40;
    options.slot[RULE_FOOT_SIZE + 1] = 29; /* 276 dealt, one turned, two to draw: 279 of 280 */
    assert_true(hand_foot_rules_fit(options.slot, 4, &why));
    options.slot[RULE_FOOT_SIZE + 1] = 30;
    assert_false(hand_foot_rules_fit(options.slot, 4, &why));
    assert_string_equal(why.text, "The deal needs 283 cards, but there are 280");
    options.slot[RULE_FOOT_SIZE] = 2; /* a later round may be smaller; the largest counts */
    options.slot[RULE_FOOT_SIZE + 2] = 11;
    assert_false(hand_foot_rules_fit(options.slot, 4, &why));
}

/* ---- Views ---- */

/* A sample is a whole state that looks the same, with other hidden cards. */
TABLE_TEST(samples_agree_with_what_is_seen) {
    struct chance chance;
    struct game_state seen, sample, again;
    begin(table, "layRedThrees=yes", 3);
    set_hand(table, 0, "KH 9S JK 3H 3H");
    set_book(table, 1, "QH QS 2S JK");
    set_pile(table, "10S JS");
    edit(table)->turn_phase = HAND_FOOT_TURN_MELD;
    table_play(table, "0 lay 3H");
    edit(table)->turn_phase = HAND_FOOT_TURN_DRAW; /* then every card is counted */
    chance_start_number(&chance, 1, 0);
    game_observe(&hand_and_foot_game, &table->state, 0, &seen);
    game_sample(&hand_and_foot_game, &seen, 0, &chance, &sample);
    assert_memory_not_equal(sample.bytes, table->state.bytes, hand_and_foot_game.state_size);
    game_observe(&hand_and_foot_game, &sample, 0, &again);
    assert_memory_equal(again.bytes, seen.bytes, hand_and_foot_game.state_size);
}

/* What everybody knows of the hands, kept from the public record alone: who took which cards from
 * the pile, and what was laid or discarded since. */
struct witness {
    uint8_t pile[HAND_FOOT_CARDS_MAX];
    int pile_count;
    uint8_t held[SEATS_MAX][CARD_KINDS];
    /* Since the discards were last shuffled under the stock: */
    bool shuffled;
    uint8_t under[CARD_KINDS];  /* what was shuffled */
    int elsewhere[CARD_KINDS];  /* copies that nobody saw then and that have not come to light */
    int drawn[SEATS_MAX];       /* cards drawn since, if the hand was not used up */
    int never_seen[CARD_KINDS]; /* copies that nobody saw at any such time of the round */
};

static void witness_plays(struct witness *witness, int seat, const uint16_t *cards, int count) {
    for (int i = 0; i < count; i++) {
        if (cards[i] >= CARD_KINDS)
            continue;
        if (witness->held[seat][cards[i]] > 0)
            witness->held[seat][cards[i]]--;
        else if (witness->drawn[seat] == 0 || witness->under[cards[i]] == 0)
            witness->elsewhere[cards[i]]--;
    }
}

/* The discards are about to be shuffled; books are read from the state, where they lie open. */
static void witness_shuffle(struct witness *witness, const struct hand_and_foot *before) {
    uint8_t open[CARD_KINDS] = {0};
    for (int i = 0; i < before->book_count; i++)
        hand_foot_add_book_cards(&before->books[i], open);
    for (int side = 0; side < before->sides; side++)
        for (int i = 0; i < 2; i++)
            open[card_of(3, CARD_HEARTS + i)] += before->red_threes[side][i];
    memset(witness->under, 0, sizeof witness->under);
    memset(witness->drawn, 0, sizeof witness->drawn);
    for (int i = 0; i < witness->pile_count; i++)
        open[witness->pile[i]]++;
    for (int i = 0; i < witness->pile_count - 1; i++)
        witness->under[witness->pile[i]]++;
    for (int card = 0; card < CARD_KINDS; card++) {
        int *never = &witness->never_seen[card], *elsewhere = &witness->elsewhere[card];
        int jokers = card == CARD_JOKER ? before->rules[RULE_JOKERS] : 1;
        *elsewhere = before->rules[RULE_DECKS] * jokers - open[card];
        for (int seat = 0; seat < before->head.seats; seat++)
            *elsewhere -= witness->held[seat][card];
        *never = !witness->shuffled || *elsewhere < *never ? *elsewhere : *never;
    }
    witness->pile[0] = witness->pile[witness->pile_count - 1];
    witness->pile_count = 1;
    witness->drawn[before->current] = before->rules[RULE_DRAW] - before->stock_count;
    witness->shuffled = true;
}

/* A move of a seat, seen by everybody; `before` is read only for how many cards the pile gives. */
static void witness_move(struct witness *witness, const struct hand_and_foot *before, int seat,
                         const struct move *move) {
    bool numbered = move->verb == HAND_FOOT_TAKE_ADD || move->verb == HAND_FOOT_ADD;
    bool takes = move->verb >= HAND_FOOT_TAKE && move->verb <= HAND_FOOT_TAKE_ADD;
    bool lays = move->verb == HAND_FOOT_MELD || move->verb == HAND_FOOT_ADD ||
                move->verb == HAND_FOOT_DISCARD || move->verb == HAND_FOOT_LAY || takes;
    if (lays)
        witness_plays(witness, seat, move->args + numbered, move->count - numbered);
    if (move->verb == HAND_FOOT_DISCARD)
        witness->pile[witness->pile_count++] = (uint8_t)move->args[0];
    if (move->verb == HAND_FOOT_DRAW && before->stock_count >= before->rules[RULE_DRAW])
        witness->drawn[seat] += before->rules[RULE_DRAW];
    if (!takes)
        return;
    witness->pile_count--; /* the top card is laid */
    for (int i = hand_foot_pickup_size(before) - 1; i > 0; i--)
        witness->held[seat][witness->pile[--witness->pile_count]]++;
}

static int count_witnessed(const struct witness *witness, const struct hand_and_foot *world,
                           int viewer) {
    int found = 0;
    for (int seat = 0; seat < world->head.seats; seat++) {
        for (int card = 0; card < CARD_KINDS && seat != viewer; card++) {
            assert_true(world->hand[seat][card] >= witness->held[seat][card]);
            found += witness->held[seat][card];
        }
    }
    return found;
}

/* What went under the stock lies there or was drawn since; what did not is elsewhere. Returns how
 * many cards of the stock are known that way. */
static int count_shuffled(const struct witness *witness, const struct hand_and_foot *world) {
    uint8_t stock[CARD_KINDS] = {0};
    int moved = 0, drawn = 0;
    if (!witness->shuffled)
        return 0;
    for (int i = 0; i < world->stock_count; i++)
        stock[world->stock[i]]++;
    for (int card = 0; card < CARD_KINDS; card++) {
        int feet = 0, kept = 0, all = 0;
        for (int seat = 0; seat < world->head.seats; seat++) {
            int hidden = world->hand[seat][card] - witness->held[seat][card];
            feet += world->foot[seat][card];
            kept += witness->drawn[seat] == 0 ? hidden : 0;
            all += hidden;
        }
        assert_in_range(stock[card], 0, witness->under[card]);
        assert_true(feet <= witness->never_seen[card]);
        assert_true(feet + kept <= witness->elsewhere[card]);
        if (feet + all > witness->elsewhere[card])
            moved += feet + all - witness->elsewhere[card];
    }
    for (int seat = 0; seat < world->head.seats; seat++)
        drawn += witness->drawn[seat];
    assert_true(moved <= drawn);
    return world->stock_count;
}

/* A hand that somebody was seen to take cards into has them in every world that is drawn. */
static void worlds_agree_with_the_witness(const char *options, uint64_t seed, int *found,
                                          int *shuffled) {
    struct table table;
    struct witness witness = {0};
    struct chance chance;
    begin(&table, options, 4);
    chance_start_number(&chance, seed, 0);
    if (edit(&table)->pile_count > 0)
        witness.pile[witness.pile_count++] = edit(&table)->pile[0];
    for (int moves = 0; moves < 2000; moves++) {
        uint32_t awaited = game_to_act(&hand_and_foot_game, &table.state);
        if (awaited == AWAITS_SHUFFLE) {
            witness_shuffle(&witness, edit(&table));
            game_deal_chance(&hand_and_foot_game, &table.state, &chance, NULL, NULL);
            awaited = game_to_act(&hand_and_foot_game, &table.state);
        }
        if (awaited == 0 || (awaited & AWAITS_NATURE) != 0)
            break;
        struct move legal[GAME_LEGAL_MAX];
        int seat = __builtin_ctz(awaited), viewer = (int)chance_below(&chance, 5) - 1;
        size_t count = game_legal(&hand_and_foot_game, &table.state, seat, legal);
        struct move *move = &legal[chance_below(&chance, (uint32_t)count)];
        bool in_foot = edit(&table)->in_foot[seat];
        witness_move(&witness, edit(&table), seat, move);
        assert_true(game_play(&hand_and_foot_game, &table.state, seat, move, NULL, NULL));
        struct game_state seen, world;
        game_observe(&hand_and_foot_game, &table.state, viewer, &seen);
        game_sample(&hand_and_foot_game, &seen, viewer, &chance, &world);
        if (edit(&table)->phase != HAND_FOOT_PLAYING)
            continue;
        for (int i = 0; i < 4; i++)
            if (edit(&table)->hand_count[i] < witness.drawn[i])
                witness.drawn[i] = edit(&table)->hand_count[i];
        if (edit(&table)->in_foot[seat] && !in_foot)
            witness.drawn[seat] = 0;
        assert_true(hand_and_foot_game.holds(world.bytes));
        count_shuffled(&witness, edit(&table)); /* the witness saw well */
        *found += count_witnessed(&witness, (const void *)world.bytes, viewer);
        *shuffled += count_shuffled(&witness, (const void *)world.bytes);
    }
}

UNIT_TEST(samples_agree_with_the_public_record) {
    static const char *const rules[] = {"", "preset=partners undo=no",
                                        "preset=closers choosePile=no"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        int found = 0, shuffled = 0;
        for (uint64_t seed = 1; seed <= 12; seed++)
            worlds_agree_with_the_witness(rules[i], seed, &found, &shuffled);
        assert_true(found > 1000);
        assert_true(shuffled > 1000);
    }
}

/* A card too many or too few is noticed in every phase; one exchanged for another is noticed
 * between turns. */
TABLE_TEST(lost_cards_are_noticed) {
    begin(table, "", 2);
    for (int phase = HAND_FOOT_TURN_DRAW; phase <= HAND_FOOT_TURN_DISCARD; phase++) {
        edit(table)->turn_phase = (uint8_t)phase;
        assert_true(hand_and_foot_game.holds(table->state.bytes));
        edit(table)->stock_count--;
        assert_false(hand_and_foot_game.holds(table->state.bytes));
        edit(table)->stock_count++;
    }
    edit(table)->turn_phase = HAND_FOOT_TURN_DRAW;
    edit(table)->pile[0] = CARD_JOKER;
    assert_false(hand_and_foot_game.holds(table->state.bytes));
}

/* ---- Nothing gets stuck ---- */

/* Of the legal moves the one that leaves the fewest cards; discards only if there is no play. */
static const struct move *greediest(const struct hand_and_foot *state, int seat,
                                    const struct move *moves, size_t count) {
    const struct move *best = NULL;
    int fewest = 1000;
    for (size_t i = 0; i < count; i++) {
        struct game_state next;
        if (moves[i].verb == HAND_FOOT_UNDO || moves[i].verb == HAND_FOOT_DISCARD ||
            moves[i].verb == HAND_FOOT_DONE)
            continue;
        memcpy(next.bytes, state, sizeof *state);
        assert_true(game_play(&hand_and_foot_game, &next, seat, &moves[i], NULL, NULL));
        const struct hand_and_foot *after = (const void *)next.bytes;
        int left = after->hand_count[seat] + after->foot_count[seat];
        if (left < fewest) {
            fewest = left;
            best = &moves[i];
        }
    }
    return best;
}

static const struct move *any_of(const struct move *moves, size_t count, int verb,
                                 struct chance *chance) {
    size_t start = chance_below(chance, (uint32_t)count);
    for (size_t i = 0; i < count; i++)
        if (moves[(start + i) % count].verb == verb)
            return &moves[(start + i) % count];
    return NULL;
}

/* Lays whatever can be laid, then discards; takes a play back only when nothing else is left. */
static const struct move *hostile(const struct hand_and_foot *state, int seat,
                                  const struct move *moves, size_t count, struct chance *chance,
                                  bool *undone) {
    const struct move *play = *undone ? NULL : greediest(state, seat, moves, count);
    if (play)
        return play;
    *undone = false;
    play = any_of(moves, count, HAND_FOOT_DISCARD, chance);
    if (play)
        return play;
    play = any_of(moves, count, HAND_FOOT_UNDO, chance);
    *undone = play != NULL;
    return play ? play : &moves[0];
}

static void plays_to_the_end(const char *options, int seats, uint64_t number, bool greedy) {
    struct table table;
    struct chance chance;
    uint32_t awaited;
    bool undone = false;
    table_start(&table, &hand_and_foot_game, options, seats);
    chance_start_number(&chance, number, 3);
    for (int moves = 0; (awaited = game_to_act(table.game, &table.state)) != 0; moves++) {
        assert_true(moves < 60000);
        if (awaited & AWAITS_NATURE) {
            assert_true(game_deal_chance(table.game, &table.state, &chance, NULL, NULL));
            continue;
        }
        struct move list[GAME_LEGAL_MAX];
        int seat = __builtin_ctz(awaited);
        size_t count = game_legal(table.game, &table.state, seat, list);
        for (size_t i = 0; i < count; i++)
            assert_true(game_check(table.game, &table.state, seat, &list[i], NULL));
        bool only_done = count == 1 && list[0].verb == HAND_FOOT_DONE;
        if (count == 0 || only_done)
            fail_msg("stuck with '%s', %d seats, seed %d", options, seats, (int)number);
        const struct move *move = greedy
                                      ? hostile(edit(&table), seat, list, count, &chance, &undone)
                                      : &list[chance_below(&chance, (uint32_t)count)];
        assert_true(game_play(table.game, &table.state, seat, move, NULL, &table.why));
    }
}

static const struct {
    const char *options;
    int seats;
} tables[] = {
    {"targetScore=3000", 2},
    {"targetScore=2000", 4},
    {"preset=partners rounds=2", 4},
    {"preset=closers rounds=2", 4},
    {"draw=1 pickup=0 layRedThrees=yes rounds=2", 2},
    {"draw=3 wildBooks=yes undo=yes layRedThrees=yes rounds=2", 2},
    {"lastCard=discard draw=1 cleanToGoOut=0 dirtyToGoOut=0 rounds=2", 2},
    {"teams=two askPartner=yes lastCard=discard bookSize=5 undo=yes rounds=2", 4},
    {"teams=two askPartner=yes draw=1 layRedThrees=yes bookSize=5 rounds=2", 4},
    {"booksPerRank=any addToFullDirty=no fullClean=naturals wildLimit=two bookSize=5 rounds=2", 2},
    {"playersMax=8 booksPerRank=any handSize=17 footSize=17 minimums=0 rounds=1", 8},
    {"pickupWith=one-natural-and-wild wildLimit=three freezing=no pickup=2 rounds=2", 3},
};

/* HF-C7, HF-108: whatever is played, there is a legal move until the game ends. */
UNIT_TEST(HF_C7_random_play_never_gets_stuck) {
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (uint64_t number = 0; number < 6; number++)
            plays_to_the_end(tables[i].options, tables[i].seats, number, false);
}

UNIT_TEST(HF_C7_hostile_play_never_gets_stuck) {
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (uint64_t number = 0; number < 6; number++)
            plays_to_the_end(tables[i].options, tables[i].seats, number, true);
}
