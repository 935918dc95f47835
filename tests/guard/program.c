/* Linked to every test that is a plain program, and wraps its main: status 0 counts only if main has returned it.
 *
 * An early end can look like success: exit(0), _exit(0), exec of another program, a coroutine that returns without a
 * context to continue. Therefore main runs in a child process, which sets a flag in shared memory after main has
 * returned. */
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EARLY = 70 };

int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);

static int verdict(int status, bool ended)
{
    if (WIFSIGNALED(status))
        fprintf(stderr, "guard: the test was ended by signal %d\n", WTERMSIG(status));
    else if (WEXITSTATUS(status) == 0 && !ended)
        fprintf(stderr, "guard: the test ended before its end, with status 0\n");
    else
        return WEXITSTATUS(status);
    return EARLY;
}

int __wrap_main(int argc, char **argv)
{
    bool *ended = mmap(NULL, sizeof *ended, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t parent = getpid(), child = ended == MAP_FAILED ? -1 : fork();
    if (child == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            return EARLY;
        int code = __real_main(argc, argv);
        *ended = true;
        return code;
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        perror("guard");
        return EARLY;
    }
    return verdict(status, *ended);
}
