/* Programs that a command starts and waits for. */
#include <criterion/criterion.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include "common/child.h"

static int early; /* a signal that arrives when the program is about to start; 0: none */

int __real_posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const words[], char *const variables[]);

int __wrap_posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const words[], char *const variables[])
{
    if (early)
        (void)kill(getpid(), early);
    return __real_posix_spawnp(pid, file, actions, attributes, words, variables);
}

static int run_with(int signal, char *command)
{
    char *words[] = {"sh", "-c", command, NULL};
    early = signal;
    return cli_run_child(words);
}

Test(child, a_signal_before_the_start_reaches_the_program)
{
    static const int passed[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
        cr_assert(run_with(passed[i], "exec sleep 5") == 128 + passed[i], "signal %d", passed[i]);
}

Test(child, the_exit_status_is_that_of_the_program)
{
    cr_assert(run_with(0, "exit 7") == 7);
    cr_assert(run_with(0, "kill -KILL $$") == 128 + SIGKILL);
}

Test(child, an_ignored_signal_remains_ignored_in_both)
{
    (void)signal(SIGHUP, SIG_IGN);
    cr_assert(run_with(SIGHUP, "kill -HUP $$; exit 3") == 3);
}

Test(child, a_program_that_does_not_exist_is_not_started)
{
    char *words[] = {"no-such-program-anywhere", NULL};
    cr_assert(cli_run_child(words) == -1);
}
