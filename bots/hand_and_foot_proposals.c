/* Proposals for a turn of Hand & Foot; hand_and_foot_proposals.h says what they are. Cards are
 * counted by rank here; suits matter only when a move is written, and there the first suit goes
 * first. */
#include "bots/hand_and_foot_proposals.h"

/* ---- What a seat has ---- */

/* Rank by rank without branches, because playouts count hands all the time; threes are looked at
 * one by one, since the house rules say which may be laid. */
static void count_hand(struct hand_foot_holding *holding) {
    const uint8_t *hand = holding->hand;
    int by_rank[CARD_RANKS];
    for (int rank = 0; rank < CARD_RANKS; rank++)
        by_rank[rank] =
            hand[CARD_SPADES * CARD_RANKS + rank] + hand[CARD_HEARTS * CARD_RANKS + rank] +
            hand[CARD_DIAMONDS * CARD_RANKS + rank] + hand[CARD_CLUBS * CARD_RANKS + rank];
    for (int rank = 1; rank < CARD_RANKS; rank++)
        holding->naturals[hand_foot_rank(rank)] = by_rank[rank];
    holding->wilds = by_rank[0] + hand[CARD_JOKER];
    for (int three = 1; three < CARD_JOKER; three += CARD_RANKS)
        if (!book_takes_card(holding->state->rules, three))
            holding->naturals[hand_foot_rank(three)] -= hand[three];
}

static void count_books(struct hand_foot_holding *holding) {
    const struct hand_and_foot *state = holding->state;
    int most = 0;
    holding->best_clean = HAND_FOOT_NO_BOOK;
    hand_foot_count_books(state, holding->side, &holding->clean, &holding->dirty);
    for (int i = 0; i < state->book_count; i++) {
        const struct hand_foot_book *book = &state->books[i];
        if (book->side != holding->side || hand_foot_book_complete(state, book))
            continue;
        int size = hand_foot_book_size(book);
        if (hand_foot_book_wilds(book) > 0) {
            holding->dirty_melds++;
        } else if (size > most) {
            most = size;
            holding->best_clean = i;
        }
    }
}

void hand_foot_holding_count(struct hand_foot_holding *holding, const struct hand_and_foot *state,
                             int seat) {
    *holding = (struct hand_foot_holding){.state = state,
                                          .seat = seat,
                                          .side = hand_foot_side(state, seat),
                                          .hand = state->hand[seat]};
    count_hand(holding);
    count_books(holding);
}

/* How many more wilds the book could take once so many naturals have joined it. */
static int room_for_wilds(const struct book_rules *rules, const struct hand_foot_book *book,
                          int joining) {
    if (book->rank == HAND_FOOT_WILD_RANK)
        return rules->book_size;
    int most = book_wilds_most(rules, hand_foot_book_naturals(book) + joining);
    int wilds = hand_foot_book_wilds(book);
    return most > wilds ? most - wilds : 0;
}

/* How many wilds it takes to make a group of so many naturals. */
static int wilds_needed(int naturals) {
    return naturals < GROUP_CARDS_MIN ? GROUP_CARDS_MIN - naturals : 0;
}

int hand_foot_cards_stuck(const struct hand_foot_holding *holding) {
    const struct hand_and_foot *state = holding->state;
    struct book_rules rules = book_rules_of(state->rules);
    bool grows[HAND_FOOT_RANK_ROOM] = {false};
    int laid = 0, wilds = holding->wilds, room = 0;
    for (int i = 0; i < state->book_count; i++) {
        const struct hand_foot_book *book = &state->books[i];
        if (book->side != holding->side)
            continue;
        int joining = grows[book->rank] ? 0 : holding->naturals[book->rank];
        room += room_for_wilds(&rules, book, joining);
        grows[book->rank] = true;
    }
    for (int rank = HAND_FOOT_THREE; rank <= CARD_ACE; rank++) {
        int naturals = holding->naturals[rank];
        int needed = wilds_needed(naturals);
        bool opens = !grows[rank] && naturals >= GROUP_NATURALS_MIN && wilds >= needed;
        laid += grows[rank] || opens ? naturals : 0;
        if (!opens)
            continue;
        laid += needed;
        wilds -= needed;
        room += book_wilds_most(&rules, naturals) - needed;
    }
    return state->hand_count[holding->seat] - laid - (wilds < room ? wilds : room);
}

/* ---- Writing moves ---- */

static void put(struct move *move, int arg) {
    if (move->count < MOVE_ARGS_MAX)
        move->args[move->count++] = (uint16_t)arg;
}

static void put_naturals(const struct hand_foot_holding *holding, struct move *move, int rank,
                         int most) {
    for (int suit = 0; suit < CARD_SUITS; suit++) {
        int card = card_of(rank, suit);
        int count = book_takes_card(holding->state->rules, card) ? holding->hand[card] : 0;
        for (; count > 0 && most > 0; count--, most--)
            put(move, card);
    }
}

/* Writes wilds, twos before jokers, after the first `skip` ones. */
static void put_wilds(const struct hand_foot_holding *holding, struct move *move, int skip,
                      int most) {
    for (int i = 0; i <= CARD_SUITS; i++) {
        int card = i < CARD_SUITS ? card_of(HAND_FOOT_WILD_RANK, i) : CARD_JOKER;
        for (int count = holding->hand[card]; count > 0 && most > 0; count--) {
            if (skip > 0) {
                skip--;
                continue;
            }
            put(move, card);
            most--;
        }
    }
}

/* Begins the next proposal with its figures; its cards are still to be written. Null if there is no
 * room. */
static struct hand_foot_proposal *add_proposal(const struct hand_foot_holding *holding,
                                               struct hand_foot_proposals *out,
                                               enum hand_foot_aim aim, int verb, int book,
                                               int naturals, int wilds) {
    if (out->count == HAND_FOOT_PROPOSALS_MAX)
        return NULL;
    struct hand_foot_proposal *proposal = &out->list[out->count++];
    proposal->aim = aim;
    proposal->book = book;
    proposal->naturals = naturals;
    proposal->wilds = wilds;
    proposal->left = holding->state->hand_count[holding->seat] - naturals - wilds;
    proposal->completes = false;
    proposal->worth = 0;
    proposal->move.verb = (uint8_t)verb;
    proposal->move.count = 0;
    return proposal;
}

/* ---- The first meld ---- */

/* The groups that a first meld may be made of: all naturals of a rank, with a wild if they are
 * two. */
struct groups {
    int count;
    int rank[HAND_FOOT_RANK_ROOM];
    int points[HAND_FOOT_RANK_ROOM];
    int cards[HAND_FOOT_RANK_ROOM];
    int wilds[HAND_FOOT_RANK_ROOM];
    int spare[HAND_FOOT_RANK_ROOM]; /* 1 if the group may hold one wild more */
};

/* A choice of groups: a bit for each, and wilds on top of those that its pairs need. */
struct choice {
    int groups, spare, cost;
};

static void list_groups(const struct hand_foot_holding *holding, struct groups *list) {
    struct book_rules rules = book_rules_of(holding->state->rules);
    list->count = 0;
    for (int rank = HAND_FOOT_THREE; rank <= CARD_ACE; rank++) {
        int naturals = holding->naturals[rank];
        if (naturals < GROUP_NATURALS_MIN)
            continue;
        int i = list->count++, card = card_of(rank, CARD_SPADES);
        list->rank[i] = rank;
        list->points[i] = naturals * hand_foot_points(holding->state->rules, card);
        list->wilds[i] = wilds_needed(naturals);
        list->cards[i] = naturals + list->wilds[i];
        list->spare[i] = book_wilds_most(&rules, naturals) > list->wilds[i];
    }
}

/* What so many wilds count, the twos first. */
static int points_of_wilds(const struct hand_foot_holding *holding, int count) {
    int twos = 0;
    for (int suit = 0; suit < CARD_SUITS; suit++)
        twos += holding->hand[card_of(HAND_FOOT_WILD_RANK, suit)];
    int small = count < twos ? count : twos;
    return small * holding->state->rules[RULE_POINTS_TWO] +
           (count - small) * holding->state->rules[RULE_POINTS_JOKER];
}

/* Of two choices that cost the same the one with the lower ranks is kept. */
static void keep_cheaper(struct choice *best, int groups, int spare, int cost) {
    if (cost < best->cost || (cost == best->cost && groups < best->groups))
        *best = (struct choice){groups, spare, cost};
}

/* Cost of a wild in a first meld; any card adds 1 (fewest cards wanted) or takes 1 off (most cards
 * wanted). */
enum { WILD_COST = 10 };

/* Tries every choice of groups in the order of a Gray code, so that one group changes at a time. */
static void choose_groups(const struct hand_foot_holding *holding, const struct groups *list,
                          struct choice *few, struct choice *many) {
    int points = 0, wilds = 0, cards = 0, room = 0, chosen = 0;
    for (int step = 1; step < 1 << list->count; step++) {
        int i = __builtin_ctz((unsigned)step), sign = (chosen >> i & 1) != 0 ? -1 : 1;
        chosen ^= 1 << i;
        points += sign * list->points[i];
        wilds += sign * list->wilds[i];
        cards += sign * list->cards[i];
        room += sign * list->spare[i];
        for (int spare = 0; spare <= room && wilds + spare <= holding->wilds; spare++) {
            if (!hand_foot_is_enough(holding->state,
                                     points + points_of_wilds(holding, wilds + spare)))
                continue;
            keep_cheaper(few, chosen, spare, WILD_COST * (wilds + spare) + cards);
            keep_cheaper(many, chosen, spare, WILD_COST * (wilds + spare) - cards);
            break;
        }
    }
}

/* Writes the chosen groups; spare wilds go on the first groups that can take them. */
static void add_play_down(const struct hand_foot_holding *holding, const struct groups *list,
                          struct choice choice, enum hand_foot_aim aim,
                          struct hand_foot_proposals *out) {
    struct hand_foot_proposal *proposal =
        add_proposal(holding, out, aim, HAND_FOOT_MELD, HAND_FOOT_NO_BOOK, 0, 0);
    for (int i = 0; i < list->count && proposal; i++) {
        if ((choice.groups >> i & 1) == 0)
            continue;
        int extra = choice.spare > 0 && list->spare[i] ? 1 : 0;
        int naturals = holding->naturals[list->rank[i]], wilds = list->wilds[i] + extra;
        if (proposal->move.count > 0)
            put(&proposal->move, MOVE_SEPARATOR);
        put_naturals(holding, &proposal->move, list->rank[i], naturals);
        put_wilds(holding, &proposal->move, proposal->wilds, wilds);
        choice.spare -= extra;
        proposal->naturals += naturals;
        proposal->wilds += wilds;
        proposal->left -= naturals + wilds;
    }
}

static void propose_first_meld(const struct hand_foot_holding *holding,
                               struct hand_foot_proposals *out) {
    struct groups list;
    struct choice few = {.cost = INT32_MAX}, many = {.cost = INT32_MAX};
    list_groups(holding, &list);
    choose_groups(holding, &list, &few, &many);
    if (few.groups == 0)
        return;
    add_play_down(holding, &list, few, HAND_FOOT_AIM_PLAY_DOWN, out);
    add_play_down(holding, &list, many, HAND_FOOT_AIM_PLAY_DOWN_MUCH, out);
}

/* ---- Plays on the table ---- */

static void propose_red_threes(const struct hand_foot_holding *holding,
                               struct hand_foot_proposals *out) {
    for (int suit = CARD_HEARTS; suit <= CARD_DIAMONDS; suit++) {
        int card = card_of(HAND_FOOT_THREE, suit);
        if (holding->hand[card] == 0 || !holding->state->rules[RULE_RED_THREES_LAID])
            continue;
        struct hand_foot_proposal *proposal = add_proposal(holding, out, HAND_FOOT_AIM_RED_THREE,
                                                           HAND_FOOT_LAY, HAND_FOOT_NO_BOOK, 1, 0);
        if (proposal)
            put(&proposal->move, card);
    }
}

static void propose_book(const struct hand_foot_holding *holding, const struct book_rules *rules,
                         int index, int number, struct hand_foot_proposals *out) {
    const struct hand_foot_book *book = &holding->state->books[index];
    struct book_counts counts = book_counts_of(rules, book);
    int size = counts.naturals + counts.wilds;
    int cards = book->rank > HAND_FOOT_WILD_RANK ? holding->naturals[book->rank] : 0;
    struct hand_foot_proposal *proposal = NULL;
    if (cards > 0)
        proposal = add_proposal(holding, out, HAND_FOOT_AIM_GROW, HAND_FOOT_ADD, index, cards, 0);
    if (proposal) {
        proposal->completes = !counts.complete && book_is_complete(size + cards, rules->book_size);
        put(&proposal->move, number);
        put_naturals(holding, &proposal->move, book->rank, cards);
    }
    proposal = NULL;
    if (holding->wilds > 0)
        proposal = add_proposal(holding, out, HAND_FOOT_AIM_WILD, HAND_FOOT_ADD, index, 0, 1);
    if (proposal) {
        proposal->completes = !counts.complete && book_is_complete(size + 1, rules->book_size);
        put(&proposal->move, number);
        put_wilds(holding, &proposal->move, 0, 1);
    }
    proposal = NULL;
    if (book_may_close(rules, &counts))
        proposal = add_proposal(holding, out, HAND_FOOT_AIM_CLOSE, HAND_FOOT_CLOSE, index, 0, 0);
    if (proposal)
        put(&proposal->move, number);
}

static void propose_books(const struct hand_foot_holding *holding,
                          struct hand_foot_proposals *out) {
    struct book_rules rules = book_rules_of(holding->state->rules);
    int number = 0;
    for (int i = 0; i < holding->state->book_count; i++)
        if (holding->state->books[i].side == holding->side)
            propose_book(holding, &rules, i, ++number, out);
}

static void propose_group(const struct hand_foot_holding *holding, enum hand_foot_aim aim, int rank,
                          int naturals, int wilds, struct hand_foot_proposals *out) {
    struct hand_foot_proposal *proposal =
        add_proposal(holding, out, aim, HAND_FOOT_MELD, HAND_FOOT_NO_BOOK, naturals, wilds);
    if (!proposal)
        return;
    put_naturals(holding, &proposal->move, rank, naturals);
    put_wilds(holding, &proposal->move, 0, wilds);
}

static void propose_groups(const struct hand_foot_holding *holding,
                           struct hand_foot_proposals *out) {
    for (int rank = HAND_FOOT_THREE; rank <= CARD_ACE; rank++) {
        int naturals = holding->naturals[rank];
        int wilds = wilds_needed(naturals);
        if (naturals >= GROUP_NATURALS_MIN && holding->wilds >= wilds)
            propose_group(holding, wilds == 0 ? HAND_FOOT_AIM_OPEN : HAND_FOOT_AIM_OPEN_DIRTY, rank,
                          naturals, wilds, out);
    }
    struct book_rules rules = book_rules_of(holding->state->rules);
    if (book_is_group(&rules, HAND_FOOT_WILD_RANK, 0, holding->wilds))
        propose_group(holding, HAND_FOOT_AIM_OPEN_WILDS, HAND_FOOT_WILD_RANK, 0, GROUP_CARDS_MIN,
                      out);
}

void hand_foot_propose_plays(const struct hand_foot_holding *holding,
                             struct hand_foot_proposals *out) {
    out->count = 0;
    propose_red_threes(holding, out);
    if (holding->state->melded[holding->side]) {
        propose_books(holding, out);
        propose_groups(holding, out);
    } else {
        propose_first_meld(holding, out);
    }
}

/* ---- The pile ---- */

static void propose_take(const struct hand_foot_holding *holding, enum hand_foot_aim aim, int rank,
                         int naturals, int wilds, struct hand_foot_proposals *out) {
    struct hand_foot_proposal *proposal = add_proposal(
        holding, out, aim, hand_foot_take_verb(holding->state), HAND_FOOT_NO_BOOK, naturals, wilds);
    if (!proposal)
        return;
    put_naturals(holding, &proposal->move, rank, naturals);
    put_wilds(holding, &proposal->move, 0, wilds);
}

void hand_foot_propose_takes(const struct hand_foot_holding *holding,
                             struct hand_foot_proposals *out) {
    const struct hand_and_foot *state = holding->state;
    int top = state->pile[state->pile_count - 1], rank = hand_foot_rank(top), number = 0;
    bool wild = hand_foot_is_wild(top);
    out->count = 0;
    if (!wild && holding->naturals[rank] >= PICKUP_COMPANIONS)
        propose_take(holding, HAND_FOOT_AIM_TAKE, rank, PICKUP_COMPANIONS, 0, out);
    if (!wild && holding->naturals[rank] >= PICKUP_COMPANIONS - 1 && holding->wilds >= 1)
        propose_take(holding, HAND_FOOT_AIM_TAKE_DIRTY, rank, PICKUP_COMPANIONS - 1, 1, out);
    if (state->rules[RULE_PICKUP_PLAY] != PLAY_ANYWHERE)
        return;
    for (int i = 0; i < state->book_count; i++) {
        const struct hand_foot_book *book = &state->books[i];
        if (book->side != holding->side)
            continue;
        number++;
        if (book->rank != rank && !(wild && hand_foot_book_wilds(book) > 0))
            continue;
        struct hand_foot_proposal *proposal =
            add_proposal(holding, out, HAND_FOOT_AIM_TAKE_ADD, HAND_FOOT_TAKE_ADD, i, 0, 0);
        if (proposal)
            put(&proposal->move, number);
    }
}

/* ---- Judgement ---- */

enum {
    SHARES = 7,
    BONUS_MIN = 50,    /* a book is good for something even where it brings no points */
    WANTED_SHARE = 150 /* per cent, for the best clean book while one is missing to go out */
};

/* What a book promises, in per cent of its bonus, by the number of cards that are missing. Found by
 * letting bots play; values nearby play about as well. */
static const int dirty_share[SHARES] = {100, 80, 60, 40, 27, 13, 5};
static const int clean_share[SHARES] = {100, 60, 48, 32, 18, 8, 3};

static int share_of(const int *shares, int bonus, int missing) {
    bonus = bonus > BONUS_MIN ? bonus : BONUS_MIN;
    return shares[missing < SHARES ? missing : SHARES - 1] * bonus / 100;
}

/* What a book with wilds promises. */
static int dirty_prospect(const struct hand_and_foot *state, int rank, int missing) {
    enum hand_foot_rule bonus = rank == HAND_FOOT_WILD_RANK ? RULE_WILD_BONUS : RULE_DIRTY_BONUS;
    return share_of(dirty_share, state->rules[bonus], missing);
}

static int prospect(const struct hand_foot_holding *holding, int index, int missing) {
    const struct hand_and_foot *state = holding->state;
    const struct hand_foot_book *book = &state->books[index];
    if (hand_foot_book_wilds(book) > 0)
        return dirty_prospect(state, book->rank, missing);
    int share = share_of(clean_share, state->rules[RULE_CLEAN_BONUS], missing);
    bool wanted = hand_foot_books_missing(state, RULE_OUT_CLEAN, holding->clean) > 0;
    return wanted && index == holding->best_clean ? share * WANTED_SHARE / 100 : share;
}

int hand_foot_wild_gain(const struct hand_foot_holding *holding, int index) {
    const struct hand_and_foot *state = holding->state;
    const struct hand_foot_book *book = &state->books[index];
    struct book_rules rules = book_rules_of(state->rules);
    int room = room_for_wilds(&rules, book, 0), best = INT32_MIN;
    int missing = state->rules[RULE_BOOK_SIZE] - hand_foot_book_size(book);
    int before = missing > 0 ? prospect(holding, index, missing) : 0;
    for (int wilds = 1; wilds <= holding->wilds && wilds <= missing && wilds <= room; wilds++) {
        int gain = (dirty_prospect(state, book->rank, missing - wilds) - before) / wilds;
        best = gain > best ? gain : best;
    }
    return best > INT32_MIN ? best : 0;
}

void hand_foot_count_seen(const struct hand_foot_holding *holding, struct hand_foot_seen *out) {
    const struct hand_and_foot *state = holding->state;
    *out = (struct hand_foot_seen){0};
    for (int rank = HAND_FOOT_THREE; rank <= CARD_ACE; rank++)
        out->naturals[rank] = holding->naturals[rank];
    for (int i = 0; i < state->book_count; i++) {
        const struct hand_foot_book *book = &state->books[i];
        out->naturals[book->rank] += hand_foot_book_naturals(book);
        out->opponents[book->rank] |= book->side != holding->side;
    }
}
