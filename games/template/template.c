/* The smallest possible game, to be copied by whoever writes a new one (docs/NEW_GAME.md). It is
 * compiled and tested by the laws like every other game, but people are not offered it.
 *
 * High Card: NATURE deals everybody one card, face down; each in turn shows it or folds; the
 * highest card shown wins. So it has chance, a secret, a choice and an end, and nothing else. */
#include "games/template/template.h"

#include <string.h>

enum { FOLDING };

static const struct option options[] = {
    {.key = "folding",
     .label = "Folding",
     .help = "A card may be kept secret instead of shown.",
     .kind = OPTION_YES_NO,
     .slot = FOLDING,
     .standard = "yes"},
};

static bool start(void *to, const struct options *from, int seats, struct refusal *why) {
    (void)why;
    struct high_card *state = to;
    state->head.seats = (uint8_t)seats;
    state->folding_allowed = from->slot[FOLDING] != 0;
    return true;
}

static void again(void *to, struct events *events) {
    (void)events;
    struct high_card *state = to;
    struct high_card next = {.head = state->head, .folding_allowed = state->folding_allowed};
    memcpy(state, &next, sizeof next);
}

static uint32_t to_act(const void *from) {
    const struct high_card *state = from;
    if (state->phase == HIGH_CARD_DEALING)
        return AWAITS_NATURE;
    return state->phase == HIGH_CARD_PLAYING ? 1u << state->turn : 0;
}

static void deck(const void *from, struct deal *out) {
    const struct high_card *state = from;
    for (uint16_t card = 0; card < 52; card++)
        out->cards[out->count++] = card;
    for (int seat = 0; seat < state->head.seats; seat++)
        deal_to(out, seat, 1);
    deal_to(out, DEAL_UNDEALT, 52 - state->head.seats);
}

static void deal(void *to, const uint16_t *cards, struct events *events) {
    struct high_card *state = to;
    for (int seat = 0; seat < SEATS_MAX && seat < state->head.seats; seat++)
        state->card[seat] = (uint8_t)cards[seat];
    state->phase = HIGH_CARD_PLAYING;
    event_begin(events, "cards-dealt", EVERYONE);
    event_end(events);
}

static size_t legal(const void *from, int seat, struct move *out, size_t max) {
    const struct high_card *state = from;
    if (seat != state->turn || max < 2)
        return 0;
    out[0].verb = HIGH_CARD_SHOW;
    out[0].count = 0;
    out[1].verb = HIGH_CARD_FOLD;
    out[1].count = 0;
    return state->folding_allowed ? 2 : 1;
}

/* ---- Moves ---- */

static bool check_turn(const struct high_card *state, int seat, struct refusal *why) {
    return seat == state->turn || refuse_not_your_turn(why);
}

static bool check_show(const void *from, int seat, const struct move *move, struct refusal *why) {
    (void)move;
    return check_turn(from, seat, why);
}

static bool check_fold(const void *from, int seat, const struct move *move, struct refusal *why) {
    (void)move;
    const struct high_card *state = from;
    if (!check_turn(state, seat, why))
        return false;
    return state->folding_allowed || refuse(why, "NO_FOLDING", "Cards must be shown at this table");
}

static void decide(struct high_card *state, int seat, bool shown, struct events *events) {
    state->shown[seat] = shown;
    state->turn++;
    if (state->turn == state->head.seats)
        state->phase = HIGH_CARD_OVER;
    struct json *json = event_begin(events, shown ? "card-shown" : "card-folded", EVERYONE);
    if (json)
        json_put_number(json, "seatIndex", seat);
    event_end(events);
}

static void show_card(void *to, int seat, const struct move *move, struct events *events) {
    (void)move;
    decide(to, seat, true, events);
}

static void fold(void *to, int seat, const struct move *move, struct events *events) {
    (void)move;
    decide(to, seat, false, events);
}

static const struct verb verbs[] = {
    [HIGH_CARD_SHOW] = {.word = "show",
                        .action = "show",
                        .example = "show",
                        .help = "turn the own card over",
                        .check = check_show,
                        .apply = show_card},
    [HIGH_CARD_FOLD] = {.word = "fold",
                        .action = "fold",
                        .example = "fold",
                        .help = "keep it secret",
                        .check = check_fold,
                        .apply = fold},
};

/* ---- What a seat knows ---- */

/* Lists what the seat may see: everything public, the own card, the cards shown. */
static void observe(const void *from, int seat, void *to) {
    const struct high_card *state = from;
    struct high_card *out = to;
    out->public = state->public;
    memset(out->card, HIGH_CARD_NONE, sizeof out->card);
    for (int other = 0; other < state->head.seats; other++)
        if (other == seat || state->shown[other])
            out->card[other] = state->card[other];
}

/* Fills in the unknown cards with cards that nobody has shown. */
static void sample(const void *seen, int seat, struct chance *chance, void *to) {
    (void)seat;
    struct high_card *out = to;
    memcpy(out, seen, sizeof *out);
    uint16_t unseen[52];
    size_t count = 0;
    for (uint16_t card = 0; card < 52; card++)
        if (!memchr(out->card, card, out->head.seats))
            unseen[count++] = card;
    chance_shuffle(chance, unseen, count);
    for (int other = 0; other < SEATS_MAX; other++) {
        if (other >= out->head.seats || out->phase == HIGH_CARD_DEALING)
            out->card[other] = 0;
        else if (out->card[other] == HIGH_CARD_NONE)
            out->card[other] = (uint8_t)unseen[--count];
    }
}

static void describe(const void *seen, int viewer, struct json *json) {
    const struct high_card *state = seen;
    static const char *const phases[] = {"dealing", "playing", "game_over"};
    json_put_string(json, "phase", phases[state->phase]);
    json_put_array(json, "cards");
    for (int seat = 0; seat < state->head.seats; seat++) {
        bool visible = state->shown[seat] || seat == viewer || viewer == OMNISCIENT;
        if (state->phase != HIGH_CARD_DEALING && visible) {
            char word[4];
            struct text text;
            text_begin(&text, word, sizeof word);
            card_print(state->card[seat], &text);
            json_put_string(json, NULL, word);
        } else {
            json_put_null(json, NULL);
        }
    }
    json_put_end(json);
}

static void show(const void *seen, int viewer, const char *const *names, struct text *text) {
    const struct high_card *state = seen;
    for (int seat = 0; seat < state->head.seats; seat++) {
        bool visible = state->shown[seat] || seat == viewer || viewer == OMNISCIENT;
        text_string(text, "  ");
        text_padded(text, names[seat], 12);
        if (state->phase != HIGH_CARD_DEALING && visible)
            card_print(state->card[seat], text);
        text_char(text, '\n');
    }
}

/* The highest rank shown wins; equal ranks share. */
static void result(const void *from, struct result *out) {
    const struct high_card *state = from;
    int best = 0;
    out->sides = state->head.seats;
    for (int seat = 0; seat < state->head.seats; seat++) {
        out->side_of[seat] = (uint8_t)seat;
        out->score[seat] = state->shown[seat] ? card_rank(state->card[seat]) : 0;
        if (state->phase == HIGH_CARD_OVER && out->score[seat] > best)
            best = out->score[seat];
    }
    for (int seat = 0; seat < state->head.seats; seat++)
        if (best > 0 && out->score[seat] == best)
            out->winners |= 1u << seat;
}

static bool holds(const void *from) {
    const struct high_card *state = from;
    for (int seat = 0; seat < state->head.seats; seat++)
        for (int other = 0; state->phase != HIGH_CARD_DEALING && other < seat; other++)
            if (state->card[seat] == state->card[other] || state->card[seat] >= 52)
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
    .options = {.options = options, .option_count = sizeof options / sizeof options[0]},
    .verbs = verbs,
    .verb_count = sizeof verbs / sizeof verbs[0],
    .start = start,
    .again = again,
    .to_act = to_act,
    .legal = legal,
    .deck = deck,
    .deal = deal,
    .observe = observe,
    .describe = describe,
    .show = FOR_TERMINAL(show),
    .sample = sample,
    .result = result,
    .holds = holds,
};
