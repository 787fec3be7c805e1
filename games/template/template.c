/* The smallest possible game, to be copied by whoever writes a new one (docs/NEW_GAME.md). It is
 * compiled and tested by the laws like every other game, but people are not offered it.
 *
 * High Card: NATURE deals everybody one card, face down; each in turn shows it or folds; the
 * highest card shown wins. So it has chance, a secret, a choice and an end, and nothing else. */
#include "games/template/template.h"

static const struct option options[] = {
    {.key = "folding",
     .label = "Folding",
     .help = "A card may be kept secret instead of shown.",
     .kind = OPTION_YES_NO,
     .standard = "yes",
     OPTION_KEPT_IN(struct high_card, folding_allowed)},
};

static uint32_t to_act(const void *from) {
    const struct high_card *state = from;
    if (state->phase == HIGH_CARD_DEALING)
        return AWAITS_NATURE;
    return state->phase == HIGH_CARD_PLAYING ? 1u << state->turn : 0;
}

static void deck(const void *from, struct deal *out) {
    const struct high_card *state = from;
    deal_to_hands(out, state->head.seats, 1);
}

static void deal(void *to, const uint16_t *cards, struct events *events) {
    struct high_card *state = to;
    state->phase = HIGH_CARD_PLAYING;
}

/* ---- Moves ---- */

static void end_turn(struct high_card *state) {
    if (++state->turn == state->head.seats)
        state->phase = HIGH_CARD_OVER;
}

static void show_card(void *to, int seat, const struct move *move, struct events *events) {
    struct high_card *state = to;
    place_turn_up(&state->places, seat);
    end_turn(state);
}

static bool check_fold(const void *from, int seat, const struct move *move, struct refusal *why) {
    const struct high_card *state = from;
    return state->folding_allowed || refuse(why, "NO_FOLDING", "Cards must be shown at this table");
}

/* A folded card is never seen, not even at the end. */
static void fold(void *to, int seat, const struct move *move, struct events *events) {
    struct high_card *state = to;
    place_turn_down(&state->places, seat);
    end_turn(state);
}

static const struct verb verbs[] = {
    [HIGH_CARD_SHOW] = {.word = "show",
                        .help = "turn your card over",
                        .prompt = "Your turn: show your card",
                        .event = "card-shown",
                        .message = "showed the card",
                        .apply = show_card},
    [HIGH_CARD_FOLD] = {.word = "fold",
                        .help = "keep it secret",
                        .prompt = "Your turn: show your card, or fold",
                        .event = "card-folded",
                        .message = "folded",
                        .check = check_fold,
                        .apply = fold},
};

/* ---- What people see ---- */

static void describe(const void *seen, int viewer, struct json *json) {
    const struct high_card *state = seen;
    static const char *const phases[] = {"dealing", "playing", "game_over"};
    json_put_string(json, "phase", phases[state->phase]);
    json_put_hands(json, &state->places, state->head.seats, NULL);
}

/* The highest rank shown wins; equal ranks share, and so do all if nothing is shown. */
static void result(const void *from, struct result *out) {
    const struct high_card *state = from;
    for (int seat = 0; seat < state->head.seats && out->over; seat++)
        if (place_is_up(&state->places, seat))
            out->score[seat] = card_rank(place_first(&state->places, seat));
    result_highest_wins(out);
}

static bool holds(const void *from) {
    const struct high_card *state = from;
    for (int seat = 0; seat < state->head.seats; seat++)
        if (place_count(&state->places, seat) != (state->phase != HIGH_CARD_DEALING))
            return false;
    return state->turn <= state->head.seats;
}

const struct game template_game = {
    .id = "high-card",
    .name = "High Card",
    .summary = "The smallest possible game",
    .icon = "\U0001F0A1",
    .players_min = 2,
    .players_max = SEATS_MAX,
    .players_default = 4,
    .lobby_bots = true,
    .state_size = sizeof(struct high_card),
    .places = offsetof(struct high_card, places),
    .options = OPTIONS(options),
    VERBS(verbs),
    .to_act = to_act,
    .deck = deck,
    .deal = deal,
    .describe = describe,
    .result = result,
    .holds = holds,
};
