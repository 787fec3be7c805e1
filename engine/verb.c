/* Moves by the rows of a game: reading and writing them as text, writing them as actions of the
 * API, and the table of the notation. Every kind of argument has a line in each of these three. */
#include "engine/verb.h"

#include "engine/card.h"
#include "engine/ensure.h"
#include "engine/game.h"
#include <string.h>

static const struct verb again_verb = {
    .word = "again", .action = "play-again", .help = "another game, once one is over"};

const struct verb *verb_of(const struct game *game, const struct move *move) {
    if (move->verb == MOVE_AGAIN)
        return &again_verb;
    bool known = move->verb < game->verb_count && game->verbs[move->verb].apply;
    return known ? &game->verbs[move->verb] : NULL;
}

bool move_equal(const struct move *a, const struct move *b) {
    return a->verb == b->verb && a->count == b->count &&
           memcmp(a->args, b->args, a->count * sizeof a->args[0]) == 0;
}

static bool takes_the_rest(const struct argument *argument) {
    return argument->kind >= ARGUMENT_CARDS;
}

bool verb_fits_list_or_flag(const struct verb *verb, const struct move *move) {
    int single = 0;
    for (; verb->arguments[single].kind != ARGUMENT_NONE; single++)
        if (takes_the_rest(&verb->arguments[single]))
            return move->count >= single && move->count <= MOVE_ARGS_MAX;
    bool flag = single > 0 && verb->arguments[single - 1].kind == ARGUMENT_FLAG;
    return move->count == single && flag && move->args[single - 1] <= 1;
}

/* ---- Spellings ---- */

/* The next piece of `list` up to a '|', which is taken off it; false at its end. */
static bool next_piece(const char **list, struct span *piece) {
    const char *start = *list, *end = start;
    if (!start || *start == '\0')
        return false;
    while (*end != '\0' && *end != '|')
        end++;
    *piece = (struct span){start, (size_t)(end - start)};
    *list = *end == '|' ? end + 1 : end;
    return true;
}

static struct span first_piece(const char *list) {
    struct span piece = {"", 0};
    next_piece(&list, &piece);
    return piece;
}

struct span verb_word(const struct verb *verb) {
    return first_piece(verb->word);
}

static const char *examples_of(const struct verb *verb) {
    return verb->example ? verb->example : verb->word;
}

/* Takes the words of the spelling off the scan if all stand next; returns how many, or 0. */
static int match_spelling(struct span spelling, struct scan *scan) {
    struct scan wanted = scan_of(spelling);
    struct span word, next;
    int count = 0;
    while (scan_word(&wanted, &word)) {
        if (!scan_word(scan, &next) || !span_equal(next, word))
            return 0;
        count++;
    }
    return count;
}

static int match_verb(const struct verb *verb, struct scan *scan) {
    const char *spellings = verb->word;
    struct span spelling;
    int longest = 0;
    struct scan start = *scan;
    while (next_piece(&spellings, &spelling)) {
        struct scan after = start;
        int words = match_spelling(spelling, &after);
        if (words > longest) {
            longest = words;
            *scan = after;
        }
    }
    return longest;
}

/* Finds the row whose words stand next, the one with the most words if there are several, and takes
 * them off the scan. */
static uint8_t find_verb(const struct game *game, const void *state, struct scan *scan) {
    struct scan start = *scan;
    uint8_t found = 0;
    int longest = match_verb(&again_verb, scan);
    if (longest > 0)
        found = MOVE_AGAIN;
    for (size_t i = 0; i < game->verb_count; i++) {
        const struct verb *verb = &game->verbs[i];
        struct scan after = start;
        if (!verb->apply || (verb->applies && !verb->applies(state)))
            continue;
        int words = match_verb(verb, &after);
        if (words > longest) {
            longest = words;
            found = (uint8_t)i;
            *scan = after;
        }
    }
    return found;
}

/* ---- Reading ---- */

static bool left_out(const struct argument *argument, uint16_t value) {
    return argument->optional && value == ARGUMENT_MISSING;
}

static uint16_t read_choice(const struct argument *argument, struct span word) {
    for (uint16_t i = 0; argument->words[i]; i++)
        if (span_is(word, argument->words[i]))
            return i;
    return ARGUMENT_MISSING;
}

/* Takes a card off the scan, as records write it or as people say it; false leaves the scan. */
static bool read_card(const struct game *game, struct scan *scan, uint16_t *out) {
    char spoken[CARD_WORD_SIZE];
    struct scan after = *scan;
    struct span word;
    uint16_t card;
    bool good = scan_word(&after, &word) && game_parse_card(game, word, &card);
    if (!good) {
        after = *scan;
        good = card_scan_spoken(&after, spoken) && game_parse_card(game, span_of(spoken), &card);
    }
    if (!good)
        return false;
    *scan = after;
    *out = card;
    return true;
}

static uint16_t read_single(const struct argument *argument, struct span word) {
    int32_t number;
    int suit;
    switch (argument->kind) {
    case ARGUMENT_NUMBER:
    case ARGUMENT_NUMBERS:
        return span_number(word, &number) && number >= 0 && number < MOVE_SEPARATOR
                   ? (uint16_t)number
                   : ARGUMENT_MISSING;
    case ARGUMENT_CHOICE:
        return read_choice(argument, word);
    case ARGUMENT_SUIT:
        return card_parse_suit(word, &suit) ? (uint16_t)suit : ARGUMENT_MISSING;
    default:
        return span_is(word, "yes") ? 1 : span_is(word, "no") ? 0 : ARGUMENT_MISSING;
    }
}

static bool read_cards(const struct game *game, const struct argument *argument, struct scan *scan,
                       struct move *out, struct refusal *why) {
    struct span word;
    while (scan_peek(*scan, &word)) {
        uint16_t value =
            MOVE_SEPARATOR; /* a stroke, which the rules refuse where there are no groups */
        bool listed = argument->kind == ARGUMENT_NUMBERS || span_is(word, "/");
        if (listed)
            scan_word(scan, &word);
        if (argument->kind == ARGUMENT_NUMBERS)
            value = read_single(argument, word);
        else if (!listed && !read_card(game, scan, &value))
            return refuse_word(why, word, "INVALID_CARD", "Unknown card '%s'");
        if (out->count == MOVE_ARGS_MAX)
            return refuse_word(why, word, "TOO_MANY_CARDS",
                               "Lay these cards in several steps: '%s' is too much");
        out->args[out->count++] = value;
    }
    return true;
}

/* Takes the word that is said before an argument off the scan, if something follows it. */
static void skip_said(const struct argument *argument, struct scan *scan) {
    struct scan after = *scan;
    if (argument->said && match_spelling(span_of(argument->said), &after) > 0 && !scan_done(after))
        *scan = after;
}

static bool read_arguments(const struct game *game, const struct verb *verb, struct scan *scan,
                           struct move *out, struct refusal *why) {
    for (int i = 0; verb->arguments[i].kind != ARGUMENT_NONE; i++) {
        const struct argument *argument = &verb->arguments[i];
        struct span word = {0};
        skip_said(argument, scan);
        if (takes_the_rest(argument))
            return read_cards(game, argument, scan, out, why);
        uint16_t value = ARGUMENT_MISSING;
        if (argument->kind == ARGUMENT_FLAG)
            value = scan_peek(*scan, &word) && span_is(word, argument->words[0]) &&
                    scan_word(scan, &word);
        else if (argument->kind == ARGUMENT_CARD && read_card(game, scan, &value))
            ;
        else if (scan_word(scan, &word) && argument->kind != ARGUMENT_CARD)
            value = read_single(argument, word);
        if (word.length > 0 && left_out(argument, value))
            return refuse_word(why, word, "BAD_REQUEST", "'%s' means nothing here");
        out->args[out->count++] = value;
    }
    return true;
}

static bool same_first_word(const char *a, const char *b) {
    struct scan one = scan_of(span_of(a)), two = scan_of(span_of(b));
    struct span word, other;
    return scan_word(&one, &word) && scan_word(&two, &other) && span_equal(word, other);
}

/* Writes an example of each verb that could stand there. */
static void put_examples(const struct game *game, struct text *text) {
    const char *before = NULL;
    for (size_t i = 0; i < game->verb_count; i++) {
        const char *examples = examples_of(&game->verbs[i]);
        if (!game->verbs[i].apply || (before && same_first_word(before, examples)))
            continue;
        text_string(text, before ? ", " : "");
        text_span(text, first_piece(examples));
        before = examples;
    }
}

/* Writes the first legal move of each verb; false if there is none. */
static bool put_legal(const struct game *game, const struct game_state *state, int seat,
                      struct text *text) {
    struct move moves[GAME_LEGAL_MAX];
    size_t count = game_legal(game, state, seat, moves);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && moves[i].verb == moves[i - 1].verb)
            continue;
        text_string(text, i > 0 ? ", " : "");
        game_print(game, &moves[i], text);
    }
    return count > 0;
}

/* Refuses a word that is no verb, and says what could stand there. */
static bool refuse_verb(const struct game *game, const struct game_state *state, int seat,
                        struct span word, struct refusal *why) {
    char format[REFUSAL_TEXT_SIZE];
    struct text text = text_in(format, sizeof format);
    if (!why)
        return false;
    text_string(&text, "Unknown move '%s'; try: ");
    if (!put_legal(game, state, seat, &text))
        put_examples(game, &text);
    return refuse_word(why, word, "BAD_REQUEST", format);
}

bool game_parse_by(const struct game *game, const struct game_state *state, int seat,
                   struct span line, struct move *out, struct refusal *why) {
    struct scan scan = scan_of(line);
    struct span word;
    *out = (struct move){0};
    if (!scan_peek(scan, &word))
        return refuse(why, "BAD_REQUEST", "A move is missing");
    out->verb = find_verb(game, state->bytes, &scan);
    if (out->verb == 0)
        return refuse_verb(game, state, seat, word, why);
    if (!read_arguments(game, verb_of(game, out), &scan, out, why))
        return false;
    if (scan_word(&scan, &word))
        return refuse_word(why, word, "BAD_REQUEST", "The move should end before '%s'");
    return true;
}

bool game_parse(const struct game *game, const struct game_state *state, struct span line,
                struct move *out, struct refusal *why) {
    return game_parse_by(game, state, SPECTATOR, line, out, why);
}

/* ---- Writing ---- */

static void print_value(const struct game *game, const struct argument *argument, uint16_t value,
                        struct text *text) {
    uint8_t kind = argument->kind;
    if (kind == ARGUMENT_NUMBER || kind == ARGUMENT_NUMBERS)
        text_number(text, value);
    else if (kind == ARGUMENT_SUIT)
        text_char(text, card_suit_letter(value));
    else if (kind == ARGUMENT_CHOICE || kind == ARGUMENT_FLAG)
        text_string(text, argument->words[kind == ARGUMENT_FLAG ? 0 : value]);
    else if (kind == ARGUMENT_YES_NO)
        text_string(text, value ? "yes" : "no");
    else if (value == MOVE_SEPARATOR)
        text_char(text, '/');
    else
        game_print_card(game, value, text);
}

/* Writes the arguments that were not left out: as records have them, or as people say them. */
static void print_arguments(const struct game *game, const struct verb *verb,
                            const struct move *move, bool said, struct text *text) {
    const struct argument *argument = verb->arguments;
    for (int i = 0; i < move->count; i++) {
        bool unsaid = argument->kind == ARGUMENT_FLAG ? move->args[i] == 0
                                                      : left_out(argument, move->args[i]);
        if (!unsaid) {
            text_char(text, ' ');
            if (said && argument->said) {
                text_string(text, argument->said);
                text_char(text, ' ');
            }
            if (said && argument->kind == ARGUMENT_SUIT)
                text_string(text, card_suit_name(move->args[i]));
            else
                print_value(game, argument, move->args[i], text);
        }
        if (!takes_the_rest(argument))
            argument++;
    }
}

bool game_say(const struct game *game, const struct move *move, struct text *text) {
    const struct verb *verb = verb_of(game, move);
    bool has_words = false;
    for (int i = 0; verb && i < VERB_ARGUMENTS_MAX; i++)
        has_words = has_words || verb->arguments[i].said;
    if (!has_words)
        return false;
    text_span(text, verb_word(verb));
    print_arguments(game, verb, move, true, text);
    return true;
}

void game_print(const struct game *game, const struct move *move, struct text *text) {
    const struct verb *verb = verb_of(game, move);
    ensure(verb);
    text_span(text, verb_word(verb));
    print_arguments(game, verb, move, false, text);
}

void game_print_public(const struct game *game, const struct move *move, struct text *text) {
    const struct verb *verb = verb_of(game, move);
    ensure(verb);
    text_span(text, verb_word(verb));
    if (!verb->secret)
        print_arguments(game, verb, move, false, text);
}

/* ---- Actions ---- */

/* A card's id: `KH`, or `KH.2` for a second one among the move's arguments from `first` on. */
static void card_json(const struct game *game, const struct move *move, int first, int index,
                      const char *key, struct json *json) {
    char id[24];
    int copy = 1;
    for (int i = first; i < index; i++)
        copy += move->args[i] == move->args[index];
    struct text text = text_in(id, sizeof id);
    game_print_card(game, move->args[index], &text);
    if (copy > 1) {
        text_char(&text, '.');
        text_number(&text, copy);
    }
    json_put_string(json, key, id);
}

/* Cards, groups of cards or numbers from argument `first` to the last one. */
static void rest_json(const struct game *game, const struct argument *argument,
                      const struct move *move, int first, struct json *json) {
    bool groups = argument->kind == ARGUMENT_GROUPS;
    json_put_array(json, argument->json);
    if (groups)
        json_put_array(json, NULL);
    for (int i = first; i < move->count; i++) {
        if (argument->kind == ARGUMENT_NUMBERS) {
            json_put_number(json, NULL, move->args[i]);
        } else if (move->args[i] == MOVE_SEPARATOR) {
            json_put_end(json);
            json_put_array(json, NULL);
        } else {
            card_json(game, move, first, i, NULL, json);
        }
    }
    if (groups)
        json_put_end(json);
    json_put_end(json);
}

static void argument_json(const struct game *game, const struct argument *argument,
                          const struct move *move, int index, struct json *json) {
    uint8_t kind = argument->kind;
    if (kind == ARGUMENT_CARD || kind == ARGUMENT_ONLY_CARD)
        card_json(game, move, index, index, argument->json, json);
    else if (kind == ARGUMENT_NUMBER || kind == ARGUMENT_CHOICE)
        json_put_number(json, argument->json, move->args[index]);
    else if (kind == ARGUMENT_SUIT)
        json_put_string(json, argument->json, card_suit_name(move->args[index]));
    else if (kind == ARGUMENT_YES_NO || kind == ARGUMENT_FLAG)
        json_put_bool(json, argument->json, move->args[index] != 0);
    else
        rest_json(game, argument, move, index, json);
}

static void arguments_json(const struct game *game, const struct verb *verb,
                           const struct move *move, struct json *json) {
    for (int i = 0; verb->arguments[i].kind != ARGUMENT_NONE; i++)
        if (takes_the_rest(&verb->arguments[i]) || !left_out(&verb->arguments[i], move->args[i]))
            argument_json(game, &verb->arguments[i], move, i, json);
}

void game_action_json(const struct game *game, const struct move *move, struct json *json) {
    const struct verb *verb = verb_of(game, move);
    ensure(verb);
    json_put_string(json, "type", verb_action(verb));
    if (move->verb == MOVE_AGAIN)
        return;
    json_put_object(json, "payload");
    if (verb->marker)
        json_put_bool(json, verb->marker, true);
    arguments_json(game, verb, move, json);
    json_put_end(json);
}

void verb_tell(const struct game *game, int seat, const struct move *move, struct events *events) {
    const struct verb *verb = &game->verbs[move->verb];
    struct json *json = event_begin_seat(events, verb->event, seat);
    if (json && !verb->secret)
        arguments_json(game, verb, move, json);
    event_end(events);
    if (!events || !verb->message)
        return;
    char words[MOVE_TEXT_SIZE];
    struct text text = text_in(words, sizeof words);
    text_string(&text, verb->message);
    if (!verb->secret)
        print_arguments(game, verb, move, true, &text);
    event_message(events, seat, "%s", words);
}

/* ---- Listing ---- */

/* How many values of an argument are tried, from 0 on; none of a list. */
static int values_of(const struct argument *argument) {
    int count = 0;
    switch (argument->kind) {
    case ARGUMENT_CARD:
        return CARD_KINDS;
    case ARGUMENT_NUMBER:
        return argument->most + 1;
    case ARGUMENT_CHOICE:
        while (argument->words[count])
            count++;
        return count;
    case ARGUMENT_SUIT:
        return CARD_SUITS;
    default:
        return takes_the_rest(argument) ? 0 : 2;
    }
}

bool verb_arguments_are_good(const struct game *game, const void *state, int seat,
                             const struct move *move, struct refusal *why) {
    const struct argument *argument = game->verbs[move->verb].arguments;
    const struct places *places = (const void *)((const char *)state + game->places);
    if (argument->held && !place_has(places, seat, move->args[0]))
        return refuse(why, "INVALID_CARD", "Card not in hand");
    for (int i = 0; argument[i].kind != ARGUMENT_NONE && !takes_the_rest(&argument[i]); i++) {
        int values = argument[i].kind == ARGUMENT_NUMBER ? MOVE_SEPARATOR : values_of(&argument[i]);
        if (move->args[i] >= values && !left_out(&argument[i], move->args[i]))
            return refuse(why, "BAD_REQUEST", "'%s' is missing or wrong", argument[i].json);
    }
    return true;
}

/* An optional argument is tried without a value first. */
static uint16_t first_value(const struct argument *argument) {
    return argument->optional && argument->kind != ARGUMENT_FLAG ? ARGUMENT_MISSING : 0;
}

/* The next combination of arguments, the last one changing fastest; false after the last one. */
static bool next_arguments(const struct verb *verb, struct move *move) {
    for (int i = move->count - 1; i >= 0; i--) {
        move->args[i]++; /* ARGUMENT_MISSING becomes 0 */
        if (move->args[i] < values_of(&verb->arguments[i]))
            return true;
        move->args[i] = first_value(&verb->arguments[i]);
    }
    return false;
}

static size_t list_verb(const struct game *game, const void *state, int seat, uint8_t index,
                        struct move *out, size_t max) {
    const struct verb *verb = &game->verbs[index];
    struct move move = {.verb = index};
    size_t count = 0;
    for (; verb->arguments[move.count].kind != ARGUMENT_NONE; move.count++) {
        const struct argument *argument = &verb->arguments[move.count];
        move.args[move.count] = first_value(argument);
        if (values_of(argument) == 0)
            return 0;
    }
    do
        if (count < max && verb_check(game, state, seat, &move, NULL))
            out[count++] = move;
    while (next_arguments(verb, &move));
    return count;
}

/* Lists the moves of the rows before `end`. */
static size_t list_verbs(const struct game *game, const void *state, int seat, size_t end,
                         struct move *out, size_t max) {
    size_t count = 0;
    for (size_t i = 1; i < end; i++) {
        const struct verb *verb = &game->verbs[i];
        if (verb->apply && (!verb->applies || verb->applies(state)))
            count += list_verb(game, state, seat, (uint8_t)i, out + count, max - count);
    }
    return count;
}

size_t verbs_legal(const struct game *game, const void *state, int seat, struct move *out,
                   size_t max) {
    if (!game->checks_turns && (game->to_act(state) >> seat & 1) == 0)
        return 0;
    return list_verbs(game, state, seat, game->verb_count, out, max);
}

bool verb_is_last_resort(const struct game *game, const void *state, int seat,
                         const struct move *move, struct refusal *why) {
    struct move other;
    if (list_verbs(game, state, seat, move->verb, &other, 1) == 0)
        return true;
    char words[MOVE_TEXT_SIZE];
    struct text text = text_in(words, sizeof words);
    game_print(game, &other, &text);
    return refuse(why, "NOT_STUCK", "You can do something else: %s", words);
}

#ifndef WITHOUT_TERMINAL
/* ---- The table of the notation ---- */

/* The move that an example of this very row stands for. */
static void read_example(const struct game *game, uint8_t index, struct span example,
                         struct move *out) {
    const struct verb *verb = index == MOVE_AGAIN ? &again_verb : &game->verbs[index];
    struct scan scan = scan_of(example);
    *out = (struct move){.verb = index};
    bool read = match_verb(verb, &scan) > 0 && read_arguments(game, verb, &scan, out, NULL) &&
                scan_done(scan);
    ensure(read);
}

static void table_row(const struct game *game, uint8_t index, const struct verb *verb,
                      struct text *text) {
    const char *examples = examples_of(verb);
    const char *comma = "| ";
    struct span example = {0};
    while (next_piece(&examples, &example)) {
        text_string(text, comma);
        text_char(text, '`');
        text_span(text, example);
        text_char(text, '`');
        comma = ", ";
    }
    struct move move;
    char buffer[MOVE_TEXT_SIZE];
    struct json json = json_in(buffer, sizeof buffer);
    read_example(game, index, example, &move);
    json_put_object(&json, NULL);
    game_action_json(game, &move, &json);
    json_put_end(&json);
    ensure(json_complete(&json));
    text_string(text, " | ");
    text_string(text, verb->help);
    text_string(text, verb->secret ? "; the others read only the word | `" : " | `");
    text_string(text, buffer);
    text_string(text, "` |\n");
}

void game_move_table(const struct game *game, struct text *text) {
    text_string(text, "| move | meaning | as JSON |\n|---|---|---|\n");
    for (size_t i = 0; i < game->verb_count; i++)
        if (game->verbs[i].apply)
            table_row(game, (uint8_t)i, &game->verbs[i], text);
    table_row(game, MOVE_AGAIN, &again_verb, text);
}

#endif
