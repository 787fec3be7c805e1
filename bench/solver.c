/* How long Who's Deal?'s solver takes for a hand of five tricks: `solver [deals]`, 20,000 unless
 * told. Deals, trump, leader and caller are random, the same in each run.
 *
 * Each deal starts with an empty table, and emptying it is part of the time; "kept" leaves the
 * table as the deal before left it. The figures mean something only beside those of a plain
 * alpha-beta without table, equal cards and ordering, run on the first deals of the same kind in
 * the same minute: the ratio holds on a busy machine as well. The program fails if the two
 * disagree. */
#include "bots/whos_deal_solver.h"
#include "engine/chance.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DEALS_MAX = 1000000, PLAIN_SHARE = 40 };

struct hand {
    struct whos_deal_position position;
    int callers; /* team */
};

struct bench {
    struct whos_deal_solver solver;
    struct hand hands[DEALS_MAX];
    double us[DEALS_MAX];
    int answers[DEALS_MAX];
    int count;
};

static int64_t now_ns(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* ---- Deals ---- */

static uint8_t draw_sitting_out(int seats, int caller, struct chance *chance) {
    int mask = 0;
    if (seats < 4)
        mask |= 1 << whos_deal_partner(caller);
    if (seats < 3)
        mask |= 1 << ((caller + 1 + 2 * (int)chance_below(chance, 2)) & 3);
    return (uint8_t)mask;
}

static void draw_hand(int seats, struct chance *chance, struct hand *out) {
    struct whos_deal_position *position = &out->position;
    uint16_t cards[WHOS_DEAL_CARDS];
    memset(out, 0, sizeof *out);
    for (uint16_t card = 0; card < WHOS_DEAL_CARDS; card++)
        cards[card] = card;
    chance_shuffle(chance, cards, WHOS_DEAL_CARDS);
    for (int i = 0; i < WHOS_DEAL_SEATS * WHOS_DEAL_HAND; i++)
        position->hand[i / WHOS_DEAL_HAND] |= (uint32_t)1 << cards[i];
    int caller = (int)chance_below(chance, WHOS_DEAL_SEATS);
    out->callers = whos_deal_team(caller);
    position->trump = (uint8_t)chance_below(chance, CARD_SUITS);
    position->sitting_out = draw_sitting_out(seats, caller, chance);
    int dealer = (int)chance_below(chance, WHOS_DEAL_SEATS);
    position->lead = (uint8_t)whos_deal_next_seat(dealer, position->sitting_out);
}

static void draw_hands(struct bench *bench, int seats, int count) {
    struct chance chance;
    chance_start_number(&chance, (uint64_t)seats, 2026);
    bench->count = count;
    for (int i = 0; i < count; i++)
        draw_hand(seats, &chance, &bench->hands[i]);
}

/* ---- The plain search ---- */

struct plain {
    struct whos_deal_position position;
    int team;
    int best_card, best_seat;
};

static int plain_search(struct plain *from, int turn, int alpha, int beta);

static int plain_play(const struct plain *from, int turn, int card, int alpha, int beta) {
    struct plain next = *from;
    struct whos_deal_position *position = &next.position;
    int led = position->trick_count == 0 ? card : position->trick[0];
    int suit = whos_deal_effective_suit(led, position->trump);
    int seats = WHOS_DEAL_SEATS - __builtin_popcount(position->sitting_out);
    position->hand[turn] ^= (uint32_t)1 << card;
    if (position->trick_count == 0 ||
        whos_deal_compare(card, next.best_card, suit, position->trump) > 0) {
        next.best_card = card;
        next.best_seat = turn;
    }
    if (position->trick_count + 1 < seats) {
        position->trick[position->trick_count++] = (uint8_t)card;
        return plain_search(&next, whos_deal_next_seat(turn, position->sitting_out), alpha, beta);
    }
    position->trick_count = 0;
    position->tricks[whos_deal_team(next.best_seat)]++;
    return plain_search(&next, next.best_seat, alpha, beta);
}

/* What the team takes in all. */
static int plain_search(struct plain *from, int turn, int alpha, int beta) {
    const struct whos_deal_position *position = &from->position;
    if (position->hand[turn] == 0)
        return position->tricks[from->team];
    uint32_t must_follow = WHOS_DEAL_ALL_CARDS;
    if (position->trick_count > 0) {
        int suit = whos_deal_effective_suit(position->trick[0], position->trump);
        must_follow = whos_deal_suit_cards(suit, position->trump);
    }
    uint32_t cards = whos_deal_playable(position->hand[turn], must_follow);
    bool ours = whos_deal_team(turn) == from->team;
    for (; cards != 0 && alpha < beta; cards &= cards - 1) {
        int value = plain_play(from, turn, __builtin_ctz(cards), alpha, beta);
        if (ours && value > alpha)
            alpha = value;
        if (!ours && value < beta)
            beta = value;
    }
    return ours ? alpha : beta;
}

/* ---- What is measured ---- */

static int ask_plain(struct bench *bench, const struct hand *hand, int alpha, int beta) {
    struct plain plain = {.position = hand->position, .team = hand->callers};
    return plain_search(&plain, hand->position.lead, alpha, beta);
}

static int plain_tricks(struct bench *bench, const struct hand *hand) {
    return ask_plain(bench, hand, 0, WHOS_DEAL_TRICKS);
}

static int plain_three(struct bench *bench, const struct hand *hand) {
    return ask_plain(bench, hand, 2, 3) >= 3;
}

static int kept_tricks(struct bench *bench, const struct hand *hand) {
    return whos_deal_solver_tricks(&bench->solver, &hand->position, hand->callers);
}

static int kept_three(struct bench *bench, const struct hand *hand) {
    return whos_deal_solver_at_least(&bench->solver, &hand->position, hand->callers, 3);
}

static int solver_tricks(struct bench *bench, const struct hand *hand) {
    whos_deal_solver_start(&bench->solver);
    return kept_tricks(bench, hand);
}

static int solver_three(struct bench *bench, const struct hand *hand) {
    whos_deal_solver_start(&bench->solver);
    return kept_three(bench, hand);
}

static int solver_march(struct bench *bench, const struct hand *hand) {
    whos_deal_solver_start(&bench->solver);
    return whos_deal_solver_at_least(&bench->solver, &hand->position, hand->callers, 5);
}

/* The best card must be worth what the position is worth to whoever leads. */
static int solver_cards(struct bench *bench, const struct hand *hand) {
    int8_t cards[WHOS_DEAL_CARDS];
    int best = 0;
    whos_deal_solver_start(&bench->solver);
    whos_deal_solver_cards(&bench->solver, &hand->position, cards);
    for (int card = 0; card < WHOS_DEAL_CARDS; card++)
        best = cards[card] > best ? cards[card] : best;
    return whos_deal_team(hand->position.lead) == hand->callers ? best : WHOS_DEAL_TRICKS - best;
}

struct measure {
    const char *name;
    int (*ask)(struct bench *bench, const struct hand *hand);
    int plain; /* which row of this table to compare with, or -1 for a plain search itself */
};

enum { PLAIN_TRICKS, PLAIN_THREE };

static const struct measure measures[] = {
    {"plain alpha-beta, tricks", plain_tricks, -1},
    {"plain alpha-beta, at least 3", plain_three, -1},
    {"solver, tricks", solver_tricks, PLAIN_TRICKS},
    {"solver, at least 3", solver_three, PLAIN_THREE},
    {"solver, at least 5", solver_march, -1},
    {"solver, every card", solver_cards, PLAIN_TRICKS},
    {"solver, tricks, table kept", kept_tricks, PLAIN_TRICKS},
    {"solver, at least 3, table kept", kept_three, PLAIN_THREE},
};

enum { MEASURES = sizeof measures / sizeof measures[0] };

static int by_size(const void *a, const void *b) {
    double one = *(const double *)a, two = *(const double *)b;
    return (one > two) - (one < two);
}

/* The mean; the times are sorted afterwards. */
static double run(struct bench *bench, const struct measure *measure, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
        int64_t start = now_ns();
        bench->answers[i] = measure->ask(bench, &bench->hands[i]);
        bench->us[i] = (double)(now_ns() - start) / 1000;
        sum += bench->us[i];
    }
    qsort(bench->us, (size_t)count, sizeof bench->us[0], by_size);
    return sum / count;
}

static bool same_answers(const struct bench *bench, const int *expected, int count) {
    for (int i = 0; i < count; i++)
        if (bench->answers[i] != expected[i])
            return false;
    return true;
}

static bool measure_seats(struct bench *bench, int seats, int count) {
    static int expected[2][DEALS_MAX];
    double plain[2] = {0};
    int few = count < PLAIN_SHARE ? count : count / PLAIN_SHARE;
    draw_hands(bench, seats, count);
    printf("%d seats, %d deals (plain: %d)%11s%10s%10s\n", seats, count, few, "mean us", "99% us",
           "ratio");
    for (int i = 0; i < MEASURES; i++) {
        const struct measure *measure = &measures[i];
        bool is_plain = i <= PLAIN_THREE;
        int asked = is_plain ? few : count;
        double mean = run(bench, measure, asked);
        printf("  %-32s%8.2f%10.2f", measure->name, mean, bench->us[asked * 99 / 100]);
        if (is_plain) {
            plain[i] = mean;
            memcpy(expected[i], bench->answers, (size_t)few * sizeof expected[i][0]);
        } else if (measure->plain >= 0) {
            printf("%10.1f", plain[measure->plain] / mean);
            if (!same_answers(bench, expected[measure->plain], few))
                return false;
        }
        putchar('\n');
    }
    return true;
}

int main(int count, char **arguments) {
    static struct bench bench;
    int deals = count > 1 ? atoi(arguments[1]) : 20000;
    if (deals < 1 || deals > DEALS_MAX) {
        fprintf(stderr, "solver: between 1 and %d deals\n", DEALS_MAX);
        return 2;
    }
    for (int seats = 4; seats >= 2; seats--) {
        if (!measure_seats(&bench, seats, deals)) {
            fprintf(stderr, "\nsolver: disagrees with the plain search\n");
            return 1;
        }
    }
    return 0;
}
