/* Hand & Foot's table in a terminal: what words.c puts into a view, as lines for a person, and
 * the score of a finished round in full (HF-73). */
#include "games/hand_and_foot/words.h"

static bool closes_by_hand(const struct hand_and_foot *state) {
    return state->rules[RULE_CLOSING] == CLOSING_EXPLICIT;
}

/* ---- Cards ---- */

/* The last `fresh` copies have a star: they are newly drawn (HF-25). */
static void show_kind(int card, int count, int fresh, struct text *text) {
    for (int i = 0; i < count; i++) {
        text_char(text, ' ');
        card_print((uint8_t)card, text);
        if (i >= count - fresh)
            text_char(text, '*');
    }
}

void hand_foot_print_kinds(const uint8_t *kinds, const uint8_t *fresh, struct text *text) {
    for (int i = 0; i < CARD_RANKS; i++) {
        for (int suit = 0; suit < CARD_SUITS; suit++) {
            int card = card_of(hand_foot_rank_order[i], suit);
            show_kind(card, kinds[card], fresh ? fresh[card] : 0, text);
        }
    }
    show_kind(CARD_JOKER, kinds[CARD_JOKER], fresh ? fresh[CARD_JOKER] : 0, text);
}

/* ---- Sides ---- */

/* [Clean Book] where books close by themselves, else [Natural Book, open] (HT-10). */
static void show_status(const struct hand_and_foot *state, const struct hand_foot_book *book,
                        struct text *text) {
    if (!closes_by_hand(state) && !hand_foot_book_complete(state, book))
        return;
    text_string(text, "  [");
    text_string(text, hand_foot_book_status(state, book));
    if (closes_by_hand(state))
        text_string(text, book->closed ? ", closed" : ", open");
    text_char(text, ']');
}

static void show_books(const struct hand_and_foot *state, int side, struct text *text) {
    for (int i = 0; i < state->book_count; i++) {
        const struct hand_foot_book *book = &state->books[i];
        uint8_t kinds[CARD_KINDS] = {0};
        if (book->side != side)
            continue;
        hand_foot_add_book_cards(book, kinds);
        text_string(text, "      ");
        text_number(text, hand_foot_book_number(state, i));
        text_char(text, ')');
        hand_foot_print_kinds(kinds, NULL, text);
        show_status(state, book, text);
        text_char(text, '\n');
    }
}

static void show_hand(const struct hand_and_foot *state, int seat, struct text *text) {
    uint8_t fresh[CARD_KINDS];
    for (int card = 0; card < CARD_KINDS; card++)
        fresh[card] =
            hand_foot_round_is_over(state) ? 0 : (uint8_t)hand_foot_new(state, seat, card);
    text_char(text, ':');
    hand_foot_print_kinds(state->hand[seat], fresh, text);
}

/* hand 11, foot 11 while the foot lies there; foot 11 once it is played; known cards behind. */
static void show_player(const struct hand_and_foot *state, int seat, int viewer, const char *name,
                        struct text *text) {
    bool acts = state->phase == HAND_FOOT_PLAYING && seat == state->current;
    bool open = hand_foot_round_is_over(state);
    bool known = open || viewer == OMNISCIENT || (viewer == seat && state->chose_pile[seat]);
    text_string(text, acts ? "> " : "  ");
    text_padded(text, name, 12);
    text_string(text, state->in_foot[seat] ? " foot " : " hand ");
    text_number(text, state->hand_count[seat]);
    if (!state->in_foot[seat] && !open) {
        text_string(text, ", foot ");
        text_number(text, state->foot_count[seat]);
    }
    if (known)
        show_hand(state, seat, text);
    if (open && state->foot_count[seat] > 0) {
        text_string(text, "\n               foot ");
        text_number(text, state->foot_count[seat]);
        text_char(text, ':');
        hand_foot_print_kinds(state->foot[seat], NULL, text);
    }
}

static void show_total(const struct hand_and_foot *state, int side, struct text *text) {
    int red_threes = state->red_threes[side][0] + state->red_threes[side][1];
    text_string(text, "score ");
    text_number(text, state->total[side]);
    if (state->round > 0 && !state->melded[side])
        text_string(text, ", not played down");
    if (red_threes > 0) {
        text_string(text, ", red 3s laid: ");
        text_number(text, red_threes);
    }
}

/* The score stands above the players of a side. Who plays alone has it behind the hand, which saves
 * a row for each player of a running round; transcripts of records have it above all the same. */
static void show_side(const struct hand_and_foot *state, int side, int viewer,
                      const char *const *names, struct text *text) {
    bool above =
        state->sides < state->head.seats || viewer == OMNISCIENT || hand_foot_round_is_over(state);
    if (above) {
        text_string(text, "  ");
        show_total(state, side, text);
        text_char(text, '\n');
    }
    for (int seat = side; seat < state->head.seats; seat += state->sides) {
        show_player(state, seat, viewer, names[seat], text);
        if (!above) {
            text_string(text, "   ");
            show_total(state, side, text);
        }
        text_char(text, '\n');
    }
    show_books(state, side, text);
}

/* ---- The score of a round ---- */

/* 5 x 20 + 2 x 20, as far as there are such cards. */
static void show_product(int count, int points, bool *is_first, struct text *text) {
    if (count == 0)
        return;
    text_string(text, *is_first ? "" : " + ");
    text_number(text, count);
    text_string(text, " x ");
    text_number(text, points);
    *is_first = false;
}

static void show_book_score(const struct hand_and_foot *state, const struct hand_foot_book *book,
                            struct text *text) {
    static const char *const names[] = {"",      "",      "Wilds",  "Threes", "Fours",
                                        "Fives", "Sixes", "Sevens", "Eights", "Nines",
                                        "Tens",  "Jacks", "Queens", "Kings",  "Aces"};
    int points = hand_foot_book_points(state->rules, book),
        bonus = hand_foot_book_bonus(state, book);
    int twos = hand_foot_book_wilds(book) - book->jokers;
    bool is_first = true;
    text_string(text, "    ");
    text_string(text, names[book->rank]);
    text_string(text, " (");
    text_string(text, hand_foot_book_status(state, book));
    if (closes_by_hand(state))
        text_string(text, book->closed ? ", closed" : ", open");
    text_string(text, "): ");
    show_product(hand_foot_book_naturals(book),
                 hand_foot_points(state->rules, card_of(book->rank, CARD_SPADES)), &is_first, text);
    show_product(twos, state->rules[RULE_POINTS_TWO], &is_first, text);
    show_product(book->jokers, state->rules[RULE_POINTS_JOKER], &is_first, text);
    text_string(text, " = ");
    text_number(text, points);
    if (bonus > 0) {
        text_string(text, " + ");
        text_number(text, bonus);
        text_string(text, " bonus = ");
        text_number(text, points + bonus);
    }
    text_char(text, '\n');
}

static void show_sum(const char *before, int points, const char *after, struct text *text) {
    text_string(text, before);
    text_string(text, points > 0 ? "+" : "");
    text_number(text, points);
    text_string(text, after);
}

/* Hand: 2 cards = -15 */
static void show_left(const char *name, int cards, int penalty, struct text *text) {
    text_string(text, "    ");
    text_string(text, name);
    text_string(text, ": ");
    text_number(text, cards);
    text_string(text, cards == 1 ? " card = " : " cards = ");
    text_number(text, -penalty);
    text_char(text, '\n');
}

static void show_side_names(const struct hand_and_foot *state, int side, const char *const *names,
                            struct text *text) {
    const char *gap = "";
    for (int seat = side; seat < state->head.seats; seat += state->sides) {
        text_string(text, gap);
        text_string(text, names[seat]);
        gap = " and ";
    }
}

static void show_side_score(const struct hand_and_foot *state, int side, const char *const *names,
                            struct text *text) {
    struct hand_foot_score score;
    hand_foot_score_side(state, side, &score);
    text_string(text, "  Score of round ");
    text_number(text, state->round);
    text_string(text, " for ");
    show_side_names(state, side, names, text);
    text_string(text, ":\n");
    for (int i = 0; i < state->book_count; i++)
        if (state->books[i].side == side)
            show_book_score(state, &state->books[i], text);
    show_sum("    Melds: ", score.melds + score.bonuses, "\n", text);
    show_left("Hand", score.hand_cards, score.hand_penalty, text);
    show_left("Foot", score.foot_cards, score.foot_penalty, text);
    if (score.red_threes > 0)
        show_sum("    Red 3s laid: ", score.red_threes, "\n", text);
    if (score.going_out > 0)
        show_sum("    Going out: ", score.going_out, "\n", text);
    show_sum("    Round: ", score.total, "", text);
    text_string(text, ", total: ");
    text_number(text, state->total[side]);
    text_char(text, '\n');
}

static void show_round_end(const struct hand_and_foot *state, const char *const *names,
                           struct text *text) {
    text_string(text, "  Round ");
    text_number(text, state->round);
    text_string(text, " is over: ");
    if (state->out != HAND_FOOT_NOBODY) {
        text_string(text, names[state->out]);
        text_string(text, " went out.\n");
    } else {
        text_string(text, hand_foot_ending_text(state));
        text_string(text, ".\n");
    }
    for (int side = 0; side < state->sides; side++)
        show_side_score(state, side, names, text);
}

/* ---- The table ---- */

static void show_head(const struct hand_and_foot *state, struct text *text) {
    text_string(text, "  round ");
    text_number(text, state->round);
    text_string(text, "   deck ");
    text_number(text, state->stock_count);
    text_string(text, "   pile ");
    text_number(text, state->pile_count);
    if (state->pile_count > 0) {
        text_string(text, ", top ");
        card_print(state->pile[state->pile_count - 1], text);
        text_string(text, hand_foot_frozen(state) ? " (frozen)" : "");
    }
    if (state->round > 0) {
        bool exceeds = state->rules[RULE_MINIMUM_TEST] == TEST_MORE_THAN;
        text_string(text, exceeds ? "   first meld more than " : "   first meld ");
        text_number(text, hand_foot_first_meld(state));
    }
    text_char(text, '\n');
}

/* What the viewer still lacks to go out, once the side has played down. */
static void show_missing(const struct hand_and_foot *state, int viewer, struct text *text) {
    if (viewer < 0 || state->phase != HAND_FOOT_PLAYING ||
        !state->melded[hand_foot_side(state, viewer)])
        return;
    char missing[REFUSAL_TEXT_SIZE];
    struct text reasons = text_in(missing, sizeof missing);
    hand_foot_write_missing(state, viewer, 0, 0, &reasons);
    if (reasons.length == 0)
        return;
    text_string(text, "  To go out: ");
    text_string(text, missing);
    text_char(text, '\n');
}

void hand_foot_show(const void *seen, int viewer, const char *const *names, struct text *text) {
    const struct hand_and_foot *state = seen;
    show_head(state, text);
    for (int side = 0; side < state->sides; side++)
        show_side(state, side, viewer, names, text);
    show_missing(state, viewer, text);
    if (hand_foot_round_is_over(state))
        show_round_end(state, names, text);
}
