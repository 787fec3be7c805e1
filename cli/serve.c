/* `oyster serve`: worlds for people at other machines. */
#include "cli/cli.h"

#include "server/ops/config.h"
#include "server/server.h"
#include <stdio.h>
#include <string.h>

/* Takes the word out of the arguments, wherever it stands. */
static bool take(struct cli_arguments *arguments, const char *word) {
    for (int i = arguments->at; i < arguments->count; i++) {
        if (strcmp(arguments->words[i], word) != 0)
            continue;
        for (arguments->count--; i < arguments->count; i++)
            arguments->words[i] = arguments->words[i + 1];
        return true;
    }
    return false;
}

static bool read_settings(void *arg, struct server_config *out, struct refusal *why) {
    const struct cli_arguments *arguments = arg;
    config_default(out);
    return config_read_flags(out, arguments->count - arguments->at,
                             arguments->words + arguments->at, why);
}

int cli_serve(struct cli_arguments *arguments) {
    struct server_config config;
    struct refusal why;
    if (take(arguments, "--help")) {
        puts("oyster serve [--config FILE] [--KEY VALUE ...] [--check-config] | --help | "
             "--settings\n");
        config_print_help(stdout);
        return 0;
    }
    if (take(arguments, "--settings")) { /* as docs/hosting.md has them */
        config_print_markdown(stdout);
        return 0;
    }
    bool only_check = take(arguments, "--check-config");
    if (!read_settings(arguments, &config, &why))
        return cli_complain("%s", why.text);
    if (!only_check)
        return server_run(read_settings, arguments);
    puts("The settings are right.");
    return 0;
}
