/* EGN to records and back; see egn.h. This file replays; egn_fill.c finds the
 * unknown cards of a deal, egn_read.c and egn_write.c know the JSON. */
#include "formats/egn.h"

#include "engine/record.h"
#include "formats/egn_file.h"
#include "formats/egn_fill.h"
#include "games/registry.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_SIZE = 2048, VIEW_SIZE = 1 << 15 };

static const char carried_mark[] = "# egn {";

/* ---- What all of EGN's files use ---- */

bool egn_fail(struct egn_error *error, enum egn_fault fault, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    for (char *at = error->text; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 127)
            *at = '?';
    error->fault = fault;
    return false;
}

bool egn_contradiction(struct egn_error *error, int deal, int trick, const char *why) {
    if (trick == 0)
        return egn_fail(error, EGN_WRONG_MOVE, "deal %d: %s", deal, why);
    return egn_fail(error, EGN_WRONG_MOVE, "deal %d, trick %d: %s", deal, trick, why);
}

int egn_caller(const struct egn_deal *deal) {
    if (deal->call_count == 0 || deal->call[deal->call_count - 1] == EGN_PASS)
        return EGN_NOBODY;
    return (deal->dealer + deal->call_count) & 3;
}

bool egn_is_ordered_up(const struct egn_deal *deal) {
    return deal->call_count > 0 && deal->call[deal->call_count - 1] == EGN_ORDER;
}

int egn_trick_size(const struct egn_deal *deal) {
    return EGN_SEATS - deal->alone - (deal->defender >= 0);
}

static size_t utf8_cut(const char *name, size_t length) {
    while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80)
        length--;
    return length;
}

/* A quote would end the name, a `#` after a blank would begin a comment. */
void egn_clean_name(const char *name, int egn_seat, char out[EGN_NAME_SIZE]) {
    size_t length = strlen(name);
    if (length > EGN_NAME_SIZE - 1)
        length = utf8_cut(name, EGN_NAME_SIZE - 1);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)name[i];
        bool comment = c == '#' && (i == 0 || out[i - 1] == ' ');
        out[i] = c == '"' || comment ? '\'' : c < ' ' || c == 127 ? ' ' : name[i];
    }
    out[length] = 0;
    if (length == 0)
        snprintf(out, EGN_NAME_SIZE, "Player %d", egn_seat);
}

bool egn_is_json(struct span file) {
    size_t at = file.length >= 3 && memcmp(file.data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < file.length && strchr(" \t\r\n", file.data[at]) && file.data[at])
        at++;
    return at < file.length && (file.data[at] == '{' || file.data[at] == '[');
}

static const struct game *euchre(void) {
    return registry_find(span_of("whos-deal"));
}

/* ---- House rules ---- */

static const struct {
    const char *key;
    size_t offset;
    const char *yes, *no;
} switches[] = {
    {"stickTheDealer", offsetof(struct egn_rules, stick_the_dealer), "yes", "no"},
    {"lonerLead", offsetof(struct egn_rules, left_of_dealer_leads), "left-of-dealer",
     "left-of-loner"},
    {"canadianLoner", offsetof(struct egn_rules, canadian_loner), "yes", "no"},
    {"defendAlone", offsetof(struct egn_rules, defend_alone), "yes", "no"},
    {"farmersHand", offsetof(struct egn_rules, farmers_hand), "yes", "no"},
    {"dealerMayDiscardUpcard", offsetof(struct egn_rules, dealer_may_discard_upcard), "yes", "no"},
};

enum { SWITCHES = sizeof switches / sizeof switches[0] };

static bool rules_to_options(const struct egn_file *file, const struct game *game,
                             struct options *out, struct egn_error *error) {
    const struct egn_rules *rules = &file->rules;
    char target[16], scores[32];
    struct refusal why = {0};
    options_default(&game->options, out);
    snprintf(target, sizeof target, "%d", rules->target);
    if (!options_set(&game->options, span_of("targetScore"), span_of(target), out, &why))
        return egn_fail(error, EGN_BAD_FILE, "metadata: winning_score is %d: %s", rules->target,
                        why.text);
    snprintf(scores, sizeof scores, "%d,%d", file->initial_score[0], file->initial_score[1]);
    if (!options_set(&game->options, span_of("startScores"), span_of(scores), out, &why))
        return egn_fail(error, EGN_BAD_FILE, "metadata: initialScore: %s", why.text);
    for (int i = 0; i < SWITCHES; i++) {
        bool on = *(const bool *)((const char *)rules + switches[i].offset);
        const char *value = on ? switches[i].yes : switches[i].no;
        if (!options_set(&game->options, span_of(switches[i].key), span_of(value), out, &why))
            return egn_fail(error, EGN_BAD_FILE, "metadata: %s", why.text);
    }
    return true;
}

static void option_text(const struct game *game, const struct options *options, const char *key,
                        char out[32]) {
    struct text text;
    text_begin(&text, out, 32);
    for (size_t i = 0; i < game->options.option_count; i++)
        if (strcmp(game->options.options[i].key, key) == 0)
            option_print_value(&game->options.options[i], options, &text);
}

static void options_to_rules(const struct game *game, const struct options *options,
                             struct egn_file *file) {
    struct egn_rules *out = &file->rules;
    char value[32];
    option_text(game, options, "startScores", value);
    sscanf(value, "%d,%d", &file->initial_score[0], &file->initial_score[1]);
    option_text(game, options, "targetScore", value);
    out->target = atoi(value);
    for (int i = 0; i < SWITCHES; i++) {
        option_text(game, options, switches[i].key, value);
        *(bool *)((char *)out + switches[i].offset) = strcmp(value, switches[i].yes) == 0;
    }
}

/* ---- EGN to a record ---- */

static void write_header(const struct egn_file *file, const struct game *game,
                         const struct options *options, FILE *out) {
    char header[HEADER_SIZE];
    struct record_seat seats[EGN_SEATS];
    struct text text;
    for (int i = 0; i < EGN_SEATS; i++)
        seats[i] =
            (struct record_seat){span_of(file->name[i]), file->bot[i], span_of(file->level[i])};
    text_begin(&text, header, sizeof header);
    record_write_header(game, options, seats, EGN_SEATS, &text);
    fprintf(out, "%s# egn %s\n", header, file->carried);
}

/* The score after what has been played, by our teams. */
static void count_score(const struct game *game, const struct game_state *state, int out[2]) {
    struct result result;
    game_result(game, state, &result);
    out[0] = result.score[0];
    out[1] = result.score[1];
}

static bool check_final_score(const struct egn_file *file, const int score[2],
                              struct egn_error *error) {
    const int *stated = file->final_score;
    bool over = score[0] >= file->rules.target || score[1] >= file->rules.target;
    bool may_go_on = !over && stated[0] >= score[0] && stated[1] >= score[1];
    if (!file->has_final_score || may_go_on || (stated[0] == score[0] && stated[1] == score[1]))
        return true;
    char why[128];
    int first = file->first_dealer & 1; /* EGN's team 0 is ours of this number */
    snprintf(why, sizeof why, "the score is %d to %d in the end, not %d to %d as finalScore says",
             score[first], score[first ^ 1], stated[first], stated[first ^ 1]);
    int trick = file->deal_count == 0 ? 0 : file->deal[file->deal_count - 1].trick_count;
    return egn_contradiction(error, file->deal_count, trick, why);
}

static bool write_deals(const struct egn_file *file, const struct game *game,
                        struct game_state *state, FILE *out, struct egn_error *error) {
    int score[2];
    for (int i = 0; i < file->deal_count; i++) {
        char lines[EGN_LINES_SIZE];
        struct text text;
        text_begin(&text, lines, sizeof lines);
        if (!egn_fill(game, file, i, state, &text, error))
            return false;
        fputs(lines, out);
    }
    count_score(game, state, score);
    return check_final_score(file, score, error);
}

static bool write_record(const struct egn_file *file, FILE *out, struct egn_error *error) {
    const struct game *game = euchre();
    struct game_state state;
    struct options options;
    struct refusal why = {0};
    if (!rules_to_options(file, game, &options, error))
        return false;
    if (!game_start(game, &state, &options, EGN_SEATS, &why))
        return egn_fail(error, EGN_BAD_FILE, "%s", why.text);
    write_header(file, game, &options, out);
    return write_deals(file, game, &state, out, error);
}

static bool out_of_memory(struct egn_error *error) {
    return egn_fail(error, EGN_BAD_FILE, "not enough memory");
}

char *egn_to_record(struct span text, struct egn_error *error) {
    char *record = NULL;
    size_t size = 0;
    struct egn_file *file = calloc(1, sizeof *file);
    FILE *out = file ? open_memstream(&record, &size) : NULL;
    bool good =
        out ? egn_read(text, file, error) && write_record(file, out, error) : out_of_memory(error);
    if (out && fclose(out) != 0 && good)
        good = out_of_memory(error);
    if (!good) {
        free(record);
        record = NULL;
    }
    if (file)
        free(file->carried);
    free(file);
    return record;
}

/* ---- A record to EGN ---- */

struct collector {
    const struct game *game;
    struct game_state state;
    struct options options;
    struct record_reader reader;
    struct egn_file *file;
};

static bool fail_at(const struct collector *collector, const char *place,
                    struct record_error *about, enum egn_fault fault, struct egn_error *error) {
    if (!about->why.at)
        about->why.at = place;
    record_locate(&collector->reader, about);
    return egn_fail(error, fault, "%d:%d: %s (%s)", about->line, about->column, about->why.text,
                    about->why.code);
}

static void copy_span(struct span from, char *to, size_t size) {
    struct text text;
    text_begin(&text, to, size);
    text_span(&text, from);
}

static bool open_record(struct collector *collector, struct span record, struct egn_error *error) {
    struct record_header header;
    struct record_error about = {0};
    const struct game *game = collector->game;
    record_open(&collector->reader, record);
    if (!record_read_header(&collector->reader, &header, &about))
        return egn_fail(error, EGN_BAD_FILE, "%d:%d: %s (%s)", about.line, about.column,
                        about.why.text, about.why.code);
    if (!span_is(header.game, game->id)) {
        refuse_word(&about.why, header.game, "BAD_RECORD", "EGN is about euchre, not about '%s'");
        return fail_at(collector, header.game.data, &about, EGN_BAD_FILE, error);
    }
    if (!record_start(&collector->reader, &header, game, &collector->options, &collector->state,
                      &about))
        return fail_at(collector, about.why.at, &about, EGN_BAD_FILE, error);
    options_to_rules(game, &collector->options, collector->file);
    for (int i = 0; i < EGN_SEATS; i++) {
        copy_span(header.seat[i].name, collector->file->name[i], EGN_NAME_SIZE);
        collector->file->bot[i] = header.seat[i].bot;
        copy_span(header.seat[i].level, collector->file->level[i], EGN_LEVEL_SIZE);
    }
    return true;
}

/* Finds the JSON that a converted file carries in a comment. */
static void find_carried(struct span record, struct egn_file *out) {
    const char *at = record.data, *end = record.data + record.length;
    size_t mark = sizeof carried_mark - 1;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        if ((size_t)(stop - at) >= mark && memcmp(at, carried_mark, mark) == 0) {
            out->carried = strndup(at + mark - 1, (size_t)(stop - at) - mark + 1);
            return;
        }
        at = stop + 1;
    }
}

/* An explicit deal keeps the order in which it names the cards of a hand. */
static void keep_order(struct span text, struct egn_deal *deal) {
    struct scan scan = scan_of(text);
    struct span word;
    uint32_t cards[EGN_CARDS];
    int count = 0;
    while (scan_word(&scan, &word)) {
        uint8_t card;
        if (!card_parse(word, &card) || egn_from_card(card) == 0)
            continue;
        if (count < EGN_CARDS)
            cards[count] = egn_from_card(card);
        count++;
    }
    if (count == EGN_CARDS)
        memcpy(deal->hand, cards, sizeof deal->hand);
}

static bool note_deal(struct collector *collector, const struct record_entry *entry,
                      struct egn_error *error) {
    char buffer[VIEW_SIZE];
    struct egn_file *file = collector->file;
    struct json json;
    if (file->deal_count == EGN_DEALS_MAX)
        return egn_fail(error, EGN_BAD_FILE, "EGN holds at most %d deals", EGN_DEALS_MAX);
    struct egn_deal *deal = &file->deal[file->deal_count++];
    *deal = (struct egn_deal){.defender = EGN_UNSAID, .first_lead = EGN_UNSAID};
    json_begin(&json, buffer, sizeof buffer);
    json_put_object(&json, NULL);
    game_view(collector->game, &collector->state, OMNISCIENT, "state", &json);
    json_put_end(&json);
    if (!egn_read_view(buffer, deal))
        return egn_fail(error, EGN_BAD_FILE, "deal %d cannot be read", file->deal_count);
    keep_order(entry->text, deal);
    return true;
}

static uint32_t card_in(struct span word) {
    uint8_t card = 0;
    card_parse(word, &card);
    return egn_from_card(card);
}

static void note_play(struct egn_deal *deal, uint32_t card) {
    int last = deal->trick_count - 1;
    if (last < 0 || deal->trick_cards[last] == egn_trick_size(deal)) {
        last = deal->trick_count++;
        deal->trick_cards[last] = 0;
    }
    deal->trick[last][deal->trick_cards[last]++] = card;
}

/* A pass after a lone call is a defender's. After the second one nobody defends alone. */
static void note_pass(struct egn_deal *deal, int seat) {
    if (egn_caller(deal) == EGN_NOBODY)
        deal->call[deal->call_count++] = EGN_PASS;
    else if (seat == ((egn_caller(deal) + 3) & 3))
        deal->defender = EGN_NOBODY;
}

/* Notes a move that the rules have accepted, in the words that they print. */
static void note_move(struct egn_deal *deal, int seat, struct span text) {
    struct scan scan = scan_of(text);
    struct span verb, word = {0};
    int suit = EGN_ORDER;
    scan_word(&scan, &verb);
    bool more = scan_word(&scan, &word);
    if (span_is(verb, "play")) {
        note_play(deal, card_in(word));
    } else if (span_is(verb, "pass")) {
        note_pass(deal, seat);
    } else if (span_is(verb, "discard")) {
        deal->has_discard = true;
        deal->discard = card_in(word);
    } else if (span_is(verb, "defend")) {
        deal->defender = seat;
    } else if (span_is(verb, "redeal")) {
        deal->thrown_in = true;
    } else {
        if (span_is(verb, "call")) {
            card_parse_suit(word, &suit);
            more = scan_word(&scan, &word);
        }
        deal->call[deal->call_count++] = (uint8_t)suit;
        deal->alone = more && span_is(word, "alone");
    }
}

static bool collect_move(struct collector *collector, const struct record_entry *entry,
                         struct egn_error *error) {
    struct record_error about = {0};
    struct move move;
    char buffer[MOVE_TEXT_SIZE];
    struct text text;
    if (entry->seat == NATURE) {
        if (!game_play_text(collector->game, &collector->state, NATURE, entry->text, NULL,
                            &about.why))
            return fail_at(collector, entry->text.data, &about, EGN_WRONG_MOVE, error);
        return note_deal(collector, entry, error);
    }
    if (!game_parse(collector->game, &collector->state, entry->text, &move, &about.why))
        return fail_at(collector, entry->text.data, &about, EGN_WRONG_MOVE, error);
    if (!game_play(collector->game, &collector->state, entry->seat, &move, NULL, &about.why))
        return fail_at(collector, entry->text.data, &about, EGN_WRONG_MOVE, error);
    if (move.verb == MOVE_AGAIN) {
        refuse(&about.why, "BAD_RECORD", "EGN holds one game, and here a second one begins");
        return fail_at(collector, entry->text.data, &about, EGN_BAD_FILE, error);
    }
    text_begin(&text, buffer, sizeof buffer);
    game_print(collector->game, &move, &text);
    note_move(&collector->file->deal[collector->file->deal_count - 1], entry->seat,
              span_of(buffer));
    return true;
}

static bool collect(struct collector *collector, struct span record, struct egn_error *error) {
    struct record_entry entry;
    struct record_error about = {0};
    struct result result;
    enum record_step next;
    if (!open_record(collector, record, error))
        return false;
    while ((next = record_next(&collector->reader, &entry, &about)) == RECORD_ENTRY)
        if (!collect_move(collector, &entry, error))
            return false;
    if (next == RECORD_BROKEN)
        return fail_at(collector, about.why.at, &about, EGN_WRONG_MOVE, error);
    game_result(collector->game, &collector->state, &result);
    collector->file->over = result.over;
    collector->file->final_score[0] = result.score[0];
    collector->file->final_score[1] = result.score[1];
    find_carried(record, collector->file);
    return true;
}

/* What is written must be readable. A carried comment that somebody has changed may stand in the
 * way; then the game is written without it. */
static char *write_readable(struct egn_file *file, struct egn_error *error) {
    struct egn_error unused;
    char *json = egn_write(file, error);
    char *record = json && file->carried ? egn_to_record(span_of(json), &unused) : NULL;
    if (!json || !file->carried || record) {
        free(record);
        return json;
    }
    free(json);
    free(file->carried);
    file->carried = NULL;
    return egn_write(file, error);
}

char *egn_from_record(struct span record, struct egn_error *error) {
    struct collector collector = {.game = euchre()};
    collector.file = calloc(1, sizeof *collector.file);
    if (!collector.file) {
        out_of_memory(error);
        return NULL;
    }
    char *json = NULL;
    if (collect(&collector, record, error))
        json = write_readable(collector.file, error);
    free(collector.file->carried);
    free(collector.file);
    return json;
}
