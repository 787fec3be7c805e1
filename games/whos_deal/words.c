/* Events, views and notation of Who's Deal?, with the field names of its specification. */
#include "games/whos_deal/words.h"

#include "games/whos_deal/knowledge.h"

static const char *const team_names[] = {"a", "b"};

/* ---- Pieces of JSON ---- */

static void id_json(struct json *json, const char *key, int card) {
    char id[4];
    struct text text = text_in(id, sizeof id);
    card_print(whos_deal_to_card(card), &text);
    json_put_string(json, key, id);
}

/* Views consist of cards for the most part, so these are written in advance; `q` is a quote in
 * plain or in nested JSON. */
#define CARD_TEXT(q, suit, letter, rank)                                                           \
    "{" q "suit" q ":" q suit q "," q "rank" q ":" q rank q "," q "id" q ":" q rank letter q "}"
#define CARD_SPAN(text)                                                                            \
    { text, sizeof(text) - 1 }
#define SUIT_SPANS(q, suit, letter)                                                                \
    CARD_SPAN(CARD_TEXT(q, suit, letter, "9")), CARD_SPAN(CARD_TEXT(q, suit, letter, "10")),       \
        CARD_SPAN(CARD_TEXT(q, suit, letter, "J")), CARD_SPAN(CARD_TEXT(q, suit, letter, "Q")),    \
        CARD_SPAN(CARD_TEXT(q, suit, letter, "K")), CARD_SPAN(CARD_TEXT(q, suit, letter, "A"))
#define DECK_SPANS(q)                                                                              \
    SUIT_SPANS(q, "spades", "S"), SUIT_SPANS(q, "hearts", "H"), SUIT_SPANS(q, "diamonds", "D"),    \
        SUIT_SPANS(q, "clubs", "C")

static void card_json(struct json *json, const char *key, int card) {
    static const struct span texts[2][WHOS_DEAL_CARDS] = {{DECK_SPANS("\"")}, {DECK_SPANS("\\\"")}};
    if (card == WHOS_DEAL_NONE)
        json_put_null(json, key);
    else
        json_put_written(json, key, texts[json->nested][card]);
}

static void cards_json(struct json *json, const char *key, uint32_t cards) {
    json_put_array(json, key);
    for (; cards != 0; cards &= cards - 1)
        card_json(json, NULL, __builtin_ctz(cards));
    json_put_end(json);
}

static void suit_json(struct json *json, const char *key, int suit) {
    json_put_string(json, key, suit != WHOS_DEAL_NONE ? card_suit_name(suit) : NULL);
}

static void seat_json(struct json *json, const char *key, int seat) {
    json_put_natural(json, key, seat != WHOS_DEAL_NONE ? seat : -1);
}

static void player_json(struct json *json, const char *key, int seat) {
    json_put_player(json, key, seat == WHOS_DEAL_NONE ? -1 : seat);
}

static void team_json(struct json *json, const char *key, int seat) {
    json_put_string(json, key, seat != WHOS_DEAL_NONE ? team_names[whos_deal_team(seat)] : NULL);
}

static void pair_json(struct json *json, const char *key, const uint8_t values[2]) {
    json_put_object(json, key);
    json_put_number(json, "a", values[0]);
    json_put_number(json, "b", values[1]);
    json_put_end(json);
}

static void teams_json(const struct whos_deal *state, struct json *json) {
    json_put_object(json, "teams");
    for (int team = 0; team < 2; team++) {
        json_put_object(json, team_names[team]);
        json_put_array(json, "playerIds");
        json_put_player(json, NULL, team);
        json_put_player(json, NULL, whos_deal_partner(team));
        json_put_end(json);
        json_put_number(json, "score", state->score[team]);
        json_put_end(json);
    }
    json_put_end(json);
}

static void seats_json(struct json *json) {
    json_put_array(json, "seats");
    for (int seat = 0; seat < WHOS_DEAL_SEATS; seat++)
        json_put_player(json, NULL, seat);
    json_put_end(json);
}

/* ---- Events ---- */

void whos_deal_tell_hand(const void *of, int seat, struct events *events) {
    const struct whos_deal *state = of;
    struct json *json = event_begin(events, "hand-updated", 1u << seat);
    cards_json(json, "hand", state->hand[seat]);
    event_end(events);
}

void whos_deal_tell_deal(const struct whos_deal *state, bool first, struct events *events) {
    struct json *json = event_begin(events, first ? "game-started" : "new-round", EVERYONE);
    if (first) {
        teams_json(state, json);
        seats_json(json);
        json_put_number(json, "dealer", state->dealer);
    } else {
        json_put_number(json, "dealerSeatIndex", state->dealer);
    }
    card_json(json, "faceUpCard", state->upcard);
    if (first)
        json_put_number(json, "targetScore", state->target);
    event_end(events);
    for (int seat = 0; seat < WHOS_DEAL_SEATS; seat++)
        whos_deal_tell_hand(state, seat, events);
}

void whos_deal_tell_call(const struct whos_deal *state, int seat, const char *action,
                         struct events *events) {
    struct json *json = event_begin_seat(events, "trump-action", seat);
    json_put_string(json, "action", action);
    if (state->caller == seat) {
        suit_json(json, "suit", state->trump);
        json_put_bool(json, "goAlone", state->alone);
    }
    event_end(events);
}

static void tell_trick_started(const struct whos_deal *state, struct events *events) {
    struct json *json = event_begin(events, "trick-started", EVERYONE);
    json_put_number(json, "leadSeatIndex", state->lead);
    event_end(events);
}

void whos_deal_tell_play(const struct whos_deal *state, struct events *events) {
    struct json *json = event_begin(events, "trump-confirmed", EVERYONE);
    suit_json(json, "trumpSuit", state->trump);
    player_json(json, "callingPlayer", state->caller);
    team_json(json, "callingTeam", state->caller);
    json_put_bool(json, "goAlone", state->alone);
    event_end(events);
    tell_trick_started(state, events);
}

void whos_deal_tell_card(int seat, int card, struct events *events) {
    struct json *json = event_begin_seat(events, "card-played", seat);
    card_json(json, "card", card);
    event_end(events);
}

void whos_deal_tell_trick(const struct whos_deal *state, bool next, struct events *events) {
    struct json *json = event_begin(events, "trick-won", EVERYONE);
    json_put_number(json, "winningSeatIndex", state->last_winner);
    team_json(json, "winningTeam", state->last_winner);
    pair_json(json, "tricksWon", state->tricks);
    event_end(events);
    if (next)
        tell_trick_started(state, events);
}

/* What the deal that has just ended brought each team. */
static void points_of(const struct whos_deal *state, uint8_t points[2]) {
    points[0] = points[1] = 0;
    points[state->points >> 8] = (uint8_t)state->points;
}

/* How a deal ended that somebody called. */
static const char *outcome(const struct whos_deal *state) {
    int team = whos_deal_team(state->caller);
    if (state->points >> 8 != team)
        return "euchre";
    if (state->tricks[team] < WHOS_DEAL_TRICKS)
        return "made";
    return state->alone ? "sweep" : "march";
}

void whos_deal_tell_end(const struct whos_deal *state, struct events *events) {
    int team = state->points >> 8;
    bool over = state->phase == WHOS_DEAL_GAME_OVER;
    uint8_t points[2];
    points_of(state, points);
    struct json *json = event_begin(events, "round-over", EVERYONE);
    team_json(json, "callingTeam", state->caller);
    pair_json(json, "tricksWon", state->tricks);
    pair_json(json, "pointsAwarded", points);
    pair_json(json, "scores", state->score);
    json_put_bool(json, "isGameOver", over);
    event_end(events);
    if (!over)
        return;
    json = event_begin(events, "game-over", EVERYONE);
    json_put_string(json, "winningTeam", team_names[team]);
    pair_json(json, "finalScores", state->score);
    event_end(events);
}

void whos_deal_tell_passed_out(struct events *events) {
    event_begin(events, "hand-passed-out", EVERYONE);
    event_end(events);
}

/* A hand that is thrown in is shown to everybody. */
void whos_deal_tell_redeal(const struct whos_deal *state, int seat, struct events *events) {
    struct json *json = event_begin_seat(events, "hand-thrown-in", seat);
    cards_json(json, "hand", state->hand[seat]);
    event_end(events);
}

/* ---- Views ---- */

static const char *phase_name(const struct whos_deal *state) {
    static const char *const names[] = {"dealing",   "round1",  "round2",     "dealer_discard",
                                        "defending", "playing", "round_over", "round_over"};
    return names[state->phase];
}

/* Before a suit is called, cards have the suits that are printed on them. */
static uint32_t held_suit(const struct whos_deal *state, int suit) {
    return state->trump == WHOS_DEAL_NONE ? WHOS_DEAL_SPADES << WHOS_DEAL_RANKS * suit
                                          : whos_deal_suit_cards(suit, state->trump);
}

static int suit_now(const struct whos_deal *state, int card) {
    return state->trump == WHOS_DEAL_NONE ? whos_deal_suit(card)
                                          : whos_deal_effective_suit(card, state->trump);
}

static int strength(const struct whos_deal *state, int card) {
    return state->trump == WHOS_DEAL_NONE ? card % WHOS_DEAL_RANKS + 1
                                          : whos_deal_strength[state->trump][card];
}

static bool is_red(int suit) {
    return suit == CARD_HEARTS || suit == CARD_DIAMONDS;
}

void whos_deal_preview(const void *seen, int seat, const struct move *move, struct json *json) {
    const struct whos_deal *state = seen;
    int card = move->args[0];
    suit_json(json, "suit", suit_now(state, card));
    json_put_number(json, "strength", strength(state, card));
    if (move->verb == WHOS_DEAL_PLAY && state->trick_count > 0)
        json_put_bool(json, "takes",
                      whos_deal_compare(card, state->best, state->led_suit, state->trump) > 0);
}

static void hands_json(const struct whos_deal *state, int viewer, struct json *json) {
    json_put_array(json, "handCounts");
    for (int seat = 0; seat < WHOS_DEAL_SEATS; seat++)
        json_put_number(json, NULL, whos_deal_hand_count(state, seat));
    json_put_end(json);
    json_put_object(json, "hands");
    for (int seat = 0; seat < WHOS_DEAL_SEATS; seat++) {
        char id[JSON_PLAYER_ID_SIZE];
        if (seat == viewer || viewer == OMNISCIENT)
            cards_json(json, json_player_id(json, seat, id), state->hand[seat]);
    }
    json_put_end(json);
}

/* Suits as people hold them: trump first, then red and black in turn as far as possible. Without
 * trump the colour of which there are more suits begins. */
static int next_suit(const struct whos_deal *state, uint32_t left, int before) {
    int trump = state->trump, found = WHOS_DEAL_NONE, suits[2] = {0, 0};
    for (int suit = 0; suit < CARD_SUITS; suit++)
        suits[is_red(suit)] += (left & held_suit(state, suit)) != 0;
    if (before == WHOS_DEAL_NONE && trump != WHOS_DEAL_NONE &&
        (left & held_suit(state, trump)) != 0)
        return trump;
    bool red = before == WHOS_DEAL_NONE ? suits[1] > suits[0] : !is_red(before);
    for (int suit = CARD_SUITS - 1; suit >= 0; suit--)
        if ((left & held_suit(state, suit)) != 0 &&
            (found == WHOS_DEAL_NONE || is_red(suit) == red || is_red(found) != red))
            found = suit;
    return found;
}

/* The viewer's own cards in that order, high ones before low ones. */
static void held_json(const struct whos_deal *state, int viewer, struct json *json) {
    uint32_t left = viewer >= 0 ? state->hand[viewer] : 0;
    json_put_array(json, "held");
    for (int suit = WHOS_DEAL_NONE; left != 0;) {
        suit = next_suit(state, left, suit);
        uint32_t cards = left & held_suit(state, suit);
        left &= ~cards;
        while (cards != 0) {
            int best = __builtin_ctz(cards);
            for (uint32_t rest = cards; rest != 0; rest &= rest - 1)
                if (strength(state, __builtin_ctz(rest)) > strength(state, best))
                    best = __builtin_ctz(rest);
            id_json(json, NULL, best);
            cards &= ~((uint32_t)1 << best);
        }
    }
    json_put_end(json);
}

/* The cards that the viewer knows, in their order. */
static void kitty_json(const struct whos_deal *state, struct json *json) {
    json_put_number(json, "kittyCount", state->kitty_count);
    json_put_array(json, "kitty");
    for (int i = 0; i < state->kitty_count; i++)
        if (state->kitty[i] != WHOS_DEAL_NONE)
            card_json(json, NULL, state->kitty[i]);
    json_put_end(json);
}

/* Cards `from` up to `to` of those played, the first of them by `lead`. */
static void trick_json(const struct whos_deal *state, const char *key, int lead, int from, int to,
                       struct json *json) {
    json_put_array(json, key);
    for (int i = from, seat = lead; i < to; i++) {
        json_put_object(json, NULL);
        json_put_player(json, "playerId", seat);
        json_put_number(json, "seatIndex", seat);
        card_json(json, "card", state->played[i]);
        json_put_end(json);
        seat = whos_deal_next_seat(seat, state->sitting_out);
    }
    json_put_end(json);
}

/* Lists every trick of the round in short, so that people who come late can look at them, too. */
static void taken_json(const struct whos_deal *state, struct json *json) {
    json_put_array(json, "tricks");
    for (int trick = 0; trick < state->tricks_played; trick++) {
        bool last = trick == state->tricks_played - 1;
        json_put_object(json, NULL);
        json_put_number(json, "winnerSeatIndex",
                        last ? state->last_winner : state->leads[trick + 1]);
        json_put_array(json, "cards");
        for (int i = 0, seat = state->leads[trick]; i < state->trick_size; i++) {
            json_put_object(json, NULL);
            json_put_number(json, "seatIndex", seat);
            id_json(json, "id", state->played[trick * state->trick_size + i]);
            json_put_end(json);
            seat = whos_deal_next_seat(seat, state->sitting_out);
        }
        json_put_end(json);
        json_put_end(json);
    }
    json_put_end(json);
}

static void tricks_json(const struct whos_deal *state, struct json *json) {
    int now = state->played_count - state->trick_count;
    taken_json(state, json);
    trick_json(state, "currentTrick", state->lead, now, state->played_count, json);
    if (state->tricks_played > 0) {
        int lead = state->leads[state->tricks_played - 1];
        trick_json(state, "lastTrick", lead, now - state->trick_size, now, json);
        json_put_number(json, "lastTrickWinnerSeatIndex", state->last_winner);
    }
    seat_json(json, "trickLeadSeatIndex", state->lead);
    pair_json(json, "tricksWon", state->tricks);
    json_put_number(json, "tricksPlayed", state->tricks_played);
}

static void bowers_json(const struct whos_deal *state, struct json *json) {
    if (state->trump == WHOS_DEAL_NONE) {
        json_put_null(json, "bowers");
        return;
    }
    json_put_object(json, "bowers");
    id_json(json, "right", whos_deal_right_bower(state->trump));
    id_json(json, "left", whos_deal_left_bower(state->trump));
    json_put_end(json);
}

/* What follows from the rules, so that pages need not work it out. */
static void conclusions_json(const struct whos_deal *state, struct json *json) {
    bool led = state->trick_count > 0;
    bowers_json(state, json);
    json_put_bits(json, "sittingOutSeatIndexes", state->sitting_out);
    suit_json(json, "ledSuit", led ? state->led_suit : WHOS_DEAL_NONE);
    seat_json(json, "winningSeatIndex", led ? state->best_seat : WHOS_DEAL_NONE);
    if (state->phase >= WHOS_DEAL_ROUND_OVER && state->caller != WHOS_DEAL_NONE) {
        uint8_t points[2];
        points_of(state, points);
        json_put_string(json, "outcome", outcome(state));
        pair_json(json, "pointsAwarded", points);
    } else {
        json_put_null(json, "outcome");
        json_put_null(json, "pointsAwarded");
    }
}

static void call_json(const struct whos_deal *state, struct json *json) {
    card_json(json, "faceUpCard", state->upcard);
    suit_json(json, "trumpSuit", state->trump);
    player_json(json, "callingPlayerId", state->caller);
    team_json(json, "callingTeam", state->caller);
    json_put_bool(json, "goingAlone", state->alone);
    player_json(json, "alonePlayerId", state->alone ? state->caller : WHOS_DEAL_NONE);
    seat_json(json, "inactivePartnerSeatIndex",
              state->alone ? whos_deal_partner(state->caller) : WHOS_DEAL_NONE);
    seat_json(json, "aloneDefenderSeatIndex", state->defender);
    card_json(json, "dealerPickedUp", state->picked_up ? state->upcard : WHOS_DEAL_NONE);
    json_put_bool(json, "dealerDiscarded", state->discarded);
    json_put_number(json, "currentTurnSeatIndex", state->turn);
    json_put_array(json, "passedPlayers");
    for (int i = 0; i < state->passes; i++)
        json_put_player(json, NULL, (state->dealer + 1 + i) & 3);
    json_put_end(json);
}

/* What stands before and after that which not everybody sees. */
static void before_hands_json(const void *seen, struct json *json) {
    json_put_string(json, "trumpPhase", phase_name(seen));
    conclusions_json(seen, json);
}

static void after_hands_json(const void *seen, struct json *json) {
    call_json(seen, json);
    tricks_json(seen, json);
}

static void match_json(const void *seen, struct json *json) {
    const struct whos_deal *state = seen;
    bool over = state->phase == WHOS_DEAL_GAME_OVER;
    json_put_string(json, "phase", over ? "game_over" : "playing");
    teams_json(state, json);
    seats_json(json);
    json_put_number(json, "targetScore", state->target);
    json_put_number(json, "dealerSeatIndex", state->dealer);
    json_put_string(json, "winningTeam", over ? team_names[state->points >> 8] : NULL);
}

void whos_deal_describe(const void *seen, int viewer, struct json *json) {
    const struct whos_deal *state = seen;
    json_put_common(json, match_json, state);
    if (!whos_deal_dealt(state)) {
        json_put_null(json, "round");
        return;
    }
    json_put_object(json, "round");
    json_put_common(json, before_hands_json, state);
    hands_json(state, viewer, json);
    held_json(state, viewer, json);
    kitty_json(state, json);
    json_put_common(json, after_hands_json, state);
    json_put_end(json);
}

/* ---- A terminal's table ---- */

static void show_cards(uint32_t cards, struct text *text) {
    for (; cards != 0; cards &= cards - 1) {
        text_char(text, ' ');
        card_print(whos_deal_to_card(__builtin_ctz(cards)), text);
    }
}

static void show_seat(const struct whos_deal *state, int seat, bool known, const char *name,
                      struct text *text) {
    bool acts = state->phase > WHOS_DEAL_DEALING && state->phase < WHOS_DEAL_ROUND_OVER;
    text_string(text, acts && seat == state->turn ? "> " : "  ");
    text_char(text, whos_deal_team(seat) == 0 ? 'A' : 'B');
    text_char(text, ' ');
    text_padded(text, name, 12);
    bool discards = state->phase == WHOS_DEAL_DEALER_DISCARD && seat == state->dealer;
    if ((state->sitting_out >> seat & 1) != 0 && !discards)
        text_string(text, " sits out, partner is going alone");
    else if (known)
        show_cards(state->hand[seat], text);
    else
        for (int i = whos_deal_hand_count(state, seat); i > 0; i--)
            text_string(text, " ##");
    text_string(text, seat == state->dealer ? "  (dealer)" : "");
    text_char(text, '\n');
}

/* Cards `from` up to `to` of those played, the first of them by `seat`. */
static void show_cards_played(const struct whos_deal *state, int seat, int from, int to,
                              const char *const *names, struct text *text) {
    for (int i = from; i < to; i++) {
        text_string(text, "   ");
        text_string(text, names[seat]);
        text_char(text, ' ');
        card_print(whos_deal_to_card(state->played[i]), text);
        seat = whos_deal_next_seat(seat, state->sitting_out);
    }
}

/* The trick on the table, or the last one and who took it. */
static void show_tricks(const struct whos_deal *state, const char *const *names,
                        struct text *text) {
    int now = state->played_count - state->trick_count;
    if (state->trick_count > 0) {
        text_string(text, "  trick:");
        show_cards_played(state, state->lead, now, state->played_count, names, text);
        text_char(text, '\n');
    } else if (state->tricks_played > 0) {
        text_string(text, "  last trick:");
        show_cards_played(state, state->leads[state->tricks_played - 1], now - state->trick_size,
                          now, names, text);
        text_string(text, "; ");
        text_string(text, names[state->last_winner]);
        text_string(text, " took it\n");
    }
}

/* Shows what the deal brought, once it is over. */
static void show_points(const struct whos_deal *state, struct text *text) {
    int points = state->points & 0xff, team = state->points >> 8;
    if (points == 0)
        return;
    text_string(text, "  round over: ");
    text_number(text, points);
    text_string(text, points == 1 ? " point for " : " points for ");
    text_char(text, team == 0 ? 'A' : 'B');
    text_string(text, team == whos_deal_team(state->caller) ? "\n" : ", euchred\n");
}

void whos_deal_show(const void *seen, int viewer, const char *const *names, struct text *text) {
    const struct whos_deal *state = seen;
    text_string(text, "  A ");
    text_number(text, state->score[0]);
    text_string(text, " : ");
    text_number(text, state->score[1]);
    text_string(text, " B, to ");
    text_number(text, state->target);
    if (!whos_deal_dealt(state)) {
        text_char(text, '\n');
        return;
    }
    text_string(text, "   tricks ");
    text_number(text, state->tricks[0]);
    text_string(text, " : ");
    text_number(text, state->tricks[1]);
    text_string(text, state->picked_up ? "   picked up " : "   turned ");
    card_print(whos_deal_to_card(state->upcard), text);
    if (state->trump != WHOS_DEAL_NONE) {
        text_string(text, "   trump ");
        text_string(text, card_suit_name(state->trump));
        text_string(text, ", called by ");
        text_string(text, names[state->caller]);
        text_string(text, state->alone ? " alone" : "");
    }
    text_char(text, '\n');
    for (int seat = 0; seat < WHOS_DEAL_SEATS; seat++)
        show_seat(state, seat, seat == viewer || viewer == OMNISCIENT, names[seat], text);
    show_tricks(state, names, text);
    show_points(state, text);
}

void whos_deal_prompt(const void *seen, int seat, struct text *text) {
    const struct whos_deal *state = seen;
    if (state->phase == WHOS_DEAL_PLAYING && state->trick_count == 0)
        text_string(text, "Your lead: play a card");
}

/* ---- Notation ---- */

bool whos_deal_parse_card(struct span word, uint16_t *out) {
    uint8_t card, number;
    if (!card_parse(word, &card) || !whos_deal_from_card(card, &number))
        return false;
    *out = number;
    return true;
}

void whos_deal_print_card(uint16_t card, struct text *text) {
    card_print(whos_deal_to_card(card), text);
}
