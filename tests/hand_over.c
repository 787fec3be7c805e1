/* A small service manager: hand_over PROGRAM ARGUMENT... listens on a free port of 127.0.0.1, says
 * which, and runs the program with that socket (LISTEN_FDS), again each time it ends, until SIGTERM
 * or until it ends otherwise than well. Prints `port N`, then `pid N` for each run. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SOCKET = 3 };

static volatile sig_atomic_t stopping, child;

static void on_stop(int number) {
    stopping = number;
    if (child > 0)
        kill((pid_t)child, SIGTERM);
}

static int open_socket(void) {
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof place;
    int made = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(made, (struct sockaddr *)&place, size) != 0 || listen(made, 1024) != 0 ||
        getsockname(made, (struct sockaddr *)&place, &size) != 0)
        return -1;
    printf("port %d\n", ntohs(place.sin_port));
    fflush(stdout);
    return made == SOCKET ? made : dup2(made, SOCKET);
}

static _Noreturn void run(char **words) {
    char pid[24];
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    setenv("LISTEN_PID", pid, 1);
    setenv("LISTEN_FDS", "1", 1);
    execv(words[0], words);
    _exit(127);
}

int main(int count, char **words) {
    int status = 0;
    struct sigaction stop = {.sa_handler = on_stop};
    sigaction(SIGTERM, &stop, NULL);
    if (count < 2 || open_socket() < 0)
        return 2;
    while (!stopping && status == 0) {
        child = fork();
        if (child == 0)
            run(words + 1);
        printf("pid %d\n", (int)child);
        fflush(stdout);
        while (waitpid((pid_t)child, &status, 0) < 0)
            if (stopping)
                kill((pid_t)child, SIGTERM);
    }
    return status == 0 ? 0 : 1;
}
