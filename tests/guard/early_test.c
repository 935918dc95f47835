/* Tests that end early, each in its way, for guard.sh: none may pass but the one that ends as it should. */
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

/* A process of the test's own may end as it likes. */
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
