/* The server: everything behind `oyster serve`. */
#pragma once

#include "server/ops/config.h"

/* Reads the settings as they are now; false with a reason. */
typedef bool server_settings(void *arg, struct server_config *out, struct refusal *why);

/* Serves until SIGTERM or SIGINT; then finishes what was begun. At SIGHUP the settings are read
 * again. Returns the exit code of the program; what is wrong is said on stderr in one line. */
int server_run(server_settings *settings, void *arg);
