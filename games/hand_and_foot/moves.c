/* The moves of Hand & Foot: what a seat may do in its turn, and what comes of it. The table of
 * verbs at the end names them; each has a check and an apply above it. */
#include "engine/ensure.h"
#include "games/hand_and_foot/flow.h"
#include "games/hand_and_foot/plan.h"
#include "games/hand_and_foot/words.h"
#include <string.h>

/* ---- Going out ---- */

bool hand_foot_has_books_to_go_out(const struct hand_and_foot *state, int side, int clean_change,
                                   int dirty_change) {
    int clean, dirty;
    hand_foot_count_books(state, side, &clean, &dirty);
    return hand_foot_books_suffice(state, clean + clean_change, dirty + dirty_change);
}

bool hand_foot_is_stranded(const struct hand_and_foot *state, int seat, int cards, int clean_change,
                           int dirty_change) {
    if (!state->in_foot[seat] || cards >= FOOT_LEFT_MIN)
        return false;
    bool has_leave = !state->rules[RULE_ASK_PARTNER] || state->asking == HAND_FOOT_GRANTED;
    return !has_leave || !hand_foot_has_books_to_go_out(state, hand_foot_side(state, seat),
                                                        clean_change, dirty_change);
}

/* HF-68: names everything that is missing; TF-C15: says so if undo can help. */
static bool refuse_going_out(const struct hand_and_foot *state, int seat, int clean_change,
                             int dirty_change, struct refusal *why) {
    char reasons[REFUSAL_TEXT_SIZE];
    if (!why)
        return false;
    struct text text = text_in(reasons, sizeof reasons);
    hand_foot_write_missing(state, seat, clean_change, dirty_change, &text);
    if (text.length == 0)
        return refuse(why, "ASK_PARTNER",
                      state->asking == HAND_FOOT_DENIED ? "Your partner said no"
                                                        : "Ask your partner before going out");
    if (state->undo_plays > 0)
        text_string(&text, "; undo a play of this turn");
    return refuse(why, "CANNOT_GO_OUT", "%s", reasons);
}

/* HF-C7, TF-C9, TF-C10, TF-C15: may a play leave so many cards in the hand? A play that is `final`
 * cannot be undone. */
static bool check_left(const struct hand_and_foot *state, int seat, int left, int clean_change,
                       int dirty_change, bool final, struct refusal *why) {
    if (left == 0 && state->in_foot[seat] && state->rules[RULE_LAST_CARD] == LAST_DISCARD)
        return refuse(why, "KEEP_A_CARD", "Keep a card for the discard");
    if (!hand_foot_is_stranded(state, seat, left, clean_change, dirty_change))
        return true;
    bool undo_helps = state->rules[RULE_UNDO] && !final;
    if (left == 1 && undo_helps)
        return true;
    return refuse_going_out(state, seat, clean_change, dirty_change, why);
}

/* ---- Conditions of plays ---- */

/* HF-110: whether cards are named at all comes before everything else about them. */
static bool cards_in_hand(const struct hand_and_foot *state, int seat, const struct move *move,
                          int from, struct refusal *why) {
    uint16_t cards[MOVE_ARGS_MAX];
    int count = 0;
    for (int i = from; i < move->count; i++)
        if (move->args[i] != MOVE_SEPARATOR)
            cards[count++] = move->args[i];
    if (count > 0 && !state->chose_pile[seat]) /* HT-31: nor may a refusal tell what a pile holds */
        return refuse(why, "WRONG_PHASE", "Choose your hand first: pile 1 or pile 2");
    return plan_in_hand(state, seat, cards, count) ||
           refuse(why, "INVALID_CARD", "Card not in hand");
}

static bool find_own_book(const struct hand_and_foot *state, int seat, const struct move *move,
                          int *book, struct refusal *why) {
    int number = move->args[0];
    *book = hand_foot_find_book(state, hand_foot_side(state, seat), number);
    if (*book < 0 && (number == 0 || number == ARGUMENT_MISSING))
        return refuse(why, "INVALID_BOOK", "Name an own book by its number");
    return *book >= 0 || refuse(why, "INVALID_BOOK", "There is no own book %d", number);
}

static bool room_for_books(const struct plan *plan, const struct hand_and_foot *state,
                           struct refusal *why) {
    int new_books = 0;
    for (int i = 0; i < plan->group_count; i++)
        new_books += plan->groups[i].book == NEW_BOOK;
    return state->book_count + new_books <= HAND_FOOT_BOOKS_MAX ||
           refuse(why, "TOO_MANY_BOOKS", "The table holds at most %d books", HAND_FOOT_BOOKS_MAX);
}

/* ---- The discard pile ---- */

/* HF-27 to HF-30, TF-13, HT-27: may the pile be taken, whatever cards come from the hand? */
bool hand_foot_may_take(const struct hand_and_foot *state, int seat, struct refusal *why) {
    const int16_t *rules = state->rules;
    if (rules[RULE_PICKUP_AFTER_MELD] && !state->melded[hand_foot_side(state, seat)])
        return refuse(why, "NOT_PLAYED_DOWN", "Play down before you take the pile");
    if (state->pile_count == 0)
        return refuse(why, "PILE_EMPTY", "The discard pile is empty");
    int top = hand_foot_top(state);
    bool excludes_all = rules[RULE_PICKUP_EXCLUDES] == EXCLUDES_WILDS_AND_THREES;
    if (hand_foot_is_wild(top) && (excludes_all || rules[RULE_FREEZING]))
        return refuse(why, "PILE_FROZEN", "A wild card is on top of the pile");
    if (excludes_all ? hand_foot_is_three(top) : hand_foot_is_red_three(top))
        return refuse(why, "PILE_THREE", "A 3 is on top of the pile");
    return true;
}

/* HF-31, HF-32, HF-C37: the cards from the hand must be exactly those that the rule book asks
 * for. */
static bool check_companions(const struct hand_and_foot *state, const struct move *move,
                             struct refusal *why) {
    int rank = hand_foot_rank(hand_foot_top(state)), naturals = 0, wilds = 0;
    int wilds_most = hand_foot_companion_wilds(state);
    for (int i = 0; i < move->count; i++) {
        int card = move->args[i];
        if (card < CARD_KINDS && hand_foot_is_wild(card))
            wilds++;
        else if (card < CARD_KINDS && hand_foot_rank(card) == rank)
            naturals++;
    }
    bool match = naturals + wilds == PICKUP_COMPANIONS && wilds <= wilds_most;
    if (move->count == PICKUP_COMPANIONS && match)
        return true;
    return refuse(why, "NEED_MATCH",
                  wilds_most > 0
                      ? "Name two cards from hand that match the top card, one may be wild"
                      : "Name two natural cards from hand that match the top card");
}

/* Finds the side's latest book of the top card's rank that can take it. If there is none, the rules
 * decide about a new one. */
static int matching_book(const struct hand_and_foot *state, int seat, const struct move *move) {
    struct book_rules rules = book_rules_of(state->rules);
    int rank = hand_foot_rank(hand_foot_top(state)), side = hand_foot_side(state, seat), wilds = 0;
    for (int i = 0; i < move->count; i++)
        wilds += hand_foot_is_wild(move->args[i]);
    int index = state->book_count;
    while ((index = hand_foot_latest_book(state, side, rank, index)) >= 0) {
        struct book_counts book = book_counts_of(&rules, &state->books[index]);
        if (book_fits(&rules, &book, move->count + 1 - wilds, wilds))
            return index;
    }
    return NEW_BOOK;
}

static bool takes_anywhere(const void *from) {
    const struct hand_and_foot *state = from;
    return state->rules[RULE_PICKUP_PLAY] == PLAY_ANYWHERE;
}

static bool takes_by_force(const void *from) {
    return !takes_anywhere(from);
}

int hand_foot_take_verb(const struct hand_and_foot *state) {
    return takes_anywhere(state) ? HAND_FOOT_TAKE_MELDS : HAND_FOOT_TAKE;
}

/* ---- Moves as plans ---- */

/* Splits the arguments into groups; `top` joins the first one. */
static bool plan_groups(struct plan *plan, const struct hand_and_foot *state,
                        const struct move *move, int top, struct refusal *why) {
    int start_of_group = 0;
    for (int i = 0; i <= move->count; i++) {
        if (i < move->count && move->args[i] != MOVE_SEPARATOR)
            continue;
        int joins = start_of_group == 0 ? top : -1;
        if (!plan_add_group(plan, state, NEW_BOOK, move->args + start_of_group, i - start_of_group,
                            joins, why))
            return false;
        start_of_group = i + 1;
    }
    return true;
}

/* Plans onto which books the cards go, if the rules of books allow it. Moves that were checked are
 * planned by this alone. `top` is the pile's card where it is taken, or -1. */
static bool plan_books(struct plan *plan, const struct hand_and_foot *state, int seat,
                       const struct move *move, int top, struct refusal *why) {
    int book = NEW_BOOK;
    plan_begin(plan, state, seat);
    switch (move->verb) {
    case HAND_FOOT_ADD:
    case HAND_FOOT_TAKE_ADD:
        book = hand_foot_find_book(state, plan->side, move->args[0]);
        return plan_add_group(plan, state, book, move->args + 1, move->count - 1, top, why);
    case HAND_FOOT_TAKE:
        if (state->rules[RULE_PICKUP_PLAY] == PLAY_ON_MELD)
            book = matching_book(state, seat, move);
        return plan_add_group(plan, state, book, move->args, move->count, top, why);
    default:
        return plan_groups(plan, state, move, top, why);
    }
}

static bool plan_new_books(struct plan *plan, const struct hand_and_foot *state, int seat,
                           const struct move *move, int top, struct refusal *why) {
    return cards_in_hand(state, seat, move, 0, why) &&
           plan_books(plan, state, seat, move, top, why);
}

static bool plan_addition(struct plan *plan, const struct hand_and_foot *state, int seat,
                          const struct move *move, int top, struct refusal *why) {
    for (int i = 1; i < move->count; i++)
        if (move->args[i] == MOVE_SEPARATOR)
            return refuse(why, "INVALID_CARD", "Cards are added to one book at a time");
    int book;
    return find_own_book(state, seat, move, &book, why) &&
           cards_in_hand(state, seat, move, 1, why) &&
           plan_books(plan, state, seat, move, top, why);
}

/* What holds for a first meld and for the table as a whole. */
static bool check_whole(const struct plan *plan, const struct hand_and_foot *state,
                        struct refusal *why) {
    return plan_reaches_minimum(plan, state, why) && room_for_books(plan, state, why);
}

static bool plan_take(struct plan *plan, const struct hand_and_foot *state, int seat,
                      const struct move *move, struct refusal *why) {
    bool anywhere = takes_anywhere(state), adds = move->verb == HAND_FOOT_TAKE_ADD;
    if (!hand_foot_may_take(state, seat, why))
        return false;
    if (anywhere == (move->verb == HAND_FOOT_TAKE))
        return refuse(why, "NEED_MATCH", "Name the cards from hand that match the top card");
    if (!anywhere && !check_companions(state, move, why))
        return false;
    int top = hand_foot_top(state);
    bool planned = adds ? plan_addition(plan, state, seat, move, top, why)
                        : plan_new_books(plan, state, seat, move, top, why);
    return planned && check_whole(plan, state, why);
}

/* ---- Checks: phase, turn, then the move ---- */

/* PL-53: refuses a move at the wrong time and says what has to come first. */
static bool refuse_now(struct refusal *why, const char *text) {
    return refuse(why, "WRONG_PHASE", "%s", text);
}

static bool refuse_undrawn(struct refusal *why) {
    return refuse_now(why, "Draw from the deck or take the pile first");
}

static bool refuse_drawn(struct refusal *why) {
    return refuse_now(why, "You have drawn already");
}

static bool refuse_meld_phase(const struct hand_and_foot *state, struct refusal *why) {
    return state->turn_phase == HAND_FOOT_TURN_DRAW
               ? refuse_undrawn(why)
               : refuse_now(why, "Melding is over: discard a card");
}

/* It must be the seat's turn, and no question may be waiting for its answer. */
static bool check_turn(const struct hand_and_foot *state, int seat, struct refusal *why) {
    if ((hand_foot_to_act(state) >> seat & 1) == 0)
        return refuse_not_your_turn(why);
    return state->asking != HAND_FOOT_ASKED ||
           refuse_now(why, "Answer your partner first: yes or no");
}

/* Turns a meld or an addition into a plan. */
static bool plan_play(struct plan *plan, const struct hand_and_foot *state, int seat,
                      const struct move *move, struct refusal *why) {
    if (state->turn_phase != HAND_FOOT_TURN_MELD)
        return refuse_meld_phase(state, why);
    bool planned =
        move->verb == HAND_FOOT_MELD
            ? plan_new_books(plan, state, seat, move, -1, why) && check_whole(plan, state, why)
            : plan_addition(plan, state, seat, move, -1, why);
    return planned && check_left(state, seat, state->hand_count[seat] - plan->from_hand,
                                 plan->clean_change, plan->dirty_change, false, why);
}

enum { SPOILS = 20000 }; /* a rating lower by this comes after every play that spoils nothing */

/* How good a meld or an addition is as a suggestion (HF-C32, HF-C49): naturals count, wilds are
 * kept for books that have some, and what spoils a clean book comes last. */
static int rate_play(const struct hand_and_foot *state, const struct plan *plan, int *spoiled) {
    int rating = plan->groups[0].book == NEW_BOOK ? 1 : 0;
    for (int i = 0; i < plan->group_count; i++) {
        const struct plan_group *group = &plan->groups[i];
        const struct hand_foot_book *book = group->book >= 0 ? &state->books[group->book] : NULL;
        int wilds = 0;
        for (int j = group->first; j < group->first + group->count; j++) {
            bool wild = hand_foot_is_wild(plan->cards[j]);
            rating += wild ? -2 : 2 * hand_foot_points(state->rules, plan->cards[j]);
            wilds += wild;
        }
        if (book && wilds > 0 && hand_foot_book_wilds(book) == 0)
            rating -= 2 * hand_foot_book_size(book);
        if (book && wilds > 0 && hand_foot_worth_keeping(book))
            *spoiled = group->book;
    }
    return rating;
}

/* A play that strands the seat, which is legal where it can be taken back, is no suggestion; nor is
 * one after which the partner may still say no. */
static void preview_play(const void *seen, int seat, const struct move *move, struct json *json) {
    const struct hand_and_foot *state = seen;
    struct plan plan;
    struct refusal why;
    int spoiled = -1;
    if (!plan_play(&plan, state, seat, move, &why))
        return;
    int rating = rate_play(state, &plan, &spoiled);
    if (hand_foot_is_stranded(state, seat, state->hand_count[seat] - plan.from_hand,
                              plan.clean_change, plan.dirty_change))
        return;
    json_put_number(json, "rating", spoiled < 0 ? rating : rating - SPOILS);
    if (spoiled >= 0)
        json_put_number(json, "spoils", hand_foot_book_number(state, spoiled));
    if (plan.clean_change + plan.dirty_change > 0)
        json_put_bool(json, "completes", true);
}

static bool check_play(const void *from, int seat, const struct move *move, struct refusal *why) {
    struct plan plan;
    return check_turn(from, seat, why) && plan_play(&plan, from, seat, move, why);
}

/* Turns taking the pile into a plan. */
static bool plan_pickup(struct plan *plan, const struct hand_and_foot *state, int seat,
                        const struct move *move, struct refusal *why) {
    if (state->turn_phase != HAND_FOOT_TURN_DRAW)
        return refuse_drawn(why);
    if (!plan_take(plan, state, seat, move, why))
        return false;
    int left = state->hand_count[seat] - plan->from_hand + hand_foot_pickup_size(state) - 1;
    return check_left(state, seat, left, plan->clean_change, plan->dirty_change, true, why);
}

static bool check_take(const void *from, int seat, const struct move *move, struct refusal *why) {
    struct plan plan;
    return check_turn(from, seat, why) && plan_pickup(&plan, from, seat, move, why);
}

static bool check_draw(const void *from, int seat, const struct move *move, struct refusal *why) {
    const struct hand_and_foot *state = from;
    return check_turn(state, seat, why) &&
           (state->turn_phase == HAND_FOOT_TURN_DRAW || refuse_drawn(why));
}

static bool check_done(const void *from, int seat, const struct move *move, struct refusal *why) {
    const struct hand_and_foot *state = from;
    return check_turn(state, seat, why) &&
           (state->turn_phase == HAND_FOOT_TURN_MELD || refuse_meld_phase(state, why));
}

static bool check_discard(const void *from, int seat, const struct move *move,
                          struct refusal *why) {
    const struct hand_and_foot *state = from;
    if (!check_turn(state, seat, why))
        return false;
    if (state->turn_phase == HAND_FOOT_TURN_DRAW)
        return refuse_undrawn(why);
    if (move->count != 1)
        return refuse(why, "INVALID_CARD", "Discard exactly 1 card");
    if (!plan_in_hand(state, seat, move->args, 1))
        return refuse(why, "INVALID_CARD", "Card not in hand");
    return !hand_foot_is_stranded(state, seat, state->hand_count[seat], 0, 0) ||
           refuse_going_out(state, seat, 0, 0, why);
}

enum { KEEP_WILD = -100, DROP_THREE = 1, DROP_RED_THREE };

/* Which card a beginner may do without: threes, which cannot be laid, above all a red one, which
 * costs most; then a rank with few cards; wilds last. */
static void preview_discard(const void *seen, int seat, const struct move *move,
                            struct json *json) {
    const struct hand_and_foot *state = seen;
    int card = move->args[0], rating = 0;
    for (int other = 0; other < CARD_JOKER; other++)
        if (card != CARD_JOKER && card_rank(other) == card_rank(card))
            rating -= state->hand[seat][other];
    bool red = hand_foot_is_red_three(card), three = hand_foot_is_three(card);
    if (hand_foot_is_wild(card))
        rating = KEEP_WILD;
    else if (three)
        rating = red ? DROP_RED_THREE : DROP_THREE;
    json_put_number(json, "rating", rating);
    if (three)
        json_put_string(json, "three", red ? "red" : "black");
}

static bool check_close(const void *from, int seat, const struct move *move, struct refusal *why) {
    const struct hand_and_foot *state = from;
    if (!check_turn(state, seat, why))
        return false;
    int index;
    if (state->rules[RULE_CLOSING] != CLOSING_EXPLICIT)
        return refuse(why, "NO_CLOSING", "Books close by themselves at this table");
    if (state->turn_phase == HAND_FOOT_TURN_DRAW)
        return refuse_undrawn(why);
    if (!find_own_book(state, seat, move, &index, why))
        return false;
    struct book_rules rules = book_rules_of(state->rules);
    struct book_counts book = book_counts_of(&rules, &state->books[index]);
    if (book_may_close(&rules, &book))
        return true;
    return book.full
               ? refuse(why, "BOOK_CLOSED", "That book is closed already")
               : refuse(why, "BOOK_TOO_SMALL", "A book needs %d cards to be closed, it has %d",
                        rules.book_size, book.naturals + book.wilds);
}

static bool check_undo(const void *from, int seat, const struct move *move, struct refusal *why) {
    const struct hand_and_foot *state = from;
    if (!check_turn(state, seat, why))
        return false;
    if (!state->rules[RULE_UNDO])
        return refuse(why, "UNDO_DISABLED", "Undo is switched off at this table");
    return state->undo_plays > 0 || refuse(why, "NOTHING_TO_UNDO", "There is nothing to undo");
}

static bool check_pile(const void *from, int seat, const struct move *move, struct refusal *why) {
    const struct hand_and_foot *state = from;
    if (!check_turn(state, seat, why))
        return false;
    if (!state->rules[RULE_CHOOSE_PILE])
        return refuse(why, "NO_CHOICE", "Hands are not chosen at this table");
    if (state->turn_phase != HAND_FOOT_TURN_DRAW || state->chose_pile[seat])
        return refuse_now(why, "Your hand is chosen already");
    return move->args[0] == 1 || move->args[0] == 2 ||
           refuse(why, "INVALID_PILE", "Choose pile 1 or 2");
}

static bool check_lay(const void *from, int seat, const struct move *move, struct refusal *why) {
    const struct hand_and_foot *state = from;
    if (!check_turn(state, seat, why))
        return false;
    if (!state->rules[RULE_RED_THREES_LAID])
        return refuse(why, "NO_LAYING", "Red 3s are not laid down at this table");
    if (state->turn_phase == HAND_FOOT_TURN_DRAW)
        return refuse_undrawn(why);
    if (move->count != 1)
        return refuse(why, "INVALID_CARD", "Lay exactly 1 red 3");
    if (!plan_in_hand(state, seat, move->args, 1))
        return refuse(why, "INVALID_CARD", "Card not in hand");
    if (!hand_foot_is_red_three(move->args[0]))
        return refuse(why, "INVALID_CARD", "Only red 3s are laid down");
    return check_left(state, seat, state->hand_count[seat] - 1, 0, 0, true, why);
}

static bool check_ask(const void *from, int seat, const struct move *move, struct refusal *why) {
    const struct hand_and_foot *state = from;
    if (!check_turn(state, seat, why))
        return false;
    if (!state->rules[RULE_ASK_PARTNER])
        return refuse(why, "NO_ASKING", "Partners are not asked at this table");
    if (state->turn_phase == HAND_FOOT_TURN_DRAW)
        return refuse_undrawn(why);
    if (state->asking != HAND_FOOT_NOT_ASKED)
        return refuse_now(why, "You have asked in this turn already");
    int side = hand_foot_side(state, seat);
    if (!state->in_foot[seat] || !hand_foot_has_books_to_go_out(state, side, 0, 0))
        return refuse_going_out(state, seat, 0, 0, why);
    return true;
}

static bool check_answer(const void *from, int seat, const struct move *move, struct refusal *why) {
    const struct hand_and_foot *state = from;
    if (state->asking != HAND_FOOT_ASKED)
        return refuse_now(why, "Nobody asks you");
    if ((hand_foot_to_act(state) >> seat & 1) == 0)
        return refuse_not_your_turn(why);
    return move->args[0] <= 1 || refuse(why, "BAD_REQUEST", "Answer yes or no");
}

/* ---- Moves ---- */

/* TF-C8: the newest play can always be undone; where there is no room, the oldest one is forgotten.
 */
static void make_room(struct hand_and_foot *state, int cards) {
    if (!state->rules[RULE_UNDO])
        return;
    while (state->undo_plays == HAND_FOOT_UNDO_PLAYS_MAX ||
           state->undo_cards + cards > HAND_FOOT_UNDO_CARDS_MAX) {
        int gone = state->undo_play[0].cards;
        state->undo_cards = (uint8_t)(state->undo_cards - gone);
        state->undo_plays--;
        memmove(state->undo_card, state->undo_card + gone,
                state->undo_cards * sizeof *state->undo_card);
        memset(state->undo_card + state->undo_cards, 0, (size_t)gone * sizeof *state->undo_card);
        memmove(state->undo_play, state->undo_play + 1,
                state->undo_plays * sizeof *state->undo_play);
        state->undo_play[state->undo_plays] = (struct hand_foot_undo_play){0};
    }
}

static void remember_play(struct hand_and_foot *state, int cards_before, bool opened, int closed) {
    if (!state->rules[RULE_UNDO])
        return;
    state->undo_play[state->undo_plays++] = (struct hand_foot_undo_play){
        (uint8_t)(state->undo_cards - cards_before), opened, (uint8_t)closed};
}

/* Executes a checked plan. What it did is told by comparing the books before and after. */
static void lay(struct hand_and_foot *state, const struct plan *plan, int top,
                struct events *events) {
    bool opened = !state->melded[plan->side];
    make_room(state, plan->from_hand);
    int cards_before = state->undo_cards;
    plan_execute(plan, state, top);
    state->melded[plan->side] = true;
    state->plays++;
    if (top < 0)
        remember_play(state, cards_before, opened, 0);
    if (events)
        hand_foot_tell_play(state, plan, opened, events);
}

static void play(void *to, int seat, const struct move *move, struct events *events) {
    struct hand_and_foot *state = to;
    struct plan plan;
    bool planned = plan_books(&plan, state, seat, move, -1, NULL);
    ensure(planned);
    lay(state, &plan, -1, events);
    hand_foot_settle_hand(state, seat, events);
}

/* HF-32 to HF-36, HF-C41: the forced play, then the rest of the pile's cards to the hand. */
static void take(void *to, int seat, const struct move *move, struct events *events) {
    struct hand_and_foot *state = to;
    struct plan plan;
    int count = hand_foot_pickup_size(state), top = hand_foot_top(state);
    bool planned = plan_books(&plan, state, seat, move, top, NULL);
    ensure(planned);
    uint8_t additional[HAND_FOOT_CARDS_MAX];
    if (events)
        hand_foot_tell_take(state, seat, top, count, events);
    hand_foot_forget_new_cards(state, seat);
    state->pile[--state->pile_count] = 0;
    lay(state, &plan, top, events);
    hand_foot_clear_undo(state);
    for (int i = 1; i < count; i++) {
        additional[i - 1] = state->pile[--state->pile_count];
        hand_foot_receive(state, seat, additional[i - 1]);
        hand_foot_few_add(state->shown[seat], additional[i - 1], 1);
        state->pile[state->pile_count] = 0;
    }
    state->chose_pile[seat] = true;
    state->turn_phase = HAND_FOOT_TURN_MELD;
    if (events)
        hand_foot_tell_taken(state, &plan, additional, count - 1, events);
    hand_foot_settle_hand(state, seat, events);
}

/* HF-104 to HF-107 with HF-C13 and HF-C14. True when the round ends. */
static bool watch_for_stalemate(struct hand_and_foot *state, struct events *events) {
    int look = state->pile_count < STALEMATE_THREES ? state->pile_count : STALEMATE_THREES;
    bool threes = state->stock_count <= STALEMATE_STOCK_MAX;
    for (int i = 0; i < look && threes; i++)
        threes = hand_foot_is_three(state->pile[state->pile_count - 1 - i]);
    state->stalemate = threes ? (uint8_t)(state->stalemate + 1) : 0;
    if (state->stalemate >= STALEMATE_END * state->head.seats) {
        hand_foot_end_round(state, HAND_FOOT_STALEMATE, HAND_FOOT_NOBODY, events);
        return true;
    }
    if (state->stalemate == STALEMATE_WARNING * state->head.seats && events)
        hand_foot_tell_warning(events);
    return false;
}

static void discard(void *to, int seat, const struct move *move, struct events *events) {
    struct hand_and_foot *state = to;
    int card = move->args[0];
    hand_foot_leave_hand(state, seat, card);
    state->pile[state->pile_count++] = (uint8_t)card;
    if (events)
        hand_foot_tell_discard(state, seat, card, events);
    hand_foot_settle_hand(state, seat, events);
    if (state->phase != HAND_FOOT_PLAYING || watch_for_stalemate(state, events))
        return;
    hand_foot_begin_turn(state, seat_after(state->head, seat), events);
}

/* TF-C8: the newest play of this turn comes back whole, and with it the first meld. */
static void undo(void *to, int seat, const struct move *move, struct events *events) {
    struct hand_and_foot *state = to;
    struct hand_foot_undo_play last = state->undo_play[--state->undo_plays];
    state->undo_play[state->undo_plays] = (struct hand_foot_undo_play){0};
    for (int i = 0; i < last.cards; i++) {
        struct hand_foot_undo_card *entry = &state->undo_card[--state->undo_cards];
        struct hand_foot_book *book = &state->books[entry->book];
        plan_put(book, entry->card, -1);
        hand_foot_few_add(state->shown[seat], entry->card, 1);
        state->hand[seat][entry->card]++;
        state->hand_count[seat]++;
        if (hand_foot_book_size(book) == 0) {
            *book = (struct hand_foot_book){0};
            state->book_count--;
        } else if (state->rules[RULE_CLOSING] == CLOSING_AUTOMATIC) {
            book->closed = hand_foot_book_complete(state, book);
        }
        *entry = (struct hand_foot_undo_card){0};
    }
    state->turn_phase = HAND_FOOT_TURN_MELD;
    state->plays = (uint8_t)(state->plays - (last.closed == 0));
    if (last.closed > 0)
        state->books[last.closed - 1].closed = false;
    if (last.opened)
        state->melded[hand_foot_side(state, seat)] = false;
    if (events)
        hand_foot_tell_undo(state, seat, last.cards, events);
}

static void choose_pile(void *to, int seat, const struct move *move, struct events *events) {
    struct hand_and_foot *state = to;
    int pile = move->args[0];
    state->chose_pile[seat] = true;
    if (pile == 2) {
        uint8_t other[CARD_KINDS];
        uint16_t count = state->hand_count[seat];
        memcpy(other, state->hand[seat], sizeof other);
        memcpy(state->hand[seat], state->foot[seat], sizeof other);
        memcpy(state->foot[seat], other, sizeof other);
        state->hand_count[seat] = state->foot_count[seat];
        state->foot_count[seat] = count;
    }
    if (events)
        hand_foot_tell_hand(state, seat, events);
}

static void lay_red_three(void *to, int seat, const struct move *move, struct events *events) {
    struct hand_and_foot *state = to;
    int card = move->args[0];
    hand_foot_leave_hand(state, seat, card);
    state->red_threes[hand_foot_side(state, seat)][hand_foot_red_three_place(card)]++;
    hand_foot_clear_undo(state);
    if (events)
        hand_foot_tell_red_three(state, seat, card, events);
    hand_foot_settle_hand(state, seat, events);
}

static void draw_cards(void *to, int seat, const struct move *move, struct events *events) {
    hand_foot_draw(to, events);
}

static void close_book(void *to, int seat, const struct move *move, struct events *events) {
    struct hand_and_foot *state = to;
    int book = hand_foot_find_book(state, hand_foot_side(state, seat), move->args[0]);
    state->books[book].closed = true;
    make_room(state, 0);
    remember_play(state, state->undo_cards, false, book + 1);
    if (events)
        hand_foot_tell_close(state, seat, book, events);
}

static void end_melding(void *to, int seat, const struct move *move, struct events *events) {
    struct hand_and_foot *state = to;
    state->turn_phase = HAND_FOOT_TURN_DISCARD;
}

static void ask(void *to, int seat, const struct move *move, struct events *events) {
    struct hand_and_foot *state = to;
    state->asking = HAND_FOOT_ASKED;
}

static void answer(void *to, int seat, const struct move *move, struct events *events) {
    struct hand_and_foot *state = to;
    bool yes = move->args[0] != 0;
    state->asking = yes ? HAND_FOOT_GRANTED : HAND_FOOT_DENIED;
    event_message(events, seat, yes ? "agreed" : "said no");
}

#define DRAW_OR_TAKE "Your turn: draw, or take the pile"

const struct verb hand_foot_verbs[HAND_FOOT_VERBS] = {
    [HAND_FOOT_DRAW] = {.word = "draw",
                        .help = "draw from the deck",
                        .prompt = "Your turn: draw",
                        .check = check_draw,
                        .apply = draw_cards},
    [HAND_FOOT_TAKE] =
        {.word = "take",
         .action = "unlock-discard",
         .arguments = {{.kind = ARGUMENT_CARDS, .json = "cardIds", .optional = true}},
         .example = "take KH KS",
         .help = "take the pile with these two cards from the hand",
         .prompt = DRAW_OR_TAKE,
         .applies = takes_by_force,
         .check = check_take,
         .apply = take},
    [HAND_FOOT_TAKE_MELDS] = {.word = "take",
                              .action = "unlock-discard",
                              .arguments = {{.kind = ARGUMENT_GROUPS, .json = "melds"}},
                              .example = "take KH 2C / QH QD QS",
                              .help = "with `pickupPlay=anywhere`: the top card joins the first "
                                      "group",
                              .prompt = DRAW_OR_TAKE,
                              .applies = takes_anywhere,
                              .check = check_take,
                              .apply = take},
    [HAND_FOOT_TAKE_ADD] =
        {.word = "take add",
         .action = "unlock-discard",
         .arguments = {{.kind = ARGUMENT_NUMBER, .json = "bookId"},
                       {.kind = ARGUMENT_CARDS, .json = "cardIds", .optional = true}},
         .example = "take add 2 KH",
         .help = "with `pickupPlay=anywhere`: the top card goes on own book 2",
         .prompt = DRAW_OR_TAKE,
         .check = check_take,
         .apply = take},
    [HAND_FOOT_MELD] = {.word = "meld",
                        .arguments = {{.kind = ARGUMENT_GROUPS, .json = "melds"}},
                        .example = "meld KH KS 2C / QH QD QS",
                        .help = "lay new groups, all or none",
                        .check = check_play,
                        .apply = play,
                        .preview = preview_play},
    [HAND_FOOT_ADD] = {.word = "add",
                       .action = "add-to-meld",
                       .arguments = {{.kind = ARGUMENT_NUMBER, .json = "bookId"},
                                     {.kind = ARGUMENT_CARDS, .json = "cardIds"}},
                       .example = "add 3 KD 2H",
                       .help = "add to own book 3; books are numbered for each side in the order "
                               "of laying",
                       .check = check_play,
                       .apply = play,
                       .preview = preview_play},
    [HAND_FOOT_CLOSE] = {.word = "close",
                         .action = "close-book",
                         .arguments = {{.kind = ARGUMENT_NUMBER, .json = "bookId"}},
                         .address = "/teams/*/books/close/*",
                         .address_fits = hand_foot_is_own_address,
                         .example = "close 3",
                         .help = "close own book 3 (with `closing=explicit`)",
                         .check = check_close,
                         .apply = close_book},
    [HAND_FOOT_DISCARD] = {.word = "discard",
                           .arguments = {{.kind = ARGUMENT_ONLY_CARD, .json = "cardId"}},
                           .example = "discard 3H",
                           .help = "discard, which ends the turn",
                           .prompt = "Your turn: discard",
                           .check = check_discard,
                           .apply = discard,
                           .preview = preview_discard},
    [HAND_FOOT_UNDO] = {.word = "undo",
                        .help = "take the newest play of the turn back (with `undo=yes`)",
                        .check = check_undo,
                        .apply = undo},
    [HAND_FOOT_DONE] = {.word = "done",
                        .action = "done-melding",
                        .help = "the meld phase is over",
                        .prompt = "Your turn: meld, then discard",
                        .event = "melding-done",
                        .message = "finished melding",
                        .check = check_done,
                        .apply = end_melding},
    [HAND_FOOT_PILE] = {.word = "pile",
                        .action = "choose-pile",
                        .arguments = {{.kind = ARGUMENT_NUMBER, .json = "pile"}},
                        .example = "pile 2",
                        .help = "choose the second pile as hand (with `choosePile=yes`)",
                        .prompt = "Choose a pile as your hand",
                        .event = "pile-chosen",
                        .message = "chose pile",
                        .check = check_pile,
                        .apply = choose_pile},
    [HAND_FOOT_LAY] = {.word = "lay",
                       .action = "lay-red-three",
                       .arguments = {{.kind = ARGUMENT_ONLY_CARD, .json = "cardId"}},
                       .example = "lay 3H",
                       .help = "lay a red three (with `layRedThrees=yes`)",
                       .check = check_lay,
                       .apply = lay_red_three},
    [HAND_FOOT_ASK] = {.word = "ask",
                       .action = "ask-partner",
                       .help = "ask the partner whether to go out",
                       .event = "partner-asked",
                       .message = "asked to go out",
                       .check = check_ask,
                       .apply = ask},
    [HAND_FOOT_ANSWER] = {.word = "answer",
                          .action = "answer-partner",
                          .arguments = {{.kind = ARGUMENT_YES_NO, .json = "yes"}},
                          .example = "answer yes|answer no",
                          .help = "the partner's answer",
                          .prompt = "Your partner asks: may I go out?",
                          .event = "partner-answered",
                          .check = check_answer,
                          .apply = answer},
    /* HT-11: one new book at a time. */
    {.word = "meld",
     .action = "open-book",
     .arguments = {{.kind = ARGUMENT_CARDS, .json = "cardIds"}},
     .address = "/teams/*/books/open/*/*",
     .address_fits = hand_foot_is_address_of_cards},
};
