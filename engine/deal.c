/* Deals: which cards NATURE has to order and where they go, deals with a seed and with exact cards,
 * and deals as text. */
#include "engine/deal.h"

#include "engine/card.h"
#include "engine/ensure.h"
#include <string.h>

static bool awaits_nature(const struct game *game, const struct game_state *state) {
    return (game_awaited(game, state) & AWAITS_NATURE) != 0;
}

const char *game_deal_word(const struct game *game, const struct game_state *state) {
    return game_awaited(game, state) == AWAITS_SHUFFLE ? "shuffle" : "deal";
}

/* The cards at no place; before a new round all of them. */
static void list_places(const struct game *game, const struct game_state *state,
                        struct deal *deal) {
    static const struct places nowhere;
    bool shuffle = game_awaited(game, state) == AWAITS_SHUFFLE;
    uint64_t left = place_cards(shuffle ? game_places_in(game, state) : &nowhere, PLACE_DECK);
    for (; left != 0; left &= left - 1)
        deal->cards[deal->count++] = (uint16_t)__builtin_ctzll(left);
}

/* Clears only what `deck` may leave out: a struct deal is large, and this is called often. */
void game_deck(const struct game *game, const struct game_state *state, struct deal *deal) {
    int dealt = 0;
    deal->count = 0;
    deal->part_count = deal->group_count = 0;
    deal->same_owner = 0;
    deal->rest = NULL;
    if (game->places > 0)
        list_places(game, state, deal);
    if (game_draws(game, state))
        deal_to_place(deal, game_places_in(game, state)->draw_to,
                      game_places_in(game, state)->draw_count);
    else
        game->deck(state->bytes, deal);
    for (int i = 0; i < deal->part_count; i++)
        dealt += deal->parts[i].count;
    if (dealt < deal->count)
        deal_to(deal, DEAL_UNDEALT, deal->count - dealt);
    ensure(dealt <= deal->count && deal->count <= DEAL_CARDS_MAX &&
           deal->part_count <= DEAL_PARTS_MAX);
}

/* Finds the cards of the next deck: those from `from` up to `to`. Before the first call `part` and
 * both places are 0. */
static bool next_deck(const struct deal *deal, int *part, size_t *from, size_t *to) {
    if (*part == deal->part_count)
        return false;
    *from = *to;
    do
        *to += deal->parts[(*part)++].count;
    while (*part < deal->part_count && !deal->parts[*part].new_deck);
    return true;
}

/* Moves the dealt cards to their places. For a new round all cards go back to the deck first. */
static void put_at_places(const struct game *game, struct game_state *state,
                          const struct deal *deal, const uint16_t *cards) {
    struct places *places = game_places(game, state);
    if (game_awaited(game, state) == AWAITS_NATURE)
        *places = (struct places){0};
    for (int i = 0; i < deal->part_count; i++)
        for (int j = 0; j < deal->parts[i].count; j++, cards++)
            if (deal->parts[i].group != DEAL_UNDEALT)
                place_move(places, *cards, PLACE_DECK, deal->parts[i].place);
}

/* Ends a draw whose cards have been moved. If they went to a hand, its owner is told of them. */
static void end_draw(struct places *places, const uint16_t *cards, struct events *events) {
    int seat = places->draw_to;
    uint64_t drawn = 0;
    for (int i = 0; i < places->draw_count; i++)
        drawn |= card_bit(cards[i]);
    places->draw_count = places->draw_to = 0;
    struct json *json =
        seat < PLACE_HANDS ? event_begin(events, "cards-drawn", (uint32_t)1 << seat) : NULL;
    if (!json)
        return;
    json_put_number(json, "seatIndex", seat);
    json_put_cards(json, "cards", drawn);
    event_end(events);
    char names[MOVE_TEXT_SIZE];
    struct text text = text_in(names, sizeof names);
    for (; drawn != 0; drawn &= drawn - 1) {
        text_char(&text, ' ');
        card_print((uint8_t)__builtin_ctzll(drawn), &text);
    }
    event_message(events, seat, "got%s", names);
}

static void hand_out(const struct game *game, struct game_state *state, const struct deal *deal,
                     const uint16_t *cards, struct events *events) {
    bool drawn = game_draws(game, state);
    if (game->places > 0)
        put_at_places(game, state, deal, cards);
    if (drawn)
        end_draw(game_places(game, state), cards, events);
    else
        game->deal(state->bytes, cards, events);
    ensure(game_holds(game, state));
}

bool game_deal_chance(const struct game *game, struct game_state *state, struct chance *chance,
                      struct events *events, struct refusal *why) {
    if (!awaits_nature(game, state))
        return refuse_wrong_phase(why);
    struct deal deal;
    game_deck(game, state, &deal);
    size_t from = 0, to = 0;
    for (int part = 0; next_deck(&deal, &part, &from, &to);)
        chance_shuffle(chance, deal.cards + from, to - from);
    hand_out(game, state, &deal, deal.cards, events);
    return true;
}

bool game_deal_seed(const struct game *game, struct game_state *state,
                    const uint8_t seed[CHANCE_SEED_SIZE], struct events *events,
                    struct refusal *why) {
    struct chance chance;
    chance_start(&chance, seed);
    return game_deal_chance(game, state, &chance, events, why);
}

/* Are the cards from `from` to `to` those that the deck has there, in any order? */
static bool same_cards(const struct deal *deal, const uint16_t *cards, size_t from, size_t to) {
    uint16_t left[DEAL_CARD_CODE_MAX] = {0};
    for (size_t i = from; i < to; i++)
        left[deal->cards[i]]++;
    for (size_t i = from; i < to; i++)
        if (cards[i] >= DEAL_CARD_CODE_MAX || left[cards[i]]-- == 0)
            return false;
    return true;
}

bool game_deal_cards(const struct game *game, struct game_state *state, const uint16_t *cards,
                     size_t count, struct events *events, struct refusal *why) {
    if (!awaits_nature(game, state))
        return refuse_wrong_phase(why);
    struct deal deal;
    game_deck(game, state, &deal);
    size_t from = 0, to = 0;
    bool right = count == deal.count;
    for (int part = 0; right && next_deck(&deal, &part, &from, &to);)
        right = same_cards(&deal, cards, from, to);
    if (!right)
        return refuse(why, "INVALID_DEAL", "The deal does not hold the right cards");
    hand_out(game, state, &deal, cards, events);
    return true;
}

/* ---- Deals as text ---- */

/* The positions in the deck of a group's cards, in order; returns how many. */
static size_t group_positions(const struct deal *deal, int group, uint16_t *positions) {
    size_t count = 0;
    uint16_t position = 0;
    for (int i = 0; i < deal->part_count; i++)
        for (int j = 0; j < deal->parts[i].count; j++, position++)
            if (deal->parts[i].group == group)
                positions[count++] = position;
    return count;
}

static const char *group_mark(const struct deal *deal, int group) {
    return group == 0 ? "" : (deal->same_owner >> group & 1) != 0 ? "+" : "/";
}

/* An explicit deal being read: which card stands where, and what is left of the deck. */
struct deal_reader {
    const struct game *game;
    const struct deal *deal;
    struct scan *scan;
    uint16_t left[DEAL_CARD_CODE_MAX];
    uint16_t *cards;
};

static bool is_mark(struct span word) {
    return span_is(word, "/") || span_is(word, "+");
}

/* Fills the last places of a group with cards that are left, shuffled from a seed. */
static void fill_from_seed(struct deal_reader *reader, const uint16_t *positions, size_t count,
                           const uint8_t seed[CHANCE_SEED_SIZE]) {
    uint16_t left[DEAL_CARD_CODE_MAX], cards[DEAL_CARDS_MAX];
    struct chance chance;
    size_t found = 0;
    memcpy(left, reader->left, sizeof left);
    for (size_t i = 0; i < reader->deal->count; i++)
        if (left[reader->deal->cards[i]] > 0) {
            left[reader->deal->cards[i]]--;
            cards[found++] = reader->deal->cards[i];
        }
    chance_start(&chance, seed);
    chance_shuffle(&chance, cards, found);
    for (size_t i = 0; i < count && i < found; i++) {
        reader->left[cards[i]]--;
        reader->cards[positions[i]] = cards[i];
    }
}

static bool read_group(struct deal_reader *reader, int group, struct refusal *why) {
    uint16_t positions[DEAL_CARDS_MAX];
    size_t needed = group_positions(reader->deal, group, positions);
    size_t found = 0;
    struct span word;
    bool last = group > 0 && group + 1 == reader->deal->group_count;
    if (last && reader->deal->rest && scan_peek(*reader->scan, &word) &&
        span_is(word, reader->deal->rest))
        scan_word(reader->scan, &word);
    for (; scan_peek(*reader->scan, &word) && !is_mark(word); found++) {
        uint8_t seed[CHANCE_SEED_SIZE];
        scan_word(reader->scan, &word);
        if (last && found < needed && span_hex(word, seed, sizeof seed)) {
            fill_from_seed(reader, positions + found, needed - found, seed);
            return true;
        }
        uint16_t card;
        if (!game_parse_card(reader->game, word, &card) || card >= DEAL_CARD_CODE_MAX)
            return refuse_word(why, word, "INVALID_DEAL", "Unknown card '%s'");
        if (reader->left[card] == 0)
            return refuse_word(why, word, "INVALID_DEAL", "No %s is left in the deck");
        reader->left[card]--;
        if (found < needed)
            reader->cards[positions[found]] = card;
    }
    if (found == needed)
        return true;
    return refuse(why, "INVALID_DEAL", "Part %d of the deal has %d cards, it needs %d", group + 1,
                  (int)found, (int)needed);
}

/* What an explicit deal does not name stays in the deck in its old order. */
static void fill_undealt(struct deal_reader *reader) {
    const struct deal *deal = reader->deal;
    uint16_t positions[DEAL_CARDS_MAX];
    size_t count = group_positions(deal, DEAL_UNDEALT, positions);
    size_t next = 0;
    for (size_t i = 0; i < count; i++) {
        while (reader->left[deal->cards[next]] == 0)
            next++;
        reader->left[deal->cards[next]]--;
        reader->cards[positions[i]] = deal->cards[next];
    }
}

static bool read_cards(struct deal_reader *reader, struct refusal *why) {
    const struct deal *deal = reader->deal;
    for (size_t i = 0; i < deal->count; i++)
        reader->left[deal->cards[i]]++;
    struct span word;
    for (int group = 0; group < deal->group_count; group++) {
        if (group > 0 &&
            !(scan_word(reader->scan, &word) && span_is(word, group_mark(deal, group))))
            return refuse(why, "INVALID_DEAL",
                          "The deal has %d parts, it needs %d; part %d follows a '%s'", group,
                          (int)deal->group_count, group + 1, group_mark(deal, group));
        if (!read_group(reader, group, why))
            return false;
    }
    if (scan_word(reader->scan, &word))
        return refuse_word(why, word, "INVALID_DEAL", "The deal ends before '%s'");
    fill_undealt(reader);
    return true;
}

bool game_play_nature(const struct game *game, struct game_state *state, struct span text,
                      struct events *events, struct refusal *why) {
    struct scan scan = scan_of(text);
    struct span verb, word = {0};
    scan_word(&scan, &verb);
    if (!span_is(verb, "deal") && !span_is(verb, "shuffle"))
        return refuse_word(why, verb, "BAD_REQUEST", "Expected deal or shuffle, found '%s'");
    if (!awaits_nature(game, state))
        return refuse_wrong_phase(why);
    struct deal deal;
    game_deck(game, state, &deal);
    if (!span_is(verb, game_deal_word(game, state)))
        return refuse_wrong_phase(why);
    uint8_t seed[CHANCE_SEED_SIZE];
    struct scan cards_scan = scan;
    if (scan_word(&scan, &word) && scan_done(scan) && span_hex(word, seed, sizeof seed))
        return game_deal_seed(game, state, seed, events, why);
    uint16_t cards[DEAL_CARDS_MAX];
    struct deal_reader reader = {.game = game, .deal = &deal, .scan = &cards_scan, .cards = cards};
    return read_cards(&reader, why) && game_deal_cards(game, state, cards, deal.count, events, why);
}

void game_print_deal(const struct game *game, const struct game_state *state, const uint16_t *cards,
                     struct text *text) {
    struct deal deal;
    game_deck(game, state, &deal);
    text_string(text, game_deal_word(game, state));
    for (int group = 0; group < deal.group_count; group++) {
        if (group > 0) {
            text_char(text, ' ');
            text_string(text, group_mark(&deal, group));
        }
        uint16_t positions[DEAL_CARDS_MAX];
        size_t count = group_positions(&deal, group, positions);
        for (size_t i = 0; i < count; i++) {
            text_char(text, ' ');
            game_print_card(game, cards[positions[i]], text);
        }
    }
}
