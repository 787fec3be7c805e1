/* Views and notation of Up-N-Down, with the field names of its guide. */
#include "games/up_n_down/words.h"

const char *const up_n_down_levels[] = {"none", "like", "really-like", "love", NULL};

void up_n_down_hand_json(const struct card_set *hand, const char *key, struct json *json) {
    json_put_array(json, key);
    for (int w = 0; w < 2; w++)
        for (uint64_t word = hand->word[w]; word != 0; word &= word - 1)
            json_put_number(json, NULL, 64 * w + __builtin_ctzll(word));
    json_put_end(json);
}

void up_n_down_totals(const struct up_n_down *state, int out[3]) {
    for (int seat = 0; seat < state->head.seats; seat++) {
        out[0] += state->cards_played[seat];
        out[1] += state->special_plays[seat];
        out[2] += state->movement[seat];
    }
}

static void statistics_json(int cards, int special, int movement, struct json *json) {
    char buffer[24];
    struct text text = text_in(buffer, sizeof buffer);
    int hundredths = cards > 0 ? (movement * 100 + cards / 2) / cards : 0;
    text_number(&text, hundredths / 100);
    text_char(&text, '.');
    text_char(&text, (char)('0' + hundredths / 10 % 10));
    text_char(&text, (char)('0' + hundredths % 10));
    json_put_object(json, "statistics");
    json_put_number(json, "cardsPlayed", cards);
    json_put_number(json, "totalMovement", movement);
    json_put_number(json, "specialPlays", special);
    json_put_raw(json, "averageMovement", span_of(buffer));
    json_put_end(json);
}

static void players_json(const struct up_n_down *state, int viewer, struct json *json) {
    json_put_array(json, "players");
    for (int seat = 0; seat < state->head.seats; seat++) {
        json_put_object(json, NULL);
        json_put_player(json, "id", seat);
        json_put_number(json, "seatIndex", seat);
        json_put_number(json, "handCount", state->hand_count[seat]);
        if (viewer == seat || viewer == OMNISCIENT)
            up_n_down_hand_json(&state->hand[seat], "hand", json);
        json_put_array(json, "preferences");
        for (int pile = 0; pile < UP_N_DOWN_PILES; pile++)
            json_put_number(json, NULL, state->preference[seat][pile]);
        json_put_end(json);
        statistics_json(state->cards_played[seat], state->special_plays[seat],
                        state->movement[seat], json);
        json_put_end(json);
    }
    json_put_end(json);
}

static void piles_json(const struct up_n_down *state, struct json *json) {
    json_put_array(json, "foundationPiles");
    for (int pile = 0; pile < UP_N_DOWN_PILES; pile++) {
        json_put_object(json, NULL);
        json_put_number(json, "id", pile + 1);
        json_put_string(json, "type", up_n_down_ascends(pile) ? "ascending" : "descending");
        json_put_number(json, "start", up_n_down_base(state, pile));
        json_put_number(json, "top", state->top[pile]);
        json_put_array(json, "cards");
        for (int i = 0; i < state->play_count; i++)
            if (state->played_pile[i] == pile)
                json_put_number(json, NULL, state->played[i]);
        json_put_end(json);
        json_put_end(json);
    }
    json_put_end(json);
}

static void settings_json(const struct up_n_down *state, struct json *json) {
    json_put_object(json, "settings");
    json_put_number(json, "minCardValue", state->card_min);
    json_put_number(json, "maxCardValue", state->card_max);
    json_put_number(json, "handSize", state->hand_size);
    json_put_number(json, "minPlayers", state->players_min);
    json_put_number(json, "maxPlayers", state->players_max);
    json_put_number(json, "minCardsPerTurn", state->cards_per_turn);
    json_put_bool(json, "allowUndo", state->undo_allowed);
    json_put_bool(json, "autoRefillHand", state->refill);
    json_put_bool(json, "debugMode", state->debug);
    json_put_end(json);
}

static int cards_left(const struct up_n_down *state) {
    return state->card_max - state->card_min + 1 - state->play_count;
}

void up_n_down_describe(const void *seen, int viewer, struct json *json) {
    static const char *const phases[] = {"lobby", "playing", "won", "lost"};
    const struct up_n_down *state = seen;
    int total[3] = {0, 0, 0};
    up_n_down_totals(state, total);
    json_put_string(json, "gamePhase", phases[state->phase]);
    json_put_bool(json, "isSolitaire", up_n_down_solitaire(state));
    json_put_number(json, "currentPlayerIndex", state->current);
    json_put_number(json, "cardsPlayedThisTurn", state->played_this_turn);
    json_put_number(json, "minimumThisTurn",
                    up_n_down_solitaire(state) ? 0 : up_n_down_minimum(state));
    json_put_bool(json, "canUndo", state->can_undo);
    piles_json(state, json);
    json_put_number(json, "drawPileCount", state->draw_count);
    json_put_number(json, "cardsLeft", cards_left(state));
    if (viewer == OMNISCIENT) {
        json_put_array(json, "drawPile");
        for (int i = state->draw_count - 1; i >= 0; i--)
            json_put_number(json, NULL, state->draw[i]);
        json_put_end(json);
    }
    players_json(state, viewer, json);
    statistics_json(total[0], total[1], total[2], json);
    settings_json(state, json);
}

bool up_n_down_parse_card(struct span word, uint16_t *out) {
    int32_t value;
    if (!span_number(word, &value) || value < 0 || value > 255)
        return false;
    *out = (uint16_t)value;
    return true;
}

void up_n_down_print_card(uint16_t card, struct text *text) {
    text_number(text, card);
}

static void show_player(const struct up_n_down *state, int seat, bool hand_is_known,
                        const char *name, struct text *text) {
    bool moves = state->phase == UP_N_DOWN_PLAYING && seat == state->current;
    text_string(text, moves ? "> " : "  ");
    text_padded(text, name, 12);
    if (state->hand_count[seat] == 0) {
        text_string(text, " no cards");
    } else if (hand_is_known) {
        for (int card = state->card_min; card <= state->card_max; card++) {
            if (card_set_has(&state->hand[seat], card)) {
                text_char(text, ' ');
                text_number(text, card);
            }
        }
    } else {
        text_char(text, ' ');
        text_number(text, state->hand_count[seat]);
        text_string(text, " cards");
    }
    for (int pile = 0; pile < UP_N_DOWN_PILES; pile++) {
        if (state->preference[seat][pile] != UP_N_DOWN_NONE) {
            text_string(text, ", pile ");
            text_number(text, pile + 1);
            text_string(text, ": ");
            text_string(text, up_n_down_levels[state->preference[seat][pile]]);
        }
    }
    text_char(text, '\n');
}

void up_n_down_show(const void *seen, int viewer, const char *const *names, struct text *text) {
    const struct up_n_down *state = seen;
    for (int pile = 0; pile < UP_N_DOWN_PILES; pile++) {
        text_string(text, pile == 0 ? "  pile " : "   pile ");
        text_number(text, pile + 1);
        text_string(text, up_n_down_ascends(pile) ? " up: " : " down: ");
        text_number(text, state->top[pile]);
    }
    text_string(text, "   draw pile: ");
    text_number(text, state->draw_count);
    text_char(text, '\n');
    for (int seat = 0; seat < state->head.seats; seat++)
        show_player(state, seat, seat == viewer || viewer == OMNISCIENT, names[seat], text);
}

static void count_cards(int count, struct text *text) {
    text_number(text, count);
    text_string(text, count == 1 ? " card" : " cards");
}

/* Counts the cards that the turn still demands; alone, those that are left. */
void up_n_down_prompt(const void *seen, int seat, struct text *text) {
    const struct up_n_down *state = seen;
    struct card_set fits = up_n_down_fitting(state, &state->hand[seat]);
    int played = state->played_this_turn, owed = up_n_down_minimum(state) - played;
    bool alone = up_n_down_solitaire(state);
    if ((fits.word[0] | fits.word[1]) == 0) {
        text_string(text,
                    owed > 0 || alone ? "Nothing fits any more" : "Nothing fits: end the turn");
    } else if (alone) {
        text_string(text, "Play on: ");
        count_cards(cards_left(state), text);
        text_string(text, " to go");
    } else if (owed <= 0) {
        text_string(text, "Play on, or end the turn");
    } else {
        text_string(text, "Your turn: ");
        if (played > 0) {
            text_number(text, owed);
            text_string(text, " more");
        } else {
            count_cards(owed, text);
        }
    }
}
