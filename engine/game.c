/* What every game has in common: the order of checks, deals, text, views, hashes, events. */
#include "engine/game.h"

#include "engine/card.h"
#include "engine/ensure.h"
#include "engine/hash.h"
#include <string.h>

enum { SHOWN_SIZE = 8192 };

int game_seats(const struct game_state *state) {
    return ((const struct game_head *)(const void *)state->bytes)->seats;
}

/* A card may carry the number of a copy (`KH.2`), by which clients tell equal cards apart. The
 * rules ignore it. */
bool game_parse_card(const struct game *game, struct span word, uint16_t *out) {
    uint8_t card;
    if (game->parse_card)
        return game->parse_card(word, out);
    const char *point = memchr(word.data, '.', word.length);
    if (point)
        word.length = (size_t)(point - word.data);
    if (!card_parse(word, &card))
        return false;
    *out = card;
    return true;
}

void game_print_card(const struct game *game, uint16_t card, struct text *text) {
    if (game->print_card)
        game->print_card(card, text);
    else
        card_print((uint8_t)card, text);
}

static struct places *places_of(const struct game *game, struct game_state *state) {
    return (struct places *)(void *)(state->bytes + game->places);
}

static const struct places *places_in(const struct game *game, const struct game_state *state) {
    return (const struct places *)(const void *)(state->bytes + game->places);
}

/* Is a draw under way (place_draw)? Until NATURE has moved its cards, the game is not asked. */
static inline bool draws(const struct game *game, const struct game_state *state) {
    return game->places > 0 && places_in(game, state)->draw_count > 0;
}

static inline uint32_t awaited_by(const struct game *game, const struct game_state *state) {
    return draws(game, state) ? AWAITS_SHUFFLE : game->to_act(state->bytes);
}

uint32_t game_to_act(const struct game *game, const struct game_state *state) {
    return awaited_by(game, state);
}

/* PL-C13: how long everybody may look at the result of a round. */
enum { RESULT_MS = 5000 };

struct pace game_pace(const struct game *game, const struct game_state *state) {
    struct pace pace = {.bot_delay_ms_min = 1500,
                        .bot_delay_ms_max = 3000,
                        .show_ms = awaited_by(game, state) == AWAITS_NATURE ? RESULT_MS : 0};
    if (game->pace)
        game->pace(state->bytes, &pace);
    return pace;
}

static bool is_seat(const struct game_state *state, int seat) {
    return seat >= 0 && seat < game_seats(state);
}

bool game_start(const struct game *game, struct game_state *state, const struct options *options,
                int seats, struct refusal *why) {
    ensure(game->state_size <= sizeof state->bytes);
    if (seats < game->players_min || seats > game->players_max) {
        if (game->players_min == game->players_max)
            return refuse(why, "INVALID_SETTING", "%s needs %d players, not %d", game->name,
                          game->players_min, seats);
        return refuse(why, "INVALID_SETTING", "%s needs %d to %d players, not %d", game->name,
                      game->players_min, game->players_max, seats);
    }
    struct game_state next;
    memset(next.bytes, 0, game->state_size);
    ((struct game_head *)(void *)next.bytes)->seats = (uint8_t)seats;
    options_keep(&game->options, options, next.bytes);
    if (game->start && !game->start(next.bytes, options, NULL, NULL, why))
        return false;
    memcpy(state->bytes, next.bytes, game->state_size);
    ensure(game_seats(state) == seats && game_holds(game, state));
    return true;
}

/* Refuses a move whose seat, time or form is wrong, or which is not this seat's turn; returns the
 * row of "play again" if that is the move and the game is over. */
static __attribute__((cold, noinline)) const struct verb *
find_again(const struct game *game, const struct game_state *state, int seat,
           const struct move *move, struct refusal *why) {
    uint32_t awaited = awaited_by(game, state);
    const struct verb *verb = verb_of(game, move);
    if (!is_seat(state, seat))
        refuse(why, "NOT_A_MEMBER", "There is no seat %d", seat);
    else if ((awaited == 0) != (move->verb == MOVE_AGAIN) || (awaited & AWAITS_NATURE) != 0)
        refuse_wrong_phase(why);
    else if (!verb || !verb_fits(verb, move))
        refuse(why, "BAD_REQUEST", "Unknown move");
    else if (awaited != 0)
        refuse_not_your_turn(why);
    else
        return verb;
    return NULL;
}

/* Finds the row of a move that may be played now; null with the reason if there is none. Search and
 * tests play millions of moves a second, so what a good move must pass stands here in one row of
 * comparisons, and what a bad one is told stands above. */
static inline const struct verb *find_allowed(const struct game *game,
                                              const struct game_state *state, int seat,
                                              const struct move *move, struct refusal *why) {
    uint32_t awaited = awaited_by(game, state);
    const struct verb *verb = &game->verbs[move->verb < game->verb_count ? move->verb : 0];
    bool usual = is_seat(state, seat) && awaited - 1 < AWAITS_NATURE - 1 && verb->apply &&
                 verb_fits(verb, move) && (game->checks_turns || (awaited >> seat & 1) != 0);
    if (!usual)
        return find_again(game, state, seat, move, why);
    return verb_check(game, state->bytes, seat, move, why) ? verb : NULL;
}

bool game_check(const struct game *game, const struct game_state *state, int seat,
                const struct move *move, struct refusal *why) {
    return find_allowed(game, state, seat, move, why);
}

static void play_again(const struct game *game, struct game_state *state, struct events *events) {
    struct game_state next;
    memset(next.bytes, 0, game->state_size);
    memcpy(next.bytes, state->bytes, sizeof(struct game_head));
    options_carry_over(&game->options, state->bytes, next.bytes);
    if (game->start) {
        bool started = game->start(next.bytes, NULL, state->bytes, events, NULL);
        ensure(started);
    }
    memcpy(state->bytes, next.bytes, game->state_size);
}

bool game_play(const struct game *game, struct game_state *state, int seat, const struct move *move,
               struct events *events, struct refusal *why) {
    const struct verb *verb = find_allowed(game, state, seat, move, why);
    if (!verb)
        return false;
    if (verb->event)
        verb_tell(game, seat, move, events);
    if (verb->apply)
        verb->apply(state->bytes, seat, move, events);
    else
        play_again(game, state, events);
    ensure(game_holds(game, state));
    return true;
}

size_t game_list(const struct game *game, const void *state, int seat, struct move *out,
                 size_t max) {
    return game->legal ? game->legal(state, seat, out, max)
                       : verbs_legal(game, state, seat, out, max);
}

size_t game_legal(const struct game *game, const struct game_state *state, int seat,
                  struct move out[GAME_LEGAL_MAX]) {
    uint32_t awaited = awaited_by(game, state);
    if (!is_seat(state, seat) || (awaited & AWAITS_NATURE) != 0)
        return 0;
    if (awaited == 0) {
        out[0] = (struct move){.verb = MOVE_AGAIN};
        return 1;
    }
    return game_list(game, state->bytes, seat, out, GAME_LEGAL_MAX);
}

/* ---- Deals ---- */

static bool awaits_nature(const struct game *game, const struct game_state *state) {
    return (awaited_by(game, state) & AWAITS_NATURE) != 0;
}

const char *game_deal_word(const struct game *game, const struct game_state *state) {
    return awaited_by(game, state) == AWAITS_SHUFFLE ? "shuffle" : "deal";
}

/* The cards at no place; before a new round all of them. */
static void list_places(const struct game *game, const struct game_state *state,
                        struct deal *deal) {
    static const struct places nowhere;
    bool shuffle = awaited_by(game, state) == AWAITS_SHUFFLE;
    uint64_t left = place_cards(shuffle ? places_in(game, state) : &nowhere, PLACE_DECK);
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
    if (draws(game, state))
        deal_to_place(deal, places_in(game, state)->draw_to, places_in(game, state)->draw_count);
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
    struct places *places = places_of(game, state);
    if (awaited_by(game, state) == AWAITS_NATURE)
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
    bool drawn = draws(game, state);
    if (game->places > 0)
        put_at_places(game, state, deal, cards);
    if (drawn)
        end_draw(places_of(game, state), cards, events);
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

static bool play_nature(const struct game *game, struct game_state *state, struct span text,
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

/* ---- Text ---- */

bool game_play_text(const struct game *game, struct game_state *state, int seat, struct span text,
                    struct events *events, struct refusal *why) {
    if (seat == NATURE)
        return play_nature(game, state, text, events, why);
    if (!is_seat(state, seat))
        return refuse(why, "NOT_A_MEMBER", "There is no seat %d", seat);
    struct move move;
    return game_parse_by(game, state, seat, text, &move, why) &&
           game_play(game, state, seat, &move, events, why);
}

/* ---- Positions ---- */

void game_print_position(const struct game *game, const struct game_state *state,
                         struct text *text) {
    if (game->print_position)
        game->print_position(state->bytes, text);
}

bool game_read_position(const struct game *game, struct game_state *state, struct span line,
                        struct refusal *why) {
    struct game_state next;
    struct refusal unused;
    struct scan scan = scan_of(line);
    struct span surplus;
    why = why ? why : &unused;
    if (!game->read_position)
        return refuse(why, "BAD_POSITION", "%s cannot begin in a position", game->name);
    memcpy(next.bytes, state->bytes, game->state_size);
    if (!game->read_position(next.bytes, &scan, why))
        return false;
    if (scan_word(&scan, &surplus))
        return refuse_word(why, surplus, "BAD_POSITION", "The position should end before '%s'");
    ensure(game_holds(game, &next));
    memcpy(state->bytes, next.bytes, game->state_size);
    return true;
}

/* ---- What a seat knows ---- */

void game_observe(const struct game *game, const struct game_state *state, int seat,
                  struct game_state *out) {
    if (game->observe) {
        memset(out->bytes, 0, game->state_size);
        game->observe(state->bytes, seat, out->bytes);
        return;
    }
    memcpy(out->bytes, state->bytes, game->state_size);
    if (game->places > 0) {
        *places_of(game, out) = (struct places){0};
        const struct places *places = places_in(game, state);
        places_observe(places, places_seen(places, seat, game_round_has_ended(game, state)),
                       places_of(game, out));
    }
}

void game_sample(const struct game *game, const struct game_state *seen, int seat,
                 struct chance *chance, struct game_state *out) {
    if (game->sample) {
        memset(out->bytes, 0, game->state_size);
        game->sample(seen->bytes, seat, chance, out->bytes);
        return;
    }
    memcpy(out->bytes, seen->bytes, game->state_size);
    if (game->places > 0)
        places_sample(places_of(game, out), chance);
}

static void next_round_json(struct json *json) {
    json_put_object(json, NULL);
    json_put_string(json, "type", "next-round");
    json_put_object(json, "payload");
    json_put_end(json);
    json_put_string(json, "move", "next");
    json_put_end(json);
}

static void preview_json(const struct game *game, const struct game_state *seen, int seat,
                         const struct move *move, struct json *json) {
    const struct verb *verb = verb_of(game, move);
    if (!verb || !verb->preview)
        return;
    json_put_object(json, "preview");
    verb->preview(seen->bytes, seat, move, json);
    json_put_end(json);
}

static void legal_json(const struct game *game, const struct game_state *seen, int seat,
                       struct game_offer offer, struct json *json) {
    struct move moves[GAME_LEGAL_MAX];
    size_t count = game_legal(game, seen, seat, moves);
    json_put_array(json, "legal");
    for (size_t i = 0; i < count; i++) {
        if (!(moves[i].verb == MOVE_AGAIN ? offer.again : offer.moves))
            continue;
        char buffer[MOVE_TEXT_SIZE];
        struct text text = text_in(buffer, sizeof buffer);
        game_print(game, &moves[i], &text);
        json_put_object(json, NULL);
        game_action_json(game, &moves[i], json);
        json_put_string(json, "move", buffer);
        text_begin(&text, buffer, sizeof buffer);
        if (game_say(game, &moves[i], &text))
            json_put_string(json, "said", buffer);
        preview_json(game, seen, seat, &moves[i], json);
        json_put_end(json);
    }
    if (offer.next_round)
        next_round_json(json);
    json_put_end(json);
}

static void look(const struct game *game, const struct game_state *state, int viewer,
                 struct game_state *seen) {
    if (viewer == OMNISCIENT)
        memcpy(seen->bytes, state->bytes, game->state_size);
    else
        game_observe(game, state, viewer, seen);
}

static bool begins(const char *text, const char *with) {
    while (*with && *text == *with)
        text++, with++;
    return *with == '\0';
}

/* Writes the name in place of a member `seatIndex`; returns how much of the JSON that was, or 0. */
static size_t show_name(const char *json, const char *const *names, struct text *text) {
    static const char member[] = "\"seatIndex\":";
    if (!begins(json, member))
        return 0;
    text_string(text, names[json[sizeof member - 1] - '0']);
    text_char(text, ':');
    return sizeof member;
}

/* The members of a view, one a line, without the marks of JSON that only programs need. */
static void show_members(const struct game *game, const void *seen, int viewer,
                         const char *const *names, struct text *text) {
    char buffer[SHOWN_SIZE];
    struct json json = json_object_in(buffer, sizeof buffer);
    game->describe(seen, viewer, &json);
    json_put_end(&json);
    ensure(json_complete(&json));
    bool quoted = false;
    int depth = 0;
    for (const char *at = buffer; *at; at++) {
        size_t name = quoted ? 0 : show_name(at, names, text);
        if (name > 0)
            at += name - 1;
        else if (*at == '"' && at[-1] != '\\')
            quoted = !quoted;
        else if (quoted)
            text_char(text, *at);
        else if (*at == '{' || *at == '[')
            text_string(text, depth++ == 0   ? "  "
                              : *at == '{'   ? "\n    "
                              : at[1] == ']' ? "none"
                                             : "");
        else if (*at == '}' || *at == ']')
            depth--;
        else if (*at == ',')
            text_string(text, depth == 1 ? "\n  " : at[1] == '{' ? "" : " ");
        else if (*at == ':')
            text_string(text, begins(at, ":[{") || begins(at, ":{") ? ":" : ": ");
        else if (begins(at, "null")) {
            text_string(text, "–");
            at += strlen("null") - 1;
        } else
            text_char(text, *at);
    }
    text_char(text, '\n');
}

void game_show(const struct game *game, const struct game_state *state, int viewer,
               const char *const *names, struct text *text) {
    struct game_state seen;
    look(game, state, viewer, &seen);
    if (game->show)
        game->show(seen.bytes, viewer, names, text);
    else
        show_members(game, seen.bytes, viewer, names, text);
}

#ifndef WITHOUT_TERMINAL
/* The prompt of the last row that one of the seat's moves has. */
static const char *prompt_of_moves(const struct game *game, const struct game_state *seen,
                                   int seat) {
    struct move moves[GAME_LEGAL_MAX];
    size_t count = game_legal(game, seen, seat, moves);
    uint8_t last = 0;
    for (size_t i = 0; i < count; i++)
        if (moves[i].verb > last && verb_of(game, &moves[i])->prompt)
            last = moves[i].verb;
    return last > 0 ? game->verbs[last].prompt : "Your turn";
}

void game_prompt(const struct game *game, const struct game_state *state, int seat,
                 struct text *text) {
    struct game_state seen;
    game_observe(game, state, seat, &seen);
    size_t before = text->length;
    if (game->prompt)
        game->prompt(seen.bytes, seat, text);
    if (text->length == before)
        text_string(text, prompt_of_moves(game, &seen, seat));
}
#endif

/* 1 for the highest score; equal scores share a place. */
static int place_by_score(const struct result *result, int seat, int seats) {
    int place = 1;
    for (int other = 0; other < seats; other++)
        place += result->score[other] > result->score[seat];
    return place;
}

/* Who won, with which scores and in which places, by seat, once the game is over. */
static void result_json(const struct game *game, const struct game_state *seen, struct json *json) {
    struct result result;
    game_result(game, seen, &result);
    if (!result.over)
        return;
    json_put_object(json, "result");
    json_put_bits(json, "winners", result.winners);
    json_put_array(json, "scores");
    for (int seat = 0; seat < game_seats(seen); seat++)
        json_put_number(json, NULL, result.score[seat]);
    json_put_end(json);
    json_put_array(json, "places");
    for (int seat = 0; seat < game_seats(seen); seat++)
        json_put_number(json, NULL, place_by_score(&result, seat, game_seats(seen)));
    json_put_end(json);
    json_put_end(json);
}

void game_view_members(const struct game *game, const struct game_state *state, int viewer,
                       struct game_offer offer, struct json *json) {
    struct game_state seen;
    look(game, state, viewer, &seen);
    game->describe(seen.bytes, viewer, json);
    uint32_t awaited = awaited_by(game, &seen);
    json_put_bits(json, "turn", awaited & ~AWAITS_SHUFFLE);
    if (viewer != OMNISCIENT)
        legal_json(game, &seen, viewer, offer, json);
    result_json(game, &seen, json);
}

void game_view(const struct game *game, const struct game_state *state, int viewer, const char *key,
               struct json *json) {
    json_put_object(json, key);
    game_view_members(game, state, viewer, (struct game_offer){.moves = true, .again = true}, json);
    json_put_end(json);
}

void game_result(const struct game *game, const struct game_state *state, struct result *out) {
    *out =
        (struct result){.over = awaited_by(game, state) == 0, .sides = (uint8_t)game_seats(state)};
    for (int seat = 0; seat < SEATS_MAX; seat++)
        out->side_of[seat] = (uint8_t)(seat < out->sides ? seat : 0);
    if (game->result) {
        game->result(state->bytes, out);
        return;
    }
    memcpy(out->score, state->bytes + game->points, (size_t)game_seats(state) * sizeof *out->score);
    result_highest_wins(out);
}

void result_highest_wins(struct result *result) {
    for (int seat = 0; seat < result->sides && result->over; seat++)
        if (place_by_score(result, seat, result->sides) == 1)
            result->winners |= 1u << seat;
}

bool game_round_has_ended(const struct game *game, const struct game_state *state) {
    uint32_t awaited = awaited_by(game, state);
    return awaited == 0 || awaited == AWAITS_NATURE;
}

int figure_count(const char *const *names) {
    int count = 0;
    while (names && names[count])
        count++;
    return count;
}

void game_count(const struct game *game, const struct game_state *state, int seat,
                int32_t figures[GAME_FIGURES_MAX]) {
    int32_t round[GAME_FIGURES_MAX] = {0};
    if (game->count)
        game->count(state->bytes, seat, round);
    for (int i = 0; i < GAME_FIGURES_MAX; i++)
        figures[i] += round[i];
}

/* Do all win or lose together? By the game's own result at a table of the usual size and rules. */
static bool is_cooperative(const struct game *game) {
    struct options options;
    struct game_state state;
    struct result result;
    options_default(&game->options, &options);
    if (!game_start(game, &state, &options, game->players_default, NULL))
        return false;
    game_result(game, &state, &result);
    return result.sides == 1;
}

/* The prompts of the verbs. A seat is asked the last one among those of its legal moves. */
static void prompts_json(const struct game *game, struct json *json) {
    json_put_array(json, "prompts");
    for (size_t i = 0; i < game->verb_count; i++) {
        const struct verb *verb = &game->verbs[i];
        if (!verb->prompt)
            continue;
        json_put_object(json, NULL);
        json_put_span(json, "move", verb_word(verb));
        json_put_string(json, "text", verb->prompt);
        json_put_end(json);
    }
    json_put_end(json);
}

void game_registry_json(const struct game *game, struct json *json) {
    json_put_object(json, NULL);
    json_put_string(json, "id", game->id);
    json_put_string(json, "name", game->name);
    json_put_string(json, "description", game->summary);
    json_put_string(json, "icon", game->icon);
    json_put_number(json, "minPlayers", game->players_min);
    json_put_number(json, "maxPlayers", game->players_max);
    json_put_bool(json, "cooperative", is_cooperative(game));
    json_put_bool(json, "lobbyBots", game->lobby_bots);
    json_put_bool(json, "saves", game->saves);
    json_put_array(json, "figures");
    for (int i = 0; i < figure_count(game->figures); i++)
        json_put_string(json, NULL, game->figures[i]);
    json_put_end(json);
    json_put_object(json, "numbers");
    for (const struct game_number *one = game->numbers; one && one->name; one++)
        json_put_number(json, one->name, one->number);
    json_put_end(json);
    prompts_json(game, json);
    option_table_json(&game->options, json);
    json_put_end(json);
}

uint64_t game_hash(const struct game *game, const struct game_state *state) {
    return hash_bytes(HASH_START, state->bytes, game->state_size);
}

/* ---- Events ---- */

void events_begin(struct events *events, char *buffer, size_t size) {
    json_begin(&events->json, buffer, size);
    events->count = 0;
}

struct json *event_begin(struct events *events, const char *type, uint32_t audience) {
    if (!events)
        return NULL;
    ensure(events->count < EVENTS_MAX && events->json.depth == 0);
    events->json.has_items = 0;
    struct json *json = &events->json;
    events->item[events->count] = (struct event){
        .type = type, .audience = audience, .data = {json->text.data + json->text.length, 0}};
    json_put_object(json, NULL);
    return json;
}

struct json *event_begin_seat(struct events *events, const char *type, int seat) {
    struct json *json = event_begin(events, type, EVERYONE);
    if (json)
        json_put_number(json, "seatIndex", seat);
    return json;
}

void event_end(struct events *events) {
    if (!events)
        return;
    json_put_end(&events->json);
    ensure(json_complete(&events->json));
    struct event *event = &events->item[events->count++];
    const char *end = events->json.text.data + events->json.text.length;
    event->data.length = (size_t)(end - event->data.data);
}

void event_answers(struct events *events) {
    if (!events)
        return;
    ensure(events->count > 0 && events->json.depth == 0);
    events->item[events->count - 1].answers = true;
}

/* The message stands behind the JSON of its event. */
void event_message(struct events *events, int seat, const char *format, ...) {
    if (!events)
        return;
    ensure(events->count > 0 && events->json.depth == 0);
    struct text *text = &events->json.text;
    struct event *event = &events->item[events->count - 1];
    const char *start = text->data + text->length;
    va_list arguments;
    va_start(arguments, format);
    text_format(text, format, arguments);
    va_end(arguments);
    ensure(!text->cut);
    event->seat = seat;
    event->message = (struct span){start, (size_t)(text->data + text->length - start)};
}

void event_number(struct events *events, const char *type, int seat, const char *key, int number,
                  const char *message) {
    struct json *json = event_begin_seat(events, type, seat);
    if (!json)
        return;
    json_put_number(json, key, number);
    event_end(events);
    event_message(events, seat, message, number);
}
