#include "child.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_program(const char *path)
{
    struct stat info;
    if (access(path, X_OK) != 0 || stat(path, &info) != 0)
        return false;
    errno = EACCES;
    return S_ISREG(info.st_mode);
}

bool cli_search_program(const char *name, char *path, size_t size)
{
    if (strchr(name, '/'))
        return (size_t)snprintf(path, size, "%s", name) < size && is_program(path);
    const char *at = getenv("PATH");
    int found = ENOENT;
    while (*name && at && *at) {
        int length = (int)strcspn(at, ":");
        if ((size_t)snprintf(path, size, "%.*s%s%s", length, at, length ? "/" : "", name) < size && is_program(path))
            return true;
        found = errno == EACCES ? EACCES : found;
        at += length + (at[length] == ':');
    }
    errno = found;
    return false;
}

static volatile sig_atomic_t the_child;

static void pass_on(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (the_child > 0 && info->si_code != SI_KERNEL)
        (void)kill((pid_t)the_child, number);
}

int cli_run_child(char **words)
{
    static const int passed[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
    sigset_t held, before;
    posix_spawnattr_t attributes;
    pid_t pid;
    int status;
    (void)sigemptyset(&held);
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
        (void)sigaddset(&held, passed[i]);
    (void)sigprocmask(SIG_BLOCK, &held, &before); /* until the child has a number to which a signal can be passed on */
    (void)signal(SIGCHLD, SIG_DFL);               /* if it were ignored, the child's status would be lost */
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) {
        struct sigaction old;
        if (sigaction(passed[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) /* nohup: remains ignored in both */
            (void)sigaction(passed[i], &(struct sigaction){.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO}, NULL);
    }
    errno = posix_spawnattr_init(&attributes);
    if (errno)
        return -1;
    (void)posix_spawnattr_setsigmask(&attributes, &before);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    const int failed = posix_spawnp(&pid, words[0], NULL, &attributes, words, environ);
    (void)posix_spawnattr_destroy(&attributes);
    the_child = failed ? 0 : pid;
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    errno = failed;
    if (failed)
        return -1;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    the_child = 0;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
