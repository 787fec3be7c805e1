/* See questions.h. */
#include "cli/questions.h"

#include "engine/json_tree.h"
#include <string.h>

enum { NODES_MAX = 8192, DATA_SIZE = 1 << 17, CARD_SIZE = 256 };

/* What a client would be sent, and its nodes. */
struct sent {
    char data[DATA_SIZE];
    struct json_node nodes[NODES_MAX];
};

/* A card is a name, `KH.2` for the second one, or an object with a text or a name. */
static void tell_card(const struct json_node *card, FILE *out) {
    const struct json_node *words = json_node_find(card, "text"), *id = json_node_find(card, "id");
    char name[CARD_SIZE];
    struct text text = text_in(name, sizeof name);
    json_node_print(words ? words : id ? id : card, &text);
    fprintf(out, "%.*s", words ? (int)text.length : (int)strcspn(name, "."), name);
}

/* The hand as the game tells it to whoever comes back. */
static const struct json_node *told_hand(const struct game *game, const struct game_state *state,
                                         int seat, struct sent *sent) {
    struct events events;
    events_begin(&events, sent->data, sizeof sent->data);
    game->tell_hand(state->bytes, seat, &events);
    return events.count > 0 && json_tree_read(events.item[0].data, sent->nodes, NODES_MAX, NULL)
               ? json_node_find(sent->nodes, "hand")
               : NULL;
}

/* The hand in the seat's view. */
static const struct json_node *seen_hand(const struct game *game, const struct game_state *state,
                                         int seat, struct sent *sent) {
    struct game_state seen;
    struct json json;
    game_observe(game, state, seat, &seen);
    json_begin(&json, sent->data, sizeof sent->data);
    json_put_object(&json, NULL);
    game->describe(seen.bytes, seat, &json);
    json_put_end(&json);
    if (!json_tree_read(span_of(sent->data), sent->nodes, NODES_MAX, NULL))
        return NULL;
    const struct json_node *players = json_node_find(sent->nodes, "players");
    for (const struct json_node *player = json_node_first(players); player;
         player = json_node_next(players, player))
        if (json_node_number(json_node_find(player, "seatIndex")) == seat)
            return json_node_find(player, "hand");
    return NULL;
}

void questions_tell_hand(const struct game *game, const struct game_state *state, int seat,
                         FILE *out) {
    struct sent sent;
    const struct json_node *hand =
        game->tell_hand ? told_hand(game, state, seat, &sent) : seen_hand(game, state, seat, &sent);
    if (json_node_count(hand) == 0) {
        fputs("You hold nothing that you may see.\n", out);
        return;
    }
    bool long_cards = json_node_find(json_node_first(hand), "text");
    const char *gap = "Your hand: ";
    for (const struct json_node *card = json_node_first(hand); card;
         card = json_node_next(hand, card)) {
        fputs(gap, out);
        tell_card(card, out);
        gap = long_cards ? "; " : " ";
    }
    fputs(".\n", out);
}

static void tell_side(const struct result *result, int seats, int side, const char *const *names,
                      FILE *out) {
    const char *gap = "";
    int score = 0;
    for (int seat = 0; seat < seats; seat++) {
        if (result->side_of[seat] != side)
            continue;
        fprintf(out, "%s%s", gap, names[seat]);
        gap = " and ";
        score = result->score[seat];
    }
    fprintf(out, " %d", score);
}

void questions_tell_score(const struct game *game, const struct game_state *state,
                          const char *const *names, FILE *out) {
    struct result result;
    game_result(game, state, &result);
    if (result.sides == 1) {
        fprintf(out, "Together %d.\n", (int)result.score[0]);
        return;
    }
    for (int side = 0; side < result.sides; side++) {
        fputs(side > 0 ? ", " : "", out);
        tell_side(&result, game_seats(state), side, names, out);
    }
    fputs(".\n", out);
}
