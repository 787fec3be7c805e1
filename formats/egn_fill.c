/* Finding the unknown cards of a deal; see egn_fill.h.
 *
 * No rule of euchre stands here. Cards are laid out so that every place of the deal (a hand, the
 * upcard, the kitty) gets one that the file and the knowledge so far allow, a matching of 24 cards
 * and 24 places. Then the rules play the deal's moves. Where they refuse, something is learnt: a
 * card that its player does not hold must be that player's; the cards that a player should have
 * followed with cannot be that player's; a suit that may not be called is not that of the upcard.
 * The cards are laid out anew, until the rules accept it all or nothing fits. Each lesson rules out
 * at least one owner of one card, so that a deal with known tricks needs few attempts. An unknown
 * card in a trick, or an unknown discard, is a choice that can be taken back; the number of
 * attempts is bounded. */
#include "formats/egn_fill.h"

#include "engine/record.h"
#include <stdio.h>
#include <string.h>

enum {
    PLACES = EGN_CARDS,
    PLACE_UPCARD = EGN_SEATS * EGN_HAND,
    /* Owners of a card are bits: the seats and these. */
    OWNER_TURNED = 1 << EGN_SEATS,
    OWNER_KITTY = 1 << (EGN_SEATS + 1),
    STEPS_MAX = EGN_CALLS_MAX + 4 + EGN_TRICKS * EGN_SEATS,
    ATTEMPTS_MAX = 50000,
    NO_CARD = 255
};

#define NINES_AND_TENS ((uint32_t)0xc30c3)

enum step_kind { STEP_SAY, STEP_DISCARD, STEP_PLAY };

struct step {
    enum step_kind kind;
    int seat; /* of STEP_SAY */
    int trick;
    uint32_t cards; /* what the file allows */
    char words[16]; /* of STEP_SAY */
};

struct knowledge {
    uint8_t owners[EGN_CARDS];
    uint8_t void_trick[EGN_CARDS][EGN_SEATS]; /* in which trick the seat did not have the card */
};

struct choice {
    int step;
    uint32_t left;
    struct knowledge before;
};

struct conflict {
    int step; /* how far it got; -1: nowhere */
    int trick;
    char why[320];
};

struct filler {
    const struct game *game;
    const struct egn_file *file;
    const struct egn_deal *deal;
    const struct game_state *before;
    struct game_state state;
    uint32_t place[PLACES]; /* what the file allows there */
    struct knowledge known;
    uint8_t card_at[PLACES];
    uint8_t place_of[EGN_CARDS];
    int step_count;
    struct step step[STEPS_MAX];
    int seat_of[STEPS_MAX]; /* who made the move in the last attempt */
    uint8_t chosen[STEPS_MAX];
    uint32_t named; /* cards that a trick names */
    uint32_t used;  /* cards played or discarded in this attempt */
    int choice_count;
    struct choice choice[STEPS_MAX];
    struct conflict lesson; /* the reason for what was learnt last */
    struct conflict worst;  /* the conflict that came last in the deal */
};

enum outcome { OUTCOME_DONE, OUTCOME_LEARNT, OUTCOME_STUCK };

/* ---- Words ---- */

static void card_name(int card, char out[4]) {
    struct text text;
    text_begin(&text, out, 4);
    card_print(egn_to_card(card), &text);
}

static const char *name_of(const struct filler *filler, int seat) {
    return filler->file->name[seat];
}

static void set_conflict(struct conflict *conflict, int step, int trick, const char *why) {
    conflict->step = step;
    conflict->trick = trick;
    snprintf(conflict->why, sizeof conflict->why, "%s", why);
}

static enum outcome stuck(struct filler *filler, const struct conflict *conflict) {
    if (conflict->step > filler->worst.step)
        filler->worst = *conflict;
    return OUTCOME_STUCK;
}

/* "Ann plays 9S: why". */
static void about_card(const struct filler *filler, int step, int seat, int card, const char *why,
                       struct conflict *out) {
    char name[4], words[sizeof out->why];
    card_name(card, name);
    const char *does = filler->step[step].kind == STEP_PLAY ? "plays" : "discards";
    snprintf(words, sizeof words, "%.64s %s %s: %.191s", name_of(filler, seat), does, name, why);
    set_conflict(out, step, filler->step[step].trick, words);
}

/* ---- The moves of the deal ---- */

static struct step *add_step(struct filler *filler, enum step_kind kind) {
    struct step *step = &filler->step[filler->step_count++];
    *step = (struct step){.kind = kind};
    return step;
}

static void say(struct filler *filler, int seat, const char *words) {
    struct step *step = add_step(filler, STEP_SAY);
    step->seat = seat;
    snprintf(step->words, sizeof step->words, "%s", words);
}

static void add_calls(struct filler *filler) {
    const struct egn_deal *deal = filler->deal;
    for (int i = 0; i < deal->call_count; i++) {
        int seat = (deal->dealer + 1 + i) & 3, call = deal->call[i];
        char words[16] = "pass";
        const char *alone = deal->alone ? " alone" : "";
        if (call == EGN_ORDER)
            snprintf(words, sizeof words, "order%s", alone);
        else if (call != EGN_PASS)
            snprintf(words, sizeof words, "call %c%s", card_suit_letter(call), alone);
        say(filler, seat, words);
    }
    if (deal->thrown_in)
        say(filler, (deal->dealer + 1 + deal->call_count) & 3, "redeal");
}

static void add_discard(struct filler *filler) {
    const struct egn_deal *deal = filler->deal;
    if (!egn_is_ordered_up(deal) || (!deal->has_discard && deal->trick_count == 0))
        return;
    add_step(filler, STEP_DISCARD)->cards = deal->has_discard ? deal->discard : EGN_ANY_CARD;
}

/* The seat left of the caller decides first. A file that says nothing about the defence says no for
 * both once cards are played. */
static void add_defence(struct filler *filler) {
    const struct egn_deal *deal = filler->deal;
    int caller = egn_caller(deal), first = (caller + 1) & 3, second = (caller + 3) & 3;
    bool asked = deal->alone && filler->file->rules.defend_alone;
    if (!asked || (deal->defender == EGN_UNSAID && deal->trick_count == 0))
        return;
    say(filler, first, deal->defender == first ? "defend alone" : "pass");
    if (deal->defender != first)
        say(filler, second, deal->defender == second ? "defend alone" : "pass");
}

static void add_plays(struct filler *filler) {
    const struct egn_deal *deal = filler->deal;
    for (int trick = 0; trick < deal->trick_count; trick++) {
        for (int i = 0; i < deal->trick_cards[trick]; i++) {
            struct step *step = add_step(filler, STEP_PLAY);
            step->trick = trick + 1;
            step->cards = deal->trick[trick][i];
        }
    }
}

/* ---- Laying out ---- */

static int owner_of_place(int place) {
    if (place < PLACE_UPCARD)
        return 1 << place / EGN_HAND;
    return place == PLACE_UPCARD ? OWNER_TURNED : OWNER_KITTY;
}

/* The owners whose cards a seat can play: itself, and for the dealer the card that was turned. */
static uint8_t owners_for(const struct filler *filler, int seat) {
    bool picked_up = seat == filler->deal->dealer && egn_is_ordered_up(filler->deal);
    return (uint8_t)(1 << seat | (picked_up ? OWNER_TURNED : 0));
}

/* Finds a card for the place, moving others to make room; each card is asked once, so that this is
 * at most 24 calls deep. */
static bool find_card(struct filler *filler, int place, uint32_t *asked) {
    for (int card = 0; card < EGN_CARDS; card++) {
        bool fits = (filler->place[place] >> card & 1) != 0 &&
                    (filler->known.owners[card] & owner_of_place(place)) != 0;
        if (!fits || (*asked >> card & 1) != 0)
            continue;
        *asked |= (uint32_t)1 << card;
        int other = filler->place_of[card];
        if (other == PLACES || find_card(filler, other, asked)) {
            filler->place_of[card] = (uint8_t)place;
            filler->card_at[place] = (uint8_t)card;
            return true;
        }
    }
    return false;
}

static void sort_cards(uint8_t *cards, int count) {
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && cards[j - 1] > cards[j]; j--) {
            uint8_t card = cards[j];
            cards[j] = cards[j - 1];
            cards[j - 1] = card;
        }
}

/* Lays out the cards. Cards that the file does not put in an order are laid in ours. */
static bool lay_out(struct filler *filler) {
    memset(filler->place_of, PLACES, sizeof filler->place_of);
    for (int place = 0; place < PLACES; place++) {
        uint32_t asked = 0;
        if (!find_card(filler, place, &asked))
            return false;
    }
    for (int seat = 0; seat < EGN_SEATS; seat++)
        if (filler->deal->hand_count[seat] == 0)
            sort_cards(&filler->card_at[seat * EGN_HAND], EGN_HAND);
    if (!filler->deal->kitty_in_order)
        sort_cards(&filler->card_at[PLACE_UPCARD + 1], EGN_KITTY);
    return true;
}

static void print_deal(const struct filler *filler, struct text *text) {
    text_string(text, "deal");
    for (int place = 0; place < PLACES; place++) {
        int card = filler->card_at[place];
        if (place > 0 && place % EGN_HAND == 0 && place <= PLACE_UPCARD)
            text_string(text, " /");
        text_char(text, ' ');
        card_print(egn_to_card(card), text);
    }
}

/* ---- Learning ---- */

/* The player does not have the card, so it is laid out for that player, if it can be. */
static enum outcome learn_owner(struct filler *filler, int step, int seat, int card,
                                const char *why) {
    uint8_t *owners = &filler->known.owners[card];
    uint8_t left = *owners & owners_for(filler, seat);
    int void_trick = filler->known.void_trick[card][seat];
    about_card(filler, step, seat, card, why, &filler->lesson);
    if ((filler->used >> card & 1) != 0)
        about_card(filler, step, seat, card, "the card is gone by then", &filler->lesson);
    else if (void_trick != 0) {
        char words[96];
        snprintf(words, sizeof words, "it had to follow suit in trick %d (MUST_FOLLOW_SUIT)",
                 void_trick);
        about_card(filler, step, seat, card, words, &filler->lesson);
        filler->lesson.trick = void_trick;
    }
    if ((filler->used >> card & 1) != 0 || left == 0 || left == *owners)
        return stuck(filler, &filler->lesson);
    *owners = left;
    return OUTCOME_LEARNT;
}

/* The cards that the player may play, as a mask. */
static uint32_t legal_cards(const struct filler *filler, int seat) {
    struct move moves[GAME_LEGAL_MAX];
    size_t count = game_legal(filler->game, &filler->state, seat, moves);
    uint32_t cards = 0;
    for (size_t i = 0; i < count; i++) {
        char buffer[MOVE_TEXT_SIZE];
        struct text text;
        struct span verb, word;
        uint8_t card;
        text_begin(&text, buffer, sizeof buffer);
        game_print(filler->game, &moves[i], &text);
        struct scan scan = scan_of(span_of(buffer));
        if (scan_word(&scan, &verb) && scan_word(&scan, &word) && card_parse(word, &card))
            cards |= egn_from_card(card);
    }
    return cards;
}

/* The player does not follow suit, so the cards that should have been played are somebody
 * else's. */
static enum outcome learn_void(struct filler *filler, int step, int seat, int card,
                               const char *why) {
    about_card(filler, step, seat, card, why, &filler->lesson);
    for (uint32_t cards = legal_cards(filler, seat); cards != 0; cards &= cards - 1) {
        int held = egn_lowest(cards);
        filler->known.owners[held] &= (uint8_t)~owners_for(filler, seat);
        filler->known.void_trick[held][seat] = (uint8_t)filler->step[step].trick;
    }
    return OUTCOME_LEARNT;
}

/* ---- Choosing ---- */

static void choose(struct filler *filler, struct choice *choice, int seat, uint32_t preferred) {
    uint32_t from = (choice->left & preferred) != 0 ? choice->left & preferred : choice->left;
    int card = egn_lowest(from);
    choice->left &= ~((uint32_t)1 << card);
    filler->chosen[choice->step] = (uint8_t)card;
    filler->known.owners[card] &= owners_for(filler, seat);
    about_card(filler, choice->step, seat, card, "does not fit", &filler->lesson);
}

/* A card that the file does not name: one that no trick names and that the player may have,
 * preferably one of those dealt. */
static enum outcome begin_choice(struct filler *filler, int step, int seat) {
    uint32_t left = filler->step[step].cards & ~filler->used & ~filler->named;
    for (int card = 0; card < EGN_CARDS; card++)
        if ((filler->known.owners[card] & owners_for(filler, seat)) == 0)
            left &= ~((uint32_t)1 << card);
    if (left == 0) {
        set_conflict(&filler->lesson, step, filler->step[step].trick,
                     "no card is left for one that is unknown");
        return stuck(filler, &filler->lesson);
    }
    struct choice *choice = &filler->choice[filler->choice_count++];
    *choice = (struct choice){.step = step, .left = left, .before = filler->known};
    choose(filler, choice, seat, legal_cards(filler, seat));
    return OUTCOME_LEARNT;
}

/* Takes back choices until one has something left to try. The seat of a play follows from the
 * choices before it, which are as they were. */
static bool go_back(struct filler *filler) {
    while (filler->choice_count > 0) {
        struct choice *choice = &filler->choice[filler->choice_count - 1];
        filler->known = choice->before;
        if (choice->left != 0) {
            choose(filler, choice, filler->seat_of[choice->step], EGN_ANY_CARD);
            return true;
        }
        filler->chosen[choice->step] = NO_CARD;
        filler->choice_count--;
    }
    return false;
}

/* ---- Playing ---- */

static void step_words(const struct filler *filler, int step, struct text *text) {
    if (filler->step[step].kind == STEP_SAY) {
        text_string(text, filler->step[step].words);
        return;
    }
    int card = filler->chosen[step];
    text_string(text, filler->step[step].kind == STEP_PLAY ? "play " : "discard ");
    card_print(egn_to_card(card), text);
}

static bool play_step(struct filler *filler, int step, int seat, struct refusal *why) {
    char words[24];
    struct text text;
    text_begin(&text, words, sizeof words);
    step_words(filler, step, &text);
    return game_play_text(filler->game, &filler->state, seat, span_of(words), NULL, why);
}

static enum outcome take_card(struct filler *filler, int step, int seat) {
    struct refusal why = {0};
    char words[REFUSAL_TEXT_SIZE];
    int card = filler->chosen[step];
    if (card == NO_CARD)
        return begin_choice(filler, step, seat);
    if (play_step(filler, step, seat, &why)) {
        filler->used |= (uint32_t)1 << card;
        return OUTCOME_DONE;
    }
    snprintf(words, sizeof words, "%.120s (%.32s)", why.text, why.code);
    if (strcmp(why.code, "INVALID_CARD") == 0)
        return learn_owner(filler, step, seat, card, words);
    if (strcmp(why.code, "MUST_FOLLOW_SUIT") == 0)
        return learn_void(filler, step, seat, card, words);
    about_card(filler, step, seat, card, words, &filler->lesson);
    return stuck(filler, &filler->lesson);
}

static enum outcome take_words(struct filler *filler, int step) {
    struct refusal why = {0};
    char words[sizeof filler->lesson.why];
    int seat = filler->seat_of[step] = filler->step[step].seat;
    if (play_step(filler, step, seat, &why))
        return OUTCOME_DONE;
    snprintf(words, sizeof words, "%.64s says '%s': %.64s (%.24s)", name_of(filler, seat),
             filler->step[step].words, why.text, why.code);
    set_conflict(&filler->lesson, step, 0, words);
    if (strcmp(why.code, "INVALID_SUIT") == 0 && !egn_is_exact(filler->place[PLACE_UPCARD])) {
        filler->known.owners[filler->card_at[PLACE_UPCARD]] &= (uint8_t)~OWNER_TURNED;
        return OUTCOME_LEARNT;
    }
    return stuck(filler, &filler->lesson);
}

static enum outcome take_step(struct filler *filler, int step) {
    if (filler->step[step].kind == STEP_SAY)
        return take_words(filler, step);
    uint32_t awaited = game_to_act(filler->game, &filler->state);
    if (awaited == 0 || awaited == AWAITS_NATURE) {
        set_conflict(&filler->lesson, step, filler->step[step].trick, "the deal is over already");
        return stuck(filler, &filler->lesson);
    }
    int seat = filler->seat_of[step] = egn_lowest(awaited);
    bool first = filler->step[step].kind == STEP_PLAY && filler->step[step - 1].kind != STEP_PLAY;
    if (first && filler->deal->first_lead >= 0 && filler->deal->first_lead != seat) {
        char words[sizeof filler->lesson.why];
        snprintf(words, sizeof words, "it is the turn of %.64s, not of %.64s, to lead",
                 name_of(filler, seat), name_of(filler, filler->deal->first_lead));
        set_conflict(&filler->lesson, step, filler->step[step].trick, words);
        return stuck(filler, &filler->lesson);
    }
    return take_card(filler, step, seat);
}

static enum outcome attempt(struct filler *filler) {
    char words[DEAL_TEXT_SIZE];
    struct text text;
    struct refusal why = {0};
    if (!lay_out(filler))
        return stuck(filler, &filler->lesson);
    filler->state = *filler->before;
    filler->used = 0;
    text_begin(&text, words, sizeof words);
    print_deal(filler, &text);
    if (!game_play_text(filler->game, &filler->state, NATURE, span_of(words), NULL, &why)) {
        set_conflict(&filler->lesson, 0, 0, why.text);
        return stuck(filler, &filler->lesson);
    }
    enum outcome outcome = OUTCOME_DONE;
    for (int step = 0; step < filler->step_count && outcome == OUTCOME_DONE; step++)
        outcome = take_step(filler, step);
    return outcome;
}

/* A filling must not end a game that goes on in the file. */
static bool ends_too_early(struct filler *filler) {
    const struct egn_file *file = filler->file;
    struct result result;
    game_result(filler->game, &filler->state, &result);
    int number = (int)(filler->deal - file->deal) + 1;
    if (!result.over || number == file->deal_count)
        return false;
    char words[64];
    snprintf(words, sizeof words, "the game is over, but deal %d follows", number + 1);
    set_conflict(&filler->lesson, STEPS_MAX, EGN_TRICKS, words);
    stuck(filler, &filler->lesson);
    return true;
}

static bool solve(struct filler *filler) {
    set_conflict(&filler->worst, -1, 0, "");
    set_conflict(&filler->lesson, 0, 0, "the cards that are dealt contradict one another");
    for (int i = 0; i < ATTEMPTS_MAX; i++) {
        enum outcome outcome = attempt(filler);
        if (outcome == OUTCOME_DONE && !ends_too_early(filler))
            return true;
        if (outcome != OUTCOME_LEARNT && !go_back(filler))
            return false;
    }
    set_conflict(&filler->worst, STEPS_MAX, filler->worst.trick, "too many cards are unknown");
    return false;
}

/* ---- A deal ---- */

static void set_places(struct filler *filler) {
    const struct egn_deal *deal = filler->deal;
    int thrower = (deal->dealer + 1 + deal->call_count) & 3;
    for (int seat = 0; seat < EGN_SEATS; seat++)
        for (int i = 0; i < EGN_HAND; i++) {
            uint32_t cards = deal->hand[seat][i];
            bool farmers = deal->thrown_in && seat == thrower && cards == EGN_ANY_CARD;
            filler->place[seat * EGN_HAND + i] = farmers ? NINES_AND_TENS : cards;
        }
    filler->place[PLACE_UPCARD] = deal->upcard;
    for (int i = 0; i < EGN_KITTY; i++)
        filler->place[PLACE_UPCARD + 1 + i] = deal->kitty[i];
}

/* Notes whose each card may be, as far as the file itself says so. */
static void set_knowledge(struct filler *filler) {
    memset(&filler->known, 0, sizeof filler->known);
    for (int place = 0; place < PLACES; place++)
        for (int card = 0; card < EGN_CARDS; card++)
            if ((filler->place[place] >> card & 1) != 0)
                filler->known.owners[card] |= (uint8_t)owner_of_place(place);
    for (int place = 0; place < PLACES; place++)
        if (egn_is_exact(filler->place[place]))
            filler->known.owners[egn_lowest(filler->place[place])] = (uint8_t)owner_of_place(place);
}

static void set_choices(struct filler *filler) {
    memset(filler->chosen, NO_CARD, sizeof filler->chosen);
    for (int i = 0; i < filler->step_count; i++) {
        const struct step *step = &filler->step[i];
        if (step->kind == STEP_SAY || !egn_is_exact(step->cards))
            continue;
        filler->chosen[i] = (uint8_t)egn_lowest(step->cards);
        filler->named |= step->cards;
    }
}

static void write_lines(const struct filler *filler, struct text *lines) {
    char words[DEAL_TEXT_SIZE];
    struct text text;
    text_begin(&text, words, sizeof words);
    print_deal(filler, &text);
    record_write_entry(NATURE, span_of(words), lines);
    for (int step = 0; step < filler->step_count; step++) {
        text_begin(&text, words, sizeof words);
        step_words(filler, step, &text);
        record_write_entry(filler->seat_of[step], span_of(words), lines);
    }
}

bool egn_fill(const struct game *game, const struct egn_file *file, int index,
              struct game_state *state, struct text *lines, struct egn_error *error) {
    struct filler filler = {
        .game = game, .file = file, .deal = &file->deal[index], .before = state};
    add_calls(&filler);
    add_discard(&filler);
    add_defence(&filler);
    add_plays(&filler);
    set_places(&filler);
    set_knowledge(&filler);
    set_choices(&filler);
    if (!solve(&filler))
        return egn_contradiction(error, index + 1, filler.worst.trick, filler.worst.why);
    write_lines(&filler, lines);
    *state = filler.state;
    return true;
}
