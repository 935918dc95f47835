/* apart NS COMMAND...: runs a command in its own network and time namespaces. In there, CLOCK_MONOTONIC is ahead by NS
 * nanoseconds, and only the loopback exists. unshare(1) knows whole seconds only. If this program is killed, the command
 * is killed as well. Exit 77: the system refuses namespaces. */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x80
#endif

static int move_clock(long long ns)
{
    FILE *file = fopen("/proc/self/timens_offsets", "we");
    long long s = ns / 1000000000, rest = ns % 1000000000;
    if (!file)
        return -1;
    (void)fprintf(file, "monotonic %lld %lld\n", s - (rest < 0), rest < 0 ? rest + 1000000000 : rest);
    return fclose(file);
}

int main(int argc, char **argv)
{
    int status = 0;
    if (argc < 3)
        return 64;
    if (unshare(CLONE_NEWTIME | CLONE_NEWNET) || move_clock(atoll(argv[1]))) {
        perror("apart: namespaces");
        return 77;
    }
    pid_t child = fork();
    if (child == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        (void)execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(70);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return 70;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
