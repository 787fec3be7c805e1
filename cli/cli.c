/* Arguments, setup and complaints; see cli.h. */
#include "cli/cli.h"

#include "engine/ensure.h"
#include "games/registry.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int cli_complain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fputs("oyster: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return EXIT_BAD_INPUT;
}

static const char *current(const struct cli_arguments *arguments) {
    return arguments->at < arguments->count ? arguments->words[arguments->at] : NULL;
}

static bool is_listed(const struct cli_command *command, const char *name, bool has_value) {
    for (const struct cli_option *option = command ? command->options : NULL;
         option && option->name; option++)
        if (strcmp(option->name, name) == 0)
            return (option->value != NULL) == has_value;
    return !command;
}

bool cli_switch(struct cli_arguments *arguments, const char *name) {
    const char *word = current(arguments);
    ensure(is_listed(arguments->command, name, false));
    if (!word || strcmp(word, name) != 0)
        return false;
    arguments->at++;
    return true;
}

bool cli_flag(struct cli_arguments *arguments, const char *name, const char **value) {
    const char *word = current(arguments);
    size_t length = strlen(name);
    ensure(is_listed(arguments->command, name, true));
    if (!word || strncmp(word, name, length) != 0)
        return false;
    if (word[length] == '=') {
        *value = word + length + 1;
    } else if (word[length] == '\0') {
        arguments->at++;
        *value = current(arguments);
        if (!*value)
            exit(cli_complain("%s needs a value", name));
    } else {
        return false;
    }
    arguments->at++;
    return true;
}

bool cli_word(struct cli_arguments *arguments, const char **word) {
    const char *next = current(arguments);
    if (!next || (next[0] == '-' && next[1] != '\0'))
        return false;
    *word = next;
    arguments->at++;
    return true;
}

int cli_unexpected(const struct cli_arguments *arguments) {
    return cli_complain("unexpected argument '%s'; see oyster --help", current(arguments));
}

uint64_t cli_number(const char *flag, const char *value, uint64_t min, uint64_t max) {
    char *end;
    errno = 0;
    unsigned long long number = strtoull(value, &end, 10);
    bool digits = value[0] >= '0' && value[0] <= '9' && *end == '\0' && errno == 0;
    if (!digits || number < min || number > max)
        exit(cli_complain("%s must be a number from %llu to %llu, not '%s'", flag,
                          (unsigned long long)min, (unsigned long long)max, value));
    return number;
}

void cli_table_game(const char *id, struct cli_table *table) {
    table->game = registry_find(span_of(id));
    if (!table->game)
        exit(cli_complain("there is no game '%s'; oyster games lists them", id));
    options_default(&table->game->options, &table->options);
}

void cli_table_game_word(struct cli_arguments *arguments, struct cli_table *table) {
    const char *id;
    if (!cli_word(arguments, &id))
        exit(cli_complain("which game? oyster games lists them"));
    cli_table_game(id, table);
}

bool cli_table_flag(struct cli_arguments *arguments, struct cli_table *table) {
    const struct option_table *options = &table->game->options;
    const char *value;
    struct refusal why;
    if (cli_flag(arguments, "--preset", &value)) {
        if (!options_preset(options, span_of(value), &table->options, &why))
            exit(cli_complain("%s", why.text));
    } else if (cli_flag(arguments, "--set", &value)) {
        if (!options_parse(options, span_of(value), &table->options, &why))
            exit(cli_complain("%s", why.text));
    } else if (cli_flag(arguments, "--players", &value)) {
        table->seats = (int)cli_number("--players", value, 1, SEATS_MAX);
    } else {
        return false;
    }
    return true;
}

void cli_table_start(struct cli_table *table, struct game_state *state) {
    struct refusal why;
    if (table->seats == 0)
        table->seats = table->game->players_default;
    if (!game_start(table->game, state, &table->options, table->seats, &why))
        exit(cli_complain("%s", why.text));
}

void cli_bot_levels(const char *list, int seats, enum bot_level levels[SEATS_MAX]) {
    int count = 0;
    for (const char *at = list;; at++) {
        struct span word = {at, strcspn(at, ",")};
        if (count == seats || !bot_level_parse(word, &levels[count]))
            exit(cli_complain("--bots must be one level or %d of them with commas between "
                              "(easy, medium, hard, expert), not '%s'",
                              seats, list));
        count++;
        at += word.length;
        if (*at == '\0')
            break;
    }
    if (count != 1 && count != seats)
        exit(cli_complain("--bots names %d levels for %d seats", count, seats));
    for (; count < seats; count++)
        levels[count] = levels[0];
}

void cli_bots_speak(const struct game *game, struct game_state *state, int seats, uint32_t awaited,
                    const enum bot_level levels[SEATS_MAX], struct chance *chance) {
    for (int seat = 0; seat < seats; seat++) {
        struct move move;
        while ((awaited >> seat & 1) == 0 &&
               bot_aside(game, state, seat, levels[seat], chance, &move))
            if (!game_play(game, state, seat, &move, NULL, NULL))
                break;
    }
}

void cli_interval(double rate, double games, double out[2]) {
    double n = games, p = rate, z = 1.96;
    double middle = p + z * z / (2 * n);
    double width = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    out[0] = fmax(0, (middle - width) / (1 + z * z / n));
    out[1] = fmin(1, (middle + width) / (1 + z * z / n));
}

double cli_cpu_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void cli_side_name(const struct result *result, int seats, int side, struct text *text) {
    if (result->sides == 1 && seats > 1) {
        text_string(text, "everybody");
    } else if (result->sides == seats) {
        text_string(text, "seat ");
        text_number(text, side);
    } else {
        text_string(text, "team ");
        text_char(text, (char)('a' + side));
    }
}

void cli_tell_events(const struct events *events, int viewer) {
    for (size_t i = 0; i < events->count; i++) {
        const struct event *event = &events->item[i];
        if (viewer != OMNISCIENT && (event->audience >> viewer & 1) == 0)
            continue;
        printf("      * %s", event->type);
        for (int seat = 0; seat < SEATS_MAX && event->audience != EVERYONE; seat++)
            if ((event->audience >> seat & 1) != 0)
                printf(" to %d", seat);
        printf(" %.*s\n", (int)event->data.length, event->data.data);
    }
}

void cli_tell_message(FILE *out, const struct event *event, const char *const *names,
                      const char *indent) {
    struct span message = event->message;
    if (event->seat == NATURE)
        fprintf(out, "%s%.*s%s\n", indent, (int)message.length, message.data,
                message.data[message.length - 1] == '.' ? "" : ".");
    else
        fprintf(out, "%s[%s] %.*s\n", indent, names[event->seat], (int)message.length,
                message.data);
}
