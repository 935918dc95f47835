#include "lab/cores/lines/start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_STARTED = 127, FILE_MODE = 0600 };

static bool stream_open(int stream, const char *path, int flags)
{
    if (!path)
        return true;
    int file = open(path, flags, FILE_MODE);
    return file >= 0 && dup2(file, stream) >= 0 && close(file) == 0;
}

/* The child ends with its parent: a simulation without a reader could take hours. */
static _Noreturn void child_become(char *const *arguments, const struct cores_streams *streams, pid_t parent)
{
    static char locale[] = "LC_ALL=C";
    char *const bare[] = {locale, NULL};
    int writes = O_WRONLY | O_CREAT | O_TRUNC;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent)
        _exit(NOT_STARTED);
    if (stream_open(STDIN_FILENO, streams->in, O_RDONLY) && stream_open(STDOUT_FILENO, streams->out, writes) &&
        stream_open(STDERR_FILENO, streams->err, writes))
        (void)(streams->bare ? execve(arguments[0], arguments, bare) : execvp(arguments[0], arguments));
    _exit(NOT_STARTED);
}

int cores_temporary_open(struct cores_temporary *temporary, struct ordo_error *error)
{
    temporary->file = memfd_create("ordo-cores-lines", 0);
    if (temporary->file < 0)
        return ordo_error_errno(error, "a temporary file");
    (void)snprintf(temporary->path, sizeof temporary->path, "/proc/self/fd/%d", temporary->file);
    return ORDO_OK;
}

void cores_temporary_close(struct cores_temporary *temporary)
{
    if (temporary->file >= 0)
        (void)close(temporary->file);
    temporary->file = -1;
}

int cores_start(char *const *arguments, const struct cores_streams *streams, struct ordo_error *error)
{
    int status = 0;
    pid_t parent = getpid(), child = fork();
    if (child == 0)
        child_become(arguments, streams, parent);
    if (child < 0)
        return ordo_error_errno(error, "%s", arguments[0]);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return ordo_error_errno(error, "%s", arguments[0]);
    if (WIFSIGNALED(status))
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: ended by signal %d", arguments[0], WTERMSIG(status));
    if (WEXITSTATUS(status) == NOT_STARTED)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s: cannot be started", arguments[0]);
    return WEXITSTATUS(status);
}
