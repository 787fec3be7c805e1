/* For tests/api: a network in which nobody knows names. Loaded before a program (LD_PRELOAD), it
 * finds the address of a name only when the file NAMES_LOST is gone. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <netdb.h>
#include <stdlib.h>
#include <unistd.h>

static int is_number(const char *name) {
    struct in6_addr bytes;
    return inet_pton(AF_INET, name, &bytes) == 1 || inet_pton(AF_INET6, name, &bytes) == 1;
}

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                struct addrinfo **out) {
    static int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    const char *lost = getenv("NAMES_LOST");
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "getaddrinfo");
    while (lost && name && !is_number(name) && access(lost, F_OK) == 0)
        usleep(10000);
    return real(name, service, hints, out);
}
