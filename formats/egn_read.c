/* Reads EGN's JSON into a struct egn_file; see egn_file.h.
 *
 * Wrong JSON, a wrong shape, or rules that Who's Deal? does not have are bad input (exit 2). What
 * contradicts itself is refused with the deal and the trick (exit 1). Whether the moves are legal
 * is not decided here. */
#include "formats/egn_file.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCORE_MAX = 99 };

/* What every function here needs to know about the place it reads. */
struct reader {
    struct egn_file *file;
    struct egn_error *error;
    int number; /* of the deal, from 1 */
    int trump;  /* of the deal, or -1 */
};

static bool bad_deal(const struct reader *reader, const char *why) {
    return egn_fail(reader->error, EGN_BAD_FILE, "deal %d: %s", reader->number, why);
}

static bool contradiction(const struct reader *reader, int trick, const char *why) {
    return egn_contradiction(reader->error, reader->number, trick, why);
}

/* EGN's seat as ours, and back. */
static int our_seat(const struct egn_file *file, int seat) {
    return (seat - file->first_dealer) & 3;
}

/* A whole number within bounds. */
static bool small_number(const json_t *json, int min, int max, int *out) {
    if (!json_is_integer(json) || json_integer_value(json) < min || json_integer_value(json) > max)
        return false;
    *out = (int)json_integer_value(json);
    return true;
}

/* ---- Cards ---- */

static int suit_of(char letter) {
    static const char letters[] = EGN_SUIT_LETTERS;
    const char *found = letter ? strchr(letters, letter | 32) : NULL;
    return found ? (int)(found - letters) : -1;
}

static uint32_t suit_cards(int suit) {
    return EGN_SPADES << EGN_RANKS * suit;
}

static uint32_t rank_cards(char letter) {
    static const char letters[] = EGN_RANK_LETTERS;
    const uint32_t nines = 1u | 1u << 6 | 1u << 12 | 1u << 18;
    if (letter == 'X')
        return EGN_ANY_CARD;
    const char *found = strchr(letters, letter == 'N' ? '9' : letter);
    return found && letter ? nines << (found - letters) : 0;
}

/* A suit by its letter, any (x), or by its part in the deal: trump (t), the other one of its colour
 * (n), the other colour (g). An h is always hearts. */
static uint32_t suit_letter_cards(char letter, int trump) {
    if (letter == 'x')
        return EGN_ANY_CARD;
    if (suit_of(letter) >= 0)
        return suit_cards(suit_of(letter));
    if (trump < 0 || !letter || !strchr("tng", letter))
        return 0;
    uint32_t colour = suit_cards(trump) | suit_cards(3 - trump);
    return letter == 't' ? suit_cards(trump) : letter == 'n' ? suit_cards(3 - trump) : ~colour;
}

/* The cards that a word may mean; 0 if it means none of euchre's 24. */
static uint32_t word_cards(const char *word, int trump) {
    if (strcmp(word, "R") == 0 || strcmp(word, "L") == 0)
        return trump < 0 ? 0 : rank_cards('J') & suit_cards(*word == 'R' ? trump : 3 - trump);
    if (strlen(word) != 2)
        return 0;
    return rank_cards(word[0]) & suit_letter_cards(word[1], trump) & EGN_ANY_CARD;
}

/* WD-C28: a card that nobody saw is left out, or written as "". */
static bool is_unseen(const json_t *json) {
    return !json || (json_is_string(json) && json_string_length(json) == 0);
}

static bool read_card(const struct reader *reader, const json_t *json, uint32_t *out) {
    const char *word = json_string_value(json);
    *out = is_unseen(json) ? EGN_ANY_CARD : word ? word_cards(word, reader->trump) : 0;
    if (*out != 0)
        return true;
    return egn_fail(reader->error, EGN_BAD_FILE, "deal %d: '%.16s' is no card of this deal",
                    reader->number, word ? word : "(no text)");
}

/* ---- Calls ---- */

static bool read_call(const struct reader *reader, const json_t *json, uint8_t *out) {
    const char *word = json_string_value(json);
    if (!word)
        return bad_deal(reader, "calls must be texts");
    if (strcmp(word, "Pass") == 0)
        *out = EGN_PASS;
    else if (strcmp(word, "Order") == 0)
        *out = EGN_ORDER;
    else if (strlen(word) == 1 && suit_of(*word) >= 0)
        *out = (uint8_t)suit_of(*word);
    else
        return egn_fail(reader->error, EGN_BAD_FILE, "deal %d: the call '%.16s' cannot be replayed",
                        reader->number, word);
    return true;
}

static bool read_calls(const struct reader *reader, const json_t *bidding, struct egn_deal *deal) {
    const json_t *calls = json_object_get(bidding, "calls");
    if (!json_is_array(calls))
        return bad_deal(reader, "the bidding lacks calls");
    for (size_t i = 0; i < json_array_size(calls); i++) {
        if (egn_caller(deal) != EGN_NOBODY)
            return contradiction(reader, 0, "somebody calls after trump is made");
        if (i == EGN_CALLS_MAX)
            return contradiction(reader, 0, "there are more than eight calls");
        if (!read_call(reader, json_array_get(calls, i), &deal->call[i]))
            return false;
        deal->call_count = (int)i + 1;
    }
    return true;
}

/* Both phases may say whether somebody goes alone. */
static bool read_alone(const struct reader *reader, const json_t *bidding, const json_t *play,
                       struct egn_deal *deal) {
    const json_t *said[] = {json_object_get(bidding, "isAlone"), json_object_get(play, "isAlone")};
    for (int i = 0; i < 2; i++)
        if (said[i] && !json_is_boolean(said[i]))
            return bad_deal(reader, "isAlone must be true or false");
    if (said[0] && said[1] && json_is_true(said[0]) != json_is_true(said[1]))
        return contradiction(reader, 0, "isAlone is said twice and not the same");
    deal->alone = json_is_true(said[0]) || json_is_true(said[1]);
    if (deal->alone && egn_caller(deal) == EGN_NOBODY)
        return contradiction(reader, 0, "somebody goes alone, but nobody has called");
    return true;
}

static bool read_defender(const struct reader *reader, const json_t *bidding,
                          struct egn_deal *deal) {
    const json_t *json = json_object_get(bidding, "aloneDefender");
    int seat;
    if (!json)
        return true;
    if (!small_number(json, -1, EGN_SEATS - 1, &seat))
        return bad_deal(reader, "aloneDefender must be a seat or -1");
    deal->defender = seat < 0 ? EGN_NOBODY : our_seat(reader->file, seat);
    if (seat < 0)
        return true;
    if (!reader->file->rules.defend_alone || !deal->alone)
        return contradiction(reader, 0, "somebody defends alone, which is not allowed here");
    if (((deal->defender ^ egn_caller(deal)) & 1) == 0)
        return contradiction(reader, 0, "the caller's own team defends alone");
    return true;
}

/* Trump decides what R, L, t, n and g mean. */
static bool find_trump(struct reader *reader, const json_t *state, const struct egn_deal *deal) {
    reader->trump = -1;
    if (egn_caller(deal) == EGN_NOBODY)
        return true;
    reader->trump = deal->call[deal->call_count - 1];
    if (reader->trump != EGN_ORDER)
        return true;
    const char *upcard = json_string_value(json_object_get(state, "upCard"));
    reader->trump = upcard && strlen(upcard) == 2 ? suit_of(upcard[1]) : -1;
    return reader->trump >= 0 ||
           bad_deal(reader, "the suit of upCard must be known when it is ordered up");
}

static bool read_bidding(struct reader *reader, const json_t *bidding, const json_t *play,
                         const json_t *state, struct egn_deal *deal) {
    if (bidding && !read_calls(reader, bidding, deal))
        return false;
    if (!read_alone(reader, bidding, play, deal) || !read_defender(reader, bidding, deal) ||
        !find_trump(reader, state, deal))
        return false;
    if (json_array_size(json_object_get(bidding, "cardExchanges")) > 0)
        return bad_deal(reader, "cards are exchanged, which Who's Deal? does not know");
    const json_t *discard = json_object_get(bidding, "discard");
    if (is_unseen(discard))
        return true;
    if (!egn_is_ordered_up(deal))
        return contradiction(reader, 0, "the dealer discards, but nobody ordered up");
    deal->has_discard = true;
    return read_card(reader, discard, &deal->discard);
}

/* ---- What is dealt ---- */

static bool read_hand(const struct reader *reader, const json_t *list, int seat,
                      struct egn_deal *deal) {
    if (!json_is_array(list))
        return bad_deal(reader, "playerCards must be lists of cards");
    if (json_array_size(list) > EGN_HAND)
        return contradiction(reader, 0, "somebody is dealt more than five cards");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *card = json_array_get(list, i);
        if (!read_card(reader, card, &deal->hand[seat][i]))
            return false;
        deal->hand_count[seat] += !is_unseen(card);
    }
    return true;
}

/* The field is called `player_cards` in the first versions. */
static bool read_hands(const struct reader *reader, const json_t *state, struct egn_deal *deal) {
    const json_t *hands = json_object_get(state, "playerCards");
    if (!hands)
        hands = json_object_get(state, "player_cards");
    if (hands && (!json_is_array(hands) || json_array_size(hands) > EGN_SEATS))
        return bad_deal(reader, "playerCards must be a list of four hands");
    for (size_t i = 0; i < json_array_size(hands); i++)
        if (!read_hand(reader, json_array_get(hands, i), our_seat(reader->file, (int)i), deal))
            return false;
    return true;
}

/* The order of the kitty, which EGN has no field for, as a comment on the first call. */
static bool read_kitty_note(const char *note, struct egn_deal *deal) {
    uint32_t cards[EGN_KITTY];
    char word[EGN_CARD_SIZE] = "";
    if (strncmp(note, "Kitty: ", 7) != 0 || strlen(note) != 15)
        return false;
    for (int i = 0; i < EGN_KITTY; i++) {
        memcpy(word, note + 7 + 3 * i, 2);
        cards[i] = word_cards(word, -1);
        if (!egn_is_exact(cards[i]) || (i > 0 && note[6 + 3 * i] != ' '))
            return false;
    }
    memcpy(deal->kitty, cards, sizeof cards);
    deal->kitty_in_order = true;
    return true;
}

/* Versions before 1.2 have the field `kitty`. */
static bool read_kitty(const struct reader *reader, const json_t *state, const json_t *bidding,
                       struct egn_deal *deal) {
    const json_t *kitty = json_object_get(state, "kitty");
    if (kitty && (!json_is_array(kitty) || json_array_size(kitty) > EGN_KITTY))
        return bad_deal(reader, "kitty must be a list of three cards");
    size_t seen = 0;
    for (size_t i = 0; i < json_array_size(kitty); i++) {
        const json_t *card = json_array_get(kitty, i);
        if (!read_card(reader, card, &deal->kitty[i]))
            return false;
        seen += !is_unseen(card);
    }
    deal->kitty_in_order = seen == EGN_KITTY;
    const json_t *notes = json_object_get(json_object_get(bidding, "callAnnotations"), "0");
    for (size_t i = 0; i < json_array_size(notes); i++) {
        const char *note = json_string_value(json_array_get(notes, i));
        if (note && read_kitty_note(note, deal))
            break;
    }
    return true;
}

/* Notes cards; refuses one that is named twice, among those dealt (trick 0) or among those
 * played. */
static bool see(const struct reader *reader, int trick, uint32_t cards, uint32_t *seen) {
    if (!egn_is_exact(cards))
        return true;
    if ((*seen & cards) != 0) {
        char why[32], card[EGN_CARD_SIZE];
        egn_card_text(egn_lowest(cards), card);
        snprintf(why, sizeof why, "%s is %s twice", card, trick == 0 ? "dealt" : "played");
        return contradiction(reader, trick, why);
    }
    *seen |= cards;
    return true;
}

static bool all_differ(const struct reader *reader, const struct egn_deal *deal) {
    uint32_t seen = 0;
    if (!see(reader, 0, deal->upcard, &seen))
        return false;
    for (int seat = 0; seat < EGN_SEATS; seat++)
        for (int i = 0; i < EGN_HAND; i++)
            if (!see(reader, 0, deal->hand[seat][i], &seen))
                return false;
    for (int i = 0; i < EGN_KITTY; i++)
        if (!see(reader, 0, deal->kitty[i], &seen))
            return false;
    return true;
}

static bool read_dealt(const struct reader *reader, const json_t *state, const json_t *bidding,
                       struct egn_deal *deal) {
    if (!read_card(reader, json_object_get(state, "upCard"), &deal->upcard) ||
        !read_hands(reader, state, deal) || !read_kitty(reader, state, bidding, deal))
        return false;
    return all_differ(reader, deal);
}

/* ---- Tricks ---- */

/* How many entries of a trick are "" for those who sit out while somebody plays alone: some
 * programs write a trick of a lone hand with four places. If other cards of the trick are unseen as
 * well, nobody can tell which place is whose, and none is counted. */
static size_t count_idle(const struct egn_deal *deal, const json_t *list) {
    size_t count = json_array_size(list), size = (size_t)egn_trick_size(deal), unseen = 0;
    for (size_t i = 0; i < count; i++)
        unseen += is_unseen(json_array_get(list, i));
    return count == EGN_SEATS && unseen == EGN_SEATS - size ? unseen : 0;
}

static bool read_trick(const struct reader *reader, const json_t *list, int trick,
                       struct egn_deal *deal, uint32_t *seen) {
    if (!json_is_array(list))
        return bad_deal(reader, "tricks must be lists of cards");
    size_t idle = count_idle(deal, list);
    if (json_array_size(list) - idle > (size_t)egn_trick_size(deal)) {
        char why[48];
        snprintf(why, sizeof why, "the trick has more than %d cards", egn_trick_size(deal));
        return contradiction(reader, trick + 1, why);
    }
    int *count = &deal->trick_cards[trick];
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *card = json_array_get(list, i);
        if (idle > 0 && is_unseen(card))
            continue;
        uint32_t *place = &deal->trick[trick][(*count)++];
        if (!read_card(reader, card, place) || !see(reader, trick + 1, *place, seen))
            return false;
    }
    return true;
}

static bool read_tricks(const struct reader *reader, const json_t *play, struct egn_deal *deal) {
    const json_t *tricks = json_object_get(play, "tricks");
    const json_t *lead = json_object_get(play, "initialLead");
    uint32_t seen = 0;
    int seat;
    if (!json_is_array(tricks))
        return bad_deal(reader, "the play lacks tricks");
    if (json_array_size(tricks) > 0 && reader->trump < 0)
        return contradiction(reader, 1, "cards are played, but nobody has called trump");
    for (size_t i = 0; i < json_array_size(tricks); i++) {
        if (i == EGN_TRICKS)
            return contradiction(reader, EGN_TRICKS + 1, "a deal has five tricks");
        if (!read_trick(reader, json_array_get(tricks, i), (int)i, deal, &seen))
            return false;
        deal->trick_count = (int)i + 1;
    }
    if (lead && !small_number(lead, 0, EGN_SEATS - 1, &seat))
        return bad_deal(reader, "initialLead must be a seat");
    if (lead)
        deal->first_lead = our_seat(reader->file, seat);
    return true;
}

/* ---- Deals ---- */

static bool find_phases(const struct reader *reader, const json_t *phases, const json_t **bidding,
                        const json_t **play) {
    *bidding = *play = NULL;
    if (!json_is_array(phases))
        return bad_deal(reader, "phases are missing");
    for (size_t i = 0; i < json_array_size(phases); i++) {
        const json_t *phase = json_array_get(phases, i);
        const char *type = json_string_value(json_object_get(phase, "type"));
        const json_t **place = type && strcmp(type, "EUCHRE_BIDDING") == 0 ? bidding
                               : type && strcmp(type, "TRICK_PLAY") == 0   ? play
                                                                           : NULL;
        if (!place || *place || (place == bidding && *play))
            return bad_deal(reader, "phases must be EUCHRE_BIDDING, then TRICK_PLAY");
        *place = phase;
    }
    return true;
}

static void clear_deal(struct egn_deal *deal) {
    *deal = (struct egn_deal){.defender = EGN_UNSAID, .first_lead = EGN_UNSAID};
    for (int seat = 0; seat < EGN_SEATS; seat++)
        for (int i = 0; i < EGN_HAND; i++)
            deal->hand[seat][i] = EGN_ANY_CARD;
    for (int i = 0; i < EGN_KITTY; i++)
        deal->kitty[i] = EGN_ANY_CARD;
}

static bool read_deal(struct reader *reader, const json_t *json, struct egn_deal *deal) {
    const json_t *state = json_object_get(json, "initialState"), *bidding, *play;
    int dealer;
    clear_deal(deal);
    if (json_is_string(json))
        return bad_deal(reader, "this one is packed; unpack the file first");
    if (!json_is_object(state))
        return bad_deal(reader, "initialState is missing");
    if (!small_number(json_object_get(state, "dealer"), 0, EGN_SEATS - 1, &dealer))
        return bad_deal(reader, "dealer must be a seat from 0 to 3");
    if (reader->number == 1)
        reader->file->first_dealer = dealer;
    deal->dealer = our_seat(reader->file, dealer);
    if (!find_phases(reader, json_object_get(json, "phases"), &bidding, &play) ||
        !read_bidding(reader, bidding, play, state, deal) ||
        !read_dealt(reader, state, bidding, deal))
        return false;
    return !play || read_tricks(reader, play, deal);
}

/* Only the last trick of the last deal may lack cards. */
static bool check_tricks(const struct reader *reader, const struct egn_deal *deal, bool last) {
    for (int i = 0; i < EGN_TRICKS; i++) {
        bool there = i < deal->trick_count;
        bool ends_here = last && i >= deal->trick_count - 1;
        if (ends_here || (there && deal->trick_cards[i] == egn_trick_size(deal)))
            continue;
        char why[48];
        snprintf(why, sizeof why, there ? "the trick has %d cards, not %d" : "the trick is missing",
                 deal->trick_cards[i], egn_trick_size(deal));
        return contradiction(reader, i + 1, why);
    }
    return true;
}

static bool check_deal(struct reader *reader, const struct egn_deal *deal, bool last) {
    if (egn_caller(deal) != EGN_NOBODY)
        return check_tricks(reader, deal, last);
    return last || deal->thrown_in || deal->call_count == EGN_CALLS_MAX ||
           contradiction(reader, 0, "nobody calls trump, and not everybody has passed twice");
}

/* The deal goes round the table. Only after a farmer's hand does the same dealer deal again. */
static bool link_deals(struct reader *reader) {
    struct egn_file *file = reader->file;
    for (int i = 0; i < file->deal_count; i++) {
        struct egn_deal *deal = &file->deal[i];
        bool last = i + 1 == file->deal_count;
        reader->number = i + 1;
        if (!last)
            deal->thrown_in = file->rules.farmers_hand && deal->call_count < EGN_SEATS &&
                              egn_caller(deal) == EGN_NOBODY && deal[1].dealer == deal->dealer;
        if (!check_deal(reader, deal, last))
            return false;
        int next = (deal->dealer + !deal->thrown_in) & 3;
        if (last || deal[1].dealer == next)
            continue;
        char why[64];
        snprintf(why, sizeof why, "seat %d deals out of turn; it is seat %d",
                 (deal[1].dealer + file->first_dealer) & 3, (next + file->first_dealer) & 3);
        reader->number++;
        return contradiction(reader, 0, why);
    }
    return true;
}

static bool read_deals(struct reader *reader, const json_t *deals) {
    if (!json_is_array(deals) || json_array_size(deals) > EGN_DEALS_MAX)
        return egn_fail(reader->error, EGN_BAD_FILE, "deals must be a list of at most %d deals",
                        EGN_DEALS_MAX);
    for (size_t i = 0; i < json_array_size(deals); i++) {
        reader->number = (int)i + 1;
        if (!read_deal(reader, json_array_get(deals, i), &reader->file->deal[i]))
            return false;
        reader->file->deal_count = (int)i + 1;
    }
    return link_deals(reader);
}

/* ---- Rules ---- */

/* What the ruleset may say: a switch of ours, or the one value that we play with. */
static const struct {
    const char *key;
    size_t offset; /* of a switch */
    int only;      /* -1: a switch */
} known_rules[] = {
    {"std", offsetof(struct egn_rules, stick_the_dealer), -1},
    {"canadian", offsetof(struct egn_rules, canadian_loner), -1},
    {"defend_alone", offsetof(struct egn_rules, defend_alone), -1},
    {"farmers", offsetof(struct egn_rules, farmers_hand), -1},
    {"min_rank", 0, 9},
    {"num_deals", 0, 0},
    {"loner_march_score", 0, 4},
    {"loner_euchred_score", 0, 2},
    {"num_players", 0, 4},
    {"partners_best", 0, 0},
    {"go_under", 0, 0},
    {"joker", 0, 0},
    {"allow_no_trump", 0, 0},
    {"fast_break", 0, 0},
    {"four_trick_tokens", 0, 0},
};

enum { KNOWN_RULES = sizeof known_rules / sizeof known_rules[0] };

static bool bad_rule(struct egn_error *error, const char *key) {
    return egn_fail(error, EGN_BAD_FILE, "ruleset: Who's Deal? does not have this '%.32s'", key);
}

static bool read_lead(const json_t *value, struct egn_rules *rules) {
    const char *word = json_string_value(value);
    rules->left_of_dealer_leads = word && strcmp(word, "LEFT_OF_DEALER") == 0;
    return rules->left_of_dealer_leads || (word && strcmp(word, "LEFT_OF_LONER") == 0);
}

static bool read_rule(const char *key, const json_t *value, struct egn_rules *rules) {
    int number;
    if (strcmp(key, "loner_lead") == 0)
        return read_lead(value, rules);
    if (strcmp(key, "winning_score") == 0)
        return small_number(value, 1, SCORE_MAX, &rules->target);
    for (int i = 0; i < KNOWN_RULES; i++) {
        if (strcmp(key, known_rules[i].key) != 0)
            continue;
        if (known_rules[i].only < 0) {
            *(bool *)((char *)rules + known_rules[i].offset) = json_is_true(value);
            return json_is_boolean(value);
        }
        bool off = json_is_false(value) && known_rules[i].only == 0;
        return off || (small_number(value, 0, SCORE_MAX, &number) && number == known_rules[i].only);
    }
    return false;
}

/* Rules that the file does not name have EGN's defaults, not ours. */
static bool read_rules(const json_t *metadata, struct egn_rules *rules, struct egn_error *error) {
    const json_t *ruleset = json_object_get(metadata, "ruleset");
    const char *description = json_string_value(json_object_get(metadata, "description"));
    *rules =
        (struct egn_rules){.target = 10, .stick_the_dealer = true, .left_of_dealer_leads = true};
    rules->dealer_may_discard_upcard =
        !description || !strstr(description, "dealerMayDiscardUpcard=no");
    if (!ruleset)
        return true;
    if (!json_is_object(ruleset))
        return egn_fail(error, EGN_BAD_FILE, "metadata: ruleset must be an object");
    for (void *at = json_object_iter((json_t *)ruleset); at;
         at = json_object_iter_next((json_t *)ruleset, at))
        if (!read_rule(json_object_iter_key(at), json_object_iter_value(at), rules))
            return bad_rule(error, json_object_iter_key(at));
    return true;
}

/* ---- Players and scores; the first dealer is known by now ---- */

static void read_bot(const json_t *player, int seat, struct egn_file *file) {
    const json_t *ids = json_object_get(player, "playerIds");
    for (size_t i = 0; i < json_array_size(ids); i++) {
        const json_t *id = json_array_get(ids, i);
        const char *source = json_string_value(json_object_get(id, "source"));
        const char *level = json_string_value(json_object_get(id, "id"));
        if (!source || strcmp(source, "oyster-bot") != 0 || !level)
            continue;
        bool word = strlen(level) < EGN_LEVEL_SIZE &&
                    strspn(level, "abcdefghijklmnopqrstuvwxyz-") == strlen(level);
        file->bot[seat] = true;
        snprintf(file->level[seat], EGN_LEVEL_SIZE, "%s", word ? level : "");
    }
}

static bool read_players(const json_t *metadata, struct egn_file *file, struct egn_error *error) {
    const json_t *players = json_object_get(metadata, "players");
    if (!json_is_array(players) || json_array_size(players) > EGN_SEATS)
        return egn_fail(error, EGN_BAD_FILE, "metadata: players must be a list of four names");
    for (int i = 0; i < EGN_SEATS; i++) {
        const json_t *player = json_array_get(players, (size_t)i);
        const json_t *name = json_is_object(player) ? json_object_get(player, "name") : player;
        int seat = our_seat(file, i);
        if (player && !json_is_string(name))
            return egn_fail(error, EGN_BAD_FILE, "metadata: player %d has no name", i);
        egn_clean_name(player ? json_string_value(name) : "", i, file->name[seat]);
        read_bot(player, seat, file);
    }
    return true;
}

/* EGN's team 0 is that of its seat 0. */
static bool read_score(const json_t *score, const struct egn_file *file, int out[2]) {
    int first = file->first_dealer & 1;
    return json_is_array(score) && json_array_size(score) == 2 &&
           small_number(json_array_get(score, 0), 0, SCORE_MAX, &out[first]) &&
           small_number(json_array_get(score, 1), 0, SCORE_MAX, &out[first ^ 1]);
}

static bool read_scores(const json_t *metadata, struct egn_file *file, struct egn_error *error) {
    const json_t *final = json_object_get(metadata, "finalScore");
    const int *initial = file->initial_score;
    if (!read_score(json_object_get(metadata, "initialScore"), file, file->initial_score) ||
        initial[0] >= file->rules.target || initial[1] >= file->rules.target)
        return egn_fail(error, EGN_BAD_FILE,
                        "metadata: initialScore must be two numbers below the winning score");
    file->has_final_score = final && json_array_size(final) > 0;
    if (file->has_final_score && !read_score(final, file, file->final_score))
        return egn_fail(error, EGN_BAD_FILE, "metadata: finalScore must be two numbers");
    return true;
}

/* ---- What the record carries along ---- */

/* Keeps only what the moves of a record do not say. */
static void strip_deal(json_t *deal) {
    json_object_del(deal, "initialState");
    json_t *phases = json_object_get(deal, "phases");
    for (size_t i = 0; i < json_array_size(phases); i++) {
        json_t *phase = json_array_get(phases, i);
        bool bidding = json_object_get(phase, "calls") != NULL;
        json_object_del(phase, "calls");
        json_object_del(phase, "discard");
        json_object_del(phase, "tricks");
        json_object_del(phase, "initialLead");
        if (bidding)
            json_object_del(phase, "isAlone");
    }
}

static bool carry(const json_t *root, struct egn_file *file, struct egn_error *error) {
    json_t *copy = json_deep_copy(root);
    json_t *deals = json_object_get(copy, "deals");
    for (size_t i = 0; i < json_array_size(deals); i++)
        strip_deal(json_array_get(deals, i));
    json_t *all = json_pack("{s:i, s:o}", "dealer", file->first_dealer, "file", copy);
    file->carried = all ? json_dumps(all, JSON_COMPACT) : NULL;
    json_decref(all);
    return file->carried || egn_fail(error, EGN_BAD_FILE, "not enough memory");
}

/* ---- The file ---- */

static bool check_kind(const json_t *root, struct egn_error *error) {
    const char *kind = json_string_value(json_object_get(root, "fileType"));
    const char *version = json_string_value(json_object_get(root, "version"));
    if (!kind || strcmp(kind, "Euchre Game Notation") != 0)
        return egn_fail(error, EGN_BAD_FILE, "fileType must be 'Euchre Game Notation'");
    if (!version || strncmp(version, "1.", 2) != 0)
        return egn_fail(error, EGN_BAD_FILE, "this version of EGN is not known; 1.0 to 1.6 are");
    return json_is_object(json_object_get(root, "metadata")) ||
           egn_fail(error, EGN_BAD_FILE, "metadata is missing");
}

static bool read_root(const json_t *root, struct egn_file *out, struct egn_error *error) {
    struct reader reader = {.file = out, .error = error, .trump = -1};
    const json_t *metadata = json_object_get(root, "metadata");
    return check_kind(root, error) && read_rules(metadata, &out->rules, error) &&
           read_deals(&reader, json_object_get(root, "deals")) &&
           read_players(metadata, out, error) && read_scores(metadata, out, error) &&
           carry(root, out, error);
}

bool egn_read(struct span text, struct egn_file *out, struct egn_error *error) {
    json_error_t wrong;
    if (text.length > EGN_SIZE_MAX)
        return egn_fail(error, EGN_BAD_FILE, "the file is larger than %d MB", EGN_SIZE_MAX >> 20);
    if (text.length >= 3 && memcmp(text.data, "\xef\xbb\xbf", 3) == 0)
        text = (struct span){text.data + 3, text.length - 3};
    json_t *root = json_loadb(text.data, text.length, JSON_REJECT_DUPLICATES, &wrong);
    if (!root)
        return egn_fail(error, EGN_BAD_FILE, "%d:%d: %s", wrong.line, wrong.column, wrong.text);
    bool good = read_root(root, out, error);
    json_decref(root);
    return good;
}

/* ---- The engine's view ---- */

static uint32_t view_card(const json_t *json) {
    const char *id = json_string_value(json_object_get(json, "id"));
    uint8_t card;
    struct span word = {id, id ? strlen(id) : 0};
    return id && card_parse(word, &card) ? egn_from_card(card) : 0;
}

/* Hands are by player; `seats` says who sits where. */
static uint32_t read_view_hand(const json_t *state, size_t seat, uint32_t out[EGN_HAND]) {
    const char *player = json_string_value(json_array_get(json_object_get(state, "seats"), seat));
    const json_t *hands = json_object_get(json_object_get(state, "round"), "hands");
    const json_t *hand = player ? json_object_get(hands, player) : NULL;
    uint32_t all = 0;
    for (size_t i = 0; i < EGN_HAND; i++)
        all |= out[i] = view_card(json_array_get(hand, i));
    return all;
}

bool egn_read_view(const char *text, struct egn_deal *out) {
    json_t *root = json_loads(text, 0, NULL);
    const json_t *state = json_object_get(root, "state");
    const json_t *kitty = json_object_get(json_object_get(state, "round"), "kitty");
    bool good = small_number(json_object_get(state, "dealerSeatIndex"), 0, 3, &out->dealer);
    uint32_t all = out->upcard = view_card(json_array_get(kitty, 0));
    for (size_t seat = 0; seat < EGN_SEATS; seat++)
        all |= read_view_hand(state, seat, out->hand[seat]);
    for (size_t i = 0; i < EGN_KITTY; i++)
        all |= out->kitty[i] = view_card(json_array_get(kitty, i + 1));
    json_decref(root);
    return good && all == EGN_ANY_CARD;
}
