/* Assertions that stay on in release builds. They are for what can only be our own mistake:
 * nothing that comes from outside (a file, the network, a person) may ever reach one. */
#pragma once

/* Ends the program. The engine's own version is weak and traps; a host that has a terminal
 * replaces it with one that says what broke. */
_Noreturn void ensure_failed(const char *what, const char *file, int line);

#define ensure(condition)                                                                          \
    (__builtin_expect(!!(condition), 1) ? (void)0 : ensure_failed(#condition, __FILE__, __LINE__))
