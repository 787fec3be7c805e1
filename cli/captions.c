/* See captions.h. */
#include "cli/captions.h"

#include "engine/json_tree.h"
#include "engine/verb.h"
#include <string.h>

/* ---- What is asked ---- */

/* The first row counts whose word is among the moves of the person. */
static const struct {
    const char *game, *word, *hint;
} hints[] = {
    {"whos-deal", "order", "Your call: order it up, or pass"},
    {"whos-deal", "call", "Your call: name a suit, or pass"},
    {"whos-deal", "defend", "Defend alone?"},
    {"whos-deal", "discard", "Discard a card"},
    {"whos-deal", "play", "Your turn: play a card"},
    {"hand-and-foot", "answer", "Your partner asks: may I go out?"},
    {"hand-and-foot", "pile", "Choose a pile as your hand"},
    {"hand-and-foot", "take", "Your turn: draw, or take the pile"},
    {"hand-and-foot", "draw", "Your turn: draw"},
    {"hand-and-foot", "discard", "Your turn: lay what you can and will, then discard"},
    {"hand-and-foot", "done", "Your turn: lay what you can and will"},
    {"4-kate", "drop", "Your turn: drop a disc"},
    {"terrible-people", "answer", "Choose an answer"},
    {"terrible-people", "pick", "Pick the best answer"},
};

enum { VIEW_SIZE = 1 << 16, NODES_MAX = 1 << 13 };

static bool has_move(const struct captions_table *table, const struct move *moves, size_t count,
                     const char *word) {
    for (size_t i = 0; i < count; i++)
        if (span_is(verb_word(verb_of(table->game, &moves[i])), word))
            return true;
    return false;
}

/* Up-N-Down counts the cards that a turn still needs. */
static void hint_of_piles(const struct captions_table *table, const struct game_state *state,
                          bool fits, struct text *out) {
    static char view[VIEW_SIZE];
    static struct json_node nodes[NODES_MAX];
    struct json json;
    json_begin(&json, view, sizeof view);
    game_view(table->game, state, table->reader, NULL, &json);
    struct span text = {view, json.text.length};
    const struct json_node *root = json_tree_read(text, nodes, NODES_MAX, NULL) ? nodes : NULL;
    int64_t played = json_node_number(json_node_find(root, "cardsPlayedThisTurn"));
    int64_t owed = json_node_number(json_node_find(root, "minimumThisTurn")) - played;
    bool alone = json_node_is_true(json_node_find(root, "isSolitaire"));
    if (!fits) {
        text_string(out,
                    owed > 0 || alone ? "Nothing fits any more" : "Nothing fits: end the turn");
    } else if (alone || owed <= 0) {
        text_string(out, alone ? "Play on" : "Play on, or end the turn");
    } else {
        text_string(out, "Your turn: ");
        text_number(out, owed);
        text_string(out, played > 0 ? " more" : owed == 1 ? " card" : " cards");
    }
}

void caption_hint(const struct captions_table *table, const struct game_state *state,
                  struct text *out) {
    struct move moves[GAME_LEGAL_MAX];
    size_t count = game_legal(table->game, state, table->reader, moves);
    if (strcmp(table->game->id, "up-n-down") == 0) {
        hint_of_piles(table, state, has_move(table, moves, count, "play"), out);
        return;
    }
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        if (strcmp(hints[i].game, table->game->id) != 0 ||
            !has_move(table, moves, count, hints[i].word))
            continue;
        text_string(out, hints[i].hint);
        return;
    }
    text_string(out, "Your turn");
}

/* ---- What was done ---- */

static bool ends_with(struct span word, const char *end) {
    size_t length = strlen(end);
    return word.length >= length && memcmp(word.data + word.length - length, end, length) == 0;
}

/* "plays", "passes": somebody else does it, unless the person who reads is called You. */
static void put_done(const struct captions_table *table, int seat, struct span word,
                     struct text *out) {
    text_string(out, table->names[seat]);
    text_char(out, ' ');
    text_span(out, word);
    if (seat == table->reader && strcmp(table->names[seat], "You") == 0)
        return;
    bool hisses = ends_with(word, "s") || ends_with(word, "sh") || ends_with(word, "ch");
    text_string(out, hisses ? "es" : "s");
}

/* What stands in a caption after the word of a move, and before its last argument: "plays 72 on 3".
 */
static const struct joint {
    const char *game, *word, *after_word, *before_last;
} joints[] = {{"up-n-down", "play", "", " on"},
              {"4-kate", "drop", " into", ""},
              {"whos-deal", "order", " it up", ""}};

static const struct joint *joint_of(const struct captions_table *table, struct span word) {
    static const struct joint none = {.after_word = "", .before_last = ""};
    for (size_t i = 0; i < sizeof joints / sizeof *joints; i++)
        if (strcmp(joints[i].game, table->game->id) == 0 && span_is(word, joints[i].word))
            return &joints[i];
    return &none;
}

void caption_move(const struct captions_table *table, int seat, const char *words,
                  struct text *out) {
    struct span word = {words, strcspn(words, " ")};
    const struct joint *joint = joint_of(table, word);
    const char *rest = words + word.length, *last = strrchr(rest, ' ');
    put_done(table, seat, word, out);
    text_string(out, joint->after_word);
    if (!last)
        return;
    text_span(out, (struct span){rest, (size_t)(last - rest)});
    text_string(out, joint->before_last);
    text_string(out, last);
}

/* The seat is a member of the event; a row without one is a whole sentence. */
static const struct {
    const char *type, *seat, *word, *rest;
} told[] = {
    {"trick-won", "winningSeatIndex", "take", " the trick"},
    {"hand-thrown-in", "seatIndex", "throw", " in a hand of nines and tens"},
    {"hand-passed-out", NULL, NULL, "Everybody passed: nobody scores"},
    {"round-over", "seatIndex", "win", " the round"},
};

static void put_team(const char *name, const struct json_node *scores, const char *key,
                     struct text *out) {
    text_string(out, name);
    text_number(out, json_node_number(json_node_find(scores, key)));
}

void caption_event(const struct captions_table *table, const struct event *event,
                   struct text *out) {
    static struct json_node nodes[NODES_MAX];
    const struct json_node *root =
        json_tree_read(event->data, nodes, NODES_MAX, NULL) ? nodes : NULL;
    const struct json_node *scores = json_node_find(root, "scores");
    if (strcmp(event->type, "round-over") == 0 && json_node_has_kind(scores, NODE_OBJECT)) {
        put_team("The hand is over: team A has ", scores, "a", out);
        put_team(", team B ", scores, "b", out);
        return;
    }
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        if (strcmp(told[i].type, event->type) != 0)
            continue;
        const struct json_node *seat = told[i].seat ? json_node_find(root, told[i].seat) : NULL;
        if (told[i].seat && !json_node_has_kind(seat, NODE_WHOLE))
            continue;
        if (seat)
            put_done(table, (int)json_node_number(seat), span_of(told[i].word), out);
        text_string(out, told[i].rest);
        return;
    }
}
