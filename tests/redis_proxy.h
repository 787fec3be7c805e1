/* Something between a store and its Redis server that does harm while one of these files is there:
 *
 *     cut    the next answer is swallowed and its connection cut: what was asked has been done, and
 *            nobody knows; the file is gone then
 *     shut   nobody gets through who comes anew
 *     slow   the disk is behind, says the server (WAITAOF, which it need not know by itself) */
#pragma once

#include "tests/store_support.h"

struct redis_proxy {
    char where[128]; /* for store_config */
    char cut[128], shut[128], slow[128];
    const struct redis_server *server;
    int process;
};

void redis_proxy_start(struct redis_proxy *proxy, const struct redis_server *server,
                       const char *folder);
void redis_proxy_end(struct redis_proxy *proxy);

/* Makes one of the files. */
void redis_proxy_put(const char *file);
