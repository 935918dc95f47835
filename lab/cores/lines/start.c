#include "lab/cores/lines/start.h"

#include <errno.h>
#include <fcntl.h>
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

static _Noreturn void child_become(char *const *arguments, const struct cores_streams *streams)
{
    static char locale[] = "LC_ALL=C";
    char *const bare[] = {locale, NULL};
    int writes = O_WRONLY | O_CREAT | O_TRUNC;
    if (stream_open(STDIN_FILENO, streams->in, O_RDONLY) && stream_open(STDOUT_FILENO, streams->out, writes) &&
        stream_open(STDERR_FILENO, streams->err, writes))
        (void)(streams->bare ? execve(arguments[0], arguments, bare) : execvp(arguments[0], arguments));
    _exit(NOT_STARTED);
}

int cores_start(char *const *arguments, const struct cores_streams *streams, struct ordo_error *error)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        child_become(arguments, streams);
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
