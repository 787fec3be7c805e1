/* Terrible People, the fill-in-the-blank game.
 *
 * A round is: NATURE deals hands and a prompt, three seats submit in any order, NATURE mixes the
 * submissions, the judge picks one. The author of a submission is kept beside its cards, and nobody
 * is told before the pick. */
#include "games/terrible_people/terrible_people.h"

#include "engine/ensure.h"
#include <string.h>

enum { ROUND_POINTS = 1 }; /* what a round brings its winner */

static const char *const targets[] = {"3", "5", "7", NULL};

static const struct option options[] = {
    {.key = "targetScore",
     .label = "Points to win",
     .help = "The first player with this many rounds won wins the game.",
     .kind = OPTION_CHOICE,
     OPTION_KEPT_IN(struct terrible_people, target),
     .choices = targets,
     .standard = "5",
     .refusal = "Invalid target score"},
};

static bool bit_is_set(const uint8_t *bits, int number) {
    return (bits[number / 8] >> (number % 8) & 1) != 0;
}

static void bit_set(uint8_t *bits, int number) {
    bits[number / 8] = (uint8_t)(bits[number / 8] | 1 << (number % 8));
}

/* ---- Setup and deals ---- */

/* Marks every answer that stands in a hand or in a submission. */
static void mark_in_play(const struct terrible_people *state, uint8_t bits[TERRIBLE_ANSWER_BYTES]) {
    for (int seat = 0; seat < TERRIBLE_SEATS; seat++)
        for (int i = 0; i < state->hand_count[seat]; i++)
            bit_set(bits, state->hand[seat][i]);
    if (state->phase == TERRIBLE_ROUND_OVER || state->phase == TERRIBLE_GAME_OVER)
        return; /* by then the submissions have been discarded */
    for (int i = 0; i < TERRIBLE_SUBMITTERS; i++)
        for (int j = 0; j < TERRIBLE_BLANKS_MAX; j++)
            if (state->submissions[i].cards[j] != 0)
                bit_set(bits, state->submissions[i].cards[j]);
}

static int count_missing(const struct terrible_people *state) {
    int missing = 0;
    for (int seat = 0; seat < TERRIBLE_SEATS; seat++)
        missing += TERRIBLE_HAND - state->hand_count[seat];
    return missing;
}

/* TP-4: lists the answers that may be dealt; if they are too few, with those that were
 * discarded. */
static int list_stock(const struct terrible_people *state, uint16_t *out, bool *recycles) {
    uint8_t taken[TERRIBLE_ANSWER_BYTES] = {0};
    mark_in_play(state, taken);
    *recycles = false;
    for (;;) {
        int count = 0;
        for (int card = 1; card <= terrible_answer_count; card++)
            if (!bit_is_set(taken, card) && (*recycles || !bit_is_set(state->discarded, card)))
                out[count++] = (uint16_t)card;
        if (count >= count_missing(state) || *recycles)
            return count;
        *recycles = true;
    }
}

/* Lists the prompts that were not used yet; once all were, all but the last one. */
static int list_prompts(const struct terrible_people *state, uint16_t *out, bool *recycles) {
    int count = 0;
    for (int prompt = 1; prompt <= terrible_prompt_count; prompt++)
        if (!bit_is_set(state->prompts_used, prompt))
            out[count++] = (uint16_t)(TERRIBLE_PROMPT + prompt);
    *recycles = count == 0;
    for (int prompt = 1; *recycles && prompt <= terrible_prompt_count; prompt++)
        if (prompt != state->prompt)
            out[count++] = (uint16_t)(TERRIBLE_PROMPT + prompt);
    return count;
}

static void deck_of_submitters(const struct terrible_people *state, struct deal *out) {
    out->count = TERRIBLE_SUBMITTERS;
    for (int i = 0; i < TERRIBLE_SUBMITTERS; i++)
        out->cards[i] = (uint16_t)(TERRIBLE_SEAT + state->submissions[i].author);
    deal_to(out, 0, TERRIBLE_SUBMITTERS);
}

static void deck(const void *from, struct deal *out) {
    const struct terrible_people *state = from;
    if (state->phase == TERRIBLE_SHUFFLING) {
        deck_of_submitters(state, out);
        return;
    }
    bool recycles;
    int answers = list_stock(state, out->cards, &recycles);
    int prompts = list_prompts(state, out->cards + answers, &recycles);
    out->count = (uint16_t)(answers + prompts);
    for (int seat = 0; seat < TERRIBLE_SEATS; seat++)
        deal_to(out, seat, TERRIBLE_HAND - state->hand_count[seat]);
    deal_to(out, DEAL_UNDEALT, answers - count_missing(state));
    deal_to(out, TERRIBLE_SEATS, 1)->new_deck = true;
}

/* ---- Words for people ---- */

static void card_json(int card, struct json *json) {
    json_put_object(json, NULL);
    json_put_number(json, "id", card);
    json_put_string(json, "text", terrible_answer(card)->text);
    json_put_end(json);
}

static void hand_json(const struct terrible_people *state, int seat, struct json *json) {
    json_put_array(json, "hand");
    for (int i = 0; i < state->hand_count[seat]; i++)
        card_json(state->hand[seat][i], json);
    json_put_end(json);
}

static void prompt_json(const struct terrible_people *state, struct json *json) {
    if (state->prompt == 0) {
        json_put_null(json, "prompt");
        return;
    }
    json_put_object(json, "prompt");
    json_put_number(json, "id", state->prompt);
    json_put_string(json, "text", terrible_prompt(state->prompt)->text);
    json_put_number(json, "blanks", terrible_blanks(state->prompt));
    json_put_end(json);
}

/* Which blanks of the prompt take an answer with a capital letter. */
static void capitals_json(const struct terrible_people *state, struct json *json) {
    bool capitals[TERRIBLE_BLANKS_MAX];
    json_put_array(json, "capitals");
    if (state->prompt != 0)
        terrible_capitals(state->prompt, capitals);
    for (int i = 0; state->prompt != 0 && i < terrible_blanks(state->prompt); i++)
        json_put_bool(json, NULL, capitals[i]);
    json_put_end(json);
}

static void scores_json(const struct terrible_people *state, struct json *json) {
    json_put_array(json, "scores");
    for (int seat = 0; seat < TERRIBLE_SEATS; seat++)
        json_put_number(json, NULL, state->score[seat]);
    json_put_end(json);
}

/* One entry of a list of submissions. The author is told only when everybody may know. */
static void submission_json(const struct terrible_people *state, int index, bool name_author,
                            struct json *json) {
    const struct terrible_submission *submission = &state->submissions[index];
    char words[TERRIBLE_TEXT_SIZE];
    struct text text = text_in(words, sizeof words);
    terrible_fill(state->prompt, submission->cards, &text);
    json_put_object(json, NULL);
    json_put_number(json, "id", index + 1);
    json_put_array(json, "cards");
    for (int i = 0; i < TERRIBLE_BLANKS_MAX; i++)
        if (submission->cards[i] != 0)
            card_json(submission->cards[i], json);
    json_put_end(json);
    json_put_string(json, "text", words);
    if (name_author)
        json_put_number(json, "seatIndex", submission->author);
    json_put_end(json);
}

static void submissions_json(const struct terrible_people *state, bool name_authors,
                             struct json *json) {
    json_put_array(json, "submissions");
    for (int i = 0; i < TERRIBLE_SUBMITTERS; i++)
        submission_json(state, i, name_authors, json);
    json_put_end(json);
}

static void tell_hand(const void *state, int seat, struct events *events) {
    struct json *json = event_begin(events, "hand-updated", (uint32_t)1 << seat);
    if (json)
        hand_json(state, seat, json);
    event_end(events);
}

/* ---- Rounds ---- */

static void begin_submissions(struct terrible_people *state) {
    state->phase = TERRIBLE_SUBMITTING;
    state->submitted = 0;
    state->picked = 0;
    memset(state->submissions, 0, sizeof state->submissions);
    for (int i = 0; i < TERRIBLE_SUBMITTERS; i++)
        state->submissions[i].author = (uint8_t)((state->judge + 1 + i) % TERRIBLE_SEATS);
}

static void deal_round(struct terrible_people *state, const uint16_t *cards,
                       struct events *events) {
    uint16_t list[TERRIBLE_ANSWERS_MAX];
    bool answers_recycle, prompts_recycle;
    int stock = list_stock(state, list, &answers_recycle);
    list_prompts(state, list, &prompts_recycle);
    if (answers_recycle)
        memset(state->discarded, 0, sizeof state->discarded);
    if (prompts_recycle)
        memset(state->prompts_used, 0, sizeof state->prompts_used);
    const uint16_t *next = cards;
    for (int seat = 0; seat < TERRIBLE_SEATS; seat++)
        while (state->hand_count[seat] < TERRIBLE_HAND)
            state->hand[seat][state->hand_count[seat]++] = *next++;
    state->prompt = (uint16_t)(cards[stock] - TERRIBLE_PROMPT);
    bit_set(state->prompts_used, state->prompt);
    if (state->round++ > 0)
        state->judge = (uint8_t)((state->judge + 1) % TERRIBLE_SEATS);
    begin_submissions(state);
    if (!events)
        return;
    struct json *json = event_begin(events, "round-started", EVERYONE);
    json_put_number(json, "round", state->round);
    json_put_number(json, "judge", state->judge);
    prompt_json(state, json);
    event_end(events);
    for (int seat = 0; seat < TERRIBLE_SEATS; seat++)
        tell_hand(state, seat, events);
}

static int submission_of(const struct terrible_people *state, int seat) {
    for (int i = 0; i < TERRIBLE_SUBMITTERS; i++)
        if (state->submissions[i].author == seat)
            return i;
    return -1;
}

static void mix_submissions(struct terrible_people *state, const uint16_t *order,
                            struct events *events) {
    struct terrible_submission mixed[TERRIBLE_SUBMITTERS];
    for (int i = 0; i < TERRIBLE_SUBMITTERS; i++)
        mixed[i] = state->submissions[submission_of(state, order[i] - TERRIBLE_SEAT)];
    memcpy(state->submissions, mixed, sizeof mixed);
    state->phase = TERRIBLE_JUDGING;
    struct json *json = event_begin(events, "submissions-revealed", EVERYONE);
    if (json)
        submissions_json(state, false, json);
    event_end(events);
}

static void deal(void *to, const uint16_t *cards, struct events *events) {
    struct terrible_people *state = to;
    if (state->phase == TERRIBLE_SHUFFLING)
        mix_submissions(state, cards, events);
    else
        deal_round(state, cards, events);
}

/* ---- Moves ---- */

static uint32_t to_act(const void *from) {
    const struct terrible_people *state = from;
    switch (state->phase) {
    case TERRIBLE_SUBMITTING:
        return ((1u << TERRIBLE_SEATS) - 1) & ~(state->submitted | 1u << state->judge);
    case TERRIBLE_JUDGING:
        return 1u << state->judge;
    case TERRIBLE_GAME_OVER:
        return 0;
    case TERRIBLE_SHUFFLING:
        return AWAITS_SHUFFLE;
    default:
        return AWAITS_NATURE;
    }
}

static size_t legal_answers(const struct terrible_people *state, int seat, struct move *out) {
    size_t count = 0;
    int cards = state->hand_count[seat];
    bool two = terrible_blanks(state->prompt) == 2;
    for (int i = 0; i < cards; i++) {
        for (int j = 0; j < (two ? cards : 1); j++) {
            if (two && i == j)
                continue;
            struct move *move = &out[count++];
            move->verb = TERRIBLE_ANSWER;
            move->count = two ? 2 : 1;
            move->args[0] = state->hand[seat][i];
            move->args[1] = state->hand[seat][j];
        }
    }
    return count;
}

static size_t legal(const void *from, int seat, struct move *out, size_t max) {
    const struct terrible_people *state = from;
    ensure(max >= TERRIBLE_HAND * (TERRIBLE_HAND - 1));
    if ((to_act(state) >> seat & 1) == 0)
        return 0;
    if (state->phase == TERRIBLE_SUBMITTING)
        return legal_answers(state, seat, out);
    for (int i = 0; i < TERRIBLE_SUBMITTERS; i++) {
        out[i].verb = TERRIBLE_PICK;
        out[i].count = 1;
        out[i].args[0] = (uint16_t)(i + 1);
    }
    return TERRIBLE_SUBMITTERS;
}

static int find_in_hand(const struct terrible_people *state, int seat, int card) {
    for (int i = 0; i < state->hand_count[seat]; i++)
        if (state->hand[seat][i] == card)
            return i;
    return -1;
}

static bool check_answer(const void *from, int seat, const struct move *move, struct refusal *why) {
    const struct terrible_people *state = from;
    int blanks = terrible_blanks(state->prompt);
    if (state->phase != TERRIBLE_SUBMITTING)
        return refuse_wrong_phase(why);
    if (seat == state->judge)
        return refuse(why, "JUDGE_CANNOT_SUBMIT", "The judge does not submit");
    if ((state->submitted >> seat & 1) != 0)
        return refuse(why, "ALREADY_SUBMITTED", "Your submission is final");
    if (move->count != blanks)
        return refuse(why, "WRONG_COUNT", "This prompt needs %d %s", blanks,
                      blanks == 1 ? "card" : "cards");
    for (int i = 0; i < blanks; i++)
        if (find_in_hand(state, seat, move->args[i]) < 0)
            return refuse(why, "INVALID_CARD", "Card not in hand");
    if (blanks == 2 && move->args[0] == move->args[1])
        return refuse(why, "INVALID_CARD", "A card fills one blank only");
    return true;
}

static bool check_pick(const void *from, int seat, const struct move *move, struct refusal *why) {
    const struct terrible_people *state = from;
    if (state->phase != TERRIBLE_JUDGING)
        return refuse_wrong_phase(why);
    if (seat != state->judge)
        return refuse(why, "NOT_THE_JUDGE", "Only the judge picks");
    if (move->args[0] < 1 || move->args[0] > TERRIBLE_SUBMITTERS)
        return refuse(why, "INVALID_SUBMISSION", "Choose a submission from 1 to 3");
    return true;
}

static void take_from_hand(struct terrible_people *state, int seat, int card) {
    uint16_t *hand = state->hand[seat];
    int at = find_in_hand(state, seat, card);
    int last = --state->hand_count[seat];
    for (int i = at; i < last; i++)
        hand[i] = hand[i + 1];
    hand[last] = 0;
}

static void answer(void *to, int seat, const struct move *move, struct events *events) {
    struct terrible_people *state = to;
    struct terrible_submission *submission = &state->submissions[submission_of(state, seat)];
    for (int i = 0; i < move->count; i++) {
        submission->cards[i] = move->args[i];
        take_from_hand(state, seat, move->args[i]);
    }
    state->submitted = (uint8_t)(state->submitted | 1 << seat);
    if (to_act(state) == 0)
        state->phase = TERRIBLE_SHUFFLING;
    tell_hand(state, seat, events);
}

static void tell_pick(const struct terrible_people *state, int winner, struct events *events) {
    struct json *json = event_begin(events, "round-over", EVERYONE);
    json_put_number(json, "submissionId", state->picked);
    json_put_number(json, "seatIndex", winner);
    submissions_json(state, true, json);
    scores_json(state, json);
    json_put_bool(json, "isGameOver", state->phase == TERRIBLE_GAME_OVER);
    event_end(events);
    if (state->phase != TERRIBLE_GAME_OVER)
        return;
    json = event_begin(events, "game-over", EVERYONE);
    json_put_number(json, "winner", winner);
    scores_json(state, json);
    event_end(events);
}

static void pick(void *to, int seat, const struct move *move, struct events *events) {
    struct terrible_people *state = to;
    int choice = move->args[0];
    int winner = state->submissions[choice - 1].author;
    state->picked = (uint8_t)choice;
    state->score[winner] = (uint8_t)(state->score[winner] + ROUND_POINTS);
    if (state->round <= TERRIBLE_ROUNDS_MAX)
        state->round_winner[state->round - 1] = (uint8_t)winner;
    for (int i = 0; i < TERRIBLE_SUBMITTERS; i++)
        for (int j = 0; j < TERRIBLE_BLANKS_MAX; j++)
            if (state->submissions[i].cards[j] != 0)
                bit_set(state->discarded, state->submissions[i].cards[j]);
    bool won = state->score[winner] >= state->target;
    state->phase = won ? TERRIBLE_GAME_OVER : TERRIBLE_ROUND_OVER;
    if (events)
        tell_pick(state, winner, events);
}

static const struct verb verbs[] = {
    [TERRIBLE_ANSWER] = {.word = "answer",
                         .action = "submit",
                         .secret = true,
                         .arguments = {{.kind = ARGUMENT_NUMBERS, .json = "cardIds"}},
                         .example = "answer 17|answer 17 23",
                         .help = "submit card 17; where there are two blanks, 17 in the first and "
                                 "23 in the second",
                         .prompt = "Choose an answer",
                         .event = "answer-submitted",
                         .check = check_answer,
                         .apply = answer},
    [TERRIBLE_PICK] = {.word = "pick",
                       .action = "judge",
                       .arguments = {{.kind = ARGUMENT_NUMBER, .json = "submissionId"}},
                       .example = "pick 2",
                       .help = "the judge picks submission 2",
                       .prompt = "Pick the best answer",
                       .check = check_pick,
                       .apply = pick},
};

/* ---- What a seat knows ---- */

static bool authors_are_known(const struct terrible_people *state) {
    return state->phase == TERRIBLE_ROUND_OVER || state->phase == TERRIBLE_GAME_OVER;
}

static void observe_submissions(const struct terrible_people *state, int seat,
                                struct terrible_people *out) {
    bool words_are_known = authors_are_known(state) || state->phase == TERRIBLE_JUDGING;
    for (int i = 0; i < TERRIBLE_SUBMITTERS; i++) {
        const struct terrible_submission *submission = &state->submissions[i];
        bool own = submission->author == seat;
        if (own || words_are_known)
            memcpy(out->submissions[i].cards, submission->cards, sizeof submission->cards);
        /* Before the submissions are mixed, each stands at its author's place, so the author is no
         * secret. */
        bool hidden = state->phase == TERRIBLE_JUDGING && !own;
        out->submissions[i].author = hidden ? TERRIBLE_NOBODY : submission->author;
    }
}

static void observe(const void *from, int seat, void *to) {
    const struct terrible_people *state = from;
    struct terrible_people *out = to;
    out->public = state->public;
    if (seat >= 0)
        memcpy(out->hand[seat], state->hand[seat], sizeof out->hand[seat]);
    observe_submissions(state, seat, out);
}

static void sample_authors(struct terrible_people *state, struct chance *chance) {
    uint16_t seats[TERRIBLE_SUBMITTERS];
    size_t count = 0;
    for (int seat = 0; seat < TERRIBLE_SEATS; seat++)
        if (seat != state->judge && submission_of(state, seat) < 0)
            seats[count++] = (uint16_t)seat;
    chance_shuffle(chance, seats, count);
    for (int i = 0; i < TERRIBLE_SUBMITTERS; i++)
        if (state->submissions[i].author == TERRIBLE_NOBODY)
            state->submissions[i].author = (uint8_t)seats[--count];
}

static void sample(const void *from, int seat, struct chance *chance, void *to) {
    struct terrible_people *out = to;
    memcpy(out, from, sizeof *out);
    if (out->phase == TERRIBLE_DEALING)
        return;
    if (out->phase == TERRIBLE_JUDGING)
        sample_authors(out, chance);
    uint8_t known[TERRIBLE_ANSWER_BYTES];
    memcpy(known, out->discarded, sizeof known);
    struct terrible_people own = *out;
    for (int other = 0; other < TERRIBLE_SEATS; other++)
        if (other != seat)
            own.hand_count[other] = 0;
    mark_in_play(&own, known);
    uint16_t unseen[TERRIBLE_ANSWERS_MAX];
    size_t count = 0;
    for (int card = 1; card <= terrible_answer_count; card++)
        if (!bit_is_set(known, card))
            unseen[count++] = (uint16_t)card;
    chance_shuffle(chance, unseen, count);
    for (int other = 0; other < TERRIBLE_SEATS; other++)
        for (int i = 0; other != seat && i < out->hand_count[other]; i++)
            out->hand[other][i] = unseen[--count];
    for (int i = 0; i < TERRIBLE_SUBMITTERS; i++) {
        struct terrible_submission *submission = &out->submissions[i];
        bool sealed = out->phase == TERRIBLE_SUBMITTING || out->phase == TERRIBLE_SHUFFLING;
        bool handed_in = sealed && (out->submitted >> submission->author & 1) != 0;
        for (int j = 0; handed_in && j < terrible_blanks(out->prompt); j++)
            if (submission->author != seat)
                submission->cards[j] = unseen[--count];
    }
}

/* ---- Words ---- */

static void view_submissions_json(const struct terrible_people *state, int viewer,
                                  struct json *json) {
    bool revealed = authors_are_known(state) || state->phase == TERRIBLE_JUDGING;
    if (revealed) {
        submissions_json(state, authors_are_known(state) || viewer == OMNISCIENT, json);
        return;
    }
    json_put_array(json, "submissions");
    for (int i = 0; i < TERRIBLE_SUBMITTERS; i++) {
        const struct terrible_submission *submission = &state->submissions[i];
        bool visible = submission->author == viewer || viewer == OMNISCIENT;
        if (visible && submission->cards[0] != 0)
            submission_json(state, i, true, json);
    }
    json_put_end(json);
}

static int decided_rounds(const struct terrible_people *state) {
    return state->round - (state->round > 0 && !authors_are_known(state));
}

static void describe(const void *seen, int viewer, struct json *json) {
    static const char *const phases[] = {"dealing", "submitting", "submitting",
                                         "judging", "round_over", "game_over"};
    const struct terrible_people *state = seen;
    json_put_string(json, "phase", phases[state->phase]);
    json_put_number(json, "round", state->round);
    json_put_number(json, "targetScore", state->target);
    json_put_number(json, "judge", state->judge);
    prompt_json(state, json);
    capitals_json(state, json);
    scores_json(state, json);
    json_put_bits(json, "submitted", state->submitted);
    view_submissions_json(state, viewer, json);
    int mine = viewer >= 0 && state->phase == TERRIBLE_JUDGING ? submission_of(state, viewer) : -1;
    json_put_natural(json, "ownSubmissionId", mine >= 0 ? mine + 1 : -1);
    json_put_natural(json, "pickedSubmissionId", state->picked > 0 ? state->picked : -1);
    json_put_array(json, "players");
    for (int seat = 0; seat < TERRIBLE_SEATS; seat++) {
        json_put_object(json, NULL);
        json_put_player(json, "id", seat);
        json_put_number(json, "seatIndex", seat);
        json_put_number(json, "score", state->score[seat]);
        json_put_number(json, "handCount", state->hand_count[seat]);
        if (seat == viewer || viewer == OMNISCIENT)
            hand_json(state, seat, json);
        json_put_end(json);
    }
    json_put_end(json);
    json_put_number(json, "roundPoints", ROUND_POINTS);
    json_put_array(json, "roundWinners");
    for (int i = 0; i < decided_rounds(state) && i < TERRIBLE_ROUNDS_MAX; i++)
        json_put_number(json, NULL, state->round_winner[i]);
    json_put_end(json);
}

static bool parse_card(struct span word, uint16_t *out) {
    bool prompt = word.length > 0 && (word.data[0] == 'P' || word.data[0] == 'p');
    bool seat = word.length > 0 && word.data[0] == '@';
    struct span digits = word;
    if (prompt || seat)
        digits = (struct span){word.data + 1, word.length - 1};
    int most = seat ? TERRIBLE_SEATS - 1 : prompt ? terrible_prompt_count : terrible_answer_count;
    int32_t number;
    if (!span_number(digits, &number) || number < (seat ? 0 : 1) || number > most)
        return false;
    *out = (uint16_t)(number + (seat ? TERRIBLE_SEAT : prompt ? TERRIBLE_PROMPT : 0));
    return true;
}

static void print_card(uint16_t card, struct text *text) {
    if (card >= TERRIBLE_SEAT) {
        text_char(text, '@');
        card = (uint16_t)(card - TERRIBLE_SEAT);
    } else if (card > TERRIBLE_PROMPT) {
        text_char(text, 'P');
        card = (uint16_t)(card - TERRIBLE_PROMPT);
    }
    text_number(text, card);
}

static void show_card(int card, struct text *text) {
    text_string(text, "    ");
    text_number(text, card);
    text_string(text, card < 10 ? "   " : card < 100 ? "  " : " ");
    text_string(text, terrible_answer(card)->text);
    text_char(text, '\n');
}

static void show_submissions(const struct terrible_people *state, const char *const *names,
                             struct text *text) {
    for (int i = 0; i < TERRIBLE_SUBMITTERS; i++) {
        text_string(text, state->picked == i + 1 ? "  * " : "    ");
        text_number(text, i + 1);
        text_string(text, "  ");
        terrible_fill(state->prompt, state->submissions[i].cards, text);
        if (authors_are_known(state)) {
            text_string(text, "  (");
            text_string(text, names[state->submissions[i].author]);
            text_char(text, ')');
        }
        text_char(text, '\n');
    }
}

static void ask(const void *seen, int seat, struct text *text) {
    const struct terrible_people *state = seen;
    if (state->phase == TERRIBLE_SUBMITTING && terrible_blanks(state->prompt) == 2)
        text_string(text, "Choose two answers");
}

static void show(const void *seen, int viewer, const char *const *names, struct text *text) {
    const struct terrible_people *state = seen;
    text_string(text, " ");
    for (int seat = 0; seat < TERRIBLE_SEATS; seat++) {
        text_char(text, ' ');
        text_string(text, names[seat]);
        text_char(text, ' ');
        text_number(text, state->score[seat]);
        text_string(text, seat == state->judge ? " (judge) " : " ");
    }
    text_char(text, '\n');
    if (state->prompt != 0) {
        text_string(text, "  ");
        text_string(text, terrible_prompt(state->prompt)->text);
        text_char(text, '\n');
    }
    if (state->phase >= TERRIBLE_JUDGING)
        show_submissions(state, names, text);
    else if (viewer >= 0 && viewer != state->judge)
        for (int i = 0; i < state->hand_count[viewer]; i++)
            show_card(state->hand[viewer][i], text);
}

static void result(const void *from, struct result *out) {
    const struct terrible_people *state = from;
    for (int seat = 0; seat < TERRIBLE_SEATS; seat++) {
        out->score[seat] = state->score[seat];
        if (state->score[seat] >= state->target)
            out->winners |= 1u << seat;
    }
}

enum { ROUNDS, ROUNDS_WON, ROUNDS_JUDGED };

static void count(const void *from, int seat, int32_t *out) {
    const struct terrible_people *state = from;
    if (!authors_are_known(state))
        return;
    out[ROUNDS] = 1;
    if (seat == SPECTATOR)
        return;
    out[ROUNDS_WON] = state->submissions[state->picked - 1].author == seat;
    out[ROUNDS_JUDGED] = state->judge == seat;
}

/* TP-4: no card occurs twice. */
static bool every_card_once(const struct terrible_people *state) {
    uint8_t seen[TERRIBLE_ANSWER_BYTES] = {0};
    int marks = 0, cards = 0;
    mark_in_play(state, seen);
    for (int i = 0; i < TERRIBLE_ANSWER_BYTES; i++) {
        if ((seen[i] & state->discarded[i]) != 0)
            return false;
        marks += __builtin_popcount(seen[i]);
    }
    for (int seat = 0; seat < TERRIBLE_SEATS; seat++)
        cards += state->hand_count[seat];
    bool in_submissions = !authors_are_known(state);
    for (int i = 0; i < TERRIBLE_SUBMITTERS && in_submissions; i++)
        for (int j = 0; j < TERRIBLE_BLANKS_MAX; j++)
            cards += state->submissions[i].cards[j] != 0;
    return marks == cards;
}

static bool holds(const void *from) {
    const struct terrible_people *state = from;
    if (state->phase > TERRIBLE_GAME_OVER || state->judge >= TERRIBLE_SEATS)
        return false;
    if (state->phase == TERRIBLE_DEALING)
        return state->round == 0;
    int points = 0;
    for (int seat = 0; seat < TERRIBLE_SEATS; seat++)
        points += state->score[seat];
    return points == decided_rounds(state) && every_card_once(state);
}

static const char *const table_figures[] = {[ROUNDS] = "rounds", NULL};
static const char *const figures[] = {
    [ROUNDS] = "rounds", [ROUNDS_WON] = "rounds won", [ROUNDS_JUDGED] = "rounds judged", NULL};

static const struct caption captions[] = {
#include "games/terrible_people/captions.def"
    {0},
};

const struct game terrible_people_game = {
    .id = "terrible-people",
    .name = "Terrible People",
    .summary = "Fill in the blanks and hope the judge is as terrible as you are",
    .icon = "\U0001F608",
    .players_min = TERRIBLE_SEATS,
    .players_max = TERRIBLE_SEATS,
    .players_default = TERRIBLE_SEATS,
    .lobby_bots = true,
    .hands_carry_over = true,
    .checks_turns = true,
    .state_size = sizeof(struct terrible_people),
    .options = OPTIONS(options),
    VERBS(verbs),
    .captions = FOR_TERMINAL(captions),
    .figures = figures,
    .table_figures = table_figures,
    .to_act = to_act,
    .legal = legal,
    .deck = deck,
    .deal = deal,
    .observe = observe,
    .describe = describe,
    .tell_hand = tell_hand,
    .show = FOR_TERMINAL(show),
    .prompt = FOR_TERMINAL(ask),
    .sample = sample,
    .parse_card = parse_card,
    .print_card = print_card,
    .result = result,
    .count = count,
    .holds = holds,
};
