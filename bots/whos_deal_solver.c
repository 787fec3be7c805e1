/* The solver of whos_deal_solver.h: alpha-beta with a zero window and a table.
 *
 * Cards. Inside, a hand is a word with one byte per effective suit, trumps in the highest, and
 * within a byte the strength grows with the bit. At the start of each trick the gaps that played
 * cards left are closed, so that a bit is a relative rank: the highest card of a suit that has
 * three still in play is always bit 2. Seats count from the leader. Positions that differ only in
 * trump, in seats or in cards that are gone thus become the same position; who holds which bit is
 * its key in the table, whole and exact, so entries stay true from deal to deal.
 *
 * Search. The one question is: does the leader's side take at least `needed` of the tricks left?
 * The side whose turn it is looks for one card that settles it; the exact number is found by asking
 * for neighbouring numbers. Of cards that touch each other among those in play only the lowest is
 * tried. At the start of a trick, tricks that are certain (high trumps, winners that nobody can
 * ruff) may settle the question, then the table; the last trick is looked at, not searched.
 *
 * Recursion is bounded by five tricks of four cards. */
#include "bots/whos_deal_solver.h"

#include "engine/ensure.h"
#include <string.h>

#define TRUMPS      ((uint32_t)0x7f000000)
#define PLAIN_SUITS ((uint32_t)0x003f3f3f)
#define SUIT_ENDS   ((uint32_t)0x80808080) /* the bit above each suit, which no card has */
#define EACH_SUIT   ((uint32_t)0x01010101)

/* The trick that is being played to. Seats count from its leader. */
struct trick {
    uint32_t hand[WHOS_DEAL_SEATS];
    uint32_t led;  /* all bits of the suit led */
    uint32_t best; /* the card that wins so far ... */
    int winner;    /* ... and whose it is */
    uint32_t played;
    int left;   /* tricks, this one included */
    int needed; /* by the leader's side */
};

static bool leader_takes(struct whos_deal_solver *solver, const uint32_t hand[WHOS_DEAL_SEATS],
                         int left, int needed);

/* ---- Bits ---- */

static uint32_t highest(uint32_t cards) {
    return (uint32_t)1 << (31 - __builtin_clz(cards));
}

static uint32_t lowest(uint32_t cards) {
    return cards & -cards;
}

static uint32_t suit_of(uint32_t card) {
    return (uint32_t)0xff << (__builtin_ctz(card) & 24);
}

/* In each suit, the cards and all bits below them. */
static uint32_t and_below(uint32_t cards) {
    cards |= cards >> 1 & 0x7f7f7f7f;
    cards |= cards >> 2 & 0x3f3f3f3f;
    return cards | (cards >> 4 & 0x0f0f0f0f);
}

/* How many cards each suit has, in the suit's byte. */
static uint32_t counts_by_suit(uint32_t cards) {
    cards -= cards >> 1 & 0x55555555;
    cards = (cards & 0x33333333) + (cards >> 2 & 0x33333333);
    return (cards + (cards >> 4)) & 0x0f0f0f0f;
}

static int count_of(uint32_t cards) {
    return (int)(counts_by_suit(cards) * EACH_SUIT >> 24);
}

static uint32_t in_play(const uint32_t hand[WHOS_DEAL_SEATS]) {
    return hand[0] | hand[1] | hand[2] | hand[3];
}

/* Moves everything above a removed card of the same suit down by one, the highest gap first. */
static inline void close_gaps(uint32_t *cards, int count, uint32_t removed) {
    while (removed != 0) {
        uint32_t gap = highest(removed);
        uint32_t above = suit_of(gap) & -gap;
        for (int i = 0; i < count; i++)
            cards[i] = (cards[i] & ~above) | (cards[i] & above) >> 1;
        removed ^= gap;
    }
}

/* ---- Table ---- */

/* The key of a position: for each card two bits that say who holds it, and a bit above each suit
 * that says how long it is. Never 0. */
static uint64_t key_of(const uint32_t hand[WHOS_DEAL_SEATS]) {
    uint32_t lengths = in_play(hand) + EACH_SUIT;
    return (uint64_t)(lengths | hand[1] | hand[3]) << 32 | (hand[2] | hand[3]);
}

static struct whos_deal_solver_entry *entry_of(struct whos_deal_solver *solver, uint64_t key) {
    uint64_t mixed = key * 0x9e3779b97f4a7c15u;
    return &solver->entries[mixed >> 32 & (WHOS_DEAL_SOLVER_ENTRIES - 1)];
}

/* Replaces the entry, or narrows it if it is the same position's. */
static void remember(struct whos_deal_solver_entry *entry, uint64_t key, int left, int needed,
                     bool settled) {
    if (entry->key != key) {
        entry->key = key;
        entry->fewest = 0;
        entry->most = (uint8_t)left;
    }
    if (settled)
        entry->fewest = (uint8_t)needed;
    else
        entry->most = (uint8_t)(needed - 1);
}

/* ---- Certain tricks ---- */

static int least(int a, int b) {
    return a < b ? a : b;
}

static int in_suit(uint32_t counts, int shift) {
    return (int)(counts >> shift & 15);
}

static int trumps_of(uint32_t hand) {
    return in_suit(counts_by_suit(hand), 24);
}

/* Winners in plain suits that both opponents must follow, as long as the partner need not ruff. */
static int sure_plain_tricks(const uint32_t hand[WHOS_DEAL_SEATS], uint32_t tops) {
    uint32_t winners = counts_by_suit(tops);
    uint32_t left = counts_by_suit(hand[1]), right = counts_by_suit(hand[3]);
    int tricks = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        int here = in_suit(winners, shift);
        if (hand[1] != 0)
            here = least(here, in_suit(left, shift));
        if (hand[3] != 0)
            here = least(here, in_suit(right, shift));
        tricks += here;
    }
    return hand[2] == 0 ? tricks : least(tricks, count_of(hand[2] & PLAIN_SUITS));
}

/* How many tricks the leader, who has the highest trump if there is one, can take in a row. If the
 * high trumps draw all others, every winner is good after them; if not, some may be before them. */
static int sure_tricks_of_leader(const uint32_t hand[WHOS_DEAL_SEATS]) {
    uint32_t tops = hand[0] & ~and_below(hand[1] | hand[2] | hand[3]);
    int trumps = trumps_of(tops);
    if (trumps >= trumps_of(hand[1]) && trumps >= trumps_of(hand[3]))
        return count_of(tops);
    return trumps + sure_plain_tricks(hand, tops & PLAIN_SUITS);
}

/* Narrows what the leader's side takes. The highest trumps take a trick each, whoever leads. */
static void bound(const uint32_t hand[WHOS_DEAL_SEATS], int left, int *fewest, int *most) {
    uint32_t all = in_play(hand), top = highest(all);
    *fewest = 0;
    *most = left;
    if ((hand[0] & top) != 0 || (all & TRUMPS) == 0) {
        *fewest = sure_tricks_of_leader(hand);
        return;
    }
    int owner = (hand[1] & top) != 0 ? 1 : (hand[2] & top) != 0 ? 2 : 3;
    int tricks = trumps_of(hand[owner] & ~and_below(all & ~hand[owner]));
    if (owner == 2)
        *fewest = tricks;
    else
        *most = left - tricks;
}

/* ---- Search ---- */

/* With one card each, the highest trump takes the trick, or else the highest of the suit led. */
static bool leader_takes_last(const uint32_t hand[WHOS_DEAL_SEATS]) {
    uint32_t all = in_play(hand);
    uint32_t counting = (all & TRUMPS) != 0 ? all : all & suit_of(hand[0]);
    return (highest(counting) & (hand[0] | hand[2])) != 0;
}

/* Goes on after a complete trick. */
static bool finish(struct whos_deal_solver *solver, const struct trick *trick) {
    int winner = trick->winner;
    bool won = (winner & 1) == 0;
    int left = trick->left - 1, needed = trick->needed - won;
    if (needed <= 0 || needed > left)
        return needed <= 0;
    uint32_t hand[WHOS_DEAL_SEATS];
    for (int i = 0; i < WHOS_DEAL_SEATS; i++)
        hand[i] = trick->hand[(winner + i) & 3];
    if (left == 1)
        return leader_takes_last(hand) == won;
    close_gaps(hand, WHOS_DEAL_SEATS, trick->played);
    if (won)
        return leader_takes(solver, hand, left, needed);
    return !leader_takes(solver, hand, left, left - needed + 1);
}

/* What the seat may play: the suit led if it can. */
static uint32_t playable(const struct trick *trick, int seat) {
    uint32_t following = trick->hand[seat] & trick->led;
    return following != 0 ? following : trick->hand[seat];
}

/* The cards that would win the trick now. Trumps are above every other suit. */
static uint32_t beating(const struct trick *trick) {
    return (trick->led | TRUMPS) & -(trick->best << 1);
}

/* Of cards with nothing in between, only the lowest. */
static uint32_t distinct(uint32_t cards, uint32_t between) {
    uint32_t kept = cards;
    between |= SUIT_ENDS;
    for (uint32_t rest = cards; rest != 0;) {
        uint32_t card = lowest(rest);
        rest ^= card;
        if (rest != 0 && ((lowest(rest) - card) & between) == 0)
            kept ^= lowest(rest);
    }
    return kept;
}

static bool next_plays(struct whos_deal_solver *solver, const struct trick *trick, int seat);

/* Lets the seat play a card, and the others play their best. */
static bool play(struct whos_deal_solver *solver, const struct trick *trick, int seat,
                 uint32_t card, bool wins) {
    struct trick next = *trick;
    next.hand[seat] ^= card;
    next.played |= card;
    if (wins) {
        next.best = card;
        next.winner = seat;
    }
    return next_plays(solver, &next, seat + 1);
}

/* Tries cards from the lowest on until one settles the question for the seat's side. */
static bool any_settles(struct whos_deal_solver *solver, const struct trick *trick, int seat,
                        uint32_t cards, bool win) {
    bool side = (seat & 1) == 0;
    for (; cards != 0; cards &= cards - 1)
        if (play(solver, trick, seat, lowest(cards), win) == side)
            return true;
    return false;
}

/* Does the partner's card win whatever the last seat plays? Then this seat need not. */
static bool partner_has_it(const struct trick *trick, int seat) {
    if (trick->winner != seat - 2)
        return false;
    return seat == 3 || (playable(trick, 3) & beating(trick)) == 0;
}

/* The seat, or the next one that is in play, plays to the trick that has been led. */
static bool next_plays(struct whos_deal_solver *solver, const struct trick *trick, int seat) {
    while (seat < WHOS_DEAL_SEATS && trick->hand[seat] == 0)
        seat++;
    if (seat == WHOS_DEAL_SEATS)
        return finish(solver, trick);
    uint32_t others = in_play(trick->hand) & ~trick->hand[seat];
    uint32_t cards = distinct(playable(trick, seat), others | trick->best);
    uint32_t winning = cards & beating(trick);
    bool side = (seat & 1) == 0, spare = partner_has_it(trick, seat);
    if (spare && any_settles(solver, trick, seat, cards & ~winning, false))
        return side;
    if (any_settles(solver, trick, seat, winning, true))
        return side;
    if (!spare && any_settles(solver, trick, seat, cards & ~winning, false))
        return side;
    return !side;
}

static bool lead(struct whos_deal_solver *solver, const uint32_t hand[WHOS_DEAL_SEATS], int left,
                 int needed, uint32_t card) {
    struct trick trick = {.led = suit_of(card), .left = left, .needed = needed};
    memcpy(trick.hand, hand, sizeof trick.hand);
    return play(solver, &trick, 0, card, true);
}

/* All suits that no opponent would ruff at once. */
static uint32_t safe_suits(const uint32_t hand[WHOS_DEAL_SEATS]) {
    uint32_t safe = 0;
    for (int shift = 0; shift < 32; shift += 8) {
        uint32_t suit = (uint32_t)0xff << shift;
        bool left_ruffs = (hand[1] & suit) == 0 && (hand[1] & TRUMPS) != 0;
        bool right_ruffs = (hand[3] & suit) == 0 && (hand[3] & TRUMPS) != 0;
        if (!left_ruffs && !right_ruffs)
            safe |= suit;
    }
    return safe;
}

/* Tries the most promising leads first: winners, then low cards to the partner's winners, then what
 * else will not be ruffed. */
static bool any_lead_settles(struct whos_deal_solver *solver, const uint32_t hand[WHOS_DEAL_SEATS],
                             int left, int needed) {
    uint32_t opponents = hand[1] | hand[3];
    uint32_t cards = distinct(hand[0], opponents | hand[2]);
    uint32_t safe = safe_suits(hand);
    uint32_t winners = safe & ~and_below(opponents | hand[2]);
    uint32_t to_partner = safe & and_below(hand[2] & ~and_below(opponents | hand[0]));
    const uint32_t groups[] = {winners, to_partner, safe, ~(uint32_t)0};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        for (uint32_t rest = cards & groups[i]; rest != 0; rest &= rest - 1)
            if (lead(solver, hand, left, needed, lowest(rest)))
                return true;
        cards &= ~groups[i];
    }
    return false;
}

/* Does the leader's side take that many of the tricks left? At the start of a trick, without gaps,
 * with two tricks or more to go. */
static bool leader_takes(struct whos_deal_solver *solver, const uint32_t hand[WHOS_DEAL_SEATS],
                         int left, int needed) {
    int fewest, most;
    bound(hand, left, &fewest, &most);
    if (needed <= fewest || needed > most)
        return needed <= fewest;
    uint64_t key = key_of(hand);
    struct whos_deal_solver_entry *entry = entry_of(solver, key);
    if (entry->key == key && (needed <= entry->fewest || needed > entry->most))
        return needed <= entry->fewest;
    bool settled = any_lead_settles(solver, hand, left, needed);
    remember(entry, key, left, needed, settled);
    return settled;
}

/* ---- From and to the rules ---- */

void whos_deal_solver_start(struct whos_deal_solver *solver) {
    memset(solver, 0, sizeof *solver);
}

void whos_deal_position_from(const struct whos_deal *state, struct whos_deal_position *out) {
    ensure(state->phase == WHOS_DEAL_PLAYING);
    memset(out, 0, sizeof *out);
    memcpy(out->hand, state->hand, sizeof out->hand);
    out->trump = state->trump;
    out->sitting_out = state->sitting_out;
    out->lead = state->lead;
    out->trick_count = state->trick_count;
    for (int i = 0; i < state->trick_count; i++)
        out->trick[i] = state->played[state->played_count - state->trick_count + i];
    out->tricks[0] = state->tricks[0];
    out->tricks[1] = state->tricks[1];
}

int whos_deal_position_turn(const struct whos_deal_position *position) {
    int seat = position->lead;
    for (int i = 0; i < position->trick_count; i++)
        seat = whos_deal_next_seat(seat, position->sitting_out);
    return seat;
}

/* The solver's bit for a card of the rules. */
static uint32_t bit_of(int card, int trump) {
    int strength = whos_deal_strength[trump][card];
    if (strength >= 16)
        return (uint32_t)1 << (24 + strength - 18);
    int suit = whos_deal_suit(card);
    return (uint32_t)1 << (8 * (suit < trump ? suit : suit - 1) + strength - 1);
}

static uint32_t bits_of(uint32_t cards, int trump) {
    uint32_t bits = 0;
    for (; cards != 0; cards &= cards - 1)
        bits |= bit_of(__builtin_ctz(cards), trump);
    return bits;
}

/* A position as the search sees it. */
struct problem {
    struct trick trick; /* nothing is led yet if its best card is 0 */
    int next;           /* the seat to play, counted from the leader */
    uint32_t gaps;      /* which were closed */
};

/* Plays the cards that lie on the table already. */
static void take_trick(const struct whos_deal_position *position, struct trick *trick) {
    int seat = position->lead;
    for (int i = 0; i < position->trick_count; i++) {
        uint32_t card = bit_of(position->trick[i], position->trump);
        if (i == 0)
            trick->led = suit_of(card);
        if (i == 0 || (card > trick->best && (card & (trick->led | TRUMPS)) != 0)) {
            trick->best = card;
            trick->winner = (seat - position->lead) & 3;
        }
        seat = whos_deal_next_seat(seat, position->sitting_out);
    }
}

/* Asserts what only a mistake of the caller could break. */
static void check(const struct whos_deal_position *position, const struct problem *problem) {
    ensure(problem->trick.left <= WHOS_DEAL_HAND);
    for (int i = 0; i < WHOS_DEAL_SEATS; i++) {
        bool sits_out = (position->sitting_out >> ((position->lead + i) & 3) & 1) != 0;
        int has = count_of(problem->trick.hand[i]);
        ensure(has == (sits_out ? 0 : problem->trick.left - (i < problem->next)));
    }
}

static void close_first_gaps(struct problem *problem) {
    struct trick *trick = &problem->trick;
    uint32_t cards[WHOS_DEAL_SEATS + 1];
    memcpy(cards, trick->hand, sizeof trick->hand);
    cards[WHOS_DEAL_SEATS] = trick->best;
    problem->gaps = (TRUMPS | PLAIN_SUITS) & ~(in_play(trick->hand) | trick->best);
    close_gaps(cards, WHOS_DEAL_SEATS + 1, problem->gaps);
    memcpy(trick->hand, cards, sizeof trick->hand);
    trick->best = trick->played = cards[WHOS_DEAL_SEATS];
}

static void set_up(const struct whos_deal_position *position, struct problem *out) {
    ensure(position->trump < CARD_SUITS && position->lead < WHOS_DEAL_SEATS);
    ensure(position->sitting_out < 16 && (position->sitting_out >> position->lead & 1) == 0);
    ensure(position->trick_count + __builtin_popcount(position->sitting_out) < WHOS_DEAL_SEATS);
    memset(out, 0, sizeof *out);
    out->next = (whos_deal_position_turn(position) - position->lead) & 3;
    for (int i = 0; i < WHOS_DEAL_SEATS; i++) {
        int seat = (position->lead + i) & 3;
        if ((position->sitting_out >> seat & 1) == 0)
            out->trick.hand[i] = bits_of(position->hand[seat], position->trump);
    }
    out->trick.left = count_of(out->trick.hand[out->next]);
    check(position, out);
    take_trick(position, &out->trick);
    close_first_gaps(out);
}

/* Does the leader's side take that many of the tricks left, the current one included? If a card is
 * given the seat to play plays it. */
static bool takes(struct whos_deal_solver *solver, struct problem *problem, uint32_t card,
                  int needed) {
    struct trick *trick = &problem->trick;
    if (needed <= 0 || needed > trick->left)
        return needed <= 0;
    trick->needed = needed;
    if (card != 0 && trick->best == 0)
        return lead(solver, trick->hand, trick->left, needed, card);
    if (card != 0)
        return play(solver, trick, problem->next, card, (beating(trick) & card) != 0);
    if (trick->best != 0)
        return next_plays(solver, trick, problem->next);
    if (trick->left == 1)
        return leader_takes_last(trick->hand);
    return leader_takes(solver, trick->hand, trick->left, needed);
}

/* How many tricks the leader's side takes. Asks for one more or one less, from the guess on. */
static int count(struct whos_deal_solver *solver, struct problem *problem, uint32_t card,
                 int guess) {
    if (takes(solver, problem, card, guess)) {
        while (guess < problem->trick.left && takes(solver, problem, card, guess + 1))
            guess++;
        return guess;
    }
    do
        guess--;
    while (!takes(solver, problem, card, guess));
    return guess;
}

/* Only to start near the answer: 2 for the lowest trumps to 5 for the right bower. */
static int weight_of_trumps(uint32_t cards) {
    int weight = 0;
    for (cards &= TRUMPS; cards != 0; cards &= cards - 1)
        weight += 2 + (__builtin_ctz(cards) - 24) / 2;
    return weight;
}

/* About how many tricks the leader's side takes, from the trumps it has more than the others. */
static int guess_of(const struct trick *trick) {
    int ours = weight_of_trumps(trick->hand[0] | trick->hand[2]);
    int theirs = weight_of_trumps(trick->hand[1] | trick->hand[3]);
    int guess = (8 * trick->left + 8 + 3 * (ours - theirs)) / 16;
    return guess < 1 ? 1 : least(guess, trick->left);
}

int whos_deal_solver_tricks(struct whos_deal_solver *solver,
                            const struct whos_deal_position *position, int team) {
    struct problem problem;
    set_up(position, &problem);
    int left = problem.trick.left;
    int tricks = count(solver, &problem, 0, guess_of(&problem.trick));
    if (whos_deal_team(position->lead) != team)
        tricks = left - tricks;
    return position->tricks[team] + tricks;
}

bool whos_deal_solver_at_least(struct whos_deal_solver *solver,
                               const struct whos_deal_position *position, int team, int tricks) {
    struct problem problem;
    set_up(position, &problem);
    int needed = tricks - position->tricks[team];
    if (whos_deal_team(position->lead) == team)
        return takes(solver, &problem, 0, needed);
    return !takes(solver, &problem, 0, problem.trick.left - needed + 1);
}

void whos_deal_solver_cards(struct whos_deal_solver *solver,
                            const struct whos_deal_position *position,
                            int8_t tricks_by_card[WHOS_DEAL_CARDS]) {
    struct problem problem;
    set_up(position, &problem);
    const struct trick *trick = &problem.trick;
    int turn = whos_deal_position_turn(position), team = whos_deal_team(turn);
    uint32_t legal = playable(trick, problem.next);
    int guess = guess_of(trick);
    memset(tricks_by_card, WHOS_DEAL_SOLVER_ILLEGAL, WHOS_DEAL_CARDS);
    for (uint32_t rest = position->hand[turn]; rest != 0; rest &= rest - 1) {
        int card = __builtin_ctz(rest);
        uint32_t bit = bit_of(card, position->trump);
        close_gaps(&bit, 1, problem.gaps);
        if ((legal & bit) == 0)
            continue;
        guess = count(solver, &problem, bit, guess);
        int tricks = whos_deal_team(position->lead) == team ? guess : trick->left - guess;
        tricks_by_card[card] = (int8_t)(position->tricks[team] + tricks);
    }
}
