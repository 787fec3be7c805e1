/* What a service manager such as systemd gives a program and wants to be told. Without one, all of
 * this does nothing. */
#pragma once

#include <stdint.h>

/* A socket that listens already and was handed over (LISTEN_FDS), or -1. Whoever connects while no
 * program runs waits in it instead of being refused. */
int service_socket(void);

/* Tells a state (NOTIFY_SOCKET), such as "READY=1". */
void service_say(const char *state);

/* How often it wants to hear a "WATCHDOG=1", in milliseconds; 0: it does not watch. */
int64_t service_watchdog_ms(void);
