/* Cards at places: where they are, what is known of them, and what may be made up. */
#include "engine/places.h"

#include "engine/card.h"
#include "games/template/template.h"
#include "tests/support.h"

enum { PILE = PLACE_HANDS };

/* Two hands of five cards from the deuce of spades on, and a pile of one. */
static struct places dealt(void) {
    struct places places = {0};
    for (int card = 0; card < 11; card++)
        place_move(&places, card, PLACE_DECK, card < 10 ? card / 5 : PILE);
    return places;
}

UNIT_TEST(cards_move_between_places) {
    struct places places = dealt();
    assert_int_equal(place_count(&places, PLACE_DECK), 41);
    assert_true(place_has(&places, 1, 5) && !place_has(&places, 0, 5));
    assert_false(place_has(&places, 1, PACK) || place_has(&places, 1, 0xffff));
    place_move(&places, 5, 1, PILE);
    assert_int_equal(place_count(&places, 1), 4);
    assert_int_equal(place_first(&places, PILE), 5);
    place_move(&places, 5, PILE, PLACE_DECK);
    assert_int_equal(place_count(&places, PLACE_DECK), 42);
    assert_true(places_hold(&places));
}

UNIT_TEST(all_cards_of_a_place_move) {
    struct places places = dealt();
    place_move_all(&places, 1, PILE);
    assert_int_equal(place_count(&places, 1), 0);
    assert_int_equal(place_count(&places, PILE), 6);
    place_move_all(&places, PILE, PLACE_DECK);
    assert_int_equal(place_count(&places, PLACE_DECK), 47);
    assert_true(places_hold(&places));
}

/* Fewer cards than are wanted bring back the pile, and are all that come. */
UNIT_TEST(a_draw_takes_what_there_is) {
    struct places places = {0};
    for (int card = 0; card < PACK - 1; card++)
        place_move(&places, card, PLACE_DECK, card < 3 ? PILE : 0);
    place_draw(&places, 1, 1, PILE);
    assert_int_equal(place_count(&places, PILE), 3);
    place_draw(&places, 2, 1, PLACE_DECK);
    assert_int_equal(places.draw_count, 1);
    place_move(&places, PACK - 1, PLACE_DECK, 0);
    assert_true(place_can_draw(&places, PILE) && !place_can_draw(&places, PLACE_DECK));
    place_move(&places, PACK - 1, 0, PLACE_DECK);
    place_draw(&places, 2, 1, PILE);
    assert_int_equal(place_count(&places, PLACE_DECK), 4);
    assert_true(places.draw_count == 2 && places.draw_to == 1 && places_hold(&places));
    places.draw_count = 5;
    assert_false(places_hold(&places));
}

static int rank_of(int card) {
    return card_rank(card);
}

UNIT_TEST(cards_are_worth_a_sum) {
    struct places places = dealt();
    assert_int_equal(places_sum(&places, 1u << 0, rank_of), 2 + 3 + 4 + 5 + 6);
    assert_int_equal(places_sum(&places, ALL_PLACES, rank_of) -
                         places_sum(&places, ALL_HANDS, rank_of),
                     CARD_QUEEN);
}

UNIT_TEST(an_observer_counts_what_it_does_not_see) {
    struct places places = dealt(), seen = {0};
    places_observe(&places, 1u << 1 | 1u << PILE, &seen);
    assert_int_equal(seen.at[0], 0);
    assert_true(seen.at[1] == places.at[1] && seen.at[PILE] == places.at[PILE]);
    assert_int_equal(place_count(&seen, 0), 5);
    assert_int_equal(place_count(&seen, PLACE_DECK), 41);
    assert_false(places_hold(&seen));
}

UNIT_TEST(places_are_turned_up_and_down) {
    struct places places = dealt();
    uint32_t piles = ALL_PLACES & ~ALL_HANDS;
    assert_int_equal(places_seen(&places, 0, false), piles | 1);
    assert_int_equal(places_seen(&places, -1, false), piles);
    assert_int_equal(places_seen(&places, -1, true), ALL_PLACES);
    place_turn_up(&places, 1);
    place_turn_down(&places, PILE);
    assert_int_equal(places_seen(&places, 0, false), (piles & ~(1u << PILE)) | 3);
    place_turn_down(&places, 1);
    place_turn_up(&places, PILE);
    assert_int_equal(places_seen(&places, 0, true), ALL_PLACES & ~2);
    assert_int_equal(places_seen(&places, 1, true), ALL_PLACES); /* one's own hand */
    struct places seen = {0};
    places_observe(&places, 1, &seen);
    assert_true(place_is_up(&seen, PILE) && seen.face_down == places.face_down);
}

UNIT_TEST(a_sample_deals_unseen_cards) {
    struct places places = dealt(), seen = {0};
    struct chance chance;
    uint64_t dealt_to_first = 0;
    chance_start_number(&chance, 1, 0);
    places_observe(&places, 1u << 1 | 1u << PILE, &seen);
    for (int i = 0; i < 100; i++) {
        struct places sample = seen;
        places_sample(&sample, &chance);
        assert_true(places_hold(&sample));
        assert_int_equal(place_count(&sample, 0), 5);
        assert_true(sample.at[1] == places.at[1]);
        dealt_to_first |= sample.at[0];
    }
    assert_true(dealt_to_first == ((card_bit(PACK) - 1) & ~(places.at[1] | places.at[PILE])));
}

UNIT_TEST(a_card_at_two_places_breaks_the_invariant) {
    struct places places = dealt();
    places.at[1] |= places.at[0];
    assert_false(places_hold(&places));
}

UNIT_TEST(hands_are_shown_to_whoever_knows_them) {
    char buffer[256];
    struct places places = dealt(), seen = {0};
    places_observe(&places, 1, &seen);
    struct json json = json_object_in(buffer, sizeof buffer);
    json_put_hands(&json, &seen, 2, (const int32_t[]){7, -1});
    json_put_end(&json);
    assert_string_equal(buffer, "{\"players\":[{\"seatIndex\":0,\"points\":7,\"cards\":5,\"hand\":"
                                "[\"2S\",\"3S\",\"4S\",\"5S\",\"6S\"]},"
                                "{\"seatIndex\":1,\"points\":-1,\"cards\":5,\"hand\":null}]}");
}

/* High Card without an end: there is always another round. */
static uint32_t deal_after_the_end(const void *from) {
    uint32_t awaited = template_game.to_act(from);
    return awaited == 0 ? AWAITS_NATURE : awaited;
}

static void deal_again(void *to, const uint16_t *cards, struct events *events) {
    struct high_card *state = to;
    state->turn = 0;
    template_game.deal(to, cards, events);
}

/* What was in the hands, turned up or down, is in the deck for the next round, and lies there as
 * usual after that. */
TABLE_TEST(cards_come_back_for_a_new_round) {
    struct game rounds = template_game;
    rounds.to_act = deal_after_the_end;
    rounds.deal = deal_again;
    table_start(table, &rounds, "", 2);
    table_play(table, "- deal 9S / KH\n0 show\n1 fold");
    assert_true(table_shows(table, SPECTATOR, "9S") && !table_shows(table, SPECTATOR, "KH"));
    table_play(table, "- deal KH / 9S");
    assert_false(table_shows(table, SPECTATOR, "9S") || table_shows(table, SPECTATOR, "KH"));
    assert_true(table_shows(table, 0, "KH") && !table_shows(table, 0, "9S"));
}

/* High Card in which whoever folds draws a card to a pile. */
static void fold_and_draw(void *to, int seat, const struct move *move, struct events *events) {
    struct high_card *state = to;
    place_draw(&state->places, 1, PILE, PLACE_DECK);
    template_game.verbs[HIGH_CARD_FOLD].apply(to, seat, move, events);
}

/* The next seat waits until NATURE has moved the card, which only those see who may. */
TABLE_TEST(nature_moves_a_card_that_is_drawn) {
    struct verb verbs[HIGH_CARD_VERBS];
    struct game drawing = template_game;
    memcpy(verbs, template_game.verbs, sizeof verbs);
    verbs[HIGH_CARD_FOLD].apply = fold_and_draw;
    drawing.verbs = verbs;
    table_start(table, &drawing, "", 2);
    table_play(table, "- deal 9S / KH\n0 fold");
    assert_int_equal(game_to_act(&drawing, &table->state), AWAITS_SHUFFLE);
    table_refuses(table, "1 show", "WRONG_PHASE", NULL);
    table_refuses(table, "- shuffle KH", "INVALID_DEAL", NULL);
    table_play(table, "- shuffle 9C\n1 show");
    const struct high_card *state = (const void *)table->state.bytes;
    assert_int_equal(place_count(&state->places, PILE), 1);
    assert_int_equal(card_rank(place_first(&state->places, PILE)), 9);
    assert_int_equal(state->places.draw_count, 0);
    assert_null(table_event(table, "cards-drawn", 0)); /* nobody has them in the hand */
}

/* High Card in which whoever folds gets more cards. */
static void fold_and_get_two(void *to, int seat, const struct move *move, struct events *events) {
    struct high_card *state = to;
    place_draw(&state->places, 2, seat, PLACE_DECK);
    template_game.verbs[HIGH_CARD_FOLD].apply(to, seat, move, events);
}

TABLE_TEST(who_draws_is_told_the_cards) {
    struct verb verbs[HIGH_CARD_VERBS];
    struct game drawing = template_game;
    memcpy(verbs, template_game.verbs, sizeof verbs);
    verbs[HIGH_CARD_FOLD].apply = fold_and_get_two;
    drawing.verbs = verbs;
    drawing.holds = NULL;
    table_start(table, &drawing, "", 2);
    table_play(table, "- deal 9S / KH\n0 fold\n- shuffle 9C 10D");
    const struct event *event = table_event(table, "cards-drawn", 0);
    table_told(table, "cards-drawn", "{\"seatIndex\":0,\"cards\":[\"10D\",\"9C\"]}");
    assert_int_equal(event->audience, 1 << 0);
    assert_true(span_is(event->message, "got 10D 9C") && event->seat == 0);
}

/* Without a `result` of its own a game counts points, and most of them win. */
TABLE_TEST(points_are_the_result) {
    struct result result;
    struct game counting = template_game;
    counting.result = NULL;
    counting.points = offsetof(struct high_card, places.at); /* the hands, taken for numbers */
    table_start(table, &counting, "", 2);
    table_play(table, "- deal 3S / 2S\n0 show\n1 show");
    game_result(&counting, &table->state, &result);
    assert_true(result.over && result.score[0] == 2 && result.score[1] == 0);
    assert_int_equal(result.winners, 1);
}

/* High Card in which a card is shown by its name. */
TABLE_TEST(a_card_that_is_not_held_is_refused) {
    struct verb verbs[HIGH_CARD_VERBS];
    struct game naming = template_game;
    memcpy(verbs, template_game.verbs, sizeof verbs);
    verbs[HIGH_CARD_SHOW].arguments[0] =
        (struct argument){.kind = ARGUMENT_CARD, .json = "card", .held = true};
    naming.verbs = verbs;
    table_start(table, &naming, "", 2);
    table_play(table, "- deal 9S / KH");
    table_refuses(table, "0 show KH", "INVALID_CARD", "Card not in hand");
    table_refuses(table, "0 show XX", "INVALID_CARD", "Card not in hand");
    verbs[HIGH_CARD_SHOW].arguments[1] = (struct argument){.kind = ARGUMENT_SUIT, .json = "suit"};
    table_refuses(table, "0 show 9S", "BAD_REQUEST", "'suit' is missing or wrong");
    struct move no_suit = {.verb = HIGH_CARD_SHOW, .count = 2, .args = {7, CARD_SUITS}};
    assert_false(game_check(&naming, &table->state, 0, &no_suit, &table->why));
    assert_string_equal(table->why.code, "BAD_REQUEST");
    verbs[HIGH_CARD_SHOW].arguments[1].optional = true;
    assert_false(game_check(&naming, &table->state, 0, &no_suit, &table->why));
    no_suit.args[1] = ARGUMENT_MISSING;
    assert_true(game_check(&naming, &table->state, 0, &no_suit, &table->why));
    verbs[HIGH_CARD_SHOW].arguments[1] = (struct argument){0};
    struct move moves[GAME_LEGAL_MAX];
    assert_int_equal(game_legal(&naming, &table->state, 0, moves), 2); /* and to fold */
    table_play(table, "0 show 9S");
}
