/* Tests that end early, each in a different way, for guard.sh. Only `none` and `child`, which end regularly, may
 * pass. */
#include <criterion/criterion.h>

#include "early.h"

Test(early, none)
{
}

Test(early, skipped)
{
    cr_skip_test("not on this machine");
}

Test(early, exit)
{
    leave_by_exit();
}

Test(early, underscore)
{
    leave_by_underscore();
}

Test(early, kernel)
{
    leave_by_kernel();
}

Test(early, exec)
{
    leave_by_exec();
}

Test(early, coroutine)
{
    leave_by_coroutine();
}

Test(early, signal)
{
    leave_by_signal();
}

Test(early, setup, .init = leave_by_exit)
{
}

Test(early, teardown, .fini = leave_by_exit)
{
}

Test(early, crash_in_teardown, .fini = leave_by_signal)
{
}

/* A child process of a test may end in any way. */
Test(early, child)
{
    if (fork() == 0)
        leave_by_exit();
}

/* Ends only when its runner is killed. */
Test(early, hang)
{
    for (;;)
        pause();
}
