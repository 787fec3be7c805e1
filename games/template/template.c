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

static bool start(void *to, const struct options *from, struct refusal *why) {
    struct high_card *state = to;
    state->folding_allowed = from->slot[FOLDING] != 0;
    return true;
}

static void again(void *to, struct events *events) {
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
    deal_pack(out);
    for (int seat = 0; seat < state->head.seats; seat++)
        deal_to(out, seat, 1);
    deal_to(out, DEAL_UNDEALT, DEAL_PACK - state->head.seats);
}

static void deal(void *to, const uint16_t *cards, struct events *events) {
    struct high_card *state = to;
    for (int seat = 0; seat < SEATS_MAX && seat < state->head.seats; seat++)
        state->card[seat] = (uint8_t)cards[seat];
    state->phase = HIGH_CARD_PLAYING;
    event_begin(events, "cards-dealt", EVERYONE);
    event_end(events);
}

/* ---- Moves ---- */

static bool check_fold(const void *from, int seat, const struct move *move, struct refusal *why) {
    const struct high_card *state = from;
    return state->folding_allowed || refuse(why, "NO_FOLDING", "Cards must be shown at this table");
}

static void decide(struct high_card *state, int seat, bool shown, struct events *events) {
    state->shown[seat] = shown;
    state->turn++;
    if (state->turn == state->head.seats)
        state->phase = HIGH_CARD_OVER;
    struct json *json = event_begin_seat(events, shown ? "card-shown" : "card-folded", seat);
    if (json && shown)
        json_put_card(json, "card", state->card[seat]);
    event_end(events);
    event_message(events, seat, shown ? "shows a card" : "folds");
}

static void show_card(void *to, int seat, const struct move *move, struct events *events) {
    decide(to, seat, true, events);
}

static void fold(void *to, int seat, const struct move *move, struct events *events) {
    decide(to, seat, false, events);
}

static const struct verb verbs[] = {
    [HIGH_CARD_SHOW] = {.word = "show",
                        .action = "show",
                        .example = "show",
                        .help = "turn the own card over",
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
    json_put_array(json, "players");
    for (int seat = 0; seat < state->head.seats; seat++) {
        bool visible = state->shown[seat] || seat == viewer || viewer == OMNISCIENT;
        json_put_object(json, NULL);
        json_put_number(json, "seatIndex", seat);
        json_put_card(json, "card",
                      visible && state->phase != HIGH_CARD_DEALING ? state->card[seat] : -1);
        json_put_end(json);
    }
    json_put_end(json);
}

/* The highest rank shown wins; equal ranks share. */
static void result(const void *from, struct result *out) {
    const struct high_card *state = from;
    int best = 0;
    for (int seat = 0; seat < state->head.seats; seat++) {
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
    .deck = deck,
    .deal = deal,
    .observe = observe,
    .describe = describe,
    .sample = sample,
    .result = result,
    .holds = holds,
};
