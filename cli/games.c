/* `oyster games`: what can be played, and each game's house rules and moves, printed from its
 * tables. */
#include "cli/cli.h"

#include "games/registry.h"
#include "world/world.h"
#include <stdio.h>

enum { JSON_SIZE = 1 << 18, MOVES_SIZE = 1 << 14 };

static void print_players(const struct game *game) {
    if (game->players_min == game->players_max)
        printf("%d players", game->players_min);
    else
        printf("%d to %d players", game->players_min, game->players_max);
}

static void print_values(const struct option *option) {
    switch (option->kind) {
    case OPTION_YES_NO:
        printf("yes, no");
        break;
    case OPTION_NUMBER:
        printf("%d to %d", (int)option->min, (int)option->max);
        break;
    case OPTION_CHOICE:
        for (int i = 0; option->choices[i]; i++)
            printf("%s%s", i > 0 ? ", " : "", option->choices[i]);
        break;
    case OPTION_LIST:
        printf("a list of numbers from %d to %d", (int)option->min, (int)option->max);
        break;
    }
}

static void print_rules(const struct game *game) {
    const struct option_table *table = &game->options;
    printf("%s %s (%s), ", game->icon, game->name, game->id);
    print_players(game);
    printf("\n%s.\n", game->summary);
    for (size_t i = 0; i < table->preset_count; i++)
        printf("\npreset %s: %s\n  %s\n", table->presets[i].id, table->presets[i].label,
               table->presets[i].help);
    for (size_t i = 0; i < table->option_count; i++) {
        const struct option *option = &table->options[i];
        char value[128];
        struct text text;
        struct options standard;
        options_default(table, &standard);
        text_begin(&text, value, sizeof value);
        option_print_value(option, &standard, &text);
        printf("\n%s=%s (", option->key, value);
        print_values(option);
        printf(")\n  %s. %s\n", option->label, option->help);
    }
    if (table->option_count == 0)
        puts("\nNo house rules.");
}

/* A line for each option, a column for each preset: the rule books side by side. */
static void print_presets(const struct game *game) {
    const struct option_table *table = &game->options;
    printf("\n%-28s", "");
    for (size_t i = 0; i < table->preset_count; i++)
        printf(" %-22s", table->presets[i].id);
    for (size_t i = 0; i < table->option_count; i++) {
        printf("\n%-28s", table->options[i].label);
        for (size_t j = 0; j < table->preset_count; j++) {
            char value[128];
            struct text text;
            struct options values;
            options_preset(table, span_of(table->presets[j].id), &values, NULL);
            text_begin(&text, value, sizeof value);
            option_print_value(&table->options[i], &values, &text);
            printf(" %-22s", value);
        }
    }
    putchar('\n');
}

static int print_json(const struct game *only) {
    char buffer[JSON_SIZE];
    struct json json;
    json_begin(&json, buffer, sizeof buffer);
    world_registry_json(only, &json);
    puts(buffer);
    return 0;
}

/* The notation as it stands in the game's RULES.md. */
static int print_moves(const struct game *game) {
    char buffer[MOVES_SIZE];
    struct text text;
    text_begin(&text, buffer, sizeof buffer);
    game_move_table(game, &text);
    fputs(buffer, stdout);
    return 0;
}

int cli_games(struct cli_arguments *arguments) {
    struct cli_table table = {0};
    const char *id;
    bool as_json = false, rules = false, moves = false;
    while (arguments->at < arguments->count) {
        if (cli_switch(arguments, "--json"))
            as_json = true;
        else if (cli_switch(arguments, "--rules"))
            rules = true;
        else if (cli_switch(arguments, "--moves"))
            moves = true;
        else if (!table.game && cli_word(arguments, &id))
            cli_table_game(id, &table);
        else
            return cli_unexpected(arguments);
    }
    if (as_json)
        return print_json(table.game);
    if (moves && table.game)
        return print_moves(table.game);
    if (table.game) {
        print_rules(table.game);
        if (rules && table.game->options.preset_count > 0)
            print_presets(table.game);
        return 0;
    }
    if (rules || moves)
        return cli_complain("%s needs a game", rules ? "--rules" : "--moves");
    for (size_t i = 0; i < registry_count; i++) {
        const struct game *game = registry_games[i];
        printf("%s %-16s %-16s ", game->icon, game->id, game->name);
        print_players(game);
        printf("\n   %s.\n", game->summary);
    }
    return 0;
}
