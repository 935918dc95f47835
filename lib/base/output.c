#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/time.h"

static bool find_program(const char *name, char *path, size_t size)
{
    static const char *const folders[] = {"/usr/local/sbin", "/usr/local/bin", "/usr/sbin",
                                          "/usr/bin",        "/sbin",          "/bin"};
    if (strchr(name, '/'))
        return snprintf(path, size, "%s", name) < (int)size;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (snprintf(path, size, "%s/%s", folders[i], name) < (int)size && access(path, X_OK) == 0)
            return true;
    return false;
}

/* Starts the program in its own process group, so that it can be killed together with its children. Resets its signal
 * mask and signal handlers. */
static pid_t start_program(const char *path, const char *const *arguments, int output)
{
    char *environment[] = {"LC_ALL=C", NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    pid_t child = -1;
    (void)sigemptyset(&none);
    (void)sigfillset(&all);
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    (void)posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    (void)posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    (void)posix_spawnattr_init(&attributes);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    (void)posix_spawnattr_setsigmask(&attributes, &none);
    (void)posix_spawnattr_setsigdefault(&attributes, &all);
    int failed = posix_spawn(&child, path, &actions, &attributes, (char *const *)arguments, environment);
    (void)posix_spawnattr_destroy(&attributes);
    (void)posix_spawn_file_actions_destroy(&actions);
    return failed ? -1 : child;
}

/* Reads until the end of the stream or until the time `until_ns`, and drops the bytes that do not fit. True if the end
 * was reached. */
static bool read_to_end(int input, int64_t until_ns, char *text, size_t size, size_t *length)
{
    char rest[512];
    for (;;) {
        struct pollfd waited = {.fd = input, .events = POLLIN};
        int64_t left_ms = (until_ns - ordo_raw_ns()) / 1000000;
        if (left_ms <= 0)
            return false;
        int ready = poll(&waited, 1, left_ms > INT_MAX ? INT_MAX : (int)left_ms);
        if (ready < 0 && errno != EINTR)
            return false;
        if (ready <= 0)
            continue;
        bool full = *length + 1 >= size;
        ssize_t got = full ? read(input, rest, sizeof rest) : read(input, text + *length, size - 1 - *length);
        if (got == 0)
            return true;
        if (got < 0 && errno != EINTR)
            return false;
        *length += got > 0 && !full ? (size_t)got : 0;
    }
}

/* Waits until the program has ended or until the time `until_ns`. The wait is needed because a program may close its
 * output and continue. */
static bool await_program(pid_t child, int64_t until_ns, int *status)
{
    pid_t ended;
    while ((ended = waitpid(child, status, WNOHANG)) == 0 && ordo_raw_ns() < until_ns)
        ordo_sleep_ns(1000000);
    return ended == child;
}

ptrdiff_t ordo_output_of(const char *const *arguments, int64_t most_ns, char *text, size_t size)
{
    char path[PATH_MAX];
    int ends[2], status = 0;
    size_t length = 0;
    int64_t until_ns = ordo_raw_ns() + most_ns;
    text[0] = '\0';
    if (!find_program(arguments[0], path, sizeof path) || pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    pid_t child = start_program(path, arguments, ends[1]);
    (void)close(ends[1]);
    bool ended =
        child > 0 && read_to_end(ends[0], until_ns, text, size, &length) && await_program(child, until_ns, &status);
    (void)close(ends[0]);
    if (child > 0 && !ended) {
        (void)kill(-child, SIGKILL);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            continue;
    }
    text[length] = '\0';
    return ended && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? (ptrdiff_t)length : -1;
}
