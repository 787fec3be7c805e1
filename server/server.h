/* The server: everything behind `oyster serve`. */
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include "server/ops/config.h"

/* Serves until SIGTERM or SIGINT; then finishes what was begun. Returns the exit code of the
 * program; what is wrong is said on stderr in one line. */
int server_run(const struct server_config *config);

#endif
