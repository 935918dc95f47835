/* mpi_drain waits until the output has been read, but only for a limited time, so that a stuck reader cannot delay the
 * end of the job. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/time.h"
#include "ordo-mpi/drain.h"

enum { MS = 1000000 };

static int failures;

static void expect(int holds, const char *what)
{
    if (holds)
        return;
    failures++;
    fprintf(stderr, "not so: %s\n", what);
}

/* Runs in a child whose stdout is a pipe that already holds a line. Exits with 0 if the line was read when mpi_drain
 * returned. */
static int drain_into(int pipe_in, int pipe_out, int64_t most_ns)
{
    char line;
    (void)dup2(pipe_in, STDOUT_FILENO);
    if (write(STDOUT_FILENO, "x", 1) != 1)
        return 2;
    mpi_drain(most_ns);
    (void)alarm(1); /* the next line waits if the pipe is empty */
    return read(pipe_out, &line, 1) == 1;
}

static int drain(int64_t read_after_ns, int64_t most_ns)
{
    int ends[2], status = -1;
    char line;
    if (pipe(ends) != 0)
        return -1;
    pid_t child = fork();
    if (child == 0)
        _exit(drain_into(ends[1], ends[0], most_ns));
    (void)close(ends[1]);
    if (read_after_ns >= 0) {
        ordo_sleep_ns(read_after_ns);
        expect(read(ends[0], &line, 1) == 1, "the pipe holds the line");
    }
    (void)waitpid(child, &status, 0);
    (void)close(ends[0]);
    return status;
}

int main(void)
{
    int waited = drain(300 * MS, INT64_C(3600000000000)), gave_up = drain(-1, 20 * MS);
    expect(WIFSIGNALED(waited), "mpi_drain returns only after the line was read");
    expect(WIFEXITED(gave_up) && WEXITSTATUS(gave_up) == 1, "mpi_drain returns if no reader reads");
    return failures > 0;
}
