/* `oyster serve`: worlds for people at other machines. */
#include "cli/cli.h"

#include "server/ops/config.h"
#include "server/server.h"
#include <stdio.h>
#include <string.h>

int cli_serve(struct cli_arguments *arguments) {
    struct server_config config;
    struct refusal why;
    for (int i = arguments->at; i < arguments->count; i++) {
        if (strcmp(arguments->words[i], "--help") == 0) {
            puts("oyster serve [--config FILE] [--KEY VALUE ...] | --help | --settings\n");
            config_print_help(stdout);
            return 0;
        }
        if (strcmp(arguments->words[i], "--settings") == 0) { /* as docs/hosting.md has them */
            config_print_markdown(stdout);
            return 0;
        }
    }
    config_default(&config);
    if (!config_read_flags(&config, arguments->count - arguments->at,
                           arguments->words + arguments->at, &why))
        return cli_complain("%s", why.text);
    return server_run(&config);
}
