/* Hand & Foot's bots (HF-77 to HF-87 with HF-C26 to HF-C28), for every preset and house rule: they
 * know no rule book by name, they rate proposals (hand_and_foot_proposals.h) and ask the rules
 * whether those are legal.
 *
 * Easy lays the first thing that fits and discards at random, wilds only if it has nothing else.
 * Medium and hard rate what they could play and play the best as long as it is worth something;
 * then they discard. Hard also saves its wilds for the foot and puts them where they bring the
 * most, keeps pairs that unlock a rich pile, plays down with as few cards as it can, hurries when
 * somebody is about to go out, and of equally good discards throws the one that helps the others
 * least.
 *
 * What hard does is a matter of its requirements and of some habits, which are numbers. Expert, who
 * plays on by these rules when it tries a move out, has better ones (`make fit`). */
#include "bots/hand_and_foot_expert.h"
#include "bots/hand_and_foot_fitted.h"
#include "bots/hand_and_foot_proposals.h"
#include "bots/players.h"

enum {
    RICH_PILE = 6,  /* HF-81 */
    FULL_HAND = 25, /* HF-81 */
    FEW_CARDS = 5,  /* HF-86, HF-C27 */
    SMALL_PILE = 2  /* what easy takes */
};

/* As the requirements say; habits that are not named are 0. Where house rules let fewer than
 * RICH_PILE cards be taken at once, that number makes a rich pile. */
static const int16_t hard_habits[HAND_FOOT_HABITS] = {[HAND_FOOT_TAKES_FROM] = RICH_PILE,
                                                      [HAND_FOOT_KEEPS_PAIRS_FROM] = RICH_PILE,
                                                      [HAND_FOOT_FEW_CARDS] = FEW_CARDS,
                                                      [HAND_FOOT_CHASED_FROM] = FEW_CARDS};

/* What plays are worth: the best one is played, and nothing that is worth 0. Most numbers only say
 * what goes before what. */
enum {
    WORTH_RED_THREE = 3000,
    WORTH_CLOSING = 2000,
    WORTH_PLAYING_DOWN = 1000,
    /* Naturals onto a book (HF-84). */
    WORTH_GROWING = 100,
    WORTH_PER_NATURAL = 10,
    WORTH_COMPLETING = 200,        /* more, if the book is complete then, ... */
    WORTH_COMPLETING_BY_ONE = 400, /* ... if one card was missing, ... */
    WORTH_COMPLETING_CLEAN = 200,  /* ... and if it has no wilds */
    /* New groups. */
    WORTH_OPENING = 120,
    WORTH_OPENING_DIRTY_WANTED = 70, /* a dirty book is missing to go out */
    WORTH_OPENING_DIRTY = 40,
    WORTH_OPENING_WILDS = 20,
    /* A wild onto a book. */
    WORTH_WILD_COMPLETING = 290,
    WORTH_WILD_ON_DIRTY = 60, /* medium: the larger the book the better */
    WORTH_WILD_PER_CARD = 8,
    WORTH_WILD_ON_CLEAN = 30,
    WORTH_WILD_ON_FULL = 10,
    WORTH_WILD_LEFT_OVER = 1, /* hard: it must go, and brings nothing */
    /* Hard rates a wild by its gain, between GAIN_MIN and GAIN_MAX; GAIN_NONE is no gain. */
    WORTH_GAIN_MIN = 2,
    WORTH_GAIN_NONE = 20,
    WORTH_GAIN_MAX = 39,
    POINTS_PER_GAIN = 4, /* points that a wild gains for 1 more */
    POINTS_PER_LOSS = 40 /* points that it spoils for 1 less */
};

/* Ways to take the pile. */
enum { WORTH_TAKE_ADD = 120, WORTH_TAKE = 100, WORTH_TAKE_DIRTY = 50 };

/* What discards are worth; points of the card are added or taken off. */
enum {
    DISCARD_RED_THREE = 4000,
    DISCARD_BLACK_THREE = 3000, /* where it can lie on no book */
    DISCARD_LONE = 1000,        /* more, if there is no other of its rank */
    DISCARD_NATURAL = 200,
    DISCARD_WILD = 1,
    LAPSE = 6,             /* the rival decides like medium once in so many times */
    SAFETY_MAX = 1024,     /* a discard's safety is less than that, and decides between equals */
    SAFETY_OF_OPPONENT = 2 /* as many as two cards that were seen */
};

struct player {
    const struct hand_and_foot *state;
    int seat, side;
    enum bot_level level;
    const int16_t *habits;
    struct hand_foot_holding holding;
    bool in_foot;
    bool near_foot; /* few cards are left in the hand, or all of them can go in this turn */
    bool chased;    /* an opponent may go out soon */
    bool hurry;     /* everything should be laid */
};

/* ---- Looking around ---- */

static bool is_hard(const struct player *player) {
    return player->level >= BOT_HARD;
}

/* HF-C27: an opponent is in the foot with few cards. */
static bool is_chased(const struct player *player) {
    const struct hand_and_foot *state = player->state;
    for (int seat = 0; seat < state->head.seats; seat++)
        if (hand_foot_side(state, seat) != player->side && state->in_foot[seat] &&
            state->hand_count[seat] <= player->habits[HAND_FOOT_CHASED_FROM])
            return true;
    return false;
}

/* HF-80, HF-86: plans the change to the foot. A hand that can be used up in this turn is used up,
 * with its wilds and pairs; a hand of few cards is brought down. */
static bool is_near_foot(const struct player *player) {
    int few = player->habits[HAND_FOOT_FEW_CARDS];
    return !player->in_foot && (player->state->hand_count[player->seat] <= few ||
                                hand_foot_cards_stuck(&player->holding) <= 1);
}

static void look(struct player *player, const struct hand_and_foot *state, int seat,
                 enum bot_level level, const int16_t *habits) {
    hand_foot_holding_count(&player->holding, state, seat);
    player->state = state;
    player->seat = seat;
    player->side = player->holding.side;
    player->level = level;
    player->habits = habits;
    player->in_foot = state->in_foot[seat];
    player->near_foot = is_near_foot(player);
    player->chased = is_chased(player);
    bool ready = hand_foot_books_suffice(state, player->holding.clean, player->holding.dirty);
    player->hurry = player->chased || (player->in_foot && ready) || habits[HAND_FOOT_HURRIES] != 0;
}

/* The best proposal that the rules allow; false if none that is worth something is. */
static bool take_best(const struct player *player, struct hand_foot_proposals *proposals,
                      struct move *out) {
    for (;;) {
        struct hand_foot_proposal *best = NULL;
        for (int i = 0; i < proposals->count; i++)
            if (proposals->list[i].worth > (best ? best->worth : 0))
                best = &proposals->list[i];
        if (!best)
            return false;
        if (verb_check(&hand_and_foot_game, player->state, player->seat, &best->move, NULL)) {
            *out = best->move;
            return true;
        }
        best->worth = 0;
    }
}

/* ---- Plays on the table ---- */

/* HF-C27: while a rich pile lies there a pair in the hand is worth more than on the table. */
static bool keeps_pair(const struct player *player, int cards) {
    return is_hard(player) && !player->hurry && !player->in_foot && !player->near_foot &&
           cards == 2 && player->state->pile_count >= player->habits[HAND_FOOT_KEEPS_PAIRS_FROM];
}

/* Pairs and more that expert keeps in the hand, so that they may take a rich pile later. What would
 * complete a book is laid. */
static bool holds_back(const struct player *player, const struct hand_foot_proposal *proposal) {
    int most = player->in_foot     ? player->habits[HAND_FOOT_HOLDS_IN_FOOT]
               : player->near_foot ? 0
                                   : player->habits[HAND_FOOT_HOLDS_IN_HAND];
    return !player->hurry && !proposal->completes && proposal->naturals > 1 &&
           proposal->naturals <= most && player->state->pile_count >= RICH_PILE;
}

/* HF-85, HF-86: hard holds its wilds until the foot, or until it is near. */
static bool spends_wilds(const struct player *player) {
    return !is_hard(player) || player->hurry || player->in_foot || player->near_foot;
}

/* HF-79: a wild goes where wilds are; clean books close to completion are protected. */
static int rate_wild_for_medium(const struct player *player, const struct hand_foot_book *book) {
    int size = hand_foot_book_size(book), full = player->state->rules[RULE_BOOK_SIZE];
    if (hand_foot_book_wilds(book) == 0)
        return size < full - 2 ? WORTH_WILD_ON_CLEAN + size : 0;
    if (size < full)
        return size == full - 1 ? WORTH_WILD_COMPLETING
                                : WORTH_WILD_ON_DIRTY + WORTH_WILD_PER_CARD * size;
    return player->hurry || player->in_foot ? WORTH_WILD_ON_FULL : 0;
}

/* What a wild gains, as a rating between that of a completed book and that of nothing at all. */
static int rate_gain(int gain) {
    int worth = WORTH_GAIN_NONE + gain / (gain > 0 ? POINTS_PER_GAIN : POINTS_PER_LOSS);
    if (worth < WORTH_GAIN_MIN)
        return WORTH_GAIN_MIN;
    return worth < WORTH_GAIN_MAX ? worth : WORTH_GAIN_MAX;
}

/* HF-84, HF-85: a wild goes where it brings the most, naturals before it unless it completes a
 * dirty book, and never on a clean book of which one card or none is missing. HF-86, HF-C27: in a
 * hurry and on the last steps to the foot it goes wherever it spoils least. */
static int rate_wild_for_hard(const struct player *player, int index) {
    const struct hand_foot_book *book = &player->state->books[index];
    int missing = player->state->rules[RULE_BOOK_SIZE] - hand_foot_book_size(book);
    bool clean = hand_foot_book_wilds(book) == 0;
    bool must_go = player->hurry || !player->in_foot;
    if (clean && missing <= 1)
        return 0;
    if (missing == 1)
        return WORTH_WILD_COMPLETING;
    if (missing <= 0)
        return must_go ? WORTH_WILD_LEFT_OVER : 0;
    int gain = hand_foot_wild_gain(&player->holding, index);
    return gain > 0 || must_go ? rate_gain(gain) : 0;
}

static int rate_wild(const struct player *player, int index) {
    if (!spends_wilds(player))
        return 0;
    return is_hard(player) ? rate_wild_for_hard(player, index)
                           : rate_wild_for_medium(player, &player->state->books[index]);
}

/* HF-84: what completes a book comes first, most of all where one card is missing, and clean before
 * dirty. */
static int rate_growth(const struct player *player, const struct hand_foot_proposal *proposal) {
    const struct hand_foot_book *book = &player->state->books[proposal->book];
    if (keeps_pair(player, proposal->naturals) || holds_back(player, proposal))
        return 0;
    int worth = WORTH_GROWING + WORTH_PER_NATURAL * proposal->naturals;
    if (proposal->completes) {
        int missing = player->state->rules[RULE_BOOK_SIZE] - hand_foot_book_size(book);
        worth += WORTH_COMPLETING + (missing == 1 ? WORTH_COMPLETING_BY_ONE : 0) +
                 (hand_foot_book_wilds(book) == 0 ? WORTH_COMPLETING_CLEAN : 0);
    }
    return worth;
}

/* A pair and a wild. In the foot hard rather uses its wilds on books that have some, unless a dirty
 * book is still to be begun or it is used to do so. */
static int rate_dirty_group(const struct player *player) {
    const struct hand_foot_holding *holding = &player->holding;
    bool begun = holding->dirty_melds > 0 && !player->habits[HAND_FOOT_OPENS_DIRTY];
    if (!spends_wilds(player) || keeps_pair(player, 2) ||
        (is_hard(player) && player->in_foot && !player->hurry && begun))
        return 0;
    int dirty = holding->dirty + holding->dirty_melds;
    return hand_foot_books_missing(player->state, RULE_OUT_DIRTY, dirty) > 0
               ? WORTH_OPENING_DIRTY_WANTED
               : WORTH_OPENING_DIRTY;
}

static bool plays_down_much(const struct player *player) {
    return !is_hard(player) || player->habits[HAND_FOOT_PLAYS_DOWN_MUCH];
}

static int rate_play(const struct player *player, const struct hand_foot_proposal *proposal) {
    switch (proposal->aim) {
    case HAND_FOOT_AIM_RED_THREE:
        return WORTH_RED_THREE;
    case HAND_FOOT_AIM_CLOSE: /* with one card left, going out is decided first */
        return player->state->hand_count[player->seat] > 1 ? WORTH_CLOSING : 0;
    case HAND_FOOT_AIM_PLAY_DOWN: /* HF-83 */
        return plays_down_much(player) ? 0 : WORTH_PLAYING_DOWN;
    case HAND_FOOT_AIM_PLAY_DOWN_MUCH:
        return plays_down_much(player) ? WORTH_PLAYING_DOWN : 0;
    case HAND_FOOT_AIM_GROW:
        return rate_growth(player, proposal);
    case HAND_FOOT_AIM_WILD:
        return rate_wild(player, proposal->book);
    case HAND_FOOT_AIM_OPEN:
        return holds_back(player, proposal)
                   ? 0
                   : WORTH_OPENING + WORTH_PER_NATURAL * proposal->naturals;
    case HAND_FOOT_AIM_OPEN_DIRTY:
        return rate_dirty_group(player);
    case HAND_FOOT_AIM_OPEN_WILDS:
        return player->in_foot ? WORTH_OPENING_WILDS : 0;
    default:
        return 0;
    }
}

/* A play that leaves one card in the foot and no way out is legal if it can be undone. It is still
 * useless, because the books are missing or the partner has said no. A partner who has not been
 * asked is expected to agree: with the books complete, the question comes before the discard. */
static bool strands(const struct player *player, const struct move *move) {
    const struct hand_and_foot *state = player->state;
    if (!player->in_foot || !state->rules[RULE_UNDO] ||
        state->hand_count[player->seat] - move->count >= FOOT_LEFT_MIN)
        return false;
    struct hand_and_foot after = *state;
    verb_apply(&hand_and_foot_game, &after, player->seat, move, NULL);
    if (after.asking == HAND_FOOT_NOT_ASKED)
        after.asking = HAND_FOOT_GRANTED;
    return after.phase == HAND_FOOT_PLAYING &&
           hand_foot_is_stranded(&after, player->seat, after.hand_count[player->seat], 0, 0);
}

static bool choose_play(const struct player *player, struct move *out) {
    struct hand_foot_proposals proposals;
    hand_foot_propose_plays(&player->holding, &proposals);
    for (int i = 0; i < proposals.count; i++)
        proposals.list[i].worth = rate_play(player, &proposals.list[i]);
    return take_best(player, &proposals, out) && !strands(player, out);
}

/* ---- Drawing ---- */

/* Cards that come from the pile with its top card and can be laid: all but threes, as a rule. */
static int count_useful_cards(const struct hand_and_foot *state) {
    int useful = 0;
    for (int i = state->pile_count - hand_foot_pickup_size(state); i < state->pile_count; i++)
        useful += book_takes_card(state->rules, state->pile[i]);
    return useful;
}

/* HF-81: hard wants the pile if it is rich or the hand is full; the value of the pile decides
 * nothing beyond that (HF-C26). A deck that cannot give enough cards is avoided (HF-C20). */
static bool wants_pile(const struct player *player) {
    const struct hand_and_foot *state = player->state;
    if (state->stock_count < state->rules[RULE_DRAW] && !hand_foot_shuffle_fills_draw(state))
        return true;
    if (player->level == BOT_EASY)
        return state->pile_count >= SMALL_PILE;
    int rich = player->habits[HAND_FOOT_TAKES_FROM], cards = state->pile_count;
    if (player->level == BOT_EXPERT)
        cards = count_useful_cards(state);
    else if (state->rules[RULE_PICKUP] > 0 && state->rules[RULE_PICKUP] < rich)
        rich = state->rules[RULE_PICKUP];
    return cards >= rich || state->hand_count[player->seat] >= FULL_HAND;
}

static int rate_take(const struct hand_foot_proposal *proposal) {
    switch (proposal->aim) {
    case HAND_FOOT_AIM_TAKE_ADD:
        return WORTH_TAKE_ADD;
    case HAND_FOOT_AIM_TAKE:
        return WORTH_TAKE;
    default:
        return WORTH_TAKE_DIRTY;
    }
}

static bool choose_take(const struct player *player, struct move *out) {
    struct hand_foot_proposals proposals;
    hand_foot_propose_takes(&player->holding, &proposals);
    for (int i = 0; i < proposals.count; i++)
        proposals.list[i].worth = rate_take(&proposals.list[i]);
    return take_best(player, &proposals, out);
}

static void choose_draw(const struct player *player, struct move *out) {
    const struct hand_and_foot *state = player->state;
    if (state->chose_pile[player->seat] && wants_pile(player) &&
        hand_foot_may_take(state, player->seat, NULL) && choose_take(player, out))
        return;
    out->verb = HAND_FOOT_DRAW;
    out->count = 0;
}

/* ---- Discarding (HF-87, HF-C28) ---- */

/* How safe it is to throw a card of that rank. A rank of which much has been seen is worth little
 * to anybody, and a player with a book of it hardly holds the pair that would take the pile. */
static int rate_safety(const struct hand_foot_seen *seen, int rank) {
    return seen->naturals[rank] + (seen->opponents[rank] ? SAFETY_OF_OPPONENT : 0);
}

/* Adds, for each rank, so much for each of up to two cards. */
static void add_for_two(int worth[HAND_FOOT_RANK_ROOM], const int counts[HAND_FOOT_RANK_ROOM],
                        int much) {
    for (int rank = HAND_FOOT_THREE; rank < HAND_FOOT_RANK_ROOM; rank++)
        worth[rank] += much * (counts[rank] < 2 ? counts[rank] : 2);
}

/* What habits add to a discard, by rank. Opponents can hardly take the pile with a rank that they
 * collect openly or that was thrown before, but they can with one that they are known to hold. An
 * own pair may be of use later. */
static void rate_ranks(const struct player *player, const struct hand_foot_seen *seen,
                       int worth[HAND_FOOT_RANK_ROOM]) {
    const struct hand_and_foot *state = player->state;
    const int16_t *habits = player->habits;
    int thrown[HAND_FOOT_RANK_ROOM] = {0}, shown[HAND_FOOT_RANK_ROOM] = {0};
    for (int rank = HAND_FOOT_THREE; rank < HAND_FOOT_RANK_ROOM; rank++)
        worth[rank] = (seen->opponents[rank] ? habits[HAND_FOOT_THROWS_TO_BOOKS] : 0) +
                      habits[HAND_FOOT_THROWS_SEEN] * rate_safety(seen, rank) -
                      (player->holding.naturals[rank] == 2 ? habits[HAND_FOOT_SPARES_PAIRS] : 0);
    for (int i = 0; habits[HAND_FOOT_THROWS_AGAIN] != 0 && i < state->pile_count; i++)
        thrown[hand_foot_rank(state->pile[i])]++;
    for (int seat = 0; habits[HAND_FOOT_FEARS_SHOWN] != 0 && seat < state->head.seats; seat++)
        for (int card = 0; card < CARD_JOKER && hand_foot_side(state, seat) != player->side; card++)
            shown[hand_foot_rank(card)] += hand_foot_shown(state, seat, card);
    add_for_two(worth, thrown, habits[HAND_FOOT_THROWS_AGAIN]);
    add_for_two(worth, shown, -habits[HAND_FOOT_FEARS_SHOWN]);
}

static int rate_discard(const struct player *player, const int by_rank[HAND_FOOT_RANK_ROOM],
                        int card) {
    const int16_t *rules = player->state->rules;
    int value = hand_foot_penalty(rules, card);
    if (hand_foot_is_wild(card))
        return DISCARD_WILD;
    if (!book_takes_card(rules, card))
        return hand_foot_is_red_three(card) ? DISCARD_RED_THREE : DISCARD_BLACK_THREE;
    int rank = hand_foot_rank(card);
    bool lone = player->holding.naturals[rank] == 1;
    if (is_hard(player) && player->chased)
        return DISCARD_NATURAL + value;
    int worth = DISCARD_NATURAL - value + by_rank[rank];
    if (is_hard(player) && lone)
        worth += DISCARD_LONE;
    return worth;
}

static void choose_discard(const struct player *player, struct chance *chance, struct move *out) {
    const uint8_t *hand = player->holding.hand;
    struct hand_foot_seen seen;
    int best = INT32_MIN, by_rank[HAND_FOOT_RANK_ROOM] = {0};
    uint32_t equals = 0;
    hand_foot_count_seen(&player->holding, &seen);
    if (player->level == BOT_EXPERT)
        rate_ranks(player, &seen, by_rank);
    for (int card = 0; card < CARD_KINDS; card++) {
        if (hand[card] == 0)
            continue;
        int worth = player->level == BOT_EASY ? !hand_foot_is_wild(card)
                                              : rate_discard(player, by_rank, card);
        if (is_hard(player))
            worth = worth * SAFETY_MAX + rate_safety(&seen, hand_foot_rank(card));
        equals = worth > best ? 1 : worth == best ? equals + 1 : equals;
        if (worth > best || (worth == best && chance_below(chance, equals) == 0)) {
            best = worth;
            *out = (struct move){HAND_FOOT_DISCARD, 1, {(uint8_t)card}};
        }
    }
}

/* ---- A turn ---- */

/* With nothing else to do and one card too few to go on, asks the partner or takes a play back. */
static void leave_dead_end(const struct player *player, struct move *out) {
    static const uint8_t ways[] = {HAND_FOOT_ASK, HAND_FOOT_UNDO};
    for (size_t i = 0; i < sizeof ways; i++) {
        *out = (struct move){.verb = ways[i]};
        if (verb_check(&hand_and_foot_game, player->state, player->seat, out, NULL))
            return;
    }
}

static bool asks_first(const struct player *player, struct move *out) {
    *out = (struct move){.verb = HAND_FOOT_ASK};
    return player->state->rules[RULE_ASK_PARTNER] && player->in_foot &&
           player->state->asking == HAND_FOOT_NOT_ASKED &&
           verb_check(&hand_and_foot_game, player->state, player->seat, out, NULL);
}

/* Easy lays the first thing on its list that is legal. */
static bool choose_first_play(const struct player *player, struct move *out) {
    struct move moves[GAME_LEGAL_MAX];
    size_t count = hand_and_foot_game.legal(player->state, player->seat, moves, GAME_LEGAL_MAX);
    for (size_t i = 0; i < count; i++) {
        if ((moves[i].verb == HAND_FOOT_MELD || moves[i].verb == HAND_FOOT_ADD) &&
            !strands(player, &moves[i])) {
            *out = moves[i];
            return true;
        }
    }
    return false;
}

static void follow(const struct hand_and_foot *state, int seat, enum bot_level level,
                   const int16_t *habits, struct chance *chance, struct move *out) {
    struct player player;
    look(&player, state, seat, level, habits);
    if (state->asking == HAND_FOOT_ASKED) {
        *out = (struct move){HAND_FOOT_ANSWER, 1, {1}};
        return;
    }
    if (state->turn_phase == HAND_FOOT_TURN_DRAW) {
        choose_draw(&player, out);
        return;
    }
    if (asks_first(&player, out))
        return;
    bool melds = state->turn_phase == HAND_FOOT_TURN_MELD;
    if (melds && (level == BOT_EASY ? choose_first_play(&player, out) : choose_play(&player, out)))
        return;
    choose_discard(&player, chance, out);
    if (!verb_check(&hand_and_foot_game, state, seat, out, NULL))
        leave_dead_end(&player, out);
    else if (melds)
        *out = (struct move){.verb = HAND_FOOT_DONE};
}

void hand_foot_follow_habits(const struct hand_and_foot *state, int seat,
                             const int16_t habits[HAND_FOOT_HABITS], struct chance *chance,
                             struct move *out) {
    follow(state, seat, BOT_EXPERT, habits, chance, out);
}

void hand_foot_follow_rules(const struct hand_and_foot *state, int seat, enum bot_level level,
                            struct chance *chance, struct move *out) {
    bool expert = level == BOT_EXPERT;
    follow(state, seat, level, expert ? hand_foot_habits[hand_foot_weight_set(state)] : hard_habits,
           chance, out);
}

static void choose(const void *seen, int seat, enum bot_level level,
                   const struct bot_budget *budget, struct chance *chance, struct move *out) {
    if (level == BOT_RIVAL) /* hard with lapses: an opponent that expert does not expect */
        level = chance_below(chance, LAPSE) == 0 ? BOT_MEDIUM : BOT_HARD;
    if (level == BOT_EXPERT)
        hand_foot_think(seen, seat, budget, chance, out);
    else
        hand_foot_follow_rules(seen, seat, level, chance, out);
}

const struct bot_player hand_and_foot_player = {
    .game_id = "hand-and-foot", .choose = choose, .plays_easy = true, .has_rival = true};
