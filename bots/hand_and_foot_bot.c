/* Hand & Foot's bots (HF-77 to HF-87 with HF-C26 to HF-C28), for every preset and house rule: they
 * know no rule book by name, they propose plays and ask the rules whether those are legal.
 *
 * Easy lays the first thing that fits and discards at random. Medium and hard look at what they
 * could play, rate it, and play the best as long as it is worth something; then they discard. Hard
 * also saves its wilds for the foot, keeps a clean and a dirty book apart, keeps pairs that unlock
 * a rich pile, plays down with as few cards as it can, and hurries when somebody is about to go
 * out. */
#include "bots/players.h"
#include "games/hand_and_foot/hand_and_foot.h"

enum {
    RICH_PILE = 6,  /* HF-81 */
    FULL_HAND = 25, /* HF-81 */
    FEW_CARDS = 5,  /* HF-86, HF-C27 */
    NEAR_FOOT = 5,  /* hard lets go of its wilds when its hand is this small */
    IDEAS_MAX = 96,
    RANKS = 15
};

/* A play that could be made, and what it seems to be worth. */
struct idea {
    int worth;
    struct move move;
};

struct player {
    const struct hand_and_foot *state;
    int seat, side;
    enum bot_level level;
    const uint8_t *hand;
    int naturals[RANKS]; /* usable naturals in hand by rank; red threes do not count */
    int wilds;
    int clean, dirty; /* complete books of the side */
    int dirty_melds;  /* incomplete ones with wilds */
    bool in_foot;
    bool chased; /* an opponent may go out soon */
    bool hurry;  /* everything should be laid */
    int idea_count;
    struct idea ideas[IDEAS_MAX];
};

/* ---- Looking around ---- */

static bool is_hard(const struct player *player) {
    return player->level == BOT_HARD;
}

static int needed(const struct player *player, enum hand_foot_rule rule, int have) {
    int wanted = player->state->rules[rule];
    return wanted > have ? wanted - have : 0;
}

static void count_hand(struct player *player) {
    for (int card = 0; card < CARD_KINDS; card++) {
        if (hand_foot_is_wild(card))
            player->wilds += player->hand[card];
        else if (!hand_foot_is_three(card) ||
                 (player->state->rules[RULE_BLACK_THREE_BOOKS] && !hand_foot_is_red(card)))
            player->naturals[hand_foot_rank(card)] += player->hand[card];
    }
}

/* HF-C27: an opponent is in the foot with few cards. */
static bool is_chased(const struct player *player) {
    const struct hand_and_foot *state = player->state;
    for (int seat = 0; seat < state->head.seats; seat++)
        if (hand_foot_side(state, seat) != player->side && state->in_foot[seat] &&
            state->hand_count[seat] <= FEW_CARDS)
            return true;
    return false;
}

/* The own side has the books to go out. */
static bool is_ready(const struct player *player) {
    return player->in_foot && needed(player, RULE_OUT_CLEAN, player->clean) == 0 &&
           needed(player, RULE_OUT_DIRTY, player->dirty) == 0;
}

static void look(struct player *player, const struct hand_and_foot *state, int seat,
                 enum bot_level level) {
    player->state = state;
    player->seat = seat;
    player->side = hand_foot_side(state, seat);
    player->level = level;
    player->hand = state->hand[seat];
    player->in_foot = state->in_foot[seat];
    count_hand(player);
    hand_foot_count_books(state, player->side, &player->clean, &player->dirty);
    for (int i = 0; i < state->book_count; i++) {
        const struct hand_foot_book *book = &state->books[i];
        if (book->side != player->side || hand_foot_book_complete(state, book))
            continue;
        player->dirty_melds += hand_foot_book_wilds(book) > 0;
    }
    player->chased = is_chased(player);
    player->hurry = player->chased || is_ready(player);
}

/* ---- Writing moves ---- */

static void add_naturals(const struct player *player, struct move *move, int rank, int most) {
    for (int suit = 0; suit < CARD_SUITS; suit++) {
        int card = card_of(rank, suit);
        bool usable = rank != 3 || !hand_foot_is_red(card);
        for (int i = 0; usable && i < player->hand[card] && most > 0; i++, most--)
            if (move->count < MOVE_ARGS_MAX)
                move->args[move->count++] = (uint8_t)card;
    }
}

/* Twos before jokers, after those that `skip` counts. */
static void add_wilds(const struct player *player, struct move *move, int skip, int most) {
    for (int i = 0; i <= CARD_SUITS; i++) {
        int card = i < CARD_SUITS ? card_of(2, i) : CARD_JOKER;
        for (int j = 0; j < player->hand[card] && most > 0; j++) {
            if (skip > 0) {
                skip--;
            } else if (move->count < MOVE_ARGS_MAX) {
                move->args[move->count++] = (uint8_t)card;
                most--;
            }
        }
    }
}

static struct move *propose(struct player *player, int worth, int verb) {
    if (worth <= 0 || player->idea_count == IDEAS_MAX)
        return NULL;
    struct idea *idea = &player->ideas[player->idea_count++];
    idea->worth = worth;
    idea->move.verb = (uint8_t)verb;
    idea->move.count = 0;
    return &idea->move;
}

/* The best idea that the rules allow and that leaves a way on; false if there is none. */
static bool take_best(struct player *player, struct move *out) {
    while (player->idea_count > 0) {
        int best = 0;
        for (int i = 1; i < player->idea_count; i++)
            if (player->ideas[i].worth > player->ideas[best].worth)
                best = i;
        if (hand_and_foot_game.check(player->state, player->seat, &player->ideas[best].move,
                                     NULL)) {
            *out = player->ideas[best].move;
            return true;
        }
        player->ideas[best] = player->ideas[--player->idea_count];
    }
    return false;
}

/* ---- The first meld (HF-83) ---- */

/* Groups that a first meld may be made of: all naturals of a rank, with a wild where they are two.
 * Tries every choice of them and takes the one with the fewest wilds and cards that is enough. */
struct first_meld {
    int rank[RANKS];
    int points[RANKS];
    int cards[RANKS];
    int wilds[RANKS];
    int count;
};

static int points_of_naturals(const struct player *player, int rank) {
    return player->naturals[rank] *
           hand_foot_points(player->state->rules, card_of(rank, CARD_SPADES));
}

static void list_groups(const struct player *player, struct first_meld *meld) {
    for (int rank = 3; rank <= CARD_ACE; rank++) {
        int naturals = player->naturals[rank];
        if (naturals < 2)
            continue;
        int i = meld->count++;
        meld->rank[i] = rank;
        meld->points[i] = points_of_naturals(player, rank);
        meld->wilds[i] = naturals == 2 ? 1 : 0;
        meld->cards[i] = naturals + meld->wilds[i];
    }
}

/* What so many wilds count, twos first. */
static int points_of_wilds(const struct player *player, int count) {
    int twos = 0;
    for (int suit = 0; suit < CARD_SUITS; suit++)
        twos += player->hand[card_of(2, suit)];
    int small = count < twos ? count : twos;
    return small * player->state->rules[RULE_POINTS_TWO] +
           (count - small) * player->state->rules[RULE_POINTS_JOKER];
}

static bool is_enough(const struct player *player, int points) {
    int minimum = hand_foot_first_meld(player->state);
    return player->state->rules[RULE_MINIMUM_TEST] == TEST_MORE_THAN ? points > minimum
                                                                     : points >= minimum;
}

/* May a group of the first meld hold one wild more? */
static bool takes_spare(const struct player *player, const struct first_meld *meld, int i) {
    const int16_t *rules = player->state->rules;
    int naturals = player->naturals[meld->rank[i]], wilds = meld->wilds[i] + 1;
    return rules[RULE_WILD_LIMIT] == WILDS_FEWER ? wilds < naturals : wilds <= naturals;
}

/* Writes the chosen groups; spare wilds go onto the groups that can take them. */
static void write_groups(const struct player *player, const struct first_meld *meld, int chosen,
                         int spare, struct move *out) {
    int used = 0;
    for (int i = 0; i < meld->count; i++) {
        if ((chosen >> i & 1) == 0)
            continue;
        int extra = spare > 0 && takes_spare(player, meld, i) ? 1 : 0;
        if (out->count > 0 && out->count < MOVE_ARGS_MAX)
            out->args[out->count++] = HAND_FOOT_SEPARATOR;
        add_naturals(player, out, meld->rank[i], MOVE_ARGS_MAX);
        add_wilds(player, out, used, meld->wilds[i] + extra);
        used += meld->wilds[i] + extra;
        spare -= extra;
    }
}

static void propose_first_meld(struct player *player) {
    struct first_meld meld = {.count = 0};
    int best = 0, best_spare = 0, best_cost = 1 << 20;
    list_groups(player, &meld);
    for (int chosen = 1; chosen < 1 << meld.count; chosen++) {
        int points = 0, wilds = 0, cards = 0, groups = 0;
        for (int i = 0; i < meld.count; i++) {
            if ((chosen >> i & 1) != 0) {
                points += meld.points[i];
                wilds += meld.wilds[i];
                cards += meld.cards[i];
                groups += takes_spare(player, &meld, i);
            }
        }
        for (int spare = 0; spare <= groups && wilds + spare <= player->wilds; spare++) {
            int cost = 10 * (wilds + spare) + (is_hard(player) ? cards : -cards);
            if (cost < best_cost &&
                is_enough(player, points + points_of_wilds(player, wilds + spare))) {
                best = chosen;
                best_spare = spare;
                best_cost = cost;
            }
        }
    }
    if (best == 0)
        return;
    struct move *move = propose(player, 1000, HAND_FOOT_MELD);
    if (move)
        write_groups(player, &meld, best, best_spare, move);
}

/* ---- Plays on the table ---- */

/* HF-C27: while a rich pile lies there a pair in the hand is worth more than on the table. */
static bool keeps_pair(const struct player *player, int cards) {
    return is_hard(player) && !player->hurry && !player->in_foot && cards == 2 &&
           player->state->pile_count >= RICH_PILE &&
           player->state->hand_count[player->seat] > FEW_CARDS;
}

/* HF-85, HF-86: hard holds its wilds until the foot, or until the hand is nearly gone. */
static bool spends_wilds(const struct player *player) {
    return !is_hard(player) || player->hurry || player->in_foot ||
           player->state->hand_count[player->seat] <= NEAR_FOOT;
}

/* What a wild is worth on a book: most where wilds lie already. Clean ones close to completion are
 * protected (HF-79, HF-85). */
static int rate_wild(const struct player *player, const struct hand_foot_book *book) {
    int size = hand_foot_book_size(book), full = player->state->rules[RULE_BOOK_SIZE];
    if (!spends_wilds(player))
        return 0;
    if (hand_foot_book_wilds(book) > 0 || book->rank == HAND_FOOT_WILD_RANK)
        return size == full - 1                   ? 290
               : size < full                      ? 60 + 8 * size
               : player->hurry || player->in_foot ? 10
                                                  : 0;
    if (size >= full - (is_hard(player) ? 1 : 2))
        return 0;
    return 30 + size;
}

static void propose_additions(struct player *player) {
    const struct hand_and_foot *state = player->state;
    int number = 0;
    for (int i = 0; i < state->book_count; i++) {
        const struct hand_foot_book *book = &state->books[i];
        if (book->side != player->side)
            continue;
        number++;
        int cards = book->rank > 2 ? player->naturals[book->rank] : 0;
        int size = hand_foot_book_size(book), full = state->rules[RULE_BOOK_SIZE];
        int worth = cards == 0 || keeps_pair(player, cards) ? 0 : 100 + 10 * cards;
        if (worth > 0 && size < full && size + cards >= full)
            worth +=
                200 + (size == full - 1 ? 400 : 0) + (hand_foot_book_wilds(book) == 0 ? 200 : 0);
        struct move *move = propose(player, worth, HAND_FOOT_ADD);
        if (move) {
            move->args[move->count++] = (uint8_t)number;
            add_naturals(player, move, book->rank, MOVE_ARGS_MAX);
        }
        move = propose(player, player->wilds > 0 ? rate_wild(player, book) : 0, HAND_FOOT_ADD);
        if (move) {
            move->args[move->count++] = (uint8_t)number;
            add_wilds(player, move, 0, 1);
        }
        bool closable = state->rules[RULE_CLOSING] == CLOSING_EXPLICIT && !book->closed;
        bool in_time = state->hand_count[player->seat] > 1; /* the last card has its own worries */
        move = propose(player, closable && in_time && size >= full ? 2000 : 0, HAND_FOOT_CLOSE);
        if (move)
            move->args[move->count++] = (uint8_t)number;
    }
}

static void propose_groups(struct player *player) {
    for (int rank = 3; rank <= CARD_ACE; rank++) {
        int naturals = player->naturals[rank];
        if (naturals >= 3) {
            struct move *move = propose(player, 120 + 10 * naturals, HAND_FOOT_MELD);
            if (move)
                add_naturals(player, move, rank, MOVE_ARGS_MAX);
        } else if (naturals == 2 && player->wilds > 0 && spends_wilds(player) &&
                   !keeps_pair(player, 2)) {
            bool wanted = needed(player, RULE_OUT_DIRTY, player->dirty + player->dirty_melds) > 0;
            struct move *move = propose(player, wanted ? 70 : 40, HAND_FOOT_MELD);
            if (move) {
                add_naturals(player, move, rank, 2);
                add_wilds(player, move, 0, 1);
            }
        }
    }
    if (player->state->rules[RULE_WILD_BOOKS] && player->wilds >= 3 && player->in_foot) {
        struct move *move = propose(player, 20, HAND_FOOT_MELD);
        if (move)
            add_wilds(player, move, 0, 3);
    }
}

static void propose_red_threes(struct player *player) {
    for (int suit = CARD_HEARTS; suit <= CARD_DIAMONDS; suit++) {
        bool there = player->hand[card_of(3, suit)] > 0;
        int worth = there && player->state->rules[RULE_RED_THREES_LAID] ? 3000 : 0;
        struct move *move = propose(player, worth, HAND_FOOT_LAY);
        if (move)
            move->args[move->count++] = card_of(3, suit);
    }
}

/* A play that leaves one card in the foot and no way out is legal where it can be undone; it is
 * still no good: the books are missing, or the partner has said no. */
static bool strands(const struct player *player, const struct move *move) {
    const struct hand_and_foot *state = player->state;
    if (!player->in_foot || !state->rules[RULE_UNDO] ||
        state->hand_count[player->seat] - move->count > 3)
        return false;
    struct hand_and_foot after = *state;
    hand_and_foot_game.apply(&after, player->seat, move, NULL);
    if (after.phase != HAND_FOOT_PLAYING || after.hand_count[player->seat] >= 2)
        return false;
    if (state->asking == HAND_FOOT_DENIED)
        return true;
    int clean, dirty;
    hand_foot_count_books(&after, player->side, &clean, &dirty);
    return needed(player, RULE_OUT_CLEAN, clean) > 0 || needed(player, RULE_OUT_DIRTY, dirty) > 0;
}

static bool choose_play(struct player *player, struct move *out) {
    propose_red_threes(player);
    if (player->state->melded[player->side]) {
        propose_additions(player);
        propose_groups(player);
    } else {
        propose_first_meld(player);
    }
    return take_best(player, out) && !strands(player, out);
}

/* ---- Drawing ---- */

/* HF-81: the pile if it is rich or the hand is full; the value of the pile decides nothing more
 * (HF-C26). A deck that cannot give enough is avoided (HF-C20). */
static bool wants_pile(const struct player *player) {
    const struct hand_and_foot *state = player->state;
    int needed_cards = state->rules[RULE_DRAW];
    int loose = state->reshuffles < HAND_FOOT_RESHUFFLES_MAX ? state->pile_count - 1 : 0;
    if (state->stock_count < needed_cards && state->stock_count + loose < needed_cards)
        return true;
    if (player->level == BOT_EASY)
        return state->pile_count >= 2;
    int rich = state->rules[RULE_PICKUP] > 0 && state->rules[RULE_PICKUP] < RICH_PILE
                   ? state->rules[RULE_PICKUP]
                   : RICH_PILE;
    return state->pile_count >= rich || state->hand_count[player->seat] >= FULL_HAND;
}

static void propose_takes(struct player *player) {
    const struct hand_and_foot *state = player->state;
    int top = state->pile[state->pile_count - 1], rank = hand_foot_rank(top);
    if (!hand_foot_is_wild(top) && player->naturals[rank] >= 2) {
        struct move *move = propose(player, 100, HAND_FOOT_TAKE);
        add_naturals(player, move, rank, 2);
    }
    if (!hand_foot_is_wild(top) && player->naturals[rank] >= 1 && player->wilds >= 1) {
        struct move *move = propose(player, 50, HAND_FOOT_TAKE);
        add_naturals(player, move, rank, 1);
        add_wilds(player, move, 0, 1);
    }
    for (int number = 1; state->rules[RULE_PICKUP_PLAY] == PLAY_ANYWHERE; number++) {
        int book = hand_foot_find_book(state, player->side, number);
        if (book < 0)
            break;
        bool spoils = hand_foot_is_wild(top) && hand_foot_book_wilds(&state->books[book]) == 0;
        bool fits = state->books[book].rank == rank || (hand_foot_is_wild(top) && !spoils);
        struct move *move = propose(player, fits ? 120 : 0, HAND_FOOT_TAKE_ADD);
        if (move)
            move->args[move->count++] = (uint8_t)number;
    }
}

static void choose_draw(struct player *player, struct move *out) {
    const struct hand_and_foot *state = player->state;
    if (state->chose_pile[player->seat] && wants_pile(player) &&
        hand_foot_may_take(state, player->seat, NULL)) {
        propose_takes(player);
        if (take_best(player, out))
            return;
    }
    out->verb = HAND_FOOT_DRAW;
    out->count = 0;
}

/* ---- Discarding (HF-87, HF-C28) ---- */

static int rate_discard(const struct player *player, int card) {
    const int16_t *rules = player->state->rules;
    int value = hand_foot_penalty(rules, card);
    if (hand_foot_is_wild(card))
        return 1;
    if (hand_foot_is_three(card) && (hand_foot_is_red(card) || !rules[RULE_BLACK_THREE_BOOKS]))
        return hand_foot_is_red(card) ? 4000 : 3000;
    int rank = hand_foot_rank(card);
    bool lone = player->naturals[rank] == 1;
    if (is_hard(player) && player->chased)
        return 200 + value;
    int worth = 200 - value;
    if (is_hard(player) && lone)
        worth += 1000;
    return worth;
}

static void choose_discard(struct player *player, struct chance *chance, struct move *out) {
    int best = INT32_MIN;
    uint32_t equals = 0;
    for (int card = 0; card < CARD_KINDS; card++) {
        if (player->hand[card] == 0)
            continue;
        int worth = player->level == BOT_EASY ? 0 : rate_discard(player, card);
        equals = worth > best ? 1 : worth == best ? equals + 1 : equals;
        if (worth > best || (worth == best && chance_below(chance, equals) == 0)) {
            best = worth;
            *out = (struct move){HAND_FOOT_DISCARD, 1, {(uint8_t)card}};
        }
    }
}

/* ---- A turn ---- */

/* With everything else done and one card too few to go on: ask, or take a play back. */
static void leave_dead_end(const struct player *player, struct move *out) {
    static const uint8_t ways[] = {HAND_FOOT_ASK, HAND_FOOT_UNDO};
    for (size_t i = 0; i < sizeof ways; i++) {
        *out = (struct move){.verb = ways[i]};
        if (hand_and_foot_game.check(player->state, player->seat, out, NULL))
            return;
    }
}

static bool asks_first(const struct player *player, struct move *out) {
    *out = (struct move){.verb = HAND_FOOT_ASK};
    return player->state->rules[RULE_ASK_PARTNER] && player->in_foot &&
           player->state->asking == HAND_FOOT_NOT_ASKED &&
           hand_and_foot_game.check(player->state, player->seat, out, NULL);
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

static void choose(const void *seen, int seat, enum bot_level level, struct chance *chance,
                   struct move *out) {
    const struct hand_and_foot *state = seen;
    struct player player;
    player = (struct player){.idea_count = 0};
    look(&player, state, seat, level);
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
    if (!hand_and_foot_game.check(state, seat, out, NULL))
        leave_dead_end(&player, out);
    else if (melds)
        *out = (struct move){.verb = HAND_FOOT_DONE};
}

const struct bot_player hand_and_foot_player = {
    .game_id = "hand-and-foot", .choose = choose, .plays_easy = true};
