/* Writes a struct egn_file as EGN 1.6; see egn_file.h. Everything in it is known by now.
 *
 * What a record carried along from an EGN file is taken up again: the file's own metadata, and in
 * each deal what the moves do not say (comments, other lines, numbers). Moves and scores always
 * come from the record. */
#include "formats/egn_file.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DESCRIPTION_MAX = 1024 };

static const char keep_upcard[] = "dealerMayDiscardUpcard=no";

static int egn_seat(int first_dealer, int seat) {
    return (seat + first_dealer) & 3;
}

static json_t *card_json(uint32_t cards) {
    char text[EGN_CARD_SIZE];
    egn_card_text(egn_lowest(cards), text);
    return json_string(text);
}

static json_t *cards_json(const uint32_t *cards, int count) {
    json_t *json = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(json, card_json(cards[i]));
    return json;
}

/* ---- Deals ---- */

static json_t *state_json(const struct egn_deal *deal, int first_dealer) {
    json_t *hands = json_array();
    for (int seat = 0; seat < EGN_SEATS; seat++) /* EGN's */
        json_array_append_new(hands, cards_json(deal->hand[(seat - first_dealer) & 3], EGN_HAND));
    return json_pack("{s:i, s:o, s:o}", "dealer", egn_seat(first_dealer, deal->dealer), "upCard",
                     card_json(deal->upcard), "playerCards", hands);
}

static json_t *calls_json(const struct egn_deal *deal) {
    static const char *const words[] = {"s", "h", "d", "c", "Pass", "Order"};
    json_t *calls = json_array();
    for (int i = 0; i < deal->call_count; i++)
        json_array_append_new(calls, json_string(words[deal->call[i]]));
    return calls;
}

static json_t *bidding_json(const struct egn_deal *deal, int first_dealer) {
    json_t *json = json_pack("{s:s, s:o, s:b}", "type", "EUCHRE_BIDDING", "calls", calls_json(deal),
                             "isAlone", (int)deal->alone);
    if (deal->defender != EGN_UNSAID) {
        int seat = deal->defender < 0 ? -1 : egn_seat(first_dealer, deal->defender);
        json_object_set_new(json, "aloneDefender", json_integer(seat));
    }
    if (deal->has_discard)
        json_object_set_new(json, "discard", card_json(deal->discard));
    return json;
}

static json_t *play_json(const struct egn_deal *deal) {
    json_t *tricks = json_array();
    for (int i = 0; i < deal->trick_count; i++)
        json_array_append_new(tricks, cards_json(deal->trick[i], deal->trick_cards[i]));
    return json_pack("{s:s, s:o}", "type", "TRICK_PLAY", "tricks", tricks);
}

static bool kitty_needs_note(const struct egn_deal *deal) {
    return deal->kitty[0] > deal->kitty[1] || deal->kitty[1] > deal->kitty[2];
}

/* EGN has no field for the kitty, so an order that is not ours stands in a comment on the first
 * call, unless that call has a comment already. */
static void note_kitty(const struct egn_deal *deal, json_t *bidding) {
    char words[EGN_KITTY][EGN_CARD_SIZE], note[24];
    for (int i = 0; i < EGN_KITTY; i++)
        egn_card_text(egn_lowest(deal->kitty[i]), words[i]);
    snprintf(note, sizeof note, "Kitty: %s %s %s", words[0], words[1], words[2]);
    if (!json_is_object(json_object_get(bidding, "callAnnotations")))
        json_object_set_new(bidding, "callAnnotations", json_object());
    json_t *annotations = json_object_get(bidding, "callAnnotations");
    if (!json_is_array(json_object_get(annotations, "0")))
        json_object_set_new(annotations, "0", json_array());
    json_t *notes = json_object_get(annotations, "0");
    for (size_t i = 0; i < json_array_size(notes); i++) {
        const char *other = json_string_value(json_array_get(notes, i));
        if (other && strcmp(other, note) == 0)
            return;
    }
    json_array_append_new(notes, json_string(note));
}

/* Members of the carried phase of this type that the record does not give. */
static void take_up_phase(json_t *phase, const json_t *carried) {
    const char *type = json_string_value(json_object_get(phase, "type"));
    const json_t *phases = json_object_get(carried, "phases");
    for (size_t i = 0; i < json_array_size(phases); i++) {
        json_t *other = json_array_get(phases, i);
        const char *other_type = json_string_value(json_object_get(other, "type"));
        if (other_type && strcmp(type, other_type) == 0)
            json_object_update_missing(phase, other);
    }
}

static json_t *deal_json(const struct egn_deal *deal, int index, int first_dealer,
                         json_t *carried) {
    json_t *number = json_object_get(carried, "dealNumber"), *phases = json_array();
    json_t *json =
        json_pack("{s:o, s:o}", "dealNumber", number ? json_incref(number) : json_integer(index),
                  "initialState", state_json(deal, first_dealer));
    if (deal->call_count > 0 || kitty_needs_note(deal)) {
        json_t *bidding = bidding_json(deal, first_dealer);
        take_up_phase(bidding, carried);
        if (kitty_needs_note(deal))
            note_kitty(deal, bidding);
        json_array_append_new(phases, bidding);
    }
    if (deal->trick_count > 0) {
        json_t *play = play_json(deal);
        take_up_phase(play, carried);
        json_array_append_new(phases, play);
    }
    json_object_set_new(json, "phases", phases);
    if (json_is_object(carried))
        json_object_update_missing(json, carried);
    return json;
}

/* ---- Metadata ---- */

static json_t *bot_json(const char *name, const char *level) {
    return json_pack("{s:s, s:[{s:s, s:s}]}", "name", name, "playerIds", "id", level, "source",
                     "oyster-bot");
}

/* The level of a bot of ours; null for others. */
static const char *bot_level(const json_t *player) {
    const json_t *ids = json_object_get(player, "playerIds");
    for (size_t i = 0; i < json_array_size(ids); i++) {
        const json_t *id = json_array_get(ids, i);
        const char *source = json_string_value(json_object_get(id, "source"));
        if (source && strcmp(source, "oyster-bot") == 0)
            return json_string_value(json_object_get(id, "id"));
    }
    return NULL;
}

/* Is the carried player the one whom the record names? */
static bool same_player(const json_t *player, int index, const struct egn_file *file, int seat) {
    char clean[EGN_NAME_SIZE];
    const json_t *name = json_is_object(player) ? json_object_get(player, "name") : player;
    const char *level = bot_level(player);
    if (!json_is_string(name) || (level != NULL) != file->bot[seat])
        return false;
    egn_clean_name(json_string_value(name), index, clean);
    return strcmp(clean, file->name[seat]) == 0 &&
           (!level || strcmp(level, file->level[seat]) == 0);
}

static json_t *players_json(const struct egn_file *file, int first_dealer, const json_t *carried) {
    json_t *players = json_array();
    const json_t *others = json_object_get(carried, "players");
    for (int i = 0; i < EGN_SEATS; i++) {
        int seat = (i - first_dealer) & 3;
        json_t *other = json_array_get(others, (size_t)i);
        if (same_player(other, i, file, seat))
            json_array_append(players, other);
        else if (file->bot[seat])
            json_array_append_new(players, bot_json(file->name[seat], file->level[seat]));
        else
            json_array_append_new(players, json_string(file->name[seat]));
    }
    return players;
}

/* A rule is written when it is not EGN's default, when the carried rules name it, or, without any,
 * when it is one of those that every file has. */
static void set_rule(json_t *rules, const char *key, json_t *value, bool needed) {
    if (needed || json_object_get(rules, key))
        json_object_set(rules, key, value);
    json_decref(value);
}

static json_t *rules_json(const struct egn_rules *rules, const json_t *carried) {
    const json_t *others = json_object_get(carried, "ruleset");
    json_t *json = json_is_object(others) ? json_deep_copy(others) : json_object();
    bool all = !carried;
    const char *lead = rules->left_of_dealer_leads ? "LEFT_OF_DEALER" : "LEFT_OF_LONER";
    set_rule(json, "std", json_boolean(rules->stick_the_dealer), all || !rules->stick_the_dealer);
    set_rule(json, "winning_score", json_integer(rules->target), all || rules->target != 10);
    set_rule(json, "canadian", json_boolean(rules->canadian_loner), all || rules->canadian_loner);
    set_rule(json, "loner_lead", json_string(lead), all || !rules->left_of_dealer_leads);
    set_rule(json, "defend_alone", json_boolean(rules->defend_alone), rules->defend_alone);
    set_rule(json, "farmers", json_boolean(rules->farmers_hand), rules->farmers_hand);
    return json;
}

static json_t *score_json(int team, int other, int first_dealer) {
    bool swapped = (first_dealer & 1) != 0;
    return json_pack("[i, i]", swapped ? other : team, swapped ? team : other);
}

/* The one house rule of ours that EGN cannot say goes into the description. */
static void describe(json_t *metadata, const struct egn_rules *rules) {
    const char *description = json_string_value(json_object_get(metadata, "description"));
    char text[DESCRIPTION_MAX * 4 + sizeof keep_upcard + 8];
    if (rules->dealer_may_discard_upcard || (description && strstr(description, keep_upcard)))
        return;
    if (!description || strlen(description) > DESCRIPTION_MAX * 4)
        description = "";
    snprintf(text, sizeof text, "%s%s(%s)", description, *description ? " " : "", keep_upcard);
    json_object_set_new(metadata, "description", json_string(text));
}

static json_t *metadata_json(const struct egn_file *file, int first_dealer, const json_t *carried) {
    json_t *json = carried ? json_copy((json_t *)carried) : json_object();
    const int *initial = file->initial_score, *final = file->final_score;
    json_object_set_new(json, "players", players_json(file, first_dealer, carried));
    json_object_set_new(json, "initialScore", score_json(initial[0], initial[1], first_dealer));
    if (file->over && (!carried || json_object_get(carried, "finalScore")))
        json_object_set_new(json, "finalScore", score_json(final[0], final[1], first_dealer));
    json_t *rules = rules_json(&file->rules, carried);
    if (json_object_size(rules) > 0 || json_object_get(carried, "ruleset"))
        json_object_set(json, "ruleset", rules);
    json_decref(rules);
    describe(json, &file->rules);
    return json;
}

/* ---- The file ---- */

/* Versions before 1.2 had fields that are not written any more. */
static const char *version_of(const json_t *carried) {
    const char *version = json_string_value(json_object_get(carried, "version"));
    bool kept = version && strncmp(version, "1.", 2) == 0 && version[2] >= '2' && version[2] <= '6';
    return kept ? version : "1.6";
}

static json_t *file_json(const struct egn_file *file, const json_t *carried, int first_dealer) {
    const json_t *metadata = json_object_get(carried, "metadata");
    json_t *others = json_object_get(carried, "deals"), *deals = json_array();
    for (int i = 0; i < file->deal_count; i++) {
        json_t *other = json_array_get(others, (size_t)i);
        json_array_append_new(deals, deal_json(&file->deal[i], i, first_dealer, other));
    }
    return json_pack("{s:s, s:s, s:o, s:o}", "fileType", "Euchre Game Notation", "version",
                     version_of(carried), "metadata",
                     metadata_json(file, first_dealer, json_is_object(metadata) ? metadata : NULL),
                     "deals", deals);
}

/* JSON is UTF-8, so names with other bytes cannot be written. */
static bool names_are_utf8(const struct egn_file *file) {
    bool good = true;
    for (int seat = 0; seat < EGN_SEATS; seat++) {
        json_t *player = bot_json(file->name[seat], file->level[seat]);
        good = good && player;
        json_decref(player);
    }
    return good;
}

/* A carried comment that the reader could not have written is left alone as a plain comment. */
char *egn_write(const struct egn_file *file, struct egn_error *error) {
    if (!names_are_utf8(file)) {
        egn_fail(error, EGN_BAD_FILE, "a player's name is not UTF-8");
        return NULL;
    }
    json_t *carried =
        file->carried ? json_loads(file->carried, JSON_REJECT_DUPLICATES, NULL) : NULL;
    json_int_t first = json_integer_value(json_object_get(carried, "dealer"));
    json_t *root = file_json(file, json_object_get(carried, "file"), (int)(first & 3));
    char *text = root ? json_dumps(root, JSON_INDENT(2)) : NULL;
    json_decref(carried);
    json_decref(root);
    size_t length = text ? strlen(text) : 0;
    char *line = text ? realloc(text, length + 2) : NULL;
    if (!line) {
        free(text);
        egn_fail(error, EGN_BAD_FILE, "not enough memory");
        return NULL;
    }
    memcpy(line + length, "\n", 2);
    return line;
}
